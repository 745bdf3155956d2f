"""A table of suggestions read: forgiving columns, strict rows."""

from __future__ import annotations

import csv
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clue_solver import load
from clue_solver.exchange.imports import Unclear
from clue_solver.exchange.pads import import_notes
from clue_solver.notation import normalise
from clue_solver.rules.observations import Suggestion
from tests.exchange import reading
from tests.exchange.reading import lines
from tests.observing import CLUE, EVERYONE, answer_lists

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HEAD = "asker,suspect,weapon,room,shower,shown card"
read = partial(reading.read, players=CLUE.seats, name="table.csv")
refused = partial(reading.refused, players=CLUE.seats, name="table.csv")


EXPECTED = [
    "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard",
    "Ben suggests Scarlett, Rope, Hall: Cat passes, Dan shows",
    "Cat suggests Plum, Knife, Kitchen: nobody shows",
    "Dan suggests Green, Knife, Study",
]


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}\nAnn,Mustard,Wrench,Lounge,Cat,Mustard\nBen,Scarlett,Rope,Hall,Dan,\n"
        "Cat,Plum,Knife,Kitchen,nobody,\nDan,Green,Knife,Study,,\n",
        "Room;Weapon;Suspect;Suggested by;Shown by;Card seen\nlounge;wrench;col. mustard;ann;cat;"
        "mus\nhall;rope;miss scarlett;ben;dan;?\nkit;kni;plum;cat;-;-\nstudy;knife;green;dan;?;\n",
        "player\tcards\tanswers\nAnn\tMustard, Wrench, Lounge\tCat Mustard\nBen\tScarlett / Rope / "
        "Hall\tdan shows\nCat\tPlum & Knife & Kitchen\t-\nDan\tgr kn st\t?\n",
        "#,by,card 1,card 2,card 3,passed,disproved by,card\n1,Ann,Lounge,Mustard,Wrench,Ben,Cat,"
        "Mustard\n2,Ben,Hall,Rope,Scarlett,Cat,Dan,\n3,Cat,Plum,Knife,Kitchen,,no one,\n"
        "4,Dan,Green,Knife,Study,nobody,,\n",
    ],
)
def test_columns_may_be_called_and_ordered_in_many_ways(tmp_path: Path, text: str) -> None:
    assert lines(read(tmp_path, text)) == EXPECTED


def test_passes_are_checked_against_the_order_of_answering(tmp_path: Path) -> None:
    head = "asker,cards,passes,shower\n"
    table = f'{head}Ann,"Plum, Rope, Hall","Cat, Ben",Dan\nBen,"Plum, Rope, Hall",Cat,\n'
    assert lines(read(tmp_path, table)) == [
        "Ann suggests Plum, Rope, Hall: Ben passes, Cat passes, Dan shows",
        "Ben suggests Plum, Rope, Hall: Cat passes, ?",
    ]
    late = f'{head}Ann,"Plum, Rope, Hall",Dan,Ben\n'
    assert "expected no answer after Ben has shown; found Dan" in refused(tmp_path, late)


def test_where_everyone_shows_one_row_has_them_all(tmp_path: Path) -> None:
    text = f'{HEAD}\nAnn,Plum,Rope,Hall,"Dan, Ben","?, Rope"\nBen,Plum,Rope,Hall,Cat,\n'
    imported = read(tmp_path, text, answers="all")
    expected = "Ann suggests Plum, Rope, Hall: Dan shows, Ben shows Rope"
    assert lines(imported) == [expected, "Ben suggests Plum, Rope, Hall: Cat shows"]


def test_accusations_and_comments_have_columns(tmp_path: Path) -> None:
    text = (
        "asker,cards,shower,accusation,notes\n"
        'Ann,"Plum, Rope, Hall",Ben,,"he blushed # twice"\nBen,"Plum, Rope, Hall",,wrong,\n'
    )
    imported = read(tmp_path, text)
    assert lines(imported)[1] == "Ben accuses Plum, Rope, Hall: wrong"
    assert imported.record.entries[0].comment == "he blushed # twice"


def test_an_accusation_that_does_not_say_how_it_ended_is_refused(tmp_path: Path) -> None:
    text = 'asker,cards,accusation\nAnn,"Plum, Rope, Hall",yes\nBen,"Plum, Rope, Hall",no\n'
    assert "row 2, column C: expected right or wrong; found 'yes'" in refused(tmp_path, text)


