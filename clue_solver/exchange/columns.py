"""
What the columns of a sheet mean: a holder on a pad, or a part of a suggestion.

`pads` and `logs` find their own kind of table with what is here.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from clue_solver.errors import printable
from clue_solver.exchange import terms
from clue_solver.exchange.deck import Deck
from clue_solver.exchange.findings import Findings
from clue_solver.exchange.people import People
from clue_solver.exchange.tables import Sheet, letter
from clue_solver.rules.table import ENVELOPE

MINE, FACE_DOWN, OPEN, SIZES = "(me)", "face-down ", "table", "hand size"
"""Texts on exported pads: after the viewer, before a slot, a column title and a row label."""
NOT = "not "
"""Precedes a player's name in the meaning of a column of cards that the player lacks."""
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


def roles_of(title: str, roles: dict[str, str]) -> list[str]:
    """Return the meanings that a title can have, the likeliest first."""
    words = terms.spelt(title)
    return [role for role in roles if words and re.fullmatch(roles[role], words)]


def repeats(row: Sequence[str], titles: Sequence[str]) -> bool:
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
        is_sound: Whether titles or marks show that this is a table rather than sentences with
            commas.
    """

    kind: str
    sheet: Sheet
    header: int
    columns: tuple[Column, ...]
    deck: Deck
    mine: str | None = None
    is_export: bool = False
    is_sound: bool = True

    def columns_of(self, means: str) -> tuple[int, ...]:
        """Return the indexes of the columns with a meaning."""
        return tuple(column.at for column in self.columns if column.means == means)

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
            if any(self.sheet.rows[row]) and not repeats(self.sheet.rows[row], self.titles):
                yield row, self.sheet.rows[row]

    def text(self, means: str, row: int) -> str:
        """Return the text that a row has in all columns with a meaning."""
        cells = self.sheet.rows[row]
        return ", ".join(cells[at] for at in self.columns_of(means) if cells[at])


class Finder:
    """
    What finding a pad and finding a table of suggestions share.

    Args:
        sheet: The sheet, or a part of one.
        deck: The names of the cards.
        findings: What is known so far. Guesses and questions about columns are added.
    """

    def __init__(self, sheet: Sheet, deck: Deck, findings: Findings) -> None:
        self.sheet = sheet
        self.deck = deck
        self.findings = findings
        self.hints = findings.hints
        self.people = People(self.hints.players, self.hints.viewer, self.hints)

    @property
    def is_exported_pad(self) -> bool:
        """Whether this program wrote the sheet: its corner has the name of the edition."""
        corner = self.deck.edition.name
        return any(corner in row and ENVELOPE in row for row in self.sheet.rows)

    def stated(self, titles: Sequence[str]) -> list[str]:
        """Return the meaning that the user stated for each column; empty if none was stated."""
        return [self._stated(at, title) for at, title in enumerate(titles)]

    def _stated(self, at: int, title: str) -> str:
        hints = self.hints
        if at < len(hints.every_column):
            meaning = hints.every_column[at]
        else:
            asked = {terms.fold_text(title), f"column {letter(at)}".casefold()}
            if len(title) != 1:  # `E` may be a title
                asked.add(letter(at).casefold())
            found = (
                hints.columns[each] for each in hints.columns if terms.fold_text(each) in asked
            )
            meaning = next(found, "")
        plain = terms.fold_text(meaning)
        if plain in ("-", "?", "none", "nothing", "leave", "maybe"):
            return "aside"
        plain = "holder" if plain == "has" else plain
        return plain if plain in COLUMN_MEANINGS else meaning

    def title_row(self, first: int, weigh: Callable[[Sequence[str]], int]) -> int:
        """Return the likeliest row of titles above a table, of equals the lowest; -1 if none."""
        rows = self.sheet.rows
        likely = [row for row in range(first) if sum(map(bool, rows[row])) > 1][::-1]
        return max(likely, key=lambda row: weigh(rows[row]), default=-1)

    def settle(self, column: Column, guess: str = "", choices: Sequence[str] = ()) -> Column:
        """Return a column with its known meaning, or with a guess that the user must confirm."""
        means = column.means or guess
        if not column.filled and means in ("", "aside"):
            return column._replace(means="aside")
        text = f"what is {column.name}, with text in {column.filled} cells?"
        add = self.findings.note if column.means else self.findings.ask
        choices = tuple(choices) or COLUMN_MEANINGS
        add("columns", text, column.about, means, choices=choices, cells=column.filled)
        return column._replace(means=means)
