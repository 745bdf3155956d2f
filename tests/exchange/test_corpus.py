"""Sheets as people keep them: nothing false is read, and most is read whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from tests.exchange.scoring import Outcome, outcome, sheets

SHEETS = sheets()


@pytest.fixture(scope="module")
def came(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Outcome]:
    """What comes of a sheet, by its place; each is imported once."""
    folder = tmp_path_factory.mktemp("sheets")
    return cache(lambda place: outcome(SHEETS[place], folder))


@pytest.mark.parametrize("place", range(len(SHEETS)), ids=lambda place: SHEETS[place]["name"])
def test_no_fact_is_read_that_a_sheet_does_not_tell(
    came: Callable[[int], Outcome], place: int
) -> None:
    assert came(place).false == frozenset()
    assert bool(came(place).refused) or not SHEETS[place].get("unread")


def test_most_sheets_are_read_whole(came: Callable[[int], Outcome]) -> None:
    outcomes = {sheet["name"]: came(place) for place, sheet in enumerate(SHEETS)}
    whole = [name for name, each in outcomes.items() if not each.refused and not each.missing]
    telling = [sheet["name"] for sheet in SHEETS if not sheet.get("unread")]
    print(f"{len(whole)} of {len(telling)} sheets whole; not {sorted(set(telling) - set(whole))}")
    assert len(outcomes) == len(SHEETS) >= 60
    assert len(whole) / len(telling) >= 0.85
