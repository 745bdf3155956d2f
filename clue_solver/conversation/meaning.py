"""
What a typed line means in a game: all its readings that the viewer's hand and the log allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.conversation.changes import END, Place, checked, entry_of, with_told
from clue_solver.game import Game
from clue_solver.inference.deduction import Deduction
from clue_solver.notation.names import joined
from clue_solver.notation.reader import Asked, readings
from clue_solver.notation.reading import Reading, reading_of, the_likely, why_not
from clue_solver.record import Record
from clue_solver.rules import forms
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

_MOST_WEIGHED = 12
"""The most meanings of a line that are held against the log."""


# What the viewer's hand rules out.


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
    return []


def own_hand(record: Record) -> frozenset[str] | None:
    """Return the viewer's whole hand if it is recorded."""
    return hand_of(record, record.table.viewer)


def hand_of(record: Record, seat: str | None) -> frozenset[str] | None:
    """Return a seat's whole hand if it is recorded."""
    for told in reversed(record.observations):
        if isinstance(told, observed.Hand) and told.seat == seat:
            return frozenset(told.cards)
    return None


def own_refusal(record: Record, observation: Observation) -> errors.NotationError | None:
    """Return why the viewer's recorded hand rules this out; `None` if it does not."""
    viewer, own = record.table.viewer, own_hand(record)
    if viewer is None or own is None:
        return None
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
            return errors.NotationError(reason, nearest=held)
    match observation:
        case (
            observed.Reveal(seat=seat, card=str(card)) | observed.Look(holder=seat, card=str(card))
        ) if seat == viewer and card not in own:
            return errors.NotationError(f"you do not hold {card}: expected {joined(sorted(own))}")
    return None


def impossible(record: Record, observation: Observation) -> bool:
    """Return whether the viewer's recorded hand rules out what the viewer or others show."""
    own = own_hand(record) or ()
    answers = answers_of(observation, record.table)
    others = (answer.card for seat, answer, _ in answers if seat != record.table.viewer)
    return own_refusal(record, observation) is not None or any(card in own for card in others)


def concerns_hand(observation: Observation, table: Table) -> bool:
    """Return whether the viewer asks or answers in this, so that the viewer's hand matters."""
    seats = [seat for seat, _, _ in answers_of(observation, table)]
    if isinstance(observation.form.tail, forms.AnswerList | forms.SingleAnswer):
        seats.append(getattr(observation, observation.form.subject))
    return table.viewer in seats


def missing_hand(game: Game) -> str | None:
    """
    Return whose hand to ask for: the viewer's; once a game is over, any that is not recorded.

    Nothing is asked about hands that are recorded, or of which each card is certain.
    """
    record, viewer = game.record, game.table.viewer
    for seat in record.table.seats if record.finished else (viewer,):
        if seat is not None and hand_of(record, seat) is None and not _is_known(game, seat):
            return seat
    return None


def _is_known(game: Game, seat: str) -> bool:
    """Return whether each card that a seat may hold is certain to be there."""
    holder = 1 << game.table.place_of(seat)
    try:
        may_hold = game.deduction.possible(len(game.observations))
    except errors.Contradiction:
        return False
    return all(mask == holder for mask in may_hold if mask & holder)


# What the log rules out.


class Candidate:
    """
    A reading of a line that may become an entry, new or edited, with the log before and after it.

    Attributes:
        game: The game as it stands.
        reading, observation: What the line tells.
        place: Where it goes.
        skips: The skips that go in before it in the same step.
        before, replaced, after: The observations before it, the one that it replaces, if any, and
            those after it.
        play: The state of play before it.
        own: The viewer's hand, as far as it is recorded.
        by: Who does it.
        answers: Its answers.
        reveals_other_hand: Whether it tells another's hand: then all that the record holds counts.
    """

    def __init__(
        self, game: Game, reading: Reading, place: Place = END, skips: Sequence[Reading] = ()
    ) -> None:
        self.game, self.table, self.viewer = game, game.table, game.table.viewer
        self.reading, self.observation = reading, reading.whole
        self.place, self.skips = place, tuple(skips)
        there = reduce(with_line, skips, game)
        log = there.observations
        at = len(log) if place.entry is None else place.entry - 1
        after = at if place.insert else at + 1
        self.before, self.replaced, self.after = log[:at], log[at:after], log[after:]
        self.play = there.play(at)
        self.own = own_hand(game.record) or frozenset()
        self.by = str(getattr(self.observation, self.observation.form.subject, ""))
        self.answers = answers_of(self.observation, self.table)
        self.reveals_other_hand = (
            isinstance(self.observation, observed.Hand) and self.observation.seat != self.viewer
        )

    def fits(self, observation: Observation) -> bool:
        """Return whether the log can be true with this in the place of the line."""
        return self._possible((*self.before, observation, *self.after))

    @cached_property
    def sound(self) -> bool:
        """Whether the log can be true without the line."""
        return self._possible((*self.before, *self.after))

    def clashes(self) -> bool:
        """Return whether the line contradicts a log that can be true without it."""
        return not self.fits(self.observation) and self.sound

    def clashing(self) -> tuple[int, ...]:
        """Return the numbers of the other entries with which the line cannot be true."""
        log = self._log((*self.before, self.observation, *self.after))
        try:
            log.possible(log.knowledge.entries)
        except errors.Contradiction as clash:
            return tuple(other for other in clash.entries if other != len(self.before) + 1)
        return ()

    def _possible(self, observations: Sequence[Observation]) -> bool:
        log = self._log(observations)
        try:
            return log.consistent(log.knowledge.entries)
        except errors.TooLarge:
            return True

    def _log(self, observations: Sequence[Observation]) -> Deduction:
        return Deduction(self.game.knowledge(observations, pooled=self.reveals_other_hand))


