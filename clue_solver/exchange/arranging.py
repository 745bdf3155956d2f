"""
Pads that are laid out in other ways, as a plain pad: cards down one column, holders across.

People write pads with the players down the side, or as printed pads have them, in blocks side by
side, each with a column of cards and the players' columns after it. Every cell keeps its place in
the file, so that messages name that.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import ImportOptions
from clue_solver.exchange.naming import card_places, is_heading, known_editions
from clue_solver.notation.names import words_of


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
    return _stacked(grid, blocks) if len(blocks) > 1 else grid


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
    found = []
    for column, end in zip(columns, ends, strict=True):
        headers = [
            row
            for row in range(places[column][0])
            if any(grid.cell(row, at) for at in range(column + 1, end))
        ]
        corner = grid.cell(headers[0], column) if headers else "?"
        known = not corner or any(is_heading(corner, each) for each in known_editions(options))
        if not headers or not known:
            return []
        found.append((column, end, headers[0]))
    return found


def _stacked(grid: Grid, blocks: Sequence[tuple[int, int, int]]) -> Grid:
    """Return the blocks one under the other, their columns under the same names."""
    titles: list[str] = []
    for column, end, header in blocks:
        for at in range(column + 1, end):
            title = grid.cell(header, at)
            if title and title not in titles:
                titles.append(title)
    first, _, top = blocks[0]
    rows: list[tuple[str, ...]] = []
    colours: list[tuple[str, ...]] = []
    places: list[tuple[tuple[int, int], ...]] = []
    for row in range(top):
        line = [(row, at) for at in range(len(grid.rows[row])) if grid.cell(row, at)]
        rows.append(tuple(grid.cell(*place) for place in line))
        colours.append(("",) * len(line))
        places.append(tuple(line))
    rows.append((grid.cell(top, first), *titles))
    colours.append(("",) * (len(titles) + 1))
    known = {grid.cell(head, at): at for _, end, head in blocks[:1] for at in range(first + 1, end)}
    places.append(((top, first), *((top, known.get(title, first)) for title in titles)))
    for column, end, header in blocks:
        at_of = {
            grid.cell(header, at): at for at in range(column + 1, end) if grid.cell(header, at)
        }
        for row in range(header + 1, len(grid.rows)):
            unnamed = [at for at in range(column + 1, end) if not grid.cell(header, at)]
            more = [at for at in unnamed if grid.cell(row, at)]
            line = [(row, column), *((row, at_of.get(title, -1)) for title in titles)]
            line += [(row, at) for at in more]
            if any(at >= 0 and (grid.cell(row, at) or grid.colour(row, at)) for _, at in line):
                rows.append(tuple(grid.cell(row, at) if at >= 0 else "" for row, at in line))
                colours.append(tuple(grid.colour(row, at) if at >= 0 else "" for row, at in line))
                places.append(tuple((row, max(at, column)) for row, at in line))
    return replace(
        grid,
        rows=tuple(rows),
        colours=tuple(colours),
        places=tuple(places),
        told=f"{grid.told}, {len(blocks)} blocks side by side",
        turned=False,
    )
