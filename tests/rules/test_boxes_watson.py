"""Cluedo with the British deck: a test for each rule of the box."""

from __future__ import annotations

import pytest

from clue_solver.arena.referee import Referee
from clue_solver.errors import RecordError
from clue_solver.faces.setup import not_nearest
from clue_solver.rules import observations as observed
from clue_solver.rules.play import PlayState
from tests.boxes import Box, asked_about, proves
from tests.enforcer import Map

CLUEDO = Box("cluedo-watson", first="", pieces="Scarlett, Green, Plum")

HAND = "Ann holds Plum, Rope, Hall, Study, Dagger, Green"
LOUNGE = "Ann moves to Lounge"
ASKED = "Ann suggests Mustard, Spanner, Lounge: nobody shows"
CALLED = "Ann suggests Green, Spanner, Lounge: Ben passes, Cat shows"
SURE = (
    "Ann knows envelope has Mustard",
    "Ann knows envelope has Spanner",
    "Ann knows envelope has Lounge",
)
WRONG = "Ann accuses Mustard, Spanner, Lounge: wrong"
GAMES = range(1, 9)


@proves("W1")
def test_two_to_six_play_of_whom_any_may_be_autonomous() -> None:
    for names in ("Ann, Ben", "Ann, Ben, Cat, Dan, Eve, Flo"):
        box = CLUEDO._replace(players=names, pieces="")
        line = "Ann suggests Plum, Rope, Hall: Ben shows Rope"
        assert box.keeps(line)
        assert box.verdict("Rope", "Ben", line) == "holds"
        assert box.state(line).turns.turn(box.begun().table) == "Ben"
        assert box.told(line).startswith("On your turn ask ")
        assert box.arena().state.winner in box.begun().table.seats


@proves("W2")
def test_the_cards_are_british() -> None:
    line = "Ann suggests Green, Lead Piping, Lounge: Ben shows Lead Piping"
    assert CLUEDO.keeps(line)
    assert CLUEDO.reads("ann rev green, lead piping, lounge: ben lead piping") == line
    assert CLUEDO.reads("ben reverend green, spanner, hall: cat") == (
        "Ben suggests Green, Spanner, Hall: Cat shows"
    )
    american = Box("clue-classic").reads("ann green, spanner, lounge: no")
    assert american == "Ann suggests Green, Wrench, Lounge: nobody shows"
    assert CLUEDO.verdict("Lead Piping", "Ben", line) == "holds"
    assert ("Green", "Dagger", "Lounge") in CLUEDO.state("Ann rolls 8", LOUNGE).suggestions()
    told = CLUEDO.told(*SURE, "Ann rolls 8")
    assert "Mustard, Spanner, Lounge" in told
    cards = CLUEDO.arena().dealt.table.cards
    assert {"Dagger", "Lead Piping", "Spanner"} <= {*cards}
    assert not {"Knife", "Lead Pipe", "Wrench"} & {*cards}


@proves("W3")
def test_pieces_that_nobody_plays_stand_in_rooms() -> None:
    called = ("Ann rolls 8", LOUNGE, "Ann suggests White, Spanner, Lounge: nobody shows")
    assert CLUEDO.keeps(*called)
    before, after = CLUEDO.state(), CLUEDO.state(*called)
    rules = before.rules
    assert [rules.ground.inside] * 3 == [
        before.places[rules.pieces[name]] for name in ("Mustard", "White", "Peacock")
    ]
    assert (before.lies("White"), after.lies("White")) == (None, "Lounge")
    classic = Box("clue-classic", first="", pieces=CLUEDO.pieces).state()
    assert classic.lies("White") == "J1"  # where she starts, and is in the way
    ground, ann = rules.ground, rules.piece_of("Ann")
    assert classic.taken(ann) & ground.places["J1"]
    assert not before.taken(ann) & ground.places["J1"]
    assert {*CLUEDO.enforcer().at} == {"Scarlett", "Green", "Plum"}  # the squares are free


