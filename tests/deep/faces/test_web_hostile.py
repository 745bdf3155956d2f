"""Hostile requests at a club of two tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import NamedTuple

import httpx

from tests.faces.phones import joined
from tests.faces.serving import unthinking
from tests.faces.test_web import HANDS, SHARED
from tests.faces.test_web_home import Evening, evening

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
    """Yield requests of somebody who has no link, or asks by another name or from elsewhere."""
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
    strangers: list[dict[str, str]] = [
        *({"host": name} for name in ("example.org", "127.0.0.1", "127.0.0.1:1", "localhost", "")),
        {"host": "127.0.0.1.example.org:80", "x-forwarded-host": "127.0.0.1"},
        *({"origin": site} for site in ("http://example.org", "null", "http://localhost:1")),
    ]
    for way, headers in product(("GET", "POST", "HEAD"), strangers):
        yield Asked(way, f"{origin}/{secret}", headers)
    for site in ("cross-site", "same-site"):
        yield Asked("POST", f"{origin}/{secret}/undo", {"sec-fetch-site": site})


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
    for path in (
        "/static/../../tables.py",
        "/static/%2e%2e/pages.py",
        "/static/",
        "/record.clue/x",
    ):
        yield Asked("GET", page + path)


class Attack:
    """
    Two tables, and Ann's link at the first of them.

    Attributes:
        page: Ann's page.
        others: All other pages of both tables.
    """

    def __init__(self, club: Evening, *names: str) -> None:
        self.client = club.client
        recorders = [table.url for table in club.open(*names)]
        for server in club.home.servers:
            unthinking(server)
        seats = [joined(self.client, recorder) for recorder in recorders]
        for pages in seats:
            for seat, page in pages.items():
                answer = self.client.post(f"{page}/hand", data={"card": HANDS[seat]})
                assert answer.status_code == 200
        self.page, *rest = seats[0].values()
        self.others = [*recorders, *rest, *seats[1].values()]
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

    def seen(self) -> list[bytes]:
        """Return what the others' pages show in each of their parts."""
        parts = ("", "?tab=sheet", "?tab=log", "?tab=table", "?tab=sheet&card=Plum&holder=Ben")
        return [self.client.get(page + part).content for page in self.others for part in parts]


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
            ("undo", {}),
            ("tell", {"line": "Ben lacks Plum # mine"}),
            ("delete", {"entry": "3"}),
        ):
            own = club.client.get(attack.page).text
            answer = club.client.post(f"{attack.page}/{action}", data=data)
            assert answer.status_code == 200, (action, answer.status_code)
            assert "data-stays" not in answer.text, action
            assert club.client.get(attack.page).text != own
            assert attack.seen() == before, action
