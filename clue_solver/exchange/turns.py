"""A table of suggestions, one a row, as entries of a record."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, NoReturn

from msgspec.structs import replace

from clue_solver.errors import ArgumentError, NotationError, RecordError, escape
from clue_solver.exchange.grid import Grid, place
from clue_solver.exchange.layout import Read, Setting, edition_of, known_editions, with_hand
from clue_solver.notation import InvalidObservation, lexicon_of, normalise, parse_line, parse_told
from clue_solver.notation.names import joined, words_of
from clue_solver.record import Entry, Record
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Accusation, Answer, Suggestion

ROLES: dict[str, str] = {
    **dict.fromkeys(
        ("asker", "by", "player", "suggester", "asked by", "suggested by", "guesser", "who asks"),
        "asker",
    ),
    **dict.fromkeys(("cards", "suggestion", "suggests", "guess", "asked for"), "cards"),
    **dict.fromkeys(
        ("shower", "shown by", "showed", "shows", "disproved by", "refuted by", "answered by",
         "answerer", "answered", "disprover", "who showed", "who shows"),
        "shower",
    ),
    **dict.fromkeys(("card", "card shown", "shown card", "shown", "card seen", "seen"), "shown"),
    **dict.fromkeys(
        ("passes", "passed", "couldnt", "could not", "cannot", "cant", "passed by", "passers"),
        "passes",
    ),
    **dict.fromkeys(("answers", "answer", "response", "responses"), "answers"),
    **dict.fromkeys(("accusation", "accuses", "verdict", "right"), "accusation"),
    **dict.fromkeys(("comment", "comments", "note", "notes", "remark", "remarks"), "comment"),
    **dict.fromkeys(("nr", "no", "number", "turn", "index", "row", "time", "date", "round", "id"),
                    "aside"),
}  # fmt: skip
"""What the columns may be called, and what each is; suspect, weapon and room besides."""

_CATEGORIES = {"who": 0, "person": 0, "character": 0, "what": 1, "where": 2, "place": 2}
_NUMBERED = re.compile(r"card ?(\d)")
_PARTED = re.compile(r"\s*(?:[,;/&+|]|\band\b)\s*")
_NOBODY = {"nobody", "none", "no one", "noone", "-", "\u2013", "\u2014"}
_UNHEARD = {"", "?", "unknown", "unheard"}
_RIGHT = dict.fromkeys(("right", "correct", "won"), True) | dict.fromkeys(
    ("wrong", "incorrect", "lost"), False
)
_MOST_FAULTS = 10


class Roles(NamedTuple):
    """
    The row with the columns' names, and the places of the columns, counted from 0.

    `place` tells them by what they are; those of `cards` have one card of the suggestion each, in
    the order of the header; those `aside` say nothing of the game.
    """

    header: int
    place: Mapping[str, int]
    cards: tuple[int, ...]
    aside: tuple[int, ...]


def roles_in(grid: Grid, setting: Setting) -> Roles | None:
    """
    Return what the columns are; `None` if they are not those of a table of suggestions.

    Raises:
        RecordError: If two columns are one thing.
    """
    header = next((row for row, cells in enumerate(grid.rows) if sum(map(bool, cells)) > 1), -1)
    if header < 0:
        return None
    kinds = {
        words_of(name)
        for edition in known_editions(setting)
        for kind in edition.category
        for name in (kind.name, kind.plural)
        if name
    }
    found: dict[str, int] = {}
    cards: list[int] = []
    aside: list[int] = []
    for column, title in enumerate(grid.rows[header]):
        words = " ".join(words_of(title.replace("_", " ")))
        role = ROLES.get(words, "aside")
        if words_of(title) in kinds or words in _CATEGORIES or _NUMBERED.fullmatch(words):
            cards.append(column)
        elif role == "aside":
            aside.append(column)
        elif role in found:
            first = place(None, found[role])
            grid.refuse(
                f"expected one column for the {role}; '{escape(title)}' stands beside "
                f"'{escape(grid.cell(header, found[role]))}' in {first}",
                header, column,
            )  # fmt: skip
        else:
            found[role] = column
    if "asker" not in found or not (cards or "cards" in found):
        return None
    return Roles(header, found, tuple(cards), tuple(aside))


def read_turns(grid: Grid, roles: Roles, setting: Setting) -> Read:
    """
    Return the record that a table of suggestions tells, in the order of its rows.

    Raises:
        RecordError: If rows cannot be read; all of them, each with its row and column.
        ArgumentError: If the edition or the seating is not known.
    """
    return _TurnsReader(grid, roles, setting).read()


class _TurnsReader:
    """Reads one table, row by row."""

    def __init__(self, grid: Grid, roles: Roles, setting: Setting) -> None:
        self.grid, self.roles, self.setting = grid, roles, setting
        self.rows = [row for row in range(roles.header + 1, len(grid.rows)) if not grid.blank(row)]
        if not self.rows:
            grid.refuse("expected suggestions below the header; found none")
        self.edition, self.how = self._edition()
        if not setting.players:
            asked = (self._said("asker", row) for row in self.rows)
            raise ArgumentError(
                "those who asked, in the order of the rows, are "
                f"{joined(dict.fromkeys(filter(None, asked)), 'and')}; a table of suggestions "
                "does not say who sits where: give the players clockwise",
                argument="players",
            )
        self.table = setting.table(self.edition, setting.players)
        self.lexicon = lexicon_of(self.table)
        self.silent: list[int] = []

    def read(self) -> Read:
        record = with_hand(Record(table=self.table), self.setting.hand)
        entries, course = list(record.entries), record.turn_state
        faults: list[str] = []
        for row in self.rows:
            try:
                observation = normalise(self._observation(row), self.table, course)
                comment, above = self._said("comment", row), () if entries else ("",)
                entries.append(Entry(observation=observation, comment=comment, before=above))
                course = course.after(observation)
            except RecordError as error:
                faults.append(str(error))
            except NotationError as error:
                where = place(row, self._column(error))
                faults.append(f"{escape(self.grid.name)}: {where}: {error.reason}")
        if faults:
            more = len(faults) - _MOST_FAULTS
            rest = [f"and {more} more rows"] if more > 0 else []
            raise RecordError("\n  ".join([*faults[:_MOST_FAULTS], *rest]))
        record = replace(record, entries=tuple(entries))
        return Read(record, tuple(self._understood()), tuple(self._aside()))

    def _column(self, error: NotationError) -> int | None:
        """Return the column at fault in an observation that has no meaning at the table."""
        path = error.path if isinstance(error, InvalidObservation) else ()
        if path[:1] != ("answers",):
            return None
        return self.roles.place.get("shown" if path[-1] == "card" else "shower")

    def _edition(self) -> tuple[Edition, str]:
        if self.roles.cards:
            texts = [self.grid.cell(row, each) for row in self.rows for each in self.roles.cards]
        else:
            texts = [part for row in self.rows for part in _parts(self._said("cards", row))]
        return edition_of(list(dict.fromkeys(filter(None, texts))), self.setting)

    def _said(self, role: str, row: int) -> str:
        column = self.roles.place.get(role)
        return "" if column is None else self.grid.cell(row, column)

    def _observation(self, row: int) -> Suggestion | Accusation:
        cells, width = self.grid.rows[row], len(self.grid.rows[self.roles.header])
        if len(cells) < width:
            self.grid.refuse(f"expected {width} cells, as in the header; found {len(cells)}", row)
        if any(cells[width:]):
            self.grid.refuse("expected no cell beyond the header's last", row)
        by = self._seat(self._said("asker", row), "asker", row)
        cards = self._cards(by, row)
        verdict = self._said("accusation", row)
        if verdict and verdict.casefold() not in ("no", "-"):
            if verdict.casefold() not in _RIGHT:
                self._refuse(
                    f"expected right or wrong; found '{escape(verdict)}'", "accusation", row
                )
            return Accusation(by=by, cards=cards, right=_RIGHT[verdict.casefold()])
        said = self._said("answers", row)
        if said:
            told = parse_line(f"{by} suggests {', '.join(cards)}: {said}", self.table)
            if isinstance(told, Suggestion):
                return told
        return Suggestion(by=by, cards=cards, answers=self._answers(by, cards, row))

    def _cards(self, by: str, row: int) -> tuple[str, ...]:
        if self.roles.cards:
            found = [
                self.grid.find(self.lexicon.cards, text, row, column)
                for column in self.roles.cards
                if (text := self.grid.cell(row, column))
            ]
            kinds = [kind.name for kind in self.edition.category]
            return tuple(
                sorted(found, key=lambda card: kinds.index(self.edition.category_of[card]))
            )
        text = ", ".join(_parts(self._said("cards", row)))
        if not text:
            self._refuse("expected the cards that were asked for; found nothing", "cards", row)
        try:
            return parse_told(Suggestion, text, self.table, subject=by).cards
        except NotationError as error:
            self._refuse(error.reason, "cards", row)

    def _answers(self, by: str, cards: Sequence[str], row: int) -> tuple[Answer, ...]:
        shower, seen = self._said("shower", row), self._said("shown", row)
        order = self.table.answering(by)
        passed = [
            self._seat(name, "passes", row)
            for name in _parts(self._said("passes", row))
            if name.casefold() not in _NOBODY
        ]
        for seat in passed:
            if seat not in order:
                self._refuse(f"{by} cannot answer their own suggestion", "passes", row)
        passes = [Answer(seat=seat, answer="passes") for seat in sorted(passed, key=order.index)]
        if shower.casefold() in _NOBODY:
            if seen.casefold() not in _UNHEARD | _NOBODY:
                self._refuse("expected no card where nobody shows", "shown", row)
            return tuple(Answer(seat=seat, answer="passes") for seat in order)
        if shower.casefold() in _UNHEARD:
            if seen.casefold() not in _UNHEARD | _NOBODY:
                self._refuse("expected who showed this card as well", "shown", row)
            if not passes and not shower:
                self.silent.append(row)
            return tuple(passes)
        return (*passes, *self._showing(shower, seen, cards, row))

    def _showing(self, shower: str, seen: str, cards: Sequence[str], row: int) -> Iterator[Answer]:
        """Yield who showed; several names where everyone shows, with the cards in their order."""
        whole = self.lexicon.seats.readings(shower)
        names = [shower] if len(whole) == 1 else _parts(shower)
        shown_cards = [seen] if len(names) == 1 else _PARTED.split(seen)
        if seen and len(shown_cards) != len(names):
            wanted = f"{len(names)} cards or ?, one for each who showed"
            self._refuse(f"expected {wanted}; found '{escape(seen)}'", "shown", row)
        for name, text in zip(names, shown_cards if seen else [""] * len(names), strict=True):
            seat = self._seat(name, "shower", row)
            if text.casefold() in _UNHEARD | _NOBODY:
                yield Answer(seat=seat, answer="shows")
                continue
            asked = self.lexicon.cards.readings(text, among=cards)
            meant = asked[0] if len(asked) == 1 else text
            card = self.grid.find(self.lexicon.cards, meant, row, self.roles.place["shown"])
            yield Answer(seat=seat, answer="shows", card=card)

    def _seat(self, text: str, role: str, row: int) -> str:
        return self.grid.find(self.lexicon.seats, text, row, self.roles.place.get(role))

    def _refuse(self, reason: str, role: str, row: int) -> NoReturn:
        self.grid.refuse(reason, row, self.roles.place.get(role))

    def _understood(self) -> Iterator[str]:
        yield f"a table of {len(self.rows)} suggestions ({self.grid.told})"
        yield f"edition {self.edition.name}, {self.how}"
        yield f"players {', '.join(self.table.seats)}, as given"
        viewer = self.table.viewer
        yield f"the notes of {viewer}" if viewer else "nobody's notes: a spectator's"
        for role, column in self.roles.place.items():
            yield f"{self._title(column)}: {role}"
        for column in self.roles.cards:
            yield f"{self._title(column)}: a card that was asked for"

    def _aside(self) -> Iterator[str]:
        for column in self.roles.aside:
            if self.grid.cell(self.roles.header, column):
                yield self._title(column)
        if self.silent:
            rows = joined((str(row + 1) for row in self.silent), "and")
            yield (
                f"row{'s' * (len(self.silent) > 1)} {rows} without an answer: taken for not "
                "heard; write 'nobody' where nobody showed"
            )

    def _title(self, column: int) -> str:
        return f"{place(None, column)}, '{escape(self.grid.cell(self.roles.header, column))}'"


def _parts(text: str) -> list[str]:
    return [part for part in _PARTED.split(text) if part]
