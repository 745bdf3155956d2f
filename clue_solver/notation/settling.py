"""Checking an observation against the table, and bringing it to its one canonical form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from clue_solver.errors import SetupError, escape
from clue_solver.names import Names, joined
from clue_solver.notation.answering import settled_answers
from clue_solver.notation.course import Course
from clue_solver.notation.lexicon import Lexicon, lexicon_of
from clue_solver.notation.misfit import Misfit, refuse
from clue_solver.observation import (
    Accusation,
    Hand,
    Knowing,
    Look,
    Nobody,
    Observation,
    Peek,
    Question,
    Reveal,
    Suggestion,
)
from clue_solver.table import Table

__all__ = ["Misfit", "settle"]


def settle(observation: Observation, table: Table, course: Course | None = None) -> Observation:
    """
    Return the observation in its canonical form: passes that follow filled in, lists closed.

    Args:
        observation: Cards, seats, slots and features by their canonical names.
        table: The table at which it was made.
        course: What the earlier lines mean for it; a game that has not begun if left out.

    Raises:
        NotationError: If it has no meaning at this table; a `Misfit`, whose `path` says which part
            of the observation is at fault.
    """
    check = _Check(table, course or Course())
    match observation:
        case Hand():
            return check.hand(observation)
        case Suggestion():
            return check.suggestion(observation)
        case Question():
            return check.question(observation)
        case Look():
            return check.look(observation)
        case Peek():
            return check.peek(observation)
        case Reveal():
            return check.reveal(observation)
        case Nobody():
            check.name(check.lexicon.cards, observation.card, "card")
            return observation
        case Accusation():
            return check.accusation(observation)
        case Knowing():
            return check.knowing(observation)
        case _:
            assert_never(observation)


class _Check:
    """The checks on observations at one table; each returns the canonical observation."""

    def __init__(self, table: Table, course: Course) -> None:
        self.table, self.course = table, course
        self.lexicon: Lexicon = lexicon_of(table)

    def hand(self, hand: Hand) -> Hand:
        self.name(self.lexicon.seats, hand.seat, "seat")
        if not hand.cards:
            refuse(f"expected the cards that {hand.seat} holds; found none", "cards")
        self.distinct(hand.cards, "cards")
        for place, card in enumerate(hand.cards):
            self.hidden(card, "cards", place)
        self._size(hand)
        return hand

    def _size(self, hand: Hand) -> None:
        place = self.table.seats.index(hand.seat)
        others = {seat: size for seat, size in self.course.sizes.items() if seat != hand.seat}
        try:
            least, most = self.table.size_bounds(others)[place]
        except SetupError as error:
            refuse(str(error), "cards")
        found = len(hand.cards)
        if least <= found <= most:
            return
        expected = f"{least}" if least == most else f"{least} or {most}"
        side = (
            "more cards than the hand holds" if found > most else "fewer cards than the hand holds"
        )
        hint = ""
        if not self.table.hands or self.table.hands[place] is None:
            hint = "; a `hands:` line in the header can say otherwise"
        whose = hand.seat
        refuse(
            f"{side}: expected {expected} for {whose}; found {found}{hint}",
            *("cards", most if found > most else found - 1),
        )

    def suggestion(self, suggestion: Suggestion) -> Suggestion:
        self.name(self.lexicon.seats, suggestion.by, "by")
        self.one_of_each(suggestion.cards, self.table.edition.named)
        for place, answer in enumerate(suggestion.answers):
            if answer.seat is not None:
                self.name(self.lexicon.seats, answer.seat, "answers", place, "seat")
            if answer.card is not None:
                self.shown_card(answer.card, suggestion.cards, "answers", place, "card")
        answers = settled_answers(suggestion, self.table)
        return suggestion if answers == suggestion.answers else replace(suggestion, answers=answers)

    def question(self, question: Question) -> Question:
        self.name(self.lexicon.seats, question.by, "by")
        self.name(self.lexicon.seats, question.seat, "seat")
        self.other(question.seat, question.by, "asks", "seat")
        if not question.about:
            refuse("expected the card or cards that are asked about; found none", "about")
        asked: list[str] = []
        for place, thing in enumerate(question.about):
            self.name(self.lexicon.things, thing, "about", place)
            asked.extend(self.lexicon.marked.get(thing, (thing,)))
        self.distinct(question.about, "about", checked=True)
        if question.card is not None:
            if question.answer != "shows":
                refuse("a card goes with the answer 'shows' only", "card")
            self.shown_card(question.card, asked, "card")
        return question

    def look(self, look: Look) -> Look:
        self.name(self.lexicon.seats, look.by, "by")
        self.name(self.lexicon.places, look.holder, "holder")
        self.other(look.holder, look.by, "looks at", "holder")
        if look.card is not None:
            self.name(self.lexicon.cards, look.card, "card")
            self.hidden(look.card, "card")
        return look

    def peek(self, peek: Peek) -> Peek:
        self.name(self.lexicon.seats, peek.by, "by")
        if not self.lexicon.marked:
            name = escape(self.table.edition.name)
            refuse(f"edition {name} has no notch: there is nothing to peek at", "event")
        if peek.feature is not None:
            self.name(self.lexicon.features, peek.feature, "feature")
        return peek

    def reveal(self, reveal: Reveal) -> Reveal:
        self.name(self.lexicon.seats, reveal.seat, "seat")
        if reveal.to is not None:
            self.name(self.lexicon.seats, reveal.to, "to")
            self.other(reveal.to, reveal.seat, "reveals to", "to")
        if reveal.card is not None:
            self.name(self.lexicon.cards, reveal.card, "card")
            self.hidden(reveal.card, "card")
        elif reveal.to is None:
            refuse(f"expected the card that {reveal.seat} reveals; found none", "card")
        return reveal

    def accusation(self, accusation: Accusation) -> Accusation:
        self.name(self.lexicon.seats, accusation.by, "by")
        self.one_of_each(accusation.cards, len(self.table.edition.category))
        return accusation

    def knowing(self, knowing: Knowing) -> Knowing:
        self.name(self.lexicon.seats, knowing.by, "by")
        self.name(self.lexicon.holders, knowing.holder, "holder")
        if bool(knowing.has) == bool(knowing.lacks):
            refuse("expected either the cards it has one of or those it lacks", "has")
        for field, cards in (("has", knowing.has), ("lacks", knowing.lacks)):
            self.distinct(cards, field)
            for place, card in enumerate(cards):
                self.hidden(card, field, place)
        return knowing

    def name(self, names: Names, name: str, *path: str | int) -> None:
        """Refuse what is not one of the names, to the letter."""
        if name not in names:
            error = names.unknown(name)
            refuse(error.reason, *path, nearest=error.nearest)

    def other(self, seat: str, by: str, verb: str, *path: str | int) -> None:
        if seat == by:
            expected = joined(name for name in self.table.seats if name != by)
            refuse(f"nobody {verb} themselves: expected {expected}; found {by}", *path)

    def distinct(self, cards: Sequence[str], field: str, *, checked: bool = False) -> None:
        for place, card in enumerate(cards):
            if not checked:
                self.name(self.lexicon.cards, card, field, place)
            if card in cards[:place]:
                refuse(f"{card} stands in the line twice", field, place)

    def hidden(self, card: str, *path: str | int) -> None:
        if card in self.table.face_up:
            refuse(f"{card} lies face-up on the table: nobody holds it", *path)

    def shown_card(self, card: str, asked: Sequence[str], *path: str | int) -> None:
        self.name(self.lexicon.cards, card, *path)
        if card not in asked:
            expected = joined(asked)
            refuse(f"{card} was not asked for: expected {expected}", *path, nearest=(*asked,))
        self.hidden(card, *path)

    def one_of_each(self, cards: Sequence[str], count: int) -> None:
        """Refuse cards that are not `count` cards of different categories."""
        self.distinct(cards, "cards")
        kinds = [self.lexicon.kind[card] for card in cards]
        every = [kind.name for kind in self.table.edition.category]
        if count == len(every):
            wanted = joined((f"one {kind}" for kind in every), "and")
        else:
            wanted = f"{count} cards of different categories"
        missing = (
            joined((f"no {kind}" for kind in every if kind not in kinds), "and")
            if (count == len(every) and set(kinds) != set(every))
            else ""
        )
        for place, kind in enumerate(kinds):
            if kind in kinds[:place]:
                pair = joined((cards[kinds.index(kind)], cards[place]), "and")
                also = f", {missing}" if missing else ""
                refuse(
                    f"two of one category ({kind}): expected {wanted}; found {pair}{also}",
                    *("cards", place),
                )
        if len(cards) != count:
            found = missing or joined(cards or ("none",), "and")
            at = count if len(cards) > count else len(cards) - 1
            refuse(f"expected {wanted}; found {found}", "cards", max(at, 0))
