"""
Finds a table with a suggestion in each row, and reads it.

A row is rewritten as the line that a player would type (`Ann suggests Plum, Rope, Hall: Ben
passes`), and the notation reads that line.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from clue_solver.errors import NotationError, counted, printable
from clue_solver.exchange import columns, terms
from clue_solver.exchange.columns import Column, ColumnLayout, Finder, Meaning
from clue_solver.exchange.deck import Deck
from clue_solver.exchange.findings import Findings
from clue_solver.exchange.lines import EntryCollector
from clue_solver.exchange.marks import MARKS, Marks
from clue_solver.notation.names import Names, words_of
from clue_solver.notation.reader import parse_line
from clue_solver.rules.table import SPECTATOR, Table

_ANSWERS = {
    **MARKS,
    **dict.fromkeys(("show", "shows", "showed", "s", "card"), "has"),
    **dict.fromkeys(("pass", "passes", "passed", "p", "-"), "lacks"),
    **dict.fromkeys(("ask", "asks", "asked", "asker", "*"), "asks"),
    **dict.fromkeys(("", "n/a"), "nothing"),
}
"""The meaning of each mark in a player's column of a table of suggestions."""
_DASHES = re.compile(r"(?<=\w) ?[-\u2013\u2014](?=\s*(?:,|;|$))")
"""A dash after the name of a player who passes."""

# Where the table is, and what its columns mean.


_candidates = lru_cache(maxsize=10_000)(Names.candidates)
"""Returns the names that a text can stand for. Results are cached because texts repeat."""


def _cards(cells: Sequence[str], deck: Deck) -> list[str]:
    """Return the cards named in the cells; one cell may list several cards."""
    found: list[str] = []
    for cell in filter(None, cells):
        parts = deck.split_list(cell)
        several = len(parts) == len(deck.edition.category)  # a suggestion: its words may be short
        for part in parts:
            named = _candidates(deck.names, part)
            named = named or (deck.names.nearest(part) if several else ())
            found += named if len(named) == 1 else ()
    return found


def _is_suggestion(cells: Sequence[str], deck: Deck) -> bool:
    """Return whether a row begins with one card of each category."""
    cards = _cards(cells, deck)
    return len(cards) < 6 and deck.one_of_each(cards[: len(deck.edition.category)])


def _count_titles(cells: Sequence[str]) -> int:
    """Return how many cells can be titles of a table of suggestions."""
    return sum(bool(columns.roles_of(cell, columns.LOG)) for cell in cells)


