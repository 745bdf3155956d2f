"""
What commands and faces have always answered, they answer (`tests/yardstick/commands.py`).

What is published of the benchmarks is what the results say; the ways compared are right.
"""

from __future__ import annotations

import doctest
import sys
from difflib import unified_diff
from importlib import import_module
from pathlib import Path

import pytest

from tests.random_games import random_game
from tests.yardstick.commands import CASES, anew

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import deduction  # noqa: E402
import publish  # noqa: E402
from positions import Case, Position  # noqa: E402

BURSTS = [case for case in CASES if "burst" in case.stem]


def name_of(case: Path) -> str:
    return f"{case.parent.name}-{case.stem}"


@pytest.mark.long(keep=14)
@pytest.mark.parametrize("case", [case for case in CASES if case not in BURSTS], ids=name_of)
def test_what_goes_in_comes_out_as_ever(case: Path) -> None:
    check(case)


@pytest.mark.parametrize("case", BURSTS, ids=name_of)
def test_keys_in_a_burst_keep_their_order(case: Path) -> None:
    check(case)


def check(case: Path) -> None:
    if case.parent.name == "screens":
        pytest.importorskip("pty", reason="the full screen wants a POSIX terminal")
    expected, found = case.read_text("utf-8"), anew(case)
    if found != expected and case.parent.name == "screens":
        found = anew(case, pace=2.0)  # the machine may have been too busy for fast fingers
    kept, now = expected.splitlines(), found.splitlines()
    assert found == expected, "\n".join(unified_diff(kept, now, "kept", "now", lineterm=""))


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
