"""Entries that nothing contradicts, and that were mistyped all the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from clue_solver import Game, parse_record
from clue_solver.answers import oddities
from clue_solver.notation import parse_line
from clue_solver.testing import games
from tests.twin import answers

NOTES = """\
edition: clue-classic
players: Ann, Ben, Cat
hands: 6, 6, 6
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife, Scarlett
Ben suggests Green, Wrench, Lounge: Cat shows
Cat suggests Green, Wrench, Kitchen: Ann passes, Ben shows
Ann suggests Green, Wrench, Library: Ben passes, Cat passes
"""


def game(*lines: str) -> Game:
    return Game(parse_record(NOTES + "".join(f"{line}\n" for line in lines)))


def test_who_is_said_to_ask_for_cards_of_its_own_hand_again_and_again_is_odd() -> None:
    careful = [
        f"Ben suggests {suspect}, {weapon}, {room}: Cat passes, Ann passes"
        for suspect, weapon, room in (
            ("Mustard", "Candlestick", "Kitchen"),
            ("Peacock", "Revolver", "Library"),
        )
    ]
    shown = [
        "Ann suggests White, Lead Pipe, Kitchen: Ben shows White",
        *careful,
        "Ben suggests White, Candlestick, Conservatory: Cat passes, Ann passes",
    ]
    found = game(*shown).check(asks="careful 0.02")
    assert found.consistent
    odd = {each.entry: each for each in found.odd}
    assert 8 in odd
    assert "White" not in odd[8].after
    assert odd[8].ratio >= oddities.RATIO
    assert str(odd[8].entry) in str(found.to_dict()["odd"])
    assert () == game(*shown).check(asks="any").odd


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(games(), st.data())
def test_the_ratio_is_what_listing_all_deals_says(
    monkeypatch: pytest.MonkeyPatch, played: Game, data: st.DataObject
) -> None:
    table, seen = played.table, played.observations
    assume(not table.face_up)  # a card that nobody holds is named by no rule
    viewer = data.draw(st.sampled_from(table.seats))
    monkeypatch.setattr(oddities, "RATIO", 3.0)  # tiny games have nothing very odd
    found = oddities.odd_entries(
        table, seen, played._deduction(played._eyes(viewer)), viewer=viewer,
        rng=np.random.default_rng(0),
    )  # fmt: skip
    for each in found:
        meant = parse_line(each.after, table)
        changed = (*seen[: each.entry - 1], meant, *seen[each.entry :])
        before, after = (answers(told, table, viewer).weight for told in (seen, changed))
        assert each.ratio == pytest.approx(float(after / before))
        assert each.ratio >= oddities.RATIO
