"""
Verdicts, thought of beside the pages: first looks one by one, closer ones side by side.

First looks take some hundredths of a second each, and come in a thread of their own, that of the
seat whose turn it is first. Closer ones begin once no first look is left: those of several seats in
processes, as threads of one process would share its time; else in a second thread.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from clue_solver.faces.web.tables import Notebook, ServedTable, Thought, looks
from clue_solver.faces.web.worker import Worker
from clue_solver.game import Game
from clue_solver.inference.workers import kept
from clue_solver.record import Record


class _Look(NamedTuple):
    """A first look that was taken: whose, of which record, and how it goes on."""

    book: Notebook
    record: Record
    closer: Iterator[Thought]


class Thinking:
    """
    Thinks of the verdicts of a table.

    Args:
        table: The notebooks.
        told: Called with each verdict, in any thread.
    """

    def __init__(self, table: ServedTable, told: Callable[[Notebook, Thought], None]) -> None:
        self._table = table
        self._told = told
        self._first, self._second = Worker(), Worker()
        self._order: tuple[Notebook, ...] = ()
        self._wanted: set[Notebook] = set()
        self._looked: list[_Look] = []
        self._processes: ProcessPoolExecutor | None = None
        self._under_way: dict[Notebook, Future[Thought]] = {}

    def want(self, book: Notebook) -> None:
        """Have the verdict of a notebook thought of; called where the game is changed."""
        self._order = self._table.in_turn
        if book not in self._wanted:
            self._wanted.add(book)
            self._first.give(self._look)

    def end(self) -> None:
        """Think no more."""
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)

    def _look(self) -> None:
        """Take the most urgent first look; after the last one the closer ones, in that order."""
        order = self._order
        book = min(self._wanted, key=order.index)
        self._wanted.discard(book)
        record = book.game.record
        closer = book.looks(record)
        verdict = next(closer)
        self._told(book, verdict)
        if verdict.first:
            self._looked.append(_Look(book, record, closer))
        if self._wanted:
            return
        looked = sorted(self._looked, key=lambda look: order.index(look.book))
        self._looked = []
        for look in looked:
            if self._table.public and (os.cpu_count() or 1) > 1:
                self._spread(look)
            else:
                self._second.give(partial(self._go_on, look))

    def _go_on(self, look: _Look) -> None:
        """Take a closer look in this process, unless the record has changed."""
        if look.book.game.record is look.record:
            for verdict in look.closer:
                self._told(look.book, verdict)

    def _spread(self, look: _Look) -> None:
        """Have a closer look taken in another process; what it replaces need not begin any more."""
        if look.book in self._under_way:
            self._under_way[look.book].cancel()
        if self._processes is None:
            self._processes = kept(min(os.cpu_count() or 1, len(self._table.seats)))
        future = self._processes.submit(closest, look.record)
        self._under_way[look.book] = future
        future.add_done_callback(partial(self._found, look))

    def _found(self, look: _Look, done: "Future[Thought]") -> None:
        if done.cancelled():
            return
        if done.exception() is None:
            self._told(look.book, done.result()._replace(record=look.record))
        else:  # there can be no processes here
            self._second.give(partial(self._go_on, look))


def closest(record: Record) -> Thought:
    """Return the last look at a record."""
    *_, last = looks(Game(record))
    return last
