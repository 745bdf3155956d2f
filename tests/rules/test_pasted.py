"""Decks of one's own whose names are pasted."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver.errors import EditionError
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import parse_edition
from clue_solver.rules.pasted import deck_summary, pasted_deck
from tests.rows import rows_in, spelt

CASES = rows_in(Path(__file__).with_name("refused.txt"))
NAMES = (("Ida", "Leo", "Old Tom"), ("Spoon", "Fork"), ("Attic", "Shed"))


def deck(*lists: str) -> Edition:
    return parse_edition(pasted_deck("Ours", *lists), name="ours.toml")


@pytest.mark.parametrize("lists", [lists for (lists,) in CASES["decks"]])
def test_three_lists_are_read_however_they_are_pasted(lists: str) -> None:
    found = deck(*spelt(lists).split(" || "))
    assert (found.suspects, found.weapons, found.rooms) == NAMES
    assert deck_summary(found) == "3 suspects, 2 weapons and 2 rooms"


@pytest.mark.parametrize(("lists", "said"), CASES["no decks"])
def test_what_cannot_be_a_deck_is_told(lists: str, said: str) -> None:
    with pytest.raises(EditionError, match=said):
        deck(*filter(None, spelt(lists).split(" || ")))


def test_what_may_be_two_names_is_counted_back_as_one() -> None:
    found = deck("Ida and Leo, Mia", "Salt & pepper, Fork/Spoon", "Sand, Orchard")
    assert deck_summary(found) == (
        "2 suspects, 2 weapons and 2 rooms; 'Ida and Leo' is one name; "
        "'Salt & pepper' is one name; 'Fork/Spoon' is one name"
    )


def test_names_and_title_stand_in_the_file_as_they_were_pasted() -> None:
    text = pasted_deck('The "Inn" \\ 2', 'Ida "Red", Leo \\', "Löffel, 叉子", "Attic, Shed")
    found = parse_edition(text, name="ours.toml")
    assert found.title == 'The "Inn" \\ 2'
    assert found.names == ('Ida "Red"', "Leo \\", "Löffel", "叉子", "Attic", "Shed")
