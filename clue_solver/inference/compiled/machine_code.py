"""
Functions that numba compiles, and the machine code of them that is kept on disk.

numba keeps machine code until the file of its function changes. What a function calls stands in
other files, and is compiled into it: so here the machine code of all is kept until any of the
engine's files changes, or a number that it takes from elsewhere.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Any, TypeVar, cast

import numba

from clue_solver.inference.diagram import LEAST, SPAN
from clue_solver.knowledge.viewer import ALL, FACTOR, HAS, LACKS, NONE

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")

_MADE: list[Any] = []


def stamp(sources: Mapping[str, bytes]) -> str:
    """Return what changes with any of the engine's files, by name, or a number that it takes."""
    taken = repr((LEAST, SPAN, ALL, FACTOR, HAS, LACKS, NONE))
    return sha256(taken.encode() + b"".join(sources[name] for name in sorted(sources))).hexdigest()


SOURCES = {
    file.name: file.read_bytes()
    for file in files("clue_solver.inference.compiled").iterdir()
    if file.name.endswith(".py")
}
_STAMP = stamp(SOURCES)


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep the machine code on disk."""
    made: Any = numba.njit(cache=True, error_model="numpy")(function)
    if made is not function:  # as it is where numba is told to compile nothing
        made._cache._cache_file._source_stamp = _STAMP  # numba's own is of one file
        _MADE.append(made)
    return cast("Function", made)


def inlined(function: Function) -> Function:
    """Compile a function into those that call it: to hand over so many arrays takes its time."""
    return cast("Function", numba.njit(forceinline=True, error_model="numpy")(function))


def renewed(call: Callable[[], Result]) -> Result:
    """Return what a call returns, made anew where what is kept on disk is an earlier version's."""
    try:
        return call()
    except (ImportError, AttributeError):  # machine code of an earlier version
        forget()
        return call()


def forget() -> None:
    """Empty what is kept on disk: an earlier version's may name what is no longer there."""
    for function in _MADE:
        function._cache.flush()