class LogFinder(Finder):
    """Finds a table of suggestions."""

    def find(self) -> ColumnLayout | None:
        """Return the layout of a table of suggestions; `None` if the sheet is something else."""
        if self.exported >= 0:
            return None
        turned = LogFinder(self.sheet.transpose(), self.deck, self.findings)
        return self._layout() or turned._layout()

    def _layout(self) -> ColumnLayout | None:
        """Return the layout of the sheet as it is, not transposed; `None` if it is no log."""
        every, rows = self.hints.every_column, self.sheet.rows
        asking = [row for row, cells in enumerate(rows) if _is_suggestion(cells, self.deck)]
        said = "asker" in (*every, *self.hints.columns.values())
        if (every and not said) or not (asking or said):
            return None
        header = self.title_row(min(asking, default=1), _count_titles)
        titles = rows[header] if header >= 0 else ("",) * len(rows[0])
        # A gap or a heading after the last suggestion ends the table: another may follow.
        behind = range(max(asking, default=len(rows)), len(rows))
        end = next((row for row in behind if sum(map(bool, rows[row])) < 2), len(rows))
        below = [row for row in rows[header + 1 : end] if sum(map(bool, row)) > 1]
        means: list[Meaning] = []
        kinds: set[str] = set()  # of the cards that were asked for
        for at, (title, stated) in enumerate(zip(titles, self.hints_for(titles), strict=True)):
            texts = dict.fromkeys(row[at] for row in below if row[at])
            means.append(stated if stated.role else self._meaning(title, texts, means, kinds))
        means = [Meaning("cards") if each.role == "card" else each for each in means]
        roles = [each.role for each in means]
        own = {each.holder for each in means} - {""}
        titled = _count_titles(titles)
        is_sound = said or titled > 1 or roles.count("cards") > 2 or len(own) > 1
        # The first cards of a pad, read downwards, can look like a suggestion without a title.
        if "cards" not in roles or (self.sheet.turned and not is_sound):
            return None
        found = []
        for at, each in enumerate(means):
            column = Column(at, titles[at], each, sum(bool(row[at]) for row in below))
            found.append(self.settle(column) if self.hints.players or each.role else column)
        return ColumnLayout(
            kind="suggestions",
            sheet=replace(self.sheet, rows=rows[:end]),
            header=header,
            columns=tuple(found),
            deck=self.deck,
            is_sound=is_sound,
        )

    def _meaning(
        self, title: str, texts: Collection[str], before: Sequence[Meaning], kinds: set[str]
    ) -> Meaning:
        """
        Return the meaning of a column of suggestions; `UNKNOWN` if it is not clear.

        Args:
            title: The title of the column.
            texts: The different texts below the title.
            before: The meanings of the columns to the left.
            kinds: The categories whose suggested cards have a column; updated in place.
        """
        titled = columns.roles_of(title, columns.LOG)
        if not titled and (seat := self.people.seat(title)):
            return Meaning("has", seat)
        below = self._possible_meanings(texts)
        found = [self.deck.edition.category_of[each] for each in _cards([*texts], self.deck)]
        kind = max(found, key=found.count, default="")
        can = [role for role in titled if not below or role in (*below, "remark")] or below[:1]
        role = can[0] if can else ""
        if role == "cards" and kind in kinds:
            role = "shown"
        elif role == "asker" and below[:1] == ["asker"] and Meaning("asker") in before:
            role = "passes" if terms.denies(title) else "shower"
        if role == "cards":
            kinds |= {*found} if below == ["cards"] else {kind}
        return Meaning(role)

    def _possible_meanings(self, texts: Collection[str]) -> list[str]:
        """Return the possible meanings of a column with these texts, the likeliest first."""

        def most(is_one: Callable[[str], bool]) -> bool:
            """Return whether a condition holds for more than half of the column's texts."""
            return 2 * sum(map(is_one, texts)) > len(texts)

        if most(lambda text: bool(re.fullmatch(r"[\W_]*\d[\d.:/ -]*", text))):
            return ["aside"]
        if most(lambda text: _is_suggestion([text], self.deck)):
            return ["cards"]
        if most(self._is_person) and not all(map(terms.is_nobody, texts)):
            return ["asker", "passes", "shower"]
        if most(lambda text: len(self.deck.names.candidates(self.hints.meant(text))) == 1):
            return ["cards", "shown"]
        return []

    def _is_person(self, text: str) -> bool:
        """Return whether a text means a player, several players or nobody."""
        known = terms.is_nobody(text) or terms.fold_text(text) in terms.WRITERS
        return known or bool(self.people.seats_in(text))


# What its rows say.