def test_the_viewers_hand_can_be_said(tmp_path: Path) -> None:
    text = f"{HEAD}\nBen,Plum,Rope,Hall,Ann,Rope\n"
    hand = "Scarlett, Rope, Study, Kitchen, Library"
    imported = read(tmp_path, text, viewer="ann", hand=hand, hands="5, 5, 4, 4")
    assert lines(imported)[0] == f"Ann holds {hand}"
    assert "say whose hand this is" in refused(tmp_path, text, hand=hand)


def test_an_answer_that_is_not_told_is_not_guessed(tmp_path: Path) -> None:
    imported = read(tmp_path, f"{HEAD}\nAnn,Plum,Rope,Hall,,\nBen,Plum,Rope,Hall,?,\n")
    assert lines(imported) == ["Ann suggests Plum, Rope, Hall", "Ben suggests Plum, Rope, Hall"]
    assert any(each.startswith("row 2 has no answer") for each in imported.aside)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("Ann,Mustrad,Rope,Hall,Cat,", "row 2, column B: unknown card 'Mustrad'; did you mean"),
        ("Eve,Plum,Rope,Hall,Cat,", "row 2, column A: unknown player 'Eve'; expected Ann, Ben"),
        (",Plum,Rope,Hall,Cat,", "row 2, column A: expected a player; found nothing"),
        ("Ann,Plum,Rope,Hall,Ann,", "row 2, column E: Ann cannot answer their own suggestion"),
        ("Ann,Plum,Rope,Hall,Cat,Knife", "row 2, column F: Knife was not asked for"),
        ("Ann,Plum,Rope,,Cat,", "row 2: expected a room; found none"),
        ("Ann,Plum,Green,Hall,Cat,", "row 2: two of one category (suspect)"),
        ("Ann,Plum,Rope,Hall,nobody,Rope", "row 2, column F: expected no card where nobody shows"),
        ("Ann,Plum,Rope,Hall,,Rope", "row 2, column F: expected who showed this card as well"),
        ("Ann,Plum,Rope", "row 2: expected 6 cells, as in the header; found 3"),
        ("Ann,Plum,Rope,Hall,Cat,,x", "row 2: expected no cell beyond the header's last"),
        ("Ann,Plum,Rope,Hall,Cat,\x1b[31m", r"unknown card '\x1b[31m'"),
    ],
)
def test_what_is_wrong_in_a_row_is_named_by_row_and_column(
    tmp_path: Path, row: str, message: str
) -> None:
    found = refused(tmp_path, f"{HEAD}\n{row}\n")
    assert message in found
    assert "\x1b" not in found


def test_all_rows_that_cannot_be_read_are_named_up_to_ten(tmp_path: Path) -> None:
    rows = "Ann,Plumb,Rope,Hall,Cat,\n" * 12
    found = refused(tmp_path, f"{HEAD}\n{rows}")
    assert found.count("unknown card") == 10
    assert "and 2 more rows" in found


def test_seating_and_edition_are_asked_for_where_they_do_not_follow(tmp_path: Path) -> None:
    text = f"{HEAD}\nAnn,Plum,Rope,Hall,Cat,\nBen,Plum,Rope,Hall,Cat,\n"
    assert "are Ann and Ben" in refused(tmp_path, text, players=())
    assert "say which edition it is" in refused(tmp_path, text, edition=None)
    assert "found none" in refused(tmp_path, f"{HEAD}\n")


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("asker,suspect,weapon,room,by", "expected one column for the asker; 'by' stands beside"),
        ("askr,suspect,weapon,room", "'askr' may be meant for 'asker'"),
    ],
)
def test_a_header_that_is_not_understood_is_refused(
    tmp_path: Path, head: str, message: str
) -> None:
    assert message in refused(tmp_path, f"{head}\nAnn,Plum,Rope,Hall,Cat\n")


def columns(suggestion: Suggestion) -> dict[str, str]:
    """A suggestion as a row; only the table's own order tells a pass before a show."""
    shows = [each for each in suggestion.answers if each.answer == "shows"]
    others = [each for each in suggestion.answers if each.seat and each.answer != "shows"]
    passes = [f"{each.seat}{'' if each.answer == 'passes' else ' ?'}" for each in others]
    nobody = passes == [each.seat for each in others] and len(passes) == len(CLUE.seats) - 1
    return {
        "by": suggestion.by,
        "cards": ", ".join(suggestion.cards),
        "passes": ", ".join(passes),
        "shown by": "nobody" if nobody else ", ".join(each.seat or "" for each in shows),
        "card shown": ", ".join(each.card or "?" for each in shows),
    }


