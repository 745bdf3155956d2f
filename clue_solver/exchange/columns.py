"""Finds out what the columns of a sheet mean: a holder on a pad, or a part of a suggestion."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.errors import printable
from clue_solver.exchange import terms
from clue_solver.exchange.findings import Findings, ImportHints
from clue_solver.exchange.marks import MARKS
from clue_solver.exchange.names import Deck, People
from clue_solver.exchange.tables import Sheet, letter
from clue_solver.notation.names import Names, words_of
from clue_solver.rules.table import ENVELOPE

MINE, FACE_DOWN, OPEN, SIZES = "(me)", "face-down ", "table", "hand size"
"""Texts on exported pads: after the viewer, before a slot, a column title and a row label."""
NOT = "not "
"""Precedes a player's name in the meaning of a column of cards that the player lacks."""
_WORD = 6
"""A cell with at least this many letters may be more than a mark."""
_OFTEN = 4
"""Texts that come this often are marks."""
_REMARK = r"(my )?(comments?|rmks?|notes?|remarks?|thoughts|bemerkung(en)?|remarques?|notas?)"
PAD = {
    "holder": r"holder|owner|belongs to|who( ?s)? ?(has|got|holds)?( it)?|whose|held by|has it|"
    r"location|with|wer( hat)?( sie| es)?|qui( la| a)?|quien( la)?( tiene)?|chi( l| ce l)?( ha)?|"
    r"wie( heeft)?( hem| m)?",
    "lacks": r"(who |definitely )?(not|doesnt|hasnt|has not|lacks)( with| held by| have)?|"
    r"wer( hat)?( sie| es)? nicht|qui (ne )?(la|a) pas|quien no( la)?( tiene)?|wie( heeft)? niet|"
    r"cleared|ruled out|without",
    "face-up": r"table|face up|open|public",
    "remark": _REMARK,
    "aside": r"(sub)?totals?|sum|category|type|legend|key|nr|no|known|done|count|score|status",
}
LOG = {
    "aside": r"nr|no|number|turn|index|row|time|date|round|id|step|timestamp|when|points|score|"
    r"tour|beurt|runde|zug|turno|count|done|status|known",
    "kind": r"type|kind|action|move|suggestion or accusation",
    "verdict": r"accusation|accuses|verdict|right|outcome",
    "passes": r".*\b(pass\w*|could ?nt|cant|cannot|could not|says no|none|no card|no help|nothing|"
    r"has not|didnt)\b.*|no|without",
    "shown": r"(?!.*(\bby\b|\d)).*(\b(card|saw|seen|showed me|shown|response|karte|kaart|carte|"
    r"carta)\b.*|did \w+ show)",
    "answers": r".*\b(answers?|responses?|results?|happened|replies)\b.*",
    "shower": r"sh by|.*\b(show\w*|disprov\w*|refut\w*|respon\w*|answer\w*|had|proved|from whom|"
    r"zeigt|getoond|gezeigt|montre|muestra|mostro|ensena)\b.*|yes|ja|oui|si",
    "asker": r".*\b(ask\w*|by|player|suggest\w*|guess\w*|turn|name|person|fragt|vra\w+|spieler|"
    r"speler|joueur|demande|jugador|pregunta|detective)\b.*|wer|qui|quien|who",
    "cards": r".*\b(cards|suggest\w*|guess|asked (for|about)|suspect|weapon|room|character|who|"
    r"card ?\d|whom|what|where|place|"
    r"persoon|wapen|kamer|waffe|raum|ort|arme|lieu|arma|lugar|sala|stanza)\b.*",
    "remark": _REMARK,
}
"""Patterns for the titles of columns, by meaning; the likelier meanings come first."""
_MEANINGS = (
    "card holder lacks envelope face-up asker cards shower shown passes answers kind verdict"
)
COLUMN_MEANINGS = (*_MEANINGS.split(), "remark", "aside")
"""The possible meanings of a column, apart from players."""
_OWN_COLUMN = re.compile(r"(?i)\s+[-\u2013\u2014]\s+(?:me|my hand|my cards)$")
"""The text after the name in the title of the writer's own column."""


