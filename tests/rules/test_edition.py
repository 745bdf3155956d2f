"""The shipped editions are what the rule books say, and a mistake in a file is named by its key."""

from __future__ import annotations

import os
import re
from itertools import combinations
from pathlib import Path

import pytest

from clue_solver.errors import EditionError
from clue_solver.rules.edition import (
    Edition,
    load_edition,
    parse_edition,
    shipped_editions,
    template,
)
from clue_solver.rules.table import Table
from tests.rows import rows

SIX_SIX_NINE = ("clue-1996", "clue-2015", "clue-classic", "clue-custom", "cluedo-watson")
DICED = ("clue-diced", "clue-diced-master", "clue-express")
DICE = ("magnifying glass", "question mark", "eye", "pointed finger", "blank")

DECK = """
[[category]]
name = "suspect"
cards = [{ name = "Plum" }, { name = "Green", aliases = ["Reverend"] }]
[[category]]
name = "room"
cards = [{ name = "Hall" }, { name = "Study" }]
"""
WELL = 'title = "Small"\n' + DECK


def deck(edition: Edition, category: str) -> set[str]:
    """Return the names of the cards of one category."""
    return {name for name, kind in edition.category_of.items() if kind == category}


def steps(edition: Edition, start: str, end: str) -> int:
    """Return the steps from one room to another."""
    assert edition.board is not None
    rooms = [card.name for card in edition.category[-1].cards]
    return edition.board.steps[start][rooms.index(end)]


def refusal(text: str) -> EditionError:
    """Return the error that the text of an edition file runs into."""
    with pytest.raises(EditionError) as caught:
        parse_edition(text, name="mine.toml")
    return caught.value


# What the rule books say.


BOXES = """
edition           | players | cards    | who    | answers | observes beyond the usual
clue-classic      | 2 6     | 6 6 9    | White  | left    |
clue-1996         | 3 6     | 6 6 9    | White  | right   |
cluedo-2012       | 2 6     | 6 6 9    | White  | left    |
cluedo-watson     | 2 6     | 6 6 9    | White  | left    |
clue-2008         | 2 6     | 6 9 9    | White  | left    |
clue-2015         | 2 6     | 6 6 9    | Orchid | left    | looks draws reveals nobody
clue-custom       | 2 6     | 6 6 9    |        | left    |
clue-diced        | 3 4     | 6 6      | Orchid | left    | asks looks peeks
clue-express      | 3 4     | 6 6      | White  | left    | asks looks peeks
clue-diced-master | 3 4     | 6 6 6    | Orchid | left    | asks looks peeks
master-detective  | 3 10    | 10 8 12  | White  | left    | looks
"""
COMMON = {"suggests", "accuses", "holds", "knows"}


def test_the_boxes_are_what_the_rule_books_say() -> None:
    """White or Orchid is among the suspects, never both; the usual is observed everywhere."""
    found = {}
    for name in shipped_editions():
        edition = load_edition(name)
        words = {word for card in edition.names for word in card.split()}
        found[name] = (
            " ".join(map(str, edition.players)),
            " ".join(str(len(kind.cards)) for kind in edition.category),
            " ".join(words & {"White", "Orchid"}),
            edition.order,
            {*edition.observes} - COMMON,
        )
        assert {*edition.observes} >= COMMON
        assert edition.answers == "first"
    told = [[cell.strip() for cell in row] for row in rows(BOXES, "|")[1:]]
    assert found == {name: (*cells, {*more.split()}) for name, *cells, more in told}


def test_where_the_right_hand_neighbour_answers_first_turns_go_left_still() -> None:
    table = Table(edition=load_edition("clue-1996"), seats=("Ann", "Ben", "Cat", "Dan"))
    assert table.answering("Ann") == ("Dan", "Cat", "Ben")
    assert table.after("Ann") == "Ben"


