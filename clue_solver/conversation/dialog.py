"""
A line on its way into the log: the one state machine that every face drives.

A face hands on what is typed or tapped, and says what comes of it. What may be done next follows
from the state alone:

    Writing   enter a line      taken -> Writing, or Asking of its entry what is left to be asked
                                doubtful, or it lacks one thing -> Asking
                                refused -> Writing, in the same place
              edit, insert      -> Writing, in the place of an entry or before it
              escape            -> Writing, at the end
    Asking    answer            taken -> Writing; what else is doubtful -> Asking
              escape, no        -> Writing, in the same place: the line is there to be changed
              another line      as from Writing; the line that was asked about waits
      of its  answer            the entry becomes what was answered, or is taken back
      entry   another line      as from Writing

How much is asked before a line is taken is the face's to say (`Asks`): everything, what matters
where a later line may still answer the rest, or nothing where nobody is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.conversation.changes import Change, Outside
from clue_solver.conversation.doubts import (
    Doubt,
    DoubtAnswer,
    DoubtChoice,
    DoubtKind,
    Place,
    concerns_hand,
    missing_hand,
    whose_turn,
)
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError
from clue_solver.notation import Told, TypedLine, lexicon_of, split_comment
from clue_solver.notation.hearing import Unclear, words_of_speech
from clue_solver.record import Record
from clue_solver.rules.observations import Observation

_SKIPS = 2
"""After so many skips that nobody had told, the next ones are assumed, and said."""

_ENTRY = re.compile(r"\b(?:entry|line|number) ([0-9]{1,5})\b", re.IGNORECASE)

Asks = Literal["everything", "what matters", "nothing"]
"""What is asked about a line before it is taken."""

Act = Literal["answer", "enter", "escape", "edit", "insert", "delete", "undo", "redo"]

Answer = DoubtAnswer | Told
"""A choice, yes or no, or the line with an answer that was typed as behind its colon."""


class Writing(Struct, frozen=True):
    """A line is being written, and nothing is asked."""

    place: Place = Place()


class Asking(Struct, frozen=True, kw_only=True):
    """
    A line waits for an answer before it is taken, or the next line may be the answer.

    Attributes:
        line: The line, as it was typed; where the hand is asked for, it may be a command or empty.
        told: What it tells; `None` where it cannot be read without the answer, or is no line.
        place: Where it goes.
        doubt: What is asked.
        settled: The kinds of doubts about it that are answered already.
        entry: The entry that it is already, which the answer is to change; `None` if it waits.
        skips: The skips that go in before it, with it or not at all.
        assumed: Whether nobody told them.
    """

    line: str
    told: Told | None
    place: Place
    doubt: Doubt
    settled: tuple[DoubtKind, ...] = ()
    entry: int | None = None
    skips: tuple[Told, ...] = ()
    assumed: bool = False


State = Writing | Asking


class Taken(Struct, frozen=True, kw_only=True):
    """
    A line is in the log.

    Attributes:
        entry: The number of its entry.
        told: What it tells.
        place: Where it went.
        clashes: Whether it contradicts the log.
        warning: What is still doubtful about it.
        assumed: Whether it is a skip that nobody told, taken for granted after some in the game.
    """

    entry: int
    told: Told
    place: Place
    clashes: bool
    warning: Doubt | None = None
    assumed: bool = False


class Refused(Struct, frozen=True, kw_only=True):
    """
    A line cannot be taken; nothing has changed.

    Attributes:
        line: The line.
        error: Why.
        late: The entry of which it may be the answer, where nobody is asked about it.
    """

    line: str
    error: ClueError
    late: DoubtChoice | None = None


class Unanswered(Struct, frozen=True, kw_only=True):
    """
    What was typed is no answer to the question, which stands; it may be the beginning of one.

    Attributes:
        asking: What is asked.
        said: What was typed.
        fitting: The answers that begin so.
        error: What is wrong with it as a hand.
    """

    asking: Asking
    said: str
    fitting: tuple[DoubtAnswer, ...]
    error: NotationError | None = None


class NotTaken(Struct, frozen=True, kw_only=True):
    """
    A line that was asked about is not taken, or is an entry already.

    Attributes:
        line: The line.
        place: Where it was to go.
        waits: Whether another line was begun in its place.
    """

    line: str
    place: Place
    waits: bool


class Reseated(Struct, frozen=True, kw_only=True):
    """The players are in another order; passes that cannot be there are left out."""

    change: Change


Outcome = Taken | Refused | Asking | Unanswered | NotTaken | Reseated | Change | Outside
"""What comes of a line or an answer; a `Change` takes an entry back, an `Outside` came before."""


class _Weighed(NamedTuple):
    """What is asked about a line before it is taken, what is left to warn of, and if it clashes."""

    asking: Asking | None
    warning: Doubt | None
    clashes: bool


class EntryDialog:
    """
    The lines of one session as they are entered.

    Attributes:
        session: The game.
        asks: What is asked before a line is taken.
        state: Where the dialog stands.
        draft: What was typed before an edit began.
        waiting: The lines that were left without their answers, as they may be typed again.
    """

    def __init__(
        self,
        session: Session,
        *,
        asks: Asks = "everything",
        hand: bool = False,
        take: Callable[[Told, Place], int] | None = None,
    ) -> None:
        """
        Begin at the end of the log.

        Args:
            session: The game.
            asks: What is asked before a line is taken.
            hand: Whether the viewer's hand is asked for, once, where it matters and is missing.
            take: Takes a line in at its place and returns its entry, where not the session does.
        """
        self.session = session
        self.asks = asks
        self.state: State = Writing()
        self.draft = ""
        self.waiting: tuple[str, ...] = ()
        self._take = take or session.take
        self._alone = take is None
        self._hand = hand
        self._turn_open = False  # whether a turn may have been told that was not taken
        self._skipped = 0  # how often others had skipped where that was asked
        self._typed: TypedLine | None = None
        self._clashing: tuple[Record, dict[tuple[Place, Observation], bool]] = session.record, {}

    @property
    def place(self) -> Place:
        """Where the line goes."""
        taken = isinstance(self.state, Asking) and self.state.entry is not None
        return Place() if taken else self.state.place

    @property
    def asking(self) -> Asking | None:
        """What is asked before a line is taken; `None` where nothing is."""
        asked = self.state
        return asked if isinstance(asked, Asking) and asked.entry is None else None

    @property
    def allowed(self) -> frozenset[Act]:
        """What may be done next."""
        session = self.session
        may: set[Act] = {"enter"}
        if not isinstance(self.state, Writing):
            may.add("answer")
        if self.asking or self.place.entry is not None or self.waiting:
            may.add("escape")
        if self.asking or session.undoing is not None:
            may.add("undo")
        if session.redoing:
            may.add("redo")
        if session.record.entries:
            may |= {"edit", "insert", "delete"}
        return frozenset(may)

    # While a line is typed.

    def typed(self, line: str) -> TypedLine:
        """Return a line as it is read in its place; the last one is kept."""
        session, place = self.session, self.place
        table = session.record.table
        state = session.state_before(place.entry)
        last = self._typed
        if last is None or last.line != line or last.table is not table or last.state != state:
            last = self._typed = TypedLine(line, table, state)
        return last

    def late(self, line: str) -> DoubtChoice | None:
        """Return what a line that cannot be read adds to the entry that lacks it, if it is that."""
        error = self.typed(line).preview.error
        if error is None or self.place.entry is not None:
            return None
        doubt = self.session.late(error)
        return None if doubt is None else doubt.choices[0]

    def takes_back(self, line: str) -> bool:
        """Return whether a line says that the last change is to be taken back: `scratch that`."""
        if self.place.entry is not None:
            return False
        try:
            words = words_of_speech(line, self.session.record.table)
        except Unclear:
            return False
        kinds = [word.kind for word in words if word.kind != "lead"]
        if "undo" not in kinds or not {*kinds} <= {"undo", "no", "right", "mean", "break"}:
            return False
        at = kinds.index("undo")
        return not at or kinds[at - 1] != "no"

    def fault(self, error: NotationError, line: str) -> NotationError:
        """Return why a line cannot be read; of one that speaks of an entry, how to change that."""
        named = _ENTRY.search(line)
        if named is None or not 0 < int(named[1]) <= len(self.session.lines):
            return error
        reason = f"to change entry {named[1]}: /edit {named[1]}, or Enter on it in the log"
        return NotationError(reason, line=line, column=named.start())

    def clashes(self, observation: Observation, place: Place) -> bool:
        """Return whether a line contradicts the log in its place; found out once a meaning."""
        session = self.session
        if self._clashing[0] is not session.record:
            self._clashing = session.record, {}
        known = self._clashing[1]
        if (place, observation) not in known:
            known[place, observation] = session.clashes(observation, place)
        return known[place, observation]

    # What is entered.

    def say(self, text: str) -> Iterator[Outcome]:
        """
        Take a text that answers what is asked, or else is a line.

        Each outcome is there as soon as it has come to pass.
        """
        text = text.strip()
        answer = self.answer_in(text)
        asking = self.asking
        if answer is not None:
            yield from self.answer(answer)
        elif asking is not None and not self._reads(text, spoken=True):
            yield self._unanswered(asking, text)
        elif not text and asking is None and isinstance(self.state, Asking):
            self.state = Writing()
        else:
            if asking is not None:
                yield self.put_off()
            yield from self.enter(text)

    def _unanswered(self, asking: Asking, text: str) -> Unanswered:
        """Return that a text is no answer; of a hand, what is wrong with it."""
        fitting = asking.doubt.fitting(text.casefold()) if text else ()
        error = None
        if asking.doubt.kind == "hand":
            try:
                self.session.read(asking.doubt.answered(text.casefold()))
            except NotationError as wrong:
                error = wrong
        return Unanswered(asking=asking, said=text, fitting=fitting, error=error)

    def answer_in(self, text: str) -> Answer | None:
        """
        Return the answer that a text is to what is asked; `None` where it is none, or two.

        Nothing is an answer to the question for the hand alone: it is told later.
        """
        said = text.strip().casefold()
        asked = self.state
        if isinstance(asked, Writing):
            return None
        if not said:
            return "yes" if asked.doubt.kind == "hand" else None
        if asked.entry is not None and self._reads(text):
            return None  # the next line, rather
        fitting = asked.doubt.fitting(said)
        if not fitting and (whole := asked.doubt.answered(said)):
            try:
                return self.session.read(whole, editing=asked.place.entry)
            except NotationError:
                return None
        return fitting[0] if len(fitting) == 1 else None

    def look(self, line: str, *, settled: tuple[DoubtKind, ...] = ()) -> Asking | Refused | None:
        """Return what `enter` would ask about a line, or why refuse it; `None` if neither."""
        place = self.place
        try:
            told = self._told(line)
            return self._weighed(told, line, place, settled).asking
        except NotationError as error:
            return self._unread(error, line, place)
        except ClueError as error:
            return Refused(line=line, error=error)

    def enter(self, line: str, *, settled: tuple[DoubtKind, ...] = ()) -> Iterator[Outcome]:
        """
        Take a line, or ask what is doubtful about it.

        Args:
            line: The line, as it was typed.
            settled: The kinds of doubts about it that are answered already.
        """
        place = self.place
        self.state = Writing(place)
        if place.entry is None and (outside := self.session.poll()):
            yield outside
        for outcome in self._entered(line, place, settled):
            if isinstance(outcome, Refused) and outcome.late is None:
                self._untaken(line, place)
            yield outcome

    def _entered(
        self, line: str, place: Place, settled: tuple[DoubtKind, ...]
    ) -> Iterator[Outcome]:
        try:
            told = self._told(line)
        except NotationError as error:
            yield from self._otherwise(error, line, place)
            return
        except ClueError as error:
            yield Refused(line=line, error=error)
            return
        try:
            yield from self._doubted(told, line, place, settled)
        except ClueError as error:
            yield Refused(line=line, error=error)

    def _untaken(self, line: str, place: Place) -> None:
        """Note that a line is not taken, which may have been the turn of the player it names."""
        seats = lexicon_of(self.session.record.table).seats
        if place.entry is None and line and seats.readings(line.split(maxsplit=1)[0]):
            self._turn_open = True

    def _otherwise(self, error: NotationError, line: str, place: Place) -> Iterator[Outcome]:
        """Do what a line says that tells not one thing, ask what it lacks, or refuse it."""
        several = self._several(line, place)
        try:
            if self.takes_back(line):
                reason = "nothing to take back"
                yield self.session.undo() or Refused(
                    line=line, error=NotationError(reason, line=line)
                )
            elif several:
                yield from self._each(several)
            else:
                outcome = self._unread(error, line, place)
                if isinstance(outcome, Asking):
                    self.state = outcome
                yield outcome
        except ClueError as wrong:
            yield Refused(line=line, error=wrong)

    def _several(self, line: str, place: Place) -> tuple[Told, ...]:
        """Return the things that one line of speech tells; empty where it is one, or unclear."""
        try:
            ways = self.session.heard(line) if place.entry is None else ()
        except NotationError:
            return ()
        return ways[0] if len(ways) == 1 and len(ways[0]) > 1 else ()

    def _each(self, several: tuple[Told, ...]) -> Iterator[Outcome]:
        """Take one thing after another; those after a question wait."""
        for at, told in enumerate(several):
            for outcome in self._doubted(told, told.line, Place(), ()):
                yield outcome
                if isinstance(outcome, Asking):
                    self.waiting = (*self.waiting, *(one.line for one in several[at + 1 :]))
                    return

    def answer(self, answer: Answer) -> Iterator[Outcome]:
        """Settle what is asked."""
        asked = self.state
        assert not isinstance(asked, Writing)
        try:
            match answer:
                case "yes" if asked.doubt.kind == "seats":
                    yield self._reseated(asked)
                case "no" if asked.entry is None:
                    yield self._left(asked)
                case "yes" if asked.entry is None and asked.told is not None:
                    settled = (*asked.settled, asked.doubt.kind)
                    yield from self._doubted(
                        *(asked.told, asked.line, asked.place, settled),
                        skips=asked.skips,
                        assumed=asked.assumed,
                    )
                case "no" if asked.doubt.kind in ("clash", "turn"):
                    yield self._taken_back()
                case "no" | "yes":
                    self.state = Writing()
                case Told() if asked.doubt.kind == "hand":
                    yield from self._held(asked, answer)
                case Told():
                    place = asked.place if asked.entry is None else Place(asked.entry)
                    yield from self._doubted(
                        *(answer, answer.line, place, asked.settled),
                        skips=asked.skips,
                        assumed=asked.assumed,
                    )
                case DoubtChoice():
                    yield from self._chosen(asked, answer)
        except ClueError as error:
            self.state = Writing(self.place)
            yield Refused(line=asked.line, error=error)

    def _taken_back(self) -> Change:
        """Take back the entry that is asked about."""
        self.state = Writing()
        change = self.session.undo()
        assert change is not None
        return change

    def ask_hand(self, line: str = "") -> Asking | None:
        """
        Ask for the viewer's hand before advice is given, or before a command that gives it.

        It is asked once; `None` where it was, is known, or something else is asked.
        """
        doubt = missing_hand(self.session.record) if self._hand and not self.asking else None
        if doubt is None or self.asks == "nothing" or self.place.entry is not None:
            return None
        self._hand = False
        self.state = Asking(line=line, told=None, place=Place(), doubt=doubt)
        return self.state

    def ask_seats(self, text: str) -> Asking | None:
        """
        Ask about passes that were said and cannot be in another order of the players.

        `None` where there are none, or nobody is there to ask; raises as `Session.against_seats`.
        """
        doubt = self.session.against_seats(text) if self.asks != "nothing" else None
        if doubt is None:
            return None
        self.state = Asking(line=f"/seats {text}", told=None, place=Place(), doubt=doubt)
        return self.state

    def _reseated(self, asked: Asking) -> Reseated:
        """Put the players in the order that is asked about."""
        self.state = Writing()
        before = self.session.record.table
        names = asked.line.removeprefix("/seats ")
        self.session.set_header("seats", names, without=asked.doubt.entries)
        after = self.session.record.table
        return Reseated(change=Change(kind="seats", before=before, after=after))

    def _held(self, asked: Asking, hand: Told) -> Iterator[Outcome]:
        """Take the viewer's hand, and then the line before which it was asked for."""
        self.state = Writing()
        for outcome in self._doubted(hand, hand.line, Place(), ()):
            yield outcome
            if isinstance(outcome, Asking) and asked.told is not None:
                self.waiting = (*self.waiting, asked.line)
        if asked.told is not None and self.asking is None:
            settled = (*asked.settled, asked.doubt.kind)
            yield from self._doubted(asked.told, asked.line, asked.place, settled)

    def _chosen(
        self, asked: Asking, choice: DoubtChoice, *, assumed: bool = False
    ) -> Iterator[Outcome]:
        """Tell what a choice tells, once nothing is doubtful any more about the last of it."""
        if choice.kind == "same":
            yield self._left(asked) if asked.entry is None else self._taken_back()
            return
        place = asked.place
        moves = choice.entry is not None or choice.before is not None
        if asked.entry is not None and len(choice.told) == 1 and not moves:
            place = Place(asked.entry)  # it is there already, and becomes this
        elif asked.entry is not None:
            self.session.undo()
        *before, told = choice.told
        shows = any(answer.answer == "shows" for answer in getattr(told.observation, "answers", ()))
        if told.said is None and shows and asked.told is not None:
            # It is the line that was asked about, with who shows or which card.
            told = told._replace(said=asked.told.said)
        skips = (*asked.skips, *before)
        line = told.line
        if choice.stands and asked.entry is None and asked.told is not None:
            told, line = asked.told, asked.line
        elif comment := told.comment or split_comment(asked.line)[1]:
            told, line = told._replace(comment=comment), f"{told.line}  # {comment}"
        if choice.before is not None:
            place = Place(choice.before, insert=True)
        elif choice.entry is not None:
            place = Place(choice.entry)
        settled = (*asked.settled, asked.doubt.kind)
        yield from self._doubted(
            told, line, place, settled, skips=skips, assumed=assumed or asked.assumed
        )

    def _weighed(
        self,
        told: Told,
        line: str,
        place: Place,
        settled: tuple[DoubtKind, ...],
        *,
        skips: tuple[Told, ...] = (),
    ) -> _Weighed:
        """Return what is doubtful about a line; raise a `ClueError` if it cannot be."""
        session = self.session.still() if skips else self.session
        for skip in skips:
            session.take(skip)
        every = session.doubts(told, editing=place.entry, insert=place.insert)
        if self._turn_open and told.guessed and place.entry is None:
            every = (*every, whose_turn(told))
        left = [doubt for doubt in every if doubt.kind not in settled]
        asked = next((doubt for doubt in left if self._asks(doubt)), None)
        return _Weighed(
            asking=asked
            and Asking(
                line=line, told=told, place=place, doubt=asked, settled=settled, skips=skips
            ),
            warning=next(iter(left), None),
            clashes=any(doubt.kind == "clash" for doubt in every),
        )

    def _doubted(
        self,
        told: Told,
        line: str,
        place: Place,
        settled: tuple[DoubtKind, ...],
        *,
        skips: tuple[Told, ...] = (),
        assumed: bool = False,
    ) -> Iterator[Outcome]:
        """Ask what is doubtful about a line, or take it; raise a `ClueError` if it cannot be."""
        own = place.entry is None and concerns_hand(told.observation, self.session.record.table)
        if own and (asks := self.ask_hand(line)) is not None:
            self.state = replace(asks, told=told, settled=settled)
            yield self.state
            return
        told = self.session.completed(told, place)
        asking, warning, clashes = self._weighed(told, line, place, settled, skips=skips)
        if asking is not None and asking.doubt.asks == "skipped" and self._skipped >= _SKIPS:
            yield from self._chosen(asking, asking.doubt.choices[0], assumed=True)
            return
        if asking is not None:
            if not self._alone:  # a page asks anew, of a log that has them
                yield from self._skip(skips, assumed=assumed)
                skips = ()
            self.state = replace(asking, skips=skips, assumed=assumed)
            yield self.state
            return
        with self.session.at_once():
            yield from self._skip(skips, assumed=assumed)
            taken = self._taken(told, place, clashes=clashes, warning=warning)
        if warning is not None:
            self.state = Asking(
                line=line,
                told=told,
                place=place,
                doubt=warning,
                settled=settled,
                entry=taken.entry,
            )
        yield taken

    def _skip(self, skips: tuple[Told, ...], *, assumed: bool) -> Iterator[Taken]:
        """Tell who skipped before a line."""
        self._skipped += bool(skips)
        for skip in skips:
            yield replace(self._taken(skip, Place(), clashes=False), assumed=assumed)

    def _taken(
        self, told: Told, place: Place, *, clashes: bool, warning: Doubt | None = None
    ) -> Taken:
        entry = self._take(told, place)
        self.state = Writing()
        self._turn_open = False
        self.waiting = tuple(line for line in self.waiting if not _amends(told.line, line))
        return Taken(entry=entry, told=told, place=place, clashes=clashes, warning=warning)

    def _unread(self, error: NotationError, line: str, place: Place) -> Asking | Refused:
        """Ask for the one thing that a line lacks, or whether an entry lacks it; else refuse it."""
        late = self.session.late(error) if place.entry is None else None
        if self.asks == "nothing":
            return Refused(line=line, error=error, late=late.choices[0] if late else None)
        doubt = self.session.lacking(error, editing=place.entry) or late
        if doubt is None:
            return Refused(line=line, error=self.fault(error, line))
        return Asking(line=line, told=None, place=place, doubt=doubt)

    def _asks(self, doubt: Doubt) -> bool:
        if self.asks == "what matters":
            return doubt.serious or doubt.kind in ("turn", "rule")
        return self.asks == "everything"

    def _told(self, line: str) -> Told:
        """Return what a line tells in its place; raise a `NotationError` if it cannot be read."""
        ahead = self.typed(line).preview
        # Where there is none, the session says why, or knows which of several it must be.
        return ahead.told or self.session.read(line)

    def _reads(self, text: str, *, spoken: bool = False) -> bool:
        """Return whether a text is a line by itself, or one of speech."""
        try:
            told = self.session.read(text)
        except NotationError:
            return False
        return spoken or not told.spoken

    # What is left, edited, taken back.

    def escape(self) -> NotTaken | None:
        """Leave what is asked and return its line, or else the edit, or else what waits."""
        if (asking := self.asking) is not None:
            return self._left(asking)
        if self.place.entry is None:
            self.waiting = ()
        self.state = Writing()
        return None

    def take_up(self, line: str, *, instead: str = "") -> None:
        """Let a line wait no more: it is written again, and what was typed `instead` waits."""
        left = (other for other in self.waiting if other != line)
        self.waiting = (*left, instead) if instead else tuple(left)

    def put_off(self) -> NotTaken:
        """Let the line that is asked about wait, as another one is begun."""
        asking = self.asking
        assert asking is not None
        line = asking.line
        if asking.doubt.kind == "seats" or (asking.told is None and asking.doubt.kind == "hand"):
            line = ""  # a command, or nothing: it does not wait
        else:
            draft = (self.draft,) if asking.place.entry is not None and self.draft else ()
            self.waiting = (*self.waiting, *draft, in_place(asking.line, asking.place))
            self._turn_open = True
        self.state = Writing()
        self.draft = ""
        return NotTaken(line=line, place=asking.place, waits=True)

    def _left(self, asking: Asking) -> NotTaken:
        if asking.doubt.kind != "late":
            self._untaken(asking.line, asking.place)
        self.state = Writing(asking.place)
        return NotTaken(line=asking.line, place=asking.place, waits=False)

    def edit(self, entry: int, *, insert: bool = False, draft: str = "") -> None:
        """
        Write in the place of an entry, or before it.

        Args:
            entry: Its number.
            insert: Whether the line is put in before it.
            draft: What was typed so far, for afterwards.

        Raises:
            ArgumentError: If there is no such entry.
        """
        self.session.entry(entry)
        if self.place.entry is None:
            self.draft = draft
        self.state = Writing(Place(entry, insert))

    def leave(self) -> str:
        """Write at the end again; return what was typed before the edit."""
        self.state = Writing()
        draft = self.draft
        self.draft = ""
        return draft

    def undo(self) -> Change | NotTaken | None:
        """Take back what was done last: a question, else a change; raises as `Session.undo`."""
        if (asking := self.asking) is not None:
            return self._left(asking)
        return self.session.undo()


def in_place(line: str, place: Place) -> str:
    """
    Return a line with the command that tells it in its place.

    >>> in_place("Ann skips", Place(7, insert=True))
    '/insert 7 Ann skips'
    """
    if place.entry is None:
        return line
    return f"/{'insert' if place.insert else 'edit'} {place.entry} {line}"


def _amends(line: str, waiting: str) -> bool:
    """
    Return whether a line that was taken says what one that waits was to say, itself or put right.

    >>> _amends("tom rev kit study: eva", "tom rev kit hall: eva")
    True
    >>> _amends("eva rev kit study: max", "tom mus rope hall: eva")
    False
    """
    return SequenceMatcher(None, line.casefold(), waiting.casefold(), autojunk=False).ratio() > 0.7
