"""The grammar of answers: what stands after the colon of a suggestion or a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from clue_solver.notation.finding import Finder
from clue_solver.notation.misfit import Path
from clue_solver.notation.words import Named, Word, text_of
from clue_solver.observation import Answer, Reply

_PASSES = ("passes", "pass", "pas", "pa", "p")
_SHOWS = ("shows", "show")
_NOBODY = ("-", "nobody", "nobody shows", "nobody show")


class Said(NamedTuple):
    """An answer that words can spell, and which of the words its parts were read from."""

    reply: Reply
    seat: Named | None = None
    card: Named | None = None
    word: Named | None = None

    def answer(self) -> Answer:
        """Return the answer itself."""
        seat, card = self.seat and self.seat.name, self.card and self.card.name
        return Answer(seat=seat, answer=self.reply, card=card)

    def places(self) -> dict[Path, Named]:
        """Return the words of its parts."""
        parts = {("seat",): self.seat, ("card",): self.card, ("answer",): self.word}
        return {path: named for path, named in parts.items() if named is not None}


def replies(
    finder: Finder, words: Sequence[Word], asked: Sequence[str], others: Sequence[str]
) -> Iterator[tuple[Said, ...]]:
    """
    Yield the lists of answers to a suggestion that words spell.

    Args:
        finder: Looks the names up.
        words: What stands after the colon.
        asked: The cards that were asked for.
        others: The seats that answer, in order.
    """
    groups = _between_commas(words)
    if len(groups) == 1 and _nobody(groups[0]):
        said = Named("nobody shows", text_of(words) or "", words[0].column)
        yield tuple(Said("passes", seat=Named(seat, "", said.column)) for seat in others)
        return
    yield from product(*(list(_reply(finder, group, asked)) for group in groups))


def reply_of(
    finder: Finder, words: Sequence[Word], asked: Sequence[str], seat: Named
) -> Iterator[Said]:
    """Yield the answers of the one player asked that words spell; the name may be said again."""
    if not words or text_of(words) == "?":
        yield Said("unheard")
    elif text_of(words) is None:
        finder.fail("expected one answer; found more", words[0].column)
    elif _nobody(words):
        yield Said("passes", word=Named("passes", words[0].text, words[0].column))
    else:
        for size in range(1, min(finder.lexicon.seats.longest, len(words) - 1) + 1):
            named = finder.meant(words[:size], finder.lexicon.seats)
            if any(seat.name == again.name for again in named):
                yield from _said(finder, words[size:], asked)
        yield from _said(finder, words, asked)


def _nobody(words: Sequence[Word]) -> bool:
    return (text_of(words) or "").casefold() in _NOBODY


def _between_commas(words: Sequence[Word]) -> list[list[Word]]:
    groups: list[list[Word]] = []
    for word in words:
        if word.cut or not groups:
            groups.append([word._replace(cut=False)])
        else:
            groups[-1].append(word)
    return groups


def _reply(finder: Finder, words: Sequence[Word], asked: Sequence[str]) -> Iterator[Said]:
    """Yield the answers that words, the seat first, can spell."""
    if text_of(words) == "?":
        yield Said("unheard", word=Named("?", "?", words[0].column))
        return
    if _nobody(words):
        reason = f"'{text_of(words)}' stands alone: expected one player's answer"
        finder.fail(reason, words[0].column)
        return
    seats = finder.lexicon.seats
    known = False
    for size in range(1, min(seats.longest, len(words)) + 1):
        for seat in finder.meant(words[:size], seats):
            known = True
            for said in _said(finder, words[size:], asked):
                yield said._replace(seat=seat)
    if not known:
        finder.unknown(words[0], seats)


def _said(finder: Finder, words: Sequence[Word], asked: Sequence[str]) -> Iterator[Said]:
    """Yield what an answer can say after the name of who gives it."""
    if not words:
        yield Said("shows")
        return
    first, text, column = words[0].text.casefold(), words[0].text, words[0].column
    if len(words) == 1 and first == "?":
        yield Said("unheard", word=Named("?", text, column))
        return
    if len(words) == 1 and first in _PASSES:
        yield Said("passes", word=Named("passes", text, column))
    if first in _SHOWS:
        word = Named("shows", text, column)
        if len(words) == 1 or text_of(words[1:]) == "?":
            yield Said("shows", word=word)
        else:
            for card in _card(finder, words[1:], asked):
                yield Said("shows", card=card, word=word)
    for card in _card(finder, words, asked, quiet=first in (*_SHOWS, *_PASSES)):
        yield Said("shows", card=card)


def _card(
    finder: Finder, words: Sequence[Word], asked: Sequence[str], *, quiet: bool = False
) -> tuple[Named, ...]:
    """The cards that words can mean; one that was asked for, if they can mean such a one."""
    cards = finder.lexicon.cards
    among = finder.meant(words, cards, among=asked)
    return among if among or quiet else finder.one(words, cards, "the card that was shown")
