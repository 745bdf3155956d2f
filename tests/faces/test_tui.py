"""The full screen as a player meets it: lines typed, taken, changed; panes, dialogs, sizes."""

from __future__ import annotations

import re
from functools import partial
from io import StringIO
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest
from rich.console import Console
from textual.command import CommandPalette
from textual.dom import DOMNode
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from clue_solver.conversation.commands import COMMANDS, WORDS
from clue_solver.conversation.session import Session
from clue_solver.faces.tui.app import PlayApp
from clue_solver.faces.tui.entry import Choosing, EntryLine, pointing
from clue_solver.faces.tui.panes import (
    Advising,
    Correcting,
    Findings,
    InputDialog,
    TextDialog,
    help_text,
)
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.faces.tui.table import TableScreen
from clue_solver.game import Game
from clue_solver.record import parse_record
from clue_solver.record.files import RecordFile
from clue_solver.rules.edition import load_edition, shipped_editions
from clue_solver.rules.observations import kinds
from clue_solver.rules.table import Table
from clue_solver.views.headlines import Headline, headline
from tests.faces.screen import (
    FIRST,
    FOUR,
    HAND,
    HEADER,
    SMALL,
    Person,
    lines_in,
    playing,
    showing,
)

pytestmark = pytest.mark.asyncio

TOLD = "Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows"
PLUM = "Ben suggests Plum, Wrench, Lounge: Cat passes, Ann shows Plum\n"
MANY = (
    FOUR + "Ann holds Scarlett, Mustard, White, Plum, Conservatory\n"
    "Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall\n"
    "Ben suggests Peacock, Wrench, Hall: nobody shows\n"
)