@given(st.data())
def test_suggestions_written_as_a_table_come_back(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    table = data.draw(st.sampled_from((CLUE, EVERYONE)))
    rows, expected = [], []
    for _ in range(data.draw(st.integers(1, 4))):
        by = data.draw(st.sampled_from(table.seats))
        kinds = table.edition.category
        cards = tuple(data.draw(st.sampled_from(kind.cards)).name for kind in kinds)
        answers = data.draw(answer_lists(table, by, cards))
        told = normalise(Suggestion(by=by, cards=cards, answers=answers), table)
        assert isinstance(told, Suggestion)
        rows.append(columns(told))
        expected.append(told)
    path = tmp_path_factory.mktemp("tables") / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    found = import_notes(
        path, edition="clue-classic", players=table.seats, answers=table.answers
    ).record.observations
    for wanted, got in zip(expected, found, strict=True):
        assert isinstance(got, Suggestion)
        assert wanted.cards == got.cards
        assert set(wanted.answers) == set(got.answers)


def test_the_example_table_is_the_beginning_of_the_example_game() -> None:
    imported = import_notes(
        EXAMPLES / "suggestions.csv", edition="clue-classic", players=("Ann", "Ben", "Cat", "Dan")
    )
    assert load(EXAMPLES / "classic.clue").observations[1:9] == imported.record.observations


def test_a_column_that_is_not_understood_is_asked_about_by_its_whole_title() -> None:
    table = "asker,cards,shower,Ben's hunch\nAnn,Plum Rope Hall,Ben,maybe\n"
    told_by = partial(import_notes, table, edition="clue-classic", players=("Ann", "Ben"))
    with pytest.raises(Unclear) as caught:
        told_by()
    (question,) = caught.value.questions
    assert (question.argument, question.column) == ("leave", "Ben's hunch")
    told = told_by(leave=[question.column])
    assert told.aside == ("column D, 'Ben's hunch'",)


def test_columns_of_players_are_a_seating_only_where_nothing_follows_from_it(
    tmp_path: Path,
) -> None:
    head = "who,suspect,weapon,room,Ann,Cat,Ben\n"
    table = f"{head}Ann,Plum,Rope,Hall,,,yes\nBen,Green,Knife,Study,no,yes,\n"
    assert "who passed in row 2 would follow from it" in refused(tmp_path, table, players=())


def test_a_sentence_beside_the_table_is_named_as_not_read(tmp_path: Path) -> None:
    table = (
        "|Who|Suspect|Weapon|Room|Shown by|\n|---|---|---|---|---|\n|Ann|Plum|Rope|Hall|Cat|\n\n"
        "Ben was so close!\n"
    )
    imported = read(tmp_path, table)
    assert lines(imported) == ["Ann suggests Plum, Rope, Hall: Ben passes, Cat shows"]
    assert imported.aside == ("row 5, 'Ben was so close!': not read",)


def test_a_comment_on_an_accusation_is_asked_about(tmp_path: Path) -> None:
    table = f"{HEAD},note\nAnn,Plum,Rope,Hall,nobody,,she should accuse now\n"
    assert "row 2, 'she should accuse now': an accusation?" in refused(tmp_path, table)
    told = ["Ann suggests Plum, Rope, Hall: nobody shows"]
    assert lines(read(tmp_path, table, leave=["note"])) == told


def test_lines_of_words_are_read_where_every_word_is_understood(tmp_path: Path) -> None:
    text = (
        "Friday\n- Ann: Plum with the Rope in the Hall - not Ben, Cat\n- Ben: Plum, Rope, Study\n"
    )
    imported = read(tmp_path, text)
    assert lines(imported) == [
        "Ann suggests Plum, Rope, Hall: Ben passes, Cat shows",
        "Ben suggests Plum, Rope, Study",
    ]
    assert imported.aside[0] == "row 1, 'Friday': not read"
    doubtful = text.replace("Cat", "Cat I think")
    assert "Cat I think': unknown word 'I'" in refused(tmp_path, doubtful)


def test_who_shows_is_asked_for_where_several_showed(tmp_path: Path) -> None:
    table = "who,suspect,weapon,room,Ann,Ben,Cat,Dan\nAnn,Plum,Rope,Hall,,yes,yes,no\n"
    assert "more than one player showed in row 2: say who shows" in refused(tmp_path, table)
    told = "Ann suggests Plum, Rope, Hall: Dan passes, Ben shows, Cat shows"
    assert lines(read(tmp_path, table, answers="all")) == [told]


WORDS = 'Turn,Who,Suggestion,Disproved by,Card\n1,Ann,"Plum, Rope, Hall",{},\n'


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        ("Cat (Ben no)", "Ben passes, Cat shows"),
        ("Dan (Ben + Cat passed)", "Ben passes, Cat passes, Dan shows"),
        ("Cat showed me Rope", "Ben passes, Cat shows Rope"),
        ("no one!!", "nobody shows"),
        ("not Ben", "Ben passes, ?"),
    ],
)
def test_answers_in_words_are_read(tmp_path: Path, said: str, answers: str) -> None:
    told = read(tmp_path, WORDS.format(said), name="log.csv", viewer="Ann")
    assert lines(told) == [f"Ann suggests Plum, Rope, Hall: {answers}"]


