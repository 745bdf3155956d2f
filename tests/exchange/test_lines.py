"""
Suggestions in words and tables of other people: each line is read as a player would say it.

What columns, marks and names are taken for: a guess that is shown, or a question.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from clue_solver import ArgumentError, ClueError, NotationError
from clue_solver.exchange.imports import Imported, Unclear, import_notes
from clue_solver.notation.canonical import format_line

SAID: dict[str, Any] = {
    "edition": "clue-classic",
    "players": ("Ann", "Ben", "Cat", "Dan"),
    "viewer": "Ann",
}


def lines(text: str, **said: Any) -> list[str]:
    record = import_notes(text, **{**SAID, **said}).record
    return [format_line(each, record.table) for each in record.observations]


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
        "Ann: Green, Rope Knife, Hall - Cat\n",
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


ASKED = ("Green, Rope, Hall", "Plum, Knife, Study", "White, Knife, Lounge")


def test_a_line_of_many_that_cannot_be_read_is_left_out_and_no_answer_stands_behind_it() -> None:
    text = "".join(f"Ann: {asked} - Cat\n" for asked in ASKED * 2)
    odd = "Ben: Mustard, Rope, Hall - Nemo\nCat shows\n"
    notes = import_notes(text + odd, **SAID, guess=True)
    assert len(notes.record.observations) == len(ASKED * 2)
    assert any("Nemo" in left for left in notes.aside)


def test_a_no_beside_the_pass_of_one_player_says_nothing_of_the_others() -> None:
    (told,) = lines("Cat asked Plum, Knife, Study: no, Dan has nothing\n")
    assert told == "Cat suggests Plum, Knife, Study: Dan passes, ?"


@pytest.mark.parametrize("line", ["Ben showed me the Rope", "Ben has the Rope", "Rope: Ben has it"])
def test_a_sentence_beside_a_pad_is_read_unless_it_is_left_out(line: str) -> None:
    pad = f'card,Ann,Ben,Cat,Dan\nPlum,y,n,n,n\nHall,n,n,n,y\n\n"{line}"\n'
    *others, told = lines(pad, guess=True)
    assert told == "Ann knows Ben has Rope"
    for left in (line, "row 5"):
        assert lines(pad, guess=True, leave=[left]) == others


def test_what_is_known_of_another_card_is_no_answer_to_the_question_before() -> None:
    told = lines("Cat asks Green, Rope, Hall\nDan: Wrench\n")
    assert told == ["Cat suggests Green, Rope, Hall", "Ann knows Dan has Wrench"]


@pytest.mark.parametrize("passed", ["BC", "Ben Cat", "Ben, Cat"])
def test_who_passed_is_listed_by_initials_or_by_names(passed: str) -> None:
    row = f'asker,suspect,weapon,room,passed,shower\nAnn,Green,Rope,Hall,"{passed}",Dan\n'
    assert lines(row) == ["Ann suggests Green, Rope, Hall: Ben passes, Cat passes, Dan shows"]


DOUBTFUL = """\
Ben: Green maybe|Ben: Green (maybe)|Ben: I think Green|Ben: Green?|Ben: never Green|Ben: Green/Rope
Ben: asked for Green twice|Green: Ben?|Green: Ben (probably)|Green: Ben or Cat|Green: asked Ben
Ben has Green I think|Note: Green, Rope|Ben won't show Green|Rope (Ben)|Rope - +"""


@pytest.mark.parametrize("line", re.split(r"[|\n]", DOUBTFUL))
def test_of_what_is_not_certain_nothing_is_told(line: str) -> None:
    assert lines(f"Cat: no Hall\nDan: Wrench\n{line}\n", guess=True) == [
        "Ann knows Cat lacks Hall",
        "Ann knows Dan has Wrench",
    ]


@pytest.mark.parametrize("shower", ["Cat?", "Cat (maybe)", "Cat (I think)"])
def test_an_answer_of_which_its_writer_is_not_certain_is_not_heard(shower: str) -> None:
    row = f"asker,suspect,weapon,room,passed,shower\nAnn,Green,Rope,Hall,Ben (not sure),{shower}\n"
    assert lines(row) == ["Ann suggests Green, Rope, Hall"]


def test_in_a_chat_it_is_asked_who_says_i() -> None:
    chat = "Ben: I suggest Plum, Rope, Hall\nCat: I suggest Green, Knife, Study\nAnn: Wrench\n"
    with pytest.raises(Unclear) as caught:
        lines(chat, players=("Ann", "Ben", "Cat"), guess=True)
    assert [each.argument for each in caught.value.questions] == ["called", "called"]


FOUR: dict[str, Any] = {"edition": "clue-classic", "players": ("Ann", "Ben", "Cat", "Dan")}
SHEET = "card,Ann (me),Ben,{}\nPlum,✓,·,·\nRope,·,·,✓\nHall,·,✓,·\n"
TABLE = "{},suspect,weapon,room,{},{}\nAnn,Green,Rope,Hall,Cat,{}\n"


def unclear(text: str, **said: Any) -> Unclear:
    with pytest.raises(Unclear) as caught:
        import_notes(text, **{"edition": "clue-classic", **said})
    return caught.value


def told_lines(notes: Imported) -> list[str]:
    return [format_line(each, notes.record.table) for each in notes.record.observations]


