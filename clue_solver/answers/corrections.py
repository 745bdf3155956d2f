"""
Slips: how people mistype and mishear, and which changes make a contradictory log consistent.

A correction is one change to one entry, or to the hand sizes, after which some deal fits. Those
that fit are ranked by Bayes: how common the kind of slip is, shared out evenly over the ways to
make it in that entry, times the posterior weight of the corrected log. That weight is the
likelihood of what would then have been seen, summed over all deals, as a share of all deals of the
table.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import exp, factorial, log, prod
from typing import ClassVar, Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, ShownValue, Written
from clue_solver.answers.reasons import ReasonStep
from clue_solver.errors import NotationError, SetupError, TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.explain import smallest_conflict
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation import TurnState, format_line, normalise
from clue_solver.rules import observations as observed
from clue_solver.rules.table import SPECTATOR, Table

Kind = Literal["shower", "asked card", "shown card", "card", "player", "verdict", "unheard", "size"]

T = TypeVar("T")

COMMON: dict[Kind, float] = {
    "shower": 0.40,  # another seat showed, or nobody, or somebody after all
    "asked card": 0.25,  # a suggestion named another card of the category
    "shown card": 0.15,  # another of the asked cards was shown
    "card": 0.10,  # another card was held, seen, revealed or accused
    "player": 0.05,  # it was another player's doing, or another holder
    "size": 0.02,  # a hand has one card more, another one less
    "unheard": 0.02,  # the answer was not heard at all
    "verdict": 0.01,  # right for wrong, has for lacks
}
"""How common each kind of slip is, taken for granted before the log is looked at."""

MOST = 20
"""How many corrections are listed at most."""

WORK, ROOM = 20_000_000, 200_000_000
"""Arrows of deal diagrams that weighing may cost in all, and bytes that one of them may take."""

SEARCH = 16_000_000
"""What searching for changes that help may cost, in propagations; then those found must do."""

_MOST_WEIGHED = 150
_MOST_PAIRS = 1_500


class Change(AnswerValue, frozen=True, kw_only=True):
    """
    One changed line.

    Attributes:
        entry: The entry's number, counted from 1; `None` for the header's hand sizes.
        before, after: The line as it is and as it may have been meant.
    """

    entry: int | None
    before: str
    after: str


class Correction(AnswerValue, frozen=True, kw_only=True):
    """
    Changes after which the log is consistent.

    Attributes:
        changes: One change, or two where no single one helps.
        probability: Its share among all corrections that were found.
        weighed: Whether the evidence counts in it; where there are too many deals to weigh every
            correction, only how common the slip is does.
    """

    changes: tuple[Change, ...]
    probability: float
    weighed: bool = True

    written: ClassVar[Written] = Written(
        also=("entry", "before", "after", "more"),
        without=("changes", "weighed"),
        sparse=("more",),
        called={"more": "and"},
    )

    @property
    def entry(self) -> int | None:
        """The number of the first entry that it changes; `None` for the header's hand sizes."""
        return self.changes[0].entry

    @property
    def before(self) -> str:
        """That line as it is."""
        return self.changes[0].before

    @property
    def after(self) -> str:
        """That line as it may have been meant."""
        return self.changes[0].after

    @property
    def more(self) -> tuple[Change, ...]:
        """A second change, where no single one helps."""
        return self.changes[1:]


class OddEntry(AnswerValue, frozen=True, kw_only=True):
    """
    An entry that may have been mistyped though nothing contradicts it.

    Attributes:
        entry: Its number, counted from 1.
        before, after: The line as it is and as it may have been meant.
        ratio: How many times likelier the log is with the other line.
    """

    entry: int
    before: str
    after: str
    ratio: float


