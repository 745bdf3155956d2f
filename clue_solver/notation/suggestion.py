"""
A suggestion and its answers as a line says them: who asks, for which cards, who passes, who shows.

The clauses of the line are taken one after the other; then who answers what follows from the order
of the seats.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from clue_solver.errors import printable
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import joined
from clue_solver.notation.patterns import clauses
from clue_solver.notation.reading import Fault
from clue_solver.notation.scan import ROLES, SEAT, Token
from clue_solver.rules.observations import Answer, Reply
from clue_solver.rules.table import Table

NEXT = ""
"""Whose answer it is if no player is named: that of the next who has not answered."""
SOMEBODY = None
"""Whose answer it is if it is one player's and nothing says whose."""

_HE, _SOMEONE, _POINTS, _AND, _OR, _NOT, _NIL = (
    ROLES[role] for role in ("he", "someone", "points", "and", "or", "not", "nil")
)
_REPLIES: dict[str, Reply] = {
    "passes": "passes",
    "not": "passes",
    "didnt": "passes",
    "too": "passes",
    "unheard": "unheard",
}
"""What is answered in a clause; in others somebody shows."""


class ChosenToken(NamedTuple):
    """A token with the role and the names that it has in one way to read the line."""

    role: str
    names: tuple[str, ...]
    token: Token


class _Statement(NamedTuple):
    """One answer as it is said: whose, a player's, `NEXT` or `SOMEBODY`'s, and which."""

    seat: str | None
    answer: Reply
    card: ChosenToken | None
    column: int


