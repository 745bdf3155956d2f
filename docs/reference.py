"""
The parts of the reference that the program knows already, written into its pages.

    python -m docs.reference          # writes them anew
    python -m docs.reference --check  # says which pages are not what the program says, exits 1

A part stands between `<!-- part: NAME -->` and `<!-- end -->`, with a word behind the name where
there are many, as `<!-- part: json report -->`.
"""

from __future__ import annotations

import inspect
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import click
from msgspec import Struct

import clue_solver
from clue_solver.answers.display import AnswerValue, Written
from clue_solver.faces.cli import main as program
from clue_solver.rules.edition_files import load_edition, shipped_editions

ROOT = Path(__file__).resolve().parents[1]
PART = re.compile(r"(<!-- part: (\w+)(?: (\w+))? -->\n).*?(<!-- end -->)", re.DOTALL)

TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
"""What a type is called in JSON."""

ANSWERS = {
    "report": "answers.report.Report",
    "why": "answers.reasons.Reason",
    "check": "answers.corrections.Check",
    "advise": "answers.advice.Advice",
    "review": "answers.review.Review",
    "season": "answers.season.Season",
    "arena": "answers.standings.Standings",
    "import": "exchange.imports.Imported",
    "merge": "exchange.merging.Merged",
}
"""The class of what each command prints with `--json`."""

ELSEWHERE = {
    "Edition": "[those of its file](../own-deck.md#everything-else)",
    "Table": "[those of a header](notation.md#the-header)",
} | {path.rpartition(".")[2]: f"[these keys](json.md#{name})" for name, path in ANSWERS.items()}
"""Where the attributes of a public class are described."""


def commands() -> str:
    """Return the options that several commands have, and a section for each command."""
    options = {name: records(made) for name, made in program.commands.items()}
    count = Counter(record for own in options.values() for record in own)
    shared = [record for record, commands in count.items() if commands > 1]
    sections = [f"### Options of several commands\n\n{option_list(shared)}"]
    for name, own in options.items():
        made = program.commands[name]
        usage = " ".join(made.collect_usage_pieces(click.Context(made)))
        sections.append(f"### `clue-solver {name}{usage.replace('[OPTIONS]', '')}`")
        sections.append(first_sentence(made.callback))
        if alone := [record for record in own if record not in shared]:
            sections.append(option_list(alone))
        if also := [re.findall(r"--\S+", record[0])[0] for record in own if record in shared]:
            sections.append(f"Also {listed(also)}.")
    return "\n\n".join(sections)


def records(made: click.Command) -> list[tuple[str, str]]:
    """Return each option of a command with its help."""
    options = [each for each in made.params if isinstance(each, click.Option)]
    told = [each.get_help_record(click.Context(made)) for each in options if each.name != "help"]
    return [record for record in told if record is not None]


def option_list(options: Iterable[tuple[str, str]]) -> str:
    """Return a list of options, each with its help."""
    return "\n".join(f"- `{option}`: {text}" for option, text in options)


def editions() -> str:
    """Return a section for each shipped edition: what is special about it, its cards, its rules."""
    told = tomllib.loads((ROOT / "tests" / "rules" / "boxes.toml").read_text("utf-8"))
    boxes = {name: box for box in told["box"] for name in box["editions"]}
    cards: dict[str, str] = {}
    sections = []
    for name in shipped_editions():
        shipped, box = load_edition(name), boxes.get(name)
        sections.append(f"## {shipped.title}: `{name}`\n\n{shipped.note}\n")
        for kind in shipped.category:
            deck = ", ".join(card.name for card in kind.cards)
            first = cards.setdefault(deck, name)
            told_cards = deck if first == name else f"as in `{first}`"
            sections.append(f"- {kind.plural or kind.name}: {told_cards}")
        if box is None:
            sections.append("- players: {} to {}".format(*shipped.players))
        elif box["editions"][0] == name:
            sections += box_rules(box["rules"])
        else:
            sections.append(f"- rules: as in `{box['editions'][0]}`")
        sections.append("")
    return "\n".join(sections).rstrip()


def box_rules(rules: dict[str, list[str]]) -> Iterator[str]:
    """Yield the rules of a box, each with what is not supported, or only in part."""
    for code, (rule, *cells) in rules.items():
        limits = dict.fromkeys(cell.partition(": ")[2] for cell in cells)
        told = (f" *{limit[0].upper()}{limit[1:]}.*" for limit in limits if limit)
        yield f"- {code}. {rule}{''.join(told)}"


