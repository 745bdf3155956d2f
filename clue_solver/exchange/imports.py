"""
Notes from elsewhere as a record: a table of text, what it means, and the lines that it tells.

What is guessed of notes is shown first and counts once it is confirmed or said; what cannot be
guessed is asked for.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, Written
from clue_solver.errors import ArgumentError, ClueError, RecordError, printable
from clue_solver.exchange import tables, terms
from clue_solver.exchange.columns import ColumnLayout, layouts_of
from clue_solver.exchange.lines import LineNotes, Teller
from clue_solver.exchange.logs import TableNotes
from clue_solver.exchange.mapping import Findings, ImportQuestion, Said
from clue_solver.exchange.names import OWN, Deck, deck_of, table_of, take_glossary
from clue_solver.exchange.pads import PadNotes
from clue_solver.exchange.sentences import asking, hear, plain_line, says_something
from clue_solver.exchange.shapes import sheet_of_blocks
from clue_solver.exchange.tables import Sheet
from clue_solver.notation import lexicon_of, parse_names
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.record import Entry, Record, is_jsonl, parse_record
from clue_solver.record.files import STDIN, content_of
from clue_solver.record.header import key_of
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import SPECTATOR, Table

Kind = Literal["pad", "suggestions", "record"]
_MOST_LINES, _SAMPLES = 25, 3
"""How many lines of faults, and how many rows, are shown."""
_SENTENCE = 3
"""How many words a cell has at least that may be a sentence."""


class Unclear(RecordError):
    """
    Notes that cannot be read as they stand.

    Attributes:
        faults: What is wrong, each with its place.
        questions: What has to be said, or confirmed.
        understood: What the notes are taken for, and samples of them, a line each.
        items: What everything in them is taken for.
        aside: What is left aside.
    """

    def __init__(
        self,
        faults: Sequence[str],
        questions: Sequence[ImportQuestion] = (),
        *,
        understood: Sequence[str] = (),
        items: Sequence[ImportQuestion] = (),
        aside: Sequence[str] = (),
        path: str = "",
    ) -> None:
        self.faults = tuple(faults)
        self.questions = tuple(questions)
        self.understood = tuple(understood)
        self.items = tuple(items)
        self.aside = tuple(aside)
        argument = questions[0].argument if len(questions) == 1 else ""
        texts = [*self.faults, *(question.text for question in self.questions)]
        more = len(texts) - _MOST_LINES
        rest = [f"and {more} more"] if more > 0 else []
        super().__init__("\n  ".join([*texts[:_MOST_LINES], *rest]), path="", argument=argument)
        self.path = path


class Imported(AnswerValue, frozen=True, kw_only=True):
    """
    Notes from elsewhere as a record.

    Attributes:
        record: The record.
        kind: What the notes were.
        understood: What they were taken for, with samples.
        aside: What was left aside.
        items: What everything in them was taken for.

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
        """What of it was guessed."""
        return tuple(item for item in self.items if not item.sure)

    @property
    def edition(self) -> str:
        """The edition."""
        return self.record.table.edition.name

    @property
    def players(self) -> tuple[str, ...]:
        """Its seats, clockwise."""
        return self.record.table.seats

    @property
    def viewer(self) -> str | None:
        """Whose notes it has; `None` for a spectator's."""
        return self.record.table.viewer

    @property
    def entries(self) -> int:
        """How many entries it has."""
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
    Return the record that notes from elsewhere describe.

    A detective's pad has cards down and players across, or the other way round. A table of
    suggestions has a row for each, in the order of play. Lines of words tell a suggestion each. A
    record, in either of its forms, is checked and returned.

    Args:
        source: The path of a CSV file or a workbook (`.xlsx`, `.ods`; `-` is standard
            input), the text of one, which has more than one line, or a pandas frame.
        edition: A shipped edition's name, the path of an edition file, or an edition.
        players: The seats, clockwise.
        viewer: Whose notes these are.
        hand: The viewer's own cards, with commas between; for suggestions.
        header: What else is to be said of the table, as lines of a record's header:
            `hands: 5, 5, ?`, `face-up: White`, `order: right`.
        columns: What the columns are, one by one, or by title or letter: `card`, `holder`,
            `envelope`, `face-up`, `asker`, `cards`, `shower`, `shown`, `passes`, `answers`, `kind`,
            `verdict`, `remark`, `aside`, a player's name, or `not Ann`.
        marks: What marks mean: `has`, `lacks`, `maybe`, `nothing`, `asks` or `either-or`;
            `numbers` are all numbers.
        called: The cards and players that the notes call otherwise, by what they call them.
        leave: The rows that are left aside, by label, or as `row 12`; of a card's row its ticks.
        sheet: Which sheet of a workbook is meant; or several, which tell of one game.
        names: The language of the cards' names, such as `de`, besides the edition's own
            names; `own` for these alone.
        guess: Whether what was guessed counts although nobody says it.

    Raises:
        Unclear: If the notes cannot be read as they stand, or something was guessed.
        RecordError: If they are no notes.
        ClueError: If what is said about them cannot be.

    >>> marks = {"numbers": "either-or"}
    >>> import_notes("examples/pad.csv", edition="clue-classic", marks=marks, guess=True).record
    <Record: Clue; Ann, Ben, Cat, Dan; entries: 8>
    """
    by_title = columns if isinstance(columns, Mapping) else {}
    said = Said(
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
    if isinstance(source, str) and "\n" in source:
        return _of_text(source, said, encoding="text", name="notes", beside=None, guess=guess)
    if not isinstance(source, str | Path):
        return _Reading(said, "the frame", guess).read([tables.sheet_of_frame(source)])
    piped = str(source) == STDIN
    name = "standard input" if piped else str(source)
    content = content_of(source)
    if content.startswith(b"PK\x03\x04"):
        return _Reading(said, name, guess).read(tables.sheets_in(content, name=name))
    text, encoding = tables.decode(content, name=name)
    beside = None if piped else Path(source).parent
    return _of_text(text, said, encoding=encoding, name=name, beside=beside, guess=guess)


def _of_text(
    text: str, said: Said, *, encoding: str, name: str, beside: Path | None, guess: bool
) -> Imported:
    """Return what a text tells: a record, lines of words, or a table."""
    if said.sheets:
        raise ArgumentError("expected a workbook, which has sheets; found a text", argument="sheet")
    if _is_record(text, name):
        if said != Said():
            reason = "a record says edition, players and so on itself: leave them out"
            raise RecordError(reason, path=name)
        record = parse_record(text, path=name, beside=beside)
        understood = f"a game record of {len(record.entries)} entries ({encoding})"
        return Imported(record=record, kind="record", understood=(understood,))
    if text.removeprefix("\ufeff").lstrip()[:1] in ("", "<", "{"):
        raise RecordError("expected a table, lines or a record; found none", path=name)
    sheet = tables.sheet_of_text(text, encoding)
    return _Reading(said, name, guess).read([sheet], tables.lines_in(text))


def _is_record(text: str, name: str) -> bool:
    """Whether a text is a record: by its header object or its first header line."""
    if is_jsonl(text):
        return True
    lines = [line.partition("#")[0].partition(":") for line in text.splitlines()]
    headers = takewhile(lambda line: not line[0].strip() or key_of(line[0].strip()), lines)
    said = any(key_of(before.strip()) == "edition" for before, _, _ in headers)
    return said or name.endswith(".clue")  # `players: Ann, Ben` may begin other notes, too


class _Reading:
    """Reads notes of one source; what it finds is either a record or what stands against it."""

    def __init__(self, said: Said, name: str, guess: bool) -> None:
        self.said = said
        self.name = name
        self.guess = guess
        self.findings = Findings(said)
        self.shown: list[str] = []
        self.table: Table | None = None
        self.told: list[Entry] = []
        self.kinds: set[Kind] = set()

    def read(self, sheets: Sequence[Sheet], texts: Sequence[str] = ()) -> Imported:
        """
        Return what notes tell.

        Args:
            sheets: The sheets of a workbook, or the table that a text is taken for.
            texts: The lines of a text: it may be words rather than a table.
        """
        cells = [cell for sheet in sheets for row in sheet.rows for cell in row]
        self._check_found([*cells, *texts])
        sheets = [
            replace(sheet, rows=tuple(tuple(map(terms.in_full, row)) for row in sheet.rows))
            for sheet in sheets
        ]
        texts = [*map(terms.in_full, texts)]
        rows = [", ".join(filter(None, row)) for sheet in sheets for row in sheet.rows]
        deck = deck_of(
            texts or (cell for sheet in sheets for row in sheet.rows for cell in row), self.findings
        )
        named = [row for sheet in sheets for row in sheet.rows]
        take_glossary([(text,) for text in texts] or named, deck, self.findings)
        hear(texts or rows, deck, self.findings)
        blocks = sheet_of_blocks(texts, sheets[0].told.partition(",")[0]) if texts else None
        if blocks is not None:
            sheets = [blocks]
        elif texts and self._is_words(texts, sheets[0], deck):
            askers = (asked.who for text in texts if (asked := asking(plain_line(text), deck)))
            if table := self._table_of(deck, self.findings.said.players, askers):
                notes = LineNotes(texts, table, deck, self.findings)
                self._add(notes, sheets[0].told.partition(",")[0], "suggestions")
            return self._imported()
        for sheet in self._chosen(sheets, deck):
            before = self.findings.said.players
            layouts = layouts_of(sheet, deck, self.findings)
            for at in range(len(layouts)):
                if at and before != self.findings.said.players:  # a pad has said who plays
                    for column in layouts[at].columns:
                        self.findings.items.pop(("columns", column.about), None)
                    again = layouts_of(sheet, deck, self.findings)
                    layouts = again if len(again) == len(layouts) else layouts
                self._read(layouts[at], sheet.told)
            self._read_talk(sheet, deck)
        return self._imported()

    def _is_words(self, texts: Sequence[str], sheet: Sheet, deck: Deck) -> bool:
        """Whether a text is lines of words rather than a table."""
        if self.said.every_column:
            return False
        lines = [*filter(None, map(plain_line, texts))]
        told = [line for line in lines if says_something(line, deck)]
        layouts = layouts_of(sheet, deck, Findings(self.findings.said, self.findings.heard))
        if not layouts:
            return bool(told) or sum(bool(deck.names.exact(line)) for line in lines) > 1
        listed = [line for line in lines if deck.cards_in(line) and not deck.names.exact(line)]
        sound = any(layout.is_sound for layout in layouts)
        return not sound and len(told) > 1 and 2 * len(told) >= len(listed)

    def _chosen(self, sheets: Sequence[Sheet], deck: Deck) -> list[Sheet]:
        """Return the sheets that are said, or else the one with a table."""
        if self.said.sheets:
            titles = [sheet.title for sheet in sheets]
            wanted = [Names("sheet", titles).find(title) for title in self.said.sheets]
            sheets = [sheets[titles.index(title)] for title in wanted]
        known = Findings(self.findings.said, self.findings.heard)
        found = [(sheet, layouts_of(sheet, deck, known)) for sheet in sheets]
        read = [sheet for sheet, layouts in found if layouts]
        titles = [sheet.title for sheet in read]
        if not read and not self.findings.said.players:  # names may tell more
            self.findings.ask("players", "who plays? Give all the players clockwise")
        if not read:
            raise Unclear([_unknown(sheets)], self.findings.questions, path=self.name)
        if len(read) > 1 and not self.said.sheets:
            text = f"which of the sheets {joined(titles, 'and')} are of this game?"
            if _is_one_game([layout for _, layouts in found for layout in layouts]):
                self.findings.ask("sheet", text, "", ", ".join(titles), choices=titles)
                return read
            raise Unclear(
                (), [ImportQuestion("sheet", text, choices=tuple(titles))], path=self.name
            )
        left = [sheet.title for sheet in sheets if sheet.title not in titles]
        self.findings.aside += [f"sheet '{printable(title)}'" for title in left]
        return read

    def _read_talk(self, sheet: Sheet, deck: Deck) -> None:
        """Read the sentences beside a table; what is not understood of them is left aside."""
        for row, cells in enumerate(sheet.rows):
            text = "".join(cells)
            if self.table is None or self.table.viewer is None or sum(map(bool, cells)) != 1:
                continue
            if len(words_of(text)) < _SENTENCE or self.said.leaves(row, text):
                continue
            alone = Findings(self.findings.said, self.findings.heard)
            notes = LineNotes([text], self.table, deck, alone)
            if alone.items.keys() <= self.findings.items.keys() and not alone.faults:
                self.told += notes.told
                self.shown += [f"  {printable(sample, most=120)}" for sample in notes.samples]

    def _read(self, layout: ColumnLayout, where: str) -> None:
        """Read a table: a pad, suggestions, or a list of cards and their holders."""
        if layout.kind == "pad":
            pad = PadNotes(layout, self.findings)
            self._add(pad, where, "pad")
            return
        players = self.findings.said.players or layout.players
        askers = (layout.text("asker", row) for row, _ in layout.rows())
        table = self._table_of(layout.deck, players, askers)
        if table is not None and layout.kind == "list":
            lines = LineNotes(
                layout.listed(self.findings), table, layout.deck, self.findings, listed=True
            )
            self._add(lines, where, "suggestions")
        elif table is not None:
            self._add(TableNotes(layout, table, self.findings), where, "suggestions")

    def _table_of(self, deck: Deck, players: Sequence[str], askers: Iterable[str]) -> Table | None:
        """Return the table, once it is said who plays: those who make suggestions are named."""
        if not self.findings.said.players:
            names = joined(dict.fromkeys(filter(None, askers)), "and")
            known = f"{names} make suggestions. " if names else ""
            self.findings.ask("players", f"who plays? {known}Give all the players clockwise")
        if len(players) < 2:
            return None
        return table_of(deck, players, self.findings.said)

    def _add(self, notes: PadNotes | Teller, where: str, kind: Kind) -> None:
        """Keep what was read, and show what it was taken for, who plays, and three samples."""
        self.told += notes.told
        self.kinds.add(kind)
        self.shown.append(f"{notes.what} ({where})")
        self.shown += [f"  {printable(sample, most=120)}" for sample in notes.samples[:_SAMPLES]]
        table = notes.table
        if table is None or self.table is not None:
            return
        self.table = table
        said = replace(self.findings.said, players=table.seats, viewer=table.viewer)
        self.findings.said = said
        language = table.language or OWN if table.edition.languages else ""
        languages = (OWN, *table.edition.languages)
        for argument, text, answer, choices in (
            ("edition", "which edition is it?", table.edition.name, ()),
            ("players", "who plays, clockwise?", ", ".join(table.seats), ()),
            ("viewer", "whose notes are these?", table.viewer or SPECTATOR, ()),
            ("names", "in which language are the cards' names?", language, languages),
            ("hand", "which cards are your own?", said.hand, ()),
        ):
            if answer:
                self.findings.ask(argument, text, "", answer, choices=choices, sure=True)

    def _check_found(self, texts: Iterable[str]) -> None:
        """Refuse what is said of columns, names and rows that do not stand in the notes."""
        text = "|".join(map(terms.folded, texts))
        places = re.compile(r"(?:column )?[a-z]{1,2}|row \d+")
        said = self.said
        found = {"columns": said.columns, "called": said.called, "leave": said.leave}
        for argument, names in found.items():
            for name in names:
                if terms.folded(name) not in text and not places.fullmatch(terms.folded(name)):
                    reason = f"no '{printable(name)}' stands in these notes"
                    raise RecordError(reason, path=self.name, argument=argument)

    def _imported(self) -> Imported:
        """Return the record; raise `Unclear` if something is wrong, not said or not confirmed."""
        record = self._record(self.table) if self.table is not None else None
        findings = self.findings
        unsaid = [question for question in findings.questions if not question.guess]
        order = {"columns": 1, "marks": 2, "called": 3}  # what is about the table is shown first
        found: dict[str, Any] = {
            "understood": tuple(self.shown),
            "items": tuple(
                sorted(findings.items.values(), key=lambda item: order.get(item.argument, 0))
            ),
            "aside": tuple(findings.aside),
        }
        if findings.faults or unsaid or record is None or (findings.questions and not self.guess):
            faults = dict.fromkeys(findings.faults)
            raise Unclear([*faults], findings.questions, path=self.name, **found)
        kind = self.kinds.pop() if len(self.kinds) == 1 else "record"
        return Imported(record=record, kind=kind, **found)

    def _record(self, table: Table) -> Record | None:
        """Return the record of what notes tell; `None` if it has no meaning at the table."""
        own = any(
            isinstance(each.observation, Hand) and each.observation.seat == table.viewer
            for each in self.told
        )
        said = self.said if own or not table.viewer else self.findings.said
        try:
            record = with_hand(Record(table=table), said.hand, said.meant)
            for entry in self.told:
                record = record.append(entry.observation, comment=entry.comment)
        except ClueError as error:
            self.findings.faults.append(str(error))
            return None
        return record


def _is_one_game(layouts: Sequence[ColumnLayout]) -> bool:
    """Whether there are a pad and a log, and those who ask in the one have columns in the other."""
    if sorted(layout.kind for layout in layouts) != ["pad", "suggestions"]:
        return False
    pad, log = sorted(layouts, key=lambda layout: layout.kind)
    return {log.text("asker", row) for row, _ in log.rows()} <= {"", *pad.players}


def _unknown(sheets: Sequence[Sheet]) -> str:
    """Return what is wrong with sheets that are neither a pad nor suggestions."""
    first = next((row for sheet in sheets for row in sheet.rows if any(row)), ())
    listed = ", ".join(printable(cell) for cell in first[:8] if cell) or "nothing"
    return (
        "expected a pad (cards down, players across), suggestions (columns such as asker, "
        f"suspect, weapon, room, shower) or lines of words; found {listed}; "
        "say what all columns are"
    )


def with_hand(record: Record, hand: str, meant: Callable[[str], str] = str) -> Record:
    """
    Return the record with the viewer's own hand as a line lists it, if one was said.

    Raises:
        NotationError, ArgumentError: If the hand cannot be read, or nobody is the viewer.
    """
    if not hand:
        return record
    if record.table.viewer is None:
        raise ArgumentError("say whose hand this is", argument="viewer")
    hand = ", ".join(meant(card.strip()) for card in hand.split(","))
    cards = parse_names(hand, lexicon_of(record.table).cards)
    return record.append(Hand(seat=record.table.viewer, cards=cards))
