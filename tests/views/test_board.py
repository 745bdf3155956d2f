"""The board as a picture: every edition's drawing, the pieces on it, and boards without one."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from clue_solver import Table, load, load_edition
from clue_solver.answers.report import Report
from clue_solver.notation import parse_line
from clue_solver.rules.board import names_of, rows_of
from clue_solver.rules.edition import Edition, parse_edition
from clue_solver.rules.play import Play
from clue_solver.views.board import BoardPicture, Tap, board_picture, board_text, prospect
from clue_solver.views.charts import coloured
from clue_solver.views.floors import SIDE, floor_of
from clue_solver.views.headlines import odds
from clue_solver.views.html import board_section
from clue_solver.views.tokens import initials, tokens_on
from tests.outline import Outline
from tests.rules.test_board import DRAWING, SMALL
from tests.views.displays import HOSTILE

DRAWN = ("clue-classic", "clue-1996", "clue-2015", "cluedo-watson", "clue-custom")
PHONE, MARGIN, THUMB = 336, 4, 44
"""The width of a board on a small phone, in pixels; what stands around it; what a thumb needs."""


def state(edition: Edition, *lines: str, seats: tuple[str, ...] = ("Ann", "Ben")) -> Play:
    """A game whose players play the first suspects of its edition."""
    table = Table(edition=edition, seats=seats, pieces=edition.suspects[: len(seats)])
    return Play.of(table, [parse_line(line, table) for line in lines])


def picture(
    play: Play,
    *,
    mover: str = "",
    reach: dict[str, float] | None = None,
    report: Report | None = None,
) -> BoardPicture:
    """The board, each of its rooms and the squares in reach to be tapped."""
    taps = {
        room: Tap(f"?to={room}", f"{mover} moves to {room}", f"Move to {room}")
        for room in (*play.rules.ground.bit, *(reach or {}))
    }
    shown = board_picture(play, mover=mover, reach=reach or {}, taps=taps, report=report)
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
    colours = coloured(edition.suspects)
    assert sorted(starts) == sorted(f"start {colours.get(name, '')}" for name in edition.suspects)
    links = [pairs["href"] for pairs, _ in html.of("a")]
    assert links == [f"?to={room}" for room in edition.rooms]
    written = "".join(text for pairs, text in html.of("text") if pairs.get("class") == "name")
    assert written == "".join(f"{room} " for room in edition.rooms)


@pytest.mark.parametrize("name", DRAWN)
def test_a_room_lies_on_no_square_and_on_no_other_room_and_a_thumb_finds_it(name: str) -> None:
    ground = state(load_edition(name)).rules.ground
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
    floor = floor_of(ground)
    assert floor is not None
    hall, conservatory = floor.rooms["Hall"], floor.rooms["Conservatory"]
    assert (hall.box.top + hall.box.height, hall.doors) == (250, ("M110 180h10", "M120 180h10"))
    assert conservatory.doors == ("M190 55l5 5",)
    assert hall.outline == "M90 180H150V250H90V180z"


@pytest.mark.parametrize("name", DRAWN)
def test_words_say_who_stands_where_and_where_passages_lead(name: str) -> None:
    edition = load_edition(name)
    board = edition.board
    assert board is not None
    words = board_text(state(edition, f"Ann moves to {edition.rooms[0]}"), reach={})
    assert f"Ann in {edition.rooms[0]}" in words
    assert words.count("Secret passage: ") == len(board.passages)


def test_words_say_what_is_in_reach() -> None:
    play = state(load_edition("clue-classic"))
    reach = {"Hall": 1.0, "Lounge": 0.5, "Study": 0.0}
    near = board_text(play, reach=reach)
    assert "In reach: Hall\nIn reach with a good roll: Lounge\n" in near
    assert board_text(state(load_edition("clue-diced")), reach={}) == "There is no board."


def test_pieces_stand_in_rooms_side_by_side_and_on_squares() -> None:
    seats = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo")
    edition = load_edition("clue-classic")
    called = zip(seats, edition.suspects[1:5], strict=False)
    asked = (f"{seat} suggests {suspect}, Rope, Study" for seat, suspect in called)
    shown = picture(state(edition, "Ann moves to Study", *asked, seats=seats), mover="Eve")
    (study,) = (room for room in shown.rooms if room.name == "Study")
    assert (study.here, [token.letters for token in study.tokens]) == (True, [*"ABCDE", "Ro"])
    here = "Ann, Ben, Cat, Dan, Eve and Rope here"
    assert study.said == f"Move to Study, secret passage to Kitchen, {here}"
    for one, other in combinations(study.tokens, 2):
        apart = (one.x - other.x) ** 2 + (one.y - other.y) ** 2
        assert apart > (one.radius + other.radius) ** 2
    for token in study.tokens:
        assert 170 <= token.x - token.radius < token.x + token.radius <= 240
        assert 210 <= token.y - token.radius < token.y + token.radius <= 250
    (flo,) = shown.tokens
    assert (flo.letters, flo.colour, flo.x, flo.y) == ("F", "plum", 235, 195)
    assert shown.told == "Ann, Ben, Cat, Dan, Eve and Rope in Study; Flo in X20"


def test_pieces_that_nobody_plays_stand_where_they_start_or_were_called_and_weapons_too() -> None:
    edition = load_edition("clue-classic")
    play = state(edition, "Ann moves to Study", "Ann suggests Plum, Lead Pipe, Study")
    pieces = {token.letters: (token.kind, token.place) for token in tokens_on(play)}
    assert pieces["A"] == ("seat", "Study")
    assert pieces["Pl"] == ("spare", "Study")
    assert pieces["Pe"] == ("spare", "X7")
    assert pieces["Le"] == ("weapon", "Study")
    assert len(pieces) == 2 + 4 + 1
    shown = picture(play)
    assert shown.told == "Ann, Plum and Lead Pipe in Study; Ben in A18"
    assert [token.letters for token in shown.tokens] == ["B", "W", "G", "Pe"]
    assert board_text(play, reach={}).startswith("Ann, Plum and Lead Pipe in Study\nBen in A18\n")
    unknown = Table(edition=edition, seats=("Ann", "Ben"))
    assert [*tokens_on(Play.begin(unknown))] == []
    freely = [token.kind for token in tokens_on(state(load_edition("cluedo-watson")))]
    assert freely == ["seat", "seat"]  # where the others are is not told there


def test_all_pieces_and_weapons_find_room_in_one_room() -> None:
    edition = load_edition("clue-classic")
    suspects = sorted(edition.suspects, key="Mustard".__eq__)  # Ben has not moved since
    pairs = zip(suspects, edition.weapons, strict=True)
    asked = (f"Ann suggests {suspect}, {weapon}, Study" for suspect, weapon in pairs)
    play = state(edition, "Ann moves to Study", *asked)
    (study,) = (room for room in picture(play).rooms if room.name == "Study")
    assert len(study.tokens) == 12
    for one, other in combinations(study.tokens, 2):
        apart = (one.x - other.x) ** 2 + (one.y - other.y) ** 2
        assert apart > (one.radius + other.radius) ** 2
    assert all(
        210 <= token.y - token.radius < token.y + token.radius <= 250 for token in study.tokens
    )


KNOWN = """edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann
pieces: Scarlett, Mustard, White

