"""What is learned of players: likelihoods against all deals, habits that are known, the words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import log
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Contradiction, Game, Habits, Table, habits, load, parse_record
from clue_solver.answers.habits import CARE, NODES, SeatGame, estimate, game_habits
from clue_solver.arena.dealing import Dealt
from clue_solver.record import Record, asks_in, save
from clue_solver.rules.observations import (
    Finger,
    Hand,
    Observation,
    Question,
    Suggestion,
)
from clue_solver.rules.table import ENVELOPE, Asks
from clue_solver.testing import Played, played
from tests import twin

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

import habits as simulated  # noqa: E402
from simulate import answers, random_deal  # noqa: E402

from clue_solver.rules.edition import load_edition  # noqa: E402

ANY = Asks(model="any")
TOLD = (0, 5, 20, 47)
"""The nodes at which likelihoods are compared with those of all deals."""


def shown(
    observations: Sequence[Observation], table: Table
) -> Iterator[tuple[str, str, str, set[str]]]:
    """Every card that was shown in an answer: by whom, to whom, the card, what was asked for."""
    for each in observations:
        if isinstance(each, Suggestion | Finger):
            for answer in each.answers:
                if answer.card is not None:
                    yield answer.seat or "", each.by, answer.card, set(each.cards)
        elif isinstance(each, Question) and each.card is not None:
            yield each.seat, each.by, each.card, twin.asked(each, table)


def showing(
    deal: twin.Deal, table: Table, observations: Sequence[Observation], sticky: dict[str, float]
) -> float:
    """How likely those cards were shown, at random by all seats but those that stick to a card."""
    likely = 1.0
    before: dict[tuple[str, str], set[str]] = {}
    for seat, asker, card, asked in shown(observations, table):
        habit, could = before.setdefault((seat, asker), set()), asked & twin.held(deal, seat)
        usual = could & habit
        again = sticky.get(seat, 0.0) if usual else 0.0
        likely *= again * (card in usual) / max(len(usual), 1) + (1 - again) / len(could)
        habit.add(card)
    return likely


def fitting(table: Table, observations: Sequence[Observation]) -> list[twin.Deal]:
    """The deals that agree with what everybody saw, and with the solution of the header."""
    eyes = (*table.seats, None)
    return [
        deal
        for deal in twin.all_deals(table)
        if all(twin.fits(deal, observations, table, viewer) for viewer in eyes)
        and (not table.solution or twin.held(deal, ENVELOPE) == set(table.solution))
    ]


def expected(game: Played, table: Table, seats: tuple[str, ...]) -> tuple[list[float], list[float]]:
    """The likelihoods at the nodes, of care and of sticking, by listing all deals."""
    observations = game.record.observations
    deals = fitting(table, observations)
    care, sticking = list[float](), list[float]()
    for node in TOLD:
        models = (ANY, *(Asks(model="careful", level=CARE[node], seat=seat) for seat in seats))
        asking = replace(table, asks=models)
        care.append(
            sum(
                float(twin.behaved(deal, observations, asking, Fraction(1)))
                * showing(deal, table, observations, {})
                for deal in deals
            )
        )
        sticky = dict.fromkeys(seats, float(NODES[node]))
        sticking.append(sum(showing(deal, table, observations, sticky) for deal in deals))
    return care, sticking


@settings(max_examples=40)
@given(played(most=7), st.booleans())
def test_likelihoods_are_those_of_all_deals(game: Played, told: bool) -> None:
    table = replace(game.record.table, shows="random")
    if told:
        solution = tuple(card for card in table.cards if game.deal[card] == ENVELOPE)
        table = replace(table, solution=solution)
    found = game_habits(table, game.record.observations)
    for seats, each in (
        *(((seat,), each) for seat, each in found.seats.items()),
        (table.seats, found.everyone),
    ):
        care, sticking = expected(game, table, seats)
        assert ratios(care) == pytest.approx(at(each.careful))
        assert ratios(sticking) == pytest.approx(at(each.sticky))


def ratios(likelihoods: list[float]) -> list[float]:
    """The logarithms of likelihoods, relative to the last."""
    return [log(each / likelihoods[-1]) for each in likelihoods]


def at(likelihood: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[float]:
    """Those at the nodes that are compared."""
    return [float(likelihood[node] - likelihood[TOLD[-1]]) for node in TOLD]


@settings(max_examples=30)
@given(played(most=7))
def test_own_cards_are_counted_over_all_deals(game: Played) -> None:
    table, observations = replace(game.record.table, shows="none"), game.record.observations
    found = game_habits(table, observations)
    deals = fitting(table, observations)
    for seat, each in found.seats.items():
        named = [
            card
            for one in observations
            if isinstance(one, Suggestion) and one.by == seat
            for card in one.cards
            if card in table.cards
            and (table.board == "none" or table.edition.category_of[card] != "room")
        ]
        own = [sum(deal[card] == seat for card in named) for deal in deals]
        assert len(named) == each.asked
        assert sum(own) / len(deals) == pytest.approx(each.own)


# Simulated players whose habits are known.


def careful(levels: dict[str, float]) -> simulated.Asking:
    """Players who name each own card so many times less likely than another."""

    def ask(random: Random, dealt: Dealt, by: str, seen: set[str]) -> tuple[str, ...]:
        asked = []
        for kind in dealt.table.edition.category:
            names = [card.name for card in kind.cards]
            level = levels[by] if kind.name != "room" else 1.0
            weights = [level if name in dealt.hands[by] else 1.0 for name in names]
            asked += random.choices(names, weights)
        return tuple(asked)

    return ask


def simulate(
    seed: int,
    asking: simulated.Asking,
    choosing: Callable[..., Callable[..., str]],
    *,
    rounds: int = 6,
    known: bool = True,
) -> Game:
    """A game whose record has all hands, and all cards that were shown, or one player's notes."""
    random = Random(seed)
    dealt = random_deal(random, load_edition("clue-classic"), 4)
    table = dealt.table
    if not known:
        log = simulated.log_of(dealt, random, asking, choosing(random, dealt), rounds)
        return Game(taken(table, log))
    record: list[Observation] = [
        Hand(seat=seat, cards=tuple(sorted(hand))) for seat, hand in dealt.hands.items()
    ]
    choose = choosing(random, dealt)
    for by in table.seats * rounds:
        asked = asking(random, dealt, by, set())
        told = answers(dealt, by, asked, choose=choose)
        record.append(Suggestion(by=by, cards=asked, answers=told))
    return Game(taken(table, record))


