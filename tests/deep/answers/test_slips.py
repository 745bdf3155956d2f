"""What is found of planted slips, beside whoever knows how they are made."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

import planted_slips

from clue_solver import Game
from clue_solver.notation import format_line

CASES = 12


def cases(kind: str) -> list[planted_slips.Case]:
    random = Random(f"deep {kind}")
    made = (
        planted_slips.planted(planted_slips.KINDS[kind], random, seed=77_000 + game)
        for game in range(CASES)
    )
    return [each for each in made if isinstance(each, planted_slips.Case)]


@pytest.mark.parametrize("kind", planted_slips.KINDS)
def test_a_planted_slip_is_corrected_about_as_often_as_it_can_be(kind: str) -> None:
    reached, bound = 0.0, 0.0
    clash = {
        name: 0.25 if name in ("asked card", "asker") else 0.75 for name in planted_slips.KINDS
    }
    for case in cases(kind):
        found = Game(case.record).check().corrections
        assert found
        reached += format_line(case.meant, case.record.table) in [each.after for each in found[:5]]
        likely = planted_slips.posterior(case.record, clash)
        true = case.entry, format_line(case.meant, case.record.table)
        assert likely[true] > 0
        bound += sum(each > likely[true] for each in likely.values()) < 5
    assert reached >= bound - 2
