"""
The command line: reads what was typed, asks the game, draws the answer.

Exit status: 0 for an answer, 2 for something that cannot be read or used, 3 for a log that
contradicts itself, 4 for a game that could not be written to its file. Results go to standard
output, messages to standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clue_solver import __version__, system
from clue_solver.errors import ClueError, Contradiction, RecordError, import_extra
from clue_solver.faces.commands import afterwards, arena, ask, files, notes, shared

if TYPE_CHECKING:
    from clue_solver.faces.web.running import Reach


class Commands(click.Group):
    """The group of all commands; turns the program's errors into a message and an exit status."""

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        """List the commands by what they are for, each with its whole first sentence."""
        widest = max(len(name) for names in SECTIONS.values() for name in names)
        for title, names in SECTIONS.items():
            with formatter.section(title):
                summaries = (self.commands[name].get_short_help_str(limit=100) for name in names)
                padded = (name.ljust(widest) for name in names)
                formatter.write_dl([*zip(padded, summaries, strict=True)])

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line."""
        system.open_streams()
        return super().main(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a `ClueError` becomes one message on standard error."""
        try:
            answer = super().invoke(ctx)
            if shared.ENDED_EARLY in ctx.meta:
                ctx.exit(shared.STOPPED)
            return answer
        except ClueError as error:
            click.echo(f"error: {error}{self._option(ctx, error.argument)}", err=True)
            contradictory = isinstance(error, Contradiction)
            ctx.exit(shared.CONTRADICTORY if contradictory else shared.UNUSABLE)
        except BrokenPipeError:
            raise
        except OSError as error:
            with suppress(OSError):  # nobody may be there to be told
                click.echo(f"error: cannot write: {error.strerror or error}", err=True)
            ctx.exit(shared.UNUSABLE)

    def _option(self, ctx: click.Context, argument: str) -> str:
        """Return the option, in brackets, that gives an argument of the command that runs."""
        command = self.get_command(ctx, ctx.invoked_subcommand or "")
        params = command.params if command else []
        return next((f" ({param.opts[-1]})" for param in params if param.name == argument), "")


SECTIONS = {
    "At the table": ("play", "serve", "table", "web"),
    "Ask about a game": ("report", "why", "check", "advise"),
    "Afterwards": ("review", "season"),
    "Notes and decks": ("import", "export", "editions", "examples"),
    "Against the computer": ("practise", "arena"),
}
"""The commands as the help lists them."""


