"""The sheet on a page, with explanations of its cells, what-if questions and chances."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, product
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.answers.display import percent
from clue_solver.answers.opened import OpenedSheet
from clue_solver.answers.reasons import ReasonStep
from clue_solver.answers.report import Report
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, Impossible, listed, sentences
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.links import HELP
from clue_solver.faces.web.panel import Query, text_in
from clue_solver.game.game import Game
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import ENVELOPE, Table
from clue_solver.views import charts, reports
from clue_solver.views.document import Line, Rows, document, legend
from clue_solver.views.sentences import card_list, clause

_MOVED, _NAMED = 5, 3
"""From how many percentage points on a change is marked, and how many changes are named at most."""


class CardState(NamedTuple):
    """
    What is known for certain about a card.

    Attributes:
        name: `own` if the viewer has it; `known` if another player has it; `solved` if it is in the
            envelope; `excluded` if it is not there; `aside` if the dice do not allow it.
        sign, said: The holder of the card, as a sign and in words.
        colour: The colour of the holder.
    """

    name: str
    sign: str = ""
    said: str = ""
    colour: str = ""


class Grid(NamedTuple):
    """
    A sheet with the envelope as its first column.

    Attributes:
        rows: Each category, with the rows of its cards. A row begins with the envelope's cell.
        holders, colours: The holders whose columns it has, and the colours of the columns.
        moved: `up` or `down` for each card and holder whose chance a what-if clearly changes.
    """

    rows: Sequence[tuple[str, Sequence[charts.SheetRow]]]
    holders: tuple[str, ...]
    colours: Mapping[str, str]
    moved: Mapping[tuple[str, str], str]


class Explanation(NamedTuple):
    """
    Why a cell of the sheet is as it is.

    Attributes:
        heading: What is known of the card and holder, and the reasons, in sentences.
        sections: The reasons in rows, such as the entries that prove it.
        links: What-if questions about the cell, with the addresses that answer them.
    """

    heading: tuple[str, ...]
    sections: tuple[Rows, ...] = ()
    links: Sequence[tuple[str, str]] = ()


class SheetPane(NamedTuple):
    """
    The sheet on a page, and what was asked of it.

    Attributes:
        hidden: Whether the page gives too little help to show it.
        still: The address of the sheet with its what-if; empty if cells cannot be asked about.
        bare: Whether it shows only what is certain.
        banner: What the what-if supposes, or why that is impossible; empty if there is none, or if
            a cell is explained instead.
        upshot: How the what-if changes the chances of cards to be in the envelope.
        grid: The sheet; `None` if it is hidden, or if the entries contradict each other.
        legend, basis: What the signs mean, and on what the chances are based.
        sections: Further rows below the sheet.
        marked: The card and the holder of the cell that was asked about; empty texts if none was.
        cell: The explanation of that cell; `None` if none was asked for.
    """

    hidden: bool
    still: str = ""
    bare: bool = False
    banner: str = ""
    upshot: str = ""
    grid: Grid | None = None
    legend: str = ""
    basis: str = ""
    sections: tuple[Rows, ...] = ()
    marked: tuple[str, str] = ("", "")
    cell: Explanation | None = None


def sheet_pane(
    eyes: Eyes,
    report: Report | None,
    query: Query,
    draft: Draft,
    numbers: Sequence[str],
    *,
    level: int,
) -> SheetPane:
    """
    Return the sheet of a page. If its address asks for that, it has a what-if or an explanation.

    Args:
        eyes: The seat or recorder whose sheet it is.
        report: The report on the game; `None` if there is none.
        query: The values in the page's address.
        draft: The unfinished entry, which all links keep.
        numbers: For each entry of the page's notes, its number on all pages, as a text; empty for
            an entry that only this seat can see.
        level: How much help the page gives, as an index in `HELP`.
    """
    session, table = eyes.game, eyes.game.record.table
    seen = level >= HELP.index("sheet")
    supposed = text_in(query, "suppose") if seen else ""
    card, holder = text_in(query, "card"), text_in(query, "holder")
    # What would follow from what the address supposes.
    banner, upshot, drawn, game = "", "", report, session.game
    if supposed and report is not None:
        try:
            then = game.suppose(supposed)
            drawn, game = then.report(), then
            banner = f"Supposing {_claim(supposed, table)}."
            upshot = _upshot(report, drawn, _cell_in(supposed, table))
        except Impossible:
            banner = sentences(_claim(supposed, table, "can't have", "must have"))
        except ClueError as error:
            banner = str(error)
    # With little help, or if nothing is known, the sheet has no chances and explains nothing.
    still = draft.query(tab="sheet", suppose=supposed)
    if drawn is None or not drawn.consistent or not level:
        return SheetPane(not level, banner="" if card else banner)
    if not seen:
        signs = legend(rest="empty: not known yet")
        return SheetPane(False, bare=True, grid=sheet_grid(drawn), legend=signs)
    # The sheet with its chances, and what its signs mean.
    pane = SheetPane(False, still, banner="" if card else banner, upshot=upshot)
    grid = sheet_grid(drawn, report if upshot else None)
    signs, basis = legend(), f"The chances are {reports.basis(drawn)}."
    if OpenedSheet(drawn).seats:  # no chances stand in it then
        rows = chain.from_iterable(cards for _, cards in grid.rows)
        unsure = any(cell.verdict == "open" for row in rows for cell in row.cells)
        rest = f"{charts.UNKNOWN} may have it (stronger colour: likelier)" if unsure else ""
        signs, basis = legend(rest=rest), ""
    # Why a cell is so: the one in the address, or the one that is supposed.
    if not card:
        card, holder = _cell_in(supposed, table)
    cell = None
    if card in table.cards and holder in table.holders and not (upshot and pane.banner):
        cell = _explanation(session, game, (card, holder), draft, numbers)
        if upshot:
            cell = cell._replace(heading=(f"{banner} {cell.heading[0]}", *cell.heading[1:]))
    under = reports.sections(drawn, session.lines)
    return pane._replace(
        grid=grid,
        legend=signs,
        basis=basis,
        sections=tuple(with_numbers(each, numbers) for each in under),
        marked=(card, holder),
        cell=cell,
    )


def _cell_in(supposed: str, table: Table) -> tuple[str, str]:
    """
    Return the card and the holder in a what-if such as `Ben has Rope` or `Ben lacks Rope`.

    For any other text, return two empty texts.
    """
    for card, holder in product(table.cards, table.holders):
        if supposed in (f"{holder} has {card}", f"{holder} lacks {card}"):
            return card, holder
    return "", ""


def _claim(supposed: str, table: Table, has: str = "has", lacks: str = "doesn't have") -> str:
    """
    Return what a what-if supposes as a clause of a sentence, such as `Ben doesn't have the Rope`.

    A what-if that is not about one card and holder is returned as it is.

    Args:
        supposed: The what-if, such as `Ben lacks Rope`.
        table: The table.
        has: The verb for a holder who has the card.
        lacks: The verb for a holder who lacks it.
    """
    card, holder = _cell_in(supposed, table)
    if not card:
        return supposed
    verb = has if supposed == f"{holder} has {card}" else lacks
    return clause([holder], f"{verb} {card_list([card], table.edition)}", table.viewer)


def _upshot(report: Report, supposed: Report, about: tuple[str, str]) -> str:
    """
    Return a sentence that says which cards' chances to be in the envelope changed most.

    Args:
        report: The report without the what-if.
        supposed: The report with it.
        about: The card and the holder that the what-if is about; this cell is left out.
    """
    told, others = list[str](), [card for card in report.cards if (card, ENVELOPE) != about]
    moved = {card: _change(report, supposed, card, ENVELOPE) for card in others}
    most = sorted(moved, key=lambda card: -abs(moved[card]))[:_NAMED]
    for card in filter(moved.get, most):
        before, after = (percent(each.probability(card, ENVELOPE)) for each in (report, supposed))
        settled: str = supposed.verdict(card, ENVELOPE)
        after = {"holds": "certain", "lacks": "impossible"}.get(settled, f"{after}%")
        article = card_list([card], report.table.edition).removesuffix(card)
        name, verb = report.table.printed(card), "" if told else " goes"
        told.append(f"{article}{name}{verb} from {before}% to {after}")
    return f"In the envelope, {listed(told)}." if told else "The envelope hardly changes."


def _change(before: Report, after: Report, card: str, holder: str) -> int:
    """
    Return how much a chance changed between two reports, in whole percentage points.

    The chance is that a holder has a card. The result is 0 for a change that is too small to mark.

    Args:
        before, after: The reports.
        card: The card.
        holder: The holder.
    """
    change = round(after.probability(card, holder) * 100)
    change -= round(before.probability(card, holder) * 100)
    return change if abs(change) >= _MOVED else 0


def sheet_grid(report: Report, before: Report | None = None) -> Grid:
    """
    Return the sheet of a report.

    Args:
        report: The report.
        before: An earlier report; the chances that clearly changed since then are marked. `None` to
            mark nothing.
    """
    moved = {}
    if before is not None:
        for card, holder in product(report.cards, report.holders):
            if change := _change(before, report, card, holder):
                moved[card, holder] = "up" if change > 0 else "down"
    *seats, envelope = report.holders
    rows = [
        (kind, [row._replace(cells=(row.cells[-1], *row.cells[:-1])) for row in cards])
        for kind, cards in charts.sheet_rows(report)
    ]
    colours = charts.seat_colours(report.table) | {envelope: "inside"}
    return Grid(rows, (envelope, *seats), colours, moved)


def with_numbers(section: Rows, numbers: Sequence[str]) -> Rows:
    """
    Return a section of an explanation with entries numbered as on all pages, in two columns.

    Args:
        section: The section. Where the first column has the number of an entry, it is its number in
            the notes of this page.
        numbers: For each entry of these notes, its number on all pages, as a text; empty for an
            entry that only this seat can see, which gets `You:` in place of a number.
    """
    rows = [
        (
            numbers[int(label) - 1] or "You:" if label.isdecimal() else label,
            ": ".join(filter(None, texts)),
        )
        for label, *texts in section.rows
    ]
    return section._replace(rows=rows)


def renumber(step: ReasonStep, numbers: Sequence[str]) -> ReasonStep:
    """
    Return a step of an explanation with the numbers that entries have on all pages.

    `numbers` has this number for each entry of the page's notes; empty for those without one, which
    are left out.
    """
    told = [numbers[entry - 1] for entry in step.entries]
    entries = tuple(int(number) for number in told if number)
    cases = tuple(tuple(renumber(each, numbers) for each in case) for case in step.cases)
    return replace(step, entries=entries, cases=cases)


def _opened_explanation(
    session: Session, card: str, holder: str, numbers: Sequence[str]
) -> Explanation | None:
    """
    Return the explanation of a cell that logged hands prove; `None` if they do not prove it.

    Args:
        session: The notes of the page.
        card: The card of the cell.
        holder: The holder of the cell.
        numbers: For each entry of these notes, its number on all pages, as a text; empty for an
            entry that only this seat can see.
    """
    report, table = session.game.report(), session.record.table
    opened = OpenedSheet(report)
    hands = opened.proof(card, holder)
    if not hands:
        return None
    logged = zip(session.lines, numbers, session.record.observations, strict=True)
    seats = {hand.seat for hand in hands}
    rows = [
        (at, line) for line, at, each in logged if isinstance(each, Hand) and each.seat in seats
    ]
    title = "These entries prove it" if rows[1:] else "This entry proves it"
    verb = "has" if opened.verdict(card, holder) == "holds" else "doesn't have"
    heading = clause([holder], f"{verb} {card_list([card], table.edition)}", table.viewer)
    return Explanation((sentences(heading),), (Rows(title, rows),))


def _explanation(
    session: Session, game: Game, at: tuple[str, str], draft: Draft, numbers: Sequence[str]
) -> Explanation:
    """
    Return why a cell is as it is, with links to what-if questions.

    Args:
        session: The notes of the page.
        game: The game to explain, perhaps with a supposition.
        at: The card and the holder of the cell.
        draft: The unfinished entry, which the links keep.
        numbers: For each entry of the page's notes, its number on all pages, as a text; empty for
            an entry that only this seat can see.
    """
    card, holder = at
    if (known := _opened_explanation(session, card, holder, numbers)) is not None:
        return known
    try:
        reason = game.why(card, holder)
        steps = tuple(renumber(each, numbers) for each in reason.steps)
        reason = replace(reason, steps=steps)
        blocks = [*document(reason)]
    except ClueError as error:
        return Explanation((str(error),))
    links = [
        (
            f"What if {clause([holder], f'{verb} it', session.record.table.viewer)}?",
            draft.query(tab="sheet", suppose=f"{holder} {verdict} {card}"),
        )
        for verdict, verb in (("has", "has"), ("lacks", "doesn't have"))
        if reason.verdict == "open"
    ]
    sections = [each for each in blocks if isinstance(each, Rows)]
    if reason.moved[1:]:  # the entry that changed the chance most also stands first, alone
        most = document(replace(reason, moved=reason.moved[:1]))
        sections[:0] = [_without_chances(each) for each in most if isinstance(each, Rows)]
    heading = tuple(block.text for block in blocks if isinstance(block, Line))
    return Explanation(heading, tuple(with_numbers(each, numbers) for each in sections), links)


def _without_chances(section: Rows) -> Rows:
    """
    Return the rows about the entry that changed a chance most, without the chances.

    The last chance in these rows would not be the current one, which later entries changed, too.
    """
    rows = [(label, texts[-1]) for label, *texts in section.rows]
    return section._replace(title="What changed it most", rows=rows)


def card_states(report: Report, colours: Mapping[str, str]) -> dict[str, CardState]:
    """
    Return the state of each card whose place is certain, or which the envelope lacks.

    `colours` has the colour of each seat.
    """
    states = {}
    for card in report.cards:
        verdicts = {holder: report.verdict(card, holder) for holder in report.holders}
        holder = next((holder for holder, said in verdicts.items() if said == "holds"), None)
        if holder == ENVELOPE:
            states[card] = CardState("solved", "✉\ufe0e", "in the envelope")
        elif holder is not None:
            name = "own" if holder == report.viewer else "known"
            said = "yours" if holder == report.viewer else f"{holder} has it"
            sign = "yours" if holder == report.viewer else holder
            states[card] = CardState(name, sign, said, colours.get(holder, ""))
        elif verdicts[ENVELOPE] == "lacks":
            states[card] = CardState("excluded", said="not in the envelope")
    return states


def likeliest_cards(report: Report) -> Iterator[tuple[str, float, str]]:
    """Yield each category's likeliest card of the envelope: its name, chance and printed chance."""
    category = report.table.edition.category_of
    for _, cards in groupby(report.cards, category.__getitem__):
        chances = {card: report.probability(card, ENVELOPE) for card in cards}
        card = max(chances, key=chances.__getitem__)
        sure = report.verdict(card, ENVELOPE) == "holds"
        yield (
            report.table.printed(card),
            chances[card],
            "✓" if sure else percent(chances[card]),
        )
