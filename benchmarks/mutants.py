"""
Do the tests notice when one small thing in the program is wrong?

    python benchmarks/mutants.py [MODULE ...] [--mutants N] [--seed S] [--reach FILE]

A mutant is a module with one operator, constant, condition or call changed. N are drawn by lot from
all that the package has, or the modules named, such as `inference/diagram.py`. Each is run with the
tests that reach its line and no others, quick ones first, until one fails; it is killed by a
failure, or by tests that work twice as long as they may. What survives is printed with the exact
change: either it changes no answer, or a test is missing.

Which tests reach which lines is measured first, once, by the light and the deep suite under
coverage, which takes twice as long as they do; with `--reach` it is kept in a file and read from
there. `--checkout` judges the same mutants by the tests of another checkout of the same package.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import resource
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
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "clue_solver"
SLICE = "--slice=mutants"
"""The deep suite's slice of what is long: always the same."""
INTERPRETED = {"NUMBA_DISABLE_JIT": "1"}
"""What runs the compiled engine line by line, so that its lines can be traced and changed."""
WRAPPING = "-Wignore::RuntimeWarning"
"""What the compiled engine does there on purpose: its whole numbers wrap around."""
SUITES: tuple[tuple[dict[str, str], tuple[str, ...]], ...] = (
    ({}, ()),
    ({}, ("tests/deep", SLICE)),
    (INTERPRETED, ("tests/deep/inference/test_batch.py", SLICE, WRAPPING)),
)
"""The light suite, the deep one, and what of it the compiled engine needs, as pytest is called."""
SECONDS = 60.0
"""How long the tests of one mutant take together; twice that much work ends them."""
PATIENCE = 20 * SECONDS
"""How long a mutant is waited for that neither works nor ends."""

OPERATORS = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot)),
    *((ast.In, ast.NotIn), (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.BitAnd, ast.BitOr)),
    *((ast.LShift, ast.RShift), (ast.Mult, ast.FloorDiv), (ast.Div, ast.Mult)),
)
EXCHANGED: dict[type[ast.AST], type[ast.AST]] = {
    old: new for pair in OPERATORS for old, new in (pair[::-1], pair)
}

Reach = dict[str, dict[int, list[str]]]
"""For each module's path and line the tests that reach it; line 0: any line of its functions."""


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


def places(module: str, source: str) -> Iterator[tuple[str, int, int]]:
    """Yield module, number of the node and number of its change for every mutant of a module."""
    tree = ast.parse(source)
    skipped = _declarations(tree)
    for number, node in enumerate(ast.walk(tree)):
        if node not in skipped and isinstance(node, ast.expr | ast.stmt):
            for change in range(len(_changes(node))):
                yield module, number, change


def mutant(module: str, number: int, change: int) -> Mutant:
    """Return the mutant of one place."""
    source = (ROOT / PACKAGE / module).read_text("utf-8")
    tree = ast.parse(source)
    node = next(node for i, node in enumerate(ast.walk(tree)) if i == number)
    shown = node.test if isinstance(node, ast.If | ast.While) else node
    before = ast.unparse(shown)
    _changes(node)[change]()
    shown = node.test if isinstance(node, ast.If | ast.While) else node
    after = ast.unparse(shown)
    line = node.lineno  # type: ignore[attr-defined]
    text = source.splitlines()[line - 1].strip()
    return Mutant(module, line, text, f"{before}  ->  {after}", ast.unparse(tree))


def drawn(modules: list[str], count: int, seed: int) -> list[Mutant]:
    """Return by lot so many mutants of these modules, each as likely as any other."""
    every = [
        place
        for module in modules
        for place in places(module, (ROOT / PACKAGE / module).read_text("utf-8"))
    ]
    return [mutant(*place) for place in Random(seed).sample(every, min(count, len(every)))]


