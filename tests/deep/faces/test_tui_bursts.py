"""Lines typed faster than the screen is drawn, with slips taken back, through a real terminal."""

from __future__ import annotations

import os
import random
import select
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from clue_solver.notation import TurnState, parse_line
from clue_solver.record import load_record, parse_record
from clue_solver.rules.observations import Observation
from tests.deep.faces.test_tui_process import playing_process, read_until

LINES = 10  # of a burst

HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\n\n"
BACKSPACE, ENTER, CLEAR, WORD, START, LEFT, RIGHT, UP, TAB, LISTS = (
    *("\x7f", "\r", "\x15", "\x17", "\x13"),
    *("\x1b[D", "\x1b[C", "\x1b[A", "\t", "\x1bOQ"),
)
CARDS = (
    ("scar", "must", "whi", "gree", "pea", "plum"),
    ("cand", "kni", "lead", "rev", "rope", "wren"),
    ("kit", "bal", "con", "din", "bil", "lib", "lou", "hall", "stu"),
)


SEATS = ("ann", "ben", "cat", "dan")


def lines(chance: random.Random, count: int, first: int = 0) -> Iterator[str]:
    """Yield lines that say who suggests what, and that no answer was heard."""
    for turn in range(first, first + count):
        cards = " ".join(chance.choice(kind) for kind in CARDS)
        yield f"{SEATS[turn % 4]} {cards}:?"


def keys(line: str, chance: random.Random) -> Iterator[str]:
    """Yield the keys that leave this line typed: with slips, and with what takes them back."""
    place = chance.randrange(4, len(line) - 2)
    match chance.randrange(6):
        case 0:  # what is wrong is taken back letter by letter
            yield from (*line[:place], *"xyz", *BACKSPACE * 3, *line[place:])
        case 1:  # the whole line is begun anew
            yield from (*line[:place], CLEAR, *line)
        case 2:  # a word is taken back
            start = line.rindex(" ") + 1
            yield from (*line[:start], *"wrong", WORD, *line[start:])
        case 3:  # a letter that was left out is put in
            behind = len(line) - place - 1
            yield from (*line[:place], *line[place + 1 :], *[LEFT] * behind, line[place])
            yield from [RIGHT] * behind
        case 4:  # one of a few letters, one taken back, one typed twice
            yield from (*line[:place], line[place], BACKSPACE, line[place], *line[place + 1 :])
        case _:
            yield from line


def type_in(ours: int, typed: Iterable[str], seconds: float) -> bytes:
    """Send the keys with so much time between them; return what the screen answered meanwhile."""
    answer = b""
    for key in typed:
        os.write(ours, key.encode())
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([ours], [], [], left)[0]:
                answer += os.read(ours, 65536)
    return answer


def meant(told: Iterable[str]) -> list[Observation]:
    """What the lines say at the table, one after the other."""
    table, state, found = parse_record(HEADER).table, TurnState(), []
    for line in told:
        found.append(parse_line(line, table, state))
        state = state.after(found[-1])
    return found


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("burst", range(10))
@pytest.mark.parametrize("pause", [2, 8, 15])
def test_lines_typed_at_speed_are_told_as_they_were_typed(
    tmp_path: Path, pause: int, burst: int
) -> None:
    chance = random.Random(f"{pause} {burst}")
    path = tmp_path / "game.clue"
    path.write_text(HEADER, "utf-8")
    told = list(lines(chance, LINES))
    typed = [key for line in told for key in (*keys(line, chance), ENTER)]
    changed = next(lines(chance, 1, LINES - 2))  # the entry before the last, from the log
    edit = (TAB, TAB, UP, ENTER, CLEAR, *keys(changed, chance), ENTER)
    lists = (LISTS, ENTER, ENTER, "p", ENTER, "r", ENTER, "h", ENTER, "i", *[ENTER] * 2)
    with playing_process(path) as ours:
        assert b"1>" in read_until(ours, b"1>")
        last = f"{LINES + 1}>".encode()
        shown = type_in(ours, typed, pause / 1000)
        assert last in read_until(ours, last, shown)
        last = f"{LINES + 2}>".encode()
        shown = type_in(ours, (*edit, *lists), pause / 1000)
        assert last in read_until(ours, last, shown)
        os.write(ours, b"\x11")
        assert path.name.encode() in read_until(ours, f"{path.name}\r\n".encode())
    told[-2:] = [changed, told[-1], f"{SEATS[LINES % 4]} pea rev hall"]
    assert list(load_record(path).observations) == meant(told)


def test_a_game_is_set_up_as_fast_as_it_is_typed(tmp_path: Path) -> None:
    path = tmp_path / "new.clue"
    with playing_process(path) as ours:
        assert b"edition?" in read_until(ours, b"edition?")
        hand = (*"plm", BACKSPACE, "u", TAB, *"ro", TAB, *"hall, study, knife, green", START)
        os.write(ours, f"{ENTER}Ann, Bex".encode())
        seats = (BACKSPACE, *"n, Cat", ENTER)
        shown = type_in(ours, (*seats, ENTER, *hand, *"ann mus wr lou : ben mus", ENTER), 0.002)
        assert b"3>" in read_until(ours, b"3>", shown)
    record = load_record(path)
    assert record.table.seats == ("Ann", "Ben", "Cat")
    lines = ("ann holds plum rope hall study knife green", "ann mus wr lou : ben mus")
    assert record.observations == tuple(parse_line(each, record.table) for each in lines)
