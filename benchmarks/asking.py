"""
What reading the questions gains: tables whose players ask carelessly, carefully and by lot.

    python benchmarks/accuracy.py --only asks [--quick] [--games N] [--seed S] [--workers W]

Four-player games of the classic edition are simulated in which an asker is careless with a certain
chance, for each category anew: then it names any card of the category, else one that it does not
hold. Careless 100 % is a uniform table, whose questions tell nothing. With a board the room is
named by lot, as dice and doors have it; without one (`board: none`) it is chosen like the rest.
The first seat's notes, its hand with them, are read after 6, 10, 14 and 18 suggestions under

- `any`: a question tells nothing;
- `adaptive`: how careful the table is, is learned from the same notes;
- `careful L` with the L that suits the table: what could be had if one knew it.

One diagram of `adaptive` has the weights of all levels, so it answers for all three.

Carelessness c and L are two ways to say how often an own card is named. Of m cards of a category
of which the asker holds o, the careless asker names a certain own card with the chance c / m and a
certain other one with c / m + (1 - c) / (m - o); L is the ratio of the two,
c (m - o) / (c (m - o) + (1 - c) m). With the one to two cards of six or nine that are usual, 30 %
is 0.22 to 0.28 and 60 % is 0.50 to 0.57: the levels 0.25 and 0.55. It is not quite the same
player, as L of the careless one falls with o.

The score is the solution's log loss, -log2 of the chance of the true solution, over all games
(0 where it is proved); differences are paired, with intervals of 1.96 standard errors over games.
Calibration bins what `adaptive` said, of open cells and of whole solutions, at all four moments;
an interval counts a game, not a cell, as one observation.

Costs: whole reports from scratch, nothing kept, of seeded games of 3 to 6 such players (careless
30 %), the processor's time under `adaptive` over that under `any` for the same position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from drawing import draw_reliability
from habits import Asking, at_random, careless, log_of
from msgspec.structs import replace
from results import figure, markdown, spread
from rich.progress import track
from simulate import holders, random_deal

from clue_solver import Game, load_edition
from clue_solver.arena.dealing import Dealt
from clue_solver.inference import solutions as splitting
from clue_solver.inference.automaton import automaton
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.solutions import Solutions
from clue_solver.knowledge import evidence
from clue_solver.knowledge.clauses import Layout, card_numbers
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.record import Record
from clue_solver.rules.observations import Observation

NAME = "asking"
PLAYERS = 4
MOMENTS = (6, 10, 14, 18)
"""After how many suggestions a game is read."""

LEVELS = {1.0: 1.0, 0.6: 0.55, 0.3: 0.25, 0.0: 0.02}
"""For each carelessness the level of `adaptive` that suits it; at 1 a question tells nothing."""

BINS = 10
FEWEST = 50
"""How many chances a point of the figure stands for at least."""

KINDS = ("cell", "solution")
"""What chances are said of."""

Floats = npt.NDArray[np.float64]


class Read(NamedTuple):
    """
    One game, read by the policies `any`, `adaptive` and the suitable `careful`.

    Attributes:
        bits: The log loss, shape (policies, moments).
        bins: What `adaptive` said: the number, sum of chances and sum of truths by kind of chance
            and bin, shape (kinds, 3, bins).
    """

    bits: Floats
    bins: Floats


def simulated(
    carelessness: float, *, board: bool, seats: int, rounds: int, seed: str
) -> tuple[Dealt, list[Observation]]:
    """Return a deal and the first seat's notes of a game at it."""
    random = Random(f"{seed} {seats} {carelessness} {board}")
    dealt = random_deal(random, load_edition("clue-classic"), seats)
    if not board:
        dealt = dealt._replace(table=replace(dealt.table, board="none"))
    ask: Asking = careless(carelessness)
    return dealt, log_of(dealt, random, ask, at_random(random, dealt), rounds)


