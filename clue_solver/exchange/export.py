"""Exports a game as a detective's pad, or its suggestions as a table."""

import csv
import io
from collections.abc import Sequence

from msgspec import Struct

from clue_solver.answers.report import Report, Verdict
from clue_solver.errors import Contradiction, counted
from clue_solver.exchange.columns import FACE_DOWN, MINE, OPEN, SIZES
from clue_solver.exchange.tables import workbook_of
from clue_solver.game.game import Game
from clue_solver.knowledge.clauses import Clause, card_numbers
from clue_solver.knowledge.sight import seen
from clue_solver.notation.canonical import format_answer
from clue_solver.notation.places import passes
from clue_solver.rules.observations import Accusation, Suggestion
from clue_solver.rules.table import ENVELOPE, Table

HAS, UNKNOWN = "✓", "?"
_MARKS: dict[Verdict, str] = {"holds": HAS, "lacks": "·"}


class Pad(Struct, frozen=True, kw_only=True):
    """
    A pad to be exported, or a table of suggestions.

    Attributes:
        rows: The cells, beginning with the titles. A pad has the edition's name in its corner. An
            open cell has a `?`, or the numbers of either-ors: the holder has at least one of the
            cards with the same number.
        left_out: The numbers of the entries that could not be exported completely. A pad cannot
            show that a holder does not have all of some cards; a table of suggestions has only
            suggestions and accusations.

    >>> from clue_solver import export_pad, load
    >>> export_pad(load("examples/classic.clue")).rows[1]
    ('Scarlett', '✓', '·', '·', '·', '·')
    """

    rows: tuple[tuple[str, ...], ...]
    left_out: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<Pad: {counted(len(self.rows), 'row')} of {len(self.rows[0]) if self.rows else 0}>"

    def to_csv(self) -> str:
        """Return the pad as CSV text."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(self.rows)
        return text.getvalue()

    def to_workbook(self) -> bytes:
        """
        Return the pad as an Excel workbook.

        Raises:
            MissingExtra: If openpyxl is not installed.
        """
        return workbook_of(self.rows, title="Clue")


def export_pad(game: Game, *, viewer: str | None = None, upto: int | None = None) -> Pad:
    """
    Return what a viewer can know about a game, as a pad.

    `import_notes` can read the pad. All certain facts and open either-ors are kept.

    Args:
        game: The game.
        viewer: A seat's name, or `spectator`; the viewer of the header if left out.
        upto: How many entries count; all if left out.

    Raises:
        NotationError, ArgumentError: If there is no such viewer, or entry.
        TooLarge: If an exact answer would take too much memory.
        Contradiction: If the entries cannot all be true.

    >>> from clue_solver import load
    >>> pad = export_pad(load("examples/evening.clue"), upto=9)
    >>> pad.rows[0]
    ('clue-classic', 'Ann (me)', 'Ben', 'Cat', 'Dan', 'envelope')
    """
    game = game.seen(viewer=viewer, upto=upto)
    report = game.report()
    if not report.consistent:
        raise Contradiction(report.conflict)
    known = game.deduction.knowledge.upto(len(game.observations))
    numbers, left_out = _either_ors(known.clauses, report)
    table = game.table
    # The header: the edition's name in the corner says that this program wrote it.
    seats = [f"{seat} {MINE}" if seat == report.viewer else seat for seat in table.seats]
    slots = [f"{FACE_DOWN}{slot.name}" for slot in table.slots]
    rows = [[table.edition.name, *seats, *slots, ENVELOPE]]
    if table.face_up:
        rows[0].append(OPEN)
    if table.slots or any(size is not None for size in table.hands):
        sizes = table.hands or [None] * len(table.seats)
        counts = [*sizes, *(slot.count for slot in table.slots), len(table.edition.category)]
        rows.append([SIZES, *("?" if count is None else str(count) for count in counts)])
    for card, name in enumerate(report.cards):
        cells = [
            _MARKS.get(report.verdict(name, holder))
            or " ".join(map(str, numbers.get((card, place), UNKNOWN)))
            for place, holder in enumerate(report.holders)
        ]
        rows.append([name, *cells])
    rows += ([name, *([""] * len(table.holders)), HAS] for name in table.face_up)
    width = len(rows[0])
    rows = [[table.printed(name), *cells] for name, *cells in rows]
    return Pad(rows=tuple((*row, *[""] * (width - len(row))) for row in rows), left_out=left_out)


def export_suggestions(game: Game, *, viewer: str | None = None, upto: int | None = None) -> Pad:
    """
    Return the suggestions and accusations of a game as a viewer saw them, a row for each.

    `import_notes` can read the table if the players, the viewer and the edition are given.

    Args:
        game: The game.
        viewer: A seat's name, or `spectator`; the viewer of the header if left out.
        upto: How many entries count; all if left out.

    Raises:
        NotationError, ArgumentError: If there is no such viewer, or entry.
    """
    game = game.seen(viewer=viewer, upto=upto)
    table = game.table
    kinds = [kind.name for kind in table.edition.category]
    rows = [("asker", *kinds, "passes", "shower", "card shown", "accusation", "comment")]
    left_out: list[int] = []
    for number, entry in enumerate(game.record.entries, 1):
        observation = seen(entry.observation, table=table, viewer=table.viewer)
        if not isinstance(observation, Suggestion | Accusation):
            left_out += [number] if observation is not None else []
            continue
        named_by = {table.edition.category_of[card]: card for card in observation.cards}
        cards = [table.printed(named_by[kind]) if kind in named_by else "" for kind in kinds]
        rows.append((observation.by, *cards, *_answer_cells(observation, table), entry.comment))
    return Pad(rows=tuple(rows), left_out=tuple(left_out))


def _answer_cells(observation: Suggestion | Accusation, table: Table) -> tuple[str, str, str, str]:
    """Return the cells for who passed, who showed, the cards shown, and the accusation's result."""
    if isinstance(observation, Accusation):
        return "", "", "", "right" if observation.right else "wrong"
    shows = [answer for answer in observation.answers if answer.answer == "shows"]
    others = [answer for answer in observation.answers if answer.seat and answer not in shows]
    passed = [format_answer(answer).replace(" passes", "") for answer in others]
    if observation.answers == passes(table.answering(observation.by)):
        return "", "nobody", "", ""
    printed = (table.printed(answer.card) if answer.card else "?" for answer in shows)
    cards = ", ".join(printed) if any(answer.card for answer in shows) else ""
    return ", ".join(passed), ", ".join(answer.seat or "" for answer in shows) or "?", cards, ""


def _either_ors(
    clauses: Sequence[Clause], report: Report
) -> tuple[dict[tuple[int, int], tuple[int, ...]], tuple[int, ...]]:
    """
    Return the numbers that a pad shows for either-ors, and the entries that it cannot show.

    An either-or says that a holder has at least one of some cards. It is shown if it is open, so if
    the holder is not known to have any of them. It gets a number among those of its holder, which
    stands at each of its cards that are still possible. An either-or is left out if another one
    says more.

    Args:
        clauses: What the viewer knows, as statements that a holder has at least one of some cards,
            or lacks at least one.
        report: The viewer's report.

    Returns:
        The numbers in the cells, by the indexes of card and holder; and the numbers of the entries
        that the pad cannot show.
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
