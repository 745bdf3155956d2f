"""The screen of a game: sheet, log, advice, and the input line."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Lock
from typing import ClassVar, TypeVar

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.markup import escape
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static, Tab, Tabs
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.conversation.commands import COMMAND, COMMANDS, TypedCommand
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, counted, printable
from clue_solver.faces.answering import answers_to
from clue_solver.faces.helping import help_text, key_of
from clue_solver.faces.line_input import wrap_text
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.thoughts import Thought, thoughts_on
from clue_solver.faces.tui.dialogs import Choose, Reader
from clue_solver.faces.tui.line import CompletionList, InputLine
from clue_solver.faces.tui.sheet import HINTS, Hints, SheetPane, SheetTable
from clue_solver.game import Game
from clue_solver.views.document import render
from clue_solver.views.reports import quote, settled_lines
from clue_solver.views.sentences import brief_texts, correction_text

PANES = {"sheet": "Sheet", "log": "Log", "side": "Advice"}
"""The panes of a narrow screen, which shows one at a time."""

ELSEWHERE = ("quit", "light", "new", "practise")
"""The commands that the application runs."""

_MOST_NEW = 12
"""The most settled facts that are listed; a hand settles more than anybody reads."""

_BESIDE = 28
"""The columns that the input line needs beside the sheet; with fewer it is below."""

_NUMBER = 4
"""The columns of an entry's number; the following lines of a long entry are indented by them."""

_WIDEST = 92
"""The most columns of a text dialog."""

Found = TypeVar("Found")


class Log(OptionList):
    """The list of entries, each shown in full; the last one is kept in view."""

    def __init__(self) -> None:
        super().__init__(id="log", markup=False, compact=True)
        self._written: list[tuple[str, str]] = []
        self._width = 0  # the columns that it is written for

    def write(self, entries: Iterable[tuple[str, str]]) -> None:
        """Show entries, each as text and style, and highlight the last."""
        self._written = [*entries]
        self._draw(len(self._written) - 1 if self._written else None)

    def on_resize(self) -> None:
        """Wrap the entries again if the width has changed; keep the highlighted one in view."""
        if self.scrollable_content_region.width != self._width:
            self._draw(self.highlighted)
        else:
            self.call_after_refresh(self.scroll_to_highlight)

    def _draw(self, marked: int | None) -> None:
        self._width = self.scrollable_content_region.width
        width = self._width or _WIDEST
        self.clear_options()
        self.add_options(
            Option(Text(_wrap_entry(text, width), style)) for text, style in self._written
        )
        self.highlighted = marked
        self.call_after_refresh(self.scroll_to_highlight)


