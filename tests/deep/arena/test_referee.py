"""Games of the arena in every edition, and in machine code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from clue_solver import load_edition, shipped_editions
from clue_solver.answers.turns import odd_turns
from clue_solver.rules.observations import Skip, Suggestion
from tests.arena.arena_games import faults, played
from tests.arena.test_referee import tournament

ROLLING = {"rolls", "draws", "moves", "stays"}
"""The verbs of dice and board, which a record may leave out."""


def tables() -> Iterator[tuple[str, int, bool]]:
    """Every shipped edition and number of seats; without its board where that is another game."""
    for name in shipped_editions():
        edition = load_edition(name)
        least, most = edition.players
        for seats in sorted({least, 3, min(most, 6)}):
            yield name, seats, True
        if edition.board is not None:
            yield name, least, False


@pytest.mark.long(keep=6)
@pytest.mark.parametrize(("edition", "seats", "board"), [*tables()])
def test_every_action_is_legal_and_nothing_false_is_ever_certain(
    edition: str, seats: int, board: bool
) -> None:
    assert faults(tournament(edition, seats, board), 1) == []


@pytest.mark.long(keep=6)
@pytest.mark.parametrize(("edition", "seats", "board"), [*tables()])
def test_no_turn_is_odd_in_a_game_that_was_told_whole(
    edition: str, seats: int, board: bool
) -> None:
    record = played(tournament(edition, seats, board), 1).record
    table, log = record.table, record.observations
    assert odd_turns(table, log) == ()
    bare = [told for told in log if not told.turn or told.form.verb not in ROLLING]
    assert odd_turns(table, bare) == ()
    for seat in table.seats:
        own = [told for told in bare if told.turn and getattr(told, told.form.subject) == seat]
        if sum(isinstance(told, Suggestion | Skip) for told in own) > 2:
            assert odd_turns(table, own) is None


@pytest.mark.parametrize(
    ("edition", "seats", "board"),
    [("clue-classic", 4, False), ("clue-2015", 2, True), ("clue-diced", 3, True)],
)
def test_machine_code_plays_the_same_games(edition: str, seats: int, board: bool) -> None:
    pytest.importorskip("numba")
    fast = tournament(edition, seats, board)
    with_it, without = (played(each, 1) for each in (fast, replace(fast, compiled=False)))
    assert with_it.log == without.log
