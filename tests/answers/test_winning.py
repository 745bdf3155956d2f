"""The chances to win: what accusing now wins, what asking on wins, and what to ask."""

from __future__ import annotations

import json
from math import hypot
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from clue_solver import Game, load
from clue_solver.answers.advice import (
    CLEAR,
    AccuseOrWait,
    RankedSuggestion,
    WinChances,
    choose_by_winning,
)
from clue_solver.answers.decision import decide
from clue_solver.answers.display import share
from clue_solver.answers.own_turn import OwnTurn
from clue_solver.answers.winning import Winning
from clue_solver.faces.cli import main
from clue_solver.inference.rollouts import Share
from clue_solver.record import parse_record

GAMES = Path(__file__).resolve().parents[1] / "games"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TEXTBOOK = str(GAMES / "textbook.clue")
LATE = """\
edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann
board: none

Ann holds Plum, Rope, Hall, Study, Knife, Green
Ben suggests White, Wrench, Lounge: Cat passes, Ann passes
Cat suggests Scarlett, Candlestick, Kitchen: Ann passes, Ben shows
Ann suggests Mustard, Revolver, Ballroom: Ben shows Mustard
"""


def test_some_suggestions_are_played_on_and_one_of_them_is_made() -> None:
    advice = load(TEXTBOOK).advice(upto=14)
    told = json.loads(advice.to_json())
    accuse = told["accuse"]
    assert 0 <= accuse["win_now"] <= accuse["probability"] + 1e-9
    assert 0 < accuse["win_wait"] < 1
    assert 0 < accuse["win_error"] < 0.1
    played = [each for each in told["suggestions"] if "win" in each]
    assert 1 < len(played) < 12
    assert all(0 <= each["win"] <= 1 and 0 < each["win_error"] < 0.2 for each in played)
    assert told["ask"]["cards"] in [each["cards"] for each in played]


def test_a_table_that_bluffs_is_believed_no_more_than_without_reading() -> None:
    game = Game(parse_record(LATE))
    careful, bluffing = (game.advice(asks=asks).accuse for asks in ("careful 0.02", "careful 0.5"))
    assert careful.weighed.win is not None
    assert careful.win_now is not None
    assert careful.win_now < careful.weighed.win.trusted == careful.probability  # rivals are silent
    assert "speaks against these cards that nobody has accused yet" in careful.why
    assert bluffing.win_now is not None
    assert bluffing.win_now < bluffing.probability
    assert f"right {share(bluffing.probability)}" in bluffing.why
    assert f"now only {share(bluffing.win_now)} if others name own cards on purpose" in bluffing.why
    assert "on purpose" not in careful.why


def test_reading_is_doubted_once_the_log_tells_of_own_cards_asked_for_and_not_before() -> None:
    head = LATE.partition("Ben suggests")[0]
    honest = f"{head}Ben suggests Plum, Rope, Hall: Cat passes, Ann shows Rope\n"
    own = (
        f"{head}Ben suggests Plum, Rope, Lounge: Cat passes, Ann shows Rope\n"
        "Ann suggests Mustard, Wrench, Lounge: Ben shows Lounge\n"
    )
    believed, doubted = (Game(parse_record(text)).advice().accuse for text in (honest, own))
    assert believed.win_now == believed.probability
    assert "on purpose" not in believed.why
    assert doubted.win_now is not None
    assert doubted.win_now < doubted.probability


def test_explained_are_the_games_played_on() -> None:
    done = CliRunner().invoke(main, ["advise", TEXTBOOK, "--upto", "14", "--explain"])
    told = " ".join(done.output.split())
    for words in (
        "What the chances to win mean",
        "asking on wins",
        "where others may name own cards on purpose, the smaller one",
        "ask the advised question first, if the dice let you",
    ):
        assert words in told
    solved = CliRunner().invoke(main, ["advise", str(GAMES / "streamed.clue"), "--explain"])
    assert solved.exit_code == 0


@pytest.mark.parametrize(
    ("now", "first", "wait", "barred", "expected"),
    [
        (0.66, None, 0.58, False, "accuse"),
        (0.64, None, 0.58, False, "accuse"),
        (0.62, None, 0.58, False, "wait"),  # not clearly better
        (0.66, 0.665, 0.58, False, "accuse"),
        (0.66, 0.7, 0.58, False, "wait"),  # asking first in the same turn helps
        (0.5, None, 0.58, False, "wait"),
        (0.66, None, 0.58, True, "wait"),
    ],
)
def test_the_accusation_is_made_if_it_wins_more_and_nothing_can_be_asked_first(
    now: float, first: float | None, wait: float, barred: bool, expected: str
) -> None:
    win = WinChances(now, wait, 0.02)
    choice = AccuseOrWait(
        now=now, certain=False, first=first, risk=0.1, barred=barred, win=win
    ).decide(("Plum",))
    assert choice.advice == expected
    assert (choice.win_now, choice.win_wait, choice.win_error) == (now, wait, 0.02)
    assert f"right {100 * now:.0f} %" in choice.why
    assert "accusing now" not in choice.why  # it is as likely to win as to be right
    assert "asking on wins 58 % ± 2" in choice.why
    kept = now > wait and not barred and (first is None or first == now) and expected == "wait"
    assert ("too close" in choice.why) == kept


