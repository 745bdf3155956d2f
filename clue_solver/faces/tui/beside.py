"""The page beside the screen: the same game for the phones at the table."""

from collections.abc import Callable
from textwrap import wrap
from threading import Lock
from typing import Any, Protocol

from rich.columns import Columns
from rich.text import Text

from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError
from clue_solver.faces.tui.panes import TextDialog

_SERVED = "Whoever has this address keeps the log with you. The page ends with this screen."
_NOBODY_ELSE = " It is for this machine alone; /serve 0.0.0.0 lets the phones of this network in."


class Served(Protocol):
    """
    A game that is served as a page.

    Attributes:
        host: The address that it listens at.
        address, code: Where the page is; its QR code in rows of block letters, light on dark.
    """

    host: str

    @property
    def address(self) -> str: ...

    @property
    def code(self) -> str: ...

    def changed(self) -> None:
        """Let the page show what was changed here."""

    def end(self) -> None:
        """Serve it no more."""


Serving = Callable[[Session, str, Callable[[Callable[[], Any]], Any]], Served]
"""Serves a session at a host; what its pages change is done by what is given last."""


class Beside:
    """
    The page beside a screen.

    Attributes:
        page: The page; `None` where there is none.
    """

    def __init__(self, serve: Serving | None) -> None:
        self.page: Served | None = None
        self._serve, self._starting = serve, Lock()

    def open(
        self, session: Session, host: str, change: Callable[[Callable[[], Any]], Any]
    ) -> TextDialog:
        """
        Serve a game where it is not yet, or at another host, and return its address to read.

        Raises:
            ClueError: If it cannot be served.
        """
        if self._serve is None:
            raise ArgumentError("this screen cannot serve a page; clue-solver serve can")
        with self._starting:
            if self.page is not None and host not in ("", self.page.host):
                self.end()
            if self.page is None:
                self.page = self._serve(session, host or "127.0.0.1", change)
            alone = _NOBODY_ELSE if self.page.address.startswith("http://127.") else ""
            code = Text(self.page.code, "#ffffff on #000000")
            words = Text("\n".join(wrap(_SERVED + alone, 30)))
            return TextDialog(self.page.address, Columns([code, words], padding=(0, 2)))

    def changed(self) -> None:
        """Let the page show what was changed here."""
        if self.page is not None:
            self.page.changed()

    def end(self) -> None:
        """Serve it no more."""
        if self.page is not None:
            self.page.end()
            self.page = None
