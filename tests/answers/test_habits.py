"""What is learned of players: likelihoods against all deals, habits that are known, the words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Contradiction, Game, Table, TooLarge, habits, load, parse_record
from clue_solver.answers.habits import (
    CARE,
    NODES,
    GameHabits,
    SeatGame,
    estimate,
    game_habits,
    gathered,
)
from clue_solver.record import save
from clue_solver.rules.observations import Finger, Observation, Question, Suggestion
from clue_solver.rules.table import ENVELOPE, Asks
from clue_solver.testing import Played, played
from tests import twin

ROOT = Path(__file__).resolve().parents[2]
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


@settings(max_examples=25)
@given(played(most=7), st.booleans())
def test_likelihoods_and_own_cards_are_those_of_all_deals(game: Played, told: bool) -> None:
    table = replace(game.record.table, shows="random")
    if told:
        solution = tuple(card for card in table.cards if game.deal[card] == ENVELOPE)
        table = replace(table, solution=solution)
    observations = game.record.observations
    found = game_habits(table, observations)
    deals = fitting(table, observations)
    weights = [showing(deal, table, observations, {}) for deal in deals]
    for seat, told_of_it in found.seats.items():
        named = [
            card
            for one in observations
            if isinstance(one, Suggestion) and one.by == seat
            for card in {*one.cards} & {*table.cards}
            if table.board == "none" or table.edition.category_of[card] != "room"
        ]
        own = [sum(deal[card] == seat for card in named) for deal in deals]
        assert told_of_it.asked == len(named)
        assert told_of_it.own == pytest.approx(np.dot(own, weights) / sum(weights))
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
        assert (ann.seat, ann.games, ann.asked, ann.own) == ("Ann", 1, asked, own)
        assert [each.asked for each in others] == [0, 0]
        assert ann.careful.value > estimate(np.zeros(len(NODES)), power=2).value


def test_a_choice_between_an_old_card_and_a_new_one_is_counted() -> None:
    ask = "Ann suggests Green, {weapon}, Ballroom: Ben shows {card}"
    first = ask.format(weapon="Wrench", card="Green")
    told = habits(
        [
            tiny(
                first,
                ask.format(weapon="Revolver", card="Green"),
                ask.format(weapon="Revolver", card="Revolver"),
            )
        ]
    )
    assert (told.players[1].seat, told.players[1].chances, told.players[1].again) == ("Ben", 2, 1)
    kinds = {each.kind: (each.could, each.did, each.at_random) for each in told.players[1].kinds}
    assert kinds == {"suspect": (1, 1, 0.5), "weapon": (0, 0, 0.0), "room": (1, 0, 0.5)}
    hands = TINY.format(header="").partition("Ben holds")[0]
    unknown = habits([Game(parse_record(hands + "\n".join([first, first])))]).players[1]
    assert (unknown.chances, sum(each.could for each in unknown.kinds)) == (0, 0)


def test_turns_with_a_proof_count_and_accusations_at_them() -> None:
    proof = "Ann knows envelope has Plum", "Ann knows envelope has Wrench"
    more = "Ann knows envelope has Study", "Ben skips", "Cat skips"
    waited = tiny(
        *proof,
        "Ann skips",
        *more,
        "Ann skips",
        "Ben skips",
        "Cat skips",
        "Ann accuses Plum, Wrench, Study: right",
    )
    ann = habits([waited]).players[0]
    assert (ann.could_accuse, ann.accused) == (2, 1)
    rash = tiny("Ann accuses Plum, Wrench, Study: right")
    ann = habits([rash]).players[0]
    assert (ann.could_accuse, ann.accused) == (0, 0)


def test_all_players_of_all_games_are_told_together() -> None:
    line = "Ann suggests Scarlett, Rope, Study: Ben passes, Cat shows Rope"
    renamed = tiny(line).record
    other = Game(parse_record(TINY.format(header="viewer: Ann").replace("Ann", "Eve")))
    told = habits([Game(renamed), other, tiny(line)])
    assert [each.seat for each in told.players] == ["Ann", "Ben", "Cat", "Eve"]
    assert [each.games for each in told.players] == [2, 3, 3, 1]
    assert (told.everyone.asked, told.everyone.own) == (4, 2.0)
    alone, twice = habits([tiny(line)]).everyone.careful, told.everyone.careful
    assert np.subtract(*twice.interval) > np.subtract(*alone.interval)


def told_of(**told: Any) -> SeatGame:
    """What a game tells of a player of whom nothing else is told."""
    flat = np.zeros(len(NODES))
    nothing = SeatGame(0, 0.0, flat, 0, 0, flat, {}, 0, 0)
    return nothing._replace(**told)


def did(times: int, of: int) -> Any:
    """The likelihood of a chance by how often something was done that could be."""
    return times * np.log(NODES) + (of - times) * np.log1p(-NODES)


def test_players_of_another_kind_are_set_apart_in_the_header() -> None:
    seats = {"Ann": told_of(careful=did(6, 60)), "Ben": told_of(careful=did(6, 10))}
    everyone = told_of(asked=80, careful=did(40, 80), sticky=did(5, 10))
    told = gathered([(GameHabits(seats, everyone), None)])
    careful = round(told.everyone.careful.value, 2)
    assert 0.2 < careful < 0.3
    ann = round(told.players[0].careful.value, 2)
    assert 0.0 < ann < 0.03
    assert told.header == (f"asks: careful {careful}, Ann careful {ann}",)
    sticky = gathered([(GameHabits({}, told_of(sticky=did(6, 10))), None)])
    assert sticky.header == ("shows: sticky",)
    sure = gathered([(GameHabits({}, told_of(asked=1, careful=did(0, 400))), None)])
    assert sure.header == ("asks: careful 0.01",)
    assert habits([tiny()]).header == ()


def test_a_category_is_preferred_or_avoided_where_that_is_no_chance() -> None:
    kinds = {"suspect": (20, 18, 10.0), "weapon": (20, 12, 10.0), "room": (20, 2, 10.0)}
    found = gathered([(GameHabits({}, told_of(kinds=kinds | {"motive": (0, 0, 0.0)})), None)])
    assert [each.preferred for each in found.everyone.kinds] == [True, None, False, None]


def test_a_solution_that_the_log_rules_out_is_a_contradiction() -> None:
    with pytest.raises(Contradiction):
        habits([tiny(header="solution: Scarlett, Rope, Hall")])


def test_files_are_learned_from_like_games(tmp_path: Path) -> None:
    line = "Ann suggests Scarlett, Rope, Study: Ben passes, Cat shows Rope"
    games, paths = [tiny(line), tiny(line, line)], [tmp_path / "1.clue", tmp_path / "2.clue"]
    for game, path in zip(games, paths, strict=True):
        save(game.record, path)
    bad = tmp_path / "bad.clue"
    bad.write_text("players: Ann\n", "utf-8")
    found = habits([paths[0], bad, games[1]], jobs=1)
    assert (found.games, len(found.failed)) == (2, 1)
    assert found.failed[0].startswith(str(bad))
    assert replace(found, failed=()) == habits(games) == habits(paths, jobs=1)


def test_numbers_from_0_to_1_and_their_intervals() -> None:
    flat = estimate(np.zeros(len(NODES)), power=2)
    assert flat.value == pytest.approx(1 / 3, abs=1e-4)
    # a beta distribution: uniform before, 8 of 10
    beta = estimate(did(8, 10))
    assert beta.value == pytest.approx(9 / 12, abs=2e-3)
    assert beta.interval == pytest.approx((0.5656, 0.9440), abs=2e-3)  # the shortest with 90 %


def test_it_shows_itself() -> None:
    evening = habits([load(ROOT / "examples" / "evening.clue")])
    assert repr(evening) == "<Habits: Habits of 4 players in 1 game; asks: careful 0.84>"
    text, html = str(evening), evening._repr_html_()
    for words in ("own named", "3.0 of 10", "asks: careful 0.84", "For the header of the next"):
        assert words in text
        assert words in html
    assert max(map(len, text.splitlines())) <= 80


def test_a_game_without_players_that_asked_tells_nothing() -> None:
    found = game_habits(tiny().table, tiny().observations)
    assert isinstance(found.everyone, SeatGame)
    assert not found.everyone.careful.any()
    assert not found.everyone.sticky.any()


def test_habits_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("examples/evening.clue")
    monkeypatch.setattr("clue_solver.answers.habits.MOST_WORK", 100_000)
    with pytest.raises(TooLarge, match="more work than it may"):
        game_habits(game.table, game.observations)
