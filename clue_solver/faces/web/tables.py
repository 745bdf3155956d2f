"""
What is served: the recorder's notebook and, at a shared table, one for each seat.

Everything here happens in one thread, one thing after the other, but for the thinking of verdicts,
which has games of its own to ask.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from random import randrange
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.answers.corrections import Correction
from clue_solver.answers.report import Report
from clue_solver.answers.review import Review
from clue_solver.conversation.changes import END, Place
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.questions import Doubt
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, NotationError, SetupError
from clue_solver.faces.games import KeptGame
from clue_solver.faces.leaving import leave, say, warnings_of
from clue_solver.faces.thoughts import Thought, looks
from clue_solver.faces.web.keeping import (
    TABLE,
    Links,
    beside,
    keep_links,
    kept_links,
    marked,
    new_secret,
)
from clue_solver.faces.web.seat_notes import public_of, public_record, with_own
from clue_solver.game import Game
from clue_solver.knowledge.evidence import seen
from clue_solver.notation import format_line
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.record import Record
from clue_solver.record.files import RecordFile
from clue_solver.rules.observations import Observation, Suggestion
from clue_solver.rules.table import Table
from clue_solver.views.sentences import undo_text

_QUESTIONS = 3
"""The most that a seat is asked at once about what it has not told."""

Keep = Callable[[], Path | None]
"""Gives the path of a new game's file, once it is set up; `None` where there is none."""


class OpenQuestion(NamedTuple):
    """What a seat has seen and not told yet: the entry of its record, and what is asked of it."""

    entry: int
    line: str
    doubt: Doubt


class Notebook:
    """
    The game by one pair of eyes, and the pages that show it.

    Attributes:
        seat: Whose eyes; `None` for the recorder's page.
        links: What leads there.
        version: Counts what these eyes could see change, from a number drawn anew at each start, so
            that a page of before a restart is not taken for current.
        session: The game; `None` before it is set up.
        verdict: What took longer than the sheet, about this record or an earlier one.
        kept: The last report whose sheet was drawn, and that sheet.
        done: What the last forms came to, by all that they said.
        pages: What was sent of the current version, by the address that was asked for.
    """

    def __init__(self, seat: str | None = None, session: Session | None = None) -> None:
        self.seat = seat
        self.session = session
        self.links = Links.new()
        self.version = randrange(1, 500_000_000)
        self.verdict: Thought | None = None
        self.kept: tuple[Report, str] | None = None
        self.pages: dict[int, dict[str, str]] = {}
        self.done: dict[tuple[object, ...], dict[str, str | list[str]]] = {}
        self._drawn: tuple[Record, Report] | None = None
        self._thinking: Game | None = None
        self._asked: tuple[Record, tuple[OpenQuestion, ...]] | None = None

    @property
    def secret(self) -> str:
        """The link that is shown."""
        return self.links.secrets[-1]

    @property
    def game(self) -> Session:
        """The session of a game that is set up."""
        if self.session is None:
            raise SetupError("expected a game; none is set up yet")
        return self.session

    def report(self, session: Session) -> Report:
        """Return the report on the game as it stands there; the last one is kept."""
        record = session.record
        if self._drawn is None or self._drawn[0] is not record:
            self._drawn = record, session.report()
        return self._drawn[1]

    @property
    def current(self) -> Thought | None:
        """The verdict, unless it is about an earlier record."""
        return self.thought_of(self.game.record)

    def thought_of(self, record: Record) -> Thought | None:
        """Return the verdict, unless it is about another record."""
        known = self.verdict
        return known if known and known.record is record else None

    def think(self, record: Record) -> Thought:
        """Return what to do now; it has a game of its own to ask, and may run beside all else."""
        game = Game(record) if self._thinking is None else self._thinking.changed(record)
        self._thinking = game
        *_, last = looks(game)
        return last

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """What the viewer must have seen and has not told, the last first; a few at once."""
        record = self.game.record
        if self._asked is None or self._asked[0] is not record:
            self._asked = record, tuple(islice(self._questions(record), _QUESTIONS))
        return self._asked[1]

    def _questions(self, record: Record) -> Iterator[OpenQuestion]:
        viewer, table = record.table.viewer, record.table
        for number in range(len(record.entries), 0, -1):
            observation = record.entries[number - 1].observation
            line = self.game.lines[number - 1]
            if (
                viewer is None
                or not observation.sight.hidden
                or observation.sight.owner
                or viewer not in line
            ):
                continue
            if not table.everyone_shows and public_of(observation, table) != observation:
                continue  # what there was to see is told
            with suppress(ClueError):
                for doubt in self.game.doubts(observation, editing=number):
                    if doubt.kind in ("card seen", "card shown"):
                        yield OpenQuestion(number, line, doubt)


