"""Clue of 1996: a test for each rule of the box."""

from __future__ import annotations

import pytest

from clue_solver import load_edition
from clue_solver.arena.dealing import deal
from clue_solver.errors import NotationError, SetupError
from clue_solver.faces.setup import beyond_limits
from clue_solver.rules import observations as observed
from tests.boxes import Box, asked_about, proves

CLUE = Box("clue-1996", first="", pieces="Scarlett, Plum, Green")

HAND = "Ann holds Plum, Rope, Hall, Study, Knife, Green"
IN_LOUNGE = ("Ann rolls 8", "Ann moves to Lounge")
ASKED = "Ann suggests Mustard, Wrench, Lounge: Cat passes, Ben shows Wrench"
GAMES = range(1, 9)


@proves("N1")
def test_three_to_six_play() -> None:
    six = CLUE._replace(players="Ann, Ben, Cat, Dan, Eve, Flo", pieces="")
    assert six.keeps("Ann suggests Mustard, Wrench, Lounge: Flo shows Wrench")
    asked_about("doubt")
    assert beyond_limits(six.begun().table) == ""
    two = CLUE._replace(players="Ann, Ben", pieces="").begun().table
    assert beyond_limits(two) == "Clue (1996) is for 3 to 6 players; found 2"
    assert len(six.arena().dealt.table.seats) == 6
    for seats in (2, 7):
        with pytest.raises(SetupError, match="3 to 6"):
            deal(load_edition("clue-1996"), seats, six.arena().rng)


@proves("N2")
def test_each_token_has_a_starting_space() -> None:
    assert CLUE.keeps("Ann rolls 8", "Ann moves to H17")
    state = CLUE.state()
    assert [state.place(seat) for seat in ("Ann", "Ben", "Cat")] == ["H25", "X20", "O1"]
    assert state.lies("Mustard") == "A18"  # of whom nobody plays, too
    assert "8 steps away" in CLUE.asked("Ann rolls 5", "Ann moves to Lounge")
    assert (
        CLUE._replace(pieces="Plum, Scarlett, Green").asked("Ben rolls 8", "Ben moves to Lounge")
        == ""
    )
    assert "Lounge" in CLUE.told(HAND, "Ann rolls 8")
    assert "Study" in CLUE._replace(pieces="Plum, ?, Green", first="Ann").told(
        HAND.replace("Study", "Library"), "Ann rolls 8"
    )
    table = CLUE.arena().dealt.table
    assert len({*table.pieces}) == 3


@proves("N3")
def test_only_the_own_room_is_suggested() -> None:
    assert CLUE.keeps(*IN_LOUNGE, ASKED)
    elsewhere = "Ann suggests Mustard, Wrench, Hall: nobody shows"
    assert CLUE.broken(*IN_LOUNGE, ASKED) == []
    assert CLUE.broken(*IN_LOUNGE, elsewhere) == ["place"]
    assert CLUE.broken("Ann rolls 3", elsewhere) == ["reach"]
    assert CLUE.state(*IN_LOUNGE).rooms() == ("Lounge",)
    assert CLUE.asked(*IN_LOUNGE, ASKED) == ""
    assert "Ann is in the Lounge, not in the Hall" in CLUE.asked(*IN_LOUNGE, elsewhere)
    assert "the Hall is 12 steps away" in CLUE.asked("Ann rolls 3", elsewhere)
    advice = CLUE.advice(HAND, "Ann rolls 8")
    assert {each.cards[2] for each in advice.suggestions} == {"Lounge"}
    assert CLUE.told(HAND, "Ann rolls 3").startswith("Head for the ")
    (wrong,) = CLUE.begun(elsewhere).observations
    assert not CLUE.enforcer(*IN_LOUNGE).legal(wrong)


@proves("N4")
def test_answers_go_to_the_right_and_turns_to_the_left() -> None:
    assert CLUE.keeps(ASKED)
    assert CLUE.reads("ann mus wr lou ben wr") == ASKED
    assert CLUE.verdict("Mustard", "Cat", ASKED) == "lacks"
    assert CLUE.verdict("Mustard", "Ben", ASKED) == "open"
    assert CLUE.state(ASKED).turns.turn(CLUE.begun().table) == "Ben"
    assert CLUE.asked(ASKED, "Ben rolls 8") == ""
    assert "It is Ben's turn" in CLUE.asked(ASKED, "Cat rolls 8")
    answers = {
        tuple(seat for seat, _ in answer.shows)
        for each in CLUE.advice(HAND).suggestions
        for answer in each.answers
    }
    assert {("Ben",), ("Cat",), ()} == answers
    lone = CLUE.advice(HAND, "Ann knows Cat has Mustard").suggestions
    mustard = next(each for each in lone if each.cards[0] == "Mustard")
    shows = [answer.shows for answer in mustard.answers]
    assert {seat for shown in shows for seat, _ in shown} == {"Cat"}  # who answers before Ben
    several = 0
    for number in GAMES:
        referee = CLUE.arena(number)
        seats = referee.dealt.table.seats
        for each in referee.log:
            if isinstance(each, observed.Suggestion):
                right = seats[seats.index(each.by) - 1]
                assert each.answers[0].seat == right
                several += len(each.answers) > 1
    assert several


