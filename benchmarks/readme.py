"""
Write what the benchmarks found, from their results alone: a few lines into the README, what matters
onto a page of the site, and all of it into benchmarks/README.md.

    python benchmarks/readme.py            # rewrites all three, and the figures
    python benchmarks/readme.py --check    # says where they disagree with the results, and exits 1

A benchmark whose results are not there is left out.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from drawing import digest
from results import FOLDER, PUBLISHED, described, read

BEGIN, END = "<!-- benchmarks -->", "<!-- /benchmarks -->"
ROOT = Path(__file__).resolve().parents[1]
PAGE = "benchmarks/README.md"
SITE = "docs/reference/benchmarks.md"
WIDTH = 108


class Part(NamedTuple):
    """
    One benchmark's place in the README, on the site and on the page of full tables.

    Attributes:
        name: Its module and its results.
        claim: What the short table on the site shows, a sentence or two.
        brief: The function of its module that makes the short table; none for no place there.
        tables: What stands above each full table, and the function that makes it.
        figure: What its figure shows, if it draws one.
        shown: What stands above the figure on the site; none for no place there.
        line: The function that makes its sentence in the README; empty for no place there.
    """

    name: str
    claim: str
    brief: str
    tables: Mapping[str, str]
    figure: str = ""
    shown: str | None = None
    line: str = ""


PARTS = (
    Part(
        "compare",
        "**Against other tools.** The whole table of chances of the same positions, from scratch; "
        "times as ratios to the deal diagram's on the same position, errors in points of 100.",
        "table",
        {
            "The whole table of marginals, over all positions": "table",
            "Median ratio of times by kind of position": "by_kind",
            "Why a way gave up": "gave_up",
        },
        line="line",
    ),
    Part(
        "deduction",
        "**What one would use instead.** One sheet from scratch, in half a minute on your own "
        "machine: time as a ratio to the deal diagram's, forced facts found, and how many points "
        "of 100 lie on wrong cards of the envelope.",
        "table",
        {
            "One sheet": "table",
            "From a new process to the first sheet": "started",
            "Forced facts that rules find, at every entry": "facts",
            "Share of facts missed, by game and stage": "by_stage",
        },
        "how long each way takes, the facts that it finds, the error of its envelope",
        shown="",
        line="line",
    ),
    Part(
        "scaling",
        "**How it grows.** One table of chances from scratch, median of random games; and the "
        "hardest logs that a search found.",
        "brief",
        {
            "Fitted growth of the medians": "growth",
            "The worst logs found": "worst_table",
            "Every point: medians and 95th percentiles": "table",
        },
        "time, states and memory by cards, players and entries",
        shown="",
        line="line",
    ),
    Part(
        "accuracy",
        "**Whether the chances are right.** Bits short of the true solution (-log2 of its chance, "
        "less is better) when the policy assumed is `random`, and what `none` and `sticky` add to "
        "that; four players, 95 % intervals.",
        "brief",
        {
            "Scores: bits and Brier scores, less is better": "table",
            "Distance of chances from frequencies, in points of 100": "reliability",
        },
        "chances said against what was so, where the policies differ",
    ),
    Part(
        "asking",
        "**What reading the questions gains.** Bits of the solution that `asks: adaptive` gains "
        "over `asks: any`, in brackets what one would gain who knew how careless all are; four "
        "players who name any card of a category so often, else one that they do not hold.",
        "brief",
        {
            "Bits of the solution gained, by table and moment": "table",
            "What came true of what was said, in percent": "calibration",
            "What a report costs": "costs",
        },
        "chances said against what was so, of cells and of solutions",
        "**Said 70 %, true 70 %.** What was said of open cells and of solutions against how often "
        "it was so; on the grey line a chance is just what it says.",
    ),
    Part(
        "winning",
        "**Whether the advice wins.** How often one seat wins by it; 95 % intervals.",
        "table",
        {
            "Games won by one seat": "table",
            "Accusations below certainty: said, and right": "calibration",
        },
        line="line",
    ),
)


def section(folder: Path = FOLDER) -> str:
    """Return the README's section, between its marks."""
    lines = [f"- {_made(part, part.line)(found)}" for part, found in _present(folder) if part.line]
    text = f"[All figures]({SITE}), with pictures and how to renew them."
    return "\n\n".join((BEGIN, "## How fast, how right", "\n".join(lines), text, END))


