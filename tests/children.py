"""
Work in a process of its own, forked from this one, so that start-up does not count.

The child may use so much processor time and address space and no more; where it is when its time is
up it says on its standard error, as a list of Python calls.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from tempfile import TemporaryFile
from typing import NamedTuple

WAITED = 900
"""After so many seconds on the clock a child waits for something, and is ended."""

CRASHED = 70
"""The exit status of a child that ended with a traceback."""


class Ended(NamedTuple):
    """
    How a child ended.

    Attributes:
        status: Its exit status; negative the number of the signal that ended it.
        out, err: What it wrote.
    """

    status: int
    out: str
    err: str


def forked(work: Callable[[], None], *, seconds: int, memory: int) -> Ended:
    """
    Do some work in a child.

    Args:
        work: What is done.
        seconds: The processor time it may use; then SIGXCPU ends it.
        memory: The bytes of address space that it may take beyond what is taken here.
    """
    with TemporaryFile() as out, TemporaryFile() as err:
        sys.stdout.flush()
        sys.stderr.flush()
        gc.freeze()  # what was there before is no garbage for the child to walk through
        child = os.fork()
        if not child:
            _run(work, out.fileno(), err.fileno(), seconds=seconds, memory=memory)
        gc.unfreeze()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
    return Ended(status, *texts)


def _run(work: Callable[[], None], out: int, err: int, *, seconds: int, memory: int) -> None:
    """Do the work in this process, a child, and end it."""
    status = CRASHED
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdin = open(os.devnull)  # noqa: SIM115, PTH123 # the process ends with it
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        faulthandler.register(signal.SIGXCPU, file=sys.stderr, chain=True)
        signal.alarm(WAITED)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        room = _address_space() + memory
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        work()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _address_space() -> int:
    """Return the bytes of this process's address space."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split()[0]) * resource.getpagesize()
