"""What to do now as a headline, and half a why and the odds beneath it."""

from __future__ import annotations

from typing import Any

import pytest

from clue_solver.answers.advice import (
    AccuseAdvice,
    Advice,
    BonusUse,
    Opponent,
    RankedSuggestion,
    RoomAdvice,
)
from clue_solver.rules.observations import Look
from clue_solver.views.headlines import headline, odds

CARDS = ("Plum", "Rope", "Hall")


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (0.0, ""),
        (1 / 324, ""),
        (1 / 59, "about 1 in 50"),
        (0.034, "about 1 in 30"),
        (0.34, "about 1 in 3"),
        (0.5, "about 1 in 2"),
        (0.7, "about 2 in 3"),
        (0.88, "about 9 in 10"),
        (0.97, "almost certainly"),
        (0.9999, "almost certainly"),
        (1.0, "certainly"),
    ],
)
def test_chances_are_told_as_people_tell_them(chance: float, said: str) -> None:
    assert odds(chance) == said


def advice(kind: Any, right: float = 0.3, **given: Any) -> Advice:
    how = {each: given.pop(each) for each in ("after", "win_now", "win_wait") if each in given}
    accuse = AccuseAdvice(cards=CARDS, probability=right, certain=right == 1.0, **how)
    return Advice(viewer="Ann", entries=9, kind=kind, bits=2.0, accuse=accuse, **given)


def ask(win: float | None = None, look: str | None = None) -> RankedSuggestion:
    return RankedSuggestion(
        cards=("Green", "Rope", "Lounge"),
        gain=1.0,
        error=0.0,
        settles=0.1,
        best_after=0.3,
        reach=1.0,
        win=win,
        look=look,
        answers=(),
    )


USE = BonusUse(use=Look(by="Ann", holder="Ben"), action="Ann looks at Ben", gain=1.0, error=0.0)
BEN = (Opponent(seat="Ben", knows=0.48, error=0.0),)


@pytest.mark.parametrize(
    ("told", "text", "remark"),
    [
        (
            advice("ask", ask=ask(), quick=True),
            "Suggest Green, Rope, Lounge.",
            "These are likely cards, and the answer can tell you something new.",
        ),
        (
            advice("ask", ask=ask(0.34), beaten=CARDS, later=True),
            "On your turn, suggest Green, Rope, Lounge.",
            "In simulated games it wins more often than the obvious suggestion. "
            "Your chance of winning: about 1 in 3.",
        ),
        (
            advice("ask", ask=ask(0.97), roll=True),
            "Roll, then suggest Green, Rope, Lounge if you can.",
            "Type what you roll to hear what is best with it. "
            "Your chance of winning: almost certain.",
        ),
        (
            advice("ask", ask=ask(look="Study"), stay=True, quick=True),
            "Go to the Study and look, then stay and suggest Green, Rope, Lounge.",
            "These are likely cards, and the answer can tell you something new.",
        ),
        (
            advice("wait", win_now=0.3, win_wait=0.5, opponents=BEN),
            "Don't accuse yet.",
            "Your chance of winning: about 1 in 3 if you accuse, about 1 in 2 if you wait. "
            "Ben may know the solution: about 1 in 2.",
        ),
        (
            advice("wait", win_now=0.68, win_wait=0.5),
            "Don't accuse yet.",
            "Your chance of winning: about 2 in 3 if you accuse, about 1 in 2 if you wait. "
            "Accuse once that is 25 points ahead; until then, waiting won as often in test games.",
        ),
        (
            advice("wait", win_now=0.8, win_wait=0.5),
            "Don't accuse yet.",
            "Your chance of winning: about 4 in 5 if you accuse, about 1 in 2 if you wait. "
            "You can accuse only in a room.",
        ),
        (advice("wait", quick=True), "Don't accuse yet.", ""),
        (
            advice("accuse", 1.0, after=("suggests", "looks", "peeks")),
            "Accuse after the suggestion and the bonus die: Plum, Rope, Hall.",
            "That is certain.",
        ),
        (
            advice("accuse", 0.7, win_now=0.68, win_wait=0.5),
            "Accuse now: Plum, Rope, Hall.",
            "Your chance of winning: about 2 in 3 if you accuse, about 1 in 2 if you wait.",
        ),
        (
            advice("accuse", 0.68, quick=True),
            "Accuse now: Plum, Rope, Hall.",
            "That is better than waiting.",
        ),
        (advice("use", uses=(USE,)), "Use the bonus die: Ann looks at Ben.", ""),
        (
            advice("go", heading=RoomAdvice(room="Hall", steps=1, gain=0.3, look=True)),
            "Head for the Hall (1 step) and look.",
            "",
        ),
        (
            advice("go", suggestions=(ask(),), heading=RoomAdvice(room="Hall", steps=0, gain=0.3)),
            "Head for the Hall by the passage.",
            "No suggestion within reach tells you more.",
        ),
        (advice("solution", 0.003), "It is too early to tell.", ""),
        (advice("solution", 0.2), "Most likely: Plum, Rope, Hall.", "About 1 in 5."),
        (
            advice("solution", 0.2, habits=True),
            "Most likely: Plum, Rope, Hall.",
            "About 1 in 5, unless somebody bluffs.",
        ),
        (advice("solution", 1.0), "It was Plum, Rope, Hall.", "That is certain."),
        (
            advice("barred", 1.0),
            "It was Plum, Rope, Hall.",
            "That is certain; you can accuse only in a room.",
        ),
        (advice("over", 1.0), "The game is over: Plum, Rope, Hall.", ""),
        (
            advice("opened"),
            "You have opened the envelope.",
            "Say what it held, such as “envelope has Plum”.",
        ),
    ],
)
def test_a_headline_says_what_to_do_and_its_remark_half_a_why(
    told: Advice, text: str, remark: str
) -> None:
    assert headline(told) == (text, remark)


@pytest.mark.parametrize(
    ("knows", "said"), [(0.97, "Ben almost certainly knows the solution."), (0.2, ""), (0.0, "")]
)
def test_who_knows_more_than_oneself_is_told(knows: float, said: str) -> None:
    rival = Opponent(seat="Ben", knows=knows, error=0.0)
    out = Opponent(seat="Cat", knows=1.0, error=0.0, out=True)
    told = advice("wait", quick=True, opponents=(rival, out))
    assert headline(told).remark == said
