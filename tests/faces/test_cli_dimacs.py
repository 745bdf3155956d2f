"""The command line that writes a formula."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import load
from tests.faces.test_cli import CLASHING, CLASSIC, run, small


def test_both_spellings_and_the_ending_write_the_same_formula(tmp_path: Path) -> None:
    formula = load(CLASSIC).dimacs()
    assert formula == run("convert", CLASSIC, "--to", "dimacs").stdout
    assert formula == run("convert", "--dimacs", CLASSIC).stdout
    for words in (["--dimacs", "-o", "a.txt"], ["-o", "a.cnf"], ["-o", "a.dimacs"]):
        there = tmp_path / words[-1]
        assert 0 == run("convert", CLASSIC, *words[:-1], str(there)).exit_code
        assert formula == there.read_text("utf-8")


def test_viewer_entries_policy_and_suppositions_go_into_the_formula() -> None:
    words = ("--viewer", "ben", "--upto", "9", "--shows", "none", "--suppose", "Ben has Rope")
    game = load(CLASSIC).suppose("Ben has Rope")
    expected = game.dimacs(viewer="Ben", upto=9, shows="none")
    assert expected == run("convert", CLASSIC, "--dimacs", *words).stdout


@pytest.mark.parametrize(
    "words",
    [("--viewer", "Ben"), ("--upto", "3"), ("--shows", "none"), ("--suppose", "Ben has Rope")],
)
def test_a_record_is_written_whole_or_not_at_all(words: tuple[str, str], tmp_path: Path) -> None:
    there = tmp_path / "game.jsonl"
    refused = run("convert", CLASSIC, "-o", str(there), *words)
    assert 2 == refused.exit_code
    assert "--to dimacs" in refused.stderr
    assert not there.exists()


def test_two_forms_at_once_are_refused() -> None:
    refused = run("convert", CLASSIC, "--dimacs", "--to", "clue")
    assert (2, "") == (refused.exit_code, refused.stdout)
    assert "two different forms" in refused.stderr


def test_a_clashing_log_is_a_formula_too(tmp_path: Path) -> None:
    assert 0 == run("convert", "--dimacs", small(tmp_path, CLASHING)).exit_code


def test_nothing_is_written_where_nothing_can_be(tmp_path: Path) -> None:
    for there in (tmp_path, tmp_path / "no folder" / "game.cnf"):
        refused = run("convert", CLASSIC, "--dimacs", "-o", str(there))
        assert (2, "") == (refused.exit_code, refused.stdout)
        assert "cannot write" in refused.stderr
    assert [] == list(tmp_path.iterdir())


def test_an_entry_that_is_not_there_is_refused() -> None:
    refused = run("convert", CLASSIC, "--dimacs", "--upto", "99")
    assert (2, "") == (refused.exit_code, refused.stdout)
    assert "entries" in refused.stderr
