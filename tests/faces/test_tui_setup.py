"""How the full screen begins: with the last game, at the same table, or with one that is set up."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from clue_solver.errors import ClueError, NotationError
from clue_solver.faces.setup import (
    FIELDS,
    doubtful_players,
    face_down_in,
    offered_editions,
    record_of,
)
from clue_solver.faces.tui.app import PlayApp, beginning
from clue_solver.faces.tui.panes import TextDialog
from clue_solver.faces.tui.playing import PlayScreen
from clue_solver.faces.tui.starting import OfferScreen, SetupScreen, completed
from clue_solver.notation.names import seats_in
from clue_solver.record import parse_record
from clue_solver.record.files import RecordFile
from clue_solver.rules.edition import load_edition
from clue_solver.rules.table import Table
from tests.faces.screen import HAND, HEADER, SMALL, lines_in, showing

CLASSIC = load_edition("clue-classic")
RIGHT = {
    "players": "Ann, Ben, Cat, Dan",
    "viewer": "Ann",
    "hands": "5, 5, 4, 4",
    "pieces": "",
    "first": "",
    "face_up": "",
    "face_down": "",
    "hand": "",
    "edition": "clue-classic",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of games, with one that has not ended."""
    monkeypatch.setattr("clue_solver.faces.tui.app.games_folder", lambda: tmp_path)
    (tmp_path / "old.clue").write_text(SMALL, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("players", ""),
        ("players", "Ann, Ann"),
        ("viewer", "Zoe"),
        ("hands", "5, 5, 5, 5"),
        ("face_up", "plmu"),
        ("face_down", "Ann"),
        ("hand", "plum, rpoe"),
        ("pieces", "plum, plum"),
        ("first", "Zoe"),
        ("hand", "plum, rope, hall, study, knife, lounge"),
    ],
)
def test_the_field_at_fault_is_the_one_that_is_wrong(field: str, value: str) -> None:
    assert record_of(RIGHT, CLASSIC).table.hands == (5, 5, 4, 4)
    also = "rpoe" if field != "hand" else value
    with pytest.raises(ClueError) as caught:
        record_of(RIGHT | {"hand": also, field: value}, CLASSIC)
    assert caught.value.argument == field


@pytest.mark.parametrize(
    ("players", "asked"),
    [
        ("Anna, Ben Cat Dan", "Is 'Ben Cat Dan' one player?"),
        ("Plum, rope, Green", "Is a player really called rope, like the card?"),
        ("Plum, White, Green", ""),  # pieces are called so
        ("Anna Lee, Ben Cat", ""),
        ("A B C D E F G", "Clue is for 2 to 6 players; found 7: is that right?"),
    ],
)
def test_names_that_may_be_several_or_cards_are_asked_about(players: str, asked: str) -> None:
    table = Table(edition=CLASSIC, seats=seats_in(players))
    assert [question for question, _ in doubtful_players(table)] == [asked] * bool(asked)


@pytest.mark.parametrize(
    ("hand", "whole"),
    [
        ("plu", "Plum"),
        ("Plum, ro", "Plum, Rope"),
        ("Plum, plu", None),
        ("", None),
        ("zz", None),
        ("plmu", "Plum"),
    ],
)
def test_a_card_of_the_hand_is_completed_once(hand: str, whole: str | None) -> None:
    assert completed(hand, parse_record(HEADER).table) == whole


@pytest.mark.asyncio
async def test_a_game_is_set_up_by_typing(tmp_path: Path) -> None:
    path = tmp_path / "new.clue"
    async with showing(PlayApp(keep=lambda: RecordFile(path))) as at:
        setup = at.front
        assert isinstance(setup, SetupScreen)
        stems = {Path(each.name).stem for each in offered_editions()}
        assert [name for name in stems if f" {name}: " not in at.picture] == []
        assert "clue-custom" not in at.picture
        await at.type("Ann, Ben, Cat", "enter")  # the first letter leaves the list
        assert at.one("#hands").value == "6, 6, 6"
        await at.type("", "enter")
        await at.type("plu", "tab")
        await at.type("ro", "tab")
        assert at.one("#hand").value == "Plum, Rope, "
        await at.type("hall, study, knife")
        assert "fewer" in at.said("#setup-note")  # half a hand is no error
        assert "✗" not in at.said("#setup-note")
        await at.type("", "enter")
        assert at.front is setup
        assert at.said("#setup-note").startswith("✗")
        await at.type(", gree", "enter")
        assert isinstance(at.front, PlayScreen)
        assert lines_in(path) == (HAND.strip(),)


