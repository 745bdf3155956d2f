"""
Where things stand on a pad: its cards, its holders, what else its header says; and what is said
about notes from elsewhere besides the notes: edition, seats, sizes, viewer.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple, Self

from msgspec import Struct

from clue_solver.answers.display import AnswerValue, Written
from clue_solver.errors import ArgumentError, NotationError, RecordError, SetupError, escape
from clue_solver.exchange.grid import Grid
from clue_solver.notation import card_names, parse_told
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.record import Record
from clue_solver.record.contents import hands_in
from clue_solver.rules.edition import Answering, Edition, Side, load_edition, shipped_editions
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Slot, Table

_ASKED = {"who", "what", "where", "cards", "card", "persons", "people", "characters", "places"}


class Setting(Struct, frozen=True, kw_only=True):
    """
    What a person says about the game; `None` or empty where nothing was said.

    Players and hand sizes go clockwise; viewer, face-up cards and the viewer's own hand are in
    short, as in a record; `order` and `answers` override the edition's order of answering. `mend`
    takes the one proposal for each name that is spelt wrong; `leave` names columns to leave aside.
    """

    edition: Edition | None = None
    players: tuple[str, ...] = ()
    viewer: str | None = None
    hands: tuple[int | None, ...] = ()
    face_up: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    order: Side | None = None
    answers: Answering | None = None
    hand: str = ""
    language: str | None = None
    mend: bool = False
    leave: tuple[str, ...] = ()

    def names(self, edition: Edition) -> Names:
        """Return an edition's cards by name, by initials, and in the language that is turned on."""
        return card_names(edition, language=self.language, initials=True)

    def left(self, title: str) -> bool:
        """Whether a column of this title is to be left aside."""
        return any(words_of(title) == words_of(each) for each in self.leave)

    def table(self, edition: Edition, seats: tuple[str, ...], told: Self | None = None) -> Table:
        """Return the table, by what the notes `told` where nothing was said; or a `ClueError`."""
        told = told or type(self)()
        said = self.viewer or told.viewer
        if said is not None:
            said = Names("player", (*seats, SPECTATOR)).find(said)
        return Table(
            edition=edition,
            seats=seats,
            hands=self.hands or told.hands,
            viewer=None if said == SPECTATOR else said,
            face_up=tuple(map(self.names(edition).find, self.face_up)) or told.face_up,
            slots=self.slots or told.slots,
            order=self.order,
            answers=self.answers,
            language=self.language,
        )


class Unsaid(NamedTuple):
    """
    What notes do not say: the argument that would, the question, and the choices if they are few.

    `marks` are those whose meaning is asked for, one by one.
    """

    argument: str
    text: str
    choices: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


class Unclear(RecordError):
    """
    Notes that cannot be read as they stand: all that is wrong with them, and all that is not said.

    Attributes:
        faults: What is wrong, each with its place.
        questions: What would have to be said besides.
    """

    def __init__(
        self, faults: Sequence[str], questions: Sequence[Unsaid] = (), *, path: str = ""
    ) -> None:
        self.faults, self.questions = tuple(faults), tuple(questions)
        argument = questions[0].argument if len(questions) == 1 else ""
        super().__init__(self.worded(), path="", argument=argument)
        self.path = path

    def worded(self, option: Callable[[str], str] = lambda _: "") -> str:
        """Return the message; `option` gives what to write behind a question."""
        told = [*self.faults, *(each.text + option(each.argument) for each in self.questions)]
        most = [
            *told[:_MOST_FAULTS],
            *([f"and {len(told) - _MOST_FAULTS} more"] * (len(told) > _MOST_FAULTS)),
        ]
        return "\n  ".join(most)


_MOST_FAULTS = 25


