"""
Advice, as values: whether to accuse, what to ask, how to use the bonus die, who is close.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, ShownValue, Written, draw
from clue_solver.answers.own_turn import Cards
from clue_solver.inference.rounding import ROUNDING, sort_key
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Observation

if TYPE_CHECKING:
    from pandas import DataFrame

CLEARLY, ON_A_BOARD = 0.25, 0.15
"""
By how much accusing must win more than asking on: a wrong accusation is final, and waiting for so
much wins as often, with a third fewer wrong ones; on a board, where turns are lost on the way, it
costs games (docs/decisions.md).
"""

ALMOST = 1.0 - 2 * ROUNDING
"""The most that is said of what is not proved."""

LEAST_CHANCE = 0.15
"""The chance of being right below which accusing is not thought of where there is little time."""

Kind = Literal["accuse", "barred", "ask", "use", "go", "wait", "solution", "over", "opened"]
"""
What one is told to do, or why nothing: to `accuse`, to `ask`, to `use` the bonus die, to `go` to a
room, or none of these yet (`wait`); who may not accuse, standing in no room, is `barred`; who makes
no accusation at all is told the `solution`, in a game that is `over` as well, or, having `opened`
the envelope, nothing.
"""


class ShownCard(NamedTuple):
    """
    A card that is shown.

    Attributes:
        seat: Who shows.
        card: The card.
    """

    seat: str
    card: str


class AnswerChance(AnswerValue, frozen=True, kw_only=True):
    """
    One way to be answered and its probability.

    Attributes:
        shows: Who shows which card; empty where nobody shows.
        probability: How likely it is.
    """

    shows: tuple[ShownCard, ...]
    probability: float


class BonusUse(AnswerValue, frozen=True, kw_only=True):
    """
    A use of the bonus die.

    Attributes:
        use: What to do, as an observation of which nothing is seen yet.
        action: How its line begins.
        gain, error: As for a suggestion.
    """

    use: Observation
    action: str
    gain: float
    error: float

    written: ClassVar[Written] = Written(without=("use",))


class RankedSuggestion(AnswerValue, frozen=True, kw_only=True):
    """
    A suggestion that could be made.

    Attributes:
        cards: What it names.
        gain: The expected information about the solution, that of the look included.
        error: Its standard error; 0 where it is exact.
        settles: The probability that the answer settles the solution.
        best_after: The expected probability of the best accusation after the answer.
        reach: The chance to be in the room.
        own: How many of the viewer's own cards it names.
        look: The face-down place where the viewer looks first.
        win, win_error: The share of simulated games won by asking this first, and its standard
            error; `None` without simulation. The advice itself wins more.
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
        """What suggestions are ranked by: the bits times the reach."""
        return self.gain * self.reach


