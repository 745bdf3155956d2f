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
from clue_solver.knowledge.evidence import PRIOR
from clue_solver.knowledge.viewer import ALL, FACTOR, HAS, LACKS, NONE

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")

_MADE: list[Any] = []

_numba: Any = numba

INTERPRETED: bool = _numba.config.DISABLE_JIT
"""Whether numba is told to compile nothing, so that each line can be traced."""

_HOW = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
"""
How all is compiled: with no way in for others but the one that Python calls; and no references are
counted, as arrays are handed in and none is made. Both were more than half of the work to compile.
"""


def stamp(sources: Mapping[str, bytes]) -> str:
    """Return what changes with any of the engine's files, by name, or a number that it takes."""
    taken = repr((LEAST, SPAN, len(PRIOR), ALL, FACTOR, HAS, LACKS, NONE))
    return sha256(taken.encode() + b"".join(sources[name] for name in sorted(sources))).hexdigest()


SOURCES = {
    file.name: file.read_bytes()
    for file in files("clue_solver.inference.compiled").iterdir()
    if file.name.endswith(".py")
}
_STAMP = stamp(SOURCES)


def entered(function: Function) -> Function:
    """Compile a function that Python calls, when it first does; its machine code stays on disk."""
    made = _numba.njit(cache=True, **_HOW)(function)
    if not INTERPRETED:
        made._cache._cache_file._source_stamp = _STAMP  # numba's own is of one file
        _MADE.append(made)
    return cast("Function", made)


def compiled(function: Function) -> Function:
    """Compile a function that only compiled ones call."""
    return cast("Function", _numba.njit(no_cpython_wrapper=True, **_HOW)(function))


def inlined(function: Function) -> Function:
    """Compile a function into those that call it: to hand over so many arrays takes its time."""
    return cast(
        "Function", _numba.njit(forceinline=True, no_cpython_wrapper=True, **_HOW)(function)
    )


def kept() -> bool:
    """Return whether machine code of this version is on disk: then nothing has to be compiled."""
    return all(function._cache._cache_file._load_index() for function in _MADE)


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
