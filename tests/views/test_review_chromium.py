"""The review page in a browser: at the width of a phone, in print, stepped through."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from clue_solver.views.html import review_page
from tests.views.displays import EVENING


def test_the_page_reads_on_a_phone_and_in_print(tmp_path: Path) -> None:
    drivers = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium is installed")
    file = tmp_path / "page.html"
    file.write_text(review_page(EVENING.review(sample=100), EVENING.walkthrough()), "utf-8")
    asked: list[str] = []
    with drivers.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = opened.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        assert 390 == page.evaluate("document.documentElement.scrollWidth")
        assert [file.as_uri()] == asked
        assert page.get_by_text("22 of 22").is_visible()
        envelope = page.locator(".panel:visible thead th").last.bounding_box()
        assert envelope is not None
        assert envelope["x"] + envelope["width"] <= 390
        page.locator(".panel:visible label").first.click()
        assert page.get_by_text("21 of 22").is_visible()
        assert not page.get_by_text("22 of 22").is_visible()
        page.keyboard.press("ArrowUp")
        assert page.get_by_text("20 of 22").is_visible()
        page.locator(".panel:visible label", has_text="start").click()
        page.wait_for_timeout(100)
        stood = page.locator(".panel:visible .turns").first.bounding_box()
        page.locator(".panel:visible label", has_text="next").click()
        page.wait_for_timeout(100)
        stands = page.locator(".panel:visible .turns").first.bounding_box()
        assert stood is not None
        assert stands is not None
        assert stood["y"] == pytest.approx(stands["y"], abs=2)  # the button is where it was
        entry = page.locator("details li").first
        assert not entry.is_visible()
        page.emulate_media(media="print")
        assert entry.is_visible()
        size = page.locator("svg.chart text").first.bounding_box()
        assert size is not None
        assert size["height"] >= 9
        opened.close()
