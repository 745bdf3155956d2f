"""A picture of habits."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import ArgumentError, habits, load

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def test_a_picture_has_a_line_for_each_player() -> None:
    pytest.importorskip("matplotlib.figure")
    from clue_solver import plots

    evening = habits([load(EXAMPLES / "evening.clue")])
    axes = plots.habits(evening)
    lines, dots = axes.lines[::2], axes.lines[1::2]
    each = (*evening.players, evening.everyone)
    assert [one.careful.interval for one in each] == [tuple(line.get_xdata()) for line in lines]  # type: ignore[arg-type] # plain lists
    assert [one.careful.value for one in each] == [dot.get_xdata()[0] for dot in dots]  # type: ignore[index] # plain lists
    assert [one.seat for one in each] == [tick.get_text() for tick in axes.get_yticklabels()]
    with pytest.raises(ArgumentError, match="habit: expected one of careful, sticky, accuses"):
        plots.habits(evening, "lucky")  # type: ignore[arg-type] # refused
