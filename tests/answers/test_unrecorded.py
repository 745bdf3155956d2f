"""Players whose hands the record does not hold, missed wins, verdicts, what an error covers."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clue_solver import Game, load, parse_record
from clue_solver.answers.review import LABELS, label_of, mistakes
from clue_solver.record import Record
from clue_solver.rules.observations import Accusation, Hand, Suggestion
from clue_solver.rules.table import ENVELOPE, Shows
from clue_solver.testing import Played, played
from clue_solver.views.explanations import review_players
from tests.answers.test_adviser import BruteForce, entropy
from tests.answers.test_reviewer import (
    HANDS,
    PROOF,
    ROUND,
    TRUE,
    envelope,
    laid_open,
    policies,
    reviewed,
)

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def without_hand(lines: list[str], seat: str) -> str:
    """A record of the three hands but one, and these lines."""
    head = [line for line in HANDS.splitlines() if not line.startswith(f"{seat} holds")]
    return "\n".join([*head, *lines, ""])


def own_turns(record: Record, seat: str) -> list[tuple[int, bool, int]]:
    """
    The turns of a seat by brute force: the last entry of each, whether it accused in it, and the
    last entry before the next turn, up to which it could have.
    """
    turns: list[tuple[str, int, bool]] = []
    begun: list[int] = []
    ended = False
    for entry, each in enumerate(record.observations, 1):
        by = getattr(each, "by", None)
        if by is None or not each.turn:
            continue
        fresh = not turns or turns[-1][0] != by
        again = ended and isinstance(each, Suggestion)
        accused = isinstance(each, Accusation)
        ended = isinstance(each, Suggestion | Accusation) or (ended and not fresh)
        if fresh or again:
            turns.append((by, entry, accused))
            begun.append(entry)
        else:
            turns[-1] = (by, entry, accused or turns[-1][2])
    ends = [*(entry - 1 for entry in begun[1:]), len(record.observations)]
    return [
        (entry, accused, end)
        for (by, entry, accused), end in zip(turns, ends, strict=True)
        if by == seat
    ]


@settings(max_examples=6)
@given(played(most=5), st.sampled_from((0, 1)))
def test_verdicts_and_missed_wins_are_those_of_the_reports(game: Played, place: int) -> None:
    record = laid_open(game)
    solution = envelope(dict(game.deal), record)
    seats = record.table.seats
    if not any(isinstance(each, Accusation) and each.right for each in record.observations):
        cards = tuple(solution.split(", "))
        record = record.append(Accusation(by=seats[place], cards=cards, right=True))
    play = Game(record)
    review = play.review(solution=solution)
    hands = {each.seat for each in record.observations if isinstance(each, Hand)}
    for each in review.accusations:
        if each.seat not in hands:
            continue
        known = play.report(viewer=each.seat, upto=each.entry - 1)
        chance = dict(known.solutions).get(review_order(record, each.cards), 0.0)
        assert chance == pytest.approx(each.chance, abs=1e-9)
        expected = {"right", "late"} if each.right else {"unlucky"}
        if chance < 0.5 - 1e-9:
            expected = {"rash", "right" if each.right else "unlucky"}
        assert each.verdict in expected
    over = next(each.entry for each in review.accusations if each.right)
    missed = {each.seat for each in review.missed_wins}
    for seat in hands - {review.winner}:
        out = [each.entry for each in review.accusations if each.seat == seat and not each.right]
        last = min([over, *out])
        able = [
            entry
            for entry, accused, end in own_turns(record, seat)
            if not accused and entry < last
            and record.table.edition.accuses
            and len(play.report(viewer=seat, upto=end).solutions) == 1
        ]  # fmt: skip
        if able:
            assert seat in missed


@settings(max_examples=8)
@given(played(most=4), policies)
def test_a_review_is_what_listing_all_deals_says(game: Played, shows: Shows) -> None:
    record = laid_open(game)
    if not any(isinstance(each, Accusation) and each.right for each in record.observations):
        cards = tuple(envelope(dict(game.deal), record).split(", "))
        record = record.append(Accusation(by=record.table.seats[0], cards=cards, right=True))
    play, hands = Game(record), {e.seat for e in record.observations if isinstance(e, Hand)}
    review = play.review(shows=shows)
    over = next(each.entry for each in review.accusations if each.right)
    asked = {each.entry: each for each in review.suggestions}
    rooms = {c.name for k in record.table.edition.category if k.name == "room" for c in k.cards}
    for seat in review.seats:
        certain: list[bool] = []
        for moment in seat.timeline:
            brute = BruteForce(Game(record.upto(moment.entry)), seat.seat, shows)
            prior: dict[tuple[str, ...], float] = {}
            for deal, likely in brute.deals:
                inside = tuple(card for card in record.table.cards if deal[card] == ENVELOPE)
                prior[inside] = prior.get(inside, 0.0) + likely / brute.total
            chances = {review_order(record, cards): chance for cards, chance in prior.items()}
            assert len(brute.deals) == moment.deals
            assert chances.get(review.solution, 0.0) == pytest.approx(moment.true_chance, abs=1e-9)
            assert entropy(prior) == pytest.approx(moment.bits, abs=1e-9)
            certain.append(len(prior) == 1)
            coming = asked.get(moment.entry + 1)
            if coming is not None and coming.seat == seat.seat and seat.seat in hands:
                _, gain, _, _ = brute.told(SimpleNamespace(cards=coming.cards, look=None))
                assert gain == pytest.approx(coming.gain, abs=1e-9)
                _, best, _, _ = brute.told(SimpleNamespace(cards=coming.best, look=None))
                assert best == pytest.approx(coming.best_gain, abs=1e-9)
                assert rooms.intersection(coming.best) <= rooms.intersection(coming.cards)
            for each in review.accusations:
                if each.seat == seat.seat in hands and each.entry == moment.entry + 1:
                    chance = chances.get(review_order(record, each.cards), 0.0)
                    assert chance == pytest.approx(each.chance, abs=1e-9)
                    expected = {"right", "late"} if each.right else {"unlucky"}
                    if chance < 0.5 - 1e-9:
                        expected = {"rash", "right" if each.right else "unlucky"}
                    if not chance:
                        expected = {"rash"}
                    assert each.verdict in expected
        last = min([over, *(e.entry for e in review.accusations if e.seat == seat.seat)])
        able = [
            entry
            for entry, accused, end in own_turns(record, seat.seat)
            if not accused and entry < last and certain[end]
        ]
        if seat.seat in hands and seat.seat != review.winner and record.table.edition.accuses:
            missed = {each.seat: each.entry for each in review.missed_wins}
            assert (seat.seat in missed) == bool(able)
            if able:
                assert able[0] == missed[seat.seat]


def review_order(record: Record, cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=record.table.edition.names.index))


def test_a_missed_win_names_the_end_of_the_turn() -> None:
    review = reviewed(PROOF, *ROUND[:1], f"Cat accuses {TRUE}: right")
    (missed,) = review.missed_wins
    assert ("Ann", 4) == (missed.seat, missed.entry)
    assert "Cat" == review.winner
    assert [{"seat": "Ann", "entry": 4}] == review.to_dict()["missed_wins"]
    assert 1 <= mistakes(review, "Ann")


def test_a_missed_win_without_a_hand_stands_with_the_players() -> None:
    lines = [PROOF, *ROUND[:1], f"Cat accuses {TRUE}: right"]
    review = Game(parse_record(without_hand(lines, "Ann"))).review()
    (missed,) = review.missed_wins
    proved = {row[0]: row[1] for row in review_players(review)[1]}
    assert {"Ann*": f"entry {missed.entry}", "Ben": "at the end", "Cat": "at the end"} == proved
    assert not any("first" in each.text for each in review.turning)


def test_who_was_only_told_has_not_proved_it() -> None:
    review = reviewed(PROOF, f"Ann accuses {TRUE}: right")
    told = {each["seat"]: (each["told"], each["proved"]) for each in review.to_dict()["seats"]}
    assert {"Ann": (False, 4), "Ben": (True, None), "Cat": (True, None)} == told


def test_a_wrong_accusation_at_even_odds_is_bad_luck() -> None:
    lines = (
        "Ann knows envelope has Green", "Ann knows envelope has Rope",
        "Ann knows envelope has Library or Conservatory",
    )  # fmt: skip
    review = reviewed(*lines, "Ann accuses Green, Rope, Conservatory: wrong", solution=TRUE)
    (found,) = review.accusations
    assert 0.5 <= found.chance < 1
    assert "unlucky" == found.verdict


def test_a_winner_whose_hand_nobody_wrote_down_is_not_called_rash() -> None:
    lines = [PROOF, *ROUND, f"Ann accuses {TRUE}: right"]
    game = Game(parse_record(without_hand(lines, "Ann")))
    (found,) = game.review().accusations
    assert found.verdict in ("right", "unknown")
    (whole,) = reviewed(*lines).accusations
    assert "right" == whole.verdict


def test_what_the_drawn_deals_cannot_agree_on_is_not_told() -> None:
    lines = ["Ben suggests Green, Rope, Hall: Cat shows Hall", f"Ben accuses {TRUE}: right"]
    (found,) = Game(parse_record(without_hand(lines, "Ben"))).review().accusations
    if found.verdict == "unknown":
        assert "cannot be told from these notes" == found.why
    assert 0.0 <= found.chance <= 1.0


def test_accuracy_without_a_hand_lies_in_a_range_and_luck_is_not_told() -> None:
    whole = load(EXAMPLES / "evening.clue")
    lines = [line for line in whole.lines if not line.startswith("Ben holds")]
    head = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nhands: 5, 5, 4, 4\n\n"
    game = Game(parse_record(head + "\n".join(lines) + "\n"))
    accuracy = whole.review().seat("Ben").accuracy
    assert accuracy is not None
    ranges = [game.review(sample=300, seed=seed).seat("Ben").accuracy_range for seed in range(8)]
    assert sum(each[0] <= accuracy <= each[1] for each in ranges if each is not None) >= 5
    notes = game.review(sample=300)
    ben = notes.seat("Ben")
    assert ben.luck is None
    assert ben.luck_range is None
    assert not ben.whole
    assert notes.to_dict()["seats"][1]["luck"] is None


def test_the_solution_comes_from_the_header() -> None:
    head = HANDS.replace("players: Ann, Ben, Cat\n", f"players: Ann, Ben, Cat\nsolution: {TRUE}\n")
    assert ("Green", "Rope", "Library") == reviewed(head=head).solution


@pytest.mark.parametrize("sample", [100])
def test_the_error_of_a_small_sample_covers_its_bias(sample: int) -> None:
    record = load(EXAMPLES / "classic.clue").record.upto(3)
    rough = Game(record).review(solution=TRUE, sample=sample)
    fine = Game(record).review(solution=TRUE, sample=8_000)
    pairs = [
        (one, other)
        for one, other in zip(rough.suggestions, fine.suggestions, strict=True)
        if one.seat == "Ann"
    ]
    assert pairs
    for one, other in pairs:
        assert abs(one.gain - other.gain) <= 2 * one.error


def test_the_best_keeps_to_what_the_dice_allowed() -> None:
    head = """\
edition: clue-classic
players: Ann, Ben
pieces: Plum, Scarlett

Ann holds Scarlett, Mustard, White, Candlestick, Knife, Kitchen, Ballroom, Lounge, Hall
"""
    review = reviewed(
        "Ben rolls 8", "Ben moves to Lounge", "Ben suggests Green, Rope, Lounge: Ann shows Lounge",
        "Ann rolls 8", "Ann suggests Green, Rope, Lounge: Ben passes", head=head, solution=TRUE,
    )  # fmt: skip
    (asked,) = [each for each in review.suggestions if each.seat == "Ann"]
    assert "Lounge" in asked.within


def test_labels_follow_the_bits_that_were_lost() -> None:
    for label, most in LABELS.items():
        assert label == label_of(most)
    assert "blunder" == label_of(1.5)
    assert label_of(0.1, error=0.6) is None
