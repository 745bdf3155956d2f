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

SIX_SIX_NINE = ("clue-1996", "clue-2015", "clue-classic", "clue-custom", "cluedo-watson")
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


def test_nine_editions_are_shipped() -> None:
    assert {*SIX_SIX_NINE, *DICED, "master-detective"} == {*shipped_editions()}


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        *((name, [6, 6, 9]) for name in SIX_SIX_NINE),
        ("clue-diced", [6, 6]),
        ("clue-express", [6, 6]),
        ("clue-diced-master", [6, 6, 6]),
        ("master-detective", [10, 8, 12]),
    ],
)
def test_the_decks_have_their_sizes(name: str, sizes: list[int]) -> None:
    assert sizes == [len(kind.cards) for kind in load_edition(name).category]


def test_the_classic_deck_has_the_us_names_in_order() -> None:
    suspects = "Scarlett, Mustard, White, Green, Peacock, Plum"
    weapons = "Candlestick, Knife, Lead Pipe, Revolver, Rope, Wrench"
    rooms = (
        "Kitchen, Ballroom, Conservatory, Dining Room, Billiard Room, Library, Lounge, Hall, Study"
    )
    expected = ", ".join([suspects, weapons, rooms])
    assert expected == ", ".join(load_edition("clue-classic").names)
    assert expected == ", ".join(load_edition("clue-1996").names)


def test_the_full_titles_are_those_of_the_cards() -> None:
    titles = {card.name: card.title for card in load_edition("clue-2015").cards if card.title}
    assert {
        "Scarlett": "Miss Scarlett",
        "Mustard": "Colonel Mustard",
        "Orchid": "Dr. Orchid",
        "Green": "Mr. Green",
        "Peacock": "Mrs. Peacock",
        "Plum": "Professor Plum",
    } == titles
    assert "Mrs. White" in {card.title for card in load_edition("clue-classic").cards}


def test_the_uk_deck_differs_in_three_weapons() -> None:
    us, uk = load_edition("clue-classic"), load_edition("cluedo-watson")
    assert {"Dagger", "Lead Piping", "Spanner"} == set(uk.names) - set(us.names)
    assert {"Knife", "Lead Pipe", "Wrench"} == set(us.names) - set(uk.names)
    assert "Reverend Green" in {card.title for card in uk.cards}


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("clue-classic", "White"),
        ("clue-1996", "White"),
        ("cluedo-watson", "White"),
        ("clue-2015", "Orchid"),
        ("clue-diced", "Orchid"),
        ("clue-express", "White"),
        ("clue-diced-master", "Orchid"),
        ("master-detective", "White"),
    ],
)
def test_either_white_or_orchid_is_among_the_suspects(name: str, who: str) -> None:
    suspects = {word for card in load_edition(name).names for word in card.split()}
    assert {who} == suspects & {"White", "Orchid"}


def test_master_detective_adds_suspects_weapons_and_rooms_of_its_own() -> None:
    classic, master = load_edition("clue-classic"), load_edition("master-detective")
    for kind, more in (
        ("suspect", {"Peach", "Brunette", "Rose", "Gray"}),
        ("weapon", {"Poison", "Horseshoe"}),
    ):
        assert more == deck(master, kind) - deck(classic, kind)
        assert set() == deck(classic, kind) - deck(master, kind)
    rooms = "Courtyard, Gazebo, Drawing Room, Dining Room, Kitchen, Carriage House, Trophy Room, "
    rooms += "Conservatory, Studio, Billiard Room, Library, Fountain"
    assert set(rooms.split(", ")) == deck(master, "room")


