"""
Evenings of pages: who does what goes in; the file, and what each page lets its seat see, come out.

A line is `WHO: DEED`: whoever has that page, and a deed of `Phone.does`, or `saves the review`.
`restart` ends the server and starts it again.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from html import unescape
from pathlib import Path

from tests.faces.phones import Phone
from tests.faces.serving import Dealt, opened

HOST = "recorder"


class Evening:
    """
    A table that is served, and the phones at it by whose they are.

    Args:
        path: The game's file.
        begins: `alone`, `shared` or `dealt SEED`, then the record's header; of a dealt game its
            edition and `players: Mum, Watson=hard`, and `board: none`.
    """

    def __init__(self, path: Path, begins: str) -> None:
        self.path = path
        self.kind, _, self.header = begins.partition("\n")
        self.phones: dict[str, Phone] = {}
        self.open()

    def open(self) -> None:
        """Serve the table; phones that were there go on."""
        self.served = ExitStack()
        self.table = self.served.enter_context(opened(self.path, self.kind, self.header.lstrip()))
        for phone in self.phones.values():
            phone.served = self.table
        self.phones.setdefault(HOST, Phone(self.table))
        self.take_seats()

    def take_seats(self) -> None:
        """Let each player join who has not joined yet."""
        for seat in self.table.table.free:
            self.phones[seat] = Phone(self.table, seat)

    def page(self, who: str, query: str = "") -> str:
        """What a page shows."""
        return self.table.get(self.phones[who].seat, query)

    def do(self, line: str) -> None:
        """Do what a line says."""
        if line == "restart":
            self.settle()
            self.served.close()
            self.open()
            return
        who, _, deed = line.partition(": ")
        self.settle(who if deed.startswith(("chooses ", "names ")) else "")
        if deed == "saves the review":
            self.table.wait_for_review()
            assert "</html>" in self.page(who, "/review.html")
        else:
            if not deed.startswith(("again", "taps ")):
                self.phones[who].load()
            self.phones[who].does(deed)
        if deed.startswith(("posts setup", "posts free")):
            self.take_seats()

    def settle(self, who: str = "") -> None:
        """Where the program deals, wait until this page, or any, is asked, or the game is over."""
        if isinstance(self.table, Dealt):
            self.table.settle()
            asked = any('/answer"' in self.page(seat) for seat in ([who] if who else self.phones))
            assert asked or "Play again" in self.page(HOST), f"{who} is not asked"

    def seen(self, who: str) -> tuple[list[str], str]:
        """The log as a page shows it, and what is certain on its sheet."""
        self.phones[who].does("posts help level=advice")
        log = self.page(who, "?tab=log").partition('<ol class="entries" reversed>')[2]
        log = re.sub("<details>.*?</details>", "", log.partition("</ol>")[0], flags=re.S)
        entries = re.findall(r'class="spoken">(.*?)</span>', log, re.S)
        lines = [unescape(line) for line in reversed(entries)]
        cells: dict[str, dict[str, list[str]]] = {}
        sheet = unescape(self.page(who, "?tab=sheet"))
        for card, holder, verdict in re.findall(r'aria-label="([^":]+), ([^":,]+): (\w+)"', sheet):
            cells.setdefault(holder, {}).setdefault(verdict, []).append(card)
        told = ""
        for holder, said in sorted(cells.items(), key=lambda each: each[0] == "envelope"):
            each = [
                f"{word} {', '.join(said[word])}" for word in ("holds", "lacks") if word in said
            ]
            told += f"  {holder} {'; '.join(each) or 'is open'}\n"
        return lines, told


def played(folder: Path, begins: str, evening: str) -> dict[str, str]:
    """Return the file after an evening, and what each page has besides and shows for certain."""
    table = Evening(folder / "evening.clue", begins)
    for line in evening.splitlines():
        table.do(line)
    table.settle()
    seen = {who: table.seen(who) for who in table.phones}
    table.served.close()
    file = table.path.read_text("utf-8")
    came = {"file": re.sub(r"(?m)^game: \w+$", "game: ...", file)}
    for who, (lines, sheet) in seen.items():
        own = [line for line in lines if line not in file.splitlines()]
        same = f"{len(lines) - len(own)} of the lines of the file"
        came[who] = "\n".join([same, *own, sheet])
    return came