class Finding:
    """
    Looks names up in the cells of a grid, and keeps what was wrong.

    Attributes:
        faults: What could not be read, each with its place.
        mended: What was taken for what, and how often: names spelt wrong, and initials.
        mendable: Whether every fault so far has one proposal.
    """

    def __init__(self, grid: Grid, *, mend: bool) -> None:
        self.grid, self.mend = grid, mend
        self.faults: list[str] = []
        self.mended: Counter[tuple[str, str]] = Counter()
        self.proposed = 0

    def find(self, names: Names, text: str, row: int | None, column: int | None) -> str:
        """Return the one name that a text stands for, or its one proposal; refuse it otherwise."""
        try:
            name = names.find(text)
            if _is_initials(text, name, names):
                self.mended[text, name] += 1
            return name
        except NotationError as error:
            meant = names.readings(text) if text else ()
            if len(error.nearest) == 1 and not meant:
                if self.mend:
                    self.mended[text, error.nearest[0]] += 1
                    return error.nearest[0]
                self.proposed += 1
            self.grid.refuse(error.reason, row, column)

    def understood(self) -> Iterator[str]:
        """Yield what was taken for what."""
        for (text, name), count in self.mended.items():
            cells = f", {count} times" if count > 1 else ""
            yield f"'{escape(text)}' taken for {name}{cells}"

    def questions(self) -> Iterator[Unsaid]:
        """Yield the question whether the proposals are meant, where there are any."""
        if self.proposed and not self.mend:
            yield Unsaid("mend", "if the names proposed are meant, say that they are")


def _is_initials(text: str, name: str, names: Names) -> bool:
    """Whether a text is only the initials of a card, rather than its name or the beginning."""
    begins = words_of(name)[0].startswith(text.casefold())
    return names.kind == "card" and text.isupper() and 1 < len(text) < 4 and not begins


def known_editions(setting: Setting) -> tuple[Edition, ...]:
    """Return the editions that notes may be of: the one that was said, or all that are shipped."""
    return (setting.edition,) if setting.edition else tuple(map(load_edition, shipped_editions()))


def is_heading(text: str, edition: Edition) -> bool:
    """Whether a text is the heading of a category rather than a card."""
    titles = {name for kind in edition.category for name in (kind.name, kind.plural)}
    words = words_of(text)
    return words in {words_of(title) for title in titles if title} or set(words) <= _ASKED


class Found(NamedTuple):
    """
    The edition that notes are of.

    Attributes:
        edition: The edition.
        how: How it was found, in words.
        others: The editions whose cards have the very same names, which fit as well.
        question: What to ask where nothing tells it from others.
    """

    edition: Edition
    how: str
    others: tuple[Edition, ...] = ()
    question: Unsaid | None = None


def edition_of(labels: Sequence[str], setting: Setting) -> Found:
    """
    Return the edition that notes are of: the one whose names match most.

    An edition that was said is the answer. `labels` are names of cards as somebody wrote them;
    headings of categories may be among them.
    """
    cards = list(dict.fromkeys(filter(None, labels)))
    if setting.edition:
        unknown = _missing(cards, setting.edition, setting)
        asked = _in_other_words(setting.edition, unknown, cards, setting)
        return Found(setting.edition, "as given", (), asked)
    editions = known_editions(setting)
    missing = {edition.name: _missing(cards, edition, setting) for edition in editions}
    spelt = {edition.name: _spelt(cards, edition) for edition in editions}

    def rank(edition: Edition) -> tuple[int, bool, int]:
        wanting = missing[edition.name]
        return (
            len(wanting),
            bool(wanting) or _partial(cards, edition, setting),
            -spelt[edition.name],
        )

    best = min(map(rank, editions))
    found = [edition for edition in editions if rank(edition) == best]
    fits = [edition for edition in editions if not missing[edition.name]]
    first, *rest = sorted(found, key=lambda edition: edition.name != USUAL)
    if missing[first.name]:
        return _unknown(first, missing[first.name], cards, setting)
    if any(each.names != first.names for each in rest):
        names = joined((edition.name for edition in found), "and")
        apart = "; ".join(f"{each.name}: {apart_from(first, each)}" for each in rest)
        told = f"these cards are in {names}: say which edition it is ({apart})"
        question = Unsaid("edition", told, tuple(each.name for each in found))
        return Found(first, "as one of several", tuple(rest), question)
    if len(fits) == 1:
        return Found(first, "the only one whose cards these are")
    besides = [
        f"{each.name} fits too: {apart_from(first, each)}" for each in fits if each is not first
    ]
    how = "whose names match most" if not rest else "which is the usual one"
    return Found(first, f"{how}; {'; '.join(besides)}", tuple(rest))


USUAL = "clue-classic"
"""The edition that is taken where others with the very same cards fit as well."""


