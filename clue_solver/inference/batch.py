"""
Many positions of one table in one call: arrays in, arrays out.

With numba (`pip install 'clue-solver[fast]'`) the compiled engine evaluates them; without it, and
for what that engine does not cover, the diagram of each position does. The answers are the same.
"""

from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec
from math import prod
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from clue_solver.errors import ArgumentError, Contradiction, TooLarge, import_extra
from clue_solver.inference.deduction import Deduction, marks
from clue_solver.knowledge.clauses import Layout, card_numbers
from clue_solver.knowledge.viewer import Floats, Ints, Positions

Engine = Literal["compiled", "diagram"]

_HANDED_OVER = 100
"""The status of a position that the compiled engine leaves to the diagram."""

_STATES = 1 << 18
_MOST_STATES = 1 << 20
_LIMB = 48
_MOST_OF_BEHAVIOUR = 1 << 16
"""
So many where behaviour counts. What takes more is asked of the diagram, which leaves behaviour out
where it is too large: then every command does, or none. Its layers take up to 132 bytes for each
arrow here (of which there are four to a state at most), 35 MB of the 50 that they may.
"""


class Evaluations(NamedTuple):
    """
    What is certain and how likely the rest is, in many positions.

    Where no deal fits, probabilities are `nan` and verdicts 0. All says what a report says.

    Attributes:
        consistent: Whether some deal fits, shape (positions,).
        verdicts: int8, shape (positions, cards, holders): 1 holds, 2 lacks, 0 open.
        marginals: float64, the same shape: the probability of each card with each holder.
        limbs: The number of deals that fit, in limbs of 48 bits, shape (positions, limbs).
        solutions: The posterior, shape (positions, cards of the first category, ...).
        bits: Its entropy, shape (positions,).
        compiled: Whether the compiled engine evaluated it, shape (positions,).
        left_out: Whether what people usually do does not count because it is too much to sum, shape
            (positions,).
        refused: By the numbers of the positions in which too much is open why they have no
            probabilities (these are `nan`, and 0 deals stand for a number not known).

    >>> from clue_solver import load_games
    >>> found = load_games("examples/evening.clue").evaluate().found
    >>> found.consistent, found.deals, found.marginals.shape
    (array([ True]), [3], (1, 21, 5))
    """

    consistent: npt.NDArray[np.bool_]
    verdicts: npt.NDArray[np.int8]
    marginals: Floats
    limbs: Ints
    solutions: Floats
    bits: Floats
    compiled: npt.NDArray[np.bool_]
    left_out: npt.NDArray[np.bool_]
    refused: dict[int, str]

    def __repr__(self) -> str:
        positions, cards, holders = self.verdicts.shape
        return f"<Evaluations: {positions} of {cards} cards, {holders} holders>"

    @property
    def deals(self) -> list[int]:
        """The exact number of deals that fit each position."""
        places = np.array([1 << _LIMB * place for place in range(self.limbs.shape[1])], object)
        deals: list[int] = (self.limbs.astype(object) @ places).tolist()
        return deals


def evaluate(positions: Positions, *, engine: Engine | None = None) -> Evaluations:
    """
    Evaluate positions of one table.

    Args:
        positions: What is known in each.
        engine: Which engine; the compiled one if left out, where numba is installed.

    Raises:
        ArgumentError: If there is no such engine.
        MissingExtra: If the compiled engine is asked for by name and numba is not installed.

    >>> from clue_solver import load_games
    >>> found = evaluate(load_games("examples/evening.clue").positions(upto="each"))
    >>> found.marginals.shape, found.deals[-1]
    ((22, 21, 5), 3)
    """
    evaluations = room(positions.layout, len(positions))
    if engine not in (None, "compiled", "diagram"):
        message = f"engine: expected compiled or diagram; found {engine!r}"
        raise ArgumentError(message, argument="engine")
    compiled = _compiled(engine)
    if compiled is not None and _covered(positions, compiled):
        _engine(compiled, positions, evaluations)
    for position in np.flatnonzero(~evaluations.compiled).tolist():
        _evaluated(positions, position, evaluations)
    return evaluations


def room(layout: Layout, count: int) -> Evaluations:
    """Return room for what is found out about so many positions, to be filled by `put`."""
    table = (count, layout.cards, layout.holders)
    return Evaluations(
        consistent=np.ones(count, np.bool_),
        verdicts=np.zeros(table, np.int8),
        marginals=np.zeros(table),
        limbs=np.zeros((count, 3), np.int64),
        solutions=np.zeros((count, *(mask.bit_count() for mask in layout.categories))),
        bits=np.zeros(count),
        compiled=np.zeros(count, np.bool_),
        left_out=np.zeros(count, np.bool_),
        refused={},
    )


