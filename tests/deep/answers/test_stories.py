"""Games of the arena reviewed, from everything and from one seat's notes: no denial."""

from __future__ import annotations

import pytest

from clue_solver.arena.tournament import Tournament
from tests.answers.stories import contradictions

EDITIONS = ("clue-classic", "clue-2015", "clue-diced", "clue-express", "cluedo-watson")


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("number", range(1, 51))
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_story_is_denied_by_its_tables_nor_verdict_by_another(edition: str, number: int) -> None:
    players = ("likeliest", "random", "note-taker")
    games = Tournament(edition=edition, players=players, board=False, seed=59)
    whole = games.play(number)
    record = whole.record
    if not any(getattr(each, "right", False) for each in record.observations):
        pytest.skip("nobody won")
    full = whole.review(sample=200)
    assert [*contradictions(full)] == []
    part = whole.notes_of(record.table.seats[0]).review(sample=200)
    assert [*contradictions(part)] == []
    for one, other in zip(part.accusations, full.accusations, strict=True):
        assert one.verdict in ("unknown", other.verdict)
    missed = {each.seat for each in full.of("missed win")}
    assert {each.seat for each in part.of("missed win")} <= missed
