"""
The grammar of a line: every observation that its words can spell, sensible or not.

A rule yields drafts, and notes where and why it could not go on. Which of the drafts make sense at
the table is for `settle` to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product

from clue_solver.errors import escape
from clue_solver.names import Names, joined
from clue_solver.notation.course import Course
from clue_solver.notation.finding import Draft, Finder, listed, placed
from clue_solver.notation.replies import PASSES, SHOWS, nobody, replies, reply_of
from clue_solver.notation.words import Named, Word, text_of
from clue_solver.observation import (
    Accusation,
    Hand,
    Knowing,
    Look,
    Nobody,
    Peek,
    Question,
    Reveal,
    Suggestion,
)
from clue_solver.table import Table

Words = Sequence[Word]
_ANSWERS = "':' and the answers"
_OUTCOMES = {"right": True, "wrong": False}
_HAS = {"has": "has", "have": "has", "lacks": "lacks", "lack": "lacks"}


class Grammar:
    """The rules, applied to the head and the tail of one line at one table."""

    def __init__(
        self, head: Words, tail: Words, *, table: Table, course: Course, finder: Finder
    ) -> None:
        self.head, self.tail, self.table, self.course = head, tail, table, course
        self.finder, self.lexicon = finder, finder.lexicon

    def worded(self) -> Iterator[Draft]:
        """Yield what the line spells with a verb."""
        for place, word in enumerate(self.head):
            verb = _VERBS.get(word.text.casefold())
            if verb is not None:
                for draft in _RULES[verb](self, self.head[:place], self.head[place + 1 :]):
                    draft.places["event",] = Named(verb, word.text, word.column)
                    yield draft

    def wordless(self) -> Iterator[Draft]:
        """Yield the suggestions that the line spells without a verb, with or without the asker."""
        seats, cards = self.lexicon.seats, self.lexicon.cards
        someone = False
        for size in range(1, min(seats.longest, len(self.head)) + 1):
            for asker in self.finder.meant(self.head[:size], seats):
                someone = True
                self._mistyped_verb(self.head[size:])
                yield from self._suggested(asker, self.head[size:])
        if not someone and not self.finder.meant(self.head[:1], cards):
            self._unknown_start()
        yield from self._suggests((), self.head)

    def _unknown_start(self) -> None:
        seats, first = self.lexicon.seats.names, self.head[0]
        if nobody(self.head) or nobody(self.head[:2]):
            reason = f"expected the suggestion before its answers; found '{escape(first.text)}'"
            self.finder.fail(reason, first.column)
            return
        error = Names("name", (*seats, *self.lexicon.cards.names, *_RULES)).unknown(first.text)
        reason = error.reason
        if not error.nearest:
            wanted = f"a player, {joined(seats)}, or a card"
            reason = f"unknown name '{escape(first.text)}'; expected {wanted}"
        self.finder.fail(reason, first.column, nearest=error.nearest)

    def _mistyped_verb(self, rest: Words) -> None:
        word = rest[0].text.casefold() if rest else ""
        if not word or word in _VERBS or self.finder.meant(rest[:1], self.lexicon.cards):
            return
        if word in (*PASSES, *SHOWS):
            reason = f"expected the suggestion before its answers; found '{escape(rest[0].text)}'"
            self.finder.fail(f"{reason}; a card shown to all: 'reveals'", rest[0].column)
            return
        from difflib import get_close_matches

        near = get_close_matches(word[:40], _RULES, n=1)
        near = ["holds"] if _HAS.get(word) == "has" else near
        if near:
            reason = f"unknown word '{escape(rest[0].text)}'; did you mean '{near[0]}'?"
            self.finder.fail(reason, rest[0].column, nearest=tuple(near))

    def _suggests(self, who: Words, rest: Words) -> Iterator[Draft]:
        if who:
            for asker in self.finder.who(who, "suggests"):
                yield from self._suggested(asker, rest)
            return
        turn = self.course.turn(self.table)
        if turn is not None:
            yield from self._suggested(Named(turn, "", self.head[0].column), rest)
            return
        rest, _ = self._parted(rest, _unsaid)
        if any(True for _ in self.finder.many(rest, self.lexicon.cards, instead=_ANSWERS)):
            reason = "expected who suggests: whose turn it is does not follow from the lines before"
            self.finder.fail(reason, self.head[0].column, read=True)

    def _suggested(self, asker: Named, rest: Words) -> Iterator[Draft]:
        count = self.table.edition.named
        others = self.table.answering(asker.name)
        rest, tail = self._parted(rest, _unsaid)
        instead = "" if tail else _ANSWERS
        for cards in self._named(rest, count, instead):
            names = tuple(card.name for card in cards)
            heard = tail if len(cards) == count else ()
            for said in replies(self.finder, heard, names, others) if heard else ((),):
                places = {("by",): asker, **listed("cards", cards)}
                for place, one in enumerate(said):
                    places |= {("answers", place, *path): at for path, at in one.places().items()}
                answers = tuple(one.answer() for one in said)
                yield Draft(Suggestion(by=asker.name, cards=names, answers=answers), places)

    def _named(self, words: Words, count: int, instead: str) -> Iterator[tuple[Named, ...]]:
        """Yield the cards of a suggestion or an accusation."""
        cards = self.lexicon.cards
        return self.finder.many(words, cards, instead=instead, fits=lambda n: n == count)

    def _parted(self, rest: Words, ends: Callable[[Words], bool]) -> tuple[Words, Words]:
        """Part a list of cards from what ends the line, where no colon stands between them."""
        for size in range(0 if self.tail else min(3, len(rest) - 1), 0, -1):
            last = [rest[-size]._replace(cut=False), *rest[len(rest) - size + 1 :]]
            if ends(last) and not self.finder.meant(last, self.lexicon.cards):
                return rest[:-size], last
        return rest, self.tail

    def _asks(self, who: Words, rest: Words) -> Iterator[Draft]:
        abouts = [place for place, word in enumerate(rest) if word.text.casefold() == "about"]
        if not abouts:
            self.finder.fail("expected 'about' and the card that is asked about", self.finder.end)
        for place in abouts:
            for by, seat in product(
                self.finder.who(who, "asks"),
                self.finder.one(rest[:place], self.lexicon.seats, "who is asked"),
            ):
                for about in self.finder.many(rest[place + 1 :], self.lexicon.things):
                    yield from self._asked(by, seat, about)

    def _asked(self, by: Named, seat: Named, about: Sequence[Named]) -> Iterator[Draft]:
        things = tuple(thing.name for thing in about)
        marked = self.lexicon.marked
        asked = tuple(card for thing in things for card in marked.get(thing, (thing,)))
        for said in reply_of(self.finder, self.tail, asked, seat):
            answer = said.answer()
            places = {("by",): by, ("seat",): seat, **listed("about", about), **said.places()}
            question = Question(
                by=by.name, seat=seat.name, about=things, answer=answer.answer, card=answer.card
            )
            yield Draft(question, places)

    def _looks(self, who: Words, rest: Words) -> Iterator[Draft]:
        wanted, places = "who or what is looked at", self.lexicon.places
        where = list(self.finder.meant(rest, places))
        if rest and rest[0].text.casefold() == "at":
            where.extend(self.finder.one(rest[1:], places, wanted))
        elif not where:
            self.finder.one(rest, places, wanted)
        for by, holder in product(self.finder.who(who, "looks"), where):
            for card in self._seen(self.lexicon.cards):
                spots = {("by",): by, ("holder",): holder, **placed("card", card)}
                look = Look(by=by.name, holder=holder.name, card=card and card.name)
                yield Draft(look, spots)

    def _peeks(self, who: Words, rest: Words) -> Iterator[Draft]:
        if rest:
            self.finder.fail("expected ':' and the colour that was seen", rest[0].column)
            return
        for by in self.finder.who(who, "peeks"):
            if not self.lexicon.marked:
                yield Draft(Peek(by=by.name), {("by",): by})
                continue
            for seen in self._seen(self.lexicon.features):
                places = {("by",): by, **placed("feature", seen)}
                yield Draft(Peek(by=by.name, feature=seen and seen.name), places)

    def _reveals(self, who: Words, rest: Words) -> Iterator[Draft]:
        if not self._no_tail():
            return
        cards, seats, wanted = self.lexicon.cards, self.lexicon.seats, "the card that is revealed"
        if (text_of(who) or "").casefold() == "nobody":
            for card in self.finder.one(rest, cards, wanted):
                yield Draft(Nobody(card=card.name), {("card",): card})
            return
        by = self.finder.who(who, "reveals")
        whole = self.finder.meant(rest, cards)
        for seat, card in product(by, whole):
            yield Draft(Reveal(seat=seat.name, card=card.name), {("seat",): seat, ("card",): card})
        splits = [place for place, word in enumerate(rest) if word.text.casefold() == "to"]
        if by and not whole and not splits:
            for place in range(1, len(rest)):
                if self.finder.meant(rest[:place], cards) and self.finder.meant(
                    rest[place:], seats
                ):
                    reason = f"expected 'to' before '{escape(rest[place].text)}'"
                    self.finder.fail(reason, rest[place].column)
            self.finder.one(rest, cards, wanted)
        for place in splits if by else ():
            some = self.finder.one(rest[:place], cards, wanted) if place else (None,)
            to_whom = self.finder.one(rest[place + 1 :], seats, "to whom") if some else ()
            for seat, seen, to in product(by, some, to_whom):
                spots = {("seat",): seat, ("to",): to, **placed("card", seen)}
                reveal = Reveal(seat=seat.name, card=seen and seen.name, to=to.name)
                yield Draft(reveal, spots)

    def _accuses(self, who: Words, rest: Words) -> Iterator[Draft]:
        count = len(self.table.edition.category)
        rest, tail = self._parted(rest, lambda words: text_of(words) in _OUTCOMES)
        instead = "" if tail else "':' and right or wrong"
        for by in self.finder.who(who, "accuses"):
            for cards in self._named(rest, count, instead):
                names = tuple(card.name for card in cards)
                for right in self._outcomes(tail):
                    places = {("by",): by, **listed("cards", cards)}
                    yield Draft(Accusation(by=by.name, cards=names, right=right), places)

    def _outcomes(self, tail: Words) -> list[bool]:
        """What the tail says of an accusation: right, wrong, or neither."""
        said = text_of(tail) or ""
        found = [_OUTCOMES[word] for word in _OUTCOMES if said and word.startswith(said.casefold())]
        if not found:
            column = tail[0].column if tail else self.finder.end
            what = f"'{escape(said)}'" if said else "nothing"
            self.finder.fail(f"expected ': right' or ': wrong'; found {what}", column)
        return found

    def _holds(self, who: Words, rest: Words) -> Iterator[Draft]:
        if not self._no_tail():
            return
        for seat in self.finder.who(who, "holds"):
            least, most = self.table.size_bounds()[self.table.seats.index(seat.name)]
            sizes = range(least, most + 1)
            for cards in self.finder.many(rest, self.lexicon.cards, fits=sizes.__contains__):
                names = tuple(card.name for card in cards)
                places = {("seat",): seat, **listed("cards", cards)}
                yield Draft(Hand(seat=seat.name, cards=names), places)

    def _knows(self, who: Words, rest: Words) -> Iterator[Draft]:
        if self._no_tail():
            yield from self._facts(lambda: self.finder.who(who, "knows"), rest)

    def fact(self) -> Iterator[Draft]:
        """Yield what the line spells as a fact by itself, as the first seat's knowledge."""
        by = Named(self.table.seats[0], "", 0)
        if self._no_tail():
            yield from self._facts(lambda: (by,), self.head)

    def _facts(self, who: Callable[[], Sequence[Named]], rest: Words) -> Iterator[Draft]:
        verbs = [place for place, word in enumerate(rest) if word.text.casefold() in _HAS]
        if not verbs:
            self.finder.fail("expected a holder, 'has' or 'lacks', and a card", self.finder.end)
        for place in verbs:
            verb = _HAS[rest[place].text.casefold()]
            for by, holder in product(
                who(),
                self.finder.one(rest[:place], self.lexicon.holders, "the holder of a card"),
            ):
                for cards in self._known(verb, rest[place + 1 :]):
                    names = tuple(card.name for card in cards)
                    has, lacks = (names, ()) if verb == "has" else ((), names)
                    places = {("by",): by, ("holder",): holder, **listed(verb, cards)}
                    known = Knowing(by=by.name, holder=holder.name, has=has, lacks=lacks)
                    yield Draft(known, places)

    def _known(self, verb: str, words: Words) -> Iterator[tuple[Named, ...]]:
        """Yield the cards of what is known; `or` must stand between those of which it has one."""
        if not words:
            self.finder.fail(f"expected a card after '{verb}'; found nothing", self.finder.end)
            return
        after_or = {
            word.column
            for before, word in pairwise(words)
            if not word.cut and before.text.casefold() == "or"
        }
        for cards in self.finder.many(words, self.lexicon.cards, between="or"):
            apart = [card for card in cards[1:] if card.column not in after_or]
            if verb == "has" and apart:
                reason = "expected 'or' before it; what is certain has a line for each card"
                self.finder.fail(reason, apart[0].column)
            else:
                yield cards

    def _seen(self, names: Names) -> Sequence[Named | None]:
        if not self.tail or text_of(self.tail) == "?":
            return (None,)
        return self.finder.one(self.tail, names, f"one {names.kind}")

    def _no_tail(self) -> bool:
        if self.tail:
            self.finder.fail("expected nothing after ':'", self.tail[0].column)
        return not self.tail


def _unsaid(words: Words) -> bool:
    """Whether words are answers that name no player."""
    return nobody(words) or text_of(words) == "?"


_RULES: dict[str, Callable[[Grammar, Words, Words], Iterator[Draft]]] = {
    "suggests": Grammar._suggests,
    "asks": Grammar._asks,
    "looks": Grammar._looks,
    "peeks": Grammar._peeks,
    "reveals": Grammar._reveals,
    "accuses": Grammar._accuses,
    "holds": Grammar._holds,
    "knows": Grammar._knows,
}
_VERBS = {form: verb for verb in _RULES for form in (verb, verb.removesuffix("s"))}
