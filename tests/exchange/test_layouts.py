"""Games written in every layout and language: what is read is what was written, or a refusal."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import ClueError, Game, load_edition
from clue_solver.exchange.layout import Imported
from clue_solver.exchange.pads import export_pad, export_suggestions, import_notes
from clue_solver.exchange.sheets import workbook_of
from clue_solver.record import Record
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import Table

CLASSIC = load_edition("clue-classic")
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo")
LANGUAGES = (None, "de", "fr", "es", "it", "nl", "pt")
Rows = Sequence[Sequence[str]]


def game(random: Random, language: str | None) -> Game:
    """A short true game of Clue by a seed, the notes of the first seat."""
    seats = NAMES[: random.randint(3, 6)]
    table = Table(edition=CLASSIC, seats=seats, viewer=seats[0], language=language)
    cards = [*CLASSIC.names]
    random.shuffle(cards)
    case = {
        next(c for c in cards if c in [x.name for x in kind.cards]) for kind in CLASSIC.category
    }
    rest = [card for card in cards if card not in case]
    holder = {card: seats[place % len(seats)] for place, card in enumerate(rest)}
    record = Record(table=table)
    for turn in range(random.randint(1, 8)):
        by = seats[turn % len(seats)]
        asked = [random.choice(kind.cards).name for kind in CLASSIC.category]
        answers = []
        for seat in table.answering(by):
            could = [card for card in asked if holder.get(card) == seat]
            answers.append(f"{seat} shows" if could else f"{seat} passes")
            if could:
                seen = random.choice(could)
                answers[-1] += f" {seen}" * (seats[0] in (by, seat))
                break
        record = record.append(
            _told(f"{by} suggests {', '.join(asked)}: {', '.join(answers)}", table)
        )
    return Game(record)


def _told(line: str, table: Table) -> Any:
    from clue_solver.notation import parse_line

    return parse_line(line, table)


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


def as_json(rows: Rows, _seats: Sequence[str]) -> bytes:
    import json

    keys = ["asker", "suspect", "weapon", "room", "nonRefuters", "refuter", "seenCard"]
    objects = [dict(zip(keys, row[:7], strict=True)) for row in rows[1:]]
    return json.dumps(objects).encode()


TABLES: dict[str, Callable[[Rows, Sequence[str]], bytes]] = {
    "plain": lambda rows, _seats: text_of(rows),
    "a column for each player": per_player,
    "markdown": lambda rows, _seats: markdown(rows),
    "JSON": as_json,
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
    told, count = game(Random(seed), language), 0
    table, written = told.table, told.report().verdicts.tolist()
    said: dict[str, Any] = {"edition": CLASSIC, "names": language, "viewer": table.viewer}
    for name, layout in PADS.items():
        back = read(folder, layout(export_pad(told).rows), said)
        count += back is not None
        if back is not None:
            assert written == Game(back.record).report().verdicts.tolist(), name
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
            assert expected == found, name
    return count


@pytest.mark.parametrize("language", [None, "de", "pt"])
def test_every_layout_is_read_in_every_language(tmp_path: Any, language: str | None) -> None:
    assert len(PADS) + len(TABLES) == check(tmp_path, 11, language)


@settings(max_examples=500 if settings().max_examples > 100 else 4)
@given(st.integers(0, 10**9), st.sampled_from(LANGUAGES))
def test_what_is_read_back_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, seed: int, language: str | None
) -> None:
    check(tmp_path_factory.mktemp("layouts"), seed, language)
