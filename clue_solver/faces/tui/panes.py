"""
What stands beside the sheet: findings, the log, the clash that takes the sheet's place; and what
opens over the screen: a text to read, one line to fill in.
"""

from collections.abc import Callable, Collection, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.measure import Measurement
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

from clue_solver.answers.corrections import Check, Correction
from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.conversation.commands import COMMANDS, GameCommand
from clue_solver.errors import ClueError
from clue_solver.faces.helping import FORMS
from clue_solver.views.document import fitting, labelled, render
from clue_solver.views.reports import quoted, settled_lines

_DIALOG = 100
"""The columns of a dialog, at most."""


class TextDialog(ModalScreen[str | None]):
    """A text to read and close."""

    foot = "Esc closes, arrows scroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,f1", "dismiss", "Close"),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-8)", show=False),
        Binding("pagedown,space", "scroll(8)", show=False),
        Binding("home", "scroll(-9999)", show=False),
        Binding("end", "scroll(9999)", show=False),
    ]

    def __init__(self, title: str, text: RenderableType) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(self._title, "bold"), classes="dialog-title")
            with VerticalScroll(can_focus=False):
                yield Static(self._text, id="reading", markup=False)
            yield Static(self.foot, classes="dialog-foot", markup=False)

    def on_mount(self) -> None:
        """Make it as wide as what is to be read; its frame and a scroll bar take five columns."""
        options = self.app.console_options.update_width(_DIALOG)
        read = Measurement.get(self.app.console, options, self._text).maximum
        widest = max(read, cell_len(self._title), cell_len(self.foot))
        self.query_one(Vertical).styles.width = min(_DIALOG, widest + 5)

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False, immediate=True)

    def on_click(self) -> None:
        self.dismiss()


ADVISED = {
    "at": "The one room that you are in, or the suspect on whose start square you are",
    "roll": "What you rolled",
    "dice": "The suspects of the dice, such as: plum, green, white",
}
"""What advice may be asked for besides, and how it is asked for."""


class Advising(TextDialog):
    """Advice to read; one key says where one is, or what was rolled."""

    foot = "r: my room   o: my roll   d: my dice   Esc closes"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "dismiss('at')", "Room"),
        Binding("o", "dismiss('roll')", "Roll"),
        Binding("d", "dismiss('dice')", "Dice"),
    ]


