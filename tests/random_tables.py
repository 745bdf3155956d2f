"""
Random tables of every shape, with logs of every kind, true and contradictory.

Editions of one's own have 1 to 6 categories and up to 40 cards, with or without features, dice and
a board, and every setting that an edition file may have; shipped editions come as they are or a
little changed. A table has 2 to 10 seats, cards face-up and face-down, sizes recorded, recorded in
part or not at all. What is observed at it is drawn by `tests.strategies.Play`: all from one deal
(a true log), some entries from another deal (slips), or each from a deal of its own (noise).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from random import Random
from string import ascii_letters
from typing import Any, NamedTuple, TypeVar

from clue_solver.errors import ClueError
from clue_solver.record import Record
from clue_solver.rules.edition import MOST_CARDS, Edition
from clue_solver.rules.edition_files import load_edition, parse_edition, shipped_editions
from clue_solver.rules.observations import Accusation, Hand
from clue_solver.rules.table import SHOWS, Slot, Table
from tests import strategies
from tests.strategies import Deal, Play, hand_sizes

SEATS = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jim")
CATEGORIES = ("suspect", "weapon", "room", "motive", "hour", "pet")
WORDS = (
    *("Amber", "Birch", "Cobalt", "Dove", "Ember", "Fern", "Ginger", "Hazel", "Indigo", "Jade"),
    *("Kite", "Lilac", "Maple", "Night", "Olive", "Pearl", "Quartz", "Russet", "Sable", "Teal"),
    *("Umber", "Violet", "Willow", "Xenon", "Yarrow", "Zinc", "Acorn", "Beryl", "Clover", "Dune"),
    *("Elm", "Flint", "Gold", "Heath", "Iris", "Jet", "Khaki", "Lead", "Mint", "Onyx"),
)
MARKS = ("Red", "Blue", "Green", "Black", "White", "Grey", "Pink")
EDITION_FILE = "edition.toml"
"""Where the text of an edition that is not shipped is to be written, beside the record."""

T = TypeVar("T")


class Fuzzed(NamedTuple):
    """
    A random record.

    Attributes:
        record: The table and the log.
        edition: The text of its edition's file; `None` for a shipped edition.
        kind: Whether the log is `true`, or has `slips`, or is `noise`.
        solution: What the envelope holds where the log is true.
    """

    record: Record
    edition: str | None
    kind: str
    solution: tuple[str, ...]


class Lots:
    """The choices of a seeded generator."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def one(self, things: Sequence[T]) -> T:
        """Choose one of the things."""
        return self.random.choice(things)

    def some(self, things: Sequence[T], *, least: int = 1, most: int) -> tuple[T, ...]:
        """Choose different things, in any order."""
        count = self.random.randint(min(least, len(things)), min(most, len(things)))
        return tuple(self.random.sample(things, count))

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return all things in any order."""
        return self.random.sample(things, len(things))


def fuzzed(seed: int, number: int) -> Fuzzed:
    """Return a random record; the same seed and number give the same one."""
    random = Random(f"{seed} {number}")
    while True:
        try:
            edition, text = _edition(random)
            table = _table(random, edition)
        except ClueError:  # a table that cannot be: too few cards for it
            continue
        return Fuzzed(*_log(random, table, text))


def toml(value: Any) -> str:
    """
    Return a value as TOML writes it.

    >>> toml({"a": [1, True, "x"]})
    '{"a" = [1, true, "x"]}'
    """
    if isinstance(value, Mapping):
        inside = ", ".join(f"{json.dumps(key)} = {toml(each)}" for key, each in value.items())
        return "{" + inside + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _edition(random: Random) -> tuple[Edition, str | None]:
    """Return a shipped edition, one that extends it, or one of a random deck; and its text."""
    origin = random.choice(("shipped", "extends", "own", "own"))
    shipped = random.choice(shipped_editions())
    if origin == "shipped":
        return load_edition(shipped), None
    keys: dict[str, Any] = {"title": "Random", **_settings(random)}
    if origin == "extends":
        keys = {"extends": shipped, **keys, "suggests": random.choice((0, 0, 1, 2))}
    else:
        keys |= _deck(random)
    text = "".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in keys.items())
    return parse_edition(text, name=EDITION_FILE), text


def _settings(random: Random) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "order": random.choice(("left", "right")),
        "answers": random.choice(("first", "first", "all")),
        "looker_tells": random.random() < 0.5,
        "players": [2, random.randint(2, 10)],
    }
    every = ("suggests", "asks", "looks", "peeks", "reveals", "nobody", "accuses", "holds", "knows")
    settings["observes"] = every if random.random() < 0.7 else random.sample(every, 4)
    if random.random() < 0.3:
        settings["dice"] = {"eye": "look into the notch", "glass": "a card drawn from a hand"}
    return {key: value for key, value in settings.items() if random.random() < 0.8}


def _deck(random: Random) -> dict[str, Any]:
    """Return the categories, and what hangs on them."""
    kinds = random.sample(CATEGORIES, random.randint(1, len(CATEGORIES)))
    most = random.choice((8, 12, 16, 21, 30, MOST_CARDS, MOST_CARDS))
    sizes = [1] * len(kinds)
    for _ in range(random.randint(3, max(most - len(kinds), 3))):
        sizes[random.randrange(len(kinds))] += 1
    words, featured = random.sample(WORDS, len(WORDS)), random.choice((0.0, 0.0, 0.5, 1.0))
    categories: list[dict[str, Any]] = []
    for kind, size in zip(kinds, sizes, strict=True):
        cards = []
        for _ in range(size):
            card = {"name": f"{kind.title()} {words.pop()}"}
            if random.random() < featured:
                card["feature"] = random.choice(MARKS)
            cards.append(card)
        categories.append({"name": kind, "cards": cards})
    keys: dict[str, Any] = {"category": categories}
    keys["suggests"] = random.choice((0, 0, 0, random.randint(0, len(kinds))))
    if "room" in kinds and random.random() < 0.7:
        rooms = [card["name"] for card in categories[kinds.index("room")]["cards"]]
        squares = "".join(f"{letter}." for letter in ascii_letters[: len(rooms)])[:60]
        letters = dict(zip(ascii_letters, rooms, strict=False))
        keys["board"] = {"dice": random.randint(1, 4), "stay": True, "squares": squares}
        keys["board"]["letters"] = letters
    return keys


def _table(random: Random, edition: Edition) -> Table:
    seats = tuple(random.sample(SEATS, random.randint(2, len(SEATS))))
    names = list(edition.names)
    spare = [card.name for kind in edition.category for card in kind.cards[1:]]
    count = random.choice((0, 0, 0, 1, 2, random.randint(0, len(spare))))
    face_up = tuple(random.sample(spare, min(count, len(spare))))
    free = len(names) - len(face_up) - len(edition.category)
    slots = []
    places = random.sample(("Pool", "Well", "Attic", random.choice(names)), 4)
    for place in places[: random.choice((0, 0, 0, 1, 2, 3))]:
        count = random.choice((1, 1, 2, 3, random.randint(1, 12)))
        if count <= free:
            slots.append(Slot(name=place, count=count))
            free -= count
    return Table(
        edition=edition,
        seats=seats,
        hands=hand_sizes(Lots(random), seats, free),
        viewer=random.choice((random.choice(seats), random.choice(seats), None)),
        face_up=face_up,
        slots=tuple(slots),
        order=random.choice((None, None, "left", "right")),
        answers=random.choice((None, None, None, "first", "all")),
        shows=random.choice((None, *SHOWS)),
    )


def deal(random: Random, table: Table) -> Deal:
    """Return a random deal of the table; every way to hand out unknown sizes may come."""
    bounds = table.size_bounds()
    sizes = [least for least, _ in bounds]
    more = [place for place, (least, most) in enumerate(bounds) for _ in range(most - least)]
    for place in random.sample(more, table.dealt - sum(sizes)):
        sizes[place] += 1
    return strategies.deal(Lots(random), table, sizes)


def _log(
    random: Random, table: Table, text: str | None
) -> tuple[Record, str | None, str, tuple[str, ...]]:
    kind = random.choice(("true", "true", "true", "slips", "noise"))
    longest = random.choice((5, 15, 30, 30, 30, 200))
    length = random.randint(0, longest)
    wrong = {"true": 0.0, "slips": 2 / max(length, 2), "noise": 1.0}[kind]
    lots, truth = Lots(random), deal(random, table)
    play = Play(lots, table, truth)
    record, solution = Record(table=table), play.solution
    for seat in table.seats:
        if play.hand(seat) and random.random() < (0.8 if seat == table.viewer else 0.1):
            record = record.append(Hand(seat=seat, cards=play.hand(seat)))
    common = random.choice((play.suggestion, random.choice(play.kinds())))
    often = random.choice((0.0, 0.5, 0.9))
    for _ in range(length):
        slipped = random.random() < wrong
        play.deal = deal(random, table) if slipped else truth
        drawn = (common if random.random() < often else random.choice(play.kinds()))()
        play.notch = None if slipped else play.notch
        if drawn is not None:
            record = record.append(drawn)
    if kind == "true" and random.random() < 0.3:
        right = Accusation(by=random.choice(table.seats), cards=solution, right=True)
        record = record.append(right)
    return record, text, kind, solution
