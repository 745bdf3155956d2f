"""
Does the advice win? One seat by it against others.

    python benchmarks/winning.py GAMES [--most N] [--jobs N] [--only TABLE] [--player P] [--write]

Games of the arena, a deal in every arrangement of the seats, so that each player sits in each seat
and begins as often; a win is the first right accusation. Each game is a line of the file GAMES once
it is played, so that a run may be stopped and goes on later, on the same code; `--write` publishes
what is there.

Beside it: wrong accusations, and whether accusations below certainty were right, and waiting won,
as often as was said, against each kind of others.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Struct, json
from publish import markdown, write
from rich.progress import track

from clue_solver.answers.standings import rate_interval
from clue_solver.arena.players import Advised
from clue_solver.arena.tournament import Tournament
from clue_solver.arena.view import View
from clue_solver.rules.observations import Accusation

SEED = 20261126
"""Of games that nobody had looked at while what plays them was built."""

EDGES = tuple(tenth / 10 for tenth in range(11))
"""Bands of what was said of an accusation, or of waiting."""

PLAYERS = {"advice": "winning:Telling", "advice:quick=1": "winning:Telling:quick=1"}
"""What people are told, closer and at once; both let their chances be noted."""


class Telling(Advised):
    """
    `advice`, the same.

    Attributes:
        waited: What waiting was said to win in the game that is played, at each turn.
        risked: How likely its accusation below certainty was said to be right, if it made one.
    """

    waited: ClassVar[list[float]] = []
    risked: ClassVar[list[float]] = []

    def accuse(self, view: View) -> tuple[str, ...] | None:
        """Note how likely the accusation is, or what waiting wins, whichever is to be done."""
        told = self.advice(view).accuse
        cards = super().accuse(view)
        if cards is not None and not told.certain and told.win_now is not None:
            self.risked.append(told.win_now)
        elif cards is None and told.win_wait is not None:
            self.waited.append(told.win_wait)
        return cards


class Row(NamedTuple):
    """
    A table that is played.

    Attributes:
        name: What it is called.
        edition, board: What is played.
        others: The other players.
        games: How many games.
    """

    name: str
    others: tuple[str, ...]
    games: int
    edition: str = "clue-classic"
    board: bool = False


def three(name: str, games: int) -> Row:
    """Return a table of four of the classic game without a board."""
    return Row(f"three `{name}`", (name,) * 3, games)


TABLES = (
    three("likeliest", 3000),
    three("random", 500),
    three("note-taker", 500),
    three("person", 500),
    Row("on the board: three `likeliest`", ("likeliest",) * 3, 500, board=True),
    Row("six players, board", ("likeliest",) * 5, 500, board=True),
    Row("two players of 2015, board", ("likeliest",), 500, edition="clue-2015", board=True),
    Row("Clue Diced, three players", ("likeliest",) * 2, 300, edition="clue-diced"),
    Row(
        "Master Detective, four players, board",
        ("likeliest",) * 3,
        300,
        edition="master-detective",
        board=True,
    ),
)


class Result(Struct, frozen=True):
    """
    How a game went for the one seat.

    Attributes:
        table, player, game: Which row's, who played the seat, and its number, from 1.
        won: Whether it won.
        wrong: Whether it accused wrongly.
        said: How likely its accusation below certainty was said to be; `None` if it made none.
        waited: What waiting was said to win, at each turn at which it waited.
    """

    table: str
    player: str
    game: int
    won: bool
    wrong: bool
    said: float | None
    waited: tuple[float, ...]


def play(row: Row, player: str, number: int) -> Result:
    """Play a game, and return how it went."""
    seat = PLAYERS[player]
    game = Tournament(
        edition=row.edition, players=(seat, *row.others), seed=SEED, board=row.board
    ).play(number)
    mine = next(name for name, by in game.players.items() if by == seat)
    accused = [each for each in game.observations if isinstance(each, Accusation)]
    found = Result(
        table=row.name,
        player=player,
        game=number,
        won=any(each.by == mine and each.right for each in accused),
        wrong=any(each.by == mine and not each.right for each in accused),
        said=next(iter(Telling.risked), None),
        waited=tuple(Telling.waited),
    )
    Telling.risked.clear()
    Telling.waited.clear()
    return found


def kept(path: Path) -> list[Result]:
    """Return the games of a file; none if there is no such file yet."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [json.decode(line, type=Result) for line in lines]


def measured(results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """Yield the rows of all tables."""
    accused: defaultdict[tuple[str, str], list[tuple[float, bool]]] = defaultdict(list)
    for row, player in product(TABLES, PLAYERS):
        here = [each for each in results if (each.table, each.player) == (row.name, player)]
        if not here:
            continue
        wins = sum(each.won for each in here)
        low, high = rate_interval(wins, len(here))
        yield {
            "kind": "wins",
            "table": row.name,
            "player": player,
            "games": len(here),
            "wins": wins,
            "low": low,
            "high": high,
            "wrong": sum(each.wrong for each in here),
        }
        right = [(each.said, each.won) for each in here if each.said is not None]
        won = [(said, each.won) for each in here for said in each.waited]
        for about, said in (("accusation", right), ("waiting", won)):
            accused[about, f"`{row.others[0]}`"] += said
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


def _rate(row: Mapping[str, Any]) -> str:
    share, half = row["wins"] / row["games"], (row["high"] - row["low"]) / 2
    return f"{100 * share:.1f} ± {100 * half:.1f}"


def table(results: Mapping[str, Any]) -> str:
    """Return who won how often."""
    heads = ("against", "one seat by", "games", "wins, %", "wrong accusations, %")
    rows = [
        (
            row["table"],
            f"`{row['player']}`",
            f"{row['games']:,}",
            _rate(row),
            f"{100 * row['wrong'] / row['games']:.1f}" if "wrong" in row else "",
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
        f"**Winning**: following its advice, one of four players wins {_rate(seat)}% against "
        "three perfect deducers."
    )


def main() -> None:
    """Play what is not there yet, print the tables, and write them if that is asked for."""
    options = argparse.ArgumentParser(description="Does the advice win?")
    options.add_argument("games", type=Path, help="the file of the games")
    options.add_argument("--most", type=int, default=3000, help="games of each row at most")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--only", help="tables with this in their name")
    options.add_argument("--player", choices=PLAYERS, default="advice")
    options.add_argument("--write", action="store_true", help="write the results")
    chosen = options.parse_args()
    rows = [row for row in TABLES if chosen.only is None or chosen.only in row.name]
    there = {(each.table, each.player, each.game) for each in kept(chosen.games)}
    with ProcessPoolExecutor(chosen.jobs) as pool, chosen.games.open("ab", buffering=0) as file:
        for row in rows:
            numbers = range(1, min(row.games, chosen.most) + 1)
            open_ = [each for each in numbers if (row.name, chosen.player, each) not in there]
            played = pool.map(partial(play, row, chosen.player), open_)
            for result in track(played, row.name, len(open_), transient=True):
                file.write(json.encode(result) + b"\n")
    found = list(measured(kept(chosen.games)))
    told = {"settings": {"seed": SEED}, "rows": found}
    if chosen.write:
        write("winning", found, settings={"seed": SEED})
    print(table(told))
    print()
    print(calibration(told))
    print()
    print(calibration(told, "waiting"))


if __name__ == "__main__":
    from winning import main as run  # as the players here are found, so that there is one of each

    run()
