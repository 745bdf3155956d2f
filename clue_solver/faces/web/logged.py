"""
A table whose game is played with real cards and logged by hand.

The recorder logs what everybody sees. If the seats have pages, each logs its own hand, what it
knows, and the cards that it saw. During such a game, the game's file has only what everybody sees,
and a hidden file next to it has the complete log. Once the cards are revealed, the complete log is
written to the game's file.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from clue_solver.answers.corrections import Correction
from clue_solver.conversation.changes import END, LogPlace, change_between
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, NotationError, RecordError, listed
from clue_solver.faces.games import free_path, new_mark
from clue_solver.faces.leaving import say, warnings_of
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.tables import ServedTable
from clue_solver.faces.web.whole_log import public_of, seen_by, shown_cards, with_change
from clue_solver.knowledge.sight import seen
from clue_solver.notation.canonical import format_line
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.record.contents import Record
from clue_solver.record.files import RecordFile, hidden_file, load_record, save
from clue_solver.rules.observations import Observation, Suggestion
from clue_solver.rules.table import Table
from clue_solver.views.sentences import change_text

Result = TypeVar("Result")

Keep = Callable[[], Path]
"""Returns the path for the file of a new game."""

WHOLE = "whole"
"""The ending of the hidden file with the complete log, if the seats have their own pages."""


class LoggedTable(ServedTable):
    """
    A table whose game is logged by hand, or one that is not set up yet.

    Attributes:
        keep: Returns the path for the file of a new game.
        typed: The values of the form for a new game, as far as they are known.
        folder: The folder with the last game, from which the form for a new one is filled in;
            `None` for the user's folder of games.
        revealed: The complete log at the moment when all cards were revealed, beyond which nothing
            is undone; `None` before that.
    """

    def __init__(self, *, keep: Keep, public: bool = False, folder: Path | None = None) -> None:
        super().__init__(public=public)
        self.folder = folder
        self.keep = keep
        self.typed: Mapping[str, str] = {}
        self.revealed: Record | None = None

    def open_file(self, path: Path) -> None:
        """
        Continue the game in a file.

        Raises:
            RecordError: If the file is open elsewhere, cannot be read, or has one player's own
                notes although the game is to be shared.
        """
        keeper = RecordFile(path)
        try:
            record = keeper.read()
            if self.public and (viewer := record.table.viewer) is not None:
                reason = f"these are {viewer}'s own notes: name a new file for a shared game"
                raise RecordError(reason, path=str(path))
            self.begin(record, keeper)
        except BaseException:
            keeper.close()
            raise
        for warning in warnings_of(self.recorder.game):
            say(f"! {warning}")

    def begin(self, record: Record, keeper: RecordFile | None = None) -> None:
        """
        Begin or continue a game at this table.

        A new or shared game gets a mark, which shows that its hidden files belong to it.

        Args:
            record: The game.
            keeper: The game's file; `None` for a new file.
        """
        keeper = keeper or RecordFile(self.keep())
        new, bare = not keeper.path.exists(), record
        if (new or self.public) and record.table.game is None:
            record = replace(record, table=replace(record.table, game=new_mark()))
        if new or record != bare:
            keeper.write(record)
        # Where seats have pages, the file has what everybody sees; the rest is beside it.
        public = seen_by(record, None) if self.public else record
        self.open = not self.public or (record.finished and public.entries != record.entries)
        whole = record
        if not self.open:
            kept = _load_whole(keeper.path, record.table.game) or record
            whole = with_change(kept, seen_by(kept, None), public)
        self.recorder.session = Session(record if self.open else public, keeper=keeper)
        if public != record and not self.open:
            self.recorder.session.write_out()
        for seat in record.table.seats if self.public else ():
            own = seen_by(whole, seat, everything=self.open)
            self.seats[seat] = Eyes(seat, Session(own))
        self.set_whole(whole)
        self.revealed = self.recorder.game.record if self.open and self.public else None
        self._save_whole()
        self.take_links()
        self.change_all_pages()

    def _save_whole(self) -> None:
        """Save the complete log in the hidden file, if the seats have their own pages."""
        if self.whole is None or not self.public:
            return
        try:
            save(self.whole, hidden_file(self.path, WHOLE), private=True)
        except RecordError as error:
            self.trouble = str(error)
            self.tell(f"what the players entered cannot be saved: {error}")
        else:
            self.trouble = ""

    # Logging.

    def dialog(self, eyes: Eyes) -> Dialog:
        """Return the dialog that processes the lines of a page."""
        return Dialog(eyes.game, commit=partial(self.take, eyes))

    def take(
        self, eyes: Eyes, told: Reading, place: LogPlace = END, earlier: Sequence[Reading] = ()
    ) -> int:
        """
        Log a line for a page, and return the number of its entry.

        If the seats have pages, the recorder's lines are for everybody, so that anything that only
        some players saw is removed. A seat may log its hand, what it knows, and what it saw of an
        entry.

        Args:
            eyes: The page.
            told: The line, as it was read.
            place: Where in the log it belongs.
            earlier: What is logged before it, at the end of the log: turns that players skipped.

        Raises:
            NotationError: If the line or a later entry makes no sense, or this page may not log the
                line.
            ArgumentError: If there is no such place.
            RecordError: If another program has changed the file; the file is then read again.
        """
        session = eyes.game
        if eyes.seat is not None:
            if earlier:
                raise NotationError("only the recorder can change what everybody sees")
            place = self.own_place(eyes, told.whole, place)
            if place.entry is not None:
                old = session.entry(place.entry).observation
                if old == told.whole:  # another seat that knows it has logged it already
                    self.note(eyes, session.lines[place.entry - 1])
                    return place.entry
                if seen(old, table=session.record.table, viewer=eyes.seat) != old:
                    raise NotationError(
                        "others have logged more about this entry: you can't replace it",
                        line=told.line,
                    )
                if other := _other_card(old, told.whole):
                    said = f"the log already says that {other} was shown"
                    reason = f"{said}: whoever entered that can take it out"
                    raise NotationError(reason, line=told.line)
        elif not self.open:
            lines = (*earlier, told)
            *earlier, told = (_public_part(each, session.record.table) for each in lines)

        def log(session: Session) -> int:
            """Log the line in a page's notes."""
            number = session.commit(told, place, earlier)
            if eyes.seat is not None:
                self.note(eyes, session.lines[number - 1])
                eyes.removed = None
            return number

        return self.change(eyes, log, own=True)

    def own_place(self, eyes: Eyes, observation: Observation, place: LogPlace) -> LogPlace:
        """
        Return the place in the log where a seat's observation goes.

        An observation about an entry that everybody noticed replaces that entry. One that only the
        seat notices is added at the end.

        Args:
            eyes: The seat's page.
            observation: The observation.
            place: The place that the page named; `END` if it named none.

        Raises:
            NotationError: If the seat may not log it.
            ArgumentError: If there is no such entry.
        """
        seat, record = eyes.seat, eyes.game.record
        if seen(observation, table=record.table, viewer=seat) != observation:
            raise NotationError(f"expected what {seat} saw: {seat} cannot know this")
        share = public_of(observation, record.table)
        shares = [public_of(logged, record.table) for logged in record.observations]
        if place.entry is not None:
            eyes.game.entry(place.entry)
            if shares[place.entry - 1] != share:
                raise NotationError("expected the same entry, with what only you saw added")
            return place
        if share is None:
            return LogPlace()
        if share not in shares:
            expected = "expected your hand, what you know, or what you saw"
            raise NotationError(f"{expected}: the recorder logs what everybody sees")
        return LogPlace(len(shares) - shares[::-1].index(share))

    def note(self, eyes: Eyes, line: str, *, told: bool = True) -> None:
        """
        Remember in a saved file whether a seat has logged a line itself.

        Args:
            eyes: The seat's page.
            line: The line.
            told: Whether the seat has logged it; false to forget the line.
        """
        lines = eyes.link.told | {line} if told else eyes.link.told - {line}
        eyes.link = replace(eyes.link, told=lines)
        self._save_links()

    # Changes.

    def change(self, eyes: Eyes, what: Callable[[Session], Result], *, own: bool = False) -> Result:
        """
        Change the notes of a page, and with them the complete log and all other pages.

        Errors of the change are raised.

        Args:
            eyes: The page.
            what: A function that changes the notes.
            own: Whether also a seat may make the change, because only what it saw is affected.

        Returns:
            What the function returned.
        """
        if eyes.seat is not None and not own:
            raise NotationError("only the recorder can change what everybody sees")
        before = eyes.game.record
        try:
            return what(eyes.game)
        finally:  # a change of the file by another program may have been read before an error
            if eyes.game.record is not before:
                self._publish(eyes, before)

    def _publish(self, eyes: Eyes, before: Record) -> None:
        """
        Bring the complete log and all pages up to date after a page has changed its notes.

        `before` are the notes before the change.
        """
        assert self.whole is not None
        after, viewer = eyes.game.record, self.whole.table.viewer
        known = {each: each.game.record for each in self.every}
        if not self.open:
            self.set_whole(with_change(self.whole, before, after))
        else:
            self.set_whole(replace(after, table=replace(after.table, viewer=viewer)))
        self._save_whole()
        if eyes.seat is None:
            self.asking = None
        for each, was in known.items():
            now = each.game.record
            if each is eyes or now is not was:
                told = _new_cards(was, now, self.entry_numbers(each))
                answers = told and eyes.seat and each is not eyes and not self.open
                each.news = f"{eyes.seat} has answered entry {told}." if answers else ""
                self.change_page(each)

    def may_correct(self, eyes: Eyes, correction: Correction) -> bool:
        """Return whether a page may make a correction. A seat may only correct what it saw."""
        if eyes.seat is None:
            return True
        session, table = eyes.game, eyes.game.record.table
        if correction.entry is None or isinstance(correction.meant, Table):
            return False
        old = session.entry(correction.entry).observation
        saw = seen(old, table=table, viewer=eyes.seat) == old
        return saw and public_of(correction.meant, table) == public_of(old, table)

    def correct(self, eyes: Eyes, correction: Correction) -> None:
        """
        Correct the log on behalf of the page `eyes`; raise an error if that is not possible.

        Raises:
            NotationError: If a seat's page corrects more than the seat saw itself, or if a later
                entry makes no sense after the correction.
            ArgumentError: If there is no such entry.
            RecordError: If another program has changed the file; the file is then read again.
        """
        own = self.may_correct(eyes, correction)
        self.change(eyes, lambda session: session.correct(correction), own=own)

    def may_delete(self, eyes: Eyes, entry: int) -> bool:
        """
        Return whether a page may delete an entry.

        A seat may delete only what it saw itself, unless another seat entered it.
        """
        told, table = eyes.game.entry(entry).observation, eyes.game.record.table
        if eyes.seat is None:
            return True
        others = (each for each in self.seats.values() if each is not eyes)
        saw = seen(told, table=table, viewer=eyes.seat) == told != public_of(told, table)
        return saw and not any(eyes.game.lines[entry - 1] in each.link.told for each in others)

    def delete(self, eyes: Eyes, entry: int) -> None:
        """
        Delete an entry, or a seat's own part of it.

        Args:
            eyes: The page.
            entry: The number of the entry in the notes of the page.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If a seat did not enter it itself, or a later entry makes no sense
                without it.
            RecordError: If another program has changed the file; the file is then read again.
        """
        old, table = eyes.game.entry(entry).observation, eyes.game.record.table
        line = eyes.game.lines[entry - 1]
        if not self.may_delete(eyes, entry):
            raise NotationError("you can only take out what you entered yourself")
        share = None if eyes.seat is None else public_of(old, table)
        if share is None:
            self.change(eyes, lambda session: session.delete(entry), own=True)
        else:
            told = reading_of(share, table)
            self.change(eyes, lambda session: session.commit(told, LogPlace(entry)), own=True)
        if eyes.seat is not None:
            self.note(eyes, line, told=False)
            eyes.removed = old

    def undo(self, eyes: Eyes) -> None:
        """
        Undo the last change of the recorder's page, or restore what a seat deleted last.

        Nothing happens if there is nothing to undo or to restore.

        Raises:
            NotationError: If what a seat deleted no longer makes sense.
            RecordError: If another program has changed the file; the file is then read again.
        """
        if eyes.seat is None:
            if self.undo_label(eyes):
                self.change(eyes, Session.undo)
        elif (removed := self._last_removal(eyes)) is not None:
            self.take(eyes, reading_of(removed, eyes.game.record.table))

    def _last_removal(self, eyes: Eyes) -> Observation | None:
        """Return what a seat deleted last; `None` if it cannot be restored."""
        record, removed = eyes.game.record, eyes.removed
        if removed is None or removed in record.observations:
            return None
        share = public_of(removed, record.table)
        return removed if share is None or share in record.observations else None

    def undo_label(self, eyes: Eyes) -> str:
        """Return what `undo` would undo or restore for a page, in words; empty if nothing."""
        session = eyes.game
        table = session.record.table
        if eyes.seat is None:
            if session.earlier is None or session.record == self.revealed:
                return ""
            return change_text(change_between(session.earlier.record, session.record), table)
        removed = self._last_removal(eyes)
        return format_line(removed, table) if removed is not None else ""

    def poll(self) -> None:
        """Read changes that another program has made to the file."""
        if self.recorder.session is not None:
            self.change(self.recorder, Session.poll)

    # The end.

    def _next(self) -> "LoggedTable":
        table = self.recorder.game.record.table
        hands = () if table.face_up or len({*table.hands}) > 1 else table.hands
        header = replace(table, face_up=(), hands=hands, first=None, solution=(), game=None)
        keep = partial(free_path, self.path)
        new = LoggedTable(keep=keep, public=self.public, folder=self.folder)
        new.begin(Record(table=header))
        return new

    def lay_open(self) -> None:
        """
        Reveal all cards; raise `ArgumentError` before the game is over.

        From then on, the file of the game has the complete log, and every page shows it. What only
        some players noticed comes last, so that the entries keep their numbers.
        """
        if self.whole is None or not self.whole.finished:
            raise ArgumentError("cards are revealed once the game is over")
        self.open = True
        table, entries = self.whole.table, self.whole.entries
        last = sorted(entries, key=lambda each: public_of(each.observation, table) is None)
        self.set_whole(replace(self.whole, entries=tuple(last)))
        self.revealed = self.recorder.game.record
        for eyes in self.every:
            eyes.news = ""  # the wish to see the cards is granted
        self.change_all_pages()

    def close(self) -> bool:
        """Close the files, and report where the game is; return whether the whole game is saved."""
        if self.trouble:
            self._save_whole()  # the disk may have space again
        if self.trouble:
            say(f"! what the players entered is not saved: {self.trouble}")
        return super().close() and not self.trouble

    # The pending suggestion.

    def overhear(self, suggestion: Suggestion | None) -> None:
        """
        Show on the seats' pages a suggestion that is still without answers; `None` removes it.

        Everybody at the table hears it anyway.
        """
        if not self.public or suggestion == self.asking:
            return
        self.asking = suggestion
        for eyes in self.seats.values():
            self.change_page(eyes)


