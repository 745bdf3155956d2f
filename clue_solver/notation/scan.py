"""
Splits a line into tokens, and yields the ways to read them.

A token is a name or a word of the vocabulary, as long as possible. It keeps all its possible
senses; an unknown word is a token without a sense. A way of reading gives each token one of its
senses, and drops the tokens that mean nothing where they stand (`patterns.DROPPED`).
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from math import prod
from typing import NamedTuple

from clue_solver.errors import NotationError
from clue_solver.notation.lexicon import Lexicon
from clue_solver.notation.names import Names, words_of
from clue_solver.notation.patterns import dropped_words, pattern
from clue_solver.notation.vocabulary import (
    FACES,
    LETTERS,
    MINE,
    NUMBERS,
    OWN,
    PHRASES,
    SPELT_OUT,
)

_ATOM = re.compile(
    r"\bw/|\bn/a\b|(?<!\S)[:;=]['\u2019-]?[()/|dp](?!\w)|"  # `:-)` is one sign, and unknown
    r"(?:\b(?:mr|mrs|ms|dr|prof|col|rev|sgt|mme)\.)"
    r"|[^\W_]+(?:['\u2019`\u00b4](?!ve\b|s got\b)[^\W_]+)*['\u2019]?"
    r"|->|\.{2,}|-{2,}|(?<![^\W_])-|-(?![^\W_])|[^\s-]",
    re.IGNORECASE,
)
_SHORT = 3
"""
The most letters of a word of the vocabulary that can also abbreviate a name. A longer word has only
its own meaning.
"""


class Sense(NamedTuple):
    """
    One possible meaning of a token.

    Attributes:
        role: What kind of word it is, such as `seat`, `card` or `passes`; the vocabulary has all
            roles.
        names: The names that the token can stand for; empty if it stands for none.
    """

    role: str
    names: tuple[str, ...] = ()


class Token(NamedTuple):
    """
    One or more words of a line that belong together.

    Attributes:
        text: The words as they were typed.
        column: The column where they begin in the line, from 0.
        senses: Their possible meanings; empty if the words are unknown.
    """

    text: str
    column: int
    senses: tuple[Sense, ...]

    @property
    def roles(self) -> set[str]:
        """All roles that the token can have."""
        return {sense.role for sense in self.senses}

    @property
    def names(self) -> tuple[str, ...]:
        """All names that the token can stand for."""
        return tuple([name for sense in self.senses for name in sense.names])

    @property
    def end(self) -> int:
        """The column after the token."""
        return self.column + len(self.text)


class Part(NamedTuple):
    """
    A token in one of its senses.

    Attributes:
        role: What kind of word it is, such as `seat`, `card` or `passes`.
        names: The names that it can stand for; empty if it stands for none.
        token: The token.
    """

    role: str
    names: tuple[str, ...]
    token: Token


class Way(NamedTuple):
    """
    One way to read a line: each token in one sense, without the tokens that mean nothing.

    Attributes:
        parts: The tokens with their senses.
        letters: The letter of each token's role, for matching with patterns.
    """

    parts: Sequence[Part]
    letters: str


class _Atom(NamedTuple):
    """One word or sign in the form in which it is compared, and its place in the line."""

    text: str
    start: int
    end: int


def scan(line: str, lexicon: Lexicon) -> tuple[Token, ...]:
    """
    Split a line into tokens, each with all meanings that it can have.

    An unknown word is a token without a meaning.

    Args:
        line: The line without its comment.
        lexicon: The names at the table.
    """
    dictionary = _dictionary(lexicon)
    atoms = [_Atom(_fold(match[0]), *match.span()) for match in _ATOM.finditer(line)]
    tokens: list[Token] = []
    while atoms:
        size, senses = dictionary.first_token(atoms)
        first, last = atoms[0], atoms[size - 1]
        atoms = atoms[size:]
        before = tokens[-1] if tokens else None
        if first.text in ("-", "?", "!"):
            senses = _sign_senses(line, first, senses, before)
        elif first.text in ("a", "n"):
            senses = _letter_senses(first.text, senses, atoms[0].text if atoms else "")
        elif first.text == "must" and any("cannot" in token.roles for token in tokens):
            senses = (Sense("must"),)  # `ben can't, cat must`
        tokens.append(Token(line[first.start : last.end], first.start, senses))
    return tuple(tokens)


def _letter_senses(letter: str, senses: tuple[Sense, ...], following: str) -> tuple[Sense, ...]:
    """
    Return the senses of the word `n` or `a`.

    `n` may mean no; `a` is an article if a longer word follows.

    Args:
        letter: The word.
        senses: The senses that it has in the dictionary.
        following: The next word or sign; empty at the end of the line.
    """
    names = tuple(sense for sense in senses if sense.names)
    if letter == "n" and not following:
        return (*names, Sense("none")) if names else ()
    if letter == "n":
        return (*senses, Sense("none"))
    return senses if following.isdecimal() or len(following) > 1 else names or senses


def _sign_senses(
    line: str, sign: _Atom, senses: tuple[Sense, ...], before: Token | None
) -> tuple[Sense, ...]:
    """
    Return the senses of a dash, a question mark or an exclamation mark.

    A question mark is an answer that was not heard; right after a word other than a player's name
    it is a doubt about that word. A dash between two words, with spaces around it, may separate
    clauses.

    Args:
        line: The whole line.
        sign: The sign.
        senses: The senses that it has in the dictionary.
        before: The token before the sign; `None` at the beginning of the line.
    """
    word = before is not None and before.end == sign.start and before.text[-1].isalnum()
    if sign.text == "?" and before and word and "seat" not in before.roles:
        senses = (Sense("doubt"),)
    if sign.text in "?!":
        before_word = line[sign.end :][:1].isalnum() and not line[: sign.start][-1:].isalnum()
        return () if before_word else senses  # `!cat` may be a denial, `?cat` a doubt
    spaced = line[sign.start - 1 : sign.end + 1] == " - " and line[sign.end + 1 :][:1].isalnum()
    if not spaced or before is None or not before.text[-1].isalnum():
        return senses
    return (*senses, Sense("stop"))


def _fold(text: str) -> str:
    """Return a word in the form in which it is compared; signs and `w/` stay unchanged."""
    word = text.casefold()
    if word == "rm":
        return "room"
    if "/" in word or not word[0].isalnum():
        return word
    return "".join(words_of(word)) or word


class _Dictionary:
    """
    The senses of all words and names at a table.

    Attributes:
        lexicon: The names at the table.
        whole: The senses of each word or phrase that is spelt out, by its text.
        found: What was looked up so far: the senses of each word or pair of words.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.whole: dict[str, dict[Sense, None]] = {
            phrase: dict.fromkeys(map(Sense, roles)) for phrase, roles in PHRASES.items()
        }
        self.found: dict[str, tuple[Sense, ...]] = {}
        self.named: set[str] = set()
        """The words and phrases that spell a whole name."""
        for number, word in enumerate(NUMBERS, 2):
            self._add(word, Sense("name", (str(number),)))
        self._add_names(lexicon.things, "card")
        self._add_names(lexicon.seats, "seat")
        for names in (lexicon.holders, lexicon.clues, lexicon.faces, lexicon.icons, lexicon.totals):
            self._add_names(names, "name")
        for word, face in FACES.items():
            if face in lexicon.faces.forms:
                self._add(word, Sense("name", (face,)))
        for word in (*OWN, *MINE):
            for seat in lexicon.seats.exact("me"):
                self._add(word, Sense("mine" if word in MINE else "seat", (seat,)))
        groups = (lexicon.cards, lexicon.faces, lexicon.icons)
        every = [form for names in groups for forms in names.forms.values() for form in forms]
        longer = [form for form in every if form[1:]]
        self.starts = {form[0][:size] for form in longer for size in range(1, len(form[0]) + 1)}
        """The beginnings of the first words of those names that have several words."""
        self.longest: dict[str, int] = {}
        """The number of words in the longest phrase, by the first word of the phrase."""
        for phrase in self.whole:
            first, *more = phrase.split(" ")
            self.longest[first] = max(self.longest.get(first, 1), 1 + len(more))

    def _add(self, phrase: str, sense: Sense) -> None:
        """Add a sense of a word or a phrase."""
        self.whole.setdefault(phrase, {})[sense] = None
        if sense.names:
            self.named.add(phrase)

    def _add_names(self, names: Names, role: str) -> None:
        """
        Add names, with their titles and aliases, as words of a role.

        A word that several cards share gets one sense that lists them all; one that several seats
        share gets a sense for each seat.
        """
        for name in names.names:
            spelt = " ".join(_fold(match[0]) for match in _ATOM.finditer(name))
            for form in (spelt, *map(" ".join, names.forms[name])):
                if role == "name" and form in self.named:
                    continue  # the card or the player of that name stands for it
                meant = names.exact(form) or (name,)
                if role == "card":
                    marking = [name for name in meant if name in self.lexicon.marked]
                    meant = (*meant, *self.lexicon.marked_by(marking))
                for each in [(seat,) for seat in meant] if role == "seat" else [meant]:
                    self._add(form, Sense(role, each))

    def first_token(self, atoms: list[_Atom]) -> tuple[int, tuple[Sense, ...]]:
        """
        Return the length of the first token, and what it can mean.

        Args:
            atoms: The words and signs of the rest of a line; at least one.

        Returns:
            The number of atoms that form the token, and its senses; no senses if it is unknown.
        """
        text = atoms[0].text
        for size in range(min(self.longest.get(text, 1), len(atoms)), 1, -1):
            phrase = " ".join([atom.text for atom in atoms[:size]])
            if phrase in self.whole:
                return size, tuple(self.whole[phrase])
        following = atoms[1].text if atoms[1:] else ""
        if (
            following
            and text not in PHRASES
            and (text in self.starts or text + following in self.named)
        ):
            pair = f"{text} {following}"
            if pair not in self.found:
                self.found[pair] = self._pair_senses(text, following)
            if self.found[pair]:
                return 2, self.found[pair]
        if text not in self.found:
            self.found[text] = self._word_senses(text)
        return 1, self.found[text]

    def _pair_senses(self, first: str, second: str) -> tuple[Sense, ...]:
        """Return the senses of two words that together begin one name, as in `candle stick`."""
        other = second in PHRASES and "must" not in PHRASES[second]  # `brains must` is Mustard
        if other or not (first.isalnum() and second.isalnum()):
            return ()
        if first + second in self.named:
            return tuple(self.whole[first + second])
        cards = self.lexicon.cards.candidates(f"{first} {second}")
        begun = self.lexicon.cards.beginnings(second) or self.lexicon.seats.beginnings(second)
        apart = begun and not self.lexicon.marked
        for names in (self.lexicon.faces, self.lexicon.icons):
            if not cards and (named := names.candidates(f"{first} {second}")):
                return (Sense("name", named),)
        return (Sense("card", cards),) if cards and not apart else ()

    def _word_senses(self, word: str) -> tuple[Sense, ...]:
        """Return the senses of a single word."""
        whole = tuple(self.whole.get(word, ()))
        if not (whole or word[:1].isalnum()):
            return ()
        if not whole and word.isdecimal():
            return (Sense("name", (word,)),)
        doubtful = whole in ((Sense("must"),), (Sense("miss"),))  # it may begin a card's name
        if word in self.named or (whole and len(word) > _SHORT and not doubtful):
            return whole
        if not whole and word[-1] == "s" and (owner := self.whole.get(word[:-1])):
            return tuple(Sense("owner", names) for role, names in owner if role == "seat")
        # It may abbreviate a name; if it has a meaning, of a card only the name's beginning.
        names, players = self.lexicon.cards, self.lexicon.seats
        inside = tuple([seat for seat in players.names if word in players.forms[seat][0]])
        plain = any(sense.role != "passes" for sense in whole)  # `x` may be Mr X, or a pass
        seats = players.beginnings(word) or (inside if len(inside) == 1 and not plain else ())
        own = whole and not doubtful
        cards = names.beginnings(word) if own else names.candidates(word)
        begun = (
            *(Sense("seat", (seat,)) for seat in seats),
            *([Sense("card", cards)] if cards else []),
        )
        if whole or begun:
            return (*whole, *begun)
        lexicon = self.lexicon
        for names in (lexicon.holders, lexicon.clues, lexicon.faces, lexicon.icons):
            if named := names.candidates(word):
                return (Sense("name", named),)
        if squares := lexicon.squares.exact(word):
            return (Sense("name", squares),)
        return self._verb_senses(word)

    def _verb_senses(self, word: str) -> tuple[Sense, ...]:
        """Return the senses of a word that abbreviates a verb; empty if it fits none or several."""
        meant = {PHRASES[verb] for verb in SPELT_OUT if len(word) > 1 and verb.startswith(word)}
        return tuple(map(Sense, meant.pop())) if len(meant) == 1 else ()


