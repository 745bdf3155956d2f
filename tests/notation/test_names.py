"""
What a typed name means.

Cards' names in other languages: read when they are turned on, printed on sheets.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clue_solver
from clue_solver import Game
from clue_solver.errors import NotationError
from clue_solver.exchange.export import export_pad
from clue_solver.notation.lexicon import card_names
from clue_solver.notation.names import Names, numbered
from clue_solver.record.files import parse_record
from clue_solver.record.jsonl import from_jsonl, to_jsonl
from clue_solver.rules.edition_files import load_edition, parse_edition, shipped_editions
from clue_solver.views.document import plain
from tests.rows import rows_in

SAID = rows_in(Path(__file__).with_name("names.txt"))
CARDS = card_names(load_edition("clue-classic"))
SEATS = Names("player", ["Ann", "Anna", "Ben", "Mary Ann", "José", "O'Hara", "🎲", "The Duke"])


@pytest.mark.parametrize(
    ("names", "typed", "meant"),
    [
        (names, typed, meant)
        for names, kind in ((CARDS, "cards"), (SEATS, "players"))
        for every, meant in SAID[kind]
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


def test_a_number_chooses_from_1_and_only_what_is_there() -> None:
    texts = ("1", "02", "3", "0", "-1", "²", "9" * 5000, "one")
    assert [numbered(text, "ab") for text in texts] == ["a", "b", *[None] * 6]


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


@pytest.mark.parametrize(("kind", "typed", "reason"), SAID["unknown"])
def test_an_unknown_name_gives_the_nearest_or_what_is_expected(
    kind: str, typed: str, reason: str
) -> None:
    with pytest.raises(NotationError) as caught:
        (CARDS if kind == "card" else SEATS).find(typed)
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize("name", CARDS.names)
def test_a_hint_is_never_what_was_typed(name: str) -> None:
    for typed in (name, f"Professor {name}"):
        assert f"did you mean '{typed}'" not in CARDS.error_for(typed).reason


@pytest.mark.parametrize(
    ("edition", "typed", "card"),
    [
        (edition, typed.replace("_", " "), card)
        for edition, slips, card in SAID["slips"]
        for typed in slips.split()
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


FILE = Path(clue_solver.__file__).parent / "rules" / "languages.toml"
LANGUAGES = ("de", "fr", "es", "it", "nl", "pt")
CLASSIC = load_edition("clue-classic")

GERMAN = """\
edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann
names: de
solution: Gatow, heizungsrohr, Salon

Ann suggests OBERST VON GATOW, Heizungsrohr, kueche: Ben passes, Cat shows Heizungsrohr
""".replace("kueche", "küche")


@pytest.mark.parametrize(("language", "typed", "card"), SAID["languages"])
def test_names_are_read_in_a_language_that_is_turned_on(
    language: str, typed: str, card: str
) -> None:
    assert card == card_names(CLASSIC, language=language).find(typed)
    with pytest.raises(NotationError):
        card_names(CLASSIC).find(typed)


def test_a_header_turns_a_language_on_and_the_record_stays_as_it_is() -> None:
    record = parse_record(GERMAN)
    assert record.table.solution == ("Mustard", "Lead Pipe", "Lounge")
    game = Game(record)
    assert "Ann suggests Mustard, Lead Pipe, Kitchen: Ben passes, Cat shows Lead Pipe" in game.lines
    assert record == from_jsonl(to_jsonl(record))
    report = game.report()
    shown = plain(report)
    assert "Heizungsrohr" in shown
    assert "Lead Pipe" not in shown.partition("Likeliest")[0]
    assert "Seil" in [row[0] for row in export_pad(game).rows]
    assert "Lead Pipe" in report.to_dict()["cards"][8]["card"]


def test_every_name_is_of_a_card_and_stands_for_that_one() -> None:
    known = {card for name in shipped_editions() for card in load_edition(name).names}
    told = tomllib.loads(FILE.read_text("utf-8"))
    assert {*LANGUAGES} == {*told}
    for language, cards in told.items():
        assert {*cards} <= known, language
        names = card_names(CLASSIC, language=language)
        for card, words in cards.items():
            if card in CLASSIC.names:
                assert {names.find(word) for word in words} == {card}, (language, card)


def test_another_cards_own_name_is_not_taken_over_in_a_bigger_deck() -> None:
    master = load_edition("master-detective")
    assert card_names(master, language="fr").find("Rose") == "Rose"
    assert card_names(master, language="fr").find("Mlle Rose") == "Scarlett"


def test_an_editions_own_file_may_say_more() -> None:
    text = (
        'extends = "clue-classic"\n[languages.de]\nPlum = ["Bloom", "Lila"]\n'
        '[languages.sv]\nRope = ["Rep"]\n'
    )
    ours = parse_edition(text, name="ours.toml")
    assert (
        ours.printed("Plum", "de"),
        ours.printed("Rope", "de"),
        ours.printed("Rope", "sv"),
    ) == ("Bloom", "Seil", "Rep")
    assert card_names(ours, language="de").find("lila") == "Plum"
