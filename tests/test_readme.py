"""What the README shows is what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from clue_solver.faces.cli import main

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text("utf-8")
SESSIONS = re.findall(r"^```console\n\$ clue-solver (.*)\n([^`]*)```$", TEXT, re.MULTILINE)


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


@pytest.mark.parametrize(("words", "output"), SESSIONS, ids=[words for words, _ in SESSIONS])
def test_a_session_prints_what_stands_there(
    words: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    result = CliRunner().invoke(main, words.split())
    assert trimmed(output) == trimmed(result.stdout)


def test_the_first_screen_shows_a_sheet() -> None:
    assert SESSIONS
    assert TEXT.index("```console") < TEXT.index("```sh")


def test_the_record_in_the_readme_is_the_example() -> None:
    block = re.search(r"^```\nedition: clue-classic\n([^`]*)```$", TEXT, re.MULTILINE)
    assert block
    example = (ROOT / "examples" / "classic.clue").read_text("utf-8")
    for line in block[1].splitlines():
        assert line.split("  #")[0].rstrip() in example
