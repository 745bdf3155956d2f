"""
Lines of words as a player would say them, which the notation reads: every word of one, or none.

Besides suggestions and answers there are lists: what is known of a card, or of a player.
"""

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from clue_solver.errors import NotationError, counted, printable
from clue_solver.exchange.facts import STOPS, Facts, facts_in
from clue_solver.exchange.mapping import (
    ACCUSES,
    HAND,
    PARTING,
    SIGNS,
    WRITERS,
    Deck,
    Findings,
    People,
    Question,
    denies,
    folded,
    is_unsure,
    table_of,
)
from clue_solver.notation import TurnState, parse_line, parse_names, readings
from clue_solver.notation.names import words_of
from clue_solver.record import Entry
from clue_solver.rules.observations import Accusation, Hand, Knowing, Observation, Suggestion
from clue_solver.rules.table import Table

_SECTIONS = {
    **dict.fromkeys(("doesn't have", "does not have", "hasn't got", "can't have"), "no"),
    **dict.fromkeys(("has", "holds", "have", "got", "yes", "ha", "hat", "tiene", "a"), "has"),
    **dict.fromkeys(("not", "no", "lacks", "hasn't", "has not", "non ha"), "no"),
    **dict.fromkeys(("hat nicht", "no tiene", "n'a pas", "ruled out", "cleared"), "no"),
    **dict.fromkeys(("has one of", "one of", "1 of", "either", "either or"), "1 of"),
}
"""What stands before the cards of the player above, by what it says of each."""
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
_LISTS = re.compile(
    r"(?i)^(?:not|no|maybe|mine|my cards|my hand)\b|\b(?:ha[sv]e?|had|holds?|know\w*)\b"
)
"""What stands above lists of what players have or have not."""
_LISTED = re.compile(r"(?i)\b(?:has|have|holds?|known?|one of|1 of|either)\b")
"""What stands above lists in a table of what each player has."""
_VAGUE = re.compile(
    r"(?i)\W*(?:unknown|missing|hidden|secret|middle|cent(?:er|re)|pile|open|left)\b"
)
"""What people write of the envelope, or of cards that may be anywhere."""
_SIGNED = re.compile(r"\s*([+?-])\s+(.*)")
_OWNS = re.compile(r"(?i)\b(?:has|have|holds?|lacks)\b|n't\b|\bis in the\b|\bshow(?:s|ed) me\b")
"""What a sentence says of who has a card."""
_UNSURE = re.compile(r"\w\s*\?\)?$")
"""A name with a question mark: nobody is sure of it."""