class GameScreen(Screen[None]):
    """
    The panes of a game and its commands; subclasses handle what is typed.

    Attributes:
        words: The commands of this screen.
        how: How to play, for the help; empty if the game is logged.
        session: The game.
        hints: How much the program shows of what it knows.
        drawn: The report of the current log; `None` before the first.
        line, matches: The input line and its completions.
        sheet, entries: The sheet and the log.
        note: The message below the line.
    """

    AUTO_FOCUS: ClassVar[str] = "#line"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide"), (120, "-framed")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-usual"), (32, "-tall")]  # noqa: RUF012

    words: ClassVar[tuple[str, ...]] = tuple(COMMAND)
    how: ClassVar[str] = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            command.keys,
            f"do('{command.word}')",
            command.label,
            show=bool(command.label),
            key_display=key_of(command),
        )
        for command in COMMANDS
        if command.keys and command.word not in ELSEWHERE
    ]
    hints: Hints = "advice"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.drawn: Report | None = None
        self._shown: Report | None = None  # what the sheet shows: of a clash a provisional one
        self.line = InputLine()
        self.matches = CompletionList()
        self.sheet = SheetTable()
        self.cards = SheetPane(self.sheet)
        self.entries = Log()
        self.note = Static(id="note", markup=False)
        self._said_of = ""  # the line as it was when something was said under it
        self._note: str | Text = ""
        self._prompt = ("", "")
        self._command = ""  # the command that is done, as it was typed
        self._thinking, self._deciding = Lock(), Lock()

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static(id="banner", markup=False)
        yield Tabs(*(Tab(title, id=f"to-{pane}") for pane, title in PANES.items()))
        with Container(id="room"):
            yield self.cards
            with Vertical(id="side"):
                yield Static(id="verdict", markup=False)
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

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:  # noqa: ARG002
        """Return whether a key does something now; otherwise the footer hides it."""
        match parameters:
            case ("fix",):
                return self.drawn is not None and not self.drawn.consistent
            case ("undo",) if "undo" in self.words:
                return self.session.earlier is not None
            case (str(word),):
                return word in self.words
        return True

    # What a subclass knows.

    def prompt(self) -> tuple[str, str]:
        """Return the text before the line, and the placeholder in it."""
        raise NotImplementedError

    @property
    def turn(self) -> str | None:
        """The player whose turn it is; `None` if that is unknown."""
        return self.session.turn

    def thoughts(self, game: Game) -> Iterator[Thought]:
        """Yield quick advice, then full advice. Runs in a thread."""
        yield from thoughts_on(game)

    # Drawing.

    def redraw(self) -> None:
        """Draw the log and the head at once, and the rest as soon as it is computed."""
        self._write()
        think = partial(self._think, self.session.game)
        self.run_worker(think, thread=True, exclusive=True, group="report")

    def _write(self) -> None:
        """Write the log, the prompt, the head with turn and viewer, and warnings."""
        self._write_log()
        self.write_prompt()
        session, record = self.session, self.session.record
        viewer = record.table.viewer
        whose = "a spectator's notes" if viewer is None else f"{viewer}'s notes"
        turn = "the game is over" if record.finished else f"{self.turn}'s turn"
        parts = [turn] if record.finished or self.turn else []
        parts += [counted(len(session.lines), "entry"), whose, record.table.edition.title]
        self.query_one("#head", Static).update(" · ".join(parts))
        self.sheet.border_title = escape(whose)
        own = self.turn is not None and self.turn == viewer
        self.query_one("#telling").set_class(own, "-own")
        trouble = printable(str(session.trouble or ""), most=300)
        self.show_banner(f"! not written: {trouble}; the game goes on in memory" if trouble else "")
        self.refresh_bindings()

    def write_prompt(self) -> None:
        """Write the prompt and the placeholder of the line."""
        before, placeholder = self.prompt()
        if (before, placeholder) != self._prompt:
            self._prompt = before, placeholder
            self.line.placeholder = placeholder
            self.query_one("#prompt", Static).update(before)

    def _write_log(self) -> None:
        """Write the entries, with a mark on those that cannot all be true."""
        record = self.session.record
        clash = () if self.drawn is None else self.drawn.conflict

        def entries() -> Iterator[tuple[str, str]]:
            for number, text in enumerate(brief_texts(record.entries, record.table), 1):
                mark = "✗" if number in clash else " "
                yield f"{mark}{number:>2} {text}", "bold" if number in clash else ""

        self.entries.write(entries())

    def show_banner(self, text: str) -> None:
        """Show a message above the sheet; an empty one hides the banner."""
        banner = self.query_one("#banner", Static)
        banner.update(text)
        banner.display = bool(text)

    def _think(self, game: Game) -> None:
        """Compute the report, then advice or corrections, and draw each. (In a thread.)"""
        worker = get_current_worker()
        try:
            with self._thinking:
                if worker.is_cancelled:
                    return
                report = game.report()
            self.call_later(self._draw, game, report)
            wanted = self.hints == "advice" or not report.consistent
            with self._deciding:
                for thought in self.thoughts(game) if wanted else ():
                    if worker.is_cancelled:
                        return
                    self.call_later(self._tell, game, thought)
        except ClueError as error:
            self.call_later(self.say, str(error))

    def _tell(self, game: Game, thought: Thought) -> None:
        if game is self.session.game:
            self.tell(thought)

    def tell(self, thought: Thought) -> None:
        """Show a thought: advice, or how to correct a contradictory log."""
        if self.drawn is not None and self.drawn.consistent:
            self.write_verdict(thought.text, thought.remark, certain=thought.certain)
            return
        self.write_verdict(f"✗ {thought.text}.", "F5 corrects that.")
        if thought.likeliest is not None:
            sheet, correction = thought.likeliest
            self.draw_sheet(sheet)
            self.show_banner(f"Provisional: the sheet if {correction_text(correction)}")

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
        was, self.drawn = self.drawn, report
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

    def draw_sheet(self, report: Report) -> None:
        """Draw the sheet of a report, as far as `hints` allow."""
        self._shown = report
        kinds = len(report.table.edition.category)
        tall = self.size.height >= len(report.cards) + kinds + 6
        self.sheet.roomy = tall and self.size.width >= 100
        self.sheet.show(report, self.hints)
        self.set_class(self.sheet.columns_wide + _BESIDE > self.size.width, "-full")
        self.call_after_refresh(self.cards.on_resize)
        self.query_one("#best").display = self.hints in ("sheet", "advice")

    def on_resize(self) -> None:
        """Draw the sheet again in its new size."""
        if self._shown is not None:
            self.draw_sheet(self._shown)

    def say(self, text: str | Text) -> None:
        """Show a message below the line, until the line changes."""
        self._said_of, self._note = self.line.value, text
        self.note.update(text)

    def say_besides(self, text: str) -> None:
        """Add a message to the one below the line."""
        self._note = Text("\n").join(Text.assemble(each) for each in (self._note, text) if each)
        self.note.update(self._note)

    def refuse(self, why: str | Text) -> None:
        """Show why the line is refused."""
        self.say(why)
        if self.line.value:
            self.say_besides("a new line replaces it (Up brings it back); Backspace edits it")
        self.line.remember(self.line.value)
        self.line.refuse()
        self.app.bell()

    def ask(
        self,
        question: Prompt,
        follow: Callable[[str | None], None],
        fits: Callable[[str], str | None] | None = None,
    ) -> None:
        """
        Ask a question in a dialog that covers the input line and leaves the panes visible.

        Args:
            question: The question.
            follow: Called with the answer; `None` after Escape.
            fits: Finds the choice that a text means; by default as the question does.
        """
        dialog = Choose(question, fits)
        dialog.place = self.query_one("#telling")
        self.app.push_screen(dialog, follow)

    def fail(self, error: ClueError) -> None:
        """Show why a command failed, and leave it in the line to be corrected."""
        if not self.line.value:
            self.line.write(self._command)
        self.refuse(str(error))

    # Commands.

    def word_of(self, said: TypedCommand) -> str | None:
        """Return the full word of a command that may be abbreviated; `None` if there is none."""
        begun = () if said.rest else (w for w in self.words if w.startswith(said.word))
        return said.word if said.word in self.words else next(iter(begun), None)

    def action_do(self, word: str, rest: str = "") -> None:
        """Run a command, from a key or the palette."""
        self.do(TypedCommand(word, rest))

    def do(self, said: TypedCommand, typed: str = "") -> None:
        """Run a command: by the method `do_` plus its word, by the application, or by `command`."""
        self._command = typed
        does = getattr(self, f"do_{said.word}", None)
        try:
            said.check()
            if said.word in ELSEWHERE:
                self.app.call_next(self.app.run_action, said.word)
            elif does is None:
                self.command(said)
            elif said.rest:
                does(said.rest)
            else:
                does()
        except ClueError as error:
            self.fail(error)

    def command(self, said: TypedCommand) -> None:
        """Run a command that only answers, and open its answer."""
        width = min(_WIDEST, self.size.width - 8)

        def answer() -> RenderableType:
            parts = self.answers(said, width)
            return Group(*(Text(part) if isinstance(part, str) else part for part in parts))

        self.read(f"{said.word} {said.rest}".strip().capitalize(), answer)

    def answers(self, said: TypedCommand, width: int) -> Iterator[RenderableType]:
        """Yield the answer to a command that only answers. Runs in a thread."""
        yield from answers_to(self.session.game, said, width=width)

    def read(self, title: str, answer: Callable[[], RenderableType]) -> None:
        """Open a text dialog with an answer once it is computed."""
        self.look_up(title, answer, lambda text: self.app.push_screen(Reader(title, text)))

    def look_up(
        self, doing: str, find: Callable[[], Found], show: Callable[[Found], object]
    ) -> None:
        """
        Look something up in the background and show it, unless line or screen has changed.

        Args:
            doing: The message until then.
            find: Looks it up, in a thread.
            show: Shows what was found.
        """
        before, front = self.line.value, self.app.screen
        self.say(f"{doing} …")

        def found(what: Found) -> None:
            if self.app.screen is front and self.line.value == before:
                self.say("")
                show(what)

        def look() -> None:
            try:
                with self._thinking:
                    what = find()
            except ClueError as error:
                self.call_later(self.fail, error)
            else:
                self.call_later(found, what)

        self.run_worker(look, thread=True, exclusive=True, group="answer")

    def do_help(self, rest: str = "") -> None:
        """Open the help; with an argument, the whole help."""
        text = help_text(self.session.record.table, self.words, more=bool(rest), how=self.how)
        self.app.push_screen(Reader("Help", text))

    def do_why(self, rest: str = "") -> None:
        """Explain why a card is where it is; without an argument, explain the selected cell."""
        if rest:
            self.command(TypedCommand("why", rest))
        elif self.sheet.selected_cell is not None:
            card, holder = self.sheet.selected_cell
            why = partial(self.session.game.why, card, holder)
            self.read(f"Why: {card}, {holder}", lambda: render(why()))

    def on_data_table_cell_selected(self) -> None:
        """Explain a cell of the sheet: on Enter, or on a click on the selected cell."""
        self.do_why()

    def do_hints(self) -> None:
        """Show less of what the program knows, or all of it again after the least."""
        self.hints = HINTS[HINTS.index(self.hints) - 1]
        self.redraw()
        told = {"nothing": "your own hand only", "marks": "what is certain"}
        told |= {"sheet": "the sheet, no advice", "advice": "all that it knows"}
        self.write_verdict("…" if self.hints == "advice" else "")
        self.say(f"The program tells {told[self.hints]}.")

    def do_pane(self) -> None:
        """Move the focus to the next pane."""
        around = [self.line, self.sheet, self.entries]
        here = around.index(self.focused) if self.focused in around else 0
        pane = around[(here + 1) % len(around)]
        if pane.id in PANES:
            self.query_one(Tabs).active = f"to-{pane.id}"
        self.set_focus(pane)

    def on_tabs_tab_activated(self, event: Tabs.TabActivated) -> None:
        """Show one pane of a narrow screen."""
        for pane in PANES:
            self.set_class(event.tab.id == f"to-{pane}", f"-{pane}")

    def do_back(self) -> None:
        """Return to the line from a pane; from the line, clear it, so that Up brings it back."""
        if self.focused is not self.line:
            self.set_focus(self.line)
        else:
            self.clear()

    def clear(self) -> None:
        """Clear the line, and say how it is brought back."""
        typed = self.line.value
        self.line.remember(typed)
        self.line.write("")
        self.say("cleared (Up brings it back)" if typed.strip() else "")


def _wrap_entry(text: str, width: int) -> str:
    """Return an entry wrapped to `width` columns, with its answer kept beside the arrow."""
    space = "\N{NO-BREAK SPACE}"
    return wrap_text(text.replace("→ ", f"→{space}"), width, _NUMBER).replace(space, " ")


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
