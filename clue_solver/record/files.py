"""
Records in files: only this module reads and writes them.

A game that is being played is kept in one file. A lock keeps a second writer out, and every version
is written whole.
"""

import errno
import os
import re
import stat
import sys
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from clue_solver import system
from clue_solver.errors import RecordError, system_reason
from clue_solver.record.clue import format_record, parse_clue
from clue_solver.record.contents import Record
from clue_solver.record.jsonl import from_jsonl, is_jsonl, to_jsonl
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import shipped_editions

MOST_BYTES = 4 << 20
"""The most bytes that a file of a record or of notes may have: some 60,000 entries."""

STDIN = "-"


def parse_record(text: str, *, path: str = "", beside: Path | None = None) -> Record:
    """
    Return the record in a text, in the `.clue` form or as JSON Lines.

    Args:
        text: The whole text.
        path: The name of the text's file, for errors.
        beside: The folder from which the path of an edition's file starts; the working folder if
            left out.

    Raises:
        RecordError: If the text is no record; the error has the number of the line and the place in
            that line.

    >>> parse_record("edition: clue-classic\\nplayers: Ann, Ben\\n\\nAnn skips\\n")
    <Record: Clue; Ann, Ben; entries: 1>
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
    """
    Return the record in the bytes of a file.

    `name` is the path of the file, or `-` for standard input.

    Raises:
        RecordError: If the bytes are no record.
    """
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
        RecordError: If it cannot be read, or is far too large for a record.
    """
    name = str(path)
    try:
        if name == STDIN:
            content = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _trouble("cannot read the record", error, path) from None
    if len(content) > MOST_BYTES:
        raise RecordError(f"expected at most {MOST_BYTES >> 20} MiB; found more", path=name)
    return content


def save(record: Record, path: str | Path, *, private: bool = False) -> None:
    """
    Write the record to a file, completely or not at all.

    Args:
        record: The record.
        path: The file: JSON Lines if it ends in `.jsonl`, else the `.clue` form. An existing file
            is replaced once the new one is safely on the disk.
        private: Whether only the owner may read the file.

    Raises:
        RecordError: If it cannot be written; an existing file is unchanged.

    >>> from tempfile import TemporaryDirectory
    >>> from clue_solver import load
    >>> record = load("examples/classic.clue").record
    >>> with TemporaryDirectory() as folder:
    ...     save(record, f"{folder}/mine.clue")
    ...     print(load(f"{folder}/mine.clue").record == record)
    True
    """
    try:
        write_whole(_bytes_of(record, path), path, private=private)
    except (OSError, ValueError) as error:
        raise _trouble("cannot write the record", error, path) from None


def _bytes_of(record: Record, path: str | Path) -> bytes:
    """
    Return the bytes to write for a record: JSON Lines if the file's name ends in `.jsonl`.

    Otherwise they are the `.clue` form.
    """
    ending = Path(os.path.realpath(path)).suffix
    return (to_jsonl if ending == ".jsonl" else format_record)(record).encode("utf-8")


