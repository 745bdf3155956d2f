"""The first minute of a first game: hints that follow what is done, and come once."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver.conversation.session import Session
from clue_solver.faces.tui.app import PlayApp, beginning
from clue_solver.faces.tui.guide import Guide, first_guide
from clue_solver.record import parse_record
from clue_solver.rules.edition import TEMPLATE, load_edition, shipped_editions
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import Table
from clue_solver.views.guide import hint_text
from tests.faces.screen import HEADER, SMALL, Person, showing


def hint(at: Person) -> str:
    """What is hinted at, up to its first comma, colon or mark; empty if nothing is."""
    return at.said("#guide") if at.front.query_one("#guide").display else ""


@pytest.mark.asyncio
async def test_hints_follow_what_is_done_and_escape_leaves_them_for_ever(tmp_path: Path) -> None:
    guide = first_guide(tmp_path / "games")
    assert guide is not None
    async with showing(PlayApp(Session(parse_record(HEADER)), guide=guide)) as at:
        for typed, key, told in (
            ("", "left", "First your own cards"),
            ("plum rope hall study knife green", "enter", "Type who asks, and the cards: 'cat "),
            ("cat mus wr lou", "enter", "All in one it is 'cat mus wr lou: ben'"),
            ("ben", "enter", "It is on the sheet"),
            ("ann sc wr lou: -", "enter", "A slip? Ctrl+Z"),
            ("", "ctrl+z", "That is all you need"),
            ("", "escape", "That is all you need"),  # the line comes first
        ):
            await at.type(typed, key)
            assert told in hint(at)
        await at.type("", "escape")
        assert hint(at) == ""
    assert first_guide(tmp_path / "games") is None


@pytest.mark.asyncio
async def test_hints_end_by_themselves_and_are_not_for_a_game_that_is_under_way(
    tmp_path: Path,
) -> None:
    mark = tmp_path / "guided"
    async with showing(PlayApp(Session(parse_record(SMALL)), guide=Guide(mark))) as at:
        assert hint(at) == ""
    async with showing(PlayApp(Session(parse_record(HEADER)), guide=Guide(mark))) as at:
        for line in ("cat mus wr lou: ?", "ann sc le kit: ?", "ben sc le kit: ?"):
            assert not mark.exists()
            await at.put(line, "enter")
        await at.put("", "enter")  # the hand was asked for, and may wait
        await at.put("cat sc le kit: ?", "enter")
        await at.put("ben sc le kit: ?", "enter")
        await at.take_as_it_stands()
        assert hint(at) == ""
    assert mark.exists()


def test_who_has_played_before_gets_no_hints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clue_solver.faces.tui.app.games_folder", lambda: tmp_path / "games")
    assert beginning()._guide is not None
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "new.clue").write_text(HEADER, "utf-8")
    assert first_guide(tmp_path / "games") is not None  # nothing is logged in it
    (tmp_path / "games" / "old.clue").write_text(SMALL, "utf-8")
    assert first_guide(tmp_path / "games") is None


@pytest.mark.parametrize("name", [name for name in shipped_editions() if name != TEMPLATE])
def test_what_a_hint_says_to_type_is_read_in_every_edition(name: str) -> None:
    seats = ("Ann", "Ben", "Cat")
    table = Table(edition=load_edition(name), seats=seats, viewer="Ann")
    session = Session(parse_record(f"edition: {name}\nplayers: {', '.join(seats)}\nviewer: Ann\n"))
    line = hint_text("ask", table, "Cat").split("'")[1]
    told = session.read(line).observation
    assert isinstance(told, Suggestion)
    assert told.by == "Cat"


def test_who_shows_in_a_hint_is_neither_the_viewer_nor_who_asks() -> None:
    seats = ("Sam", "Noah", "Ida")
    table = Table(edition=load_edition("clue-classic"), seats=seats, viewer="Sam")
    for asks, shows in (("Noah", "ida"), ("Ida", "noah"), ("Sam", "ida")):
        assert f"'x: {shows}'" in hint_text("answer", table, asks, "x")
