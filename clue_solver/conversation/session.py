"""A game being logged: what it was, is and may be again, and the file that it is kept in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy

from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.answers.corrections import Check, Correction
from clue_solver.answers.report import Report
from clue_solver.conversation.changes import (
    END,
    Change,
    HeaderPart,
    Outside,
    Place,
    change_between,
    checked,
    corrected,
    entry_of,
    with_part,
    with_told,
    without,
)
from clue_solver.conversation.doubts import Doubt
from clue_solver.conversation.hands import impossible, own_refusal
from clue_solver.conversation.questions import NewEntry, doubts_of, late_passes, with_seen_card
from clue_solver.conversation.showings import Showing, showings
from clue_solver.conversation.unclear import unclear
from clue_solver.game import Game
from clue_solver.notation.reader import Asked, readings
from clue_solver.notation.reading import Reading, reading_of, the_likely, why_not
from clue_solver.record import Entry, Record
from clue_solver.record.files import RecordFile
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Play
from clue_solver.rules.table import Table

_MOST_WEIGHED = 12
"""The most readings of a line that are held against the log."""


class Session:
    """
    A game being logged: a list of games is its undo, and each change is in its file at once.

    Attributes:
        keeper: Where it is written to; `None` for a game in memory.
        outside: What another program wrote to the file before the last change or `poll`, and what
            became of it; `None` where there was nothing.

    >>> from clue_solver import Record, Session, Table, load_edition
    >>> seats = ("Ann", "Ben", "Cat")
    >>> session = Session(Record(table=Table(edition=load_edition("clue-classic"), seats=seats)))
    >>> session.tell("ann plum rope hall: ben"), session.game.lines
    (1, ('Ann suggests Plum, Rope, Hall: Ben shows',))
    """

    def __init__(self, record: Record, *, keeper: RecordFile | None = None) -> None:
        self.keeper = keeper
        self.outside: Outside | None = None
        self._writes = keeper is not None
        self._games = [Game(record)]  # what it was, is, and may be again
        self._at = 0  # which of them it is
        # By what an entry tells: the same without the passes that were filled in, where known.
        self._said: dict[Observation, Observation] = {}

    def __repr__(self) -> str:
        return repr(self.game).replace("Game", "Session", 1)

    @property
    def game(self) -> Game:
        """The game as it stands; a new value after each change."""
        return self._games[self._at]

    @property
    def record(self) -> Record:
        """The record as it stands."""
        return self.game.record

    @property
    def lines(self) -> tuple[str, ...]:
        """The entries as canonical lines, in file order."""
        return self.game.lines

    @property
    def play(self) -> Play:
        """The state of play: where the pieces stand, as far as it follows from the log."""
        return self.game.play()

    @property
    def state(self) -> notation.TurnState:
        """What the entries mean for the next line."""
        return self.play.turns

    @property
    def turn(self) -> str | None:
        """Who is to act, as far as it follows from the log; `None` once the game is over."""
        return self.play.due

    @property
    def trouble(self) -> errors.RecordError | None:
        """Why the game is in memory only, where it should be in a file; `None` if all is well."""
        return self.keeper.trouble if self.keeper else None

    @property
    def ended(self) -> Observation | None:
        """What ended the game: a right accusation, or what left nobody in it; `None` before."""
        return self.record.ended

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.record.finished

    def still(self) -> Session:
        """Return a copy of the game as it stands, whose changes reach neither it nor its file."""
        now = copy(self)
        now._writes = False
        now._said = dict(self._said)
        now._games = self._games[max(self._at - 1, 0) : self._at + 1]
        now._at = len(now._games) - 1
        return now

    def entry(self, number: int) -> Entry:
        """Return an entry by its number; raise an `ArgumentError` if there is no such."""
        return entry_of(self.record, number)

    def state_before(self, entry: int | None) -> notation.TurnState:
        """
        Return what the entries before this one mean for its line; of all of them for `None`.

        Raises:
            ArgumentError: If there is no such entry.
        """
        if entry is None:
            return self.state
        self.entry(entry)
        return self.game.play(entry - 1).turns

    # What is told.

    def tell(self, line: str) -> int:
        """
        Add an entry from a line, in full or in short, and return its number.

        What another program has written to the file stands before it.

        Raises:
            NotationError: If the line cannot be read, or shows a card that the viewer does not
                hold; nothing has changed then.
        """
        self.poll()
        return self.take(self.read(line))

    def edit(self, entry: int, line: str) -> None:
        """
        Replace an earlier entry.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If the line, or a later one after it, cannot be read; or as `tell`.
            RecordError: If another program has changed the file, which is read again then.
        """
        self.take(self.read(line, editing=entry), Place(entry))

    def append(self, observation: Observation, *, comment: str = "") -> int:
        """
        Add an entry that is an observation already and return its number.

        It is checked as a line is, and passes that follow from the order of answering are filled
        in; names in it stand in full.

        Raises:
            ArgumentError: If it is a line, which `tell` takes.
            NotationError: If it has no meaning at this table, or as `tell`; nothing has changed
                then.
            RecordError: If the comment cannot be written as one.
        """
        if isinstance(observation, str):
            message = f"expected an observation; found the line {observation!r}, which `tell` takes"
            raise errors.ArgumentError(message, argument="observation")
        self.poll()
        whole = notation.normalise(observation, self.record.table, self.state)
        said = notation.answering(observation) if whole != observation else None
        told = reading_of(whole, self.record.table)
        return self.take(replace(told, comment=comment, said=said))

    def take(self, told: Reading, place: Place = END, *, before: Sequence[Reading] = ()) -> int:
        """
        Take a line that was read in at its place, and return the number of its entry.

        Args:
            told: What it tells.
            place: Where it goes.
            before: What goes in before it, in the same step; at the end of the log only.

        Raises:
            ArgumentError: If something is to go in before a line in the place of an entry.
            ClueError: As `append` and `edit`.
        """
        if before and place.entry is not None:
            message = f"nothing else goes in with a line in the place of entry {place.entry}"
            raise errors.ArgumentError(message, argument="before")
        game = self.game
        for each in (*before, told):
            if (error := own_refusal(game.record, each.told)) is not None:
                raise error
            if place.entry is None:
                game = game.changed(game.record.longer(_in(game, each), comment=each.comment))
        if place.entry is None:
            self._go_on(game)
        else:
            self.rewrite(with_told(game.record, told.told, place, told.comment).entries)
        self._keep_said(told, place)
        return place.entry or len(game.record.entries)

    def retake(self, told: Reading, place: Place = END, *, before: Sequence[Reading] = ()) -> int:
        """
        Take a line instead of the last change, in one step; see `take`.

        Raises:
            ClueError: As `take` and `undo`; the last change stands then.
        """
        self._follow()
        changed = self.still()
        changed.undo()
        number = changed.take(told, place, before=before)
        first = max(self._at - 1, 0)
        self._games[first:] = changed._games
        self._at = first + changed._at
        self._said = changed._said
        self.write_out()
        return number

    def delete(self, entry: int) -> None:
        """
        Take an earlier entry out.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If a later line has no meaning without it.
            RecordError: As `edit`.
        """
        self.rewrite(without(self.record, entry).entries)

    def correct(self, correction: Correction) -> None:
        """Make the changes that a check proposed; raises as `delete`."""
        changed = corrected(self.record, correction)
        self.rewrite(changed.entries, changed.table)

    def rewrite(
        self, entries: Sequence[Entry], table: Table | None = None, *, later: bool = False
    ) -> None:
        """
        Put other entries, or another header, in the place of those that there are.

        What both begin with is not read again. Where the file may follow `later`, it is left to
        `write_out`, or to the next change.

        Raises:
            NotationError: If an entry has no meaning in its place.
            RecordError: As `edit`.
        """
        self._follow()
        record = self.record
        known = record.entries if table in (None, record.table) else ()
        record = replace(record, entries=tuple(entries), table=table or record.table)
        self._go_on(self.game.changed(checked(record, known=known)), later=later)

    # The header.

    def set_header(self, part: HeaderPart, text: str, *, without: Collection[int] = ()) -> None:
        """
        Change a part of the header, as it is typed.

        In another order of the players, passes that were filled in are worked out anew; what was
        said stays, but for the passes in the entries `without` them.

        Raises:
            SetupError, ArgumentError: If there can be no such header.
            NotationError: If a name in it is none, or an entry does not fit it.
            RecordError: As `edit`.
        """
        before = self._as_said(without) if part == "seats" else self.record
        changed = with_part(before, part, text)
        self.rewrite(changed.entries, changed.table)
        if part == "seats":
            self._said |= zip(self.record.observations, changed.observations, strict=True)

    def against_seats(self, text: str) -> Doubt | None:
        """
        Return the question about passes that were said and cannot be in another order of players.

        Raises:
            SetupError: If there can be no such order.
        """
        return late_passes(with_part(self._as_said(), "seats", text))

    def _as_said(self, without: Collection[int] = ()) -> Record:
        """Return the record without the passes that were filled in, and without some entries'."""
        record = self.record
        entries: list[Entry] = []
        for number, entry in enumerate(record.entries, 1):
            said = self._said.get(entry.observation)
            if said is None or number in without:
                left = self.game.play(number - 1).turns.left
                said = notation.as_said(entry.observation, record.table, left=left)
            entries.append(replace(entry, observation=said))
        return replace(record, entries=tuple(entries))

    def _keep_said(self, told: Reading, place: Place) -> None:
        """Keep which answers a line said, for when the players are put in another order."""
        observation = told.told
        same = self._said.pop(observation, None)  # another entry may tell the same
        if place.entry is not None and not place.insert:
            same = None
        if told.said is not None:
            seats = told.said if same is None else told.said | notation.answering(same)
            said = notation.as_said(observation, self.record.table, seats)
            self._said[observation] = said
        elif same is not None:
            self._said[observation] = same

    # Undo and redo.

    def undo(self) -> Change | None:
        """
        Go back to what was before the last change; of a game from a file to one entry less.

        Returns:
            What that changed; `None` if there was nothing to go back to.

        Raises:
            RecordError: As `edit`.
        """
        self._follow()
        earlier = self._earlier
        if earlier is None:
            return None
        if self._at == 0:
            self._games.insert(0, earlier)
            self._at = 1
        return self._step(-1)

    def redo(self) -> Change | None:
        """Do again what was undone; return what that changed, `None` if nothing; as `undo`."""
        self._follow()
        return self._step(1) if self.redoing else None

    @property
    def undoing(self) -> Change | None:
        """What `undo` would change; `None` if there is nothing to go back to."""
        earlier = self._earlier
        return None if earlier is None else change_between(self.record, earlier.record)

    @property
    def redoing(self) -> bool:
        """Whether something that was undone can be done again."""
        return self._at + 1 < len(self._games)

    @property
    def _earlier(self) -> Game | None:
        """Where `undo` leads: to before the last change, else to one entry less; or nowhere."""
        if self._at:
            return self._games[self._at - 1]
        entries = len(self.record.entries)
        return self.game.changed(self.record.upto(entries - 1)) if entries else None

    def _step(self, by: int) -> Change:
        before = self.record
        self._at += by
        self.write_out()
        return change_between(before, self.record)

    def _go_on(self, game: Game, *, later: bool = False) -> None:
        """Go on to another game; what was undone is gone. The file may follow `later`."""
        del self._games[self._at + 1 :]
        self._games.append(game)
        self._at += 1
        if not later:
            self.write_out()

    # The file.

    def write_out(self) -> None:
        """Write the game as it stands to its file."""
        if self._writes and self.keeper is not None:
            self.keeper.write(self.record)
            if aside := self.keeper.aside:
                self.outside = Outside(aside=aside)

    def poll(self) -> Outside | None:
        """
        Take in what another program has written to the file, if that can be read.

        The file's entries are the record then, and `undo` leads back. What cannot be read is left
        alone, and kept in a file beside this one when the next change is written.

        Returns:
            What became of it, as `outside` has it; `None` if the file is as it was.
        """
        self.outside = None
        keeper = self.keeper if self._writes else None
        if keeper is None or keeper.trouble or not keeper.changed:
            return None
        try:
            record = keeper.read()
        except errors.ClueError as error:
            self.outside = Outside(error=error)
        else:
            table = self.record.table
            if record.table == table:  # the same one, so that what is known goes on
                record = replace(record, table=table)
            self._go_on(self.game.changed(record), later=True)
            self.outside = Outside(entries=len(record.entries))
        return self.outside

    def _follow(self) -> None:
        """Refuse a change where another program has changed the file, which is read again."""
        before = self.record
        self.poll()
        if self.record is not before and self.keeper is not None:
            reason = "another program has changed the file, and it has been read again"
            raise errors.RecordError(
                f"{reason}; nothing else was done, so look and do it again",
                path=str(self.keeper.path),
            )

    def save(self) -> bool:
        """
        Write what the file lacks once more; what another program wrote to it is taken in.

        Returns:
            Whether the file holds the game as it stands; if not, `trouble` says why.
        """
        self.poll()
        if self.keeper is not None and not self.keeper.saved:
            self.write_out()
        return self.keeper is None or self.keeper.saved

    def close(self) -> None:
        """Let go of the file."""
        if self.keeper:
            self.keeper.close()

    # What lines mean here, and what is doubtful about them.

    def read(self, line: str, *, editing: int | None = None) -> Reading:
        """
        Return the one thing that a line tells.

        Args:
            line: The line as it was typed.
            editing: The number of the entry that it is to replace.

        Raises:
            NotationError: If it cannot be read, or in more than one way.
            ArgumentError: If there is no such entry.
        """
        found = self.readings(line, editing=editing)
        if (likely := the_likely(found)) is None:
            raise why_not(found, line)
        return likely

    def readings(
        self, line: str, *, editing: int | None = None, late: bool = False
    ) -> tuple[Reading, ...]:
        """
        Return all that a line can mean in its place: whole, else with one gap.

        A meaning that the viewer's own hand rules out is left out if another is left, and so is one
        that contradicts the log.

        Args:
            line: The line as it was typed.
            editing: The number of the entry that it is to replace.
            late: Whether it may tell what the entry that waits for its answers lacks.

        Raises:
            NotationError: If it means nothing.
            ArgumentError: If there is no such entry.
        """
        record = self.record
        table, state = record.table, self.state_before(editing)
        number = self.waiting if late else None
        asked = None if number is None else self.entry(number).observation
        found = readings(line, table, state, open=asked if isinstance(asked, Asked) else None)
        whole = [way for way in found if way.observation is not None]
        different = {_unordered(way): way for way in reversed(whole)}  # of equal ones the first
        ways = [*reversed(different.values())]
        if not 1 < len(ways) <= _MOST_WEIGHED:
            return tuple(ways) or found
        ways = [way for way in ways if not impossible(record, way.told)] or ways
        if len(ways) > 1:
            consistent = [
                way
                for way in ways
                if not self.clashes(way.told, Place(number if way.late else editing))
            ]
            ways = consistent or ways
        return tuple([way for way in ways if way.by_order] or ways)

    @property
    def waiting(self) -> int | None:
        """The number of the last entry of this round that waits for its answers, if one does."""
        observations = self.record.observations
        first = max(len(observations) - len(self.record.table.seats), 0)
        for number in range(len(observations), first, -1):
            match observations[number - 1]:
                case observed.Suggestion(answers=answers) | observed.Finger(answers=answers):
                    if not answers or answers[-1].seat is None:
                        return number
                case observed.Question(answer="unheard"):
                    return number
        return None

    def completions(self, typed: notation.TypedLine) -> tuple[notation.Completion, ...]:
        """Return what may stand next in a line, but for what the viewer's own hand rules out."""
        return tuple(
            completion
            for completion in typed.completions()
            if completion.observation is None or not impossible(self.record, completion.observation)
        )

    def clashes(self, told: str | Observation, place: Place = END) -> bool:
        """
        Return whether a line contradicts the log in its place.

        False for a line that cannot be read, and in a log that contradicts itself without it.
        """
        if isinstance(told, str):
            try:
                told = self.read(told, editing=place.entry).told
            except errors.NotationError:
                return False
        return NewEntry(self.game, reading_of(told, self.record.table), place).clashes()

    def doubts(
        self,
        told: str | Observation | Reading,
        *,
        editing: int | None = None,
        insert: bool = False,
    ) -> tuple[Doubt, ...]:
        """
        Return what to ask before a line is taken; nothing where all is plain.

        Args:
            told: The line as it was typed, or what it tells. Only a line can say that something is
                left out on purpose: `Cat shows ?`, or `: ?` where nothing was heard.
            editing: The number of the entry that it is to replace.
            insert: Whether it is to be put in before that entry instead.

        Raises:
            NotationError: If it cannot be read, or as `tell`.
            ArgumentError: If there is no such entry.
        """
        if editing is not None:
            self.entry(editing)
        if isinstance(told, str):
            ways = self.readings(told, editing=editing, late=editing is None)
            if not is_plain(ways):
                if (doubt := self.unclear(ways)) is not None:
                    return (doubt,)
                raise why_not(ways, told)
            told = ways[0]
        elif not isinstance(told, Reading):
            told = reading_of(told, self.record.table)
        if (error := own_refusal(self.record, told.told)) is not None:
            raise error
        return doubts_of(NewEntry(self.game, told, Place(editing, insert)))

    def with_seen_card(self, told: Reading, place: Place) -> Reading:
        """Return a line with the card that the viewer saw, where it can be one card alone."""
        return with_seen_card(NewEntry(self.game, told, place))

    def unclear(self, ways: Sequence[Reading]) -> Doubt | None:
        """Return the question for what a line leaves open: which of several, what it lacks."""
        return unclear(ways, self.record, self.waiting)

    # What follows from the log.

    def report(self, *, viewer: str | None = None, upto: int | None = None) -> Report:
        """Return the report as of now, or as of an earlier entry, or through other eyes."""
        return self.game.report(viewer=viewer, upto=upto)

    def check(self) -> Check:
        """Return whether the log is consistent; if not, suggested corrections."""
        return self.game.check()

    def showings(self, line: str) -> tuple[Showing, ...]:
        """
        Return the cards that the viewer may show in answer to a suggestion, what tells least first.

        Args:
            line: The suggestion, with or without its answers.

        Raises:
            NotationError: If it is no suggestion by another seat.
            SetupError: If the viewer's own hand is not recorded.
        """
        return showings(self.game, line, self.state)


def is_plain(ways: Sequence[Reading]) -> bool:
    """Return whether a line means one whole thing, and is an entry of its own."""
    return len(ways) == 1 and ways[0].observation is not None and not ways[0].late


def _in(game: Game, told: Reading) -> Observation:
    """Return what a line tells in canonical form; read in another state, it is worked out anew."""
    state = game.play().turns
    if told.table is game.table and told.state == state:
        return told.told
    return notation.normalise(told.told, game.table, state)


def _unordered(way: Reading) -> tuple[bool, Observation]:
    """Return what a reading tells, with its cards in the order of the edition."""
    told = way.told
    if cards := getattr(told, "cards", ()):
        order = way.table.edition.names.index
        told = replace(told, cards=tuple(sorted(cards, key=order)))
    return way.late, told
