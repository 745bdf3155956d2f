"""Whatever a search is allowed to cost, the answers are the same; hard logs cost little."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import reduce
from itertools import combinations
from operator import or_
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Game, load, parse_record
from clue_solver.errors import Contradiction, TooLarge
from clue_solver.inference import argument, deduction, explain, sat
from clue_solver.inference.argument import CertainFact
from clue_solver.inference.batch import evaluate
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.explain import HittingSets
from clue_solver.inference.openings import Openings
from clue_solver.inference.positions import Positions
from clue_solver.inference.sat import Solver
from clue_solver.inference.spending import OutOfBudget, limited, spend, spent
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.rules.table import ANY
from tests.arguing import random_knowledge
from tests.strategies import games

HARD = Path(__file__).parents[1] / "games" / "hard"

FACE_DOWN = """edition: clue-classic
players: Ann, Ben, Cat, Dan, Eve, Flo
face-down: Pool 2, Well 3
viewer: Ann

Ann holds Conservatory, Kitchen, Revolver
Eve suggests Scarlett, Wrench, Library: Flo shows
Ben suggests White, Rope, Lounge: Cat passes, Dan passes, Eve passes, Flo shows
"""


@contextmanager
def no_search() -> Iterator[None]:
    """Nothing may be searched for: all is counted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sat, "CONFLICTS", 0)
        patch.setattr(sat, "LEAST_CONFLICTS", 0)
        yield


@given(st.data(), games())
def test_counting_decides_what_a_search_may_not(data: st.DataObject, game: Game) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    line = data.draw(st.sampled_from(("has", "lacks")))
    card = data.draw(st.sampled_from(game.table.cards))
    holder = data.draw(st.sampled_from(game.table.holders))
    table = replace(game.table, shows="none", asks=ANY)
    supposed = game.suppose(f"{holder} {line} {card}").supposed
    known = knowledge_of(table, game.observations, viewer=viewer, supposed=supposed)
    entries = len(game.observations)

    def answer() -> tuple[list[int], int]:
        deduction = Deduction(known)
        try:
            return deduction.possible(entries), 0
        except Contradiction as clash:
            return [], len(clash.entries)

    searched = answer()
    with no_search():
        assert answer() == searched


@given(st.data(), games())
def test_a_deal_that_is_counted_fits(data: st.DataObject, game: Game) -> None:
    table = replace(game.table, shows="none", asks=ANY)
    known = knowledge_of(table, game.observations, viewer=table.viewer)
    chosen = data.draw(st.lists(st.integers(1, max(1, known.entries)), unique=True))
    entries = [number for number in chosen if number <= known.entries]
    with no_search():
        counting = Solver(known)
        deal = counting.model([counting.selector(number) for number in entries])
        fitting = counting.chosen([], range(1, known.entries + 1))
    assert deal is not None
    assert fitting is not None
    searching = Solver(known)
    placed = [searching.has(card, holder) for card, holder in enumerate(deal)]
    assert searching.model([*placed, *map(searching.selector, entries)]) == deal
    assert searching.model([searching.selector(number) for number in fitting]) is not None


def test_a_fresh_solver_counts_under_no_assumptions() -> None:
    known = loaded(FACE_DOWN).deduction.knowledge
    everyone = (1 << known.layout.holders) - 1
    assert Solver(known).possible_by_counting([]) == [everyone] * known.layout.cards
    with no_search():
        assert Solver(known).model([]) is not None


@given(st.data(), games())
def test_pooled_hands_count_as_hands_apart(data: st.DataObject, game: Game) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    table = replace(game.table, shows="random", asks=ANY)
    known = knowledge_of(table, game.observations, viewer=viewer)
    pooled = Deduction(known).diagram(known.entries)
    apart = Diagram(pooled.openings, separate=True)
    assert apart.count() == pooled.count()
    assert apart.log_weight == pytest.approx(pooled.log_weight)
    assert apart.marginals() == pytest.approx(pooled.marginals(), abs=1e-12)
    arrows, more = (sum(layer.after.size for layer in each.layers) for each in (pooled, apart))
    assert arrows <= more


def test_seats_that_nothing_tells_apart_are_one_hand() -> None:
    text = "edition: master-detective\nplayers: Ann, Ben, Cat, Dan, Eve, Flo, Gus, Hal, Ida, Jim\n"
    diagram = loaded(text).deduction.diagram(0)
    assert len(diagram.pools) == 2
    assert diagram.pools[0].holders == tuple(range(10))
    sizes = {2: 3, 3: 7}  # 27 cards among ten hands of 2 or 3
    deals = diagram.draw(50, np.random.default_rng(1))
    for deal in deals:
        held = np.bincount(deal, minlength=11)[:10].tolist()
        assert {size: held.count(size) for size in set(held)} == sizes


def loaded(text: str) -> Game:
    return Game(parse_record(text))


