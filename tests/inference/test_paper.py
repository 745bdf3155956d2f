"""Games small enough for paper: the twin, and the program, say what the paper says."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from clue_solver import Game
from clue_solver.knowledge.evidence import Random, Sticky
from clue_solver.notation import parse_line
from clue_solver.record import Record
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import parse_edition
from clue_solver.rules.table import ANY, Shows, Slot, Table
from tests import twin


def edition(*kinds: str, features: bool = False) -> Edition:
    """Cards by category; in one with features, each shows that of its last word."""
    text = 'title = "T"\n'
    for number, names in enumerate(kinds):
        text += f'[[category]]\nname = "kind {number}"\n'
        for name in names.split(", "):
            text += f'[[category.cards]]\nname = "{name}"\n'
            text += f'feature = "{name.split()[-1]}"\n' if features else ""
    return parse_edition(text, name="paper.toml")


CLUE = edition("Plum, Green", "Rope, Knife, Pipe")
FOUR = edition("A, B, C, D")
TWO = Table(edition=CLUE, seats=("Ann", "Ben"), hands=(1, 2), viewer="Ann")
UNSIZED = Table(edition=FOUR, seats=("Ann", "Ben"))
DICED = Table(
    edition=edition("Brains Plum, Brains Rose", "Brawn Plum, Brawn Rose", features=True),
    seats=("Ann", "Ben"),
    hands=(1, 1),
    viewer="Ann",
)


def oracle(
    *lines: str, table: Table = TWO, viewer: str | None = "Ann", shows: Shows = "random"
) -> twin.Oracle:
    """Return the twin's answers to these lines, which are the program's as well."""
    record = Record(table=table)
    for line in lines:
        record = record.append(parse_line(line, table))
    found = twin.answers(record.observations, table, viewer, shows)
    report = Game(record).report(viewer=viewer or "spectator", shows=shows)
    assert report.deals == found.deals
    exact = {cards: pytest.approx(float(chance)) for cards, chance in found.solutions.items()}
    assert dict(report.solutions) == exact
    for card, row in found.probability.items():
        chances = {holder: report.probability(card, holder) for holder in row}
        assert chances == pytest.approx({holder: float(chance) for holder, chance in row.items()})
    return found


def test_deals_are_counted_over_solutions_hands_and_slots() -> None:
    assert oracle().deals == 6 * 3
    assert oracle(table=replace(TWO, hands=(1, 1), slots=(Slot(name="Pool"),))).deals == 6 * 6
    open_rope = oracle(table=replace(TWO, hands=(1, 1), face_up=("Rope",)))
    assert open_rope.deals == 4 * 2
    assert "Rope" not in open_rope.probability


def test_without_recorded_sizes_either_seat_may_have_the_extra_card() -> None:
    assert oracle(table=UNSIZED).deals == 4 * (3 + 3)
    assert oracle(table=replace(UNSIZED, hands=(1, None))).deals == 4 * 3


def test_a_hand_drawn_from_is_the_likelier_the_smaller_it_is() -> None:
    found = oracle("Ann looks at Ben: A", table=UNSIZED)
    assert found.deals == 3 + 6  # Ben has A alone, or one of two with A
    alone, one_of_two, with_b = Fraction(3), Fraction(6, 2), Fraction(2, 2)
    assert found.probability["B"]["Ben"] == with_b / (alone + one_of_two)


def test_a_card_that_was_shown_makes_another_that_was_asked_for_less_likely() -> None:
    lines = ["Ann holds Pipe", "Ann suggests Plum, Rope: Ben shows Plum"]
    found = oracle(*lines)
    assert found.deals == 2  # Ben has Plum, and Rope or Knife
    assert found.probability["Rope"]["Ben"] == Fraction(1, 3)
    assert oracle(*lines, shows="none").probability["Rope"]["Ben"] == Fraction(1, 2)
    assert found.solutions == {
        ("Green", "Rope"): Fraction(2, 3),
        ("Green", "Knife"): Fraction(1, 3),
    }


def test_a_habit_says_nothing_new() -> None:
    once = "Ann suggests Plum, Rope: Ben shows Plum"
    lines = ["Ann holds Pipe", once, once]
    assert oracle(*lines).probability["Rope"]["Ben"] == Fraction(1, 5)
    assert oracle(*lines, shows="sticky").probability["Rope"]["Ben"] == Fraction(1, 3)


def test_where_a_habit_is_broken_the_choice_was_at_random() -> None:
    lines = ["Ann asks Ben about A: shows A", "Ann asks Ben about A, B, C: shows B"]
    found = oracle(*lines, table=replace(UNSIZED, hands=(0, 3)), shows="sticky")
    # Ben lacks C or D; three cards to choose from where he lacks D, two where he lacks C.
    assert found.deals == 2
    assert found.probability["C"]["envelope"] == Fraction(3, 5)


@pytest.mark.parametrize("before", [0b000, 0b001, 0b011])
def test_a_policy_has_a_chance_for_every_number_of_asked_cards_and_for_every_card(
    before: int,
) -> None:
    """Of three asked cards in the hand the first is shown; `before` were shown before."""
    third = (1 / 3,) * 3
    assert Random().chances(0b111, shown=0b1, before=before)[1:] == (1, 1 / 2, 1 / 3)
    assert Random().picks((0, 1, 2), before=before) == third
    usual = before.bit_count()
    expected = (1 / usual,) * 3 if usual else (1, 1 / 2, 1 / 3)
    assert Sticky().chances(0b111, shown=0b1, before=before)[1:] == expected
    assert Sticky().chances(0b111, shown=0b100, before=before)[1:] == (1, 1 / 2, 1 / 3)
    picks = tuple((before >> card & 1) / usual for card in range(3)) if usual else third
    assert Sticky().picks((0, 1, 2), before=before) == picks


@pytest.mark.parametrize(("viewer", "deals"), [("Ann", 2), ("Ben", 6), (None, 12)])
def test_each_reader_gets_only_their_share(viewer: str | None, deals: int) -> None:
    lines = ["Ann holds Pipe", "Ann suggests Plum, Rope: Ben shows Plum"]
    assert oracle(*lines, viewer=viewer).deals == deals


def test_passes_of_all_do_not_put_the_cards_into_the_envelope() -> None:
    found = oracle("Ann suggests Plum, Rope: nobody shows", viewer="Ben")
    assert found.verdicts["Plum"]["Ben"] == "lacks"
    assert found.verdicts["Plum"]["envelope"] == "open"


def test_what_nobody_reveals_may_lie_face_down() -> None:
    table = replace(UNSIZED, hands=(1, 1), slots=(Slot(name="Pool"),))
    half = Fraction(1, 2)
    row = oracle("nobody reveals A", table=table).probability["A"]
    assert row == {"Ann": 0, "Ben": 0, "Pool": half, "envelope": half}


def test_the_notch_is_one_draw_however_often_it_is_seen() -> None:
    both, one = ("Brains Plum", "Brawn Plum"), ("Brains Plum", "Brawn Rose")
    for lines in (["Ann peeks: Plum"], ["Ann peeks: Plum"] * 2):
        found = oracle(*lines, table=DICED)
        assert found.deals == 3 * 2
        assert (found.solutions[both], found.solutions[one]) == (Fraction(2, 4), Fraction(1, 4))
    unweighed = oracle("Ann peeks: Plum", table=DICED, shows="none")
    assert unweighed.solutions[both] == Fraction(1, 3)


def test_only_a_wrong_accusation_lets_the_notch_show_another_card() -> None:
    lines = ["Ann peeks: Plum", "Ben accuses Brains Plum, Brawn Rose: wrong", "Ann peeks: Rose"]
    assert oracle(*lines, table=DICED).solutions == {("Brains Rose", "Brawn Plum"): 1}
    assert oracle(lines[0], lines[2], table=DICED).deals == 0
    lines[1] = "Ben accuses Brains Rose, Brawn Rose: wrong"
    twice = oracle(*lines[:2], lines[0], table=replace(DICED, asks=ANY))
    assert twice.solutions["Brains Plum", "Brawn Plum"] == Fraction(4, 6)


@pytest.mark.parametrize(
    ("tells", "viewer", "deals"),
    [(True, "Ann", 2), (False, "Ann", 6), (False, "Ben", 2), (True, "Ben", 2), (True, None, 6)],
)
def test_a_card_looked_at_is_told_to_its_holder_only_where_the_edition_says_so(
    tells: bool, viewer: str | None, deals: int
) -> None:
    three = replace(edition("A, B, C"), looker_tells=tells)
    table = Table(edition=three, seats=("Ann", "Ben"), hands=(1, 1))
    assert oracle("Ben looks at Ann: A", table=table, viewer=viewer).deals == deals


@pytest.mark.parametrize(("viewer", "deals"), [("Ann", 6), ("Ben", 6), ("Cat", 24), (None, 24)])
def test_a_card_revealed_counts_for_those_who_see_it(viewer: str | None, deals: int) -> None:
    table = Table(edition=FOUR, seats=("Ann", "Ben", "Cat"), hands=(1, 1, 1))
    assert oracle("Ann reveals A to Ben", table=table, viewer=viewer).deals == deals
    assert oracle("Ann reveals A", table=table, viewer=viewer).deals == 6


def test_an_accusation_settles_the_envelope_or_rules_one_solution_out() -> None:
    assert oracle("Ben accuses Plum, Rope: right").deals == 3
    assert oracle("Ben accuses Plum, Rope: wrong").deals == 15


def test_what_was_learned_outside_the_rules_is_private() -> None:
    line = "Ann knows Ben has Plum or Green"
    assert oracle(line).deals == 12
    assert oracle(line, viewer="Ben").deals == 18
    assert oracle(line, "Ann knows Ben lacks Green").deals == 6
