"""
Notes kept elsewhere: pads and tables of suggestions read into a record, and written.

`import_notes` reads a CSV file, a workbook or a pandas frame and tells what it understood;
`export_pad` writes what a viewer can know as a detective's pad, cards down and holders across, and
`export_suggestions` the suggestions as a table.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec
from msgspec import Struct

from clue_solver.answers.report import Report, Verdict
from clue_solver.errors import (
    ArgumentError,
    Contradiction,
    NotationError,
    RecordError,
    counted,
    printable,
)
from clue_solver.exchange import sheets
from clue_solver.exchange.arranging import arranged
from clue_solver.exchange.columns import ROLES, roles_in
from clue_solver.exchange.grid import (
    Grid,
    decoded,
    grid_of,
    grid_of_frame,
    unquoted,
)
from clue_solver.exchange.imports import Imported, ImportOptions, Unclear, Unsaid
from clue_solver.exchange.layout import FACE_DOWN, MINE, OPEN, SIZES
from clue_solver.exchange.lines import holders_of_lines, read_lines
from clue_solver.exchange.marks import read_pad
from clue_solver.exchange.naming import card_column
from clue_solver.exchange.turns import read_turns
from clue_solver.game import Game
from clue_solver.knowledge.clauses import Clause, card_numbers
from clue_solver.knowledge.evidence import seen
from clue_solver.notation.canonical import format_answer
from clue_solver.notation.names import Names, words_of
from clue_solver.notation.places import passes
from clue_solver.record import is_jsonl, parse_record
from clue_solver.record.files import STDIN, content_of
from clue_solver.record.header import key_of, sizes_in, slots_in
from clue_solver.rules.edition import Answering, Edition, Side, load_edition, shipped_editions
from clue_solver.rules.observations import Accusation, Suggestion
from clue_solver.rules.table import ENVELOPE, Slot, Table

Listed = TypeVar("Listed")


def import_notes(
    source: str | Path | Any,
    *,
    edition: str | Edition | None = None,
    players: Sequence[str] = (),
    viewer: str | None = None,
    hands: str | Sequence[int | None] = (),
    face_up: Sequence[str] = (),
    face_down: str | Sequence[Slot] = (),
    order: Side | None = None,
    answers: Answering | None = None,
    hand: str = "",
    marks: Mapping[str, str] | None = None,
    names: str | None = None,
    mend: bool = False,
    leave: Sequence[str] = (),
    sheet: str | Sequence[str] = (),
    called: Mapping[str, str] | None = None,
) -> Imported:
    """
    Return what notes from elsewhere tell, as a record.

    A detective's pad has cards down and players across, or the other way round, or in blocks side
    by side, perhaps with the envelope. A table of suggestions has a row for each, in the order of
    play, and columns for who asked, the cards, who showed and what, or one for what each player
    answered. A record, in either of its forms, is checked and returned.

    Args:
        source: The path of a CSV file or a workbook (`.xlsx`, `.ods`; `-` is standard
            input), the text of one, which has more than one line, or a pandas frame.
        edition: A shipped edition's name, the path of an edition file, or an edition. If left out,
            the shipped edition whose names match most.
        players: The seats, clockwise. If left out, a pad's players in the order of the columns; a
            table of suggestions cannot do without.
        viewer: Whose notes these are; a pad whose columns do not say so cannot do without.
        hands: Hand sizes in the order of the players, `None` for one unknown; or `5, 5, ?`.
        face_up: Cards that lie open.
        face_down: Places of face-down cards; or `Ballroom, Pool 3`.
        order, answers: What overrides the edition's order of answering.
        hand: The viewer's own cards, with commas between; for a table of suggestions.
        marks: What marks on a pad mean: `has`, `lacks` or `maybe`, by the mark; besides `MARKS`. In
            a player's column of a table of suggestions `has` is shown and `lacks` is passed.
        names: The language of the cards' names, such as `de`, besides the edition's own names.
        mend: Whether a name that is spelt wrong is taken for the one name that is nearest.
        leave: The titles of columns and rows that are left aside.
        sheet: Which sheet of a workbook is meant; or several, which tell of one game.
        called: The cards and players that the notes call otherwise, by what they call them.

    Raises:
        Unclear: If the notes cannot be read as they stand: all that is wrong, with the places, and
            all that has to be said besides.
        RecordError: If they are no notes.
        ClueError: If what is said about them cannot be, or what is needed besides is not said.

    >>> import_notes("examples/pad.csv").record
    <Record: Clue; Ann, Ben, Cat, Dan; entries: 8>
    """
    options = ImportOptions(
        edition=load_edition(edition) if isinstance(edition, str) else edition,
        players=tuple(" ".join(player.split()) for player in players),
        viewer=viewer,
        hands=_listed("hands", hands, sizes_in),
        face_up=tuple(face_up),
        slots=_listed("face_down", face_down, slots_in),
        order=order,
        answers=answers,
        hand=hand,
        marks=marks or {},
        language=names,
        mend=mend,
        leave=tuple(leave),
        sheets=(sheet,) if isinstance(sheet, str) else tuple(sheet),
        called=called or {},
    )
    # A frame, or a file or text that says by its content what it is.
    if not isinstance(source, str | Path):
        return _from_grid(grid_of_frame(source), options)
    if isinstance(source, str) and "\n" in source:
        return _from_text(source, options, encoding="text", name="notes", beside=None)
    piped = str(source) == STDIN
    name = "standard input" if piped else str(source)
    content = content_of(source)
    if sheets.is_workbook(content):
        return _from_sheets(sheets.grids_of_workbook(content, name=name), options, name=name)
    text, encoding = decoded(content, name=name)
    beside = None if piped else Path(source).parent
    return _from_text(text, options, encoding=encoding, name=name, beside=beside)


def _listed(
    argument: str, said: str | Sequence[Listed], read: Callable[[str], tuple[Listed, ...]]
) -> tuple[Listed, ...]:
    """Return what an argument lists, as a header line does or one by one."""
    if not isinstance(said, str):
        return tuple(said)
    try:
        return read(said)
    except NotationError as error:
        raise ArgumentError(error.reason, argument=argument) from None


def _check_found(options: ImportOptions, cells: Iterable[str], *, name: str) -> None:
    """Refuse names that are meant otherwise or left aside, and do not stand in the notes."""
    told = " ".join(" ".join(map(words_of_text, cells)).split())
    for argument, texts in (("called", options.called), ("leave", options.leave)):
        for text in texts:
            if not _PLACE.fullmatch(text) and words_of_text(text) not in told:
                raise RecordError(
                    f"no '{printable(text)}' stands in these notes", path=name, argument=argument
                )


def words_of_text(text: str) -> str:
    return " ".join(words_of(text))


_PLACE = re.compile(r"(?:column [A-Z]+|row \d+)")


def _from_text(
    text: str, options: ImportOptions, *, encoding: str, name: str, beside: Path | None
) -> Imported:
    """Return what a text tells: a record, or rows of cells."""
    _check_found(options, [text], name=name)
    if options.sheets:
        raise ArgumentError("expected a workbook, which has sheets; found a text", argument="sheet")
    if _is_record(text, name):
        if options != ImportOptions():
            raise RecordError(
                "a record says edition, players and so on itself: leave them out",
                path=name,
            )
        record = parse_record(text, path=name, beside=beside)
        understood = f"a game record of {len(record.entries)} entries ({encoding})"
        return Imported(record=record, kind="record", understood=(understood,))
    if text.removeprefix("\ufeff").lstrip()[:1] in ("{", "["):
        raise RecordError("expected a table, lines or a record; found other JSON", path=name)
    lines = "\n".join(map(options.renamed, unquoted(text).splitlines()))
    if (told := read_lines(lines, options, name=name)) is not None:
        return told
    if (held := holders_of_lines(lines, options, name=name)) is not None:
        return _from_grid(held, options)
    return _from_grid(grid_of(text, name=name, encoding=encoding), options)


def _from_sheets(grids: Sequence[Grid], options: ImportOptions, *, name: str) -> Imported:
    """Return what the sheet that is said tells, or the only one with notes."""
    if not grids:
        raise RecordError("expected a sheet with notes; found none with anything in it", path=name)
    cells = (cell for grid in grids for row in grid.rows for cell in row)
    _check_found(options, cells, name=name)
    titled = {sheets.title_of(grid): grid for grid in grids}
    if options.sheets:
        chosen = [titled[Names("sheet", titled).find(sheet)] for sheet in options.sheets]
    else:
        chosen = [grid for grid in grids if _kind(grid, options)] or list(grids[:1])
    if len(chosen) > 1 and not options.sheets:
        names = tuple(map(sheets.title_of, chosen))
        listed = ", ".join(f"'{printable(title)}'" for title in names)
        question = Unsaid(
            "sheet", f"the sheets {listed} have notes: say which are of this game", names
        )
        raise Unclear((), [question], path=name)
    others = tuple(
        f"sheet '{printable(title)}', {len(grid.rows)} rows"
        for title, grid in titled.items()
        if grid not in chosen
    )
    imported = _from_grid(chosen[0], options)
    for grid in chosen[1:]:
        imported = _with_more(imported, grid, options)
    return msgspec.structs.replace(imported, aside=(*imported.aside, *others))


def _with_more(first: Imported, grid: Grid, options: ImportOptions) -> Imported:
    """Return what one more sheet tells of the game that the first ones are of."""
    table = first.record.table
    replace = msgspec.structs.replace
    said = replace(options, edition=table.edition, viewer=table.viewer)
    if roles_in(grid, said) is None:  # a pad: of suggestions who sits where is asked
        said = replace(said, players=table.seats)
    more = _from_grid(grid, said)
    if set(more.players) != set(table.seats):
        raise RecordError(
            f"expected the players {', '.join(table.seats)}; {grid.told} has "
            f"{', '.join(more.players)}",
            path=grid.name,
        )
    entries = (*first.record.entries, *more.record.entries)
    return replace(
        first,
        record=replace(first.record, entries=entries),
        kind=first.kind if first.kind == more.kind else "record",
        understood=(*first.understood, *more.understood),
        aside=(*first.aside, *more.aside),
        marks=(*first.marks, *more.marks),
    )


def _kind(grid: Grid, options: ImportOptions) -> bool:
    """Whether a grid is a table of suggestions or a pad."""
    if roles_in(grid, options) is not None:
        return True
    return card_column(arranged(grid, options), options) is not None


def _from_grid(grid: Grid, options: ImportOptions) -> Imported:
    if options.called:
        rows = tuple(tuple(map(options.renamed, cells)) for cells in grid.rows)
        grid = msgspec.structs.replace(grid, rows=rows)
        names = ", ".join(
            f"'{printable(name)}' is {meant}" for name, meant in options.called.items()
        )
        grid = msgspec.structs.replace(grid, told=f"{grid.told}, {names}")
    roles = roles_in(grid, options)
    if roles is not None:
        return read_turns(grid, roles, options)
    grid = arranged(grid, options)
    if card_column(grid, options) is None:
        _refuse_unknown(grid)
    if options.hand:
        raise ArgumentError("a pad shows the viewer's hand itself: leave it out", argument="hand")
    return read_pad(grid, options)


def _refuse_unknown(grid: Grid) -> NoReturn:
    """Say what was expected of a table that is neither a pad nor suggestions."""
    row = next((row for row in range(len(grid.rows)) if not grid.blank(row)), 0)
    titles = list(filter(None, grid.rows[row])) if grid.rows else []
    names = Names("column", (name for name, role in ROLES.items() if role != "aside"))
    near = [
        f"'{title}' may be meant for '{nearest[0]}'"
        for title in titles
        if (nearest := names.nearest(title)) and " ".join(words_of(title)) not in ROLES
    ]
    hint = f"; {near[0]}" if near else ""
    listed = ", ".join(titles[:8]) or "nothing"
    grid.refuse(
        "expected a pad (cards down the side, players across the top) or a table of suggestions "
        "(columns such as asker, suspect, weapon, room, shower, shown card); "
        f"{grid.where(row)} has {listed}{hint}"
    )


def _is_record(text: str, name: str) -> bool:
    """Whether a text is a record: by its header object or its first header line."""
    if is_jsonl(text):
        first = text.lstrip("\ufeff \t\r\n").partition("\n")[0]
        try:
            header = msgspec.json.decode(first)
        except msgspec.DecodeError:
            return True  # the record's own reader says what is wrong with it
        return isinstance(header, dict) and "event" in header
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    first = next(filter(None, lines), "")
    before, colon, _ = first.partition(":")
    return (bool(colon) and key_of(before) is not None) or name.endswith(".clue")


HAS, OPEN_CELL = "✓", "?"
_MARKS: dict[Verdict, str] = {"holds": HAS, "lacks": "·"}


class Pad(Struct, frozen=True, kw_only=True):
    """
    A pad to be written, or a table of suggestions.

    Attributes:
        rows: The cells, the header first. A pad has a shipped edition's name in its corner; an open
            cell has a `?`, or the numbers of the either-ors of its column: the holder has at least
            one of the cards with the same number.
        left_out: The entries that say more than it can hold: on a pad, that not all of some cards
            are in one place; in a table, whatever is neither a suggestion nor an accusation.

    >>> from clue_solver import export_pad, load
    >>> export_pad(load("examples/classic.clue")).rows[1]
    ('Scarlett', '✓', '·', '·', '·', '·')
    """

    rows: tuple[tuple[str, ...], ...]
    left_out: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<Pad: {counted(len(self.rows), 'row')} of {len(self.rows[0]) if self.rows else 0}>"

    def to_csv(self) -> str:
        """Return the pad as CSV, commas between the columns."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(self.rows)
        return text.getvalue()

    def to_workbook(self, ending: str = ".xlsx") -> bytes:
        """
        Return the pad as a workbook, `.xlsx` or `.ods`.

        Raises:
            MissingExtra: Without the library that writes it.
        """
        if ending not in (".xlsx", ".ods"):
            reason = f"ending: expected .xlsx or .ods; found {ending!r}"
            raise ArgumentError(reason, argument="ending")
        return sheets.workbook_of(self.rows, ending=ending, title="Clue")


