"""
Every sentence that a user can see, with its place, to be read aloud.

    python -m docs.sentences [WORD ...]

Sentences of the code, with `{...}` for what is filled in; then those of the pages. With words, only
the sentences that have one of them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[1] / "clue_solver"
_WORDS = re.compile(r"[A-Za-z{][\w'}-]*[,;:]? [\w{'(]")
"""Two words beside each other: what has none is a key, a mark or a name."""
_SAID_IN_TAGS = ("title", "placeholder", "aria-label", "alt")


class Sentence(NamedTuple):
    """
    What a user can see.

    Attributes:
        path: The file that has it.
        line: Its line there, from 1.
        text: What is seen, with `{...}` for what is filled in.
    """

    path: str
    line: int
    text: str


def sentences() -> Iterator[Sentence]:
    """Yield every sentence, by files and lines."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield from _of_code(path)
    for path in sorted(PACKAGE.rglob("*.html")):
        yield from _of_page(path)


def _of_code(path: Path) -> Iterator[Sentence]:
    tree = ast.parse(path.read_text("utf-8"))
    unseen: set[ast.AST] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and not _commands(node):  # a command's docstring is its help
            for statement in body:
                if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                    unseen.add(statement.value)
        if isinstance(node, ast.JoinedStr):
            unseen.update(part for part in node.values if isinstance(part, ast.Constant))
        for name in ("annotation", "returns"):
            if isinstance(note := getattr(node, name, None), ast.AST):
                unseen.update(ast.walk(note))
    sentences: list[Sentence] = []
    for node in ast.walk(tree):
        if node in unseen:
            continue
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(_part(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        text = " ".join(text.split())
        if _WORDS.search(text):
            line = getattr(node, "lineno", 0)
            sentences.append(Sentence(_named(path), line, text))
    yield from sorted(sentences)


def _part(part: ast.expr) -> str:
    """Return a piece of a formatted string: what stands there, or what is filled in."""
    if isinstance(part, ast.Constant):
        return str(part.value)
    if isinstance(part, ast.FormattedValue):
        return f"{{{ast.unparse(part.value)}}}"
    return ""


def _commands(node: ast.AST) -> bool:
    """Whether a function is a command, whose docstring is its help."""
    decorators = getattr(node, "decorator_list", ())
    return any(
        "command(" in ast.unparse(decorator) or "group(" in ast.unparse(decorator)
        for decorator in decorators
    )


class _Seen(HTMLParser):
    """What of a page's template is seen or read aloud."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.found: list[Sentence] = []
        self._hidden = 0
        template = re.sub(r"{#.*?#}|{%.*?%}", _blank, path.read_text("utf-8"), flags=re.DOTALL)
        self.feed(template)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self._hidden += 1
        for name, value in attrs:
            if name in _SAID_IN_TAGS and value:
                self._add(value)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._add(data)

    def _add(self, text: str) -> None:
        text = " ".join(text.split())
        if _WORDS.search(text):
            self.found.append(Sentence(_named(self.path), self.getpos()[0], text))


def _of_page(path: Path) -> list[Sentence]:
    return _Seen(path).found


def _blank(match: re.Match[str]) -> str:
    """Return as many lines as there were."""
    return "\n" * match[0].count("\n")


def _named(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


if __name__ == "__main__":
    for sentence in sentences():
        if len(sys.argv) == 1 or any(word in sentence.text for word in sys.argv[1:]):
            print(f"{sentence.path}:{sentence.line}  {sentence.text}")
