"""What happens in a turn besides suggestions: skips, rolls, moves and the pointed finger."""

from __future__ import annotations

import pytest

from clue_solver.errors import NotationError
from clue_solver.game import Game
from clue_solver.knowledge.evidence import seen
from clue_solver.notation import (
    InvalidObservation,
    TurnState,
    format_line,
    normalise,
    parse_line,
)
from clue_solver.record import parse_record
from clue_solver.rules.observations import Answer, Finger, Move, Observation, Roll, Skip, Suggestion
from clue_solver.rules.table import Table
from tests.observing import CLUE, DICED, ROOMS

POINTED = "Ann points at Brains Plum, Brawn Green: Ben passes, Cat shows Brawn Green"
GAME = """\
edition: clue-diced
players: Ann, Ben, Cat
viewer: {viewer}

Ann rolls Plum, Green, Green, finger
Ann points at Brains Plum, Brawn Green: Ben passes, Cat shows Brawn Green
Ann suggests Brains Green, Brawn Plum: Ben shows
"""


def after(*lines: str, table: Table = CLUE) -> TurnState:
    state = TurnState()
    for line in lines:
        state = state.after(parse_line(line, table, state))
    return state


@pytest.mark.parametrize(
    ("line", "observation"),
    [
        ("a skip", Skip(by="Ann")),
        ("ann roll 12", Roll(by="Ann", total=12)),
        ("ann move hall", Move(by="Ann", to="Hall")),
        ("ann moves to dining", Move(by="Ann", to="Dining Room")),
    ],
)
def test_short_forms(line: str, observation: Observation) -> None:
    assert observation == parse_line(line, CLUE)


def test_dice_show_suspects_and_the_marks_of_the_blue_die() -> None:
    rolled = Roll(by="Ann", dice=("Plum", "Plum", "Green", "glass"))
    assert rolled == parse_line("ann rolls pl pl gr gl", DICED)
    assert rolled == parse_line("ann rolls prof plum, plum, green, magnifying glass", DICED)


def test_the_finger_is_answered_like_a_suggestion() -> None:
    told = parse_line("ann point brains plum brawn gr : cat brawn", DICED)
    assert format_line(told, DICED) == POINTED
    assert isinstance(told, Finger)
    assert told.answers[0] == Answer(seat="Ben", answer="passes")


@pytest.mark.parametrize(
    "verb",
    ["ann pointed finger", "ann pointed finger at", "ann points finger at", "pointed finger"],
)
def test_the_finger_is_called_as_on_the_box(verb: str) -> None:
    line = f"{verb} brains plum brawn gr: cat brawn gr"
    asked = after("Ann suggests Brains Plum, Brawn Green: nobody shows", table=DICED)
    told = parse_line(line, DICED, asked)
    assert format_line(told, DICED) == POINTED
    rolled = Roll(by="Ann", dice=("Plum", "Plum", "Green", "finger"))
    assert rolled == parse_line("ann rolls plum, plum, green, pointed finger", DICED)


@pytest.mark.parametrize(
    ("table", "line", "column", "reason"),
    [
        (CLUE, "ann rolls", 9, "expected a total; found nothing"),
        (CLUE, "ann rolls 30", 10, "unknown total '30'"),
        (DICED, "ann rolls", 9, "expected a total or the faces of the dice; found nothing"),
        (DICED, "ann rolls plum xyzzy", 15, "unknown face 'xyzzy'"),
        (
            DICED,
            "ann moves to hall",
            13,
            "expected a room or a square, but clue-diced has none; found 'hall'",
        ),
        (CLUE, "ann moves to hal", 0, ""),
        (CLUE, "ann moves to rope", 13, "unknown room 'rope'"),
        (CLUE, "ann skips plum", 10, "expected nothing after 'skips'; found 'plum'"),
        (CLUE, "ann points at plum, rope: ben", 20, "found no room"),
    ],
)
def test_what_is_wrong_with_them_is_said(table: Table, line: str, column: int, reason: str) -> None:
    if not reason:
        assert parse_line(line, table)
        return
    with pytest.raises(NotationError) as caught:
        parse_line(line, table)
    assert reason in caught.value.reason
    assert caught.value.column == column


@pytest.mark.parametrize(
    "roll",
    [
        Roll(by="Ann"),
        Roll(by="Ann", total=7, dice=("Plum",)),
        Roll(by="Ann", total=0),
        Roll(by="Ann", dice=("Plum",) * 7),
        Roll(by="Ann", dice=("Rope",)),
    ],
)
def test_a_roll_is_a_total_or_faces(roll: Roll) -> None:
    with pytest.raises(InvalidObservation):
        normalise(roll, DICED)


def test_a_skip_ends_the_turn_so_that_the_next_asker_may_be_left_out() -> None:
    state = after("Ann skips")
    assert state.turn(CLUE) == "Ben"
    told = parse_line("mus wr lou: cat", CLUE, state)
    assert isinstance(told, Suggestion)
    assert told.by == "Ben"
    assert after("Ann skips", "Ben skips").turn(CLUE) == "Cat"
    assert Skip(by="Ben") == parse_line("skip", CLUE, state)


def test_rolls_moves_and_the_finger_are_in_a_turn_and_do_not_end_it() -> None:
    assert after("Ann rolls 7", "Ann moves to Hall").turn(CLUE) == "Ann"
    suggested = "Ann suggests Brains Green, Brawn Plum: Ben shows"
    assert after(POINTED, table=DICED).turn(DICED) == "Ann"
    assert after(suggested, POINTED, table=DICED).turn(DICED) == "Ben"


def test_the_card_shown_to_the_finger_is_seen_by_the_two_of_them() -> None:
    told = parse_line(POINTED, DICED)
    for involved in ("Ann", "Cat"):
        assert told == seen(told, table=DICED, viewer=involved)
    for viewer in ("Ben", "Dan", None):
        share = seen(told, table=DICED, viewer=viewer)
        assert isinstance(share, Finger)
        assert [answer.card for answer in share.answers] == [None, None]


def test_what_the_finger_is_shown_is_deduced() -> None:
    record = parse_record(GAME.format(viewer="Ann"))
    report = Game(record).report()
    assert report.verdict("Brawn Green", "Cat") == "holds"
    assert report.verdict("Brains Plum", "Ben") == "lacks"


def test_a_room_may_lie_face_up_and_still_be_moved_to() -> None:
    table = Table(edition=ROOMS.edition, seats=ROOMS.seats, face_up=("Hall",), slots=())
    assert Move(by="Plum", to="Hall") == parse_line("plum moves to hall", table)
