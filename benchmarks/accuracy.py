"""
This benchmark compares the chances with true deals, and measures what people's habits add.

    python benchmarks/accuracy.py [--games N] [--seed S] [--out FOLDER]

Four players play simulated games. The first player's notes are read after 6, 10, 14 and 18
suggestions, under several assumptions, and compared with the true deal. The loss is -log2 of the
chance given to the true solution, in bits; less is better. Figures are means over the four moments,
differences compare the same games, and intervals are 1.96 standard errors over games.

Showing: players choose a card at random, repeat one that the asker has seen, or show the first in
the edition's order. They suggest any cards, or, as people do, none that they hold or have seen; the
room is random. The suggestions are not used as evidence.

Asking: a careless player suggests any cards; a careful one never suggests a card of their own. On a
board the room is random. The notes are read under `any` (suggestions are no evidence), `adaptive`
(the own-card level is learned from the notes) and `careful` (the level is known, which bounds the
gain). Players who are careless 30% of the time have the level 0.25; at 60%, the level is 0.55.

The picture compares chances under `adaptive`, on a board, with how often they came true.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace
from publish import COLOURS, PUBLISHED, STYLE, markdown, save_picture, write
from rich.progress import track

from clue_solver import load_edition
from clue_solver.arena.dealing import Deal
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.policies import predicting
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import ANY, SHOWS, Asks, Shows
from tests.random_games import Choosing, holders, random_cards, random_deal, suggestion

TITLE = "Are the chances right?"
PICTURE = "predicted chances and how often they came true, for cells and for solutions"
SEATS = 4
MOMENTS = (6, 10, 14, 18)
"""After how many suggestions a game is read."""

ALL = 0
"""Stands for the mean over all moments."""

BINS, FEWEST = 10, 50
"""Bins of chances; how many chances a figure stands for at least."""

KINDS = ("cell", "solution")
"""What chances are said of."""

Floats = npt.NDArray[np.float64]
Asking = Callable[[Random, Deal, str, set[str]], tuple[str, ...]]
"""The cards to ask for: at which table, by which seat, which has been shown which cards."""


def any_cards(random: Random, dealt: Deal, by: str, seen: set[str]) -> tuple[str, ...]:
    """Any cards, one of each category."""
    return random_cards(random, dealt.table.edition)


def as_people_do(random: Random, dealt: Deal, by: str, seen: set[str]) -> tuple[str, ...]:
    """Suspect and weapon that the asker neither holds nor was shown, and any room."""
    *kinds, rooms = dealt.table.edition.category
    known = seen | dealt.hands[by]
    asked = [random.choice([c.name for c in kind.cards if c.name not in known]) for kind in kinds]
    return (*asked, random.choice(rooms.cards).name)


def careless(often: float, random: Random, dealt: Deal, by: str, seen: set[str]) -> tuple[str, ...]:
    """Any card of a category so often, else one that the asker does not hold."""
    asked = []
    for kind in dealt.table.edition.category:
        cards = [card.name for card in kind.cards]
        free = dealt.table.board == "none" or kind.name.casefold() != "room"
        others = [name for name in cards if name not in dealt.hands[by]] or cards
        asked.append(random.choice(others if free and random.random() >= often else cards))
    return tuple(asked)


def by_lot(random: Random, dealt: Deal) -> Choosing:
    """Each matching card is as likely to be shown."""
    return lambda could, _seat, _asker: random.choice(could)


def same_again(random: Random, dealt: Deal) -> Choosing:
    """A card that this seat has shown this asker before is shown again, else a random one."""
    policy, cards = predicting("sticky"), dealt.table.cards
    shown: dict[tuple[str, str], int] = {}

    def choose(could: list[str], seat: str, asker: str) -> str:
        numbers = [cards.index(name) for name in could]
        before = shown.get((seat, asker), 0)
        (number,) = random.choices(numbers, policy.picks(numbers, before=before))
        shown[seat, asker] = before | 1 << number
        return cards[number]

    return choose


def first_match(random: Random, dealt: Deal) -> Choosing:
    """Always the first matching card in the edition's order."""
    return lambda could, _seat, _asker: min(could, key=dealt.table.cards.index)


class Assumption(NamedTuple):
    """What a reader takes for granted of the table: how it shows, how it asks."""

    name: str
    shows: Shows
    asks: tuple[Asks, ...]


class Setting(NamedTuple):
    """
    How a table behaves, and how it is read.

    Attributes:
        about: `showing` or `asking`: what differs between its readings.
        names: What it is called in the columns of its table.
        show: How a card is chosen to be shown.
        ask: How the cards of a suggestion are chosen.
        board: Whether there is one, so that rooms are named by lot.
        read: The assumptions; the first is what the others are held against.
    """

    about: str
    names: tuple[str, str]
    show: Callable[[Random, Deal], Choosing]
    ask: Asking
    board: bool
    read: tuple[Assumption, ...]


SHOWING = tuple(Assumption(shows, shows, ANY) for shows in SHOWS)
ADAPTIVE = "adaptive"
PRINTED = {"by lot": "at random", "the same again": "the same card again"}
"""What the table calls some names of `Setting`, which seed its games and so stay as they are."""

