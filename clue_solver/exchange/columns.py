"""
What the columns of a sheet mean: a holder on a pad, or a part of a suggestion.

`pads` and `logs` use this to find their own kind of table.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from clue_solver.errors import counted, printable
from clue_solver.exchange import terms
from clue_solver.exchange.deck import Deck
from clue_solver.exchange.findings import Findings
from clue_solver.exchange.people import People
from clue_solver.exchange.tables import Sheet, letter
from clue_solver.rules.table import ENVELOPE

MINE, FACE_DOWN, OPEN, SIZES = "(me)", "face-down ", "table", "hand size"
"""
Texts on exported pads: after the viewer's name, before the name of a slot, as the title of the
column of face-up cards, and as the label of the row of hand sizes.
"""
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
"""Patterns for the titles of columns on a pad and in a log, by meaning, the likelier ones first."""
_MEANINGS = (
    "card holder lacks envelope face-up asker cards shower shown passes answers kind verdict"
)
COLUMN_MEANINGS = (*_MEANINGS.split(), "remark", "aside")
"""The possible meanings of a column, apart from players."""


class Meaning(NamedTuple):
    """
    The meaning of a column.

    Attributes:
        role: One of `COLUMN_MEANINGS`; `has` or `not` if its ticks mean that the holder has, or
            does not have, the cards; `face-down` for a slot; empty if it is not known.
        holder: The player, the envelope or the slot that the ticks are about; empty for others.

    >>> str(Meaning("not", "Ann")), str(Meaning("has", "Ann")), str(Meaning("shower"))
    ('not Ann', 'Ann', 'shower')
    """

    role: str = ""
    holder: str = ""

    def __str__(self) -> str:
        """Return the text by which the user states this meaning."""
        return self.holder if self.role == "has" else f"{self.role} {self.holder}".strip()


def roles_of(title: str, roles: dict[str, str]) -> list[str]:
    """
    Return the meanings that a title of a column can have, the likeliest first.

    Args:
        title: The title.
        roles: A pattern of titles for each meaning, such as `PAD` or `LOG`.
    """
    words = terms.plain(title)
    return [role for role in roles if words and re.fullmatch(roles[role], words)]


def repeats(row: Sequence[str], titles: Sequence[str]) -> bool:
    """Return whether a row repeats at least two of the titles."""
    return sum(bool(cell) and cell == title for cell, title in zip(row, titles, strict=True)) > 1


UNKNOWN = Meaning()


class Column(NamedTuple):
    """
    A column of a sheet.

    Attributes:
        at: The index of the column.
        title: The title of the column.
        means: The meaning of the column.
        filled: How many cells below the title have text.
    """

    at: int
    title: str
    means: Meaning
    filled: int


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

    def columns_of(self, role: str) -> tuple[int, ...]:
        """Return the indexes of the columns with a role."""
        return tuple(column.at for column in self.columns if column.means.role == role)

    def mark_cells(self) -> Iterator[str]:
        """Yield the cells below the titles in the columns of holders."""
        for _, cells in self.rows():
            yield from (cells[column.at] for column in self.columns if column.means.holder)

    def named_cards(self) -> list[str]:
        """Return the cards that are named in full in the columns of cards."""
        cells = (cell for at in self.columns_of("card") for cell in self.sheet.column(at))
        return [card for cell in cells for card in self.deck.names.exact(terms.plain_name(cell))]

    @property
    def players(self) -> tuple[str, ...]:
        """The players that have columns, from left to right."""
        names = (column.means.holder for column in self.columns if column.means.role == "has")
        return tuple(dict.fromkeys(name for name in names if name != ENVELOPE))

    @property
    def titles(self) -> tuple[str, ...]:
        """The cells of the row of titles; empty if there is none."""
        return self.sheet.rows[self.header] if self.header >= 0 else ("",) * len(self.columns)

    def rows(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """
        Yield the index and the cells of each row below the titles, without rows that repeat the
        titles.
        """
        for row in range(self.header + 1, len(self.sheet.rows)):
            cells = self.sheet.rows[row]
            if any(cells) and (self.is_export or not repeats(cells, self.titles)):
                yield row, cells

    def text(self, role: str, row: int) -> str:
        """
        Return the text that a row has in all columns with a role, separated by commas.

        Args:
            role: The role, such as `shower`.
            row: The index of the row on the sheet, from 0.
        """
        cells = self.sheet.rows[row]
        return ", ".join(cells[at] for at in self.columns_of(role) if cells[at])


class Finder:
    """
    Finds a table in a sheet; the base of `PadFinder` and `LogFinder`.

    Args:
        sheet: The sheet, or a part of one.
        deck: The names of the cards.
        findings: What is known so far. Guesses and questions about columns are added.

    Attributes:
        exported: The row of the titles of a pad that this program wrote; -1 for another sheet.
    """

    def __init__(self, sheet: Sheet, deck: Deck, findings: Findings) -> None:
        self.sheet = sheet
        self.deck = deck
        self.findings = findings
        self.hints = findings.hints
        self.people = People(self.hints.players, self.hints.viewer, self.hints)
        corner = deck.edition.name
        own = (at for at, row in enumerate(sheet.rows) if row[0] == corner and ENVELOPE in row)
        self.exported = next(own, -1)

    def hints_for(self, titles: Sequence[str]) -> list[Meaning]:
        """
        Return the meaning that the hints state for each column; `UNKNOWN` where they state none.
        """
        return [
            self._parse_meaning(self._stated_text(at, title)) for at, title in enumerate(titles)
        ]

    def _stated_text(self, at: int, title: str) -> str:
        """Return the text of the hint about the column at an index; empty if there is none."""
        hints = self.hints
        if at < len(hints.every_column):
            return hints.every_column[at]
        asked = {terms.fold_text(title), f"column {letter(at)}".casefold()}
        if len(title) != 1:  # `E` may be a title
            asked.add(letter(at).casefold())
        found = (hints.columns[each] for each in hints.columns if terms.fold_text(each) in asked)
        return next(found, "")

    def _parse_meaning(self, text: str) -> Meaning:
        """Return the meaning of a column that the user states in a text."""
        plain = terms.fold_text(text)
        if plain in ("-", "?", "none", "nothing", "leave", "maybe"):
            return Meaning("aside")
        plain = "holder" if plain == "has" else plain
        if plain in ("", *COLUMN_MEANINGS) and plain != ENVELOPE:
            return Meaning(plain)
        if plain.startswith(FACE_DOWN):
            return Meaning("face-down", text[len(FACE_DOWN) :])
        role, name = ("not", text[len("not ") :]) if plain.startswith("not ") else ("has", text)
        return Meaning(role, self.people.find(name) or name)

    def title_row(self, first: int, weigh: Callable[[Sequence[str]], int]) -> int:
        """
        Return the index of the row that most likely has the titles; -1 if there is none.

        Of equally likely rows, the lowest on the sheet is taken.

        Args:
            first: The index of the row where the table begins, below the titles.
            weigh: Returns how many cells of a row can be titles.
        """
        rows = self.sheet.rows
        likely = [row for row in range(first) if sum(map(bool, rows[row])) > 1][::-1]
        return max(likely, key=lambda row: weigh(rows[row]), default=-1)

    def settle(
        self, column: Column, guess: Meaning = UNKNOWN, choices: Sequence[str] = COLUMN_MEANINGS
    ) -> Column:
        """
        Return a column with its known meaning, or else with a guess that the user must confirm.

        Args:
            column: The column; its `means` is the known meaning, `UNKNOWN` if there is none.
            guess: The guess; `UNKNOWN` if there is none, so that the user must say it.
            choices: The meanings that the question to the user offers.
        """
        known = bool(column.means.role)
        means = column.means if known else guess
        unused = means.role in ("", "aside") or (means.holder == ENVELOPE and not known)
        if unused and not column.filled:
            return column._replace(means=Meaning("aside"))
        title, place = column.title, letter(column.at)
        name = f"'{printable(title)}'" if title else f"column {place}"
        text = f"what is {name}, with text in {counted(column.filled, 'cell')}?"
        more = {"choices": choices, "cells": column.filled, "sure": known}
        self.findings.ask("columns", text, title or place, str(means), **more)
        return column._replace(means=means)
