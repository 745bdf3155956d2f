"""What is published of the benchmarks is what the results say; the ways compared are right."""

from __future__ import annotations

import doctest
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.random_games import random_game

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

import deduction  # noqa: E402
import publish  # noqa: E402
from positions import Case, Position  # noqa: E402


def position(turns: int, edition: str = "clue-diced") -> Position:
    game = random_game(edition, 3, turns=turns, seed=5)
    return Position(game.table, game.observations, game.table.viewer)


def test_readme_page_and_pictures_say_what_the_results_say() -> None:
    assert list(publish.disagreements()) == []


@pytest.mark.parametrize("name", ["deduction", "positions", "publish"])
def test_examples_in_the_benchmarks_hold(name: str) -> None:
    outcome = doctest.testmod(import_module(name))
    assert outcome.attempted
    assert not outcome.failed


def test_every_way_has_a_row_none_tells_what_is_not_so_and_the_complete_find_all() -> None:
    rows = deduction.sheets(0, Case("Diced", "5", "early", position(4)))
    assert [row["way"] for row in rows] == list(deduction.WAYS)
    assert {row["false"] for row in rows} == {0}
    rules = {deduction.COUNTED, deduction.PLAIN}
    complete = {row["way"] for row in rows if row["found"] == row["forced"]}
    exact = {row["way"] for row in rows if row["most_off"] < 1e-12}
    assert complete >= set(deduction.WAYS) - rules
    assert exact == set(deduction.WAYS) - rules - {"python-sat, cell by cell"}
