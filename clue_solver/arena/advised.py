"""
The player that does what advice says: it reads questions, and accuses when that wins most.

It asks for the cards that are likeliest in the envelope by all that it knows, what questions tell
included; where dice choose the cards, what quick advice says. After asking it accuses if that wins
more than waiting does, by games played on (`answers.winning`).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from clue_solver.answers.advice import CLEARLY, Advice
from clue_solver.answers.winning import Winning
from clue_solver.arena.players import Asker
from clue_solver.arena.seat_view import View
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Floats
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation import format_line
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

QUICKLY_READ, ADVISED = 4, 6
"""
Up to how many players quick advice reads how the others ask, and up to how many it is asked for: a
turn is to take a tenth of a second.
"""


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


class Advised(Asker):
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
        self._advice: tuple[Any, Advice | None] = ((), None)

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
            self._deduction = before = before.after(known) if before else Deduction(known)
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

    def advice(self, view: View, rooms: Sequence[str] = ()) -> Advice:
        """Return what quick advice says, for rooms in reach if there are any rooms."""
        dice = tuple(face for face in view.state.dice if face in view.edition.features)
        asked = (len(view.observations), tuple(rooms), dice)
        if self._advice[0] != asked or self._advice[1] is None:
            asks = None if len(view.table.seats) <= QUICKLY_READ else "any"
            advice = view.game.advice(rooms=rooms or None, dice=dice or None, asks=asks, quick=True)
            self._advice = (asked, advice)
            return advice
        return self._advice[1]

    def ask(self, view: View) -> Observation | None:
        """Return the suggestion of the likeliest cards; with dice, what quick advice says."""
        many = len(view.table.seats) > ADVISED
        if view.edition.dice_choose and view.state.may("suggests") and not many:
            open_ = [room for room in view.rooms if room in view.edition.rooms]
            chosen = self.advice(view, open_).ask
            if chosen is not None:
                return Suggestion(by=view.seat, cards=chosen.cards)
        return super().ask(view)

    def _extra(self, view: View) -> Observation | None:
        """Return the use of the bonus die that quick advice ranks first."""
        allowed = {
            format_line(extra, view.table).replace(" points at ", " suggests "): extra
            for extra in view.state.extras()
        }
        if allowed and view.edition.bonus and len(view.table.seats) <= ADVISED:
            for use in self.advice(view).bonus:
                action = use.action.replace(" points at ", " suggests ")
                if action in allowed:
                    return allowed[action]
        return super()._extra(view)

    def accuse(self, view: View) -> Sequence[str] | None:
        """Return the solution that is proved, or the likeliest if that wins more than waiting."""
        if view.proved is not None:
            return view.proved
        state = view.state
        if not state.done and (state.rules.board is None or view.places or state.may("suggests")):
            return None  # moving and asking first costs nothing
        weighed = self.weigh(view)
        if weighed is None or not weighed.better:
            return None
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
        return Weighed(cards, chance, now, winning.wait().share)