class AccuseAdvice(AnswerValue, frozen=True, kw_only=True):
    """
    The best accusation, how likely it is right, and whether to make it in this turn.

    Attributes:
        cards: Its cards.
        probability: The chance that it is right; 1 only where it is proved.
        certain: Whether it is proved.
        advice: Whether to make it this turn.
        after: What the rules want done before it in the turn, by the verbs of lines.
        win_now: That chance with the others' questions and silence taken into account; `None`
            without simulation.
        win_wait, win_error: The share of simulated games won by asking on, and its standard error;
            `None` without simulation. The advice itself wins more.
        margin: By how much accusing must win more than that.

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

    @property
    def may_be_better(self) -> bool:
        """Whether it could be `better` if asking on never won."""
        return (self.win_now or 0.0) > self.margin

    def better(self, chance: float) -> bool:
        """Return whether to make an accusation that is right with this chance, not to ask on."""
        return self.win_wait is not None and chance > self.win_wait + self.margin


class Opponent(AnswerValue, frozen=True, kw_only=True):
    """
    Another seat, and how close it is.

    Attributes:
        seat: The seat.
        knows, error: The probability that it can name the solution, and its standard error.
        out: Whether it has accused wrongly: it has seen the solution, and cannot win.

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
    The room to head for, where nothing in reach gains anything.

    Attributes:
        room: The room.
        gain: The expected information of asking there.
        steps: The squares to it, 0 by a passage; `None` if unknown.
        look: Whether the viewer looks at its face-down card first.

    >>> RoomAdvice(room="Hall", gain=0.5, steps=3).to_dict()
    {'room': 'Hall', 'gain': 0.5, 'steps': 3, 'look': False}
    """

    room: str
    gain: float
    steps: int | None
    look: bool = False


class FollowUp(AnswerChance, frozen=True, kw_only=True):
    """
    An answer that the advised question may get, and what to do then.

    Attributes:
        then: The quick advice after it.
        kind, cards: What that is to do, and the cards to ask for or to accuse.
    """

    then: Advice

    written: ClassVar[Written] = Written(also=("kind", "cards"), without=("then",))

    @property
    def kind(self) -> Kind:
        """What to do then."""
        return self.then.kind

    @property
    def cards(self) -> Cards:
        """What to name then."""
        return self.then.cards


class Advice(ShownValue, frozen=True, kw_only=True):
    """
    What one viewer should do.

    Attributes:
        viewer: The advised seat; `None` for a spectator.
        entries: How many entries count.
        kind: What to do.
        bits: The entropy of its posterior over solutions.
        suggestions: Possible suggestions, by gain times reach.
        accuse: The best accusation.
        opponents: The other seats; empty without simulation.
        ask: The suggestion to make next; `None` where none gains anything.
        beaten: Whether that one clearly wins more than the likeliest cards do.
        by_sheet: How likely the envelope has each card, as on the sheet.
        by_questions: The same, counting what the others asked for as well; the advice goes by it.
        only: The one room where it can be asked, if there is but one.
        uses: The uses of the bonus die, best first, where it comes next.
        heading: The room to head for, where nothing in reach gains anything.
        replies: The likeliest answers to the suggestion, and what to do after each.
        roll: Whether the dice have to be rolled first.
        stay: Whether it is asked where the viewer stands, so that it stays.
        later: Whether it is for another turn than that which goes on.
        quick: Whether it is quick advice, of fewer deals.
        habits: Whether the chances go by what people usually do, so that a bluff misleads.
        left_out: How many suggestions were not weighed, because there are too many.
        partial: Whether the log holds more than the viewer may know.
        edition: The edition, which has the kinds of the cards.

    >>> from clue_solver import load
    >>> game = load("examples/evening.clue")
    >>> advice = game.advice(upto=21, viewer="Ann")
    >>> advice.kind, advice.cards
    ('accuse', ('Green', 'Wrench', 'Kitchen'))
    >>> game.advice(upto=9, quick=True).kind
    'ask'
    """

    viewer: str | None
    entries: int
    kind: Kind
    bits: float
    suggestions: tuple[RankedSuggestion, ...] = ()
    accuse: AccuseAdvice
    opponents: tuple[Opponent, ...] = ()
    ask: RankedSuggestion | None = None
    beaten: bool = False
    by_sheet: Mapping[str, float] = MappingProxyType({})
    by_questions: Mapping[str, float] = MappingProxyType({})
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
    partial: bool = False
    edition: Edition

    written: ClassVar[Written] = Written(
        schema=1,
        also=("text",),
        without=(
            *("entries", "beaten", "by_sheet", "by_questions", "only"),
            *("roll", "stay", "later", "quick", "habits", "partial", "edition"),
        ),
    )

    @property
    def certain(self) -> bool:
        """Whether the solution is proved, so that there is nothing to weigh."""
        return self.accuse.certain

    @property
    def final(self) -> bool:
        """Whether nothing is weighed that a closer look could tell better."""
        return not self.quick or self.certain or self.kind in ("solution", "over", "opened")

    @property
    def cards(self) -> Cards:
        """The cards to ask for, where that is advised; else the best accusation."""
        return self.ask.cards if self.kind == "ask" and self.ask else self.accuse.cards

    @property
    def text(self) -> str:
        """What to do, in a sentence."""
        return str(draw(self, "sentence"))

    @property
    def rival(self) -> Opponent | None:
        """The opponent who is likeliest to know the solution, where it is likelier than not you."""
        still = [opponent for opponent in self.opponents if not opponent.out]
        return max(still, key=lambda opponent: sort_key(opponent.knows), default=None)

    @property
    def choices(self) -> tuple[RankedSuggestion, ...]:
        """
        The suggestions in the order of the verdict: that to make, then by the chance to win.

        Those that no games were played on for come last, in order of gain times reach.
        """
        chosen = None if self.ask is None else self.ask.cards

        def order(suggestion: RankedSuggestion) -> tuple[bool, float]:
            win = -1.0 if suggestion.win is None else suggestion.win
            return suggestion.cards != chosen, -sort_key(win)

        return tuple(sorted(self.suggestions, key=order))

    def top(self, most: int) -> Advice:
        """Return the advice with only the first suggestions."""
        return replace(self, suggestions=self.suggestions[:most])

    def to_frame(self) -> DataFrame:
        """Return the suggestions as a pandas table."""
        frame: DataFrame = draw(self, "frame")
        return frame