@proves("W4")
def test_weapons_are_moved_along() -> None:
    lines = (
        "Ann rolls 8",
        LOUNGE,
        CALLED,
        "Ben stays",
        "Ben suggests White, Dagger, Lounge: nobody shows",
    )
    assert CLUEDO.keeps(*lines)
    state = CLUEDO.state(*lines)
    assert [state.lies(name) for name in ("Spanner", "Dagger", "Rope")] == [
        "Lounge",
        "Lounge",
        None,
    ]
    study = CLUEDO.state(
        *lines, "Cat moves to Study", "Cat suggests White, Dagger, Study: nobody shows"
    )
    assert [study.lies(name) for name in ("Spanner", "Dagger")] == ["Lounge", "Study"]
    referee = CLUEDO.arena()
    last = {}
    for each in referee.past:
        if isinstance(each, observed.Suggestion):
            last[each.cards[1]] = each.cards[2]
    assert last
    assert {name: referee.state.lies(name) for name in last} == last


@proves("W5")
def test_who_was_dealt_the_first_card_is_told_by_the_sizes() -> None:
    four = CLUEDO._replace(players="Ann, Ben, Cat, Dan", pieces="", more="hands: 4, 5, 5, 4\n")
    hand = "Ann holds Plum, Rope, Hall, Study"
    assert four.keeps(hand)
    with pytest.raises(RecordError, match="hand sizes do not add up"):
        four._replace(more="hands: 5, 5, 5, 4\n").begun()
    has = [f"Ann knows Dan has {name}" for name in ("Green", "White", "Spanner", "Kitchen")]
    assert four.verdict("Lounge", "Dan", hand, *has) == "lacks"
    five = four._replace(more="hands: 4, 5, 4, 5\n")
    assert five.verdict("Lounge", "Dan", hand, *has) == "open"
    sizes = {tuple(four.arena(number).dealt.table.hands) for number in GAMES}
    assert len(sizes) > 1
    assert {tuple(sorted(each, key=str)) for each in sizes} == {(4, 4, 5, 5)}


@proves("W6")
def test_each_plays_the_piece_that_starts_nearest() -> None:
    assert CLUEDO.keeps("Ann rolls 8")
    asked_about("doubt")
    assert not_nearest(CLUEDO.begun().table) == ""
    assert not_nearest(CLUEDO._replace(pieces="Green, Plum, Scarlett").begun().table) == ""
    assert not_nearest(CLUEDO._replace(pieces="Green, ?, Scarlett").begun().table) == ""
    other = CLUEDO._replace(pieces="Plum, Green, Scarlett").begun().table
    assert not_nearest(other) == (
        "in Cluedo (Watson) each plays the nearest piece, so clockwise Scarlett, Green and Plum"
    )
    free = Box("clue-classic", first="", pieces="Plum, Green, Scarlett").begun().table
    assert not_nearest(free) == ""
    for number in GAMES:
        table = CLUEDO.arena(number).dealt.table
        assert not_nearest(table) == ""
        assert [*table.pieces] == sorted(table.pieces, key=table.edition.suspects.index)


@proves("W7")
def test_scarlett_begins() -> None:
    other = CLUEDO._replace(pieces="Green, Scarlett, Plum")
    assert other.keeps("Ben rolls 8")
    assert other.state().turn == "Ben"
    assert CLUEDO._replace(pieces="Plum, Mustard, Green").state().turn == "Ben"
    assert other.asked("Ben rolls 8") == ""
    assert "It is Ben's turn" in other.asked("Ann rolls 8")
    assert other.told(HAND).startswith(("On your turn ask ", "Head for "))
    assert CLUEDO.told(HAND, "Ann rolls 8").startswith("Ask ")
    for number in GAMES:
        referee = CLUEDO.arena(number)
        table = referee.dealt.table
        begins = min(
            zip(table.pieces, table.seats, strict=True),
            key=lambda pair: table.edition.suspects.index(str(pair[0])),
        )[1]
        assert referee.played.first == begins