Ann holds Plum, Rope, Hall, Study, Knife, Green
Ben suggests White, Wrench, Lounge: nobody shows
"""


def test_what_can_be_tested_in_a_room_in_reach_is_told_and_lights_it(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    path.write_text(KNOWN)
    report = load(path).report()
    play = state(load_edition("clue-classic"), seats=("Ann", "Ben", "Cat"))
    reach = {"Hall": 1.0, "Kitchen": 1.0, "Lounge": 0.5, "Library": 0.0}
    shown = {room.name: room for room in picture(play, reach=reach, report=report).rooms}
    assert shown["Hall"].said == "Move to Hall, in reach, nothing to test: you have it"
    assert shown["Hall"].prospect.much == "nothing"
    chance = report.probability("Kitchen", "envelope")
    assert shown["Kitchen"].said.startswith(
        f"Move to Kitchen, in reach, {odds(chance)} in the envelope"
    )
    assert shown["Kitchen"].prospect[1:] == (f"{100 * chance:.0f}%", "little")
    sign = shown["Kitchen"].sign
    assert sign is not None
    assert sign.text == shown["Kitchen"].prospect.sign
    assert shown["Lounge"].prospect.much == "much"
    assert shown["Library"].prospect.said == ""
    words = board_text(play, reach=reach, report=report)
    assert f"In reach: Kitchen ({odds(chance)} in the envelope) and Hall (not" in words
    for holder, said in (("Cat", "Cat has it"), ("envelope", "the envelope has it")):
        told = load(path).suppose(f"{holder} has Kitchen").report()
        assert prospect(told, "Kitchen").said == f"nothing to test: {said}"


def test_squares_in_reach_are_lit_and_tapped_and_said_in_words() -> None:
    play = state(load_edition("clue-classic"), "Ann rolls 3")
    near = {*play.squares("Ann")}
    assert near == {"H24", "H23", "H22", "I24", "I23"}
    assert len(play.squares("Ben")) > len(near)  # any roll may come
    shown = picture(play, mover="Ann", reach=play.chances("Ann") | dict.fromkeys(near, 1.0))
    assert shown.near.count("M") == len(shown.tapped) == len(near)
    (square,) = (each for each in shown.tapped if each.tap.line == "Ann moves to H24")
    assert (square.said, square.x, square.y) == ("Move to H24, in reach", 70, 230)
    html = Outline(board_section(shown))
    assert [p["aria-label"] for p, _ in html.of("a") if p["class"] == "square"] == [
        each.said for each in shown.tapped
    ]
    words = board_text(play, reach=dict.fromkeys(sorted(near), 1.0))
    assert f"Squares in reach: {', '.join(sorted(near))}\n" in words


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


def test_a_board_whose_rooms_are_not_drawn_is_a_list() -> None:
    play = state(parse_edition(SMALL + DRAWING, name="mine.toml"), seats=("Ann", "Ben"))
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
        play = Play.begin(table)
        assert board_picture(play, reach={}) is None


def test_names_are_data() -> None:
    edition = load_edition("clue-classic")
    table = Table(edition=edition, seats=HOSTILE[:3])
    shown = board_picture(
        Play.of(table, [parse_line(f"{HOSTILE[1]} moves to Hall", table)]),
        reach={},
        taps={"Hall": Tap(HOSTILE[1], HOSTILE[0], HOSTILE[2])},
        movers={HOSTILE[1]: HOSTILE[0]},
    )
    assert shown is not None
    html = board_section(shown)
    assert set(Outline(html).tags) == {"svg", "path", "g", "a", "text", "circle"}
    assert re.findall(r"<script|<img| style=", html) == []


def test_every_player_has_letters_of_their_own() -> None:
    names = ("Ann", "Ben", "Bob", "Dan", "Dave", "D")
    assert [*initials(names).values()] == ["A", "Be", "Bo", "D4", "D5", "D6"]
    assert [*initials(names, least=2).values()] == ["An", "Be", "Bo", "D4", "D5", "D6"]
