"""The command for tournaments of the computer's players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from clue_solver.errors import RecordError, counted
from clue_solver.faces.commands import shared

if TYPE_CHECKING:
    from clue_solver.game import Game


@click.command()
@shared.edition_option
@shared.players_option
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many games."
)
@click.option(
    "--no-board", is_flag=True, help="Play without the board: any room may be named every turn."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    help="The same seed deals the same games.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Save the games in a folder, one record each.",
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
    Let computer players play many games, and count who wins.

    Every deal is played in every arrangement of the seats. Besides easy, medium and hard, a
    player can be random, note-taker, likeliest, likeliest:bluff=0.3, or a class of your own, given
    as package.module:Class. If you press Ctrl+C, the games that are finished still count.

    \b
    Examples:
      clue-solver arena --players hard,medium,random
      clue-solver arena --players note-taker,likeliest:bluff=0.3 --games 500 --out games/
    """
    from clue_solver.arena.tournament import Tournament
    from clue_solver.faces.setup import USUAL
    from clue_solver.game.games import Games
    from clue_solver.record.files import relocated, save

    names = tuple(player or seat for seat, player in shared.chairs_in(players).items())
    if not names:
        raise click.UsageError("say who plays, as in --players hard,medium,random")
    tournament = Tournament(
        edition=edition or USUAL, players=names, games=games, seed=seed, board=not no_board
    )
    tournament.check()
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.glob("*.clue")):
            reason = "there are already games here: choose another place"
            raise RecordError(reason, path=str(out), argument="out")
    played = Games()

    def take(game: Game) -> None:
        """Count a finished game, and save it if a folder is given."""
        if out is not None:
            save(relocated(game.record, Path(), out), out / f"{game.name}.clue")
        played.append(game)

    shared.take_all(tournament.results(jobs=-1), games, take)
    if out is not None:
        shared.tell_written(out, counted(len(played), "game"))
    shared.show(played.standings(), as_json=as_json)
