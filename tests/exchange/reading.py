"""Notes written to a file and imported; what came of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clue_solver import ClueError
from clue_solver.exchange.imports import Imported
from clue_solver.exchange.pads import import_notes
from clue_solver.notation import format_line


def read(folder: Path, text: str, *, name: str, **said: object) -> Imported:
    path = folder / name
    path.write_text(text, "utf-8")
    options: dict[str, Any] = {"edition": "clue-classic", **said}
    return import_notes(path, **options)


def refused(folder: Path, text: str, *, name: str, **said: object) -> str:
    with pytest.raises(ClueError) as caught:
        read(folder, text, name=name, **said)
    return str(caught.value)


def lines(imported: Imported) -> list[str]:
    return [format_line(each, imported.record.table) for each in imported.record.observations]
