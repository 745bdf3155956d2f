"""The panes of a game's screen: sheet, advice, log and line, drawn from what feeds the game."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from functools import partial
from threading import Lock
from typing import ClassVar, TypeVar

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.markup import escape
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static, Tab, Tabs
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from clue_solver.answers.corrections import Check
from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.errors import ClueError, counted, printable
from clue_solver.faces.feed import Feed
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.tui.dialogs import Choose
from clue_solver.faces.tui.line import InputLine
from clue_solver.faces.tui.sheet import SheetPane, SheetTable
from clue_solver.game import Game
from clue_solver.views.checks import NO_CORRECTION, correction_text
from clue_solver.views.reports import quote, settled_lines

Found = TypeVar("Found")

PANES = {"sheet": "Sheet", "log": "Log", "side": "Advice"}
"""The panes of a narrow screen, which shows one at a time."""

_MOST_NEW = 12
"""The most settled facts that are listed; a hand settles more than anybody reads."""

_BESIDE = 28
"""The columns that the input line needs beside the sheet; with fewer it is below."""

_NUMBER = 4
"""The columns of an entry's number; the following lines of a long entry are indented by them."""

WIDEST = 92
"""The most columns of a text dialog."""


class Log(OptionList):
    """The list of entries, each shown in full; the last one is kept in view."""

    def write(self, entries: Iterable[str], clash: Collection[int]) -> None:
        """Show entries, highlight the last, and mark those that cannot all be true."""
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


class Note(Static):
    """A text whose screen is laid out again only if the number of its lines changes."""

    def show(self, text: str | Text) -> None:
        """Show a text."""
        if text == self.content:
            return
        before = self._count_lines()
        self.update(text, layout=False)
        self.clear_cached_dimensions()
        if self._count_lines() != before:
            self.refresh(layout=True)

    def _count_lines(self) -> int:
        return self.get_content_height(self.size, self.app.size, self.content_size.width)


