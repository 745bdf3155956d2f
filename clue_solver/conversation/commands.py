"""The commands of a session: their words, what may follow each, and the changes that they make."""

from collections.abc import Collection
from typing import NamedTuple

from clue_solver.answers.corrections import Check, Correction
from clue_solver.conversation.changes import Change
from clue_solver.conversation.dialog import EntryDialog
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, printable

CHANGING = {
    "undo": "",
    "redo": "",
    "edit": "7 Ann suggests ...",
    "insert": "7 Ann suggests ...",
    "delete": "7",
    "hands": "5, 5, 4, 4",
    "seats": "Ann, Ben, Cat",
    "pieces": "plum, ?, scarlett",
    "first": "ben",
    "house": "play",
    "fix": "1",
}
"""The commands that change the game, each with an example of what follows it, if anything may."""

LOOKING = {
    "sheet": "7",
    "log": "",
    "best": "",
    "board": "",
    "why": "plum ben",
    "check": "",
    "suppose": "ben has rope",
    "as": "ben",
    "show": "ben plum rope hall",
    "advise": "...",
    "review": "plum, rope, hall",
}
"""The commands that only ask, and may take a while."""

WORDS = {**CHANGING, **LOOKING, "help": ""}


class Said(NamedTuple):
    """
    A command as it was typed.

    Attributes:
        word: Its word in small letters, or how that begins.
        rest: What follows it.
    """

    word: str
    rest: str = ""

    @property
    def number(self) -> int:
        """The number that follows; an `ArgumentError` if there is none."""
        return number_in(self.rest.partition(" ")[0], f"/{self.word} {WORDS[self.word]}")

    @property
    def line(self) -> str:
        """What follows the number."""
        return self.rest.partition(" ")[2].strip()

    def check(self) -> None:
        """Raise an `ArgumentError` if something follows that does not belong to the command."""
        if self.rest and not WORDS.get(self.word):
            raise ArgumentError(
                f"expected nothing after /{self.word}; found '{printable(self.rest)}'"
            )


def said_in(text: str, dialog: EntryDialog, alone: Collection[str] = ()) -> Said | None:
    """
    Return the command that a text is: behind a stroke, or where its word begins no line.

    Args:
        text: What was typed.
        dialog: What would take it as a line.
        alone: More words that are commands, where nothing follows.

    Returns:
        The command, whose word need not be one behind a stroke; `None` for a line.
    """
    word, _, rest = text.strip().partition(" ")
    said = Said(word.removeprefix("/").casefold(), rest.strip())
    if text.startswith("/"):
        return said
    if said.word not in WORDS and (rest or said.word not in alone):
        return None
    if rest and dialog.takes_back(text):  # `undo that`
        return None
    told = dialog.typed(text).preview.told
    return said if told is None else None


def change(session: Session, said: Said, check: Check | None = None) -> Change | Correction:
    """
    Make the change that a command says, and return what it was.

    Args:
        session: The game.
        said: One of the commands that change it, but for `edit` and `insert`, which tell a line.
        check: What was found out about corrections, if it was.

    Raises:
        ClueError: As of the session's methods; an `ArgumentError` if there is no such change.
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
            corrections = (check or session.check()).corrections
            if not 1 <= said.number <= len(corrections):
                raise ArgumentError(f"no correction {said.number}: there are {len(corrections)}")
            session.correct(corrections[said.number - 1])
            return corrections[said.number - 1]
    raise ArgumentError(f"/{said.word} changes nothing")


def number_in(text: str, example: str) -> int:
    """Return the number that a text is; raise an `ArgumentError` with an example if it is none."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ArgumentError(f"expected a number, as in {example}; found '{printable(text)}'")
    return int(text)
