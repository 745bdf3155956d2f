"""The commands for finished games: review and season."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clue_solver.faces.commands import shared

if TYPE_CHECKING:
    from clue_solver.answers.season import PlayedFile


@click.command(
    cls=shared.OnLastGame,
    examples=("review evening.clue", "review evening.clue --html evening.html"),
)
@click.argument("game", metavar="[GAME]", type=click.Path(allow_dash=True))
@click.option(
    "--solution",
    metavar="CARDS",
    shell_complete=shared.of_the_game("cards"),
    help="What the envelope held: 'Plum, Rope, Hall'. Default: what the right accusation said.",
)
@shared.asks
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Also write a page; '-' prints it instead.",
)
@shared.as_json
def review(game: str, *, solution: str | None, html: str | None, as_json: bool, **how: Any) -> None:
    """
    Go through a finished game, turn by turn.

    It says who could have known what, which questions were good, and what decided the game. The
    more hands the record of GAME holds, the more it can say. Without a game the last one is meant.
    """
    from clue_solver.game import load

    with shared.working("review"):
        answer = load(game).review(solution=solution, **how)
    if html is not None:
        from clue_solver.views.reviews import review_page

        shared.write_page(review_page(answer), html)
        if html == shared.STDOUT:
            return
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.document import render

        shared.terminal().print(render(answer))


@click.command(cls=shared.OnLastGame, examples=("season games/",))
@click.argument("games", metavar="[GAMES]...", nargs=-1, type=click.Path(allow_dash=True))
@shared.as_json
def season(games: tuple[str, ...], *, as_json: bool) -> None:
    """
    Tell who plays how, over many finished games.

    GAMES are files or folders of them, in the order in which they were played. For each player it
    gives wins, own turns until the solution was certain, accuracy, luck, mistakes and a rating.
    A game that fails does not stop the rest. Without games the last one is meant.
    """
    from clue_solver.answers.season import gathered
    from clue_solver.game.games import games_in, games_of_season

    files = games_in(games)
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
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.document import render

        shared.terminal().print(render(answer))
    if answer.failed:
        click.get_current_context().exit(shared.UNUSABLE)
