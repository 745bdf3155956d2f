"""The review page in a browser: at the width of a phone, in print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from clue_solver.views.reviews import review_page
from tests.views.displays import EVENING


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
