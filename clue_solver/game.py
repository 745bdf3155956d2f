"""
A game to ask questions of: the record, and everything that follows from it; and many at once.

`review_all` reviews many games on all cores, and `habits` learns from them how players behave; one
that fails leaves the others as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace

from clue_solver import errors
from clue_solver.answers.advice import BYS, Advice, By, Decision, Opponent, decide
from clue_solver.answers.adviser import Adviser
from clue_solver.answers.corrections import Check, corrections
from clue_solver.answers.display import at_prompt, draw, share
from clue_solver.answers.oddities import odd_entries
from clue_solver.answers.own_turn import OwnTurn
from clue_solver.answers.position import seats_out
from clue_solver.answers.reasons import Reason, explain_conflict, reason
from clue_solver.answers.report import Report, build_report
from clue_solver.answers.review import Review, ReviewedFile
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.rollouts import RIVALS, Rivals
from clue_solver.inference.workers import Effort, spread
from clue_solver.knowledge.viewer import Knowledge, Positions, knowledge_of, shared_knowledge
from clue_solver.notation import format_line, format_told, lexicon_of, parse_told
from clue_solver.record import Record, asks_in, format_record, load_record
from clue_solver.record.files import write_whole
from clue_solver.rules.observations import Accusation, Knowing, Observation
from clue_solver.rules.table import SHOWS, SPECTATOR, Asks, Shows, Table
from clue_solver.rules.turns import TurnState

if TYPE_CHECKING:
    from pandas import DataFrame

    from clue_solver.answers.habits import Habits, HabitsOfFile
    from clue_solver.answers.season import Season, SeasonFile
    from clue_solver.answers.walkthrough import Walkthrough

T = TypeVar("T")

QUICK_SAMPLE = 300
"""Deals drawn to weigh suggestions by in quick advice, where there are too many to count each."""


class Game:
    """
    A recorded game.

    Answers are computed when they are asked for and kept as long as the game is: the record behind
    a game never changes. `viewer`, `upto`, `shows` and `asks` mean the same in every method:

    Args of the methods:
        viewer: A seat's name, in short as in a record, or `spectator`; the viewer of the header if
            left out.
        upto: How many entries of the record count; all if left out.
        shows: The show policy: `random`, `none` or `sticky`; the header's if left out.
        asks: What is expected of how players ask, as a header says it: `any`, `adaptive`,
            `careful 0.3`, `careful, Ben any`; the header's if left out, else `adaptive`.
    """

    def __init__(self, record: Record, *, supposed: Sequence[Knowing] = ()) -> None:
        self.record = record
        self.supposed = tuple(supposed)
        self._tables: dict[tuple[Shows | None, str | None], Table] = {(None, None): record.table}
        self._deductions: dict[_Eyes, Deduction] = {}
        self._checks: dict[tuple[_Eyes, int], Check] = {}
        self._carried: Mapping[_Eyes, Deduction] = {}

    def changed(self, record: Record) -> Game:
        """
        Return the game of a record that begins as this one's.

        Its answers go on from what was found here: what both records begin with is not read again.
        """
        game = Game(record, supposed=self.supposed)
        if record.table is self.table:
            game._tables = self._tables
            game._carried = {**self._carried, **self._deductions}
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
        return tuple(format_line(each, self.table) for each in self.observations)

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
        supposed = f"; supposing {', '.join(self.suppositions)}" * bool(self.supposed)
        entries = len(self.observations)
        return f"<Game: {self.table.edition.title}; {seats}; entries: {entries}{supposed}>"

    def __str__(self) -> str:
        lines = format_record(self.record).split("\n")
        return "\n".join(errors.escape(line, most=len(line) + 1) for line in lines).rstrip()

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
            viewer: Whose eyes: a player's name, in short as in a record; the header's if left out.
            upto: The last entry that counts, from 1; all if left out.
            shows: How players choose a card to show: `random`, `none` or `sticky`.
            asks: How they choose what to ask: `any`, `adaptive`, `careful` or `careful L`.

        Raises:
            NotationError: If there is no such viewer.
            ArgumentError: If there is no such entry or policy.
            Impossible: If the log rules out what is supposed.
            TooLarge: If the deal diagram would not fit into memory.
        """
        last = self._upto(upto)
        eyes = self._eyes(viewer, shows, asks)
        return build_report(
            eyes.table,
            self._possible(eyes, last),
            viewer=eyes.viewer,
            upto=last,
            supposed=self.suppositions,
            without=self._deduction(eyes, alone=True) if self.supposed else None,
        )

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
        card, holder = lexicon_of(self.table).cell(card, holder)
        last = self._upto(upto)
        deduction = self._possible(self._eyes(viewer, shows, asks), last)
        found = reason(
            self.table, self.observations, deduction, card=card, holder=holder, upto=last
        )
        return replace(found, lines=self.lines[:last])

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

        Of a consistent log it names the entries that may have been mistyped all the same: those
        in whose place another line would explain the rest far better, by how people play.

        Raises:
            NotationError, ArgumentError, Impossible: As `report`.
        """
        last, eyes = self._upto(upto), self._eyes(viewer, shows, asks)
        if (eyes, last) not in self._checks:
            self._checks[eyes, last] = self._checked(eyes, last)
        return self._checks[eyes, last]

    def _checked(self, eyes: _Eyes, last: int) -> Check:
        """Return the outcome of checking the first entries."""
        deduction, who = self._possible(eyes, last), eyes.viewer
        seen, rng = self.observations[:last], np.random.default_rng(0)
        found = Check(viewer=who or SPECTATOR, lines=self.lines[:last])
        try:
            deduction.possible(last)
        except errors.Contradiction as clash:
            return replace(
                found,
                conflict=clash.entries,
                minimum=clash.minimum,
                steps=explain_conflict(self.table, seen, deduction, clash.entries),
                corrections=corrections(eyes.table, seen, viewer=who),
            )
        return replace(found, odd=odd_entries(eyes.table, seen, deduction, viewer=who, rng=rng))

    def fits(self, observations: Iterable[Observation]) -> bool:
        """
        Return whether some deal at this table fits these entries, as the game's viewer saw them.

        They may be any log: every clause stands once in the solver that answers for this game's.
        """
        deduction = self._deduction()
        solver, known = deduction.solver, deduction.knowledge
        told = knowledge_of(
            self.table,
            observations,
            viewer=self.table.viewer,
            supposed=self.supposed,
            before=known,
        )
        said = [solver.guarded(clause._replace(entries=())) for clause in told.clauses]
        return solver.model(said) is not None

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
        by: By = "win",
        rivals: Rivals = "prompt",
        seed: int = 0,
        quick: bool = False,
    ) -> Advice:
        """
        Return what to ask, whether to accuse, and who is close: for the viewer's next own turn.

        Only what the rules allow there is told.

        Args:
            viewer: Whom to advise: a player's name, in short as in a record; the header's if left
                out. A spectator cannot be advised.
            upto: The last entry that counts, from 1; all if left out.
            shows: How players choose a card to show: `random`, `none` or `sticky`.
            asks: How they choose what to ask: `any`, `adaptive`, `careful` or `careful L`.
            rooms: The rooms in reach, such as `Hall, Study`, or one by one.
            at: The room, the suspect's start square or the square (`H17`) to start from; what the
                record tells if left out, and every room counts where it does not.
            roll: What was rolled there; what the record tells if left out, else all rolls.
            dice: Three rolled suspects, such as `Plum, Green, White`, or one by one; the face of
                the bonus die as well, if it is told.
            by: What the suggestion is chosen by: the chance to `win`, by games played on, or the
                `bits` that it tells.
            rivals: When the others are assumed to accuse who are certain: `prompt` ones in the same
                turn, `cautious` ones in their next.
            seed: Of the random deals, where there are too many deals to count each.
            quick: Estimate more from fewer deals, and leave out what a spectator would learn, what
                wins, and the bonus die but as planned with a suggestion; where only that die is
                left, all but its uses: for whoever decides at once, as a player of the arena.

        Raises:
            NotationError: If a name means nothing.
            ArgumentError: If the edition has no such rooms, board or dice, or the viewer is out.
            Contradiction: If the entries cannot all be true.
            Impossible, TooLarge: As `report`.
        """
        for name, given, known in (("by", by, BYS), ("rivals", rivals, RIVALS)):
            if given not in known:
                expected = f"{name}: expected {' or '.join(known)}; found {given!r}"
                raise errors.ArgumentError(expected, argument=name)
        eyes, sample = self._eyes(viewer, shows, asks), QUICK_SAMPLE if quick else None
        adviser = self._adviser(eyes, upto=upto, seed=seed, sample=sample)
        return adviser.advice(
            rooms=rooms, at=at, roll=roll, dice=dice,
            by=None if quick else by, rivals=rivals, quick=quick,
        )  # fmt: skip

    def decision(
        self,
        *,
        viewer: str | None = None,
        upto: int | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
        by: By = "win",
        seed: int = 0,
    ) -> Decision:
        """
        Return what to do now, in one line: whether to accuse, else what to ask.

        It costs no more than a report where the solution is certain, or where the viewer cannot
        ask; arguments as `advice`. By `bits` it comes sooner: no question is played on.

        Raises:
            Contradiction: If the entries cannot all be true.
            NotationError, ArgumentError, Impossible, TooLarge: As `advice`.
        """
        last, eyes = self._upto(upto), self._eyes(viewer, shows, asks)
        solutions, who = self._possible(eyes, last).solutions(last), eyes.viewer
        cards = tuple(self.table.cards[card] for card in solutions.cards[0].tolist())
        chance, certain = float(solutions.probability[0]), len(solutions.probability) == 1
        seen = self.observations[:last]
        out = seats_out(seen)
        likely = f"{', '.join(cards)} ({'certain' if certain else share(chance)})"
        if any(isinstance(each, Accusation) and each.right for each in seen):
            text, accuse = f"The game is over: {', '.join(cards)}", False
        elif who in out and not certain:
            told = f"say what it held, such as 'envelope has {cards[0]}'"
            text = f"You have opened the envelope: {told}"
            accuse = False
        elif who is None or who in out:
            text, accuse = f"{'The solution' if certain else 'Likeliest'}: {likely}", False
        elif certain:
            turn = OwnTurn(eyes.table, seen, viewer=who)
            when = f"after {turn.before_accusing}" if turn.before_accusing else "now"
            text, accuse = f"Accuse {when}: {likely}", not turn.barred
            if turn.barred:
                text = f"Certain: {', '.join(cards)}; {turn.barred}"
        else:
            adviser = self._adviser(eyes, upto=upto, seed=seed)
            found = decide(adviser.advice(by=by, leaks=False))
            whose = TurnState.of(seen).turn(self.table)
            if whose in (None, who) or not found.text.startswith("Ask "):
                return found
            return replace(found, text=f"On your turn a{found.text[1:]}")
        return Decision(text=text, accuse=accuse, certain=certain, cards=cards, probability=chance)

    def opponents(
        self,
        *,
        viewer: str | None = None,
        upto: int | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
        seed: int = 0,
    ) -> tuple[Opponent, ...]:
        """Return how likely every other seat can name the solution; arguments as `advice`."""
        eyes = self._eyes(viewer, shows, asks)
        return self._adviser(eyes, upto=upto, seed=seed).opponents()[0]

    def _adviser(
        self,
        eyes: _Eyes | None = None,
        *,
        upto: int | None = None,
        seed: int = 0,
        sample: int | None = None,
    ) -> Adviser:
        """Return what gives `advice`; `sample` sets how many deals are drawn for the ranking."""
        last, eyes = self._upto(upto), eyes or self._eyes()
        return Adviser(
            eyes.table,
            self.observations,
            self._possible(eyes, last),
            viewer=eyes.viewer,
            upto=last,
            rng=np.random.default_rng(seed),
            sample=sample,
        )

    def review(
        self,
        *,
        solution: str | Iterable[str] | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
        sample: int | None = None,
        seed: int = 0,
        deep: bool = False,
    ) -> Review:
        """
        Return the finished game turn by turn, each seat by its own share of the record.

        Args:
            solution: What the envelope held, such as `Plum, Rope, Hall`, or the cards one by one;
                if left out, what the right accusation says, or the header, or what the log proves.
            shows: How players choose a card to show: `random`, `none` or `sticky`; the header's if
                left out.
            asks: How they choose what to ask: `any`, `adaptive`, `careful` or `careful L`; the
                header's if left out.
            sample, seed: How many deals to draw where a suggestion has too many to count each.
            deep: Whether to tell how likely players were to win before and after each decision,
                too, by games played on; it takes some tenths of a second a decision.

        Raises:
            ArgumentError, NotationError, Impossible: If the solution is not told, cannot be read,
                or is ruled out by the log; `ArgumentError` where something is supposed.
            Contradiction, TooLarge: As `advice`.
        """
        from clue_solver.answers.reviewer import named_solution, review

        if self.supposed:
            raise errors.ArgumentError("a review tells what was, so nothing can be supposed in it")
        if solution is not None:
            solution = solution if isinstance(solution, str) else ", ".join(solution)
            solution = named_solution(solution, self.table)
        return review(
            self._eyes(None, shows, asks).table,
            self.observations,
            solution=solution,
            sample=sample,
            seed=seed,
            deep=deep,
        )

    def walkthrough(self, *, viewer: str | None = None) -> Walkthrough:
        """
        Return the game entry by entry as one viewer saw it: each sheet, and why cards were settled.

        Args:
            viewer: Whose eyes: a player's name, in short as in a record; the header's if left out,
                and who won if the header names none.

        Raises:
            NotationError: If there is no such viewer.
            Contradiction: If the entries cannot all be true.
        """
        from clue_solver.answers.walkthrough import walkthrough

        won = (each.by for each in self.observations if isinstance(each, Accusation) and each.right)
        seat = self._viewer(viewer) if viewer or self.table.viewer else next(won, None)
        return walkthrough(self.table, self.observations, viewer=seat)

    def dimacs(
        self,
        *,
        viewer: str | None = None,
        upto: int | None = None,
        shows: Shows | None = None,
        asks: str | None = None,
    ) -> str:
        """
        Return what the viewer knows as a DIMACS CNF formula, whose models are the deals that fit.

        Where the entries cannot all be true it has none.

        Raises:
            NotationError, ArgumentError: As `report`.
        """
        from clue_solver.inference.cnf import formula

        eyes, last = self._eyes(viewer, shows, asks), self._upto(upto)
        models = eyes.table.asks
        if all(each.seat for each in models):  # nothing is said of the whole table
            models = (Asks(model="any"), *models)
        if any(each.model == "adaptive" for each in models):
            raise errors.ArgumentError(
                "asks: a formula has one weight for each model, so how players ask cannot be "
                "learned in it: expected any or careful; found adaptive",
                argument="asks",
            )
        eyes = eyes._replace(table=replace(eyes.table, asks=models))
        text: str = draw(
            formula(self._deduction(eyes).knowledge.upto(last)),
            "dimacs",
            eyes.table,
            self.observations[:last],
            viewer=eyes.viewer,
            supposed=self.suppositions,
        )
        return text

    def least(self, seat: str, *, viewer: str | None = None, upto: int | None = None) -> Report:
        """
        Return the least that a seat must know, by what the viewer saw it see.

        Its hand and what it saw alone are not in it; all deals that fit count the same.

        Args:
            seat: Its name, in short as in a record.
            viewer: Whose eyes; the header's if left out.
            upto: The last entry that counts, from 1; all if left out.

        Raises:
            NotationError, ArgumentError: If there is no such seat or viewer, or as `report`.
        """
        seat = lexicon_of(self.table).seats.find(seat)
        eyes = self._eyes(viewer, "none", "any")
        known = shared_knowledge(eyes.table, self.observations, viewer=eyes.viewer, seat=seat)
        return build_report(eyes.table, Deduction(known), viewer=seat, upto=self._upto(upto))

    def _eyes(
        self, viewer: str | None = None, shows: Shows | None = None, asks: str | None = None
    ) -> _Eyes:
        """Return whose view is asked for, by which policies; arguments as of `report`."""
        if (shows, asks) not in self._tables:
            if shows not in (None, *SHOWS):
                expected = f"expected one of {', '.join(SHOWS)}; found {shows!r}"
                raise errors.ArgumentError(f"shows: {expected}", argument="shows")
            table = self.table if shows is None else replace(self.table, shows=shows)
            if asks is not None:
                try:
                    table = replace(table, asks=asks_in(asks, table.seats))
                except errors.SetupError as error:
                    raise errors.ArgumentError(str(error), argument="asks") from None
            self._tables[shows, asks] = table
        table = self._tables[shows, asks]
        return _Eyes(self._viewer(viewer), table)

    def _deduction(self, eyes: _Eyes | None = None, *, alone: bool = False) -> Deduction:
        """Return the deductions of one viewer, `alone` without what is supposed."""
        key = (eyes or self._eyes())._replace(alone=alone)
        if key not in self._deductions:
            before = self._carried.get(key)
            known = self._known(key, before.knowledge if before else None)
            carried = None if before is None else before.carried(known)
            self._deductions[key] = carried or Deduction(known)
        return self._deductions[key]

    def _known(self, eyes: _Eyes, before: Knowledge | None = None) -> Knowledge:
        """Return what a viewer knows, without making a solver for it."""
        return knowledge_of(
            eyes.table,
            self.observations,
            viewer=eyes.viewer,
            supposed=() if eyes.alone else self.supposed,
            before=before,
        )

    def _possible(self, eyes: _Eyes, upto: int) -> Deduction:
        """Return the deductions, unless the log rules out what is supposed."""
        deduction = self._deduction(eyes)
        if self.supposed:
            try:
                deduction.possible(upto)
            except errors.Contradiction as clash:
                alone = self._deduction(eyes, alone=True)
                if alone.consistent(upto):
                    raise errors.Impossible(self.suppositions, clash.entries) from None
                return alone  # the log clashes whatever is supposed
        return deduction

    def _supposition(self, line: str) -> Knowing:
        try:
            return parse_told(Knowing, line, self.table, subject=self.table.seats[0])
        except errors.NotationError as error:
            raise errors.NotationError(
                f"cannot suppose '{errors.escape(line)}': {error.reason}",
                line=line, column=error.column, nearest=error.nearest,
            ) from None  # fmt: skip

    def _viewer(self, name: str | None) -> str | None:
        if name is None:
            return self.table.viewer
        found = lexicon_of(self.table).viewers.find(name)
        return None if found == SPECTATOR else found

    def _upto(self, entry: int | None) -> int:
        entries = len(self.observations)
        if entry is None:
            return entries
        if not 0 <= entry <= entries:
            raise errors.ArgumentError(
                f"upto: the record has {entries} entries; found {entry}", argument="upto"
            )
        return entry


class _Eyes(NamedTuple):
    """Whose view it is, `table` being the game's with the policies by which it is seen."""

    viewer: str | None
    table: Table
    alone: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Eyes) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str | None, str, str, bool]:
        return self.viewer, self.table.policy, self.table.behaviour, self.alone


