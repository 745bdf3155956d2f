"""What a person types who knows how short a suggestion may be."""

from __future__ import annotations

from itertools import product

from clue_solver.errors import NotationError
from clue_solver.notation import TurnState, parse_line
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import Table


def shortest(suggestion: Suggestion, table: Table, state: TurnState) -> str:
    """The shortest line that says it: initials of seats and the beginnings of cards."""
    asker = "" if state.turn(table) == suggestion.by else suggestion.by[0]
    heard = suggestion.answers if table.everyone_shows else suggestion.answers[-1:]
    nobody = all(one.answer == "passes" for one in suggestion.answers)
    lines: set[str] = set()
    for passes, size in product(("p", "pa"), (1, 2, 3)):
        said = ",".join(
            " ".join(
                (
                    (one.seat or "?")[:1],
                    *([passes] if one.answer == "passes" else []),
                    *([one.card[:size]] if one.card else []),
                )
            )
            for one in heard
        )
        for tail, sizes in product(
            {said, "-"} if nobody else {said},
            product((1, 2, 3, 5), repeat=len(suggestion.cards)),
        ):
            cards = (card[:size] for card, size in zip(suggestion.cards, sizes, strict=True))
            lines.add(" ".join(filter(None, (asker, *cards, tail))).casefold())
    return next(
        line
        for line in sorted(lines, key=lambda line: (len(line), line))
        if _says(line, suggestion, table, state)
    )


def _says(line: str, suggestion: Suggestion, table: Table, state: TurnState) -> bool:
    try:
        return parse_line(line, table, state) == suggestion
    except NotationError:
        return False
