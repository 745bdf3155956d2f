"""
Reads notes that are sentences. The notation has to understand every word of a line.

A line can be a suggestion, an answer, or a list of what is known about a card or a player. The
lines below a heading with a player's name are about that player.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile

from clue_solver.errors import NotationError, counted, printable
from clue_solver.exchange import terms
from clue_solver.exchange.deck import Deck
from clue_solver.exchange.findings import LEAVE_OUT, Findings
from clue_solver.exchange.people import NOT_PUBLIC, People, public_fact
from clue_solver.notation.names import words_of
from clue_solver.notation.reader import readings
from clue_solver.notation.reading import require_reading
from clue_solver.record.contents import Entry
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Knowing, Observation, Suggestion
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Table
from clue_solver.rules.turns import TurnState

_HEADING = re.compile(r"\s*(?:#|=|\*\*)|.*(?::\**\s*$|\bturn\b|\bgo\b)", re.IGNORECASE)
_DOUBT = re.compile(r"\w\s*\?\)?$")
"""A name with a question mark, which means that the writer is unsure."""
_THOUGHT = re.compile(r"(?i)(?:my|our|next|final|best)\b.*\bguess\b")
"""A line that may be a thought of its writer rather than a suggestion."""
_FILLERS = re.compile(
    r"(?i)\b(?:in the end|again|then|next|also|first|so|in turn|finally|too|just|now|already|"
    r"earlier|did it)\b,?"
)
"""Words that say nothing about a turn."""
_SHOWED_ME = re.compile(r"(?i)^([\w .]+?) (?:shows|showed|has shown) (?:me|us)\b")
"""A sentence by which a player showed the writer a card, although nobody had asked."""
_ARTICLES = r"(?i)\b(?:le|la|les|der|die|das|den|el|los|las|il|lo|het|o|a)\s+|\bl['\u2019]"
"""Articles before the names of cards in other languages."""
_SHORT = 5
"""Words of at most this many letters are never misspelt cards: `nope` is not `rope`."""
_MANY = 5
"""Unread lines are left out if at least this many times as many lines were read."""
_STRUCK = re.compile(r"\W*~~.*~~\W*")
"""A line that is struck out in Markdown."""
_ANSWERED = re.compile(
    r"(?i)\b(?:no|yes|not|nothing|none|nobody|pass\w*|show\w*|ha[sdv]e?|can\w*|could\w*)\b|\?"
)
"""A word of an answer, or a doubt."""
_BULLET = re.compile(
    r"\s*(?:\[?(?:\d+[/.-]\d+(?:[/.-]\d+)?,? )?\d+:\d+(?::\d+)?(?: ?[AaPp][Mm])?\]?\s*(?:-\s+)?)?"
    r"(?:#+\s*)?(?:[-*•>☐☑☒✓✗✅❌]\s+)?(?:\[.?\]\s*)?"
    r"(?:(?:(?:[Tt]|#|\()?\d{1,3}[.):]?|(?i:turn|tour|zug|runde|round|turno|ronda|suggestion|guess)\s*"
    r"#?\d+)\s*[-:.,\u2013\u2014]?\s+)?"
)
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u26ff\u20e3]")
_HEAD = re.compile(
    r"(?P<who>[^\W\d_][\w .'()-]{0,30}?)\s*(?::|[-=]?>|=|→|[-\u2013\u2014](?=\s)|\s{2})\s*(?=\S)"
)
_STOP = re.compile(
    rf"\s{{2,}}|\s*:\s*|\s*(?:[-=]?>|→|\s[-\u2013\u2014]\s)\s*|\?\s+|\s+[(\[]|{terms.STOPS}"
)
"""What may follow the cards of a suggestion."""
_ARROW = re.compile(r"\s*(?:[-=]?>|→|\s[-\u2013\u2014]\s)\s*")

_HAS_NOT = r"hasn't(?:\s+got)?|does(?:n't|\s+not)\s+have|lacks|without"
_NOT = rf"(?:has\s+)?(?:not|no|neither|nor|{_HAS_NOT})(?:\s+|:\s*)"
_ONE_OF = r"(?:has\s+)?(?:at least\s+)?(?:1|one|either)(?:\s+of)?(?:\s+|:\s*)"
_HAS = r"(?:has|have|holds|had|got|ha)(?:\s+|:\s*)"
_CLAUSES = re.compile(
    rf"(?i)(?:^|[,;!]\s*|{terms.STOPS})(?:(?P<not>{_NOT})|(?P<one>{_ONE_OF})|(?P<has>{_HAS})|^)"
)
_SUBJECT = re.compile(rf"(?i)(?P<who>[^\W\d_][\w .'()-]{{0,30}}?)\s+(?={_NOT}|{_ONE_OF}|{_HAS})")
"""The subject of a sentence, before words such as `has` or `has not`."""
_PREDICATE = re.compile(rf"(?i)(?:{_NOT}|{_ONE_OF}|{_HAS})")

_WAYS = {"called": "type it in other words, or leave it out", "leave": "leave it out?"}
"""What is asked about a line or a row that cannot be read, by the argument that answers it."""


# The entries.

_READ = Suggestion | Knowing | observed.Accusation | observed.Hand | observed.Look | observed.Skip
"""The observations that are read from notes; others are likelier to be misread sentences."""


class EntryCollector:
    """
    Collects the entries that notes describe, in the order of the notes.

    Args:
        table: The table.
        deck: The cards.
        findings: The user's hints. Questions and faults are added to it.

    Attributes:
        table: The table.
        entries: The entries found so far.
        samples: The lines that were read.
    """

    def __init__(self, table: Table, deck: Deck, findings: Findings) -> None:
        self.table = table
        self.deck = deck
        self.findings = findings
        self.people = People(table.seats, table.viewer, findings.hints)
        self.state = TurnState()
        self.open: Suggestion | None = None
        self.entries: list[Entry] = []
        self.samples: list[str] = []
        self.unread: list[tuple[str, str, str, int]] = []  # the arguments of `miss`

    def miss(self, argument: str, reason: str, about: str, row: int) -> None:
        """
        Note a line that cannot be read; later answers do not belong to an earlier suggestion.

        Args:
            argument: The argument of `import_notes` with which the user can mend it.
            reason: Why it cannot be read.
            about: The line, or the name of the row.
            row: The number of the line or row.
        """
        self.unread.append((argument, reason, about, row))
        self.open = None
        self.state = TurnState()

    def ask_unread(self) -> None:
        """
        Ask about the lines that were not read; suggest leaving them out if they are relatively few.
        """
        few = _MANY * len(self.unread) <= len(self.samples)
        for argument, reason, about, row in self.unread:
            guess = (about if argument == "leave" else LEAVE_OUT) if few else ""
            self.findings.ask(argument, f"{reason}; {_WAYS[argument]}", about, guess, row=row)
            self.findings.aside += [reason] if few else []

    def keep(self, told: Observation, text: str, comment: str = "") -> None:
        """
        Add an observation to the entries.

        Args:
            told: The observation.
            text: The text that it was read from, which is added to the samples.
            comment: The comment of the entry.

        Raises:
            NotationError: If it is of a kind that notes hardly ever have, so that it was probably
                misread.
        """
        if not isinstance(told, _READ):
            raise NotationError("not read")
        self.entries.append(Entry(observation=told, comment=comment))
        self.state = self.state.after(told)
        self.open = told if isinstance(told, Suggestion) else None
        self.samples.append(text)

    def add_line(self, text: str) -> None:
        """
        Read and add a line: a suggestion, answers to the last one, or what somebody knows.

        Raises:
            NotationError: If the line cannot be read, or does not say who asks.
        """
        found = readings(text, self.table, self.state, open=self.open)
        told = require_reading(found, text).whole
        if any(each.guessed for each in found):
            raise NotationError("expected the player who asks")
        if any(each.late for each in found):
            self.entries = [each for each in self.entries if each.observation is not self.open]
        self.keep(told, text)

    def reword(self, line: str) -> str:
        """Return a line without brackets, and with the writer's name in place of `I`."""

        def plain(found: re.Match[str]) -> str:
            """
            Return what replaces brackets: the card in them, nothing for `me` or a remark, else no
            change.
            """
            cards = self.deck.cards_in(found[1]) or self.deck.names.candidates(found[1])
            told = cards or _ANSWERED.search(found[1]) or self.people.seats_in(found[1])
            if not told or terms.fold_text(found[1]) in terms.WRITERS:
                return ""
            return found[1] if len(self.deck.names.candidates(found[1])) == 1 else found[0]

        text = re.sub(r"\(([^()]*)\)", plain, line)
        if self.deck.language is not None:
            text = re.sub(_ARTICLES, "", text)
        if self.table.viewer is not None:
            text = re.sub(r"(?i)\b(?:I|moi|ich|yo|je|io|ik|my go)\b", self.table.viewer, text)
        return text


