"""
Line to observation: all that the words can spell by the declared forms, and what of it makes sense.

A form yields drafts, and notes where and why it could not go on. Which of the drafts make sense at
the table is for `normalise` to say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache
from itertools import pairwise, product
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from clue_solver.errors import NotationError, escape
from clue_solver.notation import normalising
from clue_solver.notation import words as typed
from clue_solver.notation.answers import NOBODY, PASSES, SHOWS, nobody, replies, reply_of
from clue_solver.notation.names import Names, Reach, joined
from clue_solver.rules import forms
from clue_solver.rules.observations import Answer, Event, Observation, Suggestion, kinds
from clue_solver.rules.table import Table

LONGEST, MOST_WORDS = 10_000, 250
"""The most characters and words that a line may have."""

_MOST_DRAFTS, _MOST_MEANINGS = 2_000, 8
_UNHEARD = Answer(answer="unheard")

Words = Sequence[typed.TypedWord]
Places = Mapping[typed.Path, typed.Named]


class Draft(NamedTuple):
    """An observation that words can spell, and the words that its parts were read from."""

    observation: Observation
    places: Places


class _Spelt(NamedTuple):
    """Fields of an observation that words spell, and the words that each was read from."""

    fields: Mapping[str, Any] = MappingProxyType({})
    places: Places = MappingProxyType({})

    def __or__(self, other: _Spelt) -> _Spelt:
        return _Spelt({**self.fields, **other.fields}, {**self.places, **other.places})


Meanings = dict[Observation, Draft]
Sources = Callable[["_Spelling"], Sequence[Callable[[], Iterator[Draft]]]]
"""The ways to read a line, each tried where the one before it finds nothing."""


def parse_line(line: str, table: Table, state: normalising.TurnState | None = None) -> Observation:
    """
    Return the observation that a line tells, in its canonical form.

    Args:
        line: What a person typed, in full or in short; a comment is left aside.
        table: The table at which it was made.
        state: What the earlier lines mean for it; a game that has not begun if left out.

    Raises:
        NotationError: If the line cannot be read, or in more than one way; with the place in it.
    """
    state = state or normalising.TurnState()
    body = _checked(line)
    plain = _plain_suggestion(body, table, typed.lexicon_of(table))
    if plain is not None:
        with suppress(normalising.InvalidObservation):
            return normalising.normalise(plain, table, state)
    return _read(line, body, table, state, lambda said: (said.worded, said.wordless))


def parse_told(
    kind: type[normalising.Kind],
    text: str,
    table: Table,
    state: normalising.TurnState | None = None,
    *,
    subject: str,
) -> normalising.Kind:
    """
    Return the observation of which a text tells what stands after the verb: `plum rope hall`.

    Args:
        kind: The kind of observation.
        text: What a person typed, in full or in short.
        table, state: As in `parse_line`.
        subject: The seat that does it.

    Raises:
        NotationError: As in `parse_line`; the place is one in the text.
    """
    by = typed.Named(subject, "", 0)
    told = _read(
        *(text, _checked(text), table, state or normalising.TurnState()),
        lambda said: (lambda: said.told(kind, by, said.head),),
    )
    return cast(normalising.Kind, told)


def _checked(line: str) -> str:
    """Return the line without its comment, unless it is empty or far too long."""
    body, _ = typed.split_comment(line)
    if not body.strip():
        raise NotationError("expected an observation; found nothing", line=line)
    if len(body) > LONGEST:
        reason = f"expected at most {LONGEST} characters in a line; found {len(body)}"
        raise NotationError(reason, line=line)
    if len(body) > 2 * MOST_WORDS and len(body.split()) > MOST_WORDS:
        reason = f"expected at most {MOST_WORDS} words in a line; found {len(body.split())}"
        raise NotationError(reason, line=line)
    return body


def _read(
    line: str, body: str, table: Table, state: normalising.TurnState, sources: Sources
) -> Observation:
    """Return the one meaning of a line, names looked for only as far as need be."""
    error = NotationError("expected an observation", line=line)
    for reach in Reach:
        meanings, failure = _meanings(body, table, state, reach, sources)
        if meanings:
            return _chosen(meanings, line, body, table)
        if reach is not Reach.ALL:
            error = failure
    raise NotationError(error.reason, line=line, column=error.column, nearest=error.nearest)


def _plain_suggestion(line: str, table: Table, lexicon: typed.Lexicon) -> Suggestion | None:
    """
    Return the suggestion that a line tells in so many words, not yet normalised.

    The short way through for what most lines of a record are. Returns `None` for every line that
    takes a second look; no other observation has the canonical form of a suggestion.
    """
    head, _, tail = line.partition(": ")
    by, verb, rest = head.partition(" suggests ")
    cards = tuple(rest.split(", "))
    if not verb or by not in lexicon.seats or any(card not in lexicon.cards for card in cards):
        return None
    if tail == "nobody shows":
        return Suggestion(by=by, cards=cards, answers=normalising.passes(table.answering(by)))
    answers: list[Answer] = []
    for said in tail.split(", ") if tail else ():
        if (answer := _plain_answer(said, cards, lexicon)) is None:
            return None
        answers.append(answer)
    return Suggestion(by=by, cards=cards, answers=tuple(answers))


def _plain_answer(said: str, cards: tuple[str, ...], lexicon: typed.Lexicon) -> Answer | None:
    if said == "?":
        return _UNHEARD
    seat = said.removesuffix(" passes")
    if seat != said:
        return Answer(seat=seat, answer="passes") if seat in lexicon.seats else None
    seat, verb, card = f"{said} ".partition(" shows ")
    if not verb or seat not in lexicon.seats or (card and card[:-1] not in cards):
        return None
    return Answer(seat=seat, answer="shows", card=card[:-1] or None)


def _meanings(
    body: str, table: Table, state: normalising.TurnState, reach: Reach, sources: Sources
) -> tuple[Meanings, NotationError]:
    """What the line can mean, and why not if it means nothing."""
    lexicon = typed.lexicon_of(table)
    before, after, column = typed.divided(body, lexicon.places.names)
    head, tail = typed.words_in(before, 0), typed.words_in(after, column)
    if not head:
        return {}, NotationError("expected an observation before ':'; found nothing")
    finder = typed.Finder(lexicon, reach, head[-1].column + len(head[-1].text))
    spelling = _Spelling(head, tail, table=table, state=state, finder=finder)
    found: Meanings = {}
    drafts = 0
    try:
        for source in sources(spelling):
            for draft in source():
                drafts += 1
                if drafts > _MOST_DRAFTS:
                    raise typed.TooAmbiguous
                try:
                    found.setdefault(normalising.normalise(draft.observation, table, state), draft)
                except normalising.InvalidObservation as invalid:
                    place = _column(invalid.path, draft.places, finder.end)
                    finder.fail(invalid.reason, place, nearest=invalid.nearest, read=True)
                if len(found) == _MOST_MEANINGS:
                    return found, finder.failure
            if found:
                break
    except typed.TooAmbiguous:
        return {}, NotationError("too many ways to read this: write the names out")
    return found, finder.failure


def _column(path: typed.Path, places: Places, end: int) -> int:
    """Where in the line the part at `path` stands, or else the part around it."""
    for size in range(len(path), 0, -1):
        columns = [named.column for at, named in places.items() if at[:size] == path[:size]]
        if columns:
            return min(columns)
    return end


def _chosen(meanings: Meanings, line: str, body: str, table: Table) -> Observation:
    """The one meaning; of several the one whose canonical form the line is."""
    if len(meanings) == 1:
        return next(iter(meanings))
    lines = {observation: typed.format_line(observation, table) for observation in meanings}
    if (same := the_canonical(lines, body)) is not None:
        return same
    raise _ambiguous(list(meanings.values()), list(lines.values()), line)


def the_canonical(lines: Mapping[Observation, str], body: str) -> Observation | None:
    """Return the one observation whose canonical line this is, else the one in any case."""
    plain = " ".join(body.split())
    exact = [one for one, text in lines.items() if text == plain]
    folded = [one for one, text in lines.items() if text.casefold() == plain.casefold()]
    return next((same[0] for same in (exact, folded) if len(same) == 1), None)


def _ambiguous(drafts: list[Draft], lines: list[str], line: str) -> NotationError:
    """Say what can be read in several ways: one word where it is only that, else the line."""
    spots: dict[tuple[int, str], list[str]] = {}
    for draft in drafts:
        for named in draft.places.values():
            spots.setdefault((named.column, named.text), []).append(named.name)
    for (column, text), names in sorted(spots.items()):
        each = tuple(dict.fromkeys(names))
        if text and len(names) == len(drafts) and len(each) > 1:
            reason = f"'{escape(text)}' can be {joined(each)}"
            return NotationError(reason, line=line, column=column, nearest=each)
    reason = " or ".join(f"'{escape(text, most=120)}'" for text in lines[:3])
    return NotationError(f"this can be {reason}", line=line, nearest=tuple(lines))


@lru_cache(maxsize=4)
def _verbs(declared: tuple[type[Event], ...]) -> Mapping[str, tuple[type[Event], ...]]:
    """The kinds of observation by each form of their verb that is read."""
    found: dict[str, tuple[type[Event], ...]] = {}
    for kind in declared:
        for form in (kind.form.verb, kind.form.verb.removesuffix("s")):
            found[form] = (*found.get(form, ()), kind)
    return found


def notation_words() -> frozenset[str]:
    """Return every word that the notation itself may put into a line."""
    found = {"nobody", *PASSES, *SHOWS, *(word for said in NOBODY for word in said.split())}
    for kind in kinds():
        form = kind.form
        found.update((form.verb, form.verb.removesuffix("s"), form.particle))
        for part in form.parts:
            if isinstance(part, forms.Several):
                found.add(part.between)
            elif isinstance(part, forms.Word):
                found.update(text for texts in part.texts.values() for text in texts)
        if isinstance(form.tail, forms.Verdict):
            found.update(form.tail.words)
    return frozenset(found) - {""}


class _Spelling:
    """All that the head and the tail of one line can spell at one table."""

    def __init__(
        self,
        head: Words,
        tail: Words,
        *,
        table: Table,
        state: normalising.TurnState,
        finder: typed.Finder,
    ) -> None:
        self.head, self.tail, self.table, self.state = head, tail, table, state
        self.finder, self.lexicon = finder, finder.lexicon
        self.verbs = _verbs(kinds())

    def worded(self) -> Iterator[Draft]:
        """Yield what the line spells with a verb."""
        for place, word in enumerate(self.head):
            kinds_of = self.verbs.get(word.text.casefold(), ())
            who, rest = self.head[:place], self.head[place + 1 :]
            impersonal = (typed.text_of(who) or "").casefold() == "nobody" and any(
                not kind.form.subject for kind in kinds_of
            )
            for kind in kinds_of:
                if impersonal == (not kind.form.subject):
                    said = typed.Named(kind.form.verb, word.text, word.column)
                    for draft in self._line(kind, who, rest):
                        yield Draft(draft.observation, {**draft.places, ("event",): said})

    def wordless(self) -> Iterator[Draft]:
        """Yield what the line spells without a verb, with or without its subject."""
        seats, cards = self.lexicon.seats, self.lexicon.cards
        bare = [kind for kind in kinds() if kind.form.bare]
        someone = False
        for size in range(1, min(seats.longest, len(self.head)) + 1):
            for subject in self.finder.meant(self.head[:size], seats):
                someone = True
                self._mistyped_verb(self.head[size:])
                for kind in bare:
                    yield from self.told(kind, subject, self.head[size:])
        if not someone and not self.finder.meant(self.head[:1], cards):
            self._unknown_start()
        for kind in bare:
            yield from self._line(kind, (), self.head)

    def _unknown_start(self) -> None:
        seats, first = self.lexicon.seats.names, self.head[0]
        if nobody(self.head) or nobody(self.head[:2]):
            reason = f"expected the suggestion before its answers; found '{escape(first.text)}'"
            self.finder.fail(reason, first.column)
            return
        verbs = (kind.form.verb for kind in kinds())
        known = dict.fromkeys((*seats, *self.lexicon.cards.names, *verbs))
        error = Names("name", known).unknown(first.text)
        reason = error.reason
        if not error.nearest:
            wanted = f"a player, {joined(seats)}, or a card"
            reason = f"unknown name '{escape(first.text)}'; expected {wanted}"
        self.finder.fail(reason, first.column, nearest=error.nearest)

    def _mistyped_verb(self, rest: Words) -> None:
        word = rest[0].text.casefold() if rest else ""
        if not word or word in self.verbs or self.finder.meant(rest[:1], self.lexicon.cards):
            return
        if word in (*PASSES, *SHOWS):
            reason = f"expected the suggestion before its answers; found '{escape(rest[0].text)}'"
            self.finder.fail(f"{reason}; a card shown to all: 'reveals'", rest[0].column)
            return
        near = get_close_matches(word[:40], {kind.form.verb for kind in kinds()}, n=1)
        near = ["holds"] if word in ("has", "have") else near
        if near:
            reason = f"unknown word '{escape(rest[0].text)}'; did you mean '{near[0]}'?"
            self.finder.fail(reason, rest[0].column, nearest=tuple(near))

    def _line(self, kind: type[Event], who: Words, rest: Words) -> Iterator[Draft]:
        """Yield what a kind of observation can be with these words around its verb."""
        form = kind.form
        if not form.subject:
            yield from self.told(kind, None, rest)
            return
        if who or not form.bare:
            subjects = self.finder.who(who, form.verb)
        elif (turn := self.state.turn(self.table)) is not None:
            subjects = (typed.Named(turn, "", self.head[0].column),)
        else:
            self._whose_turn(form, rest)
            return
        if not subjects:
            for _ in self._parts(form, form.parts, rest, None):
                break
        for subject in subjects:
            yield from self.told(kind, subject, rest)

    def _whose_turn(self, form: forms.Form, rest: Words) -> None:
        """Note that the subject is missing, if all the rest is there."""
        rest, _ = self._parted(form, rest)
        if any(True for _ in self.finder.many(rest, self.lexicon.cards, instead=form.colon)):
            reason = "expected who suggests: whose turn it is does not follow from the lines before"
            self.finder.fail(reason, self.head[0].column, read=True)

    def told(self, kind: type[Event], subject: typed.Named | None, rest: Words) -> Iterator[Draft]:
        """Yield what the subject can have done."""
        form = kind.form
        if form.tail is None and self.tail:
            self.finder.fail("expected nothing after ':'", self.tail[0].column)
            return
        rest, tail = self._parted(form, rest)
        start = _Spelt()
        if subject is not None:
            start = _Spelt({form.subject: subject.name}, {(form.subject,): subject})
        for parts in self._parts(form, form.parts, rest, subject, closed=bool(tail)):
            for end in self._tail(form, parts, tail, subject):
                fields, places = start | parts | end
                yield Draft(cast(Observation, kind(**fields)), places)

    def _parted(self, form: forms.Form, rest: Words) -> tuple[Words, Words]:
        """Part a list of cards from what ends the line, where no colon stands between them."""
        ends: Callable[[Words], bool]
        match form.tail:
            case forms.Answers():
                ends = _unsaid
            case forms.Verdict(words=words):
                ends = lambda last: typed.text_of(last) in words  # noqa: E731
            case _:
                return rest, self.tail
        for size in range(0 if self.tail else min(3, len(rest) - 1), 0, -1):
            last = [rest[-size]._replace(cut=False), *rest[len(rest) - size + 1 :]]
            if ends(last) and not self.finder.meant(last, self.lexicon.cards):
                return rest[:-size], last
        return rest, self.tail

    def _parts(
        self,
        form: forms.Form,
        parts: Sequence[forms.Part],
        words: Words,
        subject: typed.Named | None,
        *,
        said: str = "",
        closed: bool = False,
    ) -> Iterator[_Spelt]:
        """
        Yield what words spell as parts of a form.

        Args:
            form: The form.
            parts: Its parts: a name or a list, or some with a word between them.
            words: The words.
            subject: Who does it; `None` where nobody was found, and lists are not looked at then.
            said: The word before, as it is written.
            closed: Whether answers follow.
        """
        at = next((at for at, part in enumerate(parts) if isinstance(part, forms.Word)), None)
        if at is None:
            match parts:
                case []:
                    if words:
                        nothing = f"nothing after '{form.verb}'; found '{escape(words[0].text)}'"
                        self.finder.fail(f"expected {form.colon or nothing}", words[0].column)
                    else:
                        yield _Spelt()
                case [forms.Name() as name, *_]:
                    for named in self._name(name, words, form.particle):
                        yield _Spelt({name.field: named.name}, {(name.field,): named})
                case [forms.Several() as several, *_] if subject is not None or not form.subject:
                    instead = "" if closed else form.colon
                    sizes = self._sizes(several, subject)
                    yield from self._several(several, words, sizes, said=said, instead=instead)
            return
        before, between, after = parts[:at], cast(forms.Word, parts[at]), parts[at + 1 :]
        if between.optional:
            if subject is not None or not form.subject:
                yield from self._one_or_both(before, between, after, words)
            return
        readings = {each: text for text, all in between.texts.items() for each in all}
        splits = [at for at, word in enumerate(words) if word.text.casefold() in readings]
        if not splits:
            self.finder.fail(between.missing, self.finder.end)
        for at in splits:
            for first in self._parts(form, before, words[:at], subject):
                text = readings[words[at].text.casefold()]
                for second in self._parts(
                    form, after, words[at + 1 :], subject, said=text, closed=closed
                ):
                    yield first | second

    def _name(self, part: forms.Name, words: Words, particle: str) -> Sequence[typed.Named]:
        """Return the names that words can mean, behind a particle or without it."""
        names = self.lexicon.of(part.of)
        if not particle:
            return self.finder.one(words, names, part.wanted)
        found = list(self.finder.meant(words, names))
        if words and words[0].text.casefold() == particle:
            found.extend(self.finder.one(words[1:], names, part.wanted))
        elif not found:
            self.finder.one(words, names, part.wanted)
        return found

    def _one_or_both(
        self,
        before: Sequence[forms.Part],
        between: forms.Word,
        after: Sequence[forms.Part],
        words: Words,
    ) -> Iterator[_Spelt]:
        """Yield the first name alone, both with the word between, or the second alone."""
        first, second = cast(forms.Name, before[0]), cast(forms.Name, after[0])
        names, others = self.lexicon.of(first.of), self.lexicon.of(second.of)
        text, *_ = between.texts
        whole = self.finder.meant(words, names)
        for named in whole:
            yield _Spelt({first.field: named.name}, {(first.field,): named})
        splits = [at for at, word in enumerate(words) if word.text.casefold() == text]
        if not whole and not splits:
            for at in range(1, len(words)):
                if self.finder.meant(words[:at], names) and self.finder.meant(words[at:], others):
                    reason = f"expected '{text}' before '{escape(words[at].text)}'"
                    self.finder.fail(reason, words[at].column)
            self.finder.one(words, names, first.wanted)
        for at in splits:
            some = self.finder.one(words[:at], names, first.wanted) if at else (None,)
            to_whom = self.finder.one(words[at + 1 :], others, second.wanted) if some else ()
            for one, two in product(some, to_whom):
                spelt = _Spelt({second.field: two.name}, {(second.field,): two})
                yield spelt | _seen(first.field, one)

    def _several(
        self, part: forms.Several, words: Words, sizes: Collection[int], *, said: str, instead: str
    ) -> Iterator[_Spelt]:
        """Yield the lists of names that words spell."""
        field = said if len(part.fields) > 1 else part.fields[0]
        if not words and len(part.fields) > 1:
            self.finder.fail(f"expected a card after '{said}'; found nothing", self.finder.end)
            return
        after_between = {
            word.column
            for before, word in pairwise(words)
            if not word.cut and before.text.casefold() == part.between
        }
        names = self.lexicon.of(part.of)
        for found in self.finder.many(
            words,
            names,
            between=part.between,
            instead=instead,
            fits=sizes.__contains__,
        ):
            apart = [each for each in found[1:] if each.column not in after_between]
            if part.each == field and apart:
                reason = f"expected '{part.between}' before it; "
                reason += "what is certain has a line for each card"
                self.finder.fail(reason, apart[0].column)
                continue
            listed: Places = {(field, at): named for at, named in enumerate(found)}
            yield _Spelt({field: tuple(named.name for named in found)}, listed)

    def _sizes(self, part: forms.Several, subject: typed.Named | None) -> Collection[int]:
        """Return how many names a list may have."""
        match part.size:
            case "suggestion":
                return (self.table.edition.named,)
            case "accusation":
                return (len(self.table.edition.category),)
            case "hand" if subject is not None:
                least, most = self.table.size_bounds()[self.table.seats.index(subject.name)]
                return range(least, most + 1)
        return range(1, MOST_WORDS + 1)

    def _tail(
        self, form: forms.Form, parts: _Spelt, tail: Words, subject: typed.Named | None
    ) -> Iterator[_Spelt]:
        """Yield what stands after the colon."""
        match form.tail:
            case None:
                yield _Spelt()
            case forms.Answers(field=field, asked=asked):
                cards = parts.fields[asked]
                heard = tail if len(cards) == self.table.edition.named else ()
                others = self.table.answering(subject.name) if subject is not None else ()
                for said in replies(self.finder, heard, cards, others) if heard else ((),):
                    places = {
                        (field, at, *path): named
                        for at, one in enumerate(said)
                        for path, named in one.places().items()
                    }
                    yield _Spelt({field: tuple(one.answer() for one in said)}, places)
            case forms.OneAnswer() as one:
                asked_for = self.lexicon.marked_by(parts.fields[one.asked])
                seat = parts.places[one.seat,]
                for reply in reply_of(self.finder, tail, asked_for, seat):
                    answer = reply.answer()
                    fields = {one.field: answer.answer, one.card: answer.card}
                    yield _Spelt(fields, reply.places())
            case forms.Seen(name=name):
                names = self.lexicon.of(name.of)
                if names.names and tail and typed.text_of(tail) != "?":
                    for named in self.finder.one(tail, names, name.wanted):
                        yield _seen(name.field, named)
                else:
                    yield _seen(name.field, None)
            case forms.Verdict(field=field, words=words):
                for right in self._verdicts(words, tail):
                    yield _Spelt({field: right})

    def _verdicts(self, words: Mapping[str, bool], tail: Words) -> list[bool]:
        """What the tail says of an accusation: right, wrong, or neither."""
        said = typed.text_of(tail) or ""
        found = [words[word] for word in words if said and word.startswith(said.casefold())]
        if not found:
            column = tail[0].column if tail else self.finder.end
            what = f"'{escape(said)}'" if said else "nothing"
            self.finder.fail(f"expected ': right' or ': wrong'; found {what}", column)
        return found


def _seen(field: str, named: typed.Named | None) -> _Spelt:
    """Return a field that may be left out."""
    return _Spelt() if named is None else _Spelt({field: named.name}, {(field,): named})


def _unsaid(words: Words) -> bool:
    """Whether words are answers that name no player."""
    return nobody(words) or typed.text_of(words) == "?"
