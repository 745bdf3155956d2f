"""
Games that the program deals, over the way that pages go: lost replies, lost taps, restarts.

Whoever taps decides as a player of the arena: then the game is the arena's, to the last card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from starlette.types import Message, Receive, Scope, Send

from clue_solver.arena.chairs import PERSON, Chairs
from clue_solver.arena.players import find_player
from clue_solver.arena.referee import Referee, decided
from clue_solver.arena.tournament import Tournament
from clue_solver.faces import dealing
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.whole_log import public_of
from clue_solver.knowledge.evidence import seen
from clue_solver.notation import format_line
from clue_solver.record import load_record
from clue_solver.record.files import RecordFile
from clue_solver.rules.observations import Finger, Suggestion
from clue_solver.views.table_talk import said
from tests.deep.chromium import CHROMIUM, barriers
from tests.faces.phones import Phone
from tests.faces.serving import Dealt, Served, dealt, networked
from tests.faces.test_web_dealt import hidden_lines

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

TINY = Path(__file__).parents[3] / "examples" / "tiny.toml"
GAMES = 20
EVENINGS = {
    "classic": ("clue-classic", ("likeliest", "note-taker", "random"), True),
    "classic, freely": (
        "clue-classic",
        ("random", "likeliest", "person", "note-taker"),
        False,
    ),
    "of 2008": ("clue-2008", ("likeliest", "random"), True),
    "of 2015, two": ("clue-2015", ("likeliest", "random"), True),
    "of 2015": ("clue-2015", ("note-taker", "likeliest", "random", "person"), True),
    "diced": ("clue-diced", ("likeliest", "random", "note-taker"), True),
    "diced master": ("clue-diced-master", ("random", "note-taker", "likeliest"), True),
    "watson": ("cluedo-watson", ("note-taker", "likeliest", "random"), True),
    "master": ("master-detective", ("likeliest", "random", "likeliest"), True),
    "own": (str(TINY), ("random", "likeliest"), True),
}
"""Editions, who plays, and whether on a board: ten times twenty games."""


class Evening:
    """
    A game of a tournament at a table: all play on phones, or machines in every second chair.

    Attributes:
        table: The table as it is served now.
        lost: How often something was lost, or began again.
    """

    def __init__(self, path: Path, tournament: Tournament, number: int, *, machines: bool) -> None:
        self.path = path
        self.random = Random(number)
        _, names = tournament.seated(number)
        begun = tournament.begin(number)
        seats = begun.dealt.table.seats
        self.names = dict(zip(seats, names, strict=True))
        self.rngs = {seat: view.rng for seat, view in begun.views.items()}
        self.players = {seat: find_player(name) for seat, name in self.names.items()}
        taken = {
            seat: self.names[seat] if machines and place % 2 else PERSON
            for place, seat in enumerate(seats)
        }
        game = Referee(
            begun.dealt,
            rng=np.random.default_rng([tournament.seed, tournament.seated(number)[0], 1]),
            rngs=list(self.rngs.values()),
            compiled=False,
            each_shows=True,
        )
        self.table = DealtTable(Chairs(game, taken), RecordFile(path))
        self.lost = {"answer": 0, "tap": 0, "table": 0}
        self._turn = 0
        self.stack = ExitStack()
        self.serve()

    def serve(self) -> None:
        self.served: Dealt = self.stack.enter_context(dealt(self.table))
        self.phones: dict[str, Phone] = {}
        for seat, view in self.table.chairs.game.views.items():
            if self.table.chairs.players[seat] == PERSON:
                view.rng = self.rngs[seat]  # whoever taps draws lots elsewhere

    def again(self) -> None:
        """Let the server end, and begin again from what it has saved."""
        self.lost["table"] += 1
        self.stack.close()
        self.table = DealtTable.resume(self.path)
        self.serve()

    def play(self) -> None:
        """Play to the end."""
        with self.stack:
            self.served.settle()
            while (seat := self.table.chairs.person) is not None:
                self.tap(seat)
                self.served.settle()

    def choices(self, seat: str) -> Iterator[object]:
        """What the player of a seat wants to do, the first that is not to go on."""
        game = self.table.chairs.game
        assert game.request is not None
        begins = game.turns != self._turn and game.state.turn == seat
        if begins and game.request.kind != "show":
            self._turn = game.turns
            if self.table.chairs.may_accuse:
                cards = self.players[seat].accuse(game.views[seat])
                if cards is not None:
                    yield tuple(cards)
        yield decided(self.players[seat], game.views[seat], game.request)

    def tap(self, seat: str) -> None:
        """Let the player of a seat decide and tap, whatever becomes of it on the way."""
        choice = next(self.choices(seat))
        luck, number = self.random.random(), self.table.chairs.number
        if luck < 0.05:
            self.again()
        phone = self.phones.setdefault(seat, Phone(self.served, seat))
        phone.load("")
        sent = phone.chosen(choice)
        if luck > 0.9:
            self.lost["answer"] += 1
            phone.send(sent)
            assert self.table.chairs.number > number
        elif luck > 0.85:  # it never arrives, and the server begins again
            self.lost["tap"] += 1
            self.again()
            phone = self.phones.setdefault(seat, Phone(self.served, seat))
        phone.hear(phone.send(sent))
        assert 'role="alert"' not in phone.text
        assert self.table.chairs.number > number


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("name", EVENINGS)
def test_over_the_network_it_is_the_game_of_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(dealing, "REVIEWED", 100)  # the review takes longest
    edition, players, board = EVENINGS[name]
    tournament = Tournament(
        edition=edition, players=players, games=GAMES, seed=43, board=board, compiled=False
    )
    lost: dict[str, int] = {}
    for number in range(1, GAMES + 1):
        played = tournament.play(number)
        path = tmp_path / f"{number}.clue"
        evening = Evening(path, tournament, number, machines=number % 2 == 0)
        evening.play()
        game = evening.table.chairs.game
        assert evening.table.story
        assert game.record == played.record
        assert game.state.winner == played.play().winner
        assert load_record(path).observations == tuple(game.log)
        for what, often in evening.lost.items():
            lost[what] = lost.get(what, 0) + often
    assert min(lost.values()) > 0


class Hand:
    """
    A phone in a hand that taps what is shown, as it comes.

    Attributes:
        faults: Errors of scripts, findings of axe, pages wider than the screen.
        seen: What it was asked.
    """

    def __init__(self, browser: Browser, link: str, seat: str = "") -> None:
        self.context = browser.new_context(
            viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce"
        )
        self.context.set_default_timeout(20_000)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.seen: set[str] = set()
        self.player = find_player("likeliest")
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.goto(link)
        if seat:
            self.page.get_by_role("button", name=f"I am {seat}").tap()
            self.page.locator("#enter").wait_for()

    @property
    def asked(self) -> str:
        return self.page.locator(".decision p").first.inner_text()

    def look(self) -> None:
        """Look for what is in the way of whoever cannot see it, for each kind of question once."""
        kind = re.sub(r"[A-Z]\w+", "", self.asked[1:])
        if kind in self.seen:
            return
        self.seen.add(kind)
        self.faults += [f"{self.asked}: {each}" for each in barriers(self.page, 390)]

    def tap(self, game: Referee) -> None:
        """Tap an answer to what is asked; accuse once it is proved."""
        assert game.request is not None
        view = game.views[game.request.seat]
        self.look()
        if view.proved and self.folded("Accuse").count():
            self.folded("Accuse").locator("summary").tap()
            self.name("I accuse", view.proved)
            return
        match decided(self.player, view, game.request):
            case None:
                self.page.locator('#enter button[value="nothing"]').tap()
            case Suggestion(cards=cards):
                self.name("Suggest", cards)
            case str(choice) if self.page.locator(f'a.square[data-line="{choice}"]').count():
                self.square(choice)
            case str(choice):
                self.page.locator(f'#enter button[value="{choice}"]').tap()
            case Finger(cards=cards):
                self.folded("Point the finger at cards").locator("summary").tap()
                self.name("Point at them", cards)
            case extra:
                line = format_line(extra, view.table)
                self.page.locator(f'#enter button[value="{line}"]').tap()

    def square(self, name: str) -> None:
        """Tap a square of the board, and the button that then takes it."""
        square = self.page.locator(f'#board a.square[data-line="{name}"]')
        square.evaluate("each => each.scrollIntoView({block: 'center'})")
        box = square.bounding_box()
        assert box is not None
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert self.page.locator("#moving button").inner_text() == f"Go to {name}"
        self.page.locator("#moving button").tap()

    def folded(self, title: str) -> Locator:
        """What is unfolded by a title."""
        return self.page.locator("#enter details", has=self.page.get_by_text(title, exact=True))

    def name(self, button: str, cards: tuple[str, ...]) -> None:
        """Choose cards, and send them."""
        sends = self.page.get_by_role("button", name=button, exact=True)
        form = self.page.locator("#enter form", has=sends)
        for card in cards:
            key = form.locator(f'label:has(input[value="{card}"])')
            if not key.locator("input").is_checked():
                key.tap()
        sends.tap()


class Overheard:
    """All that is sent to the pages of a table while the game is on, before it is packed."""

    def __init__(self, served: Served) -> None:
        self.served, self.app = served, served.server.app
        self.sent: dict[str | None, list[bytes]] = {}
        served.server.app = self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        parts: list[bytes] = []

        async def heard(message: Message) -> None:
            parts.append(repr(message.get("headers", ())).encode())
            parts.append(message.get("body", b""))
            await send(message)

        await self.app(scope, receive, heard)
        table = self.served.table
        if not (isinstance(table, DealtTable) and table.over):
            self.sent.setdefault(scope["state"]["door"].eyes.seat, []).extend(parts)

    def check(self) -> None:
        """Hold what was sent to each seat's page against what it has seen."""
        assert isinstance(self.served.table, DealtTable)
        game = self.served.table.chairs.game
        table, hidden, told = game.dealt.table, 0, 0
        for seat, parts in self.sent.items():
            text = unescape(b"".join(parts).decode("utf-8"))
            assert "The envelope held" not in text
            for each in game.log:
                share = seen(each, table=table, viewer=seat)
                lines = {format_line(each, table), said(each, table, viewer=None)}
                if share != each:
                    if share is not None:
                        lines -= {format_line(share, table), said(share, table, viewer=None)}
                    assert not [line for line in lines if line in text]
                    hidden += 1
                elif public_of(each, table) != each:
                    own = said(each, table, viewer=seat)
                    told += any(line in text for line in (*lines, own))
        assert hidden > 3
        assert told > 3 or len(game.log) < 15  # whoever is lucky at once is shown few cards


