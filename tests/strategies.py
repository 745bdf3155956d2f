"""
Hypothesis strategies: tiny editions, tables and games, small enough to check by listing all deals.

Every game is true: a deal is drawn first, and all observations agree with it. A record may hold
more than its viewer saw, and sometimes leaves out answers and cards.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from math import factorial, prod
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver.errors import SetupError
from clue_solver.game import Game
from clue_solver.record.contents import Record
from clue_solver.rules import observations as observed
from clue_solver.rules.edition import Answering, Card, Category, Edition, Side
from clue_solver.rules.table import ANY, ENVELOPE, Asks, Slot, Table

MOST_DEALS = 3_000
"""How many deals a drawn table has at most, unless the test asks for other tables."""

KINDS = ("suspect", "weapon", "room", "motive")
WORDS = ("Plum", "Green", "White", "Rose", "Gray")
PLAIN = {
    "suspect": WORDS,
    "weapon": ("Rope", "Knife", "Lead Pipe", "Poison", "Wrench"),
    "room": ("Hall", "Study", "Dining Room", "Lounge", "Kitchen"),
    "motive": ("Greed", "Envy", "Fear", "Love", "Honour"),
}
SEATS = ("Ann", "Ben", "Cat", "Dan")

Deal = Mapping[str, str]
"""The holder of each card in play."""

T = TypeVar("T")


class Played(NamedTuple):
    """
    A record, and the deal of which it is true.

    >>> from hypothesis import given, settings
    >>> @settings(max_examples=5)
    ... @given(played())
    ... def test_every_card_is_somewhere(game):
    ...     assert {*game.deal} == {*game.record.table.cards}
    >>> test_every_card_is_somewhere()
    """

    record: Record
    deal: Deal


def deals_of(table: Table) -> int:
    """Return how many deals a table has before anything is observed at it."""
    kinds = [
        sum(card.name not in table.face_up for card in kind.cards)
        for kind in table.edition.category
    ]
    rest = factorial(len(table.cards) - len(kinds))
    slots = prod(factorial(slot.count) for slot in table.slots)
    ways = (rest // (slots * prod(map(factorial, hands))) for hands in _sizes_of_hands(table))
    return prod(kinds) * sum(ways)


def _sizes_of_hands(table: Table) -> Iterator[tuple[int, ...]]:
    bounds = (range(least, most + 1) for least, most in table.size_bounds())
    dealt = table.dealt_sizes()
    return (
        hands
        for hands in product(*bounds)
        if sum(hands) == table.dealt and (not dealt or hands in dealt)
    )


_SIZES = {
    count: sorted(
        (sizes for sizes in product(range(1, 6), repeat=count) if 4 <= sum(sizes) <= 10), key=sum
    )
    for count in range(1, len(KINDS) + 1)
}
"""The sizes that the categories of a tiny edition can have, by how many there are."""


@st.composite
def editions(draw: st.DrawFn) -> Edition:
    """Draw an edition of 1 to 4 categories and 4 to 10 cards, at times with features."""
    sizes = draw(st.sampled_from(_SIZES[draw(st.sampled_from((2, 1, 3, 3, 4)))]))
    featured = draw(st.sampled_from(("none", "shared", "some")))
    kinds: list[Category] = []
    for kind, size in zip(KINDS, sizes, strict=False):
        cards: list[Card] = []
        for plain, feature in zip(PLAIN[kind][:size], WORDS, strict=False):
            if featured == "none" or (featured == "some" and draw(st.booleans())):
                name = f"{kind.title()} {plain}" if featured == "some" else plain
                cards.append(Card(name=name))
            else:
                cards.append(Card(name=f"{kind.title()} {feature}", feature=feature))
        kinds.append(Category(name=kind, plural=f"{kind.title()}s", cards=tuple(cards)))
    sides: st.SearchStrategy[Side] = st.sampled_from(("left", "right"))
    answering: st.SearchStrategy[Answering] = st.sampled_from(("first", "all"))
    return Edition(
        name="tiny",
        title="Tiny",
        players=(2, len(SEATS)),
        order=draw(sides),
        answers=draw(answering),
        clues=draw(st.sampled_from(((), ("all", "passage")))),
        suggests=draw(st.integers(0, len(kinds))),
        looker_tells=draw(st.booleans()),
        category=tuple(kinds),
    )


def tables(*, most: int = MOST_DEALS) -> st.SearchStrategy[Table]:
    """
    Return a strategy for tables of 2 to 4 seats, with or without a viewer.

    Hand sizes are recorded, also uneven ones, or partly recorded, or not; some cards may lie
    face-up or face-down.

    Args:
        most: How many deals a table may have.
    """
    return _tables().filter(lambda table: deals_of(table) <= most)


@st.composite
def _tables(draw: st.DrawFn) -> Table:
    edition = draw(editions())
    seats = SEATS[: draw(st.sampled_from((2, 3, 3, 4)))]
    overrides: st.SearchStrategy[Side | None] = st.sampled_from((None, "left", "right"))
    rules = (None, "first", "all")
    answering: st.SearchStrategy[Answering | None] = st.sampled_from(rules)
    envelope = len(edition.category)
    face_up = _face_up(draw, edition)
    slots = _slots(draw, edition, len(edition.names) - len(face_up) - envelope)
    dealt = len(edition.names) - len(face_up) - envelope - sum(slot.count for slot in slots)
    table = Table(
        edition=edition,
        seats=seats,
        hands=hand_sizes(Drawn(draw), seats, dealt),
        viewer=draw(st.sampled_from((*seats, None))),
        face_up=face_up,
        slots=slots,
        order=draw(overrides),
        answers=draw(answering),
        asks=draw(st.sampled_from(_asks(seats[0]))),
        board=draw(st.sampled_from((None, "none"))),
        notch=draw(st.sampled_from((None, None, "same"))),
    )
    if draw(st.sampled_from((False, False, True))):
        with suppress(SetupError):  # the recorded sizes may be none that dealing gives
            return replace(table, sizes="dealt")
    return table


def _asks(seat: str) -> tuple[tuple[Asks, ...], ...]:
    """Return what a header may say about how players choose what to ask."""
    careful = Asks(model="careful", level=0.3)
    return (
        *((), ANY, (careful,), (Asks(model="adaptive"), Asks(model="any", seat=seat))),
        (careful, Asks(model="adaptive", seat=seat)),
    )


def _face_up(draw: st.DrawFn, edition: Edition) -> tuple[str, ...]:
    """Draw up to two face-up cards; at least one card of each category is left."""
    count = draw(st.sampled_from((0, 0, 0, 1, 2)))
    spare = [card.name for kind in edition.category for card in kind.cards[1:]]
    return tuple(draw(st.permutations(spare))[:count]) if count else ()


def _slots(draw: st.DrawFn, edition: Edition, free: int) -> tuple[Slot, ...]:
    """Draw up to two places for face-down cards; one may have the name of a card."""
    slots: list[Slot] = []
    for name in draw(st.sampled_from(((), (), ("Pool",), (edition.names[-1], "Pool")))):
        count = draw(st.integers(1, 2))
        if count <= free:
            slots.append(Slot(name=name, count=count))
            free -= count
    return tuple(slots)


def hand_sizes(choices: "Drawn", seats: Sequence[str], dealt: int) -> tuple[int | None, ...]:
    """Choose the sizes that the header records: all, some of them or none."""
    recorded = choices.one(("all", "none", "some"))
    if recorded == "none":
        return ()
    if choices.one((False, False, True)):
        ends = sorted(choices.one(range(dealt + 1)) for _ in seats[1:])
        sizes = [high - low for low, high in zip((0, *ends), (*ends, dealt), strict=True)]
    else:
        sizes = [len(range(place, dealt, len(seats))) for place in range(len(seats))]
    if recorded == "all":
        return tuple(sizes)
    kept = [choices.one((False, True)) for _ in seats]
    kept[choices.one(range(len(seats)))] = False
    return tuple(size if keep else None for size, keep in zip(sizes, kept, strict=True))


@st.composite
def deals(draw: st.DrawFn, table: Table) -> Deal:
    """Draw a deal of the table's cards."""
    choices, sizes = Drawn(draw), draw(st.sampled_from(list(_sizes_of_hands(table))))
    solution = [
        choices.one([card.name for card in kind.cards if card.name in table.cards])
        for kind in table.edition.category
    ]
    places = [slot.name for slot in table.slots for _ in range(slot.count)]
    for seat, size in zip(table.seats, sizes, strict=True):
        places.extend([seat] * size)
    rest = [card for card in table.cards if card not in solution]
    dealt = dict(zip(rest, choices.shuffled(places), strict=True))
    return dict.fromkeys(solution, ENVELOPE) | dealt


