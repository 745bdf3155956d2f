"""
A board in letters, for a terminal: its squares, doors, rooms, what is in reach, who stands where.

A square is two columns wide, which is about as wide as it is high, and has the name that the log
uses: the letter over its column and the number beside its row.
"""

from collections.abc import Iterator, Mapping
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from clue_solver.errors import listed
from clue_solver.rules.board import Squares, places_in
from clue_solver.rules.play import PlayState
from clue_solver.views.board import RoomPicture, board_picture, initials
from clue_solver.views.charts import PIECES, coloured, pieces_of
from clue_solver.views.floors import SIDE, Cell, Floor, floor_of

_WIDE, _MARGIN = 2, 3
"""The columns of a square; those of the numbers at the left."""

_INTO = {(0, -1): "▲", (0, 1): "▼", (-1, 0): "◀", (1, 0): "▶"}
"""The sign on the square before a door, by where the room lies; ◆ for a door across a corner."""

_ASCII = str.maketrans("░▒▲▼◀▶◆·○", ":#^v<>+.o")


def board_text(
    state: PlayState,
    *,
    mover: str = "",
    reach: Mapping[str, float],
    dark: bool = True,
    words: bool = True,
    ascii_only: bool = False,
) -> Text:
    """
    Return the board of a game, and under it in words what it shows; only these where none is drawn.

    Args:
        state: The state of play.
        mover: Whose piece moves; empty where that is not known.
        reach: The chance of each room to be in reach; empty where that is not known.
        dark: Whether it stands on a dark ground.
        words: Whether it is told in words as well, where it is drawn.
        ascii_only: Whether there are no other signs.
    """
    picture = board_picture(state, mover=mover, reach=reach, taps={}, seats={}, suspects={})
    if picture is None:
        return Text("There is no board.")
    ground = state.rules.ground
    floor = floor_of(ground) if isinstance(ground, Squares) else None
    rows = list(_told(state, picture.rooms))
    if isinstance(ground, Squares) and floor is not None:
        drawn = _drawn(state, ground, floor, picture.rooms, dark=dark)
        rows = [*drawn, Text(), *rows] if words else [*drawn]
    text = Text("\n").join(rows)
    return Text(text.plain.translate(_ASCII), spans=text.spans) if ascii_only else text


def _drawn(
    state: PlayState, ground: Squares, floor: Floor, rooms: tuple[RoomPicture, ...], *, dark: bool
) -> Iterator[Text]:
    """Yield the rows of the drawing, the letters of the columns first."""
    squares = {_cell(ground, bit): ("· ", "dim") for bit in places_in(ground.free)}
    signs: dict[Cell, tuple[str, str]] = dict(squares)
    shown = {room.name: room for room in rooms}
    printed = {
        name: state.rules.edition.printed(name, state.rules.table.language) for name in ground.bit
    }
    for name, bit in ground.bit.items():
        area = floor.rooms[name]
        near = shown[printed[name]].reach
        fill = ("▒▒", "bold") if near == "reach" else ("░░", "dim")
        signs |= dict.fromkeys(area.cells, fill)
        for door in places_in(ground.before(bit)):
            x, y = _cell(ground, door)
            into = [sign for (i, j), sign in _INTO.items() if (x + i, y + j) in area.cells]
            signs[x, y] = (f"{into[0] if into else '◆'} ", "bold")
    inks = {piece: f"bold {colours[0 if dark else 1]}" for piece, colours in PIECES.items()}
    suspects = coloured(state.rules.edition.suspects)
    for suspect, square in ground.starts.items():
        signs[_cell(ground, square)] = ("○ ", inks.get(suspects.get(suspect, ""), ""))
    letters, colours = initials(state.rules.table.seats), pieces_of(state.rules.table)
    here = {seat: state.place(seat) for seat in state.rules.table.seats}
    for seat, place in here.items():
        if place is not None and place not in ground.bit:
            ink = f"reverse {inks.get(colours[seat], 'bold')}"
            signs[_cell(ground, ground.places[place])] = (f"{letters[seat]:<2}", ink)
    columns = range(floor.width // SIDE)
    yield Text(" " * _MARGIN + "".join(f"{_column(x):<2}" for x in columns), "dim")
    texts = []
    for y in range(floor.height // SIDE):
        row = Text(f"{y + 1:>2} ", "dim")
        for x in columns:
            row.append(*signs.get((x, y), ("  ", "")))
        texts.append(row)
    for name in ground.bit:
        box = floor.rooms[name].box
        width = box.width // SIDE * _WIDE
        lines = [
            Text(line if len(line) + 2 > width else f" {line} ", "bold")
            for line in _lines(printed[name], width)
        ]
        there = [seat for seat, place in here.items() if place == name]
        if there:
            tokens = Text(" ")
            for seat in there:
                tokens.append(letters[seat], f"reverse {inks.get(colours[seat], 'bold')}")
                tokens.append(" ")
            lines.append(tokens)
        top = box.top // SIDE + (box.height // SIDE - len(lines)) // 2
        for number, line in enumerate(lines):
            begin = _MARGIN + box.left // SIDE * _WIDE + max(0, (width - line.cell_len) // 2)
            texts[top + number] = _over(texts[top + number], line, begin)
    yield from texts


def _told(state: PlayState, rooms: tuple[RoomPicture, ...]) -> Iterator[Text]:
    """Yield in words who stands where, what is in reach, and where passages lead."""
    table, edition = state.rules.table, state.rules.edition
    pieces = dict(zip(table.seats, table.pieces, strict=False))
    for seat in table.seats:
        place = state.place(seat)
        piece = f" ({pieces[seat]})" if pieces.get(seat) else ""
        if place is not None:
            in_room = place in state.rules.ground.bit
            where = f"in the {edition.printed(place, table.language)}" if in_room else f"on {place}"
            yield Text(f"{seat}{piece} stands {where}")
    if near := [room.name for room in rooms if room.reach == "reach"]:
        yield Text(f"In reach (▒): {listed(near)}")
    if maybe := [room.name for room in rooms if room.reach == "maybe"]:
        yield Text(f"In reach if the dice are kind: {listed(maybe)}")
    board = state.rules.board
    for pair in board.passages if board else ():
        names = (edition.printed(room, table.language) for room in pair)
        yield Text(f"Secret passage: {' and '.join(names)}")


def _lines(name: str, width: int) -> list[str]:
    """
    Return a name in lines of a width; with a margin, if all words have room for it.

    >>> _lines("Billiard Room", 12), _lines("Conservatory", 12)
    (['Billiard', 'Room'], ['Conservatory'])
    """
    margin = 0 if any(cell_len(word) > width - 2 for word in name.split()) else 2
    return wrap(name, width - margin)


def _over(row: Text, line: Text, begin: int) -> Text:
    """Return a row with another text over a part of it."""
    return Text.assemble(row[:begin], line, row[begin + line.cell_len :])


def _cell(ground: Squares, square: int) -> Cell:
    row, column = ground.at(square)
    return column, row


def _column(number: int) -> str:
    """Return the letter of a column, as squares have it in their names."""
    return chr(ord("A") + number % 26)
