"""A browser that has the page without a server: what is asked of it, and what it keeps."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeVar

import httpx

from clue_solver.faces.browser.alone import NEW, Alone
from clue_solver.faces.browser.beside import run_job
from tests.faces.phones import Phone, begun
from tests.rows import blocks

Result = TypeVar("Result")

PLACE, BASE = "https://clue.example.org", "/clue/game"
NOTES = (
    "posts setup edition=clue-classic; name-1=Ann, Ben, Cat; "
    "hand=White; hand=Plum; hand=Rope; hand=Library; hand=Study; hand=Hall"
)
DEAL = "posts setup edition=clue-classic; deals=program; board=; name-1=Ida"
MACHINES = "; name-2=; plays-2=easy; plays-3=hard"
EXAMPLES = Path(__file__).parents[2] / "examples"


class Browser(httpx.BaseTransport):
    """
    What answers a phone inside its browser.

    Attributes:
        disk: The files that are kept, with which another browser may begin; it changes them.
        jobs: What a second worker is asked for.
    """

    def __init__(
        self,
        folder: Path,
        loop: asyncio.AbstractEventLoop,
        *,
        kept: dict[str, bytes] | None = None,
        place: str = PLACE,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.disk = {} if kept is None else kept
        for name, content in self.disk.items():
            (folder / name).write_bytes(content)
        self.loop = loop
        self.jobs: list[bytes] = []
        self.alone = Alone(folder, place, BASE, self.jobs.append)
        self.alone.shared.pace = 0
        self.origin = place + BASE
        self.client = httpx.Client(transport=self, follow_redirects=True, trust_env=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Ask, and keep what has changed."""
        kind = request.headers.get("content-type", "")
        address = request.url.raw_path.decode()
        asked = self.alone.ask(request.method, address, request.read(), kind)
        answer = self.loop.run_until_complete(asked)
        for name, content in self.alone.changes():
            if content is None:
                del self.disk[name]
            else:
                self.disk[name] = content
        self.alone.mark_saved()
        return httpx.Response(answer.status, headers=answer.headers, content=answer.body)

    def of(self, _: str | None) -> str:
        """The address of the form for a new game."""
        return f"{self.origin}/{NEW}"

    def sit(self, _: str | None) -> None:
        """Nobody has a seat of their own here."""

    def think(self, _: str | None = None) -> None:
        """Let a second worker do what it is asked for."""
        while self.jobs:
            self.within(self.alone.beside.receive, run_job(self.jobs.pop()))
        self.work()

    def work(self) -> None:
        """Let what waits go on."""
        self.within(lambda: None)

    def within(self, work: Callable[..., Result], *said: object) -> Result:
        """Do something where the browser does its work."""

        async def done() -> Result:
            return work(*said)

        return self.loop.run_until_complete(done())

    def opened(self, name: str, content: bytes) -> Phone:
        """A phone with the game of a file, which is opened on the page."""
        return Phone(self, link=f"{PLACE}{self.within(self.alone.take, name, content)}")


@contextmanager
def begun_again(folder: Path, disk: dict[str, bytes]) -> Iterator[Browser]:
    """Begin a browser that keeps these files, and nothing but them, in a folder of its own."""
    with closing(asyncio.new_event_loop()) as loop:
        yield Browser(Path(mkdtemp(dir=folder)), loop, kept=disk)


ASIDE = ("offers", "board", "marks", "sees")
PARTS = ("?tab=sheet", "?tab=log", "?tab=table&another=1", "?cover=1", "?x=Roll", "?edit=1")


def whole_evening(folder: Path) -> None:
    """Ask for all that a page can show: each story that one page can tell, and a dealt game."""
    with closing(asyncio.new_event_loop()) as loop:
        browser = Browser(folder, loop)
        for story in blocks(Path(__file__).with_name("pages.txt")).values():
            if not re.search("@ (shared|dealt|browser)|^file: ", story, re.M):
                tell(browser, story)
        over = browser.opened("over.clue", (EXAMPLES / "evening.clue").read_bytes())
        over.waits()
        review = browser.client.get(f"{over.link}/review.html")
        assert "<h1" in review.text
        phone = Phone(browser)
        phone.does(DEAL + MACHINES)
        while phone.waits():  # nothing is asked, until a machine has found out
            every = phone.buttons("answer").values()
            quiet = [each for each in every if each.said["what"] in (["nothing"], ["show"])]
            phone.sends(quiet[-1])
        assert "wins with" in phone.text


def tell(browser: Browser, story: str) -> None:
    """Let phones do what a story of `pages.txt` says, and look at each part of its page."""
    begins = begun(story)
    one = browser.opened("game.clue", begins.encode()) if begins else Phone(browser)
    phones = {"recorder": one}
    for line in story.splitlines():
        who, _, deed = line.partition(": ")
        if line[0] not in "@ " and deed.partition(" ")[0] not in ASIDE:
            if who not in phones:
                phones[who] = Phone(browser, link=one.link)
            phones[who].does(deed)
    for part in PARTS:
        one.load(part)
        browser.think()
