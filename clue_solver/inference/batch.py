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
from clue_solver.knowledge.evidence import PRIOR
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
    compiled = _compiled(engine)
    found, learned = _empty(positions), np.array([*positions.learned], np.int64)
    if compiled is not None and _covered(positions, compiled):
        whole = np.setdiff1d(np.arange(len(positions)), learned)
        _engine(compiled, positions, found, whole)
        if learned.size:
            at_levels = positions.take(learned).at_levels()
            each = _empty(at_levels)
            weights = _engine(compiled, at_levels, each, np.arange(len(at_levels)))
            _mix(each, weights.reshape(len(learned), -1), found, learned)
    for position in np.flatnonzero(~found.compiled).tolist():
        _evaluated(positions, position, found)
    return found


def _empty(positions: Positions) -> Evaluations:
    """Return room for what is found out about positions."""
    layout, count = positions.layout, len(positions)
    table = (count, layout.cards, layout.holders)
    return Evaluations(
        consistent=np.ones(count, np.bool_),
        verdicts=np.zeros(table, np.int8),
        marginals=np.zeros(table),
        limbs=np.zeros((count, 3), np.int64),
        solutions=np.zeros((count, *(mask.bit_count() for mask in layout.categories))),
        bits=np.zeros(count),
        compiled=np.zeros(count, np.bool_),
    )


def _engine(compiled: ModuleType, positions: Positions, found: Evaluations, which: Ints) -> Floats:
    """Evaluate some positions by the compiled engine; return the logarithms of their weights."""
    count = len(positions)
    status, weights = np.full(count, _HANDED_OVER, np.int8), np.full(count, -np.inf)
    status[which] = compiled.FULL
    answers = compiled.Answers(
        status, found.verdicts, found.marginals, found.limbs,
        found.solutions.reshape(count, -1), found.bits, weights,
    )  # fmt: skip
    _run(compiled, status, lambda left, memory: compiled.evaluate(
        positions.shape, positions.rows, left, memory, answers
    ))  # fmt: skip
    found.compiled[:] = status <= compiled.CLASH
    found.consistent[:] = status != compiled.CLASH
    return weights


def _shares(weights: Floats) -> Floats:
    """Return how likely each level of care is, by the logarithms of all deals' weights at it."""
    with np.errstate(invalid="ignore"):
        shares = np.array(PRIOR) * np.exp(weights - weights.max(axis=1, keepdims=True))
    total: Floats = shares.sum(axis=1, keepdims=True)
    likely: Floats = np.nan_to_num(shares / total)
    return likely


def _mix(each: Evaluations, weights: Floats, found: Evaluations, where: Ints) -> None:
    """Write positions as one of which there is one at each level of care."""
    count, levels = weights.shape
    shares = _shares(weights)
    first = np.arange(count) * levels
    consistent = each.consistent.reshape(count, levels)
    alike = consistent.all(axis=1) | ~consistent.any(axis=1)  # else weights came to nothing
    found.compiled[where] = each.compiled.reshape(count, levels).all(axis=1) & alike
    found.consistent[where] = each.consistent[first]
    found.verdicts[where], found.limbs[where] = each.verdicts[first], each.limbs[first]
    for one, all_ in ((found.marginals, each.marginals), (found.solutions, each.solutions)):
        apart = all_.reshape(count, levels, *all_.shape[1:])
        one[where] = np.einsum("pl,pl...->p...", shares, apart)
    clash = where[~each.consistent[first]]
    for all_ in (found.marginals, found.solutions):
        all_[clash] = np.nan
    chances = found.solutions[where].reshape(count, -1)
    logs = np.log2(chances, out=np.zeros_like(chances), where=chances > 0)
    bits = np.maximum(-(chances * logs).sum(axis=1), 0.0)
    found.bits[where] = np.where(each.consistent[first], bits, np.nan)


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
        learned = np.array([*positions.learned], np.int64)
        whole = np.setdiff1d(np.arange(count), learned)
        status, drawn, _ = _draw(compiled, positions, deals, rng, whole)
        if learned.size:
            at_levels = positions.take(learned).at_levels()
            of_each, each, weights = _draw(compiled, at_levels, deals, rng)
            levels = len(each) // len(learned)
            shares = np.cumsum(_shares(weights.reshape(-1, levels)), axis=1)
            chosen = (rng.random((len(learned), deals))[..., None] > shares[:, None, :-1]).sum(-1)
            place = np.arange(len(learned))[:, None] * levels + chosen
            drawn[learned] = each[place, np.arange(deals)]
            status[learned] = of_each.reshape(-1, levels).max(axis=1)
        if (status == compiled.CLASH).any():
            raise Contradiction(())
        done = status == compiled.FITS
    for position in np.flatnonzero(~done).tolist():
        known = positions.knowledge(position)
        drawn[position] = Deduction(known).diagram(known.entries).draw(deals, rng)
    return drawn


def _draw(
    compiled: ModuleType,
    positions: Positions,
    deals: int,
    rng: np.random.Generator,
    which: Ints | None = None,
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8], Floats]:
    """Draw by the compiled engine; return how it ended, the deals, the logarithms of weights."""
    layout, count = positions.layout, len(positions)
    status = np.full(count, _HANDED_OVER, np.int8)
    status[np.arange(count) if which is None else which] = compiled.FULL
    drawn, weights = np.zeros((count, deals, layout.cards), np.int8), np.full(count, -np.inf)
    lots = rng.random((count, deals, 2 * layout.cards + layout.holders))
    told = compiled.Drawn(status, drawn, lots, weights)
    _run(compiled, status, lambda left, memory: compiled.draw(
        positions.shape, positions.rows, left, memory, told
    ))  # fmt: skip
    return status, drawn, weights


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
