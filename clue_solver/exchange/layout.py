"""
Where things stand on a pad: its cards, its holders, what else its header says; and what is said
about notes from elsewhere besides the notes: edition, seats, sizes, viewer.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self

from msgspec import Struct

from clue_solver.errors import ArgumentError, SetupError, escape
from clue_solver.exchange.grid import Grid, place
from clue_solver.notation import card_names, parse_told
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.record import Record
from clue_solver.record.contents import hands_in
from clue_solver.rules.edition import Answering, Edition, Side, load_edition, shipped_editions
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Slot, Table

_ASKED = {"who", "what", "where", "cards", "card", "persons", "people", "characters", "places"}


class Setting(Struct, frozen=True, kw_only=True):
    """
    What a person says about the game; `None` or empty where nothing was said.

    Players and hand sizes go clockwise; viewer, face-up cards and the viewer's own hand are in
    short, as in a record; `order` and `answers` override the edition's order of answering.
    """

    edition: Edition | None = None
    players: tuple[str, ...] = ()
    viewer: str | None = None
    hands: tuple[int | None, ...] = ()
    face_up: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    order: Side | None = None
    answers: Answering | None = None
    hand: str = ""

    def table(self, edition: Edition, seats: tuple[str, ...], told: Self | None = None) -> Table:
        """Return the table, by what the notes `told` where nothing was said; or a `ClueError`."""
        told = told or type(self)()
        said = self.viewer or told.viewer
        if said is not None:
            said = Names("player", (*seats, SPECTATOR)).find(said)
        return Table(
            edition=edition,
            seats=seats,
            hands=self.hands or told.hands,
            viewer=None if said == SPECTATOR else said,
            face_up=tuple(map(card_names(edition).find, self.face_up)) or told.face_up,
            slots=self.slots or told.slots,
            order=self.order,
            answers=self.answers,
        )


def known_editions(setting: Setting) -> tuple[Edition, ...]:
    """Return the editions that notes may be of: the one that was said, or all that are shipped."""
    return (setting.edition,) if setting.edition else tuple(map(load_edition, shipped_editions()))


def is_heading(text: str, edition: Edition) -> bool:
    """Whether a text is the heading of a category rather than a card."""
    titles = {name for kind in edition.category for name in (kind.name, kind.plural)}
    words = words_of(text)
    return words in {words_of(title) for title in titles if title} or set(words) <= _ASKED


def edition_of(labels: Sequence[str], setting: Setting) -> tuple[Edition, str]:
    """
    Return the edition that has all the cards, and how it was found, in words.

    An edition that was said is the answer. `labels` are names of cards as somebody wrote them;
    headings of categories may be among them.

    Raises:
        ArgumentError: If no shipped edition has them all, or more than one does. Where a whole pad
            fits several, one that has the very names or titles is preferred to other names.
    """
    if setting.edition:
        return setting.edition, "as given"
    editions = known_editions(setting)
    missing = {edition.name: _missing(labels, edition) for edition in editions}
    fits = [edition for edition in editions if not missing[edition.name]]
    named = [{card for each in labels for card in card_names(fit).readings(each)} for fit in fits]
    whole = [fit for fit, cards in zip(fits, named, strict=True) if len(cards) == len(fit.names)]
    spelt = [each for each in whole if _spelt(labels, each) == len(each.names)]
    found = spelt or whole or fits
    if len(found) == 1:
        return found[0], "the only one whose cards these are"
    if found:
        names = joined((edition.name for edition in found), "and")
        raise ArgumentError(
            f"these cards are in {names}: say which edition it is", argument="edition"
        )
    nearest = min(editions, key=lambda edition: len(missing[edition.name]))
    some = ", ".join(f"'{escape(label)}'" for label in missing[nearest.name][:5])
    raise ArgumentError(
        f"no shipped edition has all these cards: {nearest.name} has no {some}; "
        "mend the names, or say which edition it is",
        argument="edition",
    )


def _missing(labels: Sequence[str], edition: Edition) -> list[str]:
    names = card_names(edition)
    strange = (label for label in labels if len(names.readings(label)) != 1)
    return [label for label in strange if not is_heading(label, edition)]


def _spelt(labels: Sequence[str], edition: Edition) -> int:
    """How many of the labels are a card's name or title, not another name for it."""
    names = {words_of(name) for card in edition.cards for name in (card.name, card.title) if name}
    return sum(words_of(label) in names for label in labels)


