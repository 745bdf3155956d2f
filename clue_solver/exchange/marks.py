"""
A detective's pad, cards down and holders across, as entries of a record.

What each mark means stands in one table that anybody can add to. A mark that note-takers use in two
ways (a cross is "has it" to some and "has it not" to others) is not in the table: what it means is
asked for.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, cast, get_args

from clue_solver.errors import ArgumentError, NotationError, RecordError, counted, printable
from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import (
    Imported,
    ImportOptions,
    MarkRead,
    Unclear,
    Unsaid,
    table_lines,
)
from clue_solver.exchange.layout import PadLayout
from clue_solver.notation.names import Names, joined
from clue_solver.record import Record
from clue_solver.rules.edition import shipped_editions
from clue_solver.rules.observations import Hand, Knowing
from clue_solver.rules.table import ENVELOPE, Slot, Table

Meaning = Literal["has", "lacks", "maybe", "either-or"]

MARKS: dict[str, Meaning] = {
    **dict.fromkeys(("✓", "✔", "☑", "✅", "√", "yes", "y", "has", "holds", "true"), "has"),
    **dict.fromkeys(("ja", "oui", "si", "sí", "sì", "sim", "100%"), "has"),
    **dict.fromkeys(("✗", "✘", "❌", "·", "no", "n", "lacks", "not"), "lacks"),
    **dict.fromkeys(("nein", "non", "nee", "não", "nao", "0%"), "lacks"),
    **dict.fromkeys(("?", "maybe", "perhaps", "possible", "open", "❓", "❔"), "maybe"),
}
"""
What a mark means that is not said otherwise.

