"""
The places of a line, and what may stand next at each: the grammar as one meets it while typing.

`grammar` says what a whole line means, this what may follow its beginning. Names that cannot stand
at a place for what came before, such as a second card of one category, are not offered there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice

from clue_solver.errors import SetupError
from clue_solver.names import Names
from clue_solver.notation.course import Course
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.parts import (
    COLON,
    END,
    ITEM,
    NEXT,
    SAME,
    WORD,
    Join,
    Kind,
    Offer,
    Pick,
    Place,
    Say,
)
from clue_solver.table import Table

Parts = Iterator[Say | Pick]
_PASSES = ("pass", "pas", "pa", "p")
_NOBODY = ("nobody", "-", "nobody show")


class Places:
    """The places of lines at one table, after a course of play."""

    def __init__(self, table: Table, course: Course) -> None:
        self.table, self.course, self.lexicon = table, course, lexicon_of(table)
        self.longest = max(
            names.longest
            for names in (self.lexicon.things, self.lexicon.cards, self.lexicon.holders)
        )

    def start(self) -> Place:
        """Return the place where a line begins."""
        ending = f"{self.table.seats[0]} reveals {self.table.cards[0]}"
        return Place(lambda: tuple(self._beginnings()), ending=ending)

    def _beginnings(self) -> Parts:
        turn, seats = self.course.turn(self.table), self.table.seats
        first = 0 if turn is None else seats.index(turn)
        askers = (*seats[first:], *seats[:first])
        askers = tuple(sorted(askers, key=lambda seat: seat in self.course.out))
        yield Pick(self.lexicon.seats, askers, self._asker, kind="player")
        if turn is not None:
            suggesting = self._suggests(turn)
            yield from suggesting.parts()
            yield Say("suggests", suggesting, ("suggest",))
        revealed = self._card(lambda _: END)
        yield Say("nobody reveals", revealed, ("nobody reveal",))

    def _asker(self, by: str) -> Place:
        return Place(lambda: tuple(self._verbs(by)), WORD, f"reveals {self.table.cards[0]}")

    def _verbs(self, by: str) -> Parts:
        others = tuple(seat for seat in self.table.seats if seat != by)
        verbs = {
            "suggests": self._suggests(by),
            "asks": self._asks(others),
            "looks": self._looks(others),
            "peeks": self._peeks(),
            "reveals": self._reveals(others),
            "accuses": self._accuses(),
            "holds": self._holds(by),
            "knows": self._knows(by, others),
        }
        usual = ("suggests", *self.table.edition.observes, *verbs)
        for verb in dict.fromkeys(usual):
            if (place := verbs.get(verb)) is not None:
                forms = (verb, verb.removesuffix("s"))
                if verb == "looks":
                    yield Say("looks at", place, (*forms, "look at"))
                else:
                    yield Say(verb, place, forms)
        yield from self._suggests(by).parts()

    def _card(self, then: Callable[[str], Place], join: Join = WORD) -> Place:
        """Return a place where any card in play may stand."""
        pick = Pick(self.lexicon.cards, self.table.cards, then, join)
        return Place(lambda: (pick,), WORD, self.table.cards[0])

    def _each(
        self,
        cards: tuple[str, ...],
        count: int,
        done: Callable[[tuple[str, ...]], Place],
        closing: str = "",
    ) -> Place:
        """Return the place after some of `count` cards of different categories."""
        if len(cards) == count:
            return done(cards)
        named = {self.lexicon.kind[card] for card in cards}
        left = [kind for kind in self.table.edition.category if kind.name not in named]
        ending = ", ".join(kind.cards[0].name for kind in left[: count - len(cards)])
        join = ITEM if cards else WORD

        def parts() -> tuple[Pick]:
            choice = tuple(card.name for kind in left for card in kind.cards)
            then = lambda card: self._each((*cards, card), count, done, closing)  # noqa: E731
            return (Pick(self.lexicon.cards, choice, then, join),)

        return Place(parts, join, ending + closing)

    def _suggests(self, by: str) -> Place:
        def done(cards: tuple[str, ...]) -> Place:
            left = self.table.answering(by)
            tail = Place(lambda: tuple(self._answers(cards, left)), SAME, "nobody shows", True)
            return Place(after=COLON, ending="nobody shows", complete=True, tail=lambda: tail)

        return self._each((), self.table.edition.named, done)

    def _answers(
        self, asked: tuple[str, ...], left: tuple[str, ...], *, first: bool = True
    ) -> Parts:
        """Yield what may stand where the seats `left` have not answered."""
        join = SAME if first else NEXT

        def rest(seat: str) -> tuple[str, ...]:
            if self.table.everyone_shows:
                return tuple(other for other in left if other != seat)
            return left[left.index(seat) + 1 :]

        def phrased(seat: str, typed: bool) -> Iterator[Offer]:
            for offer in self._said(asked, rest(seat)):
                if typed or offer.text == "shows" or (seat == left[0] and offer.text == "passes"):
                    text = f"{seat} {offer.text}"
                    yield Offer(text, text, "answer", offer.then)

        def then(seat: str) -> Place:
            return Place(lambda: tuple(self._saying(asked, rest(seat))), SAME, "passes", True)

        yield Pick(
            *(self.lexicon.seats, left, then, join),
            phrased=lambda seat, typed: tuple(phrased(seat, typed)),
        )
        if first:
            yield Say("nobody shows", END, _NOBODY, SAME, "answer")
        if first or not self.table.everyone_shows:
            yield Say("?", END, (), join, "answer")

    def _said(self, asked: tuple[str, ...], left: tuple[str, ...]) -> Iterator[Offer]:
        """Yield what one player can answer, where those `left` may answer next."""
        after = left if self.table.everyone_shows else ()
        shown = self._answered(asked, after)
        yield Offer("shows", "shows", "answer", self._shows(asked, after))
        for card in self._hidden(asked):
            yield Offer(f"shows {card}", f"shows {card}", "answer", shown)
        yield Offer("passes", "passes", "answer", self._answered(asked, left))

    def _saying(self, asked: tuple[str, ...], left: tuple[str, ...]) -> Parts:
        """Yield the same as parts of a line."""
        shows, *shown, passes = self._said(asked, left)
        offers = dict(zip(self._hidden(asked), shown, strict=True))
        yield Say("shows", shows.then, ("show",), SAME, "answer")
        yield Pick(
            *(self.lexicon.cards, tuple(offers), lambda card: offers[card].then, SAME),
            strict=True,
            phrased=lambda card, _: (offers[card],),
        )
        yield Say("passes", passes.then, _PASSES, SAME, "answer")

    def _shows(self, asked: tuple[str, ...], left: tuple[str, ...]) -> Place:
        """Return the place after a player who shows, where those `left` may answer next."""
        shown = self._answered(asked, left)
        pick = Pick(self.lexicon.cards, self._hidden(asked), lambda _: shown, SAME, strict=True)
        return Place(lambda: (pick, *shown.parts()), SAME, complete=True)

    def _answered(self, asked: tuple[str, ...], left: tuple[str, ...]) -> Place:
        if not left:
            return END
        parts = partial(self._answers, asked, left, first=False)
        return Place(lambda: tuple(parts()), NEXT, f"{left[0]} passes", True)

    def _hidden(self, cards: Sequence[str]) -> tuple[str, ...]:
        """Return those of the cards that somebody can show."""
        return tuple(card for card in cards if card not in self.table.face_up)

    def _asks(self, others: tuple[str, ...]) -> Place:
        def asked(seat: str) -> Place:
            about = Say("about", self._about(seat, ()))
            return Place(lambda: (about,), WORD, f"about {self.table.cards[0]}")

        def phrased(seat: str, _: bool) -> tuple[Offer]:
            return (Offer(f"{seat} about", seat, "player", self._about(seat, ())),)

        pick = Pick(self.lexicon.seats, others, asked, kind="player", phrased=phrased)
        return Place(lambda: (pick,), WORD, f"{others[0]} about {self.table.cards[0]}")

    def _about(self, seat: str, things: tuple[str, ...]) -> Place:
        """Return the place after `about` and some cards or features."""
        names, marked = self.lexicon.things, self.lexicon.marked
        kinds: dict[str, Kind] = dict.fromkeys(marked, "feature")

        def parts() -> tuple[Pick]:
            choice = tuple(name for name in names.names if name not in things)
            then = lambda name: self._about(seat, (*things, name))  # noqa: E731
            return (Pick(names, choice, then, ITEM if things else WORD, kinds=kinds),)

        if not things:
            return Place(parts, WORD, self.table.cards[0])
        asked = tuple(card for thing in things for card in marked.get(thing, (thing,)))
        reply = Place(lambda: tuple(self._reply(seat, asked)), SAME, "passes", complete=True)
        return Place(parts, COLON, "passes", complete=True, tail=lambda: reply)

    def _reply(self, seat: str, asked: tuple[str, ...]) -> Parts:
        yield from self._saying(asked, ())
        yield Say("?", END, (), SAME, "answer")
        yield Say("passes", END, (*_NOBODY, "nobody shows"), SAME, "answer")
        again = Place(lambda: tuple(self._saying(asked, ())), SAME, "passes", complete=True)
        yield Pick(self.lexicon.seats, (seat,), lambda _: again, SAME, phrased=lambda *_: ())

    def _looks(self, others: tuple[str, ...]) -> Place:
        slots = tuple(slot.name for slot in self.table.slots)
        kinds: dict[str, Kind] = dict.fromkeys(slots, "word")
        seen = self._seen(self.lexicon.cards, self.table.cards, "card")
        pick = Pick(self.lexicon.places, others + slots, lambda _: seen, kind="player", kinds=kinds)
        return Place(lambda: (pick,), WORD, others[0])

    def _peeks(self) -> Place | None:
        features = self.lexicon.features
        return self._seen(features, features.names, "feature") if self.lexicon.marked else None

    def _seen(self, names: Names, choice: tuple[str, ...], kind: Kind) -> Place:
        """Return a place after which the writer may say what was seen."""
        parts = (
            Pick(names, choice, lambda _: END, SAME, kind),
            Say("?", END, (), SAME, "answer"),
        )
        tail = Place(lambda: parts, SAME, choice[0], complete=True)
        return Place(after=COLON, ending=choice[0], complete=True, tail=lambda: tail)

    def _reveals(self, others: tuple[str, ...]) -> Place:
        whom = Pick(self.lexicon.seats, others, lambda _: END, kind="player")
        to = Say("to", Place(lambda: (whom,), WORD, others[0]))
        card = self._card(lambda _: Place(lambda: (to,), WORD, f"to {others[0]}", complete=True))
        return card._replace(parts=lambda: (*card.parts(), to))

    def _accuses(self) -> Place:
        outcomes = tuple(
            Say(word, END, tuple(word[:size] for size in range(1, len(word))), SAME, "answer")
            for word in ("wrong", "right")
        )
        tail = Place(lambda: outcomes, SAME, "wrong")
        done = Place(after=COLON, ending="wrong", tail=lambda: tail)
        return self._each((), len(self.table.edition.category), lambda _: done, ": wrong")

    def _holds(self, by: str) -> Place | None:
        sizes = {seat: size for seat, size in self.course.sizes.items() if seat != by}
        with suppress(SetupError):
            least, most = self.table.size_bounds(sizes)[self.table.seats.index(by)]
            return self._hand((), max(least, 1), most) if most else None
        return None

    def _hand(self, cards: tuple[str, ...], least: int, most: int) -> Place:
        """Return the place after some cards of a hand of `least` to `most`."""
        if len(cards) == most:
            return END
        choice = (card for card in self.table.cards if card not in cards)
        ending = ", ".join(islice(choice, max(least - len(cards), 1)))
        join = ITEM if cards else WORD

        def parts() -> tuple[Pick]:
            choice = tuple(card for card in self.table.cards if card not in cards)
            then = lambda card: self._hand((*cards, card), least, most)  # noqa: E731
            return (Pick(self.lexicon.cards, choice, then, join),)

        return Place(parts, join, ending, complete=len(cards) >= least)

    def _knows(self, by: str, others: tuple[str, ...]) -> Place:
        names, first = self.lexicon.holders, self.table.cards[0]
        has, lacks = (self._either((), alone=alone) for alone in (False, True))
        verbs = (Say("has", has, ("have",)), Say("lacks", lacks, ("lack",)))
        then = Place(lambda: verbs, WORD, f"has {first}")
        rest = tuple(name for name in names.names if name not in self.table.seats)
        kinds: dict[str, Kind] = dict.fromkeys(rest, "word")
        pick = Pick(names, (*others, *rest, by), lambda _: then, kind="player", kinds=kinds)
        return Place(lambda: (pick,), WORD, f"{others[0]} has {first}")

    def _either(self, cards: tuple[str, ...], *, alone: bool) -> Place:
        """Return the place after cards with `or` between them, or `alone` with a comma or none."""
        left = tuple(card for card in self.table.cards if card not in cards)
        if not left:
            return END

        def parts() -> Sequence[Say | Pick]:
            then = lambda card: self._either((*cards, card), alone=alone)  # noqa: E731
            pick = Pick(self.lexicon.cards, left, then)
            if not cards:
                return (pick,)
            other = Say("or", Place(lambda: (pick,), WORD, left[0]))
            return (other, pick._replace(join=ITEM)) if alone else (other,)

        ending = f"or {left[0]}" if cards else left[0]
        return Place(parts, WORD, ending, complete=bool(cards))