def export_pad(game: Game, *, viewer: str | None = None, upto: int | None = None) -> Pad:
    """
    Return what a viewer can know of a game, as a pad.

    `import_notes` reads it back: everything certain and every open either-or survives.

    Args:
        game: The game.
        viewer: A seat's name, or `spectator`; the viewer of the header if left out.
        upto: How many entries count; all if left out.

    Raises:
        NotationError, ArgumentError: If there is no such viewer, or entry.
        TooLarge: As `Game.report`.
        Contradiction: If the entries cannot all be true.

    >>> from clue_solver import load
    >>> pad = export_pad(load("examples/evening.clue"), upto=9)
    >>> pad.rows[0]
    ('clue-classic', 'Ann (me)', 'Ben', 'Cat', 'Dan', 'envelope')
    """
    game = game.seen(viewer=viewer, upto=upto)
    report = game.report()
    if not report.consistent:
        raise Contradiction(report.conflict)
    known = game.deduction.knowledge.upto(len(game.observations))
    numbers, left_out = _either_ors(known.clauses, report)
    table = game.table
    # The header; a pad of a shipped edition says which.
    corner = table.edition.name if table.edition.name in shipped_editions() else "card"
    seats = [f"{seat} {MINE}" if seat == report.viewer else seat for seat in table.seats]
    slots = [f"{FACE_DOWN}{slot.name}" for slot in table.slots]
    rows = [[corner, *seats, *slots, ENVELOPE]]
    if table.face_up:
        rows[0].append(OPEN)
    if table.slots or any(size is not None for size in table.hands):
        sizes = table.hands or [None] * len(table.seats)
        counts = [*sizes, *(slot.count for slot in table.slots), len(table.edition.category)]
        rows.append([SIZES, *("?" if count is None else str(count) for count in counts)])
    for card, name in enumerate(report.cards):
        cells = [
            _MARKS.get(report.verdict(name, holder))
            or " ".join(map(str, numbers.get((card, place), OPEN_CELL)))
            for place, holder in enumerate(report.holders)
        ]
        rows.append([name, *cells])
    rows += ([name, *([""] * len(table.holders)), HAS] for name in table.face_up)
    width = len(rows[0])
    language, edition = table.language, table.edition
    rows = [[edition.printed(name, language), *cells] for name, *cells in rows]
    return Pad(rows=tuple((*row, *[""] * (width - len(row))) for row in rows), left_out=left_out)


