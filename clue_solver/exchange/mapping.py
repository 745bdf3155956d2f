"""
What a person says of notes, what the notes say of themselves, and what is guessed of them.

A guess is a `Question` that has an answer already: it is shown, and counts once it is confirmed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from clue_solver.errors import printable
from clue_solver.notation import card_names
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.rules.edition import Answering, Edition, Side
from clue_solver.rules.edition_files import load_edition, shipped_editions
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Slot, Table

WRITERS = {"me", "i", "myself", "mine", "ich", "moi", "je", "yo", "io", "ik", "eu"}
"""What people call themselves in their own notes."""


class Said(Struct, frozen=True, kw_only=True):
    """
    What a person says about notes, each empty where nothing was said.

    Attributes:
        edition: The edition.
        players: The seats, clockwise.
        viewer: Whose notes these are.
        hands: Hand sizes in the order of the players, `None` for one unknown.
        hand: The viewer's own cards, as a line lists them.
        face_up, slots: Cards that lie open, and places of face-down cards.
        order, answers: What overrides the edition's order of answering.
        names: The language of the cards' names, besides the edition's own.
        columns: What columns mean, by title or letter.
        every_column: What all columns mean, in their order.
        marks: What marks mean.
        called: What cards and players are called here, with the names that are meant.
        leave: The rows that are left aside, by label or number.
        sheets: The sheets of a workbook that are meant.
    """

    edition: Edition | None = None
    players: tuple[str, ...] = ()
    viewer: str | None = None
    hands: tuple[int | None, ...] = ()
    hand: str = ""
    face_up: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    order: Side | None = None
    answers: Answering | None = None
    names: str | None = None
    columns: Mapping[str, str] = {}
    every_column: tuple[str, ...] = ()
    marks: Mapping[str, str] = {}
    called: Mapping[str, str] = {}
    leave: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()

    def meant(self, text: str) -> str:
        """Return the name that is meant by what the notes have."""
        known = {folded(name): meant for name, meant in self.called.items()}
        return known.get(folded(text), text)

    def leaves(self, row: int, label: str) -> bool:
        """Whether a row, counted from 0, is left aside."""
        left = {folded(aside) for aside in self.leave}
        return f"row {row + 1}" in left or (bool(label) and folded(label) in left)


class Question(NamedTuple):
    """
    What notes do not say, or what was guessed of them.

    Attributes:
        argument: The argument of `import_notes`.
        text: The question.
        about: The title, mark or name in question.
        guess: The answer if nobody gives another one; empty if one is needed.
        choices: The answers, if they are few.
        cells: In how many cells it occurs.
        row: The row or line; 0 if it is no single one.

    >>> from clue_solver.exchange.imports import Unclear, import_notes
    >>> try:
    ...     import_notes("card,Ann,Soln\\nPlum,yes,\\nRope,no,no\\n", edition="clue-classic")
    ... except Unclear as error:
    ...     print([(each.about, each.guess) for each in error.questions if each.about])
    [('Ann', 'Ann'), ('Soln', 'envelope')]
    """

    argument: str
    text: str
    about: str = ""
    guess: str = ""
    choices: tuple[str, ...] = ()
    cells: int = 0
    row: int = 0


class Findings:
    """
    What was found while notes were read.

    Attributes:
        said: What a person says of them, and what they say of themselves.
        questions: What has to be said or confirmed, by argument and subject.
        faults: What is wrong, each with its place.
        aside: What is left aside, in words.
        items: What everything was taken for.
        heard: The lines that say which cards are the writer's.
    """

    def __init__(self, said: Said) -> None:
        self.said = said
        self.heard: set[str] = set()
        self.questions: dict[tuple[str, str], Question] = {}
        self.faults: list[str] = []
        self.aside: list[str] = []
        self.items: list[Question] = []

    def leave_aside(self, row: int, text: str) -> None:
        """Keep what is not read of a row, once."""
        told = f"row {row + 1}, '{printable(text)}': not read"
        self.aside += [told] if told not in self.aside else []

    def ask(self, question: Question) -> None:
        """Keep a question, once."""
        self.questions.setdefault((question.argument, question.about), question)

    def ask_who_plays(self, askers: Iterable[str]) -> None:
        """Ask who plays; those who make suggestions are named."""
        names = joined(dict.fromkeys(filter(None, askers)), "and")
        known = f"{names} make suggestions. " if names else ""
        self.ask(Question("players", f"who plays? {known}Give all the players clockwise"))

    def name(self, names: Names, text: str, where: str) -> str | None:
        """Return the one name that a text stands for, asked about if it is misspelt; or `None`."""
        text = self.said.meant(text)
        meant = names.candidates(text)
        part = names.kind == "card" and not names.exact(text) and _is_part(text, names, meant)
        if len(meant) == 1 and not part:
            return meant[0]
        near = meant or names.nearest(text)
        guess = near[0] if len(near) == 1 and names.kind == "card" and not part else ""
        doubt = f"{where}: '{printable(text)}' is no {names.kind}"
        if len(meant) > 1:
            doubt = f"{where}: '{printable(text)}' can be {joined(meant)}"
        elif near:
            doubt = f"{where}: '{printable(text)}': did you mean {joined(near)}?"
        self.ask(Question("called", doubt, text, guess, tuple(near or names.names)))
        return guess or None


def _is_part(text: str, names: Names, meant: Sequence[str]) -> bool:
    """Whether a text is the beginning of a longer name: it may be another's whole name."""
    words = words_of(text)
    forms = (form for name in meant for form in names.forms[name])
    return any({*words, "room"} < {*form, "room"} and form[-1:] != words[-1:] for form in forms)


