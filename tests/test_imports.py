"""No module imports in a circle, inside functions neither; `lint-imports` has the layers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import clue_solver

ROOT = Path(clue_solver.__file__).parent


@cache
def trees() -> dict[str, ast.Module]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = (ROOT.name, *path.relative_to(ROOT).with_suffix("").parts)
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text("utf-8"))
    return found


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node of a tree, but where types are checked only."""
    if isinstance(tree, ast.If) and "TYPE_CHECKING" in ast.unparse(tree.test):
        return
    yield tree
    for inner in ast.iter_child_nodes(tree):
        yield from nodes(inner)


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules of the package that a module imports anywhere."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in trees())
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative import"
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            found = {name if name in trees() else str(node.module) for name in names}
            yield from found & {*trees()}


def circles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The strongly connected sets of more than one module."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            more = graph[ahead.pop()] - seen
            seen |= more
            ahead += more
        return seen

    reach = {name: reached(name) for name in graph}
    sets = (frozenset(other for other in reach[name] if name in reach[other]) for name in graph)
    return {each for each in sets if each}


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}
    assert circles(graph) == {frozenset("bc")}


def test_no_module_imports_in_a_circle() -> None:
    graph = {name: {*imported(tree)} for name, tree in trees().items()}
    assert sum(map(len, graph.values())) > len(graph)
    assert circles(graph) == set()


def test_the_page_of_modules_names_every_one() -> None:
    page = (ROOT.parent / "docs" / "project" / "modules.md").read_text("utf-8")
    named = {*re.findall(r"`(?:\w+/)*(\w+)(?:\.py)?`", page)}
    modules = {path.stem for path in ROOT.rglob("*.py") if not path.stem.startswith("__")}
    assert set() == modules - named


def test_modules_are_loaded_by_a_name_made_up_in_two_places_alone() -> None:
    files = [ROOT / "__init__.py", ROOT / "answers" / "display.py"]
    loading = [path for path in ROOT.rglob("*.py") if "import_module(f" in path.read_text("utf-8")]
    assert sorted(loading) == files
