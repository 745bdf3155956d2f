"""
Differences between operating systems: processes, folders, signals, sockets, streams.

Functions that only POSIX or only Windows has are called only here.
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
"""The signals that tell a program to end: from the system, or because its terminal closes."""

PATIENCE, _BETWEEN = 1.0 if WINDOWS else 0.0, 0.02
"""
How many seconds to wait in all for a file that another program has open, and how many between two
tries.
"""

_OWN = "own_encoding"
"""The name of an attribute that keeps the encoding that a stream had at first."""


class Ended(SystemExit):
    """The program was told to end by a signal; its exit status is 128 plus the signal's number."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


def is_alive(process: int) -> bool:
    """Return whether the process with this id is alive; always false on Windows."""
    if WINDOWS:
        return False  # not needed: there a file that is being written cannot be removed
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def replace(file: Path, target: Path) -> None:
    """
    Move a file to the path `target`, and make sure that this is on the disk.

    A file that is there already is replaced. On Windows, wait a while for other programs that have
    one of the files open.

    Raises:
        OSError: If the file cannot be moved.
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
    """Make sure that a folder's list of files is on the disk; on Windows do nothing."""
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
    Return a path in the form in which files store it: relative to their folder, with slashes.

    A path on another drive stays absolute.

    Args:
        path: The path, absolute or relative to the working folder.
        folder: The folder of the files that store it, absolute or relative to the working folder.
        names: The module for the paths of an operating system, such as `ntpath`; the one for this
            system if left out.
    """
    try:
        stored: str = names.relpath(path, folder or names.curdir)
    except ValueError:
        stored = names.abspath(path)
    return stored.replace(names.sep, "/")


@contextmanager
def starting_processes() -> Iterator[None]:
    """
    Start processes in the block so that they ignore Ctrl+C, and are not interrupted at their start.

    A Ctrl+C during the block takes effect in this process after it. On Windows this does nothing.
    """
    if WINDOWS:
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # now, because its start unblocks signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def hold_interrupts() -> Iterator[None]:
    """
    Let a Ctrl+C during the block take effect after the block (only in the main thread).

    Without this, Python prints the `KeyboardInterrupt` and drops it if it arrives while C code is
    calling Python.
    """
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda _number, frame: held.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if held:
            before(signal.SIGINT, held[0])


@contextmanager
def on_ending(handle: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """
    Call a signal handler if the program is told to end during the block.

    In other threads than the main one, this does nothing.

    Args:
        handle: The handler, called with the number of the signal and the current stack frame.
    """
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
    """Raise `Ended` with the number of a signal; a signal handler for `on_ending`."""
    raise Ended(number)


def listen_exclusively(listening: socket.socket) -> None:
    """Let a socket listen on a port that has just become free, but share the port with nobody."""
    import socket

    if WINDOWS:  # there SO_REUSEADDR lets a second one listen on the same port
        listening.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE"), 1)  # noqa: B009
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def allow_open_files(number: int) -> None:
    """Let this process have up to `number` files and connections open, if the system allows it."""
    with suppress(ImportError, OSError, ValueError):
        resource = import_module("resource")
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = number if most == resource.RLIM_INFINITY else min(number, most)
        if resource.RLIM_INFINITY != now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def prepare_streams() -> None:
    """
    Make standard output and error UTF-8, except on a terminal, which keeps its own encoding.

    If a standard stream is closed, it is opened on the null device. Otherwise the next file that is
    opened would take its place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
        elif name != "stdin" and isinstance(stream, TextIOWrapper) and not stream.isatty():
            setattr(stream, _OWN, own_encoding(stream) or stream.encoding.lower())
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def own_encoding(stream: object) -> str | None:
    """Return the encoding of a stream before `prepare_streams` changed it; `None` if it did not."""
    return getattr(stream, _OWN, None)
