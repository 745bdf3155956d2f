"""Cards' names in other languages: read when they are turned on, printed on sheets."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import clue_solver
from clue_solver import Game, NotationError, load_edition
from clue_solver.exchange.export import export_pad
from clue_solver.notation import card_names
from clue_solver.record import from_jsonl, parse_record, to_jsonl
from clue_solver.rules.edition_files import parse_edition, shipped_editions
from clue_solver.views.document import plain

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


@pytest.mark.parametrize(
    ("language", "typed", "card"),
    [
        ("de", "Gatow", "Mustard"),
        ("de", "frau weiss", "White"),
        ("fr", "Rev. Olive", "Green"),
        ("fr", "matraque", "Lead Pipe"),
        ("es", "llave inglesa", "Wrench"),
        ("it", "sala da ballo", "Ballroom"),
        ("nl", "pimpel", "Plum"),
        ("pt", "salao de jogos", "Billiard Room"),
    ],
)
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
