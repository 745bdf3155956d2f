"""Many positions in one call: the compiled engine beside the diagram, and by itself."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import (
    ArgumentError,
    Contradiction,
    Evaluations,
    Game,
    MissingExtra,
    Positions,
    draw_deals,
    evaluate,
    positions,
    shipped_editions,
)
from clue_solver.inference import batch
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.hands import narrowed, openings
from clue_solver.knowledge.clauses import Layout
from clue_solver.knowledge.viewer import ALL, FACTOR, HAS, LACKS, NONE, knowledge_of
from clue_solver.record import load_record
from clue_solver.rules.edition import load_edition
from clue_solver.rules.observations import Hand, Suggestion
from clue_solver.rules.table import ANY, SHOWS, Asks, Shows
from clue_solver.testing import games

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from naive import listing
from simulate import random_game

GAMES = Path(__file__).resolve().parents[1] / "games"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

numba = pytest.importorskip("numba")


def same(one: Evaluations, other: Evaluations) -> None:
    assert one.consistent.tolist() == other.consistent.tolist()
    assert one.verdicts.tolist() == other.verdicts.tolist()
    assert one.deals == other.deals
    for mine, its in (
        (one.marginals, other.marginals),
        (one.solutions, other.solutions),
        (one.bits, other.bits),
    ):
        assert mine == pytest.approx(its, rel=1e-10, abs=1e-12, nan_ok=True)


@given(st.data(), games(), st.sampled_from(SHOWS))
def test_the_compiled_engine_says_what_the_diagram_says(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    known = [
        knowledge_of(
            replace(game.table, shows=shows, asks=ANY), game.observations[:upto], viewer=viewer
        )
        for upto in range(len(game.observations) + 1)
    ]
    asked = Positions.of(known)
    compiled = evaluate(asked, engine="compiled")
    assert compiled.compiled.all() != bool(game.table.dealt_sizes())
    same(evaluate(asked, engine="diagram"), compiled)


@given(st.data(), games(), st.sampled_from(SHOWS))
def test_levels_of_care_are_learned_by_the_compiled_engine_as_by_the_diagram(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    table = replace(game.table, shows=shows, asks=(Asks(model="adaptive"),))
    log = game.observations
    asked = Positions.of([
        knowledge_of(table, log[:upto], viewer=viewer) for upto in range(len(log) + 1)
    ])  # fmt: skip
    compiled = evaluate(asked, engine="compiled")
    assert compiled.compiled.all() != bool(game.table.dealt_sizes())
    same(evaluate(asked, engine="diagram"), compiled)


@given(st.data(), games())
def test_it_says_what_listing_all_deals_says(data: st.DataObject, game: Game) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    known = knowledge_of(
        replace(game.table, shows="random", asks=ANY), game.observations, viewer=viewer
    )
    every, found = listing(known), evaluate(Positions.of([known]), engine="compiled")
    assert [len(every.deals)] == found.deals
    assert every.marginals(known.layout.holders) == pytest.approx(found.marginals[0], abs=1e-9)


@pytest.mark.parametrize("edition", shipped_editions())
@pytest.mark.parametrize("shows", SHOWS)
def test_every_shipped_edition_from_the_first_entry_to_the_last(edition: str, shows: Shows) -> None:
    rules = load_edition(edition)
    if rules.players is None and not rules.category:
        pytest.skip("a template")
    record = random_game(edition, 3, turns=10, seed=1)
    for viewer in (record.table.seats[0], None):
        asked = Positions.of(
            [
                knowledge_of(
                    replace(record.table, shows=shows, asks=ANY),
                    record.observations[:upto],
                    viewer=viewer,
                )
                for upto in range(0 if viewer else 6, len(record.observations) + 1, 2)
            ]
        )
        compiled = evaluate(asked, engine="compiled")
        assert compiled.compiled.all()
        same(evaluate(asked, engine="diagram"), compiled)


@pytest.mark.parametrize("name", ["textbook", "streamed", "everyone_shows"])
def test_the_recorded_games_at_every_entry(name: str) -> None:
    record = load_record(GAMES / f"{name}.clue")
    asked = positions(Game(record.upto(upto)) for upto in range(1, len(record.entries) + 1))
    same(evaluate(asked, engine="diagram"), evaluate(asked))


def test_ten_players_are_counted_beyond_what_a_float_holds() -> None:
    record = random_game("master-detective", 10, turns=2, seed=2)
    asked = Positions.of(
        [knowledge_of(replace(record.table, shows="random", asks=ANY), (), viewer=None)]
    )
    [deals] = evaluate(asked, engine="compiled").deals
    assert deals > 2**80
    assert evaluate(asked, engine="diagram").deals == [deals]


LAYOUT = Layout(
    cards=9, seats=3, categories=(0b111, 0b111000, 0b111000000), bounds=((2, 2), (2, 2), (2, 2))
)


def told(seed: int, count: int) -> Positions:
    """Random rows, true or not, of every kind."""
    random, known = Random(seed), Positions(LAYOUT, count)
    for position in range(count):
        for _ in range(random.randint(0, 8)):
            kind = random.choice([HAS, HAS, LACKS, NONE, ALL, FACTOR, known.table((1, 0.5, 0.25))])
            cards = sum(1 << card for card in random.sample(range(9), random.randint(1, 3)))
            if kind == ALL:
                cards &= -cards
            known.add(kind, holder=random.randrange(4), cards=cards, which=np.array([position]))
    return known


def test_rows_of_every_kind_true_or_not_are_what_their_clauses_are() -> None:
    asked = told(1, 256)
    compiled = evaluate(asked, engine="compiled")
    same(evaluate(asked, engine="diagram"), compiled)
    assert 20 < compiled.consistent.sum() < 280
    assert np.isnan(compiled.marginals[~compiled.consistent]).all()


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_what_was_read_is_what_was_added_row_by_row(seed: int) -> None:
    record = random_game("clue-classic", 4, turns=8, seed=seed)
    table, viewer = record.table, record.table.seats[0]
    known = knowledge_of(
        replace(table, shows="random", asks=ANY), record.observations, viewer=viewer
    )
    card = {name: 1 << number for number, name in enumerate(table.cards)}
    added, one = Positions(known.layout, 1), np.array([0])
    own = record.observations[0]
    assert isinstance(own, Hand)
    held = sum(card[name] for name in own.cards)
    added.add(ALL, holder=0, cards=held, which=one)
    for each in record.observations[1:]:
        assert isinstance(each, Suggestion)
        asked = sum(card[name] for name in each.cards)
        for answer in each.answers:
            seat = table.seats.index(str(answer.seat))
            if answer.answer == "passes":
                added.add(NONE, holder=seat, cards=asked, which=one)
            elif answer.card is None:
                added.add(HAS, holder=seat, cards=asked, which=one)
            elif each.by == viewer:
                added.shown(holder=seat, card=card[answer.card], asked=asked, which=one)
            else:
                added.add(ALL, holder=seat, cards=card[answer.card], which=one)
    same(evaluate(Positions.of([known])), evaluate(added))


@pytest.mark.parametrize("engine", ["compiled", "diagram"])
def test_deals_are_drawn_as_often_as_they_are_likely(engine: batch.Engine) -> None:
    record = random_game("clue-classic", 5, turns=6, seed=4)
    for viewer in (record.table.seats[0], None):
        asked = Positions.of(
            [
                knowledge_of(
                    replace(record.table, shows="random", asks=ANY),
                    record.observations,
                    viewer=viewer,
                )
            ]
        )
        drawn = draw_deals(asked, 4000, np.random.default_rng(1), engine=engine)[0]
        expected = evaluate(asked).marginals[0]
        often = (drawn[:, :, None] == np.arange(expected.shape[1])).mean(axis=0)
        assert (often[expected == 0] == 0).all()
        assert often == pytest.approx(expected, abs=5 * np.sqrt(0.25 / 4000))
        sizes = (drawn[:, :, None] == np.arange(expected.shape[1])).sum(axis=1)
        bounds = record.table.size_bounds()
        assert (
            (sizes[:, :5] >= [b[0] for b in bounds]) & (sizes[:, :5] <= [b[1] for b in bounds])
        ).all()


def test_deals_of_many_positions_are_all_that_fit_or_a_sample() -> None:
    record = load_record(EXAMPLES / "evening.clue")
    whole = knowledge_of(record.table, record.observations, viewer="Ben")
    known = [whole.upto(entry) for entry in (6, 17, 21)]
    examined = batch.Examined(known)
    given = examined.foreseen(range(3), most=5000, samples=[4000] * 3, rng=np.random.default_rng(1))
    assert [False, True, True] == [each is not None and each.worlds.exact for each in given]
    for at, (each, one) in enumerate(zip(known, given, strict=True)):
        assert one is not None
        diagram = Deduction(each).diagram(each.entries)
        assert diagram.openings.certain == one.certain
        expected = examined.found.marginals[at]
        often = (one.worlds.deals[:, :, None] == np.arange(expected.shape[1])).T @ one.worlds.weight
        sure = 1e-9 if one.worlds.exact else 5 * np.sqrt(0.25 / 4000)
        assert often.T == pytest.approx(expected, abs=sure)
        if one.worlds.exact:
            deals, weight = diagram.every()
            mine = dict(zip(map(tuple, one.worlds.deals.tolist()), one.worlds.weight, strict=True))
            assert mine == pytest.approx(dict(zip(map(tuple, deals.tolist()), weight, strict=True)))
    rough = batch.Examined(known, rough=True)
    alike = rough.foreseen(range(3), most=5000, samples=[4000] * 3, rng=np.random.default_rng(1))
    for exactly, roughly in zip(given, alike, strict=True):
        assert exactly is not None
        assert roughly is not None
        first, second = exactly.worlds, roughly.worlds
        assert (first.deals == second.deals).all()
        assert (first.weight == second.weight).all()
        cards = first.solutions.cards[first.solution]
        assert (cards == second.solutions.cards[second.solution]).all()
        if first.exact:
            assert first.solutions.bits == pytest.approx(second.solutions.bits)


def test_behaviour_that_takes_too_much_room_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    record = load_record(EXAMPLES / "evening.clue")
    whole = knowledge_of(record.table, record.observations, viewer="Ben")
    known = [whole.upto(entry) for entry in (6, 21)]
    by_rules = [replace(each, behaviour=()) for each in known]
    expected = evaluate(Positions.of([by_rules[0], known[1]]))
    monkeypatch.setattr(batch, "_STATES", 256)
    monkeypatch.setattr(batch, "_MOST_AT_LEVELS", 256)
    examined = batch.Examined(known)
    assert examined.found.compiled.all()
    same(expected, examined.found)
    drawn = examined.foreseen(range(2), most=0, samples=[50, 50], rng=np.random.default_rng(1))
    assert [50, 50] == [each and len(each.worlds.deals) for each in drawn]


def test_what_is_seen_at_once_excludes_nothing_that_can_be() -> None:
    for seed in range(6):
        record = random_game("clue-classic", 4, turns=16, seed=seed)
        known = knowledge_of(record.table, record.observations, viewer=record.table.seats[0])
        for entry in (0, 4, 9, 16):
            seen, exact = narrowed(known.upto(entry)), Deduction(known).possible(entry)
            assert all(may & mask == mask for may, mask in zip(seen, exact, strict=True))
            apart = Diagram(openings(known.upto(entry), seen)), Deduction(known).diagram(entry)
            assert apart[0].count() == apart[1].count()


def test_hands_of_unknown_size_are_drawn_with_each_size_as_likely() -> None:
    layout = Layout(cards=9, seats=4, categories=(0b111, 0b111111000), bounds=((1, 2),) * 4)
    drawn = draw_deals(Positions(layout, 1), 8000, np.random.default_rng(3), engine="compiled")[0]
    sizes = (drawn[:, :, None] == np.arange(4)).sum(axis=1)
    assert sizes.min() == 1
    assert sizes.max() == 2
    assert (sizes == 2).mean(axis=0) == pytest.approx(np.full(4, 0.75), abs=0.03)


def test_what_does_not_fit_is_handed_over_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    record = random_game("clue-classic", 4, turns=6, seed=1)
    asked = Positions.of(
        [
            knowledge_of(
                replace(record.table, shows="random", asks=ANY),
                record.observations[:upto],
                viewer=None,
            )
            for upto in (2, 7)
        ]
    )
    expected = evaluate(asked, engine="compiled")
    monkeypatch.setattr(batch, "_STATES", 64)
    monkeypatch.setattr(batch, "_MOST_STATES", 64)
    found = evaluate(asked, engine="compiled")
    assert not found.compiled.any()
    same(expected, found)
    assert draw_deals(asked, 3, np.random.default_rng(1)).shape == (2, 3, 21)


def test_more_memory_is_taken_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_STATES", 16)
    record = random_game("clue-classic", 4, turns=6, seed=1)
    asked = Positions.of(
        [
            knowledge_of(
                replace(record.table, shows="random", asks=ANY), record.observations, viewer=None
            )
        ]
    )
    assert evaluate(asked).compiled.all()


def test_what_an_earlier_version_kept_on_disk_is_compiled_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from clue_solver.inference import compiled

    evaluated, done = compiled.evaluate, []

    def stale(*given: Any) -> None:
        done.append("tried")
        if len(done) == 1:
            raise ModuleNotFoundError("no module of that name any more")
        evaluated(*given)

    class Kept(SimpleNamespace):
        def flush(self) -> None:
            done.append("emptied")

    monkeypatch.setattr(compiled, "evaluate", stale)
    monkeypatch.setattr(compiled, "_MADE", [SimpleNamespace(_cache=Kept())])
    assert evaluate(Positions(LAYOUT, 1), engine="compiled").compiled.all()
    assert ["tried", "emptied", "tried"] == done


@pytest.mark.parametrize("engine", ["compiled", "diagram"])
def test_no_deals_are_drawn_where_none_fits(engine: batch.Engine) -> None:
    impossible = Positions(LAYOUT, 1)
    impossible.add(ALL, holder=0, cards=0b111, which=np.array([0]))
    with pytest.raises(Contradiction):
        draw_deals(impossible, 1, np.random.default_rng(1), engine=engine)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ArgumentError, match="compiled or diagram; found 'numpy'"):
        evaluate(Positions(LAYOUT, 1), engine="numpy")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="one table"):
        Positions.of([])


def test_without_numba_the_diagram_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "installed", lambda: False)
    assert not evaluate(Positions(LAYOUT, 2)).compiled.any()
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(MissingExtra, match="fast"):
        evaluate(Positions(LAYOUT, 2), engine="compiled")


def test_a_report_does_not_import_numba() -> None:
    code = (
        "import sys, clue_solver; clue_solver.load(sys.argv[1]).report(); "
        "clue_solver.evaluate; print('numba' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(GAMES / "textbook.clue")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout.strip() == "False"


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The same functions as plain Python: what they are before numba compiles them."""
    from clue_solver.inference import compiled

    def as_it_is(**_options: Any) -> Any:
        return lambda function: function

    monkeypatch.setattr(numba, "njit", as_it_is)
    spec = importlib.util.spec_from_file_location("interpreted", compiled.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(batch, "_compiled", lambda _engine: module)
    return module


def test_the_compiled_functions_say_the_same_as_plain_python(interpreted: ModuleType) -> None:
    asked = told(2, 40)
    with np.errstate(over="ignore"):
        found = evaluate(asked)
        drawn = draw_deals(Positions(LAYOUT, 2), 5, np.random.default_rng(1))
    assert found.compiled.all()
    same(_by_diagram(asked), found)
    assert ((drawn == 3).sum(axis=2) == 3).all()


def _by_diagram(asked: Positions) -> Evaluations:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "_compiled", lambda _engine: None)
        return evaluate(asked)
