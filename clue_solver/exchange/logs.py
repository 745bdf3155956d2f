"""
Suggestions in rows of a table, as lines that the notation reads.

A row is written as the line that a player would type (`Ann suggests Plum, Rope, Hall: Ben passes`),
so that one reader understands both: every word of it, or none.
"""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from clue_solver.errors import NotationError, counted, printable
from clue_solver.exchange.columns import NOBODY, Layout
from clue_solver.exchange.mapping import (
    ACCUSES,
    PARTING,
    SIGNS,
    WRITERS,
    Findings,
    People,
    Question,
    folded,
    is_unsure,
    table_of,
    without_brackets,
)
from clue_solver.exchange.marks import MARKS, Marks
from clue_solver.notation import TurnState, lexicon_of, parse_line
from clue_solver.notation.names import words_of
from clue_solver.record import Entry
from clue_solver.rules.edition import Side
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Table

_UNSEEN = {"", "?", "unknown", "unheard", "hidden", "secret", "not seen", "unseen", "nan", *NOBODY}
_RIGHT = {"right", "correct", "won", "true", "richtig", "juste", "correcto", "correcta"}
_WRONG = {"wrong", "incorrect", "lost", "false", "falsch", "faux", "incorrecto", "incorrecta"}
_NOBODY = re.compile(
    r"(?i)(?:nobody|no[ -]?one|niemand|keiner|personne|nadie|nessuno)\W*"
    r"(?:$|(?:did|could|can|show\w*|had|has|at all)\b)"
)
_ANSWERS = {
    **MARKS,
    **dict.fromkeys(("show", "shows", "showed", "s", "card"), "has"),
    **dict.fromkeys(("pass", "passes", "passed", "p", "-"), "lacks"),
    **dict.fromkeys(("ask", "asks", "asked", "asker", "*"), "asks"),
    **dict.fromkeys(("", "n/a"), "nothing"),
}
"""What stands below a player in a table of suggestions, by what it means."""
_DASHES = re.compile(r"(?<=\w) ?[-\u2013\u2014](?=\s*(?:,|;|$))")
"""A dash behind a player who passes."""


def plain_answers(text: str) -> str:
    """Return answers without brackets, their signs as the notation has them."""
    return re.sub(r"[()]", " ", _DASHES.sub(" passes", text.translate(SIGNS)))


