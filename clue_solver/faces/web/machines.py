"""
A shared table that people log by hand, where machines may fill chairs.

A machine decides by the notes of its seat: the public log, its hand, and what it was shown. Which
card it shows stands in its own notes and in those of whoever sees it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import is_
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from msgspec.structs import replace

from clue_solver.arena.by_notes import next_action, view_of
from clue_solver.arena.chairs import LEVELS, PERSON
from clue_solver.arena.dealing import one
from clue_solver.arena.players import Player, find_player
from clue_solver.arena.seat_view import View
from clue_solver.conversation.doubts import Place, impossible, own_hand
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError
from clue_solver.faces.web.keeping import Links, new_secret
from clue_solver.faces.web.seat_notes import noticed, with_own
from clue_solver.faces.web.shown_cards import Showing, card_of, showings, with_card
from clue_solver.faces.web.tables import Keep, ServedTable
from clue_solver.knowledge.evidence import seen
from clue_solver.record import Entry, Record
from clue_solver.record.files import RecordFile
from clue_solver.rules.observations import Hand, Look, Move, Observation, Peek

_OWED = 3
"""The most that a machine asks for at once of what it has to be told."""


class MachineTurn(NamedTuple):
    """
    What a machine does next.

    Attributes:
        seat: Whose machine.
        action: What it does, as of `next_action`; `None` for nothing, or while it waits.
        towards: The room that a move to a square leads to.
        waits: What it cannot go on without: its `hand`, the `place` of its token, a `log` that does
            not contradict what it knows, or its `wits`, where it has failed; empty if it can.
    """

    seat: str
    action: Observation | None = None
    towards: str = ""
    waits: Literal["", "hand", "place", "log", "wits"] = ""


class Acting(NamedTuple):
    """
    A machine that may act.

    Attributes:
        seat: Whose.
        strength: Which machine it is.
        notes: What it knows.
        goes_on: Whether in its turn that goes on, and not in a new one.
    """

    seat: str
    strength: str
    notes: Record
    goes_on: bool


class Owed(NamedTuple):
    """
    What a machine has to be told.

    Attributes:
        number: The number of the entry in the log.
        line: That entry.
        teller: Who showed it a card; empty where it was drawn or looked for.
        choices: The cards that it may be.
    """

    number: int
    line: str
    teller: str
    choices: tuple[str, ...]


class SharedTable(ServedTable):
    """
    A shared table that is logged by hand; see `ServedTable` for its arguments.

    Attributes:
        rng: What machines decide by lot with.
        turns: What the machines do, or wait for, that may act as the log stands.
        thinking: Whether one of them thinks about that.
    """

    def __init__(self, *, keep: Keep, folder: Path | None = None) -> None:
        super().__init__(keep=keep, public=True, folder=folder)
        self.rng = np.random.default_rng()
        self.turns: tuple[MachineTurn, ...] = ()
        self.thinking = False
        self._decided: tuple[Acting, ...] = ()
        self._settled: tuple[Record, ...] = ()
        self._drawn: dict[tuple[int, str], str] = {}
        self._opened: dict[str, int] = {}
        self._looked: set[tuple[int, str]] = set()
        self._wanted: Mapping[str, str] = {}

    # Who plays.

    def begin(self, record: Record, keeper: RecordFile | None = None) -> None:
        """Play this game, machines where they were and where they were asked for."""
        super().begin(record, keeper)
        wanted, self._wanted = self._wanted, {}
        try:
            self.seat_all(wanted)
        except ArgumentError as error:
            self.tell(str(error))

    def seat_all(self, players: Mapping[str, str]) -> None:
        """
        Let machines or people play some seats; as soon as the table is set up.

        Raises:
            ArgumentError: As `sit`.
        """
        if self.recorder.session is None:
            self._wanted = players
        else:
            for seat, player in players.items():
                self.sit(seat, player)

    def sit(self, seat: str, player: str) -> None:
        """
        Let a machine of a strength play a seat, or a person, who gets a new link.

        Raises:
            ArgumentError: If there is no such seat or strength.
        """
        if seat not in self.seats:
            expected = f"expected one of {', '.join(self.seats)}"
            raise ArgumentError(f"{expected}; found {seat!r}", argument="machines")
        if player not in (PERSON, *LEVELS):
            expected = f"expected one of {', '.join(LEVELS)}"
            raise ArgumentError(f"{expected}; found {player!r}", argument="machines")
        book = self.seats[seat]
        if book.links.machine != player:
            kept = book.links if book.links.machine and player else Links.new()
            self.relink(book, replace(kept, machine=player))
            self.all_changed()

    # What machines do in their turns.

    def due(self) -> Callable[[], Callable[[], None]] | None:
        """
        Let machines choose the cards that they have shown, and return what lets one think.

        Nothing while one thinks already, or where nothing has changed since.
        """
        if self.recorder.session is None or not self.machines:
            self.turns = ()
            return None
        self._settle()
        now = self._acting()
        if self.thinking or _same(self._decided, now):
            return None
        self.turns, self._decided = (), now
        self.thinking = bool(now)
        return partial(self._think, now) if now else None

    def _acting(self) -> tuple[Acting, ...]:
        """Return the machines that may act, the one first whose turn goes on."""
        play = self.recorder.game.play
        last, due = play.turns.seat, play.due
        seats: list[tuple[str, bool]] = []
        if last is not None and last in self.machines and play.suggested(last):
            seats.append((last, True))
        if due is not None and due in self.machines and not (due == last and play.pending):
            seats.append((due, False))
        return tuple(
            Acting(seat, self.machines[seat], self.current(self.seats[seat]).record, goes_on)
            for seat, goes_on in seats
        )

    def _think(self, acting: tuple[Acting, ...]) -> Callable[[], None]:
        turns: list[MachineTurn] = []
        for each in acting:
            try:
                turns.append(_turn(each, self.rng))
            except Exception as error:
                self.tell(f"{each.seat} cannot decide: {type(error).__name__}")
                turns.append(MachineTurn(each.seat, waits="wits"))
            if turns[-1].action is not None:
                break

        def thought() -> None:
            self.thinking = False
            if _same(self._decided, self._acting()):
                self.turns = tuple(turns)
                for book in (self.recorder, *map(self.seats.__getitem__, self.machines)):
                    self._changed(book)

        return thought

    # What they show, and are shown.

    def _settle(self) -> None:
        """Let the cards that were shown be known to whoever saw them, where a machine did."""
        now = tuple(self.current(book).record for book in self.notebooks)
        if len(now) == len(self._settled) and all(map(is_, now, self._settled)):
            return
        table = self.recorder.game.record.table
        for number, observation in enumerate(self.recorder.game.record.observations, 1):
            for showing in showings(observation, table):
                if {showing.giver, showing.taker} & self.machines.keys():
                    self._pass_on(showing, number)
        self._settled = tuple(book.game.record for book in self.notebooks)

    def _pass_on(self, showing: Showing, number: int) -> None:
        """Let a card that was shown be known to its taker, once it is told or chosen."""
        giver, taker = showing.giver, showing.taker
        card = self._card(giver, showing, number)
        if card is None and giver in self.machines:
            card = self._shown_by_machine(showing, number)
        sees = taker in self.machines or self.seats[taker].links.taken
        if card is not None and sees and self._card(taker, showing, number) != card:
            self._know(taker, showing, number, card)

    def _shown_by_machine(self, showing: Showing, number: int) -> str | None:
        """Return the card that a machine shows, as it chose before or chooses now."""
        giver = showing.giver
        key = number, self.recorder.game.lines[number - 1]
        before = self._card(giver, showing, number) or self._card(showing.taker, showing, number)
        before = before or self._drawn.get(key)
        could = self.able(giver, showing.cards)
        if before is not None or not could:
            return before
        if showing.drawn:
            card = self._drawn[key] = one(could, self.rng)
        else:
            card = self.chosen(giver, could, showing.taker)
        self._know(giver, showing, number, card)
        return card

    @property
    def players(self) -> dict[str, str]:
        """Who plays each seat: the strength of a machine, or `PERSON`."""
        return {seat: self.machines.get(seat, PERSON) for seat in self.seats}

    def hand(self, seat: str) -> frozenset[str] | None:
        """Return the hand of a machine; `None` where it is not told."""
        return own_hand(self.current(self.seats[seat]).record)

    def able(self, seat: str, cards: Sequence[str] = ()) -> list[str]:
        """Return which of some cards a machine can show; of all if none are given."""
        held = self.hand(seat) or frozenset()
        every = self.recorder.game.record.table.cards
        return [card for card in every if card in held and card in (cards or every)]

    def chosen(self, seat: str, could: Sequence[str], to: str | None) -> str:
        """Return which of some cards a machine shows."""
        view = view_of(self.current(self.seats[seat]).record, self.rng)
        return _player(self.machines[seat]).show(view, could, to)

    def _entry(self, seat: str, number: int) -> int:
        """Return the number that an entry of the log has in a seat's notes."""
        return noticed(self.seats[seat].game.record)[number - 1]

    def _card(self, seat: str, showing: Showing, number: int) -> str | None:
        """Return the card that was shown, as the notes of a seat have it."""
        session = self.seats[seat].game
        observation = session.entry(self._entry(seat, number)).observation
        return card_of(observation, showing.giver, session.record.table)

    def _know(self, seat: str, showing: Showing, number: int, card: str) -> None:
        """Let a seat's notes have the card that was shown, if that seat sees it."""
        book, place = self.seats[seat], self._entry(seat, number)
        share = book.game.entry(place).observation
        told = with_card(share, showing.giver, card)
        sees = seen(told, table=book.game.record.table, viewer=seat) == told
        if sees and _may_be(book.game, told, place):
            book.game.replace(place, told)
            earlier = self._before.get(seat, [])
            earlier[:] = (_with(before, share, told) for before in earlier)
            self._changed(book)

    def owed(self, seat: str) -> tuple[Owed, ...]:
        """Return what a machine has to be told of what it saw, the last first; a few at once."""
        public, notes = self.recorder.game, self.current(self.seats[seat])
        table = public.record.table
        owed: list[Owed] = []
        for number, place in enumerate(noticed(notes.record), 1):
            observation = notes.entry(place).observation
            line = public.lines[number - 1]
            for each in showings(observation, table):
                untold = card_of(observation, each.giver, table) is None
                if each.taker == seat and untold and each.giver not in self.machines:
                    teller = "" if each.drawn else each.giver
                    owed.append(Owed(number, line, teller, each.cards or table.cards))
            match observation:
                case Look(by=by, holder=holder, card=None):
                    if by == seat and holder not in table.seats:
                        owed.append(Owed(number, line, "", table.cards))
                case Peek(by=by, feature=None):
                    if by == seat:
                        owed.append(Owed(number, line, "", tuple(table.edition.features)))
        return tuple(owed[: -_OWED - 1 : -1])

    def told(self, seat: str, owed: Owed, card: str) -> None:
        """
        Let a machine know what it saw.

        Raises:
            ArgumentError: If that can be no such card, by what was asked for or by what it holds.
        """
        if card not in owed.choices:
            raise ArgumentError(f"expected one of {', '.join(owed.choices)}")
        session = self.current(self.seats[seat])
        place = self._entry(seat, owed.number)
        share = session.entry(place).observation
        if isinstance(share, Peek):
            filled: Observation = replace(share, feature=card)
        else:
            givers = (each.giver for each in showings(share, session.record.table))
            filled = with_card(share, owed.teller or next(givers, ""), card)
        if not _may_be(session, filled, place):
            raise ArgumentError(f"{seat} says that this cannot be: which card was it?")
        session.replace(place, filled)
        self._changed(self.seats[seat])

    def hand_in(self, seat: str, cards: Sequence[str]) -> None:
        """
        Take the hand of a machine, in the place of an earlier one.

        Raises:
            ClueError: If it can be no hand there, or contradicts the log.
        """
        book, public = self.seats[seat], self.recorder.game.record
        least, most = public.table.size_bounds()[public.table.seats.index(seat)]
        held = tuple(card for card in public.table.cards if card in cards)
        if not least <= len(held) <= most:
            size = str(least) if least == most else f"{least} or {most}"
            raise ArgumentError(f"expected {size} cards; found {len(held)}")
        bare = Session(with_own(public, public, seat=seat))
        hand = Hand(seat=seat, cards=held)
        if bare.clashes(hand):
            raise ArgumentError("the log says otherwise of these cards: look again")
        session = self.current(book)
        others = (e for e in session.record.entries if not isinstance(e.observation, Hand))
        session.rewrite((Entry(observation=hand), *others))
        self.take_seat(book)
        self._changed(book)

    # What they show to who has no page of their own.

    def to_show(self, seat: str) -> tuple[tuple[int, str], ...]:
        """Return the entries in which a machine showed somebody without a page a card, and whom."""
        found = [
            (number, showing.taker)
            for number, showing in self._shown(seat)
            if showing.taker not in self.machines
            and not self.seats[showing.taker].links.taken
            and (number, showing.taker) not in self._looked
        ]
        return tuple(found[: -_OWED - 1 : -1])

    def open_card(self, seat: str, number: int) -> str:
        """Let a machine's page show once what it showed in an entry; return what it is asked by."""
        if number not in [entry for entry, _ in self.to_show(seat)]:
            raise ArgumentError("that is shown no more")
        token = new_secret()
        self._opened = {token: number}
        return token

    def opened(self, seat: str, token: str) -> tuple[str, str] | None:
        """Return who is shown a card on a machine's page, and which; `None` if nobody is."""
        for number, showing in self._shown(seat):
            if number == self._opened.get(token) and number in dict(self.to_show(seat)):
                card = self._shown_by_machine(showing, number)
                return None if card is None else (showing.taker, card)
        return None

    def close_card(self, seat: str, token: str) -> None:
        """Let a card that was shown on a machine's page be seen there no more."""
        number = self._opened.pop(token, None)
        self._looked |= {each for each in self.to_show(seat) if each[0] == number}
        self._changed(self.seats[seat])

    def _shown(self, seat: str) -> Iterator[tuple[int, Showing]]:
        """Yield what a machine showed to others, each with the number of its entry in the log."""
        public = self.recorder.game.record
        for number, observation in enumerate(public.observations, 1):
            for showing in showings(observation, public.table):
                if showing.giver == seat:
                    yield number, showing


