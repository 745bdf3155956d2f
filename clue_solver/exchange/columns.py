"""What the columns of a table of suggestions are, by their titles and what stands in them."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from clue_solver.errors import printable
from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import ImportOptions
from clue_solver.exchange.naming import known_editions
from clue_solver.notation.names import Names, words_of

ROLES = {
    title: role
    for role, titles in {
        "asker": "asker, by, player, suggester, asked by, suggested by, guesser, who asks, "
        "who asked, asks, asked, suggested, who suggested, who suggests, who guessed, "
        "guessed by, whose turn, turn of, asking, asking player, suggesting player, "
        "wer fragt, fragt, spieler, spielerin, joueur, joueuse, qui demande, jugador, jugadora, "
        "quien pregunta, pregunta",
        "cards": "cards, suggestion, suggests, guess, asked for, asked about",
        "shower": "shower, shown by, showed, shows, disproved by, refuted by, answered by, "
        "answerer, answered, disprover, who showed, who shows, refuter, refuted, "
        "who answered, who had one, who had it, who refuted, who disproved, disproved, "
        "who showed it, who showed card, who showed a card, showed by, from whom, "
        "wer zeigt, zeigt, gezeigt von, montre par, qui montre, montre, mostro, quien muestra, "
        "muestra, mostrado por",
        "shown": "card, card shown, shown card, shown, card seen, seen, seen card, i saw, "
        "what i saw, card i saw, what was shown, which card, what card, saw, "
        "card showed, showed card, what they showed, what",
        "passes": "passes, passed, couldnt, could not, cannot, cant, passed by, passers, "
        "who passed, non refuters, nonrefuters, had none, couldnt answer, "
        "could not answer, didnt have, could not show, couldnt show, no card",
        "answers": "answers, answer, response, responses",
        "kind": "type, kind, action, move, suggestion or accusation",
        "accusation": "accusation, accuses, verdict, right, result, outcome",
        "comment": "comment, comments, note, notes, remark, remarks, my notes, thoughts",
        "aside": "nr, no, number, turn, index, row, time, date, round, id, turn number, turn no, "
        "step, timestamp, when",
    }.items()
    for title in titles.split(", ")
} | {"": "aside"}
"""What the columns may be called, and what each is; suspect, weapon and room besides."""

_CATEGORIES = {
    *("who", "person", "character", "whom"),
    *("what", "with", "with what", "using"),
    *("where", "place", "in", "in which", "location"),
    *("verdachtiger", "verdachtige", "tatverdachtiger", "suspecte", "sospechoso", "sospechosa"),
    *("waffe", "tatwaffe", "arme", "arma"),
    *("raum", "zimmer", "tatort", "piece", "lieu", "habitacion", "lugar", "cuarto"),
}
_INITIALS = {"s", "w", "r"}
_ASKERS = {"who", "name", "person"}
_NUMBERED = re.compile(r"card ?(\d)")


class Roles(NamedTuple):
    """
    The row with the columns' names, and the places of the columns, counted from 0.

    `place` tells them by what they are; those of `cards` have one card of the suggestion each, in
    the order of the header; `players` have what each player answered; those `aside` say nothing of
    the game, and `strange` are not understood.
    """

    header: int
    place: Mapping[str, int]
    cards: tuple[int, ...]
    aside: tuple[int, ...]
    players: Mapping[str, int]
    strange: tuple[int, ...]


def roles_in(grid: Grid, options: ImportOptions) -> Roles | None:
    """
    Return what the columns are; `None` if they are not those of a table of suggestions.

    A `RecordError` says that two columns are one thing.
    """
    several = (row for row, cells in enumerate(grid.rows) if sum(map(bool, cells)) > 1)
    for header in [row for row, _ in zip(several, range(5), strict=False)]:
        if (roles := _roles(grid, options, header)) is not None:
            return roles
    return None


def _roles(grid: Grid, options: ImportOptions, header: int) -> Roles | None:
    """Return what the columns are if a row has their names; `None` if it has not."""
    kinds = {
        words_of(name)
        for edition in known_editions(options)
        for kind in edition.category
        for name in (kind.name, kind.plural)
        if name
    }
    titles = {column: worded(title) for column, title in enumerate(grid.rows[header])}
    if set(titles.values()) >= _INITIALS:
        kinds |= {(letter,) for letter in _INITIALS}
    shows = any(ROLES.get(words) == "shower" for words in titles.values())
    known_as_shown = any(
        ROLES.get(words) == "shown" and words != "what" for words in titles.values()
    )
    weapon = any(
        words in ("weapon", "weapons", "with", "with what", "using") for words in titles.values()
    )
    place: dict[str, int] = {}
    cards: list[int] = []
    others: list[int] = []
    twice: tuple[str, int] | None = None
    for column, words in titles.items():
        role = ROLES.get(words, "")
        if options.left(grid.cell(header, column)):
            role = "aside"
        if words == "no" and not all(
            text.isdecimal()
            for row in grid.rows[header + 1 :]
            if (text := "".join(row[column : column + 1]))
        ):
            role = "passes"
        shown = words == "what" and weapon and shows and not known_as_shown
        if (
            role != "aside"
            and not shown
            and (words_of(words) in kinds or words in _CATEGORIES or _NUMBERED.fullmatch(words))
        ):
            cards.append(column)
        elif role in ("", "aside"):
            others.append(column)
        elif role in place:
            twice = twice or (role, column)
        else:
            place[role] = column
    asking = [
        column
        for column in (*cards, *others)
        if titles[column] in _ASKERS and not _names_cards(grid, options, header, column)
    ]
    if "asker" not in place and asking:
        place["asker"] = asking[0]
        cards = [column for column in cards if column != asking[0]]
        others = [column for column in others if column != asking[0]]
    no_shower = "shown" in place and "shower" not in place
    if no_shower and not _names_cards(grid, options, header, place["shown"]):
        place["shower"] = place.pop("shown")
    if "asker" not in place or not (cards or "cards" in place):
        return None
    if cards and not any(_names_cards(grid, options, header, column) for column in cards):
        return None
    if twice is not None:
        role, column = twice
        title = grid.cell(header, column)
        first = grid.where(None, place[role])
        grid.refuse(
            f"expected one column for the {role}; '{printable(title)}' stands beside "
            f"'{printable(grid.cell(header, place[role]))}' in {first}",
            header,
            column,
        )
    return _sorted(grid, options, Roles(header, place, tuple(cards), tuple(others), {}, ()))


def _names_cards(grid: Grid, options: ImportOptions, header: int, column: int) -> bool:
    """Whether more than half of a column's cells are cards, or there are none to tell it by."""
    rows = range(header + 1, len(grid.rows))
    texts = {text for row in rows if (text := grid.cell(row, column)) and words_of(text)}
    names = [options.names(edition) for edition in known_editions(options)]
    cards = {text for text in texts if any(known.readings(text) for known in names)}
    return 2 * len(cards - set(options.players)) > len(texts) or not texts


