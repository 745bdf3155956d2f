"""
Arguments of public calls and fields of public values, held against their annotations: the one place
where a wrong type becomes an `ArgumentError` that says what was expected and what was found.

A class or a function says `@checked`; a struct derives from `CheckedValue`. Numbers of
numpy are numbers, a path is whatever has one, and a list will do for a tuple.
"""

from __future__ import annotations

import inspect
import os
import sys
import types
from collections import abc
from collections.abc import Callable, Sequence
from functools import cache, partial, wraps
from numbers import Integral, Real
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NoReturn, TypeVar, Union, cast, get_args
from typing import get_origin as origin_of

from msgspec import Struct, StructMeta
from msgspec.structs import astuple, fields, force_setattr

from clue_solver.errors import ArgumentError, listed, printable

T = TypeVar("T")


class AtLeast(NamedTuple):
    """The least that a whole number may be; stands in an `Annotated`."""

    number: int


Seed = Annotated[int, AtLeast(0)]
"""What random deals begin from."""

Number = Seed
"""How many there are of something; there may be none."""

Count = Annotated[int, AtLeast(1)]
"""How many there are of something that has to be."""

_KINDS: dict[Any, tuple[Any, str]] = {
    str: (str, "a text"),
    bool: ((bool, Integral), "true or false"),
    int: ((int, Integral), "a whole number"),  # the usual class first: abstract ones take longer
    float: ((float, int, Real), "a number"),
    Path: (os.PathLike, "a path"),
}
"""What is taken for a type, and what it is called."""


def checked(what: T) -> T:
    """
    Return a function that checks its arguments, or a class whose public methods do.

    A named tuple is checked as it is made, too, unless by `_make` or `_replace`.
    """
    if not isinstance(what, type):
        return cast(T, _checked(cast(Callable[..., Any], what)))
    if issubclass(what, tuple):
        made = what.__new__
        made.__module__ = what.__module__  # where the names of its types are
        hints = made.__annotations__.items()
        made.__annotations__ = {
            name: getattr(hint, "__forward_arg__", hint) for name, hint in hints
        }
        what.__new__ = _checked(made)  # type: ignore[method-assign]
    for name, member in [*vars(what).items()]:
        public = name == "__init__" or name[0] != "_"
        if isinstance(member, types.FunctionType) and public:
            setattr(what, name, _checked(member))
        elif isinstance(member, classmethod) and public:
            setattr(what, name, classmethod(_checked(member.__func__)))
    return what


class _Expected(NamedTuple):
    """
    What is expected of one argument.

    Attributes:
        name: Its name.
        hint: Its type.
        kinds: Classes that are taken without a further look.
        fits: What tells of any other value whether it is taken.
    """

    name: str
    hint: Any
    kinds: Any
    fits: Callable[[Any], bool]


def _checked(function: Callable[..., Any]) -> Callable[..., Any]:
    params = inspect.signature(function).parameters.values()
    if not {param.name for param in params} - {"self", "cls", "_cls"}:
        return function

    @cache  # when the function is first called: all names are there then
    def expected() -> tuple[list[_Expected], dict[str, _Expected]]:
        by_name = {
            param.name: _expected(param.name, _said(param.annotation, function)) for param in params
        }
        places = [by_name[param.name] for param in params if param.kind <= param.VAR_POSITIONAL]
        return places, by_name

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        places, by_name = expected()
        for place, value in enumerate(args):
            name, hint, kinds, fits = places[min(place, len(places) - 1)]  # the last may take many
            if not isinstance(value, kinds) and not fits(value):
                _refuse(name, hint, value)
        for key, value in kwargs.items():
            if key in by_name:
                name, hint, kinds, fits = by_name[key]
                if not isinstance(value, kinds) and not fits(value):
                    _refuse(name, hint, value)
        return function(*args, **kwargs)

    return wrapper


def _said(annotation: Any, function: Callable[..., Any]) -> Any:
    """Return the type that an annotation stands for; `Any` if only type checkers know."""
    if not isinstance(annotation, str):
        return annotation
    # Compiled first: by an interrupt that has left the evaluation of a string `python -m` dies.
    code = compile(annotation, "<annotation>", "eval")
    try:
        return eval(code, vars(sys.modules[function.__module__]))
    except NameError:
        return Any


def expect(name: str, kind: type, value: object) -> None:
    """Refuse an argument of another class, where a call is too frequent for `checked`."""
    if not isinstance(value, kind):
        _refuse(name, kind, value)


class Described(StructMeta):
    """The class of values: `dir` and `help` name what a reader is told of, not how it is made."""

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]


class CheckedValue(Struct, frozen=True, kw_only=True, metaclass=Described):
    """A value whose fields are checked as it is made."""

    def __post_init__(self) -> None:
        """Check the fields, and make tuples of lists."""
        plain, looked_at, every = _fields(type(self))
        values = astuple(self)
        known = all(map(isinstance, values, plain))  # nearly always: only lists are looked into
        for place in looked_at if known else range(len(every)):
            name, hint, kinds, fits = every[place]
            given = values[place]
            if not isinstance(given, kinds) and not fits(given):
                _refuse(name, hint, given)
            if isinstance(given, list):
                force_setattr(self, name, tuple(given))


