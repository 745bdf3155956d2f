"""A game as one viewer sees it: its record, and everything that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, product, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from msgspec.structs import replace

from clue_solver import errors
from clue_solver.answers.display import at_prompt, draw
from clue_solver.answers.known import KnownGame
from clue_solver.answers.report import Report, build_report
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.sight import seen
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation.canonical import format_after_verb, format_line
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Record
from clue_solver.record.files import load_record
from clue_solver.record.header import with_key
from clue_solver.rules.observations import Knowing, Observation
from clue_solver.rules.play import Play
from clue_solver.rules.table import SPECTATOR, Shows, Table

if TYPE_CHECKING:
    from pandas import DataFrame

    from clue_solver.answers.advice import Advice
    from clue_solver.answers.corrections import Check
    from clue_solver.answers.reasons import Reason
    from clue_solver.answers.review import Review


class ViewOptions(TypedDict, total=False):
    """
    The keywords that choose a view of a game: whose eyes, how much of it, what is assumed.

    Every method of `Game` that answers questions takes them.

    Attributes:
        viewer: A player's name, which may be abbreviated, or `spectator`; by default the header's
            viewer.
        upto: How many entries count; by default all.
        shows: How players choose a card to show: `random`, `none` or `sticky`; by default as in the
            header.
        asks: How players choose what to ask: `any`, `adaptive`, `careful 0.3`, `careful, Ben any`;
            by default as in the header, or else `adaptive`.
        suppose: What to suppose, as a line or lines such as `Cat has Rope`.
    """

    viewer: str | None
    upto: int | None
    shows: Shows | None
    asks: str | None
    suppose: str | Iterable[str]


class Game:
    """
    A game as the viewer of its record sees it.

    `at`, `seen_by`, `assuming` and `suppose` return other views of the same game; `report`, `why`
    and the other methods that answer questions take their choices as keywords (`ViewOptions`).
    `with_entry` returns a game with one more entry. All views of a game share their results.

    Attributes:
        record: The table and the log.
        supposed: What is supposed in addition to the log.
        name: The name of its file, or its number in a tournament; empty if it has neither.
        players: For each seat, the name of the person or computer player in it.

    >>> game = load("examples/evening.clue")
    >>> game
    <Game: Clue; Ann, Ben, Cat, Dan; entries: 22>
    >>> game.lines[4]
    'Ann suggests Scarlett, Knife, Billiard Room: Ben passes, Cat shows Scarlett'
    >>> game.at(9).seen_by("Ben").report().verdict("Hall", "Ben")
    'holds'
    >>> game.report(upto=9, viewer="Ben").verdict("Hall", "Ben")
    'holds'
    >>> game.at(2).with_entry("ben skips").lines[-1]
    'Ben skips'
    """

    def __init__(
        self,
        record: Record,
        *,
        supposed: Sequence[Knowing] = (),
        name: str = "",
        players: Mapping[str, str] | None = None,
    ) -> None:
        self.record = record
        self.supposed = tuple(supposed)
        self.name = name
        self.players = players or {seat: seat for seat in record.table.seats}
        self._log = _Log(record.observations)

    def __repr__(self) -> str:
        seats = ", ".join(self.table.seats)
        summary = f"{self.table.edition.title}; {seats}; entries: {len(self.observations)}"
        if self.supposed:
            summary += f"; supposing {', '.join(self.suppositions)}"
        return f"<Game: {summary}>"

    def __str__(self) -> str:
        lines = format_record(self.record).split("\n")
        return "\n".join(errors.printable(line, most=len(line) + 1) for line in lines).rstrip()

    _repr_pretty_ = at_prompt

    def _repr_html_(self) -> str:
        return str(draw(self, "html"))

    @property
    def table(self) -> Table:
        """The table that the game is played at."""
        return self.record.table

    @cached_property
    def observations(self) -> tuple[Observation, ...]:
        """The observations in file order; entry 1 is the first."""
        return self.record.observations

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The entries as canonical lines, in file order."""
        return self._log.lines(self.table, len(self.observations))

    @cached_property
    def _seen_lines(self) -> tuple[str, ...]:
        """
        The entries as lines, as the viewer saw them; an empty line for one that the viewer missed.
        """
        table = self.table
        shares = [seen(each, table=table, viewer=table.viewer) for each in self.observations]
        return tuple("" if share is None else format_line(share, table) for share in shares)

    @property
    def _is_partial(self) -> bool:
        """Whether the log has something that the viewer did not see."""
        return self._seen_lines != self.lines

    def play(self, entry: int | None = None) -> Play:
        """
        Return the state of play (turns, pieces, dice) after an entry, by default the last one.

        `entry` is the number of the entry, from 1; 0 is before the first.
        """
        return self._log.play(self.table, len(self.observations) if entry is None else entry)

    @property
    def suppositions(self) -> tuple[str, ...]:
        """What is supposed, as lines such as `Ben has Rope`."""
        return tuple(map(format_after_verb, self.supposed))

    def to_frame(self) -> DataFrame:
        """
        Return the log as a pandas table, a row for each entry, numbered from 1.

        Columns: `kind`; `by`, the seat whose turn or hand it is; `of`, the other seat or slot that
        it is about; `cards`, the cards named; `answer`; `shower` and `shown`, who showed which
        card, as far as the record says (a peek shows a feature); `line`, the entry as a line of the
        record. What an entry does not have is `None`; several values are joined by commas.

        Raises:
            MissingExtra: If pandas is not installed.
        """
        frame: DataFrame = draw(self, "frame")
        return frame

    # Other views of the same game.

    def at(self, entry: int) -> Game:
        """
        Return the game as it was after the entry with this number, from 1; 0 is before the first.

        Raises:
            ArgumentError: If there is no such entry.
        """
        entries = len(self.observations)
        if not 0 <= entry <= entries:
            there = f"the record has {errors.counted(entries, 'entry')}"
            raise errors.ArgumentError(f"{there}; found {entry}", argument="upto")
        return self._of(self.record.upto(entry))

    def seen_by(self, viewer: str) -> Game:
        """
        Return the game as a seat or a `spectator` sees it.

        Raises:
            NotationError: If there is no such seat.
        """
        seat = lexicon_of(self.table).viewers.find(viewer)
        return self._at(replace(self.table, viewer=None if seat == SPECTATOR else seat))

    def assuming(self, *, shows: Shows | None = None, asks: str | None = None) -> Game:
        """
        Return the game under other assumptions about how people show and ask.

        Args:
            shows: How players choose a card to show: `random`, `none` or `sticky`; unchanged if
                left out.
            asks: How players choose what to ask, as in a header: `any`, `careful, Ben any`;
                unchanged if left out.

        Raises:
            ArgumentError: If there is no such policy.
        """
        table = self.table
        for key, policy in (("shows", shows), ("asks", asks)):
            if policy is not None:
                try:
                    table = with_key(table, key, policy)
                except errors.ClueError as error:
                    raise errors.ArgumentError(error.reason, argument=key) from None
        return self._at(table)

    def suppose(self, *lines: str) -> Game:
        """
        Return the game with further suppositions; the record does not change.

        Args:
            lines: `Ben has Rope`, `Ben has Rope or Hall`, `envelope lacks Plum`; names may be
                abbreviated as in a record.

        Raises:
            NotationError: If a line cannot be read.
        """
        return self._of(self.record, (*self.supposed, *map(self._supposition, lines)))

    def with_entry(self, line: str | Observation) -> Game:
        """
        Return the game with one more entry, a line or an observation.

        Raises:
            NotationError: If the line cannot be read, or is not possible at this table.
        """
        if isinstance(line, str):
            from clue_solver.notation.reader import parse_line

            line = parse_line(line, self.table, self.record.turn_state)
        return self.changed(self.record.append(line))

    def changed(self, record: Record) -> Game:
        """
        Return this game with another record in place of its own.

        Results for the entries with which both records begin are kept.
        """
        game = Game(record, supposed=self.supposed, name=self.name, players=self.players)
        if record.table == self.table:
            game._log = self._log.changed(game.observations)
        return game

    def notes_of(self, viewer: str) -> Game:
        """
        Return the game as one player could have logged it.

        It has this player's hand and the cards that this player saw, but no other hand, nothing
        that only others know, and no solution.

        Args:
            viewer: A seat, or `spectator`.

        Raises:
            NotationError: If there is no such seat.

        >>> load("examples/evening.clue").notes_of("Cat").lines[0]
        'Cat holds Scarlett, White, Peacock, Candlestick'
        """
        table = replace(self.seen_by(viewer).table, solution=())
        entries = (
            replace(entry, observation=share)
            for entry in self.record.entries
            if (share := seen(entry.observation, table=table, viewer=table.viewer)) is not None
        )
        record = replace(self.record, table=table, entries=tuple(entries))
        return Game(record, name=self.name, players=self.players)

    def seen(self, **view: Unpack[ViewOptions]) -> Game:
        """
        Return the view of the game that the keywords choose.

        Raises:
            NotationError: If there is no such viewer, or a supposition cannot be read.
            ArgumentError: If there is no such entry or policy.
        """
        game = self.assuming(shows=view.get("shows"), asks=view.get("asks"))
        if (viewer := view.get("viewer")) is not None:
            game = game.seen_by(viewer)
        if (upto := view.get("upto")) is not None:
            game = game.at(upto)
        if lines := view.get("suppose"):
            game = game.suppose(*([lines] if isinstance(lines, str) else lines))
        return game

    # Answers.

    def report(self, **view: Unpack[ViewOptions]) -> Report:
        """
        Return what is certain about each card, and how likely the rest is.

        Raises:
            NotationError, ArgumentError: As in `seen`.
            Impossible: If the log rules out the suppositions.
            TooLarge: If the deals are too many to count: their diagram would not fit into memory.
        """
        game = self.seen(**view)
        return build_report(
            game._known,
            supposed=game.suppositions,
            without=game._log.deduction(game.table, ()) if game.supposed else None,
        )

    def why(self, card: str, holder: str, **view: Unpack[ViewOptions]) -> Reason:
        """
        Return why the holder has the card, lacks it, or may have it.

        Args:
            card, holder: Names, which may be abbreviated as in a record; the holder may be the
                envelope.

        Raises:
            NotationError: If there is no such card or holder, or as in `seen`.
            ArgumentError: If the card lies face-up, or as in `seen`.
            Contradiction: If the entries cannot all be true.
            Impossible, TooLarge: As in `report`.
        """
        from clue_solver.answers.reasons import build_reason

        game = self.seen(**view)
        card, holder = lexicon_of(game.table).cell(card, holder)
        why = build_reason(game._known, card=card, holder=holder)
        return replace(why, lines=game._seen_lines, partial=game._is_partial)

    def check(self, **view: Unpack[ViewOptions]) -> Check:
        """
        Return whether the entries can all be true; if not, which clash and how to correct them.

        Raises:
            NotationError, ArgumentError, Impossible: As in `report`.
        """
        return self.seen(**view)._check

    @cached_property
    def _check(self) -> Check:
        """Whether the entries as this game's viewer saw them can all be true; computed once."""
        from clue_solver.answers.corrections import Check, build_corrections
        from clue_solver.answers.reasons import explain_conflict
        from clue_solver.answers.turns import odd_turns

        known = self._known
        table, log, deduction = known
        viewer = table.viewer or SPECTATOR
        check = Check(
            turns=odd_turns(table, log),
            viewer=viewer,
            lines=self._seen_lines,
            partial=self._is_partial,
        )
        try:
            deduction.possible(len(log))
        except errors.Contradiction as clash:
            return replace(
                check,
                consistent=False,
                conflict=clash.entries,
                minimum=clash.minimum,
                steps=explain_conflict(known, clash.entries),
                corrections=build_corrections(table, log, clash.entries, viewer=table.viewer),
            )
        return check

    def advice(
        self,
        *,
        rooms: str | Iterable[str] | None = None,
        at: str | None = None,
        roll: int | str | Iterable[str] | None = None,
        seed: int = 0,
        quick: bool = False,
        brief: bool = False,
        **view: Unpack[ViewOptions],
    ) -> Advice:
        """
        Return whether to accuse, what to suggest, and which opponents are close to the solution.

        The advice is always allowed by the rules at that point.

        Args:
            rooms: The rooms in reach, as a text such as `Hall, Study` or as a list.
            at: Where the piece is, a room or a square (`H17`); by default as in the record. If that
                does not say, every room is in reach.
            roll: The total that was rolled, or in Clue Diced the three suspects, as a text such as
                `Plum, Green, White` or as a list; the face of the bonus die may follow. By default
                as in the record; if that does not say, any roll.
            seed: The seed of the random deals, which are drawn if there are too many to use all.
            quick: Whether to take a small part of the time, with fewer deals and simulated games.
            brief: Whether to leave out how close the others are, and what to do after the answer or
                in the next turn.

        Raises:
            NotationError: If a name means nothing, or as in `seen`.
            ArgumentError: If the table has no board, or its dice no such roll, or as in `seen`.
            Contradiction: If the entries cannot all be true.
            Impossible, TooLarge: As in `report`.
        """
        from clue_solver.answers.weighing import build_advice

        game = self.seen(**view)
        advice = build_advice(
            game._known,
            rooms=rooms,
            at=at,
            roll=roll,
            seed=seed,
            quick=quick,
            brief=brief,
        )
        return replace(advice, partial=game._is_partial)

    def review(
        self,
        *,
        sample: int | None = None,
        seed: int = 0,
        **view: Unpack[ViewOptions],
    ) -> Review:
        """
        Return the review of the finished game.

        The solution is that of the right accusation or of the header, or what the log proves.

        Args:
            sample: How many deals to draw to judge a suggestion if there are too many to use all;
                the usual number if left out.
            seed: The seed for drawing them.

        Raises:
            ArgumentError: If the record has no turns or no solution, or if something is supposed.
            Impossible: If the log rules out the solution.
            NotationError, Contradiction, TooLarge: As in `advice`.
        """
        from clue_solver.answers.reviewer import build_review

        game = self.seen(**view)
        if game.supposed:
            reason = "a review takes the game as it was: leave out what you suppose"
            raise errors.ArgumentError(reason)
        return build_review(game.table, game.observations, sample=sample, seed=seed)

    def dimacs(self, **view: Unpack[ViewOptions]) -> str:
        """
        Return what the viewer knows as a formula in the DIMACS CNF format, which SAT solvers read.

        Its models are the deals that fit; there are none if the entries cannot all be true.
        Comments in it say which card and which holder each variable stands for.

        Raises:
            NotationError, ArgumentError: As in `seen`.
        """
        from clue_solver.inference.cnf import formula

        game = self.seen(**view)
        known = game._log.deduction(game.table, game.supposed).knowledge
        found, _ = formula(known.upto(len(game.observations)))
        places = enumerate(product(game.table.cards, game.table.holders), 1)
        found.comments = [f"c {number} {holder} has {card}" for number, (card, holder) in places]
        return f"{found.to_dimacs()}\n"

    # What follows from the log.

    @property
    def deduction(self) -> Deduction:
        """
        What follows from the log and from the suppositions.

        If the log contradicts itself, the suppositions are left out, because they are not to blame.

        Raises:
            Impossible: If the log rules out the suppositions.
        """
        upto = len(self.observations)
        deduction = self._log.deduction(self.table, self.supposed)
        if self.supposed:
            try:
                deduction.possible(upto)
            except errors.Contradiction as clash:
                alone = self._log.deduction(self.table, ())
                if alone.consistent(upto):
                    raise errors.Impossible(self.suppositions, clash.entries) from None
                return alone
        return deduction

    @property
    def _known(self) -> KnownGame:
        """The table, the log and what follows from it, in the form that answers are made from."""
        return KnownGame(self.table, self.observations, self.deduction)

    def _at(self, table: Table) -> Game:
        """
        Return the game at another table, which may differ only in its viewer and its policies.
        """
        return self if table == self.table else self._of(replace(self.record, table=table))

    def _of(self, record: Record, supposed: tuple[Knowing, ...] | None = None) -> Game:
        """
        Return another view of this game's log, with another record; the two share all results.

        If `supposed` is left out, the suppositions stay the same.
        """
        supposed = self.supposed if supposed is None else supposed
        game = Game(record, supposed=supposed, name=self.name, players=self.players)
        game._log = self._log
        return game

    def _supposition(self, line: str) -> Knowing:
        """
        Return the supposition in a line such as `Ben has Rope`.

        Raises:
            NotationError: If the line cannot be read.
        """
        from clue_solver.notation.reader import parse_line

        begun = f"{self.table.seats[0]} knows "
        try:
            supposed = parse_line(begun + line, self.table)
        except errors.NotationError as error:
            error.line, error.column = line, max(error.column - len(begun), 0)
            raise
        assert isinstance(supposed, Knowing)
        return supposed


