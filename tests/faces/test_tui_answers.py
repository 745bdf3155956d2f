"""What is said and asked on the full screen: whole, in its place, and gone when it is past."""

from __future__ import annotations

import re

import pytest
from textual.command import CommandPalette
from textual.widgets import Input, OptionList, Static

from clue_solver.faces.tui.panes import COMMANDS, Advising, Correcting, LogView, Reading
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.record import parse_record
from clue_solver.rules.edition import load_edition
from clue_solver.rules.observations import kinds
from tests.faces.test_tui import (
    CLASH,
    HAND,
    HEADER,
    SMALL,
    in_front,
    line_of,
    picture,
    playing,
    said,
    settle,
    typing,
)
from tests.faces.test_tui_lines import paste

pytestmark = pytest.mark.asyncio

FOUR = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nviewer: Ann\n\n"
MANY = (
    FOUR + "Ann holds Scarlett, Mustard, White, Plum, Conservatory\n"
    "Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall\n"
    "Ben suggests Peacock, Wrench, Hall: nobody shows\n"
)


async def test_all_corrections_are_listed_likeliest_first_and_one_is_chosen() -> None:
    for keys, chosen in (
        (("enter",), 0),
        (("f5",), 0),
        (("down", "down", "enter"), 2),
        (("5", "enter"), 4),
        (("1", "2", "enter"), 11),
        (("4", "up", "enter"), 2),
        (("2", "enter"), 1),
    ):
        async with playing(MANY) as (pilot, screen):
            assert screen.check is not None
            corrections = screen.check.corrections
            assert len(corrections) > 12
            assert f"all {len(corrections)} corrections" in said(screen, "#verdict")
            await typing(pilot, "", "f5")
            dialog = in_front(pilot)
            assert isinstance(dialog, Correcting)
            assert len(corrections) == dialog.query_one(OptionList).option_count
            shares = [each.probability for each in corrections]
            assert sorted(shares, reverse=True) == shares
            for number in (1, 2, 3):
                row = next(
                    line for line in picture(dialog).split("\n") if f" {number} " in line[:6]
                )
                assert "%  entry" in row or "% entry" in row
            await typing(pilot, "", *keys)
            assert in_front(pilot) is screen
            meant = corrections[chosen].changes[0]
            assert meant.entry is not None
            assert meant.after == screen.session.lines[meant.entry - 1]
            assert f"entry {meant.entry} corrected: {meant.after}" in " ".join(said(screen).split())


async def test_a_digit_marks_a_correction_in_sight_and_only_enter_makes_it() -> None:
    async with playing(MANY) as (pilot, screen):
        before = screen.session.lines
        await typing(pilot, "", "f5")
        dialog = in_front(pilot)
        choices = dialog.query_one(OptionList)
        for digit, marked in (("5", 5), ("1", 1), ("2", 12), ("2", 2)):
            await typing(pilot, digit)
            assert in_front(pilot) is dialog
            assert marked - 1 == choices.highlighted
            assert f"Enter makes correction {marked};" in picture(dialog)
            assert any(f" {marked} " in line[:6] for line in picture(dialog).split("\n"))
        assert before == screen.session.lines


async def test_the_marked_cell_is_closed_and_the_envelope_named_in_narrow_columns() -> None:
    header = "edition: clue-classic\nplayers: Mia, Ben, Cat, Dan, Eva\nviewer: Mia\n\n"
    async with playing(header + "Mia holds Plum, Knife, Hall\n") as (pilot, screen):
        sheet = screen.query_one(SheetView)
        assert "env." in picture(screen).split("\n")[2]
        cards = sheet.report.cards if sheet.report else ()
        for card in ("Plum", "Knife", "Hall"):
            sheet.cursor = (cards.index(card), 5)
            await settle(pilot)
            assert "[·]" in picture(screen)
        sheet.cursor = (cards.index("Mustard"), 5)
        await settle(pilot)
        assert re.search(r"\[\d\d\]", picture(screen))


