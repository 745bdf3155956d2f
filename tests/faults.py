"""
Faults of the disk, made at any call: what `record.files` asks of the system fails, or kills.

A script of what people do to a game runs with one fault in it. What was acknowledged must be
readable afterwards; what is not in the file at the end is told.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from filelock import FileLock

from clue_solver.conversation.changes import LogPlace
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, RecordError
from clue_solver.notation.reading import reading_of
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Record
from clue_solver.record.files import RecordFile, load_record, parse_record

ERRORS = (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES)
KILLED = 77
"""The exit status of a process that was killed at a call."""

Fault = Callable[[str], None]
"""Is told each call by its kind before it is made, and may raise or kill instead."""


class _File:
    """A file whose writes and flushes are told; what breaks off a write leaves half of it."""

    def __init__(self, file: Any, fault: Fault) -> None:
        self._file, self._fault = file, fault

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, content: bytes) -> int:
        """Write in two halves, with the call between."""
        half = len(content) // 2
        self._file.write(content[:half])
        self._file.flush()
        self._fault("write")
        return half + int(self._file.write(content[half:]))

    def flush(self) -> None:
        self._fault("flush")
        self._file.flush()


@contextmanager
def injected(fault: Fault) -> Iterator[None]:
    """Tell each call that the files of games make, before it is made."""
    told = {name: getattr(Path, name) for name in ("open", "chmod", "replace", "unlink", "mkdir")}
    fsync, opened = os.fsync, os.open
    acquire = FileLock.acquire

    def open_path(self: Path, mode: str = "r", *args: Any, **options: Any) -> Any:
        if "b" not in mode:
            return told["open"](self, mode, *args, **options)
        fault("read" if mode == "rb" else "open")
        file = told["open"](self, mode, *args, **options)
        return file if mode == "rb" else _File(file, fault)

    def before(kind: str) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            fault(kind)
            return told[kind](*args, **options)

        return call

    def sync(file: int) -> None:
        fault("folder sync" if stat.S_ISDIR(os.fstat(file).st_mode) else "fsync")
        fsync(file)

    def open_number(path: Any, *args: Any, **options: Any) -> int:
        fault("folder open" if Path(path).is_dir() else "lock open")
        return opened(path, *args, **options)

    def lock(self: FileLock, *args: Any, **options: Any) -> Any:
        fault("lock")
        return acquire(self, *args, **options)

    patches: list[Any] = [
        patch.object(Path, "open", open_path),
        *(patch.object(Path, name, before(name)) for name in told if name != "open"),
        patch.object(os, "fsync", sync),
        patch.object(os, "open", open_number),
        patch.object(FileLock, "acquire", lock),
    ]
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()


class Failing:
    """
    Fails from one call on, so many times.

    Attributes:
        calls: The kinds of all calls so far.
    """

    def __init__(self, at: int, error: int, times: int) -> None:
        self.at, self.error, self.times = at, error, times
        self.calls: list[str] = []

    def __call__(self, kind: str) -> None:
        self.calls.append(kind)
        if self.at <= len(self.calls) - 1 < self.at + self.times:
            raise OSError(self.error, os.strerror(self.error))


class Killing(Failing):
    """Kills this process at one call, with what Python would still have to write unwritten."""

    def __init__(self, at: int) -> None:
        super().__init__(at, 0, 1)

    def __call__(self, kind: str) -> None:
        self.calls.append(kind)
        if len(self.calls) - 1 == self.at:
            os._exit(KILLED)


HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n\n"
START = f"{HEADER}Ann holds Plum, Rope, Hall, Study, Knife, Green\n"


class Script(NamedTuple):
    """
    What is done to a game.

    Attributes:
        text: What is in its file before; `None` for a new one.
        steps: What is done, each with the session and the file.
    """

    text: str | None
    steps: tuple[Callable[[Session, Path], object], ...]


def _told(line: str) -> Callable[[Session, Path], object]:
    return lambda session, _: session.tell(line)


def _written_outside(text: str) -> Callable[[Session, Path], object]:
    def write(session: Session, path: Path) -> None:
        with io.open(path, "a", encoding="utf-8") as file:  # noqa: UP020 (not told)
            file.write(text)
        session.poll()

    return write


_SUGGESTED = (_told("ann mus wr lou: cat mus"), _told("ben sc can kit: cat"), _told("cat skips"))

SCRIPTS = {
    "a new game": Script(None, _SUGGESTED),
    "a game gone on with": Script(START, _SUGGESTED),
    "edits": Script(
        START,
        (
            *_SUGGESTED,
            lambda session, _: session.edit(3, "ben sc rope kit: cat"),
            lambda session, _: session.delete(4),
            lambda session, _: session.undo(),
            lambda session, _: session.undo(),
            lambda session, _: session.redo(),
            lambda session, _: session.set_header("seats", "Ann, Bob, Cat"),
            lambda session, _: session.set_header("hands", "6, 6, 6"),
            lambda session, _: session.commit(
                reading_of(session.entry(3).observation, session.record.table),
                LogPlace(2, insert=True),
            ),
            lambda session, _: session.undo(),
        ),
    ),
    "another program writes, too": Script(
        START,
        (
            _SUGGESTED[0],
            _written_outside("Ben skips\n"),
            _told("cat skips"),
            _written_outside("half a li"),
            _told("ann skips"),
        ),
    ),
}
"""What people do, by name."""


class Run:
    """
    One script with a fault in it.

    Attributes:
        path: The game's file.
        acknowledged: The record after the last step that was done without trouble.
        going: The record that a step may be writing.
        lost: What was acknowledged and was not in the file; empty where all is well.
        saved: Whether the game was in its file at the end.
    """

    def __init__(self, script: Script, path: Path) -> None:
        self.script, self.path = script, path
        self.acknowledged: Record | None = None
        self.lost: list[str] = []
        self.saved = False
        self.session: Session | None = None

    def play(self, told: Callable[[Record], object] = lambda _: None) -> None:
        """Open the game, do each step and close it; each acknowledged record is told."""
        new = self.script.text is None
        keeper = RecordFile(self.path)
        try:
            record = parse_record(START) if new else keeper.read()
        except BaseException:
            keeper.close()
            raise
        session = self.session = Session(record, keeper=keeper)
        if new:
            session.write_out()
        self._acknowledge(told)
        for step in self.script.steps:
            with suppress(ClueError):  # refused, as where another program has written
                step(session, self.path)
            self._acknowledge(told)
        self.saved = session.save()
        session.close()

    def _acknowledge(self, told: Callable[[Record], object]) -> None:
        assert self.session is not None
        if self.session.trouble is None and self.session.outside is None:
            self.acknowledged = self.session.record
            told(self.session.record)


def faulted(script: Script, path: Path, fault: Failing) -> Run | None:
    """
    Run a script with calls that fail, and hold it to what it says at its end.

    Returns:
        The run; `None` where the game could not be opened, which was said.
    """
    _begin(script, path)
    run = Run(script, path)

    def check(record: Record) -> None:
        with io.open(path, "rb") as file:  # noqa: UP020 (not told)
            lines = file.read().decode("utf-8").splitlines()
        lacking = [line for line in format_record(record).splitlines() if line not in lines]
        run.lost.extend(lacking)

    try:
        with injected(fault):
            run.play(check)
    except RecordError:
        assert run.session is None
        return None
    assert run.session is not None
    assert run.lost == []
    if run.saved:
        assert run.session.trouble is None
        assert format_record(load_record(path)) == format_record(run.session.record)
    again = RecordFile(path)  # the next start
    assert again.trouble is None
    again.close()
    return run


def each_fault(script: Script, folder: Path, error: int, times: int) -> Iterator[Failing]:
    """Run a script once for each call that it makes, which fails; yield what failed."""
    for number in count():
        fault = Failing(number, error, times)
        faulted(script, _fresh(folder) / "game.clue", fault)
        if len(fault.calls) <= number:
            return
        yield fault


def each_kill(script: Script, folder: Path, *, link: bool = False) -> Iterator[int]:
    """Run a script once for each call that it makes, and is killed at; yield their numbers."""
    told = acknowledged(script, _fresh(folder) / "game.clue")
    for number in count():
        path = _fresh(folder) / "game.clue"
        if link:
            (folder / "elsewhere").mkdir()
            path.symlink_to(folder / "elsewhere" / "other.clue")
        if not killed(script, path, number, told):
            return
        yield number


def _fresh(folder: Path) -> Path:
    """Empty a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def acknowledged(script: Script, path: Path) -> list[str]:
    """Run a script without a fault; return the texts of the records that it acknowledges."""
    _begin(script, path)
    told: list[str] = []
    Run(script, path).play(lambda record: told.append(format_record(record)))
    return told


