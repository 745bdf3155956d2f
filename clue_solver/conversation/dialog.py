"""
Turns what is typed into entries, and asks back where a line is doubtful.

An interface passes on each text that is no command (`commands.parse_command`), and shows the
`Outcome`. At most one doubt is open:

    a line      has one meaning without a doubt      -> logged
                is doubtful, or lacks one thing      -> a doubt is open
                has no meaning                       -> refused; nothing changes
    an answer   completes or confirms the line       -> logged, doubted or refused
                is no                                -> the line is dropped, to be typed again
    another line waits behind the doubtful one; it goes first if it is the turn that is missing,
                and takes its place if it describes the same player's turn again, or if the
                doubtful one was refused

If nobody is there to answer, the dialog is not `careful`: a doubtful line is logged with a warning,
and an incomplete one is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.conversation import doubts, meaning
from clue_solver.conversation.changes import END, LogPlace, OutsideChange
from clue_solver.conversation.doubts import Doubt, DoubtChoice
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError
from clue_solver.notation.checks import answered_seats
from clue_solver.notation.completion import Completion, TypedLine
from clue_solver.notation.lexicon import lexicon_of, split_comment
from clue_solver.notation.names import joined
from clue_solver.notation.reader import readings
from clue_solver.notation.reading import Answerable, Reading, single_reading, why_not
from clue_solver.notation.scan import scan
from clue_solver.notation.vocabulary import PHRASES
from clue_solver.rules.observations import Hand

_HAND_WORDS = re.compile(
    r"^((my )?(hand( is)?|cards( are)?)(: ?| )|(i've got|i have|i hold|holds|has) )", re.IGNORECASE
)
"""The words that may stand before the cards in the answer to a question for a hand."""

_ASKED_AGAIN = ("card seen", "card shown", "no answers")
"""The kinds of doubts that one line may raise more than once."""

Commit = Callable[[Reading, LogPlace, tuple[Reading, ...]], int]
"""
A function like `Session.commit`: it adds a reading to the log at a place, after some others, and
returns the number of its entry.
"""


class PendingLine(Struct, frozen=True):
    """
    A line that is not in the log yet.

    Attributes:
        line: The line as it was typed, or with the answers so far; empty if the open doubt asks for
            a hand and not about a line.
        place: The place in the log where it goes.
        settled: The kinds of doubts about it that the person has answered.
        earlier: What is logged before it in the same step: turns that players skipped, for example.
    """

    line: str = ""
    place: LogPlace = END
    settled: tuple[str, ...] = ()
    earlier: tuple[Reading, ...] = ()


class Outcome(Struct, frozen=True, kw_only=True):
    """
    What happened after a person typed a line or an answer.

    A field that is empty or `None` means that this did not happen.

    Attributes:
        line: The line; empty if a doubt was dropped.
        place: The place in the log where it goes.
        entries: The numbers of its new entries: of what is logged before it, and its own.
        taken: The reading of the line that was logged, as the last of these entries.
        clashes: Whether the line contradicts the log.
        warning: The doubt that was not asked because the dialog is not careful.
        doubt: The doubt that is open now.
        left: The waiting line that was dropped.
        later: The line that waits until the open doubt, if there is one, is settled.
        outside: The change by another program that was found in the file.
        error: Why the line was refused; with a `doubt`, why the text does not answer it.
    """

    line: str = ""
    place: LogPlace = END
    entries: tuple[int, ...] = ()
    taken: Reading | None = None
    clashes: bool = False
    warning: Doubt | None = None
    doubt: Doubt | None = None
    left: PendingLine | None = None
    later: PendingLine | None = None
    outside: OutsideChange | None = None
    error: ClueError | None = None


class Dialog:
    """
    The lines of one session as they are entered, and the open doubt about one of them.

    Attributes:
        session: The game.
        careful: Whether to ask about doubts before a line is logged.
        doubt: The open doubt; `None` if there is none.
        pending: The line that waits until the doubt is settled.
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
            careful: Whether to ask about doubts before a line is logged.
            hand: Whether to ask for hands: for the viewer's after a line for which it matters,
                until it is given or put off; for all hands not recorded once the game is over.
            commit: Adds a line to the log; the session's method if left out.
        """
        self.session = session
        self.careful = careful
        self.doubt: Doubt | None = None
        self.pending = PendingLine()
        self._commit = commit or session.commit
        self._wants_hands = self._wants_own = hand
        self._asked_in = session.game  # the game in which the open doubt was asked
        self._defers = False  # whether lines wait until the open doubt is settled
        self._untaken = ""  # the last line, if it was refused and may have been somebody's turn

    # What is entered.

    def say(self, text: str, place: LogPlace = END) -> Outcome:
        """
        Handle a typed text: an answer to the open doubt, or else a new line.

        `place` is where a new line goes.
        """
        # An answer, or a text that may be one.
        text = text.strip()
        try:
            answer = self._answer_in(text)
        except NotationError as error:
            return Outcome(line=text, doubt=self.doubt, error=error)
        if answer is not None:
            return self.answer(answer)
        if not text:
            return Outcome()
        # A new line, if no line waits.
        doubt, pending = self.doubt, self.pending
        if doubt is None or doubt.kind in ("hand", "meant"):
            if doubt is not None and doubt.kind == "hand":  # it was neither given nor put off
                self._wants_own = True
            if doubt is not None and place == END:  # what is typed instead is for the same entry
                place = self.pending.place
            left = self.leave()
            return replace(self.enter(text, place), left=left)
        # The waiting line once more, perhaps corrected: the new one takes its place.
        meant: tuple[Reading, ...] = ()
        with suppress(NotationError):
            meant = meaning.meanings(self.session.game, text)
        if place == pending.place and not self._defers and any(map(self._tells_again, meant)):
            self.leave()
            return self.enter(text, place)
        # The turn that is missing before the waiting line goes first. Any other line waits, too.
        turns = (each for choice in doubt.choices for each in choice.earlier if each.kind.turn)
        missing = [*map(_actor, turns)]
        named = [one for one in meant if one.guessed is None and _actor(one) in missing]
        if place == END and named and len(named) == len(meant):
            self.leave()
            return replace(self.enter(text), later=pending)
        self._defers = True
        return Outcome(line=text, place=place, doubt=doubt, later=PendingLine(text, place))

    def _tells_again(self, reading: Reading) -> bool:
        """
        Return whether a reading is about the same turn as the line of the open doubt.

        If it is, the person has typed that line again, perhaps corrected.
        """
        assert self.doubt is not None
        doubted = (self.doubt.reading, *(choice.reading for choice in self.doubt.choices))
        return any(
            one.kind is reading.kind
            and _actor(reading) == _actor(one)
            and (not reading.guessed or one.fields.get("cards") == reading.fields.get("cards"))
            for one in doubted
            if one is not None
        )

    def enter(
        self,
        line: str,
        place: LogPlace = END,
        *,
        settled: tuple[str, ...] = (),
        earlier: tuple[str, ...] = (),
    ) -> Outcome:
        """
        Log a line, or ask about it.

        Args:
            line: The line as it was typed.
            place: The place in the log where it goes.
            settled: The kinds of doubts about it that are not asked, because they have been
                answered.
            earlier: Lines to log before it in the same step, such as turns that players skipped.
        """
        pending = PendingLine(line, place, settled)
        return self._outcome_of(pending, lambda: self._interpret(pending, earlier))

    def answer(self, choice: DoubtChoice) -> Outcome:
        """
        Settle the open doubt with one of its choices, and return what then happens to the waiting
        line.
        """
        assert self.doubt is not None
        doubt, pending = self.doubt, self.pending
        if doubt.kind == "meant" and choice is not doubts.NO:  # it is read as if it was typed
            pending = self._meant_instead(pending)
            return self.enter(pending.line, pending.place, settled=pending.settled)

        def step() -> Outcome:
            changed = self.session.game is not self._asked_in  # by another program
            if changed and pending.line and choice.reading is not None:
                return self._interpret(pending)
            return self._settle(doubt, choice, pending)

        return self._outcome_of(pending, step)

    def leave(self) -> PendingLine | None:
        """Drop the waiting line and return it; `None` if there is none."""
        left = None if self.doubt is None else self.pending
        self.doubt = None
        self._defers = False
        return left

    def _outcome_of(self, pending: PendingLine, step: Callable[[], Outcome]) -> Outcome:
        """
        Return the outcome of a step; if it raises an error, the outcome says why.

        Changes that another program has made to the file are read first.

        Args:
            pending: The line that the step is about.
            step: Reads the line, or settles a doubt about it.
        """
        self.session.outside = None
        if pending.place == END:
            self.session.poll()
        try:
            outcome = step()
        except ClueError as error:
            self.doubt = None
            self._note_untaken(pending)
            outcome = Outcome(line=pending.line, place=pending.place, error=error)
            if self.careful and isinstance(error, NotationError):
                meant, question = self._meant_instead(pending), str(error)
                if meant.place != pending.place:
                    question = f"Change entry {meant.place.entry}?"
                if meant != pending:
                    outcome = self._open(doubts.meant_doubt(question, meant.line), pending)
        return replace(outcome, outside=self.session.outside)

    def _meant_instead(self, pending: PendingLine) -> PendingLine:
        """
        Return the line that was probably meant in place of a refused one.

        If none is found, return the refused line.
        """
        game, line, place = self.session.game, pending.line, pending.place
        if place == END and (changed := meaning.changed_answer(game, line)):
            return PendingLine(changed, LogPlace(len(game.observations)))
        return replace(pending, line=meaning.correct_spelling(game, line, place))

    def _interpret(self, pending: PendingLine, earlier: Sequence[str] = ()) -> Outcome:
        """
        Find the meaning of a line and go on with it, or ask which meaning is right.

        Args:
            pending: The line.
            earlier: More lines to log before it.

        Raises:
            ClueError: If the line has no meaning, or if it is unclear and no question can settle
                that.
        """
        game, text, place = self.session.game, pending.line, pending.place
        read = tuple(meaning.read(game, each) for each in earlier)
        pending = replace(pending, earlier=(*pending.earlier, *read))
        meant = meaning.meanings(game, text, place, also_late=place == END)
        reading = single_reading(meant)
        if reading is not None and reading.late is None:
            return self._take(pending, reading)
        doubt = doubts.meaning_doubt(meant, game.record, edits=place != END)
        if doubt is not None and (only := doubt.only_choice) is not None:
            return self._settle(doubt, only, pending)
        if doubt is not None and self.careful:
            return self._open(doubt, pending)
        if all(one.late for one in meant):
            meant = meaning.meanings(game, text, place)
        raise why_not(meant, text)

    def _take(self, pending: PendingLine, reading: Reading) -> Outcome:
        """
        Log a reading of a line, or ask about its first doubt.

        Raises:
            ClueError: If it cannot be logged.
        """
        game, place = self.session.game, pending.place
        candidate = meaning.Candidate(game, reading, place, pending.earlier)
        found = doubts.find_doubts(candidate)
        if self._untaken and reading.guessed and place == END:
            found = [*self._untaken_turn_doubts(candidate.reading), *found]
        unsettled = [doubt for doubt in found if doubt.kind not in pending.settled]
        only = unsettled[0].only_choice if unsettled and candidate.log_is_consistent else None
        if only is not None:
            return self._settle(unsettled[0], only, pending)
        if unsettled and self.careful:
            return self._open(unsettled[0], pending)
        number = self._commit(candidate.reading, place, pending.earlier)
        self.leave()
        self._untaken = ""
        self._ask_for_hand(reading)
        return Outcome(
            line=pending.line,
            place=place,
            entries=(*range(number - len(pending.earlier), number + 1),),
            taken=candidate.reading,
            clashes=any(doubt.kind == "clash" for doubt in found),
            warning=next(iter(unsettled), None),
            doubt=self.doubt,
        )

    def _open(self, doubt: Doubt, pending: PendingLine) -> Outcome:
        """Open a doubt, let its line wait, and return the outcome."""
        self.doubt, self.pending, self._asked_in = doubt, pending, self.session.game
        return Outcome(line=pending.line, place=pending.place, doubt=doubt)

    def _ask_for_hand(self, reading: Reading) -> None:
        """Open the question for a hand, if one is wanted after this reading was logged."""
        record, observation = self.session.record, reading.whole
        own = self._wants_own and doubts.concerns_hand(observation, record.table)
        over = observation is record.ended or (record.finished and isinstance(observation, Hand))
        if self.careful and (own or (over and self._wants_hands)):
            self._wants_own = False
            if (seat := doubts.missing_hand(self.session.game)) is not None:
                self._open(doubts.cards_doubt(Hand(seat, ()), record), PendingLine())

    def _note_untaken(self, pending: PendingLine) -> None:
        """Remember a refused line in `_untaken`, if it may have been somebody's turn."""
        line = pending.line.strip()
        passed = "passed" in PHRASES.get(line.casefold(), ())
        told = any(  # a later `I` is in a question, too
            word.roles & {"card", "skips"}
            or ("seat" in word.roles and (word.column == 0 or len(word.text) > 1))
            for word in scan(line, lexicon_of(self.session.game.table))
        )
        if pending.place == END and (passed or (told and " " in line)):
            self._untaken = pending.line

    def _untaken_turn_doubts(self, reading: Reading) -> Iterator[Doubt]:
        """
        Yield a doubt that asks which player a line is about.

        It is for a line that names no player and follows a refused line: if the refused line was a
        player's turn, the player who is assumed to act may be the wrong one. Nothing is asked if
        the line repeats at least two words of the refused one, because it is then probably a
        correction, unless the refused line named another player.
        """
        seats = lexicon_of(reading.table).seats
        texts = (self._untaken, reading.line)
        before, now = (re.findall(r"\w+", text.casefold()) for text in texts)
        named = seats.candidates(before[0]) if before else ()
        again = [word for word in before if any(each[:3] == word[:3] for each in now)]
        if len(again) > 1 and (not named or reading.guessed in named):
            return
        due = reading.state.after(reading.whole).turn(reading.table)
        other = next((seat for seat in (*named, due) if seat != reading.guessed), None)
        theirs: Reading | None = None
        with suppress(ClueError):
            theirs = meaning.read(self.session.game, f"{other} {reading.line}")
        yield doubts.untaken_turn_doubt(reading, theirs, self._untaken)

    # How a doubt is settled.

    def answer_in(self, text: str) -> DoubtChoice | None:
        """
        Return the choice that a text makes in the open doubt; `None` if it makes no clear choice.

        An empty text is a choice only if a hand is asked for: the hand is then given later.
        """
        with suppress(NotationError):
            return self._answer_in(text.strip())
        return None

    def _answer_in(self, text: str) -> DoubtChoice | None:
        """
        Return the choice that a text makes in the open doubt; `None` if it is a new line.

        A choice is one of those that the doubt offers, or the missing rest of the doubtful line.

        Raises:
            NotationError: If the text is neither a choice nor a line, or could be several choices.
                The error has an empty reason if there is nothing to say about the text.
        """
        doubt = self.doubt
        if doubt is None:
            return None
        fitting = doubt.matching_choices(text)
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            labels = joined(choice.label for choice in fitting)
            raise NotationError(f"'{text}' could mean {labels}", line=text)
        # What it says as a line of its own.
        lines: tuple[Reading, ...] = ()
        is_hand, unread = doubt.kind == "hand", ""
        try:
            lines = meaning.meanings(self.session.game, text)
        except NotationError as error:
            unread = error.reason
        is_line = single_reading(lines) is not None
        # What it says as the rest of the doubtful line.
        try:
            meant = self._rest_of(doubt, text)
        except NotationError as error:
            if is_line:
                return None
            raise NotationError(error.reason, line=text) from None
        # The rest counts first if it is clear; a text that is neither is an error.
        if len(meant) == 1 and (meant[0].observation is not None or (is_hand and not is_line)):
            return DoubtChoice(text, replace(meant[0], late=None))  # it is in the line
        if is_line and len({one.late is None for one in meant}) < 2:
            return None
        if text and not (meant or is_hand) and (":" in text or lines or doubt.kind == "meant"):
            return None  # a line, if one with a slip
        if meant:
            unread = why_not(meant, text).reason
        raise NotationError(unread if meant or " " in text else "", line=text)

    def _rest_of(self, doubt: Doubt, text: str) -> tuple[Reading, ...]:
        """
        Return what a text can mean if it gives what the line of the open doubt lacks.

        That is the cards of a hand, or answers to a suggestion or a question. Empty if the text
        gives no such thing.

        Raises:
            NotationError: If a hand is asked for and the text gives no cards.
        """
        incomplete, game = doubt.incomplete, self.session.game
        table, state = game.table, meaning.state_at(game, self.pending.place)
        meant: list[Reading] = []
        if isinstance(incomplete, Hand):
            cards_told = _HAND_WORDS.sub("", text).strip(" ,.")
            for one in readings(f"{incomplete.seat} holds {cards_told}", table, state):
                cards = dict.fromkeys((*incomplete.cards, *one.fields["cards"]))  # each once
                meant.append(one.with_fields({**one.fields, "cards": tuple(cards)}))
        elif isinstance(incomplete, Answerable) and doubt.reading is not None:
            filled_in = answered_seats(incomplete) - (doubt.reading.explicit or set())
            with suppress(NotationError):
                for one in readings(text, table, state, open=incomplete):
                    explicit = None if one.explicit is None else one.explicit - filled_in
                    told = replace(one, explicit=explicit)
                    meant.append(told.restate(one.whole) if one.observation else one)
            if not any(one.late for one in meant):
                return ()
        return tuple(meant)

    def _settle(self, doubt: Doubt, choice: DoubtChoice, pending: PendingLine) -> Outcome:
        """
        Go on with a waiting line after one of the choices of its doubt was made.

        Args:
            doubt: The doubt.
            choice: The choice.
            pending: The waiting line.
        """
        if choice is doubts.NO:
            return Outcome(left=self.leave())
        self.doubt, reading, record = None, choice.reading, self.session.record
        if reading is None:  # a hand that is given later
            return Outcome()
        if reading.observation is None:  # the rest of a hand
            return self._open(doubts.cards_doubt(Hand(**reading.fields), record), pending)
        if doubt.kind not in _ASKED_AGAIN:
            pending = replace(pending, settled=(*pending.settled, doubt.kind))
        if doubt.keeps_line(choice):
            return self._take(pending, reading)
        comment = reading.comment or split_comment(pending.line)[1]
        late = reading.late is not None
        earlier: tuple[Reading, ...] = ()
        if pending.place == END and not late:
            earlier = (*pending.earlier, *choice.earlier)
        pending = replace(
            pending,
            line=f"{reading.line}  # {comment}" if comment else reading.line,
            place=meaning.place_of(reading, record) if late else pending.place,
            earlier=earlier,
        )
        return self._take(pending, replace(reading, comment=comment))

    # While a line is typed.

    def typed_line(self, line: str, place: LogPlace = END) -> TypedLine:
        """Return what a line that is being typed means so far, and what may follow in it."""
        return meaning.typed_line(self.session.game, line, place)

    def completions(self, line: str, place: LogPlace = END) -> tuple[Completion, ...]:
        """
        Return the completions of a line that is being typed for a place in the log.

        Those that the viewer's own hand rules out are left out.
        """
        return tuple(
            each
            for each in self.typed_line(line, place).completions()
            if each.observation is None
            or not meaning.is_ruled_out(self.session.record, each.observation)
        )

    def late_answers(self, line: str) -> tuple[tuple[Reading, LogPlace], ...]:
        """
        Return the readings of a line that answers an earlier entry, each with the entry's place.

        Empty if the line may mean anything but late answers.
        """
        record = self.session.record
        with suppress(NotationError):
            meant = meaning.meanings(self.session.game, line, also_late=True)
            if all(one.late is not None and one.observation is not None for one in meant):
                return tuple(
                    [(one.restate(one.whole), meaning.place_of(one, record)) for one in meant]
                )
        return ()


def command_for(line: str, place: LogPlace) -> str:
    """
    Return the command that edits or inserts a line at a place in the log.

    At the end of the log, it is just the line.

    >>> command_for("Ann skips", LogPlace(7, insert=True))
    '/insert 7 Ann skips'
    """
    if place.entry is None:
        return line
    return f"/{'insert' if place.insert else 'edit'} {place.entry} {line}"


def _actor(reading: Reading) -> object:
    """Return the seat that acts in a reading; `None` if the reading does not say."""
    return reading.fields.get(reading.kind.form.subject)
