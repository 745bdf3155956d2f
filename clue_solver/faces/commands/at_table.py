"""The commands at the table: play, practise, games, serve."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clue_solver.errors import counted, import_extra, printable
from clue_solver.faces.commands import ask, shared

if TYPE_CHECKING:
    from clue_solver.faces.setup import Typed


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@shared.edition_option
@shared.players_option
@click.option("--plain", is_flag=True, help="Work line by line instead of full-screen.")
def play(game: Path | None, *, edition: str | None, players: str, plain: bool) -> None:
    """
    Log a game at the table, and see what it proves.

    GAME is the file of the game; if it does not exist, a new game begins there. Without it, you
    choose one of your unfinished games or a new one. Type what happens; you can shorten a name, a
    verb or a card to its beginning.

    \b
      ann mus wr lou: cat mus         a suggestion, and what was shown
      ann mus wr lou ben no, cat      no, nope, pass: has none of them
      mus wr lou; cat                 ; and > stand for :
      ann mus wr lou: -               nobody shows
      ann mus wr lou: ben pass, ?     the rest was not heard
      ann mus wr lou: cat shows ?     the card is left out on purpose
      me mus wr lou: cat mus          me and i are the viewer
      ben skips                       a turn without a suggestion
      ben leaves                      nobody asks him any more
      ben rolls 7, ben moves to hall  dice; where a piece is (two lines)
      leo points at brains plum, brawn green: mia
                                      the finger of Clue Diced
      ben accuses mus wr lou wrong    or right
      cat has plum, ben lacks rope    anything else you know (two lines)

    "help" lists what else can be typed.

    \b
    Examples:
      clue-solver play friday.clue
      clue-solver play --edition clue-2015 --players Kim,Lee
      clue-solver play --plain friday.clue
    """
    typed = _new_game_fields(game, edition, players)
    if plain:
        from clue_solver.faces import plain as lines

        lines.run(game, typed, shared.terminal())
    else:
        from clue_solver.faces.tui import app

        app.run(game, typed)


def _new_game_fields(game: Path | None, edition: str | None, players: str) -> Typed:
    """
    Return the fields of a new game that the options set, by field.

    Args:
        game: The path of the game; `None` for a new one.
        edition: The value of `--edition`; `None` if it is not given.
        players: The value of `--players`; empty if it is not given.

    Raises:
        click.UsageError: If the game is already set up, or if the options name machines.
        ClueError: If no such game is possible.
    """
    from clue_solver.faces.setup import FIELDS, USUAL, NewGame
    from clue_solver.rules.edition_files import load_edition

    said = {"edition": edition, "players": players}
    typed = {name: text for name, text in said.items() if text}
    if any(shared.chairs_in(players).values()):
        reason = "only 'practise' and 'serve --deal' have computer players"
        raise click.BadParameter(reason, param_hint="--players")
    shared.is_new(game, *typed)
    if players:
        new = NewGame(load_edition(edition or USUAL), dict.fromkeys(FIELDS, "") | typed)
        _ = new.table
    return typed


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@shared.edition_option
@shared.players_option
def practise(game: Path | None, *, edition: str | None, players: str) -> None:
    """
    Play a game against the computer.

    Without --players you are Ann, and play against a hard and a medium computer player. The game is
    saved in GAME, or in the games folder; unfinished games are offered first. F9 changes how much
    help you get; the review follows at the end.

    \b
    Examples:
      clue-solver practise
      clue-solver practise friday.clue
      clue-solver practise --players Anna,easy,medium,hard --edition clue-diced
    """
    from clue_solver.faces import games
    from clue_solver.faces.practising import PLAYERS, Practice
    from clue_solver.faces.setup import USUAL
    from clue_solver.faces.tui import app

    app.check_terminal()
    if not shared.is_new(game, edition, players):
        app.run(game, {})
        return
    kept = () if game or edition or players else games.offered_games(games.games_folder())
    if going := [each for each in kept if each.dealt and not each.over]:
        app.show(app.PlayApp(kept=going))
        return
    seats = shared.chairs_in(players) or PLAYERS
    app.show(app.PlayApp(Practice.begin(edition or USUAL, seats, game)))


@click.command()
@click.argument("number", required=False, type=click.IntRange(min=1))
@click.option("--review", is_flag=True, help="Go through it, turn by turn.")
@click.option("--delete", is_flag=True, help="Delete it, after asking you to confirm.")
@click.pass_context
def games(ctx: click.Context, number: int | None, *, review: bool, delete: bool) -> None:
    """
    List your saved games; continue, review or delete one.

    If you give the NUMBER of a game, you continue that game.

    \b
    Examples:
      clue-solver games
      clue-solver games 2
      clue-solver games 2 --review
      clue-solver games 3 --delete
    """
    from clue_solver.faces.games import delete_game, games_folder, kept_games

    folder = games_folder()
    kept = sorted(kept_games(folder), key=lambda game: game.over)  # the latest first among each
    if number is None and (review or delete):
        raise click.UsageError("say which by its number, as in clue-solver games 2 --review")
    if number is None:
        for place, game in enumerate(kept, 1):
            click.echo(f"{place:>3}  {printable(game.line, most=400)}")
        if kept:
            click.echo("'games 1' continues the first; --review reviews it, --delete deletes it")
        click.echo(f"{counted(len(kept), 'game')} in {folder}", err=True)
        return
    if number > len(kept):
        raise click.UsageError(f"expected the number of one of {counted(len(kept), 'game')}")
    game = kept[number - 1]
    if delete:
        click.confirm(f"Delete {game.line}?", abort=True, err=True)
        delete_game(game.path)
        click.echo(f"{game.path} deleted", err=True)
    elif review:
        ctx.invoke(ask.review, game=str(game.path))
    else:
        ctx.invoke(serve if game.dealt and game.people != 1 else play, game=game.path)


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@click.option(
    "--deal",
    is_flag=True,
    help="The program deals, rolls and moves the pieces; everybody plays on a phone.",
)
@shared.edition_option
@shared.players_option
@click.option("--public", is_flag=True, help="Share one log, with a page for each player.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; 0.0.0.0 lets in the phones on this network.",
)
@click.option(
    "--port",
    type=click.IntRange(min=0, max=65_535),
    default=8477,
    show_default=True,
    help="The port; 0 takes a free one.",
)
@click.option(
    "--allow",
    multiple=True,
    metavar="NAME",
    help="The host name of a proxy or tunnel in front of the server. Begin it with https:// if the "
    "links should begin so.",
)
def serve(
    game: Path | None,
    *,
    deal: bool,
    edition: str | None,
    players: str,
    public: bool,
    port: int,
    host: str,
    allow: tuple[str, ...],
) -> None:
    """
    Open a game as a web page, on everybody's phone.

    You continue GAME, or set it up on the page. The first line that is printed is the address of
    the page. Keep it secret: anyone who has it can write in the log. With --deal the program runs
    the whole game: it shuffles and shows the cards, and the computer can take the place of some
    players. When you continue a dealt game, list in --players only the seats that somebody else
    will play.

    GAME may be a folder (by default, your games folder): on its page you can continue each of its
    games and begin new ones.

    \b
    Examples:
      clue-solver serve
      clue-solver serve friday.clue --host 0.0.0.0
      clue-solver serve friday.clue --public
      clue-solver serve --deal --players "Mum, Tim, Watson=hard" --host 0.0.0.0
      clue-solver serve club --public --host 0.0.0.0
    """
    for library in ("starlette", "uvicorn", "segno"):
        import_extra(library, extra="web")
    from clue_solver.faces.games import game_file
    from clue_solver.faces.web import running

    reach = running.Reach(host, allow)
    if deal or (game is not None and game_file(game).exists()):
        seats = shared.chairs_in(players)
        dealt = partial(running.dealt_table, game, seats, edition=edition)
        running.serve(None, reach, port=port, deal=dealt)
    else:
        typed = _new_game_fields(game, edition, players)
        running.serve(game, reach, port=port, public=public, typed=typed)
