"""
The keys of a header, read alike wherever they are said: in a file, in JSON, as typed.

The JSON Lines form of records.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from clue_solver.errors import ClueError, RecordError
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Record
from clue_solver.record.files import load_record, parse_record
from clue_solver.record.header import KEYS, NEEDED, key_of, with_key
from clue_solver.record.jsonl import from_jsonl, to_jsonl
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.table import Slot, Table
from tests.observing import PAGE, SHORT, records, refusal
from tests.rows import rows_in, spelt

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

HEADERS = rows_in(Path(__file__).with_name("headers.txt"))
ENDLESS = f"Pool 99999999999999{'9' * 5000}"


def told_in(line: str) -> tuple[str, str]:
    """The name of a header line's key, and what stands after it."""
    key, _, text = line.partition(":")
    name = key_of(key)
    assert name is not None
    return name, text.strip()


def test_every_key_has_a_row() -> None:
    assert {told_in(line)[0] for line, _ in HEADERS["kept"]} == {*KEYS} - {*NEEDED}


@pytest.mark.parametrize(("line", "kept"), HEADERS["kept"])
def test_what_a_key_says_is_read_alike_and_kept_in_one_form(line: str, kept: str) -> None:
    record = parse_record(f"{SHORT}{line}\n")
    assert format_record(record) == f"{SHORT}{kept}\n"
    assert from_jsonl(to_jsonl(record)) == record
    name, text = told_in(line)
    assert with_key(parse_record(SHORT).table, name, text) == record.table
    for nothing in ("", "?, ?", "none" if name == "house" else ""):
        assert with_key(record.table, name, nothing) == parse_record(SHORT).table


@pytest.mark.parametrize(("line", "reason"), HEADERS["refused"])
def test_a_mistake_is_told_alike_wherever_it_is_said(line: str, reason: str) -> None:
    error = refusal(f"{SHORT}{line}\n")
    assert error.number == 3
    assert reason in str(error)
    name, text = told_in(line)
    with pytest.raises(ClueError) as caught:
        with_key(parse_record(SHORT).table, name, text)
    assert reason in str(caught.value)
    assert caught.value.key == name


@pytest.mark.parametrize(("text", "number", "reason"), HEADERS["texts"])
def test_a_header_with_a_mistake_says_where_and_why(text: str, number: str, reason: str) -> None:
    for each, told in (("SHORT", SHORT), ("ENDLESS", ENDLESS), ("NINES", "9" * 5000)):
        text = text.replace(each, told)
    error = refusal(spelt(text))
    assert str(error.number) == number
    assert reason in str(error)
    assert str(error).startswith(f"game.clue:{number}: " if number != "0" else "game.clue: ")
    assert len(str(error)) < 400


def test_who_was_dealt_the_first_card_tells_sizes_by_what_is_dealt() -> None:
    text = "edition: clue-classic\nhands: c\nplayers: A, B, C, D\nface-up: Plum\n"
    assert parse_record(text).table.hands == (4, 4, 5, 4)
    two = parse_record("edition: clue-classic\nplayers: Ann, Ben\n").table
    for sizes in ("9 9", "9,9", "9, 9", "99"):
        assert with_key(two, "hands", sizes).hands == (9, 9)
    with pytest.raises(ClueError, match="expected 2 sizes, one for each player; found 1"):
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


def has_a_clue_form(record: Record) -> bool:
    """Whether no slot's name ends in a digit, which a header line would take for its count."""
    return not any(slot.name[-1].isdigit() for slot in record.table.slots)


OBJECTS = rows_in(Path(__file__).with_name("objects.txt"))


@given(records().filter(has_a_clue_form))
def test_a_record_survives_json(record: Record) -> None:
    again = from_jsonl(to_jsonl(record))
    assert again.table == record.table
    assert again.entries == record.entries
    assert again.after == record.after
    assert format_record(again) == format_record(record)
    assert all(json.loads(line) for line in to_jsonl(record).split("\n") if line)


@pytest.mark.parametrize("card", ["Plum", "plum", "PROFESSOR PLUM", "Prof. Plum"])
def test_a_name_may_stand_in_any_case_and_as_a_title_or_alias(card: str) -> None:
    answer = {"seat": "BEN", "answer": "shows", "card": card}
    record = parse_record(
        '{"event": "game", "edition": "clue-classic", "players": ["Ann", "Ben", "Cat"], '
        '"viewer": "ann", "face-up": ["the study"]}\n'
        f'{{"event": "suggestion", "by": "ann", "cards": ["{card}", "rope", "the hall"], '
        f'"answers": [{json.dumps(answer)}]}}\n'
        f'{{"event": "knowledge", "by": "ann", "holder": "Envelope", "has": ["{card}"]}}\n'
    )
    assert format_record(record).splitlines()[2:] == [
        "viewer: Ann",
        "face-up: Study",
        "Ann suggests Plum, Rope, Hall: Ben shows Plum",
        "Ann knows envelope has Plum",
    ]


def test_what_follows_from_an_answer_is_filled_in() -> None:
    header = to_jsonl(parse_record(SHORT))
    record = parse_record(
        header + '{"event": "suggestion", "by": "Ann", "cards": ["Plum", "Rope", "Hall"], '
        '"answers": [{"seat": "Cat", "answer": "shows"}]}\n\n'
        '{"event": "suggestion", "by": "Ann", "cards": ["Plum", "Rope", "Hall"], '
        '"answers": [{"seat": "Ben", "answer": "unheard"}]}\n'
    )
    assert format_record(record).splitlines()[2:] == [
        "Ann suggests Plum, Rope, Hall: Ben passes, Cat shows",
        "Ann suggests Plum, Rope, Hall",
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        *OBJECTS["lines"],
        ("[" * 100_000, "Expected `object`, got `array`"),
        ('{"event": ' + "[" * 100_000, "maximum recursion depth"),
    ],
)
def test_an_object_with_a_mistake_says_where_and_why(line: str, reason: str) -> None:
    error = refusal(to_jsonl(parse_record(SHORT)) + line + "\n")
    assert error.number == 2
    assert reason in str(error)


@pytest.mark.parametrize(("line", "reason"), OBJECTS["headers"])
def test_a_header_object_with_a_mistake_says_where_and_why(line: str, reason: str) -> None:
    error = refusal(line + "\n")
    assert error.number == 1
    assert reason in str(error)
