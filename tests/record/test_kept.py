"""Records of every version of the format are read for ever: kept files, and what they said then."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import Game, RecordError, load
from clue_solver.record import format_record, parse_record, to_jsonl
from clue_solver.record.contents import KEYS
from clue_solver.rules.observations import kinds
from clue_solver.rules.table import FORMAT

KEPT = Path(__file__).parent / "kept"
SAID: dict[str, tuple[int, float]] = {
    "format-1-board": (76_420, 4.496843),
    "format-1-classic": (1_504, 4.248458),
    "format-1-diced": (1, 0.000000),
    "format-1-marked": (83_034, 6.775482),
    "format-1-rooms": (1_890_345_600, 8.076816),
    "format-1-traditional": (216_684_468, 7.600930),
}
"""The deals that fit and the bits left, with every behaviour left out; a line never changes."""

every_kept = pytest.mark.parametrize("name", SAID)


def test_every_version_has_its_files() -> None:
    assert {path.stem for path in KEPT.iterdir()} == {*SAID}
    versions = {int(name.split("-")[1]) for name in SAID}
    assert versions == {*range(1, FORMAT + 1)}


def test_they_have_every_key_and_every_kind_of_line() -> None:
    records = [load(KEPT / f"{name}.clue").record for name in SAID]
    assert {line.key for record in records for line in record.header} == {*KEYS}
    assert {type(each) for record in records for each in record.observations} == {*kinds()}


@every_kept
def test_a_kept_record_says_what_it_said(name: str) -> None:
    deals, bits = SAID[name]
    for ending in ("clue", "jsonl"):
        report = load(KEPT / f"{name}.{ending}").report(asks="any", shows="random")
        assert report.deals == deals
        assert report.bits == pytest.approx(bits, abs=1e-6)


@every_kept
def test_a_kept_record_is_written_as_it_stands_where_its_format_is_todays(name: str) -> None:
    text = (KEPT / f"{name}.clue").read_text("utf-8")
    if f"-{FORMAT}-" in name:
        assert text == format_record(parse_record(text))
        assert (KEPT / f"{name}.jsonl").read_text("utf-8") == to_jsonl(parse_record(text))


def test_without_a_line_a_record_is_of_the_first_version() -> None:
    text = (KEPT / "format-1-diced.clue").read_text("utf-8")
    plain = parse_record(text.replace("format: 1\n", ""))
    assert SAID["format-1-diced"][0] == Game(plain).report(asks="any").deals


@pytest.mark.parametrize("name", ["newer.clue", "newer.jsonl"])
def test_a_newer_record_is_refused_with_both_numbers(name: str, tmp_path: Path) -> None:
    text = (KEPT / f"format-1-diced.{name.partition('.')[2]}").read_text("utf-8")
    newer = text.replace("format: 1", f"format: {FORMAT + 1}")
    newer = newer.replace('"format": 1', f'"format": {FORMAT + 1}')
    assert newer != text
    (tmp_path / name).write_text(newer, "utf-8")
    with pytest.raises(RecordError, match=f"at most {FORMAT}, .*found {FORMAT + 1}"):
        load(tmp_path / name)
