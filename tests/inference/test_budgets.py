"""Whatever a search is allowed to cost, the answers are the same; hard logs cost little."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Game, load
from clue_solver.errors import Contradiction
from clue_solver.inference import argument, explain, sat
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.gains import Chances, gain
from clue_solver.inference.sat import HittingSets, Solver
from clue_solver.inference.solutions import Solutions, Worlds
from clue_solver.knowledge.evidence import Random, Sticky
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.rules.table import ANY
from clue_solver.testing import games

HARD = Path(__file__).parents[1] / "games" / "hard"

FACE_DOWN = """edition: clue-classic
players: Ann, Ben, Cat, Dan, Eve, Flo
face-down: Pool 2, Well 3
viewer: Ann

Ann holds Conservatory, Kitchen, Revolver
Eve suggests Scarlett, Wrench, Library: Flo shows
Ben suggests White, Rope, Lounge: Cat passes, Dan passes, Eve passes, Flo shows
"""


@given(st.data(), games())
def test_counting_decides_what_a_search_may_not(data: st.DataObject, game: Game) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    line = data.draw(st.sampled_from(("has", "lacks")))
    card = data.draw(st.sampled_from(game.table.cards))
    holder = data.draw(st.sampled_from(game.table.holders))
    known = knowledge_of(
        replace(game.table, shows="none", asks=ANY),
        game.observations,
        viewer=viewer,
        supposed=game.suppose(f"{holder} {line} {card}").supposed,
    )
    entries = len(game.observations)

    def answer() -> tuple[list[int], int]:
        deduction = Deduction(known)
        try:
            return deduction.possible(entries), 0
        except Contradiction as clash:
            return [], len(clash.entries)

    searched = answer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sat, "CONFLICTS", 0)
        patch.setattr(sat, "_LEAST_CONFLICTS", 0)
        assert searched[0] == answer()[0]
        assert searched[1] == answer()[1]


@given(st.data(), games())
def test_a_deal_that_is_counted_fits(data: st.DataObject, game: Game) -> None:
    known = knowledge_of(
        replace(game.table, shows="none", asks=ANY), game.observations, viewer=game.table.viewer
    )
    chosen = data.draw(st.lists(st.integers(1, max(1, known.entries)), unique=True))
    entries = [number for number in chosen if number <= known.entries]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sat, "CONFLICTS", 0)
        patch.setattr(sat, "_LEAST_CONFLICTS", 0)
        counting = Solver(known)
        deal = counting.model([counting.entry(number) for number in entries])
        fitting = counting.chosen([], range(1, known.entries + 1))
    assert deal is not None
    assert fitting is not None
    searching = Solver(known)
    placed = [searching.has(card, holder) for card, holder in enumerate(deal)]
    assert searching.model([*placed, *map(searching.entry, entries)]) == deal
    assert searching.model([searching.entry(number) for number in fitting]) is not None


@given(st.data(), games())
def test_pooled_hands_count_as_hands_apart(data: st.DataObject, game: Game) -> None:
    viewer = data.draw(st.sampled_from((None, *game.table.seats)))
    known = knowledge_of(
        replace(game.table, shows="random", asks=ANY), game.observations, viewer=viewer
    )
    pooled = Deduction(known).diagram(known.entries)
    apart = Diagram(pooled.openings, apart=True)
    assert apart.count() == pooled.count()
    assert apart.weight == pytest.approx(pooled.weight)
    assert apart.marginals() == pytest.approx(pooled.marginals(), abs=1e-12)
    assert pooled.arrows_in_all <= apart.arrows_in_all


def test_seats_that_nothing_tells_apart_are_one_hand() -> None:
    text = "edition: master-detective\nplayers: Ann, Ben, Cat, Dan, Eve, Flo, Gus, Hal, Ida, Jim\n"
    diagram = loaded(text)._deduction().diagram(0)
    assert 2 == len(diagram.pools)
    assert tuple(range(10)) == diagram.pools[0].holders
    sizes = {2: 3, 3: 7}  # 27 cards among ten hands of 2 or 3
    deals = diagram.draw(50, np.random.default_rng(1))
    for deal in deals:
        held = np.bincount(deal, minlength=11)[:10].tolist()
        assert sizes == {size: held.count(size) for size in sorted(set(held))}


def loaded(text: str) -> Game:
    from clue_solver.record.formats import parse_clue

    return Game(parse_clue(text))


def hard_records() -> list[Path]:
    return sorted(HARD.glob("*.clue"))


@pytest.mark.parametrize("path", hard_records(), ids=lambda path: path.stem)
def test_a_hard_log_costs_few_conflicts_and_arrows(path: Path) -> None:
    game = load(path)
    deduction = game._deduction()
    try:
        diagram = deduction.diagram(len(game.observations))
    except Contradiction:
        arrows = 0
    else:
        arrows = diagram.arrows_in_all
    assert 20_000_000 > arrows
    assert 20_000_000 > deduction.solver.work


def test_three_lines_that_took_a_minute() -> None:
    game = loaded(FACE_DOWN)
    report = game.report(asks="any")
    assert report.consistent
    assert game.check().consistent
    diagram = game._deduction(game._eyes(asks="any")).diagram(3)
    assert Diagram(diagram.openings, apart=True).count() == report.deals
    assert 20_000 > diagram.arrows_in_all
    assert 1_000_000 > game._deduction().solver.work


@given(st.lists(st.sets(st.integers(1, 6), min_size=1), min_size=1, max_size=6))
def test_hitting_sets_are_smallest(sets: list[set[int]]) -> None:
    found = HittingSets()
    for each in sets:
        found.hit(each)
        smallest = found.smallest(below=7)
    assert smallest is not None
    assert all(each & set(smallest) for each in sets)
    for fewer in combinations(range(1, 7), len(smallest) - 1):
        assert not all(each & set(fewer) for each in sets)
    assert found.smallest(below=len(smallest)) is None


@given(
    st.lists(st.tuples(st.integers(0, 31), st.integers(0, 3), st.integers(0, 2)), max_size=4),
)
def test_a_group_that_does_not_match_is_found_if_there_is_one(
    drawn: list[tuple[int, int, int]],
) -> None:
    hands = [(n, cards, least, least + more) for n, (cards, least, more) in enumerate(drawn)]
    full = argument._unmatched(hands, range(5), filling=False)
    too_many = [
        (group, cards)
        for size in range(6)
        for cards in combinations(range(5), size)
        for group in [[h for h in hands if any(h[1] >> c & 1 for c in cards)]]
        if size > sum(hand[3] for hand in group)
    ]
    assert bool(too_many) == (full is not None)
    if full is not None:
        places, inside = full
        assert inside.bit_count() > sum(hands[place][3] for place in places)
        assert not any(h[1] & inside for n, h in enumerate(hands) if n not in places)
    few = argument._unmatched(hands, range(5), filling=True)
    too_few = [
        group
        for size in range(len(hands) + 1)
        for group in combinations(hands, size)
        if union(hand[1] for hand in group).bit_count() < sum(hand[2] for hand in group)
    ]
    assert bool(too_few) == (few is not None)
    if few is not None:
        places, inside = few
        assert inside == union(hands[place][1] for place in places)
        assert inside.bit_count() < sum(hands[place][2] for place in places)


def union(masks: Iterable[int]) -> int:
    whole = 0
    for mask in masks:
        whole |= mask
    return whole


@given(st.integers(0, 2**32), st.booleans())
def test_what_a_question_tells_is_mutual_information(seed: int, counting: bool) -> None:
    rng = np.random.default_rng(seed)
    classes, outcomes, groups, worlds = 4, 5, 3, 30
    chance = rng.random((classes, outcomes)) * (rng.random((classes, outcomes)) < 0.6)
    chance[:, 0] += 0.1
    chance /= chance.sum(axis=1, keepdims=True)
    kind, solution = rng.integers(classes, size=worlds), rng.integers(groups, size=worlds)
    weight = rng.random(worlds)
    weight /= weight.sum()
    joint = np.zeros((classes, groups))
    np.add.at(joint, (kind, solution), weight)
    posterior = Solutions(np.arange(groups)[:, None], joint.sum(axis=0))
    drawn = Worlds(np.zeros((worlds, 1), int), weight, solution, posterior, True)
    told = gain(drawn, kind, Chances.of_table(chance), counting=counting)

    predicted = chance.T @ joint
    after = ((chance > 0).astype(float).T if counting else chance.T) @ joint
    after = after / np.maximum(after.sum(axis=1, keepdims=True), 1e-300)
    chances = predicted.sum(axis=1)
    assert chances == pytest.approx(told.chances)
    bits = entropy(joint.sum(axis=0)) - sum(
        each * entropy(row) for each, row in zip(chances, after, strict=True) if each
    )
    if not counting:
        assert bits == pytest.approx(told.bits, abs=1e-9)
    assert chances @ after.max(axis=1) == pytest.approx(told.best_after)
    assert chances @ ((after > 0).sum(axis=1) == 1) == pytest.approx(told.settles)


def entropy(chances: np.ndarray) -> float:
    some = chances[chances > 0]
    return float(-(some * np.log2(some)).sum())


def stuck(chain: argument._Chain, goal: object) -> None:
    """Find nothing."""


def test_an_argument_of_too_many_cases_says_that_the_deals_were_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = loaded(FACE_DOWN)
    assert ["told"] == [step.rule for step in game.why("Lounge", "Cat").steps]
    monkeypatch.setattr(argument, "CASES", 0)
    monkeypatch.setattr(argument._Chain, "follow", stuck)
    (step,) = game.why("Conservatory", "Ben").steps
    assert "counted" == step.rule
    assert "the cases are too many to list" in step.text


def test_a_reason_that_could_not_be_proved_smallest_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(explain, "WORK", 0)
    reason = loaded(FACE_DOWN).why("Lounge", "Cat")
    assert not reason.minimum
    assert "perhaps not the smallest" in str(reason)


@pytest.mark.parametrize("cards", [0b1, 0b11, 0b111])
def test_a_habit_has_a_chance_for_every_number_of_asked_cards(cards: int) -> None:
    for policy in (Random(), Sticky()):
        assert cards.bit_count() + 1 == len(policy.chances(cards, shown=0b1, habit=0b1))
