"""
Pads that are laid out in other ways, as a plain pad: cards down one column, holders across.

People write pads with the players down the side, or as printed pads have them, in blocks side by
side, each with a column of cards and the players' columns after it. Every cell keeps its place in
the file, so that messages name that.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.errors import printable
from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import DOUBTS, WRITERS, ImportOptions, Unclear, Unsaid
from clue_solver.exchange.layout import ASIDE
from clue_solver.exchange.naming import card_places, is_heading, known_editions, without_piece
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.rules.edition import Edition


def arranged(grid: Grid, options: ImportOptions) -> Grid:
    """Return the grid with its cards down one column, if it is a pad; as it is otherwise."""
    if options.leave:
        grid = _without(grid, options)
    places = card_places(grid, options)
    down = max(map(len, places.values()), default=0)
    rows: dict[int, int] = {}
    for column in places:
        for row in places[column]:
            rows[row] = rows.get(row, 0) + 1
    across = max(rows.values(), default=0)
    if across > max(3, down):
        grid = grid.sideways()
        places = card_places(grid, options)
    blocks = _blocks(grid, places, options)
    if len(blocks) > 1:
        return _stacked(grid, blocks, options)
    return _by_holder(grid, places, options)


_HOLDER = {
    *("who", "who has it", "who has", "has", "holder", "owner", "held by", "player", "where"),
    *("wer", "qui", "quien", "chi", "wie"),
}
"""What the column of a list may be called that tells who has each card."""
_NOT_KNOWN = {"", "?", "-", "unknown", "nobody"}


def _by_holder(grid: Grid, places: dict[int, list[int]], options: ImportOptions) -> Grid:
    """Return a list of cards with one column that tells the holders of each as a pad of marks."""
    if len(places) != 1:
        return grid
    (column, listed), *_ = places.items()
    titled = {
        row: at
        for row in range(listed[0])
        for at, title in enumerate(grid.rows[row])
        if at != column and " ".join(words_of(title)) in _HOLDER
    }
    if len(titled) != 1:
        return grid
    ((header, at),) = titled.items()
    others = {
        place: title for place, title in enumerate(grid.rows[header]) if place not in (column, at)
    }
    if any(title and " ".join(words_of(title)) not in ASIDE for title in others.values()):
        return grid
    rows = range(header + 1, len(grid.rows))
    editions = known_editions(options)
    said = {row: _Holders.told(grid.cell(row, at), editions, options) for row in rows}
    named = dict.fromkeys(name for told in said.values() for name in (*told.has, *told.lacks))
    if not options.players:
        text = (
            f"the list names {joined(named, 'and') or 'nobody'} as holders; it does not say who "
            "plays: give the players clockwise"
        )
        raise Unclear((), [Unsaid("players", text)], path=grid.name)
    if options.viewer is None and WRITERS & {name.casefold() for name in named}:
        asked = Unsaid("viewer", "some cards are the writer's: say whose list this is")
        raise Unclear((), [asked], path=grid.name)
    columns = [*options.players, *(name for name in named if name not in options.players)]
    aside = [f"{grid.where(None, place)}, '{title}'" for place, title in others.items() if title]
    lines = [[grid.cell(header, column), *columns]]
    for row, told in said.items():
        marks = ("✓" if one in told.has else "·" if one in told.lacks else "" for one in columns)
        lines.append([grid.cell(row, column), *marks])
        aside += [f"{grid.where(row, at)}, '{printable(words)}': not read" for words in told.aside]
    where = [[(header, column)] + [(header, at)] * len(columns)]
    where += [[(row, column)] + [(row, at)] * len(columns) for row in rows]
    return replace(
        grid,
        rows=tuple(map(tuple, lines)),
        aside=(*grid.aside, *aside),
        colours=(),
        places=tuple(map(tuple, where)),
        told=f"{grid.told}, the holders beside each card",
        turned=False,
    )


class _Holders(NamedTuple):
    """Who has a card, who has it not, and what is said besides."""

    has: tuple[str, ...]
    lacks: tuple[str, ...]
    aside: tuple[str, ...]

    @classmethod
    def told(cls, text: str, editions: Sequence[Edition], options: ImportOptions) -> "_Holders":
        """Return what `Ann, not Ben`, `neither Ann nor Ben` or `mine` tells of a card."""
        seats = Names("player", options.players)
        whole = without_piece(text, editions)
        remarks = re.findall(r"\(.*?\)", whole)
        has: list[str] = []
        lacks: list[str] = []
        aside = list(remarks)
        never = False
        for part in re.split(r"[,;]|\b(?:and|nor)\b", re.sub(r"\(.*?\)", "", whole)):
            item = part.strip(" .!")
            if item.casefold() in _NOT_KNOWN:
                continue
            denied = re.match(r"(?i)(not|neither)\s+", item)
            never = never or (denied is not None and denied[1].casefold() == "neither")
            name = item[denied.end() :] if denied else item
            if name.casefold() in WRITERS:
                name = options.viewer or name
            known = seats.readings(name)
            told = len(known) == 1 and not DOUBTS.search(name)
            unknown = name and not known and len(name.split()) < 3 and not DOUBTS.search(name)
            if not (told or unknown) or (lacks and not denied and not never):
                aside.append(item)  # `not Ann, Ben` may deny both
            else:
                (lacks if denied or never else has).append(known[0] if told else name)
        named = [any(map(seats.exact, words_of(words))) for words in aside]
        doubt = any(DOUBTS.search(words) for words in remarks) or any(
            DOUBTS.search(words) and not about for words, about in zip(aside, named, strict=True)
        )
        if doubt or len(set(has)) > 1:
            return cls((), () if doubt else tuple(lacks), (whole,) if doubt else (*aside, *has))
        return cls(tuple(has), tuple(lacks), tuple(aside))


def _without(grid: Grid, options: ImportOptions) -> Grid:
    """Return the grid without cells in columns that are left aside, which may name cards."""
    titles = next((cells for cells in grid.rows if sum(map(bool, cells)) > 1), ())
    left = {column for column, title in enumerate(titles) if title and options.left(title)}
    first = grid.rows.index(titles) if titles else 0
    rows = tuple(
        tuple("" if row > first and at in left else cell for at, cell in enumerate(cells))
        for row, cells in enumerate(grid.rows)
    )
    return replace(grid, rows=rows)


def _blocks(
    grid: Grid, places: dict[int, list[int]], options: ImportOptions
) -> list[tuple[int, int, int]]:
    """
    Return the blocks that stand side by side: the first column, the one after the last, the header.

    A block's cards are no other's, and above them stand the names of holders.
    """
    columns = sorted(column for column, rows in places.items() if len(rows) > 1)
    known = [options.names(edition) for edition in known_editions(options)]
    named = [
        {
            words_of(_with_role(grid, places[column][0] - 1, row, column, known))
            for row in places[column]
        }
        for column in columns
    ]
    if len(columns) < 2 or len(set().union(*named)) < sum(map(len, named)):
        return []
    ends = [*columns[1:], max(map(len, grid.rows))]
    blocks = []
    for column, end in zip(columns, ends, strict=True):
        headers = [
            row
            for row in range(places[column][0])
            if any(grid.cell(row, at) for at in range(column + 1, end))
        ]
        corner = grid.cell(headers[0], column) if headers else "?"
        headed = not corner or any(
            is_heading(corner, edition) for edition in known_editions(options)
        )
        if not headers or not headed:
            return []
        blocks.append((column, end, headers[0]))
    return blocks


def _with_role(grid: Grid, header: int, row: int, column: int, known: Sequence[Names]) -> str:
    """Return a card of a block, with the block's title where that is its role: `Brains Plum`."""
    cell = grid.cell(row, column)
    whole = f"{grid.cell(header, column)} {cell}"
    return whole if cell and any(names.exact(whole) for names in known) else cell


