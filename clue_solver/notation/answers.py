"""The grammar of answers: what stands after the colon of a suggestion or a question."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import product
from typing import NamedTuple

from clue_solver.errors import escape
from clue_solver.notation.words import Finder, Named, Path, TypedWord, text_of
from clue_solver.rules.observations import Answer, Reply

PASSES = ("passes", "pass", "pas", "pa", "p")
SHOWS = ("shows", "show")
NOBODY = ("-", "nobody", "nobody shows", "nobody show", "none", "no one", "no one shows")
_SLIPS = {"passes": "passes", "passed": "passes", "pass": "passes"} | dict.fromkeys(
    ("shows", "showed", "shown", "show"), "shows"
)
_LONGEST_VERB = 12


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
    finder: Finder, words: Sequence[TypedWord], asked: Sequence[str], others: Sequence[str]
) -> Iterator[tuple[Said, ...]]:
    """
    Yield the lists of answers to a suggestion that words spell.

    Args:
        finder: Looks the names up.
        words: What stands after the colon.
        asked: The cards that were asked for.
        others: The seats that answer, in order.
    """
    if nobody(words):
        said = Named("nobody shows", text_of(words) or "", words[0].column)
        yield tuple(Said("passes", seat=Named(seat, "", said.column)) for seat in others)
        return
    found = [each for group in _between_commas(words) for each in _replies(finder, group, asked)]
    yield from product(*found)


def reply_of(
    finder: Finder, words: Sequence[TypedWord], asked: Sequence[str], seat: Named
) -> Iterator[Said]:
    """Yield the answers of the one player asked that words spell; the name may be said again."""
    if not words or text_of(words) == "?":
        yield Said("unheard")
    elif text_of(words) is None:
        finder.fail("expected one answer; found more", words[0].column)
    elif nobody(words):
        yield Said("passes", word=Named("passes", words[0].text, words[0].column))
    else:
        for size in range(1, min(finder.lexicon.seats.longest, len(words) - 1) + 1):
            named = finder.meant(words[:size], finder.lexicon.seats)
            if any(seat.name == again.name for again in named):
                yield from _said(finder, words[size:], asked)
        yield from _said(finder, words, asked)


def nobody(words: Sequence[TypedWord]) -> bool:
    """Whether words say that nobody shows a card."""
    return (text_of(words) or "").casefold() in NOBODY


def _between_commas(words: Sequence[TypedWord]) -> list[list[TypedWord]]:
    groups: list[list[TypedWord]] = []
    for word in words:
        if word.cut or not groups:
            groups.append([word._replace(cut=False)])
        else:
            groups[-1].append(word)
    return groups


def _replies(finder: Finder, words: Sequence[TypedWord], asked: Sequence[str]) -> list[list[Said]]:
    """The readings of each answer among words without a comma: of one, or else of several."""
    one = list(_reply(finder, words, asked))
    several = [] if one else _between_verbs(finder, words)
    if len(several) < 2:
        return [one]
    return [list(_reply(finder, each, asked)) for each in several]


def _between_verbs(finder: Finder, words: Sequence[TypedWord]) -> list[Sequence[TypedWord]]:
    """Words cut where another answer must begin: at a player after or before passes or shows."""
    starts = [0]
    for place in range(1, len(words)):
        if words[place - 1].text.casefold() in PASSES and words[place].text == "?":
            starts.append(place)
            continue
        for end in range(place + 1, min(len(words), place + finder.lexicon.seats.longest) + 1):
            after = words[end].text.casefold() if end < len(words) else ""
            passed = words[place - 1].text.casefold() in PASSES
            if (passed or after in (*PASSES, *SHOWS)) and finder.meant(
                words[place:end], finder.lexicon.seats
            ):
                starts.append(place)
                break
    return [words[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def _reply(finder: Finder, words: Sequence[TypedWord], asked: Sequence[str]) -> Iterator[Said]:
    """Yield the answers that words, the seat first, can spell."""
    if text_of(words) == "?":
        yield Said("unheard", word=Named("?", "?", words[0].column))
        return
    if nobody(words):
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


def _said(finder: Finder, words: Sequence[TypedWord], asked: Sequence[str]) -> Iterator[Said]:
    """Yield what an answer can say after the name of who gives it."""
    if not words:
        yield Said("shows")
        return
    first, text, column = words[0].text.casefold(), words[0].text, words[0].column
    if len(words) == 1 and first == "?":
        yield Said("unheard", word=Named("?", text, column))
        return
    if len(words) == 1 and first in PASSES:
        yield Said("passes", word=Named("passes", text, column))
    if first in SHOWS:
        word = Named("shows", text, column)
        if len(words) == 1 or text_of(words[1:]) == "?":
            yield Said("shows", word=word)
        else:
            for card in _card(finder, words[1:], asked):
                yield Said("shows", card=card, word=word)
    for card in _card(finder, words, asked, quiet=first in (*SHOWS, *PASSES)):
        yield Said("shows", card=card)
    if first in PASSES and len(words) > 1:
        reason = f"expected a comma before the next answer; found '{escape(words[1].text)}'"
        finder.fail(reason, words[1].column)


def _card(
    finder: Finder, words: Sequence[TypedWord], asked: Sequence[str], *, quiet: bool = False
) -> tuple[Named, ...]:
    """The cards that words can mean; one that was asked for, if they can mean such a one."""
    cards = finder.lexicon.cards
    if (among := finder.meant(words, cards, among=asked)) or quiet:
        return among
    first = words[0].text
    slip = "".join(get_close_matches(first.casefold()[:_LONGEST_VERB], _SLIPS, n=1, cutoff=0.7))
    if slip or not cards.unknown(text_of(words) or first).nearest:
        hint = f"; did you mean '{_SLIPS[slip]}'?" if slip else ""
        found = f"'{escape(first)}'{hint}"
        reason = f"expected passes, shows, a card that was asked for, or ?; found {found}"
        finder.fail(reason, words[0].column, nearest=(_SLIPS[slip],) if slip else ())
        return ()
    return finder.one(words, cards, "the card that was shown")
