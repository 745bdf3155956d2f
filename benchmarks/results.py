"""
Results of the benchmarks: one JSON file each, from which every table and figure is made.

A result is what was measured, with the machine it was measured on and the settings of the run. What
is published reads these files only, so that it can be made again without measuring again.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parent / "results"
"""Where the results are kept."""

PUBLISHED = 2026
"""The seed of everything that is published; none of its positions is looked at while improving."""

_MEASURED = ("clue-solver", "numpy", "python-sat", "PySDD", "numba")


def machine() -> dict[str, Any]:
    """Return what the measuring machine is: processor, cores, memory in GiB, system, versions."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(_memory() / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in _MEASURED},
    }


def write(
    name: str,
    rows: Sequence[Mapping[str, Any]],
    *,
    settings: Mapping[str, Any],
    folder: Path = FOLDER,
    **others: Any,
) -> Path:
    """
    Write a benchmark's results to NAME.json and return its path.

    Args:
        name: The benchmark's name, without an ending.
        rows: What was measured, one flat object a row; floats are kept to six digits.
        settings: What the run was asked for: its seed, limits and sizes.
        folder: Where to; the folder of the published results if left out.
        others: More to keep beside the rows, such as the coefficients of a fit.
    """
    folder.mkdir(parents=True, exist_ok=True)
    whole = {
        "benchmark": name,
        "measured": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "settings": dict(settings),
        **others,
        "rows": [dict(row) for row in rows],
    }
    rounded = _rounded(whole)
    lines = [json.dumps(row, ensure_ascii=False) for row in rounded.pop("rows")]
    head = json.dumps(rounded, ensure_ascii=False, indent=1).removesuffix("\n}")
    path = folder / f"{name}.json"
    path.write_text(f'{head},\n "rows": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n", "utf-8")
    return path


def read(name: str, *, folder: Path = FOLDER) -> dict[str, Any]:
    """Return the results that `write` wrote: benchmark, measured, machine, settings, rows."""
    found: dict[str, Any] = json.loads((folder / f"{name}.json").read_text("utf-8"))
    return found


def markdown(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """
    Return a Markdown table; all columns but the first are set to the right.

    >>> print(markdown(["way", "time"], [["ours", figure(0.00123, "s")], ["theirs", "gave up"]]))
    | way | time |
    |---|--:|
    | ours | 1.2 ms |
    | theirs | gave up |
    """
    rule = "|---" + "|--:" * (len(columns) - 1) + "|"
    lines = [_line(columns), rule, *(_line(row) for row in rows)]
    return "\n".join(lines)


def figure(value: float | None, unit: str = "") -> str:
    """
    Return a measured value in two digits and a unit that suits it; a dash for none.

    Args:
        value: In seconds for `s`, bytes for `B`, a share of 1 for `%`, a plain factor for `x`.
        unit: One of these, or nothing for a bare number.

    >>> [figure(0.0000321, "s"), figure(3.21, "s"), figure(3.2e8, "B"), figure(0.034, "%")]
    ['0.032 ms', '3.2 s', '310 MB', '3.4 %']
    >>> [figure(1234.0, "x"), figure(0.5, "x"), figure(None), figure(0.0), figure(2e-16)]
    ['1,200 x', '0.50 x', '-', '0', '2e-16']
    >>> figure(99.96)
    '100'
    """
    if value is None:
        return "-"
    match unit:
        case "s" if value < 1:
            return f"{_digits(value * 1e3)} ms"
        case "s":
            return f"{_digits(value)} s"
        case "B":
            return f"{_digits(value / 2**20)} MB"
        case "%":
            return f"{_digits(value * 100)} %"
        case "":
            return _digits(value)
        case _:
            return f"{_digits(value)} {unit}"


def spread(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Return the median and the 95th percentile; nothing for no values."""
    if not values:
        return None, None
    median, late = np.percentile(np.array(values, float), [50, 95])
    return float(median), float(late)


def described(results: Mapping[str, Any]) -> str:
    """Return one line that names the machine, the day and the seed of a run."""
    box = results["machine"]
    seed = results["settings"].get("seed")
    return (
        f"{box['processor']}, {box['cores']} cores, {box['memory_gib']:.0f} GiB, {box['system']}, "
        f"Python {box['python']}; {results['measured']}" + (f", seed {seed}" if seed else "")
    )


def _digits(value: float) -> str:
    if value == 0:
        return "0"
    size = abs(value)
    if size < 1e-3:
        return f"{value:.0e}".replace("e-0", "e-")
    rounded = float(f"{value:.2g}")
    if abs(rounded) >= 100:
        return f"{rounded:,.0f}"
    return f"{rounded:#.2g}".rstrip(".")


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def _rounded(value: Any) -> Any:
    """Return the same with floats to six significant digits; numpy's numbers as plain ones."""
    match value:
        case np.generic():
            return _rounded(value.item())
        case float():
            return float(f"{value:.6g}")
        case Mapping():
            return {key: _rounded(each) for key, each in value.items()}
        case list() | tuple():
            return [_rounded(each) for each in value]
        case _:
            return value


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    """Return the processor's name, which `platform` knows on some systems only."""
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    if platform.system() == "Darwin":
        asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return platform.processor() or platform.machine()


def _memory() -> int:
    """Return the machine's memory in bytes, 0 where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
