"""
What a typed line means in a game, and what the viewer's hand and the log say about it.

`meanings` is the only place where the readings of a line are compared with the game. If one
complete reading is left (`single_reading`), the line means that; otherwise `doubts` asks. A reading
that may become an entry is a `Candidate`, which knows the log around its place. `with_line` returns
the game with the line in it, unless the viewer's own hand rules it out (`own_refusal`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, reduce

from msgspec.structs import replace

from clue_solver import errors
from clue_solver.conversation.changes import END, LogPlace, entry_of, normalise_entries, with_entry
from clue_solver.game import Game
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.viewer import everyones_knowledge, knowledge_of
from clue_solver.notation.checks import answers_of
from clue_solver.notation.completion import TypedLine
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import joined
from clue_solver.notation.reader import readings
from clue_solver.notation.reading import Answerable, Reading, require_reading, single_reading
from clue_solver.notation.scan import scan
from clue_solver.record.contents import Record
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.turns import TurnState

_MOST_WEIGHED = 12
"""The most readings of a line that are checked against the log."""


def state_at(game: Game, place: LogPlace) -> TurnState:
    """
    Return the state of the turns before a place in the log: whose turn it is, and who has left.

    Raises:
        ArgumentError: If there is no such place.
    """
    if place.entry is None:
        return game.play().turns
    entry_of(game.record, place.entry)
    return game.play(place.entry - 1).turns


def read(game: Game, line: str, place: LogPlace = END) -> Reading:
    """
    Return the only meaning that a line can have at a place in the log.

    Raises:
        NotationError: If the line cannot be read, is incomplete, or has several meanings.
        ArgumentError: If there is no such place.
    """
    return require_reading(meanings(game, line, place), line)


def meanings(
    game: Game, line: str, place: LogPlace = END, *, also_late: bool = False
) -> tuple[Reading, ...]:
    """
    Return those meanings of a line that are plausible in the game.

    Args:
        game: The game.
        line: The line as it was typed.
        place: The place in the log where it goes.
        also_late: Whether the line may also answer an earlier entry that lacks answers.

    Raises:
        NotationError: If the line has no meaning.
        ArgumentError: If there is no such place.
    """
    state = state_at(game, place)
    waiting = [*entries_without_answers(game.record).values()] if also_late else []
    if not any("seat" in token.roles for token in scan(line, lexicon_of(game.table))):
        waiting = waiting[:1]  # an answer without a name is to the latest of them
    found: list[Reading] = []
    refused: list[errors.NotationError] = []
    for opened in waiting or (None,):
        try:
            meant = readings(line, game.table, state, open=opened)
            found += [one for one in meant if one not in found]
        except errors.NotationError as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return plausible(game, found, place)


def correct_spelling(game: Game, line: str, place: LogPlace = END) -> str:
    """
    Return a refused line with each misspelt word replaced by the nearest name.

    If a word has no single nearest name, or if the result is refused too, return the line as it is.
    """
    typed = line
    for _ in line.split():
        try:
            meanings(game, line, place, also_late=place == END)
            return line
        except errors.NotationError as error:
            if not error.misspelt or len(error.nearest) != 1:
                break
            end = error.column + len(error.misspelt)
            line = f"{line[: error.column]}{error.nearest[0]}{line[end:]}"
    return typed


def changed_answer(game: Game, line: str) -> str:
    """
    Return the line of the last entry with one answer replaced by the one in a refused line.

    So a wrong answer can be corrected by typing it again. Empty if the last entry is no suggestion,
    or if the refused line gives no other answer of a player who has answered there.
    """
    asked = game.observations[-1] if game.observations else None
    if not isinstance(asked, observed.Inquiry):
        return ""
    named = {name for token in scan(line, lexicon_of(game.table)) for name in token.names}
    for at, answer in enumerate(asked.answers):
        opened = replace(asked, answers=asked.answers[:at])
        with suppress(errors.NotationError):
            found = readings(line, game.table, game.play().turns, open=opened)
            told = single_reading([one for one in found if one.late is not None])
            if told is None or answer.seat not in named & (told.explicit or frozenset()):
                continue
            if told.fields["answers"][at].answer != answer.answer:
                return told.restate(told.whole).line.removesuffix(", ?")
    return ""


@lru_cache(maxsize=2)
def typed_line(game: Game, line: str, place: LogPlace) -> TypedLine:
    """
    Return what a line that is being typed at a place means.

    The last two results are cached, because interfaces ask repeatedly.

    Raises:
        ArgumentError: If there is no such place.
    """
    state = state_at(game, place)
    return TypedLine(line, game.table, state, sift=lambda found: plausible(game, found, place))


def plausible(game: Game, found: Sequence[Reading], place: LogPlace) -> tuple[Reading, ...]:
    """
    Return those readings of a line that are plausible in the game.

    If some readings are complete, all others are dropped. Then readings that the viewer's own hand
    rules out are dropped, then those that contradict the log. A check that would drop all of them
    is left out, so that the dialog can ask. If all readings whose roles are in the order of the
    cards (`by_order`) would be dropped, these are kept, too.

    Args:
        game: The game.
        found: The readings.
        place: The place in the log where the line goes.
    """
    record = game.record
    different: dict[tuple[bool, Observation], Reading] = {}  # of equal ones the first
    for one in found:
        if one.observation is not None:
            different.setdefault(_order_free_key(one), one)
    meant = [*different.values()]
    if not 1 < len(meant) <= _MOST_WEIGHED:
        return tuple(meant) or tuple(found)
    by_order = [replace(one, by_order=False) for one in meant if one.by_order]
    meant = [one for one in meant if not is_ruled_out(record, one.whole)] or meant
    if len(meant) > 1:
        fitting = [
            one for one in meant if not Candidate(game, one, place_of(one, record, place)).clashes
        ]
        meant = fitting or meant
    if not any(one.by_order for one in meant):
        meant = [*by_order, *meant]  # roles are not swapped unless somebody says so
    return tuple(meant)


def _order_free_key(reading: Reading) -> tuple[bool, Observation]:
    """
    Return a key by which readings are compared; the order of their cards makes no difference.

    The key is whether the reading answers an earlier entry, and its observation with sorted cards.
    """
    told = reading.whole
    if cards := getattr(told, "cards", ()):
        order = reading.table.edition.names.index
        told = replace(told, cards=tuple(sorted(cards, key=order)))
    return reading.late is not None, told


def entries_without_answers(record: Record) -> dict[int, Answerable]:
    """
    Return the latest suggestions and questions that lack answers, by entry number, last one first.

    The search goes back at least as many entries as there are players. It goes on further back
    until somebody has acted in two different turns.
    """
    log, found = record.observations, dict[int, Answerable]()
    acted: list[str] = []
    for number in range(len(log), 0, -1):
        told = log[number - 1]
        if told.turn and acted[-1:] != [told.actor]:
            acted.append(told.actor)
        if number <= len(log) - len(record.table.seats) and len({*acted}) < len(acted):
            break
        match told:
            case observed.Inquiry(answers=answers) as asked:
                if not answers or answers[-1].seat is None:
                    found[number] = asked
            case observed.Question(answer="unheard") as asked:
                found[number] = asked
    return found


def place_of(reading: Reading, record: Record, place: LogPlace = END) -> LogPlace:
    """
    Return the place in the log where a reading goes.

    A late answer goes to the entry that it answers, any other reading to `place`.
    """
    waiting = entries_without_answers(record).items() if reading.late is not None else ()
    numbers = (number for number, opened in waiting if opened == reading.late)
    return next(map(LogPlace, numbers), place)


# What the viewer's own hand rules out.


def own_hand(record: Record) -> frozenset[str] | None:
    """Return the viewer's whole hand; `None` if it is not recorded."""
    return hand_of(record, record.table.viewer)


