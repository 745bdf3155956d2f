"""
This benchmark counts how often a player who follows the advice wins.

    python benchmarks/winning.py GAMES [--most N] [--jobs N] [--out FOLDER]

One player does what `Game.advice` says, whatever the others do; the first right accusation wins.
Each deal is played in every arrangement of the players, so that each player sits in every seat, and
begins, equally often. The last three columns are about accusations below certainty: how many there
were, their stated chance of being right, and how often they were in fact right. Each finished game
is saved as a line in the file GAMES, so that an interrupted run can be resumed. Intervals are
Wilson's 95% intervals.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, json
from publish import PUBLISHED, markdown, write
from rich.progress import track

from clue_solver.answers.standings import rate_interval
from clue_solver.arena.tournament import Tournament
from clue_solver.rules.observations import Accusation

TITLE = "How often the advice wins"


class Row(NamedTuple):
    """
    What is played.

    Attributes:
        others: The other players.
        games: How many games.
        edition, board: What is played, and whether on its board.
        advised: The player that is measured.
    """

    others: tuple[str, ...]
    games: int = 500
    edition: str = "clue-classic"
    board: bool = False
    advised: str = "advice"


ROWS = {
    "three `likeliest`": Row(("likeliest",) * 3, games=3000),
    "three `random`": Row(("random",) * 3, games=1000),
    "three `note-taker`": Row(("note-taker",) * 3),
    "three `person`": Row(("person",) * 3),
    "three `likeliest`, board": Row(("likeliest",) * 3, board=True),
    "five `likeliest`, board": Row(("likeliest",) * 5, board=True),
    "one `likeliest`, 2015, board": Row(("likeliest",), edition="clue-2015", board=True),
    "two `likeliest`, Clue Diced": Row(("likeliest",) * 2, games=300, edition="clue-diced"),
    "three `likeliest`, Master Detective": Row(
        ("likeliest",) * 3, games=300, edition="master-detective"
    ),
    "three `likeliest`, quick advice": Row(("likeliest",) * 3, advised="advice:quick=1"),
}


class Result(Struct, frozen=True):
    """
    How a game went for who is advised.

    Attributes:
        row, game: What was played, and the game's number, from 1.
        won, wrong: Whether its accusation was right, or wrong; neither if it made none.
        said: How likely its accusation below certainty was said to be right, if it made one.
    """

    row: str
    game: int
    won: bool = False
    wrong: bool = False
    said: float | None = None


def play(task: tuple[str, int]) -> Result:
    """Play a game of a row, and return how it went."""
    name, number = task
    row = ROWS[name]
    players = (row.advised, *row.others)
    tournament = Tournament(edition=row.edition, players=players, seed=PUBLISHED, board=row.board)
    game = tournament.play(number)
    mine = next(seat for seat, player in game.players.items() if player == row.advised)
    notes = game.notes_of(mine)
    for entry, each in enumerate(notes.observations):
        if isinstance(each, Accusation) and each.by == mine:
            told = notes.at(entry).advice(quick=True).accuse  # which says of it what a closer does
            return Result(name, number, each.right, not each.right, told.win_now)
    return Result(name, number)


def measured(results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """Yield what was measured of each row."""
    for name in ROWS:
        games = [each for each in results if each.row == name]
        risked = [each for each in games if each.said is not None]
        wins = sum(each.won for each in games)
        low, high = rate_interval(wins, len(games))
        yield {
            "row": name,
            "games": len(games),
            "wins": wins,
            "low": low,
            "high": high,
            "wrong": sum(each.wrong for each in games),
            "risked": len(risked),
            "said": sum(each.said or 0.0 for each in risked),
            "right": sum(each.won for each in risked),
        }


def _percent(count: float, of: int) -> str:
    return f"{100 * count / of:.1f}" if of else ""


def _rate(row: Mapping[str, Any]) -> str:
    return f"{_percent(row['wins'], row['games'])} ± {50 * (row['high'] - row['low']):.1f}"


def tables(results: Mapping[str, Any]) -> dict[str, str]:
    """Return the table by its title."""
    heads = ("against", "games", "wins, %", "accuses wrongly, %", "below certainty", "stated, %")
    lines = [
        (
            row["row"],
            f"{row['games']:,}",
            _rate(row),
            _percent(row["wrong"], row["games"]),
            f"{row['risked']:,}",
            _percent(row["said"], row["risked"]),
            _percent(row["right"], row["risked"]),
        )
        for row in results["rows"]
        if row["games"]
    ]
    return {"One player who follows the advice": markdown((*heads, "right, %"), lines)}


def line(results: Mapping[str, Any]) -> str:
    """Return the README's line."""
    rate = _rate(results["rows"][0])
    games = f"{rate}% of games against three perfect deducers"
    return f"**Winning**: a player who follows the program's advice wins {games}."


def kept(path: Path) -> list[Result]:
    """Return the games of a file; none if there is no such file yet."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [json.decode(line, type=Result) for line in lines]


def main() -> None:
    """Play what is not there yet, all rows alike far, and print the table; write it if asked."""
    options = argparse.ArgumentParser(description="Does the advice win?")
    options.add_argument("games", type=Path, help="the file of the games")
    options.add_argument("--most", type=int, default=3000, help="games of a row at most")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--out", type=Path, help="a folder for winning.json")
    chosen = options.parse_args()
    there = {(each.row, each.game) for each in kept(chosen.games)}
    numbers = {name: range(1, min(row.games, chosen.most) + 1) for name, row in ROWS.items()}
    tasks = [(name, each) for name in ROWS for each in numbers[name] if (name, each) not in there]
    tasks.sort(key=lambda task: task[1] / ROWS[task[0]].games)
    with ProcessPoolExecutor(chosen.jobs) as pool, chosen.games.open("ab", buffering=0) as file:
        for result in track(pool.map(play, tasks), "Playing", len(tasks)):
            file.write(json.encode(result) + b"\n")
    rows = list(measured(kept(chosen.games)))
    if chosen.out is not None:
        write("winning", rows, settings={"seed": PUBLISHED}, folder=chosen.out)
    print(*tables({"rows": rows}).values())


if __name__ == "__main__":
    main()