def folded(text: str) -> str:
    """
    Return a title or a mark as it is compared: no case, no spaces around, no variants of a sign.

    >>> folded(" Yes "), folded("✔\\ufe0f")
    ('yes', '✔')
    """
    return " ".join(text.translate(_VARIANTS).casefold().split())


SIGNS = str.maketrans(
    {"❌": " ✗", "✘": " ✗", "✅": " ✓", "✔": " ✓", "\ufe0f": "", "⇒": "→", "➔": "→", "➜": "→"}
)
"""What signs of answers are for the notation."""
_VARIANTS = dict.fromkeys((0xFE0E, 0xFE0F))


_DENIES = re.compile(
    r"(?i)\b(?:not?|never|without|lacks|cleared|ruled out|cannot|cant|couldnt|didnt|hasnt|nichts?|"
    r"pas|kein\w*)\b|n['\u2019]t\b|^no "
)


def denies(title: str) -> bool:
    """Whether a title says that those below it have not what is asked for: `hat nichts`."""
    return bool(_DENIES.search(title))


_UNSURE = re.compile(
    r"(?i)\?|\b(?:maybe|perhaps|prob\w*|poss\w*|might|could|think|guess|unsure|sure|likely|hunch|"
    r"vielleicht|wohl|evtl|quiz[áa]s?|creo|tal vez|forse|credo|peut-être|sans doute|misschien)\b"
)
"""What shows that a writer is not certain."""


def is_unsure(text: str) -> bool:
    """Whether a text shows that its writer is not certain."""
    return bool(_UNSURE.search(text))


def spelt(title: str) -> str:
    """Return a title's words: no punctuation, accents, case."""
    return " ".join(words_of(title.replace("_", " ")))


ACCUSES = re.compile(r"(?i)\b(?:accus|anklag|acus)\w*")
"""What stands beside the asker, or the cards, of an accusation."""


# The cards.


class Deck(NamedTuple):
    """The edition that notes are of, the language of its cards' names, and these names."""

    edition: Edition
    language: str | None
    names: Names

    def is_heading(self, text: str) -> bool:
        """Whether a text is the heading of a category rather than a card."""
        titles = {name for kind in self.edition.category for name in (kind.name, kind.plural)}
        words = words_of(text)
        return words in {words_of(title) for title in titles if title} or set(words) <= _HEADINGS

    def named(self, text: str) -> tuple[str, ...]:
        """Return the cards that a text names whole, suspects also by a word of their names."""
        word = words_of(text)
        if (found := self.names.exact(text)) or len(word) != 1 or len(word[0]) < 4:
            return found
        suspects = [name for name in self.edition.suspects if name in self.names.forms]
        called = [name for name in suspects if any(word[0] in f for f in self.names.forms[name])]
        return tuple(called) if len(called) == 1 else ()

    def cards_in(self, text: str) -> list[str]:
        """Return the cards that a text names whole, in their order."""
        words = re.findall(r"[^\W_](?:[\w'\u2019]|-(?=\w))*\.?", text)
        cards: list[str] = []
        at = 0
        while at < len(words):
            size = self.names.longest
            while size > 1 and not self.named(" ".join(words[at : at + size])):
                size -= 1
            cards += self.named(" ".join(words[at : at + size]))[:1]
            at += size
        return cards

    def one_of_each(self, cards: Iterable[str]) -> bool:
        """Whether cards are one of each category."""
        kinds = [self.edition.category_of[card] for card in cards]
        return len(kinds) == len(self.edition.category) == len(set(kinds))


