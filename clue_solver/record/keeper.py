"""Keeping one game in one file: a lock against a second writer, each version whole on the disk."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from clue_solver.errors import RecordError
from clue_solver.record.entries import Record
from clue_solver.record.files import save


class Keeper:
    """
    The one writer of a game's file, until it is closed.

    The lock stands in a hidden file beside the game and goes with the process, however that ends.

    Attributes:
        path: The file.
        trouble: Why the lock or the file cannot be written, in words; `None` while all is well.
    """

    def __init__(self, path: str | Path) -> None:
        """
        Take the lock.

        Raises:
            RecordError: If another process keeps this game.
        """
        self.path = Path(path)
        self.trouble: str | None = None
        real = self.path.resolve()
        self._lock = FileLock(real.with_name(f".{real.name}.lock"), timeout=0)
        try:
            self._lock.acquire()
        except Timeout:
            raise RecordError(
                "this game is open in another window; close it there first", path=str(path)
            ) from None
        except OSError as error:
            self.trouble = f"{path}: nothing can be written there: {error.strerror or error}"

    def write(self, record: Record) -> bool:
        """
        Write the record; it is on the disk when this returns true.

        Returns:
            Whether it could be written; if not, `trouble` says why and the old file is as it was.
        """
        try:
            save(record, self.path)
        except RecordError as error:
            self.trouble = str(error)
            return False
        self.trouble = None
        return True

    def close(self) -> None:
        """Give the lock back."""
        self._lock.release()