def export_suggestions(game: Game, *, viewer: str | None = None, upto: int | None = None) -> Pad:
    """
    Return the suggestions and accusations of a game as a viewer saw them, a row for each.

    `import_notes` reads the table back, with the players, the viewer and the edition said.

    Args:
        game: The game.
        viewer: A seat's name, or `spectator`; the viewer of the header if left out.
        upto: How many entries count; all if left out.

    Raises:
        NotationError, ArgumentError: If there is no such viewer, or entry.
    """
    game = game.seen(viewer=viewer, upto=upto)
    table = game.table
    kinds = [kind.name for kind in table.edition.category]
    rows = [("asker", *kinds, "passes", "shower", "card shown", "accusation", "comment")]
    left_out: list[int] = []
    for number, entry in enumerate(game.record.entries, 1):
        observation = seen(entry.observation, table=table, viewer=table.viewer)
        if observation is not None and not isinstance(observation, Suggestion | Accusation):
            left_out.append(number)
        if not isinstance(observation, Suggestion | Accusation):
            continue
        named_by = {table.edition.category_of[card]: card for card in observation.cards}
        cards = [
            table.edition.printed(named_by[kind], table.language) if kind in named_by else ""
            for kind in kinds
        ]
        rows.append((observation.by, *cards, *_answer_cells(observation, table), entry.comment))
    return Pad(rows=tuple(rows), left_out=tuple(left_out))