def put(some: Evaluations, into: Evaluations, which: Ints) -> None:
    """Put what was found about some positions where their numbers are."""
    for name, array in some._asdict().items():
        if name != "refused":
            getattr(into, name)[which] = array
    into.refused.update({int(which[number]): why for number, why in some.refused.items()})


def _engine(compiled: ModuleType, positions: Positions, evaluations: Evaluations) -> None:
    """Evaluate positions by the compiled engine."""
    count = len(positions)
    status = np.full(count, _HANDED_OVER, np.int8)
    solutions = evaluations.solutions.reshape(count, prod(evaluations.solutions.shape[1:]))
    answers = compiled.Answers(
        status,
        evaluations.verdicts,
        evaluations.marginals,
        evaluations.limbs,
        solutions,
        evaluations.bits,
        np.zeros(solutions.shape[1], np.bool_),
    )
    _run(
        compiled,
        positions,
        status,
        lambda left, memory: compiled.evaluate(
            positions.shape, positions.rows, left, memory, answers
        ),
    )
    evaluations.compiled[:] = status <= compiled.CLASH
    evaluations.consistent[:] = status != compiled.CLASH


def draw_deals(positions: Positions, deals: int, rng: np.random.Generator) -> npt.NDArray[np.int8]:
    """
    Draw deals of each position, independently and with the exact probabilities.

    Args:
        positions: What is known in each.
        deals: How many to draw of each.
        rng: Chooses them: the same `rng` draws the same deals on every machine.

    Returns:
        The holder of each card, shape (positions, deals, cards).

    Raises:
        Contradiction: If no deal fits a position.
        TooLarge: As `evaluate`.

    >>> from clue_solver import load_games
    >>> known = load_games("examples/evening.clue").positions(upto=9)
    >>> draw_deals(known, 100, np.random.default_rng(7)).shape
    (1, 100, 21)
    """
    drawn = np.zeros((len(positions), deals, positions.layout.cards), np.int8)
    for position in range(len(positions)):
        known = positions.knowledge(position)
        drawn[position] = Deduction(known).diagram(known.entries).draw(deals, rng)
    return drawn


@cache
def installed() -> bool:
    """Return whether the compiled engine can be used."""
    return find_spec("numba") is not None


COMPILING = 15
"""How many seconds of processor time it takes at most to compile that engine."""

_SMALLEST = Layout(cards=4, seats=2, categories=(0b11, 0b1100), bounds=((1, 1), (1, 1)))


def prepare(told: Callable[[], None] = lambda: None) -> None:
    """
    Have the compiled engine at hand where it is installed, once for all processes.

    Args:
        told: Called first if there is no machine code on disk, so that it has to be compiled.
    """
    compiled = _compiled(None)
    if compiled is not None:
        if not compiled.kept():
            told()
        evaluate(Positions(_SMALLEST, 1))


def _compiled(engine: Engine | None) -> ModuleType | None:
    """Return the compiled engine if it is to be used, loading it late: numba takes its time."""
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
    positions: Positions,
    status: npt.NDArray[np.int8],
    engine: Callable[[Ints, Any], None],
) -> None:
    """Run the engine for positions, with more memory for those that need it."""
    usual = positions.behaviour
    for some, most in ((~usual, _MOST_STATES), (usual, _MOST_OF_BEHAVIOUR)):
        left = np.flatnonzero(some)
        states = min(_STATES, most)
        while left.size:
            compiled.renewed(partial(engine, left, _memory(compiled, states)))
            left = left[status[left] == compiled.FULL]
            if states >= most:
                break
            states = min(states * 8, most)


@cache
def _memory(compiled: ModuleType, states: int) -> Any:
    return compiled.memory(states)


def _evaluated(positions: Positions, position: int, evaluations: Evaluations) -> None:
    """Evaluate one position by its deal diagram."""
    known = positions.knowledge(position)
    deduction = Deduction(known)
    layout = known.layout
    for values in (evaluations.marginals, evaluations.solutions, evaluations.bits):
        values[position] = np.nan
    try:
        possible = deduction.possible(known.entries)
        evaluations.verdicts[position] = marks(possible, layout.holders)
        diagram = deduction.diagram(known.entries)
        posterior = deduction.solutions(known.entries)
    except Contradiction:
        evaluations.consistent[position] = False
        return
    except TooLarge as error:
        evaluations.refused[position] = str(error)
        return
    evaluations.left_out[position] = deduction.leaves_out(known.entries)
    evaluations.marginals[position] = diagram.marginals()
    deals = diagram.count()
    evaluations.limbs[position] = [deals >> _LIMB * limb & (1 << _LIMB) - 1 for limb in range(3)]
    place = np.zeros(layout.cards, np.int64)
    for mask in layout.categories:
        cards = card_numbers(mask)
        place[cards] = np.arange(len(cards))
    evaluations.solutions[position] = 0.0
    evaluations.solutions[position][tuple(place[posterior.cards].T)] = posterior.probability
    evaluations.bits[position] = posterior.bits
