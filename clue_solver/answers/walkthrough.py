"""
A game entry by entry, as one viewer saw it: the sheet after each, and why something was settled.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue
from clue_solver.answers.reasons import reason
from clue_solver.errors import TooLarge
from clue_solver.inference.deduction import Deduction, marks
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation import format_line
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Table


class SettledCard(AnswerValue, frozen=True, kw_only=True):
    """A card whose place an entry settled, the holder, the entries that force it, and why."""

    card: str
    holder: str
    entries: tuple[int, ...]
    why: str


class GameStep(AnswerValue, frozen=True, kw_only=True):
    """
    What the viewer knew after an entry; entry 0 is before the log.

    Attributes:
        entry, line: The entry, and its line in the record.
        chances: The probability of each card with each holder, rows in the order of the cards.
        verdicts: 1 holds, 2 lacks, 0 open, in the same shape.
        settled: The cards whose place was settled by this entry.
    """

    entry: int
    line: str
    chances: tuple[tuple[float, ...], ...]
    verdicts: tuple[tuple[int, ...], ...]
    settled: tuple[SettledCard, ...]


class Walkthrough(AnswerValue, frozen=True, kw_only=True):
    """The steps of a game from the first to the last entry, with the order of cards and holders."""

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
    lines = ["", *(format_line(each, table) for each in observations)]
    steps: list[GameStep] = []
    before: Any = None
    known = deduction.knowledge
    telling = {entry for each in known.clauses for entry in each.entries}
    telling |= {each.entry for each in (*known.factors, *known.behaviour)}
    for entry, line in enumerate(lines):
        if steps and entry not in telling:
            steps.append(replace(steps[-1], entry=entry, line=line, settled=()))
            continue
        found = marks(deduction.possible(entry), len(table.holders))
        try:
            chances = deduction.diagram(entry).marginals()
        except TooLarge:
            chances = np.where(found == 1, 1.0, 0.0)
        fresh = (found == 1) if before is None else (found == 1) & (before != 1)
        steps.append(
            GameStep(
                entry=entry,
                line=line,
                chances=tuple(map(tuple, chances.tolist())),
                verdicts=tuple(map(tuple, found.tolist())),
                settled=tuple(
                    _settled(table, observations, deduction, entry, place)
                    for place in np.argwhere(fresh).tolist()
                ),
            )
        )
        before = found
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
    """Return why a card's place is settled: the last sentence of the argument."""
    name = table.cards[place[0]]
    holder = table.holders[place[1]]
    found = reason(table, observations, deduction, card=name, holder=holder, upto=entry)
    why = found.steps[-1].why if found.steps else "it is so in every deal"
    where = "the envelope" if holder == ENVELOPE else holder
    return SettledCard(card=name, holder=where, entries=found.entries, why=why)
