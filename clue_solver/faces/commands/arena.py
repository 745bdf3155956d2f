"""
The commands of the arena: tournaments between autonomous players, and a game against them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from clue_solver.errors import ArgumentError, RecordError, printable
from clue_solver.faces.commands.shared import (
    Command,
    as_json,
    of_the_shelf,
    seldom,
    stoppable,
    terminal,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clue_solver.faces.web.tables import ServedTable

edition_option = click.option(
    "--edition",
    metavar="NAME",
    default="clue-classic",
    show_default=True,
    shell_complete=of_the_shelf,
    help="A shipped edition, or the path of a file.",
)
board_option = click.option(
    "--no-board", is_flag=True, help="Without a board: any room, every turn."
)


def _some_jobs(_ctx: click.Context, _param: click.Parameter, jobs: int) -> int:
    if jobs == 0:
        raise click.BadParameter("expected a number of processes, or -1 for all cores; found 0")
    return jobs


@click.command(
    cls=Command,
    examples=(
        "arena --players advice,likeliest,random",
        "arena --players note-taker,likeliest --games 500 --out games/",
    ),
)
@edition_option
@click.option(
    "--players",
    metavar="LIST",
    required=True,
    help="Who plays, clockwise: easy (person), medium (likeliest), hard (advice), random, "
    "note-taker, likeliest:bluff=0.3, or one's own as package.module:Class.",
)
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many games."
)
@board_option
@seldom(
    "--jobs",
    type=click.IntRange(min=-1),
    default=-1,
    metavar="N",
    callback=_some_jobs,
    help="How many processes work on many games. Default: one a core.",
)
@seldom("--seed", type=click.IntRange(min=0), default=0, help="The same seed deals the same games.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Keep the games in a folder, one record each.",
)
@as_json
def arena(
    *,
    edition: str,
    players: str,
    games: int,
    no_board: bool,
    jobs: int,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """
    Let the computer's players compete, and count who wins.

    Every deal is played in every arrangement of the seats. Ctrl+C ends it; finished games count,
    and are kept.
    """
    from clue_solver.arena.tournament import Tournament
    from clue_solver.game.games import Games
    from clue_solver.record import save
    from clue_solver.record.files import placed

    names = tuple(" ".join(name.split()) for name in players.split(","))
    tournament = Tournament(
        edition=edition, players=names, games=games, seed=seed, board=not no_board
    )
    tournament.check()
    if out is not None:
        _empty(out)
    played = Games()
    with stoppable(tournament.results(jobs=jobs), games) as outcomes:
        for game in outcomes:
            if out is not None:
                save(placed(game.record, Path(), out), out / f"{game.name}.clue", form="clue")
            played.append(game)
    if as_json:
        click.echo(played.standings().to_json())
    else:
        from clue_solver.views.standings import standings_text

        terminal().print(standings_text(played.standings()))


def _empty(folder: Path) -> None:
    """Make a folder for games, if there is none, and refuse one that has some already."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = any(folder.glob("*.clue"))
    except OSError as error:
        reason = f"cannot write games there: {error.strerror or error}"
        raise RecordError(reason, path=str(folder)) from None
    if there:
        reason = "there are games here already: name another place"
        raise RecordError(reason, path=str(folder), argument="out")


@click.command(
    cls=Command,
    examples=("practise", "practise friday.clue", "practise --opponents easy,medium,hard"),
)
@click.argument("game", required=False, type=click.Path(path_type=Path))
@edition_option
@click.option(
    "--opponents",
    metavar="LIST",
    default="hard,medium",
    show_default=True,
    help="Who plays against you: easy, medium, hard, or names as for the arena.",
)
@board_option
@seldom(
    "--seed",
    type=click.IntRange(min=0),
    help="The same seed gives the same deal. Default: another each time.",
)
@click.option(
    "--seat",
    type=click.IntRange(min=1),
    metavar="N",
    default=1,
    show_default=True,
    help="Where you sit, clockwise; the first opponent takes the first seat that is free.",
)
@click.option("--piece", metavar="NAME", default="", help="Whom you play. Default: by lot.")
def practise(
    game: Path | None,
    *,
    edition: str,
    opponents: str,
    no_board: bool,
    seed: int | None,
    seat: int,
    piece: str,
) -> None:
    """
    Play a game against machines.

    They are dealt with, move and ask on the same screen as a game that is logged. The game is kept
    in GAME, or in the folder of games, and goes on where it was left. F9 there changes how much the
    program tells you; at the end comes the review.
    """
    from datetime import date
    from secrets import randbelow

    from clue_solver.faces import games
    from clue_solver.faces.practising import Practice
    from clue_solver.faces.tui.app import PlayApp, check_terminal, show
    from clue_solver.rules.edition import load_edition

    check_terminal()
    if game is not None and games.game_file(game).exists():
        show(PlayApp(practice=Practice.resume(game)))
        return
    if game is not None and game.exists():
        raise RecordError("this game is logged by hand: 'play' goes on with it", path=str(game))
    practice = Practice.begin(
        load_edition(edition),
        tuple(" ".join(name.split()) for name in opponents.split(",")),
        game or games.fresh_path(games.games_folder(), date.today()),
        seed=randbelow(1 << 32) if seed is None else seed,
        seat=seat,
        piece=piece,
        board=not no_board,
    )
    show(PlayApp(practice=practice))


def seated(players: str) -> dict[str, str]:
    """Return who plays each seat by a list as it is typed, if any."""
    from clue_solver.arena.chairs import MACHINES
    from clue_solver.arena.players import find_player

    seats: dict[str, str] = {}
    for each in players.split(",") if players else ():
        name, _, player = (part.strip() for part in each.partition("="))
        if name in seats:
            raise click.BadParameter(f"{name} is there twice", param_hint="--players")
        if player:
            try:
                find_player(player)
            except ArgumentError as error:
                expected = f"expected {', '.join(MACHINES)}, or a player of the arena"
                found = error if ":" in player else f"found '{printable(player)}'"
                raise click.BadParameter(f"{expected}; {found}", param_hint="--players") from None
        seats[name] = player
    return seats


def dealt_table(game: str | None, seats: Mapping[str, str], *, edition: str | None) -> ServedTable:
    """
    Return the table of a game that is saved beside a file, of a new one, or one to be set up.

    Raises:
        ClueError: If there can be no such game, or none was dealt there.
    """
    from datetime import date
    from secrets import randbelow

    from clue_solver.faces import games, setup
    from clue_solver.faces.games import game_file
    from clue_solver.faces.web.dealt import DealtTable
    from clue_solver.faces.web.running import table_of
    from clue_solver.rules.edition import load_edition

    path = Path(game) if game else None
    if path is not None and game_file(path).exists():
        table = DealtTable.resume(path)
        if not {*seats} <= {*table.seats}:
            table.close(brief=True)
            raise ArgumentError(
                f"expected {', '.join(table.seats)} in this game", argument="players"
            )
        for seat, player in seats.items():
            table.sit(seat, player)
        return table
    if path is not None and path.exists():
        raise RecordError("this game was not dealt here: 'serve' has its log", path=str(path))
    if not seats:
        filled = {"deals": "program"}
        filled |= {} if edition is None else {"edition": load_edition(edition).name}
        return table_of(path, public=True, dealing=filled)
    path = path or games.fresh_path(games.games_folder(), date.today())
    chosen = load_edition(edition or setup.USUAL)
    return DealtTable.deal(chosen, seats, path, seed=randbelow(1 << 32), board=True)
