"""
What to do now, in one line: by advice, at a first look or at a closer one.

A first look is quick advice, and accuses nothing that is not certain. The closer one takes longer.
Where games are played on both begin with the same question, that of the likeliest cards, which only
a clearly better one replaces; so what is said first changes only for a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import ClassVar, Literal

from msgspec.structs import replace

from clue_solver.answers.advice import (
    CLEAR,
    LEAST_GAIN,
    Advice,
    AskAdvice,
    AskReason,
    BonusAction,
    FirstInTurn,
    Opponent,
    RoomAdvice,
)
from clue_solver.answers.display import AnswerValue, Written, draw
from clue_solver.answers.own_turn import OwnTurn
from clue_solver.inference.rounding import ROUNDING, sort_key
from clue_solver.inference.solutions import Solutions
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

DecisionKind = Literal[
    "accuse", "ask", "bonus", "go", "wait", "barred", "solution", "over", "opened"
]
"""What one is told to do, or why nothing."""

DecisionStage = Literal["first", "changed"]
"""A first look, after which a closer one comes; a closer one that tells something else."""


class Decision(AnswerValue, frozen=True, kw_only=True):
    """
    What to do now, in one line.

    Attributes:
        certain: Whether the solution is certain.
        cards: The best accusation.
        probability: How likely that is right.
        kind: To `accuse`, to `ask`, to use the `bonus` die, to head for a room (`go`), or to do
            none of these yet (`wait`); for who may not accuse, standing in no room (`barred`); for
            who makes no accusation at all, what is known (`solution`), in a game that is `over`, or
            after one has opened the envelope (`opened`).
        after: What has to be done before accusing.
        roll: Whether the dice have to be rolled first, which choose what can be asked for.
        stay: Whether one stays where one stands to ask it.
        ask: What to ask.
        reason: Why that.
        best_after: How likely the best accusation is expected to be right after the answer.
        look: Where to look at a face-down card first.
        bonus: The best use of the bonus die for each face that may be up, where it comes next.
        heading: The room to head for, where nothing in reach gains anything.
        later: Whether it is another's turn now.
        wait: What asking on wins, where to accuse what is not certain wins more.
        rival: Another player who may know the solution.
        stage: Whether it is a first look, or a closer one that has `changed` it beyond its error.

    >>> from clue_solver import load
    >>> decision = load("examples/evening.clue").decision(upto=21, viewer="Ann")
    >>> decision.kind, decision.cards
    ('accuse', ('Green', 'Wrench', 'Kitchen'))
    """

    certain: bool
    cards: tuple[str, ...]
    probability: float
    kind: DecisionKind
    after: tuple[FirstInTurn, ...] = ()
    roll: bool = False
    stay: bool = False
    ask: tuple[str, ...] = ()
    reason: AskReason | None = None
    best_after: float = 0.0
    look: str | None = None
    bonus: tuple[BonusAction, ...] = ()
    heading: RoomAdvice | None = None
    later: bool = False
    wait: float | None = None
    rival: Opponent | None = None
    stage: DecisionStage | None = None

    written: ClassVar[Written] = Written(
        also=("text", "accuse"),
        without=(
            "kind",
            "after",
            "roll",
            "stay",
            "ask",
            "reason",
            "best_after",
            "look",
            "heading",
            "later",
            "wait",
            "rival",
        ),
        sparse=("bonus", "stage"),
    )

    @property
    def accuse(self) -> bool:
        """Whether to accuse now."""
        return self.kind == "accuse"

    @property
    def text(self) -> str:
        """The line, such as `Ask Mustard, Knife, Study; do not accuse yet (31 %)`."""
        return str(draw(self, "sentence"))


def decided(table: Table, log: Sequence[Observation], solutions: Solutions) -> Decision | None:
    """Return what the table's viewer does now where there is nothing to weigh; else `None`."""
    viewer = table.viewer
    cards = tuple(table.cards[card] for card in solutions.cards[0].tolist())
    chance = float(solutions.probability[0])
    certain = len(solutions.probability) == 1
    turns = TurnState.of(log)
    decision = Decision(certain=certain, cards=cards, probability=chance, kind="solution")
    if turns.winner is not None:
        return replace(decision, kind="over")
    if viewer in turns.out and not certain:
        return replace(decision, kind="opened")
    if viewer is None or viewer in turns.gone:
        return decision
    if not certain:
        return None
    turn = OwnTurn(table, log, viewer=viewer)
    return replace(
        decision,
        kind="barred" if turn.barred else "accuse",
        after=turn.before_accusing,
        later=turn.later and not turn.suggested,
    )


