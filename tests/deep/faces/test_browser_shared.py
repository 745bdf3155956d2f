"""Three phones in real browsers, without a server, share a table through a bad way to a relay."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clue_solver.conversation.doubts import own_hand
from clue_solver.faces.browser import folder
from clue_solver.faces.web.relay import Relay
from clue_solver.faces.web.running import Reach, listening_at, running
from clue_solver.faces.web.seat_notes import public_record
from clue_solver.record import parse_record
from clue_solver.record.formats import format_record
from clue_solver.rules.observations import Suggestion
from tests.deep.faces import test_browser
from tests.deep.faces.test_browser import NEEDS_CHROMIUM, Phone, host
from tests.deep.faces.test_web_browser import suggest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

written = test_browser.written
TURNS = 12
ASKS = "suggests Scarlett, Lead Pipe, Dining Room: nobody shows"
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
        self.cut = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
            await asyncio.sleep(pause)
            await ask(unheard)

        fates = ["cut"] if self.cut else ["late", "lost", "twice", *("well",) * 3]
        fate, pause = self.random.choice(fates), self.random.random()
        self.fates.append(fate)
        if fate == "late":
            self.late.append(asyncio.create_task(later()))
        elif fate == "lost":
            await ask(unheard)
        elif fate == "twice":
            await ask(unheard)
            await ask(send)
            return
        elif fate == "well":
            await ask(send)
            return
        await send({"type": "http.response.start", "status": 502, "headers": []})
        await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def relay() -> Iterator[tuple[str, Relay, Rough]]:
    """A relay that listens, and a bad way to it."""
    held = Relay()
    rough = Rough(held.app, 2)
    with listening_at("127.0.0.1", 0) as listening:
        run = running(held, Reach())
        run.config.app = rough
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


def tell(phone: Phone, line: str, *, typed: bool = False) -> None:
    """Tap a line, or type it, and wait until it is logged."""
    if not phone.frame.locator("main.tab-enter").count():
        phone.frame.locator("nav a", has_text="Enter").tap()
    phone.frame.wait_for_selector("main.tab-enter #line")
    if typed:
        phone.frame.fill("#line", line)
        phone.frame.press("#line", "Enter")
    else:
        whole = parse_record(f"{phone.record()}{line}\n")
        told = whole.observations[-1]
        if isinstance(told, Suggestion):
            suggest(phone, told, line, whole)
        else:
            phone.answer(line)
    until(phone, lambda: line in phone.record())


def until(phone: Phone, there: Callable[[], object], *known: object) -> None:
    """Wait until something is so."""
    for _ in range(600):
        if there():
            return
        phone.shell.wait_for_timeout(100)
    raise AssertionError((phone.frame.locator("main").inner_text(), phone.trouble, *known))


def public(phone: Phone) -> list[str]:
    """The public lines that a phone has."""
    record = public_record(parse_record(phone.record()))
    return format_record(record).partition("\n\n")[2].splitlines()


def played(phones: Sequence[Phone], rough: Rough) -> None:
    """Let now this phone tell a turn, now that one, by taps; or two at once, who type."""
    random, truth = Random(2), []
    for turn in range(TURNS):
        by, both = SEATS[turn % 3], turn % 3 == 0
        truth.append(f"{by} {ASKS}" if turn % 4 == 1 else f"{by} skips")
        for phone in random.sample(phones, 1 + both):
            if public(phone) != truth:
                tell(phone, truth[-1], typed=both)
        until(phones[0], lambda: all(public(each) == truth for each in phones), rough.fates)


def first_come(phones: Sequence[Phone], rough: Rough) -> list[str]:
    """Let two tell the same turn otherwise; return what is in the way of who is asked then."""
    truth = public(phones[0])
    rough.cut = True
    for phone, room in zip(phones[:2], ("Hall", "Study"), strict=True):
        tell(phone, f"Ann {ASKS.replace('Dining Room', room)}")
    rough.cut = False
    back = {phone: phone.frame.locator(".returned") for phone in phones}
    until(phones[0], lambda: any(each.count() for each in back.values()), rough.fates)
    (asked,) = (phone for phone, each in back.items() if each.count())
    found = asked.look()
    asked.frame.get_by_role("button", name="Drop it").tap()
    back[asked].wait_for(state="detached")
    until(asked, lambda: len({tuple(public(each)) for each in phones}) == 1, rough.fates)
    assert public(asked)[:-1] == truth
    return found


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
                viewport={"width": 390, "height": 844},
                has_touch=True,
                is_mobile=True,
                reduced_motion="reduce",
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
        until(ann, lambda: held.tables, rough.fates)
        ann.frame.locator("summary", has_text="Copy and paste").tap()
        ann.frame.wait_for_selector("#pasted:visible")
        found = ann.look()
        for seat in SEATS[1:]:
            other = opened(link)
            other.frame.wait_for_selector("#join")
            found += other.look()
            other.frame.get_by_role("button", name=seat, exact=True).tap()
            other.frame.wait_for_selector("#verdict")
            other.awake()
            tell(other, f"{seat} holds {HANDS[seat]}", typed=True)
            phones.append(other)
        played(phones, rough)
        found += first_come(phones, rough)
        assert found == []
        for seat, phone in zip(SEATS, phones, strict=True):
            hand = own_hand(parse_record(phone.record()))
            assert hand == frozenset(HANDS[seat].split(", "))
            assert phone.record().count(" holds ") == 1
            assert phone.trouble == [] or all("502" in each for each in phone.trouble)
        assert {"late", "lost", "twice"} <= {*rough.fates}
        (table,) = held.tables.values()
        words = (b"skips", b"suggests", b"White", b"Ann", b"holds")
        assert not [word for word in words if any(word in line for line in table.lines)]
