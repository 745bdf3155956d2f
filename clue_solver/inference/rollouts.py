"""
Thousands of simulated games from a position, to estimate how likely the viewer is to win.

Whole deals are drawn from the viewer's posterior. In each of these worlds every seat's notes are
filled in as it has seen the game there (`notebooks`). A world gets more weight, the likelier the
rivals were to act in it as they did: to ask for these cards, and not to accuse (importance
sampling). From there the games are simulated to their end. In turn each seat asks for the card of
each category that by its notes is likeliest to be in the envelope. Rivals accuse when their notes
have the solution. The viewer begins with its exact chances and crosses off what its rivals ask for,
since simulated players do not ask for their own cards. At each of its turns it notes how likely its
best accusation is to be right, so the same games tell how often it would have won with each
threshold for accusing.

Drawing deals that fit and playing each of them to its end goes back to Ginsberg, "GIB: Imperfect
Information in a Computationally Challenging Game", Journal of Artificial Intelligence Research 14,
2001. The players are an approximation, so no answer about cards comes from here. "The chance of
winning" in docs/mathematics.md has the formulas.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from clue_solver.inference.arrays import Floats, Ints, Truths
from clue_solver.inference.notebooks import (
    Holdings,
    Masks,
    Notebooks,
    Witness,
    draw_one,
    draw_private,
)
from clue_solver.inference.rounding import ROUNDING
from clue_solver.inference.spending import spend
from clue_solver.knowledge.clauses import CardMask, Clause, Layout
from clue_solver.rules.edition import Answering

Asked = TypeVar("Asked")

MOST_TURNS = 120
"""The number of turns after which a game ends without a winner."""

MOST_CELLS = 60_000_000
"""
The number of cells of notes after which games also end: those filled in so far, over all worlds,
turns, seats, holders and cards.

If nobody can get to know the solution, a hundred more turns would tell nothing.
"""

LOOSE, ALIKE = 0.5, 0.9
"""
`LOOSE` is how likely a rival is to be loose before any of its questions is known. A loose rival
notes no either-or, and asks for any cards that the envelope may have, not for the likeliest.
`ALIKE` is how likely the rivals of a world are to be all loose or all not loose. In all other
worlds, a separate draw decides for each rival.
"""

SILENCE = 0.1
"""
The factor for the weight of a world in which a rival could have proved the solution at the end of
its last turn, but did not accuse: it overlooked the proof, or notes less than it could.

The factor counts once for each world. Whatever a seat could prove earlier, it can still prove in
its last turn, and the rivals of a world mostly play alike (`ALIKE`), so that a second silent rival
says nothing new.
"""

FEWEST = 300
"""
The fewest worlds (deals) in which to simulate games, if so many were drawn.

If only a few have much weight, these are used more than once.
"""

THRESHOLDS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""
The thresholds to try. The viewer accuses as soon as its chance of being right reaches the
threshold.
"""

_START_WORK, _TURN_WORK, _CELL_WORK = 2_000_000, 400_000, 4
"""
The cost, in units of `spending`, of the start, of a turn in all worlds, and of each of its cells of
notes.
"""

ROUNDS: tuple[tuple[float, int | None], ...] = ((1 / 8, None), (1 / 4, 4), (1 / 2, 2), (1.0, 1))
"""
The rounds of a race of questions (`Rollouts.race`), as pairs of two numbers.

The first number is the share of the worlds in which the questions of the round have been played by
its end. The second is how many of the best questions take part besides the first one; `None` means
all.
"""

AHEAD = 3.5
"""
A question is better than the first one if it wins more often in the same worlds, by more than this
many standard errors. With 3.0, a tenth of all advice would change if more games were simulated,
without winning more of them.
"""


