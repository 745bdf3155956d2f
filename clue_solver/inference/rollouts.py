"""
Games played on from a position, thousands at once: how likely the viewer is to win.

Whole deals are drawn from the viewer's posterior. In each of these worlds every seat's notes are
filled in as it has seen the game there (`notebooks`), and a world counts the more, the likelier the
rivals were to do in it what they did: to ask for these cards, and not to accuse (importance
sampling). From there the games go on. In turn each seat asks for the card of each category that its
notes make likeliest to be in the envelope. Rivals accuse when their notes have the solution. The
viewer begins with its exact chances, crosses off what its rivals ask for, since these players never
ask for own cards, and notes at each of its turns how likely its best accusation is. So the same
games tell what every threshold for accusing would have won.

To draw deals that fit and play each of them to its end goes back to Ginsberg, "GIB: Imperfect
Information in a Computationally Challenging Game", Journal of Artificial Intelligence Research 14,
2001. The players are an approximation, so no answer about cards comes from here.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.inference.arrays import Floats, Ints, Truths
from clue_solver.inference.notebooks import (
    Held,
    Masks,
    Notebooks,
    Witness,
    draw_one,
    draw_private,
)
from clue_solver.inference.rounding import ROUNDING
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import Clause, Layout
from clue_solver.rules.edition import Answering

MOST_TURNS = 120
"""The number of turns after which a game is over, and nobody has won."""

MOST_CELLS = 60_000_000
"""
Games are over as well once so many cells of notes (worlds, turns, seats, holders, cards) were gone
through: where nobody can come to know the solution a hundred turns would tell no more.
"""

LOOSE, ALIKE = 0.5, 0.9
"""
How likely a rival is to be loose, before it is seen what it asks for: it notes no either-or, and
asks for any cards that the envelope may have, not for the likeliest. How likely all rivals of a
world are alike in that; in the others each is drawn by itself.
"""

SILENCE = 0.1
"""
What a world weighs in which a rival could prove the solution at the end of its last turn and did
not accuse: it has overlooked it, or notes less than it could. It counts once a world. What a seat
could prove at an earlier turn it still can at its last, and the rivals of a world are mostly of one
sort (`ALIKE`): one that stays silent says what a second one would say.
"""

FEWEST = 300
"""
In how many worlds games are played on at least, if as many were drawn: where few of them count,
these are played on more than once.
"""

THRESHOLDS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The least chance of being right at which the viewer accuses; the last is certainty."""

_START_WORK, _TURN_WORK, _CELL_WORK = 2_000_000, 400_000, 4
"""What beginning costs, a turn of all worlds, and each of their cells in it, as in `spending`."""

ROUNDS: tuple[tuple[float, int | None], ...] = ((1 / 8, None), (1 / 4, 4), (1 / 2, 2), (1.0, 1))
"""
The rounds of a race of questions: the share of the worlds in which those left have been played on
at its end, and how many of the best are left beside the first question; all of them in the first.
"""

AHEAD = 3.5
"""
By how many of its standard errors the last one has to win more than the first, played on in as
many worlds. At 3.0 a tenth of all advice changes on a closer look, and wins no more games for it.
"""


class TurnPlan(NamedTuple):
    """
    How the game goes on.

    Attributes:
        viewer: The seat whose chance of winning is asked for.
        turns: The seats that take turns, the next one first.
        answering: For each seat the others in the order in which they answer it.
        rule: Who shows a card of those who can.
        named: The categories of which a suggestion names a card, by number: each way to choose
            them, which a seat takes turn by turn.
        rooms: The category that a board decides; `None` where every card may be named.
        reach: The chance that one of its cards can be named in a turn, each by itself.
        looks: The places of face-down cards that can be looked at.
        most: The number of turns after which nobody has won.
        own: For each seat the chance that it names a card of its own, for each category.
    """

    viewer: int
    turns: tuple[int, ...]
    answering: tuple[tuple[int, ...], ...]
    rule: Answering
    named: tuple[tuple[int, ...], ...]
    rooms: int | None = None
    reach: float = 1.0
    looks: tuple[int, ...] = ()
    most: int = MOST_TURNS
    own: tuple[float, ...] = ()


