"""
What is certain, and who finds it: the SAT backbone against rules, at every entry of many games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from compare import RANDOM, RECORDED, ROOT, TURNS
from methods import known
from positions import Position, forget
from results import figure, markdown
from simulate import random_game

from clue_solver.inference.deduction import Deduction
from clue_solver.inference.propagation import propagate
from clue_solver.knowledge.viewer import Knowledge
from clue_solver.record import Record, load_record

STAGES = ("first third", "second third", "last third")


COMPLETE = "SAT backbone"


def backbone(knowledge: Knowledge) -> list[int]:
    """Return what can be, completely."""
    return Deduction(knowledge).possible(knowledge.entries)


READERS: dict[str, Callable[[Knowledge], list[int]]] = {
    COMPLETE: backbone,
    "pencil and paper": partial(propagate, counting=True),
    "unit propagation": partial(propagate, counting=False),
}


class Found(NamedTuple):
    """
    What one way found at one position.

    Attributes:
        facts: Cells that are certain.
        placed: Cards whose holder is certain.
        envelope: Cards of the envelope that are certain.
    """

    facts: int
    placed: int
    envelope: int


def found(knowledge: Knowledge, possible: Sequence[int]) -> Found:
    """Return what masks of possible holders tell, in numbers."""
    layout = knowledge.layout
    return Found(
        facts=sum(_cells(mask, layout.holders) for mask in possible),
        placed=sum(mask.bit_count() == 1 for mask in possible),
        envelope=sum(mask == 1 << layout.envelope for mask in possible),
    )


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


Moments = list[tuple[str, dict[str, Found]]]
"""For each moment of a game its stage, and what each way found."""


def moments(record: Record) -> Moments:
    """Return what each way found at every entry of a game."""
    entries = len(record.observations)
    read: Moments = []
    for upto in range(1, entries + 1):
        position = (record.table, record.observations[:upto], record.table.viewer)
        read.append((STAGES[(upto - 1) * len(STAGES) // entries], _compared(position)))
    return read


def _compared(position: Position) -> dict[str, Found]:
    """
    Return what each way finds at a position.

    Raises:
        SystemExit: If a way rules out what the backbone says can be: then one of the two is wrong.
    """
    forget()
    knowledge = known(position)
    tables = {name: way(knowledge) for name, way in READERS.items()}
    for name, table in tables.items():
        if any(mask & ~seen for mask, seen in zip(tables[COMPLETE], table, strict=True)):
            raise SystemExit(f"{name} rules out what the backbone allows: {position}")
    return {name: found(knowledge, table) for name, table in tables.items()}


def summed(read: Iterable[tuple[str, Moments]]) -> Iterator[dict[str, Any]]:
    """Yield a row for each kind of game, stage and way: sums over its positions."""
    groups: dict[tuple[str, str], list[dict[str, Found]]] = {}
    for kind, game in read:
        for stage, position in game:
            groups.setdefault((kind, stage), []).append(position)
    for (kind, stage), positions in groups.items():
        for way in READERS:
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


def overall(rows: Sequence[Mapping[str, Any]]) -> list[tuple[object, ...]]:
    """Return what each way found and missed of the facts, over all games."""
    lines: list[tuple[object, ...]] = []
    for way in dict.fromkeys(row["method"] for row in rows):
        own = [row for row in rows if row["method"] == way]
        short, positions = (sum(row[key] for row in own) for key in ("short", "positions"))
        lines.append(
            (
                way,
                f"{sum(row['facts'] for row in own):,}",
                *(_missed(rows, way, what) for what in ("facts", "placed", "envelope")),
                figure(short / positions, "%"),
            )
        )
    return lines


def by_stage(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the share of facts missed, by kind of game, stage and way."""
    ways = list(dict.fromkeys(row["method"] for row in rows))
    lines = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        for stage in dict.fromkeys(row["stage"] for row in rows):
            group = [row for row in rows if (row["kind"], row["stage"]) == (kind, stage)]
            shares = [_missed(group, way, "facts") for way in ways[1:]]
            facts = sum(row["facts"] for row in group if row["method"] == ways[0])
            lines.append((kind, stage, f"{facts:,}", *shares))
    return markdown(("games", "stage", "facts", *(f"missed by {way}" for way in ways[1:])), lines)


def _missed(rows: Sequence[Mapping[str, Any]], way: str, what: str) -> str:
    """Return the share of what the complete way, the first, finds and this one does not."""
    best, own = (
        sum(row[what] for row in rows if row["method"] == name) for name in (rows[0]["method"], way)
    )
    return figure((best - own) / best, "%") if best else "-"
