"""
Pictures of a game, drawn with matplotlib: each function returns the Axes that it drew on.

Nothing here touches pyplot: without `ax` a picture gets a Figure of its own (`axes.figure`), which
no window and no list of figures holds. Texts and frames take the colours of the style in use, and
grounds are left as they are, so that dark styles and transparent pictures read well. Colours are
close to those of Okabe and Ito, which colour-blind people can tell apart; seats differ in line
style too.

matplotlib comes with the `notebook` extra: without it every function raises `MissingExtra`.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from clue_solver.answers.report import Report
from clue_solver.answers.review import Review
from clue_solver.errors import Contradiction, SetupError, shown, wanted
from clue_solver.game import Game
from clue_solver.table import Shows
from clue_solver.views.charts import COLOURS, OTHERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DASHES = ("-", "--", "-.", ":")
DEEPEST = 0.65
"""How opaque a certain cell of the heat map is: text of any colour reads on it."""


def sheet(report: Report, *, ax: Axes | None = None) -> Axes:
    """
    Draw the detective's sheet as a heat map: the fuller a cell, the likelier the card lies there.

    Args:
        report: What to draw.
        ax: Where to draw; a new figure if left out.

    Raises:
        Contradiction: If no deal fits the log.
        MissingExtra: If matplotlib is not installed.
    """
    from clue_solver.answers.display import percent
    from clue_solver.views.text import UNICODE

    if not report.consistent:
        raise Contradiction(report.conflict)
    rows, columns = report.probabilities.shape
    axes = _axes(ax, 2.2 + 0.75 * columns, 0.9 + 0.26 * rows)
    colour = wanted("matplotlib.colors").to_rgb(COLOURS[0])
    cells = np.empty((rows, columns, 4))
    cells[..., :3], cells[..., 3] = colour, report.probabilities * DEEPEST
    axes.imshow(cells, aspect="auto", interpolation="nearest")
    for row, card in enumerate(report.cards):
        for column, holder in enumerate(report.holders):
            verdict = report.verdict(card, holder)
            chance = float(report.probabilities[row, column])
            axes.text(
                column, row, percent(chance) if verdict == "open" else getattr(UNICODE, verdict),
                ha="center", va="center", fontsize=9, alpha=0.4 if verdict == "lacks" else 1,
                fontweight="bold" if verdict == "holds" else "normal",
            )  # fmt: skip
    axes.set_yticks(range(rows), [_label(card) for card in report.cards])
    axes.set_xticks(range(columns), [_label(holder) for holder in report.holders])
    axes.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    category = report.table.edition.category_of
    kinds = [len(list(group)) for _, group in groupby(report.cards, category.__getitem__)]
    for end in np.cumsum(kinds)[:-1]:
        axes.axhline(end - 0.5, color=OTHERS, linewidth=1)
    axes.axvline(columns - 1.5, color=OTHERS, linewidth=1)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_title(f"{_label(report.viewer)}, after {report.entries} entries", pad=12)
    return axes


def solutions(
    game: Game,
    *,
    viewer: str | None = None,
    shows: Shows | None = None,
    upto: int | None = None,
    most: int = 6,
    ax: Axes | None = None,
) -> Axes:
    """
    Draw how one viewer's chances of the solutions went, entry by entry, one upon the other.

    The likeliest at the end have a band each, then those that came closest on the way; all others
    are grey.

    Args:
        game: The game.
        viewer, shows, upto: As in `Game.report`.
        most: How many solutions have a band of their own, 1 or more.
        ax: Where to draw; a new figure if left out.

    Raises:
        Contradiction: If the entries cannot all be true.
        SetupError, TooLarge: As `Game.report`; `most` below 1.
        MissingExtra: If matplotlib is not installed.
    """
    if most < 1:
        raise SetupError(f"most: expected 1 or more; found {most}")
    last = game.report(viewer=viewer, shows=shows, upto=upto)
    if not last.consistent:
        raise Contradiction(last.conflict)
    entries = range(last.entries)
    reports = [game.report(viewer=viewer, shows=shows, upto=entry) for entry in entries]
    reports += [last, last]  # what holds after an entry is drawn up to the next
    chances: dict[tuple[str, ...], list[float]] = {}
    for place, report in enumerate(reports):
        for cards, chance in report.solutions:
            chances.setdefault(cards, [0.0] * len(reports))[place] = chance
    best = sorted(chances, key=lambda cards: (-chances[cards][-1], -max(chances[cards])))[:most]
    bands = np.array([chances[cards] for cards in best])
    axes = _axes(ax, 8, 3.6)
    rest = np.clip(1 - bands.sum(axis=0), 0, 1)
    colours = [COLOURS[place % len(COLOURS)] for place in range(len(best))]
    names = [_label(", ".join(cards), most=60) for cards in best]
    axes.stackplot(
        np.arange(len(reports)), *bands, rest, step="post",
        colors=[*colours, (OTHERS, 0.3)], labels=[*names, "all others"],
    )  # fmt: skip
    axes.set_ylim(0, 1)
    axes.set_ylabel("chance")
    _over_time(axes, last.entries)
    axes.set_title(f"What the envelope may hold, seen by {_label(last.viewer)}")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, reverse=True)
    return axes


def bits(review: Review, *, ax: Axes | None = None) -> Axes:
    """
    Draw how many bits every seat lacked after each entry; a dot stands where it had proof.

    Args:
        review: The review of the game.
        ax: Where to draw; a new figure if left out.

    Raises:
        MissingExtra: If matplotlib is not installed.
    """
    axes = _axes(ax, 8, 3.6)
    for place, seat in enumerate(review.seats):
        heights = [moment.bits for moment in seat.timeline]
        axes.step(
            range(len(heights) + 1), [*heights, heights[-1]], where="post", linewidth=2,
            color=COLOURS[place % len(COLOURS)], linestyle=DASHES[place % len(DASHES)],
            label=_label(seat.seat),
        )  # fmt: skip
        if seat.proved is not None:
            axes.plot(
                [seat.proved], [heights[seat.proved]], "o", markersize=8, clip_on=False, zorder=3,
                color=COLOURS[place % len(COLOURS)],
            )  # fmt: skip
    axes.set_ylim(bottom=0)
    axes.set_ylabel("bits left")
    _over_time(axes, review.entries)
    axes.set_title("How much every seat lacked")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    return axes


def gains(review: Review, *, ax: Axes | None = None) -> Axes:
    """
    Draw what each suggestion was expected to gain, as a bar, below a mark for the best there was.

    Args:
        review: The review of the game.
        ax: Where to draw; a new figure if left out.

    Raises:
        MissingExtra: If matplotlib is not installed.
    """
    axes = _axes(ax, 8, 3.6)
    for place, seat in enumerate(review.seats):
        asked = [each for each in review.suggestions if each.seat == seat.seat]
        axes.bar(
            [each.entry for each in asked], [each.gain for each in asked],
            yerr=[each.error for each in asked], ecolor=OTHERS, width=0.7,
            color=COLOURS[place % len(COLOURS)], label=_label(seat.seat),
        )  # fmt: skip
    axes.hlines(
        [each.best_gain for each in review.suggestions],
        [each.entry - 0.45 for each in review.suggestions],
        [each.entry + 0.45 for each in review.suggestions],
        colors=OTHERS, linewidth=2.5, label="the best there was",
    )  # fmt: skip
    axes.set_ylim(bottom=0)
    axes.set_ylabel("expected bits")
    _number_entries(axes)
    axes.set_title("What each suggestion could gain")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    return axes


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    if ax is not None:
        return ax
    figure = wanted("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")
    axes: Axes = figure.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def _over_time(axes: Axes, entries: int) -> None:
    axes.set_xlim(0, entries + 1)
    _number_entries(axes)


def _number_entries(axes: Axes) -> None:
    axes.set_xlabel("entry")
    axes.xaxis.set_major_locator(wanted("matplotlib.ticker").MaxNLocator(integer=True))


def _label(name: str, *, most: int = 24) -> str:
    """Return a name as matplotlib draws it: no formula, and never left out of a legend."""
    text = shown(name, most=most).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
