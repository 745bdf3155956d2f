"""
Standings: how often each player won, among computer players or in a family.

Intervals are Wilson's 95% score intervals.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import ClassVar, NamedTuple

from clue_solver.answers.display import AnswerValue, ShownValue, Written
from clue_solver.rules.observations import Accusation, Observation
from clue_solver.rules.table import Table

_NORMAL = 1.959964
"""The 97.5% point of the normal distribution."""


class Played(NamedTuple):
    """
    A game that is over.

    Attributes:
        table, log: The table and all entries.
        players: For each seat, its player's name.
    """

    table: Table
    log: Sequence[Observation]
    players: Mapping[str, str]


class PlayerStanding(AnswerValue, frozen=True, kw_only=True):
    """
    How often one player won, over all seats that it played.

    Attributes:
        player: The name of the player.
        games: The number of games, counted once for each seat that it played.
        wins: The number of games that it won.
        rate: Wins divided by games.
        interval: The 95% interval of the rate.
        wrong_accusations: How often it accused wrongly.
    """

    player: str
    games: int
    wins: int
    rate: float
    interval: tuple[float, float]
    wrong_accusations: int


class Standings(ShownValue, frozen=True, kw_only=True):
    """
    How often the players of some games won.

    Attributes:
        editions: The names of the editions that were played.
        games: The number of games.
        players: The standing of each player.
        unsolved: The number of games that nobody won.
        first: The share of games won by the player with the first turn.
    """

    editions: tuple[str, ...]
    games: int
    players: tuple[PlayerStanding, ...]
    unsolved: int
    first: float

    written: ClassVar[Written] = Written(schema=1)


def build_standings(games: Iterable[Played]) -> Standings:
    """Return how often each player won and accused wrongly in these games."""
    editions: dict[str, None] = {}
    sat, played, wins, wrong = (Counter[str]() for _ in range(4))
    count = first = 0
    for table, log, players in games:
        count += 1
        editions[table.edition.name] = None
        sat.update(dict.fromkeys(players.values(), 1))
        played.update(players.values())
        for each in log:
            if isinstance(each, Accusation) and not each.right:
                wrong[players[each.by]] += 1
            elif isinstance(each, Accusation):
                wins[players[each.by]] += 1
                first += each.by == table.begins
    return Standings(
        editions=tuple(editions),
        games=count,
        players=tuple(
            PlayerStanding(
                player=name,
                games=played[name],
                wins=wins[name],
                rate=wins[name] / played[name],
                interval=rate_interval(wins[name], sat[name], seats=played[name] / sat[name]),
                wrong_accusations=wrong[name],
            )
            for name in sat
        ),
        unsolved=count - wins.total(),
        first=first / max(count, 1),
    )


def rate_interval(wins: int, games: int, *, seats: float = 1) -> tuple[float, float]:
    """
    Return the low and the high end of a 95% interval for a win rate per seat (Wilson's interval).

    A player with several seats can win a game only once. So this is the interval for the share of
    games won, divided by `seats`.

    Args:
        wins: The number of games won.
        games: The number of games.
        seats: The player's mean number of seats in a game.

    >>> [round(end, 3) for end in rate_interval(25, 100)]
    [0.175, 0.343]
    """
    if not games:
        return 0.0, 1.0
    share = wins / games
    z = _NORMAL
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    half /= 1 + z * z / games
    low = 0.0 if not wins else max(0.0, middle - half)
    high = 1.0 if wins == games else min(1.0, middle + half)
    return low / seats, high / seats
