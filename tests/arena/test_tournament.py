"""
Tournaments: who won how often, what is kept of them, the command, and a player of one's own.

People and machines in the chairs of one game.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from clue_solver import Game, load_edition, play
from clue_solver.answers.standings import rate_interval
from clue_solver.arena.chairs import (
    HARD_WINS,
    MACHINES,
    NAMES,
    PERSON,
    Chairs,
    free_names,
    machines,
)
from clue_solver.arena.players import PLAYERS, find_player
from clue_solver.arena.referee import decision_of
from clue_solver.arena.tournament import Tournament
from clue_solver.errors import ArgumentError, RecordError
from clue_solver.rules.edition import SEATS
from clue_solver.rules.observations import Accusation, Hand, Suggestion
from tests.arena.arena_games import wrong_cards
from tests.faces.test_cli import answer

DOCS = Path(__file__).resolve().parents[2] / "docs" / "arena.md"
DICED = ("arena", "--edition", "clue-diced", "--players", "likeliest,random,random")


def test_json_has_a_row_for_each_name_with_its_seats_added_up() -> None:
    found = answer(*DICED, "--games", "9", "--seed", "2")
    keys = ["schema", "editions", "games", "players", "unsolved", "first"]
    assert keys == list(found)
    rows = found["players"]
    assert isinstance(rows, list)
    assert [(row["player"], row["games"]) for row in rows] == [("likeliest", 9), ("random", 18)]
    for row in rows:
        assert list(row) == ["player", "games", "wins", "rate", "interval", "wrong_accusations"]
        assert row["rate"] == pytest.approx(row["wins"] / row["games"])
        assert row["interval"][0] <= row["rate"] <= row["interval"][1]
    assert sum(row["wins"] for row in rows) + found["unsolved"] == 9


def test_intervals_are_wilsons_and_shared_among_seats() -> None:
    assert [round(end, 6) for end in rate_interval(50, 100)] == [0.403832, 0.596168]
    square = 1.959964**2
    assert rate_interval(0, 100) == pytest.approx((0.0, square / (100 + square)))
    low, high = rate_interval(50, 100)
    assert rate_interval(50, 100, seats=2) == (low / 2, high / 2)


def test_every_deal_is_played_in_every_arrangement() -> None:
    four = Tournament(edition="clue-classic", players=("random", "likeliest") * 2)
    assert [*four.arrangements] == [("random", "likeliest") * 2, ("likeliest", "random") * 2]
    assert [four.deal_and_seating(game)[0] for game in (1, 2, 3, 4)] == [1, 1, 2, 2]
    assert len(Tournament(edition="clue-classic", players=("random",) * 4).arrangements) == 1


@pytest.mark.parametrize("name", [*PLAYERS, "likeliest:bluff=0.3"])
def test_every_shipped_player_plays(name: str) -> None:
    game = Tournament(edition="clue-diced", players=(name, "random", "random"), seed=1).play(1)
    assert game.play().turns.winner is not None


def test_the_player_of_the_documentation_plays_every_kind_of_edition(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (example,) = re.findall(r"```python\n(?!>>>)(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert 20 <= len(example.splitlines()) <= 34
    (tmp_path / "mine.py").write_text(example, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for edition, seats in (("clue-classic", 3), ("clue-2015", 2), ("clue-diced-master", 3)):
        players = ("mine:Careful", *("likeliest",) * (seats - 1))
        game = Tournament(edition=edition, players=players, seed=4).play(1)
        assert game.play().turns.winner is not None
    sys.modules.pop("mine")
    with pytest.raises(ArgumentError, match="no such player"):
        find_player("mine:Careless")


@pytest.mark.parametrize("over", [0, 2])
def test_games_that_a_script_has_had_played_are_kept_when_it_is_interrupted(
    over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing = Tournament.play

    def interrupted(self: Tournament, game: int) -> Game:
        if game > over:
            raise KeyboardInterrupt
        return playing(self, game)

    monkeypatch.setattr(Tournament, "play", interrupted)
    players = ["random", "likeliest", "random"]
    with pytest.warns(UserWarning, match=f"stopped after {over} of 9 games") as told:
        games = play(players, games=9, seed=5, jobs=1)
    assert told[0].filename == __file__
    monkeypatch.undo()
    whole = play(players, games=3, seed=5, jobs=1)
    assert [game.record for game in games] == [game.record for game in whole[:over]]


def shares(player: str) -> tuple[float, float]:
    """How many questions name an own card, and suspect and weapon of the question before."""
    own, again, asked = 0, 0, 0
    for game in play([player] * 4, games=12, seed=3, board=False, jobs=1):
        hands = {one.seat: {*one.cards} for one in game.observations if isinstance(one, Hand)}
        before: dict[str, tuple[str, ...]] = {}
        for one in game.observations:
            if isinstance(one, Suggestion):
                asked += 1
                own += bool(hands[one.by] & {*one.cards})
                again += before.get(one.by) == one.cards[:2]
                before[one.by] = one.cards[:2]
    return own / asked, again / asked


def test_a_person_names_own_cards_and_the_same_again_as_often_as_is_said() -> None:
    usual, again = shares("person")
    assert 0.28 < usual < 0.5
    assert 0.05 < again < 0.25
    careful, never = shares("person:bluff=0:again=0")
    assert careful < 0.05
    assert never < again
    with pytest.raises(ArgumentError, match="bluff"):
        find_player("person:bluff=2")


def likely(chairs: Chairs) -> object:
    """What `likeliest` would decide now."""
    request = chairs.game.request
    assert request is not None
    return decision_of(find_player("likeliest"), chairs.game.views[request.seat], request)


def begun(edition: str, players: tuple[str, ...], seed: int = 2) -> Chairs:
    seats = dict(zip(("Ann", "Ben", "Cat", "Dan"), players, strict=False))
    return Chairs.begin(load_edition(edition), seats, seed=seed)


@pytest.mark.parametrize("edition", ["clue-classic", "clue-2015", "clue-diced"])
def test_wherever_one_may_accuse_one_does(edition: str) -> None:
    """At every third decision of a whole game, and nothing else is done in that turn."""
    chairs = begun(edition, (PERSON,) * 4)
    could = 0
    while chairs.person is not None:
        seat, game = chairs.person, chairs.game
        could += chairs.may_accuse
        if chairs.may_accuse and could % 3 == 0:
            again = Chairs.resumed(json.loads(json.dumps(chairs.saved())))
            wrong = wrong_cards(game)
            again.decide(wrong, accuses=True)
            assert again.game.state.turns.out == game.state.turns.out | {seat}
            told = Accusation(by=seat, cards=wrong, right=False)
            assert again.game.log[len(game.log)] == told
            with pytest.raises(ArgumentError, match="cannot make this accusation"):
                chairs.decide(wrong[:1], accuses=True)
        assert game.request is not None
        chairs.decide(likely(chairs))
    assert could > 6
    assert chairs.game.state.turns.winner is not None


def test_machines_know_what_their_seat_knows_whoever_sat_there_before() -> None:
    chairs = begun("clue-classic", (PERSON, "hard", PERSON))
    for number in range(400):
        if chairs.game.request is None:
            break
        if chairs.machine is not None:
            chairs.decide(chairs.machine_choice())
        else:
            chairs.decide(likely(chairs))
        if number % 7 == 0:
            chairs.sit("Ann", [PERSON, *MACHINES][number % 4])
        if number % 11 == 0:
            chairs.sit("Ben", ["hard", PERSON][number % 2])
    assert chairs.game.state.turns.winner is not None


def test_what_is_no_game_of_people_and_machines_is_refused() -> None:
    chairs = begun("clue-diced", ("easy", PERSON, "hard"))
    values = chairs.saved()
    lacking = {name: value for name, value in values.items() if name != "players"}
    for wrong in ({}, lacking, values | {"decisions": ["Hall"]}, values | {"hands": {}}):
        with pytest.raises(RecordError, match="expected a saved game"):
            Chairs.resumed(wrong)
    with pytest.raises(ArgumentError, match="no player is called 'nobody'"):
        chairs.sit("Ann", "nobody")
    assert chairs.players["Ann"] == "easy"


def test_what_hard_wins_is_what_was_measured() -> None:
    results = Path(__file__).parents[2] / "benchmarks" / "results" / "winning.json"
    rows = {row["row"]: row for row in json.loads(results.read_text("utf-8"))["rows"]}
    against = {
        "clue-classic": "three `likeliest`",
        "clue-2015": "one `likeliest`, 2015, board",
        "clue-diced": "two `likeliest`, Clue Diced",
        "master-detective": "three `likeliest`, Master Detective",
    }
    assert {
        edition: (name.partition(" ")[0], round(100 * rows[name]["wins"] / rows[name]["games"]))
        for edition, name in against.items()
    } == HARD_WINS
    assert machines("clue-classic").keys() == MACHINES.keys()
    assert machines("clue-1996") == MACHINES


def test_the_machines_that_the_page_names_are_those_that_there_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "phones.md").read_text("utf-8")
    named = re.search(r"Computer players are (.*?) \(", page)
    assert named is not None
    assert re.findall(r"`(\w+)`", named[1]) == [*MACHINES]
    assert all(find_player(name) for name in MACHINES)
    assert len({*NAMES}) == SEATS[1]
    assert [*free_names(["Mum", "WATSON"])] == [*NAMES[1:]]
