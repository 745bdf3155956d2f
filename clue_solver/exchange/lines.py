"""
Reads notes that are sentences. The notation has to understand every word of a line.

A line can be a suggestion, an answer, or a list of what is known about a card or a player. The
lines below a heading with a player's name are about that player.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

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
    VERB,
    QuestionParts,
    facts_in,
    plain_line,
    similar_cards,
    split_question,
)
from clue_solver.notation import TurnState, parse_line, readings
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
_HAVING = re.compile(r"(?i)\W*(?:definitely )?(?:has|have|holds?|got|cards)(?: got)?\W*")
_LACKING = re.compile(
    r"(?i)\W*(?:does ?n[o']t|do ?n[o']t|has ?n[o']?t|lacks|not)\b(?: have| got)?\W*"
)
"""Words in a heading above lists of what players do not have."""
_DOUBT = re.compile(r"\w\s*\?\)?$")
"""A name with a question mark, which means that the writer is unsure."""
_FILLERS = re.compile(
    r"(?i)\b(?:in the end|again|then|next|also|first|so|in turn|finally|too|just|now|already|"
    r"earlier|did it)\b,?"
)
"""Words that say nothing about a turn."""
_BEHIND = re.compile(r"(?i)[,;]\s+(?:because|since|as|so|when|after|he|she|they|i)\b.*$")
"""A reason or a remark at the end of a sentence."""
_SHOWED_ME = re.compile(r"(?i)^([\w .]+?) (?:shows|showed|has shown) (?:me|us)\b")
"""A sentence by which a player showed the writer a card, although nobody had asked."""
_OUTCOME = {*terms.RIGHT, *terms.WRONG, "nobody", "nothing", "none", "pass", "passes", "passed"}
_OUTCOME |= {"show", "shows", "showed", "shown", "can", "cant", "couldnt", "had", "has"}
"""Words of a sentence that may say how a turn ended."""
_PRONOUN = re.compile(r"(?i)^(?:he|she|they)\b")
_ARTICLES = r"(?i)\b(?:le|la|les|der|die|das|den|el|los|las|il|lo|het|o|a)\s+|\bl['\u2019]"
"""Articles before the names of cards in other languages."""
_SHORT = 5
"""Words of at most this many letters are never misspelt cards: `nope` is not `rope`."""
_FEW = 3
"""Fewer words than this may precede `I`; fewer lines than this may precede a verdict."""
_MANY = 5
"""Unread lines are left out if at least this many times as many lines were read."""
_SHOWN = re.compile(r"(?<=\w)\+ ?(?=\w)|(?<=\w) ?\+(?=\s*(?:[,;(]|$))")
"""A plus sign after the name of a player who shows a card."""
_SPOKEN = re.compile(r"([^\W\d_][\w .'-]{0,30}?):\s+(.+)")
"""A line of a chat: the speaker and the message."""
_OWN = ("I ", "not me", "got one")
"""How a chat message begins if its speaker writes about themselves."""
_REPLIES = {
    "passes": re.compile(r"(?:sorry )?(?:not me|nope?|(?:i )?(?:cant|cannot|pass)|nothing)"),
    "shows": re.compile(
        r"(?:i )?(?:can|ve got one|got one|have one)|yep|yup|"
        r"shows(?: (?:send|sent|check|look|show)\w*.*)?"
    ),
}
"""How the players answer a question in a chat."""
_STRUCK = re.compile(r"\W*~~.*~~\W*")
"""A line that is struck out in Markdown."""
_NO_ASKERS = {("my",), ("our",), ("next",), ("final",), ("best",), ("to",), ("will",), ("should",)}
"""Words before `guess` which show that the line is not a question."""


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
        self.chat = self._is_chat([line for _, line in lines])
        self.spelling: dict[str, str] = {}  # cards by what they are called here
        self.section = ""  # the last heading, and whom it names
        self.who = ""
        for number, (at, line) in enumerate(lines):
            below = [line for _, line in lines[number + 1 : number + _FEW]]
            if not self.hints.leaves(at, self.texts[at]):
                self._read_line(self._correct(f"{line}{self._verdict(line, below)}", at), at)
        self.ask_unread()
        self.what = f"{counted(len(self.samples), 'line')} of words"
        if table.viewer is not None:
            self._find_hand(table.viewer)
        if not self.entries:
            findings.faults.append("expected lines that can be read; found none")

    def _is_chat(self, lines: Sequence[str]) -> bool:
        """Whether the lines are a chat, in which each line begins with its speaker."""
        found = [spoken.groups() for spoken in map(_SPOKEN.match, lines) if spoken]
        speakers = [self.people.seat(who) for who, _ in found]
        several = {who for who, said in found if self.people.seat(who) and said.startswith(_OWN)}
        return len(several) > 1 or any(2 * speakers.count(who) > len(lines) for who in {*speakers})

    def _find_hand(self, viewer: str) -> None:
        """Replace the writer's own cards by one entry for the hand, if they are a complete hand."""
        known = [(each, each.observation) for each in self.entries]
        own = {
            each: told.has[0]
            for each, told in known
            if isinstance(told, Knowing) and told.holder == viewer and len(told.has) == 1
        }
        least, most = self.table.size_bounds()[self.table.seats.index(viewer)]
        if len(own) >= (least if self.listed else most):
            hand = Entry(observation=Hand(seat=viewer, cards=tuple(own.values())))
            self.entries = [hand, *(each for each in self.entries if each not in own)]

    def _read_line(self, line: str, at: int) -> None:
        """Read one line, whole or sentence by sentence. Ask about a line that cannot be read."""
        line = re.sub(r"\s*\([^()]*\)", self._drop_aside, line)
        spoken = _SPOKEN.match(re.sub(r" \([^()]*\):", ":", line)) if self.chat else None
        if spoken and (who := self.people.seat(spoken[1])) and self._chat_answer(spoken[2], who):
            line = f"{who} {self._chat_answer(spoken[2], who)}"
        elif spoken and who:
            said = re.sub(r"(?i)\b(?:I|me)\b", who, spoken[2])
            before, _, behind = said.partition(who)  # `OK I accuse`
            own = bool(behind) and len(before.split()) < _FEW and not self.deck.cards_in(before)
            other = self.people.seat(said.split()[0])
            line = f"{who}{behind}" if own else said if other else f"{who}: {said}"
        where = f"line {at + 1}, '{printable(line)}'"
        struck = _STRUCK.fullmatch(self.hints.meant(self.texts[at])) and HEAD.match(line)
        try:
            if struck:
                raise NotationError("it is struck out")
            self._read_statement(line, at, where)
        except NotationError as error:
            parts = [part for part in re.split(terms.STOPS, line) if part]
            if len(parts) > 1 and not struck and self._read_sentences(parts, at, where):
                return
            if struck or self._looks_like_question(line):
                text = f"{where}: {error.reason}; say it again, or leave it out"
                self.miss("called", text, self.texts[at].strip(), at + 1)
            else:
                self.findings.aside.append(f"{where}: not read")

    def _read_sentences(self, parts: Sequence[str], at: int, where: str) -> bool:
        """Read the sentences of a line; return whether all that matter were read."""
        subject = ""
        for part in parts:
            full = _PRONOUN.sub(subject, part) if subject else part  # `Joe began. He asked ...`
            try:
                self._read_statement(full, at, where)
            except NotationError:
                if self._looks_like_question(part) or (
                    self.open is not None and _OUTCOME & {*words_of(part)}
                ):
                    return False
                subject = self.people.seat(re.split(r"[\s:]", part)[0])
                self.findings.aside.append(f"{where}: '{printable(part)}' not read")
        return True

    def _looks_like_question(self, line: str) -> bool:
        """Return whether a line looks like a suggestion."""
        cards = [*dict.fromkeys(self.deck.cards_in(line))][: len(self.deck.edition.category)]
        return self.deck.one_of_each(cards) or self._find_question(line, cards) is not None

    def _read_statement(self, line: str, at: int, where: str) -> None:
        """Read a suggestion, answers to the last suggestion, facts, or a heading."""
        cards = [*dict.fromkeys(self.deck.cards_in(line))][: len(self.deck.edition.category)]
        asked = self._find_question(line, cards)
        if asked is not None and not asked.answers and self.deck.one_of_each(cards):
            line = line.rstrip(" ?")  # who asks may write a question
        if _DOUBT.search(line):
            raise NotationError("a question mark: not certain")
        if self.open is None:
            line = _SHOWED_ME.sub(r"\1: ", line)
        if asked is not None and words_of(asked.who)[-1:] in _NO_ASKERS:
            raise NotationError("a thought of its writer")
        if asked is not None:
            self.keep(*self._parse_question(asked, line, where))
        elif not self._is_heading(line, at, cards) and not self._add_facts(line):
            self.answer(self.reword(line))

    # Questions and answers.

    def _find_question(self, line: str, cards: Sequence[str]) -> QuestionParts | None:
        """Return the parts of a suggestion; its player may be named by the heading above."""
        if self.listed or _LISTS.search(self.section):
            return None
        asked = split_question(line, self.deck)
        if asked is not None and self.people.seats_in(asked.cards.strip()):  # who plays
            return None
        known = asked is not None and self.people.find(asked.who) is not None
        if known or not (
            self.who and terms.TURN.search(self.section) and self.deck.one_of_each(cards)
        ):
            return asked
        answers = STOP.split(line, maxsplit=1)[1:] if asked is None else [asked.answers]
        return QuestionParts(self.who, ", ".join(cards), "".join(answers))

    def _parse_question(
        self, asked: QuestionParts, line: str, where: str
    ) -> tuple[Observation, str]:
        """Return the suggestion in a line, and the wording in which it could be read."""
        error = NotationError("not read")
        for way in self._wordings(asked, line, where):
            for said in (way, _FILLERS.sub("", way)):
                try:
                    return parse_line(said, self.table, self.state), way
                except NotationError as refused:
                    error = refused
        raise error

    def _wordings(self, asked: QuestionParts, line: str, where: str) -> Iterator[str]:
        """Yield the wordings of a suggestion to try: first as written, then abbreviated."""
        if VERB.match(line):
            before, *behind = ARROW.split(self.reword(line))
            yield f"{before}: {', '.join(behind)}" if behind else before
            if terms.ACCUSES.search(line):
                return
        named = {*map(self.people.seat, self.reword(asked.who).split())} - {""}
        who = self.people.find(asked.who) or (named.pop() if len(named) == 1 else asked.who)
        cards = asked.cards
        parts = [part for part in terms.PARTING.split(cards) if part]
        if len(parts) == len(self.deck.edition.category):
            cards = ", ".join(self._card(part, where) or part for part in parts)
        answers = self.reword(_SHOWN.sub(" shows ", asked.answers))
        answers = ", ".join(filter(None, ARROW.split(answers)))
        yield f"{who} suggests {cards}: {answers}".rstrip(": ")

    # Lists.

    def _is_heading(self, line: str, at: int, cards: Sequence[str]) -> bool:
        """Return whether a line is a heading; note the player that the lines below are about."""
        if cards or (self.open is not None and not _HEADING.match(self.texts[at])):
            return False
        name = re.sub(r"['\u2019]s$", "", terms.TURN.sub("", line).strip(" :"))
        name = re.sub(r"^\((.*)\)$", r"\1", name)
        name = re.sub(r"(?i)^my$", "me", name)
        if self.who and (_HAVING.fullmatch(line) or _LACKING.fullmatch(line)):  # below a name
            self.section = line
            return True
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
        listed = self._cards_of_list(line)
        if listed and self.who and _LACKING.fullmatch(self.section):
            return self.who, f"lacks {', '.join(listed)}"
        if listed and self.who and _HAVING.fullmatch(self.section):
            return self.who, ", ".join(listed)
        if listed and self.who == self.table.viewer and not self.deck.one_of_each(listed):
            return self.who, ", ".join(listed)
        head = HEAD.match(line)
        if head is None:
            return "", ""
        if self.people.find(head["who"]) == ENVELOPE and not self.people.find_certain(head["who"]):
            return "", ""
        denied = _LACKING.fullmatch(self.section) and not PREDICATE.match(line[head.end() :])
        return head["who"], ("lacks " if denied else "") + line[head.end() :]

    def _cards_of_list(self, line: str) -> list[str]:
        """Return the cards in a line; empty if the line contains anything else."""
        parts = [part for part in terms.PARTING.split(line) if part]
        cards = [card for part in parts for card in self.deck.find_cards(self.hints.meant(part))]
        return cards if len(cards) == len(parts) else []

    def _add_facts(self, line: str) -> bool:
        """Add the facts that a line states about a card or a player; return whether it does."""
        subject, rest = self._split_subject(line)
        holder = self.people.find(subject) if subject else None
        card = self._card(subject) if subject and holder is None else None
        if holder is None and card is None:
            return False
        rest = _FILLERS.sub("", _BEHIND.sub(self._drop_aside, rest))
        facts = facts_in(rest, self._card if card is None else self._holder)
        holders = [name for sign, names in facts if sign != "lacks" for name in names]
        # No line says that one of two players has a card.
        unread = {"?", "has", "either"} if card is not None and len(holders) > 1 else {"?"}
        known = [(sign, names) for sign, names in facts if sign not in unread]
        denied = terms.denies(self.section) and not _LACKING.fullmatch(self.section)
        if terms.is_unsure(self.section) or denied or not known:
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

    def _card(self, text: str, where: str = "") -> str | None:
        """Return the card that a text names; ask about a misspelt one, or any with `where`."""
        names, meant = self.deck.names, self.hints.meant(text)
        if self.deck.language is not None:
            meant = re.sub(_ARTICLES, "", meant)
        if len(found := names.exact(meant)) == 1:
            return found[0]
        odd = re.search(r"[^\w\s.'\u2019-]|\s-", meant) or self.deck.cards_in(meant)
        near = names.candidates(meant)
        if not near and (where or (not odd and len(meant) > _SHORT)):
            near = names.nearest(meant)
        if not where and (len(near) != 1 or len(meant) < 3 or len(meant.split()) > 3):
            return None
        return self.findings.name(names, text, where or "a line")

    def _chat_answer(self, said: str, who: str) -> str:
        """Return a chat message such as `not me` as an answer; empty if it is no answer."""
        if self.open is None or who == self.open.by:
            return ""
        first = terms.spelt(re.split("[,.!]", said)[0])
        cards = self.deck.cards_in(said)
        if len(cards) == 1 and cards[0] in self.open.cards and len(words_of(said)) < _SHORT:
            return f"shows {cards[0]}"
        return next((means for means, way in _REPLIES.items() if way.fullmatch(first)), "")

    def _verdict(self, line: str, below: Sequence[str]) -> str:
        """Return how an accusation ended if a line below states it, such as `that is wrong`."""
        ends = terms.RIGHT | terms.WRONG
        if not terms.ACCUSES.search(line) or ends & {*words_of(line)}:
            return ""
        below = [*takewhile(lambda each: split_question(each, self.deck) is None, below)]
        found = ends & {word for each in below for word in words_of(each)}
        return f": {found.pop()}" if len(found) == 1 else ""

    def _correct(self, line: str, at: int) -> str:
        """Correct misspelt cards, such as `led piping`, in the suggestion of a line."""
        head = VERB.match(line)
        listed = STOP.split(line[head.end() :].lstrip(" :"), maxsplit=1)[0] if head else ""
        parts = [part for part in terms.PARTING.split(listed) if part]
        parts = [re.sub(r"(?i)^\W*(?:(?:the|for|about|it was)\s)*", "", part) for part in parts]
        parts = parts[: len(self.deck.edition.category)]
        found = [similar_cards(self.hints.meant(part), self.deck) for part in parts]
        found = [
            near or tuple(self.deck.cards_in(part)) for near, part in zip(found, parts, strict=True)
        ]
        cards = [near[0] for near in found if len(near) == 1]
        if len(cards) == len(parts) and self.deck.one_of_each(cards):
            for part in parts:
                titled = len(part.split()) == 2 and self.deck.find_cards(part.split()[1])
                if self.deck.find_cards(part) or (self.deck.cards_in(part) and not titled):
                    continue
                card = self.findings.name(self.deck.names, part, f"line {at + 1}")
                self.spelling |= {part: card} if card else {}
        for part, card in self.spelling.items():
            line = re.sub(rf"(?i)\b{re.escape(part)}\b", card, line)
        return line

    def _drop_aside(self, found: re.Match[str]) -> str:
        """Return a remark in brackets unchanged, or an empty text if it is not about the game."""
        words = words_of(found[0])
        if re.search(r"(?i)\b(?:is|are) mine\b", found[0]):
            return ""
        known = self.deck.cards_in(found[0]) or any(map(self.people.names.exact, words))
        tells = known or len(words) < 3 or terms.is_unsure(found[0]) or terms.denies(found[0])
        return found[0] if tells else ""
