"""
Imports notes that people or other programs wrote as a game record.

The user confirms what is guessed about the notes, and is asked about the rest.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, Written
from clue_solver.errors import ArgumentError, ClueError, RecordError, counted, printable
from clue_solver.exchange import tables, terms
from clue_solver.exchange.columns import ColumnLayout
from clue_solver.exchange.deck import OWN, Deck, deck_of
from clue_solver.exchange.findings import Findings, ImportHints, ImportQuestion, first_lines
from clue_solver.exchange.lines import LineNotes
from clue_solver.exchange.logs import LogFinder, LogNotes
from clue_solver.exchange.own_hand import find_own_cards
from clue_solver.exchange.pads import PadNotes, lines_of_list
from clue_solver.exchange.parts import Part, is_one_game, pad_beside, parts_of
from clue_solver.exchange.people import People, table_of
from clue_solver.exchange.tables import Sheet
from clue_solver.notation.checks import normalise
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.notation.reader import parse_line
from clue_solver.record.contents import Entry, Record
from clue_solver.record.files import STDIN, content_of, parse_record
from clue_solver.record.header import key_of
from clue_solver.record.jsonl import is_jsonl
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Table
from clue_solver.rules.turns import TurnState

Kind = Literal["pad", "list", "suggestions", "lines", "mixed", "record"]
_MOST_LINES, _SAMPLES = 25, 3
"""How many faults, and how many sample rows, are shown at most."""
_NEAR = 0.7
"""How similar a cell must be to be suggested in place of a hint that fits nothing."""
_NO_TABLE = (
    "expected a pad (cards down, players across), suggestions (columns such as asker, suspect, "
    "weapon, room, shower) or lines of text; found none: say what each column is"
)


class Unclear(RecordError):
    """
    The notes cannot be imported until the user answers some questions.

    Attributes:
        faults: What is wrong with the notes, as messages that name the place.
        questions: The questions that the user has to answer or confirm.
        understood: Lines that describe what was read, with samples.
        items: All questions and guesses, including those that need no confirmation.
        aside: Descriptions of what was left out.
    """

    def __init__(self, findings: Findings, understood: Sequence[str] = (), path: str = "") -> None:
        self.faults = tuple(dict.fromkeys(findings.faults))
        self.questions = findings.questions
        self.understood = tuple(understood)
        self.items = findings.shown_items
        self.aside = tuple(findings.aside)
        argument = self.questions[0].argument if len(self.questions) == 1 else ""
        texts = [*self.faults, *(question.text for question in self.questions)]
        super().__init__(first_lines(texts, _MOST_LINES), argument=argument)
        self.path = path


class Imported(AnswerValue, frozen=True, kw_only=True):
    """
    Notes that were imported as a record.

    Attributes:
        record: The record.
        kind: The kind of notes: a pad, a list of cards and their holders, a table of suggestions,
            lines of text, several of these (`mixed`), or a record.
        understood: Lines that describe what was read, with samples.
        aside: Descriptions of what was left out.
        items: All guesses about the notes, including those that need no confirmation.

    >>> from clue_solver import import_notes
    >>> columns = ["card", "Ann", "Ben", "Cat", "Dan", "envelope", "remark"]
    >>> said = {"columns": columns, "marks": {"numbers": "either-or"}}
    >>> notes = import_notes("examples/pad.csv", edition="clue-classic", **said)
    >>> notes.kind, notes.players, notes.entries
    ('pad', ('Ann', 'Ben', 'Cat', 'Dan'), 8)
    """

    record: Record
    kind: Kind
    understood: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    items: tuple[ImportQuestion, ...] = ()

    written: ClassVar[Written] = Written(
        schema=1,
        also=("edition", "players", "viewer", "entries"),
        without=("record",),
    )

    @property
    def questions(self) -> tuple[ImportQuestion, ...]:
        """The guesses that the user has not stated or confirmed."""
        return tuple(item for item in self.items if not item.sure)

    @property
    def edition(self) -> str:
        """The name of the record's edition."""
        return self.record.table.edition.name

    @property
    def players(self) -> tuple[str, ...]:
        """The record's players, clockwise."""
        return self.record.table.seats

    @property
    def viewer(self) -> str | None:
        """The player whose notes these are; `None` for a spectator."""
        return self.record.table.viewer

    @property
    def entries(self) -> int:
        """The number of entries of the record."""
        return len(self.record.entries)


