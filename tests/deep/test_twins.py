"""
Long logs beside an enumeration of all their deals: every number, by every way to ask for it.

Many positions in one call: what machine code says beside what the diagram says.
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Game, load, shipped_editions
from clue_solver.inference.batch import evaluate
from clue_solver.inference.diagram import MOST
from clue_solver.inference.positions import AT_LEAST_ONE, Positions
from clue_solver.knowledge.clauses import Clause, Factor, Layout
from clue_solver.knowledge.policies import LEVELS
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.record.contents import Record
from clue_solver.record.header import with_key
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.table import ANY, SHOWS, Asks, Shows
from tests.inference.test_twins import EXAMPLES, LAYOUT, ends, known, moments, same
from tests.random_games import TWELVE, long_game, random_game
from tests.strategies import games
from tests.twin import LongOracle, long_answers

machine_code = pytest.importorskip("clue_solver.inference.machine_code")
GAMES = Path(__file__).resolve().parents[1] / "games"
HARD = GAMES / "hard"
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


def agreed(asked: Positions, *, fast: bool = True) -> None:
    """Both say the same, machine code of every position or of none."""
    found = evaluate(asked)
    assert (found.compiled == fast).all()
    same(evaluate(asked, fast=False), found)


@pytest.mark.parametrize("asks", [ANY, (Asks(model="adaptive"),)], ids=["any", "adaptive"])
@given(st.data(), games(), st.sampled_from(SHOWS))
def test_machine_code_says_what_the_diagram_says(
    asks: tuple[Asks, ...], data: st.DataObject, game: Game, shows: Shows
) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    table, log = replace(game.table, shows=shows, asks=asks), game.observations
    asked = [knowledge_of(table, log[:upto], viewer=viewer) for upto in range(len(log) + 1)]
    found = evaluate(ends(asked))
    same(evaluate(ends(asked), fast=False), found)
    if not table.dealt_sizes() and len(table.edition.category) <= machine_code.MOST_OPEN:
        assert found.compiled.all()


@pytest.mark.long(keep=6)
@pytest.mark.parametrize("edition", shipped_editions())
@pytest.mark.parametrize("shows", SHOWS)
def test_every_shipped_edition_from_the_first_entry_to_the_last(edition: str, shows: Shows) -> None:
    record = random_game(edition, 3, turns=10, seed=1)
    for viewer, first in ((record.table.seats[0], 0), (None, 6)):
        upto = range(first, len(record.observations) + 1, 2)
        agreed(known(record, viewer, *upto, shows=shows))


def test_counts_have_any_size() -> None:
    """
    Ten players of whom nothing is known; sixty cards, ten hands that nobody knows: 57!, shared
    out, times 20**3.
    """
    ten = known(random_game("master-detective", 10, turns=2, seed=2), None, 0)
    kinds = tuple(((1 << 20) - 1) << 20 * number for number in range(3))
    bounds = ((6, 6),) * 7 + ((5, 5),) * 3
    sixty = Positions(Layout(cards=60, seats=10, categories=kinds, bounds=bounds), 1)
    for asked, least in ((ten, 2**80), (sixty, 2**144)):
        agreed(asked, fast=False)
        assert evaluate(asked).deals[0] > least


def test_four_open_categories_and_dealt_sizes_are_handed_over() -> None:
    kinds = (0b11, 0b11 << 2, 0b11 << 4, 0b111 << 6)
    layout = Layout(cards=9, seats=2, categories=kinds, bounds=((2, 3), (2, 3)))
    asked = Positions(replace(layout, bounds=((2, 2), (3, 3))), 2)
    for cards in (0b10101, 0b1100001):
        asked.learn(1, [Clause((1,), 0, cards, True)], [])
    agreed(asked, fast=False)
    for position in range(2):
        asked.learn(position, [Clause((2,), 2, 1, True)], [])
    agreed(asked)
    agreed(Positions(replace(layout, joint_sizes=((2, 3), (3, 2))), 1), fast=False)


def test_rows_of_every_kind_true_or_not_are_what_their_clauses_are() -> None:
    random, asked = Random(1), Positions(LAYOUT, 256)
    for position in range(256):
        for _ in range(random.randint(0, 8)):
            holder, several = random.randrange(4), random.sample(range(9), random.randint(1, 3))
            cards = sum(1 << card for card in several)
            weights = (1.0, 0.5, 0.25, 0.25)[: len(several) + 1]
            match random.randrange(6):
                case 0:
                    lacks = [Clause((1,), holder, 1 << card, False) for card in several]
                    asked.learn(position, lacks, [])
                case 1:
                    asked.learn(position, [Clause((1,), holder, cards & -cards, True)], [])
                case 2:
                    asked.learn(position, [Clause((1,), holder, cards, False)], [])
                case 3:
                    asked.learn(position, [], [Factor(1, holder, cards, (weights,))])
                case _:
                    asked.learn(position, [Clause((1,), holder, cards, True)], [])
    agreed(asked)
    found = evaluate(asked)
    assert 20 < found.consistent.sum() < 236
    assert np.isnan(found.marginals[~found.consistent]).all()


def test_weights_too_far_apart_for_floats_are_handed_over() -> None:
    asked = Positions(LAYOUT, 1)
    asked.learn(0, [], [Factor(1, 0, 0b11, ((1.0, 0.01, 0.01),))] * 200)
    agreed(asked, fast=False)


COMPILING = """
import sys
from clue_solver import load_all
known = load_all(sys.argv[1]).evaluate()
print(known.deals[0])
"""


def test_who_has_to_wait_for_machine_code_is_told_once_and_what_for(tmp_path: Path) -> None:
    words = [sys.executable, "-c", COMPILING, str(EXAMPLES / "evening.clue")]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    told = "Compiling machine code for many positions: about 15 s, only once on this computer.\n"
    for said in (told, ""):
        ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        assert (ran.stdout, ran.stderr) == ("3\n", said)


def test_machine_code_takes_nothing_from_other_files_of_the_program() -> None:
    """So numba, which watches that file, compiles anew whatever changes; constants stand twice."""
    assert "clue_solver" not in Path(machine_code.__file__).read_text("utf-8")
    assert machine_code.AT_LEAST_ONE == AT_LEAST_ONE
    assert len(LEVELS) == machine_code.LEVEL_COUNT
    assert machine_code.BELOW_ONE == MOST


def test_no_positions_are_evaluated_to_nothing() -> None:
    assert evaluate(Positions(LAYOUT, 0)).solutions.shape == (0, 3, 3, 3)
