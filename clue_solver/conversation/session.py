"""
A game being played: what every face holds. It tells lines, takes them back, and asks the game.

Each change gives a new record, written to the file before the change is reported as done; the old
record is kept, so undo and redo have no limit. What follows from the entries before (whose turn it
is, their lines) is kept with it: an entry more adds to that, and undo and redo find it again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.answers.corrections import Check, Correction, OddEntry
from clue_solver.answers.position import seats_out
from clue_solver.answers.report import Report
from clue_solver.conversation.doubts import (
    Doubt,
    Place,
    doubts_of,
    impossible,
    lacking,
    late_answer,
    over_since,
    own_hand,
    refuse_own,
)
from clue_solver.game import Game
from clue_solver.inference.diagram import sort_key
from clue_solver.notation.names import seats_in
from clue_solver.record import Entry, Record
from clue_solver.record.files import RecordFile
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
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


class Change(Struct, frozen=True, kw_only=True):
    """
    What going back or forth made of a record.

    Attributes:
        kind: `added`, `removed` or `replaced` of entries; `seats`, `hands` or other parts of the
            `header`.
        entry: The number of the first entry that is not what it was; `None` for the header.
        before, after: That entry as it was and as it is, `None` where there is none; of the header
            the tables.
        more: How many more entries were added or removed.
    """

    kind: Literal["added", "removed", "replaced", "seats", "hands", "header"]
    entry: int | None = None
    before: Entry | Table | None = None
    after: Entry | Table | None = None
    more: int = 0


class Outside(Struct, frozen=True, kw_only=True):
    """
    What another program wrote to the file, and what became of it.

    Attributes:
        entries: How many entries were read from it; `None` where it cannot be read.
        error: Why it cannot be read; `None` where it was.
        aside: The file in which it is kept, where the game was written over it.
    """

    entries: int | None = None
    error: errors.ClueError | None = None
    aside: Path | None = None


class Ending(Struct, frozen=True, kw_only=True):
    """
    Why a game is over.

    Attributes:
        won: The accusation that was right; `None` where too few players are left.
        left: Who is left in the game; `None` for nobody, or where it was won.
    """

    won: observed.Accusation | None = None
    left: str | None = None


class Session:
    """
    A game in progress.

    Attributes:
        keeper: Where it is written to; `None` for a game in memory.
        outside: What another program wrote to the file before the last change or `poll`, and what
            became of it; `None` where there was nothing.
    """

    def __init__(self, record: Record, *, keeper: RecordFile | None = None) -> None:
        self.keeper = keeper
        self.outside: Outside | None = None
        self._now = _Moment.of(record)
        self._past: list[_Moment] = []
        self._future: list[_Moment] = []
        self._told_odd: set[tuple[int, str]] = set()

    @property
    def game(self) -> Game:
        """The game as it stands; a new value after each change."""
        return self._now.game

    @property
    def record(self) -> Record:
        """The record as it stands."""
        return self.game.record

    @property
    def trouble(self) -> errors.RecordError | None:
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

    def still(self) -> Session:
        """Return the game as it stands, to be read beside the changes that another thread makes."""
        now = copy(self)
        now._past, now._future = self._past[-1:], []
        return now

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return finished(self.record)

    @property
    def ended(self) -> Ending | None:
        """Why the game is over; `None` while it goes on."""
        return ended(self.record)

    def tell(self, line: str) -> int:
        """
        Add an entry from a line, in full or in short, and return its number.

        What another program has written to the file stands before it.

        Raises:
            NotationError: If the line cannot be read, or shows a card that the viewer does not
                hold; nothing has changed then.
        """
        self.poll()
        told = self.read(line)
        return self._add(told.observation, told.comment)

    def append(self, observation: Observation, *, comment: str = "") -> int:
        """
        Add an entry that is an observation already and return its number.

        It is checked as a line is, and passes that follow from the order of answering are filled
        in; names in it stand in full.

        Raises:
            NotationError: If it has no meaning at this table, or as `tell`; nothing has changed
                then.
            RecordError: If the comment cannot be written as one.
        """
        self.poll()
        try:
            whole: Observation = convert(to_builtins(observation), Observation)
        except (ValidationError, TypeError) as error:
            raise errors.NotationError(f"expected an observation; {error}") from None
        return self._add(notation.normalise(whole, self.record.table, self.state), comment)

    def take(self, told: notation.Told, place: Place = Place()) -> int:  # noqa: B008
        """
        Take a line that was read in at its place, and return the number of its entry.

        Raises:
            ClueError: As `append`, `replace` and `insert`.
        """
        if place.entry is None:
            return self.append(told.observation, comment=told.comment)
        change = self.insert if place.insert else self.replace
        change(place.entry, told.observation, comment=told.comment)
        return place.entry

    def edit(self, entry: int, line: str) -> None:
        """
        Replace an earlier entry.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If the line, or a later one after it, cannot be read; or as `tell`.
            RecordError: If another program has changed the file, which is read again then.
        """
        self.take(self.read(line, editing=entry), Place(entry))

    def replace(self, entry: int, observation: Observation, *, comment: str = "") -> None:
        """Replace an earlier entry, whose comment stays if there is no other; raises as `edit`."""
        self._follow()
        old = self.entry(entry)
        refuse_own(self.record, observation)
        changed = replace(old, observation=observation, comment=comment or old.comment)
        entries = self.record.entries
        self._become(self._checked((*entries[: entry - 1], changed, *entries[entry:]), entry - 1))

    def insert(self, entry: int, observation: Observation, *, comment: str = "") -> None:
        """Put an entry in before an earlier one, whose number becomes its own; raises as `edit`."""
        self._follow()
        self.entry(entry)
        refuse_own(self.record, observation)
        before, after = self.record.entries[: entry - 1], self.record.entries[entry - 1 :]
        put_in = Entry(observation=observation, comment=comment)
        if not before:  # what stands between the header and the first entry stays there
            put_in = replace(put_in, before=after[0].before)
            after = (replace(after[0], before=()), *after[1:])
        self._become(self._checked((*before, put_in, *after), entry - 1))

    def state_before(self, entry: int) -> notation.TurnState:
        """Return what the entries before this one mean for its line."""
        return self._now.states[entry - 1]

    def delete(self, entry: int) -> None:
        """
        Take an earlier entry out.

        Raises:
            ArgumentError: If there is no such entry.
            NotationError: If a later line has no meaning without it.
            RecordError: As `edit`.
        """
        self._follow()
        self.entry(entry)
        entries = self.record.entries
        self._become(self._checked((*entries[: entry - 1], *entries[entry:]), entry - 1))

    def rewrite(
        self, entries: Sequence[Entry], table: Table | None = None, *, later: bool = False
    ) -> None:
        """
        Put other entries, or another header, in the place of those that there are.

        What both begin with is not read again. Where the file may follow `later`, it is left to
        `write_out`, or to the next change.

        Raises:
            NotationError: If an entry has no meaning in its place.
            RecordError: As `edit`.
        """
        self._follow()
        pairs = zip(self.record.entries, entries, strict=False)
        same = 0 if table else sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._become(self._checked(tuple(entries), same, table), later=later)

    def write_out(self) -> None:
        """Write the game as it stands to its file."""
        self._write(self._now)

    def set_hands(self, text: str) -> None:
        """
        Change the hand sizes: numbers in table order, `?` for one unknown; empty for all unknown.

        Raises:
            SetupError: If they do not add up.
            NotationError: If a line does not fit them.
            RecordError: As `edit`.
        """
        self._follow()
        self._become(self._checked(self.record.entries, 0, with_hands(self.record.table, text)))

    def set_seats(self, text: str) -> None:
        """
        Rename the players, or put them into another order: all of them clockwise.

        Each new name takes the place of the next one that is missing; the entries follow. A name in
        small letters is the player's who is called so in any case.

        Raises:
            SetupError: If there are more or fewer of them, or one cannot be a player's name.
            NotationError: If an entry cannot have happened in that order.
            RecordError: As `edit`.
        """
        self._follow()
        entries, table = self.record.entries, self.record.table
        typed, folded = seats_in(text), {seat.casefold(): seat for seat in table.seats}
        meant = [each if each in table.seats else folded.get(each.casefold()) for each in typed]
        names = tuple(
            seat if seat and each.islower() else each
            for each, seat in zip(typed, meant, strict=True)
        )
        gone = [seat for seat in table.seats if seat not in meant]
        new = [name for name, seat in zip(names, meant, strict=True) if not seat]
        if len(names) != len(table.seats) or len(gone) != len(new):
            raise errors.SetupError(f"players: expected {len(table.seats)} different names")
        named = dict(zip(meant, names, strict=True)) | dict(zip(gone, new, strict=True))
        called = {seat: named[seat] for seat in table.seats}
        before = [list(called.values()).index(name) for name in names]
        table = replace(
            table,
            seats=names,
            viewer=table.viewer and called[table.viewer],
            first=table.first and called[table.first],
            hands=tuple(table.hands[place] for place in before if table.hands),
            pieces=tuple(table.pieces[place] for place in before if table.pieces),
            asks=tuple(replace(each, seat=each.seat and called[each.seat]) for each in table.asks),
        )
        told = [
            replace(entry, observation=_renamed(entry.observation, called)) for entry in entries
        ]
        self._become(self._checked(tuple(told), 0, table))

    def correct(self, correction: Correction) -> None:
        """Make the changes that a check proposed; raises as `delete`."""
        self._follow()
        self._become(self._corrected(correction))

    def undo(self) -> Change | None:
        """
        Go back to what was before the last change; of a game from a file to one entry less.

        Returns:
            What that changed; `None` if there was nothing to go back to.

        Raises:
            RecordError: As `edit`.
        """
        self._follow()
        if self._past:
            earlier = self._past.pop()
        elif self.record.entries:
            earlier = self._now.shorter()
        else:
            return None
        self._future.append(self._now)
        return self._step(earlier)

    @property
    def redoing(self) -> bool:
        """Whether something that was undone can be done again."""
        return bool(self._future)

    @property
    def undoing(self) -> Change | None:
        """What `undo` would change; `None` if there is nothing to go back to."""
        if self._past:
            return self._now.changed_to(self._past[-1])
        return self._now.changed_to(self._now.shorter()) if self.record.entries else None

    def redo(self) -> Change | None:
        """Do again what was undone; return what that changed, `None` if nothing; as `undo`."""
        self._follow()
        if not self._future:
            return None
        self._past.append(self._now)
        return self._step(self._future.pop())

    def poll(self) -> Outside | None:
        """
        Take in what another program has written to the file, if that can be read.

        The file's entries are the record then, and `undo` leads back. What cannot be read is left
        alone, and kept in a file beside this one when the next change is written.

        Returns:
            What became of it, as `outside` has it; `None` if the file is as it was.
        """
        self.outside = None
        if self.keeper is None or self.trouble or not self.keeper.changed:
            return None
        try:
            record = self.keeper.read()
        except errors.ClueError as error:
            self.outside = Outside(error=error)
        else:
            if record.table == self.record.table:
                record = replace(record, table=self.record.table)
            self._past.append(self._now)
            self._future.clear()
            self._now = _Moment.of(record)
            self.outside = Outside(entries=len(record.entries))
        return self.outside

    def report(self, *, viewer: str | None = None, upto: int | None = None) -> Report:
        """Return the report as of now, or as of an earlier entry, or through other eyes."""
        return self.game.report(viewer=viewer, upto=upto)

    def check(self) -> Check:
        """Return whether the log is consistent; if not, suggested corrections."""
        return self.game.check()

    def odd(self) -> tuple[OddEntry, ...]:
        """Return the entries that may have been mistyped, those not returned before."""
        found = {(each.entry, each.before): each for each in self.check().odd}
        new = tuple(each for key, each in found.items() if key not in self._told_odd)
        self._told_odd = self._told_odd | found.keys()
        return new

    def provisional(self, check: Check | None = None) -> tuple[Report, Correction] | None:
        """
        Return the report under the likeliest correction of a log that contradicts itself.

        Args:
            check: What `check` returned, where it is known.

        Returns:
            The report and that correction; `None` for a consistent log, or if none is found.
        """
        for correction in (check or self.check()).corrections[:1]:
            return self._corrected(correction).game.report(), correction
        return None

    def clashes(self, told: str | Observation, place: Place = Place()) -> bool:  # noqa: B008
        """
        Return whether a line contradicts the log in its place; false where it cannot be read.

        Nothing does so in a log that contradicts itself without it.
        """
        if isinstance(told, str):
            try:
                told = self.read(told, editing=place.entry).observation
            except errors.NotationError:
                return False
        log = self.record.observations
        at = len(log) if place.entry is None else place.entry - 1
        after = log[at:] if place.insert else log[at + 1 :]
        return not self.game.fits((*log[:at], told, *after)) and self.game.fits((*log[:at], *after))

    def read(self, line: str, *, editing: int | None = None) -> notation.Told:
        """
        Return all that a line tells.

        Args:
            line: The line as it was typed.
            editing: The number of the entry that it is to replace.

        Raises:
            NotationError: If it cannot be read.
            ArgumentError: If there is no such entry.
        """
        return notation.read_line(line, self.record.table, self._state(editing))

    def completions(self, typed: notation.TypedLine) -> tuple[notation.Completion, ...]:
        """Return what may stand next in a line, but for what the viewer's own hand rules out."""
        found, whole = typed.completions(), typed.whole
        return tuple(
            each
            for each in found
            if each.line not in whole or not impossible(self.record, whole[each.line])
        )

    def doubts(
        self,
        told: str | Observation | notation.Told,
        *,
        editing: int | None = None,
        insert: bool = False,
    ) -> tuple[Doubt, ...]:
        """
        Return what to ask before a line is taken; nothing where all is plain.

        Args:
            told: The line as it was typed, or what it tells. Only a line can say that something is
                left out on purpose: `Cat shows ?`, or `: ?` where nothing was heard.
            editing: The number of the entry that it is to replace.
            insert: Whether it is to be put in before that entry instead.

        Raises:
            NotationError: If it cannot be read, or as `tell`.
            ArgumentError: If there is no such entry.
        """
        if isinstance(told, str):
            told = self.read(told, editing=editing)
        elif not isinstance(told, notation.Told):
            told = notation.told_as(told, self.record.table)
        refuse_own(self.record, told.observation)
        place = Place(editing, insert)
        return doubts_of(self.game, told, place=place, state=self._state(editing))

    def lacking(self, error: errors.NotationError, *, editing: int | None = None) -> Doubt | None:
        """Return the question for what alone a refused line leaves out: a card, right or wrong."""
        return lacking(error, self.record.table, self._state(editing))

    def late(self, error: errors.NotationError) -> Doubt | None:
        """Return the question whether a refused line is what the last suggestion's entry lacks."""
        return late_answer(error, self.record, self._now.states)

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
        if not isinstance(asked, observed.Suggestion) or asked.by == viewer:
            raise errors.NotationError("expected another player's suggestion", line=line)
        own = own_hand(self.record)
        if viewer is None or own is None:
            raise errors.SetupError(
                "your own hand is not recorded: add a line such as 'Ann holds ...'"
            )
        before = self.game.report(viewer=asked.by, asks="any").bits  # who asks learns nothing by it
        found = []
        for card in (card for card in asked.cards if card in own):
            answer = observed.Answer(seat=viewer, answer="shows", card=card)
            try:
                told = notation.normalise(replace(asked, answers=(answer,)), table, self.state)
            except errors.NotationError:
                continue
            longer = Game(self.record.longer(told))
            after = longer.report(viewer=asked.by, asks="any").bits
            found.append(Showing(card, self._seen(card, asked.by), before - after))
        return tuple(sorted(found, key=lambda each: (each.known is None, sort_key(each.bits))))

    def close(self) -> None:
        """Let go of the file."""
        if self.keeper:
            self.keeper.close()

    def _seen(self, card: str, seat: str) -> int | None:
        """Return the entry in which the viewer showed the card to the seat, if any."""
        for number, observation in enumerate(self.record.observations, 1):
            match observation:
                case observed.Suggestion(by=by, answers=answers) if by == seat:
                    if any(answer.card == card for answer in answers):
                        return number
                case _:
                    pass
        return None

    def _state(self, editing: int | None) -> notation.TurnState:
        """Return what the entries before a line mean for it."""
        if editing is None:
            return self.state
        self.entry(editing)
        return self.state_before(editing)

    def _corrected(self, correction: Correction) -> _Moment:
        entries, table = list(self.record.entries), self.record.table
        for change in correction.changes:
            if isinstance(change.meant, Table):
                table = replace(table, hands=change.meant.hands)
            elif change.entry is not None:
                old = entries[change.entry - 1]
                entries[change.entry - 1] = replace(old, observation=change.meant)
        return self._checked(tuple(entries), 0, table)

    def _follow(self) -> None:
        """Refuse a change where another program has changed the file, which is read again."""
        before = self._now
        self.poll()
        if self._now is not before and self.keeper is not None:
            reason = "another program has changed the file, and it has been read again"
            raise errors.RecordError(
                f"{reason}; nothing else was done, so look and do it again",
                path=str(self.keeper.path),
            )

    def entry(self, number: int) -> Entry:
        """Return an entry by its number; raise an `ArgumentError` if there is no such."""
        entries = self.record.entries
        if not 1 <= number <= len(entries):
            raise errors.ArgumentError(
                f"no entry {number}: the log has {len(entries)}", argument="entry"
            )
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
            except errors.NotationError as error:
                raise errors.NotationError(f"entry {number}: {error.reason}") from None
            kept = (*now.record.entries, replace(entry, observation=told))
            now = now.longer(replace(now.record, entries=kept))
        return now

    def _add(self, observation: Observation, comment: str) -> int:
        """Add an entry in canonical form; what knows the entries before can be carried on here."""
        refuse_own(self.record, observation)
        self._become(self._now.longer(self.record.longer(observation, comment=comment)))
        return len(self.record.entries)

    def _become(self, moment: _Moment, *, later: bool = False) -> None:
        self._past.append(self._now)
        self._future.clear()
        if later:
            self._now = moment
        else:
            self._write(moment)

    def _write(self, moment: _Moment) -> None:
        if self.keeper:
            self.keeper.write(moment.record)
            if aside := self.keeper.aside:
                self.outside = Outside(aside=aside)
        self._now = moment

    def _step(self, moment: _Moment) -> Change:
        """Go to another moment, and return what is not as it was."""
        before = self._now
        self._write(moment)
        return before.changed_to(moment)


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

    def changed_to(self, after: _Moment) -> Change:
        """Return what changes where another moment follows."""
        before_table, after_table = self.record.table, after.record.table
        if before_table != after_table:
            kind: Literal["seats", "hands", "header"] = "header"
            if before_table.seats != after_table.seats:
                kind = "seats"
            elif before_table.hands != after_table.hands:
                kind = "hands"
            return Change(kind=kind, before=before_table, after=after_table)
        old, new = self.record.entries, after.record.entries
        pairs = zip(old, new, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        was = old[same] if same < len(old) else None
        now = new[same] if same < len(new) else None
        more = max(abs(len(old) - len(new)) - 1, 0)
        if len(old) > len(new):
            return Change(kind="removed", entry=same + 1, before=was, after=now, more=more)
        if len(new) > len(old):
            return Change(kind="added", entry=same + 1, before=was, after=now, more=more)
        if was is None:
            return Change(kind="header", before=before_table, after=after_table)
        return Change(kind="replaced", entry=same + 1, before=was, after=now)


def _renamed(told: Observation, called: Mapping[str, str]) -> Observation:
    """Return an observation in which the seats are called otherwise."""
    bearers = told.form.bearers()

    def renamed(field: str, said: Any) -> Any:
        if isinstance(said, list | tuple):
            return [renamed(field, each) for each in said]
        if isinstance(said, dict):
            return {key: renamed(key, each) for key, each in said.items()}
        seat = isinstance(said, str) and bearers.get(field) in ("seats", "holders", "places")
        return called.get(said, said) if seat else said

    whole: Observation = convert(renamed("", to_builtins(told)), Observation)
    return whole


def with_hands(table: Table, text: str) -> Table:
    """
    Return the table with other hand sizes, as they are typed.

    Args:
        table: The table.
        text: Numbers in table order, with or without commas (`34434`), `?` for one unknown; or
            the player who was dealt the first card, where the cards do not divide evenly; empty
            for all unknown.

    Raises:
        SetupError: If they do not add up; an `ArgumentError` if they cannot be read.
        NotationError: If there is no such player.
    """
    sizes = text.replace(",", " ").split()
    if len(sizes) == 1 and len(sizes[0]) == len(table.seats) and _SIZES.fullmatch(sizes[0]):
        sizes = list(sizes[0])
    elif sizes and not any(mark in "?0123456789" for mark in text):
        return _dealt(table, notation.lexicon_of(table).seats.find(text))
    for size in sizes:
        if size != "?" and not (size.isascii() and size.isdigit() and len(size) < 4):
            wanted = f"numbers or ?, or who was dealt the first card, such as {table.seats[0]}"
            found = errors.printable(text)
            raise errors.ArgumentError(
                f"hands: expected {wanted}; found '{found}'", argument="hands"
            )
    hands = tuple(None if size == "?" else int(size) for size in sizes)
    return replace(table, hands=() if set(hands) <= {None} else hands)


_SIZES = re.compile(r"[0-9?]+")


def _dealt(table: Table, first: str) -> Table:
    """Return the table with the sizes that follow from who was dealt the first card, clockwise."""
    least, extra = divmod(table.dealt, len(table.seats))
    start = table.seats.index(first)
    after = ((place - start) % len(table.seats) for place in range(len(table.seats)))
    return replace(table, hands=tuple(least + (steps < extra) for steps in after))


def finished(record: Record) -> bool:
    """Return whether a game is over."""
    return bool(ended(record))


def ended(record: Record) -> Ending | None:
    """
    Return why a game is over; `None` while it goes on.

    A right accusation ends it, and so does a wrong one that leaves at most one player in it.
    """
    seen = record.observations
    if not over_since(seen, record.table):
        return None
    for each in seen:
        if isinstance(each, observed.Accusation) and each.right:
            return Ending(won=each)
    out = seats_out(seen)
    return Ending(left=next((seat for seat in record.table.seats if seat not in out), None))
