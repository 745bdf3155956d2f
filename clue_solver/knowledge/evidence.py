"""
What one viewer sees of a record, and how likely that is, as factors of one holder each.

A record may hold more than its viewer saw: each observation loses what the viewer did not see, and
one that the viewer did not even notice is left out.

Every factor is a function of how many cards of a set the holder has, so it is a set and a table.
A show policy is a class with two methods; a new one is one more class and its name in `POLICIES`.
What an observation makes likely besides the answers in it is an implementation of `factors_of` for
its kind.

What people usually do is told apart from what the rules make likely: it weighs who asks for which
cards and who accuses wrongly. Nobody is sure how careful the players at a table are, so
where that is to be learned a factor has a table for each level of care, all of them with one prior.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, singledispatch
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from msgspec.structs import replace

from clue_solver.knowledge.clauses import Numbers
from clue_solver.rules import observations as observed
from clue_solver.rules.forms import AnswerList, SingleAnswer
from clue_solver.rules.table import Asks, Shows, Table

Kind = TypeVar("Kind", bound=observed.Event)

Evidence = tuple[tuple[int, observed.Observation], ...]
"""Entry numbers, counted from 1, each with the observation as the viewer saw it; in file order."""


def share(
    numbered: Iterable[tuple[int, observed.Observation]], *, table: Table, viewer: str | None
) -> Evidence:
    """Return what a viewer saw of entries; `None` is a spectator, who sees what is public."""
    shares = (
        (entry, seen(observation, table=table, viewer=viewer)) for entry, observation in numbered
    )
    return tuple((entry, share) for entry, share in shares if share is not None)


def seen(observation: Kind, *, table: Table, viewer: str | None) -> Kind | None:
    """Return what the viewer saw of an observation, by its `sight`; `None` if it saw nothing."""
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
        shares = tuple(
            answer
            if answer.card is None or viewer in (*by, answer.seat)
            else replace(answer, card=None)
            for answer in answers
        )
        return replace(observation, **{sight.hidden: shares})
    looker = (
        sight.told and table.edition.looker_tells and viewer == getattr(observation, sight.told)
    )
    if viewer in by or None in by or (looker and viewer is not None):
        return observation
    return replace(observation, **{sight.hidden: None})


class Factor(NamedTuple):
    """
    How likely an observation is, given one holder's hand.

    Attributes:
        entry: The entry it came from, counted from 1.
        holder: The holder whose hand decides.
        cards: The mask of cards that count.
        tables: The likelihood by how many of those cards the holder has, entry `k` for `k` cards:
            one table, or one for each level of care.
    """

    entry: int
    holder: int
    cards: int
    tables: tuple[tuple[float, ...], ...]


class ShowPolicy(Protocol):
    """How a seat chooses among the cards it could show; hashable, as it is a key of a cache."""

    def __hash__(self) -> int:
        """Return the policy's hash."""

    def chances(self, asked: int, *, shown: int, habit: int) -> tuple[float, ...]:
        """
        Return the chance that a seat shows just the card it showed.

        Entry `k` is that where it holds `k` of the asked cards; entry 0 plays no part. Cards are
        masks; `habit` are those that this seat showed the viewer in earlier answers.
        """

    def picks(self, could: Sequence[int], *, habit: int) -> tuple[float, ...]:
        """Return the chances with which a seat shows each of the cards that it could show."""


class Random:
    """Each of the asked cards in the hand is as likely to be shown (the default)."""

    def chances(self, asked: int, *, shown: int, habit: int) -> tuple[float, ...]:  # noqa: ARG002
        """Return 1 / k."""
        return one_in(asked)

    def picks(self, could: Sequence[int], *, habit: int) -> tuple[float, ...]:  # noqa: ARG002
        """Return the same chance for each."""
        return (1.0 / len(could),) * len(could)


