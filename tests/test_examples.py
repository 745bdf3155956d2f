"""The example games are played through, entry by entry, for every pair of eyes."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import load
from clue_solver.record import format_record, parse_record
from clue_solver.rules.observations import Accusation
from clue_solver.rules.play import PlayState
from tests.enforcer import breaches

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


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_obeys_the_rules_of_its_edition(path: Path) -> None:
    game = load(path)
    assert [] == breaches(game.table, game.observations)
    state = PlayState.begin(game.table)
    for observation in game.observations:
        assert () == state.doubts(observation)
        state = state.after(observation)
    assert state.over
    assert game.observations[-1].by == state.winner  # type: ignore[union-attr]


def test_a_referee_of_records_sees_what_is_against_the_rules() -> None:
    def told(header: str, *lines: str) -> list[str]:
        record = parse_record("\n".join((*header.splitlines(), "", *lines, "")))
        return breaches(record.table, record.observations)

    diced = "edition: clue-diced\nplayers: Ann, Ben, Cat"
    rooms = "edition: clue-2015\nplayers: Ann, Ben\nface-down: Hall, Library, Lounge, Study"
    board = "edition: clue-classic\nplayers: Ann, Ben\npieces: Plum, Scarlett"
    asked = "Ann suggests Brains Plum, Brawn Green: nobody shows"
    assert ["1: the bonus die comes after the suggestion"] == told(diced, "Ann looks at Ben")
    wrong = "accuses Brains Plum, Brawn Green: wrong"
    assert 2 == len(told(diced, f"Ann {wrong}"))
    assert ["2: an accusation comes after the bonus die"] == told(diced, asked, f"Ann {wrong}")
    assert [] == told(diced, asked, "Ann peeks: Plum", f"Ann {wrong}")
    assert ["4: Ann is out"] == told(diced, asked, "Ann peeks", f"Ann {wrong}", "Ann skips")[:1]
    assert ["3: it is Ben's turn"] == told(diced, asked, "Ann peeks", "Cat rolls Plum, Plum, Plum")
    hall = "Ann suggests Plum, Rope, Hall: nobody shows"
    assert ["1: Ann has not looked at the card in Hall"] == told(rooms, hall)
    assert [] == told(rooms, "Ann looks at Hall: Knife", hall)
    assert ["2: Ann is in Hall"] == told(rooms, "Ann looks at Hall", "Ann looks at Study")[:1]
    assert ["1: it is Ben's turn"] == told(board, "Ann rolls 8")
    assert ["2: 7 is not enough for Lounge"] == told(board, "Ben rolls 7", "Ben moves to Lounge")
    assert [] == told(board, "Ben rolls 8", "Ben moves to Lounge")
    lounge = "Ben suggests White, Rope, Lounge: nobody shows"
    assert ["3: Ben did not leave Lounge"] == told(board, lounge, "Ann skips", lounge)
