"""A game against autonomous players on the full screen: to its end, with marks, and broken off."""

from __future__ import annotations

import pytest

from clue_solver.arena.players import Likeliest
from clue_solver.errors import ArgumentError
from clue_solver.faces.tui.panes import Findings, TextDialog
from clue_solver.faces.tui.practising import Practice, PractiseScreen
from clue_solver.faces.tui.sheet import SheetView
from tests.faces.screen import playing
from tests.faces.test_tui_practise import practising

pytestmark = pytest.mark.asyncio


async def test_long_answers_open_and_a_letter_goes_on() -> None:
    async with practising() as at:
        await at.answer("board")
        assert isinstance(at.front, TextDialog)
        await at.type("ro")
        assert at.there
        await at.answer("")
        assert at.lines[-1] == "Ann rolls 8"
        await at.answer("help")
        assert "your accusation, in this turn" in at.picture
        await at.type("", "escape")
        await at.type("", "ctrl+g")
        assert "What to do" in at.picture


async def test_a_whole_game_ends_with_its_review() -> None:
    async with practising(edition="clue-diced") as at:
        for _ in range(400):
            if at.screen._ended:
                break
            await at.answer("")
        assert isinstance(at.front, TextDialog)
        assert "The game, turn by turn" in at.picture
        await at.type("", "escape")
        assert " won. The envelope held " in at.said("#verdict")
        assert "the game is over" in at.said("#head")
        await at.type("plum", "enter")
        assert "the game is over" in at.said()


async def test_a_sheet_that_the_player_keeps_has_the_hand_and_the_right_marks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first: list[object] = []
    begin = Practice.begin

    def begun(practice: Practice, screen: PractiseScreen) -> None:
        first.append(screen.query_one(SheetView).marked)
        begin(practice, screen)

    monkeypatch.setattr(Practice, "begin", begun)
    async with practising(teach=True) as at:
        assert first == [at.sheet.marked]  # before the first question as well
        for each in ("roll", "hall", "plum rope"):
            await at.answer(each)
        assert "%" not in at.picture
        assert "chances" not in at.picture
        found = at.screen.query_one("#best", Findings)._lines
        assert "You keep the sheet" in "".join(each.text for strip in found for each in strip)
        marked = dict(at.sheet.marked or {})
        assert {holder for holder, _ in marked} == {"Ann"}
        assert at.screen.drawn is not None
        cards = at.screen.drawn.cards
        for card, key, opens in (
            ("Ballroom", "+", "Right."),
            ("Hall", "+", "Not certain yet"),
            ("Plum", "+", "Wrong."),
            ("Plum", "-", "Right."),
        ):
            at.sheet.cursor = (cards.index(card), 1 if card == "Plum" else 2)
            await at.answer("", {"+": "plus", "-": "minus"}[key])
            assert opens in at.picture
            await at.type("", "escape")
        added = {cell: has for cell, has in (at.sheet.marked or {}).items() if cell not in marked}
        assert added == {("Cat", "Ballroom"): True, ("Ben", "Plum"): False}


class Cheat(Likeliest):
    """Goes where there is nothing."""

    def move(self, view: object) -> str:
        return "nowhere"


async def test_a_player_who_breaks_the_rules_ends_the_game_with_the_reason() -> None:
    async def play() -> None:
        async with practising(ben=Cheat()) as at:
            for each in ("roll", "hall", "plum rope", ""):
                await at.answer(each)

    reason = "Ben cannot move there: expected one of rolls; found 'nowhere'"
    with pytest.raises(ArgumentError, match=reason):
        await play()


async def test_advice_takes_the_dice_of_clue_diced() -> None:
    text = (
        "edition: clue-diced\nplayers: Ann, Ben, Cat\nviewer: Ann\nhands: 4, 3, 3\n\n"
        "Ann holds Brains Plum, Brains Green, Brawn Plum, Brawn Green\n"
    )
    async with playing(text) as at:
        await at.type("", "ctrl+g")
        await at.type("", "d")
        await at.put("plum, green, orchid", "enter")
        assert "dice: plum, green, orchid" in at.picture
