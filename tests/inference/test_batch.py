"""Many positions in one call, where nothing is compiled; the compiled engine: tests/deep."""

from __future__ import annotations

import sys
from pathlib import Path

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
)
from clue_solver.inference import batch
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.clauses import Layout
from clue_solver.knowledge.viewer import ALL, Knowledge, knowledge_of
from clue_solver.record import Record, load_record
from clue_solver.rules.table import ANY, Shows
from tests.strategies import games

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from naive import listing
from simulate import random_game

GAMES = Path(__file__).resolve().parents[1] / "games"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LAYOUT = Layout(
    cards=9, seats=3, categories=(0b111, 0b111000, 0b111000000), bounds=((2, 2), (2, 2), (2, 2))
)


def same(one: Evaluations, other: Evaluations) -> None:
    assert one.consistent.tolist() == other.consistent.tolist()
    assert one.verdicts.tolist() == other.verdicts.tolist()
    assert one.deals == other.deals
    for name in ("marginals", "solutions", "bits"):
        expected = pytest.approx(getattr(other, name), rel=1e-10, abs=1e-12, nan_ok=True)
        assert getattr(one, name) == expected


def known(
    record: Record, viewer: str | None, *upto: int | None, shows: Shows = "random"
) -> Positions:
    """What a viewer knows after these entries, or after all."""
    table = replace(record.table, shows=shows, asks=ANY)
    logs = [record.observations[:each] for each in upto or (None,)]
    return Positions.of([knowledge_of(table, log, viewer=viewer) for log in logs])


@settings(max_examples=20)
@given(st.data(), games())
def test_it_says_what_listing_all_deals_says(data: st.DataObject, game: Game) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    table = replace(game.table, shows="random", asks=ANY)
    knowledge = knowledge_of(table, game.observations, viewer=viewer)
    every = listing(knowledge)
    found = evaluate(Positions.of([knowledge]), engine="diagram")
    assert found.deals == [len(every.deals)]
    expected = every.marginals(knowledge.layout.holders)
    assert found.marginals[0] == pytest.approx(expected, abs=1e-9)
    assert (found.verdicts[0] == 1).tolist() == np.isclose(expected, 1, atol=1e-12).tolist()
    assert (found.verdicts[0] == 2).tolist() == (expected == 0).tolist()
    posterior = [*every.solutions(knowledge.layout.envelope).values()]
    assert found.bits[0] == pytest.approx(-np.dot(posterior, np.log2(posterior)), abs=1e-9)


def test_deals_are_drawn_as_often_as_they_are_likely() -> None:
    asked = known(random_game("clue-classic", 5, turns=6, seed=4), None)
    drawn = draw_deals(asked, 4000, np.random.default_rng(1))[0]
    expected = evaluate(asked, engine="diagram").marginals[0]
    found = (drawn[:, :, None] == np.arange(expected.shape[1])).mean(axis=0)
    assert (found[expected == 0] == 0).all()
    assert found == pytest.approx(expected, abs=5 * np.sqrt(0.25 / 4000))


def test_no_deals_are_drawn_where_none_fits() -> None:
    impossible = Positions(LAYOUT, 1)
    impossible.add(ALL, holder=0, cards=0b111, which=np.array([0]))
    with pytest.raises(Contradiction):
        draw_deals(impossible, 1, np.random.default_rng(1))


def evening() -> Knowledge:
    """What Ben knew that evening, where it is learned how careful players are."""
    record = load_record(EXAMPLES / "evening.clue")
    return knowledge_of(record.table, record.observations, viewer="Ben")


def test_rows_say_what_is_learned_of_how_careful_players_are() -> None:
    whole = evening()
    found = evaluate(Positions.of([whole]), engine="diagram").marginals[0]
    assert found == pytest.approx(Deduction(whole).diagram(whole.entries).marginals(), abs=1e-12)


def test_wrong_arguments_are_named_and_without_numba_the_diagram_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ArgumentError, match="compiled or diagram; found 'numpy'"):
        evaluate(Positions(LAYOUT, 1), engine="numpy")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="one table"):
        Positions.of([])
    monkeypatch.setattr(batch, "installed", lambda: False)
    assert not evaluate(Positions(LAYOUT, 2)).compiled.any()
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(MissingExtra, match="fast"):
        evaluate(Positions(LAYOUT, 2), engine="compiled")