def with_hand(record: Record, hand: str) -> Record:
    """
    Return the record with the viewer's own hand as a line lists it, if one was said.

    Raises:
        NotationError, ArgumentError: If the hand cannot be read, or nobody is the viewer.
    """
    if not hand:
        return record
    if record.table.viewer is None:
        raise ArgumentError("nothing says so: expected whose hand this is", argument="viewer")
    return record.append(parse_told(Hand, hand, record.table, subject=record.table.viewer))


MINE, FACE_DOWN, OPEN, SIZES = "(me)", "face-down ", "table", "hand size"
"""What a pad of this program writes beside a viewer and before a slot; a column and a row of it."""

_ENVELOPES = {"envelope", "solution", "case file", "murder", "confidential", "crime", "secret"}
_OPEN = {OPEN, "face up", "open", "public"}
_ASIDE = {"notes", "note", "comment", "comments", "remark", "remarks", "category", "type", "kind"}
_SIZES = {SIZES, "hand sizes", "hands", "hand", "cards held", "number of cards", "count", "size"}
_OWN = re.compile(r"\s*\((?:me|viewer|i)\)$", re.IGNORECASE)


Kind = Literal["pad", "suggestions", "record"]


class Imported(Struct, frozen=True, kw_only=True):
    """
    Notes from elsewhere as a record.

    Attributes:
        record: The record.
        kind: What the notes were: a detective's pad, a table of suggestions, or a record already.
        understood: What was taken for what, in words.
        aside: What was left aside or is not said by the notes, in words.
        marks: Each mark of a pad, what it was taken for, and in how many cells.
    """

    record: Record
    kind: Kind
    understood: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    marks: tuple[tuple[str, str, int], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return what was understood, as dicts and lists; the record is left out."""
        table = self.record.table
        return {
            "schema": 1,
            "kind": self.kind,
            "edition": table.edition.name,
            "players": list(table.seats),
            "viewer": table.viewer,
            "entries": len(self.record.entries),
            "understood": list(self.understood),
            "aside": list(self.aside),
            "marks": [
                {"mark": mark, "meaning": meaning, "cells": cells}
                for mark, meaning, cells in self.marks
            ],
        }


def card_column(grid: Grid, setting: Setting) -> tuple[int, int] | None:
    """Return the column that lists cards and the row of the first; `None` if it is no pad."""
    names = [card_names(edition) for edition in known_editions(setting)]
    found: dict[int, list[int]] = {}
    for row, cells in enumerate(grid.rows):
        for column, cell in enumerate(cells):
            if cell and any(each.whole(cell) for each in names):
                found.setdefault(column, []).append(row)
    if not found:
        return None
    best = max(found, key=lambda column: (len(found[column]), -column))
    rows = found[best]
    return (best, rows[0]) if len(rows) > 1 and rows[0] > 0 else None


class PadLayout:
    """
    Where things stand on one pad; places are counted from 0.

    Attributes:
        edition, how: The edition, and how it was found.
        rows: The row of each card.
        columns: The columns by their holders: players, face-down slots, envelope.
        sized: The row of hand sizes.
        open: The column of the cards that lie face-up.
        slots: The columns of face-down slots that the header calls so, by their names.
        mine: The player whose pad it is, where the header says so.
        aside: The columns that say nothing of the game, in words.

    Raises:
        RecordError: If something cannot be read; with its row and column.
        ArgumentError: If the edition is not known.
    """

    def __init__(self, grid: Grid, setting: Setting) -> None:
        self.grid, self.setting = grid, setting
        self.column, first = card_column(grid, setting) or grid.refuse(
            "expected a column of cards; found none"
        )
        several = (row for row in range(first) if sum(map(bool, grid.rows[row])) > 1)
        self.header = next(several, -1)
        if self.header < 0:
            grid.refuse("expected a row with the players' names above the first card", first)
        self.aside: list[str] = []
        self.mine: str | None = None
        self.open: int | None = None
        self.slots: dict[str, int] = {}
        self.sized: int | None = None
        self.edition, self.how = self._edition()
        self.rows = self._rows()
        self.columns = self._columns()

    def understood(self) -> Iterator[str]:
        """Yield whose each column is, and the row of hand sizes, in words."""
        titles = {column: holder for holder, column in self.columns.items()}
        if self.open is not None:
            titles[self.open] = "face-up cards"
        for column in sorted(titles):
            title = escape(self.grid.cell(self.header, column))
            yield f"{place(None, column)}, '{title}': {escape(titles[column])}"
        if self.sized is not None:
            yield f"{place(self.sized)}: hand sizes"

    def size(self, column: int) -> int | None:
        """Return how many cards a column's holder has, by the pad's row of sizes."""
        text = "" if self.sized is None else self.grid.cell(self.sized, column)
        try:
            (size,) = hands_in(text or "?")
        except (SetupError, ValueError):
            self.grid.refuse(
                f"expected a number of cards or ?; found '{escape(text)}'", self.sized, column
            )
        return size

    def _edition(self) -> tuple[Edition, str]:
        """The edition: as was said, as the corner of the pad says, or by its cards."""
        rows = range(self.header, len(self.grid.rows))
        corner, *labels = (self.grid.cell(row, self.column) for row in rows)
        if self.setting.edition is None and corner in shipped_editions():
            return load_edition(corner), f"as {place(self.header, self.column)} says"
        cards = [label for label in labels if label and _folded(label) not in _SIZES]
        return edition_of(cards, self.setting)

    def _rows(self) -> dict[str, int]:
        """The row of each card, counted from 0."""
        names, found = card_names(self.edition), dict[str, int]()
        for row in range(self.header + 1, len(self.grid.rows)):
            label = self.grid.cell(row, self.column)
            if self.grid.blank(row):
                continue
            if not label:
                self.grid.refuse("expected a card; found marks without one", row, self.column)
            if _folded(label) in _SIZES:
                self.sized = row
                continue
            if not names.whole(label) and self._is_heading(row):
                continue
            card = self.grid.find(names, label, row, self.column)
            if card in found:
                reason = f"{card} stands in {place(found[card])} already"
                self.grid.refuse(reason, row, self.column)
            self._check_width(row)
            found[card] = row
        return found

    def _is_heading(self, row: int) -> bool:
        """Whether a row is a category's heading: alone, or with the header's names once more."""
        cells, titles = self.grid.rows[row], self.grid.rows[self.header]
        others = [cell for cell in cells[self.column + 1 :] if cell]
        repeated = others == [title for title in titles[self.column + 1 :] if title]
        return is_heading(cells[self.column], self.edition) and (not others or repeated)

    def _check_width(self, row: int) -> None:
        """Refuse a row with fewer or more cells than the header has."""
        cells, titles = self.grid.rows[row], self.grid.rows[self.header]
        width = max(column for column, title in enumerate(titles) if title) + 1
        used = max((column for column, cell in enumerate(cells) if cell), default=0) + 1
        if len(cells) < width or used > max(width, len(titles)):
            found = max(used, len(cells))
            self.grid.refuse(f"expected {width} cells, as in the header; found {found}", row)

    def _columns(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for column, title in enumerate(self.grid.rows[self.header]):
            if column == self.column:
                continue
            if not title or (column < self.column and _folded(title) in _ASIDE):
                self._unnamed(column)
                continue
            holder = self._holder(_OWN.sub("", title), column)
            if holder is None:
                continue
            for other, first in found.items():
                if other.casefold() == holder.casefold():
                    reason = f"{escape(holder)} stands in {place(None, first)} already"
                    self.grid.refuse(reason, self.header, column)
            self.mine = holder if _OWN.search(title) else self.mine
            found[holder] = column
        return found

    def _holder(self, name: str, column: int) -> str | None:
        """Whose column it is; `None` for one that is no holder's."""
        words, players = _folded(name), Names("player", self.setting.players)
        if len(readings := players.readings(name)) == 1:
            return readings[0]
        if words in _ENVELOPES:
            return ENVELOPE
        if words in _OPEN:
            self.open = column
            return None
        if name.casefold().startswith(FACE_DOWN):
            slot = name[len(FACE_DOWN) :]
            self.slots[slot] = column
            return slot
        if name in {slot.name for slot in self.setting.slots}:
            return name
        if words in _ASIDE:
            title = escape(self.grid.cell(self.header, column))
            self.aside.append(f"{place(None, column)}, '{title}'")
            return None
        return self.grid.find(players, name, self.header, column) if players.names else name

    def _unnamed(self, column: int) -> None:
        """Leave a column without a name aside, or one that names the categories."""
        for row in self.rows.values():
            cell = self.grid.cell(row, column)
            if cell and not (column < self.column and is_heading(cell, self.edition)):
                expected = "expected nothing in a column without a player's name"
                self.grid.refuse(f"{expected}; found '{escape(cell)}'", row, column)


def _folded(title: str) -> str:
    return " ".join(words_of(title))
