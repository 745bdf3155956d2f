"""The twin itself, against games small enough for paper."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from clue_solver.notation import parse_line
from clue_solver.rules.edition import parse_edition
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import ANY, Shows, Slot, Table
from tests import twin

CLUE = parse_edition(
    """
    title = "Five cards"
    [[category]]
    name = "suspect"
    cards = [{ name = "Plum" }, { name = "Green" }]
    [[category]]
    name = "weapon"
    cards = [{ name = "Rope" }, { name = "Knife" }, { name = "Pipe" }]
    """,
    name="clue.toml",
)
DICED = parse_edition(
    """
    title = "Four cards"
    [[category]]
    name = "brains"
    cards = [{ name = "Brains Plum", feature = "Plum" }, { name = "Brains Rose", feature = "Rose" }]
    [[category]]
    name = "brawn"
    cards = [{ name = "Brawn Plum", feature = "Plum" }, { name = "Brawn Rose", feature = "Rose" }]
    """,
    name="diced.toml",
)
FOUR = parse_edition(
    'title = "T"\n[[category]]\nname = "room"\n'
    'cards = [{ name = "A" }, { name = "B" }, { name = "C" }, { name = "D" }]',
    name="four.toml",
)
TWO = Table(edition=CLUE, seats=("Ann", "Ben"), hands=(1, 2), viewer="Ann")


def oracle(
    *lines: str, table: Table = TWO, viewer: str | None = "Ann", shows: Shows = "random"
) -> twin.Oracle:
    """Return the twin's answers to these lines of a record."""
    read: list[Observation] = [parse_line(line, table) for line in lines]
    return twin.answers(read, table, viewer, shows)


def test_deals_are_counted_over_solutions_hands_and_slots() -> None:
    assert 6 * 3 == oracle().deals
    slots = Table(edition=CLUE, seats=("Ann", "Ben"), hands=(1, 1), slots=(Slot(name="Pool"),))
    assert 6 * 6 == oracle(table=slots).deals
    open_rope = Table(edition=CLUE, seats=("Ann", "Ben"), hands=(1, 1), face_up=("Rope",))
    assert 4 * 2 == oracle(table=open_rope).deals
    assert "Rope" not in oracle(table=open_rope).probability


def test_without_recorded_sizes_either_seat_may_have_the_extra_card() -> None:
    table = Table(edition=FOUR, seats=("Ann", "Ben"))
    assert 4 * (3 + 3) == oracle(table=table).deals
    assert 4 * 3 == oracle(table=Table(edition=FOUR, seats=("Ann", "Ben"), hands=(1, None))).deals


def test_a_hand_drawn_from_is_the_likelier_the_smaller_it_is() -> None:
    found = oracle("Ann looks at Ben: A", table=Table(edition=FOUR, seats=("Ann", "Ben")))
    assert 3 + 6 == found.deals  # Ben has A alone, or one of two with A
    alone, one_of_two = Fraction(3), Fraction(6, 2)
    with_b = Fraction(2, 2)
    assert with_b / (alone + one_of_two) == found.probability["B"]["Ben"]


def test_a_card_that_was_shown_makes_another_that_was_asked_for_less_likely() -> None:
    lines = ["Ann holds Pipe", "Ann suggests Plum, Rope: Ben shows Plum"]
    assert 2 == oracle(*lines).deals  # Ben has Plum, and Rope or Knife
    assert Fraction(1, 3) == oracle(*lines).probability["Rope"]["Ben"]
    assert Fraction(1, 2) == oracle(*lines, shows="none").probability["Rope"]["Ben"]
    assert {("Green", "Rope"): Fraction(2, 3), ("Green", "Knife"): Fraction(1, 3)} == (
        oracle(*lines).solutions
    )


def test_a_habit_says_nothing_new() -> None:
    once = "Ann suggests Plum, Rope: Ben shows Plum"
    lines = ["Ann holds Pipe", once, once]
    assert Fraction(1, 5) == oracle(*lines).probability["Rope"]["Ben"]
    assert Fraction(1, 3) == oracle(*lines, shows="sticky").probability["Rope"]["Ben"]


def test_where_a_habit_is_broken_the_choice_was_at_random() -> None:
    table = Table(edition=FOUR, seats=("Ann", "Ben"), hands=(0, 3))
    lines = ["Ann asks Ben about A: shows A", "Ann asks Ben about A, B, C: shows B"]
    found = oracle(*lines, table=table, shows="sticky")
    # Ben lacks C or D; three cards to choose from where he lacks D, two where he lacks C.
    assert 2 == found.deals
    assert Fraction(3, 5) == found.probability["C"]["envelope"]