@pytest.mark.parametrize("title", ["Soln", "Env", "Killer", "???", "Culprit", "Sol.", "Final"])
def test_a_word_for_the_envelope_is_a_guess_and_never_a_player_in_silence(title: str) -> None:
    questions = {
        (each.argument, each.about): each for each in unclear(SHEET.format(title)).questions
    }
    assert questions["columns", title].guess == "envelope"
    assert questions["players", ""].guess == "Ann, Ben"
    said: dict[str, Any] = {"edition": "clue-classic", "players": ("Ann", "Ben")}
    told = import_notes(SHEET.format(title), **said, columns={title: "envelope"})
    assert "Ann knows envelope has Rope" in told_lines(told)


def test_a_title_that_is_no_word_for_anything_is_asked_about_where_the_players_are_said() -> None:
    (question,) = unclear(SHEET.format("Tally"), players=("Ann", "Ben")).questions
    assert (question.about, question.guess) == ("Tally", "")


@pytest.mark.parametrize("shower", ["responder", "disproved by", "Who had it?", "shown_by"])
@pytest.mark.parametrize("seen", ["hidden", "?", "None", "unknown", ""])
def test_people_have_many_words_for_who_showed_and_for_a_card_not_seen(
    shower: str, seen: str
) -> None:
    text = TABLE.format("player", shower, "response", seen)
    told = import_notes(text, **FOUR)
    assert told_lines(told) == ["Ann suggests Green, Rope, Hall: Ben passes, Cat shows"]


def test_all_columns_may_be_said_and_then_need_no_titles() -> None:
    columns = ["asker", "cards", "cards", "cards", "shower"]
    told = import_notes(
        "Ann,Green,Rope,Hall,Cat\nBen,Plum,Knife,Study,-\n", **FOUR, columns=columns
    )
    assert told_lines(told)[1] == "Ben suggests Plum, Knife, Study: nobody shows"
    pad = "a,b,c,d\nPlum,✓,·,·\nRope,·,·,✓\n"
    columns = ["card", "Ann", "Ben", "envelope"]
    pad_told = import_notes(pad, edition="clue-classic", viewer="Ann", columns=columns)
    assert pad_told.players == ("Ann", "Ben")


def test_marks_that_people_use_in_two_ways_are_asked() -> None:
    text = "card,Ann (me),Ben,Cat\nPlum,o,x,x\nRope,x,o,x\nHall,x,x,z\n"
    guesses = {
        each.about: each.guess for each in unclear(text).questions if each.argument == "marks"
    }
    assert guesses == {"x": "", "o": "", "z": ""}
    said: dict[str, Any] = {"players": ("Ann", "Ben", "Cat"), "edition": "clue-classic"}
    marks = {"O": "has", "x": "lacks", "z": "nothing"}
    told = import_notes(text, **said, marks=marks)
    assert told_lines(told)[0] == "Ann knows Ann has Plum"
    items = [each for each in told.items if each.argument == "marks"]
    assert [(each.about, each.guess, each.cells) for each in items] == [
        ("o", "has", 2),
        ("x", "lacks", 6),
        ("z", "nothing", 1),
    ]


def test_two_holders_of_one_card_are_asked_about_and_may_be_left_out() -> None:
    text = "card,Ann (me),Ben,Cat\nPlum,·,✓,✓\nRope,·,·,✓\n"
    said: dict[str, Any] = {"players": ("Ann", "Ben", "Cat"), "edition": "clue-classic"}
    (question,) = unclear(text, **said).questions
    assert (question.argument, question.about) == ("leave", "Plum")
    left = told_lines(import_notes(text, **said, leave=["Plum"]))
    assert left == ["Ann knows Ann lacks Plum", "Ann knows Cat has Rope"]


def test_a_misspelt_card_is_a_guess_and_a_misspelt_player_is_asked() -> None:
    rows = "Ann,Green,Rope,Billard Rom,Cat\nBen,Plum,Rope,Hall,Daan\n"
    text = f"asker,suspect,weapon,room,shower\n{rows}"
    card, player = unclear(text, **FOUR).questions
    assert (card.about, card.guess) == ("Billard Rom", "Billiard Room")
    assert "did you mean Billiard Room?" in card.text
    assert (player.about, player.guess) == ("Daan", "")
    called = {"Billard Rom": "Billiard Room", "Daan": "Dan"}
    assert "Dan shows" in told_lines(import_notes(text, **FOUR, called=called))[1]


@pytest.mark.parametrize(
    "said",
    [
        {"columns": {"Nobody's": "aside"}},
        {"called": {"gun": "Revolver"}},
        {"leave": ["Cellar"]},
        {"marks": {"x": "hmm"}},
        {"marks": {"✗": "either-or"}},
        {"viewer": "Eve"},
        {"header": ["hands: 5,five"]},
        {"sheet": "Pad"},
    ],
)
def test_what_is_said_of_notes_has_to_be_there(said: dict[str, Any]) -> None:
    with pytest.raises(ClueError) as caught:
        import_notes(SHEET.format("envelope"), **{**FOUR, **said}, guess=True)
    refused = (ArgumentError, NotationError, Unclear)
    assert caught.value.argument or isinstance(caught.value, refused)
