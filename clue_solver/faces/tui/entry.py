"""
Telling an entry: the line that is typed, with the list of what it may become and what is said under
it; or what happened, chosen from lists, with no notation to know.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.suggester import Suggester
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from clue_solver.conversation.dialog import Asking, Dialog
from clue_solver.conversation.questions import DoubtChoice
from clue_solver.errors import NotationError
from clue_solver.faces.asking import Prompt, asked_after
from clue_solver.notation import Completion, TurnState
from clue_solver.notation.names import Names
from clue_solver.notation.reading import Reading
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table


class EntryLine(Input):
    """The line where everything is typed; what is pasted is for the screen to take."""

    virtual_size = Reactive(
        Size(0, 0), layout=False
    )  # a longer text moves nothing else on the screen

    def __init__(self, rest: Callable[[str], str | None], *, id: str) -> None:
        super().__init__(
            id=id, compact=True, select_on_focus=False, suggester=Rest(rest), max_length=9_999
        )

    def on_paste(self, event: events.Paste) -> None:
        event.prevent_default()

    @property
    def waits(self) -> Text:
        """What to say of a line that was left without its answer; empty if there is none."""
        return Text()

    def write(self, text: str) -> None:
        """Let a text stand in the line."""
        self.value = text
        self.cursor_position = len(text)
        self.screen.set_focus(self)

    def watch_selection(self) -> None:
        """Keep the cursor in sight, at once: what is pasted is scrolled with no layout after it."""
        before = cell_len(self.value[: self.cursor_position])
        if 0 <= before - self.scroll_offset.x < self.size.width - 1:
            return
        self.virtual_size = Size(self.content_width, 1)
        region = Region(before, 0, 2, 1)
        self.scroll_to_region(region, force=True, animate=False, immediate=True)

    def render_line(self, y: int) -> Strip:
        """Return a row of the line; what is cut at its beginning has a sign."""
        strip = super().render_line(y)
        first = self.scroll_offset.x
        if y or not first or cell_len(self.value[: self.cursor_position]) == first:
            return strip
        return Strip.join([Strip([Segment("…", self.rich_style)]), strip.crop(1)])

    def on_resize(self) -> None:
        """Keep the cursor in sight: what stands before the line may have become longer."""
        self.watch_selection()


class Rest(Suggester):
    def __init__(self, rest: Callable[[str], str | None]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._of = rest

    async def get_suggestion(self, value: str) -> str | None:
        return self._of(value)


_SIGN = 4
"""The columns of the sign for how many matches are out of sight."""


class Matches(Static):
    """
    The list of what the line may become, likeliest first; how many are out of sight stands last.

    Tab would accept the `chosen` one; Enter does if it was `picked` by hand.
    """

    class Clicked(Message):
        """A match was clicked."""

        def __init__(self, match: Completion) -> None:
            self.match = match
            super().__init__()

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self.found: tuple[Completion, ...] = ()
        self.chosen, self.picked = 0, False
        self.clashing: frozenset[str] = frozenset()  # the lines that would contradict the log
        self._spans: list[tuple[int, int, int]] = []  # row, first and last column of each

    @property
    def match(self) -> Completion | None:
        return self.found[self.chosen] if self.chosen < len(self.found) else None

    def offer(self, completions: Sequence[Completion]) -> None:
        """List other matches; nothing is known about clashes yet."""
        self.found = tuple(completions)
        self.chosen = 0
        self.picked = False
        self.clashing = frozenset()
        self._draw()

    def mark(self, clashing: frozenset[str]) -> None:
        """Mark the lines that would contradict the log; Tab accepts the first of the others."""
        self.clashing = clashing
        fits = [place for place, match in enumerate(self.found) if match.line not in clashing]
        if fits and not self.picked:
            self.chosen = fits[0]
        self._draw()

    def choose(self, step: int) -> None:
        if self.found:
            self.chosen = (self.chosen + step) % len(self.found)
            self.picked = True
            self._draw()

    def on_click(self, event: events.Click) -> None:
        for number, (row, first, last) in enumerate(self._spans):
            if row == event.y and first <= event.x < last:
                self.post_message(self.Clicked(self.found[number]))

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        """Write the matches side by side, in rows, from the first that lets the chosen be seen."""
        width, height = max(8, self.size.width), max(1, self.size.height)
        text = Text(no_wrap=True)
        labels = [self._label(match) for match in self.found]
        start = 0
        self._spans = _laid_out(labels, 0, width)
        if self._spans and self._spans[-1][0] >= height:
            width -= _SIGN
        while True:
            self._spans = _laid_out(labels, start, width)
            if self.chosen >= len(self._spans) or self._spans[self.chosen][0] < height:
                break
            start += 1
        row = column = hidden = 0
        for number, (at, first, last) in enumerate(self._spans):
            if number < start or at >= height:
                hidden += 1
                continue
            text.append("\n" * (at - row))
            column = column if at == row else 0
            text.append(" " * (first - column))
            text.append(self._label(self.found[number]), self._style(number))
            row = at
            column = last
        if hidden:
            text.append(f" +{hidden}", "bold")
        self.update(text, layout=False)

    def _label(self, match: Completion) -> str:
        return f" {'✗ ' if match.line in self.clashing else ''}{match.label} "

    def _style(self, number: int) -> Style:
        clashes = self.found[number].line in self.clashing
        return Style(
            reverse=number == self.chosen, strike=clashes, dim=clashes, bold=number == self.chosen
        )


def _laid_out(labels: Sequence[str], start: int, width: int) -> list[tuple[int, int, int]]:
    """Return the row and the columns of each label; those before `start` are out of sight."""
    spans: list[tuple[int, int, int]] = []
    row = column = 0
    for number, label in enumerate(labels):
        if number < start:
            spans.append((-1, 0, 0))
            continue
        size = min(cell_len(label), width)
        if column and column + size > width:
            row = row + 1
            column = 0
        spans.append((row, column, column + size))
        column += size + 1
    return spans


def pointing(reason: str, column: int, width: int) -> Text:
    """
    Return a caret at a column with the reason beside it, or under it where there is no room.

    Where the column is out of sight, an arrow says on which side.

    >>> print(pointing("unknown card 'plmu'", 4, 40))
        ^ unknown card 'plmu'
    >>> print(pointing("unknown card 'plmu'", -3, 40))
    ← unknown card 'plmu'
    """
    if not 0 <= column < width:  # the line is scrolled: that is out of sight
        return Text(f"← {reason}" if column < 0 else f"{reason} →")
    if column + 2 + cell_len(reason) <= width:
        return Text(f"{' ' * column}^ {reason}")
    if cell_len(reason) + 1 <= column:
        return Text(f"{' ' * (column - cell_len(reason) - 1)}{reason} ^")
    return Text(f"{' ' * column}^\n{reason}")


_FOOT = 4
"""The rows under the choices of a question: how many more there are, and what keys do."""


class QuestionKeys:
    """
    What a dialog asks about a line, and the keys that answer.

    Attributes:
        dialog: What asks.
        width, height: How many columns and rows there are for the question.
        typed: How an answer has begun, in small letters: a number, or a word of its label. Only
            Enter answers, so that what is typed in a hurry answers nothing unseen.
    """

    def __init__(self, dialog: Dialog, asking: Asking, *, width: int, height: int = 99) -> None:
        self.dialog = dialog
        self.line = asking.line
        self.doubt = asking.doubt
        self.typed = ""
        self.fit(width, height)

    def fit(self, width: int, height: int) -> None:
        """Let the question have so much room."""
        self.width, self.height = max(width, 20), height

    def type(self, mark: str) -> bool:
        """
        Collect a letter, unless it can be no answer, or another line begins so; whether so.

        What begins as an answer and goes on as nothing at all is one with a slip in it.
        """
        before = self.typed
        self.typed = self.typed + mark.casefold()
        if self.doubt.choices and self.typed.isdigit():  # no line begins so
            return True
        if not self.doubt.fitting(self.typed):
            begun = self.doubt.asked is not None or len(before) > 1
            if not self._answers() and (not begun or self._leads(self.typed)):
                self.typed = before
                return False
        return True

    @property
    def tells(self) -> bool:
        """Whether what is typed is a line by itself."""
        return self.dialog.typed(self.typed).preview.told is not None

    def _answers(self) -> bool:
        """Return whether what is typed may be an answer, or begin one."""
        return self.doubt.asked is not None and self._wrong() is None

    def _wrong(self) -> NotationError | None:
        """Return what is wrong with what is typed as an answer, but for its last word."""
        begun = len(self.typed) - len(self.typed.rpartition(" ")[2])
        try:
            self.dialog.answers(self.typed)
        except NotationError as error:
            return error if error.column < begun else None
        return None

    def _leads(self, line: str) -> bool:
        ahead = self.dialog.typed(line).preview
        return ahead.told is not None or ahead.unfinished

    def near(self) -> tuple[str, ...]:
        """Return the answers that may be meant by what is typed, the nearest first."""
        labels = dict.fromkeys(choice.label for choice in self.doubt.choices)
        return Names("answer", labels).nearest(self.typed)

    def complete(self) -> None:
        """Type the rest of the one answer that is begun, or the nearest of a slip."""
        answers = self.doubt.fitting(self.typed) if self.typed else ()
        if self.typed and not answers and (near := self.near()):
            self.typed = near[0].casefold()
        if len(answers) == 1:
            (answer,) = answers
            self.typed = str(answer.label if isinstance(answer, DoubtChoice) else answer).casefold()

    @property
    def text(self) -> Text:
        """The question, what is typed, the answers still possible, and what else a key does."""
        doubt = self.doubt
        fitting = self.doubt.fitting(self.typed)
        text = Text.assemble((f"? {doubt.question}", "bold"))
        if self.typed:
            text.append(f" {self.typed}_", "bold underline")
        row, begun = divmod(text.cell_len, self.width)
        open_to = [each for each in enumerate(doubt.choices, 1) if each[1] in fitting]
        for place, (number, choice) in enumerate(open_to):
            yes = "/y" if doubt.yes and number == 1 else ""
            mark = f" {number}{yes} "
            size = cell_len(f" {mark} {choice.label}")
            if begun + size > self.width:  # a number stands beside what it is for
                row += 1 + max(0, size - 1) // self.width
                if place and row > self.height - _FOOT:
                    text.append(f"\nand {len(open_to) - place} more: type how it begins", "bold")
                    break
                text.append("\n")
                begun = 0
            text.append(" " * (begun > 0)).append(mark, "bold reverse")
            text.append(f" {choice.label}")
            begun += size
        leave = "Esc or n Enter" if doubt.kind == "clash" or doubt.yes else "Esc"
        back = "back to the line" if self.line else "later"
        text.append(f"   {self._enter()}   {leave}: {back}", "dim")
        return text

    def _enter(self) -> str:
        """Return what Enter does."""
        if not self.typed and self.doubt.kind == "hand":
            return "type them, then Enter   Enter alone: later"
        if not self.typed:  # an Enter too many must not answer what nobody has read
            return "type one, then Enter" if self.doubt.choices else f"y Enter: {_TAKES['yes']}"
        match self.dialog.answer_in(self.typed):
            case DoubtChoice(label=label):
                return f"Enter: {label}"
            case "yes" | "no" as answer:
                return f"Enter: {_TAKES[answer]}"
            case Reading():
                return f"Enter: {self.typed}"
        if self.doubt.fitting(self.typed):
            return "Enter: which?"
        if near := self.near():
            return f"did you mean '{near[0]}'? Tab takes it"
        wrong = self._wrong()
        return f"Enter: {wrong.reason if wrong else 'which?'}"


_TAKES = {"yes": "take it as it stands", "no": "back to the line"}


class Recalled:
    """The lines that were entered, which keys bring back."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = list(lines)
        self._place: int | None = None

    def add(self, *lines: str) -> None:
        """Add lines, the last of which comes back first."""
        self._lines += lines
        self.begin()

    def begin(self) -> None:
        """Begin at the end again."""
        self._place = None

    def shows(self, line: str) -> bool:
        """Return whether this line was brought back last."""
        return self._place is not None and self._lines[self._place] == line

    def step(self, step: int, typed: str = "") -> str | None:
        """
        Return the line before or after the last one; empty behind all, `None` before all.

        What was `typed` in its place comes behind all of them.
        """
        if typed:
            self._lines.append(typed)
            self._place = len(self._lines) - 1
        place = (len(self._lines) if self._place is None else self._place) + step
        if place < 0:
            return None
        self._place = place if place < len(self._lines) else None
        return "" if self._place is None else self._lines[place]


