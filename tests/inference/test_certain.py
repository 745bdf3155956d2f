"""What is certain is the same whoever proves it, and every fact that is forced has an argument."""

from __future__ import annotations

from io import StringIO
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pysat.solvers import Solver
from rich.console import Console

from clue_solver import Game, Session, parse_record
from clue_solver.errors import Contradiction
from clue_solver.faces.line_input import LineInput
from clue_solver.faces.plain import Plain
from clue_solver.inference.argument import CertainFact, argue
from clue_solver.inference.cnf import formula
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.clauses import Clause, Layout
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from tests.arguing import Checker, check_arguments, random_knowledge
from tests.strategies import games
from tests.twin import all_deals, fits


def check_marks(random: Random, positions: int) -> None:
    """Hold the marks of random positions against each other, as of each half of their entries."""
    for _ in range(positions):
        large, nest = random.random() < 0.2, random.random() < 0.5
        known = random_knowledge(random, large=large, nest=nest)
        for upto in (known.entries // 2, known.entries):
            searched, counted = Deduction(known), Deduction(known.upto(upto))
            counted.diagram(upto)
            assert counted.possible(upto) == searched.possible(upto)
            marginals = counted.diagram(upto).marginals()
            for may, chances in zip(counted.possible(upto), marginals.tolist(), strict=True):
                assert [chance > 0.0 for chance in chances] == [
                    bool(may >> holder & 1) for holder in range(known.layout.holders)
                ]
                assert (1.0 in chances) == (may & (may - 1) == 0)
        # what an earlier entry leaves open is found between propagation and what a later one shows
        assert counted.possible(0) == Deduction(known).possible(0)
        later = Deduction(known)
        later.diagram(known.entries)
        for upto in range(known.entries, -1, -1):
            assert later.possible(upto) == Deduction(known).possible(upto)


def test_the_diagram_marks_what_the_solver_proves() -> None:
    check_marks(Random("marks"), 60)


@given(st.data(), games())
def test_what_cannot_be_is_said_by_clauses_whatever_is_weighed(
    data: st.DataObject, game: Game
) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    known = knowledge_of(game.table, game.observations, viewer=viewer)
    for entry, holder, cards, tables, behaviour in known.factors:
        if any(0.0 in table for table in tables):
            assert not behaviour
            assert all(0.0 not in table[1:] for table in tables)
            assert Clause((entry,), holder, cards, True) in known.clauses


@pytest.mark.parametrize("asked", ["diagram", "possible"])
def test_a_contradiction_is_one_whoever_finds_it(asked: str) -> None:
    random, found = Random("contradictions"), 0
    while found < 30:
        first, second = (random_knowledge(random, nest=True) for _ in range(2))
        every, holders = first.layout.everything, first.layout.holders
        other = [each._replace(cards=each.cards & every, entries=(1,)) for each in second.clauses]
        added = tuple(each for each in other if each.cards and each.holder < holders)
        deduction = Deduction(replace(first, clauses=added + first.clauses))
        if not deduction.consistent(first.entries):
            found += 1
            with pytest.raises(Contradiction) as clash:
                getattr(deduction, asked)(first.entries)
            assert clash.value.entries


def test_what_is_open_is_never_called_certain_however_likely() -> None:
    """Who asks ten times for Green hardly has it, and only Ben could: one chance in 10 ** 20."""
    text = "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\nasks: careful 0.01\n\n"
    text += "Ann holds Scarlett, Plum, Knife, Wrench, Library, Lounge\n"
    text += "Ann knows envelope has Green or White\nAnn knows envelope has Hall\n"
    text += "Ann knows envelope has Rope\nAnn knows Cat lacks Green\n"
    text += "Ben suggests Green, Candlestick, Study: ?\n" * 10
    game = Game(parse_record(text))
    report = game.report()
    assert report.verdict("Green", "envelope") == "open"
    chance = report.probability("Green", "envelope")
    assert 0.999999 < chance < 1.0
    assert 0.999999 < report.to_dict()["solutions"][0]["probability"] < 1.0
    advice = game.advice()
    assert advice.accuse.probability == pytest.approx(1.0)
    assert not advice.certain
    assert "certain." not in f"{advice.text} {advice}".replace("almost certain.", "")
    said = StringIO()
    Plain(Session(game.record), Console(file=said), LineInput(StringIO("ben skips\n"))).run()
    assert "likeliest: >99% Green, Rope, Hall" in said.getvalue()
    assert "100%" not in f"{advice}{report}{said.getvalue()}"


def test_a_card_that_is_only_likely_is_never_said_to_be_in_the_envelope() -> None:
    lines = "Ann holds Scarlett, Plum, Knife, Wrench, Library, Lounge\n"
    lines += "Ann knows envelope has Green or White\nAnn knows envelope has Hall\n"
    lines += "Ann knows Cat lacks Green\n" + "Ben suggests Green, Rope, Study: ?\n" * 10
    head = "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\nasks: careful 0.01\n\n"
    advice = Game(parse_record(head + lines)).advice(quick=True)
    assert advice.by_sheet["Green"] > 0.999999999
    assert "Hall is in the envelope. Green and the Rope are your best bets" in advice.text


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


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("nest", [False, True], ids=["as told", "cases within cases"])
def test_every_forced_fact_has_an_argument(large: bool, nest: bool) -> None:
    random = Random(f"{large} {nest}")
    facts = 0
    while facts < (30 if large else 600):
        facts += len(check_arguments(random_knowledge(random, large=large, nest=nest)))


def test_a_case_that_fails_by_itself_refutes_what_is_around_it() -> None:
    """Nine cards, three hands of two: supposing Plum elsewhere plays no part in one case."""
    layout = Layout(
        cards=9,
        seats=3,
        categories=(0b000000111, 0b000011000, 0b111100000),
        bounds=((2, 2),) * 3,
    )
    lacks = [Clause((1,), 0, 1 << card, False) for card in (0, 5, 6, 8)]
    told = (*lacks, Clause((2,), 1, 0b000011010, True), Clause((3,), 2, 0b000010100, True))
    knowledge = Knowledge(layout=layout, entries=3, clauses=told, factors=())
    fact = CertainFact(card=0, holder=layout.envelope, has=True)
    steps = argue(knowledge, (1, 2, 3), fact)
    assert steps[-1].fact == fact
    Checker(knowledge).check(steps)


def test_hand_sizes_that_do_not_go_together_are_counted() -> None:
    """Ann and Ben may each hold one or two of three cards, and not both two."""
    layout = Layout(
        cards=4, seats=2, categories=(0b1111,), bounds=((1, 2),) * 2, joint_sizes=((2, 1), (1, 2))
    )
    told = tuple(Clause((1,), holder, 1 << card, True) for card, holder in enumerate((0, 0, 1, 1)))
    knowledge = Knowledge(layout=layout, entries=1, clauses=told, factors=())
    (step,) = argue(knowledge, (1,), None)[-1:]
    assert step.fact is None
    Checker(knowledge).check(argue(knowledge, (1,), None))
