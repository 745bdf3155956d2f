"""
Notes in lines of words, as on a phone: a suggestion each, or a card and its holder.

A line is made one that a player could say (`Ann: Plum, Rope, Hall - Cat` is `Ann asked Plum, Rope,
Hall, Cat showed`) and is read as that is read: every word is understood, or the line is refused.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.errors import NotationError, printable
from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import (
    WRITERS,
    Imported,
    ImportOptions,
    Unclear,
    Unsaid,
    table_lines,
    with_hand,
)
from clue_solver.exchange.naming import known_editions
from clue_solver.notation import card_names, lexicon_of, parse_line
from clue_solver.notation.names import Names, joined
from clue_solver.record import Entry, Record
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Accusation, Observation, Suggestion
from clue_solver.rules.table import Table

_BULLET = re.compile(r"\s*(?:[-*•>]\s+|\d{1,3}[.)]\s+)?")
_NAME = r"(?P<who>[^\W\d_][\w '()-]{0,30}?)\s*"
_SIGN = re.compile(rf"{_NAME}(?::|[-=]>|→)\s*(?=\S)")
_VERB = re.compile(rf"{_NAME}\b(?:ask|suggest|guess|accus)", re.IGNORECASE)
_MINE = re.compile(r"(?:my|our)\s+(?:cards|hand)\s*[:=]\s*(.+)", re.IGNORECASE)
_PARTING = re.compile(r"\s*(?:[-=]>|→|\s[-\u2013\u2014]\s)\s*")
_NOBODY = re.compile(r"\b(?:niemand|keiner|personne|nadie|nessuno)\b", re.IGNORECASE)
_UNSURE = re.compile(r"\w\?\)?$")
"""A name with a question mark: nobody is sure of it, and in a line of a record it was not heard."""

_WORD = re.compile(r"[\w'\u2019]+\.?")


_FEWEST = 3
"""The fewest lines of a list of holders, one for its titles."""


class _Line(NamedTuple):
    """A line: its row, its text, and who asks for a card of each category in it, if somebody."""

    row: int
    text: str
    who: str


def holders_of_lines(text: str, options: ImportOptions, *, name: str) -> Grid | None:
    """Return the table of lines such as `Mustard: Ben, not Ann`, if most of them are."""
    known = [options.names(edition) for edition in known_editions(options)]
    cells = [("card", "who")]
    places = [((0, 0), (0, 0))]
    aside = []
    for row, line in enumerate(text.splitlines()):
        card, colon, holder = (part.strip() for part in line.partition(":"))
        if colon and any(names.exact(card) or len(names.nearest(card)) == 1 for names in known):
            cells.append((card, holder))
            places.append(((row, 0), (row, 0)))
        elif line.strip():
            aside.append(f"row {row + 1}, '{printable(line.strip())}': not read")
    if len(cells) < _FEWEST or len(aside) >= len(cells):
        return None
    return Grid(
        name=name,
        rows=tuple(cells),
        places=tuple(places),
        told="lines of words",
        aside=tuple(aside),
    )


def read_lines(text: str, options: ImportOptions, *, name: str) -> Imported | None:
    """
    Return what lines of words tell; `None` where fewer than half of them ask for cards.

    Raises:
        Unclear: If lines are not understood, all of them; or if something is not said.
    """
    if not any(_SIGN.match(line) or _VERB.match(line) for line in _bare(text)):
        return None
    editions = known_editions(options)
    lines = _lines(text, editions, options.language)
    if 2 * sum(bool(line.who) for line in lines) < len(lines):
        languages = {each for edition in editions for each in edition.languages}
        for language in sorted(languages) if options.language is None else ():
            abroad = _lines(text, editions, language)
            if 2 * sum(bool(line.who) for line in abroad) >= len(abroad):
                asked = f"names of cards in another language ({language}): say which one it is"
                raise Unclear((), [Unsaid("names", asked, (language,))], path=name)
        return None
    askers = dict.fromkeys(line.who for line in lines if line.who)
    if not options.players:
        asked = f"the players who ask are {joined(askers, 'and')}: give all of them, clockwise"
        raise Unclear((), [Unsaid("players", asked)], path=name)
    if options.viewer is None and WRITERS & {who.casefold() for who in askers}:
        asked = "some lines are the writer's own: say whose notes these are"
        raise Unclear((), [Unsaid("viewer", asked, options.players)], path=name)
    spoken = [each for each in editions if options.language in (None, *each.languages)]
    readings = [_Reading(lines, options, edition) for edition in spoken or editions]
    best = max(len(reading.told) for reading in readings)
    likeliest = [reading for reading in readings if len(reading.told) == best]
    first, *others = likeliest
    if best and any(other.told != first.told for other in others):
        names = tuple(reading.table.edition.name for reading in likeliest)
        asked = f"these cards are in {joined(names, 'and')}: say which edition it is"
        raise Unclear((), [Unsaid("edition", asked, names)], path=name)
    return first.imported(name)


class _Reading:
    """What lines tell at a table of one edition."""

    def __init__(self, lines: Sequence[_Line], options: ImportOptions, edition: Edition) -> None:
        self.table = options.table(edition, options.players)
        self.how = "as given" if options.edition else "whose cards these are"
        self.players_how = options.players_how
        self.hand = options.hand
        self.told: dict[int, Observation] = {}
        self.faults: list[str] = []
        self.aside: list[str] = []
        state = Record(table=self.table).turn_state
        for line in lines:
            place = f"row {line.row + 1}, '{printable(line.text)}'"
            mine = _MINE.fullmatch(line.text)
            if mine:
                self.hand = self.hand or mine[1].rstrip(".")
                continue
            if not line.who:
                self.aside.append(f"{place}: not read")
                continue
            if _UNSURE.search(line.text):
                self.faults.append(f"{place}: not understood")
                continue
            try:
                told = parse_line(_spoken(line.text, self.table), self.table, state)
            except NotationError as error:
                self.faults.append(f"{place}: {error.reason}")
                continue
            if not isinstance(told, Suggestion | Accusation):
                self.faults.append(f"{place}: neither a suggestion nor an accusation")
                continue
            self.told[line.row] = told
            state = state.after(told)

    def imported(self, name: str) -> Imported:
        """Return the record; `Unclear` with all lines that are not understood."""
        if self.faults:
            raise Unclear(self.faults, path=name)
        record = with_hand(Record(table=self.table), self.hand)
        entries = (Entry(observation=observation) for observation in self.told.values())
        record = replace(record, entries=(*record.entries, *entries))
        lines = f"{len(self.told)} lines of words"
        told = table_lines(self.table, edition=self.how, players=self.players_how)
        return Imported(
            record=record,
            kind="suggestions",
            understood=(lines, *told),
            aside=tuple(self.aside),
        )


def _bare(text: str) -> list[str]:
    """Return the lines of a text without bullets and numbers before them."""
    return [_BULLET.sub("", line, count=1).strip() for line in text.splitlines()]


def _lines(text: str, editions: Sequence[Edition], language: str | None) -> list[_Line]:
    """Return the lines with something in them, and who asks for cards in each."""
    known = [(edition, card_names(edition, language=language)) for edition in editions]
    lines = []
    for row, line in enumerate(_bare(text)):
        head = _SIGN.match(line) or _VERB.match(line)
        asks = head and any(_asks(line[head.end("who") :], *each) for each in known)
        if line:
            lines.append(_Line(row, line, head["who"].strip() if head and asks else ""))
    return lines


def _asks(text: str, edition: Edition, names: Names) -> bool:
    """Whether cards of all categories are named in a text."""
    words = [match[0] for match in _WORD.finditer(text)]
    kinds = {
        edition.category_of[card]
        for at in range(len(words))
        for size in range(1, names.longest + 1)
        for card in names.exact(" ".join(words[at : at + size]))
    }
    return len(kinds) == len(edition.category)


def _spoken(line: str, table: Table) -> str:
    """Return a line of notes as somebody would say it."""
    asked = _SIGN.sub(r"\g<who> asked ", line, count=1) if _SIGN.match(line) else line
    said = _NOBODY.sub("nobody", _PARTING.sub(", ", asked))
    before, comma, last = said.rpartition(",")
    shower = last.strip(" .!")
    if comma and "?" not in shower and lexicon_of(table).seats.exact(shower):
        return f"{before}, {shower} showed"
    return said
