"""
What systems do differently, each with its twin: processes, folders, signals, sockets, streams.

Whatever only POSIX has, or only Windows, is called here and nowhere else.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

WINDOWS = os.name == "nt"

_ENDING = ("SIGTERM", "SIGBREAK" if WINDOWS else "SIGHUP")
"""Signals by which a program is told to end: by the system, or as its terminal closes."""

PATIENCE, _BETWEEN = 1.0 if WINDOWS else 0.0, 0.02
"""How many seconds a file that another program holds is waited for, and between two tries."""

_OWN = "own_encoding"


class Ended(SystemExit):
    """The program was told to end; its exit status is 128 and the signal's number."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


def alive(process: int) -> bool:
    """Whether there is such a process, as far as one can ask without ending it."""
    if WINDOWS:
        return False  # there a file that is being written cannot be removed
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def replace(file: Path, target: Path) -> None:
    """
    Put a file in the place of another, or of none, and see to it that it stays there.

    Raises:
        OSError: If it cannot be done; on Windows, after another program has held it for a while.
    """
    end = time.monotonic() + PATIENCE
    while True:
        try:
            file.replace(target)
            break
        except PermissionError:
            if time.monotonic() >= end:
                raise
        time.sleep(_BETWEEN)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Bring a folder's names to the disk, where folders can be opened."""
    if WINDOWS:
        return
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def stored_path(path: str | Path, folder: str | Path, names: ModuleType = os.path) -> str:
    """
    Return a path as it is stored in a file of a folder: from there, with forward slashes.

    On another drive it is absolute.

    Args:
        path, folder: Both from the working folder, or absolute.
        names: What knows this system's paths.
    """
    try:
        stored: str = names.relpath(path, folder or names.curdir)
    except ValueError:
        stored = names.abspath(path)
    return stored.replace(names.sep, "/")


@contextmanager
def starting_processes() -> Iterator[None]:
    """
    Start processes that Ctrl+C does not reach, so that none of them is broken off as it begins.

    What is pressed meanwhile is heard afterwards. Windows has no such thing.
    """
    if WINDOWS:
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # now: as it starts it lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def on_ending(handle: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Call something, in the main thread, when the program is told to end meanwhile."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in _ENDING:
            number = getattr(signal, name)
            before[number] = signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end(number: int, _frame: FrameType | None = None) -> None:
    """Break off what is done, for `on_ending`."""
    raise Ended(number)


def listen_alone(listening: socket.socket) -> None:
    """Let a socket have its port at once after its last user, and nobody beside it."""
    import socket

    if WINDOWS:  # there SO_REUSEADDR lets a second one listen on the same port
        listening.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE"), 1)  # noqa: B009
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def open_many(number: int) -> None:
    """Let this process have so many files and connections open, as far as it may."""
    with suppress(ImportError, OSError, ValueError):
        resource = import_module("resource")
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = number if most == resource.RLIM_INFINITY else min(number, most)
        if resource.RLIM_INFINITY != now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def open_streams() -> None:
    """
    Let what is printed be UTF-8 wherever it goes, but to a terminal that says otherwise.

    A standard stream that was closed leads nowhere, so that no file gets its number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
        elif name != "stdin" and isinstance(stream, TextIOWrapper) and not stream.isatty():
            setattr(stream, _OWN, own_encoding(stream) or stream.encoding.lower())
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def own_encoding(stream: object) -> str | None:
    """Return the encoding that a stream had before `open_streams`; `None` if that left it alone."""
    return getattr(stream, _OWN, None)