class Share(NamedTuple):
    """A share of games, with its standard error."""

    share: float
    error: float

    @classmethod
    def of(cls, won: npt.NDArray[np.bool_] | Floats, most: float = inf) -> "Share":
        """Return the mean, and its error, of games that count as `most` at most."""
        return cls(float(won.mean()), float(np.sqrt(_spread(won) / min(len(won), most))))

    @classmethod
    def beside(cls, won: Truths, first: Truths, most: float = inf) -> "Share":
        """
        Return how often a question wins: as often as `first`, plus what it won more beside it.

        It was played on in some of the worlds of `first`. What the two have in common is taken from
        all of these: with d what it won more in n games of N, and w what it won, the variance is
        var(d) (1 / n - 1 / N) + var(w) / N.
        """
        more = won.astype(float) - first[: len(won)]
        share = float(np.clip(first.mean() + more.mean(), 0.0, 1.0))
        some, whole = min(len(won), most), min(len(first), most)
        apart = float(more.var()) * (1 / some - 1 / whole)
        return cls(share, float(np.sqrt(apart + _spread(won) / whole)))


def _spread(won: Truths | Floats) -> float:
    """Return the variance of games won, at least that of half a game that went otherwise."""
    return max(float(won.var()), 0.25 / len(won))


class Race(NamedTuple):
    """
    What questions win, by games played on.

    Attributes:
        chances: How often each wins.
        better: By how much more than the first, of those that clearly win more.
    """

    chances: dict[int, Share]
    better: dict[int, Share]


class Finished(NamedTuple):
    """
    How games went.

    Attributes:
        chances: At each of the viewer's turns how likely its best accusation was by its own notes,
            1 where it was certain, -1 where the game was over; shape (turns, worlds).
        right: Whether that accusation was right, same shape.
        turns: How many turns there were until somebody was certain, shape (worlds,).
        winner: The seat that accused first, if the viewer waits for certainty; -1 if none did.
    """

    chances: Floats
    right: Truths
    turns: Ints
    winner: Ints

    def part(self, which: slice) -> "Finished":
        """Return some of the games."""
        return Finished(
            self.chances[:, which], self.right[:, which], self.turns[which], self.winner[which]
        )

    def wins(self, threshold: float) -> Truths:
        """Return where the viewer wins if it accuses as soon as its best one is so likely right."""
        if not len(self.chances):
            return np.zeros(len(self.turns), bool)
        ready = self.chances >= threshold - ROUNDING
        first = ready.argmax(axis=0)
        world = np.arange(ready.shape[1])
        won: Truths = ready[first, world] & self.right[first, world]
        return won

    def won(self) -> Truths:
        """
        Return where the viewer wins by the best threshold.

        That of one half of the worlds is applied to the other half, so that choosing does not
        flatter.
        """
        wins = np.array([self.wins(threshold) for threshold in THRESHOLDS])
        won: Truths = wins[-1].copy()
        half = np.arange(wins.shape[1]) % 2 == 0
        for part in (half, ~half):
            if (~part).any():
                won[part] = wins[int(wins[:, ~part].mean(axis=1).argmax()), part]
        return won


