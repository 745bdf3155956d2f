"""A season of games: rows, players, ratings, frames, the command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from clue_solver.answers.season import BEGIN, PlayedGame, Season, SeasonFile, gathered
from clue_solver.faces.cli import main
from clue_solver.game import games_in
from clue_solver.views import charts
from clue_solver.views.html import season_page

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = [str(EXAMPLES / "diced.clue"), str(EXAMPLES / "two_players.clue")]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def row(game: str, seat: str, winner: str | None, **other: object) -> PlayedGame:
    """What a game tells of a player who did nothing in it."""
    plain = {
        "players": 2,
        "entries": 9,
        "proved": None,
        "turns": None,
        "suggestions": 0,
        "accuracy": None,
        "luck": None,
        "mistakes": 0,
        "missed_win": False,
    }
    return PlayedGame(game=game, seat=seat, winner=winner, won=seat == winner, **(plain | other))  # type: ignore[arg-type]


def test_players_are_gathered_by_name_and_rated() -> None:
    one = (row("a", "Ann", "Ann", accuracy=0.5, luck=1.0), row("a", "Ben", "Ann", mistakes=2))
    two = (row("b", "Ann", None, accuracy=0.7), row("b", "Ben", None))
    found = gathered([SeasonFile(rows=one), SeasonFile(error="c: no"), SeasonFile(rows=two)])
    ann, ben = found.players
    assert (found.games, found.failed) == (2, ("c: no",))
    assert (ann.seat, ann.games, ann.wins, ann.accuracy, ann.luck) == ("Ann", 2, 1, 0.6, 1.0)
    assert (ben.mistakes, ben.accuracy) == (2, None)
    assert ann.rating + ben.rating == pytest.approx(2 * BEGIN)
    assert ann.rating == BEGIN + 16
    assert (found.asked_best, found.differences) == (None, ())
    assert [(each.number, each.rating) for each in found.rows if each.seat == "Ann"] == [
        (1, BEGIN + 16),
        (2, BEGIN + 16),
    ]


def season_of(games: int, **accuracies: float) -> Season:
    """A season in which each game told these accuracies, and about as much of everybody else."""
    return gathered(
        SeasonFile(
            rows=tuple(
                row(f"{game}.clue", seat, None, accuracy=accuracy + 0.01 * (game % 3))
                for seat, accuracy in accuracies.items()
            )
        )
        for game in range(games)
    )


def test_who_stands_out_is_told_only_beyond_chance() -> None:
    one = season_of(1, Ann=0.9, Ben=0.5, Cat=0.4)
    assert (one.asked_best, one.differences) == (None, ())
    many = season_of(12, Ann=0.9, Ben=0.5, Cat=0.4)
    assert many.asked_best == "Ann"
    assert {(each.seat, each.more) for each in many.differences} == {("Ann", True), ("Cat", False)}
    assert "Ann asked better than the others." in str(many)
    assert "Nobody stands out" in str(one)
    assert many.to_dict()["differences"][0] == {"seat": "Ann", "what": "accuracy", "more": True}


def test_players_who_are_alike_seldom_stand_out() -> None:
    rng = np.random.default_rng(7)
    false = 0
    for _ in range(60):
        games = []
        for game in range(8):
            winner = str(rng.choice(["Ann", "Ben", "Cat"]))
            told = (
                (seat, float(rng.random()), int(rng.poisson(1))) for seat in ("Ann", "Ben", "Cat")
            )
            rows = (
                row(str(game), seat, winner, accuracy=accuracy, mistakes=mistakes)
                for seat, accuracy, mistakes in told
            )
            games.append(SeasonFile(rows=tuple(rows)))
        false += bool(gathered(games).differences)
    assert false <= 6


def test_a_page_has_curves_and_leads_to_the_pages_of_games() -> None:
    told = season_of(3, Ann=0.9, Ben=0.5)
    page = season_page(told, {"0.clue": "0 a.html"})
    assert '<a href="0%20a.html">0.clue: nobody won, 9 entries</a>' in page
    assert "<li>1.clue: nobody won, 9 entries</li>" in page
    assert "Rating, game by game" in page
    accuracies = charts.accuracies(told)
    assert (accuracies.first, accuracies.last, accuracies.across) == (0, 3, "game")
    assert accuracies.lines[0].heights == pytest.approx((0.9, 0.905, 0.91))
    late = gathered(
        SeasonFile(rows=tuple(row(str(game), seat, seat) for seat in seats))
        for game, seats in enumerate((("Ann",), ("Ann", "Ben"), ("Ann",)))
    )
    ann, ben = sorted(charts.ratings(late).lines)
    assert (ann.first, len(ann.heights), ben.first, len(ben.heights)) == (0, 3, 1, 2)
    assert charts.accuracies(late).lines == ()


def test_the_command_prints_the_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    page = tmp_path / "season.html"
    broken = tmp_path / "broken.clue"
    broken.write_text("players: Ann\n", "utf-8")
    words = ("season", *FILES, str(broken), "--jobs", "1")
    result = run(*words, "--json", "--html", str(page))
    assert result.exit_code == 2
    told = json.loads(result.stdout)
    assert (told["schema"], told["games"]) == (1, 2)
    assert set(told["players"][0]) >= {"seat", "games", "wins", "accuracy", "luck", "mistakes"}
    assert {each["seat"] for each in told["players"] if each["wins"]} == {"Kim", "Mia"}
    written = page.read_text("utf-8")
    assert "Kim" in written
    assert "href=" not in written
    monkeypatch.setattr("clue_solver.game.Game.review", None)  # what is kept needs no review
    again = run(*words, "--json", "--resume")
    assert json.loads(again.stdout) == told


def test_folders_stand_for_their_records(tmp_path: Path) -> None:
    (tmp_path / "b.clue").write_text("")
    (tmp_path / "a.jsonl").write_text("")
    (tmp_path / "c.txt").write_text("")
    assert [str(tmp_path / "a.jsonl"), str(tmp_path / "b.clue")] == games_in([tmp_path])
    assert run("season", str(tmp_path / "none")).exit_code == 2


def test_a_folder_of_reviews_has_an_index(tmp_path: Path) -> None:
    games, pages = tmp_path / "games", tmp_path / "pages"
    games.mkdir()
    for folder in (games, games / "later"):
        folder.mkdir(exist_ok=True)
        (folder / "diced.clue").write_text(Path(FILES[0]).read_text("utf-8"), "utf-8")
    result = run("review", str(games), "--html", str(pages))
    assert result.exit_code == 0, result.stderr
    assert 'href="diced.html"' in (pages / "index.html").read_text("utf-8")
    assert "Step by step" in (pages / "diced.html").read_text("utf-8")
    assert run("season", str(games), "--html", str(pages / "season.html")).exit_code == 0
    season = (pages / "season.html").read_text("utf-8")
    for name in ("diced.html", "diced-2.html"):
        assert f'href="{name}"' in season
        assert (pages / name).exists()
