"""What the columns of a sheet are: a pad's holders, or who asked, for what, and who answered."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from clue_solver.errors import printable
from clue_solver.exchange.mapping import (
    ENVELOPES,
    PARTING,
    SURE_ENVELOPES,
    WRITERS,
    Deck,
    Findings,
    People,
    Question,
    Said,
    denies,
    folded,
    plain_name,
    spelt,
    without_brackets,
)
from clue_solver.exchange.marks import MARKS
from clue_solver.exchange.tables import Sheet, letter
from clue_solver.notation.names import Names, words_of
from clue_solver.rules.table import ENVELOPE

MINE, FACE_DOWN, OPEN, SIZES = "(me)", "face-down ", "table", "hand size"
"""What a pad of this program writes beside a viewer and before a slot; a column and a row of it."""

NOT = "not "
"""What stands before a player in the meaning of a column of what they have not."""

_TITLES = {
    "holder": "holder, owner, who has it, who has, who, held by, has it, location, with, wer, qui",
    "lacks": "not with, not, not held by, who has not, hasnt, cleared, ruled out, without",
    "face-up": "table, face up, open, public",
    "asker": "asker, by, player, suggester, asked by, suggested by, guesser, who asks, who asked, "
    "asks, asked, suggested, who suggested, who guessed, whose turn, asking, name, person, wer, "
    "wer fragt, fragt, spieler, joueur, qui, qui demande, jugador, quien, quien pregunta",
    "cards": "cards, suggestion, suggests, guess, asked for, asked about, suspect, weapon, room, "
    "character, who, whom, what, with, with what, using, where, place, in, in which",
    "shower": "shower, shown by, showed, shows, disproved by, refuted by, answered by, answered, "
    "disprover, responder, who showed, who shows, refuted, who answered, who had one, who had it, "
    "who refuted, who disproved, disproved, who showed it, who showed a card, from whom, "
    "wer zeigt, zeigt, gezeigt von, qui montre, montre, quien muestra, muestra, mostro, ensena",
    "shown": "card shown, shown card, shown, card seen, seen, seen card, i saw, what i saw, "
    "card i saw, what was shown, which card, what card, saw, showed me, response, card, carta, "
    "karte, carte",
    "passes": "passes, passed, couldnt, could not, cannot, cant, passed by, passers, who passed, "
    "had none, no card, no help, no",
    "answers": "answers, answer, responses, result",
    "kind": "type, kind, action, move, suggestion or accusation",
    "verdict": "accusation, accuses, verdict, right, result, outcome",
    "remark": "comment, comments, note, notes, remark, remarks, my notes, thoughts, bemerkung, "
    "remarque, nota, notas",
    "aside": "nr, no, number, turn, index, row, time, date, round, id, step, timestamp, when, "
    "total, totals, sum, category, status, known, done, count, score, legend, key",
}
"""What columns may be called, by what they are: some titles are two things."""
_PAD = ("card", "holder", "lacks", ENVELOPE, "face-up", "remark", "aside")
_LOG = ("asker", "cards", "shower", "shown", "passes", "answers", "kind", "verdict")
COLUMN_MEANINGS = (*_PAD[:5], *_LOG, "remark", "aside")
"""What a column can be, besides a player's."""
_ANY = ("asker", "shower", "shown", "passes", "kind", "verdict", "answers", "cards", *_PAD[-2:])
"""What a column of a table of suggestions can be where its text does not tell."""
_OWN_COLUMN = re.compile(r"(?i)\s+[-\u2013\u2014]\s+(?:me|my hand|my cards)$")
"""What stands behind the name of the writer's own column."""
NOBODY = {
    *("nobody", "none", "no one", "noone", "-", "\u2013", "\u2014"),
    *("niemand", "keiner", "personne", "nadie", "ninguno", "nessuno"),
}
"""What people write where nobody showed a card."""


class Column(NamedTuple):
    """
    A column of a sheet.

    Attributes:
        at: Its place, counted from 0.
        title: Its title.
        means: What it is: one of `COLUMN_MEANINGS`, a face-down slot, or a player's name; empty if
            that is not known.
        filled: How many cells below the titles have text.
    """

    at: int
    title: str
    means: str
    filled: int

    @property
    def about(self) -> str:
        """What a person calls it: the title, or else the letter."""
        return self.title or letter(self.at)

    @property
    def name(self) -> str:
        """The title in quotes, or else the letter."""
        return f"'{printable(self.title)}'" if self.title else f"column {letter(self.at)}"


