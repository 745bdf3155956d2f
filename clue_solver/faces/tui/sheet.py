"""
The detective's sheet with a cursor: cards by category, one column for each holder.

Its colours are the palette of Okabe and Ito, on a dark and on a light ground: it can be told apart
with any kind of colour vision, and no mark is told by its colour alone.
"""

from functools import cache, lru_cache
from itertools import groupby
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
from clue_solver.views.charts import UNICODE
from clue_solver.views.text import fitting

ORANGE, SKY, GREEN, YELLOW = "#e69f00", "#56b4e9", "#009e73", "#f0e442"
BLUE, VERMILION, PURPLE = "#0072b2", "#d55e00", "#cc79a7"

DARK = Theme(
    name="clue-dark", dark=True,
    primary=SKY, secondary=ORANGE, accent=ORANGE, success=GREEN, warning=YELLOW, error=VERMILION,
    foreground="#e6e6e6", background="#121212", surface="#1a1a1a", panel="#262626",
)  # fmt: skip
LIGHT = Theme(
    name="clue-light", dark=False,
    primary=BLUE, secondary=ORANGE, accent=BLUE, success=GREEN, warning=ORANGE, error=VERMILION,
    foreground="#1a1a1a", background="#fafafa", surface="#f2f2f2", panel="#e4e4e4",
)  # fmt: skip

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


_LONGEST, _NARROWEST, _WIDEST = 14, 4, 10


class Columns(NamedTuple):
    """How wide the cards' column and each holder's column are."""

    first: int = _LONGEST
    widths: tuple[int, ...] = ()


