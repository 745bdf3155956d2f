"""
Pads that are laid out in other ways, as a plain pad: cards down one column, holders across.

People write pads with the players down the side, or as printed pads have them, in blocks side by
side, each with a column of cards and the players' columns after it. Every cell keeps its place in
the file, so that messages name that.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import ImportOptions, Unclear, Unsaid
from clue_solver.exchange.layout import meaning_of
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
        return _stacked(grid, blocks, options)
    return _by_holder(_by_meaning(grid), places, options)


def _by_meaning(grid: Grid) -> Grid:
    """Return a pad with a column for `has` and one for `hasn't` of each player with one of each."""
    for header in range(1, min(len(grid.rows), 9)):
        meant = {at: meaning_of(title) for at, title in enumerate(grid.rows[header])}
        meant = {at: meaning for at, meaning in meant.items() if meaning in ("has", "lacks") and at}
        owners: dict[str, list[int]] = {}
        for at in meant:
            above = [grid.cell(header - 1, left) for left in range(1, at + 1)]
            owners.setdefault(next(filter(None, reversed(above)), ""), []).append(at)
        both = [
            sorted(meant[at] for at in columns) == ["has", "lacks"] for columns in owners.values()
        ]
        if len(both) > 1 and all(both):
            break
    else:
        return grid
    rows = range(header + 1, len(grid.rows))
    ticks = Counter(cell for row in rows for at in meant if (cell := grid.cell(row, at)))
    tick = ticks.most_common(1)[0][0] if ticks else ""
    rest = [at for at in range(1, max(map(len, grid.rows))) if at not in meant]
    titles = {at: grid.cell(header, at) or grid.cell(header - 1, at) for at in rest}
    lines = [[grid.cell(header, 0), *owners, *titles.values()]]
    for row in rows:
        said = [
            [meant[at] if (cell := grid.cell(row, at)) == tick else cell for at in columns]
            for columns in owners.values()
        ]
        cells = (" ".join(filter(None, parts)) for parts in said)
        lines.append([grid.cell(row, 0), *cells, *(grid.cell(row, at) for at in rest)])
    columns = [0, *(columns[0] for columns in owners.values()), *rest]
    return replace(
        grid,
        rows=(*grid.rows[: header - 1], *map(tuple, lines)),
        colours=(),
        places=tuple(
            tuple((row, at) for at in (columns if row >= header else range(len(grid.rows[row]))))
            for row in (*range(header - 1), *range(header, len(grid.rows)))
        ),
        told=f"{grid.told}, '{tick}' in a column of has or has not",
    )


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
        known = not corner or any(
            is_heading(corner, edition) for edition in known_editions(options)
        )
        if not headers or not known:
            return []
        blocks.append((column, end, headers[0]))
    return blocks


def _with_role(grid: Grid, header: int, row: int, column: int, known: Sequence[Names]) -> str:
    """Return a card of a block, with the block's title where that is its role: `Brains Plum`."""
    cell = grid.cell(row, column)
    whole = f"{grid.cell(header, column)} {cell}"
    return whole if cell and any(names.whole(whole) for names in known) else cell


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
    known = [options.names(edition) for edition in known_editions(options)]
    texts = [[grid.cell(*at) if at else "" for at in line] for line in lines]
    headers = {column: header for column, _, header in blocks}
    for text, line in zip(texts, lines, strict=True):
        if line and line[0] and line[0][1] in headers and line[0][0] > headers[line[0][1]]:
            text[0] = _with_role(grid, headers[line[0][1]], *line[0], known)
    return replace(
        grid,
        rows=tuple(map(tuple, texts)),
        colours=tuple(tuple(grid.colour(*at) if at else "" for at in line) for line in lines),
        places=tuple(tuple(at or line[0] or (0, 0) for at in line) for line in lines),
        told=f"{grid.told}, {len(blocks)} blocks side by side",
        turned=False,
    )
