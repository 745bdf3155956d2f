"""The site is built without a warning, its links hold, and it is read on any screen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clue_solver.views.reviews import review_page
from tests.deep.chromium import AXE
from tests.views.displays import EVENING

ROOT = Path(__file__).resolve().parents[2]
LOOKED_AT = ("index", "evening", "mathematics", "arena", "reference/json")
"""A page of each kind."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", ROOT / "docs", folder],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (built.returncode, built.stderr) == (0, "")
    return folder


def test_every_link_leads_to_a_file_and_nothing_is_fetched(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if "_static" not in page.parts]
    assert len(pages) > 15
    for page in pages:
        text = page.read_text("utf-8")
        assert re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]+)', text) == []
        for target in re.findall(r'<a [^>]*href="([^"#]+)', text):
            if not re.match("[a-z]+:", target):
                assert (page.parent / target).exists(), (page.name, target)
        assert str(ROOT) not in text


@pytest.mark.parametrize("width", [390, 1280])
def test_everybody_can_read_it(site: Path, browser: Any, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    for name in LOOKED_AT:
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        page.add_script_tag(path=str(AXE))
        found = page.evaluate("axe.run().then(found => found.violations.map(each => each.id))")
        assert found == [], name


def test_the_page_reads_on_a_phone_and_in_print(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(review_page(EVENING.review(sample=100)), "utf-8")
    asked: list[str] = []
    page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert asked == [file.as_uri()]
    page.emulate_media(media="print")
    assert page.locator(".title").last.inner_text() == "The log"
    assert page.locator("svg.chart text").first.bounding_box()["height"] >= 9
