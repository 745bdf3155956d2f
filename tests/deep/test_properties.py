"""
What the light suite tests, with more examples, other ones in each slice.

How many keys it takes to enter a suggestion with its answer, and how few questions.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random

import hypothesis
import pytest
from hypothesis import settings

from clue_solver.errors import NotationError
from clue_solver.notation.canonical import format_line
from clue_solver.notation.completion import TypedLine
from clue_solver.notation.reader import parse_line, readings
from clue_solver.record.files import load_record
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState
from tests.arguing import check_arguments, random_knowledge
from tests.exchange import test_merging
from tests.exchange.scoring import outcome, sheets
from tests.faces.test_pictures import PICTURES, STATES, drawn
from tests.faults import ERRORS, SCRIPTS, each_fault, each_kill
from tests.games.test_recorded import (
    recorded,
    test_deals_are_equal_after_every_entry,
    test_probabilities_agree,
    test_solutions_agree,
)
from tests.inference import test_budgets, test_certain, test_twins
from tests.notation import test_names, test_reading
from tests.notation.test_transcripts import misread_edits
from tests.rules.test_play import TABLES, agreed, named

__all__ = [
    "recorded",
    "test_deals_are_equal_after_every_entry",
    "test_probabilities_agree",
    "test_solutions_agree",
]

PROPERTIES = [
    test
    for module in (
        *(test_merging, test_names, test_reading),
        *(test_budgets, test_certain, test_twins),
    )
    for name, test in vars(module).items()
    if name.startswith("test_") and hypothesis.is_hypothesis_test(test)
    if not inspect.signature(test).parameters  # no fixtures
]


@pytest.mark.long(keep=4)
@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda test: test.__name__)
def test_it_holds_for_more_examples(holds: Callable[[], None], seed: str) -> None:
    more = settings(settings.default, max_examples=150, derandomize=False, database=None)
    hypothesis.seed(seed)(more(holds))()


@pytest.mark.long(keep=10)
@pytest.mark.parametrize("table", TABLES, ids=named)
def test_the_referee_agrees_in_many_games(table: Table, seed: str) -> None:
    games = [agreed(table, int(seed, 36) + game) for game in range(6)]
    judged = sum(games, Counter[bool]())
    assert judged[True]
    assert judged[False] > 10


def test_no_sheet_tells_anything_false_and_most_are_whole_after_two_corrections_at_most(
    tmp_path: Path,
) -> None:
    every, whole = sheets(), 0
    for sheet in every:
        corrections = sheet.get("corrections", {})
        counts = [len(each) if isinstance(each, dict) else 1 for each in corrections.values()]
        assert sum(counts) < 3
        for corrected in (False, True) if corrections else (False,):
            came = outcome(sheet, tmp_path, corrected=corrected)
            assert came.false == frozenset(), sheet["name"]
            assert corrected or came.refused or not sheet.get("unread"), sheet["name"]
        whole += not came.refused and not came.missing
    print(f"{whole} of {len(every)} sheets whole")
    assert len(every) == 295
    assert whole >= 232


@pytest.mark.long(keep=6)
@pytest.mark.parametrize("times", [1, 2, 10_000])
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("script", SCRIPTS)
def test_nothing_that_was_acknowledged_is_lost_to_any_fault(
    script: str, error: int, times: int, tmp_path: Path
) -> None:
    calls = [*each_fault(SCRIPTS[script], tmp_path / "table", error, times)]
    assert {fault.calls[fault.at] for fault in calls} >= {"lock", "write", "fsync", "replace"}


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("link", [False, True])
@pytest.mark.parametrize("script", SCRIPTS)
def test_what_was_acknowledged_is_there_after_a_kill_at_any_call(
    script: str, link: bool, tmp_path: Path
) -> None:
    assert len([*each_kill(SCRIPTS[script], tmp_path / "table", link=link)]) > 30


@pytest.mark.asyncio
@pytest.mark.parametrize("state", STATES)
async def test_each_state_looks_as_it_is_drawn(state: str) -> None:
    assert await drawn(state) == (PICTURES / f"{state}.txt").read_text("utf-8")


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("number", range(40))
def test_every_forced_fact_has_an_argument(number: int) -> None:
    random = Random(f"long {number}")
    facts = 0
    while facts < 2_500:
        large, nest = random.random() < 0.1, random.random() < 0.5
        facts += len(check_arguments(random_knowledge(random, large=large, nest=nest)))


@pytest.fixture
def every() -> int:
    """Each entry is compared."""
    return 1


def test_a_thousand_edited_lines_are_right_or_asked_about_or_refused(seed: str) -> None:
    assert misread_edits(seed, 1_000) == []


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


GAMES = Path(__file__).parents[1] / "games"


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
