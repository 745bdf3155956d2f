"""Tables and records to test with, and Hypothesis strategies for odder ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver.errors import NotationError, RecordError
from clue_solver.notation.checks import normalise
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.record.contents import Entry, HeaderLine, Record
from clue_solver.record.files import parse_record
from clue_solver.record.header import KEYS
from clue_solver.rules import observations as observed
from clue_solver.rules.edition import Answering, Edition, Side
from clue_solver.rules.edition_files import load_edition, parse_edition
from clue_solver.rules.observations import Hand, Observation, Suggestion
from clue_solver.rules.table import Slot, Table
from tests.strategies import Drawn, Play, deals

SEATS = ("Ann", "Ben", "Cat", "Dan")
CLUE = Table(edition=load_edition("clue-classic"), seats=SEATS, viewer="Ann", hands=(5, 5, 4, 4))
EVERYONE = Table(edition=load_edition("clue-classic"), seats=SEATS, answers="all")
DICED = Table(edition=load_edition("clue-diced"), seats=SEATS)
MASTER = Table(edition=load_edition("clue-diced-master"), seats=SEATS)
ORCHID = Table(edition=load_edition("clue-2015"), seats=SEATS)
ROOMS = Table(
    edition=load_edition("clue-2015"),
    seats=("Plum", "Green"),
    face_up=("Rope",),
    slots=(Slot(name="Ballroom"), Slot(name="Kitchen"), Slot(name="Pool", count=3)),
)


PAGE = """\
# Friday night
edition: clue-2015
players: Ann, Ben, Cat, Dan
hands: 3, 2, 3, ?
viewer: Ann
face-up: Orchid, Rope
face-down: Ballroom, Kitchen, Pool 3
order: right
answers: all
shows: sticky
"""
SHORT = "edition: clue-classic\nplayers: Ann, Ben, Cat\n"
GAME = f"""\
# Friday night

{SHORT.strip()}  # Cat came late
# the first hour

Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard  # he blushed

  # an indented remark
Ben suggests Scarlett, Rope, Hall: nobody shows
# the end

"""


def refusal(text: str) -> RecordError:
    """Return the error with which a text is refused as a record."""
    with pytest.raises(RecordError) as caught:
        parse_record(text, path="game.clue")
    return caught.value


def one_category() -> Edition:
    text = 'title = "One"\n[[category]]\nname = "room"\ncards = [\n'
    names = "".join(f'{{ name = "{name}" }},' for name in ("Do or Die", "Or", "To", "Hall", "Has"))
    return parse_edition(f"{text}{names}]", name="one.toml")


ODD = (
    *("[bold]x", "[31mred", "or", "to", "at", "about", "has", "lacks", "shows", "passes"),
    *("Ann suggests", "Professor Plum", "José", "王芳", "?", "-", ">", "a>b", "Mary Ann", "p"),
    *("The", "knows", "asks", "🎲", "Ann looks at", "Hall", "nobody shows", "!!", "x" * 300),
)
names = st.sampled_from(ODD) | st.text(
    st.characters(exclude_categories=["C", "Z"], include_characters=" ", exclude_characters=",:#"),
    min_size=1,
    max_size=9,
).map(lambda text: " ".join(text.split()))
EDITIONS = [
    *(load_edition(name) for name in ("clue-classic", "clue-2015", "clue-diced")),
    *(load_edition(name) for name in ("clue-diced-master", "master-detective")),
    one_category(),
]
SIDES: tuple[Side | None, ...] = (None, "left", "right")
ANSWERING: tuple[Answering | None, ...] = (None, "first", "all")
RESERVED = {"envelope", "table", "spectator", "nobody"}
COUNTED = re.compile(r"(^|\s)[-+]?[0-9]+([.][0-9]*)?$")
"""The end of a place's name that a record would take for the number of its face-down cards."""


@st.composite
def tables(draw: st.DrawFn, *, shipped: bool = False) -> Table:
    """Draw a table with odd names; if `shipped`, its edition comes with the program."""
    unique = st.lists(names, min_size=2, max_size=5, unique_by=str.casefold)
    drawn = draw(unique.filter(lambda all: "" not in all))
    assume(not RESERVED & {name.casefold() for name in drawn})
    edition = draw(st.sampled_from(EDITIONS[: -1 if shipped else None]))
    split = draw(st.integers(2, len(drawn)))
    spare = len(edition.names) - len(edition.category) - 2 * split
    slots = [name for name in drawn[split:] if not COUNTED.search(name)][: max(spare, 0)]
    order: Side | None = draw(st.sampled_from(SIDES))
    answers: Answering | None = draw(st.sampled_from(ANSWERING))
    return Table(
        edition=edition,
        seats=tuple(drawn[:split]),
        slots=tuple(Slot(name=name) for name in slots),
        order=order,
        answers=answers,
    )


@st.composite
def observations(draw: st.DrawFn, table: Table) -> Observation:
    """Draw any observation at a table, in canonical form, with its cards in any order."""
    play = Play(Drawn(draw), table, draw(deals(table)))
    by = play.one(table.seats)
    places = (*table.edition.rooms, *lexicon_of(table).squares.names[::40])
    ways: list[Callable[[], Observation | None]] = [
        *play.kinds(),
        lambda: roll(play, by),
        lambda: Hand(seat=by, cards=play.hand(by)) if play.hand(by) else None,
        lambda: observed.Move(by=by, to=play.one(places)) if places else None,
        lambda: observed.Accusation(by=by, cards=play.solution, right=True),
    ]
    observation = play.one(ways)()
    assume(observation is not None)
    assert observation is not None
    if isinstance(observation, Suggestion | observed.Finger | observed.Accusation | Hand):
        cards = play.choices.shuffled(observation.cards)
        observation = replace(observation, cards=tuple(cards))
    return normalise(observation, table)


def roll(play: Play, by: str) -> observed.Roll:
    """Draw a roll: a number, perhaps with icons, or the faces of dice."""
    edition, total = play.table.edition, play.one(range(1, 25))
    if edition.clues and total % 2:
        icons = play.one((("glass",), ("glass", "glass")))
        return observed.Roll(by=by, total=total, icons=icons)
    if not edition.features or total % 2:
        return observed.Roll(by=by, total=total)
    faces = (*edition.features, *edition.faces)
    return observed.Roll(by=by, dice=tuple(play.one(faces) for _ in range(play.one(range(1, 7)))))


remark = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n\0"), max_size=12
).map(str.rstrip)
above = st.lists(st.just("") | remark.map(lambda text: f"# {text}".rstrip()), max_size=2).map(tuple)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Draw a record with comments everywhere and its header in any order."""
    table = draw(tables(shipped=True))
    record = Record(table=table)
    for _ in range(draw(st.integers(0, 4))):
        observation = draw(observations(table))
        if not isinstance(observation, Hand):
            with suppress(NotationError):  # who has left answers no more
                record = record.append(observation)
    entries = tuple(
        Entry(observation=observation, comment=draw(remark), before=draw(above))
        for observation in record.observations
    )
    given = {"edition", "players"} | {
        key
        for key, value in {
            "face-down": table.slots,
            "order": table.order,
            "answers": table.answers,
            "viewer": draw(st.booleans()),
        }.items()
        if value
    }
    keys = draw(st.permutations([key for key in KEYS if key in given]))
    header = tuple(HeaderLine(key=key, comment=draw(remark), before=draw(above)) for key in keys)
    return Record(table=table, header=header, entries=entries, after=draw(above))
