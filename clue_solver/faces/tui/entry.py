"""The input line of a game's screen: completions, Enter, pasting, and menus that write a line."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList

from clue_solver.conversation.commands import COMMAND, TypedCommand, parse_command
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.session import Session
from clue_solver.errors import counted, printable
from clue_solver.faces.leaving import Say
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.tui.line import EDIT, LineSuggester
from clue_solver.faces.tui.screen import GameScreen
from clue_solver.notation import Completion


class EntryScreen(GameScreen):
    """
    A game's screen with an input line; subclasses say what a line does.

    Attributes:
        marks_first: Whether Enter alone chooses the first choice of a menu.
        dialog: Reads the lines.
        pasted: The pasted lines that have not been entered yet.
    """

    marks_first: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.dialog = Dialog(session, hand=True)
        self.line.suggester = LineSuggester(self.suggested_line)
        self.pasted: list[str] = []
        self._found: tuple[str, object, tuple[Completion, ...]] = ("", None, ())

    # What a subclass knows.

    def meaning(self, text: str) -> Text:
        """Return what a line means so far, or what is wrong with it and where."""
        raise NotImplementedError

    def enter_line(self, text: str) -> None:
        """Enter a line that is no command."""
        raise NotImplementedError

    def next_menu(self, chosen: tuple[str, ...]) -> Prompt | str:
        """Return the menu after these choices, or the line that they give."""
        raise NotImplementedError

    def leave(self, say: Say) -> bool:
        """Close the game and say what happened to it; return whether it is in its file."""
        raise NotImplementedError

    @property
    def trouble(self) -> object:
        """Why the game is not completely in its file; empty or `None` if it is."""
        return self.session.trouble

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return the completions of a line that is no command."""
        return self.dialog.completions(text)

    def enter_nothing(self) -> None:
        """Handle Enter without text."""

    # What is typed.

    def take(self, text: str) -> None:
        """Run a text as a command, or enter it as a line."""
        said = parse_command(text, self.dialog, self.words)
        if said is None:
            self.enter_line(text)
            return
        word = self.word_of(said)
        if word is None:
            self.refuse(f"no command {printable(said.word)}; Ctrl+P lists them all")
            return
        self.line.remember(text)
        self.line.write("")
        self.do(TypedCommand(word, said.rest), text)

    def put(self, text: str) -> None:
        """Enter a line that was typed somewhere else."""
        self.line.write(text)
        self.take(text)

    def on_paste(self, event: events.Paste) -> None:
        """Enter pasted text."""
        self.paste(event.text)

    def paste(self, text: str) -> None:
        """Enter pasted lines one after the other, until one of them raises a question."""
        self.pasted = [line for line in text.splitlines(keepends=True) if line.strip()]
        self.type_pasted()

    def type_pasted(self) -> None:
        """Type the next pasted line, and enter it if it ends with a newline."""
        if self.pasted:
            line = self.pasted.pop(0)
            self.set_focus(self.line)
            self.line.replace(line.rstrip("\r\n"), *self.line.selection)
            if line.endswith(("\r", "\n")):
                self.take(self.line.value)

    def leave_pasted(self) -> None:
        """Stop entering pasted lines; the rest goes to the history."""
        for line in reversed(self.pasted):
            self.line.remember(line.strip())
        if self.pasted:
            self.say(f"{counted(len(self.pasted), 'line')} left out: Up brings them back")
        self.pasted = []

    def _command_in(self, text: str) -> TypedCommand | None:
        """Return the command in a text; `None` for a line, including one after `edit 4`."""
        said = parse_command(text, self.dialog, self.words)
        tells = said is not None and said.word in ("edit", "insert") and said.line
        return None if tells else said

    def matches_of(self, text: str) -> tuple[Completion, ...]:
        """Return the completions of a text; the last result is cached."""
        line, record, found = self._found
        if (line, record) == (text, self.session.record):
            return found
        said = self._command_in(text)
        if said is None:
            found = self.completions(text) if text.strip() else ()
        else:
            words = [each for each in self.words if each.startswith(said.word) and not said.rest]
            labels = {f"/{word}": f"{word}: {COMMAND[word].does}" for word in words}
            found = tuple(Completion(line=line, label=label) for line, label in labels.items())
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
        self.set_class(EDIT.match(text) is not None, "-editing")
        asks = self.app.screen is not self  # then a box lists what may be answered
        self.matches.offer(() if asks else self.matches_of(text))
        if asks or text == self._said_of:
            return
        is_line = text.strip() and self._command_in(text) is None
        self.say(self.meaning(text) if is_line else "")

    @on(Input.Submitted, "#line")
    def enter(self, event: Input.Submitted) -> None:
        """Complete the line with the highlighted completion, or else enter it."""
        if self.matches.picked is not None:
            self.line.write(self.matches.picked)
        elif event.value.strip():
            self.take(event.value)
        else:
            self.enter_nothing()

    @on(OptionList.OptionSelected, "#matches")
    def take_match(self, event: OptionList.OptionSelected) -> None:
        """Complete the line with the completion that was clicked."""
        self.line.write(self.matches.found[event.option_index].line)

    def action_complete(self) -> None:
        """Complete the line, or correct its misspelt name; if it is empty, go to the next pane."""
        text, found = self.line.value, self.matches_of(self.line.value)
        if self.focused is not self.line or not text:
            self.do_pane()
        elif found:
            self.line.write(self.matches.picked or found[0].line)
        elif (mended := self.dialog.typed_line(text).corrected) is not None:
            self.line.write(mended)

    def action_move(self, by: int) -> None:
        """Highlight another completion, or recall an earlier line: Up, if none is highlighted."""
        highlighted = self.matches.highlighted is not None
        if self.matches.found and (highlighted or by > 0) and not self.line.is_recalled:
            self.matches.choose(by)
        else:
            self.line.recall(by)

    # Lists.

    def do_lists(
        self, chosen: tuple[str, ...] = (), back: Callable[[], None] | None = None
    ) -> None:
        """
        Ask with menus, one after the other, and write the line that they give.

        Args:
            chosen: The choices so far.
            back: Shows the previous menu.
        """
        question = self.next_menu(chosen)
        while isinstance(question, Prompt) and len(question.choices) == 1:
            chosen = (*chosen, question.choices[0][1])  # there is no choice
            question = self.next_menu(chosen)
        if isinstance(question, str):
            self.write_chosen(question)
            return
        again = partial(self.do_lists, chosen, back)
        if self.marks_first:
            question = question._replace(usual=question.values[0])

        def go_on(answer: str | None) -> None:
            if answer in question.values:
                self.do_lists((*chosen, answer), again)
            elif answer is not None:
                self.put(answer)
            elif back is not None:
                back()

        self.ask(question, go_on)

    def write_chosen(self, line: str) -> None:
        """Write the line that menus gave, so that Enter enters it."""
        self.line.write(line)
