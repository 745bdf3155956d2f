"""
Finds the name that a typed text means, or the names that are most similar to it.

Capitals, titles, articles and punctuation do not matter. If a text matches names in several ways,
only the strongest counts. The ways are, strongest first: the name itself; a title or an alias; the
beginning of a name; the beginnings of words in a name, a title or an alias.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeVar

from clue_solver.errors import NotationError, listed, printable

Choice = TypeVar("Choice")

_DROPPED = str.maketrans("", "", ".'\u2019`\u00b4")
_LONGEST_GUESS = 40
_LIKE, _LIKE_SHORT = 0.7, 0.65
"""
How similar (`likeness`, 0 to 1) a typed word must be to a name to count as a misspelling of it.

The second number is for words of three letters that begin with the same letter: `wrn`.
"""
_SHORT = 3
"""The number of letters of a short word, for which `_LIKE_SHORT` may count."""
_MOST_NEAR, _MOST_MEANT, _MOST_LISTED = 3, 6, 12
"""
The most names that a message lists: of similar ones, of those that a text may mean, and of all.
"""
_MOST_DIGITS = 6
_OR = ("or",)
"""The words of a text that is only `or`: it joins two names, and is never short for one."""


@lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[str, ...]:
    """
    Return a name as words to compare: in lower case, without accents, punctuation and the word
    `the`.

    >>> words_of("The Lead-Pipe")
    ('lead', 'pipe')
    """
    folded = text.casefold().translate(_DROPPED)
    if not folded.isascii():
        parts = unicodedata.normalize("NFKD", folded)
        folded = "".join(mark for mark in parts if not unicodedata.combining(mark)).casefold()
    words = "".join(mark if mark.isalnum() else " " for mark in folded).split()
    return tuple(word for word in words if word != "the") or tuple(words)


def joined(names: Iterable[str], last: str = "or") -> str:
    """
    Return names as text for a sentence: commas between them, the word `last` before the last one.

    >>> joined(["Plum", "Peacock", "White"])
    'Plum, Peacock or White'
    """
    return listed(map(printable, names), last)


def numbered(text: str, choices: Sequence[Choice]) -> Choice | None:
    """
    Return the choice whose number a text is; the first choice has the number 1.

    `None` if the text is no such number.
    """
    number = int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else 0
    return choices[number - 1] if 0 < number <= len(choices) else None


def seats_in(text: str) -> tuple[str, ...]:
    """
    Return the players' names in a text: split at commas, or at spaces if it has no comma.

    >>> seats_in("Ann Ben Cat"), seats_in("Ann, Mr  Ben")
    (('Ann', 'Ben', 'Cat'), ('Ann', 'Mr Ben'))
    """
    names = text.split(",") if "," in text or not text.strip() else text.split()
    if len(names) > 1 and not names[-1].strip():
        names.pop()
    return tuple(" ".join(name.split()) for name in names)


class Names:
    """
    The names that may stand at one place of a line, with all their titles and aliases.

    Attributes:
        kind: What the names are names of, for messages: `card`, `player`.
        names: The names in order.
        forms: The name, the title and the aliases of each name, each split into words.
        longest: The most words that people may type for one name, including an article.

    >>> cards = Names("card", ["Plum", "Lead Pipe"], aliases={"Lead Pipe": ["Pipe"]})
    >>> cards.find("pip"), cards.exact("pipe"), cards.nearest("plmu")
    ('Lead Pipe', ('Lead Pipe',), ('Plum',))
    """

    def __init__(
        self,
        kind: str,
        names: Iterable[str],
        *,
        titles: Mapping[str, str] | None = None,
        aliases: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self.kind = kind
        self.names = tuple(names)
        self._titles = {name: title for name, title in (titles or {}).items() if title}
        self.forms: dict[str, tuple[tuple[str, ...], ...]] = {}
        for name in self.names:
            others = [self._titles.get(name, name), *(aliases or {}).get(name, ())]
            self.forms[name] = tuple(dict.fromkeys(map(words_of, (name, *others))))
        sizes = [len(form) for forms in self.forms.values() for form in forms]
        self.longest = 1 + max([1, *sizes, *(len(name.split()) for name in self.names)])
        self._written: dict[str, list[str]] = {}  # the names by how they are written, in any case
        self._called: dict[tuple[str, ...], list[str]] = {}  # by their words, aliases too
        for name, forms in self.forms.items():
            self._written.setdefault(name.casefold(), []).append(name)
            for form in forms:
                self._called.setdefault(form, []).append(name)

    def subset(self, kind: str, names: Iterable[str]) -> "Names":
        """
        Return a part of these names, with their titles and aliases.

        Args:
            kind: What messages call one of them: `room`.
            names: The names to keep.
        """
        aliases = {name: [" ".join(form) for form in self.forms[name]] for name in names}
        return Names(kind, aliases, titles=self._titles, aliases=aliases)

    def exact(self, text: str) -> tuple[str, ...]:
        """
        Return the names that a text spells out in full, as a name, a title or an alias.

        Capitals and small letters are the same. Empty if there is no such name.
        """
        if text in self.forms:
            return (text,)
        same = self._written.get(text.casefold(), [])
        words = _comparable_words(text)
        if same or not words:
            return tuple(same)
        called = self._called.get(words, [])
        return tuple(name for name in called if self.forms[name][0] == words) or tuple(called)

    def beginnings(self, text: str) -> tuple[str, ...]:
        """
        Return the names that a text spells out in full; if there are none, those that begin with
        the text.
        """
        words = _comparable_words(text)
        whole = self.exact(text)
        if whole or words == _OR:
            return whole
        return tuple(name for name in self.names if self._begins(name, text.casefold(), words))

    def candidates(self, text: str) -> tuple[str, ...]:
        """
        Return the names that a text may mean, in order; empty if it means none.

        These are the names that start with the text. If there are none, they are those with a
        title, an alias or an inner word that starts with it.
        """
        words = _comparable_words(text)
        front = self.beginnings(text)
        if front or not words or words == _OR:
            return front
        found = (name for name, forms in self.forms.items() if any(begins(words, f) for f in forms))
        return tuple(found)

    def find(self, text: str) -> str:
        """
        Return the one name that a text means.

        Raises:
            NotationError: If it means none of the names, or several.
        """
        candidates = self.candidates(" ".join(text.split()))
        if len(candidates) == 1:
            return candidates[0]
        raise self.error_for(text)

    def nearest(self, text: str, *, begun: bool = False) -> tuple[str, ...]:
        """
        Return the names that are most similar to a text, likeliest first.

        Empty if none is similar enough, or if too many are equally similar. A name that is itself
        similar comes before a name with a similar alias.

        Args:
            text: The text, with a slip in it.
            begun: Whether to compare it with the beginnings of names: `candel` with `candle`.
        """
        typed = " ".join(words_of(text)) or text.casefold()
        ranks: dict[str, tuple[float, bool, bool]] = {}
        least = _SHORT + 1 if begun else _SHORT
        for name, forms in self.forms.items() if least <= len(typed) <= _LONGEST_GUESS else ():
            for form in forms:
                for part in dict.fromkeys((" ".join(form), *form)):
                    differs = part[:1] != typed[:1]
                    if begun and differs:
                        continue
                    like = likeness(typed, part[: len(typed)] if begun else part)
                    rank = -like, form != forms[0], differs
                    if like >= (_LIKE if differs or len(typed) > _SHORT else _LIKE_SHORT):
                        ranks[name] = min(rank, ranks.get(name, rank))
        best = min((like for like, *_ in ranks.values()), default=0)
        near = [name for name in sorted(ranks, key=ranks.__getitem__) if ranks[name][0] == best]
        return tuple(near) if len(near) <= _MOST_NEAR else ()

    def error_for(self, text: str) -> NotationError:
        """Return the error for a text that is empty, or means none or several of the names."""
        meant = self.candidates(" ".join(text.split())) if text.strip() else ()
        likely = meant or self.nearest(text) or self.nearest(text, begun=True)
        near = tuple(name for name in likely if name != text)
        reason = f"unknown {self.kind} '{printable(text)}'"
        if len(meant) > 1:
            some = (*meant[:3], "others") if len(meant) > _MOST_MEANT else meant
            reason = f"'{printable(text)}' could mean {joined(some)}"
        elif not text.strip():
            reason = f"expected a {self.kind}; found nothing"
        elif near:
            title = self._titles.get(near[0], near[0])  # unless that was typed
            reason += f"; did you mean '{printable(near[0] if title == text else title)}'?"
        elif len(self.names) > _MOST_LISTED:
            some = (self.names[0], self.names[len(self.names) // 2], self.names[-1])
            reason += f"; expected a {self.kind} such as {joined(some)}"
        elif self.names:
            reason += f"; expected {joined(self.names)}"
        else:
            reason = f"expected no {self.kind}; found '{printable(text)}'"
        misspelt = text if len(meant) < 2 else ""
        return NotationError(reason, line=text, nearest=near, misspelt=misspelt)

    def _begins(self, name: str, start: str, words: tuple[str, ...]) -> bool:
        """
        Return whether a name begins with a text. A single word matches names without their spaces,
        too.

        Args:
            name: The name.
            start: What was typed, in lower case. It is compared only if `words` is empty.
            words: What was typed, split into words as `words_of` does.
        """
        form = self.forms[name][0]
        if not words or not form:
            return bool(start) and name.casefold().startswith(start)
        closed = len(words) == 1 and "".join(form).startswith(words[0])
        return closed or " ".join(form).startswith(" ".join(words))


def parse_names(text: str, names: Names, leads: Collection[str] = ()) -> tuple[str, ...]:
    """
    Return the different names that a text lists, with or without commas.

    Args:
        text: The text.
        names: The names that may be listed.
        leads: First words of names, in lower case. A name may leave out such a word if the name
            before it has the same: `brains` in `Brains Plum, Green`.

    Raises:
        NotationError: If a word means none of the names, or several; its `column` says where.

    >>> parse_names("rope, lead pipe plum", Names("card", ["Plum", "Rope", "Lead Pipe"]))
    ('Rope', 'Lead Pipe', 'Plum')
    """
    words = [*re.finditer(r"[^\s,]+", text)]
    found: list[str] = []
    lead = ""
    while words:
        start = words[0].start()
        for size in range(min(names.longest, len(words)), 0, -1):
            if lead and size > 1 and words[size - 1][0].casefold() in leads:
                continue  # it leads the next name
            typed = text[start : words[size - 1].end()]
            candidates = () if "," in typed else names.candidates(" ".join(typed.split()))
            if lead and len(candidates) > 1:
                candidates = names.candidates(f"{lead} {' '.join(typed.split())}") or candidates
            meant = [name for name in candidates if name not in found]
            if len(meant) == 1:
                break
        else:
            error = names.error_for(typed)
            if candidates and not meant:
                error = NotationError(f"{printable(candidates[0])} is listed twice")
            raise NotationError(error.reason, column=start, nearest=error.nearest)
        found += meant
        lead = next((each for each in leads if meant[0].casefold().startswith(each)), lead)
        words = words[size:]
    return tuple(found)


@lru_cache(maxsize=16_384)  # a file of notes has the same words in many cells
def likeness(typed: str, meant: str) -> float:
    """
    Return how similar two words are, from 0 to 1.

    It is the share of their letters that both have in the same order.
    """
    return SequenceMatcher(None, meant, typed).ratio()


@lru_cache(maxsize=4096)
def _comparable_words(text: str) -> tuple[str, ...]:
    """
    Return the words of a text, as names are compared.

    Empty if one of them is only punctuation, or begins with a sign for `not`.
    """
    return words_of(text) if all(map(_is_word, text.split())) else ()


def _is_word(word: str) -> bool:
    """Return whether a word has a letter or a digit, and does not begin with a sign for `not`."""
    return word[0] not in "!~\u00ac" and any(mark.isalnum() for mark in word)


def begins(words: tuple[str, ...], form: tuple[str, ...]) -> bool:
    """
    Return whether these words are the beginnings of words that follow each other in a name.

    Args:
        words: What was typed; at least one word.
        form: The words of the name, a title or an alias.
    """
    first, *rest = words
    for start in range(len(form) - len(rest)):
        if form[start].startswith(first):
            following = form[start + 1 : start + len(words)]
            if all(map(str.startswith, following, rest)):
                return True
    return False
