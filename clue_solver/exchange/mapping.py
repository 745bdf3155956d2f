"""
What the columns and names of a sheet mean: guessed by titles and contents, or as a person says.

A guess is a `Question` that has an answer already: it is shown, and counts once it is confirmed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from msgspec import Struct

from clue_solver.errors import ArgumentError, NotationError, printable
from clue_solver.exchange.tables import Sheet, letter
from clue_solver.notation import card_names
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.rules.edition import Answering, Edition, Side, load_edition, shipped_editions
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Slot, Table

WRITERS = {"me", "i", "myself", "mine", "ich", "moi", "je", "yo", "io", "ik", "eu"}
"""What people call themselves in their own notes."""

MINE, FACE_DOWN, OPEN, SIZES = "(me)", "face-down ", "table", "hand size"
"""What a pad of this program writes beside a viewer and before a slot; a column and a row of it."""


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
        argument: The argument of `import_notes` that says it.
        text: What is asked.
        about: The title, mark or name that it is about.
        guess: The answer that is taken if nobody says otherwise; empty if it has to be said.
        choices: The answers, if they are few.
        cells: In how many cells it stands.

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


class Findings:
    """
    What was found while notes were read.

    Attributes:
        questions: What has to be said or confirmed, by argument and subject.
        faults: What is wrong, each with its place.
        aside: What is left aside, in words.
    """

    def __init__(self, said: Said) -> None:
        self.said = said
        self.questions: dict[tuple[str, str], Question] = {}
        self.faults: list[str] = []
        self.aside: list[str] = []

    def ask(self, question: Question) -> None:
        """Keep a question, once."""
        self.questions.setdefault((question.argument, question.about), question)

    def name(self, names: Names, text: str, where: str) -> str | None:
        """Return the one name that a text stands for, asked about if it is misspelt; or `None`."""
        text = self.said.meant(text)
        meant = names.readings(text)
        if len(meant) == 1:
            return meant[0]
        near = meant or names.nearest(text)
        guess = near[0] if len(near) == 1 and names.kind == "card" else ""
        doubt = f"{where}: '{printable(text)}' is no {names.kind}"
        if len(meant) > 1:
            doubt = f"{where}: '{printable(text)}' can be {joined(meant)}"
        elif near:
            doubt = f"{where}: '{printable(text)}': did you mean {joined(near)}?"
        self.ask(Question("called", doubt, text, guess, tuple(near or names.names)))
        return guess or None


def folded(text: str) -> str:
    """
    Return a title or a mark as it is compared: no case, no spaces around, no variants of a sign.

    >>> folded(" Yes "), folded("✔\\ufe0f")
    ('yes', '✔')
    """
    return " ".join(text.translate(_VARIANTS).casefold().split())


_VARIANTS = dict.fromkeys((0xFE0E, 0xFE0F))


def spelt(title: str) -> str:
    """Return a title's words: no punctuation, accents, case."""
    return " ".join(words_of(title.replace("_", " ")))


# The edition.


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


_HEADINGS = {
    *("who", "what", "where", "how", "with", "cards", "card", "persons", "people", "characters"),
    *("places", "suspects", "weapons", "rooms"),
}


def decks_for(said: Said) -> tuple[Deck, ...]:
    """Return the decks that notes may be of: the editions and languages said, or all of them."""
    editions = (said.edition,) if said.edition else map(load_edition, shipped_editions())
    decks = []
    for edition in editions:
        languages = (None, *edition.languages) if said.names is None else (said.names,)
        for language in languages:
            names = card_names(edition, language=language, initials=True)
            decks.append(Deck(edition, language, names))
    return tuple(decks)


USUAL = "clue-classic"
"""The edition that is taken where others with the very same cards fit as well."""


