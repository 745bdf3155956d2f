"""Many games as one collection: rows for tables, and what is known in all of them at once."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, overload

import numpy as np
import numpy.typing as npt

from clue_solver import errors
from clue_solver.answers.display import draw
from clue_solver.game.batches import games_in
from clue_solver.game.game import Game, load
from clue_solver.inference.batch import Evaluations, Floats, evaluate, prepare
from clue_solver.inference.positions import Positions
from clue_solver.knowledge.clauses import Layout
from clue_solver.knowledge.viewer import Knowledge
from clue_solver.notation import lexicon_of
from clue_solver.notation.names import Names
from clue_solver.rules.table import SPECTATOR, Shows, Table

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.progress import Progress

EACH: Literal["each"] = "each"
"""Every seat's view, or the position after every entry."""

_AT_ONCE = 2_000
"""So many positions are evaluated in one call, so that progress shows and memory is bounded."""


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let the garbage collector rest: it would walk through all games, none of which is garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Games(Sequence[Game]):
    """
    Games to be looked at together, in order, each under a name; their tables may differ.

    Attributes:
        names: Each game's name: its file, or its number in a tournament.
        players: Who sat where in each game, by seat: the name of the seat itself, or of the
            autonomous player.

    >>> games = load_games(["examples/classic.clue", "examples/evening.clue"])
    >>> games
    <Games: 2 games, 40 entries>
    >>> known = games.evaluate(viewer="Ann", upto="each")
    >>> known.marginals.shape  # positions, cards, holders
    (40, 21, 5)
    >>> known.games[-1], known.entries[-1], known.cards[0]
    ('examples/evening.clue', 22, 'Scarlett')
    """

    def __init__(
        self,
        games: Iterable[Game],
        *,
        names: Iterable[str] | None = None,
        players: Iterable[Mapping[str, str]] | None = None,
    ) -> None:
        self._games = tuple(games)
        numbers = map(str, range(1, len(self._games) + 1))
        self.names = tuple(numbers if names is None else names)
        seats = ({seat: seat for seat in game.table.seats} for game in self._games)
        self.players = tuple(seats if players is None else players)
        for argument, given in (("names", self.names), ("players", self.players)):
            if len(given) != len(self._games):
                told = f"expected one for each of {errors.counted(len(self._games), 'game')}"
                raise errors.ArgumentError(
                    f"{argument}: {told}; found {len(given)}", argument=argument
                )

    def __len__(self) -> int:
        return len(self._games)

    @overload
    def __getitem__(self, which: int | str) -> Game: ...

    @overload
    def __getitem__(self, which: slice) -> Games: ...

    def __getitem__(self, which: int | str | slice) -> Game | Games:
        if isinstance(which, slice):
            return self._some(range(len(self))[which])
        if isinstance(which, str):
            if which not in self.names:
                raise errors.ArgumentError(
                    f"which: expected the name of a game; found {which!r}",
                    argument="which",
                )
            which = self.names.index(which)
        return self._games[which]

    def __repr__(self) -> str:
        entries = sum(len(game.observations) for game in self._games)
        many = errors.counted(len(self), "game")
        return f"<Games: {many}, {errors.counted(entries, 'entry')}>"

    def _some(self, which: Sequence[int]) -> Games:
        return Games(
            [self._games[number] for number in which],
            names=[self.names[number] for number in which],
            players=[self.players[number] for number in which],
        )

    def notes_of(self, seat: str) -> Games:
        """Return each game as that seat could have written it down; see `Game.notes_of`."""
        return Games([game.notes_of(seat) for game in self], names=self.names, players=self.players)

    def alike(self) -> Iterator[Games]:
        """Yield the games whose positions go together, those of the first game first."""
        groups: list[list[int]] = []
        for number, game in enumerate(self._games):
            for group in groups:
                if _alike(self._games[group[0]].table, game.table):
                    group.append(number)
                    break
            else:
                groups.append([number])
        yield from map(self._some, groups)

    def to_frame(self, what: Literal["games", "entries"] = "games") -> DataFrame:
        """
        Return a pandas table with a row for each game, or for each entry of all.

        Games: `game`, `edition`, `seats`, `players`, `viewer`, `entries`, `suggestions`, `first`
        and `winner` (seats; `None` where the record does not tell) with `first_player` and
        `winner_player`, `accusations`, `solution`. Entries: `game` and `entry`, then the columns of
        `Game.to_frame`, with `by_player` behind `by`. Who plays in a seat is as in `players`.

        Raises:
            MissingExtra: If pandas is not installed.
        """
        frame: DataFrame = draw(self, "frame", what)
        return frame

    @_uncollected()
    def evaluate(
        self,
        *,
        viewer: str | None = None,
        upto: int | Literal["each"] | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
        progress: bool = False,
    ) -> Evaluated:
        """
        Return what is certain and how likely the rest is in all these positions, with labels.

        Hand sizes may differ; cards and seats may not. Games are read as they are needed.

        Args:
            viewer: Whose notes: a seat, `spectator`, or `each` for every seat in turn; the
                header's if left out.
            upto: After so many entries (a shorter game has no such position), or after `each`; at
                the end if left out.
            shows, asks: As in every method of `Game`.
            progress: Whether to show how far it is, on standard error or in the notebook.

        Raises:
            NotationError: If there is no such viewer.
            ArgumentError: If there are no such positions, or their cards or seats differ.
        """
        asked = self._asked(viewer, upto)
        count = sum(len(seats) * len(entries) for _, seats, entries in asked)
        games: list[str] = []
        viewers: list[str] = []
        players: list[str | None] = []
        numbers: list[int] = []
        waiting: dict[Layout, list[tuple[int, _Known]]] = {}  # each with its first position
        whole: Evaluations | None = None

        def work(layout: Layout, whole: Evaluations) -> None:
            told = waiting.pop(layout)
            places = [np.arange(at, at + len(one.entries)) for at, one in told]
            logs = [(one.knowledge, one.entries) for _, one in told]
            whole.put(np.concatenate(places), evaluate(Positions.beginnings(logs)))

        prepare("many positions")
        known = self._known(asked, shows, asks)
        total = sum(len(seats) for _, seats, _ in asked)
        for one in shown(known, "Evaluating", total=total, progress=progress):
            layout = one.knowledge.layout
            whole = whole or Evaluations.empty(layout, count)
            waiting.setdefault(layout, []).append((len(numbers), one))
            games += [self.names[one.game]] * len(one.entries)
            who = one.viewer or SPECTATOR
            viewers += [who] * len(one.entries)
            players += [self.players[one.game].get(who)] * len(one.entries)
            numbers += one.entries
            if sum(len(each.entries) for _, each in waiting[layout]) >= _AT_ONCE:
                work(layout, whole)
        assert whole is not None
        for layout in tuple(waiting):
            work(layout, whole)
        table = self[asked[0][0]].table
        return Evaluated(
            cards=table.cards,
            holders=table.holders,
            games=tuple(games),
            viewers=tuple(viewers),
            players=tuple(players),
            entries=tuple(numbers),
            **{name: found for name, found in whole._asdict().items() if name != "compiled"},
        )

    def _asked(
        self, viewer: str | None, upto: int | Literal["each"] | None
    ) -> list[tuple[int, Sequence[str | None], Sequence[int]]]:
        """
        Return the games in which there is such a position, whose views, and after which entries.

        Raises:
            NotationError: If there is no such viewer.
            ArgumentError: If there are none, or their cards or seats differ.
        """
        asked: list[tuple[int, Sequence[str | None], Sequence[int]]] = []
        for number, game in enumerate(self._games):
            last = len(game.observations)
            entries: Sequence[int] = range(1, last + 1)
            if upto != EACH:
                entries = [last if upto is None else upto]
            if entries and 0 <= entries[-1] <= last:
                asked.append((number, _whose(game.table, viewer), entries))
                if not _alike(self._games[asked[0][0]].table, game.table):
                    raise self._apart(asked[0][0], number)
        if not asked and not self._games:
            raise errors.ArgumentError("games: expected one or more; found none", argument="games")
        if not asked:
            raise errors.ArgumentError(
                f"upto: expected an entry that a game has; found {upto}", argument="upto"
            )
        return asked

    def _known(
        self,
        asked: Iterable[tuple[int, Sequence[str | None], Sequence[int]]],
        shows: Shows | None,
        asks: str | None,
    ) -> Iterator[_Known]:
        """Yield what is known in each game, by each of the viewers."""
        for number, seats, entries in asked:
            for seat in seats:
                game = self._games[number].seen(viewer=seat, shows=shows, asks=asks)
                yield _Known(number, game.table.viewer, entries, game.knowledge())

    def _apart(self, one: int, other: int) -> errors.ArgumentError:
        """Return the error that says in what two games differ that do not go together."""
        tables = self._games[one].table, self._games[other].table
        names = [errors.printable(self.names[number]) for number in (one, other)]
        differing = {
            "edition": [table.edition.title for table in tables],
            "players": [", ".join(table.seats) for table in tables],
            "cards in play": [errors.counted(len(table.cards), "card") for table in tables],
        }
        what = next((what for what, (a, b) in differing.items() if a != b), "cards")
        found = f"{names[0]} has {differing[what][0]}, {names[1]} {differing[what][1]}"
        return errors.ArgumentError(
            f"games: expected the same {what}; {found} (alike() sorts them)", argument="games"
        )


