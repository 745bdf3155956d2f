"""Each algorithm beside its naive twin, on small random games of every kind."""

from __future__ import annotations

import sys
from math import exp
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Game, Table, load_edition
from clue_solver.errors import Contradiction
from clue_solver.inference import solutions
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.sat import Solver
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation import parse_line
from clue_solver.record.contents import Record
from clue_solver.rules.table import ANY, SHOWS, Shows
from clue_solver.testing import games
from tests.twin import answers

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from naive import listing

policies = st.sampled_from(SHOWS)


def viewers(game: Game) -> st.SearchStrategy[str | None]:
    return st.sampled_from((None, *game.table.seats))


def deduced(game: Game, viewer: str | None, shows: Shows) -> Deduction:
    return Deduction(
        knowledge_of(replace(game.table, shows=shows), game.observations, viewer=viewer)
    )


@given(st.data(), games(), policies)
def test_the_backbone_is_what_all_models_agree_on(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    deduction = deduced(game, data.draw(viewers(game)), shows)
    every = listing(deduction.knowledge)
    assert every.possible(deduction.knowledge.layout.holders) == deduction.possible(
        len(game.observations)
    )


@given(st.data(), games(), policies)
def test_counting_is_listing_all_deals(data: st.DataObject, game: Game, shows: Shows) -> None:
    deduction = deduced(game, data.draw(viewers(game)), shows)
    layout, upto = deduction.knowledge.layout, len(game.observations)
    every = listing(deduction.knowledge)
    diagram = deduction.diagram(upto)
    assert len(every.deals) == diagram.count()
    assert every.marginals(layout.holders) == pytest.approx(diagram.marginals(), abs=1e-9)
    found = deduction.solutions(upto)
    posterior = every.solutions(layout.envelope)
    assert set(posterior) == {tuple(sorted(cards)) for cards in found.cards.tolist()}
    for cards, chance in zip(found.cards.tolist(), found.probability.tolist(), strict=True):
        assert posterior[tuple(sorted(cards))] == pytest.approx(chance, abs=1e-9)


@given(st.data(), games(), policies)
def test_a_large_diagram_is_split_as_a_small_one(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    known = deduced(game, data.draw(viewers(game)), shows).knowledge
    upto = len(game.observations)
    every = listing(known).solutions(known.layout.envelope)
    small = Deduction(known).solutions(upto)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solutions, "FEW_ARROWS", -1)
        patch.setattr(solutions, "_TOGETHER", data.draw(st.sampled_from((1, solutions._TOGETHER))))
        large = Deduction(known).solutions(upto)
    assert large.cards.shape == small.cards.shape
    found, same = (
        {
            tuple(sorted(cards)): p
            for cards, p in zip(each.cards.tolist(), each.probability, strict=True)
        }
        for each in (large, small)
    )
    assert every == pytest.approx(found, abs=1e-9)
    assert same == pytest.approx(found, rel=1e-10, abs=1e-12)


@given(st.data(), games(), policies)
def test_the_weight_is_the_likelihood_summed_over_all_deals(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    deduction = deduced(game, data.draw(viewers(game)), shows)
    every = listing(deduction.knowledge)
    diagram = deduction.diagram(len(game.observations))
    assert every.weight.sum() == pytest.approx(exp(diagram.log_weight))


@given(st.data(), games(), policies)
def test_a_report_is_what_the_rules_say_deal_by_deal(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    viewer = data.draw(viewers(game))
    oracle = answers(game.observations, game.table, viewer, shows)
    report = game.report(viewer=viewer or "spectator", shows=shows)
    assert oracle.deals == report.deals
    for card in report.cards:
        for holder in report.holders:
            chance = oracle.probability[card][holder]
            assert float(chance) == pytest.approx(report.probability(card, holder), abs=1e-9)
            sure = {0: "lacks", 1: "holds"}.get(int(chance) if chance in (0, 1) else -1, "open")
            assert sure == report.verdict(card, holder)
    exact = {cards: pytest.approx(float(chance)) for cards, chance in oracle.solutions.items()}
    assert exact == dict(report.solutions)


@given(games(), policies)
def test_what_sat_calls_certain_counting_calls_one(game: Game, shows: Shows) -> None:
    report = game.report(shows=shows)
    assert (report.verdicts == 2).tolist() == (report.probabilities == 0).tolist()
    ones = np.isclose(report.probabilities, 1, rtol=0, atol=1e-12)
    assert (report.verdicts == 1).tolist() == ones.tolist()


@given(games(), policies)
def test_every_entry_can_be_taken_back(game: Game, shows: Shows) -> None:
    whole = game._deduction(game._eyes(shows=shows))
    for upto in range(len(game.observations) + 1):
        part = deduced(Game(game.record.upto(upto)), game.table.viewer, shows)
        assert part.possible(upto) == whole.possible(upto)
        assert part.diagram(upto).marginals() == pytest.approx(whole.diagram(upto).marginals())


@settings(max_examples=25)
@given(games(), policies, st.integers(0, 2**32))
def test_drawn_deals_have_the_exact_frequencies(game: Game, shows: Shows, seed: int) -> None:
    deduction = game._deduction(game._eyes(shows=shows))
    diagram = deduction.diagram(len(game.observations))
    count, holders = 4_000, deduction.knowledge.layout.holders
    deals = diagram.draw(count, np.random.default_rng(seed))
    drawn = np.stack([(deals == holder).mean(axis=0) for holder in range(holders)], axis=1)
    exact = diagram.marginals()
    spread = np.sqrt(exact * (1 - exact) / count)
    assert (np.abs(drawn - exact) <= 6 * spread + 1e-9).all()
    fitting = {tuple(deal) for deal in listing(deduction.knowledge).deals.tolist()}
    assert {tuple(deal) for deal in deals.tolist()} <= fitting


@given(st.data(), games())
def test_a_conflict_clashes_and_none_of_it_can_be_spared(data: st.DataObject, game: Game) -> None:
    table, record = game.table, game.record
    by = table.viewer or table.seats[0]
    card, holder = (
        data.draw(st.sampled_from(table.cards)),
        data.draw(st.sampled_from(table.holders)),
    )
    for verb in ("has", "lacks"):
        line = f"{by} knows {holder} {verb} {card}"
        record = record.append(parse_line(line, table, record.turn_state))
    deduction = deduced(Game(record), by, "random")
    with pytest.raises(Contradiction) as clash:
        deduction.possible(len(record.observations))
    selectors = [deduction.solver.entry(number) for number in clash.value.entries]
    assert len(selectors) <= 2
    assert deduction.solver.model(selectors) is None
    for spared in selectors:
        assert deduction.solver.model([other for other in selectors if other != spared])


@given(games(), st.randoms(use_true_random=False))
def test_a_deal_fits_the_entries_told_and_no_other(game: Game, random: Random) -> None:
    known = knowledge_of(
        replace(game.table, shows="none", asks=ANY), game.observations, viewer=game.table.viewer
    )
    solver, entries = Solver(known), range(1, known.entries + 1)
    some = [number for number in entries if random.random() < 0.3]
    deal = solver.model([solver.entry(number) for number in some])
    assert deal is not None
    places = [solver.has(card, holder) for card, holder in enumerate(deal)]
    fitting = solver._fitting(deal, entries)
    assert fitting.issuperset(some)
    assert solver.model([*places, *map(solver.entry, fitting)]) is not None
    for number in set(entries) - fitting:
        assert solver.model([*places, *map(solver.entry, {*fitting, number})]) is None


@pytest.mark.parametrize("shown", [0, 1, 9, -1])
def test_a_card_is_no_habit_before_it_was_shown(shown: int) -> None:
    table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Cat"), viewer="Ann")
    names = [kind.cards[shown % len(kind.cards)].name for kind in table.edition.category]
    for card in names:
        record = Record(table=table)
        line = f"Ann suggests {', '.join(names)}: Ben shows {card}"
        game = Game(record.append(parse_line(line, table, record.turn_state)))
        sticky, random = (game.report(shows=shows) for shows in ("sticky", "random"))
        assert random.probabilities == pytest.approx(sticky.probabilities)
