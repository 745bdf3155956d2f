"""
Suggestions in rows of a table, or in lines of words, as lines that the notation reads.

A row is written as the line that a player would type (`Ann suggests Plum, Rope, Hall: Ben passes`),
so that one reader understands both: every word of it, or none.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from clue_solver.errors import NotationError, printable
from clue_solver.exchange.mapping import (
    WRITERS,
    Deck,
    Findings,
    Layout,
    Question,
    folded,
    table_of,
    without_piece,
)
from clue_solver.exchange.marks import MarkRead, Marks
from clue_solver.notation import TurnState, lexicon_of, parse_line, readings
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.record import Entry, Record
from clue_solver.rules.observations import Accusation, Hand, Observation, Suggestion
from clue_solver.rules.table import Table

_NOBODY = {
    *("nobody", "none", "no one", "noone", "-", "\u2013", "\u2014"),
    *("niemand", "keiner", "personne", "nadie", "ninguno", "nessuno"),
}
_UNSEEN = {"", "?", "unknown", "unheard", "hidden", "secret", "not seen", "unseen", "nan", *_NOBODY}
_RIGHT = {"right", "correct", "won", "true", "richtig", "juste", "correcto", "correcta"}
_WRONG = {"wrong", "incorrect", "lost", "false", "falsch", "faux", "incorrecto", "incorrecta"}
_ACCUSES = re.compile(r"(?i)\b(?:accus|anklag|acus)\w*")
_PARTING = re.compile(r"\s*(?:[,;/&+|]|\b(?:and|with|in|using)\b)\s*")


class TableNotes:
    """
    What a table of suggestions tells.

    Attributes:
        table: The table; `None` if the players are not known.
        entries: The suggestions and accusations, in the order of the rows.
        samples: The lines that the rows were written as.
        read: The marks that they have: none.
    """

    def __init__(self, layout: Layout, findings: Findings) -> None:
        self.layout = layout
        self.findings = findings
        self.said = findings.said
        self.marks = Marks(self.said.marks)
        self.entries: list[Entry] = []
        self.samples: list[str] = []
        self.read: tuple[MarkRead, ...] = ()
        self.table: Table | None = None
        players = self.said.players or layout.players
        if not self.said.players:
            text = f"who plays? {self._askers()} ask; give the players clockwise"
            findings.ask(Question("players", text))
        if len(players) < 2:
            return
        self.table = table_of(layout.deck, players, self.said)
        self.seats = lexicon_of(self.table).seats
        state = Record(table=self.table).turn_state
        for row, _ in layout.rows():
            if self._is_talk(row):
                said = " ".join(filter(None, layout.sheet.rows[row]))
                findings.aside.append(f"row {row + 1}, '{printable(said)}': not read")
                continue
            line = self._line(row, self.table)
            observation = _parsed(line, self.table, state, f"row {row + 1}", findings)
            if observation is not None:
                state = state.after(observation)
                self.samples.append(line)
                remark = self._text("remark", row).replace("#", "")
                above = () if self.entries else ("",)
                self.entries.append(Entry(observation=observation, comment=remark, before=above))

    def _text(self, means: str, row: int) -> str:
        """Return the text of a row in the columns of a meaning."""
        cells = self.layout.sheet.rows[row]
        return ", ".join(cells[at] for at in self.layout.where(means) if cells[at])

    def _askers(self) -> str:
        asking = (self._text("asker", row) for row, _ in self.layout.rows())
        return joined(dict.fromkeys(filter(None, asking)), "and")

    def _is_talk(self, row: int) -> bool:
        """Whether a row is a sentence beside the table, or tells of no suggestion."""
        if self.said.leaves(row, ""):
            return True
        cells = self.layout.sheet.rows[row]
        if sum(map(bool, cells)) == 1:
            return True
        if any(self._text(means, row) for means in ("shower", "shown", "passes", "answers")):
            return False
        names = self.layout.deck.names
        words = [word for word in words_of(self._text("cards", row)) if len(word) > 2]
        return not any(len(names.readings(word)) == 1 for word in words)

    def _line(self, row: int, table: Table) -> str:
        """Return a row as a line of a record."""
        asker, cards = self._text("asker", row), self._text("cards", row)
        kind, remark = self._text("kind", row), self._text("remark", row)
        verdict = self._text("verdict", row)
        accuses = bool(_ACCUSES.search(f"{asker} {cards} {kind}"))
        by = self._seat(_ACCUSES.sub("", asker).strip(" :"), table, row)
        named = self._cards(_ACCUSES.sub("", cards).strip(" :-"), row)
        where = f"row {row + 1}"
        told = f"{verdict} {self._text('shower', row)} {self._text('shown', row)}"
        plain = folded(verdict) not in ("", "no", "-")
        if accuses or _ACCUSES.search(remark) or (plain and not kind):
            words = {*words_of(f"{told} {remark}")}
            right, wrong = bool(words & _RIGHT), bool(words & _WRONG)
            if right != wrong:
                return f"{by} accuses {named}: {'right' if right else 'wrong'}"
            if accuses or plain:
                self.findings.faults.append(f"{where}: expected right or wrong of the accusation")
            else:
                title = next(c.title for c in self.layout.columns if c.means == "remark")
                text = f"{where}, '{printable(remark)}': an accusation? Leave the column aside?"
                self.findings.ask(Question("columns", text, title, choices=("aside",)))
        elif kind and not re.match(r"(?i)sugg|guess|ask", kind):
            text = f"expected suggestion or accusation; found '{printable(kind)}'"
            self.findings.faults.append(f"{where}: {text}")
        answers = [*self._shown(row, table)]
        if answers != ["nobody shows"]:
            answers = [*self._passes(row, table), *self._own_columns(row, table), *answers]
        return f"{by} suggests {named}" + (f": {', '.join(answers)}" if answers else "")

    def _seat(self, text: str, table: Table, row: int) -> str:
        """Return the player that a text names; as it stands where it is none."""
        meant = self.said.meant(text)
        if folded(meant) in WRITERS and table.viewer and not self.seats.exact(meant):
            return table.viewer
        if folded(meant) in WRITERS and not self.seats.readings(meant):
            text = f"row {row + 1}, '{printable(meant)}': whose notes are these?"
            self.findings.ask(Question("viewer", text, choices=table.seats))
            return table.seats[0]
        name = meant if self.seats.exact(meant) else without_piece(meant, self.layout.deck)
        return self.findings.name(self.seats, name, f"row {row + 1}") or name

    def _cards(self, text: str, row: int) -> str:
        """Return the cards that were asked for, by their names."""
        names = self.layout.deck.names
        parts = [part for part in _PARTING.split(self.said.meant(text)) if part]
        if len(parts) == 1:
            return parts[0]
        named = [self.findings.name(names, part, f"row {row + 1}") or part for part in parts]
        return ", ".join(named)

    def _names(self, text: str, table: Table, row: int) -> list[str]:
        """Return the players that a text lists, with or without signs between."""
        names: list[str] = []
        for part in filter(None, _PARTING.split(text)):
            words = part.split()
            single = len(self.seats.readings(part)) == 1 or len(words) == 1
            several = all(len(self.seats.readings(word)) == 1 for word in words)
            names += words if several and not single else [part]
        return [self._seat(name, table, row) for name in names if folded(name) not in _NOBODY]

    def _passes(self, row: int, table: Table) -> list[str]:
        """Return the answers of those who passed, a name with `?` as unheard."""
        text = self._text("passes", row)
        unheard = [name.removesuffix("?").strip() for name in text.split(",") if name.endswith("?")]
        passed = ",".join(name for name in text.split(",") if not name.endswith("?"))
        answers = [f"{name} passes" for name in self._names(passed, table, row)]
        return answers + [f"{self._seat(name, table, row)} ?" for name in unheard]

    def _own_columns(self, row: int, table: Table) -> Iterator[str]:
        """Yield what the players' own columns say, in the order of answering."""
        columns = {c.means: c.at for c in self.layout.columns if c.means in table.seats}
        asker = self._seat(self._text("asker", row), table, row)
        for seat in table.answering(asker) if asker in table.seats and columns else ():
            text = self.layout.sheet.rows[row][columns[seat]] if seat in columns else ""
            word = folded(text)
            cell = self.marks.read(text)
            if word in ("", "-", "asks", "asked", "asker", "n/a") or "maybe" in cell.meanings:
                continue
            if "has" in cell.meanings or word in ("s", "shows", "showed", "show", "shown", "card"):
                yield f"{seat} shows {self._seen(row)}".strip()
            elif "lacks" in cell.meanings or word in ("p", "pass", "passes", "passed"):
                yield f"{seat} passes"
            elif re.match(r"(?i)show", text):
                yield f"{seat} {text}"
            elif self.layout.deck.names.readings(text):
                yield f"{seat} shows {text}"
            else:
                text = f"row {row + 1}: what does '{printable(text)}' mean?"
                self.findings.ask(Question("marks", text, word, choices=("has", "lacks", "maybe")))

    def _seen(self, row: int) -> str:
        """Return the card that was seen, by its name if it was asked for; empty for none."""
        seen = self._text("shown", row)
        if folded(seen) in _UNSEEN:
            return ""
        asked = self._cards(_ACCUSES.sub("", self._text("cards", row)), row).split(", ")
        meant = [
            card for card in self.layout.deck.names.readings(self.said.meant(seen)) if card in asked
        ]
        return meant[0] if len(meant) == 1 else self.said.meant(seen)

    def _shown(self, row: int, table: Table) -> Iterator[str]:
        """Yield what the columns say of who showed, and of all answers in words."""
        if answers := self._text("answers", row):
            yield answers
        shower = self.said.meant(self._text("shower", row).rstrip("!. "))
        seen = self._seen(row)
        if folded(shower) in _NOBODY:
            yield "nobody shows"
            if seen:
                self.findings.faults.append(f"row {row + 1}: a card is seen and nobody shows")
            return
        if folded(shower) in ("", "?", "unknown"):
            if seen and not self.layout.players:
                self.findings.faults.append(f"row {row + 1}: expected who showed the card")
            return
        name = without_piece(shower, self.layout.deck)
        remark = re.fullmatch(r"(.+?)\s*\((.+)\)", shower)
        if remark and name == shower and not self.seats.exact(shower):
            outer, inner = remark.groups()
            shows = f"{self._seat(outer, table, row)} shows"
            if len(self.layout.deck.names.readings(inner)) == 1:  # `Ned (Hall)`
                yield f"{shows} {inner}"
                return
            if any(self.seats.readings(word) for word in words_of(inner)):  # `Ned (May no)`
                yield f"{inner.replace('+', ' and ')}, {shows} {seen}".strip()
                return
        cards = _PARTING.split(seen)
        names = [name]
        if not self.seats.readings(name):
            names = list(filter(None, _PARTING.split(name)))
        if len(names) > 1 and not table.everyone_shows and self.said.answers is None:
            text = f"row {row + 1}: {joined(names, 'and')} showed: who shows a card?"
            self.findings.ask(Question("answers", text, choices=("first", "all")))
        for at, each in enumerate(names):
            card = cards[at] if len(cards) == len(names) else ""
            card = "" if folded(card) in _UNSEEN else card
            yield f"{self._seat(each, table, row)} shows {card}".strip()