class LineNotes(EntryCollector):
    """
    Reads notes that are lines of text.

    Args:
        texts: The lines.
        table: The table.
        deck: The cards.
        findings: The user's hints. Questions and faults are added to it.
    """

    def __init__(self, texts: Sequence[str], table: Table, deck: Deck, findings: Findings) -> None:
        super().__init__(table, deck, findings)
        self.texts = [text if words_of(text) not in findings.used else "" for text in texts]
        self.section = ""  # the last heading, and whom it names
        self.who = ""

    def read(self) -> str:
        """
        Read the lines; return a short description of what was read.

        If the lines say "I" or "my" and nobody knows yet who wrote them, nothing is read but the
        question whose notes they are is asked.
        """
        hints = self.findings.hints
        lines = [(at, plain_line(self._reworded(text))) for at, text in enumerate(self.texts)]
        own = any({*words_of(line)} & {*terms.WRITERS, "my"} for _, line in lines)
        if self.table.viewer is None and (own or self.findings.hand):
            text = "some lines are about the writer, who plays: whose notes are these?"
            self.findings.ask("viewer", text, choices=self.table.seats)
            return "lines of text"
        for at, line in lines:
            if words_of(line) and not hints.leaves(at, self.texts[at]):
                self._read_line(line, at)
        self.ask_unread()
        if not self.entries:
            expected = "expected lines such as 'Ann: Plum, Rope, Hall - Ben' or 'Ben: Rope'"
            near = [aside for aside in self.findings.aside if aside.endswith("?")]
            self.findings.faults += [f"{expected}; found none", *near]
        return f"{counted(len(self.samples), 'line')} of text"

    def _reworded(self, text: str) -> str:
        """
        Return the line that the user gives in place of a line, or the line with the names they
        give.
        """
        hints, cards = self.findings.hints, self.deck.names
        names: set[str] = set()
        for called, meant in hints.called.items():
            known = self.people.find_certain(meant) or cards.candidates(meant)
            if known and not cards.exact(called):  # a suspect can also be the name of a player
                names |= {called, meant}
        line = hints.meant(text)
        if line != text or not names:
            return line
        ways = sorted(map(re.escape, names), key=len, reverse=True)
        ways = [f"(?i:{way})" if way[1:] else way for way in ways]  # `a` is not the player A
        return re.sub(rf"(?<!\w)(?:{'|'.join(ways)})(?!\w)", lambda way: hints.meant(way[0]), line)

    def _spelt(self, line: str, at: int) -> str:
        """
        Return a line with its misspelt cards corrected, if it then names one of each category.

        `at` is the index of the line.
        """
        parts = [part for told in _STOP.split(line) for part in terms.PARTING.split(told) if part]
        near: dict[str, str] = {}
        for part in (part.removeprefix("the ") for part in parts):
            found = () if self.deck.cards_in(part) else self.deck.names.nearest(part)
            if len(found) == 1 and len(part) > _SHORT:
                near[part] = found[0]
        if self.deck.one_of_each(dict.fromkeys([*self.deck.cards_in(line), *near.values()])):
            for part in near:
                card = self.findings.name(self.deck.names, part, f"line {at + 1}")
                line = line.replace(part, card or part)
        return line

    def _read_line(self, line: str, at: int) -> None:
        """
        Read a line, and add what it says to the entries.

        A line that cannot be read raises no error. If it may be a suggestion, it is noted so that
        the user is asked about it; any other line is added to what was left out.

        Args:
            line: The line, in English words and without its bullet.
            at: The index of the line, from 0.
        """
        where = f"line {at + 1}, '{printable(line)}'"
        struck = _STRUCK.fullmatch(self.findings.hints.meant(self.texts[at])) and _HEAD.match(line)
        try:
            if struck:
                raise NotationError("this row is struck out")
            self._read_statement(line, at)
        except NotationError as error:
            if not struck and (spelt := self._spelt(line, at)) != line:
                self._read_line(spelt, at)
            elif struck or len({*self.deck.cards_in(line)}) >= len(self.deck.edition.category):
                self.miss("called", f"{where}: {error.reason}", self.texts[at].strip(), at + 1)
            else:
                self.findings.aside.append(f"{where}: not read{self._near(line)}")

    def _near(self, line: str) -> str:
        """
        Return a hint for a line that is just a player, a comma and a card; empty for other lines.
        """
        first, _, rest = line.partition(", ")
        for one, two in ((first, rest), (rest, first)):
            if self.people.seat(one) and self.deck.names.exact(two):
                return f"; did you mean '{first}: {rest}'?"
        return ""

    def _read_statement(self, line: str, at: int) -> None:
        """
        Read a line: a suggestion, answers to the last suggestion, facts, or a heading.

        Args:
            line: The line, in English words and without its bullet.
            at: The index of the line, from 0.

        Raises:
            NotationError: If the line cannot be read, or its writer is not certain.
        """
        asks = self.deck.one_of_each(dict.fromkeys(self.deck.cards_in(line)))
        if _DOUBT.search(line) or _THOUGHT.match(line):
            raise NotationError("not certain")
        if self.open is None:
            line = _SHOWED_ME.sub(r"\1: ", line)
        listed = not asks or _PREDICATE.search(_STOP.split(line)[0])
        if self._is_heading(line, at) or (listed and self._add_facts(line)):
            return
        error = NotationError("not read")
        for way in self._wordings(line, asks=asks):
            try:
                self.add_line(way)
            except NotationError as refused:
                error = refused
            else:
                return
        raise error

    def _wordings(self, line: str, *, asks: bool) -> Iterator[str]:
        """
        Yield the wordings of a line to try: as written, then without what need not be said.

        `asks` tells whether the line names the cards of a suggestion, and so may be one.
        """
        text = self.reword(line)
        before, *behind = _ARROW.split(text)
        way = f"{before}: {', '.join(behind)}" if behind else text
        yield way
        head = _HEAD.match(text)
        who = self.people.seat(head["who"]) if head else ""
        if head and who:
            text = text[head.end() :]
        elif terms.TURN.search(self.section):
            who = self.who
        if who == self.table.viewer:
            yield text
        if asks:
            parts = [*filter(None, _STOP.split(text))]
            cards, *answers = dropwhile(lambda part: not self.deck.cards_in(part), parts)
            cards = ", ".join(filter(None, terms.PARTING.split(cards)))
        if asks and who:
            yield f"{who} suggests {cards}: {', '.join(answers)}".rstrip(": ")

    # Lists.

    def _is_heading(self, line: str, at: int) -> bool:
        """
        Return whether a line is a heading.

        If it is, remember the player whom it names, because the lines below are about that player.

        Args:
            line: The line, in English words and without its bullet.
            at: The index of the line, from 0.
        """
        name = re.sub(r"['\u2019]s$", "", terms.TURN.sub("", line).strip(" :()"))
        who = self.people.seat(name)
        # `CAT` is a heading, unless the suggestion above is in capitals too.
        capitals = name == who.upper() != who and not "".join(self.samples[-1:]).isupper()
        marked = capitals or _HEADING.match(self.texts[at])
        if (self.open is not None and not marked) or self.deck.cards_in(line):
            return False
        self.who = who
        if self.who or not _HEAD.match(line):
            self.section = f"{line} turn" if terms.NUMBERED.match(self.texts[at]) else line
            self.open = None
            return bool(self.who)
        return False

    def _split_subject(self, line: str) -> tuple[str, str]:
        """
        Split a line into its subject, which is a card or a player, and the rest.

        Both are empty if the line has no subject. Below a heading with a player's name, the player
        is the subject of lines that begin with a word such as `has`.
        """
        if self.who and _PREDICATE.match(line):  # `has: Plum`, below a name
            return self.who, line
        told = _SUBJECT.match(line)
        if told and self.people.find(told["who"]):
            return told["who"], line[told.end() :]
        head = _HEAD.match(line)
        found = self.people.find(head["who"]) if head else None
        if head is None or (found == ENVELOPE and not self.people.find_certain(head["who"])):
            return "", ""
        return head["who"], line[head.end() :]

    def _add_facts(self, line: str) -> bool:
        """Add the facts in a line about a card or a player; return whether there are any."""
        subject, rest = self._split_subject(line)
        holder = self.people.find(subject)
        card = self._card(subject) if subject and holder is None else None
        if holder is None and card is None:
            return False
        facts = facts_in(rest, self._card if card is None else self.people.find_certain)
        holders = [name for sign, names in facts if sign != "lacks" for name in names]
        # No line says that one of two players has a card.
        unread = {"?", "has", "either"} if card is not None and len(holders) > 1 else {"?"}
        known = [(sign, names) for sign, names in facts if sign not in unread]
        if terms.is_unsure(self.section) or terms.denies(self.section) or not known:
            return False
        told = {card, *(name for _, names in known for name in names)}
        if self.open is not None and told & {*self.open.cards}:
            raise NotationError("not read")
        viewer = self.table.viewer
        if viewer is None and not self.findings.hints.viewer:
            text = f"'{printable(line)}': whose notes are these?"
            self.findings.ask("viewer", text, choices=(*self.table.seats, SPECTATOR))
            return True
        self.samples.append(line)
        if known != facts or "(" in rest:
            self.findings.aside.append(f"words after '{printable(subject)}'")
        for sign, names in known:
            field = "lacks" if sign == "lacks" else "has"
            single = card is not None or sign == "has"
            for each in [(name,) for name in names] if single else [names]:
                who, cards = (holder, each) if card is None else (each[0], (card,))
                fact: Observation | None = None
                if viewer is not None:
                    fact = Knowing(by=viewer, holder=str(who), **{field: cards})
                elif sign == "has":
                    fact = public_fact(self.table, str(who), cards[0])
                if fact is not None:
                    self.entries.append(Entry(observation=fact))
                else:
                    words = f"words after '{printable(subject)}'"
                    self.findings.aside.append(f"{words}, {NOT_PUBLIC}")
        return True

    # Names.

    def _card(self, text: str) -> str | None:
        """
        Return the card that a text names; `None` if it names no single card.

        The user is asked to confirm a misspelt name.
        """
        names = self.deck.names
        meant = text if self.deck.language is None else re.sub(_ARTICLES, "", text)
        if len(found := names.exact(meant)) == 1:
            return found[0]
        odd = re.search(r"[^\w\s.'\u2019-]|\s-", meant) or self.deck.cards_in(meant)
        near = names.candidates(meant)
        if not near and not odd and len(meant) > _SHORT:
            near = names.nearest(meant)
        if len(near) != 1 or len(meant) < 3:
            return None
        return self.findings.name(names, text, "a line")


