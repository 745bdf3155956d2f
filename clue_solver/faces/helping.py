"""How a line is typed, by examples of the edition that is played."""

from collections.abc import Iterator

from clue_solver.notation import TurnState, lexicon_of
from clue_solver.notation.places import Places
from clue_solver.rules.observations import kinds
from clue_solver.rules.table import Table

_EXAMPLES = (
    ("Suggestion", "{b} {cards}: {c}", "{B} suggests, {C} shows a card"),
    ("Suggestion", "{a} {cards}: {c} {card}", "{C} shows {A} this one"),
    ("Suggestion", "{b} {cards}: no", "nobody shows one"),
    ("Roll", "{a} rolls {roll}", "the dice"),
    ("Move", "{a} moves to {room}", "where a piece goes"),
    ("Finger", "{b} points at {cards}: {c}", "the finger, and who has one of them"),
    ("Peek", "{a} peeks: {suspect}", "the notch of the envelope"),
    ("Question", "{a} asks {b} about {suspect}: no", "the question"),
    ("Draw", "{b} draws passage", "a clue card"),
    ("Skip", "{b} skips", "a turn without a suggestion"),
    ("Accusation", "{b} accuses {all}: wrong", "or right"),
    ("Hand", "{a} holds {all} ...", "your hand"),
    ("Suggestion", "{b} {cards}: ?", "the answers were not heard"),
    ("Suggestion", "{b} {cards}; {c} nope", "no, nope, pass; and ; and > are :"),
    ("Suggestion", "me {cards}: {c} shows ?", "left out on purpose; me and i are {A}"),
    ("Look", "{a} looks at {b}: {card}", "a card that somebody lets you see"),
    ("Reveal", "{c} reveals {card} to {b}", "or to all: {C} reveals {card}"),
    ("Nobody", "nobody reveals {card}", "no player has it"),
    ("Knowing", "{c} has {card}", "what you know besides; or lacks"),
    ("Stay", "{b} stays", "in the room"),
    ("Leave", "{b} leaves", "nobody asks {B} any more"),
)
"""What happens, how that is typed, and what it says; the likeliest first."""


def forms(table: Table) -> Iterator[tuple[str, str]]:
    """
    Yield lines as they may be typed at a table, each with what it says.

    >>> from clue_solver import load
    >>> next(forms(load("examples/classic.clue").table))
    ('ben sca kni con: dan', 'Ben suggests, Dan shows a card')
    """
    edition = table.edition
    places = Places(table, TurnState())
    offered = {kind.__name__ for kind in kinds() if places.offered(kind.form)}
    own = table.viewer or table.seats[0]
    at = table.seats.index(own)
    around = [*table.seats[at:], *table.seats[:at]]
    cards = [
        kind.cards[number % len(kind.cards)].name for number, kind in enumerate(edition.category)
    ]
    die = [*edition.features][: edition.suspect_dice]
    short = [_short(card, table) for card in cards]
    between = ", " if any(" " in card for card in short) else " "
    said = {
        "a": around[0].casefold(),
        "A": "you" if table.viewer else around[0],
        "b": around[1].casefold(),
        "B": around[1],
        "c": around[-1].casefold(),
        "C": around[-1],
        "cards": between.join(short[: edition.named]),
        "all": between.join(short),
        "card": short[0],
        "room": _short(edition.rooms[0], table) if edition.rooms else "",
        "roll": " ".join((*die, *[*edition.bonus][:1])).casefold() if die else "7",
        "suspect": [*edition.features, ""][0].casefold(),
    }
    for kind, line, meaning in _EXAMPLES:
        if kind in offered:
            yield line.format(**said), meaning.format(**said)


def _short(card: str, table: Table) -> str:
    """Return how little of a card's name is enough: three letters of it, or more."""
    begun = (card[:length].casefold() for length in range(3, len(card.split(maxsplit=1)[0]) + 1))
    cards = lexicon_of(table).cards
    return next((short for short in begun if len(cards.readings(short)) == 1), card.casefold())