def test_the_classic_deck_has_the_us_names_in_order() -> None:
    suspects = "Scarlett, Mustard, White, Green, Peacock, Plum"
    weapons = "Candlestick, Knife, Lead Pipe, Revolver, Rope, Wrench"
    rooms = (
        "Kitchen, Ballroom, Conservatory, Dining Room, Billiard Room, Library, Lounge, Hall, Study"
    )
    expected = ", ".join([suspects, weapons, rooms])
    assert ", ".join(load_edition("clue-classic").names) == expected
    assert ", ".join(load_edition("clue-1996").names) == expected


def test_the_full_titles_are_those_of_the_cards() -> None:
    titles = {card.name: card.title for card in load_edition("clue-2015").cards if card.title}
    assert titles == {
        "Scarlett": "Miss Scarlett",
        "Mustard": "Colonel Mustard",
        "Orchid": "Dr. Orchid",
        "Green": "Mr. Green",
        "Peacock": "Mrs. Peacock",
        "Plum": "Professor Plum",
    }
    assert "Mrs. White" in {card.title for card in load_edition("clue-classic").cards}


def test_the_deck_of_2008_has_nine_weapons_and_other_rooms() -> None:
    edition = load_edition("clue-2008")
    weapons = "Axe, Bat, Candlestick, Dumbbell, Knife, Pistol, Poison, Rope, Trophy"
    assert deck(edition, "weapon") == set(weapons.split(", "))
    rooms = "Dining Room, Guest House, Hall, Kitchen, Living Room, Observatory, Patio, Spa, Theater"
    assert deck(edition, "room") == set(rooms.split(", "))


def test_the_deck_of_2012_has_the_classic_weapons_and_other_rooms() -> None:
    edition, classic = load_edition("cluedo-2012"), load_edition("clue-classic")
    for kind in ("suspect", "weapon"):
        assert deck(edition, kind) == deck(classic, kind)
    rooms = "Bathroom, Bedroom, Courtyard, Dining Room, Games Room, Garage, Kitchen, Living Room"
    assert deck(edition, "room") == {"Study", *rooms.split(", ")}


def test_the_uk_deck_differs_in_three_weapons() -> None:
    us, uk = load_edition("clue-classic"), load_edition("cluedo-watson")
    assert set(uk.names) - set(us.names) == {"Dagger", "Lead Piping", "Spanner"}
    assert set(us.names) - set(uk.names) == {"Knife", "Lead Pipe", "Wrench"}
    assert "Reverend Green" in {card.title for card in uk.cards}


def test_master_detective_adds_suspects_weapons_and_rooms_of_its_own() -> None:
    classic, master = load_edition("clue-classic"), load_edition("master-detective")
    for kind, more in (
        ("suspect", {"Peach", "Brunette", "Rose", "Gray"}),
        ("weapon", {"Poison", "Horseshoe"}),
    ):
        assert more == deck(master, kind) - deck(classic, kind)
        assert deck(classic, kind) - deck(master, kind) == set()
    rooms = "Courtyard, Gazebo, Drawing Room, Dining Room, Kitchen, Carriage House, Trophy Room, "
    rooms += "Conservatory, Studio, Billiard Room, Library, Fountain"
    assert set(rooms.split(", ")) == deck(master, "room")


def test_in_the_custom_edition_every_suspect_and_weapon_has_another_name() -> None:
    custom, classic = load_edition("clue-custom"), load_edition("clue-classic")
    for kind in ("suspect", "weapon"):
        assert deck(custom, kind) & deck(classic, kind) == set()


def test_in_the_uk_own_cards_may_be_named_and_an_accusation_may_follow() -> None:
    uk = load_edition("cluedo-watson")
    assert uk.bluff
    assert uk.accuses
    assert load_edition("clue-custom").accuses


@pytest.mark.parametrize("name", DICED)
def test_in_diced_a_suspect_is_the_feature_that_the_roles_share(name: str) -> None:
    edition = load_edition(name)
    assert len(edition.features) == 6
    for feature, cards in edition.features.items():
        assert [kind.name.title() for kind in edition.category] == [c.split()[0] for c in cards]
        assert {card.split()[1] for card in cards} == {feature}


