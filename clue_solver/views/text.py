"""
The detective's sheet and the editions as text, for a terminal; what all such text is made of.

Sure marks and percentages differ in shape, never in colour alone. Names are shown as they were
typed: nothing in them is markup, and a table has none with control characters.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import NamedTuple, TypeVar

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from clue_solver.answers.display import percent, view
from clue_solver.answers.report import Report, Settled
from clue_solver.errors import Contradiction, counted, sentences
from clue_solver.rules.board import Board
from clue_solver.rules.edition import ClueCard, Edition
from clue_solver.rules.table import ENVELOPE, SPECTATOR
from clue_solver.views.charts import UNICODE, CellMarks, SheetCell, printed, rows

Page = TypeVar("Page", bound=Callable[..., RenderableType])


class Section(NamedTuple):
    """A title and the lines under it, each with a short label."""

    title: str
    lines: tuple[tuple[str, str], ...]


_TOP = 5
_LONGEST, _NARROWEST = 14, 4


def page(kind: type) -> Callable[[Page], Page]:
    """Register a drawing for a terminal, and make plain text of it, too."""

    def register(drawing: Page) -> Page:
        view(kind, "text")(lambda value: plain(drawing(value)))
        return drawing

    return register


@page(Report)
def sheet(
    report: Report, lines: Sequence[str] = (), *, width: int = 80, marks: CellMarks = UNICODE
) -> RenderableType:
    """Return the whole report for a terminal of so many columns, entries quoted from the lines."""
    parts: list[RenderableType] = [headline(report)]
    if report.consistent:
        parts += _grids(report, width, marks)
        parts.append(Text(legend(marks), "dim"))
    return Group(*parts, *drawn(sections(report, lines), alone="bold"))


@view(Report, "line")
def report_line(report: Report) -> str:
    """Return the headline of a report and, where nothing fits, why not, as one line."""
    clash = () if report.consistent else (str(Contradiction(report.conflict)),)
    return "; ".join((*headline(report).plain.splitlines(), *clash))


def plain(drawing: RenderableType, *, width: int = 80) -> str:
    """Return what a terminal of so many columns would show, as lines without any colour."""
    page = StringIO()
    console = Console(
        file=page,
        width=width,
        color_system=None,
        highlight=False,
        markup=False,
        emoji=False,
        force_jupyter=False,  # else rich displays it in a notebook and writes nothing
    )
    console.print(drawing)
    return "\n".join(line.rstrip() for line in page.getvalue().rstrip().split("\n"))


def legend(marks: CellMarks = UNICODE) -> str:
    """
    Return what the marks and numbers of a sheet mean.

    >>> from clue_solver.views.charts import ASCII
    >>> legend(ASCII)
    '* has it   . cannot have it   number: chance in percent'
    """
    return f"{marks.holds} has it   {marks.lacks} cannot have it   number: chance in percent"


RULES, HABITS = "by the rules alone", "by how people play"


def basis(report: Report) -> str:
    """
    Return what the chances of a report go by.

    >>> from clue_solver import load
    >>> basis(load("examples/evening.clue").report(asks="any"))
    'by the rules alone'
    """
    return RULES if report.left_out or report.asks == "any" else HABITS


def sections(report: Report, lines: Sequence[str] = ()) -> Iterator[Section]:
    """Yield what stands under a sheet, or where the log contradicts itself instead of it."""
    if report.consistent:
        yield _likeliest(report)
        if report.new:
            by = [entry for entry in dict.fromkeys(fact.entry for fact in report.new) if entry]
            rows = [
                *(quoted(lines, by) if lines else ()),
                *(("", line) for line in settled_lines(report)),
            ]
            yield Section(f"Settled by the {'last entry' if by else 'supposition'}", tuple(rows))
    elif not (report.conflict and lines):
        clash = str(Contradiction(report.conflict))
        yield Section(sentences(clash), ())
    else:
        yield Section("These entries cannot all be true", tuple(quoted(lines, report.conflict)))


def headline(report: Report) -> Text:
    """Return whose report it is and, where anything fits, how much is left open."""
    entries = counted(report.entries, "entry")
    who = onlooker(report.viewer)
    head = Text.assemble((report.table.edition.title, "bold"), f", seen by {who}, after {entries}")
    if report.supposed:
        head.append(f"\nsupposing that {' and '.join(report.supposed)}")
    if report.consistent:
        fit = "1 deal fits" if report.deals == 1 else f"{amount(report.deals)} deals fit"
        head.append(f"\n{report.bits:.2f} bits left, {fit}")
    if behaviour := behaviour_line(report):
        head.append(f"\n{behaviour}")
    return head


def onlooker(viewer: str | None) -> str:
    """Return what a sentence calls a viewer."""
    return f"a {SPECTATOR}" if viewer in (None, SPECTATOR) else str(viewer)


def behaviour_line(report: Report) -> str:
    """Return what is assumed of how people play and what that changes; empty where nothing is."""
    if report.left_out:
        return "how players ask does not count here: too much is open to sum it up"
    if not report.moved:
        return ""
    line = f"asks: {report.asks}"
    if report.levels:
        usual = sum(level * chance for level, chance in report.levels)
        line += f", own cards {usual:.2f} times as often"
    return f"{line}; solution changed by {report.moved:.2f} bits"


def amount(number: int) -> str:
    """
    Return a number that may be huge in a form that a person can read.

    >>> amount(1820), amount(589363479342733455360000)
    ('1,820', '5.9e23')
    """
    if number < 10**12:
        return f"{number:,}"
    return f"{float(number):.1e}".replace("e+", "e")


def _grids(report: Report, width: int, marks: CellMarks) -> Iterator[Grid]:
    """Yield the sheet in as many blocks of holders as the width asks for."""
    wanted = sum(max(cell_len(holder), _NARROWEST) + 1 for holder in report.holders)
    longest = max(
        cell_len(name) for kind, cards in rows(report, marks) for name in (kind, *dict(cards))
    )
    first = min(longest, max(_LONGEST, width - wanted - 1))
    room = max(width - first - 1, _NARROWEST + 1)
    block = room // (_NARROWEST + 1)
    for start in range(0, len(report.holders), block):
        holders = range(start, min(start + block, len(report.holders)))
        names = [report.holders[holder] for holder in holders]
        widths = [max(cell_len(name), _NARROWEST) for name in names]
        while sum(widths) + len(widths) > room:
            widths[widths.index(max(widths))] -= 1
        heads = [fitting(name, cells) for name, cells in zip(names, widths, strict=True)]
        yield _grid(report, dict(zip(holders, heads, strict=True)), marks, first)


def _grid(report: Report, heads: dict[int, str], marks: CellMarks, first: int) -> Grid:
    """Return the columns of the holders in `heads`, each under its heading."""
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, padding=0, show_edge=False)
    grid.add_column("", no_wrap=True, width=first)
    for head in heads.values():
        width = max(cell_len(head), _NARROWEST)
        grid.add_column(Text(head), justify="center", width=width)
    for kind, cards in rows(report, marks):
        grid.add_row(Text(fitting(kind, first), "bold italic"))
        for card, cells in cards:
            label = Text(fitting(card, first))
            grid.add_row(label, *(_drawn(cells[holder]) for holder in heads))
    return grid


def _drawn(cell: SheetCell) -> Text:
    match cell.verdict:
        case "holds":
            return Text(f" {cell.text} ", "bold reverse" if cell.inside else "bold green")
        case "lacks":
            return Text(f" {cell.text} ", "dim")
        case _:
            return Text(f"{cell.text:>3}", "bold" if cell.inside else "")


def fitting(text: str, room: int) -> str:
    """Return the text cut to so many terminal cells, with a mark where something is missing."""
    if cell_len(text) <= room:
        return text
    return set_cell_size(text, room - 1).rstrip() + "…"


def _likeliest(report: Report) -> Section:
    best = report.solutions[:_TOP]
    more = len(report.solutions) - len(best)
    lines = [
        (
            f"{percent(chance) if len(report.solutions) > 1 else '100'} %",
            ", ".join(printed(report, card) for card in cards),
        )
        for cards, chance in best
    ]
    if more:
        lines.append(("", f"and {more:,} more"))
    return Section("Likeliest solutions" if len(best) > 1 else "The solution", tuple(lines))


def drawn(sections: Iterable[Section], *, alone: str = "") -> Iterator[RenderableType]:
    """Yield sections, a blank line above each; `alone` is the style of a title without lines."""
    for title, lines in sections:
        yield Text()
        yield labelled(title, lines) if lines else Text(title, alone)


def labelled(title: str, lines: Iterable[tuple[str, str]]) -> RenderableType:
    """Return a heading over lines with a short label each; long lines wrap beside the label."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", no_wrap=True, min_width=6)
    grid.add_column()
    for label, line in lines:
        grid.add_row(Text(label), Text(line))
    return Group(Text(title, "bold"), grid)


