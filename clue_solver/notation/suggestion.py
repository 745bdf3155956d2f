"""
A suggestion and its answers as a line says them: who asks, for which cards, who passes, who shows.

The clauses of the line are taken one after the other; then who answers what follows from the order
of the seats.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import product
from typing import NamedTuple

from clue_solver.errors import printable
from clue_solver.notation.lexicon import TOTALS, lexicon_of
from clue_solver.notation.names import joined
from clue_solver.notation.patterns import clauses
from clue_solver.notation.places import answer_of
from clue_solver.notation.reading import Fault
from clue_solver.notation.scan import Part, Way
from clue_solver.notation.vocabulary import NUMBERS
from clue_solver.rules.observations import Answer, Finger, Reply, Suggestion
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

Suggests = Suggestion | Finger
"""What others answer in turn."""


class Unnamed(Enum):
    """Whose answer it is where no player is named."""

    NEXT = "that of the next who has not answered"
    SOMEBODY = "one player's, and nothing says whose"


NEXT, SOMEBODY = Unnamed.NEXT, Unnamed.SOMEBODY

_REPLIES: dict[str, Reply] = {
    "passes": "passes",
    "skips": "passes",
    "not": "passes",
    "didnt": "passes",
    "too": "passes",
    "unheard": "unheard",
}
"""What is answered in a clause; in others somebody shows."""


_ASKS = ("suggests", "says", "suspects", "thinks", "points")
"""What somebody does who asks."""
_KNOWN = {"has", "lacks", "denies", "no", "didnt"}
"""What says where a card is, or is not."""


class _Statement(NamedTuple):
    """One answer as it is said: whose, and which, where, and the word that says it."""

    seat: str | Unnamed
    answer: Reply
    card: Part | None
    column: int
    word: str = ""


class Suggested:
    """
    A suggestion as the clauses of a line say it.

    Attributes:
        way: The way in which the line is read.
        parts: The tokens of the line.
        left, turn: Who has left the table, and whose turn it is.
        open: The suggestion that the line answers, if its cards were told before.
        by: Who asks, as far as it is said.
        asked: Whom the line says to be asked.
        cards: The tokens of the cards.
        statements: What is said of answers, in order.
        points: Whether it is the pointed finger.
        nobody: Whether all pass who are not said to show.
        others: Whether all others pass.
        rest: Whether nothing was heard of the rest.
        answered_first: Whether answers stand before the first card.
        unseen: Who shows a card that is left out on purpose.
        excepted: Who is said not to be the one who shows, which says nothing of the others.
    """

    def __init__(self, way: Way, table: Table, state: TurnState, open: Suggests | None) -> None:
        """Begin with nothing, or with who asked if the cards were told before."""
        self.way = way
        self.parts = way.parts
        self.table = table
        self.left = state.left
        self.turn = state.turn(table)
        self.open = open
        self.by = None if open is None else open.by
        self.asked: list[str] = []
        self.cards: list[Part] = []
        self.statements: list[_Statement] = []
        self.points = False
        self.nobody = False
        self.others = False
        self.rest = False
        self.answered_first = False
        self.unseen: set[str] = set()
        self.excepted: list[str] = []
        self._has_verb = False
        self._bare = False  # whether a name alone is the last answer
        self._not = False  # whether the last answer was `not ann`
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
        return self.open is not None or self._closed or len(self.cards) >= self.size

    # What the clauses say.

    def read(self) -> Part | None:
        """Take the clauses of the line; return the first word that does not fit."""
        letters, at = self.way.letters, 0
        known = clauses(frozenset([part.role for part in self.parts]))
        while at < len(letters):
            for action, pattern in known:
                found = pattern.match(letters, at)
                if found and found.end() > at and self._take(action, found):
                    self._mentioned += self._seats(found)
                    at = found.end()
                    break
            else:
                return self.parts[at]
        return None

    def _inside(self, found: re.Match[str], group: str = "") -> Sequence[Part]:
        """Return the tokens of a clause, or of a group of it."""
        if group and group not in found.re.groupindex:
            return ()
        return self.parts[slice(*found.span(group or 0))]

    def _seats(self, found: re.Match[str], group: str = "") -> tuple[str, ...]:
        """Return the players whom a clause, or a group of it, names."""
        inside = self._inside(found, group)
        return tuple([part.names[0] for part in inside if part.role == "seat"])

    def _who(self, found: re.Match[str]) -> tuple[str | Unnamed, ...]:
        """Return whose answer a clause tells."""
        if self._inside(found, "next"):
            return (NEXT,)
        match [part.role for part in self._inside(found, "who")]:
            case []:
                return tuple(self.asked)
            case ["someone"]:
                return (SOMEBODY,)
            case ["he"]:
                others = (self.by, self.table.viewer)
                named = [seat for seat in self._mentioned if seat not in others]
                return tuple((self.asked or named)[-1:])
        return self._seats(found, "who")

    def _is_unclear(self, says: str, found: re.Match[str]) -> bool:
        """Return whether a clause that matches may mean something else, or makes no sense here."""
        inside, start, end = self._inside(found), found.start(), found.end()
        before = self.parts[start - 1] if start else None
        after = self.parts[end] if self.parts[end:] else None
        passed = [one.answer == "passes" for one in self.statements] or [False]
        in_words = inside[-1].token.text[:1].isalnum()
        if self._bare and _REPLIES.get(says) == "passes" and in_words and not self._names_all:
            return True  # `ann, ben no` may deny for both
        who = self._seats(found, "who")
        roles = [part.role for part in inside]
        if len(who) == 1 and ("both" in roles or (says == "passes" and "all" in roles)):
            return True
        if who and before is not None and before.role in ("nobody", "else", "nil"):
            return says != "but"  # `nobody ann showed`
        match says:
            case "nothing" | "rest" if inside[0].token.text == "?" and before is not None:
                # A question mark that doubts what is before it: `cat knife?`, `nobody ?`.
                glued = before.token.end == inside[0].token.column
                told = bool(self.statements or self.nobody or self.others)
                whole = self.nobody or (bool(self.statements) and before.role == "card")
                return (glued and (told or not self.complete)) or whole
            case "nothing" if inside[0].token.text == "+":  # a sign for who shows, elsewhere
                return {part and part.role for part in (before, after)} != {"card"}
            case "nothing" if after is None and inside[0].role not in ("comma", "stop"):
                return True  # `plum, rope, hall and`
            case "nothing":
                # `or` stands in a question for cards, but not between what can be of one kind.
                names = [len(part.names) for part in (before, after) if part is not None]
                return inside[0].role == "or" and not (self._has_verb and max(names) == 1)
            case "nobody" if len(inside) == 1 and not self.complete:  # `nobody asked plum`
                return after is not None and after.role in ("seat", "card", "he", *_ASKS)
            case "nobody":  # `no answer` may be the answer of who was asked, or has answered
                shows = any(one.answer == "shows" for one in self.statements)
                # `ann passed and nobody else did` is of passing, `could` of showing.
                of_passing = any(passed) and not {"can", "could", "shows", "answers", "has"} & {
                    *roles
                }
                told = bool(self.asked or self.statements)
                alone = not told and (
                    len(inside) == 1 if self.open is None else not self.open.answers
                )
                return (
                    shows or of_passing or ("nil" in roles and told) or ("else" in roles and alone)
                )
            case "others":  # `ann, the others passed` may be of all
                return self._bare
            case "too":
                return not passed[-1]
            case "unheard":  # `nobody. dan?`
                return self.nobody
            case "skips":  # a turn, rather, of who has answered, and behind `ann passes`
                answered = not {*who} <= {*self._unheard}
                return self.open is not None and (any(passed) or answered)
            case "shows":
                return self._is_unclear_show(inside, roles, who)
            case "passes" | "not" if inside[0].role == "not":
                # `not ann` may except her, or deny for another, as `- - ann` does.
                follows = after is not None and after.role == "seat"
                said_not = inside[0].token.text.casefold() == "not"
                excepts = said_not and any(passed) and not self._not  # `ben passed, not ann`
                # `cat asked plum rope hall, not dan` may be of who asked.
                excepts |= said_not and after is None and not self.statements and self.open is None
                if inside[0].token.text == "-":
                    follows = before is not None and before.token.text == "-"
                return self.nobody or self.others or follows or excepts
            case "passes":
                return self._is_unclear_pass(found, roles)
            case "asker":
                for_whom = before is not None and before.role == "for"  # `ann passed on my plum`
                return bool(self.by or self.cards) or (any(passed) and not for_whom)
            case "didnt":  # what they did not do is what others did who are named before
                return any(passed) or self.nobody or self.others
            case "but":
                return not (self.nobody or all(passed))
            case "bare" if "must" in inside[-1].token.roles:  # `cat must` names no card
                return True
            case "bare" if len(inside) == 1:  # `ann has none, and ben` may deny for both
                joins = before is not None and before.role == "and"
                again = bool({*who} & {one.seat for one in self.statements})
                return self.nobody or self.others or joins or again
            case "bare":
                return self.nobody
        return False

    def _is_unclear_show(
        self, inside: Sequence[Part], roles: Sequence[str], who: Sequence[str]
    ) -> bool:
        """Return whether a clause asks for a card, or is of a hand: `show me`, `i have plum`."""
        words = [part.token.text.casefold() for part in inside]
        own = tuple(who) == (self.table.viewer,)
        if "cards" in words:  # `ann showed her cards`
            return True
        if roles[-1] == "can":  # an ability is no answer, but `can` may be the Candlestick
            asked = {name for part in self.cards for name in part.names}
            asked |= {*self.open.cards} if self.open is not None else set()
            return not asked & {*inside[-1].token.names}
        if "card" not in roles:
            if who and list(roles[-2:]) == ["shows", "seat"] and words[-2] == "show":
                return True
            # `i have one` may be said before the turn to answer.
            early = self.open is not None and [*who] != self._unheard[:1]
            return own and early and "shows" not in roles
        if own:
            has = bool({"have", "ve", "have got", "ve got"} & {*words}) and "shows" not in roles
        else:
            first = list(roles[-2:]) == ["has", "card"] and not self.statements
            has = first and words[-2] != "had"
        return has and self.open is None

    def _is_unclear_pass(self, found: re.Match[str], roles: Sequence[str]) -> bool:
        """Return whether a denial may take an answer back, repeat it, or be a thought."""
        if roles[0] == "no" and "by" not in roles and self._named_last:
            return True  # `ann passes, no, ben passes`
        if "denies" in roles and "has" in roles:  # `ann can't have it`
            denies = self._inside(found)[roles.index("denies")].token.text.casefold()
            return denies.startswith(("can", "cou"))
        # `everybody passed, ann hasn't`; `ann passed, oh no`
        return self.nobody or self.others or self._denies_again(found)

    @property
    def _unheard(self) -> list[str]:
        """The players whose answers are not told, in order."""
        told: set[object] = {one.seat for one in self.statements}
        told |= {one.seat for one in self.open.answers} if self.open else set()
        order = self.table.answering(self.by or self.turn or self.table.seats[0], left=self.left)
        return [seat for seat in order if seat not in told]

    @property
    def _named_last(self) -> bool:
        """Whether the last answer is that of a player who is named."""
        return bool(self.statements) and isinstance(self.statements[-1].seat, str)

    def _denies_again(self, found: re.Match[str]) -> bool:
        """Return whether a denial of nobody may repeat the last: `no, nothing`; `no no` is two."""
        if not (self._inside(found, "next") and self.statements):
            return False
        last = self.statements[-1]
        said = self._inside(found)[0].token.text.casefold()
        return last.answer == "passes" and last.word != said

    @property
    def _names_all(self) -> bool:
        """Whether everybody answers and all are named: then a name alone shows."""
        named = {name for part in self.parts if part.role == "seat" for name in part.names}
        others = len(self.table.seats) - len(named)
        return self.table.everyone_shows and others <= (0 if self.by else 1)

    def _take(self, action: str, found: re.Match[str]) -> bool:
        """Take what a clause says, if it can be said here; return whether it can."""
        says = action.rstrip("!")
        if (says != action and not self.complete) or self._is_unclear(says, found):
            return False
        card = next(iter(self._inside(found, "card")), None)
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
                shown = not self._bare and bool(self.statements) and self._can_be_shown(to)
                self.by = to[0] if shown else self.by
                return shown
            case "shown":
                who = who[-1:] or (SOMEBODY,)
        # All others say who answers what.
        asker = () if to == who else to
        first = self.parts[found.start()].token
        reply = _REPLIES.get(says, "shows")
        word = self._inside(found)[-1].token.text.casefold()
        shown = self._can_be_shown(asker)
        if not (shown and self._answer(who, reply, card, first.column, word)):
            return False
        self.by = asker[0] if asker else self.by
        self._bare = says == "bare" and len(found[0]) == 1
        self._not = self.parts[found.start()].role == "not"
        if self._inside(found, "unseen"):
            self.unseen.update(self._seats(found, "who"))
        # Who `didn't show`, and the viewer who has none, need not have been asked.
        roles = {part.role for part in self._inside(found)}
        if "didnt" in roles or (says == "not" and first.text.casefold() == "not"):
            self.excepted += self._seats(found, "who")
        elif reply == "passes" and self.table.viewer in who and not roles & {"passes", "passed"}:
            self.excepted.append(str(self.table.viewer))
        return True

    def _ask(self, found: re.Match[str]) -> bool:
        """Take who asks whom; a name behind the cards is who asks."""
        verb = next((part.role for part in self._inside(found, "verb")), None)
        by = next(iter(self._seats(found, "by")), None)
        asked = self._seats(found, "asked")
        if by is None and self._inside(found, "by"):  # he or she
            by = self._mentioned[-1] if self._mentioned else self.turn
            if by in (None, self.table.viewer):
                return False
        if by is None and self.by is None and len(asked) == 1 and self.complete:
            by, asked = asked[0], ()
        behind = self.complete or self.parts[found.start() - 1] in self.cards
        again = verb is not None and (self._has_verb or (by is None and behind))
        words = {part.token.text.casefold() for part in self._inside(found)}
        if verb == "suggests" and self.complete:  # `plum rope hall, i guess`, or `asked me`
            again = again or bool(words & {"guess", "ask", "asks", "asked"})
        # `ann passed, ben asked` may tell of a turn of Ann's, or take her name back.
        had = any(part.role == "has" for part in self._inside(found))
        passed = any(one.answer == "passes" for one in self.statements)
        unclear = verb is not None and passed and not (self.complete or had)
        if (
            self.open is not None
            or again
            or unclear
            or ("had" in words and not self.statements)  # of a time before
            or (by is not None and self.by not in (None, by))
        ):
            return False
        self.by = by or self.by
        self.points = self.points or verb == "points"
        self._has_verb = self._has_verb or verb is not None
        self.asked += asked
        return True

    def _add_card(self, card: Part, *, last: bool) -> bool:
        """Take a card: one asked for; else one that the next player shows, or nobody named."""
        column = card.token.column
        if not self.complete:
            self.answered_first |= not self.cards and bool(self.statements or self.nobody)
            self.cards.append(card)
            return True
        if not self.statements:
            return last and self._answer((SOMEBODY,), "shows", card, column)
        before = self.parts[self.parts.index(card) - 1].token.text.casefold()
        follows = self.statements[-1].seat is NEXT and before != "no"  # `no plum` denies a card
        return follows and self._answer((NEXT,), "shows", card, column)

    def _can_be_shown(self, to: Sequence[str]) -> bool:
        """Return whether who was shown a card, if that is said, is the one who asks."""
        return not to or self.by in (None, to[0])

    def _answer(
        self,
        who: Sequence[str | Unnamed],
        reply: Reply,
        card: Part | None,
        column: int,
        word: str = "",
    ) -> bool:
        """Take what players answer; nothing follows what was not heard."""
        if not who or self.rest or (card is not None and len(who) > 1):
            return False
        self.statements += [_Statement(seat, reply, card, column, word) for seat in who]
        return True

    # What is wrong.

    def fault(self, stuck: Part | None) -> Fault | None:
        """Return why this is no suggestion: a word does not fit, or no card is named."""
        first = self.parts[0]
        stuck = stuck or self._doubtful
        if stuck is None and (self.open is not None or self.cards or not self.statements):
            return None
        if stuck is None:
            reason = "expected the suggestion before its answers"
            order = ""
            if self.turn is not None:
                others = joined(self.table.answering(self.turn, left=self.left), "and")
                order = f"; it is {printable(self.turn)}'s turn, then {others} answer in order"
            reason = f"{reason}; found '{printable(first.token.text)}'{order}"
            return Fault(False, first.token.column, reason)
        wanted = self._wanted(stuck)
        if stuck is first and stuck.role == "seat":  # and nothing that can follow
            if not self.parts[1:]:
                reason = "expected a card, or a verb such as suggests or skips; found nothing"
                return Fault(False, first.token.end, reason)
            stuck = self.parts[1]
            verb = "rolls" if stuck.token.text in TOTALS else "suggests or skips"
            wanted = f"a card, or a verb such as {verb}"
        found = f"'{printable(stuck.token.text)}'"
        return Fault(False, stuck.token.column, f"expected {wanted}; found {found}")

    @property
    def _doubtful(self) -> Part | None:
        """The word that makes a thought, a time or the solution of what is not told whole."""
        first = self.parts[0]
        if first.role == "its" and not self._has_verb:  # `it's plum rope hall`
            return first
        if first.role == "after" and all(one.answer == "passes" for one in self.statements):
            return first  # `after ann passes`: what was then?
        has = [part.role for part in self.parts[:3]] == ["seat", "has", "one"]
        if has and self.answered_first and not self._has_verb:
            return first  # `ann has one of plum rope hall`
        for part in self.parts:  # `the other two`
            words = part.token.text.casefold().split()
            numbers = [number for number, word in enumerate(NUMBERS, 2) if word in words]
            if part.role in ("all", "others") and numbers not in ([], [len(self._unheard)]):
                return part
        if self.statements or self.nobody or self.others:
            return None
        return next((part for part in self.parts if part.role in ("thinks", "when")), None)

    def _wanted(self, stuck: Part) -> str:
        """Return what can follow a suggestion that breaks off."""
        by = self.by or self.turn or self.table.seats[0]
        if self.complete:
            left = [*map(printable, self.table.answering(by, left=self.left))]
            for one in self.statements:
                left = left[left.index(one.seat) + 1 :] if one.seat in left else left
            says = [f"{seat} passes" for seat in left[:-1][:1]]
            says += [f"{seat} shows" for seat in left[len(says) :][:1]]
            example = f", as in '{', '.join(says)}'" if says else ""
            return f"who answers, and what{example}"
        kinds, category_of = self.table.edition.category, lexicon_of(self.table).category_of
        named = {category_of.get(name) for part in self.cards for name in part.names}
        lacking = [kind for kind in kinds if kind.name not in named]
        if self.cards:
            return joined((f"a {kind.name}" for kind in lacking), "and") if lacking else "a card"
        some = [kind.cards[0].name for kind in kinds]
        example = f"{printable(by)} suggests {', '.join(some[: self.table.edition.named])}"
        if stuck.role in _KNOWN:
            example = f"{printable(self.table.seats[-1])} has {some[0]}"
        return f"who does what, as in '{example}'"

    # Who answers what.

    def answers(
        self, order: Sequence[str], cards: Sequence[str]
    ) -> Iterator[tuple[Answer, ...] | Fault]:
        """
        Yield the answers that are told, as the cards shown can be one or another; or what is wrong.

        Args:
            order: Who answers, in order.
            cards: The cards asked for.
        """
        seats = [one.seat for one in self.statements]
        before, last = seats[:-1], seats[-1] if seats else None
        # A denial of nobody in particular that ends the line is the next player's, or everybody's
        # unless others answered so before it; a dash alone is everybody's.
        lone = last is NEXT and not (before or self.rest or self.asked)
        either = last is NEXT and any(isinstance(seat, str) for seat in before)
        if lone and self.parts[-1].token.text != "-":
            if (
                self.open is None and len(self.cards) < self.size
            ):  # when the cards are told, it is asked anew who answered what
                yield ()
                return
            either = True
        for all_pass in (False, True) if either else (self.nobody or lone,):
            known = self._known(() if all_pass and lone else self.statements, order, cards)
            if isinstance(known, Fault):
                yield known
                continue
            answers = {seat: one.answer for seat, (one, *_) in known.items()}
            # Whoever did not show need not have been asked: nor did those before them pass, then.
            not_shown = [*self.excepted]
            if self.open is not None and answers.get(self.table.viewer) == "passes":
                not_shown.append(str(self.table.viewer))
            unheard: dict[str | None, list[Answer]] = {}
            for seat in not_shown if "shows" not in answers.values() else ():
                for other in order[: order.index(seat)] if seat in order else ():
                    if answers.get(other, "unheard") == "unheard":
                        unheard[other] = [answer_of(other, "unheard")]
            for seat in order if all_pass or self.others else ():
                if answers.get(seat) == "shows" and not self.table.everyone_shows:
                    break
                known.setdefault(seat, [answer_of(seat)])
            closing = (Answer(answer="unheard"),) if self.rest and known else ()
            for filled in (known, {**known, **unheard}) if unheard else (known,):
                for each in product(*filled.values()):
                    yield (*each, *closing)

    def _known(
        self, statements: Sequence[_Statement], order: Sequence[str], cards: Sequence[str]
    ) -> dict[str | None, list[Answer]] | Fault:
        """Return each player's answer, with each card that it can be, in the order of telling."""
        earlier = self.open.answers if self.open is not None else ()
        known: dict[str | None, list[Answer]] = {one.seat: [one] for one in earlier if one.seat}
        passing: set[str | None] = set()  # as the next player, without a name
        for one in statements:
            seat = one.seat if isinstance(one.seat, str) else None
            if one.seat is NEXT:
                answered = [order.index(other) + 1 for other in known if other in order]
                left = order[max(answered, default=0) :]
                if not left or (one.card is not None and len(left) > 1):
                    wanted = "nothing more, as all have passed" if one.card is None else "who shows"
                    return Fault(True, one.column, f"expected {wanted}")
                seat = left[0]
            shown: list[str | None] = [None]
            if one.card is not None:
                shown = [name for name in one.card.names if name in cards]
                if not shown:
                    text = printable(one.card.names[0])
                    reason = f"{text} was not asked for: expected {joined(cards)}"
                    return Fault(False, one.card.token.column, reason, tuple(cards))
            told_before = known[seat][0] if seat in known else Answer(answer="unheard")
            answer = told_before.answer
            if (
                (one.card is not None and told_before.card not in (None, *shown))
                or answer not in ("unheard", one.answer)
                or (seat in passing and one.seat is not NEXT)
            ):
                return Fault(True, one.column, f"{printable(str(seat))} answers twice")
            if answer == "unheard" or one.card is not None:
                known[seat] = [Answer(seat=seat, answer=one.answer, card=card) for card in shown]
            if one.seat is NEXT and one.answer == "passes":
                passing.add(seat)
        is_open = self.others or self.asked != [*order[:1]]
        if self.asked and not known.keys() >= {*self.asked} and is_open:
            expected = f"expected {joined(self.asked, 'and')}'s answer"
            return Fault(True, self.parts[-1].token.end, expected)
        return known
