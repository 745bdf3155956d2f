"""
The notes of all seats of a table, in thousands of worlds at once, as people keep them by hand.

A world is one deal. In it every seat notes, for each holder, the cards that the holder may have and
those that it has, as masks, and all either-ors. The rules are: a card has one holder; a hand has
its size; the envelope has a card of each category; whoever showed a card has one of the cards asked
for; at least one card of a wrong accusation is not in the envelope. Whatever these rules find is
true, but a solver may find more. They are those of `propagation`, written for arrays: each is a few
operations for all worlds.

Worlds are the last axis of every array, so that each operation runs over neighbouring integers.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from itertools import zip_longest
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from clue_solver.inference.arrays import Floats, Ints, Truths
from clue_solver.knowledge.clauses import CardMask, Clause, Layout, card_numbers, several
from clue_solver.rules.edition import Answering

Masks = npt.NDArray[np.signedinteger[Any]]
"""Sets of cards as bit masks: int32, or int64 if there are more than 30 cards."""

Singles = npt.NDArray[np.float32]
"""Chances as float32, which is exact enough for players' notes."""

_LEAST, _LOT = np.float32(1e-9), np.float32(1e-3)
"""The smallest divisor; the most that is added to likelihoods at random, to break ties."""

_UNUSED = 0
"""The content of unused slots for either-ors: no cards, so that no rule finds anything there."""

KEEN = 15.0
"""
How strongly players prefer likelier cards, as an exponent: a card half as likely as the likeliest
is named 2**15 times less often; a card nearly as likely is named nearly as often.

Players judge chances better than these notes do, so cards that are equally likely to a player may
differ a little here.
"""

SLIP = 0.05
"""How often a player asks for a card that it does not hold, for no reason that these notes know."""

_FORESEEN = 4
"""
How many either-ors about a holder there is room for at first; the room doubles when it is full.
"""


class UnseenByViewer(NamedTuple):
    """
    A card that a seat saw but the viewer did not.

    Attributes:
        entry: The number of the entry in which the seat saw the card.
        holder: The number of the card's holder.
        cards: The mask of the cards that it may have been, as far as the viewer knows.
        notch: Whether it was the card in the envelope's notch, of which only the colour was seen.
    """

    entry: int
    holder: int
    cards: CardMask
    notch: bool = False


class Witness(NamedTuple):
    """
    What a seat has seen, as simulated games need it.

    A world is one deal that may be the true one.

    Attributes:
        clauses: What the seat knows in every world; its own hand need not be included.
        private: The cards that it saw and the viewer did not; in each world, they are drawn.
        asked: For each entry with its question, the mask of the cards that it chose to ask for;
            empty if its questions are not taken into account.
        over: The last entry at which it could have accused in its last finished turn; 0 if there is
            none, or if its questions are not taken into account.
    """

    clauses: tuple[Clause, ...]
    private: tuple[UnseenByViewer, ...] = ()
    asked: Mapping[int, CardMask] = {}
    over: int = 0


class Holdings(NamedTuple):
    """
    Where the cards lie in each world, that is, in each of some deals.

    Attributes:
        cards: The mask of each holder's cards, shape (holders, worlds).
        sizes: How many cards each hand has, without the envelope; shape (holders - 1, worlds).
    """

    cards: Masks
    sizes: npt.NDArray[np.int8]

    @classmethod
    def of(cls, layout: Layout, deals: Ints) -> Self:
        """
        Return where the cards lie in some deals.

        Args:
            layout: The shape of the table.
            deals: The holder of each card in each deal, shape (worlds, cards).
        """
        dtype = np.dtype(np.int32 if layout.cards <= 30 else np.int64)
        bits = dtype.type(1) << np.arange(layout.cards, dtype=dtype)
        cards = np.array([np.equal(deals, holder) @ bits for holder in range(layout.holders)])
        return cls(cards.astype(dtype), card_count(cards[:-1]).astype(np.int8))

    def take(self, which: Ints) -> Self:
        """Return where the cards lie in the worlds with these numbers."""
        return type(self)(self.cards.take(which, axis=1), self.sizes.take(which, axis=1))


