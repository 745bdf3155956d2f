"""Reads a detective's pad, with cards down and holders across."""

import re
from collections.abc import Iterator, Sequence

from clue_solver.errors import counted, printable
from clue_solver.exchange import terms
from clue_solver.exchange.columns import FACE_DOWN, NOT, SIZES, ColumnLayout
from clue_solver.exchange.findings import Findings
from clue_solver.exchange.marks import Cell, Marks
from clue_solver.exchange.names import table_of
from clue_solver.notation.names import joined
from clue_solver.record.contents import Entry
from clue_solver.record.header import sizes_in
from clue_solver.rules.observations import Hand, Knowing
from clue_solver.rules.table import Slot, Table

_LEAST_NAME = 3
"""A title with at least this many letters is a name rather than initials."""


class PadNotes:
    """
    Reads what the writer of a pad knows.

    Attributes:
        table: The table; `None` until the pad is read, or if it does not describe a valid one.
        entries: What the writer knows, beginning with the writer's own hand.
        samples: The rows that were read, each with a card and its marks.
    """

    def __init__(self, layout: ColumnLayout, findings: Findings) -> None:
        exported = {"numbers": "either-or"} if layout.is_export else {}
        self.layout = layout
        self.findings = findings
        self.marks = Marks({**exported, **self.findings.hints.marks})
        self.table: Table | None = None
        self.rows: dict[int, str] = {}  # the card of each row
        self.remarks: dict[str, str] = {}  # on each card
        self.sizes: tuple[str, ...] = ()
        self.cells: dict[tuple[str, str], Cell] = {}
        self.holder_of: dict[str, str] = {}
        self.samples: list[str] = []
        self.entries: list[Entry] = []

    def read(self) -> str:
        """Read the rows, who plays, and the marks; return a short description of what was read."""
        self._find_rows()
        self.table = self._table()
        if self.table is not None:
            self._read_marks(self.table)
        return f"a pad of {counted(len(self.rows), 'card')}"

    def _read_marks(self, table: Table) -> None:
        """Read the marks, and add what follows from them to the entries."""
        self.cells = self._read_cells(table)
        if not any(cell != Cell() for cell in self.cells.values()):
            self.findings.faults.append("expected marks in the cells; found none")
        self.holder_of = self._find_holders()
        if table.viewer is None:
            self.findings.ask("viewer", "whose notes are these?", choices=table.seats)
            return
        for fact in self._facts(table, table.viewer):
            self.entries.append(Entry(observation=fact, comment=self._take_remarks(fact)))
        for card, remark in self.remarks.items():
            self.findings.aside.append(f"the remark about {card}: {printable(remark)}")

    # Which row is which card.

    def _find_rows(self) -> None:
        """Find the card of each row; leave out or ask about rows without a card."""
        layout, findings, deck = self.layout, self.findings, self.layout.deck
        hints = findings.hints
        names, titles = deck.names, layout.titles
        others = ("card", "aside", "remark")
        used = [column.at for column in layout.columns if column.means not in others]
        rows = [(row, cells, layout.text("card", row)) for row, cells in layout.rows()]
        spelt = {row: names.exact(terms.plain_name(hints.meant(each))) for row, _, each in rows}
        other = {*names.names} - {card for cards in spelt.values() for card in cards}
        near = (row for row, _, label in rows if {*names.nearest(hints.meant(label))} & other)
        # Below the last row that may be a card, there may be a legend.
        last = max([*near, *(row for row in spelt if spelt[row])], default=0)
        for row, cells, label in rows:
            exact = spelt[row]
            marked = [cells[at] for at in used if cells[at] not in ("", titles[at])]
            heading = not (label and marked) or deck.is_heading(label) or row > last
            if terms.spelt(label) == SIZES:
                self.sizes = cells
            elif not exact and (heading or hints.leaves(row, label)):
                if not deck.is_heading(label):
                    findings.leave_aside(row, " ".join(filter(None, cells)))
            elif card := findings.name(names, terms.plain_name(label), f"row {row + 1}"):
                self.rows[row] = card
                if remark := layout.text("remark", row).replace("#", ""):
                    self.remarks[card] = remark
                self.samples.append(f"{card}: {' | '.join(cells[at] or ' ' for at in used)}")

    # Who plays, and how many cards everybody has.

    def _table(self) -> Table | None:
        hints, layout, findings = self.findings.hints, self.layout, self.findings
        players = hints.players or layout.players
        if not hints.players:
            short = all(len(player) < _LEAST_NAME for player in players)  # `A` may be Ann
            sure = not short and (layout.is_export or bool(hints.every_column))
            add = findings.note if sure else findings.ask
            text = "who is playing? List the players clockwise"
            add("players", text, "", "" if short else ", ".join(players))
        if len(players) < 2:
            return None
        slots = [c.means for c in layout.columns if c.means.startswith(FACE_DOWN)]
        face_up = tuple(
            card
            for at in layout.columns_of("face-up")
            for row, card in self.rows.items()
            if "has" in self.marks.read(layout.sheet.rows[row][at]).meanings
        )
        holders = {*players, *slots} if self.sizes else ()
        columns = [column for column in layout.columns if column.means in holders]
        viewer = layout.mine if layout.mine in players else None
        sizes = {c.means: sizes_in(self.sizes[c.at] or "?")[0] for c in columns}
        hands = tuple(map(sizes.get, players))
        return table_of(
            layout.deck,
            players,
            hints,
            viewer=viewer,
            hands=hands if {*hands} != {None} else (),
            face_up=face_up,
            slots=tuple(Slot(name=s[len(FACE_DOWN) :], count=sizes.get(s) or 1) for s in slots),
        )

    # What the marks say.

    def _read_cells(self, table: Table) -> dict[tuple[str, str], Cell]:
        """Return the cells by holder and card; ask about the meaning of unknown marks."""
        cells: dict[tuple[str, str], Cell] = {}
        places: dict[str, list[str]] = {}  # of each mark
        slots = {f"{FACE_DOWN}{slot.name}": slot.name for slot in table.slots}
        for column in self.layout.columns:
            holder = slots.get(column.means, column.means.removeprefix(NOT))
            if holder not in table.holders:
                continue
            for row, card in self.rows.items():
                cell = self.marks.read(self.layout.sheet.rows[row][column.at])
                for mark in filter(None, (*cell.marks, cell.strange)):
                    places.setdefault(mark, []).append(f"{card} of {holder}")
                if column.means.startswith(NOT) and "has" in cell.meanings:
                    cell = cell._replace(meanings=frozenset(["lacks"]))
                cells[holder, card] = cells.get((holder, card), Cell()) | cell
        for mark, found in places.items():
            self._report_mark(mark, found)
        return cells

    def _report_mark(self, mark: str, places: Sequence[str]) -> None:
        """Report the meaning of a mark; ask about it if it is unknown."""
        means = self.marks.meaning(mark) or next(iter(self.marks.read(mark).meanings), "")
        first = f"in {counted(len(places), 'cell')}, first {printable(places[0])}"
        text = f"what does '{printable(mark)}' mean ({first})?"
        either_or = ["either-or"] if re.search(r"[^\W_]", mark) else []
        choices = ("has", "lacks", "maybe", "nothing", *either_or)
        add = self.findings.note if means else self.findings.ask
        add("marks", text, mark, means, choices=choices, cells=len(places))

    def _find_holders(self) -> dict[str, str]:
        """Return the holder of each ticked card; ask about cards with two holders."""
        holders: dict[str, str] = {}
        for row, card in self.rows.items():
            label = self.layout.text("card", row)
            beside = {h: cell for (h, each), cell in self.cells.items() if each == card}
            ticked = [holder for holder, cell in beside.items() if "has" in cell.meanings]
            both = any({"has", "lacks"} <= cell.meanings for cell in beside.values())
            if self.findings.hints.leaves(row, label):
                for holder in ticked:
                    del self.cells[holder, card]
                self.findings.aside.append(f"row {row + 1}, '{printable(label)}': its ticks")
            elif len(ticked) > 1 or both:
                marked = "is marked in two ways for" if both else "has two holders,"
                text = f"row {row + 1}: {card} {marked} {joined(ticked, 'and')}: leave it out?"
                self.findings.ask("leave", text, label, choices=(label,))
            elif ticked:
                holders[card] = ticked[0]
        return holders

    # What follows.

    def _facts(self, table: Table, viewer: str) -> Iterator[Hand | Knowing]:
        """Yield the viewer's hand, and the facts in each holder's column."""
        for holder in sorted(table.holders, key=lambda holder: holder != viewer):
            has = tuple(card for card in table.cards if self.holder_of.get(card) == holder)
            lacks = tuple(
                card
                for card in table.cards
                if "lacks" in self.cells.get((holder, card), Cell()).meanings
                and card not in self.holder_of
            )
            if holder == viewer and has:
                most = table.size_bounds()[table.seats.index(viewer)][1]
                marked = all(card in self.holder_of or card in lacks for card in table.cards)
                if marked or len(has) >= most:
                    yield Hand(seat=viewer, cards=has)
                    continue
            for card in has:
                yield Knowing(by=viewer, holder=holder, has=(card,))
            if lacks:
                yield Knowing(by=viewer, holder=holder, lacks=lacks)
            for cards in self._either_ors(holder):
                if len(cards) > 1 and not {*cards} & {*has}:
                    yield Knowing(by=viewer, holder=holder, has=tuple(cards))

    def _take_remarks(self, fact: Hand | Knowing) -> str:
        """Return the remarks on the cards of a fact, each of which is kept with one fact only."""
        cards = fact.cards if isinstance(fact, Hand) else fact.has + fact.lacks
        known = [card for card in cards if card in self.remarks]
        return "; ".join(f"{card}: {self.remarks.pop(card)}" for card in known)

    def _either_ors(self, holder: str) -> list[list[str]]:
        """Return the cards of each either-or of a holder, in the order of the numbers."""
        cards: dict[str, list[str]] = {}
        for (owner, card), cell in self.cells.items():
            if owner == holder:
                for number in cell.numbers:
                    cards.setdefault(number, []).append(card)
        return [cards[number] for number in sorted(cards, key=lambda each: (each.zfill(9), each))]
