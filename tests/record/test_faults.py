"""Some faults of the disk, in the middle of what people do; the deep run makes every one."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from clue_solver import system
from tests.faults import SCRIPTS, Failing, acknowledged, faulted, killed


@pytest.mark.parametrize("times", [1, 10_000])
@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ("a new game", "lock"),
        ("a new game", "open"),
        ("a game gone on with", "write"),
        ("a game gone on with", "replace"),
        ("edits", "fsync"),
        ("edits", "unlink"),
        ("another program writes, too", "open"),
    ],
)
def test_nothing_that_was_acknowledged_is_lost_to_a_fault(
    script: str, kind: str, times: int, tmp_path: Path
) -> None:
    trial = Failing(10_000, errno.ENOSPC, 1)
    assert faulted(SCRIPTS[script], tmp_path / "trial.clue", trial)
    at = [number for number, call in enumerate(trial.calls) if call == kind][len(kind) % 2 :][0]
    run = faulted(SCRIPTS[script], tmp_path / "game.clue", Failing(at, errno.ENOSPC, times))
    assert run is not None
    assert run.saved == (times == 1)


@pytest.mark.skipif(system.WINDOWS, reason="forks")
@pytest.mark.parametrize("at", [3, 20, 30, 40])
def test_what_was_acknowledged_is_there_after_a_kill(at: int, tmp_path: Path) -> None:
    script = SCRIPTS["edits"]
    told = acknowledged(script, tmp_path / "game.clue")
    assert killed(script, tmp_path / "game.clue", at, told)
