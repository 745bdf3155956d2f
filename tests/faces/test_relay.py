"""A relay adds each line behind the last one that its phone has heard, and forgets in a day."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from base64 import b64decode
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from clue_solver.faces.web import relay as relays
from clue_solver.faces.web.relay import DAY, LONGEST, Relay
from tests.faces.relayed import ORIGIN, asking, new_name


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Asked:
    """A relay, and who asks it."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.relay = Relay(self.clock)
        self.client = TestClient(self.relay.app, base_url=ORIGIN)
        self.name = new_name()

    def add(self, after: int, line: bytes, name: str = "") -> tuple[int, Any]:
        answer = self.client.post(f"/{name or self.name}?after={after}", content=line)
        return answer.status_code, answer.json()

    def hear(self, after: int, name: str = "") -> tuple[int, list[bytes]]:
        answer = self.client.get(f"/{name or self.name}?after={after}")
        assert answer.status_code == 200
        said = answer.json()
        return said["last"], [b64decode(line) for line in said["records"]]


@pytest.fixture
def asked() -> Asked:
    return Asked()


def test_a_line_is_added_behind_the_last_one_alone(asked: Asked) -> None:
    assert asked.hear(0) == (0, [])
    assert asked.add(0, b"\xffone") == (200, {"last": 1, "records": []})
    assert asked.add(1, b"two") == (200, {"last": 2, "records": []})
    assert asked.add(0, b"late") == (409, {"last": 2, "records": ["/29uZQ==", "dHdv"]})
    assert asked.add(1, b"two") == (409, {"last": 2, "records": ["dHdv"]})
    assert asked.add(7, b"early") == (409, {"last": 2, "records": []})
    assert (asked.hear(0), asked.hear(1)) == ((2, [b"\xffone", b"two"]), (2, [b"two"]))
    assert (asked.hear(2), asked.hear(9)) == ((2, []), (2, []))
    assert asked.hear(0, new_name()) == (0, [])


def test_a_table_ends_a_day_after_its_last_line(asked: Asked) -> None:
    other = new_name()
    asked.add(0, b"one")
    asked.clock.now = DAY / 2
    asked.add(0, b"other", other)
    asked.clock.now = DAY - 1
    asked.add(1, b"two")
    asked.clock.now = 1.5 * DAY
    assert asked.hear(0, other) == (0, [])
    assert asked.hear(0) == (2, [b"one", b"two"])
    asked.clock.now = 2 * DAY
    assert asked.hear(0) == (0, [])
    assert (asked.relay.tables, asked.relay.size) == ({}, 0)


def test_there_are_limits_to_all(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked.add(0, b"")[0] == 413
    assert asked.add(0, b"x" * (LONGEST + 1))[0] == 413
    assert asked.add(0, b"x" * 20_000)[0] == 413
    assert not asked.relay.tables
    assert asked.add(0, b"x" * LONGEST)[0] == 200
    for most in ("MOST_LINES", "MOST_HELD"):
        with monkeypatch.context() as patched:
            patched.setattr(relays, most, 1)
            assert asked.add(1, b"two")[0] == 507
    monkeypatch.setattr(relays, "MOST_TABLES", 1)
    assert asked.add(0, b"one", new_name())[0] == 507
    assert asked.add(1, b"two")[0] == 200


def test_who_asks_too_often_waits(asked: Asked) -> None:
    added = [asked.add(number, b"line")[0] for number in range(70)]
    assert added == [200] * 61 + [429] * 9
    asked.clock.now += 1
    assert asked.add(61, b"line")[0] == 200
    heard = [asked.client.get(f"/{asked.name}").status_code for _ in range(620)]
    assert heard == [200] * 600 + [429] * 20
    begun = [asked.add(0, b"line", new_name())[0] for _ in range(70)]
    assert begun == [200] * 59 + [429] * 11


@pytest.mark.parametrize("way", ["/x", "/x/y", "/{}?after=x", "/{}?after=-1", "/{}?after=1000000"])
def test_what_is_no_table_is_refused(asked: Asked, way: str) -> None:
    answer = asked.client.get(way.format(asked.name))
    assert answer.status_code == 404
    assert asked.client.put(f"/{asked.name}", content=b"x").status_code == 405


def test_pages_of_any_host_may_ask_and_it_says_what_it_keeps(asked: Asked) -> None:
    origin = {"Origin": "https://clue.example.org"}
    answer = asked.client.get(f"/{asked.name}", headers=origin)
    assert answer.headers["access-control-allow-origin"] == "*"
    asks = {**origin, "Access-Control-Request-Method": "POST"}
    assert asked.client.options(f"/{asked.name}", headers=asks).status_code == 200
    assert "counts no visitors" in asked.client.get("/").text
    assert "set-cookie" not in answer.headers


@pytest.mark.asyncio
async def test_who_waits_hears_the_next_line_and_nobody_waits_at_the_end() -> None:
    relay = Relay()
    async with asking(relay) as client:
        way = f"/{new_name()}"
        await client.post(f"{way}?after=0", content=b"one")
        waiting = [asyncio.create_task(client.get(f"{way}?after=1&wait")) for _ in range(2)]
        while sum(len(held.waiting) for held in relay.tables.values()) < 2:
            await asyncio.sleep(0)
        await client.post(f"{way}?after=1", content=b"two")
        assert [(await each).json() for each in waiting] == [{"last": 2, "records": ["dHdv"]}] * 2
        last = asyncio.create_task(client.get(f"{way}?after=2&wait"))
        while not any(held.waiting for held in relay.tables.values()):
            await asyncio.sleep(0)
        relay.end()
        assert (await last).json() == {"last": 2, "records": []}


@pytest.mark.asyncio
async def test_a_wait_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relays, "WAIT", 0.0)
    relay = Relay()
    async with asking(relay) as client:
        way = f"/{new_name()}"
        await client.post(f"{way}?after=0", content=b"one")
        assert (await client.get(f"{way}?after=1&wait")).json() == {"last": 1, "records": []}
        assert not any(held.waiting for held in relay.tables.values())


def test_a_long_table_is_heard_in_parts(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relays, "_ANSWER", 10)
    for number in range(4):
        asked.add(number, b"12345")
    assert asked.hear(0) == (4, [b"12345"] * 2)
    assert asked.hear(3) == (4, [b"12345"])


def test_the_command_holds_lines_until_it_is_ended() -> None:
    command = [sys.executable, "-m", "clue_solver", "relay", "--port", "0"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert run.stdout is not None
        address = run.stdout.readline().strip()
        way = f"{address}/{new_name()}"
        assert httpx.post(f"{way}?after=0", content=b"one", timeout=60).json()["last"] == 1
        assert httpx.get(way, timeout=60).json()["records"] == ["b25l"]
    finally:
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=60)
    assert run.returncode == 0
    assert "counts no visitors" in said
    assert "Traceback" not in said
