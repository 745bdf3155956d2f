"""A pad written and read back: everything certain and every open either-or survives."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from clue_solver import Game, load
from clue_solver.exchange.export import export_pad
from clue_solver.exchange.imports import import_notes
from clue_solver.rules.table import SPECTATOR
from tests.games.test_recorded import NAMES, RECORDED
from tests.strategies import games


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
def test_the_pad_of_any_viewer_read_back_is_the_same_and_makes_the_same_certain(
    tmp_path_factory: pytest.TempPathFactory, game: Game
) -> None:
    folder = tmp_path_factory.mktemp("pads")
    for viewer in (game.table.seats[0], SPECTATOR):
        back = read_back(game, folder, viewer=viewer)
        assert back.table.cards == game.table.cards
        assert back.table.holders == game.table.holders
        assert back.report().verdicts.tolist() == game.report(viewer=viewer).verdicts.tolist()
        if viewer != SPECTATOR:
            assert export_pad(back).rows == export_pad(game, viewer=viewer).rows


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded games are not here")
@pytest.mark.parametrize("name", NAMES)
def test_the_pads_of_a_recorded_game_survive(name: str, tmp_path: Path) -> None:
    game = load(RECORDED / f"{name}.clue")
    for upto in range(1, len(game.observations), 5):
        back = read_back(game, tmp_path, upto=upto)
        expected = game.report(upto=upto).verdicts
        assert expected.tolist() == back.report().verdicts.tolist()
