"""Every command says the same with the extra `fast` and without it, byte for byte."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

HIDDEN = """
import importlib.util, sys
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *at: None if name == "numba" else found(name, *at)
sys.modules["numba"] = None
"""
IN_MEMORY = "import clue_solver.inference.machine_code\n"
RUN = "from clue_solver.faces.cli import main\nmain()\n"

COMMANDS = (
    "report --json",
    "advise --json",
    "check --json",
    "review --json",
    "review --html -",
)


@pytest.mark.parametrize("name", ["two_players.clue", "diced.clue", "evening.clue"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_the_same_without_numba(command: str, name: str) -> None:
    pytest.importorskip("numba")

    def said(before: str) -> tuple[bytes, bytes, int]:
        asked = [*command.split(), str(EXAMPLES / name)]
        ran = subprocess.run(
            [sys.executable, "-c", before + RUN, *asked], capture_output=True, check=False
        )
        return ran.stdout, ran.stderr, ran.returncode

    without = said(HIDDEN)
    assert said(IN_MEMORY) == without
    assert without[0]
