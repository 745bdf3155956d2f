"""The commands for finished games: review and season."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clue_solver.errors import RecordError
from clue_solver.faces.commands import shared

if TYPE_CHECKING:
    from clue_solver.answers.season import PlayedFile


@click.command()
@shared.game_argument
@click.option(
    "--solution",
    metavar="CARDS",
    help="What the envelope held: 'Plum, Rope, Hall'. Default: what the right accusation said.",
)
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Also write a page; '-' prints it instead.",
)
@shared.json_option
def review(game: str | None, *, solution: str | None, html: str | None, as_json: bool) -> None:
    """
    Go through a finished game, turn by turn.

    It says who could have known what, which questions were good, and what decided the game. The
    more hands the record of GAME holds, the more it can say. Without a game the last one is meant.

    \b
    Examples:
      clue-solver review evening.clue
      clue-solver review evening.clue --html evening.html
    """
    from clue_solver.game import load

    with shared.working("review"):
        answer = load(shared.game_path(game)).review(solution=solution)
    if html is not None:
        from clue_solver.views.reviews import review_page

        write_page(review_page(answer), html)
        if html == shared.STDOUT:
            return
    shared.show(answer, as_json=as_json)


def write_page(content: str, path: str) -> None:
    """Write a page, and say so; for `-` print it."""
    from clue_solver.record.files import write_whole

    if path == shared.STDOUT:
        shared.put(content)
        return
    try:
        write_whole(content.encode("utf-8", "replace"), path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RecordError(f"cannot write the page: {reason}", path=path) from None
    shared.tell_written(path)


@click.command()
@click.argument("games", metavar="[GAMES]...", nargs=-1, type=click.Path(allow_dash=True))
@shared.json_option
def season(games: tuple[str, ...], *, as_json: bool) -> None:
    """
    Compare players over many finished games.

    GAMES are files or folders of them, in the order in which they were played. For each player it
    gives wins, own turns until the solution was certain, accuracy, luck, mistakes and a rating.
    A game that fails does not stop the rest. Without games the last one is meant.

    \b
    Examples:
      clue-solver season games/
    """
    from clue_solver.answers.season import gathered
    from clue_solver.game.games import games_in, games_of_season

    files = games_in(games or (shared.game_path(None),))
    if not files:
        raise click.UsageError(f"expected records (.clue, .jsonl); found none in {games[0]}")
    played: list[PlayedFile] = []
    reviewed = games_of_season(files, jobs=1 if len(files) == 1 else -1)
    with shared.stoppable(reviewed, len(files)) as outcomes:
        for outcome in outcomes:
            played.append(outcome)  # each by itself: it counts once Ctrl+C comes
    answer = gathered(played)
    for error in answer.failed:
        click.echo(f"error: {error}", err=True)
    shared.show(answer, as_json=as_json)
    if answer.failed:
        click.get_current_context().exit(shared.UNUSABLE)
