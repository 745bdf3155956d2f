"""
A line on its way into the log: the one state machine that every face drives.

A face hands on each text that is no command (`commands.said_in`), and shows the `Outcome`. At most
one question is open:

    a line      means one thing, and nothing is doubtful -> taken
                is doubtful, or lacks one thing          -> asked
                cannot be                                -> refused, and all is as it was
    an answer   the line with it                         -> taken, asked or refused
                no                                       -> left, to be written anew in its place
    another line leaves what is asked, and goes its own way

The face says how much is asked before a line is taken (`Asks`): everything; what matters, where a
later line may answer the rest; or nothing, where nobody is there. The first doubt that is left is
asked about the entry once it is in the log: an answer replaces the step in which it was taken, no
takes that back, another line leaves the entry as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.conversation.changes import END, Change, Outside, Place
from clue_solver.conversation.doubts import Doubt, DoubtAnswer, DoubtChoice
from clue_solver.conversation.hands import concerns_hand, hidden_hand, missing_hand
from clue_solver.conversation.questions import whose_turn
from clue_solver.conversation.session import Session, is_plain
from clue_solver.conversation.unclear import in_full
from clue_solver.errors import ClueError, NotationError
from clue_solver.notation import TypedLine, lexicon_of, split_comment
from clue_solver.notation.names import joined
from clue_solver.notation.reader import readings
from clue_solver.notation.reading import Reading, why_not
from clue_solver.rules.observations import Finger, Hand, Observation, Question, Suggestion

_ENTRY = re.compile(r"\b(?:entry|line|number) ([0-9]{1,5})\b", re.IGNORECASE)

_TAKES_BACK = frozenset(
    f"{no}{verb}"
    for no in ("", "no ", "no, ")
    for verb in ("undo that", "scratch that", "strike that", "take that back", "take it back")
)
"""What people say to take the last change back."""

_LATER = ("", "n", "no", "later", "not now")
"""How people say that they do not tell a hand now: the line goes in without it."""

_HAND_WORDS = (
    *(f"{my}hand{is_} " for my in ("my ", "") for is_ in (" is:", " is", ":", "")),
    *(f"{my}cards{are} " for my in ("my ", "") for are in (" are:", " are", ":", "")),
    *("i've got ", "i have ", "i hold ", "holds ", "has "),
)
"""The words before the cards of a hand that is asked for; there may be none."""

Asks = Literal["everything", "what matters", "nothing"]
"""How much is asked about a line before it is taken; the rest is asked about its entry."""

Answer = DoubtAnswer | Reading
"""A choice; yes or no; or the line as it reads with the answer that was typed."""

Take = Callable[..., int]
"""Takes a line in at its place, as `Session.take` does."""


class TypedEntry(Struct, frozen=True, kw_only=True):
    """
    A line that was typed, and what is settled about it.

    Attributes:
        line: The line; a command, or empty, where a question comes before no line.
        told: What it tells; `None` where it cannot be read without an answer, or is no line.
        place: Where it goes.
        settled: The kinds of doubts that were answered.
        skips: The skips that go in before it, in the same step.
        instead: The number of its entry, where it is in the log already: what is taken anew then
            replaces the step in which that was taken.
    """

    line: str
    told: Reading | None = None
    place: Place = END
    settled: tuple[str, ...] = ()
    skips: tuple[Reading, ...] = ()
    instead: int | None = None

    @property
    def again(self) -> Place:
        """Where it goes if it is written anew: in the place of its entry, if it has one."""
        return self.place if self.instead is None else Place(self.instead)


class Asking(Struct, frozen=True, kw_only=True):
    """
    An open question.

    Attributes:
        typed: The line that it is about.
        doubt: What is asked.
        entry: The number of the line's entry, which is taken anew with the answer; `None` if the
            line waits for it.
        seats: The players in the order that is asked about, as it was typed; else empty.
    """

    typed: TypedEntry
    doubt: Doubt
    entry: int | None = None
    seats: str = ""


class Outcome(Struct, frozen=True, kw_only=True):
    """
    What came of a line or an answer; an empty outcome: nothing is asked, the log is as it was.

    Attributes:
        line: The line; empty where a question was left or answered with no.
        entries: The numbers of the entries that it became: of skips or a hand before it, and its
            own.
        told, place: What its own entry tells, and where it went.
        clashes: Whether that entry contradicts the log.
        asked: The question that is open now, about the line or its entry.
        left: The question that was left without an answer.
        changed: What else was changed: an entry taken back, the players in another order.
        outside: What another program wrote to the file before this.
        error: Why the line cannot be taken; with `asked`, why it is no answer.
        late: The choice to add the line to an entry that waits for its answers, where the face
            does not want to be asked.
    """

    line: str = ""
    entries: tuple[int, ...] = ()
    told: Reading | None = None
    place: Place = END
    clashes: bool = False
    asked: Asking | None = None
    left: Asking | None = None
    changed: Change | None = None
    outside: Outside | None = None
    error: ClueError | None = None
    late: DoubtChoice | None = None


class Dialog:
    """
    The lines of one session as they are entered.

    Attributes:
        session: The game.
        asks: How much is asked before a line is taken.
        place: Where the next line goes.
        open: The open question, about a line or an entry.
    """

    def __init__(
        self,
        session: Session,
        *,
        asks: Asks = "everything",
        hand: bool = False,
        take: Take | None = None,
    ) -> None:
        """
        Begin at the end of the log.

        Args:
            session: The game.
            asks: How much is asked before a line is taken.
            hand: Whether the viewer's hand is asked for, once, where it matters and is missing,
                and the hands that are still hidden once the game is over.
            take: Takes a line in, where not the session does: for a page, which forgets the skips
                of a line that waits for an answer.
        """
        self.session = session
        self.asks = asks
        self.place = END
        self.open: Asking | None = None
        self._take: Take = take or session.take
        self._keeps_skips = take is None
        self._asks_hands = self._may_ask_hand = hand
        self._turn_open = False  # whether a turn may have been told that was not taken
        self._last_read: TypedLine | None = None

    @property
    def asking(self) -> Asking | None:
        """The open question if a line waits for its answer, else `None`."""
        return self.open if self.open is not None and self.open.entry is None else None

    # What is entered.

    def say(self, text: str) -> Outcome:
        """Take a text that answers what is asked, or else is a line."""
        text = text.strip()
        if self.asking is not None and _says_undo(text):
            return self.escape()
        answer = self.answer_in(text)
        if answer is not None:
            return self.answer(answer)
        asking = self.asking
        if asking is None and not text:
            self.open = None
            return Outcome()
        if asking is not None and (self._may_be_both(text) or not self._is_line(text)):
            return Outcome(line=text, asked=asking, error=self._no_answer(asking.doubt, text))
        if asking is None and (both := self._choice_or_line(text)) is not None:
            return Outcome(line=text, asked=self.open, error=both)
        left = None if asking is None else self.leave()
        return replace(self.enter(text), left=left)

    def enter(self, line: str, *, settled: tuple[str, ...] = ()) -> Outcome:
        """
        Take a line, or ask what is doubtful about it.

        Args:
            line: The line, as it was typed.
            settled: The kinds of doubts about it that are answered already.
        """
        self.open = None
        outside = self.session.poll() if self.place.entry is None else None
        try:
            outcome = self._enter(TypedEntry(line=line, place=self.place, settled=settled))
        except ClueError as error:
            self._leave_turn(line, self.place)
            outcome = Outcome(line=line, error=self.fault(error, line))
        return replace(outcome, outside=outside)

    def _enter(self, typed: TypedEntry) -> Outcome:
        line = typed.line
        if self.takes_back(line):
            changed = self.session.undo()
            if changed is None:
                raise NotationError("nothing to take back", line=line)
            return Outcome(line=line, changed=changed)
        number = self.place.entry
        ways = self.session.readings(line, editing=number, late=number is None)
        if is_plain(ways):
            return self._ask_or_take(replace(typed, told=ways[0]))
        doubt = self.session.unclear(ways)
        if doubt is not None and self.asks != "nothing":
            return self._ask(typed, doubt)
        if doubt is None or doubt.kind != "late":
            raise why_not(ways, line)
        try:
            error = why_not(self.session.readings(line), line)
        except NotationError as unread:
            error = unread
        return Outcome(line=line, error=self.fault(error, line), late=doubt.choices[0])

    def _ask_or_take(self, typed: TypedEntry) -> Outcome:
        """Ask what is doubtful about a line, or take it; raise a `ClueError` if it cannot be."""
        told, place = typed.told, typed.place
        assert told is not None
        if place.entry is None and typed.instead is None and concerns_hand(told.told, told.table):
            asked = self._ask_hand(typed)
            if asked is not None:
                return asked
        told, doubts = self._with_doubts(typed, told)
        typed = replace(typed, told=told)
        unsettled = [doubt for doubt in doubts if doubt.kind not in typed.settled]
        first = next((doubt for doubt in unsettled if self._must_ask(doubt)), None)
        if first is not None:
            return self._ask(self._with_skips_kept(typed), first)
        take = self._take if typed.instead is None else self.session.retake
        number = take(told, place, before=typed.skips)
        self.place, self.open, self._turn_open = END, None, False
        if unsettled:
            self._ask(replace(typed, instead=number), unsettled[0], entry=number)
        else:
            self._ask_hidden_hand(told.told)
        return Outcome(
            line=typed.line,
            entries=(*range(number - len(typed.skips), number + 1),),
            told=told,
            place=place,
            clashes=any(doubt.kind == "clash" for doubt in doubts),
            asked=self.open,
        )

    def _with_doubts(self, typed: TypedEntry, told: Reading) -> tuple[Reading, tuple[Doubt, ...]]:
        """Return what a line tells, with a card that must have been seen, and its doubts."""
        place = typed.place
        tried = self.session.still()
        if typed.instead is not None:
            tried.undo()
        told = tried.with_seen_card(told, place)
        for skip in typed.skips:
            tried.take(skip)
        doubts = tried.doubts(told, editing=place.entry, insert=place.insert)
        if self._turn_open and told.guessed and place.entry is None:
            doubts = (*doubts, whose_turn(told))
        return told, doubts

    def _must_ask(self, doubt: Doubt) -> bool:
        """Return whether a doubt is asked about before the line is taken, as `asks` has it."""
        if self.asks == "what matters":
            return doubt.of.serious or doubt.of.yes
        return self.asks == "everything"

    def _with_skips_kept(self, typed: TypedEntry) -> TypedEntry:
        """
        Return a line that waits; its skips are in the log by then where the face forgets them.

        A page knows the line and what is settled about it, and hands both on with the answer.
        """
        if self._keeps_skips:
            return typed
        for skip in typed.skips:
            self._take(skip, END)
        return replace(typed, skips=())

    def _ask(
        self, typed: TypedEntry, doubt: Doubt, *, entry: int | None = None, seats: str = ""
    ) -> Outcome:
        """Ask about a line, or about the `entry` that it is already."""
        self.open = Asking(typed=typed, doubt=doubt, entry=entry, seats=seats)
        return Outcome(line=typed.line, asked=self.open)

    # What is answered.

    def answer_in(self, text: str) -> Answer | None:
        """
        Return the answer that a text is to the open question; `None` if it is none, or several.

        An empty text, or no, answers only the question for a hand: the hand is told later.
        """
        asking = self.open
        said = text.strip().casefold()
        if asking is None:
            return None
        doubt = asking.doubt
        if doubt.kind == "hand" and said in _LATER:
            return "yes"
        if not said:
            return None
        if asking.entry is not None and self._is_line(text):
            exact = doubt.exactly(said) if " " in said else ()
            return exact[0] if len(exact) == 1 else None  # else the next line, rather
        fitting = doubt.fitting(said)
        if doubt.incomplete is not None and said == "no":
            fitting = ()  # the next seat passes: it does not begin `nobody shows`
        if fitting or doubt.incomplete is None:
            return fitting[0] if len(fitting) == 1 else None
        try:
            ways = self._answer_readings(text)
        except NotationError:
            return None
        whole = len(ways) == 1 and ways[0].observation is not None
        mentioned = [told.told for choice in doubt.mentioning(said) for told in choice.told]
        if whole and mentioned and ways[0].told not in mentioned:
            return None  # a word that is part of a name as well, as `x` is where Mr X plays
        return ways[0] if whole or (len(ways) == 1 and self._begins_hand(doubt, text)) else None

    def _begins_hand(self, doubt: Doubt, text: str) -> bool:
        """Return whether a text that could be a suggestion tells some cards of a hand."""
        if doubt.kind != "hand":
            return False
        begun = isinstance(doubt.incomplete, Hand) and bool(doubt.incomplete.cards)
        return _hand_words(text) > 0 or (begun and not self._is_line(text))

    def _choice_or_line(self, text: str) -> NotationError | None:
        """Return why a text may be a choice about an entry and the next line; `None` if not."""
        if self.open is None or not self._is_line(text):
            return None
        meant = self.open.doubt.fitting(text.casefold())
        labels = [choice.label for choice in meant if isinstance(choice, DoubtChoice)]
        if not labels:
            return None
        return NotationError(f"'{text}' can be {joined(labels)}, or the next entry", line=text)

    def _answer_readings(self, text: str) -> tuple[Reading, ...]:
        """
        Return what a text can tell as an answer: a hand's cards, or the line with its answers.

        Raises:
            NotationError: If it is no answer.
        """
        asking = self.open
        incomplete = asking.doubt.incomplete if asking is not None else None
        place = asking.typed.again if asking is not None else END
        table, state = self.session.record.table, self.session.state_before(place.entry)
        match incomplete:
            case Hand():
                if any(words.startswith(text.casefold()) for words in _HAND_WORDS):
                    raise NotationError("expected your cards", line=text, column=len(text))
                said = text[_hand_words(text) :].strip(" ,.")
                found = readings(said, table, state, begun=(Hand, incomplete.seat))
                return tuple(way.with_more("cards", incomplete.cards) for way in found)
            case Suggestion() | Finger() | Question():
                found = readings(text, table, state, open=incomplete)
                if any(way.late for way in found):
                    return tuple(in_full(way) if way.observation else way for way in found)
        raise NotationError("this answers no question", line=text)

    def _may_be_both(self, text: str) -> bool:
        """Return whether a text may answer what is asked, and may be an entry of its own."""
        try:
            ways = self._answer_readings(text)
        except NotationError:
            return False
        return len({way.late for way in ways}) > 1

    def _no_answer(self, doubt: Doubt, text: str) -> NotationError:
        """Return why a text is no answer; without a reason, it fits none."""
        reason = ""
        meant = doubt.fitting(text.casefold()) if text else ()
        labels = [choice.label for choice in meant if isinstance(choice, DoubtChoice)]
        if len(labels) > 1:
            reason = f"'{text}' can be {joined(labels)}"
        elif (doubt.kind == "hand" and text) or self._may_be_both(text):
            try:
                reason = why_not(self._answer_readings(text), text).reason
            except NotationError as error:
                reason = error.reason
        return NotationError(reason, line=text)

    def answer(self, answer: Answer) -> Outcome:
        """Answer the open question."""
        asking = self.open
        assert asking is not None
        at_end = asking.typed.place.entry is None and asking.entry is None
        outside = self.session.poll() if at_end else None
        try:
            outcome = self._answer(asking, answer)
        except ClueError as error:
            self.open = None
            outcome = Outcome(line=asking.typed.line, error=error)
        return replace(outcome, outside=outside)

    def _answer(self, asking: Asking, answer: Answer) -> Outcome:
        typed, kind, waits = asking.typed, asking.doubt.kind, asking.entry is None
        if isinstance(answer, DoubtChoice):
            return self._choose(asking, answer)
        if isinstance(answer, Reading) and answer.observation is None:
            doubt = self.session.unclear((answer,))  # the rest of a hand
            return self._ask(typed, doubt or asking.doubt)
        if isinstance(answer, Reading) and kind == "hand":
            return self._hold(asking, answer)
        if isinstance(answer, Reading):
            return self._ask_or_take(_retold(asking, answer))
        if answer == "yes" and kind == "seats":
            return self._reseat(asking)
        if answer == "no" and waits:
            return self._leave_line(asking)
        if answer == "yes" and waits and typed.told is not None:
            return self._ask_or_take(replace(typed, settled=(*typed.settled, kind)))
        if answer == "no" and asking.doubt.of.undoes:
            return self._undo_entry()
        self.open = None
        return Outcome()

    def _choose(self, asking: Asking, choice: DoubtChoice) -> Outcome:
        """Tell what a choice tells, once nothing is doubtful any more about the last of it."""
        typed, kind, waits = asking.typed, asking.doubt.kind, asking.entry is None
        if not choice.told:
            return self._leave_line(asking) if waits else self._undo_entry()
        if choice.stands and waits:
            return self._answer(asking, "yes")
        *before, told = choice.told
        shows = any(answer.answer == "shows" for answer in getattr(told.told, "answers", ()))
        if told.said is None and shows and typed.told is not None:
            # It is the line that was asked about, with who shows or which card.
            told = replace(told, said=typed.told.said)
        return self._ask_or_take(
            replace(
                _retold(asking, told),
                place=choice.place or typed.place,
                settled=typed.settled if asking.doubt.of.again else (*typed.settled, kind),
                skips=(*typed.skips, *before),
            )
        )

    def _hold(self, asking: Asking, hand: Reading) -> Outcome:
        """Take the viewer's hand, and then the line before which it was asked for."""
        typed = asking.typed
        held = self._ask_or_take(TypedEntry(line=hand.line, told=hand))
        if typed.told is None or self.asking is not None:
            return replace(held, left=asking if typed.told else None)
        try:
            then = self._ask_or_take(replace(typed, settled=(*typed.settled, "hand")))
        except ClueError as error:
            return replace(held, line=typed.line, error=error)
        return replace(then, entries=(*held.entries, *then.entries))

    def _reseat(self, asking: Asking) -> Outcome:
        """Put the players in the order that is asked about."""
        self.open = None
        before = self.session.record.table
        self.session.set_header("seats", asking.seats, without=asking.doubt.entries)
        after = self.session.record.table
        return Outcome(changed=Change(kind="seats", before=before, after=after))

    def _undo_entry(self) -> Outcome:
        """Undo the change that made the entry that is asked about."""
        self.open = None
        return Outcome(changed=self.session.undo())

    def _leave_line(self, asking: Asking) -> Outcome:
        """Leave the line that waits; the next one goes where it was to go."""
        if asking.doubt.kind != "late":
            self._leave_turn(asking.typed.line, asking.typed.again)
        self.open, self.place = None, asking.typed.again
        return Outcome(left=asking)

    # What is asked beside the lines.

    def ask_hand(self, line: str = "") -> Outcome | None:
        """
        Ask for the viewer's hand before advice is given, or before a command that gives it.

        It is asked once; `None` where it was, is known, or something else is asked.
        """
        return self._ask_hand(TypedEntry(line=line))

    def _ask_hand(self, typed: TypedEntry) -> Outcome | None:
        """Ask for the viewer's hand before a line is taken, or a command done; else `None`."""
        if not self._may_ask_hand or self.asks == "nothing":
            return None
        if self.asking is not None or self.place.entry is not None:
            return None
        doubt = missing_hand(self.session.record)
        if doubt is None:
            return None
        self._may_ask_hand = False
        return self._ask(typed, doubt)

    def _ask_hidden_hand(self, told: Observation) -> None:
        """Ask for a hand that is still hidden: after what ends the game, and after each hand."""
        if not self._asks_hands or self.asks == "nothing":
            return
        if told is self.session.ended or isinstance(told, Hand):
            doubt = hidden_hand(self.session.record)
            if doubt is not None:
                self._ask(TypedEntry(line=""), doubt)

    def ask_seats(self, text: str) -> Outcome | None:
        """
        Ask about passes that were said and cannot be in another order of the players.

        `None` where there are none, or nobody is there to ask; raises as `Session.against_seats`.
        """
        doubt = self.session.against_seats(text) if self.asks != "nothing" else None
        if doubt is None:
            return None
        return self._ask(TypedEntry(line=f"/seats {text}"), doubt, seats=text)

    # What is left, edited, taken back.

    def edit(self, entry: int, *, insert: bool = False) -> None:
        """
        Write in the place of an entry, or before it.

        Raises:
            ArgumentError: If there is no such entry.
        """
        self.session.entry(entry)
        self.open, self.place = None, Place(entry, insert)

    def leave(self) -> Asking | None:
        """Write at the end again; return what was asked before a line is taken, if anything."""
        left = self.asking
        if left is not None and (left.typed.told or left.doubt.kind not in ("hand", "seats")):
            self._turn_open = True
        self.open, self.place = None, END
        return left

    def escape(self) -> Outcome:
        """Leave the line that waits; if none does, the edit."""
        if (asking := self.asking) is not None:
            return self._leave_line(asking)
        self.leave()
        return Outcome()

    def _leave_turn(self, line: str, place: Place) -> None:
        """Note that a line was not taken which may have told the turn of the player it names."""
        seats = lexicon_of(self.session.record.table).seats
        if place.entry is None and line.strip() and seats.readings(line.split(maxsplit=1)[0]):
            self._turn_open = True

    # While a line is typed.

    def typed(self, line: str) -> TypedLine:
        """Return a line as it is read in its place; the last one is cached."""
        table, state = self.session.record.table, self.session.state_before(self.place.entry)
        last = self._last_read
        if last is None or last.line != line or last.table is not table or last.state != state:
            last = self._last_read = TypedLine(line, table, state)
        return last

    def late(self, line: str) -> DoubtChoice | None:
        """Return what a line adds to the entry that waits for its answers, if it is that alone."""
        if self.place.entry is not None:
            return None
        try:
            ways = self.session.readings(line, late=True)
        except NotationError:
            return None
        doubt = self.session.unclear(ways) if all(way.late for way in ways) else None
        return doubt.choices[0] if doubt is not None and doubt.kind == "late" else None

    def takes_back(self, line: str) -> bool:
        """Return whether a line says that the last change is to be taken back: `scratch that`."""
        return self.place.entry is None and _says_undo(line)

    def fault(self, error: ClueError, line: str) -> ClueError:
        """Return why a line cannot be read; of one that speaks of an entry, how to change that."""
        named = _ENTRY.search(line) if isinstance(error, NotationError) else None
        if named is None or not 0 < int(named[1]) <= len(self.session.lines):
            return error
        reason = f"to change entry {named[1]}: /edit {named[1]}, or Enter on it in the log"
        return NotationError(reason, line=line, column=named.start())

    def _is_line(self, text: str) -> bool:
        """Return whether a text is a line by itself at the end of the log, where it would go."""
        try:
            self.session.read(text)
        except NotationError:
            return False
        return True


def _says_undo(text: str) -> bool:
    """Return whether a text says that something is to be taken back."""
    return text.casefold().strip(" .!") in _TAKES_BACK


def _retold(asking: Asking, told: Reading) -> TypedEntry:
    """Return the line that is asked about as an answer tells it; a comment in it stays."""
    typed, line = asking.typed, told.line
    if comment := told.comment or split_comment(typed.line)[1]:
        told, line = replace(told, comment=comment), f"{line}  # {comment}"
    return replace(typed, told=told, line=line)


def _hand_words(text: str) -> int:
    """Return how many letters of a text say that a hand follows, as `i have` does."""
    said = text.casefold()
    return max((len(words) for words in _HAND_WORDS if said.startswith(words)), default=0)


def in_place(line: str, place: Place) -> str:
    """
    Return a line with the command that tells it in its place.

    >>> in_place("Ann skips", Place(7, insert=True))
    '/insert 7 Ann skips'
    """
    if place.entry is None:
        return line
    return f"/{'insert' if place.insert else 'edit'} {place.entry} {line}"
