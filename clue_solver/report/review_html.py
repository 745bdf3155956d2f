"""
A review as one HTML page: its pictures are inside, and nothing is fetched from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clue_solver.report import pictures
from clue_solver.report.html import framed
from clue_solver.report.markup import element, escaped, grid
from clue_solver.report.review import Judged, Review, SeatReview
from clue_solver.report.text import percent

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
    title = escaped(_title(review))
    head = element(
        "head",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        element("title", title),
        element("style", _PAGE),
    )
    body = element("body", element("h1", title), review_section(review))
    return f'<!DOCTYPE html>\n<html lang="en">{head}{body}</html>\n'


def review_section(review: Review) -> str:
    """Return the review as a part of a page, or for a notebook."""
    return framed(*_parts(review))


def _title(review: Review) -> str:
    return f"{review.table.edition.title}: {', '.join(review.table.seats)}"


def _parts(review: Review) -> Iterator[str]:
    yield element(
        "p", "The envelope held ", element("strong", escaped(", ".join(review.solution))), "."
    )
    yield _told(review.story)
    yield _headed("Turning points", _turning(review))
    yield _headed("The seats", _seats(review.seats))
    yield _headed("How much every seat lacked", pictures.bits_left(review))
    if review.suggestions:
        yield _headed("Suggestions", pictures.gains(review), _suggestions(review.suggestions))
    if review.accusations:
        yield _headed("Accusations", _accusations(review))
    if review.unused:
        yield _headed("Provable and not used", _unused(review))
    log = element("ol", *(element("li", escaped(line, most=500)) for line in review.lines))
    yield _headed("The log", element("details", element("summary", "all entries"), log))
    yield _told(f"Show policy: {review.shows}; {_POLICIES[review.shows]}.")


def _headed(title: str, *parts: str) -> str:
    return element("h2", escaped(title)) + "".join(parts)


def _told(text: str) -> str:
    return element("p", escaped(text, most=5000))


def _turning(review: Review) -> str:
    rows = ((str(each.entry), each.text) for each in review.turning)
    return grid(("entry", "what happened"), rows, words=(1,))


def _seats(seats: Iterable[SeatReview]) -> str:
    seats = list(seats)
    heads = ("seat", "even odds after", "proof after", "accuracy", "luck, bits")
    rows = (
        (
            each.seat,
            _entry(each.even),
            _entry(each.proved),
            "" if each.accuracy is None else _share(each.accuracy),
            f"{each.luck:+.2f}",
        )
        for each in seats
    )
    partly = [each.seat for each in seats if not each.whole]
    note = (
        "The record does not hold all that was seen by "
        f"{', '.join(partly)}: shown is what follows from the part that it holds."
    )
    return grid(heads, rows, words=(0,)) + (_told(note) if partly else "")


def _suggestions(suggestions: Iterable[Judged]) -> str:
    heads = ("entry", "seat", "suggestion", "bits", "the best", "bits", "accuracy", "luck, bits")
    rows = (
        (
            str(each.entry),
            each.seat,
            ", ".join(each.cards),
            f"{each.gain:.2f}" + (f" ±{each.error:.2f}" if each.error else ""),
            "" if each.best == each.cards else ", ".join(each.best),
            f"{each.best_gain:.2f}",
            _share(each.accuracy),
            "" if each.luck is None else f"{each.luck:+.2f}",
        )
        for each in suggestions
    )
    return grid(heads, rows, words=(1, 2, 4))


def _accusations(review: Review) -> str:
    heads = ("entry", "seat", "accusation", "chance then", "verdict", "why")
    rows = (
        (
            str(each.entry),
            each.seat,
            f"{', '.join(each.cards)}: {'right' if each.right else 'wrong'}",
            _share(each.chance),
            each.verdict,
            each.why,
        )
        for each in review.accusations
    )
    return grid(heads, rows, words=(1, 2, 4, 5))


def _unused(review: Review) -> str:
    rows = ((str(each.entry), each.seat, each.what, str(each.since)) for each in review.unused)
    return grid(("entry", "seat", "what", "since entry"), rows, words=(1, 2))


def _entry(entry: int | None) -> str:
    if entry is None:
        return "never"
    return f"entry {entry}" if entry else "the start"


def _share(chance: float) -> str:
    return f"{chance * 100:.0f} %" if chance in (0.0, 1.0) else f"{percent(chance)} %"
