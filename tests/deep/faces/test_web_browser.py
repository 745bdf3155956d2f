"""The page in a real browser: touch, several phones, a reload, a dropped connection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from msgspec.structs import replace

from clue_solver.conversation.session import Session
from clue_solver.faces.web.thinking import Thinking
from clue_solver.notation.canonical import format_line
from clue_solver.record.contents import Record
from clue_solver.record.files import load_record, save
from clue_solver.rules.observations import Hand, Suggestion
from tests.conversation.test_session import START
from tests.deep.chromium import AXE, CHROMIUM, barriers
from tests.faces.phones import begun, tapped
from tests.faces.serving import Served, served
from tests.rows import blocks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Frame, Page, Route

TESTS = Path(__file__).parents[2]
GAMES = TESTS / "games"
STORIES = Path(__file__).with_name("phones.txt")

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A small phone."""
    found = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, reduced_motion="reduce"
    )
    found.set_default_timeout(60_000)
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
    """A phone, how often it was tapped, and how often of that to say who asks."""

    def __init__(self, context: BrowserContext, url: str, seat: str | None = None) -> None:
        self.page: Page = context.new_page()
        self.seat = seat
        self.trouble: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", self._heard)
        self.page.goto(url)
        self.taps = self.asked = 0

    def _heard(self, said: ConsoleMessage) -> None:
        if said.type == "error" and "Failed to load" not in said.text:
            self.trouble.append(said.text)

    def tap(self, selector: str) -> None:
        self.page.locator(selector).first.tap()
        self.taps += 1

    def cards(self, *cards: str) -> None:
        for card in cards:
            self.tap(f'.column label:has(input[value="{card}"])')

    def asker(self, seat: str) -> None:
        self.asked += 1  # it was nobody's turn, or another's
        self.tap(f'.askers label:has(input[value="{seat}"])')

    def answer(self, line: str) -> None:
        self.tap(f'#enter button[value="{line}"]')

    def answered(self, label: str) -> None:
        """Answer a question; the page asks the next one, or has logged the line."""
        key = f'#enter .answers :is(.key, .key b):text-is("{label[:1].upper()}{label[1:]}")'
        self.page.locator(key).first.wait_for()
        asked = self.page.locator("#enter .panel").first.inner_text()
        self.tap(key)
        changed = "was => document.querySelector('#enter .panel').innerText !== was"
        self.page.wait_for_function(changed, arg=asked)

    def types(self, line: str) -> None:
        """Type a line, which is not sent."""
        for fold in ("#more", "#typed"):
            if self.page.locator(f"{fold}:not([open])").count():
                self.page.locator(f"{fold}>summary").tap()
        self.page.fill("#line", line)

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
            case "writes", _:
                self.types(rest)
            case "holds", _:
                assert page.input_value("#line") == rest
            case "taps", _:
                self.presses(rest)
            case "told", _:
                self.told(rest)
            case "sees", _ if rest.startswith("no "):
                page.get_by_text(rest[3:]).first.wait_for(state="hidden")
            case "sees", _:
                shows(page, rest.removeprefix("at the top "))
                box = page.get_by_text(rest.removeprefix("at the top ")).first.bounding_box()
                assert "at the top" not in rest or (box and 0 <= box["y"] < 200)
            case "is", "offline" | "online":
                page.context.set_offline(rest == "offline")
            case "is", _:  # asked for these cards
                page.locator("#asked .opened .card").first.wait_for()
                assert " | ".join(page.evaluate(OPENED)) == rest.removeprefix("asked ")
            case "sleeps" | "wakes", _:
                session = page.context.new_cdp_session(page)
                state = {"state": "frozen" if verb == "sleeps" else "active"}
                session.send("Page.setWebLifecycleState", state)
            case "loses", _:
                page.route(re.compile("/tell$"), lose if "answer" in rest else forget, times=1)
            case "ticks", _:
                served.post("hand", self.seat, card=rest.split(", "))
            case "looks", _:
                page.goto(f"{served.of(self.seat)}?{rest}")
            case "joins", _:
                page.goto(served.join)
            case "scrolls", _:
                page.evaluate("scrollTo(0, 400)")
            case "reloads", _:
                page.reload()
            case _:
                raise ValueError(deed)

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


def suggest(thumb: Thumb, told: Suggestion, line: str, whole: Record) -> str:
    """Tap a suggestion with its answers as they are recorded; the line that comes of it."""
    page, viewer = thumb.page, whole.table.viewer
    if page.locator(f'.askers input[value="{told.by}"]:checked').count() == 0:
        thumb.asker(told.by)
    thumb.cards(*told.cards)
    everyone, order = whole.table.everyone_shows, whole.table.answering(told.by)
    answers = sorted(told.answers, key=lambda each: order.index(str(each.seat)))
    (hand,) = (each.cards for each in whole.observations if isinstance(each, Hand))
    held = [card for card in told.cards if card in hand]
    for place, each in enumerate(answers):
        if each.seat == viewer and each.answer == "shows" and each.card is None:
            answers[place] = replace(each, card=held[0])  # the record left it out
    line = format_line(replace(told, answers=tuple(answers)), whole.table)
    if not everyone or all(each.answer == "passes" for each in answers):
        thumb.answer(tapped(line))
        return line
    forced = [each for each in answers if each.seat == viewer and len(held) < 2]
    for place, each in enumerate(answers):
        if place and answers[place:] == forced:
            break  # the page knows it by the hand
        if all(rest.answer == "passes" for rest in answers[place:]):
            thumb.answered("The others pass")
            break
        shown = f"shows {each.card}" if each.card else "shows a card that I did not see"
        thumb.answered("passes" if each.answer == "passes" else shown)
    return line


