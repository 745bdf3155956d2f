"""
The words of lines: a typed line taken apart into comment, words and their places, with the names
that the words can mean; and an observation written as the canonical line, by its declared form.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import asdict

from clue_solver.errors import ArgumentError
from clue_solver.notation.names import Names, Reach
from clue_solver.rules import forms
from clue_solver.rules.board import ground_of, places_in
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Answer, Event
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Table

_KEPT = 8

FILLERS = ("with", "in", "of", "and", "using")
"""Words that people put between cards, which tell nothing; unless names have them."""

TOTALS = tuple(map(str, range(1, 25)))
"""The totals that dice can show: four dice have at most 24 points."""
_TOTAL_NAMES = Names("total", TOTALS)

OPINION = re.compile(r"\(?\bi (?:think|guess|reckon|believe|suppose)\b\)?")
"""What is `maybe` behind what is said, or before a player; before cards it asks."""


class TypedWord(NamedTuple):
    """
    One word of a line.

    Attributes:
        text, column: The word, and where it begins.
        comma: Whether a comma separates it from the word before.
    """

    text: str
    column: int
    comma: bool


class Named(NamedTuple):
    """What some words of a line stand for, as they were typed, and their column."""

    name: str
    text: str
    column: int


def split_comment(line: str) -> tuple[str, str]:
    """
    Return the line up to its comment, and the comment without its mark.

    >>> split_comment("Ben peeks  # at last")
    ('Ben peeks', 'at last')
    """
    body, _, comment = line.partition("#")
    return body.rstrip(), comment.removeprefix(" ").rstrip()


_WORD = re.compile(r"[^\s,]+|,")
_SIGNED = re.compile(r",|(?<![^\s,])-|[-?](?![^\s,])|[^\s,]+?(?=[-?]?(?:[\s,]|$))")
"""Words of a line, in which a sign is one of its own where it is glued to another: `ben-`."""


def words_in(text: str, column: int = 0, word: re.Pattern[str] = _WORD) -> tuple[TypedWord, ...]:
    """Return the words of a part of a line that begins at `column`."""
    words: list[TypedWord] = []
    comma = False
    for match in word.finditer(text):
        if match[0] == ",":
            comma = True
        else:
            words.append(TypedWord(match[0], column + match.start(), comma))
            comma = False
    return tuple(words)


def words_of_line(
    line: str, names: Collection[str], fillers: Collection[str] = (), seats: Names | None = None
) -> tuple[TypedWord, ...]:
    """
    Return the words of a line; its colon is one of them, but for one behind who asks: `Tom: ...`.

    Where there is no colon `;` or `>` stands for it, except inside one of the `names`; `-` and `?`
    at the edge of a word are words of their own, unless names have them. The `fillers` are left
    out; a comma before one of them is before the next word.
    """
    signed = any(word[0] == "-" or word[-1] in "-?" for name in names for word in name.split())
    split = partial(words_in, word=_WORD if signed else _SIGNED)
    place = line.find(":")
    if place > 0 and seats is not None and line[place + 1 :].strip() and seats.whole(line[:place]):
        line = f"{line[:place]} {line[place + 1 :]}"
        place = line.find(":")
    if place < 0 and (";" in line or ">" in line):
        taken = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        masked = line
        if any(mark in name for name in names for mark in ";>"):
            masked = re.sub(taken, lambda match: "x" * len(match[0]), line)
        sign = re.search("[;>]", masked)
        place = sign.start() if sign else -1
    if place < 0:
        return _told(split(line), fillers)
    after = split(line[place + 1 :], place + 1)
    first = tuple(word._replace(comma=False) for word in after[:1])
    before = _told(split(line[:place]), fillers)
    return (*before, TypedWord(":", place, False), *_told((*first, *after[1:]), fillers))


def _told(words: Sequence[TypedWord], fillers: Collection[str]) -> tuple[TypedWord, ...]:
    """Return the words without those that tell nothing."""
    kept: list[TypedWord] = []
    comma = False
    for word in words:
        if word.text.casefold() in fillers:
            comma = comma or word.comma
        else:
            kept.append(word._replace(comma=word.comma or comma))
            comma = False
    return tuple(kept)


def text_of(words: Sequence[TypedWord]) -> str | None:
    """Return the words with one space between; `None` where a comma or the colon is between."""
    if len(words) == 1:
        return words[0].text
    if any(word.comma or word.text == ":" for word in words[1:]) or words[0].text == ":":
        return None
    return " ".join(word.text for word in words)


def inside_names(words: Sequence[TypedWord], names: Names) -> set[int]:
    """Return the places inside a whole name of several words, where no other name may begin."""
    inside: set[int] = set()
    for place in range(len(words)):
        for end in range(place + 2, min(len(words), place + names.longest) + 1):
            text = text_of(words[place:end])
            if text is None:
                break
            if names.whole(text):
                inside.update(range(place + 1, end))
    return inside


class Deck:
    """
    The names of one edition in one language, which are the same at every table; as in `Lexicon`.

    Attributes:
        fillers: Words that tell nothing, where no holder is called so.
    """

    def __init__(self, edition: Edition, language: str | None) -> None:
        self.cards = card_names(edition, language=language)
        self.features = Names("colour", edition.features, aliases=edition.aliases)
        self.things = card_names(edition, features=True, language=language)
        self.rooms = self.cards.only("room", edition.rooms)
        short = {face: (name,) for face, name in zip(edition.faces, edition.dice, strict=True)}
        named = {**edition.aliases, **short}
        counted = edition.board is not None and edition.board.icon  # in the total
        faces = edition.features if counted else (*edition.features, *short)
        self.faces = Names("face", faces, aliases=named)
        self.icons = Names("icon", short if counted else (), aliases=short)
        self.fillers = tuple(word for word in FILLERS if not self._names(word))
        self._beginnings: dict[str, tuple[str, ...]] = {}
        self._edition = edition

    @cached_property
    def suspects(self) -> Names:
        """Who can be played."""
        return self.things.only("suspect", self._edition.suspects)

    @cached_property
    def squares(self) -> Names:
        """The squares of the board; none where there is no drawn one."""
        ground = ground_of(self._edition.board, self._edition.rooms)
        return Names("square", (ground.names[square] for square in places_in(ground.free)))

    @cached_property
    def spots(self) -> Names:
        """Rooms and squares."""
        return Names("room or square", (*self.rooms.names, *self.squares.names))

    def beginnings(self, verb: str) -> tuple[str, ...]:
        """Return the beginnings of a verb, two letters or more, that begin no name of these."""
        if verb not in self._beginnings:
            every = (verb[:size] for size in range(2, len(verb) - 1))
            self._beginnings[verb] = tuple(text for text in every if not self._names(text))
        return self._beginnings[verb]

    def _names(self, word: str) -> bool:
        """Whether a word can stand for a card or a feature."""
        return any(names.readings(word, reach=Reach.ALL) for names in (self.things, self.cards))


class Lexicon:
    """
    The names that lines at one table are made of, by the place in the line where they stand.

    Attributes:
        cards, features, seats: The names of each.
        things: Cards and features, which questions are about.
        rooms, squares: Where a piece moves.
        totals, faces, icons: What dice show; the faces that count 1 in a total.
        kind: The name of each card's category.
        marked: The cards that each feature marks.
        face_up: The cards that lie open, which no holder has.
        table: One of the tables that have these names.
    """

    def __init__(self, table: Table) -> None:
        edition = table.edition
        deck = deck_of(edition, table.language)
        self.cards, self.things, self.features = deck.cards, deck.things, deck.features
        self.rooms, self.faces, self.icons = deck.rooms, deck.faces, deck.icons
        self._called = _own_words(table)
        self.seats = Names("player", table.seats, aliases=self._called)
        self.totals = _TOTAL_NAMES
        self.table = table
        self._deck = deck
        self.face_up = table.face_up
        self.kind = edition.category_of
        self.marked = edition.features
        self._beginnings: dict[str, tuple[str, ...]] = {}

    # What most lines of a record do not need is made when it is first asked for.

    @cached_property
    def viewers(self) -> Names:
        """Whose view it can be: seats and `spectator`."""
        return Names("viewer", (SPECTATOR, *self.table.seats))

    @cached_property
    def places(self) -> Names:
        """Seats and face-down slots, which one looks at."""
        slots = tuple(slot.name for slot in self.table.slots)
        kind = "player or face-down slot" if slots else "player"
        return Names(kind, self.table.seats + slots, aliases=self._called)

    @cached_property
    def holders(self) -> Names:
        """Seats, slots and the envelope, which one knows about."""
        return Names("holder", (*self.places.names, ENVELOPE), aliases=self._called)

    @cached_property
    def clues(self) -> Names:
        """The kinds of clue cards."""
        return Names("clue card", self.table.clues)

    @cached_property
    def fillers(self) -> frozenset[str]:
        """Words that tell nothing at this table."""
        return frozenset(word for word in self._deck.fillers if not self._holds(word))

    @cached_property
    def squares(self) -> Names:
        """The squares of the board."""
        return Names("square", ()) if self.table.board == "none" else self._deck.squares

    @cached_property
    def spots(self) -> Names:
        """Where a piece can stand: rooms and squares."""
        drawn = self.table.board != "none"
        return self._deck.spots if drawn else Names("room or square", self.rooms.names)

    def cell(self, card: str, holder: str) -> tuple[str, str]:
        """
        Return the card in play and the holder that two typed names stand for.

        Raises:
            NotationError: If there is no such card or holder, or more than one.
            ArgumentError: If the card lies face-up.
        """
        card = self.cards.find(card)
        holder = self.holders.find(holder)
        if card in self.face_up:
            reason = f"{card} is face-up on the table: everybody sees where it is"
            raise ArgumentError(reason, argument="card")
        return card, holder

    def of(self, bearers: forms.Bearers) -> Names:
        """Return the names that can stand in a place of a line."""
        names: Names = getattr(self, bearers)
        return names

    def beginnings(self, verb: str) -> tuple[str, ...]:
        """Return the beginnings of a verb that are read for it: two letters or more, no name."""
        if verb not in self._beginnings:
            self._beginnings[verb] = tuple(
                text for text in self._deck.beginnings(verb) if not self._holds(text)
            )
        return self._beginnings[verb]

    def _holds(self, word: str) -> bool:
        """Whether a word can stand for a holder."""
        return bool(self.holders.readings(word, reach=Reach.ALL))

    def marked_by(self, things: Sequence[str]) -> tuple[str, ...]:
        """Return the cards among cards and features: themselves, and those that a feature marks."""
        return tuple(card for thing in things for card in self.marked.get(thing, (thing,)))


def _own_words(table: Table) -> Mapping[str, Sequence[str]]:
    """
    Return what the viewer may call themselves, by seat: `me` and `i`.

    A player whose name begins so may be meant as well, and then it has to be asked.
    """
    called: dict[str, list[str]] = {}
    for word in ("me", "i") if table.viewer else ():
        if word not in [seat.casefold() for seat in table.seats]:
            for seat in table.seats:
                if seat == table.viewer or seat.casefold().startswith(word):
                    called.setdefault(seat, []).append(word)
    return called


def card_initials(edition: Edition) -> dict[str, str]:
    """
    Return the initials that belong to one card alone, of its name or title, with that card.

    >>> from clue_solver import load_edition
    >>> initials = card_initials(load_edition("clue-classic"))
    >>> initials["LP"], initials["PP"], "MG" in initials
    ('Lead Pipe', 'Plum', True)
    """
    named: dict[str, set[str]] = {}
    for card in edition.cards:
        for words in (card.name.split(), (card.title or "").split()):
            if len(words) > 1:
                named.setdefault("".join(word[0] for word in words).upper(), set()).add(card.name)
    taken = {alias.upper() for card in edition.cards for alias in (card.name, *card.aliases)}
    return {
        text: cards.pop() for text, cards in named.items() if len(cards) == 1 and text not in taken
    }


def card_names(
    edition: Edition, *, features: bool = False, language: str | None = None, initials: bool = False
) -> Names:
    """
    Return the names of the edition's cards, and of its features and `initials` where wanted.

    What the cards are called in a `language` that is turned on are aliases.

    >>> from clue_solver import load_edition
    >>> card_names(load_edition("clue-classic"), language="de").find("heizungsrohr")
    'Lead Pipe'
    """
    titles = {card.name: card.title for card in edition.cards}
    aliases = {
        card.name: (*card.aliases, *edition.also_called(card.name, language))
        for card in edition.cards
    }
    for card in edition.cards:  # `Brains red` is Brains Scarlett
        called = edition.aliases.get(card.feature or "", ())
        others = (card.name.replace(str(card.feature), alias) for alias in called)
        aliases[card.name] = (*aliases[card.name], *others)
    for text, name in card_initials(edition).items() if initials else ():
        aliases[name] = (*aliases[name], text)
    if not features:
        return Names("card", edition.names, titles=titles, aliases=aliases)
    names = (*edition.features, *edition.names)
    return Names("card", names, titles=titles, aliases={**aliases, **edition.aliases})


_Of = TypeVar("_Of")
_Made = TypeVar("_Made")
_Recent = dict[Any, tuple[_Of, _Made]]
_decks: _Recent[Edition, Deck] = {}
_lexicons: _Recent[Table, Lexicon] = {}
_shared: _Recent[Edition, Lexicon] = {}

_NOT_OF_LINES = frozenset({"edition", "hands", "pieces", "solution", "first", "game"})
"""What a table says that has no part in its names."""


def deck_of(edition: Edition, language: str | None) -> Deck:
    """Return the names of an edition in a language; those of the last few are kept."""
    key = id(edition), language
    return _kept(_decks, key, edition, lambda: Deck(edition, language))


def lexicon_of(table: Table) -> Lexicon:
    """Return the table's names, the same for tables alike; those of the last few are kept."""
    return _kept(_lexicons, id(table), table, lambda: _shared_by(table))


