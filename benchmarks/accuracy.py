"""
Are the chances right, and does it matter how the table is thought to show?

    python benchmarks/accuracy.py [--only shows] [--quick] [--games N] [--seed S] [--workers W]

Games are simulated in which the table really shows by one habit: at random, the same card again to
an asker who has seen one, or always the first matching card in edition order. The first seat's
notes are then read under each show policy, after every round of the table, and the chances held
against the true deal:

- a card: for each open card -log2 of the chance of its true holder, and the Brier score, the sum
  over all holders of (chance - truth) squared; the mean over the open cards;
- the case: the same for the joint chance of the whole solution, while it is open;
- surprise: bits less the entropy of the chances themselves, which is how many bits they promise;
  0 on average where they are right, more where they are too sure of themselves.

A game's score is the mean over its positions; intervals are 1.96 standard errors over games, which
are independent, and differences are paired: the same positions under two policies. The reliability
rows bin the chances of all open (card, holder) cells, and of those where two policies differ by two
points or more; their intervals count a game, not a cell, as one observation.

Asking "in rooms" is a plain player's way: suspect and weapon by lot among those that the asker
neither holds nor was shown, the room by lot, as board and dice have it. "uniform" asks any cards:
there the asking tells nothing, and the chances under the true habit must be right on average.
What questions tell is left out here (`asks: any`); `--only asks` measures that (asking.py).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import asking
import numpy as np
import numpy.typing as npt
from drawing import draw_reliability
from habits import ASKING, HABITS, log_of
from msgspec.structs import replace
from results import FOLDER, PUBLISHED, markdown, read, write
from rich.progress import track
from simulate import holders, random_deal

from clue_solver import load_edition
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.openings import Openings, openings
from clue_solver.inference.solutions import Solutions, solutions
from clue_solver.knowledge.clauses import Layout, card_numbers
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.rules.table import ANY, SHOWS

NAME = "accuracy"
ROUNDS = 6
"""How many suggestions every seat makes; a position is scored after each round."""

BINS = 10
APART = 0.02
"""How far two policies' chances of a cell must lie apart for it to be one where they differ."""

FEWEST = 50
"""How many cells a point of the figure stands for at least."""

SCORES = ("card_bits", "card_brier", "card_surprise", "case_bits", "case_brier", "case_surprise")
CELLS = ("all", "apart")
"""Which cells the reliability rows count: all, or those where the policies differ."""

Floats = npt.NDArray[np.float64]


class Setting(NamedTuple):
    """How many sit at the table, how they ask, and which part of all games is played so."""

    players: int
    asking: str
    share: float


SETTINGS = (
    Setting(4, "uniform", 1.0),
    Setting(4, "in rooms", 1.0),
    Setting(3, "in rooms", 0.5),
    Setting(6, "in rooms", 0.5),
)


class Scored(NamedTuple):
    """
    One game, read under every policy in the order of `SHOWS`.

    Attributes:
        scores: The game's mean scores, shape (policies, scores); nan where nothing was open.
        cells: Number, sum of chances and sum of truths by bin, shape (policies, kinds of cells, 3,
            bins).
    """

    scores: Floats
    cells: Floats


def scored(habit: str, setting: Setting, seed: str) -> Scored:
    """Play one game and score its positions under every policy."""
    random = Random(f"{seed} {setting.players} {setting.asking} {habit}")
    dealt = random_deal(random, load_edition("clue-classic"), setting.players)
    choose = HABITS[habit](random, dealt)
    log = log_of(dealt, random, ASKING[setting.asking], choose, ROUNDS)
    table = dealt.table
    known = [
        knowledge_of(replace(table, shows=shows, asks=ANY), log, viewer=table.viewer)
        for shows in SHOWS
    ]
    deduction = Deduction(known[0])  # what is possible is the same under all
    layout, truth = known[0].layout, holders(dealt)
    scores = [np.full((len(SHOWS), len(SCORES)), np.nan)]
    cells = np.zeros((len(SHOWS), len(CELLS), 3, BINS))
    for upto in range(setting.players + 1, len(log) + 1, setting.players):
        possible = deduction.possible(upto)
        opened = [openings(each.upto(upto), possible) for each in known]
        cards = opened[0].cards
        if not cards:
            break
        answers = _answered(opened, layout)
        cells += _binned(np.stack([chances for chances, _ in answers]), possible, truth)
        scores.append(
            np.array(
                [
                    (*_card_scores(chances, cards, truth), *_case_scores(case, truth, layout))
                    for chances, case in answers
                ]
            )
        )
    return Scored(_mean(np.stack(scores)), cells)


