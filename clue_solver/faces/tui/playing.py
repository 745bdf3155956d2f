"""The one screen at work: telling entries, changing them, and asking the sheet."""

from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList, Static
from textual.worker import get_current_worker

from clue_solver.errors import ClueError, NotationError, escape
from clue_solver.faces.tui.entry import Choosing, EntryLine, Matches, pointing
from clue_solver.faces.tui.panes import Filling, LogView
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.faces.tui.table import AskingScreen, View
from clue_solver.notation import TypedLine, format_line, split_comment
from clue_solver.rules.observations import Observation
from clue_solver.session import Session

_STEERING = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1),
             "pageup": (-8, 0), "pagedown": (8, 0)}  # fmt: skip


class PlayScreen(AskingScreen):
    """The screen of a game in progress; `editing` is the number of the entry to be replaced."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", priority=True),
        Binding("f2", "choose", "Lists"),
        Binding("f3", "showings", "Show"),
        Binding("f4", "hands", "Hands"),
        Binding("f5", "correct(1)", "Mend"),
        Binding("f6", "pane", "Pane"),
        Binding("f7", "eyes", "Eyes"),
        Binding("f8", "what_if", "If"),
        Binding("f9", "why", "Why"),
        Binding("f10,ctrl+g", "advise", "Ask"),
        Binding("ctrl+z", "undo", "Undo"),
        Binding("ctrl+y", "redo", "Redo"),
        Binding("escape", "back", "Back", show=False),
        Binding("tab", "pane", show=False),
        Binding("shift+tab", "pane(-1)", show=False),
        Binding("left_square_bracket", "as_of(-1)", "Earlier", show=False),
        Binding("right_square_bracket", "as_of(1)", "Later", show=False),
        Binding("question_mark", "help", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.editing: int | None = None
        self._draft = ""
        self._typed = self._type_of("")

    def on_mount(self) -> None:
        """Draw what there is, and say whose turn it is."""
        super().on_mount()
        self._prompt()

    def take_key(self, key: str, mark: str | None) -> bool:
        """Take a key that means more than typing, or types from elsewhere; whether it did."""
        line = self.query_one(EntryLine)
        if self.focused is line:
            return self._entry_key(line, key, mark)
        commands = "wi[]?" if isinstance(self.focused, SheetView) else "[]? "
        if mark is None or mark in commands:
            return False
        if self.check is not None and mark in "123456789":
            self.action_correct(int(mark))
            return True
        self.set_focus(line)
        return False

    def _entry_key(self, line: EntryLine, key: str, mark: str | None) -> bool:
        """Take Enter, Tab and the arrows, and where nothing is typed yet the one-key commands."""
        offered = self.query_one(Matches)
        match key:
            case "enter" if line.value.strip():
                chosen = offered.match
                if offered.picked and chosen is not None:
                    self._type(chosen.line)
                else:
                    self._take(line.value)
            case "enter":
                self.action_why()
            case "tab" if line.value:
                self._offer(line.value)
                if offered.match is not None:
                    self._type(offered.match.line)
            case "up" | "down" if line.value:
                offered.choose(1 if key == "down" else -1)
            case _ if line.value:
                return False
            case "up" | "down" | "left" | "right" | "pageup" | "pagedown":
                self.query_one(SheetView).action_move(*_STEERING[key])
            case "question_mark":
                self.action_help()
            case "left_square_bracket" | "right_square_bracket":
                self.action_as_of(-1 if key.startswith("left") else 1)
            case _ if mark is not None and mark in "123456789" and self.check is not None:
                self.action_correct(int(mark))
            case _:
                return False
        return True

    def rest_of(self, line: str) -> str | None:
        """Return the likeliest completion, where it begins as the line does."""
        for match in self._reading(line).completions():
            if match.line[: len(line)].casefold() == line.casefold():
                return match.line
        return None

    def on_input_changed(self, event: Input.Changed) -> None:
        """Offer what the line may become, and say what it means so far."""
        if event.input.id == "entry" and event.value == event.input.value:
            self._offer(event.value)

    def on_matches_clicked(self, message: Matches.Clicked) -> None:
        self._type(message.match.line)

    def _reading(self, line: str) -> TypedLine:
        """Return the line as it is read where it is typed; the last one asked for is kept."""
        last, now = self._typed, self._type_of(line)
        if (last.line, last.table, last.state) != (now.line, now.table, now.state):
            self._typed = now
        return self._typed

    def _type_of(self, line: str) -> TypedLine:
        session = self.session
        state = session.state if self.editing is None else session.state_before(self.editing)
        return TypedLine(line, session.record.table, state)

    def _offer(self, line: str) -> None:
        offered = self.query_one(Matches)
        if not line.strip():
            offered.offer(())
            self._prompt()
            if line:
                self.say("")
            return
        typed = self._reading(line)
        found = typed.completions()
        if found != offered.found:
            offered.offer(found)
        ahead = typed.preview
        if ahead.error is not None and not ahead.unfinished:
            self._wrong(ahead.error)
        elif ahead.text:
            self.say(Text.assemble(("-> ", "bold"), ahead.text))
        else:
            self.say("")
        whole = typed.whole
        if self.editing is None and whole:
            self.run_worker(
                lambda: self._clashes(line, whole), thread=True, exclusive=True, group="clashes"
            )

    def _clashes(self, line: str, whole: Mapping[str, Observation]) -> None:
        """Find what would contradict the log, in a thread of its own."""
        worker = get_current_worker()
        if self.drawn is None or not self.drawn.consistent:
            return
        clashing = set()
        for each, observation in whole.items():
            with self._fitting:
                if worker.is_cancelled:
                    return
                if self.session.clashes(observation):
                    clashing.add(each)
        if clashing and not worker.is_cancelled:
            self.app.call_from_thread(self._mark, line, frozenset(clashing))

    def _mark(self, line: str, clashing: frozenset[str]) -> None:
        if line != self.query_one(EntryLine).value:
            return
        self.query_one(Matches).mark(clashing)
        if line in clashing:
            text = escape(self._reading(line).preview.text, most=500)
            self.say(Text.assemble(("✗ contradicts the log: ", "bold"), text))

    def _type(self, text: str) -> None:
        line = self.query_one(EntryLine)
        line.value = text
        line.cursor_position = len(text)
        self.set_focus(line)

    def _take(self, text: str) -> None:
        """Tell the line, or say what is wrong with it while it stays."""
        try:
            number = self._told(text)
        except NotationError as error:
            self._wrong(error)
        except ClueError as error:
            self.say(str(error))
        else:
            self._type_draft()
            self._changed()
            done = "in memory only:" if self.session.trouble else "✓"
            self.say(f"{done} {number} {escape(self.session.lines[number - 1], most=500)}")

    def _told(self, text: str) -> int:
        """Add the entry of a line, or put it in the place of the one that is edited."""
        ahead, comment = self._reading(text).preview, split_comment(text)[1]
        if ahead.error is not None:
            raise ahead.error
        if ahead.observation is None:
            raise NotationError("expected an observation; found nothing", line=text)
        if self.editing is None:
            return self.session.append(ahead.observation, comment=comment)
        self.session.replace(self.editing, ahead.observation, comment=comment)
        return self.editing

    def _wrong(self, error: NotationError) -> None:
        line = self.query_one(EntryLine)
        place = line.region.x - 1 + error.column - line.scroll_offset.x
        self.say(pointing(error.reason, place, max(20, self.size.width - 2)))

    def _prompt(self) -> None:
        """Say before the line which entry is typed, and in it whose turn it is."""
        number = len(self.session.record.entries) + 1
        edits = self.editing is not None
        prompt = f"edit {self.editing}>" if edits else f"{number:>2}>"
        self.set_class(edits, "-editing")
        self.query_one("#prompt", Static).update(prompt, layout=False)
        turn = self.session.turn
        self.query_one(EntryLine).placeholder = (
            "what happened? F2 chooses from lists"
            if turn is None
            else f"{turn} suggests ...  (F2: from lists)"
        )

    def _changed(self) -> None:
        self.view, self.check = View(), None
        self._prompt()
        self.refresh_all()

    def _done(self, said: str) -> None:
        """Show the game after a change, and say what was done."""
        self._leave_edit()
        self._changed()
        self.say(said)

    def action_undo(self) -> None:
        if self.session.undo():
            entries = len(self.session.record.entries)
            self._done(f"undone; {entries} entries, Ctrl+Y does it again")
        else:
            self.say("nothing to undo")

    def action_redo(self) -> None:
        if self.session.redo():
            self._done(f"done again; {len(self.session.record.entries)} entries")
        else:
            self.say("nothing to do again")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Edit an entry of the log, or make a correction."""
        if event.option_list.id == "log":
            self._edit(event.option_index + 1)
        elif event.option_list.id == "corrections":
            self.action_correct(event.option_index + 1)

    def action_delete(self) -> None:
        number = self.query_one(LogView).entry
        if number is None:
            return
        try:
            self.session.delete(number)
        except ClueError as error:
            self.say(str(error))
        else:
            self._done(f"entry {number} taken out; Ctrl+Z brings it back")

    def action_hands(self) -> None:
        table = self.session.record.table
        sizes = ", ".join("?" if size is None else str(size) for size in table.hands)
        names = ", ".join(table.seats)
        title = f"Cards in each hand, of {table.dealt}: {names}\n(? for one unknown; empty for all)"

        def done(changed: bool | None) -> None:
            if changed:
                self._changed()

        self.app.push_screen(Filling(title, sizes, self.session.set_hands), done)

    def action_correct(self, number: int) -> None:
        if self.drawn is None or self.drawn.consistent:
            self.say("nothing to correct: the log is consistent")
        elif self.check is None:
            self.say("still looking for corrections ...")
        elif not 1 <= number <= len(self.check.corrections):
            self.say(f"no correction {number}: there are {len(self.check.corrections)}")
        else:
            correction = self.check.corrections[number - 1]
            try:
                self.session.correct(correction)
            except ClueError as error:
                self.say(str(error))
                return
            after = "; ".join(change.after for change in correction.changes)
            self._done(f"corrected: {after} (Ctrl+Z takes it back)")
            self.set_focus(self.query_one(EntryLine))

    def action_choose(self) -> None:
        table = self.session.record.table

        def done(chosen: Observation | None) -> None:
            if chosen is not None:
                self._type(format_line(chosen, table))

        self.app.push_screen(Choosing(table, self.session.state), done)

    def _edit(self, number: int) -> None:
        line = self.query_one(EntryLine)
        if self.editing is None:
            self._draft = line.value
        self.editing = number
        comment = self.session.record.entries[number - 1].comment
        text = self.session.lines[number - 1]
        self._type(f"{text} # {comment}" if comment else text)
        self._prompt()

    def _leave_edit(self) -> None:
        if self.editing is not None:
            self._type_draft()
            self._prompt()

    def _type_draft(self) -> None:
        """End an edit: what was typed before it stands in the line again."""
        self.editing, draft, self._draft = None, self._draft, ""
        self._type(draft)

    def action_back(self) -> None:
        """Leave the edit, else the view, else the pane."""
        if self.editing is not None:
            self._leave_edit()
        elif self.view != View():
            self.look(View())
            self.say("")
        else:
            self.set_focus(self.query_one(EntryLine))
