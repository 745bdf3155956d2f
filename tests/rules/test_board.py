"""A board is drawn as rows of text, and its steps are counted."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from pathlib import Path

import pytest

from clue_solver.errors import EditionError
from clue_solver.rules.board import Ground, ground_of, places_in
from clue_solver.rules.edition_files import load_edition, parse_edition
from tests.enforcer import DRAWN, Map, Place, spoken
from tests.rows import rows_in
from tests.rules.test_play import TABLES

SMALL = """\
title = "Small"
[[category]]
name = "suspect"
cards = [{ name = "Plum" }, { name = "Green" }]
[[category]]
name = "room"
cards = [{ name = "Hall" }, { name = "Study" }, { name = "Attic" }]
"""
DRAWING = """\
[board]
squares = '''
h...G
.   s
a....
'''
letters = { h = "Hall", s = "Study", a = "Attic", G = "Green" }
"""


HOUSE = f"""{DRAWING}rooms = '''

 hhs

aa
'''
"""


def ground(text: str) -> Ground:
    edition = parse_edition(text, name="mine.toml")
    return ground_of(edition.board, edition.rooms)


def steps(drawn: Ground) -> dict[str, tuple[int | None, ...]]:
    """Return the steps to the rooms from each of them and from where suspects start."""
    return {
        name: tuple(drawn.steps(bit, room) for room in drawn.rooms.values())
        for name, bit in {**drawn.rooms, **drawn.starts}.items()
    }


@pytest.mark.parametrize("name", DRAWN)
def test_a_walk_is_as_long_as_its_steps_from_square_to_square(name: str) -> None:
    edition = load_edition(name)
    drawn = ground_of(edition.board, edition.rooms)
    for begin, room in product(
        (*drawn.rooms.values(), *drawn.starts.values()), drawn.rooms.values()
    ):
        way = [] if begin == room else drawn.walk(begin, room)
        outside = bool(begin & drawn.squares)
        assert len(way) - outside + 1 == drawn.steps(begin, room) if way else begin == room
        assert not outside or not way or way[0] == begin
        for one, other in pairwise(way):
            (row, column), (down, across) = drawn.at(one), drawn.at(other)
            assert abs(row - down) + abs(column - across) == 1
        if way[3:]:  # who stands on the way is walked round, or there is none
            assert way[2] not in drawn.walk(begin, room, way[2])


def test_steps_and_starts_are_counted_on_the_drawing() -> None:
    rooms = {"Hall": (0, 7, 4), "Study": (7, 0, 7), "Attic": (4, 7, 0)}
    assert steps(ground(SMALL + DRAWING)) == {**rooms, "Green": (5, 2, 7)}


def test_a_letter_may_stand_for_several_and_rows_may_begin_with_blanks() -> None:
    drawing = "[board]\nsquares = '''\n  x.y\n'''\n"
    letters = 'letters = { x = "Hall, Study", y = "Attic, Plum" }\n'
    rooms = {"Hall": (0, 2, 4), "Study": (2, 0, 4), "Attic": (4, 4, 0)}
    assert steps(ground(SMALL + drawing + letters)) == {**rooms, "Plum": (3, 3, 1)}


def test_rooms_are_drawn_with_the_letters_of_their_doors() -> None:
    assert ground(SMALL + DRAWING).areas == {}
    drawn = ground(SMALL + HOUSE)
    assert drawn.areas == {"Hall": {1: (1, 3)}, "Study": {1: (3, 4)}, "Attic": {3: (0, 2)}}
    doors = {room: drawn.before(bit) for room, bit in drawn.rooms.items()}
    found = {room: drawn.doorway(door, room) for room, door in doors.items()}
    assert found == {"Hall": (1, 1), "Study": (1, 3), "Attic": (3, 0)}


BOARDS = rows_in(Path(__file__).with_name("refused.txt"))["boards"]
DRAWN_AS = {"own": "", "drawing": DRAWING[8:], "house": HOUSE[8:]}


@pytest.mark.parametrize(("drawn", "text", "key", "message"), BOARDS)
def test_a_drawing_that_cannot_be_is_refused(drawn: str, text: str, key: str, message: str) -> None:
    before, _, after = text.partition(" => ")
    board = DRAWN_AS[drawn].replace(before, after) or text
    with pytest.raises(EditionError) as caught:
        parse_edition(f"{SMALL}[board]\n{board}\n", name="mine.toml")
    assert caught.value.key == f"board.{key}"
    assert message in str(caught.value)


def test_a_file_with_squares_of_its_own_takes_over_no_rooms() -> None:
    classic = load_edition("clue-classic").board
    assert classic is not None
    stays = parse_edition('extends = "clue-classic"\n[board]\nstay = true\n', name="mine.toml")
    assert stays.board is not None
    assert (True, classic.squares, classic.rooms) == (
        *(stays.board.stay, stays.board.squares),
        stays.board.rooms,
    )
    own = f'extends = "clue-classic"\n[board]\nsquares = """\n{classic.squares}"""\n'
    assert ground(own).areas == {}


def test_replaced_cards_keep_their_squares_and_passages_and_the_first_turn() -> None:
    text = (
        'extends = "clue-2015"\n[replace]\nScarlett = { name = "Cat" }\nStudy = { name = "Den" }\n'
    )
    edition = parse_edition(text, name="mine.toml")
    assert edition.first == "Cat"
    assert edition.board is not None
    assert edition.board.passages[0] == ("Kitchen", "Den")
    drawn = ground(text)
    assert drawn.steps(drawn.starts["Cat"], drawn.rooms["Den"]) == 21


@pytest.mark.parametrize("edition_of", DRAWN)
def test_a_walk_step_by_step_finds_the_same_places(edition_of: str) -> None:
    table = next(each for each in TABLES if each.edition.name == edition_of)
    edition, walked = table.edition, Map(table)
    ground = ground_of(edition.board, edition.rooms)
    every: list[Place] = [*walked.squares, *walked.rooms]
    places = {spoken(place): place for place in every}
    assert {*ground.places} == {*places}
    for name, bit in {**ground.rooms, **ground.starts}.items():
        for far in (4, 8, 14, 20):
            steps = {room: ground.steps(bit, place) for room, place in ground.rooms.items()}
            near = {room for room, away in steps.items() if away and away <= far}
            assert near == {*walked.ways(walked.starts.get(name, name), far)} & {*edition.rooms}
    taken = {(8, 9), (17, 6)} & walked.squares
    blocked = sum(ground.places[spoken(square)] for square in taken)
    for start in (*walked.rooms, *map(spoken, walked.starts.values()), "H12"):
        if start not in places or places[start] in taken:
            continue
        for far in (1, 2, 7, 12):
            found = ground.reach(ground.places[start], far, blocked)
            ways = walked.ways(places[start], far, taken)
            assert {spoken(way) for way in ways} == {
                ground.names[place] for place in places_in(found)
            }


def test_the_columns_of_a_wide_board_are_named_as_those_of_a_spreadsheet() -> None:
    wide = DRAWING.replace("h...G\n.   s\na....", f"h{'.' * 58}s\na{'.' * 58}G")
    names = ground(SMALL + wide).names
    found = [names[1 << column] for column in (1, 25, 26, 51, 52)]
    assert found == ["B1", "Z1", "AA1", "AZ1", "BA1"]


def test_what_can_be_reached_from_one_of_several_places_can_be_reached() -> None:
    edition = load_edition("clue-classic")
    ground = ground_of(edition.board, edition.rooms)
    for one, other in combinations((ground.rooms["Hall"], ground.rooms["Study"], 1 << 14), 2):
        both = ground.reach(one | other, 6)
        assert ground.reach(one, 6) | ground.reach(other, 6) | one | other == both | one | other
