"""A game as somebody saw it: the viewer, the last entry that counts, and the policies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import product
from typing import TYPE_CHECKING, Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clue_solver import errors
from clue_solver.answers.report import Report, build_report
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.viewer import Knowledge, knowledge_of
from clue_solver.notation import format_line, format_told, lexicon_of
from clue_solver.record.header import with_key
from clue_solver.rules.observations import Knowing, Observation
from clue_solver.rules.table import SHOWS, SPECTATOR, Shows, Table
from clue_solver.rules.turns import TurnState

if TYPE_CHECKING:
    from clue_solver.answers.adviser import Adviser
    from clue_solver.answers.corrections import Check
    from clue_solver.answers.decision import Decision
    from clue_solver.answers.reasons import Reason

QUICK_SAMPLE = 300
"""Deals drawn to weigh suggestions by in quick advice, where there are too many to count each."""


class PointOfView(Struct, frozen=True, kw_only=True):
    """
    A game as somebody saw it; its methods answer as those of `Game`.

    Attributes:
        table: The table, with the policies by which the game is seen.
        observations: All that was recorded.
        viewer: Whose view; `None` for a spectator.
        upto: How many of the observations count.
        deduction: What follows from all that the viewer saw, and from what is supposed.
        unsupposed: What follows without what is supposed; `None` where nothing is.
        supposed: What is supposed.
    """

    table: Table
    observations: Sequence[Observation]
    viewer: str | None
    upto: int
    deduction: Deduction
    unsupposed: Deduction | None = None
    supposed: tuple[Knowing, ...] = ()

    def __repr__(self) -> str:
        viewer = errors.printable(self.viewer or SPECTATOR)
        return f"<PointOfView: {viewer}, after {errors.counted(self.upto, 'entry')}>"

    @property
    def suppositions(self) -> tuple[str, ...]:
        """What is supposed, as lines such as `Ben has Rope`."""
        return tuple(map(format_told, self.supposed))

    @property
    def counted(self) -> Sequence[Observation]:
        """The observations that count."""
        return self.observations[: self.upto]

    @property
    def lines(self) -> tuple[str, ...]:
        """The entries that count, as canonical lines."""
        return tuple(format_line(observation, self.table) for observation in self.counted)

    def possible(self) -> Deduction:
        """
        Return what follows; from the log alone, where that contradicts itself.

        Raises:
            Impossible: If the log rules out what is supposed.
        """
        if self.unsupposed is not None:
            try:
                self.deduction.possible(self.upto)
            except errors.Contradiction as clash:
                if self.unsupposed.consistent(self.upto):
                    raise errors.Impossible(self.suppositions, clash.entries) from None
                return self.unsupposed
        return self.deduction

    def can_have(self, card: str, holder: str) -> bool:
        """Return whether a holder may have a card; raises as `possible`."""
        holders = self.possible().possible(self.upto)[self.table.cards.index(card)]
        return bool(holders >> self.table.holders.index(holder) & 1)

    def report(self) -> Report:
        """Return what is certain and how likely the rest is."""
        return build_report(
            self.table,
            self.possible(),
            viewer=self.viewer,
            upto=self.upto,
            supposed=self.suppositions,
            without=self.unsupposed,
        )

    def why(self, card: str, holder: str) -> Reason:
        """Return why the holder has the card, lacks it, or may have it."""
        from clue_solver.answers.reasons import reason

        card, holder = lexicon_of(self.table).cell(card, holder)
        why = reason(
            self.table, self.observations, self.possible(), card=card, holder=holder, upto=self.upto
        )
        return replace(why, lines=self.lines)

    def check(self) -> Check:
        """Return whether the log is consistent; if not, its conflict and suggested corrections."""
        from clue_solver.answers.corrections import Check, corrections
        from clue_solver.answers.reasons import explain_conflict
        from clue_solver.answers.turns import odd_turns

        deduction = self.possible()
        turns = odd_turns(self.table, self.counted)
        check = Check(turns=turns, viewer=self.viewer or SPECTATOR, lines=self.lines)
        try:
            deduction.possible(self.upto)
        except errors.Contradiction as clash:
            return replace(
                check,
                conflict=clash.entries,
                minimum=clash.minimum,
                steps=explain_conflict(self.table, self.counted, deduction, clash.entries),
                corrections=corrections(self.table, self.counted, viewer=self.viewer),
            )
        return check

    def adviser(self, *, seed: int = 0, sample: int | None = None) -> Adviser:
        """Return what gives advice; `sample` sets how many deals are drawn for the ranking."""
        from clue_solver.answers.adviser import Adviser

        return Adviser(
            self.table,
            self.observations,
            self.possible(),
            viewer=self.viewer,
            upto=self.upto,
            rng=np.random.default_rng(seed),
            sample=sample,
        )

    def decision(self, *, seed: int = 0) -> Decision:
        """Return what to do now, in one line: whether to accuse, else what to ask."""
        from clue_solver.answers.decision import decide

        known = self._decided()
        if known is not None:
            return known
        return decide(self.adviser(seed=seed).advice(play=True, full=False))

    def decisions(self, *, seed: int = 0) -> Iterator[Decision]:
        """Yield what to do now by a first look, then by a closer one, where that may differ."""
        from clue_solver.answers.decision import closer_look, first_look

        known = self._decided()
        if known is not None:
            yield known
            return
        quick = self.adviser(seed=seed, sample=QUICK_SAMPLE)
        first = quick.advice(play=True, full=False, quick=True)
        yield first_look(first)
        whole = self.adviser(seed=seed).advice(play=True, full=False)
        yield closer_look(whole, first)

    def _decided(self) -> Decision | None:
        """Return what to do now where there is nothing to weigh; else `None`."""
        from clue_solver.answers.decision import Decision
        from clue_solver.answers.own_turn import OwnTurn

        solutions = self.possible().solutions(self.upto)
        cards = tuple(self.table.cards[card] for card in solutions.cards[0].tolist())
        chance = float(solutions.probability[0])
        certain = len(solutions.probability) == 1
        turns = TurnState.of(self.counted)
        decision = Decision(certain=certain, cards=cards, probability=chance, kind="solution")
        if turns.winner is not None:
            return replace(decision, kind="over")
        if self.viewer in turns.out and not certain:
            return replace(decision, kind="opened")
        if self.viewer is None or self.viewer in turns.gone:
            return decision
        if certain:
            turn = OwnTurn(self.table, self.counted, viewer=self.viewer)
            kind: Literal["barred", "accuse"] = "barred" if turn.barred else "accuse"
            return replace(
                decision,
                kind=kind,
                after=turn.before_accusing,
                later=turn.later and not turn.suggested,
            )
        return None

    def dimacs(self) -> str:
        """Return what the viewer knows as a DIMACS CNF formula, whose models are the deals."""
        from clue_solver.inference.cnf import formula

        found, _ = formula(self.deduction.knowledge.upto(self.upto))
        places = enumerate(product(self.table.cards, self.table.holders), 1)
        found.comments = [f"c {number} {holder} has {card}" for number, (card, holder) in places]
        return f"{found.to_dimacs()}\n"


_Key = tuple[str | None, str, str]
"""Whose view it is, and by which policies, as a header names them."""


class PointsOfView:
    """
    The points of view of one game; what follows from its log is found once for each.

    Args:
        table, observations: What was recorded.
        supposed: What is supposed besides.
    """

    def __init__(
        self, table: Table, observations: Sequence[Observation], *, supposed: Sequence[Knowing]
    ) -> None:
        self._observations = observations
        self._supposed = tuple(supposed)
        self._unsupposed: PointsOfView | None = None
        if supposed:
            self._unsupposed = PointsOfView(table, observations, supposed=())
        self._tables: dict[tuple[Shows | None, str | None], Table] = {(None, None): table}
        self._deductions: dict[_Key, Deduction] = {}
        self._carried: Mapping[_Key, Deduction] = {}

    def changed(self, observations: Sequence[Observation]) -> PointsOfView:
        """Return those of another log at the same table, which go on from what was found here."""
        other = copy(self)
        other._observations = observations
        other._deductions = {}
        other._carried = {**self._carried, **self._deductions}
        if self._unsupposed is not None:
            other._unsupposed = self._unsupposed.changed(observations)
        return other

    def of(
        self, *, viewer: str | None, upto: int | None, shows: Shows | None, asks: str | None
    ) -> PointOfView:
        """Return one point of view; arguments and errors as of `Game.report`."""
        table = self.table(shows, asks)
        who = self.viewer(viewer)
        alone = self._unsupposed
        return PointOfView(
            table=table,
            observations=self._observations,
            viewer=who,
            upto=self.upto(upto),
            deduction=self._deduction(who, table),
            unsupposed=None if alone is None else alone._deduction(who, table),
            supposed=self._supposed,
        )

    def known(
        self, viewer: str | None, shows: Shows | None, asks: str | None
    ) -> tuple[str | None, Knowledge]:
        """Return who a viewer is, and what it knows in the end; nothing of it is kept here."""
        table = self.table(shows, asks)
        who = self.viewer(viewer)
        return who, knowledge_of(table, self._observations, viewer=who, supposed=self._supposed)

    def table(self, shows: Shows | None, asks: str | None) -> Table:
        """Return the table with the policies by which the game is seen; the header's for `None`."""
        if (shows, asks) not in self._tables:
            table = self._tables[None, None]
            if shows is not None:
                if shows not in SHOWS:
                    message = f"shows: expected {errors.listed(SHOWS, 'or')}; found {shows!r}"
                    raise errors.ArgumentError(message, argument="shows")
                table = replace(table, shows=shows)
            if asks is not None:
                try:
                    table = with_key(table, "asks", asks)
                except errors.ClueError as error:
                    raise errors.ArgumentError(error.reason, argument="asks") from None
            self._tables[shows, asks] = table
        return self._tables[shows, asks]

    def viewer(self, name: str | None) -> str | None:
        """Return the seat of a viewer, `None` for a spectator; the header's for `None`."""
        table = self._tables[None, None]
        if name is None:
            return table.viewer
        seat = lexicon_of(table).viewers.find(name)
        return None if seat == SPECTATOR else seat

    def upto(self, entry: int | None) -> int:
        """Return how many entries count; all for `None`."""
        entries = len(self._observations)
        if entry is None:
            return entries
        if not 0 <= entry <= entries:
            raise errors.ArgumentError(
                f"the record has {errors.counted(entries, 'entry')}; found {entry}", argument="upto"
            )
        return entry

    def _deduction(self, viewer: str | None, table: Table) -> Deduction:
        """Return what follows from all entries as a viewer saw them, by the table's policies."""
        key = viewer, table.policy, table.behaviour
        if key not in self._deductions:
            before = self._carried.get(key)
            known = knowledge_of(
                table,
                self._observations,
                viewer=viewer,
                supposed=self._supposed,
                before=before.knowledge if before else None,
            )
            carried = None if before is None else before.carried(known)
            self._deductions[key] = carried or Deduction(known)
        return self._deductions[key]
