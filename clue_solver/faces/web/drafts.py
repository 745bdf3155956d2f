"""Unfinished entries of the log, which are kept in the addresses of the pages that show them."""

from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlencode

from clue_solver.conversation.changes import LogPlace
from clue_solver.conversation.meaning import state_at
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError
from clue_solver.faces.web.panel import Query, number_in, text_in
from clue_solver.notation.checks import normalise
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Accusation, Suggestion
from clue_solver.rules.table import Table

Answered = tuple[str, ...]
"""The answers to the questions of `faces.asking`, in order, as far as they were given."""


class Draft(NamedTuple):
    """
    An unfinished entry.

    Attributes:
        kind: What the cards are picked for: a suggestion or an accusation.
        by: Who suggests or accuses; empty if it is the player whose turn it is.
        picked: The cards picked so far, at most one of each category.
        chosen: The answers to other questions so far.
        editing: The number of the entry that the draft will replace; `None` for a new entry.
        was: The line of that entry. If others change the log, the entry is found by it.
        at: The version of the page on which the draft was begun.
    """

    kind: str = Suggestion.__name__
    by: str = ""
    picked: tuple[str, ...] = ()
    chosen: Answered = ()
    editing: int | None = None
    was: str = ""
    at: str = ""

    @property
    def accuses(self) -> bool:
        """Whether the cards are picked for an accusation."""
        return self.kind == Accusation.__name__

    @property
    def begun(self) -> bool:
        """Whether the draft is a new entry for which something was tapped."""
        begun = self.accuses or self.by or self.picked or self.chosen
        return self.editing is None and bool(begun)

    def most(self, edition: Edition) -> int:
        """Return how many cards have to be picked for the entry, if this edition is played."""
        return len(edition.category) if self.accuses else edition.named

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The draft as pairs of name and value, for form fields or a URL query."""
        pairs = [("kind", self.kind)] if self.accuses else []
        pairs += [("by", self.by)] if self.by else []
        pairs += [("pick", card) for card in self.picked]
        pairs += [("x", answer) for answer in self.chosen]
        if self.editing is not None:
            pairs += [("edit", str(self.editing)), ("was", self.was)]
        return tuple(pairs)

    def query(self, **kept: str) -> str:
        """Return the URL query for the page with this draft; `kept` has further values by name."""
        begun = [("at", self.at)] if self.begun and self.at else []
        pairs = [*((name, value) for name, value in kept.items() if value), *self.fields, *begun]
        return f"?{urlencode(pairs)}" if pairs else "?"

    @classmethod
    def of(cls, form: Query, session: Session) -> "Draft":
        """
        Return the draft that a form or a URL query contains, without its invalid values.

        If it says only which entry is edited, the draft begins as that entry is.
        """
        table = session.record.table
        editing, was = number_in(form, "edit") or 0, text_in(form, "was")
        if was not in ("", *session.lines[max(0, editing - 1) : editing]):
            places = [place for place, line in enumerate(session.lines, 1) if line == was]
            editing = min(places, key=lambda place: abs(place - editing), default=0)
        there = 0 < editing <= len(session.lines)
        by, known = text_in(form, "by"), table.edition.category_of
        picks = [name for name in form if name.startswith(("pick", "card-"))]
        named = [card for name in picks for card in form[name][:9]]
        picked = {known[card]: card for card in named if card in known}
        kinds = [kind.name for kind in table.edition.category if kind.name in picked]
        kind = Accusation if text_in(form, "kind") == Accusation.__name__ else Suggestion
        draft = cls(kind=kind.__name__)
        draft = draft._replace(
            by=by if by in table.seats else "",
            picked=tuple(picked[kind] for kind in kinds)[: draft.most(table.edition)],
            chosen=tuple(form.get("x", ())[:40]),
            editing=editing if there else None,
            was=session.lines[editing - 1] if there else "",
            at=text_in(form, "at"),
        )
        if not there or draft.by or draft.picked or draft.chosen:
            return draft
        old = session.entry(editing).observation
        draft = draft._replace(by=old.actor)
        if isinstance(old, Suggestion | Accusation):
            draft = draft._replace(kind=type(old).__name__, picked=old.cards)
        return draft

    def path(self, table: Table, by: str) -> Answered:
        """
        Return the answers so far, in the order in which `faces.asking` asks the questions.

        Once the cards of a suggestion or an accusation are picked, its kind, its player and the
        cards are the first answers.

        Args:
            table: The table.
            by: Who suggests or accuses; empty if that is not known.
        """
        if not by or len(self.picked) < self.most(table.edition):
            return self.chosen
        return (self.kind, by, *self.picked, *self.chosen)

    def suggestion(self, session: Session) -> Suggestion | None:
        """Return the suggestion, without answers; `None` until all its cards are picked."""
        table, state = session.record.table, state_at(session.game, LogPlace(self.editing))
        by = self.by or state.turn(table)
        if by and len(self.picked) == table.edition.named and not self.accuses:
            with suppress(ClueError):
                return normalise(Suggestion(by=by, cards=self.picked), table, state)
        return None