_HEADINGS = {
    *("who", "what", "where", "how", "with", "cards", "card", "persons", "people", "characters"),
    *("places", "suspects", "weapons", "rooms"),
}
OWN = "own"
"""What stands for a language where cards are called as the edition calls them."""
USUAL = "clue-classic"
"""The edition that is taken where others with the very same cards fit as well."""
_STRAY = 2
"""How many words of another language may stand in notes by chance."""
_MOST_WORDS = 3_000
"""How many words are looked at to find the edition: more tell no more of it."""


def deck_of(texts: Iterable[str], findings: Findings) -> Deck:
    """
    Return the deck that has most of the names that stand in notes.

    It is asked for where several have, and have other cards or another order of answering.
    """
    said = findings.said
    editions = (said.edition,) if said.edition else map(load_edition, shipped_editions())
    decks = []
    for edition in editions:
        languages = (None, *edition.languages) if said.names is None else (said.names,)
        if said.names == OWN:
            languages = (None,)
        for language in languages:
            decks.append(
                Deck(edition, language, card_names(edition, language=language, initials=True))
            )
    words = {words_of(said.meant(part)) for text in texts for part in _parts(text)}
    words = {*sorted(words)[:_MOST_WORDS]}

    def rank(deck: Deck) -> tuple[int, bool, bool]:
        """How many names are not the deck's; own names; all cards named."""
        forms = {form: name for name, each in deck.names.forms.items() for form in each}
        parts = {(word,) for form in forms for word in form if len(word) > 3}  # `Gatow` alone
        found = words & (forms.keys() | parts)
        whole = {forms.get(form) for form in found} >= set(deck.edition.names)
        foreign = deck.language is not None
        return _STRAY * foreign - len(found), foreign, not whole

    ranks = {id(deck): rank(deck) for deck in decks}
    best = min(ranks.values())
    likely = [deck for deck in decks if ranks[id(deck)] == best]
    deck = next((deck for deck in likely if deck.edition.name == USUAL), likely[0])
    rules = {(each.edition.names, each.edition.order, each.edition.answers) for each in likely}
    if len({each.edition.name for each in likely}) > 1:
        alike = tuple(dict.fromkeys(each.edition.name for each in likely))
        text = f"these cards are in {joined(alike, 'and')}: which edition is it?"
        guess = deck.edition.name if len(rules) == 1 else ""
        findings.ask(Question("edition", text, "", guess, alike))
    return deck


def _parts(text: str) -> Iterator[str]:
    """Yield a text, and each few words that follow one another in it."""
    yield text
    words = re.findall(r"[\w'\u2019-]+\.?", text)
    for at in range(len(words)):
        for size in range(1, 4):
            yield " ".join(words[at : at + size])


# The players.


