"""
Evenings of pages: who does what goes in; the file, and what each page lets its seat see, come out.

A line is `WHO: VERB ...`, a deed of whoever has that page: one of `VERBS`, or a method of
`Evening`. `restart` ends the server and starts it again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from html import unescape
from pathlib import Path

import httpx

from clue_solver import load_edition
from clue_solver.faces.dealing import DealtGame
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.thinking import Shared, Thinking
from tests.faces.phones import Phone, joined
from tests.faces.serving import HERE, Dealt, Served, called, dealt

HOST = "recorder"
Said = Mapping[str, str | list[str]]

VERBS = {
    "tells": ("tell", "", "line"),
    "holds": ("hand", "", "card"),
    "deletes": ("delete", "", "entry"),
    "undoes": ("undo", "", ""),
    "reveals": ("open", "", ""),
    "rolls": ("answer", "move", "choice"),
    "goes": ("answer", "move", "choice"),
    "shows": ("answer", "show", "choice"),
    "uses": ("answer", "ask", "choice"),
    "suggests": ("answer", "Suggest", "card-0"),
    "points": ("answer", "Point the finger at cards", "card-0"),
    "accuses": ("answer", "Accuse", "card-0"),
    "declines": ("answer", "nothing", ""),
}
"""What is sent: the form, what is answered where the program deals, the field of what is said."""


class Evening:
    """
    A table that is served, and the phones at it by whose they are.

    Args:
        path: The game's file.
        begins: `alone`, `shared` or `dealt SEED`, then the record's header; of a dealt game its
            edition and `players: Mum, Watson=hard`, and `board: none`.
        thinks: Whether corrections are looked for, which takes long.
    """

    def __init__(self, path: Path, begins: str, *, thinks: bool) -> None:
        self.path, self.thinks = path, thinks
        kind, _, self.header = begins.partition("\n")
        self.kind, _, self.seed = kind.partition(" ")
        self.phones: dict[str, Phone] = {}
        if self.kind != "dealt" and self.header.strip():
            path.write_text(self.header, "utf-8")
        self.open()

    def open(self) -> None:
        """Serve the table; phones that were there go on."""
        self.served = ExitStack()
        self.table = self.served.enter_context(self._served())
        if self.thinks:
            server, shared = self.table.server, Shared(HERE.origin)
            self.served.callback(shared.end)
            server.thinking = Thinking(server.table, server.thought, shared)
        for phone in self.phones.values():
            phone.served = self.table
        self.phones.setdefault(HOST, Phone(self.table))
        self.take_seats()

    def _served(self) -> AbstractContextManager[Served]:
        if self.kind != "dealt":
            return called(self.path, public=self.kind == "shared")
        if self.path.exists():
            return dealt(DealtTable(DealtGame.resume(self.path)))
        said = dict(line.split(": ") for line in self.header.splitlines() if line)
        seats = (each.partition("=") for each in said["players"].split(", "))
        players = {name: machine for name, _, machine in seats}
        edition, board = load_edition(said["edition"]), "board" not in said
        game = DealtGame.deal(edition, players, self.path, seed=int(self.seed), board=board)
        return dealt(DealtTable(game))

    def take_seats(self) -> None:
        """Let each player join who has not."""
        for seat in joined(self.table.client, self.table.url):
            self.phones[seat] = Phone(self.table, seat)

    def page(self, who: str, query: str = "") -> str:
        """What a page shows."""
        return self.table.get(self.phones[who].seat, query)

    def send(self, who: str, action: str, said: Said) -> None:
        """Send a form of a page; with the version of the page, if it has one."""
        text = self.page(who) + self.page(who, "?tab=table")
        at = re.findall(r'name="at" value="([^"]*)"', text)[-1:]
        phone = self.phones[who]
        phone.sends(phone.form(action), **{"at": at, **said})

    def do(self, line: str) -> None:
        """Do what a line says."""
        if line == "restart":
            self.settle()
            self.served.close()
            self.open()
            return
        who, _, deed = line.partition(": ")
        verb, _, rest = deed.partition(" ")
        action, what, field = VERBS.get(verb, ("", "", ""))
        self.settle(who if what else "")
        if action:
            rest = rest.removeprefix("to ").removeprefix("at ")
            rest = {"rolls": "rolls", "uses": f"{who} {rest}"}.get(verb, rest)
            chosen = rest.split(", ") if field.startswith("card") else rest
            self.send(who, action, {"what": what, field: chosen, "sure": "yes"})
        else:
            getattr(self, verb)(who, rest)

    def again(self, who: str, _: str) -> None:
        """Send once more what was sent last, whose answer was lost."""
        self.phones[who].again()

    def answers(self, who: str, label: str) -> None:
        """Tap what a page says, or begins so, once it does; `yes` lets a line stand."""
        labels = ("Yes, log it", "? (missed)") if label == "yes" else (label, f"It was {label}")
        phone = self.phones[who]
        for query in ("", "?tab=log") * (600 if self.thinks else 2):
            found = [each for each in phone.buttons(r"\w+") if each.startswith(labels)]
            if found:
                phone.taps(found[0])
                return
            phone.load(query)
            if self.thinks:
                time.sleep(0.05)
        raise AssertionError(f"{who} has no button {label}")

    def edits(self, who: str, rest: str, **how: str) -> None:
        """`edits 3: LINE`."""
        number, _, line = rest.partition(": ")
        self.send(who, "tell", {"edit": number, "line": line, **how})

    def inserts(self, who: str, rest: str) -> None:
        """`inserts 3: LINE`, before that entry."""
        self.edits(who, rest, insert="1")

    def sets(self, who: str, rest: str) -> None:
        """`sets up FIELD = VALUE; ...` a new game, or `sets PART to VALUE` of its header."""
        word, _, more = rest.partition(" ")
        if word != "up":
            self.send(who, "header", {word: more.removeprefix("to ")})
            return
        fields = (each.split(" = ") for each in more.split("; "))
        self.send(who, "setup", set_up({name: value.split(", ") for name, value in fields}))
        self.take_seats()

    def supposes(self, who: str, line: str) -> None:
        """Look at a what-if."""
        self.page(who, f"?{httpx.QueryParams(tab='sheet', suppose=line)}")

    def saves(self, who: str, _: str) -> None:
        """Save the review as a file."""
        self.table.wait_for_review()
        assert "</html>" in self.page(who, "/review.html")

    def renews(self, who: str, seat: str) -> None:
        """End a seat's link, which leads nowhere then, so that its player joins anew."""
        old = self.phones[seat].link
        self.send(who, "free", {"seat": seat})
        self.take_seats()
        assert self.table.client.get(old).status_code == 403

    def sits(self, who: str, player: str) -> None:
        """Leave the chair to a machine, `sits hard`, or take it back, `sits myself`."""
        self.send(who, "sit", {"seat": who, "player": player.replace("myself", "")})

    def settle(self, who: str = "") -> None:
        """Wait where the program deals until a page is asked, or any, or the game is over."""
        if isinstance(self.table, Dealt):
            self.table.settle()
            asked = any('/answer"' in self.page(seat) for seat in ([who] if who else self.phones))
            assert asked or "Play again" in self.page(HOST), f"{who} is not asked"

    def seen(self, who: str) -> tuple[list[str], str]:
        """The log as a page shows it, and what is certain on its sheet."""
        self.send(who, "help", {"level": "advice"})
        log = self.page(who, "?tab=log").partition('<ol class="entries" reversed>')[2]
        entries = re.findall(r'class="spoken">(.*?)</span>', log.partition("</ol>")[0], re.S)
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


def set_up(said: Mapping[str, list[str]]) -> Said:
    """Return what the form of a new game says, by its rows."""
    form: dict[str, str | list[str]] = {
        name: each for name, each in said.items() if name not in ("players", "viewer", "pieces")
    }
    for number in range(1, 11):
        form[f"name-{number}"] = said["players"][number - 1 : number]
        form[f"piece-{number}"] = said.get("pieces", [])[number - 1 : number]
    if viewer := said.get("viewer"):
        form["me"] = [str(said["players"].index(viewer[0]) + 1)]
    return form


def played(folder: Path, begins: str, evening: str) -> dict[str, str]:
    """Return the file after an evening, and what each page has besides and shows for certain."""
    table = Evening(folder / "evening.clue", begins, thinks=": answers Change" in evening)
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
