"""
The table: who sits where, how many cards each holds, what lies face-up and face-down.

Seating is clockwise, so a seat's left-hand neighbour is the next in the list.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Literal, get_args

from msgspec import Struct

from clue_solver.errors import ArgumentError, SetupError, is_printable
from clue_solver.rules.board import Fault
from clue_solver.rules.edition import RESERVED, SEATS, Answering, ClueCard, Edition, Side

Shows = Literal["random", "none", "sticky"]
SHOWS: tuple[Shows, ...] = get_args(Shows)
"""
The names of the show policies: how a player chooses which card to show. `knowledge.policies` says
what each means.
"""

FORMAT = 1
"""The newest version of the record's format that is read."""

ENVELOPE = "envelope"
SPECTATOR = "spectator"


_MARK = re.compile("[0-9A-Za-z]{1,32}")

HouseRule = Literal["turns", "play", "all"]
"""
The rules that a table may ignore, so that breaches are not questioned: the order of `turns`; what
is done in a turn (`play`), that is, where pieces go, what dice and clue cards allow, when to
accuse; or `all` of these.
"""


class Slot(Struct, frozen=True, kw_only=True):
    """
    A place for undealt cards that lie face-down: its name and how many cards are in it.

    >>> Slot(name="Hall", count=2)
    Slot(name='Hall', count=2)
    """

    name: str
    count: int = 1


AskModel = Literal["any", "adaptive", "careful"]


LEAST_LEVEL = 0.0001
"""
The least level of `careful`: about one in ten thousand questions would name a player's own card.
"""


class Asks(Struct, frozen=True, kw_only=True):
    """
    How players, or one of them, are expected to choose what to ask.

    Attributes:
        model: How people are assumed to ask: `any`, questions are no evidence; `careful`, they
            rarely name cards of their own; `adaptive`, how rarely is learned from the record.
        level: How likely a player is to name a card of their own, compared with any other card:
            from `LEAST_LEVEL` to 1. Only for `careful`, where `None` stands for 0.25.
        seat: The one seat that it applies to; `None` for the whole table.

    >>> str(Asks(model="careful", level=0.3, seat="Ben"))
    'Ben careful 0.3'
    """

    model: AskModel
    level: float | None = None
    seat: str | None = None

    def __str__(self) -> str:
        """Return the text for a header: `careful 0.3`, `Ben any`."""
        level = None if self.level is None else str(self.level).removesuffix(".0")
        return " ".join(filter(None, (self.seat, self.model, level)))


ANY = (Asks(model="any"),)
"""The value of `Table.asks` for which players' questions are no evidence."""


