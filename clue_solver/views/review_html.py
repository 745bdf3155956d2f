"""
A review as one HTML page: its pictures are inside, and nothing is fetched from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from clue_solver.answers.display import draws
from clue_solver.answers.review import Review
from clue_solver.views import charts as pictures
from clue_solver.views import review as reviewed
from clue_solver.views.html import framed
from clue_solver.views.markup import element, escaped, grid

_PAGE = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:0 auto;padding:1em 1.2em 3em;"
    "color:#1b1b1b;background:#fff}"
    "@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181c}}"
    "h1{font-size:1.5em;margin:.4em 0}h2{font-size:1.15em;margin:1.6em 0 .3em}"
    "@media print{details{display:none}}"
)

_POLICIES = {
    "random": "whoever could show several cards is taken to have chosen one at random",
    "none": "how players choose the card that they show is not considered",
    "sticky": "players are taken to show the same asker the same card again",
}


def review_page(review: Review) -> str:
    """Return the review as an HTML file of its own, for light screens and dark ones."""
    title = escaped(reviewed.headline(review), most=500)
    head = element(
        "head",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        element("title", title),
        element("style", _PAGE),
    )
    body = element("body", element("h1", title), framed(*_parts(review)))
    return f'<!DOCTYPE html>\n<html lang="en">{head}{body}</html>\n'


@draws(Review, "html")
def review_section(review: Review) -> str:
    """Return the review for a notebook."""
    title = element("strong", escaped(reviewed.headline(review), most=500))
    return framed(element("p", title), *_parts(review))


def _parts(review: Review) -> Iterator[str]:
    yield _told(review.story)
    yield _headed("The players", grid(*reviewed.players(review), words=(0,)))
    if not all(each.whole for each in review.seats):
        yield _told(reviewed.PARTLY)
    for title, lines in reviewed.sections(review):
        yield _headed(title, grid(("", ""), lines, words=(1,)))
    yield _headed("How much every player lacked", pictures.bits_left(review))
    if review.suggestions:
        table = grid(*reviewed.suggestions(review), words=(1, 2, 6))
        yield _headed("The suggestions, bits expected", pictures.gains(review), table)
    log = element("ol", *(element("li", escaped(line, most=500)) for line in review.lines))
    yield _headed("The log", element("details", element("summary", "all entries"), log))
    yield _told(f"Show policy: {review.shows}; {_POLICIES[review.shows]}.")


def _headed(title: str, *parts: str) -> str:
    return element("h2", escaped(title)) + "".join(parts)


def _told(text: str) -> str:
    return element("p", escaped(text, most=5000))
