"""A detective's pad, cards down and holders across, as what its writer knows."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from clue_solver.errors import ClueError, NotationError, counted, printable
from clue_solver.exchange.columns import FACE_DOWN, NOT, SIZES, Column, Layout
from clue_solver.exchange.facts import Facts, facts_in
from clue_solver.exchange.mapping import (
    WRITERS,
    Findings,
    People,
    Question,
    folded,
    plain_name,
    spelt,
    table_of,
)
from clue_solver.exchange.marks import MEANINGS, Cell, Marks, explained
from clue_solver.notation.names import joined
from clue_solver.record.header import sizes_in
from clue_solver.rules.observations import Hand, Knowing
from clue_solver.rules.table import ENVELOPE, Slot, Table

Cells = dict[tuple[str, str], Cell]
"""What cells say, by holder and card."""
_LEAST_NAME = 3
"""How many letters a title has at least that is taken for a name rather than for initials."""
_MOST_TURNS = 49
"""The highest number of a turn: others may be chances."""


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
        self.marks = Marks(self.said.marks)
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
        for one, two in pairwise(layout.where("aside")):  # a legend beside the pad
            self.talk += [f"{cells[one]} = {cells[two]}" for _, cells, _ in rows if cells[two]]
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
            guess = "" if layout.where("holder") or short else ", ".join(players)
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
        if self.layout.where("holder"):
            return self._listed(table)
        cells: Cells = {}
        strange: dict[str, list[str]] = {}
        for holder, column in self._columns(table):
            for row, card in self.rows.items():
                text = self.layout.sheet.rows[row][column.at]
                if not text:
                    continue
                cell = self.marks.read(text)
                if column.means.startswith(NOT) and "has" in cell.meanings:
                    cell = cell._replace(meanings=frozenset(["lacks"]))
                if cell.strange:
                    strange.setdefault(cell.strange, []).append(f"{card} of {holder}")
                known = cells.get((holder, card), Cell())
                cells[holder, card] = Cell(
                    known.meanings | cell.meanings,
                    (*known.numbers, *cell.numbers),
                    (*known.marks, *cell.marks),
                    cell.strange,
                    cell.remark or known.remark,
                )
        for mark, places in strange.items():
            self._ask_for(mark, places)
        if not self.marks.guesses.keys().isdisjoint(strange):
            return self._cells(table)  # once more, with what the sheet says
        self._ask_for_numbers(table, cells)
        for (holder, card), cell in cells.items():
            for mark in cell.marks:
                self._check_explained(mark, f"{card} of {holder}")
        counts = Counter(mark for cell in cells.values() for mark in cell.marks)
        for mark, count in counts.items():
            means = self.marks.meaning(mark) or _unsaid(mark)
            text = f"what does '{printable(mark)}' mean?"
            self.findings.items.append(Question("marks", text, mark, means, MEANINGS, count))
        remarks = [cell.remark for cell in cells.values() if cell.remark]
        if remarks:
            some = ", ".join(f"'{printable(remark)}'" for remark in dict.fromkeys(remarks[:3]))
            found = counted(len(remarks), "cell")
            self.findings.aside.append(f"remarks behind the marks of {found}: {some}")
        return cells

    def _columns(self, table: Table) -> Iterator[tuple[str, Column]]:
        """Yield each holder with each of their columns."""
        slots = {f"{FACE_DOWN}{slot.name}": slot.name for slot in table.slots}
        for column in self.layout.columns:
            holder = slots.get(column.means, column.means.removeprefix(NOT))
            if holder in table.holders:
                yield holder, column

    def _ask_for(self, mark: str, places: Sequence[str]) -> None:
        """Ask what a mark means; what the sheet says of it is quoted, and is the guess."""
        guess = ""
        text = f"what does '{printable(mark)}' mean, in {counted(len(places), 'cell')}"
        text = f"{text}, first {printable(places[0])}"
        for talk in self.talk:
            found, meaning = explained(mark, talk)
            if found:
                text = f"{text} (the sheet says '{printable(talk)}')"
                guess = "" if self.marks.meaning(mark) else meaning
        if guess:
            self.marks.guesses[mark] = guess
        meanings = MEANINGS if re.search(r"[^\W_]", mark) else MEANINGS[:-1]
        self.findings.ask(Question("marks", f"{text}?", mark, guess, tuple(meanings)))

    def _check_explained(self, mark: str, place: str) -> None:
        """Ask what a known mark means if the sheet explains it otherwise."""
        for talk in self.talk if mark not in self.marks.said else ():
            found, meaning = explained(mark, talk)
            if found and meaning != self.marks.meaning(mark):
                self._ask_for(mark, [place])

    def _ask_for_numbers(self, table: Table, cells: Cells) -> None:
        """Ask for numbers that may be no either-ors."""
        if self.layout.exported:
            return
        signs = {mark for cell in cells.values() for mark in (*cell.marks, cell.strange)}
        coded = self.marks.coded or any(
            sign == "0" or (sign.isdecimal() and int(sign) > _MOST_TURNS) for sign in signs
        )
        kind_of = self.layout.deck.edition.category_of
        for holder in table.holders:
            for number, cards in _either_ors(holder, cells).items():
                kinds = {kind_of[card] for card in cards}  # one of each was asked for
                unsure = coded or holder == table.viewer or len(kinds) < len(cards)
                unsure = unsure or self._third_is_missing(holder, cards, cells)
                if unsure and number not in self.marks.said:
                    self._ask_for(number, [f"{card} of {holder}" for card in cards])

    def _third_is_missing(self, holder: str, cards: Sequence[str], cells: Cells) -> bool:
        """Whether another mark of a column may stand over the same number."""
        kind_of = self.layout.deck.edition.category_of
        kinds = {kind_of[card] for card in cards}
        if len(cards) < 2 or any("has" in cells[holder, card].meanings for card in cards):
            return False
        over = (
            cell
            for (owner, card), cell in cells.items()
            if owner == holder and kind_of[card] not in kinds
        )
        return any("has" in cell.meanings or re.search(r"\d", cell.strange) for cell in over)

    def _listed(self, table: Table) -> Cells:
        """Return what a list of cards with their holders says."""
        cells: Cells = {}
        viewer = table.viewer or self.layout.mine
        people = People(table.seats, viewer, self.said)
        for row, card in self.rows.items():
            for means in ("holder", "lacks"):
                for at in self.layout.where(means):
                    text = self.layout.sheet.rows[row][at]
                    if not text:
                        continue
                    text = text if means == "holder" else re.sub(r"[,;/]", " nor ", f"not {text}")
                    facts = facts_in(text, lambda name: self._holder(name, people))
                    if facts.either or len(facts.has) > 1:
                        facts = Facts(unread=True)
                    for holder in facts.has:
                        cells[holder, card] = Cell(frozenset(["has"]))
                    for holder in facts.lacks:
                        cells[holder, card] = Cell(frozenset(["lacks"]))
                    if facts.unread:
                        self.findings.leave_aside(row, text)
        return cells

    def _holder(self, name: str, people: People) -> str | None:
        """Return the holder of a name; a single word that is none is asked about."""
        found = people.find(name)
        if found is not None or len(name.split()) > 1 or folded(name) in WRITERS:
            return found
        return self.findings.name(people.names, name, "the column of holders")

    def _holders(self) -> dict[str, str]:
        """Return the holder of each card that is ticked; two holders are asked about."""
        labels = {card: self.layout.sheet.rows[row] for row, card in self.rows.items()}
        at_cards, *_ = self.layout.where("card")
        holders: dict[str, str] = {}
        for card, cells in labels.items():
            label = cells[at_cards]
            row = next(row for row in self.rows if self.rows[row] == card)
            beside = {h: cell for (h, each), cell in self.cells.items() if each == card}
            ticked = [holder for holder, cell in beside.items() if "has" in cell.meanings]
            both = [holder for holder, cell in beside.items() if {"has", "lacks"} <= cell.meanings]
            if self.said.leaves(row, label):
                for holder in ticked:
                    del self.cells[holder, card]
                self.findings.aside.append(f"row {row + 1}, '{printable(label)}': its ticks")
            elif len(ticked) > 1 or both:
                holding = joined(ticked, "and")
                text = f"row {row + 1}: {card} has two holders, {holding}: leave the ticks out?"
                if both:
                    text = f"row {row + 1}: {holding} both has and lacks {card}: leave it out?"
                self.findings.ask(Question("leave", text, label, choices=(label,)))
            elif ticked:
                holders[card] = ticked[0]
        kinds = [self.layout.deck.edition.category_of[c] for c in holders if holders[c] == ENVELOPE]
        if len(set(kinds)) < len(kinds):
            self.findings.faults.append("expected one card of each kind in the envelope")
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
        least, most = table.size_bounds()[table.seats.index(viewer)]
        known = marked or lacks or self.layout.exported or self.said.hand or not own
        if not known and least <= len(own) < most:
            text = f"are these all your cards: {', '.join(own)}?"
            self.findings.ask(Question("hand", text, "", ", ".join(own)))
            return own
        return own if marked or len(own) >= most else ()


def _is_fill(cells: Sequence[str]) -> bool:
    """Whether cells are one colour, as those of a heading are."""
    return len(set(cells)) == 1 and " #" in cells[0]


def _unsaid(mark: str) -> str:
    """Return what a number means that has no meaning of its own."""
    return "either-or" if mark.isdecimal() else "maybe"


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
