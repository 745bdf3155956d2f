"""Many games reviewed at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import ArgumentError, load
from clue_solver.game import games
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


def test_of_many_processes_there_are_a_few() -> None:
    assert list(review_all([], jobs=10**30)) == []


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


def test_reviews_come_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def opening(path: str) -> object:
        opened.append(path)
        return load(path)

    monkeypatch.setattr(games, "load", opening)
    found = review_all([GOOD[0]] * 50, sample=100, jobs=1)
    next(found)
    assert len(opened) < 50


def test_even_a_fault_of_the_program_is_one_games_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def falling(path: str) -> object:
        raise ZeroDivisionError(path)

    monkeypatch.setattr(games, "load", falling)
    (found,) = review_all(["a.clue"], jobs=1)
    assert found.error == "a.clue: unexpected ZeroDivisionError: a.clue"
