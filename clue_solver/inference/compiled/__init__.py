"""
The engine for work done a million times: one position evaluated by functions that numba compiles.

A position is flat: rows of evidence, each a holder, a mask of cards and what it says of them. The
same sums as in `diagram` and `solutions` run over one array of integers: a state is how many cards
each hand has got, whether the rules under way are met, and which categories the envelope has, all
packed into one integer. Unlike there no automaton is built before: what a hand cannot come to is
left out by what it still needs. Certain is what no path can change: a marginal of zero is a proof,
as all weights are positive. Those of a long log are pushed first, as in `diagram`; then what can be
is told by the same sums over deals that all weigh the same.

Everything here takes and gives arrays; `batch` is what people call. What does not fit the fixed
shapes (too many bits, holders or open rules) is answered with a status, and `batch` hands that
position over to the other engine.

To compile it takes its time once, so there are few functions that Python calls (one), arrays are
handed in and none is made, and what has a fixed shape is one record.
"""

from clue_solver.inference.compiled.arrays import CLASH, FULL, MOST_CARDS, MOST_HOLDERS, memory
from clue_solver.inference.compiled.engine import Answers, evaluate
from clue_solver.inference.compiled.machine_code import kept, renewed

__all__ = [
    "CLASH",
    "FULL",
    "MOST_CARDS",
    "MOST_HOLDERS",
    "Answers",
    "evaluate",
    "kept",
    "memory",
    "renewed",
]
