"""The game of one's own, with other names and one die: a test for each rule."""

from __future__ import annotations

import pytest

from clue_solver.errors import RecordError
from clue_solver.rules import observations as observed
from clue_solver.rules.play import PlayState
from tests.boxes import Box, proves

OWN = Box("clue-custom", pieces="Grandmother, Uncle, Aunt")

HAND = "Ann holds Grandmother, Iron, Garage, Attic, Cousin, Umbrella"
GARAGE = "Ann moves to Garage"
ASKED = "Ann suggests Lodger, Broom, Garage: nobody shows"
ROUND = (GARAGE, ASKED, "Ben skips", "Cat skips")
CELLAR = ("Ann moves to Cellar", "Ann suggests Uncle, Teapot, Cellar: nobody shows")
GAMES = range(1, 9)


@proves("C1")
def test_cards_have_names_of_ones_own() -> None:
    line = "Ann suggests Grandmother, Frying Pan, Parlour: Ben shows Frying Pan"
    assert OWN.keeps(line)
    assert OWN.reads("ann granny pan parlor ben pan") == line
    with pytest.raises(RecordError):
        OWN.begun("Ann suggests Plum, Rope, Hall: nobody shows")
    assert OWN.verdict("Frying Pan", "Ben", line) == "holds"
    assert "Parlour" in OWN.state("Ann moves to Parlour", exact=True).rooms()
    named = {card for each in OWN.advice(HAND, *ROUND).suggestions for card in each.cards}
    assert named
    assert named <= {*OWN.begun().table.edition.names}
    assert {*OWN.arena().solution} <= {*OWN.begun().table.edition.names}


@proves("C2")
def test_one_die_is_rolled() -> None:
    assert OWN.keeps("Ann rolls 6")
    assert [OWN.broken(f"Ann rolls {roll}") for roll in (1, 6, 7)] == [[], [], ["dice"]]
    assert OWN.asked("Ann rolls 6") == ""
    assert OWN.asked("Ann rolls 9") == "The dice cannot show that. Is that right anyway?"
    chances = {each.cards[2]: each.reach for each in OWN.advice(HAND, *ROUND).suggestions}
    assert chances["Dining Room"] == pytest.approx(3 / 6)  # four steps
    rolls = {
        each.total
        for number in GAMES
        for each in OWN.arena(number).past
        if isinstance(each, observed.Roll)
    }
    assert rolls == {1, 2, 3, 4, 5, 6}


@proves("C3")
def test_a_passage_is_taken_in_place_of_the_roll() -> None:
    passage = "Ann moves to Bathroom"
    assert OWN.keeps(*ROUND, passage)
    assert OWN.state(*ROUND, exact=True).destinations() == ("Bathroom",)
    assert OWN.broken(*ROUND, passage) == []
    assert OWN.broken(*ROUND, "Ann rolls 4", passage) == ["reach"]
    assert OWN.asked(*ROUND, passage) == ""
    assert "the Bathroom is 27 steps away" in OWN.asked(*ROUND, "Ann rolls 4", passage)
    assert "too late" in OWN.asked(*ROUND, passage, "Ann rolls 4")
    chances = {each.cards[2]: each.reach for each in OWN.advice(HAND, *ROUND).suggestions}
    assert chances["Bathroom"] == 1
    rolled = OWN.advice(HAND, *ROUND, "Ann rolls 4").suggestions
    assert {each.cards[2] for each in rolled} == {"Dining Room"}
    (goes,) = OWN.begun(passage).observations
    assert OWN.enforcer(*ROUND).legal(goes)
    assert not OWN.enforcer(*ROUND, "Ann rolls 4").legal(goes)


@proves("C4")
def test_a_room_is_left_unless_one_was_called_there() -> None:
    assert OWN.keeps(*ROUND, "Ann rolls 4", "Ann moves to Dining Room")
    assert OWN.broken(*ROUND, ASKED) == ["stay"]
    assert OWN.broken(*ROUND, "Ann stays") == ["stay"]
    called = (GARAGE, ASKED.replace("Lodger", "Uncle"))
    again = "Ben suggests Lodger, Rolling Pin, Garage: nobody shows"
    assert OWN.broken(*called, again) == []
    assert OWN.asked(*ROUND, ASKED) == "Ann has to leave the Garage first. Is that right anyway?"
    assert OWN.asked(*called, again) == ""
    rooms = {each.cards[2] for each in OWN.advice(HAND, *ROUND).suggestions}
    assert "Garage" not in rooms
    ann = OWN._replace(first="Ben")
    lines = ("Ben moves to Garage", "Ben suggests Grandmother, Broom, Garage: Cat shows")
    assert "Garage" in {each.cards[2] for each in ann.advice(HAND, *lines, "Cat skips").suggestions}
    (asks,) = OWN.begun(ASKED).observations
    assert not OWN.enforcer(*ROUND).legal(asks)
    (stays,) = OWN.begun(again).observations
    assert OWN.enforcer(*called).legal(stays)