class InputDialog(ModalScreen[bool]):
    """
    One line to fill in; what is wrong with it is said while it stays.

    What it has at first is replaced by what is typed where it is `offered`, else gone on with.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Leave")]

    def __init__(
        self, title: str, value: str, use: Callable[[str], object], *, offered: bool = False
    ) -> None:
        """Hold what is asked for, what the line has at first, and what takes it or raises."""
        super().__init__()
        self._title = title
        self._value = value
        self._use = use
        self._offered = offered

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(self._title, "bold"), classes="dialog-title")
            yield Input(self._value, id="filling", compact=True, select_on_focus=self._offered)
            yield Static(id="wrong", markup=False)
            yield Static("Enter accepts, Esc leaves", classes="dialog-foot", markup=False)

    def action_back(self) -> None:
        """Leave; what was typed goes by the second Escape."""
        typed = self.query_one(Input).value
        if typed == self._value:
            self.dismiss(False)
        self._value = typed
        self.query_one("#wrong", Static).update("Esc once more leaves it as it was")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            self._use(event.value)
        except ClueError as error:
            self.query_one("#wrong", Static).update(Text(str(error)))
        else:
            self.dismiss(True)


_NUMBER = 4


Forms = tuple[str, ...]
"""An entry in words, in full first, then ever shorter."""


class LogView(OptionList):
    """The entries with their numbers, in order; the last one in sight."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("delete", "screen.delete", "Delete", show=False),
        Binding("insert", "screen.insert", "Insert", show=False),
        Binding("space", "screen.as_of", "As of here", show=False),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False, compact=True)
        self._shown: list[Text] = []
        self._told: tuple[tuple[Forms, ...], int | None, tuple[int, ...]] = ((), None, ())

    def on_resize(self) -> None:
        """Fit the entries to the new width."""
        lines, upto, conflict = self._told
        self.write(lines, upto=upto, conflict=conflict)

    @property
    def entry(self) -> int | None:
        return None if self.highlighted is None else self.highlighted + 1

    def write(
        self,
        lines: Sequence[Forms],
        *,
        upto: int | None = None,
        conflict: Collection[int] = (),
    ) -> None:
        """
        Show the entries, each on a line of its own, in the longest form for which there is room.

        Those after `upto` are dimmed, those that cannot all be true are marked.

        The last one that counts is highlighted; where the same entries are drawn again, whichever
        was stays so, for somebody may be choosing among them.
        """
        place = (len(lines) if upto is None else max(1, upto)) - 1
        if self._told[:2] == (tuple(lines), upto) and self.highlighted is not None:
            place = self.highlighted
        self._told = (tuple(lines), upto, tuple(conflict))
        width = max(20, self.scrollable_content_region.width) - _NUMBER
        wanted = [
            _numbered(
                number,
                fitting(
                    next((form for form in forms if cell_len(form) <= width), forms[-1]), width
                ),
                later=upto is not None and number > upto,
                clashing=number in conflict,
            )
            for number, forms in enumerate(lines, 1)
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
            self.highlighted = place
        self.call_after_refresh(self.scroll_to_highlight)


def _numbered(number: int, line: str, *, later: bool, clashing: bool) -> Text:
    """Return an entry with its number."""
    mark = "✗" if clashing else " "
    style = "dim strike" if later else "bold" if clashing else ""
    return Text(f"{mark}{number:>2} {line}", style)


class Findings(Widget, can_focus=True):
    """What was found, drawn line by line; a sign says that it goes on, and arrows lead there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "move(-5)", "Page up", show=False),
        Binding("pagedown", "move(5)", "Page down", show=False),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._found: Callable[[int], RenderableType] = lambda _: Text()
        self._lines: list[list[Segment]] = []
        self._top = 0

    def write(self, found: Callable[[int], RenderableType]) -> None:
        """Show what is found for so many rows."""
        self._found = found
        self._top = 0
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
        width = self.size.width
        place = self._top + y
        line = self._lines[place] if place < len(self._lines) else []
        strip = Strip(line).adjust_cell_length(width).apply_style(self.rich_style)
        if y == self.size.height - 1 and place + 1 < len(self._lines):
            more = Segment("▼", self.rich_style)
            strip = Strip([*strip.crop(0, width - 1), more])
        return strip

    def _draw(self) -> None:
        options = self.app.console_options.update_width(max(1, self.size.width))
        found = self._found(self.size.height)
        self._lines = self.app.console.render_lines(found, options, pad=False)
        self.refresh()


def findings(report: Report, height: int) -> RenderableType:
    """
    Return the likeliest solutions and what the last entry, or the supposition, settled.

    Five of the solutions at least, as many more as there is height for.
    """
    if not report.consistent:
        return Text("The entries contradict each other.", "bold")
    most = max(5, height - 5)
    best = report.solutions[:most]
    sure = len(report.solutions) == 1
    rows = [
        ("100 %" if sure else f"{percent(solution.probability)} %", ", ".join(solution.cards))
        for solution in best
    ]
    if len(report.solutions) > most:
        rows.append(("", f"and {len(report.solutions) - most:,} more"))
    parts = [labelled("The solution" if sure else "Likeliest", rows)]
    by = "the supposition" if report.supposed else f"entry {report.entries}"
    new = [("", line) for line in settled_lines(report)]
    if new:
        parts += [labelled(f"New with {by}", new)]
    elif report.entries:
        parts += [Text(f"Nothing new with {by}", "dim")]
    return Group(*parts)


class Clash(VerticalScroll, can_focus=True):
    """A log that contradicts itself: the entries, and the corrections to choose from."""

    def compose(self) -> ComposeResult:
        yield Static(id="clash-head", markup=False)
        yield OptionList(id="corrections", markup=False, compact=True)
        yield Static(id="clash-why", markup=False)

    def tell(self, report: Report, lines: Sequence[str]) -> None:
        """Show the conflict; the corrections are still looked for."""
        head: RenderableType = Text(
            "No deal fits the header: check its players, hand sizes and cards.", "bold"
        )
        if report.conflict:
            title = "✗ These entries cannot all be true"
            head = labelled(title, quoted(lines, report.conflict))
        self.query_one("#clash-head", Static).update(head)
        self.query_one("#corrections", OptionList).clear_options()
        self.query_one("#clash-why", Static).update(Text("Looking for corrections …"))

    def mend(self, check: Check) -> None:
        """Show the suggested corrections, and the argument."""
        offer_corrections(self.query_one("#corrections", OptionList), check)
        self.query_one("#clash-why", Static).update(render(check))


_SIGNS = {
    "question_mark": "?",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "escape": "Esc",
}


_ACTIONS = {
    "quit": "app.quit",
    "lists": "choose",
    "show": "showings",
    "fix": "corrections",
    "recall": "recall(-1)",
    "if": "what_if",
    "earlier": "as_of(-1)",
    "later": "as_of(1)",
    "light": "app.turn_light",
} | {part: f"header('{part}')" for part in ("hands", "seats", "pieces", "first", "house")}
"""What the screen does for a command, where it is not called as its word."""

_TYPED = ("edit", "insert", "delete", "check", "log", "sheet", "best", "board", "as", "suppose")
"""The commands that nothing but their words does."""


def action_of(command: GameCommand) -> str:
    """Return what the screen does for a command: what needs more than its word is begun."""
    word = command.word
    if word not in _TYPED:
        return _ACTIONS.get(word, word)
    begins = command.example and word != "sheet"
    return f"begin('{word}')" if begins else f"tell('{word}')"


def pressed(command: GameCommand) -> tuple[str, ...]:
    """Return the keys of a command as a keyboard has them."""
    parts = (key.split("+") for key in command.keys.split(",") if key)
    return tuple("+".join(_SIGNS.get(part, part.title()) for part in key) for key in parts)


def help_text() -> RenderableType:
    """Return the help: how a line is typed, and all commands; it wraps to any width."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(min_width=10)
    grid.add_column(no_wrap=True)
    grid.add_column()
    for command in COMMANDS:
        does = command.does
        if command.example:
            does = f"/{command.word} {command.example}: {does}"
        grid.add_row(" ".join(pressed(command)), f"/{command.word}", Text(does))
    lines = Table.grid(padding=(0, 2, 0, 0))
    for line, meaning in FORMS:
        lines.add_row(Text(f"  {line}"), Text(meaning))
    how = Text("Type what happens, in full or in short, then Enter:")
    return Group(how, lines, Text(_TYPING), grid, Text(_PLACES))


_TYPING = """\
- says that nobody showed; small words do not matter: plum with the rope in the hall. \
# begins a comment.
Tab accepts the match, Up and Down choose another one; where it asks "did you mean", Tab says \
yes. What is doubtful is asked \
under the line: a number or some letters, then Enter, answer; Enter alone does not, \
Esc goes back to the line. Another line may be typed at once: the one that is asked \
about is left, Ctrl+Up brings it back. An answer that was missed is typed later: cat mus.
Up just after a line was taken, or Ctrl+Up, brings earlier lines back.

A record begins with what stays the same: edition, players, hands, viewer, face-up, \
face-down, order, answers, shows, asks, board, notch, sizes, names, first (who begins), \
pieces (who plays whom), solution (told afterwards). F4, /seats, /pieces and /first \
change four of them; the others are changed in the file, which is read again at once.

Every command is a key, a word in the line (with / or without), and in Ctrl+P:
"""
_PLACES = """
With nothing typed the arrows move the cursor on the sheet, Enter asks why.
In the sheet: w why, i what if. In the log: Enter edits, Ins puts one in before, Del takes out, \
Space shows the game as of that entry. Where advice is shown, r is for your room, o for your roll, \
d for your dice.
✓ has it  · cannot have it  number: chance in percent  ✗ contradicts the log"""


class Correcting(ModalScreen[int | None]):
    """The corrections of a log that contradicts itself, likeliest first, to choose from."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Leave"),
        Binding("f5", "first", "Make it", show=False),
    ]

    def __init__(self, check: Check, typed: str = "") -> None:
        """Hold what was found, and a digit that was typed already."""
        super().__init__()
        self._check = check
        self._typed = typed

    def compose(self) -> ComposeResult:
        count = len(self._check.corrections)
        with Vertical(classes="dialog"):
            title = f"{count} corrections, likeliest first" if count > 1 else "The correction"
            yield Static(Text(title, "bold"), classes="dialog-title")
            lines = dict(enumerate(self._check.lines, 1))
            clash = [(str(entry), lines.get(entry, "")) for entry in self._check.conflict or ()]
            with VerticalScroll(id="clash-lines", can_focus=False):
                clashing = labelled("These cannot all be true", clash)
                yield Static(clashing, id="clashing", markup=False)
            yield OptionList(id="all-corrections", markup=False, compact=True)
            yield Static(id="making", classes="dialog-foot", markup=False)

    def on_mount(self) -> None:
        choices = self.query_one(OptionList)
        offer_corrections(choices, self._check)
        if self._typed:
            choices.highlighted = int(self._typed) - 1

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        foot = f"Enter makes correction {event.option_index + 1}; a number or arrows choose"
        self.query_one("#making", Static).update(f"{foot}, Esc leaves")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_index + 1)

    def action_first(self) -> None:
        self.dismiss((self.query_one(OptionList).highlighted or 0) + 1)

    def take_key(self, _key: str, mark: str | None) -> bool:
        """Mark the correction of a number, which a second digit may go on; only Enter makes it."""
        count = len(self._check.corrections)
        if mark is None or not mark.isdigit():
            self._typed = ""
            return False
        typed = next((n for n in (self._typed + mark, mark) if 1 <= int(n) <= count), "")
        if typed:
            self.query_one(OptionList).highlighted = int(typed) - 1
        self._typed = typed
        return True


def offer_corrections(choices: OptionList, check: Check) -> None:
    """List all corrections of a log, the likeliest one highlighted."""
    choices.clear_options()
    choices.add_options(
        [
            Option(_choice(number, correction))
            for number, correction in enumerate(check.corrections, 1)
        ]
    )
    choices.highlighted = 0 if check.corrections else None


def _choice(number: int, correction: Correction) -> RenderableType:
    chance = "100" if correction.probability == 1 else percent(correction.probability)
    text = Text()
    for place, change in enumerate(correction.changes):
        where = "header" if change.entry is None else f"entry {change.entry}"
        if place:
            text.append(" and ", "bold")
        text.append(f"{where}: ", "bold")
        text.append(change.after)
    row = Table.grid(padding=(0, 1, 0, 0))
    row.add_column(min_width=2)
    row.add_column(justify="right", min_width=5, no_wrap=True)
    row.add_row(str(number), f"{chance} %", text)
    return row
