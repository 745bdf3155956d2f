"""
What the site says that the program says already: made from its data whenever the site is built.

A page asks for a part in a line of its own, `<!-- generated: notation -->`, with a word more where
the part has many, `<!-- generated: json report -->`; the parts are the functions named in `PARTS`,
each of which returns Markdown.
"""

from __future__ import annotations

import inspect
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import clue_solver
from clue_solver.answers.display import AnswerValue
from clue_solver.errors import NotationError
from clue_solver.notation import parse_line
from clue_solver.notation.vocabulary import WORDS
from clue_solver.record import Record, to_jsonl
from clue_solver.rules.edition import Edition, load_edition, shipped_editions
from clue_solver.rules.observations import Event, Knowing, Suggestion, kinds
from clue_solver.rules.table import Slot, Table
from clue_solver.views.editions import rules_of
from docs import notebooks, schemas

ROOT = Path(__file__).resolve().parents[1]
WHOLE = {
    "contributing": "CONTRIBUTING.md",
    "changelog": "CHANGELOG.md",
}
"""Files outside the site that are pages of it."""
BOXES = "tests/rules/boxes.toml"
"""The rules of the boxes, each of which a transcript proves."""
PAGES = {
    "README.md": "docs/index.md",
    "CONTRIBUTING.md": "docs/project/contributing.md",
    "CHANGELOG.md": "docs/project/changelog.md",
    **{f"examples/{name}.ipynb": f"docs/analyses/{name}.md" for name in notebooks.NAMES},
}
MARK = re.compile(r"^<!-- generated: (\w+)(?: ([\w.]+))? -->$", re.MULTILINE)
SEATS = ("Ann", "Ben", "Cat", "Dan")
TURNS = {
    "ends": "It ends her turn.",
    "within": "It happens in her turn, which goes on.",
    "": "It can stand anywhere.",
}


def fill(name: str, source: list[str]) -> None:
    """Put the generated parts where the page of that name asks for them; `source` has its text."""
    source[0] = filled(source[0], f"docs/{name}.md")


def filled(text: str, page: str) -> str:
    """Return a page with its generated parts, and links to files elsewhere that lead to pages."""
    text = relinked(text, page, page)

    def part(mark: re.Match[str]) -> str:
        made = PARTS[mark[1]](*filter(None, [mark[2]]))
        written = f"examples/{mark[2]}.ipynb" if mark[1] == "notebook" else page
        return relinked(made, WHOLE.get(mark[1], written), page)

    return MARK.sub(part, text)


def relinked(text: str, written: str, page: str) -> str:
    """Return a text of one file for another page: its links lead where they led, or to `PAGES`."""

    def moved(link: re.Match[str]) -> str:
        target, anchor = link[1], link[2] or ""
        whole = posixpath.normpath(posixpath.join(posixpath.dirname(written), target))
        whole = PAGES.get(whole, whole)
        return f"]({posixpath.relpath(whole, posixpath.dirname(page))}{anchor})"

    return re.sub(r"\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)", moved, text)


def notation() -> str:
    """Return a section for each kind of line, as the grammar reads it."""
    return "\n\n".join("\n\n".join(_kind(kind)) for kind in kinds())


def example(kind: type[Event]) -> tuple[str, Table, Event]:
    """Return the line that the documentation of a kind shows, a table that it fits, its meaning."""
    rooms = Table(
        edition=load_edition("clue-2015"), seats=("Ann", "Ben"), slots=(Slot(name="Hall"),)
    )
    diced, classic = (
        Table(edition=load_edition(name), seats=SEATS) for name in ("clue-diced", "clue-classic")
    )
    for line in re.findall(r"`([^`]+)`", kind.__doc__ or ""):
        for table in (classic, diced, rooms):
            with suppress(NotationError):
                event = parse_line(line, table)
                if isinstance(event, kind):
                    return line, table, event
    raise LookupError(f"the documentation of {kind.__name__} shows no line of it")


