"""What tests of faces leave out: refining what to do by games played on, which takes longest."""

from __future__ import annotations

import pytest

from clue_solver.faces.tui import table


@pytest.fixture(autouse=True)
def _decided_by_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to do now is told by bits alone, unless a test asks for more."""
    monkeypatch.setattr(table, "BYS", ("bits",))
