"""Handles keys in order. Each key takes full effect before the next one is handled."""

import asyncio

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.widgets import Input

from clue_solver.faces.tui.dialogs import Reader


class TypeAhead(App[None]):
    """
    An application that handles each key only after the effects of all keys before it.

    Textual sends a key to the widget that has the focus when the key arrives, even if an earlier
    key is about to open a dialog or to move the focus. Two private methods of Textual are used: one
    runs a key's bindings, the other runs pending callbacks.
    """

    async def on_event(self, event: events.Event) -> None:
        """Handle a key or a paste once everything typed before has taken effect."""
        match event:
            case events.Key() | events.Paste() if not self.screen_stack:
                pass  # nothing is shown yet that could take it
            case events.Key():
                await self._wait_for_quiet()
                await self._press(event)
            case events.Paste() if not event.is_forwarded:
                await self._wait_for_quiet()
                await super().on_event(event)
            case _:
                await super().on_event(event)

    async def _press(self, event: events.Key) -> None:
        """
        Run the binding of a key, or type its character into the input.

        If a dialog with a text is open, it is closed first.
        """
        if await self._check_bindings(event.key, priority=True):
            return
        if await self._check_bindings(event.key):
            return
        if isinstance(self.screen, Reader):
            if not (event.is_printable or event.key in self.screen_stack[-2].active_bindings):
                return
            self.screen.dismiss()
            await self._wait_for_quiet()
            if await self._check_bindings(event.key):
                return
        field = self.focused
        if not isinstance(field, Input):
            field = next(iter(self.screen.query(Input)), None)
        if event.is_printable and event.character is not None and field is not None:
            if field is not self.focused:
                self.screen.set_focus(field)
            field.replace(event.character, *field.selection)

    async def _wait_for_quiet(self) -> None:
        """Wait until the screen and the focused widget have handled all their messages."""
        previous: DOMNode | None = None
        node: DOMNode = self.focused or self.screen
        while node is not previous:
            for ancestor in node.ancestors_with_self:
                done = asyncio.Event()
                if ancestor is not self and ancestor.call_later(done.set):
                    await done.wait()
            await self._flush_next_callbacks()
            previous, node = node, self.focused or self.screen
