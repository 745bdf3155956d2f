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

from clue_solver import Contradiction, Game, Habits, Table, TooLarge, habits, load, parse_record
from clue_solver.answers.game_habits import CARE, NODES, SeatGame, game_habits
from clue_solver.answers.habits import gathered
from clue_solver.record import save
from clue_solver.rules.observations import Finger, Observation, Question, Suggestion
from clue_solver.rules.table import ENVELOPE, Asks
from tests import twin
from tests.strategies import Played, played

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


def expected(game: Played, table: Table, seat: str) -> tuple[list[float], list[float]]:
    """The likelihoods at the nodes, of care and of sticking, by listing all deals."""
    observations = game.record.observations
    deals = fitting(table, observations)
    care, sticking = list[float](), list[float]()
    for node in TOLD:
        asking = replace(table, asks=(ANY, Asks(model="careful", level=CARE[node], seat=seat)))
        care.append(
            sum(
                float(twin.behaved(deal, observations, asking, Fraction(1)))
                * showing(deal, table, observations, {})
                for deal in deals
            )
        )
        sticky = {seat: 1.0 - float(NODES[node])}
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
    for seat, told_of_it in found.items():
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
        care, sticking = expected(game, table, seat)
        assert ratios(care) == pytest.approx(at(told_of_it.careful))
        assert ratios(sticking) == pytest.approx(at(told_of_it.sticky))


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
        assert ann.careful.value > others[0].careful.value  # who is shrunk towards what Ann does


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
    alone = habits([tiny(line)]).everyone.careful
    assert told.everyone.careful.value > alone.value


def told_of(**told: Any) -> SeatGame:
    """What a game tells of a player of whom nothing else is told."""
    flat = np.zeros(len(NODES))
    nothing = SeatGame(0, 0.0, flat, 0, 0, flat, {}, 0, 0)
    return nothing._replace(**told)


def did(times: int, of: int) -> Any:
    """The likelihood of care by how many cards of its own a player named, half of all its own."""
    own = NODES**2 / (1.0 + NODES**2)
    return times * np.log(own) + (of - times) * np.log1p(-own)


def table_of(**seats: SeatGame) -> Habits:
    """What a game tells in which these were the players."""
    return gathered([(seats, None)])


def test_players_of_another_kind_are_set_apart_in_the_header() -> None:
    usual = told_of(asked=60, careful=did(18, 60))
    told = table_of(Ann=told_of(asked=60, careful=did(0, 60)), Ben=usual, Cat=usual, Dan=usual)
    careful = round(told.everyone.careful.value, 2)
    assert 0.2 < careful < 0.4
    assert told.header == (f"asks: careful {careful}, Ann careful 0.01",)
    alike = table_of(Ann=told_of(asked=60, careful=did(12, 60)), Ben=usual, Cat=usual, Dan=usual)
    assert [line.count("careful") for line in alike.header] == [1]
    sure = table_of(Ann=told_of(asked=1, careful=did(0, 400)))
    assert sure.header == ("asks: careful 0.01",)
    freely = told_of(asked=60, careful=did(34, 60))
    told = table_of(Ann=told_of(asked=15, careful=did(0, 15)), Ben=freely, Cat=freely, Dan=freely)
    ann = round(told.players[0].careful.value, 2)
    assert told.header == (f"asks: any, Ann careful {ann}",)


def test_nothing_is_proposed_from_a_few_cases() -> None:
    again = NODES * 0 + np.log(1.0 - NODES / 2.0)  # shown again, of two that could be
    assert table_of(Ann=told_of(chances=1, sticky=again)).header == ()
    assert table_of(Ann=told_of(chances=4, sticky=4 * again)).header == ()
    assert table_of(Ann=told_of(chances=30, sticky=30 * again)).header == ("shows: sticky",)
    assert habits([tiny()]).header == ()


def test_a_category_is_preferred_or_avoided_where_that_is_no_chance() -> None:
    kinds = {"suspect": (20, 20, 10.0), "weapon": (20, 12, 10.0), "room": (20, 0, 10.0)}
    found = table_of(Ann=told_of(kinds=kinds | {"motive": (0, 0, 0.0)}))
    assert [each.preferred for each in found.everyone.kinds] == [True, None, False, None]
    third = table_of(Ann=told_of(kinds={"suspect": (3, 1, 1.0)})).everyone.kinds[0]
    assert third.preferred is None  # a share at random that no number has exactly


def test_the_more_is_looked_at_the_wider_are_intervals() -> None:
    usual = told_of(could_accuse=6, accused=4)
    alone = table_of(Ann=usual).players[0].accuses
    many = table_of(**{f"Player {number}": usual for number in range(9)}).players[0].accuses
    looked = table_of(Ann=told_of(could_accuse=6, accused=4, kinds={"suspect": (9, 4, 4.0)}))
    wider = looked.players[0].accuses
    assert wider.interval[0] < alone.interval[0] < alone.value == wider.value
    assert abs(many.value - 4 / 6) < abs(alone.value - 4 / 6)  # shrunk towards what all do


def test_who_was_hardly_seen_is_taken_for_one_of_the_others() -> None:
    usual = told_of(could_accuse=40, accused=36)
    told = table_of(Ann=told_of(could_accuse=1, accused=0), Ben=usual, Cat=usual, Dan=usual)
    ann, ben, *_ = told.players
    assert 0.4 < ann.accuses.value < ben.accuses.value
    assert ann.accuses.holds(round(told.everyone.accuses.value, 3))


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


def test_it_shows_itself() -> None:
    evening = habits([load(ROOT / "examples" / "evening.clue")])
    assert repr(evening) == "<Habits: Habits of 4 players in 1 game>"
    sure = table_of(Ann=told_of(asked=400, careful=did(0, 400)))
    assert repr(sure) == "<Habits: Habits of 1 player in 1 game; asks: careful 0.01>"
    for told, words in (
        (evening, ("own named", "3.0 of 10", "nothing is beyond")),
        (sure, ("0.0 of 400", "asks: careful 0.01", "For the header of the next")),
    ):
        text, html = str(told), told._repr_html_()
        for each in words:
            assert each in text
            assert each in html
        assert max(map(len, text.splitlines())) <= 80


def test_a_game_without_players_that_asked_tells_nothing() -> None:
    for found in game_habits(tiny().table, tiny().observations).values():
        assert not found.careful.any()
        assert not found.sticky.any()


def test_habits_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("examples/evening.clue")
    monkeypatch.setattr("clue_solver.answers.game_habits.MOST_WORK", 100_000)
    with pytest.raises(TooLarge, match="too much to work out"):
        game_habits(game.table, game.observations)
