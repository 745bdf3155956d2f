"""Hostile input to every way in, two minutes of it; what the fuzzer notices; random tables."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from clue_solver import parse_record
from clue_solver.record import format_record
from clue_solver.rules.edition import MOST_CARDS
from tests import random_tables
from tests.deep import fuzz

MINUTES, SEED = 2, 36
"""The same inputs each time, as far as the machine gets; `--whole` has half an hour of new ones."""


def test_nothing_that_is_put_in_ends_in_a_traceback_or_takes_too_much(
    request: pytest.FixtureRequest, seed: str
) -> None:
    whole = request.config.option.whole
    found = list(fuzz.tries(int(seed) if whole else SEED, 30 if whole else MINUTES))
    assert [(each.way, *failed) for each in found for failed in each.failures] == []
    assert {each.way for each in found if each.inputs} == {*fuzz.WAYS}


def test_a_crash_a_loop_and_much_memory_are_noticed_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept: list[bytes] = []

    def hostile(random: Random, folder: Path, old: bool) -> None:
        which = turn.pop(0)
        if which == "crash":
            raise ZeroDivisionError
        if which == "large":
            kept.append(bytes(range(256)) * 500_000)
        while which == "endless":
            pass

    monkeypatch.setitem(fuzz.WAYS, "readers", hostile)
    monkeypatch.setattr(fuzz, "SECONDS", 1)
    monkeypatch.setattr(fuzz, "BATCH", 0.5)
    monkeypatch.setattr(fuzz, "BYTES", 100_000_000)
    turn: list[str] = []
    found = []
    for turn[:] in (["well", "crash"], ["endless"], ["large"]):
        found.append(fuzz.batch("readers", 0, seed=1, most=len(turn)))
    kinds = [[kind for _, kind, _ in each.failures] for each in found]
    assert kinds == [["traceback"], ["slow"], ["large"]]
    assert "ZeroDivisionError" in found[0].failures[0][2]
    assert found[0].failures[0][0] == 1


def test_an_input_is_made_from_its_number_alone() -> None:
    assert [fuzz.line(Random(n)) for n in range(50)] == [fuzz.line(Random(n)) for n in range(50)]


def test_random_tables_are_of_every_shape_and_come_again() -> None:
    told = [random_tables.fuzzed(SEED, n) for n in range(150)]
    tables = [each.record.table for each in told]
    assert set(range(2, 11)) == {len(table.seats) for table in tables}
    assert set(range(1, 7)) == {len(table.edition.category) for table in tables}
    assert max(len(table.edition.names) for table in tables) == MOST_CARDS
    assert any(len(table.slots) > 1 for table in tables)
    assert any(None in table.hands and set(table.hands) != {None} for table in tables)
    assert {each.kind for each in told} == {"true", "slips", "noise"}
    kinds = {type(seen).__name__ for each in told for seen in each.record.observations}
    assert len(kinds) == 16
    assert told[7] == random_tables.fuzzed(SEED, 7)


def test_a_random_record_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    for number in range(40):
        told = random_tables.fuzzed(SEED, number)
        if told.edition is not None:
            (tmp_path / random_tables.EDITION_FILE).write_text(told.edition, "utf-8")
        back = parse_record(format_record(told.record), beside=tmp_path)
        assert told.record.table == back.table
        assert told.record.observations == back.observations


def test_every_random_deal_has_the_sizes_of_its_table() -> None:
    for number in range(40):
        table = random_tables.fuzzed(SEED, number).record.table
        holders = list(random_tables.deal(Random(number), table).values())
        assert len(table.cards) == len(holders)
        for seat, (least, most) in zip(table.seats, table.size_bounds(), strict=True):
            assert least <= holders.count(seat) <= most
