"""
Suggestions in rows of a table, as lines that the notation reads.

A row is written as the line that a player would type (`Ann suggests Plum, Rope, Hall: Ben passes`),
so that one reader understands both: every word of it, or none.
"""

import re
from collections.abc import Iterator, Sequence

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
from clue_solver.exchange.marks import Marks
from clue_solver.notation import TurnState, lexicon_of, parse_line
from clue_solver.notation.names import joined, words_of
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
_ASKS = {"asks", "asked", "asker", "ask", "*", "a", "q", "?", "suggests", "suggested", "guess"}
"""What stands below the player who asks."""


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
        self.marks = Marks(self.said.marks)
        self.told: list[Entry] = []
        self.samples: list[str] = []
        self.table: Table | None = None
        players = self.said.players or layout.players
        if not self.said.players:
            findings.ask_who_plays(self._text("asker", row) for row, _ in layout.rows())
        if len(players) < 2:
            return
        self.table = table_of(layout.deck, players, self.said)
        self.people = People(players, self.table.viewer, self.said)
        self.seats = lexicon_of(self.table).seats
        if self.table.viewer is None and not self.said.viewer and self._tells_cards():
            text = "whose notes are these?"
            findings.ask(Question("viewer", text, choices=(*players, SPECTATOR)))
        told = [row for row, _ in layout.rows() if not self._is_talk(row)]
        for row, cells in layout.rows():
            if row not in told:
                said = " ".join(filter(None, cells))
                findings.leave_aside(row, said)
        self.table = table = self._in_order(told, self.table)
        state = TurnState()
        for row in told:
            line = self._line(row, table)
            if self._text("cards", row).startswith("~~"):
                text = f"row {row + 1}, '{printable(line)}', is struck out; leave it out?"
                findings.ask(Question("leave", text, f"row {row + 1}"))
                continue
            try:
                observation = parse_line(line, table, state)
            except NotationError as error:
                text = f"row {row + 1}, '{printable(line)}': {error.reason}; leave it out?"
                if findings.unknown_names(f"row {row + 1}:") != 1:
                    findings.ask(Question("leave", text, f"row {row + 1}"))
                continue
            state = state.after(observation)
            self.samples.append(line)
            remark = self._text("remark", row).replace("#", "")
            above = () if self.told else ("",)
            self.told.append(Entry(observation=observation, comment=remark, before=above))

    def _tells_cards(self) -> bool:
        """Whether a card stands among the answers: somebody saw it."""
        others = ("cards", "remark", "aside")
        columns = [column.at for column in self.layout.columns if column.means not in others]
        cells = (cells[at] for _, cells in self.layout.rows() for at in columns)
        return any(map(self.layout.deck.cards_in, cells))

    def _in_order(self, rows: Sequence[int], table: Table) -> Table:
        """Return the table; asked about, with the other order of answering if that fits better."""
        if self.said.order is not None:
            return table
        order: Side = "left" if table.edition.order == "right" else "right"
        tables = table, replace(table, order=order)
        unfit = [0, 0]
        for at, each in enumerate(tables):
            for row in rows:
                try:
                    parse_line(self._line(row, each), each, TurnState())
                except NotationError:
                    unfit[at] += 1
        if unfit[0] <= unfit[1] + 1:
            return table
        text = f"who answers first? In these rows it is the player to the asker's {order}"
        self.findings.ask(Question("order", text, "", order, ("left", "right")))
        return tables[1]

    @property
    def what(self) -> str:
        """What was read."""
        return counted(len(self.told), "suggestion")

    def _text(self, means: str, row: int) -> str:
        """Return the text of a row in the columns of a meaning."""
        cells = self.layout.sheet.rows[row]
        return ", ".join(cells[at] for at in self.layout.where(means) if cells[at])

    def _is_talk(self, row: int) -> bool:
        """Whether a row is a sentence beside the table, or tells of no suggestion."""
        cells = self.layout.sheet.rows[row]
        told = ", ".join(filter(None, cells)) in self.findings.heard
        if told or self.said.leaves(row, "") or sum(map(bool, cells)) == 1:
            return True
        if any(self._text(means, row) for means in ("shower", "shown", "passes", "answers")):
            return False
        names = self.layout.deck.names
        words = [word for word in words_of(self._text("cards", row)) if len(word) > 2]
        return not any(len(names.candidates(word)) == 1 for word in words)

    def _line(self, row: int, table: Table) -> str:
        """Return a row as a line of a record."""
        asker, cards = self._text("asker", row), self._text("cards", row)
        kind, remark = self._text("kind", row), self._text("remark", row)
        verdict = self._text("verdict", row)
        accuses = bool(ACCUSES.search(f"{asker} {cards} {kind}"))
        by = self._seat(ACCUSES.sub("", asker).strip(" :"), row)
        for seat, text in self._own_columns(row, table, "") if not asker else ():
            by = seat if self._said_in(text) == "asks" else by
        named = self._cards(ACCUSES.sub("", cards).strip(" :-"), row)
        where = f"row {row + 1}"
        told = f"{verdict} {self._text('shower', row)} {self._text('shown', row)}"
        plain = folded(verdict) not in ("", "no", "-")
        if accuses or ACCUSES.search(remark) or (plain and not kind):
            words = {*words_of(f"{told} {remark}")}
            right, wrong = bool(words & _RIGHT), bool(words & _WRONG)
            if right != wrong:
                return f"{by} accuses {named}: {'right' if right else 'wrong'}"
            if accuses or plain:
                self.findings.faults.append(
                    f"{where}: expected whether the accusation was right or wrong"
                )
            else:
                title = next(c.title for c in self.layout.columns if c.means == "remark")
                text = (
                    f"{where}, '{printable(remark)}': an accusation? Shall the column be left out?"
                )
                self.findings.ask(Question("columns", text, title, choices=("aside",)))
        elif kind and not re.match(r"(?i)sugg|guess|ask", kind):
            text = f"expected suggestion or accusation; found '{printable(kind)}'"
            self.findings.faults.append(f"{where}: {text}")
        answers = [*self._shown(row, table)]
        if answers != ["nobody shows"]:
            answers = [*self._passes(row), *self._answers(row, table, by), *answers]
        return f"{by} suggests {named}" + (f": {', '.join(answers)}" if answers else "")

    def _seat(self, text: str, row: int) -> str:
        """Return the player that a text names; as it stands where it is none."""
        found = self.people.find(text) if text else None
        if found is not None and found != ENVELOPE:
            return found
        plain = without_brackets(text)[0]
        if folded(plain) in WRITERS:
            text = f"row {row + 1}, '{printable(text)}': whose notes are these?"
            self.findings.ask(Question("viewer", text, choices=self.seats.names))
            return self.seats.names[0]
        return (self.findings.name(self.seats, plain, f"row {row + 1}") if text else "") or plain

    def _cards(self, text: str, row: int) -> str:
        """Return the cards that were asked for, by their names."""
        names = self.layout.deck.names
        parts = [part for part in PARTING.split(self.said.meant(text)) if part]
        if len(parts) == 1:
            return parts[0]
        named = [self.findings.name(names, part, f"row {row + 1}") or part for part in parts]
        every = self.layout.deck.edition.names
        return ", ".join(sorted(named, key=lambda card: (*every, card).index(card)))

    def _names(self, text: str, row: int) -> list[str]:
        """Return the players that a text lists, with or without signs between."""
        names = self.people.seats_in(text) or [*filter(None, PARTING.split(text))]
        return [self._seat(name, row) for name in names if folded(name) not in NOBODY]

    def _passes(self, row: int) -> list[str]:
        """Return the answers of those who passed, a name with `?` as unheard."""
        text = self._text("passes", row)
        unheard = [
            without_brackets(name.strip(" ?"))[0] for name in text.split(",") if is_unsure(name)
        ]
        passed = ",".join(name for name in text.split(",") if not is_unsure(name))
        answers = [f"{name} passes" for name in self._names(passed, row)]
        return answers + [f"{self._seat(name, row)} ?" for name in unheard]

    def _own_columns(self, row: int, table: Table, asker: str) -> Iterator[tuple[str, str]]:
        """Yield the players that have columns, in the order of answering, and what stands there."""
        columns = {c.means: c.at for c in self.layout.columns if c.means in table.seats}
        order = table.answering(asker) if asker in table.seats else table.seats
        for seat in order:
            if seat in columns:
                yield seat, self.layout.sheet.rows[row][columns[seat]]

    def _answers(self, row: int, table: Table, asker: str) -> Iterator[str]:
        """Yield what the players' own columns say, in the order of answering."""
        for seat, text in self._own_columns(row, table, asker):
            said = self._said_in(text)
            if said == "has":
                card = next(iter(self.layout.deck.cards_in(text)), "") or self._seen(row)
                yield f"{seat} shows {card}".strip()
            elif said == "lacks":
                yield f"{seat} passes"
            elif said == "words":
                yield f"{seat} {plain_answers(text)}"
            elif not said:
                doubt = f"row {row + 1}: what does '{printable(text)}' mean?"
                meanings = ("has", "lacks", "asks", "nothing")
                self.findings.ask(Question("marks", doubt, folded(text), "", meanings))

    def _said_in(self, text: str) -> str:
        """Return what a player's own cell says: `has`, `lacks`, `asks`, `nothing`, or `words`."""
        word = folded(text)
        if word in self.marks.said:
            return self.marks.said[word]
        if word in ("", "n/a"):
            return "nothing"
        if word in _ASKS:
            return "asks"
        meanings = self.marks.read(text).meanings
        if "maybe" in meanings:
            return "nothing"
        names = self.layout.deck.names
        if "has" in meanings or re.match(r"(?i)(?:s|card)$|show", text) or names.candidates(text):
            return "has"
        if "lacks" in meanings or re.match(r"(?i)(?:p|-)$|pass", text):
            return "lacks"
        known = self.marks.meaning(folded(text.split(maxsplit=1)[0]))
        if known == "has" and self.layout.deck.cards_in(text):  # `yes - Hall`
            return "has"
        return "words" if known and " " in text else ""

    def _seen(self, row: int) -> str:
        """Return the card that was seen, by its name if it was asked for; empty for none."""
        seen = self._text("shown", row)
        remark = re.fullmatch(r"(?i)\W*show(?:s|ed|n)?\b\W*(.+)", self._text("remark", row))
        if not seen and remark and len(words_of(remark[1])) < 4:  # `showed Hall` beside the table
            seen = remark[1]
        if folded(seen.strip("?()")) in _UNSEEN or re.match(r"(?i)no\b", seen):
            return ""
        asked = self._cards(ACCUSES.sub("", self._text("cards", row)), row).split(", ")
        named = self.layout.deck.names
        near = named.candidates(self.said.meant(seen)) or named.nearest(self.said.meant(seen))
        if not near:  # `not me`
            self.findings.leave_aside(row, seen)
            return ""
        meant = [card for card in near if card in asked]
        if remark and not self._text("shown", row) and len(meant) != 1:
            return ""
        return meant[0] if len(meant) == 1 else self.said.meant(seen)

    def _beside(self, text: str) -> tuple[str, ...]:
        """Return the card that stands beside who showed, if it can be one alone."""
        found = self.layout.deck.names.candidates(self.said.meant(text))
        return found if len(found) == 1 else ()

    def _are_cards(self) -> bool:
        """Whether brackets behind a player have cards rather than the suspects that they play."""
        suspects = self.layout.deck.edition.suspects
        shown = (self._text("shower", row) for row, _ in self.layout.rows())
        cards = (card for text in shown for card in self.layout.deck.cards_in(text))
        return any(card not in suspects for card in cards)

    def _shown(self, row: int, table: Table) -> Iterator[str]:
        """Yield what the columns say of who showed, and of all answers in words."""
        if answers := self._text("answers", row):
            yield plain_answers(answers)
        shower = re.sub(r"^\((.*)\)$", r"\1", self._text("shower", row))
        shower = self.said.meant(shower.rstrip("!. "))
        seen = self._seen(row)
        if folded(shower) in NOBODY or _NOBODY.match(shower):
            yield "nobody shows"
            if seen:
                self.findings.faults.append(
                    f"row {row + 1}: a card was seen, but nobody showed one"
                )
            return
        if folded(shower) in ("", "?", "unknown"):
            if seen and not self.layout.players and not answers:
                self.findings.faults.append(f"row {row + 1}: expected who showed the card")
            return
        if is_unsure(re.sub(r"\s\(?\?\)?$", "", shower)):  # but `Cat (?)`, whose card is not seen
            self.findings.leave_aside(row, shower)
            return
        plain, inside = without_brackets(shower)
        if not inside and not self.people.seats_in(shower):
            apart = re.fullmatch(r"(.+?)\s*[-:/\u2013]\s*(.+)", shower)  # `Ned: Hall`
            if apart and self.layout.deck.names.candidates(apart[2]):
                plain, inside = apart[1], apart[2]
        if inside and not self.seats.exact(shower):
            shows = f"{self._seat(plain, row)} shows"
            named = self.layout.deck.names.exact(inside) or (not seen and self._beside(inside))
            if named and self._are_cards():  # `Ned (Hall)`
                yield f"{shows} {inside}"
                return
            if any(self.seats.candidates(word) for word in words_of(inside)):  # `Ned (May no)`
                yield f"{inside.replace('+', ' and ')}, {shows} {seen}".strip()
                return
        cards = PARTING.split(seen)
        names = [shower] if self.people.find(shower) else [*filter(None, PARTING.split(shower))]
        if len(names) > 1 and not table.everyone_shows and self.said.answers is None:
            text = f"row {row + 1}: {joined(names, 'and')} showed cards: who has to?"
            self.findings.ask(Question("answers", text, choices=("first", "all")))
        for at, each in enumerate(names):
            card = cards[at] if len(cards) == len(names) else ""
            card = "" if folded(card) in _UNSEEN else card
            yield f"{self._seat(each, row)} shows {card}".strip()