async def test_escape_leaves_the_corrections_and_a_first_digit_opens_them() -> None:
    async with playing(MANY) as (pilot, screen):
        before = screen.session.lines
        await typing(pilot, "1")
        assert isinstance(in_front(pilot), Correcting)
        await typing(pilot, "", "escape")
        assert in_front(pilot) is screen
        assert before == screen.session.lines
        await typing(pilot, "fix", "enter")
        assert isinstance(in_front(pilot), Correcting)
        await typing(pilot, "", "escape")
        await typing(pilot, "fix 2", "enter")
        assert before != screen.session.lines


async def test_a_doubt_can_be_left_and_the_line_stays() -> None:
    for keys in (("escape",), ("n", "enter"), ("n", "o", "enter")):
        async with playing() as (pilot, screen):
            line = "ben mus wr lou: no"
            await typing(pilot, line, "enter")
            shown = " ".join(said(screen).split())
            assert "is it right all the same?" in shown
            assert "y Enter: take it" in shown
            assert "Esc or n Enter: back to the line" in shown
            await typing(pilot, "", *keys)
            assert line == line_of(screen)
            assert 2 == len(screen.session.lines)
            assert "is it right" not in said(screen)
            await typing(pilot, "", "ctrl+u")
            await typing(pilot, "ben mus wr lou: cat", "enter")
            assert "✓ 3" in said(screen)


async def test_yes_takes_what_is_doubted() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben mus wr lou: -", "enter", "y", "enter")
        assert 3 == len(screen.session.lines)
    async with playing() as (pilot, screen):
        await typing(pilot, "cat sc le ki : ?", "enter")
        assert "Esc or n Enter: back to the line" in " ".join(said(screen).split())
        await typing(pilot, "y")
        assert 2 == len(screen.session.lines)
        await typing(pilot, "", "enter")
        *_, skipped, _ = screen.session.lines
        assert ("Ben skips", 4) == (skipped, len(screen.session.record.entries))


async def test_an_enter_too_many_answers_no_question() -> None:
    for text, line, keys, wanted in (
        (SMALL, "cat sc le ki : ?", ("3", "enter"), "Cat suggests"),
        (SMALL, "cat sc le ki : ann no, ben", ("as", "enter"), "Cat suggests"),
        (SMALL, "ben mus wr lou: -", ("y", "enter"), "nobody shows"),
        (SMALL, "ben sc le ki", ("?", "enter"), "Ben suggests Scarlett, Lead Pipe, Kitchen"),
        (HEADER + HAND, "ann mus wr lou : cat", ("?", "enter"), "Cat shows"),
        (HEADER + HAND, "ben mus wr lou : cat mus", ("2", "enter"), "Cat shows Mustard"),
        (HEADER + HAND, "ben mus wr lou : cat mus", ("y", "enter"), "Cat shows"),
    ):
        async with playing(text) as (pilot, screen):
            before = screen.session.lines
            await typing(pilot, line, "enter", "enter", "enter")
            assert before == screen.session.lines, line
            assert line == line_of(screen)
            assert "type one, then Enter" in said(screen) or "y Enter" in said(screen)
            *typed, key = keys
            await typing(pilot, "".join(typed), key)
            assert wanted in screen.session.lines[-1], line
            assert len(before) + 1 == len(screen.session.lines), line


async def test_an_answer_that_comes_late_is_added_to_the_entry_that_lacks_it() -> None:
    for keys, told in ((("y", "enter"), "Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows"),
                       (("n", "enter"), "Ben suggests Scarlett, Lead Pipe, Kitchen")):  # fmt: skip
        async with playing() as (pilot, screen):
            await typing(pilot, "ben sc le ki : ?", "enter")
            await typing(pilot, "cat shows")
            assert "to entry 3? Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows" in " ".join(
                said(screen).split()
            )
            await typing(pilot, "", "enter")
            assert "Add it to entry 3, Ben suggests Scarlett, Lead Pipe, Kitchen?" in said(screen)
            await typing(pilot, *keys)
            assert (3, told) == (len(screen.session.lines), screen.session.lines[-1])
            assert screen.editing is None
            assert ("cat shows" if "n" in keys else "") == line_of(screen)


