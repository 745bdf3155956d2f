"""
The page without a server as it is, in a real browser: without a network after the first visit, with
its tab killed, in two tabs; and that its Python works out what this one does.

The runtime is no part of this repository. CLUE_SOLVER_RUNTIME names a folder that has Pyodide's
files, as `tools/page.py --parts` takes them; without it they are fetched.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from clue_solver.arena.chairs import Chairs
from clue_solver.arena.referee import Referee
from clue_solver.faces.dealing import DealtGame
from clue_solver.knowledge.sight import seen
from clue_solver.record.files import load_record, parse_record
from clue_solver.views.table_talk import observation_sentence
from tests.arena.arena_games import hands_last
from tests.deep.chromium import CHROMIUM, barriers, pocket
from tests.deep.faces.test_web_browser import TAPPED, TOGETHER, Thumb
from tests.deep.faces.test_web_dealt import Hand as InHand
from tests.deep.faces.test_web_dealt import choose_deck
from tools import page as builder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Frame, Page

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

HERE = Path(__file__).parent / "runtime"
RECORDED = Path(__file__).parents[2] / "games"
EXAMPLES = Path(__file__).parents[3] / "examples"
RECORDS = ("textbook", "everyone_shows", "streamed")
MOST_PACKED, MOST_HEAP = 11_000_000, 200_000_000
NEEDS_CHROMIUM = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, written once."""
    target = tmp_path_factory.mktemp("site") / "clue"
    runtime = os.environ.get("CLUE_SOLVER_RUNTIME")
    try:
        packed = builder.write(target, Path(runtime) if runtime else None)
    except builder.BuildError as error:
        pytest.skip(f"the runtime cannot be had: {error}")
    assert packed <= MOST_PACKED
    return target


class Site(NamedTuple):
    """A host of files, its address, and what it was asked for."""

    server: http.server.ThreadingHTTPServer
    url: str
    asked: list[str]

    def end(self) -> None:
        """Answer no more, as without a network."""
        self.server.shutdown()
        self.server.server_close()