def load(path: str | Path) -> Game:
    """
    Return the game in a file, in the record notation or as JSON Lines; `-` reads standard input.

    Raises:
        RecordError: If the file cannot be read as a record; the message names the line.
        EditionError: If its edition cannot be used.
    """
    return Game(load_record(path))


def positions(
    games: Iterable[Game],
    *,
    viewer: str | None = None,
    shows: Shows | None = None,
    asks: str | None = None,
) -> Positions:
    """
    Return what one viewer knows of each game, in order, for `evaluate` and `draw_deals`.

    Args:
        games: Games at one table; their whole records count.
        viewer, shows, asks: As in every method of `Game`.

    Raises:
        ArgumentError: If there are none, or they are not of one table.

    >>> from clue_solver import evaluate
    >>> game = load("examples/classic.clue")
    >>> found = evaluate(positions(Game(game.record.upto(entry)) for entry in (1, 5, 9)))
    >>> found.deals[-1] == game.report(upto=9).deals
    True
    """
    return Positions.of([game._known(game._eyes(viewer, shows, asks)) for game in games])


def review_all(
    paths: Iterable[str | Path],
    *,
    shows: Shows | None = None,
    asks: str | None = None,
    sample: int | None = None,
    seed: int = 0,
    deep: bool = False,
    jobs: int = -1,
    scheduler: str | None = None,
    told: Callable[[Effort], None] | None = None,
) -> Iterator[ReviewedFile]:
    """
    Yield the review of each file, in the order given, as soon as it and those before it are done.

    Reviews are not kept, so a batch may be of any length. The same file gives the same review
    whatever else is in the batch.

    Args:
        paths: Records with a right accusation.
        shows, asks, sample, seed, deep: As of `Game.review`.
        jobs: How many processes to use; -1 for one a core, 1 for none but this one.
        scheduler, told: A cluster that does it instead, and what is called with how long that took,
            as for `workers.spread`. The files are read here: no other machine needs them.
    """
    work = partial(review_file, shows=shows, asks=asks, sample=sample, seed=seed, deep=deep)
    files = map(str, paths)
    if scheduler is None:
        yield from spread(work, files, jobs=jobs)
    else:
        yield from spread(work, map(_sent, files), scheduler=scheduler, told=told)


