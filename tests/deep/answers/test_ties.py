"""Another build of numpy adds up in another order: nothing but last digits may change."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clue_solver import load
from clue_solver.inference import arrays, diagram, gains

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(params=[1, 2])
def another_build(request: pytest.FixtureRequest) -> Callable[[pytest.MonkeyPatch], None]:
    """A numpy that adds up in another order: sums are off in their last digits."""
    rng, collect = np.random.default_rng(request.param), arrays.collect

    def off(*given: Any) -> Any:
        told = collect(*given)
        return told * (1.0 + rng.integers(-2, 3, told.shape) * 2.0**-52)

    def built(patch: pytest.MonkeyPatch) -> None:
        for module in (diagram, gains):
            patch.setattr(module, "collect", off)

    return built


def told(name: str, *, upto: int) -> Any:
    """Return all that is ranked after so many entries."""
    game = load(EXAMPLES / name)
    game = type(game)(game.record.upto(upto))
    advice, report = game.advice(), game.report()
    return {
        "solutions": [each.cards for each in report.solutions],
        "chances": [round(each.probability, 9) for each in report.solutions],
        "suggestions": [(each.cards, round(each.gain, 9)) for each in advice.suggestions],
        "answers": [[shown.shows for shown in each.answers] for each in advice.suggestions],
        "ask": advice.ask and advice.ask.cards,
    }


@pytest.mark.parametrize(("name", "upto"), [("classic.clue", 1), ("classic.clue", 5)])
def test_ties_stand_as_in_any_other_build(
    name: str,
    upto: int,
    another_build: Callable[[pytest.MonkeyPatch], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = told(name, upto=upto)
    another_build(monkeypatch)
    assert told(name, upto=upto) == here