def _shared_by(table: Table) -> Lexicon:
    """Return the names of all tables that differ at most in what was dealt there, and to whom."""
    said = (value for key, value in asdict(table).items() if key not in _NOT_OF_LINES)
    key = id(table.edition), *said
    return _kept(_shared, key, table.edition, lambda: Lexicon(table))


def _kept(recent: _Recent[_Of, _Made], key: Any, of: _Of, make: Callable[[], _Made]) -> _Made:
    """Return what was made of the very same object, or make it and let go of the oldest."""
    known = recent.get(key)
    if known is not None and known[0] is of:
        return known[1]
    while len(recent) >= _KEPT:
        recent.pop(next(iter(recent)), None)
    made = make()
    recent[key] = (of, made)
    return made


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
    line = " ".join((subject, verb, *_parts(form.parts, get)))
    tail = _tail(form, get, table)
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
            case forms.Dice(total=total, icons=icons, dice=dice):
                if get(total) is not None:
                    yield ", ".join((str(get(total)), *(get(icons) or ())))
                elif get(dice):
                    yield ", ".join(get(dice))
            case forms.Several(fields=fields, between=between):
                field = next((key for key in fields if get(key)), "")
                if field:
                    word = field if len(fields) > 1 else word
                    names = (f" {between} " if between else ", ").join(get(field))
                    yield f"{word} {names}".lstrip()


def _tail(form: forms.Form, get: _Get, table: Table) -> str:
    """Return what stands after the colon; empty where nothing does."""
    match form.tail:
        case forms.AnswerList(field=field):
            return _answers(get(field) or (), table)
        case forms.SingleAnswer(field=field, card=card):
            answer = Answer(answer=get(field) or "unheard", card=get(card))
            return "" if answer.answer == "unheard" else format_answer(answer)
        case forms.Seen(name=name):
            return get(name.field) or ""
        case forms.Verdict(field=field, words=words):
            return next((word for word, meaning in words.items() if meaning == get(field)), "")
    return ""


def _answers(answers: tuple[Answer, ...], table: Table) -> str:
    passes = all(one.answer == "passes" for one in answers)
    if passes and len(answers) == len(table.seats) - 1:
        return "nobody shows"
    return ", ".join(map(format_answer, answers))


def format_answer(answer: Answer) -> str:
    """Return what a line says of one answer."""
    said = "?" if answer.answer == "unheard" else answer.answer
    return " ".join(filter(None, (answer.seat, said, answer.card)))
