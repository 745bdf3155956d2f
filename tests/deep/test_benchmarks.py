"""What is published of the benchmarks is what the results say; the ways compared are right."""

from __future__ import annotations

import doctest
import stat
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from clue_solver import Game, parse_record
from clue_solver.inference.propagation import propagate
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.record import Record
from tests.random_games import random_game
from tests.strategies import games

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

import accuracy  # noqa: E402
import deduction  # noqa: E402
import publish  # noqa: E402
import scaling  # noqa: E402
from positions import Case, Position, worked_out  # noqa: E402


def position(turns: int, edition: str = "clue-diced") -> Position:
    game = random_game(edition, 3, turns=turns, seed=5)
    return Position(game.table, game.observations, game.table.viewer)


def test_readme_page_and_pictures_say_what_the_results_say() -> None:
    assert list(publish.disagreements()) == []


@pytest.mark.parametrize("name", ["README.md", publish.PAGE])
def test_a_changed_figure_is_noticed(name: str, tmp_path: Path) -> None:
    whole = (ROOT / "README.md").read_text("utf-8")
    texts = {publish.PAGE: publish.page(), "README.md": whole}
    start = whole.index(publish.BEGIN) if name == "README.md" else 0
    texts[name] = texts[name][:start] + texts[name][start:].replace(" ms", " s", 1)
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    (found,) = publish.disagreements(tmp_path)
    assert found.startswith(name)


@pytest.mark.parametrize("name", ["deduction", "positions", "publish"])
def test_examples_in_the_benchmarks_hold(name: str) -> None:
    outcome = doctest.testmod(import_module(name))
    assert outcome.attempted
    assert not outcome.failed


@pytest.mark.parametrize("turns", [4, 20])
@pytest.mark.parametrize("way", [deduction.by_compilation, deduction.by_models])
def test_ways_that_count_all_deals_find_the_exact_chances(
    way: Callable[..., Any], turns: int
) -> None:
    chances = deduction.by_diagram(position(turns))
    assert way(position(turns), seconds=np.inf) == pytest.approx(chances, abs=1e-12)


def test_every_way_has_a_row_none_tells_what_is_not_so_and_the_complete_find_all() -> None:
    rows = deduction.sheets(0, Case("Diced", "5", "early", position(4)))
    assert [row["way"] for row in rows] == list(deduction.WAYS)
    assert {row["false"] for row in rows} == {0}
    rules = {deduction.COUNTED, deduction.PLAIN}
    complete = {row["way"] for row in rows if row["found"] == row["forced"]}
    exact = {row["way"] for row in rows if row["most_off"] < 1e-12}
    assert complete >= set(deduction.WAYS) - rules
    assert exact == set(deduction.WAYS) - rules - {"python-sat, cell by cell"}


def test_a_fact_that_is_not_so_and_a_chance_on_a_wrong_card_are_noticed() -> None:
    layout = position(4).known().layout
    truth = deduction.by_diagram(position(4))
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
    monkeypatch.setattr(deduction, "find_spec", {}.get)
    assert set(deduction.left_out()) == {deduction.MACHINE_CODE, deduction.PYSDD}
    brings = "Left out: PySDD (pip install '.[benchmark]' brings pysdd)."
    assert deduction.left_out()["PySDD"] == brings


def test_a_program_of_somebody_else_is_asked_with_a_record(tmp_path: Path) -> None:
    peer = tmp_path / "peer"
    package = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    asked = "from clue_solver import load\nreport = load(sys.argv[1]).report()\n"
    cells = "print('Brains Plum,envelope', report.probability('Brains Plum', 'envelope'), sep=',')"
    peer.write_text(f"#!{sys.executable}\n{package}{asked}{cells}\n")
    peer.chmod(peer.stat().st_mode | stat.S_IXUSR)
    table = deduction.by_peer(position(4), program=peer)
    row = position(4).table.cards.index("Brains Plum")
    known = ~np.isnan(table)
    assert np.argwhere(known).tolist() == [[row, table.shape[1] - 1]]
    assert table[known] == pytest.approx(deduction.by_diagram(position(4))[known], abs=0.2)


@pytest.mark.parametrize("way", [deduction.by_compilation, deduction.by_models])
def test_a_slow_way_gives_up_when_its_time_is_over(way: Callable[..., Any]) -> None:
    with pytest.raises(deduction.GaveUp, match="time"):
        way(position(2, "clue-classic"), seconds=-1.0)


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
    shape = scaling.Shape(15, 3, "player", 40)
    found, most, usual = scaling.climbed((shape, "test"))
    record = Record(table=found.table)
    for observation in found.seen:
        record = record.append(observation)
    assert Game(record).check().consistent
    assert worked_out(found).arrows_in_all == most > usual


def test_what_was_said_and_what_came_true_are_summed_by_bin() -> None:
    said, true = np.array([0.05, 0.07, 0.95, 1.0]), np.array([False, True, True, True])
    number, chances, right = accuracy.binned(said, true)
    assert number.tolist() == [2, *[0] * 8, 2]
    assert chances[[0, -1]] == pytest.approx([0.12, 1.95])
    assert right.tolist() == [1, *[0] * 8, 2]


def test_a_reading_loses_what_a_report_says_of_the_true_solution() -> None:
    setting = next(each for each in accuracy.settings() if each.about == "asking")
    read = accuracy.read_game(setting, "test")
    seed = f"test {setting.about} {setting.names}"
    dealt, log = accuracy.log_of(setting, Random(seed))
    record = Record(table=dealt.table)
    for observation in log:
        record = record.append(observation)
    held = {card for hand in dealt.hands.values() for card in hand}
    solution = {card for card in dealt.table.cards if card not in held}
    for number, asks in enumerate(("any", "adaptive")):
        solutions = Game(record).report(asks=asks).solutions
        (chance,) = (each.probability for each in solutions if set(each.cards) == solution)
        assert read.bits[number, -1] == pytest.approx(-np.log2(chance))
