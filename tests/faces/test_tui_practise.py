"""A game against autonomous players on the full screen, through the real application."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from clue_solver.arena.players import Likeliest, Player, find_player
from clue_solver.arena.tournament import Tournament
from clue_solver.errors import ArgumentError
from clue_solver.faces.tui.entry import Matches
from clue_solver.faces.tui.panes import Findings, Reading
from clue_solver.faces.tui.practising import Practice, PractiseApp, PractiseScreen
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.record import load_record
from tests.faces.test_cli import run
from tests.faces.test_tui import in_front, picture, said, settle, typing

Practising = tuple[Pilot[None], PractiseScreen]


@asynccontextmanager
async def practising(
    *, teach: bool = False, edition: str = "clue-classic", ben: Player | None = None
) -> AsyncIterator[Practising]:
    """Open a game of three, whose deal and dice are always the same, on the full screen."""
    tournament = Tournament(
        edition=edition, players=("likeliest", "likeliest", "random"), seed=3, compiled=False
    )
    others = {"Ben": ben or find_player("likeliest")(), "Cat": find_player("random")()}
    practice = Practice(tournament.begin(1), others, "You are Ann.", teach=teach)
    app = PractiseApp(practice)
    try:
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            assert isinstance(app.screen, PractiseScreen)
            await asked(pilot, app.screen)
            yield pilot, app.screen
    finally:
        practice.leave()


async def asked(pilot: Pilot[None], screen: PractiseScreen) -> None:
    """Wait until the game asks something, or is over."""
    for _ in range(3000):
        await pilot.pause(0.01)
        if screen._asked or screen._ended or screen.practice.trouble:
            break
    await settle(pilot)


async def answer(pilot: Pilot[None], screen: PractiseScreen, text: str) -> None:
    await typing(pilot, text, "enter")
    await asked(pilot, screen)


def lines(screen: PractiseScreen) -> tuple[str, ...]:
    return screen.session.lines


@pytest.mark.asyncio
async def test_what_is_typed_is_played_and_told_on_the_screen() -> None:
    async with practising() as (pilot, screen):
        assert "Go where? (rolls)" in said(screen, "#verdict")
        assert "turn: Ann" in said(screen, "#head")
        assert "Ann (White) on J1; Ben (Peacock) on X7" in said(screen)
        await answer(pilot, screen, "roll")
        assert "You rolled 8. Go where? (Ballroom, or any room" in said(screen, "#verdict")
        await answer(pilot, screen, "hall")
        assert "towards Hall, to Ballroom" in said(screen)
        await answer(pilot, screen, "plum rope")
        told = "Ann suggests Plum, Rope, Ballroom: Ben passes, Cat shows Ballroom"
        assert told == lines(screen)[-1]
        assert told in said(screen)
        assert "turn: Ann" in said(screen, "#head")
        assert "Accuse?" in said(screen, "#verdict")
        assert screen.drawn is not None
        assert "holds" == screen.drawn.verdict("Ballroom", "Cat")
        await answer(pilot, screen, "")
        assert "Ben suggests" in said(screen)
        assert "Ben suggests" in picture(screen)
        assert not [line for line in lines(screen) if line.startswith(("Ben holds", "Cat holds"))]


@pytest.mark.asyncio
async def test_the_choices_stand_over_the_line_and_tab_takes_one() -> None:
    async with practising() as (pilot, screen):
        offered = screen.query_one(Matches)
        assert ["rolls"] == [each.label for each in offered.found]
        await typing(pilot, "", "r", "tab", "enter")
        await asked(pilot, screen)
        assert "Ann rolls 8" == lines(screen)[-1]
        await typing(pilot, "ha")
        assert ["Hall"] == [each.label for each in offered.found]
        await typing(pilot, "", "tab", "enter")
        await asked(pilot, screen)
        await typing(pilot, "Plum, r")
        assert ["Revolver", "Rope"] == [each.label for each in offered.found]
        await typing(pilot, "", "down", "tab", "enter")
        await asked(pilot, screen)
        assert lines(screen)[-1].startswith("Ann suggests Plum, Rope, Ballroom: ")


@pytest.mark.asyncio
async def test_what_cannot_be_stays_in_the_line_with_the_reason() -> None:
    async with practising() as (pilot, screen):
        await answer(pilot, screen, "nowhere")
        assert "error: " in said(screen)
        assert "nowhere" == screen.query_one("#entry").value  # type: ignore[attr-defined]
        await typing(pilot, "", "escape")
        assert "" == screen.query_one("#entry").value  # type: ignore[attr-defined]
        await answer(pilot, screen, "review")
        assert "when the game is over" in said(screen)


@pytest.mark.asyncio
async def test_long_answers_open_and_a_letter_goes_on() -> None:
    async with practising() as (pilot, screen):
        await answer(pilot, screen, "board")
        assert isinstance(in_front(pilot), Reading)
        await typing(pilot, "ro")
        assert in_front(pilot) is screen
        await answer(pilot, screen, "")
        assert "Ann rolls 8" == lines(screen)[-1]
        await answer(pilot, screen, "help")
        assert "your accusation, in this turn" in picture(in_front(pilot))
        await typing(pilot, "", "escape")
        await typing(pilot, "", "ctrl+g")
        assert "What to do" in picture(in_front(pilot))


@pytest.mark.asyncio
async def test_a_whole_game_ends_with_its_review() -> None:
    async with practising(edition="clue-diced") as (pilot, screen):
        for _ in range(400):
            if screen._ended:
                break
            await answer(pilot, screen, "")
        await settle(pilot)
        assert " won. The envelope held " in said(screen, "#verdict")
        assert "the game is over" in said(screen, "#head")
        assert isinstance(in_front(pilot), Reading)
        assert "The game, turn by turn" in picture(in_front(pilot))
        await typing(pilot, "", "escape")
        await typing(pilot, "plum", "enter")
        assert "the game is over" in said(screen)


@pytest.mark.asyncio
async def test_a_sheet_that_the_player_keeps_has_the_hand_and_the_right_marks() -> None:
    async with practising(teach=True) as (pilot, screen):
        sheet, findings = screen.query_one(SheetView), screen.query_one(Findings)
        for each in ("roll", "hall", "plum rope"):
            await answer(pilot, screen, each)
        assert "%" not in picture(screen)
        assert "You keep the sheet" in "".join(
            each.text for strip in findings._lines for each in strip
        )
        marked = dict(sheet.marked or {})
        assert {"Ann"} == {holder for holder, _ in marked}
        assert screen.drawn is not None
        cards = screen.drawn.cards
        for card, key, opens in (("Ballroom", "+", "Right."), ("Hall", "+", "Not certain yet"),
                                 ("Plum", "+", "Wrong."), ("Plum", "-", "Right.")):  # fmt: skip
            sheet.cursor = (cards.index(card), 2 if card != "Plum" else 1)
            await typing(pilot, "", {"+": "plus", "-": "minus"}[key])
            await asked(pilot, screen)
            assert opens in picture(in_front(pilot))
            await typing(pilot, "", "escape")
        added = {cell: has for cell, has in (sheet.marked or {}).items() if cell not in marked}
        assert {("Cat", "Ballroom"): True, ("Ben", "Plum"): False} == added


@pytest.mark.asyncio
async def test_marks_by_keys_are_for_those_who_keep_the_sheet() -> None:
    async with practising() as (pilot, screen):
        await typing(pilot, "", "plus")
        assert screen.query_one(SheetView).marked is None
        assert screen._asked


class Cheat(Likeliest):
    """Goes where there is nothing."""

    def move(self, view: object) -> str:
        return "nowhere"


@pytest.mark.asyncio
async def test_a_player_who_breaks_the_rules_ends_the_game_with_the_reason() -> None:
    broken = ""
    try:
        async with practising(ben=Cheat()) as (pilot, screen):
            for each in ("roll", "hall", "plum rope", ""):
                await answer(pilot, screen, each)
            assert screen.practice.trouble is not None
    except ArgumentError as error:
        broken = str(error)
    assert "Ben cannot move there: expected one of rolls; found 'nowhere'" in broken


def test_it_needs_a_terminal() -> None:
    result = run("practise", "--opponents", "likeliest,random")
    assert 2 == result.exit_code
    assert "--plain works on lines" in result.stderr


def test_leaving_in_the_middle_tells_the_solution_and_writes_the_record(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty", reason="a pseudo-terminal")
    termios = pytest.importorskip("termios", reason="a pseudo-terminal")
    from tests.faces.test_tui_process import read_until

    path = tmp_path / "game.clue"
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    words = [sys.executable, "-m", "clue_solver", "practise", "--opponents", "likeliest,random",
             "--seed", "3", "-o", str(path)]  # fmt: skip
    surroundings = {**os.environ, "TERM": "xterm-256color"}
    started = subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings, start_new_session=True
    )
    os.close(theirs)
    try:
        assert b"Go where?" in read_until(ours, b"Go where?")
        os.write(ours, b"roll\r")
        assert b"You rolled 8" in read_until(ours, b"You rolled 8")
        os.write(ours, b"\x11")
        assert b"written" in read_until(ours, b"written")
        assert 0 == started.wait(60)
    finally:
        started.kill()
        os.close(ours)
    record = load_record(path)
    assert ("Plum", "Knife", "Library") == record.table.solution
    assert 4 == len(record.entries)