async def test_a_line_in_short_is_told_written_drawn_and_recalled(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as at:
        await at.type("", "down", "up", "down")  # with nothing typed they steer the sheet
        assert at.sheet.report is not None
        assert at.sheet.cursor == (1, len(at.sheet.report.holders) - 1)
        await at.type("sc le ki : cat", "enter")
        assert at.lines[-1] == TOLD == lines_in(path)[-1]
        assert (at.line, at.labels, at.said()) == ("", [], f"✓ 3 {TOLD}")
        assert at.screen.drawn is not None
        assert at.screen.drawn.entries == 3
        assert "Cat's turn" in at.said("#head")
        assert at.log._shown[-1].plain == "  3 Ben Scarlett Lead Kitchen → Cat"
        await at.type("", "left")
        assert at.said() == ""
        await at.type("", "ctrl+up")
        assert at.line == "sc le ki : cat"
        await at.put("pea le ki : ?", "enter", *"sc le")  # what follows at once is the next line
        assert (len(at.lines), at.line) == (4, "sc le")
        await at.type("", "ctrl+u", "ctrl+n")
        assert at.lines[-1] == "Ann skips"
        await at.type("", "up", "up", "up")
        assert at.line == "sc le ki : cat"
        await at.type("", *["down"] * 3)
        assert at.line == ""


async def test_what_a_line_means_stands_under_it_while_it_is_typed() -> None:
    async with playing() as at:
        assert "Ben's turn" in at.said("#head")
        await at.type("sc le ki : cat")
        assert at.said() == f"-> {TOLD.replace('Ben', 'Ben?')}"
        await at.put("ben sc le ki : cat")
        assert at.said() == f"-> {TOLD}"
        await at.put("ann mus wr lou : cat")
        assert "Ben passes, Cat shows" in at.said()
        await at.put("ben mus wr lou: cat passes, ann passes")
        assert at.said().startswith("✗ contradicts the log: Ben suggests")
        await at.put("ben plmu")
        assert "unknown" in at.said()
        await at.type("", "ctrl+u")
        assert at.said() == ""
        await at.put("# ben looked twice", "enter")
        assert "expected an observation before its comment" in at.said()
        await at.put("cat mus wr lou: ann mus", "enter")
        assert "you do not hold Mustard" in at.said()
        assert len(at.lines) == 2


async def test_an_error_stands_under_its_word_and_the_line_stays() -> None:
    lines = (
        ("ben pl can bal: dan pass, cat", "dan"),
        ("ben suggests plmu", "plmu"),
        ("ben sc can con: -", "-"),
        ("ann reveals rope", "rope"),
        ("ben sc can con: cat pas dan pas ann candl", "candl"),
        ("ben pea can bal: cat pass, dan pass, ann", "ann"),
    )
    async with playing(MANY[: MANY.index("Ann suggests")], size=(100, 30)) as at:
        for line, word in lines:
            await at.put(line, "enter")
            assert (at.line, len(at.lines)) == (line, 1)
            row = next(n for n, each in enumerate(at.rows) if " 2>" in each)
            assert at.rows[row + 1].index("^") == at.rows[row].rindex(word), line


async def test_an_error_longer_than_its_room_stands_before_the_caret_or_under_it() -> None:
    assert pointing("short", 4, 40).plain == "    ^ short"
    assert pointing("short", 21, 24).plain == "               short ^"
    assert pointing("a long reason", 2, 10).plain == "  ^\na long reason"


async def test_what_is_offered_is_greyed_taken_by_tab_or_chosen_by_arrows() -> None:
    async with playing() as at:
        await at.put("ben suggests Scar")
        assert at.greyed == "ben suggests Scarlett, "
        await at.put("ben sc c")
        second = at.one("#matches").found[1]
        assert at.labels[0] == "Candlestick"
        await at.type("", "down", "tab")
        assert at.line == second.line
        await at.put("ben sc c", "down", "enter")  # Enter takes what an arrow has chosen
        assert (at.line, len(at.lines)) == (second.line, 2)
        await at.put("ann mus ro kit : ben m")  # Mustard is Cat's: it would contradict the log
        assert at.greyed == ""
        await at.put("ann mus ro kit : ben ")
        assert at.greyed == "ann mus ro kit : Ben shows "
        await at.put("ben gren knfe li: cat")
        assert "did you mean 'Mr. Green'? Tab takes it" in at.said()
        await at.type("", "tab")
        assert at.line == "ben Green knfe li: cat"
        await at.type("", "tab")
        assert at.line == "ben Green Knife li: cat"
        assert "Ben suggests Green, Knife, Library" in at.said()


async def test_undo_and_redo_say_what_they_do_and_give_the_line_back(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as at:
        await at.put("sc le ki : cat", "enter", "ctrl+z")
        assert at.said() == f"taken back: 3 {TOLD}; Ctrl+Y brings it back"
        assert at.line == "sc le ki : cat"  # as it was typed
        await at.type("", "ctrl+z")
        assert at.line == FIRST.strip()
        assert len(lines_in(path)) == 1
        await at.type("", "ctrl+y", "ctrl+y")
        assert at.said() == f"done again: 3 {TOLD}"
        assert at.line == ""
        await at.put("/edit 3 ben sc le ki : -", "enter")
        await at.take_as_it_stands()
        await at.put("cat pea", "ctrl+z")
        assert at.said() == f"taken back: 3 is again: {TOLD}; Ctrl+Y brings it back"
        assert at.line == "cat pea"  # what is half typed stays
        await at.type("", "ctrl+u", *["ctrl+z"] * 4)
        assert "nothing to undo" in at.said()
        assert lines_in(path) == ()
        await at.type("", "ctrl+u", *["ctrl+y"] * 3)
        assert lines_in(path) == (*SMALL.splitlines()[4:], TOLD)
        at.log.focus()
        await at.type("", "delete")
        assert at.said() == "entry 3 taken out; Ctrl+Z undoes it"
        await at.type("", "ctrl+z", "ctrl+z")
        assert len(lines_in(path)) == 2


async def test_an_entry_is_edited_from_the_log_or_by_a_command_and_escape_leaves_it() -> None:
    long = "Ann suggests Peacock, Candlestick, Conservatory: Ben passes, Cat shows Conservatory"
    async with playing(SMALL + "Ben skips\nCat skips\n" + long + "\n") as at:
        await at.type("ben sc")
        at.log.focus()
        at.log.highlighted = 1
        await at.type("", "enter")
        assert (at.screen.dialog.place.entry, at.line) == (2, FIRST.strip())
        await at.type("", "escape")
        assert (at.screen.dialog.place.entry, at.line) == (None, "ben sc")
        await at.put("/edit 3")
        assert "Enter: replace entry 7" in at.said()
        await at.type(" ben pe ro li: cat")
        assert at.said() == "3 becomes -> Ben suggests Peacock, Rope, Library: Cat shows"
        await at.put("/insert 3 ben pe xyz")
        assert "unknown word 'xyz'" in at.said()
        await at.put("/insert 3 ben skips")
        assert at.said() == "before 3 -> Ben skips"
        await at.put("/edit 9", "enter")
        assert at.said() == "no entry 9: the log has 5"
        await at.put("/edit 5", "enter")
        entry = at.one(EntryLine)
        assert len(at.line) > entry.size.width  # its end is in sight
        assert entry.scroll_offset.x + entry.size.width > len(at.line)
        await at.put("ann mus wr lou: -")
        assert at.said().startswith("5 becomes ✗ contradicts the log:")
        await at.type("", "ctrl+u")
        assert "type entry 5 as it should be" in at.one(EntryLine).placeholder
        await at.type("ann skips")
        assert at.said() == "5 becomes -> Ann skips"
        await at.type("", "enter")
        assert at.said() == "✓ 5 is now Ann skips"
        await at.type("/edit 3", "enter")
        await at.put("ben sc le ki: cat", "escape")
        await at.type("", "ctrl+up")  # what was typed in an edit that was left
        assert at.line == "/edit 3 ben sc le ki: cat"
        await at.put("/edit 3", "enter", "escape")
        await at.type("", "ctrl+up")
        assert at.line == "/edit 3 ben sc le ki: cat"  # nothing was typed the second time


async def test_a_forgotten_entry_is_put_in_where_it_belongs() -> None:
    forgotten, after = "Ben suggests Peacock, Candlestick, Library: Cat shows", "Cat skips"
    line = "ben pe ca li: cat"
    async with playing(SMALL + after + "\n") as at:

        async def there() -> None:
            assert at.lines[2:] == (forgotten, after)
            assert at.said() == f"✓ 3 is put in: {forgotten}"
            assert (at.screen.dialog.place.entry, at.screen.dialog.place.insert, at.line) == (
                None,
                False,
                "",
            )
            await at.type("", "ctrl+z", "ctrl+u")
            assert at.lines[2:] == (after,)

        await at.put(f"/insert 3 {line}", "enter")
        await there()
        await at.put(line, "enter")
        assert "3 earlier, before entry 3 4 as it stands" in at.said()
        await at.type("3", "enter")
        await there()
        at.log.focus()
        await at.type("", "end", "insert")
        assert "ins 3>" in at.picture
        await at.put(line)
        assert at.said() == f"before 3 -> {forgotten}"
        await at.type("", "escape")  # what was typed waits
        await at.type("", "ctrl+up")
        assert at.line == f"/insert 3 {line}"
        await at.type("", "enter")
        await there()


async def test_what_clashes_is_taken_knowingly_and_mended_by_a_digit_or_from_the_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with playing(SMALL + PLUM) as at:
        at.log.focus()
        at.log.highlighted = 2
        await at.type("", "enter")
        assert at.line == PLUM.strip()
        await at.put("ben mus wr lou: -", "enter")
        assert "are you sure?" in at.said()
        await at.type("y")
        with monkeypatch.context() as patched:
            wait, look = Event(), Game.check
            patched.setattr(
                Game, "check", lambda *game, **how: wait.wait(60) and look(*game, **how)
            )
            await at.pilot.press("enter")
            await at.until(lambda: at.said("#banner"))
            assert at.said("#banner").startswith("Provisional: the sheet as it was; looking for")
            wait.set()
            await at.settle()
        assert "✗ 3 contradicts" in at.said()
        assert "cannot all be true" in at.picture
        assert at.sheet.display
        assert at.said("#banner").startswith("Provisional: the sheet if entry")
        assert "Scarlett" in at.picture
        check = at.screen.check
        assert check is not None
        assert at.said("#verdict").endswith(f"F5 lists all {len(check.corrections)} corrections")
        await at.put("cat sc le ki : ?", "enter")
        await at.take_as_it_stands()
        assert at.said().startswith("4, in a log that contradicts itself:")
        await at.type("", "ctrl+z", "ctrl+u")
        await at.type("", "7")
        corrected = check.corrections[6].changes[0]
        told = f"entry {corrected.entry} corrected: {corrected.after}"
        assert at.said() == f"{told}; Ctrl+Z undoes it"
        assert corrected.entry is not None
        assert at.lines[corrected.entry - 1] == corrected.after
        assert at.screen.drawn is not None
        assert at.screen.drawn.consistent
        await at.type("", "f5")
        assert "nothing to correct" in at.said()
        await at.type("", "ctrl+z")
        await at.type("", "f6", "f6", "f6")
        assert at.screen.focused is at.one("#corrections")
        await at.type("", "enter")
        assert "corrected" in at.said()


async def test_all_corrections_are_listed_and_a_number_marks_one_that_only_enter_makes() -> None:
    async with playing(MANY) as at:
        check, before = at.screen.check, at.lines
        assert check is not None
        assert len(check.corrections) > 12
        await at.type("1")  # it may go on as 12
        assert isinstance(at.front, Correcting)
        await at.type("", "escape")
        await at.type("fix", "enter")
        choices = at.one(OptionList)
        assert choices.option_count == len(check.corrections)
        for keys, marked in (("", 1), ("5", 5), ("1", 1), ("2", 12), ("2", 2)):
            await at.type(keys)
            assert choices.highlighted == marked - 1
            assert f"Enter makes correction {marked};" in at.picture
            row = next(row for row in at.rows if f" {marked} " in row[:6])
            assert re.search(r"\d % +entry", row)
        await at.type("", "down", "down", "up")
        assert choices.highlighted == 2
        assert at.lines == before
        for made, number in ((("enter",), 3), (("f5", "f5"), 1)):
            await at.type("", *made)
            change = check.corrections[number - 1].changes[0]
            assert change.entry is not None
            assert at.lines[change.entry - 1] == change.after
            await at.type("", "ctrl+z")
        await at.type("fix 99", "enter")
        assert at.said() == f"no correction 99: there are {len(check.corrections)}"
        await at.type("fix 2", "enter")
        change = check.corrections[1].changes[0]
        assert change.entry is not None
        assert at.lines[change.entry - 1] == change.after


async def test_hand_sizes_and_players_are_changed_and_wrong_ones_are_said(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as at:
        await at.type("", "f4")
        await at.type("6, 6, 7", "enter")
        assert isinstance(at.front, InputDialog)
        assert "add up" in at.said("#wrong")
        await at.put("6, 6, 6", "enter")
        assert at.screen.session.record.table.hands == (6, 6, 6)
        await at.type("/seats", "enter")
        await at.put("Anna, Ben, Carl", "enter")
        assert at.lines[1] == FIRST.strip().replace("Ann", "Anna").replace("Cat", "Carl")
        assert lines_in(path) == at.lines
        await at.put("/seats Anna, Carl, Ben", "enter")
        assert at.lines[1] == "Anna suggests Mustard, Wrench, Lounge: Carl shows Mustard"
        await at.put("carl white wr kit: -", "enter")
        await at.put("ben white wr lib: anna no, carl", "enter")
        await at.put("/seats Anna, Ben, Carl", "enter")
        assert at.said().startswith("? You said that Anna passed (entry 4)")
        await at.type("y", "enter")
        assert at.said().startswith("players, clockwise: Anna, Ben, Carl; Ctrl+Z")
        assert at.lines[3] == "Ben suggests White, Wrench, Library: Carl shows"
        assert lines_in(path) == at.lines
        await at.put("hands 5,6,7", "enter")
        assert "entry 1" in at.said()


async def test_why_is_asked_of_the_cell_by_keys_or_a_second_click() -> None:
    async with playing() as at:
        assert at.sheet.cell == ("Scarlett", "envelope")
        await at.type("", "left", "right", "right", "enter")
        assert isinstance(at.front, TextDialog)
        assert "Scarlett" in at.picture
        await at.type("ann mus wr")  # what is typed over a text is the next line
        assert (at.there, at.line) == (True, "ann mus wr")
        await at.type("", "ctrl+u", *["pagedown"] * 3)
        assert at.sheet.cell == ("Study", "envelope")
        at.sheet.focus()
        await at.type("", "w")
        assert isinstance(at.front, TextDialog)
        await at.type("", "escape")
        row = next(n for n, each in enumerate(at.rows) if "White" in each)
        place = (at.sheet.size.width - 4, row - at.sheet.region.y)
        await at.pilot.click(at.sheet, offset=place)
        await at.settle()
        assert at.sheet.cell is not None
        assert at.sheet.cell[1] == "envelope"
        assert at.sheet.cell[0][:8] in at.rows[row]
        await at.pilot.click(at.sheet, offset=place)
        await at.settle()
        assert isinstance(at.front, TextDialog)


async def test_what_if_earlier_entries_and_other_eyes_stand_on_a_banner_until_escape() -> None:
    async with playing() as at:

        def chance() -> float:
            assert at.screen.drawn is not None
            return at.screen.drawn.probability("Scarlett", "envelope")

        before = chance()
        await at.type("", "f8")
        assert at.said("#banner") == "What if envelope has Scarlett — Esc comes back"
        assert "what if envelope lacks Scarlett" in at.said()
        assert chance() == 1.0
        await at.type("", "f8")
        assert chance() == 0.0
        await at.type("", "escape")
        assert not at.one("#banner").display
        assert (chance(), at.said()) == (before, "")
        await at.type("", "[")
        assert at.said("#banner") == "As of entry 1 — Esc comes back"
        assert at.screen.drawn is not None
        assert at.screen.drawn.entries == 1
        await at.type("", "]")
        assert (at.screen.drawn.entries, at.screen.view.banner) == (2, "")
        seen = []
        for _ in range(4):
            await at.type("", "f7")
            seen.append(at.screen.drawn.viewer)
        assert seen == ["Ben", "Cat", "spectator", "Ann"]
        assert at.screen.view.banner == ""


async def test_advice_is_in_the_order_accuse_ask_why_and_asks_for_room_and_roll() -> None:
    text = HEADER.rstrip() + "\nfirst: Ann\npieces: Plum, Scarlett, Green\n\n" + HAND
    async with playing(text + "Ann rolls 8\nAnn moves to Study\n") as at:
        await at.type("ann ", "f10")
        assert isinstance(at.front, Advising)
        foot = str(at.front.query(Static).last().visual)
        assert foot == "r: my room   o: my roll   d: my dice   Esc closes"
        assert at.line == "ann "
        await at.type("", "o")  # a roll says nothing without a room
        assert at.one(Input).value == "Study"  # as it is recorded
        await at.type("attic", "enter")  # it stands in the place of what was filled in
        assert "expected one room, such as Kitchen or Study" in at.words
        await at.put("hal", "enter")
        assert at.one(Input).value == "8"
        await at.type("4", "enter")
        assert "at: Hall, roll: 4" in at.picture
        await at.resize(100, 60)
        parts = (
            "What to do",
            "Your chance to win",
            "What to ask",
            "And then",
            "Who else may know it",
        )
        assert sorted(parts, key=at.picture.index) == [*parts]


async def test_a_suggestion_is_chosen_from_lists_and_which_card_to_show_is_told() -> None:
    async with playing() as at:
        await at.type("", "f3")
        assert "type the suggestion that you are asked" in at.said()
        await at.put("ben plum rope lounge", "f3")
        assert isinstance(at.front, TextDialog)
        assert re.search(r"Plum: tells .* bits", at.picture)
        assert "Rope" in at.picture
        await at.type("", "escape")
        assert at.line == "ben plum rope lounge"
        await at.type("", "ctrl+u")
        await at.type("", "f2")
        assert isinstance(at.front, Choosing)
        await at.type("", *["enter"] * 5, "down", "up", "enter", "enter")
        assert at.line.startswith("Ben suggests Scarlett, Candlestick, Kitchen: Cat shows")
        await at.type("", "ctrl+u")
        await at.type("", "f2", "enter", "enter", "escape")  # back to who asked
        await at.type("b", "enter")
        for beginning in ("plu", "rop", "lou", "cat", "lou"):
            await at.type(beginning, "enter")
        assert at.line == "Ben suggests Plum, Rope, Lounge: Cat shows Lounge"
        await at.type("", "ctrl+u")
        await at.type("", "f2", "escape")
        assert at.there


async def test_the_findings_scroll_to_their_last_line_and_no_further() -> None:
    async with playing(size=(80, 30)) as at:
        findings = at.screen.query_one("#best", Findings)
        last = [" ".join(each.text for each in line).split() for line in findings._lines][-1]
        findings.focus()
        await at.type("", *["pagedown"] * 9)
        assert findings.render_line(findings.size.height - 1).text.split() == last != []


async def test_every_size_shows_the_sheet_the_log_and_the_entry_line() -> None:
    async with playing() as at:
        for entries, (width, height) in enumerate(((80, 24), (40, 15), (132, 50)), 3):
            await at.resize(width, height)
            assert "Scar" in at.picture
            assert f"{entries}>" in at.picture
            if at.screen.narrow:
                assert "→ Cat" not in at.words
                await at.type("", "f6", "f6")
            assert ("Cat shows" if width > 100 else "→ Cat") in at.words
            await at.type("", "escape")
            await at.put("skip", "enter")
            assert len(at.lines) == entries


async def test_what_is_said_is_whole_at_any_width() -> None:
    seats = "Bartholomew, Cassandra, Wilhelmina, Dan"
    async with playing(f"edition: master-detective\nplayers: {seats}\n\n", size=(60, 24)) as at:
        for _ in range(2):
            assert "…" not in at.rows[0]
            await at.put("bart peach kn cou : cass", "enter")
        assert "Cassandra's turn" in at.rows[0]
        await at.put("wil peach kn cou : ?", "enter")
        for width, height in ((140, 30), (60, 24), (40, 24)):
            await at.resize(width, height)
            assert ("notes of a spectator" in at.rows[0]) == (width >= 60)
            assert set(at.said().split()) <= set(at.words.split())
        await at.resize(40, 15)
        assert at.sheet.size.height >= 2  # a long question leaves something of the sheet


async def test_the_marked_cell_is_closed_and_the_envelope_named_in_narrow_columns() -> None:
    header = "edition: clue-classic\nplayers: Mia, Ben, Cat, Dan, Eva\nviewer: Mia\n\n"
    async with playing(header + "Mia holds Plum, Knife, Hall\n") as at:
        assert "env." in at.rows[1]
        cards = at.sheet.report.cards if at.sheet.report else ()
        for card, cell in (
            ("Plum", r"\[ · +\]"),
            ("Hall", r"\[ · +\]"),
            ("Mustard", r"\[ \d\d +\]"),
        ):
            at.sheet.cursor = (cards.index(card), 5)
            await at.settle()
            assert re.search(cell, at.picture), card


SEATS = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon")


@pytest.mark.parametrize("name", [n for n in shipped_editions() if "custom" not in n])
async def test_the_whole_sheet_has_a_place_on_a_small_screen(name: str) -> None:
    edition = load_edition(name)
    low, high = edition.players
    sheet = SheetView()
    for players in {max(low, 3), min(high, 6), high}:
        table = Table(edition=edition, seats=SEATS[:players])
        assert table.slots == ()
        sheet.set_reactive(
            SheetView.report,
            Game(parse_record(f"edition: {name}\nplayers: {', '.join(table.seats)}\n")).report(),
        )
        plans = [each for each in sheet.plans(80) if each.fits]
        assert plans or players > 6
        if len(sheet.report.cards if sheet.report else ()) <= 21 and players <= 6:
            assert min(each.height for each in plans) <= 13  # rows that 80x24 leaves above the log


async def test_names_are_never_markup_and_never_control_the_terminal() -> None:
    text = "edition: clue-classic\nplayers: [red]Ann, [/], B[31m\nviewer: [red]Ann\n\n"
    async with playing(text + "[red]Ann suggests Plum, Rope, Hall: [/] shows Plum\n") as at:
        for key in ("f7", "f7", "f8", "f9", "escape", "f2", "enter", *["escape"] * 5):
            await at.type("", key)
        assert at.there
        assert "[red]Ann" in at.said("#head")
        assert "\x1b" not in at.picture


async def test_a_game_that_cannot_be_written_goes_on_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    keeper = RecordFile(tmp_path / "file" / "game.clue")
    async with showing(PlayApp(Session(parse_record(SMALL), keeper=keeper))) as at:
        assert at.said("#trouble").startswith("! not written")
        await at.put("sc le ki : cat", "enter")
        assert len(at.lines) == 3
        assert at.said() == f"in memory only: {TOLD}"


async def test_what_another_program_writes_is_read_and_said_and_never_lost(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as at:
        path.write_text(f"{SMALL}{TOLD}\n", "utf-8")
        await at.until(lambda: len(at.lines) == 3)
        await at.settle()
        assert "another program has changed the file" in at.said()
        assert "Ben Scarlett Lead Kitchen" in at.picture
        await at.put("cat sc le ki : ?", "enter")
        assert lines_in(path)[2:] == (TOLD, "Cat suggests Scarlett, Lead Pipe, Kitchen")


async def test_what_to_do_stands_above_the_line_at_first_sight_then_by_a_closer_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[Headline] = []
    tell = TableScreen._tell

    def counted(screen: TableScreen, *told_of: Any) -> None:
        told.append(Headline(told_of[-1].text, told_of[-1].remark))
        tell(screen, *told_of)

    monkeypatch.setattr(TableScreen, "_tell", counted)
    known = "Ann knows envelope has Peacock\nAnn knows envelope has Wrench\n"
    async with playing(SMALL + known, decides=True) as at:
        game = at.screen.session.game
        assert told == [headline(game.advice(quick=quick)) for quick in (True, False)]
        assert told[0].text.startswith("On your turn ask ")
        assert told[0].remark == "These are the likeliest cards."
        assert "Your chance to win" in told[1].remark
        assert at.said("#verdict") == " ".join(told[1])
        assert not at.screen.query_one("#verdict").has_class("-certain")
        told.clear()
        await at.put("ann knows envelope has lounge", "enter")
        text = "Accuse now: Peacock, Wrench, Lounge."
        assert {*told} == {Headline(text, "It is certain.")}
        assert at.screen.query_one("#verdict").has_class("-certain")


async def test_with_sixteen_colours_no_faint_word_stands_on_a_panel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for system, few in (("standard", True), ("256", False), ("truecolor", False)):
        monkeypatch.setattr(Console, "color_system", system)
        assert PlayApp().has_class("-few") is few


async def test_a_longer_line_moves_nothing_and_an_entry_styles_no_more_than_it_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moved: list[str | None] = []
    styled: list[str | None] = []
    refresh = Widget.refresh
    update_styles = PlayApp.update_styles

    def refreshed(widget: Widget, *regions: Region, layout: bool = False, **how: bool) -> Widget:
        if layout:
            moved.append(widget.id)
        return refresh(widget, *regions, layout=layout, **how)

    def restyled(app: PlayApp, node: DOMNode, **how: bool) -> None:
        styled.append(node.id)
        update_styles(app, node, **how)

    async with playing(SMALL) as at:
        monkeypatch.setattr(Widget, "refresh", refreshed)
        monkeypatch.setattr(PlayApp, "update_styles", restyled)
        await at.type("ben sc le ki: cat no, ")
        assert "entry" not in moved
        assert set(styled) <= {"entry"}
        await at.type("me no", "enter")
        assert at.screen.session.lines[-1].startswith("Ben suggests")
        assert set(styled) <= {"entry", "verdict", "telling"}


async def test_an_answer_does_not_open_over_a_line_that_was_begun_meanwhile() -> None:
    async with playing() as at:
        wait = Event()

        def answer() -> str:
            assert wait.wait(60)
            return "an answer"

        at.screen.ask("Advice", answer)
        await at.pilot.press("r")
        wait.set()
        await at.settle()
        assert (at.there, at.line) == (True, "r")
        assert at.said() == "Advice is there; ask for it once more to read it"
        await at.type("", "backspace")
        at.screen.ask("Advice", answer)
        await at.settle()
        assert isinstance(at.front, TextDialog)


async def test_every_command_is_a_word_with_or_without_a_stroke() -> None:
    async with playing() as at:
        for word, wanted in (
            ("undo", "taken back"),
            ("/redo", "done again"),
            ("redo", "nothing to redo"),
            ("hands 6,6,6", "hand sizes: 6, 6, 6"),
            ("/delete 2", "entry 2 taken out"),
            ("/delete x", "expected a number, as in /delete 7"),
            ("/nonsense", "no command /nonsense"),
            ("/undo 2", "expected nothing after /undo; found '2'"),
        ):
            await at.put(word, "enter")
            assert wanted in at.said()
        assert (at.line, len(at.lines)) == ("/undo 2", 1)  # to be put right
        for word, wanted in (
            ("why plum ann", "Ann holds Plum"),
            ("/sheet 1", "Scarlett"),
            ("log", "Ann holds Plum"),
        ):
            await at.put(word, "enter")
            assert isinstance(at.front, TextDialog)
            assert wanted in at.picture
            await at.type("", "escape")
            assert (at.line, at.said()) == ("", "")


async def test_the_help_has_every_key_every_command_and_every_form() -> None:
    console = Console(file=StringIO(), width=76)
    console.print(help_text())
    shown = " ".join(cast(StringIO, console.file).getvalue().split())
    wanted = {f"/{each.word}" for each in COMMANDS} | {f"F{number}" for number in range(1, 11)}
    wanted |= {each.form.verb.split()[0] for each in kinds()}
    wanted |= {"shows ?", ";", "me ", "no ", "mus wr lou; cat", "first", "pieces", "solution"}
    wanted |= {"your room", "your roll", "your dice", "Ctrl+P"}
    assert [each for each in wanted if each not in shown] == []


def comes_first(at: Person, word: str) -> bool:
    """Whether the first of what is offered has the word."""
    offered = at.front.query_one(OptionList)
    return bool(offered.option_count) and word in str(offered.get_option_at_index(0).prompt)


async def test_the_palette_has_every_command_and_the_foot_says_the_way_out() -> None:
    async with playing() as at:
        titles = [each.title for each in at.app.get_system_commands(at.screen)]
        listed = {title.split()[0] for title in titles}
        assert listed == {f"/{each.word}" for each in COMMANDS}
        assert {f"/{word}" for word in WORDS} <= listed
        assert "^q Quit" in at.picture
        assert [each.label for each in COMMANDS if each.label not in at.rows[-1]] == []
        assert "^p palette" in at.picture
        for word, there in (
            ("/suppose", lambda: at.line == "/suppose "),
            ("last change", lambda: len(at.lines) == 1),  # by what it does
            ("theme", lambda: not at.app.current_theme.dark),
        ):
            await at.type("", "ctrl+p")
            assert isinstance(at.front, CommandPalette)
            await at.type(word)
            await at.until(partial(comes_first, at, word))
            await at.type("", "enter")
            await at.until(there)
        assert at.there
        await at.type("", "ctrl+u", "ctrl+c")
        assert at.said() == "Ctrl+Q leaves; all is in the file"
        await at.type("", "ctrl+t")
        assert at.app.current_theme.dark
        await at.type("", "f1")
        assert "Type what happens" in at.picture


async def test_the_end_of_a_game_offers_the_review() -> None:
    async with playing() as at:
        await at.put("ben accuses scar can kit: right", "enter")
        assert at.said().endswith("The game is over: /review looks back on it.")
        await at.type("", "f10")
        assert at.said() == "the game is over: /review looks back on it"
        await at.type("/review", "enter")
        assert isinstance(at.front, TextDialog)
        assert "Ben" in at.picture


async def test_the_entry_chosen_in_the_log_stays_chosen_and_a_letter_there_begins_a_line() -> None:
    async with playing(SMALL + "Ben skips\nCat skips\n") as at:
        assert at.log.entry == 4
        at.log.highlighted = 2
        at.screen._write_log()  # as a sheet does that was computed meanwhile
        assert at.log.entry == 3
        at.log.focus()
        await at.type("", " ")
        assert at.said("#banner").startswith("As of entry 3")
        at.log.focus()
        await at.type("cat")
        assert (at.line, at.screen.focused) == ("cat", at.one(EntryLine))


async def test_pasted_lines_are_told_in_order_and_wait_behind_one_that_is_not_taken() -> None:
    async with playing() as at:
        await at.paste("ben sc le ki : cat\n\ncat sc le ki : ?\r\nann sc le")
        assert (len(at.lines), at.line) == (4, "ann sc le")
        await at.type("", "ctrl+u")
        await at.paste("ann sc le kix\nben sc le ki : cat\n")
        assert at.line == "ann sc le kix"
        assert "1 more line follows (Esc drops): ben sc le ki : cat" in at.said()
        await at.type("", "backspace")
        await at.type(" : ben", "enter")
        assert "Which card did Ben show you?" in at.said()
        await at.type("1", "enter")
        assert at.lines[4:] == (
            "Ann suggests Scarlett, Lead Pipe, Kitchen: Ben shows Scarlett",
            TOLD,
        )
        await at.paste("cat sc ro\nann skips\n")
        await at.type("", "escape")
        assert at.said() == "the other pasted lines are left out"
        await at.put("cat sc le ki", "ctrl+u")
        await at.paste("cat sc le ki : ann\nann skips\n")  # Ann, who passed, holds none of them
        assert "1 more line follows" in at.said()
        await at.type("", "escape")
        assert at.said() == "the other pasted lines are left out"
        await at.put("dan sc", "enter")
        assert len(at.lines) == 6
        await cast(PlayApp, at.app).action_quit()
        assert cast(PlayApp, at.app).untaken == ("dan sc",)
