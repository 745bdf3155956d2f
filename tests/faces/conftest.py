"""What tests of faces leave out: what to do now, which takes longest, unless it is asked for."""

from __future__ import annotations

import pytest

from clue_solver.faces.tui import table


@pytest.fixture(autouse=True)
def _nothing_decided(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """What to do now is told by bits to tests that are marked `decides`, and to no other."""
    told = request.node.get_closest_marker("decides") is not None
    monkeypatch.setattr(table, "BYS", ("bits",) if told else ())
