"""
The values of advice: what to do, what to ask, and which opponents are close to the solution.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, ShownValue, Written, draw
from clue_solver.answers.own_turn import Cards
from clue_solver.inference.rounding import sort_key
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Observation

if TYPE_CHECKING:
    from pandas import DataFrame

CLEARLY, ON_A_BOARD = 0.25, 0.15
"""
How much more often accusing must win than continuing to ask: `CLEARLY` without a board,
`ON_A_BOARD` with one.

A wrong accusation is final. Waiting for the larger margin wins as many games, with a third fewer
wrong accusations; but on a board, where turns are lost on the way, it loses games
(docs/decisions.md).
"""

LEAST_CHANCE = 0.15
"""The chance to be right below which quick advice does not consider accusing."""

LEAST_GAIN = 0.005
"""
What a suggestion must tell to count as telling anything: its gain in bits, times the chance to
reach its room.
"""

AdviceKind = Literal["accuse", "barred", "ask", "use", "go", "wait", "solution", "over", "opened"]
"""
What the advice is: to `accuse`, to `ask`, to `use` the bonus die, to `go` to a room, or none of
these yet (`wait`). A player who may not accuse because they stand in no room is `barred`. A viewer
who cannot accuse at all, such as a spectator, gets the likeliest `solution`. No advice is needed
when the game is `over`, or for a player who has `opened` the envelope.
"""


class ShownCard(NamedTuple):
    """
    A card that a seat shows.

    Attributes:
        seat: The seat that shows it.
        card: The card.
    """

    seat: str
    card: str


class AnswerChance(AnswerValue, frozen=True, kw_only=True):
    """
    A possible answer to a suggestion and its probability.

    Attributes:
        shows: Who shows which card; empty if nobody shows one.
        probability: The probability of this answer.
    """

    shows: tuple[ShownCard, ...]
    probability: float


class BonusUse(AnswerValue, frozen=True, kw_only=True):
    """
    A possible use of the bonus die.

    Attributes:
        use: What to do, as an observation without its outcome.
        action: The beginning of the line to log for it.
        gain, error: The expected information about the solution in bits, and its standard error.
    """

    use: Observation
    action: str
    gain: float
    error: float

    written: ClassVar[Written] = Written(without=("use",))


class RankedSuggestion(AnswerValue, frozen=True, kw_only=True):
    """
    A possible suggestion and how good it is.

    Attributes:
        cards: The cards that it names.
        gain: The expected information about the solution in bits, including what a look at a
            face-down card reveals beforehand.
        error: The standard error of `gain`; 0 if it is exact.
        settles: The probability that the answer leaves only one solution.
        best_after: The expected probability of the best accusation after the answer.
        reach: The chance that the viewer can reach the room of the suggestion.
        own: How many of the viewer's own cards it names.
        look: The slot of the face-down card that the viewer looks at first; `None` if there is
            none.
        win, win_error: The share of simulated games won by asking this first, and its standard
            error; `None` if no games were simulated.
        answers: The possible answers, likeliest first.

    >>> from clue_solver import load
    >>> first = load("examples/diced.clue").advice(upto=9).suggestions[0]
    >>> first.cards, round(first.gain, 2), first.error  # exact
    (('Brains Mustard', 'Brawn Mustard'), 1.07, 0.0)
    """

    cards: Cards
    gain: float
    error: float
    settles: float
    best_after: float
    reach: float
    own: int = 0
    look: str | None = None
    win: float | None = None
    win_error: float | None = None
    answers: tuple[AnswerChance, ...]

    @property
    def worth(self) -> float:
        """The number by which suggestions are ranked: gain (in bits) times reach (a chance)."""
        return self.gain * self.reach


class AccuseAdvice(AnswerValue, frozen=True, kw_only=True):
    """
    The best accusation, how likely it is to be right, and whether to make it in this turn.

    Attributes:
        cards: The cards to name in the accusation.
        probability: The chance that it is right; 1 only if that is proved.
        certain: Whether it is proved to be right.
        advice: Whether to `accuse` in the turn that the advice is for, or to `wait`.
        after: The verbs of the actions that the rules require first in this turn.
        win_now: The chance that it is right if the others' questions and silence count as well;
            `None` if there is nothing to weigh.
        win_wait, win_error: The share of simulated games won by continuing to ask, and its standard
            error; `None` if no games were simulated. A player who always follows the advice wins
            more often.
        margin: By how much `win_now` must exceed `win_wait` to accuse.

    >>> from clue_solver import load
    >>> accuse = load("examples/classic.clue").advice(upto=17).accuse
    >>> accuse.cards, accuse.advice, accuse.certain
    (('Green', 'Rope', 'Library'), 'accuse', True)
    """

    cards: Cards
    probability: float
    certain: bool
    advice: Literal["wait", "accuse"] = "wait"
    after: tuple[str, ...] = ()
    win_now: float | None = None
    win_wait: float | None = None
    win_error: float | None = None
    margin: float = CLEARLY

    written: ClassVar[Written] = Written(without=("after", "margin"))

    def better(self, chance: float) -> bool:
        """
        Return whether accusing wins clearly more often than continuing to ask.

        `chance` is the chance that the accusation is right. False if no games were simulated.
        """
        return self.win_wait is not None and chance > self.win_wait + self.margin


class Opponent(AnswerValue, frozen=True, kw_only=True):
    """
    Another seat, and how close it is to the solution.

    Attributes:
        seat: The seat.
        knows, error: The probability that the seat can name the solution, and its standard error.
        out: Whether the seat has accused wrongly, so that it has seen the solution but cannot win.

    >>> from clue_solver import load
    >>> dan = load("examples/evening.clue").advice(upto=17).opponents[-1]
    >>> dan.seat, dan.out
    ('Dan', True)
    """

    seat: str
    knows: float
    error: float
    out: bool = False

    written: ClassVar[Written] = Written(without=("out",))


class RoomAdvice(AnswerValue, frozen=True, kw_only=True):
    """
    The room to go to if no suggestion in reach would tell the viewer anything.

    Attributes:
        room: The room.
        gain: The expected information in bits of the best suggestion there.
        steps: The number of steps to it, 0 by a secret passage; `None` if unknown.
        look: Whether the viewer looks at the room's face-down card first.

    >>> RoomAdvice(room="Hall", gain=0.5, steps=3).to_dict()
    {'room': 'Hall', 'gain': 0.5, 'steps': 3, 'look': False}
    """

    room: str
    gain: float
    steps: int | None
    look: bool = False


class FollowUp(AnswerChance, frozen=True, kw_only=True):
    """
    A possible answer to the advised suggestion, and what to do next.

    Attributes:
        then: The quick advice after this answer.
        kind, cards: What to do next, and the cards to ask for or to accuse.
    """

    then: Advice

    written: ClassVar[Written] = Written(also=("kind", "cards"), without=("then",))

    @property
    def kind(self) -> AdviceKind:
        """What to do after this answer."""
        return self.then.kind

    @property
    def cards(self) -> Cards:
        """The cards to suggest, or to name in an accusation, after this answer."""
        return self.then.cards


class Advice(ShownValue, frozen=True, kw_only=True):
    """
    What one viewer should do.

    Attributes:
        viewer: The seat that gets the advice; `None` for a spectator.
        kind: What to do, as a keyword.
        bits: The entropy in bits of what the viewer knows about the solution.
        suggestions: The possible suggestions, ranked by gain times reach.
        accuse: The best accusation.
        opponents: The other seats and how close they are; empty if no games were simulated.
        ask: The suggestion to make next; `None` if none would tell the viewer anything.
        beaten: Whether `ask` clearly wins more often than asking for the likeliest cards.
        by_sheet: The probability that each card is in the envelope, as on the sheet.
        in_envelope: The cards that are proved to be in the envelope.
        by_questions: The same probabilities if the others' suggestions also count as evidence; the
            advice uses these.
        only: The only room where a suggestion can be made; `None` if there are several.
        uses: The uses of the bonus die, best first; empty unless the bonus die comes next.
        heading: The room to go to if no suggestion in reach would tell the viewer anything;
            otherwise `None`.
        replies: The likeliest answers to the advised suggestion, with what to do after each.
        roll: Whether the dice have to be rolled first.
        stay: Whether to stay in the room and suggest there.
        later: Whether the advice is for a later turn than the current one.
        quick: Whether it is quick advice, computed from fewer deals.
        habits: Whether the chances take into account what people usually do, so that a bluff
            misleads.
        left_out: How many suggestions were not weighed because there were too many.
        askable: Whether a suggestion is in reach, even if it would tell nothing.
        partial: Whether the log says more than the viewer may know, so that only part of it counts.
        edition: The edition, which says the category of each card.

    >>> from clue_solver import load
    >>> game = load("examples/evening.clue")
    >>> advice = game.advice(upto=21, viewer="Ann")
    >>> advice.kind, advice.cards
    ('accuse', ('Green', 'Wrench', 'Kitchen'))
    >>> game.advice(upto=9, quick=True).kind
    'ask'
    """

    viewer: str | None
    kind: AdviceKind
    bits: float
    suggestions: tuple[RankedSuggestion, ...] = ()
    accuse: AccuseAdvice
    opponents: tuple[Opponent, ...] = ()
    ask: RankedSuggestion | None = None
    beaten: bool = False
    by_sheet: Mapping[str, float] = {}
    in_envelope: frozenset[str] = frozenset()
    by_questions: Mapping[str, float] = {}
    only: str | None = None
    uses: tuple[BonusUse, ...] = ()
    heading: RoomAdvice | None = None
    replies: tuple[FollowUp, ...] = ()
    roll: bool = False
    stay: bool = False
    later: bool = False
    quick: bool = False
    habits: bool = False
    left_out: int = 0
    askable: bool = False
    partial: bool = False
    edition: Edition

    written: ClassVar[Written] = Written(
        schema=1,
        also=("text",),
        without=(
            *("beaten", "by_sheet", "in_envelope", "by_questions", "only"),
            *("roll", "stay", "later", "quick", "habits", "askable", "partial", "edition"),
        ),
    )

    @property
    def certain(self) -> bool:
        """Whether the solution is proved, so that nothing has to be weighed."""
        return self.accuse.certain

    @property
    def final(self) -> bool:
        """Whether this advice is as good as slower advice would be."""
        return not self.quick or self.certain or self.kind in ("solution", "over", "opened")

    @property
    def cards(self) -> Cards:
        """The cards to ask for, if asking is advised; else the cards of the best accusation."""
        return self.ask.cards if self.kind == "ask" and self.ask else self.accuse.cards

    @property
    def text(self) -> str:
        """What to do, in a sentence."""
        return str(draw(self, "sentence"))

    @property
    def rival(self) -> Opponent | None:
        """
        The opponent likeliest to know the solution.

        `None` if the advice does not say how close opponents are, or if all of them are out.
        """
        still = [opponent for opponent in self.opponents if not opponent.out]
        return max(still, key=lambda opponent: sort_key(opponent.knows), default=None)

    @property
    def choices(self) -> tuple[RankedSuggestion, ...]:
        """
        The suggestions in the order of preference: the advised one, then by the chance to win.

        Those for which no games were simulated come last, in order of gain times reach.
        """
        chosen = None if self.ask is None else self.ask.cards

        def order(suggestion: RankedSuggestion) -> tuple[bool, float]:
            win = -1.0 if suggestion.win is None else suggestion.win
            return suggestion.cards != chosen, -sort_key(win)

        return tuple(sorted(self.suggestions, key=order))

    def top(self, most: int) -> Advice:
        """Return this advice with only the first `most` suggestions."""
        return replace(self, suggestions=self.suggestions[:most])

    def to_frame(self) -> DataFrame:
        """
        Return the suggestions as a pandas table, best first, indexed by rank from 1.

        The columns are the attributes of `RankedSuggestion`.

        Raises:
            MissingExtra: If pandas is not installed.
        """
        frame: DataFrame = draw(self, "frame")
        return frame
