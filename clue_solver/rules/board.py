"""
The board: its squares, doors, secret passages and starting squares, and the steps between them.

A board is drawn as rows of text: a dot is a square, a letter is the square before a room's door or
a suspect's starting square, anything blank is none. Steps are counted by breadth-first search,
leaving a room and entering one being a step each; who draws nothing may write them down.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from string import ascii_uppercase
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.rules import shape

MOST_STEPS, MOST_SIDE = 1000, 60
"""The most steps that may be written down; the most rows and columns of a drawing."""


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
        squares: The drawing, a line for each row; empty where steps are written down.
        letters: What the letters of the drawing stand for: a room before whose door the square
            lies, or a suspect who starts there; several with commas between.
        steps: Steps from a room (key) to each room, in the order of the rooms' category.
        start: Steps from a suspect's start square to the rooms.
    """

    dice: int = 2
    icon: bool = False
    stay: bool = False
    called: bool = True
    passage: Literal["instead", "after"] = "instead"
    passages: tuple[tuple[str, str], ...] = ()
    short: bool = True
    out: Literal["stays", "enters"] = "stays"
    squares: str = ""
    letters: dict[str, str] = {}
    steps: dict[str, tuple[int, ...]] = {}
    start: dict[str, dict[str, int]] = {}

    @property
    def rolls_first(self) -> bool:
        """Whether the dice are rolled before all else in a turn, as their icons are read first."""
        return self.passage == "after"

    def measured(self, rooms: Sequence[str]) -> "Board":
        """
        Return the board with the steps of its drawing; as it is where it has none.

        Raises:
            shape.Fault: If there is no way from a room to another.
        """
        if not self.squares:
            return self
        squares = _drawn(self.squares, tuple(self.letters.items()), tuple(rooms))
        steps = {room: squares.steps(squares.bit[room]) for room in rooms}
        for room, row in steps.items():
            for other, far in zip(rooms, row, strict=True):
                if far is None:
                    raise shape.Fault("board.squares", f"there is no way from {room} to {other}")
        start = {
            suspect: {
                room: far
                for room, far in zip(rooms, squares.steps(square), strict=True)
                if far is not None
            }
            for suspect, square in squares.starts.items()
        }
        return replace(
            self,
            steps={room: tuple(far or 0 for far in row) for room, row in steps.items()},
            start={**start, **self.start},
        )


class Ground:
    """
    The places where pieces stand, as sets: each an integer with a bit for each place.

    This one is a game without a board, in which every room may be named in every turn.

    Attributes:
        bit: The bit of each room, by its name.
        inside: All rooms.
        starts: The bit of the place where each suspect starts.
        free: All places that are no rooms.
        way: What stands for being on the way, where squares are not known; 0 where they are.
    """

    def __init__(self, rooms: Sequence[str], *, others: int = 0) -> None:
        self.bit = {room: 1 << others + place for place, room in enumerate(rooms)}
        self.inside = sum(self.bit.values())
        self.starts: dict[str, int] = {}
        self.free = self.way = 0

    @cached_property
    def names(self) -> dict[int, str]:
        """The name of each place that has one, by its bit."""
        return {bit: room for room, bit in self.bit.items()}

    @cached_property
    def places(self) -> dict[str, int]:
        """The bit of each place by its name."""
        return {name: bit for bit, name in self.names.items()}

    def reach(self, places: int, steps: int, taken: int = 0) -> int:
        """
        Return where somebody at any of the places can go with so many steps or fewer.

        A room is never entered again in the turn in which it is left.

        Args:
            places: Where they may be.
            steps: How many steps at most.
            taken: The squares on which other pieces stand, which nobody enters.
        """
        del places, steps, taken
        return self.inside

    def after(self, place: int, steps: int, taken: int = 0) -> int:
        """
        Return the squares where somebody can stand after just so many steps, none of them twice.

        Args:
            place: Where the move begins.
            steps, taken: As for `reach`.
        """
        del place, steps, taken
        return self.free

    def behind(self, place: int) -> int:
        """Return the rooms behind a door before which the place is; 0 where there is none."""
        del place
        return 0

    def steps(self, place: int) -> tuple[int | None, ...]:
        """Return the steps from a place to each room, 0 for itself, `None` where it is not told."""
        return tuple(0 if place == room else None for room in self.bit.values())

    def steps_to(self, place: str, room: str) -> int | None:
        """Return the steps from a place to a room by their names, `None` as above."""
        return self.steps(self.places[place])[[*self.bit].index(room)]


