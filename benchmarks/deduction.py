"""
What is certain, and who finds it: the SAT backbone against rules that people and programs use.

    python benchmarks/deduction.py [--quick] [--seed S] [--games N]

Every prefix of the recorded games, of the examples and of seeded random games (simulate.py), seen
by one player. A fact is a cell of the sheet: this holder has this card, or cannot have it. The
backbone is complete (an open cell has a deal for either side), so what the others do not find they
miss. The rules are those of clue_solver/arena/notes.py, with and without counting hands. Facts that
a line of the log tells outright, such as the own hand, are in the numbers too; all ways find those.

Times are the processor's, for one position from the log on, with nothing kept. Stages are thirds
of the log.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from compare import RANDOM, RECORDED, ROOT, TURNS
from msgspec.structs import replace
from positions import Position, forget
from results import FOLDER, PUBLISHED, figure, markdown, read, spread, write
from rich.progress import track
from simulate import random_game

from clue_solver.arena.notes import propagated
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from clue_solver.record import Record, load_record
from clue_solver.rules.table import ANY

NAME = "deduction"
STAGES = ("first third", "second third", "last third")


def backbone(knowledge: Knowledge) -> list[int]:
    """Return what can be, completely."""
    return Deduction(knowledge).possible(knowledge.entries)


def unit_propagation(knowledge: Knowledge) -> list[int]:
    """Return what can be, as far as the clauses alone tell."""
    return propagated(knowledge, counting=False)


def counting_hands(knowledge: Knowledge) -> list[int]:
    """Return what can be, as far as the clauses and the numbers of cards tell."""
    return propagated(knowledge, counting=True)


COMPLETE = "SAT backbone"
WAYS: dict[str, Callable[[Knowledge], list[int]]] = {
    COMPLETE: backbone,
    "rules with hand counting": counting_hands,
    "unit propagation": unit_propagation,
}


class Found(NamedTuple):
    """
    What one way found at one position.

    Attributes:
        facts: Cells that are certain.
        placed: Cards whose holder is certain.
        envelope: Cards of the envelope that are certain.
        seconds: How long it took.
    """

    facts: int
    placed: int
    envelope: int
    seconds: float


def found(position: Position, way: Callable[[Knowledge], list[int]]) -> tuple[Found, list[int]]:
    """Return what a way finds at a position, in numbers and as masks of possible holders."""
    table, seen, viewer = position
    forget()
    begun = process_time()
    knowledge = knowledge_of(replace(table, shows="random", asks=ANY), seen, viewer=viewer)
    possible = way(knowledge)
    seconds = process_time() - begun
    layout = knowledge.layout
    return Found(
        facts=sum(_cells(mask, layout.holders) for mask in possible),
        placed=sum(mask.bit_count() == 1 for mask in possible),
        envelope=sum(mask == 1 << layout.envelope for mask in possible),
        seconds=seconds,
    ), possible


def _cells(mask: int, holders: int) -> int:
    """Return how many cells of a card's row are certain."""
    return holders if mask.bit_count() == 1 else holders - mask.bit_count()


def games(seed: int, number: int) -> Iterator[tuple[str, Record]]:
    """Yield the games by kind, so many random ones of each."""
    for kind, folder in (("recorded", RECORDED), ("examples", ROOT / "examples")):
        for file in sorted(folder.glob("*.clue")):
            yield kind, load_record(file)
    for kind, edition, seats, spectator in RANDOM:
        if not spectator:
            for game in range(seed, seed + number):
                yield kind, random_game(edition, seats, turns=TURNS, seed=game)


Groups = dict[tuple[str, str], list[dict[str, Found]]]
"""By kind of game and stage: for each position what each way found."""


