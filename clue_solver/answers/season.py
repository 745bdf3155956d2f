"""
A season: the players of many games, compared.

All figures come from plain numbers for each game and player (`Season.rows`), which also make a data
frame to group and sum.

Ratings are Elo ratings ("The Rating of Chessplayers", 1978): everybody begins at 1500. A game
counts as a win of its winner against each of the other players. Each of these wins is worth at most
`STEP` points, divided by the number of the other players. Games without a winner do not change
ratings.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from clue_solver.answers.display import AnswerValue, ShownValue, Written, draw
from clue_solver.answers.review import Review
from clue_solver.rules.observations import Accusation, Observation, Suggestion

if TYPE_CHECKING:
    from pandas import DataFrame

BEGIN, STEP, SCALE = 1500.0, 32.0, 400.0
"""
The first rating, the most points that a game can bring, and the difference for odds of ten to one.
"""


class PlayerResult(AnswerValue, frozen=True, kw_only=True):
    """
    The result of one player in one game.

    Attributes:
        game, seat: The name of the file, and the player.
        won: Whether this player won.
        accuracy: The accuracy in the game's review; `None` if the record does not tell.
        luck: The number of lucky answers minus the number of unlucky ones.
        mistakes: The number of mistakes.

    >>> from clue_solver import season
    >>> row = season("examples/two_players.clue", jobs=1).rows[0]
    >>> row.seat, row.won, row.mistakes
    ('Kim', True, 1)
    """

    game: str
    seat: str
    won: bool
    accuracy: float | None
    luck: int
    mistakes: int


class PlayerSeason(AnswerValue, frozen=True, kw_only=True):
    """
    A player's season.

    Attributes:
        seat: The player.
        games: The number of games played.
        wins: The number of games won.
        accuracy: The mean accuracy over the games; `None` if unknown.
        luck: The number of lucky answers minus the number of unlucky ones.
        mistakes: The number of mistakes.
        rating: The Elo rating after the last game.

    >>> from clue_solver import season
    >>> best = season("examples/two_players.clue", jobs=1).players[0]
    >>> best.seat, best.games, best.wins, round(best.rating)
    ('Kim', 1, 1, 1516)
    """

    seat: str
    games: int
    wins: int
    accuracy: float | None
    luck: int
    mistakes: int
    rating: float


class Season(ShownValue, frozen=True, kw_only=True):
    """
    Players compared over many games.

    Attributes:
        games: The number of games reviewed; several files of the same game count once.
        players: The players, most wins first, then by rating.
        rows: The result of each player in each game, in the order of the games.
        failed: The error messages for files that could not be used.
        unfinished: The number of games that are not over.

    >>> from clue_solver import season
    >>> found = season("examples/two_players.clue", jobs=1)
    >>> found.games, [player.seat for player in found.players]
    (1, ['Kim', 'Lee'])
    """

    games: int
    players: tuple[PlayerSeason, ...]
    rows: tuple[PlayerResult, ...] = ()
    failed: tuple[str, ...] = ()
    unfinished: int = 0

    written: ClassVar[Written] = Written(schema=1, without=("rows",))

    def to_frame(self, what: Literal["games", "players"] = "games") -> DataFrame:
        """
        Return a pandas table: a row for each game and player, or one for each player.

        The columns are the attributes of `PlayerResult`, or of `PlayerSeason`. Their types are
        always the same, so that frames can be concatenated and grouped.

        Raises:
            ArgumentError: If there is no such table.
            MissingExtra: If pandas is not installed.
        """
        frame: DataFrame = draw(self, "frame", what)
        return frame


class PlayedFile(NamedTuple):
    """
    The results from one file.

    Attributes:
        rows: A row for each player; empty if the file cannot be used or its game is not over.
        key: What tells the game apart from others; it is equal in all files of one game.
        judged: The number of players for whom the record has everything that they saw.
        error: Why the file could not be used; `None` if it could.
    """

    rows: tuple[PlayerResult, ...] = ()
    key: Hashable = None
    judged: int = 0
    error: str | None = None


def build_played_file(path: str, review: Review, observations: Sequence[Observation]) -> PlayedFile:
    """
    Return the results of each player in a reviewed game.

    Args:
        path: The name of the game's file.
        review: The review of the game.
        observations: All entries of the record.
    """
    asked = [
        (each.by, each.cards) for each in observations if isinstance(each, Suggestion | Accusation)
    ]
    rows = tuple(
        PlayerResult(
            game=path,
            seat=seat.seat,
            won=seat.seat == review.winner,
            accuracy=seat.accuracy if seat.whole else None,
            luck=len([*review.of("lucky", seat=seat.seat)])
            - len([*review.of("unlucky", seat=seat.seat)]),
            mistakes=len(review.mistakes(seat.seat)),
        )
        for seat in review.seats
    )
    return PlayedFile(
        rows=rows,
        key=(review.edition, review.table.seats, review.solution, tuple(asked)),
        judged=sum(seat.whole for seat in review.seats),
    )


def build_season(outcomes: Iterable[PlayedFile]) -> Season:
    """
    Return the season that the results of many files make up; players of one name count as one.

    Of several files of one game, the one with most players judged counts.
    """
    failed: list[str] = []
    unfinished = 0
    games: dict[Hashable, PlayedFile] = {}
    for played in outcomes:
        if played.error is not None:
            failed.append(played.error)
        elif not played.rows:
            unfinished += 1
        elif played.key not in games or games[played.key].judged < played.judged:
            games[played.key] = played
    ratings: dict[str, float] = {}
    by_name: dict[str, list[PlayerResult]] = {}
    for played in games.values():
        _rate(ratings, played.rows)
        for row in played.rows:
            by_name.setdefault(row.seat, []).append(row)
    players = [_player(seat, played, ratings[seat]) for seat, played in by_name.items()]
    players.sort(key=lambda player: (-player.wins, -round(player.rating, 6), player.seat))
    return Season(
        games=len(games),
        players=tuple(players),
        rows=tuple(row for played in games.values() for row in played.rows),
        failed=tuple(failed),
        unfinished=unfinished,
    )


def _rate(ratings: dict[str, float], rows: Sequence[PlayerResult]) -> None:
    """Update the players' ratings, in place, by one game, whose results are `rows`."""
    before = {row.seat: ratings.setdefault(row.seat, BEGIN) for row in rows}
    winner = next((row.seat for row in rows if row.won), None)
    for seat, rating in before.items():
        if winner is not None and seat != winner:
            expected = 1.0 / (1.0 + 10.0 ** ((rating - before[winner]) / SCALE))
            moved = STEP * (1.0 - expected) / (len(before) - 1)
            ratings[winner] += moved
            ratings[seat] -= moved


def _player(seat: str, rows: Sequence[PlayerResult], rating: float) -> PlayerSeason:
    """
    Return a player's season: the sums and means over the games.

    Args:
        seat: The player's name.
        rows: The results of this player alone, one for each game.
        rating: The player's Elo rating after the last game.
    """
    accuracies = [row.accuracy for row in rows if row.accuracy is not None]
    return PlayerSeason(
        seat=seat,
        games=len(rows),
        wins=sum(row.won for row in rows),
        accuracy=fmean(accuracies) if accuracies else None,
        luck=sum(row.luck for row in rows),
        mistakes=sum(row.mistakes for row in rows),
        rating=rating,
    )
