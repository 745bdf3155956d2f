"""Long logs beside an enumeration of all their deals: every number, by every way to ask for it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace

from clue_solver import Game, load
from clue_solver.inference.batch import evaluate
from clue_solver.record.contents import Record
from clue_solver.record.header import with_key
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import load_edition
from tests.inference.test_batch import moments
from tests.random_games import TWELVE, long_game
from tests.twin import LongOracle, long_answers

HARD = Path(__file__).resolve().parents[2] / "games" / "hard"
CLASSIC = load_edition("clue-classic")
MIXED = "careful 0.5, Ann any, Ben adaptive"


class Long(NamedTuple):
    """A log: of whom, how many questions each of them asks, how much is heard, by what policy."""

    edition: Edition
    seats: int
    viewer: str | None
    questions: int
    heard: float
    careless: float
    asks: str

    @property
    def game(self) -> Game:
        """The game, of which somebody else saw nothing but what is public."""
        record = long_game(
            self.edition,
            self.seats,
            questions=self.questions,
            heard=self.heard,
            careless=self.careless,
            seed=7,
        )
        entries = record.entries if self.viewer else record.entries[1:]
        table = replace(record.table, viewer=self.viewer)
        return Game(Record(table=table, entries=entries))


LOGS = {
    "forty": None,  # the recorded game
    "2 spectator 20 unheard": Long(CLASSIC, 2, None, 20, 0.0, 0.0, "adaptive"),
    "2 spectator 100 unheard": Long(CLASSIC, 2, None, 100, 0.0, 0.3, "adaptive"),
    "3 player 40 careful": Long(CLASSIC, 3, "Ann", 40, 0.02, 0.3, "careful 0.0001"),
    "3 player 60 unheard": Long(CLASSIC, 3, "Ann", 60, 0.0, 0.1, "adaptive"),
    "3 player 100 heard": Long(CLASSIC, 3, "Ann", 100, 0.05, 0.6, "careful"),
    "4 player 40 mixed": Long(CLASSIC, 4, "Ann", 40, 0.02, 0.3, MIXED),
    "3 player 80 unheard": Long(CLASSIC, 3, "Ann", 80, 0.0, 0.0, "adaptive"),
    "3 spectator 20 any": Long(TWELVE, 3, None, 20, 0.05, 0.0, "any"),
    "3 spectator 60 mixed": Long(TWELVE, 3, None, 60, 0.0, 0.6, MIXED),
    "3 spectator 100 careful": Long(TWELVE, 3, None, 100, 0.0, 0.9, "careful 0.02"),
}


def told(name: str) -> tuple[Game, str]:
    """Return a log and its policy."""
    log = LOGS[name]
    if log is None:
        return load(HARD / "questions-2-forty.clue"), "adaptive"
    return log.game, log.asks


def enumerated(game: Game, asks: str) -> LongOracle:
    """Return what all deals say."""
    table = with_key(game.table, "asks", asks)
    return long_answers(game.observations, table, game.table.viewer)


@pytest.mark.long(keep=5)
@pytest.mark.parametrize("name", LOGS)
def test_a_long_log_says_what_all_deals_say(name: str) -> None:
    game, asks = told(name)
    exact, report = enumerated(game, asks), game.report(asks=asks)
    assert exact.deals == report.deals
    assert not report.left_out
    assert exact.probability == pytest.approx(report.probabilities, abs=1e-9)
    assert exact.solutions == pytest.approx(dict(report.solutions), abs=1e-9)
    assert exact.bits == pytest.approx(report.bits, abs=1e-9)
    levels = game.seen(asks=asks).deduction.diagram(len(game.observations)).level_chances
    if len(levels) == len(exact.levels):
        assert exact.levels == pytest.approx(levels, abs=1e-9)
    for fast in (False, True):
        whole = evaluate(moments(game, len(game.observations), asks=asks), fast=fast)
        assert [exact.deals] == whole.deals.tolist()
        assert len(exact.solutions) == np.count_nonzero(whole.solutions[0])
        assert exact.probability == pytest.approx(whole.marginals[0], abs=1e-9)
        assert exact.bits == pytest.approx(whole.bits[0], abs=1e-9)


@pytest.mark.parametrize("heard", [0.0, 1.0])
@pytest.mark.parametrize(
    "asks", ["any", "careful", "careful 0.0001", "careful 1", "adaptive", MIXED]
)
def test_ten_thousand_lines_are_counted_without_a_warning(heard: float, asks: str) -> None:
    game = Long(CLASSIC, 4, "Ann", 2_500, heard, 0.3, "").game
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = game.report(asks=asks)
        whole = evaluate(moments(game, len(game.observations), asks=asks))
    assert np.isfinite(report.probabilities).all()
    assert [report.deals] == whole.deals.tolist()
    assert report.verdicts.tolist() == whole.verdicts[0].tolist()
    assert (report.verdicts == 2).tolist() == (report.probabilities == 0).tolist()
    assert report.probabilities == pytest.approx(whole.marginals[0], abs=1e-9)
    assert report.bits == pytest.approx(whole.bits[0], abs=1e-9)


@pytest.mark.parametrize("asks", ["adaptive", "careful", MIXED])
def test_every_command_says_the_same_of_a_position_that_is_nearly_too_large(asks: str) -> None:
    game = load(HARD / "questions-8-eleven.clue")
    games = [Game(game.record.upto(entry)) for entry in (0, 4, 7, 8)]
    asked = moments(game, 0, 4, 7, 8, asks=asks)
    found = [evaluate(asked, fast=fast) for fast in (False, True)]
    for place, each in enumerate(games):
        report = each.report(asks=asks)
        card, holder = report.cards[0], "Ann"
        assert report.probability(card, holder) == pytest.approx(
            each.why(card, holder, asks=asks).probability, abs=1e-12
        )
        for whole in found:
            assert report.left_out == whole.left_out[place]
            assert report.deals == whole.deals[place]
            assert report.verdicts.tolist() == whole.verdicts[place].tolist()
            assert report.probabilities == pytest.approx(whole.marginals[place], abs=1e-12)
            assert report.bits == pytest.approx(whole.bits[place], abs=1e-9)
