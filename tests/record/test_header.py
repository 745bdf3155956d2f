"""The keys of a header, read alike wherever they are said: in a file, in JSON, as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver.errors import ClueError, RecordError
from clue_solver.record import (
    Record,
    format_record,
    from_jsonl,
    load_record,
    parse_record,
    to_jsonl,
)
from clue_solver.record.header import KEYS, NEEDED, key_of, with_key
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.table import Slot, Table
from tests.observing import PAGE, SHORT, refusal
from tests.rows import rows

WHOLE = """\
edition: clue-classic
players: Ann, Ben, Cat, Dan
asks: careful 0.3, Ben any, Cat careful 0.1
board: none
notch: same
sizes: dealt
format: 1
first: Cat
pieces: Plum, Scarlett, Green, Peacock
solution: Plum, Rope, Hall
game: 7f3a9c
"""

READ = """
HANDS: 5 5 ? | hands: 5, 5, ?
hands: 5,7,6 | hands: 5, 7, 6
hands: 6?6 | hands: 6, ?, 6
hands: 666 | hands: 6, 6, 6
hands: ben | hands: 6, 6, 6
viewer: an | viewer: Ann
face_up: the rope white | face-up: Rope, White
Face-Down : Ballroom,Pool  3 | face-down: Ballroom, Pool 3
Order: Left | order: left
ANSWERS: First | answers: first
shows: RANDOM | shows: random
asks: careful 0.30, ben any, c careful .1 | asks: careful 0.3, Ben any, Cat careful 0.1
board: None | board: none
notch: same | notch: same
sizes: dealt | sizes: dealt
names: de | names: de
format: 1 | format: 1
first: c | first: Cat
pieces: prof plum, scar, mr green | pieces: Plum, Scarlett, Green
pieces: plum ? | pieces: Plum, ?, ?
pieces: miss scarlett plum | pieces: Scarlett, Plum, ?
pieces: ?,gre, | pieces: ?, Green, ?
solution: plum rope hall | solution: Plum, Rope, Hall
house: turns play | house: turns, play
clue-cards: none | clue-cards: none
game: 7f3a9c | game: 7f3a9c
"""
"""A third line of the header as it may be written or typed, and as it is kept."""

WRONG = """
format: 2 | format: expected at most 1, which this program reads; found 2
format: x | format: expected a whole number; found 'x'
first: Zoe | unknown player 'Zoe'
game: 7f-3a | game: expected letters and digits, at most 32; found '7f-3a'
pieces: Plum, Green, White, Scarlett | pieces: expected 3 suspects, one a player; found 4
pieces: Plum, Plum, Green | pieces: Plum is listed twice
pieces: Plum, Rope, Green | unknown suspect 'Rope'
solution: Plum, Rope | solution: expected one suspect and one weapon and one room
board: some | unknown board 'some'
notch: other | unknown notch 'other'
sizes: 4 | unknown sizes '4'
asks: sometimes | unknown model 'sometimes'
asks: careful 2 | expected a number from 0.0001 to 1 after 'careful'; found 2
asks: careful 1e-20 | expected a number from 0.0001 to 1 after 'careful'; found 1e-20
asks: any 0.3 | expected a number after 'careful' only; found 'any 0.3'
asks: any, adaptive | what all do comes first
asks: Ben any, Ben careful | Ben is listed twice
viewer: Zoe | unknown player 'Zoe'; expected Ann, Ben, Cat or spec
face-up: plmu | unknown card 'plmu'; did you mean 'Professor Plum'?
face-up: p | 'p' can be Peacock or Plum
face-up: Plum, Plum | Plum is listed twice
face-down: Ann | players: 'Ann' is a face-down slot already
order: up | unknown order 'up'
house: bluffs | unknown rule of play 'bluffs'
names: sv | expected de, fr, es, it, nl, pt in clue-classic; found 'sv'
hands: 5, 1234, 4 | hands: expected numbers and ?, or who was dealt the first card; found '1234'
hands: zoe | unknown player 'zoe'
hands: 34 | hands: expected 3 sizes, one a player; found 1
hands: 5, 5 | hands: expected 3 sizes, one a player; found 2
hands: 5, 5, 5 | hand sizes do not add up: the players hold 18 cards
"""
"""A third line of the header, and what is wrong with it, in a file and as it is typed."""

ENDLESS = f"Pool 99999999999999{'9' * 5000}"
UNCOUNTED = (ENDLESS, "Pool -1", "Pool 1.5", "Pool 3 4", "3", "Pool 100", "Pool 0", "Pool 41", "")
FILES = [
    ("", 0, "the header lacks `edition:` and `players:`; found no more lines"),
    ("# nothing\n", 0, "the header lacks `edition:` and `players:`; found no more"),
    ("edition: clue-classic\n", 0, "the header lacks `players:`; found no more lines"),
    ("Ann suggests Plum, Rope, Hall\n", 1, "lacks `edition:` and `players:`; found 'Ann"),
    (
        "edition: clue-classic\nann must: ben\n",
        2,
        "the header lacks `players:`; found 'ann must: ben'",
    ),
    ("edtion: x\n", 1, "unknown header key 'edtion'; did you mean 'edition'?"),
    (SHORT + "vewer: Ann\n", 3, "unknown header key 'vewer'; did you mean 'viewer'?"),
    (SHORT + "viewer:\n", 3, "expected something after `viewer:`; found nothing"),
    (SHORT + "viewer: Ann\nViewer: Ben\n", 4, "`viewer:` is in the header twice"),
    (SHORT + "hands: 9" + "9" * 5000, 3, "hands: expected numbers"),
    (SHORT + "solution: Plum, Rope, Hall\nface-up: Rope\n", 3, "solution: Rope is face-up"),
    ("edition: clue-clasic\nplayers: Ann, Ben", 1, "'clue-clasic'; did you mean 'clue-classic'?"),
    ("edition: clue-classic\nplayers: Ann, ann", 2, "players: 'ann' is a player already"),
    ("edition: clue-classic\nplayers: Ann, nobody", 2, "is a word of the notation"),
    ("edition: clue-classic\nplayers: Ann", 2, "players: expected 2 to 10 names; found 1"),
    (SHORT + "nobody reveals Plum\nviewer: Ann\n", 4, "come before the first observation"),
    *((f"{SHORT}face-down: Hall, {each}, Study\n", 3, each[:20]) for each in UNCOUNTED),
]


def told_in(line: str) -> tuple[str, str]:
    """The name of a header line's key, and what stands after it."""
    key, _, text = line.partition(":")
    name = key_of(key)
    assert name is not None
    return name, text.strip()