class Rollouts:
    """
    Worlds that fit a position, from which games are played on again and again.

    Attributes:
        start: The notes as they are now, in worlds that count alike, in random order.
        worth: How many drawn worlds they are worth, if all count alike.
    """

    def __init__(
        self,
        layout: Layout,
        viewer: int,
        deals: Ints,
        eyes: Sequence[Witness],
        *,
        possible: Sequence[int],
        marginals: Floats,
        rng: np.random.Generator,
        read: int = 0,
        most: int,
    ) -> None:
        """
        Draw what each seat has seen in each of the worlds, and weigh what it did.

        Args:
            layout: The shape of the table.
            viewer: Whose chance of winning is asked for.
            deals: Drawn from its posterior, shape (worlds, cards).
            eyes: What each seat knows, by seat.
            possible, marginals: What the viewer knows (`Notebooks.read`).
            rng: Draws what was shown, and plays.
            read: The mask of the cards that the viewer crosses off where a rival asks for them.
            most: In how many worlds games are played on at most.
        """
        self.rng = rng
        self._racing = rng.spawn(1)[0]  # whatever else is played on, the same games are raced
        spend(_START_WORK + deals.size * layout.holders)
        held = Held.of(layout, deals)
        self._inside = held.cards[-1]
        rivals = [seat for seat in range(layout.seats) if seat != viewer]
        each = rng.random((layout.seats, len(deals))) < LOOSE
        loose = np.where(rng.random(len(deals)) < ALIKE, each[0], each)
        books = Notebooks(layout, viewer, held, read=read, loose=loose)
        books.learn(viewer, eyes[viewer].clauses)

        # The game is gone through again: who asks goes by what it knew then.
        weight = np.ones(len(deals))
        knew = np.zeros(len(deals), bool)  # where a rival did not accuse though it could
        learned = [_by_entry(each, held, rng) for each in eyes]
        last = max(
            max((*known, *each.asked, each.over)) for known, each in zip(learned, eyes, strict=True)
        )
        for entry in range(last + 1):
            for seat in rivals:
                if cards := eyes[seat].asked.get(entry):
                    books.settle()
                    weight *= books.likelihood(seat, cards)
            for seat in rivals:
                books.learn(seat, *learned[seat].get(entry, ((), ())))
                if eyes[seat].over == entry > 0:
                    books.settle()
                    knew |= books.solved(seat)
        self._weight = weight * np.where(knew, SILENCE, 1.0)
        self._weight /= self._weight.mean()

        self._each = float((self._weight**2).mean())  # how many drawn worlds one is worth (Kish)

        # Chances are as exact as before where all worlds count alike.
        factor = [self._factor(deals == holder) for holder in range(layout.holders)]
        self.marginals = marginals * np.transpose(factor)
        self.marginals /= self.marginals.sum(axis=1, keepdims=True)

        # As many worlds as these are worth go on, each as often as it counts.
        self.worth = len(deals) / self._each
        worlds = min(max(int(self.worth), min(FEWEST, len(deals))), most)
        marks = (rng.permutation(worlds) + rng.random()) * len(deals) / worlds
        self.start = books.take(np.searchsorted(np.cumsum(self._weight), marks))
        self.start.read(possible, self.marginals)

    def _factor(self, here: Truths) -> Floats:
        """
        Return by what factor the weights make something likelier, with one neutral world added.

        Args:
            here: Where it is so, shape (worlds, ...).
        """
        factor: Floats = (self._weight @ here + self._each) / (here.sum(axis=0) + self._each)
        return factor

    def error(self, chance: float) -> float:
        """Return the standard error of a chance, by how many worlds those drawn are worth."""
        return float(np.sqrt(chance * (1.0 - chance) * self._each / len(self._weight)))

    def read(self, solutions: Ints, chances: Floats) -> Floats:
        """Return the chances of solutions (masks of cards) given also what the rivals did."""
        read: Floats = chances * self._factor(self._inside[:, None] == solutions)
        read /= read.sum()
        return read

    @property
    def worlds(self) -> int:
        """Number of worlds."""
        return self.start.worlds

    def play(self, plan: TurnPlan, *, most: int) -> Finished:
        """Play worlds on to the end, at most `most` of them."""
        worlds = np.arange(min(most, self.worlds))
        return _played(self.start.take(worlds), plan, None, None, self.rng)

    def race(
        self,
        plan: TurnPlan,
        questions: Sequence[int],
        *,
        looks: Mapping[int, int],
        weight: Mapping[int, float],
    ) -> Race:
        """
        Play on after each of some questions, the better ones in more and more worlds.

        All are played in the same worlds, so that differences are of pairs.

        Args:
            plan: How the game goes on; it is the viewer's turn.
            questions: Masks of cards; the first is held against all others.
            looks: The place at which the viewer looks before a question, where it does.
            weight: What counts of what each wins more than the first.
        """
        won: dict[int, Truths] = {question: np.zeros(0, bool) for question in questions}
        first, *left = questions
        better: dict[int, Share] = {}
        for share, most in ROUNDS:
            left = left[:most]
            upto = max(round(share * self.worlds), 1)
            self.play_on(plan, won, [first, *left], looks, upto)
            for question in left:
                more = won[question].astype(float) - won[first]
                better[question] = Share.of(more, self.worth)
            left.sort(key=lambda question: -better[question].share * weight[question])

        return Race(
            {
                question: Share.beside(won[question], won[first], self.worth)
                for question in questions
            },
            {
                each: better[each]
                for each in left
                if better[each].share > AHEAD * better[each].error
            },
        )

    def play_on(
        self,
        plan: TurnPlan,
        won: dict[int, Truths],
        questions: Sequence[int],
        looks: Mapping[int, int],
        upto: int,
    ) -> None:
        """Play questions on in further worlds, up to the number `upto`, and note who won."""
        done = len(won[questions[0]])
        many = upto - done
        if not many:
            return
        worlds = np.tile(np.arange(done, upto), len(questions))
        first = np.repeat(np.array(questions), many).astype(self.start.dtype)
        look = np.repeat([looks.get(question, -1) for question in questions], many)
        played = _played(self.start.take(worlds), plan, first, look, self._racing)
        for place, question in enumerate(questions):
            more = played.part(slice(place * many, (place + 1) * many)).won()
            won[question] = np.concatenate([won[question], more])


