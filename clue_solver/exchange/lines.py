"""
Reads notes that are sentences. The notation has to understand every word of a line.

A line can be a suggestion, an answer, or a list of what is known about a card or a player. The
lines below a heading with a player's name are about that player.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile

from clue_solver.errors import NotationError, counted, printable
from clue_solver.exchange import terms
from clue_solver.exchange.mapping import LEFT, Findings, ImportQuestion
from clue_solver.exchange.names import Deck, People
from clue_solver.exchange.sentences import (
    ARROW,
    HEAD,
    PREDICATE,
    STOP,
    TOLD,
    facts_in,
    plain_line,
)
from clue_solver.notation import TurnState, readings
from clue_solver.notation.names import words_of
from clue_solver.record import Entry
from clue_solver.rules.observations import (
    Accusation,
    Hand,
    Knowing,
    Look,
    Observation,
    Skip,
    Suggestion,
)
from clue_solver.rules.table import ENVELOPE, Table

_HEADING = re.compile(r"\s*(?:#|=|\*\*)|.*(?::\**\s*$|\bturn\b|\bgo\b)|[^a-z]+$", re.IGNORECASE)
_LISTS = re.compile(r"(?i)^(?:mine|my cards|my hand)\b|\b(?:ha[sv]e?|had|holds?|know\w*)\b")
"""Words in a heading above lists of what players have."""
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
# The entries.


class EntryCollector:
    """
    Collects the entries that notes describe, in the order of the notes.

    Attributes:
        table: The table.
        entries: The entries found so far.
        what: A short description of what was read, such as `12 lines of words`.
        samples: The lines that were read.
    """

    def __init__(self, table: Table, deck: Deck, findings: Findings) -> None:
        self.table = table
        self.deck = deck
        self.findings = findings
        self.hints = findings.hints
        self.people = People(table.seats, table.viewer, self.hints)
        self.what = ""
        self.state = TurnState()
        self.open: Suggestion | None = None
        self.entries: list[Entry] = []
        self.samples: list[str] = []
        self.unread: list[ImportQuestion] = []

    def miss(self, argument: str, text: str, about: str, row: int) -> None:
        """Note a line that cannot be read; later answers do not belong to an earlier question."""
        self.unread.append(ImportQuestion(argument, text, about, row=row))
        self.open = None
        self.state = TurnState()

    def ask_unread(self) -> None:
        """Ask about the lines that were not read, or suggest to leave out a few of many."""
        few = _MANY * len(self.unread) <= len(self.samples)
        for each in self.unread:
            guess = (each.about if each.argument == "leave" else LEFT) if few else ""
            self.findings.ask(each.argument, each.text, each.about, guess, row=each.row)
            self.findings.aside += [each.text.rpartition(";")[0]] if few else []

    def keep(self, told: Observation, text: str, comment: str = "") -> None:
        """Add an observation to the entries, and its line to the samples."""
        if not isinstance(told, Suggestion | Accusation | Hand | Knowing | Look | Skip):
            raise NotationError("not read")
        self.entries.append(Entry(observation=told, comment=comment))
        self.open = None
        if isinstance(told, Suggestion | Accusation | Skip):
            self.state = self.state.after(told)
            self.open = told if isinstance(told, Suggestion) else None
        self.samples.append(text)

    def answer(self, text: str) -> None:
        """Read answers to the last suggestion, or what somebody knows."""
        found = readings(text, self.table, self.state, open=self.open)
        if any(each.guessed for each in found):
            raise NotationError("expected who asks")
        late = [each for each in found if each.late and each.observation is not None]
        if len(late) == 1 and self.open is not None:
            self.entries = [each for each in self.entries if each.observation is not self.open]
            self.keep(late[0].whole, text)
            return
        (told,) = [each.observation for each in found][:1]
        if len(found) != 1 or not isinstance(told, Knowing | Suggestion | Accusation | Look | Skip):
            raise NotationError("not read")
        self.keep(told, text)

    def reword(self, line: str) -> str:
        """Return a line without brackets, and with the writer's name in place of `I`."""

        def plain(found: re.Match[str]) -> str:
            """Return a card without its brackets, or an empty text for a word such as `me`."""
            if terms.fold_text(found[1]) in terms.WRITERS:
                return ""
            return found[1] if len(self.deck.names.candidates(found[1])) == 1 else found[0]

        text = re.sub(r"\(([^()]*)\)", plain, line)
        if self.deck.language is not None:
            text = re.sub(_ARTICLES, "", text)
        if self.table.viewer is not None and not self.people.names.exact("I"):
            text = re.sub(r"(?i)\b(?:I|moi|ich|yo|je|io|ik|my go)\b", self.table.viewer, text)
        return text


