"""
Slips: how people mistype and mishear, and which changes make a contradictory log consistent.

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
from typing import ClassVar, Literal, NamedTuple, TypeGuard, TypeVar

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, ShownValue, Written
from clue_solver.answers.reasons import ReasonStep
from clue_solver.answers.turns import OddTurn
from clue_solver.errors import NotationError, SetupError, TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.explain import smallest_conflict
from clue_solver.inference.rounding import sort_key
from clue_solver.inference.spending import spent
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation import TurnState, format_line, normalise
from clue_solver.rules import observations as observed
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Table

Kind = Literal[
    "shower",
    "answer",
    "asked card",
    "shown card",
    "card",
    "player",
    "verdict",
    "unheard",
    "left",
    "size",
]

T = TypeVar("T")

COMMON: dict[Kind, float] = {
    "shower": 0.11,  # another seat showed
    "answer": 0.11,  # nobody showed after all, or somebody did
    "asked card": 0.28,  # a suggestion named another card of the category
    "shown card": 0.10,  # another of the asked cards was shown
    "card": 0.09,  # another card was held, seen, revealed or accused
    "player": 0.25,  # it was another player's doing, or another holder
    "size": 0.02,  # a hand has one card more, another one less
    "unheard": 0.005,  # the answer was not heard at all, and one was written all the same
    "verdict": 0.02,  # right for wrong, has for lacks
    "left": 0.005,  # a player had left and was not asked, and passes were written
}
"""
How common each kind of slip is, taken for granted before the log is looked at.

Nobody has counted them. The first six are taken to be noticed as often as each other; of a wrong
card or player only one in four makes a log clash, of the rest three in four.
"""

ELSEWHERE = 0.1
"""How likely a card that is mistyped turns into one of another category, where that can be."""

INVENTED = 0.1
"""How likely who did not see a card that was shown writes one all the same."""

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

WORK, ROOM = 20_000_000, 200_000_000
"""Arrows of deal diagrams that weighing may cost in all, and bytes that one of them may take."""

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
        entry: The entry's number, counted from 1; `None` for the header's hand sizes.
        before, after: The line as it is and as it may have been meant; `before` is empty where a
            line is lacking before the entry, that somebody leaves.
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
        more: A second change, where no single one helps.
        probability: Its share among all corrections that were found.
        weighed: Whether the evidence counts in it; where there are too many deals to weigh every
            correction, only how common the slip is does.

    >>> from clue_solver import Game, load
    >>> from clue_solver.rules.observations import Reveal
    >>> wrong = Reveal(seat="Ben", card="Hall")
    >>> game = Game(load("examples/classic.clue").record.upto(2).append(wrong))
    >>> best = game.check().corrections[0]
    >>> best.after, best.more, round(best.probability, 2)
    ('Ann suggests Green, Rope, Hall: Ben shows Hall', (), 0.42)
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
        conflict: A smallest set of entries that cannot all be true; `None` where all can.
        minimum: Whether it is proved that no set is smaller; else that took too long.
        steps: The argument that they cannot; its last step is what cannot be.
        corrections: Suggested corrections of the log, likeliest first; those that change the
            viewer's own hand, which lies before it, come after the others.
        turns: The entries that do not follow the order of turns, consistent or not; `None` where
            so many turns are missing that they are not judged.
        viewer: The seat whose log it is, or `spectator`.
        lines: The entries of the log as lines, as the viewer saw them, to quote from.
        partial: Whether the log holds more than the viewer may know.

    >>> from clue_solver import load
    >>> load("examples/classic.clue").check().consistent
    True
    """

    conflict: tuple[int, ...] | None = None
    minimum: bool = True
    steps: tuple[ReasonStep, ...] = ()
    corrections: tuple[Correction, ...] = ()
    turns: tuple[OddTurn, ...] | None = ()
    viewer: str = SPECTATOR
    lines: tuple[str, ...] = ()
    partial: bool = False

    written: ClassVar[Written] = Written(
        schema=1,
        also=("consistent", "entries"),
        without=("conflict", "viewer", "lines", "partial"),
        sparse=("minimum",),
        called={"entries": "conflict", "steps": "why"},
    )

    @property
    def entries(self) -> tuple[int, ...]:
        """A smallest set of entries that cannot all be true; empty where all can."""
        return self.conflict or ()

    @property
    def consistent(self) -> bool:
        """Whether some deal fits the log."""
        return self.conflict is None


