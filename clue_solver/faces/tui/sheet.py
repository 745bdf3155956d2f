"""
The detective's sheet with a cursor: cards by category, one column for each holder.

Its colours are the palette of Okabe and Ito, on a dark and on a light ground: it can be told apart
with any kind of colour vision, and no mark is told by its colour alone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain, combinations, islice, pairwise
from typing import ClassVar, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.color import Color, blend_rgb
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.theme import Theme
from textual.widget import Widget

from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.rules.table import ENVELOPE
from clue_solver.views.charts import UNICODE, printed
from clue_solver.views.text import fitting

ORANGE, SKY, GREEN, YELLOW = "#e69f00", "#56b4e9", "#009e73", "#f0e442"
BLUE, VERMILION, PURPLE = "#0072b2", "#d55e00", "#cc79a7"

DARK = Theme(
    name="clue-dark",
    dark=True,
    primary=SKY,
    secondary=ORANGE,
    accent=ORANGE,
    success=GREEN,
    warning=YELLOW,
    error=VERMILION,
    foreground="#e6e6e6",
    background="#121212",
    surface="#1a1a1a",
    panel="#262626",
)
LIGHT = Theme(
    name="clue-light",
    dark=False,
    primary=BLUE,
    secondary=ORANGE,
    accent=BLUE,
    success=GREEN,
    warning=ORANGE,
    error=VERMILION,
    foreground="#1a1a1a",
    background="#fafafa",
    surface="#f2f2f2",
    panel="#e4e4e4",
)

_STEPS = 20


class Inks(NamedTuple):
    """How the sheet is drawn; `solved` is a card in the envelope, `shades` are chances from 0."""

    plain: Style
    heading: Style
    kind: Style
    lacks: Style
    holds: Style
    solved: Style
    shades: tuple[Style, ...]

    def shade(self, chance: float) -> Style:
        return self.shades[round(chance * (len(self.shades) - 1))]


@cache
def inks(*, dark: bool) -> Inks:
    ground, ink = ("#121212", "#e6e6e6") if dark else ("#fafafa", "#1a1a1a")
    faint, sure = ("#808080", "#3fd0a4") if dark else ("#767676", "#00694d")
    back = Color.parse(ground).get_truecolor()
    full = Color.parse(BLUE if dark else SKY).get_truecolor()
    shades = tuple(
        Style(color=ink, bgcolor=Color.from_triplet(blend_rgb(back, full, step / _STEPS)))
        for step in range(_STEPS + 1)
    )
    return Inks(
        plain=Style(color=ink, bgcolor=ground),
        heading=Style(color=ink, bgcolor=ground, bold=True, underline=True),
        kind=Style(color=ink, bgcolor=ground, bold=True, italic=True),
        lacks=Style(color=faint, bgcolor=ground),
        holds=Style(color=sure, bgcolor=ground, bold=True),
        solved=Style(color="#1a1a1a", bgcolor=ORANGE, bold=True),
        shades=shades,
    )


_NAME, _SHORT, _LEAST_NAME, _CELL, _WIDEST = 14, 12, 5, 4, 11


class Blocks(NamedTuple):
    """
    How a sheet stands on the screen: blocks of categories side by side.

    Attributes:
        rows: The rows of each block: a category's title, or a card's number. The title of the
            first one stands beside the holders' names.
        width: How many columns of the terminal each block has.
        label: How many of them a card's name has, at most.
        cells: How many each holder has.
        heads: Rows for the holders' names; where columns are narrow every other name is on a
            second one.
        longest: The longest name of a card.
    """

    rows: tuple[tuple[int | str, ...], ...] = ()
    width: int = 0
    label: int = 0
    cells: tuple[int, ...] = ()
    heads: int = 1
    longest: int = 0

    @property
    def height(self) -> int:
        """How many rows of the terminal all of it takes."""
        return self.heads - 1 + max(map(len, self.rows), default=0)

    @property
    def fits(self) -> bool:
        """Whether every holder has a column in sight."""
        return self.label + sum(self.cells) <= self.width


@lru_cache(maxsize=64)
def blocks(
    cards: tuple[str, ...],
    holders: tuple[str, ...],
    kinds: tuple[tuple[str, int], ...],
    width: int,
    number: int,
) -> Blocks:
    """
    Return so many blocks of a sheet on so wide a screen; names are cut where they do not fit.

    Args:
        cards, holders: Their names.
        kinds: The title of each category and how many of the cards it has, in their order.
        width: Columns of the terminal.
        number: How many blocks.
    """
    numbers = iter(range(len(cards)))
    groups: list[tuple[int | str, ...]] = []
    for title, count in kinds:
        groups.append((title, *islice(numbers, count)))
    cuts = min(
        combinations(range(1, len(groups)), number - 1),
        key=lambda cuts: max(map(len, _joined(groups, cuts))),
    )
    room = (width + 1) // number - 1
    cells = [min(max(cell_len(name) + 1, _CELL), _WIDEST) for name in holders]
    longest = max(cell_len(card) for card in cards)
    least = next(
        (n for n in range(_LEAST_NAME, longest) if len({card[:n] for card in cards}) == len(cards)),
        longest,
    )
    label = min(longest, max(_NAME, room - sum(cells)))
    while label + sum(cells) > room:
        if max(cells) > _CELL:
            cells[cells.index(max(cells))] -= 1
        elif label > max(_SHORT, least):
            label -= 1
        elif max(cells) == _CELL:
            cells = [_CELL - 1] * len(cells)
            label = min(longest, max(label, room - sum(cells)))
        elif label > least:
            label -= 1
        else:
            break
    heads = 1
    if any(cell_len(name) >= cell for name, cell in zip(holders[:-1], cells, strict=False)):
        heads = 2
    return Blocks(tuple(_joined(groups, cuts)), room, label, tuple(cells), heads, longest)


def _joined(
    groups: Sequence[tuple[int | str, ...]], cuts: Sequence[int]
) -> list[tuple[int | str, ...]]:
    """Return the groups, those between two cuts as one."""
    edges = pairwise((0, *cuts, len(groups)))
    return [tuple(chain.from_iterable(groups[first:end])) for first, end in edges]


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
        self._top = self._left = 0

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
                yield blocks(names, report.holders, kinds, width, number)

    def plan_for(self, width: int) -> Blocks:
        """Return how the sheet stands on so wide a screen."""
        return next(islice(self.plans(width), self.number - 1, None), Blocks())

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
        """Return in how many blocks the sheet is lowest, where all holders are to be in sight."""
        plans = list(enumerate(self.plans(width), 1))
        return min(((not plan.fits, plan.height, n) for n, plan in plans), default=(0, 0, 1))[2]

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
        ink = inks(dark=self.app.current_theme.dark)
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
            text = f"{UNICODE.holds} has it  {UNICODE.lacks} cannot  12: in percent"
        else:
            strips = [  # with the gap behind each block, where a bracket may close
                Strip(self._line(report, rows, y, ink)).adjust_cell_length(
                    plan.width + 1, ink.plain
                )
                for rows in plan.rows
            ]
            return Strip.join(strips).adjust_cell_length(width, ink.plain)
        return Strip([Segment(text, ink.lacks)]).adjust_cell_length(width, ink.plain)

    def _line(self, report: Report, rows: Sequence[int | str], y: int, ink: Inks) -> list[Segment]:
        """Return one line of one block."""
        plan = self.plan
        if y < plan.heads:
            title = str(rows[0]) if y == 0 else ""
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
        segments = _label(printed(report, report.cards[row]), plan.label, mark, ink)
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
            short = _cut(name, long + before)
            if name == ENVELOPE != short:
                short = "env."[: long + before]
            style = ink.heading + Style(reverse=number == self.cursor[1])
            head = f"{short:^{cell - 1}}" if plan.heads == 1 else short
            segments.append(Segment(head, style))
            room = cell - 1 - cell_len(head)
        return segments

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


def _cut(text: str, width: int) -> str:
    """Return the text cut to so many cells; where there are few none is spent on a mark for it."""
    if width > _SHORT // 2 or cell_len(text) <= width:
        return fitting(text, width)
    return set_cell_size(text, width).rstrip()


def _label(text: str, width: int, style: Style, ink: Inks) -> list[Segment]:
    """Return a name in a column of its own, cut where it is too long."""
    short = _cut(text, width)
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
            return percent(chance), ink.shade(chance)
