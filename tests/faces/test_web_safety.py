"""Who is let in, in whose turn, and how much of it: by calls, without a network."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send

from clue_solver.errors import ArgumentError
from clue_solver.faces.web import streams
from clue_solver.faces.web.running import Log, Reach, listening_at, opens
from clue_solver.faces.web.safety import MOST_INSIDE, Guard
from clue_solver.faces.web.tables import Notebook
from clue_solver.faces.web.worker import MOST_WAITING, Busy, Worker
from tests.conversation.test_session import START
from tests.faces.serving import called
from tests.faces.test_web import receive


def done(worker: Worker, *given: tuple[str, str, bool]) -> list[str]:
    """Give work of pages and phones to a worker that is held up; return the order of doing it."""
    begin = threading.Event()
    worker.give(begin.wait)
    order: list[str] = []
    futures = [
        worker.give(
            partial(order.append, f"{page}{phone}{'!' * heavy}"), (page, phone), heavy=heavy
        )
        for page, phone, heavy in given
    ]
    begin.set()
    for future in futures:
        future.result(60)
    return order


def test_pages_take_turns_and_so_do_the_phones_of_each() -> None:
    flood = [("A", "1", False)] * 4
    assert done(Worker(), *flood, ("B", "2", False), ("A", "3", False)) == [
        *("A1", "B2", "A3", "A1", "A1", "A1"),
    ]


def test_tables_take_turns_whatever_is_asked_of_the_pages_of_one() -> None:
    worker, begin = Worker(), threading.Event()
    worker.give(begin.wait, ("", "", ""))
    order: list[str] = []
    ways = [*[(1, page, "phone") for page in "abc" for _ in range(3)], (2, "d", "phone")]
    given = [worker.give(partial(order.append, f"{way[0]}{way[1]}"), way) for way in ways]
    begin.set()
    for each in given:
        each.result(60)
    assert order == ["1a", "2d", "1b", "1c", "1a", "1b", "1c", "1a", "1b", "1c"]


def test_what_takes_long_lets_what_is_light_go_first_but_not_for_ever() -> None:
    given = [*[("A", "1", True)] * 2, *[("B", "2", False)] * 10]
    assert done(Worker(), *given) == [*["B2"] * 7, "A1!", *["B2"] * 3, "A1!"]


def test_only_so_much_of_a_page_waits() -> None:
    worker, begin = Worker(), threading.Event()
    worker.give(begin.wait)
    waiting = [worker.give(lambda: 1, ("A", "1")) for _ in range(MOST_WAITING)]
    with pytest.raises(Busy):
        worker.give(lambda: 1, ("A", "2"))
    other = worker.give(lambda: 2, ("B", "1"))
    begin.set()
    assert [each.result(60) for each in (*waiting, other)] == [*[1] * MOST_WAITING, 2]
    assert worker.give(lambda: 3, ("A", "2")).result(60) == 3


class Asked:
    """A guard before an application, what it was told, and what it answers."""

    def __init__(self, app: object, **more: object) -> None:
        self.told: list[str] = []
        self.guard = Guard(
            app,  # type: ignore[arg-type]
            lambda: {"SECRET": 1},
            port=80,
            names=("table",),
            tell=self.told.append,
            **more,  # type: ignore[arg-type]
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
    assert {*asked.told} == {"192.0.2.7 was refused: it has no link that leads anywhere"}


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


def test_only_so_many_requests_of_a_link_are_inside_at_once() -> None:
    begin = asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await begin.wait()
        await answers(scope, receive, send)

    asked = Asked(slow)

    async def all_at_once() -> list[int]:
        waiting = [asyncio.create_task(asked.ask()) for _ in range(MOST_INSIDE)]
        await asyncio.sleep(0)
        over = (await asked.ask())[0]["status"]
        events = asyncio.create_task(asked.ask("/SECRET/events"))
        await asyncio.sleep(0)
        begin.set()
        every = await asyncio.gather(*waiting, events)
        again = (await asked.ask())[0]["status"]
        return [over, again, *(each[0]["status"] for each in every)]

    assert asyncio.run(all_at_once()) == [429, 200, *[200] * (MOST_INSIDE + 1)]
    assert asked.told == ["192.0.2.7 asked for too much at once"]


def test_of_too_many_streams_the_page_with_the_most_loses_the_oldest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streams, "MOST", 4)
    every = streams.Streams()
    ann, ben = Notebook(), Notebook()
    every.watching = {ben: [streams.Stream()], ann: [streams.Stream() for _ in range(5)]}
    for _ in range(3):
        every.end_some()
    ended = [[each.ended for each in every.watching[book]] for book in (ben, ann)]
    assert ended == [[False], [True, True, False, False, False]]


def test_pages_come_packed_and_files_are_known_again(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    path.write_text(START, "utf-8")
    with called(path) as page:
        answer = page.client.get(page.url)
        assert answer.headers["content-encoding"] == "gzip"
        script = page.client.get(f"{page.url}/static/page.js")
        again = {"if-none-match": script.headers["etag"]}
        assert page.client.get(f"{page.url}/static/page.js", headers=again).status_code == 304
        for nothing in ("/static/../pages.py", "/static/%2e%2e/pages.py", "/no", "/static/"):
            missing = page.client.get(f"{page.url}{nothing}")
            assert missing.status_code in (403, 404)
            assert "<h1>" in missing.text
        assert page.client.get(f"{page.url}/tell").status_code == 404  # it is for forms


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
    (reach,) = told(Reach("0.0.0.0", certificate="cert.pem"))
    assert "clear text" not in reach
    assert (
        Reach(allowed=("other", "https://clue.example.org/")).outside == "https://clue.example.org"
    )


def test_what_cannot_be_used_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").write_text("none", "utf-8")
    for reach, reason in {
        Reach(allowed=("a b",)): "expected a host name such as clue.example.org; found 'a b'",
        Reach(key="key.pem"): "a key needs its certificate: --cert FILE",
        Reach(certificate=str(tmp_path / "cert.pem")): "cannot use the certificate",
        Reach(certificate=str(tmp_path / "no.pem")): "No such file",
    }.items():
        with pytest.raises(ArgumentError, match=reason):
            reach.check()


def test_the_log_says_each_thing_once_in_a_while(capsys: pytest.CaptureFixture[str]) -> None:
    log = Log()
    for line in ("one", "one", *map(str, range(200))):
        log(line)
    said = capsys.readouterr().err.splitlines()
    assert [line.split()[1] for line in said] == ["one", *map(str, range(59))]
