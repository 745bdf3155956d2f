"""
The link between an interface and a game, which a person logs or a referee deals.

All that is typed goes the same way, whatever the game and the interface:

    a text, a choice, a key  ->  a `Feed`  ->  an `Account`  ->  the full screen, or lines

A text goes to `handle_text`, which gives a command to `run`, and all else to `handle_line`. From
the Enter key to the new sheet, these are called: `GameScreen.submit`, `Feed.handle_text`,
`LoggedGame.handle_line`, `Dialog.say`, then `GameScreen.show_account` and `redraw`.

An `Account` is the result: what happened, what is asked now with its choices, and why something
was refused. If a question about a line is open, another line that is typed waits until the first
one is settled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple

from rich.console import RenderableType

from clue_solver.conversation.changes import END, LogPlace
from clue_solver.conversation.commands import COMMAND, TypedCommand, parse_command
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError, printable
from clue_solver.faces.helping import help_document
from clue_solver.faces.leaving import Say
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.replies import replies_to
from clue_solver.faces.thoughts import Thought, thoughts_on
from clue_solver.game import Game
from clue_solver.notation.completion import Completion
from clue_solver.notation.names import Names
from clue_solver.views.document import DrawnBlocks
from clue_solver.views.sentences import brief_texts

Hints = Literal["nothing", "marks", "sheet", "advice"]
"""How much the program shows: the person's hand only, certain cells, also chances, also advice."""

HINTS: dict[Hints, str] = {
    "advice": "everything that it knows",
    "sheet": "the sheet, but no advice",
    "marks": "only what is certain",
    "nothing": "only your own hand",
}
"""What the program shows at each level, from most to least."""


class TextRemark(NamedTuple):
    """
    What to say about a text that is being typed, or that was refused.

    Attributes:
        text: The remark.
        wrong: Whether it says what is wrong.
        column: The column of the text that it is about, from 0; `None` for the whole text.
    """

    text: str = ""
    wrong: bool = False
    column: int | None = None


class PendingQuestion(NamedTuple):
    """
    A question to a person, and how its answer is handled.

    Attributes:
        prompt: The question, with its choices.
        settle: Takes the value of a choice, or another text that was typed, or `None` if the
            person goes back; returns the account of what followed.
        meant: Returns the value of the choice that a text means; `None` if it means none.
    """

    prompt: Prompt
    settle: Callable[[str | None], Account]
    meant: Callable[[str], str | None]


class Account(NamedTuple):
    """
    The result of a text, a choice or a command, for the interface to show.

    Attributes:
        said: What happened.
        changed: Whether the interface has to draw the game again.
        logged_at: The place in the log where a line was logged; `None` if no line was.
        clashes: Whether that line contradicts the log.
        outside: What another program had done to the game's file before.
        question: What is asked now; `None` if nothing is.
        line: What the input line holds from now on; `None` if it stays as it is.
        waits: Whether the next key replaces that line. Enter still takes it, and Backspace edits
            it.
        kept: The beginning of that line that is not replaced, such as `/edit 5 `.
        refused: Why the text was refused; `None` if it was not.
        command: A command that is left to the interface to carry out or to answer.
        plays_on: Whether a dealt game goes on from here: machines decide, then the person is asked.
    """

    said: str = ""
    changed: bool = False
    logged_at: LogPlace | None = None
    clashes: bool = False
    outside: str = ""
    question: PendingQuestion | None = None
    line: str | None = None
    waits: bool = False
    kept: str = ""
    refused: TextRemark | None = None
    command: TypedCommand | None = None
    plays_on: bool = False


