"""
The command `review`: one finished game in full, or many in a line each.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from clue_solver.errors import RecordError, escape
from clue_solver.faces.console import UNUSABLE, policy, put, terminal

if TYPE_CHECKING:
    from clue_solver.answers.review import ReviewedFile
    from clue_solver.rules.table import Shows


@click.command()
@click.argument(
    "games", metavar="GAME...", nargs=-1, required=True, type=click.Path(allow_dash=True)
)
@click.option(
    "--solution",
    metavar="CARDS",
    help="What the envelope held: 'Plum, Rope, Hall'; what the right accusation says if left out.",
)
@policy
@click.option(
    "--sample",
    type=click.IntRange(min=100),
    metavar="N",
    help="Weigh a suggestion by N random deals where there are too many to count each; "
    "5000 if left out.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Of the random deals.")
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Write the review as a page, too; '-' prints the page instead.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, of many a line each.")
def review(
    games: tuple[str, ...],
    *,
    solution: str | None,
    shows: Shows | None,
    sample: int | None,
    seed: int,
    html: str | None,
    as_json: bool,
) -> None:
    """
    Go through a finished GAME, turn by turn: who could have known what, and what came of it.

    The record may hold any number of hands; the more, the more is told. With several games there is
    a line for each, all cores work on them, and one that fails leaves the others as they are.
    """
    if len(games) > 1:
        if solution is not None or html is not None:
            option = "--solution" if solution is not None else "--html"
            raise click.UsageError(f"{option} is for one game; found {len(games)}")
        if "-" in games:
            raise click.UsageError("standard input can only be reviewed alone")
        _batch(games, shows=shows, sample=sample, seed=seed, as_json=as_json)
        return
    from clue_solver.game import load

    answer = load(games[0]).review(solution=solution, shows=shows, sample=sample, seed=seed)
    if html is not None:
        from clue_solver.views.html import review_page

        page = review_page(answer)
        if html == "-":
            put(page)
            return
        _write_review(page, html)
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.review import review_text

        terminal().print(review_text(answer))


def _write_review(page: str, path: str) -> None:
    from clue_solver.record.files import write_whole

    try:
        write_whole(page.encode("utf-8", "replace"), path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RecordError(f"cannot write the page: {reason}", path=path) from None
    click.echo(f"{escape(path, most=200)} written", err=True)


def _batch(
    games: tuple[str, ...], *, shows: Shows | None, sample: int | None, seed: int, as_json: bool
) -> None:
    """Print a line for each game; messages and the progress bar go to standard error."""
    from clue_solver.batches import review_all
    from clue_solver.views.review import in_a_line

    tally = Tally()
    found = review_all(games, shows=shows, sample=sample, seed=seed)
    with _progress(found, len(games)) as outcomes:
        for each in outcomes:
            tally.add(each)
            if each.error is not None:
                click.echo(f"error: {each.error}", err=True)
            if as_json:
                told = each.review.to_dict() if each.review else {"error": each.error}
                click.echo(json.dumps({"file": each.path, **told}, ensure_ascii=False))
            elif each.review is not None:
                click.echo(f"{escape(each.path, most=200)}: {in_a_line(each.review)}")
    if not as_json:
        click.echo(str(tally))
    if tally.failed:
        click.get_current_context().exit(UNUSABLE)


class Tally:
    """Counts over the games of a batch, so that none of them need be kept."""

    def __init__(self) -> None:
        self.games = self.failed = self.suggestions = 0
        self.accuracy = 0.0
        self.verdicts = {"right": 0, "late": 0, "rash": 0}

    def add(self, outcome: ReviewedFile) -> None:
        """Count one game."""
        self.games += 1
        if outcome.review is None:
            self.failed += 1
            return
        for judged in outcome.review.suggestions:
            self.suggestions += 1
            self.accuracy += judged.accuracy
        for accused in outcome.review.accusations:
            self.verdicts[accused.verdict] += 1

    def __str__(self) -> str:
        from clue_solver.answers.display import share

        told = [f"{self.games} games" + f", {self.failed} failed" * bool(self.failed)]
        if self.suggestions:
            mean = share(self.accuracy / self.suggestions)
            told.append(f"{self.suggestions} suggestions of mean accuracy {mean}")
        told.append(
            "accusations: " + ", ".join(f"{count} {kind}" for kind, count in self.verdicts.items())
        )
        return "; ".join(told)


@contextmanager
def _progress(outcomes: Iterable[ReviewedFile], total: int) -> Iterator[Iterable[ReviewedFile]]:
    """Draw a progress bar on standard error, where that is a terminal, while outcomes are taken."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    bar = Progress(
        *Progress.get_default_columns()[:2],
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),  # results in a file or a pipe must not pass by it
    )
    with bar:
        yield bar.track(outcomes, total=total, description="games")