@proves("W8")
def test_own_cards_and_spare_pieces_may_be_suggested() -> None:
    own = "Ann suggests Plum, Spanner, Lounge: nobody shows"
    assert CLUEDO.keeps(HAND, "Ann rolls 8", LOUNGE, own)
    assert CLUEDO.verdict("Spanner", "envelope", HAND, own) == "holds"
    assert CLUEDO.verdict("Plum", "Ann", HAND, own) == "holds"
    lines = ("Ann rolls 8", LOUNGE)
    for suspect in ("Plum", "White"):  # Cat's, and nobody's
        asked = own.replace("Plum", suspect)
        assert CLUEDO.broken(*lines, asked) == []
    cards = [each.cards for each in CLUEDO.advice(HAND, *lines).suggestions]
    assert ("Plum", "Spanner", "Lounge") in cards
    assert ("White", "Spanner", "Lounge") in cards
    assert CLUEDO.names_own(GAMES, *("likeliest:bluff=0.9",) * 3)


@proves("W9")
def test_an_accusation_follows_a_suggestion() -> None:
    lines = ("Ann rolls 8", LOUNGE, ASKED, WRONG)
    assert CLUEDO.keeps(*lines)
    assert CLUEDO.broken(*lines) == []
    assert CLUEDO.broken(WRONG) == ["order"]
    assert CLUEDO.asked(*lines) == ""
    assert CLUEDO.asked(*lines[:2], WRONG) == "Ann suggests first. Is that right anyway?"
    assert CLUEDO.told(*SURE, "Ann rolls 8").startswith("Accuse after your suggestion: ")
    assert CLUEDO.told(*SURE, "Ann rolls 8", LOUNGE, ASKED).startswith("Accuse now: ")
    for number in GAMES:
        past = CLUEDO.arena(number).past
        for place, each in enumerate(past):
            if isinstance(each, observed.Accusation):
                before = past[place - 1]
                assert isinstance(before, observed.Suggestion)
                assert before.by == each.by
    (accuses,) = CLUEDO.begun(WRONG).observations
    assert not CLUEDO.enforcer("Ann rolls 8", LOUNGE).legal(accuses)


@proves("W10")
def test_one_accuses_once_and_answers_on() -> None:
    lines = ("Ann rolls 8", LOUNGE, ASKED, WRONG)
    asked = "Ben suggests Mustard, Rope, Hall: Cat passes, Ann shows Rope"
    assert CLUEDO.keeps(*lines, asked)
    assert CLUEDO.verdict("Lounge", "envelope", *SURE[:2], WRONG) == "lacks"
    assert CLUEDO.verdict("Rope", "Ann", *lines, asked) == "holds"
    assert CLUEDO.broken(*lines, asked, WRONG) == ["out"]
    assert CLUEDO.state(*lines, "Ben skips", "Cat skips").turn == "Ben"
    assert "Ann has been out since entry 4" in CLUEDO.asked(*lines, WRONG)
    ben = "Ben accuses Mustard, Spanner, Lounge: wrong"
    seen = (HAND, "Ann skips", "Ben suggests Mustard, Spanner, Lounge: ?", ben)
    assert {each.seat: each.out for each in CLUEDO.advice(*seen).opponents} == {
        "Ben": True,
        "Cat": False,
    }
    rash = CLUEDO.rash("Ann")
    assert rash.state.out == {"Ann"}
    accused = [each.by for each in rash.past if isinstance(each, observed.Accusation)]
    assert accused.count("Ann") == 1
    assert rash.state.winner in ("Ben", "Cat")