def taken(table: Table, observations: Sequence[Observation]) -> Record:
    record = Record(table=table)
    for each in observations:
        record = record.append(each)
    return record


LEVELS = {"Ann": 0.05, "Ben": 0.25, "Cat": 0.6, "Dan": 1.0}


@pytest.mark.parametrize("known", [True, False])
def test_a_known_care_is_in_nine_of_ten_intervals(known: bool) -> None:
    inside, apart = 0, 0
    for seed in range(12):
        games = [
            simulate(1000 * seed + game, careful(LEVELS), simulated.at_random, known=known)
            for game in range(6)
        ]
        told = habits(games)
        values = {each.seat: each.careful for each in told.players}
        for seat, level in LEVELS.items():
            low, high = values[seat].interval
            inside += low <= level <= high
        apart += values["Ann"].value < values["Dan"].value
        assert all(6 == each.games for each in told.players)
    assert 39 <= inside  # of 48; 43 are expected
    assert 12 == apart


@pytest.mark.parametrize(
    ("choosing", "share", "lines"),
    [
        (simulated.the_same_again, (0.8, 1.0), ["shows: sticky"]),
        (simulated.at_random, (0.0, 0.25), []),
    ],
)
def test_sticking_is_told_from_chance(
    choosing: Callable[..., Callable[..., str]], share: tuple[float, float], lines: list[str]
) -> None:
    games = [simulate(seed, simulated.uniform, choosing, rounds=10) for seed in range(6)]
    told = habits(games)
    low, high = share
    assert low <= told.everyone.sticky.value <= high
    assert lines == [line for line in told.header if line.startswith("shows")]
    assert told.everyone.again <= told.everyone.chances
    assert told.everyone.chances == sum(each.chances for each in told.players)


