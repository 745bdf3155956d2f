"""The board as a picture: every edition's drawing, the pieces on it, and boards without one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, islice
from pathlib import Path

import pytest

from clue_solver import Game, Record, Table, load_edition
from clue_solver.answers.report import Report
from clue_solver.notation.reader import parse_line
from clue_solver.record.contents import Entry
from clue_solver.rules.board import names_of, rows_of
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import parse_edition
from clue_solver.rules.play import Play
from clue_solver.views.board import BoardPicture, Tap, board_picture, initials
from clue_solver.views.charts import suspect_colours
from clue_solver.views.floors import SIDE, floor_of
from clue_solver.views.html import board_section
from tests.rows import blocks, held
from tests.rules.test_board import DRAWING, SMALL
from tests.views.displays import HOSTILE, Outline

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
        for room in (*play.rules.ground.rooms, *(reach or {}))
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
    assert {pairs["d"][:1] for pairs in paths if pairs["class"] in count} == {"M"}
    (squares,) = (pairs["d"] for pairs in paths if pairs["class"] == "squares")
    assert squares.count("M") == len(marks.replace(" ", ""))
    starts = [pairs["class"] for pairs, _ in html.of("circle") if "start" in pairs.get("class", "")]
    colours = suspect_colours(edition.suspects)
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
    walked = {ground.at(bit) for place, bit in ground.places.items() if place not in ground.rooms}
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
    x, y = (each / SIDE - 0.5 for each in floor.hole)  # as far from the squares on either side
    for line in ([b - x for a, b in walked if a == y], [a - y for a, b in walked if b == x]):
        assert max(each for each in line if each < 0) == -min(each for each in line if each > 0)
    least = min(min(area.box.width, area.box.height) for area in floor.rooms.values())
    assert least * PHONE / (floor.width + MARGIN) >= THUMB


FILE = Path(__file__).with_name("boards.txt")
BOARDS = blocks(FILE)
"""
What a board shows.