def columns(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: Mapping[str, int | None]
) -> Grid:
    """Return a table of right-aligned numbers, and of `words` of some width at most that wrap."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for head in heads:
        if head in words:
            grid.add_column(max_width=words[head], overflow="fold")
        else:
            grid.add_column(justify="right", no_wrap=True)
    grid.add_row(*(Text(head, "dim") for head in heads))
    for row in rows:
        grid.add_row(*map(Text, row))
    return grid


def quoted(lines: Sequence[str], entries: Iterable[int]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        yield str(entry), lines[entry - 1] if entry <= len(lines) else ""


def settled_lines(report: Report) -> Iterator[str]:
    """Yield what was settled: each card that found its place, and who is out for which card."""
    held = [fact for fact in report.new if fact.verdict == "holds"]
    placed = {fact.card for fact in held}
    out = [fact for fact in report.new if fact.verdict == "lacks" and fact.card not in placed]
    yield from _by_holder(held, "has")
    yield from _by_holder(out, "lacks")


def _by_holder(facts: Iterable[Settled], verb: str) -> Iterator[str]:
    cards: dict[str, list[str]] = {}
    for fact in facts:
        cards.setdefault(fact.holder, []).append(fact.card)
    for holder, names in cards.items():
        name = "the envelope" if holder == ENVELOPE else holder
        yield f"{name} {verb} {', '.join(names)}"


def edition_list(editions: Iterable[Edition]) -> RenderableType:
    """Return a list of the editions: name, players, cards by category, what sets them apart."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for wrapped in (False, False, False, True):
        grid.add_column(no_wrap=not wrapped)
    for edition in editions:
        low, high = edition.players
        deck = "/".join(str(len(kind.cards)) for kind in edition.category)
        about = Text(edition.title, "bold").append(f" {edition.note}", "not bold")
        grid.add_row(Text(edition.name, "cyan"), f"{low}-{high}", deck, about)
    return grid