def played(carelessness: float, board: bool, seed: str) -> Read:
    """Play one game and read it under every policy."""
    dealt, log = simulated(
        carelessness, board=board, seats=PLAYERS, rounds=-(-MOMENTS[-1] // PLAYERS), seed=seed
    )
    table, truth = dealt.table, holders(dealt)
    known = knowledge_of(table, log, viewer=table.viewer)
    deduction, envelope = Deduction(known), known.layout.envelope
    suitable = evidence.LEVELS.index(LEVELS[carelessness])
    bits = np.zeros((3, len(MOMENTS)))
    bins = np.zeros((len(KINDS), 3, BINS))
    for moment, suggestions in enumerate(MOMENTS):
        upto = 1 + suggestions
        diagram = deduction.diagram(upto)
        posterior, *by_level = _read(diagram, known.layout)
        for policy, each in enumerate((by_level[-1], posterior, by_level[suitable])):
            right = (truth[each.cards] == envelope).all(axis=1)
            bits[policy, moment] = -np.log2(each.probability[right].sum())
        true = (truth[posterior.cards] == envelope).all(axis=1)
        possible = deduction.possible(upto)
        bins += _binned(possible, diagram.marginals(), truth, posterior.probability, true)
    return Read(bits, bins)


def _read(diagram: Diagram, layout: Layout) -> list[Solutions]:
    """Return the posterior over solutions, then what it would be if each level were known."""
    split = splitting._Split(diagram, layout)
    weight = split.weight()
    possible = weight.sum(axis=0) > 0.0
    found = [split.listed(each, possible) for each in (diagram.mixed(weight), *weight)]
    return found if len(weight) > 1 else found[:1] * (1 + len(evidence.LEVELS))


def _binned(
    possible: list[int],
    chances: Floats,
    truth: npt.NDArray[np.int64],
    cases: Floats,
    right: npt.NDArray[np.bool_],
) -> Floats:
    """Return the bins of what was said of open cells and of solutions, shape (kinds, 3, bins)."""
    pairs = [
        (card, holder)
        for card, mask in enumerate(possible)
        if mask & (mask - 1)
        for holder in card_numbers(mask)
    ]
    card, holder = np.array(pairs, int).reshape(-1, 2).T
    if len(cases) == 1:  # no longer open
        cases, right = cases[:0], right[:0]
    table = np.zeros((len(KINDS), 3, BINS))
    for kind, (said, true) in enumerate(
        ((chances[card, holder], truth[card] == holder), (cases, right))
    ):
        place = np.minimum((said * BINS).astype(int), BINS - 1)
        for value, what in enumerate((np.ones_like(said), said, true.astype(float))):
            table[kind, value] = np.bincount(place, what, BINS)
    return table


def loss_rows(games: Sequence[Read], **names: object) -> Iterator[dict[str, Any]]:
    """Yield for each moment the log loss and what the policies gain, with 95 % intervals."""
    bits = np.stack([game.bits for game in games])
    for moment, suggestions in enumerate(MOMENTS):
        plain, learned, suited = bits[:, :, moment].T
        row: dict[str, Any] = {"kind": "loss", **names, "after": suggestions, "games": len(games)}
        for name, values in (
            ("any", plain),
            ("adaptive", learned),
            ("careful", suited),
            ("gain", plain - learned),
            ("most", plain - suited),
            ("behind", learned - suited),
        ):
            row[name] = float(values.mean())
            row[f"{name}_ci"] = 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5
        yield row


def calibration_rows(games: Sequence[Read], **names: object) -> Iterator[dict[str, Any]]:
    """Yield for each kind of chance and filled bin what was said and what was so."""
    bins = np.stack([game.bins for game in games])
    for kind, about in enumerate(KINDS):
        number, said, true = bins[:, kind].swapaxes(0, 1)  # each (games, bins)
        for place in np.flatnonzero(number.sum(axis=0)):
            count = number[:, place].sum()
            share = true[:, place].sum() / count
            residual = true[:, place] - share * number[:, place]
            yield {
                "kind": "calibration",
                **names,
                "of": about,
                "bin": int(place),
                "number": int(count),
                "said": said[:, place].sum() / count,
                "true": share,
                "true_ci": 1.96 * float(np.sqrt((residual**2).sum())) / count,
            }


def cost_rows(games: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield how many times longer a report takes under `adaptive` than under `any`."""
    for seats in (3, 4, 5, 6):
        for spectator in (False, True):
            plain: list[float] = []
            learned: list[float] = []
            for game in range(games):
                dealt, log = simulated(
                    0.3, board=True, seats=seats, rounds=5, seed=f"{seed} {game}"
                )
                record = Record(table=dealt.table)
                for observation in log[spectator:]:
                    record = record.append(observation)
                viewer = None if spectator else dealt.table.viewer
                for upto in range(seats, len(record.observations) + 1, seats):
                    for times, asks in ((plain, "any"), (learned, "adaptive")):
                        times.append(min(_timed(record, viewer, upto, asks) for _ in range(2)))
            ratios = [more / less for more, less in zip(learned, plain, strict=True)]
            row: dict[str, Any] = {"kind": "cost", "players": seats, "spectator": spectator}
            row["positions"] = len(ratios)
            for name, values in (("any", plain), ("adaptive", learned), ("ratio", ratios)):
                row[name], row[f"{name}_95"] = spread(values)
            yield row


def _timed(record: Record, viewer: str | None, upto: int, asks: str) -> float:
    automaton.cache_clear()  # nothing may be left over from another position
    begin = process_time()
    Game(record).report(viewer="spectator" if viewer is None else viewer, upto=upto, asks=asks)
    return process_time() - begin


def _of_kind(results: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    return (row for row in results["rows"] if row["kind"] == kind)


def _told(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return how a table asks, in words."""
    much = row["carelessness"]
    how = "any card (100 %)" if much == 1.0 else f"{much:.0%}".replace("%", " %")
    return how, "a board" if row["board"] else "none"


def table(results: Mapping[str, Any]) -> str:
    """Return all scores as a Markdown table."""
    columns = (
        "careless",
        "board",
        "after",
        "games",
        "bits under `any`",
        "`adaptive` gains",
        "`careful L`, the L known, gains",
        "`adaptive` is behind it by",
    )
    rows = [
        (
            *_told(row),
            row["after"],
            f"{row['games']:,}",
            f"{row['any']:.2f} ± {row['any_ci']:.2f}",
            *(_gain(row, name) for name in ("gain", "most", "behind")),
        )
        for row in _of_kind(results, "loss")
    ]
    return markdown(columns, rows)


def brief(results: Mapping[str, Any]) -> str:
    """Return how many bits `adaptive` gains, and in brackets what knowing L would."""
    columns = ("careless", "board", *(f"after {moment}" for moment in MOMENTS))
    groups: dict[tuple[str, str], list[str]] = {}
    for row in _of_kind(results, "loss"):
        cell = f"{_gain(row, 'gain')} ({row['most']:.2f})"
        groups.setdefault(_told(row), []).append(cell)
    return markdown(columns, [(*names, *cells) for names, cells in groups.items()])


def _gain(row: Mapping[str, Any], name: str) -> str:
    value, around = row[name], row[f"{name}_ci"]
    if value == around == 0:
        return "0"
    return f"{value:{'' if name == 'behind' else '+'}.3f} ± {around:.3f}"


def calibration(results: Mapping[str, Any]) -> str:
    """Return what came true of what was said, in percent, as a Markdown table."""
    columns = ("chances of a", "between", *(f"careless {much:.0%}" for much in LEVELS))
    found = {
        (row["of"], row["bin"], row["carelessness"]): row
        for row in _of_kind(results, "calibration")
    }
    rows = []
    for of in KINDS:
        for place in range(BINS):
            cells = [found.get((of, place, much)) for much in LEVELS]
            rows.append(
                (
                    *(of, f"{place * 100 // BINS} and {(place + 1) * 100 // BINS}"),
                    *(
                        f"{100 * row['said']:.1f}: {100 * row['true']:.1f} "
                        f"± {100 * row['true_ci']:.1f}"
                        if row and row["number"] >= FEWEST
                        else "-"
                        for row in cells
                    ),
                )
            )
    return markdown(columns, rows)


def costs(results: Mapping[str, Any]) -> str:
    """Return how much longer a report takes, as a Markdown table."""
    columns = (
        "players",
        "read by",
        "positions",
        "`any`, median",
        "`adaptive`, median",
        "ratio, median",
        "ratio, 95th percentile",
    )
    rows = [
        (
            row["players"],
            "a spectator" if row["spectator"] else "a player",
            row["positions"],
            figure(row["any"], "s"),
            figure(row["adaptive"], "s"),
            figure(row["ratio"], "x"),
            figure(row["ratio_95"], "x"),
        )
        for row in _of_kind(results, "cost")
    ]
    return markdown(columns, rows)


def draw(results: Mapping[str, Any], path: Path) -> None:
    """Draw what was said against what was so, of cells on the left and of solutions."""
    drawn = [row for row in _of_kind(results, "calibration") if row["number"] >= FEWEST]

    columns = {
        f"chances of {of}s": {
            f"careless {much:.0%}": [r for r in drawn if (r["of"], r["carelessness"]) == (of, much)]
            for much in LEVELS
        }
        for of in KINDS
    }
    draw_reliability(path, columns, results)


def measured(games: int, costly: int, seed: int, pool: Executor) -> list[dict[str, Any]]:
    """Return the rows of all tables, so many games of each kind and so many to take the time of."""
    rows: list[dict[str, Any]] = []
    seeds = [f"{seed} {game}" for game in range(games)]
    for much in LEVELS:
        both: list[Read] = []
        for board in (True, False):
            found = pool.map(partial(played, much, board), seeds, chunksize=10)
            title = f"careless {much:.0%}, {'a' if board else 'no'} board"
            reads = list(track(found, title, total=games, transient=True))
            rows += loss_rows(reads, carelessness=much, board=board)
            both += reads
        rows += calibration_rows(both, carelessness=much)
    return [*rows, *cost_rows(costly, seed)]