@pytest.mark.parametrize(
    "said",
    [
        *("Ben?", "Ben (I think)", "maybe Ben", "Ben or Cat", "Cat (Ben passed?)", "Cat - I think"),
        *("nobody I asked", "Cat (Ben maybe)", "Cat might show", "Dan (Ben)"),
    ],
)
def test_answers_that_are_not_certain_are_asked_about(tmp_path: Path, said: str) -> None:
    message = refused(tmp_path, WORDS.format(said), name="log.csv", viewer="Ann")
    assert f"say what is meant, '{said}=...', or leave it aside" in message
    told = f"Ann: Plum, Rope, Hall - {said}\nBen: Plum, Knife, Hall - Cat\n"
    if said != "Dan (Ben)":
        refused(tmp_path, told, name="log.txt", viewer="Ann")


def test_an_accusation_is_told_beside_its_asker_or_its_cards(tmp_path: Path) -> None:
    log = (
        "Turn,Who,Suggestion,Disproved by,Card\n1,Ann ACCUSES,Plum/Rope/Hall,wrong - Ann is out,\n"
        '2,Ben,"ACCUSATION: Plum, Knife, Hall",,CORRECT! I win\n'
        "3,Cat,-- did not reach a room --,,\n"
    )
    told = read(tmp_path, log, name="log.csv")
    assert lines(told) == [
        "Ann accuses Plum, Rope, Hall: wrong",
        "Ben accuses Plum, Knife, Hall: right",
    ]
    assert "row 4, '3 Cat -- did not reach a room --': not read" in told.aside
    both = log.replace("wrong - Ann is out", "right or wrong?")
    assert "found neither" in refused(tmp_path, both, name="log.csv")


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("Ben, not Cat", ["Ann knows Ben has Rope"]),
        ("not Ben, not Cat", ["Ann knows Ben lacks Rope", "Ann knows Cat lacks Rope"]),
        ("neither Ben nor Cat", ["Ann knows Ben lacks Rope", "Ann knows Cat lacks Rope"]),
        ("not mine", ["Ann knows Ann lacks Rope"]),
        ("Ben (he let me see)", ["Ann knows Ben has Rope"]),
        ("not Ben, Cat", ["Ann knows Ben lacks Rope"]),
        ("Ben or Cat, not Dan", ["Ann knows Dan lacks Rope"]),
        *((doubt, []) for doubt in ("Ben, but not sure", "Ben?", "Ben (maybe)", "Ben or Cat")),
        *(
            (doubt, [])
            for doubt in ("Ben and Cat", "nobody I asked", "not Ben or Cat", "poss. Ben")
        ),
    ],
)
def test_a_list_tells_who_has_a_card_and_who_has_not(
    tmp_path: Path, said: str, facts: list[str]
) -> None:
    text = f"Sunday\nRope: {said}\nHall: Cat\nPlum: mine\n"
    told = read(tmp_path, text, name="list.txt", viewer="Ann")
    assert sorted({*lines(told)} - {"Ann knows Ann has Plum", "Ann knows Cat has Hall"}) == facts
    assert bool(facts) or any(f"{said}': not read" in each for each in told.aside) or "and" in said
    assert "row 1, 'Sunday': not read" in told.aside