def games(*, most: int = 8) -> st.SearchStrategy[Game]:
    """Return a strategy for the games behind `records`."""
    return records(most=most).map(Game)


def records(*, most: int = 8) -> st.SearchStrategy[Record]:
    """
    Return a strategy for records of true observations of every kind.

    Args:
        most: How many observations there are at most, whole hands and a right accusation apart.
    """
    return played(most=most).map(lambda played: played.record)


@st.composite
def played(draw: st.DrawFn, *, most: int = 8, whole: bool = False) -> Played:
    """Draw a record, and the deal of which it is true; a `whole` record leaves nothing out."""
    table = draw(tables())
    play = Play(Drawn(draw), table, draw(deals(table)), whole=whole)
    record = Record(table=table)
    for seat in table.seats:
        if play.hand(seat) and (whole or draw(st.sampled_from(_HOLDS[seat == table.viewer]))):
            record = record.append(observed.Hand(seat=seat, cards=play.hand(seat)))
    for observation in draw(st.lists(_observations(play), max_size=most)):
        if observation is not None:
            record = record.append(observation)
    if draw(st.sampled_from((False, False, False, True))):
        by = draw(st.sampled_from(table.seats))
        record = record.append(observed.Accusation(by=by, cards=play.solution, right=True))
    return Played(record, play.deal)


