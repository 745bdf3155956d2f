"""A pad written and read back: everything certain and every open either-or survives."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from clue_solver import Game
from clue_solver.pads import export_pad, import_notes
from clue_solver.table import SPECTATOR
from clue_solver.testing import games

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def read_back(
    game: Game, folder: Path, *, viewer: str | None = None, upto: int | None = None
) -> Game:
    """The game that the pad of a viewer is."""
    path = folder / "pad.csv"
    path.write_text(export_pad(game, viewer=viewer, upto=upto).to_csv(), "utf-8")
    named = viewer or game.table.viewer
    whose = game.table.seats[0] if named in (None, SPECTATOR) else named
    return Game(import_notes(path, edition=game.table.edition, viewer=whose).record)


@given(games())
def test_the_pad_of_any_viewer_read_back_makes_the_same_certain(
    tmp_path_factory: pytest.TempPathFactory, game: Game
) -> None:
    folder = tmp_path_factory.mktemp("pads")
    for viewer in (*game.table.seats[:2], SPECTATOR):
        back = read_back(game, folder, viewer=viewer)
        assert game.table.cards == back.table.cards
        assert game.table.holders == back.table.holders
        expected = game.report(viewer=viewer).verdicts
        assert expected.tolist() == back.report().verdicts.tolist()


@given(games())
def test_a_pad_read_back_is_the_same_pad(
    tmp_path_factory: pytest.TempPathFactory, game: Game
) -> None:
    viewer = game.table.seats[0]
    back = read_back(game, tmp_path_factory.mktemp("pads"), viewer=viewer)
    pad = export_pad(game, viewer=viewer)
    assert pad.rows == export_pad(back).rows
