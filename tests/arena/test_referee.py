"""Games of the arena: legal by the independent enforcer, and what is deduced of them is true."""

from __future__ import annotations

import json

import numpy as np
import pytest
from msgspec.structs import replace

from clue_solver import load_edition, parse_record
from clue_solver.arena.chairs import Chairs
from clue_solver.arena.dealing import deal
from clue_solver.arena.players import LikeliestAsker, NoteTaker
from clue_solver.arena.referee import Referee, decision_of
from clue_solver.arena.referee import play as let_play
from clue_solver.arena.tournament import Tournament
from clue_solver.arena.view import Course, View
from clue_solver.errors import ArgumentError
from clue_solver.inference.propagation import propagate
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Look, Observation, Peek, Suggestion
from tests.arena.arena_games import false_knowledge, faults, illegal, played

MIXED = ("random", "likeliest", "likeliest:bluff=0.3", "person")


def tournament(edition: str, seats: int, board: bool) -> Tournament:
    players = tuple(MIXED[place % len(MIXED)] for place in range(seats))
    return Tournament(edition=edition, players=players, seed=17, board=board)


@pytest.mark.parametrize(
    ("edition", "seats", "board"),
    [
        ("clue-classic", 3, True),
        ("clue-classic", 2, False),
        ("clue-2015", 2, True),
        ("clue-diced", 3, True),
        ("master-detective", 3, True),
    ],
)
def test_every_action_is_legal_and_nothing_false_is_ever_certain(
    edition: str, seats: int, board: bool
) -> None:
    """From every seat at every entry; so every answer was true as well."""
    assert faults(tournament(edition, seats, board), 2) == []


def test_false_knowledge_is_found() -> None:
    record = played(tournament("clue-classic", 3, False), 1).record
    other = ("Plum", "Rope", "Hall")
    wrong = replace(record, table=replace(record.table, solution=other))
    assert record.table.solution != other
    assert false_knowledge(wrong) != []


def test_a_view_has_its_own_share_and_no_more() -> None:
    referee = played(tournament("clue-2015", 2, True), 3)
    for seat, view in referee.views.items():
        assert view.table.viewer == seat
        assert view.table.solution == ()
        hands = [each for each in view.game.observations if isinstance(each, observed.Hand)]
        assert [referee.dealt.hand(seat)] == hands
        for each in view.game.observations:
            if isinstance(each, Look) and each.by != seat:
                assert each.card is None
            if isinstance(each, Suggestion) and each.by != seat:
                cards = {answer.seat: answer.card for answer in each.answers}
                assert {card for shower, card in cards.items() if shower != seat} <= {None}
        report = view.game.report(asks="any")
        for card in view.cards:
            assert abs(report.probability(card, "envelope") - view.chance(card)) < 1e-9


def noted(text: str) -> View:
    """What the seat whose hand comes first in a record knows by it."""
    record = parse_record(text)
    course = Course(record.table)
    for observation in record.observations:
        course.happen(observation)
    hand = record.observations[0]
    assert isinstance(hand, observed.Hand)
    return View(course, hand, np.random.default_rng(1))


def test_a_note_taker_writes_down_passes_and_cards_and_no_either_or() -> None:
    table = "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n\n"
    hand = "Ann holds Plum, Rope, Hall, Study, Knife, Green\n"
    told = hand + "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat passes\n"
    shown = told + "Cat suggests Mustard, Wrench, Kitchen: Ann passes, Ben shows\n"
    cards = parse_record(table + told).table.cards
    ben, cat, envelope = 0b10, 0b100, 0b1000
    for text in (told, shown):
        notes = NoteTaker().notes(noted(table + text))
        for card in ("Mustard", "Wrench", "Lounge"):
            assert notes[card] == envelope
        assert notes["Kitchen"] == ben | cat  # Ben's for whoever writes down what was shown
        known = noted(table + shown).game.deduction.knowledge
        assert propagate(known)[cards.index("Kitchen")] == ben


def test_pairs_share_their_deal() -> None:
    pair = Tournament(edition="clue-classic", players=("random", "likeliest"), seed=3)
    first, turned = pair.begin(1), pair.begin(2)
    assert first.dealt == turned.dealt
    assert pair.begin(3).dealt != first.dealt