# Single lines.


def plain_line(text: str) -> str:
    """
    Return a line in English words, without its bullet, number and formatting.

    >>> plain_line("- [x] *Knife* - Earl"), plain_line("## 3. Ann"), plain_line("Turn 2 - Ben: no")
    ('Knife - Earl', 'Ann', 'Ben: no')
    """
    text = re.sub(r"(?<!\w)[*_]{1,3}(\S.*?)[*_]{1,3}(?!\w)", r"\1", text)
    head, separator, told = re.split(r"(:\s|\s[-\u2013\u2014=]\s|$)", text, maxsplit=1)
    # An emoji behind a name is a doubt.
    text = _EMOJI.sub("", head) + separator + _EMOJI.sub("?", told)
    text = re.sub(r"(?:\s*,)+\s*", ", ", text).rstrip(", ")
    text = re.sub(r"~~(.*?)~~", r"\1:", text.strip("= "))
    text = re.sub(r"\s*\.{3,}\s*(?=\S)", ": ", text)
    text = _BULLET.sub("", text.translate(terms.SIGNS), count=1).strip()
    text = re.sub(r"(?i)\byes\b\s*(?:[-\u2013:,]\s*(?=\w)|\((\w[^()]*)\))", r"shows \1", text)
    return _FILLERS.sub("", terms.in_english(text)).strip()