_Key = tuple[str | None, object, object, tuple[Knowing, ...]]
"""
What results depend on besides the log: the viewer, how players are assumed to show and to ask, and
what is supposed.
"""


class _Log:
    """
    A log and the cached results about it, which all views of a game share, in any thread.

    Attributes:
        observations: The whole log; a view may end before it does.
    """

    def __init__(self, observations: tuple[Observation, ...]) -> None:
        self.observations = observations
        self._lines: list[str] = []
        self._plays: list[Play] = []  # after no entry, after one, and so on
        self._found: dict[_Key, Deduction] = {}
        self._before: Mapping[_Key, Deduction] = {}  # those of the log that this one came from

    def changed(self, observations: tuple[Observation, ...]) -> _Log:
        """
        Return the cache for another log.

        It has the results for the entries with which both logs begin.
        """
        log = _Log(observations)
        same = shared_beginning(self.observations, observations)
        log._lines = self._lines[:same]
        log._plays = self._plays[: same + 1]
        log._before = {**self._before, **self._found}
        return log

    def lines(self, table: Table, upto: int) -> tuple[str, ...]:
        """Return the first `upto` entries as canonical lines, with the names of `table`."""
        lines = self._lines
        more = self.observations[len(lines) : upto]
        lines = self._lines = [*lines, *(format_line(each, table) for each in more)]
        return tuple(lines[:upto])

    def play(self, table: Table, upto: int) -> Play:
        """Return the state of play (turns, pieces, dice) after the first `upto` entries."""
        plays = self._plays or [Play.begin(table)]
        more = self.observations[len(plays) - 1 : upto]
        plays = self._plays = [*plays[:-1], *accumulate(more, Play.after, initial=plays[-1])]
        return plays[upto]

    def deduction(self, table: Table, supposed: tuple[Knowing, ...]) -> Deduction:
        """
        Return what follows from all entries as the table's viewer saw them, and from suppositions.
        """
        key = table.viewer, table.policy, table.behaviour, supposed
        if key not in self._found:
            log, before = self.observations, self._before.get(key)
            known = knowledge_of(table, log, viewer=table.viewer, supposed=supposed)
            self._found[key] = before.hand_over(known) if before else Deduction(known)
        return self._found[key]


def shared_beginning(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many items at the beginning of two sequences are equal."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def load(path: str | Path) -> Game:
    """
    Return the game in a file, in the record notation or as JSON Lines; `-` reads standard input.

    Raises:
        RecordError: If the file cannot be read as a record; the message names the line.
        EditionError: If its edition cannot be used.

    >>> load("examples/classic.clue").table.seats
    ('Ann', 'Ben', 'Cat', 'Dan')
    """
    return Game(load_record(path), name=str(path))
