"""What is published of the benchmarks is what their results say; their own arithmetic is right."""

from __future__ import annotations

import doctest
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random

import numpy as np
import pytest

from clue_solver import Game, load_edition
from clue_solver.inference.solutions import Solutions
from clue_solver.record import Record
from clue_solver.rules.observations import Suggestion

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

import accuracy  # noqa: E402
import asking  # noqa: E402
import drawing  # noqa: E402
import habits  # noqa: E402
import hardest  # noqa: E402
import positions  # noqa: E402
import readme  # noqa: E402
import results  # noqa: E402
import scaling  # noqa: E402
from simulate import random_deal, random_game  # noqa: E402

CLASSIC = load_edition("clue-classic")


def test_readme_page_and_figures_say_what_the_results_say() -> None:
    assert [] == list(readme.disagreements())


def test_a_changed_figure_in_the_readme_is_noticed(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    start = text.index(readme.BEGIN)
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / readme.PAGE).write_text(readme.page(), "utf-8")
    (tmp_path / readme.SITE).parent.mkdir(parents=True)
    (tmp_path / readme.SITE).write_text(site := readme.site(), "utf-8")
    (tmp_path / "README.md").write_text(text, "utf-8")
    assert [] == list(readme.disagreements(tmp_path))
    changed = text[:start] + text[start:].replace(" ms", " s", 1)
    (tmp_path / "README.md").write_text(changed, "utf-8")
    (found,) = readme.disagreements(tmp_path)
    assert found.startswith("README.md")
    (tmp_path / "README.md").write_text(text, "utf-8")
    (tmp_path / readme.SITE).write_text(site.replace(" ms", " s", 1), "utf-8")
    (found,) = readme.disagreements(tmp_path)
    assert found.startswith(readme.SITE)


def test_only_the_section_between_the_marks_is_rewritten() -> None:
    new = f"{readme.BEGIN}new \\1{readme.END}"
    text = f"before\n{readme.BEGIN}\nold\n{readme.END}\nafter"
    assert f"before\n{new}\nafter" == readme.rewritten(text, new)
    with pytest.raises(ValueError, match="once each"):
        readme.rewritten("no marks", new)


@pytest.mark.parametrize("name", ["positions", "random_tables", "results", "scaling"])
def test_examples_in_the_benchmarks_hold(name: str) -> None:
    outcome = doctest.testmod(import_module(name))
    assert outcome.attempted
    assert not outcome.failed


@pytest.mark.parametrize("cards", [12, 21, 30, 40])
def test_a_custom_edition_has_the_proportions_of_the_classic_one(cards: int) -> None:
    sizes = [len(kind.cards) for kind in positions.edition(cards).category]
    assert cards == sum(sizes)
    for size, share in zip(sizes, (2, 2, 3), strict=True):
        assert abs(size - cards * share / 7) <= 1


@pytest.mark.parametrize(
    ("form", "slope", "grows"),
    [("exponential", 0.2, lambda x: np.exp(0.2 * x)), ("power", 3.0, lambda x: x**3.0)],
)
def test_growth_made_by_a_law_is_fitted_by_that_law(
    form: str, slope: float, grows: Callable[[int], float]
) -> None:
    rows = [
        {"grows": "cards", "viewer": viewer, "value": x, **dict.fromkeys(scaling.MEASURED, y)}
        for viewer in scaling.VIEWERS
        for x, y in ((x, float(grows(x))) for x in range(12, 41, 4))
    ]
    found = list(scaling.fits(rows))
    assert len(scaling.VIEWERS) * len(scaling.MEASURED) == len(found)
    for fit in found:
        assert form == fit["form"]
        assert slope == pytest.approx(fit["slope"])
        assert pytest.approx(1) == fit["r2"]


def test_what_a_position_costs_is_what_its_diagram_holds() -> None:
    game = random_game(positions.edition(15), 3, turns=6, seed=1)
    position = (game.table, game.observations, game.table.viewer)
    cost = scaling.measured(position)
    diagram = positions.worked_out(position)
    assert cost is not None
    assert diagram.arrows_in_all == cost["arrows"]
    assert sum(layer.states for layer in diagram.layers) == cost["states"]
    assert 8 * cost["arrows"] <= cost["arrow_bytes"] < cost["peak_bytes"]


