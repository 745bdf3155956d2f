"""Advice beside brute force: every answer in every deal, by the rules of showing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, product
from math import exp, hypot, log2, prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Game, load, parse_record
from clue_solver.answers.advice import Advice, RankedSuggestion
from clue_solver.answers.known import KnownGame
from clue_solver.answers.own_turn import OwnTurn
from clue_solver.answers.winning import Winning
from clue_solver.inference import estimator
from clue_solver.notation.reader import parse_line
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Hand, Inquiry, Observation, Question, Suggestion
from clue_solver.rules.table import ENVELOPE, SHOWS, Shows, Table
from clue_solver.rules.turns import TurnState
from tests.strategies import games
from tests.twin import Deal, answers, held, weighted_deals

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
            case Inquiry(by=by, answers=answers) if by == viewer:
                shown |= {a.card for a in answers if a.seat == seat and a.card}
            case Question(by=by, seat=asked, card=str(card)) if (by, asked) == (viewer, seat):
                shown.add(card)
            case _:
                pass
    return shown


class BruteForce:
    """All deals that fit with their weights, and what each would answer."""

    def __init__(self, game: Game, viewer: str, shows: Shows) -> None:
        self.table: Table = game.table
        self.viewer, self.shows = viewer, shows
        self.seen = tuple(game.observations)
        fitting = weighted_deals(self.seen, self.table, viewer, shows)
        self.deals = [(deal, float(weight)) for deal, weight in fitting]
        self.total = sum(weight for _, weight in self.deals)

    def answers(self, deal: Deal, cards: tuple[str, ...]) -> Iterator[tuple[Shown, float]]:
        spread: list[tuple[Shown, float]] = [((), 1.0)]
        left = TurnState.of(self.seen).left
        order = self.table.answering(self.viewer, left=left)
        able = [seat for seat in order if seat in {deal.get(card) for card in cards}]
        showers = {"first": able[:1], "all": able}
        for seat in showers[self.table.who_shows]:
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

    def told(
        self, cards: tuple[str, ...], look: str | None = None
    ) -> tuple[dict[Shown, float], float, float, float]:
        """Return the answers' chances, the gain, what settles, and the best accusation after."""
        joint: dict[Shown, dict[tuple[str, ...], float]] = {}
        after: dict[Shown, dict[tuple[str, ...], float]] = {}
        prior: dict[tuple[str, ...], float] = {}
        chances: dict[Shown, float] = {}
        for deal, likely in self.deals:
            solution = tuple(card for card, holder in deal.items() if holder == ENVELOPE)
            share = likely / self.total
            prior[solution] = prior.get(solution, 0.0) + share
            ways = product(self.answers(deal, cards), self.looks(deal, look))
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
    chances, gain, settles, best = brute.told(each.cards, each.look)
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


def advised(game: Game, viewer: str, shows: Shows, *, quick: bool = False) -> Advice:
    advice = game.advice(viewer=viewer, shows=shows, quick=quick)
    assume(not advice.certain)
    return advice