class TurnPlan(NamedTuple):
    """
    How a simulated game goes on: who takes turns, and what may be done in them.

    Seats, holders and categories are given by their numbers.

    Attributes:
        viewer: The seat whose chance of winning is asked for.
        turns: The seats that still take turns, in order, the next one first.
        answering: For each seat, the other seats in the order in which they answer it.
        who_shows: Which of the seats that can show a card do so.
        named: The sets of categories that a suggestion may name. A seat goes through the sets turn
            by turn.
        rooms: The category that the board restricts; `None` if every card may be named.
        reach: The chance that a card of the category `rooms` can be named in a turn, independently
            for each card.
        looks: The slots of face-down cards that can be looked at.
        most: The number of turns after which a game ends without a winner.
        own: For each seat, the chance that it names a card of its own in a category; empty if seats
            never do.
    """

    viewer: int
    turns: tuple[int, ...]
    answering: tuple[tuple[int, ...], ...]
    who_shows: Answering
    named: tuple[tuple[int, ...], ...]
    rooms: int | None = None
    reach: float = 1.0
    looks: tuple[int, ...] = ()
    most: int = MOST_TURNS
    own: tuple[float, ...] = ()


class Estimate(NamedTuple):
    """
    A share of games, or the difference between two shares, estimated from simulated games.

    Attributes:
        value: The estimate.
        error: Its standard error.
    """

    value: float
    error: float

    @classmethod
    def of(cls, won: npt.NDArray[np.bool_] | Floats, most: float = inf) -> "Estimate":
        """
        Return the mean of the results of games, with its standard error.

        Args:
            won: The result of each game: whether it was won, or a number.
            most: As how many games, at most, they count for the error; they may not be independent.
        """
        return cls(float(won.mean()), float(np.sqrt(_spread(won) / min(len(won), most))))

    @classmethod
    def paired(cls, won: Truths, first: Truths, most: float = inf) -> "Estimate":
        """
        Return how often a question wins, estimated from its difference from another question.

        The share is the other's share in all N worlds, plus the mean of the differences d in the n
        worlds in which both were played. With w for `won`, the variance is var(d) (1 / n - 1 / N) +
        var(w) / N.

        Args:
            won: Whether the question wins, in the first n of the N worlds.
            first: Whether the other question wins, in all N worlds.
            most: As how many worlds, at most, n and N count for the error; worlds may not be
                independent.
        """
        more = won.astype(float) - first[: len(won)]
        share = float(np.clip(first.mean() + more.mean(), 0.0, 1.0))
        some, whole = min(len(won), most), min(len(first), most)
        apart = float(more.var()) * (1 / some - 1 / whole)
        return cls(share, float(np.sqrt(apart + _spread(won) / whole)))


def _spread(won: Truths | Floats) -> float:
    """Return the variance of the results `won` of n games, but at least 1 / (4 n)."""
    return max(float(won.var()), 0.25 / len(won))


class Race(NamedTuple, Generic[Asked]):
    """
    How often the viewer wins after each question, in simulated games.

    Attributes:
        chances: For each question, the share of games that the viewer wins after it.
        better: For each question that clearly wins more often than the first one, how much larger
            its share is.
    """

    chances: dict[Asked, Estimate]
    better: dict[Asked, Estimate]