A number from 1 on is none of these: cells of one column with the same number are an either-or, the
holder has at least one of their cards. A chance between 0 % and 100 % may be. `FALSE` is what
spreadsheets write for a box that nobody ticked, which tells nothing or that the card is not there.
"""

_PIECE = re.compile(r"\d+|[^\W\d_]+|[^\w\s,;/&]")
_NUMBER = re.compile(r"(?!0+$)[0-9]{1,3}")
_DIGIT = re.compile(r"\d")
_NUMBERS = re.compile(r"[1-9]\d*(?: [1-9]\d*)*")
_EXPORTED = ("✓", "·", "?")
_POINT = re.compile(r"(\d+)[.]0+")
_CHANCE = re.compile(r"<? ?\d{1,3}(?:[.,]\d+)? ?%|0?[.,]\d*[1-9]\d*")
_DATE = re.compile(r"\d{4}-(\d\d)-(\d\d)(?: 00:00:00)?")
_NUMBERED = re.compile(rf"{_NUMBER.pattern}|{_DATE.pattern}")
_REMARK = re.compile(r"(.*\S)\s*(?:[(\[].*[)\]]|\b(?:turn|round|t|r|#)\s*\d+)")
_VARIANT = dict.fromkeys((0xFE0E, 0xFE0F))


class Cell(NamedTuple):
    """
    What one cell says: outright, its either-ors, its single marks, those not understood, and the
    remark behind them.
    """

    meanings: frozenset[Meaning] = frozenset()
    numbers: tuple[int, ...] = ()
    pieces: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    remark: str = ""


class Marks:
    """The meaning of each mark, those said by a person before those of the table."""

    def __init__(self, said: Mapping[str, str]) -> None:
        names = Names("meaning", get_args(Meaning))
        self._known: dict[str, Meaning] = dict(MARKS)
        self.said = frozenset(map(folded, said))
        for mark, meaning in said.items():
            try:
                meant = names.find(meaning)
            except NotationError as error:
                raise ArgumentError(
                    f"mark '{printable(mark)}': {error.reason}", argument="marks"
                ) from None
            if not mark.strip():
                raise ArgumentError(
                    f"expected a mark that means '{meant}'; found nothing", argument="marks"
                )
            if meant == "either-or" and not _NUMBERED.fullmatch(folded(mark)):
                raise ArgumentError(
                    f"expected a number that means 'either-or'; found '{printable(mark)}'",
                    argument="marks",
                )
            self._known[folded(mark)] = cast(Meaning, meant)

    def besides(self, legend: Mapping[str, str]) -> "Marks":
        """Return the same with the meanings that a legend gives marks that nobody said."""
        made = Marks({})
        made.said = self.said
        meanings = {folded(mark): cast(Meaning, meaning) for mark, meaning in legend.items()}
        others = {mark: meaning for mark, meaning in meanings.items() if mark not in self.said}
        made._known = self._known | others
        return made

    @property
    def coded(self) -> bool:
        """Whether a number is a sign with a meaning, so that others are signs as well."""
        numbers = (meant for mark, meant in self._known.items() if mark.isdecimal())
        return not {"has", "lacks"}.isdisjoint(numbers)

    def read(self, text: str) -> Cell:
        """Return what the text of a cell says: a mark, or several with or without marks between."""
        whole = _POINT.sub(r"\1", folded(text))
        dated = _DATE.fullmatch(whole)
        if dated and self._known.get(whole) == "either-or":
            return Cell(numbers=tuple(map(int, dated.groups())), pieces=(whole,))
        if _CHANCE.fullmatch(whole):
            whole = re.sub(r"[.,]0+(?= ?%)| ", "", whole)
            meaning = self._known.get(whole, "maybe")
            return Cell(meanings=frozenset([meaning]), pieces=(whole,))
        remarked = None if whole in self._known else _REMARK.fullmatch(whole)
        if remarked:
            return self.read(remarked[1])._replace(remark=whole[remarked.end(1) :].strip())
        pieces = (whole,) if whole in self._known else tuple(_PIECE.findall(whole))
        if whole and not pieces:
            pieces = (whole,)
        numbers = [
            piece
            for piece in pieces
            if _NUMBER.fullmatch(piece) and self._known.get(piece, "either-or") == "either-or"
        ]
        known = {self._known[piece] for piece in pieces if piece in self._known}
        meanings = frozenset(known - {"either-or"})
        strange = tuple(p for p in pieces if p not in self._known and p not in numbers)
        several = len(pieces) > 1
        if (
            (strange and several)
            or (len(meanings) > 1 and "maybe" in meanings)
            or (self.coded and several and any(map(str.isdecimal, pieces)))
        ):
            return Cell(pieces=(whole,), strange=(whole,))  # a date, say, or `Y?`: one mark
        return Cell(
            meanings=meanings,
            numbers=tuple(dict.fromkeys(map(int, numbers))),
            pieces=pieces,
            strange=strange,
        )

    def meaning(self, piece: str) -> str:
        """Return what a single mark that is understood is taken for."""
        return self._known.get(piece, "maybe" if piece.endswith("%") else "either-or")


def folded(text: str) -> str:
    """Return a mark as it is compared: no case, no spaces around, no variants of a sign."""
    return " ".join(text.translate(_VARIANT).casefold().split())


def parse_marks(pairs: Iterable[str]) -> dict[str, str]:
    """Return the meanings that a command line gives, `X=lacks`; `ArgumentError` if one is none."""
    meanings: dict[str, str] = {}
    for pair in pairs:
        mark, equals, meaning = pair.rpartition("=")
        if not equals or not mark.strip():
            raise ArgumentError(
                f"expected a mark and its meaning, 'X=lacks'; found '{printable(pair)}'",
                argument="marks",
            )
        meanings[mark] = meaning
    return meanings


_MOST_STRANGE = 8


def read_pad(grid: Grid, options: ImportOptions) -> Imported:
    """
    Return the record that a pad tells: the viewer's hand, and what the viewer knows of the rest.

    Raises:
        RecordError: If something on the pad cannot be read; with its row and column.
        ArgumentError: If what is needed besides is not known: the edition, or whose pad it is.
    """
    return _PadReader(grid, options).read()


class _PadReader:
    """Reads one pad from its header to its last row."""

    def __init__(self, grid: Grid, options: ImportOptions) -> None:
        self.grid = grid
        self.options = options
        self.layout = PadLayout(grid, options)
        self.marks = Marks(options.marks).besides(self.layout.legend)
        self.aside = self.layout.aside
        self.faults = self.layout.finding.faults
        self.questions = self.layout.questions
        self.table = self._table()
        self.viewer = self.table.viewer or ""
        self.coloured = self._coloured()
        self.exported = self._written_by_export()
        self.cells = self._cells()
        self.has = self._held()

    def read(self) -> Imported:
        questions = [*self.questions, *self.layout.finding.questions()]
        if self.faults or questions:
            raise Unclear(self.faults, questions, path=self.grid.name)
        if not self.cells:
            self.grid.refuse(
                "expected marks in the cells; found none: if colours are the marks, import the "
                "workbook itself (.xlsx, .ods)"
            )
        record = Record(table=self.table)
        own = self._own_hand()
        if own:
            record = self._append(record, Hand(seat=self.viewer, cards=own))
        for holder in self.table.holders:
            for knowing in self._knowing(holder) if holder != self.viewer or not own else ():
                record = self._append(record, knowing)
        seen = (piece for cell in self.cells.values() for piece in dict.fromkeys(cell.pieces))
        cells_of = Counter(seen)
        self._left_aside()
        return Imported(
            record=record,
            kind="pad",
            understood=tuple(self._understood()),
            aside=tuple(self.aside),
            marks=tuple(
                MarkRead(piece, self.marks.meaning(piece), cells)
                for piece, cells in cells_of.items()
            ),
        )

    def _left_aside(self) -> None:
        """Say what the pad does not tell, or tells where a record has no place for it."""
        missing = [card for card in self.table.cards if card not in self.layout.rows]
        if missing:
            self.aside.append(f"no row for {joined(missing, 'and')}")
        remarks = [cell.remark for cell in self.cells.values() if cell.remark]
        if remarks:
            some = ", ".join(f"'{printable(remark)}'" for remark in dict.fromkeys(remarks[:3]))
            cells = counted(len(remarks), "cell")
            self.aside.append(f"remarks behind the marks of {cells}: {some}")
        if not self.coloured and (colours := Counter(self._colours().values())):
            listed = ", ".join(f"{colour} in {count}" for colour, count in colours.items())
            said = f"give one a meaning to read them as marks, '{next(iter(colours))}=lacks'"
            self.aside.append(f"fill colours of cells: {listed}; {said}")

    def _colours(self) -> dict[tuple[str, str], str]:
        """The fill colour of each cell that has one, by holder and card."""
        return {
            (holder, card): colour
            for holder, column in self.layout.columns.items()
            for card, row in self.layout.rows.items()
            if (colour := self.grid.colour(row, column))
        }

    def _coloured(self) -> bool:
        """Whether colours are marks: one has a meaning, or a column has several and no text."""
        colours = self._colours()
        rows = self.layout.rows.values()
        bare = {
            holder: {colour for (owner, _), colour in colours.items() if owner == holder}
            for holder, column in self.layout.columns.items()
            if not any(self.grid.cell(row, column) for row in rows)
        }
        several = any(len(each) > 1 for each in bare.values())
        alone = len(bare) == len(self.layout.columns)
        said = bool({*colours.values()} & self.marks.said)
        return bool(colours) and (said or several or alone)

    def _table(self) -> Table:
        slots = tuple(
            Slot(name=name, count=self.layout.size(column) or 1)
            for name, column in self.layout.slots.items()
        )
        apart = {ENVELOPE, *self.layout.slots, *(slot.name for slot in self.options.slots)}
        columns = self.layout.columns.items()
        sizes = {seat: self.layout.size(column) for seat, column in columns if seat not in apart}
        players = self.options.players or tuple(sizes)
        hands = tuple(map(sizes.get, players))
        face_up = () if self.layout.open is None else tuple(self._face_up(self.layout.open))
        dealt = len(self.layout.edition.cards) - len(self.layout.edition.category) - len(face_up)
        told = sum(filter(None, hands)) + sum(slot.count for slot in slots)
        if not self.layout.sure and (None in hands or told != dealt):
            row = self.grid.where(self.layout.sized)
            self.aside.append(f"{row}: {told} cards together are no hand sizes, {dealt} are dealt")
            hands = ()
        notes = ImportOptions(
            viewer=self.layout.mine,
            hands=() if set(hands) == {None} else hands,
            face_up=face_up,
            slots=slots,
        )
        if self.faults:
            questions = [*self.questions, *self.layout.finding.questions()]
            raise Unclear(self.faults, questions, path=self.grid.name)
        table = self.options.table(self.layout.edition, players, notes)
        if table.viewer is None:
            asked = f"say whose pad this is, {joined(players)}: it does not tell"
            self.questions.append(Unsaid("viewer", asked, players))
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
        cells: dict[tuple[str, str], Cell] = {}
        strange: dict[str, list[str]] = {}
        for holder, column in self.layout.columns.items():
            for card, row in self.layout.rows.items():
                text = self.grid.cell(row, column)
                if self.coloured:
                    text = text or self.grid.colour(row, column)
                if not text:
                    continue
                cell = self.marks.read(text)
                for mark in cell.strange:
                    strange.setdefault(mark, []).append(self.grid.where(row, column))
                if len(cell.meanings) > 1:
                    both = joined(sorted(cell.meanings), "and")
                    reason = f"expected one meaning; found '{printable(text)}', which says {both}"
                    self._fault(reason, row, column)
                cells[holder, card] = cell
        coded = "0" in strange or self.marks.coded
        for holder, column in self.layout.columns.items() if not self.exported else ():
            why = ", the viewer's own" if holder == self.viewer else ""
            for number, either in _groups(holder, cells).items():
                third = self._third(holder, either, cells)
                if str(number) not in self.marks.said and (coded or why or third):
                    places = (self.grid.where(self.layout.rows[card], column) for card in either)
                    at = [f"{where}{why or third}" for where in places]
                    strange.setdefault(str(number), []).extend(at)
        if strange:
            self.questions.append(strange_marks(self.grid, strange))
        return self._without_left(cells)

    def _without_left(self, cells: dict[tuple[str, str], Cell]) -> dict[tuple[str, str], Cell]:
        """Return the cells without those of rows that are left aside; of two ticks those alone."""
        for card, row in self.layout.rows.items():
            label = self.grid.cell(row, self.layout.column)
            if not self.options.left(label):
                continue
            own = [key for key in cells if key[1] == card]
            ticked = [key for key in own if "has" in cells[key].meanings]
            gone = ticked if len(ticked) > 1 else own
            if (second := self.layout.twice.get(card)) is not None:
                at = {key: self.layout.columns[key[0]] for key in own}
                gone = [
                    key
                    for key in own
                    if self.grid.cell(row, at[key]) != self.grid.cell(second, at[key])
                ]
            cells = {key: cell for key, cell in cells.items() if key not in gone}
            holders = joined((holder for holder, _ in gone), "and")
            where = self.grid.where(row)
            self.aside.append(f"{where}, '{printable(label)}': the marks of {holders or 'nobody'}")
        return cells

    def _written_by_export(self) -> bool:
        """Whether a pad of this program is read: it has either-ors of a hand that nobody told."""
        corner = self.grid.cell(self.layout.header, self.layout.column)
        if corner not in ("card", *shipped_editions()) or self.viewer not in self.layout.columns:
            return False
        column = self.layout.columns[self.viewer]
        texts = [self.grid.cell(row, column) for row in self.layout.rows.values()]
        return all(text in _EXPORTED or _NUMBERS.fullmatch(text) for text in texts)

    def _fault(self, reason: str, row: int | None, column: int) -> None:
        try:
            self.grid.refuse(reason, row, column)
        except RecordError as error:
            self.faults.append(str(error))

    def _knowing(self, holder: str) -> Iterator[Knowing]:
        """Yield what the column of a holder says: cards it has, cards it lacks, either-ors."""
        by = self.viewer
        cards = self.table.cards
        for card in cards:
            if self.has.get(card) == holder:
                yield Knowing(by=by, holder=holder, has=(card,))
        lacks = tuple(card for card in cards if card not in self.has and self._lacks(holder, card))
        if lacks:
            yield Knowing(by=by, holder=holder, lacks=lacks)
        for number, either in sorted(_groups(holder, self.cells).items()):
            if len(either) == 1 and self.has.get(either[0]) != holder:
                self.aside.append(
                    f"'{number}' stands at {either[0]} alone in the column of {printable(holder)}: "
                    f"not read, as an either-or has several cards; '{number}=has' would say "
                    "that it is there"
                )
            elif not any(self.has.get(card) == holder for card in either):
                yield Knowing(by=by, holder=holder, has=tuple(either))

    def _third(
        self, holder: str, either: Sequence[str], cells: Mapping[tuple[str, str], Cell]
    ) -> str:
        """Return whether another mark of a column may stand over a number, in words."""
        kind_of = self.layout.edition.category_of
        over = {
            card: cell
            for (owner, card), cell in cells.items()
            if owner == holder and kind_of[card] not in map(kind_of.__getitem__, either)
        }
        if len(either) < 2 or any("has" in cells[holder, card].meanings for card in either):
            return ""
        ticked = any("has" in cell.meanings for cell in over.values())
        dated = (piece for cell in over.values() if not cell.numbers for piece in cell.pieces)
        return ", a third may be under another mark" * (ticked or any(map(_DIGIT.search, dated)))

    def _lacks(self, holder: str, card: str) -> bool:
        """Whether a cell says that the holder has not the card."""
        return "lacks" in self.cells.get((holder, card), Cell()).meanings

    def _held(self) -> dict[str, str]:
        """The holder of each card that a mark gives to somebody."""
        holders: dict[str, str] = {}
        columns, rows = self.layout.columns, self.layout.rows
        kinds: dict[str, str] = {}
        for (holder, card), cell in self.cells.items():
            if "has" not in cell.meanings:
                continue
            row = rows[card]
            column = columns[holder]
            if card in holders:
                both = (
                    f"{printable(name)} ({self.grid.where(None, columns[name])})"
                    for name in (holders[card], holder)
                )
                self.layout.ask_to_leave(
                    f"{self.grid.where(row)}: {card} has two holders, {' and '.join(both)}",
                    self.grid.cell(row, self.layout.column),
                )
                continue
            if card in self.table.face_up:
                self._fault(f"{card} lies face-up: nobody holds it", row, column)
                continue
            holders[card] = holder
            kind = self.layout.edition.category_of[card]
            if holder == ENVELOPE and kinds.setdefault(kind, card) != card:
                first = f"{kinds[kind]} ({self.grid.where(rows[kinds[kind]])})"
                reason = f"expected one {kind} in the envelope; found {first} and {card}"
                self._fault(reason, row, column)
        return holders

    def _own_hand(self) -> tuple[str, ...]:
        """The viewer's whole hand, where the pad tells all of it."""
        viewer = self.viewer
        cards = self.table.cards
        own = tuple(card for card in cards if self.has.get(card) == viewer)
        marked = all(card in self.has or self._lacks(viewer, card) for card in cards)
        least, most = self.table.size_bounds()[self.table.seats.index(viewer)]
        if own and (marked or len(own) >= most):
            return own
        if least <= len(own) < most:
            self.aside.append(
                f"{viewer}'s column does not say whether {len(own)} cards are the whole "
                "hand: give its size, or mark the other cards"
            )
        return ()

    def _append(self, record: Record, observation: Hand | Knowing) -> Record:
        holder = observation.seat if isinstance(observation, Hand) else observation.holder
        try:
            return record.append(observation)
        except NotationError as error:
            column = self.layout.columns[holder]
            self.grid.refuse(f"{printable(holder)}: {error.reason}", None, column)

    def _understood(self) -> Iterator[str]:
        yield f"a pad of {len(self.layout.rows)} cards ({self.grid.told})"
        players = self.options.players_how
        yield from table_lines(self.table, edition=self.layout.how, players=players)
        yield from self.layout.understood()


def _groups(holder: str, cells: Mapping[tuple[str, str], Cell]) -> dict[int, list[str]]:
    """Return the cards that have a number in the column of a holder, by the number."""
    groups: dict[int, list[str]] = {}
    for (owner, card), cell in cells.items():
        for number in cell.numbers if owner == holder else ():
            groups.setdefault(number, []).append(card)
    return groups


def strange_marks(grid: Grid, strange: Mapping[str, list[str]]) -> Unsaid:
    """Return the question what marks mean that can mean this or that, from where they stand."""
    listed = ", ".join(
        f"'{printable(mark)}' ({counted(len(at), 'cell')}, first in {at[0]})"
        for mark, at in list(strange.items())[:_MOST_STRANGE]
    )
    first = printable(next(iter(strange)))
    numbered = any(map(_NUMBERED.fullmatch, strange))
    meanings = get_args(Meaning) if numbered else get_args(Meaning)[:-1]
    return Unsaid(
        "marks",
        f"{printable(grid.name, most=200)}: what do these marks mean: {listed}? Say "
        + joined(f"'{first}={meaning}'" for meaning in meanings),
        meanings,
        tuple(strange),
    )
