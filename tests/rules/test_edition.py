"""The shipped editions are what the rule books say, and a mistake in a file is named by its key."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from clue_solver.errors import EditionError
from clue_solver.rules.board import Ground, ground_of
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import (
    TEMPLATE,
    load_edition,
    parse_edition,
    shipped_editions,
    shipped_text,
)
from clue_solver.rules.pasted import deck_summary, pasted_deck
from tests.rows import rows_in, spelt

DICED = ("clue-diced", "clue-diced-master", "clue-express")
DECK = """
[[category]]
name = "suspect"
cards = [{ name = "Plum" }, { name = "Green", aliases = ["Reverend"] }]
[[category]]
name = "room"
cards = [{ name = "Hall" }, { name = "Study" }]
"""
WELL = 'title = "Small"\n' + DECK


def ground(edition: Edition) -> Ground:
    """Return the places of an edition's board."""
    return ground_of(edition.board, edition.rooms)


def steps(edition: Edition, start: str, end: str) -> int | None:
    """Return the steps from one room, or from a suspect's starting square, to a room."""
    board = ground(edition)
    return board.steps({**board.rooms, **board.starts}[start], board.rooms[end])


def refusal(text: str) -> EditionError:
    """Return the error that the text of an edition file runs into."""
    with pytest.raises(EditionError) as caught:
        parse_edition(text, name="mine.toml")
    return caught.value


# What the rule books say.


SAID = rows_in(Path(__file__).with_name("editions.txt"))
COMMON = {"suggests", "accuses", "holds", "knows"}


def test_the_boxes_are_what_the_rule_books_say() -> None:
    """White or Orchid is among the suspects, never both; the usual is observed everywhere."""
    found = []
    for name in shipped_editions():
        edition = load_edition(name)
        words = {word for card in edition.names for word in card.split()}
        players, kinds = (
            " ".join(map(str, each))
            for each in (edition.players, (len(kind.cards) for kind in edition.category))
        )
        who = " ".join(words & {"White", "Orchid"}) or "-"
        more = " ".join(each for each in edition.observes if each not in COMMON) or "-"
        found.append((name, players, kinds, who, edition.order, more))
        assert {*edition.observes} >= COMMON
        assert edition.answers == "first"
    assert sorted(found) == sorted(SAID["boxes"])


@pytest.mark.parametrize(("name", "category", "names"), SAID["decks"])
def test_the_decks_have_these_names_in_order(name: str, category: str, names: str) -> None:
    kinds = load_edition(name).category_of
    assert ", ".join(card for card, kind in kinds.items() if kind == category) == names


@pytest.mark.parametrize(("name", "card", "title"), SAID["titles"])
def test_the_full_titles_are_those_of_the_cards(name: str, card: str, title: str) -> None:
    assert {each.name: each.title for each in load_edition(name).cards}[card] == title


@pytest.mark.parametrize("name", DICED)
def test_in_diced_a_suspect_is_the_feature_that_the_roles_share(name: str) -> None:
    edition = load_edition(name)
    assert len(edition.features) == 6
    for feature, cards in edition.features.items():
        assert [kind.name.title() for kind in edition.category] == [c.split()[0] for c in cards]
        assert {card.split()[1] for card in cards} == {feature}


def test_secret_passages_join_opposite_corners() -> None:
    for name in ("clue-1996", "clue-2015", "clue-classic", "cluedo-watson"):
        board = load_edition(name).board
        assert board is not None
        assert board.passages == (("Kitchen", "Study"), ("Conservatory", "Lounge"))


# Names.


@pytest.mark.parametrize("name", shipped_editions())
def test_no_word_means_two_cards(name: str) -> None:
    edition = load_edition(name)
    meanings = {card.name: {card.name, card.title, *card.aliases} for card in edition.cards}
    for feature in edition.features:
        meanings[feature] = {feature, *edition.aliases.get(feature, ())}
    for one, other in combinations(meanings, 2):
        folded = [
            {re.sub(r"\W", "", word.casefold()) for word in meanings[each] if word}
            for each in (one, other)
        ]
        assert folded[0] & folded[1] == set()


@pytest.mark.parametrize(("name", "alias", "card"), SAID["other names"])
def test_the_usual_other_names_are_known(name: str, alias: str, card: str) -> None:
    others = {other: c.name for c in load_edition(name).cards for other in c.aliases}
    assert card == others[alias]


@pytest.mark.parametrize("name", shipped_editions())
def test_every_edition_says_what_sets_it_apart(name: str) -> None:
    edition = load_edition(name)
    assert edition.name == name
    assert edition.title
    assert edition.note.endswith(".")
    assert all(kind.plural for kind in edition.category)


# The template and files of one's own.


def test_the_template_explains_every_key() -> None:
    keys = {*Edition.__struct_fields__, "extends", "replace"} - {"name"}
    text = shipped_text(TEMPLATE)
    assert {key for key in keys if not re.search(rf"^(#  +)?\[*{key}\b", text, re.M)} == set()


def test_the_template_is_an_edition_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(shipped_text(TEMPLATE), "utf-8")
    assert load_edition("clue-custom").cards == load_edition("ours.toml", beside=tmp_path).cards


def test_the_short_file_at_the_end_of_the_template_is_an_edition() -> None:
    _, found, ending = shipped_text(TEMPLATE).partition("#     extends")
    lines = [line[6:] for line in f"{found}{ending}".splitlines() if re.match("#     |#$", line)]
    edition = parse_edition("\n".join(lines), name="cat.toml")
    assert edition.title == "Clue with the cat"
    assert "White" not in edition.names
    assert edition.names[2] == "Cat"
    assert steps(edition, "Cat", "Ballroom") == 8