def import_notes(
    source: str | Path | Any,
    *,
    edition: str | Edition | None = None,
    players: Sequence[str] = (),
    viewer: str | None = None,
    hand: str = "",
    header: Sequence[str] = (),
    columns: Sequence[str] | Mapping[str, str] = (),
    marks: Mapping[str, str] | None = None,
    called: Mapping[str, str] | None = None,
    leave: Sequence[str] = (),
    sheet: str | Sequence[str] = (),
    names: str | None = None,
    guess: bool = False,
) -> Imported:
    """
    Import notes written by people or by other programs, and return them as a game record.

    The notes can be a detective's pad with cards down and players across, or the other way round; a
    table with a suggestion in each row, in the order of play; or sentences with a suggestion in
    each line. A record, in either of its formats, is checked and returned.

    Args:
        source: The path of a CSV file or workbook (`.xlsx`, `.ods`), `-` for standard input, a text
            of several lines in place of a file, or a pandas frame.
        edition: A shipped edition's name, the path of an edition file, or an edition.
        players: The seats, clockwise.
        viewer: Whose notes these are; a `spectator`'s ticks are cards revealed to everybody.
        hand: The viewer's own cards, separated by commas; for notes of suggestions.
        header: More about the table, as lines of a record's header: `hands: 5, 5, ?`,
            `face-up: White`, `order: right`.
        columns: What the columns mean: all of them in order, or some by title or letter: `card`,
            `holder`, `lacks` (who does not have the card), `envelope`, `face-up`, `asker`,
            `cards`, `shower`, `shown`, `passes`, `answers`, `kind`, `verdict`, `remark`, `aside`,
            a player's name, or `not Ann`.
        marks: What marks mean: `has`, `lacks`, `maybe`, `nothing`, `either-or`, or `asks` (only in
            tables of suggestions); the key `numbers` stands for all numbers.
        called: The names of cards and players for what the notes call them:
            `{"Scar": "Scarlett"}`.
        leave: The rows to leave out, by label, or as `row 12`. If it is the row of a card, only its
            ticks are left out.
        sheet: The sheet of a workbook to read, or several sheets about the same game.
        names: The language of the card names, such as `de`, in addition to the edition's own names;
            `own` for the edition's names alone.
        guess: Whether to accept all guesses without confirmation.

    Raises:
        Unclear: If the notes cannot be read as they stand, or something was guessed.
        RecordError: If the source has no notes.
        ClueError: If an argument does not fit the notes.

    >>> marks = {"numbers": "either-or"}
    >>> import_notes("examples/pad.csv", edition="clue-classic", marks=marks, guess=True).record
    <Record: Clue; Ann, Ben, Cat, Dan; entries: 8>
    """
    # What the caller says about the notes.
    by_title = columns if isinstance(columns, Mapping) else {}
    hints = ImportHints(
        edition=load_edition(edition) if isinstance(edition, str) else edition,
        players=tuple(" ".join(player.split()) for player in players),
        viewer=viewer,
        hand=hand,
        header=tuple(header),
        columns=by_title,
        every_column=() if by_title else tuple(columns),
        marks=marks or {},
        called=called or {},
        leave=tuple(leave),
        sheets=(sheet,) if isinstance(sheet, str) else tuple(sheet),
        names=names,
    )
    # A frame or a workbook is a table; all else is text.
    if not isinstance(source, str | Path):
        return _Importer(hints, "the frame", guess).read([tables.sheet_of_frame(source)])
    text, encoding, name, beside = str(source).removeprefix("\ufeff"), "text", "notes", None
    if "\n" not in text:
        name = "standard input" if text == STDIN else text
        beside = None if text == STDIN else Path(source).parent
        content = content_of(source)
        if content.startswith(b"PK\x03\x04"):
            return _Importer(hints, name, guess).read(tables.sheets_in(content, name=name))
        text, encoding = tables.decode(content, name=name)
    # A text is a record, or else a table or lines.
    if hints.sheets:
        raise ArgumentError("expected a workbook, which has sheets; found text", argument="sheet")
    if _is_record(text, name):
        if hints != ImportHints():
            reason = "a record already states the edition, the players and so on: leave them out"
            raise RecordError(reason, path=name)
        record = parse_record(text, path=name, beside=beside)
        understood = f"a game record of {counted(len(record.entries), 'entry')} ({encoding})"
        return Imported(record=record, kind="record", understood=(understood,))
    if text.lstrip()[:1] in ("", "<", "{"):
        raise RecordError("expected a table, lines or a record; found none", path=name)
    whole = tables.sheet_of_text(text, encoding)
    return _Importer(hints, name, guess).read([whole], tables.lines_in(text), encoding)