@given(st.lists(st.sets(st.integers(1, 6), min_size=1), min_size=1, max_size=6))
def test_hitting_sets_are_smallest(sets: list[set[int]]) -> None:
    found = HittingSets()
    for each in sets:
        found.hit(each)
        smallest = found.smallest(below=7)
    assert smallest is not None
    assert all(each & set(smallest) for each in sets)
    for fewer in combinations(range(1, 7), len(smallest) - 1):
        assert not all(each & set(fewer) for each in sets)
    assert found.smallest(below=len(smallest)) is None


@given(
    st.lists(st.tuples(st.integers(0, 31), st.integers(0, 2)), max_size=4),
    st.lists(st.integers(-1, 2), min_size=5, max_size=5),
)
def test_a_group_that_does_not_match_is_found_if_there_is_one(
    takers: list[tuple[int, int]], room: list[int]
) -> None:
    def lacks(group: Sequence[int]) -> bool:
        """Whether these takers want more than all places that they can take have room for."""
        places = reduce(or_, (takers[taker][0] for taker in group), 0)
        room_left = sum(max(room[place], 0) for place in card_numbers(places))
        return room_left < sum(takers[taker][1] for taker in group)

    found = argument.unmatched([want for _, want in takers], [can for can, _ in takers], room)
    everyone = range(len(takers))
    groups = [each for size in range(5) for each in combinations(everyone, size)]
    assert (found is not None) == any(map(lacks, groups))
    if found is not None:
        group = card_numbers(found[0])
        assert lacks(group)
        assert found[1] == reduce(or_, (takers[taker][0] for taker in group), 0)


def test_an_argument_of_too_many_cases_says_that_the_deals_were_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random, by_cases = Random("cases"), 0
    while by_cases < 3:
        known = random_knowledge(random, nest=True)
        every = range(1, known.entries + 1)
        for card, may in enumerate(Deduction(known).possible(known.entries)):
            if may & (may - 1) == 0:
                fact = CertainFact(card, may.bit_length() - 1, True)
                steps = argument.argue(known, every, fact)
                with monkeypatch.context() as patch:
                    patch.setattr(argument, "CASES", 0)
                    fewer = argument.argue(known, every, fact)
                if any(step.cases for step in steps):
                    by_cases += 1
                    assert [step.rule for step in fewer] == ["counted"]


def test_a_reason_that_could_not_be_proved_smallest_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(explain, "WORK", 0)
    reason = loaded(FACE_DOWN).why("Lounge", "Cat")
    assert not reason.minimum


def test_a_batch_refuses_a_position_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    known = loaded(FACE_DOWN).deduction.knowledge
    asked = Positions.beginnings([(known, (0, 3))])
    found = evaluate(asked, fast=False)
    assert found.refused == {}

    def built(openings: Openings, *, memory: int) -> Diagram:
        if openings.cards == most:
            raise TooLarge("too much is open")
        return Diagram(openings, memory=memory)

    most = Deduction(asked.knowledge(0)).diagram(0).openings.cards
    monkeypatch.setattr(deduction, "Diagram", built)
    again = evaluate(asked, fast=False)
    assert again.refused == {0: "too much is open"}
    assert np.isnan(again.marginals[0]).all()
    assert found.verdicts.tolist() == again.verdicts.tolist()
    assert found.bits[1] == again.bits[1]


@pytest.mark.skipif(os.name != "posix", reason="interrupts a process")
def test_an_interrupt_ends_a_search_at_once_is_pythons_own_and_the_solver_goes_on() -> None:
    solver = load(HARD / "passes-10-twenty-one.clue").seen(viewer="spectator").deduction.solver
    entries = solver.selectors(7)
    before = signal.getsignal(signal.SIGINT)
    late = ["sh", "-c", f"sleep 0.2; kill -INT {os.getpid()}"]

    def search_on() -> None:
        while True:  # far more cards than a few hands hold
            with suppress(sat.Undecided):
                solver.search(entries)

    gc.disable()  # it calls Hypothesis, which swallows an interrupt
    try:
        with subprocess.Popen(late), pytest.raises(KeyboardInterrupt):
            search_on()
    finally:
        gc.enable()
    assert signal.getsignal(signal.SIGINT) is before
    assert solver.search([solver.has(0, 0)])


def test_a_block_may_cost_so_much_and_an_inner_one_no_more_than_the_outer() -> None:
    before = spent()
    with limited(10):
        spend(10)
        with pytest.raises(OutOfBudget), limited(100):
            spend(1)
    spend(1_000)
    assert spent() - before == 1_011


def test_the_same_game_costs_the_same_whatever_was_asked_before() -> None:
    costs = []
    for _ in range(2):
        before = spent()
        load("examples/evening.clue").review(sample=100)
        costs.append(spent() - before)
    assert costs[0] == costs[1] > 0
