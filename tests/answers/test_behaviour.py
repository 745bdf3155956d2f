"""Players' habits: what it moves, what it never moves, and how it is told."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clue_solver import ArgumentError, Game, parse_record
from clue_solver.knowledge.evidence import LEVELS, PRIOR
from tests.strategies import games

NOTES = """\
edition: clue-classic
players: Ann, Ben, Cat, Dan
hands: 5, 5, 4, 4
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife
Ben suggests Green, Wrench, Lounge: Cat passes, Dan passes, ?
Ben suggests Green, Wrench, Kitchen: ?
"""


def notes(*lines: str, **header: str) -> Game:
    keys = "".join(f"{key}: {value}\n" for key, value in header.items())
    return Game(parse_record(keys + NOTES + "".join(f"{line}\n" for line in lines)))


@settings(max_examples=40)
@given(games(), st.sampled_from(("any", "careful 0.02", "adaptive", "adaptive, Ann any")))
def test_behaviour_moves_numbers_and_no_marks(game: Game, asks: str) -> None:
    """By so many bits as the two posteriors of the solution diverge."""
    by_rules, found = game.report(asks="any"), game.report(asks=asks)
    assert found.asks == asks
    assert found.deals == by_rules.deals
    assert (found.verdicts == by_rules.verdicts).all()
    before, after = dict(by_rules.solutions), dict(found.solutions)
    assert after.keys() == before.keys()
    moved = sum(chance * np.log2(chance / before[cards]) for cards, chance in after.items())
    assert found.moved == pytest.approx(moved, abs=1e-9)


def test_the_levels_of_care_are_learned_from_what_is_known_of_hands() -> None:
    cards = ("Green, Wrench", "White, Lead Pipe", "Mustard, Revolver", "Green, Wrench")
    hand = "Ben holds Green, White, Mustard, Wrench, Lead Pipe"
    asked = [f"Ben suggests {each}, Kitchen: ?" for each in cards]
    told = f"{NOTES}{hand}\n".replace("viewer: Ann", "viewer: Ben").replace("Ann holds", "# Ann")
    report = Game(parse_record(told + "".join(f"{line}\n" for line in asked))).report()
    assert tuple(level for level, _ in report.levels) == LEVELS
    assert sum(chance for _, chance in report.levels) == pytest.approx(1)
    usual = sum(level * chance for level, chance in report.levels)
    assert usual > sum(level * chance for level, chance in zip(LEVELS, PRIOR, strict=True))
    written = [(each["careful"], each["probability"]) for each in report.to_dict()["levels"]]
    assert written == [(level, pytest.approx(chance)) for level, chance in report.levels]


def test_a_report_and_a_reason_say_what_behaviour_changed() -> None:
    game = notes()
    assert game.report(asks="careful 0.1").moved > 0
    assert game.report(asks="any").moved == 0
    why = game.why("green", "ben", asks="careful 0.1")
    assert game.report(asks="any").probability("Green", "Ben") == pytest.approx(why.by_rules)
    assert "How people usually ask" in str(why)
    assert game.why("green", "ben", asks="any").by_rules is None


@pytest.mark.parametrize(
    ("asks", "told"),
    [
        ("careles", "careful"),
        ("careful 2", "from 0.0001 to 1 after 'careful'; found 2"),
        ("Zoe any", "Ann, Ben, Cat"),
        ("any, careful", "what all do comes first"),
    ],
)
def test_a_model_that_is_none_is_refused(asks: str, told: str) -> None:
    with pytest.raises(ArgumentError, match=told) as found:
        notes().report(asks=asks)
    assert found.value.argument == "asks"


def test_a_wrong_accuser_is_asked_what_the_envelope_held() -> None:
    game = notes("Ann accuses White, Candlestick, Ballroom: wrong")
    expected = "You have opened the envelope. Say what it held, such as “envelope has Green”."
    assert game.advice().text == expected
    told = notes(
        "Ann accuses White, Candlestick, Ballroom: wrong",
        *(f"Ann knows envelope has {card}" for card in ("White", "Wrench", "Ballroom")),
    )
    assert told.advice().text == "It was White, Wrench, Ballroom. That is certain."
