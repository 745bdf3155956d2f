"""What loading a module loads; `lint-imports` has who may import whom."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import clue_solver

ROOT = Path(clue_solver.__file__).parent


def test_modules_are_loaded_by_a_name_made_up_in_two_places_alone() -> None:
    files = [ROOT / "__init__.py", ROOT / "answers" / "display.py"]
    loading = [path for path in ROOT.rglob("*.py") if "import_module(f" in path.read_text("utf-8")]
    assert sorted(loading) == files


@pytest.mark.parametrize(
    ("module", "unneeded"),
    [
        ("clue_solver.faces.web.home", ("uvicorn", "h11", "segno", "textual", "joblib", "idna")),
    ],
)
def test_what_answers_loads_nothing_that_only_listening_or_another_face_needs(
    module: str, unneeded: tuple[str, ...]
) -> None:
    script = f"import sys, {module}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    loaded = {name.partition(".")[0] for name in run.stdout.split()}
    assert loaded & {*unneeded} == set()
