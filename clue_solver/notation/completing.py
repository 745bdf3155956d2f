"""
What may be typed next at the table, and what a line that is being typed comes to.

Every completion leads to a line that can be read: either the line that it makes is whole, or
`places` knows an ending that makes it so.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

from msgspec import Struct

from clue_solver.errors import NotationError
from clue_solver.notation import words as typed
from clue_solver.notation.names import Reach, words_of
from clue_solver.notation.normalising import InvalidObservation, TurnState, normalise
from clue_solver.notation.parts import COLON, NOTHING, Fit, Join, Kind, Offer, Pick, Place, Say
from clue_solver.notation.places import Places
from clue_solver.notation.reading import LONGEST, notation_words, parse_line, the_canonical
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.table import Table

_LOOSE = " ,:>"
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


class TypedLine:
    """
    A line that is being typed: read once, completed once.

    Attributes:
        line: What has been typed so far, up to the cursor; it may be empty.
        table: The table at which it is typed.
        state: What the earlier lines mean for it.
    """

    def __init__(self, line: str, table: Table, state: TurnState | None = None) -> None:
        self.line, self.table, self.state = line, table, state or TurnState()
        self._completing: _Completing | None = None
        if "#" not in line and len(line) <= LONGEST:
            self._completing = _Completing(line, table, self.state)
        self._found: tuple[int, tuple[Completion, ...]] = (0, ())

    def completions(self, most: int = 12) -> tuple[Completion, ...]:
        """Return what may stand next, as `completions` does."""
        if self._completing is None or most < 1:
            return ()
        asked, found = self._found
        if asked < most and len(found) == asked:
            self._found = most, self._completing.completions(most)
        return self._found[1][:most]

    @cached_property
    def preview(self) -> Preview:
        """What the line comes to, as `preview` says."""
        if not typed.split_comment(self.line)[0].strip():
            return Preview()
        try:
            observation = parse_line(self.line, self.table, self.state)
        except NotationError as error:
            return Preview(error=error, unfinished=bool(self.completions(1)))
        return Preview(observation=observation, text=typed.format_line(observation, self.table))

    @property
    def whole(self) -> Mapping[str, Observation]:
        """What each whole line tells: those of the completions found, and this line itself."""
        told = {} if self._completing is None else dict(self._completing.whole)
        if self.preview.observation is not None:
            told[self.line] = self.preview.observation
        return told


def completions(
    line: str, table: Table, state: TurnState | None = None, *, most: int = 12
) -> tuple[Completion, ...]:
    """
    Return what may stand next in a line, likeliest first: endings of its last words, then what
    follows them where they are clear. Each leads to a line that can be read.

    Args:
        line: What has been typed so far, up to the cursor; it may be empty.
        table: The table at which it is typed.
        state: What the earlier lines mean for it; a game that has not begun if left out.
        most: How many to return.
    """
    return TypedLine(line, table, state).completions(most)


def preview(line: str, table: Table, state: TurnState | None = None) -> Preview:
    """
    Return what a line that is being typed comes to.

    Args:
        line: What has been typed so far, up to the cursor; it may be empty.
        table: The table at which it is typed.
        state: What the earlier lines mean for it; a game that has not begun if left out.
    """
    return TypedLine(line, table, state).preview


class _OfferedLine(NamedTuple):
    """
    An offer, the line with it, and the line up to the place where it may stand.

    It is `doubtful` where a name may stand there that begins as a word of the notation does, and
    `cut_out` where its name is the end of a whole name that stands there.
    """

    rank: tuple[Fit, int, int]
    name: str
    line: str
    offer: Offer
    place: Place
    before: str
    doubtful: bool = False
    cut_out: bool = False


class _Completing:
    """
    The completions of a line at one table.

    What may have been begun at its end is the `rest` of its words: the last or the last few, or
    none. The last word is `open` while neither a space nor a comma follows it.
    """

    def __init__(self, line: str, table: Table, state: TurnState) -> None:
        self.line, self.table, self.state = line, table, state
        self.places = Places(table, state)
        lexicon = typed.lexicon_of(table)
        self.cards, self.entangled = lexicon.cards, _entangled(lexicon)
        before, after, column = typed.divided(line, lexicon.places.names)
        self.divided = column if len(before) < len(line) else None
        self.head, self.tail = typed.words_in(before, 0), typed.words_in(after, column)
        self.last = self.head if self.divided is None else self.tail
        self.comma = line.rstrip().endswith(",")
        self.open = bool(self.last) and not self.comma and not line[-1].isspace()
        self.whole: dict[str, Observation] = {}
        self._standing: list[tuple[Place, str]] = []
        self._leading: dict[str, list[tuple[Place, str]]] = {}
        self._whole_at: dict[str, list[Callable[[], Event]]] = {}
        self._reach = Reach.BEGINNINGS
        self._meanings: dict[tuple[str, str | None], Observation | None] = {}
        self._lines: dict[str, Observation | None] = {}

    def completions(self, most: int) -> tuple[Completion, ...]:
        """Return the first of those that lead on, looking for names only as far as need be."""
        if len(self.head) + len(self.tail) > _MOST_WORDS:
            return ()
        for reach in Reach:
            if found := self._checked(*self._candidates(reach), most):
                return found
        return ()

    def _checked(
        self, begun: Sequence[_OfferedLine], following: Sequence[_OfferedLine], most: int
    ) -> tuple[Completion, ...]:
        """Return those that lead on; nothing that follows says again what was begun."""
        candidates = [*begun, *following]
        found: dict[str, Completion] = {}
        said: set[tuple[Observation, str]] = set()
        sound: dict[int, bool] = {}
        misses = 0
        self._take_down(candidates)
        for turn, one in enumerate(candidates):
            if one.line == self.line or one.line in found or not sound.get(id(one.place), True):
                continue
            then, (ending, _) = one.offer.then, one.offer.then.end()
            whole = meaning = None
            if then.whole is not None:
                whole = meaning = self._meaning(one.line, doubtful=one.doubtful)
            if meaning is None and ending:
                meaning = self._meaning(one.line, ending, doubtful=one.doubtful)
            if meaning is None:
                misses += 1
                sound.setdefault(id(one.place), self._leads_on(one.place, one.before))
            elif turn < len(begun) or (meaning, ending) not in said:
                said.add((meaning, ending))
                label, kind = one.offer.label, one.offer.kind
                found[one.line] = Completion(
                    line=one.line, label=label, kind=kind, whole=whole is not None
                )
                if whole is not None:
                    self.whole[one.line] = whole
            if len(found) == most or misses == _MOST_MISSES:
                break
        return tuple(found.values())

    def _leads_on(self, place: Place, before: str) -> bool:
        """Whether from a place after the beginning of the line a line can be ended at all."""
        if not before.strip() or (place.whole is not None and self._meaning(before)):
            return True
        ending, _ = place.end()
        if not ending:
            return False
        if self.entangled:
            return self._read(self._joined(before, place.after) + ending) is not None
        return self._meaning(before, place.after.text + ending) is not None

    def _take_down(self, candidates: Sequence[_OfferedLine]) -> None:
        """Take down to which places each line leads."""
        self._leading = {}
        self._meanings = {}
        self._whole_at = {}
        for one in sorted(candidates, key=lambda one: one.cut_out):
            if not (one.cut_out and one.line in self._leading):
                self._leads_to(one.line, one.offer.then, "")
        for place, before in self._standing:
            self._leads_to(before, place, place.after.text)

    def _leads_to(self, line: str, place: Place, after: str) -> None:
        self._leading.setdefault(line, []).append((place, after))
        if place.whole is not None:
            self._whole_at.setdefault(line.rstrip(_LOOSE), []).append(place.whole)

    def _meaning(self, line: str, ending: str | None = None, *, doubtful: bool = False) -> (
        Observation | None
    ):  # fmt: skip
        """
        Return what a line tells, as it stands or with an ending, if it is one thing that makes
        sense.

        That follows from the places that its words lead to, and it need not be read again; unless
        names of the table are words of the notation, too, so that the same words may spell a line
        of another form.
        """
        if self.entangled or doubtful:
            return self._read(line if ending is None else line + ending)
        key = line, ending
        if key not in self._meanings:
            meant: dict[Observation, str] = {}
            for told in self._told(line, ending):
                with suppress(InvalidObservation):
                    one = cast(Observation, normalise(told, self.table, self.state))
                    meant[one] = typed.format_line(one, self.table)
            only = next(iter(meant), None) if len(meant) < 2 else None
            self._meanings[key] = only or the_canonical(meant, line + (ending or ""))
        return self._meanings[key]

    def _told(self, line: str, ending: str | None) -> Iterator[Event]:
        """Yield all that a line tells, as it stands or with an ending."""
        if ending is None:
            yield from (told() for told in self._whole_at.get(line.rstrip(_LOOSE), ()))
            return
        places = self._leading.get(line, [])
        for place, after in places:
            own, told = place.end()
            if after + own == ending:
                if told is not None:
                    yield told
            elif len(places) > 1:
                yield from self._ended(place, line, ending)

    def _ended(self, place: Place, line: str, ending: str) -> Iterator[Event]:
        """Yield what a line tells with an ending that leads on from another place as well."""
        before, colon, after = ending.partition(":")
        if place.tail is not None and line.rstrip().endswith(":"):
            place = place.tail()
        (*_, ends) = self._walked([place], typed.words_in(before, 0), self._reach)
        if colon:
            tails = [place.tail() for place in ends if place.tail is not None]
            (*_, ends) = self._walked(tails, typed.words_in(after, 0), self._reach)
        yield from (place.whole() for place in ends if place.whole is not None)

    def _read(self, line: str) -> Observation | None:
        """Return what a line tells, if it can be read."""
        line = line.rstrip()
        if line not in self._lines:
            self._lines[line] = None
            with suppress(NotationError):
                self._lines[line] = parse_line(line, self.table, self.state)
        return self._lines[line]

    def _candidates(self, reach: Reach) -> tuple[list[_OfferedLine], list[_OfferedLine]]:
        """Return what may have been begun, and what may follow, if names are looked for so far."""
        self._standing.clear()
        self._reach = reach
        begun: list[_OfferedLine] = []
        following: list[_OfferedLine] = []
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

    def _walked(
        self, start: list[Place], words: Sequence[typed.TypedWord], reach: Reach
    ) -> list[list[Place]]:
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

    def _inside(self, words: Sequence[typed.TypedWord]) -> set[int]:
        """Return the places inside a card's whole name, where no other card begins."""
        inside: set[int] = set()
        for first in range(len(words)):
            texts = self._texts(words[first : first + self.places.longest])
            for size, text in enumerate(texts, 1):
                if size > 1 and self.cards.whole(text):
                    inside.update(range(first + 1, first + size))
        return inside

    def _texts(self, words: Sequence[typed.TypedWord]) -> Iterator[str]:
        """Yield the first word, the first two, and so on up to a comma."""
        for size in range(1, len(words) + 1):
            if (text := typed.text_of(words[:size])) is None:
                return
            yield text

    def _offered(self, place: Place, rest: Sequence[typed.TypedWord]) -> Iterator[_OfferedLine]:
        """Yield what may stand at a place and begin with the rest of the words."""
        text = typed.text_of(rest) if rest else ""
        if text is None or (rest and self.comma):
            return
        before = self.line[: rest[0].column] if rest else self.line
        if place.tail is not None and not rest and not self.comma:
            colon = Offer("", ":", "word", place._replace(after=NOTHING))
            line = self._joined(before, COLON)
            yield _OfferedLine((Fit.WHOLE, 0, 0), ":", line, colon, place, before)
        cut = rest[0].cut if rest else self.comma
        first = rest[0] is self.last[0] if rest else not cut
        self._standing.append((place, before))
        parts = place.parts()
        for turn, part in enumerate(parts):
            if not first and part.join.cut not in (None, cut):
                continue
            start = before if rest else self._joined(before, part.join)
            fits = part.begun(text, closed=not self.open) if rest else _every(part)
            doubtful = isinstance(part, Say) and _begins_names(part, parts)
            cards = isinstance(part, Pick) and part.kind == "card" and self._reach is not Reach.ALL
            begun = self._names_begun(start) if cards else ()
            for fit, name in fits:
                cut_out = any(self.cards.whole(f"{lead} {name}") for lead in begun)
                for offer in part.offers(name, typed=bool(rest)):
                    line = start + offer.text + offer.then.after.text
                    rank = fit, -len(rest), turn
                    spelt = doubtful or cut_out, cut_out
                    yield _OfferedLine(rank, name, line, offer, place, before, *spelt)

    def _names_begun(self, start: str) -> tuple[str, ...]:
        """Return how the words just before a name can begin a longer name together with it."""
        words = re.split(r"[,:>]", start)[-1].split()[-self.places.longest :]
        return tuple(" ".join(words[place:]) for place in range(len(words)))

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


@lru_cache(maxsize=8)
def _entangled(lexicon: typed.Lexicon) -> bool:
    """Whether names of the table are spelt with words or marks of the notation."""
    names = (*lexicon.seats.names, *lexicon.places.names, *lexicon.things.names)
    words = {word for name in names for word in name.casefold().split()}
    return not words.isdisjoint(notation_words()) or any(
        ">" in word or not words_of(word) for word in words
    )


def _begins_names(word: Say, parts: Sequence[Say | Pick]) -> bool:
    """Whether a word of the notation can be read as a name at the same place."""
    picks = (part for part in parts if isinstance(part, Pick))
    return any(pick.names.readings(word.text, reach=Reach.ALL) for pick in picks)