def test_a_notch_that_is_told_to_stay_shows_the_same_after_every_wrong_accusation() -> None:
    rng = np.random.default_rng(1)
    dealt = deal(load_edition("clue-diced"), 4, rng)
    wrong = tuple(
        next(card.name for card in kind.cards if card.name not in dealt.solution)
        for kind in dealt.table.edition.category
    )

    class Peeker(LikeliestAsker):
        def ask(self, view: View) -> Observation | None:
            peeks = (each for each in view.questions() if isinstance(each, Peek))
            return next(peeks, None) or super().ask(view)

        def accuse(self, view: View) -> tuple[str, ...] | None:
            return wrong if isinstance(view.game.observations[-1], Peek) else None

    seen: dict[str | None, int] = {}
    for notch in ("same", None):
        told = dealt._replace(table=replace(dealt.table, notch=notch))
        rng = np.random.default_rng(1)
        referee = Referee(told, rng=rng, rngs=[rng] * 4, compiled=False)
        let_play(referee, dict.fromkeys(told.table.seats, Peeker()))
        seen[notch] = len({each.feature for each in referee.log if isinstance(each, Peek)})
    assert seen == {"same": 1, None: 2}


def test_a_game_that_nobody_solves_ends() -> None:
    class Silent(LikeliestAsker):
        def move(self, view: View) -> None:
            return None

    rng = np.random.default_rng(1)
    dealt = deal(load_edition("clue-classic"), 2, rng)
    referee = Referee(dealt, rng=rng, rngs=[rng, rng], most_turns=20)
    let_play(referee, dict.fromkeys(dealt.table.seats, Silent()))
    assert (referee.state.over, referee.turns, referee.state.turns.gone) == (False, 20, frozenset())
    assert illegal(referee) == []


@pytest.mark.parametrize(
    ("edition", "players"),
    [
        ("clue-classic", ("person", "note-taker", "likeliest")),
        ("clue-2015", ("likeliest", "person")),
        ("clue-diced", ("advice", "person", "random")),
    ],
)
def test_saved_and_resumed_again_and_again_it_is_the_same_game(
    edition: str, players: tuple[str, ...]
) -> None:
    """By players that are new every third decision; each decision is one of the choices."""
    whole = Tournament(edition=edition, players=players, seed=5, compiled=False)
    seats = dict(zip(("Ann", "Ben", "Cat"), players, strict=False))
    chairs = Chairs(whole.begin(1), seats)
    while (request := chairs.game.request) is not None:
        if len(chairs.game.decisions) % 3 == 0:
            chairs = Chairs.resumed(json.loads(json.dumps(chairs.saved())))
        assert chairs.game.request == request
        choice = chairs.machine_choice()
        assert choice in chairs.game.choices()
        chairs.decide(choice)
    assert len(chairs.game.decisions) > 10
    assert chairs.game.record == whole.play(1).record


def test_what_is_refused_leaves_the_game_as_it_was() -> None:
    whole = Tournament(edition="clue-classic", players=("likeliest",) * 3, seed=5, compiled=False)
    game = whole.begin(1)
    kinds = set()
    players = {seat: LikeliestAsker() for seat in game.views}
    while (request := game.request) is not None:
        kinds.add(request.kind)
        wrong: list[object] = [("Ace",)] if request.kind == "accuse" else ["Ace", ("Ace",)]
        if request.kind == "ask":
            (here,) = game.views[request.seat].state.rooms
            elsewhere = "Hall" if here != "Hall" else "Study"
            named = (("Plum", "Rope", elsewhere), ("Rope", "Plum", here), ("Plum", "Green", here))
            for cards in (*named, ("Plum", here)):
                wrong.append(Suggestion(by=request.seat, cards=cards))
        for choice in wrong:
            with pytest.raises(ArgumentError, match=r"cannot|expected"):
                game.decide(choice)
            assert game.request is request
        game.decide(decision_of(players[request.seat], game.views[request.seat], request))
    assert kinds == {"move", "ask", "show", "accuse"}
    assert game.record == whole.play(1).record
    with pytest.raises(ArgumentError, match="the game is over"):
        game.decide(None)
