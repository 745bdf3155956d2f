"""Each algorithm beside its naive twin, on small random games of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Game, Table, load_edition
from clue_solver.inference import solutions
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.openings import openings
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.record.contents import Record
from clue_solver.record.header import with_key
from clue_solver.rules.table import SHOWS, Shows
from tests.random_games import TWELVE, long_game
from tests.strategies import games
from tests.twin import Deal, answers, long_answers, weighed

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
    every = weighed(game.observations, game.table, viewer, shows)
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
    every = weighed(game.observations, game.table, game.table.viewer, shows)
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