class ServedTable:
    """
    The table that is served.

    Attributes:
        dealt: Whether the program deals (`dealt.DealtTable`).
        keep: Gives the path of a new game's file.
        dealing: What is filled in first in the set-up of a game that the program may deal; `None`
            where it cannot.
        typed: What the fields of the set-up hold so far; nothing at first.
        folder: Where earlier games are, for what a new table is likely to be; the user's games if
            `None`.
        recorder: Where the log is kept.
        seats: At a shared table, the seats' own notebooks by name.
        changed: Called with each notebook whose pages are no longer current.
        tell: Called with what happened that the host may want to know, in one line.
        asking: At a shared table, the suggestion that is asked now, as a phone of the recorder has
            tapped it; `None` if none is.
        alone: Whether no other phone can open its pages.
        unwritten: The seats' notebooks whose files lack the last public entries, which are in the
            log's own file already; a page need not wait for them.
    """

    dealt = False

    def __init__(self, *, keep: Keep, public: bool = False, folder: Path | None = None) -> None:
        self.public = public
        self.folder = folder
        self.keep = keep
        self.dealing: Mapping[str, str] | None = None
        self.typed: dict[str, str] = {}
        self.recorder = Notebook()
        self.seats: dict[str, Notebook] = {}
        self.offered: Path | None = None
        self.changed: Callable[[Notebook], None] = lambda _: None
        self.tell: Callable[[str], None] = lambda _: None
        self.asking: Suggestion | None = None
        self.alone = False
        self.unwritten: set[Notebook] = set()
        self._laid: dict[str, Record] = {}
        self._before: dict[str, list[Record]] = {}
        self._asking_on = ""

    @property
    def notebooks(self) -> tuple[Notebook, ...]:
        """The recorder's notebook, then those of the seats in table order."""
        return (self.recorder, *self.seats.values())

    def plays(self, seat: str) -> bool:  # noqa: ARG002
        """Whether a person plays a seat, who needs its link."""
        return True

    @property
    def machines(self) -> Mapping[str, str]:
        """The seats that machines play, each with the strength of its machine."""
        return {}

    def reviewed(self, game: Game) -> Review:
        """Return the review of a game that is over."""
        return game.review()

    def due(self) -> Callable[[], Callable[[], None]] | None:
        """Return what is to be thought of, if anything; what comes of it is done to the game."""
        return None

    @property
    def in_turn(self) -> tuple[Notebook, ...]:
        """The notebooks, that of the seat whose turn it is first."""
        session = self.recorder.session
        turn = session.turn if session is not None else None
        return tuple(sorted(self.notebooks, key=lambda book: book.seat != turn))

    @property
    def name(self) -> str:
        """What the table is called: its file."""
        session = self.recorder.session
        keeper = session.keeper if session is not None else None
        return keeper.path.name if keeper is not None else "a new table"

    @property
    def line(self) -> str:
        """What tells the table from others, in one line."""
        session = self.recorder.session
        if session is None or session.keeper is None:
            return "Not set up yet"
        return KeptGame(session.keeper.path, session.record).line

    def open(self, path: Path) -> None:
        """
        Go on with the game in a file.

        Raises:
            RecordError: If it is open elsewhere or cannot be read.
        """
        keeper = RecordFile(path)
        try:
            record = keeper.read()
            self.begin(record, keeper)
        except BaseException:
            keeper.close()
            raise
        for warning in warnings_of(record.table, keeper):
            say(f"! {warning}")

    def begin(self, record: Record, keeper: RecordFile | None = None) -> None:
        """
        Play this game; what is not public in it goes to its viewer's own notebook.

        A new game gets a mark, and so does one of a shared table, whose seats' files bear it.
        """
        if keeper is None and (path := self.keep()) is not None:
            keeper = RecordFile(path)
        new = keeper is None or not keeper.path.exists()
        if new or self.public:
            bare, record = record, marked(record)
            if keeper is not None and (new or record != bare):
                keeper.write(record)
        if self.public:
            self._share(record, keeper)
        else:
            self.recorder.session = Session(record, keeper=keeper)
        self._take_links()
        for notebook in self.notebooks:
            self._changed(notebook)

    def _share(self, record: Record, keeper: RecordFile | None) -> None:
        """Begin a shared table."""
        public = public_record(record)
        if keeper is not None and public != record:
            own = keeper
            keeper = RecordFile(beside(own.path, public.table, TABLE))
            own.close()
            if keeper.path.exists():
                public = keeper.read()
            else:
                keeper.write(public)
        self.recorder.session = Session(public, keeper=keeper)
        taken: set[Path] = set()
        for seat in public.table.seats:
            table = replace(record.table, viewer=seat)
            begun = with_own(public, public, seat=seat)
            if record.table.viewer == seat:
                begun = replace(record, table=table)
            kept = None
            if keeper is not None:
                path = beside(keeper.path, table, taken=taken)
                taken.add(path)
                kept = RecordFile(path, private=True)
                if path.exists():
                    begun = with_own(public, kept.read(), seat=seat)
                else:
                    kept.write(begun)
            self.seats[seat] = Notebook(seat, Session(begun, keeper=kept))

    def _take_links(self) -> None:
        """Let the links lead here that were kept beside the game."""
        keeper = self.recorder.game.keeper
        if keeper is None:
            return
        kept = kept_links(keeper.path, self.recorder.game.record.table.game)
        for book in self.notebooks:
            book.links = kept.get(book.seat or "", book.links)
        self._keep_links()

    def _keep_links(self) -> None:
        """Keep the links beside the game, so that they outlive the server."""
        session = self.recorder.session
        if session is None or session.keeper is None:
            return
        pages = {book.seat or "": book.links for book in self.notebooks}
        trouble = keep_links(session.keeper.path, session.record.table.game, pages)
        if trouble:
            self.tell(f"the links of this game stop working when the server ends: {trouble}")

    def relink(self, book: Notebook, links: Links) -> None:
        """Change what leads to a page; whoever has none of it sees nothing more."""
        book.links = links
        self._keep_links()
        self._changed(book)
        if book is not self.recorder:
            self._changed(self.recorder)

    def arrived(self, book: Notebook, secret: str) -> None:
        """Let the other links end, where the one that replaces them was opened."""
        if secret == book.links.coming:
            self.relink(book, book.links.renewed())

    def entry_now(self, book: Notebook, entry: int, was: str) -> int:
        """
        Return the number that an entry has by now, of which a page showed this number and line.

        Raises:
            ArgumentError: If it is there no more, or was changed, on another phone.
        """
        lines = self.current(book).lines
        if was in ("", *lines[entry - 1 : entry]):
            return entry
        places = [number for number, line in enumerate(lines, 1) if line == was]
        if not places:
            raise ArgumentError(f"somebody changed entry {entry} meanwhile: look again")
        return min(places, key=lambda number: abs(number - entry))

    def current(self, book: Notebook) -> Session:
        """Return the session of a notebook, a seat's own with the public log as of now in it."""
        if book.seat is None:
            return book.game
        public = self.recorder.game.record
        session = book.game
        if self._laid.get(book.seat) is not public:
            laid = with_own(public, session.record, seat=book.seat)
            table = laid.table if laid.table != session.record.table else None
            if table is not None or laid.entries != session.record.entries:
                session.rewrite(laid.entries, table, later=True)
                self.unwritten.add(book)
            self._laid[book.seat] = public
        return session

    def dialog(self, book: Notebook) -> Dialog:
        """Return what takes the lines of a page."""
        return Dialog(self.current(book), take=partial(self.take, book))

    def take(
        self, book: Notebook, told: Reading, place: Place, *, before: Sequence[Reading] = ()
    ) -> int:
        """
        Take a line that was read in at its place, and return the number of its entry.

        What goes in `before` it is taken at the end.

        At a shared table the recorder's lines are for everybody, and what only some have seen is
        left out of them; a seat's lines are its hand, what it knows, and what it saw of an entry.

        Raises:
            ClueError: As `Session.take`.
        """
        for skip in before:
            self.take(book, skip, END)
        session = self.current(book)
        if self.public and book.seat is not None:
            return self._take_own(book, told, place)
        if self.public:
            share = self.share(told.told)
            if share is None:
                reason = "only what everybody saw goes here; tell this on your own page"
                raise NotationError(reason, line=told.line)
            told = replace(told, observation=share)
        entry = session.take(told, place)
        self.all_changed()
        return entry

    def share(self, observation: Observation) -> Observation | None:
        """Return what the log has of an observation; at a shared table, what everybody notices."""
        if not self.public:
            return observation
        return public_of(observation, self.recorder.game.record.table)

    def _take_own(self, book: Notebook, told: Reading, place: Place) -> int:
        seat = str(book.seat)
        session = book.game
        place = self._own_place(book, told.told, place)
        before = session.record
        old = None if place.entry is None else session.entry(place.entry).observation
        if old is None or told.comment or old != told.told:
            session.take(told, place)
        self._before.setdefault(seat, []).append(before)
        self.take_seat(book)
        self._changed(book)
        return place.entry or len(session.record.entries)

    def take_seat(self, book: Notebook) -> None:
        """Show a seat's link no more, once somebody has told something there."""
        if not book.links.taken:
            self.relink(book, replace(book.links, taken=True))
            self.tell(f"{book.seat} is in")

    def place_of(self, book: Notebook, line: str, place: Place) -> Place:
        """
        Return where a line goes that a page tells at a place.

        A seat's line about what everybody noticed is that entry, with what this seat saw of it.

        Raises:
            NotationError: If it cannot be read, or is not this seat's to tell.
            ArgumentError: If there is no such entry.
        """
        session = self.current(book)
        if book.seat is None:
            return place
        return self._own_place(book, session.read(line, editing=place.entry).told, place)

    def _own_place(self, book: Notebook, observation: Observation, place: Place) -> Place:
        """Return the place of what a seat tells, if that is this seat's to know."""
        seat, record = book.seat, book.game.record
        if seen(observation, table=record.table, viewer=seat) != observation:
            raise NotationError(f"expected what {seat} saw: {seat} cannot know this")
        share = public_of(observation, record.table)
        shares = [public_of(logged, record.table) for logged in record.observations]
        if place.entry is not None:
            if shares[place.entry - 1] != share:
                raise NotationError("expected the same entry with what you saw of it")
            return place
        if share is None:
            return Place()
        if share not in shares:
            expected = "expected your hand, what you know, or what you saw"
            raise NotationError(f"{expected}: the recorder logs what everybody sees")
        return Place(len(shares) - shares[::-1].index(share))

    def may_correct(self, book: Notebook, correction: Correction) -> bool:
        """Whether a correction is this page's to make; a seat's leaves what everybody noticed."""
        if book.seat is None:
            return True
        session, table = book.game, book.game.record.table
        for change in correction.changes:
            if change.entry is None or isinstance(change.meant, Table):
                return False
            old = session.entry(change.entry).observation
            if public_of(change.meant, table) != public_of(old, table):
                return False
        return True

    def correct(self, book: Notebook, correction: Correction) -> None:
        """Make a correction; raises as `change`, or as `Session.correct`."""
        session = self.current(book)
        if book.seat is None or not self.may_correct(book, correction):
            self.change(book, lambda session: session.correct(correction))
            return
        before = session.record
        session.correct(correction)
        self._before.setdefault(book.seat, []).append(before)
        self._changed(book)

    def undo(self, book: Notebook) -> None:
        """Take the last change back; a seat's own last one at a shared table; raises as there."""
        session = self.current(book)
        if not self.public or book.seat is None:
            session.undo()
            self.all_changed()
        elif earlier := self._before.get(book.seat):
            laid = with_own(self.recorder.game.record, earlier.pop(), seat=book.seat)
            session.rewrite(laid.entries)
            self._changed(book)

    def undoing(self, book: Notebook, session: Session) -> str:
        """Return what `undo` would take back of a notebook, in words; empty if there is nothing."""
        table = session.record.table
        if not self.public or book.seat is None:
            return undo_text(session.undoing, table) if session.undoing else ""
        earlier = self._before.get(book.seat)
        if not earlier:
            return ""
        entries = session.record.entries
        before = earlier[-1].entries
        for number, entry in enumerate(entries, 1):
            if entry not in before:
                line = format_line(entry.observation, table)
                own = public_of(entry.observation, table) is None
                return line if own else f"what you told of entry {number}: {line}"
        return "the last change"

    def change(self, book: Notebook, what: Callable[[Session], object]) -> None:
        """Change the log, which is the recorder's to do; raises what that raises."""
        if book.seat is not None:
            raise NotationError("only the recorder changes what everybody sees")
        what(book.game)
        self.all_changed()

    def may_forget(self, book: Notebook, observation: Observation) -> bool:
        """Whether a page may take an entry out: any of the log's, or what only this seat told."""
        return book.seat is None or public_of(observation, book.game.record.table) != observation

    def forget(self, book: Notebook, entry: int) -> None:
        """Take an own entry of a seat out; raises as `Session.delete`."""
        session = self.current(book)
        before = session.record
        observation = (
            before.entries[entry - 1].observation if 0 < entry <= len(before.entries) else None
        )
        share = None if observation is None else public_of(observation, before.table)
        if share is None:
            session.delete(entry)
        else:
            session.take(reading_of(share, before.table), Place(entry))
        self._before.setdefault(str(book.seat), []).append(before)
        self._changed(book)

    def poll(self) -> None:
        """Take in what another program has written to the file."""
        session = self.recorder.session
        if session is None:
            return
        before, said = session.record, session.outside
        if session.poll() != said:
            self.recorder.pages.clear()
        if session.record is not before:
            self.all_changed()

    def renew(self, book: Notebook, *, at_once: bool) -> None:
        """
        Give a notebook another link.

        Args:
            book: The notebook.
            at_once: Whether the old ones end now, and not when the new one is opened first.
        """
        if at_once:
            self.relink(book, Links.new())
            self.tell(f"{book.seat}'s link has ended; the recorder's page shows a new one")
        elif not book.links.coming:
            self.relink(book, replace(book.links, coming=new_secret()))

    def thought(self, book: Notebook, verdict: Thought) -> None:
        """Take a verdict in, if it is about the record as it stands."""
        if book.session is not None and book.session.record is verdict.record:
            known, book.verdict = book.verdict, verdict
            if known is None or known._replace(first=verdict.first) != verdict:
                self._changed(book)  # else the pages show it already

    def write_out(self) -> None:
        """Write the seats' files that lack something."""
        while self.unwritten:
            self.unwritten.pop().game.write_out()

    def close(self, *, ask: bool = False, brief: bool = False) -> bool:
        """
        Let go of the files, and say where they are.

        Args:
            ask: Whether a person is there to be asked, as of `leave`.
            brief: Whether nothing is said of the seats' files, if all is in them.

        Returns:
            Whether each game is in its own file.
        """
        session = self.recorder.session
        if session is None:
            return True
        for notebook in self.seats.values():
            with suppress(ClueError):
                self.current(notebook)
        self.write_out()
        saved = leave(session, ask=ask)
        for seat, notebook in self.seats.items():
            called = f"{seat}'s own record"
            saved &= leave(notebook.game, ask=ask, called=called, brief=brief)
        return saved

    def overhear(self, suggestion: Suggestion | None, phone: str) -> None:
        """
        Let the seats see what a phone of the recorder has tapped, which everybody hears anyway.

        Args:
            suggestion: The suggestion once its cards are tapped, else `None`.
            phone: Whose it is; what one has tapped stays until it drops that, or another taps one.
        """
        if not self.public or (suggestion is None and phone != self._asking_on):
            return
        self._asking_on = phone
        askers = {None if each is None else each.by for each in (self.asking, suggestion)}
        if suggestion != self.asking:
            self.asking = suggestion
            for seat, notebook in self.seats.items():
                if not askers <= {seat, None}:  # who asks is asked nothing
                    self._changed(notebook)

    def all_changed(self) -> None:
        """Let every page be shown anew; what is half-made follows an earlier log."""
        self.asking = None
        for notebook in self.in_turn:
            self._changed(notebook)

    def _changed(self, book: Notebook) -> None:
        book.version += 1
        book.pages.clear()
        self.changed(book)
