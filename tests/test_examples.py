"""The example games are played through, entry by entry, for every pair of eyes."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import load
from clue_solver.record import format_record
from clue_solver.rules.observations import Accusation
from clue_solver.rules.play import Play
from tests.enforcer import breaches

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.clue"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_canonical_by_the_rules_and_proved_before_it_is_named(path: Path) -> None:
    game = load(path)
    assert format_record(game.record) == path.read_text("utf-8")
    assert breaches(game.table, game.observations) == []
    state = Play.begin(game.table)
    for observation in game.observations:
        assert state.check(observation) is None
        state = state.after(observation)
    accusation = game.observations[-1]
    assert isinstance(accusation, Accusation)
    assert accusation.right
    assert (state.over, state.winner) == (True, accusation.by)
    report = game.report(upto=len(game.observations) - 1)
    assert report.bits == 0 < game.report(upto=0).bits
    assert report.solutions[0] == (accusation.cards, 1.0)
    for viewer in (*game.table.seats, "spectator"):
        assert game.report(viewer=viewer).deals >= 1