def _sent(path: str) -> tuple[str, Record | errors.ClueError]:
    """Return a file's record for another machine, or why there is none."""
    try:
        return path, load_record(path)
    except errors.ClueError as error:
        return path, error


def review_file(
    file: str | tuple[str, Record | errors.ClueError],
    *,
    shows: Shows | None,
    asks: str | None,
    sample: int | None,
    seed: int,
    deep: bool,
) -> ReviewedFile:
    """
    Return what becomes of one of many files; nothing that is wrong with it is raised.

    Args:
        file: Its path, or that with what was read.
        shows, asks, sample, seed, deep: As of `Game.review`.
    """
    path, record = (file, None) if isinstance(file, str) else file
    review, error = _tried(
        path,
        lambda game: game.review(shows=shows, asks=asks, sample=sample, seed=seed, deep=deep),
        record=record,
    )
    return ReviewedFile(path=path, review=review, error=error)


def habits(games: Iterable[Game | str | Path], *, jobs: int = -1) -> Habits:
    """
    Return how the players of finished games ask, show and accuse; the same name is one player.

    Every game is taken as its record has it in the end, all notes together, with the solution of
    the header if there is one. The more hands the records hold, the more is learned.

    Args:
        games: Games, or files of them. A file that cannot be used is told in `failed`; what is
            wrong with a game is raised.
        jobs: How many processes to use for files; -1 for one a core, 1 for none but this one.

    Raises:
        Contradiction: If the entries of a game, and its solution, cannot all be true.
        TooLarge: If its deal diagram would not fit into memory.

    >>> told = habits([load("examples/evening.clue")])
    >>> [(player.seat, player.asked, round(player.own)) for player in told.players]
    [('Ann', 10, 3), ('Ben', 8, 2), ('Cat', 8, 3), ('Dan', 6, 2)]
    >>> told.header
    ('asks: careful 0.84',)
    """
    from clue_solver.answers.habits import game_habits, gathered

    games = list(games)
    of_files = habits_of_files((each for each in games if not isinstance(each, Game)), jobs=jobs)
    return gathered(
        (game_habits(each.table, each.observations), None)
        if isinstance(each, Game)
        else next(of_files)
        for each in games
    )


