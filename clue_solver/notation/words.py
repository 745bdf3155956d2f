"""
The words of lines: a typed line taken apart into comment, words and their places, with the names
that the words can mean; and an observation written as the canonical line, by its declared form.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from clue_solver.errors import ArgumentError, NotationError, escape
from clue_solver.notation.names import Names, Reach
from clue_solver.rules import forms
from clue_solver.rules.edition import MOST_CARDS, Edition
from clue_solver.rules.observations import Answer, Event
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Table

_MOST_LISTS = 2_000
_KEPT = 8
Path = tuple[str | int, ...]
"""A part of an observation: names of fields and places in lists, outermost first."""

_MOST_STEPS = 20_000


class TypedWord(NamedTuple):
    """One word of a line, its column, and whether a comma separates it from the word before."""

    text: str
    column: int
    cut: bool


class Named(NamedTuple):
    """What some words of a line stand for, as they were typed, and their column."""

    name: str
    text: str
    column: int


class TooAmbiguous(Exception):
    """There are too many ways to read a list of names."""


class UnknownWord(Exception):
    """No name begins at `word`, the furthest to which a list can be read."""

    def __init__(self, word: TypedWord) -> None:
        self.word = word
        super().__init__(word.text)


def split_comment(line: str) -> tuple[str, str]:
    """
    Return the line up to its comment, and the comment without its mark.

    >>> split_comment("Ben peeks  # at last")
    ('Ben peeks', 'at last')
    """
    body, _, comment = line.partition("#")
    return body.rstrip(), comment.removeprefix(" ").rstrip()


def divided(line: str, names: Collection[str]) -> tuple[str, str, int]:
    """
    Return the parts of a line before and after its colon, and the column of the second.

    Where there is no colon `>` stands for it, except inside one of the `names`.
    """
    place = line.find(":")
    if place < 0 and ">" in line:
        taken = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        masked = line
        if any(">" in name for name in names):
            masked = re.sub(taken, lambda found: "x" * len(found[0]), line)
        place = masked.find(">")
    if place < 0:
        return line, "", len(line)
    return line[:place], line[place + 1 :], place + 1


def words_in(text: str, column: int) -> tuple[TypedWord, ...]:
    """Return the words of a part of a line that begins at `column`."""
    found: list[TypedWord] = []
    cut = False
    for match in re.finditer(r"[^\s,]+|,", text):
        if match[0] == ",":
            cut = True
        else:
            found.append(TypedWord(match[0], column + match.start(), cut))
            cut = False
    return tuple(found)


def text_of(words: Sequence[TypedWord]) -> str | None:
    """Return the words with one space between; `None` where a comma stands between them."""
    if len(words) == 1:
        return words[0].text
    if any(word.cut for word in words[1:]):
        return None
    return " ".join(word.text for word in words)


class _Step(NamedTuple):
    end: int
    text: str
    names: tuple[str, ...]


def listings(
    words: Sequence[TypedWord], names: Names, reach: Reach, *, between: str = ""
) -> Iterator[tuple[Named, ...]]:
    """
    Yield the ways to read words as a list of different names, the word between them first, then
    longer names.

    Commas part names, and words that spell a whole name stay together unless `reach` is `ALL`.
    Where every way names something twice, one of them is yielded.

    Args:
        words: The words of the list; at least one.
        names: The names that may stand in it.
        reach: How far to look for what the words mean.
        between: A word that may stand between two names.

    Raises:
        UnknownWord: If there is no way to read them.
        TooAmbiguous: If there are too many ways.
    """
    steps = _steps(words, names, reach, between)
    ends = [False] * len(words) + [True]
    for place in range(len(words) - 1, -1, -1):
        ends[place] = any(ends[step.end] for step in steps.get(place, ()))
    if not ends[0]:
        raise UnknownWord(words[max(steps)])
    different = _different(words, steps, ends)
    first = next(different, None)
    if first is None:
        yield _plainest(words, steps, ends)
    else:
        yield first
        yield from different


def _steps(
    words: Sequence[TypedWord], names: Names, reach: Reach, between: str
) -> dict[int, list[_Step]]:
    """For each place that can be reached from the first, the names that may begin there."""
    inside = set() if reach is Reach.ALL else _inside(words, names)
    steps: dict[int, list[_Step]] = {}
    reached = {0}
    for place in range(len(words)):
        if place not in reached:
            continue
        found = steps[place] = []
        for end in range(min(len(words), place + names.longest), place, -1):
            text = None if end in inside else text_of(words[place:end])
            if text is not None and (meant := names.readings(text, reach=reach)):
                found.append(_Step(end, text, meant))
        if between and 0 < place < len(words) - 1 and words[place].text.casefold() == between:
            found.insert(0, _Step(place + 1, between, ()))  # where "or" begins a name as well
        reached.update(step.end for step in found)
    return steps


def _inside(words: Sequence[TypedWord], names: Names) -> set[int]:
    """Places inside a whole name of several words, where no other name may begin."""
    inside: set[int] = set()
    if all(word.cut for word in words[1:]):
        return inside
    for place in range(len(words)):
        for end in range(place + 2, min(len(words), place + names.longest) + 1):
            text = text_of(words[place:end])
            if text is None:
                break
            if names.whole(text):
                inside.update(range(place + 1, end))
    return inside


def _different(
    words: Sequence[TypedWord], steps: dict[int, list[_Step]], ends: list[bool]
) -> Iterator[tuple[Named, ...]]:
    taken = 0

    def rest(place: int, before: tuple[Named, ...]) -> Iterator[tuple[Named, ...]]:
        nonlocal taken
        taken += 1
        if taken > _MOST_STEPS:
            raise TooAmbiguous
        if place == len(words):
            yield before
            return
        if len(before) > MOST_CARDS:
            return
        for step in steps[place]:
            if not ends[step.end]:
                continue
            if not step.names:
                yield from rest(step.end, before)
            for name in step.names:
                if all(name != other.name for other in before):
                    named = Named(name, step.text, words[place].column)
                    yield from rest(step.end, (*before, named))

    return rest(0, ())


def _plainest(
    words: Sequence[TypedWord], steps: dict[int, list[_Step]], ends: list[bool]
) -> tuple[Named, ...]:
    """The first way to read the words, whatever it names twice."""
    found: list[Named] = []
    place = 0
    while place < len(words):
        step = next(step for step in steps[place] if ends[step.end])
        if step.names:
            found.append(Named(step.names[0], step.text, words[place].column))
        place = step.end
    return tuple(found)


class Lexicon:
    """
    The names that lines at one table are made of, by the place in the line where they stand.

    Attributes:
        cards, features, seats: The names of each.
        things: Cards and features, which questions are about.
        viewers: Whose eyes: seats and `spectator`.
        places: Seats and face-down slots, which one looks at.
        holders: Seats, slots and the envelope, which one knows about.
        kind: The name of each card's category.
        marked: The cards that each feature marks.
        face_up: The cards that lie open, which no holder has.
    """

    def __init__(self, table: Table) -> None:
        edition = table.edition
        slots = tuple(slot.name for slot in table.slots)
        self.cards = card_names(edition)
        self.features = Names("colour", edition.features, aliases=edition.aliases)
        self.things = card_names(edition, features=True)
        self.seats = Names("player", table.seats)
        self.viewers = Names("viewer", (SPECTATOR, *table.seats))
        self.places = Names("player or face-down slot" if slots else "player", table.seats + slots)
        self.holders = Names("holder", (*table.seats, *slots, ENVELOPE))
        self.face_up = table.face_up
        self.kind = edition.category_of
        self.marked = edition.features

    def cell(self, card: str, holder: str) -> tuple[str, str]:
        """
        Return the card in play and the holder that two typed names stand for.

        Raises:
            NotationError: If there is no such card or holder, or more than one.
            ArgumentError: If the card lies face-up.
        """
        card, holder = self.cards.find(card), self.holders.find(holder)
        if card in self.face_up:
            reason = f"{card} lies face-up on the table: everybody sees where it is"
            raise ArgumentError(reason, argument="card")
        return card, holder

    def of(self, bearers: forms.Bearers) -> Names:
        """Return the names that can stand in a place of a line."""
        names: Names = getattr(self, bearers)
        return names

    def marked_by(self, things: Sequence[str]) -> tuple[str, ...]:
        """Return the cards among cards and features: themselves, and those that a feature marks."""
        return tuple(card for thing in things for card in self.marked.get(thing, (thing,)))


def card_names(edition: Edition, *, features: bool = False) -> Names:
    """Return the names of the edition's cards, and of its features too where they are wanted."""
    titles = {card.name: card.title for card in edition.cards}
    aliases = {card.name: card.aliases for card in edition.cards}
    if not features:
        return Names("card", edition.names, titles=titles, aliases=aliases)
    names = (*edition.features, *edition.names)
    return Names("card", names, titles=titles, aliases={**aliases, **edition.aliases})


