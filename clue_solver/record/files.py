"""
Records in files: the only place that reads or writes one.

A game that is being played is kept in one file: a lock against a second writer, each version whole
on the disk.
"""

import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout

from clue_solver.arguments import checked
from clue_solver.errors import RecordError
from clue_solver.record.contents import Record
from clue_solver.record.formats import format_record, from_jsonl, is_jsonl, parse_clue, to_jsonl

MOST_BYTES = 4 << 20
"""The most bytes that a file of a record or of notes may have: some 60,000 entries."""

STDIN = "-"


@checked
def parse_record(text: str, *, path: str = "", beside: Path | None = None) -> Record:
    """
    Return the record that a text holds, in the `.clue` form or as JSON Lines.

    Args:
        text: The whole text.
        path: The file's name, for errors.
        beside: The folder that an edition's path starts from; the working folder if left out.

    Raises:
        RecordError: If it holds none; with the number of the line and the place in it.
    """
    if "\n" not in text:
        text = text.replace("\r", "\n")
    if "\0" in text:
        raise RecordError("expected a game record; found a file that is not text", path=path)
    parse = from_jsonl if is_jsonl(text) else parse_clue
    return parse(text, path=path, beside=beside)


def load_record(path: str | Path) -> Record:
    """
    Return the record in a file; `-` is standard input.

    Raises:
        RecordError: If the file cannot be read or holds no record.
    """
    return _record_in(content_of(path), str(path))


def _record_in(content: bytes, name: str) -> Record:
    """Return the record that a file of this name holds; raises as `load_record`."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordError(
            "expected a game record; found a file that is not UTF-8 text", path=name
        ) from None
    if name == STDIN:
        return parse_record(text, path="standard input")
    return parse_record(text, path=name, beside=Path(name).parent)


def content_of(path: str | Path) -> bytes:
    """
    Return the bytes of a file that holds a record or notes; `-` is standard input.

    Raises:
        RecordError: If it cannot be read, or is far too large to be one.
    """
    name = str(path)
    try:
        if name == STDIN:
            content = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot read the record: {_reason(error)}", path=name) from None
    if len(content) > MOST_BYTES:
        raise RecordError(f"expected at most {MOST_BYTES >> 20} MiB; found more", path=name)
    return content


@checked
def save(record: Record, path: str | Path, *, form: Literal["clue", "jsonl"] | None = None) -> None:
    """
    Write the record to a file, whole or not at all.

    Args:
        record: The record.
        path: The file; one that is there is replaced once the new one is safely on the disk.
        form: How to write it; if left out JSON Lines for a path in `.jsonl`, else `.clue`.

    Raises:
        RecordError: If it cannot be written; a file that was there is as it was.
    """
    try:
        write_whole(_written(record, path, form), path)
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot write the record: {_reason(error)}", path=str(path)) from None


def _written(record: Record, path: str | Path, form: str | None = None) -> bytes:
    """Return what a file of that name holds for the record."""
    ending = Path(os.path.realpath(path)).suffix.removeprefix(".")
    return (to_jsonl if (form or ending) == "jsonl" else format_record)(record).encode("utf-8")


def write_whole(content: bytes, path: str | Path) -> None:
    """
    Write a file whole or not at all; one that is there is replaced once the new one is safe.

    Raises:
        OSError, ValueError: If it cannot be written; a file that was there is as it was.
    """
    target = Path(os.path.realpath(path))
    mark = f"{os.getpid()}-{os.urandom(4).hex()}"  # whose it is, should it be left behind
    beside = target.with_name(f".{target.name[:60]}.{mark}.part")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o777)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeEncodeError):
        return "a character in it has no UTF-8 form"
    return (isinstance(error, OSError) and error.strerror) or str(error)


class RecordFile:
    """
    The one writer of a game's file, until it is closed.

    The lock stands in a hidden file beside the game and goes with the process, however that ends;
    what a killed process left in the folder is removed. What another program, such as an editor,
    writes to the file meanwhile is noticed by its content, and never lost.

    Attributes:
        path: The file.
        trouble: Why the lock or the file cannot be written; `None` while all is well.
        aside: Where the last writing kept what another program had written; `None` if nowhere.
    """

    def __init__(self, path: str | Path) -> None:
        """
        Take the lock.

        Raises:
            RecordError: If another process keeps this game.
        """
        self.path = Path(path)
        self.trouble: RecordError | None = None
        self.aside: Path | None = None
        real = self.path.resolve()
        self._lock = FileLock(real.with_name(f".{real.name}.lock"), timeout=0)
        try:
            self._lock.acquire()
        except Timeout:
            raise RecordError(
                "this game is open in another window; close it there first", path=str(path)
            ) from None
        except OSError as error:
            trouble = f"nothing can be written there: {_reason(error)}"
            self.trouble = RecordError(trouble, path=str(path))
        else:
            _sweep(real.parent, Path(self._lock.lock_file))
        self._known = self._content()

    @property
    def changed(self) -> bool:
        """Whether the file holds something else than was last read or written here."""
        return self._content() not in (None, self._known)

    def read(self) -> Record:
        """
        Return the record in the file as it is now.

        Raises:
            RecordError: If it cannot be read or holds none; it counts as changed then as before.
        """
        content = content_of(self.path)
        record = _record_in(content, str(self.path))
        self._known = content
        return record

    def write(self, record: Record) -> bool:
        """
        Write the record; it is on the disk when this returns true.

        What another program has written to the file since is kept in a file beside it.

        Returns:
            Whether it could be written; if not, `trouble` says why and the old file is as it was.
        """
        self.aside = None
        try:
            if self.changed:
                self._set_aside()
            content = _written(record, self.path)
            write_whole(content, self.path)
        except (RecordError, OSError, ValueError) as error:
            trouble = f"cannot write the record: {_reason(error)}"
            self.trouble = RecordError(trouble, path=str(self.path))
            return False
        self.trouble = None
        self._known = content
        return True

    def close(self) -> None:
        """Give the lock back."""
        if self._lock.is_locked and os.name == "posix":  # elsewhere it goes when it is let go of
            Path(self._lock.lock_file).unlink(missing_ok=True)
        self._lock.release()

    def _content(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except OSError:
            return None

    def _set_aside(self) -> None:
        content = self._content() or b""
        name = f"{self.path.name}.outside"
        number = 1
        while (aside := self.path.with_name(name)).exists() and aside.read_bytes() != content:
            number += 1
            name = f"{self.path.name}.outside-{number}"
        write_whole(content, aside)
        self.aside = aside


def _sweep(folder: Path, own: Path) -> None:
    """Delete what dead processes left in a folder: half-written files, locks."""
    for left in folder.glob(".*.part"):
        number = re.search(r"\.(\d+)-[0-9a-f]{8}\.part$", left.name)
        if number and not _alive(int(number[1])):
            with suppress(OSError):
                left.unlink()
    for left in folder.glob(".*.lock"):
        if left != own and left.stem.endswith((".clue", ".jsonl")):
            with suppress(OSError, Timeout), FileLock(left, timeout=0):
                left.unlink()


def _alive(process: int) -> bool:
    """Whether there is such a process, as far as one can ask without ending it."""
    if os.name != "posix":
        return False  # there a file that is being written cannot be removed
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
