"""
A game being played: what every face holds. It tells lines, takes them back, and asks the game.

Each change gives a new record, written to the file before the change is reported as done; the old
record is kept, so undo and redo have no limit. What follows from the entries before (whose turn it
is, their lines) is kept with it: an entry more adds to that, and undo and redo find it again.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from msgspec import ValidationError, convert, to_builtins
from msgspec.structs import replace

from clue_solver import notation
from clue_solver.answers.corrections import Check, Correction
from clue_solver.answers.report import Report
from clue_solver.errors import ArgumentError, NotationError, SetupError
from clue_solver.game import Game
from clue_solver.inference.sat import Solver
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.record import Entry, Record
from clue_solver.record.files import Keeper
from clue_solver.rules.observations import Accusation, Answer, Hand, Observation, Suggestion
from clue_solver.rules.table import Table


class Showing(NamedTuple):
    """
    A card that may be shown in answer to a suggestion.

    Attributes:
        card: The card.
        known: The entry in which the asker was shown or saw it already; `None` if in none.
        bits: How many bits about the solution it tells the asker, by what everybody can know of
            the asker's cards and notes.
    """

    card: str
    known: int | None
    bits: float


class Session:
    """
    A game in progress.

    Attributes:
        keeper: Where it is written to; `None` for a game in memory.
    """

    def __init__(self, record: Record, *, keeper: Keeper | None = None) -> None:
        self.keeper = keeper
        self._now = _Moment.of(record)
        self._past: list[_Moment] = []
        self._future: list[_Moment] = []
        self._fit: _Fit | None = None

    @property
    def game(self) -> Game:
        """The game as it stands; a new value after each change."""
        return self._now.game

    @property
    def record(self) -> Record:
        """The record as it stands."""
        return self.game.record

    @property
    def trouble(self) -> str | None:
        """Why the game is in memory only, where it should be in a file; `None` if all is well."""
        return self.keeper.trouble if self.keeper else None

    @property
    def turn(self) -> str | None:
        """Whose turn it is, as far as it follows from the log."""
        return self.state.turn(self.record.table)

    @property
    def state(self) -> notation.TurnState:
        """What the entries mean for the next line."""
        return self._now.states[-1]

    @property
    def lines(self) -> tuple[str, ...]:
        """The entries as canonical lines, in file order."""
        return self._now.lines

    @property
    def finished(self) -> bool:
        """Whether a right accusation has ended the game."""
        return finished(self.record)

    def tell(self, line: str) -> int:
        """
        Add an entry from a line, in full or in short, and return its number.

        Raises:
            NotationError: If the line cannot be read; nothing has changed then.
        """
        body, comment = notation.split_comment(line)
        return self._add(notation.parse_line(body, self.record.table, self.state), comment)

    def append(self, observation: Observation, *, comment: str = "") -> int:
        """
        Add an entry that is an observation already and return its number.

        It is checked as a line is, and passes that follow from the order of answering are filled
        in; names in it stand in full.

        Raises:
            NotationError: If it has no meaning at this table; nothing has changed then.
            RecordError: If the comment cannot be written as one.
        """
        try:
            whole: Observation = convert(to_builtins(observation), Observation)
        except (ValidationError, TypeError) as error:
            raise NotationError(f"expected an observation; {error}") from None
        return self._add(notation.normalise(whole, self.record.table, self.state), comment)

    def edit(self, entry: int, line: str) -> None:
        """
        Replace an earlier entry.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If the line, or a later one after it, cannot be read.
        """
        self._entry(entry)
        body, comment = notation.split_comment(line)
        observation = notation.parse_line(body, self.record.table, self.state_before(entry))
        self.replace(entry, observation, comment=comment)

    def replace(self, entry: int, observation: Observation, *, comment: str = "") -> None:
        """Replace an earlier entry, whose comment stays if there is no other; raises as `edit`."""
        old = self._entry(entry)
        changed = replace(old, observation=observation, comment=comment or old.comment)
        entries = self.record.entries
        self._become(self._checked((*entries[: entry - 1], changed, *entries[entry:]), entry - 1))

    def state_before(self, entry: int) -> notation.TurnState:
        """Return what the entries before this one mean for its line."""
        return self._now.states[entry - 1]

    def delete(self, entry: int) -> None:
        """
        Take an earlier entry out.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If a later line has no meaning without it.
        """
        self._entry(entry)
        entries = self.record.entries
        self._become(self._checked((*entries[: entry - 1], *entries[entry:]), entry - 1))

    def set_hands(self, text: str) -> None:
        """
        Change the hand sizes: numbers in table order, `?` for one unknown; empty for all unknown.

        Raises:
            SetupError: If they do not add up.
            NotationError: If a line does not fit them.
        """
        self._become(self._checked(self.record.entries, 0, with_hands(self.record.table, text)))

    def correct(self, correction: Correction) -> None:
        """Make the changes that a check proposed."""
        entries, table = list(self.record.entries), self.record.table
        for change in correction.changes:
            if change.entry is None:
                table = with_hands(table, change.after.removeprefix("hands:"))
                continue
            state = notation.TurnState.of(
                [each.observation for each in entries[: change.entry - 1]]
            )
            meant = notation.parse_line(change.after, table, state)
            entries[change.entry - 1] = replace(entries[change.entry - 1], observation=meant)
        self._become(self._checked(tuple(entries), 0, table))

    def undo(self) -> bool:
        """
        Go back to what was before the last change; of a game from a file to one entry less.

        Returns:
            Whether there was anything to go back to.
        """
        if self._past:
            earlier = self._past.pop()
        elif self.record.entries:
            earlier = self._now.shorter()
        else:
            return False
        self._future.append(self._now)
        self._write(earlier)
        return True

    def redo(self) -> bool:
        """Do again what was undone; return whether there was anything."""
        if not self._future:
            return False
        self._past.append(self._now)
        self._write(self._future.pop())
        return True

    def report(self, *, viewer: str | None = None, upto: int | None = None) -> Report:
        """Return the report as of now, or as of an earlier entry, or through other eyes."""
        return self.game.report(viewer=viewer, upto=upto)

    def check(self) -> Check:
        """Return whether the log is consistent; if not, suggested corrections."""
        return self.game.check()

    def clashes(self, told: str | Observation) -> bool:
        """Return whether a line would contradict the log; false where it cannot be read."""
        table = self.record.table
        if isinstance(told, str):
            try:
                told = notation.parse_line(told, table, self.state)
            except NotationError:
                return False
        return not self.fit.fits((*self.record.observations, told))

    @property
    def fit(self) -> _Fit:
        """What tells whether entries fit together; made once for a table."""
        if self._fit is None or self._fit.table is not self.record.table:
            self._fit = _Fit(self.record.table)
        return self._fit

    def showings(self, line: str) -> tuple[Showing, ...]:
        """
        Return the cards that the viewer may show in answer to a suggestion, what tells least first.

        Args:
            line: The suggestion, with or without its answers.

        Raises:
            NotationError: If it is no suggestion by another seat.
            SetupError: If the viewer's own hand is not recorded.
        """
        table, viewer = self.record.table, self.record.table.viewer
        asked = notation.parse_line(line, table, self.state)
        if not isinstance(asked, Suggestion) or asked.by == viewer:
            raise NotationError("expected another player's suggestion", line=line)
        own = own_hand(self.record)
        if viewer is None or own is None:
            raise SetupError("your own hand is not recorded: add a line such as 'Ann holds ...'")
        before = self.report(viewer=asked.by).bits
        found = []
        for card in (card for card in asked.cards if card in own):
            answer = Answer(seat=viewer, answer="shows", card=card)
            try:
                told = notation.normalise(replace(asked, answers=(answer,)), table, self.state)
            except NotationError:
                continue
            after = Game(self.record.longer(told)).report(viewer=asked.by).bits
            found.append(Showing(card, self._seen(card, asked.by), before - after))
        return tuple(sorted(found, key=lambda each: (each.known is None, each.bits)))

    def close(self) -> None:
        """Let go of the file."""
        if self.keeper:
            self.keeper.close()

    def _seen(self, card: str, seat: str) -> int | None:
        """Return the entry in which the viewer showed the card to the seat, if any."""
        for number, observation in enumerate(self.record.observations, 1):
            match observation:
                case Suggestion(by=by, answers=answers) if by == seat:
                    if any(answer.card == card for answer in answers):
                        return number
                case _:
                    pass
        return None

    def _entry(self, number: int) -> Entry:
        entries = self.record.entries
        if not 1 <= number <= len(entries):
            raise ArgumentError(f"no entry {number}: the log has {len(entries)}", argument="entry")
        return entries[number - 1]

    def _checked(
        self, entries: tuple[Entry, ...], first: int, table: Table | None = None
    ) -> _Moment:
        """Return the game with these entries, each after the `first` ones checked in its place."""
        begun = replace(self.record, table=table or self.record.table, entries=entries[:first])
        now = _Moment(
            self.game.changed(begun),
            self._now.states[: first + 1],
            self._now.lines[:first],
        )
        for number, entry in enumerate(entries[first:], first + 1):
            try:
                told = notation.normalise(entry.observation, now.record.table, now.states[-1])
            except NotationError as error:
                raise NotationError(f"entry {number}: {error.reason}") from None
            kept = (*now.record.entries, replace(entry, observation=told))
            now = now.longer(replace(now.record, entries=kept))
        return now

    def _add(self, observation: Observation, comment: str) -> int:
        """Add an entry in canonical form; what knows the entries before can be carried on here."""
        self._become(self._now.longer(self.record.longer(observation, comment=comment)))
        return len(self.record.entries)

    def _become(self, moment: _Moment) -> None:
        self._past.append(self._now)
        self._future.clear()
        self._write(moment)

    def _write(self, moment: _Moment) -> None:
        if self.keeper:
            self.keeper.write(moment.record)
        self._now = moment


class _Moment(NamedTuple):
    """
    A record, and what follows from its entries one by one.

    Attributes:
        game: The game of its record.
        states: What the first entries mean for the next line: of none, of one, and so on.
        lines: The entries as canonical lines.
    """

    game: Game
    states: tuple[notation.TurnState, ...]
    lines: tuple[str, ...]

    @property
    def record(self) -> Record:
        """The record."""
        return self.game.record

    @classmethod
    def of(cls, record: Record) -> _Moment:
        """Return the moment of a record that nothing is known of yet."""
        states = tuple(
            accumulate(record.observations, notation.TurnState.after, initial=notation.TurnState())
        )
        lines = tuple(notation.format_line(each, record.table) for each in record.observations)
        return cls(Game(record), states, lines)

    def longer(self, record: Record) -> _Moment:
        """Return the moment of the record with one more entry."""
        told = record.entries[-1].observation
        line = notation.format_line(told, record.table)
        states = (*self.states, self.states[-1].after(told))
        return _Moment(self.game.changed(record), states, (*self.lines, line))

    def shorter(self) -> _Moment:
        """Return the moment of the record with one entry less."""
        record = self.record.upto(len(self.record.entries) - 1)
        return _Moment(self.game.changed(record), self.states[:-1], self.lines[:-1])


class _Fit:
    """
    Tells whether entries fit together, through the viewer's eyes.

    One solver serves all the logs of a table: every clause stands in it once, and a log is the set
    of clauses that are to hold.

    Attributes:
        table: The table.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._solver = Solver(knowledge_of(table, (), viewer=table.viewer, shows="none"))

    def fits(self, observations: Iterable[Observation]) -> bool:
        """Return whether some deal fits all of them."""
        known = knowledge_of(self.table, observations, viewer=self.table.viewer, shows="none")
        clauses = (clause._replace(entries=()) for clause in known.clauses)
        return self._solver.model([self._solver.guarded(clause) for clause in clauses]) is not None


def with_hands(table: Table, text: str) -> Table:
    """
    Return the table with other hand sizes, as they are typed: numbers, `?` for one unknown.

    Raises:
        SetupError: If they do not add up; an `ArgumentError` if they cannot be read.
    """
    sizes = text.replace(",", " ").split()
    for size in sizes:
        if size != "?" and not (size.isascii() and size.isdigit() and len(size) < 4):
            raise ArgumentError(f"hands: expected numbers or ?; found {size!r}", argument="hands")
    hands = tuple(None if size == "?" else int(size) for size in sizes)
    return replace(table, hands=() if set(hands) <= {None} else hands)


def own_hand(record: Record) -> frozenset[str] | None:
    """Return the viewer's whole hand, where it is recorded."""
    held = [each for each in record.observations if isinstance(each, Hand)]
    own = [hand.cards for hand in held if hand.seat == record.table.viewer]
    return frozenset(own[-1]) if own else None


def finished(record: Record) -> bool:
    """Return whether a right accusation has ended the game."""
    return any(isinstance(each, Accusation) and each.right for each in record.observations)
