"""
How soon an entry is on other phones, what many open pages cost, and what a killed server loses.

    python benchmarks/phone.py --pages 8 --entries 24      (needs playwright and a Chromium)
    python benchmarks/phone.py --open 200
    python benchmarks/phone.py --kills 100

Each part starts `clue-solver serve` as a process of its own on a record in a temporary folder.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier

import httpx

from clue_solver.conversation.session import Session
from clue_solver.record import load_record, save
from clue_solver.record.contents import Record
from clue_solver.rules.observations import Hand

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.faces.serving import in_process

HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan, Eve, Flo\nviewer: Ann\n\n"
SHARED = HEADER.replace("viewer: Ann\n", "")
GAME = Path(__file__).parent.parent / "tests" / "games" / "textbook.clue"
_SEAT = re.compile(r'data-seat="([^"]+)" href="([^"]+)"')
_TABLE = re.compile(r'class="key big" href="([^"]+)"')
_ENTRIES = re.compile(r'aria-label="Take (?:entry|my part of entry) (\d+) out"')


def tables_of(client: httpx.Client, address: str) -> list[str]:
    """Return the addresses of the recorders' pages of a club."""
    return _TABLE.findall(client.get(address).text)


def seats_at(client: httpx.Client, recorder: str) -> dict[str, str]:
    """Return the addresses of the players' pages of a table."""
    return dict(_SEAT.findall(client.get(f"{recorder}?tab=table").text))


def recorded() -> tuple[Record, list[str]]:
    """Return a game with its viewer's hand alone, and the lines that follow."""
    whole = load_record(GAME)
    own = tuple(each for each in whole.entries if isinstance(each.observation, Hand))
    return Record(table=whole.table, entries=own), list(Session(whole).lines[len(own) :])


def latency(pages: int, entries: int) -> None:
    """Print how long it takes from a tap on one page to the new sheet on the others."""
    from playwright.sync_api import sync_playwright

    browser_path = shutil.which("chromium") or shutil.which("chromium-browser")
    flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    watch = """() => { window.seen = [];
      const clock = () => performance.timeOrigin + performance.now();
      const watched = document.body;
      let last = document.querySelector('#undo')?.textContent;
      new MutationObserver(() => { const now = document.querySelector('#undo')?.textContent;
        if (now !== last) { last = now; window.seen.push(clock()); } })
        .observe(watched, {subtree: true, childList: true, characterData: true}); }"""
    tapped = """line => { const button = document.createElement('button');
      button.name = 'line'; button.value = line; const form = document.querySelector('#thumbs');
      form.append(button); const at = performance.timeOrigin + performance.now();
      button.click(); return at; }"""
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "game.clue"
        record, lines = recorded()
        save(record, path)
        with in_process(path) as (_, address):
            browser = playwright.chromium.launch(executable_path=browser_path, args=flags)
            contexts = [
                browser.new_context(viewport={"width": 360, "height": 740}) for _ in range(pages)
            ]
            opened = [context.new_page() for context in contexts]
            for page in opened:
                page.goto(f"{address}?tab=sheet")
                page.wait_for_selector(".decision:not(:has-text('Working'))")
            time.sleep(1)
            for line in lines[:entries]:
                for page in opened[1:]:
                    page.evaluate(watch)
                at = opened[0].evaluate(tapped, line)
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
            if max(map(int, _ENTRIES.findall(page.text)), default=0) >= last:
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


class Writer:
    """A phone that tells one line after the other, and what was shown to it as taken."""

    def __init__(self, page: str, file: Path, line: str) -> None:
        self.page, self.file, self.line = page, file, line
        self.taken: list[str] = []

    def write(self, first: int, ready: Barrier) -> None:
        """Tell lines with numbers once all are ready, until the server is gone."""
        with suppress(httpx.HTTPError), httpx.Client(timeout=30) as client:
            ready.wait()
            for number in range(first, first + 1_000):
                said = f"{self.line} # {number}"
                data = {"line": said, "settled": "turn"}
                answer = client.post(f"{self.page}/tell", data=data)
                taken = answer.status_code == 200 and "data-stays" not in answer.text
                assert taken, (said, answer.status_code, answer.headers)
                self.taken.append(str(number))

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
            for path in files:
                path.write_text(SHARED, "utf-8")
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
                own = path.with_name(f".{path.name}.whole")
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
    asked.add_argument("--pages", type=int, default=0)
    asked.add_argument("--entries", type=int, default=24)
    asked.add_argument("--open", type=int, default=0)
    asked.add_argument("--kills", type=int, default=0)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    if given.pages:
        latency(given.pages, given.entries)
    if given.open:
        many(given.open)
    if given.kills:
        shown, lost = kills(given.kills, given.seed)
        print(f"{given.kills} kills: {shown} lines were shown as taken, {lost} are in no file")


if __name__ == "__main__":
    main()