Headed by edition and seats; `.` an entry; `~` what is in reach: rooms, or by what the first seat
has `rolled`, with `squares`; `known` tells what can be tested. `=` its description; `-` a room with
a piece or in reach, or a square: what is told of it, how it is lit, its sign, its pieces.
"""


def lines_of(name: str, text: str) -> Iterator[str]:
    """What a board of the file shows."""
    edition, *seats = name.partition(",")[0].split()
    box = (
        load_edition(edition)
        if edition != "small"
        else parse_edition(SMALL + DRAWING, name="mine.toml")
    )
    told = [line[2:] for line in text.splitlines() if line.startswith(".")]
    play = state(box, *told, seats=tuple(seats))
    if "@ pieces: ?" in text:
        play = Play.begin(Table(edition=box, seats=tuple(seats)))
    near = next((line[2:] for line in text.splitlines() if line.startswith("~")), "")
    reach = play.chances(seats[0]) if "rolled" in near else {}
    reach |= dict.fromkeys(sorted(play.squares(seats[0])) if "squares" in near else (), 1.0)
    for room, chance in re.findall(r"(\w+) ([\d.]+)", near):
        reach[room] = float(chance)
    report = None
    if "known" in near:
        table = Table(edition=box, seats=tuple(seats), viewer=seats[0])
        log = [Entry(observation=parse_line(line, table)) for line in told]
        report = Game(Record(table=table, entries=tuple(log))).report()
    shown = picture(play, mover=seats[0], reach=reach, report=report)
    yield f"= {shown.description}"
    for room in shown.rooms:
        lit = (room.reach, room.prospect.much, room.prospect.sign)
        marks = " ".join((*filter(None, lit), *(each.letters for each in room.tokens)))
        if marks not in ("", "far"):
            yield f"- {room.description} [{marks}]"
    yield from (f"- {tap.description}" for tap, _, _ in shown.tappable)
    for token in shown.tokens:
        yield f"- {token.place} [{token.letters}]"
    # The picture links what can be tapped, each with what is told of it.
    said = [
        *(room.description for room in shown.rooms),
        *(tap.description for tap, _, _ in shown.tappable),
    ]
    assert [pairs["aria-label"] for pairs, _ in Outline(board_section(shown)).of("a")] == said
    assert shown.near.count("M") == len(shown.tappable)
    assert shown.floor or "<svg" not in board_section(shown)


@pytest.mark.parametrize("name", BOARDS)
def test_what_a_board_shows(name: str) -> None:
    given = [line for line in BOARDS[name].splitlines() if line[0] not in "=-"]
    held(FILE, name, (*given, *lines_of(name, BOARDS[name])))


def test_pieces_stand_in_rooms_side_by_side_and_on_squares() -> None:
    seats = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo")
    edition = load_edition("clue-classic")
    called = zip(seats, edition.suspects[1:5], strict=False)
    asked = (f"{seat} suggests {suspect}, Rope, Study" for seat, suspect in called)
    shown = picture(state(edition, "Ann moves to Study", *asked, seats=seats), mover="Eve")
    (study,) = (room for room in shown.rooms if room.name == "Study")
    assert (study.here, [token.letters for token in study.tokens]) == (True, [*"ABCDE", "Ro"])
    here = "Ann, Ben, Cat, Dan, Eve and Rope here"
    assert study.description == f"Move to Study, secret passage to Kitchen, {here}"
    (flo,) = shown.tokens
    assert (flo.letters, flo.colour, flo.x, flo.y) == ("F", "plum", 235, 195)
    assert shown.description == "Ann, Ben, Cat, Dan, Eve and Rope in Study; Flo in X20"


@pytest.mark.parametrize("many", [5, 6])
def test_all_pieces_and_weapons_find_room_in_one_room(many: int) -> None:
    edition = load_edition("clue-classic")
    suspects = sorted(edition.suspects, key="Mustard".__eq__)  # Ben has not moved since
    pairs = zip(suspects, edition.weapons, strict=True)
    asked = (f"Ann suggests {suspect}, {weapon}, Study" for suspect, weapon in pairs)
    play = state(edition, "Ann moves to Study", *islice(asked, many))
    (study,) = (room for room in picture(play).rooms if room.name == "Study")
    assert len(study.tokens) == 2 * many
    for one, other in combinations(study.tokens, 2):
        apart = (one.x - other.x) ** 2 + (one.y - other.y) ** 2
        assert apart > (one.radius + other.radius) ** 2
    for token in study.tokens:
        assert 174 <= token.x - token.radius < token.x + token.radius <= 236  # off the walls
        assert 210 <= token.y - token.radius < token.y + token.radius <= 250


def test_a_long_name_is_pressed() -> None:
    text = (
        "extends = 'clue-classic'\n[replace]\n"
        "Library = { name = 'Old Reading Room' }\n"
        "Lounge = { name = 'Winterverandagarten' }\n"
    )
    shown = picture(state(parse_edition(text, name="mine.toml")))
    widths = {room.name: room.label.width for room in shown.rooms if room.label}
    assert widths["Hall"] == 0
    assert widths["Billiard Room"] == widths["Conservatory"] == widths["Old Reading Room"] == 52
    assert widths["Winterverandagarten"] == 62


def test_names_are_data() -> None:
    edition = load_edition("clue-classic")
    table = Table(edition=edition, seats=HOSTILE[:3])
    shown = board_picture(
        Play.of(table, [parse_line(f"{HOSTILE[1]} moves to Hall", table)]),
        reach={},
        taps={"Hall": Tap(HOSTILE[1], HOSTILE[0], HOSTILE[2])},
    )
    assert shown is not None
    html = board_section(shown)
    assert set(Outline(html).tags) == {"svg", "path", "g", "a", "text", "circle"}
    assert re.findall(r"<script|<img| style=", html) == []


def test_every_player_has_letters_of_their_own() -> None:
    names = ("Ann", "Ben", "Bob", "Dan", "Dave", "D")
    assert [*initials(names).values()] == ["A", "Be", "Bo", "D4", "D5", "D6"]
    assert [*initials(names, least=2).values()] == ["An", "Be", "Bo", "D4", "D5", "D6"]
