"""
Who won how often: games added up by who played them, the arena's or a family's.

Intervals are Wilson's score intervals of 95%.
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
    """A game that is over: its table, its log, and who plays each seat."""

    table: Table
    log: Sequence[Observation]
    players: Mapping[str, str]


class PlayerStanding(AnswerValue, frozen=True, kw_only=True):
    """
    How often one player won, all its seats added up.

    Attributes:
        player: Its name.
        games: The games, once for each of its seats.
        wins: The games it won.
        rate: Wins over games.
        interval: A 95% interval of the rate.
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
    How players stand.

    Attributes:
        editions: The editions that were played.
        games: How many games were played.
        players: The players.
        unsolved: Games that nobody won.
        first: The share of games that the first to move won.
    """

    editions: tuple[str, ...]
    games: int
    players: tuple[PlayerStanding, ...]
    unsolved: int
    first: float

    written: ClassVar[Written] = Written(schema=1)


def build_standings(games: Iterable[Played]) -> Standings:
    """Return how players stand after some games."""
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
    Return Wilson's score interval of a rate, of 95%.

    Somebody with several seats wins a game once at most: the interval is that of the games won, and
    the rate a seat's share of it.

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