def test_in_the_custom_edition_every_suspect_and_weapon_has_another_name() -> None:
    custom, classic = load_edition("clue-custom"), load_edition("clue-classic")
    for kind in ("suspect", "weapon"):
        assert set() == deck(custom, kind) & deck(classic, kind)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("clue-classic", (2, 6)),
        ("clue-1996", (3, 6)),
        ("cluedo-watson", (2, 6)),
        ("clue-2015", (2, 6)),
        ("clue-custom", (2, 6)),
        ("clue-diced", (3, 4)),
        ("clue-express", (3, 4)),
        ("clue-diced-master", (3, 4)),
        ("master-detective", (3, 10)),
    ],
)
def test_the_players_are_as_many_as_the_box_says(name: str, players: tuple[int, int]) -> None:
    assert players == load_edition(name).players


def test_only_in_1996_the_right_hand_neighbour_answers_first() -> None:
    orders = {name: load_edition(name).order for name in shipped_editions()}
    assert {"clue-1996": "right"} == {n: order for n, order in orders.items() if order != "left"}
    assert {"left"} == {load_edition(name).turns for name in shipped_editions()}
    table = Table(edition=load_edition("clue-1996"), seats=("Ann", "Ben", "Cat", "Dan"))
    assert ("Dan", "Cat", "Ben") == table.answering("Ann")
    assert "Ben" == table.after("Ann")


def test_in_every_shipped_edition_only_the_first_who_can_shows() -> None:
    assert {"first"} == {load_edition(name).answers for name in shipped_editions()}


def test_in_the_uk_own_cards_may_be_named_and_an_accusation_may_follow() -> None:
    uk = load_edition("cluedo-watson")
    assert uk.bluff
    assert uk.accuses
    assert load_edition("clue-custom").accuses


def test_what_is_observed_beyond_suggestions_is_what_the_rules_bring_about() -> None:
    common = {"suggests", "accuses", "holds", "knows"}
    more = {name: {*load_edition(name).observes} - common for name in shipped_editions()}
    diced = {"asks", "looks", "peeks"}
    assert more == {
        **{name: set() for name in SIX_SIX_NINE},
        **dict.fromkeys(DICED, diced),
        "clue-2015": {"looks", "reveals", "nobody"},
        "master-detective": {"looks"},
    }
    assert all(common <= {*load_edition(name).observes} for name in shipped_editions())


@pytest.mark.parametrize("name", DICED)
def test_in_diced_a_suspect_is_the_feature_that_the_roles_share(name: str) -> None:
    edition = load_edition(name)
    assert 6 == len(edition.features)
    for feature, cards in edition.features.items():
        assert [kind.name.title() for kind in edition.category] == [c.split()[0] for c in cards]
        assert {feature} == {card.split()[1] for card in cards}


@pytest.mark.parametrize("name", DICED)
def test_the_special_dice_have_four_faces(name: str) -> None:
    assert {"magnifying glass", "question mark", "eye", "finger"} == {*load_edition(name).dice}


def test_no_edition_without_special_dice_has_features() -> None:
    plain = set(shipped_editions()) - set(DICED)
    assert not any(load_edition(name).features or load_edition(name).dice for name in plain)


def test_a_suggestion_in_the_master_game_names_two_of_three_roles() -> None:
    assert 2 == load_edition("clue-diced-master").named
    assert 3 == len(load_edition("clue-diced-master").category)
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
    assert {0} == {steps(edition, room, room) for room in rooms}
    for one, other in combinations(rooms, 2):
        assert steps(edition, one, other) == steps(edition, other, one) >= 4


def test_the_classic_steps_are_those_of_the_board() -> None:
    board = load_edition("clue-classic").board
    assert board is not None
    assert {
        "Kitchen": (0, 7, 20, 11, 17, 23, 19, 19, 28),
        "Ballroom": (7, 0, 4, 7, 6, 12, 15, 13, 17),
        "Conservatory": (20, 4, 0, 19, 7, 14, 27, 20, 20),
        "Dining Room": (11, 7, 19, 0, 14, 14, 4, 8, 17),
        "Billiard Room": (17, 6, 7, 14, 0, 4, 22, 15, 15),
        "Library": (23, 12, 14, 14, 4, 0, 14, 7, 7),
        "Lounge": (19, 15, 27, 4, 22, 14, 0, 8, 17),
        "Hall": (19, 13, 20, 8, 15, 7, 8, 0, 4),
        "Study": (28, 17, 20, 17, 15, 7, 17, 4, 0),
    } == board.steps


