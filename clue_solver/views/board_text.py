"""
A board in letters, for a terminal: its squares, doors, rooms, what is in reach and can be tested
there, the pieces and weapons.

A square is two columns wide, which is about as wide as it is high, and has the name that the log
uses: the letter over its column and the number beside its row.
"""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from clue_solver.answers.report import Report
from clue_solver.errors import listed
from clue_solver.rules.board import Squares, places_in
from clue_solver.rules.play import PlayState
from clue_solver.views.board import RoomPicture, board_picture
from clue_solver.views.charts import PIECES
from clue_solver.views.floors import SIDE, Cell, Floor, floor_of
from clue_solver.views.tokens import Token, tokens_on

_WIDE, _MARGIN = 2, 3
"""The columns of a square; those of the numbers at the left."""

_APART, _BESIDE = 2, 24
"""The columns between the drawing and words beside it; how many those have at least."""

_INTO = {(0, -1): "▲", (0, 1): "▼", (-1, 0): "◀", (1, 0): "▶"}
"""The sign on the square before a door, by where the room lies; ◆ for a door across a corner."""

_ASCII = str.maketrans("░▒▓▲▼◀▶◆·•○✓", ":#@^v<>+.*o*")


def board_text(
    state: PlayState,
    *,
    reach: Mapping[str, float],
    mover: str = "",
    report: Report | None = None,
    dark: bool = True,
    width: int = 80,
    ascii_only: bool = False,
) -> Text:
    """
    Return the board of a game, and in words what it shows; only these where none is drawn.

    Args:
        state: The state of play.
        reach: The chance of each room to be in reach, and the squares that are; empty where that is
            not known.
        mover: Whose piece moves; empty where that is not known.
        report: What is known of the cards to whom the board is shown; nothing if left out.
        dark: Whether it stands on a dark ground.
        width: How many columns there are: words stand beside the drawing if there is room, else
            under it. A board that is drawn is not told in words for 0.
        ascii_only: Whether there are no other signs.
    """
    picture = board_picture(state, mover=mover, reach=reach, report=report)
    if picture is None:
        return Text("There is no board.")
    ground = state.rules.ground
    floor = floor_of(ground) if isinstance(ground, Squares) else None
    told = [*_told(state, picture.rooms)]
    if picture.near:
        told.append(Text("Squares in reach: •"))
    if not isinstance(ground, Squares) or floor is None:
        rows = told
    else:
        rows = [*_drawn(ground, floor, picture.rooms, [*tokens_on(state)], reach, dark=dark)]
        begin = rows[0].cell_len + _APART
        left = max(width - begin, _BESIDE)
        beside = [part for each in told for part in wrap(each.plain, left, subsequent_indent="  ")]
        if begin + left <= width and len(beside) <= len(rows):
            for row, words in zip(rows, beside, strict=False):
                row.append(" " * (begin - row.cell_len)).append(words)
        elif width:
            rows += [Text(), *told]
    text = Text("\n").join(rows)
    return Text(text.plain.translate(_ASCII), spans=text.spans) if ascii_only else text