@pytest.mark.parametrize(("name", "upto"), [("classic", 6), ("evening", 9)])
def test_no_seed_turns_the_verdict_into_one_that_is_worse_beyond_the_errors(
    name: str, upto: int
) -> None:
    game = load(EXAMPLES / f"{name}.clue")
    assert game.table.viewer is not None
    told = [game.advice(upto=upto, seed=seed).ask for seed in range(3)]
    asked = list(dict.fromkeys(ask.cards for ask in told if ask is not None))
    view = game.seen(upto=upto)
    turn = OwnTurn(view.table, view.observations, viewer=game.table.viewer)
    fresh = Winning(
        view.table,
        view.observations,
        view.deduction,
        viewer=game.table.viewer,
        suggested=turn.suggested,
        rng=np.random.default_rng(99),
        worlds=4000,
    )
    alone = {cards: fresh.asking({cards: 1.0}).chances[cards] for cards in asked}
    best = max(alone.values())
    for share_of in alone.values():
        assert best.share - share_of.share < CLEAR * hypot(best.error, share_of.error)


def test_asking_on_has_one_figure() -> None:
    def told_of(win: WinChances) -> str:
        choice = AccuseOrWait(now=0.4, certain=False, first=None, risk=0.1, win=win)
        return choice.decide(("Plum",)).why

    win = WinChances(0.4, 0.5, 0.02)
    assert "right 40 %; asking on wins 50 % ± 2" in told_of(win)
    assert "now only 40 % if others name own" in told_of(win._replace(read=0.6))
    assert "(not" not in told_of(win._replace(read=0.4))


def suggested(*wins: float) -> list[RankedSuggestion]:
    """Suggestions that win so often."""
    return [
        RankedSuggestion(
            cards=(name,),
            gain=1.0,
            error=0.0,
            settles=0.1,
            best_after=0.3,
            reach=1.0,
            win=win,
            win_error=0.02,
            answers=(),
        )
        for name, win in zip(("Plum", "Green", "White"), wins, strict=False)
    ]


def test_another_question_is_told_beside_that_of_the_likeliest_cards() -> None:
    likeliest, other = suggested(0.5, 0.6)
    more = {other.cards: Share(0.1, 0.02)}
    same = choose_by_winning(likeliest, [other], {})
    better = choose_by_winning(likeliest, [other], more)
    assert (same.cards, better.cards) == (likeliest.cards, other.cards)
    same, better = (
        replace(each, chances=(chance,)) for each, chance in ((same, 0.4), (better, 0.3))
    )
    assert same.why.startswith("these are the likeliest cards (Plum 40 %)")
    assert better.why.startswith("asking for the likeliest cards, Plum, wins only 50 %; this tells")


def test_a_chance_that_is_exact_is_held_against_the_error_of_the_other() -> None:
    likeliest, other = suggested(0.5, 0.6)
    exact = replace(other, win_error=0.0)
    for win, error, chosen in (
        (0.5, 0.02, exact),
        (0.57, 0.02, likeliest),
        (0.595, 0.0, likeliest),
    ):
        first = replace(likeliest, win=win, win_error=error)
        found = choose_by_winning(first, [exact], {})
        assert found.cards == chosen.cards


def test_a_room_that_is_harder_to_reach_counts_with_its_chance() -> None:
    likeliest, near, far = suggested(0.5, 0.58, 0.6)
    far = replace(far, reach=0.5)
    more = {near.cards: Share(0.08, 0.02), far.cards: Share(0.1, 0.02)}
    assert choose_by_winning(likeliest, [near, far], more).cards == far.cards
    more[far.cards] = Share(0.07, 0.02)
    assert choose_by_winning(likeliest, [near, far], more).cards == near.cards


def test_who_is_told_to_accuse_what_is_not_certain_is_told_what_asking_on_wins() -> None:
    advice = Game(parse_record(LATE)).advice(asks="careful 0.02")
    assert advice.accuse.win_wait is not None
    asking_on = f"; asking on wins {share(advice.accuse.win_wait)}"
    assert asking_on in decide(advice).text
    certain = replace(advice.accuse, reason="certain", probability=1.0)
    assert "asking on" not in decide(replace(advice, accuse=certain)).text