_recent: dict[int, tuple[Table, Lexicon]] = {}


def lexicon_of(table: Table) -> Lexicon:
    """Return the table's names; those of the last few tables are kept."""
    known = _recent.get(id(table))
    if known is not None and known[0] is table:
        return known[1]
    while len(_recent) >= _KEPT:
        _recent.pop(next(iter(_recent)), None)
    made = Lexicon(table)
    _recent[id(table)] = (table, made)
    return made


class Finder:
    """
    Looks words up in a table's names, as far as `reach`.

    Attributes:
        lexicon: The table's names.
        reach: How far to look for what the words mean.
        end: The column after the last word before the colon.
        failure: Why a reading came to an end: of all of them the one that came furthest.
    """

    def __init__(self, lexicon: Lexicon, reach: Reach, end: int) -> None:
        self.lexicon, self.reach, self.end = lexicon, reach, end
        self.failure = NotationError("expected an observation")
        self._furthest = (-1, False)

    def fail(
        self, reason: str, column: int, *, nearest: tuple[str, ...] = (), read: bool = False
    ) -> None:
        """
        Note why a reading came to an end.

        Args:
            reason: In words.
            column: How far it came.
            nearest: What may have been meant.
            read: Whether the line could be read to its end and only made no sense.
        """
        if (column, read) > self._furthest:
            self._furthest = (column, read)
            self.failure = NotationError(reason, column=column, nearest=nearest)

    def unknown(self, word: TypedWord, names: Names, *, instead: str = "") -> None:
        """
        Note that the word is none of the names.

        Args:
            word: The word.
            names: The names that may stand there.
            instead: What else may stand there, in words.
        """
        if (word.column, False) <= self._furthest:
            return
        error = names.unknown(word.text)
        players = self.lexicon.seats.exact(word.text)
        if players or (instead and not error.nearest):
            what = f"the player {escape(players[0])}" if players else f"'{escape(word.text)}'"
            wanted = f"{names.expected}{instead and f', or {instead}'}"
            self.fail(f"expected {wanted}; found {what}", word.column)
        else:
            self.fail(error.reason, word.column, nearest=error.nearest)

    def meant(
        self, words: Sequence[TypedWord], names: Names, *, among: Sequence[str] | None = None
    ) -> tuple[Named, ...]:
        """Return what all the words together can mean."""
        if not 0 < len(words) <= names.longest or (text := text_of(words)) is None:
            return ()
        found = names.readings(text, reach=self.reach, among=among)
        return tuple(Named(name, text, words[0].column) for name in found)

    def one(self, words: Sequence[TypedWord], names: Names, wanted: str) -> tuple[Named, ...]:
        """
        Return what all the words together can mean; if they mean nothing, that is noted.

        Args:
            words: The words; there may be none.
            names: The names that may stand there.
            wanted: What is expected there, in words.
        """
        if not words:
            self.fail(f"expected {wanted}; found nothing", self.end)
            return ()
        if found := self.meant(words, names):
            return found
        text = text_of(words)
        if text is None:
            several = ", ".join(word.text for word in words)
            self.fail(f"expected {wanted}; found '{escape(several)}'", words[0].column)
        else:
            self.unknown(words[0]._replace(text=text), names)
        return ()

    def who(self, words: Sequence[TypedWord], verb: str) -> tuple[Named, ...]:
        """Return the seats that the words before a verb can mean."""
        if not words:
            self.fail(f"expected who {verb} before '{verb}'; found nothing", 0)
            return ()
        return self.one(words, self.lexicon.seats, f"who {verb}")

    def many(
        self,
        words: Sequence[TypedWord],
        names: Names,
        *,
        between: str = "",
        instead: str = "",
        fits: Callable[[int], bool] = bool,
    ) -> Iterator[tuple[Named, ...]]:
        """
        Yield the lists of names that the words spell; if they spell none, that is noted.

        Args:
            words: The words; there may be none.
            names: The names that may stand there.
            between: A word that may stand between two names.
            instead: What may stand after the last of them, in words.
            fits: Whether a list of that length will do. One of another length is yielded only
                where none will do.
        """
        if not words:
            yield ()
            return
        odd: list[tuple[Named, ...]] = []
        fitting = False
        try:
            for found in islice(listings(words, names, self.reach, between=between), _MOST_LISTS):
                if fits(len(found)):
                    fitting = True
                    yield found
                elif not odd:
                    odd.append(found)
        except UnknownWord as stop:
            self.unknown(stop.word, names, instead=instead)
        if not fitting:
            yield from odd


