"""
Suggests what may be typed next in a line, and says what the line means so far.

The text before the last words is read like any line. Of what it still lacks, all that begins with
the last words is offered, in the form of a canonical line: names first, then verbs and answers.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from clue_solver.errors import NotationError
from clue_solver.notation.canonical import format_answer, format_beginning
from clue_solver.notation.lexicon import lexicon_of, split_comment
from clue_solver.notation.names import words_of
from clue_solver.notation.places import Places
from clue_solver.notation.reader import LONGEST, LineReader, readings
from clue_solver.notation.reading import Reading, single_reading, why_not
from clue_solver.notation.scan import scan
from clue_solver.notation.vocabulary import WORDS
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Event, Observation, kinds
from clue_solver.rules.table import ENVELOPE, Table
from clue_solver.rules.turns import TurnState

_MOST_WORDS = 3
"""The most words at the end of a line that may together begin one name."""
_JOINING_ROLES = ("filler", "of", "in", "then", "so")
"""The roles of words that mean nothing until more is typed."""
_JOINING = ("or", "and", "to", "about", *[word for role in _JOINING_ROLES for word in WORDS[role]])
"""Words at the end of a line that mean nothing until more is typed."""


Sift = Callable[[tuple[Reading, ...]], tuple[Reading, ...]]
"""A function that returns those readings of a line that are plausible."""


class Completion(Struct, frozen=True, kw_only=True):
    """
    One way to continue a line.

    Attributes:
        line: The continued line. It ends with the space, the comma or the colon before the next
            word, if another word must follow.
        label: What a list of completions shows: `Mustard`, `Ben passes`, `nobody shows`.
        observation: What the continued line means; `None` while the line is incomplete.
    """

    line: str
    label: str
    observation: Observation | None = None


class _Offer(NamedTuple):
    """
    A name or a word that may come next.

    Attributes:
        text: What a list of completions shows.
        join: The text to put between the line so far and this one.
        listed: Whether it is offered even before its first letter is typed.
        optional: Whether a line that is complete without it probably ends there.
    """

    text: str
    join: str = " "
    listed: bool = True
    optional: bool = False


class TypedLine:
    """
    A line while it is being typed: what it means so far, and what may follow.

    Attributes:
        line: The text up to the cursor; it may be empty.
        table: The table at which the line is typed.
        state: Whose turn it is and who has left, from the earlier lines.
    """

    def __init__(
        self, line: str, table: Table, state: TurnState | None = None, sift: Sift = tuple
    ) -> None:
        """
        Begin with a line; its completions are found when they are asked for.

        Args:
            line: The text up to the cursor; it may be empty.
            table: The table at which the line is typed.
            state: Whose turn it is and who has left, from the earlier lines; `None` before the
                first line.
            sift: Returns those of some readings that are plausible in the game.
        """
        self.line = line
        self.table = table
        self.state = state or TurnState()
        self._lexicon = lexicon_of(table)
        self._places = Places(table, self.state)
        self._found: list[Completion] = []
        self._more = self._completions()
        self._sift = sift

    @cached_property
    def result(self) -> tuple[Reading, ...] | NotationError:
        """The plausible meanings of the line as it stands, or the error if it has none."""
        try:
            return self._sift(readings(self.line, self.table, self.state))
        except NotationError as error:
            return error

    @property
    def reading(self) -> Reading | None:
        """
        The complete meaning of the line as it stands; `None` if it has none or several.

        Of several, the one that takes the cards in the order of the categories is preferred.
        """
        return None if isinstance(self.result, NotationError) else single_reading(self.result)

    @cached_property
    def error(self) -> NotationError | None:
        """
        Why the line cannot be read, as it stands or continued.

        `None` if it can, or if it is empty.
        """
        if self.reading is not None or not split_comment(self.line)[0].strip():
            return None
        if isinstance(self.result, NotationError):
            return None if self.completions(1) else self.result
        return None if self.result[0].gaps else why_not(self.result, self.line)

    def completions(self, most: int = 12) -> tuple[Completion, ...]:
        """Return at most `most` completions, likeliest first."""
        self._found += islice(self._more, max(most - len(self._found), 0))
        return tuple(self._found[:most])

    def _completions(self) -> Iterator[Completion]:
        """
        Yield the completions of the line, likeliest first.

        They finish the last words of the line, or continue after them.
        """
        if "#" in self.line or len(self.line) > LONGEST:
            return
        tokens = [token for token in scan(self.line, self._lexicon) if token.text[0].isalnum()]
        last = tokens[-1] if tokens else None
        starts = [token.column for token in tokens[-_MOST_WORDS:]]
        if last is None or last.end != len(self.line) or last.roles <= {*_JOINING_ROLES}:
            starts.append(len(self.line))
        lines = {self.line.casefold()}
        for start in starts:
            for completion in self._completions_of(self.line[:start], self.line[start:].casefold()):
                if completion.line.casefold() not in lines:
                    lines.add(completion.line.casefold())
                    yield completion

    def _completions_of(self, before: str, typed: str) -> Iterator[Completion]:
        """
        Yield the completions of the last words of a line.

        Args:
            before: The line up to these words.
            typed: The words, in lower case; empty to continue after the line.
        """
        ranked = []
        for index, offer in enumerate(self._meaning_and_offers(before)[1]):
            rank = self._rank(offer.text, typed)
            if rank is not None and (typed or offer.listed):
                ranked.append((rank, index, offer))
        for _, _, offer in sorted(ranked):
            line = _with_separator(before, offer) + offer.text
            whole, following = self._meaning_and_offers(line)
            after = next(iter(following), None)
            if after is not None and not (whole and after.optional):
                line += after.join
            if whole or after is not None:
                yield Completion(line=line, label=offer.text, observation=whole)

    def _rank(self, text: str, typed: str) -> int | None:
        """
        Return how well a typed text matches an offer: 0 is best, `None` is no match.

        It is 0 if the offer begins with the typed text, and 1 if each typed word begins a word of
        the offer or of another name for it.

        Args:
            text: The text of the offer.
            typed: The typed text, in lower case.
        """
        if text.casefold().startswith(typed):
            return 0
        who = next((seat for seat in self.table.seats if text.startswith(f"{seat} ")), "")
        reply = text.removeprefix(who).strip()
        seats = self._lexicon.seats.forms.get(who, ())  # `me sh` is Cat shows
        cards = self._lexicon.things.forms.get(reply.removeprefix("shows "), ())  # `ben pipe`
        called = [word for form in (*seats, *cards, words_of(reply)) for word in form]
        begun = [any(word.startswith(each) for word in called) for each in typed.split()]
        return 1 if all(begun) and not typed.endswith(" ") else None

    # What may stand next.

    def _meaning_and_offers(self, text: str) -> tuple[Observation | None, Iterable[_Offer]]:
        """Return what a line means (`None` if it is not complete), and what may follow it."""
        if not text.strip():
            return None, self._first_offers()
        every = tokens = scan(text, self._lexicon)
        while tokens and tokens[-1].text.casefold() in _JOINING:  # `reveals rope to`
            tokens = tokens[:-1]
        if not tokens:
            return None, ()
        roles = tokens[-1].roles
        if len(tokens) == 1 and roles & {"seat", "name"}:
            seat = "seat" in roles
            knows = [_Offer(word, listed=not seat) for word in ("has", "lacks")]
            return None, [*(self._cards_and_verbs(" ", kinds()) if seat else ()), *knows]
        line = LineReader(text[: tokens[-1].end], self.table, self.state)
        try:
            found = [one for one in line.interpretations() if isinstance(one, Reading)]
        except NotationError:
            return None, ()
        offers: dict[_Offer, None] = {}
        if "suggests" in roles:  # or one player is asked about a card
            others = [seat for seat in self.table.seats if seat not in tokens[0].names]
            asks = self._places.is_offered(observed.Question.form)
            offers |= dict.fromkeys([_Offer(seat, listed=asks) for seat in others])
        for reading in sorted(found, key=lambda one: len(one.gaps)):
            if isinstance(reading.observation, observed.Inquiry):
                offers |= dict.fromkeys(self._answer_offers(reading.observation, roles))
            else:
                offers |= dict.fromkeys(self._gap_offers(reading))
        likely = single_reading(line.likeliest(found)) if tokens is every else None
        return None if likely is None else likely.observation, offers

    def _first_offers(self) -> Iterator[_Offer]:
        """Yield what may begin a line: players; also cards and verbs if the turn is known."""
        seats, turn = list(self.table.seats), self.state.turn(self.table)
        at = seats.index(turn) if turn is not None else 0
        for seat in sorted(seats[at:] + seats[:at], key=lambda seat: seat in self.state.gone):
            yield _Offer(seat, "")
        if turn is not None:
            yield from self._cards_and_verbs("", [kind for kind in kinds() if kind.turn])
        yield _Offer(ENVELOPE, "", listed=False)
        yield _Offer("nobody reveals", "", listed=self._places.is_offered(observed.Nobody.form))

    def _cards_and_verbs(self, join: str, every: Sequence[type[Event]]) -> Iterator[_Offer]:
        """
        Yield all cards, which may begin a suggestion without its verb, then verbs.

        Args:
            join: The text to put between the line so far and each of them.
            every: The kinds of observations whose verbs are offered.
        """
        for card in self.table.edition.names:
            yield _Offer(card, join)
        for form in [kind.form for kind in every if kind.form.subject]:
            if self._places.is_possible(form):
                yield _Offer(form.does, join, listed=self._places.is_offered(form))

    def _gap_offers(self, reading: Reading) -> Iterator[_Offer]:
        """
        Yield each name that a reading still lacks.

        The text between the line so far and the name is that of the canonical line.
        """
        kind, fields = reading.kind, reading.fields
        gaps = reading.gaps[:1] or self._places.gaps(kind, fields)
        for gap in sorted(gaps, key=lambda gap: not gap.seat):  # rather an answer than more cards
            for name in gap.names:
                line = format_beginning(kind, {**fields, **gap.options[name]}, self.table)
                more = line.removeprefix(reading.text)
                join, text = more.removesuffix(name) or " ", name
                if join.endswith("shows "):
                    join, text = join.removesuffix("shows "), f"shows {name}"
                if fields.get(gap.field) == ():
                    join = " "
                if more != line:  # else it goes elsewhere in the line
                    yield _Offer(text, join, optional=not gap.needed and join != ": ")

    def _answer_offers(self, asked: observed.Inquiry, roles: set[str]) -> Iterator[_Offer]:
        """
        Yield the answers that may come next in the line of a suggestion.

        Args:
            asked: The suggestion, with the answers so far.
            roles: The roles that the last word of the line may have.
        """
        heard = {one.seat: one for one in asked.answers if one.seat is not None}
        last = asked.answers[len(heard) - 1] if heard else None
        if last is not None and last.answer == "shows":
            if last.card is None and "shows" in roles:
                replies = self._places.replies(str(last.seat), asked.cards).values()
                yield from [_Offer(reply.card) for reply in replies if reply.card]
            if not self.table.everyone_shows:
                return
        order = self.table.answering(asked.by, left=self.state.left)
        left = [seat for seat in order if seat not in heard]
        if not left or "unheard" in roles:
            return
        join = ", " if heard else ": "
        for seat in left:
            for reply in self._places.replies(seat, asked.cards).values():
                listed = reply.card is None and (reply.answer == "shows" or seat == left[0])
                yield _Offer(format_answer(reply), join, listed)
        if not heard:
            yield _Offer("nobody shows", join)
        yield _Offer("?", join)


def _with_separator(line: str, offer: _Offer) -> str:
    """Return a line with the separator that an offer needs before it, added if it is missing."""
    join = offer.join
    bare = line.rstrip()
    last = bare.rpartition(" ")[2].casefold()
    if not bare or bare[-1] in ",:;>" or last == join.strip() or last in _JOINING:
        return f"{bare} " if bare else line
    spaced = line != bare and join.strip() in ("", ",") and not offer.optional
    return line if spaced else bare + join
