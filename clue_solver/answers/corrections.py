"""
Which changes make a contradictory log consistent, and how likely each was meant.

A correction is one change to one entry, or to the hand sizes, after which some deal fits. Those
that fit are weighed by Bayes. The prior is how common the kind of slip is, shared out evenly over
the entries where it can be made, times the chance that who means the corrected line writes what was
written. The likelihood is that of the corrected log: how well it keeps to the order of turns and to
what the writer could see, and what would then have been seen, summed over all deals, as a share of
all deals of the table.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, product
from math import exp, factorial, lgamma, log, prod
from typing import ClassVar, NamedTuple, TypeGuard

from msgspec.structs import asdict, replace

from clue_solver.answers.display import AnswerValue, ShownValue, Written
from clue_solver.answers.reasons import ReasonStep
from clue_solver.answers.slips import COMMON, chance, lines_meant, slips
from clue_solver.answers.turns import OddTurn
from clue_solver.errors import SetupError, TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.explain import smallest_conflict
from clue_solver.inference.rounding import sort_key
from clue_solver.inference.spending import limited, spent
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation import TurnState, format_line
from clue_solver.rules import observations as observed
from clue_solver.rules.table import SPECTATOR, Table

SELDOM = (0.5, 9.5)
"""
The beta prior of how often a writer leaves out a turn, or who saw a card: one line in twenty, and
what the rest of the log has of it counts.
"""

OWN_HAND = 10.0
"""
How many times less likely another correction may be and still stand before one of the viewer's own
hand, which lies before its eyes.
"""

MOST = 20
"""How many corrections are listed at most."""

WORK, ROOM = 160_000_000, 200_000_000
"""What weighing may cost, as in `spending`, and bytes that one deal diagram may take."""

SEARCH = 250_000_000
"""What searching for changes that help may cost, as in `spending`; then those found must do."""

_MOST_WEIGHED = 150
"""How many corrections are weighed at most, the most common slips first."""

_MOST_TRIED = 1_500
"""How many changes of the same entries are tried at most."""


class CorrectedLine(AnswerValue, frozen=True, kw_only=True):
    """
    One changed line.

    Attributes:
        entry: The entry; `None` for the header's hand sizes.
        before, after: The line as written and as it may have been meant; `before` is empty where
            somebody's `leaves` is missing before the entry.
        meant: What that line tells; of the header the table.

    >>> from clue_solver import Game, load
    >>> from clue_solver.rules.observations import Reveal
    >>> wrong = Reveal(seat="Ben", card="Hall")
    >>> game = Game(load("examples/classic.clue").record.upto(2).append(wrong))
    >>> (change,) = game.check().corrections[0].changes
    >>> change.entry, change.after
    (2, 'Ann suggests Green, Rope, Hall: Ben shows Hall')
    """

    entry: int | None
    before: str
    after: str
    meant: observed.Observation | Table

    written: ClassVar[Written] = Written(without=("meant",))


class Correction(CorrectedLine, frozen=True, kw_only=True):
    """
    A change after which the log is consistent.

    Attributes:
        more: A second change, where one is not enough.
        probability: Its share among the corrections found.
        weighed: Whether the evidence counts in it; where there are too many deals to weigh every
            correction, only how common the slip is does.

    >>> from clue_solver import Game, load
    >>> from clue_solver.rules.observations import Reveal
    >>> wrong = Reveal(seat="Ben", card="Hall")
    >>> game = Game(load("examples/classic.clue").record.upto(2).append(wrong))
    >>> best = game.check().corrections[0]
    >>> best.after, best.more, round(best.probability, 2)
    ('Ann suggests Green, Rope, Hall: Ben shows Hall', (), 0.43)
    """

    more: tuple[CorrectedLine, ...] = ()
    probability: float
    weighed: bool = True

    written: ClassVar[Written] = Written(
        without=("meant", "weighed"), sparse=("more",), called={"more": "and"}
    )

    @property
    def changes(self) -> tuple[CorrectedLine, ...]:
        """All its changes."""
        return self, *self.more


class Check(ShownValue, frozen=True, kw_only=True):
    """
    The outcome of checking a log.

    Attributes:
        consistent: Whether some deal fits the log.
        conflict: A smallest set of entries that cannot all be true; empty where all can.
        minimum: Whether that set is proved to be smallest.
        steps: The argument; its last step is the impossibility.
        corrections: Possible corrections, likeliest first; those of the viewer's own hand come
            last.
        turns: The entries out of turn; `None` where too many turns are missing to judge.
        viewer: The seat whose log it is, or `spectator`.
        lines: The entries of the log as lines, as the viewer saw them, to quote from.
        partial: Whether the log holds more than the viewer may know.

    >>> from clue_solver import load
    >>> load("examples/classic.clue").check().consistent
    True
    """

    consistent: bool = True
    conflict: tuple[int, ...] = ()
    minimum: bool = True
    steps: tuple[ReasonStep, ...] = ()
    corrections: tuple[Correction, ...] = ()
    turns: tuple[OddTurn, ...] | None = ()
    viewer: str = SPECTATOR
    lines: tuple[str, ...] = ()
    partial: bool = False

    written: ClassVar[Written] = Written(
        schema=1,
        without=("viewer", "lines", "partial"),
        sparse=("minimum",),
        called={"steps": "why"},
    )


class _Change(NamedTuple):
    """A change of a log, and how common the slips behind it are."""

    commonness: float
    table: Table
    meant: tuple[tuple[int, observed.Observation], ...]  # entry numbers and what they would say
    left: str = ""  # who had left before the first of them, which is all that is changed then


def corrections(
    table: Table,
    observations: Sequence[observed.Observation],
    *,
    viewer: str | None,
    most: int = MOST,
) -> tuple[Correction, ...]:
    """
    Return the corrections of a contradictory log, likeliest first, in the order of `Check`.

    Changes of single entries and of recorded hand sizes come first; where none of them helps,
    changes of two entries. Empty where those do not help either, or where the log is consistent.
    """
    clash = _Clash(table, tuple(observations), viewer)
    weighed = clash.weighed([*clash.single(), *clash.sizes(), *clash.left()])
    weighed = weighed or clash.weighed(clash.double())
    total = sum(weight for weight, _ in weighed)

    def rank(pair: tuple[float, _Change]) -> float:
        last = OWN_HAND if clash.in_own_hand(pair[1]) else 1.0
        return -float(sort_key(pair[0] / total / last))

    found = []
    for weight, change in sorted(weighed, key=rank)[:most]:
        first, *more = clash.lines(change)
        found.append(
            Correction(
                **asdict(first),
                more=tuple(more),
                probability=weight / total,
                weighed=clash.all_weighed,
            )
        )
    return tuple(found)


class _Clash:
    """A contradictory log, and what it could have been."""

    def __init__(
        self, table: Table, observations: tuple[observed.Observation, ...], viewer: str | None
    ) -> None:
        self.table = table
        self.observations = observations
        self.viewer = viewer
        self.solver = Deduction(knowledge_of(table, observations, viewer=viewer)).solver
        self.entries = range(1, len(observations) + 1)
        self.limit = spent() + SEARCH
        self.all_weighed = True
        self.places = Counter(
            (kind, type(each))
            for each in observations
            for kind in {slip.kind for slip in slips(each, table)}
        )
        self.sights = Counter(chain.from_iterable(_sights(table, each) for each in observations))
        self.order = _log_seldom(Counter(_turns_left_out(table, observations)))

    # Which changes help.

    def single(self) -> Iterator[_Change]:
        """Yield every change of one entry that helps."""
        for entry in self._correctable():
            yield from self._changes((entry,))

    def double(self) -> Iterator[_Change]:
        """Yield the changes of two entries that help."""
        pairs = {
            (min(first, second), max(first, second))
            for first in smallest_conflict(self.solver, self.entries, work=SEARCH // 4).entries
            if spent() < self.limit
            for second in self._correctable(first)
        }
        for pair in sorted(pairs):
            yield from self._changes(pair)

    def _correctable(self, *out: int) -> list[int]:
        """Return the entries of a conflict without which, and those `out`, the rest fits."""
        if self._fits(self._selectors(*out)):
            return []
        rest = [number for number in self.entries if number not in out]
        clash = smallest_conflict(self.solver, rest, work=self.limit - spent()).entries
        return [number for number in clash if self._fits(self._selectors(*out, number))]

    def _changes(self, entries: tuple[int, ...]) -> Iterator[_Change]:
        """Yield the changes of these entries that help together; the most common come first."""
        rest = self._selectors(*entries)
        ways = [[*self._ways(entry, rest)] for entry in entries]
        ranked = sorted(product(*ways), key=lambda chosen: -prod(way[0] for way in chosen))
        for chosen in islice(ranked, _MOST_TRIED):
            if spent() > self.limit:
                return
            shares, meant, literals = zip(*chosen, strict=True)
            if len(chosen) == 1 or self._fits([*rest, *chain(*literals)]):
                changed = tuple(zip(entries, meant, strict=True))
                yield _Change(prod(shares) * self._writing(changed), self.table, changed)

    def _ways(
        self, entry: int, rest: list[int]
    ) -> Iterator[tuple[float, observed.Observation, list[int]]]:
        """Yield what an entry may have said that helps: how common that is, and its selectors."""
        written = self.observations[entry - 1]
        state = TurnState.of(self.observations[: entry - 1])
        for slip in lines_meant(written, self.table, state):
            alone = knowledge_of(self.table, [slip.meant], viewer=self.viewer)
            literals = [self.solver.guarded(each._replace(entries=())) for each in alone.clauses]
            if self._fits([*rest, *literals]):
                common = COMMON[slip.kind] / self.places[slip.kind, type(written)]
                yield common * chance(slip, written, self.table, state), slip.meant, literals

    def sizes(self) -> Iterator[_Change]:
        """Yield every shift of one card between two recorded hand sizes that may help."""
        known = [place for place, size in enumerate(self.table.hands) if size is not None]
        shifts = [(a, b) for a in known for b in known if a != b and self.table.hands[a]]
        common = COMMON["size"] / max(len(shifts), 1) * self._writing(())
        held = [(each.seat, len(each.cards)) for each in self.observations if _is_hand(each)]
        for less, more in shifts:
            hands = list(self.table.hands)
            hands[more] = (hands[more] or 0) + 1
            hands[less] = (hands[less] or 0) - 1
            sizes = dict(zip(self.table.seats, hands, strict=True))
            with suppress(SetupError):
                if all(sizes[seat] in (None, count) for seat, count in held):
                    yield _Change(common, replace(self.table, hands=tuple(hands)), ())

    def left(self) -> Iterator[_Change]:
        """Yield each seat that may have left: it passes in the conflict, and does nothing after."""
        clash = smallest_conflict(self.solver, self.entries, work=SEARCH // 4).entries
        ways = len(self.table.seats) * len(self.observations)
        for seat in self.table.seats:
            unasked = [without_pass(each, seat) for each in self.observations]
            passed = [n for n in self.entries if unasked[n - 1] != self.observations[n - 1]]
            since = next((entry for entry in passed if entry in clash), len(self.entries))
            last = max(
                (n for n in self.entries if _acts(self.observations[n - 1], seat)), default=0
            )
            changed = tuple((entry, unasked[entry - 1]) for entry in passed if entry >= since)
            # One pass alone is a slip of its own; and who was never there has not left.
            if len(changed) > 1 and 0 < last < since:
                common = COMMON["left"] / ways * self._writing(changed)
                yield _Change(common, self.table, changed, seat)

    def _selectors(self, *out: int) -> list[int]:
        return [self.solver.selector(number) for number in self.entries if number not in out]

    def _fits(self, assumptions: list[int]) -> bool:
        return self.solver.model(assumptions) is not None

    # How likely each is.

    def weighed(self, candidates: Iterable[_Change]) -> list[tuple[float, _Change]]:
        """Return the candidates that fit with their posterior weights; the most common only."""
        ranked = sorted(candidates, key=lambda candidate: -candidate.commonness)[:_MOST_WEIGHED]
        fitting = []
        for candidate in ranked:
            meant = dict(candidate.meant)
            log_ = [meant.get(entry, self.observations[entry - 1]) for entry in self.entries]
            deduction = Deduction(knowledge_of(candidate.table, log_, viewer=self.viewer))
            if deduction.consistent(len(log_)):
                fitting.append((candidate, deduction))
        weights = []
        try:
            with limited(WORK):
                for candidate, deduction in fitting:
                    diagram = deduction.diagram(len(self.entries), memory=ROOM)
                    weights.append(diagram.log_weight - log(_deals(candidate.table)))
        except TooLarge:
            self.all_weighed = False
            return [(candidate.commonness, candidate) for candidate, _ in fitting]
        most = max(weights, default=0.0)
        return [
            (candidate.commonness * exp(weight - most), candidate)
            for weight, (candidate, _) in zip(weights, fitting, strict=True)
        ]

    def _writing(self, changed: tuple[tuple[int, observed.Observation], ...]) -> float:
        """Return how likely it is that a writer leaves out just these turns and these cards."""
        sights, order = self.sights.copy(), self.order
        turns: dict[int, observed.Observation] = {}
        for entry, meant in changed:
            written = self.observations[entry - 1]
            sights.subtract(_sights(self.table, written))
            sights.update(_sights(self.table, meant))
            if _turn(meant) != _turn(written):
                turns[entry] = meant
        if turns:
            log_ = [turns.get(n, each) for n, each in enumerate(self.observations, 1)]
            order = _log_seldom(Counter(_turns_left_out(self.table, log_)))
        return exp(order + _log_seldom(sights))

    def in_own_hand(self, change: _Change) -> bool:
        """Return whether it changes the hand of the viewer, who has it before its eyes."""
        written = [self.observations[entry - 1] for entry, _ in change.meant]
        return any(_is_hand(each) and each.seat == self.viewer for each in written)

    # What each says.

    def lines(self, change: _Change) -> tuple[CorrectedLine, ...]:
        """Return a change as lines before and after."""
        if change.left:
            leave = observed.Leave(by=change.left)
            line = format_line(leave, self.table)
            return (CorrectedLine(entry=change.meant[0][0], before="", after=line, meant=leave),)
        if not change.meant:
            before, after = (_sizes(table) for table in (self.table, change.table))
            return (CorrectedLine(entry=None, before=before, after=after, meant=change.table),)
        found = []
        for entry, meant in change.meant:
            written = self.observations[entry - 1]
            before, after = (format_line(each, self.table) for each in (written, meant))
            found.append(CorrectedLine(entry=entry, before=before, after=after, meant=meant))
        return tuple(found)


def without_pass(observation: observed.Observation, seat: str) -> observed.Observation:
    """Return a suggestion without the pass of a seat, as if it had not been asked."""
    if not isinstance(observation, observed.Suggestion | observed.Finger):
        return observation
    answers = tuple(a for a in observation.answers if a.seat != seat or a.answer == "shows")
    return replace(observation, answers=answers)


def _acts(observation: observed.Observation, seat: str) -> bool:
    """Return whether a seat does something by which it has not left: a turn, or a card shown."""
    answers = getattr(observation, "answers", ())
    shows = any(answer.seat == seat and answer.answer == "shows" for answer in answers)
    asked = getattr(observation, "seat", None) == seat
    return shows or asked or (bool(observation.turn) and getattr(observation, "by", "") == seat)


def _is_hand(observation: observed.Observation) -> TypeGuard[observed.Hand]:
    return isinstance(observation, observed.Hand)


def _turn(observation: observed.Observation) -> tuple[object, ...]:
    """Return what it says of whose turn it is, and of who is out."""
    by = getattr(observation, observation.form.subject) if observation.turn else None
    return by, getattr(observation, "right", None)


def _turns_left_out(table: Table, observations: Iterable[observed.Observation]) -> Iterator[bool]:
    """Yield for each turn, or part of one, whether another seat's was left out before it."""
    state = TurnState()
    for observation in observations:
        due = state.turn(table) if observation.turn else None
        if due is not None:
            by = getattr(observation, observation.form.subject)
            yield by != due and state.begins(observation)
        state = state.after(observation)


def _sights(table: Table, observation: observed.Observation) -> Iterator[bool]:
    """Yield for each show whether its card is told and was not seen, or seen and not told."""
    if table.viewer is None or not isinstance(observation, observed.Suggestion | observed.Finger):
        return
    for answer in observation.answers:
        if answer.answer == "shows":
            yield (answer.card is not None) != (table.viewer in (observation.by, answer.seat))


def _log_seldom(count: Counter[bool]) -> float:
    """Return the log of the chance that just these of some things are the seldom ones."""
    a, b = SELDOM
    did, did_not = count[True], count[False]
    return _log_beta(a + did, b + did_not) - _log_beta(a, b)


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def _deals(table: Table) -> int:
    """Return how many ways there are to deal hands of recorded sizes."""
    if not table.hands or None in table.hands:
        return 1
    return factorial(table.dealt) // prod(factorial(size or 0) for size in table.hands)


def _sizes(table: Table) -> str:
    return "hands: " + ", ".join("?" if size is None else str(size) for size in table.hands)
