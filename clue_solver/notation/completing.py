"""
What may be typed next at the table, and what a line that is being typed comes to.

Every completion was read to its end before it is offered: either the line that it makes is whole,
or `places` knows an ending that makes it so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec import Struct

from clue_solver.errors import NotationError
from clue_solver.names import Reach
from clue_solver.notation.course import Course
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.parts import COLON, NOTHING, Fit, Join, Kind, Offer, Pick, Place, Say
from clue_solver.notation.places import Places
from clue_solver.notation.reading import LONGEST, parse_line
from clue_solver.notation.words import Word, divided, split_comment, text_of, words_in
from clue_solver.notation.writing import format_line
from clue_solver.observation import Observation
from clue_solver.table import Table

_MOST_WORDS, _MOST_PLACES, _MOST_MISSES = 400, 64, 32


class Completion(Struct, frozen=True, kw_only=True):
    """
    One way to go on with a line.

    Attributes:
        line: The line with it, ready to be typed on: with the space, the comma or the colon that
            stands before what is likeliest to follow, if anything may follow.
        label: What a list calls it: `Mustard`, `Ben passes`, `nobody shows`.
        kind: What it adds to the line; a `word` is one of the notation or a face-down slot.
        whole: Whether the line with it is a whole observation.
    """

    line: str
    label: str
    kind: Kind
    whole: bool


class Preview(Struct, frozen=True, kw_only=True):
    """
    What a line that is being typed comes to.

    Attributes:
        observation: What it tells, `None` if it cannot be read as it stands.
        text: Its canonical form, implied passes filled in; empty if it cannot be read.
        error: Why it cannot be read; `None` for an empty line, too.
        unfinished: Whether it cannot be read only because it is the beginning of a line that can.
    """

    observation: Observation | None = None
    text: str = ""
    error: NotationError | None = None
    unfinished: bool = False


def completions(
    line: str, table: Table, course: Course | None = None, *, most: int = 12
) -> tuple[Completion, ...]:
    """
    Return what may stand next in a line, likeliest first: endings of its last words, then what
    follows them where they are clear. Each leads to a line that can be read.

    Args:
        line: What has been typed so far, up to the cursor; it may be empty.
        table: The table at which it is typed.
        course: What the earlier lines mean for it; a game that has not begun if left out.
        most: How many to return.
    """
    if "#" in line or len(line) > LONGEST or most < 1:
        return ()
    return _Typed(line, table, course or Course()).completions(most)


def preview(line: str, table: Table, course: Course | None = None) -> Preview:
    """
    Return what a line that is being typed comes to.

    Args:
        line: What has been typed so far, up to the cursor; it may be empty.
        table: The table at which it is typed.
        course: What the earlier lines mean for it; a game that has not begun if left out.
    """
    if not split_comment(line)[0].strip():
        return Preview()
    try:
        observation = parse_line(line, table, course)
    except NotationError as error:
        unfinished = bool(completions(line, table, course, most=1))
        return Preview(error=error, unfinished=unfinished)
    return Preview(observation=observation, text=format_line(observation, table))


class _Candidate(NamedTuple):
    """An offer, the line with it, and the line up to the place where it may stand."""

    rank: tuple[Fit, int, int]
    name: str
    line: str
    offer: Offer
    place: Place
    before: str


class _Typed:
    """
    A line that is being typed, at one table.

    What may have been begun at its end is the `rest` of its words: the last or the last few, or
    none. The last word is `open` while neither a space nor a comma follows it.
    """

    def __init__(self, line: str, table: Table, course: Course) -> None:
        self.line, self.table, self.course = line, table, course
        self.places = Places(table, course)
        lexicon = lexicon_of(table)
        self.cards = lexicon.cards
        before, after, column = divided(line, lexicon.places.names)
        self.divided = column if len(before) < len(line) else None
        self.head, self.tail = words_in(before, 0), words_in(after, column)
        self.last = self.head if self.divided is None else self.tail
        self.comma = line.rstrip().endswith(",")
        self.open = bool(self.last) and not self.comma and not line[-1].isspace()
        self._meanings: dict[str, Observation | None] = {}

    def completions(self, most: int) -> tuple[Completion, ...]:
        """Return the first of those that lead on, looking for names only as far as need be."""
        if len(self.head) + len(self.tail) > _MOST_WORDS:
            return ()
        for reach in Reach:
            if found := self._checked(*self._candidates(reach), most):
                return found
        return ()

    def _checked(
        self, begun: Sequence[_Candidate], following: Sequence[_Candidate], most: int
    ) -> tuple[Completion, ...]:
        """Return those that lead on; nothing that follows says again what was begun."""
        candidates = [*begun, *following]
        found: dict[str, Completion] = {}
        said: set[tuple[Observation, str]] = set()
        sound: dict[int, bool] = {}
        misses = 0
        for turn, one in enumerate(candidates):
            if one.line == self.line or one.line in found or not sound.get(id(one.place), True):
                continue
            ending = one.offer.then.ending
            whole = self._meaning(one.line) if one.offer.then.complete else None
            meaning = whole or (self._meaning(one.line + ending) if ending else None)
            if meaning is None:
                misses += 1
                sound.setdefault(id(one.place), self._leads_on(one.place, one.before))
            elif turn < len(begun) or (meaning, ending) not in said:
                said.add((meaning, ending))
                label, kind, known = one.offer.label, one.offer.kind, whole is not None
                found[one.line] = Completion(line=one.line, label=label, kind=kind, whole=known)
            if len(found) == most or misses == _MOST_MISSES:
                break
        return tuple(found.values())

    def _leads_on(self, place: Place, before: str) -> bool:
        """Whether from a place after the beginning of the line a line can be ended at all."""
        if not before.strip() or (place.complete and self._meaning(before)):
            return True
        ended = self._joined(before, place.after) + place.ending
        return bool(place.ending) and self._meaning(ended) is not None

    def _meaning(self, line: str) -> Observation | None:
        """Return what a line tells, if it can be read."""
        line = line.rstrip()
        if line not in self._meanings:
            self._meanings[line] = None
            with suppress(NotationError):
                self._meanings[line] = parse_line(line, self.table, self.course)
        return self._meanings[line]

    def _candidates(self, reach: Reach) -> tuple[list[_Candidate], list[_Candidate]]:
        """Return what may have been begun, and what may follow, if names are looked for so far."""
        begun: list[_Candidate] = []
        following: list[_Candidate] = []
        reached = self._reached(reach)
        for first in range(max(0, len(self.last) - self.places.longest), len(self.last) + 1):
            rest = self.last[first:]
            into = following if self.open and not rest else begun
            for place in reached[first]:
                into.extend(self._offered(place, rest))
        begun.sort(key=lambda one: one.rank)
        clear = len({one.name for one in begun}) < 2 or begun[0].rank[0] is Fit.WHOLE
        return begun, following if clear else []

    def _reached(self, reach: Reach) -> list[list[Place]]:
        """Return the places that the words before each of the last words lead to."""
        head = self._walked([self.places.start()], self.head, reach)
        if self.divided is None:
            return head
        tails = [place.tail() for place in head[-1] if place.tail is not None]
        return self._walked(tails, self.tail, reach)

    def _walked(self, start: list[Place], words: Sequence[Word], reach: Reach) -> list[list[Place]]:
        """Return the places to which each number of the words leads."""
        reached = [start, *([] for _ in words)]
        inside = self._inside(words) if reach is not Reach.ALL else set()
        for first, word in enumerate(words):
            del reached[first][_MOST_PLACES:]
            texts = list(self._texts(words[first : first + self.places.longest]))
            for part in (part for place in reached[first] for part in place.parts()):
                if first and part.join.cut not in (None, word.cut):
                    continue
                cards = isinstance(part, Pick) and part.kind == "card"
                for end, text in enumerate(texts, first + 1):
                    if not (cards and end in inside):
                        reached[end].extend(part.reads(text, reach))
        return reached

    def _inside(self, words: Sequence[Word]) -> set[int]:
        """Return the places inside a card's whole name, where no other card begins."""
        inside: set[int] = set()
        for first in range(len(words)):
            texts = self._texts(words[first : first + self.places.longest])
            for size, text in enumerate(texts, 1):
                if size > 1 and self.cards.whole(text):
                    inside.update(range(first + 1, first + size))
        return inside

    def _texts(self, words: Sequence[Word]) -> Iterator[str]:
        """Yield the first word, the first two, and so on up to a comma."""
        for size in range(1, len(words) + 1):
            if (text := text_of(words[:size])) is None:
                return
            yield text

    def _offered(self, place: Place, rest: Sequence[Word]) -> Iterator[_Candidate]:
        """Yield what may stand at a place and begin with the rest of the words."""
        text = text_of(rest) if rest else ""
        if text is None or (rest and self.comma):
            return
        before = self.line[: rest[0].column] if rest else self.line
        if place.tail is not None and not rest and not self.comma:
            colon = Offer("", ":", "word", place._replace(after=NOTHING))
            line = self._joined(before, COLON)
            yield _Candidate((Fit.WHOLE, 0, 0), ":", line, colon, place, before)
        cut = rest[0].cut if rest else self.comma
        first = rest[0] is self.last[0] if rest else not cut
        for turn, part in enumerate(place.parts()):
            if not first and part.join.cut not in (None, cut):
                continue
            start = before if rest else self._joined(before, part.join)
            fits = part.begun(text, closed=not self.open) if rest else _every(part)
            for fit, name in fits:
                for offer in part.offers(name, typed=bool(rest)):
                    line = start + offer.text + offer.then.after.text
                    yield _Candidate((fit, -len(rest), turn), name, line, offer, place, before)

    def _joined(self, line: str, join: Join) -> str:
        """Return a line with what stands between it and what follows, as far as it is missing."""
        bare = line.rstrip()
        if not bare or bare.endswith(",") or len(bare) == self.divided:
            return line if line != bare else line + " " * bool(bare)
        if join.firm:
            return bare + join.text
        return line if line != bare else line + join.text


def _every(part: Say | Pick) -> Iterator[tuple[Fit, str]]:
    return ((Fit.WHOLE, name) for name in part.all())