def test_own_categories_leave_the_board_of_the_extended_edition_behind() -> None:
    edition = parse_edition('extends = "clue-1996"\n' + WELL, name="mine.toml")
    assert edition.board is None
    assert edition.order == "right"


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b"\xef\xbb\xbf" + WELL.encode())
    assert load_edition("mine.toml", beside=tmp_path).title == "Small"


# Mistakes.


def cards(text: str) -> str:
    """Return an edition file with one category of these cards."""
    return f'title = "T"\n[[category]]\nname = "room"\ncards = [{text}]\n'


CASES = rows_in(Path(__file__).with_name("refused.txt"))
FILES = {
    "well": "{}\n" + WELL,
    "cards": 'title = "T"\n[[category]]\nname = "room"\ncards = [{}]\n',
    "board": WELL + "[board]\n{}\n",
    "classic": 'extends = "clue-classic"\n[replace]\n{}',
    "whole": "{}",
}


@pytest.mark.parametrize(("file", "text", "key", "message"), CASES["editions"])
def test_a_mistake_is_named_by_its_key(file: str, text: str, key: str, message: str) -> None:
    error = refusal(FILES[file].replace("{}", spelt(text), 1))
    assert message in error.reason
    assert str(error).startswith(f"mine.toml: {key}: " if key else "mine.toml: ")
    assert (error.path, str(error).isprintable()) == ("mine.toml", True)


def test_a_deck_has_room_for_forty_cards_in_six_categories() -> None:
    many = ", ".join(f"{{ name = 'Card {k}' }}" for k in range(41))
    assert refusal(cards(many)).reason == "expected at most 40 cards; found 41"
    kinds = [f"[[category]]\nname = 'k{k}'\ncards = [{{ name = 'c{k}' }}]\n" for k in range(7)]
    reason = "Expected `array` of length <= 6"
    assert reason in refusal('title = "T"\n' + "".join(kinds)).reason
    assert "already at category[0].name" in refusal(WELL.replace("room", "Suspect")).reason


def test_a_board_needs_rooms() -> None:
    error = refusal(WELL.replace("room", "place") + "[board]\n")
    assert str(error) == "mine.toml: board: expected a category called 'room' as well; found none"


@pytest.mark.parametrize(
    "text",
    [
        "\x00\x1b[31m\x07",
        "a = " + "[" * 5000,
        ".".join("a" * 40_000) + " = 1",
        f"a = {'9' * 5000}",
        f"suggests = 0x{'f' * 5000}\n{WELL}",
        WELL.replace('"Small"', '"\\u001b"'),
    ],
)
def test_nothing_in_a_file_makes_it_stumble(text: str) -> None:
    assert str(refusal(text)).isprintable()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.toml", b"\xff\xfe\x00\x01", "expected an edition file in UTF-8 text"),
        ("a.toml", b"noise " * 1_700_000, "expected an edition file of at most 200,000 bytes"),
        ("clue-clasic", b"", "called 'clue-clasic'; did you mean 'clue-classic'?"),
        ("", b"", "there is no edition and no file called ''; expected one of clue-1996, "),
        (".", b"", "expected an edition file; found a folder"),
        ("a\0b", b"", "cannot read the edition file"),
        ("a" * 5000, b"", "cannot read the edition file"),
        ("\x1b[31m", b"", r"called '\x1b[31m'"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(
    name: str, content: bytes, message: str, tmp_path: Path
) -> None:
    if content:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(EditionError) as caught:
        load_edition(name, beside=tmp_path)
    assert message in caught.value.reason
    assert (str(caught.value).isprintable(), caught.value.path) == (True, name)


NAMES = (("Ida", "Leo", "Old Tom"), ("Spoon", "Fork"), ("Attic", "Shed"))


def deck(suspects: str, weapons: str, rooms: str) -> Edition:
    return parse_edition(pasted_deck("Ours", suspects, weapons, rooms), name="ours.toml")


@pytest.mark.parametrize("lists", [lists for (lists,) in CASES["decks"]])
def test_three_lists_are_read_however_they_are_pasted(lists: str) -> None:
    found = deck(*spelt(lists).split(" || "))
    assert (found.suspects, found.weapons, found.rooms) == NAMES
    assert deck_summary(found) == "3 suspects, 2 weapons and 2 rooms"


@pytest.mark.parametrize(("lists", "said"), CASES["no decks"])
def test_what_cannot_be_a_deck_is_told(lists: str, said: str) -> None:
    with pytest.raises(EditionError, match=said):
        deck(*spelt(lists).split("|| "))


def test_what_may_be_two_names_is_counted_back_as_one() -> None:
    found = deck("Ida and Leo, Mia", "Salt & pepper, Fork/Spoon", "Sand, Orchard")
    assert deck_summary(found) == (
        "2 suspects, 2 weapons and 2 rooms; 'Ida and Leo' is one name; "
        "'Salt & pepper' is one name; 'Fork/Spoon' is one name"
    )


def test_names_and_title_stand_in_the_file_as_they_were_pasted() -> None:
    text = pasted_deck('The "Inn" \\ 2', 'Ida "Red", Leo \\', "Löffel, 叉子", "Attic, Shed")
    found = parse_edition(text, name="ours.toml")
    assert found.title == 'The "Inn" \\ 2'
    assert found.names == ('Ida "Red"', "Leo \\", "Löffel", "叉子", "Attic", "Shed")
