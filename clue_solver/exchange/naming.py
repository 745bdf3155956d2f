"""What the cells of notes name: cards and players, and by its cards the edition."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clue_solver.errors import NotationError, RecordError, printable
from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import ImportOptions, Unsaid
from clue_solver.notation import card_names
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.rules.edition import Edition, load_edition, shipped_editions

_ASKED = {
    "who",
    "what",
    "where",
    "how",
    "cards",
    "card",
    "persons",
    "people",
    "characters",
    "places",
}


class NameFinder:
    """
    Looks names up in the cells of a grid, and keeps what was wrong.

    Attributes:
        faults: What could not be read, each with its place.
        mended: What was taken for what, and how often: names spelt wrong, and initials.
        mendable: Whether every fault so far has one proposal.
    """

    def __init__(self, grid: Grid, *, mend: bool) -> None:
        self.grid = grid
        self.mend = mend
        self.faults: list[str] = []
        self.mended: Counter[tuple[str, str]] = Counter()
        self.proposed = 0
        self.unknown: dict[str, str] = {}

    def note(self, error: RecordError) -> None:
        """Keep what is wrong, unless it is a name that is asked for."""
        if error.argument != "called":
            self.faults.append(str(error))

    def find(self, names: Names, text: str, row: int | None, column: int | None) -> str:
        """Return the one name that a text stands for, or its one proposal; refuse it otherwise."""
        try:
            return self._named(names, text)
        except NotationError as error:
            if text and not error.nearest and not names.readings(text):
                where = self.grid.where(row, column)
                self.unknown.setdefault(text, f"{where}: {error.reason}")
                self.grid.refuse(error.reason, row, column, argument="called")
            self.grid.refuse(error.reason, row, column)

    def _named(self, names: Names, text: str) -> str:
        """Return the same as `find`; raise a `NotationError` where it is none."""
        try:
            name = names.find(text)
            begins = words_of(name)[0].startswith(text.casefold())
            if names.kind == "card" and text.isupper() and 1 < len(text) < 4 and not begins:
                self.mended[text, name] += 1  # only the initials of a card
            return name
        except NotationError as error:
            meant = names.readings(text) if text else ()
            if len(error.nearest) == 1 and not meant:
                if self.mend:
                    self.mended[text, error.nearest[0]] += 1
                    return error.nearest[0]
                self.proposed += 1
            raise

    def understood(self) -> Iterator[str]:
        """Yield what was taken for what."""
        for (text, name), count in self.mended.items():
            cells = f", {count} times" if count > 1 else ""
            yield f"'{printable(text)}' taken for {name}{cells}"

    def questions(self) -> Iterator[Unsaid]:
        """Yield the question whether the proposals are meant, where there are any."""
        if self.proposed and not self.mend:
            yield Unsaid("mend", "take the proposed names, if you mean them")
        if self.unknown:
            first = next(iter(self.unknown))
            text = (
                "\n  ".join(self.unknown.values())
                + f"; say what is meant, '{printable(first)}=...', or leave it aside"
            )
            yield Unsaid("called", text, marks=tuple(self.unknown))


def known_editions(options: ImportOptions) -> tuple[Edition, ...]:
    """Return the editions that notes may be of: the one that was said, or all that are shipped."""
    return (options.edition,) if options.edition else tuple(map(load_edition, shipped_editions()))


def is_heading(text: str, edition: Edition) -> bool:
    """Whether a text is the heading of a category rather than a card."""
    titles = {name for kind in edition.category for name in (kind.name, kind.plural)}
    words = words_of(text)
    return words in {words_of(title) for title in titles if title} or set(words) <= _ASKED


_PIECE = re.compile(r"(.*\S)\s*[(\[]\s*([^()\[\]]+?)\s*[)\]]")


def without_piece(name: str, editions: Sequence[Edition]) -> str:
    """
    Return a player's name without the suspect in brackets whose piece they move.

    >>> without_piece("Cat (Miss Scarlett)", [load_edition("clue-classic")])
    'Cat'
    """
    match = _PIECE.fullmatch(name)
    if match is None or not any(card_names(edition).exact(match[2]) for edition in editions):
        return name
    return match[1]


class Found(NamedTuple):
    """
    The edition that notes are of.

    Attributes:
        edition: The edition.
        how: How it was found, in words.
        others: The editions whose cards have the very same names, which fit as well.
        question: What to ask where nothing tells it from others.
    """

    edition: Edition
    how: str
    others: tuple[Edition, ...] = ()
    question: Unsaid | None = None


def edition_of(labels: Sequence[str], options: ImportOptions) -> Found:
    """
    Return the edition that notes are of: the one whose names match most.

    An edition that was said is the answer. `labels` are names of cards as somebody wrote them;
    headings of categories may be among them.
    """
    cards = list(dict.fromkeys(filter(None, labels)))
    if options.edition:
        unknown = _missing(cards, options.edition, options)
        asked = _in_other_words(options.edition, unknown, cards, options)
        return Found(options.edition, "as given", (), asked)
    editions = known_editions(options)
    missing = {edition.name: _missing(cards, edition, options) for edition in editions}

    def rank(edition: Edition) -> tuple[int, bool, int]:
        """The fewest unknown cards; then all cards named; then most by their own names."""
        wanting = missing[edition.name]
        names = options.names(edition)
        named = {card for label in cards for card in names.readings(label)}
        own = {words_of(name) for card in edition.cards for name in (card.name, card.title) if name}
        spelt = sum(words_of(label) in own for label in cards)
        return len(wanting), bool(wanting) or len(named) < len(edition.names), -spelt

    ranks = {edition.name: rank(edition) for edition in editions}
    best = min(ranks.values())
    likeliest = [edition for edition in editions if ranks[edition.name] == best]
    fits = [edition for edition in editions if not missing[edition.name]]
    first, *rest = sorted(likeliest, key=lambda edition: edition.name != USUAL)
    if missing[first.name]:
        return _unknown(first, missing[first.name], cards, options)
    if any(edition.names != first.names for edition in rest):
        names = joined((edition.name for edition in likeliest), "and")
        apart = "; ".join(f"{edition.name}: {apart_from(first, edition)}" for edition in rest)
        text = f"these cards are in {names}: say which edition it is ({apart})"
        question = Unsaid("edition", text, tuple(edition.name for edition in likeliest))
        return Found(first, "as one of several", tuple(rest), question)
    if len(fits) == 1:
        return Found(first, "the only one whose cards these are")
    besides = [
        f"{edition.name} fits too: {apart_from(first, edition)}"
        for edition in fits
        if edition is not first
    ]
    how = "whose names match most" if not rest else "which is the usual one"
    return Found(first, f"{how}; {'; '.join(besides)}", tuple(rest))


USUAL = "clue-classic"
"""The edition that is taken where others with the very same cards fit as well."""


def _unknown(
    nearest: Edition, missing: Sequence[str], cards: Sequence[str], options: ImportOptions
) -> Found:
    """Return the nearest edition to notes of which no edition has all cards, and what to ask."""
    if (asked := _in_other_words(nearest, missing, cards, options)) is not None:
        return Found(nearest, "nearest", (), asked)
    near = [label for label in missing if options.names(nearest).nearest(label)]
    if len(near) == len(missing) and 2 * len(missing) < max(len(cards), 2):
        return Found(nearest, "the nearest to these names")
    some = ", ".join(f"'{printable(label)}'" for label in missing[:8])
    text = (
        f"no shipped edition has all these cards: {nearest.name} has no {some}; "
        "mend the names, or say which edition it is"
    )
    return Found(nearest, "nearest", (), Unsaid("edition", text))


_MANY = 3
"""How many unknown names are too many for slips."""


def _in_other_words(
    edition: Edition, missing: Sequence[str], cards: Sequence[str], options: ImportOptions
) -> Unsaid | None:
    """Return the question for a language in which a third of the missing cards are names."""
    if options.language is not None or len(missing) < _MANY:
        return None
    left = {
        language: len(_missing(cards, edition, options, language)) for language in edition.languages
    }
    language = min(left, key=left.__getitem__, default="")
    if not language or 3 * left[language] > 2 * len(missing):
        return None
    text = f"names of cards in another language ({language}): say which one it is"
    return Unsaid("names", text, (language,))


def apart_from(one: Edition, other: Edition) -> str:
    """Return in what another edition differs from one, in words."""
    differences = []
    mine, theirs = set(one.names) - set(other.names), set(other.names) - set(one.names)
    if mine or theirs:
        gone = joined((name for name in one.names if name in mine), "and")
        come = joined((name for name in other.names if name in theirs), "and")
        differences.append(f"{come or 'nothing'} for {gone or 'nothing'}")
    if one.order != other.order:
        differences.append(f"the neighbour on the {other.order} answers first")
    if one.answers != other.answers:
        differences.append(
            "everyone who can shows" if other.answers == "all" else "one player shows"
        )
    return ", ".join(differences) or "other rules of play"


def _missing(
    labels: Sequence[str], edition: Edition, options: ImportOptions, language: str | None = None
) -> list[str]:
    names = card_names(edition, language=language or options.language, initials=True)
    strange = (label for label in labels if len(names.readings(label)) != 1)
    return [label for label in strange if not is_heading(label, edition)]


def card_column(grid: Grid, options: ImportOptions) -> tuple[int, int] | None:
    """Return the column that lists cards and the row of the first; `None` if it is no pad."""
    places = card_places(grid, options)
    if not places:
        return None
    best = max(places, key=lambda column: (len(places[column]), -column))
    rows = places[best]
    return (best, rows[0]) if len(rows) > 1 and rows[0] > 0 else None


def card_places(grid: Grid, options: ImportOptions) -> dict[int, list[int]]:
    """Return the rows in which each column names a card, whole; in any language if none is said."""
    editions = known_editions(options)
    names = [card_names(edition, features=True, language=options.language) for edition in editions]
    places = _places(grid, names)
    found = sum(map(len, places.values()))
    if found > 1 or options.language is not None:
        return places
    others = {language: edition for edition in editions for language in edition.languages}
    abroad = _places(grid, [card_names(edition, language=one) for one, edition in others.items()])
    return abroad if sum(map(len, abroad.values())) > found else places


def _places(grid: Grid, names: Sequence[Names]) -> dict[int, list[int]]:
    """Return the rows in which each column has the whole name of a card."""
    known: dict[str, bool] = {}
    places: dict[int, list[int]] = {}
    for row, cells in enumerate(grid.rows):
        for column, cell in enumerate(cells):
            if cell and cell not in known:
                known[cell] = any(cards.exact(cell) for cards in names)
            if cell and known[cell]:
                places.setdefault(column, []).append(row)
    return places
