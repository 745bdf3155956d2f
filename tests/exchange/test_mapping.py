"""What columns, marks and names are taken for: a guess that is shown, or a question."""

from __future__ import annotations

from typing import Any

import pytest

from clue_solver import ArgumentError, ClueError
from clue_solver.exchange.imports import Imported, Unclear, import_notes
from clue_solver.notation import format_line

FOUR: dict[str, Any] = {"edition": "clue-classic", "players": ("Ann", "Ben", "Cat", "Dan")}
SHEET = "card,Ann (me),Ben,{}\nPlum,✓,·,·\nRope,·,·,✓\nHall,·,✓,·\n"
ASKED = "{},suspect,weapon,room,{},{}\nAnn,Green,Rope,Hall,Cat,{}\n"


def unclear(text: str, **said: Any) -> Unclear:
    with pytest.raises(Unclear) as caught:
        import_notes(text, **{"edition": "clue-classic", **said})
    return caught.value


def lines(notes: Imported) -> list[str]:
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
    assert "Ann knows envelope has Rope" in lines(told)


def test_a_title_that_is_no_word_for_anything_is_asked_about_where_the_players_are_said() -> None:
    (question,) = unclear(SHEET.format("Tally"), players=("Ann", "Ben")).questions
    assert (question.about, question.guess) == ("Tally", "")


@pytest.mark.parametrize("shower", ["responder", "disproved by", "Who had it?", "shown_by"])
@pytest.mark.parametrize("seen", ["hidden", "?", "None", "unknown", ""])
def test_people_have_many_words_for_who_showed_and_for_a_card_not_seen(
    shower: str, seen: str
) -> None:
    text = ASKED.format("player", shower, "response", seen)
    told = import_notes(text, **FOUR)
    assert lines(told) == ["Ann suggests Green, Rope, Hall: Ben passes, Cat shows"]


def test_all_columns_may_be_said_and_then_need_no_titles() -> None:
    columns = ["asker", "cards", "cards", "cards", "shower"]
    told = import_notes(
        "Ann,Green,Rope,Hall,Cat\nBen,Plum,Knife,Study,-\n", **FOUR, columns=columns
    )
    assert lines(told)[1] == "Ben suggests Plum, Knife, Study: nobody shows"
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
    assert lines(told)[0] == "Ann knows Ann has Plum"
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
    left = lines(import_notes(text, **said, leave=["Plum"]))
    assert left == ["Ann knows Ann lacks Plum", "Ann knows Cat has Rope"]


def test_a_misspelt_card_is_a_guess_and_a_misspelt_player_is_asked() -> None:
    rows = "Ann,Green,Rope,Billard Rom,Cat\nBen,Plum,Rope,Hall,Daan\n"
    text = f"asker,suspect,weapon,room,shower\n{rows}"
    card, player = unclear(text, **FOUR).questions
    assert (card.about, card.guess) == ("Billard Rom", "Billiard Room")
    assert "did you mean Billiard Room?" in card.text
    assert (player.about, player.guess) == ("Daan", "")
    called = {"Billard Rom": "Billiard Room", "Daan": "Dan"}
    assert "Dan shows" in lines(import_notes(text, **FOUR, called=called))[1]


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
    assert caught.value.argument or isinstance(caught.value, (ArgumentError, Unclear))
