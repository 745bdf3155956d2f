"""
Notes in lines of words, as on a phone: a suggestion each, or a card and its holder.

A line is read where every word of it is understood: who asks, one card of each category, and who
passed or showed. The lines become rows of a table, which is read like any other.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clue_solver.errors import RecordError, printable
from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import WRITERS, ImportOptions, Unclear, Unsaid
from clue_solver.exchange.naming import known_editions
from clue_solver.notation import card_names
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.rules.edition import Edition

_BULLET = re.compile(r"\s*(?:[-*•>]\s+|\d{1,3}[.)]\s+)?")
_HEAD = re.compile(
    r"""(?P<who>[^\W\d_][\w '\u2019()-]{0,30}?)\s*
        (?: : | [-=]> | → | \b(?P<verb>asks|asked|suggests|suggested|says|said|guesses|guessed
          |accuses|accused|fragt|fragte|demande|pregunta|preguntó)\b (?:\s+(?:for|about|nach)\b)? :?
        )\s*(?P<rest>.+)""",
    re.VERBOSE | re.IGNORECASE,
)
_MINE = re.compile(r"(?:my|our)\s+(?:cards|hand)\s*[:=]\s*(.+)", re.IGNORECASE)
_PARTING = re.compile(r"\s*(?:[.;,!]|[-=]>|→|\s[-\u2013\u2014](?=\s)|:|\bbut\b|\band\b)\s*")
_BETWEEN = {
    *("with", "in", "the", "a", "an", "and", "or", "of"),
    *("mit", "dem", "der", "im", "avec", "la", "le", "dans", "con", "el", "en"),
}
_NOBODY = {"nobody", "none", "noone", "niemand", "keiner", "personne", "nadie", "ninguno"}
_SHOWS = {"shows", "showed", "show", "shown", "showing", "zeigt", "zeigte", "montre", "muestra"}
_PASSES = {"not", "no", "none", "nothing", "passes", "passed", "pass", "nichts", "rien", "nada"}
_FILLING = {
    *("a", "card", "one", "it", "them", "him", "her", "me", "us", "to", "any", "anything"),
    *("of", "the", "from", "by", "could", "had"),
}
_VERDICTS = {"right", "correct", "wrong", "incorrect"}
_TITLES = ("asker", "cards", "passes", "shower", "card shown", "accusation")


class _Question(NamedTuple):
    """A line that asks for cards, and what stands behind them."""

    who: str
    accuses: bool
    cards: tuple[str, ...]
    behind: str


def grid_of_lines(text: str, options: ImportOptions, *, name: str) -> tuple[Grid, str] | None:
    """
    Return the table that lines of words are, and the writer's hand where one tells it.

    `None` where fewer than half of the lines are suggestions, or cards with their holders.

    Raises:
        Unclear: If lines cannot be read, all of them; or if the players or a language is not said.
    """
    lines = [(row, _BULLET.sub("", line, count=1)) for row, line in enumerate(text.splitlines())]
    lines = [(row, line.strip()) for row, line in lines if line.strip()]
    editions = known_editions(options)
    known = [options.names(edition) for edition in editions]
    holders = _holders(lines, known, name)
    if holders is not None:
        return holders, ""
    found = _questions(lines, editions, known)
    if 2 * len(found) < len(lines) and options.language is None:
        for language in dict.fromkeys(each for edition in editions for each in edition.languages):
            abroad = [card_names(edition, language=language) for edition in editions]
            if 2 * len(_questions(lines, editions, abroad)) >= len(lines):
                asked = f"names of cards in another language ({language}): say which one it is"
                raise Unclear((), [Unsaid("names", asked, (language,))], path=name)
    if 2 * len(found) < len(lines):
        return None
    if not options.players:
        askers = joined(dict.fromkeys(question.who for question in found.values()), "and")
        asked = f"the players who ask are {askers}: give all players, clockwise"
        raise Unclear((), [Unsaid("players", asked)], path=name)
    return _table(lines, found, options, name)


def _table(
    lines: Sequence[tuple[int, str]],
    found: dict[int, _Question],
    options: ImportOptions,
    name: str,
) -> tuple[Grid, str]:
    """Return the rows of all lines that were found, and the hand; or all that is wrong."""
    rows: dict[int, tuple[str, ...]] = {}
    faults: list[str] = []
    aside: list[str] = []
    hand = ""
    for row, line in lines:
        mine = _MINE.fullmatch(line)
        if row in found and not mine:
            try:
                rows[row] = _row(found[row], options)
            except RecordError as error:
                faults.append(f"{printable(name)}: row {row + 1}: {error}")
        elif mine:
            hand = mine[1].rstrip(".")
        else:
            aside.append(f"row {row + 1}, '{printable(line)}': not read")
    if faults:
        raise Unclear(faults, path=name)
    return _grid(_TITLES, rows, name, told="lines of words", aside=aside), hand


def _grid(
    titles: tuple[str, ...],
    rows: dict[int, tuple[str, ...]],
    name: str,
    *,
    told: str,
    aside: Sequence[str] = (),
) -> Grid:
    places = tuple(tuple((row, 0) for _ in titles) for row in (0, *rows))
    cells = (titles, *rows.values())
    return Grid(name=name, rows=cells, told=told, aside=tuple(aside), places=places)


def _holders(lines: Sequence[tuple[int, str]], known: Sequence[Names], name: str) -> Grid | None:
    """Return the table of lines such as `Mustard: Ben`, if all of them are."""
    rows: dict[int, tuple[str, ...]] = {}
    for row, line in lines:
        card, _, holder = line.partition(":")
        if not any(names.whole(card.strip()) for names in known) or "," in holder:
            return None
        rows[row] = (card.strip(), holder.strip())
    return _grid(("card", "who"), rows, name, told="lines of words")


def _questions(
    lines: Sequence[tuple[int, str]], editions: Sequence[Edition], known: Sequence[Names]
) -> dict[int, _Question]:
    """Return the lines that ask for one card of each category, by their rows."""
    found: dict[int, _Question] = {}
    for row, line in lines:
        head = _HEAD.fullmatch(line)
        for edition, names in zip(editions, known, strict=True):
            asked = _asked(head["rest"], edition, names) if head else None
            if head and asked:
                accuses = (head["verb"] or "").casefold().startswith("accus")
                found[row] = _Question(head["who"].strip(), accuses, *asked)
                break
    return found


def _asked(text: str, edition: Edition, names: Names) -> tuple[tuple[str, ...], str] | None:
    """Return the cards at the beginning of a text, one of each category, and what follows."""
    words = list(re.finditer(r"[\w'\u2019]+\.?", text))
    cards: dict[str, str] = {}
    at = 0
    while at < len(words) and len(cards) < len(edition.category):
        if words[at][0].casefold() in _BETWEEN:
            at += 1
            continue
        for end in range(min(at + names.longest, len(words)), at, -1):
            said = text[words[at].start() : words[end - 1].end()]
            read = names.exact(said)
            closed = words[end - 1][0].casefold() in _BETWEEN or "," in said
            if len(read) == 1 and not closed:
                kind = edition.category_of[read[0]]
                if kind in cards:
                    return None
                cards[kind] = said
                at = end
                break
        else:
            return None
    if len(cards) < len(edition.category):
        return None
    return tuple(cards.values()), text[words[at - 1].end() :]


def _row(question: _Question, options: ImportOptions) -> tuple[str, ...]:
    """Return the cells of a line; a `RecordError` names the words that are not understood."""
    seats = Names("player", options.players)
    passes: list[str] = []
    shower = shown = verdict = ""
    for part in filter(None, _parts(question.behind)):
        words = words_of(part)
        if len(words) == 1 and words[0] in _VERDICTS and question.accuses and not verdict:
            verdict = words[0]
            continue
        if part == "?":
            continue
        if set(words) & _NOBODY and not set(words) - _NOBODY - _SHOWS - _FILLING:
            if shower:
                raise RecordError(f"expected one answer; found '{printable(part)}' as well")
            shower = "nobody"
            continue
        named, rest = _named(words, seats)
        if len(named) > 1:  # `Cat showed Ann a card`
            named = [seat for seat in named if seat not in seats.readings(question.who)]
        cards = [said for said in question.cards if set(words_of(said)) <= rest]
        rest -= {word for said in cards for word in words_of(said)}
        passed = bool(rest & _PASSES)
        unread = rest - _PASSES - _SHOWS - _FILLING
        if "?" in part or len(named) != 1 or unread or len(cards) > 1 or (passed and cards):
            raise RecordError(f"not understood: '{printable(part)}'")
        if passed:
            passes += named
        elif shower:
            raise RecordError(f"expected one answer; found '{printable(part)}' as well")
        else:
            shower, shown = named[0], next(iter(cards), "")
    if question.accuses and not verdict:
        raise RecordError("expected right or wrong behind an accusation")
    return question.who, ", ".join(question.cards), ", ".join(passes), shower, shown, verdict


def _parts(text: str) -> Iterator[str]:
    """Yield what stands between the marks of a text."""
    for part in _PARTING.split(text.strip()):
        yield part.strip(" -\u2013\u2014()[]")


def _named(words: Sequence[str], seats: Names) -> tuple[list[str], set[str]]:
    """Return the players among words, in their order, and the other words."""
    named: list[str] = []
    rest: set[str] = set()
    for at, word in enumerate(words):
        writer = at == 0 and word in WRITERS
        if readings := seats.exact(word) or ((word,) if writer else ()):
            named += readings
        else:
            rest.add(word)
    return named, rest