def host(place: Path, name: str = "127.0.0.1") -> Site:
    """Serve a folder's parent below its name."""
    asked: list[str] = []

    class Files(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *told: object) -> None:
            asked.append(self.path)

    handler = functools.partial(Files, directory=str(place.parent))
    server = http.server.ThreadingHTTPServer((name, 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return Site(server, f"http://{name}:{server.server_port}/{place.name}/", asked)


@pytest.fixture
def site(written: Path) -> Iterator[Site]:
    found = host(written)
    yield found
    found.end()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A small phone, which asks nobody but its site."""
    found = pocket(browser, 390, 844, mobile=True)
    found.set_default_timeout(120_000)  # Python has to begin
    asked: list[str] = []
    found.on("request", lambda request: asked.append(request.url))
    yield found
    assert {url.split("/")[2] for url in asked if url.startswith("http")} <= {
        page.url.split("/")[2] for page in found.pages if page.url.startswith("http")
    } | {asked[0].split("/")[2] if asked else ""}
    found.close()


class Phone(Thumb):
    """A phone with the page: `page` is the game in it, `shell` what is around that."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        super().__init__(context, url)
        self.shell: Page = self.page
        self.shell.wait_for_selector("iframe:visible")

    def awake(self) -> None:
        """Wait until Python is there, and go on in the frame."""
        self.shell.wait_for_selector("body[data-heap]", state="attached")
        self.page = self.frame  # type: ignore[assignment] # it is asked as a page is

    @property
    def frame(self) -> Frame:
        """The game."""
        found = self.shell.frame("game")
        assert found is not None
        return found

    def set_up(self, players: str, viewer: str, hand: tuple[str, ...]) -> None:
        """Set a game up, by typing and tapping."""
        frame = self.frame
        frame.wait_for_selector("#setup")
        for number, seat in enumerate(players.split(", "), 1):
            frame.fill(f"#name-{number}", seat)
            if seat == viewer:
                frame.locator(f'label:has(input[name="me"][value="{number}"])').tap()
        for card in hand:
            frame.locator(f'label:has(input[value="{card}"])').tap()
        frame.locator("button.big").last.tap()
        frame.wait_for_selector("#verdict")

    def list_games(self) -> None:
        """Go to the list of games."""
        self.shell.get_by_role("link", name="Games").tap()
        self.frame.wait_for_selector("#games")

    def look(self) -> list[str]:
        """What is in the way of whoever cannot see it, or too small for a thumb, or too wide."""
        found: list[str] = []
        for page in (self.shell, self.frame):
            for scheme in ("light", "dark"):
                self.shell.emulate_media(color_scheme=scheme)
                found += barriers(page, 390)
            found += page.evaluate(TAPPED) + page.evaluate(TOGETHER)
        return found

    def heap(self) -> int:
        """The memory of the runtimes, in bytes."""
        told = self.shell.evaluate("Object.values({...document.body.dataset})")
        return max(map(int, told))

    def record(self) -> str:
        """The record as it can be saved."""
        said = "fetch(new URL(document.getElementById('state').dataset.events"
        said += ".replace('/events', '/record.clue'), location)).then(found => found.text())"
        return str(self.frame.evaluate(said))


@NEEDS_CHROMIUM
@pytest.mark.long(keep=1)
@pytest.mark.parametrize("seed", range(10))
def test_a_killed_tab_without_a_network_loses_nothing_that_it_has_shown_as_taken(
    browser: Browser, context: BrowserContext, site: Site, seed: int
) -> None:
    phone = Phone(context, site.url)
    phone.set_up("Ann, Ben, Cat", "Ann", ("White", "Plum", "Rope", "Library", "Study", "Hall"))
    phone.awake()
    site.end()
    context.set_offline(True)
    rng, taken, told = Random(seed), [], 0
    context.expose_binding("acknowledged", lambda _, line: taken.append(line))
    for moment in range(10):
        lines = [f"Ann skips  # {told + number}" for number in range(40)]
        told += len(lines)
        phone.shell.wait_for_timeout(rng.random() * 300)
        phone.frame.evaluate(SENDING, lines)
        phone.shell.wait_for_timeout(rng.random() * 1_500)
        if moment % 2:
            kill(browser)
        phone.shell.close()
        phone = Phone(context, site.url)
        phone.awake()
        phone.frame.wait_for_selector("#state", state="attached")
        there = re.findall(r"# (\d+)$", phone.record(), re.MULTILINE)
        assert [each for each in there if each in taken] == taken
        assert there == sorted(set(there), key=int)
    assert taken
    phone.asker("Ben")
    phone.cards("Mustard", "Wrench", "Lounge")
    phone.presses("Cat shows")
    phone.told("Ben suggests Mustard, Wrench, Lounge: Cat shows")
    assert phone.record().endswith("Ben suggests Mustard, Wrench, Lounge: Cat shows\n")
    assert phone.heap() <= MOST_HEAP
    phone.shell.wait_for_selector("#said:text-is('')", state="attached")
    assert phone.trouble == []


SENDING = """lines => {
  const base = document.getElementById("state").dataset.events.replace("/events", "");
  (async () => {
    for (const line of lines) {
      const settled = [["settled", "turn"], ["settled", "twice"]];
      const body = new URLSearchParams([["line", line], ...settled]);
      const answer = await fetch(`${base}/tell`, {method: "POST", body});
      if (answer.ok && !new URL(answer.url).search) acknowledged(line.split("# ")[1]);
    }
  })();
}"""


class Player(Phone, InHand):
    """A phone on which somebody plays against two machines."""

    def deal(self, edition: str) -> None:
        """Let the cards be dealt."""
        frame = self.frame
        frame.locator('label:has(input[name="deals"][value="program"])').tap()
        frame.wait_for_selector('[name="plays-2"]')
        choose_deck(frame, edition)
        frame.fill("#name-1", "Ida")
        for number in (2, 3):
            frame.locator(f'[name="plays-{number}"]').select_option("easy")
        frame.locator("button.big").last.tap()
        frame.wait_for_selector("#verdict")

    def kept(self, folder: Path) -> Chairs:
        """Return the game that was dealt last, as the browser keeps it."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, content in self.shell.evaluate(KEPT):
            (folder / name).write_bytes(bytes(content))
        path = max(folder.glob("*.clue"), key=lambda each: len(each.name))
        kept = DealtGame.resume(path)
        kept.keeper.close()
        return kept.chairs

    def play(self, folder: Path) -> bool:
        """Decide once it is this phone's turn to; return whether there was anything to decide."""
        asked = '#enter form[action$="/answer"] [name=at]'
        pace = '#enter form[action$="/pace"] button'
        while True:
            self.page.wait_for_selector(f"{asked}, {pace}, #enter .revealed", state="attached")
            if self.page.locator(pace).count():  # the machines wait for taps at first
                self.page.locator(pace).tap()
                self.page.wait_for_selector(pace, state="detached")
                continue
            if self.page.locator("#enter .revealed").count():
                return False
            chairs = self.kept(folder)
            if self.page.locator(f'{asked}[value="{chairs.decision_count}"]').count():
                break
            self.shell.wait_for_timeout(50)  # it is as it was drawn before the tab was closed
        self.decide(chairs.game)
        self.page.wait_for_function(
            "at => !document.querySelector(`#enter [name=at][value='${at}']`)",
            arg=chairs.decision_count,
        )
        return True


KEPT = """() => new Promise(done => {
  const asked = indexedDB.open("clue-solver");
  asked.onsuccess = () => {
    const store = asked.result.transaction("files").objectStore("files");
    const names = store.getAllKeys(), contents = store.getAll();
    contents.onsuccess = () => {
      asked.result.close();
      done(names.result.map((name, at) => [name, [...contents.result[at]]]));
    };
  };
})"""


@NEEDS_CHROMIUM
@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "edition",
    ["clue-classic", "cluedo-watson", "clue-2015", "clue-diced", "clue-diced-master", "own"],
)
def test_a_dealt_game_by_taps_without_a_network_in_a_tab_that_is_killed(
    browser: Browser, context: BrowserContext, site: Site, tmp_path: Path, edition: str
) -> None:
    phone = Player(context, site.url)
    phone.awake()
    phone.frame.wait_for_selector("#setup")
    site.end()
    context.set_offline(True)
    phone.deal(edition)
    folder, rng, moments = tmp_path / "kept", Random(edition), 0
    while phone.play(folder):
        if moments < 10 and rng.random() < 0.5:
            moments += 1
            phone.shell.wait_for_timeout(rng.random() * 3_000)
            shown = phone.frame.evaluate(SHOWN)
            if moments % 2:
                kill(browser)
            phone.shell.close()
            phone = Player(context, site.url)  # as it was drawn, though Python may not be there
            phone.awake()
            assert {*shown} <= told_to_ida(phone.kept(folder).game)
    phone.frame.get_by_role("heading", name="The review").wait_for()
    phone.look_once()
    game = phone.kept(folder).game
    record = parse_record(phone.record(), beside=folder)
    assert record.observations == hands_last(game)
    assert phone.heap() <= MOST_HEAP
    phone.frame.get_by_role("button", name="Play again").tap()
    phone.frame.locator("#enter .revealed").wait_for(state="detached")
    assert phone.kept(folder).game.dealt.table.edition == game.dealt.table.edition
    assert phone.trouble == []
    assert phone.shell.locator("#said").inner_text() == ""


def told_to_ida(game: Referee) -> set[str]:
    """What there is to tell Ida of a game."""
    table = game.dealt.table
    log = [seen(each, table=table, viewer="Ida") for each in game.log]
    return {observation_sentence(each, table, viewer="Ida") for each in log if each}


SHOWN = """[...document.querySelectorAll("#below .told li")].map(each => each.innerText)"""


def kill(browser: Browser) -> None:
    """End the processes of all tabs, with their workers, at once."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    for process in processes:
        if process["type"] == "renderer":
            with suppress(ProcessLookupError):
                os.kill(process["id"], signal.SIGKILL)
    session.detach()


@NEEDS_CHROMIUM
def test_one_tab_has_the_games_and_another_may_take_them_over(
    context: BrowserContext, site: Site
) -> None:
    first = Phone(context, site.url)
    first.frame.wait_for_selector("#setup")
    assert first.look() == []
    first.set_up("Ann, Ben, Cat", "Ann", ())
    assert first.look() == []
    first.frame.locator("nav a", has_text="Table").tap()
    assert first.look() == []
    second = context.new_page()
    second.goto(site.url)
    second.get_by_text("The games are open in another tab.").wait_for()
    second.get_by_role("button", name="Use it here").tap()
    second.frame_locator("iframe").locator("#verdict").wait_for()
    first.shell.get_by_text("The games are open in another tab.").wait_for()
    assert first.shell.locator("iframe").is_hidden()


@NEEDS_CHROMIUM
def test_games_are_opened_listed_saved_and_shared_as_files_with_names_of_their_own(
    context: BrowserContext, site: Site, tmp_path: Path
) -> None:
    phone = Phone(context, site.url)
    phone.awake()
    phone.list_games()
    assert phone.look() == []
    phone.frame.set_input_files("#opened", str(EXAMPLES / "evening.clue"))
    review, game = (phone.frame.get_by_text(each) for each in ("Save its review", "Save the game"))
    phone.frame.get_by_text("Keep this game").tap()
    with phone.shell.expect_download() as saving:
        review.tap()
    assert saving.value.suggested_filename == "review.html"
    assert "<h1" in Path(saving.value.path()).read_text("utf-8")
    phone.shell.evaluate(SHARES)
    for number, each in enumerate((review, game), 1):
        each.first.tap()
        phone.shell.wait_for_function("number => shared.length === number", arg=number)
    shared = [["review.html", "text/html"], ["game.clue.txt", "text/plain"]]
    given = phone.shell.evaluate("shared")
    assert [[re.sub(".*[.]clue", "game.clue", name), kind] for name, kind in given] == shared
    phone.shell.reload()  # the game stays on the page
    phone.frame.get_by_text("The game is over.").wait_for()
    phone.awake()
    spoilt = tmp_path / "diary.clue"
    spoilt.write_text("Dear diary")
    phone.list_games()
    phone.frame.set_input_files("#opened", str(spoilt))
    phone.shell.get_by_text("diary.clue was not opened").wait_for()
    phone.frame.locator("summary").first.click()
    with phone.shell.expect_download() as saving:
        phone.frame.get_by_text("Save or share").first.click()
    assert saving.value.suggested_filename == "evening.clue"
    saved = Path(saving.value.path()).read_text("utf-8")
    assert parse_record(saved).entries == load_record(EXAMPLES / "evening.clue").entries
    phone.shell.evaluate(SHARED, [saved, "shared.clue"])  # as the system does
    phone.shell.reload()
    phone.frame.wait_for_selector("#verdict")
    phone.awake()
    phone.frame.get_by_role("link", name="Table").tap()
    assert phone.record() == saved
    assert phone.trouble == []


SHARES = """() => {
  window.shared = [];
  navigator.canShare = () => true;
  navigator.share = async ({files: [file]}) => { shared.push([file.name, file.type]); };
}"""
"""As on a phone whose system shares files."""


SHARED = """([text, name]) => {
  const form = new FormData();
  form.append("game", new File([text], name));
  return fetch("share", {method: "POST", body: form}).then(() => 0);
}"""


@NEEDS_CHROMIUM
def test_it_can_be_installed_and_says_where_it_needs_https(
    browser: Browser, written: Path, site: Site
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(site.url)
    page.wait_for_selector("iframe:visible", timeout=120_000)
    session = context.new_cdp_session(page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each for each in errors if each["errorId"] != "in-incognito"] == []
    plain = host(written, "0.0.0.0")
    page.goto(plain.url)
    page.get_by_text("This page needs https").wait_for()
    assert page.locator("iframe").is_hidden()
    plain.end()
    context.close()


UNPACKED = """
import json, lzma, sys, zipfile
from pathlib import Path

Path("/program.zip").write_bytes(lzma.open("/program.xz").read())
zipfile.ZipFile("/program.zip").extractall("/program")
sys.path.insert(0, "/program")
"""
ASKED = """
from clue_solver import Game, parse_record

for name, text in games.items():
    game = Game(parse_record(text))
    for entry in range(1, len(game.observations) + 1):
        for shows in ("random", "none"):
            report = game.report(upto=entry, shows=shows, asks="any")
            chances = (*report.probabilities.ravel(), *(chance for _, chance in report.solutions))
            for number, each in enumerate((report.deals, *chances)):
                told[f"{name} {entry} {shows} {number}"] = float(each)
"""


@NEEDS_CHROMIUM
def test_the_runtime_works_out_in_the_browser_what_is_held_against_the_oracle_here(
    context: BrowserContext, written: Path, tmp_path: Path
) -> None:
    games = {name: (RECORDED / f"{name}.clue").read_text("utf-8") for name in RECORDS}
    expected: dict[str, float] = {}
    exec(ASKED, {"games": games, "told": expected})
    assert len(expected) > 20_000
    place = tmp_path / "clue"
    shutil.copytree(written, place)
    for name in ("asked.html", "asked.js", "begin.js"):
        shutil.copy(HERE / name, place / name)
    asked = f"{UNPACKED}games, told = {games}, {{}}\n{ASKED}json.dumps(told)"
    (place / "asked.py").write_text(asked, "utf-8")
    found = host(place)
    Phone(context, found.url).awake()
    page = context.new_page()
    page.goto(f"{found.url}asked.html")
    page.wait_for_selector("#told:not(:empty)", timeout=600_000)
    assert json.loads(page.locator("#told").inner_text()) == pytest.approx(expected, abs=1e-9)
    found.end()