@pytest.mark.parametrize("name", DICED)
def test_the_bonus_die_has_four_faces_and_blank_ones(name: str) -> None:
    assert {*load_edition(name).dice} == {*DICE}


def test_no_edition_without_special_dice_has_features() -> None:
    plain = set(shipped_editions()) - set(DICED)
    assert not any(load_edition(name).features for name in plain)
    assert {name for name in plain if load_edition(name).dice} == {"clue-2015"}


def test_a_suggestion_in_the_master_game_names_two_of_three_roles() -> None:
    assert load_edition("clue-diced-master").named == 2
    assert len(load_edition("clue-diced-master").category) == 3
    for name in set(shipped_editions()) - {"clue-diced-master"}:
        assert len(load_edition(name).category) == load_edition(name).named


@pytest.mark.parametrize(
    ("name", "seats", "sizes"),
    [
        ("clue-diced", 3, [3, 3, 4]),
        ("clue-diced", 4, [2, 2, 3, 3]),
        ("clue-diced-master", 3, [5, 5, 5]),
        ("clue-diced-master", 4, [3, 4, 4, 4]),
        ("clue-classic", 6, [3, 3, 3, 3, 3, 3]),
    ],
)
def test_the_cards_dealt_come_to_these_hands(name: str, seats: int, sizes: list[int]) -> None:
    players = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo")[:seats]
    table = Table(edition=load_edition(name), seats=players, hands=tuple(sizes))
    assert sum(sizes) == table.dealt


# Boards.


@pytest.mark.parametrize("name", SIX_SIX_NINE)
def test_it_is_as_far_to_a_room_as_back(name: str) -> None:
    edition = load_edition(name)
    rooms = [card.name for card in edition.category[-1].cards]
    assert {steps(edition, room, room) for room in rooms} == {0}
    for one, other in combinations(rooms, 2):
        assert steps(edition, one, other) == steps(edition, other, one) >= 4


def test_the_classic_steps_are_those_of_the_board() -> None:
    board = load_edition("clue-classic").board
    assert board is not None
    assert board.steps == {
        "Kitchen": (0, 7, 20, 11, 17, 23, 19, 19, 28),
        "Ballroom": (7, 0, 4, 7, 6, 12, 15, 13, 17),
        "Conservatory": (20, 4, 0, 19, 7, 14, 27, 20, 20),
        "Dining Room": (11, 7, 19, 0, 14, 14, 4, 8, 17),
        "Billiard Room": (17, 6, 7, 14, 0, 4, 22, 15, 15),
        "Library": (23, 12, 14, 14, 4, 0, 14, 7, 7),
        "Lounge": (19, 15, 27, 4, 22, 14, 0, 8, 17),
        "Hall": (19, 13, 20, 8, 15, 7, 8, 0, 4),
        "Study": (28, 17, 20, 17, 15, 7, 17, 4, 0),
    }


def test_with_orchid_the_study_is_further_and_the_conservatory_mostly_nearer() -> None:
    old, new = load_edition("clue-classic"), load_edition("clue-2015")
    assert steps(new, "Hall", "Study") == 10
    assert steps(new, "Ballroom", "Conservatory") == 5
    assert steps(new, "Billiard Room", "Conservatory") == 6
    for one, other in combinations(sorted(deck(old, "room")), 2):
        if {one, other} in ({"Hall", "Study"}, {"Ballroom", "Conservatory"}):
            continue
        nearer = "Conservatory" in (one, other)
        assert steps(old, one, other) - nearer == steps(new, one, other)


def test_secret_passages_join_opposite_corners() -> None:
    for name in ("clue-1996", "clue-2015", "clue-classic", "cluedo-watson"):
        board = load_edition(name).board
        assert board is not None
        assert board.passages == (("Kitchen", "Study"), ("Conservatory", "Lounge"))


