"""
Work measured in a process of its own, with limits of time and of memory.

A fresh interpreter does the work once on something small, so that everything is loaded, then on
what is asked. Seconds are the processor's, on one core: others at work on the machine fall less on
them. What takes too long is killed; what takes too much memory dies by itself. Neither harms the
one who asks.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time, thread_time
from typing import Any, NamedTuple

import numpy as np

SIGXCPU = getattr(signal, "SIGXCPU", 0)
"""What kills a process at its limit of processor time, where the system has such limits."""

REPEATS, ENOUGH = 7, 1.0
"""Quick work is repeated so often, or for so many seconds, and the median of the times counts."""

PATIENCE, STARTING = 5, 60.0
"""How many times its seconds of processor work may last by the clock, and how long loading may."""

_TRIFLE = 64 * 1024  # bytes


class GaveUp(Exception):
    """The work cannot be done within its bounds; the text says what it ran into."""


class Work(NamedTuple):
    """
    Something to be done; all of it must survive pickling.

    Attributes:
        do: A function of a module; it raises `GaveUp` where it will not do.
        asked: What it is asked.
        warm: Something small to ask it first, not measured.
        fresh: Called before each run, not measured: forgets what was kept.
    """

    do: Callable[[Any], Any]
    asked: Any
    warm: Any
    fresh: Callable[[], None]


class Outcome(NamedTuple):
    """
    What came of some work.

    Attributes:
        value: What it returned; nothing where it gave up.
        seconds: How long it took.
        bytes: The most memory it held at once, beyond what the loaded process had.
        gave_up: Why there is no answer: `time`, `memory` or the work's own words; else empty.
    """

    value: Any = None
    seconds: float | None = None
    bytes: int | None = None
    gave_up: str = ""


def limited(work: Work, *, seconds: float, memory: int) -> Outcome:
    """
    Return what comes of some work in a process of its own; what it raises is raised here.

    Args:
        work: What is done.
        seconds: When to kill it, counted from when everything is loaded; whole ones, rounded up.
        memory: The most bytes of address space.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"  # inherited: one way must not get more cores than another
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_measured, args=(theirs, work, seconds, memory))
    process.start()
    theirs.close()
    try:
        return _awaited(ours, seconds)
    except EOFError:
        process.join()
        return Outcome(gave_up="time" if process.exitcode == -SIGXCPU else "memory")
    finally:
        process.kill()
        process.join()
        ours.close()


def timed(work: Work, *, enough: float = ENOUGH) -> tuple[Any, float]:
    """
    Return what some work returns and the median of the seconds that it takes, in this process.

    Args:
        work: What is done.
        enough: For how many seconds it is repeated at most.
    """
    times: list[float] = []
    while len(times) < REPEATS and sum(times) < enough:
        work.fresh()
        begun = thread_time()  # a limit on the process's time makes its own clock coarse
        value = work.do(work.asked)
        times.append(thread_time() - begun)
    return value, float(np.median(times))


def _awaited(ours: Connection, seconds: float) -> Outcome:
    for patience in (STARTING, PATIENCE * seconds):
        if not ours.poll(patience):
            return Outcome(gave_up="time")
        found = ours.recv()
        if isinstance(found, Exception):
            raise found
    outcome: Outcome = found
    return outcome


def _measured(theirs: Connection, work: Work, seconds: float, memory: int) -> None:
    """Do the work in the new process and send what came of it."""
    try:
        with suppress(GaveUp):
            work.do(work.warm)
        _bounded(seconds, memory)
        before = peak(reset=True)
        theirs.send("loaded")
        value, took = timed(work)
        held = max(peak() - before, _TRIFLE)
        theirs.send(Outcome(value=value, seconds=took, bytes=held))
    except GaveUp as refusal:
        theirs.send(Outcome(gave_up=str(refusal)))
    except MemoryError:
        theirs.send(Outcome(gave_up="memory"))
    except Exception as error:
        theirs.send(error)


def _bounded(seconds: float, memory: int) -> None:
    """Bound this process's time and memory, where the system can."""
    try:
        import resource
    except ImportError:
        return
    last = ceil(process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (last, last + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def peak(*, reset: bool = False) -> int:
    """Return the most bytes this process has held at once; since the last reset, on Linux."""
    status = Path("/proc/self/status")
    if not status.exists():
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes, on macOS
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    line = next(each for each in status.read_text().splitlines() if each.startswith("VmHWM"))
    return int(line.split()[1]) * 1024
