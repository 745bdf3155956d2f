"""
How much a player's suggestions and uses of the bonus die tell, computed from the deals that fit.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product

import numpy as np

from clue_solver.answers.known import KnownGame
from clue_solver.answers.own_turn import Cards
from clue_solver.answers.unseen import notches
from clue_solver.inference.estimator import GainEstimator
from clue_solver.inference.gains import Gain
from clue_solver.inference.outcomes import Chances, Outcomes, Query
from clue_solver.inference.rounding import ROUNDING, rounded, sort_key
from clue_solver.inference.spending import spent
from clue_solver.knowledge.clauses import Numbers, card_numbers
from clue_solver.rules import observations as observed
from clue_solver.rules.edition import Answering
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Play
from clue_solver.rules.turns import TurnState

WORK, MOST_PLANS, FEWEST_PLANS = 700_000_000, 2_000, 30
"""
`WORK` is the most that ranking suggestions may cost before the best are computed exactly, in units
of `spending` (about two seconds). `MOST_PLANS` and `FEWEST_PLANS` are the most and the fewest
suggestions to weigh.
"""

SURE = 0.9
"""The least chance at which a seat is almost certain to show a card."""


class Questions:
    """
    Computes how much one player's questions would tell it, after the entries so far.

    What a question tells is its gain: the information about the solution, in bits, that its answer
    is expected to bring.

    Args:
        known: The game so far; the table's viewer asks.
        rng: The source of randomness for deals, if there are too many to use all.
        sample: How many deals to draw then; if left out, enough for good estimates.

    Attributes:
        own: The player's own cards.
        inside: For each card, the probability that the envelope has it.
        proved: The cards that the envelope has for certain.
        estimator: The estimator of gains, which holds the deals.
    """

    def __init__(
        self, known: KnownGame, rng: np.random.Generator, *, sample: int | None = None
    ) -> None:
        table, diagram = known.table, known.diagram
        self.known = known
        self.viewer = str(table.viewer)
        self.numbers = Numbers(table)
        self.estimator = GainEstimator(
            known.knowledge, diagram, rng, posterior=known.solutions, sample=sample
        )
        seat = self.numbers.holder(self.viewer)
        left = TurnState.of(known.log).left
        self._answering = tuple(map(self.numbers.holder, table.answering(self.viewer, left=left)))
        envelope = self.numbers.layout.envelope
        owners = [*zip(table.cards, diagram.openings.certain, strict=True)]
        self.own = frozenset(card for card, holder in owners if holder == seat)
        self.proved = frozenset(card for card, holder in owners if holder == envelope)
        chances = diagram.marginals()[:, envelope].tolist()
        self.inside = dict.fromkeys(table.edition.names, 0.0)  # one that lies face-up is not there
        self.inside |= zip(table.cards, chances, strict=True)

    def query(
        self,
        cards: Sequence[str],
        *,
        look: str | None = None,
        seat: str | None = None,
        who_shows: Answering | None = None,
    ) -> Query:
        """
        Return a question in numbers, as the estimator of gains takes it.

        Args:
            cards: The cards or features named.
            look: The slot of a face-down card that the player looks at first; `None` for none.
            seat: The only seat that is asked; if left out, all seats in order.
            who_shows: Which of the seats that can show a card do so; as at the table if left out.
        """
        return Query(
            tuple(card_numbers(self.numbers.cards(cards))),
            self._answering if seat is None else (self.numbers.holder(seat),),
            who_shows or self.known.table.who_shows,
            -1 if look is None else self.numbers.holder(look),
        )

    def gain(self, cards: Sequence[str], *, look: str | None = None, exactly: bool = False) -> Gain:
        """
        Return the gain of a suggestion: the information that its answer is expected to bring.

        Args:
            cards: The cards of the suggestion.
            look: The slot of a face-down card that the player looks at first; `None` for none.
            exactly: Whether to compute the gain exactly, unless that is too costly.
        """
        query = self.query(cards, look=look)
        return self.estimator.exact_if_affordable(query) if exactly else self.estimator.gain(query)

    def rank(
        self,
        reach: Mapping[Cards, float],
        look: Callable[[Cards], str | None],
        *,
        first: int,
        most: int = MOST_PLANS,
    ) -> list[tuple[Cards, Gain]]:
        """
        Return suggestions with their gains; the best by gain times `reach` comes first.

        Ties stay in the given order. If there are too many suggestions to weigh, only those are
        weighed whose cards are most open.

        Args:
            reach: The chance that each suggestion can be made.
            look: A function that returns the slot that the player looks at before a suggestion, or
                `None`.
            first: How many of the best to compute exactly, as far as possible.
            most: The most suggestions to weigh.
        """
        queries = {cards: self.query(cards, look=look(cards)) for cards in reach}
        open_bits = [reach[cards] * self.estimator.openness(queries[cards]) for cards in queries]
        promise = dict(zip(queries, sort_key(open_bits).tolist(), strict=True))

        # As many are weighed as the budget allows, the most promising first.
        begun = spent()
        gains: dict[Cards, Gain] = {}
        for cards in sorted(queries, key=lambda cards: -promise[cards])[:most]:
            if len(gains) >= FEWEST_PLANS and spent() - begun > WORK:
                break
            gains[cards] = self.estimator.gain(queries[cards])

        def ranked() -> list[Cards]:
            weighed = [cards for cards in queries if cards in gains]
            keys = sort_key([gains[cards].bits * reach[cards] for cards in weighed]).tolist()
            worth = dict(zip(weighed, keys, strict=True))
            return sorted(weighed, key=lambda cards: -worth[cards])

        # The best are computed exactly, again and again until all of the best are exact: one that
        # tells less than it seemed makes room for another. Some cost too much, which limits rounds.
        best = ranked()
        for _ in range(4 * first):
            rough = [cards for cards in best[:first] if gains[cards].error]
            if not rough:
                break
            for cards in rough:
                gains[cards] = self.estimator.exact_if_affordable(queries[cards])
            best = ranked()
        return [(cards, gains[cards]) for cards in best]

    def answers(
        self, cards: Cards, gain: Gain, *, most: int | None = None
    ) -> Iterator[tuple[list[tuple[str, str]], float]]:
        """
        Yield the likeliest answers to a suggestion, with their probabilities.

        An answer is a list of pairs: a seat that shows a card, and the card. It is empty if nobody
        shows one.

        Args:
            cards: The cards of the suggestion.
            gain: Its gain, as computed before.
            most: The most answers to yield; all if left out.
        """
        shown, chances = self.estimator.answers(self.query(cards), gain)
        holders, names = self.known.table.holders, self.known.table.cards
        for one, chance in zip(shown[:most], rounded(chances[:most]), strict=True):
            yield [(holders[holder], names[card]) for holder, card in one], chance

    def shower(self, cards: Cards) -> str | None:
        """
        Return the seat that almost certainly shows a card in answer to a suggestion.

        `None` if there is none, or at a table where everyone shows who can.
        """
        shows = dict.fromkeys(self.known.table.seats, 0.0)
        for shown, chance in self.answers(cards, self.gain(cards)):
            for seat, _ in shown:
                shows[seat] += chance
        sure = (seat for seat, chance in shows.items() if chance >= SURE)
        return None if self.known.table.everyone_shows else next(sure, None)

    def gain_of_use(self, use: Observation) -> Gain:
        """
        Return the gain of a use of the bonus die: the information that it is expected to bring.
        """
        match use:
            case observed.Finger(cards=cards):
                return self.gain(cards)
            case observed.Look(holder=holder):
                return self.estimator.gain_of(self.estimator.look(self.numbers.holder(holder)))
            case observed.Question(seat=seat, about=(name,)):
                question = self.query([name], seat=seat, who_shows="first")
                return self.estimator.gain_of(self.estimator.outcomes(question))
            case _:
                return self.estimator.gain_of(self._notch())

    def _notch(self) -> Outcomes:
        """
        Return what a look into the notch would show now, in each deal, and with which chances.

        The notch shows the feature of one envelope card, picked at random; it stays the same until
        somebody opens the envelope. For a card without a feature it shows nothing.
        """
        edition, numbers = self.known.table.edition, self.numbers
        worlds = self.estimator.worlds
        seen, anew = notches(self.known.table, self.known.log, numbers, viewer=self.viewer)
        if anew[-1] in seen:  # the same again
            nothing = np.zeros(len(worlds.deals), np.int64)
            return Outcomes(nothing, Chances.of_table(np.ones((1, 1))))
        inside = worlds.deals == numbers.layout.envelope
        marked = [card_numbers(numbers.cards([name])) for name in edition.features]
        counts = np.stack([inside[:, cards].sum(axis=1) for cards in marked], axis=1)
        kinds, kind = np.unique(counts, axis=0, return_inverse=True)
        chance = kinds / len(edition.category)
        chance = np.hstack([chance, 1.0 - chance.sum(axis=1, keepdims=True)])
        return Outcomes(kind.ravel(), Chances.of_table(np.where(chance > ROUNDING, chance, 0.0)))

    def gain_with_error(self, cards: Cards) -> tuple[float, float]:
        """Return a suggestion's gain in bits, with an error that covers a small sample's bias."""
        bits, error = self.estimator.gain_with_error(self.query(cards))
        return rounded(bits), rounded(error)

    def best(self, cards: Cards, rolled: Play | None = None) -> tuple[Cards, Cards]:
        """
        Return the best suggestion that could have been made instead, and the rooms considered.

        A suggestion names the room where the player stands, so all others with the same room were
        possible.

        Args:
            cards: The suggestion that was made; it is returned if none tells more.
            rolled: The position after the roll of the turn; `None` if not known. With it, the dice
                and the board decide which other rooms and cards were possible.
        """
        edition = self.known.table.edition
        reached = {*cards}
        if rolled is not None and rolled.rules.board is not None and rolled.total is not None:
            reached |= {*rolled.rooms}
        within = tuple(room for room in edition.rooms if room in reached)
        away = {*edition.rooms} - {*within}
        names = [[c.name for c in kind.cards if c.name not in away] for kind in edition.category]
        plans = [cards]
        for kinds in combinations(names, edition.named):
            plans += [plan for plan in product(*kinds) if rolled is None or rolled.on_dice(plan)]
        bits = [self.estimator.gain(self.query(plan)).bits for plan in plans]
        best = int(np.argmax(sort_key(bits)))
        best = 0 if bits[best] - bits[0] < ROUNDING else best
        return plans[best], within
