"""
Arguments put to the test: random tables in numbers, and a checker that knows no rules.

Tables have a hidden deal, and each entry tells some clauses that are true of it. Those made to
`nest` tell hardly anything but either-ors, so that many facts take cases within cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random

from pysat.solvers import Solver

from clue_solver.inference.argument import CertainFact, Step, argue
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.explain import smallest_conflict
from clue_solver.knowledge.clauses import Clause, Layout, card_numbers
from clue_solver.knowledge.viewer import Knowledge


def random_knowledge(random: Random, *, large: bool = False, nest: bool = False) -> Knowledge:
    """Draw a table of 4 to 11 cards, or 12 to 20, and what a log tells that is true of one deal."""
    layout, deal = _random_deal(random, large=large)
    entries = random.randint(6, 16) if nest else random.randint(2, 14 if large else 8)
    widest = random.choice((2, 3, 3, 4))
    single = 0.0 if nest else random.choice((0.0, 0.1, 0.4))
    clauses: list[Clause] = []
    for entry in range(1, entries + 1):
        for _ in range(random.choice((1, 1, 2))):
            size = 1 if random.random() < single else random.randint(2, widest)
            cards = random.sample(range(layout.cards), min(size, layout.cards))
            holder, has = random.randrange(layout.holders), random.random() < 0.65
            if any((deal[card] == holder) == has for card in cards):
                clauses.append(Clause((entry,), holder, sum(1 << card for card in cards), has))
        if random.random() < (0.15 if nest else 0.4):
            holder = random.randrange(layout.holders)
            for card in random.sample(range(layout.cards), max(1, layout.cards // 3)):
                if deal[card] != holder:
                    clauses.append(Clause((entry,), holder, 1 << card, False))
    return Knowledge(layout=layout, entries=entries, clauses=tuple(clauses), factors=())


def _random_deal(random: Random, *, large: bool) -> tuple[Layout, list[int]]:
    """Draw a table and the holder of each of its cards."""
    fewest, most, widest = (12, 20, 9) if large else (4, 11, 5)
    while True:
        kinds = [random.randint(1, widest) for _ in range(random.randint(1, 4))]
        cards, seats = sum(kinds), random.randint(2, 4)
        dealt = cards - len(kinds)
        if fewest <= cards <= most and dealt >= seats:
            break
    starts = [sum(kinds[:place]) for place in range(len(kinds))]
    categories = [(1 << size) - 1 << start for size, start in zip(kinds, starts, strict=True)]
    in_envelope = [random.choice(card_numbers(category)) for category in categories]

    # hands as even as can be, or any; their sizes known, about known, or as dealing gives them
    low, more = divmod(dealt, seats)
    sizes = [low + (seat < more) for seat in range(seats)]
    told = random.choice(("known", "known", "about", "dealt" if more else "known"))
    if told != "dealt" and random.random() < 0.5:
        cuts = [0, *sorted(random.sample(range(1, dealt), seats - 1)), dealt]
        sizes = [stop - start for start, stop in pairwise(cuts)]
    bounds = [(size, size) for size in sizes]
    rotations: list[tuple[int, ...]] = []
    if told == "about":
        slack = [(random.randint(0, 1), random.randint(0, 1)) for _ in sizes]
        bounds = [(n - less, n + more) for n, (less, more) in zip(sizes, slack, strict=True)]
    elif told == "dealt":
        bounds = [(low, low + 1)] * seats
        rotations = [tuple(sizes[turn:] + sizes[:turn]) for turn in range(seats)]
    layout = Layout(
        cards=cards,
        seats=seats,
        categories=tuple(categories),
        bounds=tuple(bounds),
        joint_sizes=tuple(rotations),
    )

    held = [seat for seat, size in enumerate(sizes) for _ in range(size)]
    random.shuffle(held)
    deal = [layout.envelope if card in in_envelope else held.pop() for card in range(cards)]
    return layout, deal


class Checker:
    """Says whether each step of an argument follows from what it cites, by python-sat."""

    def __init__(self, knowledge: Knowledge) -> None:
        layout = self.layout = knowledge.layout
        places = layout.cards * layout.holders
        self.entry = {entry: places + entry for entry in range(1, knowledge.entries + 1)}
        dealt = [tuple((size, size) for size in sizes) for sizes in layout.joint_sizes]
        self.solvers = [self._solver(knowledge, bounds) for bounds in dealt or [layout.bounds]]

    def _solver(self, knowledge: Knowledge, bounds: Sequence[tuple[int, int]]) -> Solver:
        """Return what knows all deals with hands of these sizes."""
        layout, solver = self.layout, Solver(name="minicard")
        one_of = [
            [self._has(card, h) for h in range(layout.holders)] for card in range(layout.cards)
        ]
        for category in layout.categories:
            one_of.append([self._has(card, layout.envelope) for card in card_numbers(category)])
        for literals in one_of:
            solver.add_clause(literals)
            solver.add_atmost(literals, 1)
        for holder, (least, most) in enumerate(bounds):
            hand = [self._has(card, holder) for card in range(layout.cards)]
            solver.add_atmost(hand, most)
            solver.add_atmost([-literal for literal in hand], len(hand) - least)
        for clause in knowledge.clauses:
            sign = 1 if clause.has else -1
            ways = [sign * self._has(card, clause.holder) for card in card_numbers(clause.cards)]
            solver.add_clause([*(-self.entry[entry] for entry in clause.entries), *ways])
        return solver

    def check(self, steps: Sequence[Step], known: Iterable[Step] = (), depth: int = 0) -> int:
        """Refuse steps that do not follow from those before; return how deep their cases nest."""
        deepest, before = depth, set(known)
        for place, step in enumerate(steps):
            assert before.issuperset(step.uses)
            uses = [self._literal(used.fact) for used in step.uses if used.fact]
            assert len(uses) == len(step.uses)
            if step.rule == "supposed":
                assert (depth > 0, place) == (True, 0)
            else:
                assert self._follows(step.fact, [*uses, *(self.entry[e] for e in step.entries)])
            for case in step.cases:
                assert case[0].rule == "supposed"
                assert [each for each in case if each.fact is None] == [case[-1]]
                deepest = max(deepest, self.check(case, before, depth + 1))
            if step.cases:  # there are no other cases
                none = [-self._literal(case[0].fact) for case in step.cases if case[0].fact]
                assert self._follows(step.fact, [*uses, *none])
            before.add(step)
        return deepest

    def _follows(self, fact: CertainFact | None, assumed: list[int]) -> bool:
        """Return whether a fact, or that something cannot be, is so in all deals."""
        against = [] if fact is None else [-self._literal(fact)]
        assumed = [*assumed, *against]
        return not any(solver.solve(assumptions=assumed) for solver in self.solvers)

    def _has(self, card: int, holder: int) -> int:
        return card * self.layout.holders + holder + 1

    def _literal(self, fact: CertainFact) -> int:
        return self._has(fact.card, fact.holder) * (1 if fact.has else -1)


def check_arguments(knowledge: Knowledge) -> list[int]:
    """Refuse arguments that do not prove a fact that is forced; return how deep each one nests."""
    deduction, checker = Deduction(knowledge), Checker(knowledge)
    depths = []
    for card, may in enumerate(deduction.possible(knowledge.entries)):
        for holder in range(knowledge.layout.holders):
            if may >> holder & 1 and may & (may - 1):
                continue
            fact = CertainFact(card, holder, bool(may >> holder & 1))
            literal = deduction.solver.has(card, holder)
            entries, _ = smallest_conflict(
                deduction.solver,
                range(1, knowledge.entries + 1),
                [-literal if fact.has else literal],
            )
            steps = argue(knowledge, entries, fact)
            assert steps[-1].fact == fact
            assert {entry for step in steps for entry in step.entries}.issubset(entries)
            depths.append(checker.check(steps))
    return depths
