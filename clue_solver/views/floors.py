"""
Where the rooms of a drawn board lie, and what never changes in its picture.

An edition draws the squares on which one walks and leaves its rooms blank. So a room is the blank
area that touches all its doors, once strips narrower than a room are cut off, such as those along
the edge. Where two areas do, as in the middle of the house, it is the one at the edge.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from clue_solver.rules.board import Squares, places_in

SIDE = 10
"""The side of a square, in the lengths of a picture."""

_LEAST = (3, 2, 1)
"""How many squares a room is wide at least, by trial."""

Cell = tuple[int, int]
"""The column and the row of a square, or of a blank of its size."""

Area = frozenset[Cell]


class Box(NamedTuple):
    """A rectangle: its left and upper sides, width and height."""

    left: int
    top: int
    width: int
    height: int


class RoomArea(NamedTuple):
    """
    Where a room lies.

    Attributes:
        outline, doors: Paths of its walls, and of each of its doors.
        box: The largest rectangle in it.
        corner: The middle of the square that is farthest from the middle of the board.
    """

    outline: str
    doors: tuple[str, ...]
    box: Box
    corner: tuple[float, float]


class Floor(NamedTuple):
    """What never changes in the picture of a board: its size, its squares as a path, its rooms."""

    width: int
    height: int
    squares: str
    rooms: dict[str, RoomArea]


@lru_cache(maxsize=16)
def floor_of(ground: Squares) -> Floor | None:
    """Return where the rooms of a board lie; `None` where one has no area of its own."""
    columns, rows = ground.width - 1, ground.height
    squares = {_cell(ground, square) for square in places_in(ground.free)}
    blank = frozenset(product(range(columns), range(rows))) - squares
    doors = {
        room: [_cell(ground, square) for square in places_in(ground.before(bit))]
        for room, bit in ground.bit.items()
    }
    for least in _LEAST:
        parts = tuple(_connected(_without_strips(blank, least)))
        areas = {room: _behind(cells, parts, columns, rows) for room, cells in doors.items()}
        found = {room: area for room, area in areas.items() if area is not None}
        if len(set(found.values())) == len(doors):
            break
    else:
        return None
    path = "".join(f"M{x * SIDE + 0.5} {y * SIDE + 0.5}h9v9h-9z" for x, y in sorted(squares))
    rooms = {
        room: RoomArea(
            _outline(area),
            tuple(_door(cell, area) for cell in doors[room]),
            _largest_box(area),
            _corner(area, columns, rows),
        )
        for room, area in found.items()
    }
    return Floor(columns * SIDE, rows * SIDE, path, rooms)


def middle_of(ground: Squares, square: int) -> tuple[float, float]:
    """Return the middle of a square in the picture."""
    return _middle(_cell(ground, square))


def _cell(ground: Squares, square: int) -> Cell:
    row, column = ground.at(square)
    return column, row


def _middle(cell: Cell) -> tuple[float, float]:
    return (cell[0] + 0.5) * SIDE, (cell[1] + 0.5) * SIDE


def _beside(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the neighbours above, at the right, below and at the left."""
    x, y = cell
    return (x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)


def _around(cell: Cell) -> tuple[Cell, ...]:
    """Return all eight neighbours, those at the sides first."""
    x, y = cell
    slantwise = ((x + across, y + down) for across in (-1, 1) for down in (-1, 1))
    return (*_beside(cell), *slantwise)


def _without_strips(blank: Area, least: int) -> Area:
    """Return the cells that lie in some blank block of so many rows and columns."""
    block = tuple(product(range(least), repeat=2))
    left: set[Cell] = set()
    for x, y in blank:
        cells = {(x + across, y + down) for across, down in block}
        if cells <= blank:
            left |= cells
    return frozenset(left)


def _connected(cells: Area) -> Iterator[Area]:
    """Yield the parts of some cells that hang together."""
    left = set(cells)
    while left:
        edge = {left.pop()}
        part = set(edge)
        while edge:
            edge = {other for cell in edge for other in _beside(cell)} & left
            left -= edge
            part |= edge
        yield frozenset(part)


def _behind(doors: Sequence[Cell], parts: Sequence[Area], columns: int, rows: int) -> Area | None:
    """Return the area that touches all of some doors, one of them only at a corner if need be."""

    def at_edge(area: Area) -> bool:
        return any(x in (0, columns - 1) or y in (0, rows - 1) for x, y in area)

    for near in (_beside, _around):
        touching = [
            area for area in parts if not any(area.isdisjoint(near(door)) for door in doors)
        ]
        if touching:
            return max(touching, key=lambda area: (at_edge(area), len(area)))
    return None


def _door(cell: Cell, area: Area) -> str:
    """Return the path of the door between a square and a room; slantwise across a corner."""
    x, y = cell
    at_x, at_y = next(other for other in _around(cell) if other in area)
    across, down = at_x - x, at_y - y
    corner_x, corner_y = max(x, at_x) * SIDE, max(y, at_y) * SIDE
    if across and down:
        return f"M{corner_x} {corner_y + down * SIDE // 2}l{across * SIDE // 2} {-down * SIDE // 2}"
    return f"M{corner_x} {corner_y}{'v' if across else 'h'}{SIDE}"


def _outline(area: Area) -> str:
    """Return the path of the walls, clockwise around each part of an area."""
    ahead: dict[Cell, list[Cell]] = {}
    for x, y in sorted(area):
        corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y))
        for place, other in enumerate(_beside((x, y))):
            if other not in area:
                ahead.setdefault(corners[place], []).append(corners[place + 1])
    path = ""
    while ahead:
        begin = here = min(ahead)
        path += f"M{here[0] * SIDE} {here[1] * SIDE}"
        before = ""
        far = 0
        while before == "" or here != begin:
            there = ahead[here].pop()
            if not ahead[here]:
                del ahead[here]
            across, down = there[0] - here[0], there[1] - here[1]
            way = "h" if across else "v"
            if way != before and before:
                path += f"{before}{far * SIDE}"
                far = 0
            before, far = way, far + across + down
            here = there
        path += "z"
    return path


def _largest_box(area: Area) -> Box:
    """Return the largest rectangle in an area; of equal ones the widest."""
    rows: dict[int, set[int]] = {}
    for x, y in area:
        rows.setdefault(y, set()).add(x)
    best = Box(0, 0, 0, 0)
    for top, row in rows.items():
        columns = row
        bottom = top
        while columns:
            for left, width in _runs(columns):
                box = Box(left, top, width, bottom - top + 1)
                best = max(best, box, key=lambda box: (box.width * box.height, box.width))
            bottom += 1
            columns = columns & rows.get(bottom, set())
    return Box(*(SIDE * length for length in best))


def _runs(columns: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield where columns that lie side by side begin, and how many they are."""
    left = set(columns)
    for begin in sorted(left):
        if begin - 1 in left:
            continue
        end = begin
        while end in left:
            end += 1
        yield begin, end - begin


def _corner(area: Area, columns: int, rows: int) -> tuple[float, float]:
    def far(cell: Cell) -> float:
        x, y = _middle(cell)
        return abs(x - columns * SIDE / 2) + abs(y - rows * SIDE / 2)

    return _middle(max(area, key=far))
