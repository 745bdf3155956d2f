"""
Runs of the full screen and evenings of pages, as text: `python -m tests.yardstick.faces` writes
what comes out of all of them anew, or of those
whose names are given, such as `evenings/diced`.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
CASES = sorted([*HERE.glob("screens/*.txt"), *HERE.glob("evenings/*.txt")])


def anew(case: Path, **how: float) -> str:
    """Return the text of a case with what comes out of it now."""
    head, _, begins, _, goes_in, *_ = re.split(r"^== (.*)\n", case.read_text("utf-8"), flags=re.M)
    played = import_module(f"tests.yardstick.{case.parent.name}").played
    with TemporaryDirectory() as folder:
        came = played(Path(folder), begins, goes_in, **how)
    parts = {"begins": begins, "goes in": goes_in, **came}
    return head + "".join(f"== {name}\n{text}" for name, text in parts.items())


def main(names: list[str]) -> None:
    """Write the cases anew."""
    for case in CASES:
        if not names or f"{case.parent.name}/{case.stem}" in names:
            case.write_text(anew(case), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
