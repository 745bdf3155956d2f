"""
Work in a process of its own, forked from this one: what it cost, and how it ended.

All that this process has imported is there already, so that start-up does not count. The child may
use so much processor time and address space and no more; where it is when its time is up it says on
its standard error, as a list of Python calls.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from types import FrameType
from typing import NamedTuple

WAITED = 60
"""After so many seconds on the clock without any work a child waits for something, and is ended."""

CRASHED = 70
"""The exit status of a child that ended with a traceback."""


class Cost(NamedTuple):
    """
    How a child ended.

    Attributes:
        status: Its exit status; negative the number of the signal that ended it.
        seconds: Its processor time.
        memory: By how many bytes its memory grew at most; 0 where a signal ended it.
        out, err: What it wrote.
    """

    status: int
    seconds: float
    memory: int
    out: str
    err: str


def forked(work: Callable[[], int | None], *, seconds: int, memory: int) -> Cost:
    """
    Return what some work costs in a child.

    Args:
        work: What is done; what it returns is the exit status.
        seconds: The processor time it may use; then SIGXCPU ends it.
        memory: The bytes of address space it may take; any number if 0.
    """
    with TemporaryFile() as out, TemporaryFile() as err, TemporaryFile() as grown:
        sys.stdout.flush()
        sys.stderr.flush()
        gc.freeze()  # what was there before is no garbage for the child to walk through
        child = os.fork()
        if not child:
            _run(work, (out.fileno(), err.fileno(), grown.fileno()), seconds, memory)
        gc.unfreeze()
        _, ended, used = os.wait4(child, 0)
        texts = []
        for stream in (out, err, grown):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
    took = used.ru_utime + used.ru_stime
    return Cost(os.waitstatus_to_exitcode(ended), took, int(texts.pop() or 0), *texts)


def _run(
    work: Callable[[], int | None], files: tuple[int, int, int], seconds: int, memory: int
) -> None:
    """Do the work in this process, a child, and end it."""
    out, err, grown = files
    status = CRASHED
    give_back_freed()
    born = peak(reset=True)
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdin = open(os.devnull)  # noqa: SIM115, PTH123 # the process ends with it
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        faulthandler.register(signal.SIGXCPU, file=sys.stderr, chain=True)
        _end_if_it_waits()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        if memory:
            room = _address_space() + memory
            resource.setrlimit(resource.RLIMIT_AS, (room, room))
        status = work() or 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
            os.write(grown, str(peak() - born).encode())
        os._exit(status)


def give_back_freed() -> None:
    """Give freed memory back to the system: what work takes from it would seem to cost nothing."""
    with contextlib.suppress(AttributeError):  # other C libraries than GNU's lack it
        ctypes.CDLL(None).malloc_trim(0)


def _end_if_it_waits() -> None:
    """End this process, by SIGALRM, once it waits; on a busy machine it may only be slow."""
    before = [0.0]

    def looked(_number: int, _frame: FrameType | None) -> None:
        worked = time.process_time()
        if worked - before[0] < 0.01:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGALRM)
        before[0] = worked

    signal.signal(signal.SIGALRM, looked)
    signal.setitimer(signal.ITIMER_REAL, WAITED, WAITED)


def _address_space() -> int:
    """Return the bytes of this process's address space."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split()[0]) * resource.getpagesize()


def peak(*, reset: bool = False) -> int:
    """Return the most bytes this process has held at once; since the last reset."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text().splitlines()
    line = next(each for each in status if each.startswith("VmHWM"))
    return int(line.split()[1]) * 1024
