"""Suggestions in words and tables of other people: each line is read as a player would say it."""

from __future__ import annotations

from typing import Any

import pytest

from clue_solver.exchange.imports import Unclear, import_notes
from clue_solver.notation import format_line

SAID: dict[str, Any] = {
    "edition": "clue-classic",
    "players": ("Ann", "Ben", "Cat", "Dan"),
    "viewer": "Ann",
}
HAND = "Ann holds Plum, Knife, White, Library, Conservatory"


def lines(text: str, **said: Any) -> list[str]:
    record = import_notes(text, **{**SAID, **said}).record
    return [format_line(each, record.table) for each in record.observations]


BELOW = """\
My cards: White, Conservatory, Plum, Knife, Library
Ben suggests Plum, Ballroom, Pipe
Cat shows a card
Cat suggests Green, Rope, Hall
Dan has nothing
I have nothing
Ben shows a card
I suggest Mustard, Wrench, Study
Ben passes
Cat shows me the Wrench
"""


def test_answers_on_lines_of_their_own_belong_to_the_question_before() -> None:
    assert lines(BELOW) == [
        "Ann holds White, Conservatory, Plum, Knife, Library",
        "Ben suggests Plum, Ballroom, Lead Pipe: Cat shows",
        "Cat suggests Green, Rope, Hall: Dan passes, Ann passes, Ben shows",
        "Ann suggests Mustard, Wrench, Study: Ben passes, Cat shows Wrench",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Ann: Green, Rope, Hall - Cat\n",
        "1. Ann -> Green, Rope, Hall -> Cat\n",
        "- Ann: Green with the Rope in the Hall, Cat showed\n",
        '"T1 Ann asked for Green, Rope, Hall. Ben had nothing, Cat showed her a card."\n',
        "I suggested: Mr. Green, Rope, Hall.\nBen passes\nCat showed me a card.\n",
    ],
)
def test_a_suggestion_may_be_told_in_many_ways(text: str) -> None:
    assert lines(text) == ["Ann suggests Green, Rope, Hall: Ben passes, Cat shows"]


@pytest.mark.parametrize(
    "text",
    [
        "Ann: Green, Rope, Hall - Cat?\n",
        "Ann: Green, Rope, Hall - maybe Cat, I did not look\n",
        "Ann: not Green, Rope, Hall - Cat\n",
        "~~Ann: Green, Rope, Hall - Cat~~\n",
        "my guess: Green, Rope, Hall\n",
        "Ann: Green, Rope, Hall. nobody - wrong!\n",
    ],
)
def test_a_line_of_which_a_word_is_not_understood_is_asked_for(text: str) -> None:
    with pytest.raises(Unclear) as caught:
        lines(text, guess=True)
    (question,) = caught.value.questions
    assert (question.argument, question.about) == ("called", text.strip())
    said = {question.about: "Ann suggests Green, Rope, Hall: Cat shows"}
    assert lines(text, called=said) == ["Ann suggests Green, Rope, Hall: Ben passes, Cat shows"]
    assert lines(f"{text}Cat: no Hall\n", leave=[question.about]) == ["Ann knows Cat lacks Hall"]


def test_a_no_beside_the_pass_of_one_player_says_nothing_of_the_others() -> None:
    (told,) = lines("Cat asked Plum, Knife, Study: no, Dan has nothing\n")
    assert told == "Cat suggests Plum, Knife, Study: Dan passes, ?"


SPACES = """\
asker    suspect    weapon       room           shower
Ann      Mustard    Knife        Hall           Ben
Ben      Plum       Rope         Study          Cat
"""
FRAME = """\
   player  suspect        weapon         room responder      response
0     Ann    Green          Rope         Hall       Cat          Hall
1     Ben     Plum     Lead Pipe  Dining Room       Cat        hidden
2   Cat      White   Candlestick     Ballroom      None          None
"""


def test_columns_of_spaces_are_read_as_people_and_pandas_print_them() -> None:
    assert lines(SPACES)[1] == "Ben suggests Plum, Rope, Study: Cat shows"
    assert lines(FRAME) == [
        "Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall",
        "Ben suggests Plum, Lead Pipe, Dining Room: Cat shows",
        "Cat suggests White, Candlestick, Ballroom: nobody shows",
    ]


