"""How a tournament of the arena stands: who won how often, and how soon."""

from typing import ClassVar, NamedTuple

from clue_solver.answers.display import AnswerValue, Written

SCHEMA = 1


class PlayerStanding(AnswerValue, frozen=True, kw_only=True):
    """
    How often one player won, all its seats added up.

    Attributes:
        player: Its name.
        games: The games times its seats.
        wins: The games that it won.
        rate: Its wins over its games.
        interval: A 95 % interval of the rate.
        wrong_accusations: How often it accused wrongly.
    """

    player: str
    games: int
    wins: int
    rate: float
    interval: tuple[float, float]
    wrong_accusations: int


class Mean(NamedTuple):
    """
    A mean.

    Attributes:
        mean: The mean; `None` where there is nothing to take it of.
        interval: A 95 % interval of it; `None` likewise.
    """

    mean: float | None
    interval: tuple[float, float] | None


class Standings(AnswerValue, frozen=True, kw_only=True):
    """
    How a tournament stands.

    Attributes:
        edition: The edition that is played.
        games: How many games are over.
        seed: The seed of the tournament.
        players: The players, in the order in which they were named.
        turns: Everybody's turns until the first player could prove the solution.
        unsolved: Games that nobody won.
        first: How often the first to move won.
    """

    edition: str
    games: int
    seed: int
    players: tuple[PlayerStanding, ...]
    turns: Mean
    unsolved: int
    first: float

    written: ClassVar[Written] = Written(schema=SCHEMA, without=("first",))
