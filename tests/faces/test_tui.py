"""The full screen as a player meets it: stories of what is typed, and what comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.command import CommandPalette

from clue_solver.faces.games import KeptGame
from clue_solver.faces.helping import forms
from clue_solver.faces.tui.app import PlayApp
from clue_solver.faces.tui.dialogs import Choose, Reader
from clue_solver.notation import TurnState, readings
from clue_solver.rules.edition_files import load_edition, shipped_editions
from clue_solver.rules.table import Table
from tests.faces.screen import (
    CLASH,
    FIRST,
    HAND,
    HEADER,
    SMALL,
    lines_in,
    playing,
    showing,
)

asynchronous = pytest.mark.asyncio

TOLD = "Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows"
DICED = "edition: clue-diced\nplayers: Ida, Leo, Mia\nviewer: Ida\n\n"


@asynchronous
async def test_a_line_is_told_in_short_taken_back_and_told_again(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as at:
        await at.type("sc le ki : cat")
        assert at.said() == f"→ {TOLD}"
        await at.type("", "enter")
        assert lines_in(path)[-1] == TOLD
        assert (at.line, at.labels, at.said()) == ("", [], f"✓ 3 {TOLD}")
        assert "Cat's turn · 3 entries" in at.picture
        await at.type("", "ctrl+z")
        assert (at.line, len(lines_in(path))) == ("sc le ki : cat", 2)  # as it was typed
        assert at.said() == f"taken back: 3 {TOLD}"
        await at.type("", "ctrl+y")
        assert (at.line, lines_in(path)[-1]) == ("", TOLD)
        await at.type("", "ctrl+n")
        assert at.lines[-1] == "Cat skips"
        await at.type("scratch that", "enter")
        assert at.lines[-1] == TOLD
        await at.type("", "ctrl+z", "ctrl+z")
        await at.type(" and mor", "ctrl+z")
        assert (at.line, len(at.lines)) == ("", 1)  # what is typed goes first
        assert "Ctrl+Z once more takes the last entry back" in at.said()
        await at.type("", "ctrl+z")
        assert lines_in(path) == ()
        assert "Undo" not in at.picture  # a key stands at the foot where it does something


@asynchronous
async def test_the_log_shows_the_newest_entry_whatever_takes_its_room() -> None:
    skips = "".join(f"{seat} skips\n" for seat in ("Ben", "Cat", "Ann") * 12)
    async with playing(SMALL + skips, decides=True) as at:
        assert "38 Ann skips" in at.picture  # on return, under what is told later
        await at.type("ben sc le ki: cat", "enter")
        assert "39 Ben Scarlett" in at.picture
        at.screen.write_verdict("Ask", "why\n" * 5)
        await at.settle()
        assert "39 Ben Scarlett" in at.picture
        await at.type("/edit 20 cat skips", "enter")
        await at.take_as_it_stands()
        assert "39 Ben Scarlett" in at.picture
        await at.type("cat plum rope ki: ann", "enter")
        assert isinstance(at.front, Choose)
        assert "39 Ben Scarlett" in at.picture  # what is asked covers neither log nor line


@asynchronous
async def test_a_refused_line_is_marked_and_a_command_that_fails_stands_again() -> None:
    async with playing() as at:
        await at.type("ben scra le ki")
        before = at.said()
        await at.type("", "enter")
        assert "not taken: " in at.said() != before
        assert at.screen.line.has_class("-refused")
        await at.type("x")
        assert not at.screen.line.has_class("-refused")
        await at.put("why plmu ben", "enter")
        assert at.screen.line.has_class("-refused")
        assert at.line == "why plmu ben"


@asynchronous
@pytest.mark.parametrize("asked", ["what should I ask?", "why should i ask white?", "why accuse?"])
async def test_a_question_what_to_do_is_answered_as_f10_answers(asked: str) -> None:
    async with playing(decides=True) as at:
        await at.type(asked, "enter")
        assert isinstance(at.front, Reader)
        advice = at.picture
        await at.type("", "escape")
        await at.type("", "enter")
        assert isinstance(at.front, Reader)  # why of the cell
        await at.type("", "f10")
        assert at.picture == advice
        await at.type("", "escape")
        await at.put("ann pea rev bal: ben", "enter")
        for key in ("f1", "f10"):
            await at.type("", key)
            assert isinstance(at.front, Reader)
            await at.type("", "escape")
            assert isinstance(at.front, Choose)  # the question stays


@asynchronous
async def test_a_half_typed_line_is_there_on_return_and_a_skip_beside_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as at:
        await at.type("cat plum ro", "ctrl+n")
        assert (at.line, at.said()) == ("cat plum ro", "✓ 3 Ben skips")
        await at.type("", "ctrl+u")
        await at.type("/edit 2", "enter", "ctrl+n")
        assert (len(at.lines), "goes at the end" in at.said()) == (3, True)
        await at.type("", "escape")
        await at.put("cat plum ro")
        await at.type("", "ctrl+q")
    assert isinstance(at.app, PlayApp)
    assert at.app.left(ask=False)
    assert "not taken yet, and kept with the game: cat plum ro" in capsys.readouterr().err
    async with playing(path.read_text("utf-8"), path) as at:
        assert (at.line, len(at.lines)) == ("cat plum ro", 3)
        await at.type("", "escape", "up")
        assert at.line == "cat plum ro"
    async with playing(path.read_text("utf-8"), path) as at:
        assert at.line == ""


@asynchronous
async def test_another_game_is_begun_at_any_time_and_this_one_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as at:
        await at.type("ben skips", "enter")
        await at.type("new", "enter", wait=False)
        await at.pilot.pause()
    assert len(lines_in(path)) == 3
    assert isinstance(at.app, PlayApp)
    again = at.app.another()
    assert again is not None
    async with showing(again) as at:
        assert at.asked[1] == ["A new game", "A game against machines"]
        await at.type("", "enter", "enter")
        await at.type("Kim, Lee, Mia", "ctrl+s")
        assert at.lines == ()
        kept = at.screen.session.keeper.path
        assert kept.parent != tmp_path
        kept.unlink()
    assert again.another() is None


@asynchronous
async def test_what_is_offered_is_greyed_taken_by_tab_or_chosen_by_arrows() -> None:
    async with playing() as at:
        await at.type("ben sc c")
        assert at.labels == ["Candlestick", "Conservatory"]
        await at.type("", "down", "down", "enter")  # Enter takes what an arrow has marked
        assert (at.line, len(at.lines)) == ("ben sc Conservatory, ", 2)
        await at.put("ben gren knfe li: cat")
        assert "did you mean 'Mr. Green'? Tab takes it" in at.said()
        await at.type("", "tab", "tab")
        assert at.line == "ben Green Knife li: cat"
        await at.put("cat mus wr lou: ann mus", "enter")
        assert "you do not hold Mustard" in at.said()
        assert (at.line, len(at.lines)) == ("cat mus wr lou: ann mus", 2)
        await at.put("ben suggests plmu")
        row = next(n for n, each in enumerate(at.rows) if " 3>" in each)
        assert at.rows[row + 1].index("^") == at.rows[row].index("plmu")
        await at.type("", "escape", "up")  # what was typed comes back
        assert at.line == "ben suggests plmu"


@asynchronous
async def test_what_is_doubtful_is_asked_and_enter_alone_answers_nothing() -> None:
    async with playing() as at:
        await at.type("ben white le ki: ann", "escape")
        await at.type("cat plum rope ki: ann", "enter")
        question, answers = at.asked
        assert question == "Which card did you show Cat?"
        await at.type("", "enter")
        assert at.asked == (question, answers)
        await at.type("1")  # a number answers at Enter, as a word does
        assert at.asked == (question, answers)
        await at.type("", "backspace", "enter")
        assert at.asked == (question, answers)
        await at.type("rope", "enter")
        assert at.asked[1][0] == "Ben skips"
        await at.type("", "escape")
        assert (at.line, len(at.lines)) == ("Cat suggests Plum, Rope, Kitchen: Ann shows Rope", 2)
        await at.type("", "enter")
        await at.type("y", "enter")
        assert at.lines[-2:] == ("Ben skips", "Cat suggests Plum, Rope, Kitchen: Ann shows Rope")
        await at.type("ann pea rev bal: ben", "enter")
        before = at.lines
        await at.type("undo", "enter")  # takes back what is asked about, and no entry
        assert (at.line, at.lines) == ("ann pea rev bal: ben", before)
        await at.type("", "enter")
        assert "Which card did Ben show you?" in at.asked[0]
        await at.type("ann pea rev bal: ben bal", "enter")  # another line goes its own way
        assert at.lines[-1] == "Ann suggests Peacock, Revolver, Ballroom: Ben shows Ballroom"
        assert "not taken: ann pea rev bal: ben (Up brings it back)" in at.said()


@asynchronous
async def test_entries_are_edited_put_in_and_taken_out_and_a_draft_stays() -> None:
    async with playing(SMALL + "Ben skips\nCat skips\n") as at:
        await at.type("ann whi", "f6", "f6")
        await at.type("", "up", "up", "enter")
        assert (at.line, at.screen.dialog.place.entry) == (FIRST.strip(), 2)
        assert "edit 2>" in at.picture
        await at.type("", "escape")
        assert (at.line, at.screen.dialog.place.entry) == ("ann whi", None)
        await at.put("/edit 3 ben pe ro li: cat")
        assert at.said() == "→ Ben suggests Peacock, Rope, Library: Cat shows"
        await at.put("/insert 3 ben pe plmu")
        assert "did you mean 'Professor Plum'" in at.said()
        await at.put("/edit 3 ben pe ro li: cat", "enter")
        assert at.said() == "✓ 3 is now Ben suggests Peacock, Rope, Library: Cat shows"
        await at.type("/insert 3 ben skips", "enter")
        await at.type("yes", "enter")
        assert at.said() == "✓ 3 is put in: Ben skips"
        await at.type("delete 3", "enter")
        assert at.said() == "entry 3 taken out; Ctrl+Z undoes it"


@asynchronous
async def test_a_log_that_contradicts_itself_is_mended_from_a_list_and_fits_again() -> None:
    async with playing() as at:
        await at.type(CLASH.strip().replace("Ann passes", "ann no"), "enter")
        assert "are you sure" in at.asked[0]
        await at.type("y", "enter")
        assert "✗ 3 contradicts the log:" in at.said()
        assert "Provisional: the sheet if" in at.said("#banner")
        assert "F5 mends that" in at.said("#verdict")
        assert "Mend" in at.picture  # a key of the foot, where there is something to mend
        await at.type("cat skips", "enter")
        assert at.said().startswith("✓ 4 Cat skips")
        await at.type("", "ctrl+z", "ctrl+u")
        await at.type("", "f5")
        assert at.asked[1][-1].startswith("none of these")
        await at.type("", "enter")
        assert "corrected" in at.said()
        assert at.said().endswith("The entries fit again.")
        assert at.said("#banner") == ""
        assert "Mend" not in at.picture
        await at.type("", "f5")
        assert at.there


@asynchronous
async def test_the_sheet_is_asked_why_and_tells_as_much_as_is_wanted() -> None:
    async with playing() as at:
        assert at.sheet.cell == ("Scarlett", "envelope")
        await at.type("", "tab", "down", "right", "right", "enter")
        await at.pilot.click(offset=(20, 8))  # as one selects a text
        assert isinstance(at.front, Reader)
        assert "Mustard" in at.picture
        await at.type("ann mus")  # what is typed over a text is the next line
        assert (at.there, at.line) == (True, "ann mus")
        await at.type("", "escape", "f9")
        assert "The program tells the sheet, no advice." in at.said()
        await at.type("", "f9")
        assert "67" not in at.picture  # no chance, marks alone
        told = (
            "why rope ben",
            "best",
            "log",
            "sheet 1",
            "check",
            "as ben",
            "suppose ben has white",
        )
        for word in (*told, "help more"):
            await at.type(word, "enter")
            assert isinstance(at.front, Reader), word
            await at.type("", "escape")
        await at.type("", "ctrl+p")
        assert isinstance(at.front, CommandPalette)


@asynchronous
async def test_the_header_is_changed_by_words_that_stand_in_the_line(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as at:
        await at.type("", "f4")
        assert at.line.startswith("/hands ")
        await at.put("/seats Anna, Ben, Carl", "enter")
        assert lines_in(path)[1] == FIRST.strip().replace("Ann", "Anna").replace("Cat", "Carl")
        path.write_text(HEADER + HAND, "utf-8")  # another program
        await at.pilot.pause(1.1)
        assert "another program has changed the file" in at.said()
        assert len(at.lines) == 1


@asynchronous
async def test_hands_still_hidden_are_asked_for_once_the_game_is_over() -> None:
    async with playing(HEADER + HAND) as at:
        await at.type("ben accuses sc can kit right", "enter")
        assert "Which 6 cards did Ben hold?" in at.asked[0]
        await at.type("pea lead lib bal con", "enter")  # one card short: it stays
        await at.type(" mus", "enter")
        assert at.lines[-1].startswith("Ben holds Peacock")
        assert "Which 6 cards did Cat hold?" in at.asked[0]
        await at.type("review", "enter")  # a command leaves what is asked
        assert isinstance(at.front, Reader)
        await at.type("", "escape")
        assert (at.there, at.line) == (True, "")


@asynchronous
async def test_advice_is_read_and_the_next_line_is_not_lost(tmp_path: Path) -> None:
    async with playing(HEADER, decides=True) as at:
        assert "Your hand is not in the log yet" in at.said("#verdict")
        await at.type("", "f10")
        assert "Which 6 cards do you hold?" in at.asked[0]
        await at.type("plum rope hall study knife green", "enter")
        assert at.lines == (HAND.strip(),)
        assert isinstance(at.front, Reader)
        await at.type("dan")  # no letter is a key of the advice
        assert (at.there, at.line) == (True, "dan")


@asynchronous
async def test_what_happened_is_chosen_from_lists_with_no_notation() -> None:
    async with playing() as at:
        await at.type("", "f2", "enter", "enter")
        await at.type("sc", "enter", "escape")
        await at.type("2", "enter", *["enter"] * 2)
        await at.type("cat", "enter", "enter")
        assert at.line == "Ben suggests Mustard, Candlestick, Kitchen: Cat shows"
        assert len(at.lines) == 2  # Enter takes it
        await at.type("", "enter")
        assert at.lines[-1] == "Ben suggests Mustard, Candlestick, Kitchen: Cat shows"


@asynchronous
async def test_a_game_of_diced_says_what_to_type_and_helps_on_one_page() -> None:
    own = "Ida rolls Scarlett, Mustard, question\nIda scarlett orchid: -\n"
    async with playing(DICED + own) as at:
        assert "Ida: bonus die, asks ..." in at.picture
    async with playing(DICED) as at:
        await at.type("ida skips", "enter", "f1")
        assert "ida peeks: scarlett" in at.picture
        assert "help more: all." in at.picture  # its last line: it is one page
        assert "moves to" not in at.picture
        await at.type("", "escape")
        assert "Leo: rolls scar must orch glas" in at.picture


def test_every_line_of_the_help_can_be_typed_in_its_edition() -> None:
    for name in shipped_editions():
        edition = load_edition(name)
        seats = ("Ann", "Ben", "Cat")
        table = Table(edition=edition, seats=seats, viewer="Ann")
        for line, _ in forms(table):
            found = readings(line.replace(" ...", ""), table, TurnState())
            assert len(found) == 1, (name, line)


@asynchronous
async def test_set_up_asks_what_this_box_leaves_open_and_esc_goes_back() -> None:
    async with showing(PlayApp()) as at:
        await at.type("", "up", "enter")  # above the usual edition is clue-2015
        await at.type("Kim, Lee", "enter")
        assert at.asked[1] == ["Kim", "Lee", "nobody: I only watch"]
        await at.type("", "enter")
        assert at.asked[0] == "In which rooms do cards lie?"
        assert "Kitchen, Conservatory, Lounge, Study" in at.picture
        await at.type("", "enter")
        await at.type("plum, ro", "enter")
        assert "so far: Plum, Rope; expected 7 cards" in at.picture
        await at.type(", hall, knife, green, bil, white", "enter")
        assert at.asked[0] == "Which piece is yours?"
        await at.type("pea", "enter")
        await at.type("", *["escape"] * 5)
        assert at.asked[0] == "Players, clockwise"
        assert "Kim, Lee" in at.picture
        await at.type("", *["enter"] * 4)
        assert at.asked[0] == "Which piece is yours?"
        await at.type("", "enter", "enter")  # Enter starts behind the last question
        table = at.screen.session.record.table
        assert (table.pieces, table.hands) == (("Peacock", None), (7, 7))
        assert {slot.name for slot in table.slots} == {"Kitchen", "Conservatory", "Lounge", "Study"}


@asynchronous
async def test_set_up_asks_again_about_what_is_wrong_and_once_about_doubtful_names() -> None:
    async with showing(PlayApp()) as at:
        await at.type("Anna", "enter")
        assert (at.asked[0], "✗" in at.picture) == ("Which edition?", True)
        await at.put("clue-cl", "enter")
        await at.type("Anna, Ben Cat", "enter")
        assert "Is 'Ben Cat' one player? Enter again if so" in " ".join(at.picture.split())
        await at.type("", "enter")
        await at.type("Zoe", "enter")
        assert (at.asked[0], "✗" in at.picture) == ("You are", True)
        await at.put("anna", "ctrl+s")
        assert at.screen.session.record.table.seats == ("Anna", "Ben Cat")


@asynchronous
async def test_the_first_screen_offers_the_games_that_have_not_ended(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.clue").write_text(SMALL, "utf-8")
    files = [KeptGame(tmp_path / "two.clue"), KeptGame(tmp_path / "one.clue")]
    last = files[0].record.table
    async with showing(PlayApp(offered=files, last=last)) as at:
        assert at.asked[1][1].startswith("Go on with Ann, Ben, Cat; Clue; ")
        assert at.asked[1][-1] == "A game against machines"
        assert at.asked[1][1].endswith("; Ben's turn, 2 entries")
        await at.type("", "escape")
        assert isinstance(at.front, Choose)
        await at.type("2", "enter")
        assert at.screen.session.keeper.path == files[1].path
