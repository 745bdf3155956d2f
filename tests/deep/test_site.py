"""The site is built without a warning, its links hold, and everybody can read it anywhere."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from docs import reading, schemas

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "tests" / "faces" / "axe.min.js"
LOOKED_AT = (
    "index.html",
    "tutorial/evening.html",
    "analyses/post_game.html",
    "mathematics.html",
    "arena.html",
    "reference/commands.html",
    "reference/json.html",
)
"""A page of each kind; `python -m docs.reading` looks at all."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "--keep-going",
            "-d",
            folder / "trees",
            "-b",
            "html",
            ROOT / "docs",
            folder / "html",
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (built.returncode, built.stderr) == (0, "")
    return folder / "html"


def test_every_link_leads_somewhere_and_nothing_is_fetched(site: Path) -> None:
    assert {*LOOKED_AT} < {str(page.relative_to(site)) for page in reading.pages_of(site)}
    assert [*reading.broken(site)] == []


def test_no_page_names_a_folder_of_the_machine_it_was_made_on(site: Path) -> None:
    ours = (str(ROOT), str(Path.home()), "Traceback (most recent call last):\n  File")
    texts = {page.name: page.read_text("utf-8") for page in reading.pages_of(site)}
    assert [name for name, text in texts.items() if any(each in text for each in ours)] == []


def test_a_link_that_leads_nowhere_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text(
        '<a href="two.html#here">a</a><a href="two.html#there">b</a><a href="three.html">c</a>'
        '<a href="https://example.org">d</a><script src="https://example.org/x.js"></script>',
        "utf-8",
    )
    (tmp_path / "two.html").write_text('<p id="here"></p>', "utf-8")
    assert [*reading.broken(tmp_path)] == [
        "one.html: two.html#there: there is no such place",
        "one.html: three.html: there is no such file",
        "one.html: fetches https://example.org/x.js",
    ]


def test_the_schemas_stand_beside_their_page(site: Path) -> None:
    for name, printed in schemas.PRINTED.items():
        written = (site / "reference" / "schemas" / f"{name}.json").read_text("utf-8")
        assert schemas.schema_of(printed) == json.loads(written)


@pytest.mark.skipif(reading.chromium() is None, reason="no Chromium is installed here")
@pytest.mark.skipif(importlib.util.find_spec("playwright") is None, reason="no playwright")
def test_it_can_be_read_and_searched_from_the_file_system_on_any_screen(site: Path) -> None:
    assert [*reading.faults(site, AXE, LOOKED_AT)] == []
