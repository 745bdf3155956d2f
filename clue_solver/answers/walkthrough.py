"""
A game entry by entry, as one viewer saw it: the sheet after each, and why something was settled.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, Written, draw
from clue_solver.answers.reasons import ReasonStep, reason
from clue_solver.errors import TooLarge
from clue_solver.inference.deduction import Deduction, marks
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation import format_line
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Table


class SettledCard(AnswerValue, frozen=True, kw_only=True):
    """
    A card whose place an entry settled.

    Attributes:
        card, holder: The card, and who has it.
        entries: The entries that force it.
        step: The last step of the argument; `None` where it is so in every deal.

    >>> from clue_solver import load
    >>> steps = load("examples/classic.clue").walkthrough().steps
    >>> settled = steps[2].settled[0]
    >>> settled.card, settled.holder, settled.why
    ('Hall', 'Cat', 'shown to Ann (entry 2)')
    """

    card: str
    holder: str
    entries: tuple[int, ...]
    step: ReasonStep | None

    written: ClassVar[Written] = Written(
        also=("card", "holder", "entries", "why"), without=("step",)
    )

    @property
    def why(self) -> str:
        """Why it is there, in words."""
        return str(draw(self, "sentence"))


class GameStep(AnswerValue, frozen=True, kw_only=True):
    """
    What the viewer knew after an entry; entry 0 is before the log.

    Attributes:
        entry, line: The entry, and its line in the record.
        chances: The probability of each card with each holder, rows in the order of the cards.
        verdicts: 1 holds, 2 lacks, 0 open, in the same shape.
        settled: The cards whose place was settled by this entry.

    >>> from clue_solver import load
    >>> step = load("examples/classic.clue").walkthrough().steps[2]
    >>> step.line, len(step.chances), step.settled[0].card
    ('Ann suggests Green, Rope, Hall: Ben passes, Cat shows Hall', 21, 'Hall')
    """

    entry: int
    line: str
    chances: tuple[tuple[float, ...], ...]
    verdicts: tuple[tuple[int, ...], ...]
    settled: tuple[SettledCard, ...]


class Walkthrough(AnswerValue, frozen=True, kw_only=True):
    """
    The steps of a game from the first to the last entry, with the order of cards and holders.

    >>> from clue_solver import load
    >>> walk = load("examples/classic.clue").walkthrough()
    >>> walk.viewer, walk.holders[-1], len(walk.steps)  # one before the log
    ('Ann', 'envelope', 19)
    """

    viewer: str
    cards: tuple[str, ...]
    holders: tuple[str, ...]
    steps: tuple[GameStep, ...]


def walkthrough(
    table: Table, observations: Sequence[Observation], *, viewer: str | None
) -> Walkthrough:
    """
    Return the game step by step.

    Where there is too much to count, a sheet shows only what is certain.
    """
    deduction = Deduction(knowledge_of(table, observations, viewer=viewer))
    lines = ["", *(format_line(observation, table) for observation in observations)]
    steps: list[GameStep] = []
    before: Any = None
    known = deduction.knowledge
    telling = {entry for clause in known.clauses for entry in clause.entries}
    telling |= {factor.entry for factor in (*known.factors, *known.behaviour)}
    for entry, line in enumerate(lines):
        if steps and entry not in telling:
            steps.append(replace(steps[-1], entry=entry, line=line, settled=()))
            continue
        verdicts = marks(deduction.possible(entry), len(table.holders))
        try:
            chances = deduction.diagram(entry).marginals()
        except TooLarge:
            chances = np.where(verdicts == 1, 1.0, 0.0)
        fresh = (verdicts == 1) if before is None else (verdicts == 1) & (before != 1)
        steps.append(
            GameStep(
                entry=entry,
                line=line,
                chances=tuple(map(tuple, chances.tolist())),
                verdicts=tuple(map(tuple, verdicts.tolist())),
                settled=tuple(
                    _settled(table, observations, deduction, entry, place)
                    for place in np.argwhere(fresh).tolist()
                ),
            )
        )
        before = verdicts
    return Walkthrough(
        viewer=viewer or SPECTATOR, cards=table.cards, holders=table.holders, steps=tuple(steps)
    )


def _settled(
    table: Table,
    observations: Sequence[Observation],
    deduction: Deduction,
    entry: int,
    place: list[int],
) -> SettledCard:
    """Return why a card's place is settled: the last step of the argument."""
    card, holder = table.cards[place[0]], table.holders[place[1]]
    why = reason(table, observations, deduction, card=card, holder=holder, upto=entry)
    step = why.steps[-1] if why.steps else None
    where = "the envelope" if holder == ENVELOPE else holder
    return SettledCard(card=card, holder=where, entries=why.entries, step=step)
