"""
What a club's evening costs: many tables in one process, and an entry's way to ten phones.

    python benchmarks/club.py --tables 50      (the memory of so many tables)
    python benchmarks/club.py --phones 10      (how soon an entry is on so many, and what it takes)
    python benchmarks/club.py --kills 200      (of a server with two tables, each with three phones)

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
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Barrier
from typing import NamedTuple

import httpx
import numpy as np
from phone import SEAT, token_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clue_solver.arena.dealing import Dealt, deal
from clue_solver.record import load_record
from clue_solver.rules.edition import load_edition
from tests.faces.serving import in_process

ENTRIES, SEATS = 40, 6
_END = re.compile(r'name="at" value="(\d+)-')
_TABLE = re.compile(r'class="key big" href="([^"]+)"')
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


def tables_of(client: httpx.Client, address: str) -> list[str]:
    """Return the addresses of the recorders' pages of a club."""
    return _TABLE.findall(client.get(address).text)


def seats_at(client: httpx.Client, recorder: str) -> dict[str, str]:
    """Return the addresses of the players' pages of a table."""
    return dict(SEAT.findall(client.get(f"{recorder}?tab=table").text))


def tell_hands(client: httpx.Client, game: Game, pages: dict[str, str]) -> None:
    """Tell each player's hand on its page."""
    for seat, page in pages.items():
        token = token_of(client.get(page).text)
        data = {"csrf": token, "card": sorted(game.dealt.hands[seat])}
        assert client.post(f"{page}/hand", data=data).status_code == 303


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
                token = token_of(client.get(recorder).text)
                data = {"csrf": token, "line": next(game.more), "settled": "turn"}
                assert client.post(f"{recorder}/tell", data=data).status_code == 303
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


async def _entries(
    run_pid: int, recorder: str, pages: list[str], game: Game, entries: int
) -> tuple[list[float], list[float], list[float], list[float], float]:
    phones = [Phone(page) for page in pages]
    acknowledged: list[float] = []
    shown: list[float] = []
    taken: list[float] = []
    verdicts: list[float] = []
    async with httpx.AsyncClient(timeout=60) as client:
        keeping = [asyncio.create_task(phone.keep(client)) for phone in phones]
        await asyncio.sleep(8)
        asked = sum(phone.asked for phone in phones)
        token = token_of((await client.get(recorder)).text)
        for _ in range(entries):
            own, *others = processes_of(run_pid)
            before = processor(own), sum(map(processor, others))
            counts = [phone.entries for phone in phones]
            data = {"csrf": token, "line": next(game.more), "settled": "turn"}
            start = time.perf_counter()
            answer = await client.post(f"{recorder}/tell", data=data)
            acknowledged.append(time.perf_counter() - start)
            assert answer.status_code == 303
            assert "line=" not in answer.headers["location"], answer.headers["location"]

            async def one(phone: Phone, count: int, start: float = start) -> float:
                await phone.has(count + 1)
                return time.perf_counter() - start

            shown.append(max(await asyncio.gather(*map(one, phones, counts))))
            await asyncio.sleep(4)  # verdicts are thought of, and sent
            taken.append(processor(own) - before[0])
            verdicts.append(sum(map(processor, processes_of(run_pid)[1:])) - before[1])
        asked = sum(phone.asked for phone in phones) - asked
        for each in keeping:
            each.cancel()
    return acknowledged, shown, taken, verdicts, asked / entries