def _answered(opened: Sequence[Openings], layout: Layout) -> list[tuple[Floats, Solutions]]:
    """Return marginals and solutions for each policy; those that say the same share them."""
    answers: dict[Openings, tuple[Floats, Solutions]] = {}
    for each in opened:
        if each not in answers:
            diagram = Diagram(each)
            answers[each] = diagram.marginals(), solutions(diagram, layout)
    return [answers[each] for each in opened]


def _card_scores(
    chances: Floats, cards: tuple[int, ...], truth: npt.NDArray[np.int64]
) -> tuple[float, float, float]:
    rows, place = chances[list(cards)], truth[list(cards)]
    scores = [_score(row, row[holder]) for row, holder in zip(rows, place, strict=True)]
    bits, brier, surprise = np.mean(scores, axis=0).tolist()
    return bits, brier, surprise


def _case_scores(
    case: Solutions, truth: npt.NDArray[np.int64], layout: Layout
) -> tuple[float, float, float]:
    if len(case.probability) == 1:
        return np.nan, np.nan, np.nan  # no longer open
    inside = np.flatnonzero(truth == layout.envelope)
    right = case.probability[(np.sort(case.cards) == inside).all(axis=1)].sum()
    return _score(case.probability, right)


def _score(chances: Floats, right: float) -> tuple[float, float, float]:
    """Return bits, Brier score and surprise, from all chances and that of the truth."""
    there = chances[chances > 0]
    bits = -float(np.log2(right))
    entropy = -float(there @ np.log2(there))
    return bits, float((chances**2).sum() - 2 * right + 1), bits - entropy


def _binned(chances: Floats, possible: list[int], truth: npt.NDArray[np.int64]) -> Floats:
    """Return the sums over open cells by policy, kind of cells and bin."""
    pairs = [
        (card, holder)
        for card, mask in enumerate(possible)
        if mask & (mask - 1)
        for holder in card_numbers(mask)
    ]
    card, holder = np.array(pairs).T
    said = chances[:, card, holder]
    true = (truth[card] == holder).astype(float)
    apart = np.ptp(said, axis=0) >= APART
    table = np.zeros((len(said), len(CELLS), 3, BINS))
    for policy, row in enumerate(said):
        place = np.minimum((row * BINS).astype(int), BINS - 1)
        for kind, counted in enumerate((np.ones_like(true), apart.astype(float))):
            for value, what in enumerate((counted, counted * row, counted * true)):
                table[policy, kind, value] = np.bincount(place, what, BINS)
    return table


def _mean(values: Floats) -> Floats:
    """Return the mean over the first axis of what is there; nan where nothing is."""
    there = ~np.isnan(values)
    number = there.sum(axis=0)
    total = np.where(there, values, 0.0).sum(axis=0)
    mean = np.full(total.shape, np.nan)
    np.divide(total, number, out=mean, where=number > 0)
    return mean


def score_rows(games: Sequence[Scored], **names: object) -> Iterator[dict[str, Any]]:
    """Yield for each policy its scores, and how much worse than `random` they are; with 95 %."""
    scores = np.stack([game.scores for game in games])
    for policy, shows in enumerate(SHOWS):
        row: dict[str, Any] = {"kind": "score", **names, "assumed": shows, "games": len(games)}
        for column, name in enumerate(SCORES):
            found = scores[:, policy, column]
            row[name], row[f"{name}_ci"] = _estimate(found)
            beside = found - scores[:, SHOWS.index("random"), column]
            row[f"{name}_more"], row[f"{name}_more_ci"] = _estimate(beside)
        yield row


