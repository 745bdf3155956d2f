"""
How likely a player is to win by continuing to ask, what to ask first, and which others are close.

This is found by simulating games in deals drawn from the player's posterior (`inference.rollouts`):
in each turn a player asks and may then accuse. Deals are weighted by how likely the rivals were to
ask what they asked, and not to accuse. If players may name their own cards on purpose, the
simulated viewer concludes nothing from what its rivals ask for.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations

import numpy as np
from msgspec.structs import replace

from clue_solver.answers.advice import AccuseAdvice, Opponent
from clue_solver.answers.known import ALMOST, KnownGame
from clue_solver.answers.own_turn import Cards
from clue_solver.answers.unseen import last_turn, unseen_by_viewer
from clue_solver.inference.notebooks import Witness
from clue_solver.inference.rollouts import Estimate, Race, Rollouts, TurnPlan
from clue_solver.inference.rounding import ROUNDING, rounded, sort_key
from clue_solver.inference.solutions import Solutions
from clue_solver.knowledge.clauses import Numbers
from clue_solver.knowledge.policies import (
    DEFAULT_LEVEL,
    LEVELS,
    PRIOR,
    ask_policy,
    free_categories,
)
from clue_solver.knowledge.viewer import shared_knowledge
from clue_solver.rules import observations as observed
from clue_solver.rules.play import Play
from clue_solver.rules.turns import TurnState

DRAWN, FEWEST_DRAWN = 2_000, 100
"""The most and the fewest deals that are drawn, to be weighted by what the rivals did."""

WORLDS = 1_000
"""The most of these deals in which games are simulated by default."""

CLEARLY_LIKELIER = 2.0
"""
By how many standard errors a solution must be likelier than the first one in the list to be the one
to accuse.
"""

CELLS = 500
"""
The number of cells in the notes of all seats (one for each card and holder) up to which `DRAWN`
deals are drawn; with more cells, fewer are.
"""


class Winning:
    """
    The viewer's chances to win from a position, found by simulating games.

    Args:
        known: The game so far.
        asked: Whether the viewer has suggested in its turn, so that the next seat goes on.
        rng: The source of randomness for deals and games.
        worlds: The most deals in which games are simulated.
    """

    def __init__(
        self, known: KnownGame, *, asked: bool, rng: np.random.Generator, worlds: int = WORLDS
    ) -> None:
        self.known = known
        self.viewer = str(known.table.viewer)
        self.asked = asked
        self._numbers = Numbers(known.table)
        self._rng = rng
        self._worlds = worlds

    def best(self, accuse: AccuseAdvice, solutions: Solutions) -> AccuseAdvice:
        """
        Return the accusation of the likeliest solution, given also what the rivals did.

        That is what they asked, and that they did not accuse. The first of `solutions` is kept
        unless another is clearly likelier.

        Args:
            accuse: What the advice says about accusing so far.
            solutions: All possible solutions, likeliest first by what the viewer saw.
        """
        masks = (1 << solutions.cards.astype(np.int64)).sum(axis=1)
        chances = self.rollouts.reweight(masks, solutions.probability)
        at = int(sort_key(chances).argmax())
        error = self.rollouts.error(chances[at])
        at = at if chances[at] > chances[0] + CLEARLY_LIKELIER * error else 0
        cards = tuple(self.known.table.cards[card] for card in solutions.cards[at].tolist())
        right, wins = rounded([solutions.probability[at], min(chances[at], ALMOST)])
        return replace(accuse, cards=cards, probability=right, win_now=wins)

    def wait(self, *, most: int = WORLDS) -> Estimate:
        """Return the chance to win by not accusing yet, from at most `most` simulated games."""
        played = self.rollouts.play(self.plan(), most=most)
        return Estimate.of(played.won(), self.rollouts.worth)

    def rivals(self) -> Iterator[Opponent]:
        """
        Yield how close each other seat is to the solution.

        A seat that is out has seen it; one that left without accusing is skipped.
        """
        turns = TurnState.of(self.known.log)
        for seat in self.known.table.seats:
            if seat in turns.out and seat != self.viewer:
                yield Opponent(seat=seat, knows=1.0, error=0.0, out=True)
            elif seat not in turns.left and seat != self.viewer:
                solved = self.rollouts.start.solved(self._numbers.holder(seat))
                knows, error = rounded(Estimate.of(solved, self.rollouts.worth))
                yield Opponent(seat=seat, knows=knows, error=error)

    def race(
        self, questions: Mapping[Cards, float], *, looks: Mapping[Cards, str] = {}
    ) -> Race[Cards]:
        """
        Return the chances to win by asking different questions first.

        All others are compared with the first of the questions.

        Args:
            questions: The chance that each question can be asked, by its cards.
            looks: For a question, the face-down slot that the viewer looks at before it.
        """
        masks = {cards: self._numbers.cards(cards) for cards in questions}
        race = self.rollouts.race(
            self.plan(),
            [*dict.fromkeys(masks.values())],  # face-up cards have no mask, so some may be equal
            looks={masks[cards]: self._numbers.holder(slot) for cards, slot in looks.items()},
            weight={masks[cards]: reach for cards, reach in questions.items()},
        )
        return Race(
            {cards: race.chances[mask] for cards, mask in masks.items()},
            {cards: race.better[mask] for cards, mask in masks.items() if mask in race.better},
        )

    @cached_property
    def rollouts(self) -> Rollouts:
        """The deals in which games are simulated, with what each seat has noted in them."""
        table, diagram, layout = self.known.table, self.known.diagram, self._numbers.layout
        cells = layout.seats * layout.holders * layout.cards
        drawn = min(DRAWN, max(FEWEST_DRAWN, DRAWN * CELLS // cells))
        others = [seat for seat in table.seats if seat != self.viewer]
        reading = {seat for seat in others if table.asking(seat).model != "any"}
        believed = bool(reading) and not self._may_bluff()
        return Rollouts(
            layout,
            self._numbers.holder(self.viewer),
            diagram.draw(drawn, self._rng),
            [self.witness(seat, read=seat in reading) for seat in table.seats],
            possible=self.known.possible,
            marginals=diagram.marginals(),
            rng=self._rng,
            crossed_off=sum(free_categories(table, self._numbers)) if believed else 0,
            most=self._worlds,
        )

    def witness(self, seat: str, *, read: bool) -> Witness:
        """
        Return what a seat has seen, as the simulated games need it.

        `read` says whether the cards that it asks for tell something about its hand.
        """
        if seat == self.viewer:
            return Witness(self.known.knowledge.clauses)
        table, log, _ = self.known
        shared = shared_knowledge(table, log, viewer=self.viewer, seat=seat)
        unseen = unseen_by_viewer(table, log, self._numbers, viewer=self.viewer, seat=seat)
        if not read:
            return Witness(shared.clauses, tuple(unseen))
        free = sum(free_categories(table, self._numbers))
        asked = {
            entry: self._numbers.cards(each.cards) & free
            for entry, each in enumerate(log, 1)
            if isinstance(each, observed.Suggestion) and each.by == seat
        }
        over = last_turn(table, log, seat, viewer=self.viewer)
        return Witness(shared.clauses, tuple(unseen), asked, over)

    def plan(self) -> TurnPlan:
        """
        Return the order and the rules of the turns in simulated games.

        They begin with the viewer's turn, or with the next one if the viewer has suggested.
        """
        table, holder = self.known.table, self._numbers.holder
        state, begun = TurnState.of(self.known.log), Play.begin(table)
        turns = [self.viewer]
        while (seat := table.after(turns[-1], out=state.gone)) != self.viewer:
            turns.append(seat)
        if self.asked:
            turns = [*turns[1:], self.viewer]
        kinds = [kind.name.casefold() for kind in table.edition.category]
        reach = _reach(begun)
        return TurnPlan(
            viewer=holder(self.viewer),
            turns=tuple(map(holder, turns)),
            answering=tuple(
                tuple(map(holder, table.answering(seat, left=state.left))) for seat in table.seats
            ),
            who_shows=table.who_shows,
            named=tuple(combinations(range(len(kinds)), table.edition.named)),
            rooms=kinds.index("room") if reach < 1.0 else None,
            reach=reach,
            looks=tuple(map(holder, begun.rules.slots)),
            own=tuple(self._names_own(seat) for seat in table.seats),
        )

    def _names_own(self, seat: str) -> float:
        """
        Return the chance that a seat names a card of its own in a category; 0 if nobody bluffs.
        """
        table = self.known.table
        policy = ask_policy(table.asking(seat))
        if policy is None or seat == self.viewer or not self._may_bluff():
            return 0.0
        levels = np.array(policy.levels)
        shares = self.known.diagram.level_chances if len(levels) > 1 else np.ones(1)
        if len(levels) != len(shares):  # nothing is learned
            return 0.0
        hand = 1.0 / len(table.seats)
        return float(shares @ (levels * hand / (1.0 - hand + levels * hand)))

    def _may_bluff(self) -> bool:
        """
        Return whether players ask for their own cards so often that it may be on purpose.

        If it is learned from the log how readily they do, that is so if the log shows that they do
        so more readily than was expected before it.
        """
        table, diagram = self.known.table, self.known.diagram
        if not diagram.openings.weighs_behaviour:
            return False
        asking = {seat: table.asking(seat) for seat in table.seats}
        if any(
            asks.model == "careful" and (asks.level or 0.0) > DEFAULT_LEVEL
            for seat, asks in asking.items()
            if seat != self.viewer
        ):
            return True
        learned = any(asks.model == "adaptive" for asks in asking.values())
        if not learned or len(diagram.level_chances) != len(LEVELS):
            return False
        more = (diagram.level_chances - PRIOR) @ np.array(LEVELS)
        return float(more) > ROUNDING


def _reach(begun: Play) -> float:
    """
    Return the chance that a given room can be named in a turn that begins in a room.

    It is the mean over all rooms where the turn may begin, and all rooms to name; 1 without a
    board.
    """
    rooms = begun.rules.table.edition.rooms
    if begun.rules.board is None or not rooms:
        return 1.0
    seat = begun.rules.table.seats[0]
    chances_from = [begun.placed(seat, room).chances(seat) for room in rooms]
    return float(np.mean([list(chances.values()) for chances in chances_from]))
