"""Colours of a Diced table in the words of players, roles left out: understood, or asked about."""

from __future__ import annotations

import pytest

from clue_solver import parse_record
from clue_solver.conversation.dialog import Asking, EntryDialog
from clue_solver.conversation.session import Session
from clue_solver.notation import format_line

START = """\
edition: clue-express
players: Ann, Ben, Cat
viewer: Ann
hands: 4, 3, 3
first: Ben

"""
HAND = "Ann holds Brains Plum, Brawn Green, Brawn White, Brains Peacock\n"


def begun(record: str) -> EntryDialog:
    return EntryDialog(Session(parse_record(record)), asks="everything")


def read(record: str, line: str) -> str:
    session = begun(record).session
    return format_line(session.read(line).told, session.record.table)


@pytest.mark.parametrize(
    ("before", "typed", "told"),
    [
        (
            "",
            "ann holds plum, plum, white, white",
            "Ann holds Brains Plum, Brawn Plum, Brains White, Brawn White",
        ),
        (
            HAND,
            "ben suggests plum green: me plum",
            "Ben suggests Brains Plum, Brawn Green: Cat passes, Ann shows Brains Plum",
        ),
        (
            HAND + "Ben skips\nCat skips\n",
            "plum, scarlett: cat plum",
            "Ann suggests Brawn Plum, Brains Scarlett: Ben passes, Cat shows Brawn Plum",
        ),
        (
            HAND,
            "ben suggests mrs white, mrs peacock: ann mrs white",
            "Ben suggests Brawn White, Brains Peacock: Cat passes, Ann shows Brawn White",
        ),
        (
            HAND + "Ann knows Ben has Brawn Mustard\n",
            "cat has mustard",
            "Ann knows Cat has Brains Mustard",
        ),
    ],
)
def test_a_colour_that_can_be_one_card_alone_is_that_card(
    before: str, typed: str, told: str
) -> None:
    assert read(START + before, typed) == told
    dialog = begun(START + before)
    list(dialog.enter(typed))
    assert dialog.session.lines[-1] == told


@pytest.mark.parametrize(
    ("before", "typed", "asked", "said", "told"),
    [
        (
            "",
            "ann holds brains plum, brawn green, white, brains peacock",
            ("Which card?", ["Brains White", "Brawn White"]),
            "2",
            "Ann holds Brains Plum, Brawn Green, Brawn White, Brains Peacock",
        ),
        (
            HAND,
            "cat has mustard",
            ("Which card?", ["Brains Mustard", "Brawn Mustard"]),
            "brawn",
            "Ann knows Cat has Brawn Mustard",
        ),
        (
            HAND + "Ben skips\nCat skips\n",
            "brains red, brawn red: ben red",
            ("Which card?", ["Brains Scarlett", "Brawn Scarlett"]),
            "brawn scarlett",
            "Ann suggests Brains Scarlett, Brawn Scarlett: Ben shows Brawn Scarlett",
        ),
    ],
)
def test_colours_that_can_be_several_cards_are_asked_about(
    before: str, typed: str, asked: tuple[str, list[str]], said: str, told: str
) -> None:
    dialog = begun(START + before)
    list(dialog.enter(typed))
    assert isinstance(dialog.state, Asking)
    doubt = dialog.state.doubt
    assert (doubt.question, [each.label for each in doubt.choices]) == asked
    list(dialog.say(said))
    assert dialog.session.lines[-1] == told


def test_a_misspelt_name_is_never_taken_for_the_one_card_that_it_can_be() -> None:
    dialog = begun(START + HAND)
    list(dialog.enter("ben suggests brains plm, brawn grean: cat"))
    assert len(dialog.session.lines) == 1


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("peeks", "Ben peeks"),
        ("looks cat", "Ben looks at Cat"),
        ("asks cat about green: passes", "Ben asks Cat about Green: passes"),
    ],
)
def test_the_bonus_die_is_used_by_who_suggested_where_it_is_not_said(typed: str, told: str) -> None:
    asked = "Ben suggests Brains Plum, Brawn Plum: Cat shows\n"
    assert read(START + HAND + asked, typed) == told


@pytest.mark.parametrize(
    ("record", "typed", "told"),
    [
        (
            START + HAND + "Ben suggests Brains Plum, Brawn Plum: Cat shows\n",
            "accuses brains plum, brawn green wrong",
            "Ben accuses Brains Plum, Brawn Green: wrong",
        ),
        (
            "edition: cluedo-watson\nplayers: Ann, Ben, Cat\nfirst: Ann\n\n"
            "Ann suggests Plum, Rope, Hall: nobody shows\n",
            "accuses plum, rope, hall right",
            "Ann accuses Plum, Rope, Hall: right",
        ),
    ],
)
def test_an_accusation_that_has_to_follow_a_suggestion_is_by_who_suggested(
    record: str, typed: str, told: str
) -> None:
    dialog = begun(record)
    list(dialog.enter(typed))
    assert dialog.session.lines[-1] == told
