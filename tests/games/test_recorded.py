"""The recorded games, replayed entry by entry and held against an independent oracle's answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clue_solver import Game, load
from clue_solver.rules.observations import Skip, Suggestion
from clue_solver.rules.play import Play

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
