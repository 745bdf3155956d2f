"""
What stands between an interface and a game that a person logs or a referee deals.

All that is typed goes the same way, whatever the game and the interface:

    a text, a choice, a key  ->  a `Feed`  ->  an `Account`  ->  the full screen, or lines

A text goes to `handle_text`, which gives a command to `run`, and all else to `handle_line`. So
Enter becomes a sheet by `GameScreen.submit`, `Feed.handle_text`, `LoggedGame.handle_line`,
`Dialog.say`, then by `GameScreen.show_account` and `redraw`.

An `Account` is the result: what happened, what is asked now with its choices, and why something
was refused. A line that is typed into a question about another one waits until that is settled.
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
"""How much the program shows: the own hand only, certain cells, chances too, advice too."""

HINTS: dict[Hints, str] = {
    "advice": "everything that it knows",
    "sheet": "the sheet, but no advice",
    "marks": "only what is certain",
    "nothing": "only your own hand",
}
"""What the program shows at each level, from most to least."""


class TextRemark(NamedTuple):
    """
    What to say about a text that is typed, or that was refused.

    Attributes:
        text: The remark.
        wrong: Whether it says what is wrong.
        column: The column of the text to which it belongs; `None` for all of it.
    """

    text: str = ""
    wrong: bool = False
    column: int | None = None


class PendingQuestion(NamedTuple):
    """
    A question to a person, and how its answer is handled.

    Attributes:
        prompt: The question, with its choices.
        settle: Takes the value of a choice, another text that was typed, or `None` if the person
            goes back; returns the account of that.
        meant: Returns the value of the choice that a text means; `None` if it means none.
    """

    prompt: Prompt
    settle: Callable[[str | None], Account]
    meant: Callable[[str], str | None]


class Account(NamedTuple):
    """
    The result of a text, a choice or a command.

    Attributes:
        said: What happened.
        changed: Whether the game is to be drawn again.
        logged_at: The place in the log where a line was logged; `None` if none was.
        clashes: Whether that line contradicts the log.
        outside: What another program had done to the file before.
        question: What is asked now.
        line: What the input line holds from now on; `None` if it stays.
        waits: Whether typing replaces that line, which otherwise waits for Enter or Backspace.
        refused: Why the text was refused.
        command: A command that the interface itself carries out or answers.
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
    refused: TextRemark | None = None
    command: TypedCommand | None = None
    plays_on: bool = False