def _kind(kind: type[Event]) -> Iterator[str]:
    form, sight = kind.form, kind.sight
    line, table, event = example(kind)
    yield f"### {kind.__name__}"
    yield f"```clue\n{line}\n```"
    yield inspect.cleandoc(kind.__doc__ or "").partition("\n\n>>> ")[0]
    said = [TURNS[kind.turn] if form.subject else TURNS[""]]
    if sight.owner:
        said.append("Only that seat notices it.")
    elif sight.hidden:
        seen_by = " and ".join(f"`{name}`" for name in sight.by)
        what = "the card of each answer" if sight.hidden == "answers" else f"`{sight.hidden}`"
        also = f", and `{sight.told}` where the edition says so" if sight.told else ""
        whom = f"{seen_by} and whoever shows" if sight.hidden == "answers" else seen_by
        said.append(f"Everybody notices it; {what} is seen by {whom}{also}.")
    else:
        said.append("Everybody sees all of it.")
    if kind is Suggestion:
        said.append(f"`{form.verb}` may be left out, and so may who does it, on her turn.")
    if kind is Knowing:
        said.append("On the viewer's line the subject and the verb may be left out.")
    yield " ".join(said)
    observed = to_jsonl(Record(table=table).append(event)).splitlines()[-1]  # type: ignore[arg-type]
    yield f"In JSON Lines:\n\n```json\n{observed}\n```"


def words() -> str:
    """Return the words that are read for others."""
    rows = (
        ("tell nothing", "filler"),
        ("a player suggests", "suggests"),
        ("a player passes", "passes"),
        ("the same, of several players, too", "passed"),
        ("`no` and the like", "denies"),
        ("has nothing", "none"),
        ("a player shows", "shows"),
        ("nobody shows", "nobody"),
        ("everybody", "all"),
    )
    read = ((what, _listed(WORDS[role])) for what, role in rows)
    return _table(("meaning", "words"), read)


def editions() -> str:
    """Return a section for each shipped edition: its deck with other names, and its rules."""
    return "\n\n".join("\n\n".join(_edition(load_edition(name))) for name in shipped_editions())


def _edition(edition: Edition) -> Iterator[str]:
    yield f"## {edition.title}\n\n`edition: {edition.name}`"
    if edition.note:
        yield edition.note
    rows = []
    for kind in edition.category:
        for card in kind.cards:
            others = [name for name in (card.title, *card.aliases) if name and name != card.name]
            rows.append((kind.plural or kind.name, card.name, ", ".join(others)))
    yield _table(("category", "card", "also read as"), rows)
    yield "\n".join(f"- {rule}" for rule in rules_of(edition))


def boxes() -> str:
    """Return a table for each box: its rules, and where each of them is known."""
    told = tomllib.loads(whole(BOXES))
    return "\n\n".join("\n\n".join(_box(box, told["columns"])) for box in told["box"])


def _box(box: dict[str, Any], columns: list[str]) -> Iterator[str]:
    rows, reasons = [], dict[tuple[str, str], list[str]]()
    for code, (rule, *cells) in box["rules"].items():
        words = [cell.split(": ", maxsplit=1) for cell in cells]
        rows.append((code, rule, *(word for word, *_ in words)))
        for column, (word, *why) in zip(columns, words, strict=True):
            if why:
                reasons.setdefault((f"{code}, {word}", *why), []).append(column)
    yield f"## {box['title']}\n\n{_listed(f'edition: {name}' for name in box['editions'])}"
    yield _table(("code", "rule", *columns), rows)
    if reasons:
        told = (f"- {code} in {', '.join(where)}: {why}." for (code, why), where in reasons.items())
        yield "\n".join(told)


def languages() -> str:
    """Return what a sheet in each language calls the cards, a row for each card."""
    shipped = [load_edition(name) for name in shipped_editions()]
    known = sorted({language for edition in shipped for language in edition.languages})
    cards: dict[str, dict[str, str]] = {}
    for edition in shipped:
        for language, names in edition.languages.items():
            for card, called in names.items():
                cards.setdefault(card, {})[language] = called[0]
    rows = (
        (card, *(names.get(language, "") for language in known)) for card, names in cards.items()
    )
    return _table(("card", *(f"`names: {language}`" for language in known)), rows)


