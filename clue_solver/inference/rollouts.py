"""
Games played on from a position, thousands at once, by players who keep a sheet.

Whole deals are drawn from a viewer's posterior. In each of these worlds every seat has a sheet: for
each holder the mask of the cards that it may have and of those that it has. A sheet starts from
what that seat has seen in that world, and is filled in by rules that one can apply with a pencil: a
card has one holder, a hand its size, the envelope a card of each category, and who showed has one
of the cards asked for. What these rules find is true, since each is a consequence of the rules of
the game; a solver may find more. So this is an approximation of players, for chances of winning
alone, and no answer about cards comes from it.

In turn a seat asks for the card of each category that is likeliest to be in the envelope, by
counting: how many cards a hand still needs, over how many it may have, makes each of those so
likely to be there. Rivals accuse when their sheet is full. The viewer has besides the chances that
it starts with, crosses off what its rivals ask for, since these players never ask for own cards,
and notes at each of its turns how likely its best accusation is; so what every threshold for
accusing would have won is known from one and the same games. This is Monte Carlo over deals that
fit (perfect information only for those who deal; Ginsberg, "GIB: Imperfect Information in a
Computationally Challenging Game", Journal of Artificial Intelligence Research 14, 2001).

Worlds are the last axis of every array, so that each operation runs over neighbouring integers.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.inference.diagram import Floats, Ints
from clue_solver.inference.ranking import UnseenByViewer
from clue_solver.knowledge.clauses import Clause, Layout, card_numbers

Masks = npt.NDArray[np.signedinteger[Any]]
"""Sets of cards: int32, or int64 where there are more than 30."""

Rivals = Literal["prompt", "cautious"]
"""When rivals accuse who are certain: at once, or a turn later."""

TOGETHER = 4096
"""How many worlds are played at once: what is needed of them fits into a processor's cache."""

MOST_TURNS = 120
"""After so many turns a game is over, and nobody has won."""

THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""From which chance of being right on the viewer may accuse; the last is certainty."""

_FULL = -1
"""An either-or that says nothing, where there is room for more."""


class Eyes(NamedTuple):
    """
    What a seat knows in every world, and what it saw that the viewer did not.

    Attributes:
        clauses: What it surely knows; of its own hand nothing need be said.
        private: The cards that it saw besides; in each world they are drawn.
    """

    clauses: tuple[Clause, ...]
    private: tuple[UnseenByViewer, ...] = ()


class Course(NamedTuple):
    """
    How the game goes on.

    Attributes:
        viewer: The seat whose chance of winning is asked for.
        turns: The seats that take turns, the next one first.
        answering: For each seat the others in the order in which they answer it.
        everyone: Whether all who can show, or only the first.
        named: The categories of which a suggestion names a card, by number.
        rivals: When the others accuse.
        rooms: The category that a board decides; `None` where every card may be named.
        reach: The chance that one of those can be named in a turn, each by itself.
    """

    viewer: int
    turns: tuple[int, ...]
    answering: tuple[tuple[int, ...], ...]
    everyone: bool
    named: tuple[int, ...]
    rivals: Rivals = "prompt"
    rooms: int | None = None
    reach: float = 1.0


class Outcomes(NamedTuple):
    """
    How games went.

    Attributes:
        chances: At each of the viewer's turns how likely its best accusation was by its own sheet,
            -1 where the game was over, shape (turns, worlds).
        right: Whether that accusation was right, same shape.
        turns: How many suggestions were made until somebody was certain, shape (worlds,).
        winner: The seat that accused first, if the viewer waits for certainty; -1 if none did.
    """

    chances: Floats
    right: npt.NDArray[np.bool_]
    turns: Ints
    winner: Ints

    def wins(self, threshold: float) -> npt.NDArray[np.bool_]:
        """Return where the viewer wins that accuses from so likely a solution on."""
        if not len(self.chances):
            return np.zeros(len(self.turns), bool)
        ready = self.chances >= threshold
        first = ready.argmax(axis=0)
        world = np.arange(ready.shape[1])
        won: npt.NDArray[np.bool_] = ready[first, world] & self.right[first, world]
        return won

    def value(self, thresholds: Sequence[float] = THRESHOLDS) -> tuple[float, float]:
        """
        Return the chance to win by the best threshold, and its standard error.

        The best threshold of one half of the worlds is applied to the other half, so that choosing
        does not flatter.
        """
        won = np.array([self.wins(each) for each in thresholds])
        half = np.arange(won.shape[1]) % 2 == 0
        chosen = np.empty(won.shape[1], bool)
        for part in (half, ~half):
            best = int(won[:, ~part].mean(axis=1).argmax()) if (~part).any() else -1
            chosen[part] = won[best, part]
        share = float(chosen.mean())
        return share, float(np.sqrt(max(share * (1 - share), 0.25 / len(chosen)) / len(chosen)))


def play_on(
    layout: Layout,
    course: Course,
    deals: Ints,
    eyes: Sequence[Eyes],
    *,
    possible: Sequence[int],
    marginals: Floats,
    rng: np.random.Generator,
    first: int | None = None,
) -> Outcomes:
    """
    Play a game to its end in each of some worlds.

    Args:
        layout: The shape of the table.
        course: How it goes on.
        deals: Drawn from the viewer's posterior, shape (worlds, cards).
        eyes: What each seat knows, by seat.
        possible: For each card the mask of the holders that can have it, as the viewer can prove.
        marginals: The viewer's chances of each card with each holder, shape (cards, holders).
        rng: Draws what is shown, and what else is left to chance.
        first: What the viewer asks for first, if it is its turn; by its sheet if left out.
    """
    found = []
    for at in range(0, len(deals), TOGETHER):
        part = deals[at : at + TOGETHER]
        sheets = Sheets(layout, course, part, eyes, possible, marginals, rng)
        found.append(_played(sheets, first))
    longest = max(len(each.chances) for each in found)
    chances = [_lengthened(each.chances, longest, -1.0) for each in found]
    right = [_lengthened(each.right, longest, 0) for each in found]
    return Outcomes(
        np.concatenate(chances, axis=1),
        np.concatenate(right, axis=1).astype(bool),
        np.concatenate([each.turns for each in found]),
        np.concatenate([each.winner for each in found]),
    )


def _lengthened(rows: npt.NDArray[Any], length: int, filling: float) -> npt.NDArray[Any]:
    return np.pad(rows, ((0, length - len(rows)), (0, 0)), constant_values=filling)


def _played(sheets: "Sheets", first: int | None) -> Outcomes:
    """Play the worlds of some sheets to their ends."""
    course, worlds = sheets.course, sheets.worlds
    alive = np.arange(worlds)
    turns, winner = np.zeros(worlds, np.int64), np.full(worlds, -1)
    knew = np.zeros((len(course.answering), worlds), bool)
    chances: list[Floats] = []
    right: list[npt.NDArray[np.bool_]] = []
    for turn in range(MOST_TURNS):
        by = course.turns[turn % len(course.turns)]
        told = sheets.likeliest(by)
        asked = told.cards
        if by == course.viewer and first is not None:
            asked, first = np.full_like(asked, first), None
        sheets.suggest(by, asked)
        sheets.settle()
        turns[alive] += 1
        sure = sheets.solved(by)
        over = sure
        if by == course.viewer:
            told = sheets.likeliest(by, everywhere=True)
            chances.append(np.full(worlds, -1.0))
            right.append(np.zeros(worlds, bool))
            chances[-1][alive] = np.where(sure, 1.0, told.chance)
            right[-1][alive] = told.cards == sheets.cards[-1]
        elif course.rivals == "cautious":
            over = sure & knew[by, alive]
            knew[by, alive] |= sure
        winner[alive[over]] = by
        if over.any():
            alive = alive[~over]
            sheets.keep(~over)
        if not len(alive):
            break
    shape = (len(chances), worlds)
    return Outcomes(
        np.array(chances).reshape(shape), np.array(right, bool).reshape(shape), turns, winner
    )


class Likeliest(NamedTuple):
    """The likeliest card of each category as masks, and how likely all are the solution."""

    cards: Masks
    chance: Floats


class Sheets:
    """
    The sheets of all seats in some worlds.

    Attributes:
        may, has: For each seat (the viewer first), holder and world the cards that the holder may
            have and has, shape (seats, holders, worlds).
        cards: What each holder truly has, shape (holders, worlds).
        sizes: How many cards that is, envelope left out.
    """

    def __init__(
        self,
        layout: Layout,
        course: Course,
        deals: Ints,
        eyes: Sequence[Eyes],
        possible: Sequence[int],
        marginals: Floats,
        rng: np.random.Generator,
    ) -> None:
        self.layout, self.course, self.rng = layout, course, rng
        self.kind = np.dtype(np.int32 if layout.cards <= 30 else np.int64)
        self.place = [seat + (seat < course.viewer) for seat in range(layout.seats)]
        self.place[course.viewer] = 0
        seats, holders, worlds = layout.seats, layout.holders, len(deals)
        bits = self.kind.type(1) << np.arange(layout.cards, dtype=self.kind)
        held = [(deals.T == holder).T @ bits for holder in range(holders)]
        self.cards: Masks = np.array(held).astype(self.kind)
        self.sizes = _count(self.cards[:-1]).astype(np.int8)
        self.may: Masks = np.full((seats, holders, worlds), layout.everything, self.kind)
        self.may[:, :-1][:, self.sizes == 0] = 0
        self.has: Masks = np.zeros((seats, holders, worlds), self.kind)
        known: list[list[list[int]]] = [[[] for _ in range(seats)] for _ in range(holders)]
        self.lacking: list[tuple[int, int, int]] = []
        for seat, each in enumerate(eyes):
            self._begin(seat, each.clauses, known)
            self._saw(seat, each.private)
        most = [max(map(len, each)) for each in known]
        self.known: list[Masks] = [
            np.array([row + [_FULL] * (length - len(row)) for row in rows], self.kind)
            .reshape(seats, length)
            .T[:, :, None]
            .copy()
            for rows, length in zip(known, most, strict=True)
        ]
        for holder in range(holders):
            can = sum(1 << card for card, mask in enumerate(possible) if mask >> holder & 1)
            self.may[0, holder] &= can
            self.has[0, holder] |= sum(
                1 << card for card, mask in enumerate(possible) if mask == 1 << holder
            )
        self.shown: Masks = np.full((2, holders, 4, worlds), _FULL, self.kind)
        self.asker = np.full((holders, 4, worlds), -1, np.int8)
        self.used = np.zeros((holders, worlds), np.int64)
        self.ways = self._ways(marginals)
        self.settle()

    @property
    def worlds(self) -> int:
        """Number of worlds still played."""
        return self.cards.shape[1]

    def _begin(self, seat: int, clauses: Iterable[Clause], known: list[list[list[int]]]) -> None:
        """Write down what a seat knows in every world, and its own hand."""
        place = self.place[seat]
        single = [each for each in clauses if not each.cards & each.cards - 1]
        for _, holder, cards, has in single:
            if has:
                self.has[place, holder] |= cards
            else:
                self.may[place, holder] &= ~cards
        self.has[place, seat] |= self.cards[seat]
        self.may[place, seat] &= self.cards[seat]
        for _, holder, cards, has in dict.fromkeys(
            each._replace(entries=()) for each in clauses if each.cards & each.cards - 1
        ):
            if holder == seat:
                continue
            if has:
                known[holder][place].append(cards)
            else:
                self.lacking.append((place, holder, cards))

    def _saw(self, seat: int, private: Iterable[UnseenByViewer]) -> None:
        """Draw in each world what a seat saw; a notch, which shows a colour, is left out."""
        for _, holder, cards, _, groups in private:
            if not groups:
                drawn = _one_of(self.cards[holder] & cards, self.rng)
                self.has[self.place[seat], holder] |= drawn

    def _ways(self, marginals: Floats) -> npt.NDArray[np.float32]:
        """Return what makes the viewer's counting agree with its chances, shape (holders, cards)."""
        needs = self._needs(self.may[0], self.has[0])[:, :1]
        expected = np.where(needs > 0, needs, 1.0)
        ways = np.ones((self.layout.holders, self.layout.cards))
        ways[:-1] = marginals.T[:-1] / expected
        for mask in self.layout.categories:
            inside = card_numbers(mask)
            ways[-1, inside] = marginals[inside, -1] * max(
                int(_count(self.may[0, -1, :1] & mask)[0]), 1
            )
        return ways.astype(np.float32)

    def _needs(self, may: Masks, has: Masks) -> npt.NDArray[np.float32]:
        """Return how likely each hand is to have one of its open cards, shape (hands, worlds)."""
        left = self.sizes - _count(has[:-1])
        among = _count(may[:-1] & ~has[:-1])
        needs: npt.NDArray[np.float32] = left.astype(np.float32)
        needs /= np.maximum(among, 1)
        return needs

    def likeliest(self, seat: int, *, everywhere: bool = False) -> Likeliest:
        """
        Return what a seat asks for, or what it would accuse.

        Args:
            seat: Whose sheet is looked at.
            everywhere: Whether every category counts, wherever the seat stands.
        """
        place, course = self.place[seat], self.course
        may, has = self.may[place], self.has[place]
        weighed = self.ways if place == 0 else None
        needs, still = self._needs(may, has), may[:-1] & ~has[:-1]
        closer = [self._closer(place, hand, each) for hand, each in enumerate(needs)]
        cards: Masks = np.zeros(self.worlds, self.kind)
        chance = np.ones(self.worlds, np.float32)
        kinds = range(len(self.layout.categories)) if everywhere else course.named
        for kind in kinds:
            mask = self.layout.categories[kind]
            number = np.array(card_numbers(mask), self.kind)[:, None]
            among = 1.0 / np.maximum(_count(may[-1] & mask), 1).astype(np.float32)
            inside = (may[-1] >> number & 1).astype(np.float32) * among
            outside = np.full(inside.shape, 1e-9, np.float32)
            for hand, (pairs, triples, chances) in enumerate(closer):
                open_here = still[hand] >> number & 1
                kind_of = open_here + (pairs >> number & 1) + (triples >> number & 1)
                likely = np.take_along_axis(chances, kind_of, axis=0)
                outside += likely if weighed is None else likely * weighed[hand, number]
            if weighed is not None:
                inside *= weighed[-1, number]
            inside /= inside + outside
            if everywhere:
                chance *= inside.max(axis=0) / inside.sum(axis=0)
            inside += self.rng.random(inside.shape, np.float32) * np.float32(1e-3)
            if kind == course.rooms and not everywhere:
                reached = self.rng.random(inside.shape, np.float32) < course.reach
                inside = np.where(reached, inside + 1.0, 0.0)
            chosen = inside.argmax(axis=0)
            named = (self.kind.type(1) << number[:, 0])[chosen]
            if kind == course.rooms and not everywhere:
                named = np.where(reached.any(axis=0), named, 0)
                cards *= named != 0
            cards |= named
        return Likeliest(cards, chance)

    def _closer(
        self, place: int, hand: int, needs: npt.NDArray[np.float32]
    ) -> tuple[Masks, Masks, npt.NDArray[np.float32]]:
        """
        Return the open cards of either-ors of two and of three, and how likely each is in a hand.

        The chances, shape (4, worlds), are of a card that the hand cannot have; of one that no
        either-or names; of one in an either-or of three, where one of these is there at least, and
        of one in an either-or of two.
        """
        may, has = self.may[place, hand], self.has[place, hand]
        told = self.shown[int(place == 0), hand, : int(self.used[hand].max(initial=0))]
        pairs, triples = np.zeros_like(may), np.zeros_like(may)
        for each in (self.known[hand][:, place], told):
            if not len(each):
                continue
            left = each & may
            two = left & left - 1
            three = two & two - 1
            unmet = ~_some(each & has)
            pairs |= np.bitwise_or.reduce(left & unmet & _some(two) & ~_some(three), axis=0)
            more = _some(three) & ~_some(three & three - 1)
            triples |= np.bitwise_or.reduce(left & unmet & more, axis=0)
        triples |= pairs  # so that adding up the masks tells the kinds apart
        rest = 1.0 - needs
        chances = np.stack(
            [
                np.zeros_like(needs),
                needs,
                needs / np.maximum(1.0 - rest**3, 1e-9),
                needs / np.maximum(1.0 - rest**2, 1e-9),
            ]
        )
        return pairs, triples, chances.astype(np.float32)

    def suggest(self, by: int, asked: Masks) -> None:
        """Let a seat ask for cards (none where the mask is empty), and all note what they see."""
        course, place = self.course, self.place[by]
        open_still = np.full(self.worlds, -1, self.kind)
        for seat in course.answering[by]:
            could = self.cards[seat] & asked & open_still
            shows = _some(could)
            self.may[:, seat] &= ~(asked & open_still & ~shows)
            self.has[place, seat] |= _one_of(could, self.rng)
            self._note(seat, by, np.flatnonzero(shows), asked)
            if not course.everyone:
                open_still &= ~shows
        if by != course.viewer:  # these players ask for no card of theirs, and for none twice
            self.may[0, by] &= ~asked
            again = self.shown[1] & ~asked
            mine = (self.asker == by) & (again != 0) & (self.shown[1] != _FULL)
            np.copyto(self.shown[1], again, where=mine)

    def _note(self, seat: int, by: int, worlds: Ints, asked: Masks) -> None:
        """Write down that a seat showed one of the cards."""
        if not len(worlds):
            return
        at = self.used[seat, worlds]
        if int(at.max()) >= self.shown.shape[2]:
            self.shown = np.concatenate([self.shown, np.full_like(self.shown, _FULL)], axis=2)
            self.asker = np.concatenate([self.asker, np.full_like(self.asker, -1)], axis=1)
        self.shown[:, seat, at, worlds] = asked[worlds]
        self.asker[seat, at, worlds] = by
        self.used[seat, worlds] += 1

    def solved(self, seat: int) -> npt.NDArray[np.bool_]:
        """Return in which worlds a seat has the solution on its sheet."""
        inside = self.has[self.place[seat], -1]
        told: npt.NDArray[np.bool_] = inside == self.cards[-1]
        return told

    def keep(self, which: npt.NDArray[np.bool_]) -> None:
        """Go on with some of the worlds."""
        at = np.flatnonzero(which)
        self.may, self.has = self.may.take(at, axis=2), self.has.take(at, axis=2)
        self.cards, self.sizes = self.cards.take(at, axis=1), self.sizes.take(at, axis=1)
        most = int(self.used.max(initial=0)) or 1
        self.shown = self.shown[:, :, :most].take(at, axis=3)
        self.asker = self.asker[:, :most].take(at, axis=2)
        self.used = self.used.take(at, axis=1)

    def settle(self) -> None:
        """Apply the rules until they find nothing more."""
        before = None
        while before != (now := (int(self.may.sum()), int(self.has.sum()))):
            before = now
            self._sweep()

    def _sweep(self) -> None:
        """Apply each rule once."""
        may, has = self.may, self.has
        for holder in range(self.layout.holders):
            self._either_ors(holder)
        for place, holder, cards in self.lacking:
            left = cards & ~has[place, holder]
            alone = ~_some(left & left - 1) & ~_some(cards & ~may[place, holder])
            may[place, holder] &= ~(left & alone)
        taken = np.bitwise_or.reduce(has, axis=1)
        once, twice = may[:, 0].copy(), np.zeros_like(taken)
        may[:, 0] &= ~taken | has[:, 0]
        once = may[:, 0].copy()
        for holder in range(1, self.layout.holders):
            may[:, holder] &= ~taken | has[:, holder]
            twice |= once & may[:, holder]
            once |= may[:, holder]
        has |= may & (once & ~twice)[:, None]
        self._envelope(may[:, -1], has[:, -1])
        hands, held = may[:, :-1], has[:, :-1]
        np.copyto(hands, held, where=_count(held) == self.sizes)
        np.copyto(held, hands, where=_count(hands) == self.sizes)

    def _envelope(self, may: Masks, has: Masks) -> None:
        """Apply that the envelope has one card of each category; shapes (seats, worlds)."""
        for mask in self.layout.categories:
            sure = has & mask
            may &= ~(mask & _some(sure)) | sure
            inside = may & mask
            has |= inside & ~_some(inside & inside - 1)

    def _either_ors(self, holder: int) -> None:
        """Find the cards that a holder has because it can have no other of an either-or."""
        may, has, known = self.may[:, holder], self.has[:, holder], self.known[holder]
        most = int(self.used[holder].max(initial=0))
        if len(known):
            has |= _alone(known & may)
        if most:
            has[:1] |= _alone(self.shown[1, holder, :most, None] & may[:1])
            has[1:] |= _alone(self.shown[0, holder, :most, None] & may[1:])


