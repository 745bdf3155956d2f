"""
What one viewer sees of a record, and what it says, as clauses and factors.

A record may hold more than its viewer saw. What the viewer did not see is removed from each
observation, and an observation that the viewer did not notice at all is left out.

Everything that one kind of observation says is in one function, registered with `said_by`: what
must hold, how likely the observation was, and how usual. A new show policy is one class, whose name
is added to `POLICIES` and to `rules.table.Shows`.

Behaviour, what people usually do, is kept apart from what the rules make likely: it weighs who asks
for which cards and who accuses wrongly. How readily the players of a table name their own cards is
not known. If this own-card level is to be learned, a factor has a table for each of the possible
`LEVELS`, and one prior weighs the levels of all factors together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, singledispatch
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from msgspec.structs import replace

from clue_solver.knowledge.clauses import Clause, Factor, Numbers, Shown, Tables, card_numbers
from clue_solver.rules import observations as observed
from clue_solver.rules.table import Asks, Shows, Table

Seen = TypeVar("Seen", bound=observed.Event)

Evidence = tuple[tuple[int, observed.Observation], ...]
"""Entry numbers, counted from 1, each with the observation as the viewer saw it, in file order."""


def seen_part(
    numbered: Iterable[tuple[int, observed.Observation]], *, table: Table, viewer: str | None
) -> Evidence:
    """
    Return what a viewer saw of numbered entries.

    The viewer `None` is a spectator, who sees what is public.
    """
    parts = (
        (entry, seen(observation, table=table, viewer=viewer)) for entry, observation in numbered
    )
    return tuple((entry, part) for entry, part in parts if part is not None)


def seen(observation: Seen, *, table: Table, viewer: str | None) -> Seen | None:
    """Return what a viewer saw of an observation, by its `sight`; `None` if nothing."""
    sight = observation.sight
    if sight.owner:
        return observation if getattr(observation, sight.owner) == viewer else None
    content: Any = getattr(observation, sight.hidden) if sight.hidden else None
    if not content:
        return observation
    by = [getattr(observation, field) for field in sight.by]
    if isinstance(content, tuple):
        answers = cast("tuple[observed.Answer, ...]", content)
        if all(answer.card is None for answer in answers):
            return observation
        heard = tuple(
            answer
            if answer.card is None or viewer in (*by, answer.seat)
            else replace(answer, card=None)
            for answer in answers
        )
        return replace(observation, **{sight.hidden: heard})
    if sight.told and table.edition.looker_tells:
        by.append(getattr(observation, sight.told))
    public = None in by  # it was shown to nobody in particular
    if public or viewer in by:
        return observation
    return replace(observation, **{sight.hidden: None})


class ShowPolicy(Protocol):
    """
    How a seat chooses among the cards that it could show.

    Cards are masks; `before` has the cards that the seat showed the viewer in earlier answers.

    Attributes:
        remembers: Whether the choice depends on the cards shown before.
    """

    remembers: bool

    def chances(self, asked: int, *, shown: int, before: int) -> tuple[float, ...]:
        """
        Return how likely a seat was to show the card `shown`, by how many asked cards it holds.

        The first number, for none of the cards, is not used.
        """

    def picks(self, could: Sequence[int], *, before: int) -> tuple[float, ...]:
        """Return the chance that a seat shows each of the cards that it could show, in order."""


class RandomShows:
    """
    The default show policy: each card in the hand that was asked for is equally likely to be shown.
    """

    remembers = False

    def chances(self, asked: int, *, shown: int, before: int) -> tuple[float, ...]:  # noqa: ARG002
        """Return 1 / k for k asked cards in the hand."""
        return draw_chances(asked)

    def picks(self, could: Sequence[int], *, before: int) -> tuple[float, ...]:  # noqa: ARG002
        """Return the same chance for each."""
        return (1.0 / len(could),) * len(could)


class StickyShows:
    """
    The show policy by which a seat prefers a card that it has shown the viewer before.

    If it has shown none of the cards asked for, it shows one at random. `picks` always follows
    this. `chances` also gives a chance to a seat that shows a new card instead, so that no deal is
    excluded just because a player broke the habit.
    """

    remembers = True

    def chances(self, asked: int, *, shown: int, before: int) -> tuple[float, ...]:
        """Return 1 / (asked cards shown before); as `RandomShows` if this card is none of them."""
        if not shown & before:
            return draw_chances(asked)
        return (1.0 / (asked & before).bit_count(),) * (asked.bit_count() + 1)

    def picks(self, could: Sequence[int], *, before: int) -> tuple[float, ...]:
        """Return the same chance for each card shown before, or for each card if none was."""
        again = [before >> card & 1 for card in could]
        if not any(again):
            return (1.0 / len(could),) * len(could)
        return tuple(one / sum(again) for one in again)


class AskPolicy(NamedTuple):
    """
    How a seat chooses which card of a category it asks for.

    A seat names a card of its own L times as likely as one that it does not hold. So of a category
    of m cards, o of them its own, it names the card s with the chance (L if s is its own, else 1) /
    (m - o + L o).

    Attributes:
        levels: The own-card level L, or its possible values: from near 0 (hardly ever names own
            cards) to 1 (names own cards as readily as others).
    """

    levels: tuple[float, ...]

    def named(self) -> Tables:
        """Return the factor of the chance for the named card, a table for each level."""
        return _named(self.levels)

    def among(self, size: int) -> Tables:
        """
        Return the factor of the chance for its own cards of the category, a table for each level.

        Args:
            size: The number of the category's cards. The chance is multiplied by it, which changes
                nothing, as it is the same in every deal and at every level.

        >>> AskPolicy((0.5,)).among(3)
        ((1.0, 1.2, 1.5, 2.0),)
        """
        return _among(self.levels, size)


@lru_cache
def _named(levels: tuple[float, ...]) -> Tables:
    """Return the cached tables of `AskPolicy.named`."""
    return tuple((1.0, level) for level in levels)


@lru_cache
def _among(levels: tuple[float, ...], size: int) -> Tables:
    """Return the cached tables of `AskPolicy.among`."""
    return tuple(
        tuple(size / (size - own + level * own) for own in range(size + 1)) for level in levels
    )


DEFAULT_LEVEL = 0.25
"""
The level of `careful` if none is given. It is that of a player who names any card of a category,
own or not, 30% of the time, and otherwise a card that it does not hold, if 1.3 of the 6 cards are
its own, as with four players.
"""

LEVELS = (0.02, DEFAULT_LEVEL, 0.55, 1.0)
PRIOR = (0.3, 0.25, 0.1, 0.35)
"""
The own-card levels that `adaptive` learns from the log, and how likely each is before it.