def write_whole(content: bytes, path: str | Path, *, private: bool = False) -> None:
    """
    Write a file completely or not at all.

    An existing file is replaced once the new one is safely on the disk.

    Args:
        content: The bytes to write.
        path: The file; an existing file keeps its permissions.
        private: Whether only the owner may read it, from the first byte on, whatever the
            permissions of an existing file.

    Raises:
        OSError, ValueError: If it cannot be written; an existing file is unchanged.
    """
    target = Path(os.path.realpath(path))
    mark = f"{os.getpid()}-{os.urandom(4).hex()}"  # `_sweep` sees from it whose file it is
    beside = target.with_name(f".{target.name[:60]}.{mark}.part")
    try:
        if private:
            beside.touch(0o600, exist_ok=False)
        with beside.open("wb" if private else "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists() and not private:
            mode = target.stat().st_mode & 0o777
            if beside.stat().st_mode & 0o777 != mode:  # some disks know no other
                beside.chmod(mode)
        system.replace(beside, target)
    finally:
        with suppress(OSError):  # if it cannot be removed now, `_sweep` does it at the next start
            beside.unlink(missing_ok=True)


def hidden_file(path: str | Path, ending: str) -> Path:
    """Return the path of the hidden file with this ending beside the file of a game."""
    real = Path(os.path.realpath(path))
    return real.with_name(f".{real.name}.{ending}")


def write_hidden(content: bytes, file: Path) -> str:
    """
    Write a hidden file, which only its owner can read, completely or not at all.

    Returns:
        Why it could not be written; empty if it is written.
    """
    try:
        write_whole(content, file, private=True)
    except (OSError, ValueError) as error:
        return system_reason(error)
    return ""


def relocated(record: Record, beside: Path, folder: Path) -> Record:
    """
    Return a record that can be written to another folder and still finds its edition's file.

    Args:
        record: The record.
        beside: The folder from which the path of the edition's file starts now.
        folder: The folder where the record will be written; the new path starts there.
    """
    edition = edition_from(record.table.edition, folder, beside=beside)
    return replace(record, table=replace(record.table, edition=edition))


def edition_from(edition: Edition, folder: Path, *, beside: Path | None = None) -> Edition:
    """
    Return an edition with the name that records in a folder use for it.

    A shipped edition keeps its name. The name of a user's own edition is the path of its file,
    relative to the folder.

    Args:
        edition: The edition.
        folder: The folder of the records.
        beside: The folder from which the present path starts; the working folder if left out.
    """
    if edition.name in shipped_editions():
        return edition
    return replace(edition, name=system.stored_path((beside or Path()) / edition.name, folder))


def _trouble(what: str, error: Exception, path: str | Path) -> RecordError:
    """
    Return the error to raise if the operating system refuses to read or write a file.

    Args:
        what: What could not be done, the beginning of the message: `cannot read the record`.
        error: The error of the system, which says why.
        path: The file.
    """
    reason = system_reason(error)
    if isinstance(error, UnicodeEncodeError):
        reason = "a character in it cannot be written as UTF-8"
    return RecordError(f"{what}: {reason}", path=str(path))


def may_be_kept(path: str | Path) -> bool:
    """
    Return whether a game can be kept in a file.

    False if the file has a second name (hard link), because a write would leave the old game under
    that name. True if there is no such file yet.

    Raises:
        RecordError: If the path is no file: a folder, a pipe, a device, or a loop of links.
    """
    try:
        found = os.stat(path)  # noqa: PTH116 (a path with a NUL is no path)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return True
    except (OSError, ValueError) as error:
        raise _trouble("cannot open the record", error, path) from None
    if not stat.S_ISREG(found.st_mode):
        is_what = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe"}
        what = is_what.get(stat.S_IFMT(found.st_mode), "a device")
        raise RecordError(f"expected a file for the game; found {what}", path=str(path))
    return found.st_nlink <= 1


class RecordFile:
    """
    The only writer of a game's file, until it is closed.

    A lock keeps other processes of this program out. It is a hidden file beside the game, which is
    never deleted; the system releases the lock when the process ends, however that happens.
    Half-written files that killed processes have left in the folder are removed. If another
    program, such as an editor, changes the file, this is noticed because the contents differ, and
    nothing is lost.

    Attributes:
        path: The file.
        linked: Whether the file had a second name (hard link) when it was opened. What is written
            here will not be under that name.
        trouble: Why the lock or the file could not be written; `None` if it could.
        aside: The file to which the last `write` moved what another program had written; `None` if
            there was nothing.
    """

    def __init__(self, path: str | Path) -> None:
        """
        Take the lock of a game's file.

        Args:
            path: The file.

        Raises:
            RecordError: If another process has this game open, or the path is no file.
        """
        from filelock import FileLock  # late, because reading needs no lock

        self.path = Path(path)
        self.linked = not may_be_kept(path)
        self.trouble: RecordError | None = None
        self.aside: Path | None = None
        self._unwritten = False  # whether the last `write` failed
        self._known: bytes | None = None  # the file as it was last read or written
        self._tried: bytes | None = None  # the content that `write` tried to write last
        self._lock = FileLock(hidden_file(path, "lock"), timeout=0, thread_local=False)
        try:
            self._take_lock()
        except (OSError, NotImplementedError) as error:
            self.trouble = _trouble("nothing can be written there", error, path)
        with suppress(OSError):
            self._known = self._content()

    def _take_lock(self) -> None:
        """
        Take the lock, unless this object holds it already.

        Raises:
            RecordError: If another process has the lock.
            OSError, NotImplementedError: If there can be no lock in the folder.
        """
        from filelock import Timeout

        if self._lock.is_locked:
            return
        try:
            self._lock.acquire()
        except Timeout:
            if not Path(self._lock.lock_file).exists():  # none can be made there, as in /proc
                raise FileNotFoundError(errno.ENOENT, "no file can be made there") from None
            reason = "this game is open in another window; close it there first"
            raise RecordError(reason, path=str(self.path)) from None
        _sweep(Path(self._lock.lock_file).parent)

    @property
    def saved(self) -> bool:
        """Whether the file holds what was last read or written, and the last write succeeded."""
        with suppress(OSError):
            return not self._unwritten and self._content() == self._known
        return False

    @property
    def changed(self) -> bool:
        """Whether another program has changed the file since it was last read or written here."""
        with suppress(OSError):
            return self._has_changed()
        return False  # the next call may be able to read it

    def read(self) -> Record:
        """
        Return the record in the file as it is now.

        Raises:
            RecordError: If it cannot be read or holds no record; `changed` stays as it was.
        """
        content = content_of(self.path)
        record = _record_in(content, str(self.path))
        self._known = content
        return record

    def write(self, record: Record) -> bool:
        """
        Write the record.

        If another program has changed the file, its version is first saved beside it (`aside`).

        Returns:
            Whether the record is safely on the disk. If not, `trouble` says why, and the old file
            is unchanged.
        """
        self.aside = None
        self._unwritten = True
        try:
            self._take_lock()
            if self._has_changed():
                self._set_aside()
            self._tried = _bytes_of(record, self.path)
            write_whole(self._tried, self.path)
        except RecordError as error:
            self.trouble = error
            return False
        except (OSError, ValueError, NotImplementedError) as error:
            self.trouble = _trouble("cannot write the record", error, self.path)
            return False
        self.trouble = None
        self._known, self._unwritten = self._tried, False
        return True

    def close(self) -> None:
        """
        Release the lock.

        The lock's file stays, because another process may be waiting for it.
        """
        self._lock.release()

    def _has_changed(self) -> bool:
        """
        Return whether another program has changed the file since it was last read or written.

        Raises:
            OSError: If the file cannot be read.
        """
        return self._content() not in (None, self._known, self._tried)

    def _content(self) -> bytes | None:
        """
        Return the bytes of the file; `None` if there is no file.

        Raises:
            OSError: If it cannot be read.
        """
        try:
            return self.path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _set_aside(self) -> None:
        """
        Save what another program wrote to the game's file in a file beside it (`aside`).

        The name of the new file is not taken yet, or is that of a file with the same content.
        """
        content = self._content() or b""
        name = f"{self.path.name}.outside"
        number = 1
        while (aside := self.path.with_name(name)).exists() and aside.read_bytes() != content:
            number += 1
            name = f"{self.path.name}.outside-{number}"
        write_whole(content, aside)
        self.aside = aside


def _sweep(folder: Path) -> None:
    """Delete the half-written files that processes which have ended left in a folder."""
    for left in folder.glob(".*.part"):
        number = re.search(r"\.(\d+)-[0-9a-f]{8}\.part$", left.name)
        if number and not system.is_alive(int(number[1])):
            with suppress(OSError):
                left.unlink()
