"""Sheets as people keep them: nothing false is read, and most is read whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.exchange.scoring import outcome, sheets

SHEETS = sheets()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet["name"])
def test_no_fact_is_read_that_a_sheet_does_not_tell(sheet: dict[str, Any], tmp_path: Path) -> None:
    came = outcome(sheet, tmp_path)
    assert came.false == frozenset()
    assert bool(came.refused) or not sheet.get("unread")


def test_most_sheets_are_read_whole(tmp_path: Path) -> None:
    came = {sheet["name"]: outcome(sheet, tmp_path) for sheet in SHEETS}
    whole = [name for name, each in came.items() if not each.refused and not each.missing]
    telling = [sheet["name"] for sheet in SHEETS if not sheet.get("unread")]
    print(f"{len(whole)} of {len(telling)} sheets whole; not {sorted(set(telling) - set(whole))}")
    assert len(came) == len(SHEETS) >= 60
    assert len(whole) / len(telling) >= 0.85