@pytest.mark.long(keep=1)
@pytest.mark.usefixtures("unthinking")
@pytest.mark.parametrize("name", ["textbook", "streamed", "everyone_shows"])
def test_a_suggestion_is_its_cards_and_who_shows_which(
    context: BrowserContext, tmp_path: Path, name: str
) -> None:
    whole = load_record(GAMES / f"{name}.clue")
    own = tuple(each for each in whole.entries if isinstance(each.observation, Hand))
    path = tmp_path / f"{name}.clue"
    save(Record(table=whole.table, entries=own), path)
    with served(path) as game:
        lines, told = Session(whole).lines, []
        thumb = Thumb(context, game.url)
        for line, each in zip(lines, whole.observations, strict=True):
            if isinstance(each, Suggestion):
                told.append(suggest(thumb, each, line, whole))
                thumb.told(told[-1])
        assert game.lines() == (*lines[: len(own)], *told)
        assert thumb.trouble == []
    if not whole.table.everyone_shows:  # else each of them answers
        assert thumb.taps == 4 * len(told) + thumb.asked


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


def shows(page: Page, text: str) -> None:
    """Wait until the page shows a text."""
    page.get_by_text(text).first.wait_for(state="visible")


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
        game.post("tell", line=f"{third} suggests Plum, Knife, Hall: {seats[-1]} shows")
        look(None, "?tab=log", "?edit=1", draft)
        look(second, "", "?tab=sheet&card=Plum&holder=envelope", "?tab=log", "?tab=table")
        game.post("ask", None, by=first, pick=["Plum", "Rope", "Conservatory"])
        look(second, "")
        assert page.evaluate("document.querySelector('#asked .opened .card') !== null") is True
        game.post("tell", line=f"{first} accuses Plum, Rope, Hall: right", settled="turn")
        for seat in (None, second):
            look(seat, "")
    assert found == []


def touch(page: Page | Frame, selector: str, *, aside: float = 0) -> None:
    """Touch the middle of something, or so many pixels aside, where nothing covers it."""
    found = page.locator(selector)
    found.evaluate("each => each.scrollIntoView({block: 'center'})")
    box = found.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    found.page.touchscreen.tap(x + aside, y + aside)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_tap_on_the_board_logs_a_move_and_every_phone_sees_it(
    context: BrowserContext, tmp_path: Path, unthinking: None, scheme: Literal["dark", "light"]
) -> None:
    head = "edition: clue-classic\nplayers: Ann, Ben, Cat\npieces: Scarlett, Mustard, White\n\n"
    with served(tmp_path / "table.clue", f"{head}Ann rolls 8\n", public=True) as game:
        game.post("hand", "Ben", card=["Plum", "Rope", "Hall", "Study", "Knife", "Green"])
        recorder, ben = Thumb(context, game.url), Thumb(context, game.of("Ben"))
        for phone in (recorder, ben):
            phone.page.emulate_media(color_scheme=scheme)
            phone.tap("#board summary")
            phone.page.evaluate(AXE.read_text("utf-8"))
            assert phone.page.evaluate("axe.run('#board').then(found => found.violations)") == []
        # A finger chooses the nearest square, and sees which before that counts.
        page = recorder.page
        key = page.get_by_role("button", name="Log it")
        for place in ("H17", "H19"):
            touch(page, f"#board a[data-line='Ann moves to {place}']", aside=4)
            page.locator(f"#board a.on[data-line='Ann moves to {place}']").wait_for()
            assert page.locator("#board a.on").count() == 1
            shows(page, f"Ann moves to {place}")
        assert game.lines() == ("Ann rolls 8",)
        key.tap()
        recorder.told("Ann moves to H19")
        ben.page.wait_for_selector("svg[aria-label^='Board: Ann in H19']")
        touch(page, "#undo")
        recorder.told("Ann rolls 8")
        page.locator("#board a[data-line='Ann moves to H18']").focus()
        page.keyboard.press("Enter")
        key.tap()
        recorder.told("Ann moves to H18")
        touch(page, "#undo")
        recorder.told("Ann rolls 8")
        # A touch amid a room means it.
        lounge = page.get_by_role("link", name="Move to Lounge, in reach")
        box = lounge.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        touch(page, "#board a[data-line='Ann moves to Lounge']")
        key.tap()
        recorder.told("Ann moves to Lounge")
        ben.page.wait_for_selector("svg[aria-label^='Board: Ann in Lounge']")
        recorder.page.locator("#board[open]").wait_for()  # also after the entry
        recorder.page.reload()
        recorder.page.locator("#board[open]").wait_for()
        recorder.tap("#board summary")
        recorder.page.wait_for_function(
            "() => !sessionStorage.getItem(`board ${location.pathname}`)"
        )
        recorder.page.reload()
        assert recorder.page.locator("#board[open]").count() == 0
        assert game.lines() == ("Ann rolls 8", "Ann moves to Lounge")
        assert recorder.trouble + ben.trouble == []