class LogNotes(EntryCollector):
    """
    Reads a table of suggestions, row by row.

    In its methods, `row` is the index of a row of the sheet, from 0.

    Args:
        layout: The table of suggestions, with the meaning of its columns.
        table: The table at which the game was played.
        findings: The user's hints. Questions and faults are added to it.
    """

    def __init__(self, layout: ColumnLayout, table: Table, findings: Findings) -> None:
        super().__init__(table, layout.deck, findings)
        self.layout = layout
        self.marks = Marks(self.findings.hints.marks, _ANSWERS, layout.mark_cells())

    def read(self) -> str:
        """Read the rows in order; return a short description of what was read."""
        if self.table.viewer is None and not self.findings.hints.viewer and self._is_first_person():
            choices = (*self.table.seats, SPECTATOR)
            self.findings.ask("viewer", "whose notes are these?", choices=choices)
        for row, cells in self.layout.rows():
            if self._is_no_suggestion(row):
                self.findings.leave_aside(row, " ".join(filter(None, cells)))
            else:
                self._read_row(row)
        self.ask_unread()
        return counted(len(self.entries), "suggestion")

    def _is_first_person(self) -> bool:
        """Return whether the notes mention their writer, a hand or a card that was seen."""
        others = ("cards", "remark", "aside")
        places = [column.at for column in self.layout.columns if column.means.role not in others]
        cells = {cells[at] for _, cells in self.layout.rows() for at in places}
        told = any(terms.fold_text(cell) in terms.WRITERS for cell in cells)
        return told or bool(self.findings.hand) or any(map(self.deck.cards_in, cells))

    def _is_no_suggestion(self, row: int) -> bool:
        """Return whether a row is no suggestion: left out, a sentence, or without any card."""
        cells = [*filter(None, self.layout.sheet.rows[row])]
        cards = self.layout.text("cards", row)
        words = [word for word in words_of(cards) if len(word) > 2]
        known = any(len(self.deck.names.candidates(word)) == 1 for word in words)
        asks = known or terms.SKIPS.search(cards)
        answers = ["shower", "shown", "passes", "answers"]
        told = any(self.layout.text(means, row) for means in answers)
        return self.findings.hints.leaves(row, "") or len(cells) == 1 or not (asks or told)

    def _read_row(self, row: int) -> None:
        """Read one row as a line. Ask about a row that cannot be read."""
        unknown = len(self.findings.questions)
        line, about = "", f"row {row + 1}"
        try:
            line = self._suggestion_line(row)
            remark = self.layout.text("remark", row).replace("#", "")
            self.keep(parse_line(line, self.table, self.state), line, remark)
        except NotationError as error:
            place = about + (f", '{printable(line)}'" if line else "")
            if len(self.findings.questions) - unknown != 1:  # one name may be all that is wrong
                self.miss("leave", f"{place}: {error.reason}", about, row + 1)

    def _suggestion_line(self, row: int) -> str:
        """Return a row as a line of a record; raise a `NotationError` if it cannot be one."""
        asker, cards, kind, verdict, remark, shower, shown = (
            self.layout.text(means, row)
            for means in ("asker", "cards", "kind", "verdict", "remark", "shower", "shown")
        )
        if cards.startswith("~~"):
            raise NotationError("this row is struck out")
        by = self._seat(terms.ACCUSES.sub("", asker).strip(" :"), row) if asker else ""
        if not asker:
            for seat, text in self._player_cells(row, ""):
                by = seat if self.marks.meaning(text) == "asks" else by
        if by and terms.SKIPS.search(cards):
            return f"{by} skips"
        accuses = terms.ACCUSES.search(f"{asker} {cards} {kind} {remark}")
        if accuses or (terms.fold_text(verdict) not in ("", "no", "-") and not kind):
            return f"{by} accuses {self._outcome(row, cards if accuses else '')}"
        if kind and not re.match(r"(?i)sugg|guess|ask", kind):
            raise NotationError(f"expected suggestion or accusation; found '{printable(kind)}'")
        named = self._cards(cards.strip(" :-!"), row)
        seen = self._seen_card(shown, named, row)
        shows = [*self._show_answers(row, shower, seen)]
        if shows != ["nobody shows"]:
            shows = [*self._pass_answers(row), *self._player_answers(row, by, named), *shows]
        return f"{by} suggests {named}" + (f": {', '.join(shows)}" if shows else "")

    def _outcome(self, row: int, told: str) -> str:
        """
        Return the cards of an accusation and its result, as in `Plum, Rope, Hall: wrong`.

        Args:
            row: The index of the row.
            told: More text that may say whether it was right.

        Raises:
            NotationError: If the row does not say whether it was right.
        """
        columns = ("verdict", "shower", "shown", "answers", "remark")
        told = " ".join((told, *(self.layout.text(means, row) for means in columns)))
        verdict = terms.verdict(told)
        if not verdict:
            raise NotationError("expected right or wrong for the accusation")
        ends = rf"(?i)\b(?:{'|'.join(terms.RIGHT | terms.WRONG)})\b"
        parts = re.split(ends, terms.ACCUSES.sub("", self.layout.text("cards", row)))
        cards = max(parts, key=lambda part: len(self.deck.cards_in(part))).rstrip(" -\u2013\u2014")
        return f"{self._cards(cards.strip(' :-!'), row)}: {verdict}"

    # Names.

    def _seat(self, text: str, row: int) -> str:
        """
        Return the player that a text names.

        If it is unclear, return a guess if there is one, else the text without brackets and signs;
        the user is asked. `row` is the index of the row, for the question.
        """
        plain = terms.without_brackets(text)[0]
        seat = self.people.seat(text)
        return seat or self.findings.name(self.people.names, plain, f"row {row + 1}") or plain

    def _cards(self, text: str, row: int) -> str:
        """
        Return the full names of the suggested cards in a text, separated by commas.

        The user is asked about unclear names. `row` is the index of the row, for the question.

        Raises:
            NotationError: If the text names no cards.
        """
        parts, words = self.deck.split_list(self.findings.hints.meant(text)), text.split()
        if len(parts) == 1 and len(words) == len(self.deck.edition.category):
            parts = words
        names, every = self.deck.names, self.deck.edition.names
        if not any(map(self.deck.similar, parts)):
            raise NotationError(f"expected cards; found '{printable(text)}'")
        named = [self.findings.name(names, part, f"row {row + 1}") or part for part in parts]
        return ", ".join(sorted(named, key=lambda card: (*every, card).index(card)))

    def _seen_card(self, seen: str, named: str, row: int) -> str:
        """
        Return the card that a text says was shown; empty if it names none, or its writer is unsure.

        Args:
            seen: The text.
            named: The full names of the suggested cards, separated by commas. If one of them is
                meant, that name is returned, otherwise the text.
            row: The index of the row.
        """
        if terms.plain(seen) in terms.UNHEARD or terms.is_nobody(seen):
            return ""
        if terms.is_unsure(seen):
            self.findings.leave_aside(row, seen)
            return ""
        text = self.findings.hints.meant(seen)
        meant = [card for card in self.deck.similar(text) if card in named.split(", ")]
        return meant[0] if len(meant) == 1 else text

    # Answers.

    def _pass_answers(self, row: int) -> Iterator[str]:
        """
        Yield the answers of those who passed, such as `Ben passes`.

        A name with a `?` gives an unheard answer: `Ben ?`. `row` is the index of the row.
        """
        for text in filter(None, re.split(r"\s*,\s*", self.layout.text("passes", row))):
            answer = "?" if terms.is_unsure(text) else "passes"
            plain = terms.without_brackets(text.strip(" ?"))[0]
            for name in self.people.seats_in(plain) or filter(None, terms.PARTING.split(plain)):
                if not terms.is_nobody(name):
                    yield f"{self._seat(name, row)} {answer}"

    def _player_cells(self, row: int, asker: str) -> Iterator[tuple[str, str]]:
        """
        Yield each player that has a column, and the text of the player's cell in a row.

        They come in the order of answering if it is known who asked.
        """
        seats = self.table.seats
        columns = {c.means.holder: c.at for c in self.layout.columns if c.means.holder in seats}
        for seat in self.table.answering(asker) if asker in seats else seats:
            if seat in columns:
                yield seat, self.layout.sheet.rows[row][columns[seat]]

    def _player_answers(self, row: int, asker: str, named: str) -> Iterator[str]:
        """
        Yield the answers in the players' own columns, such as `Ben shows Rope`, in answering order.

        Args:
            row: The index of the row.
            asker: Who suggests; empty if that is not known.
            named: The full names of the suggested cards, separated by commas.
        """
        for seat, text in self._player_cells(row, asker):
            means = self.marks.meaning(text)
            sign, _, rest = text.partition(" ")
            first = means or self.marks.meaning(sign)
            seen = "" if means else self._seen_card(rest if first == "has" else text, named, row)
            cards = self.deck.cards_in(text) or [card for card in named.split(", ") if card == seen]
            if len(cards) == 1 and first in ("", "has"):  # `Hall`, `yes - Hall`
                yield f"{seat} shows {cards[0]}"
            elif means == "has":
                yield f"{seat} shows {self._seen_card(self.layout.text('shown', row), named, row)}"
            elif means == "lacks":
                yield f"{seat} passes"
            elif not means:
                doubt = f"row {row + 1}: does '{printable(text)}' mean {seat} shows, passes, asks?"
                meanings = ("has", "lacks", "asks", "nothing")
                self.findings.ask("marks", doubt, self.marks.key(text), choices=meanings)

    def _show_answers(self, row: int, shower: str, seen: str) -> Iterator[str]:
        """
        Yield the answers in the columns for all answers and for the player who showed.

        Args:
            row: The index of the row.
            shower: The text in the column of the player who showed.
            seen: The card shown; empty if it was not seen.
            named: The full names of the suggested cards, separated by commas.

        Raises:
            NotationError: If a card was seen, but nobody is said to have shown one.
        """
        answers = self.layout.text("answers", row)
        if terms.is_nobody(answers):
            yield "nobody shows"
        elif answers:
            answers = terms.in_english(answers.translate(terms.SIGNS))
            answers = self.reword(_DASHES.sub(" passes", answers))
            *_, last = answers.rstrip(" .!").split()
            shows = self.marks.meaning(last) == "has"
            yield f"{answers} {seen}" if shows and not shower else answers
        shower = self.findings.hints.meant(re.sub(r"^\((.*)\)$", r"\1", shower.rstrip("!. ")))
        if terms.is_nobody(shower) or shower == "0":
            if seen:
                raise NotationError("a card was seen, but nobody showed one")
            yield "nobody shows"
            return
        if terms.plain(shower) in terms.UNHEARD:
            if seen and not self.layout.players and not answers:
                raise NotationError("expected the player who showed the card")
            return
        if terms.is_unsure(shower):
            self.findings.leave_aside(row, shower)
            return
        cards = terms.PARTING.split(seen)
        names = [*filter(None, terms.PARTING.split(shower))]
        names = [shower] if self.people.find(shower) else names
        for at, each in enumerate(names):
            card = cards[at] if len(cards) == len(names) else ""
            yield f"{self._seat(each, row)} shows {card}".strip()
