"""Habits on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clue_solver import habits, load
from tests.faces.test_cli import CLASHING, CLASSIC, EXAMPLES, run, small

EVENING = str(EXAMPLES / "evening.clue")


def test_text_tells_players_and_lines_for_the_next_header() -> None:
    result = run("habits", EVENING, CLASSIC)
    assert (0, "") == (result.exit_code, result.stderr)
    for words in ("Habits of 4 players in 2 games", "own named", "asks: careful 0."):
        assert words in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_json_is_one_object() -> None:
    result = run("habits", EVENING, "--json")
    assert (0, "") == (result.exit_code, result.stderr)
    found = json.loads(result.stdout)
    assert {"schema", "players", "all", "games", "header"} == set(found) - {"failed"}
    assert 1 == found["schema"]
    assert ["Ann", "Ben", "Cat", "Dan"] == [each["seat"] for each in found["players"]]
    for each in found["players"]:
        assert ["seat", "games", "asked", "own", "careful"] == list(each)[:5]
        low, high = each["careful"]["interval"]
        assert 0 <= low < each["careful"]["value"] < high <= 1
    assert [1, 10, 3.0] == [found["players"][0][key] for key in ("games", "asked", "own")]
    assert 32 == found["all"]["asked"]
    assert ["asks: careful 0.84"] == found["header"]
    assert habits([load(EVENING)]).to_dict() == found


def test_one_that_fails_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    broken = small(tmp_path, "players: Ann\n")
    result = run("habits", EVENING, broken, "--json")
    assert 2 == result.exit_code
    assert 1 == len(result.stderr.splitlines())
    assert broken in result.stderr
    found = json.loads(result.stdout)
    alone = json.loads(run("habits", EVENING, "--json").stdout)
    assert alone["players"] == found["players"]
    assert 1 == len(found["failed"])


def test_alone_it_fails_as_any_game_does(tmp_path: Path) -> None:
    result = run("habits", small(tmp_path, "players: Ann\n"))
    assert (2, "") == (result.exit_code, result.stdout)
    result = run("habits", small(tmp_path, CLASHING))
    assert (3, "") == (result.exit_code, result.stdout)
    assert "entries 2 and 3 cannot all be true" in result.stderr


def test_standard_input_is_read_alone() -> None:
    text = Path(EVENING).read_text("utf-8")
    assert run("habits", "-", stdin=text).stdout == run("habits", EVENING).stdout
    result = run("habits", "-", EVENING)
    assert (2, "") == (result.exit_code, result.stdout)


def test_without_a_game_it_is_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "clue-solver" / "games"
    folder.mkdir(parents=True)
    (folder / "2024-05-01.clue").write_text(Path(EVENING).read_text("utf-8"), "utf-8")
    result = run("habits")
    assert "the last game" in result.stderr
    assert run("habits", EVENING).stdout == result.stdout