class Check(ShownValue, frozen=True, kw_only=True):
    """
    The outcome of checking a log.

    Attributes:
        conflict: A smallest set of entries that cannot all be true; `None` where all can.
        minimum: Whether it is proved that no set is smaller; else that took too long.
        steps: The argument that they cannot; its last step is what cannot be.
        corrections: Suggested corrections of the log, likeliest first.
        odd: Where the log is consistent, the entries that may have been mistyped all the same, by
            how people play; the oddest first.
        viewer: The seat whose log it is, or `spectator`.
        lines: The entries of the log as lines, in order, to quote from.
    """

    conflict: tuple[int, ...] | None = None
    minimum: bool = True
    steps: tuple[ReasonStep, ...] = ()
    corrections: tuple[Correction, ...] = ()
    odd: tuple[OddEntry, ...] = ()
    viewer: str = SPECTATOR
    lines: tuple[str, ...] = ()

    written: ClassVar[Written] = Written(
        schema=1,
        also=("consistent", "entries"),
        without=("conflict", "viewer", "lines"),
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


class _ChangedLog(NamedTuple):
    """A changed log, and how common the slip behind it is."""

    commonness: float
    table: Table
    changed: tuple[tuple[int, observed.Observation], ...]  # entry numbers and what they would say


def corrections(
    table: Table,
    observations: Sequence[observed.Observation],
    *,
    viewer: str | None,
    most: int = MOST,
) -> tuple[Correction, ...]:
    """
    Return the likeliest corrections of a contradictory log, likeliest first.

    Changes of single entries and of recorded hand sizes come first; where none of them helps,
    changes of two entries. Empty where those do not help either, or where the log is consistent.
    """
    log = _Log(table, tuple(observations), viewer=viewer)
    found = log.weighed([*log.single(), *log.sizes()]) or log.weighed(log.double())
    total = sum(weight for weight, _ in found)
    found.sort(key=lambda pair: -pair[0])
    return tuple(
        Correction(
            changes=log.changes(candidate), probability=weight / total, weighed=log.all_weighed
        )
        for weight, candidate in found[:most]
    )


class _Log:
    """A contradictory log, and what it could have been."""

    def __init__(
        self,
        table: Table,
        observations: tuple[observed.Observation, ...],
        *,
        viewer: str | None,
    ) -> None:
        self.table, self.observations = table, observations
        self.viewer = viewer
        self.solver = self.deduced(table, observations).solver
        self.entries = range(1, len(observations) + 1)
        self.limit = self.solver.work + SEARCH
        self.all_weighed = True

    def deduced(self, table: Table, observations: Iterable[observed.Observation]) -> Deduction:
        return Deduction(knowledge_of(table, observations, viewer=self.viewer))

    def correctable(self, out: tuple[int, ...] = ()) -> list[int]:
        """Return the entries of a conflict without which, and those `out`, the rest fits."""
        if self._fits(self._selectors(out)):
            return []
        rest = [number for number in self.entries if number not in out]
        clash = smallest_conflict(self.solver, rest, work=self.limit - self.solver.work).entries
        return [number for number in clash if self._fits(self._selectors((*out, number)))]

    def single(self) -> Iterator[_ChangedLog]:
        """Yield every change of one entry that helps."""
        for entry in self.correctable():
            rest = self._selectors((entry,))
            for commonness, observation, selectors in self._slips(entry):
                if self.solver.work > self.limit:
                    return
                if self._fits([*rest, *selectors]):
                    yield _ChangedLog(commonness, self.table, ((entry, observation),))

    def double(self) -> list[_ChangedLog]:
        """Return the changes of two entries that help; the commonest are tried first."""
        found: list[_ChangedLog] = []
        tried = 0
        pairs_of = {
            tuple(sorted((first, second)))
            for first in smallest_conflict(self.solver, self.entries, work=SEARCH // 4).entries
            if self.solver.work < self.limit
            for second in self.correctable((first,))
        }
        for first, second in sorted(pairs_of):
            rest = self._selectors((first, second))
            ones, twos = (
                [slip for slip in self._slips(entry) if self._fits([*rest, *slip[2]])]
                for entry in (first, second)
            )
            for one, two in sorted(product(ones, twos), key=lambda pair: -pair[0][0] * pair[1][0]):
                tried += 1
                if tried > _MOST_PAIRS or self.solver.work > self.limit:
                    return found
                if self._fits([*rest, *one[2], *two[2]]):
                    changed = ((first, one[1]), (second, two[1]))
                    found.append(_ChangedLog(one[0] * two[0], self.table, changed))
        return found

    def sizes(self) -> Iterator[_ChangedLog]:
        """Yield every shift of one card between two recorded hand sizes that helps."""
        known = [place for place, size in enumerate(self.table.hands) if size is not None]
        shifts = [(a, b) for a in known for b in known if a != b and self.table.hands[a]]
        for less, more in shifts:
            hands = list(self.table.hands)
            hands[more] = (hands[more] or 0) + 1
            hands[less] = (hands[less] or 0) - 1
            try:
                table = replace(self.table, hands=tuple(hands))
                state = TurnState()
                for observation in self.observations:
                    normalise(observation, table, state)
                    state = state.after(observation)
            except (SetupError, NotationError):
                continue
            yield _ChangedLog(COMMON["size"] / len(shifts), table, ())

    def weighed(self, candidates: Iterable[_ChangedLog]) -> list[tuple[float, _ChangedLog]]:
        """Return the candidates that fit with their posterior weights; the commonest only."""
        ranked = sorted(candidates, key=lambda candidate: -candidate.commonness)[:_MOST_WEIGHED]
        fitting = []
        for candidate in ranked:
            observations = self.observations
            for entry, observation in candidate.changed:
                observations = _with(observations, entry - 1, observation)
            deduction = self.deduced(candidate.table, observations)
            if deduction.consistent(len(observations)):
                fitting.append((candidate, deduction))
        work, found = 0, []
        for candidate, deduction in fitting:
            try:
                diagram = deduction.diagram(len(self.observations), memory=ROOM)
            except TooLarge:
                work = WORK
            else:
                work += diagram.arrows_in_all
                found.append((diagram.log_weight - log(_deals(candidate.table)), candidate))
            if work >= WORK and len(found) < len(fitting):
                self.all_weighed = False
                return [(candidate.commonness, candidate) for candidate, _ in fitting]
        most = max((weight for weight, _ in found), default=0.0)
        return [(each.commonness * exp(weight - most), each) for weight, each in found]

    def changes(self, candidate: _ChangedLog) -> tuple[Change, ...]:
        """Return a candidate as lines before and after."""
        if not candidate.changed:
            before, after = (_sizes(table) for table in (self.table, candidate.table))
            return (Change(entry=None, before=before, after=after),)
        return tuple(
            Change(
                entry=entry,
                before=format_line(self.observations[entry - 1], self.table),
                after=format_line(observation, self.table),
            )
            for entry, observation in candidate.changed
        )

    def _slips(self, entry: int) -> list[tuple[float, observed.Observation, list[int]]]:
        """Return what an entry could have said: how common the slip is, and selectors for it."""
        found = []
        for commonness, observation in lines_meant(self.table, self.observations, entry):
            alone = knowledge_of(self.table, [observation], viewer=self.viewer)
            selectors = [
                self.solver.guarded(clause._replace(entries=())) for clause in alone.clauses
            ]
            found.append((commonness, observation, selectors))
        return found

    def _selectors(self, out: tuple[int, ...]) -> list[int]:
        return [self.solver.entry(number) for number in self.entries if number not in out]

    def _fits(self, assumptions: list[int]) -> bool:
        return self.solver.model(assumptions) is not None


def lines_meant(
    table: Table, observations: Sequence[observed.Observation], entry: int, *, heard: bool = False
) -> Iterator[tuple[float, observed.Observation]]:
    """
    Yield what an entry could have said, each with how common the slip is.

    Args:
        table, observations: The log.
        entry: The entry's number, counted from 1.
        heard: Leave out that what was written was not heard at all.
    """
    written = observations[entry - 1]
    state = TurnState.of(observations[: entry - 1])
    kinds: dict[observed.Observation, Kind] = {}
    for kind, meant in slips(written, table):
        if heard and kind == "unheard":
            continue
        try:
            settled = normalise(meant, table, state)
        except NotationError:
            continue
        if settled != written:
            kinds.setdefault(settled, kind)
    ways = Counter(kinds.values())
    for observation, kind in kinds.items():
        yield COMMON[kind] / ways[kind], observation


def slips(
    written: observed.Observation, table: Table
) -> Iterator[tuple[Kind, observed.Observation]]:
    """
    Yield what may have been meant where this was written, with the kind of slip.

    Some of it may not be possible at the table, some may be what was written, some comes twice.
    """
    match written:
        case observed.Suggestion() | observed.Finger():
            yield from _suggestion_slips(written, table)
        case observed.Question():
            yield from _question_slips(written, table)
        case observed.Hand(cards=cards):
            yield from _varied(written, "card", "cards", _exchanged(cards, table))
        case observed.Look(by=by, holder=holder, card=card):
            yield "unheard", replace(written, card=None)
            yield from _varied(written, "card", "card", _others(card, table))
            places = (place for place in table.holders[:-1] if place not in (by, holder))
            yield from _varied(written, "player", "holder", places)
        case observed.Peek(feature=feature):
            yield "unheard", replace(written, feature=None)
            if feature is not None:
                yield from _varied(written, "card", "feature", table.edition.features)
        case observed.Reveal(card=card, to=to):
            yield from _varied(written, "card", "card", _others(card, table))
            yield from _varied(written, "player", "seat", (s for s in table.seats if s != to))
        case observed.Nobody(card=card):
            yield from _varied(written, "card", "card", _others(card, table))
        case observed.Accusation(cards=cards, right=right):
            yield "verdict", replace(written, right=not right)
            yield from _varied(written, "card", "cards", _exchanged(cards, table))
        case observed.Knowing(has=has, lacks=lacks):
            yield "verdict", replace(written, has=lacks, lacks=has)
            named = _exchanged(has or lacks, table)
            yield from _varied(written, "card", "has" if has else "lacks", named)
            yield from _varied(written, "player", "holder", table.holders)
        case observed.Skip() | observed.Roll() | observed.Move():
            yield from _varied(written, "player", "by", table.seats)


def _varied(
    written: observed.Observation, kind: Kind, field: str, meant: Iterable[object]
) -> Iterator[tuple[Kind, observed.Observation]]:
    """Yield the observation with other values in one field."""
    for value in meant:
        if value != getattr(written, field):
            yield kind, replace(written, **{field: value})


def _suggestion_slips(
    written: observed.Suggestion | observed.Finger, table: Table
) -> Iterator[tuple[Kind, observed.Observation]]:
    answers = written.answers
    yield "unheard", replace(written, answers=())
    if answers and not table.everyone_shows:
        heard = tuple(answer for answer in answers if answer.answer == "passes")
        yield "unheard", replace(written, answers=(*heard, observed.Answer(answer="unheard")))
    yield from _varied(written, "shower", "answers", _answers_meant(written, table))
    for place, answer in enumerate(answers):
        for card in written.cards if answer.card else ():
            changed = _with(answers, place, replace(answer, card=card))
            yield "shown card", replace(written, answers=changed)
    for place, card in enumerate(written.cards):
        for name in _others(card, table, everywhere=True):
            cards = _with(written.cards, place, name)
            moved = tuple(replace(a, card=name) if a.card == card else a for a in answers)
            yield "asked card", replace(written, cards=cards, answers=moved)
    unseen = all(answer.card is None for answer in answers)  # who saw the card knows who asked
    for by in table.seats if answers and unseen else ():
        given = tuple(answer for answer in answers if answer.answer == "shows")
        if table.everyone_shows:
            given = tuple(answer for answer in answers if answer.seat != by)
        if by != written.by and all(answer.seat != by for answer in given):
            yield "player", replace(written, by=by, answers=given or _all_pass(by, table))


def _answers_meant(
    written: observed.Suggestion | observed.Finger, table: Table
) -> Iterator[tuple[observed.Answer, ...]]:
    """Yield the answers with another shower, or with none."""
    answers = written.answers
    if not answers:
        return
    if table.everyone_shows:
        for place, answer in enumerate(answers):
            reply: observed.Reply = "shows" if answer.answer == "passes" else "passes"
            yield _with(answers, place, observed.Answer(seat=answer.seat, answer=reply))
        for (a, one), (b, other) in combinations(enumerate(answers), 2):
            swapped = _with(answers, a, replace(other, seat=one.seat))
            yield _with(swapped, b, replace(one, seat=other.seat))
        return
    card = next((answer.card for answer in answers if answer.card is not None), None)
    yield _all_pass(written.by, table)
    for seat in table.answering(written.by):
        yield (observed.Answer(seat=seat, answer="shows", card=card),)


def _all_pass(by: str, table: Table) -> tuple[observed.Answer, ...]:
    return tuple(observed.Answer(seat=seat, answer="passes") for seat in table.answering(by))


def _question_slips(
    written: observed.Question, table: Table
) -> Iterator[tuple[Kind, observed.Observation]]:
    yield "unheard", replace(written, answer="unheard", card=None)
    if written.answer == "shows":
        yield "shower", replace(written, answer="passes", card=None)
    elif written.answer == "passes":
        yield "shower", replace(written, answer="shows")
    if written.card is not None:
        yield from _varied(written, "shown card", "card", table.cards)
    for place, thing in enumerate(written.about):
        pool = table.edition.features if thing in table.edition.features else None
        for name in pool or _others(thing, table, everywhere=True):
            yield "asked card", replace(written, about=_with(written.about, place, name))
    seats = (seat for seat in table.seats if seat != written.by)
    yield from _varied(written, "player", "seat", seats)


def _with(things: tuple[T, ...], place: int, thing: T) -> tuple[T, ...]:
    """Return the things with another one at a place."""
    return (*things[:place], thing, *things[place + 1 :])


def _others(card: str | None, table: Table, *, everywhere: bool = False) -> Iterator[str]:
    """Yield the other cards of a card's category; those face-up only where `everywhere`."""
    for kind in table.edition.category:
        names = [each.name for each in kind.cards]
        if card in names:
            for name in names:
                if name != card and (everywhere or name not in table.face_up):
                    yield name


def _exchanged(cards: tuple[str, ...], table: Table) -> Iterator[tuple[str, ...]]:
    for place, card in enumerate(cards):
        for name in _others(card, table):
            if name not in cards:
                yield _with(cards, place, name)


def _deals(table: Table) -> int:
    """Return how many ways there are to deal hands of recorded sizes."""
    if not table.hands or None in table.hands:
        return 1
    return factorial(table.dealt) // prod(factorial(size or 0) for size in table.hands)


def _sizes(table: Table) -> str:
    return "hands: " + ", ".join("?" if size is None else str(size) for size in table.hands)
