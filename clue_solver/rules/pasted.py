"""
A user's own deck from pasted names: three lists of names become an edition's file.

The edition has no board and no rules of its own: every key left out has its default.
"""

import json
import re
from collections.abc import Iterator, Sequence

from clue_solver.errors import EditionError, counted, listed, plural
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import parse_edition

_TITLES = {
    "suspect": ("suspect", "suspects", "people", "persons", "characters", "who"),
    "weapon": ("weapon", "weapons", "tools", "objects", "things", "how", "with what"),
    "room": ("room", "rooms", "places", "locations", "where"),
}
"""The categories of a pasted deck, each with the possible titles of its list."""

_KINDS = {title: kind for kind, titles in _TITLES.items() for title in titles}
_LEAST = 2
"""The fewest names in a list; a single card would be certain to be in the envelope."""

_MARK = re.compile(r"^(?:[-*\u2022\xb7\u2013\u2610\u25a1]|\d{1,2}[.)])\s*")
"""The marks before a name in a list, such as bullets."""

_TWO = re.compile(r"\S\s*[/&+]\s*\S|\s(?:and|or)\s", re.IGNORECASE)
"""The signs and words that suggest two names on one line."""


def pasted_deck(title: str, *lists: str) -> str:
    """
    Return the text of a deck's edition file, which `parse_edition` reads.

    Args:
        title: The name of the deck.
        lists: The suspects, the weapons and the rooms, one name a line or separated by commas; or
            all three lists in one text, each under a title or after an empty line.

    Raises:
        EditionError: If a list is missing or too short, or a name occurs twice or is not allowed.

    >>> text = pasted_deck("Ours", "Ida, Leo", "Spoon, Fork", "Kitchen, Shed, Attic")
    >>> parse_edition(text, name="ours.toml").rooms
    ('Kitchen', 'Shed', 'Attic')
    """
    named = _listed_in([text for text in lists if text.strip()])
    spelt: dict[str, str] = {}
    for kind, names in named.items():
        if len(names) < _LEAST:
            found = f"; found {names[0]}" if names else ""
            raise EditionError(f"expected at least {_LEAST} {plural(kind)}{found}")
        for name in names:
            letters = "".join(filter(str.isalnum, name.casefold())) or name
            if (known := spelt.get(letters)) is not None:
                also = f", as {known}" if known != name else ""
                raise EditionError(f"{name} is there twice{also}")
            spelt[letters] = name
    text = "".join(_written(title, named))
    try:
        parse_edition(text, name=title)
    except EditionError as error:
        raise EditionError(error.reason) from None
    return text


def deck_summary(edition: Edition) -> str:
    """
    Describe a deck: how many names each category has, and which of them may be two names.

    >>> deck = pasted_deck("Ours", "Ida, Leo", "Spoon, Knife and fork", "Attic, Shed")
    >>> deck_summary(parse_edition(deck, name="ours.toml"))
    "2 suspects, 2 weapons and 2 rooms; 'Knife and fork' is one name"
    """
    count = listed(counted(len(kind.cards), kind.name) for kind in edition.category)
    two = [f"'{name}' is one name" for name in edition.names if _TWO.search(name)]
    return "; ".join((count, *two))


def _listed_in(texts: Sequence[str]) -> dict[str, list[str]]:
    """Return the names in some texts, by category."""
    lists = [*_lists(texts[0])] if len(texts) == 1 else []
    for text in texts if len(texts) > 1 else ():
        parts = [*_lists(text)]
        lists.append((parts[0][0] if parts else "", [name for _, names in parts for name in names]))
    if len(lists) != len(_TITLES):
        kinds = listed([plural(kind) for kind in _TITLES])
        raise EditionError(
            f"expected three lists, {kinds}, with an empty line between; found {len(lists)}"
        )
    titled = [kind for kind, _ in lists if kind]
    rest = iter([kind for kind in _TITLES if kind not in titled])
    if len({*titled}) < len(titled):
        raise EditionError(f"two lists are called {plural(titled[0])}")
    named = {kind or next(rest): names for kind, names in lists}
    return {kind: named[kind] for kind in _TITLES}


def _lists(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the lists of names in a text, each with its category; empty if it has no title."""
    kind, names = "", list[str]()
    for line in text.splitlines():
        title, colon, rest = line.partition(":")
        above = _KINDS.get(" ".join(title.casefold().split()), "")
        if above or colon or not line.strip():
            if names:
                yield kind, names
                kind, names = "", []
            kind = above or kind
        told = rest if above or colon else line
        named = (_MARK.sub("", part.strip()) for part in re.split(r"[,;\t]", told))
        names.extend(" ".join(name.split()) for name in named if name)
    if names:
        yield kind, names


def _written(title: str, named: dict[str, list[str]]) -> Iterator[str]:
    """Yield the parts of the edition file."""
    yield f"title = {_quoted(title)}\n"
    for kind, names in named.items():
        cards = ", ".join(f"{{ name = {_quoted(name)} }}" for name in names)
        yield f'\n[[category]]\nname = "{kind}"\nplural = "{plural(kind).title()}"\n'
        yield f"cards = [{cards}]\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
