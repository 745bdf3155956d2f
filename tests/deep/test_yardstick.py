"""What the commands have always answered and said, they do (`tests/yardstick/commands.py`)."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

from tests.yardstick.commands import CASES, anew


@pytest.mark.long(keep=6)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_what_goes_in_comes_out_as_ever(case: Path) -> None:
    expected, found = case.read_text("utf-8"), anew(case)
    kept, now = expected.splitlines(), found.splitlines()
    assert found == expected, "\n".join(unified_diff(kept, now, "kept", "now", lineterm=""))
