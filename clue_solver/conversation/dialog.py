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
from clue_solver.conversation.session import Session, is_plain
from clue_solver.errors import ClueError, NotationError
from clue_solver.notation import TypedLine, format_line, lexicon_of, split_comment
from clue_solver.notation.reader import readings
from clue_solver.notation.reading import Reading, the_one, why_not
from clue_solver.record import Record
from clue_solver.rules.observations import Finger, Hand, Observation, Question, Suggestion

_SKIPS = 2
"""After so many skips that nobody had told, the next ones are assumed, and said."""

_ENTRY = re.compile(r"\b(?:entry|line|number) ([0-9]{1,5})\b", re.IGNORECASE)

_TAKES_BACK = frozenset(
    f"{no}{verb}"
    for no in ("", "no ", "no, ")
    for verb in ("undo that", "scratch that", "strike that", "take that back", "take it back")
)
"""What people say to take the last change back."""

_HAND_WORDS = (
    *(f"{my}hand{is_} " for my in ("my ", "") for is_ in (" is:", " is", ":", "")),
    *(f"{my}cards{are} " for my in ("my ", "") for are in (" are:", " are", ":", "")),
    *("i've got ", "i have ", "i hold ", "holds ", "has "),
)
"""How a hand may begin where it is asked for; or with its first card."""

Asks = Literal["everything", "what matters", "nothing"]
"""What is asked about a line before it is taken."""

Act = Literal["answer", "enter", "escape", "edit", "insert", "delete", "undo", "redo"]

