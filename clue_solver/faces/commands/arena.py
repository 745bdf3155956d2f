"""The commands for the computer's players: games against them, and tournaments."""

from __future__ import annotations

from pathlib import Path

import click

from clue_solver.errors import RecordError, counted
from clue_solver.faces.commands import shared


@click.command()
@shared.edition_option
@shared.players_option
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many games."
)
@click.option("--no-board", is_flag=True, help="Without a board: any room, every turn.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    help="The same seed deals the same games.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Keep the games in a folder, one record each.",
)
@shared.json_option
def arena(
    *,
    edition: str | None,
    players: str,
    games: int,
    no_board: bool,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """
    Let machines play many games, and count who wins.

    Every deal is played in every arrangement of the seats. Besides easy, medium and hard there are
    random, note-taker, likeliest, likeliest:bluff=0.3, and your own as package.module:Class. Ctrl+C
    ends it; finished games count, and are kept.

    \b
    Examples:
      clue-solver arena --players hard,medium,random
      clue-solver arena --players note-taker,likeliest:bluff=0.3 --games 500 --out games/
    """
    from clue_solver.arena.tournament import Tournament
    from clue_solver.faces.setup import USUAL
    from clue_solver.game.games import Games
    from clue_solver.record import save
    from clue_solver.record.files import relocated

    names = tuple(player or seat for seat, player in shared.seats_in(players).items())
    if not names:
        raise click.UsageError("say who plays, as in --players hard,medium,random")
    tournament = Tournament(
        edition=edition or USUAL, players=names, games=games, seed=seed, board=not no_board
    )
    tournament.check()
    if out is not None:
        _make_empty_folder(out)
    played = Games()
    with shared.stoppable(tournament.results(jobs=-1), games) as outcomes:
        for game in outcomes:
            if out is not None:
                save(relocated(game.record, Path(), out), out / f"{game.name}.clue", form="clue")
            played.append(game)
    if out is not None:
        shared.tell_written(out, counted(len(played), "game"))
    shared.show(played.standings(), as_json=as_json)


def _make_empty_folder(folder: Path) -> None:
    """Make a folder for games if necessary; raise if it already has games."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = any(folder.glob("*.clue"))
    except OSError as error:
        reason = f"cannot write games there: {error.strerror or error}"
        raise RecordError(reason, path=str(folder)) from None
    if there:
        reason = "there are already games here: choose another place"
        raise RecordError(reason, path=str(folder), argument="out")


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@shared.edition_option
@shared.players_option
def practise(game: Path | None, *, edition: str | None, players: str) -> None:
    """
    Play a game against machines.

    Without --players you are Ann, against a hard and a medium machine. The game is kept in GAME, or
    in the folder of games, and goes on where it was left: one that is not over is offered first. F9
    there changes how much the program tells you; at the end comes the review.

    \b
    Examples:
      clue-solver practise
      clue-solver practise friday.clue
      clue-solver practise --players Anna,easy,medium,hard --edition clue-diced
    """
    from clue_solver.faces import games, setup
    from clue_solver.faces.practising import PLAYERS, Practice
    from clue_solver.faces.tui.app import PlayApp, check_terminal, show
    from clue_solver.rules.edition_files import load_edition

    check_terminal()
    kept = () if game or edition or players else games.offered_games(games.games_folder())
    if going := [each for each in kept if each.dealt and not each.over]:
        show(PlayApp(kept=going))
        return
    if game is not None and games.game_file(game).exists():
        show(PlayApp(Practice.resume(game)))
        return
    if game is not None and game.exists():
        raise RecordError("this game is logged by hand: use 'play' to continue it", path=str(game))
    seats = shared.seats_in(players) or PLAYERS
    show(PlayApp(Practice.begin(load_edition(edition or setup.USUAL), seats, game)))
