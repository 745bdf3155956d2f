"""Whole records: the header, comments, both forms, files."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from hypothesis import given

from clue_solver import system
from clue_solver.errors import NotationError, RecordError, with_caret
from clue_solver.notation.reader import parse_line
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Entry, Record
from clue_solver.record.files import load_record, parse_record, save
from clue_solver.record.jsonl import is_jsonl, to_jsonl
from clue_solver.rules.observations import Look
from tests.counting import counted
from tests.observing import GAME, SHORT, records, refusal
from tests.record.test_forms import has_a_clue_form


def test_a_text_of_carriage_returns_alone_has_lines_too() -> None:
    assert parse_record(GAME.replace("\n", "\r")) == parse_record(GAME)
    lines = to_jsonl(parse_record(GAME))
    assert parse_record(lines.replace("\n", "\r")) == parse_record(lines)


def test_comments_and_blank_lines_survive() -> None:
    assert format_record(parse_record(GAME)) == GAME


def test_line_ends_of_other_systems_and_a_byte_order_mark_are_dropped() -> None:
    assert parse_record("\ufeff" + GAME.replace("\n", "\r\n")) == parse_record(GAME)


def test_a_line_that_cannot_be_read_is_quoted_with_the_place() -> None:
    error = refusal(SHORT + "\nAnn suggests plmu, Wrench, Lounge\n")
    assert str(error) == (
        "game.clue:4: unknown card 'plmu'; did you mean 'Professor Plum'?\n"
        "  Ann suggests plmu, Wrench, Lounge\n"
        "               ^"
    )


def test_a_long_line_is_clipped_around_the_place() -> None:
    cards = "Plum, Rope, Hall, Study, Knife, " * 40
    message = str(refusal(f"{SHORT}\nAnn holds {cards}\n"))
    assert "Plum is named twice in the line" in message
    assert all(len(line) < 110 for line in message.split("\n"))
    assert with_caret("x" * 300, 0).endswith("x…\n^")


@given(records().filter(has_a_clue_form))
def test_a_record_survives_being_written_and_read(record: Record) -> None:
    again = parse_record(format_record(record))
    assert again == parse_record(format_record(again))
    assert again.table == record.table
    assert again.entries == record.entries
    assert again.after == record.after


def test_what_a_header_says_counts_in_lines_that_were_read_without_it() -> None:
    head = "edition: clue-classic\nplayers: Ann, Ben, Cat\n"
    hand = "\nAnn holds Plum, White, Rope, Knife, Hall, Study\n"
    lines = "Ann rolls 7\nAnn suggests Green, Wrench, Lounge: Ben passes, Cat shows Wrench\n"
    first = parse_record(head + hand + lines)
    again = parse_record(f"{head}solution: Green, Wrench, Lounge\n{hand}{lines}")
    assert again.entries == first.entries
    for said, line in (("order: right", 7), ("face-up: Wrench", 7), ("hands: 5, 7, 6", 5)):
        assert refusal(f"{head}{said}\n{hand}{lines}").number == line


def test_a_long_record_takes_work_in_proportion() -> None:
    first = GAME.index("Ann suggests")
    lines = GAME[first : GAME.index("# the end")]

    def calls(times: int) -> int:
        with counted() as each:
            assert len(parse_record(SHORT + lines * times).entries) == 2 * times
        return each.total()

    calls(50)
    assert calls(2000) < 12 * calls(200)


def test_a_new_record_parts_its_header_from_its_entries() -> None:
    record = Record(table=parse_record(SHORT).table).append(Look(by="Ann", holder="Ben"))
    assert format_record(record) == SHORT + "\nAnn looks at Ben\n"


def test_append_settles_and_keeps_the_comments_above() -> None:
    record = parse_record(GAME)
    longer = record.append(Look(by="Ann", holder="Ben"), comment="quick")
    assert format_record(longer) == GAME + "Ann looks at Ben  # quick\n"
    with pytest.raises(NotationError):
        record.append(Look(by="Ann", holder="Ann"))


def test_upto_undoes_entries_and_keeps_the_comments() -> None:
    record = parse_record(GAME)
    undone = record.upto(1)
    assert undone.observations == record.observations[:1]
    assert format_record(undone) == GAME.replace(
        "Ben suggests Scarlett, Rope, Hall: nobody shows\n", ""
    )
    assert record.upto(2) == record == record.upto(9)
    assert record.upto(0).observations == ()


def test_the_course_is_that_of_all_entries() -> None:
    record = parse_record(GAME)
    assert record.turn_state.turn(record.table) == "Cat"
    assert record.upto(1).turn_state.turn(record.table) == "Ben"


@pytest.mark.parametrize("comment", ["two\nlines", "\0", "space "])
def test_a_comment_that_a_file_cannot_hold_is_refused(comment: str) -> None:
    look = parse_line("Ann looks at Ben", parse_record(SHORT).table)
    with pytest.raises(RecordError, match="expected one line as a comment"):
        Entry(observation=look, comment=comment)


def test_a_record_is_saved_and_loaded_in_both_forms(tmp_path: Path) -> None:
    record = parse_record(GAME)
    for name in ("game.clue", "game.jsonl"):
        save(record, tmp_path / name)
        assert load_record(tmp_path / name) == record
    assert is_jsonl((tmp_path / "game.jsonl").read_text())
    assert (tmp_path / "game.clue").read_bytes() == GAME.encode()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.clue", "game.jsonl"]


def test_saving_keeps_links_and_permissions(tmp_path: Path) -> None:
    target, link = tmp_path / "game.clue", tmp_path / "link.clue"
    target.write_text(SHORT)
    target.chmod(0o640)
    link.symlink_to(target)
    save(parse_record(GAME), link)
    assert link.is_symlink()
    assert (target.read_text(), target.stat().st_mode & 0o777) == (GAME, 0o640)


@pytest.mark.skipif(system.WINDOWS, reason="there a file's mode says nothing of who may read it")
def test_what_is_private_is_its_owners_alone_to_read(tmp_path: Path) -> None:
    path = tmp_path / "ann.clue"
    for _ in range(2):
        save(parse_record(GAME), path, private=True)
        assert (path.read_text(), path.stat().st_mode & 0o777) == (GAME, 0o600)
        path.chmod(0o644)


def test_saving_into_no_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot write the record: No such file"):
        save(parse_record(GAME), tmp_path / "none" / "game.clue")


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GAME.encode())))
    assert load_record("-") == parse_record(GAME)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "found a file that is not UTF-8 text"),
        (b"edition\0", "found a file that is not text"),
        (bytes(range(1, 128)) * 3_000, "its header names no edition"),
        (b"a " * 200_000, "its header names no edition"),
        (SHORT.encode() + b"a " * 200_000, "expected at most 10000 characters and 250 words"),
        (b"", "its header names no edition"),
        (b"\n" * 100_000, "its header names no edition"),
    ],
    ids=["png", "nul", "noise", "words", "line", "empty", "blank"],
)
def test_what_is_no_record_is_refused_soon(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "game.clue"
    path.write_bytes(content)
    with counted() as calls, pytest.raises(RecordError) as caught:
        load_record(path)
    assert calls.total() < 2_000
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 800 + len(str(path))
    assert str(path) == caught.value.path


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot read the record: Is a directory"):
        load_record(tmp_path)
    with pytest.raises(RecordError, match="cannot read the record: No such file"):
        load_record(tmp_path / "none.clue")
    with pytest.raises(RecordError, match="cannot read the record"):
        load_record("a\0b")


def test_a_file_far_too_large_for_a_record_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "film.clue").open("wb") as file:
        file.truncate(64 * 2**20 + 1)
    with pytest.raises(RecordError, match="expected at most 4 MiB; found more"):
        load_record(tmp_path / "film.clue")
