"""Whole records: the header, comments, both forms, files."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from hypothesis import given

from clue_solver import system
from clue_solver.errors import NotationError, RecordError
from clue_solver.notation import normalise, parse_line
from clue_solver.record import (
    Entry,
    Record,
    format_record,
    from_jsonl,
    is_jsonl,
    load_record,
    parse_record,
    save,
    to_jsonl,
)
from clue_solver.rules.edition import load_edition
from clue_solver.rules.observations import Look
from clue_solver.rules.table import Slot, Table
from tests.counting import counted
from tests.observing import GAME, PAGE, SHORT, records, refusal
from tests.record.test_json import has_a_clue_form
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


LINES = """
format: 2 | format: expected at most 1, which this program reads; found 2
format: x | format: expected a whole number; found 'x'
first: Zoe | unknown player 'Zoe'
game: 7f-3a | game: expected letters and digits, at most 32; found '7f-3a'
pieces: Plum, Green | pieces: expected 3 suspects, one a player; found 2
pieces: Plum, Plum, Green | pieces: Plum is listed twice
pieces: Plum, Rope, Green | unknown suspect 'Rope'
solution: Plum, Rope | solution: expected one suspect and one weapon and one room
board: some | unknown board 'some'
notch: other | unknown notch 'other'
sizes: 4 | unknown sizes '4'
asks: sometimes | unknown model 'sometimes'
asks: careful 2 | expected a number from 0.0001 to 1 after 'careful'; found 2
asks: careful 1e-20 | expected a number from 0.0001 to 1 after 'careful'; found 1e-20
asks: careful 0.00009, Ben any | from 0.0001 to 1 after 'careful'; found 9e-05
asks: any 0.3 | expected a number after 'careful' only; found 'any 0.3'
asks: any, adaptive | what all do comes first
asks: Ben any, Ben careful | Ben is listed twice
vewer: Ann | unknown header key 'vewer'; did you mean 'viewer'?
viewer: Zoe | unknown player 'Zoe'; expected Ann, Ben, Cat or spec
viewer: | expected something after `viewer:`; found nothing
face-up: plmu | unknown card 'plmu'; did you mean 'Professor Plum'?
face-up: p | this can be Peacock or Plum
face-up: Plum, Plum | Plum is listed twice
order: up | unknown order 'up'
answers: sides | there is no `answers: sides`; write `answers: all`, and in each suggestion
house: turns, dice | there is no `house: dice`; write `house: play`, which is
hands: 5, five, 4 | hands: expected numbers and ?, commas between
hands: 5, 5 | hands: expected 3 sizes, one a player; found 2
hands: 5, 5, 5 | hand sizes do not add up: the players hold 18 cards
"""
"""A third line of the header, and what is wrong with it."""


class TestKeysOfTheGame:
    def test_they_are_read_kept_and_written_as_they_stand(self) -> None:
        record = parse_record(WHOLE)
        table = record.table
        assert format_record(record) == WHOLE
        assert (table.first, table.format, table.solution) == ("Cat", 1, ("Plum", "Rope", "Hall"))
        assert (table.board, table.notch, table.sizes) == ("none", "same", "dealt")
        assert table.pieces == ("Plum", "Scarlett", "Green", "Peacock")
        careful, ben, cat = table.asks
        assert (careful.model, careful.level, careful.seat) == ("careful", 0.3, None)
        assert (ben.model, ben.level, ben.seat) == ("any", None, "Ben")
        assert (cat.model, cat.level, cat.seat) == ("careful", 0.1, "Cat")

    def test_they_stand_in_the_order_of_the_page_where_no_file_has_another(self) -> None:
        assert format_record(Record(table=parse_record(WHOLE).table)).rstrip("\n") + "\n" == WHOLE

    def test_names_are_forgiven_and_written_in_full(self) -> None:
        short = WHOLE.replace("Plum, Scarlett, Green, Peacock", "prof plum, scar, mr green, peac")
        short = short.replace("first: Cat", "first: c").replace(
            "Plum, Rope, Hall", "plum rope hall"
        )
        assert format_record(parse_record(short)) == WHOLE

    @pytest.mark.parametrize("sizes", ["34434", "3 4 4 3 4", "3,4,4,3,4"])
    def test_hand_sizes_may_be_pasted_as_digits(self, sizes: str) -> None:
        table = parse_record(f"{SHORT.replace('Cat', 'Cat, Dan, Eve')}hands: {sizes}\n").table
        assert table.hands == (3, 4, 4, 3, 4)

    def test_unknown_sizes_may_stand_among_the_digits(self) -> None:
        assert parse_record(f"{SHORT}hands: 6?6\n").table.hands == (6, None, 6)

    def test_none_of_them_is_written_where_none_stood(self) -> None:
        assert format_record(parse_record(SHORT)) == SHORT
        assert "format" not in to_jsonl(parse_record(SHORT))

    def test_they_go_through_json_unchanged(self) -> None:
        record = parse_record(WHOLE)
        assert record == from_jsonl(to_jsonl(record))
        assert '"asks": "careful 0.3, Ben any, Cat careful 0.1"' in to_jsonl(record)

    def test_a_language_is_one_that_the_edition_has(self, tmp_path: Path) -> None:
        edition = 'extends = "clue-classic"\n[languages.de]\nPlum = "Bloom"\n'
        (tmp_path / "ours.toml").write_text(edition, "utf-8")
        text = "edition: ours.toml\nplayers: Ann, Ben, Cat\nnames: de\n"
        record = parse_record(text, beside=tmp_path)
        assert text == format_record(record)
        assert record == from_jsonl(to_jsonl(record), beside=tmp_path)
        with pytest.raises(
            RecordError, match="expected de, fr, es, it, nl, pt in clue-classic; found"
        ):
            parse_record(SHORT + "names: sv\n")


class TestHeader:
    def test_a_whole_header_like_that_of_the_page_prints_back_as_it_stands(self) -> None:
        assert format_record(parse_record(PAGE)) == PAGE

    def test_every_key_says_something_about_the_table(self) -> None:
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

    def test_keys_stand_in_any_order_and_case_and_values_are_forgiving(self) -> None:
        typed = (
            "VIEWER: an\nPlayers:Ann,Ben ,  Cat\nface_up: the rope white\nEdition :clue-classic\n"
            "hands: 5 5 ?\nOrder: Left\nANSWERS: First\nshows: RANDOM\n"
        )
        assert format_record(parse_record(typed)) == (
            "viewer: Ann\nplayers: Ann, Ben, Cat\nface-up: Rope, White\nedition: clue-classic\n"
            "hands: 5, 5, ?\norder: left\nanswers: first\nshows: random\n"
        )

    def test_a_spectator_may_be_named(self) -> None:
        record = parse_record(SHORT + "viewer: spectator\n")
        assert record.table.viewer is None
        assert format_record(record) == SHORT + "viewer: spectator\n"

    @pytest.mark.parametrize(
        "slot",
        [
            *(f"Pool 99999999999999{'9' * 5000}", "Pool -1", "Pool 1.5", "Pool 3 4", "3"),
            *("Pool 100", "Pool 0", "Pool 41", "", "1.5"),
        ],
    )
    def test_a_count_of_face_down_cards_that_cannot_be_is_refused(self, slot: str) -> None:
        error = refusal(SHORT + f"face-down: Hall, {slot}, Study\n")
        wanted = "face-down: expected a name and a count from 1 to 40, such as Pool 3; found '"
        assert error.number == 3
        assert wanted + slot[:20] in str(error)
        assert len(str(error)) < 400

    def test_a_slot_whose_name_ends_in_a_number_fits_no_header_line(self) -> None:
        slots = (Slot(name="Pool 3"),)
        table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben"), slots=slots)
        with pytest.raises(RecordError, match="does not end in a number; found 'Pool 3'"):
            format_record(Record(table=table))

    def test_an_edition_file_is_found_beside_the_record(self, tmp_path: Path) -> None:
        (tmp_path / "house.toml").write_text('title = "House"\nextends = "clue-classic"\n')
        (tmp_path / "game.clue").write_text("edition: house.toml\nplayers: Ann, Ben\n")
        assert load_record(tmp_path / "game.clue").table.edition.title == "House"

    @pytest.mark.parametrize(
        ("text", "number", "reason"),
        [
            *((f"{SHORT}{line}\n", 3, reason) for line, reason in rows(LINES, " | ")),
            (f"{SHORT}solution: Plum, Rope, Hall\nface-up: Rope\n", 3, "solution: Rope is face-up"),
            ("", 0, "the header lacks `edition:`; found no header line"),
            ("# nothing\n", 0, "the header lacks `edition:`; found no header line"),
            ("edition: clue-classic\n", 0, "the header lacks `players:`; found `edition:`"),
            ("Ann suggests Plum, Rope, Hall\n", 1, "which lacks `edition:` and `players:`; found"),
            ("edition: clue-classic\nann must: ben\n", 2, "expected the header, which lacks"),
            ("edtion: x\n", 1, "unknown header key 'edtion'; did you mean 'edition'?"),
            (SHORT + "viewer: Ann\nViewer: Ben\n", 4, "`viewer:` is in the header twice"),
            (SHORT + "hands: 9" + "9" * 5000, 3, "hands: expected numbers"),
            (
                "edition: clue-clasic\nplayers: Ann, Ben",
                1,
                "'clue-clasic'; did you mean 'clue-classic'?",
            ),
            ("edition: clue-classic\nplayers: Ann, ann", 2, "players: 'ann' is a player already"),
            ("edition: clue-classic\nplayers: Ann, nobody", 2, "is a word of the notation"),
            ("edition: clue-classic\nplayers: Ann", 2, "players: expected 2 to 10 names; found 1"),
            (SHORT + "face-down: Ann\n", 2, "players: 'Ann' is a face-down slot already"),
        ],
    )
    def test_a_header_with_a_mistake_says_where_and_why(
        self, text: str, number: int, reason: str
    ) -> None:
        error = refusal(text)
        assert error.number == number
        assert reason in str(error)
        assert str(error).startswith(f"game.clue:{number}: " if number else "game.clue: ")

    def test_a_header_line_after_an_observation_is_refused(self) -> None:
        error = refusal(SHORT + "nobody reveals Plum\nviewer: Ann\n")
        assert error.number == 4
        assert "header lines come before the first observation" in str(error)


class TestText:
    def test_a_text_of_carriage_returns_alone_has_lines_too(self) -> None:
        assert parse_record(GAME.replace("\n", "\r")) == parse_record(GAME)
        lines = to_jsonl(parse_record(GAME))
        assert parse_record(lines.replace("\n", "\r")) == parse_record(lines)

    def test_comments_and_blank_lines_survive(self) -> None:
        assert format_record(parse_record(GAME)) == GAME

    def test_short_forms_are_written_in_full(self) -> None:
        record = parse_record(SHORT + "ann must wrench lou>cat m #he blushed\nsc ro ha:-\n")
        assert format_record(record) == (
            SHORT + "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard"
            "  # he blushed\nBen suggests Scarlett, Rope, Hall: nobody shows\n"
        )

    def test_line_ends_of_other_systems_and_a_byte_order_mark_are_dropped(self) -> None:
        assert parse_record("\ufeff" + GAME.replace("\n", "\r\n")) == parse_record(GAME)

    def test_a_line_that_cannot_be_read_is_quoted_with_the_place(self) -> None:
        error = refusal(SHORT + "\nAnn suggests plmu, Wrench, Lounge\n")
        assert str(error) == (
            "game.clue:4: unknown card 'plmu'; did you mean 'Professor Plum'?\n"
            "  Ann suggests plmu, Wrench, Lounge\n"
            "               ^"
        )

    def test_a_long_line_is_clipped_around_the_place(self) -> None:
        cards = "Plum, Rope, Hall, Study, Knife, " * 40
        message = str(refusal(f"{SHORT}\nAnn holds {cards}\n"))
        assert "Plum is named twice in the line" in message
        assert all(len(line) < 110 for line in message.split("\n"))

    def test_control_characters_are_shown_escaped(self) -> None:
        message = str(refusal(SHORT + "\nAnn suggests \x1b[31mred, Wrench, Lounge\n"))
        assert "\x1b" not in message
        assert "\\x1b[31mred" in message
        message = str(refusal("edition: \x1b[31m\nplayers: Ann, Ben"))
        assert "\x1b" not in message

    def test_odd_names_of_seats_stay_as_they_are(self) -> None:
        seats = "[bold]x, [31mred, or, to, Ann suggests, Professor Plum, José, 王芳"
        text = (
            f"edition: clue-classic\nplayers: {seats}\n\n"
            "or reveals Rope to to\n"
            "or knows to has Rope or Hall\nAnn suggests suggests Plum, Rope, Hall: "
            "Professor Plum passes, José passes, 王芳 shows Plum\n"
            "[31mred looks at [bold]x: Plum\n"
        )
        assert format_record(parse_record(text)) == text

    @given(records().filter(has_a_clue_form))
    def test_a_record_survives_being_written_and_read(self, record: Record) -> None:
        again = parse_record(format_record(record))
        assert again == parse_record(format_record(again))
        assert again.table == record.table
        assert again.entries == record.entries
        assert again.after == record.after

    def test_lines_told_before_are_read_once_at_tables_alike(self) -> None:
        head = "edition: clue-classic\nplayers: Ann, Ben, Cat\n"
        hand = "\nAnn holds Plum, White, Rope, Knife, Hall, Study\n"
        lines = "Ann rolls 7\nAnn suggests Green, Wrench, Lounge: Ben passes, Cat shows Wrench\n"
        first = parse_record(head + hand + lines)
        with counted(normalise) as settled:
            again = parse_record(f"{head}solution: Green, Wrench, Lounge\n{hand}{lines}")
        assert settled.total() == 1  # the hand: its size is the table's
        assert again.entries == first.entries
        # what a header says of lines still counts
        for said, line in (("order: right", 7), ("face-up: Wrench", 7), ("hands: 5, 7, 6", 5)):
            assert refusal(f"{head}{said}\n{hand}{lines}").number == line

    def test_a_long_record_takes_work_in_proportion(self) -> None:
        first = GAME.index("Ann suggests")
        lines = GAME[first : GAME.index("# the end")]

        def calls(times: int) -> int:
            with counted() as each:
                assert len(parse_record(SHORT + lines * times).entries) == 2 * times
            return each.total()

        calls(50)
        assert calls(2000) < 12 * calls(200)


class TestRecord:
    def test_a_new_record_parts_its_header_from_its_entries(self) -> None:
        record = Record(table=parse_record(SHORT).table).append(Look(by="Ann", holder="Ben"))
        assert format_record(record) == SHORT + "\nAnn looks at Ben\n"

    def test_append_settles_and_keeps_the_comments_above(self) -> None:
        record = parse_record(GAME)
        longer = record.append(Look(by="Ann", holder="Ben"), comment="quick")
        assert format_record(longer) == GAME + "Ann looks at Ben  # quick\n"
        with pytest.raises(NotationError):
            record.append(Look(by="Ann", holder="Ann"))

    def test_upto_undoes_entries_and_keeps_the_comments(self) -> None:
        record = parse_record(GAME)
        undone = record.upto(1)
        assert undone.observations == record.observations[:1]
        assert format_record(undone) == GAME.replace(
            "Ben suggests Scarlett, Rope, Hall: nobody shows\n", ""
        )
        assert record.upto(2) == record == record.upto(9)
        assert record.upto(0).observations == ()

    def test_the_course_is_that_of_all_entries(self) -> None:
        record = parse_record(GAME)
        assert record.turn_state.turn(record.table) == "Cat"
        assert record.upto(1).turn_state.turn(record.table) == "Ben"

    @pytest.mark.parametrize("comment", ["two\nlines", "\0", "space "])
    def test_a_comment_that_a_file_cannot_hold_is_refused(self, comment: str) -> None:
        look = parse_line("Ann looks at Ben", parse_record(SHORT).table)
        with pytest.raises(RecordError, match="expected one line as a comment"):
            Entry(observation=look, comment=comment)


class TestFiles:
    def test_a_record_is_saved_and_loaded_in_both_forms(self, tmp_path: Path) -> None:
        record = parse_record(GAME)
        for name in ("game.clue", "game.jsonl"):
            save(record, tmp_path / name)
            assert load_record(tmp_path / name) == record
        assert is_jsonl((tmp_path / "game.jsonl").read_text())
        assert (tmp_path / "game.clue").read_bytes() == GAME.encode()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["game.clue", "game.jsonl"]

    def test_the_form_may_be_chosen(self, tmp_path: Path) -> None:
        save(parse_record(GAME), tmp_path / "game.txt", form="jsonl")
        assert is_jsonl((tmp_path / "game.txt").read_text())

    def test_saving_keeps_links_and_permissions(self, tmp_path: Path) -> None:
        target, link = tmp_path / "game.clue", tmp_path / "link.clue"
        target.write_text(SHORT)
        target.chmod(0o640)
        link.symlink_to(target)
        save(parse_record(GAME), link)
        assert link.is_symlink()
        assert (target.read_text(), target.stat().st_mode & 0o777) == (GAME, 0o640)

    @pytest.mark.skipif(
        system.WINDOWS, reason="there a file's mode says nothing of who may read it"
    )
    def test_what_is_private_is_its_owners_alone_to_read(self, tmp_path: Path) -> None:
        path = tmp_path / "ann.clue"
        for _ in range(2):
            save(parse_record(GAME), path, private=True)
            assert (path.read_text(), path.stat().st_mode & 0o777) == (GAME, 0o600)
            path.chmod(0o644)

    def test_a_record_that_cannot_be_written_leaves_the_file_as_it_was(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "game.clue"
        path.write_text(SHORT)

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(RecordError, match="cannot write the record: No space left on device"):
            save(parse_record(GAME), path)
        assert path.read_text() == SHORT
        assert list(tmp_path.iterdir()) == [path]

    def test_saving_into_no_folder_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(RecordError, match="cannot write the record: No such file"):
            save(parse_record(GAME), tmp_path / "none" / "game.clue")

    def test_a_dash_is_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GAME.encode())))
        assert load_record("-") == parse_record(GAME)

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"\x89PNG\r\n\x1a\n\0\0", "found a file that is not UTF-8 text"),
            (b"edition\0", "found a file that is not text"),
            (bytes(range(1, 128)) * 30_000, "expected the header"),
            (b"a " * 2_000_000, "expected the header"),
            (SHORT.encode() + b"a " * 2_000_000, "expected at most 10000 characters in a line"),
            (b"", "the header lacks `edition:`"),
            (b"\n" * 1_000_000, "the header lacks `edition:`"),
        ],
        ids=["png", "nul", "noise", "words", "line", "empty", "blank"],
    )
    def test_what_is_no_record_is_refused_soon(
        self, tmp_path: Path, content: bytes, reason: str
    ) -> None:
        path = tmp_path / "game.clue"
        path.write_bytes(content)
        with counted() as calls, pytest.raises(RecordError) as caught:
            load_record(path)
        assert calls.total() < 2_000
        assert reason in str(caught.value)
        assert len(str(caught.value)) < 800 + len(str(path))
        assert str(path) == caught.value.path

    def test_a_folder_and_a_missing_file_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(RecordError, match="cannot read the record: Is a directory"):
            load_record(tmp_path)
        with pytest.raises(RecordError, match="cannot read the record: No such file"):
            load_record(tmp_path / "none.clue")
        with pytest.raises(RecordError, match="cannot read the record"):
            load_record("a\0b")

    def test_a_file_far_too_large_for_a_record_is_refused(self, tmp_path: Path) -> None:
        with (tmp_path / "film.clue").open("wb") as file:
            file.truncate(64 * 2**20 + 1)
        with pytest.raises(RecordError, match="expected at most 4 MiB; found more"):
            load_record(tmp_path / "film.clue")
