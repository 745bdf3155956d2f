"""
Lines of words as a player would say them, which the notation reads: every word of one, or none.

Besides suggestions and answers there are lists: what is known of a card, or of a player.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.errors import NotationError, counted, printable
from clue_solver.exchange.facts import STOPS, Facts, facts_in
from clue_solver.exchange.mapping import (
    ACCUSES,
    PARTING,
    SIGNS,
    SURE_ENVELOPES,
    WRITERS,
    Deck,
    Findings,
    People,
    Question,
    denies,
    folded,
    is_unsure,
    spelt,
    table_of,
)
from clue_solver.notation import TurnState, parse_line, readings
from clue_solver.notation.names import words_of
from clue_solver.rules.observations import Accusation, Hand, Knowing, Observation, Suggestion
from clue_solver.rules.table import ENVELOPE, Table

HAND = re.compile(
    r"(?i)(?:^|[-;.,:]\s)\W*(?:(?:my|our|meine|mes|mis|mijn|le mie)\s+(?:own\s+)?"
    r"(?:cards?|hand|karten|cartes|cartas|kaarten|carte)|hand(?=:)|mine(?=\s*[:=])|i\s+(?:have|hold|was\s+dealt|was\s+given))"
    r"\s*(?:are\b|is\b)?\s*[:=,]?\s*(.+)"
)
_LISTED = re.compile(r"\s*(?:,|;|/|&|\band\b)\s*")
_BULLET = re.compile(
    r"\s*(?:\[?(?:\d+[/.-]\d+(?:[/.-]\d+)?,? )?\d+:\d+(?::\d+)?(?: ?[AaPp][Mm])?\]?\s*(?:-\s+)?)?"
    r"(?:#+\s*)?(?:[-*•>☐☑☒✓✗✅❌]\s+)?(?:\[.?\]\s*)?"
    r"(?:(?:(?:[Tt]|#|\()?\d{1,3}[.):]?|(?i:turn|tour|zug|runde|round|turno|ronda)\s*\d+)"
    r"\s*[-:.,\u2013\u2014]?\s+)?"
)
_HEAD = re.compile(
    r"(?P<who>[^\W\d_][\w .'()-]{0,30}?)\s*(?::|[-=]?>|=|→|[-\u2013\u2014](?=\s))\s*(?=\S)"
)
_VERB = re.compile(
    r"(?P<who>[^\W\d_][\w .'()-]{0,30}?)\s*\b(?:ask|suggest|guess|accus)\w*(?: \w+:|:)?",
    re.IGNORECASE,
)
_STOP = re.compile(
    rf"\s{{2,}}|\s*:\s*|\s*(?:[-=]?>|→|\s[-\u2013\u2014]\s)\s*|\?\s+|\s+[(\[]|{STOPS}"
)
"""What stands behind the cards of a question."""
_ARROW = re.compile(r"\s*(?:[-=]?>|→|\s[-\u2013\u2014]\s)\s*")
_LISTS = re.compile(r"(?i)^(?:mine|my cards|my hand)\b|\b(?:ha[sv]e?|had|holds?|know\w*)\b")
"""What stands above lists of what players have."""
_UNSURE = re.compile(r"\w\s*\?\)?$")
"""A name with a question mark: nobody is sure of it."""

_WORDS = {
    "Miss": r"ms\.?(?= )",
    "nobody": "niemand|keiner|personne|nadie|nessuno",
    "shows me": "me montre|m.a montré|zeigte? mir|me (?:muestra|mostró|enseña|enseñó)(?: a)?",
    "shows": "montre|a montré|zeigte?|muestra|mostró|enseña|enseñó",
    "has": "hat|habe|tiene|tengo",
}
"""What answers are called in other languages, by what the notation calls them."""
_ARTICLES = r"(?i)\b(?:le|la|les|der|die|das|den|el|los|las|il|lo|het|o|a)\s+|\bl['\u2019]"
"""What stands before cards in other languages."""


_SHORT = 5
"""How many letters a word has at most that is not taken for a misspelt card: `nope` is no rope."""
_STRUCK = re.compile(r"\W*~~.*~~\W*")
"""A line that is struck out, as Markdown has it."""
_NO_ASKERS = {("my",), ("our",), ("next",), ("final",), ("best",), ("to",), ("will",), ("should",)}
"""What stands before `guess` where nobody asks."""


def plain_line(text: str) -> str:
    """
    Return a line without its bullet, its number and its ornaments, its words in English.

    >>> plain_line("- [x] *Knife* - Earl"), plain_line("## 3. Ann"), plain_line("Turn 2 - Ben: no")
    ('Knife - Earl', 'Ann', 'Ben: no')
    """
    text = re.sub(r"(?<!\w)[*_]{1,3}(\S.*?)[*_]{1,3}(?!\w)", r"\1", text)
    text = re.sub(r"~~(.*?)~~", r"\1:", text.strip("= "))
    text = _BULLET.sub("", text.translate(SIGNS), count=1).strip()
    for english, others in _WORDS.items():
        text = re.sub(rf"(?i)\b(?:{others})\b", english, text)
    return text.strip()


def hear(texts: Sequence[str], deck: Deck, findings: Findings) -> None:
    """
    Take from lines of notes which cards are their writer's, unless a person says it.

    Args:
        texts: The lines that may say so.
        deck: The cards.
        findings: What was said; it is added to.
    """
    said = findings.said
    for text in texts if not said.hand else ():
        match = HAND.search(text.replace("*", ""))
        listed = re.sub(r"\(.*?\)", "", match[1]) if match else ""
        parts = [part for part in _LISTED.split(listed.strip(".:, ")) if part]
        known = [part for part in parts if _is_near(said.meant(part), deck)]
        if len(known) > 1 and 3 * len(known) >= 2 * len(parts):
            cards = [findings.name(deck.names, part, "your cards") or part for part in parts]
            findings.heard.add(text)
            findings.said = replace(said, hand=", ".join(cards))
            return


def _is_near(text: str, deck: Deck) -> bool:
    return len(deck.names.candidates(text) or deck.names.nearest(text)) == 1


class Asked(NamedTuple):
    """A line that asks for cards: who asks, for which, and the answers behind them."""

    who: str
    cards: str
    answers: str


def asking(line: str, deck: Deck) -> Asked | None:
    """Return what a line asks for; `None` if it does not."""
    head = _VERB.match(line) or _HEAD.match(line)
    if head is None or HAND.match(line):
        return None
    stop = _STOP.search(line, head.end() + 1)
    listed = line[head.end() : stop.start() if stop else len(line)]
    listed = re.sub(r"(?i)^\s*(?:about|for|after|was it|(?:if )?it was)\b|[()]", "", listed)
    answers = line[stop.end() :] if stop else ""
    if stop and stop[0].strip() in ("(", "["):
        answers = answers.rstrip(" .)]")
    asked = Asked(head["who"].strip(), listed, answers)
    said = line[: stop.start()] if stop else line
    if re.search(r"(?i)\b(?:not?|or|one of|1 of|has|have)\b", said):  # a list of what somebody has
        return None
    if deck.one_of_each(dict.fromkeys(deck.cards_in(listed))):
        return asked
    names = deck.names
    read = [names.candidates(part) or names.nearest(part) for part in PARTING.split(listed) if part]
    known = [names[0] for names in read if len(names) == 1]
    kinds = {deck.edition.category_of[name] for name in known}
    most = len(deck.edition.category)
    missing = len(read) - len(known)  # one card may be misspelt, in another language more
    whole = len(read) == most == len(kinds) + missing
    whole = whole and missing < (most if deck.language else most - 1) and len(asked.who.split()) < 4
    return asked if whole and not _VERB.match(line) else None


def says_something(line: str, deck: Deck) -> bool:
    """Whether a line asks for cards, or has a card, or a name and cards, beside a sign."""
    head = _HEAD.match(line)
    listed = head is not None and deck.cards_in(line[head.end() :])
    named = head is not None and deck.names.exact(head["who"])
    return bool(listed or named) or asking(line, deck) is not None


class LineNotes:
    """
    What lines of words tell, each as a player would say it.

    Attributes:
        table: The table; `None` if the players are not known.
        told: What the lines tell, in their order.
        samples: The lines that were read.

    Args:
        texts: The lines.
        deck: The cards.
        findings: What was said; what is found is added to it.
        listed: Whether they are a list of cards, each with its holder.
    """

    def __init__(
        self, texts: Sequence[str], deck: Deck, findings: Findings, *, listed: bool = False
    ) -> None:
        self.findings = findings
        self.said = findings.said
        self.deck = deck
        self.listed = listed
        self.told: list[Observation] = []
        self.samples: list[str] = []
        self.table: Table | None = None
        self.lines = [text if text not in findings.heard else "" for text in texts]
        lines = [(at, plain_line(self.said.meant(text))) for at, text in enumerate(self.lines)]
        lines = [(at, line) for at, line in lines if words_of(line)]
        if not self.said.players:
            heads = (head.who for _, line in lines if (head := asking(line, deck)))
            findings.ask_who_plays(heads)
            return
        self.table = table_of(deck, self.said.players, self.said)
        own = any(set(words_of(line)) & WRITERS for _, line in lines) or self.said.hand
        if self.table.viewer is None and own:
            text = "some lines are the writer's own: whose notes are these?"
            findings.ask(Question("viewer", text, choices=self.said.players))
            return
        self.people = People(self.said.players, self.table.viewer, self.said)
        self.state = TurnState()
        self.open: Suggestion | None = None
        self.section = ""
        for at, line in lines:
            if not self.said.leaves(at, self.lines[at]):
                self._read(line, at, self.table)
        if not self.told:
            findings.faults.append("expected lines that can be read; found none")

    @property
    def what(self) -> str:
        """What was read."""
        return f"{counted(len(self.samples), 'line')} of words"

    def _read(self, line: str, at: int, table: Table) -> None:
        """Read one line: a suggestion, answers to the one before, facts, or a heading."""
        where = f"line {at + 1}, '{printable(line)}'"
        cards = [*dict.fromkeys(self.deck.cards_in(line))][: len(self.deck.edition.category)]
        if not cards and not _HEAD.match(line):
            self.section = line
        asked = None if _LISTS.search(self.section) else asking(line, self.deck)
        struck = _STRUCK.fullmatch(self.said.meant(self.lines[at])) and _HEAD.match(line)
        try:
            if _UNSURE.search(line):
                raise NotationError("a question mark: not certain")
            if asked is not None and words_of(asked.who)[-1:] in _NO_ASKERS:
                raise NotationError("a thought of its writer")
            if struck:
                raise NotationError("it is struck out")
            if asked is not None:
                text = self._question(asked, line, where)
                self._keep(parse_line(text, table, self.state), text)
            elif not self._facts(line, table):
                self._sentences(self._spoken(line), table)
        except NotationError as error:
            if asked is not None or struck or self.deck.one_of_each(cards):
                text = f"{where}: {error.reason}; say it again, or leave it out"
                self.findings.ask(Question("called", text, self.lines[at].strip(), row=at + 1))
            else:
                self.findings.aside.append(f"{where}: not read")

    def _question(self, asked: Asked, line: str, where: str) -> str:
        """Return a line that asks as somebody would say it."""
        apart = asked.answers and self.deck.one_of_each(self.deck.cards_in(asked.cards))
        if _VERB.match(line) and (ACCUSES.search(line) or not apart):
            before, *behind = _ARROW.split(self._spoken(line))
            return f"{before}: {', '.join(behind)}" if behind else before
        who = self.people.find(asked.who) or asked.who
        cards = asked.cards
        parts = [part for part in PARTING.split(cards) if part]
        if len(parts) == len(self.deck.edition.category):
            cards = ", ".join(self._card(part, where) or part for part in parts)
        answers = ", ".join(filter(None, _ARROW.split(self._spoken(asked.answers))))
        return f"{who} suggests {cards}" + (f": {answers}" if answers.strip() else "")

    def _sentences(self, text: str, table: Table) -> None:
        """Read a line as a whole, or else each of its sentences."""
        try:
            self._answer(text, table)
        except NotationError:
            parts = [part for part in re.split(STOPS, text) if part]
            if len(parts) < 2:
                raise
            for part in parts:
                self._answer(part, table)

    def _answer(self, text: str, table: Table) -> None:
        """Read the answers to the suggestion before, or what somebody knows."""
        found = readings(text, table, self.state, open=self.open)
        late = [each for each in found if each.late and each.observation is not None]
        if len(late) == 1 and self.open is not None:
            self.told = [each for each in self.told if each is not self.open]
            self._keep(late[0].whole, text)
            return
        (told,) = [each.observation for each in found][:1]
        if len(found) != 1 or not isinstance(told, Knowing | Suggestion | Accusation):
            raise NotationError("not read")
        self._keep(told, text)

    def _keep(self, told: Observation, text: str) -> None:
        """Keep what a line tells; it is a sample of what was read."""
        if not isinstance(told, Suggestion | Accusation | Hand | Knowing):
            raise NotationError("not read")
        self.told.append(told)
        if isinstance(told, Suggestion | Accusation):
            self.state = self.state.after(told)
        self.open = told if isinstance(told, Suggestion) else None
        self.samples.append(text)

    def _apart(self, line: str) -> tuple[str, str]:
        """Return the card, or the player, that a line tells of, and what it says; or nothing."""
        head = _HEAD.match(line)
        if head is None:
            return "", ""
        subject, rest = head["who"], line[head.end() :]
        who, _, says = subject.partition(" ")
        if says and not self.people.find(subject) and self.people.find(who):  # `Ann has: Plum`
            return who, f"{says} {rest}"
        vague = self.people.find(subject) == ENVELOPE and spelt(subject) not in SURE_ENVELOPES
        return ("", "") if vague else (subject, rest)

    def _facts(self, line: str, table: Table) -> bool:
        """Keep the facts behind a card or a player and a sign; return whether there are any."""
        subject, rest = self._apart(line)
        holder = self.people.find(subject) if subject else None
        card = self._card(subject) if subject and holder is None else None
        facts = Facts()
        if card is not None:
            facts = facts_in(rest, self._holder)
            if facts.either or len(facts.has) > 1:  # no line says that one of two players has it
                facts = Facts(lacks=facts.lacks, unread=True)
        elif holder is not None:
            facts = facts_in(rest, self._card)
        doubtful = is_unsure(self.section) or denies(self.section)
        if doubtful or not (facts.has or facts.lacks or facts.either):
            return False
        if self.open is not None and {card, *facts.has, *facts.lacks} & {*self.open.cards}:
            raise NotationError("not read")
        if table.viewer is None:
            text = f"'{printable(line)}': whose notes are these?"
            self.findings.ask(Question("viewer", text, choices=table.seats))
            return True
        self.samples.append(line)
        if facts.unread or "(" in rest:
            self.findings.aside.append(f"words behind '{printable(subject)}'")
        viewer = table.viewer
        if card is not None:
            self.told += [Knowing(by=viewer, holder=seat, has=(card,)) for seat in facts.has]
            self.told += [Knowing(by=viewer, holder=seat, lacks=(card,)) for seat in facts.lacks]
        elif holder is not None:
            most = table.size_bounds()[table.seats.index(viewer)][1]
            if holder == viewer and len(facts.has) >= most:
                self.told.append(Hand(seat=holder, cards=facts.has))
                return True
            each = [*((one,) for one in facts.has), *facts.either]
            self.told += [Knowing(by=viewer, holder=holder, has=cards) for cards in each]
            if facts.lacks:
                self.told.append(Knowing(by=viewer, holder=holder, lacks=facts.lacks))
        return True

    def _holder(self, name: str) -> str | None:
        """Return the holder of a name; in a list of them one word that is none is asked about."""
        found = self.people.find(name)
        if found is not None or not self.listed or " " in name or folded(name) in WRITERS:
            return found
        return self.findings.name(self.people.names, name, "the column of holders")

    def _card(self, text: str, where: str = "") -> str | None:
        """Return the card of a text, asked about if misspelt, or if there has to be one `where`."""
        names, meant = self.deck.names, self.said.meant(text)
        if len(found := names.exact(meant)) == 1:
            return found[0]
        odd = re.search(r"[^\w\s.'\u2019-]|\s-", meant) or self.deck.cards_in(meant)
        near = names.candidates(meant)
        if not near and (where or (not odd and len(meant) > _SHORT)):
            near = names.nearest(meant)
        if not where and (len(near) != 1 or len(meant) < 3 or len(meant.split()) > 3):
            return None
        return self.findings.name(names, text, where or "a line")

    def _spoken(self, line: str) -> str:
        """Return a line as somebody would say it: no brackets, its writer by name."""
        writer = self.table.viewer if self.table is not None else None

        def plain(found: re.Match[str]) -> str:
            """Return a card without its brackets, and nothing for the writer's word."""
            if folded(found[1]) in WRITERS:
                return ""
            return found[1] if len(self.deck.names.candidates(found[1])) == 1 else found[0]

        text = re.sub(r"\(([^()]*)\)", plain, line)
        if self.deck.language is not None:
            text = re.sub(_ARTICLES, "", text)
        if writer is not None and not self.people.names.exact("I"):
            text = re.sub(r"(?i)\b(?:I|moi|ich|yo|je|io|ik|my go)\b", writer, text)
        return text
