"""Streams of events: each open page hears of its new versions, and asks for them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import chain

from clue_solver.faces.web.eyes import Eyes

_BEAT = 10.0
"""Seconds between signs of life, for which pages wait 25 (`static/page.js`)."""


class Streams:
    """
    The open streams of all pages of a server.

    Attributes:
        watching: What sets each stream of some eyes going.
        closing: Set once all of them end.
    """

    def __init__(self) -> None:
        self.watching: dict[Eyes, list[asyncio.Event]] = {}
        self.closing = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def versions(self, eyes: Eyes, secret: str) -> AsyncIterator[str]:
        """
        Yield the number of each version of a page, until its link or the server has ended.

        It comes again as a sign of life: a page that hears none for long connects anew.
        """
        self._loop = asyncio.get_running_loop()
        changed = asyncio.Event()
        self.watching.setdefault(eyes, []).append(changed)
        try:
            yield "retry: 1000\n"
            while not self.closing.is_set():
                if secret != eyes.secret:
                    yield "id: ended\ndata: -\n\n"
                    return
                changed.clear()
                yield f"id: {eyes.version}\ndata: -\n\n"  # whoever has another one asks for it
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), _BEAT)
        finally:
            self.watching[eyes].remove(changed)
            if not self.watching[eyes]:
                del self.watching[eyes]

    def tell(self, eyes: Eyes) -> None:
        """Let the pages of these eyes hear of its version, from any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._tell, eyes)

    def end(self) -> None:
        """Let all streams end."""
        self.closing.set()
        for changed in chain.from_iterable(self.watching.values()):
            changed.set()

    def _tell(self, eyes: Eyes) -> None:
        for changed in self.watching.get(eyes, ()):
            changed.set()