def deck_of(labels: Sequence[str], decks: Sequence[Deck], findings: Findings) -> Deck:
    """
    Return the deck whose names match most of the labels that cards have in notes.

    It is asked for where several match alike and have other cards or another order of answering.
    """
    said = findings.said
    cards = list(dict.fromkeys(said.meant(label) for label in labels if label))

    def rank(deck: Deck) -> tuple[int, bool, bool, int]:
        """The fewest unknown names; own names; all cards named; most of them as they are spelt."""
        known = [deck.names.readings(label) for label in cards]
        unknown = sum(
            len(names) != 1 and not deck.is_heading(label)
            for label, names in zip(cards, known, strict=True)
        )
        whole = {name for names in known for name in names} >= set(deck.edition.names)
        exact = sum(bool(deck.names.exact(label)) for label in cards)
        return unknown, deck.language is not None, not whole, -exact

    ranks = {id(deck): rank(deck) for deck in decks}
    best = min(ranks.values())
    likely = [deck for deck in decks if ranks[id(deck)] == best]
    deck = next((deck for deck in likely if deck.edition.name == USUAL), likely[0])
    rules = {_rules(each.edition) for each in likely}
    if len({each.edition.name for each in likely}) > 1:
        others = tuple(dict.fromkeys(each.edition.name for each in likely))
        text = f"these cards are in {joined(others, 'and')}: which edition is it?"
        guess = deck.edition.name if len(rules) == 1 else ""
        findings.ask(Question("edition", text, "", guess, others))
    if deck.language != said.names:
        text = f"the cards' names are in another language ({deck.language})"
        findings.ask(
            Question("names", text, "", deck.language or "", tuple(deck.edition.languages))
        )
    return deck


def _rules(edition: Edition) -> tuple[object, ...]:
    """Return what of an edition changes what notes tell."""
    return edition.names, edition.order, edition.answers


# The columns.

_TITLES = {
    "card": "card",
    "holder": "holder, owner, who has it, who has, held by, has it, location",
    ENVELOPE: "envelope, solution, case file, casefile, umschlag, enveloppe, sobre, busta, envelop",
    "face-up": "table, face up, open, public",
    "asker": "asker, by, player, suggester, asked by, suggested by, guesser, who asks, who asked, "
    "asks, asked, suggested, who suggested, who suggests, who guessed, guessed by, whose turn, "
    "turn of, asking, asking player, suggesting player, name, person asking, wer fragt, fragt, "
    "spieler, spielerin, joueur, joueuse, qui demande, jugador, jugadora, quien pregunta, pregunta",
    "cards": "cards, suggestion, suggests, guess, asked for, asked about, suspect, weapon, room, "
    "character, who, person, whom, what, with, with what, using, where, place, in, in which, "
    "verdachtiger, verdachtige, tatverdachtiger, suspecte, sospechoso, sospechosa, waffe, "
    "tatwaffe, arme, arma, raum, zimmer, tatort, piece, lieu, habitacion, lugar, cuarto, "
    "card 1, card 2, card 3, card1, card2, card3, s, w, r",
    "shower": "shower, shown by, showed, shows, disproved by, refuted by, answered by, answerer, "
    "answered, disprover, responder, who showed, who shows, refuter, refuted, who answered, "
    "who had one, who had it, who refuted, who disproved, disproved, who showed it, "
    "who showed card, who showed a card, showed by, from whom, wer zeigt, zeigt, gezeigt von, "
    "montre par, qui montre, montre, mostro, quien muestra, muestra, mostrado por",
    "shown": "card shown, shown card, shown, card seen, seen, seen card, i saw, what i saw, "
    "card i saw, what was shown, which card, what card, saw, card showed, showed card, "
    "what they showed, response",
    "passes": "passes, passed, couldnt, could not, cannot, cant, passed by, passers, who passed, "
    "non refuters, nonrefuters, had none, couldnt answer, could not answer, didnt have, "
    "could not show, couldnt show, no card",
    "answers": "answers, answer, responses",
    "kind": "type, kind, action, move, suggestion or accusation",
    "verdict": "accusation, accuses, verdict, right, result, outcome",
    "remark": "comment, comments, note, notes, remark, remarks, my notes, thoughts, bemerkung, "
    "bemerkungen, remarque, remarques, nota",
    "aside": "nr, no, number, turn, index, row, time, date, round, id, turn number, turn no, step, "
    "timestamp, when, total, totals, sum, category, status, known, done, count, score",
}
ROLES = {title: role for role, titles in _TITLES.items() for title in titles.split(", ")}
"""What columns may be called, and what each is."""

