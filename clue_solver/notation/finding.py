"""Finding the names that the words of one line can mean, and noting where a reading ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from clue_solver.errors import NotationError, escape
from clue_solver.names import Names, Reach
from clue_solver.notation.lexicon import Lexicon
from clue_solver.notation.misfit import Path
from clue_solver.notation.words import Named, Unread, Word, listings, text_of
from clue_solver.observation import Observation

_MOST_LISTS = 2_000


class Draft(NamedTuple):
    """An observation that words can spell, and the words that its parts were read from."""

    observation: Observation
    places: dict[Path, Named]


def placed(field: str, named: Named | None) -> dict[Path, Named]:
    """Return the place of a part that may be missing."""
    return {} if named is None else {(field,): named}


def listed(field: str, names: Sequence[Named]) -> dict[Path, Named]:
    """Return the places of the parts of a list."""
    return {(field, place): named for place, named in enumerate(names)}


class Finder:
    """
    Looks words up in a table's names, as far as `reach`.

    Attributes:
        lexicon: The table's names.
        reach: How far to look for what the words mean.
        end: The column after the last word before the colon.
        failure: Why a reading came to an end: of all of them the one that came furthest.
    """

    def __init__(self, lexicon: Lexicon, reach: Reach, end: int) -> None:
        self.lexicon, self.reach, self.end = lexicon, reach, end
        self.failure = NotationError("expected an observation")
        self._furthest = (-1, False)

    def fail(
        self, reason: str, column: int, *, nearest: tuple[str, ...] = (), read: bool = False
    ) -> None:
        """
        Note why a reading came to an end.

        Args:
            reason: In words.
            column: How far it came.
            nearest: What may have been meant.
            read: Whether the line could be read to its end and only made no sense.
        """
        if (column, read) > self._furthest:
            self._furthest = (column, read)
            self.failure = NotationError(reason, column=column, nearest=nearest)

    def unknown(self, word: Word, names: Names, *, instead: str = "") -> None:
        """
        Note that the word is none of the names.

        Args:
            word: The word.
            names: The names that may stand there.
            instead: What else may stand there, in words.
        """
        if (word.column, False) <= self._furthest:
            return
        error = names.unknown(word.text)
        players = self.lexicon.seats.exact(word.text)
        if players or (instead and not error.nearest):
            what = f"the player {players[0]}" if players else f"'{escape(word.text)}'"
            wanted = f"{names.expected}{instead and f', or {instead}'}"
            self.fail(f"expected {wanted}; found {what}", word.column)
        else:
            self.fail(error.reason, word.column, nearest=error.nearest)

    def meant(
        self, words: Sequence[Word], names: Names, *, among: Sequence[str] | None = None
    ) -> tuple[Named, ...]:
        """Return what all the words together can mean."""
        if not 0 < len(words) <= names.longest or (text := text_of(words)) is None:
            return ()
        found = names.readings(text, reach=self.reach, among=among)
        return tuple(Named(name, text, words[0].column) for name in found)

    def one(self, words: Sequence[Word], names: Names, wanted: str) -> tuple[Named, ...]:
        """
        Return what all the words together can mean; if they mean nothing, that is noted.

        Args:
            words: The words; there may be none.
            names: The names that may stand there.
            wanted: What is expected there, in words.
        """
        if not words:
            self.fail(f"expected {wanted}; found nothing", self.end)
            return ()
        if found := self.meant(words, names):
            return found
        text = text_of(words)
        if text is None:
            several = ", ".join(word.text for word in words)
            self.fail(f"expected {wanted}; found '{escape(several)}'", words[0].column)
        else:
            self.unknown(words[0]._replace(text=text), names)
        return ()

    def who(self, words: Sequence[Word], verb: str) -> tuple[Named, ...]:
        """Return the seats that the words before a verb can mean."""
        if not words:
            self.fail(f"expected who {verb} before '{verb}'; found nothing", 0)
            return ()
        return self.one(words, self.lexicon.seats, f"who {verb}")

    def many(
        self,
        words: Sequence[Word],
        names: Names,
        *,
        between: str = "",
        instead: str = "",
        fits: Callable[[int], bool] = bool,
    ) -> Iterator[tuple[Named, ...]]:
        """
        Yield the lists of names that the words spell; if they spell none, that is noted.

        Args:
            words: The words; there may be none.
            names: The names that may stand there.
            between: A word that may stand between two names.
            instead: What may stand after the last of them, in words.
            fits: Whether a list of that length will do. One of another length is yielded only
                where none will do.
        """
        if not words:
            yield ()
            return
        odd: list[tuple[Named, ...]] = []
        fitting = False
        try:
            for found in islice(listings(words, names, self.reach, between=between), _MOST_LISTS):
                if fits(len(found)):
                    fitting = True
                    yield found
                elif not odd:
                    odd.append(found)
        except Unread as stop:
            self.unknown(stop.word, names, instead=instead)
        if not fitting:
            yield from odd
