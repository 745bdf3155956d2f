"""
Answers as documents made of blocks, drawn by rich in a terminal, and as HTML on a page.

A view function yields the blocks for each kind of answer; text and HTML are made from these. Names
are printed as they were typed, never read as markup.
"""

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any, NamedTuple

from markupsafe import Markup, escape
from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clue_solver.answers.display import draw, view
from clue_solver.answers.report import Report
from clue_solver.views.charts import ASCII, UNICODE, CellMarks, Chart, SheetCell, sheet_rows


class Line(NamedTuple):
    """A line of text; its style is `bold`, `dim` or empty."""

    text: str
    style: str = ""


class Rows(NamedTuple):
    """
    A table with a title, or a list, whose rows are a label and a text.

    Attributes:
        title: The title above it.
        rows: The cells, row by row.
        heads: The headings of the columns; empty for a list.
        words: The indices of the columns of text, which wrap; all others hold numbers.
    """

    title: str
    rows: Sequence[Sequence[str]] = ()
    heads: Sequence[str] = ()
    words: Sequence[int] = (1,)


Block = Line | Rows | Report | Chart
"""A part of a document; a report stands for its sheet."""

STYLE = """\
.clue-solver{line-height:1.4;overflow-x:auto}
.clue-solver p{margin:.3em 0;max-width:60em}
.clue-solver .scroll{overflow-x:auto}
.clue-solver .title{font-weight:bold;margin-top:.8em}
.clue-solver .dim{opacity:.7;white-space:pre-wrap}
.clue-solver table{border-collapse:collapse;table-layout:auto;border:0;margin:.3em 0;
color:inherit;font-size:1em}
.clue-solver tbody tr{background:none!important}
.clue-solver table th,.clue-solver table td{border:0;padding:.08em .55em;color:inherit;
font-weight:normal;text-align:center;vertical-align:baseline;white-space:nowrap}
.clue-solver table thead th{font-weight:bold;border-bottom:1px solid currentColor}
.clue-solver table .words,.clue-solver table tbody th{text-align:left}
.clue-solver table td.words{white-space:normal;max-width:46em}
.clue-solver table .number{text-align:right;font-variant-numeric:tabular-nums}
.clue-solver table .kind th{font-weight:bold;font-style:italic;padding-top:.5em}
.clue-solver table td.holds{font-weight:bold;background:rgba(0,158,115,.35)}
.clue-solver table td.lacks{opacity:.5}
.clue-solver figure{margin:.5em 0}
.clue-solver figcaption span{display:inline-block;margin-right:1.2em;white-space:nowrap}
.clue-solver svg{max-width:100%;height:auto;color:inherit}
.clue-solver svg.chart{width:100%;max-width:42em}
"""
"""
The CSS of an answer in a page. It uses the page's text colour and translucent backgrounds, so that
it is readable with any theme.
"""

_LONGEST, _NARROWEST = 14, 4
"""In terminal cells, the width kept for cards' names, and the least of a holder's column."""

_DEEPEST = 0.55
"""The opacity of the background of a cell whose card is almost certainly there."""


def document(answer: object, **options: Any) -> Iterator[Block]:
    """
    Yield the blocks that show an answer, such as advice or a report.

    Args:
        answer: The answer.
        options: Arguments of the function that makes the blocks of this kind of answer, such as
            `explain` of `advice_document`.
    """
    yield from draw(answer, "document", **options)


@view(object, "text")
def plain(answer: object, *, width: int = 80) -> str:
    """Return an answer as lines of plain text, `width` columns wide."""
    page = StringIO()
    # In a notebook rich would display it and write nothing.
    console = Console(file=page, width=width, color_system=None, force_jupyter=False)
    console.print(render(answer))
    return "\n".join(line.rstrip() for line in page.getvalue().rstrip().split("\n"))


@view(object, "html")
def notebook(answer: object) -> str:
    """Return an answer as HTML for a notebook, with its own style."""
    inside = as_html(document(answer))
    return f'<style>{STYLE}</style><div class="clue-solver">{inside}</div>'


def render(answer: object, **options: Any) -> "DrawnBlocks":
    """
    Return an answer in a form that rich prints in a terminal.

    Args:
        answer: The answer.
        options: Arguments of the function that makes the blocks of this kind of answer, such as
            `explain` of `advice_document`.
    """
    return DrawnBlocks(document(answer, **options))