_STRUCK = re.compile(r"\W*~~.*~~\W*")
"""A line that is struck out, as Markdown has it."""
_WORDS = {
    "Miss": r"ms\.?(?= )",
    "nobody": "niemand|keiner|personne|nadie|nessuno",
    "nothing": "rien|nichts|nada|niente|niets|nope",
    "yes": "sì|sí|ja|oui|sim",
    "no": "nein|non|nee|não",
    "shows me": "me montre|m.a montré|zeigte? mir|me (?:muestra|mostró|enseña|enseñó)(?: a)?|"
    "mi (?:mostra|fa vedere)|toont mij",
    "I show": "j.ai montré|je montre|ich zeig(?:t)?e|(?:le )?(?:muestro|enseño|enseñé)|mostro",
    "has": "hat|habe|tiene|tengo|heeft|heb",
    "shows": "montre|a montré|zeigte?|muestra|mostró|enseña|enseñó|mostra|fa vedere|toont",
    "suggests": "(?:began|started|opened|went|goes) with|frag(?:e|t|te)(?: nach)?|demande|"
    "pregunt[aó](?: por)?|chiede|vraagt(?: naar)?",
    "": "qualcosa|etwas|algo|quelque chose|iets|una carta|une carte|eine karte|again|then|"
    "next|wieder|nochmal|encore|otra vez|ancora|weer",
}
"""What answers are called in other languages, by what the notation calls them."""
_ARTICLES = r"(?i)\b(?:le|la|les|der|die|das|den|el|los|las|il|lo|het|o|a)\s+|\bl['\u2019]"
"""What stands before cards in other languages."""
_TURN = re.compile(r"(?i)(?:['\u2019]s)?\s*(?:turn|go|asks)?[\s:]*$")
"""What stands behind the name of a player whose turn it is."""
_SAYS = {"has": "has", "lacks": "no", "either-or": "1 of"}
_SIGN_MEANS = {"+": "has", "-": "lacks"}
"""What signs before lists mean that nobody explains."""
_SIGNS = (
    (r":\s*(?:an?\s+)?cards?\b", " shows"),
    (r"\b(\w+)\+(\w+)", r", \1 shows \2"),
    (r"\b(\w+)\+(?!\w)", r", \1 shows"),
    (r"\b(\w+)-(?=\s|,|$)", r", \1 passes"),
)
"""Signs for answers behind a name."""
_NO_ASKERS = {("my",), ("our",), ("next",), ("final",), ("best",), ("to",), ("will",), ("should",)}
"""What stands before `guess` where nobody asks."""
_FILLERS = {"with", "in", "the", "and", "a", "w", "using", "mit", "im", "der", "dem"}
"""What stands between cards that are asked for."""
_LONGEST = 500
"""How many characters a line with a suggestion has at most."""


def plain_line(text: str) -> str:
    """
    Return a line without its bullet, its number and its ornaments, its words in English.

    >>> plain_line("- [x] *Knife* - Earl"), plain_line("## 3. Ann"), plain_line("Turn 2 - Ben: no")
    ('Knife - Earl', 'Ann', 'Ben: no')
    """
    text = re.sub(r"\s*(?:[._·]{3,}|…+)\s*", ": ", text)  # a card, dots, and its holder
    text = re.sub(r"(?<!\w)[*_]{1,3}(\S.*?)[*_]{1,3}(?!\w)", r"\1", text)
    text = re.sub(r"[\U0001F300-\U0001FAFF]", "", text)
    text = re.sub(r"~~(.*?)~~", r"\1:", text.strip("= "))
    text = _BULLET.sub("", text.translate(SIGNS), count=1).strip()
    for english, others in _WORDS.items():
        text = re.sub(rf"(?i){'' if english else ' ?'}\b(?:{others})\b", english, text)
    text = re.sub(r"(?i)^my (?:turn|go)(?=\s*:)", "Me", text)
    text = re.sub(r"(?i)^([^\W\d_]+)['\u2019]s (?:turn|go)(?=\s*:)", r"\1", text)
    text = re.sub(r"(?i)\b(?:said|thought) (.+?) did it\b", r"suggests \1", text)
    text = re.sub(r"(?i)\b(?:shown|disproved|refuted|answered) by (\w+):?", r"\1 shows", text)
    return text.strip()


def with_hand_below(texts: Sequence[str], deck: Deck) -> list[str]:
    """Return lines, the cards below `My cards` on the line above them."""
    lines: list[str] = []
    hand = -1
    for text in texts:
        parts = [part for part in PARTING.split(plain_line(text)) if part]
        if hand >= 0 and parts and all(map(deck.names.exact, parts)):
            lines[hand] += f" {', '.join(parts)},"
            lines.append("")
            continue
        if re.fullmatch(r"(?i)\W*(?:mine|my (?:cards|hand)|hand)\W*", text):
            hand = len(lines)
        elif parts:
            hand = -1
        lines.append(f"{text.strip(' :')}:" if hand == len(lines) else text)
    return lines


class Asked(NamedTuple):
    """A line that asks for cards: who asks, for which, and the answers behind them."""

    who: str
    cards: str
    answers: str