def test_the_steps_from_the_starting_squares_are_those_of_the_board() -> None:
    classic, orchid = load_edition("clue-classic").board, load_edition("clue-2015").board
    assert classic is not None
    assert orchid is not None
    assert {suspect: tuple(row.values()) for suspect, row in classic.start.items()} == {
        "Scarlett": (23, 19, 31, 10, 26, 18, 8, 12, 21),
        "Mustard": (23, 19, 31, 8, 26, 18, 8, 12, 21),
        "White": (13, 8, 25, 16, 22, 28, 24, 24, 33),
        "Green": (24, 8, 10, 23, 13, 19, 31, 24, 24),
        "Peacock": (23, 9, 7, 22, 10, 17, 30, 23, 23),
        "Plum": (32, 21, 24, 21, 19, 11, 21, 10, 8),
    }
    assert {suspect: tuple(row.values()) for suspect, row in orchid.start.items()} == {
        "Scarlett": (23, 19, 30, 10, 26, 18, 8, 12, 21),
        "Mustard": (23, 19, 30, 8, 26, 18, 8, 12, 21),
        "Orchid": (13, 8, 24, 16, 22, 28, 24, 24, 33),
        "Green": (24, 8, 11, 23, 13, 19, 31, 24, 24),
        "Peacock": (22, 10, 7, 21, 9, 16, 29, 22, 22),
        "Plum": (32, 21, 23, 21, 19, 11, 21, 14, 8),
    }
    rooms = load_edition("clue-classic").rooms
    assert {tuple(row) for row in (*classic.start.values(), *orchid.start.values())} == {rooms}


def test_boards_are_played_with_two_dice_the_custom_one_with_one_and_others_have_none() -> None:
    boards = {name: load_edition(name).board for name in shipped_editions()}
    dice = {name: board.dice for name, board in boards.items() if board is not None}
    assert dice == {**dict.fromkeys(SIX_SIX_NINE, 2), "clue-custom": 1}


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


@pytest.mark.parametrize(
    ("name", "alias", "card"),
    [
        ("clue-classic", "Col Mustard", "Mustard"),
        ("clue-classic", "Pipe", "Lead Pipe"),
        ("clue-classic", "Rev Green", "Green"),
        ("clue-classic", "Spanner", "Wrench"),
        ("cluedo-watson", "Wrench", "Spanner"),
        ("cluedo-watson", "Knife", "Dagger"),
        ("clue-2015", "Doctor Orchid", "Orchid"),
        ("master-detective", "Sgt. Gray", "Gray"),
    ],
)
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
    assert {key for key in keys if not re.search(rf"^(#  +)?\[*{key}\b", template(), re.M)} == set()


def test_the_template_is_an_edition_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(template(), "utf-8")
    assert load_edition("clue-custom").cards == load_edition("ours.toml", beside=tmp_path).cards


def test_own_cards_in_the_template_stand_where_its_cards_stood_on_the_board() -> None:
    text = template().replace('{ name = "Kitchen" }', '{ name = "Den" }')
    edition = parse_edition(text, name="ours.toml")
    assert edition.board is not None
    assert edition.board.passages[0] == ("Den", "Cellar")
    assert steps(edition, "Den", "Attic") == steps(load_edition("clue-custom"), "Kitchen", "Attic")


def test_the_short_file_at_the_end_of_the_template_is_an_edition() -> None:
    ending = template()[template().index("#     extends") :]
    lines = [line[6:] for line in ending.splitlines() if re.match("#     |#$", line)]
    edition = parse_edition("\n".join(lines), name="cat.toml")
    assert edition.title == "Clue with the cat"
    assert "White" not in edition.names
    assert edition.names[2] == "Cat"
    assert edition.board is not None
    assert edition.board.start["Cat"]["Ballroom"] == 8
    assert set(edition.rooms) == set(edition.board.start["Cat"])