They are those of players who name any card, own or not, 0%, 30%, 60% and 100% of the time; even a
player who never means to name an own card slips now and then. The prior was chosen by how many bits
about the solution are lost compared with knowing the level, at such tables with and without a
board: at worst 0.13 (0.16 if all levels were equally likely; no prior loses less than 0.12), and
0.1 at level 1.
"""

OVERSIGHT = 0.02
"""
How likely a wrong accusation is that names a card of the accuser's own, compared with one that
names none. It is a slip, and as likely as at the first of `LEVELS`.
"""


def ask_policy(asks: Asks) -> AskPolicy | None:
    """Return the policy for how people are expected to ask; `None` if asking is no evidence."""
    match asks.model:
        case "any":
            return None
        case "careful":
            return AskPolicy((asks.level or DEFAULT_LEVEL,))
        case "adaptive":
            return AskPolicy(LEVELS)


_AT_RANDOM = RandomShows()

POLICIES: Mapping[Shows, ShowPolicy | None] = {
    "random": _AT_RANDOM,
    "none": None,  # pure counting: all deals that fit are equally likely
    "sticky": StickyShows(),
}
"""The show policies by the names that a record's header and the command line use."""


def predicting(shows: Shows) -> ShowPolicy:
    """Return the policy that predicts answers; for `none` it is the random choice."""
    return POLICIES[shows] or _AT_RANDOM


def draw_chances(cards: int) -> tuple[float, ...]:
    """
    Return the chance to draw a particular one of k cards, for k from 0 to all cards of a mask.

    >>> draw_chances(0b111)
    (1.0, 1.0, 0.5, 0.3333333333333333)
    """
    return (1.0, *(1.0 / k for k in range(1, cards.bit_count() + 1)))


def free_categories(table: Table, numbers: Numbers) -> tuple[int, ...]:
    """Return the masks of the categories in which an asker may name any card."""
    edition = table.edition
    if edition.suspect_dice:  # dice choose the cards
        return ()
    # On a board the asker must name the room that it is in.
    rooms = 0 if table.board == "none" else numbers.cards(edition.rooms)
    return tuple(mask for mask in numbers.layout.categories if not mask & rooms)


class Statements(NamedTuple):
    """What entries say: clauses that must hold, factors of likelihood, cards shown."""

    clauses: list[Clause]
    factors: list[Factor]
    shown: list[Shown]


