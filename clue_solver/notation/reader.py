"""
What a line tells: its tokens matched with the patterns of lines, in any order that people use.

Each token plays a part, so that a line is a string of roles, and what may be said is a list of
patterns over roles (`patterns`). What they leave over is the first word that does not fit. A token
that can play several parts makes several readings; those that `checks` lets pass are what the line
can mean.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from clue_solver.errors import NotationError, printable
from clue_solver.notation.canonical import format_answer, format_line, parse_canonical
from clue_solver.notation.checks import (
    BY_MISTAKE,
    InvalidObservation,
    Kind,
    TurnState,
    answering,
    normalise,
)
from clue_solver.notation.gaps import REQUIRED, Gap, filled, gaps_of
from clue_solver.notation.lexicon import Lexicon, lexicon_of
from clue_solver.notation.names import Names, joined
from clue_solver.notation.patterns import BARE, FACT, IDLE, KINDS, REPLY
from clue_solver.notation.scan import CARD, ROLES, SEAT, Token, scan
from clue_solver.notation.suggestion import Part, Suggested
from clue_solver.rules import observations as seen
from clue_solver.rules.forms import AnswerList, Bearers, Seen, SingleAnswer, Word
from clue_solver.rules.observations import Answer, Event, Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import OPENING

Suggests = seen.Suggestion | seen.Finger
"""What others answer in turn."""
Asked = Suggests | seen.Question
"""What others answer."""

LONGEST, MOST_WORDS = 10_000, 250
"""The most characters and words that a line may have."""
_MOST_WAYS = 2_000
"""The most ways to give the words of a line their parts that are looked at."""

_FILLER, _NOT, _HAS, _SUGGESTS, _COMMA = (
    ROLES[role] for role in ("filler", "not", "has", "suggests", "comma")
)
_DENIED = {SEAT, ROLES["right"], ROLES["wrong"]}
"""What `not` stands before."""
_ALONE_VERBS = frozenset(
    (
        "accuses",
        "holds",
        "skips",
        "leaves",
        "rolls",
        "draws",
        "looks",
        "peeks",
        "stays",
        "reveals",
        "knows",
    )
)
_ALONE = {ROLES[verb] for verb in _ALONE_VERBS}
"""Verbs of lines that are no suggestion, whatever else is in them."""
_PLAIN = {
    "right": ("right", True),
    "wrong": ("right", False),
    "shows": ("answer", "shows"),
    "passes": ("answer", "passes"),
}
"""The groups of patterns that say all of a field by themselves."""


class Reading(Struct, frozen=True):
    """
    One meaning of a line.

    Attributes:
        kind: The kind of observation.
        fields: What of it is told.
        line: The line, without its comment.
        table, state: The table, and what the earlier lines mean.
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

    @property
    def told(self) -> Observation:
        """The whole observation, where nothing is left out."""
        assert self.observation is not None
        return self.observation

    def filled(self, name: str) -> "Reading":
        """
        Return the reading with a name in its gap: whole, but for a hand that lacks more.

        Raises:
            NotationError: If that has no meaning at the table.
        """
        assert self.gap is not None
        return self._telling(filled(self.fields, self.gap.field, name), self.gap.column)

    def with_more(self, field: str, names: Sequence[str]) -> "Reading":
        """Return the reading with more names before those of a list; raises as `filled`."""
        if not names:
            return self
        return self._telling({**self.fields, field: (*names, *self.fields[field])}, 0)

    def _telling(self, told: Mapping[str, Any], column: int) -> "Reading":
        gaps = gaps_of(self.kind, told, self.table, self.state, column)
        if gaps:  # a hand that is still not whole
            return replace(self, fields=told, observation=None, gap=gaps[0])
        try:
            whole = cast(Observation, normalise(self.kind(**told), self.table, self.state))
        except InvalidObservation as error:
            reason, near = error.reason, error.nearest
            raise NotationError(reason, line=self.line, column=column, nearest=near) from None
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
    line: str, table: Table, state: TurnState | None = None, *, open: Asked | None = None
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
    return Reader(line, table, state, open=open).found()


