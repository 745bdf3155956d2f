"""A board as a picture: its rooms, what is in reach, who stands where; as a list where none is."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Literal, NamedTuple

from clue_solver.notation.names import joined
from clue_solver.rules.board import Squares
from clue_solver.rules.play import PlayState
from clue_solver.views.floors import Floor, floor_of, middle_of

_LINE, _LETTER, _PRESSED = 11.0, 5.3, 4.2
"""The height of a line; the width of a letter, and of one in a line that is pressed together."""

_APART = (14, 12, 10, 8)
"""How far pieces are apart in a room: the first of these with which all find room."""

_GAP, _RING = 1, 3
"""What is left between two pieces; the radius of the ring where a suspect starts."""

Reach = Literal["reach", "maybe", "far", ""]
"""A room is in reach, may be by the dice, is not; empty where that is not known."""

_REACH: dict[Reach, str] = {"reach": "in reach", "maybe": "perhaps in reach"}


class Tap(NamedTuple):
    """What a tap on a room does: where it leads, the line that it tells, and that in words."""

    href: str
    line: str
    said: str


class Token(NamedTuple):
    """A seat's piece, or the ring where a suspect starts: colour, letters, middle and radius."""

    colour: str
    letters: str = ""
    x: float = 0
    y: float = 0
    radius: float = 0


class LabelLine(NamedTuple):
    """A line of a room's name: its middle, and the width it is pressed into; 0 where it fits."""

    text: str
    x: float
    y: float
    width: float


class RoomPicture(NamedTuple):
    """
    A room of a board.

    Attributes:
        name: What the table calls it.
        said: What is told of it, in words.
        reach: Whether it is in reach.
        here: Whether the piece that moves stands in it.
        tap: What a tap does; `None` for nothing.
        tokens: The pieces in it.
        outline, doors, passages: The paths of its walls, its doors, the arrows of its passages.
        label: Its name where it is drawn.
    """

    name: str
    said: str
    reach: Reach
    here: bool
    tap: Tap | None
    tokens: tuple[Token, ...]
    outline: str = ""
    doors: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    label: tuple[LabelLine, ...] = ()


class BoardPicture(NamedTuple):
    """
    A board and what stands on it.

    Attributes:
        rooms: The rooms.
        told: What it shows, in words.
        width, height: The size; 0 where nothing is drawn, and the rooms are a list.
        squares: The path of the squares.
        starts: Where suspects start.
        tokens: The pieces on squares.
    """

    rooms: tuple[RoomPicture, ...]
    told: str
    width: int = 0
    height: int = 0
    squares: str = ""
    starts: tuple[Token, ...] = ()
    tokens: tuple[Token, ...] = ()


def board_picture(
    state: PlayState,
    *,
    mover: str = "",
    reach: Mapping[str, float],
    taps: Mapping[str, Tap],
    seats: Mapping[str, str],
    suspects: Mapping[str, str],
) -> BoardPicture | None:
    """
    Return the board of a game as it stands; `None` where it has none.

    Args:
        state: The state of play.
        mover: Whose piece moves; empty where that is not known.
        reach: The chance of each room to be in reach; empty where that is not known.
        taps: What a tap on a room does.
        seats, suspects: The colours of the seats' pieces, and of the suspects' starting squares.
    """
    rules = state.rules
    ground, table = rules.ground, rules.table
    if rules.board is None:
        return None
    # Who stands where.
    letters = initials(table.seats)
    there: dict[str, list[str]] = {}
    for seat in table.seats:
        place = state.place(seat)
        if place is not None:
            there.setdefault(place, []).append(seat)
    tokens = {
        place: tuple(Token(seats.get(seat, ""), letters[seat]) for seat in who)
        for place, who in there.items()
    }
    # What is told of the rooms.
    printed = {room: rules.edition.printed(room, table.language) for room in ground.bit}
    ends = {
        room: [pair[pair[0] == room] for pair in rules.board.passages if room in pair]
        for room in printed
    }
    rooms: dict[str, RoomPicture] = {}
    for room, name in printed.items():
        lit = _lit(reach, room)
        tap = taps.get(room)
        told = [tap.said if tap else name, _REACH.get(lit, "")]
        told += [f"secret passage to {printed[end]}" for end in ends[room]]
        told += [f"{joined(there[room], 'and')} here"] if room in there else []
        said = ", ".join(filter(None, told))
        here = mover in there.get(room, ())
        rooms[room] = RoomPicture(name, said, lit, here, tap, tokens.get(room, ()))
    stand = [f"{joined(who, 'and')} in {printed.get(at, at)}" for at, who in there.items()]
    near = [room.name for room in rooms.values() if room.reach == "reach"]
    told = [*stand, f"in reach: {', '.join(near)}"] if near else stand
    shown = BoardPicture(tuple(rooms.values()), "; ".join(told))
    # Where all that is drawn.
    floor = floor_of(ground) if isinstance(ground, Squares) else None
    if floor is None or not isinstance(ground, Squares):
        return shown
    return shown._replace(
        rooms=tuple(_placed(room, name, ends[name], floor) for name, room in rooms.items()),
        width=floor.width,
        height=floor.height,
        squares=floor.squares,
        starts=tuple(
            Token(suspects.get(suspect, ""), "", *middle_of(ground, square), _RING)
            for suspect, square in ground.starts.items()
        ),
        tokens=tuple(
            token
            for place, pieces in tokens.items()
            if place not in printed
            for token in _row(pieces, *middle_of(ground, ground.places[place]), _APART[1])
        ),
    )


