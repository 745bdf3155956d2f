"""The line where everything is typed: its greyed rest, what it may become, earlier lines."""

import re
from collections.abc import Callable, Sequence

from rich.text import Text
from textual import events
from textual.suggester import Suggester
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from clue_solver.notation import Completion

EDIT = re.compile(r"\s*/?(edit|insert) +([1-9]\d{0,4}) ")
"""How a line begins that is told in the place of an entry."""


class Rest(Suggester):
    """The likeliest rest of what is typed, greyed behind it."""

    def __init__(self, whole: Callable[[str], str | None]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._whole = whole

    async def get_suggestion(self, value: str) -> str | None:
        """Return the line with its rest, where it begins as it is typed."""
        whole = self._whole(value)
        if whole is None or not whole.casefold().startswith(value.casefold()):
            return None
        return value + whole[len(value) :]


class Line(Input):
    """The line; what was told in it or left can be brought back."""

    def __init__(self) -> None:
        super().__init__(id="line", compact=True, select_on_focus=False, max_length=9_999)
        self._past: list[str] = []
        self._at = 0

    def write(self, text: str) -> None:
        """Let a text stand in the line."""
        self.value = text
        self.cursor_position = len(text)
        self.screen.set_focus(self)

    def action_delete_left_all(self) -> None:
        """Take back what is typed, and only then the place in which it is told."""
        place, cursor = EDIT.match(self.value), self.cursor_position
        self.delete(place.end() if place and place.end() < cursor else 0, cursor)

    def remember(self, line: str) -> None:
        """Keep a line to be brought back."""
        if line.strip():
            self._past = [*(each for each in self._past if each != line), line]
        self._at = len(self._past)

    def recall(self, by: int) -> None:
        """Bring an earlier line back, or a later one; behind the last there is none."""
        if self.value and not self.is_recalled:
            self.remember(self.value)
            self._at -= by < 0
        self._at = max(0, min(len(self._past), self._at + by))
        self.write("".join(self._past[self._at : self._at + 1]))

    @property
    def is_recalled(self) -> bool:
        """Whether an earlier line stands there as it was."""
        return [self.value] == self._past[self._at : self._at + 1]

    def on_paste(self, event: events.Paste) -> None:
        """Leave what is pasted to the screen."""
        event.prevent_default()


class Matches(OptionList):
    """What the line may become; it is seen where there is something to see."""

    def __init__(self) -> None:
        super().__init__(id="matches", markup=False, compact=True)
        self.can_focus = False
        self.display = False
        self.found: Sequence[Completion] = ()

    def offer(self, found: Sequence[Completion]) -> None:
        """Offer these."""
        self.display = bool(found)
        if [*found] != [*self.found]:
            self.found = found
            self.clear_options()
            self.add_options(Option(Text(each.label, no_wrap=True)) for each in found)
        self.highlighted = None

    def choose(self, by: int) -> None:
        """Mark the next one, or the one before."""
        now = self.highlighted
        self.highlighted = (-1 if now is None and by > 0 else now or 0) + by if self.found else None

    @property
    def picked(self) -> str | None:
        """The line of the one that an arrow has marked."""
        return None if self.highlighted is None else self.found[self.highlighted].line
