"""Sheets as people keep them: nothing false is read, and most is read whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.exchange.scoring import outcome, sheets

SHEETS = sheets()
WHOLE = 120
"""How many sheets are to be whole at least."""


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet["name"])
def test_the_first_guess_of_a_sheet_tells_nothing_false(
    tmp_path: Path, sheet: dict[str, object]
) -> None:
    came = outcome(sheet, tmp_path, corrected=False)
    assert came.false == frozenset()
    assert came.refused or not sheet.get("unread")


def test_most_sheets_are_whole_after_two_corrections_at_most(tmp_path: Path) -> None:
    whole = []
    for sheet in SHEETS:
        corrections = sheet.get("corrections", {})
        counts = [len(each) if isinstance(each, dict) else 1 for each in corrections.values()]
        assert sum(counts) < 3
        came = outcome(sheet, tmp_path, corrected=True)
        assert came.false == frozenset()
        if not came.refused and not came.missing:
            whole.append(sheet["name"])
    print(f"{len(whole)} of {len(SHEETS)} sheets whole")
    assert len(SHEETS) == 175
    assert len(whole) >= WHOLE