def hand_of(record: Record, seat: str | None) -> frozenset[str] | None:
    """Return a seat's whole hand; `None` if it is not recorded."""
    for told in reversed(record.observations):
        if isinstance(told, observed.Hand) and told.seat == seat:
            return frozenset(told.cards)
    return None


def own_refusal(record: Record, observation: Observation) -> errors.NotationError | None:
    """
    Return why an observation is impossible with the viewer's recorded hand.

    `None` if it is possible, or if the hand is not recorded. Only what the viewer does is checked.
    """
    viewer, own = record.table.viewer, own_hand(record)
    if viewer is None or own is None:
        return None
    for answer, asked in answers_of(observation, record.table):
        held = tuple(card for card in asked if card in own)
        reason = ""
        if answer.seat != viewer:
            continue
        if answer.card is not None and answer.card not in own:
            reason = f"you do not hold {answer.card}: expected {joined(held or ('passes',))}"
        elif answer.answer == "shows" and not held:
            reason = f"you hold none of these cards: expected '{viewer} passes'"
        elif answer.answer == "passes" and held:
            you = f"you hold {joined(held, 'and')}, so you cannot pass"
            reason = f"{you}: expected '{viewer} shows {held[0]}'"
        if reason:
            return errors.NotationError(reason, nearest=held)
    match observation:
        case (
            observed.Reveal(seat=seat, card=str(card)) | observed.Look(holder=seat, card=str(card))
        ) if seat == viewer and card not in own:
            return errors.NotationError(f"you do not hold {card}: expected {joined(sorted(own))}")
    return None


