"""Keys typed ahead: each one does all that it does before the next one, wherever it is typed."""

import asyncio

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.widgets import Input

from clue_solver.faces.tui.dialogs import Reader


class TypeAhead(App[None]):
    """
    An application in which nothing that is typed overtakes what was typed before.

    Textual hands a key to the widget that has the focus as the key comes in; what the keys before
    it open, or move the focus to, does not get it. Two methods of Textual that are not public know
    a key's bindings, and what a dialog that was left is to be followed by.
    """

    async def on_event(self, event: events.Event) -> None:
        """Take a key, or what is pasted, once all that was typed before is done."""
        typed = isinstance(event, events.Key | events.Paste)
        if not typed or event.is_forwarded:
            if not isinstance(event, events.Key):
                await super().on_event(event)
        elif self.screen_stack:
            await self._wait_for_quiet()
            if isinstance(event, events.Key):
                await self._press(event)
            else:
                await super().on_event(event)

    async def _press(self, event: events.Key) -> None:
        """Do what a key is bound to, or type it; a text to read makes way for what is below."""
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
        """Wait until what was asked of the screen and of the focused widget is done."""
        node: DOMNode | None = None
        while node is not (node := self.focused or self.screen):
            for ancestor in node.ancestors_with_self:
                done = asyncio.Event()
                if ancestor is not self and ancestor.call_later(done.set):
                    await done.wait()
            await self._flush_next_callbacks()