class WrittenSteps(Ground):
    """The places of a board whose steps are written down: rooms, starts and the way between."""

    def __init__(self, board: Board, rooms: Sequence[str]) -> None:
        super().__init__(rooms, others=len(board.start) + 1)
        self.way = 1
        self.starts = {suspect: 2 << place for place, suspect in enumerate(board.start)}
        self.free = self.way + sum(self.starts.values())
        steps = {self.bit[room]: zip(rooms, row, strict=True) for room, row in board.steps.items()}
        near = {self.starts[suspect]: row.items() for suspect, row in board.start.items()}
        self._steps = {
            place: [(self.bit[room], far) for room, far in row]
            for place, row in {**steps, **near}.items()
        }

    def reach(self, places: int, steps: int, taken: int = 0) -> int:
        """Return the rooms within so many steps; from the way between two rooms, every room."""
        del taken
        rooms = self.inside if places & self.way else 0
        for place in places_in(places & ~self.way):
            for room, far in self._steps[place]:
                if far <= steps and room != place:
                    rooms |= room
        return rooms


class Squares(Ground):
    """
    The places of a drawn board: squares row by row, named as in chess, then the rooms.

    Attributes:
        width, height: The columns, a blank one at the right included, and the rows.
    """

    def __init__(self, drawing: str, letters: Mapping[str, str], rooms: Sequence[str]) -> None:
        rows = rows_of(drawing)
        self.height = len(rows)
        self.width = max(map(len, rows)) + 1  # a blank column keeps rows apart
        super().__init__(rooms, others=len(rows) * self.width)
        doors = dict.fromkeys(rooms, 0)
        starts = dict[str, int]()
        for y, row in enumerate(rows):
            for x, mark in enumerate(row):
                if mark == " ":
                    continue
                square = 1 << y * self.width + x
                self.free |= square
                for name in names_of(letters.get(mark, "")):
                    if name in doors:
                        doors[name] |= square
                    else:
                        starts[name] = square
        listed = [name for text in letters.values() for name in names_of(text)]
        self.starts = {name: starts[name] for name in listed if name in starts}
        self._doors = tuple(zip(doors.values(), self.bit.values(), strict=True))
        self._far: dict[int, tuple[int | None, ...]] = {}

    @cached_property
    def names(self) -> dict[int, str]:
        """The name of each place by its bit: a room's, or a square's column and row: `H25`."""
        squares = {bit: self._name(bit) for bit in places_in(self.free)}
        return {**squares, **{bit: room for room, bit in self.bit.items()}}

    def _name(self, square: int) -> str:
        row, column = self.at(square)
        letters = ascii_uppercase[column % 26]
        return f"{ascii_uppercase[column // 26 - 1] if column >= 26 else ''}{letters}{row + 1}"

    def at(self, square: int) -> tuple[int, int]:
        """Return the row and the column of a square, counted from 0."""
        return divmod(square.bit_length() - 1, self.width)

    def reach(self, places: int, steps: int, taken: int = 0) -> int:
        """Return where somebody can go; a set of places is moved over the board as a whole."""
        if not places & (places - 1):
            return self._reach(places, steps, taken)
        reached = 0
        outside = places & self.free
        for room in places_in(places & self.inside):
            reached |= self._reach(room, steps, taken)
        return reached | self._reach(outside, steps, taken) if outside else reached

    def _reach(self, places: int, steps: int, taken: int) -> int:
        open_ = self.free & ~taken
        width = self.width
        edge = places
        left = steps
        if places & self.inside:
            edge, left = self.before(places) & open_, steps - 1
        seen = rooms = 0
        while edge and left > 0:
            seen |= edge
            edge |= edge << 1 | edge >> 1 | edge << width | edge >> width
            edge &= open_ & ~seen
            left -= 1
        for door, room in self._doors:
            if seen & door:  # the last step enters the room
                rooms |= room
        alone = not places & (places - 1)
        return (rooms | seen | edge) & ~(places if alone else 0)

    def after(self, place: int, steps: int, taken: int = 0) -> int:
        """Return the squares at the ends of all ways, found by walking them (depth first)."""
        open_ = self.free & ~taken & ~place
        wanted = self._reach(place, steps, taken) & self.free
        begun = self.before(place) & open_ if place & self.inside else place
        ends = 0
        ways = [(square, open_ & ~square, steps - (begun != place)) for square in places_in(begun)]
        while ways and wanted & ~ends:
            square, left, more = ways.pop()
            if not more:
                ends |= square
                continue
            width = self.width
            beside = (square << 1 | square >> 1 | square << width | square >> width) & left
            ways += [(square, left & ~square, more - 1) for square in places_in(beside)]
        return ends

    def behind(self, place: int) -> int:
        """Return the rooms behind a door before which the place is; 0 where there is none."""
        return sum(room for door, room in self._doors if door & place)

    def before(self, rooms: int) -> int:
        """Return the squares before the doors of some rooms."""
        return sum(door for door, room in self._doors if rooms & room)

    def steps(self, place: int) -> tuple[int | None, ...]:
        """Return the steps from a place to each room, 0 for itself, `None` where no way leads."""
        if place not in self._far:
            self._far[place] = self._counted(place)
        return self._far[place]

    def _counted(self, place: int) -> tuple[int | None, ...]:
        steps: list[int | None] = [0 if place == room else None for _, room in self._doors]
        inside = bool(place & self.inside)
        edge = self.before(place) if inside else place
        walked = int(inside)
        seen = 0
        while edge:
            for number, (door, _) in enumerate(self._doors):
                if steps[number] is None and edge & door:
                    steps[number] = walked + 1
            seen |= edge
            edge = edge << 1 | edge >> 1 | edge << self.width | edge >> self.width
            edge &= self.free & ~seen
            walked += 1
        return tuple(steps)


