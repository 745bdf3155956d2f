"""
Corrections that make a contradictory log consistent, and how likely each of them is.

A correction changes one entry or two hand sizes so that some deal fits. The corrections are weighed
by Bayes' rule. The prior says how common the kind of slip is, divided evenly among the entries
where it is possible. It is multiplied by the chance that somebody who means the corrected line
writes the line in the log. The likelihood is that of the corrected log: how well it keeps to the
order of turns, to the rules of play and to what the writer could see. It is multiplied by the
weight of all deals that fit the log, divided by the number of all deals of the table.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, permutations
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, ShownValue, Written
from clue_solver.answers.reasons import ReasonStep
from clue_solver.answers.slips import COMMON, chance, lines_meant, slips
from clue_solver.answers.turns import OddTurn
from clue_solver.errors import SetupError, TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.rounding import sort_key
from clue_solver.inference.spending import OutOfBudget, limited, spent
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation.canonical import format_line
from clue_solver.record.header import format_value
from clue_solver.rules import observations as observed
from clue_solver.rules.play import Play
from clue_solver.rules.table import SPECTATOR, Table
from clue_solver.rules.turns import TurnState

SELDOM = (0.5, 9.5)
"""
How rarely a writer leaves out a turn, or errs about who saw a card: on average in one line of
twenty.

These are the parameters of a beta distribution, the prior; how often it happens in the rest of the
log counts, too.
"""

OWN_HAND = 10.0
"""
Corrections of the viewer's own hand are ranked as if they were this many times less likely, because
the viewer can look at the hand.
"""

BREACH = 0.05
"""
The factor for a correction that breaks a rule of the dice, the board or the edition, if the line as
written breaks none.
"""

MOST = 20
"""The most corrections in the list."""

WORK, ROOM = 160_000_000, 200_000_000
"""
The most that weighing may cost, in units of `spending`, and the most bytes of one deal diagram.
"""

SEARCH = 250_000_000
"""
The most that the search for corrections may cost, in units of `spending` (about three nanoseconds
each); after that, those found so far are weighed.
"""

_MOST_WEIGHED = 150
"""The most corrections to weigh, the most common slips first."""


class Correction(AnswerValue, frozen=True, kw_only=True):
    """
    A change of one line that makes the log consistent.

    Attributes:
        entry: The number of the entry; `None` for the hand sizes in the header.
        before, after: The line as it was written, and as it may have been meant.
        meant: The corrected observation; for the header, the corrected table.
        probability: The probability of this correction among all that were found.
        weighed: Whether `probability` takes the evidence into account. If there are too many deals
            to weigh every correction, it only depends on how common the slip is.

    >>> from clue_solver import Game, load
    >>> from clue_solver.rules.observations import Reveal
    >>> wrong = Reveal(seat="Ben", card="Hall")
    >>> game = Game(load("examples/classic.clue").record.upto(2).append(wrong))
    >>> best = game.check().corrections[0]
    >>> best.entry, best.after, round(best.probability, 2)
    (2, 'Ann suggests Green, Rope, Hall: Ben shows Hall', 0.43)
    """

    entry: int | None
    before: str
    after: str
    meant: observed.Observation | Table
    probability: float = 0.0
    weighed: bool = True

    written: ClassVar[Written] = Written(without=("meant", "weighed"))


class Check(ShownValue, frozen=True, kw_only=True):
    """
    The outcome of checking a log.

    Attributes:
        consistent: Whether some deal fits the log.
        conflict: A smallest set of entries that cannot all be true; empty if all can.
        minimum: Whether it is proved that no set is smaller.
        steps: The steps of the argument; the last one is the impossibility.
        corrections: Possible corrections, likeliest first; those to the viewer's own hand are
            ranked as if they were ten times less likely.
        turns: The entries out of turn; `None` if too many turns are missing to tell.
        viewer: The seat whose log it is, or `spectator`.
        lines: The entries as the viewer saw them, as lines, for quotations.
        partial: Whether the log says more than the viewer may know, so that only part of it counts.

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
        schema=1, without=("viewer", "lines", "partial"), called={"steps": "why"}
    )


