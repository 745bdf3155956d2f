"""
Runs of the full screen: keys go in at a real terminal, the file of the game comes out.

A line of keys is typed at once, then the run waits until the screen is still; at an empty line it
waits for what is thought of. `<Enter>` and the like are keys, `<Backspace*9>` is one nine times;
`<Paste>` pastes the rest of the line, in which `|` ends a line; behind `<8 ms>` keys are typed so
fast, and not all at once.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

from tests.deep.faces.terminals import Terminal, terminal

KEYS = {
    "Enter": "\r",
    "Esc": "\x1b",
    "Tab": "\t",
    "Backspace": "\x7f",
    "Up": "\x1b[A",
    "Down": "\x1b[B",
    "Right": "\x1b[C",
    "Left": "\x1b[D",
    "Ins": "\x1b[2~",
    "Del": "\x1b[3~",
    "F1": "\x1bOP",
    "F2": "\x1bOQ",
    **{f"F{key}": f"\x1b[{key + 10 + (key > 5)}~" for key in range(5, 11)},
    **{f"Ctrl+{letter}": chr(ord(letter) - 64) for letter in "NQSUWYZ"},
}
EARLIER = "edition: clue-classic\nplayers: Ann, Ben\n\nAnn accuses Plum, Rope, Hall: right\n"
"""A game that was played before: who plays knows the program."""

_BLINKS = 250
"""Bytes of a write that may be a cursor that blinks, and not an answer."""


def typed(line: str) -> list[str]:
    """What a terminal sends for a line of keys, key by key."""
    before, paste, pasted = line.partition("<Paste>")
    keys: list[str] = []
    for name, times, mark in re.findall(r"<([^<>*]+)\*?(\d*)>|(.)", before):
        keys += [KEYS[name] if name else mark] * int(times or 1)
    return [*keys, "\x1b[200~" + pasted.replace("|", "\r") + "\x1b[201~"] if paste else keys


def still(at: Terminal, pace: float, keys: str = "", *, drawn: int = 1, most: float = 20) -> None:
    """Type keys; wait until so much was drawn, and for so many seconds nothing more."""
    last, size = time.monotonic(), len(at.raw)
    least = size + drawn

    def quiet(_: str) -> bool:
        nonlocal last, size
        if len(at.raw) - size > _BLINKS or size < least:
            last = time.monotonic()
        size = len(at.raw)
        return size >= least and time.monotonic() - last >= pace

    at.seen(keys, quiet, most)


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
    columns, rows = map(int, size.split("x"))
    where = dict.fromkeys(("HOME", "XDG_DATA_HOME"), str(folder / "home"))
    with terminal(*arguments, size=(columns, rows), folder=folder, where=where) as at:
        still(at, pace, drawn=2_000, most=90)
        for line in keys.splitlines():
            slow, _, fast = line.rpartition(" ms>")
            for key in typed(fast) if slow else ():
                at.seen(key, lambda _: False, int(slow[1:]) / 1000)
            if line:
                still(at, pace, "" if slow else "".join(typed(line)))
            else:
                still(at, pace, drawn=sys.maxsize, most=20 * pace)
        still(at, pace, drawn=sys.maxsize)
        at.seen("", lambda _: at.process.poll() is not None)
        status = at.process.wait(1)
    files = [path for path in sorted(games.glob("*.clue")) if path.stem != "earlier"]
    text = "\n".join(path.read_text("utf-8") for path in files)
    return {"file": text + (f"(left with {status})\n" if status else "")}
