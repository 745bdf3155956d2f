"""
A user's own deck: three pasted lists of names become an edition's file.

The edition has no board and no rules of its own: every key left out has its default.
"""

import json
import re
from collections.abc import Iterator

from clue_solver.errors import EditionError, counted, listed, plural
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import parse_edition

_LEAST = 2
"""The fewest names in a pasted list; a single card would be certain to be in the envelope."""

_MARK = re.compile(r"^(?:[-*\u2022\xb7\u2013\u2610\u25a1]|\d{1,2}[.)])\s*")
"""The marks before a name in a list, such as bullets."""

_TWO = re.compile(r"\S\s*[/&+]\s*\S|\s(?:and|or)\s", re.IGNORECASE)
"""The signs and words that suggest two names on one line."""


def pasted_deck(title: str, suspects: str, weapons: str, rooms: str) -> str:
    """
    Return the text of a deck's edition file, which `parse_edition` reads.

    Args:
        title: The name of the deck.
        suspects, weapons, rooms: Lists of names, one name a line or separated by commas.

    Raises:
        EditionError: If a list is too short, or a name occurs twice or is not allowed.

    >>> text = pasted_deck("Ours", "Ida, Leo", "Spoon, Fork", "Kitchen, Shed, Attic")
    >>> parse_edition(text, name="ours.toml").rooms
    ('Kitchen', 'Shed', 'Attic')
    """
    text = f"title = {_quote(title)}\n"
    spelt: dict[str, str] = {}
    for kind, pasted in (("suspect", suspects), ("weapon", weapons), ("room", rooms)):
        names = [*_names_in(pasted, kind)]
        if len(names) < _LEAST:
            found = f"; found {names[0]}" if names else ""
            raise EditionError(f"expected at least {_LEAST} {plural(kind)}{found}")
        for name in names:
            letters = "".join(filter(str.isalnum, name.casefold())) or name
            if (known := spelt.get(letters)) is not None:
                also = f", also as {known}" if known != name else ""
                raise EditionError(f"{name} is listed twice{also}")
            spelt[letters] = name
        cards = ", ".join(f"{{ name = {_quote(name)} }}" for name in names)
        text += f'\n[[category]]\nname = "{kind}"\nplural = "{plural(kind).title()}"\n'
        text += f"cards = [{cards}]\n"
    try:
        parse_edition(text, name=title)
    except EditionError as error:
        raise EditionError(error.reason) from None
    return text


def deck_summary(edition: Edition) -> str:
    """
    Return a sentence about a deck: how many names each category has, and which names look like two.

    >>> deck = pasted_deck("Ours", "Ida, Leo", "Spoon, Knife and fork", "Attic, Shed")
    >>> deck_summary(parse_edition(deck, name="ours.toml"))
    "2 suspects, 2 weapons and 2 rooms; 'Knife and fork' is one name"
    """
    count = listed(counted(len(kind.cards), kind.name) for kind in edition.category)
    two = [f"'{name}' is one name" for name in edition.names if _TWO.search(name)]
    return "; ".join((count, *two))


def _names_in(text: str, kind: str) -> Iterator[str]:
    """
    Yield the names in a pasted list, without bullets and numbers.

    A heading is left out, too: the category's name `kind`, or its plural.
    """
    for part in re.split(r"[,;\t\n]", text):
        name = " ".join(_MARK.sub("", part.strip()).split())
        if name and name.rstrip(":").casefold() not in (kind, plural(kind)):
            yield name


def _quote(text: str) -> str:
    """Return a text as a TOML string."""
    return json.dumps(text, ensure_ascii=False)