def habits_of_files(paths: Iterable[str | Path], *, jobs: int = -1) -> Iterator[HabitsOfFile]:
    """Yield of each file, in the order given, what it tells of its players, or why it does not."""
    yield from spread(_habits_of_file, map(str, paths), jobs=jobs)


def _habits_of_file(path: str) -> HabitsOfFile:
    from clue_solver.answers.habits import game_habits

    return _tried(path, lambda game: game_habits(game.table, game.observations))


def season(
    games: Iterable[str | Path],
    *,
    jobs: int = -1,
    memory: str | Path | None = None,
    resume: bool = False,
) -> Season:
    """
    Return what many games tell of the people who played them; the same name is one player.

    Args:
        games: Files of finished games, in the order in which they were played.
        jobs: How many processes to use; -1 for one a core, 1 for none but this one.
        memory: A folder in which what each game tells is kept, if any.
        resume: Whether what is kept there from before may be used.

    >>> told = season(["examples/evening.clue", "examples/diced.clue"], jobs=1)
    >>> [(player.seat, player.games, player.wins) for player in told.players][:2]
    [('Ann', 1, 1), ('Mia', 1, 1)]
    """
    from clue_solver.answers.season import gathered

    return gathered(season_of_files(games, jobs=jobs, memory=memory, resume=resume))


