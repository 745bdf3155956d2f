"""A board is drawn as rows of text, its steps counted; or they are written down."""

from __future__ import annotations

from itertools import combinations

import pytest

from clue_solver.errors import EditionError
from clue_solver.rules.board import Board, Squares, ground_of, places_in
from clue_solver.rules.edition import load_edition, parse_edition
from tests.enforcer import DRAWN, Map, Place, spoken
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


def board(text: str) -> Board:
    found = parse_edition(text, name="mine.toml").board
    assert found is not None
    return found


def test_steps_and_starts_are_counted_on_the_drawing() -> None:
    drawn = board(SMALL + DRAWING)
    assert drawn.steps == {"Hall": (0, 7, 4), "Study": (7, 0, 7), "Attic": (4, 7, 0)}
    assert drawn.start == {"Green": {"Hall": 5, "Study": 2, "Attic": 7}}


def test_a_letter_may_stand_for_several_and_rows_may_begin_with_blanks() -> None:
    drawing = "[board]\nsquares = '''\n  x.y\n'''\n"
    letters = 'letters = { x = "Hall, Study", y = "Attic, Plum" }\n'
    drawn = board(SMALL + drawing + letters)
    assert drawn.steps == {"Hall": (0, 2, 4), "Study": (2, 0, 4), "Attic": (4, 4, 0)}
    assert drawn.start == {"Plum": {"Hall": 3, "Study": 3, "Attic": 1}}


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        ("squares = ''", "", ""),
        ("squares = ' '", "squares", "expected a drawing of the board; found nothing"),
        ("letters = { h = 'Hall' }", "squares", "expected a drawing of the board; found nothing"),
        ("squares = 'h.s.a'", "squares", "a letter of `letters` in row 1; found 'h'"),
        ("squares = '...'", "squares", "expected a square before a door of Hall"),
        (DRAWING[8:].replace("a....", "a...?"), "squares", "row 3; found '?'"),
        (DRAWING[8:].replace("a....", "a...G"), "squares", "one starting square of Green"),
        (DRAWING[8:].replace("\ns", "\nt"), "", ""),
        (DRAWING[8:].replace('"Study"', '"Stdy"'), "letters.s", "did you mean 'Study'?"),
        (DRAWING[8:].replace('"Study"', '" , "'), "letters.s", "expected a room or a suspect"),
        (DRAWING[8:].replace(" s = ", ' "ss" = '), "letters.ss", "expected one letter"),
        (DRAWING[8:].replace("..", ". "), "squares", "there is no way from Hall to Study"),
        (
            DRAWING[8:] + "[board.steps]\nHall = [0, 7, 4]\nStudy = [7, 0, 7]\nAttic = [4, 7, 0]\n",
            "steps",
            "either steps or a drawing of squares; found both",
        ),
        (DRAWING[8:].replace("h...G", "h...G" * 13), "squares", "at most 60 rows of 60 squares"),
        ('passage = "before"', "passage", "expected one of after, instead; found 'before'"),
    ],
)
def test_a_drawing_that_cannot_be_is_refused(text: str, key: str, message: str) -> None:
    whole = f"{SMALL}[board]\n{text}\n"
    if not key:
        assert parse_edition(whole, name="mine.toml").board
        return
    with pytest.raises(EditionError) as caught:
        parse_edition(whole, name="mine.toml")
    assert caught.value.key == f"board.{key}"
    assert message in str(caught.value)


def test_a_file_that_writes_steps_down_takes_over_only_the_steps_of_the_drawing() -> None:
    own = board('extends = "clue-classic"\n[board.start]\nPlum = { Study = 3 }\n')
    classic = load_edition("clue-classic").board
    assert classic is not None
    assert own.squares == ""
    assert classic.steps == own.steps
    assert own.start == {"Plum": {"Study": 3}}
    stays = board('extends = "clue-classic"\n[board]\nstay = true\n')
    assert (True, classic.squares, classic.steps) == (stays.stay, stays.squares, stays.steps)


def test_replaced_cards_keep_their_squares_and_the_first_turn() -> None:
    text = (
        'extends = "clue-2015"\n[replace]\nScarlett = { name = "Cat" }\nHall = { name = "Den" }\n'
    )
    edition = parse_edition(text, name="mine.toml")
    assert edition.first == "Cat"
    assert edition.board is not None
    assert edition.board.start["Cat"]["Den"] == 12


@pytest.mark.parametrize("name", DRAWN)
def test_a_walk_step_by_step_finds_the_same_places(name: str) -> None:
    table = next(each for each in TABLES if each.edition.name == name)
    edition, walked = table.edition, Map(table)
    ground = ground_of(edition.board, edition.rooms)
    assert isinstance(ground, Squares)
    every: list[Place] = [*walked.squares, *walked.rooms]
    places = {spoken(place): place for place in every}
    assert {*ground.places} == {*places}
    taken = {(8, 9), (17, 6)} & walked.squares
    blocked = sum(ground.places[spoken(square)] for square in taken)
    for start in ("Hall", *map(spoken, walked.starts.values()), "H12"):
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
    ground = ground_of(board(SMALL + wide), ("Hall", "Study", "Attic"))
    assert isinstance(ground, Squares)
    found = [ground.names[1 << column] for column in (1, 25, 26, 51, 52)]
    assert found == ["B1", "Z1", "AA1", "AZ1", "BA1"]


def test_what_can_be_reached_from_one_of_several_places_can_be_reached() -> None:
    edition = load_edition("clue-classic")
    ground = ground_of(edition.board, edition.rooms)
    for one, other in combinations((ground.bit["Hall"], ground.bit["Study"], 1 << 14), 2):
        both = ground.reach(one | other, 6)
        assert ground.reach(one, 6) | ground.reach(other, 6) | one | other == both | one | other


def test_where_steps_are_written_down_a_piece_may_be_on_the_way() -> None:
    written = Board(steps={"Hall": (0, 7), "Study": (7, 0)}, start={"Plum": {"Study": 8}})
    ground = ground_of(written, ("Hall", "Study"))
    hall, study = ground.bit.values()
    assert [ground.reach(hall, far) for far in (6, 7)] == [0, study]
    assert [ground.reach(ground.starts["Plum"], far) for far in (7, 8)] == [0, study]
    assert ground.reach(ground.way, 1) == hall | study
    assert ground.steps(hall) == (0, None)