class Encoder:
    """
    Turns what a viewer saw, entry by entry, into statements about the deal.

    What it remembers of earlier entries is replaced, never changed in place, so that a copy can
    read on independently.

    Attributes:
        numbers: Numbers for the table's names.
        viewer: The seat that saw the entries; `None` for a spectator.
        policy: How seats choose the card they show.
        entry: The number of the entry that is being read.
        peeks: What was seen in the notch since the envelope's cards were last reshuffled, each with
            its entry. Only the first says anything; later ones show the same card.
        notch_stays: Whether a wrong accuser lays the envelope's cards back as they lay.
        shown_before: For each holder, the mask of the cards that it has shown the viewer in
            answers.
    """

    def __init__(self, numbers: Numbers, table: Table, *, viewer: str | None) -> None:
        self.numbers = numbers
        self.viewer = viewer
        self.policy = predicting(table.policy)
        self.entry = 0
        self.peeks: tuple[tuple[int, str], ...] = ()
        self.notch_stays = table.notch == "same"
        self.shown_before: dict[int, int] = {}
        self._only_counts = POLICIES[table.policy] is None
        self._asking = {seat: ask_policy(table.asking(seat)) for seat in table.seats}
        self._chosen = free_categories(table, numbers)

    def read(self, entries: Evidence) -> Statements:
        """Return what the next entries say, in their order."""
        said = Statements([], [], [])
        of_kind: dict[type[Statement], list[Any]] = {
            Clause: said.clauses,
            Factor: said.factors,
            Shown: said.shown,
        }
        for entry, observation in entries:
            self.entry = entry
            for statement in said_by(observation, self):
                of_kind[type(statement)].append(statement)
        return said

    def has(self, holder: int, mask: int) -> tuple[Clause]:
        """Return the clause that a holder has at least one of the cards."""
        return (Clause((self.entry,), holder, mask, True),)

    def lacks(self, holder: int, mask: int) -> tuple[Clause, ...]:
        """Return the clauses that a holder has none of the cards."""
        cards = card_numbers(mask)
        return tuple([Clause((self.entry,), holder, 1 << card, False) for card in cards])

    def likely(self, holder: int, mask: int, chances: tuple[float, ...]) -> tuple[Factor, ...]:
        """Return the factor of how likely the entry was; none if deals are only counted."""
        return () if self._only_counts else (Factor(self.entry, holder, mask, (chances,)),)

    def usual(self, holder: int, mask: int, tables: Tables) -> tuple[Factor]:
        """
        Return a behaviour factor: how usual the entry is, by how many cards of a mask a holder has.

        `tables` holds these weights, once or for each own-card level.
        """
        return (Factor(self.entry, holder, mask, tables, behaviour=True),)

    def answer(
        self, by: str, asked: int, seat: str, reply: observed.Reply, card: str | None
    ) -> Iterator[Statement]:
        """Yield what a seat's answer to a question about some cards says."""
        holder = self.numbers.holder(seat)
        if reply == "passes":
            yield from self.lacks(holder, asked)
        if reply != "shows":
            return
        shown = self.numbers.card(card) if card else asked
        yield from self.has(holder, shown)

        # Which of several cards was shown depends on how many of them the seat could have shown.
        if card and by == self.viewer:
            yield Shown(self.entry, holder, shown)
            before = self.shown_before.get(holder, 0)
            self.shown_before = {**self.shown_before, holder: before | shown}
            chances = self.policy.chances(asked, shown=shown, before=before)
            yield from self.likely(holder, asked, chances)

    def drawn(self, name: str) -> Iterator[Factor]:
        """
        Yield the chance that a card drawn at random from a hand is the one that was seen.

        If the hand's size is known, that is a constant. It decides nothing in this log, but counts
        when it is compared with a corrected one (`Diagram.log_weight`).
        """
        holder = self.numbers.holder(name)
        layout = self.numbers.layout
        least, most = layout.bounds[holder]
        if least == most:
            yield from self.likely(holder, 0, (1.0 / max(most, 1),))
        else:
            yield from self.likely(holder, layout.everything, draw_chances(layout.everything))

    def asks(self, by: str, named: int) -> Iterator[Factor]:
        """Yield the likelihood of asking for these cards, in categories with a free choice."""
        policy = self._asking[by]
        if policy is None:
            return
        holder = self.numbers.holder(by)
        for mask in self._chosen:
            if card := named & mask:
                yield from self.usual(holder, card, policy.named())
                yield from self.usual(holder, mask, policy.among(mask.bit_count()))

    def accuses_wrongly(self, by: str, accused: int) -> Iterator[Factor]:
        """Yield the likelihood of a wrong accusation: people rarely name their own cards in one."""
        if self._asking[by]:
            weights = (1.0,) + (OVERSIGHT,) * accused.bit_count()
            yield from self.usual(self.numbers.holder(by), accused, (weights,))


