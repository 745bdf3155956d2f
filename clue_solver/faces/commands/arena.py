"""
The commands of the arena: tournaments between autonomous players, and a game against them.
"""

from __future__ import annotations

import sys
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
    from collections.abc import Callable, Mapping

    from rich.console import Console

    from clue_solver.arena.players import Player
    from clue_solver.arena.referee import Referee
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
    examples=("practise", "practise --teach", "practise --opponents easy,medium,hard"),
)
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
    help="Where you sit, clockwise; the first opponent answers the first seat. Default: you are "
    "asked, or 1.",
)
@click.option("--piece", metavar="NAME", help="Whom you play. Default: you are asked, or by lot.")
@click.option("--teach", is_flag=True, help="You keep the sheet; it checks and explains each mark.")
@click.option("--plain", is_flag=True, help="Lines in, lines out: no full screen.")
@click.option("-o", "--output", type=click.Path(), help="The file for the record at the end.")
def practise(
    *,
    edition: str,
    opponents: str,
    no_board: bool,
    seed: int | None,
    seat: int | None,
    piece: str | None,
    teach: bool,
    plain: bool,
    output: str | None,
) -> None:
    """
    Play a game against the computer.

    With dice, board and a review at the end. Your sheet is kept for you; with --teach you mark it
    yourself, and hear whether each mark is certain, and why. "help" lists the commands.
    """
    from secrets import randbelow

    from clue_solver.arena.dealing import NAMES
    from clue_solver.arena.players import find_player
    from clue_solver.arena.tournament import Tournament
    from clue_solver.faces.practising import outcome
    from clue_solver.record import save

    names = tuple(" ".join(name.split()) for name in opponents.split(","))
    fresh = randbelow(1 << 32) if seed is None else seed
    tournament = Tournament(
        edition=edition,
        players=(names[0], *names),
        games=1,
        seed=fresh,
        board=not no_board,
        compiled=False,
    )
    played = tournament.check()
    if (seat or 1) > len(names) + 1:
        raise click.BadParameter(f"there are {len(names) + 1} seats", param_hint="--seat")

    def begin(place: int, piece: str) -> tuple[Referee, dict[str, Player], str]:
        """Return a game, who else plays, and what to say at its beginning."""
        around = list(NAMES[: len(names) + 1])
        own = around.pop(place - 1)
        seats = dict(zip(around, names, strict=True))
        others = {seat: find_player(name)() for seat, name in seats.items()}
        against = ", ".join(f"{seat} ({name})" for seat, name in seats.items())
        greeting = f"You are {own}; you play against {against}. The seed is {fresh}."
        return tournament.begin(1, seat=own, piece=piece), others, greeting

    if plain:
        referee, others, greeting = begin(seat or 1, piece or "")
        _practise_on_lines(referee, others, greeting, teach=teach)
    else:
        from clue_solver.faces.tui.app import shown
        from clue_solver.faces.tui.practising import Practice, PractiseApp

        def practice(place: int, piece: str) -> Practice:
            return Practice(*begin(place, piece), teach=teach)

        pieces = played.suspects if played.board is not None and not no_board else ()
        if any(given is not None for given in (seat, piece, seed)):
            app = PractiseApp(practice(seat or 1, piece or ""))
        else:
            app = PractiseApp(begin=practice, pieces=pieces, opponents=names)
        try:
            shown(app)
        finally:
            if app.practice is not None:
                app.practice.leave()
        if app.practice is None:
            return
        referee = app.practice.referee
        click.echo(f"{app.practice.greeting}\n{outcome(referee)}")
    if output is not None:
        save(referee.record, output, form="clue")
        click.echo(f"{output} written", err=True)


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

    from clue_solver.faces import setup
    from clue_solver.faces.web.dealt import DealtTable
    from clue_solver.faces.web.keeping import game_file
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
    path = path or setup.fresh_path(setup.games_folder(), date.today())
    chosen = load_edition(edition or setup.USUAL)
    return DealtTable.deal(chosen, seats, path, seed=randbelow(1 << 32), board=True)


def _prompting(console: Console) -> Callable[[str], str | None]:
    """Return what asks for the next line at a terminal, or shows the prompt and reads a pipe."""
    from clue_solver.faces.plain import LineInput

    typed = LineInput(sys.stdin, lambda _: {}, ())

    def line(prompt: str) -> str | None:
        if not typed.asks:  # nobody sees a prompt on a pipe
            console.print(prompt.rstrip(), soft_wrap=True)
        return typed.next(prompt)

    return line


def _practise_on_lines(
    referee: Referee, others: Mapping[str, Player], greeting: str, *, teach: bool
) -> None:
    """Play a game as lines, and print its review."""
    from clue_solver.arena.referee import play
    from clue_solver.faces.practising import HELP, REVIEWED, Left, Person, outcome
    from clue_solver.game import Game
    from clue_solver.views.document import render

    console = terminal()
    person = Person(_prompting(console), console, teach=teach)
    (seat,) = {*referee.views} - {*others}
    person.say(greeting)
    person.say(HELP)
    try:
        play(referee, {seat: person, **others}, watch=person.watch)
        person.watch(referee)
    except Left:
        pass
    if referee.state.over:
        console.print(render(Game(referee.record).review(sample=REVIEWED)))
    else:
        person.say(outcome(referee))
