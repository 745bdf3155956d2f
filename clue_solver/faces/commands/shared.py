"""What the commands share: options, opening a game, output, exit statuses."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from clue_solver import system
from clue_solver.errors import RecordError, printable, system_reason

if TYPE_CHECKING:
    from rich.console import Console

    from clue_solver.game import Game

Outcome = TypeVar("Outcome")
Body = Callable[..., Any]
"""The function of a command, with or without its options."""

STOPPED, UNUSABLE, CONTRADICTORY = 1, 2, 3
"""Exit statuses: interrupted by Ctrl+C, unusable input, a log that contradicts itself."""

ENDED_EARLY = f"{__name__}.ended_early"
"""The key in a context's `meta` that is set if Ctrl+C ended the command."""

STDOUT = "-"
"""The path that means standard output, or standard input."""

STATUSES = "Exit status: 0 done, 1 stopped, 2 bad input, 3 contradiction, 4 not saved."


# Arguments and options that several commands have.

game_argument = click.argument("game", required=False, type=click.Path(allow_dash=True))


def edition_name(_ctx: click.Context, _param: click.Parameter, text: str | None) -> str | None:
    """
    Return the name of the edition that the value of an option means, or the path of its file.

    Args:
        text: The value; `None`, which is returned, if the option is not given.

    Raises:
        ClueError: If there is no such edition.
    """
    if text is None:
        return None
    from clue_solver.faces.setup import find_edition

    return find_edition(text).name


edition_option = click.option(
    "--edition",
    metavar="NAME",
    callback=edition_name,
    help="A shipped edition ('editions' lists them), or the path of a file.",
)
players_option = click.option(
    "--players",
    metavar="LIST",
    default="",
    help="The players in clockwise order: Ann,Ben,Cat. If the program deals, write easy, medium or "
    "hard for a computer player, or give it a name: Watson=hard.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
output_option = click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    callback=lambda _context, _option, path: None if path == STDOUT else path,
    help="The file to write. Default: standard output.",
)
force_option = click.option(
    "--force",
    is_flag=True,
    help="Overwrite an existing file, and write the log even if it contradicts itself.",
)


def parse_list(text: str) -> tuple[str, ...]:
    """Return the items of a text in which commas separate them."""
    return tuple(" ".join(item.split()) for item in text.split(",")) if text.strip() else ()


def parse_pairs(text: str) -> dict[str, str]:
    """
    Return the settings in a list such as `X=lacks,O=has`, as values by name.

    Raises:
        BadParameter: If a setting has nothing before or after its `=`.
    """
    pairs: dict[str, str] = {}
    for item in parse_list(text):
        name, _, meaning = (part.strip() for part in item.rpartition("="))
        if not name or not meaning:
            raise click.BadParameter(f"expected 'X=...'; found '{printable(item)}'")
        pairs[name] = meaning
    return pairs


def list_option(
    name: str, help_text: str, parse: Callable[[str], Any] = parse_list
) -> Callable[[Body], Body]:
    """Return an option whose value is a list separated by commas, which `parse` reads."""
    parsed = lambda _context, _option, text: parse(text)  # noqa: E731
    return click.option(name, metavar="LIST", default="", callback=parsed, help=help_text)


def view_options(command: Body) -> Body:
    """
    Add to a command the options `--suppose`, `--upto` and `--viewer`.

    They say which facts to suppose, how many entries to use and whose notes to use.
    """
    for option in (
        click.option(
            "--suppose",
            multiple=True,
            metavar="FACT",
            help="Suppose this, as in 'Ben has Rope' or 'envelope lacks Plum'. May be repeated.",
        ),
        click.option(
            "--upto",
            type=click.IntRange(min=0),
            metavar="ENTRY",
            help="Use only the entries up to this one.",
        ),
        click.option(
            "--viewer",
            metavar="SEAT",
            help="Whose notes: a player's name, or 'spectator'. Default: the record's viewer.",
        ),
    ):
        command = option(command)
    return command


# The terminal and the game.


def is_terminal(*streams: IO[Any]) -> bool:
    """Return whether all these streams go through a terminal."""
    return all(stream.isatty() for stream in streams)


def is_new(game: Path | None, *said: str | None) -> bool:
    """
    Return whether a game has not been set up yet.

    Args:
        game: The path of the game; `None` for a new one.
        said: The values of the options that are only for new games.

    Raises:
        click.UsageError: If such an option is given for a game that is already set up.
    """
    from clue_solver.faces.games import game_file

    new = game is None or not (game.exists() or game_file(game).exists())
    if any(said) and not new:
        raise click.UsageError(
            "this game is already set up: --edition and --players are only for new games"
        )
    return new


