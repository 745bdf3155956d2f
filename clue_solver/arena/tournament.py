"""
Tournaments: every arrangement of the players plays the same deals.

An arrangement is a rotation of the players around the table; equal arrangements count once. Games
come in the order of the deals, each deal in every arrangement. A game depends only on the seed, the
deal and the arrangement, not on the games before it. `Games.standings` counts how often each player
won.
"""

import warnings
from collections.abc import Generator, Sequence
from functools import cache, partial

import numpy as np
from msgspec import Struct

from clue_solver.arena.dealing import NAMES, deal
from clue_solver.arena.players import find_player
from clue_solver.arena.referee import Referee
from clue_solver.arena.referee import play as let_play
from clue_solver.errors import ArgumentError, printable
from clue_solver.game import Game
from clue_solver.game.games import Games
from clue_solver.inference.batch import prepare
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import load_edition
from clue_solver.workers import chunks, spread, take_all


class Tournament(Struct, frozen=True, kw_only=True):
    """
    The settings of a tournament.

    Attributes:
        edition: A shipped edition's name or the path of an edition file.
        players: The names of the players, in the order of the seats.
        games: The number of games.
        seed: The seed; the same seed gives the same games.
        board: Whether to play on the board, if the edition has one. Without it, any room can be
            named.
        compiled: Whether to use machine code, if numba is installed; the games are the same
            without.

    >>> games = Tournament(edition="clue-classic", players=("random", "likeliest"))
    >>> games.deal_and_seating(2)
    (1, ('likeliest', 'random'))
    """

    edition: str
    players: tuple[str, ...]
    games: int = 100
    seed: int = 0
    board: bool = True
    compiled: bool = True

    def check(self) -> Edition:
        """
        Return the edition, after checking that the tournament can be played.

        Raises:
            EditionError: If there is no such edition.
            ArgumentError: If the edition is not for this number of players, or there is no such
                player.
        """
        edition = _edition(self.edition)
        if beyond := edition.beyond_limits(len(self.players)):
            raise ArgumentError(beyond, argument="players")
        for name in self.players:
            find_player(name)
        return edition

    @property
    def arrangements(self) -> tuple[tuple[str, ...], ...]:
        """
        The different rotations of the players around the table.

        >>> Tournament(edition="clue-classic", players=("random", "likeliest")).arrangements
        (('random', 'likeliest'), ('likeliest', 'random'))
        """
        turned = (self.players[place:] + self.players[:place] for place in range(len(self.players)))
        return tuple(dict.fromkeys(turned))

    def deal_and_seating(self, game: int) -> tuple[int, tuple[str, ...]]:
        """
        Return the number of a game's deal, from 1, and its players in the order of the seats.

        `game` is the number of the game, from 1.
        """
        number, place = divmod(game - 1, len(self.arrangements))
        return number + 1, self.arrangements[place]

    def begin(self, game: int) -> Referee:
        """Return the game with this number, from 1, waiting for its first decision."""
        number, arrangement = self.deal_and_seating(game)
        place = self.arrangements.index(arrangement)
        seed = [self.seed, number]
        rng = np.random.default_rng([*seed, 0])
        dealt = deal(_edition(self.edition), len(self.players), rng, board=self.board)
        rngs = [np.random.default_rng([*seed, 2, place, seat]) for seat in range(len(self.players))]
        dice = np.random.default_rng([*seed, 1])
        return Referee(dealt, rng=dice, rngs=rngs, compiled=self.compiled)

    def play(self, game: int) -> Game:
        """Return the game with this number, from 1, played to its end."""
        _, arrangement = self.deal_and_seating(game)
        referee = self.begin(game)
        players = dict(zip(NAMES, arrangement, strict=False))
        let_play(referee, {seat: find_player(name) for seat, name in players.items()})
        return Game(referee.record, name=f"{game:04}", players=players)

    def results(self, *, jobs: int = -1) -> Generator[Game]:
        """
        Yield the games in order, each as soon as it and all earlier ones are over.

        Args:
            jobs: How many processes to use; -1 for one for each core, 1 for this process alone.
        """
        ahead = range(1, self.games + 1)
        size = max(1, min(25, len(ahead) // 256))
        if self.compiled:
            prepare("the games")  # in this process, or else each would compile the code
        jobs = 1 if len(ahead) < _FEW and jobs == -1 else jobs
        for part in spread(partial(_play_some, self), chunks(ahead, size), jobs=jobs):
            yield from part


def play(
    players: Sequence[str],
    *,
    games: int = 100,
    edition: str = "clue-classic",
    seed: int = 0,
    board: bool = True,
    jobs: int = -1,
    progress: bool = False,
) -> Games:
    """
    Return games between computer players, recorded in full: all hands, moves and answers.

    Args:
        players: The names of the players, in the order of the seats; they rotate from game to game.
        games: The number of games.
        edition: A shipped edition's name or the path of an edition file.
        seed: The seed; the same seed gives the same games.
        board: Whether to play on the board, if the edition has one. Without it, any room can be
            named.
        jobs: How many processes to use; -1 for one for each core, 1 for this process alone.
        progress: Whether to show the progress, on standard error or in the notebook.

    Ctrl+C, or a notebook's interrupt, ends it early: the finished games are returned, if any, with
    a warning that says how many they are.

    Raises:
        EditionError, ArgumentError: As in `Tournament.check`.

    >>> games = play(["likeliest", "random", "random"], games=2, seed=7)
    >>> games, games[1].players
    (<Games: 2 games, 120 entries>, {'Ann': 'random', 'Ben': 'random', 'Cat': 'likeliest'})
    """
    if isinstance(players, str):
        found = printable(players, most=80)
        raise ArgumentError(f"expected a list of names; found '{found}'", argument="players")
    tournament = Tournament(
        edition=edition, players=tuple(players), games=games, seed=seed, board=board
    )
    tournament.check()
    kept = Games()
    if stopped := take_all(tournament.results(jobs=jobs), games, kept.append, shown=progress):
        warnings.warn(stopped, stacklevel=2)
    return kept


_FEW = 8
"""The number of games below which all are played in this process, unless `jobs` is given."""


def _play_some(tournament: Tournament, games: Sequence[int]) -> list[Game]:
    """Return the games with these numbers, played to their end."""
    return [tournament.play(game) for game in games]


@cache
def _edition(name: str) -> Edition:
    """Return an edition; its file is read only once."""
    return load_edition(name)