@proves("W11")
def test_pieces_walk_by_squares_and_enter_by_doors() -> None:
    assert CLUEDO.keeps("Ann rolls 8", "Ann moves to H17")
    assert CLUEDO.reads("ann moves to h17", "Ann rolls 8") == "Ann moves to H17"
    rolled = CLUEDO.state("Ann rolls 1", exact=True)
    assert {*rolled.destinations()} == {"H24"}  # straight on, and not askew to I24
    assert CLUEDO.state("Ann rolls 2", exact=True).destinations() == ("H23", "H24", "I24")
    far = CLUEDO.state("Ann rolls 12", exact=True).destinations()
    assert "Lounge" in far
    assert "Conservatory" not in far  # the room ends the move, and its passage is another turn's
    assert "Ann cannot get to the square H17 with a 5" in CLUEDO.asked(
        "Ann rolls 5", "Ann moves to H17"
    )
    assert "has moved already" in CLUEDO.asked("Ann rolls 12", LOUNGE, "Ann moves to H17")
    assert CLUEDO.asked("Ann rolls 8", LOUNGE) == ""
    board = Map(CLUEDO.begun().table)
    there = (HAND, "Ann moves to H21", "Ann skips", "Ben skips", "Cat skips")
    assert board.steps((20, 7), "Lounge") == 4
    assert "Lounge" in CLUEDO.told(*there, "Ann rolls 4")
    assert CLUEDO.told(*there, "Ann rolls 3").startswith("Head for ")
    walked = 0
    for number in GAMES:
        referee = CLUEDO.arena(number)
        state = PlayState.begin(referee.dealt.table, exact=True)
        for each in referee.past:
            if isinstance(each, observed.Move) and each.to not in board.rooms:
                assert state.allows(each)
                walked += 1
            state = state.after(each)
    assert walked


@proves("W12")
def test_no_two_pieces_stand_on_one_square() -> None:
    there = ("Ann moves to H24", "Ann skips")
    near = CLUEDO._replace(pieces="Plum, Scarlett, Green", first="Ann")
    lines = ("Ann moves to H24", "Ann skips", "Ben rolls 2", "Ben moves to H23")
    assert near.keeps(*there, "Ben rolls 2")
    assert near.state(*lines[:3], exact=True).destinations() == ()  # shut in
    assert near.broken(*lines) == ["reach"]
    assert near.broken(*there, "Ben moves to H24") == ["reach"]
    assert near.asked(*there, "Ben moves to H24").startswith(
        "Ben cannot get to the square H24 from here"
    )
    assert near.asked(*there, "Ben moves to H23") == ""  # whatever was rolled
    shut = CLUEDO._replace(first="Ben")
    before = ("Ben moves to H24", "Ben skips", "Cat skips")
    assert shut.told(HAND, *before, "Ann rolls 8").startswith(("Head for ", "On your turn"))
    assert "Ask" in shut.told(HAND, "Ben skips", "Cat skips", "Ann rolls 8")
    for number in GAMES:
        state = PlayState.begin(CLUEDO.arena(number).dealt.table, exact=True)
        for each in CLUEDO.arena(number).past:
            state = state.after(each)
            squares = [state.place(seat) for seat in state.rules.seats]
            taken = [each for each in squares if each not in state.rules.rooms]
            assert len({*taken}) == len(taken)


@proves("W13")
def test_one_may_stay_in_a_room() -> None:
    turn = "Ann suggests Mustard, Spanner, Lounge: nobody shows"
    again = ("Ann stays", turn.replace("Mustard", "White"))
    lines = (LOUNGE, turn, "Ben skips", "Cat skips", *again, "Ben skips", "Cat skips", *again)
    assert CLUEDO.keeps(*lines)
    assert CLUEDO.broken(*lines) == []
    state = CLUEDO.state(*lines[:4], exact=True)
    assert "stays" in state.verbs()
    assert state.rooms() == ("Lounge",)
    assert CLUEDO.asked(*lines) == ""
    assert CLUEDO.asked(*lines[:5]) == ""
    assert "Ann stands in no room" in CLUEDO.asked(
        "Ann moves to H24", "Ann skips", "Ben skips", "Cat skips", "Ann stays"
    )
    rooms = {each.cards[2] for each in CLUEDO.advice(HAND, *lines[:4]).suggestions}
    assert "Lounge" in rooms
    (_, stays) = CLUEDO.begun(LOUNGE, "Ann stays").observations
    assert CLUEDO.enforcer(*lines[:4]).legal(stays)


