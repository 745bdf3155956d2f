"""People and machines in the chairs of one game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from clue_solver import load_edition
from clue_solver.arena.chairs import (
    HARD_WINS,
    MACHINES,
    NAMES,
    PERSON,
    Chairs,
    free_names,
    machines,
)
from clue_solver.arena.players import find_player
from clue_solver.arena.referee import decision_of
from clue_solver.errors import ArgumentError, RecordError
from clue_solver.rules.edition import SEATS
from clue_solver.rules.observations import Accusation


def likely(chairs: Chairs) -> object:
    """What `likeliest` would decide now."""
    request = chairs.game.request
    assert request is not None
    return decision_of(find_player("likeliest"), chairs.game.views[request.seat], request)


def begun(edition: str, players: tuple[str, ...], seed: int = 2) -> Chairs:
    seats = dict(zip(("Ann", "Ben", "Cat", "Dan"), players, strict=False))
    return Chairs.begin(load_edition(edition), seats, seed=seed)


@pytest.mark.parametrize("edition", ["clue-classic", "clue-2015", "clue-diced"])
def test_wherever_one_may_accuse_one_does(edition: str) -> None:
    """At every third decision of a whole game, and nothing else is done in that turn."""
    chairs = begun(edition, (PERSON,) * 4)
    could = 0
    while chairs.person is not None:
        seat, game = chairs.person, chairs.game
        could += chairs.may_accuse
        if chairs.may_accuse and could % 3 == 0:
            again = Chairs.resumed(json.loads(json.dumps(chairs.saved())))
            wrong = tuple(
                next(card for card in kind if card not in game.solution)
                for kind in game.views[seat].kinds
            )
            again.accuse(wrong)
            assert again.game.state.out == game.state.out | {seat}
            told = Accusation(by=seat, cards=wrong, right=False)
            assert again.game.log[len(game.log)] == told
            with pytest.raises(ArgumentError, match="cannot accuse that"):
                chairs.accuse(wrong[:1])
        assert game.request is not None
        chairs.decide(likely(chairs))
    assert could > 6
    assert chairs.game.state.winner is not None


def test_machines_know_what_their_seat_knows_whoever_sat_there_before() -> None:
    chairs = begun("clue-classic", (PERSON, "hard", PERSON))
    for number in range(400):
        if chairs.game.request is None:
            break
        if chairs.machine is not None:
            chairs.decide(chairs.machine_choice())
        else:
            chairs.decide(likely(chairs))
        if number % 7 == 0:
            chairs.sit("Ann", [PERSON, *MACHINES][number % 4])
        if number % 11 == 0:
            chairs.sit("Ben", ["hard", PERSON][number % 2])
    assert chairs.game.state.winner is not None


def test_what_is_no_game_of_people_and_machines_is_refused() -> None:
    chairs = begun("clue-diced", ("easy", PERSON, "hard"))
    values = chairs.saved()
    lacking = {name: value for name, value in values.items() if name != "players"}
    for wrong in ({}, lacking, values | {"decisions": ["Hall"]}, values | {"hands": {}}):
        with pytest.raises(RecordError, match="expected a game that was saved"):
            Chairs.resumed(wrong)
    with pytest.raises(ArgumentError, match="no player is called 'nobody'"):
        chairs.sit("Ann", "nobody")
    assert chairs.players["Ann"] == "easy"


def test_what_hard_wins_is_what_was_measured() -> None:
    results = Path(__file__).parents[2] / "benchmarks" / "results" / "winning.json"
    rows = {row["row"]: row for row in json.loads(results.read_text("utf-8"))["rows"]}
    against = {
        "clue-classic": "three `likeliest`",
        "clue-2015": "one `likeliest`, 2015, board",
        "clue-diced": "two `likeliest`, Clue Diced",
        "master-detective": "three `likeliest`, Master Detective",
    }
    assert {
        edition: (name.partition(" ")[0], round(100 * rows[name]["wins"] / rows[name]["games"]))
        for edition, name in against.items()
    } == HARD_WINS
    assert machines("clue-classic").keys() == MACHINES.keys()
    assert machines("clue-1996") == MACHINES


def test_the_machines_that_the_page_names_are_those_that_there_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "phones.md").read_text("utf-8")
    named = re.search(r"Computer players are (.*?) \(", page)
    assert named is not None
    assert re.findall(r"`(\w+)`", named[1]) == [*MACHINES]
    assert all(find_player(name) for name in MACHINES)
    assert len({*NAMES}) == SEATS[1]
    assert [*free_names(["Mum", "WATSON"])] == [*NAMES[1:]]