Answer = DoubtAnswer | Reading
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
    told: Reading | None
    place: Place
    doubt: Doubt
    settled: tuple[DoubtKind, ...] = ()
    entry: int | None = None
    skips: tuple[Reading, ...] = ()
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
    told: Reading
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
        take: Callable[[Reading, Place], int] | None = None,
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
        return self.place.entry is None and line.casefold().strip(" .!") in _TAKES_BACK

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
        elif asking is not None and not self._reads(text):
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
        if asking.doubt.kind == "hand" and text:
            try:
                the_one(self.answers(text), text)
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
        if asked.doubt.asked is not None and said == "no":
            fitting = ()  # the next seat passes: it does not begin `nobody shows`
        if fitting or asked.doubt.asked is None:
            return fitting[0] if len(fitting) == 1 else None
        try:
            ways = self.answers(text)
        except NotationError:
            return None
        if len(ways) != 1:
            return None
        return ways[0] if _is_whole(ways[0]) or self._begins_hand(asked.doubt, text) else None

    def _begins_hand(self, doubt: Doubt, text: str) -> bool:
        """Return whether a text tells some cards of a hand, rather than a suggestion."""
        if doubt.kind != "hand":
            return False
        begun = isinstance(doubt.asked, Hand) and bool(doubt.asked.cards)
        return _hand_words(text) > 0 or (begun and not self._reads(text))

    def answers(self, text: str) -> tuple[Reading, ...]:
        """
        Return what a text tells as the answer to what is asked, as it would behind the colon.

        Raises:
            NotationError: If it is no answer.
        """
        assert not isinstance(self.state, Writing)
        asked = self.state.doubt.asked
        table = self.session.record.table
        state = self.session.state_before(self.state.place.entry)
        match asked:
            case Hand():
                if any(words.startswith(text.casefold()) for words in _HAND_WORDS):
                    raise NotationError("expected your cards", line=text, column=len(text))
                said = text[_hand_words(text) :].strip(" ,.")
                found = readings(said, table, state, begun=(Hand, asked.seat))
                return tuple(way.with_more("cards", asked.cards) for way in found)
            case Suggestion() | Finger() | Question():
                found = readings(text, table, state, open=asked)
                if late := [way for way in found if way.late]:
                    return tuple(_in_full(way) for way in late)
        raise NotationError("this answers no question", line=text)

    def look(self, line: str, *, settled: tuple[DoubtKind, ...] = ()) -> Asking | Refused | None:
        """Return what `enter` would ask about a line, or why refuse it; `None` if neither."""
        place = self.place
        try:
            ways = self._ways(line)
            if is_plain(ways):
                return self._weighed(ways[0], line, place, settled).asking
            return self._unclear(ways, line, place)
        except NotationError as error:
            return Refused(line=line, error=self.fault(error, line))
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
            if self.takes_back(line):
                reason = "nothing to take back"
                error = NotationError(reason, line=line)
                yield self.session.undo() or Refused(line=line, error=error)
                return
            ways = self._ways(line)
            if is_plain(ways):
                yield from self._doubted(ways[0], line, place, settled)
                return
            outcome = self._unclear(ways, line, place)
            if isinstance(outcome, Asking):
                self.state = outcome
            yield outcome
        except NotationError as error:
            yield Refused(line=line, error=self.fault(error, line))
        except ClueError as error:
            yield Refused(line=line, error=error)

    def _ways(self, line: str) -> tuple[Reading, ...]:
        """Return what a line can mean in its place; a `NotationError` if nothing."""
        entry = self.place.entry
        return self.session.readings(line, editing=entry, late=entry is None)

    def _unclear(self, ways: tuple[Reading, ...], line: str, place: Place) -> Asking | Refused:
        """Ask which of several things a line means, or for the one that it lacks; else refuse."""
        doubt = self.session.unclear(ways)
        if doubt is not None and self.asks != "nothing":
            return Asking(line=line, told=None, place=place, doubt=doubt)
        late = doubt.choices[0] if doubt is not None and doubt.kind == "late" else None
        try:
            error = why_not(self.session.readings(line) if late else ways, line)
        except NotationError as unread:
            error = unread
        return Refused(line=line, error=self.fault(error, line), late=late)

    def _untaken(self, line: str, place: Place) -> None:
        """Note that a line is not taken, which may have been the turn of the player it names."""
        seats = lexicon_of(self.session.record.table).seats
        if place.entry is None and line and seats.readings(line.split(maxsplit=1)[0]):
            self._turn_open = True

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
                case Reading() if answer.observation is None:
                    yield self._ask_more(asked, answer)
                case Reading() if asked.doubt.kind == "hand":
                    yield from self._held(asked, answer)
                case Reading():
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

    def _ask_more(self, asked: Asking, answer: Reading) -> Asking:
        """Ask for the cards that a hand lacks still."""
        doubt = self.session.unclear((answer,))
        assert doubt is not None
        self.state = replace(asked, doubt=doubt)
        return self.state

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

    def _held(self, asked: Asking, hand: Reading) -> Iterator[Outcome]:
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
        shows = any(answer.answer == "shows" for answer in getattr(told.told, "answers", ()))
        if told.said is None and shows and asked.told is not None:
            # It is the line that was asked about, with who shows or which card.
            told = replace(told, said=asked.told.said)
        skips = (*asked.skips, *before)
        line = told.line
        if choice.stands and asked.entry is None and asked.told is not None:
            told, line = asked.told, asked.line
        elif comment := told.comment or split_comment(asked.line)[1]:
            told, line = replace(told, comment=comment), f"{told.line}  # {comment}"
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
        told: Reading,
        line: str,
        place: Place,
        settled: tuple[DoubtKind, ...],
        *,
        skips: tuple[Reading, ...] = (),
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
        told: Reading,
        line: str,
        place: Place,
        settled: tuple[DoubtKind, ...],
        *,
        skips: tuple[Reading, ...] = (),
        assumed: bool = False,
    ) -> Iterator[Outcome]:
        """Ask what is doubtful about a line, or take it; raise a `ClueError` if it cannot be."""
        own = place.entry is None and concerns_hand(told.told, self.session.record.table)
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

    def _skip(self, skips: tuple[Reading, ...], *, assumed: bool) -> Iterator[Taken]:
        """Tell who skipped before a line."""
        self._skipped += bool(skips)
        for skip in skips:
            yield replace(self._taken(skip, Place(), clashes=False), assumed=assumed)

    def _taken(
        self, told: Reading, place: Place, *, clashes: bool, warning: Doubt | None = None
    ) -> Taken:
        entry = self._take(told, place)
        self.state = Writing()
        self._turn_open = False
        self.waiting = tuple(line for line in self.waiting if not _amends(told.line, line))
        return Taken(entry=entry, told=told, place=place, clashes=clashes, warning=warning)

    def _asks(self, doubt: Doubt) -> bool:
        if self.asks == "what matters":
            return doubt.serious or doubt.kind in ("turn", "rule")
        return self.asks == "everything"

    def _reads(self, text: str) -> bool:
        """Return whether a text is a line by itself."""
        try:
            self.session.read(text)
        except NotationError:
            return False
        return True

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


def _hand_words(text: str) -> int:
    """Return how many letters of a text say that a hand follows, as `i have` does."""
    said = text.casefold()
    return max((len(words) for words in _HAND_WORDS if said.startswith(words)), default=0)


def _in_full(way: Reading) -> Reading:
    """Return a reading of an answer with its line in full, so that it can be told anew."""
    if way.observation is None:
        return way
    return replace(way, line=format_line(way.observation, way.table))


def _is_whole(way: Reading) -> bool:
    """Return whether a reading leaves nothing out."""
    return way.observation is not None


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
