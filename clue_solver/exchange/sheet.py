"""
A detective's pad, cards down and holders across, as entries of a record.

What each mark means stands in one table that anybody can add to. A mark that note-takers use in two
ways (a cross is "has it" to some and "has it not" to others) is not in the table: what it means is
asked for.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple, cast, get_args

from clue_solver.errors import ArgumentError, NotationError, escape
from clue_solver.exchange.grid import Grid, place
from clue_solver.exchange.layout import PadLayout, Setting
from clue_solver.notation.names import Names, joined
from clue_solver.record import Record
from clue_solver.rules.observations import Hand, Knowing
from clue_solver.rules.table import ENVELOPE, Slot, Table

Meaning = Literal["has", "lacks", "maybe"]
MEANINGS: tuple[Meaning, ...] = get_args(Meaning)

MARKS: dict[str, Meaning] = {
    **dict.fromkeys(("✓", "✔", "☑", "✅", "√", "yes", "y", "has", "holds", "true"), "has"),
    **dict.fromkeys(("✗", "✘", "❌", "·", "no", "n", "lacks", "not", "false"), "lacks"),
    **dict.fromkeys(("?", "maybe", "perhaps", "possible", "open"), "maybe"),
}
"""
What a mark means that is not said otherwise.

A number from 1 on is none of these: cells of one column with the same number are an either-or, the
holder has at least one of their cards.
"""

_PIECE = re.compile(r"\d+|[^\W\d_]+|[^\w\s,;/&]")
_POINT = re.compile(r"(\d+)[.]0+")
_VARIANT = dict.fromkeys((0xFE0E, 0xFE0F))


class Cell(NamedTuple):
    """
    What the marks of one cell say.

    Attributes:
        meanings: What they say outright.
        numbers: The either-ors that the cell belongs to.
        pieces: The single marks, as they were read.
        strange: Those that are not understood.
    """

    meanings: frozenset[Meaning]
    numbers: tuple[int, ...]
    pieces: tuple[str, ...]
    strange: tuple[str, ...]


class Marks:
    """The meaning of each mark, those said by a person before those of the table."""

    def __init__(self, said: Mapping[str, str] | None = None) -> None:
        """
        Take in what was said.

        Raises:
            ArgumentError: If a meaning is none.
        """
        names = Names("meaning", MEANINGS)
        self._known: dict[str, Meaning] = dict(MARKS)
        for mark, meaning in (said or {}).items():
            try:
                found = names.find(meaning)
            except NotationError as error:
                raise ArgumentError(
                    f"mark '{escape(mark)}': {error.reason}", argument="marks"
                ) from None
            if not mark.strip():
                raise ArgumentError(
                    f"expected a mark that means '{found}'; found nothing", argument="marks"
                )
            self._known[folded(mark)] = cast(Meaning, found)

    def read(self, text: str) -> Cell:
        """Return what the text of a cell says: a mark, or several with or without marks between."""
        whole = _POINT.sub(r"\1", folded(text))
        pieces = (whole,) if whole in self._known else tuple(_PIECE.findall(whole))
        if whole and not pieces:
            pieces = (whole,)
        numbers = [piece for piece in pieces if piece not in self._known and _number(piece)]
        return Cell(
            meanings=frozenset(self._known[piece] for piece in pieces if piece in self._known),
            numbers=tuple(dict.fromkeys(map(int, numbers))),
            pieces=pieces,
            strange=tuple(p for p in pieces if p not in self._known and p not in numbers),
        )

    def meaning(self, piece: str) -> str:
        """Return what a single mark that is understood is taken for."""
        return self._known.get(piece, "either-or")


def folded(text: str) -> str:
    """Return a mark as it is compared: no case, no spaces around, no variants of a sign."""
    return " ".join(text.translate(_VARIANT).casefold().split())


def said_marks(pairs: Iterable[str]) -> dict[str, str]:
    """
    Return the meanings that a command line gives, `X=lacks`.

    Raises:
        ArgumentError: If one is no such pair.
    """
    found: dict[str, str] = {}
    for pair in pairs:
        mark, equals, meaning = pair.rpartition("=")
        if not equals or not mark.strip():
            raise ArgumentError(
                f"expected a mark and its meaning, 'X=lacks'; found '{escape(pair)}'",
                argument="marks",
            )
        found[mark] = meaning
    return found


def _number(piece: str) -> bool:
    return piece.isascii() and piece.isdigit() and len(piece) <= 3 and int(piece) > 0


_MOST_STRANGE = 8


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


def read_sheet(grid: Grid, setting: Setting, marks: Marks) -> Sheet:
    """
    Return the record that a pad tells: the viewer's hand, and what the viewer knows of the rest.

    Raises:
        RecordError: If something on the pad cannot be read; with its row and column.
        ArgumentError: If what is needed besides is not known: the edition, or whose pad it is.
    """
    return _PadReader(grid, setting, marks).sheet()


class _PadReader:
    """Reads one pad from its header to its last row."""

    def __init__(self, grid: Grid, setting: Setting, marks: Marks) -> None:
        self.grid, self.setting, self.marks = grid, setting, marks
        self.layout = PadLayout(grid, setting)
        self.aside = self.layout.aside

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

    def _table(self) -> Table:
        slots = tuple(
            Slot(name=name, count=self.layout.size(column) or 1)
            for name, column in self.layout.slots.items()
        )
        said = {slot.name for slot in self.setting.slots}
        apart = {ENVELOPE, *self.layout.slots, *said}
        seats = [column for column in self.layout.columns if column.holder not in apart]
        players = self.setting.players or tuple(column.holder for column in seats)
        sizes = {column.holder: self.layout.size(column.place) for column in seats}
        hands = tuple(sizes.get(seat) for seat in players)
        face_up = [] if self.layout.open is None else self._face_up(self.layout.open)
        table = self.setting.table(
            self.layout.edition,
            players,
            viewer=self.layout.mine,
            hands=() if set(hands) == {None} else hands,
            face_up=tuple(face_up),
            slots=slots,
        )
        if table.viewer is None:
            raise ArgumentError(
                f"expected whose pad this is: {joined(players)}; nothing says so",
                argument="viewer",
            )
        return table

    def _face_up(self, column: int) -> Iterator[str]:
        for card, row in self.layout.rows.items():
            cell = self.marks.read(self.grid.cell(row, column))
            if cell.strange or cell.numbers or len(cell.meanings) > 1 or "maybe" in cell.meanings:
                self.grid.refuse("expected a mark that means has or lacks", row, column)
            if "has" in cell.meanings:
                yield card

    def _cells(self) -> dict[tuple[str, str], Cell]:
        """What each cell with something in it says, by holder and card."""
        found: dict[tuple[str, str], Cell] = {}
        strange: dict[str, list[str]] = {}
        for column in self.layout.columns:
            for card, row in self.layout.rows.items():
                text = self.grid.cell(row, column.place)
                if not text:
                    continue
                cell = self.marks.read(text)
                for mark in cell.strange:
                    strange.setdefault(mark, []).append(place(row, column.place))
                if len(cell.meanings) > 1:
                    both = joined(sorted(cell.meanings), "and")
                    reason = f"expected one meaning; found '{escape(text)}', which says {both}"
                    self.grid.refuse(reason, row, column.place)
                found[column.holder, card] = cell
        if strange:
            self._refuse_marks(strange)
        return found

    def _refuse_marks(self, strange: Mapping[str, list[str]]) -> None:
        told = [
            f"'{escape(mark)}' ({len(places)} cell{'s' * (len(places) > 1)}, first in {places[0]})"
            for mark, places in list(strange.items())[:_MOST_STRANGE]
        ]
        first = escape(next(iter(strange)))
        either = "; 1 is an either-or unless '1=has' says otherwise" if "0" in strange else ""
        self.grid.refuse(
            f"marks that can mean this or that: {', '.join(told)}; say what each means: "
            f"'{first}=has', '{first}=lacks' or '{first}=maybe'{either}",
            argument="marks",
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
        columns = {column.holder: column.place for column in self.layout.columns}
        kinds: dict[str, str] = {}
        for (holder, card), cell in cells.items():
            if "has" not in cell.meanings:
                continue
            row, column = self.layout.rows[card], columns[holder]
            if card in found:
                first = f"{escape(found[card])} ({place(None, columns[found[card]])})"
                self.grid.refuse(
                    f"{card} has two holders: {first} and {escape(holder)}", row, column
                )
            if card in table.face_up:
                self.grid.refuse(f"{card} lies face-up: nobody holds it", row, column)
            found[card] = holder
            kind = self.layout.edition.category_of[card]
            if holder == ENVELOPE and kinds.setdefault(kind, card) != card:
                self.grid.refuse(
                    f"expected one {kind} in the envelope; found {kinds[kind]} "
                    f"({place(self.layout.rows[kinds[kind]])}) and {card}",
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
                f"{viewer}'s column does not say whether {len(own)} cards are the whole "
                "hand: give its size, or mark the other cards"
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
            column = next(each.place for each in self.layout.columns if each.holder == holder)
            self.grid.refuse(f"{escape(holder)}: {error.reason}", None, column)

    def _understood(self, table: Table) -> Iterator[str]:
        yield f"a pad of {len(self.layout.rows)} cards ({self.grid.told})"
        yield f"edition {self.layout.edition.name}, {self.layout.how}"
        how = "as given" if self.setting.players else "clockwise as their columns stand"
        yield f"players {', '.join(table.seats)}, {how}"
        yield f"the notes of {table.viewer or ''}"
        yield from self.layout.understood()
        missing = [card for card in table.cards if card not in self.layout.rows]
        if missing:
            self.aside.append(f"no row for {joined(missing, 'and')}")


def _meanings(cells: Mapping[tuple[str, str], Cell], holder: str, card: str) -> frozenset[str]:
    cell = cells.get((holder, card))
    return cell.meanings if cell else frozenset()
