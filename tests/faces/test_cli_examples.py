"""`examples` copies what the wheel has of games, decks, pads and notebooks, and spoils nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from clue_solver.faces import commands
from clue_solver.faces.cli import main

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["examples", *words])
    return result.exit_code, result.output


def test_all_of_them_are_copied_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, said = run()
    assert 0 == status
    copied = {path.name for path in (tmp_path / "examples").iterdir()}
    assert {"classic.clue", "tiny.toml", "pad.csv", "post_game.ipynb"} <= copied
    assert {str(Path("examples", name)) for name in copied} == {*said.splitlines()}
    for path in (ROOT / "examples").glob("*.*"):
        assert path.read_bytes() == (tmp_path / "examples" / path.name).read_bytes()


def test_they_can_be_copied_again_but_not_over_what_was_changed(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "games"
    assert 0 == run(str(folder))[0] == run(str(folder))[0]
    (folder / "tiny.toml").write_text("mine", "utf-8")
    (folder / "classic.clue").unlink()
    status, said = run(str(folder))
    assert (2, True) == (status, "tiny.toml: there is such a file already" in said)
    assert not (folder / "classic.clue").exists()
    assert "mine" == (folder / "tiny.toml").read_text("utf-8")
    assert 0 == run(str(folder), "--force")[0]
    assert "Tiny Clue" in (folder / "tiny.toml").read_text("utf-8")


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert 2 == run(str(tmp_path / "file"))[0]


def test_the_wheel_has_them_where_the_program_looks() -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert {"examples": "clue_solver/examples"} == built["targets"]["wheel"]["force-include"]
    assert ROOT / "examples" == commands.examples_folder()
