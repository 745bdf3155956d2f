"""
What the commands share: standard output as a screen or a pipe, exit statuses, common options.

Their choices stand here and there as texts, so that help and completion come at once.
"""

from __future__ import annotations

import functools
import io
import os
import shlex
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import click

from clue_solver import system
from clue_solver.errors import ClueError, RecordError, counted, printable

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem
    from rich.console import Console

    from clue_solver.game import Game

Outcome = TypeVar("Outcome")

Completing = Callable[[click.Context, click.Parameter, str], list[str]]

STOPPED, UNUSABLE, CONTRADICTORY = 1, 2, 3
"""
Exit statuses: Ctrl+C ended it; something cannot be read or used; the log contradicts itself.
"""

ENDED_EARLY = f"{__name__}.ended_early"
"""What a context remembers of a command that Ctrl+C has ended."""

STDOUT = "-"
"""What stands for standard output, or input, in place of a file."""

RECORDS = (".clue", ".jsonl")
"""The endings of files that hold a record."""


STATUSES = "Exit status: 0 done, 1 interrupted, 2 unusable, 3 contradictory, 4 unsaved."


class Command(click.Command):
    """A command whose help ends with examples and exit statuses."""

    def __init__(self, *args: Any, examples: Sequence[str], **attrs: Any) -> None:
        super().__init__(*args, **attrs)
        self.examples = examples
        lines = (f"  clue-solver {example}" for example in examples)
        self.epilog = "\n".join(("\b", "Examples:", *lines, "", STATUSES))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options that are seldom needed behind the others."""
        for title, seldom in (("Options", False), ("Seldom needed", True)):
            options = (param for param in self.get_params(ctx) if isinstance(param, click.Option))
            listed = (option for option in options if isinstance(option, Seldom) == seldom)
            rows = [row for row in (option.get_help_record(ctx) for option in listed) if row]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Seldom(click.Option):
    """An option that is listed behind the others."""


seldom = functools.partial(click.option, cls=Seldom)
"""Give a command an option that is listed behind the others."""


class OnLastGame(Command):
    """A command whose game may be left out: the one that was written to last is meant then."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the last game before the arguments where one is missing, and say so."""
        arguments = [param for param in self.params if isinstance(param, click.Argument)]
        options = [param for param in self.params if isinstance(param, click.Option)]
        parser = click.Command(self.name, params=[*options]).make_parser(ctx)
        answers = not ctx.resilient_parsing and not set(ctx.help_option_names).intersection(args)
        given = parser.parse_args([*args])[1] if answers else []
        named = bool(given) and (given[0] == STDOUT or Path(given[0]).suffix in RECORDS)
        if answers and len(given) == len(arguments) - 1 and not named:
            from clue_solver.faces.games import last_game

            try:
                path = last_game()
            except RecordError:
                told = f"no game has been played here yet: name one, as in {self._example()}"
                raise click.UsageError(told, ctx) from None
            click.echo(f"the last game, {path}", err=True)
            args = [str(path), *args]
        try:
            return super().parse_args(ctx, args)
        except click.MissingParameter:
            told = " and the ".join(str(param.name) for param in arguments[1:])
            raise click.UsageError(f"type the {told}, as in {self._example()}", ctx) from None

    def _example(self) -> str:
        """Return what may be typed, with a game of the working folder if there is one."""
        word, game, *others = self.examples[0].split()
        found = min((file.name for file in Path().glob("*.clue")), default=game)
        return " ".join(("clue-solver", word, shlex.quote(found), *others))


def of_the_game(*kinds: Literal["seats", "viewers", "cards", "holders", "rooms"]) -> Completing:
    """Return what completes a word by names at the table of the game, or of the last one."""

    def completing(ctx: click.Context, _param: click.Parameter, typed: str) -> list[str]:
        from clue_solver.faces.games import last_game
        from clue_solver.notation import lexicon_of
        from clue_solver.record import load_record

        with suppress(ClueError):
            named = ctx.params.get("game")
            path = Path(named) if named and Path(named).is_file() else last_game()
            table = load_record(path).table
            lexicon = lexicon_of(table)
            rooms = [card for card, kind in lexicon.kind.items() if kind == "room"]
            names = {
                "seats": lexicon.seats.names,
                "viewers": lexicon.viewers.names,
                "cards": lexicon.cards.names,
                "holders": lexicon.holders.names,
                "rooms": rooms,
            }
            every = dict.fromkeys(name for kind in kinds for name in names[kind])
            done, comma, last = typed.rpartition(",")
            return [f"{done}{comma}{name}" for name in _begun(every, last)]
        return []

    return completing


