"""
Whether the built site can be read by everybody: its links, and its pages in a browser.

    python -m docs.reading SITE [AXE]

Every link within the site has to lead to a page and a place on it, and nothing is loaded from
elsewhere. Opened from the file system, each page is looked at on a telephone's screen (390 pixels)
and on a desktop's: it fetches nothing, what is wider than the screen scrolls in a box of its own,
nothing is cut off, pictures are large enough to be read, and axe-core finds nothing to mend, light
here and dark there (AXE is its file, `axe.min.js` of the npm package axe-core). The search has to
find something. Without playwright or a Chromium it says so and ends well.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

SCREENS = {"telephone, light": (390, 844), "desktop, dark": (1280, 900)}
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT = """
() => [...document.querySelectorAll("article *")].filter(each =>
  each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1 &&
  ["hidden", "clip"].includes(getComputedStyle(each).overflowX)
).map(each => `cut off: ${each.tagName} ${each.textContent.trim().slice(0, 40)}`)
"""
SMALL = """
() => [...document.querySelectorAll("article img")].filter(each =>
  each.clientWidth && each.clientWidth < each.naturalWidth / 2 - 1
).map(each => `too small to be read: ${each.alt}`)
"""
FOUND = """
async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
  each => `${each.id}: ${each.help} (${each.nodes.length}): ${each.nodes[0].target}`)
"""


class _Marked(HTMLParser):
    """What a page has that can be led to, where it leads, and what it loads."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.leads: list[str] = []
        self.loads: list[str] = []
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the links of one element."""
        values = {name: value or "" for name, value in attrs}
        self.places |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.leads.append(values["href"])
        loaded = values.get("src", values.get("data", values.get("href", "")))
        if tag in ("img", "script", "object", "link") and loaded:
            self.loads.append(loaded)


def pages_of(site: Path) -> list[Path]:
    """Return the pages of the site."""
    return sorted(page for page in site.rglob("*.html") if "_static" not in page.parts)


def broken(site: Path) -> Iterator[str]:
    """Yield the links that lead nowhere, and what would be fetched from elsewhere."""
    marked = {page.resolve(): _Marked(page) for page in pages_of(site)}
    for page, marks in marked.items():
        where = page.relative_to(site.resolve())
        for link in (*marks.leads, *marks.loads):
            scheme, host, path, _, place = urlsplit(link)
            if scheme or host:
                if link in marks.loads and scheme != "data":
                    yield f"{where}: fetches {link}"
                continue
            there = (page.parent / unquote(path)).resolve() if path else page
            if not there.is_file():
                yield f"{where}: {link}: there is no such file"
            elif place and there in marked and unquote(place) not in marked[there].places:
                yield f"{where}: {link}: there is no such place"


def faults(site: Path, axe: Path | None, only: Sequence[str] = ()) -> Iterator[str]:
    """
    Yield what is wrong, each with its page and screen.

    Args:
        site, axe: As of the command.
        only: The pages to look at, by their paths in the site; all if left out.
    """
    from playwright.sync_api import sync_playwright

    pages = [site / name for name in only] or pages_of(site)
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
    for script in (CUT, SMALL):
        yield from (f"{where}: {fault}" for fault in tab.evaluate(script))
    if axe is not None:
        tab.evaluate(axe.read_text("utf-8"))
        yield from (f"{where}: {fault}" for fault in tab.evaluate(FOUND))


def chromium() -> str | None:
    """Return the path of a Chromium; `None` if there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


def main() -> None:
    """Say what is wrong with the site, and exit with 1 then."""
    site, *rest = sys.argv[1:]
    wrong = [*broken(Path(site))]
    try:
        import playwright  # noqa: F401
    except ImportError:
        print("not looked at: playwright is not installed")
    else:
        if chromium() is None:
            print("not looked at: there is no Chromium")
        else:
            wrong += faults(Path(site), Path(rest[0]) if rest else None)
    print("\n".join(wrong) or "every page can be read")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
