"""
What a club's evening costs: many tables in one process, and an entry's way to ten phones.

    python benchmarks/club.py --tables 50      (the memory of so many tables)
    python benchmarks/club.py --phones 10      (how soon an entry is on so many, and what it takes)

Each part starts `clue-solver serve` as a process of its own on random games of six in a temporary
folder. The phones are clients without a browser that do what the page's script does: each hears of
versions in a stream of events, and asks for the page.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from operator import sub
from pathlib import Path
from typing import NamedTuple

import httpx
import numpy as np
from phone import seats_at, tables_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clue_solver.arena.dealing import Dealt, deal
from clue_solver.faces.cli import main as serve
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.thinking import Thinking
from clue_solver.rules.edition import load_edition
from tests.faces.serving import in_process

ENTRIES, SEATS = 40, 6
_END = re.compile(r'name="at" value="(\d+)-')
_LOOKS = ".looks"
_TICK = os.sysconf("SC_CLK_TCK")


def lines_of(dealt: Dealt, rng: random.Random) -> Iterator[str]:
    """Yield what everybody sees of a game in which all ask at random, for ever."""
    table = dealt.table
    while True:
        for by in table.seats:
            cards = [rng.choice(kind.cards).name for kind in table.edition.category]
            said = f"{by} suggests {', '.join(cards)}: "
            for seat in table.answering(by):
                shows = not dealt.hands[seat].isdisjoint(cards)
                said += f"{seat} shows" if shows else f"{seat} passes, "
                if shows:
                    break
            yield said.removesuffix(", ")


class Game(NamedTuple):
    """A game that is dealt, and what is said in it after what is logged."""

    dealt: Dealt
    more: Iterator[str]


def played(path: Path, number: int, entries: int = ENTRIES) -> Game:
    """Write a game of six with so many entries to a file."""
    dealt = deal(load_edition("clue-classic"), SEATS, np.random.default_rng(number), board=False)
    more = lines_of(dealt, random.Random(number))
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


def memory(pid: int) -> tuple[float, float]:
    """Return the megabytes that a process has, and that it had at most."""
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    now, most = (re.search(rf"{name}:\s+(\d+) kB", status) for name in ("VmRSS", "VmHWM"))
    assert now is not None
    assert most is not None
    return int(now[1]) / 1024, int(most[1]) / 1024


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


def told(pid: int, what: str) -> None:
    """Print what a server and its processes need."""
    own, *others = processes_of(pid)
    now, most = memory(own)
    beside = [memory(each)[0] for each in others]
    print(
        f"{what}: {now:.0f} MB (most {most:.0f}), processes beside it "
        f"{', '.join(f'{each:.0f}' for each in beside) or 'none'}; "
        f"together {now + sum(beside):.0f} MB",
        flush=True,
    )


def tables(many: int) -> None:
    """Print the memory of many tables: as they are opened, with one page each, with all pages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        games = [played(folder / f"table-{number:02}.clue", number) for number in range(many)]
        start = time.monotonic()
        with in_process(folder, "--public") as (run, address), httpx.Client(timeout=120) as client:
            recorders = tables_of(client, address)
            assert len(recorders) == many, len(recorders)
            print(f"{many} tables are there after {time.monotonic() - start:.1f} s")
            told(run.pid, "nobody has looked")
            for page in recorders:
                assert client.get(page).status_code == 200
            quiet(run.pid)
            told(run.pid, "one page of each is open")
            pages = [seats_at(client, recorder) for recorder in recorders]
            for game, seats in zip(games, pages, strict=True):
                tell_hands(client, game, seats)
            quiet(run.pid)
            told(run.pid, f"all {SEATS + 1} pages of each are open, with hands")
            for game, recorder, seats in zip(games, recorders, pages, strict=True):
                data = {"line": next(game.more), "settled": "turn"}
                assert client.post(f"{recorder}/tell", data=data).status_code == 200
                for page in (recorder, *seats.values()):
                    assert client.get(page).status_code == 200
            quiet(run.pid)
            told(run.pid, "and one more entry at each")


