"""The screen of a game: passes what is typed to the game's feed, and shows the result."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from threading import Lock
from typing import ClassVar, TypeVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.markup import escape
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Input, OptionList, Static, Tab, Tabs
from textual.worker import get_current_worker

from clue_solver.answers.corrections import Check
from clue_solver.answers.report import Report
from clue_solver.conversation.changes import END
from clue_solver.conversation.commands import COMMANDS, TypedCommand
from clue_solver.errors import ClueError, counted, printable
from clue_solver.faces.feed import HINTS, Account, Feed, PendingQuestion
from clue_solver.faces.helping import key_of
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.tui.dialogs import Choose, Reader
from clue_solver.faces.tui.line import InputLine, LineSuggester
from clue_solver.faces.tui.panes import AdvicePane, LinePane, LogPane
from clue_solver.faces.tui.sheet import SheetTable
from clue_solver.views.checks import NO_CORRECTION, correction_text
from clue_solver.views.document import render
from clue_solver.views.reports import quote

Found = TypeVar("Found")

_PANES = {"sheet": "Sheet", "log": "Log", "side": "Advice"}
"""The panes of which a narrow screen shows one at a time, with the titles of their tabs."""

_BESIDE = 28
"""How many terminal columns the input line needs beside the sheet; with fewer it is below it."""


class GameScreen(Screen[None]):
    """
    The screen of a game that a person logs, or that a referee deals.

    Attributes:
        feed: Passes what is typed on to the game.
        drawn: The report that was drawn last; `None` before the first.
        check: The corrections of a contradictory log; `None` until they are found.
        line, sheet, entries: The input line, the sheet and the log.
        advice: The pane that says what to do and what is known.
        input: The pane of the input line, with completions and messages.
    """

    AUTO_FOCUS: ClassVar[str] = "#line"

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                command.keys,
                f"do('{command.word}')",
                command.label,
                show=bool(command.label),
                key_display=key_of(command),
            )
            for command in COMMANDS
            if command.keys and command.kind != "leaves"
        ),
        Binding("tab", "complete", show=False),
    ]

    def __init__(self, feed: Feed, typed: tuple[str, ...] = ()) -> None:
        """
        Show a game.

        Args:
            feed: Passes what is typed on to the game.
            typed: The lines that were typed but not logged when the game was closed last.
        """
        super().__init__()
        self.feed = feed
        self.session = feed.session
        self.drawn: Report | None = None
        self.check: Check | None = None
        self.line = InputLine()
        self.line.suggester = LineSuggester(self.suggested_line)
        self.input = LinePane(self.line)
        self.advice = AdvicePane()
        self.entries = LogPane()
        self.sheet = SheetTable()
        self._shown: Report | None = None  # on the sheet; after a clash it is provisional
        self._begins_with = typed
        self._searches: dict[str, Lock] = defaultdict(Lock)  # one at a time of each kind

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static(id="banner", markup=False)
        yield Tabs(*(Tab(title, id=f"to-{pane}") for pane, title in _PANES.items()))
        with Container(id="room"):
            with Container(id="cards"):
                yield self.sheet
            yield self.advice
            yield self.entries
            yield self.input
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Draw the game, bring back the lines that were not logged, and let the game begin."""
        self.query_one(Tabs).can_focus = False
        self._write()
        self.call_after_refresh(self.redraw)  # the screen appears before anything is computed
        for line in self._begins_with:
            self.line.remember(line)
        self.line.value = "".join(self._begins_with[-1:])
        self.set_interval(1, self._poll)
        self._play_on()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:  # noqa: ARG002
        """Return whether a key has an effect now; if not, the footer does not show it."""
        match parameters:
            case ("fix",):
                return self.check is not None and bool(self.check.corrections)
            case ("undo",) if "undo" in self.feed.words:
                return self.session.earlier is not None
            case (str(word),):
                return word in self.feed.words
        return True

    # What is drawn.

    def redraw(self) -> None:
        """Draw the log and the head at once, and the rest as soon as it is computed."""
        self.workers.cancel_group(self, "thoughts")  # they are about the game as it was
        self.advice.advise("working …" if self.feed.hints == "advice" else "")
        self._write()
        game = self.session.game
        self.think("report", lambda: [game.report()], self._draw)

    def _write(self) -> None:
        """Write all that needs no computing: log, prompt, head of the screen, warnings."""
        self._write_log()
        self.input.write_prompt(*self.feed.prompt(self.line.value))
        session, record, turn = self.session, self.session.record, self.feed.turn
        viewer = record.table.viewer
        begin = "the game is over" if record.finished else f"{turn}'s turn"
        parts = [begin] if record.finished or turn else []
        parts += [counted(len(session.lines), "entry"), self.feed.whose, record.table.edition.title]
        self.query_one("#head", Static).update(" · ".join(parts))
        self.sheet.border_title = escape(self.feed.whose)
        self.input.set_class(turn is not None and turn == viewer, "-own")
        trouble = printable(str(session.trouble or ""), most=300)
        self.show_banner(f"! not saved: {trouble}; the game continues in memory" if trouble else "")
        if self.feed.replacement_for_advice is not None:
            self.advice.advise(*self.feed.replacement_for_advice)
        self.refresh_bindings()

    def _write_log(self) -> None:
        """Write the entries of the log, and mark those that cannot all be true."""
        clash = () if self.drawn is None else self.drawn.conflict
        self.entries.write(self.feed.log(), clash)

    def show_banner(self, text: str) -> None:
        """Show a message above the sheet; an empty one hides the banner."""
        banner = self.query_one("#banner", Static)
        banner.update(text)
        banner.display = bool(text)

    def _draw(self, report: Report) -> None:
        """Draw a report; if the log contradicts itself, the sheet stays as it is."""
        was, self.drawn, self.check = self.drawn, report, None
        clashed = was is not None and bool(was.conflict)
        if report.consistent:
            self.draw_sheet(report)
            self.advice.show_findings(report, self.size.height // 5)
            if clashed:
                self.input.say_besides("The entries are consistent again.")
        else:
            self.advice.show_clash(quote(self.session.lines, report.conflict))
        self.refresh_bindings()
        if report.conflict or clashed:
            self._write_log()
        if self.feed.hints == "advice" or not report.consistent:
            self.call_after_refresh(self._find_advice)

    def draw_sheet(self, report: Report) -> None:
        """Draw the sheet of a report, as far as the level of `hints` shows it."""
        self._shown = report
        kinds = len(report.table.edition.category)
        tall = self.size.height >= len(report.cards) + kinds + 6
        self.sheet.roomy = tall and self.size.width >= 100
        self.sheet.show(report, self.feed.hints)
        self.set_class(self.sheet.columns_wide + _BESIDE > self.size.width, "-full")
        if isinstance(self.app.screen, Choose):  # it covers a pane that may be narrower now
            self.call_after_refresh(self.app.screen.on_resize)
        self.advice.best.display = self.feed.hints in ("sheet", "advice")

    def on_resize(self) -> None:
        """Draw the sheet again in its new size."""
        if self._shown is not None:
            self.draw_sheet(self._shown)

    # What is computed in a thread.

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
            kind: What is looked for. A new search cancels the earlier one of the same kind, and
                begins when that has stopped. Searches of other kinds go on.
            find: Returns the things to show, one after the other. Called in the thread.
            show: Shows one of these things. Called in the event loop.
            failed: Shows an error; by default below the line.
        """
        lock = self._searches[kind]

        def look() -> None:
            """Find things one after the other, and show each; stop if the search is cancelled."""
            worker = get_current_worker()

            def tell(show: Callable[..., object], what: object) -> None:
                """Show something, unless the search is cancelled. Called in the event loop."""
                if not worker.is_cancelled:  # else a later search has begun meanwhile
                    show(what)

            try:
                with lock:
                    if worker.is_cancelled:
                        return
                    for found in find():
                        self.call_later(tell, show, found)
                        if worker.is_cancelled:
                            return
            except ClueError as error:
                self.call_later(tell, failed or (lambda error: self.input.say(str(error))), error)

        self.run_worker(look, thread=True, exclusive=True, group=kind)

    def _find_advice(self) -> None:
        """Look for advice, or for the corrections of a contradictory log."""
        self.think("thoughts", partial(self.feed.thoughts, self.session.game), self._tell)

    def _tell(self, thought: Thought) -> None:
        """Show advice, or the corrections of a contradictory log."""
        if self.drawn is not None and self.drawn.consistent:
            self.advice.advise(thought.text, thought.remark, certain=thought.certain)
            return
        self.check = thought.check
        remark = ""
        if self.check is not None:
            remark = "F5 corrects that." if self.check.corrections else NO_CORRECTION
        self.advice.advise(f"✗ {thought.text}.", remark)
        self.refresh_bindings()
        if thought.likeliest is not None:
            sheet, correction = thought.likeliest
            self.draw_sheet(sheet)
            self.show_banner(f"Provisional, with this correction: {correction_text(correction)}")

    # What others do.

    def _poll(self) -> None:
        """Show what another program has written to the file of a logged game, once a second."""
        if not self.feed.deals:
            self.show_account(self.feed.news())

    def _play_on(self) -> None:
        """Let machines decide until it is the person who has to, then ask the person."""
        if self.feed.others_play:
            self.run_worker(self._let_others_play, thread=True, exclusive=True, group="machines")
        else:
            self._ask_person()

    def _let_others_play(self) -> None:
        """Let machines decide, and show what they did. Called in a thread."""
        worker = get_current_worker()
        while self.feed.others_play and not worker.is_cancelled:
            self.feed.let_machine_decide()
            self.call_later(lambda: self.show_account(self.feed.news()))
        self.call_later(self.redraw)
        self.call_later(self._ask_person)

    def _ask_person(self) -> None:
        """Ask what the person has to decide, unless something is being typed or read."""
        if not self.line.value and self.app.screen is self:
            self.show_account(self.feed.ask())

    # What is typed.

    def submit(self, text: str) -> None:
        """Pass a typed text on to the feed, and show the result."""
        self.show_account(self.feed.handle_text(text), text)

    def on_paste(self, event: events.Paste) -> None:
        """Enter pasted lines one after the other, until the program has a question about one."""
        text = event.text
        if self.feed.deals:  # a decision cannot be taken back: it is typed, not entered
            text = " ".join(text.split())
        self.feed.waiting += [line for line in text.splitlines(keepends=True) if line.strip()]
        self.enter_next()

    def enter_next(self) -> None:
        """Write the next waiting line into the input, and enter it if it ends with a newline."""
        if self.feed.waiting:
            line = self.feed.waiting.pop(0)
            self.set_focus(self.line)
            self.line.replace(line.rstrip("\r\n"), *self.line.selection)
            if line.endswith(("\r", "\n")):
                self.submit(self.line.value)

    def suggested_line(self, text: str) -> str | None:
        """Return the first completion that begins with a text; `None` if none does."""
        begun = text.casefold()
        lines = (each.line for each in self.feed.completions(text))
        return next((line for line in lines if line.casefold().startswith(begun)), None)

    @on(Input.Changed, "#line")
    def offer(self, event: Input.Changed) -> None:
        """Show the completions of the line, and what it means as far as it is typed."""
        text = event.value
        if text != self.line.value:
            return
        self.input.write_prompt(*self.feed.prompt(self.line.value))
        self.set_class(self.feed.place_in(text)[0] != END, "-editing")
        asks = self.app.screen is not self  # then a box lists what may be answered
        self.input.offer([each.label for each in (() if asks else self.feed.completions(text))])
        if not asks and text != self.input.said_of:  # nothing is said of it as it stands
            self.input.remark(self.feed.meaning(text))

    @on(Input.Submitted, "#line")
    def submit_line(self, event: Input.Submitted) -> None:
        """Enter the line; if it is empty, ask again what the person has to decide."""
        if event.value.strip():
            self.submit(event.value)
        else:
            self.show_account(self.feed.ask())

    def action_complete(self) -> None:
        """Complete the line; if it is empty, go to the next pane."""
        text = self.line.value
        if self.focused is not self.line or not text:
            self.do_pane()
        elif found := self.feed.completions(text):
            self.line.write(found[0].line)

    # Showing the result.

    def show_account(self, account: Account, typed: str = "") -> None:
        """
        Show the result of a text, a choice or a key.

        Args:
            account: The result.
            typed: The text that was typed, which Up can bring back; empty for a choice or a key.
        """
        # What happened elsewhere, and what goes into the history before the line changes.
        if account.outside:
            self.notify(account.outside)
        if account.refused is None and (account.logged_at or account.command or account.changed):
            self.line.remember(typed or self.line.value)

        # The line and the panes, then what is said below the line as it is now.
        if account.line is not None and account.line != self.line.value.strip():
            self.line.write(account.line)
        if account.changed:
            self.redraw()
        if account.said:
            taken = "✗ contradicts the log: " if account.clashes else "✓ "
            self.input.say(f"{taken if account.logged_at else ''}{account.said}")
        if account.refused is not None:
            self.input.remark(account.refused, "not accepted: ")
            self.app.bell()
        if account.waits or account.refused is not None:
            self.line.remember(self.line.value)
            self.line.let_replace(len(account.kept), refused=account.refused is not None)
            if self.line.value:
                how = "Esc leaves the edit" if account.kept else "Up brings it back"
                self.input.say_besides(f"a new line replaces it ({how}); Backspace edits it")

        # How it goes on: a question, a command, the others' decisions, or the next line that waits.
        if account.question is not None:
            self.ask(account.question)
        if account.command is not None:
            self.do(account.command, typed)
        elif account.plays_on:
            self._play_on()
        elif account.logged_at and account.question is None:
            self.enter_next()
        elif account.question is None and (account.said or account.refused):
            self.input.say_besides(self.feed.waiting_text)

    def ask(self, question: PendingQuestion) -> None:
        """Ask in a dialog that covers the input line and leaves the panes visible."""

        def settle(text: str | None) -> None:
            """Settle the question with what the dialog returns, and show the result."""
            typed = "" if text in question.prompt.values else text or ""
            self.line.remember(self.line.value)
            self.line.remember(typed)
            self.show_account(question.settle(text), typed)

        prompt = question.prompt
        remark = "\n".join(filter(None, (prompt.fault or prompt.hint, self.feed.waiting_text)))
        prompt = prompt._replace(hint=remark, fault=remark if prompt.fault else "")
        self.input.offer(())
        dialog = Choose(prompt, question.meant, self.input)
        self.app.push_screen(dialog, settle)

    # Commands.

    def action_do(self, word: str) -> None:
        """
        Run a command that a key or the palette gave.

        With a line in the input, `undo` clears that line. `show` is about the line in the input.
        """
        line = self.line.value
        if word == "undo" and line not in ("", self.feed.given):
            self.clear()
        elif word == "show":
            if line.strip():
                self.do(TypedCommand("show", line.strip()))
            else:
                self.input.say("type the suggestion that you have to answer, then press F3")
        else:
            self.do(TypedCommand(word))

    def do(self, said: TypedCommand, typed: str = "") -> None:
        """
        Run a command, according to its kind.

        A command of the screen is run by the method whose name is `do_` and the command's word.

        Args:
            said: The command.
            typed: The command as it was typed, which is put in the input again if it fails; empty
                if a key or the palette gave it.
        """
        match said.kind:
            case "leaves":
                self.app.call_next(self.app.run_action, said.word)
            case "screen":
                getattr(self, f"do_{said.word}")()
            case "asks" if said == TypedCommand("why"):
                self.explain_cell()
            case "asks":
                self.open_reply(said, typed)
            case _:
                self.show_account(self.feed.run(said, line=self.line.value))

    def open_reply(self, said: TypedCommand, typed: str) -> None:
        """
        Open a dialog with the reply to a command that only asks.

        `typed` is the command as it was typed, which is put in the input again if it fails.
        """

        def draw() -> RenderableType:
            """Return the reply as one text."""
            parts = self.feed.replies(said)
            return Group(*(Text(part) if isinstance(part, str) else part for part in parts))

        self.read(f"{said.word} {said.rest}".strip().capitalize(), draw, typed)

    def read(self, title: str, draw: Callable[[], RenderableType], typed: str = "") -> None:
        """
        Compute a text in a thread, then open a dialog that shows it.

        The dialog is not opened if the input or the front screen has changed meanwhile. When it
        is closed, the person is asked again what there is to decide.

        Args:
            title: The title of the dialog.
            draw: Returns the text.
            typed: The command as it was typed, which is put in the input again if it fails; empty
                if a key or the palette gave it.
        """
        before, front = self.line.value, self.app.screen
        self.input.say(f"{title} …")

        def ask_again(_: None) -> None:
            """Ask the person again, once the dialog is closed."""
            self.call_later(self._ask_person)

        def show(text: RenderableType) -> None:
            """Open the dialog, unless the input or the front screen has changed."""
            if self.app.screen is front and self.line.value == before:
                self.input.say("")
                self.app.push_screen(Reader(title, text), ask_again)

        def refuse(error: ClueError) -> None:
            """Show the error because of which there is no text to read."""
            fault = self.feed.fault(error, typed)
            self.show_account(Account(line=typed or None, refused=fault))

        self.think("reply", lambda: [draw()], show, refuse)

    def do_lists(self) -> None:
        """Let the person build a line from menus."""
        self.show_account(self.feed.lists())

    @on(DataTable.CellSelected)
    def explain_cell(self) -> None:
        """Explain the selected cell of the sheet; Enter or a second click in the cell call this."""
        if self.sheet.selected_cell is not None:
            card, holder = self.sheet.selected_cell
            game = self.session.game
            self.read(f"Why: {card}, {holder}", lambda: render(game.why(card, holder)))

    @on(OptionList.OptionSelected, "#log")
    def edit_entry(self) -> None:
        """Edit the highlighted entry of the log, if the log can be changed."""
        if self.entries.highlighted is not None and "edit" in self.feed.words:
            self.line.remember(self.line.value)
            self.do(TypedCommand("edit", str(self.entries.highlighted + 1)))

    def do_hints(self) -> None:
        """Show less: the next lower level of hints. After the lowest, go back to the highest."""
        feed, levels = self.feed, [*HINTS]
        feed.hints = levels[(levels.index(feed.hints) + 1) % len(levels)]
        self.redraw()
        self.input.say(f"The program shows {HINTS[feed.hints]}.")

    def do_pane(self) -> None:
        """Move the focus to the next pane."""
        around = [self.line, self.sheet, self.entries, self.advice]
        here = around.index(self.focused) if self.focused in around else 0
        pane = around[(here + 1) % len(around)]
        if pane.id in _PANES:
            self.query_one(Tabs).active = f"to-{pane.id}"
        self.set_focus(pane)

    @on(Tabs.TabActivated)
    def show_pane(self, event: Tabs.TabActivated) -> None:
        """Show the pane of a tab on a narrow screen."""
        for pane in _PANES:
            self.set_class(event.tab.id == f"to-{pane}", f"-{pane}")

    def do_back(self) -> None:
        """Move the focus from a pane to the input line; if it is there already, clear the line."""
        if self.focused is not self.line:
            self.set_focus(self.line)
        else:
            self.clear()
            self.show_account(self.feed.ask())

    def clear(self) -> None:
        """Clear the input line and the waiting lines, and say that Up brings them back."""
        cleared = [line.strip() for line in (self.line.value, *self.feed.waiting) if line.strip()]
        for line in reversed(cleared):
            self.line.remember(line)
        self.feed.waiting.clear()
        self.line.write("")
        them = "it" if len(cleared) == 1 else "them"
        self.input.say(f"cleared (Up brings {them} back)" if cleared else "")
