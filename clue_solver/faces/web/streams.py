"""Streams of events: each open page hears of its new versions, and asks for them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import chain

from clue_solver.faces.web.tables import Notebook

MOST = 600
"""The most that are open, of all tables together."""

_BEAT = 10.0
"""Seconds between signs of life, for which pages wait 25 (`static/page.js`)."""


class Stream:
    """A stream of events: whether there is something to tell, and whether it is to end."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        self.ended = False


class Streams:
    """
    The open streams of all pages of a server.

    Attributes:
        watching: The streams of each notebook, the oldest first.
        closing: Set once all of them end.
    """

    def __init__(self) -> None:
        self.watching: dict[Notebook, list[Stream]] = {}
        self.closing = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def versions(self, book: Notebook, secret: str) -> AsyncIterator[str]:
        """
        Yield the number of each version of a page, until its link or the server has ended.

        It comes again as a sign of life: a page that hears none for long connects anew.
        """
        self._loop = asyncio.get_running_loop()
        stream = Stream()
        self.watching.setdefault(book, []).append(stream)
        self.end_some()
        try:
            yield "retry: 1000\n"
            while not (self.closing.is_set() or stream.ended):
                if secret not in book.links.every:
                    yield "id: ended\ndata: -\n\n"
                    return
                stream.changed.clear()
                yield f"id: {book.version}\ndata: -\n\n"  # whoever has another one asks for it
                with suppress(TimeoutError):
                    await asyncio.wait_for(stream.changed.wait(), _BEAT)
        finally:
            self.watching[book].remove(stream)
            if not self.watching[book]:
                del self.watching[book]

    def end_some(self) -> None:
        """End the oldest stream of the page that has the most, where there are too many."""
        every = self.watching.values()
        going = [[each for each in streams if not each.ended] for streams in every]
        if sum(map(len, going)) <= MOST:
            return
        oldest = max(going, key=len)[0]
        oldest.ended = True
        oldest.changed.set()

    def tell(self, book: Notebook) -> None:
        """Let the pages of a notebook hear of its version, from any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._tell, book)

    def end(self) -> None:
        """Let all streams end."""
        self.closing.set()
        for stream in chain.from_iterable(self.watching.values()):
            stream.changed.set()

    def _tell(self, book: Notebook) -> None:
        for stream in self.watching.get(book, ()):
            stream.changed.set()
