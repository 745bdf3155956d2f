"""
What serving costs: an entry's way to other phones, and the memory of many pages and tables.

    python benchmarks/serving.py --browsers 8  (from a tap to the sheet, in Chromium)
    python benchmarks/serving.py --phones 10   (how soon an entry is on so many, and its cost)
    python benchmarks/serving.py --pages 200   (the memory of so many pages of one game)
    python benchmarks/serving.py --tables 50   (the memory of so many tables)

Each part starts `clue-solver serve` as a process of its own on games in a temporary folder. The
phones of the last three are clients without a browser that do what the page's script does: each
hears of versions in a stream of events, and asks for the page.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import sys
import tempfile
import time
from operator import sub
from pathlib import Path
from typing import NamedTuple

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clubs import (
    SEATS,
    Game,
    played,
    processes_of,
    processor,
    quiet,
    tables_of,
    tell_hands,
)

from clue_solver.conversation.session import Session
from clue_solver.faces.cli import main as serve
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.thinking import Thinking
from clue_solver.record.contents import Record
from clue_solver.record.files import load_record, save
from clue_solver.rules.observations import Hand
from tests.deep.chromium import CHROMIUM, FLAGS
from tests.faces.phones import joined
from tests.faces.serving import in_process

GAME = Path(__file__).parent.parent / "tests" / "games" / "textbook.clue"
_END = re.compile(r'name="at" value="(\d+)-')
_THOUGHTS = ".thoughts"


def recorded() -> tuple[Record, list[str]]:
    """Return a game with its viewer's hand alone, and the lines that follow."""
    whole = load_record(GAME)
    own = tuple(each for each in whole.entries if isinstance(each.observation, Hand))
    return Record(table=whole.table, entries=own), list(Session(whole).lines[len(own) :])


def latency(pages: int, entries: int) -> None:
    """Print how long it takes from a line on one page to the new sheet on the others."""
    from playwright.sync_api import sync_playwright

    watch = """() => { window.seen = [];
      const clock = () => performance.timeOrigin + performance.now();
      const watched = document.body;
      let last = document.querySelector('#undo')?.textContent;
      new MutationObserver(() => { const now = document.querySelector('#undo')?.textContent;
        if (now !== last) { last = now; window.seen.push(clock()); } })
        .observe(watched, {subtree: true, childList: true, characterData: true}); }"""
    typed = """line => { document.querySelector('#line').value = line;
      const at = performance.timeOrigin + performance.now();
      document.querySelector('#typing button').click(); return at; }"""
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "game.clue"
        record, lines = recorded()
        save(record, path)
        with in_process(path) as (_, address):
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            contexts = [
                browser.new_context(viewport={"width": 360, "height": 740}) for _ in range(pages)
            ]
            opened = [context.new_page() for context in contexts]
            for page in opened:
                page.goto(f"{address}?tab=sheet")
                page.wait_for_selector(".decision")
            time.sleep(1)
            for line in lines[:entries]:
                for page in opened[1:]:
                    page.evaluate(watch)
                at = opened[0].evaluate(typed, line)
                for page in opened[1:]:
                    page.wait_for_function("() => window.seen.length > 0")
                    times.append(page.evaluate("window.seen[0]") - at)
                time.sleep(1.2)  # a verdict is thought of; nobody suggests faster
            browser.close()
    times.sort()
    p95 = times[int(0.95 * len(times))]
    print(
        f"{pages} pages, {len(times)} measured: median {statistics.median(times):.0f} ms, "
        f"95th percentile {p95:.0f} ms, most {times[-1]:.0f} ms"
    )


async def _watched(number: int, address: str, last: int) -> int:
    """Keep one page current as a phone does, with an address of its own; return its versions."""
    shown = 0
    own = httpx.AsyncHTTPTransport(retries=2, local_address=f"127.0.1.{number % 250 + 1}")
    async with (
        httpx.AsyncClient(transport=own, timeout=120) as client,
        client.stream("GET", f"{address}/events") as stream,
    ):
        async for line in stream.aiter_lines():
            if not line.startswith("id:"):
                continue
            shown += 1
            while (page := await client.get(f"{address}?tab=log")).status_code != 200:
                await asyncio.sleep(1)
            found = _END.search(page.text)
            if found and int(found[1]) >= last:
                return shown
    return -1


