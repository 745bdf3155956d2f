"""What people usually do: what it moves, what it never moves, and how it is told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from clue_solver import ArgumentError, Game, load, parse_record
from clue_solver.errors import ClueError
from clue_solver.faces.cli import main
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.evidence import LEVELS, PRIOR
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.rules.observations import Suggestion
from clue_solver.testing import Played, games, played
from tests.twin import answers

GAMES = Path(__file__).resolve().parents[1] / "games"
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


def test_who_asks_for_a_card_is_less_likely_to_hold_it() -> None:
    by_rules, careful, adaptive = (
        notes().report(asks=asks) for asks in ("any", "careful 0.1", "adaptive")
    )
    for card in ("Green", "Wrench"):
        chances = [r.probability(card, "Ben") for r in (by_rules, adaptive, careful)]
        assert sorted(chances, reverse=True) == chances
        assert by_rules.probability(card, "envelope") < careful.probability(card, "envelope")
    # where the room one stands in is asked for, it tells nothing by itself; named freely it does
    freely = notes(board="none").report(asks="careful 0.1")
    assert freely.probability("Kitchen", "Ben") < careful.probability("Kitchen", "Ben")


def test_a_wrong_accuser_holds_most_likely_none_of_the_cards() -> None:
    game = notes("Dan accuses White, Candlestick, Ballroom: wrong")
    before, after = (game.report(asks=asks) for asks in ("any", "adaptive"))
    for card in ("White", "Candlestick", "Ballroom"):
        assert after.probability(card, "Dan") < 0.2 * before.probability(card, "Dan")


@given(games(), st.sampled_from(("any", "careful 0.02", "adaptive")))
def test_behaviour_moves_numbers_and_no_marks(game: Game, asks: str) -> None:
    by_rules, found = game.report(asks="any"), game.report(asks=asks)
    assert by_rules.deals == found.deals
    assert (by_rules.verdicts == found.verdicts).all()
    assert {each.cards for each in by_rules.solutions} == {each.cards for each in found.solutions}
    assert asks == found.asks
    assert found.moved == 0 or asks != "any"


@given(games(), st.sampled_from(("careful 0.1", "adaptive", "adaptive, Ann any")))
def test_the_bits_behaviour_changed_are_the_divergence_of_the_two_posteriors(
    game: Game, asks: str
) -> None:
    by_rules, found = (dict(game.report(asks=each).solutions) for each in ("any", asks))
    expected = sum(p * np.log2(p / by_rules[cards]) for cards, p in found.items())
    assert expected == pytest.approx(game.report(asks=asks).moved, abs=1e-9)


def test_the_levels_of_care_are_learned_from_what_is_known_of_hands() -> None:
    cards = ("Green, Wrench", "White, Lead Pipe", "Mustard, Revolver", "Green, Wrench")
    hand = "Ben holds Green, White, Mustard, Wrench, Lead Pipe"
    asked = [f"Ben suggests {each}, Kitchen: ?" for each in cards]
    told = f"{NOTES}{hand}\n".replace("viewer: Ann", "viewer: Ben").replace("Ann holds", "# Ann")
    game = Game(parse_record(told + "".join(f"{line}\n" for line in asked)))
    report = game.report()
    assert LEVELS == tuple(level for level, _ in report.levels)
    assert 1 == pytest.approx(sum(chance for _, chance in report.levels))
    usual = sum(level * chance for level, chance in report.levels)
    assert usual > sum(level * chance for level, chance in zip(LEVELS, PRIOR, strict=True))
    assert [{"careful": a, "probability": b} for a, b in report.levels] == report.to_dict()[
        "levels"
    ]


def test_a_report_and_a_reason_say_what_behaviour_changed() -> None:
    game = notes()
    assert "asks: careful 0.1; solution changed by" in str(game.report(asks="careful 0.1"))
    assert "asks:" not in str(game.report(asks="any"))
    why = game.why("green", "ben", asks="careful 0.1")
    assert game.report(asks="any").probability("Green", "Ben") == pytest.approx(why.by_rules)
    assert "What people usually do" in str(why)
    assert game.why("green", "ben", asks="any").by_rules is None


@pytest.mark.parametrize(
    ("asks", "told"),
    [
        ("careles", "careful"),
        ("careful 2", "above 0 and at most 1"),
        ("Zoe any", "Ann, Ben, Cat"),
        ("any, careful", "what all do comes first"),
    ],
)
def test_a_model_that_is_none_is_refused(asks: str, told: str) -> None:
    with pytest.raises(ArgumentError, match=told) as found:
        notes().report(asks=asks)
    assert found.value.argument == "asks"
    path = str(GAMES / "textbook.clue")
    done = CliRunner().invoke(main, ["report", path, "--asks", asks])
    assert done.exit_code == 2


def test_a_formula_is_of_any_unless_careful_is_asked_for() -> None:
    game = notes()
    assert game.dimacs(asks="any") == game.dimacs()
    careful = game.dimacs(asks="careful 0.3")
    assert careful != game.dimacs()
    assert "c How the players ask moves the weights as well: careful 0.3." in careful
    assert careful == notes(asks="careful 0.3").dimacs()
    with pytest.raises(ClueError, match="cannot be learned"):
        game.dimacs(asks="adaptive")
    with pytest.raises(ClueError, match="cannot be learned"):
        notes(asks="adaptive").dimacs()


def test_the_command_line_takes_the_text_of_the_header() -> None:
    path = str(GAMES / "textbook.clue")
    for command in (["report"], ["advise"], ["check"], ["why", "hall", "envelope"]):
        where = [path] if command[0] != "why" else []
        words = [command[0], path, *command[1:]] if not where else [*command, path]
        done = CliRunner().invoke(main, [*words, "--asks", "careful 0.3", "--json", "--upto", "9"])
        assert done.exit_code == 0, done.output
    done = CliRunner().invoke(main, ["report", path, "--asks", "careful, Ann any", "--json"])
    assert "careful, Ann any" == json.loads(done.output)["asks"]
    assert "adaptive" == load(path).report().to_dict()["asks"]


def test_a_wrong_accuser_is_asked_what_the_envelope_held() -> None:
    game = notes("Ann accuses White, Candlestick, Ballroom: wrong")
    assert "You have opened the envelope: say what it held" in game.decision().text
    told = notes(
        "Ann accuses White, Candlestick, Ballroom: wrong",
        *(f"Ann knows envelope has {card}" for card in ("White", "Wrench", "Ballroom")),
    )
    assert "The solution: White, Wrench, Ballroom (certain)" == told.decision().text


def test_nobody_asks_again_for_the_card_it_was_shown() -> None:
    shown = "Ben suggests Mustard, Revolver, Ballroom: Cat shows"

    def ballroom(again: str, asks: str = "careful 0.1", **header: str) -> float:
        game = notes(shown, f"Ben suggests {again}: ?", **header, asks=asks)
        table, log = game.table, game.observations
        known = knowledge_of(table, log, viewer=table.viewer, again=True)
        chances = Deduction(known).diagram(len(log)).marginals()
        return float(chances[table.cards.index("Ballroom"), table.holders.index("Cat")])

    free = {"board": "none"}
    others, all_of_them = "Mustard, Revolver, Kitchen", "Mustard, Revolver, Ballroom"
    assert ballroom(others, **free) > ballroom(all_of_them, **free) + 0.1
    assert ballroom(others, **free) > ballroom(others, "any", **free)
    # on a board one names the room one stands in, so that tells nothing
    assert ballroom("White, Knife, Ballroom") == pytest.approx(ballroom("White, Knife, Kitchen"))
    assert ballroom(others) > ballroom("White, Knife, Kitchen")


@settings(max_examples=50)
@given(played(), st.data())
def test_asking_again_is_weighed_as_deal_by_deal(game: Played, data: st.DataObject) -> None:
    record = game.record
    made = [each for each in record.observations if isinstance(each, Suggestion)]
    assume(made)
    first = data.draw(st.sampled_from(made))
    kinds = record.table.edition.category
    for _ in range(data.draw(st.integers(1, 2))):
        changed = data.draw(st.sampled_from(first.cards))
        kind = next(kind for kind in kinds if changed in {card.name for card in kind.cards})
        other = data.draw(st.sampled_from([card.name for card in kind.cards]))
        cards = tuple(other if card == changed else card for card in first.cards)
        record = record.append(Suggestion(by=first.by, cards=cards, answers=()))
    viewer = data.draw(st.sampled_from((None, *record.table.seats)))
    table, log = record.table, record.observations
    oracle = answers(log, table, viewer, table.policy, again=True)
    known = knowledge_of(table, log, viewer=viewer, again=True)
    found = Deduction(known).diagram(len(log)).marginals()
    for place, card in enumerate(table.cards):
        for holder, name in enumerate(table.holders):
            expected = float(oracle.probability[card][name])
            assert expected == pytest.approx(found[place, holder], abs=1e-9)
