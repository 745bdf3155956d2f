"""Games played on by notebooks: what the notes say is true, and who wins what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pytest
from msgspec.structs import replace

from clue_solver import Table, load_edition
from clue_solver.answers.known import KnownGame
from clue_solver.answers.winning import Winning
from clue_solver.arena.dealing import deal
from clue_solver.inference import notebooks, rollouts
from clue_solver.inference.arrays import Ints, Truths
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.notebooks import Holdings, Masks, Notebooks, UnseenByViewer, Witness
from clue_solver.inference.rollouts import (
    THRESHOLDS,
    Estimate,
    FinishedGames,
    Race,
    Rollouts,
    TurnPlan,
)
from clue_solver.knowledge.clauses import Clause, card_numbers
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.record.files import parse_record
from clue_solver.rules.edition import Answering
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import ANY, Asks
from tests.inference.test_counts import LARGEST
from tests.inference.test_twins import LAYOUT
from tests.random_games import random_game

HAND = """\
edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann
board: none

Ann holds Plum, Rope, Hall, Study, Knife, Green
"""


def winning(
    table: Table, log: tuple[Observation, ...], *, worlds: int = 64, asked: bool = False
) -> Winning:
    table = replace(table, viewer=table.viewer or table.seats[0])
    known = knowledge_of(table, log, viewer=table.viewer)
    position = KnownGame(table, log, Deduction(known))
    return Winning(position, asked=asked, rng=np.random.default_rng(1), worlds=worlds)


def true(books: Notebooks) -> bool:
    """Whether the notes of every seat agree with where the cards lie."""
    lies = books.held.cards
    return not (books.has & ~lies).any() and not (lies & ~books.may).any()


def deducers(played: Winning) -> Winning:
    """Let all seats note either-ors and ask for the likeliest cards."""
    played.rollouts.start.notes_all[:] = -1
    return played


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the notes were true each time that they were settled."""
    settle, found = Notebooks.settle, list[bool]()

    def checked(books: Notebooks) -> None:
        settle(books)
        found.append(true(books))

    monkeypatch.setattr(Notebooks, "settle", checked)
    return found


@pytest.mark.parametrize(
    ("edition", "seats", "turns", "rule", "board"),
    [
        ("clue-classic", 3, 0, "first", "none"),
        ("clue-classic", 6, 14, "all", None),
        ("clue-2015", 5, 6, "first", "none"),
        ("clue-diced", 3, 5, "first", None),
        ("master-detective", 4, 8, "first", None),
    ],
)
def test_every_certainty_of_the_notes_is_true(
    settled: list[bool],
    *,
    edition: str,
    seats: int,
    turns: int,
    rule: Answering,
    board: Literal["none"] | None,
) -> None:
    record = random_game(edition, seats, turns=turns, seed=3)
    table = replace(record.table, answers=rule, board=board, asks=ANY)
    played = winning(table, record.observations[: None if rule == "first" else 1])
    outcomes = deducers(played).rollouts.play(played.plan(), most=1000)
    assert all(settled)
    assert len(settled) > 2
    assert (outcomes.winner >= 0).all()


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("rule", ["first", "all"])
def test_who_shows_by_each_rule_is_noted_by_everybody(seats: int, rule: Answering) -> None:
    record = random_game("clue-classic", seats, turns=0, seed=7)
    books = winning(replace(record.table, asks=ANY), record.observations[:1]).rollouts.start
    rng = np.random.default_rng(2)
    asked = np.bitwise_or.reduce(
        [1 << rng.choice(card_numbers(mask), books.worlds) for mask in books.layout.categories]
    ).astype(books.dtype)
    order = [*range(1, seats), 0][:-1]
    may, has = books.may.copy(), books.has.copy()
    books.suggest(0, asked, order, rng, who_shows=rule)
    for world in range(books.worlds):
        cards = int(asked[world])
        able = [seat for seat in order if cards & int(books.held.cards[seat, world])]
        showers = {"first": able[:1], "all": able}[rule]
        first = able and rule == "first"
        reached = order[: order.index(showers[0]) + 1] if first else order
        seen = books.has[books.row_of[0], :, world] & ~has[books.row_of[0], :, world]
        for seat in order:
            could = cards & int(books.held.cards[seat, world])
            known = int(has[books.row_of[0], seat, world])
            assert not int(seen[seat]) & ~could
            assert (seat in showers) <= bool((int(seen[seat]) | known) & could)
            assert (seat in showers) >= bool(int(seen[seat]))
            passed = cards if seat in reached and seat not in showers else 0
            assert (books.may[:, seat, world] == may[:, seat, world] & ~passed).all()


