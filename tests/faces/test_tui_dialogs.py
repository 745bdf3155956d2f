"""What opens over the screen: as large as what it holds, called in words, keys as on a keyboard."""

from __future__ import annotations

import pytest
from textual.containers import Vertical, VerticalScroll
from textual.widgets import OptionList

from clue_solver.conversation.commands import COMMANDS
from clue_solver.faces.tui.panes import pressed
from clue_solver.faces.tui.table import TITLED
from tests.faces.screen import CLASH, SMALL, Person, playing


def size(at: Person) -> tuple[int, int]:
    """Return how many columns and rows the dialog has."""
    region = at.front.query_one(Vertical).region
    return region.width, region.height


@pytest.mark.asyncio
async def test_a_short_answer_has_a_small_dialog_and_a_title_in_words() -> None:
    async with playing() as at:
        await at.put("/check", "enter")
        assert at.said(".dialog-title") == "Check the log"
        text = "The log fits together, as Ann saw it."
        assert text in at.picture
        assert size(at) == (len(text) + 5, 5)


@pytest.mark.asyncio
async def test_a_long_text_scrolls_in_a_dialog_whose_foot_stays_in_sight() -> None:
    async with playing() as at:
        for width, height in ((80, 24), (60, 12)):
            await at.resize(width, height)
            await at.type("", "f1")
            assert size(at)[1] <= height
            assert "Esc closes, arrows scroll" in at.picture
            await at.type("", *["pagedown"] * 20)
            scroll = at.front.query_one(VerticalScroll)
            assert scroll.scroll_y == scroll.max_scroll_y > 0
            await at.type("", "home")
            assert scroll.scroll_y == 0
            await at.type("", "escape")


@pytest.mark.asyncio
async def test_lists_of_choices_are_as_long_as_their_choices_and_scroll() -> None:
    ten = "edition: master-detective\nplayers: Ann, Ben, Cat, Dan, Eve, Fay, Gus, Hal, Ida, Joe\n\n"
    async with playing(ten) as at:
        await at.type("", "f2", "enter", "enter", "enter")
        choices = at.one(OptionList)
        assert size(at)[1] == choices.option_count + 5
        await at.type("", "enter")
        assert choices.option_count == 12
        await at.resize(80, 14)
        assert "letters find a choice" in at.words
        for _ in range(choices.option_count - 1):
            await at.type("", "down")
            label = str(choices.get_option_at_index(choices.highlighted).prompt)
            assert label in at.picture  # what would be chosen is in sight


@pytest.mark.asyncio
async def test_a_correction_is_chosen_in_sight_of_the_foot_on_a_small_screen_too() -> None:
    async with playing(SMALL + CLASH) as at:
        for width, height in ((80, 24), (60, 13)):
            await at.resize(width, height)
            await at.type("", "f5")
            await at.type("", *["down"] * 9)
            assert "Enter makes correction 10;" in at.words
            assert "10 " in at.words
            await at.type("", "escape")


def test_whatever_is_opened_to_be_read_has_a_title_in_words() -> None:
    asks = {each.word for each in COMMANDS if each.kind == "asks"}
    assert TITLED.keys() == asks - {"help"}


def test_keys_are_called_as_a_keyboard_has_them() -> None:
    keys = [key for command in COMMANDS for key in pressed(command)]
    assert {"[", "]", "?", "Esc", "Tab", "F10", "Ctrl+G", "Alt+Up"} <= {*keys}
    assert not [key for key in keys if "_" in key or "^" in key]


@pytest.mark.asyncio
async def test_the_palette_says_which_key_or_what_to_type() -> None:
    async with playing() as at:
        await at.type("", "ctrl+p")
        await at.until(lambda: "/check" in at.picture)
        assert "no key: type /board" in at.words
        await at.type("earlier")
        await at.until(lambda: "/earlier" in at.picture and "/check" not in at.picture)
        assert [row.strip() for row in at.rows].count("[") == 1
