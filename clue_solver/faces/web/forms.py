"""What the forms of a page do: each is a method, which returns what the next page is asked for."""

from contextlib import suppress
from functools import partial
from urllib.parse import parse_qs

from clue_solver.conversation import commands
from clue_solver.conversation.changes import Place
from clue_solver.conversation.questions import Doubt, DoubtAnswer, own_hand
from clue_solver.errors import ArgumentError, NotationError
from clue_solver.faces.web.following import Following
from clue_solver.faces.web.pages import HEADER, settled_in
from clue_solver.faces.web.tables import Notebook, ServedTable
from clue_solver.notation import format_line, normalise
from clue_solver.rules.observations import Hand
from clue_solver.views.sentences import header_value

Said = dict[str, list[str]]
Answered = dict[str, str | list[str]]

_REMEMBERED = 200
"""How many forms are known again that come twice."""


class Forms:
    """
    What the pages of one table may do to it.

    Attributes:
        actions: The names of what that is.
    """

    def __init__(self, table: ServedTable) -> None:
        self.table = table

    def done(self, book: Notebook, action: str, said: Said) -> Answered:
        """
        Do what a form asks for, and return what the next page is asked for.

        What comes again from the same page was done already: its answer was lost, or late.

        Raises:
            ClueError: If it cannot be done.
        """
        self.table.poll()
        sent = tuple(sorted((name, *said[name]) for name in said if name != "tab"))
        key = (action, *sent)
        known = book.done.get(key) if "at" in said else None
        if known is not None:
            return known
        version = book.version
        answered: Answered = getattr(self, f"do_{action}")(book, said) or {}
        if book.version != version:
            book.done[key] = answered
            while len(book.done) > _REMEMBERED:
                del book.done[next(iter(book.done))]
        return answered

    def do_tell(self, book: Notebook, said: Said) -> Answered | None:
        """Take a line, or an answer to what is asked about one."""
        line = one(said, "line").strip()
        entry = self._entry(book, said, "edit")
        place = Place(entry or None, insert=bool(one(said, "insert")))
        if not line:
            return _kept_place(place, said)
        session = self.table.current(book)
        after = Following.read(one(said, "at"))
        if after and book.seat is None and not entry and not after.fits(session.lines):
            if after.taken(line, session, self.table.share):
                return None  # the phone did not hear of it
            return {"line": after.meant(line, session), "after": str(after)}
        asked: Answered = {"after": str(after)} if after else {}
        dialog = self.table.dialog(book)
        try:
            place = self.table.place_of(book, line, place)
        except NotationError as error:
            return _kept_place(place, said) | {"line": line, "wrong": str(error)}
        if place.entry is not None:
            dialog.edit(place.entry, insert=place.insert)
        outcome = dialog.enter(line, settled=settled_in(said))
        if outcome.asked is not None:
            answer = _answer(outcome.asked.doubt, one(said, "answer"))
            if answer is not None:
                outcome = dialog.answer(answer)
        if (doubted := outcome.asked) is not None:
            settled: Answered = {"line": doubted.typed.line, "settled": [*doubted.typed.settled]}
            return _kept_place(doubted.typed.place) | asked | settled
        if outcome.error is not None:
            wrong = str(outcome.error)
            return _kept_place(dialog.place, said) | {"line": outcome.line, "wrong": wrong}
        return None

    def do_hand(self, book: Notebook, said: Said) -> Answered | None:
        """Take a seat's whole hand, or ask what is doubtful about it."""
        session = self.table.current(book)
        told = own_hand(session.record)
        if told == frozenset(said.get("card", [])):
            return None
        if told is not None:
            cards = ", ".join(sorted(told))
            again = "take that out of the log before you tell another"
            raise ArgumentError(f"your hand is told already ({cards}): {again}")
        hand = Hand(seat=str(book.seat), cards=tuple(said.get("card", [])))
        line = format_line(hand, session.record.table)
        try:
            normalise(hand, session.record.table, session.state)
        except NotationError as error:  # the boxes stay ticked
            return {"line": line, "wrong": str(error)}
        return self.do_tell(book, {**said, "line": [line]})

    def do_undo(self, book: Notebook, said: Said) -> None:
        """Take the last change back, if it is what the page said."""
        what = one(said, "what")
        if what and what != self.table.undoing(book, self.table.current(book)):
            raise ArgumentError("somebody changed something else meanwhile: look again")
        self.table.undo(book)

    def do_redo(self, book: Notebook, said: Said) -> None:
        """Do again what was undone."""
        self._refuse_late(book, said)
        self.table.change(book, lambda session: session.redo())

    def do_delete(self, book: Notebook, said: Said) -> None:
        """Take an entry out."""
        entry = self._entry(book, said, "entry") or 0
        if book.seat is None:
            self.table.change(book, lambda session: session.delete(entry))
        else:
            self.table.forget(book, entry)

    def do_fix(self, book: Notebook, said: Said) -> None:
        """Make a correction."""
        self._refuse_late(book, said)
        number = number_in(said, "number") or 0
        verdict = book.current
        corrections = verdict.check.corrections if verdict and verdict.check else ()
        if not 0 < number <= len(corrections):
            raise ArgumentError("the corrections have changed: look again")
        self.table.correct(book, corrections[number - 1])

    def do_header(self, book: Notebook, said: Said) -> None:
        """Change a part of the header."""
        for part in (part for part in HEADER if part in said):
            if part == "seats" and self.table.public:
                raise ArgumentError("the seats of a shared table stay as they are")
            now = header_value(part, self.table.current(book).record.table)
            if now not in (one(said, "was") if "was" in said else now, one(said, part)):
                raise ArgumentError("somebody changed this meanwhile: look again")
            command = commands.Said(part, one(said, part))
            self.table.change(book, partial(commands.change, said=command))

    def do_renew(self, book: Notebook, said: Said) -> None:
        """End a link: one's own, or a seat's."""
        seat = one(said, "seat")
        if seat and book.seat is not None:
            raise ArgumentError("only the recorder ends others' links")
        other = self.table.seats.get(seat) if seat else book
        ends = other is not None and one(said, "ends") in ("", other.links.ends)
        if other is not None and ends:
            self.table.renew(other, at_once=bool(seat))

    def _refuse_late(self, book: Notebook, said: Said) -> None:
        """Refuse what comes from a page that was not current any more."""
        after = Following.read(one(said, "at"))
        if after is not None and after.version != book.version:
            raise ArgumentError("somebody changed something meanwhile: look again")

    def _entry(self, book: Notebook, said: Said, name: str) -> int | None:
        """Return the number of an entry that a form names, as it is by now."""
        entry = number_in(said, name)
        return entry and self.table.entry_now(book, entry, one(said, "was"))

    actions = frozenset(name[3:] for name in tuple(locals()) if name.startswith("do_"))


def said_in(text: str) -> Said:
    with suppress(ValueError):
        return parse_qs(text, keep_blank_values=True, max_num_fields=200, errors="replace")
    return {}


def _kept_place(place: Place, said: Said | None = None) -> Answered:
    """Return what an address says of the place of a line; nothing of the end of the log."""
    if place.entry is None:
        return {}
    insert = "1" if place.insert else ""
    return {"edit": str(place.entry), "was": one(said or {}, "was"), "insert": insert}


def _answer(doubt: Doubt, label: str) -> DoubtAnswer | None:
    """Return the answer of a button; `None` where there was none, or it is offered no more."""
    for choice in doubt.choices:
        if choice.label == label:
            return choice
    return "yes" if label == "yes" and doubt.may_stand else None


def one(said: Said, name: str) -> str:
    return "".join(said.get(name, ())[:1])


def number_in(said: Said, name: str) -> int | None:
    text = one(said, name)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None
