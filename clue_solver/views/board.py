"""
The board of a game as a picture, or as a list of rooms if its edition draws none.

The picture shows the rooms and squares in reach, what a suggestion in each room can test, and the
pieces and weapons.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Literal, NamedTuple

from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.errors import counted
from clue_solver.notation.names import joined
from clue_solver.rules.play import Play
from clue_solver.rules.table import ENVELOPE
from clue_solver.views.charts import seat_colours, suspect_colours
from clue_solver.views.floors import SIDE, Floor, RoomArea, floor_of, middle_of, square_path
from clue_solver.views.headlines import odds

_LINE, _LETTER = 11.0, 4.6
"""The height of a line and the average width of a letter; too wide lines are compressed."""

_APART, _EDGE = 14, 4
"""
The most between the centres of two pieces in a room, and the least between a name or a piece and
the walls, in units of the picture.
"""

_CORNER = 10
"""The height of the corner of a room in which the arrow of a passage stands."""

Reach = Literal["reach", "maybe", "far", ""]
"""Whether a room is in reach, may be in reach, or is not (`far`); empty if that is unknown."""

_REACH: dict[Reach, str] = {"reach": "in reach", "maybe": "perhaps in reach"}

_MUCH = 0.16
"""
The least variance of a room's chance to be in the envelope for which it is `much` to test. A chance
of 1 in 5 has a variance of 0.16.
"""


class BoardPiece(NamedTuple):
    """
    A piece or a weapon on the board.

    Attributes:
        kind: `seat` for a player's piece, `spare` for a suspect that nobody plays, or `weapon`.
        name: The seat, the suspect or the weapon.
        letters: The letters drawn on it.
        place: The room or the square where it stands.
        colour: Its colour, as a key of `charts.PIECES`; empty for none.
        x, y: Its centre in the picture.
        radius: Its radius in the picture.
    """

    kind: Literal["seat", "spare", "weapon"]
    name: str
    letters: str
    place: str
    colour: str = ""
    x: float = 0
    y: float = 0
    radius: float = 0


class Tap(NamedTuple):
    """
    What a tap on a place does.

    Attributes:
        href: The address that it opens.
        line: The line that it logs.
        description: What the tap does, in words.
        on: Whether the place is chosen, and only has to be confirmed.
    """

    href: str
    line: str
    description: str
    on: bool = False


class Prospect(NamedTuple):
    """
    What a suggestion in a room can test. All attributes are empty if that is unknown.

    Attributes:
        description: How likely the room's card is in the envelope, or why there is nothing to test.
        sign: The same as a short text for the picture, such as `20%` or `Ben has it`.
        much: Whether there is `much`, `little` or `nothing` to test.
    """

    description: str = ""
    sign: str = ""
    much: Literal["much", "little", "nothing", ""] = ""


class LabelLine(NamedTuple):
    """
    A line of text in a room.

    Attributes:
        text: The text.
        x, y: The centre of the line in the picture.
        width: The width to which the text is compressed; 0 if it fits as it is.
    """

    text: str
    x: float
    y: float
    width: float


class RoomPicture(NamedTuple):
    """
    A room of a board.

    Attributes:
        name: The room's name at this table.
        description: The room and what is in it, in words.
        reach: Whether the room is in reach.
        prospect: What a suggestion there can test; empty if that is unknown.
        here: Whether the piece that moves is in this room.
        tap: What a tap does; `None` for nothing.
        tokens: The pieces in the room.
        drawing: The centre and the size of its drawing; empty if there are pieces or no space.
        area: Its walls and doors; `None` if the board is not drawn.
        passages: The SVG paths of the arrows for its secret passages.
        label: Its name in the picture.
        sign: The sign of what can be tested; `None` if it has no space.
    """

    name: str
    description: str
    reach: Reach
    prospect: Prospect
    here: bool
    tap: Tap | None
    tokens: tuple[BoardPiece, ...]
    drawing: tuple[float, ...] = ()
    area: RoomArea | None = None
    passages: tuple[str, ...] = ()
    label: LabelLine | None = None
    sign: LabelLine | None = None


class BoardPicture(NamedTuple):
    """
    A board with the pieces and weapons on it.

    Attributes:
        rooms: The rooms.
        description: Who and what is where, and which rooms are in reach, in words.
        floor: The parts that are the same in every game; `None` if the board is not drawn and the
            rooms are a list.
        near: The SVG path of the squares in reach.
        tappable: For each square that can be tapped: what the tap does, and the upper left corner
            in the picture. The description of the tap also says whether the square is in reach.
        route: The SVG path of the walk to the place that is chosen; empty if it is unknown.
        letters: The letters of the piece that moves; empty if that is unknown.
        tokens: The pieces on squares.
    """

    rooms: tuple[RoomPicture, ...]
    description: str
    floor: Floor | None = None
    near: str = ""
    tappable: tuple[tuple[Tap, int, int], ...] = ()
    route: str = ""
    letters: str = ""
    tokens: tuple[BoardPiece, ...] = ()


def board_picture(
    state: Play,
    *,
    reach: Mapping[str, float],
    mover: str = "",
    taps: Mapping[str, Tap] | None = None,
    report: Report | None = None,
) -> BoardPicture | None:
    """
    Return a picture of the board in a state of play; `None` if the edition has no board.

    Args:
        state: The state of play.
        reach: The chance, from 0 to 1, that each room or square is in reach, by name; empty if
            that is unknown.
        mover: The seat whose piece moves; empty if that is unknown.
        taps: For the name of a room or a square, what a tap on it does.
        report: What the viewer of the picture knows of the cards; `None` to show nothing of it.
    """
    taps = taps or {}
    rules = state.rules
    ground, table = rules.ground, rules.table
    if rules.board is None:
        return None
    # Who stands where.
    there: dict[str, list[BoardPiece]] = {}
    for token in tokens_on(state):
        there.setdefault(token.place, []).append(token)
    # The rooms in words.
    printed = {room: table.printed(room) for room in ground.rooms}
    ends = {
        room: [pair[pair[0] == room] for pair in rules.board.passages if room in pair]
        for room in printed
    }
    rooms: dict[str, RoomPicture] = {}
    for room, name in printed.items():
        lit = _reach_of(reach, room)
        outlook = prospect(report, room)
        tap = taps.get(room)
        inside = there.get(room, [])
        names = [token.name for token in inside]
        parts = [tap.description if tap else name, _REACH.get(lit, ""), outlook.description]
        parts += [f"secret passage to {printed[end]}" for end in ends[room]]
        parts += [f"{joined(names, 'and')} here"] if names else []
        text = ", ".join(filter(None, parts))
        rooms[room] = RoomPicture(name, text, lit, outlook, mover in names, tap, tuple(inside))
    # Who stands where and what is in reach, in words.
    standing = {
        printed.get(at, at): [each.name for each in pieces if at in printed or each.kind == "seat"]
        for at, pieces in there.items()
    }
    told = [f"{joined(who, 'and')} in {at}" for at, who in standing.items() if who]
    near = [room.name for room in rooms.values() if room.reach == "reach"]
    told += [f"in reach: {', '.join(near)}"] if near else []
    shown = BoardPicture(tuple(rooms.values()), "; ".join(told))
    # Where all that is drawn.
    floor = floor_of(ground)
    if floor is None:
        return shown
    chosen = next((place for place, tap in taps.items() if tap.on), "")
    steps = [middle_of(ground, square) for square in walk_to(state, mover, chosen)]
    corners: dict[str, tuple[int, int]] = {}
    for name in (*reach, *taps):
        if name not in printed:
            row, column = ground.at(ground.places[name])
            corners[name] = column * SIDE, row * SIDE
    tappable: list[tuple[Tap, int, int]] = []
    for name, tap in taps.items():
        if name in corners:
            text = f"{tap.description}{', in reach' if name in reach else ''}"
            tappable.append((tap._replace(description=text), *corners[name]))
    return shown._replace(
        rooms=tuple(_draw_room(room, name, ends[name], floor) for name, room in rooms.items()),
        floor=floor,
        route="L".join(f"{x} {y}" for x, y in steps),
        letters=initials_at(state).get(mover, ""),
        near="".join(square_path(*corners[name]) for name in reach if name in corners),
        tappable=tuple(tappable),
        tokens=tuple(
            token
            for place, pieces in there.items()
            if place not in printed
            for token in _in_row(pieces, *middle_of(ground, ground.places[place]), SIDE + 2)
        ),
    )


def walk_to(state: Play, seat: str, place: str) -> tuple[int, ...]:
    """
    Return the squares on which a seat's piece walks to a place, from the one where it stands.

    Each square is given as a mask with its bit, as in `Ground`. The result is empty if the walk is
    unknown, because no roll is known, the whole roll has to be used, or the piece gets there in
    another way.
    """
    rules, begin = state.rules, state.place(seat) if seat else None
    ground = rules.ground
    if rules.board is None or begin is None or place not in ground.places or not state.total:
        return ()
    way = ground.walk(ground.places[begin], ground.places[place], state.taken(seat))
    steps = len(way) - (begin not in ground.rooms) + (place in ground.rooms)
    return way if rules.board.short and steps <= state.total else ()


def stop_question(state: Play, seat: str, place: str, stop: str) -> tuple[str, str]:
    """
    Return the question whether to stop at a place, and a sentence on which room is near.

    The sentence is empty if the place is a room, or if the walk to it is unknown. `stop` is the
    move in words, such as `Stop 2 steps from the Hall`.
    """
    way, begin = walk_to(state, seat, place), state.place(seat)
    if not way or place in state.rules.ground.rooms:
        return f"{stop}?", ""
    steps = len(way) - (begin not in state.rules.ground.rooms)
    question = f"Stop here, {counted(steps, 'step')} of {state.total}?"
    return question, f"Here you are {near_room(state, place)}."


def near_room(state: Play, square: str) -> str:
    """Return the distance from a square to the nearest room, in words."""
    near = state.rules.ground.nearest_room(square)
    if near is None:
        return "between rooms"
    room, steps = near
    name = state.rules.table.printed(room)
    return f"{counted(steps, 'step')} from the {name}"


def prospect(report: Report | None, room: str) -> Prospect:
    """
    Return what to show on a room, since a suggestion made in it has to name the room's card.

    That is how likely the card is in the envelope, or why there is nothing to test: for example,
    that a player certainly has it. The result is empty if there is no consistent report, or if the
    edition has no such room.
    """
    if report is None or not report.consistent or room not in report.table.edition.rooms:
        return Prospect()
    if room not in report.cards:
        return Prospect("nothing to test: it lies face up", "·", "nothing")
    if report.verdict(room, ENVELOPE) == "holds":
        return Prospect("nothing to test: it's in the envelope", "✓", "nothing")
    for seat in report.table.seats:
        if report.verdict(room, seat) == "holds":
            has = "you have it" if seat == report.viewer else f"{seat} has it"
            return Prospect(f"nothing to test: {has}", has, "nothing")
    if report.verdict(room, ENVELOPE) == "lacks":
        return Prospect("nothing to test: it's not in the envelope", "·", "nothing")
    chance = report.probability(room, ENVELOPE)
    description = f"{odds(chance)} in the envelope" if odds(chance) else ""
    much: Literal["much", "little"] = "much" if chance * (1 - chance) >= _MUCH else "little"
    return Prospect(description, f"{percent(chance)}%", much)


def _reach_of(reach: Mapping[str, float], room: str) -> Reach:
    """
    Return whether a room is in reach: `reach`, `maybe` or `far`; empty if that is unknown.

    Args:
        reach: The chance, from 0 to 1, that each room or square is in reach, by name.
        room: The name of the room.
    """
    if room not in reach:
        return ""
    if reach[room] >= 1:
        return "reach"
    return "maybe" if reach[room] > 0 else "far"


def _draw_room(room: RoomPicture, name: str, ends: Sequence[str], floor: Floor) -> RoomPicture:
    """
    Return a room with the shapes and positions of everything drawn in it.

    `name` is its name in the edition; `ends` are the rooms at the other ends of its passages.
    """
    area = floor.rooms[name]
    left, top, width, height = area.box
    x = left + width / 2
    # The name stands in the middle, what can be tested beneath it, then the pieces or the drawing.
    many = len(room.tokens)
    apart, rows = _piece_spacing(many, width - 2 * _EDGE, height - _LINE)
    below = apart * rows
    signed = bool(room.prospect.sign) and below + 2 * _LINE <= height
    lines = _LINE * (1 + signed)
    if not many:
        below = min(0.6 * width, height - lines - _CORNER)
        below = below if below >= _LINE else 0
    y = top + (height - lines - below) / 2 + (0 if many else _CORNER / 3)
    drawing = () if many or not below else (x, y + lines + below / 2, below)
    across = ceil(many / max(1, rows))
    tokens = tuple(
        token
        for row in range(rows)
        for token in _in_row(
            room.tokens[row * across : (row + 1) * across],
            x,
            y + lines + apart * (row + 0.5),
            apart,
        )
    )
    return room._replace(
        area=area,
        drawing=drawing,
        passages=tuple(_arrow(area.corner, floor.rooms[end].corner) for end in ends),
        label=_label(room.name, x, y, width),
        sign=_label(room.prospect.sign, x, y + _LINE, width) if signed else None,
        tokens=tokens,
    )


def _piece_spacing(pieces: int, width: float, height: float) -> tuple[float, int]:
    """
    Return how far apart pieces can stand in a rectangle, at most `_APART`, and in how many rows.

    Args:
        pieces: The number of pieces.
        width, height: The size of the rectangle in the picture.
    """
    ways = (
        (min(_APART, width / ceil(pieces / rows), height / rows), rows)
        for rows in range(1, pieces + 1)
    )
    return max(ways, key=lambda way: way[0], default=(0, 0))


def _in_row(tokens: Sequence[BoardPiece], x: float, y: float, apart: float) -> Iterator[BoardPiece]:
    """
    Yield pieces placed in a row.

    Args:
        tokens: The pieces.
        x, y: The middle of the row in the picture.
        apart: The distance between the centres of two pieces.
    """
    begin = x - apart * (len(tokens) - 1) / 2
    for place, token in enumerate(tokens):
        yield token._replace(x=begin + apart * place, y=y, radius=(apart - 1) / 2)


def _label(text: str, x: float, y: float, width: float) -> LabelLine:
    """
    Return a line of text in a room.

    Args:
        text: The text; it is compressed if it is too wide.
        x: The middle of the room in the picture.
        y: The upper edge of the line.
        width: The width of the room.
    """
    most = width - 2 * _EDGE
    return LabelLine(text, x, y + _LINE / 2, most if len(text) * _LETTER > most else 0)


def _arrow(begin: tuple[float, float], end: tuple[float, float]) -> str:
    """
    Return the SVG path of a small diagonal arrow, centred on `begin` and pointing towards `end`.
    """
    x, y = begin
    across = 3 if end[0] > x else -3
    down = 3 if end[1] > y else -3
    tip = f"{x + across} {y + down}"
    return f"M{x - across} {y - down}L{tip}M{x + across} {y}L{tip}L{x} {y + down}"


def tokens_on(state: Play) -> Iterator[BoardPiece]:
    """
    Yield the pieces whose places are known: of seats, of suspects that nobody plays, of weapons.
    """
    rules = state.rules
    table, edition = rules.table, rules.edition
    colours, seats = suspect_colours(edition.suspects), seat_colours(table)
    spare = [name for name in rules.pieces if name not in rules.owner]
    letters = initials_at(state)
    for seat in table.seats:
        if place := state.place(seat):
            yield BoardPiece("seat", seat, letters[seat], place, seats[seat])
    for name in spare:
        if place := state.where_is(name):
            called = table.printed(name)
            yield BoardPiece("spare", called, letters[name], place, colours.get(name, ""))
    letters = initials(edition.weapons, least=2)
    for name, place in state.weapons.items():
        yield BoardPiece("weapon", table.printed(name), letters[name], place)


def initials_at(state: Play) -> dict[str, str]:
    """
    Return the letters on the pieces, by the name of the seat or of a suspect that nobody plays.
    """
    spare = (name for name in state.rules.pieces if name not in state.rules.owner)
    return initials((*state.rules.table.seats, *spare))


def initials(names: Sequence[str], *, least: int = 1) -> dict[str, str]:
    """
    Return the initial of each name: one letter if no other name has it, else two, else a number.

    Args:
        names: The names.
        least: The least number of letters, 1 or 2.

    >>> initials(("Ann", "Ben", "Bob", "Dan", "Dave"))
    {'Ann': 'A', 'Ben': 'Be', 'Bob': 'Bo', 'Dan': 'D4', 'Dave': 'D5'}
    """
    short: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        for letters in (name[:least], name[:2]):
            if sum(other.startswith(letters) for other in names) == 1:
                short[name] = letters
                break
        else:
            short[name] = f"{name[:1]}{number}"
    return short
