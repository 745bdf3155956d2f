"""
Does the advice win? One seat by it against others.

    python benchmarks/winning.py [--quick] [--seed S] [--jobs N] [--only TABLE]

Games of the arena, a deal in every arrangement of the seats, so that each player sits in each seat
and begins as often; a win is the first right accusation.

Beside it: how many turns of all four readers need until the first can prove the solution, nobody
accusing before; and whether accusations below certainty were right, and waiting won, as often as
was said, against each kind of others.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
from results import markdown, write
from rich.progress import track

from clue_solver.arena.advised import Advised, Weighed
from clue_solver.arena.dealing import NAMES
from clue_solver.arena.players import NoteTaker
from clue_solver.arena.seat_view import View
from clue_solver.arena.standings import mean_of, rate_interval
from clue_solver.arena.tournament import GamePlayed, Tournament
from clue_solver.inference.propagation import propagate

SEED = 20261126
"""Of games that nobody had looked at while what plays them was built."""

EDGES = tuple(tenth / 10 for tenth in range(11))
"""Bands of what was said of an accusation, or of waiting."""

QUICK = 20
"""How many times fewer games `--quick` plays."""

READERS, CAREFUL = "winning:Reader", "winning:Careful"

ADVICE = "winning:Telling"
"""`advice` that lets its chances be noted."""


class Telling(Advised):
    """
    `advice`, the same.

    Attributes:
        waited: What waiting was said to win in the game that is played, at each turn.
        risked: How likely its accusation below certainty was said to be right, if it made one.
    """

    waited: ClassVar[list[float]] = []
    risked: ClassVar[list[float]] = []

    def weigh(self, view: View) -> Weighed | None:
        """Note what waiting wins, or how likely the accusation is, whichever is to be done."""
        weighed = super().weigh(view)
        if weighed is not None and weighed.better:
            self.risked.append(weighed.chance)
        elif weighed is not None:
            self.waited.append(weighed.wait)
        return weighed


class Reader(Advised):
    """`advice` that accuses when the solution is proved, and not before."""

    def accuse(self, view: View) -> Sequence[str] | None:
        """Return the solution once it is proved."""
        return view.proved


class Careful(NoteTaker):
    """`note-taker` that also writes down that a seat has one of the cards it was asked for."""

    def notes(self, view: View) -> list[int]:
        """Return the same with what these either-ors tell."""
        return propagate(view.knowledge, counting=True)


class Row(NamedTuple):
    """
    A table that is played.

    Attributes:
        name: What it is called.
        edition, board: What is played.
        others: The other players.
        games: How many games.
        players: Who plays the one seat, in turn: each the same deals.
    """

    name: str
    others: tuple[str, ...]
    games: int
    players: tuple[str, ...] = ("advice",)
    edition: str = "clue-classic"
    board: bool = False


def three(name: str, games: int, *players: str) -> Row:
    """Return a table of four of the classic game without a board."""
    called = {CAREFUL: "three `note-taker` with either-ors"}.get(name, f"three `{name}`")
    return Row(called, (name,) * 3, games, players or ("advice",))


TABLES = (
    three("likeliest", 6000),
    three("random", 1000),
    three("note-taker", 1000),
    three(CAREFUL, 1000),
    three("person", 1000),
    three("likeliest:bluff=0.3", 2000, "advice", "advice:level=0.3"),
    Row("on the board: three `likeliest`", ("likeliest",) * 3, 1000, board=True),
    Row("three players, board", ("likeliest",) * 2, 1000, board=True),
    Row("six players, board", ("likeliest",) * 5, 1000, board=True),
    Row("two players of 2015, board", ("likeliest",), 1000, edition="clue-2015", board=True),
    Row("Clue Diced, three players", ("likeliest",) * 2, 1000, edition="clue-diced"),
    Row(
        "Master Detective, four players, board",
        ("likeliest",) * 3,
        300,
        edition="master-detective",
        board=True,
    ),
    Row("four readers", (READERS,) * 3, 500, (READERS,)),
)


class Result(NamedTuple):
    """
    How a game went for the one seat.

    Attributes:
        won: Whether it won.
        accused: Its accusation below certainty: how likely it was said to be, and whether it was
            right; `None` if it made none.
        waited: What waiting was said to win, at each turn at which it waited.
        solved: Everybody's turns until the first could prove the solution.
    """

    won: bool
    accused: tuple[float, bool] | None
    waited: tuple[float, ...]
    solved: int | None


def result(game: GamePlayed, player: str) -> Result:
    """Return how a game went that was just played for a player; for the first of that name."""
    mine = NAMES[game.players.index(player)]
    won = game.how.winner == mine
    accused = next(((chance, won) for chance in Telling.risked), None)
    waited = tuple(Telling.waited)
    Telling.risked.clear()
    Telling.waited.clear()
    return Result(won, accused, waited, game.how.solved)


def some(tournament: Tournament, games: Sequence[int]) -> list[Result]:
    """Play some games."""
    return [result(tournament.play(game), tournament.players[0]) for game in games]


def played(row: Row, player: str, seed: int, pool: Executor) -> list[Result]:
    """Return the games of a row with one player in the one seat."""
    tournament = Tournament(
        edition=row.edition,
        players=(ADVICE if player == "advice" else player, *row.others),
        games=row.games,
        seed=seed,
        board=row.board,
    )
    parts = [range(low, high) for low, high in pairwise([*range(1, row.games, 10), row.games + 1])]
    found = pool.map(partial(some, tournament), parts)
    title = f"{row.name}: {player}"
    return [each for part in track(found, title, len(parts), transient=True) for each in part]


def measured(rows: Sequence[Row], seed: int, pool: Executor) -> Iterator[dict[str, Any]]:
    """Yield the rows of all tables."""
    accused: defaultdict[tuple[str, str], list[tuple[float, bool]]] = defaultdict(list)
    for row in rows:
        found = {player: played(row, player, seed, pool) for player in row.players}
        for player, results in found.items():
            wins = sum(each.won for each in results)
            low, high = rate_interval(wins, len(results))
            told: dict[str, Any] = {
                "kind": "wins",
                "table": row.name,
                "player": player,
                "games": len(results),
                "wins": wins,
                "low": low,
                "high": high,
            }
            turns = mean_of([float(each.solved) for each in results if each.solved is not None])
            if turns.mean is not None and turns.interval is not None:
                told |= {"turns": turns.mean, "turns_ci": turns.interval[1] - turns.mean}
            yield told
            if player.startswith("advice"):
                kind = _CALLED.get(row.others[0], f"`{row.others[0]}`")
                if player != "advice":
                    kind += ", by the setting"
                right = [each.accused for each in results if each.accused is not None]
                won = [(said, each.won) for each in results for said in each.waited]
                for about, said in (("accusation", right), ("waiting", won)):
                    accused[about, kind] += said
                    accused[about, "all"] += said
    for (about, kind), said in accused.items():
        yield from calibrated(about, kind, said)


def calibrated(
    about: str, others: str, accused: Sequence[tuple[float, bool]]
) -> Iterator[dict[str, Any]]:
    """Yield what came true of accusations, or of waiting, a row for each band of what was said."""
    said = np.array([chance for chance, _ in accused])
    right = np.array([true for _, true in accused], bool)
    for low, high in pairwise(EDGES):
        here = (said >= low) & (said < high)
        if cases := int(here.sum()):
            around = rate_interval(int(right[here].sum()), cases)
            yield {
                "kind": "calibration",
                "about": about,
                "others": others,
                "from": low,
                "to": high,
                "cases": cases,
                "said": float(said[here].mean()),
                "true": float(right[here].mean()),
                "low": around[0],
                "high": around[1],
            }


def _of_kind(results: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    return (row for row in results["rows"] if row["kind"] == kind)


_CALLED = {
    READERS: "`advice`, accusing when certain",
    CAREFUL: "`note-taker` with either-ors",
}


def _rate(row: Mapping[str, Any]) -> str:
    share, half = row["wins"] / row["games"], (row["high"] - row["low"]) / 2
    return f"{100 * share:.1f} ± {100 * half:.1f}"


def table(results: Mapping[str, Any]) -> str:
    """Return who won how often."""
    heads = (
        "against",
        "one seat by",
        "games",
        "wins, %",
        "turns until the first is certain or wins",
    )
    rows = [
        (
            row["table"],
            _CALLED.get(row["player"], f"`{row['player']}`"),
            f"{row['games']:,}",
            _rate(row),
            f"{row['turns']:.2f} ± {row['turns_ci']:.2f}" if "turns" in row else "",
        )
        for row in _of_kind(results, "wins")
    ]
    return markdown(heads, rows)


def calibration(results: Mapping[str, Any], about: str = "accusation") -> str:
    """Return whether accusations below certainty were right, or waiting won, as often as said."""
    came = {"accusation": "right, %", "waiting": "won, %"}[about]
    heads = ("others", "said between, %", f"cases of {about}", "said, %", came)
    rows = [
        (
            row["others"],
            f"{100 * row['from']:.0f} and {100 * row['to']:.0f}",
            f"{row['cases']:,}",
            f"{100 * row['said']:.1f}",
            f"{100 * row['true']:.1f} ± {50 * (row['high'] - row['low']):.1f}",
        )
        for row in _of_kind(results, "calibration")
        if row["about"] == about
    ]
    return markdown(heads, rows)


def line(results: Mapping[str, Any]) -> str:
    """Return the README's sentence."""
    rows = {(row["table"], row["player"]): row for row in _of_kind(results, "wins")}
    seat = rows["three `likeliest`", "advice"]
    return (
        f"**Winning**: following its advice, one of four players wins {_rate(seat)} % against "
        "three perfect deducers."
    )


def main() -> None:
    """Play, write the results, and print the tables."""
    options = argparse.ArgumentParser(description="Does the advice win?")
    options.add_argument("--quick", action="store_true", help="a twentieth of the games; not kept")
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--only", help="tables with this in their name; the results are not kept")
    chosen = options.parse_args()
    rows = [row for row in TABLES if chosen.only is None or chosen.only in row.name]
    if chosen.quick:
        rows = [row._replace(games=row.games // QUICK) for row in rows]
    with ProcessPoolExecutor(chosen.jobs) as pool:
        found = list(measured(rows, chosen.seed, pool))
    told = {"settings": {"seed": chosen.seed}, "rows": found}
    if not chosen.quick and chosen.only is None:
        write("winning", found, settings={"seed": chosen.seed})
    print(table(told))
    print()
    print(calibration(told))
    print()
    print(calibration(told, "waiting"))


if __name__ == "__main__":
    from winning import main as run  # as the players here are found, so that there is one of each

    run()