def initials(names: Sequence[str]) -> dict[str, str]:
    """
    Return each name's first letter, its first two or a number where others begin with it, too.

    >>> initials(("Ann", "Ben", "Bob", "Dan", "Dave"))
    {'Ann': 'A', 'Ben': 'Be', 'Bob': 'Bo', 'Dan': 'D4', 'Dave': 'D5'}
    """
    short: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        for letters in (name[:1], name[:2]):
            if sum(other.startswith(letters) for other in names) == 1:
                short[name] = letters
                break
        else:
            short[name] = f"{name[:1]}{number}"
    return short


def _lit(reach: Mapping[str, float], room: str) -> Reach:
    if room not in reach:
        return ""
    if reach[room] >= 1:
        return "reach"
    return "maybe" if reach[room] > 0 else "far"


def _placed(room: RoomPicture, name: str, ends: Sequence[str], floor: Floor) -> RoomPicture:
    """Return a room with all that is drawn of it."""
    area = floor.rooms[name]
    left, top, width, height = area.box
    x = left + width / 2
    texts = list(_lines(room.name, width, most=max(1, int(height / _LINE))))
    # The name stands in the middle, over the pieces.
    below = height - _LINE * len(texts)
    apart, rows = _fitting(len(room.tokens), width, below)
    across = ceil(len(room.tokens) / rows)
    y = top + (below - (apart * rows if room.tokens else 0)) / 2
    label = tuple(
        LabelLine(text, x, y + _LINE * (place + 0.5), _pressed(text, width))
        for place, text in enumerate(texts)
    )
    y += _LINE * len(texts) + apart / 2
    tokens = tuple(
        token
        for row in range(rows)
        for token in _row(room.tokens[row * across : (row + 1) * across], x, y + apart * row, apart)
    )
    passages = tuple(_arrow(area.corner, floor.rooms[end].corner) for end in ends)
    return room._replace(
        outline=area.outline, doors=area.doors, passages=passages, label=label, tokens=tokens
    )


def _fitting(pieces: int, width: float, height: float) -> tuple[int, int]:
    """Return how far pieces are apart, and in how many rows they stand."""
    for apart in _APART:
        rows = ceil(pieces / max(1, int(width / apart))) or 1
        if rows * apart <= height:
            break
    return apart, rows


def _row(tokens: Sequence[Token], x: float, y: float, apart: float) -> Iterator[Token]:
    """Yield tokens side by side around a middle."""
    begin = x - apart * (len(tokens) - 1) / 2
    for place, token in enumerate(tokens):
        yield token._replace(x=begin + apart * place, y=y, radius=(apart - _GAP) / 2)


def _lines(name: str, width: float, *, most: int) -> Iterator[str]:
    """Yield a name as it is written in some width: in one line, or word by word, or shortened."""
    longest = int(width / _PRESSED)
    if len(name) * _LETTER <= width or most == 1:
        lines = [name]
    else:
        lines = [""]
        for word in name.split():
            line = f"{lines[-1]} {word}".strip()
            if len(line) * _LETTER <= width or not lines[-1]:
                lines[-1] = line
            else:
                lines.append(word)
        lines[most - 1 :] = [" ".join(lines[most - 1 :])] if len(lines) >= most else []
    for line in lines:
        yield line if len(line) <= longest else f"{line[: longest - 1]}…"


def _pressed(text: str, width: float) -> float:
    return width - 4 if len(text) * _LETTER > width else 0


def _arrow(begin: tuple[float, float], end: tuple[float, float]) -> str:
    """Return the path of an arrow that points from one place to another, slantwise."""
    x, y = begin
    across = 3 if end[0] > x else -3
    down = 3 if end[1] > y else -3
    tip = f"{x + across} {y + down}"
    return f"M{x - across} {y - down}L{tip}M{x + across} {y}L{tip}L{x} {y + down}"
