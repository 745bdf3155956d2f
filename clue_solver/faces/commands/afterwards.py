"""The commands for finished games: review and season."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clue_solver.errors import RecordError, counted, printable
from clue_solver.faces.commands import shared

if TYPE_CHECKING:
    from clue_solver.answers.review import Review
    from clue_solver.answers.season import SeasonFile


@click.command(
    cls=shared.OnLastGame,
    examples=("review evening.clue", "review evening.clue --html evening.html", "review games/"),
)
@click.argument("games", metavar="[GAME]...", nargs=-1, type=click.Path(allow_dash=True))
@click.option(
    "--solution",
    metavar="CARDS",
    shell_complete=shared.of_the_game("cards"),
    help="What the envelope held: 'Plum, Rope, Hall'. Default: what the right accusation said.",
)
@shared.policies
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Also write a page; '-' prints it instead. For a folder of games: a folder, for an index "
    "and a page a game.",
)
@shared.by_machines
@click.option("--json", "as_json", is_flag=True, help="Print JSON; of several games a line each.")
def review(
    games: tuple[str, ...],
    *,
    solution: str | None,
    html: str | None,
    as_json: bool,
    jobs: int,
    scheduler: str | None,
    **how: Any,
) -> None:
    """
    Go through a finished game, turn by turn.

    It says who could have known what, which questions were good, and what decided the game. The
    more hands the record of GAME holds, the more it can say. Several games, or a folder of them,
    get a line each; a game that fails does not stop the rest. Without a game the last one is
    meant.
    """
    from clue_solver.game import games_in

    folders = any(Path(game).is_dir() for game in games)
    games = tuple(games_in(games))
    if folders or len(games) > 1:
        given = "a folder" if folders else str(len(games))
        if solution is not None:
            raise click.UsageError(f"--solution is for one game; found {given}")
        if html is not None and not folders:
            raise click.UsageError(f"--html is for one game, or a folder; found {given}")
        if shared.STDOUT in games:
            raise click.UsageError("standard input can only be reviewed alone")
        _batch(games, as_json=as_json, pages=html, jobs=jobs, scheduler=scheduler, **how)
        return
    from clue_solver.game import load

    game = load(games[0])
    with shared.working("review"):
        answer = game.review(solution=solution, **how)
    if html is not None:
        from clue_solver.faces.answering import walked_page

        shared.write_page(walked_page(game, answer), html)
        if html == shared.STDOUT:
            return
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.explanations import review_text

        shared.terminal().print(review_text(answer))


def _batch(games: tuple[str, ...], *, as_json: bool, pages: str | None = None, **how: Any) -> None:
    """Print a line for each game; messages and the progress bar go to standard error."""
    written: list[tuple[str, str]] = []
    names = _page_names(games)
    from clue_solver.answers.display import share
    from clue_solver.game import review_all
    from clue_solver.views.explanations import review_summary

    counts = Counter[str]()
    accuracy = 0.0
    with shared.stoppable(review_all(games, told=shared.took, **how), len(games)) as outcomes:
        for outcome in outcomes:
            counts["games"] += 1
            reviewed = outcome.review
            if reviewed is None:
                counts["failed"] += 1
                outcomes.say(f"error: {outcome.error}", err=True)
            else:
                if pages is not None:
                    say = partial(outcomes.say, err=True)
                    place = Path(pages, names[outcome.path])
                    written.append((place.name, _page_of(outcome.path, reviewed, place, say)))
                counts["suggestions"] += len(reviewed.suggestions)
                accuracy = sum((one.accuracy for one in reviewed.suggestions), accuracy)
                counts.update(accused.verdict for accused in reviewed.accusations)
            if as_json:
                answer = {"schema": 1, "error": outcome.error}
                if reviewed is not None:
                    answer = reviewed.to_dict()
                outcomes.say(json.dumps({"file": outcome.path, **answer}, ensure_ascii=False))
            elif reviewed is not None:
                outcomes.say(f"{printable(outcome.path, most=200)}: {review_summary(reviewed)}")
    if not as_json:
        said = [counted(counts["games"], "game")]
        if counts["failed"]:
            said = [f"{said[0]}, {counts['failed']} failed"]
        if suggestions := counts["suggestions"]:
            mean = share(accuracy / suggestions)
            said.append(f"{suggestions} suggestions of mean accuracy {mean}")
        seldom = ("unlucky", "unknown")
        kinds = ("right", "late", "rash", *(kind for kind in seldom if counts[kind]))
        verdicts = ", ".join(f"{counts[kind]} {kind}" for kind in kinds)
        click.echo("; ".join([*said, f"accusations: {verdicts}"]))
    if pages is not None:
        from clue_solver.views.html import index_page

        shared.write_page(index_page(written), Path(pages, "index.html"))
    if counts["failed"]:
        click.get_current_context().exit(shared.UNUSABLE)


def _page_names(games: Sequence[str]) -> dict[str, str]:
    """Return what the pages of games are called in their folder: no two the same."""
    names: dict[str, str] = {}
    for number, game in enumerate(games, 1):
        name = f"{Path(game).stem}.html"
        while name == "index.html" or name in names.values():
            name = f"{Path(name).stem}-{number}.html"
        names.setdefault(game, name)
    return names


def _page_of(path: str, review: Review, place: Path, say: Callable[[str], None]) -> str:
    """Write a game's page; return the game in a line."""
    from clue_solver.faces.answering import walked_page
    from clue_solver.game import load
    from clue_solver.views.explanations import review_line

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        folder = str(place.parent)
        raise RecordError(f"cannot write pages: {error.strerror}", path=folder) from None
    shared.write_page(walked_page(load(path), review), place, say)
    return f"{Path(path).name}: {review_line(review)}"


