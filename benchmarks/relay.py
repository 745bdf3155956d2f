"""
What a relay costs: bytes a line, lines a second, the memory of many tables.

    python benchmarks/relay.py --tables 5000

It starts `clue-solver relay` as a process of its own; each table gets the lines of a random game of
four, as long as they are sealed. Who asks are tasks of this process, each with a connection.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from secrets import token_bytes, token_urlsafe

import httpx
import numpy as np
from club import lines_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from clue_solver import Record, Session
from clue_solver.arena.dealing import deal
from clue_solver.faces.web.relay import Relay
from clue_solver.faces.web.shared_log import SharedLog
from clue_solver.rules.edition import load_edition

SEATS, LINES, STEP, SEAL = 4, 60, 128, 28
"""Players and lines of an evening, what they are filled up to, and what sealing adds."""

_TICK = os.sysconf("SC_CLK_TCK")


def evening(seed: int) -> list[int]:
    """Return how long the operations of a game are, in bytes."""
    dealt = deal(load_edition("clue-classic"), SEATS, np.random.default_rng(seed), board=False)
    lines = lines_of(dealt, random.Random(seed))
    session = Session(Record(table=dealt.table))
    for _ in range(LINES):
        session.tell(next(lines))
    log = SharedLog()
    log.tell(session.record)
    return [len(str(each).encode()) for each in log.waiting]


def sealed(size: int) -> int:
    """Return how long a line is once it is sealed."""
    return -(-size // STEP) * STEP + SEAL


def memory(process: int) -> float:
    """Return the megabytes that a process has of its own."""
    told = Path(f"/proc/{process}/smaps_rollup").read_text("utf-8")
    return sum(map(int, re.findall(r"^Private_\w+:\s+(\d+)", told, re.M))) / 1024


def spent(process: int) -> float:
    """Return the seconds of processor time that a process has taken."""
    parts = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / _TICK


async def added(address: str, tables: int, at_once: int, sizes: list[int]) -> None:
    """Add an evening's lines to so many tables, as fast as they are taken."""
    names = [token_urlsafe(16) for _ in range(tables)]
    waiting = iter(names)

    async def adds() -> None:
        async with httpx.AsyncClient(timeout=60) as client:
            for name in waiting:
                for number, size in enumerate(sizes):
                    line = token_bytes(sealed(size))
                    while True:
                        way = f"{address}/{name}?after={number}"
                        answer = await client.post(way, content=line)
                        if answer.status_code == 200:
                            break
                        await asyncio.sleep(1)

    await asyncio.gather(*(adds() for _ in range(at_once)))


async def kept(tables: int, sizes: list[int]) -> float:
    """Return the megabytes that so many tables take in this process, without a network."""
    before = memory(os.getpid())
    relay = Relay(clock=iter(range(1 << 60)).__next__)
    transport = httpx.ASGITransport(app=relay.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://relay") as client:
        for _ in range(tables):
            name = token_urlsafe(16)
            for number, size in enumerate(sizes):
                line = token_bytes(sealed(size))
                answer = await client.post(f"/{name}?after={number}", content=line)
                assert answer.status_code == 200, answer.text
    return memory(os.getpid()) - before


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=1_000)
    parser.add_argument("--fast", type=int, default=50, metavar="TABLES")
    given = parser.parse_args()
    sizes = evening(1)
    told = [sealed(size) for size in sizes]
    print(f"a line: {statistics.mean(sizes):.0f} bytes, sealed {statistics.mean(told):.0f}")
    print(f"an evening of {len(sizes)} lines: {sum(told) / 1e3:.1f} kB")
    command = [sys.executable, "-m", "clue_solver", "relay", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as run:
        assert run.stdout is not None
        address = run.stdout.readline().strip()
        empty = memory(run.pid)
        begun, before = time.perf_counter(), spent(run.pid)
        asyncio.run(added(address, given.fast, 4, sizes))
        taken, used = time.perf_counter() - begun, spent(run.pid) - before
        lines = given.fast * len(sizes)
        print(f"{lines} lines: {lines / taken:.0f} a second")
        print(f"and {lines / used:.0f} a second of its processor time")
        print(f"its memory: {empty:.0f} MB, with {given.fast} tables {memory(run.pid):.0f} MB")
        run.send_signal(signal.SIGINT)
    if given.tables:
        size = asyncio.run(kept(given.tables, sizes))
        print(f"{given.tables} tables of an evening each: {size:.0f} MB more")


if __name__ == "__main__":
    main()