class Slip(NamedTuple):
    """
    What may have been meant by an entry.

    Attributes:
        kind: The kind of slip.
        chance: How likely who means this and makes such a slip in it writes what was written.
        meant: What was meant.
    """

    kind: Kind
    chance: float
    meant: observed.Observation


class _ChangedLog(NamedTuple):
    """A changed log, and how common the slips behind it are."""

    commonness: float
    table: Table
    changed: tuple[tuple[int, observed.Observation], ...]  # entry numbers and what they would say
    left: str = ""  # who had left before the first of them, which is all that is changed then

    def applied(self, observations: Sequence[observed.Observation]) -> list[observed.Observation]:
        """Return the observations as they would be."""
        changed = dict(self.changed)
        return [changed.get(entry, each) for entry, each in enumerate(observations, 1)]


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
    log = _Log(table, tuple(observations), viewer=viewer)
    weighed = log.weighed([*log.single(), *log.sizes(), *log.left()]) or log.weighed(log.double())
    total = sum(weight for weight, _ in weighed)
    last = {True: OWN_HAND, False: 1.0}
    weighed.sort(key=lambda pair: -sort_key(pair[0] / total / last[log.changes_own_hand(pair[1])]))
    found = []
    for weight, changed in weighed[:most]:
        first, *more = log.lines(changed)
        found.append(
            Correction(
                entry=first.entry,
                before=first.before,
                after=first.after,
                meant=first.meant,
                more=tuple(more),
                probability=weight / total,
                weighed=log.all_weighed,
            )
        )
    return tuple(found)


