"""Clue of 2015, with Dr. Orchid and clue cards: a test for each rule of the box."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from clue_solver.arena.players import Likeliest
from clue_solver.arena.referee import Referee, play
from clue_solver.errors import NotationError
from clue_solver.rules import observations as observed
from clue_solver.rules.play import PlayState
from tests.boxes import Box, proves

CLUE = Box("clue-2015", first="", pieces="Scarlett, Plum, Green")
SLOTS = "face-down: Kitchen, Conservatory, Lounge, Study\n"
TWO = Box("clue-2015", "Ann, Ben", first="", pieces="Scarlett, Plum", more=SLOTS)

HAND = "Ann holds Plum, Rope, Hall, Study, Knife, Green"
SEVEN = "Ann holds Scarlett, Green, Peacock, Candlestick, Hall, Dining Room, Rope"
LOUNGE = ("Ann rolls 8", "Ann moves to Lounge")
ASKED = "Ann suggests Mustard, Wrench, Lounge: nobody shows"
CALLED = "Ann suggests Plum, Wrench, Lounge: Ben passes, Cat shows"
SURE = (
    "Ann knows envelope has Mustard",
    "Ann knows envelope has Wrench",
    "Ann knows envelope has Lounge",
)
WRONG = "Ann accuses Mustard, Wrench, Lounge: wrong"
GAMES = range(1, 7)


@proves("F1")
def test_all_six_tokens_stand_on_the_board() -> None:
    assert CLUE.keeps("Ann rolls 8")
    state = CLUE.state()
    assert {name: state.lies(name) for name in state.rules.suspects} == {
        "Scarlett": "H25",
        "Mustard": "A18",
        "Orchid": "J1",
        "Green": "O1",
        "Peacock": "X8",
        "Plum": "X20",
    }
    assert CLUE.broken("Ann rolls 8", "Ann moves to A18", exact=True) == ["reach"]
    assert len(CLUE.enforcer().at) == 6
    begun = PlayState.begin(CLUE.arena().dealt.table, exact=True)
    assert None not in {begun.lies(name) for name in begun.rules.suspects}


@proves("F2")
def test_scarlett_begins_or_the_next_clockwise() -> None:
    other = CLUE._replace(pieces="Green, Mustard, Plum")
    assert other.keeps("Ben rolls 8")
    assert [box.state().turn for box in (CLUE, other)] == ["Ann", "Ben"]
    assert "It is Ben's turn" in other.asked("Ann rolls 8")
    assert other.asked("Ben rolls 8") == ""
    assert other.told(HAND).startswith(("On your turn ", "Head for "))
    for number in GAMES:
        table = CLUE.arena(number).dealt.table
        first = table.seats[table.pieces.index(min(table.pieces, key=table.edition.suspects.index))]
        assert CLUE.arena(number).played.first == first


@proves("F3")
def test_a_clue_card_is_drawn_for_each_icon_from_a_deck_of_nine() -> None:
    lines = ("Ann rolls 5, glass", "Ann draws suspect", "Cat reveals Mustard")
    assert CLUE.keeps(*lines)
    assert CLUE.keeps("Ann rolls 5, glass", "Ann draws room", "nobody reveals Lounge")
    assert CLUE.verdict("Mustard", "Cat", *lines) == "holds"
    assert CLUE.verdict("Lounge", "envelope", "nobody reveals Lounge") == "holds"
    left = ("Ann draws left", "Ann reveals Plum to Ben", "Cat reveals Rope to Ann")
    assert CLUE.verdict("Rope", "Cat", *left) == "holds"
    assert CLUE.state(lines[0], exact=True).verbs() == ("draws", "skips")
    assert CLUE.broken(*lines[:2], "Ann draws all", exact=True) == ["again"]
    again = (*lines[:2], "Ann skips", "Ben rolls 5, glass", "Ben draws suspect")
    assert CLUE.broken(*again, exact=True) == ["deck"]
    assert CLUE.asked(*lines[:2]) == ""
    assert "for each icon" in CLUE.asked(*lines[:2], "Ann draws all")
    assert "no icon in that roll" in CLUE.asked("Ann rolls 9", "Ann draws all")
    anywhere = CLUE.advice(HAND, "Ann rolls 5, glass", "Ann draws move").suggestions
    assert {each.cards[2] for each in anywhere} == {*CLUE.begun().table.edition.rooms}
    some = CLUE.advice(HAND, "Ann rolls 5, glass", "Ann draws passage").suggestions
    assert {each.cards[2] for each in some} == {"Kitchen", "Study", "Conservatory", "Lounge"}
    deck = Counter(CLUE.begun().table.edition.clues)
    most = 0
    for number in GAMES:
        drawn = [e.kind for e in CLUE.arena(number).past if isinstance(e, observed.Draw)]
        assert Counter(drawn[:9]) <= deck
        assert drawn[9:18] == drawn[: max(0, len(drawn) - 9)][:9]
        most = max(most, len(drawn))
    assert most > 2


@proves("F4")
def test_the_icon_counts_one() -> None:
    assert CLUE.keeps("Ann rolls 5, glass")
    assert CLUE.reads("ann rolls 2 glass glass") == "Ann rolls 2, glass, glass"
    assert CLUE.state("Ann rolls 5, glass").total == 5
    assert CLUE.broken("Ann rolls 7, glass") == []
    assert CLUE.broken("Ann rolls 8, glass") == CLUE.broken("Ann rolls 3, glass, glass") == ["dice"]
    assert CLUE.asked("Ann rolls 7, glass") == ""
    assert CLUE.asked("Ann rolls 8, glass") == "The dice cannot show that. Is that right anyway?"
    chances = {each.cards[2]: each.reach for each in CLUE.advice(HAND).suggestions}
    assert chances["Lounge"] == pytest.approx(15 / 36)  # 8 and more of two dice from 1 to 6
    rolls = [
        each
        for number in GAMES
        for each in CLUE.arena(number).past
        if isinstance(each, observed.Roll)
    ]
    assert {each.total for each in rolls if len(each.icons) == 2} <= {2}
    assert {each.total for each in rolls if len(each.icons) == 1} <= {3, 4, 5, 6, 7}
    assert any(each.icons for each in rolls)


@proves("F5")
def test_the_dice_come_first() -> None:
    by = ("Ann moves to Lounge", "Ann skips", "Ben skips", "Cat skips")
    passage = (*by, "Ann rolls 5", "Ann moves to Conservatory")
    assert CLUE.keeps(*passage)
    assert CLUE.state(exact=True).verbs() == ("rolls", "skips")
    assert CLUE.broken(*passage) == []
    state = CLUE.state(*passage[:-1], exact=True)
    assert {"moves", "stays", "suggests"} <= {*state.verbs()}
    assert "Conservatory" in state.destinations()
    assert CLUE.broken(*by, "Ann moves to Conservatory", exact=True) == ["order"]
    assert CLUE.asked(*passage) == ""
    assert "too late" in CLUE.asked("Ann moves to Lounge", "Ann rolls 5")
    rooms = {each.cards[2]: each.reach for each in CLUE.advice(HAND, *passage[:-1]).suggestions}
    assert {"Conservatory", "Lounge"} <= {room for room, chance in rooms.items() if chance == 1}
    for number in GAMES:
        rolled = False
        for each in CLUE.arena(number).past:
            if isinstance(each, observed.Roll):
                rolled = True
            elif isinstance(each, observed.Suggestion):
                assert rolled
                rolled = False


@proves("F6")
def test_a_move_uses_up_the_roll_or_enters_a_room() -> None:
    assert CLUE.keeps("Ann rolls 4", "Ann moves to H21")
    state = CLUE.state("Ann rolls 4", exact=True)
    assert "H21" in state.destinations()
    assert "H22" not in state.destinations()
    assert "Lounge" in CLUE.state("Ann rolls 12", exact=True).destinations()
    assert CLUE.broken("Ann rolls 5", "Ann moves to H21") == ["reach"]
    assert CLUE.asked("Ann rolls 4", "Ann moves to H21") == ""
    assert "Ann cannot get to the square H23 with a 5" in CLUE.asked(
        "Ann rolls 5", "Ann moves to H23"
    )
    rooms = {each.cards[2] for each in CLUE.advice(HAND, "Ann rolls 12").suggestions}
    assert rooms == {"Dining Room", "Hall", "Lounge"}  # the Lounge is eight steps away
    assert CLUE.told(HAND, "Ann rolls 5").startswith("Head for ")
    (_, stops) = CLUE.begun("Ann rolls 5", "Ann moves to H23").observations
    assert not CLUE.enforcer("Ann rolls 5").legal(stops)
    walked = 0
    for number in GAMES:
        referee = CLUE.arena(number)
        now = PlayState.begin(referee.dealt.table, exact=True)
        for each in referee.past:
            if isinstance(each, observed.Move) and each.to not in now.rules.rooms:
                assert now.allows(each)
                walked += 1
            now = now.after(each)
    assert walked


@proves("F7")
def test_tokens_block_squares_and_doorways() -> None:
    near = CLUE._replace(pieces="Plum, Scarlett, Green", first="Ann")
    before = ("Ann moves to H24", "Ann skips")
    assert near.keeps(*before, "Ben rolls 8")
    assert near.state(*before, "Ben rolls 8", exact=True).destinations() == ()
    assert near.broken(*before, "Ben rolls 8", "Ben moves to Lounge") == ["reach"]
    after = (
        "Ann skips",
        "Ben moves to Study",
        "Ben skips",
        "Cat skips",
        "Ann skips",
        "Ben rolls 10",
    )
    assert "Hall" in near.state(*after, exact=True).destinations()
    shut = near.state("Ann moves to R21", *after, exact=True)  # the only door of the Study
    assert shut.destinations() == ("Kitchen",)
    assert "Ben cannot get to the square H24" in near.asked(*before, "Ben moves to H24")
    assert "Is that right anyway?" in near.asked(*before, "Ben rolls 8", "Ben moves to Lounge")
    mine = CLUE._replace(first="Ben")
    way = (HAND, "Ben moves to H24", "Ben skips", "Cat skips", "Ann rolls 8")
    assert not mine.told(*way).startswith("Ask ")
    assert mine.told(way[0], *way[2:]).startswith("Ask ")
    (goes,) = near.begun("Ben moves to Lounge").observations
    assert near.enforcer("Ben rolls 8").at["Scarlett"] == (24, 7)
    assert not near.enforcer(*before, "Ben rolls 8").legal(goes)


@proves("F8")
def test_who_was_called_may_stay_and_suggest() -> None:
    stays = (*LOUNGE, CALLED, "Ben rolls 5", "Ben stays")
    suggests = "Ben suggests Orchid, Rope, Lounge: Cat shows"
    assert CLUE.keeps(*stays, suggests)
    assert CLUE.state(*LOUNGE, CALLED).place("Ben") == "Lounge"
    assert CLUE.broken(*stays, suggests, exact=True) == []
    assert CLUE.asked(*stays, suggests) == ""
    assert "Is that right anyway?" in CLUE.asked(
        *LOUNGE, CALLED.replace("Plum", "Orchid"), "Ben rolls 5", suggests
    )
    called = CLUE._replace(pieces="Plum, Scarlett, Green")
    lines = ("Ben moves to Lounge", "Ben suggests Plum, Wrench, Lounge: Cat shows", "Cat skips")
    assert "Lounge" in {
        each.cards[2] for each in called.advice(HAND, *lines, "Ann rolls 2").suggestions
    }
    judge = CLUE.enforcer(*stays[:-1])
    (stay, asked) = CLUE.begun("Ben stays", suggests).observations
    assert judge.legal(stay)
    judge.tell(stay)
    assert judge.legal(asked)


@proves("F9")
def test_one_accuses_in_a_room() -> None:
    assert CLUE.keeps(*LOUNGE, ASKED, WRONG)
    assert CLUE.verdict("Lounge", "envelope", *SURE[:2], WRONG) == "lacks"
    assert CLUE.broken(*LOUNGE, WRONG) == []
    assert CLUE.broken("Ann moves to H24", WRONG) == ["place"]
    assert CLUE.asked(*LOUNGE, WRONG) == ""
    assert CLUE.asked("Ann moves to H24", WRONG) == "Ann stands in no room. Is that right anyway?"
    assert "It is Ann's turn" in CLUE.asked("Ben accuses Mustard, Wrench, Lounge: wrong")
    assert CLUE.told(*SURE, "Ann rolls 2").endswith("you can accuse only in a room")
    assert CLUE.told(*SURE, "Ann rolls 8").startswith("Accuse now: ")
    (accuses,) = CLUE.begun(WRONG).observations
    assert [CLUE.enforcer(*lines).legal(accuses) for lines in (LOUNGE, LOUNGE[:1])] == [True, False]
    for number in GAMES:
        referee = CLUE.arena(number)
        state = PlayState.begin(referee.dealt.table, exact=True)
        for each in referee.past:
            if isinstance(each, observed.Accusation):
                assert state.where(each.by)
            state = state.after(each)


@proves("F10")
def test_the_others_play_on() -> None:
    ben = "Ben accuses Orchid, Rope, Hall: wrong"
    cat = "Cat accuses Orchid, Rope, Library: wrong"
    out = ("Ann skips", ben, cat)
    assert CLUE.keeps(*out, *LOUNGE, ASKED)
    assert CLUE.verdict("Mustard", "Ben", *out, ASKED) == "lacks"
    assert (CLUE.state(*out).over, CLUE.state(*out).turn) == (False, "Ann")
    nobody = CLUE.state(*out, WRONG)
    assert (nobody.over, nobody.winner) == (True, None)
    assert CLUE.asked(*out, *LOUNGE, ASKED, "Ann rolls 5") == ""
    assert "The game ended with entry 4" in CLUE.asked(*out, WRONG, "Ben rolls 5")
    assert CLUE.told(*SURE, *out, "Ann moves to Lounge").startswith("Accuse now: ")
    assert CLUE.told(HAND, *out, "Ann rolls 8").startswith("Ask ")
    rash = CLUE.rash("Ann", "Ben")
    assert rash.state.out == {"Ann", "Ben"}
    assert rash.state.winner == "Cat"
    all_out = CLUE.rash("Ann", "Ben", "Cat")
    assert (all_out.state.over, all_out.state.winner) == (True, None)


@proves("F11")
def test_cards_lie_in_rooms_and_whoever_enters_looks() -> None:
    look = "Ann looks at Lounge: Knife"
    asked = "Ann suggests Plum, Rope, Lounge: Ben passes"
    assert TWO.keeps(SEVEN, *LOUNGE, look, "Ann suggests Plum, Rope, Lounge: nobody shows")
    assert TWO.verdict("Knife", "Lounge", SEVEN, look) == "holds"
    assert TWO.verdict("Plum", "Ben", SEVEN, asked) == "lacks"
    assert TWO.verdict("Plum", "envelope", SEVEN, asked) == "open"  # it may lie in a room
    assert TWO.broken(*LOUNGE, asked) == ["look"]
    assert TWO.broken(*LOUNGE, look, asked) == []
    assert TWO.state(*LOUNGE, exact=True).face_down() == ("Lounge",)
    assert "Ann looks at the card in the Lounge first" in TWO.asked(*LOUNGE, asked)
    assert "Ann is in the Lounge, not in the Study" in TWO.asked(
        *LOUNGE, "Ann looks at Study: Knife"
    )
    assert TWO.asked(*LOUNGE, look, asked) == ""
    assert TWO.told(SEVEN, "Ann rolls 8").startswith("Go to the Lounge and look, then ask ")
    assert all(each.gain > 0 for each in TWO.advice(SEVEN, "Ann rolls 8").suggestions[:1])
    for number in GAMES:
        referee = TWO.arena(number)
        table = referee.dealt.table
        assert sorted(map(len, referee.dealt.hands.values())) == [1, 1, 1, 1, 7, 7]
        seen = set[tuple[str, str]]()
        for each in referee.past:
            if isinstance(each, observed.Look):
                seen.add((each.by, each.holder))
            elif isinstance(each, observed.Suggestion):
                slots = {slot.name for slot in table.slots}
                assert each.cards[2] not in slots or (each.by, each.cards[2]) in seen


@proves("F12")
def test_the_cards_lie_in_the_corner_rooms() -> None:
    corners = ("Kitchen", "Conservatory", "Lounge", "Study")
    assert TWO.keeps(SEVEN, "Ann looks at Study: Knife")
    assert TWO.begun().table.holders[2:] == (*corners, "envelope")
    assert TWO.verdict("Knife", "Study", SEVEN, "Ann looks at Study: Knife") == "holds"
    assert TWO.verdict("Knife", "Study", SEVEN) == "open"
    assert TWO.state().unlooked("Ann") == corners
    board = TWO.begun().table.edition.board
    assert board is not None
    assert {room for pair in board.passages for room in pair} == {*corners}
    looks = {each.cards[2]: each.look for each in TWO.advice(SEVEN).suggestions}
    assert {room: look for room, look in looks.items() if look} == {
        room: room for room in corners if room in looks
    }
    drawn = {tuple(slot.name for slot in TWO.arena(n).dealt.table.slots) for n in GAMES}
    assert drawn == {corners}


@proves("F13")
def test_clue_cards_may_be_left_in_the_box() -> None:
    none = CLUE._replace(more="clue-cards: none\n")
    assert none.keeps("Ann rolls 5, glass", "Ann moves to I22")
    assert "draws" not in none.state("Ann rolls 5, glass", exact=True).verbs()
    assert none.state("Ann rolls 5, glass").clue_cards() == (0,)
    assert none.asked("Ann rolls 5, glass") == ""
    with pytest.raises(NotationError, match="clue-2015 has none"):
        none.asked("Ann rolls 5, glass", "Ann draws all")
    assert none.told(HAND, "Ann rolls 8, glass").startswith("Ask ")
    dealt = CLUE.arena().dealt
    table = replace(dealt.table, clue_cards="none")
    rngs = np.random.default_rng(3).spawn(4)
    referee = Referee(dealt._replace(table=table), rng=rngs[0], rngs=rngs[1:])
    play(referee, {seat: Likeliest() for seat in table.seats})
    assert referee.state.over
    assert any(isinstance(each, observed.Roll) and each.icons for each in referee.past)
    kinds = observed.Draw | observed.Reveal | observed.Nobody
    assert not any(isinstance(each, kinds) for each in referee.past)
