"""A season of games: rows, players, ratings, frames, the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clue_solver import Season, season
from clue_solver.answers.season import BEGIN, PlayedGame, SeasonFile, gathered
from clue_solver.game import games_in
from tests.faces.test_cli import EXAMPLES, run

FILES = [str(EXAMPLES / "diced.clue"), str(EXAMPLES / "two_players.clue")]


def row(game: str, seat: str, winner: str | None, **other: object) -> PlayedGame:
    """What a game tells of a player who did nothing in it."""
    plain = {
        "players": 2, "entries": 9, "proved": None, "turns": None, "suggestions": 0,
        "accuracy": None, "luck": None, "mistakes": 0, "missed_win": False, "asked": 0,
        "own": 0.0, "chances": 0, "again": 0,
    }  # fmt: skip
    return PlayedGame(game=game, seat=seat, winner=winner, won=seat == winner, **(plain | other))  # type: ignore[arg-type]


def test_players_are_gathered_by_name_and_rated() -> None:
    one = (row("a", "Ann", "Ann", accuracy=0.5, luck=1.0), row("a", "Ben", "Ann", mistakes=2))
    two = (row("b", "Ann", None, accuracy=0.7), row("b", "Ben", None))
    found = gathered([SeasonFile(rows=one), SeasonFile(error="c: no"), SeasonFile(rows=two)])
    ann, ben = found.players
    assert (2, ("c: no",)) == (found.games, found.failed)
    assert ("Ann", 2, 1, 0.6, 1.0) == (ann.seat, ann.games, ann.wins, ann.accuracy, ann.luck)
    assert (2, None) == (ben.mistakes, ben.accuracy)
    assert 2 * BEGIN == pytest.approx(ann.rating + ben.rating)
    assert ann.rating == BEGIN + 16
    assert "Ann" == found.asked_best


def test_frames_have_the_same_types_whatever_is_missing() -> None:
    pytest.importorskip("pandas")
    empty = Season(games=0, players=())
    full = gathered([SeasonFile(rows=(row("a", "Ann", "Ann", accuracy=0.5),))])
    for what in ("games", "players"):
        assert (empty.to_frame(what).dtypes == full.to_frame(what).dtypes).all()
    assert 0.5 == full.to_frame().groupby("seat")["accuracy"].mean()["Ann"]


def test_the_command_prints_the_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    page = tmp_path / "season.html"
    broken = tmp_path / "broken.clue"
    broken.write_text("players: Ann\n", "utf-8")
    words = ("season", *FILES, str(broken), "--jobs", "1")
    result = run(*words, "--json", "--html", str(page))
    assert 2 == result.exit_code
    told = json.loads(result.stdout)
    assert (1, 2) == (told["schema"], told["games"])
    assert {"seat", "games", "wins", "accuracy", "luck", "mistakes"} <= set(told["players"][0])
    assert {"Kim", "Mia"} == {each["seat"] for each in told["players"] if each["wins"]}
    assert "Kim" in page.read_text("utf-8")
    monkeypatch.setattr("clue_solver.game.Game.review", None)  # what is kept needs no review
    again = run(*words, "--json", "--resume")
    assert told == json.loads(again.stdout)


def test_folders_stand_for_their_records(tmp_path: Path) -> None:
    (tmp_path / "b.clue").write_text("")
    (tmp_path / "a.jsonl").write_text("")
    (tmp_path / "c.txt").write_text("")
    assert [str(tmp_path / "a.jsonl"), str(tmp_path / "b.clue")] == games_in([tmp_path])
    assert 2 == run("season", str(tmp_path / "none")).exit_code


def test_a_folder_of_reviews_has_an_index(tmp_path: Path) -> None:
    games, pages = tmp_path / "games", tmp_path / "pages"
    games.mkdir()
    (games / "diced.clue").write_text(Path(FILES[0]).read_text("utf-8"), "utf-8")
    result = run("review", str(games), "--sample", "100", "--html", str(pages))
    assert 0 == result.exit_code, result.stderr
    assert 'href="diced.html"' in (pages / "index.html").read_text("utf-8")
    assert "Step by step" in (pages / "diced.html").read_text("utf-8")


def test_a_season_is_a_function() -> None:
    found = season(FILES[:1], jobs=1)
    assert ["Mia"] == [each.seat for each in found.players if each.wins]
