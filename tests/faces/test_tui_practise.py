"""A game against autonomous players on the full screen; the deep run plays more of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from clue_solver.arena.players import Player, find_player
from clue_solver.arena.tournament import Tournament
from clue_solver.faces.tui.panes import TextDialog
from clue_solver.faces.tui.practising import Practice, PractiseApp, PractiseScreen
from tests.faces.screen import Person, showing


class Practising(Person):
    """Who plays against autonomous players."""

    @property
    def screen(self) -> PractiseScreen:  # type: ignore[override]
        return next(each for each in self.app.screen_stack if isinstance(each, PractiseScreen))

    async def asked(self) -> None:
        """Wait until the game asks something, or is over."""
        screen = self.screen
        await self.until(lambda: screen._asked or screen._ended or screen.practice.trouble)
        await self.settle()

    async def answer(self, text: str, *keys: str) -> None:
        await self.type(text, *(keys or ("enter",)))
        await self.asked()


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
    try:
        async with showing(PractiseApp(practice)) as person:
            at = Practising(person.pilot)
            await at.asked()
            yield at
    finally:
        practice.leave()


@pytest.mark.asyncio
async def test_what_is_typed_is_played_and_told_on_the_screen() -> None:
    async with practising() as at:
        assert at.said("#verdict").startswith("Where do you go? (rolls)")
        assert "Ann's turn" in at.said("#head")
        assert "Ann (White) on J1; Ben (Peacock) on X7" in at.said()
        assert at.labels == ["rolls"]  # the choices stand over the line, and Tab takes one
        await at.answer("r", "tab", "enter")
        assert at.lines[-1] == "Ann rolls 8"
        assert at.said("#verdict").startswith(
            "You rolled 8. Where do you go? (Ballroom, or any room"
        )
        await at.answer("nowhere")
        assert "error: " in at.said()
        assert at.line == "nowhere"  # it stays with the reason
        await at.type("", "escape", "escape")
        assert (at.line, at.said()) == ("", "")
        await at.type("ha")
        assert at.labels == ["Hall"]
        await at.answer("", "tab", "enter")
        assert "towards Hall, to Ballroom" in at.said()
        await at.type("Plum, r")
        assert at.labels == ["Revolver", "Rope"]
        await at.answer("", "down", "tab", "enter")
        told = "Ann suggests Plum, Rope, Ballroom: Ben passes, Cat shows Ballroom"
        assert at.lines[-1] == told
        assert told in at.said()
        assert "Accuse?" in at.said("#verdict")
        assert at.screen.drawn is not None
        assert at.screen.drawn.verdict("Ballroom", "Cat") == "holds"
        await at.answer("board")
        assert isinstance(at.front, TextDialog)
        await at.type("review", "enter")  # a letter goes on
        assert "when the game is over" in at.said()
        await at.type("", "escape")
        assert at.said() == ""
        await at.type("", "+")
        assert at.sheet.marked is None  # marks are for those who keep the sheet
        await at.type("", "escape", "escape")
        await at.answer("")
        assert "Ben suggests" in at.said()
        assert [each for each in at.lines if each.startswith(("Ben holds", "Cat holds"))] == []


@pytest.mark.asyncio
async def test_piece_and_seat_are_chosen_on_the_screen_and_escape_goes_back() -> None:
    chosen: list[tuple[int, str]] = []

    def begin(place: int, piece: str) -> Practice:
        chosen.append((place, piece))
        players = ("random",) * 3
        tournament = Tournament(edition="clue-classic", players=players, seed=3, compiled=False)
        others = {seat: find_player("random")() for seat in ("Ann", "Cat")}
        referee = tournament.begin(1, seat="Ben", piece=piece)
        return Practice(referee, others, "You are Ben.", teach=False)

    app = PractiseApp(begin=begin, pieces=("Plum", "Green"), opponents=("one", "two"))
    async with showing(app) as at:
        assert "Whom do you play?" in at.picture
        await at.type("", "down", "enter")
        assert "Ben: at your left sits two" in at.picture
        await at.type("", "escape", "escape")
        assert "Ctrl+Q leaves" in at.picture
        await at.type("", "down", "down", "enter", "down", "enter")
        assert chosen == [(2, "Green")]
        assert app.practice is not None
        assert app.practice.view.seat == "Ben"
        assert "Ben (Green)" in app.practice.person.standing(app.practice.view)
        app.practice.leave()