def test_a_room_that_is_replaced_keeps_its_place_on_the_board() -> None:
    text = 'extends = "clue-classic"\n[replace]\nKitchen = { name = "Pantry" }\n'
    edition = parse_edition(text, name="mine.toml")
    assert steps(edition, "Pantry", "Study") == 28
    assert edition.board is not None
    assert edition.board.passages[0] == ("Pantry", "Study")


def test_own_categories_leave_the_board_of_the_extended_edition_behind() -> None:
    edition = parse_edition('extends = "clue-1996"\n' + WELL, name="mine.toml")
    assert edition.board is None
    assert edition.order == "right"


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b"\xef\xbb\xbf" + WELL.encode())
    assert load_edition("mine.toml", beside=tmp_path).title == "Small"


@pytest.mark.parametrize("count", range(1, 7))
def test_editions_of_one_to_six_categories_load(count: int) -> None:
    kinds = [
        f'[[category]]\nname = "kind {k}"\ncards = [{{ name = "A{k}" }}, {{ name = "B{k}" }}]\n'
        for k in range(count)
    ]
    edition = parse_edition('title = "T"\n' + "".join(kinds), name="mine.toml")
    assert count == edition.named == len(edition.category)


# Mistakes.


def cards(text: str) -> str:
    """Return an edition file with one category of these cards."""
    return f'title = "T"\n[[category]]\nname = "room"\ncards = [{text}]\n'


LINES = """
zebra = 6 | zebra | unknown key 'zebra'; expected one of title, note,
extend = "x" | extend | unknown key 'extend'; did you mean 'extends'?
players = 4 | players | expected a list of 2; found 4
players = [4] | players | expected a list of 2; found a list of 1
players = [2, "x"] | players[1] | expected a whole number; found 'x'
players = [1, 6] | players | from 2 to 10, the smaller first; found 1 and 6
players = [6, 2] | players | from 2 to 10, the smaller first; found 6 and 2
players = [2, 11] | players | the smaller first; found 2 and 11
players = [[[[[[2]]]]]] | players | expected a list of 2; found a list of 1
order = "lft" | order | expected one of left, right; found 'lft'; did you
order = true | order | expected text; found true
bluff = 1 | bluff | expected true or false; found 1
suggests = true | suggests | expected a whole number; found true
suggests = 1.5 | suggests | expected a whole number; found 1.5
suggests = 3 | suggests | expected 0 to 2, the number of categories; found 3
suggests = 1979-05-27 | suggests | found a date or a time
observes = ["peek"] | observes[0] | found 'peek'; did you mean 'peeks'?
dice = { eye = 2 } | dice.eye | expected text; found 2
aliases = { Plum = ["P"] } | aliases.Plum | unknown feature 'Plum'
face_down = { 3 = 3 } | face_down.3 | expected 1 to 2 cards; found 3
face_down = { 1 = 2 } | face_down.1 | expected a number of players from 2 to 10; found '1'
"""
CARDS = r"""
 |  | expected at least one card; found none
'Hall' | [0] | expected a table; found 'Hall'
{ nam = 'A' } | [0].nam | did you mean 'name'?
{ title = 'A' } | [0].name | expected text; found nothing
{ name = 'A', aliases = 'B' } | [0].aliases | found 'B'
{ name = '' } | [0].name | a letter or a digit in it; found ''
{ name = '?' } | [0].name | found '?'
{ name = 'A, B' } | [0].name | found 'A, B'
{ name = 'A  B' } | [0].name | single spaces
{ name = 'Envelope' } | [0].name | no word of the notation
{ name = "A\u001b" } | [0].name | found 'A\x1b'
{ name = 'Hall' }, { name = 'HALL' } | [1].name | 'HALL' is already at category[0].cards[0].name
{ name = 'Hall' }, { name = 'Study', aliases = ['Den', 'hall'] } | [1].aliases[1] | 'hall' already means 'Hall'
{ name = 'Hall', title = 'The Den' }, { name = 'B', aliases = ['the-den'] } | [1].aliases[0] | 'the-den' already means 'Hall'
{ name = 'Plum' }, { name = 'Brawn Plum', feature = 'plum' } | [1].feature | 'plum' is the card at category[0].cards[0].name already
"""  # noqa: E501
KINDS = "".join(f"[[category]]\nname = 'k{k}'\ncards = [{{ name = 'c{k}' }}]\n" for k in range(7))
MANY = ", ".join(f"{{ name = 'Card {k}' }}" for k in range(41))


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        *((f"{line}\n{WELL}", key, message) for line, key, message in rows(LINES, " | ")),
        *(
            (cards(text), f"category[0].cards{key}", message)
            for text, key, message in rows(CARDS, " | ")
        ),
        (f"title = 3\n{DECK}", "title", "expected text; found 3"),
        (DECK, "title", "expected text; found nothing"),
        (f'title = ""\n{DECK}', "title", "expected one line of text; found ''"),
        (f'titel = "T"\n{DECK}', "titel", "unknown key 'titel'; did you mean 'title'?"),
        (f"suggests = 0x{'f' * 5000}\n{WELL}", "suggests", "found a number with very many digits"),
        ('title = "T"', "category", "expected a list; found nothing"),
        ('title = "T"\n[category]\nname = "x"', "category", "expected a list; found a table"),
        ('title = "T"\ncategory = []', "category", "expected 1 to 6 categories; found 0"),
        ('title = "T"\ncategory = [3]', "category[0]", "expected a table; found 3"),
        (f"{WELL}[[category]]\nname = 'x'", "category[2].cards", "expected a list; found nothing"),
        (f"{WELL}[[category]]\ncards = []", "category[2].name", "expected text; found nothing"),
        (WELL.replace("room", "Suspect"), "category[1].name", "is already at category[0].name"),
        (cards(MANY), "category", "expected at most 40 cards; found 41"),
        (f'title = "T"\n{KINDS}', "category", "expected 1 to 6 categories; found 7"),
    ],
)
def test_a_mistake_is_named_by_its_key(text: str, key: str, message: str) -> None:
    error = refusal(text)
    assert (error.path, error.key) == ("mine.toml", key)
    assert str(error).startswith(f"mine.toml: {key}: ")
    assert message in str(error)


