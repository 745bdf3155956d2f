"""
Pictures of the full screen, as text: six states at three sizes, in `pictures/`.

`python -m tests.faces.test_pictures` draws them anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from clue_solver.faces.tui.app import PlayApp
from tests.faces.screen import FOUR, Person, playing, showing

PICTURES = Path(__file__).with_name("pictures")
SIZES = ((40, 12), (80, 24), (120, 40))
EVENING = f"""{FOUR}\
Ann holds Plum, Rope, Hall, Study, Knife
Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard
Ben suggests Scarlett, Wrench, Kitchen: Cat passes, Dan shows
"""

State = Callable[[Person], Awaitable[None]]


async def set_up(at: Person) -> None:
    await at.type("", "enter")
    await at.type("Ann, Ben, Cat, Dan", "enter", "enter")
    await at.type("plum, rope, hall, study, knife", "enter")


async def played(at: Person) -> None:
    await at.put("cat green rope hall: dan no, me hall", "enter")


async def typed(at: Person) -> None:
    await at.put("cat whi c")


async def asked(at: Person) -> None:
    await at.put("cat plum rope ki: dan no, ann", "enter")


async def contradicted(at: Person) -> None:
    await at.put("cat lacks mustard", "enter")
    await at.type("y", "enter")


async def helped(at: Person) -> None:
    await at.type("", "f1")


STATES: dict[str, State] = {
    each.__name__: each for each in (set_up, played, typed, asked, contradicted, helped)
}


def opened(state: str, size: tuple[int, int]) -> AbstractAsyncContextManager[Person]:
    if state == "set_up":
        return showing(PlayApp(typed={}), size)
    return playing(EVENING, size=size)


async def drawn(state: str, *sizes: tuple[int, int]) -> str:
    """Return the pictures of a state, below one another."""
    pictures = []
    for size in sizes or SIZES:
        async with opened(state, size) as at:
            await STATES[state](at)
            assert max(map(len, at.rows)) <= size[0]
            pictures += [f"== {size[0]}x{size[1]}", *at.rows]
    return "".join(f"{row}\n" for row in pictures)


@pytest.mark.asyncio
@pytest.mark.parametrize("state", STATES)
async def test_each_state_looks_as_it_is_drawn(state: str) -> None:
    """At the usual size; at all of them in the deep run."""
    assert await drawn(state, SIZES[1]) in (PICTURES / f"{state}.txt").read_text("utf-8")


@pytest.mark.asyncio
async def test_a_screen_that_shrinks_still_shows_every_player_and_whole_entries() -> None:
    names = ("Charlotte", "Benjamin", "Alexandra", "Dora", "Eve")
    cards = "Mustard, Candlestick, Conservatory"
    text = f"edition: clue-classic\nplayers: {', '.join(names)}\n\nEve suggests {cards}: ?\n"
    async with playing(text, size=(120, 40)) as at:
        for size in ((80, 24), (60, 24), (40, 12)):
            await at.pilot.resize_terminal(*size)
            await at.settle()
            heads = next(row for row in at.rows if "✉" in row)
            assert all(name[:3] in heads for name in names), heads
            if size[0] == 80:
                assert "Eve Mustard Candlestick Conservatory → ?" in " ".join(
                    row[50:].strip() for row in at.rows
                ).replace("  ", " ")


@pytest.mark.asyncio
async def test_what_is_beyond_the_edge_of_a_narrow_screen_can_be_scrolled_to() -> None:
    names = ", ".join(f"{letter}anny" for letter in "ABCDEFGHIJ")
    async with playing(f"edition: master-detective\nplayers: {names}\n\n", size=(80, 24)) as at:
        assert not at.sheet.show_horizontal_scrollbar
        await at.pilot.resize_terminal(40, 12)
        await at.settle()
        assert at.sheet.show_horizontal_scrollbar
        assert at.sheet.show_vertical_scrollbar


@pytest.mark.asyncio
async def test_what_looks_like_markup_in_a_name_is_its_text() -> None:
    async with playing(EVENING.replace("Ann", "[b]Ann")) as at:
        assert "[b]Ann's notes" in at.rows[0]


def main() -> None:
    """Draw them anew."""
    PICTURES.mkdir(exist_ok=True)
    for state in STATES:
        (PICTURES / f"{state}.txt").write_text(asyncio.run(drawn(state)), "utf-8")


if __name__ == "__main__":
    main()
