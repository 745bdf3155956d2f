"""Finds a detective's pad in a sheet, with cards down and holders across, and reads it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from clue_solver.errors import counted, printable
from clue_solver.exchange import columns, terms
from clue_solver.exchange.columns import UNKNOWN, Column, ColumnLayout, Finder, Meaning
from clue_solver.exchange.findings import Findings
from clue_solver.exchange.marks import MARKS, Marks
from clue_solver.exchange.people import NOT_PUBLIC, public_fact, table_of
from clue_solver.notation.names import joined, words_of
from clue_solver.record.contents import Entry
from clue_solver.record.header import sizes_in
from clue_solver.rules.observations import Hand, Knowing, Nobody, Reveal
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Slot, Table

_LEAST_NAME = 3
"""A title with at least this many letters is a name rather than initials."""
_WORD = 6
"""A cell with at least this many letters may be more than a mark."""
_OFTEN = 4
"""Texts that occur this many times or more, on average, are marks."""
_OWN_COLUMN = re.compile(r"(?i)\s+[-\u2013\u2014]\s+(?:me|my hand|my cards)$")
"""The text after the name in the title of the writer's own column."""


# Where the pad is, and what its columns mean.


def whose(title: str) -> tuple[str, bool]:
    """
    Return the name in a title, and whether it is the name of the writer.

    >>> whose("Ann - me"), whose("me (Nora)"), whose("Ben (Plum)")
    (('Ann', True), ('Nora', True), ('Ben', False))
    """
    plain = _OWN_COLUMN.sub("", title)
    name, inside = terms.without_brackets(plain)
    own = [terms.fold_text(each) in terms.WRITERS for each in (name, inside)]
    return inside if own == [True, False] and inside else name, any(own) or plain != title


def _is_name(title: str) -> bool:
    """Return whether a title can be a player's name, which has one to three words."""
    words = words_of(title)
    return 0 < len(words) < 4 and not re.search(r"[,:#=?]", title) and len(title) < 30


def _is_text(cell: str) -> bool:
    """Return whether a cell has letters or a `?`, and is no colour code (`green #70AD47`)."""
    return bool(re.search(r"[^\W\d_]|\?", cell)) and " #" not in cell


