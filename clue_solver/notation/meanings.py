"""
What the words of a line can mean: the ways along the grammar, and the observations at their ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from msgspec.structs import replace

from clue_solver.errors import NotationError
from clue_solver.notation import checks
from clue_solver.notation import words as typed
from clue_solver.notation.canonical import format_line
from clue_solver.notation.grammar import Grammar
from clue_solver.notation.names import Names, Reach
from clue_solver.notation.nodes import Edge, Node, Path
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table

_MOST_TRAILS, _MOST_MEANINGS, _MOST_REMEMBERED = 2_000, 8, 1_000

Words = Sequence[typed.TypedWord]


class Trail(NamedTuple):
    """A node to which words lead, and the parts of an observation that they were read for."""

    node: Node
    parts: tuple[tuple[Path, typed.Named], ...] = ()


Meanings = dict[Any, Trail]
Refused = Callable[[NotationError, Trail], None]


class TooAmbiguous(Exception):
    """There are too many ways to read a line."""


class Walk:
    """
    Follows the words of lines that begin at one node.

    Attributes:
        start: The node.
        cards: The names that stay together where they have several words.
        longest: The most words between two nodes.
    """

    def __init__(self, start: Node, cards: Names, longest: int) -> None:
        self.start = start
        self.cards = cards
        self.longest = longest
        self._last: dict[Reach, tuple[Words, set[int], list[list[Trail]]]] = {}

    def trails(self, words: Words, reach: Reach) -> list[list[Trail]]:
        """
        Return the trails after each number of words, looking names up as far as `reach`.

        Raises:
            TooAmbiguous: If there are too many ways.
        """
        inside = typed.inside_names(words, self.cards) if reach is not Reach.ALL else set()
        before, apart, reached = self._last.get(reach, ((), inside, [[Trail(self.start)]]))
        same = [one == other for one, other in zip(before, words, strict=False)]
        kept = [*same, False].index(False)
        kept = min([kept, *(place - 1 for place in apart ^ inside)])
        reached = reached[: 1 + kept]
        count = 0
        for end in range(len(reached), len(words) + 1):
            trails: list[Trail] = []
            for first in range(max(0, end - self.longest), end):
                if reached[first] and (text := typed.text_of(words[first:end])) is not None:
                    word = words[first]._replace(text=text)
                    for trail in reached[first]:
                        trails.extend(_steps(trail, word, reach, first, end in inside))
            reached.append(trails)
            count += len(trails)
            if count > _MOST_TRAILS:
                raise TooAmbiguous
        self._last[reach] = words, inside, reached
        return reached


def _steps(
    trail: Trail, word: typed.TypedWord, reach: Reach, first: int, inside: bool
) -> list[Trail]:
    """Return the trails that one more keyword or name makes of a trail."""
    trails: list[Trail] = []

    def follow(edge: Edge, name: str, node: Node) -> None:
        if not first or edge.join.comma in (None, word.comma):
            named = typed.Named(name, word.text, word.column)
            trails.append(Trail(node, (*trail.parts, (edge.path, named))))

    for keyword in trail.node.keywords.get(word.text.casefold().rstrip("!.") or word.text, ()):
        follow(keyword, keyword.text, keyword.then)
    for choice in sorted(trail.node.choices, key=lambda choice: choice.last):
        if not (choice.last and trails) and not (inside and choice.kind == "card"):
            for name in choice.reads(word.text, reach):
                follow(choice, name, choice.then(name))
    return trails


class Reader:
    """
    Reads lines at one table, at one point of its turns; remembers the last for the next.

    Attributes:
        table, state: The table, and what the earlier lines mean.
        walk: The walk along the grammar.
    """

    def __init__(
        self,
        table: Table,
        state: checks.TurnState,
        start: Callable[[Grammar], Node | None] = Grammar.start,
        *,
        lenient: bool = False,
    ) -> None:
        self.table = table
        self.state = state
        grammar = Grammar(table, state, lenient=lenient)
        self.lexicon = grammar.lexicon
        self.walk = Walk(start(grammar) or Node(), self.lexicon.cards, grammar.longest)
        self._meant: dict[str, Observation | None] = {}

    def words(self, line: str) -> Words:
        """Return the words of a line."""
        lexicon = self.lexicon
        names = (*lexicon.places.names, *lexicon.things.names)
        return typed.words_of_line(line, names, typed.fillers_of(lexicon), lexicon.seats)

    def meanings(self, words: Words, reach: Reach, refused: Refused | None = None) -> Meanings:
        """
        Return what words mean: each observation, and how they were read.

        Args:
            words: The words of a line.
            reach: How far names are looked for.
            refused: Called with each reading that makes no sense, and why it makes none.
        """
        meanings: Meanings = {}
        for trail in self.walk.trails(words, reach)[-1] if words else ():
            if trail.node.whole is None:
                continue
            try:
                observation = checks.normalise(trail.node.whole(), self.table, self.state)
                meanings.setdefault(observation, trail)
            except NotationError as error:
                if refused is not None:
                    refused(error, trail)
            if len(meanings) == _MOST_MEANINGS:
                break
        # A meaning that says its verb goes before those in which it is left out.
        worded = {
            observation: trail
            for observation, trail in meanings.items()
            if any(path == ("event",) for path, _ in trail.parts)
        }
        return worded or meanings

    def plainest(self, words: Words) -> Meanings:
        """Return what words mean, looking for names no further than necessary."""
        for reach in Reach:
            if meanings := self.meanings(words, reach):
                return meanings
        return {}

    def meaning(self, line: str) -> Observation | None:
        """
        Return the one thing that a line means; `None` if there is none or more than one.

        It is remembered: what a line that is typed may become is asked again with every key.
        """
        if line not in self._meant:
            if len(self._meant) >= _MOST_REMEMBERED:
                self._meant.clear()
            self._meant[line] = self._meaning(line)
        return self._meant[line]

    def _meaning(self, line: str) -> Observation | None:
        try:
            meanings = self.plainest(self.words(line))
        except TooAmbiguous:
            return None
        return the_one(meanings, line, self.table) if meanings else None


_recent: deque[tuple[Reader, bool]] = deque(maxlen=6)


def reader_of(
    table: Table,
    state: checks.TurnState,
    start: Callable[[Grammar], Node | None] = Grammar.start,
    *,
    lenient: bool = False,
) -> Reader:
    """Return what reads lines at a table in a state; the last few of whole lines are kept."""
    if start is not Grammar.start:
        return Reader(table, state, start, lenient=lenient)
    for known, reads_all in tuple(_recent):
        if known.table is table and known.state == state and reads_all == lenient:
            return known
    made = Reader(table, state, lenient=lenient)
    _recent.append((made, lenient))
    return made


def the_one(meanings: Meanings, line: str, table: Table) -> Observation | None:
    """
    Return the one meaning; of several the one whose canonical line this is, in any case.

    Where they differ only in the order of their cards, it is the one in the edition's order.
    """
    if len(meanings) == 1:
        return cast(Observation, next(iter(meanings)))
    plain = " ".join(line.split())
    lines = {meaning: format_line(meaning, table) for meaning in meanings}
    exact = [meaning for meaning, text in lines.items() if text == plain]
    folded = [meaning for meaning, text in lines.items() if text.casefold() == plain.casefold()]
    for same in (exact, folded):
        if len(same) == 1:
            return cast(Observation, same[0])
    if len(meanings) == _MOST_MEANINGS or not all(
        getattr(meaning, "cards", ()) for meaning in meanings
    ):
        return None
    every = table.edition.names
    orders = {meaning: sorted(meaning.cards, key=every.index) for meaning in meanings}
    if len({replace(meaning, cards=tuple(cards)) for meaning, cards in orders.items()}) > 1:
        return None
    return cast(Observation, min(meanings, key=lambda meaning: [*map(every.index, meaning.cards)]))