def _load_whole(path: Path, mark: str | None) -> Record | None:
    """Return the complete log saved beside a game; `None` without one, or if its mark differs."""
    kept = hidden_file(path, WHOLE)
    if not kept.exists():
        return None
    whole = load_record(kept)
    return whole if whole.table.game == mark else None


def _public_part(told: Reading, table: Table) -> Reading:
    """Return what everybody saw of a line; raise a `NotationError` if that is nothing."""
    share = public_of(told.whole, table)
    if share is None:
        reason = "only what everybody saw goes here; enter this on your own page"
        raise NotationError(reason, line=told.line)
    return replace(told, observation=share)


def _new_cards(before: Record, after: Record, numbers: Sequence[str]) -> str:
    """
    Return the first entry that names shown cards after a change and not before, with these cards.

    Args:
        before, after: The notes of a page, before and after the change.
        numbers: The number of each entry on that page.

    Returns:
        A text such as `3: Lounge`; empty if there is no such entry.
    """
    for number, old, new in zip(numbers, before.observations, after.observations, strict=False):
        known = shown_cards(old)
        cards = [card for seat, card in shown_cards(new).items() if seat not in known]
        if cards and type(old) is type(new):
            return f"{number}: {listed(cards)}"
    return ""


def _other_card(old: Observation, told: Observation) -> str:
    """
    Return a card that an entry says was shown, where another version says a different card.

    Empty if there is none.

    Args:
        old: The entry.
        told: The other version.
    """
    known, new = shown_cards(old), shown_cards(told)
    pairs = [(card, new.get(seat)) for seat, card in known.items()]
    return next((card for card, now in pairs if now and card != now), "")
