"""The pieces on a board: of the players, of suspects that nobody plays, and the weapons."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from clue_solver.rules.play import Play
from clue_solver.views.charts import seat_colours, suspect_colours


class BoardPiece(NamedTuple):
    """
    A piece or a weapon on the board.

    Attributes:
        kind: `seat` for a player's piece, `spare` for a suspect that nobody plays, or `weapon`.
        name: The seat, the suspect or the weapon.
        letters: The letters drawn on it.
        place: The room or the square where it stands.
        colour: The suspect whose colour it has; empty for none.
        x, y: Its centre in the picture.
        radius: Its radius in the picture.
    """

    kind: Literal["seat", "spare", "weapon"]
    name: str
    letters: str
    place: str
    colour: str = ""
    x: float = 0
    y: float = 0
    radius: float = 0


def tokens_on(state: Play) -> Iterator[BoardPiece]:
    """Yield all pieces whose places are known: of seats, of suspects that nobody plays, weapons."""
    rules = state.rules
    table, edition = rules.table, rules.edition
    colours, seats = suspect_colours(edition.suspects), seat_colours(table)
    spare = [name for name in rules.pieces if name not in rules.owner]
    letters = initials((*table.seats, *spare))
    for seat in table.seats:
        if place := state.place(seat):
            yield BoardPiece("seat", seat, letters[seat], place, seats[seat])
    for name in spare:
        if place := state.where_is(name):
            called = edition.printed(name, table.language)
            yield BoardPiece("spare", called, letters[name], place, colours.get(name, ""))
    letters = initials(edition.weapons, least=2)
    for name, place in state.weapons.items():
        yield BoardPiece("weapon", edition.printed(name, table.language), letters[name], place)


def initials(names: Sequence[str], *, least: int = 1) -> dict[str, str]:
    """
    Return the initial of each name: one letter if no other name has it, else two, else a number.

    Args:
        names: The names.
        least: The least number of letters, 1 or 2.

    >>> initials(("Ann", "Ben", "Bob", "Dan", "Dave"))
    {'Ann': 'A', 'Ben': 'Be', 'Bob': 'Bo', 'Dan': 'D4', 'Dave': 'D5'}
    """
    short: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        for letters in (name[:least], name[:2]):
            if sum(other.startswith(letters) for other in names) == 1:
                short[name] = letters
                break
        else:
            short[name] = f"{name[:1]}{number}"
    return short
