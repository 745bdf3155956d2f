"""
The parts that a line is made of while it is typed: words of the notation and names at their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from clue_solver.notation.names import Names, Reach, words_of
from clue_solver.rules.observations import Event

Kind = Literal["player", "card", "feature", "word", "answer"]


class Join(NamedTuple):
    """
    What stands between two parts of a line.

    Attributes:
        text: As it is written.
        firm: Whether a space alone cannot stand for it.
        cut: Whether a comma must stand there, or may not; `None` if it does not matter.
    """

    text: str
    firm: bool = False
    cut: bool | None = None


NOTHING, WORD, ITEM, COLON = Join(""), Join(" "), Join(", "), Join(": ", firm=True)
SAME, NEXT = Join(" ", cut=False), Join(", ", firm=True, cut=True)


class Fit(IntEnum):
    """How typed words fit what they may be the beginning of, the best first."""

    WHOLE = 0
    """They are all of it, or whole words of it."""
    FRONT = 1
    """It begins so."""
    INNER = 2
    """Another word of it, a title or an alias begins so."""
    CLASH = 3
    """They were typed to their end and can mean this or another."""


class Place(NamedTuple):
    """
    A place in a line.

    Attributes:
        parts: What may stand next.
        after: What stands between this place and what is likeliest to follow.
        end: After it, what makes the line whole, and what it tells then: a proof that it can be.
        whole: What the line tells if it ends here; `None` where it may not.
        tail: What follows a colon, where one may stand.
    """

    parts: Callable[[], Sequence[Say | Pick]] = tuple
    after: Join = NOTHING
    end: Callable[[], tuple[str, Event | None]] = lambda: ("", None)
    whole: Callable[[], Event] | None = None
    tail: Callable[[], Place] | None = None

    def shortest(self, text: str) -> tuple[str, Event | None]:
        """Return the shortest end of a line with a text that leads here, and what it tells then."""
        if self.whole is not None:
            return text, self.whole()
        ending, told = self.end()
        return f"{text}{self.after.text}{ending}", told


class Offer(NamedTuple):
    """Something that may be written at a place: its text, what to call it, where it leads."""

    text: str
    label: str
    kind: Kind
    then: Place


class Say(NamedTuple):
    """A word or two of the notation, and the other forms in which they are read."""

    text: str
    then: Place
    forms: tuple[str, ...] = ()
    join: Join = WORD
    kind: Kind = "word"

    def reads(self, text: str, reach: Reach) -> Iterator[Place]:  # noqa: ARG002
        """Yield where typed words lead that stand for this."""
        if text.casefold() in (self.text, *self.forms):
            yield self.then

    def begun(self, text: str, *, closed: bool) -> Iterator[tuple[Fit, str]]:
        """Yield this, where the text is its beginning; all of its words if `closed`."""
        words, typed = self.text.split(), text.casefold().split()
        if closed:
            if _goes_on(words, typed):
                yield Fit.WHOLE, self.text
        elif self.text.startswith(" ".join(typed)):
            yield Fit.WHOLE if words == typed else Fit.FRONT, self.text

    def all(self) -> tuple[str, ...]:
        """Return what may stand here: this."""
        return (self.text,)

    def offers(self, name: str, *, typed: bool) -> Sequence[Offer]:  # noqa: ARG002
        """Return what to offer."""
        return (Offer(self.text, self.text, self.kind, self.then),)


class Pick(NamedTuple):
    """
    One of some names.

    Attributes:
        names: All the names that typed words are looked up in.
        choice: Those that may stand here, likeliest first.
        then: Where each of them leads.
        strict: Whether typed words can mean only names of the choice.
        kinds: What each of them is, where that is not `kind`.
        phrased: What to offer for a name, and whether it was begun, where that is not the name.
    """

    names: Names
    choice: tuple[str, ...]
    then: Callable[[str], Place]
    join: Join = WORD
    kind: Kind = "card"
    strict: bool = False
    kinds: Mapping[str, Kind] = MappingProxyType({})
    phrased: Callable[[str, bool], Sequence[Offer]] | None = None

    def reads(self, text: str, reach: Reach) -> Iterator[Place]:
        """Yield where typed words lead that stand for names of the choice."""
        among = self.choice if self.strict else None
        for name in self.names.readings(text, reach=reach, among=among):
            if name in self.choice:
                yield self.then(name)

    def begun(self, text: str, *, closed: bool) -> Iterator[tuple[Fit, str]]:
        """
        Yield the names of the choice that the text may be the beginning of, and how it fits.

        Args:
            text: Words with one space between.
            closed: Whether its last word was typed to its end: then it fits names that go on with
                another word, and clashes with several that it can mean.
        """
        readings = self.names.readings
        if closed:
            words, folded = text.casefold().split(), _folded(text)
            for name in self.choice:
                if _goes_on(name.casefold().split(), words) or _goes_on(_folded(name), folded):
                    yield Fit.WHOLE, name
            found = [name for name in readings(text) if name in self.choice]
            yield from ((Fit.CLASH, name) for name in found if len(found) > 1)
            return
        found = [name for name in readings(text, reach=Reach.BEGINNINGS) if name in self.choice]
        whole = bool(found) and self.names.whole(text)
        fits = [(found, Fit.WHOLE if whole else Fit.FRONT)]
        for reach, fit in (Reach.BEGINNINGS, Fit.FRONT), (Reach.ALL, Fit.INNER):
            among = tuple(name for name in self.choice if name not in found) if whole else None
            more = [name for name in readings(text, reach=reach, among=among) if name not in found]
            found = [*found, *more]
            fits.append((more, fit))
        for names, fit in fits:
            yield from ((fit, name) for name in self.choice if name in names)

    def all(self) -> tuple[str, ...]:
        """Return the names that may stand here."""
        return self.choice

    def offers(self, name: str, *, typed: bool) -> Sequence[Offer]:
        """Return what to offer for a name of the choice, `typed` in part or not at all."""
        if self.phrased is not None:
            return self.phrased(name, typed)
        return (Offer(name, name, self.kinds.get(name, self.kind), self.then(name)),)


_folded = lru_cache(maxsize=1024)(words_of)


def _goes_on(whole: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words are the first of some more."""
    return 0 < len(words) < len(whole) and tuple(whole[: len(words)]) == tuple(words)
