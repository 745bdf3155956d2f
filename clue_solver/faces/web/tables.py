"""
What is served: a table with one log of all that anybody told, and the eyes that look at it.

Everything here happens in one thread, one thing after the other, but for the thinking of verdicts,
which has games of its own to ask.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import count

from msgspec.structs import replace

from clue_solver.answers.corrections import Correction
from clue_solver.answers.review import Review
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.web.eyes import HELP, Eyes, Links, keep_links, kept_links
from clue_solver.faces.web.whole_log import public_of, seen_by
from clue_solver.game import Game
from clue_solver.record import Record
from clue_solver.rules.observations import Suggestion

_JOINING = "?"
"""The name under which the link is kept by which players join; nobody is called so."""


class ServedTable:
    """
    A table that is served; a recorder tells its log, or a referee (`LoggedTable`, `DealtTable`).

    Attributes:
        public: Whether each seat has a page of its own.
        dealt: Whether the program deals.
        whole: All that anybody told; `None` before the game is set up.
        open: Whether all pages see all of it: there are no seats' pages, or all cards lie open.
        recorder: The eyes of everybody; at a table without seats' pages, of its viewer.
        seats: The seats' own eyes by name.
        joining: What leads to the page that asks its players who they are.
        trouble: Why something cannot be kept beside the game's file; empty while all is well.
        changed: Called with the eyes whose pages are no longer current.
        tell: Called with what happened that the host may want to know, in one line.
        alone: Whether no other phone can open its pages.
        asking: The suggestion that is asked now, once its cards are tapped; `None` if none is.
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
        self._reviewed: tuple[Record, str] | None = None  # a game that is over, and its story
        self._thinking = False

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.whole is not None and self.whole.finished

    @property
    def story(self) -> str | None:
        """What the review of a game that is over begins with; `None` until it is worked out."""
        return self._reviewed[1] if self._reviewed and self._reviewed[0] is self.whole else None

    @property
    def every(self) -> tuple[Eyes, ...]:
        """The recorder's eyes, then those of the seats in table order."""
        return (self.recorder, *self.seats.values())

    @property
    def own(self) -> Eyes:
        """The eyes of whoever runs the table: the recorder's."""
        return self.recorder

    @property
    def machines(self) -> Mapping[str, str]:
        """The seats that machines play, each with the strength of its machine."""
        return {}

    @property
    def name(self) -> str:
        """What the table is called: its file."""
        session = self.recorder.session
        keeper = session.keeper if session is not None else None
        return keeper.path.name if keeper is not None else "a new table"

    # What is seen.

    def current(self, eyes: Eyes) -> Session:
        """Return the notes of a pair of eyes, with all that they have seen by now."""
        session, whole = eyes.game, self.whole
        if whole is not None and eyes.whole is not whole:
            seen = seen_by(whole, eyes.seat, everything=self.open)
            if (seen.table, seen.entries) != (session.record.table, session.record.entries):
                session.rewrite(replace(session.record, table=seen.table, entries=seen.entries))
            eyes.whole, eyes.seen = whole, session.record
        return session

    def numbers(self, eyes: Eyes) -> tuple[str, ...]:
        """
        Return the number of each entry of some notes, which is the same on all pages of a table.

        What its owner alone noticed has none, and is passed over until all cards lie open.
        """
        record, places = eyes.game.record, count(1)
        return tuple(
            "" if not self.open and public_of(each, record.table) is None else str(next(places))
            for each in record.observations
        )

    def all_changed(self) -> None:
        """Let every page be shown anew; what was asked before is asked no more."""
        self.asking = None
        for eyes in self.every:
            self.change_page(eyes)

    def change_page(self, eyes: Eyes) -> None:
        """Have the pages of these eyes drawn anew."""
        eyes.version += 1
        self.changed(eyes)

    def thought(self, eyes: Eyes, verdict: Thought) -> None:
        """Take a verdict in, if it is about the notes as they stand."""
        if eyes.session is not None and eyes.session.record is verdict.record:
            known, eyes.verdict = eyes.verdict, verdict
            if known is None or known._replace(first=verdict.first) != verdict:
                self.change_page(eyes)  # else the pages show it already

    def reviewed(self, game: Game) -> Review:
        """Return the review of a game that is over."""
        return game.review()

    def help(self, eyes: Eyes) -> int:
        """Return how much help a page gives, as a place in `HELP`."""
        usual = "marks" if self.dealt else "advice"
        if self.public and eyes.seat is None:
            usual = "nothing"  # it lies in the middle of the table
        return HELP.index(eyes.links.help or usual)

    # What a page may do, where a recorder keeps the log.

    def stamp(self, eyes: Eyes) -> str:
        """Return the version of what a page shows, as its forms carry it."""
        return eyes.stamp

    def undoing(self, eyes: Eyes) -> str:  # noqa: ARG002
        """Return what undo would take back of a page, in words; empty if there is nothing."""
        return ""

    def may_delete(self, eyes: Eyes, entry: int) -> bool:  # noqa: ARG002
        """Whether a page may take an entry out."""
        return False

    def may_correct(self, eyes: Eyes, correction: Correction) -> bool:  # noqa: ARG002
        """Whether a correction is this page's to make."""
        return False

    def due(self) -> Callable[[], Callable[[], None]] | None:
        """
        Return what is to be thought of, if anything; what comes of it is done to the game.

        Once a game is over, and everybody may see all of it, that is its review.
        """
        if not self.over or not self.open or self._thinking or self.story is not None:
            return None
        self._thinking = True
        assert self.whole is not None
        return partial(self._review, self.whole)

    def _review(self, record: Record) -> Callable[[], None]:
        story = ""
        with suppress(ClueError):
            review = self.reviewed(Game(record))
            story = f"{review.story} {review.unjudged}".strip()

        def tell() -> None:
            self._reviewed, self._thinking = (record, story), False
            self.all_changed()

        return tell

    def again(self) -> "ServedTable":
        """
        Return a table with the same players and links, at which the next game begins.

        Raises:
            ClueError: If there can be none.
        """
        new = self._next()
        new.alone, new.tell = self.alone, self.tell
        for name, eyes in self._pages.items():
            new._pages[name].links = eyes.links
            eyes.links = Links()
        self._keep_links()
        new._keep_links()
        self.all_changed()
        if (keeper := self.recorder.game.keeper) is not None:
            keeper.close()
        return new

    def _next(self) -> "ServedTable":
        """Return a table at which the same players begin the next game; raises as `again`."""
        raise NotImplementedError

    def poll(self) -> None:
        """Take in what another program has written to the file, before a page is shown."""

    def close(self, *, brief: bool = False) -> bool:
        """
        Let go of the file, and say where it is.

        Args:
            brief: Whether nothing is said if all is in the file.

        Returns:
            Whether the game is in its own file.
        """
        raise NotImplementedError

    # The links.

    def take_links(self) -> None:
        """Let the links lead here that were kept beside the game."""
        keeper = self.recorder.game.keeper
        if keeper is None:
            return
        kept = kept_links(keeper.path, self.recorder.game.record.table.game)
        for name, eyes in self._pages.items():
            eyes.links = kept.get(name, eyes.links)
        self._keep_links()

    @property
    def _pages(self) -> dict[str, Eyes]:
        """All pages, by the names under which their links are kept."""
        pages = {eyes.seat or "": eyes for eyes in self.every}
        return pages | {_JOINING: self.joining} if self.public else pages

    def _keep_links(self) -> None:
        """Keep the links beside the game, so that they outlive the server."""
        session = self.recorder.session
        if session is None or session.keeper is None:
            return
        pages = {name: eyes.links for name, eyes in self._pages.items()}
        trouble = keep_links(session.keeper.path, session.record.table.game, pages)
        if trouble:
            self.tell(f"the links of this game stop working when the server ends: {trouble}")

    def relink(self, eyes: Eyes, links: Links) -> None:
        """Change what leads to a page; whoever has none of it sees nothing more."""
        eyes.links = links
        self._keep_links()
        self.change_page(eyes)
        if eyes is not self.recorder:
            self.change_page(self.recorder)
            self.change_page(self.joining)

    @property
    def free(self) -> tuple[str, ...]:
        """The seats that nobody has said to be theirs."""
        seats = self.seats.items()
        return tuple(s for s, eyes in seats if not (eyes.links.taken or s in self.machines))

    def join(self, seat: str) -> Eyes:
        """Return the eyes of a seat that somebody takes; an `ArgumentError` says if it is taken."""
        eyes = self.of(seat)
        if seat not in self.free:
            ask = "if that is you, ask whoever began the game to free your seat"
            raise ArgumentError(f"{seat} has already joined; {ask}", argument="seat")
        self.relink(eyes, replace(eyes.links, taken=True))
        self.tell(f"{seat} is in")
        return eyes

    def free_seat(self, seat: str) -> None:
        """End the link of a seat's page, so that somebody may join there anew."""
        self.relink(self.of(seat), Links())
        self.tell(f"{seat}'s link has ended; {seat} may join anew")

    def of(self, seat: str) -> Eyes:
        """Return the eyes of a seat; raise an `ArgumentError` if there is no such."""
        if seat not in self.seats:
            raise ArgumentError(f"there is no seat of {seat}", argument="seat")
        return self.seats[seat]