def _declarations(tree: ast.AST) -> set[ast.AST]:
    """Return what is for the type checker alone, for how a class is made, or a guard of `zip`."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "strict":
            found.update(ast.walk(node))
        if isinstance(node, ast.ClassDef):
            for keyword in node.keywords:
                found.update(ast.walk(keyword))
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            found.update(ast.walk(node))
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
            changed = value + 1 if value < 10 else 2 * value  # a place, or a threshold
            found.append(lambda: setattr(node, "value", changed))
        case ast.Constant(value=float(value)):
            found.append(lambda: setattr(node, "value", 4 * value if value else 1.0))
        case ast.UnaryOp(op=ast.USub()):
            found.append(lambda: setattr(node, "op", ast.UAdd()))
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            found.append(lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), test)))
        case ast.Expr(value=ast.Call()):
            found.append(lambda: setattr(node, "value", ast.Constant(None)))
    return found


class Tracing:
    """What pytest does to say which tests reach which lines, and how long each took."""

    def __init__(self, folder: Path) -> None:
        import coverage

        self._folder = folder
        self._seconds: dict[str, float] = {}
        self._lines = coverage.Coverage(data_file=None, source_pkgs=[PACKAGE])
        self._lines.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self._lines.switch_context(item.nodeid)
        result = yield
        self._lines.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] = self._seconds.get(report.nodeid, 0.0) + report.duration

    def pytest_sessionfinish(self) -> None:
        self._lines.stop()
        data = self._lines.get_data()
        reach: Reach = {}
        for path in data.measured_files():
            by_line = data.contexts_by_lineno(path)
            module = path.rpartition(f"/{PACKAGE}/")[2]
            lines = {line: sorted({*tests} - {""}) for line, tests in by_line.items()}
            lines[0] = sorted({test for tests in lines.values() for test in tests})
            reach[module] = {line: tests for line, tests in lines.items() if tests}
        name = os.environ.get("PYTEST_XDIST_WORKER", "main")
        told = json.dumps([self._seconds, reach])
        (self._folder / f"{name}-{os.getpid()}.json").write_text(told, "utf-8")


class Choosing:
    """What pytest does to run just these tests, in this order."""

    def __init__(self, tests: Path) -> None:
        self._places = {test: place for place, test in enumerate(json.loads(tests.read_text()))}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self._places]
        items.sort(key=lambda item: self._places[item.nodeid])


def pytest_configure(config: pytest.Config) -> None:
    """Take part where pytest was told to load this module."""
    if folder := os.environ.get("MUTANTS_REACH"):
        if not hasattr(config, "workerinput") and config.getoption("numprocesses", None):
            return  # the workers run the tests
        config.pluginmanager.register(Tracing(Path(folder)))
    if tests := os.environ.get("MUTANTS_TESTS"):
        most = int(2 * SECONDS)  # of work, so that a busy machine kills no mutant
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        config.pluginmanager.register(Choosing(Path(tests)))


def _pytest(checkout: Path, *words: str, **environment: str) -> subprocess.Popen[bytes]:
    """Start pytest with this plugin in a checkout, in a group of processes of its own."""
    plugin = str(Path(__file__).resolve().parent)
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "mutants", "-p", "no:cacheprovider", *words],
        cwd=checkout,
        env={
            **os.environ,
            **environment,
            "PYTHONPATH": os.pathsep.join((str(checkout), plugin)),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def reached(checkout: Path, workers: int) -> tuple[dict[str, float], Reach]:
    """Run both suites and return the seconds of each test and which tests reach which lines."""
    seconds: dict[str, float] = {}
    reach: Reach = {}
    with tempfile.TemporaryDirectory() as folder:
        for environment, words in SUITES:
            told = {**environment, "MUTANTS_REACH": folder}
            _pytest(checkout, "-n", str(workers), *words, **told).wait()
        for path in sorted(Path(folder).glob("*.json")):
            took, lines_of = json.loads(path.read_text("utf-8"))
            for test, time in took.items():
                seconds[test] = max(time, seconds.get(test, 0.0))
            for module, lines in lines_of.items():
                for line, tests in lines.items():
                    reach.setdefault(module, {}).setdefault(int(line), []).extend(tests)
    return seconds, reach


def tests_of(each: Mutant, seconds: dict[str, float], reach: Reach) -> list[str]:
    """
    Return the tests that reach a mutant, quick ones first, as many as there is time for.

    A line that runs when its module is loaded is reached by all that reach the module.
    """
    lines = reach.get(each.module, {})
    reaching = lines.get(each.line) or lines.get(0, [])
    tests = sorted(set(reaching), key=lambda test: seconds[test])
    left = SECONDS
    chosen: list[str] = []
    for test in tests:
        left -= seconds[test]
        if left < 0 and chosen:
            break
        chosen.append(test)
    return chosen


def survives(each: Mutant, tests: list[str], checkout: Path) -> bool:
    """Return whether these tests pass on a mutant, in a copy of the checkout of its own."""
    path = checkout / PACKAGE / each.module
    original = path.read_text("utf-8")
    path.write_text(each.source, "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder, "tests.json")
        listed.write_text(json.dumps(tests), "utf-8")
        files = sorted({test.partition("::")[0] for test in tests})
        if any(file.startswith("tests/deep/") for file in files):
            files.append(SLICE)
        environment = {}
        if each.module.startswith("inference/compiled/"):
            environment = INTERPRETED
            files.append(WRAPPING)
        process = _pytest(checkout, "-x", *files, MUTANTS_TESTS=str(listed), **environment)
        try:
            return process.wait(PATIENCE) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            path.write_text(original, "utf-8")


def main() -> None:
    """Draw mutants, run the tests on each and print what became of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("modules", nargs="*", help="paths in the package; none: all")
    parser.add_argument("--mutants", type=int, default=200, help="how many")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--reach", type=Path, help="where the measured reach is kept")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="whose tests judge")
    chosen = parser.parse_args()
    package = ROOT / PACKAGE
    every = sorted(path.relative_to(package).as_posix() for path in package.rglob("*.py"))
    sample = drawn(chosen.modules or every, chosen.mutants, chosen.seed)
    if chosen.reach and chosen.reach.exists():
        seconds, told = json.loads(chosen.reach.read_text("utf-8"))
        reach = {
            module: {int(line): tests for line, tests in lines.items()}
            for module, lines in told.items()
        }
    else:
        seconds, reach = reached(chosen.checkout, chosen.workers)
        if chosen.reach:
            chosen.reach.write_text(json.dumps([seconds, reach]), "utf-8")
    copies: SimpleQueue[Path] = SimpleQueue()

    def judge(each: Mutant) -> bool:
        tests = tests_of(each, seconds, reach)
        checkout = copies.get()
        lives = not tests or survives(each, tests, checkout)
        copies.put(checkout)
        word = "SURVIVED" if lives else "killed"
        by = f"{len(tests)} tests" if tests else "reached by no test"
        print(f"{word:9}{each.module}:{each.line}  {each.change}  ({by})", flush=True)
        print(f"{'':9}in: {each.text}", flush=True)
        return lives

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.workers) as pool:
        ignored = shutil.ignore_patterns(".*", "__pycache__", "dist")
        for number in range(chosen.workers):
            copies.put(shutil.copytree(chosen.checkout, Path(folder, str(number)), ignore=ignored))
        lived = sum(pool.map(judge, sample))
    print(f"{len(sample) - lived} of {len(sample)} killed, {lived} survived")


if __name__ == "__main__":
    main()
