"""Numbers of deals, held against multinomials in whole numbers."""

from __future__ import annotations

from itertools import combinations
from math import factorial, prod

import numpy as np
import pytest

from clue_solver import Game, Table, load_edition
from clue_solver.inference.batch import evaluate
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.gains import group_alike
from clue_solver.inference.positions import AT_LEAST_ONE, Positions
from clue_solver.knowledge.clauses import Layout
from clue_solver.record import Record
from clue_solver.rules.edition import MOST_CARDS, Edition
from clue_solver.rules.edition_files import parse_edition

SEATS = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jim")
CLASSIC, MASTER = load_edition("clue-classic"), load_edition("master-detective")
KINDS = {"suspect": MOST_CARDS // 3, "weapon": MOST_CARDS // 3, "room": -(-MOST_CARDS // 3)}
LARGEST = parse_edition(
    'title = "Largest"\n'
    + "".join(
        f'[[category]]\nname = "{kind}"\n'
        + "".join(f'[[category.cards]]\nname = "{kind} {n}"\n' for n in range(size))
        for kind, size in KINDS.items()
    ),
    name="largest.toml",
)


def game(edition: Edition, seats: int, hands: tuple[int | None, ...] = ()) -> Game:
    return Game(Record(table=Table(edition=edition, seats=SEATS[:seats], hands=hands)))


def multinomial(sizes: tuple[int, ...]) -> int:
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


def solutions(game: Game) -> int:
    return prod(len(kind.cards) for kind in game.table.edition.category)


@pytest.mark.parametrize(
    ("edition", "hands", "bits"),
    [
        (CLASSIC, (6, 6, 6), range(53)),
        (CLASSIC, (3, 3, 3, 3, 3, 3), range(46, 54)),
        (MASTER, (9, 9, 9), range(46, 54)),
        (MASTER, (5, 5, 5, 4, 4, 4), range(54, 106)),  # no float holds it exactly
        (MASTER, (3, 3, 3, 3, 3, 3, 3, 2, 2, 2), range(64, 106)),  # nor 64 bits
        (LARGEST, (4, 4, 4, 4, 4, 4, 4, 3, 3, 3), range(106, 200)),  # nor both together
    ],
)
def test_every_deal_is_counted_exactly(
    edition: Edition, hands: tuple[int, ...], bits: range
) -> None:
    played = game(edition, len(hands), hands)
    diagram = played.seen(viewer=None).deduction.diagram(0)
    expected = solutions(played) * multinomial(hands)
    assert expected.bit_length() in bits
    assert diagram.count() == expected
    if len(hands) < 8:  # read one by one, more hands take too much memory
        assert diagram.unpooled.count() == expected


@pytest.mark.parametrize(("edition", "seats"), [(CLASSIC, 4), (MASTER, 5), (LARGEST, 10)])
def test_hands_of_unknown_sizes_are_pooled_and_counted(edition: Edition, seats: int) -> None:
    played = game(edition, seats)
    size, more = divmod(played.table.dealt, seats)
    assert more
    ways = sum(
        multinomial(tuple(size + (seat in larger) for seat in range(seats)))
        for larger in combinations(range(seats), more)
    )
    diagram = played.seen(viewer=None).deduction.diagram(0)
    assert len(diagram.pools) == 2
    assert solutions(played) * ways == diagram.count()
    if seats < 8:
        assert diagram.count() == diagram.unpooled.count()
        assert diagram.unpooled.marginals() == pytest.approx(diagram.marginals())


def test_a_rule_of_the_first_cards_counts_like_any_other() -> None:
    """A seat with one of the first two cards: all deals without those in which it has neither."""
    layout = Layout(cards=6, seats=2, categories=(0b111111,), bounds=((3, 3), (2, 2)))
    rule = Positions(layout, 1)
    rule.add_row(0, AT_LEAST_ONE, holder=0, cards=0b11)
    assert evaluate(rule, fast=False).deals == [60 - 4 * 3]


def test_where_sizes_are_unknown_the_smallest_is_still_held() -> None:
    """Two, two and three cards are dealt: who has none of the other six has the last two."""
    layout = Layout(cards=8, seats=3, categories=(0b11111111,), bounds=((2, 3),) * 3)
    rule = Positions(layout, 1)
    rule.may[0, 1] = 0b11000000
    assert Deduction(rule.knowledge(0)).possible(1)[6:] == [0b10, 0b10]


def test_solutions_of_ten_categories_are_told_apart() -> None:
    """Forty cards: a number for each choice would not fit a machine's word."""
    rng = np.random.default_rng(1)
    solutions = rng.integers(0, 4, (500, 10)) + 4 * np.arange(10)
    for kind in (np.arange(40), np.arange(40) // 2):
        group, size = group_alike(kind, solutions)
        rows = kind[solutions]
        assert ((group[:, None] == group) == (rows[:, None] == rows).all(axis=2)).all()
        assert (size[group] == (group[:, None] == group).sum(axis=0)).all()
