"""
What is doubtful about a line before it is taken: what a careful friend at the table would ask.

What cannot be, such as showing a card that is not in the own recorded hand, is refused; all else is
a question, with the lines that would answer it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, islice
from typing import Literal, NamedTuple

from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.answers.display import draw
from clue_solver.game import Game
from clue_solver.notation.canonical import format_answer
from clue_solver.notation.names import joined
from clue_solver.notation.places import answer_of, passes
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.record import Entry, Record
from clue_solver.rules import forms
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Breach, Play
from clue_solver.rules.table import Table
from clue_solver.rules.turns import over_since


class DoubtChoice(NamedTuple):
    """
    One way to settle a doubt.

    Attributes:
        kind: `told`: what is told is as `names` say; `was`: it was the seat in `names` who did it;
            `skips`: these seats skip first; `earlier`: it is put in `before` an entry; `instead`:
            it takes the place of an `entry`, a skip; `late`: it is the answer to an `entry`; the
            line is the `same` as an entry and left out, `stands` as it is, or does with the turn
            `missed`, or as the `turn` of a seat.
        told: What to tell instead of the doubtful line, in order.
        names: A name, or some words of a line; seats.
        entry: The number of the entry that the last of them replaces; `None` for a new one.
        before: The number of the entry before which it is put in; `None` for the end.
        seat: Who shows a card in it; `None` for nobody.

    >>> from clue_solver import Session, load
    >>> session = Session(load("examples/classic.clue").record.upto(4))
    >>> doubt = session.doubts("dan suggests plum, rope, hall: ann")[0]
    >>> [choice.label for choice in doubt.choices]
    ['Plum', 'shows ? (missed)']
    """

    kind: Literal[
        "told",
        "was",
        "skips",
        "earlier",
        "instead",
        "late",
        "same",
        "stands",
        "missed",
        "turn",
    ]
    told: tuple[Reading, ...]
    names: tuple[str, ...] = ()
    entry: int | None = None
    before: int | None = None
    seat: str | None = None

    @property
    def label(self) -> str:
        """What a list calls it: `Plum`, `shows ?`, `Cat skips`."""
        return str(draw(self, "question"))

    @property
    def stands(self) -> bool:
        """Whether that takes the line as it stands, this doubt put aside."""
        return self.kind in ("stands", "missed", "turn")

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines to tell instead."""
        return tuple(told.line for told in self.told)

    @property
    def left_open(self) -> bool:
        """Whether it leaves out on purpose what is asked for."""
        return bool(self.told) and self.told[-1].unheard


DoubtKind = Literal[
    "clash",
    "card seen",
    "card shown",
    "not seen",
    "no answers",
    "turn",
    "rule",
    "lacking",
    "late",
    "hand",
    "seats",
]

# what a line contradicts; a card that it shows; what it lacks; its answers; whose turn it is
_Clash = Literal["contradicts", "held"]
_Card = Literal["shown", "seen", "seen there", "left out", "by viewer"]
_Lacking = Literal["who shows", "which", "which line", "either", "who accuses", "late"]
_Answers = Literal["answer", "seat's answer", "others' answer"]
_Turn = Literal[
    "over",
    "out",
    "left",
    "skipped",
    "same",
    "in place",
    "whose",
    "against turn",
    "twice",
    "untaken",
]

# what is against the rules of play: where one is, what was done already, the dice, the order
_Reach = Literal["too far", "roll too low", "no way"]
_Place = Literal["elsewhere", "no room", "has to leave", "looks first"]
_Done = Literal["rolled", "moved", "used", "drew"]
_Dice = Literal["no such roll", "no such icons", "other dice", "other die", "deck"]
_Order = Literal["first", "too late", "not in it"]

_Hand = Literal["hand", "hand of", "rest of hand"]
_Seats = Literal["passed"]

Question = (
    _Clash
    | _Card
    | _Lacking
    | _Answers
    | _Turn
    | _Reach
    | _Place
    | _Done
    | _Dice
    | _Order
    | _Hand
    | _Seats
)
"""What is asked about a line; `views.sentences` has the words."""


DoubtAnswer = DoubtChoice | Literal["yes", "no"]
"""A choice, or that the line is taken as it stands, or not at all."""


