"""
A review as text, for a terminal.
"""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from clue_solver.answers.display import share, since_when, view
from clue_solver.answers.review import Review, SeatReview, SuggestionReview, end_of_game
from clue_solver.views.text import Section, columns, drawn, page

PARTLY = "* the record does not hold all that this player saw"
"""What the star behind a player means."""


@page(Review)
def review_text(review: Review) -> RenderableType:
    """Return the whole review."""
    parts: list[RenderableType] = [
        Text(headline(review), "bold"),
        Text(review.story),
        Text(),
        Text("The players", "bold"),
        columns(*players(review), words={"player": 14}),
    ]
    if not all(each.whole for each in review.seats):
        parts.append(Text(PARTLY, "dim"))
    if review.suggestions:
        parts += [Text(), Text("The suggestions (expected bits)", "bold")]
        best = "best: the most that a suggestion in the same room could gain, by the same notes"
        wide = dict.fromkeys(("player", "asked", "better"), 28)
        parts += [columns(*suggestions(review), words=wide), Text(best, "dim")]
    return Group(*parts, *drawn(sections(review)))


@view(Review, "line")
def review_line(review: Review) -> str:
    """Return which game it was, and how it ended, as one line."""
    return f"{headline(review)}; {in_a_line(review)}"


def headline(review: Review) -> str:
    """Return which game it was and what the envelope held."""
    return f"{review.table.edition.title}: {', '.join(review.solution)}"


def sections(review: Review) -> Iterator[Section]:
    """Yield what stands under the tables: turning points, accusations, missed deductions."""
    if review.turning:
        told = ((str(each.entry), each.text) for each in review.turning)
        yield Section("Turning points", tuple(told))
    if review.accusations:
        judged = (
            f"{each.seat}: {', '.join(each.cards)}. {each.verdict.title()}: {each.why}"
            for each in review.accusations
        )
        entries = (str(each.entry) for each in review.accusations)
        yield Section("Accusations", tuple(zip(entries, judged, strict=True)))
    if review.unused:
        unused = (
            (str(each.entry), f"{each.seat} {each.what} ({since_when(each.since)})")
            for each in review.unused
        )
        yield Section("Missed deductions", tuple(unused))


def players(review: Review) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the players as a table: its headings, and a row of cells for each."""
    heads = ("player", "proved", "even odds", "bits left", "accuracy", "luck")
    end = end_of_game(review.accusations, review.entries)
    return heads, [tuple(_player(each, end)) for each in review.seats]


def suggestions(review: Review) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the suggestions as a table: its headings, and a row of cells for each."""
    heads = ("entry", "player", "asked", "gain", "best", "luck", "better")
    return heads, [tuple(_suggestion(each)) for each in review.suggestions]


def in_a_line(review: Review) -> str:
    """Return a game of a batch in a line: how it ended, who could prove it, how well they asked."""
    won = next((each for each in review.accusations if each.right), None)
    told = [f"{won.seat} won in entry {won.entry} ({won.verdict})" if won else "nobody won"]
    end = end_of_game(review.accusations, review.entries)
    sure = [each for each in review.seats if each.proved is not None and each.proved < end]
    if sure:
        first = min(sure, key=lambda each: each.proved or 0)
        told.append(f"provable by {first.seat} after {first.proved}")
    if review.suggestions:
        asked = [each.accuracy for each in review.suggestions]
        told.append(f"accuracy {share(sum(asked) / len(asked))}")
    return ", ".join(told)


def _player(each: SeatReview, end: int) -> Iterator[str]:
    yield each.seat + "*" * (not each.whole)
    for entry in (each.proved, each.even):
        yield "never" if entry is None else f"entry {entry}" if entry < end else "when told"
    yield f"{each.timeline[end - 1].bits:.2f}"
    points = 100 * each.accuracy_error
    error = f" ±{points:.0f}" if points >= 0.5 else ""
    yield "" if each.accuracy is None else share(each.accuracy) + error
    yield "" if each.accuracy is None else f"{each.luck:+.2f}"


def _suggestion(each: SuggestionReview) -> Iterator[str]:
    yield str(each.entry)
    yield each.seat
    yield ", ".join(each.cards)
    yield f"{each.gain:.2f}"
    yield f"{each.best_gain:.2f}"
    yield "" if each.luck is None else f"{each.luck:+.2f}"
    yield "" if each.best == each.cards else ", ".join(each.best)