async def test_a_late_answer_is_doubted_as_the_entry_would_be() -> None:
    async with playing(HEADER + HAND) as (pilot, screen):
        await typing(pilot, "ann mus wr lou : ?", "enter")
        await typing(pilot, "ben no, cat", "enter")
        await typing(pilot, "y", "enter")
        assert "Which card did Cat show you?" in said(screen)
        await typing(pilot, "mus", "enter")
        assert screen.session.lines[-1].endswith(": Ben passes, Cat shows Mustard")
        assert 2 == len(screen.session.lines)
        await typing(pilot, "cat shows", "enter")
        assert "expected the suggestion before its answers" in said(screen)


async def test_an_edit_that_gives_a_turn_to_a_seat_out_of_turn_is_doubted() -> None:
    for keys, told in (
        ("y", "Ben suggests Scarlett, Lead Pipe, Kitchen"),
        ("as", "Cat suggests Scarlett, Lead Pipe, Kitchen"),
        ("n", "Ben suggests Peacock, Candlestick, Library: Cat shows"),
    ):
        async with playing() as (pilot, screen):
            await typing(pilot, "ben pe ca li: cat", "enter")
            await typing(pilot, "/edit 3", "enter")
            await typing(pilot, "", "ctrl+a", "ctrl+k")
            await typing(pilot, "cat sc le ki : ?", "enter")
            shown = " ".join(said(screen).split())
            assert "It is Ben's turn here, not Cat's: was it Ben?" in shown
            assert "1/y it was Ben 2 as it stands" in shown
            await typing(pilot, keys, "enter")
            assert told == screen.session.lines[2]
            assert 3 == len(screen.session.lines)
            await typing(pilot, "", "escape", "escape")
            assert screen.editing is None


async def test_an_edit_that_mends_the_order_of_turns_is_not_doubted() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "cat pe ca li : ?", "enter")
        await typing(pilot, "as", "enter")
        assert screen.session.lines[2].startswith("Cat suggests")
        await typing(pilot, "/edit 3 ben pe ca li: cat", "enter")
        assert "Ben suggests Peacock, Candlestick, Library: Cat shows" == screen.session.lines[2]


async def test_a_comment_alone_is_told_where_it_stands() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "# ben looked twice", "enter")
        assert "expected an observation before its comment" in said(screen)
        assert 2 == len(screen.session.lines)


async def test_a_line_behind_an_edit_is_read_before_enter_takes_it() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben pe ca li: cat", "enter")
        await typing(pilot, "/edit 3")
        assert "Enter: replace an entry" in said(screen)
        await typing(pilot, " ben pe ro li: cat")
        assert "3 becomes -> Ben suggests Peacock, Rope, Library: Cat shows" in said(screen)
        await typing(pilot, "", "ctrl+u")
        await typing(pilot, "/insert 3 ben pe xyz")
        assert "found 'xyz'" in said(screen)
        await typing(pilot, "", "ctrl+u")
        await typing(pilot, "/insert 3 ben skips")
        assert "before 3 -> Ben skips" in said(screen)
        assert 3 == len(screen.session.lines)


async def test_what_was_typed_in_an_edit_that_is_left_comes_back() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben pe ca li: cat", "enter")
        await typing(pilot, "/edit 3", "enter")
        await typing(pilot, "", "ctrl+u")
        await typing(pilot, "ben sc le ki: cat", "escape")
        assert (screen.editing, "") == (None, line_of(screen))
        await typing(pilot, "", "ctrl+up")
        assert "/edit 3 ben sc le ki: cat" == line_of(screen)
        await typing(pilot, "", "ctrl+u")
        await typing(pilot, "/edit 3", "enter", "escape")
        await typing(pilot, "", "ctrl+up")
        assert "/edit 3 ben sc le ki: cat" == line_of(screen)  # nothing was typed the second time


async def test_an_answer_with_a_slip_in_it_is_no_new_line() -> None:
    async with playing() as (pilot, screen):
        line = "ben accuses mus rope hall"
        await typing(pilot, line, "enter")
        assert "Wrong or right?" in said(screen)
        await typing(pilot, "wrnog")
        shown = " ".join(said(screen).split())
        assert "did you mean 'wrong'?" in shown
        await typing(pilot, "", "enter")
        assert (line, 2) == (line_of(screen), len(screen.session.lines))
        await typing(pilot, "", *["backspace"] * 3)
        await typing(pilot, "", "tab")
        assert "wrong_" in said(screen)
        await typing(pilot, "", "enter")
        assert "Ben accuses Mustard, Rope, Hall: wrong" == screen.session.lines[-1]