@pytest.mark.parametrize(("viewer", "deals"), [("Ann", 2), ("Ben", 6), (None, 12)])
def test_each_reader_gets_only_their_share(viewer: str | None, deals: int) -> None:
    lines = ["Ann holds Pipe", "Ann suggests Plum, Rope: Ben shows Plum"]
    assert deals == oracle(*lines, viewer=viewer).deals


def test_passes_of_all_do_not_put_the_cards_into_the_envelope() -> None:
    found = oracle("Ann suggests Plum, Rope: nobody shows", viewer="Ben")
    assert "lacks" == found.verdicts["Plum"]["Ben"]
    assert "open" == found.verdicts["Plum"]["envelope"]


def test_what_nobody_reveals_may_lie_face_down() -> None:
    table = Table(edition=FOUR, seats=("Ann", "Ben"), hands=(1, 1), slots=(Slot(name="Pool"),))
    row = oracle("nobody reveals A", table=table).probability["A"]
    half = Fraction(1, 2)
    assert {"Ann": 0, "Ben": 0, "Pool": half, "envelope": half} == row


DICED_TWO = Table(edition=DICED, seats=("Ann", "Ben"), hands=(1, 1), viewer="Ann")


def test_the_notch_is_one_draw_however_often_it_is_seen() -> None:
    for lines in (["Ann peeks: Plum"], ["Ann peeks: Plum"] * 2):
        found = oracle(*lines, table=DICED_TWO)
        assert 3 * 2 == found.deals
        assert Fraction(2, 4) == found.solutions["Brains Plum", "Brawn Plum"]
        assert Fraction(1, 4) == found.solutions["Brains Plum", "Brawn Rose"]
    assert (
        Fraction(1, 3)
        == (
            oracle("Ann peeks: Plum", table=DICED_TWO, shows="none").solutions[
                "Brains Plum", "Brawn Plum"
            ]
        )
    )


def test_only_a_wrong_accusation_lets_the_notch_show_another_card() -> None:
    lines = ["Ann peeks: Plum", "Ben accuses Brains Plum, Brawn Rose: wrong", "Ann peeks: Rose"]
    found = oracle(*lines, table=DICED_TWO)
    assert {("Brains Rose", "Brawn Plum"): 1} == found.solutions
    assert 0 == oracle(lines[0], lines[2], table=DICED_TWO).deals
    lines[1] = "Ben accuses Brains Rose, Brawn Rose: wrong"
    twice = oracle(*lines[:2], lines[0], table=msgspec.structs.replace(DICED_TWO, asks=ANY))
    assert Fraction(4, 6) == twice.solutions["Brains Plum", "Brawn Plum"]


def test_a_card_looked_at_is_told_to_its_holder_only_where_the_edition_says_so() -> None:
    told = parse_edition(
        'title = "T"\nlooker_tells = true\n[[category]]\nname = "room"\n'
        'cards = [{ name = "A" }, { name = "B" }, { name = "C" }]',
        name="told.toml",
    )
    for edition, deals in ((told, 2), (msgspec.structs.replace(told, looker_tells=False), 6)):
        table = Table(edition=edition, seats=("Ann", "Ben"), hands=(1, 1))
        assert deals == oracle("Ben looks at Ann: A", table=table).deals
        assert 2 == oracle("Ben looks at Ann: A", table=table, viewer="Ben").deals
        assert 6 == oracle("Ben looks at Ann: A", table=table, viewer=None).deals


def test_a_card_revealed_counts_for_those_who_see_it() -> None:
    table = Table(edition=FOUR, seats=("Ann", "Ben", "Cat"), hands=(1, 1, 1))
    for viewer, deals in (("Ann", 6), ("Ben", 6), ("Cat", 24), (None, 24)):
        assert deals == oracle("Ann reveals A to Ben", table=table, viewer=viewer).deals
        assert 6 == oracle("Ann reveals A", table=table, viewer=viewer).deals


def test_an_accusation_settles_the_envelope_or_rules_one_solution_out() -> None:
    assert 3 == oracle("Ben accuses Plum, Rope: right").deals
    assert 15 == oracle("Ben accuses Plum, Rope: wrong").deals


def test_what_was_learned_outside_the_rules_is_private() -> None:
    line = "Ann knows Ben has Plum or Green"
    assert 12 == oracle(line).deals
    assert 18 == oracle(line, viewer="Ben").deals
    assert 6 == oracle(line, "Ann knows Ben lacks Green").deals
