"""
Pads that are laid out in other ways, as a plain pad: cards down one column, holders across.

People write pads with the players down the side, or as printed pads have them, in blocks side by
side, each with a column of cards and the players' columns after it. Every cell keeps its place in
the file, so that messages name that.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import ImportOptions, Unclear, Unsaid
from clue_solver.exchange.naming import card_places, is_heading, known_editions, without_piece
from clue_solver.notation.names import Names, joined, words_of


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
        return _stacked(grid, blocks)
    return _by_holder(grid, places, options)


_HOLDER = {
    *("who", "who has it", "who has", "has", "holder", "owner", "held by", "player", "where"),
    *("wer", "qui", "quien", "chi", "wie"),
}
_NOT_KNOWN = {"", "?", "-", "unknown", "nobody"}


def _by_holder(grid: Grid, places: dict[int, list[int]], options: ImportOptions) -> Grid:
    """Return a list of cards with one column that names the holder of each as a pad of ticks."""
    if len(places) != 1:
        return grid
    (column, listed), *_ = places.items()
    header = next((row for row in range(listed[0]) if not grid.blank(row)), None)
    if header is None:
        return grid
    titles = {at: title for at, title in enumerate(grid.rows[header]) if title and at != column}
    if len(titles) != 1 or " ".join(words_of(*titles.values())) not in _HOLDER:
        return grid
    (at,) = titles
    rows = range(header + 1, len(grid.rows))
    editions = known_editions(options)
    said = {row: without_piece(grid.cell(row, at), editions) for row in rows}
    holders = [name for name in dict.fromkeys(said.values()) if name.casefold() not in _NOT_KNOWN]
    if not options.players:
        text = (
            f"the list names {joined(holders, 'and') or 'nobody'} as holders; it does not say who "
            "plays: give the players clockwise"
        )
        raise Unclear((), [Unsaid("players", text)], path=grid.name)
    seats = Names("player", options.players)
    columns = [*options.players, *(name for name in holders if not seats.readings(name))]
    lines = [[grid.cell(header, column), *columns]]
    for row in rows:
        name = said[row]
        holder = next(iter(seats.readings(name)), name) if name else ""
        lines.append([grid.cell(row, column), *("✓" if holder == one else "" for one in columns)])
    where = [[(header, column)] + [(header, at)] * len(columns)]
    where += [[(row, column)] + [(row, at)] * len(columns) for row in rows]
    return replace(
        grid,
        rows=tuple(map(tuple, lines)),
        colours=(),
        places=tuple(map(tuple, where)),
        told=f"{grid.told}, a holder beside each card",
        turned=False,
    )


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
    named = [{words_of(grid.cell(row, column)) for row in places[column]} for column in columns]
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
        known = not corner or any(
            is_heading(corner, edition) for edition in known_editions(options)
        )
        if not headers or not known:
            return []
        blocks.append((column, end, headers[0]))
    return blocks


def _stacked(grid: Grid, blocks: Sequence[tuple[int, int, int]]) -> Grid:
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
    return replace(
        grid,
        rows=tuple(tuple(grid.cell(*at) if at else "" for at in line) for line in lines),
        colours=tuple(tuple(grid.colour(*at) if at else "" for at in line) for line in lines),
        places=tuple(tuple(at or line[0] or (0, 0) for at in line) for line in lines),
        told=f"{grid.told}, {len(blocks)} blocks side by side",
        turned=False,
    )