@pytest.mark.parametrize("board", [None, "none"])
def test_reading_in_games_played_on_is_true_of_these_players(
    settled: list[bool], board: str | None
) -> None:
    record = random_game("clue-classic", 4, turns=0, seed=5)
    table = replace(record.table, board=board, asks=(Asks(model="careful", level=0.02),))
    played = winning(table, record.observations)
    played.rollouts.play(played.plan(), most=1000)
    assert all(settled)


def test_a_deck_of_forty_cards_is_played_on_like_any_other(settled: list[bool]) -> None:
    record = random_game(LARGEST, 4, turns=4, seed=1)
    played = winning(replace(record.table, asks=ANY), record.observations, worlds=8)
    played.rollouts.play(played.plan(), most=60)
    assert settled
    assert all(settled)


def test_equal_players_need_as_many_turns_as_perfect_ones() -> None:
    """Perfect deducers, by the exact engine: 12.42 ± 0.23, the first mover 33.7% ± 2.4."""
    record = random_game("clue-classic", 4, turns=0, seed=2)
    table = replace(record.table, board="none", asks=ANY)
    played = winning(table, record.observations, worlds=1000)
    plan = played.plan()
    outcomes = deducers(played).rollouts.play(plan, most=1000)
    assert 11.4 < outcomes.turns.mean() < 13.6
    assert 0.26 < (outcomes.winner == 0).mean() < 0.42
    assert (outcomes.wins(1.0) == (outcomes.winner == 0)).all()
    cut = played.rollouts.play(
        plan._replace(most=6), most=1000
    )  # after the most turns nobody has won
    assert cut.turns.max() == 6
    assert (cut.winner == -1).any()
    assert cut.wins(1.0).mean() < outcomes.wins(1.0).mean()


def test_games_are_played_on_for_so_many_cells_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    record = random_game("clue-classic", 4, turns=0, seed=2)
    table = replace(record.table, board="none", asks=ANY)
    played = winning(table, record.observations, worlds=100)
    layout = played.rollouts.start.layout
    cells = layout.seats * layout.holders * layout.cards
    worlds = played.rollouts.worlds
    monkeypatch.setattr(rollouts, "MOST_CELLS", 3 * worlds * cells)
    cut = played.rollouts.play(played.plan(), most=1000)
    assert 2 * worlds < cut.turns.sum() <= 3 * worlds
    assert (cut.winner == -1).any()


def test_wins_are_of_the_first_turn_that_is_sure_enough() -> None:
    chances = np.array([[0.4, 0.4, 0.2, -1.0], [1.0, 0.7, 1.0, -1.0]])
    right = np.array([[False, True, False, False], [True, False, True, False]])
    none = np.zeros(4, np.int64)
    played = FinishedGames(chances, right, none, none)
    assert played.wins(0.3).tolist() == [False, True, True, False]
    assert played.wins(0.5).tolist() == [True, False, True, False]
    assert played.wins(1.0).tolist() == [True, False, True, False]
    assert played.won().shape == (4,)
    assert THRESHOLDS[-1] == 1.0
    assert 0.0 < Estimate.of(np.zeros(50, bool)).error < 0.1


QUESTIONS: dict[tuple[str, ...], float] = {
    (suspect, "Rope", room): 1.0
    for suspect in ("Plum", "White")
    for room in ("Hall", "Study", "Kitchen")
}


class Decided(Rollouts):
    """
    A thousand worlds in which it is decided how many games each question wins.

    Attributes:
        wins: How many, by question.
        rounds: How many rivals of the first question were played on in how many worlds.
    """

    def __init__(self, wins: Mapping[int, float]) -> None:
        deal = np.array([[3, 0, 1, 3, 2, 0, 3, 1, 2]])
        super().__init__(
            LAYOUT,
            0,
            np.repeat(deal, 1000, axis=0),
            [Witness(())] * 3,
            possible=[1 << holder for holder in deal[0]],
            marginals=np.equal(deal.T, np.arange(4)).astype(float),
            rng=np.random.default_rng(1),
            most=1000,
        )
        self.wins = wins
        self.rounds: list[tuple[int, int]] = []

    def extend(
        self,
        plan: TurnPlan,
        won: dict[int, Truths],
        questions: Sequence[int],
        looks: Mapping[int, int],
        upto: int,
    ) -> None:
        self.rounds.append((len(questions) - 1, upto))
        thousand = np.arange(1000) * 37 % 1000  # in an order that mixes them
        for question in questions:
            won[question] = (thousand < round(1000 * self.wins[question]))[:upto]