def test_the_search_ends_with_a_true_log_that_is_harder_than_random_ones() -> None:
    shape = hardest.Shape(15, 3, "player", 40)
    (table, seen, viewer), most, usual = hardest.climbed((shape, "test"))
    record = Record(table=table)
    for observation in seen:
        record = record.append(observation)
    assert Game(record).check().consistent
    assert most > usual
    assert most == positions.worked_out((table, seen, viewer)).arrows_in_all


def test_habits_show_what_they_say() -> None:
    random = Random(3)
    dealt = random_deal(random, CLASSIC, 4)
    could = ["Plum", "Rope", "Hall"]
    first = habits.first_match(random, dealt)
    assert {"Plum"} == {first(could, "Ben", "Ann") for _ in range(9)}
    by_lot = habits.at_random(random, dealt)
    assert set(could) == {by_lot(could, "Ben", "Ann") for _ in range(99)}
    again = habits.the_same_again(random, dealt)
    shown = again(could, "Ben", "Ann")
    assert {shown} == {again(could, "Ben", "Ann") for _ in range(9)}
    assert set(could) == {again(could, "Ben", asker) for asker in map(str, range(99))}


def test_who_asks_in_rooms_asks_for_no_suspect_or_weapon_it_knows() -> None:
    random = Random(4)
    dealt = random_deal(random, CLASSIC, 3)
    seen = {"Plum", "Rope"}
    known = seen | dealt.hands["Ann"]
    for _ in range(50):
        suspect, weapon, room = habits.in_rooms(random, dealt, "Ann", seen)
        assert not known & {suspect, weapon}
        assert room in [card.name for card in CLASSIC.category[2].cards]


def test_the_truth_known_costs_nothing_and_an_even_guess_its_bits() -> None:
    truth = np.array([0, 1, 2])
    sure = np.eye(3)
    assert (0, 0, 0) == accuracy._card_scores(sure, (0, 1, 2), truth)
    even = np.full((3, 4), 0.25)
    assert (2, 0.75, 0) == pytest.approx(accuracy._card_scores(even, (0, 2), truth))


def test_a_case_is_scored_by_the_chance_of_the_true_solution() -> None:
    game = random_game("clue-classic", 3, turns=0, seed=1)
    layout = Game(game)._deduction().knowledge.layout
    truth = np.zeros(layout.cards, int)
    truth[[0, 6, 12]] = layout.envelope
    cases = Solutions(np.array([[0, 6, 12], [1, 6, 12]]), np.array([0.25, 0.75]))
    entropy = 2 - 0.75 * np.log2(3)
    expected = (2, 2 * 0.75**2, 2 - entropy)
    assert expected == pytest.approx(accuracy._case_scores(cases, truth, layout))
    known = Solutions(np.array([[0, 6, 12]]), np.array([1.0]))
    assert np.isnan(accuracy._case_scores(known, truth, layout)).all()


def test_policies_are_scored_on_the_same_games_and_none_is_its_own_difference() -> None:
    games = [accuracy.scored("at random", accuracy.SETTINGS[0], f"test {n}") for n in range(6)]
    rows = {row["assumed"]: row for row in accuracy.score_rows(games, players=4)}
    assert 0 == rows["random"]["case_bits_more"] == rows["random"]["case_bits_more_ci"]
    for shows in ("none", "sticky"):
        more = rows[shows]["card_bits"] - rows["random"]["card_bits"]
        assert more == pytest.approx(rows[shows]["card_bits_more"])
    bins = list(accuracy.reliability_rows(games, players=4))
    whole = [
        sum(row["number"] for row in bins if (row["assumed"], row["cells"]) == (shows, "all"))
        for shows in ("random", "none", "sticky")
    ]
    assert [whole[0]] * 3 == whole


