"""
Advice: what to ask, whether to accuse, who is close. Frozen values with names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, ShownValue, draw, share

if TYPE_CHECKING:
    from pandas import DataFrame


_IF_ANY = ("ask", "bonus", "heading", "left_out")
"""What the JSON of advice has only where there is something to tell."""


class AnswerChance(AnswerValue, frozen=True, kw_only=True):
    """
    One way to be answered and its probability.

    Attributes:
        shows: Who shows which card, in the order of answering; empty where nobody shows.
        probability: How likely it is.
    """

    shows: tuple[tuple[str, str], ...]
    probability: float

    def to_dict(self) -> dict[str, Any]:
        """Return what `to_json` writes: who shows has a name in it."""
        shows = [{"seat": seat, "card": card} for seat, card in self.shows]
        return {"shows": shows, "probability": self.probability}


class RankedSuggestion(AnswerValue, frozen=True, kw_only=True):
    """
    A suggestion that could be made.

    Attributes:
        cards: What it names, in category order.
        gain: The expected information about the solution, in bits.
        error: The standard error of the gain; 0 where it is exact.
        settles: The probability that the answer settles the solution.
        best_after: The expected probability of the best accusation after the answer.
        leak: The bits that a spectator gains, by a spectator's own knowledge; `None` where that
            cannot be counted.
        reach: The chance to be in the room, 1 without a board.
        own: How many cards of the viewer's own hand it names.
        answers: The distribution over answers, likeliest first.
    """

    cards: tuple[str, ...]
    gain: float
    error: float
    settles: float
    best_after: float
    leak: float | None
    reach: float
    own: int = 0
    answers: tuple[AnswerChance, ...]


class AskAdvice(AnswerValue, frozen=True, kw_only=True):
    """The suggestion to make, and why not another one that tells more at once."""

    suggestion: RankedSuggestion
    why: str

    @property
    def cards(self) -> tuple[str, ...]:
        """What it names."""
        return self.suggestion.cards

    def to_dict(self) -> dict[str, Any]:
        """Return what `to_json` writes: of the suggestion only its cards."""
        return {"cards": list(self.cards), "why": self.why}


class BonusAction(AnswerValue, frozen=True, kw_only=True):
    """
    A use of the bonus die.

    Attributes:
        action: What to do, as the line that records it begins.
        gain, error: As of a suggestion.
    """

    action: str
    gain: float
    error: float


class AccuseAdvice(AnswerValue, frozen=True, kw_only=True):
    """The best accusation, how likely it is right, and whether to make it now."""

    cards: tuple[str, ...]
    probability: float
    advice: Literal["wait", "accuse"]
    why: str


class Opponent(AnswerValue, frozen=True, kw_only=True):
    """
    Another seat, and how close it is.

    Attributes:
        seat: The seat.
        knows, error: The probability that it can already name the solution, and its standard error.
        out: Whether it has accused wrongly: it has seen the solution, and cannot win.
    """

    seat: str
    knows: float
    error: float
    out: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return what `to_json` writes."""
        return {"seat": self.seat, "knows": self.knows, "error": self.error}


class RoomAdvice(AnswerValue, frozen=True, kw_only=True):
    """The room to head for: what asking there would gain, and how many steps it is away."""

    room: str
    gain: float
    steps: int | None


class Advice(ShownValue, frozen=True, kw_only=True):
    """
    What one viewer had best do.

    Attributes:
        viewer: The seat that is advised.
        entries: How many entries count.
        bits: The entropy of its posterior over solutions.
        suggestions: The suggestions in order of gain times reach.
        accuse: The best accusation.
        opponents: The other seats, in table order.
        ask: The suggestion to make; `None` where the edition allows none.
        bonus: Uses of the bonus die, in order of gain; empty where there is none.
        heading: The room to head for, where none is in reach.
        left_out: How many suggestions were not weighed, because there are too many; those that were
            ask for the most open cards.
    """

    viewer: str
    entries: int
    bits: float
    suggestions: tuple[RankedSuggestion, ...]
    accuse: AccuseAdvice
    opponents: tuple[Opponent, ...] = ()
    ask: AskAdvice | None = None
    bonus: tuple[BonusAction, ...] = ()
    heading: RoomAdvice | None = None
    left_out: int = 0

    def top(self, most: int) -> Advice:
        """Return the advice with so many suggestions at most."""
        return replace(self, suggestions=self.suggestions[:most])

    def to_frame(self) -> DataFrame:
        """Return the suggestions as a pandas table."""
        frame: DataFrame = draw(self, "frame")
        return frame

    def to_dict(self) -> dict[str, Any]:
        """Return what `to_json` writes, as dicts and lists."""
        told = super().to_dict()
        del told["entries"]
        shown = {name: each for name, each in told.items() if each or name not in _IF_ANY}
        return {"schema": 1} | shown


class Decision(AnswerValue, frozen=True, kw_only=True):
    """
    What to do now, in one line.

    Attributes:
        text: The line, such as `Ask Mustard, Knife, Study; do not accuse yet (31 %)`.
        accuse: Whether to accuse now.
        certain: Whether the solution is certain.
        cards: The best accusation.
        probability: How likely that is right.
    """

    text: str
    accuse: bool
    certain: bool
    cards: tuple[str, ...]
    probability: float


def decide(advice: Advice) -> Decision:
    """Return the advice in one line, with who else may know: nobody of those who are out."""
    best, accuse = advice.accuse, advice.accuse.advice == "accuse"
    likely = f"({share(best.probability)})"
    if accuse:
        text = f"Accuse now: {', '.join(best.cards)} {likely}"
    elif advice.ask is not None:
        text = f"Ask {', '.join(advice.ask.cards)}; do not accuse yet {likely}"
    else:
        text = f"Do not accuse yet {likely}"
    rivals = (each for each in advice.opponents if not each.out)
    rival = max(rivals, key=lambda each: each.knows, default=None)
    if rival is not None and rival.knows > (0 if accuse else best.probability):
        text += f"; {rival.seat} may know: {share(rival.knows)}"
    return Decision(
        text=text, accuse=accuse, certain=False, cards=best.cards, probability=best.probability
    )


def choose_suggestion(ranked: tuple[RankedSuggestion, ...]) -> AskAdvice | None:
    """
    Return the suggestion to make, and why.

    One that names own cards often tells most at once and leaves least to build on: in play it is
    the worse choice (measured in benchmarks/play_strategies.py). So it is the first in the ranking
    of those that name fewest own cards, unless another tells more than twice as much.
    """
    if not ranked:
        return None
    first = ranked[0]
    best = min(ranked, key=lambda each: each.own)  # the first of them: the ranking is kept
    if first is best:
        return AskAdvice(suggestion=first, why="it gains the most information")
    if prefers_own(first.gain * first.reach, best.gain * best.reach):
        why = f"naming {_counted(first.own)} of your own gains more than twice as much"
        return AskAdvice(suggestion=first, why=why)
    if first.gain - best.gain < 0.005:  # as far as it is seen
        why = "no other gains more, and it names fewer of your own cards"
        return AskAdvice(suggestion=best, why=why)
    more = f"{', '.join(first.cards)} gains {first.gain:.2f} bits at once, this {best.gain:.2f}"
    why = f"{more}, but naming {_counted(first.own)} of your own leaves less to build on"
    return AskAdvice(suggestion=best, why=why)


def prefers_own(naming: float, sparing: float) -> bool:
    """Whether to name own cards, by the bits that this tells, and that sparing them tells."""
    return naming > 2 * sparing


def _counted(number: int) -> str:
    return "a card" if number == 1 else f"{number} cards"