class Doubt(NamedTuple):
    """
    What a careful friend would ask before taking a line.

    Attributes:
        kind: `clash`: it contradicts the log; `card seen`, `card shown`: the viewer must have seen
            a card that it leaves out; `not seen`: it tells a card that the viewer cannot have
            seen; `no answers`: it has none; `turn`: it is not that seat's,
            that seat is out, or the game is over; `lacking`: it leaves out a name or a word that
            does not follow from the lines before; `late`: it is no line by itself, but the answer
            that an entry lacks; `rule`: it is against another rule of play; `hand`: the viewer's
            hand is not recorded yet; `seats`: in another order of the players, some passes that
            were said cannot be.
        asks: The question.
        seats, names, entries: What it is about; of a late answer `names` is the line that lacks it.
        numbers: The points and the steps that it is about.
        choices: What may be told instead; none where only the player can know.
        serious: Whether the line as it stands is probably wrong, or lacks what the viewer saw.
        asked: What lacks its answers, or the rest of its cards, where these may be told instead of
            a choice.

    >>> from clue_solver import Session, load
    >>> session = Session(load("examples/classic.clue").record.upto(4))
    >>> doubt = session.doubts("dan suggests plum, rope, hall: ann")[0]
    >>> doubt.kind, doubt.question
    ('card shown', 'Which card did you show Dan?')
    """

    kind: DoubtKind
    asks: Question
    choices: tuple[DoubtChoice, ...] = ()
    serious: bool = True
    asked: Observation | None = None
    seats: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    entries: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<Doubt: {self.kind}: {self.question}>"

    @property
    def question(self) -> str:
        """The question, a plain sentence."""
        return str(draw(self, "question"))

    @property
    def yes(self) -> bool:
        """Whether it asks for a yes or no, and yes is what its first choice says."""
        return self.kind in ("turn", "not seen", "late", "rule")

    @property
    def may_stand(self) -> bool:
        """Whether the line can be taken as it stands."""
        return self.kind not in ("lacking", "late")

    def fitting(self, said: str) -> tuple[DoubtAnswer, ...]:
        """
        Return the answers that are meant by what is said, in small letters, or that begin so.

        A number or a whole word of a label as it is shown, `2` or `ben`, comes before the
        beginnings of words. Yes takes the line as it stands, or is the first choice; no leaves the
        line. Where choices are asked for, they come before both.
        """
        for words in self._worded():
            for fits in (str.__eq__, str.startswith):
                answers = [
                    answer for answer, names in words if any(fits(name, said) for name in names)
                ]
                if answers:
                    return tuple(answers)
        return ()

    def _worded(self) -> Iterator[Sequence[tuple[DoubtAnswer, tuple[str, ...]]]]:
        """Yield the answers that come first with the words that mean them, then the others."""
        choices: list[tuple[DoubtAnswer, tuple[str, ...]]] = []
        for number, choice in enumerate(self.choices, 1):
            label = choice.label.casefold()
            yes = ("yes",) if self.yes and number == 1 else ()
            choices.append((choice, (str(number), label, *label.replace(",", "").split(), *yes)))
        others: list[tuple[DoubtAnswer, tuple[str, ...]]] = [("no", ("no",))]
        if self.may_stand and not (self.yes and choices):
            others.append(("yes", ("yes",)))
        if self.kind == "clash" or self.yes:
            yield (*choices, *others)
        else:
            yield choices
            yield others


class Place(NamedTuple):
    """
    Where a line goes.

    Attributes:
        entry: The number of the entry that it replaces; `None` where it is a new one at the end.
        insert: Whether it is put in before that entry instead.
    """

    entry: int | None = None
    insert: bool = False


def doubts_of(game: Game, told: Reading, *, place: Place, play: Play) -> tuple[Doubt, ...]:
    """
    Return what to ask before a line is taken, the gravest first.

    Args:
        game: The game so far.
        told: What the line tells.
        place: Where it goes.
        play: The state of play before it.
    """
    return tuple(_Doubts(game, told, place, play).all())


def completed(game: Game, told: Reading, *, place: Place, play: Play) -> Reading:
    """Return a line with the card that the viewer saw, where it can be one card alone."""
    doubts = _Doubts(game, told, place, play)
    if not doubts.sound:
        return told
    for doubt in doubts.unseen():
        if len(doubt.choices) == 2:  # the other leaves it out
            (whole,) = doubt.choices[0].told
            return replace(
                whole,
                guessed=told.guessed,
                comment=told.comment,
                said=told.said,
                sorted=told.sorted,
            )
    return told


def whose_turn(told: Reading) -> Doubt:
    """
    Return the question whether a line that leaves its player out is that seat's all the same.

    It is asked where the line before was left without an answer, which may have been that turn.
    """
    seats = (str(told.guessed),)
    ways = (DoubtChoice("turn", (told,), seats),)
    return Doubt("turn", "untaken", ways, serious=False, seats=seats)