def _parsed(
    line: str, table: Table, state: TurnState, where: str, findings: Findings
) -> Observation | None:
    """Return what a line tells; `None` if it cannot be read, which is a fault."""
    try:
        return parse_line(line, table, state)
    except NotationError as error:
        findings.faults.append(f"{where}: {error.reason}")
        return None


# Lines of words.

_BULLET = re.compile(r"\s*(?:[-*•>]\s+|(?:T|#)?\d{1,3}[.):]?\s+)?")
_NAME = r"(?P<who>[^\W\d_][\w '()-]{0,30}?)\s*"
_SIGN = re.compile(rf"{_NAME}(?::|[-=]>|→)\s*(?=\S)")
_VERB = re.compile(rf"{_NAME}\b(?:ask|suggest|guess|accus)\w*:?", re.IGNORECASE)
_ARROW = re.compile(r"\s*(?:[-=]>|→|\s[-\u2013\u2014]\s)\s*")
_FOREIGN_NOBODY = re.compile(r"(?i)\b(?:niemand|keiner|personne|nadie|nessuno)\b")
_MINE = re.compile(r"(?i)(?:my|our)\s+(?:cards|hand)\s*[:=]")
_FEWEST, _MOST_LISTED = 2, 300
"""How many lines with a card and a holder make a list; how many lines it has at most."""
_LONGEST = 500
"""How many characters a line with a suggestion has at most."""
_UNSURE = re.compile(r"\w\?\)?$")
"""A name with a question mark: nobody is sure of it."""


