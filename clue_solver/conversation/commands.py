"""
The commands that people can type while they log a game.

Help, the palette, keys and completion use the same list, `COMMANDS`. `parse_command` recognises a
command in a text; `change` carries out a command that changes a game.
"""

import re
from collections.abc import Collection
from typing import Literal, NamedTuple

from clue_solver.answers.corrections import Correction
from clue_solver.conversation.changes import Change
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, printable
from clue_solver.notation.names import Names


class GameCommand(NamedTuple):
    """
    A command for a game that is being logged.

    Attributes:
        word: The word to type after a slash. The slash may be left out if the text cannot be read
            as a line of the game.
        example: An example of its argument; empty if it takes none. If it is a number, the command
            takes a number alone.
        does: What it does, for the help.
        kind: `changes` for a command that changes the game, `asks` for one that only answers, which
            may take a while, `leaves` for one that closes the game, `screen` for one that only the
            full screen has.
        keys: Its keys on the full screen, as Textual names them.
        label: Its label in the footer of the full screen; empty if it has none.
    """

    word: str
    example: str
    does: str
    kind: Literal["changes", "asks", "leaves", "screen"]
    keys: str = ""
    label: str = ""


COMMANDS = (
    GameCommand("quit", "", "leave; everything is saved", "leaves", "ctrl+q", "Quit"),
    GameCommand("help", "", "this help", "asks", "f1", "Help"),
    GameCommand("advise", "", "what to ask, and whether to accuse", "asks", "f10,ctrl+g", "Advise"),
    GameCommand("why", "plum ben", "why a card is where it is", "asks"),
    GameCommand("suppose", "ben has rope", "what if", "asks"),
    GameCommand("undo", "", "take back the last change", "changes", "ctrl+z", "Undo"),
    GameCommand("lists", "", "choose what happened from lists", "screen", "f2", "Lists"),
    GameCommand("redo", "", "redo the change that you last undid", "changes", "ctrl+y"),
    GameCommand(
        "show", "ben plum rope hall", "what each card you could show gives away", "asks", "f3"
    ),
    GameCommand("fix", "1", "correct a contradiction", "changes", "f5", "Correct"),
    GameCommand("edit", "7 Ann suggests ...", "replace entry 7", "changes"),
    GameCommand("insert", "7 Ann suggests ...", "insert an entry before entry 7", "changes"),
    GameCommand("delete", "7", "remove entry 7", "changes"),
    GameCommand("check", "", "is the log consistent?", "asks"),
    GameCommand("log", "", "all entries", "asks"),
    GameCommand("sheet", "7", "the sheet, as of entry 7", "asks"),
    GameCommand("review", "", "a finished game, turn by turn", "asks"),
    GameCommand(
        "hands", "5, 5, 4, 4", "hand sizes, or who was dealt the first card", "changes", "f4"
    ),
    GameCommand("seats", "Ann, Ben, Cat", "all players, clockwise", "changes"),
    GameCommand("pieces", "plum, ?, scarlett", "each player's piece", "changes"),
    GameCommand("first", "ben", "who begins", "changes"),
    GameCommand("house", "play", "rules that your table ignores", "changes"),
    GameCommand("hints", "", "show less: sheet, marks, nothing; then all again", "screen", "f9"),
    GameCommand("new", "", "another game; this one is saved", "leaves"),
    GameCommand("pane", "", "the next pane: sheet, log, advice, line", "screen", "f6"),
    GameCommand("back", "", "leave an edit or a view and return to the line", "screen", "escape"),
    GameCommand("as", "ben", "through another player's eyes", "asks"),
)
"""All commands, in the order in which the help lists them."""

COMMAND = {command.word: command for command in COMMANDS}
WORDS = tuple(command.word for command in COMMANDS if command.kind in ("changes", "asks"))
"""The words of the commands that every interface has and that do not close the game."""


