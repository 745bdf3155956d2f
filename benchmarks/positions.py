"""The positions that are measured, and everything about one worked out from scratch."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from publish import ROOT

from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from clue_solver.record.contents import Record
from clue_solver.record.files import load_record
from clue_solver.rules.edition import Card, Category, Edition
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import ANY, Shows, Table
from tests.random_games import random_game

KINDS = {"suspect": 2, "weapon": 2, "room": 3}
"""The categories and their proportions, those of the classic edition."""

STAGES = {"early": 0.25, "middle": 0.5, "late": 0.8}
"""After which part of a game's entries it is measured."""

TURNS = 24
"""How many suggestions a random game has."""

RANDOM: tuple[tuple[str, str, int, bool], ...] = (
    ("3 players", "clue-classic", 3, False),
    ("4 players", "clue-classic", 4, False),
    ("6 players", "clue-classic", 6, False),
    ("4 players, spectator", "clue-classic", 4, True),
    ("Clue Diced, 3 players", "clue-diced", 3, False),
    ("Master Detective, 6 players", "master-detective", 6, False),
    ("Master Detective, 10 players", "master-detective", 10, False),
)
"""Kinds of random games: name, edition, players, whether a spectator looks on."""

CACHES = "clue_solver.knowledge", "clue_solver.inference"
"""The packages that keep what they have worked out."""


class Position(NamedTuple):
    """A table, what was observed at it, and who looks on: a seat, or nobody for a spectator."""

    table: Table
    seen: Sequence[Observation]
    viewer: str | None

    def known(self, *, shows: Shows = "none") -> Knowledge:
        """Return what the viewer knows; by default all deals that fit count alike."""
        table = replace(self.table, shows=shows, asks=ANY)
        return knowledge_of(table, self.seen, viewer=self.viewer)


class Case(NamedTuple):
    """A position with what kind of game it is from and how far that has gone."""

    kind: str
    game: str
    stage: str
    position: Position


def games(seed: int, number: int) -> Iterator[tuple[str, str, Record, bool]]:
    """Yield kind, name, record, whether a spectator looks on: so many random games of each kind."""
    for kind, folder in (("recorded", ROOT / "tests" / "games"), ("examples", ROOT / "examples")):
        for file in sorted(folder.glob("*.clue")):
            yield kind, file.stem, load_record(file), False
    for kind, edition, seats, spectator in RANDOM:
        for game in range(seed, seed + number):
            record = random_game(edition, seats, turns=TURNS, seed=game)
            yield kind, f"{edition} {seats} {game}", record, spectator


def cases(seed: int, number: int) -> Iterator[Case]:
    """Yield the positions of all games, early, in the middle and late."""
    for kind, name, record, spectator in games(seed, number):
        viewer = None if spectator else record.table.viewer
        for stage, share in STAGES.items():
            seen = record.observations[: max(1, round(share * len(record.observations)))]
            yield Case(kind, name, stage, Position(record.table, seen, viewer))


def edition_of(cards: int) -> Edition:
    """
    Return an edition of so many cards in three categories, as near 2 : 2 : 3 as can be.

    >>> [len(kind.cards) for kind in edition_of(30).category]
    [9, 8, 13]
    """
    rest, shares = cards, sum(KINDS.values())
    kinds = []
    for name, share in KINDS.items():
        size = round(rest * share / shares)
        rest, shares = rest - size, shares - share
        named = tuple(Card(name=f"{name} {number + 1}") for number in range(size))
        kinds.append(Category(name=name, cards=named))
    title = f"{cards} cards"
    return Edition(name=title, title=title, players=(2, 10), category=tuple(kinds))


def forget(*packages: str) -> None:
    """Clear the caches of some packages, else of all: nothing is left of other positions."""
    for name, module in list(sys.modules.items()):
        if name.startswith(packages or CACHES):
            for each in vars(module).values():
                if hasattr(each, "cache_clear"):
                    each.cache_clear()


def worked_out(position: Position) -> Diagram:
    """Return the diagram of a position, built from scratch, its marginals worked out as well."""
    forget()
    diagram = Deduction(position.known(shows="random")).diagram(len(position.seen))
    diagram.marginals()
    return diagram