def _unknown(
    nearest: Edition, missing: Sequence[str], cards: Sequence[str], setting: Setting
) -> Found:
    """Return the nearest edition to notes of which no edition has all cards, and what to ask."""
    if (asked := _in_other_words(nearest, missing, cards, setting)) is not None:
        return Found(nearest, "nearest", (), asked)
    near = [each for each in missing if setting.names(nearest).nearest(each)]
    if len(near) == len(missing) and 2 * len(missing) < max(len(cards), 2):
        return Found(nearest, "the nearest to these names")
    some = ", ".join(f"'{escape(label)}'" for label in missing[:8])
    told = (
        f"no shipped edition has all these cards: {nearest.name} has no {some}; "
        "mend the names, or say which edition it is"
    )
    return Found(nearest, "nearest", (), Unsaid("edition", told))


def _in_other_words(
    edition: Edition, missing: Sequence[str], cards: Sequence[str], setting: Setting
) -> Unsaid | None:
    """Return the question for a language in which most of the missing cards are names."""
    if setting.language is not None or 2 * len(missing) < len(cards):
        return None
    left = {
        language: len(_missing(cards, edition, setting, language)) for language in edition.languages
    }
    language = min(left, key=left.__getitem__, default="")
    if not missing or not language or 2 * left[language] >= len(missing):
        return None
    told = f"names of cards in another language ({language}): say which one it is"
    return Unsaid("names", told, (language,))


def apart_from(one: Edition, other: Edition) -> str:
    """Return in what another edition differs from one, in words."""
    told = []
    mine, theirs = set(one.names) - set(other.names), set(other.names) - set(one.names)
    if mine or theirs:
        gone = joined((name for name in one.names if name in mine), "and")
        come = joined((name for name in other.names if name in theirs), "and")
        told.append(f"{come or 'nothing'} for {gone or 'nothing'}")
    if one.order != other.order:
        told.append(f"the neighbour on the {other.order} answers first")
    if one.answers != other.answers:
        told.append("everyone who can shows" if other.answers == "all" else "one player shows")
    return ", ".join(told) or "other rules of play"


def _partial(labels: Sequence[str], edition: Edition, setting: Setting) -> bool:
    """Whether cards of the edition are not among the labels."""
    names = setting.names(edition)
    return len({card for each in labels for card in names.readings(each)}) < len(edition.names)


def _missing(
    labels: Sequence[str], edition: Edition, setting: Setting, language: str | None = None
) -> list[str]:
    names = card_names(edition, language=language or setting.language, initials=True)
    strange = (label for label in labels if len(names.readings(label)) != 1)
    return [label for label in strange if not is_heading(label, edition)]


def _spelt(labels: Sequence[str], edition: Edition) -> int:
    """How many of the labels are a card's name or title, not another name for it."""
    names = {words_of(name) for card in edition.cards for name in (card.name, card.title) if name}
    return sum(words_of(label) in names for label in labels)


def with_hand(record: Record, hand: str) -> Record:
    """
    Return the record with the viewer's own hand as a line lists it, if one was said.

    Raises:
        NotationError, ArgumentError: If the hand cannot be read, or nobody is the viewer.
    """
    if not hand:
        return record
    if record.table.viewer is None:
        raise ArgumentError("nothing says so: expected whose hand this is", argument="viewer")
    try:
        return record.append(parse_told(Hand, hand, record.table, subject=record.table.viewer))
    except NotationError:
        names = card_names(record.table.edition)
        for word in re.finditer(r"[^,]+", hand):  # a word that is no card is what is wrong first
            part = word[0].strip()
            if part and " " not in part and not names.readings(part):
                raise names.unknown(part, line=hand, column=hand.index(part)) from None
        raise


MINE, FACE_DOWN, OPEN, SIZES = "(me)", "face-down ", "table", "hand size"
"""What a pad of this program writes beside a viewer and before a slot; a column and a row of it."""

_ENVELOPES = {
    *("envelope", "solution", "case file", "casefile", "murder", "confidential", "crime", "secret"),
    *("answer", "case", "dossier", "umschlag", "enveloppe", "sobre", "busta", "envelop"),
}
_OPEN = {OPEN, "face up", "open", "public"}
_ASIDE = {"notes", "note", "comment", "comments", "remark", "remarks", "category", "type", "kind"}
_SIZES = {SIZES, "hand sizes", "hands", "hand", "cards held", "number of cards", "count", "size"}
_OWN = re.compile(r"\s*\((?:me|viewer|i)\)$", re.IGNORECASE)


Kind = Literal["pad", "suggestions", "record", "log"]


class MarkRead(NamedTuple):
    """
    A mark of a pad.

    Attributes:
        mark: How it looks.
        meaning: What it was taken for.
        cells: In how many cells it stands.
    """

    mark: str
    meaning: str
    cells: int


