"""
The hardest log for the deal diagram, searched for.

Hill climbing: a true deal is drawn, the hardest of some random logs is changed one suggestion at a
time (another asker, another card, another card shown, one more or one less), and a change stays if
the diagram has as many arrows or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from positions import Position, edition, worked_out
from simulate import random_cards, random_deal, suggestion

from clue_solver.arena.dealing import Dealt
from clue_solver.errors import TooLarge
from clue_solver.rules.observations import Observation

RANDOM_LOGS = 10

LONGEST = 60
"""How many suggestions a searched log may have at most."""


class Shape(NamedTuple):
    """A table to search the worst log for, and how many logs may be tried from each start."""

    cards: int
    players: int
    viewer: str
    tries: int


class Told(NamedTuple):
    """A suggestion of a log under search: who asks, for what, and which match is shown."""

    by: str
    asked: tuple[str, ...]
    choice: float


class Search:
    """Hill climbing over the logs of one true deal, towards more arrows."""

    def __init__(self, shape: Shape, seed: str) -> None:
        self.random = Random(f"{seed} {shape.cards} {shape.players} {shape.viewer}")
        self.dealt = random_deal(self.random, edition(shape.cards), shape.players)
        self.shape = shape

    def position(self, log: Sequence[Told]) -> Position:
        """Return the log as the viewer saw it."""
        return seen_by(self.dealt, log, self.shape.viewer)

    def arrows(self, log: Sequence[Told]) -> float:
        """Return the arrows of the log's diagram; infinity where it is refused."""
        try:
            return worked_out(self.position(log)).arrows_in_all
        except TooLarge:
            return float("inf")

    def told(self) -> Told:
        """Return a random suggestion."""
        asked = random_cards(self.random, self.dealt.table.edition)
        return Told(self.random.choice(self.dealt.table.seats), asked, self.random.random())

    def changed(self, log: Sequence[Told]) -> list[Told]:
        """Return the log with one change."""
        random, after = self.random, list(log)
        place = random.randrange(len(after)) if after else 0
        change = random.choice(("more", "less", "another", "asker", "card", "shown"))
        if change == "more" or not after:
            if len(after) < LONGEST:
                after.insert(place, self.told())
            return after
        if change == "less":
            del after[place]
            return after
        old, new = after[place], self.told()
        if change == "asker":
            new = old._replace(by=new.by)
        elif change == "card":
            kind = random.randrange(len(old.asked))
            asked = (*old.asked[:kind], new.asked[kind], *old.asked[kind + 1 :])
            new = old._replace(asked=asked)
        elif change == "shown":
            new = old._replace(choice=new.choice)
        after[place] = new
        return after

    def climb(self) -> tuple[list[Told], float, float]:
        """Return the worst log found, its arrows, and the median of the random logs before it."""
        lengths = [self.random.randint(1, 3 * self.shape.players) for _ in range(RANDOM_LOGS)]
        logs = [[self.told() for _ in range(length)] for length in lengths]
        arrows = [self.arrows(log) for log in logs]
        most = max(arrows)
        log = logs[arrows.index(most)]
        for _ in range(self.shape.tries):
            other = self.changed(log)
            found = self.arrows(other)
            if found >= most:
                log, most = other, found
        return log, most, float(np.median(arrows))


def seen_by(dealt: Dealt, log: Sequence[Told], viewer: str) -> Position:
    """Return a log of a true deal with the table's answers, the viewer's own hand first."""
    seen: list[Observation] = [dealt.own]
    for told in log:

        def choose(could: list[str], seat: str, asker: str, told: Told = told) -> str:
            return could[int(told.choice * len(could))]

        seen.append(suggestion(dealt, told.by, told.asked, choose=choose))
    return dealt.table, seen, dealt.table.viewer if viewer == "player" else None


def climbed(task: tuple[Shape, str]) -> tuple[Position, float, float]:
    """Search from one start; return the position found and its arrows, and a random log's."""
    search = Search(*task)
    log, most, usual = search.climb()
    return search.position(log), most, usual