def draw_private(
    private: Iterable[UnseenByViewer], held: Holdings, rng: np.random.Generator
) -> list[Masks]:
    """
    Draw, in each world, which cards a seat saw that the viewer did not see.

    Args:
        private: What is known of each of these cards.
        held: Where the cards lie in each world.
        rng: The source of randomness.

    Returns:
        For each of these cards its mask in each world, shape (worlds,); 0 for a card in the notch,
        which shows only a colour.
    """
    return [
        np.zeros_like(held.cards[0])
        if unseen.notch
        else draw_one(held.cards[unseen.holder] & unseen.cards, rng)
        for unseen in private
    ]


class Notebooks:
    """
    What all seats have noted, in each of some worlds (deals that may be the true one).

    An either-or says that a holder has at least one of some cards.

    Attributes:
        may, has: By the notes of each seat (the viewer first), the masks of the cards that each
            holder may have and that it has; shape (seats, holders, worlds).
        row_of: The row of each seat in these arrays.
        held: Where the cards truly lie.
        notes_all: -1 where a seat notes either-ors, too, and 0 where it does not (it is `loose`);
            shape (seats, worlds).
    """

    def __init__(
        self,
        layout: Layout,
        viewer: int,
        held: Holdings,
        *,
        crossed_off: CardMask = 0,
        loose: Truths | None = None,
    ) -> None:
        """
        Start the notes of each seat with its own hand.

        Args:
            layout: The shape of the table.
            viewer: The seat whose notes are the first in each array; see `set_viewer`.
            held: Where the cards lie.
            crossed_off: The mask of the cards that the viewer crosses off when a rival asks for
                them. They must be cards that nobody is forced to name.
            loose: Where seats note no either-ors and ask for any cards that the envelope may have,
                shape (seats, worlds); nowhere if left out.
        """
        self.layout = layout
        self.viewer = viewer
        self.held = held
        self.dtype = held.cards.dtype
        self._crossed_off = crossed_off
        self.row_of = [seat + (seat < viewer) for seat in range(layout.seats)]
        self.row_of[viewer] = 0

        # At first every holder may have every card and is known to have none, except that each seat
        # knows its own hand.
        seats, holders, worlds = layout.seats, layout.holders, self.worlds
        self.may: Masks = np.full((seats, holders, worlds), layout.everything, self.dtype)
        self.may[:, :-1][:, held.sizes == 0] = 0
        self.has: Masks = np.zeros((seats, holders, worlds), self.dtype)
        self.notes_all: Masks = np.full((seats, worlds), -1, self.dtype)
        if loose is not None:
            self.notes_all[self.row_of] = np.where(loose, 0, -1)
        for seat, row in enumerate(self.row_of):
            self.has[row, seat] = held.cards[seat]
            self.may[row, seat] &= held.cards[seat]

        # What seats know in every world: (row of the notes, holder, cards of which the holder lacks
        # one), and the either-ors by row and holder.
        self._lacking: list[tuple[int, int, int]] = []
        self._rows: list[list[list[int]]] = [[[] for _ in range(holders)] for _ in range(seats)]
        self._known = self._padded()

        # Either-ors from cards shown in simulated games: as others note them, as the viewer does.
        self._shown: Masks = np.full((2, holders, _FORESEEN, worlds), _UNUSED, self.dtype)
        self._asker = np.full((holders, _FORESEEN, worlds), -1, np.int8)
        self._used = np.zeros((holders, worlds), np.int64)
        self._ways = np.ones((holders, layout.cards), np.float32)

    @property
    def worlds(self) -> int:
        """The number of worlds: drawn deals, each with what every seat knows in it."""
        return int(self.held.cards.shape[1])

    def learn(
        self, seat: int, clauses: Iterable[Clause], seen: Iterable[tuple[int, Masks]] = ()
    ) -> None:
        """
        Write into a seat's notes what it learns.

        Args:
            seat: The number of the seat.
            clauses: What it learns in every world.
            seen: The cards that it saw: for each the number of its holder, and an array with the
                mask of the card in each world, shape (worlds,).
        """
        row = self.row_of[seat]
        known = sum(map(len, self._rows[row]))
        for _, holder, cards, has in clauses:
            if not several(cards):
                if has:
                    self.has[row, holder] |= cards
                else:
                    self.may[row, holder] &= ~cards
            elif holder != seat and not has:
                self._lacking.append((row, holder, cards))
            elif holder != seat and cards not in self._rows[row][holder]:
                self._rows[row][holder].append(cards)
        if known != sum(map(len, self._rows[row])):
            self._known = self._padded()
        for holder, card in seen:
            self.has[row, holder] |= card

    def _padded(self) -> Masks:
        """
        Return the either-ors that seats know in every world, shape (either-ors, seats, holders, 1).

        An either-or says that a holder has at least one of some cards; it is the mask of these
        cards. Where a holder has fewer either-ors than another, the rest is `_UNUSED`.
        """
        lists = [either_ors for row in self._rows for either_ors in row]
        filled = zip_longest(*lists, fillvalue=_UNUSED)
        shape = -1, len(self._rows), self.layout.holders, 1
        return np.array([*filled], self.dtype).reshape(shape)

    def set_viewer(self, possible: Sequence[int], marginals: Floats) -> None:
        """
        Set the viewer's notes to all that it can prove, and its chances to the exact ones.

        Args:
            possible: For each card, the mask of the holders that can have it as far as the viewer
                can prove.
            marginals: The viewer's chance that each holder has each card, shape (cards, holders).
                From now on its estimates are scaled so that they give these chances here.
        """
        # What the viewer can prove.
        for holder in range(self.layout.holders):
            can = sum(1 << card for card, mask in enumerate(possible) if mask >> holder & 1)
            sure = sum(1 << card for card, mask in enumerate(possible) if mask == 1 << holder)
            self.may[0, holder] &= can
            self.has[0, holder] |= sure
        self.settle()

        # The factors that turn the estimates by counting into these chances.
        needs = self._needs(self.may[0], self.has[0])[:, :1]
        ways = np.ones((self.layout.holders, self.layout.cards))
        ways[:-1] = marginals.T[:-1] / np.where(needs > 0, needs, 1.0)
        for mask in self.layout.categories:
            inside = card_numbers(mask)
            among = max(int(card_count(self.may[0, -1, :1] & mask)[0]), 1)
            ways[-1, inside] = marginals[inside, -1] * among
        self._ways = ways.astype(np.float32)

    # How likely cards are, by counting.

    def likelihood(self, seat: int, asked: CardMask) -> Floats:
        """
        Return how likely a seat is to ask for these cards, in each world, shape (worlds,).

        This is relative to naming any card of the category that the seat does not hold. A card that
        it holds does not count here (`knowledge.encoder` weighs it). A seat asks for the likeliest
        cards or, if it is loose, for any that the envelope may have.

        Args:
            seat: The number of the seat.
            asked: The mask of the cards.
        """
        likely = np.ones(self.worlds)
        loose = self.notes_all[self.row_of[seat]] == 0
        chosen = [number for number, mask in enumerate(self.layout.categories) if mask & asked]
        for category, inside in self._inside(seat, chosen):
            mask = self.layout.categories[category]
            cards = np.array(card_numbers(mask))
            (named,) = np.flatnonzero(asked >> cards & 1)
            others = self.held.cards[seat] >> cards[:, None] & 1 == 0
            wanted = np.where(loose, inside > 0, (inside / inside.max(axis=0)) ** KEEN) * others
            chance = wanted[named] / np.maximum(wanted.sum(axis=0), _LEAST)
            number = others.sum(axis=0)
            compared = (1.0 - SLIP) * chance * number + SLIP
            likely *= np.where(others[named], compared, 1.0)
        return likely

    def likeliest(
        self,
        seat: int,
        categories: Sequence[int],
        rng: np.random.Generator,
        *,
        rooms: int | None = None,
        reach: float = 1.0,
    ) -> Masks:
        """
        Return the cards that a seat asks for in each world, as masks, shape (worlds,).

        It asks for the likeliest cards; ties are broken at random. Where it is loose, it asks for
        any cards that the envelope may have.

        Args:
            seat: The seat that asks.
            categories: The numbers of the categories that it names.
            rng: The source of randomness.
            rooms: The number of the category that the board restricts; `None` if there is none.
            reach: The chance that a card of this category can be named, independently for each
                card. In worlds where none can be, nothing is asked.
        """
        asked: Masks = np.zeros(self.worlds, self.dtype)
        silent: Truths = np.zeros(self.worlds, bool)
        for category, inside in self._inside(seat, categories):
            np.copyto(inside, np.sign(inside), where=self.notes_all[self.row_of[seat]] == 0)
            chances = inside + rng.random(inside.shape, np.float32) * _LOT
            if category == rooms:
                reached: Truths = rng.random(inside.shape, np.float32) < reach
                chances[~reached] = -1.0
                silent |= ~reached.any(axis=0)
            asked |= self._named(category, chances)
        asked[silent] = 0
        return asked

    def best(self, seat: int) -> tuple[Masks, Singles]:
        """
        Return a seat's best accusation in each world, and the chance that it is right.

        The accusation is a mask of cards; the chance is that by the seat's notes. Both have shape
        (worlds,).
        """
        cards: Masks = np.zeros(self.worlds, self.dtype)
        chance = np.ones(self.worlds, np.float32)
        for category, inside in self._inside(seat, range(len(self.layout.categories))):
            cards |= self._named(category, inside)
            chance *= inside.max(axis=0) / np.maximum(inside.sum(axis=0), _LEAST)
        return cards, chance

    def _named(self, category: int, chances: Singles) -> Masks:
        """
        Return the likeliest card of a category in each world, as a mask, shape (worlds,).

        Args:
            category: The number of the category.
            chances: How likely each of its cards is, shape (cards, worlds).
        """
        bits = np.array([1 << card for card in card_numbers(self.layout.categories[category])])
        named: Masks = bits.astype(self.dtype)[chances.argmax(axis=0)]
        return named

    def _inside(self, seat: int, categories: Iterable[int]) -> Iterable[tuple[int, Singles]]:
        """
        Yield, for each category, its number and how likely the envelope has each of its cards.

        The chances are estimated from a seat's notes, shape (cards, worlds). First each holder gets
        a number for each card that it may have. For a hand that lacks n cards and has m open ones,
        it is n / m, or more if a short either-or names the card. For the envelope, which may have k
        cards of the category, it is 1 / k. The chance is the envelope's number divided by the sum
        of all holders' numbers. The viewer's numbers are scaled first (`set_viewer`).

        Args:
            seat: The number of the seat.
            categories: The numbers of the categories.
        """
        row = self.row_of[seat]
        may, has = self.may[row], self.has[row]
        needs = self._needs(may, has)
        open_cards = may[:-1] & ~has[:-1]
        named = [self._named_by_few(row, hand, need) for hand, need in enumerate(needs)]
        for category in categories:
            mask = self.layout.categories[category]
            cards = card_numbers(mask)
            number = np.array(cards, self.dtype)[:, None]

            # The envelope has one of those that it may have.
            among = 1.0 / np.maximum(card_count(may[-1] & mask), 1).astype(np.float32)
            inside = (may[-1] >> number & 1).astype(np.float32) * among

            # A hand has it as likely as it needs cards, and more if a short either-or names it.
            outside = np.full(inside.shape, _LEAST)
            for hand, few in enumerate(named):
                likely = (open_cards[hand] >> number & 1).astype(np.float32) * needs[hand]
                for cards_of_few, more in few:
                    likely += (cards_of_few >> number & 1).astype(np.float32) * more
                if seat == self.viewer:
                    likely *= self._ways[hand, cards, None]
                outside += likely

            # The viewer began with exact chances.
            if seat == self.viewer:
                inside *= self._ways[-1, cards, None]
            yield category, inside / (inside + outside)

    def _needs(self, may: Masks, has: Masks) -> Singles:
        """
        Return the chance that each hand has any one of its open cards, shape (hands, worlds).

        An open card is one that by the notes the hand may have, but need not.

        Args:
            may: The mask of the cards that each holder may have by one seat's notes, shape
                (holders, worlds).
            has: The mask of the cards that each holder has by these notes, the same shape.
        """
        needs: Singles = (self.held.sizes - card_count(has[:-1])).astype(np.float32)
        needs /= np.maximum(card_count(may[:-1] & ~has[:-1]), 1)
        return needs

    def _named_by_few(self, row: int, hand: int, needs: Singles) -> list[tuple[Masks, Singles]]:
        """
        Return a hand's open cards in short either-ors, and how much likelier that makes them.

        If each card has the chance q, then each of k cards of which the hand has at least one has
        the chance q / (1 - (1 - q)^k).

        Args:
            row: The row of the seat whose notes count.
            hand: The number of the hand's holder.
            needs: The chance of each open card without the either-ors, shape (worlds,).

        Returns:
            The mask of the cards in either-ors of two or three, with what to add to their chances;
            and that of the cards in either-ors of two, with what to add besides. Masks without
            cards are left out.
        """
        may, has = self.may[row, hand], self.has[row, hand]
        is_viewer = row == self.row_of[self.viewer]
        shown = self._shown[int(is_viewer), hand, : self._most(hand)]
        pairs, triples = np.zeros_like(may), np.zeros_like(may)
        for either_ors in (self._known[:, row, hand], shown):
            if not len(either_ors):
                continue
            # Take away one card after another: after how many is nothing left?
            left = (either_ors & may) & ~nonempty_mask(either_ors & has)
            one_less = without_lowest(left)
            two_less = without_lowest(one_less)
            three_less = without_lowest(two_less)
            two = nonempty_mask(one_less) & ~nonempty_mask(two_less)
            three = nonempty_mask(two_less) & ~nonempty_mask(three_less)
            pairs |= np.bitwise_or.reduce(left & two, axis=0)
            triples |= np.bitwise_or.reduce(left & three, axis=0)
        rest = 1.0 - needs
        of_two = needs / np.maximum(1.0 - rest**2, _LEAST)
        of_three = needs / np.maximum(1.0 - rest**3, _LEAST)
        few = [(triples | pairs, of_three - needs), (pairs, of_two - of_three)]
        return [(cards, more) for cards, more in few if cards.any()]

    # What is asked and shown.

    def suggest(
        self,
        by: int,
        asked: Masks,
        answering: Sequence[int],
        rng: np.random.Generator,
        *,
        who_shows: Answering,
    ) -> None:
        """
        Let a seat ask for cards and others answer, and let all seats note what they see.

        Args:
            by: The seat that asks.
            asked: The mask of the cards in each world, shape (worlds,); 0 where nothing is asked.
            answering: The seats that answer, in order.
            rng: The source of randomness for the cards shown.
            who_shows: Which of the seats that can show a card do so.
        """
        # The viewer crosses off cards that a rival asks for: it neither holds nor has seen them.
        if self._crossed_off and by != self.viewer:
            named = asked & self._crossed_off
            self.may[0, by] &= ~named
            rest = self._shown[1] & ~named
            np.copyto(self._shown[1], rest, where=(self._asker == by) & (rest != 0))

        # Each seat that is asked shows a card if it can, or only the first of these.
        unanswered = np.full(self.worlds, -1, self.dtype)
        for seat in answering:
            could = self.held.cards[seat] & asked & unanswered
            shows = nonempty_mask(could)
            self.may[:, seat] &= ~(asked & unanswered & ~shows)
            self.has[self.row_of[by], seat] |= draw_one(could, rng)
            self._note_shown(seat, by, np.flatnonzero(shows), asked)
            if who_shows != "all":
                unanswered &= ~shows

    def look(
        self,
        by: int,
        slots: Iterable[int],
        rng: np.random.Generator,
        *,
        reach: float,
        where: Truths | None = None,
    ) -> None:
        """
        Let a seat look at a face-down card that it does not know, and note it.

        Args:
            by: The seat that looks.
            slots: The slots of face-down cards; the seat can reach at most one of them in a turn.
            rng: The source of randomness for which slot it reaches.
            reach: The chance to reach each slot.
            where: The worlds in which the seat looks, shape (worlds,); all if left out.
        """
        row = self.row_of[by]
        looks = np.ones(self.worlds, bool) if where is None else where
        for slot in slots:
            has, cards = self.has[row, slot], self.held.cards[slot]
            here = looks & (has != cards)
            if reach < 1.0:
                here &= rng.random(self.worlds, np.float32) < reach
            np.copyto(has, cards, where=here)
            looks = looks & ~here

    def _note_shown(self, seat: int, by: int, worlds: Ints, asked: Masks) -> None:
        """
        Let all seats note that `seat` showed `by` one of some cards.

        `worlds` has the numbers of the worlds in which it did, `asked` the mask of the cards in
        every world.
        """
        if not len(worlds):
            return
        at = self._used[seat, worlds]
        if int(at.max()) >= self._shown.shape[2]:
            self._shown = np.concatenate([self._shown, np.full_like(self._shown, _UNUSED)], axis=2)
            self._asker = np.concatenate([self._asker, np.full_like(self._asker, -1)], axis=1)
        self._shown[:, seat, at, worlds] = asked[worlds]
        self._asker[seat, at, worlds] = by
        self._used[seat, worlds] += 1

    def solved(self, seat: int) -> Truths:
        """Return in which worlds a seat's notes have the solution, shape (worlds,)."""
        solved: Truths = self.has[self.row_of[seat], -1] == self.held.cards[-1]
        return solved

    def take(self, which: Ints) -> Self:
        """Return a copy of the notes in the worlds with these numbers."""
        taken = copy(self)
        taken.held = self.held.take(which)
        taken.may, taken.has = self.may.take(which, axis=2), self.has.take(which, axis=2)
        taken.notes_all = self.notes_all.take(which, axis=1)
        most = max(map(self._most, range(self.layout.holders))) or 1
        taken._shown = self._shown[:, :, :most].take(which, axis=3)
        taken._asker = self._asker[:, :most].take(which, axis=2)
        taken._used = self._used.take(which, axis=1)
        return taken

    def _most(self, holder: int) -> int:
        """Return the most either-ors that are noted about a holder in any one world."""
        return int(self._used[holder].max(initial=0))

    # The rules.

    def settle(self) -> None:
        """Note all that follows, in every world: apply the rules until they find nothing more."""
        while True:
            may, has = self.may.copy(), self.has.copy()
            self._sweep()
            changed = ((may != self.may) | (has != self.has)).any(axis=(0, 1)).nonzero()[0]
            if len(changed) <= self.worlds // 2:
                break

        # In the few worlds that changed, the rules may find more.
        if len(changed):
            few = self.take(changed)
            few.settle()
            self.may[:, :, changed], self.has[:, :, changed] = few.may, few.has

    def _sweep(self) -> None:
        """Apply each rule once, in every world."""
        may, has = self.may, self.has

        # If a holder can have only one card of an either-or, it has that card.
        self._either_ors()

        # If a holder lacks one of some cards and has all but one of them, it lacks that one.
        for row, holder, cards in self._lacking:
            left = cards & ~has[row, holder]
            last = ~nonempty_mask(without_lowest(left)) & ~nonempty_mask(cards & ~may[row, holder])
            may[row, holder] &= ~(left & last)

        # If a holder has a card, no other has it; if only one holder may have a card, it has it.
        taken = np.bitwise_or.reduce(has, axis=1, keepdims=True)
        may &= ~taken | has
        upto = np.bitwise_or.accumulate(may, axis=1)  # the cards of each holder and those before
        twice = np.bitwise_or.reduce(upto[:, :-1] & may[:, 1:], axis=1, keepdims=True)
        has |= may & ~twice
        self._apply_envelope_rule(may[:, -1], has[:, -1])

        # A full hand has no other card; a hand that may only have as many as its size has all.
        hands = may[:, :-1]
        sure = has[:, :-1]
        np.copyto(hands, sure, where=card_count(sure) == self.held.sizes)
        np.copyto(sure, hands, where=card_count(hands) == self.held.sizes)

    def _apply_envelope_rule(self, may: Masks, has: Masks) -> None:
        """
        Note what follows because the envelope has one card of each category.

        Args:
            may: The mask of the cards that by each seat's notes the envelope may have, shape
                (seats, worlds); changed in place.
            has: The mask of the cards that by these notes it has, the same shape; changed in place.
        """
        masks = np.array(self.layout.categories, self.dtype)[:, None, None]
        sure = has & masks
        may &= np.bitwise_and.reduce(~(masks & nonempty_mask(sure)) | sure)
        inside = may & masks
        has |= np.bitwise_or.reduce(inside & ~nonempty_mask(without_lowest(inside)))

    def _either_ors(self) -> None:
        """
        Note that a holder has a card if it can have no other card of an either-or.

        An either-or says that the holder has at least one of some cards.
        """
        may, has = self.may, self.has
        if len(self._known):
            has |= _lone_cards(self._known & may) & self.notes_all[:, None]
        most = int(self._used.max(initial=0))
        if most:
            shown = self._shown[:, :, :most].swapaxes(1, 2)
            has[0] |= _lone_cards(shown[1] & may[0])
            has[1:] |= _lone_cards(shown[0][:, None] & may[1:]) & self.notes_all[1:, None]