def _drawn(
    ground: Squares,
    floor: Floor,
    rooms: tuple[RoomPicture, ...],
    tokens: Sequence[Token],
    reach: Mapping[str, float],
    *,
    dark: bool,
) -> Iterator[Text]:
    """Yield the rows of the drawing, the letters of the columns first."""
    near = {_cell(ground, ground.places[name]) for name in reach if name not in ground.bit}
    squares = {_cell(ground, bit) for bit in places_in(ground.free)}
    signs = {cell: ("• ", "bold") if cell in near else ("· ", "dim") for cell in squares}
    shown = dict(zip(ground.bit, rooms, strict=True))
    for name, bit in ground.bit.items():
        area = floor.rooms[name]
        fill = ("░░", "dim")
        if shown[name].reach == "reach":
            fill = ("▓▓" if shown[name].prospect.much == "much" else "▒▒", "bold")
        signs |= dict.fromkeys(area.cells, fill)
        for door in places_in(ground.before(bit)):
            x, y = _cell(ground, door)
            into = [sign for (i, j), sign in _INTO.items() if (x + i, y + j) in area.cells]
            signs[x, y] = ((into or ["◆"])[0] + ("•" if (x, y) in near else " "), "bold")
    inks = {piece: f"bold {colours[0 if dark else 1]}" for piece, colours in PIECES.items()}
    starts = {start: _cell(ground, square) for start, square in ground.starts.items()}
    signs |= {cell: ("○ ", inks.get(start.casefold(), "")) for start, cell in starts.items()}
    for token in tokens:
        if token.place not in ground.bit:
            square = _cell(ground, ground.places[token.place])
            signs[square] = (f"{_letters(token):<2}", _ink(token, inks))
    columns = range(floor.width // SIDE)
    yield Text().append(" " * _MARGIN + "".join(f"{_column(x):<2}" for x in columns), "dim")
    texts = []
    for y in range(floor.height // SIDE):
        row = Text().append(f"{y + 1:>2} ", "dim")
        for x in columns:
            row.append(*signs.get((x, y), ("  ", "")))
        texts.append(row)
    for name, room in shown.items():
        box = floor.rooms[name].box
        width, most = box.width // SIDE * _WIDE, box.height // SIDE
        lines = [
            Text(line if len(line) + 2 > width else f" {line} ", "bold")
            for line in _lines(room.name, width)
        ]
        there = [Text(" ")]
        for token in room.tokens:
            letters = _letters(token)
            if there[-1].cell_len + len(letters) + 1 > width:
                there.append(Text(" "))
            there[-1].append(letters, _ink(token, inks)).append(" ")
        lines += there if room.tokens else []
        if room.prospect.sign and len(lines) < most:
            lines.insert(
                -len(there) if room.tokens else len(lines), Text(f" {room.prospect.sign} ")
            )
        top = box.top // SIDE + max(0, most - len(lines)) // 2
        for number, line in enumerate(lines[:most]):
            begin = _MARGIN + box.left // SIDE * _WIDE + max(0, (width - line.cell_len) // 2)
            texts[top + number] = _over(texts[top + number], line, begin)
    yield from texts


def _letters(token: Token) -> str:
    """Return what stands for a piece: small letters for weapons."""
    return token.letters.casefold() if token.kind == "weapon" else token.letters


def _ink(token: Token, inks: Mapping[str, str]) -> str:
    """Return the style of a piece: seats' ones are on a ground, others are not."""
    ink = inks.get(token.colour, "bold")
    return f"reverse {ink}" if token.kind == "seat" else ink


def _told(state: PlayState, rooms: tuple[RoomPicture, ...]) -> Iterator[Text]:
    """Yield in words who stands where, what is in reach, and where passages lead."""
    table, edition = state.rules.table, state.rules.edition
    pieces = dict(zip(table.seats, table.pieces, strict=False))
    for token in tokens_on(state):
        at = f"on {token.place}"
        if token.place in state.rules.ground.bit:
            at = f"in the {edition.printed(token.place, table.language)}"
        called = pieces.get(token.name) if token.kind == "seat" else _letters(token)
        verb = "lies" if token.kind == "weapon" else "stands"
        yield Text(f"{token.name}{f' ({called})' if called else ''} {verb} {at}")
    if near := [_outlook(room) for room in rooms if room.reach == "reach"]:
        much = "; ▓: much to test" if any(room.prospect.much == "much" for room in rooms) else ""
        yield Text(f"In reach (▒{much}): {listed(near)}")
    if maybe := [_outlook(room) for room in rooms if room.reach == "maybe"]:
        yield Text(f"In reach if the dice are kind: {listed(maybe)}")
    board = state.rules.board
    for pair in board.passages if board else ():
        names = (edition.printed(room, table.language) for room in pair)
        yield Text(f"Secret passage: {' and '.join(names)}")


def _outlook(room: RoomPicture) -> str:
    """Return a room and what can be tested there."""
    return f"{room.name} ({room.prospect.said})" if room.prospect.said else room.name


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