def raced(*more: float, reach: float = 1.0) -> tuple[Race[int], Decided]:
    """Race questions 1, 2, ... that win so much more than question 0, the last with a reach."""
    worlds = Decided(dict(enumerate([0.4, *(0.4 + each for each in more)])))
    plan = TurnPlan(0, (0, 1, 2), ((1, 2), (2, 0), (0, 1)), "first", ((0, 1, 2),))
    weight = dict.fromkeys(worlds.wins, 1.0) | {len(more): reach}
    return worlds.race(plan, [*worlds.wins], looks={}, weight=weight), worlds


@pytest.mark.parametrize(("more", "better"), [((0.012, -0.3), []), ((0.0, 0.013, -0.3), [2])])
def test_the_last_question_must_be_better_by_three_and_a_half_standard_errors(
    more: tuple[float, ...], better: list[int]
) -> None:
    """Of a thousand games twelve more are 3.49 standard errors, thirteen 3.63."""
    assert [*raced(*more)[0].better] == better


def test_fewer_questions_are_played_on_in_more_worlds() -> None:
    found, worlds = raced(0.1, 0.05, 0.02, -0.1, -0.2)
    assert worlds.rounds == [(5, 125), (4, 250), (2, 500), (1, 1000)]
    errors = [found.chances[question].error for question in range(6)]
    assert max(errors[:2]) < errors[2] < errors[4]


def test_a_room_that_is_harder_to_reach_counts_with_its_chance_in_a_race() -> None:
    assert [*raced(0.08, 0.1)[0].better] == [2]
    assert [*raced(0.08, 0.1, reach=0.5)[0].better] == [1]


def test_what_is_raced_does_not_depend_on_what_else_is_played() -> None:
    record = random_game("clue-classic", 3, turns=4, seed=1)
    table = replace(record.table, board="none", asks=ANY)
    alone, after = (winning(table, record.observations, worlds=200) for _ in range(2))
    after.wait()
    one, other = (each.race(QUESTIONS) for each in (alone, after))
    assert one == other
    assert all(0.0 < each.value < 1.0 for each in one.chances.values())


def test_worlds_in_which_a_rival_would_have_accused_count_less() -> None:
    log = HAND
    for cards in ("White, Wrench, Lounge", "White, Revolver, Library"):
        log += f"Ben suggests {cards}: Cat passes, Ann passes\n"
        log += "Cat suggests Scarlett, Candlestick, Kitchen: ?\n"
        log += "Ann suggests Scarlett, Candlestick, Kitchen: ?\n"
    record = parse_record(log)
    by_rules, usual = (
        winning(replace(record.table, asks=asks), record.observations, worlds=2000, asked=True)
        for asks in (ANY, ())
    )
    assert by_rules.rollouts.worlds == 2000
    assert usual.rollouts.worlds < 2000


def test_silence_counts_once_however_many_rivals_could_have_accused() -> None:
    """In every other world both rivals know the envelope: one by its hand, one by a card it saw."""
    everybody = tuple(Clause((1,), 3, 1 << card, card != 8) for card in (0, 3, 8))
    saw = (UnseenByViewer(entry=1, holder=1, cards=0b11000000),)
    deals = np.tile([[3, 1, 2, 3, 0, 0, 3, 1, 2], [3, 1, 2, 3, 0, 1, 3, 0, 2]], (50, 1))
    marginals = np.stack([(deals == holder).mean(axis=0) for holder in range(4)], axis=1)
    played = Rollouts(
        LAYOUT,
        0,
        deals,
        [Witness(()), Witness(everybody, over=2), Witness(everybody, saw, over=2)],
        possible=[sum(1 << h for h in range(4) if row[h]) for row in marginals],
        marginals=marginals,
        rng=np.random.default_rng(1),
        most=100,
    )
    weights = np.array([rollouts.SILENCE, 1.0])
    assert played.worth == pytest.approx(100 * weights.mean() ** 2 / (weights**2).mean())
    assert played.reweight(np.array([73, 146]), np.array([1.0, 0.0])).tolist() == [1.0, 0.0]


