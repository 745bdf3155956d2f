"""A half-made entry, which stands in the address of its page and is each phone's own."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlencode

from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError
from clue_solver.faces.web.following import Following
from clue_solver.rules.observations import Suggestion

OTHER = "other"
"""What the address says where something else than a suggestion is entered."""


class Draft(NamedTuple):
    """
    A half-made entry.

    Attributes:
        kind: `other` where it is no suggestion; empty for one.
        by: Who asks; empty for whose turn it is.
        picked: The cards tapped, one of a category at most.
        chosen: The answers to what else was asked.
        editing: The number of the entry that it is to replace.
        was: The line of that entry, by which it is found where others changed the log.
        after: What the entry follows: the end of the log as it was when it was begun.
    """

    kind: str = ""
    by: str = ""
    picked: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    editing: int | None = None
    was: str = ""
    after: str = ""

    @property
    def begun(self) -> bool:
        """Whether a new entry is half-made, if only by who asks."""
        return self.editing is None and bool(self.kind or self.by or self.picked or self.chosen)

    def query(self, **kept: str) -> str:
        """Return the address of the page with this draft, from the `?` on, and what is kept."""
        fields = (*kept.items(), ("kind", self.kind), ("by", self.by))
        said = [(name, value) for name, value in fields if value]
        said += [("pick", card) for card in self.picked]
        said += [("x", answer) for answer in self.chosen]
        if self.editing is not None:
            said += [("edit", str(self.editing)), ("was", self.was)]
        elif self.after and self.begun:
            said.append(("after", self.after))
        return f"?{urlencode(said)}" if said else "?"

    @classmethod
    def of(cls, query: Mapping[str, Sequence[str]], session: Session, version: int = 0) -> "Draft":
        """Return what an address says; names that mean nothing here are left out."""
        table = session.record.table
        number = "".join(query.get("edit", ())[:1])
        editing = int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0
        was = "".join(query.get("was", ())[:1])
        if was not in ("", *session.lines[max(0, editing - 1) : editing]):
            editing = min(
                (place for place, line in enumerate(session.lines, 1) if line == was),
                key=lambda place: abs(place - editing),
                default=0,
            )
        there = 0 < editing <= len(session.lines)
        by = "".join(query.get("by", ())[:1])
        known = table.edition.category_of
        picked = tuple(card for card in query.get("pick", ())[:9] if card in known)
        now = Following.end_of(session.lines, version)
        after = Following.read("".join(query.get("after", ())[:1])) or now
        return cls(
            kind=OTHER if OTHER in query.get("kind", ()) else "",
            by=by if by in table.seats else "",
            picked=tuple({known[card]: card for card in picked}.values()),
            chosen=tuple(query.get("x", ())[:40]),
            editing=editing if there else None,
            was=session.lines[editing - 1] if there else "",
            after=str(after),
        )


def draft_in(line: str, session: Session) -> Draft | None:
    """Return the draft of a line that is not logged; `None` if it is no suggestion."""
    with suppress(ClueError):
        observation = session.read(line).told
        if isinstance(observation, Suggestion):
            return Draft(by=observation.by, picked=observation.cards)
        return Draft(by=getattr(observation, "by", ""))
    return None


def draft_of(session: Session, entry: int) -> Draft:
    """Return the draft in which an entry may be tapped anew."""
    observation = session.record.entries[entry - 1].observation
    if isinstance(observation, Suggestion):
        return Draft(
            by=observation.by, picked=observation.cards, editing=entry, was=session.lines[entry - 1]
        )
    return Draft(editing=entry, was=session.lines[entry - 1])
