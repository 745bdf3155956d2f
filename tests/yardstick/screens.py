"""
Runs of the full screen: keys go in at a real terminal, the file of the game comes out.

A line of keys is typed at once, then the run waits until the screen is still; at an empty line it
waits for what is thought of. `<Enter>` and the like are keys, `<Backspace*9>` is one nine times;
`<Paste>` pastes the rest of the line, in which `|` ends a line.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import clue_solver

KEYS = {
    "Enter": "\r",
    "Esc": "\x1b",
    "Tab": "\t",
    "Backspace": "\x7f",
    "Up": "\x1b[A",
    "Down": "\x1b[B",
    "Ins": "\x1b[2~",
    "Del": "\x1b[3~",
    "F1": "\x1bOP",
    **{f"F{key}": f"\x1b[{key + 10 + (key > 5)}~" for key in range(5, 11)},
    **{f"Ctrl+{letter}": chr(ord(letter) - 64) for letter in "NQSYZ"},
}
EARLIER = "edition: clue-classic\nplayers: Ann, Ben\n\nAnn accuses Plum, Rope, Hall: right\n"
"""A game that was played before: who plays knows the program."""

_BLINKS = 250
"""Bytes of a write that may be a cursor that blinks, and not an answer."""


def typed(line: str) -> bytes:
    """What a terminal sends for a line of keys."""
    before, paste, pasted = line.partition("<Paste>")
    keys = re.sub(r"<([^<>*]+)\*?(\d*)>", lambda key: KEYS[key[1]] * int(key[2] or 1), before)
    if paste:
        keys += "\x1b[200~" + pasted.replace("|", "\r") + "\x1b[201~"
    return keys.encode()


class Terminal:
    """
    A terminal at which the program runs.

    Args:
        folder: Where it runs, and has its home.
        size: Columns and rows, as `80x24`.
        arguments: What follows the program's name.
        pace: How many seconds the screen is still before the next keys.
    """

    def __init__(self, folder: Path, size: str, arguments: list[str], pace: float) -> None:
        self.pace = pace
        self.master, slave = pty.openpty()
        columns, rows = map(int, size.split("x"))
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        env = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "PYTHONUTF8": "1"}
        env |= {name: str(folder / "home") for name in ("HOME", "XDG_DATA_HOME")}
        env["PYTHONPATH"] = str(Path(clue_solver.__file__).parents[1])
        command = [sys.executable, "-m", "clue_solver", *arguments]
        self.run = subprocess.Popen(
            command, 0, None, slave, slave, slave, cwd=folder, env=env, start_new_session=True
        )
        os.close(slave)
        self.still(drawn=2_000, most=90)

    def still(self, *, drawn: int = 1, most: float = 20) -> None:
        """Wait until so much was drawn, and nothing more for a while."""
        began = last = time.monotonic()
        while (now := time.monotonic()) - began < most and (drawn > 0 or now - last < self.pace):
            if select.select([self.master], [], [], 0.02)[0]:
                try:
                    size = len(os.read(self.master, 1 << 16))
                except OSError:  # the program has ended
                    return
                last = time.monotonic() if size > _BLINKS or drawn > 0 else last
                drawn -= size

    def send(self, line: str) -> None:
        """Type a line of keys, and wait."""
        os.write(self.master, typed(line))
        if line:
            self.still()
        else:
            self.still(drawn=sys.maxsize, most=20 * self.pace)

    def end(self) -> None:
        """Close it, and let nothing run on."""
        self.run.kill()
        self.run.wait()
        os.close(self.master)


def played(folder: Path, begins: str, keys: str, *, pace: float = 0.3) -> dict[str, str]:
    """Return the file that is there after keys, by what begins: size, arguments, a record."""
    first, _, record = begins.partition("\n")
    size, *arguments = first.split()
    kept = folder / "home" / "clue-solver" / "games"
    games = kept if arguments == ["play"] else folder
    kept.mkdir(parents=True)
    (kept / "earlier.clue").write_text(EARLIER, "utf-8")
    if record.strip():
        (games / "tonight.clue").write_text(record, "utf-8")
    terminal = Terminal(folder, size, arguments, pace)
    try:
        for line in keys.splitlines():
            terminal.send(line)
        terminal.still(drawn=sys.maxsize)
        status = terminal.run.wait(60)
    finally:
        terminal.end()
    files = [path for path in sorted(games.glob("*.clue")) if path.stem != "earlier"]
    text = "\n".join(path.read_text("utf-8") for path in files)
    return {"file": text + (f"(left with {status})\n" if status else "")}