class FinishedGames(NamedTuple):
    """
    How simulated games went, one in each world.

    Attributes:
        chances: The probability, by the viewer's own notes, that its best accusation at each of its
            turns was right: 1 if certain, -1 if the game was over; shape (turns, worlds).
        right: Whether that accusation was right, same shape.
        turns: The number of turns until somebody was certain, shape (worlds,).
        winner: The seat that accuses first if the viewer waits for certainty, -1 if nobody does;
            shape (worlds,).
    """

    chances: Floats
    right: Truths
    turns: Ints
    winner: Ints

    def part(self, which: slice) -> "FinishedGames":
        """Return the games in some of the worlds, given as a slice of their numbers."""
        return FinishedGames(
            self.chances[:, which], self.right[:, which], self.turns[which], self.winner[which]
        )

    def wins(self, threshold: float) -> Truths:
        """
        Return whether the viewer wins each game, shape (worlds,).

        It accuses as soon as the chance of its best accusation reaches the threshold.
        """
        if not len(self.chances):
            return np.zeros(len(self.turns), bool)
        ready = self.chances >= threshold - ROUNDING
        first = ready.argmax(axis=0)
        world = np.arange(ready.shape[1])
        won: Truths = ready[first, world] & self.right[first, world]
        return won

    def won(self) -> Truths:
        """
        Return whether the viewer wins each game, shape (worlds,), if it accuses when that is best.

        It accuses as soon as its chance of being right reaches a threshold. The threshold that is
        best for one half of the worlds is applied to the other half, so that the choice does not
        bias the result.
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
    Worlds that fit a position, in which games can be simulated many times.

    A world is a deal, together with what every seat has noted in it.

    Attributes:
        start: The notes at the position, in equally weighted worlds in random order.
        marginals: The probability that each holder has each card, given also what the rivals did;
            shape (cards, holders).
        worth: The effective number of drawn worlds: this many equally weighted worlds would be just
            as precise.
    """

    def __init__(
        self,
        layout: Layout,
        viewer: int,
        deals: Ints,
        witnesses: Sequence[Witness],
        *,
        possible: Sequence[int],
        marginals: Floats,
        rng: np.random.Generator,
        crossed_off: CardMask = 0,
        most: int,
    ) -> None:
        """
        Fill in the notes of each seat in each deal, and weigh the deals by what rivals did.

        A deal gets more weight, the likelier the rivals were to act in it as they did.

        Args:
            layout: The shape of the table.
            viewer: The number of the seat whose chance of winning is asked for.
            deals: The holder of each card in deals drawn from the viewer's posterior, shape
                (worlds, cards).
            witnesses: What each seat has seen, in the order of the seats.
            possible: For each card, the mask of the holders that can have it as far as the viewer
                can prove.
            marginals: The viewer's chance that each holder has each card, shape (cards, holders).
            rng: The source of randomness.
            crossed_off: The mask of the cards that the viewer crosses off when a rival asks for
                them.
            most: The most worlds in which to simulate games.
        """
        self.rng = rng
        self._racing = rng.spawn(1)[0]  # so that races do not depend on other simulated games
        spend(_START_WORK + deals.size * layout.holders)
        held = Holdings.of(layout, deals)
        self._inside = held.cards[-1]
        each = rng.random((layout.seats, len(deals))) < LOOSE
        loose = np.where(rng.random(len(deals)) < ALIKE, each[0], each)
        books = Notebooks(layout, viewer, held, crossed_off=crossed_off, loose=loose)
        books.learn(viewer, witnesses[viewer].clauses)

        self._weight = _replay(books, witnesses, rng)
        self._weight /= self._weight.mean()
        self._each = float((self._weight**2).mean())  # drawn worlds for each effective one (Kish)

        # If all worlds have the same weight, the exact chances do not change.
        factor = [self._factor(deals == holder) for holder in range(layout.holders)]
        self.marginals = marginals * np.transpose(factor)
        self.marginals /= self.marginals.sum(axis=1, keepdims=True)

        # Games go on in the effective number of worlds, in each as often as its weight says.
        self.worth = len(deals) / self._each
        worlds = min(max(int(self.worth), min(FEWEST, len(deals))), most)
        marks = (rng.permutation(worlds) + rng.random()) * len(deals) / worlds
        self.start = books.take(np.searchsorted(np.cumsum(self._weight), marks))
        self.start.set_viewer(possible, self.marginals)

    def _factor(self, here: Truths) -> Floats:
        """
        Return how many times likelier events become because of the worlds' weights.

        One effective world of mean weight is added to each event, so that no factor is extreme.

        Args:
            here: Whether each event is true in each world, shape (worlds, ...).

        Returns:
            The factor of each event, shape (...).
        """
        factor: Floats = (self._weight @ here + self._each) / (here.sum(axis=0) + self._each)
        return factor

    def error(self, chance: float) -> float:
        """
        Return the standard error of a chance that is estimated from the drawn worlds.

        They count only as the number of equally weighted worlds that would be as precise (`worth`).
        """
        return float(np.sqrt(chance * (1.0 - chance) * self._each / len(self._weight)))

    def reweight(self, solutions: Ints, chances: Floats) -> Floats:
        """
        Return the chances of solutions after correcting them by what the rivals did.

        Args:
            solutions: The mask of the cards of each solution, shape (solutions,).
            chances: The viewer's chance of each solution, the same shape.
        """
        after: Floats = chances * self._factor(self._inside[:, None] == solutions)
        after /= after.sum()
        return after

    @property
    def worlds(self) -> int:
        """The number of drawn deals (worlds) that games can be simulated in."""
        return self.start.worlds

    def play(self, plan: TurnPlan, *, most: int) -> FinishedGames:
        """Return how games end that go on by `plan`, simulated in at most `most` of the worlds."""
        worlds = np.arange(min(most, self.worlds))
        return _simulate(self.start.take(worlds), plan, None, None, self.rng)

    def race(
        self,
        plan: TurnPlan,
        questions: Sequence[int],
        *,
        looks: Mapping[int, int],
        weight: Mapping[int, float],
    ) -> Race[int]:
        """
        Return how often the viewer wins after each question, in simulated games.

        Only the better questions are played in all worlds. All are played in the same worlds, so
        that differences are paired.

        Args:
            plan: How the game goes on; it is the viewer's turn.
            questions: The mask of the cards asked for, for each question. All others are compared
                with the first.
            looks: For a question, the slot at which the viewer looks before it.
            weight: For each question, a factor for its advantage over the first when the better
                questions are chosen.
        """
        won: dict[int, Truths] = {question: np.zeros(0, bool) for question in questions}
        first, *left = questions
        better: dict[int, Estimate] = {}
        for share, most in ROUNDS:
            left = left[:most]
            upto = max(round(share * self.worlds), 1)
            self.extend(plan, won, [first, *left], looks, upto)
            for question in left:
                more = won[question].astype(float) - won[first]
                better[question] = Estimate.of(more, self.worth)
            left.sort(key=lambda question: -better[question].value * weight[question])

        return Race(
            {
                question: Estimate.paired(won[question], won[first], self.worth)
                for question in questions
            },
            {
                each: better[each]
                for each in left
                if better[each].value > AHEAD * better[each].error
            },
        )

    def extend(
        self,
        plan: TurnPlan,
        won: dict[int, Truths],
        questions: Sequence[int],
        looks: Mapping[int, int],
        upto: int,
    ) -> None:
        """
        Simulate games after each question, until it has been played in `upto` worlds.

        Args:
            plan, questions, looks: As in `race`.
            won: For each question, whether the viewer won in each world so far; the new results are
                appended. All questions have been played in equally many worlds.
            upto: The number of worlds.
        """
        done = len(won[questions[0]])
        many = upto - done
        if not many:
            return
        worlds = np.tile(np.arange(done, upto), len(questions))
        first = np.repeat(np.array(questions), many).astype(self.start.dtype)
        look = np.repeat([looks.get(question, -1) for question in questions], many)
        played = _simulate(self.start.take(worlds), plan, first, look, self._racing)
        for place, question in enumerate(questions):
            more = played.part(slice(place * many, (place + 1) * many)).won()
            won[question] = np.concatenate([won[question], more])


