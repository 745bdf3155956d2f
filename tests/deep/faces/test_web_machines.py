"""Games by hand with a machine in a chair, by taps on phones in a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from clue_solver.record import Record, load_record, save
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from tests.deep.faces.conftest import CHROMIUM
from tests.deep.faces.test_web_games import Device, steps
from tests.faces.by_hand import ByHand, Evening, dealt
from tests.faces.serving import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")

TINY = Path(__file__).parents[3] / "examples" / "tiny.toml"
GAMES = {
    "clue-classic": 3,
    "clue-diced": 5,
    "clue-2015": 3,
    "cluedo-watson": 1,
    "master-detective": 1,
    str(TINY): 1,
}
"""Editions, each with the seed of a game."""

MOST = 9
"""So many things happen; all of a game with `--whole`, and on phones without a browser."""


class Thumb(Device):
    """A phone in a hand, for an evening that is played by what phones show."""

    def __init__(self, browser: Browser, seat: str | None) -> None:
        super().__init__(browser, seat, 390, scripts=True)
        self.states: set[str] = set()

    def look(self, state: str) -> None:
        """Look for what is in the way of whoever cannot see it, in each state once."""
        if state not in self.states:
            self.states.add(state)
            super().look(state)

    @property
    def text(self) -> str:
        self.page.wait_for_function("!document.querySelector('.htmx-request')")
        return self.page.content()

    def load(self, query: str) -> None:
        self.page.goto(f"{self.link}{query}")
        self.look("a page")

    def tap(self, key: object) -> bool:  # type: ignore[override]
        """Tap what leads on, by what it says."""
        if isinstance(key, str):
            self.lead(key)
            return True
        super().tap(key)  # type: ignore[arg-type]
        return True

    def press(self, label: str, action: str = "tell") -> None:
        """Press what logs or tells something, and wait for what that leads to."""
        form = self.page.locator(f'form[action$="/{action}"]')
        button = form.locator(f'button[value="{label}"]').or_(
            form.get_by_role("button", name=label, exact=True)
        )
        with self.page.expect_response(lambda each: each.request.redirected_from is not None):
            super().tap(button.first)
        self.look(f"after {action}")

    def choose(self, line: str) -> None:
        """Tap a suggestion up to its answers."""
        by, _, cards = line.partition(":")[0].partition(" suggests ")
        self.load("")
        asker = self.page.locator("#enter .askers [aria-current]")
        if asker.count() == 0 or asker.inner_text() != by:
            self.lead(by, "Who asks?")
        for card in cards.split(", "):
            self.lead(card)


class Taps(Evening):
    """The same in a browser."""

    def __init__(self, browser: Browser, table: Served, game: ByHand) -> None:
        self.thumbs: dict[str | None, Thumb] = {}
        for seat in (None, *game.table.seats):
            thumb = self.thumbs[seat] = Thumb(browser, seat)
            thumb.open(table.of(seat))
        super().__init__(table, game)

    def phone(self, seat: str | None) -> Thumb:  # type: ignore[override]
        thumb = self.thumbs[seat]
        if seat is not None:
            thumb.page.reload()
        return thumb

    def tell(self, told: Observation) -> None:
        self.thumbs[None].load("")
        if isinstance(told, observed.Move) and told.to not in self.game.table.edition.rooms:
            self.thumbs[None].page.locator("#line").fill(self.line())
            self.thumbs[None].page.get_by_role("button", name="Log", exact=True).tap()
        else:
            self.thumbs[None].enter(told, self.game.table)
        self.thumbs[None].told(self.line())

    def lead(self, told: observed.Question | observed.Finger) -> None:
        self.thumbs[None].load("")
        for label, group in steps(told, self.game.table)[:-1]:
            self.thumbs[None].lead(label, group)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("edition", GAMES, ids=lambda name: Path(name).stem)
def test_a_game_with_box_and_cards_and_a_machine_in_a_chair(
    browser: Browser, tmp_path: Path, edition: str, pytestconfig: pytest.Config
) -> None:
    path, seed = tmp_path / "game.clue", GAMES[edition]
    cards = dealt(edition, seed)
    save(Record(table=cards.table), path)
    with served(path, public=True) as table:
        table.table.rng = np.random.default_rng(2)  # type: ignore[attr-defined]
        host = Thumb(browser, None)
        host.open(table.url)
        host.page.get_by_role("link", name="Table", exact=True).tap()
        chair = host.page.locator("form.seat", has=host.page.get_by_role("heading", name="Watson"))
        chair.get_by_text("Change").tap()
        chair.get_by_role("button", name="Note-taker").tap()
        chair.get_by_text("A machine plays (note-taker)").wait_for()
        host.look("who plays")
        evening = Taps(browser, table, ByHand(cards, seed))
        for seat in cards.table.seats:
            thumb = evening.thumbs[seat]
            thumb.look("a hand is told")
            for card in cards.hand(seat).cards:
                thumb.page.locator("#handing label", has_text=re.compile(rf"^\s*{card}\s*$")).tap()
            name = "These are its cards" if seat == "Watson" else "This is my hand"
            thumb.page.get_by_role("button", name=name).tap()
            thumb.page.get_by_text("The hand of" if seat == "Watson" else "Your hand,").wait_for(
                state="detached"
            )
        evening.play(1000 if pytestconfig.option.whole else MOST)
        assert evening.said
        evening.check()
        for thumb in (host, *evening.thumbs.values()):
            thumb.look("at the end")
            assert thumb.faults == []
            thumb.context.close()
    assert load_record(path).observations == evening.game.notes(None).observations
