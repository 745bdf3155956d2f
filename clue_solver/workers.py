"""
Does many tasks of one kind: in this process, on all cores, or on a cluster that joblib uses.

The results are the same in each case, and come in the order of the tasks.
"""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from threading import Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Any, TypeVar

from clue_solver import system
from clue_solver.errors import ArgumentError, ClueError, counted

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Task = TypeVar("Task")
Result = TypeVar("Result")


def spread(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    *,
    jobs: int = -1,
) -> Iterator[Result]:
    """
    Yield the result of each task in order, as soon as it and all earlier ones are done.

    Args:
        work: The function to call with each task; it must be defined at the top of a module.
        tasks: The arguments of these calls, one for each.
        jobs: How many processes to use: -1 for one per core, 1 for this process alone. More than
            four per core are never used.

    Raises:
        ArgumentError: If `jobs` is not a possible number of processes.
        ClueError: If one of the processes was killed.
    """
    if jobs < -1 or jobs == 0:
        expected = f"jobs: expected a number of processes, or -1 for all cores; found {jobs}"
        raise ArgumentError(expected, argument="jobs")
    if jobs == 1:
        yield from map(work, tasks)
    else:
        from concurrent.futures import BrokenExecutor

        from joblib import Parallel, delayed

        most = 4 * (os.cpu_count() or 1)
        folder = os.getcwd()  # noqa: PTH109 # no files here
        calls = (delayed(_run_task)(work, folder, task) for task in tasks)
        parallel = Parallel(n_jobs=min(jobs, most), return_as="generator", batch_size=1)
        results: Any = None
        try:
            with system.starting_processes():  # a Ctrl+C meanwhile takes effect after it
                results = parallel(calls)
            for result in results:  # noqa: UP028 # `yield from` would close it too early
                yield result
        except BrokenExecutor:
            raise ClueError(
                "a worker process was killed, perhaps because memory ran out; try fewer processes "
                "at once"
            ) from None
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # joblib warns of lost work if this ends early
                if results is not None:
                    results.close()


def take_all(
    outcomes: Generator[Result], total: int, take: Callable[[Result], object], *, shown: bool
) -> str:
    """
    Pass each outcome of a game on to `take` as soon as it is computed.

    Ctrl+C ends that early; the outcomes that were taken still count.

    Args:
        outcomes: The outcomes, which are closed at the end.
        total: How many there are.
        take: Takes one outcome.
        shown: Whether to show a progress bar on standard error.

    Returns:
        After how many games it was ended early; empty if it was not.
    """
    from rich.console import Console
    from rich.progress import track

    taken, console = 0, Console(stderr=True)
    try:
        for outcome in track(
            outcomes, "games", total, console=console, transient=True, disable=not shown
        ):
            take(outcome)
            taken += 1
    except KeyboardInterrupt:
        return f"stopped after {taken} of {counted(total, 'game')}"
    finally:
        outcomes.close()
    return ""


def persistent_processes(jobs: int) -> ProcessPoolExecutor:
    """
    Return a pool of this many processes, which stays alive between tasks.

    The processes ignore Ctrl+C, and end when this process ends, even if it is killed.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_attend)


def _attend() -> None:
    """Let a new process of the pool ignore Ctrl+C, and end with the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the process that started this one has ended, then end this one."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_task(work: Callable[[Task], Result], folder: str, task: Task) -> Result:
    """
    Do a task and return its result.

    A worker process first sets Ctrl+C to be ignored, because the main process handles it. It also
    changes to the folder of the caller, because it may have been started in another one. A worker
    thread, as on a cluster, does neither.

    Args:
        work: The function that does the task.
        folder: The working folder of the caller.
        task: The argument of the function.
    """
    from multiprocessing import parent_process

    if parent_process() is not None and current_thread() is main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.chdir(folder)
    return work(task)


def chunks(tasks: Sequence[Task], size: int) -> list[tuple[Task, ...]]:
    """
    Return the tasks in order, in groups of at most `size`.

    >>> chunks((1, 2, 3), 2)
    [(1, 2), (3,)]
    """
    return [tuple(tasks[place : place + size]) for place in range(0, len(tasks), size)]