class DrawnBlocks:
    """
    Blocks in a form that rich prints, as wide as the terminal and with marks that it can show.

    Charts are left out.
    """

    def __init__(self, blocks: Iterable[Block]) -> None:
        self.blocks = tuple(blocks)

    def __rich_console__(
        self, _console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        for number, block in enumerate(self.blocks):
            if isinstance(block, Rows) and number:
                yield ""
            match block:
                case Line(text, style):
                    yield Text(text, style)
                case Rows(title, ()):
                    yield Text(title)
                case Rows(title):
                    yield Text(title, "bold")
                    yield _grid(block)
                case Report():
                    marks = ASCII if options.ascii_only else UNICODE
                    yield from _sheet(block, options.max_width, marks)
                    yield Text(legend(marks), "dim")


def legend(marks: CellMarks = UNICODE, rest: str = "number: chance in %") -> str:
    """
    Return what the marks of a sheet mean; `rest` says what stands in its other cells.

    >>> from clue_solver.views.charts import ASCII
    >>> legend(ASCII)
    '* has it   . cannot have it   number: chance in %'
    """
    signs = f"{marks.holds} has it", f"{marks.lacks} cannot have it", rest
    return "   ".join(filter(None, signs))


def _grid(block: Rows) -> Grid:
    """Return a table with numbers aligned right, and wrapped text aligned left."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for column in range(max(map(len, (block.heads, *block.rows)), default=0)):
        if column in block.words:
            grid.add_column(overflow="fold")
        else:
            label = 0 if block.heads or column else 6
            grid.add_column(justify="right", min_width=label)
    if block.heads:
        grid.add_row(*(Text(head, "dim") for head in block.heads))
    for row in block.rows:
        grid.add_row(*map(Text, row))
    return grid


def _sheet(report: Report, width: int, marks: CellMarks) -> Iterator[Grid]:
    """
    Yield the sheet, split into several tables if not all holders fit side by side.

    Args:
        report: The report.
        width: The width of the terminal, in columns.
        marks: The signs for certain cells.
    """
    block = max(1, (width - _LONGEST - 1) // (_NARROWEST + 1))
    for start in range(0, len(report.holders), block):
        grid = Grid(box=SIMPLE_HEAD, pad_edge=False, padding=0, show_edge=False)
        grid.add_column("")
        for holder in report.holders[start : start + block]:
            grid.add_column(_one_line(holder), justify="center", min_width=_NARROWEST)
        for kind, rows in sheet_rows(report, marks):
            grid.add_row(_one_line(kind, "bold italic"))
            for row in rows:
                marked = map(_cell, row.cells[start : start + block])
                grid.add_row(_one_line(row.name), *marked)
        yield grid


def _one_line(name: str, style: str = "") -> Text:
    """Return a name as text that is cut, not wrapped, if its column is too narrow."""
    return Text(name, style, no_wrap=True, overflow="ellipsis")


def _cell(cell: SheetCell) -> Text:
    """Return a cell of the sheet. Marks and percentages differ in shape, not only in colour."""
    match cell.verdict:
        case "holds":
            return Text(f" {cell.text} ", "bold reverse" if cell.in_envelope else "bold green")
        case "lacks":
            return Text(f" {cell.text} ", "dim")
        case _:
            return Text(f"{cell.text:>3}", "bold" if cell.in_envelope else "")


def as_html(blocks: Iterable[Block]) -> Markup:
    """Return blocks as HTML with all text escaped."""
    return Markup("\n").join(map(_html, blocks))


def _html(block: Block) -> Markup:
    """Return a block as HTML."""
    match block:
        case Line(text, "bold"):
            return Markup("<p><strong>{}</strong></p>").format(text)
        case Line(text, style):
            return Markup('<p class="{}">{}</p>').format(style, text)
        case Rows(title, ()):
            return Markup("<p>{}</p>").format(title)
        case Rows(title, lines, heads, words):
            kinds = ["words" if n in words else "number" for n in range(len((*heads, *lines[0])))]
            head = _row("th scope=col", heads, kinds) if heads else ""
            body = Markup("").join(_row("td", line, kinds) for line in lines)
            return Markup(
                '<p class="title">{}</p><div class="scroll" tabindex="0" role="group" '
                'aria-label="{}"><table>{}<tbody>{}</tbody></table></div>'
            ).format(title, title, Markup("<thead>{}</thead>").format(head) if head else "", body)
        case Report():
            return _html_sheet(block)
        case _:
            from clue_solver.views.html import chart_section  # only pages need its templates

            return Markup('<p class="title">{}</p>{}').format(block.title, chart_section(block))


def _row(tag: str, cells: Sequence[str], kinds: Sequence[str]) -> Markup:
    """Return a table row of `th` or `td` cells; `kinds` has the class of each cell."""
    name = tag.partition(" ")[0]
    return Markup("<tr>{}</tr>").format(
        Markup("").join(
            Markup(f'<{tag} class="{{}}">{{}}</{name}>').format(kind, cell)
            for cell, kind in zip(cells, kinds, strict=False)
        )
    )


def _html_sheet(report: Report) -> Markup:
    """Return the sheet as HTML; a likelier card has a stronger background."""
    heads = Markup("").join(
        Markup("<th scope=col>{}</th>").format(holder) for holder in report.holders
    )
    body = Markup("")
    for kind, rows in sheet_rows(report):
        body += Markup('<tr class="kind"><th colspan="{}">{}</th></tr>').format(
            len(report.holders) + 1, kind
        )
        for row in rows:
            drawn_cells = Markup("").join(map(_html_cell, row.cells))
            body += Markup("<tr><th scope=row>{}</th>{}</tr>").format(row.name, drawn_cells)
    return Markup(
        '<table><thead><tr><td></td>{}</tr></thead><tbody>{}</tbody></table><p class="dim">{}</p>'
    ).format(heads, body, legend())


def _html_cell(cell: SheetCell) -> Markup:
    """Return a cell of the sheet as HTML."""
    if cell.verdict != "open":
        return Markup('<td class="{}">{}</td>').format(cell.verdict, cell.text)
    text = (
        Markup("<strong>{}</strong>").format(cell.text) if cell.in_envelope else escape(cell.text)
    )
    tint = f"{cell.chance * _DEEPEST:.2f}"
    return Markup('<td style="background:rgba(30,130,210,{})">{}</td>').format(tint, text)
