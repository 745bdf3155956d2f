"""Reviews on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.faces.test_cli import CLASHING, CLASSIC, EXAMPLES, SMALL, run, small

DICED = str(EXAMPLES / "diced.clue")
TWO = str(EXAMPLES / "two_players.clue")
QUICK = ("--sample", "100")


def told(*words: str, stdin: str | None = None) -> dict[str, Any]:
    result = run("review", *words, *QUICK, "--json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return read(result.stdout)


def read(line: str) -> dict[str, Any]:
    """Read an object; batches may be compiled, whose last two digits differ."""
    told: dict[str, Any] = json.loads(line, parse_float=lambda text: round(float(text), 12))
    return told


def test_text_tells_players_suggestions_and_accusations() -> None:
    result = run("review", CLASSIC, *QUICK)
    assert (0, "") == (result.exit_code, result.stderr)
    titles = ("The players", "The suggestions", "Turning points", "Accusations")
    for words in (*titles, "Green, Rope, Library", "at the end", "not hold all that this player"):
        assert words in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_json_is_one_object() -> None:
    found = told(DICED)
    assert ["Brains Mustard", "Brawn Orchid"] == found["solution"]
    assert "file" not in found
    assert 0.0 == found["suggestions"][0]["error"]
    assert 10 == len(found["suggestions"])


def test_the_solution_may_be_given_and_the_game_come_from_standard_input() -> None:
    found = told("-", "--solution", "scarl can kit", stdin=SMALL)
    assert ["Scarlett", "Candlestick", "Kitchen"] == found["solution"]
    assert [True, False, False] == [each["whole"] for each in found["seats"]]


def test_the_policy_counts_and_the_seed_is_the_same_each_time() -> None:
    assert "none" == told(DICED, "--shows", "none")["shows"]
    assert told(DICED, "--seed", "5") == told(DICED, "--seed", "5")


def test_a_page_is_written_beside_the_text(tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    result = run("review", DICED, *QUICK, "--html", str(page))
    assert 0 == result.exit_code
    assert "written" in result.stderr
    assert "The players" in result.stdout
    assert "Brains Mustard" in page.read_text("utf-8")
    assert run("review", DICED, *QUICK, "--html", "-").stdout.lstrip().startswith("<!")


BAD = {
    "no solution": ((), "no right accusation; give it as", 2),
    "no solution, the option": ((), "(--solution)\n", 2),
    "no such card": (("--solution", "Plmu, Rope, Hall"), "cannot take 'Plmu, Rope, Hall'", 2),
    "two cards": (("--solution", "Plum, Rope"), "cannot take", 2),
    "a card in a hand": (("--solution", "Plum, Rope, Hall"), "entry 1 rules it out", 2),
    "a small sample": (("--sample", "5"), "--sample", 2),
    "a seed below nothing": (("--seed", "-1"), "--seed", 2),
}


@pytest.mark.parametrize(("words", "reason", "status"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_message_and_nothing_written(
    tmp_path: Path, words: tuple[str, ...], reason: str, status: int
) -> None:
    page = tmp_path / "review.html"
    result = run("review", small(tmp_path), *words, "--html", str(page))
    assert (status, "") == (result.exit_code, result.stdout)
    assert reason in result.stderr
    assert "Traceback" not in result.stderr
    assert not page.exists()


def test_a_log_that_contradicts_itself_is_status_3(tmp_path: Path) -> None:
    result = run(
        "review", small(tmp_path, CLASHING), "--solution", "Scarlett, Candlestick, Kitchen"
    )
    assert (3, "") == (result.exit_code, result.stdout)
    assert "entries 2 and 3 cannot all be true" in result.stderr


def test_nothing_in_a_name_is_obeyed(tmp_path: Path) -> None:
    text = SMALL.replace("Ben", "[31mBen").replace("Cat", "[bold]Cat")
    words = (small(tmp_path, text), "--solution", "Scarlett, Candlestick, Kitchen", *QUICK)
    result = run("review", *words)
    assert 0 == result.exit_code, result.stderr
    assert "\x1b" not in result.stdout
    assert "[31mBen" in result.stdout
    assert "[bold]Cat" in result.stdout


def test_a_page_that_cannot_be_written_is_one_message(tmp_path: Path) -> None:
    result = run("review", DICED, *QUICK, "--html", str(tmp_path / "no" / "page.html"))
    assert (2, "") == (result.exit_code, result.stdout)
    assert "cannot write the page" in result.stderr


def test_of_many_games_each_is_a_line_and_one_that_fails_an_error(tmp_path: Path) -> None:
    broken = small(tmp_path, "players: Ann\n")
    result = run("review", DICED, broken, TWO, *QUICK, "--json")
    assert 2 == result.exit_code
    lines = [read(line) for line in result.stdout.splitlines()]
    assert [DICED, broken, TWO] == [line["file"] for line in lines]
    assert {"file", "schema", "error"} == set(lines[1])
    assert told(DICED) == {key: value for key, value in lines[0].items() if key != "file"}
    assert 1 == len(result.stderr.splitlines())
    assert broken in result.stderr


def test_of_many_games_the_text_has_totals() -> None:
    result = run("review", DICED, TWO, *QUICK)
    assert (0, "") == (result.exit_code, result.stderr)
    first, second, totals = result.stdout.splitlines()
    assert "Mia won in entry 21" in first
    assert "Kim won in entry 36" in second
    assert totals.startswith("2 games; ")
    assert "accusations: 2 right, 0 late, 0 rash" in totals


@pytest.mark.parametrize("words", [("--solution", "Plum"), ("--html", "page.html"), ("-",)])
def test_what_is_for_one_game_is_refused_of_many(words: tuple[str, ...]) -> None:
    result = run("review", DICED, TWO, *words)
    assert (2, "") == (result.exit_code, result.stdout)