ROWS = {
    "a remark in brackets": (
        "Ann,Green,Rope,Hall,Dan (Ben + Cat no),",
        "Ben passes, Cat passes, Dan shows",
    ),
    "a card in brackets": ("Ann,Green,Rope,Hall,Cat (Hall),", "Ben passes, Cat shows Hall"),
    "nobody": ("Ann,Green,Rope,Hall,no one!!,", "nobody shows"),
    "the card below another name": ("Ann,Green,Rope,Hall,Cat,Mr G", "Ben passes, Cat shows Green"),
}


@pytest.mark.parametrize(("row", "told"), ROWS.values(), ids=ROWS)
def test_answers_in_a_cell_are_read_in_words(row: str, told: str) -> None:
    text = f"asker,suspect,weapon,room,shower,shown\n{row}\n"
    assert lines(text, called={"Mr G": "Green"} if "Mr G" in row else {}) == [
        f"Ann suggests Green, Rope, Hall: {told}"
    ]


def test_accusations_need_their_outcome() -> None:
    table = "player,type,suspect,weapon,room,result\nBen,accusation,Green,Rope,Hall,{}\n"
    assert lines(table.format("wrong")) == ["Ben accuses Green, Rope, Hall: wrong"]
    with pytest.raises(Unclear, match="right or wrong"):
        lines(table.format(""))
    with pytest.raises(Unclear, match="right or wrong"):
        lines("asker,suspect,weapon,room,shower,note\nBen,Green,Rope,Hall,Cat,should accuse!\n")


SHORT = {
    "Order: Ann, Ben (me), Cat\nMy hand: Plum, Rope\n\n"
    "1 Ann: Green/Knife/Hall  Ben no, Cat yes\n": (
        "Ben holds Plum, Rope",
        "Ann suggests Green, Knife, Hall: Ben passes, Cat shows",
    ),
    "Ann -> me (Ben) -> Cat\n\nAnn: no Plum, 1 of Rope / Hall\nCat has: Study\n": (
        "Ben knows Ann has Rope or Hall",
        "Ben knows Ann lacks Plum",
        "Ben knows Cat has Study",
    ),
}


@pytest.mark.parametrize(("text", "told"), SHORT.items())
def test_notes_in_short_forms_are_read(text: str, told: tuple[str, ...]) -> None:
    seats = ("Ann", "Ben", "Cat")
    assert lines(text, players=seats, viewer="Ben", hands="2,2,?") == [*told]


@pytest.mark.parametrize(
    "line",
    [
        *("Ben: Green maybe", "Ben: Green (maybe)", "Ben: I think Green", "Ben: Green?"),
        *("Ben: never Green", "Ben: asked for Green twice", "Ben: Green/Rope", "Green: Ben?"),
        *(
            "Green: Ben (probably)",
            "Green: Ben or Cat",
            "Green: asked Ben",
            "Ben has Green I think",
        ),
        *("Note: Green, Rope", "Ben won't show Green", "Ben showed me the Rope", "Rope (Ben)"),
    ],
)
def test_of_what_is_not_certain_nothing_is_told(line: str) -> None:
    assert lines(f"Cat: no Hall\nDan: Wrench\n{line}\n", guess=True) == [
        "Ann knows Cat lacks Hall",
        "Ann knows Dan has Wrench",
    ]


LISTS = {
    "Ben: no Green, Rope or Hall": "Ben lacks Green, Rope, Hall",
    "Ben: Green, Rope or Hall": "Ben has Green or Rope or Hall",
    "Ben has: one of Green, Rope or Hall": "Ben has Green or Rope or Hall",
    "Unknown: Green, Rope": "",
    "Ben - Green, Rope ?": "",
}


@pytest.mark.parametrize(("line", "told"), LISTS.items())
def test_lists_say_what_somebody_has_lacks_or_has_one_of(line: str, told: str) -> None:
    facts = lines(f"Cat: no Hall\n{line}\n", guess=True)
    assert facts[1:] == ([f"Ann knows {told}"] if told else [])


@pytest.mark.parametrize("shower", ["Cat?", "Cat (maybe)", "Cat (I think)"])
def test_an_answer_of_which_its_writer_is_not_certain_is_not_heard(shower: str) -> None:
    row = f"asker,suspect,weapon,room,passed,shower\nAnn,Green,Rope,Hall,Ben (not sure),{shower}\n"
    assert lines(row) == ["Ann suggests Green, Rope, Hall"]