def test_with_orchid_the_study_is_further_and_the_conservatory_mostly_nearer() -> None:
    old, new = load_edition("clue-classic"), load_edition("clue-2015")
    assert 10 == steps(new, "Hall", "Study")
    assert 5 == steps(new, "Ballroom", "Conservatory")
    assert 6 == steps(new, "Billiard Room", "Conservatory")
    for one, other in combinations(sorted(deck(old, "room")), 2):
        if {one, other} in ({"Hall", "Study"}, {"Ballroom", "Conservatory"}):
            continue
        nearer = "Conservatory" in (one, other)
        assert steps(old, one, other) - nearer == steps(new, one, other)


def test_secret_passages_join_opposite_corners() -> None:
    for name in ("clue-1996", "clue-2015", "clue-classic", "cluedo-watson"):
        board = load_edition(name).board
        assert board is not None
        assert (("Kitchen", "Study"), ("Conservatory", "Lounge")) == board.passages


def test_the_steps_from_the_starting_squares_are_those_of_the_board() -> None:
    classic, orchid = load_edition("clue-classic").board, load_edition("clue-2015").board
    assert classic is not None
    assert orchid is not None
    assert {
        "Scarlett": (23, 19, 31, 10, 26, 18, 8, 12, 21),
        "Mustard": (23, 19, 31, 8, 26, 18, 8, 12, 21),
        "White": (13, 8, 25, 16, 22, 28, 24, 24, 33),
        "Green": (24, 8, 10, 23, 13, 19, 31, 24, 24),
        "Peacock": (23, 9, 7, 22, 10, 17, 30, 23, 23),
        "Plum": (32, 21, 24, 21, 19, 11, 21, 10, 8),
    } == {suspect: tuple(row.values()) for suspect, row in classic.start.items()}
    assert {
        "Scarlett": (23, 19, 30, 10, 26, 18, 8, 12, 21),
        "Mustard": (23, 19, 30, 8, 26, 18, 8, 12, 21),
        "Orchid": (13, 8, 24, 16, 22, 28, 24, 24, 33),
        "Green": (24, 8, 11, 23, 13, 19, 31, 24, 24),
        "Peacock": (22, 10, 7, 21, 9, 16, 29, 22, 22),
        "Plum": (32, 21, 23, 21, 19, 11, 21, 14, 8),
    } == {suspect: tuple(row.values()) for suspect, row in orchid.start.items()}
    rooms = load_edition("clue-classic").rooms
    assert {rooms} == {tuple(row) for row in (*classic.start.values(), *orchid.start.values())}


def test_the_custom_edition_is_played_with_one_die() -> None:
    dice = {}
    for name in SIX_SIX_NINE:
        board = load_edition(name).board
        assert board is not None
        dice[name] = board.dice
    assert {**dict.fromkeys(SIX_SIX_NINE, 2), "clue-custom": 1} == dice


def test_neither_diced_nor_master_detective_has_a_board() -> None:
    assert {None} == {load_edition(name).board for name in (*DICED, "master-detective")}


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
        assert set() == folded[0] & folded[1]


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
    assert name == edition.name
    assert edition.title
    assert edition.note.endswith(".")
    assert all(kind.plural for kind in edition.category)


# The template and files of one's own.


def test_the_template_explains_every_key() -> None:
    keys = {*Edition.__struct_fields__, "extends", "replace"} - {"name"}
    assert set() == {key for key in keys if not re.search(rf"^(#  +)?\[*{key}\b", template(), re.M)}


def test_the_template_is_an_edition_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(template(), "utf-8")
    assert load_edition("clue-custom").cards == load_edition("ours.toml", beside=tmp_path).cards


