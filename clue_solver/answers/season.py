"""
A season: what many games tell of the people who played them.

Everything is gathered from rows, one for each game and player, which are plain numbers: a frame of
them is ready for `groupby`.

Ratings are those of Elo ("The Rating of Chessplayers", 1978): everybody begins at 1500, and a game
counts as one that its winner won against each of the others, at `STEP` points divided by how many
they are. Games without a winner move no rating.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec.structs import replace

from clue_solver.answers import review
from clue_solver.answers.display import AnswerValue, ShownValue, Written, draw
from clue_solver.answers.turns_taken import TurnsTaken

if TYPE_CHECKING:
    from pandas import DataFrame

    from clue_solver.rules.observations import Observation

BEGIN, STEP, SCALE = 1500.0, 32.0, 400.0
"""The rating to begin with, the most that a game moves it, the difference that is ten to one."""


class PlayedGame(AnswerValue, frozen=True, kw_only=True):
    """
    What one game tells of one player.

    Attributes:
        game, seat, players, entries: Which file, whose, how many played, how long the record is.
        winner, won: Who won, and whether that was this player.
        proved: The entry after which it could prove the solution; `None` if never, or only told.
        turns: How many own turns it had begun by then.
        suggestions: How many suggestions it made.
        accuracy, luck: As in its review; `None` where the record does not tell.
        mistakes: `review.mistakes`.
        missed_win: Whether it could have won and did not accuse.
        number: Which game of the season it was, from 1.
        rating: Its rating after it.

    >>> from clue_solver import season
    >>> row = season("examples/two_players.clue", jobs=1).rows[0]
    >>> row.seat, row.won, row.proved, row.turns
    ('Kim', True, 34, 5)
    """

    game: str
    seat: str
    players: int
    entries: int
    winner: str | None
    won: bool
    proved: int | None
    turns: int | None
    suggestions: int
    accuracy: float | None
    luck: float | None
    mistakes: int
    missed_win: bool
    number: int = 0
    rating: float = BEGIN


class PlayerSeason(AnswerValue, frozen=True, kw_only=True):
    """
    A player's season.

    Attributes:
        seat: The player.
        games: How many games it played.
        wins: How many of them it won.
        accuracy: The mean accuracy of its games; `None` if none tells it.
        luck: The mean luck of those games that tell it, in bits; `None` if none does.
        mistakes: How many mistakes it made in all.
        missed_wins: How many wins it missed.
        turns: The mean number of own turns until it could prove the solution, of those games in
            which it could; `None` if it never could.
        rating: Its Elo rating after the last game.

    >>> from clue_solver import season
    >>> best = season("examples/two_players.clue", jobs=1).players[0]
    >>> best.seat, best.games, best.wins, round(best.rating)
    ('Kim', 1, 1, 1516)
    """

    seat: str
    games: int
    wins: int
    accuracy: float | None
    luck: float | None
    mistakes: int
    missed_wins: int
    turns: float | None
    rating: float


class Season(ShownValue, frozen=True, kw_only=True):
    """
    Many games.

    Attributes:
        games: How many games could be reviewed.
        players: Everybody, most wins first, then by rating.
        rows: What each game tells of each player, in the order of the games.
        failed: The messages of files that could not be used.

    >>> from clue_solver import season
    >>> told = season("examples/two_players.clue", jobs=1)
    >>> told.games, [player.seat for player in told.players]
    (1, ['Kim', 'Lee'])
    """

    games: int
    players: tuple[PlayerSeason, ...]
    rows: tuple[PlayedGame, ...] = ()
    failed: tuple[str, ...] = ()

    written: ClassVar[Written] = Written(schema=1, without=("rows",))

    def to_frame(self, what: Literal["games", "players"] = "games") -> DataFrame:
        """
        Return a pandas table: a row for each game and player, or one for each player.

        The columns are the attributes of `PlayedGame`, or of `PlayerSeason`; their types are the
        same whatever the games tell, so that frames can be put together and grouped.

        Raises:
            ArgumentError: If there is no such table.
            MissingExtra: If pandas is not installed.
        """
        frame: DataFrame = draw(self, "frame", what)
        return frame


PlayedFile = tuple[tuple[PlayedGame, ...] | None, str | None]
"""What one file tells, a row a player, or why it does not."""


def rows_of(
    path: str, reviewed: review.Review, observations: Sequence[Observation]
) -> tuple[PlayedGame, ...]:
    """Return what a reviewed game tells of each player."""
    turns = TurnsTaken(observations)
    rows = []
    for seat in reviewed.seats:
        proved = None if seat.told else seat.proved
        begun = [turn for turn in turns.of(seat.seat) if proved is not None and turn[0] <= proved]
        rows.append(
            PlayedGame(
                game=path,
                seat=seat.seat,
                players=len(reviewed.seats),
                entries=reviewed.entries,
                winner=reviewed.winner,
                won=seat.seat == reviewed.winner,
                proved=proved,
                turns=None if proved is None else len(begun),
                suggestions=sum(one.seat == seat.seat for one in reviewed.suggestions),
                accuracy=seat.accuracy,
                luck=None if seat.luck_range is None else seat.luck,
                mistakes=review.mistakes(reviewed, seat.seat),
                missed_win=any(one.seat == seat.seat for one in reviewed.missed_wins),
            )
        )
    return tuple(rows)


def gathered(outcomes: Iterable[PlayedFile]) -> Season:
    """Return the season that some files tell; the same name is the same player."""
    rows: list[PlayedGame] = []
    failed: list[str] = []
    ratings: dict[str, float] = {}
    games = 0
    for told, error in outcomes:
        if told is None:
            failed.append(error or "")
            continue
        games += 1
        _rate(ratings, told)
        rows += (replace(row, number=games, rating=ratings[row.seat]) for row in told)
    by_name: dict[str, list[PlayedGame]] = {}
    for row in rows:
        by_name.setdefault(row.seat, []).append(row)
    players = [_player(seat, played, ratings[seat]) for seat, played in by_name.items()]
    players.sort(key=lambda player: (-player.wins, -round(player.rating, 6), player.seat))
    return Season(
        games=games,
        players=tuple(players),
        rows=tuple(rows),
        failed=tuple(failed),
    )


def _rate(ratings: dict[str, float], rows: Sequence[PlayedGame]) -> None:
    """Move the ratings by one game."""
    before = {row.seat: ratings.setdefault(row.seat, BEGIN) for row in rows}
    winner = next((row.seat for row in rows if row.won), None)
    for seat, rating in before.items():
        if winner is not None and seat != winner:
            expected = 1.0 / (1.0 + 10.0 ** ((rating - before[winner]) / SCALE))
            moved = STEP * (1.0 - expected) / (len(before) - 1)
            ratings[winner] += moved
            ratings[seat] -= moved


def _player(seat: str, rows: Sequence[PlayedGame], rating: float) -> PlayerSeason:
    def mean(numbers: Iterable[float | None]) -> float | None:
        known = [number for number in numbers if number is not None]
        return fmean(known) if known else None

    return PlayerSeason(
        seat=seat,
        games=len(rows),
        wins=sum(row.won for row in rows),
        accuracy=mean(row.accuracy for row in rows),
        luck=mean(row.luck for row in rows),
        mistakes=sum(row.mistakes for row in rows),
        missed_wins=sum(row.missed_win for row in rows),
        turns=mean(row.turns for row in rows),
        rating=rating,
    )
