"""
Many positions of one table in one call: arrays in, arrays out.

With numba (`pip install 'clue-solver[fast]'`) the compiled engine evaluates them; without it, and
for what that engine does not cover, the diagram of each position does. The answers are the same.
"""

import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.errors import ArgumentError, Contradiction, import_extra
from clue_solver.inference.deduction import Deduction, marks
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.viewer import Floats, Ints, Positions

Engine = Literal["compiled", "diagram"]

_HANDED_OVER = 100
"""The status of a position that the compiled engine leaves to the diagram."""

_STATES, _MOST_STATES, _LIMB = 1 << 14, 1 << 20, 48


class Evaluations(NamedTuple):
    """
    What is certain and how likely the rest is, in many positions.

    Where no deal fits, probabilities are `nan` and verdicts 0.

    Attributes:
        consistent: Whether some deal fits, shape (positions,).
        verdicts: int8, shape (positions, cards, holders): 1 holds, 2 lacks, 0 open.
        marginals: float64, the same shape: the probability of each card with each holder.
        limbs: The number of deals that fit, in limbs of 48 bits, shape (positions, limbs).
        solutions: The posterior, shape (positions, cards of the first category, ...).
        bits: Its entropy, shape (positions,).
        compiled: Whether the compiled engine evaluated it, shape (positions,).
    """

    consistent: npt.NDArray[np.bool_]
    verdicts: npt.NDArray[np.int8]
    marginals: Floats
    limbs: Ints
    solutions: Floats
    bits: Floats
    compiled: npt.NDArray[np.bool_]

    @property
    def deals(self) -> list[int]:
        """The exact number of deals that fit each position."""
        return [
            sum(limb << _LIMB * place for place, limb in enumerate(limbs))
            for limbs in self.limbs.tolist()
        ]


def evaluate(positions: Positions, *, engine: Engine | None = None) -> Evaluations:
    """
    Evaluate positions of one table.

    Args:
        positions: What is known in each.
        engine: Which engine; the compiled one if left out, where numba is installed.

    Raises:
        MissingExtra: If the compiled engine is asked for by name and numba is not installed.
        TooLarge: If a position needs too much memory.
    """
    layout, count = positions.layout, len(positions)
    sizes = [mask.bit_count() for mask in layout.categories]
    table = (count, layout.cards, layout.holders)
    found = Evaluations(
        consistent=np.ones(count, np.bool_),
        verdicts=np.zeros(table, np.int8),
        marginals=np.zeros(table),
        limbs=np.zeros((count, 3), np.int64),
        solutions=np.zeros((count, *sizes)),
        bits=np.zeros(count),
        compiled=np.zeros(count, np.bool_),
    )
    compiled = _compiled(engine)
    if compiled is not None and _covered(positions, compiled):
        status = np.full(count, compiled.FULL, np.int8)
        status[list(positions.learned)] = _HANDED_OVER
        answers = compiled.Answers(
            status, found.verdicts, found.marginals, found.limbs,
            found.solutions.reshape(count, -1), found.bits,
        )  # fmt: skip
        _run(compiled, status, lambda which, memory: compiled.evaluate(
            positions.shape, positions.rows, which, memory, answers
        ))  # fmt: skip
        found.compiled[:] = status <= compiled.CLASH
        found.consistent[:] = status != compiled.CLASH
    for position in np.flatnonzero(~found.compiled).tolist():
        _evaluated(positions, position, found)
    return found


def draw_deals(
    positions: Positions, deals: int, rng: np.random.Generator, *, engine: Engine | None = None
) -> npt.NDArray[np.int8]:
    """
    Draw deals of each position, independently and with the exact probabilities.

    Args:
        positions: What is known in each.
        deals: How many to draw of each.
        rng: Chooses them.
        engine: As for `evaluate`.

    Returns:
        The holder of each card, shape (positions, deals, cards).

    Raises:
        Contradiction: If no deal fits a position.
        MissingExtra, TooLarge: As `evaluate`.
    """
    layout, count = positions.layout, len(positions)
    drawn = np.zeros((count, deals, layout.cards), np.int8)
    done = np.zeros(count, np.bool_)
    compiled = _compiled(engine)
    if compiled is not None and _covered(positions, compiled):
        status = np.full(count, compiled.FULL, np.int8)
        status[list(positions.learned)] = _HANDED_OVER
        lots = rng.random((count, deals, 2 * layout.cards + layout.holders))
        told = compiled.Drawn(status, drawn, lots)
        _run(compiled, status, lambda which, memory: compiled.draw(
            positions.shape, positions.rows, which, memory, told
        ))  # fmt: skip
        if (status == compiled.CLASH).any():
            raise Contradiction(())
        done = status == compiled.FITS
    for position in np.flatnonzero(~done).tolist():
        known = positions.knowledge(position)
        drawn[position] = Deduction(known).diagram(known.entries).draw(deals, rng)
    return drawn


def loaded(*, load: bool = False) -> bool:
    """Return whether the compiled engine is in memory; `load` gets it there where it can."""
    if load:
        _compiled(None)
    return f"{__package__}.compiled" in sys.modules


@cache
def installed() -> bool:
    """Return whether the compiled engine can be used."""
    return find_spec("numba") is not None


def _compiled(engine: Engine | None) -> ModuleType | None:
    """Return the compiled engine if it is to be used, loading it late: numba takes its time."""
    if engine not in (None, "compiled", "diagram"):
        raise ArgumentError(
            f"engine: expected compiled or diagram; found {engine!r}", argument="engine"
        )
    if engine == "diagram" or (engine is None and not installed()):
        return None
    import_extra("numba", extra="fast")
    from clue_solver.inference import compiled

    return compiled


def _covered(positions: Positions, compiled: ModuleType) -> bool:
    layout = positions.layout
    fits = layout.cards <= compiled.MOST_CARDS and layout.holders <= compiled.MOST_HOLDERS
    return bool(fits) and not layout.dealt


def _run(
    compiled: ModuleType,
    status: npt.NDArray[np.int8],
    engine: Callable[[Ints, Any], None],
) -> None:
    """Run the engine, with more memory for those positions that need it."""
    states = _STATES
    while states <= _MOST_STATES and (left := np.flatnonzero(status == compiled.FULL)).size:
        try:
            engine(left, _memory(compiled, states))
        except (ImportError, AttributeError):
            compiled.forget()
            engine(left, _memory(compiled, states))
        states *= 8


@cache
def _memory(compiled: ModuleType, states: int) -> Any:
    return compiled.memory(states)


def _evaluated(positions: Positions, position: int, found: Evaluations) -> None:
    """Evaluate one position by its deal diagram."""
    known = positions.knowledge(position)
    deduction, layout = Deduction(known), known.layout
    try:
        possible = deduction.possible(known.entries)
    except Contradiction:
        found.consistent[position] = False
        for each in (found.marginals, found.solutions, found.bits):
            each[position] = np.nan
        return
    found.verdicts[position] = marks(possible, layout.holders)
    diagram, posterior = deduction.diagram(known.entries), deduction.solutions(known.entries)
    found.marginals[position] = diagram.marginals()
    deals = diagram.count()
    found.limbs[position] = [deals >> _LIMB * limb & (1 << _LIMB) - 1 for limb in range(3)]
    place = np.zeros(layout.cards, np.int64)
    for mask in layout.categories:
        cards = card_numbers(mask)
        place[cards] = np.arange(len(cards))
    found.solutions[position] = 0.0  # the compiled engine may have begun
    found.solutions[position][tuple(place[posterior.cards].T)] = posterior.probability
    found.bits[position] = posterior.bits
