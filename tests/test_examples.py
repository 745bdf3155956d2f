"""The example games are played through, entry by entry, for every pair of eyes."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import load
from clue_solver.record import format_record
from clue_solver.rules.observations import Accusation

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.clue"))


def test_the_examples_show_different_editions_and_every_special_observation() -> None:
    games = [load(path) for path in EXAMPLES]
    editions = {game.table.edition.name for game in games}
    assert {"clue-classic", "clue-diced", "clue-2015", "master-detective"} <= editions
    kinds = {type(observation).__name__ for game in games for observation in game.observations}
    assert {"Hand", "Suggestion", "Question", "Look", "Peek", "Accusation"} <= kinds
    assert any(game.table.slots for game in games)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_canonical_and_its_solution_is_proved_before_it_is_named(path: Path) -> None:
    game = load(path)
    assert path.read_text("utf-8") == format_record(game.record)
    accusation = game.observations[-1]
    assert isinstance(accusation, Accusation)
    assert accusation.right
    entries = len(game.observations)
    bits = [game.report(upto=upto).bits for upto in range(entries)]
    assert 0 == bits[-1]
    assert bits[0] == max(bits)
    report = game.report(upto=entries - 1)
    assert (accusation.cards, 1.0) == report.solutions[0]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_everybody_at_an_example_table_can_ask(path: Path) -> None:
    game = load(path)
    for viewer in (*game.table.seats, "spectator"):
        assert game.report(viewer=viewer).deals >= 1