def missing_hand(record: Record) -> Doubt | None:
    """Return the question for the viewer's hand, with its size; `None` where it is recorded."""
    table = record.table
    if table.viewer is None or own_hand(record) is not None:
        return None
    least, most = table.size_bounds()[table.seats.index(table.viewer)]
    hand = observed.Hand(seat=table.viewer, cards=())
    if least != most:
        return Doubt("hand", "hand", asked=hand)
    return Doubt("hand", "hand of", asked=hand, numbers=(least,))


def concerns_hand(observation: Observation, table: Table) -> bool:
    """Whether the viewer asks in it, or answers: what that tells follows from the own hand, too."""
    asks = isinstance(observation.form.tail, forms.AnswerList | forms.SingleAnswer)
    if asks and getattr(observation, observation.form.subject) == table.viewer:
        return True
    return any(seat == table.viewer for seat, _, _ in answers_of(observation, table))


def refuse_own(record: Record, observation: Observation) -> None:
    """
    Refuse what the viewer did with a card that its recorded hand lacks, or has.

    Raises:
        NotationError: If it is so.
    """
    viewer = record.table.viewer
    own = own_hand(record)
    if viewer is None or own is None:
        return
    for seat, answer, asked in answers_of(observation, record.table):
        held = tuple(card for card in asked if card in own)
        reason = ""
        if seat != viewer:
            continue
        if answer.card is not None and answer.card not in own:
            reason = f"you do not hold {answer.card}: expected {joined(held or ('passes',))}"
        elif answer.answer == "shows" and not held:
            reason = f"you hold none of these cards: expected {viewer} passes"
        elif answer.answer == "passes" and held:
            you = f"you hold {joined(held, 'and')}, so you cannot pass"
            reason = f"{you}: type '{viewer} shows {held[0]}'"
        if reason:
            raise errors.NotationError(reason, nearest=held)
    match observation:
        case (
            observed.Reveal(seat=seat, card=str(card)) | observed.Look(holder=seat, card=str(card))
        ):
            if seat == viewer and card not in own:
                raise errors.NotationError(
                    f"you do not hold {card}: expected {joined(sorted(own))}"
                )
        case _:
            pass


def own_refusal(record: Record, observation: Observation) -> errors.NotationError | None:
    """Return what `refuse_own` raises; `None` if nothing."""
    try:
        refuse_own(record, observation)
    except errors.NotationError as error:
        return error
    return None


def impossible(record: Record, observation: Observation) -> bool:
    """Whether the viewer's recorded hand rules a line out: what it shows, what others show."""
    own = own_hand(record) or ()
    if own_refusal(record, observation) is not None:
        return True
    shown = ((seat, answer.card) for seat, answer, _ in answers_of(observation, record.table))
    return any(card in own and seat != record.table.viewer for seat, card in shown)


def clashes(game: Game, observation: Observation, place: Place) -> bool:
    """
    Return whether a line contradicts the log in its place.

    Nothing does so in a log that contradicts itself without it.
    """
    log = game.observations
    at = len(log) if place.entry is None else place.entry - 1
    after = log[at:] if place.insert else log[at + 1 :]
    return not game.fits((*log[:at], observation, *after)) and game.fits((*log[:at], *after))


def own_hand(record: Record) -> frozenset[str] | None:
    """Return the viewer's whole hand, where it is recorded."""
    held = [
        observation for observation in record.observations if isinstance(observation, observed.Hand)
    ]
    own = [hand.cards for hand in held if hand.seat == record.table.viewer]
    return frozenset(own[-1]) if own else None


class Answered(NamedTuple):
    """Who answered what, and the cards that were asked for."""

    seat: str | None
    answer: observed.Answer
    asked: tuple[str, ...]


def answers_of(observation: Observation, table: Table) -> list[Answered]:
    """Return the answers that an observation tells."""
    match observation.form.tail:
        case forms.AnswerList(field=field, asked=asked):
            cards = getattr(observation, asked)
            return [Answered(answer.seat, answer, cards) for answer in getattr(observation, field)]
        case forms.SingleAnswer(field=field, card=card, asked=asked, seat=seat):
            cards = notation.lexicon_of(table).marked_by(getattr(observation, asked))
            who, said = getattr(observation, seat), getattr(observation, field)
            answer = observed.Answer(seat=who, answer=said, card=getattr(observation, card))
            return [Answered(who, answer, cards)]
        case _:
            return []