@lru_cache(maxsize=64)
def columns(cards: tuple[str, ...], holders: tuple[str, ...], width: int) -> Columns:
    """Return the columns of a sheet so wide; names are cut short where they do not fit."""
    widths = [min(max(cell_len(name), _NARROWEST), _WIDEST) for name in holders]
    longest = max(cell_len(card) for card in cards)
    spare = 0 if width > 500 else width - sum(widths) - len(widths) - 1
    first = min(longest, max(_LONGEST, spare)) + 1
    while first + sum(widths) + len(widths) > width and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return Columns(first, tuple(widths))


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
    cursor: reactive[tuple[int, int]] = reactive((0, 0))

    class Asked(Message):
        """The cell under the cursor was clicked a second time."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: list[int | str] = []  # a card's number, or a category's heading
        self._top = self._left = 0

    @property
    def cell(self) -> tuple[str, str] | None:
        if self.report is None:
            return None
        card, holder = self.cursor
        return self.report.cards[card], self.report.holders[holder]

    @property
    def breadths(self) -> tuple[int, int]:
        """How many columns of the terminal show every holder, with names cut short and in full."""
        if self.report is None:
            return 40, 50
        report = self.report
        first, widths = columns(report.cards, report.holders, 0)
        room = columns(report.cards, report.holders, 999)
        return first + sum(widths) + len(widths), first + sum(room.widths) + len(widths)

    def watch_report(self, before: Report | None, report: Report | None) -> None:
        """Lay out the rows anew where the table is another one; keep the cursor on the sheet."""
        if report is None or (before is not None and before.table is report.table):
            return
        kinds = report.table.edition.category
        plural = {kind.name: kind.plural or kind.name for kind in kinds}
        category = report.table.edition.category_of
        self._rows = []
        for kind, group in groupby(range(len(report.cards)), lambda c: category[report.cards[c]]):
            self._rows += [plural[kind], *group]
        if before is None:
            self.cursor = (0, len(report.holders) - 1)

    def watch_cursor(self) -> None:
        self._reveal()

    def on_resize(self) -> None:
        self._reveal()
        self.refresh()

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor by so many cards and holders."""
        if self.report is None:
            return
        card, holder = self.cursor
        self.cursor = (
            max(0, min(len(self.report.cards) - 1, card + down)),
            max(0, min(len(self.report.holders) - 1, holder + right)),
        )

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
        report, ink = self.report, inks(dark=self.app.current_theme.dark)
        width = self.size.width
        if report is None:
            words = "Working out the sheet ..." if y == 1 else ""
            return Strip([Segment(words, ink.lacks)]).adjust_cell_length(width, ink.plain)
        place = self._top + y - 1
        if y == 0:
            segments = self._heading(report, ink)
        elif place < len(self._rows):
            segments = self._line(report, self._rows[place], ink)
        elif place == len(self._rows) + 1 and self.size.height > place + 1:
            legend = f"{UNICODE.holds} has it  {UNICODE.lacks} cannot  12: in percent"
            segments = [Segment(legend, ink.lacks)]
        else:
            segments = []
        return Strip(segments).adjust_cell_length(width, ink.plain)

    def _heading(self, report: Report, ink: Inks) -> list[Segment]:
        above, below = self._top > 0, self._top + self.size.height - 1 < len(self._rows)
        first, widths = self._columns()
        hint = ("▲" if above else " ") + ("▼" if below else " ") + ("◀" if self._left else "")
        segments = [Segment(set_cell_size(hint, first), ink.lacks)]
        names = list(zip(report.holders, widths, strict=True))
        for number, (name, width) in enumerate(names[self._left :], self._left):
            short = fitting(name, width)
            head = set_cell_size(" " * ((width - cell_len(short) + 1) // 2) + short, width)
            at = Style(reverse=True) if number == self.cursor[1] else Style()
            segments += [Segment(head, ink.heading + at), Segment(" ", ink.plain)]
        return segments

    def _line(self, report: Report, row: int | str, ink: Inks) -> list[Segment]:
        if isinstance(row, str):
            return [Segment(row, ink.kind)]
        first, widths = self._columns()
        label = fitting(report.cards[row], first - 1)
        on = row == self.cursor[0]
        mark = Style(bold=True, underline=True) if on else Style()
        segments = [
            Segment(label, ink.plain + mark),
            Segment(" " * (first - cell_len(label)), ink.plain),
        ]
        for holder in range(self._left, len(report.holders)):
            text, style = _cell(report, row, holder, ink)
            edge = ("[", "]") if on and holder == self.cursor[1] else (" ", " ")
            if edge[0] == "[":
                style = style + Style(reverse=True, bold=True)
            body = f"{edge[0]}{text.center(widths[holder] - 1)}{edge[1]}"
            segments.append(Segment(body, style))
        return segments

    def _columns(self) -> Columns:
        report = self.report
        return columns(report.cards, report.holders, self.size.width) if report else Columns()

    def _reveal(self) -> None:
        if self.report is None or not self._rows or self.size.height < 2:
            return
        height = self.size.height - 1
        place = self._rows.index(self.cursor[0])
        heading = place - 1 if place and isinstance(self._rows[place - 1], str) else place
        self._top = max(min(self._top, heading), place - height + 1)
        self._top = max(0, min(self._top, max(0, len(self._rows) - height)))
        first, widths = self._columns()
        room = self.size.width - first
        holder = self.cursor[1]
        self._left = min(self._left, holder)
        while self._left < holder and sum(w + 1 for w in widths[self._left : holder + 1]) > room:
            self._left += 1
        while self._left and sum(w + 1 for w in widths[self._left - 1 :]) <= room:
            self._left -= 1

    def _scroll(self, lines: int) -> None:
        most = max(0, len(self._rows) - self.size.height + 1)
        self._top = max(0, min(most, self._top + lines))
        self.refresh()

    def _cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        place = self._top + y - 1
        if self.report is None or y < 1 or place >= len(self._rows):
            return None
        card = self._rows[place]
        if isinstance(card, str):
            return None
        end, widths = self._columns()
        if x < end:
            return card, self.cursor[1]
        for holder, width in list(enumerate(widths))[self._left :]:
            end += width + 1
            if x < end:
                return card, holder
        return None


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
