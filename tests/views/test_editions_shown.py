"""What is told of an edition: each of its rules, a sentence each."""

from __future__ import annotations

from typing import get_args

import pytest

from clue_solver import load_edition
from clue_solver.rules.edition import ClueCard
from clue_solver.views.editions import CLUE_CARDS, rules_of
from tests.rows import rows

RULES = """
clue-2015 | clue card, left (2 of them): everybody shows a card to the neighbour on the left
clue-2015 | clue card, passage: move to any room with a secret passage
clue-2015 | a move uses up the whole roll, unless it ends in a room
cluedo-watson | you can accuse only right after your own suggestion
cluedo-watson | everybody plays the piece that starts nearest
cluedo-watson | unused pieces are placed in rooms
clue-custom | whoever accuses wrongly while in a doorway steps into the room
clue-diced | die, blank: nothing (assumed of two faces, as the rules tell four of the six)
"""


@pytest.mark.parametrize(("name", "rule"), rows(RULES, " | "))
def test_a_rule_of_an_edition_is_told(name: str, rule: str) -> None:
    assert rule in rules_of(load_edition(name))
    assert rule not in rules_of(load_edition("clue-classic"))


def test_every_clue_card_has_its_words() -> None:
    assert CLUE_CARDS.keys() == {*get_args(ClueCard)}
