"""Where things stand on a pad: its cards, its holders, what else its header says."""

import re
from collections.abc import Iterator

from clue_solver.errors import NotationError, RecordError, counted, printable
from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import WRITERS, ImportOptions, Unsaid
from clue_solver.exchange.naming import (
    Found,
    NameFinder,
    card_column,
    card_places,
    edition_of,
    is_heading,
    known_editions,
    without_piece,
)
from clue_solver.notation.names import Names, words_of
from clue_solver.record.header import sizes_in
from clue_solver.rules.edition import load_edition, shipped_editions
from clue_solver.rules.table import ENVELOPE

MINE, FACE_DOWN, OPEN, SIZES = "(me)", "face-down ", "table", "hand size"
"""What a pad of this program writes beside a viewer and before a slot; a column and a row of it."""

_ENVELOPES = {
    *("envelope", "solution", "case file", "casefile", "murder", "confidential", "crime", "secret"),
    *("answer", "case", "dossier", "umschlag", "enveloppe", "sobre", "busta", "envelop"),
}
_OPEN = {OPEN, "face up", "open", "public"}
ASIDE = {
    *("notes", "note", "comment", "comments", "remark", "remarks", "category", "type", "kind"),
    *("total", "totals", "sum", "bemerkung", "bemerkungen", "remarque", "remarques", "nota"),
}
_SIZES = {SIZES, "hand sizes", "hands", "hand", "cards held", "number of cards", "count", "size"}
_HAND = {"hand", "hands", "cards", "dealt", "karten", "cartes", "cartas", "carte", "kaarten"}
"""Words of a row below the cards that says how many cards everybody holds."""

_ME = rf"(?:{'|'.join(sorted(WRITERS, key=len, reverse=True))}|viewer|my cards|my hand)"
_OWN = re.compile(rf"(.*\S)(?:\s*[(\[]{_ME}[)\]]|\s+[-\u2013\u2014]\s+{_ME})", re.IGNORECASE)
_OWN_FIRST = re.compile(rf"{_ME}\s*[(\[]\s*([^()\[\]]+?)\s*[)\]]", re.IGNORECASE)
_ORNAMENT = re.compile(r"\s*[^\w\s.'\u2019()\[\]?!*-]+\s*$")
_NO_NAME = re.compile(r"[,:#=]")
_COUNT = re.compile(r"[\d.,]+")
_SHORT = 8
"""How long a cell is that is no mark but words."""

_FOOT = {*ASIDE, "legend", "key", "todo", "known"}
_SAYS = re.compile(
    r"""['"(\[]?([^\s=:]{1,12}?)['")\]]?\s*(?:[=:\u2013\u2014]|\bmeans\b|-)\s*(\S.*)"""
)
_MEANINGS = {
    "has": "has, has it, has card, has this card, have, have it, holds, holds it, owns, owns it, "
    "in hand, yes, mine, seen, shown, got it",
    "lacks": "lacks, lacks it, has not, hasnt, hasnt it, has it not, not, no, does not have, "
    "doesnt have, does not have it, doesnt have it, not there, does not hold, "
    "doesnt hold it, without, cannot have it, cant have it",
    "maybe": "maybe, may have, may have it, might have it, might have, possible, possibly, "
    "perhaps, unknown, not known, not sure, dont know, open",
}
"""What the words of a legend may be, by what they mean."""


def said_in(text: str, beside: str = "") -> tuple[str, str] | None:
    """
    Return the mark and the meaning that a line of a legend tells; `None` if it tells none.

    >>> said_in("X = doesn't have it"), said_in("o", "has it"), said_in("Lounge: cold")
    (('X', 'lacks'), ('o', 'has'), None)
    """
    says = _SAYS.fullmatch(f"{text} = {beside}" if beside else text)
    if says is None:
        return None
    meaning = _meaning_of(says[2])
    return (says[1], meaning) if meaning else None


def _meaning_of(text: str) -> str:
    """Return what the words of a legend mean; empty if they are none."""
    words = _folded(text)
    meanings = (meaning for meaning, forms in _MEANINGS.items() if words in forms.split(", "))
    return next(meanings, "")


