"""What to do now, in one line: a first look, and what a closer one changes of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from clue_solver import Game
from clue_solver.answers.advice import Advice, AskAdvice, Opponent
from clue_solver.answers.decision import closer_look, first_look
from clue_solver.record import parse_record

NOTES = """\
edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann
board: none

Ann holds Plum, Rope, Hall, Study, Knife, Green
Ben suggests White, Wrench, Lounge: Cat passes, Ann passes
"""


@pytest.fixture(scope="module")
def advice() -> Advice:
    return Game(parse_record(NOTES)).adviser().advice()


def asking(advice: Advice, place: int, *, less: float = 0.0, error: float = 0.0) -> Advice:
    """The advice to ask another of its suggestions, which tells so much less than the first."""
    first = advice.suggestions[0]
    other = replace(advice.suggestions[place], gain=first.gain - less, error=error, own=first.own)
    suggestions = tuple(other if each.cards == other.cards else each for each in advice.suggestions)
    ask = AskAdvice(suggestion=other, reason="most")
    return replace(advice, suggestions=suggestions, ask=ask)


def test_a_first_look_says_so_and_a_closer_one_only_where_it_changes_something() -> None:
    game = Game(parse_record(NOTES))
    first, closer = game.decisions()
    assert first.stage == "first"
    assert first.text.startswith("First look: on your turn ask White, Wrench, Lounge; do not accus")
    assert first.to_dict()["stage"] == "first"
    changed = "On a closer look: on your turn ask " if closer.stage else "On your turn ask "
    assert closer.text.startswith(changed)
    assert (closer.stage == "changed") == (closer.ask != first.ask)
    assert replace(closer, stage=None) == game.decision()
    assert "stage" not in game.decision().to_dict()


def test_the_same_looks_come_of_the_same_seed() -> None:
    one, other = (tuple(Game(parse_record(NOTES)).decisions(seed=7)) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("viewer", ["spectator", "Ann"])
def test_what_needs_no_weighing_has_one_look(viewer: str) -> None:
    known = "".join(f"Ann knows envelope has {card}\n" for card in ("White", "Wrench", "Lounge"))
    game = Game(parse_record(NOTES + (known if viewer == "Ann" else "")))
    assert [*game.decisions(viewer=viewer)] == [game.decision(viewer=viewer)]


def test_a_first_look_accuses_nothing_that_is_not_certain(advice: Advice) -> None:
    accusing = replace(advice, accuse=replace(advice.accuse, advice="accuse"))
    assert first_look(accusing).kind == "ask"
    changed = closer_look(accusing, advice)
    assert (changed.kind, changed.stage) == ("accuse", "changed")
    assert changed.text.startswith("On a closer look: accuse on your turn")


def test_what_tells_as_much_within_the_error_stays(advice: Advice) -> None:
    first = asking(advice, 3)
    for less, error, stage in ((0.004, 0.0, None), (0.1, 0.06, None), (0.1, 0.0, "changed")):
        whole = replace(asking(advice, 3, less=less, error=error), ask=asking(advice, 0).ask)
        found = closer_look(whole, first)
        assert found.stage == stage
        assert found.ask == (advice.suggestions[3 if stage is None else 0].cards)


def test_who_may_know_is_news_beyond_the_error(advice: Advice) -> None:
    def knowing(knows: float, error: float) -> Advice:
        return replace(advice, opponents=(Opponent(seat="Ben", knows=knows, error=error),))

    for knows, stage in ((0.5, None), (0.7, "changed")):
        found = closer_look(knowing(knows, 0.03), knowing(0.4, 0.09))
        assert found.stage == stage
        assert f"Ben may know: {100 * knows:.0f} %" in found.text
