"""Reviews held against listing all deals, missed wins, verdicts, what an error covers."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import Game, load
from clue_solver.answers.review import LABELS, AccusationReview, Moment, SuggestionReview, label_of
from clue_solver.record.contents import Record
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Accusation, Finger, Hand, Suggestion
from clue_solver.rules.table import ENVELOPE, SHOWS, Shows
from tests.answers.test_advice import BruteForce, entropy
from tests.answers.test_reviewer import TRUE, reviewed
from tests.strategies import Played, played
from tests.twin import all_deals, fits

policies = st.sampled_from(SHOWS)
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def completed(record: Record) -> Record:
    """The log with what all of it proves: hands, behind those in front, and cards shown."""
    table, log = record.table, record.observations
    deals = [
        deal
        for deal in all_deals(table)
        if all(fits(deal, log, table, viewer) for viewer in table.seats)
    ]
    held = [each.seat for each in log if isinstance(each, Hand)]
    hands = []
    for seat in table.seats:
        told = {tuple(card for card in table.cards if deal[card] == seat) for deal in deals}
        cards = told.pop()
        if not told and cards and seat not in held:
            hands.append(Hand(seat=seat, cards=cards))

    def shown(seat: str | None, asked: tuple[str, ...]) -> str | None:
        could = {card for card in asked for deal in deals if deal.get(card) == seat}
        return could.pop() if len(could) == 1 else None

    whole = Record(table=table)
    for each in (*log[: len(held)], *hands, *log[len(held) :]):
        if not isinstance(each, Suggestion | Finger):
            whole = whole.append(each)
            continue
        answers = (
            replace(told, card=shown(told.seat, each.cards)) if told.answer == "shows" else told
            for told in each.answers
        )
        whole = whole.append(replace(each, answers=tuple(answers)))
    return whole


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


def judged_right(found: SuggestionReview, brute: BruteForce, edition: Edition) -> None:
    """A suggestion is held against the best of its room."""
    rooms = {c.name for kind in edition.category if kind.name == "room" for c in kind.cards}
    within = rooms.intersection(found.cards)
    gains = {
        cards: brute.told(cards)[1]
        for kinds in combinations(edition.category, edition.named)
        for cards in product(*([card.name for card in kind.cards] for kind in kinds))
        if rooms.intersection(cards) <= within
    }
    assert found.gain == pytest.approx(gains[found.cards], abs=1e-9)
    assert found.best_gain == pytest.approx(max(gains.values()), abs=1e-8)
    assert found.best_gain == pytest.approx(gains[found.best], abs=1e-9)
    assert set(found.within) == within
    assert 0 <= found.accuracy <= 1
    assert found.error == 0


def rightly_accused(found: AccusationReview, chance: float, *, whole: bool, sure: bool) -> None:
    """An accusation is judged by the chance that it had; of who saw more only what is certain."""
    expected = {"right"} if found.right else {"unlucky"}
    if chance < 0.5 - 1e-9:
        expected = {"rash", "right" if found.right else "unlucky"}
    if not chance:
        expected = {"rash"}
    elif not whole:
        expected = {"unknown"} if not sure else {"right"} if found.right else {"unlucky"}
    assert found.verdict in expected
    if found.verdict != "unknown":
        assert found.chance == pytest.approx(chance, abs=1e-9)


@settings(max_examples=10)
@given(played(most=4) | played(most=4, whole=True), policies)
def test_a_review_is_what_listing_all_deals_says(game: Played, shows: Shows) -> None:
    """What each seat knew after every entry, what its suggestions told, and its accusations."""
    record = game.record
    if not any(isinstance(each, Accusation) and each.right for each in record.observations):
        cards = tuple(card for card in record.table.cards if game.deal[card] == ENVELOPE)
        record = record.append(Accusation(by=record.table.seats[0], cards=cards, right=True))
    edition = record.table.edition
    whole_record = completed(record)
    hands = [each.seat for each in whole_record.observations if isinstance(each, Hand)]
    told = sum(isinstance(each, Hand) for each in record.observations)
    review = Game(record).review(shows=shows)
    over = next(each.entry for each in review.accusations if each.right)
    asked = {each.entry: each for each in review.suggestions}
    for seat in review.seats:
        if not seat.timeline:
            assert seat.seat not in hands
            continue
        certain, chances = list[bool](), list[float]()
        before: Moment | None = None
        for moment in seat.timeline:
            upto = moment.entry + (len(hands) - told if moment.entry >= told else 0)
            brute = BruteForce(Game(whole_record.upto(upto)), seat.seat, shows)
            prior: dict[tuple[str, ...], float] = {}
            for deal, likely in brute.deals:
                inside = tuple(card for card in edition.names if deal.get(card) == ENVELOPE)
                prior[inside] = prior.get(inside, 0.0) + likely / brute.total
            certain.append(len(prior) == 1)
            chances.append(prior.get(review.solution, 0.0))
            assert moment.deals == len(brute.deals)
            assert moment.true_chance == pytest.approx(chances[-1], abs=1e-9)
            assert moment.bits == pytest.approx(entropy(prior), abs=1e-9)
            judged = asked.get(moment.entry)
            if judged is not None and judged.seat == seat.seat and judged.luck is not None:
                assert before is not None
                gained = before.bits - moment.bits
                assert judged.luck == pytest.approx(gained - judged.gain, abs=1e-9)
            coming = asked.get(moment.entry + 1)
            if coming is not None and coming.seat == seat.seat and seat.seat in hands:
                judged_right(coming, brute, edition)
            for each in review.accusations:
                if each.seat == seat.seat in hands and each.entry == moment.entry + 1:
                    chance = prior.get(each.cards, 0.0)
                    rightly_accused(each, chance, whole=seat.whole, sure=certain[-1])
            before = moment
        assert seat.proved == next((n for n, sure in enumerate(certain[:over]) if sure), None)
        last = min([over, *(e.entry for e in review.accusations if e.seat == seat.seat)])
        able = [
            entry
            for entry, accused, end in own_turns(record, seat.seat)
            if not accused and entry < last and certain[end]
        ]
        if seat.seat in hands and seat.seat != review.winner:
            missed = [each.entry for each in review.of("missed win", seat=seat.seat)]
            assert missed == able[:1]


def test_the_error_of_a_small_sample_covers_its_bias() -> None:
    record = load(EXAMPLES / "classic.clue").record.upto(3)
    record = replace(record, table=replace(record.table, solution=tuple(TRUE.split(", "))))
    rough, fine = (Game(record).review(sample=sample) for sample in (100, 8_000))
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
        "Ben rolls 8",
        "Ben moves to Lounge",
        "Ben suggests Green, Rope, Lounge: Ann shows Lounge",
        "Ann rolls 8",
        "Ann suggests Green, Rope, Lounge: Ben passes",
        head=head,
        solution=TRUE,
    )
    (asked,) = [each for each in review.suggestions if each.seat == "Ann"]
    assert "Lounge" in asked.within


def test_labels_follow_the_bits_that_were_lost() -> None:
    for (label, most), worse in zip(LABELS.items(), (*[*LABELS][1:], "blunder"), strict=True):
        assert (label_of(most), label_of(most + 0.01)) == (label, worse)
    assert (label_of(0.1, error=0.09), label_of(0.1, error=0.15)) == ("good", None)
