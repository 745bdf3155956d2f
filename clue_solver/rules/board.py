"""
The board: its squares, doors, secret passages and starting squares, and the steps between them.

A board is drawn as rows of text: a dot is a square, a letter is the square before a room's door or
a suspect's starting square, anything blank is none. Steps are counted by breadth-first search,
leaving a room and entering one being a step each. A second drawing of the same size says where the
rooms lie, so that the board can be shown.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from string import ascii_uppercase
from typing import Annotated, Literal

from msgspec import Meta, Struct

from clue_solver.errors import unknown

MOST_SIDE = 60
"""The most rows and columns of a drawing."""

_AROUND = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1))
"""The eight neighbours of a square by rows down and columns across, those at its sides first."""


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    What the board allows, for movement and for reachability.

    Attributes:
        dice: Number of six-sided dice rolled to move.
        icon: Whether the dice have an icon in place of the 1: it counts 1 and draws a clue card.
        stay: Whether a player may stay in a room and suggest there again.
        called: Whether a player whom another's suggestion has called to a room may suggest there
            without leaving it first.
        passage: Whether a secret passage is taken `instead` of rolling, or `after` the dice are
            read, instead of moving by them.
        passages: Pairs of rooms joined by a secret passage.
        short: Whether a move may end in the corridor before the whole roll is used up.
        out: Whether the piece of a wrong accuser that stands before a door `stays`, or `enters` the
            room, so that the door is free.
        squares: The drawing, a line for each row; without one, any room is named in every turn.
        letters: What the letters of the drawing stand for: a room before whose door the square
            lies, or a suspect who starts there; several with commas between.
        rooms: Where the rooms lie, drawn with their letters; without it the board is not shown.
    """

    dice: Annotated[int, Meta(ge=1, le=4)] = 2
    icon: bool = False
    stay: bool = False
    called: bool = True
    passage: Literal["instead", "after"] = "instead"
    passages: tuple[tuple[str, str], ...] = ()
    short: bool = True
    out: Literal["stays", "enters"] = "stays"
    squares: str = ""
    letters: dict[str, str] = {}
    rooms: str = ""

    def __hash__(self) -> int:
        return hash((self.squares, self.rooms, *self.letters.values()))

    @property
    def rolls_first(self) -> bool:
        """Whether the dice are rolled before all else in a turn, as their icons are read first."""
        return self.passage == "after"

    def icons_in(self, total: int) -> list[int]:
        """Return how many icons the dice may show with a total: each is 1, another face 2 to 6."""
        others = ((number, self.dice - number) for number in range(self.dice + 1))
        return [number for number, rest in others if 2 * rest <= total - number <= 6 * rest]