@cache
def _fields(kind: type[Struct]) -> tuple[list[Any], list[int], list[_Expected]]:
    """Return the classes of a struct's fields, which of them are looked into, and all of them."""
    every = [_expected(field.name, field.type) for field in fields(kind)]
    looked_at = [place for place, expected in enumerate(every) if not _is_plain(expected.kinds)]
    plain = [expected.kinds if _is_plain(expected.kinds) else object for expected in every]
    return plain, looked_at, every


def _is_plain(kinds: Any) -> bool:
    """Whether classes say all of what is taken."""
    return kinds != () and (not isinstance(kinds, tuple) or all(map(_is_plain, kinds)))


def _expected(name: str, hint: Any) -> _Expected:
    """Return what a type expects of an argument."""
    origin = origin_of(hint)
    parts = get_args(hint)
    kinds: Any = ()
    fits: Callable[[Any], bool] = bool
    if hint in (Any, inspect.Parameter.empty) or isinstance(hint, TypeVar):
        kinds = object
    elif origin in (Union, types.UnionType):
        several = [_expected(name, part) for part in parts]
        kinds = tuple(expected.kinds for expected in several)
        fits = partial(_any_fits, [expected.fits for expected in several])
    elif origin is Annotated:
        fits = partial(_is_least, _expected(name, parts[0]), parts[1].number)
    elif origin is Literal:
        fits = partial(_is_one, parts)
    elif origin in (tuple, abc.Sequence, abc.Iterable) and len({*parts} - {...}) == 1:
        container = abc.Sequence if origin is tuple else origin
        fits = partial(_are_each, container, _expected(name, parts[0]), set())
    else:
        kinds = _KINDS.get(hint, (origin or hint,))[0]
        if hasattr(kinds, "called"):  # one of several of a kind: all of that kind will do
            kinds = next(kind for kind in kinds.__mro__ if "called" in vars(kind))
        fits = partial(_is_numpys, kinds)
    return _Expected(name, hint, kinds, fits)


def _any_fits(tests: list[Callable[[Any], bool]], value: Any) -> bool:
    return any(fits(value) for fits in tests)


def _is_least(expected: _Expected, least: int, value: Any) -> bool:
    return (isinstance(value, expected.kinds) or expected.fits(value)) and bool(value >= least)


def _is_one(words: tuple[Any, ...], value: Any) -> bool:
    return isinstance(value, str) and value in words


def _are_each(container: type, expected: _Expected, known: set[type], values: Any) -> bool:
    """Whether these are several of a kind; an iterator, which is read but once, is not read."""
    if type(values) is tuple and known.issuperset(map(type, values)):
        return True  # what nearly all are: no need to ask what kind of collection it is
    if isinstance(values, str | bytes) or not isinstance(values, container):
        return False
    if isinstance(values, abc.Collection) and not known.issuperset(map(type, values)):
        _, _, kinds, fits = expected
        if not all(isinstance(value, kinds) or fits(value) for value in values):
            return False
        known.update(kind for kind in map(type, values) if issubclass(kind, kinds))
    return True


def _is_numpys(kinds: Any, value: Any) -> bool:
    """Whether this is a number of numpy that one of Python's would do for."""
    return getattr(value, "shape", None) == () and isinstance(value.item(), kinds)


def _refuse(name: str, hint: Any, value: Any) -> NoReturn:
    found = printable(repr(value))
    if not isinstance(value, str | int | float | None):
        found = f"{type(value).__name__} {found}"
    raise misfit(name, _worded(hint), found)


def misfit(name: str, expected: str, found: object) -> ArgumentError:
    """Return the error of an argument or a field that does not fit what is expected, in words."""
    return ArgumentError(f"{name}: expected {expected}; found {found}", argument=name)


def agree(name: str, found: object, expected: object) -> None:
    """Refuse what is not as the other fields of a value have it."""
    if found != expected:
        raise misfit(name, printable(repr(expected)), printable(repr(found)))


def one_of(name: str, found: str | None, names: Sequence[str]) -> None:
    """Refuse a name that is none of those that the other fields of a value have."""
    if found not in names:
        raise misfit(name, listed(map(printable, names), "or"), repr(found))


def _worded(hint: Any) -> str:
    """Return what a type is called in a message."""
    origin = origin_of(hint)
    parts = [part for part in get_args(hint) if part is not types.NoneType]
    if origin in (Union, types.UnionType):
        return listed(dict.fromkeys(map(_worded, parts)), "or")
    if origin is Literal:
        return f"one of {', '.join(parts)}" if len(parts) > 2 else listed(parts, "or")
    if origin is Annotated:
        return f"{_worded(parts[0])} of at least {parts[1].number}"
    if origin in (tuple, abc.Sequence, abc.Iterable) and len(set(parts) - {...}) == 1:
        return f"several, each {_worded(parts[0])}"
    if hint in _KINDS:
        return _KINDS[hint][1]
    name = getattr(origin or hint, "__name__", str(hint))
    name = "array" if name == "ndarray" else name
    return str(getattr(hint, "called", f"{'an' if name[0] in 'aAEIOU' else 'a'} {name}"))
