"""
The recorded games, replayed entry by entry and held against an independent oracle's answers.

The example games are played through, entry by entry, for every pair of eyes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clue_solver import Game, load
from clue_solver.record.clue import format_record
from clue_solver.rules.observations import Accusation, Skip, Suggestion
from clue_solver.rules.play import Play
from tests.enforcer import breaches

RECORDED = Path(__file__).parent
NAMES = ("textbook", "everyone_shows", "streamed")


@pytest.fixture
def every() -> int:
    """Of so many entries one is compared; in the deep run each is."""
    return 4


@pytest.fixture(scope="module", params=NAMES)
def recorded(request: pytest.FixtureRequest) -> tuple[Game, list[dict[str, Any]]]:
    name = request.param
    expected = json.loads((RECORDED / f"{name}.expected.json").read_text("utf-8"))
    return load(RECORDED / f"{name}.clue"), expected


Recorded = tuple[Game, list[dict[str, Any]]]


def test_deals_are_equal_after_every_entry(recorded: Recorded, every: int) -> None:
    game, expected = recorded
    assert [answer["entries"] for answer in expected] == [*range(1, len(game.observations) + 1)]
    for answer in expected[::every]:
        assert game.report(upto=answer["entries"]).deals == answer["deals"]


@pytest.mark.parametrize("shows", ["random", "none"])
def test_probabilities_agree(recorded: Recorded, every: int, shows: Any) -> None:
    game, expected = recorded
    compared = 0
    for answer in expected[::every]:
        table = answer["probability"][shows]
        if table is None:
            continue
        report = game.report(upto=answer["entries"], shows=shows, asks="any")
        for card, chances in table.items():
            for holder, chance in chances.items():
                assert report.probability(card, holder) == pytest.approx(chance, abs=1e-9)
                compared += 1
    assert compared > 1000 / every


def test_solutions_agree(recorded: Recorded, every: int) -> None:
    game, expected = recorded
    compared = 0
    for answer in expected[::every]:
        if answer["solutions"] is None:
            continue
        report = game.report(upto=answer["entries"], asks="any")
        found = {solution.cards: solution.probability for solution in report.solutions}
        assert {tuple(cards) for cards, _ in answer["solutions"]} == set(found)
        for cards, chance in answer["solutions"]:
            assert found[tuple(cards)] == pytest.approx(chance, abs=1e-9)
            compared += 1
    assert compared


def test_the_asker_of_every_suggestion_is_guessed_right_or_doubted(recorded: Recorded) -> None:
    game, _ = recorded
    guessed = doubted = 0
    state = Play.begin(game.table)
    for told in game.observations:
        if isinstance(told, Suggestion):
            first = state.turns.seat is None
            guess = state.ended().turn
            if guess == told.by or first:
                guessed += 1
                assert state.check(told) is None
            else:
                doubted += 1
                doubt = state.check(told)
                assert doubt is not None
                assert ("turn", told.by, guess) == doubt[:3]
                for seat in doubt.skipped:  # confirmed once
                    state = state.after(Skip(by=seat))
                assert told.by == state.turn
                assert state.check(told) is None
        state = state.after(told)
    assert guessed >= 0.8 * (guessed + doubted)
    assert doubted in (2, 3)


EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.clue"))


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
    assert (state.over, state.turns.winner) == (True, accusation.by)
    report = game.report(upto=len(game.observations) - 1)
    assert report.bits == 0 < game.report(upto=0).bits
    assert report.solutions[0] == (accusation.cards, 1.0)
    for viewer in (*game.table.seats, "spectator"):
        assert game.report(viewer=viewer).deals >= 1
