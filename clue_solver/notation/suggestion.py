"""
Reads a suggestion or a question and its answers: who asks for what, who passes, who shows.

The clauses of the line are read one after the other; `patterns.ORDER` says where each may stand.
Then the order of the seats says who gave which answer.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import product
from typing import NamedTuple, cast

from clue_solver.errors import printable
from clue_solver.notation.checks import answered_seats, left_reason
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import joined
from clue_solver.notation.patterns import PatternRow, clauses
from clue_solver.notation.places import answer_of
from clue_solver.notation.reading import Answerable, Fault
from clue_solver.notation.scan import Part, Way
from clue_solver.notation.vocabulary import LETTERS
from clue_solver.rules.observations import Answer, Finger, Question, Reply, Suggestion
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState


class Unnamed(Enum):
    """Whose answer a clause of a line gives if it names no player."""

    NEXT = "the answer of the next player who has not answered"
    SOMEBODY = "the answer of one player; nothing says whose"
    ALL = "the answers of all who are not said to show a card"
    OTHERS = "the answers of all whose answers are not given"
    REST = "the answers after the last one that was heard"


NEXT, SOMEBODY, ALL, OTHERS, REST = Unnamed

_KINDS: dict[str, type[Answerable]] = {"question": Question, "points": Finger}
"""The kind of observation that a clause of this name begins; other clauses begin a suggestion."""
_NAMING = {"seat", "owner", "mine"}
"""The roles of words that name a player."""


class _Statement(NamedTuple):
    """
    One answer that the line gives.

    Attributes:
        seat: Whose answer it is.
        answer: Whether the player `passes` or `shows`, or the answer was `unheard`.
        card: The token of the card shown; `None` if the line names none.
        column: The column where its clause begins, from 0.
        bare: Whether the clause says who shows which card without a word for showing: `cat rope`.
    """

    seat: str | Unnamed
    answer: Reply
    card: Part | None
    column: int
    bare: bool


_BySeat = dict[str | None, list[Answer]]
"""
The possible answers of each player, by player: several if the word for the shown card can mean
several cards.
"""


class SpokenSuggestion:
    """
    A suggestion or a question as a line gives it, filled in clause by clause.

    Attributes:
        way: The way in which the line is read.
        parts: The tokens of the line.
        left: The seats that have left the table.
        turn: The seat whose turn it is.
        open: The earlier observation that this line answers; `None` if it answers none.
        by: Who asks; `None` if the line does not say.
        asked: The seats that the line says were asked.
        cards: The tokens of the cards.
        statements: The answers that the line gives, in its order.
        kind: Whether the line is a suggestion, the pointed finger of Clue Diced, or a question.
        answered_first: Whether an answer stands before the first card.
        unseen: The seats that show a card which the line deliberately does not name.
        excepted: The seats of which the line says only that they did not show. This does not imply
            that the seats before them passed.
    """

    def __init__(self, way: Way, table: Table, state: TurnState, open: Answerable | None) -> None:
        """
        Begin with an empty suggestion; if `open` is given, with who asks whom in it.

        Args:
            way: The way in which the line is read.
            table: The table.
            state: The state of the turns before the line.
            open: The earlier observation that the line answers; `None` if it answers none.
        """
        self.way = way
        self.parts = way.parts
        self.table = table
        self.left = state.left
        self.turn = state.turn(table)
        self.open = open
        self.by = None if open is None else open.by
        self.asked: list[str] = [open.seat] if isinstance(open, Question) else []
        self.cards: list[Part] = []
        self.statements: list[_Statement] = []
        self.kind: type[Answerable] = Suggestion if open is None else type(open)
        self.answered_first = False
        self.unseen: set[str] = set()
        self.excepted: list[str] = []
        self._mentioned: list[str] = []

    @property
    def is_question(self) -> bool:
        """Whether a single player is asked, and answers."""
        return self.kind is Question

    @property
    def size(self) -> int:
        """How many cards the suggestion names; a question names one or more."""
        edition = self.table.edition
        return {Finger: len(edition.category), Question: 1}.get(self.kind, edition.named)

    # What the clauses say.

    def read(self) -> Part | None:
        """
        Read the clauses of the line. Return the first word that does not fit; `None` if all fit.
        """
        letters, at = self.way.letters, 0
        stage = "start" if self.open is None else "asked" if self.is_question else "late"
        roles = frozenset([part.role for part in self.parts])
        while at < len(letters):
            for clause, pattern, then in clauses(stage, roles, self.table.edition.named):
                found = pattern.match(letters, at)
                if found and found.end() > at and self._add_clause(clause, found):
                    self._mentioned += self._seats_in(found)
                    at, stage = found.end(), then
                    break
            else:
                return self.parts[at]
            if stage in ("shown", "ended") and self.table.everyone_shows:
                stage = "each" if stage == "shown" else "listed"
        return None

    def _parts_in(self, found: re.Match[str], group: str = "") -> Sequence[Part]:
        """Return the tokens of a clause that matched, or those of one group of its pattern."""
        if group and group not in found.re.groupindex:
            return ()
        return self.parts[slice(*found.span(group or 0))]

    def _seats_in(self, found: re.Match[str], group: str = "") -> list[str]:
        """Return the players named in a clause that matched, or in one group of its pattern."""
        return [part.names[0] for part in self._parts_in(found, group) if part.role in _NAMING]

    def _whose(self, clause: PatternRow, found: re.Match[str]) -> Sequence[str | Unnamed]:
        """Return whose answers a clause gives; empty if that is not clear."""
        if self.is_question and not self._parts_in(found, "who"):
            return self.asked
        times = [part for part in self._parts_in(found, "next") if part.role != "comma"]
        if times and found.group() == self.way.letters[-1] == LETTERS["dash"]:
            return (NEXT,) if self.statements else (ALL,)
        if times:
            return (NEXT,) * len(times)
        match [part.role for part in self._parts_in(found, "who")]:
            case [] if clause.whose:
                return (Unnamed[clause.whose.upper()],)
            case [] if clause.name == "card":  # that of the next player, or of nobody in particular
                return (NEXT if self.statements else SOMEBODY,)
            case [] if clause.name == "shown":
                return self.asked[-1:] or (SOMEBODY,)
            case []:
                return self.asked if self.asked[1:] else ()  # `both passed`
            case ["someone"]:
                return (SOMEBODY,)
            case ["he"]:
                others = (self.by, self.table.viewer)
                named = [seat for seat in self._mentioned if seat not in others]
                return (self.asked or named)[-1:]
        return self._seats_in(found, "who")

    def _add_clause(self, clause: PatternRow, found: re.Match[str]) -> bool:
        """
        Add what a clause says to this suggestion.

        Return whether it makes sense after the clauses before it; if not, nothing is added.

        Args:
            clause: The row of the clause.
            found: The match of its pattern.
        """
        if clause.means == "asks":
            return self._add_asking(clause, found)
        to = self._seats_in(found, "to")
        answers = clause.means != "nothing"
        who = self._whose(clause, found) if answers else []
        if to and (to == who or self.by not in (None, to[0])):
            return False
        if answers and not self._add_answers(clause, found, who):
            return False
        self.by = to[0] if to else self.by
        return True

    def _add_answers(
        self, clause: PatternRow, found: re.Match[str], who: Sequence[str | Unnamed]
    ) -> bool:
        """
        Add the answers that a clause gives to `statements`.

        Return whether these players can answer so; if not, nothing is added.

        Args:
            clause: The row of the clause.
            found: The match of its pattern.
            who: Whose answers they are.
        """
        card = next(iter(self._parts_in(found, "card")), None)
        lacking = self.is_question and self.open is None and not self.cards
        if not who or lacking or (card is not None and len(who) > 1):
            return False
        if self.is_question and (clause.name == "bare" or [*who] != self.asked):
            return False  # it is no answer, or another player's
        if self.open is not None:
            if clause.name == "has_one" and self.table.viewer in who:
                return False  # `i have one` may be said before one is asked
            if clause.name == "skips" and {*who} & answered_seats(self.open):
                return False  # it is a turn
        answer, bare = cast(Reply, clause.means), clause.name == "bare_card"
        column = self.parts[found.start()].token.column
        self.statements += [_Statement(seat, answer, card, column, bare) for seat in who]
        # Who shows a card unseen, and who need not have been asked, as they did not show.
        roles = {part.role for part in self._parts_in(found)}
        named = self._seats_in(found, "who")
        if self._parts_in(found, "unseen"):
            self.unseen.update(seat for seat in who if isinstance(seat, str))
        if roles & {"not", "minus", "didnt", "neither"}:
            self.excepted += named
        elif not roles & {"passes", "passed", "dash"}:
            self.excepted += [seat for seat in named if seat == self.table.viewer]
        return True

    def _add_asking(self, clause: PatternRow, found: re.Match[str]) -> bool:
        """
        Add to this suggestion who asks for which cards.

        Return whether a clause that asks makes sense after the clauses before it; if not, nothing
        is added.

        Args:
            clause: The row of the clause.
            found: The match of its pattern.
        """
        by = [seat for group in ("by", "turn", "also") for seat in self._seats_in(found, group)]
        if not by and any(part.role == "he" for part in self._parts_in(found)):
            by = self._mentioned[-1:] or ([] if self.turn is None else [self.turn])
            if by in ([], [self.table.viewer]):
                return False
        by += [] if self.by is None else [self.by]
        named = [*self._parts_in(found, "room"), *self._parts_in(found, "cards")]
        cards = [part for part in named if part.role == "card"]
        asked = self._seats_in(found, "asked")
        edition = self.table.edition
        kind = _KINDS.get(clause.name, Suggestion)
        if len(asked) == 1 and Question.form.verb in edition.verbs:
            kind = Question
        elif kind is Question:  # which the rules do not have, so the line has to say it
            about = any(part.role == "about" for part in self.parts)
            if not (about and 0 < len(cards) < edition.named):
                return False
        most = len(edition.category) if kind is Finger else edition.named
        if len({*by}) > 1 or (kind is not Question and len(cards) > most):
            return False
        self.kind = kind
        self.by = by[0] if by else None
        self.asked += asked
        self.cards = cards
        self.answered_first = bool(self.statements)
        return True

    # What is wrong.

    def fault(self, stuck: Part | None) -> Fault | None:
        """
        Return why this is no suggestion; `None` if it is one.

        Args:
            stuck: The first word that does not fit, as `read` returns it.
        """
        first, *more = self.parts
        if stuck is None and not self.statements:  # a thought or a time is no suggestion
            stuck = next((part for part in self.parts if part.role in ("thinks", "when")), None)
        if stuck is None and (self.by is not None or self.cards or not self.statements):
            return None
        wanted = self._expected_text()
        near: tuple[str, ...] = ()
        if stuck is None:
            stuck, wanted = first, "the suggestion before its answers"
            near = self._skips_meant()
        if stuck is first and stuck.role == "seat" and not self.statements:
            wanted = "a card, or a verb such as suggests or skips"
            if not more:
                return Fault(False, first.token.end, f"expected {wanted}; found nothing")
            stuck = more[0]
        reason = f"expected {wanted}; found '{printable(stuck.token.text)}'"
        hint = f"; did you mean '{printable(near[0])}'?" if near else ""
        return Fault(False, stuck.token.column, f"{reason}{hint}", near)

    def _skips_meant(self) -> tuple[str, ...]:
        """
        Return the line that was probably meant by one such as `Ben no`: here, `Ben skips`.

        Returns:
            A tuple with that line; an empty one if the line says more than that a player passes.
        """
        match self.statements:
            case [_Statement(seat=str(seat), answer="passes")]:
                return (f"{seat} skips",)
            case [_Statement(seat=Unnamed.NEXT, answer="passes")]:
                return (f"{self._actor} skips",)
        return ()

    @property
    def _actor(self) -> str:
        """Who asks, for the examples in messages; if that is unknown, the first seat."""
        return self.by or self.turn or self.table.seats[0]

    def _expected_text(self) -> str:
        """Return, for a message, what could have stood in place of a word that does not fit."""
        if self.open is not None or len(self.cards) >= self.size:
            heard = [one.seat for one in self.statements]
            every = self.table.answering(self._actor, left=self.left)
            order = self.asked if self.is_question else every
            left = [printable(seat) for seat in order if seat not in heard][:2]
            example = f", as in '{' passes, '.join(left)} shows'" if left else ""
            return f"who answers, and what{example}"
        if self.is_question:
            return Question.form.expects
        kinds, category_of = self.table.edition.category, lexicon_of(self.table).category_of
        named = {category_of.get(name) for part in self.cards for name in part.names}
        lacking = [f"a {kind.name}" for kind in kinds if kind.name not in named]
        if self.cards:
            return joined(lacking, "and") or "a card"
        some = [kind.cards[0].name for kind in kinds[: self.table.edition.named]]
        return f"who does what, as in '{printable(self._actor)} suggests {', '.join(some)}'"

    # Who answers what.

    def answers(self, order: Sequence[str], cards: Sequence[str]) -> Iterator[tuple[Answer, ...]]:
        """
        Yield each way to read who answered what.

        A single pass that names no player can be the next player's or everybody's, and each
        possible meaning of a shown card is a reading of its own.

        Args:
            order: The seats that answer, in order.
            cards: The cards asked for.

        Raises:
            Fault: If the players cannot have answered so.
        """
        # A single pass may be that of the next player, or of all.
        whose = [one.seat for one in self.statements]
        choices = [ALL in whose]
        if whose == [NEXT] and not self.asked:  # of nobody in particular: the next one's, or all's
            if not order or (self.open is None and len(self.cards) < self.size):
                yield ()  # when the cards are told, it is asked anew who answered what
                return
            choices = [False, True]
        for all_pass in choices:
            known = self._answers_by_seat(order, cards)
            unheard = self._perhaps_not_asked(order, known)
            if all_pass or OTHERS in whose:
                self._add_passes(order, known)
            # Each choice of a card for each player is one reading of the answers.
            closing = (Answer(answer="unheard"),) if REST in whose and known else ()
            for filled in (known, {**known, **unheard}) if unheard else (known,):
                for each in product(*filled.values()):
                    yield (*each, *closing)

    def _perhaps_not_asked(self, order: Sequence[str], known: _BySeat) -> _BySeat:
        """
        Return an unheard answer for each seat that may have shown a card although nothing says so.

        If the line says only that a player did not show, a seat before that player may have shown
        a card, so that the player was not even asked.

        Args:
            order: The seats that answer, in order.
            known: The answers that the line gives.
        """
        replies = {seat: one.answer for seat, (one, *_) in known.items()}
        not_shown = [*self.excepted]
        if self.open is not None and replies.get(self.table.viewer) == "passes":
            not_shown.append(str(self.table.viewer))
        if "shows" in replies.values():
            return {}
        at = max([order.index(seat) for seat in not_shown if seat in order], default=0)
        silent = [seat for seat in order[:at] if replies.get(seat, "unheard") == "unheard"]
        return {seat: [answer_of(seat, "unheard")] for seat in silent}

    def _add_passes(self, order: Sequence[str], known: _BySeat) -> None:
        """
        Add a pass to `known` for each seat about which nothing is said.

        This ends at the first seat that shows a card, unless every seat that can show does so
        (`Table.everyone_shows`). `order` has the seats that answer, in order.
        """
        for seat in order:
            if seat in known and known[seat][0].answer == "shows" and not self.table.everyone_shows:
                break
            known.setdefault(seat, [answer_of(seat)])

    def _answers_by_seat(self, order: Sequence[str], cards: Sequence[str]) -> _BySeat:
        """
        Return the possible answers of each seat that this line and an earlier one give.

        Args:
            order: The seats that answer, in order.
            cards: The cards asked for.

        Raises:
            Fault: If the players cannot have answered so.
        """
        earlier = () if self.open is None or isinstance(self.open, Question) else self.open.answers
        known: _BySeat = {one.seat: [one] for one in earlier if one.seat}
        passing: set[str | None] = set()  # as the next player, without a name
        for one in self.statements:
            if one.seat in (ALL, OTHERS, REST):
                continue
            # Whose answer it is: if nobody is named, the player's after those who have answered.
            seat = one.seat if isinstance(one.seat, str) else None
            if one.seat is NEXT:
                answered = [order.index(other) + 1 for other in known if other in order]
                left = order[max(answered, default=0) :]
                if not left or (one.card is not None and len(left) > 1):
                    wanted = "nothing more, as all have passed" if one.card is None else "who shows"
                    raise Fault(True, one.column, f"expected {wanted}")
                seat = left[0]
            # Which cards it may show: those that the word can mean and that were asked for.
            shown: list[str | None] = [None]
            if one.card is not None:
                shown = [name for name in one.card.names if name in cards]
                if shown and one.bare and one.card.token.roles & {"can", "miss"}:
                    shown = [None, *shown]  # `cat can` is the candlestick, or that she can show
                if not shown:
                    text = printable(one.card.names[0])
                    reason = f"{text} was not asked for: expected {joined(cards)}"
                    if not cards:
                        reason = f"expected the cards of the suggestion before '{text}'"
                    raise Fault(False, one.card.token.column, reason, tuple(cards))
            # It may add a card to an earlier answer, but must not contradict it.
            told_before = known[seat][0] if seat in known else Answer(answer="unheard")
            answer = told_before.answer
            if (
                (one.card is not None and told_before.card not in (None, *shown))
                or answer not in ("unheard", one.answer)
                or (seat in passing and one.seat is not NEXT)
            ):
                raise Fault(True, one.column, f"{printable(str(seat))} answers twice")
            if answer == "unheard" or one.card is not None:
                known[seat] = [Answer(seat=seat, answer=one.answer, card=card) for card in shown]
            if one.seat is NEXT and one.answer == "passes":
                passing.add(seat)
        # Who is said to be asked also has to answer, unless the others do.
        others_told = OTHERS in [one.seat for one in self.statements]
        is_open = others_told or self.asked != [*order[:1]]
        if self.asked and not known.keys() >= {*self.asked} and is_open:
            gone = [seat for seat in self.asked if seat in self.left]
            expected = f"expected {joined(self.asked, 'and')}'s answer"
            reason = left_reason(gone[0]) if gone else expected
            raise Fault(True, self.parts[-1].token.end, reason)
        return known