class Line(NamedTuple):
    """A line of notes: its number from 1, its text, and who asks in it for a card of each kind."""

    number: int
    text: str
    who: str


def asking_lines(texts: Sequence[str], deck: Deck) -> list[Line]:
    """Return the lines that are not empty, and who asks for cards in each."""
    lines = []
    for number, text in enumerate(texts, 1):
        line = _BULLET.sub("", text, count=1).strip()
        head = _SIGN.match(line) or _VERB.match(line)
        asks = False
        if head is not None and not _MINE.match(line) and len(line) < _LONGEST:
            asks = len(_kinds(line[head.end() :], deck)) == len(deck.edition.category)
        if line:
            lines.append(Line(number, line, head["who"].strip() if head and asks else ""))
    return lines


def _kinds(text: str, deck: Deck) -> set[str]:
    """Return the categories of the cards that a text names."""
    words = re.findall(r"[\w'\u2019]+\.?", text)
    kinds = set()
    for at in range(len(words)):
        for size in range(1, deck.names.longest + 1):
            for card in _exact(deck.names, " ".join(words[at : at + size])):
                kinds.add(deck.edition.category_of[card])
    return kinds


@lru_cache(maxsize=100_000)
def _exact(names: Names, text: str) -> tuple[str, ...]:
    """Return the cards that a text is; many words stand in many lines."""
    return names.exact(text)


