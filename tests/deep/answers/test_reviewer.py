"""Reviews: statistics over many seeds, and the deep review."""

from __future__ import annotations

from pathlib import Path

from clue_solver import Game, load, parse_record

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def test_a_deep_review_tells_the_chance_to_win_around_each_decision() -> None:
    review = load(EXAMPLES / "evening.clue").review(deep=True)
    assert all(each.winning is not None for each in review.suggestions)
    wrong, right = (each.winning for each in review.accusations)
    assert wrong is not None
    assert right is not None
    assert (wrong.after, right.before, right.after) == (0.0, 1.0, 1.0)
    last = review.suggestions[-1].winning  # Ann's, after which she knew
    assert last is not None
    assert last.before < 0.8 < last.after == 1.0
    first = review.suggestions[0].winning
    assert first is not None
    assert 0.15 < first.before < 0.6  # one of four players, little known
    assert "→" in str(review)
    assert review.to_dict()["accusations"][0]["winning"]["after"] == 0.0
    assert load(EXAMPLES / "evening.clue").review(sample=100).suggestions[0].winning is None


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