_dictionary = lru_cache(maxsize=8)(_Dictionary)

_MOST_WAYS = 2_000
"""The most ways to read a line that are tried."""


def ways(tokens: Sequence[Token]) -> Iterator[Way]:
    """
    Yield each interpretation of the tokens of a line: one sense for every token.

    Args:
        tokens: The tokens of the line.

    Raises:
        NotationError: If there are too many ways.
    """
    every = [[Part(role, names, token) for role, names in token.senses] for token in tokens]
    if prod(map(len, every)) > _MOST_WAYS:
        raise NotationError("too many ways to read this: write the names out")
    for each in product(*every):
        if each[-1].role == "filler" and each[-1].token.text.isalpha():
            continue  # `cat the` breaks off
        parts = [part for part in each if part.role != "filler"]
        if any(
            one.token.roles >= {"seat", "no"} and other.role == "card" and one.role == "seat"
            for one, other in pairwise(parts)
        ):
            continue  # `no plum rope hall` is no suggestion of Noah's
        letters = "".join([LETTERS[part.role] for part in parts])
        if pattern("nay(?!seat)").search(letters):
            continue  # there `no` is of another role
        dropped = {found.start() for found in dropped_words().finditer(letters)}
        if dropped:
            parts = [part for at, part in enumerate(parts) if at not in dropped]
            letters = "".join([LETTERS[part.role] for part in parts])
        if parts:
            yield Way(parts, letters)