def parse_line(line: str, table: Table, state: TurnState | None = None) -> Observation:
    """
    Return the observation that a line tells, in its canonical form; nobody is asked about slips.

    Arguments are those of `readings`.

    Raises:
        NotationError: If the line cannot be read, or in more than one way; with the place in it.
    """
    reader = Reader(line, table, state)
    told = the_one(reader.found(), line)
    if (slip := reader.slip) is not None:
        error = reader.unknown(slip)
        near = error.nearest
        raise NotationError(error.reason, line=line, column=slip.column, nearest=near)
    return told


def told_readings(
    kind: type[Event], text: str, table: Table, state: TurnState | None = None, *, subject: str
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
    return Reader(text, table, state, begun=(kind, subject)).found()


def parse_told(
    kind: type[Kind], text: str, table: Table, state: TurnState | None = None, *, subject: str
) -> Kind:
    """
    Return the observation of which a text tells what stands after the verb: `plum rope hall`.

    Arguments and errors are those of `told_readings` and `parse_line`.
    """
    found = told_readings(kind, text, table, state, subject=subject)
    return cast(Kind, the_one(found, text))


def the_one(found: Sequence[Reading], line: str) -> Observation:
    """Return the only thing that a line can mean; raise a `NotationError` if it is not one."""
    likely = the_likely(found)
    if likely is None or likely.observation is None:
        raise why_not(found, line)
    return likely.observation


def the_likely(found: Sequence[Reading]) -> Reading | None:
    """Return the only whole reading, or the one that gives roles in order; `None` if none is."""
    likely = [one for one in found if one.by_order] or found
    return likely[0] if len(likely) == 1 and likely[0].observation is not None else None


def why_not(found: Sequence[Reading], line: str) -> NotationError:
    """Return what a line leaves out, or what it can mean, that means not one thing."""
    gap = found[0].gap
    if gap is not None:
        reason = f"expected {gap.expected}; found nothing"
        return NotationError(reason, line=line, column=gap.column, nearest=gap.names[:12])
    ways = tuple(
        [format_line(one.observation, one.table) for one in found if one.observation is not None]
    )
    for token in scan(found[0].line, lexicon_of(found[0].table)):  # one word, where it is only that
        meant = tuple(
            [name for name in dict.fromkeys(token.names) if any(name in way for way in ways)]
        )
        if len(meant) == len(ways) > 1:
            reason = f"'{printable(token.text)}' can be {joined(meant)}"
            return NotationError(reason, line=line, column=token.column, nearest=meant)
    reason = " or ".join([f"'{printable(text, most=120)}'" for text in ways[:3]])
    return NotationError(f"this can be {reason}", line=line, nearest=ways)


def reading_of(
    observation: Observation,
    table: Table,
    *,
    left_out: frozenset[str] = frozenset(),
    unheard: bool = False,
) -> Reading:
    """
    Return an observation as if its line had been read.

    Args:
        observation: In its canonical form.
        table: The table at which it was made.
        left_out: Who shows a card that is left out on purpose.
        unheard: Whether what it lacks at its end is left out on purpose.
    """
    line = format_line(observation, table)
    match observation.form.tail:
        case AnswerList(field=field) if left_out:
            said = []
            for answer in getattr(observation, field):
                text = format_answer(answer)
                shows = answer.answer == "shows" and answer.seat in left_out
                said.append(f"{text} ?" if shows else text)
            line = f"{line.partition(': ')[0]}: {', '.join(said)}"
        case SingleAnswer() if left_out:
            line = f"{line} ?"
        case AnswerList(field=field) | SingleAnswer(field=field) if unheard:
            if getattr(observation, field) in ((), "unheard"):
                line = f"{line}: ?"
        case Seen(name=name) if unheard and getattr(observation, name.field) is None:
            line = f"{line}: ?"
    return Reading(
        *(type(observation), asdict(observation), line, table, TurnState()),
        observation=observation,
        left_out=left_out,
        unheard=line.endswith("?"),
    )


def _body(line: str) -> str:
    """Return the line without its comment, unless it is empty or far too long."""
    body, comment = split_comment(line)
    if not body.strip():
        before = " before its comment, as in 'Ann skips # late'" if comment else ""
        raise NotationError(f"expected an observation{before}; found nothing", line=line)
    for most, size, what in (
        (LONGEST, len(body), "characters"),
        (MOST_WORDS, len(body.split()), "words"),
    ):
        if size > most:
            raise NotationError(
                f"expected at most {most} {what} in a line; found {size}", line=line
            )
    return body


class _Draft:
    """
    What a line tells in one way to read it: fields, and where in the line they are told.

    Attributes:
        columns: The columns of the fields, or of the names in one, by their path.
    """

    def __init__(self, kind: type[Event], **flags: Any) -> None:
        self.kind = kind
        self.fields: dict[str, Any] = {}
        self.columns: dict[tuple[str | int, ...], int] = {}
        self.guessed: str | None = None
        self.left_out: set[str] = set()
        self.flags = flags

    def column(self, path: tuple[str | int, ...], end: int) -> int:
        """Return the column of what stands at a path, or around it; else the end of the line."""
        for size in range(len(path), 0, -1):
            if path[:size] in self.columns:
                return self.columns[path[:size]]
        return end


class Reader:
    """
    All ways to read one line.

    Attributes:
        drafts: What it tells with gaps, whatever their number: what may be typed next follows.
    """

    def __init__(
        self,
        line: str,
        table: Table,
        state: TurnState | None = None,
        *,
        open: Asked | None = None,
        begun: tuple[type[Event], str] | None = None,
    ) -> None:
        """
        Take the line apart.

        Args:
            line, table, state, open: As in `readings`.
            begun: The kind and the subject, where the line tells only what stands after the verb.
        """
        self.line = line
        self.body = _body(line)
        self.table = table
        self.state = state or TurnState()
        self.open = open
        self.kind = begun[0] if begun else None
        self.before: list[Part] = []
        if begun is not None:
            verb = _SUGGESTS if begun[0] is seen.Question else ROLES[begun[0].form.verb]
            nowhere = Token("", 0, ())
            self.before = [Part(SEAT, (begun[1],), nowhere), Part(verb, (), nowhere)]
        self.lexicon: Lexicon = lexicon_of(table)
        self.end = len(self.body.rstrip(" ,:;>?"))
        self.turn = self.state.turn(table)
        self.drafts: list[tuple[_Draft, Mapping[str, Any], list[Gap]]] = []
        self.whole: dict[Event, Reading] = {}
        self.gaps: dict[tuple[type[Event], Gap], Reading] = {}
        self.fault = NotationError("expected an observation; found nothing")
        self.blamed = False, -1

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the line, which one in canonical form is read without."""
        return scan(self.body, self.lexicon)

    @property
    def slip(self) -> Token | None:
        """The first word that is a slip of what it is read as; `None` if there is none."""
        read = self.tokens if "tokens" in vars(self) else ()
        return next((token for token in read if token.slip), None)

    def found(self) -> tuple[Reading, ...]:
        """Return the readings; if there are none, raise what is wrong with the line."""
        found = self.readings()
        if not found:
            reason, column, nearest = self.fault.reason, self.fault.column, self.fault.nearest
            raise NotationError(reason, line=self.line, column=column, nearest=nearest)
        return found

    def readings(self) -> tuple[Reading, ...]:
        """Return the whole readings; if there are none, those with a gap."""
        if (canonical := self._canonical()) is not None:
            return (canonical,)
        for token in self.tokens:
            if not token.senses:
                error = self.unknown(token)
                self.blame(error.reason, token.column, error.nearest)
                return ()
        for parts in self.ways():
            self.read(parts)
        if not (self.whole or self.gaps) and self.table.viewer not in self.state.sizes:
            for parts in self.ways():
                roles = "".join([part.role for part in parts])
                self._match(seen.Hand, (BARE,), roles, parts)
            self.gaps.clear()  # it is no hand that is only begun
        whole = tuple(self.whole.values())
        gaps = tuple(self.gaps.values())
        if len(whole) > 1:
            whole = self._preferred(whole)
        elif whole and whole[0].late:  # or a hand that is begun
            return (*whole, *(gap for gap in gaps if gap.kind is seen.Hand))
        return whole or gaps

    def _canonical(self) -> Reading | None:
        """Return the reading of a line that stands in its canonical form, odd names and all."""
        if self.open is not None or self.before:
            return None
        told = parse_canonical(self.body, self.table, self.state)
        if told is None:
            return None
        reading = Reading(type(told), asdict(told), self.body, self.table, self.state)
        comment = split_comment(self.line)[1]
        return replace(reading, observation=told, comment=comment, unheard=self._ends_open)

    @property
    def _ends_open(self) -> bool:
        return self.body.endswith("?")

    def _preferred(self, whole: tuple[Reading, ...]) -> tuple[Reading, ...]:
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
        for token, following in zip(self.tokens, [*self.tokens[1:], None], strict=True):
            roles = {sense.role for sense in following.senses} if following else set()
            can_be: list[Part | None] = []
            for sense in token.senses:
                if sense.role == _FILLER:
                    can_be.append(None)
                elif sense.role != _NOT or roles & _DENIED:
                    can_be.append(Part(sense.role, sense.names, token))
            every.append(can_be)
            count *= len(can_be)
        if count > _MOST_WAYS:
            self.blame("too many ways to read this: write the names out", 0)
            return
        for way in product(*every):
            if parts := [part for part in way if part is not None]:
                yield [*self.before, *parts]

    def read(self, parts: Sequence[Part]) -> None:
        """Note what the tokens mean if each plays this part."""
        roles = "".join([part.role for part in parts])
        verbs = [role for role in dict.fromkeys(roles) if role in KINDS]
        for role in verbs:
            others = parts[0].role == SEAT and parts[0].names != (self.table.viewer,)
            if role == _HAS and others:
                continue  # what others have is known, and no hand
            self._match(*KINDS[role], roles, parts)
        if _SUGGESTS in verbs:
            self._match(seen.Skip, IDLE, roles, parts)
        self._match(seen.Knowing, FACT, roles, parts)
        if not _ALONE & {*verbs}:
            self._suggestion(parts, roles, None)
        if isinstance(self.open, seen.Question):
            self._match(seen.Question, (REPLY,), roles, parts, to=self.open)
        elif self.open is not None:
            self._suggestion(parts, roles, self.open)

    # Lines of one verb.

    def _match(
        self,
        kind: type[Event],
        patterns: Sequence[re.Pattern[str]],
        roles: str,
        parts: Sequence[Part],
        *,
        to: seen.Question | None = None,
    ) -> None:
        """Note what a line of a kind tells, if a pattern is that of all of it and names fit."""
        for pattern in patterns:
            found = pattern.fullmatch(roles)
            if found is not None:
                groups = {
                    group: parts[found.start(group) : found.end(group)]
                    for group, text in found.groupdict().items()
                    if text
                }
                if self._fill(_Draft(kind, late=to is not None), groups, to):
                    return
        if kind.form.verb in _ALONE_VERBS and to is None and ROLES[kind.form.verb] in roles:
            self._stuck(kind, patterns, roles, parts)

    def _stuck(
        self,
        kind: type[Event],
        patterns: Sequence[re.Pattern[str]],
        roles: str,
        parts: Sequence[Part],
    ) -> None:
        """Note the first word that does not fit into a line of one verb."""
        wanted = [part.wanted for part in kind.form.parts if isinstance(part, Word)]
        for size in range(len(roles) - 1, 0, -1):
            if any(pattern.fullmatch(roles, 0, size) for pattern in patterns):
                before, *left = [part for part in parts[size - 1 :] if part.role != _COMMA]
                if not left:
                    continue
                found = printable(left[0].token.text)
                wanted = wanted or [f"nothing after '{printable(before.token.text)}'"]
                self.blame(f"expected {wanted[0]}; found '{found}'", left[0].token.column)
                return

    def _fill(
        self, draft: _Draft, groups: Mapping[str, Sequence[Part]], to: seen.Question | None
    ) -> bool:
        """Note the observations whose fields these tokens fill; return whether there are any."""
        kind, form = draft.kind, draft.kind.form
        if to is not None:
            draft.fields |= {"by": to.by, "seat": to.seat, "about": to.about}
        elif form.subject and not self._subject(draft, groups.get(form.subject, ())):
            return False
        replies = groups["to"][0].names if "to" in groups else ()
        asked = (
            (to.seat,) if to is not None else groups["seat"][0].names if "seat" in groups else ()
        )
        if kind is seen.Question and replies and replies != asked:
            return False  # another than the one who is asked
        holder = groups["holder"][0].names if "holder" in groups else ()
        if kind is seen.Knowing and form.subject not in groups and holder == (self.table.viewer,):
            return False  # that is a hand
        choices: dict[str, list[Any]] = {}
        bearers = form.bearers()
        for group, parts in groups.items():
            if group in _PLAIN:
                field, value = _PLAIN[group]
                draft.fields[field] = value
            elif group == "left_out":
                draft.left_out.update(groups["seat"][0].names if "shows" in groups else ())
            elif group in kind.__struct_fields__ and group != form.subject:
                draft.columns[(group,)] = parts[0].token.column
                choices[group] = self._choices(draft, group, parts, bearers[group])
                if not choices[group]:
                    names = self.lexicon.of(bearers[group])
                    error = names.unknown(parts[0].token.text)
                    self.blame(error.reason, parts[0].token.column, error.nearest, fits=True)
                    return False
        for chosen in product(*choices.values()):
            self._take(draft, {**draft.fields, **dict(zip(choices, chosen, strict=True))})
        return True

    def _choices(
        self, draft: _Draft, field: str, parts: Sequence[Part], bearers: Bearers
    ) -> list[Any]:
        """Return what tokens can stand for in a field: a name, a number, or a list."""
        kind = draft.kind
        if field == "total":
            return [int(name) for name in self._named(parts[0], bearers)]
        if field not in ("cards", "about", "has", "lacks", "icons", "dice"):
            return list(self._named(parts[0], bearers))
        listed = [part for part in parts if part.names]
        for place, part in enumerate(listed):
            draft.columns[field, place] = part.token.column
        if kind is seen.Accusation:
            return self._sets(listed, len(self.table.edition.category))
        every = list(product(*[self._named(part, bearers) for part in listed]))
        distinct = [names for names in every if len({*names}) == len(names)]
        return every if field in ("icons", "dice") else distinct or every[:1]

    def _subject(self, draft: _Draft, parts: Sequence[Part]) -> bool:
        """Note who does it: as said, or whose turn it is; the viewer holds and knows."""
        field = draft.kind.form.subject
        if parts and parts[0].role == SEAT:
            draft.fields[field] = parts[0].names[0]
            draft.columns[(field,)] = parts[0].token.column
            return True
        private = bool(draft.kind.sight.owner)
        who = self.table.viewer if private else self._turn_of(draft.kind)
        if who is None:
            return not parts
        draft.fields[field] = who
        draft.guessed = None if private else who
        return True

    def _turn_of(self, kind: type[Event]) -> str | None:
        """Return whose turn it is to do this: the last one's goes on with what begins no turn."""
        last, own = self.state.seat, self.table.viewer
        if last is None or not self.state.goes_on(last) or kind.form.verb in OPENING:
            return self.turn
        if kind is seen.Accusation:  # where it follows a suggestion it is that seat's
            follows = self.table.edition.accuse_when != "turn" and self.state.ended
            return last if follows or last == own else self.turn
        return last

    def _named(self, part: Part, bearers: Bearers) -> tuple[str, ...]:
        """Return the names that a token can stand for in a place of the line."""
        if part.role == SEAT:
            return part.names
        names = self.lexicon.of(bearers)
        here = tuple([name for name in part.names if name in names])
        if bearers == "cards" or (here and part.role != CARD):
            return here
        return names.readings(part.token.text) or here

    def _sets(self, parts: Sequence[Part], size: int) -> list[tuple[str, ...]]:
        """
        Return the cards of different categories that tokens can stand for; one may be left out.

        In a box of two roles what bears both is rather first the one and then the other.
        """
        every = [self._named(part, "cards") for part in parts]
        kind = self.lexicon.kind
        found: dict[frozenset[str], tuple[str, ...]] = {}
        for names in product(*every) if len(every) <= size else ():
            if len({kind[name] for name in names}) == len(names):
                found.setdefault(frozenset(names), names)
        if not found and all(every):  # for `checks` to say what is wrong
            return [tuple([names[0] for names in every])]
        return sorted(found.values(), key=self._by_order, reverse=True)

    def _by_order(self, cards: Sequence[str]) -> bool:
        """Return whether cards stand in the order of roles, in a box that has two of them."""
        order = [category.name for category in self.table.edition.category]
        return len(order) == 2 and [self.lexicon.kind[card] for card in cards] == order

    # Suggestions and their answers.

    def _suggestion(self, parts: Sequence[Part], roles: str, asked: Suggests | None) -> None:
        """Note what a suggestion and its answers come to; of an open one, the answers alone."""
        said = Suggested(parts, self.table, self.turn)
        stuck = said.read(roles, asked.by if asked is not None else None)
        if stuck is not None:
            wanted = "who answers, and what"
            if not said.complete:
                wanted = "the cards asked for" if said.cards else "who does what"
            if stuck is parts[0] and stuck.role == SEAT:  # and nothing that can follow
                wanted = "a card, or a verb such as suggests or skips"
                stuck = parts[1] if parts[1:] else None
            found = f"'{printable(stuck.token.text)}'" if stuck else "nothing"
            column = stuck.token.column if stuck else self.end
            self.blame(f"expected {wanted}; found {found}", column)
            return
        kind = type(asked) if asked else seen.Finger if said.points else seen.Suggestion
        draft = _Draft(kind, late=asked is not None)
        draft.left_out = said.left_out
        draft.columns |= {("cards", at): part.token.column for at, part in enumerate(said.cards)}
        by = said.by or self._turn_of(kind)
        draft.guessed = by if said.by is None else None
        if by is not None:
            draft.fields["by"] = by
            draft.columns[("by",)] = said.column
        every = [asked.cards] if asked is not None else self._sets(said.cards, said.size)
        if asked is None and not said.cards and said.said:
            found = printable(parts[0].token.text)
            reason = f"expected the suggestion before its answers; found '{found}'{self._order}"
            self.blame(reason, parts[0].token.column)
            return
        before: tuple[Answer, ...] = asked.answers if asked is not None else ()
        order = self.table.answering(by, left=self.state.left) if by is not None else ()
        # One denial, of nobody in particular, is all's; a word of its own may be the next player's.
        asks = said.lone and parts[-1].token.text != "-"
        asks = (asks and (asked is not None or self.table.everyone_shows)) or said.trailing
        ways = (False, True) if asks else (said.nobody or said.lone,)
        for cards, all_pass in product(every, ways):
            for answers in said.answers(order, cards, before, all_pass=all_pass):
                for at, answer in enumerate(answers):
                    if answer.seat in said.columns:
                        draft.columns["answers", at] = said.columns[answer.seat]
                by_order = len(every) > 1 and self._by_order(cards)
                draft.flags |= {"by_order": by_order, "order": tuple(said.columns)}
                self._take(draft, {**draft.fields, "cards": cards, "answers": answers})
            if said.fault is not None:
                fits = not said.fault.nearest  # else the word may be no card
                self.blame(said.fault.reason, said.fault.column, said.fault.nearest, fits=fits)

    # What comes of a reading.

    def _take(self, draft: _Draft, fields: Mapping[str, Any]) -> None:
        """Note a reading: whole, or with the gaps that it has; else what is wrong with it."""
        kind = draft.kind
        if self.kind not in (None, kind):
            return
        order = draft.flags.pop("order", ())
        reading = Reading(
            *(kind, fields, self.body, self.table, self.state, split_comment(self.line)[1]),
            guessed=draft.guessed if kind.turn else None,
            left_out=frozenset(draft.left_out),
            unheard=self._ends_open,
            **draft.flags,
        )
        refused = InvalidObservation("")
        if REQUIRED[kind] <= fields.keys():
            given = kind(**fields)
            try:
                whole = cast(Observation, normalise(given, self.table, self.state))
            except InvalidObservation as error:
                refused = error
            else:
                self._add(draft, reading, given, whole, order)
                return
        # It is refused as something lacks, or as it makes no sense.
        gaps = gaps_of(kind, fields, self.table, self.state, self.end)
        if gaps:
            self.drafts.append((draft, fields, gaps))
            self._leave_open(reading, gaps)
        else:
            column = draft.column(refused.path, self.end)
            fits = not draft.flags["late"]  # else it is rather no answer
            self.blame(refused.reason, column, refused.nearest, fits=fits)

    def _add(
        self,
        draft: _Draft,
        reading: Reading,
        given: Event,
        whole: Observation,
        order: Sequence[str | None],
    ) -> None:
        """Note a whole reading, with what is said of the order and of single answers."""
        kind = draft.kind
        said = None
        if isinstance(kind.form.tail, AnswerList) and self.body != format_line(whole, self.table):
            said = answering(given)
        answered = [answer.seat for answer in getattr(whole, "answers", ())]
        places = [answered.index(seat) for seat in order if seat in answered]
        reading = replace(reading, observation=whole, said=said, sorted=places != sorted(places))
        if whole not in self.whole or self.whole[whole].guessed is not None:
            self.whole[whole] = reading

    def _leave_open(self, reading: Reading, gaps: Sequence[Gap]) -> None:
        """Note a reading with one gap, if something makes it whole; each player is tried."""
        gap = gaps[0]
        if len(gaps) > 1 or not gap.names:
            self.blame(f"expected {gap.expected}; found nothing", gap.column)
            return
        reading = replace(reading, gap=gap)
        players = gap.names[0] in self.table.seats
        fitting = []
        for name in gap.names if players else gap.names[:1]:
            try:
                reading.filled(name)
                fitting.append(name)
            except NotationError as error:
                self.blame(error.reason, self.end, error.nearest, fits=True)
        if not fitting:
            return
        if players:
            reading = replace(reading, gap=replace(gap, names=tuple(fitting)))
        assert reading.gap is not None
        self.gaps.setdefault((reading.kind, reading.gap), reading)

    # What is wrong.

    def blame(
        self, reason: str, column: int, nearest: tuple[str, ...] = (), *, fits: bool = False
    ) -> None:
        """
        Note what is wrong with one way to read the line; the furthest place counts.

        Rather than that a word does not fit, it is that what fits makes no sense.
        """
        if (fits, column) > self.blamed:
            self.blamed = fits, column
            self.fault = NotationError(reason, column=column, nearest=nearest)

    @property
    def _order(self) -> str:
        """The end of a message: whose turn it is, and who answers in which order."""
        if self.turn is None:
            return ""
        order = joined(self.table.answering(self.turn, left=self.state.left), "and")
        return f"; it is {printable(self.turn)}'s turn, then {order} answer in order"

    def unknown(self, token: Token) -> NotationError:
        """Return what is wrong with a word that is nothing."""
        if token.text.casefold() in ("wrongly", "mistake"):
            return NotationError(BY_MISTAKE)
        verbs = [kind.form.verb for kind in seen.kinds() if kind.form.subject]
        seats, cards = self.lexicon.seats, self.lexicon.cards
        words = (*seats.names, *cards.names, *verbs, "right", "wrong", "passes", "shows")
        near = Names("word", dict.fromkeys(words)).nearest(token.text)
        for names in (cards, seats):
            if near and near[0] in names:
                return names.unknown(token.text)
        reason = f"unknown word '{printable(token.text)}'"
        if near:
            return NotationError(f"{reason}; did you mean '{near[0]}'?", nearest=near)
        return NotationError(f"{reason}; expected a player, a card, or a word such as {words[-1]}")