class Sticky:
    """A card that was shown to the viewer before is shown again where one is asked for."""

    def chances(self, asked: int, *, shown: int, habit: int) -> tuple[float, ...]:
        """Return 1 / (asked cards shown before); as `Random` where this card was none of them."""
        if not shown & habit:
            return one_in(asked)
        return (1.0 / (asked & habit).bit_count(),) * (asked.bit_count() + 1)

    def picks(self, could: Sequence[int], *, habit: int) -> tuple[float, ...]:
        """Return the same chance for each habitual card, or for each card if none is."""
        usual = [habit >> card & 1 for card in could]
        if not any(usual):
            return (1.0 / len(could),) * len(could)
        return tuple(often / sum(usual) for often in usual)


class AskPolicy(NamedTuple):
    """
    How a seat chooses the card of a category that it asks for.

    Each card that it does not hold is as likely as any other, and each that it holds is so many
    times less likely; so many that it names a card s of the m in a category, o of them its own,
    with the chance (L if s is its own, else 1) / (m - o + L o).

    Attributes:
        levels: The value of L, or those that it may have.
    """

    levels: tuple[float, ...]

    def named(self) -> tuple[tuple[float, ...], ...]:
        """Return the part that the named card decides, a table for each level."""
        return _named(self.levels)

    def among(self, size: int) -> tuple[tuple[float, ...], ...]:
        """
        Return the part that its cards of the category decide, a table for each level.

        Args:
            size: The number of the category's cards. The chance is taken times this, which is the
                same in every deal and at every level.

        >>> AskPolicy((0.5,)).among(3)
        ((1.0, 1.2, 1.5, 2.0),)
        """
        return _among(self.levels, size)

    def again(self, rest: int) -> tuple[tuple[float, ...], ...]:
        """
        Return what asking again for some cards says of who showed one of these and others before.

        A table for each level, by how many of the `rest` of the cards the shower has: who has none
        showed a card that is now asked for again, and nobody needs to ask for what it was shown.

        >>> AskPolicy((0.5,)).again(2)
        ((0.5, 1.0, 1.0),)
        """
        return tuple((level,) + (1.0,) * rest for level in self.levels)


@lru_cache
def _named(levels: tuple[float, ...]) -> tuple[tuple[float, ...], ...]:
    """Return the tables of `AskPolicy.named`, which every question needs."""
    return tuple((1.0, level) for level in levels)


@lru_cache
def _among(levels: tuple[float, ...], size: int) -> tuple[tuple[float, ...], ...]:
    """Return the tables of `AskPolicy.among`, which every question needs."""
    return tuple(
        tuple(size / (size - own + level * own) for own in range(size + 1)) for level in levels
    )


CARELESS = 0.25
"""The level of `careful` where none is given: who names own cards 30 % of the time."""

LEVELS = (0.02, 0.25, 0.55, 1.0)
PRIOR = (0.3, 0.25, 0.1, 0.35)
"""
The levels of care that `adaptive` learns from the log, and how likely each is before it.

0.02, 0.25 and 0.55 are players who name any card of a category, own or not, 0 %, 30 % and 60 % of
the time and else one that they do not hold; at 1 they always name any. The prior is chosen for its
loss against knowing the level, over such tables with and without a board: at worst 0.13 bits of the
solution (0.16 if all levels were as likely; no prior does better than 0.12), and 0.1 at level 1.
"""

OVERSIGHT = 0.02
"""How likely a wrong accusation is to name a card of the accuser's own, compared with none."""

SILENCE = 0.1
"""How likely a seat that can prove the solution is to end its turn without an accusation."""


def ask_policy(asks: Asks) -> AskPolicy | None:
    """Return the policy of that name; `None` where no behaviour counts."""
    match asks.model:
        case "any":
            return None
        case "careful":
            return AskPolicy((asks.level or CARELESS,))
        case "adaptive":
            return AskPolicy(LEVELS)


_AT_RANDOM = Random()

POLICIES: Mapping[Shows, ShowPolicy | None] = {
    "random": _AT_RANDOM,
    "none": None,  # pure counting: all deals that fit are equally likely
    "sticky": Sticky(),
}
"""The show policies by the names that a record's header and the command line use."""


def predicting(shows: Shows) -> ShowPolicy:
    """Return the policy that predicts answers: under `none` showers choose at random."""
    return POLICIES[shows] or _AT_RANDOM