def _answer_cells(observation: Suggestion | Accusation, table: Table) -> tuple[str, str, str, str]:
    """Return who passed, who showed, which cards, and how an accusation ended."""
    if isinstance(observation, Accusation):
        return "", "", "", "right" if observation.right else "wrong"
    others = [answer for answer in observation.answers if answer.seat and answer.answer != "shows"]
    passed = [format_answer(answer).replace(" passes", "") for answer in others]
    shows = [answer for answer in observation.answers if answer.answer == "shows"]
    if observation.answers == passes(table.answering(observation.by)):
        return "", "nobody", "", ""
    if not shows:
        return ", ".join(passed), "?", "", ""
    printed = (
        table.edition.printed(answer.card, table.language) if answer.card else "?"
        for answer in shows
    )
    cards = ", ".join(printed) if any(answer.card for answer in shows) else ""
    return ", ".join(passed), ", ".join(answer.seat or "" for answer in shows), cards, ""


def _either_ors(
    clauses: Sequence[Clause], report: Report
) -> tuple[dict[tuple[int, int], tuple[int, ...]], tuple[int, ...]]:
    """
    Return the numbers of the open either-ors by card and holder, and the entries left out.

    An either-or is open where none of its cards is known to lie there; it is told by the cards
    that still can, unless another one says more.
    """
    open_of: dict[int, set[frozenset[int]]] = {}
    left_out: set[int] = set()
    for clause in clauses:
        cards = card_numbers(clause.cards)
        column = report.verdicts[cards, clause.holder]
        can = frozenset(card for card, verdict in zip(cards, column, strict=True) if verdict != 2)
        if clause.has and not any(column == 1):
            open_of.setdefault(clause.holder, set()).add(can)
        elif not clause.has and not any(column == 2):
            left_out.update(clause.entries)
    numbers: dict[tuple[int, int], tuple[int, ...]] = {}
    for holder, groups in open_of.items():
        least = [group for group in groups if not any(other < group for other in groups)]
        for number, group in enumerate(sorted(least, key=sorted), 1):
            for card in group:
                numbers[card, holder] = (*numbers.get((card, holder), ()), number)
    return numbers, tuple(sorted(left_out))
