"""Decks of one's own whose names are pasted."""

from __future__ import annotations

import pytest

from clue_solver.errors import EditionError
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import parse_edition
from clue_solver.rules.pasted import counted_back, pasted_deck

NAMES = (("Ida", "Leo", "Old Tom"), ("Spoon", "Fork"), ("Attic", "Shed"))


def deck(*lists: str) -> Edition:
    return parse_edition(pasted_deck("Ours", *lists), name="ours.toml")


@pytest.mark.parametrize(
    "lists",
    [
        ("Ida\nLeo\nOld Tom", "Spoon\nFork\n", "Attic\nShed"),
        ("Ida, Leo,Old  Tom", "Spoon; Fork", "Attic\tShed"),
        ("1. Ida\n2) Leo\n3. Old Tom", "- Spoon\n* Fork", "• Attic\n• Shed"),
        ("Ida\nLeo\n\nOld Tom", "Weapons\n\nSpoon, Fork", "Rooms: Attic, Shed"),
        ("Ida, Leo, Old Tom\n\n\nSpoon, Fork\n\nAttic, Shed", "", " "),
        ("Who:\nIda\nLeo\nOld Tom\nWith what:\nSpoon\nFork\nWhere:\nAttic\nShed",),
        ("Rooms\nAttic\nShed\nWeapons\nSpoon\nFork\nSuspects\nIda\nLeo\nOld Tom",),
        ("Rooms: Attic, Shed\n\nIda, Leo, Old Tom\n\nSpoon, Fork",),
        ("Personen:\nIda\nLeo\nOld Tom\nWaffen:\nSpoon, Fork\nOrte:\nAttic, Shed",),
    ],
)
def test_three_lists_are_read_however_they_are_pasted(lists: tuple[str, ...]) -> None:
    found = deck(*lists)
    assert (found.suspects, found.weapons, found.rooms) == NAMES
    assert counted_back(found) == "3 suspects, 2 weapons and 2 rooms"


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ((), "expected three lists, suspects, weapons and rooms, .* found 0"),
        (("Ida, Leo", "Spoon, Fork"), "found 2"),
        (("Ida, Leo\n\nSpoon\n\nFork\n\nAttic, Shed",), "found 4"),
        (("Ida, Leo", "Spoon", "Attic, Shed"), "^expected at least 2 weapons; found Spoon$"),
        (("Weapons: Ida, Leo", "Spoon, Fork", "Weapons\nAttic"), "two lists are called weapons"),
        (("Ida, Leo", "Spoon, Fork, Spoon", "Attic, Shed"), "^Spoon is there twice$"),
        (("Ida, Leo", "Spoon, Lead-pipe", "Lead pipe, Shed"), "Lead pipe is there twice, as Lead-"),
        (("Ida, Leo", "A, B, A", "Attic, Shed"), "^A is there twice$"),
        ((", ".join(f"S{n}" for n in range(37)), "A, B", "C, D"), "at most 40 cards; found 41"),
        (("Ida, Envelope", "Spoon, Fork", "Attic, Shed"), "^expected a name that is no word of"),
        (("Ida, ?", "Spoon, Fork", "Attic, Shed"), "a letter or a digit in it; found"),
        (("Ida, Leo > Mia", "Spoon, Fork", "Attic, Shed"), "^expected a name without , : # >"),
    ],
)
def test_what_cannot_be_a_deck_is_told(lists: tuple[str, ...], said: str) -> None:
    with pytest.raises(EditionError, match=said):
        deck(*lists)


def test_what_may_be_two_names_is_counted_back_as_one() -> None:
    found = deck("Ida and Leo, Mia", "Salt & pepper, Fork/Spoon", "Sand, Orchard")
    assert counted_back(found) == (
        "2 suspects, 2 weapons and 2 rooms; 'Ida and Leo' is one name; "
        "'Salt & pepper' is one name; 'Fork/Spoon' is one name"
    )


def test_names_and_title_stand_in_the_file_as_they_were_pasted() -> None:
    text = pasted_deck('The "Inn" \\ 2', 'Ida "Red", Leo \\', "Löffel, 叉子", "Attic, Shed")
    found = parse_edition(text, name="ours.toml")
    assert found.title == 'The "Inn" \\ 2'
    assert found.names == ('Ida "Red"', "Leo \\", "Löffel", "叉子", "Attic", "Shed")