def is_plan(line: str) -> bool:
    """Whether a line that asks for cards is a thought of its writer: `my guess: Plum, Rope`."""
    head = _VERB.match(line) or _HEAD.match(line)
    return head is not None and words_of(head["who"])[-1:] in _NO_ASKERS


def asking(line: str, deck: Deck) -> Asked | None:
    """Return what a line asks for; `None` if it does not."""
    head = _VERB.match(line) or _HEAD.match(line)
    if head is None or HAND.match(line) or len(line) > _LONGEST or is_plan(line):
        return None
    stop = _STOP.search(line, head.end() + 1)
    listed = line[head.end() : stop.start() if stop else len(line)]
    listed = re.sub(r"(?i)^\s*(?:about|for|after|was it|(?:if )?it was)\b|[()]", "", listed)
    answers = line[stop.end() :] if stop else ""
    if stop and stop[0].strip() in ("(", "["):
        answers = answers.rstrip(" .)]")
    asked = Asked(head["who"].strip(), listed, answers)
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


def lines_of(
    rows: Sequence[Sequence[str]], deck: Deck, people: People, kinds: Container[str]
) -> list[str]:
    """
    Return a table of what each player has as lines, or one of sentences; nothing if it is neither.

    The cards stand below the players' names, or beside them, in lists.

    Args:
        rows: The table.
        deck: The cards.
        people: Who plays.
        kinds: What else the table may be, a `pad` or `suggestions`.
    """
    titles, *below = rows or [()]

    def may_play(text: str) -> str | None:
        """Return the player that a text names; if nobody knows who plays, any text but a card."""
        if not people.names.names:
            return text if text and not deck.cards_in(text) else None
        return people.find(text) if text else None

    named = [at for at, title in enumerate(titles) if may_play(title) and not _VAGUE.match(title)]
    cells = [(titles[at], row[at]) for row in below for at in named if row[at]]
    log, pad = "suggestions" in kinds, "pad" in kinds
    if not log and named[1:] and cells and all(deck.names.exact(cell) for _, cell in cells):
        return [f"{title}: {cell}" for title, cell in cells]
    rows = [row for row in below if may_play(row[0])]
    once = len({may_play(row[0]) for row in rows}) == len(rows) > 1
    listed = [title for title in titles[1:] if _LISTED.search(title) or denies(title)]
    if once and (listed or (not log and "cards" in map(folded, titles))):
        return [
            f"{row[0]} {_section(title)}: {cell}"
            for row in rows
            for title, cell in zip(titles[1:], row[1:], strict=True)
            if cell
        ]
    texts = [" ".join(filter(None, row)) for row in (titles, *below)]
    told = [
        text for text in texts if not log and not pad and says_something(plain_line(text), deck)
    ]
    return texts if told[1:] else []


def are_signed(texts: Sequence[str]) -> bool:
    """Whether lines have signs for what a player has and has not: `+ Plum`, `- Rope`."""
    return any(text.lstrip().startswith("+ ") for text in texts)


def _section(title: str) -> str:
    """Return what a title says of the cards below it: `has`, `no`, or `1 of`."""
    if re.search(r"(?i)\b(?:1|one|either)\b", title):
        return "1 of"
    return "no" if denies(title) else "has"


def owns_card(line: str, deck: Deck) -> bool:
    """Whether a sentence says who has a card, or showed it to its writer."""
    first = re.split("[,;|\t]", line)[0]
    return bool(_OWNS.search(first) and deck.cards_in(first))


def says_something(line: str, deck: Deck) -> bool:
    """Whether a line asks for cards, or has a card, or a name and cards, beside a sign."""
    if asking(line, deck) is not None:
        return True
    cards, others = deck.cards_and_words(line)
    if len(cards) > 1 and deck.one_of_each(cards) and _FILLERS.issuperset(others):
        return True
    head = _HEAD.match(line)
    if head is None:
        return owns_card(line, deck)
    return bool(deck.names.exact(head["who"]) or deck.cards_in(line[head.end() :]))