class PadFinder(Finder):
    """Finds a pad, or a list of cards and their holders."""

    def is_card(self, text: str) -> bool:
        """Return whether a text is the full name of a card."""
        return bool(self.deck.names.exact(terms.plain_name(self.hints.meant(text))))

    def _may_be_card(self, text: str) -> bool:
        """Return whether a label can be the name of a card, perhaps misspelt."""
        heading = self.deck.is_heading(text) or columns.roles_of(text, columns.LOG)
        return self.is_card(text) or (len(self.deck.similar(text)) == 1 and not heading)

    def _count_cards(self, cells: Sequence[str]) -> int:
        """Return how many cells are full names of cards."""
        return sum(map(self.is_card, filter(None, cells)))

    def _are_marks(self, cells: Sequence[str], titles: Sequence[str]) -> bool:
        """
        Return whether cells look like marks.

        They do if at least half of them are short and no names, if at least half are usual marks,
        or if the same few texts come again and again.
        """
        names = {cell for cell in cells if cell in titles or self.is_card(cell)}
        short = sum(len(cell) < _WORD for cell in cells if cell not in names)
        known = sum(terms.fold_text(cell) in MARKS for cell in cells)
        return 2 * max(short, known) >= len(cells) or _OFTEN * len({*cells}) <= len(cells)

    @property
    def is_across(self) -> bool:
        """Whether a row has more cards than any column has."""
        across = max(map(self._count_cards, self.sheet.rows), default=0)
        down = max(map(self._count_cards, self.sheet.transpose().rows), default=0)
        return across > max(2, down)

    def find(self, *, alone: bool) -> ColumnLayout | None:
        """
        Return the layout of a pad, which has cards down and holders across; `None` for no pad.

        If the sheet also has suggestions (not `alone`), a pad must have four cards or more.
        """
        if self.is_across:
            turned = PadFinder(self.sheet.transpose(), self.deck, self.findings)
            return turned.find(alone=alone)
        rows = self.sheet.rows
        label = self._label(least=2 if alone else 4)
        if label is None:
            return None
        names = self.sheet.column(label)
        first = next((row for row, cell in enumerate(names) if self._may_be_card(cell)), 0)
        header = self.exported
        if header < 0:
            header = self.title_row(first, lambda cells: sum(map(_is_text, cells)))
        if header < 0 and not self.hints.every_column:
            return None
        titles = rows[header] if header >= 0 else ("",) * len(rows[0])
        body = [row for row in rows[header + 1 :] if not self.deck.is_heading(row[label])]
        body = [row for row in body if not columns.repeats(row, titles)]
        found = []
        for at, (title, said) in enumerate(zip(titles, self.hints_for(titles), strict=True)):
            is_text = self._may_be_card if at == label else bool
            column = Column(at, title, said, sum(is_text(row[at]) for row in body))
            found.append(self._with_meaning(column, label))
        means = [column.means for column in found]
        is_list = Meaning("holder") in means
        beside = [c.at for c in found if c.means.role not in ("card", "aside", "remark")]
        cells = [row[at] for row in body for at in beside if row[at]]
        mine = {c.means.holder for c in found if self._is_writers(c.title)} - {"", ENVELOPE}
        layout = ColumnLayout(
            kind="list" if is_list else "pad",
            sheet=self.sheet,
            header=header,
            columns=tuple(found),
            deck=self.deck,
            mine=mine.pop() if len(mine) == 1 else None,
            is_export=self.exported >= 0,
            is_sound=is_list or (bool(cells) and self._are_marks(cells, titles)),
        )
        for name in layout.players:
            if means.count(Meaning("has", name)) > 1:
                text = f"two columns are read as {printable(name)}: give them different titles"
                self.findings.faults.append(text)
        return layout if alone or layout.kind == "list" or layout.players else None

    def _label(self, least: int) -> int | None:
        """
        Return the index of the column that names the cards.

        `None` if no column names at least `least` cards.
        """
        if (card := Meaning("card")) in (said := self.hints_for(self.sheet.rows[0])):
            return said.index(card)
        cells = self.sheet.transpose().rows
        most = max(range(len(cells)), key=lambda at: self._count_cards(cells[at]))
        cards = Counter(filter(self.is_card, cells[most]))
        # A pad names each card once; a log names some again and again.
        return most if cards.total() >= least and max(cards.values()) < 3 else None

    def _with_meaning(self, column: Column, label: int) -> Column:
        """
        Return a column with its meaning, as the user states it or the title suggests it.

        Args:
            column: The column.
            label: The index of the column that names the cards.
        """
        if (known := self._certain_meaning(column, label)).role:
            return self.settle(column._replace(means=known))
        # It may be the envelope or, as long as nobody says who plays, a player.
        title = column.title
        name = self.hints.meant(whose(title)[0])
        guess = Meaning("remark") if column.filled and not title else UNKNOWN
        if self.people.find(title) == ENVELOPE:
            guess = Meaning("has", ENVELOPE)
        elif _is_name(name) and not self.hints.players:
            guess = Meaning("has", name)
        choices = (ENVELOPE, *([name] if _is_name(name) else []), "remark", "aside")
        return self.settle(column, guess, choices)

    def _certain_meaning(self, column: Column, label: int) -> Meaning:
        """
        Return what a column certainly means; `UNKNOWN` if it is not certain.

        The column may have the marks of a player or of the envelope, list the cards that a player
        does not have (`Ann no`), or have one of the roles in `COLUMN_MEANINGS`.

        Args:
            column: The column.
            label: The index of the column that names the cards.
        """
        title, people = column.title, self.people
        if column.at == label:
            return Meaning("card")
        if column.means.role:
            return column.means
        if (exported := self._exported_title(title, column.at)).role:
            return exported
        name = self.hints.meant(whose(title)[0])
        who, _, sign = name.rpartition(" ")
        who = people.find(who) or ("" if self.hints.players else who)
        sign = MARKS.get(terms.fold_text(sign), "")
        if who and sign in ("has", "lacks"):
            return Meaning("has" if sign == "has" else "not", who)
        found = people.find(title)
        if found is not None and (found != ENVELOPE or terms.is_envelope(name, sure=True)):
            return Meaning("has", found)
        if "=" not in title and (roles := columns.roles_of(name, columns.PAD)):
            return Meaning(roles[0])
        heading = not column.filled and self.deck.is_heading(name)
        return Meaning("aside") if column.at < label or heading else UNKNOWN

    def _exported_title(self, title: str, at: int) -> Meaning:
        """
        Return the meaning of a column of a pad that this program wrote, which its title states.

        The meaning is `UNKNOWN` for other titles.

        Args:
            title: The title.
            at: The index of the column.
        """
        titles = self.sheet.rows[self.exported] if self.exported >= 0 else ()
        name = self.hints.meant(title.removesuffix(f" {columns.MINE}"))
        if title.startswith(columns.FACE_DOWN):
            return Meaning("face-down", title.removeprefix(columns.FACE_DOWN))
        if titles and title == columns.OPEN:
            return Meaning("face-up")
        known = not self.hints.players or name in (*self.hints.players, ENVELOPE)
        return Meaning("has", name) if known and ENVELOPE in titles[at:] else UNKNOWN

    def _is_writers(self, title: str) -> bool:
        """Return whether a title says that the column is the writer's own."""
        return whose(title)[1] if self.exported < 0 else title.endswith(f" {columns.MINE}")


