"""Four weights at once: one for each level of care, or for four cards beside each other."""

from typing import Any

import numba
from llvmlite import ir
from numba.extending import intrinsic

from clue_solver.inference.compiled.arrays import LANES, Floats
from clue_solver.inference.compiled.machine_code import INTERPRETED


def _added(sums: Floats, to: int, weight: Floats, by: int, source: int) -> None:
    """Add the four numbers at a place, times four weights, to those at another."""
    for lane in range(LANES):
        sums[to + lane] += weight[by + lane] * sums[source + lane]


def _four(_: Any, sums: Any, to: Any, weight: Any, by: Any, source: Any) -> Any:  # noqa: ARG001
    """Write it as one operation of four: numba leaves it to chance, and takes twice the time."""

    def written(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        of_sums, _, of_weight, _, _ = signature.args
        sums, to, weight, by, source = given
        four = ir.VectorType(ir.DoubleType(), LANES)

        def place(kind: Any, array: Any, at: Any) -> Any:
            first = context.make_array(kind)(context, builder, array).data
            return builder.bitcast(builder.gep(first, [at]), four.as_pointer())

        target = place(of_sums, sums, to)
        factor = builder.load(place(of_weight, weight, by), align=8)
        part = builder.load(place(of_sums, sums, source), align=8)
        total = builder.fadd(builder.load(target, align=8), builder.fmul(factor, part))
        builder.store(total, target, align=8)
        return context.get_dummy_value()

    place = numba.int64
    return numba.void(sums, place, weight, place, place), written


added: Any = _added if INTERPRETED else intrinsic(_four)
