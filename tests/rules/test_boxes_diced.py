"""Clue Diced, Express and Master: a test for each rule of the box."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from clue_solver import load_edition
from clue_solver.arena.dealing import deal
from clue_solver.errors import NotationError, RecordError, SetupError
from clue_solver.faces.setup import beyond_limits
from clue_solver.rules import observations as observed
from tests.boxes import Box, asked_about, proves

DICED = Box("clue-diced")
MASTER = Box("clue-diced-master")
EXPRESS = Box("clue-express")

HAND = "Ann holds Brains Plum, Brains Green, Brawn Mustard, Brawn Scarlett"
SUGGESTED = "Ann suggests Brains Plum, Brawn Green: nobody shows"
IN_MASTER = "Ann suggests Brains Plum, Driver Green: nobody shows"
SURE = ("Ann knows envelope has Brains Plum", "Ann knows envelope has Brawn Green")
NOT_SHOWN = "The bonus die does not show that. Is that right anyway?"
SUGGESTS_FIRST = "Ann suggests first. Is that right anyway?"
WRONG = "Ann accuses Brains Peacock, Brawn Peacock: wrong"
GAMES = range(1, 9)


def rolled(face: str) -> str:
    return f"Ann rolls Plum, Plum, Green, {face}"


@proves("D1")
def test_express_has_white_for_orchid() -> None:
    line = "Ann suggests Brains White, Brawn Green: Ben shows Brains White"
    assert EXPRESS.keeps(line)
    with pytest.raises(RecordError):
        EXPRESS.begun(line.replace("White", "Orchid"))
    assert EXPRESS.verdict("Brains White", "Ben", line) == "holds"
    dice = "Ann rolls White, White, Green, eye"
    assert EXPRESS.broken(dice, line) == []
    assert {"White", "Orchid"} & {*EXPRESS.begun().table.edition.suspects} == {"White"}
    assert "White" in EXPRESS.told(HAND, "Ann rolls White, White, White, blank")
    dealt = EXPRESS.arena().dealt.table.cards
    assert "Brawn White" in dealt
    assert "Brawn Orchid" not in dealt


@proves("D2")
def test_three_or_four_play() -> None:
    four = DICED._replace(players="Ann, Ben, Cat, Dan")
    assert four.keeps(HAND.rpartition(",")[0])
    asked_about("doubt")
    assert beyond_limits(four.begun().table) == ""
    for names in ("Ann, Ben", "Ann, Ben, Cat, Dan, Eve"):
        assert "is for 3 to 4 players" in beyond_limits(DICED._replace(players=names).begun().table)
    assert len(four.arena().dealt.hands) == 4
    for seats in (2, 5):
        with pytest.raises(SetupError, match="3 to 4"):
            deal(load_edition("clue-diced"), seats, four.arena().rng)


@proves("D3")
def test_drivers_stay_in_the_box_unless_it_is_the_master_game() -> None:
    assert MASTER.keeps(IN_MASTER)
    with pytest.raises(RecordError):
        DICED.begun(IN_MASTER)
    assert MASTER.verdict("Driver Green", "Ben", IN_MASTER) == "lacks"
    assert len([*MASTER.state(rolled("eye")).suggestions()]) == 9
    assert len([*DICED.state(rolled("eye")).suggestions()]) == 3
    roles = [
        {card.split()[0] for one in box.advice().suggestions for card in one.cards}
        for box in (DICED, MASTER)
    ]
    assert roles == [{"Brains", "Brawn"}, {"Brains", "Brawn", "Driver"}]
    assert [len(box.arena().solution) for box in (DICED, MASTER)] == [2, 3]


@proves("D4")
def test_cards_are_dealt_unevenly() -> None:
    dealt = DICED._replace(more="hands: 4, 3, 3\n")
    assert dealt.keeps(HAND)
    passes = [
        f"Ben suggests Brains {a}, Brawn {b}: Cat passes, Ann shows"
        for a, b in (("Plum", "Orchid"), ("Green", "Peacock"))
    ]
    skips = ["Ann skips", passes[0], "Cat skips", "Ann skips", passes[1]]
    knows = ["Ann knows Ben lacks Brains Scarlett", "Ann knows Ben lacks Brains Mustard"]
    knows += ["Ann knows Ben lacks Brains Orchid", "Ann knows Ben lacks Brains Peacock"]
    knows += ["Ann knows Ben lacks Brawn Plum"]  # three are left for him, and just three he has
    assert dealt.verdict("Brawn Peacock", "Ben", HAND, *skips, *knows) == "holds"
    assert (
        DICED._replace(more="hands: 4, 2, 4\n").verdict(
            "Brawn Peacock", "Ben", HAND, *skips, *knows
        )
        == "open"
    )
    asks = dealt.advice(HAND).suggestions
    assert asks
    assert all(sum(each.probability for each in one.answers) == pytest.approx(1) for one in asks)
    assert sorted(map(len, DICED.arena().dealt.hands.values())) == [3, 3, 4]


@proves("D5")
def test_who_begins_is_told() -> None:
    ben = DICED._replace(first="Ben")
    rolls = "Ben rolls Plum, Plum, Green, eye"
    assert ben.keeps(rolls)
    assert ben.begun().table.first == "Ben"
    assert ben.state().turn == "Ben"
    assert ben.asked(rolls) == ""
    assert "It is Ben's turn" in ben.asked("Ann rolls Plum, Plum, Green, eye")
    assert ben.told(HAND).startswith("On your turn roll, then ask ")
    assert DICED.told(HAND).startswith("Roll, then ask ")
    assert len({DICED.arena(number).played.first for number in GAMES}) > 1


@proves("D6")
def test_three_suspects_and_the_blue_die_are_rolled() -> None:
    assert DICED.keeps(rolled("glass"))
    assert DICED.broken(rolled("glass"), exact=True) == []
    assert DICED.broken(SUGGESTED, exact=True) == ["order"]
    assert DICED.state(exact=True).verbs() == ("rolls", "skips")
    assert DICED.state(rolled("glass")).dice == ("Plum", "Plum", "Green", "glass")
    assert DICED.asked(rolled("glass")) == ""
    for dice in ("Plum, Plum", "Plum, Green, glass, glass", "Plum, Plum, Green, Green"):
        assert (
            DICED.asked(f"Ann rolls {dice}") == "The dice cannot show that. Is that right anyway?"
        )
    told = DICED.advice(HAND, "Ann rolls Peacock, Peacock, Orchid, eye")
    assert {card.split()[1] for one in told.suggestions for card in one.cards} == {
        "Peacock",
        "Orchid",
    }
    rolls = [each for each in DICED.arena().past if isinstance(each, observed.Roll)]
    assert {len(each.dice) for each in rolls} == {4}
    assert len(rolls) == DICED.arena().turns


@proves("D7")
def test_only_what_was_rolled_is_suggested() -> None:
    other = "Ann suggests Brains Green, Brawn Green: nobody shows"
    assert DICED.keeps(rolled("eye"), SUGGESTED)
    assert DICED.verdict("Brawn Green", "Cat", rolled("eye"), SUGGESTED) == "lacks"
    assert DICED.broken(rolled("eye"), SUGGESTED) == []
    assert DICED.broken(rolled("eye"), other) == ["dice"]
    assert DICED.asked(rolled("eye"), SUGGESTED) == ""
    assert "The dice show Plum, Plum and Green" in DICED.asked(rolled("eye"), other)
    advice = DICED.advice(HAND, rolled("eye"))
    pairs = {("Plum", "Green"), ("Green", "Plum"), ("Plum", "Plum")}
    assert {tuple(card.split()[1] for card in one.cards) for one in advice.suggestions} == pairs
    judge = DICED.enforcer(rolled("eye"))
    (asked, wrong) = DICED.begun(SUGGESTED, other).observations
    assert judge.legal(asked)
    assert not judge.legal(wrong)


@proves("D8")
def test_the_left_hand_neighbour_answers_first_and_one_card_is_shown() -> None:
    line = "Ann suggests Brains Plum, Brawn Green: Ben passes, Cat shows Brawn Green"
    assert DICED.keeps(line)
    assert DICED.reads("ann brains plum brawn green cat brawn green") == line
    assert DICED.verdict("Brains Plum", "Ben", line) == "lacks"
    assert DICED.verdict("Brains Plum", "Cat", line) == "open"
    both = "Ann suggests Brains Plum, Brawn Green: Ben shows Brawn Green, Cat passes"
    with pytest.raises(NotationError, match="expected no answer after Ben has shown"):
        DICED.asked(both)
    assert "contradicts entry 1" in DICED.asked(
        line,
        "Ben skips",
        "Cat suggests Brains Plum, Brawn Peacock: Ann passes, Ben shows",
        "Ann knows Ben has Brains Plum",
    )
    for one in DICED.advice(HAND).suggestions:
        shown = [[seat for seat, _ in answer.shows] for answer in one.answers]
        assert all(len(seats) <= 1 for seats in shown)
    several = 0
    for number in GAMES:
        referee = DICED.arena(number)
        for each in referee.log:
            if isinstance(each, observed.Suggestion):
                order = [answer.seat for answer in each.answers]
                assert order == [*referee.dealt.table.answering(each.by)][: len(order)]
                assert all(answer.answer == "passes" for answer in each.answers[:-1])
                several += len(order) > 1
    assert several


@proves("D9")
def test_the_magnifying_glass_lets_one_look_at_a_card() -> None:
    look = "Ann looks at Ben: Brains Scarlett"
    assert DICED.keeps(rolled("glass"), SUGGESTED, look)
    assert DICED.verdict("Brains Scarlett", "Ben", look) == "holds"
    assert DICED.broken(rolled("glass"), SUGGESTED, look) == []
    assert DICED.broken(rolled("eye"), SUGGESTED, look) == ["dice"]
    assert DICED.asked(rolled("glass"), SUGGESTED, look) == ""
    assert DICED.asked(rolled("eye"), SUGGESTED, look) == NOT_SHOWN
    asked = SUGGESTED.replace("nobody shows", "Ben shows Brawn Green")
    assert "Use the bonus die: Ann looks at " in DICED.told(HAND, rolled("glass"), asked)
    uses(observed.Look, "glass")


def uses(kind: type[observed.Event], face: str) -> None:
    """In the arena a face is followed by just its use, and the enforcer refuses any other."""
    found = 0
    for number in GAMES:
        dice: tuple[str, ...] = ()
        for each in DICED.arena(number).past:
            if isinstance(each, observed.Roll):
                dice = each.dice
            elif isinstance(each, kind):
                assert dice[-1] == face
                found += 1
    assert found
    lines = (
        "Ann looks at Ben",
        "Ann asks Ben about Plum: passes",
        "Ann peeks: Plum",
        "Ann points at Brains Plum, Brawn Peacock: nobody shows",
    )
    judge = DICED.enforcer(rolled(face), SUGGESTED)
    for each in DICED.begun(SUGGESTED, *lines).observations[1:]:
        assert judge.legal(each) == isinstance(each, kind)


@proves("D10")
def test_the_question_mark_asks_one_player_about_the_third_suspect() -> None:
    asks = "Ann asks Ben about Plum: shows Brawn Plum"
    passed = "Ann asks Ben about Plum: passes"
    assert DICED.keeps(rolled("question"), SUGGESTED, asks)
    assert DICED.verdict("Brawn Plum", "Ben", asks) == "holds"
    assert {DICED.verdict(f"{role} Plum", "Ben", passed) for role in ("Brains", "Brawn")} == {
        "lacks"
    }
    assert DICED.state(rolled("question"), SUGGESTED).third() == ("Plum",)
    assert DICED.broken(rolled("question"), SUGGESTED, asks) == []
    assert DICED.broken(rolled("question"), SUGGESTED, "Ann asks Ben about Green: passes") == [
        "dice"
    ]
    assert DICED.asked(rolled("question"), SUGGESTED, passed) == ""
    assert DICED.asked(rolled("question"), SUGGESTED, "Ann asks Ben about Green: passes")
    assert DICED.asked(rolled("eye"), SUGGESTED, passed) == NOT_SHOWN
    shown = SUGGESTED.replace("nobody shows", "Ben shows Brawn Green")
    told = DICED.told(HAND, rolled("question"), shown)
    assert "Use the bonus die: Ann asks " in told
    assert "about Plum" in told
    uses(observed.Question, "question")


@proves("D11")
def test_the_eye_sees_the_colour_in_the_notch() -> None:
    assert DICED.keeps(rolled("eye"), SUGGESTED, "Ann peeks: Plum")
    colours = {
        "purple": "Plum",
        "pink": "Orchid",
        "red": "Scarlett",
        "yellow": "Mustard",
        "blue": "Peacock",
        "green": "Green",
    }
    for colour, name in colours.items():
        assert DICED.reads(f"ann peeks: {colour}", SUGGESTED) == f"Ann peeks: {name}"
    seen = ("Ann peeks: Plum", "Ann knows Ben has Brains Plum")
    assert DICED.verdict("Brawn Plum", "envelope", *seen) == "holds"
    assert DICED.broken(rolled("eye"), SUGGESTED, "Ann peeks") == []
    assert DICED.broken(rolled("glass"), SUGGESTED, "Ann peeks") == ["dice"]
    assert DICED.asked(rolled("eye"), SUGGESTED, "Ann peeks: Plum") == ""
    assert DICED.asked(rolled("glass"), SUGGESTED, "Ann peeks: Plum") == NOT_SHOWN
    shown = SUGGESTED.replace("nobody shows", "Ben shows Brawn Green")
    assert "Use the bonus die: Ann peeks" in DICED.told(HAND, rolled("eye"), shown)
    uses(observed.Peek, "eye")


@proves("D12")
def test_the_pointed_finger_names_any_suspects() -> None:
    points = "Ann points at Brains Scarlett, Brawn Peacock: Ben passes, Cat shows Brawn Peacock"
    assert DICED.keeps(rolled("finger"), SUGGESTED, points)
    typed = "ann pointed finger brains scarlett, brawn peacock: cat brawn peacock"
    assert DICED.reads(typed, rolled("finger"), SUGGESTED) == points
    assert DICED.verdict("Brains Scarlett", "Ben", points) == "lacks"
    assert DICED.verdict("Brawn Peacock", "Cat", points) == "holds"
    assert DICED.broken(rolled("finger"), SUGGESTED, points) == []
    assert DICED.broken(rolled("eye"), SUGGESTED, points) == ["dice"]
    assert DICED.asked(rolled("finger"), SUGGESTED, points) == ""
    assert DICED.asked(rolled("eye"), SUGGESTED, points) == NOT_SHOWN
    shown = SUGGESTED.replace("nobody shows", "Ben shows Brawn Green")
    assert "Use the bonus die: Ann points at " in DICED.told(HAND, rolled("finger"), shown)
    uses(observed.Finger, "finger")


@proves("D13")
def test_the_bonus_die_comes_once_and_after_the_suggestion() -> None:
    assert DICED.keeps(rolled("eye"), SUGGESTED, "Ann peeks: Plum")
    assert DICED.broken(rolled("eye"), "Ann peeks") == ["order"]
    assert DICED.broken(rolled("eye"), SUGGESTED, "Ann peeks", "Ann peeks") == ["again"]
    assert DICED.asked(rolled("eye"), "Ann peeks: Plum") == SUGGESTS_FIRST
    again = DICED.asked(rolled("eye"), SUGGESTED, "Ann peeks: Plum", "Ann peeks: Plum")
    assert "has had that already in this turn" in again
    assert DICED.told(HAND, rolled("eye")).startswith("Ask ")
    shown = SUGGESTED.replace("nobody shows", "Ben shows Brawn Green")
    assert DICED.told(HAND, rolled("eye"), shown).startswith("Use the bonus die: ")
    assert DICED.told(HAND, rolled("eye"), shown, "Ann peeks: Plum").startswith(
        "On your turn roll, then ask "
    )
    peek = observed.Peek(by="Ann")
    assert not DICED.enforcer(rolled("eye")).legal(peek)
    assert DICED.enforcer(rolled("eye"), SUGGESTED).legal(peek)
    assert not DICED.enforcer(rolled("eye"), SUGGESTED, "Ann peeks").legal(peek)
    bonus = observed.Look | observed.Question | observed.Peek | observed.Finger
    past = DICED.arena().past
    for before, each in pairwise(past):
        assert not isinstance(each, bonus) or isinstance(before, observed.Suggestion)


@proves("D14")
def test_the_blue_die_has_six_faces() -> None:
    for face in ("glass", "question", "eye", "finger", "blank"):
        assert DICED.keeps(rolled(face))
    blank = (rolled("blank"), SUGGESTED)
    assert DICED.state(*blank, exact=True).uses() == ()
    assert "accuses" in DICED.state(*blank, exact=True).verbs()
    assert DICED.asked(*blank, "Ann peeks: Plum") == NOT_SHOWN
    shown = SUGGESTED.replace("nobody shows", "Ben shows Brawn Green")
    assert DICED.told(HAND, rolled("blank"), shown).startswith("On your turn roll, then ask ")
    faces = Counter(
        each.dice[-1]
        for number in range(1, 30)
        for each in DICED.arena(number).past
        if isinstance(each, observed.Roll)
    )
    assert {*faces} == {"glass", "question", "eye", "finger", "blank"}
    assert faces["blank"] == pytest.approx(sum(faces.values()) / 3, rel=0.4)


@proves("D15")
def test_an_accusation_comes_last() -> None:
    lines = (rolled("eye"), SUGGESTED, "Ann peeks: Plum", WRONG)
    assert DICED.keeps(*lines)
    wrong = ("Ann knows envelope has Brains Peacock", WRONG)
    assert DICED.verdict("Brawn Peacock", "envelope", *wrong) == "lacks"
    assert DICED.broken(*lines) == []
    assert DICED.broken(*lines[:2], WRONG) == ["order"]
    assert DICED.broken(lines[0], WRONG) == ["order"]
    assert DICED.asked(*lines) == ""
    assert DICED.asked(*lines[:2], WRONG) == "Ann uses the bonus die first. Is that right anyway?"
    assert DICED.asked(rolled("eye"), WRONG) == SUGGESTS_FIRST
    assert DICED.told(*SURE).startswith("Accuse after your suggestion and the bonus die: ")
    assert DICED.told(*SURE, *lines[:2]).startswith("Accuse after the bonus die: ")
    assert DICED.told(*SURE, *lines[:3]).startswith("Accuse now: ")
    accuses = DICED.begun(WRONG).observations[0]
    assert [DICED.enforcer(*lines[:past]).legal(accuses) for past in range(4)] == [
        False,
        False,
        False,
        True,
    ]
    past = DICED.arena().past
    assert isinstance(past[-1], observed.Accusation)


@proves("D16")
def test_who_accuses_wrongly_is_out_and_shows_cards() -> None:
    out = (rolled("eye"), SUGGESTED, "Ann peeks: Plum", WRONG)
    asked = "Ben suggests Brains Orchid, Brawn Green: Cat passes, Ann shows Brains Orchid"
    assert DICED.keeps(*out, asked)
    others = "Ann knows envelope has Brains Peacock"
    assert DICED.verdict("Brawn Peacock", "envelope", others, *out) == "lacks"
    assert DICED.verdict("Brains Orchid", "Ann", *out, asked) == "holds"
    assert DICED.state(*out).turn == "Ben"
    assert DICED.broken(*out, asked, "Cat skips", rolled("eye")) == ["out"]
    assert DICED.asked(*out, asked) == ""
    assert "Ann has been out since entry 4" in DICED.asked(*out, rolled("eye"))
    ben = "Ben accuses Brains Peacock, Brawn Peacock: wrong"
    seen = (HAND, "Ann skips", "Ben suggests Brains Plum, Brawn Orchid: ?", "Ben peeks", ben)
    assert {each.seat: each.out for each in DICED.advice(*seen).opponents} == {
        "Ben": True,
        "Cat": False,
    }
    rash = DICED.rash("Ann")
    first = next(n for n, each in enumerate(rash.past) if isinstance(each, observed.Accusation))
    after = rash.past[first + 1 :]
    assert rash.state.out == {"Ann"}
    assert "Ann" not in {getattr(each, "by", None) for each in after}
    assert any(
        answer.seat == "Ann"
        for each in after
        if isinstance(each, observed.Suggestion)
        for answer in each.answers
    )


@proves("D17")
def test_the_last_one_left_plays_on() -> None:
    alone = (
        HAND,
        "Ann suggests Brains Orchid, Brawn Green: ?",
        "Ben suggests Brains Orchid, Brawn Green: ?",
        "Ben peeks",
        "Ben accuses Brains Peacock, Brawn Peacock: wrong",
        "Cat suggests Brains Orchid, Brawn Orchid: ?",
        "Cat peeks",
        "Cat accuses Brains Orchid, Brawn Peacock: wrong",
    )
    more = ("Ann suggests Brains Peacock, Brawn Green: Ben passes, Cat shows Brawn Green",)
    assert DICED.keeps(*(line.removesuffix(": ?") for line in alone), *more)
    assert DICED.verdict("Brawn Green", "Cat", *alone, *more) == "holds"
    state = DICED.state(*alone)
    assert (state.over, state.turn) == (False, "Ann")
    assert DICED.state(*alone, *more, *more).turn == "Ann"
    assert DICED.asked(*alone, *more) == ""
    over = (*alone, more[0], "Ann peeks: Plum", "Ann accuses Brains Orchid, Brawn Plum: wrong")
    assert "The game ended with entry" in DICED.asked(*over, "Ben skips")
    assert DICED.told(*alone).startswith("Roll, then ask ")
    assert DICED.told(*SURE, *alone[1:], SUGGESTED, "Ann peeks: Plum").startswith("Accuse now: ")
    rash = DICED.rash("Ann", "Ben")
    assert rash.state.out == {"Ann", "Ben"}
    assert rash.state.winner == "Cat"


@proves("D18")
def test_a_suggestion_of_master_names_two_roles() -> None:
    assert MASTER.keeps(rolled("eye"), IN_MASTER)
    with pytest.raises(RecordError):
        MASTER.begun("Ann suggests Brains Plum, Brawn Green, Driver Plum: nobody shows")
    assert MASTER.verdict("Driver Green", "Ben", IN_MASTER) == "lacks"
    assert MASTER.verdict("Brawn Green", "Ben", IN_MASTER) == "open"
    assert MASTER.broken(rolled("eye"), IN_MASTER) == []
    other = "Ann suggests Brains Plum, Driver Peacock: nobody shows"
    assert MASTER.broken(rolled("eye"), other) == ["dice"]
    assert "The dice show Plum, Plum and Green" in MASTER.asked(rolled("eye"), other)
    suggestions = MASTER.advice(rolled("eye")).suggestions
    assert {tuple(card.split()[0] for card in one.cards) for one in suggestions} == {
        ("Brains", "Brawn"),
        ("Brains", "Driver"),
        ("Brawn", "Driver"),
    }
    asked = [each for each in MASTER.arena().past if isinstance(each, observed.Suggestion)]
    assert {len({card.split()[0] for card in each.cards}) for each in asked} == {2}


@proves("D19")
def test_an_accusation_and_the_finger_of_master_name_three_roles() -> None:
    points = "Ann points at Brains Scarlett, Brawn Peacock, Driver Green: nobody shows"
    accuses = "Ann accuses Brains Plum, Brawn Green, Driver Plum: wrong"
    assert MASTER.keeps(rolled("finger"), IN_MASTER, points, accuses)
    two = (
        "Ann points at Brains Plum, Brawn Peacock",
        "Ann accuses Brains Plum, Brawn Green: wrong",
    )
    for line in two:
        with pytest.raises(NotationError):
            MASTER.asked(rolled("finger"), IN_MASTER, line)
    assert {MASTER.verdict(card, "Ben", points) for card in ("Brawn Peacock", "Driver Green")} == {
        "lacks"
    }
    assert len(MASTER.state(rolled("finger"), IN_MASTER, exact=True).actions()) == 216
    assert MASTER.asked(rolled("finger"), IN_MASTER, points, accuses) == ""
    told = MASTER.told(rolled("finger"), IN_MASTER)
    assert all(role in told for role in ("points at Brains", "Brawn", "Driver"))
    fingers = [
        each
        for number in GAMES
        for each in MASTER.arena(number).past
        if isinstance(each, observed.Finger | observed.Accusation)
    ]
    assert {len(each.cards) for each in fingers} == {3}
    assert any(isinstance(each, observed.Finger) for each in fingers)