class TableNotes:
    """
    What a table of suggestions tells.

    Attributes:
        table: The table; `None` if the players are not known.
        told: The suggestions and accusations, in the order of the rows.
        samples: The lines that the rows were written as.
    """

    def __init__(self, layout: Layout, findings: Findings) -> None:
        self.layout = layout
        self.findings = findings
        self.said = findings.said
        self.marks = Marks(self.said.marks, _ANSWERS)
        self.told: list[Entry] = []
        self.samples: list[str] = []
        self.table: Table | None = None
        players = self.said.players or layout.players
        if not self.said.players:
            findings.ask_who_plays(self._text("asker", row) for row, _ in layout.rows())
        if len(players) < 2:
            return
        self.table = table = table_of(layout.deck, players, self.said)
        self.people = People(players, table.viewer, self.said)
        self.seats = lexicon_of(table).seats
        if table.viewer is None and not self.said.viewer and self._tells_cards():
            text = "whose notes are these?"
            findings.ask(Question("viewer", text, choices=(*players, SPECTATOR)))
        self.state = TurnState()
        for row, cells in layout.rows():
            if self._is_talk(row):
                findings.leave_aside(row, " ".join(filter(None, cells)))
            else:
                self._read(row, table)

    @property
    def what(self) -> str:
        """What was read."""
        return counted(len(self.told), "suggestion")

    def _text(self, means: str, row: int) -> str:
        """Return the text of a row in the columns of a meaning."""
        cells = self.layout.sheet.rows[row]
        return ", ".join(cells[at] for at in self.layout.where(means) if cells[at])

    def _tells_cards(self) -> bool:
        """Whether a card stands among the answers: somebody saw it."""
        others = ("cards", "remark", "aside")
        columns = [column.at for column in self.layout.columns if column.means not in others]
        cells = (cells[at] for _, cells in self.layout.rows() for at in columns)
        return any(map(self.layout.deck.cards_in, cells))

    def _is_talk(self, row: int) -> bool:
        """Whether a row is left out, is a sentence beside the table, or asks for no card."""
        cells = [*filter(None, self.layout.sheet.rows[row])]
        heard = ", ".join(cells) in self.findings.heard
        named = self.layout.deck.names.candidates
        words = [word for word in words_of(self._text("cards", row)) if len(word) > 2]
        asks = any(len(named(word)) == 1 for word in words)
        told = any(self._text(means, row) for means in ("shower", "shown", "passes", "answers"))
        return heard or self.said.leaves(row, "") or len(cells) == 1 or not (asks or told)

    def _read(self, row: int, table: Table) -> None:
        """Read one row, as a line; what cannot be read is asked about."""
        unknown = len(self.findings.questions)
        line = ""
        try:
            line = self._line(row, table)
            if self._text("cards", row).startswith("~~"):
                raise NotationError("it is struck out")
            observation = parse_line(line, table, self.state)
        except NotationError as error:
            place = f"row {row + 1}" + (f", '{printable(line)}'" if line else "")
            if self._fits_turned(line, table):
                text = f"{place}: {error.reason}. On which side sits the first to answer?"
                self.findings.ask(Question("order", text, choices=("left", "right")))
            elif len(self.findings.questions) - unknown != 1:  # one name may be all that is wrong
                text = f"{place}: {error.reason}; leave it out?"
                self.findings.ask(Question("leave", text, f"row {row + 1}"))
            return
        self.state = self.state.after(observation)
        self.samples.append(line)
        remark = self._text("remark", row).replace("#", "")
        self.told.append(Entry(observation=observation, comment=remark))

    def _fits_turned(self, line: str, table: Table) -> bool:
        """Whether a line can be read if the players answer the other way round."""
        if self.said.order is not None:
            return False
        order: Side = "left" if table.edition.order == "right" else "right"
        try:
            parse_line(line, replace(table, order=order), self.state)
        except NotationError:
            return False
        return True

    def _line(self, row: int, table: Table) -> str:
        """Return a row as a line of a record; raise a `NotationError` if that cannot be."""
        asker, cards = self._text("asker", row), self._text("cards", row)
        by = self._seat(ACCUSES.sub("", asker).strip(" :"), row) if asker else ""
        for seat, text in self._own_columns(row, table, "") if not asker else ():
            by = seat if self.marks.meaning(folded(text)) == "asks" else by
        named = self._cards(ACCUSES.sub("", cards).strip(" :-"), row)
        kind, verdict = self._text("kind", row), folded(self._text("verdict", row))
        remark = self._text("remark", row)
        accuses = ACCUSES.search(f"{asker} {cards} {kind} {remark}")
        if accuses or (verdict not in ("", "no", "-") and not kind):
            told = f"{verdict} {self._text('shower', row)} {self._text('shown', row)} {remark}"
            right, wrong = ({*words_of(told)} & words for words in (_RIGHT, _WRONG))
            if bool(right) == bool(wrong):
                raise NotationError("expected whether the accusation was right or wrong")
            return f"{by} accuses {named}: {'right' if right else 'wrong'}"
        if kind and not re.match(r"(?i)sugg|guess|ask", kind):
            raise NotationError(f"expected suggestion or accusation; found '{printable(kind)}'")
        answers = [*self._shown(row)]
        if answers != ["nobody shows"]:
            answers = [*self._passes(row), *self._own_answers(row, table, by), *answers]
        return f"{by} suggests {named}" + (f": {', '.join(answers)}" if answers else "")

    def _seat(self, text: str, row: int) -> str:
        """Return the player that a text names; as it stands where it is none."""
        found = self.people.find(text)
        if found is not None and found != ENVELOPE:
            return found
        plain = without_brackets(text)[0]
        if folded(plain) in WRITERS:
            text = f"row {row + 1}, '{printable(text)}': whose notes are these?"
            self.findings.ask(Question("viewer", text, choices=self.seats.names))
            return self.seats.names[0]
        return self.findings.name(self.seats, plain, f"row {row + 1}") or plain

    def _cards(self, text: str, row: int) -> str:
        """Return the cards that were asked for, by their names."""
        names = self.layout.deck.names
        parts = [part for part in PARTING.split(self.said.meant(text)) if part]
        if len(parts) == 1:
            return parts[0]
        named = [self.findings.name(names, part, f"row {row + 1}") or part for part in parts]
        every = self.layout.deck.edition.names
        return ", ".join(sorted(named, key=lambda card: (*every, card).index(card)))

    def _passes(self, row: int) -> Iterator[str]:
        """Yield the answers of those who passed, a name with `?` as unheard."""
        for text in filter(None, re.split(r"\s*,\s*", self._text("passes", row))):
            if is_unsure(text):
                yield f"{self._seat(without_brackets(text.strip(' ?'))[0], row)} ?"
                continue
            names = self.people.seats_in(text) or [*filter(None, PARTING.split(text))]
            yield from (
                f"{self._seat(name, row)} passes" for name in names if folded(name) not in NOBODY
            )

    def _own_columns(self, row: int, table: Table, asker: str) -> Iterator[tuple[str, str]]:
        """Yield the players that have columns, in the order of answering, and what stands there."""
        columns = {c.means: c.at for c in self.layout.columns if c.means in table.seats}
        order = table.answering(asker) if asker in table.seats else table.seats
        for seat in order:
            if seat in columns:
                yield seat, self.layout.sheet.rows[row][columns[seat]]

    def _own_answers(self, row: int, table: Table, asker: str) -> Iterator[str]:
        """Yield what the players' own columns say, in the order of answering."""
        for seat, text in self._own_columns(row, table, asker):
            means = self.marks.meaning(folded(text))
            cards = self.layout.deck.cards_in(text)
            first = means or self.marks.meaning(folded(text.split()[0]))
            if len(cards) == 1 and first in ("", "has"):  # `Hall`, `yes - Hall`
                yield f"{seat} shows {cards[0]}"
            elif means == "has":
                yield f"{seat} shows {self._seen(row)}".strip()
            elif means == "lacks":
                yield f"{seat} passes"
            elif not means:
                doubt = f"row {row + 1}: what does '{printable(text)}' mean?"
                meanings = ("has", "lacks", "asks", "nothing")
                self.findings.ask(Question("marks", doubt, folded(text), "", meanings))

    def _seen(self, row: int) -> str:
        """Return the card that was seen, by its name if it was asked for; empty for none."""
        seen = self._text("shown", row)
        if folded(seen.strip("?()")) in _UNSEEN:
            return ""
        if is_unsure(seen):
            self.findings.leave_aside(row, seen)
            return ""
        asked = self._cards(ACCUSES.sub("", self._text("cards", row)), row).split(", ")
        names, text = self.layout.deck.names, self.said.meant(seen)
        near = names.candidates(text) or names.nearest(text)
        meant = [card for card in near if card in asked]
        return meant[0] if len(meant) == 1 else text

    def _shown(self, row: int) -> Iterator[str]:
        """Yield what the columns say of who showed, and of all answers in words."""
        if answers := self._text("answers", row):
            yield plain_answers(answers)
        shower = re.sub(r"^\((.*)\)$", r"\1", self._text("shower", row).rstrip("!. "))
        shower = self.said.meant(shower)
        seen = self._seen(row)
        if folded(shower) in NOBODY or _NOBODY.match(shower):
            if seen:
                raise NotationError("a card was seen, but nobody showed one")
            yield "nobody shows"
            return
        if folded(shower) in ("", "?", "unknown"):
            if seen and not self.layout.players and not answers:
                raise NotationError("expected who showed the card")
            return
        sure = re.sub(r"\s\(?\?\)?$", "", shower)  # of `Cat (?)` only the card is not known
        _, inside = without_brackets(sure)
        beside = self.layout.deck.names.exact(inside)
        if not seen and beside and beside[0] not in self.layout.deck.edition.suspects:
            seen = beside[0]  # `Ned (Hall)`; `Ned (Green)` may be the piece he plays with
        elif is_unsure(sure) or (inside and not self.people.find(inside)):
            self.findings.leave_aside(row, shower)
        if is_unsure(sure):
            return
        cards = PARTING.split(seen)
        names = [sure] if self.people.find(sure) else [*filter(None, PARTING.split(sure))]
        for at, each in enumerate(names):
            card = cards[at] if len(cards) == len(names) else ""
            card = "" if folded(card) in _UNSEEN else card
            yield f"{self._seat(each, row)} shows {card}".strip()
