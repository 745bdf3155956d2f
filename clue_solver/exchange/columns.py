"""What the columns of a sheet are: a pad's holders, or who asked, for what, and who answered."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from clue_solver.errors import printable
from clue_solver.exchange.mapping import (
    ACCUSES,
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
    "holder": "holder, owner, who has it, who has, held by, has it, location, with",
    "lacks": "not with, not, not held by, who has not, hasnt, cleared, ruled out, without",
    "face-up": "table, face up, open, public",
    "asker": "asker, by, player, suggester, asked by, suggested by, guesser, who asks, who asked, "
    "asks, asked, suggested, who suggested, who suggests, who guessed, guessed by, whose turn, "
    "turn of, asking, asking player, suggesting player, name, person, person asking, wer, "
    "wer fragt, fragt, spieler, spielerin, joueur, joueuse, qui, qui demande, demande, jugador, "
    "jugadora, quien, quien pregunta, pregunta",
    "cards": "cards, suggestion, suggests, guess, asked for, asked about, suspect, weapon, room, "
    "character, who, whom, what, with, with what, using, where, place, in, in which",
    "shower": "shower, shown by, showed, shows, disproved by, refuted by, answered by, answerer, "
    "answered, disprover, responder, who showed, who shows, refuter, refuted, who answered, "
    "who had one, who had it, who refuted, who disproved, disproved, who showed it, "
    "who showed card, who showed a card, showed by, from whom, wer zeigt, zeigt, gezeigt von, "
    "montre par, qui montre, montre, mostro, quien muestra, muestra, mostrado por, ensena",
    "shown": "card shown, shown card, shown, card seen, seen, seen card, i saw, what i saw, "
    "card i saw, what was shown, which card, what card, saw, card showed, showed card, showed me, "
    "what they showed, response, card, carta, karte, carte",
    "passes": "passes, passed, couldnt, could not, cannot, cant, passed by, passers, who passed, "
    "non refuters, nonrefuters, had none, couldnt answer, could not answer, didnt have, "
    "could not show, couldnt show, no card, no help, no",
    "answers": "answers, answer, responses, result",
    "kind": "type, kind, action, move, suggestion or accusation",
    "verdict": "accusation, accuses, verdict, right, result, outcome",
    "remark": "comment, comments, note, notes, remark, remarks, my notes, thoughts, bemerkung, "
    "bemerkungen, remarque, remarques, nota, notas",
    "aside": "nr, no, number, turn, index, row, time, date, round, id, turn number, turn no, step, "
    "timestamp, when, total, totals, sum, category, status, known, done, count, score, turno, "
    "legend, key, legende",
}
"""What columns may be called, by what they are: some titles are two things."""
_PAD = ("card", "holder", "lacks", ENVELOPE, "face-up", "remark", "aside")
_LOG = ("asker", "cards", "shower", "shown", "passes", "answers", "kind", "verdict")
COLUMN_MEANINGS = (*_PAD[:5], *_LOG, "remark", "aside")
"""What a column can be, besides a player's."""
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

    def rows(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the rows below the titles that are not empty, with their numbers from 0."""
        for row in range(self.header + 1, len(self.sheet.rows)):
            if any(self.sheet.rows[row]):
                yield row, self.sheet.rows[row]


def layouts_of(sheet: Sheet, deck: Deck, findings: Findings) -> list[Layout]:
    """Return the tables of a sheet: suggestions, a pad, or one beside the other; or none."""
    found = []
    sheet = _stacked(sheet, deck)
    log = _LogColumns(sheet, deck, findings).layout()
    if log is not None:
        found.append(log)
        below = range(log.header, len(sheet.rows))
        last = max((row for row in below if _asks(sheet.rows[row], deck)), default=len(sheet.rows))
        blank = ("",) * len(sheet.rows[0])
        rest = [blank if log.header <= at <= last else row for at, row in enumerate(sheet.rows)]
        sheet = Sheet(rows=tuple(rest), told=sheet.told, title=sheet.title)
    pad = _Pad(sheet, deck, findings).layout(alone=not found)
    if pad is not None:
        found.insert(0, pad)
    return found


def _stacked(sheet: Sheet, deck: Deck) -> Sheet:
    """Return a sheet with blocks of cards beside one another as one with them below one another."""
    columns = [sum(bool(deck.names.exact(cell)) for cell in column) for column in sheet.columns]
    begin = [at for at, cards in enumerate(columns) if cards >= _FEWEST_CARDS]
    apart = [two - one for one, two in pairwise([*begin, len(columns)])]
    if len(begin) < 2 or min(apart[:-1]) < 3:
        return sheet
    width = max(begin[0] + apart[0], *apart)
    blocks = [
        [(*row[start : start + size], *[""] * (width - size)) for row in sheet.rows]
        for start, size in zip(begin, apart, strict=True)
    ]
    rows = tuple(row for block in blocks for row in block)
    return Sheet(rows=rows, told=sheet.told, title=sheet.title)


_FEWEST_CARDS = 4
"""How many cards a block of a pad has at least."""


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
    if plain == "card" and "asker" in (*said.every_column, *said.columns.values()):
        return "cards"
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


class _LogColumns:
    """Finds the columns of a table of suggestions, by titles and by what stands below them."""

    def __init__(self, sheet: Sheet, deck: Deck, findings: Findings) -> None:
        titled = [sum(bool(_roles(cell, _LOG)) for cell in row) for row in sheet.rows]
        across = sum(bool(_roles(row[0], _LOG)) for row in sheet.rows if row)
        self.sheet = sheet.turned() if across > max(3, *titled, 0) else sheet
        self.deck = deck
        self.findings = findings
        self.said = findings.said
        self.people = People(self.said.players, self.said.viewer or "me", self.said)

    def layout(self) -> Layout | None:
        """Return the table; `None` if it is none of suggestions."""
        every = self.said.every_column
        rows = self.sheet.rows
        asking = [row for row, cells in enumerate(rows) if _asks(cells, self.deck)]
        exported = any(cell == self.deck.edition.name for row in rows[:1] for cell in row)
        if exported or (every and "asker" not in every):
            return None
        if not asking and "asker" not in (*every, *self.said.columns.values()):
            asking = [row + 1 for row in range(min(5, len(rows))) if self._is_titled(row)]
            if not asking:
                return None
        first = min(asking, default=1)
        titled = {row: self._titles(row) for row in range(first) if sum(map(bool, rows[row])) > 1}
        header = max(titled, key=lambda row: (titled[row], row), default=-1)
        self.titles = rows[header] if header >= 0 else ("",) * len(rows[0])
        self.below = [row for row in rows[header + 1 :] if sum(map(bool, row)) > 1]
        roles = self._means()
        means = [*roles.values()]
        own = any(role and role not in COLUMN_MEANINGS for role in means)
        if "cards" not in means or (self.said.players and not own and "asker" not in means):
            return None
        repeated = any(
            count > 1 for at in roles if roles[at] == "cards" for count in self._counts(at).values()
        )
        titles = titled and titled[header] > 1
        if not (titles or repeated or own or every or self.said.players):
            return None
        columns = [self._column(at, role) for at, role in roles.items()]
        return Layout("suggestions", self.sheet, header, tuple(columns), self.deck)

    def _titles(self, row: int) -> int:
        """Return how many cells of a row may be titles of such a table."""
        return sum(bool(_roles(cell, _LOG)) for cell in self.sheet.rows[row])

    def _is_titled(self, row: int) -> bool:
        """Whether a row has titles of such a table, whatever stands below it."""
        roles = {role for cell in self.sheet.rows[row] for role in _roles(cell, _LOG)}
        return roles >= {"asker", "cards"} and bool(roles & {"shower", "passes", "answers"})

    def _counts(self, at: int) -> Counter[str]:
        """Return how often each text stands in a column."""
        return Counter(row[at] for row in self.below if row[at])

    def _share(self, at: int, is_one: Callable[[str], bool]) -> float:
        """Return the share of the texts of a column that are something."""
        texts = self._counts(at)
        return sum(map(is_one, texts)) / max(len(texts), 1)

    def _is_card(self, text: str) -> bool:
        return len(self.deck.names.candidates(self.said.meant(text))) == 1

    def _is_suggestion(self, text: str) -> bool:
        return _asks([text], self.deck)

    def _is_person(self, text: str) -> bool:
        return folded(text) in NOBODY or bool(self.people.seats_in(text))

    def _means(self) -> dict[int, str]:
        """Return what each column is; empty if nobody can tell."""
        said, titles = self.said, self.titles
        roles = {at: meaning_said(at, title, said) for at, title in enumerate(titles)}
        free = [at for at in roles if not roles[at] and self._counts(at)]
        for at in free:
            if self._numbered(at) or folded(titles[at]) == "#":
                persons = said.players and self._share(at, self._is_person) == 1
                roles[at] = "" if persons else "aside"
        # The cards that were asked for; a further column of cards has those that were shown.
        free = [at for at in free if not roles[at] and not self._seat(titles[at])]
        whole = [at for at in free if self._share(at, self._is_suggestion) > 0.5]
        single = [at for at in free if self._share(at, self._is_card) >= 0.5]
        single = [at for at in single if self._share(at, self._is_person) < 1 or not said.players]
        if "cards" not in roles.values():
            kinds: set[str] = set()
            single.sort(key=lambda at: _roles(titles[at], ("shown",)) == ["shown"])
            for at in whole[:1] or single:
                kind = self._kind(at)
                if whole or (kind not in kinds and len(kinds) < len(self.deck.edition.category)):
                    roles[at] = "cards"
                    kinds.add(kind)
        for at in free if "cards" not in roles.values() else ():
            roles[at] = roles[at] or next(iter(_roles(titles[at], ("cards",))), "")
        for at in single:
            titled = not titles[at] or _roles(titles[at], ("shown", "cards"))
            if titled and not roles[at] and "shown" not in roles.values():
                roles[at] = "shown"
        # Who asked stands before who showed, where no title says otherwise.
        free = [at for at in free if not roles[at] and at not in single]
        askers = [at for at in free if _roles(titles[at], ("asker",))]
        if said.players and not askers:
            sure = [at for at in free if self._share(at, self._is_seat) == 1]
            rows = len(self.below)
            askers = [at for at in sure if self._counts(at).total() >= 0.8 * rows]
            askers = [at for at in askers if not _roles(titles[at], ("shower", "passes"))] or askers
        for at in askers[:1] if "asker" not in roles.values() else ():
            roles[at] = "asker"
        self.asker = next((at for at in roles if roles[at] == "asker"), 0)
        for at in [at for at in roles if not roles[at] and at not in single]:
            roles[at] = self._other(at, set(roles.values()))
        return roles

    def _is_seat(self, text: str) -> bool:
        return len(self.people.seats_in(ACCUSES.sub("", text).strip(" :"))) == 1

    def _kind(self, at: int) -> str:
        """Return the category of most cards of a column."""
        kinds = Counter(
            self.deck.edition.category_of[card]
            for text in self._counts(at)
            for card in _cards([text], self.deck)
        )
        return kinds.most_common(1)[0][0] if kinds else ""

    def _numbered(self, at: int) -> bool:
        return all(re.fullmatch(r"[\W_]*\d[\d.:/ -]*", text) for text in self._counts(at))

    def _other(self, at: int, there: set[str]) -> str:
        """Return what a column is besides who asked and for what."""
        title = self.titles[at]
        texts = self._counts(at)
        if seat := self._seat(title):
            return seat
        named = _roles(title, ("shower", "shown", "passes", "answers", "kind", "verdict"))
        people = self._share(at, self._is_person)
        if people and denies(title):
            return "passes"
        told = [text for text in texts if " " in text and self._is_person(text.split()[0])]
        if named and named[0] in ("verdict", "answers"):
            return "answers" if 2 * len(told) > len(texts) else named[-1]
        if named and (named[0] != "shown" or people <= 0.5 or "shower" in there):
            return named[0]
        if people > 0.5:
            asks = any(row[at] == row[self.asker] for row in self.below if row[at])
            return "" if asks else "passes" if "shower" in there else "shower"
        remark = next(iter(_roles(title, ("remark", "aside"))), "")
        return remark or ("answers" if 2 * len(told) > len(texts) else "")

    def _seat(self, title: str) -> str:
        """Return the player whose answers stand below a title; empty if it is none."""
        found = self.people.find(title) if title and not _roles(title, _LOG) else None
        return found if found and found != ENVELOPE else ""

    def _column(self, at: int, role: str) -> Column:
        column = Column(at, self.titles[at], role, self._counts(at).total())
        if not column.filled and not role:
            return column._replace(means="aside")
        if not role and self.said.players:
            text = f"what is {column.name}, with text in {column.filled} cells?"
            self.findings.ask(
                Question("columns", text, column.about, "", (*_LOG, "remark", "aside"))
            )
        return column


# Pads.


class _Pad:
    """Finds the columns of a pad: cards down one of them, holders across."""

    def __init__(self, sheet: Sheet, deck: Deck, findings: Findings) -> None:
        self.deck = deck
        self.findings = findings
        self.said = findings.said
        self.sheet = self._cards_down(sheet)
        self.people = People(self.said.players, self.said.viewer, self.said)

    def _is_card(self, text: str) -> bool:
        return bool(self.deck.names.exact(plain_name(self.said.meant(text))))

    def _may_be_card(self, text: str) -> bool:
        """Whether a label is a card's, perhaps misspelt."""
        near = self.deck.names.candidates(text) or self.deck.names.nearest(text)
        return len(near) == 1 and not self.deck.is_heading(text) and not _roles(text, [*_TITLES])

    def _count(self, cells: Sequence[str]) -> int:
        return sum(map(self._is_card, filter(None, cells)))

    def _cards_down(self, sheet: Sheet) -> Sheet:
        """Return the sheet, turned if its cards stand across."""
        columns = [self._count(column) for column in zip(*sheet.rows, strict=True)]
        rows = [self._count(row) for row in sheet.rows]
        return sheet.turned() if max(rows, default=0) > max(2, *columns, 0) else sheet

    def layout(self, *, alone: bool) -> Layout | None:
        """Return the pad; `None` if it is none. One beside suggestions has four cards or more."""
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
        marked = (sum(folded(cell) in MARKS for cell in rows[row]) > 1 for row in headers)
        headers = [row for row, marks in zip(headers, marked, strict=True) if not marks]
        if not every:
            headers = [row for row in headers if not self._may_be_card(column[row])]
            if not headers:
                return None
        header = max(headers, key=lambda row: sum(map(bool, rows[row])), default=-1)
        titles = [*rows[header]] if header >= 0 else [""] * len(counts)
        for above in headers:  # merged cells: a title may stand in the row above
            for at, title in enumerate(rows[above]):
                if at != self.at_cards and above < header:
                    titles[at] = titles[at] or title
        signs = [MARKS.get(folded(cell)) for cell in rows[header + 1]]
        if signs.count("lacks") > 1 and not self._may_be_card(column[header + 1]):
            header += 1  # `has` and `hasn't` below each name
            names = [next(filter(None, titles[at::-1]), "") for at in range(len(titles))]
            for at, sign in enumerate(signs):
                titles[at] = f"{names[at]} {rows[header][at]}" if sign else titles[at]
        self.exported = titles[self.at_cards] == self.deck.edition.name
        body = rows[header + 1 :]
        known = {self.people.find(title) for title in titles}
        left = [seat for seat in self.said.players if seat not in known]
        if self.said.viewer is None and len(left) == 1:  # the column of `me`
            self.people.viewer = left[0]
        filled = [
            sum(bool(row[at] and row[self.at_cards]) for row in body) for at in range(len(counts))
        ]
        columns = [
            self._column(Column(at, title, "", filled[at])) for at, title in enumerate(titles)
        ]
        for one, two in pairwise(columns):  # what the signs of a legend mean
            if spelt(one.title) in ("legend", "key", "legende") and not two.title:
                columns[two.at] = two._replace(means="aside")
                self.findings.questions.pop(("columns", two.about), None)
        if any(column.means == "holder" for column in columns):
            columns = [self._beside_holders(column) for column in columns]
        several = ("remark", "aside", "lacks", "")
        named = [column.means for column in columns if column.means not in several]
        for means in sorted({means for means in named if named.count(means) > 1}):
            self.findings.faults.append(f"two columns are {printable(means)}: give them titles")
        mine = [column.means for column in columns if self._is_mine(column)]
        layout = Layout("pad", self.sheet, header, tuple(columns), self.deck)
        return layout._replace(mine=mine[0] if len(mine) == 1 else None)

    def _is_mine(self, column: Column) -> bool:
        plain, inside = without_brackets(column.title)
        own = re.fullmatch(r"(?i).*[-\u2013\u2014]\s+(?:me|my hand|my cards)", column.title)
        words = {folded(plain), folded(inside)}
        known = column.means not in ("", *COLUMN_MEANINGS)
        return known and bool(own or words & (WRITERS | {"viewer", "my cards", "my hand"}))

    def _column(self, column: Column) -> Column:
        """Return a column with what it is, as a person says or as its title is understood."""
        said, title = self.said, column.title
        means = "card" if column.at == self.at_cards else meaning_said(column.at, title, said)
        if means:
            return column._replace(means=self.people.find(means) or means)
        own = re.compile(r"\s+[-\u2013\u2014]\s+(?:me|my hand|my cards)$", re.IGNORECASE)
        name, inside = without_brackets(own.sub("", title))
        name = said.meant(name)
        if folded(name) in WRITERS and inside and folded(inside) not in WRITERS:
            name = inside
        who, _, sign = name.rpartition(" ")
        known = self.people.find(who) or (who and not self.said.players)
        says = MARKS.get(folded(sign)) if known else None
        if says in ("has", "lacks"):
            seat = self.people.find(who) or who
            return column._replace(means=seat if says == "has" else f"{NOT}{seat}")
        words = spelt(name)
        roles = _roles(name, _PAD)
        if title.startswith(FACE_DOWN):
            return column._replace(means=title)
        found = self.people.find(title)
        if found is not None and found != ENVELOPE:
            return column._replace(means=found)
        if words in SURE_ENVELOPES:
            return column._replace(means=ENVELOPE)
        if roles or (words in ("who", "wer", "qui", "quien", "chi", "wie") and not self.exported):
            return column._replace(means=roles[0] if roles else "holder")
        if column.at < self.at_cards or (not column.filled and not _is_name(name)):
            return column._replace(means="aside")
        guess = name
        if words in ENVELOPES or (name and not words):
            guess = ENVELOPE
        elif not _is_name(name) or self.said.players:
            guess = ""
        if not self.exported:
            text = f"what is {column.name}, with marks in {column.filled} cells?"
            choices = (ENVELOPE, *([name] if _is_name(name) else []), "remark", "aside")
            self.findings.ask(Question("columns", text, column.about, guess, choices))
        return column._replace(means=guess)

    def _beside_holders(self, column: Column) -> Column:
        """Return a column of a list that has one for the holders: others are left aside."""
        if column.means in ("card", "holder", "lacks"):
            return column
        self.findings.questions.pop(("columns", column.about), None)
        return column._replace(means="aside")


def _is_name(title: str) -> bool:
    """Whether a title can be a player's name: words, and not too many."""
    words = words_of(title)
    return 0 < len(words) < 4 and not re.search(r"[,:#=]", title) and len(title) < 30
