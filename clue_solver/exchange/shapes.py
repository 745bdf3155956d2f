"""Converts tables with one row for each mark, answer or value into the usual tables."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from clue_solver.exchange import terms
from clue_solver.exchange.marks import meaning_of
from clue_solver.exchange.tables import Sheet
from clue_solver.exchange.titles import LOG, REPLIES, roles_of

Row = tuple[str, ...]
_FEWEST_LABELS = 3
"""How many different labels a text made of blocks must have at least."""
_ALL_BUT_FEW = 0.8
"""The share of a column's cells that counts as all of them."""
_LABELLED = re.compile(r"\W*(\w[^:=|]{1,24}?)\s*[:=]\W*(\b.*)?")
"""A line with a label and a value."""


def sheet_of_blocks(texts: Sequence[str], told: str) -> Sheet | None:
    """
    Convert blocks of lines such as `Asked by: Ann` into a table with a row for each block.

    The result is `None` if the text has no such blocks.

    >>> lines = ["Turn 1", "By: Ann", "Guess: Plum", "Shown by: Ben", "By: Ben", "Guess: Hall"]
    >>> sheet_of_blocks([*lines, "Shown by: Cat"], "text").rows[1:]
    (('Turn 1', '', ''), ('Ann', 'Plum', 'Ben'), ('Ben', 'Hall', 'Cat'))
    """
    lines = [_LABELLED.fullmatch(text) for text in texts]
    count = Counter(line[1] for line in lines if line and line[2] and roles_of(line[1], LOG))
    labels = [label for label in count if count[label] > 1]
    if len(labels) < _FEWEST_LABELS:
        return None
    rows: list[list[str]] = [labels]
    begun = False  # whether the last row is a block
    for text, line in zip(texts, lines, strict=True):
        if line is None or line[1] not in labels:
            rows.append([text.strip(), *[""] * (len(labels) - 1)])
            begun = False
            continue
        at = labels.index(line[1])
        if not begun or rows[-1][at]:
            rows.append([""] * len(labels))
            begun = True
        rows[-1][at] = line[2] or ""
    return Sheet(rows=tuple(map(tuple, rows)), told=told)


def pad_from_list(
    sheet: Sheet, is_card: Callable[[str], bool], seat: Callable[[str], str]
) -> Sheet | None:
    """Convert a list with a card, a player and a mark in each row into a pad, or return `None`."""
    rows = [row for row in sheet.rows if sum(map(bool, row)) > 2]
    columns = [[cell for cell in cells if cell] for cells in zip(*rows[1:], strict=True)]

    def most(tells: Callable[[str], bool]) -> int:
        shares = [sum(map(tells, cells)) / max(1, len(cells)) for cells in columns]
        return next((at for at, share in enumerate(shares) if share > _ALL_BUT_FEW), -1)

    cards, marks = most(is_card), most(lambda cell: bool(meaning_of(cell)))
    who = most(lambda cell: bool(seat(cell)))
    if min(cards, marks, who) < 0 or len({*columns[cards]}) == len(columns[cards]):
        return None
    names = [*dict.fromkeys(row[cards] for row in rows if is_card(row[cards]))]
    seats = [*dict.fromkeys(row[who] for row in rows if seat(row[who]))]
    told: dict[tuple[str, str], str] = {}
    for row in rows:
        place = row[cards], row[who]
        told[place] = f"{told[place]} {row[marks]}" if place in told else row[marks]
    body = [(card, *(told.get((card, each), "") for each in seats)) for card in names]
    return replace(sheet, rows=(("", *seats), *body))


def join_answers(rows: Sequence[Row], means: list[str]) -> Sequence[Row]:
    """
    Join rows that each have one answer to the same suggestion into one row.

    Args:
        rows: The rows of a table of suggestions.
        means: The meanings of the columns, updated in place if rows are joined.
    """
    if not {"asker", "shower", "answers"} <= {*means}:
        return rows
    by, at = means.index("shower"), means.index("answers")
    shown = means.index("shown") if "shown" in means else -1
    question = [each for each, role in enumerate(means) if role in ("asker", "cards")]
    signs = {terms.fold_text(row[at]): REPLIES.get(terms.fold_text(row[at])) for row in rows}
    if not {*signs.values()} <= {"passes", "shows", None} or len({*signs.values()}) < 2:
        return rows
    joined: list[Row] = []
    asked: Row = ()
    for row in rows:
        sign = signs[terms.fold_text(row[at])]
        if sign is None:
            joined.append(row)
            asked = ()
            continue
        same = tuple(row[each] for each in question) == asked
        answer = f"{row[by]} {sign} {row[shown] * (shown >= 0)}".strip()
        answer = f"{joined.pop()[at]}, {answer}" if same else answer
        asked = tuple(row[each] for each in question)
        joined.append((*row[:at], answer, *row[at + 1 :]))
    means[by] = "aside"
    if shown >= 0:
        means[shown] = "aside"
    return joined