def _roles_of(title: str, roles: dict[str, str]) -> list[str]:
    """Return the meanings that a title can have, the likeliest first."""
    words = terms.spelt(title)
    return [role for role in roles if words and re.fullmatch(roles[role], words)]


def _is_text(cell: str) -> bool:
    """Whether a cell has letters or a `?`, and is not a colour with its code (`green #70AD47`)."""
    return bool(re.search(r"[^\W\d_]|\?", cell)) and " #" not in cell


def are_marks(cells: Sequence[str]) -> bool:
    """
    Whether cells look like marks rather than texts.

    They do if at least half have a known meaning, or if each text occurs `_OFTEN` times on average.
    """
    known = sum(terms.fold_text(cell) in MARKS for cell in cells)
    return 2 * known >= len(cells) or _OFTEN * len({*cells}) <= len(cells)


def whose(title: str) -> tuple[str, bool]:
    """
    Return the name in a title, and whether it is the name of the writer.

    >>> whose("Ann - me"), whose("me (Nora)"), whose("Ben (Plum)")
    (('Ann', True), ('Nora', True), ('Ben', False))
    """
    plain = _OWN_COLUMN.sub("", title)
    name, inside = terms.without_brackets(plain)
    own = [terms.fold_text(each) in terms.WRITERS for each in (name, inside)]
    return inside if own == [True, False] and inside else name, any(own) or plain != title


def _is_name(title: str) -> bool:
    """Whether a title can be a player's name, which has one to three words."""
    words = words_of(title)
    return 0 < len(words) < 4 and not re.search(r"[,:#=?]", title) and len(title) < 30


def _repeats(row: Sequence[str], titles: Sequence[str]) -> bool:
    """Whether a row repeats the titles."""
    return sum(bool(cell) and cell == title for cell, title in zip(row, titles, strict=True)) > 1


class Column(NamedTuple):
    """
    A column of a sheet.

    Attributes:
        at: The index of the column.
        title: The title of the column.
        means: The meaning of the column: one of `COLUMN_MEANINGS`, a face-down slot, or a player's
            name; empty if it is not known.
        filled: How many cells below the title have text.
    """

    at: int
    title: str
    means: str
    filled: int

    @property
    def about(self) -> str:
        """The title, or the letter if the column has no title."""
        return self.title or letter(self.at)

    @property
    def name(self) -> str:
        """The title in quotes, or `column C` if the column has no title."""
        return f"'{printable(self.title)}'" if self.title else f"column {letter(self.at)}"