class Shown(NamedTuple):
    """A card that a seat (a holder's number) showed the viewer in an answer; `card` is a mask."""

    entry: int
    seat: int
    card: int


def shown_cards(evidence: Evidence, *, numbers: Numbers, viewer: str | None) -> Iterator[Shown]:
    """Yield what each seat showed the viewer in answers, in the order of the entries."""
    for entry, observation in evidence:
        for seat, card, _ in shown_to(viewer, observation):
            yield Shown(entry, numbers.holder(seat), numbers.card(card))


def one_in(cards: int) -> tuple[float, ...]:
    """
    Return the chance of one certain card among `k`, for `k` from 0 to all of the cards.

    >>> one_in(0b111)
    (1.0, 1.0, 0.5, 0.3333333333333333)
    """
    return (1.0, *(1.0 / k for k in range(1, cards.bit_count() + 1)))


class _Unseen(NamedTuple):
    """Who showed one of some cards, and for which parts of them the asker has asked again."""

    shower: int
    cards: int
    again: tuple[int, ...] = ()


class FactorEncoder:
    """
    Turns observations into factors, one entry after the other.

    `policy` is `None` if the rules make nothing more or less likely. `habits` are masks of the
    cards that each seat has shown the viewer in answers, `peeked` whether the viewer knows what the
    notch shows now, `unseen` who showed each asker a card that the viewer did not see.
    """

    def __init__(self, numbers: Numbers, table: Table, *, viewer: str | None) -> None:
        self.numbers = numbers
        self.viewer = viewer
        self.policy = POLICIES[table.policy]
        self.asking = {seat: ask_policy(table.asking(seat)) for seat in table.seats}
        self.chosen = chosen_freely(table, numbers)
        self.habits: dict[str, int] = {}
        self.peeked = False
        self.unseen: dict[str, tuple[_Unseen, ...]] = {}

    def factors(self, entry: int, observation: observed.Event) -> Iterator[Factor]:
        """Yield the factors of the next entry: of the answers in it, then its own."""
        if self.policy is None:
            return
        for seat, card, asked in shown_to(self.viewer, observation):
            mask = self.numbers.cards(asked)
            shown = self.numbers.card(card)
            habit = self.habits.get(seat, 0)
            self.habits = {**self.habits, seat: habit | shown}
            table = self.policy.chances(mask, shown=shown, habit=habit)
            yield Factor(entry, self.numbers.holder(seat), mask, (table,))
        for holder, mask, table in factors_of(observation, self):
            yield Factor(entry, holder, mask, (table,))

    def behaviour(self, entry: int, observation: observed.Event) -> Iterator[Factor]:
        """
        Yield what an entry makes likely by what people usually do.

        It only moves numbers: no clause follows from it, and no table has a 0 in it.
        """
        numbers = self.numbers
        match observation:
            case observed.Suggestion(by=by, cards=cards) if policy := self.asking[by]:
                holder = numbers.holder(by)
                named = numbers.cards(cards)
                for mask in self.chosen:
                    if card := named & mask:
                        yield Factor(entry, holder, card, policy.named())
                        yield Factor(entry, holder, mask, policy.among(mask.bit_count()))
            case observed.Accusation(by=by, cards=cards, right=False) if self.asking[by]:
                accused = numbers.cards(cards)
                table = (1.0,) + (OVERSIGHT,) * accused.bit_count()
                yield Factor(entry, numbers.holder(by), accused, (table,))

    def asked_again(self, entry: int, observation: observed.Event) -> Iterator[Factor]:
        """
        Yield the factors of asking again for cards of which the asker was shown one.

        For each card shown to it that the viewer did not see, and each part of the cards that it
        asks for again: who showed has most likely one of the rest. Naming the same part once more
        tells nothing new. Only cards that are named freely count. It is no proper chance, and
        askers who do ask again are read wrongly by it: only who knows these players goes by it.
        """
        if not isinstance(observation, observed.Suggestion):
            return
        by = observation.by
        cards = self.numbers.cards(observation.cards)
        policy = self.asking[by]
        free = sum(self.chosen)
        if policy is None or not free:
            return
        kept = []
        for shower, asked, before in self.unseen.get(by, ()):
            part = asked & cards & free
            if part and part not in before:
                rest = asked & ~part
                yield Factor(entry, shower, rest, policy.again(rest.bit_count()))
                before = (*before, part)  # noqa: PLW2901
            kept.append(_Unseen(shower, asked, before))
        for answer in observation.answers:
            if answer.answer == "shows" and answer.card is None and answer.seat is not None:
                kept.append(_Unseen(self.numbers.holder(answer.seat), cards))
        self.unseen = {**self.unseen, by: tuple(kept)}

    def drawn(self, name: str) -> Weight:
        """Return the chance to draw one certain card of a hand: 1 / its size."""
        holder = self.numbers.holder(name)
        layout = self.numbers.layout
        least, most = layout.bounds[holder]
        if least == most:
            return holder, 0, (1.0 / max(most, 1),)
        return holder, layout.everything, one_in(layout.everything)