def _lone_cards(left: Masks) -> Masks:
    """
    Return the cards that are the only possible ones of an either-or, as masks.

    `left` has the mask of the possible cards of each either-or, and is changed in place. The first
    axis is that of the either-ors; the result is without it.
    """
    more = without_lowest(left)
    more |= -more
    more >>= 8 * left.itemsize - 1
    left &= ~more
    alone: Masks = np.bitwise_or.reduce(left, axis=0)
    return alone


def without_lowest(cards: Masks) -> Masks:
    """Return each mask without its lowest bit: each set of cards without its lowest card."""
    rest: Masks = cards & (cards - 1)
    return rest


def nonempty_mask(cards: Masks) -> Masks:
    """Return -1 (all bits set) for each mask of cards that is not empty, else 0."""
    signs: Masks = (cards | -cards) >> 8 * cards.itemsize - 1
    return signs


def draw_one(cards: Masks, rng: np.random.Generator) -> Masks:
    """Draw one card of each mask, each equally likely; return its mask, 0 for an empty one."""
    number = card_count(cards)
    most = int(number.max(initial=0))
    if most > 1:
        skip = (rng.random(cards.shape, np.float32) * number).astype(np.int8)
        for past in range(most - 1):
            cards = np.where(skip > past, without_lowest(cards), cards)
    lowest: Masks = cards & -cards
    return lowest


def card_count(cards: Masks) -> npt.NDArray[np.uint8]:
    """
    Return the number of cards in each mask.

    >>> card_count(np.array([0b0, 0b101, 0b111]))
    array([0, 2, 3], dtype=uint8)
    """
    counting: Any = getattr(np, "bitwise_count", None)  # from numpy 2 on
    if counting is not None:
        counts: npt.NDArray[np.uint8] = counting(cards)
        return counts
    parts = (_BITS[cards >> at & 0x7FF] for at in range(0, 8 * cards.itemsize - 1, 11))
    return np.asarray(sum(parts), np.uint8)


_BITS = np.array([mask.bit_count() for mask in range(1 << 11)], np.uint8)
