"""The browser in which pages are tested, if there is one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"]
AXE = Path(__file__).parents[1] / "faces" / "axe.min.js"


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
