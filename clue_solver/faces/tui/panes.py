"""The panes of a game's screen other than the sheet: advice, log and input line."""

from collections.abc import Collection, Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from clue_solver.answers.report import Report
from clue_solver.faces.feed import TextRemark
from clue_solver.faces.tui.line import InputLine
from clue_solver.views.reports import likeliest, settled_lines

_MOST_NEW = 12
"""
How many facts that the last entry settled are listed at most.

If there are more, none are: a logged hand settles more than anybody reads.
"""

_NUMBER = 4
"""The width of an entry's number, in terminal columns. Further lines of the entry are indented."""


class LogPane(OptionList):
    """The list of entries, each shown in full; the last one is kept in view."""

    def __init__(self) -> None:
        super().__init__(id="log", markup=False, compact=True)
        self.border_title = "Log"

    def write(self, entries: Iterable[str], clash: Collection[int]) -> None:
        """Show entries, highlight the last, and mark those whose numbers are in `clash`."""
        self.clear_options()
        for number, entry in enumerate(entries, 1):
            row = Grid.grid()
            row.add_column(width=_NUMBER)
            mark, style = ("✗", "bold") if number in clash else (" ", "")
            row.add_row(f"{mark}{number:>2}", entry, style=style)
            self.add_option(Option(row))
        self.highlighted = self.option_count - 1 if self.option_count else None
        self.on_resize()

    def on_resize(self) -> None:
        """Keep the highlighted entry in view."""
        self.call_after_refresh(self.scroll_to_highlight)


class AdvicePane(VerticalScroll):
    """
    The pane that says what to do, and what is known about the envelope.

    Attributes:
        verdict: The part with advice, or with a question to the person.
        best: The part with the likeliest solutions and what the last entry settled, or with the
            entries that cannot all be true.
    """

    def __init__(self) -> None:
        super().__init__(id="side")
        self.verdict = Static("working …", id="verdict", markup=False)
        self.verdict.border_title = "What to do"
        self.best = Static(id="best", markup=False)
        self.best.border_title = "Envelope"

    def compose(self) -> ComposeResult:
        yield self.verdict
        yield self.best

    def advise(self, text: str, remark: str = "", *, certain: bool = False) -> None:
        """Show advice or a question, with a remark; advice can be marked as `certain`."""
        self.verdict.update(Text.assemble((text, "bold"), f"\n{remark}" if remark else ""))
        self.verdict.set_class(certain, "-certain")
        self.verdict.display = bool(text)

    def show_findings(self, report: Report, most: int) -> None:
        """Show the `most` likeliest solutions, at least three, and what the last entry settled."""
        best = Grid.grid(padding=(0, 1, 0, 0))
        for chance, cards in likeliest(report, max(3, most)):
            names = (Text(card, no_wrap=True, overflow="ellipsis") for card in cards)
            best.add_row(f"{chance:>4}", *names)
        rest = len(report.solutions) - best.row_count
        lines = [f"       and {rest:,} more"] if rest else []
        if len(report.new) <= _MOST_NEW:
            lines += settled_lines(report)
        below = Text("\n".join(lines), no_wrap=True, overflow="ellipsis")
        parts: list[RenderableType] = [best, below] if lines else [best]
        self.best.update(Group(*parts))

    def show_clash(self, entries: Iterable[tuple[str, str]]) -> None:
        """Show the entries that cannot all be true, each given by number and line."""
        why = "\n".join(f"{number:>2} {line}" for number, line in entries)
        self.best.update(why or "No deal fits: check players and hands.")


class Note(Static):
    """A text. The screen is laid out again only if the number of its lines changes."""

    def show(self, text: str) -> None:
        """Show a text."""
        if text == self.content:
            return
        before = self._count_lines()
        self.update(text, layout=False)
        self.clear_cached_dimensions()
        if self._count_lines() != before:
            self.refresh(layout=True)

    def _count_lines(self) -> int:
        """Return how many terminal lines the text takes."""
        return self.get_content_height(self.size, self.app.size, self.content_size.width)


class LinePane(Vertical):
    """
    The input line, with completions above it and messages below it.

    Attributes:
        line: The input line.
        said_of: The text of the input line when the last message was shown.
    """

    def __init__(self, line: InputLine) -> None:
        super().__init__(id="telling")
        self.line = line
        self.said_of = ""
        self._said = ""
        self._matches = Note(id="matches", markup=False)
        self._prompt = Static(id="prompt", markup=False)
        self._note = Note(id="note", markup=False)

    def compose(self) -> ComposeResult:
        yield self._matches
        with Horizontal(id="typing"):
            yield self._prompt
            yield self.line
        yield self._note

    def write_prompt(self, before: str, placeholder: str) -> None:
        """Write what stands before the line, and the hint that an empty line shows."""
        if (before, placeholder) != (self._prompt.content, self.line.placeholder):
            self.line.placeholder = placeholder
            self._prompt.update(before)

    def offer(self, labels: Sequence[str]) -> None:
        """Show above the line the labels of its completions, of which Tab takes the first."""
        self._matches.display = bool(labels or self.line.value)
        self._matches.show(" · ".join(labels))

    def say(self, text: str) -> None:
        """Show a message below the line, until the text of the line changes."""
        self.said_of, self._said = self.line.value, text
        self._note.show(text)

    def say_besides(self, text: str) -> None:
        """Add a message to the one that is shown below the line."""
        self._said = "\n".join(filter(None, (self._said, text)))
        self._note.show(self._said)

    def remark(self, remark: TextRemark, lead: str = "") -> None:
        """
        Show a remark below the line, at the column that it is about.

        Args:
            remark: The remark.
            lead: What to write before it.
        """
        if remark.column is None:
            self.say(f"{lead or '✗ '}{remark.text}" if remark.wrong else remark.text)
            return
        start = self.line.region.x - self._note.content_region.x
        before = start + remark.column - self.line.scroll_offset.x
        self.say(f"{' ' * max(0, min(before, self.line.size.width))}^ {lead}{remark.text}")
