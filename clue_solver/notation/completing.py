"""
What may be typed next at the table, and what a line that is being typed comes to.

Every completion leads to a line that can be read: either the line that it makes is whole, or the
grammar knows an ending that makes it so.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from clue_solver.errors import NotationError
from clue_solver.notation import words as typed
from clue_solver.notation.canonical import format_line
from clue_solver.notation.checks import TurnState
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.meanings import TooAmbiguous, reader_of
from clue_solver.notation.names import Reach
from clue_solver.notation.nodes import Edge, Fit, Join, Kind, Node, Offer
from clue_solver.notation.reading import LONGEST, Told, read_line
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table

_MOST_WORDS, _MOST_NODES, _MOST_MISSES = 400, 64, 32


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
        told: What it tells, `None` if it cannot be read as it stands.
        text: Its canonical form, implied passes filled in; empty if it cannot be read.
        error: Why it cannot be read; `None` for an empty line, too.
        unfinished: Whether it cannot be read only because it is the beginning of a line that can.
    """

    told: Told | None = None
    text: str = ""
    error: NotationError | None = None
    unfinished: bool = False

    @property
    def observation(self) -> Observation | None:
        """The observation that it tells; `None` if it cannot be read as it stands."""
        return None if self.told is None else self.told.observation


class TypedLine:
    """
    A line that is being typed: read once, completed once.

    Attributes:
        line: What has been typed so far, up to the cursor; it may be empty.
        table: The table at which it is typed.
        state: What the earlier lines mean for it.
    """

    def __init__(self, line: str, table: Table, state: TurnState | None = None) -> None:
        self.line = line
        self.table = table
        self.state = state or TurnState()
        self._completing: _Completing | None = None
        if "#" not in line and len(line) <= LONGEST:
            self._completing = _Completing(line, table, self.state)
        self._found: tuple[int, tuple[Completion, ...]] = (0, ())

    def completions(self, most: int = 12) -> tuple[Completion, ...]:
        """Return what may stand next, as `completions` does."""
        if self._completing is None or most < 1:
            return ()
        asked, completions = self._found
        if asked < most and len(completions) == asked:
            self._found = most, self._completing.completions(most)
        return self._found[1][:most]

    @cached_property
    def preview(self) -> Preview:
        """What the line comes to, as `preview` says."""
        if not typed.split_comment(self.line)[0].strip():
            return Preview()
        told = self._read if isinstance(self._read, Told) else self._heard()
        if told is None:
            unfinished = bool(self.completions(1)) or self._speaking()
            return Preview(error=self._error, unfinished=unfinished)
        return Preview(told=told, text=format_line(told.observation, self.table))

    @cached_property
    def _read(self) -> Told | NotationError:
        try:
            return read_line(self.line, self.table, self.state)
        except NotationError as error:
            return error

    @cached_property
    def _error(self) -> NotationError | None:
        if not isinstance(self._read, NotationError):
            return None
        from clue_solver.notation.speech import clearer  # only where somebody types

        return clearer(self._read, self.table)

    def _heard(self) -> Told | None:
        """Return what the line tells as speech, unless it is the beginning of another."""
        if self.completions(1):
            return None
        from clue_solver.notation.speech import heard  # only where somebody types

        with suppress(NotationError):
            ways = heard(self.line, self.table, self.state, most=2)
            if len(ways) == 1 and len(ways[0]) == 1:
                return ways[0][0]
        return None

    def _speaking(self) -> bool:
        """Return whether it is speech, each word known but for the one that is being typed."""
        from clue_solver.notation.hearing import Unclear, words_of_speech
        from clue_solver.notation.speech import blames_speech

        if not isinstance(self._read, NotationError) or not blames_speech(self._read):
            return False
        for said in (self.line, self.line.rpartition(" ")[0]):
            with suppress(Unclear):
                words_of_speech(said, self.table)
                return True
        return False

    @cached_property
    def mended(self) -> str | None:
        """The line with the name that its error asks about; `None` if there is none that fits."""
        error = self._error
        if error is None or not error.nearest or "did you mean" not in error.reason:
            return None
        meant = error.nearest[0]
        before = self.line[: error.column]
        begun = re.search(r"(\S+)\s+$", before)
        if begun is not None and meant.casefold().startswith(f"{begun[1].casefold()} "):
            before = before[: begun.start()]  # `lead pipr`: its first word is right
        rest = self.line[error.column :]
        cards = lexicon_of(self.table).cards
        ends = [word.end() for word in re.finditer(r"[^\s,:;]+", rest)]
        together = cards.only("card", [meant]) if meant in cards else None
        near = [end for end in ends if together and together.nearest(rest[:end])]  # `led pipe`
        for end in (*near[::-1], *ends):  # it may be several words
            line = before + meant + rest[end:]
            after = TypedLine(line, self.table, self.state)
            wrong = after._error
            if after.preview.told or after.completions(1):
                return line
            if wrong is None or wrong.column >= len(before) + len(meant):
                return line
        return None

    @property
    def whole(self) -> Mapping[str, Observation]:
        """What each whole line tells: those of the completions found, and this line itself."""
        observations = {} if self._completing is None else dict(self._completing.whole)
        if self.preview.observation is not None:
            observations[self.line] = self.preview.observation
        return observations


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
    """An offer, how well it fits what was typed, and the line with it."""

    rank: tuple[Fit, int, int]
    name: str
    line: str
    offer: Offer


