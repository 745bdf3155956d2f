"""
The page over the network: each change is sent at once, verdicts are thought of meanwhile.

Hostile requests at a club of two tables change nothing and end in no traceback.
"""

from __future__ import annotations

import re
import signal
import socket
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import httpx
import pytest

from clue_solver.faces.web import running
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.thinking import Shared, Thinking, final_thought
from tests.conversation.test_session import START
from tests.faces.phones import joined
from tests.faces.serving import called, in_process, served, unthinking
from tests.faces.test_web import HANDS, SHARED, pages_of_two_games
from tests.faces.test_web_home import Evening, evening


def test_a_page_comes_with_each_change_and_none_once_its_link_has_ended(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.clue"
    with served(path, START) as page, page.client.stream("GET", f"{page.url}/events") as stream:
        lines = stream.iter_lines()
        seen: list[int] = []

        def version() -> int:
            told = [next(lines) for _ in range(3)]
            assert told[1:] == ["data: -", ""]
            now = int(told[0].removeprefix("id: "))
            if now in seen:  # a sign of life
                return version()
            seen.append(now)
            return now

        assert next(lines) == "retry: 1000"
        begun = version()
        assert begun == page.book().version
        page.post("tell", line="ben skips", settled="turn")
        assert version() == begun + 1
        assert "Change entry 2" in page.get(query="?tab=log")
        assert version() == begun + 2  # the verdict, which nobody asked for again
        with path.open("a", encoding="utf-8") as file:
            file.write("Cat skips\n")
        assert "Change entry 3" in page.get(query="?tab=log")
        assert version() == begun + 3
        page.end_link()
        assert [line for line in lines if line.startswith("id: ")][-1] == "id: ended"


def test_nobodys_private_facts_reach_another_page_by_what_is_advised(
    tmp_path: Path,
) -> None:
    (ann, recorder, ben), (ann_too, recorder_too, ben_too) = pages_of_two_games(
        tmp_path, thought=True
    )
    assert b">When it is your turn, suggest " in ann[0]
    assert ann == ann_too
    assert recorder == recorder_too
    assert ben != ben_too


def at(url: str) -> tuple[str, int]:
    """Return the host and the port of an address."""
    parts = httpx.URL(url)
    assert parts.port is not None
    return parts.host, parts.port


def heard(connection: socket.socket) -> bytes:
    """Return all that comes until the other side ends; what it broke off counts as ended."""
    connection.settimeout(30)
    said = b""
    try:
        while part := connection.recv(65_536):
            said += part
    except ConnectionResetError:
        pass
    return said


def test_half_sent_requests_keep_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LATEST", 1.0)
    monkeypatch.setattr(running, "MOST", 64)
    with served(tmp_path / "game.clue", START) as page, ExitStack() as stack:
        idle = page.client.get(page.url).extensions["network_stream"]
        for _ in range(5):  # more than may wait
            half = []
            for _ in range(running.MOST):
                half.append(stack.enter_context(socket.create_connection(at(page.url))))
                half[-1].sendall(b"GET /x HTTP/1.1\r\nHost: x\r\nX-Half: ")
            answer = page.client.get(page.url)
            assert answer.status_code == 200
            assert answer.extensions["network_stream"] is idle  # who was answered is kept
        assert {heard(each) for each in half} == {b""}  # each is ended in time
        slow = stack.enter_context(socket.create_connection(at(page.url)))
        slow.sendall(b"G")
        for _ in range(20):
            try:
                slow.sendall(b"E")
            except OSError:
                break
            slow.settimeout(0.2)
            try:
                if slow.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            pytest.fail("a letter now and then keeps a request from being ended")


def ended(run: subprocess.Popen[str]) -> list[str]:
    """End a server, and return what its host was told."""
    run.send_signal(signal.SIGINT)
    return run.communicate(timeout=60)[1].splitlines()


LINE = re.compile(
    r"\d\d:\d\d:\d\d [^:]*( was refused: .*| sent a request that is too long|: \w+ has joined)|"
    r"only this computer can open it; .*|Ctrl[+]C stops the server; .*|.* (is|are) in /.*"
)


def test_no_traceback_reaches_the_host_and_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "table.clue"
    path.write_text(SHARED, "utf-8")
    with in_process(path, "--public") as (run, address):
        with httpx.Client() as client:
            ben = joined(client, address)["Ben"]
        host, port = at(address)
        secret = address.rpartition("/")[2]
        named = f"Host: {host}:{port}\r\nConnection: close\r\n"
        upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        for said in (
            f"OPTIONS * HTTP/1.1\r\n{named}\r\n",
            f"GET /{secret}/events HTTP/1.1\r\n{named}{upgrade}Sec-WebSocket-Key: eA==\r\n\r\n",
            f"POST /{secret}/tell HTTP/1.1\r\n{named}Content-Length: 100\r\n\r\nline=",
            f"GET {secret} HTTP/1.1\r\n{named}\r\n",
            "\x16\x03\x01\r\n\r\n",
            f"GET /{secret}\x00 HTTP/9\r\n{named}\r\n",
        ):
            with socket.create_connection((host, port)) as connection:
                connection.sendall(said.encode("latin-1"))
                if not said.startswith(("POST", f"GET /{secret}/events")):
                    heard(connection)
        hand = {"card": ["Scarlett", "Plum", "Lounge"]}
        assert httpx.post(f"{ben}/hand", data=hand).status_code == 200
        assert httpx.get(address).status_code == 200
        told = ended(run)
        secrets = [address.rpartition("/")[2], ben.rpartition("/")[2]]
    assert [line for line in told if not LINE.fullmatch(line)] == []
    assert any(line.endswith(" Ben has joined") for line in told)
    assert [line for line in told if any(secret in line for secret in secrets)] == []


def test_a_tunnel(tmp_path: Path) -> None:
    path = tmp_path / "table.clue"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    allowed = ("--allow", "https://clue.example.org", "--port", str(port), "--public")
    path.write_text(SHARED, "utf-8")
    with in_process(path, *allowed) as (run, address):
        assert address.startswith("https://clue.example.org/")
        assert run.stderr is not None
        assert "also answers to clue.example.org" in run.stderr.readline()
        there = f"http://127.0.0.1:{port}{httpx.URL(address).path}?tab=table"
        asked = {"host": "clue.example.org", "x-forwarded-proto": "https"}
        links = {"https://clue.example.org"}
        for headers in (asked, {}):  # whoever asks from this machine hands out the same
            text = httpx.get(there, headers=headers).text
            found = re.findall(r'class="seat-link join" href="([^"]+)/[\w-]+"', text)
            assert {*found} == links
        assert httpx.get(there, headers={"host": "evil.example.org"}).status_code == 403


def test_first_looks_at_several_pages_are_followed_by_closer_ones_of_other_processes(
    tmp_path: Path,
) -> None:
    with called(tmp_path / "table.clue", SHARED, public=True) as shared:
        for seat in ("Ann", "Ben"):
            shared.post("hand", seat, card=HANDS[seat])
        books = [shared.book(seat) for seat in ("Ann", "Ben")]
        found: SimpleQueue[Eyes] = SimpleQueue()
        thinkers = Shared("")
        thinking = Thinking(shared.table, thinkers)
        for book in books:
            thinking.think(book)
            first = book.thought
            assert first is not None
            assert first.first
            thinking.think(book)
            assert book.thought is first  # once for a record
        shared.table.changed = found.put
        assert {found.get(timeout=120) for _ in books} == {*books}
        for book in books:
            assert book.thought == final_thought(book.game.record)
            assert book.thought.record is book.game.record
            assert not book.thought.first
        shared.post("tell", line="ann skips", settled="turn")
        assert books[0].thought is None
        thinking.think(books[0])
        assert books[0].thought is not None
        thinkers.end()


WAYS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
HERS = ("tell", "hand", "undo", "delete", "free")
OTHERS = ("header", "fix", "setup", "open", "new")
NONE = ("done", "__init__", "do_tell", "nothing")
ODD = (
    *("", "0", "-1", "1", "99999999999999999999", "1e9", "NaN", "\0", "\r\nSet-Cookie: a=b"),
    *(
        "<script>alert(1)</script>",
        "'\"><img src=x>",
        "{{7*7}}",
        "../../etc/passwd",
        "%00",
        "🂡" * 50,
    ),
    *("Ann holds Plum, Rope, Hall", "Ben holds Plum", "Ben skips", "x" * 5_000),
)


class Asked(NamedTuple):
    """A request, and who sends it."""

    way: str
    url: str
    headers: Mapping[str, str] | None = None
    data: Mapping[str, str] | None = None


def without_a_link(origin: str, secret: str) -> Iterator[Asked]:
    """Yield requests of somebody who has no link."""
    paths = [
        *("", "/", "/favicon.ico", "/robots.txt", "/static/page.js", "/events", "/index.html"),
        *(
            f"/{secret[:-1]}",
            f"/{secret}x",
            f"/{secret.swapcase()}",
            f"/%00{secret}",
            f"//{secret}",
        ),
        *(f"/x/{secret}", f"/static/../{secret}x", "/%2e%2e/%2e%2e/etc/passwd"),
        *("/../../etc/passwd", "/AAAAAAAAAAAAAAAAAAAAAA", "/AAAAAAAAAAAAAAAAAAAAAA/tell", "/new"),
    ]
    for way, path in product(WAYS, paths):
        yield Asked(way, origin + path)


def with_anns_link(page: str, others: list[str]) -> Iterator[Asked]:
    """Yield requests of Ann's phone that are not hers to send, or make no sense."""
    for action in (*OTHERS, *NONE):
        yield Asked("POST", f"{page}/{action}", data={})
    for action, other in product((*HERS, *OTHERS, *NONE), others):
        yield Asked("POST", f"{other}x/{action}", data={"seat": "Ann"})
    for action in OTHERS:
        for text in ODD:
            fields = dict.fromkeys(("seats", "seat", "number", "ends", "hands", "first"), text)
            yield Asked("POST", f"{page}/{action}", data=fields)
    for name, text in product(("tab", "card", "edit", "line", "suppose", "after", "pick"), ODD):
        yield Asked(
            "GET", str(httpx.URL(page, params={name: text[:2_000], "holder": text[:2_000]}))
        )


class Attack:
    """
    Two tables, and Ann's link at the first of them.

    Attributes:
        page: Ann's page.
        others: All other pages of both tables.
    """

    def __init__(self, club: Evening, *names: str) -> None:
        self.client, tables = club.client, club.open(*names)
        for table in tables:
            unthinking(table.server)
            for seat, hand in HANDS.items():
                table.sit(seat)
                assert table.post("hand", seat, card=hand).status_code == 200
        pages = [table.of(seat) for table in tables for seat in HANDS]
        self.page, self.others = pages[0], [*pages[1:], *(table.url for table in tables)]
        self.secrets = [each.rpartition("/")[2] for each in (*self.others, club.home.address)]

    def asked(self, requests: Iterable[Asked], *, linked: bool) -> int:
        """Send requests, and return how many; none is told anything of others, or an error."""
        sent = 0
        for each in requests:
            try:
                answer = self.client.request(
                    each.way, each.url, headers=each.headers, data=each.data
                )
            except (httpx.LocalProtocolError, httpx.InvalidURL):
                continue  # nobody can send it so
            sent += 1
            assert answer.status_code < 500, (each, answer.status_code)
            told = answer.text + str(answer.headers)
            assert not any(secret in told for secret in self.secrets), each
            assert linked or answer.status_code in (400, 403), (each, answer.status_code)
        return sent

    def seen(self) -> list[str]:
        """Return what the others' pages show in each of their parts."""
        parts = ("", "?tab=sheet", "?tab=log", "?tab=table", "?tab=sheet&card=Plum&holder=Ben")
        return [self.page_at(page + part) for page in self.others for part in parts]

    def page_at(self, address: str) -> str:
        """Return a page without the mark of its forms, which is drawn by chance."""
        return re.sub('name="once" value="[^"]+"', "", self.client.get(address).text)


def test_nobody_is_told_anything_and_no_other_page_changes(tmp_path: Path) -> None:
    """Without a link, then with Ann's; then she tells and takes back what only she knows."""
    names = [f"table-{number}.clue" for number in range(2)]
    for name in names:
        (tmp_path / name).write_text(f"{SHARED}Ann suggests Scarlett, Rope, Lounge: Ben shows\n")
    with evening(tmp_path) as club:
        attack = Attack(club, *names)
        before = attack.seen()
        origin, _, secret = attack.page.rpartition("/")
        sent = attack.asked(without_a_link(origin, secret), linked=False)
        sent += attack.asked(with_anns_link(attack.page, attack.others), linked=True)
        assert sent > 300
        assert attack.seen() == before
        for action, data in (
            ("tell", {"line": "Ben lacks Rope"}),
            ("delete", {"entry": "3"}),
            ("undo", {}),
            ("tell", {"line": "Ben lacks Plum # mine"}),
            ("delete", {"entry": "4"}),
        ):
            own = attack.page_at(attack.page)
            answer = club.client.post(f"{attack.page}/{action}", data=data)
            assert answer.status_code == 200, (action, answer.status_code)
            assert "data-stays" not in answer.text, action
            assert attack.page_at(attack.page) != own
            assert attack.seen() == before, action