@click.command(
    cls=shared.OnLastGame,
    examples=("season games/", "season games/ --html season.html"),
)
@click.argument("games", metavar="[GAMES]...", nargs=-1, type=click.Path(allow_dash=True))
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Also write a page; '-' prints it instead. It leads to those that 'review --html FOLDER' "
    "wrote into the same folder.",
)
@shared.seldom(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many processes work. Default: one a core.",
)
@shared.seldom("--resume", is_flag=True, help="Go on with an interrupted season.")
@shared.as_json
def season(
    games: tuple[str, ...],
    *,
    html: str | None,
    jobs: int | None,
    resume: bool,
    as_json: bool,
) -> None:
    """
    Tell who plays how, over many finished games.

    GAMES are files or folders of them, in the order in which they were played. For each player it
    gives wins, own turns until the solution was certain, accuracy, luck, mistakes and a rating.
    A game that fails does not stop the rest. Without games the last one is meant.
    """
    from platformdirs import user_cache_path

    from clue_solver.answers.season import gathered
    from clue_solver.game import games_in, season_of_files

    files = games_in(games)
    if not files:
        raise click.UsageError(f"expected records (.clue, .jsonl); found none in {games[0]}")
    memory = user_cache_path("clue-solver") / "season"
    reviewed = season_of_files(files, jobs=jobs or -1, memory=memory, resume=resume)
    played: list[SeasonFile] = []
    with shared.stoppable(reviewed, len(files)) as outcomes:
        for outcome in outcomes:
            played.append(outcome)  # each by itself: it counts once Ctrl+C comes
    answer = gathered(played)
    for error in answer.failed:
        click.echo(f"error: {error}", err=True)
    if html is not None:
        from clue_solver.views.html import season_page

        names = _page_names(files) if html != shared.STDOUT else {}
        pages = {
            game: name for game, name in names.items() if Path(html).parent.joinpath(name).exists()
        }
        shared.write_page(season_page(answer, pages), html)
    if as_json:
        click.echo(answer.to_json())
    elif html != shared.STDOUT:
        from clue_solver.views.explanations import season_text

        shared.terminal().print(season_text(answer))
    if answer.failed:
        click.get_current_context().exit(shared.UNUSABLE)
