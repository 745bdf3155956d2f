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
"""The signals by which a program is told to end: by the system, or because its terminal closes."""

PATIENCE, _BETWEEN = 1.0 if WINDOWS else 0.0, 0.02
"""For a file that another program has open, the seconds to wait in all, and between two tries."""

_OWN = "own_encoding"
"""The attribute of a stream in which the encoding that it had at first is kept."""


class Ended(SystemExit):
    """The program was told to end; its exit status is 128 and the signal's number."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)


def is_alive(process: int) -> bool:
    """Return whether a process with this number is alive; always false on Windows."""
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
    Move a file to a target, replacing any file there, and make sure that this is on the disk.

    Raises:
        OSError: If it cannot be moved; on Windows only after waiting a while for other programs
            that have the file open.
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
    """Write a folder's file names to the disk, on systems where folders can be opened."""
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
    Return a path as files in a folder store it: relative to the folder, with forward slashes.

    A path on another drive is absolute.

    Args:
        path, folder: Both relative to the working folder, or absolute.
        names: The module for paths of the operating system, such as `ntpath`.
    """
    try:
        stored: str = names.relpath(path, folder or names.curdir)
    except ValueError:
        stored = names.abspath(path)
    return stored.replace(names.sep, "/")


@contextmanager
def starting_processes() -> Iterator[None]:
    """
    Let processes started in the block ignore Ctrl+C, so that none is interrupted while it starts.

    A Ctrl+C during the block takes effect after it. On Windows this does nothing.
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
    Let a Ctrl+C during the block take effect after it (main thread only).

    Without this, Python prints a KeyboardInterrupt and drops it if C code is calling Python then.
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
    """Call a handler if the program is told to end during the block (main thread only)."""
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
    """Handle a signal (for `on_ending`): raise `Ended` with the signal's number."""
    raise Ended(number)


def listen_exclusively(listening: socket.socket) -> None:
    """Let a socket reuse a port that has just become free, but share it with nobody."""
    import socket

    if WINDOWS:  # there SO_REUSEADDR lets a second one listen on the same port
        listening.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE"), 1)  # noqa: B009
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def allow_open_files(number: int) -> None:
    """Raise the number of files and connections that this process may have open, if possible."""
    with suppress(ImportError, OSError, ValueError):
        resource = import_module("resource")
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = number if most == resource.RLIM_INFINITY else min(number, most)
        if resource.RLIM_INFINITY != now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def prepare_streams() -> None:
    """
    Make standard output and error UTF-8, except on a terminal, which keeps its own encoding.

    A standard stream that was closed is opened on the null device, so that no other file gets its
    number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
        elif name != "stdin" and isinstance(stream, TextIOWrapper) and not stream.isatty():
            setattr(stream, _OWN, own_encoding(stream) or stream.encoding.lower())
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def own_encoding(stream: object) -> str | None:
    """Return the encoding of a stream before `prepare_streams` changed it, else `None`."""
    return getattr(stream, _OWN, None)
