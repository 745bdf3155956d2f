"""The example games are played through, entry by entry, for every pair of eyes."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import load
from clue_solver.record import format_record, parse_record
from clue_solver.rules.observations import Accusation
from clue_solver.rules.play import Play
from tests.enforcer import breaches

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.clue"))


def test_the_examples_show_different_editions_and_every_special_observation() -> None:
    games = [load(path) for path in EXAMPLES]
    editions = {game.table.edition.name for game in games}
    assert editions >= {"clue-classic", "clue-diced", "clue-2015", "master-detective"}
    kinds = {type(observation).__name__ for game in games for observation in game.observations}
    assert kinds >= {"Hand", "Suggestion", "Question", "Look", "Peek", "Accusation"}
    assert any(game.table.slots for game in games)


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


def test_a_referee_of_records_sees_what_is_against_the_rules() -> None:
    def told(header: str, *lines: str) -> list[str]:
        record = parse_record("\n".join((*header.splitlines(), "", *lines, "")))
        return breaches(record.table, record.observations)

    diced = "edition: clue-diced\nplayers: Ann, Ben, Cat"
    rooms = "edition: clue-2015\nplayers: Ann, Ben\nface-down: Hall, Library, Lounge, Study"
    board = "edition: clue-classic\nplayers: Ann, Ben\npieces: Plum, Scarlett"
    asked = "Ann suggests Brains Plum, Brawn Green: nobody shows"
    assert told(diced, "Ann looks at Ben") == ["1: the bonus die comes after the suggestion"]
    wrong = "accuses Brains Plum, Brawn Green: wrong"
    rolled = "Ann rolls Plum, Green, Plum, eye"
    assert len(told(diced, rolled, f"Ann {wrong}")) == 2
    assert told(diced, rolled, asked, f"Ann {wrong}") == [
        "3: an accusation comes after the bonus die"
    ]
    assert told(diced, asked, f"Ann {wrong}") == []  # the die may have shown nothing
    assert told(diced, asked, "Ann peeks: Plum", f"Ann {wrong}") == []
    assert told(diced, asked, "Ann peeks", f"Ann {wrong}", "Ann skips")[:1] == ["4: Ann is out"]
    assert told(diced, asked, "Ann peeks", "Cat rolls Plum, Plum, Plum") == ["3: it is Ben's turn"]
    hall = "Ann suggests Plum, Rope, Hall: nobody shows"
    assert told(rooms, hall) == ["1: Ann has not looked at the card in Hall"]
    assert told(rooms, "Ann looks at Hall: Knife", hall) == []
    assert told(rooms, "Ann looks at Hall", "Ann looks at Study")[:1] == ["2: Ann is in Hall"]
    assert told(board, "Ann rolls 8") == ["1: it is Ben's turn"]
    assert told(board, "Ben rolls 7", "Ben moves to Lounge") == ["2: 7 is not enough for Lounge"]
    assert told(board, "Ben rolls 8", "Ben moves to Lounge") == []
    lounge = "Ben suggests White, Rope, Lounge: nobody shows"
    assert told(board, lounge, "Ann skips", lounge) == ["3: Ben did not leave Lounge"]