def _replay(books: Notebooks, witnesses: Sequence[Witness], rng: np.random.Generator) -> Floats:
    """
    Go through the log again, entry by entry, and fill in the rivals' notes as they then were.

    Args:
        books: The notes of all seats, which are changed.
        witnesses: What each seat has seen, in the order of the seats.
        rng: The source of randomness for the cards that only rivals saw.

    Returns:
        How likely the rivals were to act as they did, in each world, given what each knew then;
        shape (worlds,).
    """
    rivals = [seat for seat in range(books.layout.seats) if seat != books.viewer]
    weight = np.ones(books.worlds)
    knew = np.zeros(books.worlds, bool)  # where a rival did not accuse though it could
    learned = [_by_entry(each, books.held, rng) for each in witnesses]
    acted = [entry for each in witnesses for entry in (*each.asked.keys(), each.over)]
    last = max(*acted, *(max(entries.keys()) for entries in learned))
    for entry in range(last + 1):
        for seat in rivals:
            if cards := witnesses[seat].asked.get(entry):
                books.settle()
                weight *= books.likelihood(seat, cards)
        for seat in rivals:
            books.learn(seat, *learned[seat].get(entry, ((), ())))
            if entry and witnesses[seat].over == entry:
                books.settle()
                knew |= books.solved(seat)
    return weight * np.where(knew, SILENCE, 1.0)