def _stacked(grid: Grid, blocks: Sequence[tuple[int, int, int]], options: ImportOptions) -> Grid:
    """Return the blocks one under the other, their columns under the same names."""
    titles: dict[str, tuple[int, int]] = {}
    for column, end, header in blocks:
        for at in range(column + 1, end):
            if title := grid.cell(header, at):
                titles.setdefault(title, (header, at))
    # What stands where: the titles above the first block, the header, then block after block.
    first, _, top = blocks[0]
    lines: list[list[tuple[int, int] | None]] = [
        [(row, at) for at in range(len(grid.rows[row])) if grid.cell(row, at)] for row in range(top)
    ]
    lines.append([(top, first), *titles.values()])
    for column, end, header in blocks:
        inside = range(column + 1, end)
        at_of = {grid.cell(header, at): at for at in inside if grid.cell(header, at)}
        for row in range(header + 1, len(grid.rows)):
            named = [(row, at_of[title]) if title in at_of else None for title in titles]
            more = [(row, at) for at in inside if grid.cell(row, at) and not grid.cell(header, at)]
            line = [(row, column), *named, *more]
            if any(place and (grid.cell(*place) or grid.colour(*place)) for place in line):
                lines.append(line)
    names = [options.names(edition) for edition in known_editions(options)]
    texts = [[grid.cell(*at) if at else "" for at in line] for line in lines]
    headers = {column: header for column, _, header in blocks}
    for text, line in zip(texts, lines, strict=True):
        if line and line[0] and line[0][1] in headers and line[0][0] > headers[line[0][1]]:
            text[0] = _with_role(grid, headers[line[0][1]], *line[0], names)
    return replace(
        grid,
        rows=tuple(map(tuple, texts)),
        colours=tuple(tuple(grid.colour(*at) if at else "" for at in line) for line in lines),
        places=tuple(tuple(at or line[0] or (0, 0) for at in line) for line in lines),
        told=f"{grid.told}, {len(blocks)} blocks side by side",
        turned=False,
    )
