"""
Where a game may be kept, who keeps it, how it is written, and that no fault loses it.

Records that are kept: every key, every kind of line, and what they said.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clue_solver import Game, RecordError, load, system
from clue_solver.record.clue import format_record
from clue_solver.record.files import RecordFile, load_record, parse_record
from clue_solver.record.header import KEYS
from clue_solver.record.jsonl import to_jsonl
from clue_solver.rules.observations import kinds
from clue_solver.rules.table import FORMAT
from tests.faults import SCRIPTS, START, Failing, acknowledged, faulted, injected, killed


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.symlink_to(os.devnull)


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (Path.mkdir, "found a folder"),
        pytest.param(_pipe, "found a pipe", marks=pytest.mark.skipif(system.WINDOWS, reason="")),
        pytest.param(_device, "a device", marks=pytest.mark.skipif(system.WINDOWS, reason="")),
        pytest.param(_loop, "symbolic links", marks=pytest.mark.skipif(system.WINDOWS, reason="")),
    ],
)
def test_what_can_keep_no_game_is_refused_at_once(
    make: Callable[[Path], object], found: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.clue"
    make(path)
    with pytest.raises(RecordError, match=rf"game\.clue: .*{found}"):
        RecordFile(path)
    with pytest.raises(RecordError, match="null"):
        RecordFile("a\0b.clue")


def test_another_name_of_the_file_is_noticed_at_opening_alone(tmp_path: Path) -> None:
    path, other = tmp_path / "game.clue", tmp_path / "other.clue"
    path.write_text(START, "utf-8")
    os.link(path, other)
    keeper = RecordFile(path)
    assert keeper.linked
    assert keeper.write(keeper.read())
    keeper.close()
    again = RecordFile(path)
    assert not again.linked
    again.close()


def test_a_record_is_on_the_disk_and_then_its_name_is(tmp_path: Path) -> None:
    calls: list[str] = []
    keeper = RecordFile(tmp_path / "game.clue")
    with injected(calls.append):
        assert keeper.write(parse_record(START))
    keeper.close()
    order = ["open", "write", "flush", "fsync", "replace"]
    assert [call for call in calls if call in order] == order
    if not system.WINDOWS:
        assert calls.index("folder sync") > calls.index("replace")


def test_a_file_that_another_program_holds_for_a_moment_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = [PermissionError(13, "held")] * 3

    def fault(kind: str) -> None:
        if kind == "replace" and held:
            raise held.pop()

    keeper = RecordFile(tmp_path / "game.clue")
    with injected(fault):
        assert not keeper.write(parse_record(START)) or system.WINDOWS
        monkeypatch.setattr(system, "PATIENCE", 5.0)
        assert keeper.write(parse_record(START))
    assert held == []
    assert keeper.trouble is None
    keeper.close()


def test_a_lock_that_could_not_be_taken_is_taken_before_the_first_writing(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    failing = [OSError(28, "No space left on device")]

    def fault(kind: str) -> None:
        if kind == "lock" and failing:
            raise failing.pop()

    with injected(fault):
        keeper = RecordFile(path)
    assert "No space left" in str(keeper.trouble)
    other = RecordFile(path)
    assert not keeper.write(parse_record(START))
    assert "open in another window" in str(keeper.trouble)
    other.close()
    assert keeper.write(parse_record(START))
    with pytest.raises(RecordError, match="open in another window"):
        RecordFile(path)
    keeper.close()
    assert load_record(path) == parse_record(START)


_OPENING = """
import os, sys, time
from pathlib import Path
from clue_solver.errors import RecordError
from clue_solver.record.files import RecordFile

path, held, end = Path(sys.argv[1]), 0, time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    try:
        keeper = RecordFile(path)
    except RecordError:
        continue
    inside = os.open(path.with_name("inside"), os.O_CREAT | os.O_EXCL)  # fails if there are two
    os.close(inside)
    path.with_name("inside").unlink()
    keeper.close()
    held += 1
print(held)
"""


def test_no_two_processes_ever_keep_one_game(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _OPENING, str(tmp_path / "game.clue"), "0.5"]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in running:
        held, trouble = process.communicate(timeout=60)
        assert trouble == ""
        assert int(held) >= 0


def test_what_killed_processes_left_is_removed_and_what_lives_is_not(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    other = RecordFile(tmp_path / "other.clue")
    left = tmp_path / f".game.clue.{dead.pid}-00ff00ff.part"
    kept = [tmp_path / f".game.clue.{os.getpid()}-00ff00ff.part", tmp_path / ".old.clue.lock"]
    for file in (left, *kept):
        file.write_text("")
    keeper = RecordFile(tmp_path / "game.clue")
    locks = [tmp_path / ".game.clue.lock", tmp_path / ".other.clue.lock"]
    assert sorted(tmp_path.iterdir()) == sorted([*kept, *locks])
    locks[0].unlink()  # somebody tidied up
    keeper.close()
    other.close()
    assert {*tmp_path.iterdir()} - {*locks} == {*kept}  # some versions of filelock tidy up, too


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
    with pytest.raises(RecordError, match=f"expected {FORMAT}, .*found {FORMAT + 1}"):
        load(tmp_path / name)