def of_files(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete a game by files, and since it may be left out, by what may follow it."""
    from click.shell_completion import CompletionItem

    arguments = [
        argument for argument in ctx.command.params if isinstance(argument, click.Argument)
    ]
    follow = [after for one, after in pairwise(arguments) if one is param]
    items = (item for argument in follow for item in argument.shell_complete(ctx, typed))
    return [CompletionItem(typed, type="file"), *items]


def of_the_shelf(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete a word by the names of the shipped editions, or by files."""
    from click.shell_completion import CompletionItem

    from clue_solver.rules.edition import shipped_editions

    names = (CompletionItem(name) for name in shipped_editions() if name.startswith(typed))
    return [CompletionItem(typed, type="file"), *names]


def _begun(names: Iterable[str], typed: str) -> Iterator[str]:
    """Yield the names that begin so, each as one word of a shell."""
    for name in names:
        word = name.replace(" ", "-")
        if word.casefold().startswith(typed.casefold()):
            yield word


asks = seldom(
    "--asks",
    metavar="MODEL",
    help="How players choose what to ask: any, adaptive (learned from the log), careful or "
    "'careful 0.3', then single players ('careful, Ben any'). Default: what the record says, "
    "else adaptive.",
)


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class GameOptions(NamedTuple):
    """What every command that reads a game was asked for; `seen` are viewer, upto and asks."""

    path: str
    game: Game
    seen: dict[str, Any]


def reads_game(command: Callable[..., Any]) -> Callable[..., Any]:
    """
    Give a command the argument and options of every command that reads a game.

    The command gets them as one `GameOptions`, its first argument; the last game where none is
    named (`OnLastGame`).
    """

    @functools.wraps(command)
    def opened(
        *,
        game: str,
        viewer: str | None,
        upto: int | None,
        suppose: tuple[str, ...],
        asks: str | None = None,
        **others: Any,
    ) -> Any:
        from clue_solver.faces.setup import beyond_limits
        from clue_solver.game import load
        from clue_solver.notation import lexicon_of

        read = load(game)
        if beyond := beyond_limits(read.table):
            click.echo(f"! {beyond}", err=True)
        if suppose:
            read = read.suppose(*suppose)
        if viewer is not None:
            viewer = lexicon_of(read.table).viewers.find(viewer)
        seen = {"viewer": viewer, "upto": upto, "asks": asks}
        return command(GameOptions(game, read, seen), **others)

    wrapped: Callable[..., Any] = opened
    for option in (
        click.option(
            "--suppose",
            multiple=True,
            metavar="FACT",
            help="What if: 'Ben has Rope', 'envelope lacks Plum'. May be repeated.",
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
            shell_complete=of_the_game("viewers"),
            help="Whose notes: a player's name, or 'spectator'. Default: the record's viewer.",
        ),
        click.argument(
            "game", metavar="[GAME]", type=click.Path(allow_dash=True), shell_complete=of_files
        ),
    ):
        wrapped = option(wrapped)
    return wrapped


def put(text: str) -> None:
    """Print a file's text as it is; on a terminal nothing in it is obeyed."""
    if sys.stdout.isatty():
        text = "".join(f"{printable(line, most=len(line) + 1)}\n" for line in text.splitlines())
    click.echo(text, nl=False)


def terminal() -> Console:
    """Return standard output for rich to draw on: nothing in a text is markup."""
    from rich.console import Console

    class Screen(Console):
        """A console with the marks that the system's own encoding has, whatever it is sent in."""

        @property
        def encoding(self) -> str:
            return system.own_encoding(self.file) or super().encoding

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name may hold what the terminal has not
    return Screen(highlight=False, markup=False, emoji=False)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Draw a bar for one answer that takes a while, and how long it may take still, if known."""
    if not sys.stderr.isatty():
        yield
        return
    from clue_solver.inference.spending import telling
    from clue_solver.views.progress import bar

    drawn = bar(counted=False)
    task = drawn.add_task(what, total=None)

    def tell(done: float, expected: float) -> None:
        drawn.update(task, completed=min(done, expected), total=expected)

    with drawn, telling(tell):
        yield


@contextmanager
def stoppable(outcomes: Iterator[Outcome], total: int) -> Iterator[Iterable[Outcome]]:
    """
    Draw a bar on standard error while outcomes are taken, and let Ctrl+C end the block.

    What is finished counts. It is said how much that is, and the command's exit status will be
    `STOPPED`.
    """
    from clue_solver.views.progress import bar

    finished, begun = 0, False

    def each() -> Iterator[Outcome]:
        nonlocal finished
        for outcome in outcomes:
            yield outcome
            finished += 1

    try:
        with bar(counted=True) as drawn:
            begun = True
            yield drawn.track(each(), total=total, description="games")
    except KeyboardInterrupt:
        if not begun:
            raise
        click.get_current_context().meta[ENDED_EARLY] = True
        click.echo(f"stopped after {finished} of {counted(total, 'game')}", err=True)
    finally:
        if isinstance(outcomes, Generator):
            outcomes.close()


to_file = click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    callback=lambda _context, _option, path: None if path == STDOUT else path,
    help="The file to write. Default: standard output.",
)

forced = click.option(
    "--force", is_flag=True, help="Overwrite a file, and write even a log that contradicts itself."
)


def check_free(output: str | None, *, force: bool) -> None:
    if output is not None and os.path.exists(output) and not force:  # noqa: PTH110
        reason = "this file exists already; nothing was written (--force overwrites it)"
        raise RecordError(reason, path=output)


def write_page(content: str, path: str) -> None:
    """Write a page, and say so; for `-` print it."""
    from clue_solver.record.files import write_whole

    if path == STDOUT:
        put(content)
        return
    try:
        write_whole(content.encode("utf-8", "replace"), path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RecordError(f"cannot write the page: {reason}", path=path) from None
    click.echo(f"{printable(path, most=200)} written", err=True)
