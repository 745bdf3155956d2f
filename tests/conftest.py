"""
How the tests run: with the same few examples each time, or, if thorough, with many new ones.

If `REACHED` names a folder, each process writes to it which lines of the package its tests reach,
measured by slipcover. That adds a tenth to the time; tracing would double it.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

REACHED = os.environ.get("REACHED")

if REACHED:  # before anything imports the package
    import slipcover

    _what = {"omit": ["*/machine_code.py"]}  # what numba compiles cannot be measured
    _lines = slipcover.Slipcover(source=["clue_solver"], **_what)
    _files = slipcover.FileMatcher(sources=["clue_solver"], **_what)
    slipcover.ImportManager(_lines, _files).__enter__()


@pytest.hookimpl(trylast=True)
def pytest_sessionstart() -> None:
    """Let Hypothesis list all characters first: in a fresh clone, it needs 200 MB for a moment."""
    st.text().validate()


def pytest_sessionfinish() -> None:
    """Write which lines this process reached."""
    if REACHED:
        reached = json.dumps(_lines.get_coverage())
        Path(
            REACHED, f"{os.environ.get('PYTEST_XDIST_WORKER', 'main')}-{os.getpid()}.json"
        ).write_text(reached)


gc.set_threshold(20_000, 10, 10)
"""Most objects of tests live only briefly; frequent collections would take a tenth of the time."""


def pytest_collection_finish() -> None:
    """Exclude what is imported and collected from garbage collection, since it stays."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _a_home_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide the games of whoever runs the tests, and let joblib use one core."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("LOKY_MAX_CPU_COUNT", "1")
        yield


@pytest.fixture(autouse=True)
def _the_same_deals_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the interfaces deal the same games in every run if no seed is given."""
    monkeypatch.setattr("clue_solver.faces.dealing.randbelow", Random(1).randrange)


@pytest.fixture(scope="module", autouse=True)
def _what_is_freed_is_given_back() -> Iterator[None]:
    """Give the memory that the tests of a module have freed back to the system."""
    yield
    gc.collect()
    with suppress(AttributeError, TypeError):  # other C libraries than GNU's lack it
        ctypes.CDLL(None).malloc_trim(0)


signal.signal(signal.SIGINT, signal.default_int_handler)
"""Where tests run in the background a shell ignores interrupts, and so would what they start."""

settings.register_profile(
    "default",
    max_examples=20,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile(
    "thorough", parent=settings.get_profile("default"), max_examples=1_000, derandomize=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
