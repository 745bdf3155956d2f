"""What the light suite tests, with more examples, other ones in each slice."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import hypothesis
import pytest
from hypothesis import settings

from clue_solver.rules.table import Table
from tests.arguing import check_arguments, random_knowledge
from tests.exchange import test_merging
from tests.faces.test_pictures import PICTURES, STATES, drawn
from tests.faults import ERRORS, SCRIPTS, each_fault, each_kill
from tests.games.test_recorded import (
    recorded,
    test_deals_are_equal_after_every_entry,
    test_probabilities_agree,
    test_solutions_agree,
)
from tests.inference import test_batch, test_budgets, test_certain, test_twins
from tests.notation import test_completion, test_names, test_reading
from tests.notation.test_edits import misread_edits
from tests.rules.test_play import TABLES, agreed, named

__all__ = [
    "recorded",
    "test_deals_are_equal_after_every_entry",
    "test_probabilities_agree",
    "test_solutions_agree",
]

PROPERTIES = [
    test
    for module in (
        *(test_merging, test_completion, test_names, test_reading),
        *(test_batch, test_budgets, test_certain, test_twins),
    )
    for name, test in vars(module).items()
    if name.startswith("test_") and hypothesis.is_hypothesis_test(test)
    if not inspect.signature(test).parameters  # no fixtures
]


@pytest.mark.long(keep=4)
@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda test: test.__name__)
def test_it_holds_for_more_examples(holds: Callable[[], None], seed: str) -> None:
    more = settings(settings.default, max_examples=150, derandomize=False, database=None)
    hypothesis.seed(seed)(more(holds))()


@pytest.mark.long(keep=10)
@pytest.mark.parametrize("table", TABLES, ids=named)
def test_the_referee_agrees_in_many_games(table: Table, seed: str) -> None:
    games = [agreed(table, int(seed, 36) + game) for game in range(6)]
    judged = sum(games, Counter[bool]())
    assert judged[True]
    assert judged[False] > 10


@pytest.mark.long(keep=6)
@pytest.mark.parametrize("times", [1, 2, 10_000])
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("script", SCRIPTS)
def test_nothing_that_was_acknowledged_is_lost_to_any_fault(
    script: str, error: int, times: int, tmp_path: Path
) -> None:
    calls = [*each_fault(SCRIPTS[script], tmp_path / "table", error, times)]
    assert {fault.calls[fault.at] for fault in calls} >= {"lock", "write", "fsync", "replace"}


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("link", [False, True])
@pytest.mark.parametrize("script", SCRIPTS)
def test_what_was_acknowledged_is_there_after_a_kill_at_any_call(
    script: str, link: bool, tmp_path: Path
) -> None:
    assert len([*each_kill(SCRIPTS[script], tmp_path / "table", link=link)]) > 30


@pytest.mark.asyncio
@pytest.mark.parametrize("state", STATES)
async def test_each_state_looks_as_it_is_drawn(state: str) -> None:
    assert await drawn(state) == (PICTURES / f"{state}.txt").read_text("utf-8")


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("number", range(40))
def test_every_forced_fact_has_an_argument(number: int) -> None:
    random = Random(f"long {number}")
    facts = 0
    while facts < 2_500:
        large, nest = random.random() < 0.1, random.random() < 0.5
        facts += len(check_arguments(random_knowledge(random, large=large, nest=nest)))


@pytest.fixture
def every() -> int:
    """Each entry is compared."""
    return 1


def test_a_thousand_edited_lines_are_right_or_asked_about_or_refused(seed: str) -> None:
    assert misread_edits(seed, 1_000) == []