def test_a_preferred_category_is_seen() -> None:
    games = [simulate(seed, simulated.uniform, simulated.first_match) for seed in range(6)]
    kinds = {each.kind: each for each in habits(games).everyone.kinds}
    suspect, room = kinds["suspect"], kinds["room"]
    assert suspect.did == suspect.could > suspect.at_random
    assert suspect.share.interval[0] > suspect.at_random / suspect.could
    assert (0, 0.0) == (room.did, room.share.interval[0])
    assert room.share.interval[1] < room.at_random / room.could
    assert (True, False) == (suspect.preferred, room.preferred)


def test_who_shows_at_random_prefers_nothing() -> None:
    games = [simulate(seed, careful(LEVELS), simulated.at_random, rounds=10) for seed in range(10)]
    kinds = habits(games).everyone.kinds
    assert all(each.could > 30 for each in kinds)
    assert [None, None, None] == [each.preferred for each in kinds]


def test_choices_are_counted_of_those_whose_hand_is_told() -> None:
    games = [
        simulate(seed, simulated.uniform, simulated.the_same_again, rounds=10, known=False)
        for seed in range(4)
    ]
    viewer, *others = habits(games).players
    assert "Ann" == viewer.seat
    assert viewer.chances > 0 < sum(each.could for each in viewer.kinds)
    assert not any(each.chances or sum(kind.could for kind in each.kinds) for each in others)
    assert max(each.sticky.value for each in others) > 0.6  # weighed over the deals


# Small games by hand.

TINY = """\
edition: clue-classic
players: Ann, Ben, Cat
hands: 6, 6, 6
{header}

Ann holds Scarlett, Mustard, White, Candlestick, Knife, Kitchen
Ben holds Green, Peacock, Lead Pipe, Revolver, Ballroom, Conservatory
Cat holds Rope, Dining Room, Billiard Room, Library, Lounge, Hall
"""


def tiny(*lines: str, header: str = "viewer: Ann") -> Game:
    return Game(parse_record(TINY.format(header=header) + "\n".join(lines)))


def test_rooms_count_where_there_is_no_board() -> None:
    line = "Ann suggests Scarlett, Rope, Kitchen: Ben passes, Cat shows Rope"
    for header, asked, own in (("viewer: Ann", 2, 1.0), ("board: none", 3, 2.0)):
        ann, *others = habits([tiny(line, header=header)]).players
        assert ("Ann", 1, asked, own) == (ann.seat, ann.games, ann.asked, ann.own)
        assert [0, 0] == [each.asked for each in others]
        assert ann.careful.value > estimate(np.zeros(len(NODES)), power=2).value


def test_a_choice_between_an_old_card_and_a_new_one_is_counted() -> None:
    ask = "Ann suggests Green, {weapon}, Ballroom: Ben shows {card}"
    first = ask.format(weapon="Wrench", card="Green")
    told = habits([
        tiny(first, ask.format(weapon="Revolver", card="Green"),
             ask.format(weapon="Revolver", card="Revolver"))
    ])  # fmt: skip
    assert ("Ben", 2, 1) == (told.players[1].seat, told.players[1].chances, told.players[1].again)
    kinds = {each.kind: (each.could, each.did, each.at_random) for each in told.players[1].kinds}
    assert {"suspect": (1, 1, 0.5), "weapon": (0, 0, 0.0), "room": (1, 0, 0.5)} == kinds


def test_turns_with_a_proof_count_and_accusations_at_them() -> None:
    proof = "Ann knows envelope has Plum", "Ann knows envelope has Wrench"
    more = "Ann knows envelope has Study", "Ben skips", "Cat skips"
    waited = tiny(*proof, "Ann skips", *more, "Ann skips", "Ben skips", "Cat skips",
                  "Ann accuses Plum, Wrench, Study: right")  # fmt: skip
    ann = habits([waited]).players[0]
    assert (2, 1) == (ann.could_accuse, ann.accused)
    rash = tiny("Ann accuses Plum, Wrench, Study: right")
    ann = habits([rash]).players[0]
    assert (0, 0) == (ann.could_accuse, ann.accused)