class Evaluated(NamedTuple):
    """
    Positions of many games, evaluated.

    Attributes:
        cards, holders: What the arrays' cards and holders are called, in order.
        games, viewers, players, entries: Of each position: which game, whose notes, who plays in
            that seat (`None` for a spectator), after how many entries.
        consistent: Whether some deal fits. Where none does, probabilities are `nan`, verdicts and
            deals 0; shape (positions,).
        verdicts: 1 holds, 2 lacks, 0 open; int8, shape (positions, cards, holders).
        marginals: The probability of each card with each holder, the same shape.
        deals: The number of deals that fit, whole numbers of any size, shape (positions,).
        solutions: The posterior, shape (positions, cards of the first category, ...).
        bits: Its entropy, shape (positions,).
        left_out: Whether what people usually do does not count because it is too much to sum, shape
            (positions,).
        refused: By the numbers of the positions in which too much is open why they have no
            probabilities (these are `nan`, and 0 deals stand for a number not known).

    >>> known = load_games("examples/classic.clue").evaluate(viewer="each")
    >>> known.viewers, known.marginals.shape
    (('Ann', 'Ben', 'Cat', 'Dan'), (4, 21, 5))
    """

    cards: tuple[str, ...]
    holders: tuple[str, ...]
    games: tuple[str, ...]
    viewers: tuple[str, ...]
    players: tuple[str | None, ...]
    entries: tuple[int, ...]
    consistent: npt.NDArray[np.bool_]
    verdicts: npt.NDArray[np.int8]
    marginals: Floats
    deals: npt.NDArray[Any]
    solutions: Floats
    bits: Floats
    left_out: npt.NDArray[np.bool_]
    refused: dict[int, str]

    @_uncollected()
    def to_frame(self, what: Literal["positions", "marginals"] = "positions") -> DataFrame:
        """
        Return a pandas table with a row for each position, or for each cell of each.

        Both begin with `game`, `viewer`, `player` (who plays in that seat; none for a spectator)
        and `entry`. Positions: `consistent`, `deals`, `bits`, `likeliest` (the cards of the
        likeliest solution) and its `chance`. Marginals: `card`, `holder`, `probability` and
        `verdict` (`holds`, `lacks` or `open`).

        Raises:
            MissingExtra: If pandas is not installed.
        """
        frame: DataFrame = draw(self, "frame", what)
        return frame

    def __repr__(self) -> str:
        many = errors.counted(len(self.games), "position")
        return f"<Evaluated: {many} of {errors.counted(len({*self.games}), 'game')}>"


