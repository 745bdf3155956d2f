"""
Many games: as data frames, evaluated at once, and compared as a season.

If a file cannot be read or reviewed, its error is reported and the other games are still processed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, SupportsIndex, overload

import numpy as np
from msgspec.structs import asdict

from clue_solver import errors
from clue_solver.answers.display import draw
from clue_solver.game.game import Game, load
from clue_solver.inference.batch import Evaluations, evaluate, prepare
from clue_solver.inference.positions import Positions
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.rules.table import SPECTATOR, Shows, Table
from clue_solver.workers import spread

if TYPE_CHECKING:
    from pandas import DataFrame

    from clue_solver.answers.season import PlayedFile, Season
    from clue_solver.answers.standings import Standings

Paths = str | Path | Iterable[str | Path]
"""A file, a folder, or several of them."""

EACH: Literal["each"] = "each"
"""As a viewer it means every seat; as the number of entries, the position after every entry."""


class Games(list[Game]):
    """
    A list of games, which may have different tables; `games["evening.clue"]` finds one by name.

    >>> games = load_all(["examples/classic.clue", "examples/evening.clue"])
    >>> games
    <Games: 2 games, 40 entries>
    >>> games["evening.clue"]
    <Game: Clue; Ann, Ben, Cat, Dan; entries: 22>
    >>> known = games.evaluate(viewer="Ann", upto="each")
    >>> known.marginals.shape  # positions, cards, holders
    (40, 21, 5)
    >>> known.games[-1], known.entries[-1], known.cards[0]
    ('examples/evening.clue', 22, 'Scarlett')
    """

    @overload
    def __getitem__(self, which: SupportsIndex | str) -> Game: ...

    @overload
    def __getitem__(self, which: slice) -> Games: ...

    def __getitem__(self, which: SupportsIndex | str | slice) -> Game | Games:
        """
        Return a game by index or by name (its path, or just the file's name), or several by slice.

        Raises:
            ArgumentError: If not exactly one game has this name.
        """
        if isinstance(which, slice):
            return Games(super().__getitem__(which))
        if not isinstance(which, str):
            return super().__getitem__(which)
        found = [game for game in self if which in (game.name, Path(game.name).name)]
        if len(found) != 1:
            expected = (
                "expected the name of a game" if not found else "several games are called that"
            )
            raise errors.ArgumentError(f"which: {expected}; found {which!r}", argument="which")
        return found[0]

    def __repr__(self) -> str:
        entries = sum(len(game.observations) for game in self)
        many = errors.counted(len(self), "game")
        return f"<Games: {many}, {errors.counted(entries, 'entry')}>"

    @property
    def names(self) -> list[str]:
        """The games' names; for a game without one its number, from 1."""
        return [game.name or str(number) for number, game in enumerate(self, 1)]

    def to_frame(self, what: Literal["games", "entries"] = "games") -> DataFrame:
        """
        Return a pandas table with a row for each game, or for each entry of all games.

        Columns for games: `game`, `edition`, `seats`, `players`, `viewer`, `entries`,
        `suggestions`, `first` and `winner` (seats; `None` if the record does not tell) with
        `first_player` and `winner_player`, `accusations`, `solution`. For entries: `game` and
        `entry`, then the columns of `Game.to_frame`, with `by_player` after `by`. `Game.players`
        says who plays a seat.

        Raises:
            MissingExtra: If pandas is not installed.
        """
        frame: DataFrame = draw(self, "frame", what)
        return frame

    def standings(self) -> Standings:
        """Return how often each player won and accused wrongly."""
        from clue_solver.answers.standings import Played, build_standings

        return build_standings(Played(game.table, game.observations, game.players) for game in self)

    def evaluate(
        self,
        *,
        viewer: str | None = None,
        upto: int | Literal["each"] | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
    ) -> Evaluated:
        """
        Return what is certain and how likely the rest is, in many positions.

        All games must have the same seats and cards; hand sizes may differ. This is faster with
        numba.

        Args:
            viewer: Whose knowledge: a seat, `spectator`, or `each` for every seat in turn; the
                header's viewer if left out.
            upto: The number of entries that count (a shorter game then has no position), or `each`
                for the position after every entry; all entries if left out.
            shows, asks: How players choose what to show and to ask, as in `ViewOptions`; as in each
                header if left out.

        Raises:
            NotationError: If there is no such viewer.
            ArgumentError: If there are no positions, or their cards or seats differ.
        """
        # The positions: for each game and viewer, after which entries.
        if not self:
            raise errors.ArgumentError("games: expected one or more; found none", argument="games")
        asked = [
            (name, game, who, entries)
            for name, game in zip(self.names, self, strict=True)
            if (entries := _entries(game, upto))
            for who in _viewers(game.table, viewer)
        ]
        if not asked:
            reason = f"upto: expected an entry that a game has; found {upto}"
            raise errors.ArgumentError(reason, argument="upto")
        # Whether they fit into the same arrays, and what each is called.
        first, table = asked[0][0], asked[0][1].table
        for name, game, _, _ in asked:
            _check_alike(first, table, name, game.table)
        labels = [
            (name, who, game.players.get(who), entry)
            for name, game, who, entries in asked
            for entry in entries
        ]
        # What is known in each of them, evaluated game by game into the whole arrays.
        prepare("many positions")
        whole: Evaluations | None = None
        start = 0  # the number of the next game's first position
        for _, game, who, entries in asked:
            view = game.seen(viewer=who, shows=shows, asks=asks)
            seat, log = view.table.viewer, view.observations
            known = knowledge_of(view.table, log, viewer=seat, supposed=view.supposed)
            found = evaluate(Positions.beginnings([(known, entries)]))
            whole = whole or Evaluations.empty(known.layout, len(labels))
            whole.put(np.arange(start, start + len(entries)), found)
            start += len(entries)
        assert whole is not None
        names, viewers, players, numbers = zip(*labels, strict=True)
        return Evaluated(
            **asdict(whole),
            cards=table.cards,
            holders=table.holders,
            games=names,
            viewers=viewers,
            players=players,
            entries=numbers,
        )


class Evaluated(Evaluations, frozen=True, kw_only=True, eq=False):
    """
    The results for many positions of games, and which positions they are.

    The results are arrays, the attributes of `inference.batch.Evaluations`.

    Attributes:
        cards, holders: The names of the cards and holders, in the order in which the arrays have
            them.
        games, viewers, players, entries: For each position, the name of the game, the viewer, the
            player of that seat (`None` for a spectator), and the number of entries that count.

    >>> known = load_all("examples/classic.clue").evaluate(viewer="each")
    >>> known.viewers, known.marginals.shape
    (('Ann', 'Ben', 'Cat', 'Dan'), (4, 21, 5))
    """

    cards: tuple[str, ...]
    holders: tuple[str, ...]
    games: tuple[str, ...]
    viewers: tuple[str, ...]
    players: tuple[str | None, ...]
    entries: tuple[int, ...]

    def to_frame(self, what: Literal["positions", "marginals"] = "positions") -> DataFrame:
        """
        Return a pandas table: one row per position, or one per card and holder at each position.

        Its first columns are `game`, `viewer`, `player` (of that seat; `None` for a spectator) and
        `entry`. The others for positions: `consistent`, `deals`, `bits` (how much is still unknown
        about the solution), and `chance`, the probability of the likeliest solution. For marginals:
        `card`, `holder`, `probability` and `verdict` (`holds`, `lacks` or `open`).

        Raises:
            MissingExtra: If pandas is not installed.
        """
        frame: DataFrame = draw(self, "frame", what)
        return frame

    def __repr__(self) -> str:
        many = errors.counted(len(self.games), "position")
        return f"<Evaluated: {many} of {errors.counted(len({*self.games}), 'game')}>"


def _entries(game: Game, upto: int | Literal["each"] | None) -> Sequence[int]:
    """
    Return the numbers of the entries, from 1, after which a game is evaluated.

    `upto` is such a number, `each` for all, or `None` for the last. There is none if the game has
    fewer than `upto` entries.
    """
    last = len(game.observations)
    if upto == EACH:
        return range(1, last + 1)
    entry = last if upto is None else upto
    return [entry] if 0 <= entry <= last else []


def _viewers(table: Table, viewer: str | None) -> Sequence[str]:
    """
    Return the viewers that `viewer` names: all seats for `each`, the header's viewer for `None`.

    A viewer is a seat's name or `spectator`.
    """
    if viewer is None:
        return (table.viewer or SPECTATOR,)
    if viewer.casefold() == EACH:
        return table.seats
    return (lexicon_of(table).viewers.find(viewer),)


def _check_alike(name: str, table: Table, other_name: str, other: Table) -> None:
    """
    Raise an `ArgumentError` unless two games have the same seats, cards and holders.

    Args:
        name, table: The name and the table of a game.
        other_name, other: Those of the other game.
    """
    for what in ("seats", "cards", "holders"):
        here, there = (", ".join(getattr(each, what)) for each in (table, other))
        if here != there:
            message = f"expected the same {what}; {name} has {here}, {other_name} {there}"
            raise errors.ArgumentError(f"games: {message}", argument="games")


def load_all(paths: Paths) -> Games:
    """
    Return the games in files and folders, including subfolders; each is named by its path.

    Raises:
        RecordError, EditionError: As in `load`; all files must be records.

    >>> load_all("examples")["classic.clue"]
    <Game: Clue; Ann, Ben, Cat, Dan; entries: 18>
    """
    return Games(map(load, games_in(paths)))


def games_in(paths: Paths) -> list[str]:
    """
    Return the paths of all record files, as given; a folder stands for the records in it and below.

    The files of a folder are sorted by path.

    >>> games_in(["examples/evening.clue", "examples"])[:2]
    ['examples/evening.clue', 'examples/classic.clue']
    """
    names: list[str] = []
    for path in [paths] if isinstance(paths, str | Path) else paths:
        if Path(path).is_dir():
            files = (file for file in Path(path).rglob("*") if file.suffix in (".clue", ".jsonl"))
            names += map(str, sorted(files))
        else:
            names.append(str(path))
    return names


def season(games: Games | Paths, *, jobs: int = -1) -> Season:
    """
    Return a comparison of players over many games; players of the same name count as one.

    Args:
        games: Games in the order in which they were played, or the paths of files and folders with
            games. A game that is not over does not count.
        jobs: How many processes to use; -1 for one for each core, 1 for this process alone.

    >>> found = season(load_all(["examples/evening.clue", "examples/diced.clue"]), jobs=1)
    >>> [(player.seat, player.games, player.wins) for player in found.players][:2]
    [('Ann', 1, 1), ('Mia', 1, 1)]
    """
    from clue_solver.answers.season import build_season

    return build_season(games_of_season(games, jobs=jobs))


def games_of_season(games: Games | Paths, *, jobs: int = -1) -> Generator[PlayedFile]:
    """
    Yield the results of each game for a season, in the given order.

    Args:
        games: The games, or the paths of files and folders with games.
        jobs: How many processes to use; -1 for one for each core, 1 for this process alone.
    """
    each: Iterable[Game | str] = games if isinstance(games, Games) else games_in(games)
    yield from spread(_played, each, jobs=jobs)


def _played(game: Game | str) -> PlayedFile:
    """
    Return the results of a game, given as such or by its path.

    There are none if the game is not over. If it fails, the result is the error's message.
    """
    from clue_solver.answers.season import PlayedFile, build_played_file

    name = game if isinstance(game, str) else game.name
    try:
        game = load(game) if isinstance(game, str) else game
        return build_played_file(name, game.review(), game.observations)
    except errors.ClueError as error:
        if isinstance(error, errors.ArgumentError) and error.argument == "solution":
            return PlayedFile()  # it is not over
        reason = str(error)
        if isinstance(error, errors.RecordError) and error.path == name:
            return PlayedFile(error=reason)
    except Exception as error:  # whatever it is, the other games are not to blame
        reason = f"unexpected {type(error).__name__}: {error}"
    return PlayedFile(error=f"{errors.printable(name, most=200)}: {reason}")