def _estimate(values: Floats) -> tuple[float, float]:
    """Return the mean and half the width of its 95 % interval."""
    there = values[~np.isnan(values)]
    return float(there.mean()), 1.96 * float(there.std(ddof=1)) / len(there) ** 0.5


def reliability_rows(games: Sequence[Scored], **names: object) -> Iterator[dict[str, Any]]:
    """Yield for each policy, kind of cells and filled bin what was said and what was so."""
    cells = np.stack([game.cells for game in games])
    for policy, shows in enumerate(SHOWS):
        for kind, counted in enumerate(CELLS):
            number, said, true = cells[:, policy, kind].swapaxes(0, 1)  # each (games, bins)
            for place in np.flatnonzero(number.sum(axis=0)):
                count = number[:, place].sum()
                share = true[:, place].sum() / count
                residual = true[:, place] - share * number[:, place]
                yield {
                    "kind": "reliability",
                    **names,
                    "assumed": shows,
                    "cells": counted,
                    "bin": int(place),
                    "number": int(count),
                    "said": said[:, place].sum() / count,
                    "true": share,
                    "true_ci": 1.96 * float(np.sqrt((residual**2).sum())) / count,
                }


def distance(rows: Sequence[Mapping[str, Any]]) -> float:
    """Return how far the chances of some reliability rows are from the truth, on average."""
    number = sum(row["number"] for row in rows)
    return float(sum(row["number"] * abs(row["said"] - row["true"]) for row in rows) / number)


def table(results: Mapping[str, Any]) -> str:
    """Return the scores as a Markdown table: how they are, and how much worse than `random`."""
    columns = (
        "players",
        "asking",
        "the table shows",
        "assumed",
        "games",
        "bits a card",
        "more than `random`",
        "bits, case",
        "more than `random`",
        "surprise",
        "Brier, card",
        "Brier, case",
    )
    rows = [
        (
            row["players"],
            row["asking"],
            row["habit"],
            f"`{row['assumed']}`",
            f"{row['games']:,}",
            *(
                _cell(row, name)
                for name in (
                    "card_bits",
                    "card_bits_more",
                    "case_bits",
                    "case_bits_more",
                    "case_surprise",
                    "card_brier",
                    "case_brier",
                )
            ),
        )
        for row in results["rows"]
        if row["kind"] == "score"
    ]
    return markdown(columns, rows)


def _cell(row: Mapping[str, Any], name: str) -> str:
    value, around = row[name], row[f"{name}_ci"]
    if name.endswith("_more"):
        return "-" if row["assumed"] == "random" else f"{value:+.4f} ± {around:.4f}"
    sign = "+" if name.endswith("_surprise") else ""
    return f"{value:{sign}.3f} ± {around:.3f}"


def brief(results: Mapping[str, Any]) -> str:
    """Return, for four players, how many bits short of the true solution each policy is."""
    columns = ("the table shows", "and asks", *(f"`{shows}`" for shows in SHOWS))
    groups: dict[tuple[str, str], list[str]] = {}
    for row in results["rows"]:
        if row["kind"] == "score" and row["players"] == 4:
            name = "case_bits" if row["assumed"] == SHOWS[0] else "case_bits_more"
            around = row[f"{name}_ci"]
            cells = groups.setdefault((row["habit"], row["asking"]), [])
            sign = "+" if name.endswith("more") else ""
            cells.append(f"{row[name]:{sign}.3f} ± {around:.3f}")
    return markdown(columns, [(*names, *cells) for names, cells in groups.items()])