def test_the_short_file_at_the_end_of_the_template_is_an_edition() -> None:
    ending = template()[template().index("#     extends") :]
    lines = [line[6:] for line in ending.splitlines() if re.match("#     |#$", line)]
    edition = parse_edition("\n".join(lines), name="cat.toml")
    assert "Clue with the cat" == edition.title
    assert "White" not in edition.names
    assert "Cat" == edition.names[2]
    assert edition.board is not None
    assert 8 == edition.board.start["Cat"]["Ballroom"]
    assert set(edition.rooms) == set(edition.board.start["Cat"])


def test_a_room_that_is_replaced_keeps_its_place_on_the_board() -> None:
    text = 'extends = "clue-classic"\n[replace]\nKitchen = { name = "Pantry" }\n'
    edition = parse_edition(text, name="mine.toml")
    assert 28 == steps(edition, "Pantry", "Study")
    assert edition.board is not None
    assert ("Pantry", "Study") == edition.board.passages[0]


def test_own_categories_leave_the_board_of_the_extended_edition_behind() -> None:
    edition = parse_edition('extends = "clue-1996"\n' + WELL, name="mine.toml")
    assert edition.board is None
    assert "right" == edition.order


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b"\xef\xbb\xbf" + WELL.encode())
    assert "Small" == load_edition("mine.toml", beside=tmp_path).title


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


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        (f"title = 3\n{DECK}", "title", "expected text; found 3"),
        (DECK, "title", "expected text; found nothing"),
        (f'title = ""\n{DECK}', "title", "expected one line of text; found ''"),
        (f'titel = "T"\n{DECK}', "titel", "unknown key 'titel'; did you mean 'title'?"),
        (f"zebra = 6\n{WELL}", "zebra", "unknown key 'zebra'; expected one of title, note,"),
        (f'extend = "x"\n{WELL}', "extend", "unknown key 'extend'; did you mean 'extends'?"),
        (f"players = 4\n{WELL}", "players", "expected a list of 2; found 4"),
        (f"players = [4]\n{WELL}", "players", "expected a list of 2; found a list of 1"),
        (f'players = [2, "x"]\n{WELL}', "players[1]", "expected a whole number; found 'x'"),
        (f"players = [1, 6]\n{WELL}", "players", "from 2 to 10, the smaller first; found 1 and 6"),
        (f"players = [6, 2]\n{WELL}", "players", "from 2 to 10, the smaller first; found 6 and 2"),
        (f"players = [2, 11]\n{WELL}", "players", "the smaller first; found 2 and 11"),
        (f"players = [[[[[[2]]]]]]\n{WELL}", "players", "expected a list of 2; found a list of 1"),
        (f'order = "lft"\n{WELL}', "order", "expected one of left, right; found 'lft'; did you"),
        (f"order = true\n{WELL}", "order", "expected text; found true"),
        (f"bluff = 1\n{WELL}", "bluff", "expected true or false; found 1"),
        (f"suggests = true\n{WELL}", "suggests", "expected a whole number; found true"),
        (f"suggests = 1.5\n{WELL}", "suggests", "expected a whole number; found 1.5"),
        (f"suggests = 3\n{WELL}", "suggests", "expected 0 to 2, the number of categories; found 3"),
        (f"suggests = 1979-05-27\n{WELL}", "suggests", "found a date or a time"),
        (f"suggests = 0x{'f' * 5000}\n{WELL}", "suggests", "found a number with very many digits"),
        (f'observes = ["peek"]\n{WELL}', "observes[0]", "found 'peek'; did you mean 'peeks'?"),
        (f"dice = {{ eye = 2 }}\n{WELL}", "dice.eye", "expected text; found 2"),
        (f'aliases = {{ Plum = ["P"] }}\n{WELL}', "aliases.Plum", "unknown feature 'Plum'"),
        ('title = "T"', "category", "expected a list; found nothing"),
        ('title = "T"\n[category]\nname = "x"', "category", "expected a list; found a table"),
        ('title = "T"\ncategory = []', "category", "expected 1 to 6 categories; found 0"),
        ('title = "T"\ncategory = [3]', "category[0]", "expected a table; found 3"),
        (f"{WELL}[[category]]\nname = 'x'", "category[2].cards", "expected a list; found nothing"),
        (f"{WELL}[[category]]\ncards = []", "category[2].name", "expected text; found nothing"),
        (cards(""), "category[0].cards", "expected at least one card; found none"),
        (WELL.replace("room", "Suspect"), "category[1].name", "is already at category[0].name"),
        (cards("'Hall'"), "category[0].cards[0]", "expected a table; found 'Hall'"),
        (cards("{ nam = 'A' }"), "category[0].cards[0].nam", "did you mean 'name'?"),
        (cards("{ title = 'A' }"), "category[0].cards[0].name", "expected text; found nothing"),
        (cards("{ name = 'A', aliases = 'B' }"), "category[0].cards[0].aliases", "found 'B'"),
        (
            cards("{ name = '' }"),
            "category[0].cards[0].name",
            "a letter or a digit in it; found ''",
        ),
        (cards("{ name = '?' }"), "category[0].cards[0].name", "found '?'"),
        (cards("{ name = 'A, B' }"), "category[0].cards[0].name", "found 'A, B'"),
        (cards("{ name = 'A  B' }"), "category[0].cards[0].name", "one space between"),
        (cards("{ name = 'Envelope' }"), "category[0].cards[0].name", "no word of the notation"),
        (cards(r"""{ name = "A\u001b" }"""), "category[0].cards[0].name", r"found 'A\x1b'"),
        (
            cards("{ name = 'Hall' }, { name = 'HALL' }"),
            "category[0].cards[1].name",
            "'HALL' is already at category[0].cards[0].name",
        ),
        (
            cards("{ name = 'Hall' }, { name = 'Study', aliases = ['Den', 'hall'] }"),
            "category[0].cards[1].aliases[1]",
            "'hall' already means 'Hall'",
        ),
        (
            cards("{ name = 'Hall', title = 'The Den' }, { name = 'B', aliases = ['the-den'] }"),
            "category[0].cards[1].aliases[0]",
            "'the-den' already means 'Hall'",
        ),
        (
            cards("{ name = 'Plum' }, { name = 'Brawn Plum', feature = 'plum' }"),
            "category[0].cards[1].feature",
            "'plum' is the card at category[0].cards[0].name already",
        ),
        (
            cards(", ".join(f"{{ name = 'Card {k}' }}" for k in range(41))),
            "category",
            "expected at most 40 cards; found 41",
        ),
        (
            'title = "T"\n'
            + "".join(
                f"[[category]]\nname = 'k{k}'\ncards = [{{ name = 'c{k}' }}]\n" for k in range(7)
            ),
            "category",
            "expected 1 to 6 categories; found 7",
        ),
    ],
)
def test_a_mistake_is_named_by_its_key(text: str, key: str, message: str) -> None:
    error = refusal(text)
    assert ("mine.toml", key) == (error.path, error.key)
    assert str(error).startswith(f"mine.toml: {key}: ")
    assert message in str(error)


