"""
The ways in which one gets a sheet from a log: both engines, and what one would use instead.

Each returns a table, shape (cards, holders): 1 where the holder has the card, 0 where it cannot
have it, in between a chance, `nan` where it is open and the way tells no chance.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from methods import Floats, compiled, diagram, enumerated, known
from positions import READING, Position, forget
from simulate import random_game

from clue_solver.inference.batch import evaluate
from clue_solver.inference.cnf import formula
from clue_solver.inference.deduction import marks
from clue_solver.inference.positions import Positions
from clue_solver.inference.propagation import propagate

LIMIT = 0.5
"""How many seconds a slow way has for a position."""


def itself(position: Position) -> Any:
    """Return what a way is asked: the position."""
    return position


def one(asked: Any) -> int:
    """Return of how many positions one call tells the sheet."""
    return 1


class Way(NamedTuple):
    """
    One way, and how it is measured.

    Attributes:
        do: Returns the table of what it is asked; raises `GaveUp` where it will not do.
        asked: Makes of a position what it is asked, not measured.
        fresh: Called before each run, not measured: forgets what was kept.
        answers: Of how many positions one call tells the sheet; the time of one counts.
        slow: Whether it often takes as long as it may: it is asked at every second position only.
    """

    do: Callable[[Any], Floats]
    asked: Callable[[Position], Any] = itself
    fresh: Callable[[], None] = forget
    answers: Callable[[Any], int] = one
    slow: bool = False


def told(possible: list[int], holders: int) -> Floats:
    """Return the table of one who knows for each card the mask of the holders that can have it."""
    return np.array([np.nan, 1.0, 0.0])[marks(possible, holders)]


def by_rules(position: Position, *, counting: bool) -> Floats:
    """Rules; with `counting` hands are counted, too."""
    knowledge = known(position)
    return told(propagate(knowledge, counting=counting), knowledge.layout.holders)


def cell_by_cell(position: Position) -> Floats:
    """python-sat: for each cell of the sheet, whether there is a deal with it and one without."""
    from pysat.solvers import Solver

    knowledge = known(position)
    layout, (whole, _) = knowledge.layout, formula(knowledge)
    table = np.full((layout.cards, layout.holders), np.nan)
    with Solver("glucose4", bootstrap_with=whole.clauses) as solver:
        for variable in range(1, table.size + 1):
            if not solver.solve([variable]):
                table[divmod(variable - 1, layout.holders)] = 0.0
            elif not solver.solve([-variable]):
                table[divmod(variable - 1, layout.holders)] = 1.0
    return table


def by_machine_code(position: Position) -> Floats:
    """Machine code, for one position."""
    return at_once(Positions.of([known(position)]))


def at_once(positions: Positions) -> Floats:
    """Machine code, for many positions in one call."""
    last: Floats = evaluate(positions).marginals[-1]
    return last


def moments(position: Position) -> Positions:
    """Return all moments of a position's game up to there, as arrays."""
    knowledge = known(position)
    return Positions.beginnings([(knowledge, range(1, knowledge.entries + 1))])


def small() -> Position:
    """Return a position on which all that a way needs is loaded."""
    record = random_game("clue-diced", 2, turns=4, seed=0)
    return record.table, record.observations, record.table.viewer


def another() -> None:
    """Forget what was read, and let it look elsewhere: it keeps what two have in common."""
    forget(READING)
    by_machine_code(small())


DIAGRAM, MACHINE_CODE = "deal diagram", "machine code"
WAYS = {
    DIAGRAM: Way(diagram),
    MACHINE_CODE: Way(by_machine_code, fresh=another),
    f"{MACHINE_CODE}, many in a call": Way(at_once, moments, fresh=another, answers=len),
    "pencil and paper": Way(partial(by_rules, counting=True)),
    "unit propagation": Way(partial(by_rules, counting=False)),
    "python-sat, cell by cell": Way(cell_by_cell),
    "python-sat, all models": Way(partial(enumerated, seconds=LIMIT), slow=True),
    "PySDD": Way(partial(compiled, seconds=LIMIT), slow=True),
}
"""The ways by their names; the first is what the others are held against."""

NEEDED = {
    "numba": (MACHINE_CODE, "fast"),
    "pysdd": ("PySDD", "benchmark"),
    "matplotlib": ("picture", "benchmark"),
}
"""What need not be there: what needs it, for ways how their names begin, and the extra it is in."""


def missing() -> dict[str, str]:
    """Return what is left out because something is not there, and a sentence about it."""
    return {
        what: f"Left out: {what} (pip install '.[{extra}]' brings {module})."
        for module, (what, extra) in NEEDED.items()
        if find_spec(module) is None
    }


def there() -> dict[str, Way]:
    """Return the ways that can be measured here."""
    without = tuple(missing())
    return {name: way for name, way in WAYS.items() if not name.startswith(without)}
