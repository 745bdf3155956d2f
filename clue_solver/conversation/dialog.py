"""
A line on its way into the log: the one state machine that every face drives.

A face hands on each text that is no command (`commands.said_in`), and shows the `Outcome`. At most
one doubt is open:

    a line      means one thing, and nothing is doubtful -> taken
                is doubtful, or lacks one thing          -> a doubt is open
                cannot be                                -> refused, and all is as it was
    an answer   the line with it                         -> taken, doubted or refused
                no                                       -> left, to be written anew in its place
    another line leaves the one that waits, and is a new line

Where nobody is there to answer, the dialog is not `careful`: what is doubtful is taken with a
warning, and what lacks something is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from clue_solver import notation
from clue_solver.conversation.changes import END, Outside, Place
from clue_solver.conversation.doubts import (
    NO,
    Doubt,
    DoubtChoice,
    doubts,
    hand_doubt,
    in_full,
    unclear,
    which_cards,
    whose_turn,
    with_seen_card,
)
from clue_solver.conversation.meaning import (
    Candidate,
    concerns_hand,
    impossible,
    is_plain,
    meanings,
    read,
    state_at,
    unanswered_entry,
)
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError
from clue_solver.notation import Completion, TypedLine, lexicon_of
from clue_solver.notation.names import joined
from clue_solver.notation.reader import Asked, readings
from clue_solver.notation.reading import Reading, the_likely, why_not
from clue_solver.rules.observations import Hand

_HAND_WORDS = re.compile(
    r"(my )?(hand( is)?|cards( are)?)(: ?| )|(i've got|i have|i hold|holds|has) ", re.IGNORECASE
)
"""The words before the cards of a hand that is asked for; there may be none."""

_IN_THE_LINE = ("card seen", "card shown", "no answers")
"""The kinds of doubts whose answers stand in the line, so that the next of a kind is open, too."""

Take = Callable[[Reading, Place, tuple[Reading, ...]], int]
"""Takes a line in, as `Session.take`."""


class PendingLine(Struct, frozen=True):
    """
    A line that is not in the log yet.

    Attributes:
        text: The line as it was typed, or as answers tell it; empty where a doubt is about none.
        place: Where it goes.
        settled: The kinds of doubts about it that are settled.
        skips: The skips that go in before it, in the same step.
    """

    text: str = ""
    place: Place = END
    settled: tuple[str, ...] = ()
    skips: tuple[Reading, ...] = ()


class Outcome(Struct, frozen=True, kw_only=True):
    """
    What came of a line or an answer; an empty outcome: nothing is doubtful, the log is as it was.

    Attributes:
        line: The line; empty where a doubt was left or answered with no.
        entries: The numbers of the entries that it became: of skips before it, and its own.
        taken: What the last of them tells.
        place: Where that went.
        clashes: Whether it contradicts the log.
        warning: What is doubtful about it, where nobody was asked.
        doubt: The doubt that is open now.
        left: The line that was left without an answer.
        outside: What another program wrote to the file before this, and what became of it.
        error: Why the line cannot be taken; with `doubt`, why it is no answer.
    """

    line: str = ""
    entries: tuple[int, ...] = ()
    taken: Reading | None = None
    place: Place = END
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
        careful: Whether what is doubtful about a line is asked before it is taken.
        place: Where the next line goes.
        doubt: The open doubt, if any.
        pending: The line that waits until that is settled.
    """

    def __init__(
        self,
        session: Session,
        *,
        careful: bool = True,
        hand: bool = False,
        take: Take | None = None,
    ) -> None:
        """
        Begin at the end of the log.

        Args:
            session: The game.
            careful: Whether what is doubtful about a line is asked before it is taken.
            hand: Whether the viewer's hand is asked for, once, after the first line that it
                matters to, and the hands that are still hidden once the game is over.
            take: Takes a line in, where not the session does.
        """
        self.session = session
        self.careful = careful
        self.place = END
        self.doubt: Doubt | None = None
        self.pending = PendingLine()
        self._take = take or session.take
        self._wants_hands = self._wants_own = hand
        self._untaken = ""  # the last line, if it was not taken and may have told a turn
        self._untaken_in = session.game
        self._last_read: TypedLine | None = None

    # What is entered.

    def say(self, text: str) -> Outcome:
        """Take a text that settles the open doubt, or else is a line."""
        text = text.strip()
        try:
            answer = self._meant(text)
        except NotationError as error:
            return Outcome(line=text, doubt=self.doubt, error=error)
        if answer is not None:
            return self.answer(answer)
        left = self.leave() if self.doubt is not None else None
        return replace(self.enter(text), left=left) if text else Outcome()

    def enter(
        self, line: str, *, settled: tuple[str, ...] = (), skips: tuple[str, ...] = ()
    ) -> Outcome:
        """
        Take a line, or find what is doubtful about it.

        Args:
            line: The line, as it was typed.
            settled: The kinds of doubts about it that are settled already.
            skips: The lines that go in before it, in the same step.
        """
        pending = PendingLine(line, self.place, settled)
        return self._outcome_of(pending, lambda: self._enter(pending, skips))

    def answer(self, choice: DoubtChoice) -> Outcome:
        """Settle the open doubt."""
        assert self.doubt is not None
        doubt, pending = self.doubt, self.pending
        return self._outcome_of(pending, lambda: self._settle(doubt, choice, pending))

    def _outcome_of(self, line: PendingLine, step: Callable[[], Outcome]) -> Outcome:
        """Return what comes of a step with a line, or why it cannot be taken."""
        self.session.outside = None
        if line.place == END:
            self.session.poll()
        try:
            outcome = step()
        except ClueError as error:
            self.doubt = None
            self._put_off(line, anew=True)
            outcome = Outcome(line=line.text, error=error)
        return replace(outcome, outside=self.session.outside)

    def _enter(self, line: PendingLine, skips: tuple[str, ...]) -> Outcome:
        """Find what a line means, and what is doubtful about that, or take it."""
        game, text, place = self.session.game, line.text, line.place
        line = replace(line, skips=tuple(read(game, skip) for skip in skips))
        ways = meanings(game, text, place, late=place.entry is None)
        if is_plain(ways):
            return self._doubt_or_take(line, ways[0])
        doubt = unclear(ways, game.record)
        if doubt is not None and self.careful:
            return self._open(doubt, line)
        if all(way.late for way in ways):
            ways = meanings(game, text, place)
        raise why_not(ways, text)

    def _open(self, doubt: Doubt, line: PendingLine) -> Outcome:
        """Let a line wait until a doubt about it is settled."""
        self.doubt, self.pending = doubt, line
        return Outcome(line=line.text, doubt=doubt)

    def _doubt_or_take(self, line: PendingLine, told: Reading) -> Outcome:
        """Find what is doubtful about a line, or take it; raise a `ClueError` if it cannot be."""
        game, place = self.session.game, line.place
        entry = with_seen_card(Candidate(game, told, place, line.skips))
        found = doubts(entry)
        untaken = self._untaken if self._untaken_in is game else ""  # else it was taken back
        if untaken and told.guessed and place == END:
            found.append(whose_turn(entry.reading, untaken))
        unsettled = [doubt for doubt in found if doubt.kind not in line.settled]
        if unsettled and self.careful:
            return self._open(unsettled[0], line)
        number = self._take(entry.reading, place, line.skips)
        self.place, self.doubt, whole = END, None, told.whole
        self._untaken = "" if whole.turn else untaken
        self._untaken_in = self.session.game
        record = self.session.record
        own = self._wants_own and concerns_hand(whole, record.table)
        over = whole is record.ended or (record.finished and isinstance(whole, Hand))
        if self.careful and (own or (over and self._wants_hands)):
            self._wants_own = False
            self.doubt, self.pending = hand_doubt(self.session.game), PendingLine()
        return Outcome(
            line=line.text,
            entries=(*range(number - len(line.skips), number + 1),),
            taken=entry.reading,
            place=place,
            clashes=any(doubt.kind == "clash" for doubt in found),
            warning=next(iter(unsettled), None),
            doubt=self.doubt,
        )

    # How a doubt is settled.

    def answer_in(self, text: str) -> DoubtChoice | None:
        """
        Return the answer that a text is to the open doubt; `None` if it is none, or several.

        An empty text answers only the question for a hand: the hand is told later.
        """
        with suppress(NotationError):
            return self._meant(text.strip())
        return None

    def _meant(self, text: str) -> DoubtChoice | None:
        """
        Return the answer that a text is to the open doubt; `None` if it is another line.

        One choice that fits is the answer, else what the text tells as the rest of the line.

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

    def _rest_of(self, doubt: Doubt, text: str) -> tuple[Reading, ...]:
        """
        Return what a text can tell as an answer: a hand's cards, or the line with its answers.

        Raises:
            NotationError: If it tells no cards of a hand that is asked for.
        """
        incomplete, game = doubt.incomplete, self.session.game
        table, state = game.table, state_at(game, self.pending.place)
        if isinstance(incomplete, Hand):
            words = _HAND_WORDS.match(text)
            said = text[words.end() if words else 0 :].strip(" ,.")
            whole = []
            for way in readings(said, table, state, begun=(Hand, incomplete.seat)):
                cards = dict.fromkeys((*incomplete.cards, *way.fields["cards"]))  # each once
                whole.append(way.telling({**way.fields, "cards": tuple(cards)}))
            return tuple(whole)
        if isinstance(incomplete, Asked):
            with suppress(NotationError):
                found = readings(text, table, state, open=incomplete)
                if any(way.late for way in found):
                    return tuple(in_full(way) if way.observation else way for way in found)
        return ()

    def _settle(self, doubt: Doubt, choice: DoubtChoice, line: PendingLine) -> Outcome:
        """Go on with a line as an answer tells it."""
        if choice is NO:
            return Outcome(left=self.leave(anew=True))
        self.doubt, told = None, choice.reading
        if told is None:  # a hand that is told later
            return Outcome()
        if told.observation is None:  # the rest of a hand
            return self._open(which_cards(Hand(**told.fields), self.session.record), line)
        if doubt.kind not in _IN_THE_LINE:
            line = replace(line, settled=(*line.settled, doubt.kind))
        if doubt.keeps_line(choice):
            return self._doubt_or_take(line, told)
        place = self._waiting(told) if told.late else line.place
        comment = told.comment or notation.split_comment(line.text)[1]
        line = replace(
            line,
            text=f"{told.line}  # {comment}" if comment else told.line,
            place=place,
            skips=(*line.skips, *choice.skips) if place == END else (),
        )
        return self._doubt_or_take(line, replace(told, comment=comment))

    def _waiting(self, told: Reading) -> Place:
        """
        Return the place of the entry that a late answer completes.

        Raises:
            NotationError: If another program has answered it meanwhile, or added one that waits.
        """
        record = self.session.record
        entry = unanswered_entry(record)
        asked = record.observations[entry - 1] if entry is not None else None
        same = asked is not None and all(
            getattr(asked, field, None) == told.fields[field] for field in told.kind.same
        )
        if entry is None or not same:
            raise NotationError(
                "the log has changed: nothing waits for this answer", line=told.line
            )
        return Place(entry)

    # What is left, or edited.

    def edit(self, entry: int, *, insert: bool = False) -> None:
        """
        Let the next line replace an entry, or go in before it.

        Raises:
            ArgumentError: If there is no such entry.
        """
        self.session.entry(entry)
        self.doubt, self.place = None, Place(entry, insert)

    def leave(self, *, anew: bool = False) -> PendingLine | None:
        """
        Leave the line that waits, and the edit; return that line.

        The next line goes in at the end, or in the place of that line where it is written `anew`.
        """
        left = None if self.doubt is None else self.pending
        if left is not None:
            self._put_off(left, anew=anew)
        self.doubt, self.place = None, left.place if left is not None and anew else END
        return left

    def _put_off(self, line: PendingLine, *, anew: bool) -> None:
        """
        Remember a line that was not taken, if it may have been somebody's turn.

        One that will be written `anew`, rather than be left for another, has to name its player.
        """
        told = self.doubt.reading if self.doubt else None
        first = "".join(line.text.split(maxsplit=1)[:1])
        if line.place != END or not first or (told is not None and not told.whole.turn):
            return
        names_player = lexicon_of(self.session.record.table).seats.candidates(first)
        if (not anew or names_player) and self.late_answer(line.text) is None:
            self._untaken, self._untaken_in = line.text, self.session.game

    # While a line is typed.

    def typed(self, line: str, place: Place | None = None) -> TypedLine:
        """Return a line as it is read in its place, or in another; the last one is cached."""
        game, last = self.session.game, self._last_read
        table, state = game.table, state_at(game, place or self.place)
        if last is None or last.line != line or last.table is not table or last.state != state:
            last = self._last_read = TypedLine(line, table, state)
        return last

    def told(self, line: str, place: Place | None = None) -> Reading | None:
        """Return what a line is taken for in its place; `None` if it is not one whole thing."""
        ahead = self.typed(line, place)
        if isinstance(ahead.read, NotationError) or len(ahead.read) == 1:
            return ahead.reading
        return the_likely(meanings(self.session.game, line, place or self.place))

    def completions(self, line: str, place: Place | None = None) -> tuple[Completion, ...]:
        """Return what may stand next in a line, but for what the viewer's own hand rules out."""
        return tuple(
            each
            for each in self.typed(line, place).completions()
            if each.observation is None or not impossible(self.session.record, each.observation)
        )

    def late_answer(self, line: str) -> tuple[Reading, Place] | None:
        """Return what a line adds to the entry that waits for answers, if it can only do that."""
        if self.place.entry is not None:
            return None
        with suppress(NotationError):
            ways = meanings(self.session.game, line, late=True)
            if len(ways) == 1 and ways[0].late and ways[0].observation is not None:
                return in_full(ways[0]), Place(unanswered_entry(self.session.record))
        return None

    def _is_line(self, text: str) -> bool:
        """Return whether a text is a line by itself at the end of the log."""
        with suppress(NotationError):
            read(self.session.game, text)
            return True
        return False


def in_place(line: str, place: Place) -> str:
    """
    Return a line with the command that tells it in its place.

    >>> in_place("Ann skips", Place(7, insert=True))
    '/insert 7 Ann skips'
    """
    if place.entry is None:
        return line
    return f"/{'insert' if place.insert else 'edit'} {place.entry} {line}"
