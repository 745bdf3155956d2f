"""The browser in which pages are tested, if there is one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Frame, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"]
AXE = Path(__file__).parents[1] / "faces" / "axe.min.js"


def pocket(browser: Browser, width: int, height: int, *, mobile: bool = False) -> BrowserContext:
    """Return a phone with a screen of so many pixels, on which nothing moves by itself."""
    found = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=mobile,
        reduced_motion="reduce",
    )
    found.set_default_timeout(60_000)
    return found


def barriers(page: Page | Frame, width: int) -> list[str]:
    """What bars whoever cannot see a page, as axe finds it, and its width if it is another."""
    if page.evaluate("!window.axe"):
        page.evaluate(AXE.read_text("utf-8"))
    nodes = "each.id + ': ' + each.nodes.map(node => node.html).slice(0, 3)"
    run = f"axe.run(document, {{iframes: false}}).then(it => it.violations.map(each => {nodes}))"
    found: list[str] = page.evaluate(run)
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide != width:
        found.append(f"{wide} pixels wide")
    return found