CARELESS = {1.0: 1.0, 0.6: 0.55, 0.3: 0.25, 0.0: 0.02}
"""For each carelessness the own-card level that suits it; at 1 a question tells nothing."""


def settings() -> Iterator[Setting]:
    """Yield all tables."""
    asking: dict[str, Asking] = {"any cards": any_cards, "as people do": as_people_do}
    showing = {"by lot": by_lot, "the same again": same_again, "the first match": first_match}
    for asks, ask in asking.items():
        for shows, show in showing.items():
            yield Setting("showing", (shows, asks), show, ask, True, SHOWING)
    for often, level in CARELESS.items():
        read = (
            Assumption("any", "random", ANY),
            Assumption(ADAPTIVE, "random", (Asks(model="adaptive"),)),
            Assumption("careful", "random", (Asks(model="careful", level=level),)),
        )
        for board in (True, False):
            names = (f"{often:.0%}", "a board" if board else "no board")
            yield Setting("asking", names, by_lot, partial(careless, often), board, read)


class Read(NamedTuple):
    """
    One game, read under every assumption.

    Attributes:
        bits: The loss, shape (assumptions, moments).
        bins: The number of chances, their sum and the sum of what came true, by assumption, kind of
            chance and bin, shape (assumptions, kinds, 3, bins).
    """

    bits: Floats
    bins: Floats


def log_of(setting: Setting, random: Random) -> tuple[Deal, list[Observation]]:
    """Return a deal and the first seat's notes: its hand, then the table's suggestions."""
    dealt = random_deal(random, load_edition("clue-classic"), SEATS)
    if not setting.board:
        dealt = dealt._replace(table=replace(dealt.table, board="none"))
    show = setting.show(random, dealt)
    shown: dict[str, set[str]] = {seat: set() for seat in dealt.table.seats}

    def choose(could: list[str], seat: str, asker: str) -> str:
        card = show(could, seat, asker)
        shown[asker].add(card)
        return card

    log: list[Observation] = [dealt.hand(dealt.table.seats[0])]
    for turn in range(MOMENTS[-1]):
        by = dealt.table.seats[turn % SEATS]
        asked = setting.ask(random, dealt, by, shown[by])
        log.append(suggestion(dealt, by, asked, choose=choose))
    return dealt, log


def read_game(setting: Setting, seed: str) -> Read:
    """Play one game and read it under every assumption at every moment."""
    dealt, log = log_of(setting, Random(f"{seed} {setting.about} {setting.names}"))
    truth = holders(dealt)
    bits = np.zeros((len(setting.read), len(MOMENTS)))
    bins = np.zeros((len(setting.read), len(KINDS), 3, BINS))
    for number, assumed in enumerate(setting.read):
        table = replace(dealt.table, shows=assumed.shows, asks=assumed.asks)
        deduction = Deduction(knowledge_of(table, log, viewer=table.viewer))
        for moment, suggestions in enumerate(MOMENTS):
            upto = 1 + suggestions
            found = deduction.solutions(upto)
            right = np.all(truth[found.cards] == len(table.seats), axis=1)
            bits[number, moment] = -np.log2(found.probability[right].sum())
            chances = deduction.diagram(upto).marginals()
            is_open = np.any((chances > 0) & (chances < 1), axis=1, keepdims=True)
            here = truth[:, None] == np.arange(chances.shape[1])
            possible = is_open & (chances > 0)
            bins[number, 0] += binned(chances[possible], here[possible])
            if len(found.probability) > 1:
                bins[number, 1] += binned(found.probability, right)
    return Read(bits, bins)


def binned(said: Floats, true: npt.NDArray[np.bool_]) -> Floats:
    """Return by bin the number of chances, their sum and what came true, shape (3, bins)."""
    place = np.minimum((said * BINS).astype(int), BINS - 1)
    weights = (np.ones_like(said), said, true.astype(float))
    return np.stack([np.bincount(place, each, BINS) for each in weights])


def rows_of(setting: Setting, games: Sequence[Read]) -> Iterator[dict[str, Any]]:
    """Yield what was found at one table: the loss by assumption and moment, and what was said."""
    about = {"about": setting.about, "table": list(setting.names), "games": len(games)}
    bits = np.stack([game.bits for game in games])
    bins = np.stack([game.bins for game in games])
    for number, assumed in enumerate(setting.read):
        moments = [*(([place], after) for place, after in enumerate(MOMENTS)), ([0, 1, 2, 3], ALL)]
        for moment, suggestions in moments:
            own, first = (bits[:, each][:, moment].mean(axis=1) for each in (number, 0))
            row = {"what": "bits", **about, "assumed": assumed.name, "after": suggestions}
            row["bits"], row["bits_ci"] = estimate(own)
            row["gain"], row["gain_ci"] = estimate(first - own)
            yield row
        for kind, of in enumerate(KINDS):
            count, said, true = bins[:, number, kind].swapaxes(0, 1)  # each (games, bins)
            for place in np.flatnonzero(count.sum(axis=0)):
                total = count[:, place].sum()
                share = true[:, place].sum() / total
                # A game counts as one observation: its chances hang together.
                off = true[:, place] - share * count[:, place]
                yield {
                    "what": "said",
                    **about,
                    "assumed": assumed.name,
                    "of": of,
                    "bin": int(place),
                    "number": int(total),
                    "true": share,
                    "said": said[:, place].sum() / total,
                    "true_ci": 1.96 * float(np.sqrt((off**2).sum())) / total,
                }


