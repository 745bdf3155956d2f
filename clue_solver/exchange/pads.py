"""A detective's pad, cards down and holders across, as what its writer knows."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from clue_solver.errors import ClueError, NotationError, counted, printable
from clue_solver.exchange.columns import FACE_DOWN, NOT, SIZES, Layout
from clue_solver.exchange.mapping import (
    Findings,
    Question,
    plain_name,
    spelt,
    table_of,
)
from clue_solver.exchange.marks import MARKS, MEANINGS, Cell, Marks, explanation
from clue_solver.notation.names import joined
from clue_solver.record.header import sizes_in
from clue_solver.rules.observations import Hand, Knowing
from clue_solver.rules.table import Slot, Table

Cells = dict[tuple[str, str], Cell]
"""What cells say, by holder and card."""
_LEAST_NAME = 3
"""How many letters a title has at least that is taken for a name rather than for initials."""


class PadNotes:
    """
    What a pad tells.

    Attributes:
        table: The table; `None` if there can be none.
        told: What its writer knows, the own hand first.
        marks: What each mark means.
        samples: Some rows, each a card and the marks beside it.
    """

    def __init__(self, layout: Layout, findings: Findings) -> None:
        self.layout = layout
        self.findings = findings
        self.said = findings.said
        exported = {"numbers": "either-or"} if layout.exported else {}
        self.marks = Marks({**exported, **self.said.marks})
        self.rows: dict[int, str] = {}
        self.talk: list[str] = []
        self.sizes: tuple[str, ...] = ()
        self._find_rows()
        self.table = self._table()
        self.told: list[Hand | Knowing] = []
        if self.table is None:
            return
        self.cells = self._cells(self.table)
        if not self.cells:
            findings.faults.append("expected marks in the cells; found none")
        self.holder_of = self._holders()
        if self.table.viewer is None:
            text = "whose notes are these?"
            findings.ask(Question("viewer", text, choices=self.table.seats))
            return
        self.told = list(self._knowing(self.table, self.table.viewer))

    @property
    def what(self) -> str:
        """What was read."""
        return f"a pad of {counted(len(self.rows), 'card')}"

    @property
    def samples(self) -> Iterator[str]:
        """Yield a card and the marks beside it, row by row."""
        sheet = self.layout.sheet
        at = [column.at for column in self.layout.columns if column.means not in ("card", "aside")]
        for row, card in self.rows.items():
            yield f"{card}: {' | '.join(sheet.rows[row][column] or ' ' for column in at)}"

    # Which row is which card.

    def _find_rows(self) -> None:
        """Find the card of each row; what is no card is left aside or asked about."""
        layout, findings = self.layout, self.findings
        at_cards, *_ = layout.where("card")
        titles = layout.sheet.rows[layout.header] if layout.header >= 0 else ()
        names = layout.deck.names
        above = layout.sheet.rows[: max(0, layout.header)]
        self.talk = [" ".join(filter(None, row)) for row in above]
        rows = [(row, cells, cells[at_cards]) for row, cells in layout.rows()]
        called = [row for row, _, label in rows if names.candidates(self.said.meant(label))]
        last = max(called, default=0)
        used = [c.at for c in layout.columns if c.means not in ("card", "aside")]
        for row, cells, label in rows:
            others = [cells[at] for at in used if cells[at]]
            again = [titles[at] for at in used if titles and titles[at]]
            heading = not others or others == again or (len(others) > 1 and _is_fill(others))
            meant = plain_name(self.said.meant(label))
            if spelt(label) == SIZES:
                self.sizes = cells
            elif names.exact(meant) or (label and names.candidates(meant) and not heading):
                card = findings.name(names, plain_name(label), f"row {row + 1}")
                if card is not None:
                    self.rows[row] = card
            elif heading and layout.deck.is_heading(label):
                continue
            elif heading or (row > last and (not label or not names.nearest(label))):
                self.talk.append(" ".join(filter(None, cells)))
                findings.aside.append(f"row {row + 1}, '{printable(self.talk[-1])}'")
            elif self.said.leaves(row, label):
                findings.aside.append(f"row {row + 1}, '{printable(label)}'")
            elif (card := findings.name(names, plain_name(label), f"row {row + 1}")) is not None:
                self.rows[row] = card

    # Who plays, and how many cards everybody has.

    def _table(self) -> Table | None:
        said, layout, findings = self.said, self.layout, self.findings
        players = said.players or layout.players
        if not said.players:
            short = all(len(player) < _LEAST_NAME for player in players)  # `A` may be Ann
            guess = "" if short else ", ".join(players)
            if not (layout.exported and guess) and not said.every_column:
                text = "who plays? Give the players clockwise"
                findings.ask(Question("players", text, "", guess))
        if len(players) < 2:
            return None
        dealt = (*players, *(c.means for c in layout.columns if c.means.startswith(FACE_DOWN)))
        sizes: dict[str, int | None] = {}
        for column in layout.columns if self.sizes else ():
            if column.means in dealt:
                sizes[column.means] = self._size(self.sizes[column.at])
        slots = tuple(
            Slot(name=means[len(FACE_DOWN) :], count=sizes.get(means) or 1)
            for means in dealt[len(players) :]
        )
        hands = tuple(sizes.get(seat) for seat in players)
        face_up = tuple(
            card
            for at in layout.where("face-up")
            for row, card in self.rows.items()
            if "has" in self.marks.read(layout.sheet.rows[row][at]).meanings
        )
        try:
            return table_of(
                layout.deck,
                players,
                said,
                viewer=layout.mine if layout.mine in players else None,
                hands=hands if set(hands) != {None} else (),
                face_up=face_up,
                slots=slots,
            )
        except ClueError as error:
            findings.faults.append(str(error))
            return None

    def _size(self, text: str) -> int | None:
        try:
            (size,) = sizes_in(text or "?")
        except (NotationError, ValueError):
            self.findings.faults.append(f"'{printable(text)}' is no hand size")
            return None
        return size

    # What the marks say.

    def _cells(self, table: Table) -> Cells:
        """Return what each cell with a mark says; ask what marks mean that are not known."""
        cells: Cells = {}
        asked: dict[str, list[str]] = {}
        slots = {f"{FACE_DOWN}{slot.name}": slot.name for slot in table.slots}
        for column in self.layout.columns:
            holder = slots.get(column.means, column.means.removeprefix(NOT))
            for row, card in self.rows.items() if holder in table.holders else ():
                text = self.layout.sheet.rows[row][column.at]
                if not text:
                    continue
                cell = self.marks.read(text)
                if column.means.startswith(NOT) and "has" in cell.meanings:
                    cell = cell._replace(meanings=frozenset(["lacks"]))
                cells[holder, card] = cells.get((holder, card), Cell()) | cell
                for mark in filter(None, (cell.strange, *cell.marks)):
                    if cell.strange or not self._fits(mark):
                        asked.setdefault(mark, []).append(f"{card} of {holder}")
        for mark, places in asked.items():
            self._ask_for(mark, places)
        counts = Counter(mark for cell in cells.values() for mark in cell.marks)
        for mark, count in counts.items():
            text = f"what does '{printable(mark)}' mean?"
            means = self.marks.meaning(mark) or "maybe"
            self.findings.items.append(Question("marks", text, mark, means, MEANINGS, count))
        return cells

    def _fits(self, mark: str) -> bool:
        """Whether a known mark means what the sheet itself says of it, or it says nothing."""
        told = [explanation(mark, talk) for talk in self.talk if mark not in self.marks.said]
        meaning = self.marks.meaning(mark)
        return all(meaning in map(MARKS.get, each.split()) for each in told if each is not None)

    def _ask_for(self, mark: str, places: Sequence[str]) -> None:
        """Ask what a mark means; what the sheet says of it is quoted."""
        text = f"what does '{printable(mark)}' mean, in {counted(len(places), 'cell')}"
        text = f"{text}, first {printable(places[0])}"
        for talk in self.talk:
            if explanation(mark, talk) is not None:
                text = f"{text} (the sheet says '{printable(talk)}')"
        meanings = MEANINGS if re.search(r"[^\W_]", mark) else MEANINGS[:-1]
        self.findings.ask(Question("marks", f"{text}?", mark, "", meanings))

    def _holders(self) -> dict[str, str]:
        """Return the holder of each card that is ticked; two holders are asked about."""
        at_cards, *_ = self.layout.where("card")
        holders: dict[str, str] = {}
        for row, card in self.rows.items():
            label = self.layout.sheet.rows[row][at_cards]
            beside = {h: cell for (h, each), cell in self.cells.items() if each == card}
            ticked = [holder for holder, cell in beside.items() if "has" in cell.meanings]
            both = any({"has", "lacks"} <= cell.meanings for cell in beside.values())
            if self.said.leaves(row, label):
                for holder in ticked:
                    del self.cells[holder, card]
                self.findings.aside.append(f"row {row + 1}, '{printable(label)}': its ticks")
            elif len(ticked) > 1 or both:
                marked = "is marked in two ways for" if both else "has two holders,"
                text = f"row {row + 1}: {card} {marked} {joined(ticked, 'and')}: leave it out?"
                self.findings.ask(Question("leave", text, label, choices=(label,)))
            elif ticked:
                holders[card] = ticked[0]
        return holders

    # What follows.

    def _knowing(self, table: Table, viewer: str) -> Iterator[Hand | Knowing]:
        """Yield the viewer's hand, and what each column says: has, lacks, either-ors."""
        own = self._own_hand(table, viewer)
        if own:
            yield Hand(seat=viewer, cards=own)
        for holder in table.holders:
            if holder == viewer and own:
                continue
            for card in table.cards:
                if self.holder_of.get(card) == holder:
                    yield Knowing(by=viewer, holder=holder, has=(card,))
            if lacks := tuple(self._lacks(holder, table)):
                yield Knowing(by=viewer, holder=holder, lacks=lacks)
            for number, cards in sorted(_either_ors(holder, self.cells).items(), key=_by_number):
                if any(self.holder_of.get(card) == holder for card in cards):
                    continue
                if len(cards) == 1:
                    where = f"{cards[0]} of {printable(holder)}"
                    self.findings.aside.append(f"'{number}' at {where} alone: no either-or")
                else:
                    yield Knowing(by=viewer, holder=holder, has=tuple(cards))

    def _lacks(self, holder: str, table: Table) -> Iterator[str]:
        for card in table.cards:
            cell = self.cells.get((holder, card), Cell())
            if "lacks" in cell.meanings and card not in self.holder_of:
                yield card

    def _own_hand(self, table: Table, viewer: str) -> tuple[str, ...]:
        """Return the viewer's whole hand, where the pad tells all of it."""
        own = tuple(card for card in table.cards if self.holder_of.get(card) == viewer)
        lacks = set(self._lacks(viewer, table))
        marked = all(card in self.holder_of or card in lacks for card in table.cards)
        most = table.size_bounds()[table.seats.index(viewer)][1]
        return own if marked or len(own) >= most else ()


def _is_fill(cells: Sequence[str]) -> bool:
    """Whether cells are one colour, as those of a heading are."""
    return len(set(cells)) == 1 and " #" in cells[0]


def _by_number(either: tuple[str, list[str]]) -> tuple[int, str]:
    """Return what either-ors are sorted by."""
    return int(either[0]) if either[0].isdecimal() else 0, either[0]


def _either_ors(holder: str, cells: Cells) -> dict[str, list[str]]:
    """Return the cards that have a number in the column of a holder, by the number."""
    cards: dict[str, list[str]] = {}
    for (owner, card), cell in cells.items():
        for number in cell.numbers if owner == holder else ():
            cards.setdefault(number, []).append(card)
    return cards