@pytest.mark.parametrize(("carelessness", "board"), [(0.0, True), (0.3, False), (0.6, True)])
def test_a_careless_asker_names_own_cards_as_often_as_it_says(
    carelessness: float, board: bool
) -> None:
    own, expected = np.zeros(3), np.zeros(3)
    often = np.array([carelessness, carelessness, 1.0 if board else carelessness])
    for game in range(40):
        dealt, log = asking.simulated(
            carelessness, board=board, seats=4, rounds=5, seed=f"test {game}"
        )
        assert (dealt.table.board is None) == board
        for each in log[1:]:
            assert isinstance(each, Suggestion)
            held = dealt.hands[each.by]
            own += [name in held for name in each.cards]
            expected += often * [
                np.mean([card.name in held for card in kind.cards])
                for kind in dealt.table.edition.category
            ]
    assert expected == pytest.approx(own, rel=0.3)


def test_one_diagram_answers_for_every_level_of_care() -> None:
    dealt, log = asking.simulated(0.3, board=False, seats=4, rounds=2, seed="test")
    record = Record(table=dealt.table)
    for observation in log:
        record = record.append(observation)
    game = Game(record)
    deduction = game._deduction()
    layout = deduction.knowledge.layout
    found = asking._read(deduction.diagram(len(log)), layout)
    policies = ("adaptive", "careful 0.02", "careful 0.25", "careful 0.55", "any")
    for each, asks in zip(found, policies, strict=True):
        expected = {s.cards: s.probability for s in game.report(asks=asks).solutions}
        names = np.array(dealt.table.cards)[each.cards].tolist()
        told = dict(zip(map(tuple, names), each.probability.tolist(), strict=True))
        assert expected == pytest.approx(told)


def test_who_knows_that_own_cards_are_never_named_gains_by_it() -> None:
    never = [asking.played(0.0, False, f"test {game}") for game in range(15)]
    rows = list(asking.loss_rows(never, carelessness=0.0, board=False))
    assert list(asking.MOMENTS) == [row["after"] for row in rows]
    for row in rows:
        assert row["any"] - row["adaptive"] == pytest.approx(row["gain"])
        assert row["adaptive"] - row["careful"] == pytest.approx(row["behind"])
    assert rows[-1]["gain"] > rows[-1]["gain_ci"]
    assert rows[-1]["most"] > rows[-1]["most_ci"]
    by_lot = [asking.played(1.0, True, f"test {game}") for game in range(2)]
    assert {0.0} == {row["most"] for row in asking.loss_rows(by_lot, carelessness=1.0, board=True)}
    cells = [row for row in asking.calibration_rows(never) if row["of"] == "cell"]
    assert all(0 <= row["said"] - row["bin"] / asking.BINS <= 1 / asking.BINS for row in cells)
    said, true = (sum(row["number"] * row[name] for row in cells) for name in ("said", "true"))
    assert said == pytest.approx(true)  # each open card is said to be, and is, in one place


def test_chances_as_often_true_as_said_are_at_no_distance() -> None:
    right = {"number": 10, "said": 0.3, "true": 0.3}
    off = {"number": 30, "said": 0.5, "true": 0.6}
    assert 0 == accuracy.distance([right])
    assert pytest.approx(0.075) == accuracy.distance([right, off])


def test_a_figure_is_the_same_for_the_same_results(tmp_path: Path) -> None:
    panel = drawing.Panel("title", "across", "up", {"line": [(1, 2, 0, 1), (2, 4, 1, 1)]}, log=True)
    written = []
    for name, value in (("one", 1), ("two", 1), ("three", 2)):
        path = tmp_path / f"{name}.svg"
        drawing.draw_svg(path, [[panel]], {"benchmark": "test", "rows": [value]})
        written.append(path.read_text("utf-8"))
    assert written[0] == written[1] != written[2]
    assert ">title</text>" in written[0]


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    results.write("test", [{"a": 1, "b": [0.5, None]}], settings={"seed": 7}, folder=tmp_path)
    found = results.read("test", folder=tmp_path)
    assert [{"a": 1, "b": [0.5, None]}] == found["rows"]
    assert {"seed": 7} == found["settings"]
    assert results.described(found).endswith("seed 7")
