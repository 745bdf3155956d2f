"""
What stands beside the sheet: findings, the log, the clash that takes the sheet's place; and what
opens over the screen: a text to read, one line to fill in.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import chain
from textwrap import wrap
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from clue_solver.answers.advice import Advice, decide
from clue_solver.answers.corrections import Check, Correction
from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.errors import ClueError
from clue_solver.views.explanations import advice_sections, check_text, ranking
from clue_solver.views.text import labelled, quoted, settled_lines


class Reading(ModalScreen[str | None]):
    """A text to read and close."""

    foot = "Esc closes, arrows scroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,f1", "dismiss", "Close"),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-8)", show=False),
        Binding("pagedown,space", "scroll(8)", show=False),
    ]

    def __init__(self, title: str, text: RenderableType) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(self._title, "bold"), classes="dialog-title")
            with VerticalScroll():
                yield Static(self._text, id="reading", markup=False)
            yield Static(self.foot, classes="dialog-foot", markup=False)

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def on_click(self) -> None:
        self.dismiss()


ADVISED = {
    "at": "Your room, or the suspect's start square",
    "roll": "What you rolled",
    "dice": "The suspects of the dice, such as: plum, green, white",
}
"""What advice may be asked for besides, and how it is asked for."""


class Advising(Reading):
    """Advice to read; one key says where one is, or what was rolled."""

    foot = "r: my room   o: my roll   d: my dice   Esc closes"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "dismiss('at')", "Room"),
        Binding("o", "dismiss('roll')", "Roll"),
        Binding("d", "dismiss('dice')", "Dice"),
    ]


def advised(advice: Advice) -> RenderableType:
    """Return advice in the order of what to do: accuse, ask, and why."""
    told = sorted(advice_sections(advice), key=lambda each: not each.title.startswith("Accuse"))
    first, *rest = (labelled(title, rows) if rows else Text(title) for title, rows in told)
    heads, rows = ranking(advice)
    table = Table.grid(padding=(0, 2, 0, 0))
    for row in (heads, *rows):
        table.add_row(*map(Text, row))
    parts = [Text(decide(advice).text, "bold"), first, *rest, Text("Suggestions", "bold"), table]
    return Group(*chain.from_iterable((part, Text()) for part in parts))


class Filling(ModalScreen[bool]):
    """One line to fill in; what is wrong with it is said while it stays."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(False)", "Leave")]

    def __init__(self, title: str, value: str, use: Callable[[str], object]) -> None:
        """Hold what is asked for, what the line has at first, and what takes it or raises."""
        super().__init__()
        self._title, self._value, self._use = title, value, use

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog small"):
            yield Static(Text(self._title, "bold"), classes="dialog-title")
            yield Input(self._value, id="filling", compact=True, select_on_focus=False)
            yield Static(id="wrong", markup=False)
            yield Static("Enter accepts, Esc leaves", classes="dialog-foot", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            self._use(event.value)
        except ClueError as error:
            self.query_one("#wrong", Static).update(Text(str(error)))
        else:
            self.dismiss(True)


_NUMBER = 4


class LogView(OptionList):
    """The entries with their numbers, in order; the last one in sight."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("delete", "screen.delete", "Delete", show=False),
        Binding("space", "screen.as_of", "As of here", show=False),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False, compact=True)
        self._shown: list[Text] = []
        self._told: tuple[tuple[str, ...], int | None, tuple[int, ...]] = ((), None, ())

    def on_resize(self) -> None:
        """Wrap the entries to the new width; the highlight stays."""
        lines, upto, conflict = self._told
        place = self.highlighted
        self.write(lines, upto=upto, conflict=conflict)
        if place is not None:
            self.highlighted = place

    @property
    def entry(self) -> int | None:
        return None if self.highlighted is None else self.highlighted + 1

    def write(
        self, lines: Sequence[str], *, upto: int | None = None, conflict: Collection[int] = ()
    ) -> None:
        """Show the entries: those after `upto` dimmed, those that cannot all be true marked."""
        self._told = (tuple(lines), upto, tuple(conflict))
        width = max(20, self.scrollable_content_region.width) - _NUMBER
        wanted = [
            _numbered(number, line, width, upto is not None and number > upto, number in conflict)
            for number, line in enumerate(lines, 1)
        ]
        same = len(self._shown) <= len(wanted) and all(
            old == new and old.style == new.style
            for old, new in zip(self._shown, wanted, strict=False)
        )
        if not same:
            self.clear_options()
        self.add_options(map(Option, wanted[len(self._shown) if same else 0 :]))
        self._shown = wanted
        if wanted:
            self.highlighted = (len(wanted) if upto is None else max(1, upto)) - 1
        self.call_after_refresh(self.scroll_to_highlight)


def _numbered(number: int, line: str, width: int, later: bool, clashing: bool) -> Text:
    """Return an entry with its number, the lines that follow the first beside the number."""
    mark = "✗" if clashing else " "
    rows = wrap(line, width, break_on_hyphens=False)
    told = ("\n" + " " * _NUMBER).join(rows)
    style = "dim strike" if later else "bold" if clashing else ""
    return Text(f"{mark}{number:>2} {told}", style)


class Findings(Widget, can_focus=True):
    """The likeliest solutions, and what the last entry settled; drawn line by line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "move(-5)", "Page up", show=False),
        Binding("pagedown", "move(5)", "Page down", show=False),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._found: RenderableType = Text()
        self._lines: list[list[Segment]] = []
        self._top = 0

    def tell(self, report: Report, *, most: int) -> None:
        """Show the findings of a report, at most so many solutions."""
        self._found, self._top = findings(report, most), 0
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_mouse_scroll_down(self) -> None:
        self.action_move(2)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-2)

    def action_move(self, lines: int) -> None:
        hidden = max(0, len(self._lines) - self.size.height)
        self._top = max(0, min(hidden, self._top + lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, place = self.size.width, self._top + y
        line = self._lines[place] if place < len(self._lines) else []
        strip = Strip(line).adjust_cell_length(width).apply_style(self.rich_style)
        if y == self.size.height - 1 and place + 1 < len(self._lines):
            more = Segment("▼", self.rich_style)
            strip = Strip([*strip.crop(0, width - 1), more])
        return strip

    def _draw(self) -> None:
        options = self.app.console_options.update_width(max(1, self.size.width))
        self._lines = self.app.console.render_lines(self._found, options, pad=False)
        self.refresh()


def findings(report: Report, most: int) -> RenderableType:
    """Return the likeliest solutions and what the last entry, or the supposition, settled."""
    if not report.consistent:
        return Text("The entries contradict each other.", "bold")
    best = report.solutions[:most]
    sure = len(report.solutions) == 1
    rows = [("100 %" if sure else f"{percent(each.probability)} %", ", ".join(each.cards))
            for each in best]  # fmt: skip
    if len(report.solutions) > most:
        rows.append(("", f"and {len(report.solutions) - most:,} more"))
    parts = [labelled("The solution" if sure else "Likeliest", rows)]
    by = "supposing so" if report.supposed else f"entry {report.entries}"
    new = [("", line) for line in settled_lines(report)]
    if new:
        parts += [labelled(f"Settled by {by}", new)]
    elif report.entries:
        parts += [Text(f"Nothing settled by {by}", "dim")]
    return Group(*parts)


class Clash(VerticalScroll, can_focus=True):
    """A log that contradicts itself: the entries, and the corrections to choose from."""

    def compose(self) -> ComposeResult:
        yield Static(id="clash-head", markup=False)
        yield OptionList(id="corrections", markup=False, compact=True)
        yield Static(id="clash-why", markup=False)

    def tell(self, report: Report, lines: Sequence[str]) -> None:
        """Show the conflict; the corrections are still looked for."""
        head: RenderableType = Text("The header alone allows no deal.", "bold")
        if report.conflict:
            title = "✗ These entries cannot all be true"
            head = labelled(title, quoted(lines, report.conflict))
        self.query_one("#clash-head", Static).update(head)
        self.query_one("#corrections", OptionList).clear_options()
        self.query_one("#clash-why", Static).update(Text("Looking for corrections …"))

    def mend(self, check: Check) -> None:
        """Show the suggested corrections, and the argument."""
        choices = self.query_one("#corrections", OptionList)
        choices.clear_options()
        choices.add_options(
            [Option(_choice(number, each)) for number, each in enumerate(check.corrections, 1)]
        )
        choices.highlighted = 0 if check.corrections else None
        self.query_one("#clash-why", Static).update(check_text(check))


def _choice(number: int, correction: Correction) -> Text:
    chance = "100" if correction.probability == 1 else percent(correction.probability)
    text = Text(f"{number}  {chance:>3} %  ")
    for place, change in enumerate(correction.changes):
        where = "header" if change.entry is None else f"entry {change.entry}"
        text.append(f"{' and ' * bool(place)}{where}: ", "bold")
        text.append(change.after)
    return text