async def test_tab_takes_the_name_that_was_meant_anywhere_in_the_line() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben gren knfe li: cat")
        assert "did you mean 'Mr. Green'? Tab takes it" in " ".join(said(screen).split())
        await typing(pilot, "", "tab")
        assert "ben Green knfe li: cat" == line_of(screen)
        assert "did you mean 'Knife'? Tab takes it" in " ".join(said(screen).split())
        await typing(pilot, "", "tab")
        assert "ben Green Knife li: cat" == line_of(screen)
        assert "Ben suggests Green, Knife, Library" in " ".join(said(screen).split())


async def test_a_forgotten_entry_is_put_in_where_it_belongs() -> None:
    forgotten = "Ben suggests Peacock, Candlestick, Library: Cat shows"
    after = "Cat suggests White, Wrench, Kitchen"
    for how in ("command", "doubt", "log", "prompt"):
        async with playing() as (pilot, screen):
            await typing(pilot, "cat wh wr ki : ?", "enter")
            await typing(pilot, "as", "enter")
            assert after == screen.session.lines[2]
            line = "ben pe ca li: cat"
            match how:
                case "command":
                    await typing(pilot, f"/insert 3 {line}", "enter")
                case "doubt":
                    await typing(pilot, line, "enter")
                    shown = " ".join(said(screen).split())
                    assert "3 earlier, before entry 3 4 as it stands" in shown
                    await typing(pilot, "3", "enter")
                case "log":
                    screen.query_one(LogView).focus()
                    await typing(pilot, "", "end", "insert")
                    assert "ins 3>" in picture(screen)
                    await typing(pilot, line)
                    assert "before 3 -> Ben suggests Peacock" in said(screen)
                    await typing(pilot, "", "enter")
                case "prompt":
                    await typing(pilot, "cat mus ro ha", "ctrl+u")
                    await typing(pilot, "/insert 3", "enter")
                    await typing(pilot, line, "escape")
                    assert (None, False) == (screen.editing, screen.inserting)
                    await typing(pilot, "", "ctrl+up")
                    assert f"/insert 3 {line}" == line_of(screen)
                    await typing(pilot, "", "enter")
            assert [forgotten, after] == [*screen.session.lines[2:]], how
            assert f"✓ 3 is put in: {forgotten}" in " ".join(said(screen).split())
            assert (None, False, "") == (screen.editing, screen.inserting, line_of(screen))
            await typing(pilot, "", "ctrl+z")
            assert [after] == [*screen.session.lines[2:]]


async def test_an_entry_put_in_against_the_order_of_turns_is_doubted() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben pe ca li: cat", "enter")
        await typing(pilot, "/insert 3 cat wh wr ki : ?", "enter")
        assert "It is Ben's turn here, not Cat's: was it Ben?" in " ".join(said(screen).split())
        await typing(pilot, "as", "enter")
        assert "Cat suggests White, Wrench, Kitchen" == screen.session.lines[2]
        assert 4 == len(screen.session.lines)


async def test_a_line_typed_over_a_question_is_not_taken_for_the_next_in_turn() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "cat pe ca li : ?", "enter")
        assert "did Ben skip?" in " ".join(said(screen).split())
        await typing(pilot, "mus ca ki : ?", "enter")
        shown = " ".join(said(screen).split())
        assert "The line before was not taken: is it Ben's turn all the same?" in shown
        assert 2 == len(screen.session.lines)
        await typing(pilot, "y", "enter")
        assert "Ben suggests Mustard, Candlestick, Kitchen" == screen.session.lines[-1]
        await typing(pilot, "skip", "enter")
        assert "Cat skips" == screen.session.lines[-1]


async def test_a_number_that_is_not_offered_begins_no_line() -> None:
    async with playing() as (pilot, screen):
        line = "cat wh wr ki : ?"
        await typing(pilot, line, "enter")
        await typing(pilot, "7", "enter")
        assert (line, 2) == (line_of(screen), len(screen.session.lines))
        assert "7_" in said(screen)
        await typing(pilot, "", "backspace", "3", "enter")
        assert 3 == len(screen.session.lines)