class _Known(NamedTuple):
    """What a viewer knows in a game, and after which entries that is asked for."""

    game: int
    viewer: str | None
    entries: Sequence[int]
    knowledge: Knowledge


def _whose(table: Table, viewer: str | None) -> Sequence[str | None]:
    """Return whose notes are meant, `None` for those of the header's viewer."""
    if viewer in (None, EACH):
        return table.seats if viewer else (None,)
    viewers = lexicon_of(table).viewers
    if not viewers.readings(viewer):
        viewers = Names(viewers.kind, (*viewers.names, EACH))
    who = viewers.find(viewer)
    return table.seats if who == EACH else (who,)


def _alike(one: Table, other: Table) -> bool:
    """Return whether positions at two tables have the same cards and holders."""
    return one.cards == other.cards and one.holders == other.holders


@_uncollected()
def load_games(paths: str | Path | Iterable[str | Path]) -> Games:
    """
    Return the games in files, and of folders all records in them and below, each under its path.

    Raises:
        RecordError, EditionError: As `load`; all must be records.

    >>> load_games("examples")["examples/classic.clue"]
    <Game: Clue; Ann, Ben, Cat, Dan; entries: 18>
    """
    names = games_in(paths)
    return Games([load(name) for name in names], names=names)


T = TypeVar("T")


def shown(work: Iterable[T], what: str, *, total: int, progress: bool) -> Iterator[T]:
    """Yield what is worked through, with a bar of how far it is where that is asked for."""
    if not progress:
        yield from work
        return
    with bar(counted=True) as drawn:
        yield from drawn.track(work, total=total, description=what)


def bar(*, counted: bool) -> Progress:
    """
    Return a bar on standard error of how far some work is; none where nobody can see it.

    Args:
        counted: Whether it says how many of how many, else what percentage.
    """
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TaskProgressColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    return Progress(
        *Progress.get_default_columns()[:2],
        MofNCompleteColumn() if counted else TaskProgressColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=console,
        transient=True,
        disable=not (console.is_terminal or console.is_jupyter),
        redirect_stdout=False,  # what is printed meanwhile goes by the bar's console
        redirect_stderr=False,
    )
