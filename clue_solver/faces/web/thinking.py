"""
Verdicts: first looks with the page that shows them, closer ones beside, several seats side by side.

A first look takes some hundredths of a second, no longer than to send the page once more. Closer
ones are taken in processes, as threads of one process would share its time; where there can be
none, in a second thread.
"""

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial

from clue_solver.faces.thoughts import Thought, looks
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.tables import ServedTable
from clue_solver.faces.web.worker import Worker
from clue_solver.game import Game
from clue_solver.inference.workers import kept
from clue_solver.record import Record

_CORES = min(os.cpu_count() or 1, 4)
"""How many closer looks are taken at once; each of these processes needs some 70 MB."""


class Thinkers:
    """
    Who thinks for all tables of a server.

    Args:
        only: The thread of machines and reviews; one of their own for each if left out.
        processes: What takes closer looks; as many processes as there are cores if left out.

    Attributes:
        second: The thread of machines, and of closer looks where there are no processes.
        reviews: The thread of reviews, which take longest: no machine waits for them.
    """

    def __init__(self, only: Worker | None = None, processes: Executor | None = None) -> None:
        self.second = only or Worker()
        self.reviews = only or Worker()
        self._processes = processes

    def closer_look(self, record: Record) -> "Future[Thought]":
        """Begin a closer look at a record."""
        if self._processes is None:
            self._processes = kept(_CORES)
        return self._processes.submit(closest, record)

    def end(self) -> None:
        """Think no more."""
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)


class Thinking:
    """
    Thinks of the verdicts of a table.

    Args:
        table: The table.
        told: Called with each verdict of a closer look, in any thread.
        thinkers: Who takes closer looks.
    """

    def __init__(
        self, table: ServedTable, told: Callable[[Eyes, Thought], None], thinkers: Thinkers
    ) -> None:
        self._table = table
        self._told = told
        self._thinkers = thinkers
        self._under_way: dict[Eyes, Future[Thought]] = {}

    def look(self, eyes: Eyes) -> bool:
        """Take a first look at a game as it stands; return whether a closer one has to follow."""
        session = self._table.current(eyes)
        if eyes.current is not None:
            return False
        eyes.verdict = next(looks(session.game))._replace(record=session.record)
        return eyes.verdict.first

    def look_closer(self, eyes: Eyes, record: Record) -> None:
        """Begin a closer look; what it replaces need not begin any more."""
        if eyes in self._under_way:
            self._under_way[eyes].cancel()
        self._under_way[eyes] = look = self._thinkers.closer_look(record)
        look.add_done_callback(partial(self._found, eyes, record))

    def _found(self, eyes: Eyes, record: Record, done: "Future[Thought]") -> None:
        if done.cancelled():
            return
        if done.exception() is None:
            self._told(eyes, done.result()._replace(record=record))
        else:  # there can be no processes here
            self._thinkers.second.give(partial(self._look_here, eyes, record))

    def _look_here(self, eyes: Eyes, record: Record) -> None:
        if eyes.game.record is record:
            self._told(eyes, closest(record))


def closest(record: Record) -> Thought:
    """Return the last look at a record."""
    *_, last = looks(Game(record))
    return last
