"""
A season: what many games tell of the people who played them.

Everything is gathered from rows, one for each game and player, which are plain numbers: so a season
can be resumed, and a frame of the rows is ready for `groupby`.

Ratings are those of Elo ("The Rating of Chessplayers", 1978): everybody begins at 1500, and a game
counts as one that its winner won against each of the others, at `STEP` points divided by how many
they are. Games without a winner move no rating.

Two players differ where chance would not do it: if all played alike, what a game tells could be
anybody's who was there. So each game's rows are dealt out anew, many times; a player stands out
whose sum is further from the mean than anybody's, in anything, in 95 of 100 such seasons (Westfall,
Young, "Resampling-based multiple testing", 1993).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from msgspec.structs import replace

from clue_solver.answers import review
from clue_solver.answers.display import AnswerValue, ShownValue, Written, draw
from clue_solver.errors.arguments import checked
from clue_solver.inference.diagram import sort_key
from clue_solver.rules.turns import TurnsTaken

if TYPE_CHECKING:
    from pandas import DataFrame

    from clue_solver.rules.observations import Observation

BEGIN, STEP, SCALE = 1500.0, 32.0, 400.0
"""The rating to begin with, the most that a game moves it, the difference that is ten to one."""

Measure = Literal["won", "accuracy", "mistakes"]
_MEASURES: tuple[Measure, ...] = ("won", "accuracy", "mistakes")
_DRAWS, _BY_CHANCE = 1999, 0.05


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


class Difference(AnswerValue, frozen=True, kw_only=True):
    """
    Who stands out from the others, beyond chance.

    Attributes:
        seat: The player.
        what: In what: games won, accuracy, or mistakes.
        more: Whether by more of it; else by less.

    >>> Difference(seat="Ann", what="accuracy", more=True).to_dict()
    {'seat': 'Ann', 'what': 'accuracy', 'more': True}
    """

    seat: str
    what: Measure
    more: bool


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
        differences: Who stands out beyond chance.

    >>> from clue_solver import season
    >>> told = season("examples/two_players.clue", jobs=1)
    >>> told.games, [player.seat for player in told.players], told.asked_best
    (1, ['Kim', 'Lee'], None)
    """

    games: int
    players: tuple[PlayerSeason, ...]
    rows: tuple[PlayedGame, ...] = ()
    failed: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()

    written: ClassVar[Written] = Written(schema=1, also=("asked_best",), without=("rows",))

    @property
    def asked_best(self) -> str | None:
        """Who asked best, beyond chance; `None` if nobody did."""
        better = [one.seat for one in self.differences if one.what == "accuracy" and one.more]
        weighed = [player for player in self.players if player.seat in better]
        best = max(weighed, key=lambda player: sort_key(player.accuracy or 0.0), default=None)
        return None if best is None else best.seat

    @checked
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


class SeasonFile(AnswerValue, frozen=True, kw_only=True):
    """What one file tells: a row a player, or why there are none."""

    rows: tuple[PlayedGame, ...] = ()
    error: str | None = None


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


def gathered(outcomes: Iterable[SeasonFile]) -> Season:
    """Return the season that some files tell; the same name is the same player."""
    rows: list[PlayedGame] = []
    failed: list[str] = []
    ratings: dict[str, float] = {}
    games: list[tuple[PlayedGame, ...]] = []
    for outcome in outcomes:
        if outcome.error is not None:
            failed.append(outcome.error)
            continue
        games.append(outcome.rows)
        _rate(ratings, outcome.rows)
        rows += (replace(row, number=len(games), rating=ratings[row.seat]) for row in outcome.rows)
    by_name: dict[str, list[PlayedGame]] = {}
    for row in rows:
        by_name.setdefault(row.seat, []).append(row)
    players = [_player(seat, played, ratings[seat]) for seat, played in by_name.items()]
    players.sort(key=lambda player: (-player.wins, -round(player.rating, 6), player.seat))
    return Season(
        games=len(games),
        players=tuple(players),
        rows=tuple(rows),
        failed=tuple(failed),
        differences=tuple(_differences([player.seat for player in players], games)),
    )


def _differences(
    seats: Sequence[str], games: Iterable[Sequence[PlayedGame]]
) -> Iterator[Difference]:
    """Yield who stands out in what, those players first who come first."""
    rng = np.random.default_rng(0)
    sums = np.zeros((_DRAWS + 1, len(seats), len(_MEASURES)))  # the last is what happened
    variances = np.zeros(sums.shape[1:])
    for game in games:
        centred = np.transpose(
            [_centred([getattr(row, name) for row in game]) for name in _MEASURES]
        )
        places = [seats.index(row.seat) for row in game]
        order = np.arange(len(game))
        orders = rng.permuted(np.tile(order, (_DRAWS, 1)), axis=1)
        sums[:, places] += centred[np.vstack((orders, order))]
        variances[places] += (centred**2).mean(axis=0)
    scores = sums / np.sqrt(np.where(variances > 0.0, variances, 1.0))
    furthest = np.sort(np.abs(scores[:-1]).max(axis=(1, 2), initial=0.0))
    chance = furthest[int(_DRAWS * (1.0 - _BY_CHANCE))] + 1e-9
    for place, measure in np.argwhere(np.abs(scores[-1]) > chance).tolist():
        more = bool(scores[-1, place, measure] > 0.0)
        yield Difference(seat=seats[place], what=_MEASURES[measure], more=more)


def _centred(numbers: Sequence[float | None]) -> list[float]:
    """Return what each number is beyond their mean; 0 for one that is not known."""
    known = [number for number in numbers if number is not None]
    mean = fmean(known) if known else 0.0
    return [0.0 if number is None else number - mean for number in numbers]


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