def lines_of_list(layout: ColumnLayout) -> list[str]:
    """Return a list of cards and their holders as lines such as `Plum: Ben, not Ann`."""
    lines = []
    for row, _ in layout.rows():
        others = filter(None, terms.LISTED.split(layout.text("lacks", row)))
        told = [layout.text("holder", row), *(f"not {other}" for other in others)]
        lines.append(f"{layout.text('card', row)}: {', '.join(filter(None, told))}")
    return [line for line in lines if not line.endswith(": ")]


# What its marks say.


class PadNotes:
    """
    Reads what the writer of a pad knows.

    Args:
        layout: The pad, with the meaning of its columns.
        findings: The user's hints. Questions and faults are added to it.

    Attributes:
        table: The table; `None` until the pad is read, or if it does not describe a valid one.
        entries: What the writer knows, beginning with the writer's own hand.
        samples: The rows that were read, each with a card and its marks.
    """

    def __init__(self, layout: ColumnLayout, findings: Findings) -> None:
        exported = {"numbers": "either-or"} if layout.is_export else {}
        self.layout = layout
        self.findings = findings
        said = {**exported, **self.findings.hints.marks}
        self.marks = Marks(said, cells=layout.mark_cells())
        self.table: Table | None = None
        self.rows: dict[int, str] = {}  # the card of each row
        self.remarks: dict[str, str] = {}  # on each card
        self.sizes: tuple[str, ...] = ()
        # What the marks of each holder mean for each card; the cards with each either-or's number.
        self.cells: dict[tuple[str, str], set[str]] = {}
        self.either_ors: dict[tuple[str, str], list[str]] = {}
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
        self._read_cells(table)
        if not any(self.cells.values()):
            self.findings.faults.append("expected marks in the cells; found none")
        self.holder_of = self._find_holders()
        viewer = table.viewer or ""
        if not (viewer or self.findings.hints.viewer):
            choices = (*table.seats, SPECTATOR)
            self.findings.ask("viewer", "whose notes are these?", choices=choices)
            return
        own = {frozenset(self.cells.get((viewer, card), ())) for card in self.rows.values()}
        some_lacked = own == {frozenset(), frozenset({"lacks"})}
        if some_lacked and not (self.findings.hand or self.layout.is_export):
            lacking = f"the marks only say which {printable(viewer)} lacks"
            self.findings.ask("hand", f"which cards are your own? {lacking}")
        for fact in self._facts(table, viewer) if viewer else self._public_facts(table):
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
        used = [column.at for column in layout.columns if column.means.role not in others]
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
            if terms.plain(label) == columns.SIZES:
                self.sizes = cells
            elif not exact and (heading or hints.leaves(row, label)):
                if not deck.is_heading(label):
                    astray = not marked and re.search(r" \S$", label)
                    why = ", because its marks are in no column" if astray else ""
                    findings.leave_aside(row, " ".join(filter(None, cells)), why)
            elif card := findings.name(names, terms.plain_name(label), f"row {row + 1}"):
                self.rows[row] = card
                if remark := layout.text("remark", row).replace("#", ""):
                    self.remarks[card] = remark
                self.samples.append(f"{card}: {' | '.join(cells[at] or ' ' for at in used)}")

    # Who plays, and how many cards everybody has.

    def _table(self) -> Table | None:
        """Return the table that the pad describes; `None` for fewer than two players."""
        hints, layout, findings = self.findings.hints, self.layout, self.findings
        players = hints.players or layout.players
        if not hints.players:
            # `A` may be Ann, but not on a pad of our own.
            short = not layout.is_export and all(len(player) < _LEAST_NAME for player in players)
            sure = layout.is_export or (hints.every_column and not short)
            text = "who is playing? List the players clockwise"
            guess = "" if short else ", ".join(players)
            findings.ask("players", text, "", guess, sure=bool(sure))
        if len(players) < 2:
            return None
        slots = [c.means.holder for c in layout.columns if c.means.role == "face-down"]
        face_up = tuple(
            card
            for at in layout.columns_of("face-up")
            for row, card in self.rows.items()
            if "has" in self.marks.read(layout.sheet.rows[row][at]).values()
        )
        viewer = layout.mine if layout.mine in players else None
        sizes: dict[str, int | None] = {}
        for column in layout.columns:
            if self.sizes and column.means.holder in (*players, *slots):
                sizes[column.means.holder] = sizes_in(self.sizes[column.at] or "?")[0]
        hands = tuple(map(sizes.get, players))
        return table_of(
            layout.deck,
            players,
            hints,
            viewer=viewer,
            hands=hands if {*hands} != {None} else (),
            face_up=face_up,
            slots=tuple(Slot(name=name, count=sizes.get(name) or 1) for name in slots),
        )

    # What the marks say.

    def _read_cells(self, table: Table) -> None:
        """Read the marks of each holder and card; ask about the meaning of unknown ones."""
        places: dict[str, list[str]] = {}  # of each mark
        meanings: dict[str, str] = {}
        for column in self.layout.columns:
            role, holder = column.means
            if holder not in table.holders:
                continue
            for row, card in self.rows.items():
                marks = self.marks.read(self.layout.sheet.rows[row][column.at])
                meanings |= marks
                for mark in marks:
                    places.setdefault(mark, []).append(f"{card} of {holder}")
                    if marks[mark] == "either-or" and role != "not":
                        self.either_ors.setdefault((holder, mark), []).append(card)
                meant = {*marks.values()}
                if role == "not" and "has" in meant:
                    meant = {"lacks"}
                self.cells.setdefault((holder, card), set()).update(meant)
        for mark, found in places.items():
            self._report_mark(mark, meanings[mark], found)

    def _report_mark(self, mark: str, means: str, places: Sequence[str]) -> None:
        """
        Report the meaning of a mark; ask about it if it is unknown.

        `places` names the card and the holder of each cell that has the mark.
        """
        first = f"in {counted(len(places), 'cell')}, first {printable(places[0])}"
        text = f"what does '{printable(mark)}' mean ({first})?"
        either_or = ["either-or"] if re.search(r"[^\W_]", mark) else []
        choices = ("has", "lacks", "maybe", "nothing", *either_or)
        more = {"choices": choices, "cells": len(places), "sure": bool(means)}
        self.findings.ask("marks", text, mark, means, **more)

    def _find_holders(self) -> dict[str, str]:
        """Return the holder of each ticked card; ask about cards with two holders."""
        holders: dict[str, str] = {}
        for row, card in self.rows.items():
            label = self.layout.text("card", row)
            beside = {h: cell for (h, each), cell in self.cells.items() if each == card}
            ticked = [holder for holder, cell in beside.items() if "has" in cell]
            both = any({"has", "lacks"} <= cell for cell in beside.values())
            if self.findings.hints.leaves(row, label):
                for holder in ticked:
                    del self.cells[holder, card]
                self.findings.aside.append(f"row {row + 1}, '{printable(label)}': its ticks")
            elif len(ticked) > 1 or both:
                told = joined(map(partial(self._marked, row), ticked), "and")
                marked = "is marked in two ways for" if both else "has two holders,"
                text = f"row {row + 1}: {card} {marked} {told}: leave its ticks out, "
                text += "or give one of these marks another meaning?"
                self.findings.ask("leave", text, label, choices=(label,))
            elif ticked:
                holders[card] = ticked[0]
        return holders

    def _marked(self, row: int, holder: str) -> str:
        """Return a holder with the marks that a row has for them, such as `Ann ('x')`."""
        cells = self.layout.sheet.rows[row]
        marks = [cells[each.at] for each in self.layout.columns if each.means.holder == holder]
        told = [f"'{printable(mark)}'" for mark in marks if mark]
        return f"{holder} ({joined(told, 'and')})"

    # What follows.

    def _facts(self, table: Table, viewer: str) -> Iterator[Hand | Knowing]:
        """Yield the viewer's hand, and the facts in each holder's column."""
        for holder in sorted(table.holders, key=lambda holder: holder != viewer):
            has = tuple(card for card in table.cards if self.holder_of.get(card) == holder)
            lacks = tuple(
                card
                for card in table.cards
                if "lacks" in self.cells.get((holder, card), ()) and card not in self.holder_of
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
            for (owner, _), cards in self.either_ors.items():
                if owner == holder and len(cards) > 1 and not {*cards} & {*has}:
                    yield Knowing(by=viewer, holder=holder, has=tuple(cards))

    def _public_facts(self, table: Table) -> Iterator[Reveal | Nobody]:
        """Yield a spectator's facts; note which cards have marks that no entry can state."""
        unsaid = []
        for card in table.cards:
            lack = all("lacks" in self.cells.get((seat, card), ()) for seat in table.seats)
            holder = self.holder_of.get(card, ENVELOPE if lack else "")
            if fact := public_fact(table, holder, card):
                yield fact
            elif any(self.cells.get((each, card)) for each in table.holders):
                unsaid.append(card)
        if unsaid:
            self.findings.aside.append(f"the marks of {joined(unsaid, 'and')}, {NOT_PUBLIC}")

    def _take_remarks(self, fact: Hand | Knowing | Reveal | Nobody) -> str:
        """
        Return the remarks on the cards of a fact, and remove them, so that no other fact has them
        too.
        """
        if isinstance(fact, Reveal | Nobody):
            cards: tuple[str, ...] = (str(fact.card),)
        else:
            cards = fact.cards if isinstance(fact, Hand) else fact.has + fact.lacks
        known = [card for card in cards if card in self.remarks]
        return "; ".join(f"{card}: {self.remarks.pop(card)}" for card in known)
