"""Other programs' logs, each in data made here in its shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from clue_solver import ClueError, load_edition
from clue_solver.exchange.pads import import_notes
from clue_solver.exchange.programs import deck_of
from clue_solver.faces.cli import main
from tests.exchange.reading import lines

SEATS = ("Ann", "Ben", "Cat")


def read(folder: Path, text: str, **said: Any) -> Any:
    path = folder / "log.txt"
    path.write_text(text, "utf-8")
    return import_notes(path, **said)


def refused(folder: Path, text: str, **said: Any) -> str:
    with pytest.raises(ClueError) as caught:
        read(folder, text, **said)
    return str(caught.value)


SOLVER = [
    ["ann", "ben", "cat"],
    {"hand": {"player": "ann", "cards": ["plum", "pipe", "white", "rope", "hall", "billiard"]}},
    {"suggest": {"player": "ann", "cards": ["green", "knife", "hall"], "showed": ["ben", "cat"]}},
    {"show": {"player": "cat", "card": "knife"}},
    {"suggest": {"player": "ben", "cards": ["scarlet", "rope", "study"], "showed": ["cat"]}},
    {"suggest": {"player": "cat", "cards": ["green", "wrench", "study"], "showed": []}},
    {"accuse": {"player": "cat", "cards": ["green", "wrench", "study"], "correct": False}},
]
SOLVED = [
    "ann holds Plum, White, Lead Pipe, Rope, Hall, Billiard Room",
    "ann suggests Green, Knife, Hall: ben passes, cat shows Knife",
    "ben suggests Scarlett, Rope, Study: cat shows",
    "cat suggests Green, Wrench, Study: nobody shows",
    "cat accuses Green, Wrench, Study: wrong",
]


def test_a_log_of_cluesolver_is_read(tmp_path: Path) -> None:
    text = "\n".join(map(json.dumps, SOLVER))
    assert "say who shows a card, the first who can or all" in refused(
        tmp_path, text, edition="clue-classic"
    )
    told = read(tmp_path, text, edition="clue-classic", answers="first")
    assert (told.kind, told.record.table.viewer, lines(told)) == ("log", "ann", SOLVED)


def test_a_log_of_cluesolver_where_all_show_is_read(tmp_path: Path) -> None:
    hand = {"player": "ann", "cards": ["plum", "gray", "pipe", "horseshoe", "studio"]}
    asked = {"player": "ann", "cards": ["peach", "knife", "gazebo"], "holders": ["cat"]}
    shown = {"player": "cat", "card": "gazebo"}
    events = [["ann", "ben", "cat"], {"hand": hand}, {"suggest": asked}, {"show": shown}]
    told = read(tmp_path, "\n".join(map(json.dumps, events)), hands="5,?,?")
    assert told.record.table.edition.name == "master-detective"
    assert told.record.table.everyone_shows
    assert "ann suggests Peach, Knife, Gazebo: ben passes, cat shows Gazebo" in lines(told)


@pytest.mark.parametrize(
    ("at", "change", "message"),
    [
        (3, {"show": {"player": "cat", "card": "knfie"}}, "line 4: unknown card 'knfie'; did you"),
        (3, {"show": {"player": "ben", "card": "knife"}}, "a suggestion that ben answered"),
        (4, {"suggest": {"player": "ben", "cards": ["rope"]}}, "line 5: expected a list under"),
        (4, {"hand": {"player": "eve", "cards": ["rope"]}}, "unknown player 'eve'"),
        (4, {"suggest": {}, "show": {}}, "line 5: expected one event, accuse, hand, show or"),
        (6, {"accuse": {"player": "cat", "cards": ["green"]}}, "expected true or false under"),
    ],
)
def test_what_is_wrong_in_a_log_of_cluesolver_is_named(
    tmp_path: Path, at: int, change: dict[str, Any], message: str
) -> None:
    events = [change if place == at else each for place, each in enumerate(SOLVER)]
    text = "\n".join(map(json.dumps, events))
    assert message in refused(tmp_path, text, edition="clue-classic", answers="first")


def session(**more: Any) -> str:
    """A session of effect-clue with the classic cards by numbers."""
    edition = load_edition("clue-classic")
    numbers = {name: f"card-{at}" for at, name in enumerate(edition.names)}
    kinds = [
        {
            "id": kind.name,
            "name": kind.plural,
            "cards": [{"id": numbers[c.name], "name": c.title or c.name} for c in kind.cards],
        }
        for kind in edition.category
    ]

    def asked(by: str, cards: str, non: list[str], refuter: str | None, seen: str | None) -> Any:
        ids = [numbers[card] for card in cards.split(", ")]
        return {
            "id": "x",
            "suggester": by,
            "cards": ids,
            "nonRefuters": non,
            "refuter": refuter,
            "seenCard": numbers[seen] if seen else None,
            "loggedAt": 5,
        }

    whole = {
        "version": 12,
        "setup": {"players": list(SEATS), "categories": kinds},
        "hands": [{"player": "Ann", "cards": [numbers["Plum"], numbers["Rope"]]}],
        "handSizes": [{"player": "Ann", "size": 6}],
        "suggestions": [
            asked("Ann", "Green, Knife, Hall", ["Ben"], "Cat", "Knife"),
            asked("Ben", "Scarlett, Rope, Study", [], "Cat", None),
            asked("Cat", "Green, Wrench, Study", ["Ann", "Ben"], None, None),
        ],
        "accusations": [
            {
                "accuser": "Ben",
                "cards": [numbers[c] for c in ("Green", "Rope", "Hall")],
                "loggedAt": 9,
            }
        ],
        "selfPlayerId": "Ann",
        "hypotheses": [{"player": "Ben", "card": "card-1", "value": "Y"}],
    }
    return json.dumps(whole | more, indent=1)


def test_a_session_of_effect_clue_is_read(tmp_path: Path) -> None:
    told = read(tmp_path, session())
    assert lines(told) == [
        "Ann knows Ann has Plum",
        "Ann knows Ann has Rope",
        "Ann suggests Green, Knife, Hall: Ben passes, Cat shows Knife",
        "Ben suggests Scarlett, Rope, Study: Cat shows",
        "Cat suggests Green, Wrench, Study: nobody shows",
        "Ben accuses Green, Rope, Hall: wrong",
    ]
    assert told.aside == ("1 hypotheses",)
    assert (told.record.table.viewer, told.record.table.hands) == ("Ann", (6, None, None))
    assert "expected a list of objects under 'hands'" in refused(tmp_path, session(hands=[1]))
    odd = [{"suggester": "Ann", "cards": ["card-0"], "nonRefuters": [], "seenCard": "card-0"}]
    assert "suggestion 1: expected who showed this card" in refused(
        tmp_path, session(suggestions=odd)
    )


def test_the_events_of_cluedo_sheet_are_read(tmp_path: Path) -> None:
    text = "Event_List = [[0, 0, 1], [1, 6, 0], [2, 4, 10, 18, 0], [0, 1, 6, 19, 0]]"
    message = refused(tmp_path, text)
    assert "the log numbers its players, 1 to 3: give their names" in message
    assert "say whose notes these are" in message
    told = read(tmp_path, text, players=SEATS, viewer="Ann")
    assert lines(told) == [
        "Ann knows Ann has Plum",
        "Ann knows Ben lacks Knife",
        "Ann suggests Orchid, Rope, Ballroom: Ben passes, Cat shows",
        "Ann suggests Mustard, Knife, Lounge: nobody shows",
    ]
    assert "event 1: expected numbers of cards" in refused(
        tmp_path, "[[0, 31, 1]]", players=SEATS, viewer="Ann"
    )


def test_a_saved_state_of_cluesolver_is_read(tmp_path: Path) -> None:
    text = "36AG-BC.60-A-DE-DHM.5M-.3U-.\n".replace("60-A", "6-A").replace("5M", "6M")
    for said in ({}, {"players": (*SEATS, "Dan"), "viewer": "Ann"}):
        assert "1 to 3: give their names in that order" in refused(tmp_path, text, **said)
    told = read(tmp_path, text, players=SEATS, viewer="Ann")
    assert told.record.table.hands == (6, 6, 6)
    assert lines(told) == [
        "Ann knows Ann has Plum",
        "Ann knows Ann has Knife",
        "Ann knows Ann lacks Mustard or Green",
        "Ann knows Ben lacks Plum",
        "Ann knows Ben has Scarlett or White",
        "Ann knows Ben has Scarlett or Candlestick or Hall",
        "Ann knows Cat has Hall",
        "Ann knows envelope has Billiard Room",
    ]


DECK = """<?xml version="1.0"?>
<GameVariety Name="Farm" xmlns="http://www.nerdbank.net/clue/variety">
  <Rules><DisprovalEndsTurn>{ends}</DisprovalEndsTurn><HasSpyglass>true</HasSpyglass></Rules>
  <Weapons><Weapon Name="Fork" /><Weapon Name="Spade" /></Weapons>
  <Suspects><Suspect Name="Cook" /><Suspect Name="Maid" /><Suspect Name="Groom" /></Suspects>
  <Places><Place Name="Barn" /><Place Name="Yard" /><Place Name="Well" /></Places>
</GameVariety>
"""


def test_a_deck_of_cluebuddy_becomes_an_edition(tmp_path: Path) -> None:
    deck, target = tmp_path / "Farm.clueVariety", tmp_path / "farm.toml"
    deck.write_text(DECK.format(ends="false"), "utf-8")
    assert "found a deck of cards: import it with -o deck.toml" in refused(
        tmp_path, deck.read_text("utf-8")
    )
    result = CliRunner().invoke(main, ["import", str(deck), "-o", str(target)])
    assert (result.exit_code, result.stdout) == (0, "")
    edition = load_edition(str(target))
    assert (edition.title, edition.answers) == ("Farm", "all")
    assert "looks" in edition.observes
    assert edition.names == ("Cook", "Maid", "Groom", "Fork", "Spade", "Barn", "Yard", "Well")
    result = CliRunner().invoke(main, ["import", "-", "-o", str(tmp_path / "x.toml")], input="a,b")
    assert result.exit_code == 2
    assert deck_of("<html>", name="x") is None
    for odd in (DECK[:-20], "<!DOCTYPE x [<!ENTITY a 'b'>]><GameVariety/>", "<GameVariety/>"):
        with pytest.raises(ClueError):
            deck_of(odd, name="x")