def measured(seed: int, number: int) -> Groups:
    """Return what each way found at all positions."""
    groups: Groups = {}
    for kind, record in track(list(games(seed, number)), "games", transient=True):
        entries = len(record.observations)
        for upto in range(1, entries + 1):
            position = (record.table, record.observations[:upto], record.table.viewer)
            stage = STAGES[(upto - 1) * len(STAGES) // entries]
            groups.setdefault((kind, stage), []).append(_compared(position))
    return groups


def summed(groups: Groups) -> Iterator[dict[str, Any]]:
    """Yield a row for each kind of game, stage and way: sums over its positions."""
    for (kind, stage), positions in groups.items():
        for way in WAYS:
            own = [each[way] for each in positions]
            best = [each[COMPLETE] for each in positions]
            yield {
                "kind": kind,
                "stage": stage,
                "method": way,
                "positions": len(own),
                "facts": sum(each.facts for each in own),
                "placed": sum(each.placed for each in own),
                "envelope": sum(each.envelope for each in own),
                "short": sum(each.facts < all.facts for each, all in zip(own, best, strict=True)),
            }


def timed(groups: Groups) -> dict[str, tuple[float | None, float | None]]:
    """Return each way's median and 95th percentile of seconds over all positions."""
    every = [each for positions in groups.values() for each in positions]
    return {way: spread([each[way].seconds for each in every]) for way in WAYS}


def _compared(position: Position) -> dict[str, Found]:
    """
    Return what each way finds at a position.

    Raises:
        SystemExit: If a way rules out what the backbone says can be: then one of the two is wrong.
    """
    results, tables = {}, {}
    for name, way in WAYS.items():
        results[name], tables[name] = found(position, way)
    possible = tables[COMPLETE]
    for name, table in tables.items():
        if any(mask & ~seen for mask, seen in zip(possible, table, strict=True)):
            raise SystemExit(f"{name} rules out what the backbone allows: {position}")
    return results


def table(results: Mapping[str, Any]) -> str:
    """Return facts found and missed, over all games, by way."""
    columns = ("way", "facts found", "missed", "cards not placed", "envelope cards missed")
    return markdown(
        (*columns, "positions with a miss", "time, median", "95th percentile"),
        _lines(results["rows"], results["times"]),
    )


def line(results: Mapping[str, Any]) -> str:
    """Return what matters most in a sentence: facts found, and what simpler ways miss."""
    own, *others = _lines(results["rows"], results["times"])
    missed = ", ".join(f"{other[0]} {other[2]}" for other in others)
    return f"**Complete**: all of {own[1]} forced facts are found; of them miss: {missed}."


def by_stage(results: Mapping[str, Any]) -> str:
    """Return the share of facts missed, by kind of game, stage and way."""
    rows: list[Mapping[str, Any]] = results["rows"]
    ways = list(dict.fromkeys(row["method"] for row in rows))
    lines = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        for stage in dict.fromkeys(row["stage"] for row in rows):
            group = [row for row in rows if (row["kind"], row["stage"]) == (kind, stage)]
            shares = [_missed(group, way, "facts") for way in ways[1:]]
            facts = sum(row["facts"] for row in group if row["method"] == ways[0])
            lines.append((kind, stage, f"{facts:,}", *shares))
    return markdown(("games", "stage", "facts", *(f"missed by {way}" for way in ways[1:])), lines)


def _lines(
    rows: Sequence[Mapping[str, Any]], times: Mapping[str, Sequence[float]]
) -> Iterator[tuple[object, ...]]:
    for way in dict.fromkeys(row["method"] for row in rows):
        own = [row for row in rows if row["method"] == way]
        median, late = times[way]
        short, positions = (sum(row[key] for row in own) for key in ("short", "positions"))
        yield (
            way,
            f"{sum(row['facts'] for row in own):,}",
            *(_missed(rows, way, what) for what in ("facts", "placed", "envelope")),
            figure(short / positions, "%"),
            figure(median, "s"),
            figure(late, "s"),
        )


def _missed(rows: Sequence[Mapping[str, Any]], way: str, what: str) -> str:
    """Return the share of what the complete way, the first, finds and this one does not."""
    best, own = (
        sum(row[what] for row in rows if row["method"] == name) for name in (rows[0]["method"], way)
    )
    return figure((best - own) / best, "%") if best else "-"


def main() -> None:
    """Measure all, write the results and print the tables."""
    options = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    options.add_argument("--quick", action="store_true", help="one game of each kind, not written")
    options.add_argument("--seed", type=int, default=PUBLISHED, help="of the first random games")
    options.add_argument("--games", type=int, default=20, help="random games of each kind")
    options.add_argument("--folder", type=Path, default=FOLDER, help="where to write")
    asked = options.parse_args()
    number = 1 if asked.quick else asked.games
    groups = measured(asked.seed, number)
    results: Mapping[str, Any] = {"rows": list(summed(groups)), "times": timed(groups)}
    if not asked.quick:
        settings, where = {"seed": asked.seed, "games": number}, {"folder": asked.folder}
        write(NAME, results["rows"], settings=settings, times=results["times"], **where)
        results = read(NAME, **where)
    print(table(results), by_stage(results), sep="\n\n")


if __name__ == "__main__":
    main()
