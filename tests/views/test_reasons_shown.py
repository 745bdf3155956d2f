"""Reasons and checks show themselves: as a line, as the text of the command line, as HTML."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Game, load
from clue_solver.answers.corrections import Check
from clue_solver.answers.reasons import Reason
from tests.outline import Outline
from tests.strategies import games
from tests.views.displays import CLASH, EXAMPLES, HOSTILE, hostile
from tests.views.test_html import HARMLESS

CLASSIC = str(EXAMPLES / "classic.clue")
GAME = load(CLASSIC)
SHOWN: tuple[Reason | Check, ...] = (
    GAME.why("hall", "env"),
    GAME.why("rope", "cat", upto=9),
    GAME.suppose("Ben has Wrench").why("wrench", "cat", upto=2),
    GAME.why("rope", "cat", upto=0),
    GAME.check(),
    GAME.check(viewer="spectator"),
    CLASH.check(),
)


@pytest.mark.parametrize("shown", SHOWN, ids=repr)
def test_html_tells_all_that_the_text_tells(shown: Reason | Check) -> None:
    told = " ".join(Outline(shown._repr_html_()).text.split())
    for line in str(shown).splitlines():
        for part in line.split("  "):
            assert "".join(part.split()) in unescape(told).replace(" ", "")


def test_a_clash_is_told_with_its_lines_and_corrections() -> None:
    check = CLASH.check()
    assert "Ann suggests Plum, Rope, Hall: Ben shows Rope" in str(check)
    assert "Suggested corrections" in str(check)
    changed = [replace(each.changes[0], entry=at // 5) for at, each in enumerate(check.corrections)]
    many = [
        replace(each, changes=(change,))
        for each, change in zip(check.corrections, changed, strict=True)
    ]
    told = str(replace(check, corrections=tuple(many)))
    assert re.findall(r"%  entry (\d)", told) == ["0"] * 4 + ["1"] * 4
    assert "and 12 more" in told


def test_one_line_says_what_it_is() -> None:
    assert repr(SHOWN[0]) == "<Reason: The envelope does not hold Hall.; entry 2>"
    assert repr(SHOWN[4]) == "<Check: the log is consistent; Ann>"
    assert repr(SHOWN[5]) == "<Check: the log is consistent; spectator>"
    assert repr(CLASH.check()).startswith("<Check: entries 1 and 3 cannot all be true; Ann; ")


def test_what_is_shown_is_not_in_the_json() -> None:
    assert not {"lines", "viewer"} & (SHOWN[0].to_dict().keys() | CLASH.check().to_dict().keys())


def test_names_that_are_markup_stay_text() -> None:
    game = hostile()
    seat = game.table.seats[0]
    shown = [game.why(card, seat) for card in game.table.cards] + [game.check()]
    pages = [each._repr_html_() for each in shown]
    for page in pages:
        assert set(Outline(page).tags) <= HARMLESS
    assert HOSTILE[0] in "".join(Outline(page).text for page in pages)


@settings(max_examples=15)
@given(games(), st.data())
def test_why_shows_itself_for_every_cell(game: Game, data: st.DataObject) -> None:
    card = data.draw(st.sampled_from(game.table.cards))
    holder = data.draw(st.sampled_from(game.table.holders))
    reason = game.why(card, holder)
    assert set(Outline(reason._repr_html_()).tags) <= HARMLESS
    assert reason.card in repr(reason)
    assert str(reason).startswith(repr(reason).removeprefix("<Reason: ").split(".")[0][:20])
