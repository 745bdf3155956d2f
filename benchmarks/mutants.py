"""
Do the tests notice when one small thing in the program is wrong?

    python benchmarks/mutants.py [MODULE ...] [--mutants N] [--seed S] [--workers W]

A mutant is a module with one operator, constant or condition changed. Of each module named, such as
`inference/diagram.py` (all of `inference`, `knowledge` and `notation` if none is), N are drawn by
lot, and the tests that concern it are run on each in a copy of the checkout. What survives is
printed with the exact change: either it changes no answer, or a test is missing. Not part of CI: a
mutant that survives takes as long as all tests that concern it, up to a minute or two.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "clue_solver"
ENGINE = (
    *("tests/inference", "tests/games", "tests/answers/test_adviser.py"),
    *("tests/answers/test_reasons.py", "tests/views/test_dimacs.py"),
)
TESTS = {
    "inference": ENGINE,
    "knowledge": ENGINE,
    "notation": ("tests/notation", "tests/record", "tests/test_session.py"),
}
"""The tests that concern the modules of a package, besides a module's own examples."""

OPERATORS = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot)),
    *((ast.In, ast.NotIn), (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.BitAnd, ast.BitOr)),
    *((ast.LShift, ast.RShift), (ast.Mult, ast.FloorDiv)),
)
EXCHANGED: dict[type[ast.AST], type[ast.AST]] = {
    old: new for pair in OPERATORS for old, new in (pair, pair[::-1])
}


class Mutant(NamedTuple):
    """
    One changed module.

    Attributes:
        module: Its path inside the package.
        line: The line changed, from 1.
        text: That line as it was.
        change: The changed expression before and after.
        source: The whole changed module.
    """

    module: str
    line: int
    text: str
    change: str
    source: str


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module."""
    lines = source.splitlines()
    for number, each in enumerate(ast.walk(ast.parse(source))):
        for place in range(len(_changes(each))):
            tree = ast.parse(source)
            skipped = _annotations(tree)
            node = next(node for i, node in enumerate(ast.walk(tree)) if i == number)
            if node in skipped or not isinstance(node, ast.expr | ast.stmt):
                continue
            shown = node.test if isinstance(node, ast.If | ast.While) else node
            before = ast.unparse(shown)
            _changes(node)[place]()
            shown = node.test if isinstance(node, ast.If | ast.While) else node
            change = f"{before}  ->  {ast.unparse(shown)}"
            text = lines[node.lineno - 1].strip()
            yield Mutant(module, node.lineno, text, change, ast.unparse(tree))


def _annotations(tree: ast.AST) -> set[ast.AST]:
    """Return all that is only written for the type checker."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if isinstance(note := getattr(node, name, None), ast.AST):
                found.update(ast.walk(note))
    return found


def _changes(node: ast.AST) -> list[Callable[[], None]]:
    """Return the changes that can be made to a node, each of which makes it in place."""
    found: list[Callable[[], None]] = []
    match node:
        case ast.Compare(ops=ops):
            for place, old in enumerate(ops):
                if new := EXCHANGED.get(type(old)):
                    found.append(partial(lambda at, kind: ops.__setitem__(at, kind()), place, new))
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op):
            if new := EXCHANGED.get(type(op)):
                found.append(lambda: setattr(node, "op", new()))
        case ast.Constant(value=bool(value)):
            found.append(lambda: setattr(node, "value", not value))
        case ast.Constant(value=int(value)):
            found.append(lambda: setattr(node, "value", value + 1))
        case ast.UnaryOp(op=ast.USub()):
            found.append(lambda: setattr(node, "op", ast.UAdd()))
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            found.append(lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), test)))
    return found


def survives(mutant: Mutant, checkout: Path, limit: float) -> bool:
    """Return whether the tests pass on a mutant, within so many seconds, in a copy of its own."""
    path = checkout / PACKAGE / mutant.module
    original = path.read_text("utf-8")
    tests = TESTS[mutant.module.split("/", maxsplit=1)[0]]
    path.write_text(mutant.source, "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", str(path), *tests],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(limit) == 0
    except subprocess.TimeoutExpired:  # it never ends: noticed
        return False
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        path.write_text(original, "utf-8")


def drawn(modules: list[str], count: int, seed: int) -> list[Mutant]:
    """Return by lot so many mutants of each module, fewer where it has fewer."""
    chosen = []
    for module in modules:
        every = list(mutants(module, (ROOT / PACKAGE / module).read_text("utf-8")))
        chosen += Random(f"{seed} {module}").sample(every, min(count, len(every)))
    return chosen


def main() -> None:
    """Draw mutants, run the tests on each and print what became of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("modules", nargs="*", help="paths in the package; none: all with tests")
    parser.add_argument("--mutants", type=int, default=5, help="how many of each module")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=float, default=300, help="seconds for the tests of one")
    chosen = parser.parse_args()
    package = ROOT / PACKAGE
    every = [path for name in TESTS for path in sorted((package / name).glob("*.py"))]
    modules = chosen.modules or [path.relative_to(package).as_posix() for path in every]
    sample = drawn(modules, chosen.mutants, chosen.seed)
    copies: SimpleQueue[Path] = SimpleQueue()

    def judge(mutant: Mutant) -> bool:
        checkout = copies.get()
        lives = survives(mutant, checkout, chosen.limit)
        copies.put(checkout)
        word = "SURVIVED" if lives else "killed"
        where = f"{mutant.module}:{mutant.line}"
        print(f"{word:9}{where}  {mutant.change}\n{'':9}in: {mutant.text}", flush=True)
        return lives

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.workers) as pool:
        ignored = shutil.ignore_patterns(".*", "__pycache__", "dist")
        for number in range(chosen.workers):
            copies.put(shutil.copytree(ROOT, Path(folder, str(number)), ignore=ignored))
        lived = sum(pool.map(judge, sample))
    print(f"{lived} of {len(sample)} survived")


if __name__ == "__main__":
    main()
