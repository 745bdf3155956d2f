"""The line of a game's screen: what it may become, what is taken, lists that write it."""

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
from clue_solver.faces.tui.line import Rest
from clue_solver.faces.tui.screen import GameScreen
from clue_solver.notation import Completion


class EntryScreen(GameScreen):
    """
    The screen of a game with its line; what a line does is a subclass's.

    Attributes:
        marks_first: Whether Enter alone chooses the first answer of a list.
        dialog: What reads a line.
        pasted: The lines that were pasted and are not told yet.
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
        self.line.suggester = Rest(self.rest_of)
        self.pasted: list[str] = []
        self._found: tuple[str, object, tuple[Completion, ...]] = ("", None, ())

    # What a subclass knows.

    def meaning(self, text: str) -> Text:
        """Return what a line means so far, or what is wrong with it and where."""
        raise NotImplementedError

    def tell_line(self, text: str) -> None:
        """Take a line that is no command."""
        raise NotImplementedError

    def listed(self, chosen: tuple[str, ...]) -> Prompt | str:
        """Return what is asked next after these answers, or the line that comes of them."""
        raise NotImplementedError

    def leave(self, say: Say) -> bool:
        """Let go of the game, say what became of it, and return whether it is in its file."""
        raise NotImplementedError

    @property
    def trouble(self) -> object:
        """Why not all of the game is in its file."""
        return self.session.trouble

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return what a line that is no command may become."""
        return self.dialog.completions(text)

    def take_nothing(self) -> None:
        """Do what Enter does with nothing typed: say why of the cell."""
        self.do_why()

    # What is typed.

    def take(self, text: str) -> None:
        """Do what a command says, or take a line."""
        said = parse_command(text, self.dialog, self.words)
        if said is None:
            self.tell_line(text)
            return
        word = self.word_of(said)
        if word is None:
            self.refuse(f"no command {printable(said.word)}; Ctrl+P lists them all")
            return
        self.line.remember(text)
        self.line.write("")
        self.do(TypedCommand(word, said.rest), text)

    def put(self, text: str) -> None:
        """Take a line that was typed elsewhere."""
        self.line.write(text)
        self.take(text)

    def on_paste(self, event: events.Paste) -> None:
        """Type what is pasted."""
        self.paste(event.text)

    def paste(self, text: str) -> None:
        """Type what is pasted; of several lines each is told, until one is asked about."""
        self.pasted = [line for line in text.splitlines(keepends=True) if line.strip()]
        self.type_pasted()

    def type_pasted(self) -> None:
        """Type the next pasted line, and tell it if it was ended."""
        if self.pasted:
            line = self.pasted.pop(0)
            self.set_focus(self.line)
            self.line.replace(line.rstrip("\r\n"), *self.line.selection)
            if line.endswith(("\r", "\n")):
                self.take(self.line.value)

    def leave_pasted(self) -> None:
        """Leave the lines that were pasted behind one that is asked about, to be brought back."""
        for line in reversed(self.pasted):
            self.line.remember(line.strip())
        if self.pasted:
            self.say(f"{counted(len(self.pasted), 'line')} left out: Up brings them back")
        self.pasted = []

    def _command_in(self, text: str) -> TypedCommand | None:
        """Return the command that a text is; `None` for a line, also for one behind `edit 4`."""
        said = parse_command(text, self.dialog, self.words)
        tells = said is not None and said.word in ("edit", "insert") and said.line
        return None if tells else said

    def matches_of(self, text: str) -> tuple[Completion, ...]:
        """Return what a line may become; what was found last is kept."""
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

    def rest_of(self, text: str) -> str | None:
        """Return the likeliest line that goes on so."""
        begun = text.casefold()
        lines = (each.line for each in self.matches_of(text))
        return next((line for line in lines if line.casefold().startswith(begun)), None)

    @on(Input.Changed, "#line")
    def offer(self, event: Input.Changed) -> None:
        """Offer what the line may become, and say what it means so far."""
        text = event.value
        if text != self.line.value:
            return
        self.write_prompt()
        asks = self.app.screen is not self  # then a box lists what may be answered
        self.matches.offer(() if asks else self.matches_of(text))
        if asks or text == self._said_of:
            return
        is_line = text.strip() and self._command_in(text) is None
        self.say(self.meaning(text) if is_line else "")

    @on(Input.Submitted, "#line")
    def enter(self, event: Input.Submitted) -> None:
        """Take the match that an arrow has marked, else the line."""
        if self.matches.picked is not None:
            self.line.write(self.matches.picked)
        elif event.value.strip():
            self.take(event.value)
        else:
            self.take_nothing()

    @on(OptionList.OptionSelected, "#matches")
    def take_match(self, event: OptionList.OptionSelected) -> None:
        """Take what the line may become, by a click."""
        self.line.write(self.matches.found[event.option_index].line)

    def action_complete(self) -> None:
        """Take what is offered, or the name meant by a slip; with nothing typed the next pane."""
        text, found = self.line.value, self.matches_of(self.line.value)
        if self.focused is not self.line or not text:
            self.do_pane()
        elif found:
            self.line.write(self.matches.picked or found[0].line)
        elif (mended := self.dialog.typed(text).corrected) is not None:
            self.line.write(mended)

    def action_move(self, by: int) -> None:
        """Mark another match, or bring an earlier line back."""
        if self.matches.found and not self.line.is_recalled:
            self.matches.choose(by)
        else:
            self.line.recall(by)

    # Lists.

    def do_lists(
        self, chosen: tuple[str, ...] = (), back: Callable[[], None] | None = None
    ) -> None:
        """
        Choose from lists, question after question; the line that comes of it is written.

        Args:
            chosen: What was chosen so far.
            back: Asks the question before.
        """
        question = self.listed(chosen)
        while isinstance(question, Prompt) and len(question.choices) == 1:
            chosen = (*chosen, question.choices[0][1])  # there is no choice
            question = self.listed(chosen)
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
        """Write the line that was chosen from lists, which Enter takes."""
        self.line.write(line)
