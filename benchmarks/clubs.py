"""A club's evening: random games of six in files, and the pages of a server."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import NamedTuple

import httpx
import numpy as np
from msgspec.structs import replace

from clue_solver.arena.dealing import Deal, deal
from clue_solver.notation.canonical import format_line
from clue_solver.rules.edition_files import load_edition
from tests.random_games import random_cards, suggestion

ENTRIES, SEATS = 40, 6
_GAME = re.compile(r'class="key(?: main)?" name="name" value="([^"]+)"')
_TICK = os.sysconf("SC_CLK_TCK")


def tables_of(client: httpx.Client, address: str) -> list[str]:
    """Go on with each game of a folder, and return the addresses of the recorders' pages."""
    origin = address.rpartition("/")[0]
    names = sorted(_GAME.findall(client.get(address).text))
    ways = [client.post(f"{address}/open", data={"name": name}) for name in names]
    return [f"{origin}{way.headers['location']}" for way in ways]


def lines_of(dealt: Deal, chance: Random) -> Iterator[str]:
    """Yield what everybody sees of a game in which all ask at random, for ever."""
    table = replace(dealt.table, viewer=None)
    for by in cycle(table.seats):
        cards = random_cards(chance, table.edition)
        told = suggestion(dealt._replace(table=table), by, cards, choose=lambda could, *_: could[0])
        yield format_line(told, table)


class Game(NamedTuple):
    """A game that is dealt, and what is said in it after what is logged."""

    dealt: Deal
    more: Iterator[str]


def played(path: Path, number: int, entries: int = ENTRIES) -> Game:
    """Write a game of six with so many entries to a file."""
    dealt = deal(load_edition("clue-classic"), SEATS, np.random.default_rng(number), board=False)
    more = lines_of(dealt, Random(number))
    header = f"edition: clue-classic\nplayers: {', '.join(dealt.table.seats)}\n\n"
    path.write_text(header + "".join(f"{next(more)}\n" for _ in range(entries)), "utf-8")
    return Game(dealt, more)


def tell_hands(client: httpx.Client, game: Game, pages: dict[str, str]) -> None:
    """Tell each player's hand on its page."""
    for seat, page in pages.items():
        data = {"card": sorted(game.dealt.hands[seat])}
        assert client.post(f"{page}/hand", data=data).status_code == 200


def processes_of(pid: int) -> list[int]:
    """Return a process and those that it has begun."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    threads = Path(f"/proc/{pid}/task").iterdir()
    every = {int(each) for thread in threads for each in (thread / "children").read_text().split()}
    return [pid, *sorted(every | {int(each) for each in children})]


def processor(pid: int) -> float:
    """Return the seconds of processor time that a process has taken, in all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def quiet(pid: int, each: float = 2.0, most: float = 600.0) -> None:
    """Wait until a server and its processes have nothing to do."""
    end = time.monotonic() + most
    used = sum(map(processor, processes_of(pid)))
    while time.monotonic() < end:
        time.sleep(each)
        now = sum(map(processor, processes_of(pid)))
        if now - used < 0.05 * each:
            return
        used = now
