"""What the README shows is what the program does."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from clue_solver import NotationError, Table, load_edition
from clue_solver.faces.cli import main
from clue_solver.notation import parse_line
from clue_solver.rules.observations import Event

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


def test_every_kind_of_observation_stands_in_the_readme() -> None:
    diced = load_edition("clue-diced")
    classic = load_edition("clue-classic")
    seats = ("Ann", "Ben", "Cat", "Dan")
    tables = [Table(edition=edition, seats=seats) for edition in (classic, diced)]
    lines = re.findall(r"`((?:[A-Z][a-z]+|nobody) \w+ ?[^`]*)`", TEXT)
    lines += [line for line in TEXT.splitlines() if line.startswith("Ann holds")]
    found = set()
    for line in lines:
        for table in tables:
            with suppress(NotationError):
                found.add(type(parse_line(line, table)))
    assert set(Event.__subclasses__()) == found
