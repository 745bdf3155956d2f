"""No module imports in a circle, imports inside functions included; names and modules are few."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import clue_solver

ROOT = Path(clue_solver.__file__).parent
CIRCLES: frozenset[frozenset[str]] = frozenset()
"""Circles that are known and have to go; this may only become shorter."""


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = (ROOT.name, *path.relative_to(ROOT).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path, known: set[str]) -> Iterator[str]:
    """The modules of the package that a file imports anywhere, but where types are checked only."""
    tree = ast.parse(path.read_text("utf-8"))
    typing = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in known else str(node.module) for name in names]
        else:
            continue
        yield from (name for name in names if name in known)


def circles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The strongly connected sets of more than one module."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            for name in graph[ahead.pop()] - seen:
                seen.add(name)
                ahead.append(name)
        return seen

    reach = {name: reached(name) for name in graph}
    sets = (frozenset(other for other in reach[name] if name in reach[other]) for name in graph)
    return {each for each in sets if each}


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}
    assert {frozenset("bc")} == circles(graph)


def test_no_module_imports_in_a_circle() -> None:
    known = modules()
    graph = {name: set(imported(path, set(known))) for name, path in known.items()}
    assert sum(map(len, graph.values())) > len(graph)
    assert set(CIRCLES) == circles(graph)


def test_modules_are_loaded_by_a_name_made_up_in_two_places_alone() -> None:
    loading = {path for path in modules().values() if "import_module(f" in path.read_text("utf-8")}
    assert {ROOT / "__init__.py", ROOT / "answers" / "display.py"} == loading


def test_a_class_name_stands_once_in_the_package() -> None:
    homes: dict[str, list[str]] = {}
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(name)
    assert len(homes) > 100
    assert not {name: found for name, found in homes.items() if len(found) > 1}


def test_packages_keep_their_code_in_named_modules() -> None:
    opened = list(ROOT.glob("*/**/__init__.py"))
    assert opened
    for path in opened:
        body = ast.parse(path.read_text("utf-8")).body
        assert not [each for each in body if isinstance(each, ast.ClassDef | ast.FunctionDef)], path


def test_the_layers_are_few_and_imports_a_small_part_of_the_code() -> None:
    """
    A new module or layer replaces one, or these numbers change with reasons.

    Three were added for the game as it is played: `rules/board`, `rules/turns`, `rules/play`; two
    for answers that nothing gave before: `answers/oddities` and `answers/habits`; one for what may
    be done in a turn, which advice goes by: `answers/own_turn`; three for notes from elsewhere:
    `exchange/sheets` (workbooks), `arranging` (other layouts), `programs` (others' logs). The
    arena is a package of ten modules, with `faces/contests` and `practising` to open it, one more
    to practise on the full screen, which `practising` knows nothing of, and `workers`, by which it
    and batches of reviews use many processes or machines; eight are the page of a phone:
    `faces/asking`, which it shares with the full screen, and `faces/web`; three for what a review
    did not tell: `answers/unrecorded`, `answers/season` and `answers/walkthrough`; four for the
    chance to win: `inference/notebooks` and `inference/rollouts` play games on, `answers/winning`
    asks them, and `arena/advised` plays by it.
    """
    aside = {"__main__.py", "py.typed", "__pycache__"}
    assert len([path for path in ROOT.iterdir() if path.name not in aside]) <= 19
    assert len(modules()) <= 118
    imports = code = 0
    for path in modules().values():
        text = path.read_text("utf-8")
        nodes = list(ast.walk(ast.parse(text)))
        lines = lines_of(text) - lines_of_documentation(nodes)
        imported = {
            line
            for node in nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        imports += len(lines & imported)
        code += len(lines - imported)
    assert imports <= 0.07 * code


def lines_of(text: str) -> set[int]:
    """The lines with code in them, comments and blank lines aside."""
    aside = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    return {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in aside
        for line in range(token.start[0], token.end[0] + 1)
    }


def lines_of_documentation(nodes: list[ast.AST]) -> set[int]:
    """The lines of texts that stand alone: docstrings and what documents an attribute."""
    return {
        line
        for node in nodes
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