def test_who_names_the_same_cards_again_asks_for_the_likeliest() -> None:
    steady = changing = HAND
    for suspect, weapon, room in (
        ("White", "Wrench", "Lounge"),
        ("Peacock", "Revolver", "Library"),
        ("Mustard", "Candlestick", "Kitchen"),
    ):
        steady += f"Ben suggests White, Wrench, {room}: Cat shows\n"
        steady += f"Cat suggests Scarlett, Lead Pipe, {room}: Ann passes, Ben shows\n"
        changing += f"Ben suggests {suspect}, {weapon}, {room}: Cat shows\n"
        changing += f"Cat suggests {suspect}, {weapon}, {room}: Ann passes, Ben shows\n"
    loose = []
    for text in (steady, changing):
        record = parse_record(text)
        start = winning(record.table, record.observations, worlds=1000).rollouts.start
        loose.append((start.notes_all[1:] == 0).mean())
    assert loose[0] < 0.3
    assert loose[1] > 0.7


def test_what_is_asked_again_was_hardly_what_was_shown() -> None:
    record = parse_record(
        HAND + "Ben suggests White, Candlestick, Kitchen: Cat shows\n"
        "Ben suggests White, Wrench, Lounge: ?\n"
    )
    played = winning(record.table, record.observations, worlds=1000)
    known = knowledge_of(record.table, record.observations, viewer="Ann")
    before = Deduction(known).diagram(3).marginals()
    cat = 2
    white, candlestick = (record.table.cards.index(card) for card in ("White", "Candlestick"))
    assert played.rollouts.marginals[white, cat] < before[white, cat] - 0.05
    assert played.rollouts.marginals[candlestick, cat] > before[candlestick, cat] + 0.05


def test_all_that_can_be_asked_is_as_likely_as_before_together() -> None:
    record = random_game("clue-classic", 4, turns=8, seed=3)
    table = replace(record.table, board="none", asks=ANY)
    books = winning(table, record.observations, worlds=50).rollouts.start
    for mask in books.layout.categories:
        own = books.held.cards[2]
        others = [1 << card for card in card_numbers(mask)]
        likely = [np.where(own & card, 0.0, books.likelihood(2, card)) for card in others]
        number = notebooks.card_count(mask & ~own)
        assert np.allclose(np.sum(likely, axis=0), number)


def test_of_cards_of_which_a_hand_has_one_four_say_no_more_than_none() -> None:
    def best(*cards: int) -> float:
        books = Notebooks(LAYOUT, 0, Holdings.of(LAYOUT, np.array([[3, 0, 1, 3, 2, 0, 3, 1, 2]])))
        if cards:
            books.learn(1, [Clause((1,), 2, sum(1 << card for card in cards), True)])
        return books.best(1)[1].item()

    assert best(0, 4, 5, 8) == best() != best(0, 4, 8)


def chance_of_best(may: list[int], has: list[int], sizes: list[int], told: list[set[int]]) -> float:
    """The chance of a seat's best accusation, card by card, by the either-ors of each hand."""
    chance = 1.0
    for category in LAYOUT.categories:
        inside = []
        for card in [1 << number for number in card_numbers(category) if may[-1] >> number & 1]:
            outside = 0.0
            for hand, size in enumerate(sizes):
                unsure = may[hand] & ~has[hand]
                if card & unsure:
                    need = (size - has[hand].bit_count()) / unsure.bit_count()
                    left = [cards & may[hand] for cards in told[hand] if not cards & has[hand]]
                    few = [cards.bit_count() for cards in left if cards & card]
                    fewest = min([number for number in few if number <= 3], default=None)
                    outside += need / (1 - (1 - need) ** fewest) if fewest else need
            among = (may[-1] & category).bit_count()
            inside.append(1 / (1 + among * outside))
        chance *= max(inside) / sum(inside)
    return chance


