"""What a typed name means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clue_solver.errors import NotationError
from clue_solver.notation import card_names
from clue_solver.notation.names import Names
from clue_solver.rules.edition_files import load_edition
from tests.rows import rows

CARDS = card_names(load_edition("clue-classic"))
SEATS = Names("player", ["Ann", "Anna", "Ben", "Mary Ann", "José", "O'Hara", "🎲", "The Duke"])


FOUND = """
Plum, plum, PLUM, professor plum, prof -> Plum
mus, col mustard, Col. Mustard, colonel mustard, colonel -> Mustard
lead, pipe, lead pipe, lead-pipe, leadpipe, the lead pipe -> Lead Pipe
bill, billiard r -> Billiard Room
dining -> Dining Room
mrs white, Mrs. White -> White
the Hall, hall! -> Hall
"""
SEATED = """
ann -> Ann
anna -> Anna
mary, mary ann, Mary  Ann -> Mary Ann
jose -> José
ohara, o'h -> O'Hara
🎲 -> 🎲
duke, the duke -> The Duke
"""


@pytest.mark.parametrize(
    ("names", "typed", "meant"),
    [
        (names, typed, meant)
        for names, text in ((CARDS, FOUND), (SEATS, SEATED))
        for every, meant in rows(text)
        for typed in every.split(", ")
    ],
)
def test_a_name_is_found_by_beginning_title_alias_and_word_and_the_whole_one_wins(
    names: Names, typed: str, meant: str
) -> None:
    assert names.find(typed) == meant


def test_what_is_whole_wins_over_a_beginning_and_a_name_over_an_alias() -> None:
    dagger = Names("card", ["Dagger Room", "Knife"], aliases={"Knife": ["Dagger"]})
    assert dagger.find("dagger") == "Knife"
    assert Names("card", ["Rope", "Cord"], aliases={"Rope": ["Cord"]}).find("cord") == "Cord"


def test_a_beginning_with_two_readings_is_an_error_that_lists_both() -> None:
    with pytest.raises(NotationError) as caught:
        CARDS.find("p")
    assert caught.value.reason == "'p' could mean Peacock or Plum"
    assert caught.value.nearest == ("Peacock", "Plum")


def test_words_inside_names_count_where_none_begins_so() -> None:
    assert CARDS.beginnings("p") == CARDS.candidates("p") == ("Peacock", "Plum")
    assert CARDS.beginnings("room") == ()
    assert CARDS.candidates("room") == ("Ballroom", "Dining Room", "Billiard Room")
    assert CARDS.candidates("plum") == ("Plum",)
    assert CARDS.candidates("or") == ()


@pytest.mark.parametrize(
    ("names", "typed", "reason"),
    [
        (CARDS, "plmu", "unknown card 'plmu'; did you mean 'Professor Plum'?"),
        (CARDS, "biliard", "unknown card 'biliard'; did you mean 'Billiard Room'?"),
        (CARDS, "xyz", "unknown card 'xyz'; expected a card such as Scarl"),
        (CARDS, " ", "expected a card; found nothing"),
        (SEATS, "xyz", "unknown player 'xyz'; expected Ann, Anna, Ben, Mary"),
    ],
)
def test_an_unknown_name_gives_the_nearest_or_what_is_expected(
    names: Names, typed: str, reason: str
) -> None:
    with pytest.raises(NotationError) as caught:
        names.find(typed)
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize("name", CARDS.names)
def test_a_hint_is_never_what_was_typed(name: str) -> None:
    for typed in (name, f"Professor {name}"):
        assert f"did you mean '{typed}'" not in CARDS.error_for(typed).reason


SLIPS = """
clue-classic: rvolver revvolver rvlvr révòlvr gun -> Revolver
clue-classic: plmu pulm profesor -> Plum
clue-classic: mutsard kolonel -> Mustard
clue-classic: grene reverand grn -> Green
clue-classic: knfie kinfe dager knf -> Knife
clue-classic: wrnech spaner wrn wrch -> Wrench
clue-classic: blalroom bllrm -> Ballroom
clue-classic: conservatry -> Conservatory
clue-classic: libary -> Library
clue-classic: sutdy -> Study
clue-classic: dan tim ot xyz zz entered nurse quit gn -> nothing
clue-2015: piep -> Lead Pipe
master-detective: grya -> Gray
master-detective: horsehoe -> Horseshoe
master-detective: trohpy -> Trophy Room
master-detective: fonutain -> Fountain
master-detective: ot -> nothing
clue-diced: brains_plmu -> Brains Plum
clue-diced: bran_green -> Brawn Green
clue-diced: brwn drivre -> nothing
"""


@pytest.mark.parametrize(
    ("edition", "typed", "card"),
    [
        (slips.split(": ")[0], typed.replace("_", " "), card)
        for slips, card in rows(SLIPS)
        for typed in slips.split()[1:]
    ],
)
def test_a_slip_proposes_the_right_card_first_or_nothing(
    edition: str, typed: str, card: str
) -> None:
    found = card_names(load_edition(edition)).nearest(typed)[:1]
    assert found == (() if card == "nothing" else (card,))


def test_the_nearest_of_names_equally_near_has_the_same_first_letter() -> None:
    assert Names("player", ["Dan", "Ann"]).error_for("Aan").nearest[0] == "Ann"


def test_an_error_shows_control_characters_escaped_and_long_text_clipped() -> None:
    with pytest.raises(NotationError) as caught:
        CARDS.find("\x1b[31m" + "x" * 5000)
    assert "\\x1b[31m" in caught.value.reason
    assert "\x1b" not in caught.value.reason
    assert len(caught.value.reason) < 140


NAMES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1).map(
        lambda s: " ".join(s.split())
    ),
    min_size=1,
    max_size=6,
    unique_by=str.casefold,
).filter(all)


@given(NAMES)
def test_every_name_means_itself(names: list[str]) -> None:
    found = Names("player", names)
    assert names == [found.find(name) for name in names]


@given(NAMES, st.text(max_size=8))
def test_whatever_is_typed_is_found_or_refused_in_one_printable_line(
    names: list[str], typed: str
) -> None:
    players = Names("player", names)
    readings = players.candidates(" ".join(typed.split()))
    if len(readings) == 1:
        assert players.find(typed) in names
    else:
        with pytest.raises(NotationError) as caught:
            players.find(typed)
        assert caught.value.reason.isprintable()
