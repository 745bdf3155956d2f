"""Every published figure has a command that makes it; what is quick and exact is made again."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from clue_solver.faces.cli import main as clue_solver
from docs import figures

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = figures.entries()
OPTION = re.compile(r"--[a-z][a-z-]*")


@cache
def places(page: str) -> frozenset[str]:
    """The page, and each of its headings as a link names it."""
    headings = re.findall(r"^#+ (.*)$", (ROOT / page).read_text("utf-8"), re.MULTILINE)
    slugs = (re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in headings)
    return frozenset((page, *(f"{page}#{slug}" for slug in slugs)))


def test_every_figure_stands_somewhere_and_every_measurement_has_its_figures() -> None:
    told = {page for entry in ENTRIES.values() for page in entry["pages"]}
    assert {page for page in told if page not in places(page.partition("#")[0])} == set()
    measurements = "docs/measurements.md"
    sections = {place for place in places(measurements) if "#" in place}
    around = {f"{measurements}#measurements", f"{measurements}#how-old-each-figure-is"}
    assert sections - told == around
    results = {path.stem for path in (ROOT / "benchmarks" / "results").glob("*.json")}
    assert results <= {*ENTRIES}


def commands() -> Iterator[tuple[str, str]]:
    """Each command with its options, the ones of one entry one by one."""
    for entry in ENTRIES.values():
        for command in entry["run"].split(" && "):
            program, rest = command.split(maxsplit=1)
            yield program, rest


@pytest.mark.parametrize(("program", "rest"), sorted({*commands()}))
def test_the_command_of_a_figure_exists_and_has_its_options(program: str, rest: str) -> None:
    first, *words = shlex.split(rest)
    if program == "clue-solver":
        helped = CliRunner().invoke(clue_solver, [first, "--help"]).output
    elif program == "python":
        helped = subprocess.run(
            [sys.executable, ROOT / first, "--help"], capture_output=True, text=True, check=True
        ).stdout
    else:
        assert program == "pytest"
        assert (ROOT / first).is_file()
        helped = "-s --whole"
    assert {word for word in words if OPTION.fullmatch(word)} <= {*OPTION.findall(helped)}


@pytest.mark.parametrize("name", [name for name, each in ENTRIES.items() if each.get("exact")])
def test_a_figure_that_is_exact_is_what_its_command_prints(name: str) -> None:
    (found,) = (each for each in figures.measured() if each.name == f"measured/{name}")
    assert found.stale() == ""


def test_how_much_has_changed_of_what_a_figure_depends_on_is_told(tmp_path: Path) -> None:
    entry: dict[str, Any] = {"run": "python benchmarks/one.py", "on": ["rules"], "commit": "HEAD"}
    one, board, other = (
        tmp_path / path
        for path in ("benchmarks/one.py", "clue_solver/rules/board.py", "clue_solver/other.py")
    )
    for file in (one, board, other):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("1\n2\n3\n4\n5\n", "utf-8")
    assert figures.changed(entry, tmp_path) is None
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "one")):
        subprocess.run(["git", "-C", tmp_path, *words], check=True)
    other.write_text("6\n", "utf-8")
    assert figures.changed(entry, tmp_path) == 0
    board.write_text("1\n 2\n3\n4\n6\n", "utf-8")
    assert figures.changed(entry, tmp_path) == 0.1
    assert figures.changed({**entry, "commit": "0000000"}, tmp_path) is None


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="there is no history here")
def test_every_figure_was_measured_at_a_commit_of_this_history() -> None:
    history = figures._git(ROOT, "rev-list", "HEAD").stdout.split()
    commits = [each["commit"] for each in ENTRIES.values() if not each.get("exact")]
    assert [at for at in commits if not any(full.startswith(at) for full in history)] == []


def test_only_the_figure_that_was_written_gets_the_day() -> None:
    one = '[{}]\nrun = "a"\nmeasured = 2026-01-01\ncommit = "0"'
    text = "\n\n".join(map(one.format, "ab"))
    new = one.format("b").replace("01-01", "02-03").replace('"0"', '"5"')
    assert figures.stamped(text, "b", "2026-02-03", "5") == f"{one.format('a')}\n\n{new}"


def test_a_published_table_that_is_not_printed_today_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("| way | time |\n|---|---|\n| ours | 1 |\n", "utf-8")
    printed = "printf '| way | time |\\n| ours | 2 |\\n'"
    entry = {"run": printed, "exact": True, "pages": [str(tmp_path / "page.md")]}
    assert figures._recomputed(entry) == "the command prints ['| ours | 2 |']"
    assert figures._recomputed({**entry, "run": printed.replace("2", "1")}) == ""


def test_the_state_of_figures_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["figures", "screens/setup", "measured/compare"])
    figures.main()
    drawn, measured = capsys.readouterr().out.splitlines()
    assert drawn == "fresh  screens/setup  (python -m docs.screens setup)"
    assert re.match("(fresh|stale)  measured/compare  ", measured)
