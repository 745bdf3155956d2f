"""Frames of pandas are read as their files are."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from clue_solver import ClueError, load_edition
from clue_solver.exchange.pads import import_notes
from clue_solver.record import format_record

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
CLASSIC = load_edition("clue-classic")


def test_frames_of_pads_and_suggestions_are_read_as_their_files_are(tmp_path: Path) -> None:
    pad = pd.read_csv(EXAMPLES / "pad.csv")
    said = import_notes(EXAMPLES / "pad.csv", edition=CLASSIC)
    bare = pad.rename(columns={"Unnamed: 0": "card"})
    for frame in (bare, bare.set_index("card")):
        assert said.record == import_notes(frame, edition=CLASSIC).record
    table = pd.read_csv(EXAMPLES / "suggestions.csv", sep=";")
    players = ("Ann", "Ben", "Cat", "Dan")
    expected = import_notes(EXAMPLES / "suggestions.csv", edition=CLASSIC, players=players).record
    assert import_notes(table, edition=CLASSIC, players=players).record == expected


def test_truths_and_numbers_of_a_frame_are_marks() -> None:
    frame = pd.DataFrame(
        {"Ann": [True, False, None], "Ben": [None, 1.0, 1.0]}, index=["Plum", "Rope", "Hall"]
    )
    with pytest.raises(ClueError, match=r"what do these marks mean: 'false' \(1 cell"):
        import_notes(frame, edition=CLASSIC, viewer="Ann")
    marks = {"False": "lacks"}
    record = import_notes(frame, edition=CLASSIC, viewer="Ann", marks=marks).record
    assert "Ann knows Ann lacks Rope" in format_record(record)
    assert "Ann knows Ben has Rope or Hall" in format_record(record)
    assert "Ann knows Ann has Plum" in format_record(record)


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(ClueError, match="expected a file's path or a pandas frame; found list"):
        import_notes([["Plum"]])
