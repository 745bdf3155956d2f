"""Sheets as people keep them: nothing false is read, and most is read whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.exchange.scoring import Outcome, outcome, sheets

SHEETS = sheets()
WHOLE = 231
"""How many sheets are to be whole at least."""


@pytest.fixture(scope="session")
def guessed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[dict[str, Any]], Outcome]:
    """What comes of a sheet at first, worked out once."""
    folder, came = tmp_path_factory.mktemp("sheets"), dict[str, Outcome]()

    def guess(sheet: dict[str, Any]) -> Outcome:
        if sheet["name"] not in came:
            came[sheet["name"]] = outcome(sheet, folder, corrected=False)
        return came[sheet["name"]]

    return guess


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet["name"])
def test_the_first_guess_of_a_sheet_tells_nothing_false(
    guessed: Callable[[dict[str, Any]], Outcome], sheet: dict[str, Any]
) -> None:
    came = guessed(sheet)
    assert came.false == frozenset()
    assert came.refused or not sheet.get("unread")


def test_most_sheets_are_whole_after_two_corrections_at_most(
    guessed: Callable[[dict[str, Any]], Outcome], tmp_path: Path
) -> None:
    whole = []
    for sheet in SHEETS:
        corrections = sheet.get("corrections", {})
        counts = [len(each) if isinstance(each, dict) else 1 for each in corrections.values()]
        assert sum(counts) < 3
        came = outcome(sheet, tmp_path, corrected=True) if corrections else guessed(sheet)
        assert came.false == frozenset()
        if not came.refused and not came.missing:
            whole.append(sheet["name"])
    print(f"{len(whole)} of {len(SHEETS)} sheets whole")
    assert len(SHEETS) == 295
    assert len(whole) >= WHOLE
