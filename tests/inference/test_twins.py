"""
Each algorithm beside its naive twin, on small random games of every kind.

Many positions in one call, where nothing is compiled; in machine code: tests/deep.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import ArgumentError, Game, Table, load_edition
from clue_solver.inference import solutions
from clue_solver.inference.batch import Evaluations, evaluate
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.openings import openings
from clue_solver.inference.positions import Positions
from clue_solver.knowledge.clauses import Clause, Layout
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from clue_solver.record.contents import Record
from clue_solver.record.header import with_key
from clue_solver.rules.table import ANY, SHOWS, Shows
from tests.random_games import TWELVE, long_game
from tests.strategies import games
from tests.twin import Deal, answers, long_answers, weighted_deals

policies = st.sampled_from(SHOWS)


def viewers(game: Game) -> st.SearchStrategy[str | None]:
    return st.sampled_from((None, *game.table.seats))


def deduced(game: Game, viewer: str | None, shows: Shows) -> Deduction:
    return Deduction(
        knowledge_of(replace(game.table, shows=shows), game.observations, viewer=viewer)
    )


def posterior(found: solutions.Solutions) -> dict[tuple[int, ...], float]:
    return {
        tuple(sorted(cards)): chance
        for cards, chance in zip(found.cards.tolist(), found.probability.tolist(), strict=True)
    }


@given(st.data(), games(), policies)
def test_a_report_is_what_the_rules_say_deal_by_deal(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    """So is what it is read off, however many arrows a diagram has."""
    viewer = data.draw(viewers(game))
    oracle = answers(game.observations, game.table, viewer, shows)
    report = game.report(viewer=viewer or "spectator", shows=shows)
    assert report.deals == oracle.deals
    for card in report.cards:
        for holder in report.holders:
            chance = float(oracle.probability[card][holder])
            assert report.probability(card, holder) == pytest.approx(chance, abs=1e-9)
            assert report.verdict(card, holder) == oracle.verdicts[card][holder]
    exact = {cards: pytest.approx(float(chance)) for cards, chance in oracle.solutions.items()}
    assert dict(report.solutions) == exact
    assert (report.verdicts == 2).tolist() == (report.probabilities == 0).tolist()
    deduction, upto = deduced(game, viewer, shows), len(game.observations)
    diagram = deduction.diagram(upto)
    assert diagram.count() == oracle.deals
    assert diagram.marginals() == pytest.approx(report.probabilities, abs=1e-12)
    whole = posterior(deduction.solutions(upto))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solutions, "MOST_AT_ONCE", 4)
        pieces = posterior(Deduction(deduction.knowledge).solutions(upto))
    assert pieces == pytest.approx(whole, rel=1e-10, abs=1e-12)


def numbered(game: Game, deal: Deal) -> tuple[int, ...]:
    """A deal as the number of the holder of each card."""
    return tuple(game.table.holders.index(deal[card]) for card in game.table.cards)


@given(st.data(), games(), policies)
def test_how_cards_lie_with_the_solution_is_what_all_deals_say(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    viewer = data.draw(viewers(game))
    deduction = deduced(game, viewer, shows)
    layout, upto = deduction.knowledge.layout, len(game.observations)
    cards = tuple(data.draw(st.lists(st.integers(0, layout.cards - 1), max_size=3, unique=True)))
    place = np.array(data.draw(st.permutations(range(layout.holders)))) // 2
    found = solutions.joint(deduction.diagram(upto), layout, cards, place)
    every = weighted_deals(game.observations, game.table, viewer, shows)
    whole = sum(weight for _, weight in every)
    exact: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
    for deal, weight in every:
        lies = numbered(game, deal)
        way = tuple(int(place[lies[card]]) for card in cards)
        inside = tuple(card for card, holder in enumerate(lies) if holder == layout.envelope)
        exact[way, inside] = exact.get((way, inside), 0.0) + float(weight / whole)
    shared = [
        chance / size
        for chance, size in zip(found.probability, found.size[found.group], strict=True)
        for _ in range(size)
    ]
    ways = np.repeat(found.owners, found.size[found.group], axis=0)
    assert sorted(zip(map(tuple, ways.tolist()), shared, strict=True)) == [
        (way, pytest.approx(chance, abs=1e-9))
        for way, chance in sorted((way, chance) for (way, _), chance in exact.items() if chance)
    ]


def test_no_deal_fits_where_propagation_leaves_a_card_no_holder() -> None:
    table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Cat"))
    known = knowledge_of(table, (), viewer=None)
    diagram = Diagram(openings(known, [0, *[0b1111] * (known.layout.cards - 1)]))
    assert not diagram.fits
    assert diagram.count() == 0


@given(games(), policies)
def test_every_entry_can_be_taken_back(game: Game, shows: Shows) -> None:
    whole = game.seen(shows=shows).deduction
    for upto in range(len(game.observations) + 1):
        part = deduced(Game(game.record.upto(upto)), game.table.viewer, shows)
        assert whole.possible(upto) == part.possible(upto)
        assert whole.diagram(upto).marginals() == pytest.approx(part.diagram(upto).marginals())


@given(games(), policies, st.integers(0, 2**32))
def test_drawn_deals_have_the_exact_frequencies(game: Game, shows: Shows, seed: int) -> None:
    deduction = game.seen(shows=shows).deduction
    diagram = deduction.diagram(len(game.observations))
    count, holders = 4_000, deduction.knowledge.layout.holders
    deals = diagram.draw(count, np.random.default_rng(seed))
    drawn = np.stack([(deals == holder).mean(axis=0) for holder in range(holders)], axis=1)
    exact = diagram.marginals()
    spread = np.sqrt(exact * (1 - exact) / count)
    assert (np.abs(drawn - exact) <= 6 * spread + 1e-9).all()
    every = weighted_deals(game.observations, game.table, game.table.viewer, shows)
    fitting = {numbered(game, deal) for deal, _ in every}
    assert {tuple(deal) for deal in deals.tolist()} <= fitting


@pytest.mark.parametrize("viewer", [None, "Ann"])
@pytest.mark.parametrize("asks", ["adaptive", "careful 0.0001", "careful, Ann any, Ben adaptive"])
def test_a_long_log_says_what_all_deals_say(asks: str, viewer: str | None) -> None:
    whole = long_game(TWELVE, 3, questions=60, heard=0.01, careless=0.3, seed=1)
    table = with_key(replace(whole.table, viewer=viewer), "asks", asks)
    game = Game(Record(table=table, entries=whole.entries if viewer else whole.entries[1:]))
    exact, report = long_answers(game.observations, table, viewer), game.report()
    assert exact.deals == report.deals
    assert exact.probability == pytest.approx(report.probabilities, abs=1e-9)
    assert exact.solutions == pytest.approx(dict(report.solutions), abs=1e-9)
    assert exact.bits == pytest.approx(report.bits, abs=1e-9)


EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LAYOUT = Layout(
    cards=9, seats=3, categories=(0b111, 0b111000, 0b111000000), bounds=((2, 2), (2, 2), (2, 2))
)


def same(one: Evaluations, other: Evaluations) -> None:
    assert one.consistent.tolist() == other.consistent.tolist()
    assert one.verdicts.tolist() == other.verdicts.tolist()
    assert one.deals.tolist() == other.deals.tolist()
    for name in ("marginals", "solutions", "bits"):
        expected = pytest.approx(getattr(other, name), rel=1e-10, abs=1e-12, nan_ok=True)
        assert getattr(one, name) == expected


def ends(known: list[Knowledge]) -> Positions:
    """All of what was known."""
    return Positions.beginnings([(whole, (whole.entries,)) for whole in known])


def known(
    record: Record, viewer: str | None, *upto: int | None, shows: Shows = "random"
) -> Positions:
    """What a viewer knows after these entries, or after all."""
    table = replace(record.table, shows=shows, asks=ANY)
    logs = [record.observations[:each] for each in upto or (None,)]
    return ends([knowledge_of(table, log, viewer=viewer) for log in logs])


def moments(game: Game, *upto: int, asks: str | None = None) -> Positions:
    """What the viewer of a game knows after these entries."""
    return Positions.beginnings([(game.seen(asks=asks).deduction.knowledge, upto)])


@given(st.data(), games())
def test_it_says_what_listing_all_deals_says(data: st.DataObject, game: Game) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    table = replace(game.table, shows="random", asks=ANY)
    knowledge = knowledge_of(table, game.observations, viewer=viewer)
    oracle = answers(game.observations, table, viewer)
    found = evaluate(ends([knowledge]), fast=False)
    assert found.deals.tolist() == [oracle.deals]
    cells = [[float(chance) for chance in row.values()] for row in oracle.probability.values()]
    assert found.marginals[0] == pytest.approx(np.array(cells), abs=1e-9)
    marks = ["open", "holds", "lacks"]
    verdicts = [[marks.index(each) for each in row.values()] for row in oracle.verdicts.values()]
    assert found.verdicts[0].tolist() == verdicts
    posterior = [float(chance) for chance in oracle.solutions.values()]
    assert found.bits[0] == pytest.approx(-np.dot(posterior, np.log2(posterior)), abs=1e-9)


def test_positions_of_two_tables_do_not_go_together() -> None:
    with pytest.raises(ArgumentError, match="one table"):
        Positions.beginnings([])


def test_rows_find_room() -> None:
    asked = Positions(LAYOUT, 2)
    for card in range(9):
        asked.learn(1, [Clause((1,), 0, 0b111111111 ^ 1 << card, True)] * 5, [])
    assert asked.used.tolist() == [0, 45]
    assert evaluate(asked, fast=False).deals.tolist() == [2430, 2430]


def test_only_those_asked_for_are_evaluated() -> None:
    found = evaluate(Positions(LAYOUT, 3), which=[1], fast=False)
    assert np.isfinite(found.bits).tolist() == [False, True, False]