class Feed:
    """
    Passes what is typed on to one game; a subclass for each kind of game handles its lines.

    Attributes:
        session: The game, as its person sees it.
        hints: How much the program shows.
        given: The line that the program last wrote into the input, for the person to change.
        waiting: The lines to enter next, which were pasted or typed while a question was open.
            Each ends with a newline, except that the last may be incomplete.
        words: The commands that may be typed.
        deals: Whether the program deals the game.
        by_line: Whether the interface works line by line: it has no keys, and no input line that
            a command can fill.
    """

    words: Sequence[str]
    deals: ClassVar[bool] = False
    by_line = False

    def __init__(self, session: Session) -> None:
        self.session = session
        self.hints: Hints = "advice"
        self.given = ""
        self.waiting: list[str] = []

    # Each subclass has its own.

    def prompt(self, text: str) -> tuple[str, str]:
        """Return what to show before the input line `text`, and an example for an empty line."""
        raise NotImplementedError

    def handle_line(self, line: str) -> Account:
        """Handle a text that is no command: an answer, or a line for the log."""
        raise NotImplementedError

    def next_menu(self, chosen: tuple[str, ...]) -> Prompt | Account:
        """
        Return the menu that follows the choices made in earlier menus.

        If the choices are complete, the account of what they did is returned instead.
        """
        raise NotImplementedError

    def change(self, said: TypedCommand, line: str) -> Account:
        """
        Carry out a command that changes the game; raise a `ClueError` if that fails.

        Args:
            said: The command.
            line: What stands in the input line.
        """
        raise NotImplementedError

    def close(self, say: Say, typed: str = "") -> bool:
        """
        Close the game, and say where its file is.

        Args:
            say: Prints a message.
            typed: A line that was typed but did not get into the log; empty if there is none.

        Returns:
            Whether all of the game is in its file.
        """
        raise NotImplementedError

    # Defaults that a subclass may override.

    def place_in(self, text: str) -> tuple[LogPlace, int]:  # noqa: ARG002
        """
        Return the place in the log that a typed text names, and where in the text the line begins.

        `edit 4 ...` names entry 4, and the line begins behind the number. Most texts are lines that
        name no entry: these are for the end of the log and begin at 0.
        """
        return END, 0

    def meaning(self, text: str) -> TextRemark:  # noqa: ARG002
        """
        Return what a text means that is being typed, or what is wrong with it.

        The remark is empty if there is nothing to say, as for a command.
        """
        return TextRemark()

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return the completions of a text: all commands that begin with it."""
        said = self.command_in(text)
        if said is None or said.rest:
            return ()
        words = (word for word in self.words if word.startswith(said.word))
        return tuple(
            Completion(line=f"/{word}", label=f"{word}: {COMMAND[word].does}") for word in words
        )

    @property
    def how(self) -> str:
        """
        A text for the help that tells how to play a game that the program deals.

        Empty for a game that a person logs: there the help has examples of lines instead.
        """
        return ""

    @property
    def whose(self) -> str:
        """Whose notes these are, such as `Ann's notes`, for the head of the screen."""
        viewer = self.session.record.table.viewer
        return "a spectator's notes" if viewer is None else f"{viewer}'s notes"

    @property
    def turn(self) -> str | None:
        """The player whose turn it is; `None` if that is unknown."""
        return self.session.turn

    @property
    def trouble(self) -> object:
        """Why part of the game is not in its file; empty or `None` if all of it is."""
        return self.session.trouble

    @property
    def replacement_for_advice(self) -> tuple[str, str] | None:
        """What to show in place of advice, as a text and a remark; `None` to show the advice."""
        return None

    @property
    def others_play(self) -> bool:
        """Whether a machine decides next."""
        return False

    def let_machine_decide(self) -> None:
        """Let the machine whose turn it is think, and do what it decides. Called in a thread."""

    def log(self) -> Iterator[str]:
        """Yield the entries, abbreviated for the log pane."""
        record = self.session.record
        yield from brief_texts(record.entries, record.table)

    def news(self) -> Account:
        """Return what machines or another program did in the meantime."""
        return Account()

    def ask(self) -> Account:
        """Ask for what the person has to decide now; the account is empty if that is nothing."""
        return Account()

    def thoughts(self, game: Game) -> Iterator[Thought]:
        """Yield quick advice on a game, then full advice. Called in a thread."""
        yield from thoughts_on(game)

    def replies(self, said: TypedCommand) -> Iterator[RenderableType]:
        """Yield the reply to a command that changes nothing. Called in a thread."""
        if said.word == "help":
            table = self.session.record.table
            keys = not self.by_line
            yield DrawnBlocks(help_document(table, self.words, keys=keys, how=self.how))
            return
        yield from replies_to(self.session.game, said)

    # Handling what is typed.

    def command_in(self, text: str) -> TypedCommand | None:
        """Return the command that a text stands for; `None` if it is a line."""
        return parse_command(text, None, self.words)

    def handle_text(self, text: str) -> Account:
        """Handle a typed text: a command, an answer or a line."""
        said = self.command_in(text)
        return self.handle_line(text) if said is None else self.run(said, typed=text)

    def run(self, said: TypedCommand, *, line: str = "", typed: str = "") -> Account:
        """
        Carry out a command that changes the game; leave any other to the interface.

        Args:
            said: The command.
            line: What stands in the input line, if a key gave the command.
            typed: The command as it was typed; empty if a key or a menu gave it.
        """
        try:
            if said.word not in self.words:
                raise Names("command", self.words).error_for(said.word)
            said.check()
            account = self.change(said, line) if said.kind == "changes" else Account(command=said)
            if typed and account.line is None:
                account = account._replace(line="")
            return account
        except ClueError as error:
            return Account(line=typed or None, refused=self.fault(error, typed))

    def fault(self, error: ClueError, text: str) -> TextRemark:
        """Return what an error says about a text, and the column of the text that is wrong."""
        if not isinstance(error, NotationError):
            return TextRemark(str(error), wrong=True)
        placed = error.line and not text.startswith("/")
        return TextRemark(error.reason, wrong=True, column=error.column if placed else None)

    @property
    def waiting_text(self) -> str:
        """The first waiting line, and how many more there are; empty if no line waits."""
        if not self.waiting:
            return ""
        first, more = printable(self.waiting[0].strip()), len(self.waiting) - 1
        return f"next: {first}" + (f" (and {more} more)" if more else "")

    def lists(self, chosen: tuple[str, ...] = (), back: Callable[[], Account] = Account) -> Account:
        """
        Let the person build a line from menus, one after the other.

        Args:
            chosen: The values of the choices so far.
            back: Called if the person goes back from this menu; returns the account of that.
        """
        menu = self.next_menu(chosen)
        while isinstance(menu, Prompt) and len(menu.choices) == 1:  # there is no choice
            chosen = (*chosen, menu.values[0])
            menu = self.next_menu(chosen)
        if isinstance(menu, Account):
            return menu
        return self.ask_for(
            menu, lambda text: self.lists((*chosen, text), lambda: self.lists(chosen, back)), back
        )

    def ask_for(
        self,
        prompt: Prompt,
        choose: Callable[[str], Account],
        back: Callable[[], Account] = Account,
    ) -> Account:
        """
        Ask a question, which may also be answered with a command or a line.

        If that text is refused, the question is asked again with the text filled in.

        Args:
            prompt: The question.
            choose: Takes the value of a choice; returns the account of what it did.
            back: Called if the person goes back; returns the account of that.
        """

        def settle(text: str | None) -> Account:
            """Handle the value of a choice, another text, or `None` for going back."""
            if text is None:
                return back()
            if text in prompt.values:
                return choose(text)
            account = self.handle_text(text)
            if account.refused is None:
                return account
            why = account.refused.text if " " in text else prompt.fault_of(text)
            return self.ask_for(prompt.with_text(text, why), choose, back)

        return Account(question=PendingQuestion(prompt, settle, prompt.value_in))
