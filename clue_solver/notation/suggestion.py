"""
A suggestion and its answers as a line says them: who asks, for which cards, who passes, who shows.

The clauses of the line are taken one after the other, each by the method that bears its name in
`patterns.CLAUSES`. What they come to is for the reader to say, who knows the order of the seats.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from clue_solver.notation.patterns import CLAUSES
from clue_solver.notation.scan import ROLES, SEAT, Token
from clue_solver.rules.observations import Reply

_HE, _SOMEONE, _POINTS = ROLES["he"], ROLES["someone"], ROLES["points"]


class Part(NamedTuple):
    """A token with the part that it plays in one way to read the line."""

    role: str
    names: tuple[str, ...]
    token: Token


class Said(NamedTuple):
    """
    One answer as it is said.

    Attributes:
        seat: Whose it is; empty where it is the next player's, `None` where it is somebody's.
        answer: Whether they pass or show, or were not heard.
        card: The token of the card shown.
        column: Where the clause begins.
    """

    seat: str | None
    answer: Reply
    card: Part | None
    column: int


class _Clause(NamedTuple):
    """A clause of a line: its place, the players named in it by their parts, and the card."""

    column: int
    by: tuple[str, ...]
    asked: tuple[str, ...]
    who: tuple[str, ...]
    to: tuple[str, ...]
    card: Part | None
    verb: str
    pronoun: str
    last: bool


class Suggested:
    """
    A suggestion as the clauses of a line say it.

    Attributes:
        by: Who asks, as far as it is said.
        asked: Whom the line says to be asked.
        cards: The tokens of the cards.
        answers: What is said of answers, in order.
        points: Whether it is the pointed finger.
        nobody, others: Whether all pass, as far as nobody is said to show; whether all others do.
        rest: Whether nothing was heard of the rest.
        left_out: Who shows a card that is left out on purpose.
        column: Where who asks is named.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        *,
        size: int,
        all_roles: int,
        viewer: str | None,
        turn: str | None,
    ) -> None:
        """
        Begin with nothing said.

        Args:
            parts: The tokens of the line.
            size: How many cards a suggestion names.
            all_roles: How many the pointed finger does.
            viewer: Who says it.
            turn: Whose turn it is.
        """
        self.parts = parts
        self.size = size
        self.all_roles = all_roles
        self.viewer = viewer
        self.turn = turn
        self.by: str | None = None
        self.asked: list[str] = []
        self.cards: list[Part] = []
        self.answers: list[Said] = []
        self.points = False
        self.nobody = False
        self.others = False
        self.rest = False
        self.left_out: set[str] = set()
        self.column = 0
        self._asks = False
        self._open = False
        self._closed = False
        self._mentioned: list[str] = []

    def answering(self, by: str) -> "Suggested":
        """Return the same, with the cards told before by a player, so that answers follow."""
        self.by = by
        self._open = True
        return self

    @property
    def unsigned(self) -> bool:
        """Whether the last word is one, `no`, and no sign for all, `-`."""
        return self.parts[-1].token.text != "-"

    @property
    def complete(self) -> bool:
        """Whether all its cards are named, and answers may follow."""
        return self._open or self._closed or len(self.cards) >= self.size

    def read(self, roles: str) -> Part | None:
        """Take the clauses of the line; return the first word that does not fit, if any."""
        at = 0
        while at < len(roles):
            for name, pattern in CLAUSES:
                found = pattern.match(roles, at)
                if found and found.end() > at and self._take(name, found):
                    at = found.end()
                    break
            else:
                return self.parts[at]
        return None

    def _take(self, name: str, found: re.Match[str]) -> bool:
        """Take a clause; return whether it can be said here."""
        groups = found.groupdict()

        def seats(group: str) -> tuple[str, ...]:
            if not groups.get(group):
                return ()
            inside = self.parts[found.start(group) : found.end(group)]
            return tuple([part.names[0] for part in inside if part.role == SEAT])

        clause = _Clause(
            self.parts[found.start()].token.column,
            seats("by"),
            seats("asked"),
            seats("who"),
            seats("to"),
            self.parts[found.start("card")] if groups.get("card") else None,
            groups.get("verb") or "",
            next(
                (groups[key] or "" for key in ("by", "who") if groups.get(key) in (_HE, _SOMEONE)),
                "",
            ),
            found.end() == len(found.string),
        )
        taken = self._said(name, clause)
        if taken:
            inside = self.parts[found.start() : found.end()]
            self._mentioned += [part.names[0] for part in inside if part.role == SEAT]
        return taken

    def _said(self, name: str, clause: _Clause) -> bool:
        """Note what a clause says; return whether it can be said here."""
        who: tuple[str | None, ...] = clause.who or self._meant(clause)
        shown_to = clause.to[:1] if clause.to[:1] != who else ()
        match name:
            case "asks":
                return self._asker(clause)
            case "asker":
                return not (self.by or self.cards) and self._asker(clause)
            case "goes":
                return self._asker(clause) and self._card(clause)
            case "card":
                return self._card(clause)
            case "nobody" | "others" | "rest":
                setattr(self, name, True)
                return self.complete or name == "nobody"
            case "both":
                return self._answer(tuple(self.asked), "passes", clause)
            case "passes":
                return self._answer(who, "passes", clause)
            case "unheard":
                return self.complete and self._answer(who, "unheard", clause)
            case "didnt":  # what they did not do is what others did who are named before
                passed = any(said.answer == "passes" for said in self.answers)
                return not passed and self._answer(who, "passes", clause)
            case "colon":  # the cards are told, though one may be left out
                self._closed = len(self.cards) == self.size - 1
                return True
            case "lone":
                return self.complete and self._answer(("",), "passes", clause)
            case "but":
                passing = {said.answer for said in self.answers} == {"passes"}
                alone = self.nobody or passing
                return alone and self._answer(who, "shows", clause)
            case "late":
                whole = self.complete and not self.nobody
                return whole and self._answer(who, "shows", clause)
            case "from":
                return self.complete and self._answer(who, "shows", clause)
            case "left_out":
                self.left_out.update(seat for seat in who if seat)
                return self._answer(who, "shows", clause)
            case "shown_to":
                return bool(self.answers) and self._shown(clause.to)
            case "shows":
                if clause.pronoun != _HE and not clause.who:
                    who = tuple(self.asked[-1:]) or (None,)
                    if not self.complete:
                        return False
                return self._shown(shown_to) and self._answer(who, "shows", clause)
        return name == "nothing"

    # Who asks, for what.

    def _asker(self, clause: _Clause) -> bool:
        """Take who asks whom; a name behind the cards is who asks."""
        by = next(iter(clause.by), None)
        asked = clause.asked
        if self._open or (clause.verb and self._asks):
            return False
        if clause.pronoun:
            by = self._mentioned[-1] if self._mentioned else self.turn
        if by is None and self.by is None and len(asked) == 1 and self.complete:
            by, asked = asked[0], ()
        if clause.verb and by is None and self.complete:
            return False
        if (clause.pronoun and by is None) or (by is not None and self.by not in (None, by)):
            return False
        if by is not None:
            self.by = by
            self.column = clause.column
        if clause.verb == _POINTS:
            self.points = True
            self.size = self.all_roles
        self._asks = self._asks or bool(clause.verb)
        self.asked += asked
        return True

    def _card(self, clause: _Clause) -> bool:
        """Take a card: one asked for; else one that nobody or the next player is said to show."""
        assert clause.card is not None
        if not self.complete:
            self.cards.append(clause.card)
            return True
        if not self.answers and clause.last:
            return self._answer((None,), "shows", clause)
        return (
            bool(self.answers)
            and self.answers[-1].seat == ""
            and self._answer(("",), "shows", clause)
        )

    # Who answers.

    def _meant(self, clause: _Clause) -> tuple[str, ...]:
        """Return whom a pronoun means: who was asked, else the other player named last."""
        if clause.pronoun != _HE:
            return ()
        others = (self.by, self.viewer)
        named = [seat for seat in self._mentioned if seat not in others]
        return tuple((self.asked or named)[-1:])

    def _shown(self, to: tuple[str, ...]) -> bool:
        """Take who was shown a card, who is the one who asks."""
        if not to:
            return True
        if self.by not in (None, to[0]):
            return False
        self.by = to[0]
        return True

    def _answer(self, who: tuple[str | None, ...], answer: Reply, clause: _Clause) -> bool:
        """Take what players answer; nothing follows what was not heard."""
        if not who or self.rest or (clause.card is not None and len(who) > 1):
            return False
        self.answers += [Said(seat, answer, clause.card, clause.column) for seat in who]
        return True
