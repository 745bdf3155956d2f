"""What a session asks, offers and counts beside `test_session.py`, whichever face shows it."""

from __future__ import annotations

import pytest

from clue_solver import parse_record
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.session import Session
from clue_solver.faces.asking import Prompt, asked_after
from clue_solver.notation import TurnState, parse_line, readings
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
