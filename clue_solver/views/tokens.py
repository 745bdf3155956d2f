"""What stands on a board: the pieces of seats and of suspects that nobody plays, the weapons."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from clue_solver.rules.play import Play
from clue_solver.views.charts import coloured, pieces_of


class BoardPiece(NamedTuple):
    """
    A piece on the board.

    Attributes:
        kind: Whether it is a seat's, a suspect's whom nobody plays, or a weapon.
        name, letters: Whose or what it is, and what stands on it.
        place: The room or the square where it stands.
        colour: The suspect whose colour it has; empty for none.
        href: Where a tap leads that makes it the one that moves; empty for nowhere.
        x, y, radius: Where it is drawn, and how large.
    """

    kind: Literal["seat", "spare", "weapon"]
    name: str
    letters: str
    place: str
    colour: str = ""
    href: str = ""
    x: float = 0
    y: float = 0
    radius: float = 0


def tokens_on(state: Play) -> Iterator[BoardPiece]:
    """Yield the pieces of which it is known where they are: of seats, spare ones, weapons."""
    rules = state.rules
    table, edition = rules.table, rules.edition
    colours, seats = coloured(edition.suspects), pieces_of(table)
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
    Return each name's first letter, its first two or a number where others begin with it, too.

    Args:
        names: The names.
        least: How many letters it is at least, up to two.

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
