"""
The tables whose pages are served. Each has a complete log, of which each page shows a part.

All work on tables is done in one thread, the games' thread, so that no locks are needed. The event
loop only looks up links. What takes long is made a `Job`, which is computed in another thread.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.errors import ArgumentError, ClueError
from clue_solver.faces.dealing import REVIEW_SAMPLE
from clue_solver.faces.leaving import close_session
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.links import HELP, Link, keep_links, kept_links
from clue_solver.faces.web.safety import error_place
from clue_solver.faces.web.whole_log import public_of, seen_by
from clue_solver.game import Game
from clue_solver.record.contents import Record
from clue_solver.rules.edition_files import shipped_editions
from clue_solver.rules.observations import Suggestion

_JOINING = "?"
"""The name under which the link for joining is saved. No player can have this name."""


Job = Callable[[], Callable[[], None]]
"""
Work that may be done in any thread. It returns a function that stores the result. That one has to
be called in the games' thread.
"""


class FinishedReview(NamedTuple):
    """
    The review of a finished game.

    Attributes:
        record: The game.
        story: The sentences of the review for each seat, and for everybody under `None`; empty if
            the game cannot be reviewed.
        page: The whole review as HTML.
    """

    record: Record
    story: Mapping[str | None, list[str]] = {}
    page: str = ""


class ServedTable:
    """
    A table whose pages are served: a `LoggedTable` or a `DealtTable`.

    Attributes:
        public: Whether each seat has its own page.
        dealt: Whether the program deals.
        whole: The complete log; `None` before the game is set up.
        open: Whether all pages show the complete log, because there is only one page or all cards
            are revealed.
        recorder: What the recorder's page shows: what everybody sees, or the viewer's own notes if
            seats have no pages.
        seats: For each seat's name, what its page shows.
        joining: Holds the link of the page on which players choose their seats.
        trouble: Why a hidden file cannot be saved; empty if all is saved.
        changed: Called with each page that must be drawn again.
        tell: Called with each message for the host.
        alone: Whether the pages are on a single phone, so that no other phone can open them.
        asking: The suggestion whose cards are tapped but whose answers are missing, until something
            is logged or the recorder goes back to its cards; `None` if there is none.
        last: The table of the game before this one; `None` if there is none, or after a restart.
        busy: Whether a job of this table is under way.
    """

    dealt = False

    def __init__(self, *, public: bool) -> None:
        self.public = public
        self.whole: Record | None = None
        self.open = not public
        self.recorder = Eyes()
        self.seats: dict[str, Eyes] = {}
        self.joining = Eyes()
        self.trouble = ""
        self.changed: Callable[[Eyes], None] = lambda _: None
        self.tell: Callable[[str], None] = lambda _: None
        self.alone = False
        self.asking: Suggestion | None = None
        self.last: ServedTable | None = None
        self._reviewed: FinishedReview | None = None
        self.busy = False

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.whole is not None and self.whole.finished

    @property
    def review(self) -> FinishedReview | None:
        """The review of the finished game; `None` until it is computed."""
        found = self._reviewed
        return found if found is not None and found.record is self.whole else None

    @property
    def every(self) -> tuple[Eyes, ...]:
        """
        What each page shows: the recorder's first, then those of the seats in the order in which
        they sit.
        """
        return (self.recorder, *self.seats.values())

    @property
    def own(self) -> Eyes:
        """What the page of the person who runs the table shows."""
        return self.recorder

    @property
    def machines(self) -> Mapping[str, str]:
        """The strength of each machine, by its seat; empty if people log the game."""
        return {}

    @property
    def path(self) -> Path:
        """The file of the game; raises a `SetupError` if no game is set up yet."""
        keeper = self.recorder.game.keeper
        assert keeper is not None
        return keeper.path

    @property
    def name(self) -> str:
        """The name of the table's file."""
        return "a new table" if self.recorder.session is None else self.path.name

    @property
    def deck(self) -> Path | None:
        """The file of the players' own deck; `None` if the edition comes with the program."""
        name = self.recorder.game.record.table.edition.name
        return None if name in shipped_editions() else self.path.parent / name

    # What the pages show.

    def set_whole(self, whole: Record) -> None:
        """Set the complete log, and bring the notes of all pages up to date with it."""
        self.whole = whole
        for eyes in self.every:
            session, seen = eyes.game, seen_by(whole, eyes.seat, everything=self.open)
            if (seen.table, seen.entries) != (session.record.table, session.record.entries):
                session.rewrite(replace(session.record, table=seen.table, entries=seen.entries))

    def entry_numbers(self, eyes: Eyes) -> tuple[str, ...]:
        """
        Return the number under which each entry in a page's notes is shown, as a text.

        The number is the same on all pages of a table. It is empty for an entry that only one seat
        can see, until all cards are revealed.
        """
        record, places = eyes.game.record, count(1)
        return tuple(
            "" if not self.open and public_of(each, record.table) is None else str(next(places))
            for each in record.observations
        )

    def change_all_pages(self) -> None:
        """Forget the suggestion `asking`, and have all pages drawn again."""
        self.asking = None
        for eyes in self.every:
            self.change_page(eyes)

    def change_page(self, eyes: Eyes) -> None:
        """Have a page drawn again."""
        eyes.version += 1
        self.changed(eyes)

    def store_thought(self, eyes: Eyes, thought: Thought) -> None:
        """Store and show advice or corrections for a page, unless its notes have changed since."""
        if eyes.session is not None and eyes.session.record is thought.record:
            eyes.last_thought = thought
            self.change_page(eyes)

    def help(self, eyes: Eyes) -> int:
        """Return how much help a page gives, as an index in `HELP`."""
        usual = "marks" if self.dealt else "advice"
        if self.public and eyes.seat is None:
            usual = "nothing"  # it lies in the middle of the table
        return HELP.index(eyes.link.help or usual)

    def advises(self, eyes: Eyes) -> bool:
        """Return whether a page shows advice or corrections now, so that these must be computed."""
        if self.help(eyes) == HELP.index("advice"):
            return True
        with suppress(ClueError):  # whatever the help, corrections are shown
            return not eyes.game.game.report().consistent
        return False

    def stamp(self, eyes: Eyes) -> str:
        """Return the version of a page, which its forms send along."""
        return eyes.stamp

    # Long work.

    def next_job(self) -> Job | None:
        """Return the job that is due, here the review of a finished game; `None` if none is."""
        if not self.over or not self.open or self.review is not None:
            return None
        assert self.whole is not None
        return partial(self._compute_review, self.whole)

    def _compute_review(self, record: Record) -> Callable[[], None]:
        """Review the finished game `record`; return the function that stores the review."""
        from clue_solver.views.reviews import review_page, story_for

        found = FinishedReview(record)
        try:
            review = Game(record).review(sample=REVIEW_SAMPLE if self.dealt else None)
            story = {seat: story_for(review, seat) for seat in (None, *record.table.seats)}
            found = FinishedReview(record, story, review_page(review))
        except ClueError:
            pass
        except Exception as error:  # the pages must not wait for it for ever
            self.tell(f"the game cannot be reviewed: {error_place(error)}")
        return partial(self._store_review, found)

    def _store_review(self, found: FinishedReview) -> None:
        """Store a review, and show it on all pages."""
        self._reviewed = found
        self.change_all_pages()

    # The next game.

    def again(self) -> "ServedTable":
        """
        Return a table for the next game, with the same players and links.

        Raises:
            ClueError: If there cannot be a next game.
        """
        new = self._next()
        for name, eyes in self.pages.items():
            new.pages[name].link = replace(eyes.link, told=frozenset())
        new._save_links()
        new.last, self.last = self, None
        return new

    def end_links(self) -> None:
        """
        End the links of this table, because they lead to the next game now, and close its file.
        """
        for eyes in self.pages.values():
            eyes.link = Link()
        self._save_links()
        self.change_all_pages()
        self.recorder.game.close()

    def _next(self) -> "ServedTable":
        """
        Create the table for the next game of the same players.

        Raises:
            ClueError: If there cannot be a next game.
        """
        raise NotImplementedError

    def poll(self) -> None:
        """Read the changes that another program has made to the file of a logged game."""

    def close(self) -> bool:
        """Close the file, and report where it is; return whether the whole game is saved."""
        session, called = self.recorder.session, "the log" if self.dealt else "the game"
        return session is None or close_session(session, called=called)

    # The links.

    def take_links(self) -> None:
        """Load the saved links of the game, so that they keep working."""
        kept = kept_links(self.path, self.recorder.game.record.table.game)
        for name, eyes in self.pages.items():
            eyes.link = kept.get(name, eyes.link)
        self._save_links()

    @property
    def pages(self) -> dict[str, Eyes]:
        """
        All pages that have a link, by the names under which their links are saved.

        These are the names of the seats, `''` for the recorder, and `?` for the page on which
        players join.
        """
        pages = {eyes.seat or "": eyes for eyes in self.every}
        return pages | {_JOINING: self.joining} if self.seats else pages

    def _save_links(self) -> None:
        """Save the links of the game, so that they work after a restart of the server."""
        session = self.recorder.session
        if session is None:
            return
        pages = {name: eyes.link for name, eyes in self.pages.items()}
        trouble = keep_links(self.path, session.record.table.game, pages)
        if trouble:
            self.tell(f"the links of this game stop working when the server stops: {trouble}")

    def relink(self, eyes: Eyes, link: Link) -> None:
        """Replace the link and the settings of a page. If the secret changes, the old link ends."""
        eyes.link = link
        self._save_links()
        for each in (*self.every, self.joining):  # all show who is here
            self.change_page(each)

    @property
    def free(self) -> tuple[str, ...]:
        """The seats that no player has taken yet."""
        seats = self.seats.items()
        return tuple(s for s, eyes in seats if not (eyes.link.taken or s in self.machines))

    def join(self, seat: str, once: str = "") -> Eyes:
        """
        Mark a seat as taken and return its page.

        Args:
            seat: The seat.
            once: The mark of the form. If it is sent again, it gets the same page again, unless
                the link of that page has ended meanwhile; then it gets none.

        Raises:
            ArgumentError: If the seat is not free.
        """
        eyes = self.of(seat)
        sent_again = once != "" and once == eyes.link.once
        if sent_again and eyes.link.taken:
            return eyes
        if sent_again or seat not in self.free:
            ask = "if that is you, ask the person who started the game to let you join again"
            raise ArgumentError(f"{seat} has already joined; {ask}", argument="seat")
        self.relink(eyes, replace(eyes.link, taken=True, once=once))
        self.tell(f"{seat} has joined")
        return eyes

    def free_seat(self, seat: str) -> None:
        """End the link of a seat's page, so that a player can take the seat again."""
        eyes = self.of(seat)
        self.relink(eyes, replace(eyes.link, secret=Link().secret, taken=False))
        self.tell(f"{seat}'s link no longer works; {seat} may join again")

    def of(self, seat: str | None) -> Eyes:
        """Return a seat's page, or the recorder's; raise an `ArgumentError` if there is none."""
        if seat is None:
            return self.recorder
        if seat not in self.seats:
            raise ArgumentError(f"there is no player called {seat}", argument="seat")
        return self.seats[seat]