def _by_entry(
    eyes: Witness, held: Held, rng: np.random.Generator
) -> dict[int, tuple[list[Clause], list[tuple[int, Masks]]]]:
    """Return by entry what a seat came to know, and the cards that it saw, which are drawn."""
    learned: dict[int, tuple[list[Clause], list[tuple[int, Masks]]]] = {0: ([], [])}
    for clause in eyes.clauses:
        learned.setdefault(max(clause.entries, default=0), ([], []))[0].append(clause)
    for unseen, cards in zip(eyes.private, draw_private(eyes.private, held, rng), strict=True):
        learned.setdefault(unseen.entry, ([], []))[1].append((unseen.holder, cards))
    return learned


def _asked(
    books: Notebooks,
    plan: TurnPlan,
    turn: int,
    rng: np.random.Generator,
) -> Masks:
    """Return what is asked in a turn; seats may name own cards instead, except for a room."""
    around = len(plan.turns)
    by = plan.turns[turn % around]
    asked = books.likeliest(
        by,
        plan.named[(turn // around + by) % len(plan.named)],
        rng,
        rooms=plan.rooms,
        reach=plan.reach,
    )
    if not (by < len(plan.own) and plan.own[by]):
        return asked
    for category, mask in enumerate(books.layout.categories):
        own = draw_one(books.held.cards[by] & mask, rng)
        instead = (asked & mask != 0) & (own != 0) & (rng.random(len(own)) < plan.own[by])
        if category != plan.rooms:
            asked = np.where(instead, asked & ~mask | own, asked)
    return asked


def _played(
    books: Notebooks,
    plan: TurnPlan,
    first: Masks | None,
    look: Ints | None,
    rng: np.random.Generator,
) -> Finished:
    """
    Play the worlds of some notebooks to their ends; this changes the notebooks.

    Args:
        books: The notes at the beginning.
        plan: How the games go on.
        first: What the viewer asks for at its first turn, a mask for each world; by its notes if
            left out.
        look: At which place it looks before that, for each world; -1 for none.
        rng: Draws what is left to chance.
    """
    worlds = books.worlds
    alive = np.arange(worlds)  # the worlds in which nobody was certain yet
    turns, winner = np.zeros(worlds, np.int64), np.full(worlds, -1)
    chances, right = list[Floats](), list[Truths]()
    cells = books.layout.seats * books.layout.holders * books.layout.cards
    work = 0
    for turn in range(plan.most):
        by = plan.turns[turn % len(plan.turns)]
        work += len(alive) * cells
        if work > MOST_CELLS or not len(alive):
            break
        spend(_TURN_WORK + len(alive) * cells * _CELL_WORK)

        # Who has the turn looks at a face-down card where it gets to one, then asks.
        if look is not None and by == plan.viewer:
            for slot in plan.looks:
                books.look(by, (slot,), rng, reach=1.0, where=look[alive] == slot)
            books.settle()
            look = None
        elif plan.looks:
            books.look(by, plan.looks, rng, reach=plan.reach)
            books.settle()
        if first is not None and by == plan.viewer:
            asked: Masks = first[alive]
            first = None
        else:
            asked = _asked(books, plan, turn, rng)
        books.suggest(by, asked, plan.answering[by], rng, rule=plan.rule)
        books.settle()
        turns[alive] += 1

        # Whoever is certain accuses. The viewer notes how likely its best accusation is.
        sure = books.solved(by)
        if by == plan.viewer:
            guess, chance = books.best(by)
            chances.append(np.full(worlds, -1.0))
            right.append(np.zeros(worlds, bool))
            chances[-1][alive] = np.where(sure, 1.0, chance)
            right[-1][alive] = guess == books.held.cards[-1]
        winner[alive[sure]] = by
        if sure.any():
            alive = alive[~sure]
            books = books.take(np.flatnonzero(~sure))
    shape = (len(chances), worlds)
    return Finished(
        np.array(chances).reshape(shape), np.array(right, bool).reshape(shape), turns, winner
    )
