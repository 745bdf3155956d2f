"""What a typed name means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clue_solver.errors import NotationError
from clue_solver.notation import card_names
from clue_solver.notation.names import Names, Reach, joined, words_of
from clue_solver.rules.edition import load_edition

CARDS = card_names(load_edition("clue-classic"))
SEATS = Names("player", ["Ann", "Anna", "Ben", "Mary Ann", "José", "O'Hara", "🎲", "The Duke"])


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("Plum", "Plum"),
        ("plum", "Plum"),
        ("PLUM", "Plum"),
        ("mus", "Mustard"),
        ("col mustard", "Mustard"),
        ("Col. Mustard", "Mustard"),
        ("colonel mustard", "Mustard"),
        ("colonel", "Mustard"),
        ("lead", "Lead Pipe"),
        ("pipe", "Lead Pipe"),
        ("lead pipe", "Lead Pipe"),
        ("lead-pipe", "Lead Pipe"),
        ("leadpipe", "Lead Pipe"),
        ("the lead pipe", "Lead Pipe"),
        ("bill", "Billiard Room"),
        ("billiard r", "Billiard Room"),
        ("dining", "Dining Room"),
        ("mrs white", "White"),
        ("Mrs. White", "White"),
        ("professor plum", "Plum"),
        ("prof", "Plum"),
        ("the Hall", "Hall"),
        ("hall!", "Hall"),
    ],
)
def test_a_card_is_found_by_beginning_title_alias_and_word(typed: str, card: str) -> None:
    assert card == CARDS.find(typed)


@pytest.mark.parametrize(
    ("typed", "seat"),
    [
        ("ann", "Ann"),
        ("anna", "Anna"),
        ("mary", "Mary Ann"),
        ("mary ann", "Mary Ann"),
        ("Mary  Ann", "Mary Ann"),
        ("jose", "José"),
        ("ohara", "O'Hara"),
        ("o'h", "O'Hara"),
        ("🎲", "🎲"),
        ("duke", "The Duke"),
        ("the duke", "The Duke"),
    ],
)
def test_a_seat_is_found_and_the_whole_name_wins_over_a_beginning(typed: str, seat: str) -> None:
    assert seat == SEATS.find(typed)


def test_a_whole_alias_wins_over_the_beginning_of_a_name() -> None:
    names = Names("card", ["Dagger Room", "Knife"], aliases={"Knife": ["Dagger"]})
    assert names.find("dagger") == "Knife"


def test_a_whole_name_wins_over_an_alias() -> None:
    names = Names("card", ["Rope", "Cord"], aliases={"Rope": ["Cord"]})
    assert names.find("cord") == "Cord"


def test_a_beginning_with_two_readings_is_an_error_that_lists_both() -> None:
    with pytest.raises(NotationError) as caught:
        CARDS.find("p")
    assert caught.value.reason == "'p' can be Peacock or Plum"
    assert caught.value.nearest == ("Peacock", "Plum")


def test_looking_further_adds_the_words_inside_names() -> None:
    assert CARDS.readings("p", reach=Reach.BEGINNINGS) == ("Peacock", "Plum")
    assert CARDS.readings("p", reach=Reach.WORDS) == ("Peacock", "Plum")
    assert {"Peacock", "Plum", "Lead Pipe"} <= set(CARDS.readings("p", reach=Reach.ALL))
    assert CARDS.readings("room", reach=Reach.BEGINNINGS) == ()
    assert CARDS.readings("room") == ("Ballroom", "Dining Room", "Billiard Room")
    assert CARDS.readings("plum", reach=Reach.ALL) == ("Plum",)


def test_only_the_names_that_count_are_found() -> None:
    assert CARDS.readings("p", among=("Plum", "Rope")) == ("Plum",)
    assert CARDS.readings("Plum", among=("Rope",)) == ()


@pytest.mark.parametrize(
    ("typed", "reason", "nearest"),
    [
        ("plmu", "unknown card 'plmu'; did you mean 'Professor Plum'?", "Plum"),
        ("scralett", "unknown card 'scralett'; did you mean 'Miss Scarlett'?", "Scarlett"),
        ("biliard", "unknown card 'biliard'; did you mean 'Billiard Room'?", "Billiard Room"),
        ("wernch", "unknown card 'wernch'; did you mean 'Wrench'?", "Wrench"),
    ],
)
def test_an_unknown_name_gives_the_nearest(typed: str, reason: str, nearest: str) -> None:
    with pytest.raises(NotationError) as caught:
        CARDS.find(typed)
    assert caught.value.reason == reason
    assert caught.value.nearest[0] == nearest


def test_an_unknown_name_near_nothing_gives_what_is_expected() -> None:
    with pytest.raises(NotationError, match="unknown player 'xyz'; expected Ann, Anna, Ben, Mary"):
        SEATS.find("xyz")


def test_an_unknown_name_among_many_gives_examples_and_an_empty_one_what_is_missing() -> None:
    with pytest.raises(NotationError, match="unknown card 'xyz'; expected a card such as Scarl"):
        CARDS.find("xyz")
    with pytest.raises(NotationError, match=r"^expected a card; found nothing$"):
        CARDS.find(" ")


@pytest.mark.parametrize("name", CARDS.names)
def test_a_hint_is_never_what_was_typed(name: str) -> None:
    for typed in (name, f"Professor {name}"):
        assert f"did you mean '{typed}'" not in CARDS.unknown(typed).reason


CLASSIC = {
    "revv": "Revolver", "rvolver": "Revolver", "revvolver": "Revolver", "cna": "Candlestick",
    "candelstick": "Candlestick", "plmu": "Plum", "pulm": "Plum", "profesor": "Plum",
    "mutsard": "Mustard", "kolonel": "Mustard", "whtie": "White", "grene": "Green",
    "reverand": "Green", "peackok": "Peacock", "rpoe": "Rope", "ropr": "Rope", "knfie": "Knife",
    "kinfe": "Knife", "dager": "Knife", "pipw": "Lead Pipe", "led pipe": "Lead Pipe",
    "wrnech": "Wrench", "spaner": "Wrench", "ktichen": "Kitchen", "blalroom": "Ballroom",
    "conservatry": "Conservatory", "dinning": "Dining Room", "dinign room": "Dining Room",
    "billard": "Billiard Room", "libary": "Library", "louneg": "Lounge", "hlal": "Hall",
    "sutdy": "Study", "dan": "", "tim": "", "ot": "", "xyz": "", "zz": "", "entered": "",
    "nurse": "", "quit": "", "grn": "Green", "knf": "Knife", "wrn": "Wrench", "wrch": "Wrench",
    "rvlvr": "Revolver", "bllrm": "Ballroom", "cnsv": "Conservatory", "gun": "Revolver", "gn": "",
}  # fmt: skip
OTHERS = {
    "clue-2015": {"orchd": "Orchid", "ochrid": "Orchid", "piep": "Lead Pipe", "pstol": "Revolver"},
    "master-detective": {
        "rosee": "Rose", "grya": "Gray", "pecah": "Peach", "brunete": "Brunette",
        "poision": "Poison", "horsehoe": "Horseshoe", "gazbo": "Gazebo", "trohpy": "Trophy Room",
        "carrage": "Carriage House", "fonutain": "Fountain", "cortyard": "Courtyard", "ot": "",
    },
    "clue-diced": {"brains plmu": "Brains Plum", "brawn orhcid": "Brawn Orchid",
                   "bran green": "Brawn Green", "brwn": "", "drivre": ""},
}  # fmt: skip


@pytest.mark.parametrize(
    ("edition", "typed", "card"),
    [
        (edition, typed, card)
        for edition, slips in {"clue-classic": CLASSIC, **OTHERS}.items()
        for typed, card in slips.items()
    ],
)
def test_a_slip_proposes_the_right_card_first_or_nothing(
    edition: str, typed: str, card: str
) -> None:
    assert [card] * bool(card) == [*card_names(load_edition(edition)).nearest(typed)[:1]]


def test_the_nearest_of_names_equally_near_has_the_same_first_letter() -> None:
    assert ("Ann", "Dan") == Names("player", ["Dan", "Ann"]).unknown("Aan").nearest


def test_a_name_is_exact_in_any_case_and_by_title_and_alias() -> None:
    for typed in ("Plum", "plum", "PROFESSOR PLUM"):
        assert CARDS.exact(typed) == ("Plum",)
    assert CARDS.exact("plu") == ()
    assert not CARDS.whole("Hall -")


def test_an_error_shows_control_characters_escaped_and_long_text_clipped() -> None:
    with pytest.raises(NotationError) as caught:
        CARDS.find("\x1b[31m" + "x" * 5000)
    assert "\\x1b[31m" in caught.value.reason
    assert "\x1b" not in caught.value.reason
    assert len(caught.value.reason) < 140


def test_words_are_compared_without_case_accents_punctuation_and_article() -> None:
    assert words_of("The Lead-Pipe") == ("lead", "pipe")
    assert words_of("Mme. RÔSE") == ("mme", "rose")
    assert words_of("O'Hara") == ("ohara",)
    assert words_of("the") == ("the",)
    assert words_of("?!") == ()


def test_names_are_joined_as_a_sentence_lists_them() -> None:
    assert joined(["Plum"]) == "Plum"
    assert joined(["Plum", "Rope"]) == "Plum or Rope"
    assert joined(["Plum", "Rope", "\x1b"], "and") == "Plum, Rope and \\x1b"


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
    readings = players.readings(" ".join(typed.split()))
    if len(readings) == 1:
        assert players.find(typed) in names
    else:
        with pytest.raises(NotationError) as caught:
            players.find(typed)
        assert caught.value.reason.isprintable()