def season_of_files(
    games: Iterable[str | Path],
    *,
    jobs: int = -1,
    memory: str | Path | None = None,
    resume: bool = False,
) -> Iterator[SeasonFile]:
    """Yield what each file tells, in the order given; arguments as of `season`."""
    kept = None if memory is None else Path(memory)
    work = partial(_season_of_file, memory=kept, resume=resume)
    yield from spread(work, map(str, games), jobs=jobs)


def _season_of_file(path: str, *, memory: Path | None, resume: bool) -> SeasonFile:
    """Return what a file tells, and keep it; what fails is not kept."""
    from clue_solver.answers.habits import game_habits
    from clue_solver.answers.season import PlayedGame, SeasonFile, rows_of

    def rows(game: Game) -> tuple[PlayedGame, ...]:
        place = None if memory is None else memory / f"{_fingerprint(game)}.json"
        if place is not None and resume:
            with suppress(OSError, msgspec.MsgspecError):
                before = msgspec.json.decode(place.read_bytes(), type=tuple[PlayedGame, ...])
                return tuple(replace(row, game=path) for row in before)
        try:
            told = game_habits(game.table, game.observations)
        except errors.TooLarge:
            told = None
        found = rows_of(path, game.review(), game.observations, told)
        if place is not None:
            with suppress(OSError):
                place.parent.mkdir(parents=True, exist_ok=True)
                write_whole(msgspec.json.encode(found), place)
        return found

    found, error = _tried(path, rows)
    return SeasonFile(rows=found or (), error=error)


