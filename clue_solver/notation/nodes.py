"""
What the grammar of a line is made of: nodes, and the words and names that lead from one to another.

`grammar` makes the nodes from the declared forms while a line is read; `reading` follows what was
typed along them, `completing` offers what leads on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from clue_solver.notation.names import Names, Reach, words_of
from clue_solver.rules.observations import Event

Kind = Literal["player", "card", "feature", "word", "answer"]
Path = tuple[str | int, ...]
"""A part of an observation: names of fields and places in lists, outermost first."""


class Join(NamedTuple):
    """
    What stands between two parts of a line.

    Attributes:
        text: As it is written.
        firm: Whether a space alone cannot stand for it.
        comma: Whether a comma must stand there, or may not; `None` if it does not matter.
    """

    text: str
    firm: bool = False
    comma: bool | None = None


NOTHING, WORD, ITEM, COLON = Join(""), Join(" "), Join(", "), Join(": ", firm=True)
SAME, NEXT = Join(" ", comma=False), Join(", ", firm=True)


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


class Node:
    """
    A point in a line.

    Attributes:
        after: What stands between this point and what is likeliest to follow.
        end: Returns the shortest text after it that makes the line whole.
        whole: Returns what the line tells if it ends here; `None` where it may not.
        expected: What is expected here, in words.
    """

    def __init__(
        self,
        edges: Callable[[], Iterable[Edge]] = tuple,
        after: Join = NOTHING,
        end: Callable[[], str] = str,
        whole: Callable[[], Event] | None = None,
        *,
        expected: str = "",
        silent: Callable[[], Iterable[Edge]] = tuple,
    ) -> None:
        self._edges = edges
        self._silent = silent
        self.after = after
        self.end = end
        self.whole = whole
        self.expected = expected

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """What may stand next, likeliest first."""
        return tuple(self._edges())

    @cached_property
    def silent(self) -> tuple[Edge, ...]:
        """What is read here, too, and not offered."""
        return tuple(self._silent())

    @cached_property
    def keywords(self) -> Mapping[str, Sequence[Keyword]]:
        """The words of the notation that are read here, by each of their forms."""
        by_form: dict[str, list[Keyword]] = {}
        for edge in (*self.edges, *self.silent):
            if isinstance(edge, Keyword):
                for form in dict.fromkeys((edge.text, *edge.forms)):
                    by_form.setdefault(form, []).append(edge)
        return by_form

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The names that are read here."""
        return tuple(edge for edge in (*self.edges, *self.silent) if isinstance(edge, Choice))


class Offer(NamedTuple):
    """Something that may be written at a node: its text, what to call it, where it leads."""

    text: str
    label: str
    kind: Kind
    then: Node


class Keyword(NamedTuple):
    """
    A word or two of the notation, and the other forms in which they are read.

    Attributes:
        path: The part of the observation that they tell.
        also: Those of the forms that are completed, too.
    """

    text: str
    then: Node
    forms: tuple[str, ...] = ()
    join: Join = WORD
    kind: Kind = "word"
    path: Path = ()
    also: tuple[str, ...] = ()

    def begun(self, text: str, *, closed: bool) -> Iterator[tuple[Fit, str]]:
        """Yield this, where the text is its beginning; all of its words if `closed`."""
        words = self.text.split()
        typed = text.casefold().split()
        if closed:
            if _begin(words, typed):
                yield Fit.WHOLE, self.text
        elif any(word.startswith(" ".join(typed)) for word in (self.text, *self.also)):
            yield Fit.WHOLE if words == typed else Fit.FRONT, self.text

    def all(self) -> tuple[str, ...]:
        """Return what may stand here: this."""
        return (self.text,)

    def offers(self, name: str, *, typed: bool) -> Iterable[Offer]:  # noqa: ARG002
        """Return what to offer."""
        return (Offer(self.text, self.text, self.kind, self.then),)


class Choice(NamedTuple):
    """
    One of some names.

    Attributes:
        names: All the names that typed words are looked up in.
        choice: Those that may stand here, likeliest first.
        then: Where each of them leads.
        only: Whether typed words can mean only names of the choice.
        last: Whether it counts only where the words mean nothing else.
        kinds: What each of them is, where that is not `kind`.
        phrased: What to offer for a name, and whether it was begun, where that is not the name.
        path: The part of the observation that the name tells.
        apart: Names of which a whole one is no beginning of those of the choice.
    """

    names: Names
    choice: tuple[str, ...]
    then: Callable[[str], Node]
    join: Join = WORD
    kind: Kind = "card"
    path: Path = ()
    only: bool = False
    last: bool = False
    kinds: Mapping[str, Kind] = MappingProxyType({})
    phrased: Callable[[str, bool], Iterable[Offer]] | None = None
    apart: Names | None = None

    def reads(self, text: str, reach: Reach) -> Iterator[str]:
        """Yield the names of the choice that typed words stand for."""
        among = self.choice if self.only else None
        if self.apart is not None and self.apart.exact(text) and not self.names.exact(text):
            return
        for name in self.names.readings(text, reach=reach, among=among):
            if name in self.choice:
                yield name

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
            words = text.casefold().split()
            folded = _folded(text)
            for name in self.choice:
                if _begin(name.casefold().split(), words) or _begin(_folded(name), folded):
                    yield Fit.WHOLE, name
            meant = list(self.reads(text, Reach.WORDS))
            yield from ((Fit.CLASH, name) for name in meant if len(meant) > 1)
            return
        meant = [name for name in readings(text, reach=Reach.BEGINNINGS) if name in self.choice]
        whole = bool(meant) and bool(self.names.exact(text))
        fits = [(meant, Fit.WHOLE if whole else Fit.FRONT)]
        for reach, fit in (Reach.BEGINNINGS, Fit.FRONT), (Reach.ALL, Fit.INNER):
            among = tuple(name for name in self.choice if name not in meant) if whole else None
            more = [name for name in readings(text, reach=reach, among=among) if name not in meant]
            meant = [*meant, *more]
            fits.append((more, fit))
        for names, fit in fits:
            yield from ((fit, name) for name in self.choice if name in names)

    def all(self) -> tuple[str, ...]:
        """Return the names that may stand here."""
        return self.choice

    def offers(self, name: str, *, typed: bool) -> Iterable[Offer]:
        """Return what to offer for a name of the choice, `typed` in part or not at all."""
        if self.phrased is not None:
            return self.phrased(name, typed)
        return (Offer(name, name, self.kinds.get(name, self.kind), self.then(name)),)


Edge = Keyword | Choice

_folded = lru_cache(maxsize=1024)(words_of)


def _begin(whole: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words are the first of some more."""
    return 0 < len(words) < len(whole) and tuple(whole[: len(words)]) == tuple(words)
