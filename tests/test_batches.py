"""Many games reviewed at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import ArgumentError, load
from clue_solver.game.games import review_all

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
GOOD = [EXAMPLES / "diced.clue", EXAMPLES / "two_players.clue"]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A good game, one that is no record, one that clashes, one that is not there, a good one."""
    broken = tmp_path / "broken.clue"
    broken.write_text("edition: clue-classic\nplayers: Ann, Ben\n\nAnn sugests Plum\n", "utf-8")
    clashing = tmp_path / "clashing.clue"
    hands = "Ann holds Plum\nBen holds Plum\n"
    clashing.write_text(
        f"edition: clue-classic\nplayers: Ann, Ben\nhands: 1, ?\n\n{hands}", "utf-8"
    )
    return [GOOD[0], broken, clashing, tmp_path / "absent.clue", GOOD[1]]


@pytest.mark.parametrize("jobs", [0, -2])
def test_there_can_be_no_so_many_processes(jobs: int) -> None:
    with pytest.raises(ArgumentError, match=f"^jobs: expected a number of .*; found {jobs}$"):
        list(review_all([], jobs=jobs))


def test_a_game_that_fails_leaves_the_others_as_they_are(files: list[Path]) -> None:
    found = list(review_all(files, sample=200, jobs=1))
    assert [str(file) for file in files] == [each.path for each in found]
    assert [each.review is None for each in found] == [False, True, True, True, False]
    for each in found[1:4]:
        assert each.error is not None
        assert each.error.startswith(each.path)
    assert [found[0].error, found[4].error] == [None, None]
    for file, each in zip(GOOD, (found[0], found[4]), strict=True):
        assert each.review is not None
        assert load(file).review(sample=200).to_dict() == each.review.to_dict()
