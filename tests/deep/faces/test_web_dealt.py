"""
Games that the program deals, over the way that pages go: lost replies, lost taps, restarts.

Whoever taps decides as a player of the arena: then the game is the arena's, to the last card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from clue_solver import load_edition
from clue_solver.arena.chairs import PERSON, Chairs
from clue_solver.arena.players import find_player
from clue_solver.arena.referee import Referee, decided
from clue_solver.arena.tournament import Tournament
from clue_solver.faces.web import dealt as dealt_tables
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.record import load_record
from clue_solver.record.files import RecordFile
from tests.deep.faces.conftest import AXE, CHROMIUM
from tests.deep.faces.test_web_games import LOOK
from tests.faces.phones import Phone
from tests.faces.serving import Dealt, dealt, networked

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TINY = Path(__file__).parents[3] / "examples" / "tiny.toml"
GAMES = 20
EVENINGS = {
    "classic": ("clue-classic", ("likeliest", "note-taker", "random"), True),
    "classic, freely": (
        "clue-classic",
        ("random", "likeliest", "most-unknown", "note-taker"),
        False,
    ),
    "of 2008": ("clue-2008", ("likeliest", "random"), True),
    "of 2015, two": ("clue-2015", ("likeliest", "random"), True),
    "of 2015": ("clue-2015", ("note-taker", "likeliest", "random", "most-unknown"), True),
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
        self.players = {seat: find_player(name)() for seat, name in self.names.items()}
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
    monkeypatch.setattr(dealt_tables, "REVIEWED", 100)  # the review takes longest
    edition, players, board = EVENINGS[name]
    tournament = Tournament(
        edition=edition, players=players, games=GAMES, seed=43, board=board, compiled=False
    )
    lost: dict[str, int] = {}
    for number in range(1, GAMES + 1):
        played = tournament.play(number, keep=True)
        path = tmp_path / f"{number}.clue"
        evening = Evening(path, tournament, number, machines=number % 2 == 0)
        evening.play()
        game = evening.table.chairs.game
        assert evening.table.story
        assert game.record == played.record
        assert game.state.winner == played.how.winner
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

    def __init__(self, browser: Browser, link: str, seed: int) -> None:
        self.context = browser.new_context(
            viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce"
        )
        self.context.set_default_timeout(20_000)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.seen: set[str] = set()
        self.random = Random(seed)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.goto(link)

    @property
    def asked(self) -> str:
        return self.page.locator(".decision p").first.inner_text()

    def look(self) -> None:
        """Look for what is in the way of whoever cannot see it, for each kind of question once."""
        kind = re.sub(r"[A-Z]\w+", "", self.asked[1:])
        if kind in self.seen:
            return
        self.seen.add(kind)
        if self.page.evaluate("!window.axe"):
            self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate(LOOK)
        if self.page.evaluate("document.documentElement.scrollWidth") != 390:
            found.append("wider than the screen")
        self.faults += [f"{self.asked}: {each}" for each in found]

    def tap(self, game: Referee) -> None:
        """Tap an answer to what is asked; accuse once it is proved."""
        assert game.request is not None
        view = game.views[game.request.seat]
        self.look()
        page = self.page
        if view.proved and page.locator("#accusing").count():
            page.locator("#accusing summary").tap()
            self.name("#accuses", view.proved)
            return
        rooms = page.locator("#answering button:not(:has-text('towards'))")
        if page.locator("#naming").count():
            self.name("#naming", self.random.choice([*view.state.suggestions()]))
        elif rooms.count():
            self.random.choice(rooms.all()).tap()
        elif page.locator("#board a.square").count():
            square = self.random.choice(page.locator("#board a.square").all())
            square.evaluate("each => each.scrollIntoView({block: 'center'})")
            box = square.bounding_box()
            assert box is not None
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            assert page.locator("#moving button").inner_text().startswith("Go to ")
            page.locator("#moving button").tap()
        elif page.locator("#answering button").count():
            self.random.choice(page.locator("#answering button").all()).tap()
        else:
            page.locator("#declining button").tap()

    def name(self, form: str, cards: tuple[str, ...]) -> None:
        for card in cards:
            key = self.page.locator(f'{form} label:has(input[value="{card}"])')
            if not key.locator("input").is_checked():
                key.tap()
        self.page.locator(f"{form} button").tap()


@pytest.mark.long(keep=1)
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")
@pytest.mark.parametrize("edition", ["clue-classic", "cluedo-watson", "clue-2015", "clue-diced"])
def test_a_whole_game_by_taps_of_two_phones_and_two_machines(
    browser: Browser, tmp_path: Path, edition: str
) -> None:
    players = {"Mum": PERSON, "Watson": "beginner", "Tim": PERSON, "Hastings": "beginner"}
    path = tmp_path / "game.clue"
    table = DealtTable.deal(load_edition(edition), players, path, seed=8, board=True)
    chairs = table.chairs
    with networked(table) as served:
        hands = {
            seat: Hand(browser, served.of(seat), number)
            for number, seat in enumerate(("Mum", "Tim"))
        }
        host = Hand(browser, served.url, 0)
        while not table.over:
            seat, number = chairs.person, chairs.number
            if seat is None:
                host.page.wait_for_timeout(20)
                continue
            hand = hands[seat]
            hand.page.wait_for_selector(
                f'#enter input[name="number"][value="{number}"]', state="attached"
            )
            hand.tap(chairs.game)
            hand.page.wait_for_function(
                "number => !document.querySelector(`#enter input[name=number][value='${number}']`)",
                arg=number,
            )
        for each in (*hands.values(), host):
            each.page.get_by_text("The game is over.").wait_for()
            each.page.get_by_role("heading", name="The review").wait_for()
            each.look()
            assert each.faults == []
            each.context.close()
        assert table.trouble == ""
    assert load_record(path).observations == tuple(chairs.game.log)