def unclear(ways: Sequence[Reading], record: Record, opened: int | None) -> Doubt | None:
    """
    Return the question for what a line leaves open; `None` where that is too much to ask.

    Args:
        ways: All that it can mean: several things, one with a gap, or a late answer.
        record: The game so far.
        opened: The entry that waits for its answers.
    """
    whole = [way for way in ways if way.observation is not None]
    if not whole:
        return _left_out(ways, record)
    if len(whole) > _MOST_ASKED:
        return None
    table = record.table
    lines = [notation.format_line(way.told, table) for way in whole]
    plain = [replace(way, line=line) for way, line in zip(whole, lines, strict=True)]
    if len(whole) == 1:
        assert opened is not None
        names = (notation.format_line(_heard(record.observations[opened - 1]), table),)
        ways_in = (DoubtChoice("late", (plain[0],), entry=opened),)
        return Doubt("late", "late", ways_in, names=names, entries=(opened,))
    cards = _cards_apart(whole)
    labels = (
        cards
        or _answers_apart(whole)
        or [
            f"entry {opened}: {line}" if way.late else line
            for way, line in zip(whole, lines, strict=True)
        ]
    )
    choices = tuple(
        DoubtChoice("told", (way,), (label,), entry=opened if way.late else None)
        for way, label in zip(plain, labels, strict=True)
    )
    if cards:
        return Doubt("lacking", "which", choices, names=("card",))
    return Doubt("lacking", "which line", choices)


def _heard(observation: Observation) -> Observation:
    """Return an observation without what says that the rest of its answers was not heard."""
    answers = getattr(observation, "answers", ())
    heard = tuple(answer for answer in answers if answer.seat is not None)
    return observation if heard == answers else replace(observation, answers=heard)


_MOST_ASKED = 4
"""The most readings of a line that are asked about."""

_MOST_CHOICES = 24
"""The most names that a question lists."""


def _left_out(ways: Sequence[Reading], record: Record) -> Doubt | None:
    """Return the question for the one name that a line leaves out."""
    table = record.table
    gaps = [way.gap for way in ways if way.gap is not None]
    if len({(way.kind, gap.field) for way, gap in zip(ways, gaps, strict=True)}) > 1:
        return None
    first = ways[0]
    if first.kind is observed.Hand:
        hand = observed.Hand(**first.fields)
        left = table.size_bounds()[table.seats.index(hand.seat)][0] - len(hand.cards)
        own = hand.seat == table.viewer
        return Doubt("hand", "rest of hand", asked=hand, numbers=(left,)) if own else None
    choices: dict[str, DoubtChoice] = {}
    for way, gap in zip(ways, gaps, strict=True):
        for name in gap.names:
            with suppress(errors.NotationError):
                filled = way.filled(name)
                if not impossible(record, filled.told):
                    filled = replace(filled, line=notation.format_line(filled.told, table))
                    choices[name] = DoubtChoice("told", (filled,), (name,))
    if not 0 < len(choices) <= _MOST_CHOICES:
        return None
    every = tuple(choices.values())
    if gaps[0].field == "answers":
        answers = (answers_of(choice.told[0].told, table)[-1].answer for choice in every)
        answered = zip(every, answers, strict=True)
        shown = [(choice, answer.seat, answer.card) for choice, answer in answered]
        every = tuple(
            choice._replace(names=(f"{seat} shows {card or ''}".rstrip(),), seat=seat)
            for choice, seat, card in shown
        )
        card = next((card for _, _, card in shown if card), "a card")
        return Doubt("lacking", "who shows", every, names=(card,))
    kinds = {table.edition.category_of.get(name) for name in choices}
    if None in kinds:
        return Doubt("lacking", "either", every, names=tuple(choices))
    kind = "card" if len(kinds) > 1 else str(*kinds)
    return Doubt("lacking", "which", every, names=(kind,))


def _cards_apart(ways: Sequence[Reading]) -> list[str]:
    """Return the card of each reading, where they differ in that one card; else nothing."""
    every = [Counter(_cards_in(way.told)) for way in ways]
    shared = every[0]
    for cards in every:
        shared = shared & cards
    apart = [[*(cards - shared)] for cards in every]
    alike = len({(way.kind, way.late) for way in ways}) == 1
    if not alike or any(len(cards) != 1 for cards in apart):
        return []
    return [card for cards in apart for card in cards]


def _answers_apart(ways: Sequence[Reading]) -> list[str]:
    """Return the answers of each reading, where they differ in these; else nothing."""
    asked = {replace(way.told, answers=()) for way in ways if _answered(way.told)}
    if len(asked) > 1 or not all(_answered(way.told) for way in ways):
        return []
    said = [getattr(way.told, "answers", ()) for way in ways]
    return [
        "nobody shows"
        if all(answer.answer == "passes" for answer in answers)
        else ", ".join(map(format_answer, answers))
        for answers in said
    ]


