"""
The full screen in a test: opened, typed into, waited for, and read.

A picture of it, drawn by the program itself; `docs/screens.py` says which are kept.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual import constants
from textual.events import Key, Paste
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from clue_solver.conversation.session import Session
from clue_solver.faces import thoughts
from clue_solver.faces.tui.app import PlayApp
from clue_solver.faces.tui.dialogs import Choose
from clue_solver.faces.tui.line import InputLine
from clue_solver.faces.tui.screen import GameScreen
from clue_solver.faces.tui.sheet import SheetTable
from clue_solver.record.files import RecordFile, load_record, parse_record

HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n\n"
HAND = "Ann holds Plum, Rope, Hall, Study, Knife, Green\n"
FIRST = "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard\n"
SMALL = HEADER + HAND + FIRST
FOUR = HEADER.replace("Cat", "Cat, Dan")


class Person:
    """Who sits before the screen: types, waits until all of it is done, and reads."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        self.app = pilot.app

    async def type(self, text: str, *keys: str) -> None:
        """Type a text as fast as it can be read, then press keys; wait until all is done."""
        for mark in text:
            self.app.post_message(Key(_character_to_key(mark), mark))
        for key in keys:
            one = len(key) == 1
            self.app.post_message(Key(_character_to_key(key) if one else key, key if one else None))
        await self.settle()

    async def put(self, text: str, *keys: str) -> None:
        """Paste a text in the place of what stands in the line: not each letter is read."""
        self.app.post_message(Key("ctrl+u", None))
        await self.paste(text)
        await self.type("", *keys)

    async def paste(self, text: str) -> None:
        self.app.post_message(Paste(text))
        await self.settle()

    async def settle(self) -> None:
        """Wait until every key has done what it does and nothing is worked at any more."""
        quiet = 0
        async with asyncio.timeout(60):
            while quiet < 3:
                await self.pilot.pause(0)
                working = [each.wait() for each in self.app.workers if not each.is_finished]
                await asyncio.gather(*working, return_exceptions=True)  # some are cancelled
                shown = [each for each in self.app.screen_stack if each.is_current]
                nodes = [self.app, *(n for s in shown for n in s.walk_children(with_self=True))]
                # Textual leaves the flag of other screens behind, though no widget of theirs waits.
                drawn = [
                    each for each in shown if each is self.front or isinstance(each, GameScreen)
                ]
                waiting = any(each._layout_required for each in drawn)
                waiting = waiting or any(each.message_queue_size for each in nodes)
                quiet = 0 if working or waiting else quiet + 1

    @property
    def front(self) -> Screen[Any]:
        """The screen that is in front."""
        return self.app.screen

    @property
    def screen(self) -> Any:
        """The game's screen, whatever lies over it."""
        return next(each for each in self.app.screen_stack if isinstance(each, GameScreen))

    @property
    def there(self) -> bool:
        """Whether nothing lies over the game's screen."""
        return isinstance(self.front, GameScreen)

    def said(self, where: str = "#note") -> str:
        """What stands somewhere on the game's screen, its lines as one."""
        return " ".join(str(self.screen.query_one(where, Static).visual).split())

    @property
    def rows(self) -> list[str]:
        """The rows of the screen in front."""
        strips = self.front._compositor.render_strips()
        return ["".join(each.text for each in strip).rstrip() for strip in strips]

    @property
    def picture(self) -> str:
        return "\n".join(self.rows)

    @property
    def line(self) -> str:
        """What stands in the line."""
        return str(self.screen.query_one(InputLine).value)

    @property
    def lines(self) -> tuple[str, ...]:
        """The entries of the game."""
        return tuple(self.screen.session.lines)

    @property
    def labels(self) -> list[str]:
        """What is offered over the line."""
        return self.said("#matches").split(" · ")

    @property
    def sheet(self) -> SheetTable:
        sheet: SheetTable = self.screen.query_one(SheetTable)
        return sheet

    @property
    def asked(self) -> tuple[str, Sequence[str]]:
        """The question in front, and what it offers."""
        assert isinstance(self.front, Choose)
        question = self.front.question
        return question.title, [label for label, _ in question.choices]

    async def take_as_it_stands(self) -> None:
        """Answer what is asked about the line so that it is taken as it is."""
        while isinstance(self.front, Choose):
            answers = [*enumerate(self.asked[1], 1)]
            kept = ("keep it", "?")
            stands = (n for n, each in answers if any(text in each for text in kept))
            await self.type(str(next(stands, 1)), "enter")


@asynccontextmanager
async def showing(
    app: PlayApp, size: tuple[int, int] = (80, 24), *, decides: bool = False
) -> AsyncIterator[Person]:
    """Run an application; what to do, which takes longest, is told where it is asked for."""
    told = thoughts.thoughts_on
    app.animation_level = "none"  # what scrolls is there at once, on a busy machine too

    def thoughts_on(game: Any) -> Any:
        return told(game) if decides or not game.report().consistent else iter(())

    with patch("clue_solver.faces.feed.thoughts_on", thoughts_on):
        async with app.run_test(size=size) as pilot:
            person = Person(pilot)
            await person.settle()
            yield person
    if app.game_screen is not None and app.game_screen.session.keeper is not None:
        app.game_screen.session.close()


@asynccontextmanager
async def playing(
    text: str = SMALL,
    path: Path | None = None,
    size: tuple[int, int] = (80, 24),
    *,
    decides: bool = False,
) -> AsyncIterator[Person]:
    """Open a game on the full screen, from a file where a path is given."""
    if path is None:
        session = Session(parse_record(text))
    else:
        path.write_text(text, "utf-8")
        session = Session(load_record(path), keeper=RecordFile(path))
    async with showing(PlayApp(session), size, decides=decides) as person:
        yield person


def lines_in(path: Path) -> tuple[str, ...]:
    return Session(load_record(path)).lines


_FONTS = re.compile(r"\s*@font-face \{.*?\}(?=\s)", re.DOTALL)
"""Fonts that a browser would fetch from elsewhere; without them it takes one of its own."""


async def shot(
    game: Path | None,
    *,
    size: tuple[int, int],
    entries: int | None = None,
    typed: str = "",
    keys: Sequence[str] = (),
) -> str:
    """
    Return the screen of a game as SVG, in all colours, which needs nothing from elsewhere.

    Args:
        game: The game's file; `None` for a new game that is set up.
        size: Columns and rows of the terminal.
        entries: How many entries count; all if left out.
        typed: What stands in the entry line.
        keys: The keys that are pressed after it.
    """
    session = None
    if game is not None:
        record = load_record(game)
        session = Session(record if entries is None else record.upto(entries))
    with patch.object(constants, "COLOR_SYSTEM", "truecolor"):
        app = PlayApp(session) if session is not None else PlayApp(typed={})
    async with showing(app, size, decides=True) as at:
        await at.type(typed)
        await at.type("", *keys)
        await at.pilot.pause(0.5)
        await at.settle()
        title = "clue-solver play" if game is None else f"clue-solver play {game.name}"
        return _FONTS.sub("", at.app.export_screenshot(title=title))