async def test_a_command_at_a_question_begins_a_line_of_its_own() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben mus wr lou: -", "enter")
        assert "is it right all the same?" in " ".join(said(screen).split())
        await typing(pilot, "/log")
        assert "/log" == line_of(screen)
        assert "not taken: ben mus wr lou: -" in said(screen)


async def test_a_line_that_waits_is_forgotten_once_it_was_put_right() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben mus ro ha: cat mus", "enter")
        assert "Only Ben and Cat see that card" in " ".join(said(screen).split())
        await typing(pilot, "", "ctrl+u")
        assert "not taken: ben mus ro ha: cat mus" in said(screen)
        await typing(pilot, "ben mus ro ha: cat", "enter")
        assert "Ben suggests Mustard, Rope, Hall: Cat shows" == screen.session.lines[-1]
        assert "not taken" not in said(screen)
        assert () == screen.untaken


async def test_a_question_stays_whatever_else_is_asked_meanwhile() -> None:
    async with playing(HEADER + HAND) as (pilot, screen):
        await typing(pilot, "ann mus wr lou : cat", "enter")
        await typing(pilot, "", "f5")
        assert "nothing to correct" in said(screen)
        await typing(pilot, "", "ctrl+c", "left")
        assert "Which card did Cat show you?" in said(screen)
        await typing(pilot, "", "f1", "escape")
        assert "Which card did Cat show you?" in said(screen)
        await typing(pilot, "m", "enter")
        assert screen.session.lines[-1].endswith("Cat shows Mustard")


async def test_every_choice_of_a_long_list_has_its_number() -> None:
    for keys, card in (("1", 1), ("12", 12), ("21", 21), ("3", 3)):
        async with playing() as (pilot, screen):
            await typing(pilot, "ann looks at ben", "enter")
            doubt = "What was seen?"
            assert doubt in said(screen)
            question = screen._question
            assert question is not None
            choices = question.doubt.choices
            if len(choices) < 12 or card > len(choices):
                continue
            await typing(pilot, keys, "enter")
            assert choices[card - 1].lines[-1] == screen.session.lines[-1]


async def test_a_number_that_goes_on_waits_for_enter_and_backspace_takes_it_back() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ann looks at ben", "enter", "1")
        assert 2 == len(screen.session.lines)
        choices = screen._question.doubt.choices if screen._question else ()
        assert len(choices) > 10
        assert f"Enter: {choices[0].label}" in " ".join(said(screen).split())
        await typing(pilot, "", "backspace")
        assert "type one, then Enter" in " ".join(said(screen).split())
        assert "ann looks at ben" == line_of(screen).rstrip(" :")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("ben pl can bal: dan pass, cat", "cat"),
        ("ben pl can bal: cat, dan", "dan"),
        ("ben pl can bal: cat pass, ann pass, dan", "dan"),
        ("ben pl can bal: cat kn", "kn"),
        ("ben pl can bal: cat pass ben", "ben"),
        ("ben sc can con: cat pas dan pas ann can", "can"),
        ("ben sc can con: cat pass, dan pass, ann pass", "pass"),
        ("ben pea can bal: cat pass, dan pass, ann", "ann"),
        ("ben sc can con: -", "-"),
        ("ann reveals rope", "rope"),
    ],
)
async def test_the_caret_stands_under_the_word_that_is_wrong(line: str, word: str) -> None:
    async with playing(FOUR + "Ann holds Scarlett, Mustard, White, Plum, Conservatory\n") as (
        pilot,
        screen,
    ):
        await typing(pilot, line, "enter")
        assert 1 == len(screen.session.lines)
        rows = picture(screen).split("\n")
        at = next(n for n, row in enumerate(rows) if row.startswith("  2>"))
        typed, under = rows[at], rows[at + 1]
        assert "^" in under
        place = typed.rindex(word) if word != "ann" else typed.rindex(" ann ") + 1
        assert place == under.index("^")


@pytest.mark.parametrize("width", [60, 80])
async def test_the_first_line_is_whole_at_any_width(width: int) -> None:
    seats = "Bartholomew, Cassandra, Wilhelmina, Dan"
    text = f"edition: master-detective\nplayers: {seats}\n\n"
    async with playing(text, size=(width, 24)) as (pilot, screen):
        for _ in range(2):
            head = picture(screen).split("\n")[0]
            assert "…" not in head
            assert "deals" in head
            assert "entr" in head
            await typing(pilot, "bart peach kn kit : cass", "enter")
        assert "turn: Cassandra?" in picture(screen).split("\n")[0]
        await pilot.resize_terminal(140, 30)
        await settle(pilot)
        assert "notes of a spectator" in picture(screen).split("\n")[0]


