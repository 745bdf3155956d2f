"""Many games as one collection: what is known in all of them at once, and all reviewed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from clue_solver import ArgumentError, Game, Games, NotationError, load_all, parse_record
from clue_solver.game.games import games_of_season

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
ALIKE = [str(EXAMPLES / "classic.clue"), str(EXAMPLES / "evening.clue")]
HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat\n"


@pytest.mark.parametrize("viewer", [None, "spectator", "ben"])
def test_all_positions_at_once_are_those_of_each_game(viewer: str | None) -> None:
    games = load_all(ALIKE)
    known = games.evaluate(viewer=viewer, upto="each")
    assert list(zip(known.games, known.entries, strict=True)) == [
        (name, entry)
        for name, game in zip(games.names, games, strict=True)
        for entry in range(1, len(game.observations) + 1)
    ]
    every = [*enumerate(zip(known.games, known.entries, strict=True))]
    for number, (name, entry) in every[::4]:
        report = games[name].report(viewer=viewer, upto=entry)
        assert np.allclose(known.marginals[number], report.probabilities, atol=1e-9)
        assert known.deals[number] == report.deals
        assert known.holders == report.holders
        assert known.cards == report.cards


def test_each_seat_is_asked_in_turn() -> None:
    known = load_all(ALIKE).evaluate(viewer="each")
    assert known.viewers == ("Ann", "Ben", "Cat", "Dan") * 2
    assert known.games == (ALIKE[0],) * 4 + (ALIKE[1],) * 4


def test_hand_sizes_may_differ_in_one_table_of_answers() -> None:
    records = [f"{HEADER}hands: {sizes}\n\nAnn skips\n" for sizes in ("5, 6, 7", "7, 6, 5")]
    games = Games([Game(parse_record(record)) for record in (*records, records[0])])
    known = games.evaluate()
    assert [known.deals[number] for number in range(3)] == [game.report().deals for game in games]


def test_what_does_not_go_together_says_in_what() -> None:
    other = Game(parse_record(f"{HEADER.replace('Cat', 'Tom')}\nAnn skips\n"), name="b")
    games = Games([Game(parse_record(f"{HEADER}\nAnn skips\n"), name="a"), other])
    told = "same seats; a has Ann, Ben, Cat, b Ann, Ben, Tom"
    with pytest.raises(ArgumentError, match=told):
        games.evaluate()


@pytest.mark.parametrize("upto", [99, -1, "each"])
def test_where_there_is_no_position_it_is_said(upto: int) -> None:
    games = Games([Game(parse_record(HEADER))])
    with pytest.raises(
        ArgumentError, match=f"^upto: expected an entry that a game has; found {upto}$"
    ):
        games.evaluate(upto=upto)
    with pytest.raises(ArgumentError, match=r"^games: expected one or more; found none"):
        Games([]).evaluate()


def test_who_may_be_the_viewer_is_said() -> None:
    games = load_all(ALIKE)
    told = "unknown viewer 'Zoe'; expected spectator, Ann, Ben, Cat or Dan"
    with pytest.raises(NotationError, match=f"^{told}$"):
        games.evaluate(viewer="Zoe")
    assert games.evaluate(viewer="Each").viewers == games.evaluate(viewer="each").viewers


def test_a_shorter_game_has_no_such_position() -> None:
    games = load_all(ALIKE)
    assert [len(game.observations) for game in games] == [18, 22]
    assert games.evaluate(upto=20).games == (ALIKE[1],)


def test_a_game_as_a_seat_saw_it_tells_that_seat_the_same() -> None:
    for game in load_all(ALIKE):
        for seat in game.table.seats:
            notes = game.notes_of(seat)
            own = notes.report()
            whole = game.report(viewer=seat)
            assert np.allclose(own.probabilities, whole.probabilities, atol=1e-12)
            assert notes.table.solution == ()
            assert not any(
                line.startswith(f"{other} holds")
                for line in notes.lines
                for other in game.table.seats
                if other != seat
            )


def test_a_collection_is_asked_by_number_by_name_and_in_part() -> None:
    games = load_all(EXAMPLES)
    assert games[0] is games[games.names[0]]
    assert games[1:3].names == games.names[1:3]
    assert list(games[:2]) == [games[0], games[1]]
    assert games["classic.clue"] is games[str(EXAMPLES / "classic.clue")]
    called = Games(Game(games[0].record, name=name) for name in ("a/b", "b"))
    for name, told in (
        ("none", "expected the name of a game"),
        ("b", "several games are called that"),
    ):
        with pytest.raises(ArgumentError, match=f"^which: {told}.*; found '{name}'"):
            called[name]


GOOD = [EXAMPLES / "diced.clue", EXAMPLES / "two_players.clue"]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A good game, one that is no record, one that clashes, one that is not there, a good one."""
    broken = tmp_path / "broken.clue"
    broken.write_text("edition: clue-classic\nplayers: Ann, Ben\n\nAnn sugests Plum\n", "utf-8")
    clashing = tmp_path / "clashing.clue"
    hands = "Ann holds Plum\nBen holds Plum\n"
    clashing.write_text(
        f"edition: clue-classic\nplayers: Ann, Ben\nhands: 1, ?\n\n{hands}", "utf-8"
    )
    return [GOOD[0], broken, clashing, tmp_path / "absent.clue", GOOD[1]]


@pytest.mark.parametrize("jobs", [0, -2])
def test_there_can_be_no_so_many_processes(jobs: int) -> None:
    with pytest.raises(ArgumentError, match=f"^jobs: expected a number of .*; found {jobs}$"):
        list(games_of_season([], jobs=jobs))


def test_a_game_that_fails_leaves_the_others_as_they_are(files: list[Path]) -> None:
    found = list(games_of_season(files, jobs=1))
    for file, each in zip(files, found, strict=True):
        assert bool(each.rows) == (file in GOOD)
        assert (each.error is None) == (file in GOOD)
        assert each.error is None or each.error.startswith(str(file))
