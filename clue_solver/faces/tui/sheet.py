"""
The detective's sheet with a cursor: cards by category, one column for each holder.

A player's column has the colour of the piece, the envelope's a warm tint, hands a calm one; no mark
is told by its colour alone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, islice
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.faces.tui.blocks import Blocks, blocks
from clue_solver.faces.tui.inks import Colours, Inks, inks
from clue_solver.rules.table import ENVELOPE
from clue_solver.views.charts import UNICODE, pieces_of, printed
from clue_solver.views.document import fitting


class SheetView(Widget, can_focus=True):
    """The sheet of one report, and the card and the holder that the cursor is on, by number."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,w", "screen.why", "Why", show=False),
        Binding("i", "screen.what_if", "What if", show=False),
        Binding("up", "move(-1, 0)", "Up", show=False),
        Binding("down", "move(1, 0)", "Down", show=False),
        Binding("left", "move(0, -1)", "Left", show=False),
        Binding("right", "move(0, 1)", "Right", show=False),
        Binding("pageup", "move(-8, 0)", "Page up", show=False),
        Binding("pagedown", "move(8, 0)", "Page down", show=False),
        Binding("home", "move(0, -99)", "First holder", show=False),
        Binding("end", "move(0, 99)", "Envelope", show=False),
    ]

    report: reactive[Report | None] = reactive(None, layout=False)
    marked: reactive[Mapping[tuple[str, str], bool] | None] = reactive(None, layout=False)
    """Of each holder and card whether it was marked as held: that is the sheet then."""
    cursor: reactive[tuple[int, int]] = reactive((0, 0))

    class Asked(Message):
        """The cell under the cursor was clicked a second time."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.number = 1  # of blocks
        self.titled, self.roomy = True, False
        self._top = self._left = 0
        self._planned: tuple[Any, Blocks] = ((), Blocks())  # the last plan, and what it is for

    @property
    def cell(self) -> tuple[str, str] | None:
        if self.report is None:
            return None
        card, holder = self.cursor
        return self.report.cards[card], self.report.holders[holder]

    def plans(self, width: int) -> Iterator[Blocks]:
        """Yield how the sheet may stand on so wide a screen, in one block, in two, and so on."""
        if (report := self.report) is not None:
            titles = {kind.name: kind.plural or kind.name for kind in report.table.edition.category}
            category = report.table.edition.category_of
            counts = Counter(titles[category[card]] for card in report.cards)
            for number in range(1, len(counts) + 1):
                kinds = tuple(counts.items())
                names = tuple(printed(report, card) for card in report.cards)
                yield blocks(
                    names,
                    report.holders,
                    kinds,
                    width,
                    number,
                    titled=self.titled,
                    roomy=self.roomy,
                )

    def plan_for(self, width: int) -> Blocks:
        """Return how the sheet stands on so wide a screen."""
        table = None if self.report is None else self.report.table
        wanted = (table, width, self.number, self.titled, self.roomy)
        if self._planned[0] != wanted:  # asked for by every line that is drawn
            plan = next(islice(self.plans(width), self.number - 1, None), Blocks())
            self._planned = (wanted, plan)
        return self._planned[1]

    @property
    def plan(self) -> Blocks:
        """How the sheet stands on the screen."""
        return self.plan_for(self.size.width)

    @property
    def breadth(self) -> int:
        """How many columns of the terminal show every name in full."""
        plan = self.plan_for(9_999)
        return len(plan.rows) * (plan.longest + sum(plan.cells) + 2) - 1

    def fewest_rows(self, width: int) -> int:
        """Return in how many blocks the sheet is lowest with all holders in sight; 1 if never."""
        plans = enumerate(self.plans(width), 1)
        return min(((plan.height, n) for n, plan in plans if plan.fits), default=(0, 1))[1]

    def watch_report(self, before: Report | None, report: Report | None) -> None:
        """Keep the cursor on the sheet; at first it is in the envelope."""
        if report is not None and before is None:
            self.cursor = (0, len(report.holders) - 1)

    def watch_cursor(self) -> None:
        self._reveal()

    def on_resize(self) -> None:
        self._reveal()
        self.refresh()

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor by so many cards and holders; beyond the last one is the next block."""
        if self.report is None:
            return
        card, holder = self.cursor
        last = len(self.report.holders) - 1
        rows = self.plan.rows
        block = next(n for n, block in enumerate(rows) if card in block)
        if abs(right) == 1 and not 0 <= holder + right <= last and 0 <= block + right < len(rows):
            beside = rows[block + right][rows[block].index(card) :] or rows[block + right][-1:]
            card = next(row for row in beside if isinstance(row, int))
            holder = 0 if right > 0 else last
        else:
            holder = max(0, min(last, holder + right))
        self.cursor = (max(0, min(len(self.report.cards) - 1, card + down)), holder)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on a cell; where it was there already, ask for it."""
        cell = self._cell_at(event.x, event.y)
        if cell is None:
            return
        if cell == self.cursor:
            self.post_message(self.Asked())
        self.cursor = cell

    def on_mouse_scroll_down(self) -> None:
        self._scroll(3)

    def on_mouse_scroll_up(self) -> None:
        self._scroll(-3)

    def render_line(self, y: int) -> Strip:
        report = self.report
        ink = inks(dark=self.app.current_theme.dark, colours=self._colours)
        width, plan = self.size.width, self.plan
        if report is None:
            words = "Working out the sheet ..." if y == 1 else ""
            return Strip([Segment(words, ink.lacks)]).adjust_cell_length(width, ink.plain)
        above = self._top
        below = self._top + self.size.height - plan.height
        if y == self.size.height - 1 and below < 0:
            text = f"▼ {1 - below} more rows: {_FURTHER}"
        elif y == plan.heads and above:
            text = f"▲ {above + 1} more rows: {_FURTHER}"
        elif y == plan.height and not above:
            text = f"{UNICODE.holds} has it  {UNICODE.lacks} cannot  12: percent"
        else:
            strips = [  # with the gap behind each block, where a bracket may close
                Strip(self._line(report, rows, y, ink)).adjust_cell_length(
                    plan.width + 1, ink.plain
                )
                for rows in plan.rows
            ]
            return Strip.join(strips).adjust_cell_length(width, ink.plain)
        return Strip([Segment(text, ink.lacks)]).adjust_cell_length(width, ink.plain)

    @property
    def _colours(self) -> Colours:
        """How many colours there are to draw with."""
        if self.app.no_color or self.app.console.color_system in ("standard", "windows"):
            return "few"
        return "256" if self.app.console.color_system == "256" else "true"

    def _line(self, report: Report, rows: Sequence[int | str], y: int, ink: Inks) -> list[Segment]:
        """Return one line of one block."""
        plan = self.plan
        if y < plan.heads:
            title = str(rows[0]) if self.titled else f"{UNICODE.holds} has {UNICODE.lacks} cannot"
            title = (self._beside() or title) if y == 0 else ""
            return [*_label(title, plan.label, ink.kind, ink), *self._heading(report, y, ink)]
        place = self._top + y - plan.heads + 1
        if not 0 < place < len(rows):
            return []
        row = rows[place]
        if isinstance(row, str):
            return [Segment(fitting(row, plan.width), ink.kind)]
        on = row == self.cursor[0]
        holders = len(report.holders)
        mark = ink.plain + Style(bold=True, underline=True) if on else ink.plain
        name = _label(printed(report, report.cards[row]), plan.label - 1, mark, ink)
        segments = [Segment("▎", self._stripe(report, row, ink)), *name]
        for holder in range(self._left, holders):
            text, style = (
                _cell(report, row, holder, ink)
                if self.marked is None
                else _marked(self.marked.get((report.holders[holder], report.cards[row])), ink)
            )
            here = on and holder == self.cursor[1]
            room = plan.cells[holder] - 1
            after = on and holder == self.cursor[1] + 1
            lead = Segment("[" if here else "]" if after else " ", style)
            text = (text.rjust(2) if text.isdigit() else text).center(room)
            segments += [lead] if cell_len(text) == room else []
            if here and holder == holders - 1 and plan.label + sum(plan.cells) >= plan.width:
                text = text.removesuffix(" ")  # the bracket that closes it is in sight so
            segments.append(
                Segment(text, style + Style(reverse=True, bold=True) if here else style)
            )
        return [*segments, Segment("]" if on and holders - 1 == self.cursor[1] else "", ink.plain)]

    def _beside(self) -> str:
        """Say how many holders are out of sight at each side; empty where none is."""
        plan = self.plan
        ends = accumulate(plan.cells[self._left :], initial=plan.label)
        right = sum(end > plan.width for end in ends)
        signs = (f"◀{self._left}" if self._left else "", f"{right}▶" if right else "")
        return " ".join(filter(None, signs))

    def _heading(self, report: Report, y: int, ink: Inks) -> list[Segment]:
        """Return the holders' names, or every other one of them."""
        plan = self.plan
        last = len(report.holders) - 1
        segments = []
        room = 0
        for number in range(self._left, last + 1):
            cell = plan.cells[number]
            if plan.heads > 1 and number % 2 != y:
                room += cell
                continue
            ahead = plan.cells[number + 1] if plan.heads > 1 and number < last else 0
            name = report.holders[number]
            long = cell + ahead - 1
            before = max(0, min(room, cell_len(name) - long)) if number == last else 0
            segments.append(Segment(" " * (room + 1 - before), ink.plain))
            short = fitting(name, long + before)
            if name == ENVELOPE:
                short = "env."[: long + before]
            style = self._head(report, number, ink) + Style(reverse=number == self.cursor[1])
            head = f"{short:^{cell - 1}}" if plan.heads == 1 else short
            segments.append(Segment(head, style))
            room = cell - 1 - cell_len(head)
        return segments

    def _stripe(self, report: Report, card: int, ink: Inks) -> Style:
        """Return the colour of a card's category."""
        kinds = [kind.name for kind in report.table.edition.category]
        kind = kinds.index(report.table.edition.category_of[report.cards[card]])
        return ink.kinds[kind % len(ink.kinds)]

    def _head(self, report: Report, holder: int, ink: Inks) -> Style:
        """Return how a holder's name is written."""
        name = report.holders[holder]
        if name == ENVELOPE:
            return ink.heading + Style(color=str(self.app.current_theme.accent))
        return ink.pieces.get(pieces_of(report.table).get(name, ""), ink.heading)

    def _reveal(self) -> None:
        """Scroll so that the card and the holder of the cursor are in sight."""
        plan = self.plan
        if self.report is None or self.size.height < 3:
            return
        card, holder = self.cursor
        place = next(rows.index(card) for rows in plan.rows if card in rows)
        seen = self.size.height - plan.heads + 1
        least, most = place - seen + 2, place - 2
        self._top = max(least, min(self._top, most))
        self._scroll(0)
        room = plan.width - plan.label
        self._left = min(self._left, holder)
        while self._left < holder and sum(plan.cells[self._left : holder + 1]) > room:
            self._left += 1
        while self._left and sum(plan.cells[self._left - 1 :]) <= room:
            self._left -= 1

    def _scroll(self, lines: int) -> None:
        most = max(0, self.plan.height - self.size.height)
        self._top = max(0, min(most, self._top + lines))
        self.refresh()

    def _cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        plan = self.plan
        block, x = divmod(x, plan.width + 1)
        place = self._top + y - plan.heads + 1
        if self.report is None or y < plan.heads or block >= len(plan.rows):
            return None
        card = plan.rows[block][place] if place < len(plan.rows[block]) else ""
        if isinstance(card, str):
            return None
        ends = accumulate(plan.cells[self._left :], initial=plan.label)
        holder = self._left + sum(end <= x for end in ends) - 1
        if holder >= len(self.report.holders):
            return None
        return card, holder if x >= plan.label else self.cursor[1]


_FURTHER = "arrow keys in the sheet"


def _label(text: str, width: int, style: Style, ink: Inks) -> list[Segment]:
    """Return a name in a column of its own, cut where it is too long."""
    short = fitting(text, width)
    return [Segment(short, style), Segment(" " * (width - cell_len(short)), ink.plain)]


def _marked(has: bool | None, ink: Inks) -> tuple[str, Style]:
    """Return a cell of a sheet that its player keeps."""
    text = "" if has is None else UNICODE.holds if has else UNICODE.lacks
    return text, ink.holds if has else ink.lacks


def _cell(report: Report, card: int, holder: int, ink: Inks) -> tuple[str, Style]:
    if not report.consistent:
        return "?", ink.lacks
    inside = report.holders[holder] == ENVELOPE
    match int(report.verdicts[card, holder]):
        case 1:
            return UNICODE.holds, ink.solved if inside else ink.holds
        case 2:
            return UNICODE.lacks, ink.lacks
        case _:
            chance = float(report.probabilities[card, holder])
            return percent(chance), ink.shade(chance, inside=inside)
