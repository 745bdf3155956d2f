"""What the chances go by: how people play, or the rules alone; the sheet says which."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import Report, load
from clue_solver.answers.display import percent
from clue_solver.rules.table import ENVELOPE
from tests.faces.screen import FOUR, HAND, HEADER, SMALL, Person, playing

CLASSIC = Path(__file__).parents[2] / "examples" / "classic.clue"
USUAL, ALONE = "chances by how people play", "chances by the rules alone"


def inside(report: Report | None) -> list[str]:
    """Return the envelope's chances, card by card."""
    assert report is not None
    return [percent(report.probability(card, ENVELOPE)) for card in report.cards]


def shown(at: Person) -> list[str]:
    return inside(at.sheet.report)


@pytest.mark.asyncio
async def test_a_key_shows_the_chances_by_the_rules_alone_and_back_again() -> None:
    game = load(CLASSIC)
    usual, alone = inside(game.report(upto=8)), inside(game.report(upto=8, asks="any"))
    assert usual != alone
    async with playing(FOUR + "\n".join(game.lines[:8])) as at:
        assert (shown(at), USUAL in at.rows[0]) == (usual, True)
        await at.type("", "ctrl+r")
        assert (shown(at), ALONE in at.rows[0]) == (alone, True)
        assert at.said() == "the chances go by the rules alone; Ctrl+R: by how people play"
        await at.type("", "down", "down", "down", "enter")
        assert f"Green may be in the envelope: {alone[3]} %." in at.words
        assert "What people usually do" not in at.words
        await at.type("", "escape", "escape")
        await at.put(game.lines[8], "enter")
        assert shown(at) == inside(game.report(upto=9, asks="any"))
        await at.type("", "ctrl+r")
        assert (shown(at), USUAL in at.rows[0]) == (inside(game.report(upto=9)), True)
        await at.resize(120, 40)
        (frame,) = (row for row in at.rows if "by how people play ─" in row)
        assert frame.startswith("╰")


@pytest.mark.asyncio
async def test_advice_and_answers_go_by_what_the_sheet_goes_by() -> None:
    game = load(CLASSIC)
    usual, alone = (game.advice(upto=7, asks=asks).ask for asks in (None, "any"))
    assert usual is not None
    assert alone is not None
    assert usual.cards != alone.cards
    async with playing(FOUR + "\n".join(game.lines[:7]), size=(100, 40)) as at:
        await at.type("", "ctrl+r", "f10")
        await at.until(lambda: ", ".join(alone.cards) in " ".join(at.words.split()))
        assert "What to do, by the rules alone" in at.words
        await at.type("", "escape")
        await at.put("/best", "enter")
        first = ", ".join(game.report(upto=7, asks="any").solutions[0].cards)
        await at.until(lambda: first in at.words)
        assert first != ", ".join(game.report(upto=7).solutions[0].cards)


@pytest.mark.asyncio
async def test_a_record_that_expects_nothing_of_the_players_says_so() -> None:
    async with playing(HEADER.strip() + "\nasks: any\n\n" + HAND) as at:
        assert ALONE in at.rows[0]
        await at.type("", "ctrl+r")
        assert at.said() == "the record has asks: any, so the chances go by the rules alone anyway"


@pytest.mark.asyncio
async def test_the_word_does_what_the_key_does() -> None:
    async with playing(SMALL) as at:
        await at.put("/habits", "enter")
        assert ALONE in at.rows[0]
