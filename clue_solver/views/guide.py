"""The hints of the first minute: what to type next, with the names of this table."""

from typing import Literal

from clue_solver.notation import lexicon_of
from clue_solver.notation.names import Names
from clue_solver.rules.table import Table

Hint = Literal["hand", "ask", "answer", "sheet", "undo", "end"]
"""What the person has not done yet: they come in this order."""

_HINTS: dict[Hint, str] = {
    "hand": "First your own cards, in short: '{hand} ...', then Enter.",
    "ask": "Type who asks, and the cards: '{line}', then Enter.",
    "answer": "Who showed a card? A name, or - for nobody. All in one it is '{line}: {shows}'.",
    "sheet": "It is on the sheet: ✓ has the card, · cannot have it, 34: a chance of 34 %. "
    "Now the next one: '{line}: -'.",
    "undo": "A slip? Ctrl+Z takes the last one back and gives you its line.",
    "end": "That is all you need. The rest is behind F1.",
}


def hint_text(hint: Hint, table: Table, asks: str, line: str = "") -> str:
    """
    Return a hint.

    Args:
        hint: Which.
        table: The table, whose names stand in it.
        asks: Who may ask next, or asks in the line.
        line: What was typed, where an answer is lacking in it.
    """
    cards = lexicon_of(table).cards
    kinds = enumerate(table.edition.category, 1)
    named = [kind.cards[-number].name for number, kind in kinds]  # of different colours
    short = [_short(card, cards) for card in named]
    return _HINTS[hint].format(
        hand=" ".join(short),
        line=line or " ".join((asks.lower(), *short[: table.edition.suggests or None])),
        shows=[each for each in table.answering(asks) if each != table.viewer][-1].lower(),
    )


def _short(name: str, names: Names) -> str:
    """
    Return the shortest beginning of a name that only it has, three letters or more.

    >>> _short("Lead Pipe", Names("card", ("Lead Pipe", "Library", "Lounge")))
    'lea'
    """
    typed = name.lower()
    sizes = range(3, len(typed) + 1)
    return next((typed[:n] for n in sizes if names.readings(typed[:n].strip()) == (name,)), typed)