async def _many(address: str, pages: int, lines: list[str], first: int) -> list[int]:
    async with httpx.AsyncClient(timeout=120) as client:
        last = first + len(lines)  # entries that each page has to have
        watching = [asyncio.create_task(_watched(each, address, last)) for each in range(pages)]
        await asyncio.sleep(5)
        for line in lines:
            data = {"line": line, "settled": ["turn", "card seen", "card shown"]}
            answer = await client.post(f"{address}/tell", data=data)
            assert answer.status_code == 200, answer.status_code
            await asyncio.sleep(0.5)
        return await asyncio.gather(*watching)


def many(pages: int) -> None:
    """Print what many open pages cost in memory, and whether each had every entry."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.clue"
        record, lines = recorded()
        save(record, path)
        with in_process(path) as (run, address):
            start = time.monotonic()
            asked = asyncio.run(_many(address, pages, lines[:8], len(record.entries)))
            status = Path(f"/proc/{run.pid}/status").read_text("utf-8")
            most = re.search(r"VmHWM:\s+(\d+) kB", status)
            print(
                f"{pages} pages, {sum(each > 0 for each in asked)} had all 8 entries after "
                f"{time.monotonic() - start:.0f} s; most memory "
                f"{int(most[1]) // 1024 if most else 0} MB"
            )


def memory(pid: int) -> tuple[float, float]:
    """Return the megabytes that a process has, and that it had at most."""
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    now, most = (re.search(rf"{name}:\s+(\d+) kB", status) for name in ("VmRSS", "VmHWM"))
    assert now is not None
    assert most is not None
    return int(now[1]) / 1024, int(most[1]) / 1024


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
            pages = [joined(client, recorder) for recorder in recorders]
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
    """Serve as the command does, and write down how long first thoughts take."""
    think, took = Thinking.think, 0.0
    told = Path(words[1]).with_suffix(_THOUGHTS)
    told.write_text("0", "ascii")

    def timed_think(self: Thinking, eyes: Eyes) -> None:
        nonlocal took
        start = time.thread_time()
        try:
            think(self, eyes)
        finally:
            took += time.thread_time() - start
            told.write_text(str(took), "ascii")

    Thinking.think = timed_think  # type: ignore[method-assign]
    serve(words)


class Way(NamedTuple):
    """
    The seconds of an entry's way.

    Attributes:
        acknowledged: Until its phone had an answer.
        shown: Until it was on every phone.
        taken: Of the server's processor, in all.
        thoughts: Of that for first thoughts.
        verdicts: Of the processors of the processes that think of verdicts.
    """

    acknowledged: float
    shown: float
    taken: float
    thoughts: float
    verdicts: float


def used(pid: int, told: Path) -> tuple[float, float, float]:
    """Return what a server has used: in all, for first thoughts, beside it."""
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
            seats = joined(client, recorder)
            tell_hands(client, game, seats)
            pages = [recorder, *(list(seats.values()) * many)][:many]
            quiet(run.pid)
            told = path.with_suffix(_THOUGHTS)
            ways, asked = asyncio.run(_entries(run.pid, told, pages, game, entries))
    for what in ("acknowledged", "shown"):
        times = sorted(1000 * getattr(way, what) for way in ways)
        print(
            f"{what} after {statistics.median(times):.0f} ms (median), "
            f"{times[int(0.95 * len(times))]:.0f} ms (95th percentile)"
        )
    rest, thoughts, verdicts = (
        1000 * statistics.median(each)
        for each in (
            [way.taken - way.thoughts for way in ways],
            [way.thoughts for way in ways],
            [way.verdicts for way in ways],
        )
    )
    print(
        f"processor time of an entry: {rest:.0f} ms for {asked:.0f} pages and all else, "
        f"{thoughts:.0f} ms for first thoughts, {verdicts:.0f} ms for further ones elsewhere"
    )


def main() -> None:
    """Measure what is asked for."""
    if sys.argv[1:2] == ["serve"]:
        timed(sys.argv[1:])
        return
    asked = argparse.ArgumentParser(description="What does serving cost?")
    for name in ("browsers", "phones", "pages", "tables"):
        asked.add_argument(f"--{name}", type=int, default=0)
    asked.add_argument("--entries", type=int, default=20)
    given = asked.parse_args()
    if given.browsers:
        latency(given.browsers, given.entries)
    if given.phones:
        phones(given.phones, given.entries)
    if given.pages:
        many(given.pages)
    if given.tables:
        tables(given.tables)


if __name__ == "__main__":
    main()
