"""
What the program writes as JSON: a schema for each command, made of the answers' own declarations.

The keys are those that `AnswerValue.written` says, their types those of the attributes, and what
they mean is what the class says of them under `Attributes:`, or a property of itself.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from clue_solver.answers.advice import Advice
from clue_solver.answers.corrections import Check
from clue_solver.answers.display import Written
from clue_solver.answers.reasons import Reason
from clue_solver.answers.report import Report
from clue_solver.answers.review import Review
from clue_solver.answers.season import Season
from clue_solver.answers.standings import Standings
from clue_solver.answers.turns import OddTurn
from clue_solver.exchange.imports import Imported
from clue_solver.exchange.merging import Merged

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
BASIC = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "`null`",
}


class Printed(NamedTuple):
    """
    What one command prints.

    Attributes:
        kinds: The classes that have its keys.
        always, at_times: The keys that the command adds: their types, and what they mean.
    """

    kinds: tuple[type, ...]
    always: Mapping[str, tuple[Any, str]] = MappingProxyType({})
    at_times: Mapping[str, tuple[Any, str]] = MappingProxyType({})


_CONFLICT = tuple[int, ...] | None, "The entries that cannot all be true; `null` where they can."
_TURNS = (
    tuple[OddTurn, ...] | None,
    "The entries that do not follow the order of turns; `null` where so many turns are missing "
    "that they are not judged.",
)
_RECORD = str, "The record itself, where it is written to no file."

_OF_RECORDS = {"conflict": _CONFLICT, "turns": _TURNS}

PRINTED = {
    "report": Printed((Report,)),
    "why": Printed((Reason,)),
    "check": Printed((Check,)),
    "advise": Printed((Advice,)),
    "review": Printed((Review,)),
    "season": Printed((Season,)),
    "arena": Printed((Standings,)),
    "import": Printed((Imported,), _OF_RECORDS, {"record": _RECORD}),
    "merge": Printed((Merged,), _OF_RECORDS, {"record": _RECORD}),
}
"""Each command that has `--json`."""


def schema_of(printed: Printed) -> Schema:
    """Return the schema of what one command prints."""
    keys: dict[str, Schema] = {}
    required = [*printed.always]
    for kind in printed.kinds:
        part = _object(kind)
        keys |= part["properties"]
        required += part["required"]
    for key, (hint, meaning) in {**printed.always, **printed.at_times}.items():
        keys[key] = _said(_type(hint), meaning)
    return {
        "$schema": DIALECT,
        "type": "object",
        "properties": keys,
        "required": required,
        "additionalProperties": False,
    }


def _object(kind: type) -> Schema:
    """Return the schema of a class: an object with its keys."""
    hints, described = get_type_hints(kind), meanings(kind)
    how: Written = getattr(kind, "written", Written())
    usual = {field.name: field.default for field in fields(kind)} if _is_struct(kind) else {}
    keys: dict[str, Schema] = {}
    if how.schema:
        keys["schema"] = {"const": how.schema, "description": "The version of this shape."}
    names = how.keys(kind) if _is_struct(kind) else {name: name for name in _fields(kind)}
    for name, key in names.items():
        hint = hints[name] if name in hints else _property(kind, name)
        if name in how.sparse and usual.get(name, ()) is None:  # then it is left out instead
            hint = reduce(or_, (arg for arg in get_args(hint) if arg is not NoneType))
        keys[key] = _said(_type(hint), described.get(name, ""))
    required = ["schema"] if how.schema else []
    required += (key for name, key in names.items() if name not in how.sparse)
    return {
        "type": "object",
        "properties": keys,
        "required": required,
        "additionalProperties": False,
    }


def _is_struct(kind: type) -> bool:
    return issubclass(kind, Struct)


def _fields(kind: type) -> tuple[str, ...]:
    names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined] # a NamedTuple
    return names


def _property(kind: type, name: str) -> Any:
    return get_type_hints(getattr(kind, name).fget)["return"]


def _type(hint: Any) -> Schema:
    """Return the schema of a type."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint in BASIC:
        return {"type": BASIC[hint]}
    if origin is Literal:
        return {"enum": [*inner]}
    if origin in (UnionType, Union):
        parts = [_type(arg) for arg in inner]
        if all({*part} == {"type"} for part in parts):
            return {"type": [part["type"] for part in parts]}
        return {"anyOf": parts}
    if origin is dict:
        return {"type": "object", "additionalProperties": _type(inner[1])}
    if origin is tuple and inner[1:] == (...,):
        return {"type": "array", "items": _type(inner[0])}
    if origin is tuple:
        some = {"minItems": len(inner), "maxItems": len(inner)}
        return {"type": "array", "prefixItems": [_type(arg) for arg in inner], **some}
    return _object(hint)


