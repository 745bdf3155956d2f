"""
A game being played: what every face holds. It tells lines, takes them back, and asks the game.

Each change gives a new record, written to the file before the change is reported as done; the old
record is kept, so undo and redo have no limit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.errors import NotationError, SetupError
from clue_solver.game import Game
from clue_solver.notation import TurnState, parse_line, normalise, split_comment
from clue_solver.observation import Accusation, Answer, Hand, Suggestion
from clue_solver.record import Entry, Record
from clue_solver.record.keeper import Keeper
from clue_solver.report.check import Check
from clue_solver.report.model import Report
from clue_solver.slips import Correction
from clue_solver.table import Table


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
        game: The game as it stands; a new value after each change.
        keeper: Where it is written to; `None` for a game in memory.
    """

    def __init__(self, record: Record, *, keeper: Keeper | None = None) -> None:
        self.game = Game(record)
        self.keeper = keeper
        self._past: list[Record] = []
        self._future: list[Record] = []

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
        return self.record.course.turn(self.record.table)

    @property
    def finished(self) -> bool:
        """Whether a right accusation has ended the game."""
        return finished(self.record)

    def tell(self, line: str) -> int:
        """
        Add an entry and return its number.

        Raises:
            NotationError: If the line cannot be read; nothing has changed then.
        """
        body, comment = split_comment(line)
        observation = parse_line(body, self.record.table, self.record.course)
        self._become(self.record.append(observation, comment=comment))
        return len(self.record.entries)

    def edit(self, entry: int, line: str) -> None:
        """
        Say an earlier entry anew.

        Raises:
            SetupError: If there is no such entry.
            NotationError: If the line, or a later one after it, cannot be read.
        """
        old = self._entry(entry)
        body, comment = split_comment(line)
        course = TurnState.of(self.record.observations[: entry - 1])
        observation = parse_line(body, self.record.table, course)
        changed = replace(old, observation=observation, comment=comment or old.comment)
        entries = self.record.entries
        self._become(self._settled((*entries[: entry - 1], changed, *entries[entry:])))

    def delete(self, entry: int) -> None:
        """
        Take an earlier entry out.

        Raises:
            SetupError: If there is no such entry.
            NotationError: If a later line has no meaning without it.
        """
        self._entry(entry)
        entries = self.record.entries
        self._become(self._settled((*entries[: entry - 1], *entries[entry:])))

    def set_hands(self, text: str) -> None:
        """
        Change the hand sizes: numbers in table order, `?` for one unknown; empty for all unknown.

        Raises:
            SetupError: If they do not add up.
            NotationError: If a line does not fit them.
        """
        self._become(self._settled(self.record.entries, with_hands(self.record.table, text)))

    def correct(self, correction: Correction) -> None:
        """Make the changes that a check proposed."""
        entries, table = list(self.record.entries), self.record.table
        for change in correction.changes:
            if change.entry is None:
                table = with_hands(table, change.after.removeprefix("hands:"))
                continue
            course = TurnState.of(tuple(each.observation for each in entries[: change.entry - 1]))
            meant = parse_line(change.after, table, course)
            entries[change.entry - 1] = replace(entries[change.entry - 1], observation=meant)
        self._become(self._settled(tuple(entries), table))

    def undo(self) -> bool:
        """
        Go back to what was before the last change; of a game from a file to one entry less.

        Returns:
            Whether there was anything to go back to.
        """
        if self._past:
            earlier = self._past.pop()
        elif self.record.entries:
            earlier = self.record.upto(len(self.record.entries) - 1)
        else:
            return False
        self._future.append(self.record)
        self._write(earlier)
        return True

    def redo(self) -> bool:
        """Do again what was undone; return whether there was anything."""
        if not self._future:
            return False
        self._past.append(self.record)
        self._write(self._future.pop())
        return True

    def report(self, *, viewer: str | None = None, upto: int | None = None) -> Report:
        """Return the report as of now, or as of an earlier entry, or through other eyes."""
        return self.game.report(viewer=viewer, upto=upto)

    def check(self) -> Check:
        """Return whether the log holds together, and what would mend it."""
        return self.game.check()

    def clashes(self, line: str) -> bool:
        """Return whether a line would contradict the log; false where it cannot be read."""
        try:
            observation = parse_line(line, self.record.table, self.record.course)
            longer = Game(self.record.append(observation))
        except NotationError:
            return False
        return not longer.deduction().consistent(len(longer.observations))

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
        asked = parse_line(line, table, self.record.course)
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
                longer = self.record.append(replace(asked, answers=(answer,)))
            except NotationError:
                continue
            after = Game(longer).report(viewer=asked.by).bits
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
            raise SetupError(f"no entry {number}: the log has {len(entries)}")
        return entries[number - 1]

    def _settled(self, entries: Iterable[Entry], table: Table | None = None) -> Record:
        """Return the record with these entries, each checked in its place."""
        table = table or self.record.table
        course = TurnState()
        kept: list[Entry] = []
        for number, entry in enumerate(entries, 1):
            try:
                observation = normalise(entry.observation, table, course)
            except NotationError as error:
                raise NotationError(f"entry {number}: {error.reason}") from None
            course = course.after(observation)
            kept.append(replace(entry, observation=observation))
        return replace(self.record, table=table, entries=tuple(kept))

    def _become(self, record: Record) -> None:
        self._past.append(self.record)
        self._future.clear()
        self._write(record)

    def _write(self, record: Record) -> None:
        if self.keeper:
            self.keeper.write(record)
        self.game = Game(record)


def with_hands(table: Table, text: str) -> Table:
    """
    Return the table with other hand sizes, as they are typed: numbers, `?` for one unknown.

    Raises:
        SetupError: If they cannot be read or do not add up.
    """
    sizes = text.replace(",", " ").split()
    for size in sizes:
        if size != "?" and not (size.isascii() and size.isdigit() and len(size) < 4):
            raise SetupError(f"hands: expected numbers or ?; found {size!r}")
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