class Imported(AnswerValue, frozen=True, kw_only=True):
    """
    Notes from elsewhere as a record.

    Attributes:
        record: The record.
        kind: What the notes were: a detective's `pad`, a table of `suggestions`, another program's
            `log`, or a `record` already.
        understood: What was taken for what, in words.
        aside: What was left aside or is not said by the notes, in words.
        marks: Each mark of a pad, and what it was taken for.
    """

    record: Record
    kind: Kind
    understood: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    marks: tuple[MarkRead, ...] = ()

    written: ClassVar[Written] = Written(
        schema=1, also=("edition", "players", "viewer", "entries"), without=("record",)
    )

    @property
    def edition(self) -> str:
        """The edition of the record, as its header names it."""
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


def card_column(grid: Grid, setting: Setting) -> tuple[int, int] | None:
    """Return the column that lists cards and the row of the first; `None` if it is no pad."""
    found = card_places(grid, setting)
    if not found:
        return None
    best = max(found, key=lambda column: (len(found[column]), -column))
    rows = found[best]
    return (best, rows[0]) if len(rows) > 1 and rows[0] > 0 else None


def card_places(grid: Grid, setting: Setting) -> dict[int, list[int]]:
    """Return the rows in which each column names a card, whole; in any language if none is said."""
    editions = known_editions(setting)
    names = [setting.names(edition) for edition in editions]
    found = _places(grid, names)
    if found or setting.language is not None:
        return found
    others = {language: edition for edition in editions for language in edition.languages}
    return _places(grid, [card_names(each, language=one) for one, each in others.items()])


def _places(grid: Grid, names: Sequence[Names]) -> dict[int, list[int]]:
    """Return the rows in which each column has the whole name of a card."""
    known: dict[str, bool] = {}
    found: dict[int, list[int]] = {}
    for row, cells in enumerate(grid.rows):
        for column, cell in enumerate(cells):
            if cell and cell not in known:
                known[cell] = any(each.whole(cell) for each in names)
            if cell and known[cell]:
                found.setdefault(column, []).append(row)
    return found


_FOOT = {"total", "totals", "sum", "legend", "key", "notes", "note", "remarks", "comments", "todo"}
_SAYS = re.compile(
    r"""['"(\[]?([^\s=:]{1,12}?)['")\]]?\s*(?:[=:\u2013\u2014]|\bmeans\b|-)\s*(\S.*)"""
)
_MEANINGS: dict[str, tuple[str, ...]] = {
    "has": ("has", "has it", "has card", "has this card", "have", "have it", "holds", "holds it",
            "owns", "owns it", "in hand", "yes", "mine", "seen", "shown", "got it"),
    "lacks": ("lacks", "lacks it", "has not", "hasnt", "hasnt it", "has it not", "not", "no",
              "does not have", "doesnt have", "does not have it", "doesnt have it", "not there",
              "does not hold", "doesnt hold it", "without", "cannot have it", "cant have it"),
    "maybe": ("maybe", "may have", "may have it", "might have it", "might have", "possible",
              "possibly", "perhaps", "unknown", "not known", "not sure", "dont know", "open"),
}  # fmt: skip


def said_in(text: str, beside: str = "") -> tuple[str, str] | None:
    """
    Return the mark and the meaning that a line of a legend tells; `None` if it tells none.

    >>> said_in("X = doesn't have it"), said_in("o", "has it"), said_in("Lounge: cold")
    (('X', 'lacks'), ('o', 'has'), None)
    """
    found = _SAYS.fullmatch(f"{text} = {beside}" if beside else text)
    if found is None:
        return None
    words = _folded(found[2])
    meanings = (meaning for meaning, forms in _MEANINGS.items() if words in forms)
    meaning = next(meanings, "")
    return (found[1], meaning) if meaning else None