def _fingerprint(game: Game) -> str:
    """Return what tells a game from others, and this version's answers from another's."""
    told = (version("clue-solver"), game.table, tuple(game.observations))
    content = msgspec.json.encode(told)
    return sha256(content).hexdigest()


def games_in(paths: Iterable[str | Path]) -> list[str]:
    """
    Return the files that paths name: of a folder all records in it and below, by name.

    What the arena writes beside its records, `games.jsonl`, is none.

    >>> games_in(["examples/evening.clue", "examples"])[:2]
    ['examples/evening.clue', 'examples/classic.clue']
    """
    found: list[str] = []
    for path in paths:
        if Path(path).is_dir():
            files = (each for each in Path(path).rglob("*") if each.suffix in (".clue", ".jsonl"))
            found += (str(each) for each in sorted(files) if each.name != "games.jsonl")
        else:
            found.append(str(path))
    return found


def _tried(
    path: str,
    answered: Callable[[Game], T],
    *,
    record: Record | errors.ClueError | None = None,
) -> tuple[T | None, str | None]:
    """Return the answer of the game in a file, or else why there is none, naming the file."""
    try:
        if isinstance(record, errors.ClueError):
            raise record
        return answered(Game(record) if record is not None else load(path)), None
    except errors.ClueError as error:
        reason = str(error)
    except Exception as error:  # whatever it is, the other games of the batch are not to blame
        reason = f"unexpected {type(error).__name__}: {error}"
    name = errors.escape(path, most=200)
    return None, reason if reason.startswith(name) else f"{name}: {reason}"
