"""Every call of opening, telling, editing and leaving fails once, and is killed at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults import ERRORS, SCRIPTS, each_fault, each_kill


@pytest.mark.long(keep=6)
@pytest.mark.parametrize("times", [1, 2, 10_000])
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("script", SCRIPTS)
def test_nothing_that_was_acknowledged_is_lost_to_any_fault(
    script: str, error: int, times: int, tmp_path: Path
) -> None:
    calls = [*each_fault(SCRIPTS[script], tmp_path / "table", error, times)]
    assert {fault.calls[fault.at] for fault in calls} >= {"lock", "write", "fsync", "replace"}


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("link", [False, True])
@pytest.mark.parametrize("script", SCRIPTS)
def test_what_was_acknowledged_is_there_after_a_kill_at_any_call(
    script: str, link: bool, tmp_path: Path
) -> None:
    assert len([*each_kill(SCRIPTS[script], tmp_path / "table", link=link)]) > 30
