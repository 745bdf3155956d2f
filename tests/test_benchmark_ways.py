"""The ways that the benchmarks compare: right where they claim to be, and bounded."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from clue_solver import Game, parse_record
from clue_solver.testing import games

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

import compare  # noqa: E402
import deduction  # noqa: E402
import limited  # noqa: E402
import methods  # noqa: E402
import positions  # noqa: E402
import results  # noqa: E402
from simulate import random_game  # noqa: E402

from clue_solver.arena.notes import propagated  # noqa: E402


def position(turns: int) -> positions.Position:
    game = random_game("clue-diced", 3, turns=turns, seed=5)
    return game.table, game.observations, game.table.viewer


@pytest.mark.parametrize("turns", [4, 20])
@pytest.mark.parametrize("name", ["deal diagram", "PySDD", "python-sat models", "naive twin"])
def test_ways_that_count_all_deals_find_the_exact_chances(name: str, turns: int) -> None:
    pytest.importorskip("pysdd")
    weighed, _, deals, source = methods.exact(position(turns))
    assert "inclusion and exclusion" == source
    assert deals > 0
    assert weighed == pytest.approx(methods.METHODS[name](position(turns)), abs=1e-12)


@pytest.mark.parametrize("way", [methods.rejected, methods.rejected_placed])
def test_dealing_at_random_comes_near_the_exact_chances(way: Callable[[Any], Any]) -> None:
    weighed, _, _, _ = methods.exact(position(4))
    found = way(position(4))
    assert np.ones(len(found)) == pytest.approx(found.sum(axis=1))
    assert weighed == pytest.approx(found, abs=0.05)


def test_dealing_at_random_knows_sizes_that_are_not_recorded() -> None:
    text = "edition: clue-diced\nplayers: Ann, Ben, Cat, Dan\n\nAnn suggests Brains Plum, "
    game = Game(parse_record(f"{text}Brawn Plum: Ben shows\n"))
    asked: positions.Position = (game.table, game.observations, None)
    assert methods.exact(asked)[0] == pytest.approx(methods.rejected(asked), abs=0.03)


def test_the_approximate_counter_answers_the_cells_it_is_asked_for() -> None:
    pytest.importorskip("pyapproxmc")
    _, counted, _, _ = methods.exact(position(4))
    found = methods.approximated(position(4))
    asked = ~np.isnan(found)
    assert methods.CELLS == asked.sum()
    assert counted[asked] == pytest.approx(found[asked], abs=0.3)


def test_too_many_deals_are_not_listed() -> None:
    game = random_game("clue-classic", 3, turns=2, seed=1)
    with pytest.raises(limited.GaveUp, match="deals to list"):
        methods.listed((game.table, game.observations, game.table.viewer))


@pytest.mark.parametrize(
    ("do", "asked", "why"),
    [
        (sum, range(10**12), "time"),
        (bytearray, 3 << 30, "memory"),
        (methods.listed, "large", f"more than {methods.MOST_LISTED:,} deals to list"),
    ],
)
def test_work_beyond_its_limits_gives_up(do: Callable[[Any], Any], asked: Any, why: str) -> None:
    if asked == "large":
        game = random_game("clue-classic", 3, turns=2, seed=1)
        asked = (game.table, game.observations, game.table.viewer)
    warm = {methods.listed: position(0), sum: [], bytearray: 1}[do]
    work = limited.Work(do, asked, warm, positions.forget)
    outcome = limited.limited(work, seconds=1.0, memory=2 << 30)
    assert (None, None, None, why) == tuple(outcome)


def test_work_within_its_limits_is_measured() -> None:
    work = limited.Work(bytearray, 64 << 20, 1, positions.forget)
    value, seconds, held, gave_up = limited.limited(work, seconds=20.0, memory=2 << 30)
    assert (64 << 20, "") == (len(value), gave_up)
    assert seconds is not None
    assert held is not None
    assert 0 < seconds < 20
    assert (64 << 20) * 0.9 < held < 512 << 20


def test_an_error_in_the_work_is_an_error_here() -> None:
    work = limited.Work(operator.index, "one", 1, positions.forget)
    with pytest.raises(TypeError):
        limited.limited(work, seconds=20.0, memory=2 << 30)


@given(games())
def test_rules_rule_out_nothing_that_can_be(game: Game) -> None:
    complete = game._deduction()
    knowledge = complete.knowledge
    possible = complete.possible(knowledge.entries)
    counting = propagated(knowledge, counting=True)
    plain = propagated(knowledge, counting=False)
    for can, rules, fewer in zip(possible, counting, plain, strict=True):
        assert can == can & rules
        assert rules == rules & fewer


def test_a_counted_hand_tells_more_than_its_clauses() -> None:
    text = "edition: clue-diced\nplayers: Ann, Ben\nhands: 8, 2\nviewer: Ann\n\n"
    text += "Ann knows Ben has Brains Plum\nAnn knows Ben has Brawn Plum\n"
    knowledge = Game(parse_record(text))._deduction().knowledge
    ben = 0b010
    counted = propagated(knowledge, counting=True)
    assert 2 == sum(mask == ben for mask in counted)
    assert 2 == sum(bool(mask & ben) for mask in counted)
    assert knowledge.layout.cards == sum(
        bool(mask & ben) for mask in propagated(knowledge, counting=False)
    )


def test_the_comparison_is_in_ratios_and_says_who_gave_up() -> None:
    def row(game: str, method: str, seconds: float | None, why: str = "") -> dict[str, Any]:
        error = None if why else 0.01
        return {
            "kind": "a kind", "game": game, "stage": "late", "method": method, "seconds": seconds,
            "bytes": None if why else 1 << 20, "largest_error": error, "mean_error": error,
            "gave_up": why,
        }  # fmt: skip

    rows = [
        *(row(str(game), compare.OURS, 0.002) for game in range(3)),
        *(row(str(game), "slow", 0.2) for game in range(2)),
        row("2", "slow", None, "time"),
    ]
    lines = compare.table({"rows": rows}).splitlines()
    assert f"| {compare.OURS} | 1 (2.0 ms) | 1 (2.0 ms) | 1.0 MB | 1.0 | 1.0 | 0 of 3 |" == lines[2]
    assert "| slow | 100 x | gave up | 1.0 MB | 1.0 | 1.0 | 1 of 3 |" == lines[3]
    assert "| a kind | 3 | 2.0 ms | 100 x |" == compare.by_kind({"rows": rows}).splitlines()[2]
    assert "| slow | time | 1 |" == compare.gave_up({"rows": rows}).splitlines()[2]


def test_what_rules_miss_is_a_share_of_what_the_backbone_finds() -> None:
    game = random_game("clue-classic", 6, turns=24, seed=3)
    groups: deduction.Groups = {
        ("a kind", "last third"): [
            deduction._compared((game.table, game.observations, game.table.viewer))
        ]
    }
    rows, times = list(deduction.summed(groups)), deduction.timed(groups)
    complete, counting, plain = (row["facts"] for row in rows)
    assert complete >= counting >= plain > 0
    lines = deduction.table({"rows": rows, "times": times}).splitlines()
    assert f"| SAT backbone | {complete:,} | 0 % |" in lines[2]
    share = results.figure((complete - plain) / complete, "%")
    assert f"| unit propagation | {plain:,} | {share} |" in lines[4]