class PadLayout:
    """
    Where things stand on one pad; places are counted from 0.

    Attributes:
        edition, how: The edition, and how it was found.
        rows: The row of each card.
        columns: The columns by their holders: players, face-down slots, envelope.
        sized: The row of hand sizes.
        open: The column of the cards that lie face-up.
        slots: The columns of face-down slots that the header calls so, by their names.
        mine: The player whose pad it is, where the header says so.
        legend: What the pad itself says that its marks mean.
        titles: What stands above the header, in words.
        aside: What says nothing of the game, in words.
        finding: What could not be read, and what was taken for what.
        questions: What else has to be said.

    Raises:
        RecordError: If there are no cards, or no row of names above them.
    """

    def __init__(self, grid: Grid, setting: Setting) -> None:
        self.grid, self.setting = grid, setting
        self.column, first = card_column(grid, setting) or grid.refuse(
            "expected a column of cards; found none"
        )
        several = (row for row in range(first) if self._is_header(row))
        self.header = next(several, -1)
        if self.header < 0:
            grid.refuse("expected a row with the players' names above the first card", first)
        self.finding = Finding(grid, mend=setting.mend)
        self.aside: list[str] = list(grid.aside)
        self.legend: dict[str, str] = {}
        self.titles = [text for row in range(self.header) for text in self._above(row)]
        self.mine: str | None = None
        self.open: int | None = None
        self.slots: dict[str, int] = {}
        self.sized: int | None = None
        found = self._edition()
        self.edition, self.how = found.edition, found.how
        self.questions = [found.question] if found.question else []
        self.rows = self._rows() if not found.question or found.question.argument != "names" else {}
        self.columns = self._columns()

    def understood(self) -> Iterator[str]:
        """Yield whose each column is, and the row of hand sizes, in words."""
        yield from self.titles
        yield from self.finding.understood()
        for mark, meaning in self.legend.items():
            yield f"the legend says that '{escape(mark)}' means {meaning}"
        titles = {column: holder for holder, column in self.columns.items()}
        if self.open is not None:
            titles[self.open] = "face-up cards"
        for column in sorted(titles):
            title = escape(self.grid.cell(self.header, column))
            yield f"{self.grid.where(None, column)}, '{title}': {escape(titles[column])}"
        if self.sized is not None:
            yield f"{self.grid.where(self.sized)}: hand sizes"

    def size(self, column: int) -> int | None:
        """Return how many cards a column's holder has, by the pad's row of sizes."""
        text = "" if self.sized is None else self.grid.cell(self.sized, column)
        try:
            (size,) = hands_in(text or "?")
        except (SetupError, ValueError):
            self.grid.refuse(
                f"expected a number of cards or ?; found '{escape(text)}'", self.sized, column
            )
        return size

    def _is_header(self, row: int) -> bool:
        cells = [cell for cell in self.grid.rows[row] if cell]
        return (
            len(cells) > 1
            and said_in(cells[0]) is None
            and not (len(cells) == 2 and said_in(*cells))
        )

    def _above(self, row: int) -> Iterator[str]:
        """Yield what a row above the header says, in words; a legend is taken in."""
        if not self._is_legend(row):
            for column, cell in enumerate(self.grid.rows[row]):
                if cell:
                    yield f"{self.grid.where(row, column)}, '{escape(cell)}': a title"

    def _edition(self) -> Found:
        """The edition: as was said, as the corner of the pad says, or by its cards."""
        rows = range(self.header, len(self.grid.rows))
        corner, *labels = (self.grid.cell(row, self.column) for row in rows)
        if self.setting.edition is None and corner in shipped_editions():
            where = self.grid.where(self.header, self.column)
            return Found(load_edition(corner), f"as {where} says")
        last = max(card_places(self.grid, self.setting)[self.column]) - self.header
        cards = [label for label in labels[:last] if label and _folded(label) not in _SIZES]
        return edition_of(cards, self.setting)

    def _rows(self) -> dict[str, int]:
        """The row of each card, counted from 0."""
        names, found = self.setting.names(self.edition), dict[str, int]()
        labels = {row: self.grid.cell(row, self.column) for row in range(len(self.grid.rows))}
        last = max(row for row, label in labels.items() if label and names.readings(label))
        for row in range(self.header + 1, len(self.grid.rows)):
            label = labels[row]
            if self.grid.blank(row):
                continue
            if _folded(label) in _SIZES:
                self.sized = row
                continue
            if label and not names.whole(label) and self._is_heading(row):
                continue
            if row > last and self._is_foot(row, names):
                continue
            try:
                if not label:
                    self.grid.refuse("expected a card; found marks without one", row, self.column)
                card = self.finding.find(names, label, row, self.column)
                if card in found:
                    reason = f"{card} stands in {self.grid.where(found[card])} already"
                    self.grid.refuse(reason, row, self.column)
                self._check_width(row)
                found[card] = row
            except RecordError as error:
                self.finding.faults.append(str(error))
        return found

    def _is_foot(self, row: int, names: Names) -> bool:
        """Whether a row below the cards is a legend or says nothing of the game; takes it in."""
        if self._is_legend(row):
            return True
        cells = [cell for cell in self.grid.rows[row] if cell]
        label = self.grid.cell(row, self.column)
        alone = len(cells) == 1 and not names.nearest(label) and len(words_of(cells[0])) != 1
        if not alone and not set(words_of(cells[0])) & _FOOT:
            return False
        self.aside.append(f"{self.grid.where(row)}, '{escape(' '.join(cells))}'")
        return True

    def _is_legend(self, row: int) -> bool:
        """Whether every cell of a row says what a mark means; they are taken in."""
        cells = [cell for cell in self.grid.rows[row] if cell]
        if len(cells) == 2 and len(cells[0]) < 4 and (pair := said_in(*cells)):
            told = [pair]
        else:
            cells = cells[1:] if cells and _folded(cells[0]) in _FOOT else cells
            parts = [part for cell in cells for part in re.split(r"\s*[,;]\s*", cell)]
            told = [pair for part in parts if (pair := said_in(part))]
            if not parts or len(told) < len(parts):
                return False
        self.legend.update(told)
        return True

    def _is_heading(self, row: int) -> bool:
        """Whether a row is a category's heading: alone, or with the header's names once more."""
        cells, titles = self.grid.rows[row], self.grid.rows[self.header]
        others = [cell for cell in cells[self.column + 1 :] if cell]
        repeated = others == [title for title in titles[self.column + 1 :] if title]
        return is_heading(cells[self.column], self.edition) and (not others or repeated)

    def _check_width(self, row: int) -> None:
        """Refuse a row with fewer or more cells than the header has."""
        cells, titles = self.grid.rows[row], self.grid.rows[self.header]
        width = max(column for column, title in enumerate(titles) if title) + 1
        used = max((column for column, cell in enumerate(cells) if cell), default=0) + 1
        if len(cells) < width or used > max(width, len(titles)):
            found = max(used, len(cells))
            self.grid.refuse(f"expected {width} cells, as in the header; found {found}", row)

    def _columns(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for column, title in enumerate(self.grid.rows[self.header]):
            if column == self.column:
                continue
            try:
                self._column(column, title, found)
            except RecordError as error:
                self.finding.faults.append(str(error))
        return found

    def _column(self, column: int, title: str, found: dict[str, int]) -> None:
        """Take in one column: add it to those found if it is a holder's."""
        if not title or (column < self.column and _folded(title) in _ASIDE):
            self._unnamed(column)
            return
        holder = self._holder(_OWN.sub("", title), column)
        if holder is None:
            return
        for other, first in found.items():
            if other.casefold() == holder.casefold():
                reason = f"{escape(holder)} stands in {self.grid.where(None, first)} already"
                self.grid.refuse(reason, self.header, column)
        self.mine = holder if _OWN.search(title) else self.mine
        found[holder] = column

    def _holder(self, name: str, column: int) -> str | None:
        """Whose column it is; `None` for one that is no holder's."""
        words, players = _folded(name), Names("player", self.setting.players)
        if len(readings := players.readings(name)) == 1:
            return readings[0]
        if words in _ENVELOPES:
            return ENVELOPE
        if words in _OPEN:
            self.open = column
            return None
        if name.casefold().startswith(FACE_DOWN):
            slot = name[len(FACE_DOWN) :]
            self.slots[slot] = column
            return slot
        if name in {slot.name for slot in self.setting.slots}:
            return name
        if words in _ASIDE or self.setting.left(name):
            title = escape(self.grid.cell(self.header, column))
            filled = sum(bool(self.grid.cell(row, column)) for row in self.rows.values())
            cells = f": {filled} cell{'s' * (filled > 1)} with text" if filled else ""
            self.aside.append(f"{self.grid.where(None, column)}, '{title}'{cells}")
            return None
        return self.finding.find(players, name, self.header, column) if players.names else name

    def _unnamed(self, column: int) -> None:
        """Leave a column without a name aside, or one that names the categories."""
        for row in self.rows.values():
            cell = self.grid.cell(row, column)
            if cell and not (column < self.column and is_heading(cell, self.edition)):
                expected = "expected nothing in a column without a player's name"
                self.grid.refuse(f"{expected}; found '{escape(cell)}'", row, column)


def _folded(title: str) -> str:
    return " ".join(words_of(title))
