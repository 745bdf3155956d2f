"""Who is let in, and how much of it: by calls, without a network."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send

from clue_solver.errors import ArgumentError
from clue_solver.faces.web.running import Reach, listening_at, opens, serve
from clue_solver.faces.web.safety import Guard, Place
from clue_solver.faces.web.thinking import Worker
from tests.conversation.test_session import START
from tests.faces.serving import called
from tests.faces.test_web import receive


def test_what_takes_long_lets_what_is_light_go_first() -> None:
    worker, begin = Worker(), threading.Event()
    worker.give(begin.wait)
    order: list[str] = []
    for name in ("A!", "b", "C!", "d", "e"):
        last = worker.give(partial(order.append, name), heavy=name.endswith("!"))
    end = worker.give(lambda: None, heavy=True)
    begin.set()
    end.result(60)
    assert last.done()
    assert order == ["b", "d", "e", "A!", "C!"]


class Asked:
    """A guard before an application, what it was told, and what it answers."""

    def __init__(self, app: object, allowed: tuple[str, ...] = ()) -> None:
        self.told: list[str] = []
        place = Place("http://table", 80, ("table",), allowed)
        self.guard = Guard(
            app,  # type: ignore[arg-type]
            lambda: {"SECRET": 1},
            place,
            tell=self.told.append,
        )

    async def ask(self, path: str = "/SECRET", **more: object) -> list[Message]:
        """Return what is sent."""
        said: list[Message] = []
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b""}
        scope |= {"client": ("192.0.2.7", 1), "server": ("192.0.2.1", 80)}
        headers = {"host": "table"} | more.pop("headers", {})  # type: ignore[operator]
        scope["headers"] = [(name.encode(), text.encode()) for name, text in headers.items()]

        async def send(message: Message) -> None:
            said.append(message)

        await self.guard(scope | more, receive, send)
        return said

    def status(self, path: str = "/SECRET", **more: object) -> int:
        """Return the status of an answer."""
        return int(asyncio.run(self.ask(path, **more))[0]["status"])


async def broken(*_: object) -> None:
    raise KeyError("SECRET")


async def gone(*_: object) -> None:
    raise ClientDisconnect


async def answers(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"told"})


def test_what_goes_wrong_is_one_line_without_a_secret() -> None:
    asked = Asked(broken)
    assert asked.status() == 500
    (line,) = asked.told
    assert line.startswith("a page could not be answered: KeyError at test_web_safety.py:")
    assert "SECRET" not in line
    asked = Asked(gone)
    assert asyncio.run(asked.ask()) == []
    assert asked.told == []
    asked = Asked(answers)
    assert [asked.status(path) for path in ("*", "", "/", "/SECRET/x", "//SECRET")] == [
        *(403, 403, 403, 200, 403),
    ]
    assert {*asked.told} == {"192.0.2.7 was refused: it has no working link"}


def test_a_name_is_let_in_by_being_allowed() -> None:
    asked = Asked(answers, allowed=("clue.example.org",))
    hosts = ("clue.example.org", "CLUE.example.org:443", "evil.example.org", "192.0.2.1")
    assert [asked.status(headers={"host": host}) for host in hosts] == [200, 200, 403, 200]
    assert asked.told == [
        "192.0.2.7 was refused: evil.example.org is no name of this machine; "
        "--allow evil.example.org would let it in"
    ]
    origins = ("https://clue.example.org", "https://evil.example.org")
    sent = [
        asked.status(method="POST", headers={"host": "clue.example.org", "origin": origin})
        for origin in origins
    ]
    assert sent == [200, 403]
    secure = Asked(answers)
    assert secure.status(headers={"host": "table"}, scheme="https") == 403  # another port
    assert secure.status(headers={"host": "table:80"}, scheme="https") == 200


def test_pages_come_packed_and_files_are_known_again(tmp_path: Path) -> None:
    with called(tmp_path / "game.clue", START) as page:
        answer = page.client.get(page.url)
        assert answer.headers["content-encoding"] == "gzip"
        script = page.client.get(f"{page.url}/static/page.js")
        again = {"if-none-match": script.headers["etag"]}
        assert page.client.get(f"{page.url}/static/page.js", headers=again).status_code == 304
        for nothing in ("/static/../pages.py", "/static/%2e%2e/pages.py", "/no", "/static/"):
            missing = page.client.get(f"{page.url}{nothing}")
            assert missing.status_code in (403, 404)
            assert "<h1>" in missing.text
        assert "Who shows a card?" in page.client.get(f"{page.url}/tell?by=Ann").text


def test_the_host_is_told_what_is_open() -> None:
    def told(reach: Reach) -> list[str]:
        with listening_at(reach.host, 0) as listening:
            return [*opens(listening, reach, "http://192.0.2.1:8477")]

    (alone,) = told(Reach())
    assert "--host 0.0.0.0" in alone
    (tunnel,) = told(Reach(allowed=("https://clue.example.org/", "other.example")))
    assert "clue.example.org, other.example" in tunnel
    reach, clear = told(Reach("0.0.0.0"))
    assert "every device on every network" in reach
    assert "http://192.0.2.1:8477" in reach
    assert "clear text" in clear
    assert (
        Reach(allowed=("other", "https://clue.example.org/")).outside == "https://clue.example.org"
    )


def test_what_cannot_be_used_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="expected a host name such as"):
        serve(tmp_path / "game.clue", Reach(allowed=("a b",)), port=0, public=False)
    assert [*tmp_path.iterdir()] == []