Statement = Clause | Factor | Shown


@singledispatch
def said_by(observation: observed.Event, encoder: Encoder) -> Iterable[Statement]:
    """
    Return what an observation says about the deal, and how likely and how usual it was.

    Each kind of observation has its own implementation below.
    """
    raise NotImplementedError(type(observation).__name__)


@said_by.register(observed.Skip | observed.Leave | observed.Roll | observed.Draw)
@said_by.register(observed.Move | observed.Stay)
def no_statements(_observation: observed.Event, _encoder: Encoder) -> Iterable[Statement]:
    """Return no statements: the observation says nothing about the deal."""
    return ()


@said_by.register(observed.Suggestion | observed.Finger)
def _(observation: observed.Suggestion | observed.Finger, encoder: Encoder) -> Iterator[Statement]:
    asked = encoder.numbers.cards(observation.cards)
    for answer in observation.answers:
        if answer.seat is not None:
            yield from encoder.answer(
                observation.by, asked, answer.seat, answer.answer, answer.card
            )
    if isinstance(observation, observed.Suggestion):
        yield from encoder.asks(observation.by, asked)


@said_by.register
def _(observation: observed.Question, encoder: Encoder) -> Iterator[Statement]:
    asked = encoder.numbers.cards(observation.about)
    yield from encoder.answer(
        observation.by, asked, observation.seat, observation.answer, observation.card
    )


@said_by.register
def _(observation: observed.Look, encoder: Encoder) -> Iterator[Statement]:
    if observation.card is not None:
        holder = encoder.numbers.holder(observation.holder)
        yield from encoder.has(holder, encoder.numbers.card(observation.card))
        yield from encoder.drawn(observation.holder)


@said_by.register
def _(observation: observed.Reveal, encoder: Encoder) -> Iterator[Statement]:
    if observation.card is not None:
        holder = encoder.numbers.holder(observation.seat)
        yield from encoder.has(holder, encoder.numbers.card(observation.card))
        if observation.to is not None and observation.seat != encoder.viewer:
            yield from encoder.drawn(observation.seat)


@said_by.register
def _(observation: observed.Hand, encoder: Encoder) -> Iterator[Statement]:
    seat = encoder.numbers.holder(observation.seat)
    held = encoder.numbers.cards(observation.cards)
    for number in card_numbers(held):
        yield from encoder.has(seat, 1 << number)
    yield from encoder.lacks(seat, encoder.numbers.layout.everything & ~held)


@said_by.register
def _(observation: observed.Knowing, encoder: Encoder) -> Iterator[Statement]:
    holder = encoder.numbers.holder(observation.holder)
    if observation.has:
        yield from encoder.has(holder, encoder.numbers.cards(observation.has))
    yield from encoder.lacks(holder, encoder.numbers.cards(observation.lacks))


@said_by.register
def _(observation: observed.Nobody, encoder: Encoder) -> Iterator[Statement]:
    for seat in range(encoder.numbers.layout.seats):
        yield from encoder.lacks(seat, encoder.numbers.card(observation.card))


@said_by.register
def _(observation: observed.Peek, encoder: Encoder) -> Iterator[Statement]:
    if observation.feature is None:
        return
    layout = encoder.numbers.layout
    marked = encoder.numbers.cards([observation.feature])
    yield from encoder.has(layout.envelope, marked)
    for earlier, feature in encoder.peeks:
        if feature != observation.feature:
            yield Clause((earlier, encoder.entry), layout.envelope, 0, True)

    # One card shows, and goes on showing: only the first look at it was by chance.
    if not encoder.peeks:
        slots = len(layout.categories)
        chances = tuple(k / slots for k in range(marked.bit_count() + 1))
        yield from encoder.likely(layout.envelope, marked, chances)
    encoder.peeks = (*encoder.peeks, (encoder.entry, observation.feature))


@said_by.register
def _(observation: observed.Accusation, encoder: Encoder) -> Iterator[Statement]:
    numbers = encoder.numbers
    envelope = numbers.layout.envelope
    if observation.right:
        for name in observation.cards:
            yield from encoder.has(envelope, numbers.card(name))
        return
    if not encoder.notch_stays:
        encoder.peeks = ()
    accused = numbers.cards(observation.cards)
    if all(numbers.card(name) for name in observation.cards):
        yield Clause((encoder.entry,), envelope, accused, False)
    yield from encoder.accuses_wrongly(observation.by, accused)
