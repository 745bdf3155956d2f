"""A detective's pad, cards down and holders across, as entries of a record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from clue_solver.edition import Edition, load_edition, shipped_editions
from clue_solver.errors import NotationError, SetupError, shown
from clue_solver.names import Names, joined, words_of
from clue_solver.notation.lexicon import card_names
from clue_solver.observation import Hand, Knowing
from clue_solver.pads.grid import Grid, place
from clue_solver.pads.marks import Cell, Marks
from clue_solver.pads.setting import Setting, edition_of, is_heading, known_editions
from clue_solver.record import Record
from clue_solver.record.header import hands_in
from clue_solver.table import ENVELOPE, Slot, Table

MINE, FACE_DOWN, OPEN, SIZES = "(me)", "face-down ", "table", "hand size"
"""What a pad of this program writes beside a viewer and before a slot; a column and a row of it."""

_ENVELOPES = {"envelope", "solution", "case file", "murder", "confidential", "crime", "secret"}
_OPEN = {OPEN, "face up", "open", "public"}
_ASIDE = {"notes", "note", "comment", "comments", "remark", "remarks", "category", "type", "kind"}
_SIZES = {SIZES, "hand sizes", "hands", "hand", "cards held", "number of cards", "count", "size"}
_OWN = re.compile(r"\s*\((?:me|viewer|i)\)$", re.IGNORECASE)
_MOST_STRANGE = 8


class Column(NamedTuple):
    """A column of a pad: its place, counted from 0, and whose it is."""

    place: int
    holder: str


class Sheet(NamedTuple):
    """
    A pad as a record.

    Attributes:
        record: The record.
        understood, aside: What was taken for what, and what was left aside; in words.
        marks: Each mark, what it was taken for, and in how many cells.
    """

    record: Record
    understood: tuple[str, ...]
    aside: tuple[str, ...]
    marks: tuple[tuple[str, str, int], ...]


def card_column(grid: Grid, setting: Setting) -> tuple[int, int] | None:
    """Return the column that lists cards and the row of the first; `None` if it is no pad."""
    names = [card_names(edition) for edition in known_editions(setting)]
    found: dict[int, list[int]] = {}
    for row in range(len(grid.rows)):
        for column, cell in enumerate(grid.rows[row]):
            if cell and any(each.whole(cell) for each in names):
                found.setdefault(column, []).append(row)
    if not found:
        return None
    best = max(found, key=lambda column: (len(found[column]), -column))
    rows = found[best]
    return (best, rows[0]) if len(rows) > 1 and rows[0] > 0 else None


def read_sheet(grid: Grid, setting: Setting, marks: Marks) -> Sheet:
    """
    Return the record that a pad tells: the viewer's hand, and what the viewer knows of the rest.

    Raises:
        RecordError: If something on the pad cannot be read; with its row and column.
        SetupError: If what is needed besides is not known: the edition, or whose pad it is.
    """
    return _Reader(grid, setting, marks).sheet()


class _Reader:
    """Reads one pad from its header to its last row."""

    def __init__(self, grid: Grid, setting: Setting, marks: Marks) -> None:
        found = card_column(grid, setting)
        if found is None:
            grid.refuse("expected a column of cards; found none")
        self.grid, self.setting, self.marks = grid, setting, marks
        self.column, first = found
        several = (row for row in range(first) if sum(map(bool, grid.rows[row])) > 1)
        self.header = next(several, -1)
        if self.header < 0:
            grid.refuse("expected a row with the players' names above the first card", first)
        self.aside: list[str] = []
        self.mine: str | None = None
        self.sizes: dict[int, str] = {}
        self.edition, self.how = self._edition()
        self.rows = self._rows()
        self.open: int | None = None
        self.slots: dict[str, int] = {}
        self.columns = self._columns()

    def sheet(self) -> Sheet:
        table = self._table()
        cells = self._cells()
        record = self._record(table, cells)
        seen = [piece for cell in cells.values() for piece in dict.fromkeys(cell.pieces)]
        counted = tuple(
            (piece, self.marks.meaning(piece), cells_with)
            for piece, cells_with in Counter(seen).items()
        )
        return Sheet(record, tuple(self._understood(table)), tuple(self.aside), counted)

    def _edition(self) -> tuple[Edition, str]:
        """The edition: as was said, as the corner of the pad says, or by its cards."""
        corner = self.grid.cell(self.header, self.column)
        if self.setting.edition is None and corner in shipped_editions():
            return load_edition(corner), f"as {place(self.header, self.column)} says"
        return edition_of(list(self._labels()), self.setting)

    def _labels(self) -> Iterator[str]:
        for row in range(self.header + 1, len(self.grid.rows)):
            label = self.grid.cell(row, self.column)
            if label and not _is_sizes(label):
                yield label

    def _rows(self) -> dict[str, int]:
        """The row of each card, counted from 0."""
        names, found = card_names(self.edition), dict[str, int]()
        for row in range(self.header + 1, len(self.grid.rows)):
            label = self.grid.cell(row, self.column)
            if self.grid.blank(row):
                continue
            if not label:
                self.grid.refuse("expected a card; found marks without one", row, self.column)
            if _is_sizes(label):
                self.sizes = {
                    column: cell for column, cell in enumerate(self.grid.rows[row]) if cell
                }
                continue
            if not names.whole(label) and self._is_heading(row):
                continue
            card = names.readings(label)
            if len(card) != 1:
                self.grid.refuse(names.unknown(label).reason, row, self.column)
            if card[0] in found:
                first = place(found[card[0]])
                self.grid.refuse(f"{card[0]} stands in {first} already", row, self.column)
            self._check_width(row)
            found[card[0]] = row
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

    def _columns(self) -> tuple[Column, ...]:
        found: list[Column] = []
        for column, title in enumerate(self.grid.rows[self.header]):
            if column == self.column:
                continue
            left = column < self.column and _folded(title) in _ASIDE
            if not title or left:
                self._unnamed(column)
                continue
            holder = self._holder(_OWN.sub("", title), column)
            if holder is None:
                continue
            for other in found:
                if other.holder.casefold() == holder.casefold():
                    first = place(None, other.place)
                    reason = f"{shown(holder)} stands in {first} already"
                    self.grid.refuse(reason, self.header, column)
            self.mine = holder if _OWN.search(title) else self.mine
            found.append(Column(column, holder))
        return tuple(found)

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
            title = shown(self.grid.cell(self.header, column))
            self.aside.append(f"{place(None, column)}, '{title}'")
            return None
        if players.names:
            self.grid.refuse(players.unknown(name).reason, self.header, column)
        return name

    def _unnamed(self, column: int) -> None:
        """Leave a column without a name aside, or one that names the categories."""
        for row in self.rows.values():
            cell = self.grid.cell(row, column)
            if cell and not (column < self.column and is_heading(cell, self.edition)):
                self.grid.refuse(
                    f"expected nothing in a column without a player's name; found '{shown(cell)}'",
                    row, column,
                )  # fmt: skip

    def _table(self) -> Table:
        slots = tuple(
            Slot(name=name, count=self._size(column) or 1) for name, column in self.slots.items()
        )
        apart = {ENVELOPE, *self.slots, *(slot.name for slot in self.setting.slots)}
        seats = [column for column in self.columns if column.holder not in apart]
        players = self.setting.players or tuple(column.holder for column in seats)
        sizes = {column.holder: self._size(column.place) for column in seats}
        hands = tuple(sizes.get(seat) for seat in players)
        face_up = [] if self.open is None else self._face_up(self.open)
        table = self.setting.table(
            self.edition,
            players,
            viewer=self.mine,
            hands=() if set(hands) == {None} else hands,
            face_up=tuple(face_up),
            slots=slots,
        )
        if table.viewer is None:
            raise SetupError(
                f"expected whose pad this is (--viewer): {joined(players)}; nothing says so"
            )
        return table

    def _size(self, column: int) -> int | None:
        text = self.sizes.get(column, "?")
        try:
            (size,) = hands_in(text)
        except (SetupError, ValueError):
            self.grid.refuse(
                f"expected a number of cards or ?; found '{shown(text)}'", None, column
            )
        return size

    def _face_up(self, column: int) -> Iterator[str]:
        for card, row in self.rows.items():
            cell = self.marks.read(self.grid.cell(row, column))
            if cell.strange or cell.numbers or len(cell.meanings) > 1 or "maybe" in cell.meanings:
                self.grid.refuse("expected a mark that means has or lacks", row, column)
            if "has" in cell.meanings:
                yield card

    def _cells(self) -> dict[tuple[str, str], Cell]:
        """What each cell with something in it says, by holder and card."""
        found: dict[tuple[str, str], Cell] = {}
        strange: dict[str, list[str]] = {}
        for column in self.columns:
            for card, row in self.rows.items():
                text = self.grid.cell(row, column.place)
                if not text:
                    continue
                cell = self.marks.read(text)
                for mark in cell.strange:
                    strange.setdefault(mark, []).append(place(row, column.place))
                if len(cell.meanings) > 1:
                    both = joined(sorted(cell.meanings), "and")
                    reason = f"expected one meaning; found '{shown(text)}', which says {both}"
                    self.grid.refuse(reason, row, column.place)
                found[column.holder, card] = cell
        if strange:
            self._refuse_marks(strange)
        return found

    def _refuse_marks(self, strange: Mapping[str, list[str]]) -> None:
        told = [
            f"'{shown(mark)}' ({len(places)} cell{'s' * (len(places) > 1)}, first in {places[0]})"
            for mark, places in list(strange.items())[:_MOST_STRANGE]
        ]
        first = shown(next(iter(strange)))
        self.grid.refuse(
            f"marks that can mean this or that: {', '.join(told)}; say what each means: "
            f"--mark '{first}=has', '{first}=lacks' or '{first}=maybe'"
        )

    def _record(self, table: Table, cells: Mapping[tuple[str, str], Cell]) -> Record:
        record = Record(table=table)
        has = self._held(cells, table)
        viewer = table.viewer or ""
        own = self._own_hand(table, cells, has)
        if own:
            record = self._append(record, Hand(seat=viewer, cards=own))
        for holder in table.holders:
            if holder == viewer and own:
                continue
            for card in table.cards:
                if has.get(card) == holder:
                    record = self._append(record, Knowing(by=viewer, holder=holder, has=(card,)))
            lacks = tuple(
                card
                for card in table.cards
                if card not in has and "lacks" in _meanings(cells, holder, card)
            )
            if lacks:
                record = self._append(record, Knowing(by=viewer, holder=holder, lacks=lacks))
            for either in self._either_ors(holder, cells, table):
                if not any(has.get(card) == holder for card in either):
                    record = self._append(record, Knowing(by=viewer, holder=holder, has=either))
        return record

    def _held(self, cells: Mapping[tuple[str, str], Cell], table: Table) -> dict[str, str]:
        """The holder of each card that a mark gives to somebody."""
        found: dict[str, str] = {}
        columns = {column.holder: column.place for column in self.columns}
        kinds: dict[str, str] = {}
        for (holder, card), cell in cells.items():
            if "has" not in cell.meanings:
                continue
            row, column = self.rows[card], columns[holder]
            if card in found:
                first = f"{shown(found[card])} ({place(None, columns[found[card]])})"
                self.grid.refuse(
                    f"{card} has two holders: {first} and {shown(holder)}", row, column
                )
            if card in table.face_up:
                self.grid.refuse(f"{card} lies face-up: nobody holds it", row, column)
            found[card] = holder
            kind = self.edition.category_of[card]
            if holder == ENVELOPE and kinds.setdefault(kind, card) != card:
                self.grid.refuse(
                    f"expected one {kind} in the envelope; found {kinds[kind]} "
                    f"({place(self.rows[kinds[kind]])}) and {card}",
                    row, column,
                )  # fmt: skip
        return found

    def _own_hand(
        self, table: Table, cells: Mapping[tuple[str, str], Cell], has: Mapping[str, str]
    ) -> tuple[str, ...]:
        """The viewer's whole hand, where the pad tells all of it."""
        viewer = table.viewer or ""
        own = tuple(card for card in table.cards if has.get(card) == viewer)
        marked = all(
            has.get(card) is not None or "lacks" in _meanings(cells, viewer, card)
            for card in table.cards
        )
        least, most = table.size_bounds()[table.seats.index(viewer)]
        if own and (marked or len(own) >= most):
            return own
        if least <= len(own) < most:
            self.aside.append(
                f"{shown(viewer)}'s column does not say whether {len(own)} cards are the whole "
                "hand (--hands, or mark the other cards)"
            )
        return ()

    def _either_ors(
        self, holder: str, cells: Mapping[tuple[str, str], Cell], table: Table
    ) -> Iterator[tuple[str, ...]]:
        groups: dict[int, list[str]] = {}
        for card in table.cards:
            cell = cells.get((holder, card))
            for number in cell.numbers if cell else ():
                groups.setdefault(number, []).append(card)
        for number in sorted(groups):
            yield tuple(groups[number])

    def _append(self, record: Record, observation: Hand | Knowing) -> Record:
        holder = observation.seat if isinstance(observation, Hand) else observation.holder
        try:
            return record.append(observation)
        except NotationError as error:
            column = next(each.place for each in self.columns if each.holder == holder)
            self.grid.refuse(f"{shown(holder)}: {error.reason}", None, column)

    def _understood(self, table: Table) -> Iterator[str]:
        yield f"a pad of {len(self.rows)} cards ({self.grid.told})"
        yield f"edition {self.edition.name}, {self.how}"
        how = "as given" if self.setting.players else "clockwise as their columns stand"
        yield f"players {', '.join(map(shown, table.seats))}, {how}"
        yield f"the notes of {shown(table.viewer or '')}"
        missing = [card for card in table.cards if card not in self.rows]
        if missing:
            self.aside.append(f"no row for {joined(missing, 'and')}")


def _folded(title: str) -> str:
    return " ".join(words_of(title))


def _is_sizes(label: str) -> bool:
    return _folded(label) in _SIZES


def _meanings(cells: Mapping[tuple[str, str], Cell], holder: str, card: str) -> frozenset[str]:
    cell = cells.get((holder, card))
    return cell.meanings if cell else frozenset()
