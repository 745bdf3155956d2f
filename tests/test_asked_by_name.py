"""Names that a person gives from Python: every call understands them as a line of a record does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clue_solver import Game, NotationError, load
from clue_solver.conversation.session import Session
from clue_solver.exchange.export import export_pad
from clue_solver.rules.observations import Accusation
from tests.test_errors import CLASSIC

GAME = load(CLASSIC)
SHORT = Game(GAME.record.upto(4))
SOLUTION = next(
    each.cards for each in GAME.observations if isinstance(each, Accusation) and each.right
)
REVIEW = SHORT.review(solution=[card.lower() for card in SOLUTION], sample=100)


def test_every_call_understands_short_names() -> None:
    report = GAME.report(viewer="ben", upto=9)
    assert report.viewer == "Ben"
    assert report.verdict("hall", "cat") == report.verdict("Hall", "Cat")
    assert report.probability("lead", "ENV") == report.probability("Lead Pipe", "envelope")
    assert {GAME.report(viewer=name).viewer for name in ("Spectator", "spec")} == {"spectator"}
    for card in ("hall", "mus", "the lead-pipe", "col mustard", "bill"):
        assert GAME.why(card, "ben", upto=9).verdict == GAME.report(upto=9).verdict(card, "ben")
    assert Session(GAME.record).game.report(viewer="cat").viewer == "Cat"
    assert export_pad(GAME, viewer="cat") == export_pad(GAME, viewer="Cat")
    assert REVIEW.seat("ben") is REVIEW.seats[1]
    assert REVIEW.solution == SOLUTION


def test_advice_takes_rooms_one_by_one_or_as_a_text() -> None:
    one_by_one = GAME.advice(viewer="cat", upto=14, rooms=["hall", "Study"])
    assert GAME.advice(viewer="Cat", upto=14, rooms="Hall, study") == one_by_one
    assert {each.cards[2] for each in one_by_one.suggestions if each.reach} == {"Hall", "Study"}


CALLS: dict[str, Callable[[Game, str], object]] = {
    "report": lambda game, name: game.report(viewer=name),
    "why, card": lambda game, name: game.why(name, "Ben"),
    "why, holder": lambda game, name: game.why("Hall", name),
    "why, viewer": lambda game, name: game.why("Hall", "Ben", viewer=name),
    "check": lambda game, name: game.check(viewer=name),
    "advice": lambda game, name: game.advice(viewer=name),
    "advice, rooms": lambda game, name: game.advice(rooms=[name]),
    "advice, at": lambda game, name: game.advice(at=name),
    "dimacs": lambda game, name: game.dimacs(viewer=name),
    "suppose": lambda game, name: game.suppose(f"{name} has Rope"),
    "review": lambda game, name: game.review(solution=[name, "Rope", "Hall"]),
    "review, seat": lambda _, name: REVIEW.seat(name),
    "verdict, card": lambda game, name: game.report().verdict(name, "Ben"),
    "probability, holder": lambda game, name: game.report().probability("Hall", name),
    "session": lambda game, name: Session(game.record).game.report(viewer=name),
    "pad": lambda game, name: export_pad(game, viewer=name),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_name_that_nobody_has_is_a_notation_error(call: Callable[[Game, str], object]) -> None:
    for name in ("Zzyzx", "", "\x1b[31m", "b" * 100_000):
        with pytest.raises(NotationError) as caught:
            call(SHORT, name)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 500