@proves("C5")
def test_a_room_that_was_left_is_not_entered_again() -> None:
    assert OWN.keeps(*ROUND, "Ann rolls 6")
    assert OWN.broken(*ROUND, "Ann rolls 6", GARAGE) == ["reach"]
    assert "Garage" not in OWN.state(*ROUND, "Ann rolls 6", exact=True).destinations()
    assert "Ann cannot get to the Garage with a 6" in OWN.asked(*ROUND, "Ann rolls 6", GARAGE)
    rooms = {each.cards[2] for each in OWN.advice(HAND, *ROUND, "Ann rolls 6").suggestions}
    assert "Garage" not in rooms
    for number in GAMES:
        state = PlayState.begin(OWN.arena(number).dealt.table, exact=True)
        for each in OWN.arena(number).past:
            assert not isinstance(each, observed.Move) or state.place(each.by) != each.to
            state = state.after(each)
    (back,) = OWN.begun(GARAGE).observations
    assert not OWN.enforcer(*ROUND, "Ann rolls 6").legal(back)


@proves("C6")
def test_a_suggestion_that_nobody_disproves_may_become_an_accusation() -> None:
    accuses = "Ann accuses Uncle, Teapot, Cellar: right"
    assert OWN.keeps(HAND, *CELLAR, accuses)
    assert {
        OWN.verdict(card, "envelope", HAND, *CELLAR) for card in ("Uncle", "Teapot", "Cellar")
    } == {"holds"}
    assert OWN.broken(*CELLAR, accuses) == []
    assert OWN.state(*CELLAR, exact=True).verbs() == ("accuses",)
    assert OWN.told(HAND, *CELLAR) == "Accuse now: Uncle, Teapot, Cellar (certain)"
    became = 0
    for number in GAMES:
        past = OWN.arena(number).past
        asked, last = past[-2:]
        assert isinstance(last, observed.Accusation)
        became += isinstance(asked, observed.Suggestion) and asked.by == last.by
    assert became


@proves("C7")
def test_a_wrong_accuser_leaves_the_door() -> None:
    lines = ("Ann moves to G19", "Ann accuses Lodger, Broom, Garage: wrong")
    goes = (
        "Ben moves to Dining Room",
        "Ben skips",
        "Cat skips",
        "Ben rolls 4",
        "Ben moves to Garage",
    )
    assert OWN.keeps(*lines)
    assert OWN.state(lines[0]).place("Ann") == "G19"
    assert OWN.state(*lines).place("Ann") == "Garage"
    assert OWN.broken(*lines, *goes) == []
    standing = (lines[0], "Ann skips", *goes[:3], "Ann skips", *goes[3:])
    assert OWN.broken(*standing, exact=True) == ["reach"]  # the door is shut
    assert OWN.asked(*lines, *goes) == ""
    ben = OWN._replace(first="Cat", pieces="Uncle, Aunt, Grandmother")
    out = ("Cat moves to G19", "Cat accuses Lodger, Broom, Garage: wrong")
    before = ("Ann moves to Dining Room", "Ann skips", "Ben skips", "Ann rolls 4")
    own = HAND.replace("Garage", "Cellar")
    assert "Garage" in ben.told(own, *out, *before)
    assert "Garage" not in {
        each.cards[2]
        for each in ben.advice(
            own, out[0], "Cat skips", *before[:3], "Cat moves to G19", "Cat skips", "Ann rolls 4"
        ).suggestions
    }
    assert OWN.enforcer(*lines).at["Grandmother"] == "Garage"


@proves("C8")
def test_own_cards_may_be_suggested() -> None:
    own = "Ann suggests Grandmother, Teapot, Cellar: nobody shows"
    assert OWN.keeps(HAND, CELLAR[0], own)
    assert OWN.verdict("Teapot", "envelope", HAND, own) == "holds"
    assert OWN.verdict("Grandmother", "Ann", HAND, own) == "holds"
    assert OWN.broken(CELLAR[0], own) == []
    assert ("Grandmother", "Teapot", "Cellar") in {
        each.cards for each in OWN.advice(HAND, CELLAR[0]).suggestions
    }
    assert OWN.names_own(GAMES, *("likeliest:bluff=0.9",) * 3)


@proves("C9")
def test_the_piece_of_who_is_out_is_still_called() -> None:
    out = "Ann accuses Lodger, Broom, Garage: wrong"
    called = (
        "Ben moves to Dining Room",
        "Ben suggests Grandmother, Iron, Dining Room: nobody shows",
    )
    assert OWN.keeps(out, *called)
    assert OWN.state(out).place("Ann") == "H25"
    assert OWN.broken(out, *called) == []
    assert OWN.state(out, *called).place("Ann") == "Dining Room"
    judge = OWN.enforcer(out, *called)
    assert judge.at["Grandmother"] == "Dining Room"
    moved = 0
    for number in GAMES:
        referee = OWN.rash("Ann", number=number)
        piece = referee.dealt.table.pieces[0]
        state = PlayState.begin(referee.dealt.table, exact=True)
        for each in referee.past:
            state = state.after(each)
            if isinstance(each, observed.Suggestion) and piece in each.cards:
                assert state.place("Ann") == each.cards[2]
                moved += "Ann" in state.out
    assert moved