_Get = Callable[[str], Any]


def format_line(observation: Event, table: Table) -> str:
    """Return the canonical line of an observation that `normalise` or `parse_line` returned."""
    return _line(observation.form, partial(getattr, observation), table)


def format_told(observation: Event) -> str:
    """Return what a line tells behind its verb, without an answer: `Ben has Rope or Hall`."""
    return " ".join(_parts(observation.form.parts, partial(getattr, observation)))


def format_beginning(kind: type[Event], fields: Mapping[str, Any], table: Table) -> str:
    """Return the line of an observation of which only some fields are known so far."""
    return _line(kind.form, fields.get, table)


def _line(form: forms.Form, get: _Get, table: Table) -> str:
    subject = get(form.subject) if form.subject else "nobody"
    verb = f"{form.verb} {form.particle}" if form.particle else form.verb
    line, tail = " ".join((subject, verb, *_parts(form.parts, get))), _tail(form, get, table)
    return f"{line}: {tail}" if tail else line


def _parts(parts: Sequence[forms.Part], get: _Get) -> Iterator[str]:
    """Yield the words of the parts; a word of the notation only before what is told."""
    word = ""
    for part in parts:
        match part:
            case forms.Word(texts=texts):
                word, *_ = texts
            case forms.Name(field=field):
                if (name := get(field)) is not None:
                    yield f"{word} {name}".lstrip()
            case forms.Several(fields=fields, between=between):
                field = next((each for each in fields if get(each)), "")
                if field:
                    word = field if len(fields) > 1 else word
                    names = (f" {between} " if between else ", ").join(get(field))
                    yield f"{word} {names}".lstrip()


def _tail(form: forms.Form, get: _Get, table: Table) -> str:
    """Return what stands after the colon; empty where nothing does."""
    match form.tail:
        case forms.Answers(field=field):
            return _answers(get(field) or (), table)
        case forms.OneAnswer(field=field, card=card):
            answer = Answer(answer=get(field) or "unheard", card=get(card))
            return "" if answer.answer == "unheard" else format_answer(answer)
        case forms.Seen(name=name):
            return get(name.field) or ""
        case forms.Verdict(field=field, words=words):
            return next((word for word, meaning in words.items() if meaning == get(field)), "")
    return ""


def _answers(answers: tuple[Answer, ...], table: Table) -> str:
    if len(answers) == len(table.seats) - 1 and all(one.answer == "passes" for one in answers):
        return "nobody shows"
    return ", ".join(map(format_answer, answers))


def format_answer(answer: Answer) -> str:
    """Return what a line says of one answer."""
    if answer.answer == "unheard":
        return "?"
    return " ".join(filter(None, (answer.seat, answer.answer, answer.card)))
