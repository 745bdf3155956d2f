"""
Whether the built site can be read by everybody: opened from the file system in a browser.

    python -m docs.reading SITE [AXE]

On a telephone's screen (390 pixels) and on a desktop each page is looked at: nothing is fetched
from elsewhere, nothing is wider than the screen, and axe-core finds nothing to mend, light here and
dark there (AXE is its file, `axe.min.js` of the npm package axe-core). The search has to find
something. Without playwright or a Chromium it says so and ends well.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

SCREENS = {"telephone, light": (390, 844), "desktop, dark": (1280, 900)}
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
FOUND = """
async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
  each => `${each.id}: ${each.help} (${each.nodes.length}): ${each.nodes[0].target}`)
"""


def faults(site: Path, axe: Path | None) -> Iterator[str]:
    """Yield what is wrong, each with its page and screen."""
    from playwright.sync_api import sync_playwright

    pages = sorted(page for page in site.rglob("*.html") if "_static" not in page.parts)
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for screen, (width, height) in SCREENS.items():
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if screen.endswith("dark") else "light",
            )
            tab: Any = context.new_page()
            fetched: list[str] = []
            tab.on("request", partial(_note, fetched))
            for page in pages:
                where = f"{page.relative_to(site)}, {screen}"
                fetched.clear()
                tab.goto(page.resolve().as_uri())
                away = [url for url in fetched if not url.startswith(("file:", "data:"))]
                yield from (f"{where}: fetches {url}" for url in away)
                yield from _seen(tab, where, axe)
            context.close()
        tab = browser.new_page()
        tab.goto(f"{(site / 'search.html').resolve().as_uri()}?q=envelope")
        try:
            tab.wait_for_selector("#search-results li a", timeout=10_000)
        except Exception as error:
            yield f"search.html: nothing found: {error}"
        browser.close()


def _note(fetched: list[str], request: Any) -> None:
    fetched.append(request.url)


def _seen(tab: Any, where: str, axe: Path | None) -> Iterator[str]:
    if (wider := tab.evaluate(WIDER)) > 0:
        yield f"{where}: {wider} pixels wider than the screen"
    if axe is not None:
        tab.evaluate(axe.read_text("utf-8"))
        yield from (f"{where}: {found}" for found in tab.evaluate(FOUND))


def chromium() -> str | None:
    """Return the path of a Chromium; `None` if there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


def main() -> None:
    """Say what is wrong with the site, and exit with 1 then."""
    site, *rest = sys.argv[1:]
    try:
        import playwright  # noqa: F401
    except ImportError:
        print("not looked at: playwright is not installed")
        return
    if chromium() is None:
        print("not looked at: there is no Chromium")
        return
    found = False
    for fault in faults(Path(site), Path(rest[0]) if rest else None):
        print(fault, flush=True)
        found = True
    if not found:
        print("every page can be read")
    sys.exit(found)


if __name__ == "__main__":
    main()