def test_all_players_of_all_games_are_told_together() -> None:
    line = "Ann suggests Scarlett, Rope, Study: Ben passes, Cat shows Rope"
    renamed = tiny(line).record
    other = Game(parse_record(TINY.format(header="viewer: Ann").replace("Ann", "Eve")))
    told = habits([Game(renamed), other, tiny(line)])
    assert ["Ann", "Ben", "Cat", "Eve"] == [each.seat for each in told.players]
    assert [2, 3, 3, 1] == [each.games for each in told.players]
    assert (4, 2.0) == (told.everyone.asked, told.everyone.own)
    alone, twice = habits([tiny(line)]).everyone.careful, told.everyone.careful
    assert np.subtract(*twice.interval) > np.subtract(*alone.interval)


def test_players_of_another_kind_are_set_apart_in_the_header() -> None:
    games = [
        simulate(seed, careful(LEVELS | {"Ann": 0.02}), simulated.at_random) for seed in range(12)
    ]
    told = habits(games)
    (line,) = told.header
    table = replace(games[0].table, asks=asks_in(line.removeprefix("asks: "), games[0].table.seats))
    assert 0.01 <= (table.asking("Ann").level or 0) < 0.1
    assert table.asking("Zoe").level == round(told.everyone.careful.value, 2)
    assert () == habits([tiny()]).header


def test_a_solution_that_the_log_rules_out_is_a_contradiction() -> None:
    with pytest.raises(Contradiction):
        habits([tiny(header="solution: Scarlett, Rope, Hall")])


def test_files_are_learned_from_like_games(tmp_path: Path) -> None:
    games = [simulate(seed, simulated.uniform, simulated.at_random, rounds=2) for seed in (1, 2)]
    paths = [tmp_path / f"{number}.clue" for number in (1, 2)]
    for game, path in zip(games, paths, strict=True):
        save(game.record, path)
    bad = tmp_path / "bad.clue"
    bad.write_text("players: Ann\n", "utf-8")
    found = habits([paths[0], bad, games[1]], jobs=1)
    assert (2, 1) == (found.games, len(found.failed))
    assert found.failed[0].startswith(str(bad))
    assert replace(found, failed=()) == habits(games) == habits(paths, jobs=2)


def test_numbers_from_0_to_1_and_their_intervals() -> None:
    flat = estimate(np.zeros(len(NODES)), power=2)
    assert 1 / 3 == pytest.approx(flat.value, abs=1e-4)
    # a beta distribution: uniform before, 8 of 10
    beta = estimate(8 * np.log(NODES) + 2 * np.log1p(-NODES))
    assert 9 / 12 == pytest.approx(beta.value, abs=2e-3)
    assert (0.5656, 0.9440) == pytest.approx(beta.interval, abs=2e-3)  # the shortest with 90 %


@pytest.fixture(scope="module")
def evening() -> Habits:
    return habits([load(ROOT / "examples" / "evening.clue")])


def test_it_shows_itself(evening: Habits) -> None:
    assert "<Habits: Habits of 4 players in 1 game; asks: careful 0.84>" == repr(evening)
    text, html = str(evening), evening._repr_html_()
    for words in ("own named", "3.0 of 10", "asks: careful 0.84", "For the header of the next"):
        assert words in text
        assert words in html
    assert max(map(len, text.splitlines())) <= 80


def test_a_picture_has_a_line_for_each_player(evening: Habits) -> None:
    pytest.importorskip("matplotlib.figure")
    from clue_solver import ArgumentError, plots

    axes = plots.habits(evening)
    lines, dots = axes.lines[::2], axes.lines[1::2]
    each = (*evening.players, evening.everyone)
    assert [one.careful.interval for one in each] == [tuple(line.get_xdata()) for line in lines]  # type: ignore[arg-type] # plain lists
    assert [one.careful.value for one in each] == [dot.get_xdata()[0] for dot in dots]  # type: ignore[index] # plain lists
    assert [one.seat for one in each] == [tick.get_text() for tick in axes.get_yticklabels()]
    with pytest.raises(ArgumentError, match="habit: expected one of careful, sticky, accuses"):
        plots.habits(evening, "lucky")  # type: ignore[arg-type] # refused


def test_a_game_without_players_that_asked_tells_nothing() -> None:
    found = game_habits(tiny().table, tiny().observations)
    assert isinstance(found.everyone, SeatGame)
    assert not found.everyone.careful.any()
    assert not found.everyone.sticky.any()