class Feed:
    """
    Passes what is typed on to one game; a subclass for each kind of game handles its lines.

    Attributes:
        session: The game, as its person sees it.
        hints: How much the program shows.
        given: The line that the program wrote into the input last, for the person to change.
        waiting: The lines to enter next, as they were pasted or typed into a question: those that
            end with a newline, and at most one that is not complete yet.
        words: The commands that may be typed.
        deals: Whether the program deals the game.
        by_line: Whether there are no keys, and no input line that a command can fill.
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
        """Return what stands before the line, and an example if the line is empty."""
        raise NotImplementedError

    def handle_line(self, line: str) -> Account:
        """Handle a text that is no command: an answer or a line."""
        raise NotImplementedError

    def next_menu(self, chosen: tuple[str, ...]) -> Prompt | Account:
        """Return the menu after these choices, or their account if they are complete."""
        raise NotImplementedError

    def change(self, said: TypedCommand, line: str) -> Account:
        """Carry out a command that changes the game; raise a `ClueError` if that fails."""
        raise NotImplementedError

    def close(self, say: Say, typed: Sequence[str] = ()) -> bool:
        """
        Close the game, and say where it is.

        Args:
            say: Prints a message.
            typed: The lines that were typed and not taken.

        Returns:
            Whether the game is completely in its file.
        """
        raise NotImplementedError

    # Defaults that a subclass may override.

    def place_in(self, text: str) -> tuple[LogPlace, int]:  # noqa: ARG002
        """Return the place in the log that a text names, and the column where its line begins."""
        return END, 0

    def meaning(self, text: str) -> TextRemark:  # noqa: ARG002
        """Return what a line means so far, or what is wrong with it; empty for a command."""
        return TextRemark()

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return the completions of a text: the commands that a word begins."""
        said = self.command_in(text)
        if said is None or said.rest:
            return ()
        words = (word for word in self.words if word.startswith(said.word))
        return tuple(
            Completion(line=f"/{word}", label=f"{word}: {COMMAND[word].does}") for word in words
        )

    @property
    def how(self) -> str:
        """How to play, for the help; empty if the game is logged."""
        return ""

    @property
    def whose(self) -> str:
        """Whose notes these are, for the head of the screen."""
        viewer = self.session.record.table.viewer
        return "a spectator's notes" if viewer is None else f"{viewer}'s notes"

    @property
    def turn(self) -> str | None:
        """The player whose turn it is; `None` if that is unknown."""
        return self.session.turn

    @property
    def trouble(self) -> object:
        """Why the game is not completely in its file; empty or `None` if it is."""
        return self.session.trouble

    @property
    def replacement_for_advice(self) -> tuple[str, str] | None:
        """The text and the remark to show instead of advice; `None` to show the advice."""
        return None

    @property
    def others_play(self) -> bool:
        """Whether a machine decides next."""
        return False

    def let_machine_decide(self) -> None:
        """Let the machine whose turn it is think, and do what it decides. Called in a thread."""

    def log(self) -> Iterator[str]:
        """Yield the entries in short form, for the log pane."""
        record = self.session.record
        yield from brief_texts(record.entries, record.table)

    def news(self) -> Account:
        """Return what happened without the person: what machines or another program did."""
        return Account()

    def ask(self) -> Account:
        """Ask for what the person has to decide now, if there is something."""
        return Account()

    def thoughts(self, game: Game) -> Iterator[Thought]:
        """Yield quick advice, then full advice. Called in a thread."""
        yield from thoughts_on(game)

    def replies(self, said: TypedCommand) -> Iterator[RenderableType]:
        """Yield the reply to a command that only asks. Called in a thread."""
        if said.word == "help":
            table = self.session.record.table
            keys = not self.by_line
            yield DrawnBlocks(help_document(table, self.words, keys=keys, how=self.how))
            return
        yield from replies_to(self.session.game, said)

    # Handling all that is typed.

    def command_in(self, text: str) -> TypedCommand | None:
        """Return the command in a text; `None` if it is a line."""
        return parse_command(text, None, self.words)

    def handle_text(self, text: str) -> Account:
        """Handle a text: a command, an answer or a line."""
        said = self.command_in(text)
        return self.handle_line(text) if said is None else self.run(said, typed=text)

    def run(self, said: TypedCommand, *, line: str = "", typed: str = "") -> Account:
        """
        Carry out a command, or leave it to the interface; return the account.

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
        """Return what is wrong with a text."""
        if not isinstance(error, NotationError):
            return TextRemark(str(error), wrong=True)
        placed = error.line and not text.startswith("/")
        return TextRemark(error.reason, wrong=True, column=error.column if placed else None)

    @property
    def waiting_text(self) -> str:
        """The first line that waits, and how many more there are; empty if none does."""
        if not self.waiting:
            return ""
        first, more = printable(self.waiting[0].strip()), len(self.waiting) - 1
        return f"next: {first}" + (f" (and {more} more)" if more else "")

    def lists(self, chosen: tuple[str, ...] = (), back: Callable[[], Account] = Account) -> Account:
        """
        Let the person build a line from menus, one after the other.

        Args:
            chosen: The choices so far.
            back: Returns the account of the menu before.
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
        Ask a question; another text may be typed as well, and stays there if it is refused.

        Args:
            prompt: The question.
            choose: Takes the value of a choice; returns the account of it.
            back: Returns the account of going back.
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
