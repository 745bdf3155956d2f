"""
A game that is being logged: its log, undo and redo, and its file.

Each change makes a new `Game`; those before it are kept, and undo goes back to them. What another
program writes to the file is taken in before the next change.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.answers.corrections import Correction
from clue_solver.conversation.changes import (
    END,
    Change,
    HeaderPart,
    LogPlace,
    Outside,
    apply_correction,
    change_between,
    entry_of,
    normalise_entries,
    with_header_part,
)
from clue_solver.conversation.doubts import with_line
from clue_solver.conversation.meaning import read
from clue_solver.game import Game
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.record import Entry, Record
from clue_solver.record.files import RecordFile
from clue_solver.rules.observations import Observation


class Session:
    """
    A game that is being logged; each change is written to its file at once.

    Attributes:
        keeper: Its file; `None` for a game in memory.
        outside: What another program had written to the file before the last change or `poll`;
            `None` if it had written nothing.

    >>> from clue_solver import Record, Session, Table, load_edition
    >>> seats = ("Ann", "Ben", "Cat")
    >>> session = Session(Record(table=Table(edition=load_edition("clue-classic"), seats=seats)))
    >>> session.tell("ann plum rope hall: ben"), session.lines
    (1, ('Ann suggests Plum, Rope, Hall: Ben shows',))
    """

    def __init__(self, record: Record, *, keeper: RecordFile | None = None) -> None:
        self.keeper = keeper
        self.outside: Outside | None = None
        self._games: tuple[Game, ...] = (Game(record),)  # earlier ones, this, and those undone
        self._at = 0  # which of them is this one
        # Of entries told here: what was said, without the passes that were filled in.
        self._said: dict[Entry, Observation] = {}

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
    def turn(self) -> str | None:
        """Who is to act, as far as it follows from the log; `None` once the game is over."""
        return self.game.play().due

    @property
    def trouble(self) -> errors.RecordError | None:
        """Why the game is not in its file but in memory only; `None` if all is well."""
        return self.keeper.trouble if self.keeper else None

    def entry(self, number: int) -> Entry:
        """Return an entry by its number; raise an `ArgumentError` if there is none."""
        return entry_of(self.record, number)

    # What is told.

    def tell(self, line: str | Observation) -> int:
        """
        Add an entry, from a line in full or in short or from an observation; return its number.

        An observation has names in full; it is checked as a line is, and passes that follow from
        the order of answering are filled in. What another program has written to the file comes
        before it.

        Raises:
            NotationError: If the line cannot be read, the observation has no meaning at this table,
                or shows a card that the viewer does not hold; nothing has changed then.
        """
        self.poll()
        if isinstance(line, str):
            return self.commit(read(self.game, line))
        table = self.record.table
        whole = notation.normalise(line, table, self.game.play().turns)
        said = notation.answered_seats(line) if whole != line else None
        return self.commit(replace(reading_of(whole, table), explicit=said))

    def edit(self, entry: int, line: str) -> None:
        """
        Replace an earlier entry.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If the line, or a later one after it, cannot be read; or as `tell`.
            RecordError: If another program has changed the file, which has been read again.
        """
        place = LogPlace(entry)
        self.commit(read(self.game, line, place), place)

    def commit(self, told: Reading, place: LogPlace = END, skips: Sequence[Reading] = ()) -> int:
        """
        Put a line that has been read into the log, in one step; return the number of its entry.

        Args:
            told: What the line tells.
            place: Where it goes.
            skips: The skips that go in before it, at the end of the log.

        Raises:
            ClueError: As `tell` and `edit`; nothing has changed then.
        """
        if place != END:
            self._refuse_stale()
        game = with_line(reduce(with_line, skips, self.game), told, place)
        number = place.entry or len(game.record.entries)
        entry = game.record.entries[number - 1]
        self._said.pop(entry, None)  # there may be an equal one
        if told.explicit is not None:
            whole = entry.observation
            self._said[entry] = notation.without_implied(whole, game.table, told.explicit)
        self._go_on(game)
        return number

    def delete(self, entry: int) -> None:
        """
        Delete an earlier entry.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If a later line has no meaning without it.
            RecordError: As `edit`.
        """
        self.entry(entry)
        entries = self.record.entries
        self.rewrite(replace(self.record, entries=(*entries[: entry - 1], *entries[entry:])))

    def correct(self, correction: Correction) -> None:
        """Make a correction that a check proposed; raises as `delete`."""
        self.rewrite(apply_correction(self.record, correction))

    def set_header(self, part: HeaderPart, text: str) -> None:
        """
        Change a part of the header to what is typed.

        In another order of the players, passes that were filled in are worked out anew; what was
        said stays.

        Raises:
            SetupError, ArgumentError: If there can be no such header.
            NotationError: If a name in it is none, or an entry does not fit it.
            RecordError: As `edit`.
        """
        changed = with_header_part(self.record, part, text, self._said)
        self.rewrite(changed)
        if part == "seats":
            said = (entry.observation for entry in changed.entries)
            self._said |= zip(self.record.entries, said, strict=True)

    def rewrite(self, record: Record) -> None:
        """
        Go on with another record; what both begin with is not worked out again.

        Raises:
            NotationError: If an entry has no meaning in its place.
            RecordError: As `edit`.
        """
        self._refuse_stale()
        self._go_on(self.game.changed(normalise_entries(record, self.record)))

    # Undo and redo.

    def undo(self) -> Change | None:
        """
        Go back to what was before the last change; of a game from a file to one entry less.

        Returns:
            What that changed; `None` if there was nothing to go back to.

        Raises:
            RecordError: As `edit`.
        """
        self._refuse_stale()
        if (earlier := self.earlier) is None:
            return None
        if self._at == 0:
            self._games = (earlier, *self._games)
            self._at = 1
        return self._step(-1)

    def redo(self) -> Change | None:
        """Do again what was undone; return what that changed, `None` if nothing; as `undo`."""
        self._refuse_stale()
        return self._step(1) if self._at + 1 < len(self._games) else None

    @property
    def earlier(self) -> Game | None:
        """The game that `undo` goes back to: without the last change, else without an entry."""
        if self._at:
            return self._games[self._at - 1]
        entries = len(self.record.entries)
        return self.game.changed(self.record.upto(entries - 1)) if entries else None

    def _step(self, by: int) -> Change:
        before = self.record
        self._at += by
        self.write_out()
        return change_between(before, self.record)

    def _go_on(self, game: Game) -> None:
        """Go on to another game; what was undone is gone."""
        self._at += 1
        self._games = (*self._games[: self._at], game)
        self.write_out()

    # The file.

    def write_out(self) -> None:
        """Write the game as it stands to its file."""
        if self.keeper is not None:
            self.keeper.write(self.record)
            if aside := self.keeper.aside:
                self.outside = Outside(aside=aside)

    def poll(self) -> Outside | None:
        """
        Go on with what another program has written to the file, if that can be read.

        `undo` leads back to the game before. What cannot be read is left as it is, and moved to a
        file beside this one when the next change is written.

        Returns:
            What was written, and what became of it; `None` if the file is as it was.
        """
        self.outside = None
        keeper = self.keeper
        if keeper is None or keeper.trouble or not keeper.changed:
            return None
        try:
            record = keeper.read()
        except errors.ClueError as error:
            self.outside = Outside(error=error)
            return self.outside
        self._games = (*self._games[: self._at + 1], self.game.changed(record))
        self._at += 1
        self.outside = Outside(entries=len(record.entries))
        return self.outside

    def _refuse_stale(self) -> None:
        """Refuse a change if another program has changed the file, which is read again."""
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
        Try once more to write what is not in the file yet; polls it first.

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
