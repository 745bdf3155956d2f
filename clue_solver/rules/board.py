"""
The board: its squares, doors, secret passages and starting squares, and the steps between them.

A board is drawn as rows of text. A dot is a square; a letter is the square in front of a room's
door, or a suspect's starting square; a blank is not a square. Steps are counted by breadth-first
search; leaving a room and entering one are a step each. A second drawing of the same size says
where the rooms lie, so that the board can be shown.
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
"""The most rows that a drawing of the board may have, and the most columns."""

_AROUND = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1))
"""
The offsets from a square to its eight neighbours, as (rows, columns); the four at its sides come
first.
"""


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    The board of an edition: how pieces move on it, and what it looks like.

    Attributes:
        dice: Number of six-sided dice rolled to move.
        icon: Whether the dice have an icon in place of the 1. It counts as 1, and whoever rolls it
            draws a clue card.
        stay: Whether a player may stay in a room and suggest there again.
        called: Whether a player whom another player's suggestion moved into a room may suggest
            there without leaving it first.
        passage: When a secret passage is taken: `instead` of rolling, or `after` the roll, instead
            of moving by it.
        passages: Pairs of rooms joined by a secret passage.
        short: Whether a move may end in the corridor before the whole roll is used up.
        out: What happens to a wrong accuser's piece that stands in front of a door: it `stays`, or
            it `enters` the room, so that the door is free.
        squares: The drawing, a line for each row. Without it, players may name any room in every
            turn.
        letters: What each letter of the drawing stands for: the room whose door the square is in
            front of, or the suspect who starts there; several names are separated by commas.
        rooms: A second drawing, in which each room is filled with its letter. Without it the board
            is not shown.
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
        """Whether a turn begins with the roll, because icons are read before anything else."""
        return self.passage == "after"

    def icons_in(self, total: int) -> list[int]:
        """
        Return how many icons dice that add up to `total` can show: each possible number, ascending.

        An icon counts as 1 in the total.
        """
        others = ((number, self.dice - number) for number in range(self.dice + 1))
        return [number for number, rest in others if 2 * rest <= total - number <= 6 * rest]


class Ground:
    """
    The places where pieces can stand: the squares of a board, and its rooms.

    Each place has a bit: an `int` with a single 1 in it. The squares have the lowest bits, row by
    row; the rooms have the next. A set of places is a mask: the sum of their bits. Squares are
    named as in chess. If there are no squares, players may name any room in every turn.

    Attributes:
        rooms: A mapping from each room's name to its bit.
        inside: The mask of all rooms.
        squares: The mask of all squares, occupied or not.
        starts: For each suspect with a starting square, the bit of that square.
        width, height: The numbers of columns and rows; the columns include a blank one at the
            right.
        areas: Where each room lies, by name: for each of its rows, the first column and the one
            after the last, all counted from 0. Empty if the board is not shown.
    """

    def __init__(self, board: Board, rooms: Sequence[str]) -> None:
        rows = rows_of(board.squares)
        self.height = len(rows)
        self.width = max(map(len, rows), default=0) + 1  # a blank column keeps rows apart
        marked: dict[str, int] = {}
        for y, row in enumerate(rows):
            for x, mark in enumerate(row):
                if mark != " ":
                    marked[mark] = marked.get(mark, 0) | (1 << (y * self.width + x))
        self.squares = sum(marked.values())
        first = self.height * self.width
        self.rooms = {room: 1 << (first + index) for index, room in enumerate(rooms)}
        self.inside = sum(self.rooms.values())
        # The squares in front of doors and those where suspects start.
        doors = dict.fromkeys(rooms, 0)
        self.starts: dict[str, int] = {}
        for letter, text in board.letters.items():
            squares = marked.get(letter, 0)
            for name in names_of(text):
                if name in doors:
                    doors[name] |= squares
                elif squares:
                    self.starts[name] = squares
        self._doors = tuple(zip(doors.values(), self.rooms.values(), strict=True))
        ends = [(self.rooms[one], self.rooms[other]) for one, other in board.passages]
        self._passages = (*ends, *((other, one) for one, other in ends))
        self._around: dict[int, list[int]] = {}  # by room, the squares within 0, 1, 2 ... steps
        # The rooms.
        self.areas: dict[str, dict[int, tuple[int, int]]] = {}
        for y, row in enumerate(rows_of(board.rooms)):
            for letter in dict.fromkeys(row.replace(" ", "")):
                columns = row.index(letter), row.rindex(letter) + 1
                self.areas.setdefault(board.letters[letter], {})[y] = columns

    @cached_property
    def names(self) -> dict[int, str]:
        """
        The name of each place, by its bit: a room's name, or a square's column and row (`H25`).
        """
        squares = {bit: self._name(bit) for bit in places_in(self.squares)}
        return {**squares, **{bit: room for room, bit in self.rooms.items()}}

    @cached_property
    def places(self) -> dict[str, int]:
        """The bit of each place, by its name."""
        return {name: bit for bit, name in self.names.items()}

    def _name(self, square: int) -> str:
        """Return the name of the square with this bit: its column's letters and its row, from 1."""
        row, column = self.at(square)
        letters = ascii_uppercase[column % 26]
        return f"{ascii_uppercase[column // 26 - 1] if column >= 26 else ''}{letters}{row + 1}"

    def at(self, square: int) -> tuple[int, int]:
        """Return the row and the column of the square with this bit, both counted from 0."""
        return divmod(square.bit_length() - 1, self.width)

    def reach(self, places: int, steps: int, taken: int = 0) -> int:
        """
        Return the places that a piece can reach in a turn, as a mask.

        A room cannot be entered in the turn in which it was left.

        Args:
            places: The mask of the places from which the piece may start.
            steps: The largest number of steps.
            taken: The mask of the squares where other pieces stand, which cannot be entered.
        """
        if not self.squares:
            return self.inside
        # The squares are moved over the board as a whole; each room has doors of its own.
        reached = 0
        for begin in (*places_in(places & self.inside), places & self.squares):
            walked = [*islice(self._walk(begin, taken), steps + 1)]
            before = walked[-2] if len(walked) > 1 else walked[0]
            there = walked[-1] | self.behind(before)  # the last step enters a room
            alone = not begin & (begin - 1)  # else one place may be reached from another
            reached |= there & ~begin if alone else there
        return reached

    def _walk(self, places: int, taken: int = 0) -> Iterator[int]:
        """
        Yield masks: the squares within 0 steps of the mask `places`, then within 1, 2 and so on.

        The step out of a room, through one of its doors, counts. No square in the mask `taken` is
        entered. The masks end when no more squares can be reached.
        """
        open_ = self.squares & ~taken
        squares = edge = places & self.squares
        yield squares
        if places & self.inside:
            squares = edge = self.before(places) & open_
            yield squares
        while edge:
            edge = self._beside(edge) & open_ & ~squares
            squares |= edge
            yield squares

    def ends_of_walks(self, place: int, steps: int, taken: int = 0) -> int:
        """
        Return the mask of the squares where a walk of exactly this many steps can end.

        A walk uses no square twice; all walks are tried, depth first.

        Args:
            place: The bit of the square or room where the walk begins.
            steps: The number of steps.
            taken: The mask of the squares that cannot be entered.
        """
        open_ = self.squares & ~taken & ~place
        wanted = self.reach(place, steps, taken) & self.squares
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

    def walk(self, begin: int, end: int, taken: int = 0) -> tuple[int, ...]:
        """
        Return the squares on a shortest walk, in order, as bits; empty if there is no way.

        A room where the walk begins or ends is left out; a square there is included.

        Args:
            begin, end: The bits of the squares or rooms where the walk begins and ends.
            taken: The mask of the squares that cannot be entered.
        """
        # Outwards until the end is near, then back, each square beside the one after it.
        walked: list[int] = []
        for squares in self._walk(begin, taken):
            walked.append(squares)
            if (squares | self.behind(squares)) & end:
                break
        else:
            return ()
        near = self.before(end) & walked[-1] if end & self.inside else end
        way = [next(places_in(near))]
        for squares in reversed(walked[:-1]):
            way += [*places_in(self._beside(way[-1]) & squares)][:1]
        return tuple(reversed(way))

    def _beside(self, squares: int) -> int:
        """
        Return the mask of the squares beside, above or below one of those in the mask `squares`.
        """
        return squares << 1 | squares >> 1 | squares << self.width | squares >> self.width

    def behind(self, squares: int) -> int:
        """Return the mask of the rooms that have a door at one of the squares in a mask."""
        return sum(room for door, room in self._doors if door & squares)

    def passages(self, rooms: int) -> int:
        """Return the mask of the rooms to which secret passages lead from the rooms in a mask."""
        return sum({end for begin, end in self._passages if begin & rooms})

    def before(self, rooms: int) -> int:
        """Return the mask of the squares in front of the doors of the rooms in a mask."""
        return sum(door for door, room in self._doors if rooms & room)

    def doorway(self, square: int, room: str) -> tuple[int, int] | None:
        """
        Return where a room touches a square: the row and the column of a cell, counted from 0.

        `None` if it does not touch the square. `square` is the bit of the square, `room` the name
        of the room.
        """
        row, column = self.at(square)
        for down, across in _AROUND:
            begin, end = self.areas.get(room, {}).get(row + down, (0, 0))
            if begin <= column + across < end:
                return row + down, column + across
        return None

    def steps(self, place: int, room: int) -> int | None:
        """
        Return the number of steps from a place to a room, both given as bits.

        `None` if there is no way.
        """
        if place == room:
            return 0
        if room not in self._around:
            self._around[room] = [*self._walk(room)]
        inside = bool(place & self.inside)  # then it is a step more, through a door
        near = self.before(place) if inside else place
        far = (steps for steps, squares in enumerate(self._around[room]) if squares & near)
        steps = next(far, None)
        return None if steps is None else steps + inside

    def steps_to(self, place: str, room: str) -> int | None:
        """
        Return the number of steps from a place to a room, both given by name.

        `None` if there is no way.
        """
        return self.steps(self.places[place], self.rooms[room])

    def nearest_room(self, square: str) -> tuple[str, int] | None:
        """
        Return the room that is nearest to a square, and the number of steps to it.

        `None` if there is no such square or no way to any room.
        """
        if square not in self.places:
            return None
        far = ((room, self.steps_to(square, room)) for room in self.rooms)
        ways = ((room, steps) for room, steps in far if steps is not None)
        return min(ways, key=lambda way: way[1], default=None)