class _Log:
    """A contradictory log, and what it could have been."""

    def __init__(
        self, table: Table, observations: tuple[observed.Observation, ...], *, viewer: str | None
    ) -> None:
        self.table = table
        self.observations = observations
        self.viewer = viewer
        self.solver = self.deduced(table, observations).solver
        self.entries = range(1, len(observations) + 1)
        self.limit = spent() + SEARCH
        self.all_weighed = True
        self.places = Counter(
            (type(observation), _tells_a_card(observation)) for observation in observations
        )
        self.sights = Counter(chain.from_iterable(_sights(table, each) for each in observations))
        self.orders: dict[tuple[object, ...], float] = {}  # by the turns that are changed

    def deduced(self, table: Table, observations: Iterable[observed.Observation]) -> Deduction:
        return Deduction(knowledge_of(table, observations, viewer=self.viewer))

    def single(self) -> Iterator[_ChangedLog]:
        """Yield every change of one entry that helps."""
        for entry in self.correctable():
            yield from self.changed((entry,))

    def double(self) -> Iterator[_ChangedLog]:
        """Yield the changes of two entries that help."""
        clash = smallest_conflict(self.solver, self.entries, work=SEARCH // 4).entries
        pairs = {
            (min(first, second), max(first, second))
            for first in clash
            if spent() < self.limit
            for second in self.correctable((first,))
        }
        for pair in sorted(pairs):
            yield from self.changed(pair)

    def correctable(self, out: tuple[int, ...] = ()) -> list[int]:
        """Return the entries of a conflict without which, and those `out`, the rest fits."""
        if self._fits(self._selectors(out)):
            return []
        rest = [number for number in self.entries if number not in out]
        clash = smallest_conflict(self.solver, rest, work=self.limit - spent()).entries
        return [number for number in clash if self._fits(self._selectors((*out, number)))]

    def changed(self, entries: tuple[int, ...]) -> Iterator[_ChangedLog]:
        """Yield the changes of these entries that help together; the most common come first."""
        rest = self._selectors(entries)
        ways = [
            [slip for slip in self._slips(entry) if self._fits([*rest, *slip[2]])]
            for entry in entries
        ]
        ranked = sorted(product(*ways), key=lambda slips: -prod(slip[0] for slip in slips))
        for slips in islice(ranked, _MOST_TRIED):
            if spent() > self.limit:
                return
            if len(slips) == 1 or self._fits([*rest, *chain(*(slip[2] for slip in slips))]):
                changed = tuple(zip(entries, (slip[1] for slip in slips), strict=True))
                common = prod(slip[0] for slip in slips) * self.writing(changed)
                yield _ChangedLog(common, self.table, changed)

    def sizes(self) -> Iterator[_ChangedLog]:
        """Yield every shift of one card between two recorded hand sizes that may help."""
        known = [place for place, size in enumerate(self.table.hands) if size is not None]
        shifts = [(a, b) for a in known for b in known if a != b and self.table.hands[a]]
        common = COMMON["size"] / max(len(shifts), 1) * self.writing(())
        held = [(each.seat, len(each.cards)) for each in self.observations if _is_hand(each)]
        for less, more in shifts:
            hands = list(self.table.hands)
            hands[more] = (hands[more] or 0) + 1
            hands[less] = (hands[less] or 0) - 1
            sizes = dict(zip(self.table.seats, hands, strict=True))
            with suppress(SetupError):
                if all(sizes[seat] in (None, count) for seat, count in held):
                    yield _ChangedLog(common, replace(self.table, hands=tuple(hands)), ())

    def left(self) -> Iterator[_ChangedLog]:
        """Yield each seat that may have left: it passes in the conflict, and does nothing after."""
        clash = smallest_conflict(self.solver, self.entries, work=SEARCH // 4).entries
        ways = len(self.table.seats) * len(self.observations)
        for seat in self.table.seats:
            passed = [
                (entry, shortened)
                for entry, observation in enumerate(self.observations, 1)
                if (shortened := without_pass(observation, seat)) != observation
            ]
            since = next((entry for entry, _ in passed if entry in clash), None)
            acts = [n for n, each in enumerate(self.observations, 1) if _acts(each, seat)]
            changed = tuple(pair for pair in passed if since is not None and pair[0] >= since)
            # One pass alone is a slip of its own; and who was never there has not left.
            if since is not None and len(changed) > 1 and acts and acts[-1] < since:
                common = COMMON["left"] / ways * self.writing(changed)
                yield _ChangedLog(common, self.table, changed, seat)

    def weighed(self, candidates: Iterable[_ChangedLog]) -> list[tuple[float, _ChangedLog]]:
        """Return the candidates that fit with their posterior weights; the most common only."""
        ranked = sorted(candidates, key=lambda candidate: -candidate.commonness)[:_MOST_WEIGHED]
        fitting = []
        for candidate in ranked:
            deduction = self.deduced(candidate.table, candidate.applied(self.observations))
            if deduction.consistent(len(self.observations)):
                fitting.append((candidate, deduction))
        work = 0
        weights = []
        for candidate, deduction in fitting:
            try:
                diagram = deduction.diagram(len(self.observations), memory=ROOM)
            except TooLarge:
                work = WORK
            else:
                work += diagram.arrows_in_all
                weights.append((diagram.log_weight - log(_deals(candidate.table)), candidate))
            if work >= WORK and len(weights) < len(fitting):
                self.all_weighed = False
                return [(candidate.commonness, candidate) for candidate, _ in fitting]
        most = max((weight for weight, _ in weights), default=0.0)
        return [
            (candidate.commonness * exp(weight - most), candidate) for weight, candidate in weights
        ]

    def writing(self, changed: tuple[tuple[int, observed.Observation], ...]) -> float:
        """Return how likely it is that a writer leaves out just these turns and these cards."""
        sights = self.sights.copy()
        turns: dict[int, observed.Observation] = {}
        for entry, meant in changed:
            written = self.observations[entry - 1]
            sights.subtract(_sights(self.table, written))
            sights.update(_sights(self.table, meant))
            if _turn(meant) != _turn(written):
                turns[entry] = meant
        key = tuple((entry, _turn(meant)) for entry, meant in turns.items())
        if key not in self.orders:
            log = [turns.get(n, each) for n, each in enumerate(self.observations, 1)]
            self.orders[key] = _log_seldom(Counter(_turns_left_out(self.table, log)))
        return exp(self.orders[key] + _log_seldom(sights))

    def lines(self, candidate: _ChangedLog) -> tuple[CorrectedLine, ...]:
        """Return a candidate as lines before and after."""
        if candidate.left:
            first = candidate.changed[0][0]
            leave = observed.Leave(by=candidate.left)
            line = format_line(leave, self.table)
            return (CorrectedLine(entry=first, before="", after=line, meant=leave),)
        if not candidate.changed:
            before, after = (_sizes(table) for table in (self.table, candidate.table))
            header = candidate.table
            return (CorrectedLine(entry=None, before=before, after=after, meant=header),)
        return tuple(
            CorrectedLine(
                entry=entry,
                before=format_line(self.observations[entry - 1], self.table),
                after=format_line(observation, self.table),
                meant=observation,
            )
            for entry, observation in candidate.changed
        )

    def changes_own_hand(self, candidate: _ChangedLog) -> bool:
        """Return whether it changes the hand of the viewer, who has it before its eyes."""
        written = [self.observations[entry - 1] for entry, _ in candidate.changed]
        return any(_is_hand(each) and each.seat == self.viewer for each in written)

    def _slips(self, entry: int) -> Iterator[tuple[float, observed.Observation, list[int]]]:
        """Yield what an entry could have said: how common the slip is, and selectors for it."""
        form = type(self.observations[entry - 1])
        for kind, chance, meant in lines_meant(self.table, self.observations, entry):
            places = self.places[form, True]
            if kind != "shown card":
                places += self.places[form, False]
            alone = knowledge_of(self.table, [meant], viewer=self.viewer)
            clauses = (clause._replace(entries=()) for clause in alone.clauses)
            yield COMMON[kind] * chance / places, meant, [*map(self.solver.guarded, clauses)]

    def _selectors(self, out: tuple[int, ...]) -> list[int]:
        return [self.solver.selector(number) for number in self.entries if number not in out]

    def _fits(self, assumptions: list[int]) -> bool:
        return self.solver.model(assumptions) is not None


def lines_meant(
    table: Table, observations: Sequence[observed.Observation], entry: int
) -> Iterator[Slip]:
    """Yield what the entry of that number, counted from 1, could have said at this table."""
    written = observations[entry - 1]
    state = TurnState.of(observations[: entry - 1])
    meanings: dict[observed.Observation, Slip] = {}
    for slip in slips(written, table):
        with suppress(NotationError):
            meant = normalise(slip.meant, table, state)
            if meant != written:
                meanings.setdefault(meant, slip._replace(meant=meant))
    yield from meanings.values()


def slips(written: observed.Observation, table: Table) -> Iterator[Slip]:
    """
    Yield what may have been meant where this was written: other values of its fields.

    Some of it may not be possible at the table, some may be what was written, some comes twice.
    """
    match written:
        case observed.Suggestion() | observed.Finger():
            yield from _suggestion_slips(written, table)
            return
        case observed.Knowing(has=has, lacks=lacks):
            yield Slip("verdict", 1.0, replace(written, has=lacks, lacks=has))
        case observed.Question(answer=answer):
            yield Slip("unheard", 0.5, replace(written, answer="unheard", card=None))
            other: observed.Reply = "shows" if answer == "passes" else "passes"
            yield Slip("answer", 1.0, replace(written, answer=other, card=None))
    question = isinstance(written, observed.Question)
    if (who := _whoever(written)) is not None:
        yield from _varied(written, "player", who, _evenly(_people(who, written, table)))
    for field in written.__struct_fields__:
        value = getattr(written, field)
        match field:
            case "cards" | "has" | "lacks" | "about" if value:
                kind: Kind = "asked card" if question else "card"
                yield from _varied(written, kind, field, _exchanged(value, table))
            case "card" | "feature" if value is not None:
                kind = "shown card" if question else "card"
                yield from _varied(written, kind, field, _others(value, table))
                if not isinstance(written, observed.Question | observed.Nobody):
                    yield Slip("unheard", 1.0, replace(written, **{field: None}))
            case "right":
                yield Slip("verdict", 1.0, replace(written, right=not value))


def _whoever(written: observed.Observation) -> str | None:
    """Return the field of whom it is about, if that may be another; not by whom it is seen."""
    fields = written.__struct_fields__
    field = next((name for name in ("holder", "seat", "by") if name in fields), None)
    seen_by = written.sight.by if field == "by" else ()
    return None if field in (None, written.sight.owner, *seen_by) else field


def _people(field: str, written: observed.Observation, table: Table) -> Iterator[str]:
    """Yield who may be meant in a field."""
    knowing = isinstance(written, observed.Knowing)
    for holder in table.holders if field == "holder" else table.seats:
        another = holder == getattr(written, field) or holder not in (
            getattr(written, "by", None),
            getattr(written, "to", None),
        )
        if knowing or field == "by" or (another and holder != ENVELOPE):
            yield holder


def _varied(
    written: observed.Observation, kind: Kind, field: str, meant: Iterable[tuple[float, object]]
) -> Iterator[Slip]:
    """Yield the observation with other values in one field, each with its chance."""
    for chance, value in meant:
        if value != getattr(written, field):
            yield Slip(kind, chance, replace(written, **{field: value}))


def _evenly(values: Iterable[T]) -> Iterator[tuple[float, T]]:
    """Yield values that are all written as easily for another of them."""
    listed = list(values)
    return ((1 / max(len(listed) - 1, 1), value) for value in listed)


def _suggestion_slips(
    written: observed.Suggestion | observed.Finger, table: Table
) -> Iterator[Slip]:
    answers, asked = written.answers, written.cards
    seats = len(table.seats)

    # No answer was heard, or none after the passes.
    heard = tuple(answer for answer in answers if answer.answer == "passes")
    for given in ((), (*heard, observed.Answer(answer="unheard"))):
        if not given or not table.everyone_shows:
            yield Slip("unheard", 1 / seats, replace(written, answers=given))

    # Another seat showed, or another of the cards.
    for kind, chance, given in _answers_meant(written, table):
        yield Slip(kind, chance, replace(written, answers=given))
    for place, answer in enumerate(answers):
        for card in asked if answer.card else ():
            given = _with(answers, place, replace(answer, card=card))
            yield Slip("shown card", 1 / max(len(asked) - 1, 1), replace(written, answers=given))

    # Another card was asked for, and perhaps shown.
    for place, card in enumerate(asked):
        kin = next(k for k in table.edition.category if card in [each.name for each in k.cards])
        for chance, other in _evenly(each.name for each in kin.cards):
            given = tuple(replace(a, card=other) if a.card == card else a for a in answers)
            meant = replace(written, cards=_with(asked, place, other), answers=given)
            yield Slip("asked card", chance / len(asked), meant)

    # Another seat asked; where the first who can shows, not the one who showed.
    first = next((each.seat for each in answers if each.answer == "shows"), None)
    if table.everyone_shows:
        first = None
    others = [seat for seat in table.seats if seat not in (written.by, first)]
    for by in others if answers else ():
        given = tuple(each for each in answers if each.seat != by)
        if not table.everyone_shows:  # the passes of others follow
            given = tuple(each for each in given if first and each.seat and each.answer != "passes")
        passes = (observed.Answer(seat=s, answer="passes") for s in table.answering(by))
        meant = replace(written, by=by, answers=given or tuple(passes))
        yield Slip("player", 1 / max(len(others), 1), meant)


def _answers_meant(
    written: observed.Suggestion | observed.Finger, table: Table
) -> Iterator[tuple[Kind, float, tuple[observed.Answer, ...]]]:
    """Yield the answers with another shower, or one more or less: kind of slip, chance, answers."""
    asked, order = written.cards, table.answering(written.by)
    given = {str(each.seat): each for each in written.answers if each.seat}
    shows = [seat for seat in given if given[seat].answer == "shows"]
    changes: list[tuple[str | None, str | None]]  # who shows besides, and who does not
    if table.everyone_shows:
        silent = [seat for seat in given if seat not in shows]
        changes = [(None, seat) if seat in shows else (seat, None) for seat in given]
        changes += [(new, old) for old, new in product(shows, silent)]
    else:
        last = shows[0] if shows else None
        changes = [(new, last) for new in (*order, None) if new != last]
    for new, old in changes if written.answers else ():
        showers = {*shows} - {old} | {new} - {None}
        card = given[old].card if old else None

        # How many other answers could have been written for what was meant?
        kind: Kind = "shower" if new and old else "answer"
        ways = len(given) if table.everyone_shows else 1 if new else len(order)
        if kind == "shower":
            ways = len(showers) * (len(order) - len(showers))
        elif card:
            ways *= len(asked)
        if not shows and written.answers[-1].answer == "unheard":
            kind = "unheard"

        # Which card may have been shown: one that the viewer saw, if it was there.
        seen: list[tuple[float, str | None]] = [(INVENTED / len(asked) if card else 1.0, None)]
        if new is None:
            seen = [(1.0, None)]
        elif kind == "shower" and table.viewer in (None, written.by):
            seen = [(1.0, card)]
        elif table.viewer in (written.by, new):
            seen = [(1.0, each) for each in asked]
        until = order.index(new) + 1 if new else len(order)
        answered = [*given] if table.everyone_shows else order[:until]
        kept = {
            seat: each
            for seat, each in given.items()
            if seat in showers or each.answer == "unheard"
        }
        for chance, shown in seen:
            if new:
                kept[new] = observed.Answer(seat=new, answer="shows", card=shown)
            answers = (kept.get(s) or observed.Answer(seat=s, answer="passes") for s in answered)
            yield kind, chance / ways, tuple(answers)


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


def _with(things: tuple[T, ...], place: int, thing: T) -> tuple[T, ...]:
    """Return the things with another one at a place."""
    return (*things[:place], thing, *things[place + 1 :])


def _others(card: str, table: Table) -> Iterator[tuple[float, str]]:
    """Yield the cards, or features, that may be meant by one, and how likely they turn into it."""
    if card in table.edition.features:
        yield from _evenly(table.edition.features)
        return
    kinds = [[each.name for each in kind.cards] for kind in table.edition.category]
    for names in kinds:
        rest = sum(map(len, kinds)) - len(names)
        for chance, name in _evenly(names):
            if name not in table.face_up:
                yield (1 - ELSEWHERE) * chance if card in names else ELSEWHERE / rest, name


def _exchanged(cards: tuple[str, ...], table: Table) -> Iterator[tuple[float, tuple[str, ...]]]:
    """Yield the cards with another in place of one."""
    for place, card in enumerate(cards):
        for chance, name in _others(card, table):
            if name not in cards:
                yield chance / len(cards), _with(cards, place, name)


def _tells_a_card(observation: observed.Observation) -> bool:
    """Return whether it tells a card that was shown."""
    answers = getattr(observation, "answers", ())
    return bool(getattr(observation, "card", None)) or any(answer.card for answer in answers)


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
