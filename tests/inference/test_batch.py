"""Many positions in one call, where nothing is compiled; in machine code: tests/deep."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import ArgumentError, Game
from clue_solver.inference.batch import Evaluations, evaluate
from clue_solver.inference.positions import Positions
from clue_solver.knowledge.clauses import Layout
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from clue_solver.record import Record
from clue_solver.rules.table import ANY, Shows
from tests.strategies import games
from tests.twin import answers

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LAYOUT = Layout(
    cards=9, seats=3, categories=(0b111, 0b111000, 0b111000000), bounds=((2, 2), (2, 2), (2, 2))
)


def same(one: Evaluations, other: Evaluations) -> None:
    assert one.consistent.tolist() == other.consistent.tolist()
    assert one.verdicts.tolist() == other.verdicts.tolist()
    assert one.deals.tolist() == other.deals.tolist()
    for name in ("marginals", "solutions", "bits"):
        expected = pytest.approx(getattr(other, name), rel=1e-10, abs=1e-12, nan_ok=True)
        assert getattr(one, name) == expected


def ends(known: list[Knowledge]) -> Positions:
    """All of what was known."""
    return Positions.beginnings([(whole, (whole.entries,)) for whole in known])


def known(
    record: Record, viewer: str | None, *upto: int | None, shows: Shows = "random"
) -> Positions:
    """What a viewer knows after these entries, or after all."""
    table = replace(record.table, shows=shows, asks=ANY)
    logs = [record.observations[:each] for each in upto or (None,)]
    return ends([knowledge_of(table, log, viewer=viewer) for log in logs])


def moments(game: Game, *upto: int, asks: str | None = None) -> Positions:
    """What the viewer of a game knows after these entries."""
    return Positions.beginnings([(game.seen(asks=asks).deduction.knowledge, upto)])


@given(st.data(), games())
def test_it_says_what_listing_all_deals_says(data: st.DataObject, game: Game) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    table = replace(game.table, shows="random", asks=ANY)
    knowledge = knowledge_of(table, game.observations, viewer=viewer)
    oracle = answers(game.observations, table, viewer)
    found = evaluate(ends([knowledge]), fast=False)
    assert found.deals.tolist() == [oracle.deals]
    cells = [[float(chance) for chance in row.values()] for row in oracle.probability.values()]
    assert found.marginals[0] == pytest.approx(np.array(cells), abs=1e-9)
    marks = ["open", "holds", "lacks"]
    verdicts = [[marks.index(each) for each in row.values()] for row in oracle.verdicts.values()]
    assert found.verdicts[0].tolist() == verdicts
    posterior = [float(chance) for chance in oracle.solutions.values()]
    assert found.bits[0] == pytest.approx(-np.dot(posterior, np.log2(posterior)), abs=1e-9)


def test_positions_of_two_tables_do_not_go_together() -> None:
    with pytest.raises(ArgumentError, match="one table"):
        Positions.beginnings([])


def test_rows_find_room() -> None:
    asked = Positions(LAYOUT, 2)
    for card in range(9):
        for _ in range(5):
            asked.add_row(1, 0, holder=0, cards=0b111111111 ^ 1 << card)
    assert asked.used.tolist() == [0, 45]
    assert evaluate(asked, fast=False).deals.tolist() == [2430, 2430]


def test_only_those_asked_for_are_evaluated() -> None:
    found = evaluate(Positions(LAYOUT, 3), which=[1], fast=False)
    assert np.isfinite(found.bits).tolist() == [False, True, False]