class Ground:
    """
    The places where pieces stand: squares row by row, named as in chess, then the rooms.

    A set of places is an integer with a bit for each. Without squares any room may be named in
    every turn.

    Attributes:
        bit: The bit of each room, by its name.
        inside: All rooms.
        free: All squares.
        starts: The bit of the square where each suspect starts.
        width, height: The columns, a blank one at the right included, and the rows.
        areas: Where each room lies: in each of its rows the first column, and the one after the
            last; empty where the board is not shown.
    """

    def __init__(self, board: Board, rooms: Sequence[str]) -> None:
        rows = rows_of(board.squares)
        self.height = len(rows)
        self.width = max(map(len, rows), default=0) + 1  # a blank column keeps rows apart
        marked: dict[str, int] = {}
        for y, row in enumerate(rows):
            for x, mark in enumerate(row):
                if mark != " ":
                    marked[mark] = marked.get(mark, 0) | 1 << y * self.width + x
        self.free = sum(marked.values())
        first = self.height * self.width
        self.bit = {room: 1 << first + place for place, room in enumerate(rooms)}
        self.inside = sum(self.bit.values())
        # The squares before doors and those where suspects start.
        doors = dict.fromkeys(rooms, 0)
        self.starts: dict[str, int] = {}
        for letter, text in board.letters.items():
            squares = marked.get(letter, 0)
            for name in names_of(text):
                if name in doors:
                    doors[name] |= squares
                elif squares:
                    self.starts[name] = squares
        self._doors = tuple(zip(doors.values(), self.bit.values(), strict=True))
        ends = [(self.bit[one], self.bit[other]) for one, other in board.passages]
        self._passages = (*ends, *((other, one) for one, other in ends))
        self._far: dict[int, tuple[int | None, ...]] = {}
        # The rooms.
        self.areas: dict[str, dict[int, tuple[int, int]]] = {}
        for y, row in enumerate(rows_of(board.rooms)):
            for letter in dict.fromkeys(row.replace(" ", "")):
                columns = row.index(letter), row.rindex(letter) + 1
                self.areas.setdefault(board.letters[letter], {})[y] = columns

    @cached_property
    def names(self) -> dict[int, str]:
        """The name of each place by its bit: a room's, or a square's column and row: `H25`."""
        squares = {bit: self._name(bit) for bit in places_in(self.free)}
        return {**squares, **{bit: room for room, bit in self.bit.items()}}

    @cached_property
    def places(self) -> dict[str, int]:
        """The bit of each place by its name."""
        return {name: bit for bit, name in self.names.items()}

    def _name(self, square: int) -> str:
        row, column = self.at(square)
        letters = ascii_uppercase[column % 26]
        return f"{ascii_uppercase[column // 26 - 1] if column >= 26 else ''}{letters}{row + 1}"

    def at(self, square: int) -> tuple[int, int]:
        """Return the row and the column of a square, counted from 0."""
        return divmod(square.bit_length() - 1, self.width)

    def reach(self, places: int, steps: int, taken: int = 0) -> int:
        """
        Return where somebody at any of the places can go with so many steps or fewer.

        A room is never entered again in the turn in which it is left.

        Args:
            places: Where they may be.
            steps: How many steps at most.
            taken: The squares on which other pieces stand, which nobody enters.
        """
        if not self.free:
            return self.inside
        # The squares are moved over the board as a whole; each room has doors of its own.
        reached = 0
        for begin in (*places_in(places & self.inside), places & self.free):
            walked = [*islice(self._walk(begin, taken), steps + 1)]
            there = walked[-1] | self.behind(walked[-2:][0])  # the last step enters a room
            alone = not begin & (begin - 1)
            reached |= there & ~begin if alone else there
        return reached

    def _walk(self, places: int, taken: int = 0) -> Iterator[int]:
        """Yield on which squares somebody can be after no step, one, two and so on."""
        open_ = self.free & ~taken
        squares = edge = places & self.free
        yield squares
        if places & self.inside:
            squares = edge = self.before(places) & open_
            yield squares
        while edge:
            edge = self._beside(edge) & open_ & ~squares
            squares |= edge
            yield squares

    def after(self, place: int, steps: int, taken: int = 0) -> int:
        """
        Return the squares where somebody can stand after just so many steps, none of them twice.

        All ways are walked, depth first.

        Args:
            place: Where the move begins.
            steps, taken: As for `reach`.
        """
        open_ = self.free & ~taken & ~place
        wanted = self.reach(place, steps, taken) & self.free
        begun = self.before(place) & open_ if place & self.inside else place
        ends = 0
        ways = [(square, open_ & ~square, steps - (begun != place)) for square in places_in(begun)]
        while ways and wanted & ~ends:
            square, left, more = ways.pop()
            if not more:
                ends |= square
                continue
            beside = self._beside(square) & left
            ways += [(square, left & ~square, more - 1) for square in places_in(beside)]
        return ends

    def _beside(self, squares: int) -> int:
        """Return what lies at the sides of some squares."""
        return squares << 1 | squares >> 1 | squares << self.width | squares >> self.width

    def behind(self, squares: int) -> int:
        """Return the rooms behind the doors before which some squares are."""
        return sum(room for door, room in self._doors if door & squares)

    def passages(self, rooms: int) -> int:
        """Return the rooms at the other ends of passages from some rooms."""
        return sum({end for begin, end in self._passages if begin & rooms})

    def before(self, rooms: int) -> int:
        """Return the squares before the doors of some rooms."""
        return sum(door for door, room in self._doors if rooms & room)

    def doorway(self, square: int, room: str) -> tuple[int, int] | None:
        """Return the row and the column where a room begins beside a square, or at its corner."""
        row, column = self.at(square)
        for down, across in _AROUND:
            begin, end = self.areas.get(room, {}).get(row + down, (0, 0))
            if begin <= column + across < end:
                return row + down, column + across
        return None

    def steps(self, place: int) -> tuple[int | None, ...]:
        """Return the steps from a place to each room, 0 for itself, `None` where no way leads."""
        if place not in self._far:
            far = {place: 0}
            for steps, squares in enumerate(self._walk(place), 1):
                for room in places_in(self.behind(squares)):
                    far.setdefault(room, steps)
            self._far[place] = tuple(map(far.get, self.bit.values()))
        return self._far[place]

    def steps_to(self, place: str, room: str) -> int | None:
        """Return the steps from a place to a room by their names, `None` as above."""
        return self.steps(self.places[place])[[*self.bit].index(room)]