class ColumnLayout(NamedTuple):
    """
    A sheet with the meaning of its columns.

    Attributes:
        kind: Whether it is a detective's `pad`, a table of `suggestions`, or a `list` of cards and
            who has them.
        sheet: The sheet, with cards down its columns.
        header: The index of the row with the titles; -1 if there is none.
        columns: The columns.
        deck: The names of the cards.
        mine: The player whose notes these are, if a title states it.
        is_export: Whether this program wrote the sheet.
    """

    kind: str
    sheet: Sheet
    header: int
    columns: tuple[Column, ...]
    deck: Deck
    mine: str | None = None
    is_export: bool = False

    def columns_of(self, means: str) -> tuple[int, ...]:
        """Return the indexes of the columns with a meaning."""
        return tuple(column.at for column in self.columns if column.means == means)

    @property
    def is_sound(self) -> bool:
        """Whether titles or marks show that this is a table rather than sentences with commas."""
        if self.kind == "suggestions":
            titled = [title for title in self.titles if _roles_of(title, LOG)]
            return len(titled) > 1 or len(self.columns_of("cards")) > 2 or len(self.players) > 1
        beside = [c.at for c in self.columns if c.means not in ("card", "aside", "remark")]
        cells = [cells[at] for _, cells in self.rows() for at in beside if cells[at]]
        short = sum(len(cell) < _WORD for cell in cells)
        return self.kind == "list" or 2 * short > len(cells) or (bool(cells) and are_marks(cells))

    def named_cards(self) -> list[str]:
        """Return the cards that are named in full in the columns of cards."""
        cells = (cell for at in self.columns_of("card") for cell in self.sheet.column(at))
        return [card for cell in cells for card in self.deck.names.exact(terms.plain_name(cell))]

    @property
    def players(self) -> tuple[str, ...]:
        """The players that have columns, from left to right."""
        others = {*COLUMN_MEANINGS, ""}
        names = (column.means for column in self.columns if column.means not in others)
        return tuple(dict.fromkeys(name for name in names if not name.startswith((FACE_DOWN, NOT))))

    @property
    def titles(self) -> tuple[str, ...]:
        """The cells of the row of titles; empty if there is none."""
        return self.sheet.rows[self.header] if self.header >= 0 else ("",) * len(self.columns)

    def rows(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the rows below the titles with their indexes; skip rows that repeat the titles."""
        for row in range(self.header + 1, len(self.sheet.rows)):
            if any(self.sheet.rows[row]) and not _repeats(self.sheet.rows[row], self.titles):
                yield row, self.sheet.rows[row]

    def text(self, means: str, row: int) -> str:
        """Return the text that a row has in all columns with a meaning."""
        cells = self.sheet.rows[row]
        return ", ".join(cells[at] for at in self.columns_of(means) if cells[at])

    def lines_of_list(self) -> list[str]:
        """Return the list as lines such as `Plum: Ben, not Ann`."""
        lines = []
        for row, _ in self.rows():
            others = filter(None, terms.LISTED.split(self.text("lacks", row)))
            told = [self.text("holder", row), *(f"not {other}" for other in others)]
            lines.append(f"{self.text('card', row)}: {', '.join(filter(None, told))}")
        return [line for line in lines if not line.endswith(": ")]


def stated_meaning(at: int, title: str, hints: ImportHints) -> str:
    """Return the meaning that the user stated for a column; empty if none was stated."""
    if at < len(hints.every_column):
        meaning = hints.every_column[at]
    else:
        asked = {terms.fold_text(title)}
        if not title or len(hints.sheets) < 2:  # of several sheets each has a column of this letter
            asked.add(f"column {letter(at)}".casefold())
            asked |= {letter(at).casefold()} if len(title) != 1 else set()  # `E` may be a title
        found = (hints.columns[name] for name in hints.columns if terms.fold_text(name) in asked)
        meaning = next(found, "")
    plain = terms.fold_text(meaning)
    if plain in ("-", "?", "none", "nothing", "leave", "maybe"):
        return "aside"
    plain = "holder" if plain == "has" else plain
    return plain if plain in COLUMN_MEANINGS else meaning


@lru_cache(maxsize=10_000)
def _readings(names: Names, text: str) -> tuple[str, ...]:
    """Return the names that a text can stand for. Results are cached because texts repeat."""
    return names.candidates(text)


def _cards(cells: Sequence[str], deck: Deck) -> list[str]:
    """Return the cards named in some cells. One cell may list several cards."""
    found: list[str] = []
    for cell in filter(None, cells):
        parts = deck.split_list(cell)
        several = len(parts) == len(deck.edition.category)  # a question: its words may be short
        if not several and (len(parts) > 1 or len(cell) < 3):
            continue
        for part in parts:
            named = _readings(deck.names, part)
            named = named or (deck.names.nearest(part) if several else ())
            found += named if len(named) == 1 else ()
    return found


def _is_suggestion(cells: Sequence[str], deck: Deck) -> bool:
    """Whether a row begins with one card of each category."""
    cards = _cards(cells, deck)
    return len(cards) < 6 and deck.one_of_each(cards[: len(deck.edition.category)])


def _stacked(sheet: Sheet, labels: Sequence[int]) -> Sheet:
    """
    Return a sheet with its side-by-side blocks put one below the other.

    `labels` are the columns at which the blocks begin.
    """
    ends = [*labels[1:], len(sheet.rows[0])]
    width = max(end - at for at, end in zip(labels, ends, strict=True))
    rows: list[tuple[str, ...]] = []
    for at, end in zip(labels, ends, strict=True):
        for row in sheet.rows:
            before = row[: labels[0]] if at == labels[0] else ("",) * labels[0]
            rows.append((*before, *row[at:end], *("",) * (width - (end - at))))
    return replace(sheet, rows=tuple(rows))


class Finder:
    """Finds the titles of a sheet and the meanings of its columns."""

    def __init__(self, sheet: Sheet, deck: Deck, findings: Findings) -> None:
        self.sheet = sheet
        self.deck = deck
        self.findings = findings
        hints = findings.hints
        self.people = People(hints.players, hints.viewer, hints)
        self.label = 0  # of a pad: the column of the cards
        self.listed = False  # whether another column says who has each card

    def _title_row(self, first: int, weigh: Callable[[int], int]) -> int:
        """Return the likeliest row of titles above a table, of equals the lowest; -1 if none."""
        rows = [row for row in range(first) if sum(map(bool, self.sheet.rows[row])) > 1][::-1]
        return max(rows, key=weigh, default=-1)

    def _settle(self, column: Column, guess: str = "", choices: Sequence[str] = ()) -> Column:
        """Return a column with its known meaning, or with a guess that the user must confirm."""
        means = column.means or guess
        if not column.filled and means in ("", "aside"):
            return column._replace(means="aside")
        text = f"what is {column.name}, with text in {column.filled} cells?"
        add = self.findings.note if column.means else self.findings.ask
        choices = tuple(choices) or COLUMN_MEANINGS
        add("columns", text, column.about, means, choices=choices, cells=column.filled)
        return column._replace(means=means)

    @property
    def is_export(self) -> bool:
        """Whether this program wrote the sheet, which then has the edition's name in its corner."""
        corner = self.deck.edition.name
        return any(corner in row and ENVELOPE in row for row in self.sheet.rows)

    # Suggestions.

    def find_suggestions(self) -> ColumnLayout | None:
        """Return the layout of a table of suggestions; `None` if the sheet is something else."""
        every, rows = self.findings.hints.every_column, self.sheet.rows
        asking = [row for row, cells in enumerate(rows) if _is_suggestion(cells, self.deck)]
        said = "asker" in (*every, *self.findings.hints.columns.values())
        if (every and not said) or not (asking or said):
            return None
        cards = [card for row in asking for card in _cards(rows[row], self.deck)]
        if len({*cards}) == len(cards) > 15:  # a pad in blocks
            return None

        def titled(row: int) -> int:
            return sum(bool(_roles_of(cell, LOG)) for cell in rows[row])

        header = self._title_row(min(asking, default=1), titled)
        titles = rows[header] if header >= 0 else ("",) * len(rows[0])
        # Behind the last question a gap, or a heading, is the end: another table may follow.
        behind = range(max(asking, default=len(rows)), len(rows))
        end = next((row for row in behind if sum(map(bool, rows[row])) < 2), len(rows))
        below = [row for row in rows[header + 1 : end] if sum(map(bool, row)) > 1]
        below = [row for row in below if not _repeats(row, titles)]
        means: list[str] = []
        kinds: set[str] = set()  # of the cards that were asked for
        for at, title in enumerate(titles):
            texts = Counter(row[at] for row in below if row[at])
            means.append(self._log_meaning(at, title, texts, means, kinds))
        named = [at for at, title in enumerate(titles) if "shower" in _roles_of(title, LOG)]
        for at, role in enumerate(means):  # the other people of two columns are those who passed
            if role == "shower" and at not in named and any(means[n] == "shower" for n in named):
                means[at] = "passes"
        own = [role for role in means if role and role not in COLUMN_MEANINGS]
        told = own or every or self.findings.hints.players or len(asking) > 2
        told = told or (header >= 0 and titled(header) > 1)
        if "cards" not in means or not told:
            return None
        if self.findings.hints.players and not own and "asker" not in means:
            return None
        columns = []
        for at, role in enumerate(means):
            column = Column(at, titles[at], role, sum(bool(row[at]) for row in below))
            columns.append(self._settle(column) if self.findings.hints.players or role else column)
        sheet = replace(self.sheet, rows=rows[:end])
        return ColumnLayout("suggestions", sheet, header, tuple(columns), self.deck)

    def _log_meaning(
        self, at: int, title: str, texts: Counter[str], before: Sequence[str], kinds: set[str]
    ) -> str:
        """
        Return the meaning of a column of suggestions; empty if it is unclear.

        Args:
            at: The index of the column.
            title: The title of the column.
            texts: How often each text occurs below the title.
            before: The meanings of the columns to the left.
            kinds: The categories whose suggested cards have a column; updated in place.
        """
        said, titled = stated_meaning(at, title, self.findings.hints), _roles_of(title, LOG)
        if said or not texts:
            return "cards" if said == "card" else said
        if not titled and (seat := self.people.seat(title)):
            return seat
        below = self._possible_meanings(texts)
        found = [self.deck.edition.category_of[each] for each in _cards([*texts], self.deck)]
        kind = max(found, key=found.count, default="")
        can = [role for role in titled if not below or role in (*below, "remark")] or below[:1]
        role = can[0] if can else ""
        if role == "cards" and kind in kinds:
            role = "shown"
        elif role == "asker" and below[:1] == ["asker"] and "asker" in before:
            role = "passes" if terms.denies(title) else "shower"
        if role == "cards":
            kinds |= {*found} if below == ["cards"] else {kind}
        return role

    def _possible_meanings(self, texts: Counter[str]) -> list[str]:
        """Return the possible meanings of a column with these texts, the likeliest first."""

        def most(is_one: Callable[[str], bool]) -> bool:
            return 2 * sum(map(is_one, texts)) > len(texts)

        if most(lambda text: bool(re.fullmatch(r"[\W_]*\d[\d.:/ -]*", text))):
            return ["aside"]
        if most(lambda text: _is_suggestion([text], self.deck)):
            return ["cards"]
        if most(self._is_person) and not all(map(terms.is_nobody, texts)):
            return ["asker", "passes", "shower"]
        if most(lambda text: len(self.deck.names.candidates(self.findings.hints.meant(text))) == 1):
            return ["cards", "shown"]
        if most(lambda text: " " in text and self._is_person(text.split()[0])):
            return ["answers", "shower"]
        return []

    def _is_person(self, text: str) -> bool:
        known = terms.is_nobody(text) or terms.fold_text(text) in terms.WRITERS
        return known or bool(self.people.seats_in(text))

    # Pads.

    def is_card(self, text: str) -> bool:
        """Return whether a text is the full name of a card."""
        return bool(self.deck.names.exact(terms.plain_name(self.findings.hints.meant(text))))

    def _may_be_card(self, text: str) -> bool:
        """Return whether a label can be the name of a card, perhaps misspelt."""
        near = self.deck.names.candidates(text) if len(text) > 2 else ()
        near = near or self.deck.names.nearest(text)
        heading = self.deck.is_heading(text) or _roles_of(text, LOG)
        return self.is_card(text) or (len(near) == 1 and not heading)

    def _count_cards(self, cells: Sequence[str]) -> int:
        return sum(map(self.is_card, filter(None, cells)))

    def is_across(self) -> bool:
        """Whether a row has more cards than any column has."""
        across = max(map(self._count_cards, self.sheet.rows), default=0)
        down = max(map(self._count_cards, self.sheet.transpose().rows), default=0)
        return across > max(2, down)

    def find_pad(self, *, alone: bool) -> ColumnLayout | None:
        """
        Return the layout of a pad, which has cards down and holders across; `None` if it is none.

        If the sheet also has suggestions (not `alone`), a pad must have four cards or more.
        """
        if self.is_across():
            self.sheet = self.sheet.transpose()
        rows, every = self.sheet.rows, self.findings.hints.every_column
        counts = [self._count_cards(column) for column in zip(*rows, strict=True)]
        said = [stated_meaning(at, title, self.findings.hints) for at, title in enumerate(rows[0])]
        labels = [at for at, meaning in enumerate(said) if meaning == "card"]
        if not labels and max(counts, default=0) >= (2 if alone else 4):
            most = counts.index(max(counts))
            cards = [*filter(self.is_card, self.sheet.column(most))]
            often = max(Counter(cards).values())
            labels = [most] if often < 3 else []  # a pad names each card once
        if not labels:
            return None
        labels += [at for at, count in enumerate(counts) if self._is_block(at, labels, count)]
        self.sheet = _stacked(self.sheet, sorted(labels))
        self.label = min(labels)
        rows, names = self.sheet.rows, self.sheet.column(self.label)
        first = next((row for row, cell in enumerate(names) if self._may_be_card(cell)), 0)
        header = self._title_row(first, lambda row: sum(map(_is_text, rows[row])))
        if header < 0 and not every:
            return None
        titles = [*rows[header]] if header >= 0 else [""] * len(rows[0])
        self.listed = "holder" in said or any("holder" in _roles_of(each, PAD) for each in titles)
        body = [row for row in rows[header + 1 :] if not self.deck.is_heading(row[self.label])]
        body = [row for row in body if not _repeats(row, titles)]
        columns = [self._pad_column(at, titles, body) for at in range(len(titles))]
        mine = {column.means for column in columns if whose(column.title)[1]}
        mine -= {"", *COLUMN_MEANINGS}
        kind = "list" if any(column.means == "holder" for column in columns) else "pad"
        layout = ColumnLayout(kind, self.sheet, header, tuple(columns), self.deck)
        for name in layout.players:
            if len(layout.columns_of(name)) > 1:
                text = f"two columns are read as {printable(name)}: give them different titles"
                self.findings.faults.append(text)
        if kind == "pad" and not (alone or layout.players):
            return None
        whose_pad = mine.pop() if len(mine) == 1 else None
        return layout._replace(mine=whose_pad, is_export=self.is_export)

    def _is_block(self, at: int, labels: Sequence[int], count: int) -> bool:
        """Whether a column has cards, and none that an earlier column of cards has."""
        others = {cell for label in labels for cell in self.sheet.column(label)}
        cards = {cell for cell in self.sheet.column(at) if self.is_card(cell)}
        return at not in labels and count > 2 and len(cards) == count and not cards & others

    def _pad_column(self, at: int, titles: list[str], body: Sequence[Sequence[str]]) -> Column:
        """Return a column of a pad with its meaning, as the user states or its title suggests."""
        title, label, people = titles[at], self.label, self.people
        column = Column(at, title, "", sum(bool(row[at]) for row in body))
        if at == label:
            return self._settle(column._replace(means="card"))
        if said := stated_meaning(at, title, self.findings.hints):
            return self._settle(column._replace(means=people.find(said) or said))
        if title.startswith(FACE_DOWN):
            return column._replace(means=title)
        # What the title itself says: a player, `Ann no`, the envelope, another role.
        name = self.findings.hints.meant(whose(title)[0])
        found = people.find(title)
        who, _, sign = name.rpartition(" ")
        who = people.find(who) or ("" if self.findings.hints.players else who)
        sign = MARKS.get(terms.fold_text(sign), "")
        known = next(iter(_roles_of(name, PAD)), "") if "=" not in title else ""
        if who and sign in ("has", "lacks"):
            known = who if sign == "has" else f"{NOT}{who}"
        elif found is not None and (found != ENVELOPE or terms.is_envelope(name, sure=True)):
            known = found
        empty = not column.filled and (self.deck.is_heading(name) or not _is_name(name))
        if not known and (at < label or empty):
            known = "aside"
        # What it may be: the envelope, or somebody's name while nobody says who plays.
        guess = "" if title else "remark"
        if found == ENVELOPE:
            guess = ENVELOPE
        elif self.listed:
            guess = "aside"
        elif _is_name(name) and not self.findings.hints.players:
            guess = name
        if self.is_export:
            known = known or guess
        choices = (ENVELOPE, *([name] if _is_name(name) else []), "remark", "aside")
        return self._settle(column._replace(means=known), guess, () if known else choices)