def facts_in(text: str, find: Callable[[str], str | None]) -> list[tuple[str, tuple[str, ...]]]:
    """
    Return the facts in a list such as `Ben, not Ann or Cat` or `no Plum, 1 of Rope / Hall`.

    A fact is a sign and names. The sign is `has`, `lacks`, `either`, or `?` if it is unclear.
    `find` returns the name that a text means, or `None`.

    >>> names = {"Ann": "Ann", "Ben": "Ben", "Cat": "Cat"}
    >>> facts_in("Ben (turn 3), not Ann", names.get)
    [('has', ('Ben',)), ('lacks', ('Ann',))]
    >>> facts_in("Ann, Ben or Cat", names.get)
    [('either', ('Ann', 'Ben', 'Cat'))]
    """
    facts: list[tuple[str, tuple[str, ...]]] = []
    text = re.sub(r"\(.*?\)|\[.*?\]", lambda aside: "?" if terms.is_unsure(aside[0]) else "", text)
    text = text.strip(" !.")
    for sign, said in (("✓", "has"), ("✗", "lacks")):
        text = re.sub(rf"([^,;/✓✗?\s][^,;/✓✗?]*?)\s*{sign}", rf", {said} \1, ", text)
    clauses = [*_CLAUSES.finditer(text)]
    for clause, after in zip(clauses, [*clauses[1:], None], strict=True):
        stated = text[clause.end() : after.start() if after else len(text)]
        stated = re.sub(r"(?i)\s+(?:has|got|holds)(?:\s+it)?$", "", stated)  # `Ann has it`
        if not stated.strip(" ?-+") or re.fullmatch(r"(?i)unknown|nobody", stated):
            continue
        found: list[str | None] = [None]
        if not terms.is_unsure(stated):
            found = [find(name) for name in map(str.strip, terms.LISTED.split(stated)) if name]
        known = tuple(name for name in found if name)
        choice = bool(re.search(r"\bor\b", stated))
        whole = not re.search("[,;]", stated) or re.match(
            _HAS_NOT, clause["not"] or "", re.IGNORECASE
        )
        sign = "has"
        if clause["not"]:  # `no Plum, Rope` can be either
            sign = "lacks" if choice or whole or "nor" in stated else "?"
        elif (clause["one"] or choice) and len(known) > 1:
            sign = "either"
        elif clause["one"] or "/" in stated:
            sign = "?"
        facts.append((sign if len(known) == len(found) else "?", known))
    return facts