def ground_of(board: Board | None, rooms: Sequence[str]) -> Ground:
    """Return the places of a board, of one whose steps are written down, or of none."""
    if board is None or not board.steps:
        return Ground(rooms)
    if not board.squares:
        return WrittenSteps(board, rooms)
    return _drawn(board.squares, tuple(board.letters.items()), tuple(rooms))


@lru_cache(maxsize=16)
def _drawn(drawing: str, letters: tuple[tuple[str, str], ...], rooms: tuple[str, ...]) -> Squares:
    return Squares(drawing, dict(letters), rooms)


def places_in(places: int) -> Iterator[int]:
    """Yield the bits of a set one by one, the lowest first."""
    while places:
        lowest = places & -places
        yield lowest
        places ^= lowest


def rows_of(drawing: str) -> list[str]:
    """Return the rows of a drawing, which may begin on a line of its own."""
    return [row.rstrip() for row in drawing.strip("\r\n").splitlines()]


def names_of(text: str) -> list[str]:
    """Return the names that a letter stands for."""
    return [name.strip() for name in text.split(",") if name.strip()]


def written(table: dict[str, Any], rooms: Sequence[str]) -> dict[str, Any]:
    """Return the table of a drawn board with its steps written down in place of the drawing."""
    drawn = Board(squares=table["squares"], letters=table["letters"]).measured(rooms)
    others = {key: value for key, value in table.items() if key not in ("squares", "letters")}
    steps = {key: list(row) for key, row in drawn.steps.items()}
    return {**others, "steps": steps, "start": drawn.start}


