"""Every command on random tables: within its bounds, and never with a traceback."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from clue_solver import parse_record
from clue_solver.record import format_record
from clue_solver.rules.edition import MOST_CARDS
from tests import random_tables
from tests.children import CRASHED, Cost, forked
from tests.deep import fuzz_tables

SEED = 11

forks = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is not told here")


@pytest.fixture(scope="module")
def warm() -> None:
    fuzz_tables.warm()


@forks
@pytest.mark.long(keep=8)
@pytest.mark.parametrize("number", range(60))
def test_every_command_ends_in_time_on_a_random_table(warm: None, number: int) -> None:
    ran = fuzz_tables.tried(number, seed=SEED)
    assert [each for each in ran if each.failure] == []


@forks
def test_what_a_child_takes_and_how_it_ends_is_noticed() -> None:
    def crashing() -> None:
        raise ZeroDivisionError

    def endless() -> None:
        while True:
            pass

    def large() -> None:
        print(len(bytes(range(256)) * 400_000))

    def endlessly_large() -> None:
        print(len(bytes(1 << 40)))  # more than freed memory could be used again for

    crashed = forked(crashing, seconds=5, memory=0)
    assert crashed.status == CRASHED
    assert "ZeroDivisionError" in crashed.err
    assert fuzz_tables.failure(crashed) == "traceback"
    slow = forked(endless, seconds=1, memory=0)
    assert 0.8 < slow.seconds < 3  # its share of the last tick may not be counted
    assert fuzz_tables.failure(slow) == "slow"
    assert "endless" in slow.err
    grown = forked(large, seconds=5, memory=0)
    assert (grown.status, grown.out) == (0, "102400000\n")
    assert 90e6 < grown.memory < 150e6
    refused = forked(endlessly_large, seconds=5, memory=10_000_000)
    assert "MemoryError" in refused.err


FAILURES = [
    (0, 1.0, 10**6, ""),
    (2, 1.0, 10**6, ""),
    (3, 9.9, 10**9, ""),
    (0, 10.1, 10**6, "slow"),
    (0, 1.0, 10**9 + 1, "large"),
    (4, 1.0, 10**6, "status"),
    (-11, 1.0, 10**6, "status"),
]


@pytest.mark.parametrize(("status", "seconds", "memory", "failure"), FAILURES)
def test_a_command_fails_by_time_memory_or_status(
    status: int, seconds: float, memory: int, failure: str
) -> None:
    assert fuzz_tables.failure(Cost(status, seconds, memory, "", "")) == failure


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
