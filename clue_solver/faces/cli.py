"""
The command line: reads what was typed, asks the game, draws the answer.

Exit status: 0 for an answer, 2 for something that cannot be read or used, 3 for a log that
contradicts itself. Results go to standard output, messages to standard error.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import click

from clue_solver import __version__
from clue_solver.errors import ClueError, Contradiction, import_extra
from clue_solver.faces import commands, contests

if TYPE_CHECKING:
    from clue_solver.conversation.session import Session
    from clue_solver.faces.tui.playing import Served
    from clue_solver.game import Game
    from clue_solver.rules.table import Shows

Form = Literal["clue", "jsonl", "dimacs"]
FORMS: tuple[Form, ...] = get_args(Form)


class Translating(click.Group):
    """The group of all commands; turns the program's errors into a message and an exit status."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a `ClueError` becomes one message on standard error."""
        try:
            return super().invoke(ctx)
        except ClueError as error:
            worded = getattr(error, "worded", None)  # several questions, an option for each
            said = worded(partial(self._named, ctx)) if worded else ""
            click.echo(f"error: {said or f'{error}{self._option(ctx, error)}'}", err=True)
            contradictory = isinstance(error, Contradiction)
            ctx.exit(commands.CONTRADICTORY if contradictory else commands.UNUSABLE)
        except BrokenPipeError:
            raise
        except OSError as error:
            click.echo(f"error: cannot write: {error.strerror or error}", err=True)
            ctx.exit(commands.UNUSABLE)

    def _named(self, ctx: click.Context, argument: str) -> str:
        """Return the option of the command that runs that gives an argument."""
        command = self.get_command(ctx, ctx.invoked_subcommand or "")
        params = command.params if command else []
        return next((f" ({each.opts[-1]})" for each in params if each.name == argument), "")

    def _option(self, ctx: click.Context, error: ClueError) -> str:
        """Return the option that an error is about, unless its message begins with that."""
        command = self.get_command(ctx, ctx.invoked_subcommand or "")
        for param in command.params if command and error.argument else ():
            option = param.opts[-1]
            if param.name == error.argument and not str(error).startswith(f"{option[2:]}:"):
                return f" ({option})"
        return ""