def _answered(observation: Observation) -> bool:
    """Whether an observation tells the answers of several seats."""
    return bool(getattr(observation, "answers", ()))


def _cards_in(observation: Observation) -> Iterator[str]:
    """Yield the cards and features that an observation names."""
    for field, bearers in observation.form.bearers().items():
        named = getattr(observation, field, None)
        if bearers in ("cards", "things") and named is not None:
            yield from (named,) if isinstance(named, str) else named
    yield from (answer.card for answer in getattr(observation, "answers", ()) if answer.card)


class _Doubts:
    """What is doubtful about one line."""

    def __init__(
        self,
        game: Game,
        said: Reading,
        place: Place,
        play: Play,
    ) -> None:
        observations = game.observations
        self.new = place.entry is None
        at = len(observations) if place.entry is None else place.entry - 1
        self.before, self.after = observations[:at], observations[at:]
        self.replaced: Observation | None = None
        if not (self.new or place.insert):
            self.replaced, *_ = self.after
            self.after = self.after[1:]
        self.game = game
        self.said = said
        self.told = said.told
        self.table = game.table
        self.play = play
        self.state = play.turns
        self.unheard = said.unheard
        self.line = notation.format_line(self.told, self.table)
        self.viewer, self.own = self.table.viewer, own_hand(game.record) or frozenset()
        self.by = str(getattr(self.told, self.told.form.subject, ""))

    def all(self) -> Iterator[Doubt]:
        """Yield the doubts, the gravest first."""
        shown = ((seat, answer.card) for seat, answer, _ in answers_of(self.told, self.table))
        own = [(seat, card) for seat, card in shown if seat != self.viewer and card in self.own]
        if self.sound and not (self.stands or self.fits(self.told)):
            yield Doubt("clash", "contradicts", entries=self.against())
        elif own:
            seat, card = own[0]
            yield Doubt("clash", "held", seats=(str(seat),), names=(str(card),))
        else:
            yield from islice(self.unseen(), 1)
            yield from islice(self.not_seen(), 1)
            if not self.unheard:
                yield from self.unanswered()
        turns = self.table.keeps("turns")
        if self.told.turn and self.new:
            out = self.out_of_play() if turns else ()
            yield from out or chain(self.accuser(), self.out_of_turn() if turns else ())
            if not out:
                yield from self.against_the_rules()
        elif self.told.turn and turns:
            yield from self.displaced()

    def fits(self, *observations: Observation) -> bool:
        """Return whether the log can be true with this in the place of the line."""
        try:
            return self.game.fits((*self.before, *observations, *self.after))
        except errors.TooLarge:
            return True

    @cached_property
    def stands(self) -> bool:
        """Whether the line is what its entry says already, in a log that can be true."""
        if self.replaced != self.told:
            return False
        try:
            self.game.deduction.possible(len(self.game.observations))
        except errors.ClueError:
            return False
        return True

    @cached_property
    def sound(self) -> bool:
        """Whether the log can be true without the line."""
        return self.stands or self.fits()

    def against(self) -> tuple[int, ...]:
        """Return which entries the line contradicts; none where it contradicts the deal."""
        observations = (*self.before, self.told, *self.after)
        entries = tuple(Entry(observation=observation) for observation in observations)
        log = replace(self.game.record, entries=entries)
        own = len(self.before) + 1
        conflict = self.game.changed(log).report().conflict
        return tuple(entry for entry in conflict if entry != own)

    def unseen(self) -> Iterator[Doubt]:
        """Yield a doubt for each card that the viewer must have seen and that is left out."""
        observation, sight, tail = self.told, self.told.sight, self.told.form.tail
        for place, (seat, answer, asked) in enumerate(answers_of(observation, self.table)):
            if answer.answer != "shows" or answer.card or len(asked) < 2:
                continue
            if seat in self.said.left_out:
                continue
            if self.viewer == seat:
                cards = [card for card in asked if card in self.own or not self.own]
                lines = self.shown_by(self.viewer, place, cards)
                yield self.which("shown", lines, seat)
            elif self.viewer == self.by:
                lines = self.shown_by(seat, place, asked)
                yield self.which("seen", lines, seat)
        by = [getattr(observation, field) for field in sight.by]
        seen = getattr(observation, sight.hidden) if sight.hidden else ()
        single = isinstance(tail, forms.SingleAnswer)
        if seen is None and self.viewer in by and not single and not self.unheard:
            bearers = observation.form.bearers()[sight.hidden]
            names = notation.lexicon_of(self.table).of(bearers).names
            lines = self.filled(
                {name: replace(observation, **{sight.hidden: name}) for name in names}
            )
            yield self.which("seen there", lines, None)

    def not_seen(self) -> Iterator[Doubt]:
        """Yield a doubt for a card that was shown where the viewer could not see it."""
        for place, (seat, answer, _) in enumerate(answers_of(self.told, self.table)):
            if answer.card and self.viewer not in (None, self.by, seat):
                line = reading_of(_shown(self.told, place, None), self.table)
                own = tuple(self.told_of(self.viewer)) if self.new and self.said.guessed else ()
                yield Doubt(
                    "not seen",
                    "by viewer" if own else "left out",
                    (*own, DoubtChoice("told", (line,), ("shows",)), self.as_it_stands()),
                    seats=(self.by, str(seat), self.viewer),
                    names=(answer.card,),
                )

    @property
    def whole(self) -> Reading:
        """What is told, in full: whose turn it is follows no more once others are told before."""
        return replace(self.said, line=self.line, guessed=None)

    def as_it_stands(self, kind: Literal["stands", "missed"] = "stands") -> DoubtChoice:
        """Return the choice of the line itself."""
        return DoubtChoice(kind, (replace(self.said, line=self.line),))

    def shown_by(self, seat: str | None, place: int, cards: Sequence[str]) -> list[DoubtChoice]:
        """Return the ways that fit the log in which a seat has shown one of the cards."""
        ways = {card: _shown(self.told, place, card) for card in cards}
        if not self.stands or seat is None:
            return self.filled(ways)
        # The log says that one was shown: it is any that the seat can have.
        fit = {card: way for card, way in ways.items() if self.game.can_have(card, seat)}
        return self.filled(fit, fit=True)

    def filled(
        self,
        ways: Mapping[str, Observation],
        seats: Mapping[str, str] | None = None,
        *,
        fit: bool = False,
    ) -> list[DoubtChoice]:
        """Return the ways that fit the log as choices, with who shows; all, where they do `fit`."""
        shows = seats or {}
        return [
            DoubtChoice(
                "told", (reading_of(observation, self.table),), (name,), seat=shows.get(name)
            )
            for name, observation in ways.items()
            if fit or not self.sound or self.fits(observation)
        ]

    def which(
        self,
        asks: Literal["shown", "seen", "seen there"],
        ways: list[DoubtChoice],
        seat: str | None,
    ) -> Doubt:
        """Return the question for a card, which may be left out on purpose."""
        seats = self.said.left_out if seat is None else self.said.left_out | {seat}
        left_out = reading_of(self.told, self.table, left_out=seats, unheard=True)
        unseen = DoubtChoice("told", (left_out,), ("?" if seat is None else "shows ?",))
        kind: DoubtKind = "card shown" if asks == "shown" else "card seen"
        other = self.by if asks == "shown" else seat
        about = () if other is None else (other,)
        return Doubt(kind, asks, (*ways, unseen), asked=self.told, seats=about)

    def unanswered(self) -> Iterator[Doubt]:
        """Yield a doubt where a question has no answer, or none from somewhere on."""
        asks: Question = "answer"
        asked_of: tuple[str, ...] = ()
        match self.told.form.tail:
            case forms.AnswerList(field=field, asked=asked):
                answers = getattr(self.told, field)
                if answers and answers[-1].seat is not None:
                    return
                mine = [card for card in getattr(self.told, asked) if card in self.own]
                heard = {answer.seat for answer in answers}
                order = self.table.answering(self.by, left=self.state.left)
                seats = () if self.table.everyone_shows else order
                if answers:
                    asks = "others' answer"
                shows = {
                    f"{seat} shows {card or ''}".rstrip(): (answer_of(seat, "shows", card),)
                    for seat in seats
                    if seat not in heard
                    for card in (mine if mine and seat == self.viewer else [None])
                }
                said = shows | {"nobody shows": passes(order)}
                by_seat = {label: str(answer[0].seat) for label, answer in shows.items()}
                ways = {
                    label: notation.normalise(
                        replace(self.told, **{field: answer}), self.table, self.state
                    )
                    for label, answer in said.items()
                }
            case forms.SingleAnswer(field=field, seat=seat) if (
                getattr(self.told, field) == "unheard"
            ):
                asks = "seat's answer"
                asked_of = (getattr(self.told, seat),)
                by_seat = {}
                ways = {
                    answer: replace(self.told, **{field: answer}) for answer in ("shows", "passes")
                }
            case _:
                return
        nothing = reading_of(self.told, self.table, unheard=True)
        choices = (*self.filled(ways, by_seat), DoubtChoice("told", (nothing,), ("?",)))
        yield Doubt("no answers", asks, choices, serious=False, asked=self.told, seats=asked_of)

    def out_of_play(self) -> tuple[Doubt, ...]:
        """Return a doubt where the seat is out, or about the first turn after the end."""
        over = over_since(self.table, self.before)
        if over and not any(observation.turn == "ends" for observation in self.before[over:]):
            return (Doubt("turn", "over", serious=False, entries=(over,)),)
        breach = self.play.check(self.told)
        match breach:
            case Breach(rule="out" | "left" as asks):
                verb = "leaves" if asks == "left" else "accuses"
                since = (
                    number
                    for number, observation in enumerate(self.before, 1)
                    if observation.form.verb == verb and getattr(observation, "by", "") == self.by
                )
                entries = (next(since),)
                return (Doubt("turn", asks, serious=False, seats=(self.by,), entries=entries),)
        return ()

    def accuser(self) -> Iterator[Doubt]:
        """Yield a doubt where who has just asked may accuse, or who is next, and it is not said."""
        asked = self.state.seat
        last = next((t for t in reversed(self.before) if t.turn), None)
        again = isinstance(self.told, observed.Accusation) and not isinstance(last, observed.Skip)
        if not (again and asked) or asked in (self.by, *self.state.gone):
            return
        if self.said.guessed:
            accusations = {seat: replace(self.told, by=seat) for seat in (asked, self.by)}
            ways = tuple(
                DoubtChoice("told", (reading_of(accusation, self.table),), (seat,))
                for seat, accusation in accusations.items()
            )
            yield Doubt("lacking", "who accuses", ways)

    def out_of_turn(self) -> Iterator[Doubt]:
        """Yield a doubt where it is another seat's turn, as far as the log tells."""
        breach = self.play.check(self.told)
        if breach is None or breach.rule != "turn":
            return
        skipped, turn = breach.skipped, breach.turn
        skips = (reading_of(observed.Skip(by=seat), self.table) for seat in skipped)
        ways = (
            DoubtChoice("skips", (*skips, self.whole), skipped),
            *self.told_of(turn),
            *self.earlier(),
            self.as_it_stands("missed"),
        )
        seats = (str(turn), *skipped)
        if self.before and self.before[-1] == self.told:
            ways = (DoubtChoice("same", ()), *ways)
            yield Doubt("turn", "same", ways, serious=False, entries=(len(self.before),))
        else:
            yield Doubt("turn", "skipped", ways, serious=False, seats=seats)

    def against_the_rules(self) -> Iterator[Doubt]:
        """Yield a doubt where a rule of play, turns apart, is broken."""
        breach = self.play.check(self.told) if self.table.keeps("play") else None
        if breach is None or breach.rule in ("turn", "out", "left", "over"):
            return
        asks, names, numbers = _about(breach, self.told, self.play.turn_of(self.by), self.by)
        by = (self.by,)
        yield Doubt("rule", asks, serious=False, seats=by, names=names, numbers=numbers)

    def told_of(self, seat: str | None) -> Iterator[DoubtChoice]:
        """Yield the choice of the same turn by another seat, where it can be."""
        with suppress(errors.NotationError):
            other = notation.normalise(self.retold(seat), self.table, self.state)
            refuse_own(self.game.record, other)
            told = reading_of(
                other, self.table, unheard=self.unheard and not getattr(self.told, "answers", ())
            )
            yield DoubtChoice("was", (told,), (str(seat),))

    def retold(self, seat: str | None) -> Observation:
        """Return the same told of another seat; who passes before a card is shown follows anew."""
        observation = replace(self.told, **{self.told.form.subject: seat})
        tail = observation.form.tail
        if not isinstance(tail, forms.AnswerList):
            return observation
        answers = getattr(observation, tail.field)
        shown = any(answer.answer == "shows" for answer in answers)
        passed = [answer for answer in answers if answer.answer == "passes"]
        left = self.state.left
        nobody = len(passed) == len(self.table.answering(self.by, left=left))
        follows = shown and not self.table.everyone_shows
        kept = [
            answer
            for answer in answers
            if answer.answer == "shows"
            or answer.seat is None
            or (answer.seat != seat and not (follows and answer in passed))
        ]
        if nobody and seat is not None:
            order = self.table.answering(seat, left=left)
            kept = [observed.Answer(seat=other, answer="passes") for other in order]
        return replace(observation, **{tail.field: tuple(kept)})

    def earlier(self) -> Iterator[DoubtChoice]:
        """Yield the choice to put it in where the seat's last turn is missing, or was a skip."""
        state = Play.begin(self.table)
        left_out = None
        skip = None
        for number, observation in enumerate(self.before, 1):
            breach = state.check(observation)
            if breach is not None and self.by in breach.skipped:
                left_out = number
            state = state.after(observation)
            if observation.turn and getattr(observation, observation.form.subject) == self.by:
                left_out = None
                skip = number if isinstance(observation, observed.Skip) else None
        if left_out is not None:
            yield DoubtChoice("earlier", (self.whole,), before=left_out)
        elif skip is not None and not isinstance(self.told, observed.Skip):
            yield DoubtChoice("instead", (self.whole,), (self.by,), entry=skip)

    def displaced(self) -> Iterator[Doubt]:
        """Yield a doubt where an edit gives a turn to a seat against the order of turns."""
        after = next((observation for observation in self.after if observation.turn), None)
        skips = observed.Skip(by=self.by)
        if self.replaced is None and after == skips != self.told:
            number = len(self.before) + 1 + self.after.index(skips)
            seats = (self.by,)
            ways = (DoubtChoice("instead", (self.whole,), seats, number), self.as_it_stands())
            yield Doubt("turn", "in place", ways, serious=False, seats=seats, entries=(number,))
            return
        old = () if self.replaced is None else (self.replaced,)
        if not all(observation.turn for observation in old):
            return
        subjects = [getattr(observation, observation.form.subject) for observation in old]
        (seat,) = subjects or [self.state.turn(self.table)]
        same = seat == self.by
        if seat is None or (same and old) or self.jumps(self.told) <= self.jumps(*old):
            return
        was = () if same else tuple(self.told_of(seat))
        yield Doubt(
            "turn",
            "twice" if same else "whose" if was else "against turn",
            (*was, self.as_it_stands()),
            serious=False,
            seats=(seat, self.by),
        )

    def jumps(self, *observations: Observation) -> int:
        """Return how often turns are left out, with this in the line's place, up to the next."""
        following = islice((observation for observation in self.after if observation.turn), 1)
        state = self.play
        count = 0
        for observation in (*observations, *following):
            breach = state.check(observation)
            count += breach is not None and breach.rule in ("turn", "out", "left")
            state = state.after(observation)
        return count


