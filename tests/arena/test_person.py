"""The player that names cards of its own, and the same again, as people do."""

from __future__ import annotations

import pytest

from clue_solver import ArgumentError, play
from clue_solver.arena.players import find_player
from clue_solver.rules.observations import Hand, Suggestion


def shares(player: str) -> tuple[float, float]:
    """How many questions name an own card, and suspect and weapon of the question before."""
    own, again, asked = 0, 0, 0
    for game in play([player] * 4, games=12, seed=3, board=False, jobs=1):
        hands = {one.seat: {*one.cards} for one in game.observations if isinstance(one, Hand)}
        before: dict[str, tuple[str, ...]] = {}
        for one in game.observations:
            if isinstance(one, Suggestion):
                asked += 1
                own += bool(hands[one.by] & {*one.cards})
                again += before.get(one.by) == one.cards[:2]
                before[one.by] = one.cards[:2]
    return own / asked, again / asked


def test_a_person_names_own_cards_and_the_same_again_as_often_as_is_said() -> None:
    usual, again = shares("person")
    assert 0.28 < usual < 0.5
    assert 0.05 < again < 0.25
    careful, never = shares("person:bluff=0:again=0")
    assert careful < 0.05
    assert never < again
    with pytest.raises(ArgumentError, match="bluff"):
        find_player("person:bluff=2")