class LineNotes:
    """
    What lines of words tell, each as a player would say it.

    Attributes:
        table: The table; `None` if the players are not known.
        told: What the lines tell, in their order.
        samples: The lines that were read.
    """

    def __init__(
        self, texts: Sequence[str], deck: Deck, findings: Findings, *, beside: bool = False
    ) -> None:
        self.findings = findings
        self.said = findings.said
        self.deck = deck
        self.beside = beside
        self.told: list[Entry | Hand | Knowing] = []
        self.samples: list[str] = []
        self.table: Table | None = None
        self.lines = [text if text not in findings.heard else "" for text in texts]
        signed = are_signed(self.lines)
        self.signs = {**_SIGN_MEANS, **self.said.marks}
        lines = [
            (at, self._signed(text) if signed and _SIGNED.match(text) else plain_line(text))
            for at, text in enumerate(map(self.said.meant, self.lines))
        ]
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
        self.head = ""
        self.section = ""
        for at, line in lines:
            if not self.said.leaves(at, self.lines[at]):
                if not _HEAD.match(line) and not self.deck.cards_in(line):
                    plain = 0 < len(words_of(line)) < 6 and not self.people.find(line.split()[0])
                    self.section = line if plain else ""
                self._read(line, at, self.table)
        if not self.told and not beside:
            findings.faults.append("expected lines that can be read; found none")

    @property
    def what(self) -> str:
        """What was read."""
        return f"{counted(len(self.samples), 'line')} of words"

    def _signed(self, text: str) -> str:
        """Return a line behind a sign with the word for what the sign means."""
        sign, cards = re.findall(_SIGNED, text)[0]
        means = self.signs.get(sign, "")
        question = f"what does '{sign}' mean before cards?"
        self.findings.ask(Question("marks", question, sign, means, tuple(_SAYS)))
        return f"{_SAYS[means]}: {cards}" if means in _SAYS else ""

    def _read(self, line: str, at: int, table: Table) -> None:
        """Read one line: a suggestion, answers to the one before, facts, or whose turn it is."""
        where = f"line {at + 1}, '{printable(line)}'"
        short = len(words_of(line)) < 4 and not self.deck.cards_in(line)
        turn = self.people.find(_TURN.sub("", line)) if short else None
        if turn is not None:
            self.head = turn
            return
        asked = None if _LISTS.search(self.section) else asking(line, self.deck)
        if asked is not None and self.beside and not self.people.find(asked.who):
            asked = None  # a sentence beside a table
        if asked is not None and _STRUCK.fullmatch(self.lines[at]):
            self.findings.aside.append(f"{where}: struck out")
            return
        if asked is not None and self.head and re.match(r"(?i)(?:ask|guess|sugg)", asked.who):
            asked = asked._replace(who=self.head)
        listed, others = self.deck.cards_and_words(line)
        cards = [*dict.fromkeys(listed)][: len(self.deck.edition.category)]
        plain = _FILLERS.issuperset(others)
        if asked is None and self.head and plain and self.deck.one_of_each(cards):
            asked = Asked(self.head, ", ".join(cards), "")
        try:
            if _UNSURE.search(line):
                raise NotationError("a question mark: not certain")
            if self._facts(line, table, sure=asked is not None):
                return
            if asked is not None:
                self.head = ""
                text = self._question(asked, line, where)
                self._keep(parse_line(text, table, self.state), text)
            elif is_plan(line):
                raise NotationError("not read")
            else:
                self._sentences(self._spoken(line), table)
        except NotationError as error:
            asks = self.deck.one_of_each(cards) and not re.search(
                r"(?i)\b(?:has|have|or|not)\b", line
            )
            asks = asks and not (self.beside or is_plan(line))
            if asked is not None or asks:
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
            joined = re.sub(r"\s+[-\u2013\u2014]\s+", " ", text)
            if joined != text:  # `Ben no, Cat yes - Hall`
                self._sentences(joined, table)
                return
            if len(parts) > 1:
                for part in parts:
                    self._sentences(part, table)
                return
            owns = re.sub(r"(?i)^(.+?) is in the (envelope)$", r"\2: \1", text.strip(" ."))
            owns = re.sub(
                r"(?i)^(\w+) (?:has|have|holds?) (?!either|not|shown|seen|been|asked|to\b)",
                r"\1: ",
                owns,
            )
            if not self._facts(owns, table, sure=False):
                self._answer(owns, table)

    def _answer(self, text: str, table: Table) -> None:
        """Read the answers to the suggestion before, or what somebody knows."""
        found = readings(text, table, self.state, open=self.open)
        late = [each for each in found if each.late and each.observation is not None]
        if len(late) == 1 and self.open is not None:
            self.told.pop()
            self.samples.pop()
            self._keep(late[0].whole, text)
            return
        (told,) = [each.observation for each in found][:1]
        kinds = Knowing if self.beside else (Knowing, Suggestion, Accusation)
        if len(found) != 1 or not isinstance(told, kinds):
            raise NotationError("not read")
        self._keep(told, text)

    def _keep(self, told: Observation, text: str) -> None:
        """Keep what a line tells; it is a sample of what was read."""
        if isinstance(told, Suggestion | Accusation):
            before = () if self.told else ("",)
            self.told.append(Entry(observation=told, before=before))
            self.state = self.state.after(told)
        elif isinstance(told, Hand | Knowing):
            self.told.append(told)
        else:
            raise NotationError("not read")
        self.open = told if isinstance(told, Suggestion) else None
        self.samples.append(text)

    def _apart(self, line: str) -> tuple[str, str]:
        """Return the card, or the player, that a line tells of, and what it says; or nothing."""
        for says in sorted(_SECTIONS, key=len, reverse=True):  # `has Plum` below `Ann`
            if self.head and folded(line).startswith(f"{says} "):
                line = f"{self.head} {says}: {line[len(says) :].strip(' :')}"
                break
        beside = re.fullmatch(r"(.+?)\s*\(([^()]+)\)", line)
        if beside and self.deck.names.exact(beside[1]) and self.people.find(beside[2]):
            return beside[1], beside[2]  # `Plum (Ann)`
        shows = re.fullmatch(r"(\w+) (?:shows|showed) me (.+?)[.!]?", line)
        if shows and self.open is None:
            return shows[1], shows[2]
        head = _HEAD.match(line)
        if head is None:
            return "", ""
        subject, rest = head["who"], line[head.end() :]
        for says, word in _SECTIONS.items():  # `Ann has: Plum`, or below her name `has: Plum`
            who = folded(subject).removesuffix(says)
            if who != folded(subject) and (who[-1:] == " " or (self.head and not who)):
                rest = ", ".join(f"{word} {part.strip()}" for part in re.split("[,;]", rest))
                return subject[: len(who)].strip() or self.head, rest
        return subject, rest

    def _facts(self, line: str, table: Table, *, sure: bool) -> bool:
        """
        Keep the facts behind a card or a player and a colon; return whether there are any.

        With `sure` only where every word is read, and it is no list of what was asked for.
        """
        subject, rest = self._apart(line)
        if not subject or _VAGUE.match(subject):
            return False
        facts, holder = Facts(), self.people.find(subject)
        card = None if holder else self._card(subject)
        if card is not None:
            facts = facts_in(rest, self.people.find)
            if len(facts.has) > 1 or _section(self.section) == "no":
                return False
            if facts.either:  # one of two players has it: no line says so
                facts = facts._replace(either=(), unread=True)
        elif holder is not None:
            facts = facts_in(rest, self._card)
            if facts.unread and not facts.lacks:
                facts = Facts(has=self._listed(rest) or facts.has, either=facts.either)
            if _section(self.section) == "no" and not facts.lacks:  # below `Not`
                facts = facts._replace(has=(), lacks=facts.has, unread=bool(facts.either))
        asked = self.open.cards if self.open is not None else ()
        told = {*facts.has, *facts.lacks}
        if not sure and holder and told & {*asked} and len(facts.has) != 1:
            raise NotationError("not read")
        if holder and len(facts.has) == 1 and facts.has[0] in asked and not facts.lacks:
            self._answer(f"{holder} shows {facts.has[0]}", table)
            return True
        if not (facts.has or facts.lacks or facts.either) or is_unsure(self.section):
            return False
        if sure and (facts.unread or not (facts.lacks or facts.either)):
            return False
        if table.viewer is None:
            text = f"'{printable(line)}': whose notes are these?"
            self.findings.ask(Question("viewer", text, choices=table.seats))
            return True
        self.samples.append(line)
        if facts.unread or "(" in rest:
            self.findings.aside.append(f"words behind '{printable(subject)}'")
        if card is not None:
            for seat in facts.has:
                self._know(seat, table.viewer, has=(card,))
            for seat in facts.lacks:
                self._know(seat, table.viewer, lacks=(card,))
            return True
        assert holder is not None
        _, most = table.size_bounds()[table.seats.index(table.viewer)]
        if holder == table.viewer and len(facts.has) >= most:
            self.told.append(Hand(seat=holder, cards=facts.has))
            return True
        for each in facts.has:
            self._know(holder, table.viewer, has=(each,))
        if facts.lacks:
            self._know(holder, table.viewer, lacks=facts.lacks)
        for cards in facts.either:
            self._know(holder, table.viewer, has=cards)
        return True

    def _know(
        self, holder: str, viewer: str, has: tuple[str, ...] = (), lacks: tuple[str, ...] = ()
    ) -> None:
        self.told.append(Knowing(by=viewer, holder=holder, has=has, lacks=lacks))

    def _card(self, text: str, where: str = "") -> str | None:
        """Return the card of a text, asked about if misspelt, or if there has to be one `where`."""
        names, meant = self.deck.names, self.said.meant(text)
        if re.match(r"(?i)(?:not?|nicht|kein\w*|pas)\b", meant):
            return None
        if len(found := names.exact(meant)) == 1:
            return found[0]
        odd = re.search(r"[^\w\s.'\u2019-]|\s-|->", meant) or (
            self.deck.cards_in(meant) and not meant.casefold().endswith((" rm", " rm."))
        )
        plain = where or not odd
        near = names.candidates(meant) or (names.nearest(meant) if plain and len(meant) > 5 else ())
        if not where and (len(near) != 1 or len(meant) < 3 or len(meant.split()) > 3):
            return None
        return self.findings.name(names, text, where or "a line")

    def _listed(self, text: str) -> tuple[str, ...]:
        """Return the cards of a list without commas; none if there is another word."""
        try:
            return () if is_unsure(text) else parse_names(text, self.deck.names)
        except NotationError:
            return ()

    def _unbracketed(self, found: re.Match[str]) -> str:
        """Return a card without its brackets, and nothing for the writer's word."""
        if folded(found[1]) in WRITERS:
            return ""
        return found[1] if len(self.deck.names.candidates(found[1])) == 1 else found[0]

    def _writer(self, found: re.Match[str]) -> str:
        """Return the viewer for a writer's word for themselves, unless a player has that name."""
        return found[0] if self.people.names.exact(found[0]) else self.people.viewer or found[0]

    def _spoken(self, line: str) -> str:
        """Return a line as somebody would say it."""
        text = re.sub(r"\(([^()]*)\)", self._unbracketed, line)
        if self.deck.language is not None:
            text = re.sub(_ARTICLES, "", text)
        for sign, words in _SIGNS:
            text = re.sub(sign, words, text)
        if self.table is not None and self.table.viewer is not None:
            text = re.sub(r"(?i)\b(?:I|moi|ich|yo|je|io|ik|my go)\b", self._writer, text)
        return text
