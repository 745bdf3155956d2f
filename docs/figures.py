"""
Every published figure: the command that makes it, and whether it is still so.

    python -m docs.figures [NAME ...]  # says of each whether it is fresh; a beginning names many
    python -m docs.figures --run NAME ...  # runs what makes them
    python -m docs.figures --written NAME ...  # pages say now what the command printed

What the program draws and prints is made again and compared: pictures of the screen, sessions on
the pages, notebooks, the tables of benchmarks, and of `figures.toml` what is `exact`. All else
there was measured by a person, who wrote what the command printed into the page: how far it may be
off is told by how many lines of what it depends on git says have changed since. With a tenth of
them it is stale; the page of measurements lists them all.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from docs import notebooks, screens, sessions

ROOT = Path(__file__).resolve().parents[1]
MEASURED = Path(__file__).with_name("figures.toml")


class Figure(NamedTuple):
    """
    What is published together.

    Attributes:
        name: Its kind and its name, such as `screens/play`.
        run: The command line that makes it, in the project's folder.
        stale: Says why it is not what would be published today; nothing if it is.
    """

    name: str
    run: str
    stale: Callable[[], str]


def made() -> Iterator[Figure]:
    """Yield what is made again to be compared."""
    for name in screens.SCREENS:
        yield Figure(f"screens/{name}", f"python -m docs.screens {name}", partial(_drawn, name))
    for page in sessions.pages():
        if "```console\n" in page.read_text("utf-8"):
            path = str(page.relative_to(ROOT))
            run = f"python -m docs.sessions {path}"
            yield Figure(f"sessions/{path}", run, partial(_told, page))
    for name in notebooks.NAMES:
        run = f"python -m docs.notebooks {name}"
        yield Figure(f"notebooks/{name}", run, partial(_printed, name))
    tables = "python benchmarks/readme.py"
    yield Figure("tables", tables, partial(_failed, f"{tables} --check"))


def _drawn(name: str) -> str:
    return "the program draws something else" if screens.changed(name) else ""


def _told(page: Path) -> str:
    text = page.read_text("utf-8")
    return "the commands print something else" if sessions.rewritten(text) != text else ""


def _printed(name: str) -> str:
    today, kept = (notebooks.printed(each(name)) for each in (notebooks.executed, notebooks.kept))
    return "the notebook prints something else" if [*today] != [*kept] else ""


def _failed(command: str) -> str:
    return "the results say something else" if _run(command).returncode else ""


def measured() -> Iterator[Figure]:
    """Yield what stands in `figures.toml`."""
    for name, entry in entries().items():
        yield Figure(f"measured/{name}", entry["run"], partial(_recomputed, entry))


def entries() -> dict[str, dict[str, Any]]:
    """
    Return the entries of `figures.toml`, by their names.

    Keys: `run`, the command; `pages`, where its figures stand, with the heading; `on`, what of the
    package it depends on, besides its own script; `measured`, the day; `commit`, the last one then
    that changed any of it. In place of the last three `exact` says that it is quick and prints the
    same everywhere.
    """
    return tomllib.loads(MEASURED.read_text("utf-8"))


def _recomputed(entry: dict[str, Any]) -> str:
    if not entry.get("exact"):
        share = changed(entry)
        if share is not None and share < STALE:
            return ""
        return f"since {entry['measured']} {_percent(share)} of what it depends on has changed"
    rows = [line for line in _run(entry["run"]).stdout.splitlines() if line.startswith("|")]
    text = "".join((ROOT / page.partition("#")[0]).read_text("utf-8") for page in entry["pages"])
    missing = {*rows} - {*text.splitlines()}
    return f"the command prints {sorted(missing)}" if missing else "" if rows else "no table"


STALE = 0.1
"""Which share of the lines that a figure depends on has to have changed for it to be stale."""


def depends(entry: dict[str, Any]) -> list[str]:
    """Return the files and folders that an entry depends on."""
    scripts = re.findall(r"(?:benchmarks|tests)/[\w/]+\.py", entry["run"])
    return sorted({*scripts, *(f"clue_solver/{each}" for each in entry["on"])})


def changed(entry: dict[str, Any], root: Path = ROOT) -> float | None:
    """Return which share of the lines that an entry depends on has changed since it was measured.

    `None` where the history does not have its commit.
    """
    paths = depends(entry)
    told = _git(root, "diff", "-w", "--numstat", entry["commit"], "--", *paths)
    if told.returncode:
        return None
    rows = (row.split("\t") for row in told.stdout.splitlines() if row.endswith(".py"))
    moved = sum(max(int(new), int(gone)) for new, gone, _ in rows)
    files = [file for path in paths for file in ((root / path), *(root / path).rglob("*.py"))]
    whole = sum(file.read_bytes().count(b"\n") for file in files if file.is_file())
    return min(1.0, moved / whole)


def ages() -> str:
    """Return a table of what was measured: when, where it stands, how much has changed since."""
    rows = ["| figures | measured | changed since |", "|---|---|---|"]
    shares = {name: changed(each) for name, each in entries().items() if not each.get("exact")}
    for name, share in sorted(shares.items(), key=lambda each: -(each[1] or 0)):
        entry = entries()[name]
        link = next(page for page in entry["pages"] if page.startswith("docs/"))[5:]
        rows.append(f"| [{name}]({link}) | {entry['measured']} | {_percent(share)} |")
    return "\n".join(rows)


def _percent(share: float | None) -> str:
    return "an unknown share" if share is None else f"{100 * share:.0f} %"


def _git(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["git", "-C", str(root), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _run(command: str) -> subprocess.CompletedProcess[str]:
    with TemporaryDirectory() as folder:
        program = Path(folder, "python")
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', "utf-8")
        program.chmod(0o755)
        return subprocess.run(
            ["bash", "-c", f'PATH="{folder}:$PATH"; {command}'],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )


def stamped(text: str, name: str, today: str, commit: str) -> str:
    """Return `figures.toml` with a new day and commit of one entry."""
    head, mark, rest = text.partition(f"[{name}]\n")
    entry, blank, more = rest.partition("\n\n")
    entry = re.sub(r"^measured = .*$", f"measured = {today}", entry, flags=re.MULTILINE)
    entry = re.sub(r"^commit = .*$", f'commit = "{commit}"', entry, flags=re.MULTILINE)
    return head + mark + entry + blank + more


def main() -> None:
    """Say, run or stamp."""
    options = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    options.add_argument("--run", action="store_true", help="run the commands that make them")
    options.add_argument("--written", action="store_true", help="the pages say what was printed")
    options.add_argument("names", nargs="*", metavar="NAME")
    asked = options.parse_args()
    every = [*made(), *measured()]
    chosen = [each for each in every if not asked.names or each.name.startswith((*asked.names,))]
    if not chosen or ((asked.run or asked.written) and not asked.names):
        options.error(f"expected names, or how they begin, of {', '.join(e.name for e in every)}")
    for figure in chosen:
        kind, _, name = figure.name.partition("/")
        if asked.run:
            print(f"$ {figure.run}", flush=True)
            done = _run(figure.run)
            print(done.stdout, end="")
            if done.returncode:
                sys.exit(done.returncode)
            if kind == "measured":
                pages = ", ".join(entries()[name]["pages"])
                print(
                    f"Write it into {pages}; then: python -m docs.figures --written {figure.name}"
                )
        elif asked.written and kind == "measured":
            paths = depends(entries()[name])
            if _git(ROOT, "status", "--porcelain", "--", *paths).stdout:
                options.error(f"commit {' and '.join(paths)} first: {name} depends on it")
            commit = _git(ROOT, "log", "-1", "--format=%h", "--", *paths).stdout.strip()
            today, text = datetime.now(UTC).date().isoformat(), MEASURED.read_text("utf-8")
            MEASURED.write_text(stamped(text, name, today, commit), "utf-8")
        else:
            why = figure.stale()
            print(
                f"{'stale' if why else 'fresh'}  {figure.name}  ({why or figure.run})", flush=True
            )


if __name__ == "__main__":
    main()
