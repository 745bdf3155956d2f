"""
How long reasons and checks take over the recorded games.

Run with `pytest benchmarks/bench_reasons.py -s`; every round is another fact or another slip.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from bench_report import RECORDED
from msgspec.structs import replace
from planted_slips import KINDS

from clue_solver import Game, NotationError, load
from clue_solver.notation import TurnState, normalise
from clue_solver.record import Entry


@pytest.fixture(scope="module")
def games() -> list[Game]:
    """The recorded games."""
    files = sorted(RECORDED.glob("*.clue"))
    return [load(file) for file in files]


def told(benchmark: Any, what: str) -> None:
    """Print the spread over the rounds."""
    times = np.array(benchmark.stats.stats.data) * 1e3
    median, late = np.percentile(times, [50, 95])
    print(f"\n{what}: median {median:.1f} ms, 95th percentile {late:.1f} ms over {len(times)}")


def test_why_of_every_fact(benchmark: Any, games: list[Game]) -> None:
    """Each card with each holder at the middle and the end of each game, certain or open."""
    asked = [
        (game, card, holder, upto)
        for game in games
        for upto in (len(game.observations) // 2, len(game.observations))
        for card in game.table.cards
        for holder in game.table.holders
    ]
    rounds = iter(asked)

    def setup() -> tuple[tuple[Game, str, str, int], dict[str, object]]:
        game, card, holder, upto = next(rounds)
        return (Game(game.record), card, holder, upto), {}

    def why(game: Game, card: str, holder: str, upto: int) -> object:
        return game.why(card, holder, upto=upto)

    benchmark.pedantic(why, setup=setup, rounds=len(asked), iterations=1)
    told(benchmark, "why")


def test_check_with_corrections(benchmark: Any, games: list[Game]) -> None:
    """One slip of a random kind in a random entry, wherever that makes the log clash."""
    random = Random(7)
    clashing = []
    for game in games:
        table, entries = game.table, game.record.entries
        for place, entry in enumerate(entries):
            for kind in KINDS.values():
                written = kind(entry.observation, table, random)
                if written is None:
                    continue
                try:
                    course = TurnState.of(game.record.observations[:place])
                    slipped = Entry(observation=normalise(written, table, course))
                except NotationError:
                    continue
                record = replace(
                    game.record, entries=(*entries[:place], slipped, *entries[place + 1 :])
                )
                if not Game(record).deduction.consistent(len(entries)):
                    clashing.append(record)
    rounds = iter(clashing)

    def check(game: Game) -> object:
        return game.check()

    benchmark.pedantic(
        check, setup=lambda: ((Game(next(rounds)),), {}), rounds=len(clashing), iterations=1
    )
    told(benchmark, "check")
