"""The full screen as a player meets it, through the real application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static

from clue_solver.errors import NotationError
from clue_solver.exchange.layout import with_hand
from clue_solver.faces.asking import Prompt, asked_after
from clue_solver.faces.tui.app import OfferScreen, PlayApp, SetupScreen, beginning
from clue_solver.faces.tui.entry import Choosing, EntryLine, Matches, pointing
from clue_solver.faces.tui.panes import Correcting, Filling, LogView, Reading
from clue_solver.faces.tui.playing import PlayScreen
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.notation import TurnState
from clue_solver.record import load_record, parse_record
from clue_solver.record.files import Keeper
from clue_solver.session import Session
from tests.faces.shot import shot

pytestmark = pytest.mark.asyncio

HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n\n"
HAND = "Ann holds Plum, Rope, Hall, Study, Knife, Green\n"
FIRST = "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard\n"
SMALL = HEADER + HAND + FIRST
CLASH = "Ben suggests Mustard, Wrench, Lounge: Cat passes, Ann passes\n"

KEYS = {" ": "space", ":": "colon", ",": "comma", "-": "minus", "?": "question_mark"}

Playing = tuple[Pilot[None], PlayScreen]


@asynccontextmanager
async def playing(
    text: str = SMALL, path: Path | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Playing]:
    """Open a game on the full screen, from a file where a path is given."""
    if path is None:
        session = Session(parse_record(text))
    else:
        path.write_text(text, "utf-8")
        session = Session(load_record(path), keeper=Keeper(path))
    app = PlayApp(session)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, PlayScreen)
        yield pilot, app.screen
    session.close()


async def settle(pilot: Pilot[None]) -> None:
    """Wait until everything that was asked for is drawn."""
    for _ in range(3):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def typing(pilot: Pilot[None], text: str, *keys: str) -> None:
    """Type a text as fast as it can be read, then press keys."""
    for mark in text:
        pilot.app.post_message(Key(_character_to_key(mark), mark))
    await pilot.press(*keys)
    await settle(pilot)


async def take_as_it_stands(pilot: Pilot[None], screen: PlayScreen) -> None:
    """Answer what is asked about the line so that it is taken as it is."""
    while screen._question is not None:
        choices = screen._question.doubt.choices
        stands = (n for n, each in enumerate(choices, 1) if each.stands or "?" in each.label)
        await typing(pilot, str(next(stands, "y")), "enter")


def line_of(screen: PlayScreen) -> str:
    return screen.query_one(EntryLine).value


def said(screen: Screen[Any], where: str = "#note") -> str:
    return str(screen.query_one(where, Static).visual)


def picture(screen: Screen[Any]) -> str:
    """The screen as text."""
    return "\n".join(
        "".join(each.text for each in strip) for strip in screen._compositor.render_strips()
    )


def in_front(pilot: Pilot[None]) -> Screen[Any]:
    """The screen that is in front."""
    return pilot.app.screen


def lines_in(path: Path) -> tuple[str, ...]:
    return Session(load_record(path)).game.lines


async def test_a_line_in_short_is_told_written_and_drawn(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as (pilot, screen):
        await typing(pilot, "sc le ki : cat", "enter")
        told = "Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows"
        assert told == screen.session.game.lines[-1]
        assert told == lines_in(path)[-1]
        assert line_of(screen) == ""
        assert told in said(screen)
        assert screen.drawn is not None
        assert screen.drawn.entries == 3
        assert "turn: Cat" in said(screen, "#head")


async def test_keys_that_follow_at_once_go_into_the_next_line() -> None:
    async with playing() as (pilot, screen):
        marks = [KEYS.get(mark, mark) for mark in "sc le ki : cat"]
        await pilot.press(*marks, "enter", *marks[:5])
        await settle(pilot)
        assert 3 == len(screen.session.game.lines)
        assert line_of(screen) == "sc le"


async def test_implied_passes_are_shown_before_enter() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ann mus wr lou : cat")
        assert "Ben passes, Cat shows" in said(screen)
        assert len(screen.session.game.lines) == 2


async def test_tab_accepts_the_first_match_and_arrows_choose_another() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben sc c")
        found = screen.query_one(Matches).found
        assert len(found) > 1
        await typing(pilot, "", "down", "tab")
        assert line_of(screen) == found[1].line
        assert "Candlestick" in {match.label for match in found}


async def test_the_rest_of_the_first_match_is_dimmed_after_the_cursor() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben suggests Scar")
        assert "ben suggests Scarlett" in screen.query_one(EntryLine)._suggestion


async def test_an_error_stands_under_its_place_and_the_line_stays() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben suggests plmu", "enter")
        assert line_of(screen) == "ben suggests plmu"
        caret, words = said(screen).split("^")
        assert caret.strip() == ""
        assert "unknown card 'plmu'" in words
        line = screen.query_one(EntryLine)
        assert len(caret) + 1 == line.region.x + line.value.index("plmu")
        assert len(screen.session.game.lines) == 2


async def test_answers_that_contradict_the_log_are_marked_while_typing() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben suggests Mustard, Wrench, Lounge: cat passes, ann passes")
        assert "contradicts the log" in said(screen)


async def test_undo_and_redo_across_a_save(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as (pilot, screen):
        await typing(pilot, "sc le ki : cat", "enter", "ctrl+z")
        assert 2 == len(lines_in(path))
        await typing(pilot, "", "ctrl+z", "ctrl+z", "ctrl+z")
        assert 0 == len(lines_in(path))
        assert "nothing to undo" in said(screen)
        await typing(pilot, "", "ctrl+y", "ctrl+y", "ctrl+y")
        assert 3 == len(lines_in(path))


async def test_an_edit_that_contradicts_is_mended_from_the_list_of_corrections(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.clue"
    text = SMALL + "Ben suggests Plum, Wrench, Lounge: Cat passes, Ann shows Plum\n"
    async with playing(text, path=path) as (pilot, screen):
        log = screen.query_one(LogView)
        log.focus()
        log.highlighted = 2
        await typing(pilot, "", "enter")
        assert line_of(screen) == text.splitlines()[-1]
        screen.query_one(EntryLine).value = ""
        await typing(pilot, CLASH.strip(), "enter", "y", "enter")
        assert screen.drawn is not None
        assert not screen.drawn.consistent
        assert "cannot all be true" in picture(screen)
        assert screen.check is not None
        assert screen.query_one("#corrections", OptionList).option_count > 0
        await typing(pilot, "", "f5")
        dialog = in_front(pilot)
        assert isinstance(dialog, Correcting)
        assert len(screen.check.corrections) == dialog.query_one(OptionList).option_count
        await typing(pilot, "", "enter")
        assert screen.drawn.consistent
        assert CLASH.strip() != lines_in(path)[-1] or lines_in(path) != screen.session.game.lines
        assert "corrected" in said(screen)


async def test_a_digit_makes_that_correction() -> None:
    async with playing(SMALL + CLASH) as (pilot, screen):
        assert screen.check is not None
        second = screen.check.corrections[1]
        await typing(pilot, "", "2")
        changed = {change.after for change in second.changes}
        assert changed <= set(screen.session.game.lines) | {"hands"}
        assert line_of(screen) == ""


async def test_escape_leaves_an_edit_and_gives_the_half_typed_line_back() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben sc")
        log = screen.query_one(LogView)
        log.focus()
        log.highlighted = 1
        await typing(pilot, "", "enter")
        assert screen.editing == 2
        assert line_of(screen) == FIRST.strip()
        await typing(pilot, "", "escape")
        assert screen.editing is None
        assert line_of(screen) == "ben sc"


async def test_delete_takes_an_entry_out_and_undo_brings_it_back() -> None:
    async with playing() as (pilot, screen):
        screen.query_one(LogView).focus()
        await typing(pilot, "", "delete")
        assert 1 == len(screen.session.game.lines)
        await typing(pilot, "", "ctrl+z")
        assert 2 == len(screen.session.game.lines)


async def test_hand_sizes_are_changed_and_a_wrong_one_is_said() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "", "f4")
        dialog = in_front(pilot)
        assert isinstance(dialog, Filling)
        dialog.query_one(Input).value = "6, 6, 7"
        await typing(pilot, "", "enter")
        assert in_front(pilot) is dialog
        assert "add up" in str(dialog.query_one("#wrong", Static).visual)
        dialog.query_one(Input).value = "6, 6, 6"
        await typing(pilot, "", "enter")
        assert in_front(pilot) is screen
        assert screen.session.record.table.hands == (6, 6, 6)


async def test_why_on_a_cell() -> None:
    async with playing() as (pilot, screen):
        screen.query_one(SheetView).focus()
        await typing(pilot, "", "w")
        assert isinstance(in_front(pilot), Reading)
        assert "Scarlett" in picture(in_front(pilot))
        await typing(pilot, "", "escape")
        assert in_front(pilot) is screen
        await typing(pilot, "", "escape", "enter")
        assert isinstance(in_front(pilot), Reading)


async def test_a_key_asks_what_to_ask_next() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ann ", "f10")
        assert isinstance(in_front(pilot), Reading)
        await typing(pilot, "", *["pagedown"] * 9)
        assert "settles" in picture(in_front(pilot))
        await typing(pilot, "", "escape")
        assert line_of(screen) == "ann "


async def test_a_second_click_on_a_cell_asks_why() -> None:
    async with playing() as (pilot, screen):
        sheet = screen.query_one(SheetView)
        row = next(n for n, line in enumerate(picture(screen).split("\n")) if "White" in line)
        place = (sheet.size.width - 4, row - sheet.region.y)
        await pilot.click(sheet, offset=place)
        await settle(pilot)
        assert sheet.cell is not None
        assert "envelope" == sheet.cell[1]
        assert sheet.cell[0][:8] in picture(screen).split("\n")[row]
        await pilot.click(sheet, offset=place)
        await settle(pilot)
        assert isinstance(in_front(pilot), Reading)


async def test_what_if_shows_a_banner_until_escape() -> None:
    async with playing() as (pilot, screen):
        assert screen.drawn is not None
        before = screen.drawn.probability("Scarlett", "envelope")
        await typing(pilot, "", "f8")
        assert "WHAT IF envelope has Scarlett" in said(screen, "#banner")
        assert 1.0 == screen.drawn.probability("Scarlett", "envelope")
        await typing(pilot, "", "f8")
        assert 0.0 == screen.drawn.probability("Scarlett", "envelope")
        await typing(pilot, "", "escape")
        assert not screen.query_one("#banner").display
        assert before == screen.drawn.probability("Scarlett", "envelope")


async def test_the_game_as_of_an_earlier_entry_and_back() -> None:
    async with playing() as (pilot, screen):
        await pilot.press("left_square_bracket")
        await settle(pilot)
        assert screen.drawn is not None
        assert screen.drawn.entries == 1
        assert "AS OF ENTRY 1" in said(screen, "#banner")
        await pilot.press("right_square_bracket")
        await settle(pilot)
        assert screen.drawn.entries == 2
        assert screen.view.banner == ""


async def test_eyes_go_round_the_table_and_come_back() -> None:
    async with playing() as (pilot, screen):
        seen = []
        for _ in range(4):
            await typing(pilot, "", "f7")
            assert screen.drawn is not None
            seen.append(screen.drawn.viewer)
        assert seen == ["Ben", "Cat", "spectator", "Ann"]
        assert screen.view.banner == ""


async def test_which_card_to_show() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "ben plum rope lounge", "f3")
        assert isinstance(in_front(pilot), Reading)
        text = picture(in_front(pilot))
        assert "Plum" in text
        assert "Rope" in text
        assert "bits" in text
        assert line_of(screen) == "ben plum rope lounge"


async def test_a_suggestion_from_lists_by_keys_alone() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "", "f2")
        assert isinstance(in_front(pilot), Choosing)
        await typing(pilot, "", *["enter"] * 5, "down", "up", "enter", "enter")
        assert in_front(pilot) is screen
        assert screen.session.turn == "Ben"
        head = "Ben suggests Scarlett, Candlestick, Kitchen: Cat shows"
        assert line_of(screen).startswith(head)
        await typing(pilot, "", "ctrl+u")
        await typing(pilot, "", "f2", "escape")
        assert in_front(pilot) is screen


async def test_in_lists_the_beginning_of_a_name_finds_it() -> None:
    async with playing() as (pilot, screen):
        await typing(pilot, "", "f2", "enter", "enter")
        for beginning in ("plu", "rop", "lou", "cat", "lou"):
            await typing(pilot, beginning, "enter")
        assert "Ben suggests Plum, Rope, Lounge: Cat shows Lounge" == line_of(screen)


async def test_lists_offer_the_viewer_only_what_it_holds() -> None:
    table = parse_record("edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nviewer: Cat\n").table

    def offered(*cards: str, own: tuple[str, ...] | None, who: str = "") -> list[str]:
        chosen = ["Suggestion", "Ann", *cards, *[who] * bool(who)]
        question = asked_after(table, TurnState(), chosen, own)
        assert isinstance(question, Prompt)
        return [label for label, _ in question.choices]

    asked = ("Plum", "Rope", "Hall")
    unknown = ["Ben shows", "Cat shows", "Dan shows", "nobody shows", "I did not hear"]
    assert unknown == offered(*asked, own=None)
    assert ["Ben shows", "Cat shows", "I did not hear"] == offered(*asked, own=("Rope", "Hall"))
    without = ["Ben shows", "Dan shows", "nobody shows", "I did not hear"]
    assert without == offered(*asked, own=("Knife",))
    shows = ["shows Rope", "shows Hall", "shows a card that I forgot"]
    assert shows == offered(*asked, own=("Rope", "Hall"), who="Cat")


@pytest.mark.decides
@pytest.mark.parametrize("size", [(80, 24), (40, 15), (132, 50)])
async def test_every_size_shows_the_sheet_the_log_and_the_entry_line(size: tuple[int, int]) -> None:
    async with playing() as (pilot, screen):
        await pilot.resize_terminal(*size)
        await settle(pilot)
        assert "Scarlett" in picture(screen)
        assert "3>" in picture(screen)
        if screen.narrow:
            assert "Cat shows" not in picture(screen)
            await typing(pilot, "", "f6", "f6")
        assert "Cat shows" in picture(screen).replace("\n", " ")
        await typing(pilot, "", "escape")
        await typing(pilot, "sc le ki : cat", "enter")
        assert 3 == len(screen.session.game.lines)


async def test_names_are_never_markup_and_never_control_the_terminal() -> None:
    text = "edition: clue-classic\nplayers: [red]Ann, [/], B[31m\nviewer: [red]Ann\n\n"
    async with playing(text + "[red]Ann suggests Plum, Rope, Hall: [/] shows Plum\n") as (
        pilot,
        screen,
    ):
        for key in ("f7", "f7", "f8", "f9", "escape", "f2", "enter", "escape"):
            await typing(pilot, "", key)
        await typing(pilot, "", *["escape"] * 4)
        assert in_front(pilot) is screen
        assert "[red]Ann" in said(screen, "#head")
        assert "\x1b" not in picture(screen)


async def test_names_typed_in_one_burst_at_the_start_keep_their_spaces() -> None:
    app = PlayApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        setup = app.screen
        assert "or who was dealt first" in picture(setup)  # whole at this width
        for mark in "mia ben cat dan":
            app.post_message(Key(KEYS.get(mark, mark), mark))
        await settle(pilot)
        assert "mia ben cat dan" == setup.query_one("#players", Input).value


async def test_a_game_is_set_up_by_typing(tmp_path: Path) -> None:
    path = tmp_path / "new.clue"
    app = PlayApp(keep=lambda: Keeper(path))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        setup = app.screen
        assert isinstance(setup, SetupScreen)
        await typing(pilot, "", "enter")
        await typing(pilot, "Ann, Ben, Cat", "enter")
        assert setup.query_one("#hands", Input).value == "6, 6, 6"
        await typing(pilot, "", "enter", "enter", "enter", "enter")
        await typing(pilot, "plu", "tab")
        await typing(pilot, "ro", "tab")
        assert setup.query_one("#hand", Input).value == "Plum, Rope, "
        await typing(pilot, "hall, study, knife", "enter")
        assert app.screen is setup
        assert "6" in str(setup.query_one("#setup-note", Static).visual)
        await typing(pilot, ", gree", "enter")
        await settle(pilot)
        assert isinstance(app.screen, PlayScreen)
        assert HAND.strip() == lines_in(path)[0]
    assert app.session is not None
    app.session.close()


async def test_starting_with_a_wrong_field_goes_to_it() -> None:
    app = PlayApp(keep=lambda: Keeper(Path("never.clue")))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        setup = app.screen
        assert isinstance(setup, SetupScreen)
        right = {"players": "Ann, Ben, Cat, Dan", "viewer": "Ann", "hands": "5, 5, 4, 4"}
        for wrong in (
            {"players": ""},
            {"players": "Ann, Ann"},
            {"viewer": "Zoe"},
            {"hands": "5, 5, 5, 5"},
            {"face_up": "plmu"},
            {"face_down": "Ann"},
            {"hand": "plum, rpoe"},
            {"hand": "plum, rope, hall, study, knife, lounge"},
            {"viewer": "Zoe", "hand": "rpoe"},
        ):
            for name in ("players", "viewer", "hands", "face_up", "face_down", "hand"):
                setup.query_one(f"#{name}", Input).value = (right | wrong).get(name, "")
            await settle(pilot)
            await typing(pilot, "", "ctrl+s")
            assert app.screen is setup
            assert setup.focused is setup.query_one(f"#{next(iter(wrong))}")
            assert "✗" in said(setup, "#setup-note")


async def test_set_up_says_the_limits_and_asks_for_the_rooms_of_face_down_cards() -> None:
    app = PlayApp(keep=lambda: Keeper(Path("never.clue")))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        setup = app.screen
        assert isinstance(setup, SetupScreen)
        await typing(pilot, "", "up", "enter")  # above the usual edition is clue-2015
        await typing(pilot, "Kim, Lee", "enter")
        assert "Say in which 4 rooms a card lies face-down" in said(setup, "#setup-note")
        setup.query_one("#face_down", Input).value = "hal, libr, lou, stu"
        await settle(pilot)
        assert "7, 7" == setup.query_one("#hands", Input).value
        assert ["Hall", "Library", "Lounge", "Study"] == [each.name for each in setup.table.slots]
        setup.query_one("#players", Input).value = "A, B, C, D, E, F, G"
        setup.query_one("#face_down", Input).value = ""
        await settle(pilot)
        assert "Clue (2015) is for 2 to 6 players; found 7" in said(setup, "#setup-note")


async def test_a_game_that_cannot_be_written_goes_on_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    keeper = Keeper(tmp_path / "file" / "game.clue")
    app = PlayApp(Session(parse_record(SMALL), keeper=keeper))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, PlayScreen)
        assert "not written" in said(screen, "#trouble")
        await typing(pilot, "sc le ki : cat", "enter")
        assert 3 == len(screen.session.game.lines)
        assert "in memory" in said(screen)
        assert screen.query_one("#trouble").display


async def test_dark_and_light() -> None:
    async with playing() as (pilot, _):
        assert pilot.app.current_theme.dark
        await typing(pilot, "", "ctrl+t")
        assert not pilot.app.current_theme.dark


async def test_an_error_longer_than_its_room_stands_before_the_caret_or_under_it() -> None:
    assert "    ^ short" == pointing("short", 4, 40).plain
    assert "               short ^" == pointing("short", 21, 24).plain
    assert "  ^\na long reason" == pointing("a long reason", 2, 10).plain


async def test_the_last_unfinished_game_is_offered_or_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clue_solver.faces.tui.app.games_folder", lambda: tmp_path)
    (tmp_path / "old.clue").write_text(SMALL, "utf-8")
    for keys, wanted in (((), PlayScreen), (("down", "down"), SetupScreen), (("3",), SetupScreen)):
        app = beginning()
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            assert "1  Go on with old.clue: Ann, Ben, Cat; 2 entries" in picture(in_front(pilot))
            await typing(pilot, "ben mus")
            assert "First choose above: a number, or the arrows" in picture(in_front(pilot))
            await typing(pilot, "", *keys, *["enter"] * (keys != ("3",)))
            assert isinstance(in_front(pilot), wanted)
        for session in (app.session, app.offered):
            if session is not None:
                session.close()


async def test_in_a_hand_the_word_that_is_no_card_is_what_is_wrong() -> None:
    record = parse_record("edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nviewer: Ann\n")
    with pytest.raises(NotationError, match="unknown card 'balroom'; did you mean 'Ballroom'"):
        with_hand(record, "rev, dining, lead, green, balroom")
    with pytest.raises(NotationError, match="twice"):
        with_hand(record, "rev, dining, lead, green, green")


async def test_a_game_that_is_open_elsewhere_is_not_offered_but_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clue_solver.faces.tui.app.games_folder", lambda: tmp_path)
    (tmp_path / "old.clue").write_text(SMALL, "utf-8")
    keeper = Keeper(tmp_path / "old.clue")
    async with beginning().run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(in_front(pilot), OfferScreen)
        assert "open in another window" in picture(in_front(pilot))
        assert "Go on" not in picture(in_front(pilot))
        await typing(pilot, "", "down", "enter")
        assert isinstance(in_front(pilot), SetupScreen)
    keeper.close()


async def test_the_enter_of_a_number_that_has_chosen_goes_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clue_solver.faces.tui.app.games_folder", lambda: tmp_path)
    (tmp_path / "old.clue").write_text(SMALL, "utf-8")
    async with beginning().run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await typing(pilot, "1", "enter")
        screen = in_front(pilot)
        assert isinstance(screen, PlayScreen)  # no answer to an empty line is opened over it
        await typing(pilot, "", "insert")
        assert "/insert " == line_of(screen)
        await typing(pilot, "", "ctrl+u", "enter")
        assert isinstance(in_front(pilot), Reading)


async def test_the_program_draws_its_own_picture(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    path.write_text(SMALL, "utf-8")
    assert "Scarlett" in await shot(path, size=(100, 34), typed="sc le")
