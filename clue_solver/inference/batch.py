"""
Many positions of one table in one call: arrays in, arrays out.

With numba (`pip install 'clue-solver[fast]'`) the compiled engine evaluates them; without it, and
for what that engine does not cover, the diagram of each position does. The answers are the same.
"""

import sys
from collections.abc import Callable, Hashable, Sequence
from functools import cache, partial
from importlib.util import find_spec
from math import prod
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from clue_solver.errors import ArgumentError, Contradiction, import_extra
from clue_solver.inference.deduction import Deduction, marks
from clue_solver.inference.solutions import Foreseen, Solutions, Worlds
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.evidence import PRIOR, Factor
from clue_solver.knowledge.viewer import FACTOR, HAS, LACKS, Floats, Ints, Knowledge, Positions

Engine = Literal["compiled", "diagram"]

_HANDED_OVER = 100
"""The status of a position that the compiled engine leaves to the diagram."""

_STATES, _MOST_STATES, _LIMB = 1 << 18, 1 << 20, 48
_MOST_AT_LEVELS = _STATES
"""So many where levels of care are told apart: about as many as diagrams of behaviour may have."""


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
    found, _, _ = _evaluate(positions, engine)
    for position in np.flatnonzero(~found.compiled).tolist():
        _evaluated(positions, position, found)
    return found


def _evaluate(
    positions: Positions, engine: Engine | None, *, rough: bool = False
) -> tuple[Evaluations, Floats, list[int]]:
    """
    Return what the compiled engine evaluates, and how likely each level of care is.

    Behind that stand the positions that take more room than it has. No posterior over solutions is
    told where that is `rough`.
    """
    compiled = _compiled(engine)
    found, learned = _empty(positions, rough=rough), np.array([*positions.learned], np.int64)
    shares = np.ones((len(positions), len(PRIOR))) / len(PRIOR)
    full: list[int] = []
    if compiled is not None and _covered(positions, compiled):
        whole = np.setdiff1d(np.arange(len(positions)), learned)
        status, _ = _engine(compiled, positions, found, whole)
        full = np.flatnonzero(status == compiled.FULL).tolist()
        if learned.size:
            at_levels = positions.take(learned).at_levels()
            each, every = _empty(at_levels, rough=rough), np.arange(len(at_levels))
            status, weights = _engine(compiled, at_levels, each, every, most=_MOST_AT_LEVELS)
            first = status.reshape(len(learned), -1)[:, 0]
            full += learned[first == compiled.FULL].tolist()
            shares[learned] = _shares(weights.reshape(len(learned), -1))
            _mix(each, shares[learned], found, learned)
    return found, shares, full


def _empty(positions: Positions, *, rough: bool) -> Evaluations:
    """Return room for what is found out about positions; none for a posterior if `rough`."""
    layout, count = positions.layout, len(positions)
    table = (count, layout.cards, layout.holders)
    return Evaluations(
        consistent=np.ones(count, np.bool_),
        verdicts=np.zeros(table, np.int8),
        marginals=np.zeros(table),
        limbs=np.zeros((count, 3), np.int64),
        solutions=np.zeros(
            (count, *(0 if rough else mask.bit_count() for mask in layout.categories))
        ),
        bits=np.zeros(count),
        compiled=np.zeros(count, np.bool_),
    )


def _engine(
    compiled: ModuleType,
    positions: Positions,
    found: Evaluations,
    which: Ints,
    *,
    most: int | None = None,
) -> tuple[npt.NDArray[np.int8], Floats]:
    """
    Evaluate some positions by the compiled engine, each of so many states at most.

    Returns:
        How each ended, and the logarithms of their weights, both for all positions.
    """
    count = len(positions)
    status, weights = np.full(count, _HANDED_OVER, np.int8), np.full(count, -np.inf)
    status[which] = compiled.FULL
    answers = compiled.Answers(
        status, found.verdicts, found.marginals, found.limbs,
        found.solutions.reshape(count, -1), found.bits, weights,
    )  # fmt: skip
    _run(compiled, status, lambda left, memory: compiled.evaluate(
        positions.shape, positions.rows, left, memory, answers
    ), most)  # fmt: skip
    found.compiled[:] = status <= compiled.CLASH
    found.consistent[:] = status != compiled.CLASH
    return status, weights


