"""
A table whose game is logged by hand, with the box: by a recorder, and each seat's own by itself.

The recorder tells what everybody sees; a seat its hand, what it knows, and the cards that it saw of
what is logged. The game's file has what everybody sees, as the game goes; the whole log lies in a
hidden file beside it, until all cards lie open.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from clue_solver.answers.corrections import Correction
from clue_solver.conversation.changes import END, LogPlace, change_between
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.meaning import read
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, NotationError, RecordError
from clue_solver.faces.games import free_path, new_mark
from clue_solver.faces.leaving import leave, say, warnings_of
from clue_solver.faces.web.eyes import Eyes, beside
from clue_solver.faces.web.tables import ServedTable
from clue_solver.faces.web.whole_log import public_of, seen_by, with_change
from clue_solver.knowledge.evidence import seen
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.record import Record, load_record, save
from clue_solver.record.files import RecordFile
from clue_solver.rules.observations import Observation, Suggestion
from clue_solver.rules.table import Table
from clue_solver.views.sentences import undo_text

Keep = Callable[[], Path | None]
"""Gives the path of a new game's file, once it is set up; `None` where there is none."""

WHOLE = "whole"
"""What the hidden file ends in that has the whole log of a table with seats' pages."""


class LoggedTable(ServedTable):
    """
    A table whose game is logged by hand, or one that is not set up yet.

    Attributes:
        keep: Gives the path of a new game's file.
        given: What the set-up has filled in first.
        typed: What the fields of the set-up hold so far; nothing at first.
        folder: Where earlier games are, for what a new table is likely to be; the user's games if
            `None`.
    """

    def __init__(self, *, keep: Keep, public: bool = False, folder: Path | None = None) -> None:
        super().__init__(public=public)
        self.folder = folder
        self.keep = keep
        self.given: Mapping[str, str] = {}
        self.typed: dict[str, str] = {}

    def open_file(self, path: Path) -> None:
        """
        Go on with the game in a file.

        Raises:
            RecordError: If it is open elsewhere or cannot be read.
        """
        keeper = RecordFile(path)
        try:
            record = keeper.read()
            if self.public and (viewer := record.table.viewer) is not None:
                reason = f"these are {viewer}'s own notes: name a new file for a game of all"
                raise RecordError(reason, path=str(path))
            self.begin(record, keeper)
        except BaseException:
            keeper.close()
            raise
        for warning in warnings_of(record.table, keeper):
            say(f"! {warning}")

    def begin(self, record: Record, keeper: RecordFile | None = None) -> None:
        """
        Play this game; what is not public in it goes into the whole log.

        A new game gets a mark, and so does one of a shared table, whose whole log bears it.
        """
        if keeper is None and (path := self.keep()) is not None:
            keeper = RecordFile(path)
        new = keeper is None or not keeper.path.exists()
        bare = record
        if (new or self.public) and record.table.game is None:
            record = replace(record, table=replace(record.table, game=new_mark()))
        if keeper is not None and (new or record != bare):
            keeper.write(record)
        if self.public:
            self._share(record, keeper)
        else:
            self.recorder.session = Session(record, keeper=keeper)
            self.whole = record
        self.take_links()
        for eyes in self.every:
            self.current(eyes)
            self.change_page(eyes)

    def _share(self, record: Record, keeper: RecordFile | None) -> None:
        """Begin a shared table: the file has what everybody sees, or all once cards lie open."""
        public = seen_by(record, None)
        self.open = record.finished and public.entries != record.entries
        whole = record
        if keeper is not None and not self.open:
            kept = _kept_whole(keeper.path, record.table.game) or record
            whole = with_change(kept, seen_by(kept, None), public)
        self.whole = whole
        self.recorder.session = Session(record if self.open else public, keeper=keeper)
        if public != record and not self.open:
            self.recorder.session.write_out()
        for seat in record.table.seats:
            own = seen_by(whole, seat, everything=self.open)
            self.seats[seat] = Eyes(seat, Session(own))
        self._keep_whole()

    def _keep_whole(self) -> None:
        """Write the whole log, for its owner alone."""
        keeper = self.recorder.game.keeper
        if keeper is None or self.whole is None or not self.public:
            return
        try:
            save(self.whole, beside(keeper.path, WHOLE), form="clue", private=True)
        except RecordError as error:
            self.trouble = str(error)
            self.tell(f"what the players entered cannot be saved: {error}")
        else:
            self.trouble = ""

    # What is told.

    def dialog(self, eyes: Eyes) -> Dialog:
        """Return what takes the lines of a page."""
        return Dialog(self.current(eyes), commit=partial(self.take, eyes))

    def take(
        self, eyes: Eyes, told: Reading, place: LogPlace = END, skips: Sequence[Reading] = ()
    ) -> int:
        """
        Take a line that was read in at its place, and return the number of its entry.

        The skips before it are taken first, at the end.

        At a shared table the recorder's lines are for everybody, and what only some have seen is
        left out of them; a seat's lines are its hand, what it knows, and what it saw of an entry.

        Raises:
            ClueError: As `Session.commit`.
        """
        for skip in skips:
            self.take(eyes, skip)
        session = self.current(eyes)
        if eyes.seat is not None:
            place = self._own_place(eyes, told.whole, place)
            old = session.entry(place.entry).observation if place.entry else None
            if old == told.whole:
                return place.entry or 0
            if old is not None and (other := _other_card(old, told.whole)):
                reason = f"that {other} was shown is told already: remove that from the log first"
                raise NotationError(reason, line=told.line)
        elif not self.open:
            share = public_of(told.whole, session.record.table)
            if share is None:
                reason = "only what everybody saw goes here; enter this on your own page"
                raise NotationError(reason, line=told.line)
            told = replace(told, observation=share)
        number = session.commit(told, place)
        if eyes.seat is not None:
            eyes.told.append(session.entry(number).observation)
        self._told(eyes)
        return number

    def place_of(self, eyes: Eyes, line: str, place: LogPlace) -> LogPlace:
        """
        Return where a line goes that a page tells at a place.

        A seat's line about what everybody noticed is that entry, with what this seat saw of it.

        Raises:
            NotationError: If it cannot be read, or is not this seat's to tell.
            ArgumentError: If there is no such entry.
        """
        session = self.current(eyes)
        if eyes.seat is None:
            return place
        return self._own_place(eyes, read(session.game, line, place).whole, place)

    def _own_place(self, eyes: Eyes, observation: Observation, place: LogPlace) -> LogPlace:
        """Return the place of what a seat tells, if that is this seat's to know."""
        seat, record = eyes.seat, eyes.game.record
        if seen(observation, table=record.table, viewer=seat) != observation:
            raise NotationError(f"expected what {seat} saw: {seat} cannot know this")
        share = public_of(observation, record.table)
        shares = [public_of(logged, record.table) for logged in record.observations]
        if place.entry is not None:
            eyes.game.entry(place.entry)
            if shares[place.entry - 1] != share:
                raise NotationError("expected the same entry with what you saw of it")
            return place
        if share is None:
            return LogPlace()
        if share not in shares:
            expected = "expected your hand, what you know, or what you saw"
            raise NotationError(f"{expected}: the recorder logs what everybody sees")
        return LogPlace(len(shares) - shares[::-1].index(share))

    def _told(self, eyes: Eyes) -> None:
        """Take into the whole log what a page has changed in what it sees, and show it to all."""
        assert self.whole is not None
        assert eyes.seen is not None
        whole, before, after = self.whole, eyes.seen, eyes.game.record
        if after is before:
            return
        if not self.open:
            self.whole = with_change(whole, before, after)
        else:
            self.whole = replace(after, table=replace(after.table, viewer=whole.table.viewer))
        self._keep_whole()
        if eyes.seat is None:
            self.asking = None
        for each in self.every:
            was = each.game.record
            if self.current(each).record is not was or each is eyes:
                self.change_page(each)

    # What is changed.

    def change(self, eyes: Eyes, what: Callable[[Session], object], *, own: bool = False) -> None:
        """
        Change what a page sees; raises what that raises.

        Args:
            eyes: Whose page.
            what: Does it to these notes.
            own: Whether a seat may do so, as it leaves what everybody sees.
        """
        if eyes.seat is not None and not own:
            raise NotationError("only the recorder can change what everybody sees")
        try:
            what(self.current(eyes))
        finally:
            self._told(eyes)

    def may_correct(self, eyes: Eyes, correction: Correction) -> bool:
        """Whether a correction is this page's to make; a seat's leaves what everybody noticed."""
        if eyes.seat is None:
            return True
        session, table = eyes.game, eyes.game.record.table
        if correction.entry is None or isinstance(correction.meant, Table):
            return False
        old = session.entry(correction.entry).observation
        return public_of(correction.meant, table) == public_of(old, table)

    def correct(self, eyes: Eyes, correction: Correction) -> None:
        """Make a correction; raises as `change`, or as `Session.correct`."""
        own = self.may_correct(eyes, correction)
        self.change(eyes, lambda session: session.correct(correction), own=own)

    def may_delete(self, eyes: Eyes, entry: int) -> bool:
        """Whether a page may take an entry out: any of the log's, or what only this seat told."""
        observation = eyes.game.entry(entry).observation
        return eyes.seat is None or public_of(observation, eyes.game.record.table) != observation

    def delete(self, eyes: Eyes, entry: int) -> None:
        """Take an entry out, or a seat's own part of one; raises as `Session.delete`."""
        old, table = self.current(eyes).entry(entry).observation, eyes.game.record.table
        share = None if eyes.seat is None else public_of(old, table)
        if share is None:
            self.change(eyes, lambda session: session.delete(entry), own=True)
        else:
            told = reading_of(share, table)
            self.change(eyes, lambda session: session.commit(told, LogPlace(entry)), own=True)

    def undo(self, eyes: Eyes) -> None:
        """Take the last change of a page back; raises as `Session.undo`."""
        if eyes.seat is None:
            self.change(eyes, lambda session: session.undo())
        elif (number := self._told_last(eyes)) is not None:
            self.delete(eyes, number)

    def _told_last(self, eyes: Eyes) -> int | None:
        """Return the entry that a seat has told last and that is still there, if one is."""
        observations = self.current(eyes).record.observations
        while eyes.told and eyes.told[-1] not in observations:
            eyes.told.pop()
        return observations.index(eyes.told[-1]) + 1 if eyes.told else None

    def undoing(self, eyes: Eyes) -> str:
        """Return what undo would take back of a page, in words; empty if there is nothing."""
        session = self.current(eyes)
        table = session.record.table
        if eyes.seat is None:
            if session.earlier is None:
                return ""
            return undo_text(change_between(session.record, session.earlier.record), table)
        entry = self._told_last(eyes)
        if entry is None:
            return ""
        line, number = session.lines[entry - 1], self.numbers(eyes)[entry - 1]
        return f"your part of entry {number}: {line}" if number else line

    def poll(self) -> None:
        """Take in what another program has written to the file."""
        session = self.recorder.session
        if session is None:
            return
        session.poll()
        self._told(self.recorder)

    # The end.

    def _next(self) -> "LoggedTable":
        table = self.recorder.game.record.table
        hands = () if table.face_up or len({*table.hands}) > 1 else table.hands
        header = replace(table, face_up=(), hands=hands, first=None, solution=(), game=None)
        keeper = self.recorder.game.keeper
        keep = self.keep if keeper is None else partial(free_path, keeper.path)
        new = LoggedTable(keep=keep, public=self.public, folder=self.folder)
        new.begin(Record(table=header))
        return new

    def lay_open(self) -> None:
        """
        Lay all cards open once the game is over.

        From then on the file of the game has the whole log, and every page shows it.
        """
        if not self.recorder.game.record.finished:
            raise ArgumentError("cards are revealed once the game is over")
        self.open = True
        for each in self.every:
            each.whole = None
            self.current(each)
        self.all_changed()

    def close(self, *, brief: bool = False) -> bool:  # noqa: ARG002
        """Let go of the file, and say where it is; as of `ServedTable`."""
        session = self.recorder.session
        if session is None:
            return True
        if self.trouble:
            self._keep_whole()  # where it was full there may be space again
        if self.trouble:
            say(f"! what the players entered is not kept: {self.trouble}")
        return leave(session) and not self.trouble

    # What is asked just now.

    def overhear(self, suggestion: Suggestion | None) -> None:
        """Show the seats what is asked now, which everybody hears anyway; or that nothing is."""
        if not self.public or suggestion == self.asking:
            return
        askers = {None if each is None else each.by for each in (self.asking, suggestion)}
        self.asking = suggestion
        for seat, eyes in self.seats.items():
            if not askers <= {seat, None}:  # who asks is asked nothing
                self.change_page(eyes)


def _kept_whole(path: Path, mark: str | None) -> Record | None:
    """Return the whole log that was kept beside a game; `None` if none of that game was."""
    kept = beside(path, WHOLE)
    if not kept.exists():
        return None
    whole = load_record(kept)
    return whole if whole.table.game == mark else None


def _other_card(old: Observation, told: Observation) -> str:
    """Return a card that was told of an entry, where another one is told now; empty if none is."""
    hidden = told.sight.hidden
    if not hidden:
        return ""
    known, new = getattr(old, hidden), getattr(told, hidden)
    pairs = [(known, new)]
    if isinstance(known, tuple):
        cards = {each.seat: each.card for each in new}
        pairs = [(each.card, cards.get(each.seat)) for each in known]
    return next((str(card) for card, now in pairs if card and now and card != now), "")