class Layout(NamedTuple):
    """
    A sheet with the meaning of its columns.

    Attributes:
        kind: Whether it is a detective's `pad` or a table of `suggestions`.
        sheet: The sheet, with cards down one column.
        header: The row of the titles, counted from 0; -1 if there are none.
        columns: The columns.
        deck: The names of the cards.
        mine: The player whose notes they are, where a title says so.
    """

    kind: str
    sheet: Sheet
    header: int
    columns: tuple[Column, ...]
    deck: Deck
    mine: str | None = None

    def where(self, means: str) -> tuple[int, ...]:
        """Return the columns of a meaning, counted from 0."""
        return tuple(column.at for column in self.columns if column.means == means)

    @property
    def exported(self) -> bool:
        """Whether this program wrote it: the edition's name stands in the corner."""
        return any(column.title == self.deck.edition.name for column in self.columns)

    @property
    def players(self) -> tuple[str, ...]:
        """The players that have columns, from left to right."""
        others = {*COLUMN_MEANINGS, ""}
        names = (column.means for column in self.columns if column.means not in others)
        return tuple(name for name in names if not name.startswith((FACE_DOWN, NOT)))

    def listed(self) -> list[str]:
        """Return a list of cards and their holders as lines: `Plum: Ben, not Ann or Cat`."""
        (at_cards,) = self.where("card")
        lines = []
        for _, row in self.rows():
            told = [row[at] for at in self.where("holder") if row[at]]
            told += [
                f"not {' nor '.join(re.split('[,;/]', row[at]))}"
                for at in self.where("lacks")
                if row[at]
            ]
            lines.append(f"{row[at_cards]}: {', '.join(told)}" if told else "")
        return lines

    def rows(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the rows below the titles that are not empty, with their numbers from 0."""
        for row in range(self.header + 1, len(self.sheet.rows)):
            if any(self.sheet.rows[row]):
                yield row, self.sheet.rows[row]


def layouts_of(sheet: Sheet, deck: Deck, findings: Findings) -> list[Layout]:
    """Return the tables of a sheet: suggestions, a pad, or one below the other; or none."""
    log = _LogColumns(sheet, deck, findings).layout()
    if log is not None:
        below = range(log.header, len(sheet.rows))
        last = max((row for row in below if _asks(sheet.rows[row], deck)), default=len(sheet.rows))
        blank = ("",) * len(sheet.rows[0])
        rest = [blank if log.header <= at <= last else row for at, row in enumerate(sheet.rows)]
        sheet = Sheet(rows=tuple(rest), told=sheet.told, title=sheet.title)
    pad = _Pad(sheet, deck, findings).layout(alone=log is None)
    return [layout for layout in (pad, log) if layout is not None]


def meaning_said(at: int, title: str, said: Said) -> str:
    """Return what a person says that a column is; empty if nothing."""
    if at < len(said.every_column):
        meaning = said.every_column[at]
    else:
        asked = {folded(title)}
        if not title or len(said.sheets) < 2:  # of several sheets each has a column of this letter
            asked |= {f"column {letter(at)}".casefold(), letter(at).casefold()}
        found = (said.columns[name] for name in said.columns if folded(name) in asked)
        meaning = next(found, "")
    plain = folded(meaning)
    if plain in ("-", "?", "aside", "none", "nothing", "leave"):
        return "aside"
    return plain if plain in COLUMN_MEANINGS else meaning


def _roles(title: str, meanings: Sequence[str]) -> list[str]:
    """Return which of some meanings a title can have."""
    words = spelt(title)
    return [role for role in meanings if words in _TITLES.get(role, "").split(", ") and words]


# Suggestions.


@lru_cache(maxsize=10_000)
def _readings(names: Names, text: str) -> tuple[str, ...]:
    """Return what a text can be; the same texts stand in many cells."""
    return names.candidates(text)


def _cards(cells: Sequence[str], deck: Deck) -> list[str]:
    """Return the cards that cells are, and those that a cell lists."""
    found = []
    for cell in filter(None, cells):
        parts = [cell] if deck.names.exact(cell) else PARTING.split(cell)
        if len(parts) == 1 and deck.one_of_each(listed := deck.cards_in(cell)):
            parts = listed
        for part in parts if len(parts) in (1, len(deck.edition.category)) else ():
            if len(named := _readings(deck.names, part)) == 1 and len(part) > 2:
                found.append(named[0])
    return found


def _asks(cells: Sequence[str], deck: Deck) -> bool:
    """Whether the first cards of a row are one of each category."""
    cards = _cards(cells, deck)
    return len(cards) < 6 and deck.one_of_each(cards[: len(deck.edition.category)])


class _Columns:
    """Finds the columns of a sheet."""

    def __init__(self, sheet: Sheet, deck: Deck, findings: Findings) -> None:
        self.sheet = sheet
        self.deck = deck
        self.findings = findings
        self.said = findings.said
        self.people = People(self.said.players, self.said.viewer, self.said)


class _LogColumns(_Columns):
    """Finds the columns of a table of suggestions, by titles and by what stands below them."""

    def layout(self) -> Layout | None:
        """Return the table; `None` if it is none of suggestions."""
        every, rows = self.said.every_column, self.sheet.rows
        asking = [row for row, cells in enumerate(rows) if _asks(cells, self.deck)]
        exported = any(cell == self.deck.edition.name for row in rows[:1] for cell in row)
        said = "asker" in (*every, *self.said.columns.values())
        if exported or (every and not said) or not (asking or said):
            return None
        # The titles stand in the row above the first suggestion that has most of them.
        titled = {
            row: sum(bool(_roles(cell, _LOG)) for cell in rows[row])
            for row in range(min(asking, default=1))
            if sum(map(bool, rows[row])) > 1
        }
        header = max(titled, key=lambda row: (titled[row], row), default=-1)
        self.titles = rows[header] if header >= 0 else ("",) * len(rows[0])
        self.below = [row for row in rows[header + 1 :] if sum(map(bool, row)) > 1]
        means = self._means()
        own = [role for role in means if role and role not in COLUMN_MEANINGS]
        if "cards" not in means or (self.said.players and not own and "asker" not in means):
            return None
        if len({*own}) < len(own):  # blocks of a pad beside one another
            return None
        if not (own or every or self.said.players or titled.get(header, 0) > 1):
            return None
        columns = [self._column(at, role) for at, role in enumerate(means)]
        return Layout("suggestions", self.sheet, header, tuple(columns), self.deck)

    def _means(self) -> list[str]:
        """Return what each column is; empty if nobody can tell."""
        means: list[str] = []
        kinds: set[str] = set()  # of the cards that were asked for
        for at, title in enumerate(self.titles):
            texts = Counter(row[at] for row in self.below if row[at])
            can = self._can_be(texts)
            role = meaning_said(at, title, self.said) or self._seat(title)
            role = role or next(iter(_roles(title, can)), "")
            found = [kind for text in texts for kind in self._kinds(text)]
            kind = max(found, key=found.count, default="")
            if can[0] == "cards" and role in ("", "cards") and kind in kinds:
                role = "shown"
            elif not role and can[0] == "asker" and (denies(title) or "asker" in means):
                role = "passes" if denies(title) else "shower"
            elif not role and can != _ANY:
                role = can[0]
            if role == "cards":
                kinds |= {*found} if can == ("cards",) else {kind}
            means.append(role if texts else meaning_said(at, title, self.said))
        return means

    def _can_be(self, texts: Counter[str]) -> tuple[str, ...]:
        """Return what a column with these texts can be, what is likeliest first."""

        def most(is_one: Callable[[str], bool]) -> bool:
            return 2 * sum(map(is_one, texts)) > len(texts)

        if most(lambda text: bool(re.fullmatch(r"[\W_]*\d[\d.:/ -]*", text))):
            return ("aside",)
        if most(lambda text: _asks([text], self.deck)):
            return ("cards",)
        if most(self._is_person) and not {*map(folded, texts)} <= NOBODY:
            return ("asker", "shower", "passes")
        if most(lambda text: len(self.deck.names.candidates(self.said.meant(text))) == 1):
            return ("cards", "shown")
        if most(lambda text: " " in text and self._is_person(text.split()[0])):
            return ("answers", *_ANY)
        return _ANY

    def _is_person(self, text: str) -> bool:
        return folded(text) in (*NOBODY, *WRITERS) or bool(self.people.seats_in(text))

    def _kinds(self, text: str) -> list[str]:
        """Return the categories of the cards of a cell."""
        return [self.deck.edition.category_of[card] for card in _cards([text], self.deck)]

    def _seat(self, title: str) -> str:
        """Return the player whose answers stand below a title; empty if it is none."""
        found = self.people.find(title) if title and not _roles(title, _LOG) else None
        return found if found and found != ENVELOPE else ""

    def _column(self, at: int, role: str) -> Column:
        filled = sum(bool(row[at]) for row in self.below)
        column = Column(at, self.titles[at], role, filled)
        if not filled and not role:
            return column._replace(means="aside")
        if not role and self.said.players:
            text = f"what is {column.name}, with text in {filled} cells?"
            self.findings.ask(Question("columns", text, column.about, "", COLUMN_MEANINGS))
        return column


# Pads.


class _Pad(_Columns):
    """Finds the columns of a pad: cards down one of them, holders across."""

    def _is_card(self, text: str) -> bool:
        return bool(self.deck.names.exact(plain_name(self.said.meant(text))))

    def _may_be_card(self, text: str) -> bool:
        """Whether a label is a card's, perhaps misspelt."""
        near = self.deck.names.candidates(text) or self.deck.names.nearest(text)
        return len(near) == 1 and not self.deck.is_heading(text) and not _roles(text, [*_TITLES])

    def _count(self, cells: Sequence[str]) -> int:
        return sum(map(self._is_card, filter(None, cells)))

    def _turn(self) -> None:
        """Turn the sheet if its cards stand across."""
        columns = [self._count(column) for column in zip(*self.sheet.rows, strict=True)]
        rows = [self._count(row) for row in self.sheet.rows]
        if max(rows, default=0) > max(2, *columns, 0):
            self.sheet = self.sheet.turned()

    def layout(self, *, alone: bool) -> Layout | None:
        """Return the pad; `None` if it is none. One beside suggestions has four cards or more."""
        self._turn()
        rows, every = self.sheet.rows, self.said.every_column
        counts = [self._count(self.sheet.column(at)) for at in range(len(rows[0]) if rows else 0)]
        self.at_cards = max(range(len(counts)), key=lambda at: (counts[at], -at), default=0)
        for at, title in enumerate(rows[0] if rows else ()):
            if meaning_said(at, title, self.said) == "card":
                self.at_cards = at
        said = "card" in (*every, *self.said.columns.values())
        if not counts or (counts[self.at_cards] < (2 if alone else 4) and not said):
            return None
        column = self.sheet.column(self.at_cards)
        first = next((row for row, cell in enumerate(column) if self._is_card(cell)), 0)
        headers = [row for row in range(first) if sum(map(bool, rows[row])) > 1]
        headers = [row for row in headers if every or not self._may_be_card(column[row])]
        if not (every or headers):
            return None
        header = max(headers, key=lambda row: sum(map(bool, rows[row])), default=-1)
        titles = [*rows[header]] if header >= 0 else [""] * len(counts)
        for above in headers:  # merged cells: a title may stand in the row above
            for at, title in enumerate(rows[above]):
                if at != self.at_cards and above < header:
                    titles[at] = titles[at] or title
        self.titles = titles
        self.exported = titles[self.at_cards] == self.deck.edition.name
        body = rows[header + 1 :]
        filled = [
            sum(bool(row[at] and row[self.at_cards]) for row in body) for at in range(len(counts))
        ]
        columns = [
            self._column(Column(at, title, "", filled[at])) for at, title in enumerate(titles)
        ]
        several = ("remark", "aside", "lacks", "")
        named = [column.means for column in columns if column.means not in several]
        for means in sorted({means for means in named if named.count(means) > 1}):
            self.findings.faults.append(f"two columns are {printable(means)}: give them titles")
        mine = [column.means for column in columns if self._is_mine(column)]
        layout = Layout("pad", self.sheet, header, tuple(columns), self.deck)
        return layout._replace(mine=mine[0] if len(mine) == 1 else None)

    def _is_mine(self, column: Column) -> bool:
        plain, inside = without_brackets(_OWN_COLUMN.sub(" (me)", column.title))
        known = column.means not in ("", *COLUMN_MEANINGS)
        return known and bool({folded(plain), folded(inside)} & WRITERS)

    def _column(self, column: Column) -> Column:
        """Return a column with what it is, as a person says or as its title is understood."""
        said, title = self.said, column.title
        means = "card" if column.at == self.at_cards else meaning_said(column.at, title, said)
        if means:
            return column._replace(means=self.people.find(means) or means)
        if title.startswith(FACE_DOWN):
            return column._replace(means=title)
        name, inside = without_brackets(_OWN_COLUMN.sub("", title))
        name = said.meant(name)
        if folded(name) in WRITERS and inside and folded(inside) not in WRITERS:
            name = inside
        who, _, sign = name.rpartition(" ")  # `Ann no`
        seat = self.people.find(who) or ("" if said.players else who)
        says = MARKS.get(folded(sign))
        if seat and says in ("has", "lacks"):
            return column._replace(means=seat if says == "has" else f"{NOT}{seat}")
        found = self.people.find(title)
        roles = _roles(name, _PAD)
        if found is not None and found != ENVELOPE:
            return column._replace(means=found)
        if spelt(name) in SURE_ENVELOPES:
            return column._replace(means=ENVELOPE)
        if roles:
            return column._replace(means=roles[0])
        left = column.at < self.at_cards and (not title or self.titles.count(title) == 1)
        if left or (not column.filled and not _is_name(name)):
            return column._replace(means="aside")
        guess = name if _is_name(name) and not said.players else ""
        if spelt(name) in ENVELOPES or (name and not spelt(name)):
            guess = ENVELOPE
        if not self.exported:
            text = f"what is {column.name}, with marks in {column.filled} cells?"
            choices = (ENVELOPE, *([name] if _is_name(name) else []), "remark", "aside")
            self.findings.ask(Question("columns", text, column.about, guess, choices))
        return column._replace(means=guess)


def _is_name(title: str) -> bool:
    """Whether a title can be a player's name: words, and not too many."""
    words = words_of(title)
    return 0 < len(words) < 4 and not re.search(r"[,:#=]", title) and len(title) < 30
