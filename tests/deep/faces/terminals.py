"""A pseudo-terminal with the program in it: what is typed, and what is read until it shows."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

fcntl = pytest.importorskip("fcntl", reason="a pseudo-terminal")
pty = pytest.importorskip("pty", reason="a pseudo-terminal")
termios = pytest.importorskip("termios", reason="a pseudo-terminal")

ROOT = Path(__file__).parents[3]
MINUTE = 60
_DRAWS = re.compile(r"\x1b\[[?0-9;]*[a-zA-Z]")


class Terminal:
    """
    The program on a terminal of its own, which can be taken away.

    Attributes:
        process: The program.
        ours, theirs: The two ends.
        raw: All that was drawn.
    """

    def __init__(
        self,
        *words: str,
        size: tuple[int, int] = (80, 24),
        folder: Path = ROOT,
        where: Mapping[str, str] | None = None,
        controls: bool = False,
    ) -> None:
        """
        Start the program.

        Args:
            words: What follows its name.
            size: Columns and rows.
            folder: Where it runs.
            where: Its surroundings.
            controls: Whether it is told by a signal of Ctrl+C, and that the terminal is gone.
        """
        self.ours, self.theirs = pty.openpty()
        termios.tcsetwinsize(self.theirs, size[::-1])
        around = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), **(where or {})}
        around.pop("COLUMNS", None)
        self.raw = b""
        self.process = Popen(
            [sys.executable, "-m", "clue_solver", *words],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            cwd=folder,
            env=around,
            start_new_session=True,
            preexec_fn=_control if controls else None,  # noqa: PLW1509
        )

    def seen(self, keys: str, enough: Callable[[str], object], seconds: float = MINUTE) -> str:
        """Type keys; return what stands there once it is enough, or the time is over."""
        os.write(self.ours, keys.encode())
        before, shown, end = len(self.raw), "", time.monotonic() + seconds
        while not enough(shown) and time.monotonic() < end:  # the cursor blinks for ever
            if select.select([self.ours], [], [], min(0.1, seconds))[0]:
                try:
                    self.raw += os.read(self.ours, 65536)
                except OSError:
                    break
            shown = _DRAWS.sub("", self.raw[before:].decode(errors="replace"))
            shown = shown.replace("\r\n", "\n").replace("\r", "\n")  # a line may be drawn again
        return shown

    def type(self, keys: str, *, until: str) -> str:
        """Type keys; return what the terminal shows until something stands there."""
        shown = self.seen(keys, lambda shown: until in shown)
        assert until in shown, shown
        return shown

    def take_away(self) -> None:
        """Close both ends."""
        os.close(self.theirs)
        os.close(self.ours)
        self.ours = self.theirs = -1


def _control() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextmanager
def terminal(*words: str, **how: Any) -> Iterator[Terminal]:
    """Run the program on a terminal, killed in the end; as of `Terminal`."""
    there = Terminal(*words, **how)
    try:
        yield there
    finally:
        there.process.kill()
        there.process.wait()
        if there.ours >= 0:
            there.take_away()