_WHOLE_SUGGESTIONS = ("suggestion", "suggests", "guess", "cards", "asked for", "asked about")
"""Titles of columns that have all the cards of a suggestion."""
_HOLDERS = ("who", "owner", "wer", "qui", "quien", "chi", "wie")
"""Titles that the column of holders may have in a list of cards."""
_PERHAPS_ENVELOPE = {
    *("soln", "sol", "env", "killer", "murderer", "murder", "culprit", "crime", "case", "final"),
    *("secret", "hidden", "answer", "file", "confidential", "middle", "center", "centre", "pile"),
    *("guilty", "whodunnit", "whodunit", "dossier", "losung", "tater", "mord", "solucion"),
    *("soluzione", "oplossing", "coupable", "culpable", "truth", "unknown", "missing"),
}
"""Titles that may be the envelope's."""

_PAD = ("card", "holder", ENVELOPE, "face-up", "remark", "aside")
_LOG = ("asker", "cards", "shower", "shown", "passes", "answers", "kind", "verdict")
COLUMN_MEANINGS = (*_PAD[:4], *_LOG, "remark", "aside")
"""What a column can be, besides a player's."""


class Column(NamedTuple):
    """
    A column of a sheet.

    Attributes:
        at: Its place, counted from 0.
        title: Its title.
        means: What it is: one of `COLUMN_MEANINGS`, a face-down slot, or a player's name; empty if
            that is not known.
        filled: How many cells below the titles have text.
    """

    at: int
    title: str
    means: str
    filled: int

    @property
    def name(self) -> str:
        """The title in quotes, or else the letter."""
        return f"'{printable(self.title)}'" if self.title else f"column {letter(self.at)}"


