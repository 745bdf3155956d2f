"""The fixed parts of a board's picture: where its rooms and squares are."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, groupby
from typing import NamedTuple

from clue_solver.rules.board import Ground, places_in
from clue_solver.views.charts import suspect_colours

SIDE = 10
"""The side of a square, in units of the picture."""


class Box(NamedTuple):
    """A rectangle: its left and upper edges, its width and its height."""

    left: int
    top: int
    width: int
    height: int


class RoomArea(NamedTuple):
    """
    The area of a room in the picture.

    Attributes:
        outline: The SVG path of its walls.
        doors: The SVG path of each door.
        box: The largest rectangle that fits into the room.
        corner: The centre of the room's square that is farthest from the middle of the board.
    """

    outline: str
    doors: tuple[str, ...]
    box: Box
    corner: tuple[float, float]


class Floor(NamedTuple):
    """
    The fixed parts of a board's picture.

    Attributes:
        width, height: Its size.
        squares: The SVG path of all squares.
        hole: The centre of the space in the middle of the board that no square takes.
        starts: The rings where the suspects start: the colour and the centre of each.
        rooms: The area of each room.
    """

    width: int
    height: int
    squares: str
    hole: tuple[float, float]
    starts: tuple[tuple[str, float, float], ...]
    rooms: dict[str, RoomArea]


@lru_cache(maxsize=16)
def floor_of(ground: Ground) -> Floor | None:
    """Return the fixed parts of a board's picture; `None` if its edition draws no rooms."""
    if not ground.areas:
        return None
    ends = [end for area in ground.areas.values() for _, end in area.values()]
    width = SIDE * max(ground.width - 1, *ends)
    height = SIDE * (1 + max(ground.height - 1, *(max(area) for area in ground.areas.values())))
    corners = [(SIDE * x, SIDE * y) for y, x in map(ground.at, places_in(ground.squares))]
    squares = "".join(square_path(x, y) for x, y in sorted(corners))
    colours = suspect_colours(ground.starts)
    starts = tuple(
        (colours.get(suspect, ""), *middle_of(ground, square))
        for suspect, square in ground.starts.items()
    )
    rooms = {room: _area(ground, room, width / 2, height / 2) for room in ground.rooms}
    x, y = width // 2 // SIDE * SIDE, height // 2 // SIDE * SIDE
    hole = (
        _middle_between([left for left, top in corners if top == y], x, width),
        _middle_between([top for left, top in corners if left == x], y, height),
    )
    return Floor(width, height, squares, hole, starts, rooms)


def _middle_between(squares: Sequence[int], at: int, end: int) -> float:
    """
    Return the middle of the gap around the position `at` in a row or column of squares.

    `squares` has the positions where squares begin; the row or column goes from 0 to `end`.
    """
    before = max((each + SIDE for each in squares if each < at), default=0)
    return (before + min((each for each in squares if each > at), default=end)) / 2


def square_path(x: int, y: int) -> str:
    """Return the SVG path of a square with the upper left corner (x, y)."""
    return f"M{x + 0.5} {y + 0.5}h9v9h-9z"


def middle_of(ground: Ground, square: int) -> tuple[float, float]:
    """Return the centre of a square in the picture, as x and y."""
    row, column = ground.at(square)
    return (column + 0.5) * SIDE, (row + 0.5) * SIDE


def _area(ground: Ground, room: str, x: float, y: float) -> RoomArea:
    """Return the area of a room, on a board whose centre is (x, y)."""
    # Rows of equal length, one below the other, are a block.
    rows = sorted(ground.areas[room].items())
    blocks: list[tuple[int, int, int, int]] = []
    for (left, right), same in groupby(rows, key=lambda row: row[1]):
        lines = [line for line, _ in same]
        blocks.append((SIDE * left, SIDE * right, SIDE * lines[0], SIDE * (lines[-1] + 1)))
    # The walls: down the right sides, and up the left ones.
    walls = [f"M{blocks[0][0]} {blocks[0][2]}"]
    walls += [f"H{right}V{bottom}" for _, right, _, bottom in blocks]
    walls += [f"H{left}V{top}" for left, _, top, _ in reversed(blocks)]
    # Some blocks, one below the other, contain a rectangle as wide as their common columns.
    boxes = []
    for first, last in combinations_with_replacement(range(len(blocks)), 2):
        some = blocks[first : last + 1]
        left = max(block[0] for block in some)
        right = min(block[1] for block in some)
        top, bottom = some[0][2], some[-1][3]
        boxes.append(Box(left, top, max(0, right - left), bottom - top))
    half = SIDE / 2
    middles = (
        (across, line * SIDE + half)
        for line, (begin, end) in rows
        for across in (begin * SIDE + half, end * SIDE - half)
    )
    return RoomArea(
        outline=f"{''.join(walls)}z",
        doors=tuple(
            _door(ground, square, room) for square in places_in(ground.before(ground.rooms[room]))
        ),
        box=max(boxes, key=lambda box: (box.width * box.height, box.width)),
        corner=max(middles, key=lambda middle: abs(middle[0] - x) + abs(middle[1] - y)),
    )


def _door(ground: Ground, square: int, room: str) -> str:
    """Return the SVG path of the door between a square and a room; diagonal across a corner."""
    row, column = ground.at(square)
    to_row, to_column = ground.doorway(square, room) or (row, column)
    across, down = to_column - column, to_row - row
    x, y = max(column, to_column) * SIDE, max(row, to_row) * SIDE
    if across and down:
        return f"M{x} {y + down * SIDE // 2}l{across * SIDE // 2} {-down * SIDE // 2}"
    return f"M{x} {y}{'v' if across else 'h'}{SIDE}"