Weight = tuple[int, int, tuple[float, ...]]
"""A factor without its entry: holder, cards, table."""


@singledispatch
def factors_of(observation: observed.Event, encoder: FactorEncoder) -> Iterable[Weight]:
    """Return what an observation makes likely, besides the answers in it, as `clauses_of` does."""
    raise NotImplementedError(type(observation).__name__)


@factors_of.register(observed.Hand | observed.Suggestion | observed.Question | observed.Nobody)
@factors_of.register(observed.Knowing | observed.Skip | observed.Roll | observed.Draw)
@factors_of.register(observed.Move | observed.Stay | observed.Finger | observed.Leave)
def no_factors(_observation: observed.Event, _encoder: FactorEncoder) -> Iterable[Weight]:
    """Return no factors: the observation is as likely whatever the deal."""
    return ()


@factors_of.register
def _(observation: observed.Look, encoder: FactorEncoder) -> Iterator[Weight]:
    if observation.card is not None:
        yield encoder.drawn(observation.holder)


@factors_of.register
def _(observation: observed.Reveal, encoder: FactorEncoder) -> Iterator[Weight]:
    if (
        observation.card is not None
        and observation.to is not None
        and observation.seat != encoder.viewer
    ):
        yield encoder.drawn(observation.seat)


@factors_of.register
def _(observation: observed.Peek, encoder: FactorEncoder) -> Iterator[Weight]:
    if observation.feature is not None and not encoder.peeked:
        encoder.peeked = True
        layout = encoder.numbers.layout
        marked = encoder.numbers.cards([observation.feature])
        drawn = len(layout.categories)
        yield layout.envelope, marked, tuple(k / drawn for k in range(marked.bit_count() + 1))


@factors_of.register
def _(observation: observed.Accusation, encoder: FactorEncoder) -> tuple[Weight, ...]:
    if not observation.right and not encoder.numbers.notch_stays:
        encoder.peeked = False
    return ()


def chosen_freely(table: Table, numbers: Numbers) -> tuple[int, ...]:
    """Return the masks of the categories from which an asker names whatever card it likes."""
    edition = table.edition
    if edition.dice_choose:  # dice choose the cards
        return ()
    kinds = zip(edition.category, numbers.layout.categories, strict=True)
    anywhere = table.board == "none"
    return tuple(mask for kind, mask in kinds if anywhere or kind.name.casefold() != "room")


def shown_to(
    viewer: str | None, observation: observed.Event
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield who showed the viewer which card and what had been asked for."""
    form = observation.form
    if not form.subject or getattr(observation, form.subject) != viewer:
        return
    match form.tail:
        case AnswerList(field=field, asked=asked):
            for answer in getattr(observation, field):
                if answer.card is not None and answer.seat is not None:
                    yield answer.seat, answer.card, getattr(observation, asked)
        case SingleAnswer(card=card, asked=asked, seat=seat):
            if (shown := getattr(observation, card)) is not None:
                yield getattr(observation, seat), shown, getattr(observation, asked)