def on_terminal() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    epilog="'clue-solver COMMAND --help' has examples.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """
    The deduction assistant for Clue and Cluedo.

    Log what happens at the table: it says what is certain, how likely the rest is, why, and what to
    ask. Without a command it opens the game, as 'play' does.
    """
    if ctx.invoked_subcommand is not None:
        return
    if on_terminal():
        ctx.invoke(play)
    else:
        click.echo(ctx.get_help())


@main.command(cls=shared.Command, examples=("play", "play friday.clue", "play --plain friday.clue"))
@click.argument("game", required=False, type=click.Path())
@click.option("--plain", is_flag=True, help="Lines in, lines out: no full screen.")
def play(game: str | None, *, plain: bool) -> None:
    """
    Log a game while it is played, with the sheet beside it.

    It goes on with the record GAME, or sets it up; without it with the last unfinished game.

    Type what happens, in full or in short. A name, a verb or a card is any beginning of it:

    \b
      ann mus wr lou: cat mus         a suggestion, and what was shown
      ann mus wr lou ben no, cat      no, nope, pass: has none of them
      mus wr lou; cat                 ; and > stand for :
      ann mus wr lou: no              nobody shows (also -)
      ann mus wr lou: ben pass, ?     the rest was not heard
      ann mus wr lou: cat shows ?     the card is left out on purpose
      me mus wr lou: cat mus          me and i are the viewer
      ben skips                       a turn without a suggestion
      ben leaves                      nobody asks him any more
      ben rolls 7, ben moves to hall  dice; where a piece is (two lines)
      leo points at brains plum, brawn green: mia
                                      the finger of Clue Diced
      ben accuses mus wr lou wrong    or right
      cat has plum, ben lacks rope    what you know besides (two lines)

    "help" lists the commands.
    """
    from datetime import date

    from clue_solver.conversation.session import Session
    from clue_solver.faces import games, setup
    from clue_solver.record.files import RecordFile

    path = Path(game) if game else None
    if not plain:
        from clue_solver.faces.tui.app import run

        run(path)
        return
    setup.leave_what_follows()
    if path is not None and games.game_file(path).exists():
        raise RecordError("the program deals this game: 'practise' or 'table' goes on with it")
    if path is None:
        offered = games.unfinished_games(games.games_folder())[:2]
        person = sys.stdin.isatty()  # whom Enter brings to the first choice, as on the full screen
        for unfinished in offered if person else offered[:1]:
            asked = setup.wrapped(f"Go on with {unfinished.line}?", margin=7)
            if click.confirm(asked, default=person, err=True):
                path = unfinished.path
                break
    from clue_solver.faces.leaving import leave, leaving, warnings_of
    from clue_solver.faces.plain import Plain

    keeper = RecordFile(path or games.fresh_path(games.games_folder(), date.today()))
    try:
        new = not keeper.path.exists()
        record = setup.asked_record(keeper.path.parent) if new else keeper.read()
        session = Session(record, keeper=keeper)
    except BaseException:
        keeper.close()
        raise
    with leaving(lambda ask: leave(session, ask=ask)):
        if new:
            session.write_out()
        click.echo(f"{keeper.path}\nhelp lists the commands", err=True)
        for warning in () if new else warnings_of(record.table, keeper):
            click.echo(f"! {warning}", err=True)
        Plain(session, shared.terminal()).run(sys.stdin)


def reached(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say where it can be reached; the first is listed first."""
    options = (
        shared.seldom(
            "--port",
            type=click.IntRange(min=0, max=65_535),
            default=8477,
            show_default=True,
            help="The port; 0 takes a free one.",
        ),
        click.option(
            "--host",
            default="127.0.0.1",
            show_default=True,
            help="The address to listen on; 0.0.0.0 lets phones on this network in.",
        ),
        shared.seldom(
            "--allow",
            multiple=True,
            metavar="NAME",
            help="A host name of a proxy or a tunnel before it; "
            "with https:// before it, links have it.",
        ),
        shared.seldom("--cert", type=click.Path(), help="A certificate, for https."),
        shared.seldom(
            "--key", type=click.Path(), help="The certificate's key, if it is another file."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@main.command(
    cls=shared.Command,
    examples=(
        *("serve", "serve friday.clue --host 0.0.0.0", "serve friday.clue --public"),
        "serve club --public --host 0.0.0.0",
    ),
)
@click.argument("game", required=False, type=click.Path(), shell_complete=shared.of_files)
@click.option("--public", is_flag=True, help="A shared table: one log, and a page for each player.")
@reached
def serve(game: str | None, *, public: bool, port: int, **reach: Any) -> None:
    """
    Put the game on a phone, as a page for the table.

    It goes on with GAME, or offers the last unfinished game. The first line is the address of the
    page, with its secret: whoever has it can write in the log.

    GAME may be a folder: each game in it that is not over is a table, and the first line is the
    address of a page that has them all.
    """
    _served_with()
    from clue_solver.faces.web.running import Reach
    from clue_solver.faces.web.running import serve as served

    path, where = Path(game) if game else None, _reach(Reach, **reach)
    served(path, where, port=port, public=public)


@main.command(
    cls=shared.Command,
    examples=(
        "table --host 0.0.0.0",
        'table --players "Mum, Tim, Watson=hard" --host 0.0.0.0',
        'table sunday.clue --edition clue-diced --players "Ida, Leo, Mia=easy"',
        "table sunday.clue",
    ),
)
@click.argument("game", required=False, type=click.Path(), shell_complete=shared.of_files)
@click.option(
    "--players",
    metavar="LIST",
    help="Who plays, clockwise: a NAME alone on a phone, NAME=easy, medium or hard is a "
    "machine. Default: as before, or as the page is told. Of a game that "
    "goes on, the chairs that change.",
)
@click.option(
    "--edition",
    metavar="NAME",
    shell_complete=shared.of_the_shelf,
    help="A shipped edition, or the path of a file. Default: clue-classic.",
)
@reached
def table(
    game: str | None,
    *,
    players: str | None,
    edition: str | None,
    port: int,
    **reach: Any,
) -> None:
    """
    Play a game that the program deals, on phones, with machines.

    It rolls, moves and shows cards; each player has a page of their own. The first line is the
    address of the host's page, which asks who plays, and has the players' pages. It goes on with
    GAME where that was left; people may leave their chair to a machine, and come back.
    """
    _served_with()
    from clue_solver.faces.web.running import Reach, serve_table

    seats = arena.seated(players or "")
    made = partial(arena.dealt_table, game, seats, edition=edition)
    serve_table(made, _reach(Reach, **reach), port=port)


def _reach(kind: Callable[..., Reach], **given: Any) -> Reach:
    """Return where pages can be reached, from the options of `reached`."""
    return kind(given["host"], given["allow"], given["cert"], given["key"])


@main.command(cls=shared.Command, examples=("web public", "web public --runtime pyodide"))
@click.argument("folder", type=click.Path())
@click.option(
    "--runtime",
    type=click.Path(exists=True, file_okay=False),
    help="A folder that has Pyodide's files, instead of fetching them.",
)
def web(folder: str, *, runtime: str | None) -> None:
    """
    Write the page as a folder: no server, it works on the phone.

    Put FOLDER on a web host, where it is reached by https, and open it once: from then on it needs
    no network. All games stay on the device. What it is made of is fetched now, by version and
    checksum.
    """
    for library in ("starlette", "segno"):
        import_extra(library, extra="web")
    from clue_solver.faces.browser.folder import write

    written = write(Path(folder), runtime=Path(runtime) if runtime else None)
    click.echo(f"{folder}: {written.packed / 1e6:.1f} MB to load at the first visit")
    if not written.compiled:
        click.echo(
            "! its modules are not compiled, so it starts slowly: "
            "Python 3.14 or Node on this machine would do that",
            err=True,
        )


def _served_with() -> None:
    for library in ("starlette", "uvicorn", "segno"):
        import_extra(library, extra="web")


for command in (
    *(ask.report, ask.why, ask.check, ask.advise),
    *(afterwards.review, afterwards.season),
    *(notes.import_, notes.export, files.editions, files.examples),
    *(arena.practise, arena.arena),
):
    main.add_command(command)