@lru_cache(maxsize=16)
def ground_of(board: Board | None, rooms: tuple[str, ...]) -> Ground:
    """
    Return the places where pieces can stand: the squares of `board` and the named `rooms`.

    If `board` is `None`, these are only the rooms.
    """
    return Ground(board or Board(), rooms)


def places_in(places: int) -> Iterator[int]:
    """Yield the bits in a mask of places, the lowest first."""
    while places:
        lowest = places & -places
        yield lowest
        places ^= lowest


def rows_of(drawing: str) -> list[str]:
    """Return the rows of a drawing of the board, each without the blanks at its end."""
    return [row.rstrip() for row in drawing.rstrip().splitlines()]


def names_of(text: str) -> list[str]:
    """
    Return the names in a text with commas between them.

    A board's file says in this form which rooms and suspects a letter of the drawing stands for.
    """
    return [name.strip() for name in text.split(",") if name.strip()]


Fault = tuple[str, str]
"""The key at fault in an edition's file or a record's header, and the message about it."""


def board_faults(board: Board, rooms: tuple[str, ...], others: Sequence[str]) -> Iterator[Fault]:
    """
    Yield the mistakes because of which a board cannot be played on or drawn.

    Each check assumes that the checks before it found nothing, so only the first fault counts.

    Args:
        board: The board.
        rooms: The names of the room cards, at least one.
        others: The names of all other cards.
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
    for room, bit in ground.rooms.items():
        for other, place in ground.rooms.items():
            if ground.steps(bit, place) is None:
                yield squares, f"there is no way from {room} to {other}"
        for square in places_in(ground.before(bit)):
            if ground.areas and ground.doorway(square, room) is None:
                yield "board.rooms", f"expected {room} beside its door at {ground.names[square]}"


def _faults_of_marks(key: str, drawing: str, marks: Sequence[str]) -> Iterator[Fault]:
    """
    Yield the faults of a drawing of the board: it is too large, or has a mark without a meaning.

    Args:
        key: The key of the drawing in the edition's file.
        drawing: The drawing, a line for each row.
        marks: The marks that may occur in it, besides blanks.
    """
    rows = rows_of(drawing)
    if max([len(rows), *map(len, rows)]) > MOST_SIDE:
        yield key, f"expected at most {MOST_SIDE} rows of {MOST_SIDE} squares; found more"
    for y, row in enumerate(rows):
        for mark in row:
            if mark not in (" ", *marks):
                expected = f"a blank or one of {' '.join(marks)}"
                yield key, f"expected {expected} in row {y + 1}; found {mark!r}"
