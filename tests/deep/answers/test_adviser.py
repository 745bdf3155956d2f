"""Advice that is dear: at tables with more answers than can be listed."""

from __future__ import annotations

from pathlib import Path

from clue_solver import Game, parse_record
from clue_solver.answers.weighing import MOST_ANSWERS

HARD = Path(__file__).resolve().parents[2] / "games" / "hard"


def test_where_too_many_answers_are_possible_the_sample_weighs_them() -> None:
    record = parse_record(
        f"edition: {HARD / 'six-categories.toml'}\nviewer: Ann\nanswers: all\n"
        "players: Ann, Ben, Cat, Dan, Eve, Flo, Gus, Hal\n\n"
        "Ann holds Suspect 1, Weapon 1, Room 1, Motive 1\n"
        "Ann suggests Suspect 2, Weapon 2, Room 2, Motive 2, Hour 2, Pet 2: Cat shows Room 2\n"
    )
    advice = Game(record).advice(rooms=["Room 3"], quick=True)
    best = advice.suggestions[0]
    assert 0 < best.error < best.gain
    assert best.gain > 0.5
    assert len(best.answers) == MOST_ANSWERS