def site(folder: Path = FOLDER) -> str:
    """Return the page of the site."""
    up = "../../"
    texts = [
        "# How fast, how right",
        _filled(
            "Anyone can run these: `pip install '.[benchmark]'`, then `python "
            "benchmarks/deduction.py`, which takes half a minute, and its neighbours. The seeds "
            "are ones that nobody looked at "
            f"while improving. [{PAGE}]({up}{PAGE}) says what each figure means and has all of "
            "them. This page is made by `python benchmarks/readme.py`; do not edit."
        ),
    ]
    measured: dict[str, list[str]] = {}
    for part, results in _present(folder):
        claimed = re.fullmatch(r"\*\*(.*?)\.?\*\* (.*)", part.claim)
        assert claimed is not None, part.claim
        texts += [f"## {claimed[1]}", _filled(claimed[2]), _made(part, part.brief)(results)]
        measured.setdefault(described(results), []).append(part.name)
        if part.shown is not None:
            texts += [_filled(part.shown)] if part.shown else []
            texts.append(f"![{part.figure}]({up}benchmarks/results/{part.name}.svg)")
    texts += [
        _filled(f"Measured ({', '.join(names)}) on {line}.") for line, names in measured.items()
    ]
    return "\n\n".join(texts) + "\n"


def page(folder: Path = FOLDER) -> str:
    """Return the page of full tables."""
    texts = [
        "# Benchmarks",
        "Made by `python benchmarks/readme.py` from the results in this folder; do not edit. "
        "Each benchmark's own text says what is measured, and how.",
    ]
    for part, results in _present(folder):
        told = (import_module(part.name).__doc__ or "").strip()
        texts += [f"## {part.name}.py", told, f"Measured on {described(results)}."]
        for title, name in part.tables.items():
            texts += [f"### {title}", _made(part, name)(results)]
        if part.figure:
            texts.append(f"![{part.figure}](results/{part.name}.svg)")
    return "\n\n".join(texts) + "\n"


def disagreements(root: Path = ROOT, folder: Path = FOLDER) -> Iterator[str]:
    """Yield what does not agree with the results, each in a line."""
    text = (root / "README.md").read_text("utf-8")
    if section(folder) not in text:
        yield f"README.md: the section between {BEGIN} and {END} is not what the results say"
    for name, made in ((SITE, site), (PAGE, page)):
        there = root / name
        if not there.exists() or there.read_text("utf-8") != made(folder):
            yield f"{name}: not what the results say"
    for part, results in _present(folder):
        drawn = folder / f"{part.name}.svg"
        if part.figure and not (drawn.exists() and digest(results) in drawn.read_text("utf-8")):
            yield f"{drawn.name}: drawn from other results than {part.name}.json"
        published = getattr(import_module(part.name), "SEED", PUBLISHED)
        if results["settings"].get("seed", published) != published:
            yield f"{part.name}.json: made with another seed than {published}, the published one"


def rewritten(text: str, section: str) -> str:
    """
    Return a README with its benchmark section exchanged.

    Raises:
        ValueError: If the two marks are not there, once each.
    """
    between = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    if len(between.findall(text)) != 1:
        raise ValueError(f"README.md: expected {BEGIN} and {END} once each")
    return between.sub(lambda _: section, text)


def _present(folder: Path) -> Iterator[tuple[Part, dict[str, Any]]]:
    for part in PARTS:
        if (folder / f"{part.name}.json").exists():
            yield part, read(part.name, folder=folder)


def _made(part: Part, name: str) -> Callable[[Mapping[str, Any]], str]:
    maker: Callable[[Mapping[str, Any]], str] = getattr(import_module(part.name), name)
    return maker


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def main() -> None:
    """Rewrite or check."""
    options = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    options.add_argument("--check", action="store_true", help="change nothing, only say")
    if options.parse_args().check:
        found = list(disagreements())
        print("\n".join(found) or "README, page, figures and results agree")
        sys.exit(bool(found))
    readme = ROOT / "README.md"
    try:
        text = rewritten(readme.read_text("utf-8"), section())
    except ValueError as error:
        sys.exit(str(error))
    readme.write_text(text, "utf-8")
    (ROOT / SITE).write_text(site(), "utf-8")
    (ROOT / PAGE).write_text(page(), "utf-8")
    for part, results in _present(FOLDER):
        if part.figure:
            import_module(part.name).draw(results, FOLDER / f"{part.name}.svg")


if __name__ == "__main__":
    main()
