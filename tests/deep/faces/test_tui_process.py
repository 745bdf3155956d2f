"""The full screen as a process: killed at any moment, without a place to write."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from clue_solver.faces.practising import Practice
from clue_solver.record import load_record
from clue_solver.record.files import RecordFile
from clue_solver.rules.edition_files import load_edition
from tests.deep.faces.terminals import terminal

HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n\n"
LINES = (
    *("ann holds plum rope hall study knife green", "ann mus wr lou : cat mus"),
    *("sc le ki : cat", "pl can con : ann pl", "sc can bil : ben sc"),
    *("whi rev din -", "pea rev lib : ben"),
)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("seed", range(10))
def test_every_confirmed_entry_is_there_after_a_kill(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "game.clue"
    path.write_text(HEADER, "utf-8")
    chance = random.Random(seed)
    confirmed = 0
    with terminal("play", str(path)) as there:
        there.type("", until="1>")
        for number, line in enumerate(LINES[: chance.randint(1, len(LINES))], 1):
            there.type(f"{line}\r", until=f"✓ {number} ")
            confirmed = number
        if chance.random() < 0.7 and confirmed < len(LINES):
            there.seen(f"{LINES[confirmed]}\r", lambda _: False, chance.random() * 0.08)
    assert confirmed > 0
    entries = load_record(path).entries
    assert confirmed <= len(entries) <= confirmed + 1
    RecordFile(path).close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_read_only_folder_is_said_at_once(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    path.write_text(HEADER, "utf-8")
    tmp_path.chmod(0o500)
    try:
        with terminal("play", str(path)) as there:
            there.type("", until="not written")
    finally:
        tmp_path.chmod(0o700)


def test_a_game_against_machines_is_kept_and_goes_on_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    players = {"Ann": "", "Ben": "likeliest", "Cat": "random"}
    Practice.begin(load_edition("clue-classic"), players, path, seed=3).leave()
    for typed in ("1\r", ""):
        with terminal("practise", str(path)) as there:
            there.type("", until="do you go?")
            if typed:
                there.type(typed, until="You rolled")
            if b"You rolled" not in there.raw:  # it may be drawn after the question
                there.type("", until="You rolled")
            there.type("\x1b\x11", until="to continue it")
            assert there.process.wait(60) == 0
