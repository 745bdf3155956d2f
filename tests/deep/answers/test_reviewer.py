"""Reviews: statistics over many seeds, of what no hand tells."""

from __future__ import annotations

from pathlib import Path

from clue_solver import Game, load, parse_record

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def test_accuracy_without_a_hand_lies_in_a_range_and_luck_is_not_told() -> None:
    whole = load(EXAMPLES / "evening.clue")
    lines = [line for line in whole.lines if not line.startswith("Ben holds")]
    head = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nhands: 5, 5, 4, 4\n\n"
    game = Game(parse_record(head + "\n".join(lines) + "\n"))
    accuracy = whole.review().seat("Ben").accuracy
    assert accuracy is not None
    ranges = [game.review(sample=300, seed=seed).seat("Ben").accuracy_range for seed in range(8)]
    assert sum(each[0] <= accuracy <= each[1] for each in ranges if each is not None) >= 5
    notes = game.review(sample=300)
    ben = notes.seat("Ben")
    assert ben.luck is None
    assert ben.luck_range is None
    assert not ben.whole
    assert notes.to_dict()["seats"][1]["luck"] is None