BOARDS = """
dice = 5 | dice | expected 1 to 4 dice; found 5
die = 1 | die | unknown key 'die'; did you mean 'dice'?
passages = [["Hall", "Stdy"]] | passages[0][1] | 'Stdy'; did you mean 'Study'?
passages = [["Hall", "Hall"]] | passages[0] | expected two rooms; found 'Hall' twice
passages = [["Hall"]] | passages[0] | expected a list of 2; found a list of 1
steps = { Plum = [0, 4] } | steps.Plum | unknown room 'Plum'
steps = { Hall = [0] } | steps.Hall | expected 2 numbers, one for each room; found 1
steps = { Hall = [0, -4] } | steps.Hall[1] | expected 0 to 1000 steps; found -4
steps = { Hall = [0, 4] } | steps.Study | expected 2 numbers; found nothing
start = { Plm = { Hall = 8 } } | start.Plm | did you mean 'Plum'?
start = { Plum = { Green = 8 } } | start.Plum.Green | unknown room 'Green'
start = { Plum = { Hall = 0 } } | start.Plum.Hall | expected 1 to 1000 steps; found 0
"""


@pytest.mark.parametrize(("board", "key", "message"), rows(BOARDS, " | "))
def test_a_mistake_on_the_board_is_named_by_its_key(board: str, key: str, message: str) -> None:
    error = refusal(f"{WELL}[board]\n{board}\n")
    assert error.key == f"board.{key}"
    assert message in str(error)


def test_a_board_needs_rooms() -> None:
    error = refusal(WELL.replace("room", "place") + "[board]\n")
    assert str(error) == "mine.toml: board: expected a category called 'room' as well; found none"


