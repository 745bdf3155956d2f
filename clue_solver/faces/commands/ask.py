"""The commands that ask about a game: report, why, check, advise, review, season."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clue_solver.faces.commands import shared

if TYPE_CHECKING:
    from clue_solver.answers.season import PlayedFile


@click.command()
@shared.game_argument
@shared.view_options
@click.option(
    "--asks",
    metavar="MODEL",
    help="How often players suggest their own cards: any (as often as other cards), careful "
    "(rarely), 'careful 0.3' (three tenths as often), or adaptive (learned from the log); then "
    "exceptions, as in 'careful, Ben any'. Default: what the record says, or adaptive.",
)
@shared.json_option
def report(game: str | None, *, as_json: bool, **view: Any) -> None:
    """
    Show the sheet: who has what, and how likely.

    GAME is a record; '-' reads standard input. If you leave it out, the last game is used.

    \b
    Examples:
      clue-solver report evening.clue
      clue-solver report evening.clue --upto 9 --viewer Ben
      clue-solver report --suppose 'Ben has Rope'
    """
    opened = shared.open_game(game)
    answer = opened.report(**view)
    shared.show(answer, as_json=as_json, lines=opened.lines)
    if not answer.consistent:
        click.get_current_context().exit(shared.CONTRADICTORY)


@click.command()
@click.argument("words", metavar="[GAME] CARD HOLDER", nargs=-1, type=click.Path(allow_dash=True))
@shared.view_options
@shared.json_option
def why(words: tuple[str, ...], *, as_json: bool, **view: Any) -> None:
    """
    Explain why somebody has a card, or cannot have it.

    HOLDER is a player, the envelope or a face-down slot; CARD may be abbreviated. If nothing is
    proved, you see how likely it is, and which entries of GAME changed that chance.

    \b
    Examples:
      clue-solver why evening.clue rope ben
      clue-solver why plum envelope
      clue-solver why rope ben --upto 9
    """
    if len(words) not in (2, 3) or (len(words) == 2 and words[0].endswith((".clue", ".jsonl"))):
        raise click.UsageError(
            "type the card and the holder, as in clue-solver why evening.clue rope ben"
        )
    *game, card, holder = words
    answer = shared.open_game(*game).why(card, holder, **view)
    shared.show(answer, as_json=as_json)


@click.command()
@shared.game_argument
@shared.view_options
@shared.json_option
def check(game: str | None, *, as_json: bool, **view: Any) -> None:
    """
    Find contradictions in a log, and suggest corrections.

    It names the entries of GAME that cannot all be true, the likeliest corrections, and the entries
    that do not follow the order of turns.

    \b
    Examples:
      clue-solver check evening.clue
      clue-solver check
    """
    answer = shared.open_game(game).check(**view)
    shared.show(answer, as_json=as_json)
    if not answer.consistent:
        click.get_current_context().exit(shared.CONTRADICTORY)


@click.command()
@shared.game_argument
@shared.view_options
@click.option("--rooms", metavar="LIST", help="The rooms that you can reach: Hall,Study.")
@click.option(
    "--at",
    metavar="ROOM",
    help="Where you are; the board says which rooms are in reach. Default: your place in GAME.",
)
@click.option(
    "--roll",
    metavar="DICE",
    help="What you rolled: 7, or in Clue Diced three suspects and the bonus die, "
    "Plum,Green,Orchid,glass. Default: all possible rolls are considered.",
)
@click.option("--top", type=click.IntRange(min=1), help="How many suggestions to list.")
@click.option("--explain", is_flag=True, help="Show all numbers, and what they mean.")
@shared.json_option
def advise(
    game: str | None,
    *,
    top: int | None,
    explain: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """
    Say what to ask next, and whether to accuse now.

    It also says which other players of GAME may be close to the solution.

    \b
    Examples:
      clue-solver advise evening.clue
      clue-solver advise --at Hall --roll 7
      clue-solver advise --rooms Hall,Study --top 3
    """
    opened = shared.open_game(game)
    with shared.status_line("advice"):
        answer = opened.advice(**how)
    if as_json and top:
        answer = answer.top(top)
    shared.show(answer, as_json=as_json, most=top, explain=explain)


# Afterwards.


@click.command()
@shared.game_argument
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Also write a page; '-' prints it instead.",
)
@shared.json_option
def review(game: str | None, *, html: str | None, as_json: bool) -> None:
    """
    Go through a finished game, turn by turn.

    It says who could have known what, which suggestions were good, and what decided the game. The
    more hands GAME records, the more it can say. If you leave GAME out, the last game is used.

    \b
    Examples:
      clue-solver review evening.clue
      clue-solver review evening.clue --html evening.html
    """
    from clue_solver.views.reviews import review_page

    opened = shared.open_game(game)
    with shared.status_line("review"):
        answer = opened.review()
    if html == shared.STDOUT:
        shared.print_text(review_page(answer))
        return
    if html is not None:
        shared.write(review_page(answer).encode("utf-8", "replace"), html)
    shared.show(answer, as_json=as_json)


@click.command()
@click.argument("games", metavar="[GAMES]...", nargs=-1, type=click.Path(allow_dash=True))
@shared.json_option
def season(games: tuple[str, ...], *, as_json: bool) -> None:
    """
    Compare players over many finished games.

    GAMES are files or folders of files, in the order in which they were played. The table shows
    each player's wins, quality, luck, mistakes and rating. A game that cannot be reviewed is left
    out, with a message. If you leave GAMES out, the last game is used.

    \b
    Examples:
      clue-solver season games/
    """
    from clue_solver.answers.season import build_season
    from clue_solver.game.games import games_in, games_of_season

    files = games_in(games or (shared.game_path(None),))
    if not files:
        raise click.UsageError(f"expected records (.clue, .jsonl); found none in {games[0]}")
    played: list[PlayedFile] = []
    reviewed = games_of_season(files, jobs=1 if len(files) == 1 else -1)
    shared.take_all(reviewed, len(files), played.append)
    answer = build_season(played)
    for error in answer.failed:
        click.echo(f"error: {error}", err=True)
    shared.show(answer, as_json=as_json)
    if answer.failed:
        click.get_current_context().exit(shared.UNUSABLE)