def edition_details(edition: Edition) -> RenderableType:
    """Return everything about one edition: deck with aliases, rules, board."""
    parts: list[RenderableType] = [Text(edition.title, "bold"), Text(edition.name, "cyan")]
    if edition.note:
        parts.append(Text(edition.note))
    for kind in edition.category:
        parts.append(Text(f"\n{kind.plural or kind.name}", "bold italic"))
        for card in kind.cards:
            others = [name for name in (card.title, *card.aliases) if name and name != card.name]
            line = Text(f"  {card.name}")
            if others:
                line.append(f"  ({', '.join(others)})", "dim")
            parts.append(line)
    parts.append(Text("\nrules", "bold italic"))
    parts += [Padding(Text(rule), (0, 0, 0, 2)) for rule in rules_of(edition)]
    return Group(*parts)


CLUE_CARDS: Mapping[ClueCard, str] = {
    "suspect": "whoever has the suspect that it names reveals it",
    "weapon": "whoever has the weapon that it names reveals it",
    "room": "whoever has the room that it names reveals it",
    "left": "everybody shows a card to the neighbour on the left",
    "all": "everybody shows a card to all",
    "one": "a player of your choice shows you a card",
    "move": "move to any room",
    "passage": "move to any room with a secret passage",
}
"""What the clue cards say, by their kinds."""


def rules_of(edition: Edition) -> Iterable[str]:
    """Yield the rules of an edition, a sentence each."""
    low, high = edition.players
    yield f"{low} to {high} players; the turn passes to the left"
    who = "everyone who can shows" if edition.answers == "all" else "the first who can shows"
    yield f"the neighbour on the asker's {edition.order} answers first; {who}"
    named = edition.named
    kinds = len(edition.category)
    of = f"of {named} of the {kinds} categories" if named < kinds else "one of each category"
    yield f"a suggestion names {counted(named, 'card')}, {of}"
    yield "own cards may be named"
    if edition.accuse_when == "last":
        bonus = " and the bonus die" if edition.bonus else ""
        yield f"an accusation comes last in a turn, after the suggestion{bonus}"
    elif edition.accuse_when == "after":
        yield "an accusation directly follows one's own suggestion"
    else:
        yield "an accusation may follow a suggestion in the same turn"
    if edition.accuse_in == "room":
        yield "an accusation is made standing in a room"
    if edition.first:
        yield f"{edition.first} has the first turn, or the next in the list who is played"
    if edition.adopts == "nearest":
        yield "everybody plays the piece that starts nearest"
    if edition.spare == "rooms":
        yield "the pieces that nobody plays stand in rooms"
    for players, count in edition.face_down.items():
        yield f"with {players} players {count} cards lie face-down in rooms; who enters looks"
    yield f"observed: {', '.join(edition.observes)}"
    if edition.features:
        yield f"the notch shows: {', '.join(edition.features)}"
    if edition.suspect_dice:
        yield f"{edition.suspect_dice} dice show suspects; a suggestion uses {named} of them"
    for face, effect in edition.dice.items():
        yield f"die, {face}: {effect}"
    if edition.board is not None:
        yield from _of_board(edition.board, edition.clues)


def _of_board(board: Board, clues: Sequence[ClueCard]) -> Iterator[str]:
    yield f"board: {board.dice} dice" if board.dice != 1 else "board: one die"
    if board.icon:
        yield "an icon on the dice counts 1 and draws a clue card"
    for clue, many in Counter(clues).items():
        yield f"clue card, {clue}{f' ({many} of them)' if many > 1 else ''}: {CLUE_CARDS[clue]}"
    if board.stay:
        yield "a player may stay in a room and suggest there again"
    else:
        called = ", unless called there by a suggestion" if board.called else ""
        yield f"a room is left before it is suggested in again{called}"
    if not board.short:
        yield "a move uses up the whole roll, unless it ends in a room"
    if board.out == "enters":
        yield "a wrong accuser before a door steps into the room"
    how = "after the dice are read" if board.passage == "after" else "instead of rolling"
    for a, b in board.passages:
        yield f"secret passage, taken {how}: {a} - {b}"
