"""
Numbers of deals, held against multinomials in whole numbers.

Games small enough for paper: the twin, and the program, say what the paper says.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import factorial, prod
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from clue_solver import Game, load_edition
from clue_solver.inference.batch import evaluate
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.gains import group_alike
from clue_solver.inference.positions import Positions
from clue_solver.knowledge.clauses import Clause, Layout
from clue_solver.knowledge.policies import RandomShows, StickyShows
from clue_solver.notation.reader import parse_line
from clue_solver.record.contents import Record
from clue_solver.record.header import with_key
from clue_solver.rules.edition import MOST_CARDS, Edition
from clue_solver.rules.edition_files import parse_edition
from clue_solver.rules.table import SHOWS, Shows, Table
from tests import twin
from tests.rows import blocks

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
    rule.learn(0, [Clause((1,), 0, 0b11, True)], [])
    assert evaluate(rule, fast=False).deals == [60 - 4 * 3]


def test_where_sizes_are_unknown_the_smallest_is_still_held() -> None:
    """Two, two and three cards are dealt: who has none of the other six has the last two."""
    layout = Layout(cards=8, seats=3, categories=(0b11111111,), bounds=((2, 3),) * 3)
    rule = Positions(layout, 1)
    rule.learn(0, [Clause((1,), 1, 1 << card, False) for card in range(6)], [])
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


GAMES = blocks(Path(__file__).with_name("paper.txt"))
"""
Tables (`@`), with their cards by category, what is told at them (`.`), and what somebody then knows
(`=`), by a policy of showing: how many deals there are, and exact chances.
"""


def edition(kinds: str) -> Edition:
    """Cards by category; where their first words repeat, each shows the feature of its last."""
    text = 'title = "T"\n'
    for number, names in enumerate(kinds.split(" | ")):
        text += f'[[category]]\nname = "kind {number}"\n'
        for name in names.split(", "):
            text += f'[[category.cards]]\nname = "{name}"\n'
            text += f'feature = "{name.split()[-1]}"\n' if " " in name else ""
    return parse_edition(text, name="paper.toml")


def oracle(record: Record, viewer: str, shows: Shows) -> twin.Oracle:
    """Return the twin's answers to what is told, which are the program's as well."""
    eyes = None if viewer == "spectator" else viewer
    found = twin.answers(record.observations, record.table, eyes, shows)
    report = Game(record).report(viewer=viewer, shows=shows)
    assert report.deals == found.deals
    exact = {cards: pytest.approx(float(chance)) for cards, chance in found.solutions.items()}
    assert dict(report.solutions) == exact
    for card, row in found.probability.items():
        chances = {holder: report.probability(card, holder) for holder in row}
        assert chances == pytest.approx({holder: float(chance) for holder, chance in row.items()})
    return found


def known(record: Record, said: str) -> Iterator[str]:
    """Yield what somebody knows, each part of it as it is true."""
    who, _, told = said.partition(": ")
    viewer, _, shows = who.partition(", ")
    policy: Shows = next((each for each in SHOWS if each == shows), "random")
    found = oracle(record, viewer, policy)
    yield f"{who}: {found.deals} deals"
    for fact in told.split("; ")[1:]:
        claim = fact.rpartition(" ")[0]
        holder, _, card = claim.partition(" has ")
        solution = tuple(claim.removeprefix("it is ").split(", "))
        chance = found.probability[card][holder] if card else found.solutions.get(solution, 0)
        yield f"{claim} {chance}"


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_twin_and_program_say_what_the_paper_says(text: str) -> None:
    record, true = None, []
    for line in text.splitlines():
        mark, said = line[:1], line[2:]
        key, _, value = said.partition(":")
        if key == "cards":
            record = Record(table=Table(edition=edition(value.strip()), seats=("Ann", "Ben")))
        assert record is not None
        table = record.table
        if key == "looker tells":
            table = replace(table, edition=replace(table.edition, looker_tells=True))
        elif key == "players":
            table = replace(table, seats=tuple(value.strip().split(", ")))
        elif mark == "@" and key != "cards":
            table = with_key(table, key, value.strip())
        record = replace(record, table=table)
        if mark == ".":
            record = record.append(parse_line(said, table))
        true.append(f"= {'; '.join(known(record, said))}" if mark == "=" else line)
    assert true == text.splitlines()


@pytest.mark.parametrize("before", [0b000, 0b001, 0b011])
def test_a_policy_has_a_chance_for_every_number_of_asked_cards_and_for_every_card(
    before: int,
) -> None:
    """Of three asked cards in the hand the first is shown; `before` were shown before."""
    third = (1 / 3,) * 3
    assert RandomShows().chances(0b111, shown=0b1, before=before)[1:] == (1, 1 / 2, 1 / 3)
    assert RandomShows().picks((0, 1, 2), before=before) == third
    usual = before.bit_count()
    expected = (1 / usual,) * 3 if usual else (1, 1 / 2, 1 / 3)
    assert StickyShows().chances(0b111, shown=0b1, before=before)[1:] == expected
    assert StickyShows().chances(0b111, shown=0b100, before=before)[1:] == (1, 1 / 2, 1 / 3)
    picks = tuple((before >> card & 1) / usual for card in range(3)) if usual else third
    assert StickyShows().picks((0, 1, 2), before=before) == picks