def _sorted(grid: Grid, options: ImportOptions, roles: Roles) -> Roles:
    """Return the roles with the columns that have no role parted: players', aside, strange."""
    rows = range(roles.header + 1, len(grid.rows))
    askers = {grid.cell(row, roles.place["asker"]).casefold() for row in rows} - {""}
    known = Names("player", options.players)
    titles = {column: grid.cell(roles.header, column) for column in roles.aside}
    if options.players:
        seats = {column: known.readings(title) for column, title in titles.items() if title}
        players = {names[0]: column for column, names in seats.items() if len(names) == 1}
    elif askers and askers <= {title.casefold() for title in titles.values()}:
        first = min(column for column, title in titles.items() if title.casefold() in askers)
        players = {
            title: column
            for column, title in titles.items()
            if column >= first and title and worded(title) not in ROLES
        }
    else:
        players = {}
    rest = [column for column in roles.aside if column not in players.values()]
    strange = [
        column
        for column in rest
        if ROLES.get(worded(titles[column])) != "aside"
        and not options.left(titles[column])
        and any(grid.cell(row, column) for row in rows)
    ]
    aside = tuple(column for column in rest if column not in strange)
    return roles._replace(aside=aside, players=players, strange=tuple(strange))


def worded(title: str) -> str:
    """Return a title's words as titles are compared."""
    return " ".join(words_of(title.replace("_", " ")))