def _said(schema: Schema, meaning: str) -> Schema:
    return {**schema, "description": meaning} if meaning else schema


def meanings(kind: type) -> dict[str, str]:
    """Return what a class says of its attributes, and each of its properties of itself."""
    text = inspect.cleandoc(kind.__doc__ or "")
    part = text.partition("\nAttributes:\n")[2]
    described: dict[str, str] = {}
    for names, meaning in re.findall(
        r"^    (\w[\w, ]*): (.*(?:\n        .*)*)", part, re.MULTILINE
    ):
        for name in names.split(", "):
            described[name] = " ".join(meaning.split())
    for name, value in vars(kind).items():
        if isinstance(value, property):
            described[name] = " ".join(
                inspect.cleandoc(value.__doc__ or "").split("\n\n")[0].split()
            )
    return {name: re.sub("`None`", "`null`", meaning) for name, meaning in described.items()}


class Key(NamedTuple):
    """A key of an object: the way to it, its type and what it means, in words."""

    path: str
    type: str
    meaning: str


def keys_of(schema: Schema, *, all_of_them: bool = False) -> Iterator[Key]:
    """
    Yield the keys of a schema and of what is in it, outermost first.

    The way to a key has `[]` for what is in a list. Where an object has a schema version of its
    own, its keys are told elsewhere; so are those of an object seen before, unless all are asked.
    """
    yield from _keys(schema, "", [], all_of_them)


def _keys(
    schema: Schema, at: str, seen: list[tuple[Schema, str]], all_of_them: bool
) -> Iterator[Key]:
    always = schema["properties"] if "else" in schema else schema["required"]
    for key, part in schema["properties"].items():
        path = f"{at}.{key}".lstrip(".")
        inner, way = _inside(part, path)
        where = next((place for known, place in seen if known == inner and not all_of_them), None)
        meaning = part.get("description", "")
        if inner is not None and where is not None:
            meaning += f" Its keys are those of `{where}`."
        left_out = "" if key in always else ", or left out"
        yield Key(path, f"{_in_words(part)}{left_out}", meaning)
        if inner is None or where is not None:
            continue
        if "schema" in inner["properties"] and not all_of_them:
            continue
        seen.append((inner, way))
        yield from _keys(inner, way, seen, all_of_them)


def rows(name: str) -> str:
    """Return the keys of what a command prints as a table; neighbours alike share a row."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for path, kind, meaning in keys_of(schema_of(PRINTED[name])):
        alike = (path.rpartition(".")[0], kind, meaning)
        grouped.setdefault(alike, []).append(f"`{path}`")
    lines = [
        f"| {', '.join(paths)} | {kind} | {meaning} |"
        for (_, kind, meaning), paths in grouped.items()
    ]
    link = f'The same as a JSON Schema: <a href="schemas/{name}.json">{name}.json</a>.'
    return "\n".join(("| key | type | meaning |", "|---|---|---|", *lines, "", link))


def _inside(schema: Schema, path: str) -> tuple[Schema | None, str]:
    """Return the object in a value, and the way to it; `None` if there is none."""
    if "properties" in schema:
        return {key: part for key, part in schema.items() if key != "description"}, path
    if "items" in schema:
        return _inside(schema["items"], f"{path}[]")
    for part in schema.get("anyOf", ()):
        if (inside := _inside(part, path))[0] is not None:
            return inside
    return None, path


def _in_words(schema: Schema) -> str:
    """Return a type in words."""
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(map(_in_words, schema["anyOf"]))
    kind = schema["type"]
    if isinstance(kind, list):
        return " or ".join(WORDS[name] for name in kind)
    if "prefixItems" in schema:
        return f"{len(schema['prefixItems'])} {_in_words(schema['prefixItems'][0])}s"
    if kind == "array":
        return f"list of {_plural(_in_words(schema['items']))}"
    if kind == "object":
        of = schema["additionalProperties"]
        return "object" if not of else f"{_in_words(of)} by name"
    return WORDS[kind]


def _plural(words: str) -> str:
    return {"text": "texts", "object": "objects", "whole number": "whole numbers"}.get(words, words)
