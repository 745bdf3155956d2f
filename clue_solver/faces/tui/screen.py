"""The screen of a game: what is typed goes to its feed, and what comes of it is shown."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual import events, on
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Input, OptionList, Tabs
from textual.worker import get_current_worker

from clue_solver.conversation.changes import END
from clue_solver.conversation.commands import COMMAND, COMMANDS, TypedCommand
from clue_solver.errors import ClueError
from clue_solver.faces.feed import HINTS, Account, Feed, PendingQuestion, TextRemark
from clue_solver.faces.helping import help_text, key_of
from clue_solver.faces.leaving import Say
from clue_solver.faces.tui.dialogs import Choose, Reader
from clue_solver.faces.tui.line import LineSuggester
from clue_solver.faces.tui.panes import PANES, WIDEST, Panes
from clue_solver.notation.completion import Completion
from clue_solver.views.checks import NO_CORRECTION
from clue_solver.views.document import render


class GameScreen(Panes):
    """The screen of a game that a person logs, or that a referee deals."""

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
            feed: What feeds it.
            typed: The lines that were typed but not taken when the game was closed.
        """
        super().__init__(feed)
        self.line.suggester = LineSuggester(self.suggested_line)
        self._begins_with = typed
        self._command = ""  # the command that is done, as it was typed
        self._found: tuple[str, object, tuple[Completion, ...]] = ("", None, ())

    def on_mount(self) -> None:
        """Bring back unfinished lines, and let the game begin."""
        for line in self._begins_with:
            self.line.remember(line)
        self.line.value = "".join(self._begins_with[-1:])
        self.set_interval(1, self._poll)
        self._play_on()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:  # noqa: ARG002
        """Return whether a key does something now; otherwise the footer hides it."""
        match parameters:
            case ("fix",):
                return self.check is not None and bool(self.check.corrections)
            case ("undo",) if "undo" in self.feed.words:
                return self.session.earlier is not None
            case (str(word),):
                return word in self.feed.words
        return True

    def close_game(self, say: Say) -> bool:
        """Close the game and say where it is; return whether it is in its file."""
        return self.feed.close(say, (self.line.value, *self.feed.waiting))

    # What others do.

    def _poll(self) -> None:
        """Show what another program wrote."""
        if not self.feed.deals:
            self.show_account(self.feed.news())

    def _play_on(self) -> None:
        """Let machines decide until the person has to, then ask."""
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
        """Give a text to the feed, and show what comes of it."""
        self._command = text
        self.show_account(self.feed.handle_text(text), text)

    def on_paste(self, event: events.Paste) -> None:
        """Enter pasted lines one after the other, until one of them raises a question."""
        text = event.text
        if self.feed.deals:  # a decision cannot be taken back: it is typed, not entered
            text = " ".join(text.split())
        self.feed.waiting += [line for line in text.splitlines(keepends=True) if line.strip()]
        self.enter_next()

    def enter_next(self) -> None:
        """Type the next line that waits, and enter it if it ends with a newline."""
        if self.feed.waiting:
            line = self.feed.waiting.pop(0)
            self.set_focus(self.line)
            self.line.replace(line.rstrip("\r\n"), *self.line.selection)
            if line.endswith(("\r", "\n")):
                self.submit(self.line.value)

    def _command_in(self, text: str) -> TypedCommand | None:
        """Return the command in a text; `None` for a line, including one after `edit 4`."""
        said = self.feed.command_in(text)
        tells = said is not None and said.word in ("edit", "insert") and said.line
        return None if tells else said

    def matches_of(self, text: str) -> tuple[Completion, ...]:
        """Return the completions of a text; the last result is cached."""
        line, record, found = self._found
        if (line, record) == (text, self.session.record):
            return found
        said = self._command_in(text)
        if said is None:
            found = self.feed.completions(text) if text.strip() else ()
        else:
            words = [each for each in self.feed.words if each.startswith(said.word)]
            found = tuple(
                Completion(line=f"/{word}", label=f"{word}: {COMMAND[word].does}")
                for word in words
                if not said.rest
            )
        self._found = text, self.session.record, found
        return found

    def suggested_line(self, text: str) -> str | None:
        """Return the likeliest completion that continues a text; `None` if there is none."""
        begun = text.casefold()
        lines = (each.line for each in self.matches_of(text))
        return next((line for line in lines if line.casefold().startswith(begun)), None)

    @on(Input.Changed, "#line")
    def offer(self, event: Input.Changed) -> None:
        """Show the completions of the line, and what it means so far."""
        text = event.value
        if text != self.line.value:
            return
        self.write_prompt()
        self.set_class(self.feed.place_in(text)[0] != END, "-editing")
        asks = self.app.screen is not self  # then a box lists what may be answered
        self.offer_labels([each.label for each in ([] if asks else self.matches_of(text))])
        if not asks:
            is_line = text.strip() and self._command_in(text) is None
            self.say_ahead(self._placed(self.feed.meaning(text)) if is_line else "")

    def offer_labels(self, labels: Sequence[str]) -> None:
        """Show above a begun line what may follow; Tab takes the first."""
        self.matches.display = bool(labels or self.line.value)
        self.matches.show(" · ".join(labels))

    @on(Input.Submitted, "#line")
    def submit_line(self, event: Input.Submitted) -> None:
        """Enter the line; an empty one asks again what the person has to decide."""
        if event.value.strip():
            self.submit(event.value)
        else:
            self.show_account(self.feed.ask())

    def action_complete(self) -> None:
        """Complete the line; if it is empty, go to the next pane."""
        text = self.line.value
        if self.focused is not self.line or not text:
            self.do_pane()
        elif found := self.matches_of(text):
            self.line.write(found[0].line)

    # What comes of it.

    def show_account(self, account: Account, typed: str = "") -> None:
        """
        Show what came of a text, a choice or a key.

        Args:
            account: What came of it.
            typed: The text; it can be brought back by Up.
        """
        # What happened elsewhere, and what goes into the history before the line changes.
        if account.outside:
            self.notify(account.outside)
        if account.refused is None and (account.took or account.command or account.changed):
            self.line.remember(typed or self.line.value)

        # The line and the panes, then what is said below the line as it is now.
        if account.line is not None and account.line != self.line.value.strip():
            self.line.write(account.line)
        if account.changed:
            self.redraw()
        if account.said:
            taken = "✗ contradicts the log: " if account.clashes else "✓ "
            self.say(f"{taken if account.took else ''}{account.said}")
        if account.refused is not None:
            self.say(self._placed(account.refused, "not accepted: "))
            self.app.bell()
        if account.waits or account.refused is not None:
            self.line.remember(self.line.value)
            self.line.let_replace(refused=account.refused is not None)
            if self.line.value:
                self.say_besides("a new line replaces it (Up brings it back); Backspace edits it")

        # How it goes on: a question, a command, the others' decisions, or the next line that waits.
        if account.question is not None:
            self.ask(account.question)
        if account.command is not None:
            self.do(account.command)
        elif account.plays_on:
            self._play_on()
        elif account.took and account.question is None:
            self.enter_next()
        elif account.question is None and (account.said or account.refused):
            self.say_besides(self.feed.waiting_text)

    def _placed(self, remark: TextRemark, lead: str = "") -> str:
        """Return a remark placed below its column of the line."""
        if remark.column is None:
            return f"{lead or '✗ '}{remark.text}" if remark.wrong else remark.text
        start = self.line.region.x - self.note.content_region.x
        before = start + remark.column - self.line.scroll_offset.x
        return f"{' ' * max(0, min(before, self.line.size.width))}^ {lead}{remark.text}"

    def ask(self, question: PendingQuestion) -> None:
        """Ask in a dialog that covers the input line and leaves the panes visible."""

        def answered(text: str | None) -> None:
            typed = "" if text in question.prompt.values else text or ""
            self.line.remember(self.line.value)
            self.line.remember(typed)
            self.show_account(question.answer(text), typed)

        prompt = question.prompt
        remark = "\n".join(filter(None, (prompt.fault or prompt.hint, self.feed.waiting_text)))
        prompt = prompt._replace(hint=remark, fault=remark if prompt.fault else "")
        self.offer_labels(())
        dialog = Choose(prompt, question.meant, self.query_one("#telling"))
        self.app.push_screen(dialog, answered)

    # Commands.

    def action_do(self, word: str) -> None:
        """Run a command, from a key or the palette."""
        self._command = ""
        self.do(TypedCommand(word))

    def do(self, said: TypedCommand) -> None:
        """Run a command: by the method `do_` plus its word, by the application, or by the feed."""
        does = getattr(self, f"do_{said.word}", None)
        if said.kind == "leaves":
            self.app.call_next(self.app.run_action, said.word)
        elif does is not None and not said.rest:
            does()
        elif said.kind == "asks":
            self.open_answer(said)
        else:
            self.show_account(self.feed.run(said, self.line.value))

    def open_answer(self, said: TypedCommand) -> None:
        """Open the answer to a command that only asks."""
        width = min(WIDEST, self.size.width - 8)

        def drawn() -> RenderableType:
            parts = self.feed.answers(said, width)
            return Group(*(Text(part) if isinstance(part, str) else part for part in parts))

        self.read(f"{said.word} {said.rest}".strip().capitalize(), drawn)

    def show_text(self, title: str, text: RenderableType) -> None:
        """Open a text dialog; after it, ask again what the person has to decide."""

        def closed(_: None) -> None:
            self.call_later(self._ask_person)

        self.app.push_screen(Reader(title, text), closed)

    def read(self, title: str, draw: Callable[[], RenderableType]) -> None:
        """Open a text dialog once its text is computed, unless line or screen has changed."""
        before, front, typed = self.line.value, self.app.screen, self._command
        self.say(f"{title} …")

        def found(text: RenderableType) -> None:
            if self.app.screen is front and self.line.value == before:
                self.say("")
                self.show_text(title, text)

        def failed(error: ClueError) -> None:
            fault = self.feed.fault(error, typed)
            self.show_account(Account(line=typed or None, refused=fault))

        self.think("answer", lambda: [draw()], found, failed)

    def do_help(self) -> None:
        """Open the help."""
        text = help_text(self.session.record.table, self.feed.words, how=self.feed.how)
        self.show_text("Help", text)

    def do_lists(self) -> None:
        """Let the person build the line from menus."""
        self.show_account(self.feed.lists())

    @on(DataTable.CellSelected)
    def do_why(self) -> None:
        """Explain the selected cell of the sheet; also on Enter in it, or on a second click."""
        if self.sheet.selected_cell is not None:
            card, holder = self.sheet.selected_cell
            game = self.session.game
            self.read(f"Why: {card}, {holder}", lambda: render(game.why(card, holder)))

    def do_show(self) -> None:
        """Show which card to show in answer to the suggestion in the line."""
        if asked := self.line.value.strip():
            self.open_answer(TypedCommand("show", asked))
        else:
            self.say("type the suggestion that you have to answer, then press F3")

    def do_undo(self) -> None:
        """Clear the typed line; if it is empty, undo the last change and show its line again."""
        if self.line.value in ("", self.feed.given):
            self.show_account(self.feed.run(TypedCommand("undo"), self.line.value))
        else:
            self.clear()

    def do_fix(self) -> None:
        """Let the person choose how to correct a contradictory log."""
        if self.drawn is None or self.drawn.consistent:
            self.say("nothing to fix: the entries are consistent")
        elif self.check is None:
            self.say("still looking for what may be wrong: try again in a moment")
        elif self.check.corrections:
            self.show_account(self.feed.corrections(self.check))
        else:
            self.say(NO_CORRECTION)

    @on(OptionList.OptionSelected, "#log")
    def edit_entry(self) -> None:
        """Edit the highlighted entry of the log."""
        if self.entries.highlighted is not None and "edit" in self.feed.words:
            self.line.remember(self.line.value)
            self.do(TypedCommand("edit", str(self.entries.highlighted + 1)))

    def do_hints(self) -> None:
        """Show less of what the program knows, or all of it again after the least."""
        feed, levels = self.feed, [*HINTS]
        feed.hints = levels[(levels.index(feed.hints) + 1) % len(levels)]
        self.write_verdict("…" if feed.hints == "advice" else "")
        self.redraw()
        self.say(f"The program shows {HINTS[feed.hints]}.")

    def do_pane(self) -> None:
        """Move the focus to the next pane."""
        around = [self.line, self.sheet, self.entries, self.query_one("#side")]
        here = around.index(self.focused) if self.focused in around else 0
        pane = around[(here + 1) % len(around)]
        if pane.id in PANES:
            self.query_one(Tabs).active = f"to-{pane.id}"
        self.set_focus(pane)

    @on(Tabs.TabActivated)
    def show_pane(self, event: Tabs.TabActivated) -> None:
        """Show one pane of a narrow screen."""
        for pane in PANES:
            self.set_class(event.tab.id == f"to-{pane}", f"-{pane}")

    def do_back(self) -> None:
        """Return to the line from a pane; from the line, clear it, so that Up brings it back."""
        if self.focused is not self.line:
            self.set_focus(self.line)
        else:
            self.clear()
            self.show_account(self.feed.ask())

    def clear(self) -> None:
        """Clear the line and the lines that wait, and say how they are brought back."""
        cleared = [line.strip() for line in (self.line.value, *self.feed.waiting) if line.strip()]
        for line in reversed(cleared):
            self.line.remember(line)
        self.feed.waiting.clear()
        self.line.write("")
        them = "it" if len(cleared) == 1 else "them"
        self.say(f"cleared (Up brings {them} back)" if cleared else "")
