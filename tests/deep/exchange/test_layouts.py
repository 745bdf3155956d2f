"""Games written in every layout and language: what is read is what was written, or a refusal."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import ClueError, Game, load_edition
from clue_solver.exchange.imports import Imported
from clue_solver.exchange.pads import export_pad, export_suggestions, import_notes
from clue_solver.exchange.sheets import workbook_of
from clue_solver.knowledge.evidence import share
from clue_solver.record import Record
from clue_solver.rules.observations import Suggestion

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

from simulate import random_game

CLASSIC = load_edition("clue-classic")
LANGUAGES = (None, "de", "fr", "es", "it", "nl", "pt")
Rows = Sequence[Sequence[str]]


def game(seed: int, language: str | None) -> Game:
    """A short true game of Clue by a seed, the notes of the first seat."""
    random = Random(seed)
    told = random_game("clue-classic", random.randint(3, 6), turns=random.randint(1, 8), seed=seed)
    table = replace(told.table, language=language, viewer=told.table.seats[0])
    record = Record(table=table)
    for _, each in share(enumerate(told.observations, 1), table=table, viewer=table.viewer):
        if isinstance(each, Suggestion):
            record = record.append(each)
    return Game(record)


def text_of(rows: Rows, mark: str = ",") -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=mark, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def across(rows: Rows) -> bytes:
    return text_of(list(zip(*rows, strict=True)))


def beside(rows: Rows) -> bytes:
    """The rows of a pad in three blocks side by side."""
    head, *rest = rows
    size = "hand size" in [row[0] for row in rest]
    plain = rest[1:] if size else rest
    parts = [plain[:6], plain[6:12], plain[12:]]
    width = len(head)
    lines = [[cell for _ in parts for cell in ("", *head[1:])]]
    for at in range(9):
        empty = [""] * width
        lines.append([cell for part in parts for cell in (part[at] if at < len(part) else empty)])
    return text_of(lines)


def markdown(rows: Rows) -> bytes:
    head, *rest = ("| " + " | ".join(row) + " |" for row in rows)
    return "\n".join((head, "|" + "---|" * len(rows[0]), *rest, "")).encode()


def crossed(rows: Rows) -> bytes:
    """The pad with crosses and noughts, which a legend below it explains."""
    marks = {"✓": "X", "·": "o"}
    lines = [[marks.get(cell, cell) for cell in row] for row in rows]
    return text_of([*lines, ["X = has it", "o = hasn't it", *[""] * (len(rows[0]) - 2)]])


PADS: dict[str, Callable[[Rows], bytes]] = {
    "plain": text_of,
    "semicolons": lambda rows: text_of(rows, ";"),
    "across": across,
    "side by side": beside,
    "markdown": markdown,
    "crosses and a legend": crossed,
    ".xlsx": lambda rows: workbook_of(rows, ending=".xlsx", title="pad"),
    ".ods": lambda rows: workbook_of(rows, ending=".ods", title="pad"),
}


def per_player(rows: Rows, seats: Sequence[str]) -> bytes:
    """A table of suggestions with a column for what each player answered."""
    lines = [["asker", "suspect", "weapon", "room", *seats]]
    for by, suspect, weapon, room, passes, shower, shown, *_ in rows[1:]:
        passed = list(seats) if shower == "nobody" else passes.split(", ")
        answers = ["" if seat == by else "pass" if seat in passed else "" for seat in seats]
        if shower in seats:
            answers[list(seats).index(shower)] = f"showed {shown}" if shown else "yes"
        lines.append([by, suspect, weapon, room, *answers])
    return text_of(lines)


TABLES: dict[str, Callable[[Rows, Sequence[str]], bytes]] = {
    "plain": lambda rows, _seats: text_of(rows),
    "a column for each player": per_player,
    "markdown": lambda rows, _seats: markdown(rows),
    ".xlsx": lambda rows, _seats: workbook_of(rows, ending=".xlsx", title="table"),
}


def read(folder: Any, content: bytes, said: dict[str, Any]) -> Imported | None:
    path = folder / "notes"
    path.write_bytes(content)
    try:
        return import_notes(path, **said)
    except ClueError:
        return None


def check(folder: Any, seed: int, language: str | None) -> int:
    """Write a game in every layout and read it; how many were read, and not refused."""
    told, count = game(seed, language), 0
    table, written = told.table, told.report().verdicts.tolist()
    said: dict[str, Any] = {"edition": CLASSIC, "names": language, "viewer": table.viewer}
    for name, layout in PADS.items():
        back = read(folder, layout(export_pad(told).rows), said)
        count += back is not None
        if back is not None:
            assert Game(back.record).report().verdicts.tolist() == written, name
    rows = export_suggestions(told).rows
    expected = tuple(
        replace(each, answers=tuple(sorted(each.answers, key=lambda one: one.seat or "")))
        for each in told.observations
        if isinstance(each, Suggestion)
    )
    for name, layout_of in TABLES.items():
        back = read(folder, layout_of(rows, table.seats), said | {"players": table.seats})
        count += back is not None
        if back is not None:
            found = tuple(
                replace(each, answers=tuple(sorted(each.answers, key=lambda one: one.seat or "")))
                for each in back.record.observations
                if isinstance(each, Suggestion)
            )
            assert found == expected, name
    return count


@pytest.mark.parametrize("language", [None, "de", "pt"])
def test_every_layout_is_read_in_every_language(tmp_path: Any, language: str | None) -> None:
    assert len(PADS) + len(TABLES) == check(tmp_path, 11, language)


@settings(max_examples=20)
@given(st.integers(0, 10**9), st.sampled_from(LANGUAGES))
def test_what_is_read_back_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, seed: int, language: str | None
) -> None:
    check(tmp_path_factory.mktemp("layouts"), seed, language)
