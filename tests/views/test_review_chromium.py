"""The review page in a browser: at the width of a phone, in print, stepped through."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from clue_solver.views.html import review_page
from tests.views.displays import EVENING

NOTEBOOK = """
.jp-RenderedHTMLCommon table {table-layout: fixed; font-size: 12px; margin: 0 auto 1em}
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th, .jp-RenderedHTMLCommon tr {
  vertical-align: middle; padding: 0.5em; white-space: normal; max-width: none; text-align: right }
.jp-RenderedHTMLCommon:not(.jp-RenderedMarkdown) tbody tr:nth-child(even) {background: #eee}
"""
"""What JupyterLab lays down for tables in outputs."""


def chromium() -> tuple[Any, str]:
    """Playwright and where Chromium is; skips where one is missing."""
    drivers = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium is installed")
    return drivers, browser


def test_in_a_notebook_tables_keep_their_style() -> None:
    drivers, browser = chromium()
    html = EVENING.report(viewer="Ann")._repr_html_()
    with drivers.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = opened.new_page()
        inside = f'<div class="jp-RenderedHTMLCommon">{html}</div>'
        page.set_content(f"<style>{NOTEBOOK}</style>{inside}")

        def style(where: str, name: str) -> str:
            found = page.locator(where).first
            return str(found.evaluate(f"each => getComputedStyle(each).{name}"))

        assert "rgba(0, 0, 0, 0)" == style("tbody tr:nth-child(2)", "backgroundColor")
        assert ["center", "nowrap"] == [style("tbody td", n) for n in ("textAlign", "whiteSpace")]
        assert "auto" == style("table", "tableLayout")
        opened.close()


def test_the_page_reads_on_a_phone_and_in_print(tmp_path: Path) -> None:
    drivers, browser = chromium()
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
