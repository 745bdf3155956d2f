"""A detective's pad read: marks, holders, and what cannot be read."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from clue_solver import ClueError, load_edition
from clue_solver.exchange.marks import parse_marks
from clue_solver.exchange.pads import import_notes
from tests.exchange import reading
from tests.exchange.reading import lines

CLASSIC = load_edition("clue-classic")


def pad(changes: dict[str, str] | None = None, *, head: str = "card,Ann,Ben,Cat,envelope") -> str:
    """A pad of the classic cards, empty but for some rows; a row is the marks after its card."""
    marks = changes or {}
    rows = [f"{name},{marks.get(name, ',' * (head.count(',') - 1))}" for name in CLASSIC.names]
    return "\n".join((head, *rows, ""))


read = partial(reading.read, viewer="Ann", name="pad.csv")
refused = partial(reading.refused, viewer="Ann", name="pad.csv")


def test_has_lacks_and_either_ors_become_what_the_viewer_knows(tmp_path: Path) -> None:
    marks = {
        "Plum": ",✓,,",
        "Rope": ",1,,",
        "Hall": ",1 2,no,",
        "Study": ",?2,no,",
        "Knife": ",✗,,",
        "Green": ",,,yes",
    }
    expected = [
        "Ann knows Ben has Plum",
        "Ann knows Ben lacks Knife",
        "Ann knows Ben has Rope or Hall",
        "Ann knows Ben has Hall or Study",
        "Ann knows Cat lacks Hall, Study",
        "Ann knows envelope has Green",
    ]
    doubt = "'1' (2 cells, first in row 12, column C, a third may be under another mark)"
    assert doubt in refused(tmp_path, pad(marks))
    imported = read(tmp_path, pad(marks), marks={"1": "either-or", "2": "either-or"})
    assert lines(imported) == expected
    assert ("✓", "has", 1) in imported.marks
    assert ("1", "either-or", 2) in imported.marks
    assert ("2", "either-or", 2) in imported.marks


def test_the_viewers_whole_hand_is_one_line(tmp_path: Path) -> None:
    own = dict.fromkeys(("Plum", "Rope", "Hall", "Study", "Knife", "Green"), "y,,,")
    assert lines(read(tmp_path, pad(own))) == ["Ann holds Green, Plum, Knife, Rope, Hall, Study"]


def test_part_of_the_viewers_hand_is_told_as_part(tmp_path: Path) -> None:
    imported = read(tmp_path, pad({"Plum": "y,,,", "Rope": "y,,,"}))
    assert lines(imported) == ["Ann knows Ann has Plum", "Ann knows Ann has Rope"]


def test_a_hand_that_may_have_one_card_more_is_said_to_be_open(tmp_path: Path) -> None:
    own = dict.fromkeys(("Plum", "Rope", "Hall", "Study"), "y,,,,")
    imported = read(tmp_path, pad(own, head="card,Ann,Ben,Cat,Dan,envelope"))
    assert any("whether 4 cards are the whole hand" in each for each in imported.aside)
    assert len(imported.record.entries) == 4


def test_sizes_slots_open_cards_and_the_viewer_can_stand_on_the_pad(tmp_path: Path) -> None:
    head = "clue-2015,Kim (me),Lee,face-down Hall,Case file,table"
    sizes = "hand size,8,8,1,?,"
    names = load_edition("clue-2015").names
    rows = [f"{name},,,,,{'✓' if name == 'Rope' else ''}" for name in names]
    rows[-1] = rows[-1].replace(",,,,,", ",,,y,,")
    path = tmp_path / "pad.csv"
    path.write_text("\n".join((head, sizes, *rows)), "utf-8")
    table = import_notes(path).record.table
    assert (table.viewer, table.seats, table.hands) == ("Kim", ("Kim", "Lee"), (8, 8))
    assert (table.face_up, table.holders) == (("Rope",), ("Kim", "Lee", "Hall", "envelope"))
    assert import_notes(path).understood[-6:] == (
        "column B, 'Kim (me)': Kim",
        "column C, 'Lee': Lee",
        "column D, 'face-down Hall': Hall",
        "column E, 'Case file': envelope",
        "column F, 'table': face-up cards",
        "row 2: hand sizes",
    )


def test_headings_titles_blank_rows_and_notes_are_no_cards(tmp_path: Path) -> None:
    text = pad({"Plum": ",✓,,,"}, head="card,Ann,Ben,Cat,envelope,Notes")
    head, *rows = text.splitlines()
    rows[0:0] = ["Suspects,,,,,"]
    rows[7:7] = ["", head.replace("card", "WEAPONS")]
    rows[15:15] = ["Where?"]
    imported = read(tmp_path, "\n".join(("Friday night", ",,,,,", head, *rows)))
    assert lines(imported) == ["Ann knows Ben has Plum"]
    assert imported.aside == ("column F, 'Notes'",)


def test_a_mark_with_two_meanings_is_asked_for_and_taken_as_said(tmp_path: Path) -> None:
    text = pad({"Plum": ",X,,", "Rope": ",o,,", "Hall": ",x,,"})
    message = refused(tmp_path, text)
    assert "'x' (2 cells, first in row 7, column C), 'o' (1 cell" in message
    assert "Say 'x=has'" in message
    marks = parse_marks(["X=lacks", "o = has"])
    expected = ["Ann knows Ben has Rope", "Ann knows Ben lacks Plum, Hall"]
    assert lines(read(tmp_path, text, marks=marks)) == expected


@pytest.mark.parametrize("mark", ["-", "0", "*", "x1", "yes maybe?!", "1.5", "has it?", "\x1b"])
def test_no_mark_is_guessed(tmp_path: Path, mark: str) -> None:
    message = refused(tmp_path, pad({"Plum": f",{mark},,"}))
    assert "\x1b" not in message
    assert "row 7, column C" in message


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("Plum,", "Plumb,", "row 7, column A: unknown card 'Plumb'; did you mean"),
        ("Plum,,,,", "Rope,y,,,", "Rope stands in row 7 and row 12, and they differ: leave 'Rope'"),
        (
            "Plum,,,,",
            "Plum,,y,y,",
            "row 7: Plum has two holders, Ben (column C) and Cat (column D)",
        ),
        ("Plum,,,,", "Plum,,", "row 7: expected 5 cells, as in the header; found 3"),
        ("Plum,,,,", "Plum,,,,,y", "column F has no player's name, and 'y' in row 7: leave"),
        ("Plum,,,,", ",y,,,", "row 7, column A: expected a card; found marks without one"),
        ("Plum,,,,", "Plum,,y n,,", "expected one meaning; found 'y n', which says has and lacks"),
        ("Ben,", "Ann,", "row 1, column C: Ann stands in column B already"),
        ("Ben,", ",", "column C has no player's name, and '1' in row 7: leave 'column C' aside?"),
        ("Scarlett,,", "hand size,six,", "row 2, column B: expected a number of cards or ?"),
        ("Ben,", "table ,", "row 7, column C: expected a mark that means has or lacks"),
    ],
)
def test_what_is_wrong_on_a_pad_is_named_by_its_row_and_column(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    text = pad({"Plum": ",1,,"}) if "column C has" in message or "a mark" in message else pad()
    assert before in text
    assert message in refused(tmp_path, text.replace(before, after, 1))


def test_numbers_beside_noughts_are_signs_that_are_asked_for(tmp_path: Path) -> None:
    text = pad({"Plum": ",1,0,", "Rope": ",0,1,", "Hall": ",,2,", "Study": ",,2,"})
    assert "'2' (2 cells, first in row 21, column D" in refused(tmp_path, text)
    marks = {"1": "has", "0": "lacks"}
    assert "'2' (2 cells" in refused(tmp_path, text, marks=marks)
    expected = ["Ann knows Ben has Plum", "Ann knows Cat has Rope"]
    assert lines(read(tmp_path, text, marks={**marks, "2": "maybe"})) == expected


def test_a_date_that_was_two_numbers_is_one_where_that_is_said(tmp_path: Path) -> None:
    text = pad({"Plum": ",2026-01-02,,", "Rope": ",1,,", "Hall": ",2,,"})
    told = read(tmp_path, text, marks={"2026-01-02": "either-or"})
    assert lines(told) == ["Ann knows Ben has Plum or Rope", "Ann knows Ben has Plum or Hall"]


def test_two_holders_are_left_aside_and_the_rest_of_the_row_is_read(tmp_path: Path) -> None:
    told = read(tmp_path, pad({"Plum": ",y,y,n", "Rope": "y,,,"}), leave=["plum"])
    assert lines(told) == ["Ann knows Ann has Rope", "Ann knows envelope lacks Plum"]
    assert "row 7, 'Plum': the marks of Ben and Cat" in told.aside


def test_a_box_without_a_tick_is_asked_about(tmp_path: Path) -> None:
    assert "'false' (2 cells" in refused(tmp_path, pad({"Plum": ",TRUE,FALSE,FALSE"}))


def test_a_column_that_is_called_me_is_the_viewers(tmp_path: Path) -> None:
    for head in ("Dee (Plum) - me", "Me (Dee)", "Dee (my cards)", "Dee [me] 🕵️"):
        told = read(
            tmp_path, pad({"Plum": "y,n,,"}, head=f"card,{head},Ben,Cat,envelope"), viewer=None
        )
        assert (told.players, told.viewer) == (("Dee", "Ben", "Cat"), "Dee")


def test_hand_sizes_in_other_words_are_taken_where_they_add_up(tmp_path: Path) -> None:
    text = pad({"Plum": "y,,,"})
    sized = read(tmp_path, f"{text}how many cards dealt,6,6,6,3\nknown so far,1,0,0,\n")
    assert sized.record.table.hands == (6, 6, 6)
    assert "row 24, 'known so far 1 0 0'" in sized.aside
    assert read(tmp_path, f"{text}cards known,1,0,,\n").record.table.hands == ()
    known = read(tmp_path, f"{text}cards known,1,0,0,\n")
    assert known.record.table.hands == ()
    assert "row 23: 1 cards together are no hand sizes, 18 are dealt" in known.aside


def test_names_of_no_card_are_asked_for_or_left_aside(tmp_path: Path) -> None:
    text = pad({"Plum": ",y,,"}).replace("Conservatory", "Wintergarten")
    text = text.replace("Wintergarten,,,,", "Wintergarten,,,y,") + "Zqx,y,,,\n"
    message = refused(tmp_path, text)
    assert "unknown card 'Wintergarten'" in message
    assert "unknown card 'Zqx'" in message
    told = read(tmp_path, text, called={"wintergarten": "Conservatory"}, leave=["Zqx"])
    assert lines(told) == ["Ann knows Ben has Plum", "Ann knows Cat has Conservatory"]
    assert "row 23, 'Zqx'" in told.aside


def test_two_solutions_of_one_category_are_refused(tmp_path: Path) -> None:
    message = refused(tmp_path, pad({"Plum": ",,,y", "Green": ",,,y"}))
    assert "expected one suspect in the envelope; found Green (row 5) and Plum" in message


def test_more_cards_than_the_hand_holds_are_refused(tmp_path: Path) -> None:
    own = dict.fromkeys(CLASSIC.names[:7], "y,,,")
    assert "column B: Ann: more cards than the hand holds" in refused(tmp_path, pad(own))


def test_an_edition_that_does_not_follow_is_asked_for(tmp_path: Path) -> None:
    rows = "Plum,,,,\nRope,y,,,\nHall,,,,\n"
    few = f"card,Ann,Ben,Cat,envelope\n{rows}"
    message = refused(tmp_path, few, edition=None)
    assert (
        "in clue-1996, clue-2008, clue-2015, clue-classic and cluedo-watson: say which" in message
    )
    odd = pad().replace("Plum", "Pflaume")
    assert "has no 'Pflaume'" in refused(tmp_path, odd, edition=None)


def test_a_whole_pad_with_the_very_names_of_one_edition_is_of_that_one(tmp_path: Path) -> None:
    british = load_edition("cluedo-watson")
    rows = [f"{card.title or card.name},,n" for card in british.cards]
    text = "\n".join(("card,Ann,Ben", *rows))
    assert british == read(tmp_path, text, edition=None).record.table.edition
    mixed = text.replace("Spanner", "Wrench")
    told = read(tmp_path, mixed, edition=None)
    assert told.record.table.edition == british
    assert any(
        "clue-classic fits too: Knife, Lead Pipe and Wrench for" in x for x in told.understood
    )


def test_an_edition_that_follows_from_its_names_is_found(tmp_path: Path) -> None:
    rows = "".join(f"{name},,n\n" for name in load_edition("master-detective").names)
    imported = read(tmp_path, f"card,Ann,Ben\n{rows}", edition=None)
    assert imported.record.table.edition.name == "master-detective"


def test_whose_pad_it_is_must_be_said(tmp_path: Path) -> None:
    assert "whose pad this is, Ann, Ben or Cat" in refused(tmp_path, pad(), viewer=None)


def test_players_without_a_column_can_be_said(tmp_path: Path) -> None:
    text = pad({"Plum": "y,"}, head="card,ben,cat")
    imported = read(tmp_path, text, players=("Ann", "Ben", "Cat"))
    assert lines(imported) == ["Ann knows Ben has Plum"]
    message = refused(tmp_path, text, players=("Ann", "Ben", "Dan"))
    assert "row 1, column C: unknown player 'cat'" in message


@pytest.mark.parametrize("pair", ["X", "=has", "X=hass", ""])
def test_the_meaning_of_a_mark_is_checked(tmp_path: Path, pair: str) -> None:
    with pytest.raises(ClueError):
        read(tmp_path, pad(), marks=parse_marks([pair]))


def test_a_number_that_stands_alone_in_a_column_is_not_read(tmp_path: Path) -> None:
    imported = read(tmp_path, pad({"Plum": ",6,,", "Rope": ",2,,", "Hall": ",2,,"}))
    assert lines(imported) == ["Ann knows Ben has Rope or Hall"]
    assert (
        "'6' stands at Plum alone in the column of Ben: not read, as an either-or has several "
        "cards; '6=has' would say that it is there"
    ) in imported.aside


def test_numbers_in_the_viewers_own_column_are_asked_about(tmp_path: Path) -> None:
    text = pad({"Plum": "1,0,,", "Rope": "1,0,,"})
    message = refused(tmp_path, text, marks={"0": "lacks"})
    assert (
        "what do these marks mean: '1' (2 cells, first in row 7, column B, the viewer's" in message
    )
    read_as = lines(read(tmp_path, text, marks={"0": "lacks", "1": "has"}))
    assert read_as[:2] == ["Ann knows Ann has Plum", "Ann knows Ann has Rope"]


@pytest.mark.parametrize("text", ["02. Jan", "Jan 2", "2024-01-02", "3x", "Y?"])
def test_what_a_spreadsheet_made_a_date_of_is_one_mark_that_is_asked_for(
    tmp_path: Path, text: str
) -> None:
    message = refused(tmp_path, pad({"Plum": f",{text},,", "Rope": f",{text},,"}))
    assert f"what do these marks mean: '{text.casefold()}' (2 cells" in message


def test_chances_and_words_of_other_languages_are_known(tmp_path: Path) -> None:
    marks = {"Plum": ",100 %,0%,", "Rope": ",sí,no,", "Hall": ',"33,3%",non,', "Study": ",,nein,ja"}
    assert lines(read(tmp_path, pad(marks))) == [
        "Ann knows Ben has Plum",
        "Ann knows Ben has Rope",
        "Ann knows Cat lacks Hall",
        "Ann knows envelope has Study",
    ]


def test_a_column_of_the_writer_says_whose_pad_it_is(tmp_path: Path) -> None:
    imported = read(tmp_path, pad({"Plum": ",✓,,"}, head="card,Ich,Ben,Cat,envelope"), viewer=None)
    assert lines(imported) == ["Ich knows Ben has Plum"]
    named = pad({"Plum": ",✓,,"}, head="card,me,Ben,Cat,envelope")
    assert lines(read(tmp_path, named, players=("Ann", "Ben", "Cat"))) == ["Ann knows Ben has Plum"]


def test_a_list_of_cards_and_their_holders_asks_who_plays(tmp_path: Path) -> None:
    text = "Card,Who\nPlum,Ben\nRope,?\nHall,Cat (Scarlett)\n"
    assert "the list names Ben and Cat as holders" in refused(tmp_path, text)
    told = lines(read(tmp_path, text, players=("Ann", "Ben", "Cat", "Dan")))
    assert told == ["Ann knows Ben has Plum", "Ann knows Cat has Hall"]