def decide(advice: Advice) -> Decision:
    """Return the advice in one line, with who else may know: nobody of those who are out."""
    best, ask = advice.accuse, advice.ask
    accuse = best.advice == "accuse"
    kind: DecisionKind = "wait" if ask is None else "ask"
    if accuse:
        kind = "accuse"
    elif best.barred and best.reason == "certain":
        kind = "barred"
    elif advice.now:
        kind = "bonus"
    elif advice.heading is not None:
        kind = "go"
    rivals = (opponent for opponent in advice.opponents if not opponent.out)
    rival = max(rivals, key=lambda opponent: sort_key(opponent.knows), default=None)
    least = ROUNDING + (0 if accuse else best.probability)
    return Decision(
        certain=best.reason == "certain",
        cards=best.cards,
        probability=best.probability,
        kind=kind,
        after=best.weighed.after,
        roll=advice.roll,
        stay=advice.stay,
        ask=() if ask is None else ask.cards,
        reason=None if ask is None else _reason(ask),
        best_after=0.0 if ask is None else ask.suggestion.best_after,
        look=None if ask is None else ask.suggestion.look,
        bonus=advice.now,
        heading=advice.heading,
        later=advice.later,
        wait=best.win_wait if accuse and best.reason == "played" else None,
        rival=rival if rival is not None and rival.knows > least else None,
    )


def _reason(ask: AskAdvice) -> AskReason:
    """Return why to ask something; nothing was clearly better than the likeliest cards."""
    return "likeliest" if ask.reason == "wins" and ask.other is None else ask.reason


def first_look(advice: Advice) -> Decision:
    """Return quick advice in one line, which accuses nothing that is not certain."""
    waiting = replace(advice.accuse, advice="wait")
    return replace(decide(replace(advice, accuse=waiting)), stage="first")


def closer_look(advice: Advice, first: Advice) -> Decision:
    """
    Return the advice in one line, after a first look at the same position.

    What the first look named stays where nothing is better beyond the error, and who may know the
    solution is no news within the error.
    """
    ask, before = advice.ask, first.ask
    if ask is not None and before is not None and ask.suggestion.win is None:
        best = ask.suggestion
        kept = [
            suggestion
            for suggestion in advice.suggestions
            if suggestion.cards == before.cards
            and suggestion.own <= best.own
            and _as_much(suggestion.worth, best.worth, hypot(suggestion.error, best.error))
        ]
        if kept:
            reason = ask.reason if ask.cards == before.cards else before.reason
            advice = replace(advice, ask=replace(ask, suggestion=kept[0], reason=reason))
    named = {use.action for use in first.now}
    uses = {_verb(use, advice): use for use in advice.bonus if use.action in named}
    now = tuple(
        use if _as_much(use.gain, best.gain, hypot(use.error, best.error)) else best
        for best, use in ((use, uses.get(_verb(use, advice), use)) for use in advice.now)
    )
    advice = replace(advice, now=now)
    whole, look = decide(advice), first_look(first)

    def does(decision: Decision) -> tuple[object, ...]:
        room = decision.heading and decision.heading.room
        uses = [use.action for use in decision.bonus]
        return decision.kind, decision.ask, decision.look, uses, room

    knew, knows = (
        {opponent.seat: opponent for opponent in each.opponents} for each in (first, advice)
    )
    news = [rival.seat for rival in (whole.rival, look.rival) if rival is not None]
    changed = does(whole) != does(look) or any(
        abs(knows[seat].knows - knew[seat].knows)
        > CLEAR * hypot(knows[seat].error, knew[seat].error)
        for seat in news
        if {seat} <= knew.keys() & knows.keys()
    )
    return replace(whole, stage="changed" if changed else None)


def _as_much(gain: float, other: float, error: float) -> bool:
    """Whether a gain is as much as another, as far as the error of both tells."""
    return gain >= other - max(CLEAR * error, LEAST_GAIN)


def _verb(use: BonusAction, advice: Advice) -> str:
    """Return what a use of the bonus die does, which is the face that it needs."""
    return use.action.removeprefix(f"{advice.viewer} ").split()[0]