class _Completing:
    """
    The completions of a line at one table.

    What may have been begun at its end is the `rest` of its words: the last or the last few, or
    none. The last word is `open` while neither a space nor a comma follows it.
    """

    def __init__(self, line: str, table: Table, state: TurnState) -> None:
        self.line = line
        self.reader = reader_of(table, state)
        self.words = self.reader.words(line)
        self.colon = next((at for at, word in enumerate(self.words, 1) if word.text == ":"), 0)
        self.comma = line.rstrip().endswith(",")
        self.filled = line.rsplit(" ", maxsplit=1)[-1].casefold() in typed.fillers_of(
            self.reader.lexicon
        )
        self.open = len(self.words) > self.colon and not (
            self.comma or self.filled or line[-1].isspace()
        )
        self.whole: dict[str, Observation] = {}

    def completions(self, most: int) -> tuple[Completion, ...]:
        """Return the first of those that lead on, looking for names only as far as need be."""
        if len(self.words) > _MOST_WORDS:
            return ()
        for reach in Reach:
            try:
                begun, following = self._candidates(reach)
            except TooAmbiguous:
                return ()
            if completions := tuple(islice(self._checked(begun, following), most)):
                return completions
        return ()

    def _checked(
        self, begun: Sequence[_OfferedLine], following: Sequence[_OfferedLine]
    ) -> Iterator[Completion]:
        """Yield those that lead on; nothing that follows says again what was begun."""
        lines: set[str] = set()
        said: set[tuple[Observation, str]] = set()
        misses = 0
        for turn, (_, _, line, offer) in enumerate((*begun, *following)):
            if line == self.line or line in lines:
                continue
            ending = offer.then.end()
            whole = meaning = self._meaning(line) if offer.then.whole is not None else None
            if meaning is None and ending:
                meaning = self._meaning(line + ending)
            if meaning is None:
                misses += 1
            elif turn < len(begun) or (meaning, ending) not in said:
                said.add((meaning, ending))
                lines.add(line)
                if whole is not None:
                    self.whole[line] = whole
                yield Completion(
                    line=line, label=offer.label, kind=offer.kind, whole=whole is not None
                )
            if misses == _MOST_MISSES:
                return

    def _meaning(self, line: str) -> Observation | None:
        return self.reader.meaning(line.rstrip())

    def _candidates(self, reach: Reach) -> tuple[list[_OfferedLine], list[_OfferedLine]]:
        """Return what may have been begun, and what may follow, if names are looked for so far."""
        begun: list[_OfferedLine] = []
        following: list[_OfferedLine] = []
        reached = self.reader.walk.trails(self.words, reach)
        size = len(self.words)
        for first in range(max(self.colon, size - self.reader.walk.longest), size + 1):
            into = following if self.open and first == size else begun
            for trail in reached[first][:_MOST_NODES]:
                into.extend(self._offered(trail.node, self.words[first:]))
        begun.sort(key=lambda one: one.rank)
        clear = len({one.name for one in begun}) < 2 or begun[0].rank[0] is Fit.WHOLE
        return begun, following if clear else []

    def _offered(self, node: Node, rest: Sequence[typed.TypedWord]) -> Iterator[_OfferedLine]:
        """Yield what may stand at a node and begin with the rest of the words."""
        text = typed.text_of(rest) if rest else ""
        if text is None or (rest and self.comma):
            return
        before = self.line[: rest[0].column] if rest else self.line
        comma = rest[0].comma if rest else self.comma
        first = len(self.words) - len(rest) == self.colon if rest else not comma
        edges = (*node.edges, *(node.silent if rest else ()))
        for (fit, turn), name, edge, offer in _begun(edges, text, closed=not self.open):
            if first or edge.join.comma in (None, comma):
                start = before if rest else self._joined(before, edge.join)
                line = start + offer.text + offer.then.after.text
                yield _OfferedLine((fit, -len(rest), turn), name, line, offer)

    def _joined(self, line: str, join: Join) -> str:
        """Return a line with what stands between it and what follows, as far as it is missing."""
        bare = line.rstrip()
        after_colon = self.colon and self.colon == len(self.words)
        if not bare or bare.endswith(",") or after_colon or self.filled:
            return f"{line} " if line == bare and bare else line
        if join.firm:
            return bare + join.text
        return line if line != bare else line + join.text


def _begun(
    edges: Sequence[Edge], text: str, *, closed: bool = False
) -> Iterator[tuple[tuple[Fit, int], str, Edge, Offer]]:
    """Yield what a text may begin at some edges, or all that may stand there if there is none."""
    for turn, edge in enumerate(edges):
        every = ((Fit.WHOLE, name) for name in edge.all())
        for fit, name in edge.begun(text, closed=closed) if text else every:
            for offer in edge.offers(name, typed=bool(text)):
                yield (fit, turn), name, edge, offer
