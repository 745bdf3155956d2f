"""What is published of the benchmarks is what the results say; the ways compared are right."""

from __future__ import annotations

import doctest
import operator
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from clue_solver import Game, parse_record
from clue_solver.inference.solutions import Solutions
from clue_solver.record import Record
from tests.strategies import games

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

import accuracy  # noqa: E402
import asking  # noqa: E402
import deduction  # noqa: E402
import hardest  # noqa: E402
import limited  # noqa: E402
import methods  # noqa: E402
import positions  # noqa: E402
import readme  # noqa: E402
import ways  # noqa: E402
from compare import Case  # noqa: E402
from simulate import random_game  # noqa: E402

from clue_solver.inference.propagation import propagate  # noqa: E402
from clue_solver.knowledge.clauses import card_numbers  # noqa: E402


def position(turns: int, edition: str = "clue-diced") -> positions.Position:
    game = random_game(edition, 3, turns=turns, seed=5)
    return game.table, game.observations, game.table.viewer


def test_readme_page_and_figures_say_what_the_results_say() -> None:
    assert list(readme.disagreements()) == []


@pytest.mark.parametrize("name", ["README.md", readme.SITE])
def test_a_changed_figure_is_noticed(name: str, tmp_path: Path) -> None:
    whole = (ROOT / "README.md").read_text("utf-8")
    texts = {readme.PAGE: readme.page(), readme.SITE: readme.site(), "README.md": whole}
    start = whole.index(readme.BEGIN) if name == "README.md" else 0
    texts[name] = texts[name][:start] + texts[name][start:].replace(" ms", " s", 1)
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    (found,) = readme.disagreements(tmp_path)
    assert found.startswith(name)


@pytest.mark.parametrize("name", ["deduction", "positions", "random_tables", "results", "scaling"])
def test_examples_in_the_benchmarks_hold(name: str) -> None:
    outcome = doctest.testmod(import_module(name))
    assert outcome.attempted
    assert not outcome.failed


@pytest.mark.parametrize("turns", [4, 20])
@pytest.mark.parametrize("name", ["PySDD", "python-sat models", "naive twin"])
def test_ways_that_count_all_deals_find_the_exact_chances(name: str, turns: int) -> None:
    chances, deals = methods.exact(position(turns))
    assert deals > 0
    assert methods.METHODS[name](position(turns)) == pytest.approx(chances, abs=1e-12)


@pytest.fixture(scope="module")
def sheet() -> list[dict[str, Any]]:
    return deduction.sheets(0, Case("Diced", "5", "early", position(4)))


def test_a_sheet_has_a_row_for_each_way_and_none_tells_what_is_not_so(
    sheet: list[dict[str, Any]],
) -> None:
    assert [row["method"] for row in sheet] == list(ways.WAYS)
    assert {row["false"] for row in sheet} == {0}


def test_who_is_complete_finds_every_fact_and_who_counts_all_deals_the_exact_envelope(
    sheet: list[dict[str, Any]],
) -> None:
    rules = {"pencil and paper", "unit propagation"}
    marks = {*rules, "python-sat, cell by cell"}
    complete = {row["method"] for row in sheet if row["found"] == row["forced"]}
    exact = {row["method"] for row in sheet if row["most_off"] < 1e-12}
    assert complete >= set(ways.WAYS) - rules
    assert exact == set(ways.WAYS) - marks


def test_the_table_of_sheets_says_how_fast_how_complete_and_how_exact(
    sheet: list[dict[str, Any]],
) -> None:
    head, _, diagram, *lines = deduction.table({"rows": sheet}).splitlines()
    columns = "way | time, median | 95th percentile | facts found | told falsely | "
    columns += "envelope off, mean | at most | positions | gave up"
    assert head == f"| {columns} |"
    assert diagram.startswith("| deal diagram | 1 (")
    assert len(lines) == len(ways.WAYS) - 1


def test_a_fact_that_is_not_so_and_a_chance_on_a_wrong_card_are_noticed() -> None:
    layout = Game(random_game("clue-diced", 3, turns=0, seed=1)).deduction.knowledge.layout
    truth = methods.diagram(position(4))
    told = np.where((truth > 0) & (truth < 1), np.nan, truth)
    told[tuple(np.argwhere(np.isnan(told))[0])] = 0.0
    found = deduction.compared(told, truth, layout)
    assert found["false"] == 1
    assert found["found"] == found["forced"] == ((truth == 0) | (truth == 1)).sum()
    first, second, *_ = card_numbers(layout.categories[0])
    truth[:, -1] = 0.0
    truth[[first, second], -1] = 0.5
    told = truth.copy()
    told[[first, second], -1] = 0.75, 0.25
    assert deduction.compared(told, truth, layout)["most_off"] == pytest.approx(0.25)


def test_a_way_that_needs_what_is_not_there_is_left_out_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ways, "find_spec", {}.get)
    fast = {ways.MACHINE_CODE, f"{ways.MACHINE_CODE}, many in a call"}
    assert set(ways.WAYS) - set(ways.there()) == {*fast, "PySDD"}
    picture = "Left out: picture (pip install '.[benchmark]' brings matplotlib)."
    assert ways.missing()["picture"] == picture