@settings(max_examples=12)
@given(st.data(), games(), policies)
def test_every_suggestion_is_worth_what_brute_force_says(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    viewer = player(data, game)
    advice = advised(game, viewer, shows, quick=True)
    assert allowed(game.table) == len(advice.suggestions)
    brute = BruteForce(game, viewer, shows)
    for each in advice.suggestions:
        assert each.error == 0
        compared(brute, each)
    gains = [each.gain for each in advice.suggestions]
    assert all(a >= b - 1e-9 for a, b in pairwise(gains))


@settings(max_examples=5)
@given(st.data(), games(), policies)
def test_leaders_are_counted_exactly_and_the_rest_lies_within_its_error(
    data: st.DataObject, game: Game, shows: Shows
) -> None:
    viewer = player(data, game)
    few = estimator.MOST_DEALS
    estimator.MOST_DEALS = 0
    try:
        advice = advised(game, viewer, shows)
    finally:
        estimator.MOST_DEALS = few
    brute = BruteForce(game, viewer, shows)
    leading = [each for each in advice.suggestions[:5] if each.look is None]
    assert all(each.error == 0 for each in leading)
    for each in leading:
        _, gain, _, _ = brute.told(each.cards)
        assert each.gain == pytest.approx(gain, abs=1e-9)
    for each in advice.suggestions[5:]:
        compared(brute, each, spread=0.06)


@settings(max_examples=3)
@given(st.data(), games(), st.integers(0, 1_000))
def test_opponents_are_as_close_as_their_notes_would_be(
    data: st.DataObject, game: Game, seed: int
) -> None:
    viewer = player(data, game)
    advice = game.advice(viewer=viewer, seed=seed)
    assume(not advice.certain)
    others = {each.seat: each for each in advice.opponents}
    turns = TurnState.of(game.observations)
    assert set(game.table.seats) - {viewer} - (turns.left - turns.out) == set(others)
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
    record = load(EXAMPLES / "diced.clue").record.upto(upto)
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


def test_what_others_saw_in_a_hand_and_in_the_notch_tells_how_close_they_are() -> None:
    def close(lines: str, head: str = DICED_NOTES) -> tuple[float, ...]:
        record = parse_record(head + lines.replace("; ", "\n") + "\n")
        return tuple(each.knows for each in Game(record).advice().opponents)

    # The notch shows every seat the same, however often, until the envelope is opened.
    assert close("Ben peeks") == close("Ben peeks; Ben peeks")
    before = close("Ann peeks: Plum; Ben peeks")
    assert close("Ben peeks; Ann peeks: Plum") == before
    wrong = "Cat accuses Brains Peacock, Brawn Green: wrong"
    assert close(f"Ann peeks: Plum; {wrong}; Ben peeks")[1] == 1.0  # Cat has seen the envelope
    cat = Game(parse_record(f"{DICED_NOTES}{wrong}\n")).advice().opponents[1]
    assert (cat.out, cat.error) == (True, 0.0)
    assert close("Cat leaves")[1:] == ()  # nor is who left a rival
    assert close(f"{wrong}; Cat leaves")[1] == 1.0

    # Looking at a hand of eight again and again leaves nothing open.
    head = "edition: clue-diced\nplayers: Ann, Ben\nhands: 8, 2\nviewer: Ann\n\n"
    assert close("", head) == (0.0,)
    assert close("; ".join(["Ben looks at Ann"] * 60), head)[0] > 0.95


@pytest.mark.parametrize(("name", "upto"), [("classic", 6)])
def test_no_seed_turns_the_verdict_into_one_that_is_worse_beyond_the_errors(
    name: str, upto: int
) -> None:
    game = load(EXAMPLES / f"{name}.clue").seen(upto=upto)
    viewer = str(game.table.viewer)
    told = [game.advice(seed=seed).ask for seed in range(3)]
    asked = list(dict.fromkeys(ask.cards for ask in told if ask is not None))
    fresh = Winning(
        KnownGame(game.table, game.observations, game.deduction),
        asked=OwnTurn(game.table, game.observations, viewer).asked,
        rng=np.random.default_rng(99),
        worlds=4000,
    )
    alone = {cards: fresh.race({cards: 1.0}).chances[cards] for cards in asked}
    best = max(alone.values())
    for other in alone.values():
        assert best.value - other.value < 2 * hypot(best.error, other.error)


def test_who_may_accuse_after_an_answer_wins_as_often_as_that_is_right_at_least() -> None:
    advice = load(EXAMPLES / "classic.clue").advice(upto=13)
    played_on = [(each.win, each.best_after) for each in advice.suggestions if each.win is not None]
    assert len(played_on) > 2
    assert all(win >= right for win, right in played_on)


def test_after_each_answer_it_is_told_what_to_do_then() -> None:
    advice = load(EXAMPLES / "classic.clue").advice(upto=12, rooms="Library")
    assert advice.ask is not None
    assert [reply.shows for reply in advice.replies] == [
        answer.shows for answer in advice.ask.answers[:3]
    ]
    nobody = next(reply for reply in advice.replies if not reply.shows)
    assert (nobody.kind, nobody.cards) == ("accuse", ("Green", "Rope", "Library"))
    assert "nobody shows a card (" in str(advice)
    assert "first choice" in str(advice)
    assert "accuse now: Green, Rope, Library" in " ".join(str(advice).split())


def test_advice_that_ranks_nothing_has_left_nothing_out() -> None:
    advice = load(EXAMPLES / "classic.clue").advice(upto=9)
    assert [reply.then.kind for reply in advice.replies] == ["ask", "ask", "ask", "accuse"]
    assert [reply.then.left_out for reply in advice.replies] == [0] * 4


def test_what_is_worth_most_comes_first_a_room_with_its_chance_to_be_reached() -> None:
    advice = load(EXAMPLES / "classic.clue").advice(upto=9, at="Study", quick=True)
    worth = [each.gain * each.reach for each in advice.suggestions]
    assert worth == sorted(worth, reverse=True)
    assert len({each.reach for each in advice.suggestions}) == 3


@pytest.mark.parametrize("upto", [2, 12, 17])
def test_brief_advice_says_the_same_of_what_is_to_be_done_now(upto: int) -> None:
    game = load(EXAMPLES / "classic.clue").seen(upto=upto)
    whole, brief = game.advice(), game.advice(brief=True)
    assert (brief.replies, brief.opponents) == ((), ())
    assert brief.accuse.advice == whole.accuse.advice
    assert brief.accuse.cards == whole.accuse.cards
    if brief.ask is None and brief.kind == "wait":  # the next question is for the next turn
        assert OwnTurn(game.table, game.observations, "Ann").asked
    else:
        assert brief == replace(whole, replies=(), opponents=())


BOARD_NOTES = """\
edition: clue-classic
players: Rosa, Tom, Ida
hands: 6, 6, 6
viewer: Ida
pieces: Scarlett, Mustard, White

Ida holds Scarlett, Lounge, Study, Ballroom, Rope, Wrench
Rosa suggests Scarlett, Knife, Lounge: Tom passes, Ida shows Lounge
Tom suggests Scarlett, Knife, Dining Room: Ida shows Scarlett
Ida suggests Mustard, Knife, Hall: Rosa passes, Tom shows Hall
Rosa suggests Plum, Knife, Conservatory: Tom shows
Tom suggests Mustard, Knife, Study: Ida shows Study
"""


def test_what_beats_a_surer_suggestion_of_less_likely_cards_is_not_said_to_beat_likelier() -> None:
    game = Game(parse_record(BOARD_NOTES))
    quick, full = (game.advice(quick=quick) for quick in (True, False))
    assert full.ask is not None
    assert quick.cards != full.cards  # the room of the likeliest cards may be out of reach
    assert full.ask.reach < 1
    assert not full.beaten
