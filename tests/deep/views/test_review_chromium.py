"""The review page in a browser: at the width of a phone, in print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clue_solver.views.reviews import review_page
from tests.views.displays import EVENING

NOTEBOOK = """
.jp-RenderedHTMLCommon table {table-layout: fixed; font-size: 12px; margin: 0 auto 1em}
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th, .jp-RenderedHTMLCommon tr {
  vertical-align: middle; padding: 0.5em; white-space: normal; max-width: none; text-align: right }
.jp-RenderedHTMLCommon:not(.jp-RenderedMarkdown) tbody tr:nth-child(even) {background: #eee}
"""
"""What JupyterLab lays down for tables in outputs."""


def test_in_a_notebook_tables_keep_their_style(browser: Any) -> None:
    html = EVENING.report(viewer="Ann")._repr_html_()
    page = browser.new_page()
    inside = f'<div class="jp-RenderedHTMLCommon">{html}</div>'
    page.set_content(f"<style>{NOTEBOOK}</style>{inside}")

    def style(where: str, name: str) -> str:
        found = page.locator(where).first
        return str(found.evaluate(f"each => getComputedStyle(each).{name}"))

    assert style("tbody tr:nth-child(2)", "backgroundColor") == "rgba(0, 0, 0, 0)"
    assert [style("tbody td", n) for n in ("textAlign", "whiteSpace")] == ["center", "nowrap"]
    assert style("table", "tableLayout") == "auto"


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