class Suggested:
    """
    A suggestion as the clauses of a line say it.

    Attributes:
        parts: The tokens of the line.
        by: Who asks, as far as it is said.
        asked: Whom the line says to be asked.
        cards: The tokens of the cards.
        statements: What is said of answers, in order.
        points: Whether it is the pointed finger.
        nobody: Whether all pass who are not said to show.
        others: Whether all others pass.
        rest: Whether nothing was heard of the rest.
        unseen: Who shows a card that is left out on purpose.
        excepted: Who is said not to be the one who shows, which says nothing of the others.
        answered: The players whose answers are told, in the order of telling.
    """

    def __init__(
        self, parts: Sequence[ChosenToken], table: Table, turn: str | None, opened: str | None
    ) -> None:
        """Begin with nothing, or with who asked if the cards were told before."""
        self.parts = parts
        self.table = table
        self.turn = turn
        self.by = opened
        self.asked: list[str] = []
        self.cards: list[ChosenToken] = []
        self.statements: list[_Statement] = []
        self.points = False
        self.nobody = False
        self.others = False
        self.rest = False
        self.unseen: set[str] = set()
        self.excepted: list[str] = []
        self.answered: list[str | None] = []
        self._open = opened is not None
        self._has_verb = False
        self._bare = False  # whether a name alone is the last answer
        self._closed = False  # whether no more cards are told
        self._mentioned: list[str] = []

    @property
    def size(self) -> int:
        """How many cards it names."""
        edition = self.table.edition
        return len(edition.category) if self.points else edition.named

    @property
    def complete(self) -> bool:
        """Whether its cards are told and answers may follow."""
        return self._open or self._closed or len(self.cards) >= self.size

    @property
    def lone(self) -> bool:
        """Whether all that is said of answers is one denial, of nobody in particular."""
        return [one.seat for one in self.statements] == [NEXT] and not (self.rest or self.asked)

    @property
    def trailing(self) -> bool:
        """Whether a denial without a name ends the answers: the next one's, or everybody's."""
        *before, last = [one.seat for one in self.statements] or [NEXT]
        return last == NEXT and any(before)

    @property
    def _somebody_shows(self) -> bool:
        """Whether it is said that a player shows."""
        return any(one.answer == "shows" for one in self.statements)

    @property
    def _names_all(self) -> bool:
        """Whether everybody answers and all are named: then a name alone shows."""
        named = {name for part in self.parts if part.role == SEAT for name in part.names}
        others = len(self.table.seats) - len(named)
        return self.table.everyone_shows and others <= (0 if self.by else 1)

    def _is_choice(self, found: re.Match[str]) -> bool:
        """Return whether `or` stands in a bare list, or between cards that can be of one kind."""
        if not self._has_verb:
            return True
        category_of = lexicon_of(self.table).category_of
        before, after = [
            {category_of[name] for name in part.names if name in category_of}
            for part in (self.parts[found.start() - 1], self.parts[found.end()])
        ]
        return bool(before & after)

    def _may_except(self, found: re.Match[str]) -> bool:
        """Return whether `not ann` may except her, or deny for another, as `- - ann` does."""
        at = found.start()
        if self.parts[at].token.text == "-":
            return self.nobody or self.others or (at > 0 and self.parts[at - 1].token.text == "-")
        return self.nobody or self.others or found.string[found.end() :][:1] == SEAT

    # What the clauses say.

    def read(self, roles: str) -> ChosenToken | None:
        """Take the clauses of a line by its roles; return the first word that does not fit."""
        at, known = 0, clauses(frozenset(roles))
        while at < len(roles):
            for action, pattern in known:
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

    def _who(self, found: re.Match[str]) -> tuple[str | None, ...]:
        """Return whose answer a clause tells."""
        groups = found.groupdict()
        if "next" in groups:
            return (NEXT,)
        if "who" not in groups:
            return tuple(self.asked)
        if groups["who"] == _SOMEONE:
            return (SOMEBODY,)
        if groups["who"] == _HE:
            others = (self.by, self.table.viewer)
            named = [seat for seat in self._mentioned if seat not in others]
            return tuple((self.asked or named)[-1:])
        return self._seats(found, "who")

    def _is_doubted(self, place: int) -> bool:
        """Return whether a question mark is glued to what it doubts: `cat knife?`."""
        sign = self.parts[place].token
        glued = place > 0 and self.parts[place - 1].token.end == sign.column
        return sign.text == "?" and glued and (bool(self.statements) or not self.complete)

    def _is_unclear(self, says: str, found: re.Match[str]) -> bool:
        """Return whether a clause that matches may mean something else, or makes no sense here."""
        passed = [one.answer == "passes" for one in self.statements] or [False]
        in_words = self.parts[found.end() - 1].token.text[0].isalnum()
        denies = _REPLIES.get(says) == "passes"
        if denies and self._bare and in_words and not self._names_all:
            return True  # `ann, ben no` may deny for both
        match says:
            case "nothing" | "rest" if self._is_doubted(found.start()):
                return True
            case "nothing":
                return found[0] == _OR and self._is_choice(found)
            case "nobody":  # `no answer` may be the answer of who was asked
                return self._somebody_shows or (_NIL in found[0] and bool(self.asked))
            case "others":  # `ann, the others passed` may be of all
                return self._bare
            case "too":
                return not passed[-1]
            case "passes" | "not" if found[0][0] == _NOT:
                return self._may_except(found)
            case "asker":
                return bool(self.by or self.cards)
            case "didnt":  # what they did not do is what others did who are named before
                return any(passed)
            case "but":
                return not (self.nobody or all(passed))
            case "bare" if len(found[0]) == 1:  # `ann has none, and ben` may deny for both
                joins = found.string[found.start() - 1 : found.start()] == _AND
                return self.nobody or self.others or (joins and passed[-1])
            case "bare":
                return self.nobody
        return False

    def _take(self, action: str, found: re.Match[str]) -> bool:
        """Take what a clause says, if it can be said here; return whether it can."""
        says = action.rstrip("!")
        if (says != action and not self.complete) or self._is_unclear(says, found):
            return False
        groups = found.groupdict()
        card = self.parts[found.start("card")] if groups.get("card") else None
        to = self._seats(found, "to")
        who = self._who(found)
        match says:
            case "nothing":
                return True
            case "nobody" | "others" | "rest":
                self.nobody |= says == "nobody"
                self.others |= says == "others"
                self.rest |= says == "rest"
                return True
            case "asks" | "asker" | "goes":
                return self._ask(found) and (card is None or self._add_card(card, last=False))
            case "card" if card is not None:
                return self._add_card(card, last=found.end() == len(found.string))
            case "colon":
                self._closed = len(self.cards) == self.size - 1
                return True
            case "shown_to":
                shown = bool(self.statements) and self._can_be_shown(to)
                self.by = to[0] if shown else self.by
                return shown
            case "shown":
                who = who[-1:] or (SOMEBODY,)
        # All others say who answers what.
        asker = () if to == who else to
        first = self.parts[found.start()].token
        reply = _REPLIES.get(says, "shows")
        if not (self._can_be_shown(asker) and self._answer(who, reply, card, first.column)):
            return False
        self.by = asker[0] if asker else self.by
        self._bare = says == "bare" and len(found[0]) == 1
        if groups.get("unseen"):
            self.unseen.update(self._seats(found, "who"))
        if says == "didnt" or (says == "not" and first.text.casefold() == "not"):
            self.excepted += self._seats(found, "who")
        return True

    def _ask(self, found: re.Match[str]) -> bool:
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
        again = verb is not None and (self._has_verb or (by is None and self.complete))
        if self._open or again or (by is not None and self.by not in (None, by)):
            return False
        if by is not None:
            self.by = by
        self.points = self.points or verb == _POINTS
        self._has_verb = self._has_verb or verb is not None
        self.asked += asked
        return True

    def _add_card(self, card: ChosenToken, *, last: bool) -> bool:
        """Take a card: one asked for; else one that the next player shows, or nobody named."""
        column = card.token.column
        if not self.complete:
            self.cards.append(card)
            return True
        if not self.statements:
            return last and self._answer((SOMEBODY,), "shows", card, column)
        before = self.parts[self.parts.index(card) - 1].token.text.casefold()
        if before == "no":  # `no plum` denies a card
            return False
        follows = self.statements[-1].seat == NEXT
        return follows and self._answer((NEXT,), "shows", card, column)

    def _can_be_shown(self, to: Sequence[str]) -> bool:
        """Return whether who was shown a card, if that is said, is the one who asks."""
        return not to or self.by in (None, to[0])

    def _answer(
        self, who: Sequence[str | None], reply: Reply, card: ChosenToken | None, column: int
    ) -> bool:
        """Take what players answer; nothing follows what was not heard."""
        if not who or self.rest or (card is not None and len(who) > 1):
            return False
        self.statements += [_Statement(seat, reply, card, column) for seat in who]
        return True

    # Who answers what.

    def answers(
        self,
        order: Sequence[str],
        cards: Sequence[str],
        before: Sequence[Answer],
        *,
        all_pass: bool,
    ) -> Iterator[tuple[Answer, ...] | Fault]:
        """
        Yield the answers that are told, as the cards shown can be one or another; or what is wrong.

        Args:
            order: Who answers, in order.
            cards: The cards asked for.
            before: The answers that were told before.
            all_pass: Whether all pass who are not said to show.
        """
        self.answered = []  # of these answers alone: each way to take the cards has its own
        # What each seat answers, and the cards that it can have shown, in the order of telling.
        known: dict[str | None, tuple[Reply, tuple[str | None, ...]]] = {
            one.seat: (one.answer, (one.card,)) for one in before if one.seat
        }
        passing: set[str] = set()  # as the next player, without a name
        for one in () if all_pass and self.lone else self.statements:
            seat = one.seat
            if seat == NEXT:
                answered = [order.index(other) + 1 for other in known if other in order]
                left = order[max(answered, default=0) :]
                if not left or (one.card is not None and len(left) > 1):
                    wanted = "nothing more, as all have passed" if one.card is None else "who shows"
                    yield Fault(True, one.column, f"expected {wanted}")
                    return
                seat = left[0]
            self.answered.append(seat)
            shown: tuple[str | None, ...] = (None,)
            if one.card is not None:
                shown = tuple([name for name in one.card.names if name in cards])
                if not shown:
                    text = printable(one.card.names[0])
                    reason = f"{text} was not asked for: expected {joined(cards)}"
                    yield Fault(False, one.card.token.column, reason, tuple(cards))
                    return
            answer, _ = known.get(seat, ("unheard", ()))
            if answer not in ("unheard", one.answer) or (seat in passing and one.seat != NEXT):
                yield Fault(True, one.column, f"{printable(str(seat))} answers twice")
                return
            if answer == "unheard" or shown != (None,):
                known[seat] = (one.answer, shown)
            if one.seat == NEXT and one.answer == "passes":
                passing.add(str(seat))
        is_open = self.others or self.asked != [*order[:1]]
        if self.asked and not known.keys() >= {*self.asked} and is_open:
            reason = f"expected what {joined(self.asked, 'and')} answers"
            yield Fault(True, self.parts[-1].token.end, reason)
            return
        heard = {seat for seat, (answer, _) in known.items() if answer != "unheard"}
        shown_by = any(answer == "shows" for answer, _ in known.values())
        # Whoever did not show need not have been asked: then those before them did not pass either.
        not_shown = [*self.excepted]
        if self._open and known.get(self.table.viewer, ("",))[0] == "passes":
            not_shown.append(str(self.table.viewer))
        unheard: dict[str | None, tuple[Reply, tuple[str | None, ...]]] = {}
        for seat in not_shown if not shown_by else ():
            earlier = order[: order.index(seat)] if seat in order else ()
            unheard |= {other: ("unheard", (None,)) for other in earlier if other not in heard}
        for seat in order if all_pass or self.others else ():
            if known.get(seat, ("",))[0] == "shows" and not self.table.everyone_shows:
                break
            known.setdefault(seat, ("passes", (None,)))
        closing = (Answer(answer="unheard"),) if self.rest and known else ()
        for filled in (known, {**known, **unheard}) if unheard else (known,):
            for shown in product(*(cards for _, cards in filled.values())):
                each = zip(filled.items(), shown, strict=True)
                yield (
                    *(Answer(seat=who, answer=one, card=card) for (who, (one, _)), card in each),
                    *closing,
                )
