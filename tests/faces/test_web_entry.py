"""What the page offers beside a suggestion, by the rules of play."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from clue_solver.conversation.session import Session
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.entry import EntryForm, EntryPanels
from clue_solver.faces.web.panel import Choice
from clue_solver.record import parse_record
from tests.faces.phones import Phone
from tests.faces.serving import called

DICED = "edition: clue-diced\nplayers: Ann, Ben, Cat\nfirst: Cat\n"
TWO = "edition: clue-2015\nplayers: Ann, Ben\npieces: Orchid, Green\n"
TWO += "face-down: Hall, Study, Lounge, Library\n"
ROLLS = "Cat rolls Plum, Peacock, Peacock, "
ASKS = "Cat suggests Brains Plum, Brawn Peacock: Ann shows"
FACES = ["Scarlett", "Mustard", "Orchid", "Green", "Peacock", "Plum"]


def keys_after(header: str, *lines: str, by: str = "") -> EntryForm:
    session = Session(parse_record("\n".join((header, *lines)) + "\n"))
    draft = Draft.of({"by": [by]}, session)
    return EntryPanels(session, draft).entry()


def first(entry: EntryForm) -> dict[str, tuple[Choice, ...]]:
    """What comes first by the rules, before a suggestion."""
    return {row.title: row.choices for panel in entry.panels[:-2] for row in panel.rows}


def rows_of(entry: EntryForm) -> dict[str, list[str]]:
    return {title: [each.label for each in choices] for title, choices in first(entry).items()}


def said(choices: tuple[Choice, ...]) -> list[str]:
    return [each.value or each.label for each in choices]


def others(entry: EntryForm) -> list[str]:
    """What else may be done in the turn."""
    folded = entry.panels[-1]
    assert folded.folded == "Something else"
    every = (*folded.rows[0].choices, *entry.foot)
    return [each for each in said(every) if not each.endswith(" skips")]


def test_dice_with_suspects_come_first_and_put_other_cards_aside() -> None:
    keys = keys_after(DICED)
    assert rows_of(keys) == {"Cat rolls": FACES}
    assert [each.face for each in first(keys)["Cat rolls"]] == FACES
    assert keys.aside == frozenset()
    rolled = keys_after(DICED, ROLLS + "eye")
    assert rows_of(rolled) == {}
    assert {card.partition(" ")[2] for card in rolled.aside} == {*FACES} - {"Plum", "Peacock"}
    assert rows_of(keys_after(DICED + "house: play\n")) == {}


@pytest.mark.parametrize(
    ("face", "title", "lines"),
    [
        ("glass", "Cat looks", ["Cat looks at Ann", "Cat looks at Ben"]),
        ("question", "Cat asks", ["Ann", "Ben"]),
        ("eye", "Cat peeks", ["Cat peeks"]),
        ("finger", "Cat points", [f"Brains {face}" for face in FACES]),
        ("blank", "", []),
    ],
)
def test_what_the_blue_die_allows_stands_first_while_the_next_may_roll(
    face: str, title: str, lines: list[str]
) -> None:
    keys = keys_after(DICED, ROLLS + face, ASKS)
    rows = {title: said(choices) for title, choices in first(keys).items()}
    assert rows == ({title: lines} if title else {}) | {"Ann rolls": FACES}
    if face == "glass":
        used = keys_after(DICED, ROLLS + face, ASKS, "Cat looks at Ann")
        assert rows_of(used) == {"Ann rolls": FACES}


def test_the_answer_to_a_question_about_a_card_comes_after_the_card() -> None:
    session = Session(parse_record(DICED))
    asked = Draft(chosen=("Question", "Cat", "Ann"))
    (panel,) = EntryPanels(session, asked).entry().panels
    (cards,) = panel.rows
    assert [each.label for each in cards.choices if each.label in FACES]
    told = Draft(chosen=(*asked.chosen, "Plum"))
    (panel,) = EntryPanels(session, told).entry().panels
    (answers,) = panel.rows
    ends = ["passes", "shows a card that I did not see", "no idea"]
    assert [each.label for each in answers.choices] == ends


def test_whoever_has_suggested_may_accuse_and_use_a_die_that_was_not_told() -> None:
    assert others(keys_after(DICED, ASKS)) == [
        *("Cat looks", "Cat asks", "Cat peeks", "Cat points", "Cat accuses"),
    ]


def test_clue_cards_and_cards_in_rooms_are_offered_when_they_come() -> None:
    assert others(keys_after(TWO))[0] == "Ann rolls"
    rolled = keys_after(TWO, "Ann rolls 3, glass")
    assert rows_of(rolled) == {
        "Ann draws": ["suspect", "weapon", "room", "left", "all", "one", "move", "passage"]
    }
    drawn = keys_after(TWO, "Ann rolls 3, glass", "Ann draws left")
    assert rows_of(drawn) == {"A card is shown by": ["Ann", "Ben", "nobody"]}
    moved = keys_after(TWO, "Ann rolls 12", "Ann moves to Hall")
    assert {title: said(choices) for title, choices in first(moved).items()} == {
        "Ann looks": ["Ann looks at Hall"]
    }


def test_a_roll_is_logged_by_its_faces_and_nobody_skips_while_a_die_is_left(
    tmp_path: Path,
) -> None:
    with called(tmp_path / "table.clue", f"{DICED}\n", public=True) as table:
        phone = Phone(table)
        for face in ("Plum", "Peacock", "Peacock"):
            assert phone.tap(face)
        assert 'aria-label="Cat rolls Plum, Peacock, Peacock"' in phone.text
        assert {*phone.buttons()} >= {"glass", "question", "eye", "finger", "blank"}
        phone.press("question")
        assert table.lines() == (ROLLS + "question",)
        marks = re.findall(
            r'class="key check ([^"]*)"><input [^>]*value="Brains Green"', phone.text
        )
        assert marks[0].split() == ["aside"]
        table.post("tell", line=ASKS)
        phone.load("")
        phone.load("?by=Ann")
        assert "skips first" not in unescape(phone.text)