REPLACED = """
Wite = {} | replace.Wite | did you mean 'White'?
White = 3 | replace.White | expected a table
"Lead Pipe" = { title = "Lead" } | replace."Lead Pipe".name | expected text; found nothing
White = { name = "Plum" } | replace.White.name | 'Plum' is already at category[0].cards[5].name
White = { name = "Cat", aliases = ["Pipe"] } | replace.White.aliases[0] | 'Pipe' already means 'Lead Pipe'
"""  # noqa: E501


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        *(
            (f'extends = "clue-classic"\n[replace]\n{card}', key, message)
            for card, key, message in rows(REPLACED, " | ")
        ),
        ('extends = "clue"', "extends", "clue-classic, clue-custom"),
        ("extends = ['clue-classic']", "extends", "found a list of 1"),
        ('title = "T"\nreplace = {}', "replace", "expected 'extends' as well"),
        ('extends = "clue-classic"\nreplace = 3', "replace", "expected a table of cards; found 3"),
        (
            f'extends = "clue-classic"\n{WELL}[replace]\nPlum = {{ name = "Cat" }}',
            "replace",
            "expected no card replaced where the file lists its categories",
        ),
    ],
)
def test_a_mistake_in_extending_is_named_by_its_key(text: str, key: str, message: str) -> None:
    error = refusal(text)
    assert error.key == key
    assert message in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "title = ",
        "not toml at all",
        "\x00\x1b[31m\x07",
        'title = "T"\ntitle = "T"',
        "a = " + "[" * 5000,
        ".".join("a" * 40_000) + " = 1",
        '"a b" . ' * 20_000 + "c = 1",
        "a" * 150_000,
        f"a = {'9' * 5000}",
    ],
)
def test_what_is_not_toml_is_refused_as_a_whole(text: str) -> None:
    error = refusal(text)
    assert error.key == ""
    assert str(error).startswith("mine.toml: not TOML")
    assert str(error).isprintable()


def test_a_key_with_control_characters_is_shown_escaped() -> None:
    error = refusal('"\\u001b[31m" = 1\n' + WELL)
    assert str(error).isprintable()
    assert r"unknown key '\x1b[31m'" in str(error)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00\x01", "expected an edition file in UTF-8 text; found something else"),
        (
            os.urandom(1000) + b"\xff",
            "expected an edition file in UTF-8 text; found something else",
        ),
        (b"noise " * 1_700_000, "expected an edition file of at most 200,000 bytes; found more"),
    ],
    ids=["binary", "noise", "large"],
)
def test_a_file_of_noise_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "noise.toml").write_bytes(content)
    with pytest.raises(EditionError) as caught:
        load_edition("noise.toml", beside=tmp_path)
    assert str(caught.value) == f"noise.toml: {message}"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("clue-clasic", "called 'clue-clasic'; did you mean 'clue-classic'?"),
        ("Clue-Classic", "did you mean 'clue-classic'?"),
        ("missing.toml", "there is no edition and no file called 'missing.toml'"),
        ("", "there is no edition and no file called ''; expected one of clue-1996, "),
        (".", "expected an edition file; found a folder"),
        ("a\0b", "cannot read the edition file"),
        ("a" * 5000, "cannot read the edition file"),
        ("\x1b[31m", r"called '\x1b[31m'"),
    ],
)
def test_an_edition_that_is_not_there_is_refused(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(EditionError) as caught:
        load_edition(name, beside=tmp_path)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()
    assert caught.value.path == name


@pytest.mark.parametrize(
    "text",
    [f"players = {bad}\n{WELL}" for bad in ("nan", "[]", "{}", "'x'", "true", "[2, []]")],
)
def test_no_message_speaks_the_language_of_the_program(text: str) -> None:
    assert not re.search(r"\$|object|array|\bint\b|\bstr\b|`|\[\.\.\.\]", str(refusal(text)))
