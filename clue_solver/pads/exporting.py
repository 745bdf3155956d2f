"""A viewer's knowledge as a detective's pad: a CSV table, cards down and holders across."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from msgspec import Struct

from clue_solver.answers.report import Report, Verdict
from clue_solver.errors import Contradiction
from clue_solver.game import Game
from clue_solver.knowledge.clauses import Clause, card_numbers
from clue_solver.pads.layout import FACE_DOWN, MINE, OPEN, SIZES
from clue_solver.rules.edition import shipped_editions
from clue_solver.rules.table import ENVELOPE, Table

HAS, LACKS, OPEN_CELL = "✓", "·", "?"


class Pad(Struct, frozen=True, kw_only=True):
    """
    A pad to be written.

    Attributes:
        rows: The cells, the header first, with a shipped edition's name in its corner. An open cell
            has a `?`, or the numbers of the either-ors of its column: the holder has at least one
            of the cards with the same number.
        left_out: The entries that say more than a pad can hold: that not all of some cards are in
            one place.
    """

    rows: tuple[tuple[str, ...], ...]
    left_out: tuple[int, ...] = ()

    def to_csv(self) -> str:
        """Return the pad as CSV, commas between the columns."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(self.rows)
        return text.getvalue()


def export_pad(game: Game, *, viewer: str | None = None, upto: int | None = None) -> Pad:
    """
    Return what a viewer can know of a game, as a pad.

    `import_notes` reads it back: everything certain and every open either-or survives.

    Args:
        game: The game.
        viewer: A seat's name, or `spectator`; the viewer of the header if left out.
        upto: How many entries count; all if left out.

    Raises:
        NotationError, ArgumentError: If there is no such viewer, or entry.
        TooLarge: As `Game.report`.
        Contradiction: If the entries cannot all be true.
    """
    report = game.report(viewer=viewer, upto=upto)
    if not report.consistent:
        raise Contradiction(report.conflict)
    known = game._deduction(viewer=viewer).knowledge.upto(report.entries)
    numbers, left_out = _either_ors(known.clauses, report)
    table = game.table
    rows = [_header(table, report.viewer)]
    if table.slots or any(size is not None for size in table.hands):
        rows.append(_sizes(table))
    for card, name in enumerate(report.cards):
        cells = [
            _cell(report.verdict(name, holder), numbers.get((card, place), ()))
            for place, holder in enumerate(report.holders)
        ]
        rows.append([name, *cells, *([""] if table.face_up else [])])
    for name in table.face_up:
        rows.append([name, *([""] * len(table.holders)), HAS])
    return Pad(rows=tuple(map(tuple, rows)), left_out=left_out)


def _header(table: Table, viewer: str) -> list[str]:
    seats = (f"{seat} {MINE}" if seat == viewer else seat for seat in table.seats)
    slots = (f"{FACE_DOWN}{slot.name}" for slot in table.slots)
    edition = table.edition.name
    corner = edition if edition in shipped_editions() else "card"
    return [corner, *seats, *slots, ENVELOPE, *([OPEN] if table.face_up else [])]


def _sizes(table: Table) -> list[str]:
    sizes = table.hands or [None] * len(table.seats)
    counts = [*sizes, *(slot.count for slot in table.slots), len(table.edition.category)]
    cells = ["?" if count is None else str(count) for count in counts]
    return [SIZES, *cells, *([""] if table.face_up else [])]


def _cell(verdict: Verdict, numbers: tuple[int, ...]) -> str:
    if verdict == "open":
        return " ".join(map(str, numbers)) or OPEN_CELL
    return HAS if verdict == "holds" else LACKS


def _either_ors(
    clauses: Sequence[Clause], report: Report
) -> tuple[dict[tuple[int, int], tuple[int, ...]], tuple[int, ...]]:
    """
    Return the numbers of the open either-ors by card and holder, and the entries left out.

    An either-or is open where none of its cards is known to lie there; it is told by the cards
    that still can, unless another one says more.
    """
    open_of: dict[int, set[frozenset[int]]] = {}
    left_out: set[int] = set()
    for clause in clauses:
        cards = card_numbers(clause.cards)
        column = report.verdicts[cards, clause.holder]
        can = frozenset(card for card, verdict in zip(cards, column, strict=True) if verdict != 2)
        if clause.has and not any(column == 1):
            open_of.setdefault(clause.holder, set()).add(can)
        elif not clause.has and not any(column == 2):
            left_out.update(clause.entries)
    numbers: dict[tuple[int, int], tuple[int, ...]] = {}
    for holder, groups in open_of.items():
        least = [group for group in groups if not any(other < group for other in groups)]
        for number, group in enumerate(sorted(least, key=sorted), 1):
            for card in group:
                numbers[card, holder] = (*numbers.get((card, holder), ()), number)
    return numbers, tuple(sorted(left_out))
