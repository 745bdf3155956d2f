"""Formulas beside the list of all deals: as many models, the same deals, the same weights."""

from __future__ import annotations

import sys
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from pysat.solvers import Solver

from clue_solver import Game
from clue_solver.inference.cnf import Formula, formula
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.rules.table import ANY, SHOWS, Asks, Shows
from tests.strategies import games

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from naive import listing


def models(found: Formula) -> list[set[int]]:
    """Every model over all the variables, as the set of those that are true."""
    everything = [(number, -number) for number in range(1, found.variables + 1)]
    with Solver("minisat22", bootstrap_with=[*found.clauses, *everything]) as solver:
        return [{literal for literal in model if literal > 0} for model in solver.enum_models()]


@settings(max_examples=30)
@given(st.data(), games(), st.sampled_from(SHOWS))
def test_models_are_deals_one_to_one_and_weigh_the_same(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    asks = data.draw(st.sampled_from((ANY, (Asks(model="careful", level=0.3),))))
    table = replace(game.table, shows=shows, asks=asks)
    knowledge = knowledge_of(table, game.observations, viewer=viewer)
    every = listing(knowledge)
    found = formula(knowledge)
    weight_of: dict[tuple[int, ...], float] = {}
    counted = 0
    for model in models(found):
        placed = sorted(found.place(variable) for variable in model if variable <= found.cards)
        assert list(range(knowledge.layout.cards)) == [card for card, _ in placed]
        likely = prod(value for variable, value in found.weights.items() if variable in model)
        weight_of[tuple(holder for _, holder in placed)] = likely * found.scale
        counted += 1
    assert len(every.deals) == counted == len(weight_of)
    for deal, weight in zip(every.deals.tolist(), every.weight.tolist(), strict=True):
        assert weight == pytest.approx(weight_of[tuple(deal)], rel=1e-12)
    # every clause belongs to the deal or to one entry, and only these variables stand in them
    spans = [found.deal, found.supposed, *found.entries]
    assert [place for span in spans for place in span] == [*range(len(found.clauses))]
    assert len(found.entries) == len(found.weighed) == len(game.observations)
    assert {variable for each in found.weighed for variable in each} == set(found.weights)
    used = {abs(literal) for clause in found.clauses for literal in clause}
    assert used <= set(range(1, found.variables + 1))
