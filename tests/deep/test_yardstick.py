"""What commands and faces have always answered, they answer (`tests/yardstick/commands.py`)."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

from tests.yardstick.commands import CASES, anew

BURSTS = [case for case in CASES if "burst" in case.stem]


def name_of(case: Path) -> str:
    return f"{case.parent.name}-{case.stem}"


@pytest.mark.long(keep=14)
@pytest.mark.parametrize("case", [case for case in CASES if case not in BURSTS], ids=name_of)
def test_what_goes_in_comes_out_as_ever(case: Path) -> None:
    check(case)


@pytest.mark.parametrize("case", BURSTS, ids=name_of)
def test_keys_in_a_burst_keep_their_order(case: Path) -> None:
    check(case)


def check(case: Path) -> None:
    if case.parent.name == "screens":
        pytest.importorskip("pty", reason="the full screen wants a POSIX terminal")
    expected, found = case.read_text("utf-8"), anew(case)
    if found != expected and case.parent.name == "screens":
        found = anew(case, pace=2.0)  # the machine may have been too busy for fast fingers
    kept, now = expected.splitlines(), found.splitlines()
    assert found == expected, "\n".join(unified_diff(kept, now, "kept", "now", lineterm=""))
