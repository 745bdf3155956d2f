"""Every fact that is forced has an argument, of which each step follows from what it cites."""

from __future__ import annotations

from random import Random

import pytest

from clue_solver.inference.argument import argue
from clue_solver.inference.explain import CertainFact
from clue_solver.knowledge.clauses import Clause, Layout
from clue_solver.knowledge.viewer import Knowledge
from tests.arguing import Checker, check_arguments, random_knowledge


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
        cards=4, seats=2, categories=(0b1111,), bounds=((1, 2),) * 2, dealt=((2, 1), (1, 2))
    )
    told = tuple(Clause((1,), holder, 1 << card, True) for card, holder in enumerate((0, 0, 1, 1)))
    knowledge = Knowledge(layout=layout, entries=1, clauses=told, factors=())
    (step,) = argue(knowledge, (1,), None)[-1:]
    assert step.fact is None
    Checker(knowledge).check(argue(knowledge, (1,), None))