def test_every_key_has_a_row() -> None:
    assert {told_in(line)[0] for line, _ in rows(READ, " | ")} == {*KEYS} - {*NEEDED}


@pytest.mark.parametrize(("line", "kept"), rows(READ, " | "))
def test_what_a_key_says_is_read_alike_and_kept_in_one_form(line: str, kept: str) -> None:
    record = parse_record(f"{SHORT}{line}\n")
    assert format_record(record) == f"{SHORT}{kept}\n"
    assert from_jsonl(to_jsonl(record)) == record
    name, text = told_in(line)
    assert with_key(parse_record(SHORT).table, name, text) == record.table
    for nothing in ("", "?, ?", "none" if name == "house" else ""):
        assert with_key(record.table, name, nothing) == parse_record(SHORT).table


@pytest.mark.parametrize(("line", "reason"), rows(WRONG, " | "))
def test_a_mistake_is_told_alike_wherever_it_is_said(line: str, reason: str) -> None:
    error = refusal(f"{SHORT}{line}\n")
    assert error.number == 3
    assert reason in str(error)
    name, text = told_in(line)
    with pytest.raises(ClueError) as caught:
        with_key(parse_record(SHORT).table, name, text)
    assert reason in str(caught.value)
    assert caught.value.key == name


@pytest.mark.parametrize(("text", "number", "reason"), FILES)
def test_a_header_with_a_mistake_says_where_and_why(text: str, number: int, reason: str) -> None:
    error = refusal(text)
    assert error.number == number
    assert reason in str(error)
    assert str(error).startswith(f"game.clue:{number}: " if number else "game.clue: ")
    assert len(str(error)) < 400


def test_who_was_dealt_the_first_card_tells_sizes_by_what_is_dealt() -> None:
    text = "edition: clue-classic\nhands: c\nplayers: A, B, C, D\nface-up: Plum\n"
    assert parse_record(text).table.hands == (4, 4, 5, 4)
    two = parse_record("edition: clue-classic\nplayers: Ann, Ben\n").table
    for sizes in ("9 9", "9,9", "9, 9", "99"):
        assert with_key(two, "hands", sizes).hands == (9, 9)
    with pytest.raises(ClueError, match="expected 2 sizes, one a player; found 1"):
        with_key(two, "hands", "34")


@pytest.mark.parametrize("text", [WHOLE, PAGE, SHORT, SHORT + "viewer: spectator\n"])
def test_a_whole_header_is_written_as_it_stands(text: str) -> None:
    record = parse_record(text)
    assert format_record(record) == text
    assert record == from_jsonl(to_jsonl(record))
    assert ("format" in to_jsonl(record)) == ("format" in text)


def test_keys_stand_in_any_order_and_in_that_of_the_page_where_no_file_has_another() -> None:
    mixed = "hands: 4, 5, 5\nplayers: Ann,Ben ,  Cat\nface_up: plum, rope hall knife\n"
    mixed += "Edition :clue-classic\n"
    assert format_record(parse_record(mixed)) == (
        "hands: 4, 5, 5\nplayers: Ann, Ben, Cat\nface-up: Plum, Rope, Hall, Knife\n"
        "edition: clue-classic\n"
    )
    assert format_record(Record(table=parse_record(WHOLE).table)).rstrip("\n") + "\n" == WHOLE


def test_every_key_says_something_about_the_table() -> None:
    assert parse_record(PAGE).table == Table(
        edition=load_edition("clue-2015"),
        seats=("Ann", "Ben", "Cat", "Dan"),
        hands=(3, 2, 3, None),
        viewer="Ann",
        face_up=("Orchid", "Rope"),
        slots=(Slot(name="Ballroom"), Slot(name="Kitchen"), Slot(name="Pool", count=3)),
        order="right",
        answers="all",
        shows="sticky",
    )


def test_an_edition_file_is_found_beside_the_record_with_its_languages(tmp_path: Path) -> None:
    edition = 'title = "Ours"\nextends = "clue-classic"\n[languages.de]\nPlum = ["Bloom"]\n'
    (tmp_path / "ours.toml").write_text(edition, "utf-8")
    text = "edition: ours.toml\nplayers: Ann, Ben, Cat\nnames: de\nface-up: bloom\n"
    (tmp_path / "game.clue").write_text(text, "utf-8")
    record = load_record(tmp_path / "game.clue")
    assert (record.table.edition.title, record.table.face_up) == ("Ours", ("Plum",))
    assert record == from_jsonl(to_jsonl(record), beside=tmp_path)


def test_a_slot_whose_name_ends_in_a_number_fits_no_header_line() -> None:
    slots = (Slot(name="Pool 3"),)
    table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben"), slots=slots)
    with pytest.raises(RecordError, match="does not end in a number; found 'Pool 3'"):
        format_record(Record(table=table))