@click.group(cls=Translating, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def main() -> None:
    """
    Complete deduction and exact probabilities for Clue and Cluedo.

    Log what happens at the table; the program says what is certain, and exactly how likely the
    rest is.
    """


class GameOptions(NamedTuple):
    """What every command that reads a game was asked for; `seen` are viewer, upto and policies."""

    path: str
    game: Game
    seen: dict[str, Any]


def reads_game(command: Callable[..., Any]) -> Callable[..., Any]:
    """
    Give a command the argument and options of every command that reads a game.

    The command gets them as one `GameOptions`, its first argument; the last game where none is
    named (`commands.OnLastGame`).
    """

    @functools.wraps(command)
    def opened(
        *, game: str, viewer: str | None, upto: int | None, shows: Shows | None,
        asks: str | None, suppose: tuple[str, ...], **others: Any,
    ) -> Any:  # fmt: skip
        from clue_solver.game import load
        from clue_solver.notation import lexicon_of

        read = load(game)
        if suppose:
            read = read.suppose(*suppose)
        if viewer is not None:
            viewer = lexicon_of(read.table).viewers.find(viewer)
        seen = {"viewer": viewer, "upto": upto, "shows": shows, "asks": asks}
        return command(GameOptions(game, read, seen), **others)

    wrapped: Callable[..., Any] = opened
    for option in (
        click.option(
            "--suppose",
            multiple=True,
            metavar="FACT",
            help="What if: 'Ben has Rope', 'envelope lacks Plum'; may be given more than once.",
        ),
        commands.policies,
        click.option(
            "--upto",
            type=click.IntRange(min=0),
            metavar="ENTRY",
            help="Count only the entries up to this one.",
        ),
        click.option(
            "--viewer",
            metavar="SEAT",
            shell_complete=commands.of_the_game("viewers"),
            help="Whose eyes: a player's name or 'spectator'; the record's viewer if left out.",
        ),
        click.argument(
            "game",
            metavar="[GAME]",
            type=click.Path(allow_dash=True),
            shell_complete=commands.of_files,
        ),
    ):
        wrapped = option(wrapped)
    return wrapped


@main.command(cls=commands.OnLastGame)
@reads_game
@click.option("--advise", "advised", is_flag=True, help="Add what to ask next.")
@commands.as_json
def report(asked: GameOptions, *, advised: bool, as_json: bool) -> None:
    """Print the detective's sheet of a recorded GAME ('-' reads standard input)."""
    answer = asked.game.report(**asked.seen)
    advice = None
    if advised and answer.consistent:
        advice = asked.game.advice(**asked.seen)
    if as_json:
        told = answer.to_dict() | ({"advice": advice.top(10).to_dict()} if advice else {})
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        from clue_solver.views.charts import ASCII, UNICODE
        from clue_solver.views.explanations import advice_text
        from clue_solver.views.text import sheet

        console = commands.terminal()
        marks = ASCII if console.options.ascii_only else UNICODE
        console.print(sheet(answer, asked.game.lines, width=console.width, marks=marks))
        if advice:
            console.print()
            console.print(advice_text(advice, most=5))
    if not answer.consistent:
        raise Contradiction(answer.conflict)


@main.command(cls=commands.OnLastGame)
@reads_game
@click.argument("card", shell_complete=commands.of_the_game("cards", "holders"))
@click.argument("holder", shell_complete=commands.of_the_game("holders"))
@commands.as_json
def why(asked: GameOptions, card: str, holder: str, *, as_json: bool) -> None:
    """
    Say why HOLDER has CARD in GAME, or cannot have it.

    HOLDER is a player, a face-down slot or the envelope.
    """
    answer = asked.game.why(card, holder, **asked.seen)
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.explanations import reason_text

        commands.terminal().print(reason_text(answer))


@main.command(cls=commands.OnLastGame)
@reads_game
@commands.as_json
def check(asked: GameOptions, *, as_json: bool) -> None:
    """Check whether the log of GAME is consistent; if not, say why and suggest corrections."""
    answer = asked.game.check(**asked.seen)
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.explanations import check_text

        commands.terminal().print(check_text(answer))
    if answer.conflict is not None:
        raise Contradiction(answer.conflict)


@main.command(cls=commands.OnLastGame)
@reads_game
@click.option(
    "--rooms",
    metavar="LIST",
    shell_complete=commands.of_the_game("rooms"),
    help="The rooms in reach: Hall,Study.",
)
@click.option(
    "--at",
    metavar="ROOM",
    shell_complete=commands.of_the_game("rooms"),
    help="Where you are: the board tells what is in reach; what GAME tells if left out.",
)
@click.option("--roll", type=int, help="What you rolled there; all rolls if left out.")
@click.option(
    "--dice",
    metavar="LIST",
    help="Three rolled suspects (Clue Diced), and the bonus die: Plum,Green,Orchid,glass.",
)
@click.option("--top", type=click.IntRange(min=1), help="How many suggestions to list.")
@click.option(
    "--by",
    type=click.Choice(["win", "bits"]),
    default="win",
    show_default=True,
    help="Choose the suggestion by its chance to win, or by what it tells.",
)
@click.option(
    "--rivals",
    type=click.Choice(["prompt", "cautious"]),
    default="prompt",
    show_default=True,
    help="Others who are certain accuse at once, or a turn later.",
)
@click.option("--explain", is_flag=True, help="Show what games played on have won.")
@click.option(
    "--as",
    "seat",
    metavar="SEAT",
    shell_complete=commands.of_the_game("seats"),
    help="The least that SEAT must know, instead.",
)
@commands.as_json
def advise(
    asked: GameOptions,
    *,
    top: int | None,
    seat: str | None,
    explain: bool,
    as_json: bool,
    **turn: Any,
) -> None:
    """Say what to ask next in GAME, whether to accuse now, and who else is close."""
    if seat is not None:
        _least(asked, seat, as_json=as_json)
        return
    answer = asked.game.advice(**asked.seen, **turn)
    if as_json:
        click.echo(answer.top(top).to_json() if top else answer.to_json())
    else:
        from clue_solver.conversation.session import ended
        from clue_solver.views.explanations import advice_text
        from clue_solver.views.sentences import ending_text

        upto = asked.seen["upto"]
        if over := ended(asked.game.record if upto is None else asked.game.record.upto(upto)):
            click.echo(f"The game is over: {ending_text(over)}")
        commands.terminal().print(advice_text(answer, most=top or 10, explain=explain))


def _least(asked: GameOptions, seat: str, *, as_json: bool) -> None:
    answer = asked.game.least(seat, viewer=asked.seen["viewer"], upto=asked.seen["upto"])
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.text import sheet

        console = commands.terminal()
        console.print(sheet(answer, asked.game.lines, width=console.width))


@main.command()
@click.argument("name", required=False, shell_complete=commands.of_the_shelf)
@click.option("--template", is_flag=True, help="Print a commented edition file to start from.")
def editions(name: str | None, *, template: bool) -> None:
    """List the editions, or show the one called NAME (or in the file NAME)."""
    from clue_solver.rules import edition as shelf

    if template:
        click.echo(shelf.template(), nl=False)
        return
    from clue_solver.views.text import edition_details, edition_list

    if name is None:
        known = [shelf.load_edition(each) for each in shelf.shipped_editions()]
        commands.terminal().print(edition_list(known))
    else:
        commands.terminal().print(edition_details(shelf.load_edition(name)))


@main.command(cls=commands.OnLastGame)
@reads_game
@click.option("-o", "--output", type=click.Path(allow_dash=True), help="Where to write it.")
@click.option(
    "--to",
    "form",
    type=click.Choice(FORMS),
    help="The form to write; if left out, that of OUTPUT's ending, else the one GAME is not in.",
)
@click.option("--dimacs", "as_cnf", is_flag=True, help="The same as --to dimacs.")
def convert(asked: GameOptions, *, output: str | None, form: Form | None, as_cnf: bool) -> None:
    """
    Write the record of GAME in its other form, the notation or JSON Lines, or as a formula.

    The formula (DIMACS CNF) is for the SAT solvers and model counters of others: its models are the
    deals that fit what the viewer saw. The other options choose what goes into it.
    """
    from clue_solver.record import format_record, save, to_jsonl
    from clue_solver.record.files import write_whole

    if as_cnf and form not in (None, "dimacs"):
        raise click.UsageError(f"--dimacs and --to {form} are two different forms")
    form = "dimacs" if as_cnf else form or _form_for(asked.path, output)
    record, path = asked.game.record, None if output == "-" else output
    if form == "dimacs":
        text = asked.game.dimacs(**asked.seen)
        if path is None:
            commands.put(text)
        else:
            write_whole(text.encode("utf-8"), path)
    elif set(asked.seen.values()) != {None} or asked.game.supposed:
        raise click.UsageError(
            "--viewer, --upto, --shows, --asks and --suppose choose what goes into a formula: "
            "add --to dimacs; a record is written whole"
        )
    elif path is None:
        commands.put(to_jsonl(record) if form == "jsonl" else format_record(record))
    else:
        save(record, path, form=form)


def _form_for(path: str, output: str | None) -> Form:
    """
    Return the form that the ending of the output names, or the one that the record is not in.

    Raises:
        UsageError: If the ending is that of a spreadsheet, which `export` writes.
    """
    endings: dict[str, Form]
    endings = {".clue": "clue", ".jsonl": "jsonl", ".cnf": "dimacs", ".dimacs": "dimacs"}
    ending = Path(output or "").suffix.casefold()
    if ending in commands.SHEETS:
        raise click.UsageError(
            f"a record is no spreadsheet: expected .clue, .jsonl or .cnf; found {ending} "
            "('export' writes a pad or a table of suggestions; --to writes any form all the same)"
        )
    other: Form = "clue" if endings.get(Path(path).suffix) == "jsonl" else "jsonl"
    return endings.get(ending, other)


@main.command()
@click.argument("game", required=False, type=click.Path())
def new(game: str | None) -> None:
    """Ask for edition, players, hand sizes and own hand, and write the record's header to GAME."""
    from clue_solver.faces.setup import asked_record
    from clue_solver.record import format_record, save

    if game is not None and Path(game).exists():
        raise click.UsageError(f"{game} exists already; nothing was written")
    record = asked_record(Path(game or "").parent)
    if game is None:
        commands.put(format_record(record))
    else:
        save(record, game, form="clue")
        click.echo(f"{game} written; add what happens at the table, one line each", err=True)


@main.command()
@click.argument("game", required=False, type=click.Path())
@click.option("--plain", is_flag=True, help="Lines in, lines out: no full screen.")
def play(game: str | None, *, plain: bool) -> None:
    """
    Log a game at the table; goes on with GAME, or with the last unfinished game.

    Type what happens, in full or in short. A name, a verb or a card is any beginning of it:

    \b
      ann mus wr lou: cat mus         a suggestion, and what was shown
      ann mus wr lou ben no, cat      no, nope, pass: has none of them
      muswrlou; cat                   no spaces; ; and > stand for :
      ann mus wr lou: no              nobody shows (also -)
      ann mus wr lou: ben pass, ?     the rest was not heard
      ann mus wr lou: cat shows ?     the card is left out on purpose
      me mus wr lou: cat mus          me and i are the viewer
      ben skips                       a turn without a suggestion
      ben rolls 7, ben moves to hall  dice; where a piece is (two lines)
      leo points at brains plum, brawn green: mia
                                      the finger of Clue Diced
      ben accuses mus wr lou wrong    or right
      cat has plum, ben lacks rope    what you know besides (two lines)

    "help" lists the commands.
    """
    from datetime import date

    from clue_solver.conversation.session import Session
    from clue_solver.faces import setup
    from clue_solver.record.files import Keeper

    path = Path(game) if game else None
    if not plain:
        from clue_solver.faces.tui.app import run

        run(path, serve=_beside)
        return
    setup.leave_what_follows()
    if path is None:
        offered = setup.unfinished_games(setup.games_folder())
        person = sys.stdin.isatty()  # whom Enter brings to the first choice, as on the full screen
        for unfinished in offered if person else offered[:1]:
            asked = setup.wrapped(f"Go on with {setup.game_line(unfinished)}?", margin=7)
            if click.confirm(asked, default=person, err=True):
                path = unfinished
                break
    from clue_solver.faces.plain import Plain

    keeper = Keeper(path or setup.fresh_path(setup.games_folder(), date.today()))
    try:
        if keeper.path.exists():
            record = keeper.read()
        else:
            record = setup.asked_record(keeper.path.parent)
            keeper.write(record)
        click.echo(f"{keeper.path}\nhelp lists the commands", err=True)
        Plain(Session(record, keeper=keeper), commands.terminal()).run(sys.stdin)
        click.echo(f"the game is in {keeper.path}", err=True)
    finally:
        keeper.close()


@main.command()
@click.argument("game", required=False, type=click.Path(), shell_complete=commands.of_files)
@click.option(
    "--port",
    type=click.IntRange(min=0, max=65_535),
    default=8477,
    show_default=True,
    help="The port; 0 takes a free one.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Where it is listened; 0.0.0.0 lets the phones of this network in.",
)
@click.option(
    "--public",
    is_flag=True,
    help="The shared table: one log, and a page of its own for each player.",
)
def serve(game: str | None, *, port: int, host: str, public: bool) -> None:
    """
    Serve the game as a page for a phone; goes on with GAME, or offers the last unfinished game.

    The first line is the address of the page, with its secret; whoever has it keeps the log.
    """
    _served_with()
    from clue_solver.faces.web.server import serve as served

    served(Path(game) if game else None, host=host, port=port, public=public)


def _beside(session: Session, host: str, changing: Callable[[Callable[[], Any]], Any]) -> Served:
    """Serve the page of a session beside the full screen."""
    _served_with()
    from clue_solver.faces.web.server import Beside

    return Beside(session, host, changing)


def _served_with() -> None:
    for library in ("starlette", "uvicorn", "segno"):
        import_extra(library, extra="web")


for command in (
    *(commands.review, commands.season, commands.habits),
    *(commands.import_, commands.export, commands.merge, commands.examples),
    *(contests.arena, contests.practise),
):
    main.add_command(command)
