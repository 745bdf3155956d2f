"""What to do now as a headline, and half a why and the odds beneath it."""

from __future__ import annotations

from typing import Any

import pytest

from clue_solver.answers.advice import BonusAction, Opponent, RoomAdvice
from clue_solver.answers.decision import Decision
from clue_solver.views.headlines import headline, odds

CARDS = ("Plum", "Rope", "Hall")
ASK = ("Green", "Rope", "Lounge")


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


def decision(kind: Any, probability: float = 0.3, **given: Any) -> Decision:
    certain = probability == 1.0
    return Decision(kind=kind, cards=CARDS, probability=probability, certain=certain, **given)


@pytest.mark.parametrize(
    ("told", "text", "remark"),
    [
        (
            decision("ask", 0.004, ask=ASK, reason="likeliest", best_after=0.01),
            "Ask Green, Rope, Lounge.",
            "The likeliest cards.",
        ),
        (
            decision("ask", ask=ASK, reason="most", best_after=0.34, later=True),
            "On your turn ask Green, Rope, Lounge.",
            "It tells you most. Then your best guess is right about 1 in 3.",
        ),
        (
            decision("ask", ask=ASK, reason="wins", roll=True, stage="changed"),
            "Roll, then ask Green, Rope, Lounge if you can.",
            "Better, on a closer look. It wins most often.",
        ),
        (
            decision(
                "ask", ask=ASK, reason="own", best_after=1, stay=True, look="Study", stage="first"
            ),
            "Go to the Study and look, then stay and ask Green, Rope, Lounge.",
            "Your own cards in it make the answer tell more. Then you know it. A first look.",
        ),
        (
            decision("wait", rival=Opponent(seat="Ben", knows=0.48, error=0.0)),
            "Do not accuse yet.",
            "Your best guess is right about 1 in 3. Ben may know: about 1 in 2.",
        ),
        (decision("wait", 0.001), "Do not accuse yet.", ""),
        (
            decision("accuse", 1.0, after=("suggestion", "bonus die")),
            "Accuse after your suggestion and the bonus die: Plum, Rope, Hall.",
            "It is certain.",
        ),
        (
            decision("accuse", 0.68, wait=0.5),
            "Accuse now: Plum, Rope, Hall.",
            "Right about 2 in 3; asking on wins about 1 in 2.",
        ),
        (
            decision("bonus", 0.001, bonus=(BonusAction(action="peek at Ben", gain=1, error=0),)),
            "Use the bonus die: peek at Ben.",
            "",
        ),
        (
            decision("go", heading=RoomAdvice(room="Hall", steps=1, gain=0.3, look=True)),
            "Head for the Hall, 1 step and look.",
            "Your best guess is right about 1 in 3.",
        ),
        (
            decision("go", heading=RoomAdvice(room="Hall", steps=1, gain=0.3, through="Study")),
            "Head for the Hall by the passage of the Study.",
            "Your best guess is right about 1 in 3.",
        ),
        (decision("solution", 0.003), "It is too early to tell.", ""),
        (decision("solution", 0.2), "Likeliest: Plum, Rope, Hall.", "About 1 in 5."),
        (decision("solution", 1.0), "It was Plum, Rope, Hall.", "That is certain."),
        (
            decision("barred", 1.0),
            "It was Plum, Rope, Hall.",
            "That is certain; you can accuse only in a room.",
        ),
        (decision("over", 1.0), "The game is over: Plum, Rope, Hall.", ""),
        (
            decision("opened"),
            "You have opened the envelope.",
            "Say what it held, such as “envelope has Plum”.",
        ),
    ],
)
def test_a_headline_says_what_to_do_and_its_remark_half_a_why(
    told: Decision, text: str, remark: str
) -> None:
    assert headline(told) == (text, remark)
