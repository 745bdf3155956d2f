"""A report as a document: the viewer, the sheet, the likeliest solutions, what is new."""

from collections.abc import Iterable, Iterator, Sequence

from clue_solver.answers.display import chance_text, view
from clue_solver.answers.report import Report
from clue_solver.errors import ClueError, Contradiction, counted, sentences
from clue_solver.game import Game
from clue_solver.rules.table import ENVELOPE, SPECTATOR
from clue_solver.views.document import Block, Line, Rows

_TOP = 5
"""The most solutions that are listed."""


@view(Report, "document")
def report_document(report: Report, *, lines: Sequence[str] = ()) -> Iterator[Block]:
    """Yield the blocks of a report; `lines` are the lines of the log, for quoting entries."""
    head, *more = headlines(report)
    yield Line(head, "bold")
    yield from map(Line, more)
    if report.consistent:
        yield report
    yield from sections(report, lines)


@view(Game, "document")
def game_document(game: Game) -> Iterator[Block]:
    """Yield a game's report, or why there is none, and its log."""
    yield Line(f"{game.table.edition.title}: {', '.join(game.table.seats)}", "bold")
    try:
        yield from report_document(game.report(), lines=game.lines)
    except ClueError as refused:  # a notebook shows what there is
        yield Line(str(refused))
    yield Rows("The log", [(str(number), line) for number, line in enumerate(game.lines, 1)])


def headlines(report: Report) -> Iterator[str]:
    """Yield the viewer, the suppositions and the result of a report, one line each."""
    entries = counted(report.entries, "entry")
    by = f"a {SPECTATOR}" if report.viewer == SPECTATOR else report.viewer
    yield f"{report.table.edition.title}, seen by {by}, after {entries}"
    if report.supposed:
        yield f"supposing that {' and '.join(report.supposed)}"
    if report.consistent:
        best = ", ".join(report.table.printed(card) for card in report.solutions[0].cards)
        if len(report.solutions) == 1:
            yield f"It was {best}: that is certain."
        else:
            yield f"{len(report.solutions):,} solutions are possible."
    if report.left_out:
        yield (
            "Too much is still unknown to take players' habits into account; the chances are based "
            "on the rules alone."
        )


def viewpoint(viewer: str | None) -> str:
    """
    Return a sentence that says whose view an answer takes, if the log holds more than they saw.

    `viewer` is the player; `None` for a spectator.
    """
    if viewer in (None, SPECTATOR):
        return "This uses only what a spectator has seen, not everything in the log."
    return f"Seen as {viewer}: this uses only what {viewer} has seen, not everything in the log."


def clash_title(entries: Sequence[int]) -> str:
    """
    Return the title above entries that contradict each other.

    >>> clash_title((3, 4)), clash_title((3, 4, 7))
    ("These two entries can't both be true", "These entries can't all be true")
    """
    many = {1: "This entry can't be true", 2: "These two entries can't both be true"}
    return many.get(len(entries), "These entries can't all be true")


def basis(report: Report) -> str:
    """
    Return what the chances of a report are based on.

    >>> from clue_solver import load
    >>> basis(load("examples/evening.clue").report(asks="any"))
    'based on the rules alone'
    """
    by_rules = report.left_out or report.asks == "any"
    return f"based on {'the rules alone' if by_rules else 'what people usually do'}"


def sections(report: Report, lines: Sequence[str] = ()) -> Iterator[Rows]:
    """
    Yield the tables below a sheet; if the log contradicts itself, the contradiction instead.

    `lines` are the lines of the log, for quoting entries.
    """
    if not report.consistent:
        if report.conflict and lines:
            yield Rows(clash_title(report.conflict), [*quote(lines, report.conflict)])
        else:
            yield Rows(sentences(str(Contradiction(report.conflict))))
        return
    if len(report.solutions) > 1:
        yield _likeliest_rows(report)
    if report.new:
        by = () if report.supposed else (report.entries,)
        rows = [*quote(lines, by)] if lines else []
        rows += (("", line) for line in settled_lines(report))
        yield Rows(f"New with the {'last entry' if by else 'supposition'}", rows)


def likeliest(report: Report, most: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """
    Yield the likeliest solutions: for each its chance, in words, and its cards.

    `most` is the most that are yielded.
    """
    proved = len(report.solutions) == 1
    for cards, chance in report.solutions[:most]:
        yield chance_text(chance, proved=proved), cards


def _likeliest_rows(report: Report) -> Rows:
    """Return a table of the likeliest solutions."""
    rows = [
        (chance, ", ".join(report.table.printed(card) for card in cards))
        for chance, cards in likeliest(report, _TOP)
    ]
    if (more := len(report.solutions) - _TOP) > 0:
        rows.append(("", f"and {more:,} more"))
    return Rows("Likeliest solutions", rows)


def quote(lines: Sequence[str], entries: Iterable[int]) -> Iterator[tuple[str, str]]:
    """
    Yield the number and the line of each of some entries, as texts.

    Args:
        lines: The lines of the log.
        entries: The numbers of the entries, from 1. An entry beyond the log has an empty line.
    """
    for entry in entries:
        yield str(entry), lines[entry - 1] if entry <= len(lines) else ""


def settled_lines(report: Report) -> Iterator[str]:
    """Yield what the last entry settled: where a card is, and who cannot have which cards."""
    held = [fact for fact in report.new if fact.verdict == "holds"]
    placed = {fact.card for fact in held}
    out = [fact for fact in report.new if fact.verdict == "lacks" and fact.card not in placed]
    cards: dict[tuple[str, str], list[str]] = {}
    for fact in (*held, *out):
        verb = "has" if fact.verdict == "holds" else "lacks"
        cards.setdefault((fact.holder, verb), []).append(fact.card)
    for (holder, verb), names in cards.items():
        name = "the envelope" if holder == ENVELOPE else holder
        yield f"{name} {verb} {', '.join(names)}"
