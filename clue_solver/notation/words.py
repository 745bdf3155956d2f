"""A typed line taken apart: comment, head and tail, words with their places, lists of names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from clue_solver.edition import MOST_CARDS
from clue_solver.names import Names, Reach

_MOST_STEPS = 20_000


class Word(NamedTuple):
    """One word of a line, its column, and whether a comma separates it from the word before."""

    text: str
    column: int
    cut: bool


class Named(NamedTuple):
    """What some words of a line stand for, as they were typed, and their column."""

    name: str
    text: str
    column: int


class Crowded(Exception):
    """There are too many ways to read a list of names."""


class Unread(Exception):
    """No name begins at `word`, the furthest to which a list can be read."""

    def __init__(self, word: Word) -> None:
        self.word = word
        super().__init__(word.text)


def split_comment(line: str) -> tuple[str, str]:
    """
    Return the line up to its comment, and the comment without its mark.

    >>> split_comment("Ben peeks  # at last")
    ('Ben peeks', 'at last')
    """
    body, _, comment = line.partition("#")
    return body.rstrip(), comment.removeprefix(" ").rstrip()


def divided(line: str, names: Collection[str]) -> tuple[str, str, int]:
    """
    Return the parts of a line before and after its colon, and the column of the second.

    Where there is no colon `>` stands for it, except inside one of the `names`.
    """
    place = line.find(":")
    if place < 0 and ">" in line:
        taken = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        masked = line
        if any(">" in name for name in names):
            masked = re.sub(taken, lambda found: "x" * len(found[0]), line)
        place = masked.find(">")
    if place < 0:
        return line, "", len(line)
    return line[:place], line[place + 1 :], place + 1


def words_in(text: str, column: int) -> tuple[Word, ...]:
    """Return the words of a part of a line that begins at `column`."""
    found: list[Word] = []
    cut = False
    for match in re.finditer(r"[^\s,]+|,", text):
        if match[0] == ",":
            cut = True
        else:
            found.append(Word(match[0], column + match.start(), cut))
            cut = False
    return tuple(found)


def text_of(words: Sequence[Word]) -> str | None:
    """Return the words with one space between; `None` where a comma stands between them."""
    if len(words) == 1:
        return words[0].text
    if any(word.cut for word in words[1:]):
        return None
    return " ".join(word.text for word in words)


class _Step(NamedTuple):
    end: int
    text: str
    names: tuple[str, ...]


def listings(
    words: Sequence[Word], names: Names, reach: Reach, *, between: str = ""
) -> Iterator[tuple[Named, ...]]:
    """
    Yield the ways to read words as a list of different names, the word between them first, then
    longer names.

    Commas part names, and words that spell a whole name stay together unless `reach` is `ALL`.
    Where every way names something twice, one of them is yielded.

    Args:
        words: The words of the list; at least one.
        names: The names that may stand in it.
        reach: How far to look for what the words mean.
        between: A word that may stand between two names.

    Raises:
        Unread: If there is no way to read them.
        Crowded: If there are too many ways.
    """
    steps = _steps(words, names, reach, between)
    ends = [False] * len(words) + [True]
    for place in range(len(words) - 1, -1, -1):
        ends[place] = any(ends[step.end] for step in steps.get(place, ()))
    if not ends[0]:
        raise Unread(words[max(steps)])
    different = _different(words, steps, ends)
    first = next(different, None)
    if first is None:
        yield _plainest(words, steps, ends)
    else:
        yield first
        yield from different


def _steps(
    words: Sequence[Word], names: Names, reach: Reach, between: str
) -> dict[int, list[_Step]]:
    """For each place that can be reached from the first, the names that may begin there."""
    inside = set() if reach is Reach.ALL else _inside(words, names)
    steps: dict[int, list[_Step]] = {}
    reached = {0}
    for place in range(len(words)):
        if place not in reached:
            continue
        found = steps[place] = []
        for end in range(min(len(words), place + names.longest), place, -1):
            text = None if end in inside else text_of(words[place:end])
            if text is not None and (meant := names.readings(text, reach=reach)):
                found.append(_Step(end, text, meant))
        if between and 0 < place < len(words) - 1 and words[place].text.casefold() == between:
            found.insert(0, _Step(place + 1, between, ()))  # where "or" begins a name as well
        reached.update(step.end for step in found)
    return steps


def _inside(words: Sequence[Word], names: Names) -> set[int]:
    """Places inside a whole name of several words, where no other name may begin."""
    inside: set[int] = set()
    if all(word.cut for word in words[1:]):
        return inside
    for place in range(len(words)):
        for end in range(place + 2, min(len(words), place + names.longest) + 1):
            text = text_of(words[place:end])
            if text is None:
                break
            if names.whole(text):
                inside.update(range(place + 1, end))
    return inside


def _different(
    words: Sequence[Word], steps: dict[int, list[_Step]], ends: list[bool]
) -> Iterator[tuple[Named, ...]]:
    taken = 0

    def rest(place: int, before: tuple[Named, ...]) -> Iterator[tuple[Named, ...]]:
        nonlocal taken
        taken += 1
        if taken > _MOST_STEPS:
            raise Crowded
        if place == len(words):
            yield before
            return
        if len(before) > MOST_CARDS:
            return
        for step in steps[place]:
            if not ends[step.end]:
                continue
            if not step.names:
                yield from rest(step.end, before)
            for name in step.names:
                if all(name != other.name for other in before):
                    named = Named(name, step.text, words[place].column)
                    yield from rest(step.end, (*before, named))

    return rest(0, ())


def _plainest(
    words: Sequence[Word], steps: dict[int, list[_Step]], ends: list[bool]
) -> tuple[Named, ...]:
    """The first way to read the words, whatever it names twice."""
    found: list[Named] = []
    place = 0
    while place < len(words):
        step = next(step for step in steps[place] if ends[step.end])
        if step.names:
            found.append(Named(step.names[0], step.text, words[place].column))
        place = step.end
    return tuple(found)