@lru_cache(maxsize=16)
def ground_of(board: Board | None, rooms: tuple[str, ...]) -> Ground:
    """Return the places of a board, or of a game without one."""
    return Ground(board or Board(), rooms)


def places_in(places: int) -> Iterator[int]:
    """Yield the bits of a set one by one, the lowest first."""
    while places:
        lowest = places & -places
        yield lowest
        places ^= lowest


def rows_of(drawing: str) -> list[str]:
    """Return the rows of a drawing."""
    return [row.rstrip() for row in drawing.rstrip().splitlines()]


def names_of(text: str) -> list[str]:
    """Return the names that a letter stands for."""
    return [name.strip() for name in text.split(",") if name.strip()]


Fault = tuple[str, str]
"""A key of an edition's file that is at fault, and what is said of it."""


def board_faults(board: Board, rooms: tuple[str, ...], others: Sequence[str]) -> Iterator[Fault]:
    """
    Yield why a board cannot be played on or not be drawn; what follows goes by what is before.

    Args:
        board: The board.
        rooms: The cards that are rooms, of which there is at least one.
        others: All other cards.
    """
    for i, pair in enumerate(board.passages):
        for room in pair:
            if room not in rooms:
                yield f"board.passages[{i}]", unknown("room", room, rooms)
        if pair[0] == pair[1]:
            yield f"board.passages[{i}]", f"expected two rooms; found {pair[0]!r} twice"
    for letter, text in board.letters.items():
        key = f"board.letters.{letter}"
        if len(letter) != 1 or not letter.isalnum():
            yield key, "expected one letter"
        for name in names_of(text):
            if name not in (*rooms, *others):
                yield key, unknown("room or suspect", name, (*rooms, *others))
    squares = "board.squares"
    yield from _faults_of_marks(squares, board.squares, (".", *board.letters))
    if not board.squares:
        if board.letters or board.rooms:
            yield squares, "expected a drawing; found nothing"
        return
    drawn = Counter[str]()
    for letter, text in board.letters.items():
        drawn.update(names_of(text) * board.squares.count(letter))
    for room in rooms:
        if not drawn[room]:
            yield squares, f"expected a square in front of a door of {room}"
    for name in others:
        if drawn[name] > 1:
            yield squares, f"expected one starting square of {name}"
    letters = [letter for letter, text in board.letters.items() if text in rooms]
    yield from _faults_of_marks("board.rooms", board.rooms, letters)
    ground = ground_of(board, rooms)
    for room, bit in ground.bit.items():
        for other, far in zip(rooms, ground.steps(bit), strict=True):
            if far is None:
                yield squares, f"there is no way from {room} to {other}"
        for square in places_in(ground.before(bit)) if ground.areas else ():
            if ground.doorway(square, room) is None:
                yield "board.rooms", f"expected {room} beside its door at {ground.names[square]}"


def _faults_of_marks(key: str, drawing: str, marks: Sequence[str]) -> Iterator[Fault]:
    """Yield where a drawing is too large, or has marks that mean nothing there."""
    rows = rows_of(drawing)
    if max([len(rows), *map(len, rows)]) > MOST_SIDE:
        yield key, f"expected at most {MOST_SIDE} rows of {MOST_SIDE} squares; found more"
    for y, row in enumerate(rows):
        for mark in row:
            if mark not in (" ", *marks):
                expected = f"a blank or one of {' '.join(marks)}"
                yield key, f"expected {expected} in row {y + 1}; found {mark!r}"