@proves("N5")
def test_one_passes_aloud_or_shows_one_card() -> None:
    assert CLUE.keeps(ASKED)
    assert CLUE.verdict("Wrench", "Ben", ASKED) == "holds"
    other = "Ben suggests Mustard, Wrench, Lounge: Ann passes, Cat shows"
    lacks = ("Ann knows Cat lacks Mustard", "Ann knows Cat lacks Wrench")
    assert CLUE.verdict("Lounge", "Cat", other) == "open"
    assert CLUE.verdict("Lounge", "Cat", other, *lacks) == "holds"
    assert "contradicts" in CLUE.asked(ASKED, "Cat knows Ann has Plum", "Ann knows Cat has Mustard")
    with pytest.raises(
        NotationError, match="you hold Plum, so you cannot pass: type 'Ann shows Plum'"
    ):
        CLUE.asked(HAND, ASKED, "Ben suggests Plum, Wrench, Lounge: Ann passes")
    for one in CLUE.advice(HAND).suggestions[:9]:
        assert {len(answer.shows) for answer in one.answers} <= {0, 1}
        assert sum(answer.probability for answer in one.answers) == pytest.approx(1)
    for each in CLUE.arena().log:
        if isinstance(each, observed.Suggestion):
            assert all(answer.answer == "passes" for answer in each.answers[:-1])
            assert not any(answer.card for answer in each.answers[:-1])


@proves("N6")
def test_what_nobody_shows_is_the_askers_or_in_the_envelope() -> None:
    nobody = "Ann suggests Mustard, Rope, Lounge: nobody shows"
    assert CLUE.keeps(HAND, nobody)
    assert CLUE.verdict("Mustard", "envelope", HAND, nobody) == "holds"
    assert CLUE.verdict("Rope", "envelope", HAND, nobody) == "lacks"
    assert CLUE.verdict("Mustard", "envelope", nobody) == "open"  # it may be Ann's own
    best = CLUE.advice(HAND, nobody)
    assert best.accuse.cards[0] == "Mustard"
    assert best.accuse.cards[2] == "Lounge"
    proved = 0
    for number in GAMES:
        referee = CLUE.arena(number)
        for each in referee.log:
            if isinstance(each, observed.Suggestion) and not any(a.card for a in each.answers):
                own = referee.dealt.hands[each.by]
                assert {*each.cards} <= own | {*referee.solution}
                proved += 1
    assert proved


@proves("N7")
def test_who_accuses_wrongly_is_out_and_answers() -> None:
    wrong = "Ann accuses Mustard, Wrench, Lounge: wrong"
    asked = "Ben suggests Plum, Knife, Study: Ann shows Plum"
    assert CLUE.keeps(wrong, asked)
    sure = ("Ann knows envelope has Mustard", "Ann knows envelope has Wrench")
    assert CLUE.verdict("Lounge", "envelope", *sure, wrong) == "lacks"
    assert CLUE.verdict("Plum", "Ann", wrong, asked) == "holds"
    assert CLUE.state(wrong).turn == "Ben"
    assert CLUE.state(wrong, "Ben skips", "Cat skips").turn == "Ben"
    assert CLUE.broken(wrong, "Ann rolls 5") == ["out"]
    assert CLUE.asked(wrong, asked) == ""
    assert "Ann has been out since entry 1" in CLUE.asked(wrong, "Ann rolls 5")
    ben = "Ben accuses Mustard, Wrench, Lounge: wrong"
    opponents = CLUE.advice(HAND, "Ann skips", ben).opponents
    assert {each.seat: each.out for each in opponents} == {"Ben": True, "Cat": False}
    rash = CLUE.rash("Ann")
    last = max(
        number
        for number, each in enumerate(rash.past)
        if isinstance(each, observed.Accusation) and each.by == "Ann"
    )
    after = [each for each in rash.past[last + 1 :] if isinstance(each, observed.Suggestion)]
    assert "Ann" not in {each.by for each in after}
    assert any(answer.seat == "Ann" for each in after for answer in each.answers)