def _shown(observation: Observation, place: int, card: str | None) -> Observation:
    """Return what was told with the card of one answer."""
    match observation.form.tail:
        case forms.AnswerList(field=field):
            answers = list(getattr(observation, field))
            answers[place] = replace(answers[place], card=card)
            return replace(observation, **{field: tuple(answers)})
        case forms.SingleAnswer(card=field):
            return replace(observation, **{field: card})
    return observation


def _about(
    broken: Breach, observation: Observation, play: Play, by: str
) -> tuple[Question, tuple[str, ...], tuple[int, ...]]:
    """Return the question about a broken rule, with the names and numbers that it is about."""
    names = broken.expected
    place = () if broken.place is None else (broken.place,)
    roll = () if broken.roll is None else (broken.roll,)
    match broken.rule, observation:
        case "reach", _ if roll and (far := _steps(play, by, broken.place)):
            return "too far", place, (*roll, far)
        case "reach", _ if roll:
            return "roll too low", place, roll
        case "reach", _:
            return "no way", place, ()
        case "place", observed.Stay() | observed.Accusation():
            return "no room", (), ()
        case "place", _ if names:
            return "elsewhere", (*place, *names), ()
        case "place", _:
            return "no way", place, ()
        case "stay", _:
            return "has to leave", place, ()
        case "look", _:
            return "looks first", place, ()
        case "again", observed.Roll():
            return "rolled", (), ()
        case "again", observed.Move() | observed.Stay():
            return "moved", (), ()
        case "again", observed.Draw():
            return "drew", (), ()
        case "again", _:
            return "used", (), ()
        case "dice", observed.Roll(total=total):
            return "no such roll", (), roll if total is not None else ()
        case "dice", observed.Draw():
            return "no such icons", (), roll
        case "dice", observed.Suggestion():
            return "other dice", names, ()
        case "dice", _:
            return "other die", names, ()
        case "deck", _:
            return "deck", names, ()
        case "order", observed.Accusation() if not names:
            return "too late", (), ()
        case "order", _ if names:
            return "first", names, ()
        case "order", _:
            return "too late", (), ()
    return "not in it", (play.rules.edition.title, observation.form.verb), ()


def _steps(play: Play, by: str, place: str | None) -> int | None:
    """Return the steps from where the piece stands to a room, where both are known."""
    here = play.place(by)
    if here is None or place not in play.rules.ground.bit:
        return None
    return play.rules.ground.steps_to(here, place)