SUBJECTS = {
    "games": ("game.game", "game.games", "record", "rules.table", "rules.edition"),
    "answers": ("answers.report", "answers.reasons", "answers.corrections", "answers.turns"),
    "advice": ("answers.advice",),
    "afterwards": ("answers.review", "answers.season"),
    "observations": ("rules.observations", "rules.play"),
    "logging": ("conversation.session",),
    "arena": ("arena.tournament", "arena.players", "arena.view", "answers.standings"),
    "notes": ("exchange.imports", "exchange.export", "exchange.merging", "exchange.mapping"),
    "errors": ("errors",),
}
"""The parts of the Python interface, each with the modules whose names stand there."""


def public(subject: str) -> Iterator[str]:
    """Yield each name of a subject: what is imported from it, then the values met on the way."""
    for module in SUBJECTS[subject]:
        loaded = import_module(f"clue_solver.{module}")
        names = clue_solver._HOMES.get(module, "").split()
        yield from (f"clue_solver.{name}" for name in names if hasattr(loaded, name))
        for name, value in vars(loaded).items():
            own = inspect.isclass(value) and value.__module__ == loaded.__name__
            if own and name not in names and not name.startswith("_"):
                yield f"{loaded.__name__}.{name}"


def api(subject: str) -> str:
    """Return the documentation of the names of a subject."""
    parts = ["```{eval-rst}"]
    for called in public(subject):
        module, _, name = called.rpartition(".")
        value = getattr(import_module(module), name)
        if inspect.isclass(value):
            parts += [f".. autoclass:: {called}", "   :members:", f"   :inherited-members: {OWN}"]
            parts += ["   :show-inheritance:"] * issubclass(value, Exception)
        else:
            parts.append(f".. autofunction:: {called}")
        parts.append("")
    return "\n".join((*parts, "```"))


OWN = "AnswerValue, Struct, Exception, tuple"
"""Classes whose members are no members of what is derived from them."""


def is_made(value: Any) -> bool:
    """Whether the program alone makes values of a class: answers, and rows of them."""
    return inspect.isclass(value) and (issubclass(value, AnswerValue) or hasattr(value, "_fields"))


def met(value: Any) -> list[str]:
    """Return what the site adds to such a class: where values of it are found."""
    if not is_made(value):
        return []
    given = [
        f":py:obj:`{name} <clue_solver.{name.split('.')[0]}>`"
        for name, kinds in found_in()
        if re.search(rf"\b{value.__name__}\b", kinds) and not name.startswith(f"{value.__name__}.")
    ]
    return ["", f"Found in {', '.join(given)}.", ""] if given else []


@cache
def found_in() -> tuple[tuple[str, str], ...]:
    """Return the fields of public classes, what they and functions return, each with its type."""
    found = []
    for name in clue_solver.__all__:
        value = getattr(clue_solver, name)
        if inspect.isfunction(value):
            found.append((name, str(value.__annotations__.get("return"))))
        elif inspect.isclass(value):
            found += ((f"{name}.{each}", str(kind)) for each, kind in _types(value))
    return tuple(found)


def _types(value: type) -> Iterator[tuple[str, Any]]:
    yield from vars(value).get("__annotations__", {}).items()
    for name, member in vars(value).items():
        told = getattr(getattr(member, "fget", member), "__annotations__", {})
        if not name.startswith("_") and "return" in told:
            yield name, told["return"]


def whole(path: str) -> str:
    """Return the text of a file of the project."""
    return (ROOT / path).read_text("utf-8")


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


PARTS: dict[str, Callable[..., str]] = {
    "notation": notation,
    "words": words,
    "editions": editions,
    "boxes": boxes,
    "languages": languages,
    "api": api,
    "json": schemas.rows,
    "notebook": notebooks.page,
    **{name: partial(whole, path) for name, path in WHOLE.items()},
}
