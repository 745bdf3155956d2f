"""
A suggestion and its answers as a line says them: who asks, for which cards, who passes, who shows.

The clauses of the line are taken one after the other; then who answers what follows from the order
of the seats.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from clue_solver.errors import NotationError, printable
from clue_solver.notation.names import joined
from clue_solver.notation.patterns import CLAUSES
from clue_solver.notation.scan import ROLES, SEAT, Token
from clue_solver.rules.observations import Answer, Reply
from clue_solver.rules.table import Table

_HE, _SOMEONE, _POINTS = ROLES["he"], ROLES["someone"], ROLES["points"]


class Part(NamedTuple):
    """A token with the part that it plays in one way to read the line."""

    role: str
    names: tuple[str, ...]
    token: Token


class _Said(NamedTuple):
    """One answer as it is said: the next player's if `seat` is empty, somebody's if `None`."""

    seat: str | None
    answer: Reply
    card: Part | None
    column: int


_Known = dict[str | None, tuple[Reply, tuple[str | None, ...]]]
"""What each seat answers, and the cards that it can have shown, in the order of telling."""


class Suggested:
    """
    A suggestion as the clauses of a line say it.

    Attributes:
        parts: The tokens of the line.
        by: Who asks, as far as it is said.
        column: Where that is said.
        asked: Whom the line says to be asked.
        cards: The tokens of the cards.
        said: What is said of answers, in order.
        points: Whether it is the pointed finger.
        nobody, others: Whether all pass, as far as nobody is said to show; whether all others do.
        rest: Whether nothing was heard of the rest.
        left_out: Who shows a card that is left out on purpose.
        columns: Where the answer of each player is said.
        fault: Why its answers cannot be.
    """

    def __init__(self, parts: Sequence[Part], table: Table, turn: str | None) -> None:
        self.parts = parts
        self.table = table
        self.turn = turn
        self.by: str | None = None
        self.column = 0
        self.asked: list[str] = []
        self.cards: list[Part] = []
        self.said: list[_Said] = []
        self.points = False
        self.nobody = False
        self.others = False
        self.rest = False
        self.left_out: set[str] = set()
        self.columns: dict[str | None, int] = {}
        self.fault: NotationError | None = None
        self._asks = False  # whether it has its verb
        self._open = False  # whether its cards were told before
        self._closed = False  # whether no more of them are told
        self._mentioned: list[str] = []
        self._counted: set[str | None] = set()  # who passes by a denial without a name

    @property
    def size(self) -> int:
        """How many cards it names."""
        edition = self.table.edition
        return len(edition.category) if self.points else edition.named

    @property
    def complete(self) -> bool:
        """Whether its cards are told, so that answers may follow."""
        return self._open or self._closed or len(self.cards) >= self.size

    @property
    def lone(self) -> bool:
        """Whether all that is said of answers is one denial, of nobody in particular."""
        return [one.seat for one in self.said] == [""] and not self.rest

    @property
    def trailing(self) -> bool:
        """Whether such a denial ends answers of others, and is the next one's or that of all."""
        *before, last = [one.seat for one in self.said] or [""]
        return last == "" and any(before)

    def read(self, roles: str, by: str | None = None) -> Part | None:
        """
        Take the clauses of a line; return the first word that does not fit, if any.

        Args:
            roles: The roles of its tokens.
            by: Who asked, where the cards were told before.
        """
        if by is not None:
            self.by = by
            self._open = True
        at = 0
        while at < len(roles):
            for action, pattern in CLAUSES:
                found = pattern.match(roles, at)
                if found and found.end() > at and self._take(action, found):
                    self._mentioned += self._seats(found, 0)
                    at = found.end()
                    break
            else:
                return self.parts[at]
        return None

    def _seats(self, found: re.Match[str], group: str | int) -> tuple[str, ...]:
        """Return the players whom a group of a clause names."""
        if group and group not in found.re.groupindex:
            return ()
        inside = self.parts[found.start(group) : found.end(group)]
        return tuple([part.names[0] for part in inside if part.role == SEAT])

    def _is_doubted(self, place: int) -> bool:
        """Return whether a question mark is glued to an answer, to doubt it: `cat knife?`."""
        sign = self.parts[place].token
        glued = place > 0 and self.parts[place - 1].token.end == sign.column
        return sign.text == "?" and glued and bool(self.said)

    def _take(self, action: str, found: re.Match[str]) -> bool:
        """Take what a clause says; return whether it can be said here."""
        groups = found.groupdict()
        who: tuple[str | None, ...] = self._seats(found, "who")
        if groups.get("who") == _HE:
            others = (self.by, self.table.viewer)
            named = [seat for seat in self._mentioned if seat not in others]
            who = tuple((self.asked or named)[-1:])
        card = self.parts[found.start("card")] if groups.get("card") else None
        column = self.parts[found.start()].token.column
        shows = _Said("", "shows", card, column)
        passes = _Said("", "passes", None, column)
        if action in ("rest", "nothing") and self._is_doubted(found.start()):
            return False
        match action:
            case "asks":
                return self._ask(found, column)
            case "asker":
                return not (self.by or self.cards) and self._ask(found, column)
            case "goes":
                return self._ask(found, column) and self._add_card(shows, last=False)
            case "card":
                return self._add_card(shows, last=found.end() == len(found.string))
            case "colon":
                self._closed = len(self.cards) == self.size - 1
                return True
            case "nobody" | "others" | "rest":
                setattr(self, action, True)
                return self.complete or action == "nobody"
            case "passes":
                return self._answer(who, passes)
            case "both":
                return self._answer(self.asked, passes)
            case "didnt":  # what they did not do is what others did who are named before
                passed = any(one.answer == "passes" for one in self.said)
                return not passed and self._answer(who, passes)
            case "lone":
                return self.complete and self._answer(("",), passes)
            case "unheard":
                return self.complete and self._answer(who, passes._replace(answer="unheard"))
            case "but":
                passing = {one.answer for one in self.said} == {"passes"}
                return (self.nobody or passing) and self._answer(who, shows)
            case "late":
                return self.complete and not self.nobody and self._answer(who, shows)
            case "from":
                return self.complete and self._answer(who, shows)
            case "left_out":
                self.left_out.update(seat for seat in who if seat)
                return self._answer(who, shows)
            case "shown_to":
                return bool(self.said) and self._shown(self._seats(found, "to"))
            case "shows":
                to = self._seats(found, "to")
                if not groups.get("who"):
                    who = tuple(self.asked[-1:]) or (None,)
                    if not self.complete:
                        return False
                elif groups["who"] == _SOMEONE:
                    who = (None,)
                return (to == who or self._shown(to)) and self._answer(who, shows)
        return action == "nothing"

    def _ask(self, found: re.Match[str], column: int) -> bool:
        """Take who asks whom; a name behind the cards is who asks."""
        groups = found.groupdict()
        verb = groups.get("verb")
        by = next(iter(self._seats(found, "by")), None)
        asked = self._seats(found, "asked")
        if groups.get("by") == _HE:
            by = self._mentioned[-1] if self._mentioned else self.turn
            if by is None:
                return False
        if by is None and self.by is None and len(asked) == 1 and self.complete:
            by, asked = asked[0], ()
        again = verb is not None and self._asks
        late = verb is not None and by is None and self.complete
        if self._open or again or late or (by is not None and self.by not in (None, by)):
            return False
        if by is not None:
            self.by = by
            self.column = column
        self.points = self.points or verb == _POINTS
        self._asks = self._asks or verb is not None
        self.asked += asked
        return True

    def _add_card(self, shows: _Said, *, last: bool) -> bool:
        """Take a card: one asked for; else one that the next player shows, or nobody named."""
        assert shows.card is not None
        if not self.complete:
            self.cards.append(shows.card)
            return True
        if not self.said:
            return last and self._answer((None,), shows)
        return self.said[-1].seat == "" and self._answer(("",), shows)

    def _shown(self, to: Sequence[str]) -> bool:
        """Take who was shown a card, who is the one who asks."""
        if to and self.by not in (None, to[0]):
            return False
        self.by = to[0] if to else self.by
        return True

    def _answer(self, who: Sequence[str | None], said: _Said) -> bool:
        """Take what players answer; nothing follows what was not heard."""
        if not who or self.rest or (said.card is not None and len(who) > 1):
            return False
        self.said += [said._replace(seat=seat) for seat in who]
        return True

    # Who answers what.

    def answers(
        self,
        order: Sequence[str],
        cards: Sequence[str],
        before: Sequence[Answer],
        *,
        all_pass: bool,
    ) -> Iterator[tuple[Answer, ...]]:
        """
        Yield the answers that are told, as the cards shown can be one or another.

        Args:
            order: Who answers, in order.
            cards: The cards asked for.
            before: The answers that were told before.
            all_pass: Whether all pass who are not said to show.
        """
        known: _Known = {one.seat: (one.answer, (one.card,)) for one in before if one.seat}
        said = () if all_pass and self.lone else self.said
        for one in said:
            self.fault = self._add_answer(one, known, order, cards)
            if self.fault is not None:
                return
        if self.asked and not known.keys() >= {*self.asked} and self.asked != [*order[:1]]:
            reason = f"expected what {joined(self.asked, 'and')} answers"
            self.fault = NotationError(reason, column=self.parts[-1].token.end)
            return
        for seat in order if all_pass or self.others else ():
            if known.get(seat, ("",))[0] == "shows" and not self.table.everyone_shows:
                break
            known.setdefault(seat, ("passes", (None,)))
        closing = (Answer(answer="unheard"),) if self.rest and known else ()
        for shown in product(*(cards for _, cards in known.values())):
            told = zip(known.items(), shown, strict=True)
            answers = [Answer(seat=seat, answer=one, card=card) for (seat, (one, _)), card in told]
            yield (*answers, *closing)

    def _add_answer(
        self, one: _Said, known: _Known, order: Sequence[str], cards: Sequence[str]
    ) -> NotationError | None:
        """Add an answer to those known; return why it cannot be, if it cannot."""
        seat = one.seat
        counted = seat == ""
        if counted:
            behind = max([order.index(other) + 1 for other in known if other in order] or [0])
            if behind == len(order) or (one.card is not None and behind < len(order) - 1):
                wanted = "who shows" if one.card is not None else "nothing more, as all have passed"
                return NotationError(f"expected {wanted}", column=one.column)
            seat = order[behind]
        self.columns.setdefault(seat, one.column)
        if counted and one.answer == "passes":
            self._counted.add(seat)
        shown: tuple[str | None, ...] = (None,)
        if one.card is not None:
            shown = tuple([name for name in one.card.names if name in cards])
            if not shown:
                text, column = printable(one.card.names[0]), one.card.token.column
                reason = f"{text} was not asked for: expected {joined(cards)}"
                return NotationError(reason, column=column, nearest=tuple(cards))
        answer, _ = known.get(seat, ("unheard", ()))
        if answer not in ("unheard", one.answer) or (seat in self._counted and not counted):
            return NotationError(f"{printable(str(seat))} answers twice", column=one.column)
        if seat not in known or answer == "unheard" or shown != (None,):
            known[seat] = (one.answer, shown)
        return None
