"""
A game that is being logged: its log, undo and redo, and its file.

Each change makes a new `Game`; the earlier games are kept for undo. A change that another program
makes to the file is read before the next change.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from msgspec.structs import replace

from clue_solver import errors
from clue_solver.answers.corrections import Correction
from clue_solver.conversation.changes import (
    END,
    Change,
    HeaderPart,
    LogPlace,
    OutsideChange,
    apply_correction,
    change_between,
    entry_of,
    normalise_entries,
    with_header_part,
)
from clue_solver.conversation.meaning import read, with_line
from clue_solver.game.game import Game, shared_beginning
from clue_solver.notation.checks import answered_seats, normalise, without_implied
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.record.contents import Entry, Record
from clue_solver.record.files import RecordFile
from clue_solver.rules.observations import Observation


class Session:
    """
    A game that is being logged; each change is written to its file at once.

    Args:
        record: The game so far.

    Attributes:
        keeper: Keeps the game's file; `None` for a game that is only in memory.
        outside: The change by another program that `poll`, or the last change, found in the file;
            `None` if there was none.

    >>> from clue_solver import Record, Session, Table, load_edition
    >>> seats = ("Ann", "Ben", "Cat")
    >>> session = Session(Record(table=Table(edition=load_edition("clue-classic"), seats=seats)))
    >>> session.tell("ann plum rope hall: ben"), session.lines
    (1, ('Ann suggests Plum, Rope, Hall: Ben shows',))
    """

    def __init__(self, record: Record, *, keeper: RecordFile | None = None) -> None:
        self.keeper = keeper
        self.outside: OutsideChange | None = None
        self._games: tuple[Game, ...] = (Game(record),)  # earlier ones, the current, undone ones
        self._at = 0  # the index of the current one
        # What was said in each entry logged here, without the passes that were filled in. The keys
        # are ids, since equal entries may have been said differently.
        self._said: dict[int, tuple[Entry, Observation]] = {}

    def __repr__(self) -> str:
        return repr(self.game).replace("Game", "Session", 1)

    @property
    def game(self) -> Game:
        """The current game; each change makes a new one."""
        return self._games[self._at]

    @property
    def record(self) -> Record:
        """The current record."""
        return self.game.record

    @property
    def lines(self) -> tuple[str, ...]:
        """The entries as canonical lines, in the order of the file."""
        return self.game.lines

    @property
    def turn(self) -> str | None:
        """The player who has to act; `None` if the log does not tell, or if the game is over."""
        return self.game.play().due

    @property
    def trouble(self) -> errors.RecordError | None:
        """Why the game could not be written to its file; `None` if it could."""
        return self.keeper.trouble if self.keeper else None

    def entry(self, number: int) -> Entry:
        """Return an entry by its number; raise an `ArgumentError` if there is no such entry."""
        return entry_of(self.record, number)

    # Adding and changing entries.

    def tell(self, line: str | Observation) -> int:
        """
        Add an entry at the end of the log and return its number.

        A change that another program has made to the file is read first.

        Args:
            line: A line, in full or abbreviated, or an observation with names in full. Implied
                passes are filled in.

        Raises:
            NotationError: If the line cannot be read, the observation makes no sense at this table,
                or it shows a card that the viewer does not hold. The log stays unchanged.
        """
        self.poll()
        if isinstance(line, str):
            return self.commit(read(self.game, line))
        table = self.record.table
        whole = normalise(line, table, self.game.play().turns)
        return self.commit(reading_of(whole, table, explicit=answered_seats(line)))

    def edit(self, entry: int, line: str) -> None:
        """
        Replace an earlier entry.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If the line cannot be read, makes no sense in its place or shows a card
                that the viewer does not hold, or if a later entry makes no sense after the change.
            RecordError: If another program has changed the file; the file is then read again.
        """
        place = LogPlace(entry)
        self.commit(read(self.game, line, place), place)

    def commit(
        self, reading: Reading, place: LogPlace = END, earlier: Sequence[Reading] = ()
    ) -> int:
        """
        Log a reading, and skipped turns before it, in one step; return the number of its entry.

        Args:
            reading: The reading.
            place: The place in the log where it goes.
            earlier: What is logged before it, at the end of the log: turns that players skipped.

        Raises:
            NotationError: If the reading, or a later entry, makes no sense in its place, or the
                viewer's own hand rules the reading out.
            ArgumentError: If there is no such place.
            RecordError: If an earlier entry is to be changed, but another program has changed the
                file; the file is then read again.
        """
        if place != END:
            self._refuse_stale()
        game = with_line(reduce(with_line, earlier, self.game), reading, place)
        number = place.entry or len(game.record.entries)
        entry = game.record.entries[number - 1]
        if (explicit := reading.explicit) is not None:
            # A late answer or an edited whole line does not say the passes that were filled in.
            if place.entry and not place.insert and (reading.late or reading.line == reading.text):
                old = self.entry(number).observation
                explicit -= answered_seats(old) - answered_seats(self._said_in(number))
            self._said[id(entry)] = entry, without_implied(entry.observation, game.table, explicit)
        self._set_game(game)
        return number

    def _said_in(self, number: int) -> Observation:
        """
        Return what was said in the entry with this number, without implied passes.

        If that is not known, it is derived from the entry (`without_implied`).
        """
        entry, left = self.entry(number), self.game.play(number - 1).turns.left
        _, said = self._said.get(id(entry), (entry, None))
        return said or without_implied(entry.observation, self.game.table, left=left)

    def delete(self, entry: int) -> None:
        """
        Delete an earlier entry.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If a later entry makes no sense without it.
            RecordError: If another program has changed the file; the file is then read again.
        """
        self.entry(entry)
        entries = self.record.entries
        self.rewrite(replace(self.record, entries=(*entries[: entry - 1], *entries[entry:])))

    def correct(self, correction: Correction) -> None:
        """
        Make a correction that a check proposed.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If an entry makes no sense after the change.
            RecordError: If another program has changed the file; the file is then read again.
        """
        self.rewrite(apply_correction(self.record, correction))

    def set_header(self, part: HeaderPart, text: str) -> None:
        """
        Change one part of the header.

        If the players are reordered, implied passes are derived again; typed answers stay.

        Args:
            part: The part to change.
            text: What was typed as its value.

        Raises:
            SetupError, ArgumentError: If no such header is possible.
            NotationError: If a name in the text is unknown, or if an entry does not fit the header.
            RecordError: If another program has changed the file; the file is then read again.
        """
        said = [self._said_in(number) for number in range(1, len(self.record.entries) + 1)]
        changed = with_header_part(self.record, part, text, said)
        self.rewrite(changed)
        if part == "seats":
            for now, typed in zip(self.record.entries, changed.entries, strict=True):
                self._said[id(now)] = now, typed.observation

    def rewrite(self, record: Record) -> None:
        """
        Replace the whole record.

        Unless the table changes, cached results are kept for the first entries that the old and the
        new record share.

        Raises:
            NotationError: If an entry makes no sense in its place.
            RecordError: If another program has changed the file; the file is then read again.
        """
        self._refuse_stale()
        self._set_game(self.game.changed(normalise_entries(record, self.record)))

    # Undo and redo.

    def undo(self) -> Change | None:
        """
        Undo the last change; in a game just read from a file, remove the last entry.

        Returns:
            The change that was undone; `None` if there was nothing to undo.

        Raises:
            RecordError: If another program has changed the file; the file is then read again.
        """
        self._refuse_stale()
        if (earlier := self.earlier) is None:
            return None
        if self._at == 0:
            self._games = (earlier, *self._games)
            self._at = 1
        return self._step(-1)

    def redo(self) -> Change | None:
        """
        Redo the last undone change.

        Returns:
            The change; `None` if there was nothing to redo.

        Raises:
            RecordError: If another program has changed the file; the file is then read again.
        """
        self._refuse_stale()
        return self._step(1) if self._at + 1 < len(self._games) else None

    @property
    def earlier(self) -> Game | None:
        """The game to which `undo` returns; `None` if there is nothing to undo."""
        if self._at:
            return self._games[self._at - 1]
        entries = len(self.record.entries)
        return self.game.changed(self.record.upto(entries - 1)) if entries else None

    def _step(self, by: int) -> Change:
        """
        Make an earlier or a later game the current one, write it, and return what that changes.

        `by` is the number of changes to go forward; negative to go back.
        """
        before = self.record
        self._at += by
        self.write_out()
        return change_between(before, self.record)

    def _set_game(self, game: Game) -> None:
        """
        Make a new game the current one, and write it.

        Changes that were undone before can no longer be redone.
        """
        self._at += 1
        self._games = (*self._games[: self._at], game)
        self.write_out()

    # The file.

    def write_out(self) -> None:
        """Write the current game to its file, if it has one."""
        if self.keeper is not None:
            self.keeper.write(self.record)
            if aside := self.keeper.aside:
                self.outside = OutsideChange(aside=aside)

    def poll(self) -> OutsideChange | None:
        """
        Read the file again if another program has changed it.

        `undo` then returns to the game before that change. If the changed file cannot be read, it
        stays as it is until the next change here, which moves it aside and writes a new one.

        Returns:
            The change that the other program made, and what happened to it; `None` if it made none.
        """
        self.outside = None
        keeper = self.keeper
        if keeper is None or keeper.trouble or not keeper.changed:
            return None
        try:
            record = keeper.read()
        except errors.ClueError as error:
            self.outside = OutsideChange(error=error)
            return self.outside
        # What was said stays known for the entries before the change.
        same = shared_beginning(self.record.entries, record.entries)
        record = replace(record, entries=self.record.entries[:same] + record.entries[same:])
        self._games = (*self._games[: self._at + 1], self.game.changed(record))
        self._at += 1
        self.outside = OutsideChange(entries=len(record.entries))
        return self.outside

    def _refuse_stale(self) -> None:
        """
        Read the file again if another program has changed it.

        Raises:
            RecordError: If it had been changed.
        """
        before = self.record
        self.poll()
        if self.record is not before and self.keeper is not None:
            reason = "another program has changed the file, and it has been read again"
            raise errors.RecordError(
                f"{reason}; nothing else was done, so check it and try again",
                path=str(self.keeper.path),
            )

    def save(self) -> bool:
        """
        Read what another program has changed, then write what is not in the file yet.

        Returns:
            Whether the file holds the current game; if not, `trouble` says why.
        """
        self.poll()
        if self.keeper is not None and not self.keeper.saved:
            self.write_out()
        return self.keeper is None or self.keeper.saved

    def close(self) -> None:
        """Release the file, so that another process can open the game."""
        if self.keeper:
            self.keeper.close()
