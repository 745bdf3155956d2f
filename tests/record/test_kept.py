"""Records that are kept: every key, every kind of line, and what they said."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import Game, RecordError, load
from clue_solver.record import format_record, parse_record, to_jsonl
from clue_solver.record.header import KEYS
from clue_solver.rules.observations import kinds
from clue_solver.rules.table import FORMAT

KEPT = Path(__file__).parent / "kept"
SAID: dict[str, tuple[int, float]] = {
    "board": (76_420, 4.496843),
    "classic": (1_504, 4.248458),
    "diced": (1, 0.000000),
    "rooms": (1_890_345_600, 8.076816),
}
"""The deals that fit and the bits left, with every behaviour left out."""

every_kept = pytest.mark.parametrize("name", SAID)


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
def test_a_kept_record_is_written_as_it_stands(name: str) -> None:
    text = (KEPT / f"{name}.clue").read_text("utf-8")
    assert text == format_record(parse_record(text))
    assert (KEPT / f"{name}.jsonl").read_text("utf-8") == to_jsonl(parse_record(text))


def test_without_its_format_a_record_is_of_the_first_one() -> None:
    text = (KEPT / "diced.clue").read_text("utf-8")
    plain = parse_record(text.replace("format: 1\n", ""))
    assert SAID["diced"][0] == Game(plain).report(asks="any").deals


@pytest.mark.parametrize("name", ["newer.clue", "newer.jsonl"])
def test_a_newer_record_is_refused_with_both_numbers(name: str, tmp_path: Path) -> None:
    text = (KEPT / f"diced.{name.partition('.')[2]}").read_text("utf-8")
    newer = text.replace("format: 1", f"format: {FORMAT + 1}")
    newer = newer.replace('"format": 1', f'"format": {FORMAT + 1}')
    assert newer != text
    (tmp_path / name).write_text(newer, "utf-8")
    with pytest.raises(RecordError, match=f"at most {FORMAT}, .*found {FORMAT + 1}"):
        load(tmp_path / name)
