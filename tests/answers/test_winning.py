"""The chances to win: what accusing now wins, what asking on wins, and what to ask."""

from __future__ import annotations

import json
from math import hypot
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from clue_solver import load
from clue_solver.answers.advice import CLEARLY, AccuseAdvice
from clue_solver.answers.own_turn import OwnTurn
from clue_solver.answers.winning import Winning
from clue_solver.arena.tournament import Tournament
from clue_solver.faces.cli import main
from clue_solver.rules.observations import Suggestion

GAMES = Path(__file__).resolve().parents[1] / "games"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TEXTBOOK = str(GAMES / "textbook.clue")


def test_some_suggestions_are_played_on_and_one_of_them_is_made() -> None:
    told = json.loads(load(TEXTBOOK).advice(upto=14).to_json())
    accuse = told["accuse"]
    assert 0 < accuse["win_now"] < 1
    assert 0 < accuse["win_wait"] < 1
    assert 0 < accuse["win_error"] < 0.2
    played = [each for each in told["suggestions"] if "win" in each]
    assert 1 < len(played) < 12
    assert all(0 <= each["win"] <= 1 and 0 < each["win_error"] < 0.2 for each in played)
    assert told["ask"]["cards"] in [each["cards"] for each in played]
    assert {"bits", "cards", "gain"} <= {*told, *played[0]}


def test_explained_is_what_the_numbers_mean() -> None:
    done = CliRunner().invoke(main, ["advise", TEXTBOOK, "--upto", "14", "--explain"])
    told = " ".join(done.output.split())
    assert "What the numbers mean" in told
    assert "whether you win more or less often than with the first" in told
    plain = CliRunner().invoke(main, ["advise", TEXTBOOK, "--upto", "14"]).output
    assert not {"bits", "settles", "leak", "best after"} & {*plain.split()}


def test_accusing_must_win_clearly_more_than_asking_on() -> None:
    accuse = AccuseAdvice(
        cards=("Plum",), probability=0.8, certain=False, win_now=0.6, win_wait=0.5, win_error=0.02
    )
    assert accuse.better(0.51 + CLEARLY)
    assert not accuse.better(0.5 + CLEARLY)
    assert not accuse.better(0.6)
    assert not replace(accuse, win_wait=None).better(0.9)


@pytest.mark.parametrize(("name", "upto"), [("classic", 6)])
def test_no_seed_turns_the_verdict_into_one_that_is_worse_beyond_the_errors(
    name: str, upto: int
) -> None:
    game = load(EXAMPLES / f"{name}.clue").seen(upto=upto)
    viewer = str(game.table.viewer)
    told = [game.advice(seed=seed).ask for seed in range(3)]
    asked = list(dict.fromkeys(ask.cards for ask in told if ask is not None))
    fresh = Winning(
        game.table,
        game.observations,
        game.deduction,
        viewer=viewer,
        asked=OwnTurn(game.table, game.observations, viewer).asked,
        rng=np.random.default_rng(99),
        worlds=4000,
    )
    alone = {cards: fresh.race({cards: 1.0}).chances[cards] for cards in asked}
    best = max(alone.values())
    for share_of in alone.values():
        assert best.share - share_of.share < 2 * hypot(best.error, share_of.error)


def test_after_each_answer_it_is_told_what_to_do_then() -> None:
    advice = load(EXAMPLES / "classic.clue").advice(upto=12, rooms="Library")
    assert advice.ask is not None
    assert [reply.shows for reply in advice.replies] == [
        answer.shows for answer in advice.ask.answers[:3]
    ]
    nobody = next(reply for reply in advice.replies if not reply.shows)
    assert (nobody.kind, nobody.cards) == ("accuse", ("Green", "Rope", "Library"))
    assert "nobody shows a card (" in str(advice)
    assert "accuse now: Green, Rope, Library" in " ".join(str(advice).split())


@pytest.mark.parametrize(
    ("edition", "seats"),
    [("clue-2015", 2), ("clue-diced", 3)],
)
def test_what_is_said_is_the_same_wherever_it_is_asked_for(
    edition: str, seats: int, tmp_path: Path
) -> None:
    """By the command, by the page and by the game, to the digit; and the quick look as well."""
    tournament = Tournament(edition=edition, players=("likeliest",) * seats, games=1, seed=4)
    played = tournament.play(1)
    notes = played.notes_of(played.table.seats[0])
    asked = [n for n, each in enumerate(notes.observations, 1) if isinstance(each, Suggestion)]
    game = notes.at(asked[len(asked) // 2])
    path = tmp_path / "game.clue"
    path.write_text(str(game), "utf-8")
    said = CliRunner().invoke(main, ["advise", str(path), "--json"]).output
    advice, quick = game.advice(), game.advice(quick=True)
    assert json.loads(said) == json.loads(load(path).advice().to_json()) == advice.to_dict()
    assert (quick.kind, quick.certain) == (advice.kind, advice.certain)
