"""A season of games: rows, players, ratings, frames, the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import season
from clue_solver.answers.season import BEGIN, PlayedFile, PlayedGame, build_season

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def row(game: str, seat: str, winner: str | None, **other: object) -> PlayedGame:
    """What a game tells of a player who did nothing in it."""
    plain = {"accuracy": None, "luck": 0, "mistakes": 0}
    return PlayedGame(game=game, seat=seat, won=seat == winner, **(plain | other))  # type: ignore[arg-type]


def test_players_are_gathered_by_name_and_rated() -> None:
    one = row("a", "Ann", "Ann", accuracy=0.5, luck=1), row("a", "Ben", "Ann", mistakes=2)
    two = row("b", "Ann", None, accuracy=0.7), row("b", "Ben", None)
    files = [
        PlayedFile(rows=one, key="a"),
        PlayedFile(error="c: no"),
        PlayedFile(),
        PlayedFile(rows=two, key="b"),
        PlayedFile(rows=two, key="a"),  # another file of the first game
    ]
    found = build_season(files)
    ann, ben = found.players
    assert (found.games, found.failed, found.unfinished) == (2, ("c: no",), 1)
    assert (ann.seat, ann.games, ann.wins, ann.accuracy, ann.luck) == ("Ann", 2, 1, 0.6, 1)
    assert (ben.mistakes, ben.accuracy) == (2, None)
    assert ann.rating + ben.rating == pytest.approx(2 * BEGIN)
    assert ann.rating == BEGIN + 16
    assert [(each.game, each.won) for each in found.rows if each.seat == "Ann"] == [
        ("a", True),
        ("b", False),
    ]


def test_a_shared_table_is_one_game_however_many_files_it_left(tmp_path: Path) -> None:
    lines = (EXAMPLES / "evening.clue").read_text("utf-8").splitlines(keepends=True)
    notes = [line for line in lines if not line.startswith(("Ben holds", "Cat holds"))]
    (tmp_path / "a.clue").write_text("".join(notes), "utf-8")
    (tmp_path / "b.clue").write_text("".join(lines), "utf-8")
    begun = (EXAMPLES / "classic.clue").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "c.clue").write_text("".join(begun[:12]), "utf-8")
    found = season([tmp_path], jobs=1)
    assert (found.games, found.unfinished, found.failed) == (1, 1, ())
    assert all(player.accuracy is not None for player in found.players)
    assert "1 unfinished game skipped" in str(found)
