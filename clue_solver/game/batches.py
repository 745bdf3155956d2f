"""
Many games at once: reviews and seasons of files, on all cores.

A file that fails is reported, and does not stop the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from clue_solver import errors
from clue_solver.game.game import Game, load
from clue_solver.rules.table import Shows

if TYPE_CHECKING:
    from clue_solver.answers.review import ReviewedFile
    from clue_solver.answers.season import PlayedFile, Season

T = TypeVar("T")


def review_all(
    paths: str | Path | Iterable[str | Path],
    *,
    shows: Shows | None = None,
    asks: str | None = None,
    sample: int | None = None,
    seed: int = 0,
    jobs: int = -1,
) -> Iterator[ReviewedFile]:
    """
    Yield the review of each file, in the order given, as soon as it and those before it are done.

    Reviews are not kept, so a batch may be of any length. The same file gives the same review
    whatever else is in the batch.

    Args:
        paths: Records with a right accusation: a file, a folder, or several of them.
        shows, asks, sample, seed: As of `Game.review`.
        jobs: How many processes to use; -1 for one a core, 1 for none but this one.

    >>> [file.review.winner for file in review_all("examples/evening.clue", jobs=1, sample=100)]
    ['Ann']
    """
    from clue_solver.inference.workers import spread

    work = partial(review_file, shows=shows, asks=asks, sample=sample, seed=seed)
    yield from spread(work, games_in(paths), jobs=jobs)


def review_file(
    path: str,
    *,
    shows: Shows | None,
    asks: str | None,
    sample: int | None,
    seed: int,
) -> ReviewedFile:
    """
    Review one of many files; what is wrong with it is returned, not raised.

    Args:
        path: Its path.
        shows, asks, sample, seed: As of `Game.review`.
    """
    from clue_solver.answers.review import ReviewedFile

    review, error = _tried(
        path, lambda game: game.review(shows=shows, asks=asks, sample=sample, seed=seed)
    )
    return ReviewedFile(path=path, review=review, error=error)


def season(games: str | Path | Iterable[str | Path], *, jobs: int = -1) -> Season:
    """
    Return what many games tell of the people who played them; the same name is one player.

    Args:
        games: A file of a finished game, a folder of them, or several, in the order in which they
            were played.
        jobs: How many processes to use; -1 for one a core, 1 for none but this one.

    >>> told = season(["examples/evening.clue", "examples/diced.clue"], jobs=1)
    >>> [(player.seat, player.games, player.wins) for player in told.players][:2]
    [('Ann', 1, 1), ('Mia', 1, 1)]
    """
    from clue_solver.answers.season import gathered

    return gathered(season_of_files(games_in(games), jobs=jobs))


def season_of_files(games: Iterable[str | Path], *, jobs: int = -1) -> Iterator[PlayedFile]:
    """Yield what each file tells, in the order given; arguments as of `season`."""
    from clue_solver.inference.workers import spread

    yield from spread(_season_of_file, map(str, games), jobs=jobs)


def _season_of_file(path: str) -> PlayedFile:
    from clue_solver.answers.season import rows_of

    return _tried(path, lambda game: rows_of(path, game.review(), game.observations))


def games_in(paths: str | Path | Iterable[str | Path]) -> list[str]:
    """
    Return the files that paths, or one, name: of a folder all records in it and below, by name.

    >>> games_in(["examples/evening.clue", "examples"])[:2]
    ['examples/evening.clue', 'examples/classic.clue']
    """
    names: list[str] = []
    for path in [paths] if isinstance(paths, str | Path) else paths:
        if Path(path).is_dir():
            files = (file for file in Path(path).rglob("*") if file.suffix in (".clue", ".jsonl"))
            names += map(str, sorted(files))
        else:
            names.append(str(path))
    return names


def _tried(path: str, answered: Callable[[Game], T]) -> tuple[T | None, str | None]:
    """Return the answer of the game in a file, or else why there is none, naming the file."""
    try:
        return answered(load(path)), None
    except errors.ClueError as error:
        reason = str(error)
        if isinstance(error, errors.RecordError) and error.path == path:
            return None, reason
    except Exception as error:  # whatever it is, the other games of the batch are not to blame
        reason = f"unexpected {type(error).__name__}: {error}"
    return None, f"{errors.printable(path, most=200)}: {reason}"