def is_ruled_out(record: Record, observation: Observation) -> bool:
    """
    Return whether an observation is impossible with the viewer's recorded hand.

    Unlike `own_refusal`, this also checks whether another player shows a card from that hand.
    """
    viewer, own = record.table.viewer, own_hand(record) or ()
    answers = answers_of(observation, record.table)
    shown = (answer.card for answer, _ in answers if answer.seat != viewer)
    return own_refusal(record, observation) is not None or any(card in own for card in shown)


def with_line(game: Game, reading: Reading, place: LogPlace = END) -> Game:
    """
    Return the game with a line added at a place.

    Raises:
        NotationError: If the viewer's own hand rules it out, or if it or a later entry makes no
            sense.
        ArgumentError: If there is no such place.
    """
    if (error := own_refusal(game.record, reading.whole)) is not None:
        raise error
    if place == END and reading.table is game.table and reading.state == game.play().turns:
        return game.changed(game.record.extended(reading.whole, comment=reading.comment))
    record = with_entry(game.record, reading.whole, place, reading.comment)
    return game.changed(normalise_entries(record, game.record))


# What the log rules out.


class Candidate:
    """
    A reading that may become an entry, with the log around its place.

    Attributes:
        game, table, viewer: The game so far, its table and its viewer.
        reading: The reading.
        observation: The observation of the reading.
        place: The place in the log where it goes.
        before, after: The observations in the log before and after its place.
        replaced: A tuple with the observation that it replaces; empty if it replaces none.
        play: The state of play before it.
        own: The viewer's hand; empty if it is not recorded.
        by: The seat that acts; empty if no seat does.
        answers: Its answers, each with the cards that were asked for.
    """

    def __init__(
        self, game: Game, reading: Reading, place: LogPlace = END, earlier: Sequence[Reading] = ()
    ) -> None:
        self.game, self.table, self.viewer = game, game.table, game.table.viewer
        self.reading, self.observation = reading, reading.whole
        self.place = place
        begun = reduce(with_line, earlier, game)
        log = begun.observations
        at = len(log) if place.entry is None else place.entry - 1
        after = at if place.insert else at + 1
        self.before, self.replaced, self.after = log[:at], log[at:after], log[after:]
        self.play = begun.play(at)
        self.own = own_hand(game.record) or frozenset()
        self.by = self.observation.actor
        self.answers = answers_of(self.observation, self.table)

    def fits(self, *told: Observation) -> bool:
        """
        Return whether the log would be consistent if it had `told` where the line is to go.

        True if that would take too long to find out.

        Args:
            told: The observations to try; none for the log without the line.
        """
        log = self._log(*told)
        try:
            return log.consistent(log.knowledge.entries)
        except errors.TooLarge:
            return True

    @cached_property
    def log_is_consistent(self) -> bool:
        """Whether the log is consistent without the line."""
        return self.fits()

    @property
    def clashes(self) -> bool:
        """Whether the line contradicts a log that is consistent without it."""
        return not self.fits(self.observation) and self.log_is_consistent

    def conflict(self) -> tuple[int, ...]:
        """
        Return the numbers of the entries that the line contradicts.

        Empty if it contradicts the table alone, or if that would take too long to find out.
        """
        log = self._log(self.observation)
        try:
            log.possible(log.knowledge.entries)
        except errors.Contradiction as clash:
            return tuple(other for other in clash.entries if other != len(self.before) + 1)
        except errors.TooLarge:
            pass
        return ()

    def _log(self, *told: Observation) -> Deduction:
        """
        Return what follows from the log with other observations in the place of the line.

        Args:
            told: These observations; none to leave the line out.
        """
        log, line = (*self.before, *told, *self.after), self.observation
        # Another player's hand is revealed at the end, and must fit what all players have seen.
        if isinstance(line, observed.Hand) and line.seat != self.viewer:
            return Deduction(everyones_knowledge(self.table, log))
        return Deduction(knowledge_of(self.table, log, viewer=self.viewer))
