"""A game to ask questions of: the record, and everything that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from clue_solver import errors
from clue_solver.answers.advice import Advice
from clue_solver.answers.display import at_prompt, draw
from clue_solver.answers.report import Report
from clue_solver.game.point_of_view import QUICK_SAMPLE, PointOfView, PointsOfView
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.spending import expect, stage
from clue_solver.knowledge.evidence import seen
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from clue_solver.notation import format_line, format_told, parse_told
from clue_solver.record import Record, format_record, load_record
from clue_solver.rules.observations import Knowing, Observation
from clue_solver.rules.table import Shows, Table

if TYPE_CHECKING:
    from pandas import DataFrame

    from clue_solver.answers.corrections import Check
    from clue_solver.answers.decision import Decision
    from clue_solver.answers.reasons import Reason
    from clue_solver.answers.review import Review

_ADVICE_STEPS = 11
"""The steps of advice: two to rank, two to look into what is ranked, one each time games go on."""


class Game:
    """
    A recorded game.

    Answers are computed when they are asked for and kept as long as the game is: the record behind
    a game never changes. `viewer`, `upto`, `shows` and `asks` mean in every method what they mean
    in `report`.

    >>> game = load("examples/evening.clue")
    >>> game
    <Game: Clue; Ann, Ben, Cat, Dan; entries: 22>
    >>> game.lines[4]
    'Ann suggests Scarlett, Knife, Billiard Room: Ben passes, Cat shows Scarlett'
    >>> game.report(viewer="Ben", upto=9).verdict("Hall", "Ben")
    'holds'
    """

    def __init__(self, record: Record, *, supposed: Sequence[Knowing] = ()) -> None:
        self.record = record
        self.supposed = tuple(supposed)
        self._checks: dict[tuple[Deduction, int], Check] = {}
        self._views = PointsOfView(record.table, record.observations, supposed=self.supposed)

    def changed(self, record: Record) -> Game:
        """
        Return the game of a record that begins as this one's.

        Its answers go on from what was found here: what both records begin with is not read again.
        """
        game = Game(record, supposed=self.supposed)
        if record.table is self.table:
            game._views = self._views.changed(record.observations)
        return game

    @property
    def table(self) -> Table:
        """The table that the game is played at."""
        return self.record.table

    @property
    def observations(self) -> Sequence[Observation]:
        """What was recorded, in file order; entry 1 is the first."""
        return self.record.observations

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The entries as canonical lines, in file order."""
        return tuple(format_line(observation, self.table) for observation in self.observations)

    @property
    def suppositions(self) -> tuple[str, ...]:
        """What is supposed, as lines such as `Ben has Rope`."""
        return tuple(map(format_told, self.supposed))

    def to_frame(self) -> DataFrame:
        """
        Return the log as a pandas table, a row for each entry, numbered from 1.

        Columns: `kind`; `by`, whose turn or hand it is; `of`, the other seat or place that it is
        about; `cards`, those named; `answer`; `shower` and `shown`, who showed which card, as far
        as the record says (a peek shows a feature); `line`, the entry as it stands in the record.
        What an entry does not have is `None`; several of a kind are joined by commas.

        Raises:
            MissingExtra: If pandas is not installed.
        """
        frame: DataFrame = draw(self, "frame")
        return frame

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

    def suppose(self, *lines: str) -> Game:
        """
        Return the same game with something supposed; the record is left as it is.

        Args:
            lines: `Ben has Rope`, `Ben has Rope or Hall`, `envelope lacks Plum`; in short as in a
                record.

        Raises:
            NotationError: If a line cannot be read.
        """
        known = [self._supposition(line) for line in lines]
        return Game(self.record, supposed=(*self.supposed, *known))

    def seen(
        self,
        *,
        viewer: str | None = None,
        upto: int | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
    ) -> PointOfView:
        """Return the game as somebody saw it; arguments and errors as of `report`."""
        return self._views.of(viewer=viewer, upto=upto, shows=shows, asks=asks)

    def _known(
        self, *, viewer: str | None, shows: Shows | None, asks: str | None
    ) -> tuple[str | None, Knowledge]:
        """Return who the viewer is, `None` for a spectator, and what it knows in the end."""
        return self._views.known(viewer, shows, asks)

    def as_seen_by(self, viewer: str) -> Game:
        """
        Return the game as somebody at the table could have written it down.

        It has the own hand and the cards that this seat saw, no other hand, nothing that others
        told of themselves, and no solution.

        Args:
            viewer: A seat, or `spectator`.

        Raises:
            NotationError: If there is no such seat.

        >>> game = load("examples/evening.clue")
        >>> game.as_seen_by("Cat").lines[0]
        'Cat holds Scarlett, White, Peacock, Candlestick'
        """
        seat = self._views.viewer(viewer)
        table = replace(self.table, viewer=seat, solution=())
        entries = (
            replace(entry, observation=share)
            for entry in self.record.entries
            if (share := seen(entry.observation, table=self.table, viewer=seat)) is not None
        )
        return Game(replace(self.record, table=table, entries=tuple(entries)))

    def report(
        self,
        *,
        viewer: str | None = None,
        upto: int | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
    ) -> Report:
        """
        Return what is certain and how likely the rest is.

        Args:
            viewer: Whose view: a player's name, in short as in a record, or `spectator`; the
                header's viewer if left out.
            upto: The last entry that counts, from 1; all if left out.
            shows: How players choose a card to show: `random`, `none` or `sticky`; the header's
                policy if left out.
            asks: How they choose what to ask, as a header says it: `any`, `adaptive`,
                `careful 0.3`, `careful, Ben any`; the header's if left out, else `adaptive`.

        Raises:
            NotationError: If there is no such viewer.
            ArgumentError: If there is no such entry or policy.
            Impossible: If the log rules out what is supposed.
            TooLarge: If the deal diagram would not fit into memory.
        """
        return self.seen(viewer=viewer, upto=upto, shows=shows, asks=asks).report()

    def why(
        self,
        card: str,
        holder: str,
        *,
        viewer: str | None = None,
        upto: int | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
    ) -> Reason:
        """
        Return why the holder has the card, lacks it, or may have it.

        Args:
            card, holder: Names, in short as in a record; the holder may be the envelope.

        Raises:
            NotationError: If there is no such card, holder or viewer.
            ArgumentError: If the card lies face-up, or as `report`.
            Contradiction: If the entries cannot all be true.
            Impossible, TooLarge: As `report`.
        """
        return self.seen(viewer=viewer, upto=upto, shows=shows, asks=asks).why(card, holder)

    def check(
        self,
        *,
        viewer: str | None = None,
        upto: int | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
    ) -> Check:
        """
        Return whether the log is consistent; if not, its conflict and suggested corrections.

        Raises:
            NotationError, ArgumentError, Impossible: As `report`.
        """
        view = self.seen(viewer=viewer, upto=upto, shows=shows, asks=asks)
        key = view.deduction, view.upto
        if key not in self._checks:
            self._checks[key] = view.check()
        return self._checks[key]

    def fits(self, observations: Iterable[Observation]) -> bool:
        """
        Return whether some deal at this table fits these entries, as the game's viewer saw them.

        They may be any log: every clause stands once in the solver that answers for this game's.
        """
        deduction = self.seen().deduction
        known = knowledge_of(
            self.table,
            observations,
            viewer=self.table.viewer,
            supposed=self.supposed,
            before=deduction.knowledge,
        )
        return deduction.fits(known.clauses)

    def advice(
        self,
        *,
        viewer: str | None = None,
        upto: int | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
        rooms: str | Iterable[str] | None = None,
        at: str | None = None,
        roll: int | None = None,
        dice: str | Iterable[str] | None = None,
        seed: int = 0,
        quick: bool = False,
    ) -> Advice:
        """
        Return what to ask, whether to accuse, and who is close: for the viewer's next own turn.

        Only what the rules allow there is told.

        Args:
            viewer: Whom to advise, which cannot be a spectator.
            rooms: The rooms in reach, such as `Hall, Study`, or one by one.
            at: The room, the suspect's start square or the square (`H17`) to start from; what the
                record tells if left out, and every room counts where it does not.
            roll: What was rolled there; what the record tells if left out, else all rolls.
            dice: Three rolled suspects, such as `Plum, Green, White`, or one by one; the face of
                the bonus die as well, if it is told.
            seed: Of the random deals, where there are too many deals to count each.
            quick: Estimate more from fewer deals, and leave out what wins, and the bonus die but as
                planned with a suggestion; where only that die is left, all but its uses: for
                whoever decides at once, as a player of the arena.

        Raises:
            NotationError: If a name means nothing.
            ArgumentError: If the edition has no such rooms, board or dice, or the viewer is out.
            Contradiction: If the entries cannot all be true.
            Impossible, TooLarge: As `report`.
        """
        expect(1 + _ADVICE_STEPS)
        with stage(1):
            view = self.seen(viewer=viewer, upto=upto, shows=shows, asks=asks)
            adviser = view.adviser(seed=seed, sample=QUICK_SAMPLE if quick else None)
        with stage(_ADVICE_STEPS):
            return adviser.advice(
                rooms=rooms,
                at=at,
                roll=roll,
                dice=dice,
                play=not quick,
                quick=quick,
            )

    def decision(
        self,
        *,
        viewer: str | None = None,
        upto: int | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
        seed: int = 0,
    ) -> Decision:
        """
        Return what to do now, in one line: whether to accuse, else what to ask.

        It costs no more than a report where the solution is certain, or where the viewer cannot
        ask; arguments as `advice`.

        Raises:
            Contradiction: If the entries cannot all be true.
            NotationError, ArgumentError, Impossible, TooLarge: As `advice`.
        """
        return self.seen(viewer=viewer, upto=upto, shows=shows, asks=asks).decision(seed=seed)

    def decisions(
        self,
        *,
        viewer: str | None = None,
        upto: int | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
        seed: int = 0,
    ) -> Iterator[Decision]:
        """
        Yield what to do now by a first look, which takes some hundredths of a second, then by a
        closer one.

        The closer one is `decision`, but for what it does not know better beyond its error: that
        stays as it was at first. Where there is nothing to weigh it is the only one. Arguments and
        errors as there.
        """
        return self.seen(viewer=viewer, upto=upto, shows=shows, asks=asks).decisions(seed=seed)

    def review(
        self,
        *,
        solution: str | Iterable[str] | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
        sample: int | None = None,
        seed: int = 0,
    ) -> Review:
        """
        Return the finished game turn by turn, each seat by its own share of the record.

        Args:
            solution: What the envelope held, such as `Plum, Rope, Hall`, or the cards one by one;
                if left out, what the right accusation says, or the header, or what the log proves.
            sample, seed: How many deals to draw where a suggestion has too many to count each.

        Raises:
            ArgumentError, NotationError, Impossible: If the solution is not told, cannot be read,
                or is ruled out by the log; `ArgumentError` where something is supposed.
            Contradiction, TooLarge: As `advice`.
        """
        from clue_solver.answers.reviewer import named_solution, review

        if self.supposed:
            raise errors.ArgumentError(
                "a review takes the game as it was: leave out what you suppose"
            )
        if solution is not None:
            solution = solution if isinstance(solution, str) else ", ".join(solution)
            solution = named_solution(solution, self.table)
        return review(
            self._views.table(shows, asks),
            self.observations,
            solution=solution,
            sample=sample,
            seed=seed,
        )

    def dimacs(self, *, viewer: str | None = None, upto: int | None = None) -> str:
        """
        Return what the viewer knows as a DIMACS CNF formula, whose models are the deals that fit.

        Where the entries cannot all be true it has none.

        Raises:
            NotationError, ArgumentError: As `report`.
        """
        return self.seen(viewer=viewer, upto=upto).dimacs()

    def _supposition(self, line: str) -> Knowing:
        try:
            return parse_told(Knowing, line, self.table, subject=self.table.seats[0])
        except errors.NotationError as error:
            reason = f"cannot suppose '{errors.printable(line)}': {error.reason}"
            raise errors.NotationError(
                reason, line=line, column=error.column, nearest=error.nearest
            ) from None


def load(path: str | Path) -> Game:
    """
    Return the game in a file, in the record notation or as JSON Lines; `-` reads standard input.

    Raises:
        RecordError: If the file cannot be read as a record; the message names the line.
        EditionError: If its edition cannot be used.

    >>> load("examples/classic.clue").table.seats
    ('Ann', 'Ben', 'Cat', 'Dan')
    """
    return Game(load_record(path))
