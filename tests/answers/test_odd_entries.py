"""Entries that nothing contradicts, and that were mistyped all the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from clue_solver import Game, parse_record
from clue_solver.answers import odd_entries
from clue_solver.notation import parse_line
from clue_solver.rules.observations import Accusation
from tests.strategies import games
from tests.twin import answers

NOTES = """\
edition: clue-classic
players: Ann, Ben, Cat
hands: 6, 6, 6
viewer: Ann

Ann holds Mustard, Plum, Candlestick, Revolver, Ballroom, Dining Room
"""

SLIPPED = (
    "Ann suggests Scarlett, Rope, Library: Ben passes, Cat shows Library",
    "Ben suggests Green, Knife, Dining Room: Cat shows",
    "Cat suggests Peacock, Lead Pipe, Hall: nobody shows",
    "Ann suggests Scarlett, Knife, Study: Ben passes, Cat shows Study",
    "Ben suggests White, Wrench, Study: Cat shows",
    "Cat suggests Mustard, Wrench, Library: Ann shows Mustard",
    "Ann suggests Green, Rope, Study: Ben passes, Cat shows Green",
)


def game(*lines: str) -> Game:
    return Game(parse_record(NOTES + "".join(f"{line}\n" for line in lines)))


def test_a_show_that_was_written_down_as_passes_is_odd_with_behaviour_and_without() -> None:
    for asks in ("any", "adaptive"):
        (odd,) = game(*SLIPPED).check(asks=asks).odd
        assert odd.entry == 4
        assert odd.after == "Cat suggests Peacock, Lead Pipe, Hall: Ann passes, Ben shows"
        assert odd.ratio > 100


def test_who_asks_for_own_cards_is_not_odd_where_any_may_be_asked_for() -> None:
    shown = "Ann suggests White, Lead Pipe, Kitchen: Ben shows White"
    bluffs = [
        f"Ben suggests White, {weapon}, {room}: ?"
        for weapon, room in (
            ("Candlestick", "Kitchen"),
            ("Revolver", "Study"),
            ("Rope", "Hall"),
        )
    ]
    assert game(shown, *bluffs).check(asks="careful 0.02").odd == ()


def test_a_lucky_question_is_not_odd() -> None:
    lucky = "Ben suggests White, Lead Pipe, Study: nobody shows"
    assert game("Ann suggests Green, Knife, Hall: nobody shows", lucky).check().odd == ()


@pytest.fixture
def suspicious(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls odd whatever can have been meant otherwise."""
    monkeypatch.setattr(odd_entries, "ODD", 0.0)
    monkeypatch.setattr(odd_entries, "_misleads", lambda *_: True)


@pytest.mark.usefixtures("suspicious")
def test_what_the_viewer_does_is_never_odd() -> None:
    assert {each.entry for each in game(*SLIPPED).check().odd} == {3, 4, 6, 7}


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.usefixtures("suspicious")
@given(games(), st.data())
def test_the_ratio_is_what_listing_all_deals_says(played: Game, data: st.DataObject) -> None:
    table, seen = played.table, played.observations
    assume(not table.face_up)  # a card that nobody holds is named by no rule
    viewer = data.draw(st.sampled_from(table.seats))
    # as a wrong accusation, a right one is weighed without how people accuse
    assume(not any(isinstance(each, Accusation) and each.right for each in seen))
    deduction = played.seen(viewer=viewer).deduction
    rng = np.random.default_rng(0)
    found = odd_entries.odd_entries(table, seen, deduction, viewer=viewer, rng=rng)
    for each in found[:1]:
        meant = parse_line(each.after, table)
        changed = (*seen[: each.entry - 1], meant, *seen[each.entry :])
        before, after = (answers(told, table, viewer).weight for told in (seen, changed))
        assert each.ratio == pytest.approx(float(after / before))