def _shares(weights: Floats) -> Floats:
    """Return how likely each level of care is, by the logarithms of all deals' weights at it."""
    with np.errstate(invalid="ignore"):
        shares = np.array(PRIOR) * np.exp(weights - weights.max(axis=1, keepdims=True))
    total: Floats = shares.sum(axis=1, keepdims=True)
    likely: Floats = np.nan_to_num(shares / total)
    return likely


def _mix(each: Evaluations, shares: Floats, found: Evaluations, where: Ints) -> None:
    """Write positions as one of which there is one at each level of care."""
    count, levels = shares.shape
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
        status, each = _draw(compiled, positions, np.full(count, deals), rng)
        if (status == compiled.CLASH).any():
            raise Contradiction(())
        drawn, done = each.reshape(drawn.shape), status == compiled.FITS
    for position in np.flatnonzero(~done).tolist():
        known = positions.knowledge(position)
        drawn[position] = Deduction(known).diagram(known.entries).draw(deals, rng)
    return drawn


def _draw(
    compiled: ModuleType,
    positions: Positions,
    sizes: Ints,
    rng: np.random.Generator,
    shares: Floats | None = None,
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """
    Return how drawing ended in each position, and the deals, those of a position side by side.

    Args:
        compiled, positions, rng: What draws, from what, and by which lots.
        sizes: How many deals of each position.
        shares: How likely each level of care is, shape (positions, levels), where that is known.
    """
    status = np.full(len(sizes), _HANDED_OVER, np.int8)
    deals = np.zeros((int(sizes.sum()), positions.layout.cards), np.int8)
    position = np.repeat(np.arange(len(sizes)), sizes)
    learned = np.array(sorted(positions.learned), np.int64)
    plain = np.setdiff1d(np.arange(len(sizes)), learned)
    if plain.size:
        told = _listed(compiled, positions.take(plain), sizes[plain], rng)
        status[plain], deals[np.isin(position, plain)] = told.status, told.deals
    if learned.size:
        at_levels = positions.take(learned).at_levels()
        if shares is None:
            none = np.zeros(len(at_levels), np.int64)
            weights = _listed(compiled, at_levels, none, rng).weights
            likely = _shares(weights.reshape(len(learned), -1))
        else:
            likely = shares[learned]
        here = np.flatnonzero(np.isin(position, learned))
        of = np.repeat(np.arange(len(learned)), sizes[learned])
        bounds = np.cumsum(likely, axis=1)[of, :-1]
        level = of * likely.shape[1] + (rng.random(len(of))[:, None] > bounds).sum(axis=1)
        sizes = np.bincount(level, minlength=len(at_levels))
        told = _listed(compiled, at_levels, sizes, rng, idle=sizes == 0)
        deals[here[np.argsort(level, kind="stable")]] = told.deals
        status[learned] = told.status.reshape(likely.shape).max(axis=1)
    return status, deals


def _listed(
    compiled: ModuleType,
    positions: Positions,
    sizes: Ints,
    rng: np.random.Generator | None,
    idle: npt.NDArray[np.bool_] | None = None,
) -> Any:
    """
    Return so many deals of each position; all of them, as many as there are, without lots.

    Those that are `idle` are not looked at.
    """
    layout, count, total = positions.layout, len(positions), int(sizes.sum())
    status = np.full(count, compiled.FULL, np.int8)
    if idle is not None:
        status[idle] = compiled.FITS
    told = compiled.Drawn(
        status=status,
        first=np.concatenate([[0], np.cumsum(sizes)]),
        deals=np.zeros((total, layout.cards), np.int8),
        lots=np.zeros((0, 1)) if rng is None
        else rng.random((max(total, 1), 2 * layout.cards + layout.holders)),
        chances=np.zeros(total if rng is None else 0),
        weights=np.full(count, -np.inf),
    )  # fmt: skip
    _run(compiled, status, lambda left, memory: compiled.draw(
        positions.shape, positions.rows, left, memory, told
    ))  # fmt: skip
    return told


_AT_ONCE = 50_000
"""How many deals are drawn in one go."""


class Examined:
    """
    Many positions of one table evaluated, and deals of each that the compiled engine can give.

    What people usually do is left out where it takes too much room, as `Deduction.diagram` does.
    Of `rough` ones the posterior over solutions is what their deals tell (`rough_worlds`).

    Attributes:
        found: What is certain and how likely the rest is.
    """

    def __init__(self, known: Sequence[Knowledge], *, rough: bool = False) -> None:
        self._known, self._positions = [*known], Positions.of(known)
        self._rough = rough
        self.found, self._shares, full = _evaluate(self._positions, None, rough=rough)
        if full := [at for at in full if known[at].behaviour]:
            for at in full:
                self._known[at] = replace(known[at], behaviour=())
            self._positions = Positions.of(self._known)
            again, _, _ = _evaluate(self._positions.take(np.array(full)), None, rough=rough)
            for name in Evaluations._fields:
                getattr(self.found, name)[full] = getattr(again, name)

    def foreseen(
        self, which: Sequence[int], *, most: int, samples: Sequence[int], rng: np.random.Generator
    ) -> list[Foreseen | None]:
        """
        Return all deals of some positions where there are at most so many, else a sample.

        Args:
            which: The numbers of the positions.
            most: How many deals of one are all listed.
            samples: How many are drawn of each of them where there are more.
            rng: Draws them.

        Returns:
            The deals of each, `None` where the compiled engine does not cover a position.
        """
        compiled = _compiled(None)
        given: list[Foreseen | None] = [None] * len(which)
        if compiled is None:
            return given
        every = self.found.deals
        deals = [every[at] for at in which]
        able = [
            place
            for place, at in enumerate(which)
            if self.found.compiled[at] and self.found.consistent[at]
        ]
        some = [place for place in able if deals[place] > most]
        whole = [place for place in able if deals[place] <= most]
        pieces = max(1, sum(samples[place] for place in some) // _AT_ONCE)
        for part in (some[piece::pieces] for piece in range(pieces if some else 0)):
            at, sizes = np.array([which[p] for p in part]), np.array([samples[p] for p in part])
            drawn = _draw(compiled, self._positions.take(at), sizes, rng, self._shares[at])
            begins = np.cumsum(sizes) - sizes
            for place, status, begin, size in zip(part, drawn[0], begins, sizes, strict=True):
                if status == compiled.FITS:
                    weight = np.full(size, 1.0 / size)
                    each = drawn[1][begin : begin + size]
                    given[place] = self._told(which[place], each, weight, exact=False)
        if whole:
            at, sizes = np.array([which[p] for p in whole]), np.array([deals[p] for p in whole])
            listed = _listed(compiled, self._positions.take(at), sizes, None)
            for number, place in enumerate(whole):
                if listed.status[number] == compiled.FITS:
                    mine = slice(listed.first[number], listed.first[number + 1])
                    weight = listed.chances[mine]
                    if told := self._positions.learned.get(which[place]):
                        weight = weight * _learned(compiled, told, listed.deals[mine])
                    weight /= weight.sum()
                    given[place] = self._told(which[place], listed.deals[mine], weight, exact=True)
        return given

    def _told(
        self, at: int, deals: npt.NDArray[np.int8], weight: Floats, *, exact: bool
    ) -> Foreseen:
        """Return what deals of a position tell."""
        layout = self._positions.layout
        kinds = [np.array(card_numbers(mask)) for mask in layout.categories]
        sizes = [len(cards) for cards in kinds]
        strides, stride = np.zeros(layout.cards, np.int64), prod(sizes)
        for cards in kinds:
            stride //= len(cards)
            strides[cards] = np.arange(len(cards)) * stride
        place = (deals == layout.envelope) @ strides
        if self._rough:
            likely = np.bincount(place, weight, prod(sizes))
            could = self.found.verdicts[at, :, layout.envelope] != 2
            here = np.flatnonzero(likely if exact else _each([could[cards] for cards in kinds]))
        else:
            likely = self.found.solutions[at].ravel()
            here = np.flatnonzero(likely)
        columns = [
            cards[each] for cards, each in zip(kinds, np.unravel_index(here, sizes), strict=True)
        ]
        order = np.lexsort((*columns[::-1], -likely[here]))
        here = here[order]
        posterior = Solutions(np.stack(columns, axis=1)[order], likely[here] / likely[here].sum())
        number = np.empty(len(likely), np.int64)
        number[here] = np.arange(len(here))
        worlds = Worlds(deals.astype(np.int64), weight, number[place], posterior, exact)
        sure = self.found.verdicts[at] == 1
        certain = np.where(sure.any(axis=1), sure.argmax(axis=1), -1)
        return Foreseen(worlds, self._kinds(at), tuple(certain.tolist()))

    def _kinds(self, at: int) -> tuple[int, ...]:
        """Return a number for each card, the same for cards that nothing tells apart."""
        known, layout, rows = self._known[at], self._positions.layout, self._positions.rows
        used = int(self._positions.rows.used[at])
        kind, holder, cards = (each[at, :used] for each in rows[:3])
        verdicts = self.found.verdicts[at]
        bits = 1 << np.arange(layout.cards)
        may = bits @ (verdicts == 0)
        has = bits @ (verdicts == 1)
        met = (kind == HAS) & (cards & has[holder] != 0)
        met |= (kind == LACKS) & (cards & ~(may | has)[holder] != 0)
        still = (cards & may[holder])[~met & ((kind <= LACKS) | (kind >= FACTOR))]
        learned = self._positions.learned.get(at, ())
        rules = {*still.tolist(), *(each.cards & int(may[each.holder]) for each in learned)}
        rules |= {*layout.categories}
        if known.shows == "sticky":
            rules |= {known.habit(seat) for seat in range(layout.seats)}
        under = np.array(sorted(rules), np.int64)[:, None] >> np.arange(layout.cards) & 1
        alike: dict[Hashable, int] = {}
        return tuple(
            alike.setdefault((one.tobytes(), other.tobytes()), len(alike))
            for one, other in zip(
                np.ascontiguousarray(under.T), np.ascontiguousarray(verdicts), strict=True
            )
        )


def _each(truths: Sequence[npt.NDArray[np.bool_]]) -> npt.NDArray[np.bool_]:
    """Return for each choice of one from each array whether all are true, the last fastest."""
    found = np.ones(1, np.bool_)
    for each in truths:
        found = np.logical_and.outer(found, each).ravel()
    return found


def _learned(
    compiled: ModuleType, learned: Sequence[Factor], deals: npt.NDArray[np.int8]
) -> Floats:
    """Return what deals are weighed by where a level of care is learned."""
    most = deals.shape[1] + 1
    tables = [[(*each, *each[-1:] * (most - len(each))) for each in one.tables] for one in learned]
    found: Floats = compiled.learned(
        deals,
        np.array(PRIOR),
        np.array([each.holder for each in learned], np.int64),
        np.array([each.cards for each in learned], np.int64),
        np.array(tables, float).reshape(len(learned), len(PRIOR), most),
    )
    return found


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
    most: int | None = None,
) -> None:
    """Run the engine, with more memory for those positions that need it."""
    states, most = _STATES, most or _MOST_STATES
    while (left := np.flatnonzero(status == compiled.FULL)).size:
        memory = _memory(compiled, states)
        compiled.renewed(partial(engine, left, memory))
        if states >= most:
            break
        states = min(states * 8, most)


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