class _Change(NamedTuple):
    """
    A change of a log that may make it consistent.

    Attributes:
        common: How common the slip behind it is; a weight, to compare changes by.
        correction: The correction, without its probability.
        table, log: The table and the log after the change.
    """

    common: float
    correction: Correction
    table: Table
    log: tuple[observed.Observation, ...]


def build_corrections(
    table: Table,
    observations: Sequence[observed.Observation],
    conflict: Sequence[int],
    *,
    viewer: str | None,
) -> tuple[Correction, ...]:
    """
    Return the possible corrections of a contradictory log.

    The likeliest comes first; those to the viewer's own hand are ranked as if they were ten times
    less likely.

    Args:
        table: The table.
        observations: The log.
        conflict: The numbers, from 1, of entries that cannot all be true. Only these entries and
            the hand sizes are changed.
        viewer: The seat that kept the log; `None` for a spectator.
    """
    log = tuple(observations)
    helping = [*_changed_entries(table, log, conflict, viewer), *_changed_sizes(table, log)]
    helping.sort(key=lambda change: -change.common)
    weights, weighed = _weights(helping[:_MOST_WEIGHED], viewer)
    total = sum(weight for weight, _ in weights)
    ranked = []
    for weight, correction in weights:
        written = observations[correction.entry - 1] if correction.entry else None
        own = viewer is not None and viewer == _holder(written)
        rank = sort_key(weight / total / (OWN_HAND if own else 1.0))
        found = replace(correction, probability=weight / total, weighed=weighed)
        ranked.append((-float(rank), found))
    ranked.sort(key=lambda pair: pair[0])
    return tuple(correction for _, correction in ranked[:MOST])


def _holder(written: observed.Observation | None) -> str | None:
    """Return whose hand an entry is about, if it says nothing else."""
    match written:
        case observed.Hand(seat=holder) | observed.Knowing(holder=holder):
            return holder
    return None


def _weights(
    changes: Sequence[_Change], viewer: str | None
) -> tuple[list[tuple[float, Correction]], bool]:
    """
    Return those changes that make the log consistent, as pairs of a weight and a correction.

    The second result is whether the weights take into account how many deals fit each corrected
    log, and how likely they are. If that would cost too much, a weight only says how common the
    slip is.
    """
    fitting = []
    for change in changes:
        deduction = Deduction(knowledge_of(change.table, change.log, viewer=viewer))
        if deduction.consistent(len(change.log)):
            fitting.append((change, deduction))
    log_weights = []
    try:
        with limited(WORK):
            for change, deduction in fitting:
                diagram = deduction.diagram(len(change.log), memory=ROOM)
                log_weights.append(diagram.log_weight - math.log(_deals(change.table)))
    except (TooLarge, OutOfBudget):
        return [(change.common, change.correction) for change, _ in fitting], False
    most = max(log_weights, default=0.0)
    return [
        (change.common * math.exp(weight - most), change.correction)
        for weight, (change, _) in zip(log_weights, fitting, strict=True)
    ], True


def _changed_entries(
    table: Table,
    log: tuple[observed.Observation, ...],
    conflict: Sequence[int],
    viewer: str | None,
) -> Iterator[_Change]:
    """
    Yield changes that may make a log consistent, each of one entry.

    Args:
        table, log: The table and the log.
        conflict: The numbers of the entries that are changed.
        viewer: The seat that kept the log; `None` for a spectator.
    """
    limit = spent() + SEARCH
    solver = Deduction(knowledge_of(table, log, viewer=viewer)).solver
    places = Counter(
        (kind, type(each)) for each in log for kind in {slip.kind for slip in slips(each, table)}
    )
    for entry in conflict:
        rest = [solver.selector(number) for number in range(1, len(log) + 1) if number != entry]
        if solver.model(rest) is None:
            continue
        written = log[entry - 1]
        play = Play.of(table, log[: entry - 1])
        kept = table.keeps("play") and _keeps_rules(play, written)
        for slip in lines_meant(written, table, play.turns):
            if spent() > limit:
                return
            meant = slip.meant
            alone = knowledge_of(table, [meant], viewer=viewer)
            guards = [solver.guarded(each._replace(entries=())) for each in alone.clauses]
            if solver.model([*rest, *guards]) is None:
                continue
            changed = (*log[: entry - 1], meant, *log[entry:])
            common = COMMON[slip.kind] / places[slip.kind, type(written)]
            common *= chance(slip, written, table, play.turns) * _omission_likelihood(
                table, changed
            )
            common *= BREACH if kept and not _keeps_rules(play, meant) else 1.0
            before, after = (format_line(each, table) for each in (written, meant))
            correction = Correction(entry=entry, before=before, after=after, meant=meant)
            yield _Change(common, correction, table, changed)