class Phone:
    """A phone that keeps its page current."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.entries = 0
        self.asked = 0
        self.changed = asyncio.Event()

    async def keep(self, client: httpx.AsyncClient) -> None:
        """Hear of versions, and ask for the page, for ever."""
        async with client.stream("GET", f"{self.address}/events", timeout=None) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("id:"):
                    answer = await client.get(self.address)
                    self.asked += 1
                    found = _END.search(answer.text)
                    self.entries = int(found[1]) if found else self.entries
                    self.changed.set()

    async def has(self, entries: int) -> None:
        """Wait until the page has so many entries."""
        while self.entries < entries:
            self.changed.clear()
            await self.changed.wait()


def timed(words: list[str]) -> None:
    """Serve as the command does, and write down how long first looks take."""
    look, took = Thinking.look, 0.0
    told = Path(words[1]).with_suffix(_LOOKS)
    told.write_text("0", "ascii")

    def looked(self: Thinking, eyes: Eyes) -> bool:
        nonlocal took
        start = time.thread_time()
        try:
            return look(self, eyes)
        finally:
            took += time.thread_time() - start
            told.write_text(str(took), "ascii")

    Thinking.look = looked  # type: ignore[method-assign]
    serve(words)


class Way(NamedTuple):
    """
    The seconds of an entry's way.

    Attributes:
        acknowledged: Until its phone had an answer.
        shown: Until it was on every phone.
        taken: Of the server's processor, in all.
        looks: Of that for first looks.
        verdicts: Of the processors of the processes that think of verdicts.
    """

    acknowledged: float
    shown: float
    taken: float
    looks: float
    verdicts: float


def used(pid: int, told: Path) -> tuple[float, float, float]:
    """Return what a server has used: in all, for first looks, beside it."""
    own, *others = processes_of(pid)
    return processor(own), float(told.read_text("ascii")), sum(map(processor, others))


async def _entries(
    pid: int, told: Path, pages: list[str], game: Game, entries: int
) -> tuple[list[Way], float]:
    phones = [Phone(page) for page in pages]
    recorder = pages[0]
    ways: list[Way] = []
    async with httpx.AsyncClient(timeout=60) as client:
        keeping = [asyncio.create_task(phone.keep(client)) for phone in phones]
        await asyncio.sleep(8)
        asked = sum(phone.asked for phone in phones)
        for _ in range(entries):
            before = used(pid, told)
            counts = [phone.entries for phone in phones]
            data = {"line": next(game.more), "settled": "turn"}
            start = time.perf_counter()
            answer = await client.post(f"{recorder}/tell", data=data)
            acknowledged = time.perf_counter() - start
            assert answer.status_code == 200
            assert "data-stays" not in answer.text, data

            async def one(phone: Phone, count: int, start: float = start) -> float:
                await phone.has(count + 1)
                return time.perf_counter() - start

            shown = max(await asyncio.gather(*map(one, phones, counts)))
            await asyncio.sleep(4)  # verdicts are thought of, and sent
            now = used(pid, told)
            ways.append(Way(acknowledged, shown, *map(sub, now, before)))
        asked = sum(phone.asked for phone in phones) - asked
        for each in keeping:
            each.cancel()
    return ways, asked / entries


def phones(many: int, entries: int) -> None:
    """Print how soon entries are acknowledged and on every phone, and what that takes."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "table.clue"
        game = played(path, 1, 10)
        server = in_process(path, "--public", program=[__file__])
        with server as (run, recorder), httpx.Client(timeout=60) as client:
            seats = seats_at(client, recorder)
            tell_hands(client, game, seats)
            pages = [recorder, *(list(seats.values()) * many)][:many]
            quiet(run.pid)
            told = path.with_suffix(_LOOKS)
            ways, asked = asyncio.run(_entries(run.pid, told, pages, game, entries))
    for what in ("acknowledged", "shown"):
        times = sorted(1000 * getattr(way, what) for way in ways)
        print(
            f"{what} after {statistics.median(times):.0f} ms (median), "
            f"{times[int(0.95 * len(times))]:.0f} ms (95th percentile)"
        )
    rest, looks, verdicts = (
        1000 * statistics.median(each)
        for each in (
            [way.taken - way.looks for way in ways],
            [way.looks for way in ways],
            [way.verdicts for way in ways],
        )
    )
    print(
        f"processor time of an entry: {rest:.0f} ms for {asked:.0f} pages and all else, "
        f"{looks:.0f} ms for first looks, {verdicts:.0f} ms for closer ones in other processes"
    )


def main() -> None:
    """Measure what is asked for."""
    if sys.argv[1:2] == ["serve"]:
        timed(sys.argv[1:])
        return
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=0)
    asked.add_argument("--phones", type=int, default=0)
    asked.add_argument("--entries", type=int, default=20)
    given = asked.parse_args()
    if given.tables:
        tables(given.tables)
    if given.phones:
        phones(given.phones, given.entries)


if __name__ == "__main__":
    main()