@pytest.mark.parametrize("turns", [1, 2, 4, 7])
def test_chances_depend_on_no_either_or_of_another_holder_or_another_world(turns: int) -> None:
    rng = np.random.default_rng(turns)
    first, known, deals = np.array([0, 3, 6]), 0b1010001, list[Ints]()
    while len(deals) < 200:
        lies = np.full(9, 3)
        hands = np.delete(np.arange(9), rng.integers(3, size=3) + first)
        lies[hands] = rng.permutation([0, 0, 1, 1, 2, 2])
        if (lies[card_numbers(known)] == 2).any():
            deals.append(lies)
    books = Notebooks(LAYOUT, 0, Holdings.of(LAYOUT, np.array(deals)))
    books.learn(1, [Clause((1,), 2, known, True)])
    told: list[list[set[int]]] = [[set() for _ in range(3)] for _ in deals]
    for turn in range(turns):
        answering = [(turn + 1) % 3, (turn + 2) % 3]
        asked = (1 << (rng.integers(3, size=(200, 3)) + first)).sum(axis=1).astype(np.int32)
        books.suggest(turn % 3, asked, answering, rng, who_shows="first")
        for world, cards in enumerate(asked.tolist()):
            able = [seat for seat in answering if books.held.cards[seat, world] & cards]
            if able:
                told[world][able[0]].add(cards)
    books.settle()
    for seat in range(3):
        found = books.best(seat)[1]
        for world, (*others, last) in enumerate(told):
            either_ors = [*others, last | {known} if seat == 1 else last]
            may, has = books.may[seat, :, world].tolist(), books.has[seat, :, world].tolist()
            expected = chance_of_best(may, has, [2, 2, 2], either_ors)
            assert found[world] == pytest.approx(expected, rel=1e-4)


def test_who_names_own_cards_names_them_in_every_category_but_that_of_rooms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    named, suggest = list[list[bool]](), Notebooks.suggest

    def heard(books: Notebooks, by: int, asked: Masks, *more: Any, **how: Any) -> None:
        held = [books.held.cards[by] & mask for mask in books.layout.categories]
        named.append([bool((asked & own)[own != 0].all()) for own in held])
        suggest(books, by, asked, *more, **how)

    monkeypatch.setattr(Notebooks, "suggest", heard)
    record = parse_record(HAND)
    played = winning(record.table, record.observations)
    played.rollouts.play(played.plan()._replace(own=(1.0,) * 3, rooms=2, most=3), most=1000)
    assert [True, True, False] in named


def test_rivals_who_ask_for_any_cards_and_note_no_either_ors_leave_more_time() -> None:
    record = parse_record(HAND + "Ben suggests White, Wrench, Lounge: Cat shows\n")
    played = winning(record.table, record.observations, worlds=200)
    plan = played.plan()._replace(own=())
    start, turns = played.rollouts.start, []
    for noted in (-1, 0):
        start.notes_all[1:] = noted
        turns.append(played.rollouts.play(plan, most=1000).turns.mean())
    assert turns[0] < turns[1]


def test_who_names_own_cards_is_taken_to_do_so(settled: list[bool]) -> None:
    text = HAND
    for suspect, weapon in (("White", "Wrench"), ("Peacock", "Revolver")):
        asked = f"{suspect}, {weapon}, Lounge"
        text += f"Ben suggests {asked}: Cat shows\nAnn suggests {asked}: Ben shows {suspect}\n"
    record = parse_record(text)
    never = replace(record.table, asks=(Asks(model="careful", level=0.02),))
    honest, own = (winning(table, record.observations) for table in (never, record.table))
    assert honest.plan().own == (0.0,) * 3
    assert own.plan().own[1] > 0.1
    assert (own.rollouts.play(own.plan(), most=1000).winner >= 0).any()
    assert all(settled)


def test_face_down_cards_are_looked_at_while_games_are_played_on() -> None:
    dealt = deal(load_edition("clue-2015"), 2, np.random.default_rng(1))
    table = replace(dealt.table, viewer="Ann", solution=())
    played = winning(table, (dealt.hand("Ann"),), worlds=50)
    plan = played.plan()
    assert tuple(range(2, 2 + len(table.slots))) == plan.looks
    books = played.rollouts.start
    before = [(books.has[:, slot] != 0).sum() for slot in plan.looks]
    for _ in plan.looks:
        books.look(1, plan.looks, played.rollouts.rng, reach=1.0)
    assert true(books)
    for slot in plan.looks:
        assert (books.has[books.row_of[1], slot] == books.held.cards[slot]).all()
    assert sum(before) < sum((books.has[:, slot] != 0).sum() for slot in plan.looks)