@pytest.mark.parametrize(
    ("board", "key", "message"),
    [
        ("dice = 5", "dice", "expected 1 to 4 dice; found 5"),
        ("die = 1", "die", "unknown key 'die'; did you mean 'dice'?"),
        ('passages = [["Hall", "Stdy"]]', "passages[0][1]", "'Stdy'; did you mean 'Study'?"),
        ('passages = [["Hall", "Hall"]]', "passages[0]", "expected two rooms; found 'Hall' twice"),
        ('passages = [["Hall"]]', "passages[0]", "expected a list of 2; found a list of 1"),
        ("steps = { Plum = [0, 4] }", "steps.Plum", "unknown room 'Plum'"),
        ("steps = { Hall = [0] }", "steps.Hall", "expected 2 numbers, one for each room; found 1"),
        ("steps = { Hall = [0, -4] }", "steps.Hall[1]", "expected 0 to 1000 steps; found -4"),
        ("steps = { Hall = [0, 4] }", "steps.Study", "expected 2 numbers; found nothing"),
        ("start = { Plm = { Hall = 8 } }", "start.Plm", "did you mean 'Plum'?"),
        ("start = { Plum = { Green = 8 } }", "start.Plum.Green", "unknown room 'Green'"),
        ("start = { Plum = { Hall = 0 } }", "start.Plum.Hall", "expected 1 to 1000 steps; found 0"),
    ],
)
def test_a_mistake_on_the_board_is_named_by_its_key(board: str, key: str, message: str) -> None:
    error = refusal(f"{WELL}[board]\n{board}\n")
    assert f"board.{key}" == error.key
    assert message in str(error)


