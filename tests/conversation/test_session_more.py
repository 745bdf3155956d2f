"""What a session asks, offers and counts beside `test_session.py`, whichever face shows it."""

from __future__ import annotations

import pytest

from clue_solver import NotationError, parse_record
from clue_solver.conversation.changes import Place
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.questions import doubts
from clue_solver.conversation.session import Session
from clue_solver.exchange.imports import with_hand
from clue_solver.faces.asking import Prompt, asked_after
from clue_solver.notation import TurnState, parse_line, reading_of, readings
from clue_solver.notation.places import Places
from tests.conversation.test_session import START
from tests.counting import counted

FIRST = "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard\n"
BEN = "Ben suggests Peacock, Candlestick, Library: Cat shows\n"
CAT = "Cat suggests White, Wrench, Kitchen\n"


def begun(*lines: str) -> Session:
    return Session(parse_record(START + "".join(lines)))


@pytest.mark.parametrize(
    ("lines", "typed", "first", "never"),
    [
        ((), "ann plum ro lou : ben p", "passes, ", "shows Plum"),
        ((), "ben mus wr lou : cat no, ann ", "passes", "shows Mustard"),
        ((), "ben plum wr lou : cat no, ann s", "shows ", "passes"),
        ((FIRST,), "ann mus ro kit : ben ", "shows ", "shows Rope"),
    ],
)
def test_what_is_offered_first_is_possible(
    lines: tuple[str, ...], typed: str, first: str, never: str
) -> None:
    session = begun(*lines)
    found = Dialog(session).completions(typed)
    assert found[0].line.casefold() == (typed[: typed.rindex(" ") + 1] + first).casefold()
    assert never not in [each.label for each in found]


def test_in_a_hand_the_word_that_is_no_card_is_what_is_wrong() -> None:
    record = parse_record(START.partition("Ann holds")[0].replace("Cat", "Cat, Dan"))
    with pytest.raises(NotationError, match="unknown card 'balroom'; did you mean 'Ballroom'"):
        with_hand(record, "rev, dining, lead, green, balroom")
    with pytest.raises(NotationError, match="twice"):
        with_hand(record, "rev, dining, lead, green, green")


@pytest.mark.parametrize(
    ("own", "who", "labels"),
    [
        (None, (), ["Ben shows", "Cat shows", "Dan shows", "nobody shows", "no idea"]),
        (("Rope", "Hall"), (), ["Ben shows", "Cat shows", "no idea"]),
        (("Knife",), (), ["Ben shows", "Dan shows", "nobody shows", "no idea"]),
        (("Rope", "Hall"), ("Cat",), ["shows Rope", "shows Hall", "shows a card that I forgot"]),
    ],
)
def test_lists_offer_the_viewer_only_what_it_holds(
    own: tuple[str, ...] | None, who: tuple[str, ...], labels: list[str]
) -> None:
    table = parse_record("edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nviewer: Cat\n").table
    chosen = ("Suggestion", "Ann", "Plum", "Rope", "Hall", *who)
    question = asked_after(table, TurnState(), chosen, own)
    assert isinstance(question, Prompt)
    assert [label for label, _ in question.choices] == labels


def test_an_answer_that_was_not_heard_says_nothing_where_several_show() -> None:
    header = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nanswers: all\n"
    table = parse_record(header).table
    chosen = ("Suggestion", "Ann", "Plum", "Rope", "Hall", "", "shows", "")
    told = asked_after(table, TurnState(), chosen)
    assert told == parse_line("Ann suggests Plum, Rope, Hall: Cat shows", table)


def test_a_line_told_is_parsed_once_whatever_stands_before_it() -> None:
    session = begun()
    for line in ("ann mus wr lou: cat", "ben mus wr lou: cat", "Cat suggests Plum, Rope, Hall"):
        with counted(readings, Places.checked, TurnState.after) as calls:
            session.tell(line)
        assert calls[readings.__qualname__] == calls[TurnState.after.__qualname__] == 1
        assert calls[Places.checked.__qualname__] <= 1


def test_the_cards_that_an_entry_may_have_shown_are_those_that_fit_the_log() -> None:
    lines = (FIRST, BEN, CAT[:-1] + ": Ann passes, Ben passes\n", "Ben lacks Library\n")
    shown = "Ann suggests Scarlett, Wrench, Ballroom: Ben shows\n"
    log = begun(*lines, "Ben has Scarlett\n", shown, "Cat has Wrench\n", BEN)
    number = log.lines.index(shown.strip()) + 1
    told = reading_of(log.entry(number).observation, log.record.table)
    (doubt, *_) = doubts(log.game, told, Place(number))
    fitting = []
    for card in ("Scarlett", "Wrench", "Ballroom"):
        tried = begun(*lines, "Ben has Scarlett\n", f"{shown.strip()} {card}\n", "Cat has Wrench\n")
        fitting += [card] if tried.game.report().consistent else []
    assert [each.label for each in doubt.choices] == [*fitting, "shows ? (missed)"]
    assert fitting == ["Scarlett", "Ballroom"]
