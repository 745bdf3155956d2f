"""Advice beside brute force: every answer in every deal, by the rules of showing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, product
from math import exp, log2, prod
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Game, load, parse_record
from clue_solver.answers.advice import Advice, RankedSuggestion
from clue_solver.errors import TooLarge
from clue_solver.inference import ranking
from clue_solver.inference.gains import Query
from clue_solver.notation import parse_line
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Finger, Hand, Observation, Question, Suggestion
from clue_solver.rules.table import ENVELOPE, SHOWS, Shows, Table
from clue_solver.rules.turns import TurnState
from tests.strategies import games
from tests.twin import Deal, all_deals, answers, fits, held, weight

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Shown = tuple[tuple[str, str], ...]
policies = st.sampled_from(SHOWS)


def player(data: st.DataObject, game: Game) -> str:
    gone = TurnState.of(game.observations).gone
    still = [seat for seat in game.table.seats if seat not in gone]
    assume(still)
    return data.draw(st.sampled_from(still))


def habits(observations: tuple[Observation, ...], viewer: str, seat: str) -> set[str]:
    shown = set()
    for observation in observations:
        match observation:
            case Suggestion(by=by, answers=answers) | Finger(by=by, answers=answers) if (
                by == viewer
            ):
                shown |= {a.card for a in answers if a.seat == seat and a.card}
            case Question(by=by, seat=asked, card=str(card)) if (by, asked) == (viewer, seat):
                shown.add(card)
            case _:
                pass
    return shown


class Asked(Protocol):
    """A suggestion, and the slot that is looked at before it."""

    @property
    def cards(self) -> tuple[str, ...]: ...
    @property
    def look(self) -> str | None: ...


class BruteForce:
    """All deals that fit with their weights, and what each would answer."""

    def __init__(self, game: Game, viewer: str, shows: Shows) -> None:
        self.table: Table = game.table
        self.viewer, self.shows = viewer, shows
        self.seen = tuple(game.observations)
        fitting = [
            deal for deal in all_deals(self.table) if fits(deal, self.seen, self.table, viewer)
        ]
        weights = [float(weight(d, self.seen, self.table, viewer, shows)) for d in fitting]
        self.deals = list(zip(fitting, weights, strict=True))
        self.total = sum(weights)

    def answers(self, deal: Deal, cards: tuple[str, ...]) -> Iterator[tuple[Shown, float]]:
        spread: list[tuple[Shown, float]] = [((), 1.0)]
        left = TurnState.of(self.seen).left
        order = self.table.answering(self.viewer, left=left)
        able = [seat for seat in order if seat in {deal.get(card) for card in cards}]
        showers = {"first": able[:1], "all": able}
        for seat in showers[self.table.rule_of_answering]:
            could = [card for card in cards if deal.get(card) == seat]
            usual = [c for c in could if c in habits(self.seen, self.viewer, seat)]
            pick = usual if usual and self.shows == "sticky" else could
            spread = [
                ((*shown, (seat, card)), chance / len(pick))
                for shown, chance in spread
                for card in pick
            ]
        yield from spread

    def looks(self, deal: Deal, slot: str | None) -> Iterator[tuple[Shown, float]]:
        """What a look at the slot shows first."""
        there = [card for card, holder in deal.items() if slot is not None and holder == slot]
        yield from (((("", card),), 1 / len(there)) for card in there)
        if not there:
            yield (), 1.0

    def told(self, each: Asked) -> tuple[dict[Shown, float], float, float, float]:
        """Return the answers' chances, the gain, what settles, and the best accusation after."""
        joint: dict[Shown, dict[tuple[str, ...], float]] = {}
        after: dict[Shown, dict[tuple[str, ...], float]] = {}
        prior: dict[tuple[str, ...], float] = {}
        chances: dict[Shown, float] = {}
        for deal, likely in self.deals:
            solution = tuple(card for card, holder in deal.items() if holder == ENVELOPE)
            share = likely / self.total
            prior[solution] = prior.get(solution, 0.0) + share
            ways = product(self.answers(deal, each.cards), self.looks(deal, each.look))
            for (answer, one), (seen, other) in ways:
                chances[answer] = chances.get(answer, 0.0) + share * one * other
                shown, chance = (*seen, *answer), one * other
                row = joint.setdefault(shown, {})
                row[solution] = row.get(solution, 0.0) + share * chance
                row = after.setdefault(shown, {})
                counted = share if self.shows == "none" else share * chance
                row[solution] = row.get(solution, 0.0) + counted
        whole = {shown: sum(row.values()) for shown, row in joint.items()}
        gain, settles, best = entropy(prior), 0.0, 0.0
        for shown, row in after.items():
            gain -= whole[shown] * entropy(row)
            settles += whole[shown] * (len(row) == 1)
            best += whole[shown] * max(row.values()) / sum(row.values())
        return chances, gain, settles, best


def entropy(row: dict[tuple[str, ...], float]) -> float:
    total = sum(row.values())
    return -sum(p / total * log2(p / total) for p in row.values() if p > 0)


