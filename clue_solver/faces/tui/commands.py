"""What keys, words in the line and the palette do on the screen, by the one table of commands."""

from collections.abc import Iterable, Iterator
from functools import partial

from textual.app import SystemCommand
from textual.binding import Binding
from textual.screen import Screen

from clue_solver.conversation.commands import COMMAND, COMMANDS, GameCommand, Said
from clue_solver.faces.helping import key_of

ACTIONS = {
    "quit": "app.quit",
    "light": "app.turn_light",
    "new": "app.new",
    "if": "what_if",
    "earlier": "as_of(-1)",
    "later": "as_of(1)",
    "recall": "recall(-1)",
}
"""What Textual calls what a word does, where it is not called by the word."""


def action(command: GameCommand) -> str:
    """Return what Textual does for a command: the screen's own, or what its word says."""
    own = command.kind == "screen" or command.word in ("undo", "redo", "fix", "show", "why", "help")
    return ACTIONS.get(command.word, command.word if own else f"do('{command.word}')")


def bindings(words: Iterable[str] = COMMAND) -> list[Binding]:
    """Return the keys of commands, for a screen; those of the application are its own."""
    return [
        Binding(
            command.keys,
            action(command),
            command.label,
            show=bool(command.label),
            key_display=key_of(command),
        )
        for command in COMMANDS
        if command.word in words and command.keys and not action(command).startswith("app.")
    ]


def palette(screen: Screen[None], words: Iterable[str]) -> Iterator[SystemCommand]:
    """Yield commands for the palette."""
    for command in COMMANDS:
        if command.word in words:
            how = key_of(command) or f"no key: type {command.word} {command.example}"
            run = partial(screen.run_action, action(command))
            yield SystemCommand(f"{command.word}: {command.does}", how, run)


def meant(said: Said, words: Iterable[str]) -> str | None:
    """Return the word of the command that is said, or that begins so; `None` for none."""
    if said.word in words:
        return said.word
    return next((word for word in words if word.startswith(said.word) and not said.rest), None)
