"""
A line on its way into the log: the one state machine that every face drives.

A face hands on each text that is no command (`commands.said_in`), and shows the `Outcome`. At most
one question is open:

    a line      means one thing, and nothing is doubtful -> taken
                is doubtful, or lacks one thing          -> asked
                cannot be                                -> refused, and all is as it was
    an answer   the line with it                         -> taken, asked or refused
                no                                       -> left, to be written anew in its place
    another line leaves what is asked, and is a new line

The face says how much is asked before a line is taken (`Asks`): everything; what matters, where a
later line may answer the rest; or nothing, where nobody is there. The first doubt that is left is
asked about the entry once it is in the log: an answer replaces the step in which it was taken;
`no` takes that back if the turn or a clash is in doubt; another line leaves the entry as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.conversation.changes import END, Change, Outside, Place
from clue_solver.conversation.doubts import NO, Doubt, DoubtChoice, plain
from clue_solver.conversation.meaning import (
    EntryDraft,
    concerns_hand,
    impossible,
    is_plain,
    meanings,
    missing_hand,
    read,
    state_at,
    unanswered_entry,
)
from clue_solver.conversation.questions import (
    doubts,
    in_full,
    unclear,
    which_cards,
    whose_turn,
    with_seen_card,
)
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError
from clue_solver.notation import Completion, TypedLine, lexicon_of
from clue_solver.notation.names import joined
from clue_solver.notation.reader import Asked, readings
from clue_solver.notation.reading import Reading, why_not
from clue_solver.rules.observations import Hand

_ENTRY = re.compile(r"\b(?:entry|line|number) ([0-9]{1,5})\b", re.IGNORECASE)

_MENDS = re.compile(r"(oops|sorry|actually|(no|wrong),? (it was|that was|i)) ", re.IGNORECASE)
"""How a line begins that puts an earlier one right."""

_TAKES_BACK = frozenset(
    f"{no}{verb}"
    for no in ("", "no ", "no, ")
    for verb in ("undo that", "scratch that", "strike that", "take that back", "take it back")
)
"""What people say to take the last change back."""

_HAND_WORDS = re.compile(
    r"(my )?(hand( is)?|cards( are)?)(: ?| )|(i've got|i have|i hold|holds|has) ", re.IGNORECASE
)
"""The words before the cards of a hand that is asked for; there may be none."""

_IN_THE_LINE = ("card seen", "card shown", "no answers")
"""The kinds of doubts whose answers stand in the line, so that the next of a kind is asked, too."""

Asks = Literal["everything", "what matters", "nothing"]
"""How much is asked about a line before it is taken; the rest is asked about its entry."""


class Outcome(Struct, frozen=True, kw_only=True):
    """
    What came of a line or an answer; an empty outcome: nothing is asked, the log is as it was.

    Attributes:
        line: The line; empty where a question was left or answered with no.
        entries: The numbers of the entries that it became: of skips or a hand before it, and its
            own.
        taken: The line that became the last of them.
        clashes: Whether the last of them contradicts the log.
        asked: The question that is open now, about the line or its entry.
        left: The question that was left without an answer.
        undone: What was taken back.
        outside: What another program wrote to the file before this, and what became of it.
        error: Why the line cannot be taken; with `asked`, why it is no answer.
    """

    line: str = ""
    entries: tuple[int, ...] = ()
    taken: EntryDraft | None = None
    clashes: bool = False
    asked: Doubt | None = None
    left: Doubt | None = None
    undone: Change | None = None
    outside: Outside | None = None
    error: ClueError | None = None


class Dialog:
    """
    The lines of one session as they are entered.

    Attributes:
        session: The game.
        asks: How much is asked before a line is taken.
        place: Where the next line goes.
    """

    def __init__(
        self,
        session: Session,
        *,
        asks: Asks = "everything",
        hand: bool = False,
        take: Callable[[EntryDraft], int] | None = None,
    ) -> None:
        """
        Begin at the end of the log.

        Args:
            session: The game.
            asks: How much is asked before a line is taken.
            hand: Whether the viewer's hand is asked for, once, where it matters and is missing,
                and the hands that are still hidden once the game is over.
            take: Takes a line in, where not the session does.
        """
        self.session = session
        self.asks = asks
        self.place = END
        self._open: Doubt | None = None
        self._asked_in = session.game  # the game in which that is asked
        self._take = take or session.take
        self._asks_hands = self._may_ask_hand = hand
        self._untaken = ""  # the last line, if it was not taken and may have told a turn
        self._last_read: TypedLine | None = None

    @property
    def open(self) -> Doubt | None:
        """The open question; none about an entry once the log is another."""
        asked = self._open
        is_gone = asked is not None and not asked.waits and self._asked_in is not self.session.game
        return None if is_gone else asked

    @property
    def asking(self) -> Doubt | None:
        """The open question if a line waits for its answer, else `None`."""
        return self.open if self.open is not None and self.open.waits else None

    def _ask(self, doubt: Doubt) -> Outcome:
        """Ask about a line before it is taken, or about its entry."""
        self._open, self._asked_in = doubt, self.session.game
        return Outcome(line=doubt.draft.line, asked=doubt)

    # What is entered.

    def say(self, text: str) -> Outcome:
        """Take a text that answers what is asked, or else is a line."""
        text = text.strip()
        asking = self.asking
        if asking is not None and _says_undo(text):
            return self.escape()
        try:
            answer = self._meant(text)
        except NotationError as error:
            return Outcome(line=text, asked=self.open, error=error)
        if answer is not None:
            return self.answer(answer)
        left = self.leave() if asking is not None else None
        self._open = None
        return replace(self.enter(text), left=left) if text else Outcome()

    def enter(
        self, line: str, *, settled: tuple[str, ...] = (), skips: tuple[str, ...] = ()
    ) -> Outcome:
        """
        Take a line, or ask what is doubtful about it.

        Args:
            line: The line, as it was typed.
            settled: The kinds of doubts about it that are answered already.
            skips: The lines that go in before it, in the same step.
        """
        draft = EntryDraft(line=line, place=self.place, settled=settled)
        self._open = None
        return self._outcome_of(draft, lambda: self._enter(draft, skips))

    def _outcome_of(self, draft: EntryDraft, step: Callable[[], Outcome]) -> Outcome:
        """Return what comes of a step with a line, or why it cannot be taken."""
        self.session.outside = None
        if draft.again == END and not self.takes_back(draft.line):
            self.session.poll()
        try:
            outcome = step()
        except ClueError as error:
            self._open = None
            self._put_off(draft, anew=True)
            outcome = Outcome(line=draft.line, error=self.fault(error, draft.line))
        return replace(outcome, outside=self.session.outside)

    def _enter(self, draft: EntryDraft, skips: tuple[str, ...]) -> Outcome:
        """Ask what a line means, and what is doubtful about that, or take it."""
        line, place, session = draft.line, draft.place, self.session
        if self.takes_back(line):
            undone = session.undo()
            if undone is None:
                raise NotationError("nothing to take back", line=line)
            return Outcome(line=line, undone=undone)
        draft = replace(draft, skips=tuple(read(session.game, skip) for skip in skips))
        ways = meanings(session.game, line, place, late=place.entry is None)
        if is_plain(ways):
            return self._ask_or_take(replace(draft, reading=ways[0]))
        doubt = unclear(draft, ways, session.record)
        if doubt is not None and self.asks != "nothing":
            return self._ask(doubt)
        if all(way.late for way in ways):
            ways = meanings(session.game, line, place)
        raise why_not(ways, line)

    def _ask_or_take(self, draft: EntryDraft) -> Outcome:
        """Ask what is doubtful about a line, or take it; raise a `ClueError` if it cannot be."""
        assert draft.reading is not None
        if draft.again == END and concerns_hand(draft.reading.whole, draft.reading.table):
            asked = self.ask_hand(draft)
            if asked is not None:
                return asked
        game = self.session.game_before(draft)
        draft = with_seen_card(game, draft)
        told = draft.reading
        assert told is not None
        found = [*doubts(game, draft)]
        if self._untaken and told.guessed and draft.place == END and not self._retells(draft):
            found.append(whose_turn(draft, self._untaken))
        unsettled = [doubt for doubt in found if doubt.kind not in draft.settled]
        for doubt in unsettled if self.asks != "nothing" else ():
            if self.asks == "everything" or doubt.kind != "no answers":
                return self._ask(doubt)
        number = (self._take if draft.entry is None else self.session.take)(draft)
        self.place, self._open, record = END, None, self.session.record
        if told.whole.turn:
            self._untaken = ""
        if unsettled:
            self._ask(replace(unsettled[0], draft=replace(draft, entry=number), waits=False))
        elif told.whole is record.ended or (record.finished and isinstance(told.whole, Hand)):
            self.ask_hand()
        return Outcome(
            line=draft.line,
            entries=(*range(number - len(draft.skips), number + 1),),
            taken=draft,
            clashes=any(doubt.kind == "clash" for doubt in found),
            asked=self._open,
        )

    # What is answered.

    def answer_in(self, text: str) -> DoubtChoice | None:
        """
        Return the answer that a text is to the open question; `None` if it is none, or several.

        An empty text answers only the question for a hand: the hand is told later.
        """
        with suppress(NotationError):
            return self._meant(text.strip())
        return None

    def _meant(self, text: str) -> DoubtChoice | None:
        """
        Return the answer that a text is to the open question; `None` if it is another line.

        One choice that fits is the answer, else what the text tells as the rest of the line. To a
        question about an entry in the log a text that may be a line is one, and no answer.

        Raises:
            NotationError: If it is neither or may be both; its reason is empty if it fits nothing.
        """
        asked = self.open
        if asked is None:
            return None
        fitting, is_line = asked.fitting(text), self._is_line(text)
        if is_line and not asked.waits:
            if not fitting or (" " in text and fitting == asked.exactly(plain(text))):
                return fitting[0] if fitting else None
            labels = joined([*(choice.label for choice in fitting), "the next entry"])
            raise NotationError(f"'{text}' can be {labels}", line=text)
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            labels = joined(choice.label for choice in fitting)
            raise NotationError(f"'{text}' can be {labels}", line=text)
        try:
            ways = self._answer_readings(asked, text)
        except NotationError as error:
            if is_line or not asked.waits:
                return None
            raise NotationError(error.reason, line=text) from None
        is_hand = asked.kind == "hand"
        if len(ways) == 1 and (ways[0].observation is not None or (is_hand and not is_line)):
            draft = EntryDraft() if is_hand else asked.draft
            return DoubtChoice(text, draft.with_reading(ways[0]))
        if not asked.waits or (is_line and len({way.late for way in ways}) < 2):
            return None
        raise NotationError(why_not(ways, text).reason if ways else "", line=text)

    def _answer_readings(self, asked: Doubt, text: str) -> tuple[Reading, ...]:
        """
        Return what a text can tell as an answer: a hand's cards, or the line with its answers.

        Raises:
            NotationError: If it tells no cards of a hand that is asked for.
        """
        incomplete, game = asked.incomplete, self.session.game
        table, state = game.table, state_at(game, asked.draft.again)
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

    def answer(self, answer: DoubtChoice) -> Outcome:
        """Answer the open question."""
        asked = self.open
        assert asked is not None
        return self._outcome_of(asked.draft, lambda: self._answer(asked, answer))

    def _answer(self, asked: Doubt, answer: DoubtChoice) -> Outcome:
        draft, session = asked.draft, self.session
        if answer is NO and asked.waits:
            return self.escape()
        self._open = None
        if answer.then is None and asked.waits:  # another line comes first
            self.place = END
            return Outcome(line=draft.line, left=asked)
        if answer.then is None:
            takes_back = answer is not NO or asked.kind in ("clash", "held", "turn")
            return Outcome(undone=session.undo() if takes_back else None)
        told = answer.then.reading
        if told is None or (asked.stands(answer) and not asked.waits):
            return Outcome()  # there is nothing to take, or it is in the log
        if told.observation is None:  # the rest of a hand
            return self._ask(which_cards(draft, Hand(**told.fields), session.record))
        if asked.kind == "hand" and told is not draft.reading:
            return self._hold(asked, answer.then)
        settled = draft.settled if asked.kind in _IN_THE_LINE else (*draft.settled, asked.kind)
        return self._ask_or_take(replace(answer.then, settled=settled, entry=draft.entry))

    def _hold(self, asked: Doubt, hand: EntryDraft) -> Outcome:
        """Take a hand, and then the line before which it was asked for."""
        draft = asked.draft
        held = self._ask_or_take(hand)
        if draft.reading is None:
            return held
        if self.asking is not None:  # the hand is doubtful itself
            self._put_off(draft, anew=False)
            return replace(held, left=asked)
        try:
            then = self._ask_or_take(draft)
        except ClueError as error:
            self._put_off(draft, anew=True)
            return replace(held, line=draft.line, error=error)
        return replace(then, entries=(*held.entries, *then.entries))

    # What is asked beside the lines.

    def ask_hand(self, draft: EntryDraft | None = None) -> Outcome | None:
        """
        Ask for the viewer's hand before taking a line or giving advice; then for hidden ones.

        While the game goes on it is asked once. `None` if it was, if nothing is hidden, if such
        questions are not asked here, or if something else is.
        """
        game = self.session.game
        asks = self._asks_hands if game.record.finished else self._may_ask_hand
        if not asks or self.asks == "nothing" or self.asking is not None or self.place != END:
            return None
        if (seat := missing_hand(game)) is None:
            return None
        self._may_ask_hand = False
        return self._ask(which_cards(draft or EntryDraft(), Hand(seat=seat, cards=()), game.record))

    # What is left, edited, taken back.

    def edit(self, entry: int, *, insert: bool = False) -> None:
        """
        Let the next line replace an entry, or go in before it.

        Raises:
            ArgumentError: If there is no such entry.
        """
        self.session.entry(entry)
        self._open, self.place = None, Place(entry, insert)

    def leave(self, *, anew: bool = False) -> Doubt | None:
        """
        Leave the question that is open, and the edit; return it if a line waits for its answer.

        The next line goes in at the end, or in the place of that line where it is written `anew`.
        """
        left = self.asking
        if left is not None:
            self._put_off(left.draft, anew=anew)
        self._open, self.place = None, left.draft.again if left is not None and anew else END
        return left

    def escape(self) -> Outcome:
        """Leave the line that waits, to be written anew in its place; if none does, the edit."""
        return Outcome(left=self.leave(anew=True))

    def _put_off(self, draft: EntryDraft, *, anew: bool) -> None:
        """
        Remember a line that was not taken, if it may have been somebody's turn.

        One that will be written `anew`, rather than be left for another, has to name its player.
        """
        line, told = draft.line.strip(), draft.reading
        if draft.again != END or not line or line.startswith("/"):
            return
        if told is not None and told.observation is not None and not told.whole.turn:
            return
        if (not anew or self._named_in(line)) and self.late_answer(line) is None:
            self._untaken = line

    def _named_in(self, line: str) -> tuple[str, ...]:
        """Return whom the first word of a line may name."""
        return lexicon_of(self.session.record.table).seats.candidates(line.split(maxsplit=1)[0])

    def _retells(self, draft: EntryDraft) -> bool:
        """Return whether a line says all of the one that was not taken, but for its player."""
        _, *words = self._untaken.casefold().split()
        same = {*words} <= {*draft.line.casefold().split()}
        told = draft.reading
        return told is not None and told.guessed in self._named_in(self._untaken) and same

    # While a line is typed.

    def typed(self, line: str, place: Place | None = None) -> TypedLine:
        """Return a line as it is read in its place, or in another; the last one is cached."""
        game, last = self.session.game, self._last_read
        table, state = game.table, state_at(game, place or self.place)
        if last is None or last.line != line or last.table is not table or last.state != state:
            last = self._last_read = TypedLine(line, table, state)
        return last

    def completions(self, line: str, place: Place | None = None) -> tuple[Completion, ...]:
        """Return what may stand next in a line, but for what the viewer's own hand rules out."""
        return tuple(
            each
            for each in self.typed(line, place).completions()
            if each.observation is None or not impossible(self.session.record, each.observation)
        )

    def late_answer(self, line: str) -> EntryDraft | None:
        """Return a line as it adds to the entry that waits for answers, if it can only do that."""
        if self.place.entry is not None:
            return None
        with suppress(NotationError):
            ways = meanings(self.session.game, line, late=True)
            if len(ways) == 1 and ways[0].late and ways[0].observation is not None:
                opened = Place(unanswered_entry(self.session.record))
                return EntryDraft(line=line).with_reading(in_full(ways[0]), opened)
        return None

    def takes_back(self, line: str) -> bool:
        """Return whether a line says that the last change is to be taken back: `scratch that`."""
        return self.place.entry is None and _says_undo(line)

    def fault(self, error: ClueError, line: str) -> ClueError:
        """Return why a line cannot be read; of one that mends an entry, how to change that."""
        last = len(self.session.lines)
        named, mends = _ENTRY.search(line), _MENDS.match(line)
        entry = int(named[1]) if named else last if mends else 0
        if not isinstance(error, NotationError) or not 0 < entry <= last:
            return error
        reason = f"to change entry {entry}: /edit {entry}, or Enter on it in the log"
        return NotationError(reason, line=line, column=named.start() if named else 0)

    def _is_line(self, text: str) -> bool:
        """Return whether a text is a line by itself at the end of the log."""
        with suppress(NotationError):
            read(self.session.game, text)
            return True
        return False


def _says_undo(text: str) -> bool:
    """Return whether a text says that something is to be taken back."""
    return text.casefold().strip(" .!") in _TAKES_BACK


def in_place(line: str, place: Place) -> str:
    """
    Return a line with the command that tells it in its place.

    >>> in_place("Ann skips", Place(7, insert=True))
    '/insert 7 Ann skips'
    """
    if place.entry is None:
        return line
    return f"/{'insert' if place.insert else 'edit'} {place.entry} {line}"