def _has_word(label: str, typed: str) -> bool:
    return f" {typed}" in label


class Choosing(ModalScreen[Observation | None]):
    """One list after the other, until it is clear what happened; Escape goes one question back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,backspace,left", "back", "Back")]

    def __init__(self, table: Table, state: TurnState, own: frozenset[str] | None = None) -> None:
        super().__init__()
        self._table = table
        self._state = state
        self._own = own
        self._chosen: list[str] = []
        self._typed = ""  # how the choice begins that is looked for
        self._question: Prompt | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog lists"):
            yield Static(id="line", markup=False)
            yield Static(id="asked", classes="dialog-title", markup=False)
            yield OptionList(id="choices", markup=False, compact=True)
            foot = "letters find a choice, Enter takes it, Esc goes back"
            yield Static(foot, classes="dialog-foot", markup=False)

    def on_mount(self) -> None:
        self._ask()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self._question is not None:
            self._chosen.append(self._question.choices[event.option_index][1])
            self._ask()

    def action_back(self) -> None:
        """Take the last answer back; leave at the first question."""
        if self._chosen:
            self._chosen.pop()
            self._ask()
        else:
            self.dismiss(None)

    def take_key(self, _key: str, mark: str | None) -> bool:
        """
        Go to the choice that begins as is typed, or has a word that does.

        What can begin none begins anew; the same letter again goes to the next choice.
        """
        if (
            self._question is None
            or not mark
            or not (mark.isalnum() or (mark == " " and self._typed))
        ):
            self._typed = ""
            return False
        choices = self.query_one(OptionList)
        at = choices.highlighted or 0
        labels = [label.casefold() for label, _ in self._question.choices]
        for typed in (self._typed + mark.casefold(), mark.casefold()):
            again = typed == self._typed
            around = [*range(at + again, len(labels)), *range(at + again)]
            for begins in (str.startswith, _has_word):
                for place in around:
                    if begins(labels[place], typed):
                        self._typed = typed
                        choices.highlighted = place
                        return True
        return False

    def _ask(self) -> None:
        """Ask the question that follows from the answers so far."""
        question = asked_after(self._table, self._state, self._chosen, self._own)
        if not isinstance(question, Prompt):
            self.dismiss(question)
            return
        self._question = question
        self._typed = ""
        self.query_one("#line", Static).update(Text(question.line, "dim"))
        self.query_one("#asked", Static).update(Text(question.title, "bold"))
        choices = self.query_one(OptionList)
        choices.clear_options()
        choices.add_options([Option(Text(label)) for label, _ in question.choices])
        choices.highlighted = 0
        self.set_focus(choices)
