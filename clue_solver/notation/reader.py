"""
What a line tells: its tokens matched with the patterns of lines, in any order that people use.

Each token plays a part, so that a line is a string of roles, and what may be said is a list of
patterns over roles (`_LINES`, and for suggestions and their answers `_CLAUSES`). What the patterns
leave over is the first word that does not fit. A token that can play several parts makes several
readings; those that `checks` lets pass are what the line can mean.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from clue_solver.errors import NotationError, printable
from clue_solver.notation.canonical import format_line, parse_canonical
from clue_solver.notation.checks import (
    BY_MISTAKE,
    InvalidObservation,
    Kind,
    TurnState,
    answering,
    normalise,
)
from clue_solver.notation.gaps import Gap, filled, gaps_of
from clue_solver.notation.lexicon import Lexicon, lexicon_of
from clue_solver.notation.names import Names, joined
from clue_solver.notation.patterns import FACT, IDLE, KINDS, REPLY
from clue_solver.notation.scan import CARD, NAME, ROLES, SEAT, Token, scan
from clue_solver.notation.suggestion import Part, Suggested
from clue_solver.rules import observations as seen
from clue_solver.rules.forms import AnswerList
from clue_solver.rules.observations import Answer, Event, Observation, Reply
from clue_solver.rules.table import Table
from clue_solver.rules.turns import OPENING

Asked = seen.Suggestion | seen.Finger | seen.Question
"""What others answer."""
Suggests = seen.Suggestion | seen.Finger
"""What others answer in turn."""

LONGEST, MOST_WORDS = 10_000, 250
"""The most characters and words that a line may have."""
_MOST_WAYS = 2_000
"""The most ways to give the words of a line their parts that are looked at."""

_FILLER, _NOT, _RIGHT, _WRONG, _HAS = (
    ROLES[role] for role in ("filler", "not", "right", "wrong", "has")
)
_NOISE = {ROLES[role] for role in ("but", "and", "he", "its", "comma", "stop", "colon")}
_DENIALS = {ROLES[role] for role in ("denies", "didnt", "none", "not", "passes", "passed")}
_PASSING = _DENIALS | {ROLES["neither"], ROLES["nobody"]}
_UNHEARD = {ROLES["unheard"]}
_NAMED = {CARD, NAME}


class Reading(Struct, frozen=True):
    """
    One meaning of a line.

    Attributes:
        kind: The kind of observation.
        fields: What of it is told.
        line: The line, without its comment.
        comment: What stands behind it.
        observation: The whole, in its canonical form; `None` while something is left out.
        gap: What is left out; `None` if nothing is.
        guessed: Whose turn it is taken for, where that must be known and the line does not say so.
        left_out: Who shows a card that it leaves out on purpose: `Cat shows ?`, `Cat ?`.
        unheard: Whether it ends in `?`: what may follow is left out on purpose.
        sorted: Whether its answers were told in another order than they were given.
        said: The seats whose answers it says, without those that follow; `None` where it is in
            canonical form, which may have been filled in.
        late: Whether it adds its answers to an open suggestion.
        by_order: Whether it gives cards that are named without them their roles in order.
        table, state: The table, and what the earlier lines mean.
    """

    kind: type[Event]
    fields: Mapping[str, Any]
    line: str
    table: Table
    state: TurnState
    comment: str = ""
    observation: Observation | None = None
    gap: Gap | None = None
    guessed: str | None = None
    left_out: frozenset[str] = frozenset()
    unheard: bool = False
    sorted: bool = False
    said: frozenset[str] | None = None
    late: bool = False
    by_order: bool = False

    def filled(self, name: str) -> "Reading":
        """
        Return the reading with a name in its gap: whole, but for a hand that lacks more.

        Raises:
            InvalidObservation: If that has no meaning at the table.
        """
        assert self.gap is not None
        told = filled(self.fields, self.gap.field, name)
        gaps = gaps_of(self.kind, told, self.table, self.state, self.gap.column)
        if gaps:  # a hand that is still not whole
            return replace(self, fields=told, gap=gaps[0])
        whole = cast(Observation, normalise(self.kind(**told), self.table, self.state))
        return replace(self, fields=told, observation=whole, gap=None)


def split_comment(line: str) -> tuple[str, str]:
    """
    Return the line up to its comment, and the comment without its mark.

    >>> split_comment("Ben peeks  # at last")
    ('Ben peeks', 'at last')
    """
    body, _, comment = line.partition("#")
    return body.rstrip(), comment.removeprefix(" ").rstrip()


def readings(
    line: str,
    table: Table,
    state: TurnState | None = None,
    *,
    open: Asked | None = None,
) -> tuple[Reading, ...]:
    """
    Return all that a line can mean, likeliest first: whole readings, else those with one gap.

    Args:
        line: What a person typed; a comment is left aside.
        table: The table at which it was made.
        state: What the earlier lines mean for it; a game that has not begun if left out.
        open: The suggestion or the question that waits for answers, which the line may tell.

    Raises:
        NotationError: If it means nothing; with the first word that does not fit.
    """
    body = _body(line)
    reader = _Reader(body, split_comment(line)[1], table, state or TurnState(), open)
    return reader.found(line)


def told_readings(
    kind: type[Event],
    text: str,
    table: Table,
    state: TurnState | None = None,
    *,
    subject: str,
) -> tuple[Reading, ...]:
    """
    Return all that a text can mean that tells what stands after the verb: `plum rope hall`.

    Args:
        kind: The kind of observation.
        text: What a person typed, in full or in short.
        table, state: As in `readings`.
        subject: The seat that does it.

    Raises:
        NotationError: As `readings`; the place is one in the text.
    """
    body = _body(text)
    reader = _Reader(body, split_comment(text)[1], table, state or TurnState(), None)
    verb = "suggests" if kind is seen.Question else kind.form.verb
    nowhere = Token("", 0, ())
    reader.begun = [Part(SEAT, (subject,), nowhere), Part(ROLES[verb], (), nowhere)]
    reader.kind = kind
    return reader.found(text)


def parse_told(
    kind: type[Kind], text: str, table: Table, state: TurnState | None = None, *, subject: str
) -> Kind:
    """
    Return the observation of which a text tells what stands after the verb: `plum rope hall`.

    Arguments and errors are those of `told_readings` and `parse_line`.
    """
    found = told_readings(kind, text, table, state, subject=subject)
    return cast(Kind, the_one(found, text))


def parse_line(line: str, table: Table, state: TurnState | None = None) -> Observation:
    """
    Return the observation that a line tells, in its canonical form.

    Args:
        line: What a person typed, in full or in short; a comment is left aside.
        table: The table at which it was made.
        state: What the earlier lines mean for it; a game that has not begun if left out.

    Raises:
        NotationError: If the line cannot be read, or in more than one way; with the place in it.
    """
    return the_one(readings(line, table, state), line)


def the_one(found: Sequence[Reading], line: str) -> Observation:
    """Return the only thing that a line can mean; raise a `NotationError` if it is not one."""
    likely = [one for one in found if one.by_order] or found
    if len(likely) == 1 and likely[0].observation is not None:
        return likely[0].observation
    raise why_not(found, line)


def why_not(found: Sequence[Reading], line: str) -> NotationError:
    """Return what a line leaves out, or what it can mean, that means not one thing."""
    gap = found[0].gap
    if gap is not None:
        reason = f"expected {gap.expected}; found nothing"
        return NotationError(reason, line=line, column=gap.column, nearest=gap.names[:12])
    ways = tuple(
        [format_line(one.observation, one.table) for one in found if one.observation is not None]
    )
    reason = " or ".join([f"'{printable(text, most=120)}'" for text in ways[:3]])
    return NotationError(f"this can be {reason}", line=line, nearest=ways)


def ways_of(line: str, table: Table, state: TurnState) -> Iterator[Sequence[Part]]:
    """Yield the ways to give each word of a line, or of its beginning, the part that it plays."""
    return _Reader(line, "", table, state, None).ways()


def _body(line: str) -> str:
    """Return the line without its comment, unless it is empty or far too long."""
    body, comment = split_comment(line)
    if not body.strip():
        before = " before its comment, as in 'Ann skips # late'" if comment else ""
        raise NotationError(f"expected an observation{before}; found nothing", line=line)
    if len(body) > LONGEST:
        reason = f"expected at most {LONGEST} characters in a line; found {len(body)}"
        raise NotationError(reason, line=line)
    if len(body) > 2 * MOST_WORDS and len(body.split()) > MOST_WORDS:
        reason = f"expected at most {MOST_WORDS} words in a line; found {len(body.split())}"
        raise NotationError(reason, line=line)
    return body


class _Reader:
    """All ways to read one line."""

    def __init__(
        self, body: str, comment: str, table: Table, state: TurnState, open_: Asked | None
    ) -> None:
        self.body = body
        self.comment = comment
        self.table = table
        self.state = state
        self.open = open_
        self.lexicon: Lexicon = lexicon_of(table)
        self.tokens = scan(body, self.lexicon)
        self.turn = state.turn(table)
        self.whole: dict[Event, Reading] = {}
        self.gaps: dict[tuple[type[Event], Gap], Reading] = {}
        self.faults: list[NotationError] = []
        self.begun: list[Part] = []  # what stands before the words of the line
        self.kind: type[Event] | None = None  # the only kind that counts

    def found(self, line: str) -> tuple[Reading, ...]:
        """Return the readings; if there are none, raise what is wrong with the line."""
        if found := self.readings():
            return found
        error = self.fault()
        raise NotationError(error.reason, line=line, column=error.column, nearest=error.nearest)

    def readings(self) -> tuple[Reading, ...]:
        """Return the whole readings; if there are none, those with a gap."""
        for token in self.tokens:
            if not token.senses:
                error = self.unknown(token)
                self.blame(error.reason, token.column, error.nearest)
                return ()
        for parts in self.ways():
            self.read(parts)
        whole = tuple(self.whole.values())
        if len(whole) != 1 and (canonical := self.canonical()) is not None:
            return (canonical,)
        if len(whole) > 1:
            whole = self.preferred(whole)
        gaps = tuple(self.gaps.values())
        if whole and all(one.late for one in whole):  # or the beginning of an entry of its own
            return (*whole, *(gap for gap in gaps if not gap.late))
        return whole or gaps

    def canonical(self) -> Reading | None:
        """Return the reading of a line that stands in its canonical form, odd names and all."""
        told = parse_canonical(self.body, self.table, self.state)
        if told is None or self.open is not None or self.begun:
            return None
        fields = asdict(told)
        reading = Reading(type(told), fields, self.body, self.table, self.state, self.comment)
        return replace(reading, observation=told, unheard=self.body.endswith("?"))

    def preferred(self, whole: tuple[Reading, ...]) -> tuple[Reading, ...]:
        """Return what is meant rather: by whose turn it is, and by what the edition plays."""
        own = [one for one in whole if getattr(one.observation, "by", "") == self.table.viewer]
        if len(own) == 1 and self.turn == self.table.viewer and len(self.tokens[0].senses) > 1:
            return tuple(own)  # `i` is whose turn it is, rather than another whose name begins so
        if {one.kind for one in whole} == {seen.Question, seen.Suggestion}:
            asks = seen.Question.form.verb in self.table.edition.verbs
            kind = seen.Question if asks else seen.Suggestion
            return tuple(one for one in whole if one.kind is kind)
        return whole

    def ways(self) -> Iterator[Sequence[Part]]:
        """Yield the ways to give each token a part; words that tell nothing are left out."""
        every: list[list[Part | None]] = []
        count = 1
        for place, token in enumerate(self.tokens):
            following = self.tokens[place + 1].senses if place + 1 < len(self.tokens) else ()
            denied = any(sense.role in (SEAT, _RIGHT, _WRONG) for sense in following)
            can_be: list[Part | None] = []
            for sense in token.senses:
                if sense.role == _FILLER:
                    can_be.append(None)
                elif sense.role != _NOT or denied:
                    can_be.append(Part(sense.role, sense.names, token))
            every.append(can_be)
            count *= len(can_be)
        if count > _MOST_WAYS:
            self.blame("too many ways to read this: write the names out", 0)
            return
        for way in product(*every):
            if parts := [part for part in way if part is not None]:
                yield [*self.begun, *parts]

    def read(self, parts: Sequence[Part]) -> None:
        """Note what the tokens mean if each plays this part."""
        roles = "".join([part.role for part in parts])
        verbs = [role for role in dict.fromkeys(roles) if role in KINDS]
        for role in verbs:
            if role == _HAS and parts[0].role == SEAT and parts[0].names != (self.table.viewer,):
                continue  # what others have is known, and no hand
            kind, patterns = KINDS[role]
            self.match(kind, patterns, roles, parts)
        if ROLES["suggests"] in verbs:
            self.match(seen.Skip, IDLE, roles, parts)
        self.match(seen.Knowing, FACT, roles, parts)
        self.suggestion(parts, roles, None)
        if isinstance(self.open, seen.Question):
            self.answer_to(self.open, parts, roles)
        elif self.open is not None:
            self.suggestion(parts, roles, self.open)

    # Lines of one verb.

    def match(
        self,
        kind: type[Event],
        patterns: Sequence[re.Pattern[str]],
        roles: str,
        parts: Sequence[Part],
    ) -> None:
        """Note what a line of a kind tells, if one of the patterns is that of the whole line."""
        for pattern in patterns:
            found = pattern.fullmatch(roles)
            if found is not None:
                groups = {
                    field: parts[found.start(field) : found.end(field)]
                    for field, text in found.groupdict().items()
                    if text
                }
                self.fill(kind, groups)
                return

    def answer_to(self, asked: seen.Question, parts: Sequence[Part], roles: str) -> None:
        """Note what a line answers to a question that is open."""
        found = REPLY.fullmatch(roles)
        if found is None or (found["to"] and parts[found.start("to")].names != (asked.seat,)):
            return
        told = _Telling(seen.Question, self.body)
        told.late = True
        reply = self.reply(parts[found.start("reply") : found.end("reply")])
        shown: tuple[str | None, ...] = (None,)
        if found["card"]:
            reply = "shows"
            shown = self.named(parts[found.start("card")], "cards")
        for card in shown:
            fields = {"by": asked.by, "seat": asked.seat, "about": asked.about}
            self.take(told, {**fields, "answer": reply, "card": card})

    def fill(self, kind: type[Event], groups: Mapping[str, Sequence[Part]]) -> None:
        """Note the observations whose fields these tokens can fill."""
        form = kind.form
        told = _Telling(kind, self.body)
        choices: dict[str, list[Any]] = {}
        for field, parts in groups.items():
            told.spans[(field,)] = parts[0].token.column
            for place, part in enumerate(part for part in parts if part.role == CARD):
                told.spans[field, place] = part.token.column
        if form.subject and not self.subject(told, groups.get(form.subject, ())):
            return
        bearers = form.bearers()
        if kind is seen.Question and "to" in groups:
            other = groups["to"][0].names != groups["seat"][0].names
            if other:
                return  # not the one who is asked answers
        if kind is seen.Knowing and form.subject not in groups:
            own = groups["holder"][0].names == (self.table.viewer,)
            if own:
                return  # that is a hand
        for field, parts in groups.items():
            if field == form.subject or field not in (*kind.__struct_fields__, "reply"):
                continue
            if field == "right":
                choices[field] = self.verdict(parts)
            elif field == "dice":
                if not self.dice(told, parts):
                    return
            elif field == "reply":
                choices["answer"] = [self.reply(parts)]
                if parts[-1].role in _UNHEARD and parts[1:]:
                    told.left_out.add(groups["seat"][0].names[0])
            elif field in ("cards", "about", "has", "lacks"):
                choices[field] = self.lists(kind, [part for part in parts if part.role == CARD])
            else:
                choices[field] = list(self.named(parts[0], bearers[field]))
            if field in choices and not choices[field]:
                self.blame(self.unfit(parts[0], bearers.get(field, "")), parts[0].token.column)
                return
        named = list(choices)
        for chosen in product(*choices.values()):
            values = {k: v for k, v in zip(named, chosen, strict=True) if v is not None}
            self.take(told, {**told.fields, **values})

    def subject(self, told: "_Telling", parts: Sequence[Part]) -> bool:
        """Note who does it: as said, or whose turn it is; the viewer holds and knows."""
        field = told.kind.form.subject
        private = told.kind.sight.owner
        if parts and parts[0].role == SEAT:
            told.fields[field] = parts[0].names[0]
        elif private and self.table.viewer is not None:
            told.fields[field] = self.table.viewer
        elif (turn := self.turn_of(told.kind)) is not None and not private:
            told.guessed = turn
            told.fields[field] = turn
        elif parts:
            return False
        return True

    def turn_of(self, kind: type[Event]) -> str | None:
        """Return whose turn it is to do this: the last one's goes on with what begins no turn."""
        last, own = self.state.seat, self.table.viewer
        if last is None or not self.state.goes_on(last) or kind.form.verb in OPENING:
            return self.turn
        if kind is seen.Accusation:
            return own if last == own else self.turn
        return last

    def named(self, part: Part, bearers: str) -> tuple[str, ...]:
        """Return the names that a token can stand for in a place of the line."""
        if part.role == SEAT:
            return part.names
        if bearers == "cards":
            return tuple(name for name in part.names if name in self.lexicon.cards)
        names = self.lexicon.of(cast(Any, bearers))
        here = tuple(name for name in part.names if name in names)
        if part.role == CARD or not here:
            return names.readings(part.token.text) or here
        return here

    def lists(self, kind: type[Event], parts: Sequence[Part]) -> list[tuple[str, ...]]:
        """Return the lists of names that cards can stand for."""
        if kind is seen.Accusation:
            return self.sets(parts, len(self.table.edition.category))
        bearers = "things" if kind is seen.Question else "cards"
        every = [self.named(part, bearers) for part in parts]
        return [names for names in product(*every) if len(set(names)) == len(names)]

    def sets(self, parts: Sequence[Part], size: int) -> list[tuple[str, ...]]:
        """
        Return the cards of different categories that tokens can stand for; one may be left out.

        In a box of two roles what bears both is rather first the one and then the other.
        """
        every = [self.named(part, "cards") for part in parts]
        if not size - 1 <= len(every) <= size:
            return [tuple(names[0] for names in every)] if all(every) else []
        kind = self.lexicon.kind
        found: dict[frozenset[str], tuple[str, ...]] = {}
        for names in product(*every):
            if len({kind[name] for name in names}) == len(names):
                found.setdefault(frozenset(names), names)
        sets = list(found.values())
        sets.sort(key=self.by_order, reverse=True)
        if not sets and all(every):
            return [tuple(names[0] for names in every)]  # for `checks` to say what is wrong
        return sets

    def by_order(self, cards: Sequence[str]) -> bool:
        """Return whether cards stand in the order of roles, in a box that has two of them."""
        order = [category.name for category in self.table.edition.category]
        return len(order) == 2 and [self.lexicon.kind[card] for card in cards] == order

    def verdict(self, parts: Sequence[Part]) -> list[bool | None]:
        """Return whether words say `right` or `wrong`; nothing where they say both."""
        said = [part.role for part in parts if part.role not in _NOISE]
        denied = any(role in _DENIALS for role in said)
        right, wrong = _RIGHT in said, _WRONG in said
        if not said:
            return [None]
        if right and wrong:
            return []
        if right:
            return [not denied]
        first = said[0] if wrong else _WRONG
        glued = wrong and first in _DENIALS and parts[-1].role == _WRONG and len(parts) == len(said)
        return [] if glued and len(said) > 1 else [False]  # `not wrong` says nothing plain

    def dice(self, told: "_Telling", parts: Sequence[Part]) -> bool:
        """Note what was rolled: a total with icons, or the face of each of the dice."""
        rolled = [part for part in parts if part.role in _NAMED]
        totals = self.lexicon.totals
        if rolled and (total := self.named(rolled[0], "totals")) and total[0] in totals:
            icons = [self.named(part, "icons") for part in rolled[1:]]
            if not all(len(names) == 1 for names in icons):
                self.blame(self.unfit(rolled[1], "icons"), rolled[1].token.column)
                return False
            told.fields |= {"total": int(total[0]), "icons": tuple(names[0] for names in icons)}
            return True
        faces = [self.named(part, "faces") for part in rolled]
        for part, names in zip(rolled, faces, strict=True):
            if len(names) != 1:
                self.blame(self.unfit(part, "faces"), part.token.column)
                return False
        told.fields["dice"] = tuple(names[0] for names in faces)
        return True

    def reply(self, parts: Sequence[Part]) -> Reply:
        """Return what the one player who was asked answers."""
        roles = {part.role for part in parts}
        if roles & _PASSING:
            return "passes"
        return "shows" if roles - _UNHEARD else "unheard"

    # Suggestions and their answers.

    def suggestion(self, parts: Sequence[Part], roles: str, open_: Suggests | None) -> None:
        """Note what a suggestion and its answers come to; of an open one, the answers alone."""
        edition = self.table.edition
        said = Suggested(
            parts,
            size=edition.named,
            all_roles=len(edition.category),
            viewer=self.table.viewer,
            turn=self.turn,
        )
        told = _Telling(seen.Suggestion, self.body)
        before: tuple[Answer, ...] = ()
        if open_ is not None:
            said.answering(open_.by)
            told.kind, told.late = type(open_), True
            before = tuple(one for one in open_.answers if one.seat is not None)
        if (stuck := said.read(roles)) is not None:
            self.blame(self.unread(said, stuck), stuck.token.column)
            return
        if said.points:
            told.kind = seen.Finger
        told.left_out = said.left_out
        told.spans[("by",)] = said.column
        for place, part in enumerate(said.cards):
            told.spans["cards", place] = part.token.column
        by = said.by or self.turn_of(told.kind)
        if said.by is None:
            told.guessed = by
        if by is not None:
            told.fields["by"] = by
        if open_ is not None:
            every = [open_.cards]
        elif said.cards:
            every = self.sets(said.cards, said.size)
        else:
            self.blame("expected the suggestion before its answers", parts[0].token.column)
            return
        only = [one.seat for one in said.answers] == [""] and not said.rest
        asks = only and said.unsigned and (told.late or self.table.everyone_shows)
        ways = (False, True) if asks else (said.nobody or only,)
        told.several = len(every) > 1
        for cards, all_pass in product(every, ways):
            for answers in self.answers(said, told, by, cards, before, all_pass=all_pass):
                self.take(told, {**told.fields, "cards": cards, "answers": answers})

    def unread(self, said: Suggested, part: Part) -> str:
        """Return what a message says of a word that does not fit into a suggestion."""
        wanted = "who answers, and what"
        if not said.complete:
            wanted = "the cards asked for" if said.cards else "who does what"
        return f"expected {wanted}; found '{printable(part.token.text)}'"

    def answers(
        self,
        said: Suggested,
        told: "_Telling",
        by: str | None,
        cards: tuple[str, ...],
        before: tuple[Answer, ...],
        *,
        all_pass: bool,
    ) -> Iterator[tuple[Answer, ...]]:
        """Yield the answers that a line can mean, in the order in which it tells them."""
        order = self.table.answering(by, left=self.state.left) if by is not None else ()
        found: list[tuple[str | None, Reply, tuple[str | None, ...]]] = [
            (one.seat, one.answer, (one.card,)) for one in before
        ]
        lone = all_pass and [one.seat for one in said.answers] == [""]
        for one in () if lone else said.answers:
            seat = one.seat
            heard = [each for each, _, _ in found]
            if seat == "":
                later = order[
                    max([order.index(each) + 1 for each in heard if each in order] or [0]) :
                ]
                if not later:
                    self.blame("expected nothing more: all have answered", one.column)
                    return
                seat = later[0]
            shown: tuple[str | None, ...] = (None,)
            if one.card is not None:
                shown = tuple(card for card in self.named(one.card, "cards") if card in cards)
                if not shown:
                    wanted = joined(cards)
                    text = printable(one.card.token.text)
                    self.blame(
                        f"'{text}' was not asked for: expected {wanted}",
                        one.card.token.column,
                        cards,
                    )
                    return
            if seat is not None and seat in heard:
                place = heard.index(seat)
                _, answer, card = found[place]
                if answer == "unheard" and one.seat is not None:
                    found[place] = (seat, one.answer, shown)
                elif answer != one.answer:
                    self.blame(f"{seat} answers twice", one.column)
                    return
                elif card == (None,):
                    found[place] = (seat, answer, shown)
                continue
            found.append((seat, one.answer, shown))
            told.spans["answers", len(found) - 1] = one.column
            if seat:
                told.seats.append(seat)
        self.everybody(said, found, order, all_pass)
        heard = [each for each, _, _ in found]
        if said.asked and not set(said.asked) <= {*heard} and said.asked != [*order[:1]]:
            self.blame(f"expected what {joined(said.asked, 'and')} answers", told.end)
            return
        closing = (Answer(answer="unheard"),) if said.rest and found else ()
        for shown in product(*(cards for _, _, cards in found)):
            yield (
                *(
                    Answer(seat=seat, answer=answer, card=card)
                    for (seat, answer, _), card in zip(found, shown, strict=True)
                ),
                *closing,
            )

    def everybody(
        self,
        said: Suggested,
        found: list[tuple[str | None, Reply, tuple[str | None, ...]]],
        order: tuple[str, ...],
        all_pass: bool,
    ) -> None:
        """Add the passes of all, or of all others: of those who come before the one who shows."""
        if not (all_pass or said.others):
            return
        heard = {seat: answer for seat, answer, _ in found}
        for seat in order:
            if heard.get(seat) == "shows" and not self.table.everyone_shows:
                return
            if seat not in heard:
                found.append((seat, "passes", (None,)))

    # What comes of a reading.

    def take(self, told: "_Telling", fields: dict[str, Any]) -> None:
        """Note a reading: whole, or with the one gap that it has; else what is wrong with it."""
        kind = told.kind
        if self.kind not in (None, kind):
            return
        if kind is seen.Question and fields.get("card") is not None:
            fields["answer"] = "shows"
        reading = Reading(
            *(kind, fields, self.body, self.table, self.state, self.comment),
            guessed=told.guessed if kind.turn else None,
            left_out=frozenset(told.left_out),
            unheard=self.body.endswith("?"),
            late=told.late,
            by_order=told.several and self.by_order(fields.get("cards", ())),
        )
        gaps = gaps_of(kind, fields, self.table, self.state, told.end)
        if gaps:
            if len(gaps) > 1:
                self.blame(f"expected {gaps[0].expected}; found nothing", gaps[0].column)
            else:
                self.leave_open(told, replace(reading, gap=gaps[0]))
            return
        try:
            given = kind(**fields)
            whole = normalise(given, self.table, self.state)
        except InvalidObservation as error:
            self.blame(error.reason, told.column(error.path), error.nearest)
            return
        if whole in self.whole and self.whole[whole].guessed is None:
            return
        said: frozenset[str] | None = answering(given)
        if isinstance(kind.form.tail, AnswerList) and self.body == format_line(
            cast(Observation, whole), self.table
        ):
            said = None
        self.whole[whole] = replace(
            reading,
            observation=cast(Observation, whole),
            said=said if isinstance(kind.form.tail, AnswerList) else None,
            sorted=told.sorted_into(whole),
        )

    def leave_open(self, told: "_Telling", reading: Reading) -> None:
        """Note a reading with one gap, if something makes it whole; each player is tried."""
        gap = reading.gap
        assert gap is not None
        players = gap.names[0] in self.table.seats if gap.names else False
        fitting = []
        for name in gap.names if players else gap.names[:1]:
            try:
                reading.filled(name)
                fitting.append(name)
            except InvalidObservation as error:
                self.blame(error.reason, told.column(error.path), error.nearest)
        if fitting:
            names = tuple(fitting) if players else gap.names
            self.gaps.setdefault(
                (reading.kind, replace(gap, names=names)),
                replace(reading, gap=replace(gap, names=names)),
            )

    # What is wrong.

    def blame(self, reason: str, column: int, nearest: tuple[str, ...] = ()) -> None:
        """Note what is wrong with one way to read the line."""
        self.faults.append(NotationError(reason, column=column, nearest=nearest))

    def fault(self) -> NotationError:
        """Return what is wrong at the furthest place, the first of several there."""
        if not self.faults:
            self.blame("expected an observation", 0)
        return max(self.faults, key=lambda error: error.column)

    def unknown(self, token: Token) -> NotationError:
        """Return what is wrong with a word that is nothing."""
        if token.text.casefold() in ("wrongly", "mistake"):
            return NotationError(BY_MISTAKE)
        verbs = [kind.form.verb for kind in seen.kinds() if kind.form.subject]
        names = (*self.lexicon.seats.names, *self.lexicon.cards.names, *verbs, "passes", "shows")
        return Names("word", dict.fromkeys(names)).unknown(token.text)

    def unfit(self, part: Part, bearers: str) -> str:
        """Return what a message says of a name that does not fit in its place."""
        if bearers:
            return self.lexicon.of(cast(Any, bearers)).unknown(part.token.text).reason
        return f"'{printable(part.token.text)}' does not fit here"


class _Telling:
    """
    What a line tells so far, in one way to read it.

    Attributes:
        kind: The kind of observation.
        fields: Its fields.
        spans: The columns of what fills them, by path.
        end: Where the line ends.
        guessed, left_out, late: As in `Reading`.
        seats: The seats whose answers are said, in order.
    """

    def __init__(self, kind: type[Event], line: str) -> None:
        self.kind = kind
        self.fields: dict[str, Any] = {}
        self.spans: dict[tuple[str | int, ...], int] = {}
        self.end = len(line.rstrip(" ,:;>?"))
        self.guessed: str | None = None
        self.left_out: set[str] = set()
        self.late = False
        self.several = False
        self.seats: list[str] = []

    def column(self, path: tuple[str | int, ...]) -> int:
        """Return the column of the part at a path, or around it."""
        for size in range(len(path), 0, -1):
            if path[:size] in self.spans:
                return self.spans[path[:size]]
        return 0 if path and path[0] == self.kind.form.subject else self.end

    def sorted_into(self, whole: Event) -> bool:
        """Return whether answers were told in another order than that in which they stand."""
        order = [answer.seat for answer in getattr(whole, "answers", ())]
        places = [order.index(seat) for seat in self.seats if seat in order]
        return places != sorted(places)
