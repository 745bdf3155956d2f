"""
Results of the benchmarks, and all that is published from them.

    python benchmarks/publish.py            # writes the page of figures, README's lines, pictures
    python benchmarks/publish.py --check    # says what does not agree with the results, exits 1

A result is a JSON file: what was measured, on which machine, with which settings. What is published
reads these files alone, so that it can be made again without measuring again. A benchmark without a
result is left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the tests make the random games
FOLDER = ROOT / "benchmarks" / "results"
"""Where the published results are kept."""

PUBLISHED = 2026
"""The seed of everything that is published; nobody looks at its games while improving."""

BENCHMARKS = ("deduction", "scaling", "accuracy", "winning")
"""The modules that are published, in order: `TITLE`, `tables`, maybe `line` and `draw`."""

PAGE = "docs/benchmarks.md"
BEGIN, END = "<!-- benchmarks -->", "<!-- /benchmarks -->"
WIDTH = 108
PACKAGES = ("clue-solver", "numpy", "python-sat", "PySDD", "numba")

STYLE: dict[Any, object] = {  # its keys are matplotlib's, which spells them all out
    "svg.hashsalt": "clue-solver",  # the same picture on any day
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
"""Colours that people with any kind of colour vision tell apart (Okabe and Ito)."""


def write(
    name: str,
    rows: Sequence[Mapping[str, Any]],
    *,
    settings: Mapping[str, Any],
    folder: Path = FOLDER,
) -> dict[str, Any]:
    """
    Write a benchmark's results to NAME.json and return them as they are read again.

    Args:
        name: The benchmark's name.
        rows: What was measured, one flat object a row; floats are kept to six digits.
        settings: What the run was asked for: its seed, limits and sizes.
        folder: Where to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    head = {
        "benchmark": name,
        "measured": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "settings": dict(settings),
    }
    start = json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}")
    lines = [json.dumps(_rounded(row), ensure_ascii=False) for row in rows]
    text = f'{start},\n "rows": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"
    (folder / f"{name}.json").write_text(text, "utf-8")
    return read(name, folder)


def read(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Return the results that `write` wrote: benchmark, measured, machine, settings, rows."""
    found: dict[str, Any] = json.loads((folder / f"{name}.json").read_text("utf-8"))
    return found


def machine() -> dict[str, Any]:
    """Return what the measuring machine is: processor, cores, system, versions."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
    }


def described(results: Mapping[str, Any]) -> str:
    """Return one line that names the machine, the day and the seed of a run."""
    box, seed = results["machine"], results["settings"].get("seed")
    return (
        f"{box['processor']}, {box['cores']} cores, {box['system']}, "
        f"Python {box['python']}; {results['measured']}" + (f", seed {seed}" if seed else "")
    )


def markdown(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """
    Return a Markdown table; all columns but the first are set to the right.

    >>> print(markdown(["way", "time"], [["ours", figure(0.00123, "s")], ["theirs", "gave up"]]))
    | way | time |
    |---|--:|
    | ours | 1.2 ms |
    | theirs | gave up |
    """
    cells = [columns, *rows]
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in cells]
    rule = "|---" + "|--:" * (len(columns) - 1) + "|"
    return "\n".join((lines[0], rule, *lines[1:]))


def figure(value: float | None, unit: str = "") -> str:
    """
    Return a measured value in two digits and a unit that suits it; a dash for none.

    Args:
        value: In seconds for `s`, bytes for `B`, a share of 1 for `%`, a plain factor for `x`.
        unit: One of these, or nothing for a bare number.

    >>> [figure(0.0000321, "s"), figure(3.21, "s"), figure(3.2e8, "B"), figure(0.034, "%")]
    ['0.032 ms', '3.2 s', '310 MB', '3.4%']
    >>> [figure(1234.0, "x"), figure(0.5, "x"), figure(None), figure(0.0), figure(2e-16)]
    ['1,200 x', '0.50 x', '-', '0', '2e-16']
    >>> figure(99.96)
    '100'
    """
    if value is None:
        return "-"
    factor, name = {"B": (2**-20, "MB"), "%": (100.0, "%"), "s": (1.0, "s")}.get(unit, (1.0, unit))
    if unit == "s" and value < 1:
        factor, name = 1000.0, "ms"
    space = "" if name == "%" else " "
    return f"{_digits(value * factor)}{space}{name}".rstrip()


def save_picture(picture: Any, path: Path, results: Mapping[str, Any]) -> None:
    """Save a figure of matplotlib as an SVG that says which results it shows."""
    told = {"Date": None, "Creator": None, "Source": _source(results)}
    picture.savefig(path, format="svg", metadata=told, facecolor="white")


