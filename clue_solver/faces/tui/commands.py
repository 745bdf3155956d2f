"""What keys, words in the line and the palette do on the screen, by the one table of commands."""

from collections.abc import Iterable, Iterator
from functools import partial

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text
from textual.app import SystemCommand
from textual.binding import Binding
from textual.screen import Screen

from clue_solver.conversation.commands import COMMAND, COMMANDS, GameCommand, Said
from clue_solver.faces.helping import forms, with_names
from clue_solver.rules.table import Table

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

KEYS = {
    "escape": "Esc",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
}
"""What keys are called that have another name in Textual."""

FIRST = ("lists", "advise", "undo", "edit", "hints", "hands", "new")
"""The commands that the first page of the help has, by their words."""


def action(command: GameCommand) -> str:
    """Return what Textual does for a command: the screen's own, or what its word says."""
    own = command.kind == "screen" or command.word in ("undo", "redo", "fix", "show", "why", "help")
    return ACTIONS.get(command.word, command.word if own else f"do('{command.word}')")


def key_of(command: GameCommand) -> str:
    """Return the first key of a command, as a keyboard has it; empty where there is none."""
    key = command.keys.partition(",")[0]
    return KEYS.get(key, "+".join(part.capitalize() for part in key.split("+")))


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


def _typed(command: GameCommand, table: Table) -> str:
    """Return how a command is typed at a table."""
    return f"{command.word} {with_names(command.example, table)}".strip()


def meant(said: Said, words: Iterable[str]) -> str | None:
    """Return the word of the command that is said, or that begins so; `None` for none."""
    if said.word in words:
        return said.word
    return next((word for word in words if word.startswith(said.word) and not said.rest), None)


def help_text(table: Table, words: Iterable[str], *, more: bool) -> RenderableType:
    """
    Return the help of a game: how a line is typed in this edition, and the keys.

    Args:
        table: The table: its own players and cards are the examples.
        words: What can be done.
        more: Whether all of it, or one page.
    """
    lines, keys = Grid.grid(padding=(0, 2, 0, 0)), Grid.grid(padding=(0, 2, 0, 0))
    for line, says in [*forms(table)][: None if more else 8]:
        lines.add_row(Text(f"  {line}", "bold"), Text(says))
    for command in COMMANDS:
        if more and command.word in words:
            keys.add_row(f"  {key_of(command)}", Text(_typed(command, table)), command.does)
        elif command.word in FIRST and command.word in words:
            typed = _typed(command, table) if command.example.strip(".") else ""
            ways = ", ".join(filter(None, (key_of(command), typed or command.word)))
            keys.add_row(f"  {ways}", command.does)
    rest = "Tab completes, Up brings the last line back, Esc goes back. "
    rest += "Ctrl+P finds everything." if more else "help more: all."
    return Group("Type what happens, in full or in short, then Enter:", lines, keys, rest)
