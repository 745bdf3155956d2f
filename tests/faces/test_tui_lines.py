"""Lines at the table: none is taken wrongly, none is lost, and what to do stands above them."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest
from textual.command import CommandPalette
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from clue_solver.answers.advice import BYS, By, Decision
from clue_solver.faces.tui import table
from clue_solver.faces.tui.app import PlayApp, SetupScreen, beginning
from clue_solver.faces.tui.entry import EntryLine, Matches
from clue_solver.faces.tui.panes import COMMANDS, Advising, Filling, LogView, Reading
from clue_solver.faces.tui.playing import PlayScreen
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.game import Game
from clue_solver.rules.edition import load_edition, shipped_editions
from clue_solver.rules.table import Table
from tests.faces.test_tui import (
    HAND,
    HEADER,
    SMALL,
    in_front,
    line_of,
    lines_in,
    picture,
    playing,
    said,
    settle,
    take_as_it_stands,
    typing,
)

pytestmark = pytest.mark.asyncio

ASKED = "ann mus wr lou : cat"
OVER = "Ann accuses Scarlett, Candlestick, Kitchen: right\n"


async def paste(pilot: Pilot[None], text: str) -> None:
    pilot.app.post_message(Paste(text))
    await pilot.pause()
    await settle(pilot)


async def test_a_card_that_the_viewer_must_have_seen_is_asked_for_and_one_key_names_it() -> None:
    for keys, wanted in (
        (("3", "enter"), "Cat shows Lounge"),
        (("l", "enter"), "Cat shows Lounge"),
        (("l", "o", "u", "n", "enter"), "Cat shows Lounge"),
        (("enter", "enter", "4", "enter"), "Cat shows"),
    ):
        async with playing(HEADER + HAND) as (pilot, screen):
            await typing(pilot, ASKED, "enter")
            assert 1 == len(screen.session.lines)
            assert "Which card did Cat show you?" in said(screen)
            assert line_of(screen) == ASKED
            await typing(pilot, "", *keys)
            assert screen.session.lines[-1].endswith(wanted)
            assert line_of(screen) == ""


async def test_a_card_shown_by_the_viewer_is_one_of_the_hand() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben pl ro lou : cat pass, ann", "enter")
        assert "Which card did you show Ben?" in said(screen)
        assert "Lounge" not in said(screen).split("Ben?")[1]
        await typing(pilot, "r", "enter")
        assert screen.session.lines[-1].endswith("Ann shows Rope")
        await typing(pilot, "cat mus wr lou: ann mus", "enter")
        assert 3 == len(screen.session.lines)
        assert "you do not hold Mustard" in said(screen)


async def test_any_other_letter_goes_on_with_the_line() -> None:
    async with playing(HEADER + HAND) as (pilot, screen):
        await typing(pilot, ASKED, "enter")
        await typing(pilot, " mus", "enter")
        assert screen.session.lines[-1].endswith("Cat shows Mustard")


async def test_a_line_typed_over_a_question_answers_nothing_and_both_lines_are_kept() -> None:
    asked = "ann pea cand lou : ben"
    for following, told in (
        ("ben mus rope kit: cat", "Ben suggests Mustard, Rope, Kitchen: Cat shows"),
        ("cat pea lead kit: -", "Cat suggests Peacock, Lead Pipe, Kitchen: nobody shows"),
        ("me pea lead kit: -", "Ann suggests Peacock, Lead Pipe, Kitchen: nobody shows"),
    ):
        async with playing(HEADER + HAND) as (pilot, screen):
            await typing(pilot, asked, "enter")
            await typing(pilot, following)
            assert 1 == len(screen.session.lines)
            assert following == line_of(screen)
            shown = " ".join(said(screen).split())
            assert f"not taken: {asked}; it waits: Ctrl+Up brings it back, Esc drops it" in shown
            await typing(pilot, "", "enter")
            await take_as_it_stands(pilot, screen)
            assert told == screen.session.lines[-1]
            assert asked in said(screen)
            await typing(pilot, "", "up")
            assert asked == line_of(screen)
            assert "it waits" not in said(screen)
            await typing(pilot, "", "enter")
            await typing(pilot, "cand", "enter")
            await take_as_it_stands(pilot, screen)
            assert "" == line_of(screen)
            assert screen.session.lines[-1].endswith("Ben shows Candlestick")


async def test_a_line_typed_over_the_question_of_an_edit_changes_no_entry() -> None:
    async with playing() as (pilot, screen):
        before = screen.session.lines
        await typing(pilot, "/edit 2", "enter", "ctrl+u")
        await typing(pilot, "ann mus wr lou : cat", "enter")
        assert "Which card did Cat show you?" in said(screen)
        await typing(pilot, "ben sc le ki : cat", "enter")
        assert (*before, "Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows") == (
            screen.session.lines
        )
        assert "not taken: /edit 2 ann mus wr lou : cat" in said(screen)
        await typing(pilot, "", "escape")
        assert "not taken" not in said(screen)


async def test_an_entry_without_answers_is_asked_about_once() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben sc le ki", "enter")
        assert "What was the answer?" in said(screen)
        await typing(pilot, "", "enter")
        assert 2 == len(screen.session.lines)
        await typing(pilot, "?", "enter")
        assert "Ben suggests Scarlett, Lead Pipe, Kitchen" == screen.session.lines[-1]
        await typing(pilot, "cat sc le ki", "enter")
        await typing(pilot, "n", "enter")
        assert screen.session.lines[-1].endswith("nobody shows")


async def test_the_question_for_the_answer_takes_what_stands_behind_a_colon() -> None:
    async with playing(HEADER) as (pilot, screen):
        for typed, wanted in (
            ("ann ki", "Cat passes, Ann shows Kitchen"),
            ("2 ki", "Cat passes, Ann shows Kitchen"),
            ("cat no ann kit", "Cat passes, Ann shows Kitchen"),
            ("-", "nobody shows"),
        ):
            await typing(pilot, "ben sc le ki", "enter")
            await typing(pilot, typed, "enter")
            assert [f"Ben suggests Scarlett, Lead Pipe, Kitchen: {wanted}"] == list(
                screen.session.lines
            )
            await typing(pilot, "", "ctrl+z", "ctrl+u")


async def test_the_own_card_that_was_shown_answers_the_question_for_the_answer() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben pl le ha", "enter")
        shown = " ".join(said(screen).split())
        assert "1 Cat shows 2 Ann shows Plum 3 Ann shows Hall" in shown
        await typing(pilot, "hall", "enter")
        assert (
            "Ben suggests Plum, Lead Pipe, Hall: Cat passes, Ann shows Hall"
            == (screen.session.lines[-1])
        )


async def test_one_card_or_the_verdict_that_was_forgotten_is_asked_for() -> None:
    async with playing(HEADER) as (pilot, screen):
        for line, question, answer, told in (
            ("ben sc le: cat", "Which room?", "lib", "Ben suggests Scarlett, Lead Pipe, Library: "
             "Cat shows"),
            ("cat sc lib # late", "Which weapon?", "pipe", "Cat suggests Scarlett, Library, "
             "Lead Pipe"),
            ("ann accuses sc le lib", "Wrong or right?", "1", "Ann accuses Scarlett, Lead Pipe, "
             "Library: wrong"),
        ):  # fmt: skip
            await typing(pilot, line, "enter")
            assert question in said(screen)
            before = screen.session.lines
            await typing(pilot, "", "enter")
            assert before == screen.session.lines
            await typing(pilot, answer, "enter")
            await take_as_it_stands(pilot, screen)
            assert told == screen.session.lines[-1]
        assert "late" == screen.session.record.entries[1].comment


async def test_a_question_is_taken_back_before_an_entry_and_a_dropped_line_waits() -> None:
    async with playing(HEADER + HAND) as (pilot, screen):
        await typing(pilot, ASKED, "enter", "ctrl+z")
        assert 1 == len(screen.session.lines)
        assert ASKED == line_of(screen)
        assert "Which card" not in said(screen)
        await typing(pilot, "", "enter", "ctrl+u")
        assert "" == line_of(screen)
        assert f"not taken: {ASKED}; it waits: Ctrl+Up brings it back, Esc drops it" in said(screen)
        await typing(pilot, "", "ctrl+up")
        assert ASKED == line_of(screen)


async def test_who_else_may_have_suggested_is_offered_with_a_key() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "cat sc ro ki: ann ro", "enter")
        assert "did Ben skip?" in said(screen)
        await typing(pilot, "2", "enter")
        assert screen.session.lines[-1] == (
            "Ben suggests Scarlett, Rope, Kitchen: Cat passes, Ann shows Rope"
        )
        assert 3 == len(screen.session.lines)


async def test_who_skipped_is_one_key_and_a_word() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "cat sc le ki : ?", "enter")
        assert "did Ben skip?" in said(screen)
        await typing(pilot, "", "1", "enter")
        assert ("Ben skips", "Cat suggests Scarlett, Lead Pipe, Kitchen") == tuple(
            line.split(":")[0] for line in screen.session.lines[2:]
        )
        await typing(pilot, "", "ctrl+n")
        assert "Ann skips" == screen.session.lines[-1]
        await typing(pilot, "skip", "enter")
        assert "Ben skips" == screen.session.lines[-1]


async def test_what_clashes_is_taken_knowingly_and_never_ticked() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben mus wr lou: -", "enter")
        assert 2 == len(screen.session.lines)
        assert "contradicts entry 2" in said(screen)
        await typing(pilot, "y", "enter")
        assert 3 == len(screen.session.lines)
        assert "✗ 3 contradicts" in said(screen)
        assert "✓" not in said(screen)
        assert screen.query_one(SheetView).display
        assert "PROVISIONAL" in picture(screen)
        assert "Scarlett" in picture(screen)
        assert "F5" in said(screen, "#verdict")
        await typing(pilot, "cat sc le ki : ?", "enter")
        await take_as_it_stands(pilot, screen)
        assert "✓" not in said(screen)


async def test_an_edit_that_clashes_warns_before_enter() -> None:
    text = SMALL + "Ben suggests Plum, Wrench, Lounge: Cat passes, Ann shows Plum\n"
    async with playing(text) as (pilot, screen):
        await typing(pilot, "/edit 3", "enter")
        assert 3 == screen.editing
        await typing(pilot, "", "ctrl+u")
        await typing(pilot, "ben mus wr lou: -")
        assert "contradicts the log" in said(screen)
        await typing(pilot, "", "enter")
        assert "Ann shows Plum" in screen.session.lines[-1]


async def test_a_correction_that_waits_comes_back_as_one() -> None:
    text = SMALL + "Ben suggests Plum, Wrench, Lounge: Cat passes, Ann shows Plum\n"
    async with playing(text) as (pilot, screen):
        await typing(pilot, "/edit 3", "enter", "ctrl+u")
        await typing(pilot, "ben mus wr lou: cat no", "enter")
        await typing(pilot, "z")  # answers nothing: another line begins, and the correction waits
        assert screen.editing is None
        assert "not taken: /edit 3 " in said(screen)
        await typing(pilot, "", "ctrl+u", "ctrl+up")
        assert screen.query_one(EntryLine).value.startswith("/edit 3 ben mus wr lou")
        await typing(pilot, "", "enter")
        assert 3 == screen.editing
        assert 3 == len(screen.session.lines)


async def test_the_end_of_a_long_entry_is_in_sight_when_it_is_edited() -> None:
    long = "Ann suggests Peacock, Candlestick, Conservatory: Ben passes, Cat shows Conservatory\n"
    async with playing(SMALL + long) as (pilot, screen):
        await typing(pilot, "/edit 3", "enter")
        line = screen.query_one(EntryLine)
        assert len(line.value) > line.size.width
        assert line.scroll_offset.x + line.size.width > len(line.value)


async def test_whose_turn_it_is_guessed_to_be_is_visible_as_a_guess() -> None:
    async with playing() as (pilot, screen):
        assert "turn: Ben?" in said(screen, "#head")
        await typing(pilot, "sc le ki : cat")
        assert "Ben? suggests Scarlett" in said(screen)
        await typing(pilot, "", "ctrl+u")
        await typing(pilot, "ben sc le ki : cat")
        assert "Ben suggests Scarlett" in said(screen)


async def test_several_pasted_lines_are_told_in_order() -> None:
    async with playing() as (pilot, screen):
        await paste(pilot, "ben sc le ki : cat\n\ncat sc le ki : ?\r\nann sc le")
        assert 4 == len(screen.session.lines)
        assert "ann sc le" == line_of(screen)


async def test_pasted_lines_wait_behind_one_that_is_not_taken() -> None:
    async with playing() as (pilot, screen):
        await paste(pilot, "ben sc le ki : cat\ncat sc le kix\nann sc le ki : ben\n")
        assert 3 == len(screen.session.lines)
        assert "cat sc le kix" == line_of(screen)
        assert "1 more line follows" in said(screen)
        await typing(pilot, "", "backspace")
        await typing(pilot, " : ?", "enter")
        assert "Which card did Ben show you?" in said(screen)
        await typing(pilot, "", "1", "enter")
        assert "Ben shows Scarlett" in screen.session.lines[-1]
        await paste(pilot, "nonsense\nben skips\n")
        await typing(pilot, "", "escape")
        await typing(pilot, "", "ctrl+u")
        await typing(pilot, "ben sc le ki : cat", "enter")
        assert 6 == len(screen.session.lines)


async def test_undo_says_what_it_takes_back_and_gives_the_line_back() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "sc le ki : cat", "enter")
        await typing(pilot, "", "ctrl+z")
        told = "Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows"
        assert f"taken back: 3  {told}" in said(screen)
        assert told == line_of(screen)
        await typing(pilot, "", "ctrl+z")
        assert 1 == len(screen.session.lines)
        assert line_of(screen).startswith("Ann suggests Mustard")
        await typing(pilot, "", "ctrl+y", "ctrl+y")
        assert line_of(screen) == ""
        assert 3 == len(screen.session.lines)
        assert f"done again: 3  {told}" in said(screen)
        await typing(pilot, "/edit 3 ben sc le ki : -", "enter")
        await take_as_it_stands(pilot, screen)
        changed = screen.session.lines[-1]
        assert changed != told
        await typing(pilot, "", "ctrl+z")
        assert f"taken back: 3 is again  {told}" in " ".join(said(screen).split(" "))
        await typing(pilot, "", "ctrl+y")
        assert f"done again: 3  {changed}" in said(screen)


async def test_a_command_takes_nothing_behind_it_that_it_does_not_know() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "/undo 2", "enter")
        assert "expected nothing after /undo; found '2'" in said(screen)
        assert 2 == len(screen.session.lines)
        assert "/undo 2" == line_of(screen)


async def test_an_edit_says_what_it_replaces() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "/edit 2", "enter")
        await typing(pilot, "", "ctrl+u")
        assert "entry 2 again, otherwise" in screen.query_one(EntryLine).placeholder
        await typing(pilot, "ann skips")
        assert "2 becomes ->" in said(screen)
        await typing(pilot, "", "enter")
        await take_as_it_stands(pilot, screen)
        assert "✓ 2 is now Ann skips" in said(screen)


async def test_leaving_says_what_was_typed_and_not_taken() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "plum rope lou", "enter")
        assert screen._question is not None
        app = cast(PlayApp, pilot.app)
        await app.action_quit()
        assert ("plum rope lou",) == app.untaken


async def test_what_is_half_typed_survives_undo() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben sc", "ctrl+z")
        assert "ben sc" == line_of(screen)
        assert 1 == len(screen.session.lines)


async def test_up_recalls_after_a_line_was_taken_and_steers_the_sheet_otherwise() -> None:
    async with playing() as (pilot, screen):
        sheet = screen.query_one(SheetView)
        await typing(pilot, "", "down", "up", "down")
        assert (1, len(sheet.report.holders) - 1 if sheet.report else 0) == sheet.cursor
        await typing(pilot, "sc le ki : cat", "enter")
        await typing(pilot, "", "up")
        assert "sc le ki : cat" == line_of(screen)
        await typing(pilot, "", "up")
        assert line_of(screen).startswith("Ann suggests Mustard")
        await typing(pilot, "", "down", "down")
        assert line_of(screen) == ""
        await typing(pilot, "", "left", "ctrl+up")
        assert "sc le ki : cat" == line_of(screen)


async def test_what_another_program_writes_is_read_and_said_and_never_lost(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as (pilot, screen):
        more = "Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows\n"
        path.write_text(path.read_text("utf-8") + more, "utf-8")
        await pilot.pause(1.3)
        await settle(pilot)
        assert 3 == len(screen.session.lines)
        assert "another program has changed the file" in said(screen)
        assert "Ben suggests Scarlett, Lead Pipe" in picture(screen)
        await typing(pilot, "cat sc le ki : ?", "enter")
        assert more.strip() == lines_in(path)[2]
        assert 4 == len(lines_in(path))


@pytest.mark.decides
async def test_what_to_do_stands_above_the_line() -> None:
    async with playing() as (pilot, screen):
        assert said(screen, "#verdict").startswith("On your turn ask ")
        assert "do not accuse yet" in said(screen, "#verdict")
        assert not screen.has_class("-certain")
        facts = "\n".join(
            f"ann knows envelope has {card}" for card in ("Peacock", "Wrench", "Lounge")
        )
        await paste(pilot, f"{facts}\n")
        assert "Accuse now: Peacock, Wrench, Lounge (certain)" == said(screen, "#verdict")
        assert screen.has_class("-certain")


async def test_what_to_ask_is_told_by_bits_at_once_and_then_by_the_chance_to_win(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[By] = []
    decision = Game.decision

    def counted(game: Game, *, by: By = "win", **how: Any) -> Decision:
        told.append(by)
        return decision(game, by=by, **how)

    monkeypatch.setattr(table, "BYS", BYS)
    monkeypatch.setattr(Game, "decision", counted)
    async with playing() as (_, screen):
        assert ["bits", "win"] == told
        assert screen.session.game.decision().text == said(screen, "#verdict")


async def test_an_answer_does_not_open_over_a_line_that_was_begun_meanwhile() -> None:
    async with playing() as (pilot, screen):
        wait = Event()

        def answer() -> str:
            assert wait.wait(60)
            return "an answer"

        screen.ask("Advice", answer)
        await pilot.press("r")
        wait.set()
        await settle(pilot)
        assert in_front(pilot) is screen
        assert "r" == line_of(screen)
        await typing(pilot, "", "backspace")
        screen.ask("Advice", answer)
        await settle(pilot)
        assert isinstance(in_front(pilot), Reading)


@pytest.mark.parametrize("key", ["f10", "ctrl+g"])
async def test_advice_begins_with_accusing_and_takes_the_room_by_a_key(key: str) -> None:
    async with playing() as (pilot, _):
        await typing(pilot, "", key)
        advice = in_front(pilot)
        assert isinstance(advice, Advising)
        shown = picture(advice)
        shown = shown[shown.index("What to do") :]
        assert shown.index("do not accuse yet") < shown.index("Accuse?") < shown.index("│ Ask  ")
        await typing(pilot, "", "r")
        await typing(pilot, "attic", "enter")
        assert isinstance(in_front(pilot), Filling)  # what is no room is said at once
        assert "expected one room, such as Kitchen or Study" in picture(in_front(pilot))
        await typing(pilot, "", "ctrl+u")
        await typing(pilot, "hal", "enter")
        assert isinstance(in_front(pilot), Advising)
        assert "at: Hall" in picture(in_front(pilot))
        assert "Hall to Study (in reach: " in picture(in_front(pilot))
        await typing(pilot, "", "o")
        await typing(pilot, "7", "enter")
        assert "roll: 7" in picture(in_front(pilot))


async def test_every_command_is_a_word_with_or_without_a_stroke() -> None:
    for word, wanted in (
        ("undo", "taken back"),
        ("/undo", "taken back"),
        ("redo", "nothing to do again"),
        ("hands 6,6,6", "hand sizes: 6,6,6"),
        ("/delete 2", "entry 2 taken out"),
        ("/nonsense", "no command /nonsense"),
    ):
        async with playing() as (pilot, screen):
            await typing(pilot, word, "enter")
            assert wanted in said(screen)
    for word, wanted in (
        ("why plum ann", "Ann holds Plum"),
        ("/sheet 1", "Scarlett"),
        ("log", "Ann suggests Mustard"),
        ("/as ben", "Ben"),
        ("/help", "/undo"),
        ("/advise", "Accuse?"),
        ("/best", "%"),
    ):
        async with playing() as (pilot, screen):
            await typing(pilot, word, "enter")
            assert isinstance(in_front(pilot), Reading)
            await pilot.resize_terminal(80, 140)
            await settle(pilot)
            assert wanted in picture(in_front(pilot))
            await typing(pilot, "", "escape")
            assert line_of(screen) == ""
            assert 2 == len(screen.session.lines)


async def test_the_palette_lists_everything_and_does_it() -> None:
    async with playing() as (pilot, screen):
        listed = {each.title for each in pilot.app.get_system_commands(screen)}
        assert {f"/{each.word}" for each in COMMANDS} == listed
        await typing(pilot, "", "ctrl+p")
        assert isinstance(in_front(pilot), CommandPalette)
        await typing(pilot, "undo", "enter")
        await pilot.pause(0.2)
        await settle(pilot)
        assert in_front(pilot) is screen
        assert 1 == len(screen.session.lines)


async def test_the_way_out_is_always_said() -> None:
    async with playing() as (pilot, screen):
        assert "^q Quit" in picture(screen)
        for each in COMMANDS:
            assert each.label in picture(screen).split("\n")[-1]
        assert "^p palette" in picture(screen)
        await typing(pilot, "", "ctrl+c")
        assert "Ctrl+Q leaves" in said(screen)
        await typing(pilot, "b")
        assert "Ctrl+Q" not in said(screen)


async def test_a_message_is_gone_with_the_next_key() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "sc le ki : cat", "enter")
        assert "✓ 3" in said(screen)
        await typing(pilot, "", "left")
        assert "" == said(screen).strip()


@pytest.mark.parametrize("width", [60, 80])
async def test_no_message_loses_its_end(width: int) -> None:
    async with playing(size=(width, 24)) as (pilot, screen):
        await typing(pilot, "ann knows cat has scarlett or candlestick or kitchen", "enter")
        shown = " ".join(picture(screen).split())
        for word in said(screen).split():
            assert word in shown
        assert "Kitchen" == said(screen).split()[-1]
        await typing(pilot, "sc le ki : ann, mustard wrench nobody shows at all in this", "enter")
        shown = picture(screen)
        for word in said(screen).split():
            assert word in shown


SEATS = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon")


@pytest.mark.parametrize("name", [n for n in shipped_editions() if "custom" not in n])
async def test_the_whole_sheet_is_on_a_small_screen_or_says_that_there_is_more(name: str) -> None:
    edition = load_edition(name)
    low, high = edition.players
    for players in {max(low, 3), min(high, 6), high}:
        seats = ", ".join(SEATS[:players])
        slots = Table(edition=edition, seats=SEATS[:players]).slots
        assert not slots
        text = f"edition: {name}\nplayers: {seats}\nviewer: Ann\n\n"
        async with playing(text) as (_, screen):
            sheet, shown = screen.query_one(SheetView), picture(screen)
            assert sheet.report is not None
            in_sight = sheet.plan.height <= sheet.size.height and sheet.plan.fits
            assert in_sight or "more rows" in shown or "◀" in shown or not sheet.plan.fits
            if len(sheet.report.cards) <= 21 and players <= 6:
                assert in_sight
                for card in sheet.report.cards:
                    assert card[: sheet.plan.label - 1].strip() in shown
            assert "^q Quit" in shown


async def test_the_cursor_goes_from_block_to_block() -> None:
    async with playing() as (pilot, screen):
        sheet = screen.query_one(SheetView)
        assert ("Scarlett", "envelope") == sheet.cell
        await typing(pilot, "", "right")
        assert ("Candlestick", "Ann") == sheet.cell
        await typing(pilot, "", "left")
        assert ("Scarlett", "envelope") == sheet.cell
        await typing(pilot, "", "pagedown", "pagedown", "pagedown")
        assert ("Study", "envelope") == sheet.cell


async def test_the_same_table_asks_for_the_hand_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clue_solver.faces.tui.app.games_folder", lambda: tmp_path)
    old = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nhands: 5, 5, 4, 4\nviewer: Ann\n"
    (tmp_path / "old.clue").write_text(f"{old}shows: sticky\n\n{OVER}", "utf-8")
    app = beginning()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "same table as last time" in picture(in_front(pilot))
        keys = "pl ro ha st kn"
        await typing(pilot, "", "enter")
        assert "dealt the first card" in picture(in_front(pilot))
        await typing(pilot, keys, "enter")
        assert 16 >= len(keys) + 2
        assert app.session is not None
        record = app.session.record
        assert ("Ann holds Plum, Rope, Hall, Study, Knife",) == app.session.lines
        assert ("Ann", "Ben", "Cat", "Dan") == record.table.seats
        assert "sticky" == record.table.shows
        assert () == record.table.hands
        app.session.close()


async def test_who_was_dealt_first_gives_the_sizes_and_half_a_hand_is_no_error() -> None:
    app = PlayApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        setup = in_front(pilot)
        assert isinstance(setup, SetupScreen)
        shown = picture(setup)
        assert "clue-custom" not in shown
        assert "clue-2015: Clue (2015), 2-6 players" in shown
        await typing(pilot, "", "enter")
        await typing(pilot, "Ann, Ben, Cat, Dan", "enter", "enter")
        assert "" == setup.query_one("#hands", Input).value
        await typing(pilot, "cat", "enter", "enter", "enter")
        await typing(pilot, "plum, rope")
        note = said(setup, "#setup-note")
        assert "✗" not in note
        assert "fewer" in note
        await typing(pilot, ", hall, study", "enter")
        assert app.session is not None
        assert (4, 4, 5, 5) == app.session.record.table.hands


async def test_a_name_of_several_words_among_others_is_asked_about() -> None:
    app = PlayApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        setup = in_front(pilot)
        await typing(pilot, "", "enter")
        await typing(pilot, "Anna, Ben Cat Dan", "ctrl+s")
        assert "Is 'Ben Cat Dan' one player?" in said(setup, "#setup-note")
        await typing(pilot, "", "ctrl+s")
        assert app.session is not None
        assert ("Anna", "Ben Cat Dan") == app.session.record.table.seats


async def test_tab_goes_round_the_fields_and_sizes_filled_in_give_way_to_typed_ones() -> None:
    app = PlayApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        setup = in_front(pilot)
        await typing(pilot, "", "tab")
        await typing(pilot, "Ann, Ben, Cat", "tab", "tab")
        hands = setup.query_one("#hands", Input)
        assert (setup.focused, hands.value) == (hands, "6, 6, 6")
        await typing(pilot, "5, 6, 7")
        assert "5, 6, 7" == hands.value
        await typing(pilot, "", "tab", "tab", "tab", "tab")
        assert setup.focused is setup.query_one("#editions")


async def test_cards_among_the_players_are_asked_about_unless_pieces_are_called_so() -> None:
    app = PlayApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        setup = in_front(pilot)
        await typing(pilot, "", "enter")
        await typing(pilot, "Plum, rope, Green", "ctrl+s")
        assert "Is a player called rope, as the card is?" in said(setup, "#setup-note")
        await typing(pilot, "", "ctrl+u")
        await typing(pilot, "Plum, White, Green", "ctrl+s")
        assert app.session is not None
        assert ("Plum", "White", "Green") == app.session.record.table.seats


async def test_the_end_of_a_game_offers_the_review() -> None:
    async with playing(SMALL) as (pilot, screen):
        await typing(pilot, "ben accuses scar can kit: right", "enter")
        assert "/review" in said(screen)
        await typing(pilot, "/review", "enter")
        assert isinstance(in_front(pilot), Reading)
        assert "Ben" in picture(in_front(pilot))


async def test_players_are_renamed_and_put_into_another_order(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as (pilot, screen):
        await typing(pilot, "/seats", "enter")
        await typing(pilot, "", "ctrl+u")
        await typing(pilot, "Anna, Ben, Carl", "enter")
        assert "Anna suggests Mustard, Wrench, Lounge: Ben passes, Carl shows Mustard" in (
            screen.session.lines
        )
        assert "Anna" == screen.session.record.table.viewer
        assert lines_in(path) == screen.session.lines
        await typing(pilot, "/seats Anna, Carl, Ben", "enter")
        assert "entry 2" in said(screen)
        await typing(pilot, "/delete 2", "enter")
        await typing(pilot, "/seats Anna, Carl, Ben", "enter")
        assert ("Anna", "Carl", "Ben") == screen.session.record.table.seats
        await typing(pilot, "", *["ctrl+z"] * 3)
        assert ("Ann", "Ben", "Cat") == screen.session.record.table.seats
        await typing(pilot, "/seats Anna, Ben", "enter")
        assert "expected 3 different names" in said(screen)


async def test_the_entry_chosen_in_the_log_stays_chosen_when_the_sheet_comes() -> None:
    async with playing() as (pilot, screen):
        for line in ("ann mus wr lou: -", "ben sc le ki : -"):
            await typing(pilot, line, "enter")
            await take_as_it_stands(pilot, screen)
        log, entries = screen.query_one(LogView), len(screen.session.lines)
        assert entries == log.entry
        log.highlighted = entries - 2
        screen._write_log()  # as a sheet does that was computed meanwhile
        assert entries - 1 == log.entry


async def test_a_key_typed_in_the_log_begins_a_line() -> None:
    async with playing(HEADER) as (pilot, screen):
        await typing(pilot, "ben sc le ki : cat", "enter")
        screen.set_focus(screen.query_one(LogView))
        await pilot.press(*"cat")
        await settle(pilot)
        assert "cat" == line_of(screen)
        assert screen.focused is screen.query_one(EntryLine)


async def test_corrections_are_chosen_where_the_solutions_stood() -> None:
    clash = "Ben suggests Mustard, Wrench, Lounge: Cat passes, Ann passes\n"
    async with playing(SMALL + clash) as (pilot, screen):
        assert isinstance(in_front(pilot), PlayScreen)
        await typing(pilot, "", "f6", "f6")
        assert screen.focused is screen.query_one("#corrections", OptionList)
        await typing(pilot, "", "enter")
        assert "corrected" in said(screen)


async def test_what_is_typed_over_a_text_that_is_read_is_the_next_line() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "", "enter")
        assert isinstance(in_front(pilot), Reading)
        await typing(pilot, "ann mus wr")
        assert screen is in_front(pilot)
        assert "ann mus wr" == line_of(screen)


async def test_nothing_is_offered_for_an_empty_line_after_an_entry() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben pl kn kit: cat", "enter")
        assert "" == line_of(screen)
        assert () == screen.query_one(Matches).found


async def test_what_is_greyed_and_taken_by_tab_is_possible() -> None:
    out = "Ben accuses Plum, Wrench, Hall: wrong\n"
    for text, typed, wanted in (
        (HEADER + HAND, "ann plum ro lou : ben p", "passes, "),
        (HEADER + HAND, "ben mus wr lou : cat no, ann ", "passes"),
        (HEADER + HAND, "ben plum wr lou : cat no, ann s", "shows "),
        (SMALL, "ann mus ro kit : ben m", ""),
        (SMALL, "ann mus ro kit : ben ", "shows "),
        (SMALL + out, "ben ", "holds "),
    ):
        async with playing(text) as (pilot, screen):
            await typing(pilot, typed)
            word = typed[: typed.rindex(" ") + 1] + wanted if wanted else ""
            assert word == screen.query_one(EntryLine)._suggestion, typed
            offered = screen.query_one(Matches)
            hidden = {"shows Plum", "shows Rope"} if text == HEADER + HAND else set()
            if "ann s" not in typed:
                assert hidden.isdisjoint(each.label for each in offered.found), typed
            if wanted:
                await typing(pilot, "", "tab")
                assert word == line_of(screen)


async def test_what_is_asked_is_whole_after_the_window_has_shrunk() -> None:
    async with playing(SMALL, size=(100, 30)) as (pilot, screen):
        await typing(pilot, "cat sc le ki : ?", "enter")
        await pilot.resize_terminal(40, 24)
        await settle(pilot)
        shown = " ".join(picture(screen).split())
        for word in said(screen).split():
            assert word in shown
        rows = screen.query_one(SheetView).size.height
        await pilot.resize_terminal(40, 15)
        await pilot.pause()
        assert 2 < screen.query_one(SheetView).size.height < rows