def section(folder: Path = FOLDER) -> str:
    """Return the README's section, between its marks."""
    lines = [f"- {each.line(found)}" for each, found in _present(folder) if hasattr(each, "line")]
    text = f"[All figures]({PAGE})"
    return "\n\n".join((BEGIN, "## Speed and accuracy", "\n".join(lines), text, END))


def page(folder: Path = FOLDER) -> str:
    """Return the page of figures: what each benchmark measures, its tables, its picture."""
    texts = ["# Speed and accuracy"]
    texts.append(
        _filled(
            "`pip install '.[benchmark]'` installs what the benchmarks need. The games of the "
            "published seed were not looked at while the program was being improved. "
            "`python benchmarks/publish.py` makes this page from `benchmarks/results`; do not "
            "edit it."
        )
    )
    for each, results in _present(folder):
        texts += [f"## {each.TITLE}", (each.__doc__ or "").strip()]
        for title, table in each.tables(results).items():
            texts += [f"### {title}", table]
        if hasattr(each, "draw"):
            texts.append(f"![{each.PICTURE}](../benchmarks/results/{results['benchmark']}.svg)")
        texts.append(_filled(f"Measured on {described(results)}."))
    return "\n\n".join(texts) + "\n"


def disagreements(root: Path = ROOT, folder: Path = FOLDER) -> Iterator[str]:
    """Yield what does not agree with the results, each in a line."""
    if section(folder) not in (root / "README.md").read_text("utf-8"):
        yield f"README.md: the section between {BEGIN} and {END} is not what the results say"
    written = root / PAGE
    if not written.exists() or written.read_text("utf-8") != page(folder):
        yield f"{PAGE}: not what the results say"
    for each, results in _present(folder):
        name = results["benchmark"]
        picture = folder / f"{name}.svg"
        if hasattr(each, "draw") and _source(results) not in picture.read_text("utf-8"):
            yield f"{name}.svg: drawn from other results than {name}.json"
        if results["settings"].get("seed", PUBLISHED) != PUBLISHED:
            yield f"{name}.json: made with another seed than {PUBLISHED}, the published one"


def with_section(text: str, section: str) -> str:
    """
    Return a README with its section of figures exchanged.

    Raises:
        ValueError: If the two marks are not there, once each.
    """
    between = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    if len(between.findall(text)) != 1:
        raise ValueError(f"README.md: expected {BEGIN} and {END} once each")
    return between.sub(lambda _: section, text)


def _present(folder: Path) -> Iterator[tuple[ModuleType, dict[str, Any]]]:
    for name in BENCHMARKS:
        if (folder / f"{name}.json").exists():
            yield import_module(name), read(name, folder)


def _source(results: Mapping[str, Any]) -> str:
    """Return what tells the results that a picture shows from others."""
    written = json.dumps(results, sort_keys=True, ensure_ascii=False)
    return f"{results['benchmark']}.json {hashlib.sha256(written.encode()).hexdigest()[:16]}"


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _digits(value: float) -> str:
    if value == 0:
        return "0"
    if abs(value) < 1e-3:
        return f"{value:.0e}".replace("e-0", "e-")
    rounded = float(f"{value:.2g}")
    if abs(rounded) >= 100:
        return f"{rounded:,.0f}"
    return f"{rounded:#.2g}".rstrip(".")


def _rounded(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with floats to six significant digits; numpy's numbers as plain ones."""
    plain = {
        key: value.item() if isinstance(value, np.generic) else value for key, value in row.items()
    }
    return {
        key: float(f"{value:.6g}") if isinstance(value, float) else value
        for key, value in plain.items()
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    """Return the processor's name, which `platform` knows on some systems only."""
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        for line in cpus.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if platform.system() == "Darwin":
        asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return platform.processor() or platform.machine()


def main() -> None:
    """Write what is published, or check it."""
    options = argparse.ArgumentParser(description="Write what is published of the benchmarks.")
    options.add_argument("--check", action="store_true", help="change nothing, only say")
    if options.parse_args().check:
        found = list(disagreements())
        print("\n".join(found) or "README, page, pictures and results agree")
        sys.exit(bool(found))
    readme = ROOT / "README.md"
    try:
        text = with_section(readme.read_text("utf-8"), section())
    except ValueError as error:
        sys.exit(str(error))
    readme.write_text(text, "utf-8")
    (ROOT / PAGE).write_text(page(), "utf-8")
    for each, results in _present(FOLDER):
        if hasattr(each, "draw"):
            each.draw(results, FOLDER / f"{results['benchmark']}.svg")


if __name__ == "__main__":
    main()