class People:
    """
    Who plays, and whose notes they are: finds the player that a text stands for.

    >>> people = People(("Ann", "Ben"), "Ann", Said())
    >>> people.find("me"), people.find("B*"), people.find("Soln"), people.find("Cat")
    ('Ann', 'Ben', 'envelope', None)
    """

    def __init__(self, seats: Sequence[str], viewer: str | None, said: Said) -> None:
        self.names = Names("player", seats)
        self.viewer = viewer
        self.said = said

    def find(self, text: str) -> str | None:
        """Return the player, or the envelope, that a text stands for; `None` if that is unclear."""
        text = self.said.meant(text)
        plain, inside = without_brackets(text)
        for name in (text, plain, inside):
            if len(found := self.names.exact(name)) == 1:
                return found[0]
        initials = [seat for seat in self.names.names if seat[0] == plain]
        if len(initials) == 1:  # `I` is Irene where she plays
            return initials[0]
        if folded(plain) in WRITERS:  # unless one of several calls themselves so
            return None if folded(self.viewer or "") in WRITERS else self.viewer
        if spelt(plain) in ENVELOPES or (plain and not spelt(plain)):
            return ENVELOPE
        readings = self.names.candidates(plain)
        return readings[0] if len(readings) == 1 else None

    def seats_in(self, text: str) -> list[str]:
        """
        Return the players that a text lists, with signs between or initials; none if any is none.

        >>> People(("Ann", "Ben", "Cat"), None, Said()).seats_in("B+C")
        ['Ben', 'Cat']
        """
        parts = [text] if self.find(text) else [part for part in PARTING.split(text) if part]
        if len(parts) == 1 and not self.find(text):
            letters = text.isdecimal() or (text.isupper() and folded(text) not in ("no", "yes"))
            parts = [*text] if letters else text.split()
        found = [self.find(part) for part in parts]
        seats = [seat for seat in found if seat is not None and seat != ENVELOPE]
        return seats if len(seats) == len(found) else []


PARTING = re.compile(r"\s*(?:[,;/&+|]|\b(?:and|with|in|using)\b)\s*")
"""What stands between the cards, or the players, of a list."""
_BRACKETS = re.compile(r"(.*?)\s*[(\[]\s*([^()\[\]]*?)\s*[)\]]\s*")
_ORNAMENT = re.compile(r"^[^\w(\[]+(?=\w)|[^\w\s.'\u2019()\[\]?!]+$")


def plain_name(text: str) -> str:
    """Return a name without the ornaments around it; it as it stands if it is nothing else."""
    return _ORNAMENT.sub("", text).strip() or text


def without_brackets(name: str) -> tuple[str, str]:
    """
    Return a name without what stands in brackets behind it and without ornaments; and the former.

    >>> without_brackets("Cat (Miss Scarlett)"), without_brackets("**B***"), without_brackets("???")
    (('Cat', 'Miss Scarlett'), ('B', ''), ('???', ''))
    """
    name = plain_name(name)
    match = _BRACKETS.fullmatch(name)
    return (match[1], match[2]) if match and match[1] else (name, "")


ENVELOPES = {
    *("envelope", "solution", "case file", "casefile", "umschlag", "enveloppe", "sobre", "busta"),
    *("envelop", "soln", "sol", "env", "killer", "murderer", "murder", "culprit", "crime", "case"),
    *("final", "secret", "hidden", "answer", "file", "confidential", "middle", "center", "centre"),
    *("pile", "guilty", "whodunnit", "whodunit", "dossier", "losung", "tater", "mord", "solucion"),
    *("soluzione", "oplossing", "coupable", "culpable", "truth", "unknown", "missing"),
}
"""What people call the envelope."""
SURE_ENVELOPES = {
    *("envelope", "solution", "case file", "casefile", "umschlag", "enveloppe", "sobre", "busta"),
    "envelop",
}
"""Which of these are nothing else."""


# The table.


def table_of(
    deck: Deck,
    players: Sequence[str],
    said: Said,
    *,
    viewer: str | None = None,
    hands: tuple[int | None, ...] = (),
    face_up: tuple[str, ...] = (),
    slots: tuple[Slot, ...] = (),
) -> Table:
    """
    Return the table: what a person says of it, and else what the notes say.

    Raises:
        SetupError: If there can be no such table.
        NotationError: If a name that was said is not one of it.
    """
    themselves = [seat for seat in players if seat.casefold() in WRITERS]
    if said.viewer:
        viewer = Names("player", (*players, SPECTATOR)).find(said.viewer)
    elif viewer is None and len(themselves) == 1:
        viewer = themselves[0]
    return Table(
        edition=deck.edition,
        seats=tuple(players),
        hands=said.hands or hands,
        viewer=None if viewer == SPECTATOR else viewer,
        face_up=tuple(map(deck.names.find, said.face_up)) or face_up,
        slots=said.slots or slots,
        order=said.order,
        answers=said.answers,
        language=deck.language,
    )