def phones(many: int, entries: int) -> None:
    """Print how soon entries are acknowledged and on every phone, and what that takes."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "table.clue"
        game = played(path, 1, 10)
        with in_process(path, "--public") as (run, recorder), httpx.Client(timeout=60) as client:
            seats = seats_at(client, recorder)
            tell_hands(client, game, seats)
            pages = [recorder, *(list(seats.values()) * many)][:many]
            quiet(run.pid)
            acknowledged, shown, taken, verdicts, asked = asyncio.run(
                _entries(run.pid, recorder, pages, game, entries)
            )
    for what, times in (("acknowledged", acknowledged), ("on every phone", shown)):
        times.sort()
        print(
            f"{what}: median {1000 * statistics.median(times):.0f} ms, "
            f"95th percentile {1000 * times[int(0.95 * len(times))]:.0f} ms"
        )
    print(
        f"processor time of an entry: {1000 * statistics.median(taken):.0f} ms in the server "
        f"(most {1000 * max(taken):.0f}), {1000 * statistics.median(verdicts):.0f} ms in the "
        f"processes that think of verdicts; {asked:.1f} pages asked for"
    )


class Writer:
    """A phone that tells one line after the other, and what was shown to it as taken."""

    def __init__(self, page: str, file: Path, line: str) -> None:
        self.page, self.file, self.line = page, file, line
        self.taken: list[str] = []

    def write(self, first: int, ready: Barrier) -> None:
        """Tell lines with numbers once all are ready, until the server is gone."""
        with suppress(httpx.HTTPError), httpx.Client(timeout=30) as client:
            token = token_of(client.get(self.page).text)
            ready.wait()
            for number in count(first):
                said = f"{self.line} # {number}"
                data = {"csrf": token, "line": said, "settled": "turn"}
                answer = client.post(f"{self.page}/tell", data=data)
                if answer.status_code == 303 and "line=" not in answer.headers["location"]:
                    self.taken.append(str(number))
                else:
                    assert answer.status_code == 429, (said, answer.status_code, answer.headers)
                    time.sleep(0.05)

    def lost(self) -> list[str]:
        """Return what was taken and is not in the file."""
        found = {entry.comment for entry in load_record(self.file).entries}
        return [number for number in self.taken if number not in found]


def kills(many: int, seed: int, each: int = 10) -> tuple[int, int]:
    """
    Kill a server of two tables while three phones at each tell lines, so many times.

    It is begun again on the same files; each few kills there is a new folder.

    Returns:
        How many lines were shown as taken, and how many of them are in no file.
    """
    rng = random.Random(seed)
    shown, lost = 0, 0
    for begun in range(0, many, each):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            files = [folder / f"table-{number}.clue" for number in range(2)]
            for number, path in enumerate(files):
                played(path, number, 0)
            links: list[dict[str, str]] = []
            for kill in range(begun, min(begun + each, many)):
                writers = _killed(folder, files, links, 10_000 * kill, rng.uniform(0.05, 0.8))
                shown += sum(len(writer.taken) for writer in writers)
                lost += sum(len(writer.lost()) for writer in writers)
    return shown, lost


def _killed(
    folder: Path, files: list[Path], links: list[dict[str, str]], first: int, seconds: float
) -> list[Writer]:
    """Serve a folder, let phones write, kill the server, and return who wrote what."""
    writers: list[Writer] = []
    with in_process(folder, "--public") as (run, address), httpx.Client(timeout=30) as client:
        recorders = tables_of(client, address)
        if not links:  # the players' are good for ever
            links += [seats_at(client, recorder) for recorder in recorders]
        for path, recorder, kept in zip(files, recorders, links, strict=True):
            origin = recorder.rpartition("/")[0]
            seats = {seat: f"{origin}/{page.rpartition('/')[2]}" for seat, page in kept.items()}
            one, other, asker, *_ = seats
            writers.append(Writer(recorder, path, f"{asker} skips"))
            for seat in (one, other):
                own = path.with_name(f"{path.stem}-{seat}.clue")
                writers.append(Writer(seats[seat], own, f"{asker} lacks Rope"))
        ready = Barrier(len(writers) + 1)
        with ThreadPoolExecutor(len(writers)) as phones:
            writing = [
                phones.submit(writer.write, first + 1_000 * number, ready)
                for number, writer in enumerate(writers)
            ]
            ready.wait(60)
            time.sleep(seconds)
            run.kill()
            for each in writing:
                each.result()
    return writers


def main() -> None:
    """Measure what is asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=0)
    asked.add_argument("--phones", type=int, default=0)
    asked.add_argument("--entries", type=int, default=20)
    asked.add_argument("--kills", type=int, default=0)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    if given.tables:
        tables(given.tables)
    if given.phones:
        phones(given.phones, given.entries)
    if given.kills:
        shown, lost = kills(given.kills, given.seed)
        print(f"{given.kills} kills: {shown} lines were shown as taken, {lost} are in no file")


if __name__ == "__main__":
    main()