def _alone(left: Masks) -> Masks:
    """Return the cards that are the only ones of their either-or, over the first axis."""
    more = left & left - 1
    more |= -more
    more >>= 8 * left.itemsize - 1
    left &= ~more
    found: Masks = np.bitwise_or.reduce(left, axis=0)
    return found


def _some(cards: Masks) -> Masks:
    """Return -1 where there are cards, else 0."""
    found: Masks = (cards | -cards) >> 8 * cards.itemsize - 1
    return found


def _one_of(cards: Masks, rng: np.random.Generator) -> Masks:
    """Return one of the cards of each set, each as likely; none of an empty one."""
    number = _count(cards)
    most = int(number.max(initial=0))
    if most > 1:
        skip = (rng.random(cards.shape, np.float32) * number).astype(np.int8)
        for past in range(most - 1):
            cards = np.where(skip > past, cards & cards - 1, cards)
    lowest: Masks = cards & -cards
    return lowest


def _count(cards: Masks) -> npt.NDArray[np.unsignedinteger[Any]]:
    """Return the number of cards of each set."""
    count: Any = getattr(np, "bitwise_count", None)  # from numpy 2 on
    if count is not None:
        found: npt.NDArray[np.unsignedinteger[Any]] = count(cards)
        return found
    low = sum(_BITS[cards >> at & 0x7FF] for at in range(0, 8 * cards.itemsize - 1, 11))
    return np.asarray(low, np.uint8)


_BITS = np.array([each.bit_count() for each in range(1 << 11)], np.uint8)
