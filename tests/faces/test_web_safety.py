"""Who is let in, and how much of it: by calls, without a network."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from clue_solver.errors import ArgumentError
from clue_solver.faces.web.home import Home
from clue_solver.faces.web.running import Reach, listening_at, opens, serve
from clue_solver.faces.web.thinking import Worker
from tests.conversation.test_session import START
from tests.faces.serving import HERE, called


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


def test_a_name_is_let_in_by_being_allowed(tmp_path: Path) -> None:
    told: list[str] = []
    place = HERE._replace(allowed=("clue.example.org",))
    home = Home(place, tell=told.append, folder=tmp_path)

    def status(host: str, how: str = "GET", *, origin: str = "", scheme: str = "http") -> int:
        headers = {"host": host} | ({"origin": origin} if origin else {})
        path = home.address.removeprefix(home.origin)
        with TestClient(home.app, base_url=f"{scheme}://table") as client:
            return int(client.request(how, path, headers=headers).status_code)

    hosts = ("clue.example.org", "CLUE.example.org:443", "evil.example.org", "127.0.0.1:8477")
    assert [status(host) for host in hosts] == [200, 200, 403, 200]
    assert told == [
        "testclient was refused: evil.example.org is not a name of this machine; "
        "--allow evil.example.org would let it in"
    ]
    origins = ("https://clue.example.org", "https://evil.example.org")
    found = [status("clue.example.org", "POST", origin=origin) for origin in origins]
    assert (found[0] == 403, found[1]) == (False, 403)
    assert status("127.0.0.1", scheme="https") == 403  # another port
    home.close()


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