def allowed(table: Table) -> int:
    kinds = [len(kind.cards) for kind in table.edition.category]
    return sum(prod(sizes) for sizes in combinations(kinds, table.edition.named))


def compared(brute: BruteForce, each: RankedSuggestion, *, spread: float = 0.0) -> None:
    chances, gain, settles, best = brute.told(each)
    slack = 1e-9 + 4 * each.error
    assert each.gain == pytest.approx(gain, abs=slack)
    if each.error == 0 and not spread:
        assert each.settles == pytest.approx(settles, abs=1e-9)
        assert each.best_after == pytest.approx(best, abs=1e-9)
    found: dict[tuple[tuple[str, str], ...], float] = {
        answer.shows: answer.probability for answer in each.answers
    }
    assert sum(found.values()) == pytest.approx(1)
    for shown in chances.keys() | found.keys():
        slack = 1e-9 if each.error == 0 and not spread else spread
        assert chances.get(shown, 0.0) == pytest.approx(found.get(shown, 0.0), abs=slack)


def advised(game: Game, viewer: str, shows: Shows) -> Advice:
    advice = game.advice(viewer=viewer, shows=shows)
    assume(not advice.certain)
    return advice


@settings(max_examples=12)
@given(st.data(), games(), policies)
def test_every_suggestion_is_worth_what_brute_force_says(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    viewer = player(data, game)
    advice = advised(game, viewer, shows)
    assert allowed(game.table) == len(advice.suggestions)
    brute = BruteForce(game, viewer, shows)
    for each in advice.suggestions:
        assert each.error == 0
        compared(brute, each)
    gains = [each.gain for each in advice.suggestions]
    assert all(a >= b - 1e-9 for a, b in pairwise(gains))


@settings(max_examples=8)
@given(st.data(), games(), policies)
def test_leaders_are_counted_exactly_and_the_rest_lies_within_its_error(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    viewer = player(data, game)
    few = ranking.MOST_DEALS
    ranking.MOST_DEALS = 0
    try:
        advice = advised(game, viewer, shows)
    finally:
        ranking.MOST_DEALS = few
    brute = BruteForce(game, viewer, shows)
    leading = [each for each in advice.suggestions[:5] if each.look is None]
    assert all(each.error == 0 for each in leading)
    for each in leading:
        _, gain, _, _ = brute.told(each)
        assert each.gain == pytest.approx(gain, abs=1e-9)
    for each in advice.suggestions[5:]:
        compared(brute, each, spread=0.06)


def test_what_is_once_too_much_to_count_exactly_stays_estimated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> None:
        tried.append(1)
        raise TooLarge("too much is open")

    tried: list[int] = []
    monkeypatch.setattr(ranking, "jointly", refused)
    deduction = load(EXAMPLES / "classic.clue").deduction
    known, diagram = deduction.knowledge, deduction.diagram(9)
    posterior, rng = deduction.solutions(9), np.random.default_rng(1)
    estimator = ranking.GainEstimator(known, diagram, rng, posterior=posterior, sample=200)
    seats = tuple(range(1, known.layout.seats))
    for cards in combinations(diagram.openings.cards, 2):
        assert estimator.exact(Query(cards, seats, rule="first")).error > 0
    assert len(tried) == 1
    # What a question promises: how open it is whether the envelope has each of its cards.
    for card in diagram.openings.cards:
        inside = posterior.probability[(posterior.cards == card).any(axis=1)].sum()
        open_ = [chance for chance in (inside, 1 - inside) if chance > 0]
        bits = -sum(chance * np.log2(chance) for chance in open_)
        promised = estimator.promise(Query((card,), seats, rule="first"))
        assert promised == pytest.approx(bits, abs=1e-9)


@settings(max_examples=10)
@given(st.data(), games(), st.integers(0, 1_000))
def test_opponents_are_as_close_as_their_notes_would_be(
    data: st.DataObject, game: Game, seed: int
) -> None:
    viewer = player(data, game)
    advice = game.advice(viewer=viewer, seed=seed)
    assume(not advice.certain)
    others = {each.seat: each for each in advice.opponents}
    assert set(game.table.seats) - {viewer} == set(others)
    brute = BruteForce(game, viewer, "random")
    assume(len(brute.deals) <= 100)
    rng = np.random.default_rng(seed)
    deals, weights = zip(*brute.deals, strict=True)
    draws = 25
    if not all(isinstance(each, Suggestion) for each in game.observations):
        return
    drawn = rng.choice(len(deals), size=draws, p=np.array(weights) / brute.total)
    knows, weight = {seat: np.zeros(draws) for seat in others}, np.ones(draws)
    for number, deal in enumerate(deals[place] for place in drawn):
        for seat in others:
            seen = seen_by(seat, game, deal, viewer, rng)
            knows[seat][number] = len(answers(seen, game.table, seat).solutions) == 1
            for entry in turns_over(game, seat, viewer):
                sure = len(answers(seen[: 1 + entry], game.table, seat).solutions) == 1
                if game.table.asking(seat).model != "any" and sure:
                    weight[number] *= 0.1
    weight /= weight.sum()
    for seat, found in others.items():
        assert 0 <= found.knows <= 1
        error = np.sqrt(0.25 * weight @ weight + found.error**2)
        assert abs(weight @ knows[seat] - found.knows) <= 4 * error


def turns_over(game: Game, seat: str, viewer: str) -> list[int]:
    """The entries of the seat's suggestions that ended a turn: the last if the viewer is next."""
    seen = enumerate(game.observations, 1)
    own = [entry for entry, each in seen if isinstance(each, Suggestion) and each.by == seat]
    last = len(game.observations)
    return [entry for entry in own if entry < last or game.table.after(seat) == viewer]


def seen_by(
    seat: str, game: Game, deal: Deal, viewer: str, rng: np.random.Generator
) -> list[Observation]:
    """What a seat may have seen in a deal: its hand, what it was shown, and all the viewer saw."""
    seen: list[Observation] = [Hand(seat=seat, cards=tuple(held(deal, seat)))]
    for each in game.observations:
        assert isinstance(each, Suggestion)
        shown = []
        for answer in each.answers:
            could = [card for card in each.cards if deal.get(card) == answer.seat]
            if viewer in (each.by, answer.seat) or answer.answer != "shows":
                shown.append(answer)
            else:
                card = str(rng.choice(could)) if each.by == seat else None
                shown.append(replace(answer, card=card))
        seen.append(replace(each, answers=tuple(shown)))
    return seen


DICED = Path(__file__).resolve().parents[2] / "examples" / "diced.clue"


def possible_answers(game: Game, told: Observation) -> list[Observation]:
    """Every way in which what the bonus die allows can turn out."""
    table = game.table
    match told:
        case observed.Look():
            return [replace(told, card=card) for card in table.cards]
        case observed.Peek():
            return [replace(told, feature=feature) for feature in table.edition.features]
        case Question(about=about):
            marked = [card for name in about for card in table.edition.features[name]]
            shown = [replace(told, answer="shows", card=card) for card in marked]
            return [replace(told, answer="passes"), *shown]
        case _:
            return []


@pytest.mark.parametrize("upto", [1, 4])
def test_the_bonus_die_gains_what_every_outcome_written_down_leaves(upto: int) -> None:
    record = load(DICED).record.upto(upto)
    for line in ("Mia rolls plum, green, mustard", "Mia suggests Brains Plum, Brawn Green: -"):
        record = record.append(parse_line(line, record.table, record.turn_state))
    game, upto = Game(record), len(record.observations)
    advice = game.advice()
    assert advice.kind == "use"
    before = game.deduction.diagram(upto)
    checked = 0
    for use in advice.uses:
        expected, whole = advice.bits, 0.0
        for observation in possible_answers(game, use.use):
            longer = Game(game.record.append(observation))
            if not longer.deduction.consistent(upto + 1):
                continue
            after = longer.deduction.diagram(upto + 1)
            chance = exp(after.log_weight - before.log_weight)
            expected -= chance * longer.report().bits
            whole += chance
        if whole:
            assert whole == pytest.approx(1)
            assert use.gain == pytest.approx(expected, abs=1e-9 + 4 * use.error)
            checked += 1
    assert checked >= 3


DICED_NOTES = """\
edition: clue-diced
players: Ann, Ben, Cat
hands: 4, 3, 3
viewer: Ann

Ann holds Brains Plum, Brains Green, Brawn Scarlett, Brawn Mustard
"""


def close_to(*lines: str) -> tuple[float, ...]:
    game = Game(parse_record(DICED_NOTES + "".join(f"{line}\n" for line in lines)))
    return tuple(each.knows for each in game.advice().opponents)


def test_cards_seen_in_the_viewers_own_hand_count() -> None:
    header = "edition: clue-diced\nplayers: Ann, Ben\nhands: 8, 2\nviewer: Ann\n\n"
    knows = [
        Game(parse_record(header + "Ben looks at Ann\n" * looks)).advice().opponents[0].knows
        for looks in (0, 60)
    ]
    assert knows[0] == 0.0
    assert knows[1] > 0.95  # all eight were drawn once


def test_a_second_peek_at_the_same_notch_tells_a_seat_nothing() -> None:
    assert close_to("Ben peeks") == close_to("Ben peeks", "Ben peeks")


def test_the_notch_shows_every_seat_the_same_until_the_envelope_is_opened() -> None:
    before = close_to("Ann peeks: Plum", "Ben peeks")
    assert close_to("Ben peeks", "Ann peeks: Plum") == before
    wrong = "Cat accuses Brains Peacock, Brawn Green: wrong"
    after = close_to("Ann peeks: Plum", wrong, "Ben peeks")
    assert after[1] == 1.0  # Cat has seen the envelope
