"""How many keys it takes to enter a suggestion with its answer, and how few questions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clue_solver.notation import TurnState, TypedLine, format_line, readings
from clue_solver.record import load_record
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import Table
from tests.notation.shortest import shortest

GAMES = Path(__file__).parents[2] / "games"


def suggestions() -> Iterator[tuple[Suggestion, Table, TurnState]]:
    """All suggestions of the recorded games, with what the lines before them mean."""
    for path in sorted(GAMES.glob("*.clue")):
        record = load_record(path)
        state = TurnState()
        for observation in record.observations:
            if isinstance(observation, Suggestion):
                yield observation, record.table, state
            state = state.after(observation)


def target(suggestion: Suggestion, table: Table, state: TurnState) -> str:
    """What a person means to enter: no asker where the turn says it, no passes that follow."""
    asker = "" if state.turn(table) == suggestion.by else f"{suggestion.by} "
    head = asker + ", ".join(suggestion.cards)
    heard = suggestion.answers if table.everyone_shows else suggestion.answers[-1:]
    if all(one.answer == "passes" for one in suggestion.answers):
        return f"{head}: nobody shows"
    said = (f"{one.seat} {one.answer} {one.card or ''}".rstrip() for one in heard)
    return f"{head}: {', '.join(said)}"


def keystrokes(suggestion: Suggestion, table: Table, state: TurnState) -> int:
    """The keys that enter it: letters until the first completion is meant, Tab, at last Enter."""
    meant = target(suggestion, table, state)
    line, keys, whole = "", 0, format_line(suggestion, table)
    while not ((typed := TypedLine(line, table, state)).reading and typed.reading.text == whole):
        first = next((one.line for one in typed.completions(1)), "")
        accepted = first if meant.startswith(first) else first.rstrip(" ,:")
        onward = len(accepted) > len(line) and meant.startswith(accepted)
        line = accepted if onward else line + meant[len(line)]
        keys += 1
    return keys + 1


def short(suggestion: Suggestion, table: Table, state: TurnState) -> str:
    """Such a line in short: initials of players, three letters of a card or as many as tell it."""

    def begun(card: str) -> str:
        for size in range(3, len(card)):
            if sum(name.startswith(card[:size]) for name in table.cards) == 1:
                return card[:size]
        return card

    line = target(suggestion, table, state).replace(" shows", "").replace("passes", "pa")
    for card in table.cards:
        line = line.replace(card, begun(card))
    for seat in table.seats:
        line = line.replace(seat, seat[0])
    head, _, answers = line.replace("nobody", "-").partition(": ")
    return f"{head.replace(',', '')} {answers}".casefold()


def test_a_suggestion_takes_thirteen_keys_on_average_and_twelve_with_completion() -> None:
    typed = [len(shortest(*each)) + 1 for each in suggestions()]
    completed = [keystrokes(*each) for each in suggestions()]
    assert len(typed) > 60
    assert sum(typed) <= 13 * len(typed)
    assert sum(completed) <= 12 * len(completed)


def test_a_short_line_is_taken_without_a_question() -> None:
    taken = 0
    for suggestion, table, state in suggestions():
        ways = readings(short(suggestion, table, state), table, state)
        taken += [way.observation for way in ways] == [suggestion]
    assert taken >= 0.98 * len([*suggestions()])
