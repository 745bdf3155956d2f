"""
Whole games at a shared table, by taps alone in real browsers: a tablet logs, phones tell what is
their own.

What was dealt and played, which the arena knows, is the one truth: at the end the log has what
everybody saw of it, each player's page what that player saw.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest
from msgspec.structs import replace

from clue_solver.arena.tournament import Tournament
from clue_solver.faces.web.thinking import Thinking
from clue_solver.notation import format_line
from clue_solver.record import Record, load_record, save
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table
from tests.deep.chromium import CHROMIUM, barriers
from tests.faces.serving import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")


class Played(NamedTuple):
    """A game of the arena, and whether the browsers run scripts."""

    edition: str
    players: int
    seed: int
    scripts: bool = True


GAMES = {
    "classic": Played("clue-classic", 3, 4),
    "diced": Played("clue-diced", 3, 5),
    "two": Played("clue-2015", 2, 99),
    "without scripts": Played("clue-diced", 3, 4, scripts=False),
}

TROUBLES = ("reload", "sleep", "lost", "unsent", "anew", "elsewhere", "slow")
"""What goes wrong while something is logged: methods of an `Evening`."""

FEWER = ("reload", "lost", "anew", "elsewhere")
"""The same without scripts, where whoever has lost a page opens it again."""


def share(told: Observation, seat: str | None) -> Observation:
    """Return what a seat sees of what everybody notices; what all see for `None`."""
    match told:
        case observed.Suggestion(by=by, answers=answers) | observed.Finger(by=by, answers=answers):
            seen = tuple(
                each if seat in (by, each.seat) else replace(each, card=None) for each in answers
            )
            return replace(told, answers=seen)
        case observed.Question(by=by, seat=asked) if seat not in (by, asked):
            return replace(told, card=None)
        case observed.Look(by=by) if seat != by:
            return replace(told, card=None)
        case observed.Peek(by=by) if seat != by:
            return replace(told, feature=None)
        case observed.Reveal(seat=by, to=str(to)) if seat not in (by, to):
            return replace(told, card=None)
    return told


Step = tuple[str, str | None]
"""What a key says, and the group that it is in, if that is needed."""


def steps(told: Observation, table: Table) -> list[Step]:
    """Return the keys that are tapped for what is no suggestion; the last one logs it."""
    match told:
        case observed.Accusation(by=by, cards=cards, right=right):
            end = "right" if right else "wrong"
            return [(each, None) for each in (f"{by} accuses", *cards, end)]
        case observed.Roll(by=by, dice=dice) if dice:
            return [(dice[0], f"{by} rolls"), *((face, None) for face in dice[1:])]
        case observed.Roll(by=by, total=int(total), icons=icons):
            ways = [n for n in range(3) if 2 * (2 - n) <= total - n <= 6 * (2 - n)]
            icon = [(", ".join(icons) or "no glass", None)] if table.clues and len(ways) > 1 else []
            return [(f"{by} rolls", None), (str(total), None), *icon]
        case observed.Move(by=by, to=to):
            return [(f"{by} moves", None), (to, None)]
        case observed.Stay(by=by):
            return [(f"{by} stays", None)]
        case observed.Look(by=by, holder=holder) if not table.edition.bonus and not table.slots:
            listed = ("Something else", "looks at somebody's card", by, holder)
            return [(each, None) for each in listed]
        case observed.Look(by=by, holder=holder):
            return [(f"at {holder}" if table.slots else holder, f"{by} looks")]
        case observed.Peek(by=by):
            return [(f"{by} peeks", f"{by} peeks")]
        case observed.Question(by=by, seat=seat, about=about, answer=answer):
            end = "passes" if answer == "passes" else "shows a card that I did not see"
            return [(seat, f"{by} asks"), (about[0], None), (end, None)]
        case observed.Finger(by=by, cards=cards, answers=answers):
            shows = [f"{each.seat} shows" for each in answers if each.answer == "shows"]
            end = shows[0] if shows else "nobody shows"
            return [(cards[0], f"{by} points"), *((each, None) for each in (*cards[1:], end))]
        case observed.Draw(by=by, kind=kind):
            return [(kind, f"{by} draws")]
        case observed.Reveal(seat=seat, card=card, to=to):
            one = [(f"to {to}", None)] if to and len(table.seats) > 2 else []
            said = "I did not see it" if to else str(card)
            return [(seat, "A card is shown by"), (said, None), *one]
        case observed.Nobody(card=card):
            return [("nobody", "A card is shown by"), (card, None)]
    assert isinstance(told, observed.Skip)
    return [("No suggestion", None)]


SHOWN = """() => { const chosen = (search) => `${new URLSearchParams(search).getAll("x")}`;
return chosen(location.search) === chosen(document.querySelector("nav a:nth-child(2)").search) }"""
"""Whether a page shows what its address says."""


class Device:
    """
    A phone or a tablet with a page of the table, in the hands of somebody who taps what is shown.

    Attributes:
        link: What was scanned or bookmarked.
        taps: How often it was tapped.
        midway: What happens once what is entered is half-made.
        faults: What was wrong on the way: errors of scripts, findings of axe.
    """

    def __init__(self, browser: Browser, seat: str | None, width: int, *, scripts: bool) -> None:
        self.seat = seat
        self.scripts = scripts
        self.width = width
        self.context = browser.new_context(
            viewport={"width": width, "height": 844 if width < 600 else 1180},
            has_touch=True,
            reduced_motion="reduce",
            java_script_enabled=scripts,
        )
        self.context.set_default_timeout(30_000)
        self.page: Page = self.context.new_page()
        self.link = ""
        self.taps = 0
        self.midway: Callable[[], object] | None = None
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self._looked: set[str] = set()
        self._loses = False

    def open(self, link: str) -> None:
        self.link = link
        self.page.goto(link)

    def join(self, server: Served) -> None:
        """Say who one is, on the page that all of them open."""
        self.open(server.join)
        self.look("joining")
        self.page.get_by_role("button", name=f"I am {self.seat}").tap()
        self.page.get_by_role("heading", name="Your hand").wait_for()
        self.link = server.of(self.seat)

    def key(self, label: str, group: str | None = None) -> Locator:
        """What says this, in the group of a name if one is given."""
        inside = self.page.locator("#enter")
        if group is not None:
            inside = inside.get_by_role("group", name=group, exact=True)
        named = re.compile(rf"^{re.escape(label)}( ?,|$)")  # what is known of a card follows
        return inside.get_by_role("link", name=named).or_(inside.get_by_role("button", name=named))

    def choose(self, label: str) -> None:
        """Tap who asks, or a card."""
        chosen = self.page.locator(f'input[value="{label}"]')  # a sign may follow the name
        self.tap(self.page.locator("#enter label.key", has=chosen))
        self.look("half-made")
        self.happen()

    def tap(self, key: Locator) -> None:
        key.tap()
        self.taps += 1

    def lead(self, label: str, group: str | None = None) -> None:
        """Tap what leads on, and wait for the page that it leads to."""
        before = self.page.url
        if label == "Something else":
            self.tap(self.page.locator("summary", has_text=label))
            return
        self.tap(self.key(label, group))
        self.page.wait_for_url(lambda url: url != before)
        if self.scripts:
            self.page.wait_for_function(SHOWN)
        self.look("half-made")
        self.happen()

    def happen(self) -> None:
        """Let what happens midway happen now, if it has not."""
        if self.midway is not None:
            self.midway()
            self.midway = None

    def enter(self, told: Observation, table: Table) -> None:
        """Tap what everybody saw."""
        if not isinstance(told, observed.Suggestion):
            *first, last = steps(told, table)
            for label, group in first:
                self.lead(label, group)
            self.happen()
            self.tap(self.key(*last))
            return
        if not self.scripts:  # nothing but an address keeps what is half-made
            self.happen()
        asker = self.page.locator("#enter .askers label:has(:checked)")
        if asker.count() == 0 or asker.inner_text().strip() != told.by:
            self.choose(told.by)
        for card in told.cards:
            self.choose(card)
        if not self.scripts:
            self.tap(self.page.get_by_role("button", name="Who shows a card?"))
        shows = [str(each.seat) for each in told.answers if each.answer == "shows"]
        self.tap(self.key(f"{shows[0]} shows" if shows else "nobody shows"))

    def told(self, line: str) -> None:
        """Wait until the page says that a line would be taken back."""
        if self._loses and not self.scripts:
            self.page.wait_for_url("**/tell")
            self.open(self.link)
        self.page.locator("#undo", has_text=line).wait_for(state="attached")

    def look(self, state: str) -> None:
        """Look for what is in the way of whoever cannot see it, in each state once."""
        headings = self.page.locator("h2:visible").all_inner_texts()
        state = f"{state}: {', '.join(headings)}"
        if not self.scripts or state in self._looked:
            return
        self._looked.add(state)
        self.faults += [f"{state}: {each}" for each in barriers(self.page, self.width)]

    # What goes wrong.

    def sleep(self) -> None:
        """Be put away: nothing runs, and nothing comes through."""
        self.context.set_offline(True)
        self._lifecycle("frozen")

    def wake(self) -> None:
        self._lifecycle("active")
        self.context.set_offline(False)

    def nap(self) -> None:
        self.sleep()
        self.wake()

    def _lifecycle(self, state: str) -> None:
        session = self.context.new_cdp_session(self.page)
        session.send("Page.setWebLifecycleState", {"state": state})
        session.detach()

    @contextmanager
    def slow(self) -> Iterator[None]:
        """Have a network as it is in a cellar."""
        session = self.context.new_cdp_session(self.page)
        session.send("Network.enable")
        way = {"offline": False, "latency": 400, "downloadThroughput": 30_000}
        session.send("Network.emulateNetworkConditions", way | {"uploadThroughput": 10_000})
        yield
        session.detach()

    @contextmanager
    def losing(self, *, arrives: bool) -> Iterator[None]:
        """Let the first form that is sent be lost, or arrive and its answer be lost."""

        def lose(route: Route) -> None:
            if arrives:
                route.fetch(max_redirects=0)
            if self.scripts:
                route.abort()
            else:
                route.fulfill(status=504, body="the answer was lost")

        self.page.route(re.compile("/tell$"), lose, times=1)
        self._loses = True
        yield
        self._loses = False
        self.page.unroute_all()


class Evening:
    """
    A game that was played, and the devices on which it is logged.

    Attributes:
        played: What everybody noticed, with what only some saw.
        hands: What was dealt.
        taps: How often a recorder tapped for each kind of entry.
        own: How often a player tapped for what only they saw.
    """

    def __init__(self, browser: Browser, folder: Path, whole: Record, game: Played) -> None:
        self.random = Random(game.seed)
        self.path = folder / "game.clue"
        self.table = replace(whole.table, solution=())
        save(Record(table=self.table), self.path)
        told = whole.observations
        self.hands = {each.seat: each for each in told if isinstance(each, observed.Hand)}
        self.played = [each for each in told if not isinstance(each, observed.Hand)]
        self.scripts = game.scripts

        def device(seat: str | None, width: int) -> Device:
            return Device(browser, seat, width, scripts=game.scripts)

        self.recorders = [device(None, 820)]
        self.phones = [device(seat, 390) for seat in self.table.seats]
        if game.players == 2 and game.scripts:  # the third phone logs, too
            self.recorders.append(device(None, 390))
        self.recorder = self.recorders[0]
        self.taps: dict[str, set[int]] = {}
        self.own: set[int] = set()
        self.stack = ExitStack()
        self.serve(0)
        for each in self.recorders:
            each.open(self.server.url)
        for phone in self.phones:
            phone.join(self.server)

    @property
    def devices(self) -> tuple[Device, ...]:
        return (*self.recorders, *self.phones)

    def serve(self, port: int) -> None:
        self.server = self.stack.enter_context(served(self.path, public=True, port=port))

    def open(self) -> None:
        """Let everybody open their link."""
        for each in self.devices:
            each.open(self.server.of(each.seat))

    def play(self) -> None:
        """Let everybody tell their hand, and log what was played, with what goes wrong."""
        for phone in self.phones:
            phone.look("a hand is told")
            for card in self.hands[str(phone.seat)].cards:
                phone.page.locator("label", has_text=re.compile(rf"^\s*{card}\s*$")).tap()
            whole = phone.page.get_by_role("button", name="This is my hand")
            whole.tap()
            whole.wait_for(state="detached")
        troubles: tuple[str, ...] = TROUBLES if self.scripts else FEWER
        troubles *= 1 + (len(self.played) > 2 * len(troubles))
        places = self.random.sample(range(len(self.played)), len(troubles))
        happens = dict(zip(places, troubles, strict=True))
        for number, told in enumerate(self.played):
            self.recorder = self.random.choice(self.recorders)
            if number:
                self.recorder.told(self.line(self.played[number - 1]))
            getattr(self, happens.get(number, "log"))(told)
        for device in self.devices:
            for tab in ("Sheet", "Log", "Table"):
                device.page.get_by_role("link", name=tab, exact=True).tap()
                device.page.locator("nav [aria-current]", has_text=tab).wait_for()
                device.look(tab)

    def line(self, told: Observation) -> str:
        return format_line(share(told, None), self.table)

    def log(self, told: Observation, asleep: Device | None = None) -> None:
        """Log what happened, and what some saw of it on their phones."""
        before = self.recorder.taps
        self.recorder.enter(told, self.table)
        self.recorder.told(self.line(told))
        self.recorder.look("logged")
        self.taps.setdefault(type(told).__name__, set()).add(self.recorder.taps - before)
        if asleep is not None:
            asleep.wake()
        saw = [each for each in self.phones if share(told, each.seat) != share(told, None)]
        if saw:  # one of them tells it, for both
            self.tell_own(self.random.choice(saw), told)

    def tell_own(self, phone: Device, told: Observation) -> None:
        """Tap the card that this player saw, where it is asked for."""
        own, before = share(told, phone.seat), phone.taps
        match own:
            case observed.Suggestion(answers=answers) | observed.Finger(answers=answers):
                card = next(each.card for each in answers if each.card)
            case _:
                card = str(getattr(own, own.sight.hidden))
        if not phone.scripts:
            phone.open(phone.link)
        asked = phone.page.locator("#enter form", has_text=self.line(told))
        key = asked.get_by_role("button", name=re.compile(rf"\b{card}\b"))
        key.wait_for()
        phone.look("asked")
        phone.tap(key)
        phone.told(format_line(own, self.table))
        self.own.add(phone.taps - before)

    # What goes wrong while something is logged.

    def reload(self, told: Observation) -> None:
        self.recorder.midway = self.recorder.page.reload
        self.log(told)

    def sleep(self, told: Observation) -> None:
        phone = self.random.choice(self.phones)
        phone.sleep()
        self.recorder.midway = self.recorder.nap
        self.log(told, asleep=phone)

    def lost(self, told: Observation) -> None:
        """Lose the answers of the server to all that is sent."""
        with ExitStack() as stack:
            for device in self.devices:
                stack.enter_context(device.losing(arrives=True))
            self.log(told)

    def unsent(self, told: Observation) -> None:
        """Lose what the recorder sends."""
        with self.recorder.losing(arrives=False):
            self.log(told)

    def anew(self, told: Observation) -> None:
        """End the server midway, and begin again on the same port: nobody does anything."""

        def restart() -> None:
            port = int(self.server.origin.rpartition(":")[2])
            self.stack.close()
            self.serve(port)
            assert [each.link for each in self.devices] == [
                self.server.of(each.seat) for each in self.devices
            ]

        self.recorder.midway = restart
        self.log(told)

    def elsewhere(self, told: Observation) -> None:
        """End the server, and begin again on another port."""
        self.stack.close()
        self.serve(0)
        self.open()
        self.log(told)

    def slow(self, told: Observation) -> None:
        with ExitStack() as stack:
            for device in self.devices:
                stack.enter_context(device.slow())
            self.log(told)

    def check(self) -> None:
        """Compare all that was logged with what was dealt and played."""
        folder = self.path.parent
        public = load_record(self.path).observations
        assert list(public) == [share(told, None) for told in self.played]
        for seat, hand in self.hands.items():
            whole = load_record(folder / ".game.clue.whole").observations
            hands = [each for each in whole if isinstance(each, observed.Hand)]
            assert hand in hands
            logged = [share(each, seat) for each in whole if each not in hands]
            assert logged == [share(told, seat) for told in self.played]


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_by_taps(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    game = GAMES[name]
    if name != "diced":  # closer looks take longest, and change nothing that is tapped
        monkeypatch.setattr(Thinking, "look_closer", lambda *_: None)
    dealt = Tournament(
        edition=game.edition, players=("likeliest",) * game.players, games=1, seed=game.seed
    )
    whole = dealt.play(1).record
    assert whole is not None
    evening = Evening(browser, tmp_path, whole, game)
    with evening.stack:
        evening.play()
    evening.check()
    assert [fault for device in evening.devices for fault in device.faults] == []
    named = evening.table.edition.named
    # The cards, and who shows; without scripts what sends them.
    assert evening.taps["Suggestion"] == {named + 1 + (not game.scripts)}
    assert evening.own == {1}
