"""The page in a real browser: touch, several phones, a reload, a dropped connection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clue_solver.faces.web.thinking import Thinking
from tests.conversation.test_session import START
from tests.deep.chromium import CHROMIUM, barriers, pocket
from tests.faces.phones import begun
from tests.faces.serving import Served, served
from tests.rows import blocks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Frame, Page, Route

STORIES = Path(__file__).with_name("phones.txt")

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A small phone."""
    found = pocket(browser, 360, 740)
    yield found
    found.close()


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "game.clue", START) as found:
        yield found


@pytest.fixture
def unthinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts are not what these tests are about, and take longest."""
    monkeypatch.setattr(Thinking, "think_further", lambda *_: None)


class Thumb:
    """A phone with a page, and a seat's if it is one's."""

    def __init__(self, context: BrowserContext, url: str, seat: str | None = None) -> None:
        self.page: Page = context.new_page()
        self.seat = seat
        self.trouble: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", self._heard)
        self.page.goto(url)

    def _heard(self, said: ConsoleMessage) -> None:
        if said.type == "error" and "Failed to load" not in said.text:
            self.trouble.append(said.text)

    def cards(self, *cards: str) -> None:
        for card in cards:
            self.page.locator(f'.column label:has(input[value="{card}"])').first.tap()

    def asker(self, seat: str) -> None:
        self.page.locator(f'.askers label:has(input[value="{seat}"])').first.tap()

    def does(self, deed: str, served: Served) -> None:
        """Do, or wait for, what a line of `phones.txt` says."""
        verb, _, rest = deed.partition(" ")
        page = self.page
        match verb, rest:
            case "asks", _:
                self.asker(rest)
            case "picks", _:
                self.cards(*rest.split(", "))
            case "has", _:  # chosen
                assert page.evaluate(CHOSEN) == rest.split(", ")
            case "writes", _:  # a line, which is not sent
                for fold in ("#more", "#typed"):
                    if page.locator(f"{fold}:not([open])").count():
                        page.locator(f"{fold}>summary").tap()
                page.fill("#line", rest)
            case "holds", _:
                assert page.input_value("#line") == rest
            case "taps", _:
                self.presses(rest)
            case "told", _:
                self.told(rest)
            case "sees", _:
                self.sees(rest)
            case "is", "offline" | "online":
                page.context.set_offline(rest == "offline")
            case "is", _:  # asked for these cards
                page.locator("#asked .opened .card").first.wait_for()
                assert " | ".join(page.evaluate(OPENED)) == rest.removeprefix("asked ")
            case "sleeps" | "wakes", _:
                state = {"state": "frozen" if verb == "sleeps" else "active"}
                page.context.new_cdp_session(page).send("Page.setWebLifecycleState", state)
            case "loses", _:
                page.route(re.compile("/tell$"), lose if "answer" in rest else forget, times=1)
            case "ticks", _:
                served.post("hand", self.seat, card=rest.split(", "))
            case "looks", _:
                page.goto(f"{served.of(self.seat)}?{rest}")
            case "joins", _:
                page.goto(served.join)
            case "touches", _:
                self.touches(f"#board a[data-line='{rest}']", 4 if rest[-1].isdigit() else 0)
            case "enters", _:
                page.locator(f"#board a[data-line='{rest}']").press("Enter")
            case "finds", _:  # it is told to whoever cannot see the board
                page.wait_for_selector(f"#board svg[aria-label^='Board: {rest}']")
            case "scrolls", _:
                page.evaluate("scrollTo(0, 400)")
            case "reloads", _:
                page.reload()
            case _:
                raise ValueError(deed)

    def sees(self, text: str) -> None:
        """Wait until the page shows a text, `at the top` of the screen, or shows `no` such text."""
        found = self.page.get_by_text(re.sub("^(no|at the top) ", "", text)).first
        found.wait_for(state="hidden" if text.startswith("no ") else "visible")
        box = found.bounding_box() if text.startswith("at the top ") else None
        assert box is None or 0 <= box["y"] < 200

    def touches(self, place: str, aside: float) -> None:
        """Touch a place of the board, a room if not so many pixels aside, which alone is chosen."""
        box = self.page.locator(place).bounding_box()
        assert box is not None
        assert aside or min(box["width"], box["height"]) >= 44
        touch(self.page, place, aside=aside)
        self.page.locator(f"{place}.on").wait_for()
        assert self.page.locator("#board a.on").count() == 1

    def presses(self, name: str) -> None:
        """Tap the button, the link or the fold that says this, or begins so."""
        begins = re.compile(rf"^\s*{re.escape(name)}")
        button = self.page.get_by_role("button", name=name, exact=True)
        link = self.page.get_by_role("link", name=begins)
        folded = self.page.locator("summary").filter(has_text=begins)
        button.or_(link).or_(folded).filter(visible=True).first.tap()

    def told(self, line: str) -> None:
        """Wait until the page says that the line would be taken back."""
        words = " ".join(line.split())
        said = "document.querySelector('#undo')?.textContent.replace(/\\s+/g, ' ')"
        self.page.wait_for_function(f"words => {said}?.includes(words)", arg=words)


@pytest.mark.usefixtures("unthinking")
@pytest.mark.parametrize("name", blocks(STORIES))
def test_what_is_tapped_on_phones_that_sleep_reload_and_lose_answers(
    context: BrowserContext, tmp_path: Path, name: str
) -> None:
    story, log = blocks(STORIES)[name], []
    with served(tmp_path / "game.clue", begun(story), public="@ shared" in story) as game:
        phones: dict[str, Thumb] = {}
        for line in story.splitlines():
            who, _, deed = line.partition(": ")
            match who:
                case "log":
                    log.append(deed)
                case "another":
                    game.post("tell", line=deed, settled="turn")
                case "link":
                    game.end_link()
                case _ if line[0] != "@":
                    if who not in phones:
                        seat = who if who in game.table.seats else None
                        game.sit(seat)
                        phones[who] = Thumb(context, game.of(seat), seat)
                    phones[who].does(deed, game)
        assert [*game.lines()] == (log or [*game.lines()])
        assert [each.trouble for each in phones.values()] == [[]] * len(phones)


def forget(route: Route) -> None:
    """Lose a request."""
    route.abort()


def lose(route: Route) -> None:
    """Let a request arrive, and lose its answer."""
    route.fetch(max_redirects=0)
    route.abort()


def unanswered(_: Route) -> None:
    """Leave a request hanging."""


@pytest.mark.parametrize("silent", ["events", "the page"])
def test_a_connection_that_never_says_that_it_is_cut_is_given_up(
    context: BrowserContext, game: Served, unthinking: None, silent: str
) -> None:
    page = context.new_page()
    page.clock.install()
    if silent == "events":
        page.route(re.compile("/events$"), unanswered, times=1)
    page.goto(game.url)
    if silent == "the page":
        page.route(game.url, unanswered, times=1)
    game.post("tell", line="ben skips", settled="turn")
    page.wait_for_timeout(1000)
    shown = page.locator("#undo", has_text="Ben skips")
    assert not shown.count()
    page.clock.run_for(30_000)
    shown.wait_for(state="attached")


def test_what_can_be_tapped_is_exchanged_whole_where_it_says_something_else(
    context: BrowserContext, game: Served
) -> None:
    page = Thumb(context, game.url).page
    page.locator("summary", has_text="Board").tap()
    page.evaluate("for (const each of document.querySelectorAll('*')) each.was = true")
    game.post("tell", line="ben skips", settled="turn")
    page.get_by_role("button", name="Undo entry 2 Ben skips").wait_for()
    was = "each => Boolean(each.was)"
    assert page.locator("#board").get_attribute("open") is not None
    assert page.locator("main").evaluate(was)
    assert page.get_by_role("link", name="Sheet").evaluate(was)
    assert page.locator("#typing button").evaluate(was)
    assert not page.get_by_role("button", name="Undo entry 2 Ben skips").evaluate(was)
    assert not page.get_by_role("button", name="No suggestion").evaluate(was)  # Cat's by now


CHOSEN = "[...document.querySelectorAll('#enter input:checked')].map(each => each.value)"
OPENED = r"""[...document.querySelectorAll('#asked .opened .card')]
.map(each => each.innerText.trim().replace(/\s+/g, ' '))"""
TAPPED = """() => [...document.querySelectorAll('a, button, input, select, summary, label.key')]
.filter(each => each.checkVisibility() && !each.closest('details:not([open]) > :not(summary)'))
.filter(each => !['checkbox', 'radio'].includes(each.type) && !each.closest('.spoken, svg'))
.filter(each => each.getBoundingClientRect().height < (each.closest('.grid') ? 24 : 44))
.map(each => each.outerHTML)"""
"""What can be tapped and is too small for a thumb; a sheet has to fit, and so does a board."""
TOGETHER = """() => { const keys = [...document.querySelectorAll('.key, .line input')]
.filter(each => !each.closest('.key input'))
.filter(each => each.checkVisibility() && !each.closest('details:not([open])'))
.map(each => [each.textContent, each.getBoundingClientRect()]);
return keys.flatMap(([one, a], n) => keys.slice(n + 1).filter(([, b]) => Math.max(
a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom) < 7.5)
.map(([other]) => one + ' | ' + other)) }"""
"""Keys with less than eight pixels between them."""
TEN = (
    "players: Bartholomew, Anne-Marie-Louise, Maximiliane, Bo, Christopher, Theodora, Wilhelmina, "
    "Ed, Konstantin, Fitzgerald"
)


@pytest.mark.usefixtures("unthinking")
@pytest.mark.parametrize("size", [(360, 640), (740, 360), (820, 1180)])
@pytest.mark.parametrize("players", ["players: Ann, Ben, Cat", TEN])
def test_all_is_large_apart_and_within_the_screen_and_nothing_is_in_the_way_of_who_cannot_see(
    context: BrowserContext, tmp_path: Path, size: tuple[int, int], players: str
) -> None:
    head = f"edition: clue-classic\n{players}\n\n"
    seats = players.removeprefix("players: ").split(", ")
    first, second, third, *_ = seats
    draft = f"?by={first}&pick=Plum&pick=Rope&pick=Conservatory"
    found: list[object] = []
    with served(tmp_path / "table.clue", head, public=True) as game:
        page = context.new_page()
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme="dark" if players == TEN else "light")

        def look(seat: str | None, *queries: str) -> None:
            for query in queries:
                game.sit(seat)
                page.goto(game.of(seat) + query)
                found.extend(page.evaluate(TOGETHER) + barriers(page, size[0]))
                found.extend(page.evaluate(TAPPED) if query != "?cover=1" else [])

        look(second, "", "?tab=sheet")
        look(None, "", "?tab=log", "?tab=table", "?tab=table&another=1", "?cover=1")
        look(None, "?x=Roll", "?line=cat+plum+rope+hall")
        hand = ["Plum", "Conservatory", "Green", "White", "Knife", "Study"]
        game.post("hand", second, card=hand if len(seats) == 3 else hand[:2])
        line = f"{third} suggests Plum, Knife, Hall: {first} shows"
        game.post("tell", line=line, settled="turn")
        look(None, "?tab=log", "?edit=1", draft)
        look(second, "", "?tab=sheet&card=Plum&holder=envelope", "?tab=log", "?tab=table")
        page.goto(f"{game.url}?by={first}")
        page.locator("#board summary").tap()
        look(None, f"?by={first}")  # where the board is still open
        assert page.locator("#board[open] a").count() > 100
        game.post("ask", None, by=first, pick=["Plum", "Rope", "Conservatory"])
        look(second, "")
        assert page.evaluate("document.querySelector('#asked .opened .card') !== null") is True
        game.post("tell", line=f"{first} accuses Plum, Rope, Hall: right", settled="turn")
        for seat in (None, second):
            look(seat, "")
    assert found == []


def test_a_hand_is_ready_once_it_has_as_many_cards_as_it_should(
    context: BrowserContext, tmp_path: Path
) -> None:
    head = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\n\n"
    with served(tmp_path / "game.clue", head, public=True) as game:
        game.sit("Ben")
        thumb, ready = Thumb(context, game.of("Ben")), []
        for card in ("Plum", "Rope", "Hall", "Study", "Knife", "Green"):
            thumb.page.locator(f'label:has(input[value="{card}"])').tap()
            ready.append(thumb.page.locator(".main[data-sizes]").count())
        assert ready == [0, 0, 0, 1, 1, 0]


def touch(page: Page | Frame, selector: str, *, aside: float = 0) -> None:
    """Touch the middle of something, or so many pixels aside, where nothing covers it."""
    found = page.locator(selector)
    found.evaluate("each => each.scrollIntoView({block: 'center'})")
    box = found.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    found.page.touchscreen.tap(x + aside, y + aside)