class TypedCommand(NamedTuple):
    """
    A command as it was typed.

    Attributes:
        word: The word of the command in lower case; as it was typed if it means no single command.
        rest: The text after the word.
    """

    word: str
    rest: str = ""

    @property
    def kind(self) -> str:
        """
        The command's kind, as in `GameCommand`: `changes`, for example. Empty for an unknown
        command.
        """
        return COMMAND[self.word].kind if self.word in COMMAND else ""

    @property
    def number(self) -> int:
        """The number after the command's word; raises an `ArgumentError` if there is none."""
        text, example = self.rest.partition(" ")[0], f"/{self.word} {COMMAND[self.word].example}"
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ArgumentError(f"expected a number, as in {example}; found '{printable(text)}'")
        return int(text)

    @property
    def line(self) -> str:
        """What follows the number after the command's word: the line in `/edit 7 Ann skips`."""
        return self.rest.partition(" ")[2].strip()

    def check(self) -> None:
        """Raise an `ArgumentError` if the command is followed by text that it does not take."""
        command = COMMAND[self.word]
        before, found = f"/{self.word}", "" if command.example else self.rest
        if command.example.isdecimal() and self.line:  # `delete 2 and 3` is no command
            before, found = f"{before} {self.number}", self.line
        if found:
            raise ArgumentError(f"expected nothing after {before}; found '{printable(found)}'")


def parse_command(
    text: str, dialog: Dialog | None, words: Collection[str] = WORDS
) -> TypedCommand | None:
    """
    Return the command in a text; `None` if the text is a line for the dialog.

    A text after a slash is always a command, even if its word is unknown; the word may be
    shortened. Any other text is a command if its first word is one and the text cannot be read as a
    line. `what if` means `suppose`, and `why` may begin a whole question.

    Args:
        text: What was typed.
        dialog: The dialog that would read the text as a line; `None` if it need not be checked
            whether it is a line.
        words: The words of the commands that are recognised.
    """
    text = re.sub(r"^what if (.*?)[ ?]*$", r"suppose \1", text.strip(), flags=re.IGNORECASE)
    if text.casefold().startswith("why "):
        text = re.sub(r"\b(is|the|in|does|have|has) |[ ?]+$", "", text, flags=re.IGNORECASE)
    word, _, rest = text.partition(" ")
    said = TypedCommand(word.removeprefix("/").removesuffix(":").casefold(), rest.strip())
    if text.startswith("/"):
        named = Names("command", words).candidates(said.word)
        return said._replace(word=named[0]) if len(named) == 1 else said
    if said.word not in words or (rest and said.kind in ("leaves", "screen")):
        return None
    return None if dialog is not None and dialog.typed_line(text).reading else said


def change(session: Session, said: TypedCommand) -> Change | Correction:
    """
    Carry out a command that changes the game, and return what it changed.

    Args:
        session: The game.
        said: The command; not `edit` or `insert`, whose lines go to the dialog.

    Raises:
        ClueError: If the session cannot make the change; an `ArgumentError` if there is nothing to
            change.
    """
    said.check()
    before = session.record.table
    match said.word:
        case "undo" | "redo":
            done = session.undo() if said.word == "undo" else session.redo()
            if done is None:
                raise ArgumentError(f"nothing to {said.word}")
            return done
        case "delete":
            entry = session.entry(said.number)
            session.delete(said.number)
            return Change(kind="removed", entry=said.number, before=entry)
        case "hands" | "seats" | "pieces" | "first" | "house" as part:
            session.set_header(part, said.rest)
            return Change(kind=part, before=before, after=session.record.table)
        case "fix":
            corrections = session.game.check().corrections
            if not 1 <= said.number <= len(corrections):
                raise ArgumentError(
                    f"there is no correction {said.number} (corrections: {len(corrections)})"
                )
            session.correct(corrections[said.number - 1])
            return corrections[said.number - 1]
    raise ArgumentError(f"/{said.word} changes nothing")
