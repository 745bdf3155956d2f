"""
A line on its way into the log: what every face does with what is typed.

A face hands on each text that is no command (`commands.said_in`), and shows the `Outcome`. At most
one doubt is open:

    a line      means one thing, and nothing is doubtful -> taken
                is doubtful, or lacks one thing          -> a doubt is open
                cannot be                                -> refused, and nothing has changed
    an answer   the line as it is with the answer        -> taken, doubted or refused
                no                                       -> dropped, to be typed anew
    another line drops the one that waits, and is a new line

Where nobody is there to answer, the dialog is not `careful`: a doubtful line is taken with a
warning, and one that lacks something is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from clue_solver import notation
from clue_solver.conversation import doubts, meaning
from clue_solver.conversation.changes import END, LogPlace, Outside
from clue_solver.conversation.doubts import Doubt, DoubtChoice
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError
from clue_solver.notation import Completion, Reading, TypedLine
from clue_solver.notation.names import joined
from clue_solver.notation.reader import Asked, readings
from clue_solver.notation.reading import the_likely, why_not
from clue_solver.rules.observations import Hand

_HAND_WORDS = re.compile(
    r"(my )?(hand( is)?|cards( are)?)(: ?| )|(i've got|i have|i hold|holds|has) ", re.IGNORECASE
)
"""The words that may stand before the cards of a hand that is asked for."""

_ASKED_AGAIN = ("card seen", "card shown", "no answers")
"""The kinds of doubts that an answer settles in the line itself; there may be another of a kind."""

Commit = Callable[[Reading, LogPlace, tuple[Reading, ...]], int]
"""Puts a line into the log, as `Session.commit` does."""


class PendingLine(Struct, frozen=True):
    """
    A line that is not in the log yet.

    Attributes:
        text: The line as it was typed, or as it is with the answers so far; empty where the doubt
            is about no line, but about a hand.
        place: Where it goes.
        settled: The kinds of doubts about it that are settled.
        skips: The skips that go in before it, in the same step.
    """

    text: str = ""
    place: LogPlace = END
    settled: tuple[str, ...] = ()
    skips: tuple[Reading, ...] = ()


class Outcome(Struct, frozen=True, kw_only=True):
    """
    What came of a line or an answer; if nothing is given here, nothing came of it.

    Attributes:
        line: The line; empty where a doubt was dropped.
        place: Where it goes.
        entries: The numbers of the entries that it became: of skips before it, and its own.
        taken: What the last of them tells.
        clashes: Whether it contradicts the log.
        warning: The doubt about it that was not asked, as the dialog is not careful.
        doubt: The doubt that is open now.
        left: The line that was dropped.
        outside: What another program had written to the file before, and what became of it.
        error: Why the line is refused; with `doubt`, why the text is no answer.
    """

    line: str = ""
    place: LogPlace = END
    entries: tuple[int, ...] = ()
    taken: Reading | None = None
    clashes: bool = False
    warning: Doubt | None = None
    doubt: Doubt | None = None
    left: PendingLine | None = None
    outside: Outside | None = None
    error: ClueError | None = None


class Dialog:
    """
    The lines of one session as they are entered.

    Attributes:
        session: The game.
        careful: Whether doubts about a line are asked before it is taken.
        doubt: The open doubt, if any.
        pending: The line that waits until it is settled.
    """

    def __init__(
        self,
        session: Session,
        *,
        careful: bool = True,
        hand: bool = False,
        commit: Commit | None = None,
    ) -> None:
        """
        Begin at the end of the log.

        Args:
            session: The game.
            careful: Whether doubts about a line are asked before it is taken.
            hand: Whether to ask for the viewer's hand, once, after the first line that it matters
                to, and for the hands that are still hidden once the game is over.
            commit: Puts a line into the log; by default the session does.
        """
        self.session = session
        self.careful = careful
        self.doubt: Doubt | None = None
        self.pending = PendingLine()
        self._commit = commit or session.commit
        self._wants_hands = self._wants_own = hand
        self._asked_in = session.game  # the game in which the open doubt was asked
        self._refused_turn = ""  # the last line, if it was not taken and may have been a turn
        self._refused_in = session.game  # the game in which that was
        self._last_typed: TypedLine | None = None

    # What is entered.

    def say(self, text: str, place: LogPlace = END) -> Outcome:
        """Take a text: an answer to the open doubt, or else a line."""
        text = text.strip()
        try:
            answer = self._answer_in(text)
        except NotationError as error:
            return Outcome(line=text, doubt=self.doubt, error=error)
        if answer is not None:
            return self.answer(answer)
        left = self.leave()
        return replace(self.enter(text, place), left=left) if text else Outcome()

    def enter(
        self,
        line: str,
        place: LogPlace = END,
        *,
        settled: tuple[str, ...] = (),
        skips: tuple[str, ...] = (),
    ) -> Outcome:
        """
        Take a line, or find what is doubtful about it.

        Args:
            line: The line as it was typed.
            place: Where it goes.
            settled: The kinds of doubts about it that are settled already.
            skips: The lines that go in before it, in the same step.
        """
        pending = PendingLine(line, place, settled)

        def step() -> Outcome:
            read = tuple(meaning.read(self.session.game, skip) for skip in skips)
            return self._interpret(replace(pending, skips=read))

        return self._outcome_of(pending, step)

    def answer(self, choice: DoubtChoice) -> Outcome:
        """Settle the open doubt."""
        assert self.doubt is not None
        doubt, pending = self.doubt, self.pending
        return self._outcome_of(pending, lambda: self._settle(doubt, choice, pending))

    def leave(self, *, anew: bool = False) -> PendingLine | None:
        """Drop the line that waits, if any, and return it; `anew`: it will be typed once more."""
        if self.doubt is None:
            return None
        self._note_refused(self.pending, self.doubt.reading, anew=anew)
        self.doubt = None
        return self.pending

    def _outcome_of(self, line: PendingLine, step: Callable[[], Outcome]) -> Outcome:
        """Return what comes of a step with a line, or why the line is refused."""
        self.session.outside = None
        if line.place == END:
            self.session.poll()
        try:
            outcome = step()
        except ClueError as error:
            self.doubt = None
            self._note_refused(line, None, anew=True)
            outcome = Outcome(line=line.text, place=line.place, error=error)
        return replace(outcome, outside=self.session.outside)

    def _interpret(self, line: PendingLine) -> Outcome:
        """Find what a line means, and go on with that; raise a `ClueError` if that cannot be."""
        game, text, place = self.session.game, line.text, line.place
        ways = meaning.meanings(game, text, place, late=place == END)
        told = the_likely(ways)
        if told is not None and not told.late:
            return self._judge(line, told)
        doubt = meaning.unclear(ways, game.record)
        if doubt is not None and self.careful:
            return self._open(doubt, line)
        if all(way.late for way in ways):
            ways = meaning.meanings(game, text, place)
        raise why_not(ways, text)

    def _judge(self, line: PendingLine, told: Reading) -> Outcome:
        """Ask what is doubtful about a line, or take it; raise a `ClueError` if it cannot be."""
        game, place = self.session.game, line.place
        entry = doubts.fill_in_card(doubts.Candidate(game, told, place, line.skips))
        found = doubts.find_doubts(entry)
        refused_turn = self._refused_turn if self._refused_in is game else ""
        if refused_turn and told.guessed and place == END:
            found.append(doubts.refused_turn_doubt(entry.reading, refused_turn))
        unsettled = [doubt for doubt in found if doubt.kind not in line.settled]
        if unsettled and self.careful:
            return self._open(unsettled[0], line)
        number = self._commit(entry.reading, place, line.skips)
        self.doubt = None
        self._refused_turn = "" if told.whole.turn else refused_turn
        self._refused_in = self.session.game
        self._ask_for_hand(told)
        return Outcome(
            line=line.text,
            place=place,
            entries=(*range(number - len(line.skips), number + 1),),
            taken=entry.reading,
            clashes=any(doubt.kind == "clash" for doubt in found),
            warning=next(iter(unsettled), None),
            doubt=self.doubt,
        )

    def _open(self, doubt: Doubt, line: PendingLine) -> Outcome:
        """Let a line wait until a doubt about it is settled."""
        self.doubt, self.pending, self._asked_in = doubt, line, self.session.game
        return Outcome(line=line.text, place=line.place, doubt=doubt)

    def _ask_for_hand(self, told: Reading) -> None:
        """Ask for a hand, if one is wanted after what was told."""
        record, observation = self.session.record, told.whole
        own = self._wants_own and doubts.concerns_hand(observation, record.table)
        over = observation is record.ended or (record.finished and isinstance(observation, Hand))
        if self.careful and (own or (over and self._wants_hands)):
            self._wants_own = False
            if (doubt := doubts.hand_doubt(self.session.game)) is not None:
                self._open(doubt, PendingLine())

    def _note_refused(self, line: PendingLine, told: Reading | None, *, anew: bool) -> None:
        """
        Note a line that was not taken, if it may have been somebody's turn.

        One that will be typed `anew` counts only if it names its player.
        """
        first = "".join(line.text.split(maxsplit=1)[:1])
        if line.place != END or not first or (told is not None and not told.whole.turn):
            return
        seats = notation.lexicon_of(self.session.record.table).seats
        if (not anew or seats.candidates(first)) and self.late_answer(line.text) is None:
            self._refused_turn, self._refused_in = line.text, self.session.game

    # How a doubt is settled.

    def answer_in(self, text: str) -> DoubtChoice | None:
        """
        Return the answer that a text is to the open doubt; `None` if it is none, or several.

        An empty text answers only the question for a hand: the hand is told later.
        """
        with suppress(NotationError):
            return self._answer_in(text.strip())
        return None

    def _answer_in(self, text: str) -> DoubtChoice | None:
        """
        Return the answer that a text is to the open doubt; `None` if it is another line.

        It is the one choice that it fits, or else what it tells as the rest of the line.

        Raises:
            NotationError: If it is neither or may be both; its reason is empty if it fits nothing.
        """
        doubt = self.doubt
        if doubt is None:
            return None
        fitting = doubt.fitting(text)
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            labels = joined(choice.label for choice in fitting)
            raise NotationError(f"'{text}' can be {labels}", line=text)
        is_line, is_hand = self._is_line(text), doubt.kind == "hand"
        try:
            ways = self._rest_of(doubt, text)
        except NotationError as error:
            if is_line:
                return None
            raise NotationError(error.reason, line=text) from None
        if len(ways) == 1 and (ways[0].observation is not None or (is_hand and not is_line)):
            return DoubtChoice(text, replace(ways[0], late=False))  # it is in the line
        if is_line and len({way.late for way in ways}) < 2:
            return None
        raise NotationError(why_not(ways, text).reason if ways else "", line=text)

    def _is_line(self, text: str) -> bool:
        """Return whether a text is a line by itself at the end of the log."""
        with suppress(NotationError):
            meaning.read(self.session.game, text)
            return True
        return False

    def _rest_of(self, doubt: Doubt, text: str) -> tuple[Reading, ...]:
        """
        Return what a text can tell as an answer: a hand's cards, or the line with its answers.

        Raises:
            NotationError: If it tells no cards of a hand that is asked for.
        """
        incomplete, game = doubt.incomplete, self.session.game
        table, state = game.table, meaning.state_at(game, self.pending.place)
        if isinstance(incomplete, Hand):
            words = _HAND_WORDS.match(text)
            cards_told = text[words.end() if words else 0 :].strip(" ,.")
            ways = []
            for way in readings(cards_told, table, state, begun=(Hand, incomplete.seat)):
                cards = dict.fromkeys((*incomplete.cards, *way.fields["cards"]))  # each once
                ways.append(way.with_fields({**way.fields, "cards": tuple(cards)}))
            return tuple(ways)
        if isinstance(incomplete, Asked):
            with suppress(NotationError):
                found = readings(text, table, state, open=incomplete)
                if any(way.late for way in found):
                    return tuple(meaning.in_full(way) if way.observation else way for way in found)
        return ()

    def _settle(self, doubt: Doubt, choice: DoubtChoice, line: PendingLine) -> Outcome:
        """Go on with a line as an answer tells it."""
        if choice is doubts.NO:
            return Outcome(left=self.leave(anew=True))
        self.doubt, told, record = None, choice.reading, self.session.record
        if told is None:  # a hand that is told later
            return Outcome()
        if line.text and self.session.game is not self._asked_in:  # by another program
            return self._interpret(line)
        if told.observation is None:  # the rest of a hand
            return self._open(doubts.which_cards(Hand(**told.fields), record), line)
        if doubt.kind not in _ASKED_AGAIN:
            line = replace(line, settled=(*line.settled, doubt.kind))
        if doubt.keeps_line(choice):
            return self._judge(line, told)
        comment = told.comment or notation.split_comment(line.text)[1]
        at_end = line.place == END and not told.late
        line = replace(
            line,
            text=f"{told.line}  # {comment}" if comment else told.line,
            place=LogPlace(meaning.unanswered_entry(record)) if told.late else line.place,
            skips=(*line.skips, *choice.skips) if at_end else (),
        )
        return self._judge(line, replace(told, comment=comment))

    # While a line is typed.

    def typed(self, line: str, place: LogPlace = END) -> TypedLine:
        """Return a line as it is read in its place; the last one is cached."""
        game, last = self.session.game, self._last_typed
        table, state = game.table, meaning.state_at(game, place)
        if last is None or last.line != line or last.table is not table or last.state != state:
            last = self._last_typed = TypedLine(line, table, state)
        return last

    def told(self, line: str, place: LogPlace = END) -> Reading | None:
        """Return what a line would be taken for in its place; `None` if it is not one thing."""
        found = self.typed(line, place).read
        if isinstance(found, NotationError):
            return None
        return the_likely(meaning.plausible(self.session.game, found, place))

    def completions(self, line: str, place: LogPlace = END) -> tuple[Completion, ...]:
        """Return what may stand next in a line, but for what the viewer's own hand rules out."""
        return tuple(
            each
            for each in self.typed(line, place).completions()
            if each.observation is None
            or not doubts.impossible(self.session.record, each.observation)
        )

    def late_answer(self, line: str) -> tuple[Reading, LogPlace] | None:
        """Return what a line adds to the entry that waits for answers, if it can only do that."""
        with suppress(NotationError):
            told = the_likely(meaning.meanings(self.session.game, line, late=True))
            if told is not None and told.late:
                entry = meaning.unanswered_entry(self.session.record)
                return meaning.in_full(told), LogPlace(entry)
        return None


def in_place(line: str, place: LogPlace) -> str:
    """
    Return a line with the command that tells it in its place.

    >>> in_place("Ann skips", LogPlace(7, insert=True))
    '/insert 7 Ann skips'
    """
    if place.entry is None:
        return line
    return f"/{'insert' if place.insert else 'edit'} {place.entry} {line}"
