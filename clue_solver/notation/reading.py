"""
Line to observation: what the words of a line can mean by the grammar, and what of it makes sense.

A line that has no meaning is read once more by the lenient grammar, for what is wrong with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, cast

from msgspec.structs import replace

from clue_solver.errors import NotationError, escape
from clue_solver.notation import normalising
from clue_solver.notation import words as typed
from clue_solver.notation.grammar import NO, NOBODY, PASSES, SHOWS, Grammar
from clue_solver.notation.names import Names, Reach, joined, slips
from clue_solver.notation.nodes import Choice, Edge, Node, Path
from clue_solver.rules.forms import AnswerList, Seen, SingleAnswer
from clue_solver.rules.observations import Answer, Event, Observation, Suggestion, kinds
from clue_solver.rules.table import Table

LONGEST, MOST_WORDS = 10_000, 250
"""The most characters and words that a line may have."""

LONGEST_TOGETHER, _LONGEST_NAME = 40, 20
"""The most letters of a word that holds several names, and of a name in it."""

_MOST_TRAILS, _MOST_MEANINGS = 2_000, 8
_UNHEARD = Answer(answer="unheard")

Words = Sequence[typed.TypedWord]


class Trail(NamedTuple):
    """A node to which words lead, and the parts of an observation that they were read for."""

    node: Node
    parts: tuple[tuple[Path, typed.Named], ...] = ()


Meanings = dict[Any, Trail]


class TooAmbiguous(Exception):
    """There are too many ways to read a line."""


class Walk:
    """
    Follows the words of lines that begin at one node.

    Attributes:
        start: The node.
        cards: The names that stay together where they have several words.
        longest: The most words between two nodes.
    """

    def __init__(self, start: Node, cards: Names, longest: int) -> None:
        self.start, self.cards, self.longest = start, cards, longest
        self._last: dict[Reach, tuple[Words, set[int], list[list[Trail]]]] = {}

    def trails(self, words: Words, reach: Reach) -> list[list[Trail]]:
        """
        Return where each number of the words leads, names looked up as far as `reach`.

        Raises:
            TooAmbiguous: If there are too many ways.
        """
        inside = typed.inside_names(words, self.cards) if reach is not Reach.ALL else set()
        before, apart, reached = self._last.get(reach, ((), inside, [[Trail(self.start)]]))
        same = [one == other for one, other in zip(before, words, strict=False)]
        kept = [*same, False].index(False)
        kept = min([kept, *(place - 1 for place in apart ^ inside)])
        reached = reached[: 1 + kept]
        count = 0
        for end in range(len(reached), len(words) + 1):
            found: list[Trail] = []
            longest = _LONGEST_NAME if words[end - 1].letter else self.longest
            for first in range(max(0, end - longest), end):
                if reached[first] and (text := typed.text_of(words[first:end])) is not None:
                    word = words[first]._replace(text=text)
                    for trail in reached[first]:
                        found.extend(_steps(trail, word, reach, first, end in inside))
            reached.append(found)
            count += len(found)
            if count > _MOST_TRAILS:
                raise TooAmbiguous
        self._last[reach] = words, inside, reached
        return reached


def _steps(
    trail: Trail, word: typed.TypedWord, reach: Reach, first: int, inside: bool
) -> list[Trail]:
    """Return where words with one space between lead from the end of a trail."""
    found: list[Trail] = []

    def follow(edge: Edge, name: str, node: Node) -> None:
        if not first or edge.join.comma in (None, word.comma):
            named = typed.Named(name, word.text, word.column)
            found.append(Trail(node, (*trail.parts, (edge.path, named))))

    for keyword in trail.node.keywords.get(word.text.casefold().rstrip("!.") or word.text, ()):
        follow(keyword, keyword.text, keyword.then)
    for choice in sorted(trail.node.choices, key=lambda choice: choice.last):
        if not (choice.last and found) and not (inside and choice.kind == "card"):
            for name in choice.reads(word.text, reach):
                follow(choice, name, choice.then(name))
    return found


class Reader:
    """
    Reads lines at one table in one state of its turns; keeps what it found out about the last.

    Attributes:
        table, state: The table, and what the earlier lines mean.
        walk: The walk along the grammar.
    """

    def __init__(
        self,
        table: Table,
        state: normalising.TurnState,
        start: Callable[[Grammar], Node | None] = Grammar.start,
        *,
        lenient: bool = False,
    ) -> None:
        self.table, self.state = table, state
        grammar = Grammar(table, state, lenient=lenient)
        self.lexicon = grammar.lexicon
        self.walk = Walk(start(grammar) or Node(), self.lexicon.cards, grammar.longest)

    def words(self, line: str) -> Words:
        """Return the words of a line."""
        lexicon = self.lexicon
        names = (*lexicon.places.names, *lexicon.things.names)
        return typed.words_of_line(line, names, lexicon.fillers)

    def meanings(self, words: Words, reach: Reach, faults: _Faults | None = None) -> Meanings:
        """Return what words mean: each observation, and how they were read; note what is wrong."""
        found: Meanings = {}
        for trail in self.walk.trails(words, reach)[-1] if words else ():
            if trail.node.whole is None:
                continue
            try:
                told = normalising.normalise(trail.node.whole(), self.table, self.state)
                found.setdefault(told, trail)
            except NotationError as error:
                if faults is not None:
                    faults.refused(error, trail)
            if len(found) == _MOST_MEANINGS:
                break
        worded = {told: trail for told, trail in found.items() if _has_verb(trail)}
        return worded or found

    def together(self, words: Words) -> Meanings:
        """
        Return what words mean of which one is all the cards without spaces: `plroha`.

        There may be more in it: who asks, and the answers.
        """
        found: Meanings = {}
        names = (self.lexicon.things, self.lexicon.holders)
        for place, word in enumerate(words):
            known = any(each.readings(word.text, reach=Reach.ALL) for each in names)
            if len(word.text) < 3 or len(word.text) > LONGEST_TOGETHER or known:
                continue
            letters = range(word.column, word.column + len(word.text))
            try:
                meanings = self.meanings(typed.letters_of(words, place), Reach.BEGINNINGS)
            except TooAmbiguous:
                continue
            for told, trail in meanings.items():
                listed = [named.column for path, named in trail.parts if path[:1] == ("cards",)]
                if len(listed) > 1 and all(column in letters for column in listed):
                    found[told] = trail
        return found

    def plainest(self, words: Words) -> Meanings:
        """Return what words mean, names looked for only as far as need be."""
        for reach in Reach:
            if found := self.meanings(words, reach):
                return found
        return self.together(words)

    def meaning(self, line: str) -> Observation | None:
        """Return the one thing that a line means; `None` if there is none or more than one."""
        try:
            found = self.plainest(self.words(line))
        except TooAmbiguous:
            return None
        return _the_one(found, line, self.table) if found else None


_recent: deque[tuple[Reader, bool]] = deque(maxlen=6)


def reader_of(table: Table, state: normalising.TurnState, *, lenient: bool = False) -> Reader:
    """Return what reads whole lines at a table in a state; the last few are kept."""
    for known, reads_all in tuple(_recent):
        if known.table is table and known.state == state and reads_all == lenient:
            return known
    made = Reader(table, state, lenient=lenient)
    _recent.append((made, lenient))
    return made


def _has_verb(trail: Trail) -> bool:
    return any(path == ("event",) for path, _ in trail.parts)


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
    return read_line(line, table, state).observation


class Told(NamedTuple):
    """
    A line that can be read, and all that it tells.

    Attributes:
        line: The line, without its comment.
        observation: What it tells, in its canonical form.
        guessed: Whose turn it is taken for, where that must be known and it does not say so.
        left_out: Who shows a card that it leaves out on purpose: `Cat shows ?`, `Cat ?`.
        unheard: Whether it ends in `?`: what may follow is left out on purpose.
        comment: What stands behind it.
    """

    line: str
    observation: Observation
    guessed: str | None = None
    left_out: frozenset[str] = frozenset()
    unheard: bool = False
    comment: str = ""


def read_line(line: str, table: Table, state: normalising.TurnState | None = None) -> Told:
    """Return all that a line tells; arguments and errors as of `parse_line`."""
    state = state or normalising.TurnState()
    body, comment = _checked(line), typed.split_comment(line)[1]
    plain = _plain_suggestion(body, table, typed.lexicon_of(table))
    if plain is not None:
        with suppress(normalising.InvalidObservation):
            whole = normalising.normalise(plain, table, state)
            return Told(body, whole, unheard=body.endswith("?"), comment=comment)
    told, trail = _read(line, body, table, state, Grammar.start)
    guessed = None
    if told.turn and not any(path == ("subject",) for path, _ in trail.parts):
        guessed = str(getattr(told, told.form.subject))
    seats = {path[:-1]: named.name for path, named in trail.parts if path[-1:] == ("seat",)}
    cards = (path[:-1] for path, named in trail.parts if named.name == "?")
    left_out = frozenset(seats[path] for path in cards if path in seats)
    return Told(body, told, guessed, left_out, body.endswith("?"), comment)


def told_as(
    observation: Observation,
    table: Table,
    *,
    left_out: frozenset[str] = frozenset(),
    unheard: bool = False,
) -> Told:
    """
    Return an observation as if its line had been read.

    Args:
        observation: In its canonical form.
        table: The table at which it was made.
        left_out: Who shows a card that is left out on purpose.
        unheard: Whether what it lacks at its end is left out on purpose.
    """
    line, tail = typed.format_line(observation, table), observation.form.tail
    match tail:
        case AnswerList(field=field) if left_out:
            said = [typed.format_answer(each) + (" ?" if each.seat in left_out else "")
                    for each in getattr(observation, field)]  # fmt: skip
            line = f"{line.partition(': ')[0]}: {', '.join(said)}"
        case SingleAnswer() if left_out:
            line = f"{line} ?"
        case AnswerList(field=field) | SingleAnswer(field=field) if unheard:
            if getattr(observation, field) in ((), "unheard"):
                line = f"{line}: ?"
        case Seen(name=name) if unheard and getattr(observation, name.field) is None:
            line = f"{line}: ?"
    return Told(line, observation, None, left_out, line.endswith("?"))


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
    state = state or normalising.TurnState()
    start: Callable[[Grammar], Node | None] = lambda grammar: grammar.after_verb(kind, subject)  # noqa: E731
    told, _ = _read(text, _checked(text), table, state, start, verb=kind.form.verb)
    return cast(normalising.Kind, told)


def _checked(line: str) -> str:
    """Return the line without its comment, unless it is empty or far too long."""
    body, comment = typed.split_comment(line)
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


def _read(
    line: str,
    body: str,
    table: Table,
    state: normalising.TurnState,
    start: Callable[[Grammar], Node | None],
    *,
    verb: str = "suggests",
) -> tuple[Observation, Trail]:
    """
    Return the one meaning of a line and its trail, names looked for only as far as need be.

    `verb` is what is told where the line has none.
    """
    reader = reader_of(table, state) if start is Grammar.start else Reader(table, state, start)
    words = reader.words(body)
    if not words:
        raise NotationError("expected an observation; found nothing", line=line)
    try:
        if not (meanings := reader.plainest(words)):
            lenient = Reader(table, state, start, lenient=True)
            if start is Grammar.start:
                lenient = reader_of(table, state, lenient=True)
            raise _Faults(lenient, words, verb).error(line)
    except TooAmbiguous:
        reason = "too many ways to read this: write the names out"
        raise NotationError(reason, line=line) from None
    if (one := _the_one(meanings, body, table)) is None:
        raise _misspelt_verb(reader, words, meanings, line) or _ambiguous(meanings, line, table)
    _refuse_no(meanings[one], reader.lexicon.seats, line)
    return one, meanings[one]


def _refuse_no(trail: Trail, seats: Names, line: str) -> None:
    """Refuse a `no` that was read as a player who answers: it says that somebody passes."""
    for path, named in trail.parts:
        no = named.text.casefold() in NO and not seats.whole(named.text)
        if no and path[-1:] == ("seat",) and named.name in seats:
            wanted = f"expected who shows, or {escape(named.name)} in full"
            reason = f"'{escape(named.text)}' says that somebody passes; {wanted}"
            raise NotationError(reason, line=line, column=named.column)


def _misspelt_verb(
    reader: Reader, words: Words, meanings: Meanings, line: str
) -> NotationError | None:
    """Return the error where a word that was read as several cards may be a verb with a slip."""
    starts = {word.column: word for word in words}
    columns = {named.column for trail in meanings.values() for _, named in trail.parts}
    for inside in sorted(columns - starts.keys()):
        word = starts[max(column for column in starts if column < inside)]
        verbs = (kind.form.verb for kind in kinds())
        spelt = ((verb, slips(word.text.casefold(), verb.removesuffix("s"))) for verb in verbs)
        found = {verb: slip for verb, slip in spelt if slip is not None}
        for verb in sorted(found, key=lambda each: found[each]):
            meant = line[: word.column] + verb + line[word.column + len(word.text) :]
            if reader.meaning(typed.split_comment(meant)[0]) is not None:
                reason = f"unknown word '{escape(word.text)}'; did you mean '{verb}'?"
                return NotationError(reason, line=line, column=word.column, nearest=(verb,))
    return None


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


def _the_one(meanings: Meanings, line: str, table: Table) -> Observation | None:
    """
    Return the one meaning; of several the one whose canonical line this is, in any case.

    Where they differ only in the order of their cards, it is the one in the edition's order.
    """
    if len(meanings) == 1:
        return cast(Observation, next(iter(meanings)))
    plain = " ".join(line.split())
    lines = {told: typed.format_line(told, table) for told in meanings}
    exact = [told for told, text in lines.items() if text == plain]
    folded = [told for told, text in lines.items() if text.casefold() == plain.casefold()]
    for same in (exact, folded):
        if len(same) == 1:
            return cast(Observation, same[0])
    if len({_in_any_order(told) for told in meanings}) == 1 and len(meanings) < _MOST_MEANINGS:
        every = table.edition.names
        order = lambda told: [every.index(card) for card in told.cards]  # noqa: E731
        return cast(Observation, min(meanings, key=order))
    return None


def _in_any_order(told: Event) -> Event:
    """Return the same with its cards in one order, where it lists some."""
    cards: tuple[str, ...] = getattr(told, "cards", ())
    return replace(told, cards=tuple(sorted(cards))) if cards else told


def _ambiguous(meanings: Meanings, line: str, table: Table) -> NotationError:
    """Say what can be read in several ways: one word where it is only that, else the line."""
    spots: dict[tuple[int, str], list[str]] = {}
    for trail in meanings.values():
        for _, named in trail.parts:
            if named.text.casefold() not in NO:  # who or what that is about, only the line says
                spots.setdefault((named.column, named.text), []).append(named.name)
    for (column, text), names in sorted(spots.items()):
        each = tuple(dict.fromkeys(names))
        if len(names) == len(meanings) and len(each) > 1:
            reason = f"'{escape(text)}' can be {joined(each)}"
            return NotationError(reason, line=line, column=column, nearest=each)
    lines = tuple(typed.format_line(told, table) for told in meanings)
    reason = " or ".join(f"'{escape(text, most=120)}'" for text in lines[:3])
    return NotationError(f"this can be {reason}", line=line, nearest=lines)


def parse_names(text: str, names: Names) -> tuple[str, ...]:
    """
    Return the different names that a text lists, with or without commas.

    Raises:
        NotationError: If it cannot be read, or in more than one way; with the place in it.
    """

    def after(listed: tuple[str, ...]) -> Node:
        left = tuple(name for name in names.names if name not in listed)
        then: Callable[[str], Node] = lambda name: after((*listed, name))  # noqa: E731
        choice = Choice(names, left, then)
        return Node(lambda: (choice,), whole=cast(Any, lambda: listed))

    words, walk = typed.words_in(text), Walk(after(()), names, names.longest)
    for reach in Reach:
        try:
            reached = walk.trails(words, reach)
        except TooAmbiguous:
            raise NotationError("too many ways to read this: write the names out") from None
        found = [trail.node.whole() for trail in reached[-1] if trail.node.whole]
        if len(found) > 1:
            ways = " or ".join(", ".join(cast(Any, way)) for way in found[:2])
            raise NotationError(f"this can be {ways}")
        if found:
            return cast(tuple[str, ...], found[0])
        if reach is Reach.WORDS:
            stuck = words[max(at for at, trails in enumerate(reached) if trails)]
    twice = names.readings(stuck.text)
    error = names.unknown(stuck.text) if len(twice) != 1 else (
        NotationError(f"{escape(twice[0])} is listed twice")
    )  # fmt: skip
    raise NotationError(error.reason, column=stuck.column, nearest=error.nearest)


class _Faults:
    """What is wrong with a line: what comes up where it can be read furthest."""

    def __init__(self, reader: Reader, words: Words, verb: str) -> None:
        self.reader, self.words, self.lexicon = reader, words, reader.lexicon
        self.verb = verb  # where the words have none
        last = next((word for word in words if word.text == ":"), None)
        self.end = last.column if last else words[-1].column + len(words[-1].text)
        self.found = NotationError("expected an observation", column=-1)

    def error(self, line: str) -> NotationError:
        """Return the error to raise."""
        self.reader.meanings(self.words, Reach.WORDS, self)
        if self.found.column < 0:
            reached = self.reader.walk.trails(self.words, Reach.WORDS)
            reached = [[each for each in trails if self._left(each) >= 0] for trails in reached]
            place = max(at for at, trails in enumerate(reached) if trails)
            for trail in reached[place]:
                if place == len(self.words):
                    end = self.words[-1].column + len(self.words[-1].text)
                    words = {each[0].text: None for each in trail.node.keywords.values()}
                    near = tuple(word for word in words if word != ":")
                    self.note(f"expected {trail.node.expected}; found nothing", end, near)
                else:
                    self.stuck(trail, place)
        found = self.found
        return NotationError(found.reason, line=line, column=found.column, nearest=found.nearest)

    def _left(self, trail: Trail) -> int:
        """Return how many cards a suggestion or an accusation may still name; 1 for all else."""
        edition, said = self.reader.table.edition, dict(trail.parts)
        verb = said[("event",)].name if ("event",) in said else self.verb
        listed = sum(path[:1] == ("cards",) for path, _ in trail.parts)
        most = {"suggests": edition.named, "accuses": len(edition.category)}
        return most.get(verb, listed + 1) - listed

    def note(self, reason: str, column: int, nearest: tuple[str, ...] = ()) -> None:
        """Note what is wrong and where; what was noted further on, or before, counts more."""
        if column > self.found.column:
            self.found = NotationError(reason, column=column, nearest=nearest)

    def refused(self, error: NotationError, trail: Trail) -> None:
        """Note that a reading makes no sense, at the column of the part at fault or around it."""
        path: Path = getattr(error, "path", ("subject",))
        columns = [
            min(there)
            for size in range(len(path), 0, -1)
            if (there := [named.column for at, named in trail.parts if at[:size] == path[:size]])
        ]
        first = self.words[0].column if path == ("subject",) else self.end
        self.note(error.reason, columns[0] if columns else first, error.nearest)

    def stuck(self, trail: Trail, place: int) -> None:
        """Note that nothing after a trail can be read from the word at `place`."""
        node, word = trail.node, self.words[place]
        if word.text == ":" and node.whole is not None:
            try:
                normalising.normalise(node.whole(), self.reader.table, self.reader.state)
            except NotationError as error:
                self.refused(error, trail)
                return
        said, verbs = word.text.casefold(), self._verbs(node)
        if verbs and said in (*PASSES, *SHOWS, *NOBODY):
            reason = f"expected the suggestion before its answers; found '{escape(word.text)}'"
            skips = "; a turn without one: 'skips'" if said in PASSES and place else ""
            self.note(f"{reason}{skips}{self._order() if place else ''}", word.column)
        elif any(choice.path == ("subject",) for choice in node.choices):
            self._beginning(word)
        else:
            forms = {form: each[0].text for form, each in node.keywords.items() if form != ":"}
            spelt = {form.split()[0]: text.split()[0] for form, text in forms.items()}
            found = {form: slips(said, form) for form in spelt if len(said) <= _LONGEST_NAME}
            near = [form for form, slip in found.items() if slip and slip[0] and not slip[1]]
            near = [] if self.lexicon.seats.exact(said) else near
            holds = bool(verbs) and said in ("has", "have")
            if near or holds:
                meant = "holds" if holds else spelt[min(near, key=lambda form: found[form] or ())]
                reason = f"unknown word '{escape(word.text)}'; did you mean '{meant}'?"
                self.note(reason, word.column, (meant,))
            else:
                self._unknown(trail, place)

    def _verbs(self, node: Node) -> list[str]:
        every = (keyword for each in node.keywords.values() for keyword in each)
        return [keyword.text for keyword in every if keyword.path == ("event",)]

    def _order(self) -> str:
        """Return the end of a message: whose turn it is, and who answers in which order."""
        table, turn = self.reader.table, self.reader.state.turn(self.reader.table)
        if turn is None:
            return "; a card shown to all: 'reveals'"
        return f"; it is {turn}'s turn, then {joined(table.answering(turn), 'and')} answer in order"

    def _beginning(self, word: typed.TypedWord) -> None:
        """Note that a line cannot begin with a word."""
        verbs = [kind.form.verb for kind in kinds() if kind.form.subject]
        seats, cards = self.lexicon.seats, self.lexicon.cards
        said = word.text.casefold()
        own = [verb for verb in verbs if said in (verb, verb.removesuffix("s"))]
        if word.text == ":":
            self.note("expected an observation before ':'; found nothing", 0)
        elif own:
            self.note(f"expected who {own[0]} before '{own[0]}'; found nothing", word.column)
        elif not {verb.removesuffix("s") for verb in verbs}.isdisjoint(
            each.text.casefold().removesuffix("s") for each in self.words[1:]
        ):
            error = seats.unknown(word.text)
            self.note(error.reason, word.column, error.nearest)
        else:
            error = Names("name", dict.fromkeys((*seats.names, *cards.names, *verbs))).unknown(
                word.text
            )
            wanted = f"a player, {joined(seats.names)}, or a card"
            unknown = f"unknown name '{escape(word.text)}'; expected {wanted}"
            self.note(error.reason if error.nearest else unknown, word.column, error.nearest)

    def _unknown(self, trail: Trail, place: int) -> None:
        """Note that a word is none of the names that may stand there."""
        node, word = trail.node, self.words[place]
        players = self.lexicon.seats.exact(word.text)
        found = f"the player {escape(players[0])}" if players else f"'{escape(word.text)}'"
        choices = () if players or word.text == ":" else node.choices
        full = not self._left(trail)
        choices = tuple(each for each in choices if not (full and each.path[:1] == ("cards",)))
        errors = [choice.names.unknown(word.text) for choice in choices]
        expected = node.expected
        if not (node.edges or node.expected) or (word.text == ":" and node.whole is not None):
            expected = f"nothing after '{escape(self.words[place - 1].text)}'"
        for error in errors:
            if error.nearest or not (":" in expected or ", or " in expected):
                self.note(error.reason, word.column, error.nearest)
        near: tuple[str, ...] = ()
        if players and trail.parts and trail.parts[-1][0][-1:] == ("seat",):
            near = (f"{trail.parts[-1][1].name} passes",)
            found += f"; did you mean '{near[0]}'?"
        self.note(f"expected {expected}; found {found}", word.column, near)
