"""The line that is typed, the list of what it may become, and what is said under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input, Static

from clue_solver.notation import Completion

Keys = Callable[[str, str | None], bool]
"""Takes a key and its character; returns whether it was meant for more than typing."""


class EntryLine(Input):
    """
    The line where everything is typed.

    Its commands are taken in the order in which the keys came: a line is told before the next
    character is typed into it, however fast they follow.
    """

    def __init__(self, keys: Keys, rest: Callable[[str], str | None], *, id: str) -> None:
        super().__init__(
            id=id, compact=True, select_on_focus=False, suggester=_Rest(rest), max_length=9_999
        )
        self._keys = keys

    def on_key(self, event: events.Key) -> None:
        """Offer the key to whoever may want more than a character in the line."""
        if self._keys(event.key, event.character if event.is_printable else None):
            event.stop()
            event.prevent_default()


class _Rest(Suggester):
    """The dimmed rest of the line."""

    def __init__(self, rest: Callable[[str], str | None]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._of = rest

    async def get_suggestion(self, value: str) -> str | None:
        return self._of(value)


class Matches(Static):
    """
    The list of what the line may become.

    Attributes:
        found: The completions, likeliest first.
        chosen: Which of them Tab would accept.
        picked: Whether it was picked by hand, so that Enter accepts it too.
    """

    class Clicked(Message):
        """A match was clicked."""

        def __init__(self, match: Completion) -> None:
            self.match = match
            super().__init__()

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self.found: tuple[Completion, ...] = ()
        self.chosen, self.picked = 0, False
        self._clashing: frozenset[str] = frozenset()
        self._spans: list[tuple[int, int, int]] = []  # row, first and last column of each

    @property
    def match(self) -> Completion | None:
        """The completion that Tab would accept."""
        return self.found[self.chosen] if self.chosen < len(self.found) else None

    def offer(self, found: Sequence[Completion]) -> None:
        """List other matches; nothing is known about clashes yet."""
        self.found, self.chosen, self.picked = tuple(found), 0, False
        self._clashing = frozenset()
        self._draw()

    def mark(self, clashing: frozenset[str]) -> None:
        """Mark the lines that would contradict the log."""
        self._clashing = clashing
        self._draw()

    def choose(self, step: int) -> None:
        """Pick the next match or the one before."""
        if self.found:
            self.chosen = (self.chosen + step) % len(self.found)
            self.picked = True
            self._draw()

    def on_click(self, event: events.Click) -> None:
        """Accept the match that was clicked."""
        for number, (row, first, last) in enumerate(self._spans):
            if row == event.y and first <= event.x < last:
                self.post_message(self.Clicked(self.found[number]))

    def on_resize(self) -> None:
        """Fit the list into the new width."""
        self._draw()

    def _draw(self) -> None:
        """Write the matches side by side, in rows, from the first that lets the chosen be seen."""
        width, height = max(8, self.size.width), max(1, self.size.height)
        text = Text(no_wrap=True)
        start = 0
        while True:
            self._spans = _laid_out([self._label(each) for each in self.found], start, width)
            if self.chosen >= len(self._spans) or self._spans[self.chosen][0] < height:
                break
            start += 1
        row = column = 0
        for number, (at, first, last) in enumerate(self._spans):
            if number < start or at >= height:
                continue
            text.append("\n" * (at - row))
            column = column if at == row else 0
            text.append(" " * (first - column))
            text.append(self._label(self.found[number]), self._style(number))
            row, column = at, last
        self.update(text, layout=False)

    def _label(self, match: Completion) -> str:
        return f" {'✗ ' if match.line in self._clashing else ''}{match.label} "

    def _style(self, number: int) -> Style:
        clashes = self.found[number].line in self._clashing
        return Style(
            reverse=number == self.chosen, strike=clashes, dim=clashes, bold=number == self.chosen
        )


def _laid_out(labels: Sequence[str], start: int, width: int) -> list[tuple[int, int, int]]:
    """Return the row and the columns of each label; those before `start` are out of sight."""
    spans: list[tuple[int, int, int]] = []
    row = column = 0
    for number, label in enumerate(labels):
        if number < start:
            spans.append((-1, 0, 0))
            continue
        size = min(cell_len(label), width)
        if column and column + size > width:
            row, column = row + 1, 0
        spans.append((row, column, column + size))
        column += size + 1
    return spans


def pointing(reason: str, column: int, width: int) -> Text:
    """
    Return a caret at a column with the reason beside it, or under it where there is no room.

    >>> print(pointing("unknown card 'plmu'", 4, 40))
        ^ unknown card 'plmu'
    """
    column = max(0, min(column, width - 1))
    said = reason
    if column + 2 + cell_len(said) <= width:
        return Text(f"{' ' * column}^ {said}")
    if cell_len(said) + 1 <= column:
        return Text(f"{' ' * (column - cell_len(said) - 1)}{said} ^")
    return Text(f"{' ' * column}^\n{said}")
