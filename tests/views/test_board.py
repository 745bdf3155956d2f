"""The board as a picture: every edition's drawing, the pieces on it, and boards without one."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from clue_solver import Table, load_edition
from clue_solver.notation import parse_line
from clue_solver.rules.board import Squares, names_of, rows_of
from clue_solver.rules.edition import Edition, parse_edition
from clue_solver.rules.play import PlayState
from clue_solver.views.board import BoardPicture, Tap, board_picture, initials
from clue_solver.views.board_text import board_text
from clue_solver.views.floors import SIDE, floor_of
from clue_solver.views.html import board_section
from tests.outline import Outline
from tests.rules.test_board import DRAWING, SMALL
from tests.views.displays import HOSTILE

DRAWN = ("clue-classic", "clue-1996", "clue-2015", "cluedo-watson", "clue-custom")
WRITTEN = """
[board]
passages = [["Hall", "Attic"]]
steps = { Hall = [0, 4, 4], Study = [4, 0, 6], Attic = [4, 6, 0] }
start = { Plum = { Hall = 3 }, Green = { Study = 3 } }
"""
WORD = re.compile("[A-Z][a-z]+")
PHONE, MARGIN, THUMB = 336, 4, 44
"""The width of a board on a small phone, in pixels; what stands around it; what a thumb needs."""


def state(edition: Edition, *lines: str, seats: tuple[str, ...] = ("Ann", "Ben")) -> PlayState:
    """A game whose players play the first suspects of its edition."""
    table = Table(edition=edition, seats=seats, pieces=edition.suspects[: len(seats)])
    return PlayState.of(table, [parse_line(line, table) for line in lines])


def picture(
    play: PlayState, *, mover: str = "", reach: dict[str, float] | None = None
) -> BoardPicture:
    """The board, each of its rooms to be tapped."""
    taps = {
        room: Tap(f"?to={room}", f"{mover} moves to {room}", f"Move to {room}")
        for room in play.rules.ground.bit
    }
    colours = {name: name.casefold() for name in (*play.rules.suspects, *play.rules.seats)}
    shown = board_picture(
        play, mover=mover, reach=reach or {}, taps=taps, seats=colours, suspects=colours
    )
    assert shown is not None
    return shown


@pytest.mark.parametrize("name", DRAWN)
def test_a_drawn_board_has_all_that_its_edition_draws(name: str) -> None:
    edition = load_edition(name)
    play = state(edition)
    board = edition.board
    assert board is not None
    html = Outline(board_section(picture(play)))
    marks = "".join(rows_of(board.squares))
    doors = sum(
        marks.count(letter)
        for letter, text in board.letters.items()
        for named in names_of(text)
        if named in edition.rooms
    )
    paths = [pairs for pairs, _ in html.of("path")]
    count = {
        kind: sum(pairs["class"] == kind for pairs in paths) for kind in ("wall", "door", "passage")
    }
    assert count == {"wall": len(edition.rooms), "door": doors, "passage": 2 * len(board.passages)}
    (squares,) = (pairs["d"] for pairs in paths if pairs["class"] == "squares")
    assert squares.count("M") == len(marks.replace(" ", ""))
    starts = [pairs["class"] for pairs, _ in html.of("circle") if "start" in pairs.get("class", "")]
    assert sorted(starts) == sorted(f"start {suspect.casefold()}" for suspect in edition.suspects)
    links = [pairs["href"] for pairs, _ in html.of("a")]
    assert links == [f"?to={room}" for room in edition.rooms]
    written = "".join(text for pairs, text in html.of("text") if pairs.get("class") == "name")
    assert written == "".join(f"{room} " for room in edition.rooms)


@pytest.mark.parametrize("name", DRAWN)
def test_a_room_lies_on_no_square_and_on_no_other_room_and_a_thumb_finds_it(name: str) -> None:
    ground = state(load_edition(name)).rules.ground
    assert isinstance(ground, Squares)
    floor = floor_of(ground)
    assert floor is not None
    walked = {ground.at(bit) for place, bit in ground.places.items() if place not in ground.bit}
    cells = {
        room: {
            (row, column)
            for row in range(area.box.top // SIDE, (area.box.top + area.box.height) // SIDE)
            for column in range(area.box.left // SIDE, (area.box.left + area.box.width) // SIDE)
        }
        for room, area in floor.rooms.items()
    }
    assert [room for room, box in cells.items() if box & walked] == []
    assert [pair for pair in combinations(cells, 2) if cells[pair[0]] & cells[pair[1]]] == []
    least = min(min(area.box.width, area.box.height) for area in floor.rooms.values())
    assert least * PHONE / (floor.width + MARGIN) >= THUMB


def test_the_hall_is_at_the_edge_and_a_door_may_be_at_a_corner() -> None:
    ground = state(load_edition("clue-2015")).rules.ground
    assert isinstance(ground, Squares)
    floor = floor_of(ground)
    assert floor is not None
    hall, conservatory = floor.rooms["Hall"], floor.rooms["Conservatory"]
    assert (hall.box.top + hall.box.height, hall.doors) == (250, ("M110 180h10", "M120 180h10"))
    assert conservatory.doors == ("M190 55l5 5",)
    assert hall.outline == "M90 180h60v70h-60z"


@pytest.mark.parametrize("name", DRAWN)
def test_a_board_in_letters_has_rooms_doors_and_pieces_where_squares_are_called_so(
    name: str,
) -> None:
    edition = load_edition(name)
    board = edition.board
    assert board is not None
    play = state(edition, f"Ann moves to {edition.rooms[0]}")
    drawn, _, words = board_text(play, reach={}).plain.partition("\n\n")
    head, *rows = drawn.splitlines()
    assert {word for room in edition.rooms for word in room.split()} <= {*WORD.findall(drawn)}
    marks = "".join(rows_of(board.squares))
    doors = [
        letter
        for letter, text in board.letters.items()
        if any(room in edition.rooms for room in names_of(text))
    ]
    assert len(re.findall("[▲▼◀▶◆]", drawn)) == sum(map(marks.count, doors))
    place = play.place("Ben")
    assert place is not None
    column, row = head.split().index(place[0]), int(place[1:]) - 1
    assert rows[row][3 + 2 * column] == "B"
    assert f"Ann ({edition.suspects[0]}) stands in the {edition.rooms[0]}" in words
    assert words.count("Secret passage: ") == len(board.passages)


def test_a_board_in_letters_tells_what_is_in_reach_by_signs_and_words() -> None:
    play = state(load_edition("clue-classic"))
    reach = {"Hall": 1.0, "Lounge": 0.5, "Study": 0.0}
    near = board_text(play, mover="Ann", reach=reach)
    assert near.plain.count("▒") > 30
    assert "In reach (▒): Hall\nIn reach if the dice are kind: Lounge\n" in near.plain
    assert board_text(play, mover="Ann", reach=reach, words=False).plain in near.plain
    assert board_text(play, reach=reach, ascii_only=True).plain.isascii()
    assert board_text(state(load_edition("clue-diced")), reach={}).plain == "There is no board."


def test_pieces_stand_in_rooms_side_by_side_and_on_squares() -> None:
    seats = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo")
    edition = load_edition("clue-classic")
    called = zip(seats, edition.suspects[1:5], strict=False)
    asked = (f"{seat} suggests {suspect}, Rope, Study" for seat, suspect in called)
    shown = picture(state(edition, "Ann moves to Study", *asked, seats=seats), mover="Eve")
    (study,) = (room for room in shown.rooms if room.name == "Study")
    assert (study.here, [token.letters for token in study.tokens]) == (True, [*"ABCDE"])
    assert study.said == "Move to Study, secret passage to Kitchen, Ann, Ben, Cat, Dan and Eve here"
    for one, other in combinations(study.tokens, 2):
        apart = (one.x - other.x) ** 2 + (one.y - other.y) ** 2
        assert apart > (one.radius + other.radius) ** 2
    for token in study.tokens:
        assert 170 <= token.x - token.radius < token.x + token.radius <= 240
        assert 210 <= token.y - token.radius < token.y + token.radius <= 250
    (flo,) = shown.tokens
    assert (flo.letters, flo.colour, flo.x, flo.y) == ("F", "flo", 235, 195)
    assert shown.told == "Ann, Ben, Cat, Dan and Eve in Study; Flo in X20"


def test_what_is_in_reach_is_lit_and_said() -> None:
    play = state(load_edition("clue-classic"), "Ann rolls 8")
    chances = play.chances("Ann")
    shown = picture(play, mover="Ann", reach={**chances, "Hall": 0.4})
    lit = {room.name: room.reach for room in shown.rooms if room.reach != "far"}
    assert lit == {"Hall": "maybe", "Lounge": "reach"}
    said = [room.said for room in shown.rooms if room.name in ("Hall", "Lounge", "Library")]
    assert said == [
        "Move to Library",
        "Move to Lounge, in reach, secret passage to Conservatory",
        "Move to Hall, perhaps in reach",
    ]
    assert shown.told.endswith("; in reach: Lounge")
    assert {room.reach for room in picture(play, mover="Ann").rooms} == {""}


def test_a_long_name_is_broken_or_pressed_or_shortened() -> None:
    text = (
        "extends = 'clue-classic'\n[replace]\n"
        "Library = { name = 'Old Reading Room' }\n"
        "Lounge = { name = 'Winterverandagarten' }\n"
    )
    shown = picture(state(parse_edition(text, name="mine.toml")))
    lines = {room.name: [(line.text, line.width) for line in room.label] for room in shown.rooms}
    assert lines["Hall"] == [("Hall", 0)]
    assert lines["Billiard Room"] == [("Billiard", 0), ("Room", 0)]
    assert lines["Conservatory"] == [("Conservatory", 56)]
    assert lines["Old Reading Room"] == [("Old Reading", 0), ("Room", 0)]
    assert lines["Winterverandagarten"] == [("Winterverandaga…", 66)]


@pytest.mark.parametrize("board", [WRITTEN, DRAWING])
def test_a_board_whose_rooms_cannot_be_drawn_is_a_list(board: str) -> None:
    play = state(parse_edition(SMALL + board, name="mine.toml"), seats=("Ann", "Ben"))
    html = Outline(board_section(picture(play, reach={"Hall": 1.0, "Study": 0.5})))
    assert html.tags.count("svg") == 0
    assert [(pairs["class"], text) for pairs, text in html.of("a")] == [
        ("room reach", "Hall"),
        ("room maybe", "Study"),
        ("room ", "Attic"),
    ]


def test_a_game_without_a_board_has_no_picture() -> None:
    seats = ("Ann", "Ben", "Cat")
    tables = [Table(edition=load_edition("clue-classic"), seats=seats, board="none")]
    for name in ("master-detective", "clue-diced"):
        tables.append(Table(edition=load_edition(name), seats=seats))
    for table in tables:
        play = PlayState.begin(table)
        assert board_picture(play, reach={}, taps={}, seats={}, suspects={}) is None


def test_names_are_data() -> None:
    edition = load_edition("clue-classic")
    table = Table(edition=edition, seats=HOSTILE[:3])
    shown = board_picture(
        PlayState.of(table, [parse_line(f"{HOSTILE[1]} moves to Hall", table)]),
        reach={},
        taps={"Hall": Tap(HOSTILE[1], HOSTILE[0], HOSTILE[2])},
        seats={HOSTILE[1]: HOSTILE[1]},
        suspects={"Plum": HOSTILE[1]},
    )
    assert shown is not None
    html = board_section(shown)
    assert set(Outline(html).tags) == {"svg", "path", "g", "a", "text", "circle"}
    assert re.findall(r"<script|<img| style=", html) == []


def test_every_player_has_letters_of_their_own() -> None:
    names = ("Ann", "Ben", "Bob", "Dan", "Dave", "D")
    assert [*initials(names).values()] == ["A", "Be", "Bo", "D4", "D5", "D6"]