@pytest.mark.asyncio
async def test_a_wrong_field_is_gone_to_and_sizes_filled_in_give_way_to_typed_ones() -> None:
    async with showing(PlayApp()) as at:
        setup = at.front
        await at.type("", "tab")
        await at.type("Anna, Ben Cat Dan", "tab", "tab", "tab")
        assert at.one("#hands").value == "9, 9"
        await at.type("8, 10")  # it stands in their place
        assert (setup.focused, at.one("#hands").value) == (at.one("#hands"), "8, 10")
        await at.type("", *["tab"] * 5)
        assert setup.focused is at.one("#editions")
        at.one("#viewer").value = "Zoe"
        await at.type("", "ctrl+s")
        assert setup.focused is at.one("#viewer")
        assert at.said("#setup-note").startswith("✗")
        at.one("#viewer").value = "anna"
        await at.type("", "ctrl+s")
        assert at.said("#setup-note").startswith("Is 'Ben Cat Dan' one player? If so, Ctrl+S again")
        assert setup.focused is at.one("#players")
        await at.type("", "ctrl+s")
        assert at.screen.session.record.table.seats == ("Anna", "Ben Cat Dan")
        assert at.screen.session.record.table.hands == (8, 10)


@pytest.mark.parametrize("text", ["pea candle kit din", "plum, rope"])
def test_a_hand_among_the_face_down_places_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="cards of your own go into your hand"):
        face_down_in(text, load_edition("clue-classic"))
    slots = face_down_in("ball, Pool 3", load_edition("clue-classic"))
    assert [(slot.name, slot.count) for slot in slots] == [("Ballroom", 1), ("Pool", 3)]


@pytest.mark.asyncio
async def test_set_up_says_the_limits_and_asks_for_the_rooms_of_face_down_cards() -> None:
    async with showing(PlayApp()) as at:
        setup = at.front
        assert isinstance(setup, SetupScreen)
        await at.type("", "up", "enter")  # above the usual edition is clue-2015
        await at.type("Kim, Lee", "enter")
        assert "Say in which 4 rooms a card lies face-down" in at.said("#setup-note")
        at.one("#face_down").value = "hal, libr, lou, stu"
        await at.settle()
        assert at.one("#hands").value == "7, 7"
        assert [each.name for each in setup.table.slots] == ["Hall", "Library", "Lounge", "Study"]
        setup.query_one("#players", Input).value = "A, B, C, D, E, F, G"
        at.one("#face_down").value = ""
        await at.settle()
        assert "Clue (2015) is for 2 to 6 players; found 7" in at.said("#setup-note")
        await at.type("", "ctrl+s")
        assert "found 7: is that right? If so, Ctrl+S again" in at.said("#setup-note")
        await at.type("", "ctrl+s")
        assert len(at.screen.session.record.table.seats) == 7


@pytest.mark.asyncio
async def test_set_up_says_where_the_nearest_piece_cannot_have_been_taken() -> None:
    names = [each.name for each in offered_editions()]
    down = names.index("cluedo-watson") - names.index("clue-classic")
    async with showing(PlayApp()) as at:
        await at.type("", *["down"] * down, "enter")
        await at.type("Kim, Lee, Max", "enter")
        at.one("#pieces").value = "plum, green, scarlett"
        await at.settle()
        nearest = "each plays the nearest piece, so clockwise Scarlett, Green and Plum"
        assert nearest in at.said("#setup-note")
        at.one("#pieces").value = "plum, scarlett, green"
        await at.settle()
        assert nearest not in at.said("#setup-note")


@pytest.mark.asyncio
async def test_the_same_table_asks_for_the_hand_alone(folder: Path) -> None:
    head = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nhands: 5, 5, 4, 4\nviewer: Ann\n"
    over = "shows: sticky\n\nAnn accuses Scarlett, Candlestick, Kitchen: right\n"
    (folder / "old.clue").write_text(head + over, "utf-8")
    async with showing(beginning()) as at:
        assert "same table as last time" in at.picture
        await at.type("", "enter")
        assert "dealt the first card" in at.picture
        await at.type("pl ro ha st kn", "enter")
        assert at.lines == ("Ann holds Plum, Rope, Hall, Study, Knife",)
        table = at.screen.session.record.table
        assert (table.seats, table.shows) == (("Ann", "Ben", "Cat", "Dan"), "sticky")
        assert table.hands == ()


@pytest.mark.asyncio
async def test_the_last_unfinished_game_is_offered_and_a_number_goes_on_with_it(
    folder: Path,
) -> None:
    async with showing(beginning()) as at:
        assert "1  Go on with old.clue: Ann, Ben, Cat; 2 entries" in at.picture
        await at.type("ben mus")
        assert "First choose above: a number, or the arrows" in at.picture
        await at.type("1", "enter")
        assert isinstance(at.front, PlayScreen)  # the Enter after the number goes nowhere
        await at.type("", "insert")
        assert at.line == "/insert "
        await at.type("", "ctrl+u", "enter")
        assert isinstance(at.front, TextDialog)