def game_path(path: str | None) -> str:
    """Return `path`; if it is `None`, print and return the path of the last game."""
    if path is not None:
        return path
    from clue_solver.faces.games import last_game

    last = last_game()
    click.echo(f"the last game, {last}", err=True)
    return str(last)


def open_game(path: str | None = None) -> Game:
    """
    Open a game, and warn if it has an unusual number of players.

    Args:
        path: The path of its record, or `-` for standard input; `None` for the last game.

    Raises:
        RecordError: If it cannot be read, or there is no last game.
    """
    from clue_solver.game import load

    game = load(game_path(path))
    if beyond := game.table.beyond_limits:
        click.echo(f"! {beyond}", err=True)
    return game


def chairs_in(players: str) -> dict[str, str]:
    """
    Return who plays each seat: the name of a machine, or `''` for a person.

    `players` is a list such as `Ann,hard,Watson=easy`. A machine without a seat's name gets one.
    """
    from clue_solver.arena.chairs import free_names
    from clue_solver.arena.players import find_player
    from clue_solver.errors import ArgumentError

    chairs: list[tuple[str, str]] = []
    for text in parse_list(players):
        if not text:
            raise click.BadParameter("a name is missing", param_hint="--players")
        name, _, player = (part.strip() for part in text.partition("="))
        if ":" in name:  # a player of the arena with an option, as likeliest:bluff=0.3
            name, player = "", text
        try:
            find_player(player or text)
        except ArgumentError:
            if player:
                raise
            chairs.append((text, ""))
        else:
            chairs.append((name, player) if player else ("", text))
    free = free_names(name for name, _ in chairs)
    seats: dict[str, str] = {}
    for given, player in chairs:
        name = given or next(free)
        if name in seats:
            raise click.BadParameter(f"{name} is listed twice", param_hint="--players")
        seats[name] = player
    return seats


# What is printed and written.


def print_text(text: str) -> None:
    """Print the text of a file. If it goes to a terminal, control characters are made harmless."""
    if sys.stdout.isatty():
        text = "".join(f"{printable(line, most=len(line))}\n" for line in text.splitlines())
    click.echo(text, nl=False)


def terminal() -> Console:
    """Return a rich console for standard output, in which no text is read as markup."""
    from rich.console import Console

    class Screen(Console):
        """A console that uses only marks which the system's own encoding has."""

        @property
        def encoding(self) -> str:
            return system.own_encoding(self.file) or super().encoding

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name may have signs that the terminal lacks
    return Screen(highlight=False, markup=False, emoji=False)


def show(answer: Any, *, as_json: bool, **how: Any) -> None:
    """
    Print an answer.

    Args:
        answer: The answer.
        as_json: Whether to print it as JSON; otherwise it is drawn for the terminal.
        how: How to draw it, such as `explain` for advice, as arguments of its view.
    """
    if as_json:
        click.echo(answer.to_json())
        return
    from clue_solver.views.document import render

    terminal().print(render(answer, **how))


def status_line(what: str) -> AbstractContextManager[object]:
    """
    Return a context that shows a status line while a slow answer is computed.

    It goes to standard error, and shows only on a terminal. `what` is its text.
    """
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, emoji=False).status(f"{what} ...")


def take_all(outcomes: Generator[Outcome], total: int, take: Callable[[Outcome], object]) -> None:
    """
    Pass each outcome on to `take` as soon as it is computed, and show a progress bar.

    Ctrl+C ends that: the number of outcomes so far is printed, of `total` games, and the exit
    status becomes `STOPPED`.
    """
    from rich.console import Console

    from clue_solver import workers

    shown = Console(stderr=True).is_interactive
    if stopped := workers.take_all(outcomes, total, take, shown=shown):
        click.get_current_context().meta[ENDED_EARLY] = True
        click.echo(stopped, err=True)


def check_free(output: str | Path | None, *, force: bool) -> None:
    """Raise a `RecordError` if the output file exists, unless `force` allows to overwrite it."""
    if output is not None and os.path.exists(output) and not force:  # noqa: PTH110
        reason = "this file already exists; nothing was written (--force overwrites it)"
        raise RecordError(reason, path=str(output))


def write(content: bytes, path: str, what: str = "") -> None:
    """
    Write a file, and print that it was written.

    Args:
        content: The bytes to write.
        path: The path of the file.
        what: A description of the content for the printed message; empty to leave it out.

    Raises:
        RecordError: If the file cannot be written.
    """
    from clue_solver.record.files import write_whole

    try:
        write_whole(content, path)
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot write the file: {system_reason(error)}", path=path) from None
    tell_written(path, what)


def tell_written(path: str | Path, what: str = "") -> None:
    """
    Print which file was written.

    Args:
        path: The path of the file.
        what: A description of its content; empty to leave it out.
    """
    told = f": {what}" if what else ""
    click.echo(f"{printable(str(path), most=200)} written{told}", err=True)
