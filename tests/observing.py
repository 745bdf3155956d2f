"""Tables and records to test with, and Hypothesis strategies for odder ones."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from clue_solver.errors import NotationError, RecordError
from clue_solver.notation import lexicon_of, normalise
from clue_solver.record import Entry, HeaderLine, Record, parse_record
from clue_solver.record.header import KEYS
from clue_solver.rules import observations as observed
from clue_solver.rules.edition import Answering, Edition, Side
from clue_solver.rules.edition_files import load_edition, parse_edition
from clue_solver.rules.observations import Answer, Hand, Observation, Reply, Suggestion
from clue_solver.rules.table import Slot, Table

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
    """The error with which a text is refused as a record."""
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
KINDS = (
    *("hand", "suggest", "ask", "look", "peek", "reveal", "nobody", "accuse", "know"),
    *("skip", "leave", "roll", "draw", "move", "stay", "point"),
)
SIDES: tuple[Side | None, ...] = (None, "left", "right")
ANSWERING: tuple[Answering | None, ...] = (None, "first", "all")
REPLIES: tuple[Reply, ...] = ("unheard", "passes", "shows")
RESERVED = {"envelope", "table", "spectator", "nobody"}
COUNTED = re.compile(r"(^|\s)[-+]?[0-9]+([.][0-9]*)?$")
"""What a record takes for the number of cards that lie face-down, not for their place's name."""


@st.composite
def tables(draw: st.DrawFn, *, shipped: bool = False) -> Table:
    """Tables with odd names; their editions all `shipped`, or also one of a file."""
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
def answer_lists(
    draw: st.DrawFn, table: Table, by: str, named: tuple[str, ...]
) -> tuple[Answer, ...]:
    """Answers to a suggestion of the named cards, as the table gives them."""
    heard: list[Answer] = []
    most = {"first": 1, "all": 9}[table.rule_of_answering]
    for seat in table.answering(by):
        reply = draw(st.sampled_from(REPLIES))
        card = draw(st.none() | st.sampled_from(named)) if reply == "shows" else None
        heard.append(Answer(seat=seat, answer=reply, card=card))
        most -= reply == "shows"
        if not most:
            break
    return tuple(draw(st.permutations(heard)))


@st.composite
def moves(draw: st.DrawFn, table: Table, by: str, kind: str) -> Observation:
    """What is done with dice, clue cards and pieces; nothing of it tells of the cards."""
    if kind == "roll":
        faces = [*table.edition.features, *table.edition.faces]
        total = draw(st.integers(1, 24))
        if table.edition.clues and total % 2:
            icons = draw(st.sampled_from((("glass",), ("glass", "glass"))))
            return observed.Roll(by=by, total=total, icons=icons)
        if not table.edition.features or total % 2:
            return observed.Roll(by=by, total=total)
        dice = st.lists(st.sampled_from(faces), min_size=1, max_size=6)
        return observed.Roll(by=by, dice=tuple(draw(dice)))
    if kind == "draw":
        assume(table.clues)
        return observed.Draw(by=by, kind=draw(st.sampled_from(table.clues)))
    if kind in ("skip", "leave"):
        return observed.Skip(by=by) if kind == "skip" else observed.Leave(by=by)
    assume(table.edition.rooms)
    if kind == "stay":
        return observed.Stay(by=by)
    squares = lexicon_of(table).squares.names[::40]
    return observed.Move(by=by, to=draw(st.sampled_from((*table.edition.rooms, *squares))))


@st.composite
def observations(draw: st.DrawFn, table: Table) -> Observation:
    """Anything that can be observed at the table, in canonical form."""
    cards = st.sampled_from(table.cards)
    seen = st.none() | cards
    some = st.lists(cards, min_size=1, max_size=4, unique=True).map(tuple)
    by = draw(st.sampled_from(table.seats))
    others = [seat for seat in table.seats if seat != by]
    other = st.sampled_from(others)
    slots = [slot.name for slot in table.slots]
    kind = draw(st.sampled_from(KINDS))
    if kind == "hand":
        least, most = table.size_bounds()[table.seats.index(by)]
        assume(most > 0)
        size = draw(st.integers(max(least, 1), most))
        whole = draw(st.permutations(table.cards))[:size]
        return Hand(seat=by, cards=tuple(whole))
    if kind in ("skip", "leave", "roll", "draw", "move", "stay"):
        return draw(moves(table, by, kind))
    if kind in ("suggest", "accuse", "point"):
        count = table.edition.named if kind == "suggest" else len(table.edition.category)
        kinds = draw(st.permutations(table.edition.category))[:count]
        named = tuple(draw(st.sampled_from(kind.cards)).name for kind in kinds)
        if kind == "accuse":
            return observed.Accusation(by=by, cards=named, right=draw(st.booleans()))
        replies = draw(answer_lists(table, by, named))
        if kind == "point":
            return normalise(observed.Finger(by=by, cards=named, answers=replies), table)
        return normalise(Suggestion(by=by, cards=named, answers=replies), table)
    if kind == "ask":
        features = table.edition.features
        things = st.sampled_from([*features, *table.cards])
        about = tuple(draw(st.lists(things, min_size=1, max_size=3, unique=True)))
        asked = [card for thing in about for card in features.get(thing, (thing,))]
        reply = draw(st.sampled_from(REPLIES))
        card = draw(st.none() | st.sampled_from(asked)) if reply == "shows" else None
        return observed.Question(by=by, seat=draw(other), about=about, answer=reply, card=card)
    if kind == "look":
        return observed.Look(by=by, holder=draw(st.sampled_from(others + slots)), card=draw(seen))
    if kind == "peek":
        features = table.edition.features
        assume(features)
        return observed.Peek(by=by, feature=draw(st.none() | st.sampled_from(list(features))))
    if kind == "reveal":
        to = draw(st.none() | other)
        return observed.Reveal(seat=by, card=draw(cards if to is None else seen), to=to)
    if kind == "nobody":
        return observed.Nobody(card=draw(cards))
    holder = draw(st.sampled_from([*table.seats, *slots, "envelope"]))
    if draw(st.booleans()):
        return observed.Knowing(by=by, holder=holder, has=draw(some))
    return observed.Knowing(by=by, holder=holder, lacks=draw(some))


remark = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n\0"), max_size=12
).map(str.rstrip)
above = st.lists(st.just("") | remark.map(lambda text: f"# {text}".rstrip()), max_size=2).map(tuple)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A record with comments everywhere, its header in any order."""
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