def estimate(values: Floats) -> tuple[float, float]:
    """Return the mean and half the width of its 95% interval."""
    return float(values.mean()), 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5


def measured(games: int, seed: int, pool: Executor) -> list[dict[str, Any]]:
    """Return the rows of all tables."""
    rows: list[dict[str, Any]] = []
    seeds = [f"{seed} {game}" for game in range(games)]
    for setting in settings():
        found = pool.map(read_game, [setting] * games, seeds, chunksize=10)
        title = f"{setting.about}: {', '.join(setting.names)}"
        rows += rows_of(setting, list(track(found, title, total=games, transient=True)))
    return rows


def tables(results: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables by their titles."""
    return {
        "The cost of a wrong assumption about how people show cards, in bits": _table(
            results, "showing", ("cards shown", "suggestions")
        ),
        "What the suggestions add as evidence, in bits": _table(
            results, "asking", ("careless", "played with")
        ),
    }


def _table(results: Mapping[str, Any], about: str, columns: tuple[str, str]) -> str:
    """Return the loss under the first assumption, and what the others gain, at all moments."""
    rows = [
        row
        for row in results["rows"]
        if row["what"] == "bits" and (row["about"], row["after"]) == (about, ALL)
    ]
    heads = [*columns, "games"]
    lines: dict[tuple[object, ...], list[str]] = {}
    for row in rows:
        printed = (PRINTED.get(name, name) for name in row["table"])
        key = (*printed, f"{row['games']:,}")
        first = key not in lines
        name, sign = ("bits", "") if first else ("gain", "+")
        value = 0.0 if abs(row[name]) < 0.0005 else row[name]
        cell = f"{value:{sign}.3f} ± {row[f'{name}_ci']:.3f}"
        lines.setdefault(key, []).append(cell)
    names = list(dict.fromkeys(row["assumed"] for row in rows))
    heads += [f"bits under `{names[0]}`", *(f"`{name}` gains" for name in names[1:])]
    return markdown(heads, [(*key, *cells) for key, cells in lines.items()])


def _said(results: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str, int], Mapping[str, Any]]]:
    """Yield what was said under `adaptive` with a board: by kind, carelessness and bin."""
    for row in results["rows"]:
        told = row["what"] == "said" and row["assumed"] == ADAPTIVE and row["number"] >= FEWEST
        if told and row["table"][1] == "a board":
            yield (row["of"], row["table"][0], row["bin"]), row


def draw(results: Mapping[str, Any], path: Path) -> None:
    """Draw what was said against what came true, of cells on the left and of solutions."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    found = dict(_said(results))
    with matplotlib.rc_context(STYLE):
        picture = Figure(figsize=(7, 3.4), layout="constrained")
        FigureCanvasSVG(picture)
        for axes, of in zip(picture.subplots(1, 2), KINDS, strict=True):
            axes.axline((0, 0), slope=1.0, color="#999999", linewidth=0.8)
            for colour, often in zip(COLOURS, dict.fromkeys(key[1] for key in found), strict=False):
                rows = [row for key, row in found.items() if key[:2] == (of, often)]
                said, true, error = (
                    [100 * row[name] for row in rows] for name in ("said", "true", "true_ci")
                )
                axes.errorbar(
                    said, true, error, color=colour, label=f"careless {often}", marker="o"
                )
            axes.set(
                title=f"chances of {of}s", xlabel="predicted, percent", ylabel="came true, percent"
            )
        axes.legend(frameon=False)
        save_picture(picture, path, results)


def main() -> None:
    """Play, read and print the tables; write results and picture where that is asked for."""
    options = argparse.ArgumentParser(description="Are the chances right?")
    options.add_argument("--games", type=int, default=1_500, help="at each table")
    options.add_argument("--seed", type=int, default=PUBLISHED)
    options.add_argument("--out", type=Path, help="a folder for accuracy.json and accuracy.svg")
    chosen = options.parse_args()
    if chosen.games < 2:
        options.error("expected at least 2 games")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        rows = measured(chosen.games, chosen.seed, pool)
    asked = {"seed": chosen.seed, "games": chosen.games, "edition": "clue-classic"}
    with TemporaryDirectory() as nowhere:
        results = write("accuracy", rows, settings=asked, folder=chosen.out or Path(nowhere))
    if chosen.out is not None:
        draw(results, chosen.out / "accuracy.svg")
    for title, table in tables(results).items():
        print(title, table, sep="\n\n", end="\n\n")


if __name__ == "__main__":
    main()
