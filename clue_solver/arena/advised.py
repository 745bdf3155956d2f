"""
The player that does what advice says: it reads questions, and accuses when that wins most.

It asks for the cards that are likeliest in the envelope by all that it knows, what questions tell
included; where dice choose the cards, what quick advice says. After asking it accuses if that wins
more than waiting does, by games played on (`answers.winning`); `advice:deep` finds by games played
on what to ask, too.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.answers.advice import CLEARLY
from clue_solver.answers.adviser import Adviser
from clue_solver.answers.winning import Winning
from clue_solver.arena.players import Asker, QuicklyAdvised
from clue_solver.arena.seat_view import View
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Floats
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.rules.observations import Observation, Suggestion
from clue_solver.rules.table import ANY, Asks, Table

READ = 126
"""
Up to how many cards times players it learns how they ask, as many as six players of 21 cards have;
with more that takes longer than a turn may.
"""

LEAST = 0.15
"""The chance of being right below which accusing is not thought of."""

ROUNDS, TURNS = 4, 16
"""
After so many rounds, and so many turns at least, nobody has won a game that is played on: whoever
is not certain by then hardly ever is, and playing on to the ends may take ten times as long.
"""

SAMPLE = 500
"""How many deals rank the questions that are to be played on."""


class Weighed(NamedTuple):
    """
    The likeliest accusation.

    Attributes:
        cards: What it names.
        chance: How likely it is right.
        now, wait: The chances to win by making it now, and by waiting.
    """

    cards: tuple[str, ...]
    chance: float
    now: float
    wait: float

    @property
    def better(self) -> bool:
        """Whether making it now clearly wins more."""
        return self.now > self.wait + CLEARLY


class Advised(QuicklyAdvised):
    """
    `advice`: what advice says to do.

    Args:
        level: How often the others name cards of their own, as in `careful`; learned if left out.
    """

    def __init__(self, *, level: float | None = None) -> None:
        super().__init__()
        self.asks = () if level is None else (Asks(model="careful", level=level),)
        self._deduction: Deduction | None = None
        self._inside: tuple[int, Floats] | None = None

    def _known(self, view: View) -> Deduction:
        """Return what follows from all that the seat saw, going on from before."""
        before = self._deduction
        seen = view.observations
        if before is None or before.knowledge.entries != len(seen):
            known = knowledge_of(
                self._table(view),
                seen,
                viewer=view.seat,
                before=before.knowledge if before else None,
                again=True,
            )
            carried = before.carried(known) if before is not None else None
            self._deduction = before = carried or Deduction(known)
        return before

    def _table(self, view: View) -> Table:
        """Return the table as this player takes it."""
        many = len(view.table.seats) * len(view.cards) > READ
        return replace(view.table, asks=self.asks or (ANY if many else ()))

    def worth(self, view: View, card: str) -> float:
        """Return the chance that a card is in the envelope, by what questions tell too."""
        upto = len(view.observations)
        if self._inside is None or self._inside[0] != upto:
            self._inside = upto, self._known(view).diagram(upto).marginals()[:, -1]
        return float(self._inside[1][view.cards.index(card)])

    def worths(self, view: View, cards: Sequence[str]) -> list[float]:
        """Return the chances that cards are in the envelope, by what questions tell too."""
        return [self.worth(view, card) for card in cards]

    def worth_going(self, view: View, room: str) -> float:
        """Return the chance of a room to be in the envelope; an unknown face-down card is first."""
        return Asker.worth_going(self, view, room)

    def move(self, view: View) -> str | None:
        """Return the room to go to, as whoever asks for the likeliest cards."""
        return Asker.move(self, view)

    def ask(self, view: View) -> Observation | None:
        """Return the suggestion of the likeliest cards; with dice, what quick advice says."""
        if view.table.edition.dice_choose or not view.state.may("suggests"):
            return super().ask(view)
        return Asker.ask(self, view)

    def accuse(self, view: View) -> Sequence[str] | None:
        """Return the solution that is proved, or the likeliest if that wins more than waiting."""
        view.said = 1.0
        if view.proved is not None:
            return view.proved
        state = view.state
        if not state.done and (state.rules.board is None or view.places or state.may("suggests")):
            return None  # moving and asking first costs nothing
        weighed = self.weigh(view)
        if weighed is None or not weighed.better:
            return None
        view.said = weighed.chance
        return weighed.cards

    def weigh(self, view: View) -> Weighed | None:
        """Return the likeliest accusation with what it wins; `None` where it is too unlikely."""
        seen = view.observations
        deduction = self._known(view)
        posterior = deduction.solutions(len(seen))
        chance = float(posterior.probability[0])
        if chance < LEAST:
            return None
        cards = tuple(view.cards[card] for card in posterior.cards[0].tolist())
        winning = Winning(
            self._table(view),
            seen,
            deduction,
            viewer=view.seat,
            suggested=view.state.suggested(view.seat),
            rng=view.rng,
            most_turns=max(TURNS, ROUNDS * len(view.table.seats)),
        )
        now = winning.now(cards, chance)
        return Weighed(cards, chance, now, winning.wait("prompt").share)


class DeeplyAdvised(Advised):
    """`advice:deep`: the same, and what to ask is found by games played on, too."""

    def ask(self, view: View) -> Observation | None:
        """Return the suggestion of the likeliest cards, or a better one that was played on."""
        likeliest = super().ask(view)
        if not isinstance(likeliest, Suggestion) or view.table.edition.dice_choose:
            return likeliest
        plans = list(dict.fromkeys([likeliest.cards, *view.state.suggestions()]))
        seen = view.observations
        adviser = Adviser(
            self._table(view),
            seen,
            self._known(view),
            viewer=view.seat,
            upto=len(seen),
            rng=view.rng,
            sample=SAMPLE,
        )
        return Suggestion(by=view.seat, cards=adviser.best_question(plans))