def _is_record(text: str, name: str) -> bool:
    """Return whether a text is a record, judged by its first lines and by the name of its file."""
    if is_jsonl(text):
        return True
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    keys = takewhile(bool, (key_of(line.partition(":")[0]) for line in lines if line))
    return "edition" in keys or name.endswith(".clue")  # other notes may begin with `players:`


def _space_out(text: str) -> str:
    """
    Return the words, numbers and signs of a text, with spaces around each.

    >>> _space_out("3x, no?")
    ' 3 x , no ? '
    """
    parts = re.findall(r"[^\W\d_]+|\d+|[^\w\s]|_", text)
    return f" {' '.join(parts)} "


class _Importer:
    """
    Imports the notes of one source.

    Args:
        hints: What the user states about the notes.
        name: What messages call the source, such as its path.
        guess: Whether to accept all guesses without confirmation.
    """

    def __init__(self, hints: ImportHints, name: str, guess: bool) -> None:
        self.name = name
        self.guess = guess
        self.findings = Findings(hints)
        self.shown: list[str] = []
        self.table: Table | None = None
        self.entries: list[Entry] = []
        self.kinds: set[Kind] = set()

    def read(self, sheets: Sequence[Sheet], texts: Sequence[str] = (), where: str = "") -> Imported:
        """
        Import the notes.

        Args:
            sheets: The sheets of a workbook, or a text read as one table.
            texts: The lines of a text, which may be sentences rather than a table.
            where: What the lines are from, for the user: the encoding of the text.
        """
        sheets = [sheet for sheet in sheets if sheet.rows]
        cells = [cell for sheet in sheets for row in sheet.rows for cell in row]
        self._check_hints(sheets, [*cells, *texts])
        rows = [", ".join(filter(None, row)) for sheet in sheets for row in sheet.rows]
        corners = {row[0] for sheet in sheets for row in sheet.rows if ENVELOPE in row}
        deck = deck_of(texts or cells, self.findings, corners)
        if deck.edition.name not in corners:  # an exported pad says all in its own form
            find_own_cards(rows, deck, self.findings)
        parts = [part for sheet in sheets for part in parts_of(sheet, deck, self.findings)]
        if any(part.tables for part in parts):
            beside = [part.sheet for part in parts if not part.tables]
            find_own_cards([line for each in beside for line in each.lines()], deck, self.findings)
        prose = texts and not self.findings.hints.every_column and any(map(deck.cards_in, texts))
        if prose and not any(part.is_sound for part in parts):
            if table := self._table_of(deck, self.findings.hints.players, ()):
                notes = LineNotes(texts, table, deck, self.findings)
                self._add_notes(notes, where, "lines")
            return self._finish()
        chosen = self._choose_sheets(parts, sheets)
        # Each table is looked for once more, because a pad that was read says who plays.
        for sheet, pad, log in chosen:
            if pad and (pad := pad_beside(log, sheet, deck, self.findings)):
                self._read_layout(pad, sheet.origin)
        for sheet, _, log in chosen:
            if log and (log := LogFinder(sheet, deck, self.findings).find()):
                self._read_layout(log, sheet.origin)
        for part in chosen:
            self._read_sentences(part.sheet, deck)
            used = (words_of(line) in self.findings.used for line in part.sheet.lines())
            if not part.tables and not any(used):
                self.findings.aside.append(part.sheet.origin)
        return self._finish()

    def _choose_sheets(self, parts: Sequence[Part], sheets: Sequence[Sheet]) -> list[Part]:
        """Return the parts in the sheets that the user names; by default, those with a table."""
        titles = [sheet.title for sheet in sheets]
        asked = self.findings.hints.sheets
        named = [Names("sheet", titles).find(title) for title in asked] or titles
        found = [part for part in parts if part.sheet.title in named and part.tables]
        found = [part for part in found if part.is_sound] or found
        read = [*dict.fromkeys(part.sheet.title for part in found)]
        if not read:
            self.findings.faults.append(_NO_TABLE)
            return []
        if len(read) > 1 and not asked:
            one = is_one_game([table for each in found for table in each.tables], self.findings)
            text = f"which of the sheets {joined(read, 'and')} belong to this game?"
            guess = ", ".join(read) if one else ""
            self.findings.ask("sheet", text, "", guess, choices=tuple(read))
            if not one:
                return []
        unread = [title for title in titles if title not in read]
        self.findings.aside += [f"sheet '{printable(title)}'" for title in unread]
        return [each for each in parts if each in found or not each.tables]

    def _read_sentences(self, sheet: Sheet, deck: Deck) -> None:
        """Read the sentences beside a table; those that cannot be read are left out."""
        for row, cells in enumerate(sheet.rows):
            text = "".join(cells)
            if self.table is None or self.table.viewer is None or sum(map(bool, cells)) != 1:
                continue
            if self.findings.hints.leaves(row, text):
                continue
            alone = Findings(self.findings.hints, self.findings.used)
            notes = LineNotes([text], self.table, deck, alone)
            notes.read()
            if alone.items.keys() <= self.findings.items.keys() and not alone.faults:
                self.entries += notes.entries
                self.findings.take_back(row, text)
                self.shown += [f"  {printable(sample, most=120)}" for sample in notes.samples]

    def _read_layout(self, layout: ColumnLayout, where: str) -> None:
        """
        Read a table: a pad, suggestions, or a list of cards and their holders.

        `where` says for the user which file or sheet it is from.
        """
        if layout.kind == "pad":
            self._add_notes(PadNotes(layout, self.findings), where, "pad")
            return
        players = self.findings.hints.players or layout.players
        askers = (layout.text("asker", row) for row, _ in layout.rows())
        table = self._table_of(layout.deck, players, askers)
        if table is not None and layout.kind == "list":
            people = People(table.seats, table.viewer, self.findings.hints)
            holders = {layout.text("holder", row) for row, _ in layout.rows()} - terms.WRITERS
            for name in sorted(name for name in holders if len(words_of(name)) == 1):
                if people.find(name) is None:
                    self.findings.name(people.names, name, "the holder column")
            lines = LineNotes(lines_of_list(layout), table, layout.deck, self.findings)
            self._add_notes(lines, where, "list")
        elif table is not None:
            self._add_notes(LogNotes(layout, table, self.findings), where, "suggestions")

    def _table_of(self, deck: Deck, players: Sequence[str], askers: Iterable[str]) -> Table | None:
        """
        Return the table at which the game was played; `None` for fewer than two players.

        If the user has not stated who plays, this is asked. The question names the `askers`, the
        players who make suggestions.
        """
        if not self.findings.hints.players:
            names = joined(dict.fromkeys(filter(None, askers)), "and")
            known = f"{names} make suggestions. " if names else ""
            self.findings.ask("players", f"who is playing? {known}List all the players clockwise")
        if len(players) < 2:
            return None
        return table_of(deck, players, self.findings.hints)

    def _add_notes(self, notes: PadNotes | LineNotes | LogNotes, where: str, kind: Kind) -> None:
        """
        Read notes; add their entries, and a description of what was read.

        If no table is known yet, that of the notes is used. `where` says for the user which file or
        sheet the notes are from.
        """
        what = notes.read()
        self.entries += notes.entries
        self.kinds.add(kind)
        self.shown.append(f"{what} ({where})")
        self.shown += [f"  {printable(sample, most=120)}" for sample in notes.samples[:_SAMPLES]]
        table = notes.table
        if table is None or self.table is not None:
            return
        self.table = table
        hints = self.findings.hints
        viewer = table.viewer or hints.viewer  # which may be a spectator
        self.findings.hints = replace(hints, players=table.seats, viewer=viewer)
        language = table.language or OWN if table.edition.languages else ""
        languages = (OWN, *table.edition.languages)
        for argument, text, answer, choices in (
            ("edition", "which edition is it?", table.edition.name, ()),
            ("players", "who plays, clockwise?", ", ".join(table.seats), ()),
            ("viewer", "whose notes are these?", table.viewer or SPECTATOR, ()),
            ("names", "in which language are the cards' names?", language, languages),
            ("hand", "which cards are your own?", self.findings.hand, ()),
        ):
            if answer:
                self.findings.ask(argument, text, "", answer, choices=choices, sure=True)

    def _check_hints(self, sheets: Sequence[Sheet], texts: Iterable[str]) -> None:
        """
        Raise a `RecordError` if a hint is about something that is not in the notes.

        `texts` are all the cells and lines of the notes.
        """
        cells = {terms.fold_text(text): text for text in texts}
        rows = {f"row {at}" for sheet in sheets for at in range(1, len(sheet.rows) + 1)}
        sizes = [max(len(row), len(each.rows)) for each in sheets for row in each.rows[:1]]
        letters = {tables.letter(at).casefold() for at in range(max(sizes, default=0))}
        places = {
            "columns": letters | {f"column {each}" for each in letters},
            "leave": rows,
            "called": {*"".join(cells)},  # a letter may stand for a player
            "marks": {"numbers"},
        }
        for argument, known in places.items():
            for name in getattr(self.findings.hints, argument):
                plain = terms.fold_text(name)
                inside = plain in cells or plain in known
                if argument in ("called", "marks"):
                    inside = inside or any(_space_out(plain) in _space_out(cell) for cell in cells)
                if not inside:
                    near = get_close_matches(plain, cells, n=1, cutoff=_NEAR)
                    meant = f"; did you mean '{printable(cells[near[0]])}'?" if near else ""
                    reason = f"'{printable(name)}' is not in these notes{meant}"
                    raise RecordError(reason, path=self.name, argument=argument)

    def _finish(self) -> Imported:
        """Return the result; raise `Unclear` if there are faults or open questions."""
        record = self._record(self.table) if self.table is not None else None
        findings, shown = self.findings, tuple(self.shown)
        unsaid = [each for each in findings.questions if not (self.guess and each.guess)]
        if findings.faults or unsaid or record is None:
            raise Unclear(findings, shown, self.name)
        kind = self.kinds.pop() if len(self.kinds) == 1 else "mixed"
        aside, items = tuple(findings.aside), findings.shown_items
        return Imported(record=record, kind=kind, understood=shown, aside=aside, items=items)

    def _record(self, table: Table) -> Record | None:
        """Return the record with all entries; `None` if an entry is not possible at the table."""
        hints, viewer = self.findings.hints, table.viewer
        told = [each.observation for each in self.entries]
        own = any(isinstance(each, Hand) and each.seat == viewer for each in told)
        # The hand that the notes list is used only if no entry has the viewer's hand.
        hand = hints.hand if own or viewer is None else self.findings.hand
        record, state = Record(table=table), TurnState()
        try:
            if hand and viewer is None:
                raise ArgumentError("say whose hand this is", argument="viewer")
            if hand:
                cards = ", ".join(map(hints.meant, re.split(r"\s*,\s*", hand)))
                holds = parse_line(f"{viewer} holds {cards}", table)
                self.entries.insert(0, Entry(observation=holds))
            for entry in self.entries:
                observation = normalise(entry.observation, table, state)
                record = record.extended(observation, comment=entry.comment)
                state = state.after(observation)
        except ClueError as error:
            self.findings.faults.append(str(error))
            return None
        return record