def test_a_board_needs_rooms() -> None:
    error = refusal(WELL.replace("room", "place") + "[board]\n")
    assert "mine.toml: board: expected a category called 'room' as well; found none" == str(error)


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        ('extends = "clue"', "extends", "clue-classic, clue-custom"),
        ("extends = ['clue-classic']", "extends", "found a list of 1"),
        ('title = "T"\nreplace = {}', "replace", "expected 'extends' as well"),
        ('extends = "clue-classic"\nreplace = 3', "replace", "expected a table of cards; found 3"),
        ('extends = "clue-classic"\n[replace]\nWite = {}', "replace.Wite", "did you mean 'White'?"),
        ('extends = "clue-classic"\n[replace]\nWhite = 3', "replace.White", "expected a table"),
        (
            'extends = "clue-classic"\n[replace]\n"Lead Pipe" = { title = "Lead" }',
            'replace."Lead Pipe".name',
            "expected text; found nothing",
        ),
        (
            'extends = "clue-classic"\n[replace]\nWhite = { name = "Plum" }',
            "replace.White.name",
            "'Plum' is already at category[0].cards[5].name",
        ),
        (
            'extends = "clue-classic"\n[replace]\nWhite = { name = "Cat", aliases = ["Pipe"] }',
            "replace.White.aliases[0]",
            "'Pipe' already means 'Lead Pipe'",
        ),
        (
            f'extends = "clue-classic"\n{WELL}[replace]\nPlum = {{ name = "Cat" }}',
            "replace",
            "expected no card replaced where the file lists its categories",
        ),
    ],
)
def test_a_mistake_in_extending_is_named_by_its_key(text: str, key: str, message: str) -> None:
    error = refusal(text)
    assert key == error.key
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
    assert "" == error.key
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
    assert f"noise.toml: {message}" == str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("clue-clasic", "is called 'clue-clasic'; did you mean 'clue-classic'?"),
        ("Clue-Classic", "did you mean 'clue-classic'?"),
        ("missing.toml", "no edition and no file is called 'missing.toml'"),
        ("", "no edition and no file is called ''; expected one of clue-1996, "),
        (".", "expected an edition file; found a folder"),
        ("a\0b", "cannot read the edition file"),
        ("a" * 5000, "cannot read the edition file"),
        ("\x1b[31m", r"is called '\x1b[31m'"),
    ],
)
def test_an_edition_that_is_not_there_is_refused(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(EditionError) as caught:
        load_edition(name, beside=tmp_path)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()
    assert name == caught.value.path


@pytest.mark.parametrize(
    "text",
    [f"players = {bad}\n{WELL}" for bad in ("nan", "[]", "{}", "'x'", "true", "[2, []]")],
)
def test_no_message_speaks_the_language_of_the_program(text: str) -> None:
    assert not re.search(r"\$|object|array|\bint\b|\bstr\b|`|\[\.\.\.\]", str(refusal(text)))
