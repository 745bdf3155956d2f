"""How many keys it takes to enter a suggestion with its answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clue_solver.notation import TurnState, completions, parse_line, preview
from clue_solver.record import load_record
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import Table
from tests.notation.shortest import shortest

GAMES = Path(__file__).parents[2] / "games"


def typed(suggestion: Suggestion, table: Table, state: TurnState) -> int:
    """The keys of the shortest line, with Enter."""
    line = shortest(suggestion, table, state)
    assert parse_line(line, table, state) == suggestion
    return len(line) + 1


def target(suggestion: Suggestion, table: Table, course: TurnState) -> str:
    """What a person means to enter: no asker where the turn says it, no passes that follow."""
    asker = "" if course.turn(table) == suggestion.by else f"{suggestion.by} "
    head = asker + ", ".join(suggestion.cards)
    heard = suggestion.answers if table.everyone_shows else suggestion.answers[-1:]
    if all(one.answer == "passes" for one in suggestion.answers):
        return f"{head}: nobody shows"
    said = (f"{one.seat} {one.answer} {one.card or ''}".rstrip() for one in heard)
    return f"{head}: {', '.join(said)}"


def keystrokes(suggestion: Suggestion, table: Table, course: TurnState) -> int:
    """The keys that enter it: letters until the first completion is meant, Tab, at last Enter."""
    meant = target(suggestion, table, course)
    line, keys = "", 0
    while preview(line, table, course).observation != suggestion:
        first = next((one.line for one in completions(line, table, course, most=1)), "")
        accepted = first if meant.startswith(first) else first.rstrip(" ,:")
        onward = len(accepted) > len(line) and meant.startswith(accepted)
        line = accepted if onward else line + meant[len(line)]
        keys += 1
    return keys + 1


@pytest.mark.parametrize(("way", "most"), [(typed, 13), (keystrokes, 12)])
def test_a_suggestion_takes_so_many_keys_on_average(
    way: Callable[[Suggestion, Table, TurnState], int], most: int
) -> None:
    keys = []
    for path in sorted(GAMES.glob("*.clue")):
        record = load_record(path)
        course = TurnState()
        for observation in record.observations:
            if isinstance(observation, Suggestion):
                keys.append(way(observation, record.table, course))
            course = course.after(observation)
    assert len(keys) > 60
    assert sum(keys) / len(keys) <= most
