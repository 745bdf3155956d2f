"""
Many games reviewed at once, on all cores; one that fails leaves the others as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from joblib import Parallel, delayed

from clue_solver.answers.review import ReviewedFile
from clue_solver.errors import ClueError, escape
from clue_solver.game import load
from clue_solver.rules.table import Shows


def review_all(
    paths: Iterable[str | Path],
    *,
    shows: Shows | None = None,
    sample: int | None = None,
    seed: int = 0,
    jobs: int = -1,
) -> Iterator[ReviewedFile]:
    """
    Yield the review of each file, in the order given, as soon as it and those before it are done.

    Reviews are not kept, so a batch may be of any length. The same file gives the same review
    whatever else is in the batch.

    Args:
        paths: Records with a right accusation.
        shows, sample, seed: As of `Game.review`.
        jobs: How many processes to use; -1 for one a core, 1 for none but this one.
    """
    work = (delayed(review_file)(str(path), shows, sample, seed) for path in paths)
    yield from Parallel(n_jobs=jobs, return_as="generator", batch_size=1)(work)


def review_file(path: str, shows: Shows | None, sample: int | None, seed: int) -> ReviewedFile:
    """Return what becomes of one file; nothing that is wrong with it is raised."""
    try:
        return ReviewedFile(
            path=path, review=load(path).review(shows=shows, sample=sample, seed=seed)
        )
    except ClueError as error:
        reason = str(error)
    except Exception as error:  # whatever it is, the other games of the batch are not to blame
        reason = f"unexpected {type(error).__name__}: {error}"
    name = escape(path, most=200)
    return ReviewedFile(path=path, error=reason if reason.startswith(name) else f"{name}: {reason}")