class PadLayout:
    """
    Where things stand on one pad; places are counted from 0.

    Attributes:
        edition, how: The edition, and how it was found.
        rows: The row of each card.
        columns: The columns by their holders: players, face-down slots, envelope.
        sized: The row of hand sizes.
        sure: Whether that row says so by its title alone.
        twice: The second row of each card that has two, which differ.
        open: The column of the cards that lie face-up.
        slots: The columns of face-down slots that the header calls so, by their names.
        mine: The player whose pad it is, where the header says so.
        legend: What the pad itself says that its marks mean.
        titles: What stands above the header, in words.
        aside: What says nothing of the game, in words.
        finding: What could not be read, and what was taken for what.
        questions: What else has to be said.

    Raises:
        RecordError: If there are no cards, or no row of names above them.
    """

    def __init__(self, grid: Grid, options: ImportOptions) -> None:
        self.grid = grid
        self.options = options
        self.column, first = card_column(grid, options) or grid.refuse(
            "expected a column of cards; found none"
        )
        several = [row for row in range(first) if self._is_header(row)]
        known = [options.names(edition) for edition in known_editions(options)]
        unlike = [
            row
            for row in several
            if not any(len(names.readings(grid.cell(row, self.column))) == 1 for names in known)
        ]
        self.header = max(
            unlike or several, key=lambda row: sum(map(bool, grid.rows[row])), default=-1
        )
        if self.header < 0:
            grid.refuse("expected a row with the players' names above the first card", first)
        self.finding = NameFinder(grid, mend=options.mend)
        self.aside: list[str] = list(grid.aside)
        self.legend: dict[str, str] = {}
        self.titles = [text for row in range(self.header) for text in self._above(row)]
        self.mine: str | None = None
        self.open: int | None = None
        self.slots: dict[str, int] = {}
        self.sized: int | None = None
        self.sure = True
        self.twice: dict[str, int] = {}
        fit = self._edition()
        self.edition = fit.edition
        self.how = fit.how
        self.questions = [fit.question] if fit.question else []
        self.rows = self._rows() if not fit.question or fit.question.argument != "names" else {}
        self.columns = self._columns()

    def understood(self) -> Iterator[str]:
        """Yield whose each column is, and the row of hand sizes, in words."""
        yield from self.titles
        yield from self.finding.understood()
        for mark, meaning in self.legend.items():
            yield f"the legend says that '{printable(mark)}' means {meaning}"
        titles = {column: holder for holder, column in self.columns.items()}
        if self.open is not None:
            titles[self.open] = "face-up cards"
        for column in sorted(titles):
            title = printable(self.grid.cell(self.header, column))
            yield f"{self.grid.where(None, column)}, '{title}': {printable(titles[column])}"
        if self.sized is not None:
            yield f"{self.grid.where(self.sized)}: hand sizes"

    def size(self, column: int) -> int | None:
        """Return how many cards a column's holder has, by the pad's row of sizes."""
        text = "" if self.sized is None else self.grid.cell(self.sized, column)
        try:
            (size,) = sizes_in(text or "?")
        except (NotationError, ValueError):
            self.grid.refuse(
                f"expected a number of cards or ?; found '{printable(text)}'", self.sized, column
            )
        return size

    def _is_header(self, row: int) -> bool:
        cells = [cell for cell in self.grid.rows[row] if cell]
        return (
            len(cells) > 1
            and said_in(cells[0]) is None
            and not (len(cells) == 2 and said_in(*cells))
        )

    def _above(self, row: int) -> Iterator[str]:
        """Yield what a row above the header says, in words; a legend is taken in."""
        if not self._is_legend(row):
            for column, cell in enumerate(self.grid.rows[row]):
                if cell:
                    yield f"{self.grid.where(row, column)}, '{printable(cell)}': a title"

    def _edition(self) -> Found:
        """The edition: as was said, as the corner of the pad says, or by its cards."""
        rows = range(self.header, len(self.grid.rows))
        corner, *labels = (self.grid.cell(row, self.column) for row in rows)
        if self.options.edition is None and corner in shipped_editions():
            where = self.grid.where(self.header, self.column)
            return Found(load_edition(corner), f"as {where} says")
        last = max(card_places(self.grid, self.options)[self.column]) - self.header
        cards = [label for label in labels[:last] if label and _folded(label) not in _SIZES]
        return edition_of(cards, self.options)

    def _rows(self) -> dict[str, int]:
        """The row of each card, counted from 0."""
        names = self.options.names(self.edition)
        rows = dict[str, int]()
        labels = {row: self.grid.cell(row, self.column) for row in range(len(self.grid.rows))}
        known = (row for row, label in labels.items() if label and names.readings(label))
        last = max(known, default=len(labels))
        for row in range(self.header + 1, len(self.grid.rows)):
            label = labels[row]
            if self.grid.blank(row):
                continue
            if _folded(label) in _SIZES:
                self.sized = row
                continue
            strange = not names.readings(label)
            if strange and row > last and self._is_foot(row, names):
                continue
            if not names.exact(label) and self._is_heading(row, names):
                continue
            if strange and self.options.left(label):
                self.aside.append(f"{self.grid.where(row)}, '{printable(label)}'")
                continue
            try:
                if not label:
                    self.grid.refuse("expected a card; found marks without one", row, self.column)
                card = self.finding.find(names, label, row, self.column)
                self._check_width(row)
                first = rows.setdefault(card, row)
                if (
                    self.grid.rows[row][self.column + 1 :]
                    == self.grid.rows[first][self.column + 1 :]
                ):
                    continue
                where = f"{self.grid.where(first)} and {self.grid.where(row)}"
                begun = next((one for one in (label, labels[first]) if not names.exact(one)), None)
                if self.options.left(label):
                    self.twice[card] = row
                    self.aside.append(f"{where}: the marks that differ")
                elif begun and bool(names.exact(label)) != bool(names.exact(labels[first])):
                    reason = f"'{printable(begun)}' begins {card}, which has another row"
                    self.finding.unknown.setdefault(begun, f"{where}: {reason}")
                else:
                    self.ask_to_leave(f"{card} stands in {where}, and they differ", label)
            except RecordError as error:
                self.finding.note(error)
        return rows

    def _is_foot(self, row: int, names: Names) -> bool:
        """Whether a row below the cards has no marks; hand sizes and a legend are taken in."""
        label = self.grid.cell(row, self.column)
        if names.nearest(label):
            return False
        if self._is_legend(row):
            return True
        cells = [cell for cell in self.grid.rows[row] if cell]
        others = cells[1:] if label else cells
        counts = [cell for cell in others if _COUNT.fullmatch(cell)]
        if set(words_of(label)) & _HAND and len(counts) > 1 and self.sized is None:
            self.sized, self.sure = row, False
            return True
        told = (cell for cell in others if cell not in counts and "=" not in cell)
        if any(len(cell) < _SHORT for cell in told) and not set(words_of(cells[0])) & _FOOT:
            return False
        self.aside.append(f"{self.grid.where(row)}, '{printable(' '.join(cells))}'")
        return True

    def _is_legend(self, row: int) -> bool:
        """Whether every cell of a row says what a mark means; they are taken in."""
        cells = [cell for cell in self.grid.rows[row] if cell]
        if len(cells) == 2 and len(cells[0]) < 4 and (pair := said_in(*cells)):
            pairs = [pair]
        else:
            cells = cells[1:] if cells and _folded(cells[0]) in _FOOT else cells
            parts = [part for cell in cells for part in re.split(r"\s*[,;]\s*", cell)]
            pairs = [pair for part in parts if (pair := said_in(part))]
            if not parts or len(pairs) < len(parts):
                return False
        self.legend.update(pairs)
        return True

    def _is_heading(self, row: int, names: Names) -> bool:
        """Whether a row is a category's heading: alone, or with the header's names once more."""
        cells, titles = self.grid.rows[row], self.grid.rows[self.header]
        others = [cell for cell in cells[self.column + 1 :] if cell]
        repeated = others == [title for title in titles[self.column + 1 :] if title]
        if others and not repeated:
            return False
        label = self.grid.cell(row, self.column)
        if is_heading(label, self.edition):
            return True
        if names.readings(label) or names.nearest(label) or any(self._colours(row)):
            return False
        self.aside.append(f"{self.grid.where(row)}, '{printable(label)}': nothing beside it")
        return True

    def _check_width(self, row: int) -> None:
        """Refuse a row with fewer cells than the header has."""
        cells, titles = self.grid.rows[row], self.grid.rows[self.header]
        width = max(column for column, title in enumerate(titles) if title) + 1
        if len(cells) < width:
            self.grid.refuse(f"expected {width} cells, as in the header; found {len(cells)}", row)

    def _columns(self) -> dict[str, int]:
        columns: dict[str, int] = {}
        for column in range(max(map(len, self.grid.rows))):
            if column == self.column:
                continue
            try:
                self._column(column, self.grid.cell(self.header, column), columns)
            except RecordError as error:
                self.finding.note(error)
        return columns

    def _column(self, column: int, title: str, columns: dict[str, int]) -> None:
        """Take in one column: add it to those found if it is a holder's."""
        if not title or (column < self.column and _folded(title) in ASIDE):
            self._unnamed(column)
            return
        where = f"{self.grid.where(None, column)}, '{printable(title)}'"
        if column < self.column and self._numbers_rows(column):
            self.aside.append(f"{where}: numbers")
            return
        if _NO_NAME.search(title) and not any(
            self.grid.cell(r, column) for r in self.rows.values()
        ):
            self.aside.append(where)
            return
        name = _ORNAMENT.sub("", title) or title
        own = _OWN.fullmatch(name) or _OWN_FIRST.fullmatch(name)
        name = own[1] if own else name
        alone = without_piece(name, [self.edition])
        if alone != name:
            self.aside.append(f"the piece of '{printable(name)}'")
        holder = self._holder(alone, column)
        if holder is None:
            return
        for other, first in columns.items():
            if other.casefold() == holder.casefold():
                reason = f"{printable(holder)} stands in {self.grid.where(None, first)} already"
                self.grid.refuse(reason, self.header, column)
        self.mine = holder if own else self.mine
        columns[holder] = column

    def _holder(self, name: str, column: int) -> str | None:
        """Whose column it is; `None` for one that is no holder's."""
        words = _folded(name)
        players = Names("player", self.options.players)
        viewer = self.options.viewer
        if words in WRITERS and viewer and not players.names and viewer not in self._titles():
            self.mine = viewer
            return viewer
        if len(readings := players.readings(name)) == 1:
            return readings[0]
        if words in WRITERS and players.names and self.options.viewer:
            return self.finding.find(players, self.options.viewer, self.header, column)
        if words in _ENVELOPES:
            return ENVELOPE
        if words in _OPEN:
            self.open = column
            return None
        if name.casefold().startswith(FACE_DOWN):
            slot = name[len(FACE_DOWN) :]
            self.slots[slot] = column
            return slot
        if name in {slot.name for slot in self.options.slots}:
            return name
        if words in ASIDE or self.options.left(name):
            title = printable(self.grid.cell(self.header, column))
            filled = sum(bool(self.grid.cell(row, column)) for row in self.rows.values())
            cells = f": {counted(filled, 'cell')} with text" if filled else ""
            self.aside.append(f"{self.grid.where(None, column)}, '{title}'{cells}")
            return None
        return self.finding.find(players, name, self.header, column) if players.names else name

    def _titles(self) -> set[str]:
        return {_OWN.sub(r"\1", title) for title in self.grid.rows[self.header]}

    def _numbers_rows(self, column: int) -> bool:
        """Whether a column before the cards has a number of its own in each row."""
        numbers = [self.grid.cell(row, column) for row in self.rows.values()]
        return len(set(numbers)) == len(numbers) and all(map(str.isdecimal, numbers))

    def _unnamed(self, column: int) -> None:
        """Ask to leave a column without a name aside, unless it names the categories."""
        where = self.grid.where(None, column)
        cells = {row: self.grid.cell(row, column) for row in self.rows.values()}
        strange = {
            row: cell
            for row, cell in cells.items()
            if cell and not (column < self.column and is_heading(cell, self.edition))
        }
        if not strange:
            return
        listed = ", ".join(
            f"'{printable(cell)}' in {self.grid.where(row)}" for row, cell in strange.items()
        )
        if self.options.left(where):
            self.aside.append(f"{where}: {listed}")
        else:
            self.ask_to_leave(f"{where} has no player's name, and {listed}", where)

    def ask_to_leave(self, what: str, title: str) -> None:
        """Ask whether what is not understood is to be left aside."""
        self.questions.append(
            Unsaid("leave", f"{what}: leave '{printable(title)}' aside?", column=title)
        )

    def _colours(self, row: int) -> list[str]:
        """Return the names of the colours in a row right of its card."""
        return [
            self.grid.colour(row, column)
            for column in range(self.column + 1, len(self.grid.rows[row]))
        ]


def _folded(title: str) -> str:
    return " ".join(words_of(title))