def _turn(acting: Acting, rng: np.random.Generator) -> MachineTurn:
    """Return what a machine does next."""
    seat = acting.seat
    try:
        view = view_of(acting.notes, rng)
    except ArgumentError:
        return MachineTurn(seat, waits="hand")
    if not view.game.fits(view.observations):
        return MachineTurn(seat, waits="log")
    if not acting.goes_on:
        view.state = view.state.turn_of(seat)
    rules = view.state.rules
    if rules.board is not None and rules.told and view.state.place(seat) is None:
        return MachineTurn(seat, waits="place")
    action = next_action(_player(acting.strength), view)
    return MachineTurn(seat, action, _towards(view, action))


def _towards(view: View, action: Observation | None) -> str:
    """Return the room that a move to a square leads to, the nearest of those; empty if to none."""
    if not isinstance(action, Move) or action.to in view.edition.rooms:
        return ""
    ground = view.state.rules.ground
    rooms = [room for room in ground.bit if view.state.towards(room) == action.to]
    return min(rooms, key=lambda room: ground.steps_to(action.to, room) or 0, default="")


def _player(strength: str) -> Player:
    return find_player(LEVELS[strength])()


def _may_be(notes: Session, told: Observation, place: int) -> bool:
    """Whether something can be true by a seat's notes, in the place of one of their entries."""
    return not (impossible(notes.record, told) or notes.clashes(told, Place(place)))


def _same(before: Sequence[Acting], now: Sequence[Acting]) -> bool:
    """Whether nothing has changed; notes are compared by which they are."""
    return len(before) == len(now) and all(
        one.notes is other.notes and one._replace(notes=other.notes) == other
        for one, other in zip(before, now, strict=True)
    )


def _with(record: Record, share: Observation, told: Observation) -> Record:
    """Return an earlier record with what was told since of its last entry that is a share of it."""
    entries = list(record.entries)
    for place in range(len(entries) - 1, -1, -1):
        if entries[place].observation == share:
            entries[place] = replace(entries[place], observation=told)
            break
    return replace(record, entries=tuple(entries))
