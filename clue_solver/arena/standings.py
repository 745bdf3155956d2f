"""
Games of a tournament added up.

Intervals are of 95 %: Wilson's score interval for rates, 1.96 standard errors for means.
"""

from collections import Counter
from collections.abc import Sequence
from math import sqrt

import numpy as np

from clue_solver.answers.standings import Mean, PlayerStanding, Standings
from clue_solver.arena.tournament import GamePlayed, Tournament

_NORMAL = 1.959964
"""The 97.5 % point of the normal distribution."""


class Tally:
    """
    Adds games up, in any order.

    >>> tournament = Tournament(edition="examples/tiny.toml", players=("random", "random"))
    >>> tally = Tally(tournament)
    >>> tally.add(tournament.play(1))
    >>> tally.standings().games
    1
    """

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.games = self.unsolved = self.first = 0
        self.wins = Counter[str]()
        self.wrong = Counter[str]()
        self.turns: list[float] = []

    def add(self, game: GamePlayed) -> None:
        """Count one game."""
        how = game.how
        self.games += 1
        self.first += how.winner == how.first
        if how.winner is None:
            self.unsolved += 1
        else:
            self.wins[game.playing(how.winner)] += 1
        if how.solved is not None:
            self.turns.append(how.solved)
        self.wrong.update(map(game.playing, how.wrong))

    def standings(self) -> Standings:
        """Return how the tournament stands."""
        tournament = self.tournament
        seats = Counter(tournament.players)
        return Standings(
            edition=tournament.edition,
            games=self.games,
            seed=tournament.seed,
            players=tuple(
                PlayerStanding(
                    player=name,
                    games=self.games * count,
                    wins=self.wins[name],
                    rate=self.wins[name] / max(self.games * count, 1),
                    interval=rate_interval(self.wins[name], self.games, seats=count),
                    wrong_accusations=self.wrong[name],
                )
                for name, count in seats.items()
            ),
            turns=mean_of(self.turns),
            unsolved=self.unsolved,
            first=self.first / max(self.games, 1),
        )


def rate_interval(wins: int, games: int, *, seats: int = 1) -> tuple[float, float]:
    """
    Return Wilson's score interval of a rate, of 95 %.

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


def mean_of(numbers: Sequence[float]) -> Mean:
    """
    Return the mean of numbers, with 1.96 standard errors on either side.

    >>> mean_of([3.0, 5.0]).mean
    4.0
    """
    if not numbers:
        return Mean(None, None)
    mean = float(np.mean(numbers))
    if len(numbers) == 1:
        return Mean(mean, None)
    half = _NORMAL * float(np.std(numbers, ddof=1)) / sqrt(len(numbers))
    return Mean(mean, (mean - half, mean + half))
