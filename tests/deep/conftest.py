"""
The deep run: what is long, and what needs a browser, a compiler, a cluster or other processes.

    python -m pytest tests/deep             # a slice of what is long, another one every day
    python -m pytest tests/deep --slice 7   # the slice of seed 7
    python -m pytest tests/deep --whole     # all of it
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.deep.chromium import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("deep run")
    group.addoption("--slice", metavar="SEED", help="which cases of what is long; default: today")
    group.addoption("--whole", action="store_true", help="all cases of what is long")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.slice is None:  # told to the workers too, so that all draw the same
        config.option.slice = f"{date.today():%Y%m%d}"


def pytest_report_header(config: pytest.Config) -> str:
    return "deep run: whole" if config.option.whole else f"deep run: --slice {config.option.slice}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep of each test that is marked `long` as many cases as it says, drawn by the seed."""
    if config.option.whole:
        return
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("long"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    dropped: set[pytest.Item] = set()
    for name, every in cases.items():
        marker = every[0].get_closest_marker("long")
        assert marker is not None
        keep = marker.kwargs["keep"]
        Random(f"{config.option.slice} {name}").shuffle(every)
        dropped.update(every[keep:])
    config.hook.pytest_deselected(items=[item for item in items if item in dropped])
    items[:] = [item for item in items if item not in dropped]


@pytest.fixture(scope="session", autouse=True)
def _on_all_cores(_a_home_of_their_own: None) -> None:
    """Let commands share their work out, as they do for people."""
    del os.environ["LOKY_MAX_CPU_COUNT"]


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """What the slice of this run is drawn by, for tests that draw their own cases."""
    return str(request.config.option.slice)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium; without one, or what drives it, the test is skipped."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed here")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()