class Layout(NamedTuple):
    """
    A sheet with the meaning of its columns.

    Attributes:
        kind: Whether it is a detective's `pad` or a table of `suggestions`.
        sheet: The sheet, with cards down one column.
        header: The row of the titles, counted from 0; -1 if there are none.
        columns: The columns.
        deck: The names of the cards.
        mine: The player whose notes they are, where a title says so.
    """

    kind: str
    sheet: Sheet
    header: int
    columns: tuple[Column, ...]
    deck: Deck
    mine: str | None

    def where(self, means: str) -> tuple[int, ...]:
        """Return the columns of a meaning, counted from 0."""
        return tuple(column.at for column in self.columns if column.means == means)

    @property
    def exported(self) -> bool:
        """Whether this program wrote it: the edition's name stands in the corner."""
        return any(column.title == self.deck.edition.name for column in self.columns)

    @property
    def players(self) -> tuple[str, ...]:
        """The players that have columns, from left to right."""
        others = {*COLUMN_MEANINGS, ""}
        names = (column.means for column in self.columns if column.means not in others)
        return tuple(name for name in names if not name.startswith(FACE_DOWN))

    def rows(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the rows below the titles that are not empty, with their numbers from 0."""
        for row in range(self.header + 1, len(self.sheet.rows)):
            if any(self.sheet.rows[row]):
                yield row, self.sheet.rows[row]


def layout_of(sheet: Sheet, findings: Findings) -> Layout | None:
    """Return what the columns of a sheet mean; `None` if it is neither pad nor suggestions."""
    decks = decks_for(findings.said)

    @cache
    def is_card(text: str) -> bool:
        return any(deck.names.exact(text) for deck in decks)

    return _suggestions(sheet, is_card, decks, findings) or _pad(sheet, is_card, decks, findings)


IsCard = Callable[[str], bool]
"""Whether a text is the whole name of a card."""


def _said_of(at: int, title: str, said: Said) -> str:
    """Return what a person says that a column is; empty if nothing."""
    if at < len(said.every_column):
        meaning = said.every_column[at]
    else:
        asked = {folded(title)}
        if not title or len(said.sheets) < 2:  # of several sheets each has a column of this letter
            asked |= {f"column {letter(at)}".casefold(), letter(at).casefold()}
        found = (said.columns[name] for name in said.columns if folded(name) in asked)
        meaning = next(found, "")
    plain = folded(meaning)
    if plain in ("-", "?", "aside", "none", "nothing", "leave"):
        return "aside"
    return plain if plain in COLUMN_MEANINGS else meaning


def _suggestions(
    sheet: Sheet, is_card: IsCard, decks: Sequence[Deck], findings: Findings
) -> Layout | None:
    """Return the layout of a table of suggestions; `None` if no row has its titles."""
    said = findings.said
    if "asker" in said.every_column:
        first = sheet.rows[0] if sheet.rows else ()
        untitled = any(is_card(cell) for cell in first)
        means = {at: _said_of(at, "", said) for at in range(len(first))}
        return _with_roles(sheet, -1 if untitled else 0, means, decks, findings)
    titled = [row for row, cells in enumerate(sheet.rows) if sum(map(bool, cells)) > 2]
    for header in titled[:5]:
        means = _roles(sheet, header, decks, findings)
        if "asker" in means.values() and "cards" in means.values():
            return _with_roles(sheet, header, means, decks, findings)
    return None


def _roles(sheet: Sheet, header: int, decks: Sequence[Deck], findings: Findings) -> dict[int, str]:
    """Return what the columns below a row of titles are, those of suggestions."""
    said = findings.said
    titles = dict(enumerate(sheet.rows[header]))
    below = sheet.rows[header + 1 :]

    def of_cards(at: int) -> bool:
        """Whether most of the cells of a column are cards."""
        texts = {said.meant(row[at]) for row in below if words_of(row[at])}
        named = [text for text in texts if any(deck.names.readings(text) for deck in decks)]
        return 2 * len({*named} - {*said.players}) >= max(len(texts), 1)

    roles: dict[int, str] = {}
    for at, title in titles.items():
        role = _said_of(at, title, said)
        if not role and title and not _is_player(title, said):
            role = ROLES.get(spelt(title), "")
        if role == "cards" and not of_cards(at) and spelt(title) not in _WHOLE_SUGGESTIONS:
            ambiguous = spelt(title) in ("who", "person", "name", "whom")
            role = "asker" if ambiguous and "asker" not in roles.values() else ""
            role = _said_of(at, title, said) or role
        elif role in ("asker", "") and title and spelt(title) in ("name", "person"):
            role = "cards" if of_cards(at) else role
        roles[at] = role
    # Titles that are one thing here and another there: what stands below them tells.
    asker = next((at for at in roles if roles[at] == "asker"), None)
    shower = [at for at in roles if roles[at] == "shower"]
    for at, role in roles.items():
        title = spelt(titles[at])
        if _said_of(at, titles[at], said):
            continue
        if role == "shown" and not shower and not of_cards(at):
            roles[at] = "shower"
        elif (role in ("card", "answers") and shower and of_cards(at)) or (
            role == "cards" and title == "what" and shower and at > shower[0]
        ):
            roles[at] = "shown"
        elif not role and all(row[at].isdecimal() for row in below if row[at]):
            roles[at] = "aside"
        elif title == "no" and not all(row[at].isdecimal() for row in below if row[at]):
            roles[at] = "passes"
        elif role == "asker" and at != asker:
            roles[at] = "shower"
        elif role in (ENVELOPE, "face-up", "holder"):
            roles[at] = ""
    return roles


def _is_player(title: str, said: Said) -> bool:
    return any(folded(title) == folded(player) for player in said.players)


def _with_roles(
    sheet: Sheet, header: int, roles: dict[int, str], decks: Sequence[Deck], findings: Findings
) -> Layout:
    """Return the layout of suggestions; columns without a role may be a player's answers."""
    said = findings.said
    below = [row for row in sheet.rows[header + 1 :] if any(row)]
    titles = sheet.rows[header] if header >= 0 else ("",) * len(roles)
    asker = next(at for at in roles if roles[at] == "asker")
    askers = {folded(row[asker]) for row in below if row[asker]}
    theirs = [at for at, title in enumerate(titles) if not roles[at] and folded(title) in askers]
    seats = Names("player", said.players)
    columns = []
    for at, title in enumerate(titles):
        filled = sum(bool(row[at]) for row in below)
        means = roles[at]
        if not means and title and len(named := seats.readings(title)) == 1:
            means = named[0]
        elif not means and title and not said.players and theirs and at >= theirs[0]:
            means = title
        elif not means and not filled:
            means = "aside"
        column = Column(at, title, means, filled)
        if not means:
            text = f"what is {column.name}, with text in {filled} cells?"
            findings.ask(Question("columns", text, title or letter(at), "", (*_LOG, "aside")))
        columns.append(column)
    at_cards = [column.at for column in columns if column.means == "cards"]
    labels = [row[at] for row in below for at in at_cards]
    if len(at_cards) == 1:
        labels = [part for label in labels for part in re.split(r"\s*[,;/&+]\s*", label)]
    deck = deck_of(labels, decks, findings)
    return Layout("suggestions", sheet, header, tuple(columns), deck, None)


def _pad(sheet: Sheet, is_card: IsCard, decks: Sequence[Deck], findings: Findings) -> Layout | None:
    """Return the layout of a pad: cards down one column, holders across; `None` if it is none."""
    sheet = _one_block(_cards_down(sheet, is_card), is_card)
    counts = [sum(is_card(cell) for cell in sheet.column(at)) for at in range(_width(sheet))]
    said = findings.said
    if "card" in said.every_column:
        at_cards = said.every_column.index("card")
    else:
        at_cards = max(range(len(counts)), key=lambda at: (counts[at], -at), default=0)
    if not counts or counts[at_cards] < 2:
        return None
    first = next(row for row, cell in enumerate(sheet.column(at_cards)) if is_card(cell))
    headers = [row for row in range(first) if sum(map(bool, sheet.rows[row])) > 1]
    if not said.every_column:
        labels = {row: sheet.rows[row][at_cards] for row in headers}
        headers = [
            row
            for row, label in labels.items()
            if not any(len(deck.names.readings(label)) == 1 for deck in decks)
        ]
        if not headers:
            return None
    header = max(headers, key=lambda row: sum(map(bool, sheet.rows[row])), default=-1)
    named = [sheet.rows[row][at_cards] for row in range(header + 1, len(sheet.rows))]
    last = max(at for at, label in enumerate(named) if is_card(label))
    own = sheet.rows[header][at_cards] if header >= 0 else ""
    if said.edition is None and own in shipped_editions():
        decks = [deck for deck in decks if deck.edition.name == own]
    deck = deck_of(named[: last + 1], decks, findings)
    return _Pad(sheet, header, at_cards, deck, findings).layout()


def _width(sheet: Sheet) -> int:
    return len(sheet.rows[0]) if sheet.rows else 0


def _cards_down(sheet: Sheet, is_card: IsCard) -> Sheet:
    """Return the sheet, turned if its cards stand across."""
    columns = [sum(is_card(cell) for cell in sheet.column(at)) for at in range(_width(sheet))]
    rows = [sum(is_card(cell) for cell in row) for row in sheet.rows]
    return sheet.turned() if max(rows, default=0) > max(2, *columns, 0) else sheet


def _one_block(sheet: Sheet, is_card: IsCard) -> Sheet:
    """Return the sheet; blocks of cards side by side, each with the same titles, are put below."""
    columns = range(_width(sheet))
    starts = [at for at in columns if sum(is_card(cell) for cell in sheet.column(at)) > 2]
    if len(starts) < 2:
        return sheet
    first = next(row for row, cell in enumerate(sheet.column(starts[0])) if is_card(cell))
    header = max(range(first), key=lambda row: sum(map(bool, sheet.rows[row])), default=0)
    ends = [*starts[1:], _width(sheet)]
    blocks = [sheet.rows[header][start:end] for start, end in zip(starts, ends, strict=True)]
    titles = [tuple(filter(None, block[1:])) for block in blocks]
    if len(set(titles)) > 1 or not titles[0]:
        return sheet
    rows = [*sheet.rows[:header], ("", *titles[0])]
    for start, block in zip(starts, blocks, strict=True):
        for row in sheet.rows[header + 1 :]:
            label = f"{block[0]} {row[start]}"
            if not is_card(label):
                label = row[start]
            marks = [row[start + at] for at, title in enumerate(block) if at and title]
            rows.append((label, *marks))
    width = max(map(len, rows))
    whole = tuple((*row, *[""] * (width - len(row))) for row in rows)
    told = f"{sheet.told}, {len(starts)} blocks side by side"
    return Sheet(rows=whole, told=told, title=sheet.title)


_ME = rf"(?:{'|'.join(sorted(WRITERS, key=len, reverse=True))}|viewer|my cards|my hand)"
_OWN = re.compile(rf"(.*\S)(?:\s*[(\[]{_ME}[)\]]|\s+[-\u2013\u2014]\s+{_ME})", re.IGNORECASE)
_OWN_FIRST = re.compile(rf"{_ME}\s*[(\[]\s*([^()\[\]]+?)\s*[)\]]", re.IGNORECASE)
_ORNAMENT = re.compile(r"\s*[^\w\s.'\u2019()\[\]?!*-]+\s*$")
_PIECE = re.compile(r"(.*\S)\s*[(\[]\s*([^()\[\]]+?)\s*[)\]]")


def without_piece(name: str, deck: Deck) -> str:
    """
    Return a player's name without the suspect in brackets whose piece they move.

    >>> deck = decks_for(Said(edition=load_edition("clue-classic")))[0]
    >>> without_piece("Cat (Miss Scarlett)", deck)
    'Cat'
    """
    match = _PIECE.fullmatch(name)
    pieces = {*deck.edition.suspects}
    return match[1] if match and pieces.intersection(deck.names.exact(match[2])) else name


class _Pad(NamedTuple):
    """A pad whose columns are to be found: its titles, the column of cards, their names."""

    sheet: Sheet
    header: int
    at_cards: int
    deck: Deck
    findings: Findings

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the columns."""
        return self.sheet.rows[self.header] if self.header >= 0 else ("",) * _width(self.sheet)

    def layout(self) -> Layout:
        """Return the pad with what its columns mean."""
        columns = []
        mine: str | None = None
        for at, title in enumerate(self.titles):
            own = _OWN.fullmatch(title) or _OWN_FIRST.fullmatch(title)
            name = without_piece(own[1] if own else title, self.deck)
            name = self.findings.said.meant(_ORNAMENT.sub("", name) or name)
            column = self._column(at, title, name)
            if column.means not in ("", *COLUMN_MEANINGS) and (own or folded(name) in WRITERS):
                mine = column.means
            columns.append(column)
        if any(column.means == "holder" for column in columns):
            columns = [self._beside_holders(column) for column in columns]
        several = ("remark", "aside", "")
        named = [column.means for column in columns if column.means not in several]
        for means in sorted({means for means in named if named.count(means) > 1}):
            self.findings.faults.append(f"two columns are {printable(means)}: give them titles")
        return Layout("pad", self.sheet, self.header, tuple(columns), self.deck, mine)

    def _column(self, at: int, title: str, name: str) -> Column:
        """Return a column with what it is, as a person says or as its title is understood."""
        rows = self.sheet.rows[self.header + 1 :]
        filled = sum(bool(row[at] and row[self.at_cards]) for row in rows)
        means = "card" if at == self.at_cards else _said_of(at, title, self.findings.said)
        column = Column(at, title, means, filled)
        return column if means else self._guess(column, name)

    def _guess(self, column: Column, name: str) -> Column:
        """Return a column of which nobody has said anything, with what it may be."""
        said = self.findings.said
        words = spelt(name)
        role = ROLES.get(words, "")
        players = Names("player", said.players)
        exported = self.titles[self.at_cards] == self.deck.edition.name
        seats = players.readings(name)
        slot = column.title.startswith(FACE_DOWN)
        if words in _HOLDERS and not exported:
            role = "holder"
        if role in (ENVELOPE, "remark", "aside", "face-up", "holder") or slot:
            return column._replace(means=column.title if slot else role)
        if len(seats) == 1:
            return column._replace(means=seats[0])
        if words in WRITERS and said.viewer and said.viewer not in self.titles:
            return column._replace(means=said.viewer)
        if column.at < self.at_cards or (not column.filled and not _is_name(name)):
            return column._replace(means="aside")
        guess = name
        if words in _PERHAPS_ENVELOPE or (name and not words):
            guess = ENVELOPE
        elif not _is_name(name) or players.names:
            guess = ""
        if not exported:
            text = f"what is {column.name}, with marks in {column.filled} cells?"
            about = column.title or letter(column.at)
            choices = (ENVELOPE, *([name] if _is_name(name) else []), "remark", "aside")
            self.findings.ask(Question("columns", text, about, guess, choices))
        return column._replace(means=guess)

    def _beside_holders(self, column: Column) -> Column:
        """Return a column of a list that has one for the holders: others are left aside."""
        if column.means in ("card", "holder"):
            return column
        self.findings.questions.pop(("columns", column.title or letter(column.at)), None)
        return column._replace(means="aside")


def _is_name(title: str) -> bool:
    """Whether a title can be a player's name: words, and not too many."""
    words = words_of(title)
    return 0 < len(words) < 4 and not re.search(r"[,:#=]", title) and len(title) < 30


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


def check_meaning(meaning: str, choices: Sequence[str], mark: str) -> str:
    """Return what a person says that a mark means; raise an `ArgumentError` if it is nothing."""
    try:
        return Names("meaning", choices).find(meaning)
    except NotationError as error:
        raise ArgumentError(f"mark '{printable(mark)}': {error.reason}", argument="marks") from None
