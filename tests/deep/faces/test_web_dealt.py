"""Games that the program deals, by taps in browsers, and all that is sent to their pages."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clue_solver.arena.chairs import PERSON
from clue_solver.arena.players import find_player
from clue_solver.arena.referee import Referee, decision_of
from clue_solver.faces import dealing
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.notation.canonical import format_line
from clue_solver.record.files import load_record
from clue_solver.rules.observations import Finger, Suggestion
from tests.arena.arena_games import hands_last
from tests.deep.chromium import CHROMIUM, barriers, pocket
from tests.deep.faces.test_web_browser import Thumb, touch
from tests.faces.serving import networked
from tests.faces.test_web_dealt import THREE, Overheard, begun, hidden_lines, played_by

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Frame, Locator, Page


class Hand(Thumb):
    """
    A phone in a hand that taps what is shown, as it comes.

    Attributes:
        seen: What it was asked.
        boards: Where the board stood, as it was asked: a turn leaves it in its place, unless a list
            of cards is there instead.
    """

    def __init__(self, context: BrowserContext, link: str) -> None:
        super().__init__(context, link)
        self.seen: set[str] = set()
        self.boards: set[str] = set()
        self.player = find_player("likeliest")

    def look(self) -> list[str]:
        """What is in the way of whoever cannot see the page."""
        return barriers(self.page, 390)

    def look_once(self) -> None:
        """Look for what is in the way, for each kind of question once."""
        question = self.page.locator(".decision p").first.inner_text()
        kind = re.sub(r"[A-Z]\w+", "", question[1:])
        if kind not in self.seen:
            self.trouble += [f"{question}: {each}" for each in self.look()]
        self.seen.add(kind)
        self.boards |= set(filter(None, [self.page.evaluate(BOARD)]))

    def decide(self, game: Referee) -> None:
        """Tap an answer to what is asked; accuse once it is proved."""
        assert game.request is not None
        view = game.views[game.request.seat]
        self.look_once()
        if view.proved and self.folded("Accuse").count():
            self.folded("Accuse").locator("summary").tap()
            self.name("Accuse", view.proved)
            self.page.get_by_role("button", name="Yes, I accuse").tap()
            return
        match decision_of(self.player, view, game.request):
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
                self.name("Point the finger at cards", cards)
            case extra:
                line = format_line(extra, view.table)
                self.page.locator(f'#enter button[value="{line}"]').tap()

    def square(self, name: str) -> None:
        """Tap a square of the board, and the button that then takes it."""
        touch(self.page, f'#board a.square[data-line="{name}"]')
        self.page.locator("#enter button.main").tap()

    def folded(self, title: str) -> Locator:
        """What is unfolded by a title."""
        return self.page.locator("#enter details", has=self.page.get_by_text(title, exact=True))

    def name(self, way: str, cards: tuple[str, ...]) -> None:
        """Choose cards, and send them."""
        form = self.page.locator(f'#enter form:has([name="what"][value="{way}"]):has(.columns)')
        for card in cards:
            key = form.locator(f'label:has(input[value="{card}"])')
            if not key.locator("input").is_checked():
                key.tap()
        form.locator(".big").tap()


def hand(browser: Browser, link: str, seat: str = "") -> Hand:
    """Take another phone to a table, and a seat of it."""
    found = Hand(pocket(browser, 390, 844), link)
    if seat:
        found.page.get_by_role("button", name=f"I am {seat}").tap()
        found.page.locator("main.tab-enter").wait_for()
    return found


BOARD = """(({left, top, width}) => width && [left, top + scrollY, width].join())(
document.querySelector('svg.board, main').getBoundingClientRect())"""
WHOLE = """document.querySelector('svg.board').getBoundingClientRect().bottom <=
document.querySelector('#enter').getBoundingClientRect().top + 1"""
OURS = {
    "suspects": "Ida\nLeo\nMia\nOld Tom",
    "weapons": "spoon, pan, rolling pin, ladle",
    "rooms": "Attic\nShed\nKitchen\nCellar\nPantry",
}
"""A deck of one's own, as somebody types it."""


def choose_deck(page: Page | Frame, edition: str) -> None:
    """Choose the edition of a game that is set up, or type a deck of one's own."""
    chosen = f'input[name="edition"][value="{edition}"]'
    page.locator("summary", has_text="Edition").tap()
    page.locator("label.key", has=page.locator(chosen)).tap()
    page.wait_for_selector(f"{chosen}[checked]", state="attached")
    if edition == "own":
        for kind, names in OURS.items():
            page.fill(f"#{kind}", names)
        page.locator("button[name=change]").tap()
        page.get_by_text("4 suspects, 4 weapons and 5 rooms.").wait_for()


def set_up(page: Page, edition: str, machines: int) -> None:
    """Seat Mum, Dad and Tim on phones, and machines, and let the cards be dealt."""
    choose_deck(page, edition)
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
    monkeypatch.setattr(dealing, "REVIEW_SAMPLE", 100)  # the review takes longest
    path = tmp_path / "game.clue"
    table = LoggedTable(keep=lambda: path)
    table.typed = {"deals": "program", "board": "on"}
    with networked(table) as served:
        overheard = Overheard(served)
        host = hand(browser, served.url)
        page = host.page
        machines = ["Lestrade", "Japp"][: 1 if edition == "clue-diced" else 2]  # it is for four
        set_up(page, edition, len(machines))
        join = page.locator("a.join").get_attribute("href") or ""
        hands = {seat: hand(browser, join, seat) for seat in ("Mum", "Dad", "Tim")}
        page.get_by_role("link", name="Play").tap()
        dealt = served.table
        assert isinstance(dealt, DealtTable)
        chairs = dealt.chairs
        people = dict.fromkeys(("Mum", "Dad", "Tim"), PERSON)
        assert chairs.players == people | dict.fromkeys(machines, "easy")
        while not dealt.over:
            seat, number = chairs.person, chairs.decision_count
            if seat not in hands:
                page.wait_for_timeout(20)
                continue
            asked = hands[seat]
            asked.page.wait_for_selector(
                f'#enter input[name="at"][value="{number}"]', state="attached"
            )
            asked.decide(chairs.game)
            asked.page.wait_for_function(
                "number => !document.querySelector(`#enter input[name=at][value='${number}']`)",
                arg=number,
            )
        for each in (*hands.values(), host):
            each.page.get_by_text("The game is over.").wait_for()
            each.page.get_by_role("heading", name="The review").wait_for()
            assert len(each.boards) <= 1
            assert each.page.locator("#holding").is_visible() == (each is not host)
            each.look_once()
            assert each.trouble == []
            each.page.context.close()
        assert dealt.trouble == ""
        hidden, told = overheard.check()
        assert hidden > 3
        assert told > 3 or len(chairs.game.log) < 15  # whoever is lucky at once is shown few cards
    assert load_record(path).observations == hands_last(chairs.game)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")
def test_on_a_small_phone_no_key_covers_the_board(browser: Browser, tmp_path: Path) -> None:
    table = begun(tmp_path / "game.clue", players=THREE)
    page = browser.new_page(viewport={"width": 360, "height": 640})
    with networked(table) as served:
        for _ in range(15):  # a turn of each
            request = table.chairs.game.request
            assert request is not None
            served.sit(request.seat)
            page.goto(served.of(request.seat))
            assert page.evaluate(WHOLE), request
            choice = played_by(table)
            served.in_turn(partial(table.decide, choice))
    page.close()


def test_no_page_has_a_line_that_its_seat_may_not_know(tmp_path: Path) -> None:
    assert hidden_lines(tmp_path / "game.clue", "clue-2015") > 100