@pytest.mark.parametrize("width", [60, 80])
async def test_what_is_asked_is_whole_at_any_width(width: int) -> None:
    for text, line in (
        (FOUR, "ann mus wr lou : dan"),
        (MANY[: MANY.index("Ben suggests")], "ben peacock wrench hall no"),
        (FOUR, "dan mus wr lou : ben"),
        (MANY[: MANY.index("Ben suggests")], "dan sc le ki : ?"),
        (HEADER + HAND, "ben accuses scar can kit: right"),
    ):
        async with playing(text, size=(width, 24)) as (pilot, screen):
            await typing(pilot, line, "enter")
            shown = " ".join(picture(screen).split())
            for word in said(screen).split():
                assert word in shown
            rows = picture(screen).split("\n")[-9:]
            assert "…" not in "\n".join(rows)
            asked = screen._question.doubt.choices if screen._question is not None else ()
            assert asked or line != "dan sc le ki : ?"
            for number, choice in enumerate(asked, 1):
                beside = re.compile(rf"\b{number}(/y)?  {re.escape(choice.label)}")
                assert any(beside.search(row) for row in rows), choice


async def test_nothing_said_outlives_what_it_was_about() -> None:
    async with playing() as (pilot, screen):
        for command in ("/log", "/check", "/best", "/sheet", "help", "/why plum ann"):
            await typing(pilot, command, "enter")
            assert isinstance(in_front(pilot), Reading)
            await typing(pilot, "", "escape")
            assert in_front(pilot) is screen
            assert "" == said(screen)
        await typing(pilot, "", "f8")
        assert "supposing" in said(screen)
        await typing(pilot, "", "escape")
        assert "" == said(screen)
        await typing(pilot, "ben sc le ki: cat", "enter", "f10")
        assert isinstance(in_front(pilot), Advising)
        await typing(pilot, "", "escape")
        assert "" == said(screen)
        await typing(pilot, "ben plmu")
        assert "unknown" in said(screen)
        await typing(pilot, "", "ctrl+u")
        assert "" == said(screen)


async def test_the_log_has_each_entry_in_canonical_form() -> None:
    async with playing(FOUR, size=(160, 40)) as (pilot, screen):
        for line, told in (
            ("ann sc le ki: ?", "Ann suggests Scarlett, Lead Pipe, Kitchen"),
            ("sc le ki: cat pass, ?", "Ben suggests Scarlett, Lead Pipe, Kitchen: Cat passes, ?"),
            ("sc le ki: dan", "Cat suggests Scarlett, Lead Pipe, Kitchen: Dan shows"),
        ):
            await typing(pilot, line, "enter")
            assert told == screen.session.lines[-1]
            shown = screen.query_one(LogView)._shown[-1].plain
            assert " ".join(f"{len(screen.session.lines)} {told}".split()) == " ".join(
                shown.split()
            )
            assert screen.session.lines == parse_lines(screen.session.lines)
            assert said(screen).endswith(told)


def parse_lines(lines: tuple[str, ...]) -> tuple[str, ...]:
    from clue_solver.session import Session

    return Session(parse_record(FOUR + "\n".join(lines) + "\n")).lines


async def test_the_help_has_every_key_every_command_and_every_form() -> None:
    async with playing() as (pilot, _):
        await typing(pilot, "", "f1")
        assert isinstance(in_front(pilot), Reading)
        await pilot.resize_terminal(80, 140)
        await settle(pilot)
        shown = picture(in_front(pilot))
        for each in COMMANDS:
            assert f"/{each.word}" in shown
        for number in range(1, 11):
            assert f"F{number}" in shown
        for kind in kinds():
            assert kind.form.verb.split()[0] in shown
        for said_there in ("shows ?", ";", "me ", "no ", "plknlic", "first", "pieces", "solution"):
            assert said_there in shown
        for word in ("your room", "your roll", "your dice", "Ctrl+P"):
            assert word in " ".join(shown.replace("│", " ").split())


