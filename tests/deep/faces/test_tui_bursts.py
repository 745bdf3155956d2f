"""Lines typed faster than the screen is drawn, with slips taken back, through a real terminal."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from clue_solver.notation import TurnState, parse_line
from clue_solver.record import load_record, parse_record
from clue_solver.rules.observations import Observation
from tests.deep.faces.terminals import terminal

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
    with terminal("play", str(path)) as there:
        there.type("", until="1>")
        there.type_slowly(typed, pause / 1000, until=f"{LINES + 1}>")
        there.type_slowly((*edit, *lists), pause / 1000, until=f"{LINES + 2}>")
        there.type("\x11", until=f"{path.name}\n")
    told[-2:] = [changed, told[-1], f"{SEATS[LINES % 4]} pea rev hall"]
    assert list(load_record(path).observations) == meant(told)


def test_a_game_is_set_up_as_fast_as_it_is_typed(tmp_path: Path) -> None:
    path = tmp_path / "new.clue"
    with terminal("play", str(path)) as there:
        there.type("", until="edition?")
        hand = (*"plm", BACKSPACE, *"u, ro, hall, study, knife, green", START)
        os.write(there.ours, f"{ENTER}Ann, Bex".encode())
        seats = (BACKSPACE, *"n, Cat", ENTER)
        keys = (*seats, ENTER, *hand, *"ann mus wr lou : ben mus", ENTER)
        there.type_slowly(keys, 0.002, until="3>")
    record = load_record(path)
    assert record.table.seats == ("Ann", "Ben", "Cat")
    lines = ("ann holds plum rope hall study knife green", "ann mus wr lou : ben mus")
    assert record.observations == tuple(parse_line(each, record.table) for each in lines)
