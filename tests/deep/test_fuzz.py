"""Hostile input to every way in, two minutes of it; what the fuzzer notices; random tables."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

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
            kept.append(bytes(range(256)) * 2_000_000)
        while which == "endless":
            pass

    monkeypatch.setitem(fuzz.WAYS, "readers", hostile)
    monkeypatch.setattr(fuzz, "SECONDS", 1)
    monkeypatch.setattr(fuzz, "BATCH", 0.5)
    monkeypatch.setattr(fuzz, "BYTES", 400_000_000)
    turn: list[str] = []
    found = []
    for turn[:] in (["well", "crash"], ["endless"], ["large"]):
        found.append(fuzz.batch("readers", 0, seed=1, most=len(turn)))
    (crash,), (loop,), (large,) = (each.failures for each in found)
    assert (crash[0], loop[:2]) == (1, (0, "slow"))
    assert ("ZeroDivisionError" in crash[2], "MemoryError" in large[2]) == (True, True)


def test_an_input_is_made_from_its_number_alone() -> None:
    assert [fuzz.line(Random(n)) for n in range(50)] == [fuzz.line(Random(n)) for n in range(50)]
