"""Three phones in real browsers, without a server, share a table through a bad way to a relay."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clue_solver.faces.browser import folder
from clue_solver.faces.web.relay import Relay
from clue_solver.faces.web.running import Reach, listening_at, running
from clue_solver.faces.web.seat_notes import public_record
from clue_solver.record import parse_record
from clue_solver.record.formats import format_record
from tests.deep.faces import test_browser
from tests.deep.faces.test_browser import NEEDS_CHROMIUM, Phone, host

if TYPE_CHECKING:
    from playwright.sync_api import Browser

written = test_browser.written
TURNS = 12
SEATS = ("Ann", "Ben", "Cat")
HANDS = {
    "Ann": "White, Plum, Rope, Library, Study, Hall",
    "Ben": "Green, Mustard, Wrench, Knife, Kitchen, Lounge",
    "Cat": "Peacock, Candlestick, Revolver, Ballroom, Conservatory, Billiard Room",
}


class Rough:
    """A relay to which half of all lines come late, or twice, or whose answers get lost."""

    def __init__(self, app: ASGIApp, seed: int) -> None:
        self.inner, self.random = app, Random(seed)
        self.late: list[asyncio.Task[None]] = []
        self.fates: list[str] = []

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or not."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self.inner(scope, receive, send)
            return
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)

        async def ask(answer: Send) -> None:
            given = [{"type": "http.request", "body": body, "more_body": False}]

            async def again() -> Message:
                return given.pop() if given else await asyncio.get_running_loop().create_future()

            await self.inner(dict(scope), again, answer)

        async def unheard(_: Message) -> None:
            pass

        async def later() -> None:
            await asyncio.sleep(self.random.random())
            await ask(unheard)

        fate = self.random.choice(["late", "lost", "twice", *("well",) * 3])
        self.fates.append(fate)
        if fate == "late":
            self.late.append(asyncio.create_task(later()))
        elif fate == "lost":
            await ask(unheard)
        elif fate == "twice":
            await ask(unheard)
            await ask(send)
            return
        else:
            await ask(send)
            return
        await send({"type": "http.response.start", "status": 502, "headers": []})
        await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def relay() -> Iterator[tuple[str, Relay, Rough]]:
    """A relay that listens, and a bad way to it."""
    held = Relay()
    rough = Rough(held.app, 1)
    with listening_at("127.0.0.1", 0) as listening:
        run = running(held, Reach())
        run.config.app = rough.app
        thread = threading.Thread(
            target=lambda: asyncio.run(run.serve(sockets=[listening])), daemon=True
        )
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", held, rough
        run.should_exit = True
        held.end()
        thread.join(30)


def with_relay(written: Path, target: Path, relay: str) -> Path:
    """Return the folder as it is written for a relay."""
    shutil.copytree(written, target)
    script = target / "built.js"
    start, _, built = script.read_text("utf-8").partition("{")
    told = json.loads("{" + built.rstrip().rstrip(";"))
    policy = folder.relayed(relay)
    told |= {"relay": relay, "policy": f"{policy}; frame-ancestors 'none'"}
    script.write_text(f"{start}{json.dumps(told)};\n", "utf-8")
    page = target / "index.html"
    page.write_text(page.read_text("utf-8").replace(folder.relayed(""), policy), "utf-8")
    return target


def tell(phone: Phone, line: str) -> None:
    """Type a line."""
    phone.frame.locator("nav a", has_text="Enter").tap()
    phone.frame.fill("#line", line)
    phone.frame.press("#line", "Enter")
    said = phone.frame.locator("#undo")
    said.wait_for()


def public(phone: Phone) -> list[str]:
    """The public lines that a phone has."""
    record = public_record(parse_record(phone.record()))
    return format_record(record).partition("\n\n")[2].splitlines()


@NEEDS_CHROMIUM
def test_three_phones_have_one_log_and_each_its_own_hand(
    browser: Browser, written: Path, tmp_path: Path, relay: tuple[str, Relay, Rough]
) -> None:
    address, held, rough = relay
    site = host(with_relay(written, tmp_path / "clue", address))
    with ExitStack() as stack:
        stack.callback(site.end)

        def opened(url: str) -> Phone:
            context = browser.new_context(
                viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
            )
            stack.callback(context.close)
            context.set_default_timeout(120_000)
            return Phone(context, url)

        ann = opened(site.url)
        ann.awake()
        ann.set_up(", ".join(SEATS), "Ann", tuple(HANDS["Ann"].split(", ")))
        ann.frame.locator("nav a", has_text="Table").tap()
        ann.frame.get_by_role("button", name="Share this table").tap()
        link = ann.frame.locator("#share-link").get_attribute("href")
        assert link is not None
        phones = [ann]
        while not held.tables:
            ann.shell.wait_for_timeout(100)
        for seat in SEATS[1:]:
            other = opened(link)
            other.frame.get_by_role("button", name=seat, exact=True).tap()
            other.frame.wait_for_selector("#verdict")
            other.awake()
            tell(other, f"{seat} holds {HANDS[seat]}")
            phones.append(other)
        random, truth = Random(2), []
        for turn in range(TURNS):
            by = SEATS[turn % 3]
            line = f"{by} skips"
            if turn % 4 == 1:
                line = f"{by} suggests Scarlett, Lead Pipe, Dining Room: nobody shows"
            truth.append(line)
            for phone in random.sample(
                phones, 1 if turn % 3 else 2
            ):  # sometimes two tell it at once
                if public(phone) != truth:
                    tell(phone, line)
            for phone in phones:
                for _ in range(600):
                    if public(phone) == truth:
                        break
                    phone.shell.wait_for_timeout(100)
                assert public(phone) == truth
        for seat, phone in zip(SEATS, phones, strict=True):
            assert f"{seat} holds {HANDS[seat]}" in phone.record()
            assert phone.record().count(" holds ") == 1
            assert phone.trouble == [] or all("502" in each for each in phone.trouble)
        assert {"late", "lost", "twice"} <= {*rough.fates}
        (table,) = held.tables.values()
        words = (b"skips", b"suggests", b"White", b"Ann", b"holds")
        assert not [word for word in words if any(word in line for line in table.lines)]