@pytest.mark.parametrize("way", [methods.rejected, methods.rejected_placed])
def test_dealing_at_random_comes_near_the_exact_chances(way: Callable[[Any], Any]) -> None:
    chances, _ = methods.exact(position(4))
    assert way(position(4)) == pytest.approx(chances, abs=0.05)


LARGE = position(2, "clue-classic")


@pytest.mark.parametrize("way", [methods.compiled, methods.enumerated])
def test_a_slow_way_gives_up_when_its_time_is_over(way: Callable[..., Any]) -> None:
    with pytest.raises(limited.GaveUp, match="time"):
        way(LARGE, seconds=-1.0)


@pytest.mark.parametrize(
    ("do", "asked", "warm", "why"),
    [
        (sum, range(10**12), [], "time"),
        (bytearray, 3 << 30, 1, "memory"),
        (methods.listed, LARGE, position(0), f"more than {methods.MOST_LISTED:,} deals to list"),
    ],
)
def test_work_beyond_its_limits_gives_up(
    do: Callable[[Any], Any], asked: Any, warm: Any, why: str
) -> None:
    work = limited.Work(do, asked, warm, positions.forget)
    outcome = limited.limited(work, seconds=1.0, memory=2 << 30)
    assert tuple(outcome) == (None, None, None, why)


def test_work_within_its_limits_is_measured_and_an_error_in_it_is_raised() -> None:
    work = limited.Work(bytearray, 64 << 20, 1, positions.forget)
    value, seconds, held, gave_up = limited.limited(work, seconds=20.0, memory=2 << 30)
    assert (len(value), gave_up) == (64 << 20, "")
    assert seconds is not None
    assert held is not None
    assert 0 < seconds < 20
    assert (64 << 20) * 0.9 < held < 512 << 20
    with pytest.raises(TypeError):
        limited.limited(work._replace(do=operator.index, asked="one"), seconds=20.0, memory=2 << 30)


@given(games())
def test_rules_rule_out_nothing_that_can_be(game: Game) -> None:
    complete = game.deduction
    possible = complete.possible(complete.knowledge.entries)
    counting = propagate(complete.knowledge, counting=True)
    plain = propagate(complete.knowledge, counting=False)
    for can, rules, fewer in zip(possible, counting, plain, strict=True):
        assert can & rules == can
        assert rules & fewer == rules


def test_a_counted_hand_tells_more_than_its_clauses() -> None:
    text = "edition: clue-diced\nplayers: Ann, Ben\nhands: 8, 2\nviewer: Ann\n\n"
    text += "Ann knows Ben has Brains Plum\nAnn knows Ben has Brawn Plum\n"
    knowledge = Game(parse_record(text)).deduction.knowledge
    ben = 0b010
    counted, plain = (propagate(knowledge, counting=each) for each in (True, False))
    assert counted.count(ben) == sum(bool(mask & ben) for mask in counted) == 2
    assert sum(bool(mask & ben) for mask in plain) == knowledge.layout.cards


def test_the_search_ends_with_a_true_log_that_is_harder_than_random_ones() -> None:
    shape = hardest.Shape(15, 3, "player", 40)
    (table, seen, viewer), most, usual = hardest.climbed((shape, "test"))
    record = Record(table=table)
    for observation in seen:
        record = record.append(observation)
    assert Game(record).check().consistent
    assert positions.worked_out((table, seen, viewer)).arrows_in_all == most > usual


def test_the_truth_known_costs_nothing_and_an_even_guess_its_bits() -> None:
    truth = np.array([0, 1, 2])
    assert accuracy._card_scores(np.eye(3), (0, 1, 2), truth) == (0, 0, 0)
    even = np.full((3, 4), 0.25)
    assert accuracy._card_scores(even, (0, 2), truth) == pytest.approx((2, 0.75, 0))


def test_a_case_is_scored_by_the_chance_of_the_true_solution() -> None:
    layout = Game(random_game("clue-classic", 3, turns=0, seed=1)).deduction.knowledge.layout
    truth = np.zeros(layout.cards, int)
    truth[[0, 6, 12]] = layout.envelope
    cases = Solutions(np.array([[0, 6, 12], [1, 6, 12]]), np.array([0.25, 0.75]))
    entropy = 2 - 0.75 * np.log2(3)
    scores = accuracy._case_scores(cases, truth, layout)
    assert scores == pytest.approx((2, 2 * 0.75**2, 2 - entropy))


def test_one_diagram_answers_for_every_level_of_care() -> None:
    dealt, log = asking.simulated(0.3, board=False, seats=4, rounds=2, seed="test")
    record = Record(table=dealt.table)
    for observation in log:
        record = record.append(observation)
    game = Game(record)
    deduction = game.deduction
    found = asking._read(deduction.diagram(len(log)), deduction.knowledge.layout)
    policies = ("adaptive", "careful 0.02", "careful 0.25", "careful 0.55", "any")
    for each, asks in zip(found, policies, strict=True):
        expected = {s.cards: s.probability for s in game.report(asks=asks).solutions}
        names = np.array(dealt.table.cards)[each.cards].tolist()
        told = dict(zip(map(tuple, names), each.probability.tolist(), strict=True))
        assert told == pytest.approx(expected)
