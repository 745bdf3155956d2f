"""Formulas beside the list of all deals: as many models, the same deals."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

from clue_solver import Game
from clue_solver.inference.cnf import formula
from clue_solver.knowledge.viewer import knowledge_of
from tests.strategies import games
from tests.twin import all_deals, fits


@given(st.data(), games())
def test_models_are_deals_one_to_one(data: st.DataObject, game: Game) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    knowledge = knowledge_of(game.table, game.observations, viewer=viewer)
    layout, (found, pool) = knowledge.layout, formula(knowledge)
    cells = layout.cards * layout.holders
    deals = []
    with Solver("minisat22", bootstrap_with=found.clauses) as solver:
        for model in solver.enum_models():
            placed = sorted(pool.obj(each) for each in model if 0 < each <= cells)
            assert [card for card, _ in placed] == [*range(layout.cards)]
            deals.append([holder for _, holder in placed])
    every = [
        deal for deal in all_deals(game.table) if fits(deal, game.observations, game.table, viewer)
    ]
    holders = game.table.holders
    assert sorted(deals) == sorted(
        [holders.index(deal[card]) for card in game.table.cards] for deal in every
    )
    # only these variables stand in the clauses, so nothing is left free
    assert {abs(each) for clause in found.clauses for each in clause} == {*range(1, pool.top + 1)}