_HOLDS = {True: (False, True, True, True), False: (False, False, False, True)}
"""How often a seat's whole hand is recorded: for the viewer, and for the others."""


@st.composite
def _observations(draw: st.DrawFn, play: "Play") -> observed.Observation | None:
    play.choices = Drawn(draw)
    return draw(st.sampled_from(play.kinds()))()


class Drawn:
    """The choices of Hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def one(self, things: Sequence[T]) -> T:
        return self.draw(st.sampled_from(things))

    def some(self, things: Sequence[T], *, least: int = 1, most: int) -> tuple[T, ...]:
        drawn = st.lists(st.sampled_from(things), min_size=least, max_size=most, unique=True)
        return tuple(self.draw(drawn))

    def shuffled(self, things: Sequence[T]) -> list[T]:
        return self.draw(st.permutations(things))


class Play:
    """Draws observations that are true of one deal at a table."""

    def __init__(self, choices: Drawn, table: Table, deal: Deal, *, whole: bool = False) -> None:
        self.choices = choices
        self.whole = whole
        self.table = table
        self.deal = deal
        self.solution = self.hand(ENVELOPE)
        self.feature = {card.name: card.feature for card in table.edition.cards}
        self.left: set[str] = set()
        self.notch: str | None = None  # the envelope card at the notch, once it was looked at

    def kinds(self) -> list[Callable[[], observed.Observation | None]]:
        """Return functions that draw an observation of each kind, or `None` if none is possible."""
        kinds: list[Callable[[], observed.Observation | None]] = [self.suggestion, self.suggestion]
        kinds += [self.question, self.look, self.reveal, self.nobody, self.knowing, self.wrong]
        kinds += [self.finger, self.moving, self.moving]
        return [*kinds, self.peek] if self.table.edition.features else kinds

    def hand(self, holder: str) -> tuple[str, ...]:
        """Return the cards that a holder has, in edition order."""
        return tuple(card for card in self.table.cards if self.deal[card] == holder)

    def one(self, things: Sequence[T]) -> T:
        return self.choices.one(things)

    def written(self, card: str) -> str | None:
        """Return a card as the record has it: sometimes it is left out."""
        return card if self.whole else self.one((card, card, None))

    def others(self, seat: str) -> list[str]:
        return [other for other in self.table.seats if other != seat]

    def reply(self, seat: str, cards: Sequence[str]) -> tuple[observed.Reply, str | None]:
        """Return a seat's true answer about some cards, and the shown card if it is recorded."""
        able = [card for card in cards if self.deal.get(card) == seat]
        return ("shows", self.written(self.one(able))) if able else ("passes", None)

    def suggestion(self) -> observed.Suggestion:
        by = self.one(self.table.seats)
        kinds = self.table.edition.category
        chosen = sorted(self.choices.shuffled(range(len(kinds)))[: self.table.edition.named])
        cards = tuple(self.one(kinds[place].cards).name for place in chosen)
        return observed.Suggestion(by=by, cards=cards, answers=self.answers(by, cards))

    def finger(self) -> observed.Finger:
        by = self.one(self.table.seats)
        cards = tuple(self.one(kind.cards).name for kind in self.table.edition.category)
        return observed.Finger(by=by, cards=cards, answers=self.answers(by, cards))

    def answers(self, by: str, cards: Sequence[str]) -> tuple[observed.Answer, ...]:
        """Return true answers to a suggestion, of which some may be unheard."""
        heard: list[observed.Answer] = []
        for seat in self.choices.shuffled(self.asked(by, cards)):
            reply, card = self.reply(seat, cards)
            if self.whole or self.one((True, True, True, True, False)):
                heard.append(observed.Answer(seat=seat, answer=reply, card=card))
            else:
                heard.append(observed.Answer(seat=seat, answer="unheard"))
        return tuple(heard)

    def asked(self, by: str, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the seats that answer a suggestion."""
        owners = {self.deal.get(card) for card in cards}
        able = [seat for seat in self.table.seats if seat in owners and seat not in self.left]
        return tuple(seat for seat in self.table.asked(by, able) if seat not in self.left)

    def leaving(self, by: str) -> observed.Observation:
        """Let a seat leave if at least two others remain; otherwise it skips."""
        if len(self.left) < len(self.table.seats) - 2:
            self.left.add(by)
            return observed.Leave(by=by)
        return observed.Skip(by=by)

    def moving(self) -> observed.Observation:
        """Draw an event that says nothing about the cards."""
        by = self.one(self.table.seats)
        edition = self.table.edition
        ways: list[Callable[[], observed.Observation]] = [
            lambda: observed.Skip(by=by),
            lambda: observed.Roll(by=by, total=7),
            lambda: self.leaving(by),
        ]
        if edition.features:
            faces = tuple(edition.features)
            ways.append(lambda: observed.Roll(by=by, dice=tuple(self.one(faces) for _ in "123")))
        if self.table.clues:
            ways.append(lambda: observed.Draw(by=by, kind=self.one(self.table.clues)))
        if edition.rooms:
            ways.append(lambda: observed.Move(by=by, to=self.one(edition.rooms)))
            ways.append(lambda: observed.Stay(by=by))
        return self.one(ways)()

    def question(self) -> observed.Question:
        by = self.one(self.table.seats)
        seat = self.one([seat for seat in self.others(by) if seat not in self.left])
        edition = self.table.edition
        about = self.choices.some((*edition.features, *edition.names), most=3)
        if self.one((True, True, True, True, False)):
            asked = [c for c in edition.names if c in about or self.feature[c] in about]
            reply, card = self.reply(seat, asked)
            return observed.Question(by=by, seat=seat, about=about, answer=reply, card=card)
        return observed.Question(by=by, seat=seat, about=about)

    def look(self) -> observed.Look | None:
        by = self.one(self.table.seats)
        places = [*self.others(by), *(slot.name for slot in self.table.slots)]
        able = [place for place in places if self.hand(place)]
        if not able:
            return None
        holder = self.one(able)
        return observed.Look(by=by, holder=holder, card=self.written(self.one(self.hand(holder))))

    def peek(self) -> observed.Peek | None:
        if self.notch is None:
            self.notch = self.one(self.solution)
        feature = self.feature[self.notch]
        if feature is None:
            return None
        return observed.Peek(by=self.one(self.table.seats), feature=self.written(feature))

    def reveal(self) -> observed.Reveal | None:
        able = [seat for seat in self.table.seats if self.hand(seat)]
        if not able:
            return None
        seat = self.one(able)
        card, to = self.one(self.hand(seat)), self.one((None, *self.others(seat)))
        return observed.Reveal(seat=seat, card=card if to is None else self.written(card), to=to)

    def nobody(self) -> observed.Nobody:
        able = [c for c in self.table.edition.names if self.deal.get(c) not in self.table.seats]
        return observed.Nobody(card=self.one(able))

    def wrong(self) -> observed.Accusation | None:
        cards = tuple(self.one(kind.cards).name for kind in self.table.edition.category)
        if cards == self.solution:
            return None
        if self.table.notch != "same":
            self.notch = None
        return observed.Accusation(by=self.one(self.table.seats), cards=cards, right=False)

    def knowing(self) -> observed.Knowing | None:
        by, holder = self.one(self.table.seats), self.one(self.table.holders)
        has = self.hand(holder)
        lacks = [card for card in self.table.cards if card not in has]
        if has and (not lacks or self.one((True, False))):
            named = (*self.choices.some(self.table.cards, least=0, most=2), self.one(has))
            return observed.Knowing(by=by, holder=holder, has=tuple(dict.fromkeys(named)))
        if not lacks:
            return None
        return observed.Knowing(by=by, holder=holder, lacks=self.choices.some(lacks, most=3))