def _changed_sizes(table: Table, log: tuple[observed.Observation, ...]) -> Iterator[_Change]:
    """Yield every change that moves one card between two recorded hand sizes."""
    known = [place for place, size in enumerate(table.hands) if size is not None]
    shifts = [*permutations(known, 2)]
    common = COMMON["size"] / max(len(shifts), 1) * _omission_likelihood(table, log)
    held = {each.seat: len(each.cards) for each in log if isinstance(each, observed.Hand)}
    for less, more in shifts:
        hands = list(table.hands)
        hands[more] = (hands[more] or 0) + 1
        hands[less] = (hands[less] or 0) - 1
        sizes = dict(zip(table.seats, hands, strict=True))
        if any(sizes[seat] not in (None, count) for seat, count in held.items()):
            continue
        with suppress(SetupError):
            meant = replace(table, hands=tuple(hands))
            before, after = (f"hands: {format_value(each, 'hands')}" for each in (table, meant))
            correction = Correction(entry=None, before=before, after=after, meant=meant)
            yield _Change(common, correction, meant, log)


def _keeps_rules(play: Play, observation: observed.Observation) -> bool:
    """Return whether an observation is within the rules of play, ignoring whose turn it is."""
    breach = play.check(observation)
    return breach is None or breach.of_turns


def _omission_likelihood(table: Table, log: Sequence[observed.Observation]) -> float:
    """
    Return how likely it is that a log has as many omissions and mistaken cards as this one.

    These are turns left out, shown cards that the viewer saw but did not log, and shown cards that
    are logged although the viewer could not see them.
    """
    sights = chain.from_iterable(_card_errors(table, each) for each in log)
    return math.exp(
        _log_chance(Counter(_turns_left_out(table, log))) + _log_chance(Counter(sights))
    )


def _turns_left_out(table: Table, observations: Iterable[observed.Observation]) -> Iterator[bool]:
    """
    Yield, for each entry about a turn, whether another seat's turn should have come before it.

    Entries are passed over if it is not known whose turn it is.
    """
    state = TurnState()
    for observation in observations:
        due = state.turn(table) if observation.turn else None
        if due is not None:
            yield observation.actor != due and state.begins(observation)
        state = state.after(observation)


def _card_errors(table: Table, observation: observed.Observation) -> Iterator[bool]:
    """
    Yield, for each card shown in answer to an entry, whether the log is wrong about it.

    The log is wrong if it names a card that the viewer did not see, or lacks one that the viewer
    saw. Nothing is yielded for a spectator.
    """
    if table.viewer is None or not isinstance(observation, observed.Inquiry):
        return
    for answer in observation.answers:
        if answer.answer == "shows":
            yield (answer.card is not None) != (table.viewer in (observation.by, answer.seat))


def _log_chance(count: Counter[bool]) -> float:
    """
    Return the logarithm of the chance of as many errors and correct lines as `count` has.

    It is the natural logarithm. `count` has the number of errors under `True`, that of correct
    lines under `False`. How rare errors are is not known, but assumed as in `SELDOM`.
    """
    a, b = SELDOM
    did, did_not = count[True], count[False]
    return _log_beta(a + did, b + did_not) - _log_beta(a, b)


def _deals(table: Table) -> int:
    """Return the number of ways to deal hands of the recorded sizes; 1 if not all are recorded."""
    if not table.hands or None in table.hands:
        return 1
    return math.factorial(table.dealt) // math.prod(
        math.factorial(size or 0) for size in table.hands
    )


def _log_beta(a: float, b: float) -> float:
    """Return the natural logarithm of the beta function."""
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
