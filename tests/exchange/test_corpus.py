"""Nothing false is read from every fourth sheet; tests/deep/test_properties.py has them all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.exchange.scoring import outcome, sheets


@pytest.mark.parametrize("sheet", sheets()[::4], ids=lambda sheet: sheet["name"])
def test_the_first_guess_of_a_sheet_tells_nothing_false(
    sheet: dict[str, Any], tmp_path: Path
) -> None:
    came = outcome(sheet, tmp_path, corrected=False)
    assert came.false == frozenset()
    assert came.refused or not sheet.get("unread")
