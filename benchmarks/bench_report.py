"""
How long one answer takes: knowledge, backbone and marginals from scratch, with nothing kept.

Run with `pytest benchmarks/bench_report.py`; quote medians and percentiles with the machine named.
Each round is another prefix of another game, so the spread is over positions, not over repetitions.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from simulate import random_game

from clue_solver.inference.automaton import automaton
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.record import Record, load_record
from clue_solver.rules.table import ANY

RECORDED = Path(__file__).resolve().parents[1] / "tests" / "games"

Case = tuple[Record, int]


def prefixes(records: list[Record]) -> list[Case]:
    """Return every record with every number of its entries."""
    return [(record, upto) for record in records for upto in range(1, len(record.observations) + 1)]


def random_games(edition: str, seats: int) -> list[Case]:
    """Return every prefix of three seeded games of one size."""
    return prefixes([random_game(edition, seats, turns=24, seed=seed) for seed in range(3)])


def recorded() -> list[Case]:
    """Return every prefix of the recorded games."""
    return prefixes([load_record(file) for file in sorted(RECORDED.glob("*.clue"))])


CASES: dict[str, Callable[[], list[Case]]] = {
    "recorded": recorded,
    "3 players": lambda: random_games("clue-classic", 3),
    "4 players": lambda: random_games("clue-classic", 4),
    "5 players": lambda: random_games("clue-classic", 5),
    "6 players": lambda: random_games("clue-classic", 6),
    "10 players, 30 cards": lambda: random_games("master-detective", 10),
}


def measure(benchmark: Any, cases: list[Case], answer: Callable[[Record, int], object]) -> None:
    """Time `answer` once for each case, and keep the 95th percentile beside the usual figures."""
    answer(*cases[0])
    rounds = iter(cases)

    def fresh() -> tuple[Case, dict[str, object]]:
        automaton.cache_clear()  # nothing may be left over from another position
        return next(rounds), {}

    benchmark.pedantic(answer, setup=fresh, rounds=len(cases), iterations=1)
    times = np.array(benchmark.stats.stats.data) * 1e3
    benchmark.extra_info["p95 ms"] = round(float(np.percentile(times, 95)), 2)
    print(
        f"\n{benchmark.name}: median {np.median(times):.2f} ms, "
        f"95th percentile {np.percentile(times, 95):.2f} ms, "
        f"worst {times.max():.2f} ms over {len(times)} positions"
    )


def deduced(record: Record, upto: int, viewer: str | None) -> Deduction:
    """Return the deductions after so many entries, with knowledge and backbone computed."""
    seen = record.observations[:upto]
    return Deduction(
        knowledge_of(replace(record.table, shows="random", asks=ANY), seen, viewer=viewer)
    )


@pytest.fixture(params=CASES)
def cases(request: pytest.FixtureRequest) -> list[Case]:
    """The positions of one kind."""
    return CASES[request.param]()


def test_marginals_of_one_viewer(benchmark: Any, cases: list[Case]) -> None:
    """Knowledge, backbone and marginals."""
    measure(
        benchmark,
        cases,
        lambda record, upto: deduced(record, upto, record.table.viewer).diagram(upto).marginals(),
    )


def test_marginals_and_solutions_of_one_viewer(benchmark: Any, cases: list[Case]) -> None:
    """The same with the whole posterior over solutions and the exact number of deals."""

    def answer(record: Record, upto: int) -> None:
        deduction = deduced(record, upto, record.table.viewer)
        deduction.diagram(upto).marginals()
        deduction.solutions(upto)
        deduction.diagram(upto).count()

    measure(benchmark, cases, answer)


def test_marginals_of_a_spectator(benchmark: Any, cases: list[Case]) -> None:
    """Knowledge, backbone and marginals for somebody who knows no hand."""
    measure(
        benchmark,
        cases,
        lambda record, upto: deduced(record, upto, None).diagram(upto).marginals(),
    )