async def test_every_word_of_the_line_mode_is_a_command_here() -> None:
    from io import StringIO

    from rich.console import Console

    from clue_solver.faces.plain import Plain

    async with playing() as (pilot, screen):
        plain = Plain(screen.session, Console(file=StringIO()))
        assert set(plain._commands) <= {each.word for each in COMMANDS}
        listed = {each.title for each in pilot.app.get_system_commands(screen)}
        assert {f"/{word}" for word in plain._commands} <= listed


@pytest.mark.parametrize("word", ["edit", "delete", "as", "suppose"])
async def test_the_palette_types_a_command_that_needs_more(word: str) -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "", "ctrl+p")
        assert isinstance(in_front(pilot), CommandPalette)
        await typing(pilot, f"/{word}", "enter")
        await pilot.pause(0.2)
        await settle(pilot)
        assert in_front(pilot) is screen
        assert f"/{word} " == line_of(screen)
        assert f"/{word} " in said(screen)
        if word == "edit":
            await typing(pilot, "2", "enter")
            assert 2 == screen.editing


async def test_advice_is_in_the_order_accuse_ask_why_with_a_key_for_each_circumstance() -> None:
    text = (
        "edition: clue-diced\nplayers: Ann, Ben, Cat\nviewer: Ann\nhands: 4, 3, 3\n\n"
        "Ann holds Brains Plum, Brains Green, Brawn Plum, Brawn Green\n"
    )
    assert load_edition("clue-diced").dice
    for board, keys, typed, wanted in (
        (SMALL, "r", ("hall",), "at: Hall"),
        (SMALL, "o", ("hall", "7"), "at: Hall, roll: 7"),
        (text, "d", ("plum, green, orchid",), "dice: plum, green, orchid"),
    ):
        async with playing(board) as (pilot, _):
            await typing(pilot, "", "f10")
            assert isinstance(in_front(pilot), Advising)
            foot = str(in_front(pilot).query(Static).last().visual)
            assert ("r: my room", "o: my roll", "d: my dice") == tuple(
                part for part in foot.split("   ") if "my" in part
            )
            await pilot.resize_terminal(100, 60)
            await settle(pilot)
            shown = picture(in_front(pilot))
            shown = shown[shown.index("What to do") :]
            assert shown.index("do not accuse yet") < shown.index("Accuse?")
            assert shown.index("Accuse?") < shown.index("│ Ask  ") < shown.index("Suggestions")
            await typing(pilot, keys)
            for each in typed:
                await typing(pilot, each, "enter")
            assert wanted in picture(in_front(pilot))


async def test_what_the_record_tells_of_room_and_roll_is_filled_in_for_advice() -> None:
    text = HEADER.rstrip() + "\nfirst: Ann\npieces: Plum, Scarlett, Green\n\n" + HAND
    text += "Ann rolls 8\nAnn moves to Study\n"
    async with playing(text) as (pilot, _):
        await typing(pilot, "", "f10")
        assert "Study" in picture(in_front(pilot))
        await typing(pilot, "o")
        for value, typed in (("Study", "hall"), ("8", "4")):
            assert value == in_front(pilot).query_one("#filling", Input).value
            await typing(pilot, typed, "enter")  # what is typed stands in its place
        assert "at: Hall, roll: 4" in picture(in_front(pilot))


async def test_pasted_lines_and_a_question_are_left_together() -> None:
    async with playing(HEADER + HAND) as (pilot, screen):
        await paste(pilot, "ann mus wr lou : cat\nben sc le ki : cat\n")
        assert "1 more line follows" in said(screen)
        await typing(pilot, "", "escape")
        assert "dropped" in said(screen)
        await typing(pilot, "", "1")
        assert 1 == len(screen.session.lines)
        assert line_of(screen).endswith("1")


async def test_a_clash_of_few_ways_is_mended_by_its_number() -> None:
    async with playing(SMALL + CLASH) as (pilot, screen):
        assert screen.check is not None
        fifth = screen.check.corrections[4].changes[0]
        await typing(pilot, "", "5")
        assert fifth.entry is None or fifth.after == screen.session.lines[fifth.entry - 1]