class LineNotes:
    """
    What lines of words tell, each as a player would say it.

    Attributes:
        table: The table; `None` if the players are not known.
        entries: What the lines tell, in their order.
        lines: The lines that were read.
    """

    def __init__(self, texts: Sequence[str], deck: Deck, findings: Findings) -> None:
        self.findings = findings
        self.deck = deck
        self.entries: list[Entry] = []
        self.lines: list[str] = []
        self.table: Table | None = None
        told = asking_lines(texts, deck)
        said = findings.said
        askers = dict.fromkeys(line.who for line in told if line.who)
        if not said.players:
            text = f"who plays? {joined(askers, 'and')} ask; give the players clockwise"
            findings.ask(Question("players", text))
            return
        self.table = table_of(deck, said.players, said)
        own = WRITERS & set(map(folded, askers)) or any(_MINE.match(line.text) for line in told)
        if self.table.viewer is None and own:
            text = "some lines are the writer's own: whose notes are these?"
            findings.ask(Question("viewer", text, choices=said.players))
            return
        for line in told:
            self._read(line, self.table)

    def _read(self, line: Line, table: Table) -> None:
        """Read one line: a suggestion, the answers to the one before, or the own hand."""
        state = TurnState()
        for entry in self.entries:
            state = state.after(entry.observation)
        place = f"line {line.number}, '{printable(line.text)}'"
        last = self.entries[-1].observation if self.entries else None
        open_ = last if isinstance(last, Suggestion) else None
        text = self._spoken(line)
        try:
            if _UNSURE.search(line.text):
                raise NotationError("a question mark: not certain")
            if line.who or _MINE.match(line.text):
                told: Observation = parse_line(text, table, state)
            else:
                found = readings(text, table, state, open=open_)
                late = [each for each in found if each.late and each.observation is not None]
                if len(late) != 1:
                    raise NotationError("not read")
                told = late[0].told
                self.entries.pop()
        except NotationError as error:
            if line.who:
                self.findings.faults.append(f"{place}: {error.reason}")
            else:
                self.findings.aside.append(f"{place}: not read")
            return
        if isinstance(told, Suggestion | Accusation | Hand):
            self.lines.append(text)
            before = () if self.entries else ("",)
            self.entries.append(Entry(observation=told, before=before))

    def _spoken(self, line: Line) -> str:
        """Return a line as somebody would say it."""
        text = _FOREIGN_NOBODY.sub("nobody", line.text)
        head = _SIGN.match(text) if line.who and not _VERB.match(text) else None
        if head is not None:
            text = f"{head['who']} suggests {text[head.end() :]}"
        before, *answers = _ARROW.split(text)
        return f"{before}: {', '.join(answers)}" if answers and line.who else text


def holders_in(texts: Sequence[str], decks: Sequence[Deck]) -> tuple[tuple[str, str], ...]:
    """
    Return lines such as `Mustard: Ben, not Ann` as rows, other lines with one cell.

    Nothing is returned where hardly any names a card and a holder.
    """
    pairs = [tuple(part.strip() for part in text.partition(":")[::2]) for text in texts]
    counts = [
        sum(bool(holder and _exact(deck.names, card)) for card, holder in pairs) for deck in decks
    ]
    names = decks[counts.index(max(counts))].names
    if max(counts) < _FEWEST or len(texts) > _MOST_LISTED:
        return ()
    rows = []
    for text, (card, holder) in zip(texts, pairs, strict=True):
        known = ":" in text and (names.exact(card) or len(names.nearest(card)) == 1)
        rows.append((card, holder) if known else (text.strip(), ""))
    return tuple(rows)
