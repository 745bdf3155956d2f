"""
The words of lines: a typed line taken apart into comment, words and their places, with the names
that the words can mean; and an observation written as the canonical line, by its declared form.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from clue_solver.notation.lexicon import Lexicon
from clue_solver.notation.names import Names, Reach

FILLERS = ("with", "in", "of", "and", "using")
"""Words that people put between cards, which tell nothing; unless names have them."""

OPINION = re.compile(r"\(?\bi (?:think|guess|reckon|believe|suppose)\b\)?")
"""What is `maybe` behind what is said, or before a player; before cards it asks."""


class TypedWord(NamedTuple):
    """
    One word of a line.

    Attributes:
        text, column: The word, and where it begins.
        comma: Whether a comma separates it from the word before.
    """

    text: str
    column: int
    comma: bool


class Named(NamedTuple):
    """What some words of a line stand for, as they were typed, and their column."""

    name: str
    text: str
    column: int


def split_comment(line: str) -> tuple[str, str]:
    """
    Return the line up to its comment, and the comment without its mark.

    >>> split_comment("Ben peeks  # at last")
    ('Ben peeks', 'at last')
    """
    body, _, comment = line.partition("#")
    return body.rstrip(), comment.removeprefix(" ").rstrip()


_WORD = re.compile(r"[^\s,]+|,")
_SIGNED = re.compile(r",|(?<![^\s,])-|[-?](?![^\s,])|[^\s,]+?(?=[-?]?(?:[\s,]|$))")
"""Words of a line, in which a sign is one of its own where it is glued to another: `ben-`."""


def words_in(text: str, column: int = 0, word: re.Pattern[str] = _WORD) -> tuple[TypedWord, ...]:
    """Return the words of a part of a line that begins at `column`."""
    words: list[TypedWord] = []
    comma = False
    for match in word.finditer(text):
        if match[0] == ",":
            comma = True
        else:
            words.append(TypedWord(match[0], column + match.start(), comma))
            comma = False
    return tuple(words)


def words_of_line(
    line: str, names: Collection[str], fillers: Collection[str] = (), seats: Names | None = None
) -> tuple[TypedWord, ...]:
    """
    Return the words of a line; its colon is one of them, but for one behind who asks: `Tom: ...`.

    Where there is no colon `;` or `>` stands for it, except inside one of the `names`; `-` and `?`
    at the edge of a word are words of their own, unless names have them. The `fillers` are left
    out; a comma before one of them is before the next word.
    """
    signed = any(word[0] == "-" or word[-1] in "-?" for name in names for word in name.split())
    split = partial(words_in, word=_WORD if signed else _SIGNED)
    place = line.find(":")
    if place > 0 and seats is not None and line[place + 1 :].strip() and seats.exact(line[:place]):
        line = f"{line[:place]} {line[place + 1 :]}"
        place = line.find(":")
    if place < 0 and (";" in line or ">" in line):
        taken = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        masked = line
        if any(mark in name for name in names for mark in ";>"):
            masked = re.sub(taken, lambda match: "x" * len(match[0]), line)
        sign = re.search("[;>]", masked)
        place = sign.start() if sign else -1
    if place < 0:
        return _told(split(line), fillers)
    after = split(line[place + 1 :], place + 1)
    first = tuple(word._replace(comma=False) for word in after[:1])
    before = _told(split(line[:place]), fillers)
    return (*before, TypedWord(":", place, False), *_told((*first, *after[1:]), fillers))


def _told(words: Sequence[TypedWord], fillers: Collection[str]) -> tuple[TypedWord, ...]:
    """Return the words without those that tell nothing."""
    kept: list[TypedWord] = []
    comma = False
    for word in words:
        if word.text.casefold() in fillers:
            comma = comma or word.comma
        else:
            kept.append(word._replace(comma=word.comma or comma))
            comma = False
    return tuple(kept)


def text_of(words: Sequence[TypedWord]) -> str | None:
    """Return the words with one space between; `None` where a comma or the colon is between."""
    if len(words) == 1:
        return words[0].text
    if any(word.comma or word.text == ":" for word in words[1:]) or words[0].text == ":":
        return None
    return " ".join(word.text for word in words)


def inside_names(words: Sequence[TypedWord], names: Names) -> set[int]:
    """Return the places inside a whole name of several words, where no other name may begin."""
    inside: set[int] = set()
    for place in range(len(words)):
        for end in range(place + 2, min(len(words), place + names.longest) + 1):
            text = text_of(words[place:end])
            if text is None:
                break
            if names.exact(text):
                inside.update(range(place + 1, end))
    return inside


@lru_cache(maxsize=32)
def fillers_of(lexicon: Lexicon) -> frozenset[str]:
    """Return the words that tell nothing at a table."""
    return frozenset(word for word in FILLERS if not _names(lexicon, word))


@lru_cache(maxsize=1024)
def beginnings_of(lexicon: Lexicon, verb: str) -> tuple[str, ...]:
    """Return the beginnings of a verb that are read for it: two letters or more, no name."""
    every = (verb[:size] for size in range(2, len(verb) - 1))
    return tuple(text for text in every if not _names(lexicon, text))


def _names(lexicon: Lexicon, word: str) -> bool:
    groups = (lexicon.things, lexicon.cards, lexicon.holders)
    return any(names.readings(word, reach=Reach.ALL) for names in groups)