class Panes(Screen[None]):
    """
    The panes of one game.

    Attributes:
        feed: What feeds the game: a person who logs, or a referee who deals.
        drawn: The report of the current log; `None` before the first.
        check: The corrections of a contradictory log, once they are found.
        line, matches: The input line, and above it what may follow.
        sheet, entries: The sheet and the log.
        note: The message below the line.
    """

    AUTO_FOCUS: ClassVar[str] = "#line"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide"), (120, "-framed")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-usual"), (32, "-tall")]  # noqa: RUF012

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self.feed = feed
        self.session = feed.session
        self.drawn: Report | None = None
        self.check: Check | None = None
        self._shown: Report | None = None  # what the sheet shows: of a clash a provisional one
        self.line = InputLine()
        self.matches = Note(id="matches", markup=False)
        self.sheet = SheetTable()
        self.cards = SheetPane(self.sheet)
        self.entries = Log(id="log", markup=False, compact=True)
        self.note = Note(id="note", markup=False)
        self._said_of = ""  # the line as it was when something was said under it
        self._note: str | Text = ""
        self._prompt = ("", "")
        self._searches: dict[str, Lock] = defaultdict(Lock)  # one at a time of each kind

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static(id="banner", markup=False)
        yield Tabs(*(Tab(title, id=f"to-{pane}") for pane, title in PANES.items()))
        with Container(id="room"):
            yield self.cards
            with VerticalScroll(id="side"):
                yield Static("working …", id="verdict", markup=False)
                yield Static(id="best", markup=False)
            yield self.entries
            with Vertical(id="telling"):
                yield self.matches
                with Horizontal(id="typing"):
                    yield Static(id="prompt", markup=False)
                    yield self.line
                yield self.note
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Draw the game."""
        self.query_one(Tabs).can_focus = False
        titles = {"#verdict": "What to do", "#best": "Envelope", "#log": "Log"}
        for pane, title in titles.items():
            self.query_one(pane).border_title = title
        self._write()
        self.call_after_refresh(self.redraw)  # it is seen before anything is thought of

    def redraw(self) -> None:
        """Draw the log and the head at once, and the rest as soon as it is computed."""
        self._write()
        game = self.session.game
        self.think("report", lambda: [game.report()], partial(self._draw, game))

    def _write(self) -> None:
        """Write the log, the prompt, the head with turn and viewer, and warnings."""
        self._write_log()
        self.write_prompt()
        session, record, turn = self.session, self.session.record, self.feed.turn
        viewer = record.table.viewer
        begin = "the game is over" if record.finished else f"{turn}'s turn"
        parts = [begin] if record.finished or turn else []
        parts += [counted(len(session.lines), "entry"), self.feed.whose, record.table.edition.title]
        self.query_one("#head", Static).update(" · ".join(parts))
        self.sheet.border_title = escape(self.feed.whose)
        self.query_one("#telling").set_class(turn is not None and turn == viewer, "-own")
        trouble = printable(str(session.trouble or ""), most=300)
        self.show_banner(f"! not saved: {trouble}; the game continues in memory" if trouble else "")
        if self.feed.replacement_for_advice is not None:
            self.write_verdict(*self.feed.replacement_for_advice)
        self.refresh_bindings()

    def write_prompt(self) -> None:
        """Write the prompt and the placeholder of the line."""
        before, placeholder = self.feed.prompt(self.line.value)
        if (before, placeholder) != self._prompt:
            self._prompt = before, placeholder
            self.line.placeholder = placeholder
            self.query_one("#prompt", Static).update(before)

    def _write_log(self) -> None:
        """Write the entries, with a mark on those that cannot all be true."""
        clash = () if self.drawn is None else self.drawn.conflict
        self.entries.write(self.feed.log(), clash)

    def show_banner(self, text: str) -> None:
        """Show a message above the sheet; an empty one hides the banner."""
        banner = self.query_one("#banner", Static)
        banner.update(text)
        banner.display = bool(text)

    # What is thought.

    def think(
        self,
        kind: str,
        find: Callable[[], Iterable[Found]],
        show: Callable[[Found], object],
        failed: Callable[[ClueError], object] | None = None,
    ) -> None:
        """
        Find something in a thread, and show it.

        Args:
            kind: What is looked for. A search ends the one before it of its kind, and begins once
                that has come to its end; searches of other kinds go on beside it.
            find: Returns what is to be shown.
            show: Shows one of these things.
            failed: Shows an error; by default below the line.
        """

        lock = self._searches[kind]

        def look() -> None:
            worker = get_current_worker()
            try:
                with lock:
                    if worker.is_cancelled:
                        return
                    for found in find():
                        self.call_later(show, found)
                        if worker.is_cancelled:
                            return
            except ClueError as error:
                self.call_later(failed or (lambda error: self.say(str(error))), error)

        self.run_worker(look, thread=True, exclusive=True, group=kind)

    def _find_advice(self, game: Game) -> None:
        """Look for advice or corrections, once the sheet is on the screen and waits for nothing."""
        if game is self.session.game:
            find = partial(self.feed.thoughts, game)
            self.think("thoughts", find, partial(self._tell, game))

    def _tell(self, game: Game, thought: Thought) -> None:
        """Show a thought: advice, or how to correct a contradictory log."""
        if game is not self.session.game:
            return
        if self.drawn is not None and self.drawn.consistent:
            self.write_verdict(thought.text, thought.remark, certain=thought.certain)
            return
        self.check = thought.check
        remark = ""
        if self.check is not None:
            remark = "F5 corrects that." if self.check.corrections else NO_CORRECTION
        self.write_verdict(f"✗ {thought.text}.", remark)
        self.refresh_bindings()
        if thought.likeliest is not None:
            sheet, correction = thought.likeliest
            self.draw_sheet(sheet)
            self.show_banner(f"Provisional, with this correction: {correction_text(correction)}")

    def write_verdict(self, text: str, remark: str = "", *, certain: bool = False) -> None:
        """Show advice, or a question to the person, with a remark."""
        verdict = self.query_one("#verdict", Static)
        verdict.update(Text.assemble((text, "bold"), f"\n{remark}" if remark else ""))
        verdict.set_class(certain, "-certain")
        verdict.display = bool(text)

    def _draw(self, game: Game, report: Report) -> None:
        """Draw a report; if the log contradicts itself, the sheet stays as it is."""
        if game is not self.session.game:
            return
        was, self.drawn, self.check = self.drawn, report, None
        clashed = was is not None and bool(was.conflict)
        best = self.query_one("#best", Static)
        if report.consistent:
            self.draw_sheet(report)
            best.update(_findings(report, self.size.height // 5))
            if clashed:
                self.say_besides("The entries are consistent again.")
        else:
            clash = quote(game.lines, report.conflict)
            why = "\n".join(f"{number:>2} {line}" for number, line in clash)
            best.update(why or "No deal fits: check players and hands.")
        self.refresh_bindings()
        if report.conflict or clashed:
            self._write_log()
        if self.feed.hints == "advice" or not report.consistent:
            self.call_after_refresh(self._find_advice, game)

    def draw_sheet(self, report: Report) -> None:
        """Draw the sheet of a report, as far as the hints allow."""
        self._shown = report
        kinds = len(report.table.edition.category)
        tall = self.size.height >= len(report.cards) + kinds + 6
        self.sheet.roomy = tall and self.size.width >= 100
        self.sheet.show(report, self.feed.hints)
        self.set_class(self.sheet.columns_wide + _BESIDE > self.size.width, "-full")
        self.call_after_refresh(self.cards.on_resize)
        if isinstance(self.app.screen, Choose):  # it covers a pane that may be narrower now
            self.call_after_refresh(self.app.screen.on_resize)
        self.query_one("#best").display = self.feed.hints in ("sheet", "advice")

    def on_resize(self) -> None:
        """Draw the sheet again in its new size."""
        if self._shown is not None:
            self.draw_sheet(self._shown)

    # What is said.

    def say(self, text: str | Text) -> None:
        """Show a message below the line, until the line changes."""
        self._said_of, self._note = self.line.value, text
        self.note.show(text)

    def say_besides(self, text: str) -> None:
        """Add a message to the one below the line."""
        self._note = Text("\n").join(Text.assemble(each) for each in (self._note, text) if each)
        self.note.show(self._note)

    def say_ahead(self, text: str | Text) -> None:
        """Show what the line means so far, unless something is said of it as it stands."""
        if self.line.value != self._said_of:
            self.say(text)


def _findings(report: Report, most: int) -> RenderableType:
    """Return the likeliest solutions, and what the last entry settled."""
    certain, shown = len(report.solutions) == 1, report.solutions[: max(3, most)]
    likeliest = Grid.grid(padding=(0, 1, 0, 0))
    for cards, chance in shown:
        names = (Text(card, no_wrap=True, overflow="ellipsis") for card in cards)
        likeliest.add_row(f"{'100' if certain else percent(chance):>3}%", *names)
    rest = len(report.solutions) - len(shown)
    lines = [f"       and {rest:,} more"] if rest else []
    if len(report.new) <= _MOST_NEW:
        lines += settled_lines(report)
    below = Text("\n".join(lines), no_wrap=True, overflow="ellipsis")
    return Group(likeliest, below) if lines else likeliest