def _begin(script: Script, path: Path) -> None:
    """Write what is in the file before."""
    if script.text is not None:
        path.write_text(script.text, "utf-8")
        path.chmod(0o600)


def killed(script: Script, path: Path, at: int, told: list[str]) -> bool:
    """
    Run a script in a process that is killed at a call, and look what is there afterwards.

    Args:
        script: The script.
        path: The game's file.
        at: The number of the call, from 0.
        told: What `acknowledged` returned for the script.

    Returns:
        Whether there was such a call.
    """
    _begin(script, path)
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            run = Run(script, path)
            with injected(Killing(at)):
                run.play(lambda record: os.write(theirs, format_record(record).encode() + b"\0"))
            status = 0
        finally:
            os._exit(status)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        texts = pipe.read().decode("utf-8").split("\0")[:-1]
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, KILLED), status
    assert texts == told[: len(texts)]
    if texts:  # the last that was told is there, or whole what came next; others may have added
        found = path.read_text("utf-8")
        assert found in told[len(texts) - 1 : len(texts) + 1] or {*texts[-1].splitlines()} <= {
            *found.splitlines()
        }
    again = RecordFile(path)  # the next start
    assert again.trouble is None
    assert [*path.resolve().parent.glob(".*.part")] == []
    again.close()
    return status == KILLED
