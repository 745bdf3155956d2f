"""The page in a real browser: touch, several phones, a reload, a dropped connection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from msgspec.structs import replace

from clue_solver.conversation.session import Session
from clue_solver.faces.web.links import Link
from clue_solver.faces.web.thinking import Thinking
from clue_solver.notation.canonical import format_line
from clue_solver.record.contents import Record
from clue_solver.record.files import load_record, save
from clue_solver.rules.observations import Hand, Suggestion
from tests.conversation.test_session import START
from tests.deep.chromium import AXE, CHROMIUM, barriers
from tests.faces.serving import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Frame, Page, Route

TESTS = Path(__file__).parents[2]
GAMES = TESTS / "games"

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

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.page: Page = context.new_page()
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
        key = f'#enter .answers .key:text-is("{label[:1].upper()}{label[1:]}")'
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
        thumb.answer(line)
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
def test_who_logs_and_plays_keeps_the_notes_in_the_next_game(
    context: BrowserContext, tmp_path: Path
) -> None:
    head = "edition: clue-classic\nplayers: Ann, Ben\n\n"
    with served(tmp_path / "table.clue", head, public=True) as game:
        thumb = Thumb(context, game.url)
        thumb.page.goto(game.join)
        thumb.tap('button:text-is("I am Ann")')
        shows(thumb.page, "Tick the cards")
        game.sit("Ben")
        thumb.page.goto(game.join)  # once more: who has a seat gets back to it
        shows(thumb.page, "Everybody has joined.")
        thumb.tap('a:text-is("Back to my notes")')
        shows(thumb.page, "Tick the cards")
        thumb.tap('a:text-is("The log")')
        game.post("tell", line="Ann accuses Plum, Rope, Hall: right", settled="turn")
        thumb.tap('summary:text-is("Play again")')
        thumb.tap('button:text-is("Start a new game")')
        thumb.tap('a:text-is("My notes")')
        shows(thumb.page, "Tick the cards")
        assert thumb.trouble == []


def shows(page: Page, text: str) -> None:
    """Wait until the page shows a text."""
    page.get_by_text(text).first.wait_for(state="visible")


def test_a_half_made_entry_outlives_a_reload_and_is_edited(
    context: BrowserContext, game: Served
) -> None:
    thumb = Thumb(context, game.url)
    page = thumb.page
    thumb.types("ben has whi")
    page.locator("#more>summary").tap()
    thumb.asker("Ben")
    thumb.cards("Mustard", "Wrench")
    page.reload()
    chosen = "[...document.querySelectorAll('#enter input:checked')].map(each => each.value)"
    assert page.evaluate(chosen) == ["Ben", "Mustard", "Wrench"]
    assert page.input_value("#line") == "ben has whi"
    thumb.tap('nav a:has-text("Sheet")')
    thumb.tap('#sheet td a[aria-label^="White, Ben"]')
    page.locator("#cell").wait_for()
    thumb.tap('nav a:has-text("Enter")')
    thumb.cards("Plum")
    thumb.cards("Lounge")
    page.get_by_role("button", name="Cat shows", exact=True).tap()
    thumb.told("Ben suggests Plum, Wrench, Lounge: Cat shows")
    thumb.tap('nav a:has-text("Log")')
    page.get_by_role("link", name="Edit entry 2").tap()
    thumb.cards("White")
    page.get_by_role("button", name="nobody shows").tap()
    page.wait_for_selector("p.editing", state="detached")
    assert game.lines()[1] == "Ben suggests White, Wrench, Lounge: nobody shows"
    thumb.tap('nav a:has-text("Hide")')
    shows(page, "tap to look")
    assert page.get_by_text("Wrench").count() == 0
    page.locator(".lift").tap()
    shows(page, "Undo")
    assert thumb.trouble == []


def test_two_phones_are_current_and_one_that_was_cut_off_comes_back(
    context: BrowserContext, game: Served
) -> None:
    one, two = Thumb(context, game.url), Thumb(context, game.url)
    two.types("half a li")
    one.types("ben skips")
    one.page.get_by_role("button", name="Log", exact=True).tap()
    two.told("Ben skips")
    assert two.page.input_value("#line") == "half a li"
    context.set_offline(True)
    game.post("tell", line="cat skips", settled="turn")
    one.cards("Plum")
    context.set_offline(False)
    for each in (one, two):
        each.told("Cat skips")
    shows(one.page, "This came first; your entry was not logged")
    chosen = "[...document.querySelectorAll('#enter input:checked')].map(each => each.value)"
    assert one.page.evaluate(chosen) == ["Cat", "Plum"]
    one.page.get_by_role("link", name="Drop mine").tap()
    one.page.wait_for_selector("#late", state="detached")
    assert two.page.input_value("#line") == "half a li"
    two.types("cat mus wr lou: ann")  # begun before Cat skipped
    two.page.get_by_role("button", name="Log", exact=True).tap()
    shows(two.page, "This came first; your entry was not logged")
    assert two.page.input_value("#line") == "cat mus wr lou: ann"
    two.page.get_by_role("link", name="Drop mine").tap()
    game.table.relink(game.book(), Link())
    for each in (one, two):
        shows(each.page, "This link does not lead to a game")
    assert [each.trouble for each in (one, two)] == [[], []]
    assert game.lines()[1:] == ("Ben skips", "Cat skips")


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


@pytest.mark.parametrize("arrives", [True, False])
def test_what_is_sent_is_logged_once_whether_it_or_its_answer_is_lost(
    context: BrowserContext, game: Served, unthinking: None, arrives: bool
) -> None:
    def lose(route: Route) -> None:
        if arrives:
            route.fetch(max_redirects=0)
        route.abort()

    phone, asleep = Thumb(context, game.url), Thumb(context, game.url)
    session = context.new_cdp_session(asleep.page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    phone.page.route(re.compile("/tell$"), lose, times=1)
    phone.asker("Ben")
    phone.cards("Plum", "Wrench", "Lounge")
    phone.page.get_by_role("button", name="Cat shows", exact=True).tap()
    phone.told("Ben suggests Plum, Wrench, Lounge: Cat shows")
    session.send("Page.setWebLifecycleState", {"state": "active"})
    asleep.told("Ben suggests Plum, Wrench, Lounge: Cat shows")
    assert game.lines()[1:] == ("Ben suggests Plum, Wrench, Lounge: Cat shows",)


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


@pytest.mark.usefixtures("unthinking")
def test_a_seat_sees_at_once_what_the_recorder_taps(
    context: BrowserContext, tmp_path: Path
) -> None:
    head = "edition: clue-classic\nplayers: Ann, Ben, Cat\n\n"
    with served(tmp_path / "table.clue", head, public=True) as game:
        hand = ["Plum", "Rope", "Hall", "Study", "Knife", "Green"]
        game.post("hand", "Cat", card=hand)
        recorder, cat, ben = (Thumb(context, game.of(seat)) for seat in (None, "Cat", "Ben"))
        cat.page.goto(f"{game.of('Cat')}?tab=sheet&suppose=envelope has Mustard")
        cat.page.evaluate("scrollTo(0, 400)")  # what is asked stands on top all the same
        shows(recorder.page, "Who is playing?")
        recorder.tap("#begin>summary")  # it does not wait for Ann
        shows(recorder.page, "Tap who asks, then the cards.")
        recorder.asker("Ben")
        recorder.cards("Plum", "Wrench", "Hall")
        shows(cat.page, "Ben asks for Plum, Wrench, Hall")
        box = cat.page.get_by_text("Show Hall.").bounding_box()
        assert box is not None
        assert 0 <= box["y"] < 200
        cat.tap('nav a:has-text("Enter")')
        cat.page.locator("#asked .opened .card").first.wait_for()
        cards = cat.page.locator("#asked .opened .card").all_inner_texts()
        assert [" ".join(card.split()) for card in cards] == ["Plum", "Hall"]
        assert cat.page.locator("#asked .best").all_inner_texts() == ["Hall"]
        recorder.page.get_by_role("link", name="Change").tap()
        recorder.cards("Mustard", "Hall")
        shows(cat.page, "Ben asks for Mustard, Wrench, Hall")
        recorder.answer("Ben suggests Mustard, Wrench, Hall: Cat shows")
        cat.page.wait_for_selector("#asked", state="detached")
        assert ben.page.locator("#asked").count() == 0
        assert recorder.trouble + cat.trouble + ben.trouble == []


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
