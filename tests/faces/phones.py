"""
Phones at a table: what they show, what is tapped on them, and what becomes of it on the way.

The forms of a page: what each of their buttons would send.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, urlencode

import httpx

from clue_solver.notation.canonical import format_line
from clue_solver.rules.observations import Finger, Suggestion

if TYPE_CHECKING:  # a phone alone has no client of tests
    from tests.faces.serving import Served


class Sent(NamedTuple):
    """What a tap sends: where to, and what of it."""

    action: str
    said: Mapping[str, list[str]]


def buttons(text: str, action: str) -> dict[str, Sent]:
    """What each button of a page's forms of a kind would send, by what it sends itself or says."""
    found: dict[str, Sent] = {}
    for where, form in re.findall(
        rf'<form[^>]*action="([^"]+/{action})"[^>]*>(.*?)</form>', text, re.S
    ):
        said: dict[str, list[str]] = {}
        for field in re.findall(r"<input([^>]*)>", form):
            name, value = (re.search(rf'{key}="([^"]*)"', field) for key in ("name", "value"))
            if 'type="hidden"' in field and name:
                said.setdefault(name[1], []).append(unescape(value[1] if value else ""))
        for button, label in re.findall(r"<button([^>]*)>(.*?)</button>", form, re.S):
            name, value = (re.search(rf'{key}="([^"]*)"', button) for key in ("name", "value"))
            own = {name[1]: [unescape(value[1])]} if name and value else {}
            shown = re.sub(r'<span[^>]*aria-hidden="true">.*?</span>', "", label)
            plain = " ".join(unescape(re.sub(r"<[^>]*>", "", shown)).split())
            sent = Sent(where, said | own)
            found.setdefault(plain, sent)
            if value:
                found.setdefault(unescape(value[1]), sent)
    return found


def joined(client: httpx.Client, recorder: str) -> dict[str, str]:
    """Take each free seat of a table, and return the addresses of the players' pages."""
    taken = {}
    page = client.get(f"{recorder}?tab=table").text
    for join in re.findall(r'class="seat-link join" href="([^"]+)"', page):
        for seat in re.findall(r'name="seat" value="([^"]+)">I am', client.get(join).text):
            answer = client.post(f"{join}/join", data={"seat": seat})
            taken[seat] = join.rpartition("/")[0] + answer.headers["Content-Location"]
    return taken


class Phone:
    """
    One page on one phone, by what it shows alone.

    Attributes:
        text: The page as it is shown.
        query: The address after `?`, which outlives a reload.
    """

    def __init__(self, served: Served, seat: str | None = None) -> None:
        self.served = served
        self.seat = seat
        served.sit(seat)
        self.link = served.of(seat)
        self.query = ""
        self.text = ""
        self.load()

    def load(self, href: str | None = None) -> None:
        """Show a page, or the same again."""
        if href is not None:
            self.query = href.partition("?")[2]
        answer = self.served.client.get(f"{self.link}?{self.query}" if self.query else self.link)
        assert answer.status_code == 200, (self.link, answer.text)
        self.text = answer.text

    def tap(self, label: str) -> bool:
        """Follow the link that says this; return whether it is there."""
        for link, inner in re.findall(r"<a([^>]*)>(.*?)</a>", self.text, re.S):
            if unescape(re.sub(r"<[^>]*>", "", inner)).strip() == label:
                where = re.search(r'href="([^"]*)"', link)
                assert where is not None
                self.load(unescape(where[1]))
                return True
        return False

    def buttons(self, action: str = "tell") -> dict[str, Sent]:
        """What each button of a kind would send, by what it sends itself or says."""
        return buttons(self.text, action)

    def send(self, sent: Sent) -> httpx.Response:
        """Let something arrive at the server; the answer is on its way."""
        return self.served.client.post(f"{self.served.origin}{sent.action}", data=dict(sent.said))

    def hear(self, answer: httpx.Response) -> None:
        """Show an answer, at the address that a reload asks for."""
        assert answer.status_code == 200, answer.text
        self.text = answer.text
        self.query = answer.headers.get("Content-Location", "").partition("?")[2]

    def press(self, label: str, action: str = "tell") -> None:
        """Press a button, and hear of it."""
        self.hear(self.send(self.buttons(action)[label]))

    def chosen(self, choice: object) -> Sent:
        """What is sent by tapping a choice of the game, as `Referee.choices` has it."""
        every = self.buttons("answer")
        match choice:
            case None:
                return every["nothing"]
            case Suggestion(cards=cards):
                return self.naming("answer", "Suggest", *cards)
            case Finger(cards=cards):
                return self.naming("answer", "Point at them", *cards)
            case tuple():
                sent = self.naming("answer", "I accuse", *choice)
                return sent._replace(said={**sent.said, "sure": ["yes"]})
            case str() if choice in every:
                return every[choice]
            case str():  # a square
                sent = every["nothing"]
                return sent._replace(said={**sent.said, "what": ["move"], "choice": [choice]})
        line = format_line(choice, self.served.table.recorder.game.record.table)  # type: ignore[arg-type]
        return every[line]

    def naming(self, action: str, button: str, *names: str) -> Sent:
        """What the button of a form sends once what has these names is chosen in it."""
        sent = self.buttons(action)[button]
        (form,) = [
            form
            for form in re.findall(r"<form.*?</form>", self.text, re.S)
            if f'/{action}"' in form and f">{button}</button>" in form
        ]
        said = {
            name: [unescape(value)]
            for name, value in re.findall(r'type="radio" name="([^"]*)" value="([^"]*)"', form)
            if unescape(value) in names
        }
        assert len(said) == len(names), (names, form)
        return sent._replace(said={**sent.said, **said})

    def half(self, by: str, *cards: str) -> None:
        """Choose who asks and some cards, which stand in the address with the page's version."""
        (at, *_) = re.findall(r'name="at" value="([^"]*)"', self.text)
        if "at=" in self.query and not self.late:
            at = parse_qs(self.query)["at"][0]
        self.query = urlencode([("by", by), *(("pick", card) for card in cards), ("at", at)])

    @property
    def drafted(self) -> tuple[str, ...]:
        """Who asks, and the cards, as the address has them."""
        said = parse_qs(self.query)
        return (*said.get("by", ()), *said.get("pick", ()))

    @property
    def late(self) -> bool:
        """Whether the page says that something was changed meanwhile, and nothing was logged."""
        return 'id="late"' in self.text

    def choose(self, line: str) -> bool:
        """Tap a suggestion up to its answers; return whether the whole line can be tapped now."""
        by, _, cards = line.partition(":")[0].partition(" suggests ")
        self.load("")
        if not cards and line not in self.buttons():
            self.load(f"?by={by.removesuffix(' skips')}")
        if cards:
            self.hear(self.send(self.naming("ask", "Who shows a card?", by, *cards.split(", "))))
        return line in self.buttons()