def json(name: str) -> str:
    """Return the keys of what a command prints; those that mean the same share a line."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    known: dict[type, str] = {}
    for each in ANSWERS:
        found = [*keys(answer(each), "", known, each)]
        if each == name:
            for path, kind, meaning in found[1:]:
                inside, _, key = path.rpartition(".")
                told = kind == "string" or all(choice in meaning for choice in kind.split(", "))
                types = "" if told else f" ({kind})"
                rows.setdefault((inside, types, meaning), []).append(key)
    return "\n".join(
        f"{'  ' * (inside.count('.') + bool(inside))}- {listed(names)}{types}: {meaning}"
        for (inside, types, meaning), names in rows.items()
    ).replace("`None`", "`null`")


def answer(name: str) -> type:
    """Return the class of what a command prints."""
    kind: type = found(ANSWERS[name])
    return kind


def keys(
    kind: type, at: str, known: dict[type, str], command: str
) -> Iterator[tuple[str, str, str]]:
    """
    Yield the keys of a class and of what is in it: path, type, meaning; `[]` is a list's.

    Args:
        kind: The class.
        at: The path of its object, with the dot behind it.
        known: Where each class that was described stands; those that are met now are put in.
        command: The command that prints it.
    """
    how: Written = getattr(kind, "written", Written())
    meanings, hints = described(kind), get_type_hints(kind)
    known[kind] = f"{command} {at}".rstrip(". ")
    if how.schema and not at:
        yield f"{at}schema", str(how.schema), "The version of this format."
    names = how.keys(kind) if issubclass(kind, Struct) else {each: each for each in hints}
    for name, key in names.items():
        hint = hints[name] if name in hints else returned(getattr(kind, name))
        inside = parts(hint)
        alike = "".join(f", as `{known[each]}`" for each in inside if each in known)
        yield f"{at}{key}", f"{type_words(hint)}{alike}", meanings.get(name, "")
        for each in inside:
            if each not in known:
                lists = "[]" * ("[]" in type_words(hint))
                yield from keys(each, f"{at}{key}{lists}.", known, command)


def returned(member: property) -> Any:
    """Return the type of a property."""
    return get_type_hints(member.fget)["return"]


def parts(hint: Any) -> list[type]:
    """Return the classes with keys of their own in a type."""
    if inspect.isclass(hint) and (issubclass(hint, Struct) or hasattr(hint, "_fields")):
        return [hint]
    return [each for inner in get_args(hint) for each in parts(inner)]


def type_words(hint: Any) -> str:
    """Return a type in words."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint in TYPES:
        return TYPES[hint]
    if origin is Literal:
        return listed(inner)
    if origin in (UnionType, Union):
        return " or ".join(type_words(each) for each in inner)
    if origin is dict:
        return f"{type_words(inner[1])} by name"
    if origin is tuple:
        return f"{type_words(inner[0])}[]"
    return "object"


def described(kind: type) -> dict[str, str]:
    """Return what a class says of its attributes, and each property of itself."""
    text = inspect.cleandoc(kind.__doc__ or "").partition("\nAttributes:\n")[2].partition("\n\n")[0]
    base = kind.__base__
    told = described(base) if base is not None and issubclass(base, AnswerValue) else {}
    for names, meaning in re.findall(r"^    (\w[\w, ]*): (.*(?:\n {8}.*)*)", text, re.MULTILINE):
        told |= dict.fromkeys(names.split(", "), " ".join(meaning.split()))
    for name, member in vars(kind).items():
        if isinstance(member, property) and not name.startswith("_"):
            told[name] = first_sentence(member)
    return told


def python() -> str:
    """Return each public name: how it is called, what it is, what it has."""
    return "\n\n".join("\n\n".join(public(name)) for name in sorted(clue_solver.__all__))


def public(name: str) -> Iterator[str]:
    """Yield what is said of a public name."""
    value = getattr(clue_solver, name)
    made_here = inspect.isclass(value) and issubclass(value, AnswerValue)
    is_told = made_here or name in ELSEWHERE or issubclass_of(value, Exception)
    called = "" if is_told or inspect.ismodule(value) else short_signature(value)
    yield f"## `{name}{called}`"
    yield first_sentence(value)
    if inspect.isclass(value):
        told = described(value)
        if elsewhere := ELSEWHERE.get(name):
            yield f"Its attributes are {elsewhere}."
            told = {} if made_here else told
            for field in getattr(value, "__struct_fields__", ()):
                told.pop(field, None)
        for member, made in vars(value).items():
            if inspect.isfunction(made) and not member.startswith("_"):
                told[f"{member}{short_signature(made)}"] = first_sentence(made)
        if told and (made_here or name in ("Game", "Games")):
            yield "\n".join(f"- `{each}`: {meaning}" for each, meaning in told.items())
        elif told:
            also = "also " * (name in ELSEWHERE)
            yield f"It {also}has {listed(each.partition('(')[0] for each in told)}."


def issubclass_of(value: Any, kind: type) -> bool:
    """Whether a value is a class below another one."""
    return inspect.isclass(value) and issubclass(value, kind)


def short_signature(value: Any) -> str:
    """Return the names of the arguments; those that may be left out with what they are then."""
    told = []
    for name, each in inspect.signature(value).parameters.items():
        if name != "self":
            told.append(name if each.default is each.empty else f"{name}={each.default!r}")
    return f"({', '.join(told)})"


def first_sentence(value: Any) -> str:
    """Return the first paragraph of a documentation in one line."""
    return " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())


def found(name: str) -> Any:
    """Return a class by its module below the package and its name."""
    module, _, last = name.rpartition(".")
    return getattr(import_module(f"clue_solver.{module}"), last)


def listed(texts: Iterable[Any]) -> str:
    """Return texts as code, with commas."""
    return ", ".join(f"`{each}`" for each in texts)


PARTS: dict[str, Callable[..., str]] = {
    each.__name__: each for each in (commands, editions, json, python)
}


def written(text: str) -> str:
    """Return a page with its parts as the program has them."""
    return PART.sub(lambda mark: f"{mark[1]}\n{made(mark[2], mark[3])}\n\n{mark[4]}", text)


def made(name: str, word: str | None) -> str:
    """Return a part."""
    return PARTS[name](*filter(None, [word]))


def main() -> None:
    """Write the parts, or check them."""
    stale = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text("utf-8")
        if written(text) != text:
            stale.append(page)
    if "--check" in sys.argv[1:]:
        sys.exit("\n".join(f"{each} is not what the program says" for each in stale) or 0)
    for page in stale:
        page.write_text(written(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