OURS = """Ida
Leo
Mia
Old Tom

Weapons: spoon, pan, rolling pin, ladle

Attic
Shed
Kitchen
Cellar
Pantry"""


def set_up(page: Page, edition: str, machines: int) -> None:
    """Seat Mum, Dad and Tim on phones, and machines, and let the cards be dealt."""
    before = page.locator("#state").get_attribute("data-version")
    page.locator("summary", has_text="Edition").tap()
    chosen = page.locator(f'input[name="edition"][value="{edition}"]')
    if not chosen.is_checked():  # the classic one may stand there already
        page.locator("label.key", has=chosen).tap()
        page.wait_for_function(
            "was => document.getElementById('state').dataset.version !== was", arg=before
        )
    if edition == "own":
        page.fill("#suspects", OURS)
        page.locator("button[name=change]").tap()
        page.get_by_text("4 suspects, 4 weapons and 5 rooms.").wait_for()
    for number, name in enumerate(("Mum", "Dad", "Tim", *[""] * machines), 1):
        page.get_by_label(f"Name {number}", exact=True).fill(name)
        page.get_by_label(f"Who plays {number}", exact=True).select_option("" if name else "easy")
    with page.expect_response(lambda answer: answer.request.method == "GET"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # from another app
    page.wait_for_timeout(50)
    assert page.get_by_label("Name 1", exact=True).input_value() == "Mum"
    assert barriers(page, 390) == []
    page.get_by_text("Deal the cards").tap()


@pytest.mark.long(keep=1)
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")
@pytest.mark.parametrize(
    "edition",
    ["clue-classic", "cluedo-watson", "clue-2015", "clue-diced", "master-detective", "own"],
)
def test_a_familys_evening_by_taps(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edition: str
) -> None:
    """Set up on the page; three play on phones, and machines."""
    monkeypatch.setattr(dealing, "REVIEWED", 100)  # the review takes longest
    path = tmp_path / "game.clue"
    table = LoggedTable(keep=lambda: path)
    table.given = {"deals": "program", "board": "on"}
    with networked(table) as served:
        overheard = Overheard(served)
        host = Hand(browser, served.url)
        page = host.page
        machines = ["Lestrade", "Japp"][: 1 if edition == "clue-diced" else 2]  # it is for four
        set_up(page, edition, len(machines))
        join = page.locator("a.join").get_attribute("href") or ""
        hands = {seat: Hand(browser, join, seat) for seat in ("Mum", "Dad", "Tim")}
        page.get_by_role("link", name="Play").tap()
        dealt = served.table
        assert isinstance(dealt, DealtTable)
        chairs = dealt.chairs
        people = dict.fromkeys(("Mum", "Dad", "Tim"), PERSON)
        assert chairs.players == people | dict.fromkeys(machines, "easy")
        while not dealt.over:
            seat, number = chairs.person, chairs.number
            if seat not in hands:
                page.wait_for_timeout(20)
                continue
            hand = hands[seat]
            hand.page.wait_for_selector(
                f'#enter input[name="at"][value="{number}"]', state="attached"
            )
            hand.tap(chairs.game)
            hand.page.wait_for_function(
                "number => !document.querySelector(`#enter input[name=at][value='${number}']`)",
                arg=number,
            )
        for each in (*hands.values(), host):
            each.page.get_by_text("The game is over.").wait_for()
            each.page.get_by_role("heading", name="The review").wait_for()
            each.look()
            assert each.faults == []
            each.context.close()
        assert dealt.trouble == ""
        overheard.check()
    assert load_record(path).observations == tuple(chairs.game.log)


def test_no_page_has_a_line_that_its_seat_may_not_know(tmp_path: Path) -> None:
    assert hidden_lines(tmp_path / "game.clue", "clue-2015") > 100