@proves("W14")
def test_a_passage_is_taken_instead_of_throwing() -> None:
    before = (LOUNGE, ASKED, "Ben skips", "Cat skips")
    by = (*before, "Ann moves to Conservatory")
    assert CLUEDO.keeps(*by)
    assert CLUEDO.state(*before, exact=True).destinations() == ("Conservatory",)
    assert CLUEDO.broken(*by) == []
    thrown = (*before, "Ann rolls 5", "Ann moves to Conservatory")
    assert CLUEDO.broken(*thrown) == ["reach"]
    assert CLUEDO.asked(*by) == ""
    assert "the Conservatory is 27 steps away" in CLUEDO.asked(*thrown)
    assert (
        CLUEDO.asked(*by, "Ann rolls 5")
        == "It is too late for that in this turn. Is that right anyway?"
    )
    rooms = {each.cards[2]: each.reach for each in CLUEDO.advice(HAND, *before).suggestions}
    assert rooms["Conservatory"] == 1.0
    assert CLUEDO.advice(HAND, *before).suggestions[0].reach == 1.0
    rolled = CLUEDO.advice(HAND, *before, "Ann rolls 5").suggestions
    assert "Conservatory" not in {each.cards[2] for each in rolled}
    (_, goes) = CLUEDO.begun(LOUNGE, by[-1]).observations
    assert CLUEDO.enforcer(*before).legal(goes)
    assert not CLUEDO.enforcer(*thrown[:-1]).legal(goes)


@proves("W15")
def test_pieces_stay_where_they_were_called() -> None:
    before = (LOUNGE, CALLED)
    far = (*before, "Ben rolls 5", "Ben moves to Library")
    assert CLUEDO.keeps(*before, "Ben stays")
    assert CLUEDO.state(*before).place("Ben") == "Lounge"
    assert CLUEDO.state(*before, "Ben stays").rooms() == ("Lounge",)
    assert CLUEDO.broken(*far) == ["reach"]
    assert "the Library is 14 steps away" in CLUEDO.asked(*far)
    ann = CLUEDO._replace(pieces="Green, Scarlett, Plum", first="Ben")
    called = ("Ben moves to Lounge", "Ben suggests Green, Spanner, Lounge: Cat shows", "Cat skips")
    advice = ann.advice(HAND, *called)
    assert {each.cards[2] for each in advice.suggestions if each.reach == 1.0} == {
        "Lounge",
        "Conservatory",
    }
    found = 0
    for number in GAMES:
        referee = CLUEDO.arena(number)
        state = PlayState.begin(referee.dealt.table, exact=True)
        for each in referee.past:
            state = state.after(each)
            if isinstance(each, observed.Suggestion):
                assert state.lies(each.cards[0]) == each.cards[2]
                found += each.cards[0] in referee.dealt.table.pieces
    assert found


@proves("W17")
def test_everybody_keeps_notes() -> None:
    assert CLUEDO.keeps(
        HAND, ASKED, "Ann knows Ben has Rope or Kitchen", "Ann knows Cat lacks White"
    )
    assert CLUEDO.verdict("Mustard", "envelope", HAND, ASKED) == "holds"
    notes = ("Ann knows Ben has Library or Kitchen", "Ann knows Ben lacks Library")
    assert CLUEDO.verdict("Kitchen", "Ben", HAND, *notes) == "holds"
    referee = CLUEDO.arena()
    assert isinstance(referee, Referee)
    for seat, view in referee.views.items():
        own = [card for card in view.cards if card in referee.dealt.hands[seat]]
        place = view.table.seats.index(seat)
        marks = dict(zip(view.cards, view.sheet.verdicts, strict=True))
        assert all(marks[card][place] == 1 for card in own)
