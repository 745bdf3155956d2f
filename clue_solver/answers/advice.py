"""
Advice: what to ask, whether to accuse, who is close. Frozen values with names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, ShownValue, Written, draw, share
from clue_solver.inference.diagram import ROUNDING, sort_key

if TYPE_CHECKING:
    from pandas import DataFrame


By = Literal["win", "bits"]
BYS: tuple[By, ...] = ("bits", "win")
"""What a suggestion is chosen by: what it tells, which is known sooner, or the chance to win."""

CLEARLY = 0.05
"""
By how much accusing must win more than asking on: an accusation is final, and the others are taken
to play as well as anybody can. Against such players it costs nothing (docs/mathematics.md).
"""

LEAST_MORE = 0.01
"""By how much asking first must raise the chance of the best accusation to be worth the wait."""


class ShownCard(NamedTuple):
    """
    A card that is shown.

    Attributes:
        seat: Who shows.
        card: What.
    """

    seat: str
    card: str


class AnswerChance(AnswerValue, frozen=True, kw_only=True):
    """
    One way to be answered and its probability.

    Attributes:
        shows: Who shows which card, in the order of answering; empty where nobody shows.
        probability: How likely it is.
    """

    shows: tuple[ShownCard, ...]
    probability: float


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


class RankedSuggestion(AnswerValue, frozen=True, kw_only=True):
    """
    A suggestion that could be made.

    Attributes:
        cards: What it names, in category order.
        gain: The expected information about the solution, in bits; with that of the look, if any.
        error: The standard error of the gain; 0 where it is exact.
        settles: The probability that the answer settles the solution.
        best_after: The expected probability of the best accusation after the answer.
        leak: The bits that a spectator gains, by a spectator's own knowledge; `None` where that
            cannot be counted.
        reach: The chance to be in the room, 1 without a board.
        own: How many cards of the viewer's own hand it names.
        look: The face-down card at which the viewer looks first, by the name of its place.
        then: The use of the bonus die that goes best with it, for each face that may be up, with
            what both together tell; only where the dice are told.
        win, win_error: The chance to win for who asks this first, by games played on, and its
            standard error; `None` where none were played.
        answers: The distribution over answers, likeliest first.
        unlisted: The chance of the answers that are not listed, where there are very many.
    """

    cards: tuple[str, ...]
    gain: float
    error: float
    settles: float
    best_after: float
    leak: float | None
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
        told = [each.gain for each in self.then] or [self.gain]
        return sum(told) / len(told) * self.reach


class AskAdvice(AnswerValue, frozen=True, kw_only=True):
    """
    The suggestion to make.

    Attributes:
        suggestion: Which one.
        why: Why not another one, which may tell more at once.
    """

    suggestion: RankedSuggestion
    why: str

    written: ClassVar[Written] = Written(also=("cards",), without=("suggestion",))

    @property
    def cards(self) -> tuple[str, ...]:
        """What it names."""
        return self.suggestion.cards


class AccuseAdvice(AnswerValue, frozen=True, kw_only=True):
    """
    The best accusation, how likely it is right, and whether to make it in this turn.

    Attributes:
        cards: The accusation.
        probability: How likely it is right.
        advice: Whether to make it, in the turn that is advised.
        why: The reason, in words.
        after: What the edition has the viewer do first in that turn, in words; empty if nothing.
        win_now: The chance to win by making it now.
        win_wait, win_error: The chance to win by asking on, by games played on, and its standard
            error. All three are `None` where none were played.
    """

    cards: tuple[str, ...]
    probability: float
    advice: Literal["wait", "accuse"]
    why: str
    after: str = ""
    win_now: float | None = None
    win_wait: float | None = None
    win_error: float | None = None

    written: ClassVar[Written] = Written(
        without=("after",), sparse=("win_now", "win_wait", "win_error")
    )


class WinChances(NamedTuple):
    """
    The chances to win, by accusing now and by asking on.

    Attributes:
        now: By accusing now.
        wait, error: By asking on for the likeliest cards, and its standard error.
        assumed: What is assumed of the other players, in words.
        otherwise: What the opposite is, in words, and what asking on wins then; `None` where that
            was not played.
        read: How likely the accusation is right by all that is known, where `now` is less: that is
            by what nobody can name on purpose, own cards asked for.
        first: The question that is advised, and what asking on wins if it comes first; `None`
            where none was played on.
        reached: Whether what can be asked for is up to the dice.
    """

    now: float
    wait: float
    error: float
    assumed: str
    otherwise: tuple[str, float] | None = None
    read: float | None = None
    first: tuple[tuple[str, ...], float] | None = None
    reached: bool = False

    def __str__(self) -> str:
        """Return the chances in words."""
        points = f"± {max(round(100 * self.error), 1)}"
        told = f"win if accusing now {share(self.now)}"
        if self.read is not None and share(self.read) != share(self.now):
            told += f" ({share(self.read)} if nobody names own cards on purpose)"
        told += f", if asking on {share(self.wait)} {points}"
        if self.first is not None and share(self.first[1]) != share(self.wait):
            cards, wins = self.first
            how = "in the rooms that the dice allow" if self.reached else "for the likeliest cards"
            told += f" {how}, {share(wins)} if {', '.join(cards)} is asked first"
        told += f"; {self.assumed}"
        if self.otherwise is not None:
            what, wait = self.otherwise
            told += f" ({share(wait)} if {what})"
        return told


class AccuseOrWait(NamedTuple):
    """
    What the choice goes by between accusing in this turn and waiting for the next.

    Attributes:
        now: The probability of the best accusation.
        certain: Whether it is certain.
        first: The greatest expected probability of the best accusation after something that can be
            done first in the same turn: a question, with the bonus die; `None` if nothing can.
        risk: The chance that somebody else can name the solution already.
        barred: Why one may not accuse in this turn, in words; empty if one may.
        after: What has to be done first in any case, in words; empty if nothing.
        win: The chances to win, where games were played on.
    """

    now: float
    certain: bool
    first: float | None
    risk: float
    barred: str = ""
    after: str = ""
    win: WinChances | None = None

    def decide(self, cards: tuple[str, ...]) -> AccuseAdvice:
        """
        Return whether to accuse, in the order of a turn.

        What is certain is accused, wherever it is allowed. Else whatever raises the chance of the
        best accusation comes first: asking costs nothing, since one may accuse afterwards in the
        same turn. Where nothing does, the accusation is made if it clearly wins more than asking on
        does. Where no games were played on, waiting wins at most where nobody else can name the
        solution already, with a chance of 1 - risk; so an accusation that is right with that chance
        or more is made, and no other. That nothing can be asked is no reason.

        >>> AccuseOrWait(now=0.5, certain=False, first=1.0, risk=0.6).decide(("Plum",)).advice
        'wait'
        >>> AccuseOrWait(now=0.5, certain=False, first=0.5, risk=0.6).decide(("Plum",)).advice
        'accuse'
        >>> AccuseOrWait(now=0.01, certain=False, first=None, risk=0.6).decide(("Plum",)).advice
        'wait'
        """
        accuse, why = self._reasons()
        win = self.win
        return AccuseAdvice(
            cards=cards,
            probability=1.0 if self.certain else self.now,
            advice="accuse" if accuse else "wait",
            why=why,
            after=self.after,
            win_now=win and win.now,
            win_wait=win and win.wait,
            win_error=win and win.error,
        )

    def _reasons(self) -> tuple[bool, str]:
        if self.certain:
            if self.barred:
                return False, f"it is certain, but {self.barred}"
            after = f": accuse after {self.after}" if self.after else ""
            return True, f"it is certain{after}"
        now = f"a chance of {share(self.now)} now"
        win = self.win
        played = f"; {win}" if win is not None else ""
        if self.first is not None and self.first >= self.now + LEAST_MORE:
            told = f"{now}, {share(self.first)} after what can be done first in this turn"
            return False, told + played
        if win is not None:
            accuse = win.now > win.wait + CLEARLY
            told = now + played
        else:
            left = 1.0 - self.risk
            accuse = self.now >= left
            told = (
                f"{now}; an opponent already knows the solution with a chance of "
                f"{share(self.risk)}: waiting wins {share(left)} at most"
            )
        if accuse and self.barred:
            return False, f"{told}, but {self.barred}"
        return accuse, told


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

    written: ClassVar[Written] = Written(without=("out",))


class RoomAdvice(AnswerValue, frozen=True, kw_only=True):
    """
    The room to head for.

    Attributes:
        room: Which one.
        gain: The bits that asking there would bring.
        steps: How far it is; `None` where that is not known.
    """

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
        suggestions: The suggestions that can be made, in order of gain times reach; where the dice
            of Clue Diced are told, by what they tell together with the bonus die.
        accuse: The best accusation.
        opponents: The other seats, in table order.
        ask: The suggestion to make; `None` where none can be made.
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

    written: ClassVar[Written] = Written(
        schema=1, without=("entries",), sparse=("ask", "bonus", "heading", "left_out")
    )

    def top(self, most: int) -> Advice:
        """Return the advice with so many suggestions at most."""
        return replace(self, suggestions=self.suggestions[:most])

    def to_frame(self) -> DataFrame:
        """Return the suggestions as a pandas table."""
        frame: DataFrame = draw(self, "frame")
        return frame


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


def decide(advice: Advice, *, later: bool = False) -> Decision:
    """
    Return the advice in one line, with who else may know: nobody of those who are out.

    Args:
        advice: The advice.
        later: Whether it is another's turn now.
    """
    best = advice.accuse
    accuse = best.advice == "accuse"
    certain = best.probability == 1.0
    likely = "(certain)" if certain else f"({share(best.probability)})"
    if accuse:
        when = f"after {best.after}" if best.after else "now"
        text = f"Accuse {when}: {', '.join(best.cards)} {likely}"
    elif advice.ask is not None:
        ask = "On your turn ask" if later else "Ask"
        text = f"{ask} {', '.join(advice.ask.cards)}; do not accuse yet {likely}"
    else:
        text = f"Do not accuse yet {likely}"
    rivals = (each for each in advice.opponents if not each.out)
    rival = max(rivals, key=lambda each: sort_key(each.knows), default=None)
    if rival is not None and rival.knows > ROUNDING + (0 if accuse else best.probability):
        text += f"; {rival.seat} may know: {share(rival.knows)}"
    return Decision(
        text=text, accuse=accuse, certain=certain, cards=best.cards, probability=best.probability
    )


def choose_suggestion(ranked: tuple[RankedSuggestion, ...]) -> AskAdvice | None:
    """
    Return the suggestion to make, and why.

    One that names own cards often tells most at once and leaves least to build on: in play it is
    the worse choice (docs/measurements.md, Advice in play). So it is the first in the ranking
    of those that name fewest own cards, unless another tells more than twice as much.
    """
    if not ranked:
        return None
    first = ranked[0]
    best = min(ranked, key=lambda each: each.own)  # the first of them: the ranking is kept
    if first is best:
        return AskAdvice(suggestion=first, why="it gains the most information")
    if prefers_own(first.worth, best.worth):
        why = f"naming {_counted(first.own)} of your own gains more than twice as much"
        return AskAdvice(suggestion=first, why=why)
    if first.gain - best.gain < 0.005:  # as far as it is seen
        why = "no other gains more, and it names fewer of your own cards"
        return AskAdvice(suggestion=best, why=why)
    more = f"{', '.join(first.cards)} gains {first.gain:.2f} bits at once, this {best.gain:.2f}"
    why = f"{more}, but naming {_counted(first.own)} of your own leaves less to build on"
    return AskAdvice(suggestion=best, why=why)


def choose_by_winning(
    likeliest: RankedSuggestion, chosen: RankedSuggestion, chances: tuple[float, ...]
) -> AskAdvice:
    """
    Return the suggestion that wins most, and why in two sentences.

    Args:
        likeliest: The one of the likeliest cards.
        chosen: The one to make: that, or another that is better beyond its error.
        chances: How likely each card of `chosen` is in the envelope.
    """
    named = ", ".join(f"{card} {share(p)}" for card, p in zip(chosen.cards, chances, strict=True))
    if chosen.win is None or chosen.win_error is None or likeliest.win is None:
        return AskAdvice(suggestion=chosen, why=f"the likeliest cards in the envelope: {named}")
    wins = f"{share(chosen.win)} ± {max(round(100 * chosen.win_error), 1)}"
    if chosen is likeliest:
        why = (
            f"These are the likeliest cards in the envelope ({named}). Asking for them first wins "
            f"{wins}, and no other question was better beyond its error."
        )
    else:
        why = (
            f"It tells {chosen.gain:.2f} bits and settles the case with {share(chosen.settles)} "
            f"({named} in the envelope). Asking for them first wins {wins}, for the likeliest "
            f"cards, {', '.join(likeliest.cards)}, {share(likeliest.win)}."
        )
    return AskAdvice(suggestion=chosen, why=why)


def prefers_own(naming: float, sparing: float) -> bool:
    """Whether to name own cards, by the bits that this tells, and that sparing them tells."""
    return naming > 2 * sparing + ROUNDING


def _counted(number: int) -> str:
    return "a card" if number == 1 else f"{number} cards"
