"""Event streams, which tell open pages that they have to reload."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import chain

from clue_solver.faces.web.eyes import Eyes

_BEAT = 10.0
"""The most seconds between two events. After 25 without any, pages reconnect (`static/page.js`)."""


class Streams:
    """
    The open event streams of all pages of a server.

    Attributes:
        watching: For each page, an `asyncio.Event` per open stream. To set it sends the version.
        closing: Set when all streams must end.
    """

    def __init__(self) -> None:
        self.watching: dict[Eyes, list[asyncio.Event]] = {}
        self.closing = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def versions(self, eyes: Eyes, secret: str) -> AsyncIterator[str]:
        """
        Yield the text of server-sent events, whose ids are version numbers of a page.

        An event is sent after each change. Further events come at intervals, so that a page
        notices a broken connection. The stream ends with the server. If `secret` is no longer
        the secret of the page, it ends with the id `ended`.
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
        """Send a page's version to the open streams of the page. Can be called in any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._tell, eyes)

    def end(self) -> None:
        """End all streams."""
        self.closing.set()
        for changed in chain.from_iterable(self.watching.values()):
            changed.set()

    def _tell(self, eyes: Eyes) -> None:
        """Wake the open streams of a page. Called in the event loop."""
        for changed in self.watching.get(eyes, ()):
            changed.set()
