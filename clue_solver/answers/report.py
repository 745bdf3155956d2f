"""
The report: what one viewer can know of a game as of one entry, with names instead of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, ShownValue, Written, draw
from clue_solver.answers.known import KnownGame
from clue_solver.errors import Contradiction
from clue_solver.inference.deduction import Deduction, verdict_numbers
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.rules.observations import Accusation, Hand, Observation
from clue_solver.rules.table import SPECTATOR, Shows, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

Certain = Literal["holds", "lacks"]
Verdict = Literal["holds", "lacks", "open"]

_VERDICTS: tuple[Verdict, ...] = ("open", "holds", "lacks")  # by the numbers in Report.verdicts


class Solution(NamedTuple):
    """
    A possible solution.

    Attributes:
        cards: One card of each category.
        probability: The probability that these cards are in the envelope; 1 only if it is proved.

    >>> from clue_solver import load
    >>> cards, probability = load("examples/classic.clue").report(upto=9).solutions[0]
    >>> cards, round(probability, 3)
    (('Peacock', 'Candlestick', 'Study'), 0.044)
    """

    cards: tuple[str, ...]
    probability: float


class Fact(NamedTuple):
    """
    A certain fact about a card and a holder.

    Attributes:
        card: The card.
        holder: A seat, a face-down slot or the envelope.
        verdict: `holds` or `lacks`: whether the holder has the card.

    >>> from clue_solver import load
    >>> load("examples/classic.clue").why("Hall", "envelope").steps[-1].fact
    Fact(card='Hall', holder='envelope', verdict='lacks')
    """

    card: str
    holder: str
    verdict: Certain


class HeldHand(NamedTuple):
    """
    The cards that a seat held.

    Attributes:
        seat: The seat.
        cards: The cards in its hand.

    >>> from clue_solver import load
    >>> load("examples/evening.clue").report().hands[1].cards[0]
    'Lead Pipe'
    """

    seat: str
    cards: tuple[str, ...]


class CardRow(AnswerValue, frozen=True, kw_only=True):
    """
    A row of the sheet: one card, and what is known of each holder.

    Attributes:
        card: The card.
        category: The category of the card.
        probability: For each holder, the probability of having the card.
        verdict: For each holder, `holds`, `lacks` or `open`.

    >>> from clue_solver import load
    >>> row = load("examples/classic.clue").report(upto=9).rows[1]
    >>> row.card, row.category, row.verdict["Ann"], row.probability["Ann"]
    ('Mustard', 'suspect', 'holds', 1.0)
    """

    card: str
    category: str
    probability: dict[str, float]
    verdict: dict[str, Verdict]


class TableAnswer(ShownValue, frozen=True, kw_only=True):
    """
    The base class of answers about a whole game at a table.

    Attributes:
        table: The table that the game is played at.
    """

    table: Table

    @property
    def edition(self) -> str:
        """The name of the edition."""
        return self.table.edition.name

    @property
    def shows(self) -> Shows:
        """How players are assumed to choose which card to show."""
        return self.table.policy

    @property
    def asks(self) -> str:
        """How players are expected to ask, as a header writes it: `careful 0.3, Ben any`."""
        return self.table.behaviour


class Report(TableAnswer, frozen=True, kw_only=True, eq=False):
    """
    What one viewer knows: what is certain, and how likely the rest is.

    Attributes:
        viewer: The seat whose knowledge the report shows, or `spectator`.
        entries: The number of entries that the report takes into account.
        consistent: Whether some deal fits the entries.
        conflict: A smallest set of entries that cannot all be true; empty if some deal fits.
        deals: The number of deals that fit.
        bits: The entropy in bits of the probabilities of the solutions.
        cards: The cards in play, in edition order.
        holders: The seats and face-down slots in the header's order, then the envelope.
        probabilities: float64, shape (cards, holders), exact up to rounding; each row sums to 1.
            All are `nan` if no deal fits.
        verdicts: int8, the same shape: 1 holds, 2 lacks, 0 open, as it is proved.
        solutions: All possible solutions, likeliest first.
        supposed: What the report supposes in addition to the log, as lines.
        new: The facts that the last entry settled, in the order of cards and holders; if something
            is supposed, the facts that the supposition settles.
        left_out: Whether behaviour was left out because summing over it would cost too much.
        hands: The hand of each seat, once the game is over; else empty.

    >>> from clue_solver import load
    >>> report = load("examples/classic.clue").report(upto=9)
    >>> report.verdict("Hall", "Cat"), report.solutions[0].cards
    ('holds', ('Peacock', 'Candlestick', 'Study'))
    >>> report.probabilities.shape, report.deals
    ((21, 5), 105506)
    """

    viewer: str
    entries: int
    consistent: bool
    conflict: tuple[int, ...] = ()
    deals: int = 0
    bits: float = 0.0
    cards: tuple[str, ...]
    holders: tuple[str, ...]
    probabilities: npt.NDArray[np.float64]
    verdicts: npt.NDArray[np.int8]
    solutions: tuple[Solution, ...] = ()
    supposed: tuple[str, ...] = ()
    new: tuple[Fact, ...] = ()
    left_out: bool = False
    hands: tuple[HeldHand, ...] = ()

    written: ClassVar[Written] = Written(
        schema=1,
        also=("edition", "shows", "asks", "rows"),
        without=("table", "cards", "probabilities", "verdicts", "new"),
        called={"rows": "cards"},
    )

    @property
    def rows(self) -> tuple[CardRow, ...]:
        """The rows of the sheet in edition order, without face-up cards; empty if no deal fits."""
        if not self.consistent:
            return ()
        category = self.table.edition.category_of
        rows = zip(self.cards, self.probabilities.tolist(), self.verdicts.tolist(), strict=True)
        return tuple(
            CardRow(
                card=card,
                category=category[card],
                probability=dict(zip(self.holders, chances, strict=True)),
                verdict=dict(zip(self.holders, map(_VERDICTS.__getitem__, verdicts), strict=True)),
            )
            for card, chances, verdicts in rows
        )

    def probability(self, card: str, holder: str) -> float:
        """
        Return the probability that the holder has the card.

        Args:
            card, holder: Names, which may be abbreviated as in a record; the holder may be the
                envelope.

        Raises:
            NotationError: If there is no such card or holder.
            ArgumentError: If the card lies face-up.
            Contradiction: If no deal fits the log.
        """
        return float(self.probabilities[self._place(card, holder)])

    def verdict(self, card: str, holder: str) -> Verdict:
        """
        Return whether the holder has the card: `holds`, `lacks` or `open`.

        Args:
            card, holder: Names, which may be abbreviated as in a record; the holder may be the
                envelope.

        Raises:
            NotationError, ArgumentError, Contradiction: As in `probability`.
        """
        return _VERDICTS[int(self.verdicts[self._place(card, holder)])]

    def to_frame(self, what: Literal["marginals", "solutions"] = "marginals") -> DataFrame:
        """
        Return the report as a pandas table.

        Args:
            what: `marginals` for the probability of each card and holder: a row for each card in
                play, a column for each holder. `solutions` for the possible solutions, likeliest
                first: a column for each category, and `probability`.

        Raises:
            ArgumentError: If there is no such table.
            MissingExtra: If pandas is not installed.
        """
        frame: DataFrame = draw(self, "frame", what)
        return frame

    def plot(self, ax: Axes | None = None) -> Axes:
        """
        Draw the probabilities as a heat map: a row for each card, a column for each holder.

        Args:
            ax: Where to draw; a new figure of pyplot if left out.

        Raises:
            Contradiction: If no deal fits the log.
            MissingExtra: If matplotlib is not installed.
        """
        axes: Axes = draw(self, "plot", ax)
        return axes

    def _place(self, card: str, holder: str) -> tuple[int, int]:
        """
        Return the row and the column of a card and a holder in the arrays, from 0.

        Raises:
            NotationError, ArgumentError, Contradiction: As in `probability`.
        """
        card, holder = lexicon_of(self.table).cell(card, holder)
        if not self.consistent:
            raise Contradiction(self.conflict)
        return self.cards.index(card), self.holders.index(holder)


def build_report(
    known: KnownGame, *, supposed: tuple[str, ...] = (), without: Deduction | None = None
) -> Report:
    """
    Return the report for the viewer of the table in `known`.

    If the entries cannot all be true, the report says so. After a right accusation it has the
    recorded hands.

    Args:
        known: The game so far, including what is supposed.
        supposed: What is supposed, as lines.
        without: What follows if nothing is supposed; `None` if `supposed` is empty.

    Raises:
        TooLarge: If too many deals fit to count them: their diagram would not fit into memory.
    """
    table, log, deduction = known
    cards, holders, upto = table.cards, table.holders, known.upto
    shape = (len(cards), len(holders))
    report = Report(
        table=table,
        viewer=SPECTATOR if table.viewer is None else table.viewer,
        entries=upto,
        consistent=True,
        cards=cards,
        holders=holders,
        probabilities=np.full(shape, np.nan),
        verdicts=np.zeros(shape, np.int8),
        supposed=supposed,
    )
    try:
        diagram = known.diagram
    except Contradiction as clash:
        return replace(report, consistent=False, conflict=clash.entries)
    posterior = known.solutions
    named = np.array(cards)[posterior.cards].tolist()
    verdicts = verdict_numbers(known.possible, len(holders))
    earlier = without.possible(upto) if without else deduction.possible(max(upto - 1, 0))
    before = verdict_numbers(earlier, len(holders))
    return replace(
        report,
        deals=diagram.count(),
        bits=posterior.bits,
        probabilities=diagram.marginals(),
        verdicts=verdicts,
        solutions=tuple(
            map(Solution._make, zip(map(tuple, named), posterior.probability.tolist(), strict=True))
        ),
        left_out=deduction.leaves_out(upto),
        hands=_hands(log),
        new=tuple(
            Fact._make((cards[card], holders[holder], _VERDICTS[verdicts[card, holder]]))
            for card, holder in np.argwhere(verdicts != before).tolist()
        ),
    )


def _hands(observations: Sequence[Observation]) -> tuple[HeldHand, ...]:
    """Return the recorded hand of each seat; empty unless a right accusation has ended the game."""
    if not any(isinstance(each, Accusation) and each.right for each in observations):
        return ()
    return tuple(HeldHand(each.seat, each.cards) for each in observations if isinstance(each, Hand))
