"""Reasons are sufficient, minimal, and every step of an argument can be checked deal by deal."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from clue_solver import Game, NotationError, parse_record
from clue_solver.answers.reasons import Reason, ReasonStep
from clue_solver.answers.report import Report
from clue_solver.answers.slips import slips
from clue_solver.conversation.session import Session
from clue_solver.errors import Impossible
from clue_solver.notation.reader import parse_line
from clue_solver.rules.observations import Draw, Knowing, Move, Observation, Roll, Skip, Stay
from tests.strategies import games
from tests.twin import Deal, all_deals, fits


def viewer_of(data: st.DataObject, game: Game) -> str:
    return data.draw(st.sampled_from(("spectator", *game.table.seats)))


def place(data: st.DataObject, report: Report, verdict: str) -> tuple[str, str]:
    """A card and a holder of whom the report says this."""
    places = [
        (card, holder)
        for card in report.cards
        for holder in report.holders
        if report.verdict(card, holder) == verdict
    ]
    assume(places)
    return data.draw(st.sampled_from(places))


class Checker:
    """A small verifier: it knows all deals and what each entry says, and nothing of any rule."""

    def __init__(self, game: Game, viewer: str) -> None:
        self.deals = list(all_deals(game.table))
        self.viewer = None if viewer == "spectator" else viewer
        self.table, self.observations = game.table, game.observations

    def fitting(self, entries: Sequence[int]) -> list[Deal]:
        told: list[Observation] = [self.observations[entry - 1] for entry in entries]
        return [deal for deal in self.deals if fits(deal, told, self.table, self.viewer)]

    def forces(self, entries: Sequence[int], card: str, holder: str, verdict: str) -> bool:
        return all((d[card] == holder) == (verdict == "holds") for d in self.fitting(entries))

    def follows(self, step: ReasonStep, earlier: Sequence[ReasonStep]) -> bool:
        deals = self.fitting(step.entries)
        for number in step.uses:
            fact = earlier[number - 1].fact
            assert fact is not None
            deals = [d for d in deals if (d[fact.card] == fact.holder) == (fact.verdict == "holds")]
        if step.fact is None:
            return not deals
        card, holder, verdict = step.fact
        return all((deal[card] == holder) == (verdict == "holds") for deal in deals)


def proved(checker: Checker, steps: Sequence[ReasonStep]) -> None:
    for number, step in enumerate(steps, 1):
        assert all(0 < used < number for used in step.uses)
        assert checker.follows(step, steps), step.text
        assert step.text


def forced(game: Game, viewer: str) -> list[Reason]:
    report = game.report(viewer=viewer)
    return [
        game.why(card, holder, viewer=viewer)
        for card in report.cards
        for holder in report.holders
        if report.verdict(card, holder) != "open"
    ]


@settings(max_examples=25)
@given(st.data(), games())
def test_a_reason_forces_its_fact_and_no_entry_of_it_can_be_spared(
    data: st.DataObject, game: Game
) -> None:
    """And the steps alone prove it, from those entries."""
    viewer = viewer_of(data, game)
    checker = Checker(game, viewer)
    for reason in forced(game, viewer):
        claim = (reason.card, reason.holder, reason.verdict)
        assert checker.forces(reason.entries, *claim)
        assert reason.minimum
        for entry in reason.entries:
            spared = [other for other in reason.entries if other != entry]
            assert not checker.forces(spared, *claim)
        proved(checker, reason.steps)
        assert reason.steps[-1].fact == claim
        assert {e for step in reason.steps for e in step.entries} <= set(reason.entries)


@settings(max_examples=30)
@given(st.data(), games())
def test_an_open_fact_tells_which_entries_moved_it(data: st.DataObject, game: Game) -> None:
    viewer = viewer_of(data, game)
    report = game.report(viewer=viewer)
    card, holder = place(data, report, "open")
    reason = game.why(card, holder, viewer=viewer)
    assert (reason.verdict, reason.steps) == ("open", ())
    assert abs(reason.probability - report.probability(card, holder)) < 1e-9
    by_rules = game.report(viewer=viewer, asks="any").probability(card, holder)
    assert (reason.by_rules or reason.probability) == pytest.approx(by_rules, abs=1e-8)
    changes = [abs(each.change) for each in reason.moved]
    assert sorted(changes, reverse=True) == changes
    for each in reason.moved:
        before = game.report(viewer=viewer, upto=each.entry - 1)
        assert abs(before.probability(card, holder) - each.before) < 1e-9


@settings(
    max_examples=8, suppress_health_check=[HealthCheck.filter_too_much]
)  # few slips can be written
@given(st.data(), games())
def test_a_clash_is_argued_and_every_correction_mends_it(data: st.DataObject, game: Game) -> None:
    seats, table = game.table.seats, game.table
    numbered = enumerate(game.observations, 1)
    telling = [
        entry for entry, each in numbered if not isinstance(each, Skip | Roll | Draw | Move | Stay)
    ]
    assume(telling)
    entry = data.draw(st.sampled_from(telling))
    written = game.observations[entry - 1]
    meant = [slip.meant for slip in slips(written, table)]
    assume(meant)
    record = game.record.upto(entry - 1)
    slipped = data.draw(st.sampled_from(meant))
    for observation in (slipped, *game.observations[entry:]):
        try:
            record = record.append(observation)
        except NotationError:
            assume(False)
    changed = Game(record)
    viewer = data.draw(st.sampled_from(seats))
    check = changed.check(viewer=viewer)
    assert check.consistent == changed.report(viewer=viewer).consistent
    assume(not check.consistent)
    checker = Checker(changed, viewer)
    assert not checker.fitting(check.conflict)
    for spared in check.conflict:
        assert checker.fitting([other for other in check.conflict if other != spared])
    proved(checker, check.steps)
    assert check.steps[-1].fact is None
    assert check.corrections
    assert sum(each.probability for each in check.corrections) > 0.999
    for correction in check.corrections:
        lines = list(changed.lines)
        if correction.entry is None:
            continue
        if correction.before:
            assert lines[correction.entry - 1] == correction.before
            lines[correction.entry - 1] = correction.after
        else:  # a line that was lacking, which takes passes back
            session = Session(changed.record)
            session.correct(correction)
            lines = list(session.lines)
            assert lines[correction.entry - 1] == correction.after
        assert mended(changed, lines, viewer)


def mended(game: Game, lines: Sequence[str], viewer: str) -> bool:
    record = game.record.upto(0)
    for line in lines:
        record = record.append(parse_line(line, record.table, record.turn_state))
    return Game(record).check(viewer=viewer).consistent


@settings(max_examples=30)
@given(st.data(), games())
def test_supposing_is_knowing_without_writing_it_down(data: st.DataObject, game: Game) -> None:
    viewer = data.draw(st.sampled_from(game.table.seats))
    report = game.report(viewer=viewer)
    card, holder = place(data, report, "open")
    record = game.record.append(Knowing(by=viewer, holder=holder, has=(card,)))
    known = Game(record).report(viewer=viewer)
    supposed = game.suppose(f"{holder} has {card}").report(viewer=viewer)
    assert known.deals == supposed.deals
    assert abs(known.probabilities - supposed.probabilities).max() < 1e-9
    assert (card, holder, "holds") in supposed.new
    assert report.entries == supposed.entries == len(game.observations)


@settings(max_examples=30)
@given(st.data(), games())
def test_a_supposition_that_the_log_rules_out_says_which_entries(
    data: st.DataObject, game: Game
) -> None:
    report = game.report()
    card, holder = place(data, report, "lacks")
    with pytest.raises(Impossible) as refusal:
        game.suppose(f"{holder} has {card}").report()
    viewer = game.table.viewer or "spectator"
    checker = Checker(game, viewer)
    assert checker.forces(refusal.value.entries, card, holder, "lacks")
    assert len(game.why(card, holder).entries) == len(refusal.value.entries)


ODD = ("Mr knows all", "Ben", "Ben has a hat", "Ann lacks wit")


@pytest.mark.parametrize("seat", [*ODD, "envelope"])
@pytest.mark.parametrize("fact", ["has Rope", "lacks Rope", "has Rope or Hall"])
def test_a_supposition_reads_back_as_it_was_meant(seat: str, fact: str) -> None:
    for first in ODD:
        seats = first, *(other for other in ODD if other != first)
        game = Game(parse_record(f"edition: clue-classic\nplayers: {', '.join(seats)}\n"))
        assert game.suppose(f"{seat} {fact}").suppositions == (f"{seat} {fact}",)


NOTES = """\
edition: clue-classic
players: Rosa, Tom, Ida
hands: 6, 6, 6
viewer: Rosa

Rosa holds Plum, White, Peacock, Lead Pipe, Dining Room, Billiard Room
Ida suggests Mustard, Knife, Hall: Rosa passes, Tom shows
"""


@pytest.mark.parametrize(
    ("holder", "rises", "said"),
    [
        ("envelope", True, "Ida asked for Mustard, so Ida probably doesn't have it."),
        ("Ida", False, "Tom may have shown Mustard."),
        ("Tom", True, "Tom may have shown Mustard."),
    ],
)
def test_a_change_is_explained_by_what_moves_the_chance_that_way(
    holder: str, rises: bool, said: str
) -> None:
    reason = Game(parse_record(NOTES)).why("Mustard", holder)
    (change,) = (each.change for each in reason.moved if each.entry == 2)
    assert (change > 0) == rises
    *_, last = " ".join(str(reason).split()).split("Tom shows ")
    assert last.startswith(said)
