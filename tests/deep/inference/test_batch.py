"""Many positions in one call: what the compiled engine says beside what the diagram says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Game, Games, Positions, evaluate, shipped_editions
from clue_solver.faces.cli import main
from clue_solver.inference import batch, deduction
from clue_solver.knowledge.clauses import Layout
from clue_solver.knowledge.viewer import ALL, FACTOR, HAS, LACKS, NONE, Knowledge, knowledge_of
from clue_solver.record import load_record
from clue_solver.rules.table import ANY, SHOWS, Asks, Shows
from tests.inference.test_batch import EXAMPLES, GAMES, LAYOUT, known, same
from tests.strategies import games

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

from simulate import random_game

pytest.importorskip("numba")
from clue_solver.inference import compiled
from clue_solver.inference.compiled import machine_code


def agreed(asked: Positions, *, fast: bool = True) -> None:
    """Both engines say the same, the compiled one of every position or of none."""
    found = evaluate(asked, engine="compiled")
    assert (found.compiled == fast).all()
    same(evaluate(asked, engine="diagram"), found)


@pytest.mark.parametrize("asks", [ANY, (Asks(model="adaptive"),)], ids=["any", "adaptive"])
@given(st.data(), games(), st.sampled_from(SHOWS))
def test_the_compiled_engine_says_what_the_diagram_says(
    asks: tuple[Asks, ...], data: st.DataObject, game: Game, shows: Shows
) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    table, log = replace(game.table, shows=shows, asks=asks), game.observations
    asked = [knowledge_of(table, log[:upto], viewer=viewer) for upto in range(len(log) + 1)]
    agreed(Positions.of(asked), fast=not game.table.dealt_sizes())


@pytest.mark.long(keep=6)
@pytest.mark.parametrize("edition", shipped_editions())
@pytest.mark.parametrize("shows", SHOWS)
def test_every_shipped_edition_from_the_first_entry_to_the_last(edition: str, shows: Shows) -> None:
    record = random_game(edition, 3, turns=10, seed=1)
    for viewer, first in ((record.table.seats[0], 0), (None, 6)):
        upto = range(first, len(record.observations) + 1, 2)
        agreed(known(record, viewer, *upto, shows=shows))


def test_a_recorded_game_at_every_entry() -> None:
    record = load_record(GAMES / "streamed.clue")
    asked = Games(Game(record.upto(upto)) for upto in range(1, len(record.entries) + 1)).positions()
    same(evaluate(asked, engine="diagram"), evaluate(asked))


def test_ten_players_are_counted_beyond_what_a_float_holds() -> None:
    asked = known(random_game("master-detective", 10, turns=2, seed=2), None, 0)
    [deals] = evaluate(asked, engine="compiled").deals
    assert deals > 2**80
    assert evaluate(asked, engine="diagram").deals == [deals]


def test_four_categories_are_compiled_and_hands_of_unknown_order_are_not() -> None:
    kinds = (0b11, 0b11 << 2, 0b11 << 4, 0b111 << 6)
    layout = Layout(cards=9, seats=2, categories=kinds, bounds=((2, 3), (2, 3)))
    asked = Positions(replace(layout, bounds=((2, 2), (3, 3))), 1)
    for cards in (0b10101, 0b1100001):
        asked.add(HAS, holder=0, cards=cards, which=np.array([0]))
    agreed(asked)
    agreed(Positions(replace(layout, dealt=((2, 3), (3, 2))), 1), fast=False)


def test_rows_of_every_kind_true_or_not_are_what_their_clauses_are() -> None:
    random, asked = Random(1), Positions(LAYOUT, 256)
    for position in range(256):
        for _ in range(random.randint(0, 8)):
            kind = random.choice([HAS, HAS, LACKS, NONE, ALL, FACTOR, asked.table((1, 0.5, 0.25))])
            cards = sum(1 << card for card in random.sample(range(9), random.randint(1, 3)))
            if kind == ALL:
                cards &= -cards
            asked.add(kind, holder=random.randrange(4), cards=cards, which=np.array([position]))
    agreed(asked)
    found = evaluate(asked, engine="compiled")
    assert 20 < found.consistent.sum() < 236
    assert np.isnan(found.marginals[~found.consistent]).all()


def evening(*entries: int) -> list[Knowledge]:
    """What Ben knew that evening after these entries."""
    record = load_record(EXAMPLES / "evening.clue")
    whole = knowledge_of(record.table, record.observations, viewer="Ben")
    return [whole.upto(entry) for entry in entries]


def test_behaviour_that_takes_too_much_room_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = evening(6, 21)
    expected = evaluate(Positions.of([replace(asked[0], behaviour=()), asked[1]]))
    monkeypatch.setattr(batch, "_MOST_OF_BEHAVIOUR", 256)
    monkeypatch.setattr(deduction, "MEMORY_WITH_BEHAVIOUR", 8_000)
    for engine in ("compiled", "diagram"):
        found = evaluate(Positions.of(asked), engine=engine)
        same(expected, found)
        assert found.left_out.tolist() == [True, False]


def test_more_memory_is_taken_and_what_does_not_fit_is_handed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = known(random_game("clue-classic", 4, turns=6, seed=1), None, 2, 7)
    monkeypatch.setattr(batch, "_STATES", 16)
    agreed(asked)
    monkeypatch.setattr(batch, "_MOST_STATES", 64)
    agreed(asked, fast=False)


@pytest.mark.parametrize("refused", [ModuleNotFoundError, AttributeError])
def test_what_an_earlier_version_kept_on_disk_is_compiled_anew(
    monkeypatch: pytest.MonkeyPatch, refused: type[Exception]
) -> None:
    now, done = compiled.evaluate, []

    def stale(*given: Any) -> Any:
        done.append("tried")
        if len(done) == 1:
            raise refused("no such thing any more")
        return now(*given)

    kept = SimpleNamespace(_cache=SimpleNamespace(flush=lambda: done.append("emptied")))
    monkeypatch.setattr(compiled, "evaluate", stale)
    monkeypatch.setattr(machine_code, "_MADE", [kept])
    assert evaluate(Positions(LAYOUT, 1), engine="compiled").compiled.tolist() == [True]
    assert done == ["tried", "emptied", "tried"]


def test_machine_code_is_kept_until_any_file_of_the_engine_changes() -> None:
    sources = machine_code.SOURCES
    assert {*sources} == {each.name for each in Path(machine_code.__file__).parent.glob("*.py")}
    now = machine_code.stamp(sources)
    changed = {name: machine_code.stamp(sources | {name: b"#"}) for name in sources}
    assert len({now, *changed.values()}) == len(sources) + 1
    assert {each._cache._cache_file._source_stamp for each in machine_code._MADE} == {now}


@pytest.mark.parametrize("kept", [True, False])
def test_who_has_to_wait_for_the_engine_to_be_compiled_is_told(
    monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    monkeypatch.setattr(compiled, "kept", lambda: kept)
    call = ("arena", "--players", "random,random,random", "--games", "1", "--no-board")
    result = CliRunner().invoke(main, call)
    told = "Compiling the fast engine for the games: 15 s, once on this machine.\n"
    assert (result.exit_code, told in result.stderr) == (0, not kept)


def test_machine_code_that_was_used_is_kept() -> None:
    batch.prepare()
    assert compiled.kept()


def test_no_positions_are_evaluated_to_nothing() -> None:
    assert evaluate(Positions(LAYOUT, 0), engine="compiled").solutions.shape == (0, 3, 3, 3)


def test_a_report_does_not_import_numba() -> None:
    code = (
        "import sys, clue_solver; clue_solver.load(sys.argv[1]).report(); "
        "clue_solver.evaluate; print('numba' in sys.modules)"
    )
    words = [sys.executable, "-c", code, str(GAMES / "textbook.clue")]
    assert subprocess.check_output(words, text=True) == "False\n"