def reliability(results: Mapping[str, Any]) -> str:
    """
    Return how far chances are from frequencies, in points of 100, as a Markdown table.

    The distance is the mean over bins, weighted by cells; chance alone makes some.
    """
    columns = (
        "players",
        "asking",
        "the table shows",
        *(f"`{shows}`, all cells" for shows in SHOWS),
        "cells where they differ",
        *(f"`{shows}`, there" for shows in SHOWS),
    )
    groups: dict[tuple[object, ...], dict[tuple[str, str], list[Mapping[str, Any]]]] = {}
    for row in results["rows"]:
        if row["kind"] == "reliability":
            group = groups.setdefault((row["players"], row["asking"], row["habit"]), {})
            group.setdefault((row["cells"], row["assumed"]), []).append(row)
    rows = []
    for names, found in groups.items():
        far = {key: f"{distance(bins) * 100:.2f}" for key, bins in found.items()}
        counts = [sum(r["number"] for r in found.get((where, SHOWS[0]), ())) for where in CELLS]
        everywhere, apart = ([far.get((where, s), "-") for s in SHOWS] for where in CELLS)
        rows.append((*names, *everywhere, f"{counts[1] / counts[0]:.0%}", *apart))
    return markdown(columns, rows)


def draw(results: Mapping[str, Any], path: Path) -> None:
    """Draw what was said against what was so: uniform asking, cells where the policies differ."""
    drawn = [
        row
        for row in results["rows"]
        if row["kind"] == "reliability"
        and (row["players"], row["asking"], row["cells"]) == (4, "uniform", "apart")
        and row["number"] >= FEWEST
    ]

    columns = {
        f"the table shows {habit}": {
            f"assumed {shows}": [r for r in drawn if (r["habit"], r["assumed"]) == (habit, shows)]
            for shows in SHOWS
        }
        for habit in HABITS
    }
    draw_reliability(path, columns, results)


def measured(games: int, seed: int, pool: Executor) -> list[dict[str, Any]]:
    """Return the rows of all settings and habits."""
    rows: list[dict[str, Any]] = []
    for setting in SETTINGS:
        seeds = [f"{seed} {game}" for game in range(round(games * setting.share))]
        for habit in HABITS:
            title = f"{setting.players} players, {setting.asking}, {habit}"
            found = pool.map(partial(scored, habit, setting), seeds, chunksize=10)
            played = list(track(found, title, total=len(seeds), transient=True))
            names = {"players": setting.players, "asking": setting.asking, "habit": habit}
            rows += score_rows(played, **names)
            rows += reliability_rows(played, **names)
    return rows


def main() -> None:
    """Play, score, write the results and print the tables."""
    options = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    options.add_argument(
        "--games", type=int, default=1_500, help="of each habit in the first setting"
    )
    options.add_argument("--seed", type=int, default=PUBLISHED)
    options.add_argument("--only", choices=("shows", "asks"), help="measure only one of the two")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--quick", action="store_true", help="40 games; for development")
    options.add_argument("--folder", type=Path, default=FOLDER, help="where the results go")
    chosen = options.parse_args()
    games = 40 if chosen.quick else chosen.games
    if games < 4 or chosen.workers < 1:
        options.error("expected at least 4 games, two for each setting, and 1 worker")
    asked = {"seed": chosen.seed, "games": games, "edition": "clue-classic"}
    with ProcessPoolExecutor(chosen.workers) as pool:
        if chosen.only != "asks":
            rows = measured(games, chosen.seed, pool)
            write(NAME, rows, settings=asked | {"rounds": ROUNDS}, folder=chosen.folder)
            results = read(NAME, folder=chosen.folder)
            draw(results, chosen.folder / f"{NAME}.svg")
            print(table(results), reliability(results), sep="\n\n")
        if chosen.only != "shows":
            rows = asking.measured(games, 2 if chosen.quick else 12, chosen.seed, pool)
            write(asking.NAME, rows, settings=asked, folder=chosen.folder)
            results = read(asking.NAME, folder=chosen.folder)
            asking.draw(results, chosen.folder / f"{asking.NAME}.svg")
            tables = (asking.table, asking.calibration, asking.costs)
            print(*(make(results) for make in tables), sep="\n\n")


if __name__ == "__main__":
    main()
