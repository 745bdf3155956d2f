"""
Advice: what to ask, whether to accuse, who is close. Frozen values with names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, ShownValue, Written, draw
from clue_solver.inference.rounding import ROUNDING, sort_key

if TYPE_CHECKING:
    from pandas import DataFrame

    from clue_solver.inference.rollouts import Share


CLEARLY = 0.05
"""
By how much accusing must win more than asking on: an accusation is final, and the others are taken
to play as well as anybody can. Against such players it costs nothing (docs/mathematics.md).
"""

CLEAR = 2.0
"""By how many standard errors two numbers differ where chance alone seldom makes them differ."""

LEAST_GAIN = 0.005
"""Bits below which nothing is gained, as far as it is seen."""

LEAST_MORE = 0.01
"""By how much asking first must raise the chance of the best accusation to be worth the wait."""


class ShownCard(NamedTuple):
    """
    A card that is shown.

    Attributes:
        seat: Who shows.
        card: What.

    >>> ShownCard("Cat", "Rope").card
    'Rope'
    """

    seat: str
    card: str


class AnswerChance(AnswerValue, frozen=True, kw_only=True):
    """
    One way to be answered and its probability.

    Attributes:
        shows: Who shows which card, in the order of answering; empty where nobody shows.
        probability: How likely it is.

    >>> from clue_solver import load
    >>> advice = load("examples/diced.clue").advice(upto=9, quick=True)
    >>> answer = advice.suggestions[0].answers[0]
    >>> answer.shows, round(answer.probability, 2)
    ((ShownCard(seat='Zoe', card='Brawn Mustard'),), 0.36)
    """

    shows: tuple[ShownCard, ...]
    probability: float


class BonusAction(AnswerValue, frozen=True, kw_only=True):
    """
    A use of the bonus die.

    Attributes:
        action: What to do, as the line that records it begins.
        gain, error: As of a suggestion.

    >>> from clue_solver import load
    >>> advice = load("examples/diced.clue").advice(upto=9, quick=True)
    >>> advice.bonus[0].action, round(advice.bonus[0].gain, 2)
    ('Mia points at Brains Mustard, Brawn Mustard', 1.07)
    """

    action: str
    gain: float
    error: float


class RankedSuggestion(AnswerValue, frozen=True, kw_only=True):
    """
    A suggestion that could be made.

    Attributes:
        cards: What it names, in category order.
        gain: The expected information about the solution, in bits; with that of the look, if any.
        error: The standard error of the gain; 0 where it is exact.
        settles: The probability that the answer settles the solution.
        best_after: The expected probability of the best accusation after the answer.
        reach: The chance to be in the room, 1 without a board.
        own: How many cards of the viewer's own hand it names.
        look: The face-down card at which the viewer looks first, by the name of its place.
        then: The use of the bonus die that goes best with it, for each face that may be up, with
            what both together tell; only where the dice are told.
        win, win_error: The chance to win for who asks this first, by games played on, and its
            standard error; `None` where none were played.
        answers: The distribution over answers, likeliest first.
        unlisted: The chance of the answers that are not listed, where there are very many.

    >>> from clue_solver import load
    >>> advice = load("examples/diced.clue").advice(upto=9, quick=True)
    >>> first = advice.suggestions[0]
    >>> first.cards, round(first.gain, 2), first.error  # exact
    (('Brains Mustard', 'Brawn Mustard'), 1.07, 0.0)
    """

    cards: tuple[str, ...]
    gain: float
    error: float
    settles: float
    best_after: float
    reach: float
    own: int = 0
    look: str | None = None
    then: tuple[BonusAction, ...] = ()
    win: float | None = None
    win_error: float | None = None
    answers: tuple[AnswerChance, ...]
    unlisted: float = 0.0

    written: ClassVar[Written] = Written(sparse=("look", "then", "win", "win_error"))

    @property
    def worth(self) -> float:
        """What suggestions are ranked by: the bits, with the bonus die, times the reach."""
        gains = [action.gain for action in self.then] or [self.gain]
        return sum(gains) / len(gains) * self.reach


AskReason = Literal["most", "own", "spared", "later", "likeliest", "wins"]
"""Why a suggestion is the one to make."""


class AskAdvice(AnswerValue, frozen=True, kw_only=True):
    """
    The suggestion to make.

    Attributes:
        suggestion: Which one.
        reason: Why that one: it tells `most`; it names `own` cards and tells more than twice as
            much as the `other`; it spares own cards and tells as much (`spared`), or leaves more to
            build on (`later`) than the `other`; it has the `likeliest` cards, or `wins` most.
        other: What it was compared with, where that is told.
        chances: How likely each of its cards is in the envelope, where that is told.

    >>> from clue_solver import load
    >>> ask = load("examples/diced.clue").advice(upto=9, quick=True).ask
    >>> ask.cards, ask.reason
    (('Brains Mustard', 'Brawn Mustard'), 'most')
    """

    suggestion: RankedSuggestion
    reason: AskReason
    other: RankedSuggestion | None = None
    chances: tuple[float, ...] = ()

    written: ClassVar[Written] = Written(
        also=("cards", "why"), without=("suggestion", "reason", "other", "chances")
    )

    @property
    def cards(self) -> tuple[str, ...]:
        """What it names."""
        return self.suggestion.cards

    @property
    def why(self) -> str:
        """Why not another one, which may tell more at once."""
        return str(draw(self, "sentence"))


FirstInTurn = Literal["suggestion", "bonus die"]
"""What an edition may have one do before one accuses."""


class WinChances(NamedTuple):
    """
    The chances to win, by accusing now and by asking on.

    Attributes:
        now: By accusing now, if those who could have accused by now would have.
        wait, error: By asking on, and its standard error: for the question that is advised, where
            that was played on, and then for the likeliest cards.
        read: How likely the accusation is right by all that is known, where `trusted` is less: own
            cards may be asked for on purpose.
        heard: How likely the accusation is right as far as nobody's silence tells, where that tells
            something.
        later: What asking on wins without an accusation in this turn; `None` where one can only be
            made in a later one, or that was not played.

    >>> chances = WinChances(now=0.5, wait=0.45, error=0.06)
    >>> chances.equal  # within the error
    True
    """

    now: float
    wait: float
    error: float
    read: float | None = None
    heard: float | None = None
    later: float | None = None

    def after(self, ask: RankedSuggestion, *, least: float) -> WinChances:
        """Return the chances if this is asked first, where the dice allow it."""
        wins = ask.reach * (ask.win or 0.0) + (1.0 - ask.reach) * self.wait
        error = hypot(ask.reach * (ask.win_error or 0.0), (1.0 - ask.reach) * self.error)
        return self._replace(wait=max(wins, least), error=error)

    @property
    def trusted(self) -> float:
        """How likely the accusation is right by what nobody says on purpose, silence apart."""
        return self.now if self.heard is None else self.heard

    @property
    def equal(self) -> bool:
        """Whether asking on wins no more than accusing now, as far as its error tells."""
        return abs(self.wait - self.now) <= max(self.error, LEAST_MORE)


class AccuseOrWait(NamedTuple):
    """
    What the choice goes by between accusing in this turn and waiting for the next.

    Attributes:
        now: The probability of the best accusation.
        certain: Whether it is certain.
        first: The greatest expected probability of the best accusation after something that can be
            done first in the same turn: a question, with the bonus die; `None` if nothing can.
        risk: The chance that somebody else can name the solution already.
        barred: Whether one may not accuse in this turn, standing in no room.
        after: What has to be done first in any case.
        win: The chances to win, where games were played on.

    >>> AccuseOrWait(now=0.5, certain=False, first=0.5, risk=0.6).decide(("Plum",)).advice
    'accuse'
    """

    now: float
    certain: bool
    first: float | None
    risk: float
    barred: bool = False
    after: tuple[FirstInTurn, ...] = ()
    win: WinChances | None = None

    def decide(self, cards: tuple[str, ...]) -> AccuseAdvice:
        """
        Return whether to accuse, in the order of a turn.

        What is certain is accused, wherever it is allowed. Else whatever raises the chance of the
        best accusation comes first: asking costs nothing, since one may accuse afterwards in the
        same turn. Where nothing does, the accusation is made if it clearly wins more than asking on
        without it in this turn: asking first may win as much then, and tells the others more.

        Where no games were played on, waiting wins at most where nobody else can name the
        solution already, with a chance of 1 - risk; so an accusation that is right with that chance
        or more is made, and no other. That nothing can be asked is no reason.

        >>> AccuseOrWait(now=0.5, certain=False, first=1.0, risk=0.6).decide(("Plum",)).advice
        'wait'
        >>> AccuseOrWait(now=0.5, certain=False, first=0.5, risk=0.6).decide(("Plum",)).advice
        'accuse'
        >>> AccuseOrWait(now=0.01, certain=False, first=None, risk=0.6).decide(("Plum",)).advice
        'wait'
        """
        win = self.win
        reason: AccuseReason
        if self.certain:
            accuse, reason = True, "certain"
        elif self.first is not None and self.first >= self.now + LEAST_MORE:
            accuse, reason = False, "first"
        elif win is not None and win.later is not None:
            more = win.equal or win.now > win.wait
            accuse = more and win.now > win.later + CLEARLY
            reason = "played"
        elif win is not None:
            accuse = win.now > win.wait + CLEARLY
            reason = "played"
        else:
            accuse = self.now >= 1.0 - self.risk
            reason = "risk"
        return AccuseAdvice(
            cards=cards,
            probability=1.0 if self.certain else self.now,
            advice="accuse" if accuse and not self.barred else "wait",
            reason=reason,
            barred=accuse and self.barred,
            weighed=self,
            win_now=win and win.now,
            win_wait=win and win.wait,
            win_error=win and win.error,
        )


AccuseReason = Literal["certain", "first", "played", "risk"]
"""
What decides whether to accuse: it is certain; something that comes first raises the chance; games
were played on; nobody else may know the solution yet.
"""


class AccuseAdvice(AnswerValue, frozen=True, kw_only=True):
    """
    The best accusation, how likely it is right, and whether to make it in this turn.

    Attributes:
        cards: The accusation.
        probability: How likely it is right.
        advice: Whether to make it, in the turn that is advised.
        reason: What decides that.
        barred: Whether it would be made, but one may not accuse where one stands.
        weighed: What was weighed.
        win_now: The chance to win by making it now.
        win_wait, win_error: The chance to win by asking on, by games played on, and its standard
            error. All three are `None` where none were played.

    >>> from clue_solver import load
    >>> accuse = load("examples/classic.clue").advice(upto=17, quick=True).accuse
    >>> accuse.cards, accuse.advice, accuse.why
    (('Green', 'Rope', 'Library'), 'accuse', 'it is certain')
    """

    cards: tuple[str, ...]
    probability: float
    advice: Literal["wait", "accuse"]
    reason: AccuseReason
    barred: bool = False
    weighed: AccuseOrWait
    win_now: float | None = None
    win_wait: float | None = None
    win_error: float | None = None

    written: ClassVar[Written] = Written(
        also=("cards", "probability", "advice", "why"),
        without=("reason", "barred", "weighed"),
        sparse=("win_now", "win_wait", "win_error"),
    )

    @property
    def why(self) -> str:
        """The reason, in words."""
        return str(draw(self, "sentence"))


class Opponent(AnswerValue, frozen=True, kw_only=True):
    """
    Another seat, and how close it is.

    Attributes:
        seat: The seat.
        knows, error: The probability that it can already name the solution, and its standard error.
        out: Whether it has accused wrongly: it has seen the solution, and cannot win.

    >>> from clue_solver import load
    >>> rival = load("examples/evening.clue").advice(upto=17, quick=True).opponents[-1]
    >>> rival.seat, rival.out
    ('Dan', True)
    """

    seat: str
    knows: float
    error: float
    out: bool = False

    written: ClassVar[Written] = Written(without=("out",))


class RoomAdvice(AnswerValue, frozen=True, kw_only=True):
    """
    The room to head for.

    Attributes:
        room: Which one.
        gain: The bits that asking there would bring, with the look at its card, if any.
        steps: How far it is on foot, 0 by a passage; `None` where that is not known.
        through: The room whose secret passage is taken on the way, where that is quicker.
        look: Whether its face-down card is looked at first.

    >>> RoomAdvice(room="Hall", gain=0.5, steps=3).to_dict()
    {'room': 'Hall', 'gain': 0.5, 'steps': 3}
    """

    room: str
    gain: float
    steps: int | None
    through: str | None = None
    look: bool = False

    written: ClassVar[Written] = Written(sparse=("through", "look"))


class Advice(ShownValue, frozen=True, kw_only=True):
    """
    What one viewer had best do.

    Attributes:
        viewer: The seat that is advised.
        entries: How many entries count.
        bits: The entropy of its posterior over solutions.
        suggestions: The suggestions that can be made, in order of gain times reach; where the dice
            of Clue Diced are told, by what they tell together with the bonus die.
        accuse: The best accusation.
        opponents: The other seats, in table order.
        ask: The suggestion to make; `None` where none can be made.
        bonus: Uses of the bonus die, in order of gain; empty where there is none.
        now: The best use of the bonus die for each face that may be up, best first, where it comes
            next: all else is advised for the turn after; empty where it does not.
        heading: The room to head for, where nothing in reach gains anything.
        roll: Whether the dice choose what can be asked for, and have to be rolled first.
        stay: Whether it is asked where the viewer stands, so that it stays.
        later: Whether it is another's turn now.
        left_out: How many suggestions were not weighed, because there are too many; those that were
            ask for the most open cards.

    >>> from clue_solver import load
    >>> advice = load("examples/classic.clue").advice(upto=9, quick=True)
    >>> advice.suggestions[0].cards
    ('Peacock', 'Candlestick', 'Conservatory')
    """

    viewer: str
    entries: int
    bits: float
    suggestions: tuple[RankedSuggestion, ...]
    accuse: AccuseAdvice
    opponents: tuple[Opponent, ...] = ()
    ask: AskAdvice | None = None
    bonus: tuple[BonusAction, ...] = ()
    now: tuple[BonusAction, ...] = ()
    heading: RoomAdvice | None = None
    roll: bool = False
    stay: bool = False
    later: bool = False
    left_out: int = 0

    written: ClassVar[Written] = Written(
        schema=1,
        without=("entries", "roll", "stay", "later"),
        sparse=("ask", "bonus", "now", "heading", "left_out"),
    )

    @property
    def certain(self) -> bool:
        """Whether the solution is certain, so that there is nothing to weigh."""
        return self.accuse.reason == "certain"

    @property
    def choices(self) -> tuple[RankedSuggestion, ...]:
        """
        The suggestions in the order of the verdict: that to make, then by the chance to win.

        Those that no games were played on for come last, in order of gain times reach.
        """
        chosen = () if self.ask is None else self.ask.cards

        def order(suggestion: RankedSuggestion) -> tuple[bool, float]:
            win = -1.0 if suggestion.win is None else suggestion.win
            return suggestion.cards != chosen, -sort_key(win)

        return tuple(sorted(self.suggestions, key=order))

    def top(self, most: int) -> Advice:
        """Return the advice with so many suggestions at most."""
        return replace(self, suggestions=self.suggestions[:most])

    def to_frame(self) -> DataFrame:
        """Return the suggestions as a pandas table."""
        frame: DataFrame = draw(self, "frame")
        return frame


def choose_suggestion(ranked: tuple[RankedSuggestion, ...]) -> AskAdvice | None:
    """
    Return the suggestion to make, and why.

    One that names own cards often tells most at once and leaves least to build on: in play it is
    the worse choice (docs/decisions/own-cards.md). So it is the first in the ranking
    of those that name fewest own cards, unless another tells more than twice as much.
    What gains nothing is chosen only where nothing gains anything.
    """
    if not ranked:
        return None
    first = ranked[0]
    best = min(useful(ranked), key=lambda plan: plan.own)  # the first: the ranking is kept
    if first is best:
        return AskAdvice(suggestion=first, reason="most")
    if prefers_own(first.worth, best.worth):
        return AskAdvice(suggestion=first, reason="own", other=best)
    alike = first.gain - best.gain < LEAST_GAIN
    return AskAdvice(suggestion=best, reason="spared" if alike else "later", other=first)


def useful(ranked: Sequence[RankedSuggestion]) -> Sequence[RankedSuggestion]:
    """Return the suggestions that gain something; all of them if none does."""
    return [suggestion for suggestion in ranked if suggestion.worth >= LEAST_GAIN] or ranked


def choose_by_winning(
    likeliest: RankedSuggestion,
    others: Sequence[RankedSuggestion],
    better: Mapping[tuple[str, ...], Share],
) -> AskAdvice:
    """
    Return the suggestion that clearly wins more than that of the likeliest cards; else that one.

    A room that is harder to reach counts with its chance.

    Args:
        likeliest, others: What was played on.
        better: By how much more others win, of those that are clearly better.
    """
    shares: dict[tuple[str, ...], float] = {}
    for other in others:
        more = (other.win or 0.0) - (likeliest.win or 0.0)
        error = hypot(other.win_error or 0.0, likeliest.win_error or 0.0)
        if other.win_error and likeliest.win_error:
            if other.cards in better:
                shares[other.cards] = better[other.cards].share
        elif more > max(CLEAR * error, LEAST_MORE):
            shares[other.cards] = more
    most = max(suggestion.reach for suggestion in (likeliest, *others))
    there = [other for other in others if other.cards in shares]
    sure = max((shares[other.cards] for other in there if other.reach >= most), default=0.0)

    def wins(other: RankedSuggestion) -> float:
        """Return what it wins more if another is asked where the dice do not lead to its room."""
        return sure + other.reach / most * (shares[other.cards] - sure)

    if not there:
        return AskAdvice(suggestion=likeliest, reason="wins")
    best = max(there, key=lambda other: sort_key(wins(other)))
    return AskAdvice(suggestion=best, reason="wins", other=likeliest)


def prefers_own(naming: float, sparing: float) -> bool:
    """Whether to name own cards, by the bits that this tells, and that sparing them tells."""
    return naming > 2 * sparing + ROUNDING