class LineNotes(EntryCollector):
    """
    Reads notes that are lines of words.

    Args:
        texts: The lines.
        table: The table.
        deck: The cards.
        findings: The user's hints. Questions and faults are added to it.
        listed: Whether the lines are a list of cards and their holders.
    """

    def __init__(
        self,
        texts: Sequence[str],
        table: Table,
        deck: Deck,
        findings: Findings,
        *,
        listed: bool = False,
    ) -> None:
        super().__init__(table, deck, findings)
        self.listed = listed
        self.texts = [text if words_of(text) not in findings.heard else "" for text in texts]
        lines = [(at, plain_line(self.hints.meant(text))) for at, text in enumerate(self.texts)]
        lines = [(at, line) for at, line in lines if words_of(line)]
        own = (
            any(set(words_of(line)) & {*terms.WRITERS, "my"} for _, line in lines)
            or self.hints.hand
        )
        if table.viewer is None and own:
            text = "some lines are the writer's own: whose notes are these?"
            findings.ask("viewer", text, choices=table.seats)
            return
        self.section = ""  # the last heading, and whom it names
        self.who = ""
        for at, line in lines:
            if not self.hints.leaves(at, self.texts[at]):
                self._read_line(line, at)
        self.ask_unread()
        self.what = f"{counted(len(self.samples), 'line')} of words"
        if not self.entries:
            findings.faults.append("expected lines that can be read; found none")

    def _read_line(self, line: str, at: int) -> None:
        """Read one line, whole or sentence by sentence. Ask about a line that cannot be read."""
        where = f"line {at + 1}, '{printable(line)}'"
        struck = _STRUCK.fullmatch(self.hints.meant(self.texts[at])) and HEAD.match(line)
        try:
            if struck:
                raise NotationError("it is struck out")
            self._read_sentences(line, at, where)
        except NotationError as error:
            if struck or self._asks(line):
                text = f"{where}: {error.reason}; say it again, or leave it out"
                self.miss("called", text, self.texts[at].strip(), at + 1)
            else:
                self.findings.aside.append(f"{where}: not read")

    def _read_sentences(self, line: str, at: int, where: str) -> None:
        """Read a line as a whole, or else each of its sentences."""
        try:
            self._read_statement(line, at)
        except NotationError:
            sentences = [part for part in re.split(terms.STOPS, line) if part]
            if len(sentences) == 1:
                raise
            before = len(self.entries)
            for sentence in sentences:
                try:
                    self._read_statement(sentence, at)
                except NotationError:
                    names = map(self.people.seat, words_of(sentence))
                    if self.open is not None or any(names) or self.deck.cards_in(sentence):
                        del self.entries[before:]
                        raise
                    self.findings.aside.append(f"{where}: '{printable(sentence)}' not read")

    def _asks(self, line: str) -> bool:
        """Whether a line looks like a suggestion, with one card of each category."""
        listed = self.listed or _LISTS.search(self.section)
        return not listed and self.deck.one_of_each(dict.fromkeys(self.deck.cards_in(line)))

    def _read_statement(self, line: str, at: int) -> None:
        """Read a suggestion, answers to the last suggestion, facts, or a heading."""
        asks = self._asks(line)
        if asks and not self.people.seat(words_of(line)[-1]):
            line = line.rstrip(" ?")  # who asks may write a question
        if _DOUBT.search(line) or _THOUGHT.match(line):
            raise NotationError("not certain")
        if self.open is None:
            line = _SHOWED_ME.sub(r"\1: ", line)
        listed = not asks or PREDICATE.search(STOP.split(line)[0]) or TOLD.match(line)
        if self._is_heading(line, at) or (listed and self._add_facts(line)):
            return
        error = NotationError("not read")
        for way in self._wordings(line, asks=asks):
            try:
                self.answer(way)
            except NotationError as refused:
                error = refused
            else:
                return
        raise error

    def _wordings(self, line: str, *, asks: bool) -> Iterator[str]:
        """Yield the wordings of a line to try: as written, and as a suggestion in short."""
        text = self.reword(line)
        before, *behind = ARROW.split(text)
        way = f"{before}: {', '.join(behind)}" if behind else text
        yield way
        yield _FILLERS.sub("", way)
        head = HEAD.match(text)
        who = self.people.seat(head["who"]) if head else ""
        if head and who:
            text = text[head.end() :]
        elif terms.TURN.search(self.section):
            who = self.who
        if who == self.table.viewer:
            yield text
        if asks and who:
            parts = [*filter(None, STOP.split(text))]
            cards, *answers = dropwhile(lambda part: not self.deck.cards_in(part), parts)
            cards = ", ".join(filter(None, terms.PARTING.split(cards)))
            yield f"{who} suggests {cards}: {', '.join(answers)}".rstrip(": ")

    # Lists.

    def _is_heading(self, line: str, at: int) -> bool:
        """Return whether a line is a heading; note the player that the lines below are about."""
        if self.deck.cards_in(line) or (
            self.open is not None and not _HEADING.match(self.texts[at])
        ):
            return False
        name = re.sub(r"['\u2019]s$", "", terms.TURN.sub("", line).strip(" :"))
        name = re.sub(r"^\((.*)\)$", r"\1", name)
        name = re.sub(r"(?i)^my$", "me", name)
        self.who = self.people.seat(name) if len(name.split()) < 4 else ""
        if self.who or not HEAD.match(line):
            self.section = f"{line} turn" if terms.NUMBERED.match(self.texts[at]) else line
            self.open = None
            return bool(self.who)
        return False

    def _split_subject(self, line: str) -> tuple[str, str]:
        """Split a line into its subject, a card or a player, and the rest; empty if none."""
        if self.who and PREDICATE.match(line):  # `has: Plum`, below a name
            return self.who, line
        told = TOLD.match(line)
        if told and self.people.find(told["who"]):
            return told["who"], line[told.end() :]
        head = HEAD.match(line)
        if head is None:
            return "", ""
        if self.people.find(head["who"]) == ENVELOPE and not self.people.find_certain(head["who"]):
            return "", ""
        return head["who"], line[head.end() :]

    def _add_facts(self, line: str) -> bool:
        """Add the facts that a line states about a card or a player; return whether it does."""
        subject, rest = self._split_subject(line)
        holder = self.people.find(subject) if subject else None
        card = self._card(subject) if subject and holder is None else None
        if holder is None and card is None:
            return False
        rest = _FILLERS.sub("", rest)
        facts = facts_in(rest, self._card if card is None else self._holder)
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
        if viewer is None:
            text = f"'{printable(line)}': whose notes are these?"
            self.findings.ask("viewer", text, choices=self.table.seats)
            return True
        self.samples.append(line)
        if known != facts or "(" in rest:
            self.findings.aside.append(f"words behind '{printable(subject)}'")
        for sign, names in known:
            field = "lacks" if sign == "lacks" else "has"
            single = card is not None or sign == "has"
            for each in [(name,) for name in names] if single else [names]:
                who, cards = (holder, each) if card is None else (each[0], (card,))
                fact = Knowing(by=viewer, holder=str(who), **{field: cards})
                self.entries.append(Entry(observation=fact))
        return True

    # Names.

    def _holder(self, name: str) -> str | None:
        """Return the holder that a text names. In a list of holders, ask about an unknown word."""
        found = self.people.find(name)
        if found == ENVELOPE and not self.people.find_certain(name):  # a sign, or `unknown`
            return None
        if (
            found is not None
            or not self.listed
            or " " in name
            or terms.fold_text(name) in terms.WRITERS
        ):
            return found
        return self.findings.name(self.people.names, name, "the column of holders")

    def _card(self, text: str) -> str | None:
        """Return the card that a text names; ask about a misspelt one."""
        names, meant = self.deck.names, self.hints.meant(text)
        if self.deck.language is not None:
            meant = re.sub(_ARTICLES, "", meant)
        if len(found := names.exact(meant)) == 1:
            return found[0]
        odd = re.search(r"[^\w\s.'\u2019-]|\s-", meant) or self.deck.cards_in(meant)
        near = names.candidates(meant)
        if not near and not odd and len(meant) > _SHORT:
            near = names.nearest(meant)
        if len(near) != 1 or len(meant) < 3 or len(meant.split()) > 3:
            return None
        return self.findings.name(names, text, "a line")