def _by_entry(
    witness: Witness, held: Holdings, rng: np.random.Generator
) -> dict[int, tuple[list[Clause], list[tuple[int, Masks]]]]:
    """
    Return what a seat learned by each entry, by the entry's number.

    That is a list of clauses, and a list of the cards that it saw: for each the number of its
    holder, and a mask of the card in each world. These cards are drawn at random.
    """
    learned: dict[int, tuple[list[Clause], list[tuple[int, Masks]]]] = {0: ([], [])}
    for clause in witness.clauses:
        learned.setdefault(max(clause.entries, default=0), ([], []))[0].append(clause)
    drawn = draw_private(witness.private, held, rng)
    for unseen, cards in zip(witness.private, drawn, strict=True):
        learned.setdefault(unseen.entry, ([], []))[1].append((unseen.holder, cards))
    return learned


def _choose_cards(books: Notebooks, plan: TurnPlan, turn: int, rng: np.random.Generator) -> Masks:
    """
    Return the cards that a seat asks for in a turn, as a mask for each world, shape (worlds,).

    `turn` is the number of the turn, from 0; it says which seat asks. In place of any card but a
    room, the seat may name a card of its own.
    """
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


def _simulate(
    books: Notebooks,
    plan: TurnPlan,
    first: Masks | None,
    look: Ints | None,
    rng: np.random.Generator,
) -> FinishedGames:
    """
    Return how games end that are simulated in the worlds of `books`, which are changed.

    Args:
        books: The notes at the start.
        plan: How the games go on.
        first: The cards that the viewer asks for in its first turn, a mask for each world; if
            `None`, its notes decide.
        look: The slot that the viewer looks at before asking, for each world; -1 for none. If
            `None`, it looks as in any other turn.
        rng: The source of randomness.
    """
    worlds = books.worlds
    alive = np.arange(worlds)  # the worlds in which nobody was certain yet
    turns, winner = np.zeros(worlds, np.int64), np.full(worlds, -1)
    chances, right = list[Floats](), list[Truths]()
    cells = books.layout.seats * books.layout.holders * books.layout.cards
    work = 0
    for turn in range(plan.most):
        # It ends when somebody was certain in every world, or when it has cost too much.
        by = plan.turns[turn % len(plan.turns)]
        work += len(alive) * cells
        if work > MOST_CELLS or not len(alive):
            break
        spend(_TURN_WORK + len(alive) * cells * _CELL_WORK)

        # The seat whose turn it is looks at a face-down card if it reaches one, then asks.
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
            asked = _choose_cards(books, plan, turn, rng)
        books.suggest(by, asked, plan.answering[by], rng, who_shows=plan.who_shows)
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
        # Worlds in which somebody accused are over.
        winner[alive[sure]] = by
        if sure.any():
            alive = alive[~sure]
            books = books.take(np.flatnonzero(~sure))
    shape = (len(chances), worlds)
    return FinishedGames(
        np.array(chances).reshape(shape), np.array(right, bool).reshape(shape), turns, winner
    )
