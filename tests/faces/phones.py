"""
A page on a phone: what it shows, what somebody does on it, and what becomes of that on the way.

Each button of a page's forms, by what it says: what it would send.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs

import httpx

from clue_solver.notation.canonical import format_line
from clue_solver.rules.observations import Finger, Suggestion

if TYPE_CHECKING:  # a phone alone has no client of tests
    from tests.faces.alone import Browser
    from tests.faces.serving import Served


def words(text: str) -> str:
    """What a page says to whoever hears it."""
    heard = re.sub(r'<span[^>]*aria-hidden="true">.*?</span>', "", text, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]*>", "", heard)).split())


def begun(story: str) -> str:
    """The record with which a story of `pages.txt` begins; nothing if its game is to be set up."""
    head = [line[2:] for line in story.splitlines() if line[0] == "@"]
    if "new" in head:
        return ""
    keys = {"edition": "clue-classic", "players": "Ann, Ben, Cat"}
    keys |= dict(line.split(": ", 1) for line in head if ": " in line and line[0] != ".")
    log = (line[2:] for line in head if line[0] == ".")
    return "\n".join((*(f"{key}: {value}" for key, value in keys.items()), "", *log, ""))


class Sent(NamedTuple):
    """What a tap sends: where to, and what of it."""

    action: str
    said: Mapping[str, list[str]]


def buttons(text: str, action: str) -> dict[str, Sent]:
    """What each button of the forms of one kind would send, by its value and by its label."""
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
            sent = Sent(where, said | own)
            found.setdefault(words(label), sent)
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


def tapped(line: str) -> str:
    """Return what the key of a line logs: who shows, without the passes that follow from it."""
    return re.sub(r"\w+ passes, ", "", line)


class Phone:
    """
    One page on one phone, by what it shows alone, and what is done on it.

    Attributes:
        text: The page as it is shown.
        query: The address after `?`, which outlives a reload.
        sent: What was sent last.
    """

    def __init__(
        self, served: Served | Browser, seat: str | None = None, *, link: str = ""
    ) -> None:
        self.served, self.seat = served, seat
        served.sit(seat)
        self.link = link or served.of(seat)
        self.query = self.text = ""
        self.sent = Sent("", {})
        self.load()

    def load(self, href: str | None = None) -> None:
        """Show a page, or the same again."""
        if href is not None:
            self.query = href.partition("?")[2]
        answer = self.served.client.get(f"{self.link}?{self.query}" if self.query else self.link)
        assert answer.status_code == 200, (self.link, answer.text)
        self.text = answer.text

    def steps(self) -> None:
        """Let a machine do one thing, however often that is tapped, and look at what it did."""
        lines = self.served.lines()  # type: ignore[union-attr]
        self.taps("Next")
        self.send(self.sent)
        while self.served.lines() == lines:  # type: ignore[union-attr]
            self.served.work()
        self.load()

    def buttons(self, action: str = "tell") -> dict[str, Sent]:
        """What each button of one kind would send, by its value and by its label."""
        return buttons(self.text, action)

    def send(self, sent: Sent) -> httpx.Response:
        """Let something arrive at the server; the answer is on its way."""
        there = httpx.URL(self.link).join(sent.action)
        return self.served.client.post(there, data=dict(sent.said))

    def hear(self, answer: httpx.Response) -> None:
        """Show an answer, at the address that a reload asks for."""
        assert answer.status_code == 200, answer.text
        self.text = answer.text
        there = answer.headers.get("Content-Location", "" if answer.history else self.link)
        self.link, _, self.query = str(answer.url.join(there)).partition("?")

    def waits(self) -> bool:
        """Wait until somebody is asked something, or all is over; return whether they are asked."""
        while True:
            self.load()
            if "Without taps" in self.text:
                self.taps("Without taps")
            asked = bool(self.buttons("answer"))
            if asked or "<h2>The review</h2>" in self.text:
                return asked
            self.served.work()

    def sends(self, sent: Sent, **said: str | list[str]) -> None:
        """Send a form with what is filled in, and hear of it."""
        more = {name: [each] if isinstance(each, str) else each for name, each in said.items()}
        self.sent = sent._replace(said={**sent.said, **more})
        self.hear(self.send(self.sent))

    def taps(self, label: str) -> None:
        """Press the button, or follow the link, that says this or begins so."""
        links: dict[str, str] = {}
        for before, href, after, inner in re.findall(
            r'<a ([^>]*)href="([^"]*)"([^>]*)>(.*?)</a>', self.text, re.S
        ):
            said = re.search(r'aria-label="([^"]*)"', before + after)
            links.setdefault(said[1] if said else words(inner), unescape(href))
        sends = self.buttons(r"\w+")
        begun = (each for each in (*sends, *links) if each.startswith(label))
        named = label if label in sends or label in links else next(begun, "")
        if named in links:
            self.load(links[named])
        else:
            assert named, (label, [*sends, *links])
            self.sends(sends[named])

    def does(self, deed: str) -> None:
        """Do what a line of a story says, such as `ticks Plum, Rope, Hall`."""
        verb, _, rest = deed.partition(" ")
        match verb:
            case "looks":  # at a part of the page
                self.load(f"?{rest}")
            case "reloads":
                self.load()
            case "taps":
                self.taps(rest)
            case "types":  # a seat says first that it knows something
                if "Log" not in self.buttons():
                    self.taps("I know something about a card")
                self.sends(self.buttons()["Log"], line=rest)
            case "ticks":
                self.sends(self.buttons("hand")["This is my hand"], card=rest.split(", "))
            case "picks":
                self.picks(rest)
            case "chooses":  # where the program deals
                self.sends(self.chosen(rest))
            case "names":
                button, _, cards = rest.partition(": ")
                self.sends(self.naming(button, *cards.split(", ")))
            case "posts":  # what anybody could send, from the page that is shown
                action, _, fields = rest.partition(" ")
                marks = {
                    name: re.findall(rf'name="{name}" value="([^"]*)"', self.text)[-1:]
                    for name in ("at", "once")
                }
                said = marks | parse_qs(fields, keep_blank_values=True, separator="; ")
                self.sends(Sent(f"{self.link}/{action}", said))
            case "thinks":
                self.served.think(self.seat)
                self.load()
            case "waits":
                self.waits()
            case "steps":
                self.steps()
            case "sees":
                there = rest.removeprefix("no ") in words(self.text)
                assert there != rest.startswith("no "), (deed, words(self.text))
            case "again":  # what was sent last arrives once more
                self.hear(self.send(self.sent))
            case _:
                raise ValueError(deed)

    def picks(self, asked: str) -> None:
        """Choose who asks for which cards, `Ann asks Plum, Rope, Hall`, or who is on turn."""
        by, _, cards = asked.partition(" asks ")
        self.load(f"?by={by}")
        if cards:
            self.sends(self.naming("Who shows a card?", by, *cards.split(", ")))

    def chosen(self, choice: object) -> Sent:
        """What is sent by tapping a choice of the game, as `Referee.choices` has it."""
        every = self.buttons("answer")
        match choice:
            case None:
                return every["nothing"]
            case Suggestion(cards=cards):
                return self.naming("Suggest", *cards)
            case Finger(cards=cards):
                return self.naming("Point at them", *cards)
            case tuple():
                sent = self.naming("I accuse", *choice)
                return sent._replace(said={**sent.said, "sure": ["yes"]})
            case str() if choice in every:
                return every[choice]
            case str():  # a square
                sent = every["nothing"]
                return sent._replace(said={**sent.said, "what": ["move"], "choice": [choice]})
        line = format_line(choice, self.served.table.recorder.game.record.table)  # type: ignore[arg-type, union-attr]
        return every[line]

    def naming(self, button: str, *names: str) -> Sent:
        """What a form sends by this button once these names are chosen in it."""
        sent = self.buttons(r"\w+")[button]
        (form,) = [
            form
            for form in re.findall(r"<form.*?</form>", self.text, re.S)
            if f">{button}</button>" in form
        ]
        said = {
            name: [unescape(value)]
            for name, value in re.findall(r'type="radio" name="([^"]*)" value="([^"]*)"', form)
            if unescape(value) in names
        }
        assert len(said) == len(names), (names, form)
        return sent._replace(said={**sent.said, **said})

    @property
    def late(self) -> bool:
        """Whether the page says that something was changed meanwhile, and nothing was logged."""
        return 'id="late"' in self.text
