"""What to do now as a headline, and half a why and the odds beneath it."""

from __future__ import annotations

from pathlib import Path
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
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.observations import Look
from clue_solver.views.headlines import headline, odds
from tests.rows import blocks, held, rows

EDITION = load_edition("clue-classic")
CARDS = ("Plum", "Rope", "Hall")
USE = Look(by="Ann", holder="Ben")
FILE = Path(__file__).with_name("headlines.txt")
"""
Advice, and its headline and remark.

Advice is its kind and what else is known of it: a word for what is true, `name=value` for the rest.
"""

ODDS = """
0.0 |
0.0031 |
0.0169 | about 1 in 50
0.034 | about 1 in 30
0.34 | about 1 in 3
0.5 | about 1 in 2
0.7 | about 2 in 3
0.88 | about 9 in 10
0.97 | almost certainly
0.9999 | almost certainly
1.0 | certainly
"""


@pytest.mark.parametrize(("chance", "said"), rows(ODDS, " |"))
def test_chances_are_told_as_people_tell_them(chance: str, said: str) -> None:
    assert odds(float(chance)) == said.strip()


def advice(text: str) -> Advice:
    """The advice of a heading."""
    kind, *words = text.split()
    known: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        known[name] = value.replace("_", " ") if value else True
    chances: dict[str, Any] = {
        name: float(known.pop(name)) for name in ("win_now", "win_wait") if name in known
    }
    right = float(known.pop("right", 0.3))
    after = tuple(filter(None, known.pop("after", "").split("+")))
    accuse = AccuseAdvice(
        cards=CARDS, probability=right, certain=right == 1.0, after=after, **chances
    )
    asked = RankedSuggestion(
        cards=("Green", "Rope", "Lounge"),
        gain=1.0,
        error=0.0,
        settles=0.1,
        best_after=0.3,
        reach=1.0,
        win=float(known.pop("wins")) if "wins" in known else None,
        look=known.pop("look", None),
        answers=(),
    )
    if "steps" in known:
        steps, look = int(known.pop("steps")), bool(known.pop("looks", False))
        known["heading"] = RoomAdvice(room="Hall", steps=steps, gain=0.3, look=look)
    if "others" in known:
        known["suggestions"] = (asked,) * known.pop("others")
    if "knows" in known:
        rival = Opponent(seat="Ben", knows=float(known.pop("knows")), error=0.0)
        known["opponents"] = (rival, Opponent(seat="Cat", knows=1.0, error=0.0, out=True))
    given = {name: known.pop(name, "").split("+") for name in ("sure", "likely", "pointed")}
    sure, likely, pointed = given.values()
    inside = {card: 0.5 if card in likely else 0.1 for card in EDITION.names}
    inside |= {card: 1.0 for card in EDITION.names if card in sure}
    known["by_sheet"] = inside
    known["by_questions"] = inside | {card: 0.4 for card in EDITION.names if card in pointed}
    if kind == "use":
        known["uses"] = (BonusUse(use=USE, action="Ann looks at Ben", gain=1.0, error=0.0),)
    ask = asked if kind == "ask" else None
    return Advice(
        viewer="Ann",
        entries=9,
        kind=kind,  # type: ignore[arg-type]
        bits=2.0,
        accuse=accuse,
        ask=ask,
        edition=EDITION,
        **known,
    )


@pytest.mark.parametrize("told", blocks(FILE))
def test_a_headline_says_what_to_do_and_its_remark_half_a_why(told: str) -> None:
    held(FILE, told, filter(None, headline(advice(told))))