def clashes(game: Game, told: Observation, place: Place = END) -> bool:
    """Return whether this contradicts, in its place, a log that is consistent without it."""
    return Candidate(game, reading_of(told, game.table), place).clashes()


def with_line(game: Game, told: Reading, place: Place = END) -> Game:
    """
    Return the game with a line in its place.

    Raises:
        NotationError: If the viewer's own hand rules it out, or it or a later one has no meaning.
        ArgumentError: If there is no such entry.
    """
    if (error := own_refusal(game.record, told.whole)) is not None:
        raise error
    if place == END and told.table is game.table and told.state == game.play().turns:
        return game.changed(game.record.longer(told.whole, comment=told.comment))
    record = with_told(game.record, told.whole, place, told.comment)
    return game.changed(checked(record, known=game.record.entries))


# How a line is read.


def state_at(game: Game, place: Place) -> TurnState:
    """Return what earlier entries mean for a line; an `ArgumentError` if that is no place."""
    if place.entry is None:
        return game.play().turns
    entry_of(game.record, place.entry)
    return game.play(place.entry - 1).turns


def read(game: Game, line: str, place: Place = END) -> Reading:
    """
    Return the one thing that a line tells in its place.

    Raises:
        NotationError: If it cannot be read, or in more than one way.
        ArgumentError: If there is no such entry.
    """
    found = meanings(game, line, place)
    if (likely := the_likely(found)) is None:
        raise why_not(found, line)
    return likely


def meanings(
    game: Game, line: str, place: Place = END, *, late: bool = False
) -> tuple[Reading, ...]:
    """
    Return the readings of a line in its place: the complete ones, else those with one gap.

    Readings that the viewer's own hand or the log rules out are dropped, unless none would be left;
    of those that differ in the roles of cards the one in the order of roles is kept.

    Args:
        game: The game.
        line: The line as it was typed.
        place: Where it goes.
        late: Whether it may tell what the entry that waits for its answers lacks.

    Raises:
        NotationError: If it means nothing.
        ArgumentError: If there is no such entry.
    """
    record = game.record
    waits = unanswered_entry(record) if late else None
    asked = None if waits is None else record.observations[waits - 1]
    opened = asked if isinstance(asked, Asked) else None
    found = readings(line, record.table, state_at(game, place), open=opened)
    different: dict[tuple[bool, Observation], Reading] = {}  # of equal ones the first
    for way in found:
        if way.observation is not None:
            different.setdefault(_dedup_key(way), way)
    ways = [*different.values()]
    if not 1 < len(ways) <= _MOST_WEIGHED:
        return tuple(ways) or found
    ways = [way for way in ways if not impossible(record, way.whole)] or ways
    if len(ways) > 1:
        fitting = []
        for way in ways:
            there = Place(waits) if way.late else place
            if not Candidate(game, way, there).clashes():
                fitting.append(way)
        ways = fitting or ways
    return tuple([way for way in ways if way.by_order] or ways)


def _dedup_key(way: Reading) -> tuple[bool, Observation]:
    """Return what a reading tells, with its cards in the order of the edition."""
    told = way.whole
    if cards := getattr(told, "cards", ()):
        order = way.table.edition.names.index
        told = replace(told, cards=tuple(sorted(cards, key=order)))
    return way.late, told


def is_plain(ways: Sequence[Reading]) -> bool:
    """Return whether a line means one whole thing, and is an entry of its own."""
    return len(ways) == 1 and ways[0].observation is not None and not ways[0].late


def unanswered_entry(record: Record) -> int | None:
    """Return the number of the last entry of this round that waits for its answers, if any."""
    log = record.observations
    for number in range(len(log), max(len(log) - len(record.table.seats), 0), -1):
        match log[number - 1]:
            case observed.Suggestion(answers=answers) | observed.Finger(answers=answers):
                if not answers or answers[-1].seat is None:
                    return number
            case observed.Question(answer="unheard"):
                return number
    return None