def check_board(board: Board, rooms: Sequence[str], others: Sequence[str]) -> None:
    """
    Refuse a board that has the right shape and makes no sense.

    Args:
        board: The board, with its steps as they are written down.
        rooms: The cards that are rooms, of which there is at least one.
        others: All other cards.

    Raises:
        shape.Fault: With the key that is at fault.
    """

    def check_room(key: str, room: str) -> None:
        if room not in rooms:
            raise shape.Fault(key, shape.unknown("room", room, rooms))

    def check_steps(key: str, steps: int, *, least: int) -> None:
        if not least <= steps <= MOST_STEPS:
            raise shape.Fault(key, f"expected {least} to {MOST_STEPS} steps; found {steps}")

    if not 1 <= board.dice <= 4:
        raise shape.Fault("board.dice", f"expected 1 to 4 dice; found {board.dice}")
    for i, pair in enumerate(board.passages):
        for j, room in enumerate(pair):
            check_room(f"board.passages[{i}][{j}]", room)
        if pair[0] == pair[1]:
            raise shape.Fault(
                f"board.passages[{i}]", f"expected two rooms; found {pair[0]!r} twice"
            )
    for room, row in board.steps.items():
        key = shape.joined("board.steps", room)
        check_room(key, room)
        if len(row) != len(rooms):
            raise shape.Fault(
                key, f"expected {len(rooms)} numbers, one for each room; found {len(row)}"
            )
        for place, steps in enumerate(row):
            check_steps(f"{key}[{place}]", steps, least=0)
    for room in rooms if board.steps else ():
        if room not in board.steps:
            raise shape.Fault(
                shape.joined("board.steps", room), f"expected {len(rooms)} numbers; found nothing"
            )
    for suspect, near in board.start.items():
        key = shape.joined("board.start", suspect)
        if suspect not in others:
            raise shape.Fault(key, shape.unknown("suspect", suspect, others))
        for room, steps in near.items():
            check_room(shape.joined(key, room), room)
            check_steps(shape.joined(key, room), steps, least=1)
    _check_drawing(board, rooms, others)


def _check_drawing(board: Board, rooms: Sequence[str], others: Sequence[str]) -> None:
    """Refuse a drawing with marks that mean nothing, or without some room's door."""
    rows = rows_of(board.squares)
    if not board.squares.strip():
        if board.letters or board.squares:
            raise shape.Fault("board.squares", "expected a drawing of the board; found nothing")
        return
    if board.steps:
        raise shape.Fault(
            "board.steps", "expected either steps or a drawing of squares; found both"
        )
    if len(rows) > MOST_SIDE or max(map(len, rows)) > MOST_SIDE:
        most = f"at most {MOST_SIDE} rows of {MOST_SIDE} squares"
        raise shape.Fault("board.squares", f"expected {most}; found more")
    drawn: list[str] = []
    for letter, text in board.letters.items():
        key = shape.joined("board.letters", letter)
        if len(letter) != 1 or not letter.isalnum():
            raise shape.Fault(key, "expected one letter")
        if not names_of(text):
            raise shape.Fault(key, "expected a room or a suspect; found nothing")
        count = board.squares.count(letter)
        for name in names_of(text):
            if name not in (*rooms, *others):
                raise shape.Fault(key, shape.unknown("room or suspect", name, (*rooms, *others)))
            drawn += [name] * count
    for y, row in enumerate(rows):
        for mark in row:
            if mark not in ". " and mark not in board.letters:
                what = f"expected '.', a blank or a letter of `letters` in row {y + 1}"
                raise shape.Fault("board.squares", f"{what}; found {shape.described_value(mark)}")
    for room in rooms:
        if room not in drawn:
            raise shape.Fault("board.squares", f"expected a square before a door of {room}")
    for name in others:
        if drawn.count(name) > 1:
            raise shape.Fault("board.squares", f"expected one starting square of {name}")