@pytest.mark.asyncio
async def test_a_game_that_is_open_elsewhere_is_not_offered_but_named(folder: Path) -> None:
    keeper = RecordFile(folder / "old.clue")
    async with showing(beginning()) as at:
        assert isinstance(at.front, OfferScreen)
        assert "open in another window" in at.picture
        assert "Go on" not in at.picture
        await at.type("", "down", "enter")
        assert isinstance(at.front, SetupScreen)
    keeper.close()


def at_edition(name: str) -> list[str]:
    """The keys that lead from the usual edition to another one in the list."""
    names = [each.name for each in offered_editions()]
    return ["down"] * (names.index(name) - names.index("clue-classic"))


@pytest.mark.asyncio
async def test_examples_and_the_note_follow_the_edition_and_the_field() -> None:
    async with showing(PlayApp()) as at:
        assert at.said("#setup-note") == CLASSIC.note
        assert "such as Scarlett, Candlestick, Kitchen, ..." in at.picture
        await at.type("", *at_edition("clue-diced"))
        assert at.said("#setup-note") == load_edition("clue-diced").note
        assert "such as Brains Scarlett, Brawn Scarlett, ..." in at.picture
        assert "Kitchen" not in at.picture
        said: list[str] = []
        for _ in FIELDS:
            await at.type("", "down" if said else "enter")
            said.append(at.said("#setup-note"))
        board = [hint for name, _, hint in FIELDS if name != "pieces"]  # there is no board
        assert said[: len(board)] == board


@pytest.mark.parametrize("keys", [("ctrl+z",), ("escape",), ("ctrl+z", "ctrl+s", "escape")])
@pytest.mark.asyncio
async def test_before_anything_happens_there_is_a_way_back_to_set_up(
    tmp_path: Path, keys: tuple[str, ...]
) -> None:
    path = tmp_path / "new.clue"
    async with showing(PlayApp(keep=lambda: RecordFile(path))) as at:
        await at.type("Ann, Ben, Cta", "enter", "enter")
        await at.type("plu ro hall stu kni gre", *["enter", *keys])
        setup = at.front
        assert isinstance(setup, SetupScreen)
        assert setup.typed["hand"] == "Plum, Rope, Hall, Study, Knife, Green"
        at.one("#players").value = "Ann, Ben, Cat"
        await at.type("", "ctrl+s")
        await at.type("zzz", "enter", "escape", "escape", "escape", "ctrl+s", "ctrl+up")
        assert at.line == "zzz"  # nothing that was typed is lost
        await at.type("", "escape", "f4")
        assert at.screen.session.record.table.seats == ("Ann", "Ben", "Cat")
        await at.type("", "escape")
        assert (lines_in(path), [*tmp_path.glob("*.clue")]) == ((HAND.strip(),), [path])
        await at.put("ben mus wr lou: no", "enter", "escape", "escape", "escape", "escape")
        assert (at.front, len(at.lines)) == (at.screen, 2)


@pytest.mark.asyncio
async def test_a_hand_told_in_the_game_is_taken_back_before_set_up_is_gone_back_to() -> None:
    async with showing(PlayApp()) as at:
        await at.type("Ann, Ben, Cat", "ctrl+s")
        await at.put(HAND.strip(), "enter", "ctrl+z")
        assert (at.front, at.line, at.lines) == (at.screen, HAND.strip(), ())
        await at.type("", "ctrl+z")
        assert isinstance(at.front, SetupScreen)
        assert at.front.typed["players"] == "Ann, Ben, Cat"


@pytest.mark.parametrize(
    ("hand", "wrong"),
    [
        ("plmu, rpoe, hall", "these are no cards: 'plmu' (Plum?), 'rpoe' (Rope?)"),
        ("plum rpoe hal, studdy", "these are no cards: 'rpoe' (Rope?), 'studdy' (Study?)"),
        ("led pipe, zzz", "these are no cards: 'led pipe' (Lead Pipe?), 'zzz'"),
        ("plum, wranch", "unknown card 'wranch'; did you mean 'Wrench'?"),
    ],
)
def test_all_slips_in_a_hand_are_named_at_once(hand: str, wrong: str) -> None:
    with pytest.raises(NotationError) as caught:
        record_of(RIGHT | {"hand": hand}, CLASSIC)
    assert caught.value.reason == wrong


@pytest.mark.asyncio
async def test_all_of_the_set_up_is_in_sight_on_a_small_screen() -> None:
    async with showing(PlayApp()) as at:
        for edition in offered_editions():
            assert any(f" {edition.name}: {edition.title}" in row for row in at.rows)
        assert all(label in at.picture for _, label, _ in FIELDS)