class Table(Struct, frozen=True, kw_only=True, cache_hash=True):
    """
    A table as a record's header describes it.

    An impossible table cannot be made.

    Attributes:
        edition: The edition played.
        seats: The players' names, clockwise.
        hands: The hand sizes, in the order of the seats; `None` for a size that is not recorded.
        viewer: The seat that keeps these notes; `None` for a spectator.
        face_up: Cards that lie open on the table.
        slots: Places of face-down cards.
        order, answers: What the header says in place of the edition's `order` and `answers`; `None`
            if it says nothing.
        shows: The show policy in the header; `None` stands for `random`.
        asks: How players are expected to ask: first the whole table, then single seats. Empty
            stands for `adaptive`.
        board: `none` if the game is played without the board; else `None`.
        notch: `same` if a wrong accuser puts the envelope's cards back in the same order; else
            `None`.
        sizes: `dealt` if sizes that are not recorded follow from dealing in rotation; else `None`.
        language: The language of the cards' names; `None` for the edition's own.
        format: The version of the record's format; `None` if the header does not give it.
        first: The seat that has the first turn; `None` if the header does not say.
        pieces: The suspect that each seat plays, in the order of the seats; `None` if not known
            yet.
        solution: The cards in the envelope, recorded after the game. No deduction uses them.
        house: The rules of play that this table ignores.
        clue_cards: `none` if the edition's clue cards stay in the box; else `None`.
        game: The unique mark of this game; `None` if it has none.

    Raises:
        SetupError: If such a table is impossible.

    >>> from clue_solver import Table, load_edition
    >>> table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Cat"))
    >>> table.holders, len(table.cards)
    (('Ann', 'Ben', 'Cat', 'envelope'), 21)
    """

    edition: Edition
    seats: tuple[str, ...]
    hands: tuple[int | None, ...] = ()
    viewer: str | None = None
    face_up: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    order: Side | None = None
    answers: Answering | None = None
    shows: Shows | None = None
    asks: tuple[Asks, ...] = ()
    board: Literal["none"] | None = None
    notch: Literal["same"] | None = None
    sizes: Literal["dealt"] | None = None
    language: str | None = None
    format: int | None = None
    first: str | None = None
    pieces: tuple[str | None, ...] = ()
    solution: tuple[str, ...] = ()
    house: tuple[HouseRule, ...] = ()
    clue_cards: Literal["none"] | None = None
    game: str | None = None

    def __post_init__(self) -> None:
        for key, reason in _faults(self):
            raise SetupError(f"{key}: {reason}", key=key, reason=reason)
        self.size_bounds()  # raises an error if no sizes add up

    def __repr__(self) -> str:
        seen = f"; seen by {self.viewer}" if self.viewer else ""
        return f"<Table: {self.edition.title}; {', '.join(self.seats)}{seen}>"

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards in play, in edition order: all except the face-up cards."""
        return tuple([name for name in self.edition.names if name not in self.face_up])

    def printed(self, card: str) -> str:
        """Return the name of a card in the language of the record."""
        return self.edition.printed(card, self.language)

    @property
    def holders(self) -> tuple[str, ...]:
        """The holders of cards in play: seats, face-down slots in header order, the envelope."""
        return (*self.seats, *(slot.name for slot in self.slots), ENVELOPE)

    @property
    def clues(self) -> tuple[ClueCard, ...]:
        """The kinds of clue cards in play."""
        return () if self.clue_cards == "none" else tuple(dict.fromkeys(self.edition.clues))

    @property
    def policy(self) -> Shows:
        """How players choose which card to show: as the header says, else `random`."""
        return self.shows or "random"

    @property
    def behaviour(self) -> str:
        """How players are expected to ask, as the header writes it."""
        return ", ".join(map(str, self.asks)) or "adaptive"

    def asking(self, seat: str) -> Asks:
        """Return how a seat is expected to choose what to ask."""
        models = {ask.seat: ask for ask in self.asks}
        return models.get(seat) or models.get(None) or Asks(model="adaptive")

    @property
    def who_shows(self) -> Answering:
        """Which of the seats that can show a card do so."""
        return self.answers or self.edition.answers

    @property
    def everyone_shows(self) -> bool:
        """Whether every seat that can show a card does so, not just one of them."""
        return self.who_shows == "all"

    @property
    def beyond_limits(self) -> str:
        """A warning if the edition is not for this many players; otherwise empty."""
        return self.edition.beyond_limits(len(self.seats))

    @property
    def dealt(self) -> int:
        """How many cards the seats hold together."""
        held = sum(slot.count for slot in self.slots)
        return len(self.cards) - len(self.edition.category) - held

    @property
    def begins(self) -> str | None:
        """
        The seat that has the first turn; `None` if neither header nor edition says.

        If nobody plays the edition's first suspect, the player of the next suspect in its list
        begins.
        """
        suspects = self.edition.suspects
        if self.first is not None or not (self.pieces and self.edition.first):
            return self.first
        index = suspects.index(self.edition.first)
        order = suspects[index:] + suspects[:index]
        played = dict(zip(self.pieces, self.seats, strict=True))
        if None in played:
            order = order[:1]  # whoever is not known may play one of the others
        return next((played[name] for name in order if name in played), None)

    def answering(self, asker: str, *, left: Container[str] = ()) -> tuple[str, ...]:
        """
        Return the seats that `asker` asks, in the order in which they answer.

        Seats in `left` have left the table and are not asked.

        Raises:
            ArgumentError: If there is no seat `asker`.
        """
        index = self.index_of(asker, "asker")
        others = (*self.seats[index + 1 :], *self.seats[:index])
        if (self.order or self.edition.order) == "right":
            others = others[::-1]
        return tuple([seat for seat in others if seat not in left])

    def keeps(self, rule: HouseRule) -> bool:
        """Return whether the table keeps a rule of play, so that a breach of it is questioned."""
        return "all" not in self.house and rule not in self.house

    def asked(
        self, asker: str, able: Container[str | None], *, left: Container[str] = ()
    ) -> tuple[str, ...]:
        """
        Return the seats that answer `asker`, in order, if just the seats in `able` can show a card.

        These are all other seats up to the first that can show, or all others if none can. At a
        table where everyone who can show does so, they are always all others. Seats in `left` have
        left the table and are not asked.
        """
        order = self.answering(asker, left=left)
        can = [index for index, seat in enumerate(order) if seat in able]
        return order[: can[0] + 1] if can and not self.everyone_shows else order

    def after(self, seat: str, *, out: Iterable[str] = ()) -> str:
        """
        Return the seat that has the turn after `seat`; seats in `out` are skipped.

        It is `seat` itself if all others are in `out`.
        """
        gone = set(out)
        index = self.index_of(seat)
        following = (*self.seats[index + 1 :], *self.seats[:index])
        return next((other for other in following if other not in gone), seat)

    def size_bounds(self, known: Mapping[str, int] | None = None) -> tuple[tuple[int, int], ...]:
        """
        Return the least and the most cards that each seat can hold, in table order.

        Cards that the recorded sizes leave over are dealt evenly to the other seats. If they do not
        divide evenly, some of these seats hold one more than the rest, and nothing says which. All
        sizes within the bounds that use up the cards are possible, unless the header says `sizes:
        dealt`; then only those of `dealt_sizes` are.

        Args:
            known: For each seat whose whole hand is recorded, its size.

        Raises:
            SetupError: If no sizes add up.
        """
        sizes = list(self.hands or [None] * len(self.seats))
        base = self._bounds(sizes)
        if not known:
            return base
        for seat, size in known.items():
            index = self.index_of(seat, "known")
            low, high = base[index]
            if not low <= size <= high:
                expected = f"{low}" if low == high else f"{low} or {high}"
                held = f"{seat} holds {expected} cards of the {self.dealt} dealt"
                raise SetupError(f"{held}; found {size}")
            sizes[index] = size
        return self._bounds(sizes)

    def dealt_sizes(self) -> tuple[tuple[int, ...], ...]:
        """
        Return the possible hand sizes, in table order, if cards are dealt in rotation.

        There is one tuple for each seat that may be dealt the first card. Empty if the header does
        not say `sizes: dealt`, or if all sizes are recorded.

        >>> from clue_solver import Table, load_edition
        >>> seats = ("Ann", "Ben", "Cat", "Dan")
        >>> table = Table(edition=load_edition("clue-classic"), seats=seats, sizes="dealt")
        >>> table.dealt_sizes()
        ((5, 5, 4, 4), (4, 5, 5, 4), (4, 4, 5, 5), (5, 4, 4, 5))
        """
        recorded = self.hands or (None,) * len(self.seats)
        if self.sizes != "dealt" or None not in recorded:
            return ()
        dealings = dict.fromkeys(map(self.dealt_from, range(len(self.seats))))
        return tuple(sizes for sizes in dealings if _fits(sizes, recorded))

    def dealt_from(self, first: int) -> tuple[int, ...]:
        """
        Return the hand sizes, in table order, if cards are dealt in rotation from the seat `first`.

        `first` is the index of that seat, from 0.
        """
        number = len(self.seats)
        least, over = divmod(self.dealt, number)
        return tuple(least + ((index - first) % number < over) for index in range(number))

    def index_of(self, seat: str, argument: str = "seat") -> int:
        """
        Return the index of a seat, from 0.

        Raises:
            ArgumentError: If there is no such seat. `argument` is what the error calls the argument
                in which the caller got the name.
        """
        if seat not in self.seats:
            reason = f"{argument}: expected one of {', '.join(self.seats)}; found {seat!r}"
            raise ArgumentError(reason, argument=argument)
        return self.seats.index(seat)

    def _bounds(self, sizes: list[int | None]) -> tuple[tuple[int, int], ...]:
        """
        Return the least and the most cards that each seat can hold, in table order.

        Args:
            sizes: The hand sizes that are known, in table order; `None` for any other.

        Raises:
            SetupError: If no sizes add up.
        """
        unknown = sum(size is None for size in sizes)
        rest = self.dealt - sum(size for size in sizes if size is not None)
        if rest < 0 or (rest and not unknown):
            held = f"the players hold {self.dealt} cards together; found {_joined(sizes)}"
            raise SetupError(f"hand sizes do not add up: {held}", key="hands")
        dealt = [hands for hands in self.dealt_sizes() if _fits(hands, sizes)]
        if dealt:
            return tuple((min(sizes), max(sizes)) for sizes in zip(*dealt, strict=True))
        least = rest // unknown if unknown else 0
        most = least + bool(unknown and rest % unknown)
        return tuple((least, most) if size is None else (size, size) for size in sizes)


def _fits(sizes: Iterable[int], recorded: Iterable[int | None]) -> bool:
    """Return whether hand sizes agree with the recorded ones, ignoring those not recorded."""
    return all(known in (None, size) for size, known in zip(sizes, recorded, strict=True))


def _joined(sizes: Iterable[int | None]) -> str:
    """Return hand sizes as a message shows them, with `?` for an unknown size."""
    return ", ".join("?" if size is None else str(size) for size in sizes)


def _faults(table: Table) -> Iterator[Fault]:
    """Yield what makes a table impossible: the key of the header, and the message about it."""
    edition, seats = table.edition, table.seats
    yield from _faults_of_names(table)
    # Who and what is named.
    for key, said, names in (
        ("viewer", [table.viewer], seats),
        ("first", [table.first], seats),
        ("asks", [asks.seat for asks in table.asks], seats),
        ("pieces", table.pieces, edition.suspects),
        ("face-up", table.face_up, edition.names),
    ):
        for index, name in enumerate(said):
            if name is not None and name not in names:
                yield key, f"expected one of {', '.join(names)}; found {name!r}"
            if name is not None and name in said[:index]:
                yield key, f"{name} is listed twice"
    # Sizes and cards.
    for key, given, what in (
        ("hands", table.hands, "sizes"),
        ("pieces", table.pieces, "suspects"),
    ):
        if given and len(given) != len(seats):
            yield key, f"expected {len(seats)} {what}, one for each player; found {len(given)}"
    if any(size is not None and size < 0 for size in table.hands):
        yield "hands", "a size cannot be below 0"
    for slot in table.slots:
        if slot.count < 1:
            yield "face-down", f"{slot.name} needs at least 1 card; found {slot.count}"
    for kind in edition.category:
        if all(card.name in table.face_up for card in kind.cards):
            yield "face-up", f"no {kind.name} is left for the envelope"
    if table.dealt < 0:
        fill = "fill the envelope and the face-down slots"
        yield "face-down", f"{len(table.cards)} cards in play cannot {fill}"
    if table.solution:
        kinds = [str(edition.category_of.get(card)) for card in table.solution]
        every = [kind.name for kind in edition.category]
        if sorted(kinds) != sorted(every):
            expected = " and ".join(f"one {kind}" for kind in every)
            yield "solution", f"expected {expected}; found {', '.join(table.solution)}"
        for card in table.solution:
            if card in table.face_up:
                yield "solution", f"{card} is face up on the table"
    if table.sizes == "dealt" and None in (table.hands or (None,)) and not table.dealt_sizes():
        expected = "hand sizes that dealing in rotation can produce"
        yield "sizes", f"expected {expected}; found {_joined(table.hands)}"
    # The rest.
    yield from _faults_of_asks(table.asks)
    if table.format not in (None, FORMAT):
        expected = f"expected {FORMAT}, the newest that this program reads"
        yield "format", f"{expected}; found {table.format}"
    if table.language is not None and table.language not in edition.languages:
        there = ", ".join(edition.languages) or "nothing"
        yield "names", f"expected {there} in {edition.name}; found {table.language!r}"
    if table.game is not None and not _MARK.fullmatch(table.game):
        yield "game", f"expected letters and digits, at most 32; found {table.game!r}"


def _faults_of_names(table: Table) -> Iterator[Fault]:
    """Yield the faults of the names of players and of face-down slots, as (key, message)."""
    fewest, most = SEATS
    if not fewest <= len(table.seats) <= most:
        yield "players", f"expected {fewest} to {most} names; found {len(table.seats)}"
    taken = dict.fromkeys(RESERVED, "a word of the notation")
    named = [("face-down", slot.name, "a face-down slot") for slot in table.slots]
    named += [("players", seat, "a player") for seat in table.seats]
    for key, name, bearer in named:
        if not name.strip():
            yield key, "a name is missing"
        if any(mark in name for mark in ",:#"):
            yield key, f"a name may not contain a comma, a colon or #; found {name!r}"
        if name != " ".join(name.split()) or not is_printable(name):
            wanted = "only single spaces and visible characters"
            yield key, f"a name may contain {wanted}; found {name!r}"
        if name.casefold() in taken:
            yield key, f"{name!r} is {taken[name.casefold()]} already"
        taken[name.casefold()] = bearer


def _faults_of_asks(models: Sequence[Asks]) -> Iterator[Fault]:
    """
    Yield the faults of the header's `asks`, as (key, message).

    The model for all players must come first, and only `careful` has a level, within its limits.
    """
    for index, asks in enumerate(models):
        if asks.seat is None and index:
            yield "asks", "the entry for all players comes first, then those for individual players"
        if asks.level is None:
            continue
        if asks.model != "careful":
            found = f"'{asks.model} {asks.level:g}'"
            yield "asks", f"expected a number after 'careful' only; found {found}"
        if not LEAST_LEVEL <= asks.level <= 1:
            expected = f"a number from {LEAST_LEVEL} to 1 after 'careful'"
            yield "asks", f"expected {expected}; found {asks.level:g}"
