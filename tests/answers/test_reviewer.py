"""The review of a finished game: timelines, suggestions, accusations, what was not used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import ArgumentError, Contradiction, Game, NotationError, load, parse_record
from clue_solver.answers import reviewer
from clue_solver.answers.review import Review
from clue_solver.errors import Impossible, TooLarge
from clue_solver.inference.spending import spent, telling
from clue_solver.record import Record
from clue_solver.rules.observations import (
    Hand,
    Look,
    Observation,
    Question,
    Reveal,
    Suggestion,
)
from clue_solver.rules.table import ENVELOPE, SHOWS
from tests.strategies import Played

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
policies = st.sampled_from(SHOWS)

HANDS = """\
edition: clue-classic
players: Ann, Ben, Cat

Ann holds Scarlett, Mustard, White, Candlestick, Knife, Kitchen
Ben holds Plum, Peacock, Lead Pipe, Revolver, Ballroom, Conservatory
Cat holds Wrench, Dining Room, Billiard Room, Lounge, Hall, Study
"""
PROOF = "Ann suggests Green, Rope, Library: nobody shows"
ROUND = (
    "Ben suggests Plum, Wrench, Hall: Cat shows Wrench",
    "Cat suggests Plum, Rope, Hall: Ann passes, Ben shows Plum",
)
TRUE = "Green, Rope, Library"


def reviewed(*lines: str, solution: str | None = None, head: str = HANDS) -> Review:
    return Game(parse_record(head + "\n".join(lines) + "\n")).review(solution=solution)


def envelope(deal: dict[str, str], record: Record) -> str:
    return ", ".join(card for card in record.table.cards if deal[card] == ENVELOPE)


def laid_open(game: Played) -> Record:
    """The same game with all hands in front and every card that was shown."""
    table, deal = game.record.table, game.deal
    held = {seat: [card for card in table.cards if deal[card] == seat] for seat in table.holders}

    def first(holder: str, asked: Sequence[str]) -> str:
        marked = table.edition.features
        named = [card for thing in asked for card in marked.get(thing, (thing,))]
        return next(card for card in named if card in held[holder])

    def told(observation: Observation) -> Observation:
        match observation:
            case Suggestion(cards=cards, answers=answers):
                return replace(
                    observation,
                    answers=tuple(
                        replace(each, card=first(str(each.seat), cards))
                        if each.answer == "shows" and not each.card
                        else each
                        for each in answers
                    ),
                )
            case Question(seat=seat, about=about, answer="shows", card=None):
                return replace(observation, card=first(seat, about))
            case Look(holder=holder, card=None):
                return replace(observation, card=held[holder][0])
            case Reveal(seat=seat, card=None):
                return replace(observation, card=held[seat][0])
            case _:
                return observation

    record = Record(table=table)
    for seat in table.seats:
        if held[seat]:
            record = record.append(Hand(seat=seat, cards=tuple(held[seat])))
    for observation in game.record.observations:
        if not isinstance(observation, Hand):
            record = record.append(told(observation))
    return record


def test_a_review_tells_how_far_it_is() -> None:
    game = load(EXAMPLES / "evening.clue")
    told: list[tuple[float, float]] = []
    with telling(lambda done, expected: told.append((done, expected))):
        game.review()
    (whole,) = {expected for _, expected in told}  # known from the beginning on
    steps = [done for done, _ in told]
    assert steps == sorted(steps)
    assert 0.8 * whole < steps[-1] <= whole
    told.clear()
    game.review()
    assert told == []


def test_the_same_seed_gives_the_same_review() -> None:
    record = load(EXAMPLES / "classic.clue").record.upto(4)
    once, again, other = (
        Game(record).review(solution=TRUE, sample=200, seed=seed).to_json() for seed in (3, 3, 4)
    )
    assert once == again
    assert once != other


def test_an_accusation_in_the_turn_of_the_proof_is_right() -> None:
    (found,) = reviewed(PROOF, f"Ann accuses {TRUE}: right").accusations
    assert (found.verdict, found.proved, found.chance) == ("right", 4, 1.0)
    assert found.why == "right, certain since entry 4"


def kinds(review: Review, seat: str) -> list[tuple[int, str]]:
    """What mattered of a seat, but for how near it came."""
    near = ("swing", "lead", "lucky", "unlucky")
    own = (each for each in review.highlights if each.seat == seat and each.kind not in near)
    return [(each.entry, each.kind) for each in own]


ASKED = "Ann suggests Plum, Wrench, Kitchen: Ben shows Plum"
LATER = {
    "in the turn of the proof": ((f"Ann accuses {TRUE}: right",), "right", []),
    "a turn later": ((*ROUND, f"Ann accuses {TRUE}: right"), "late", [(4, "unused proof")]),
    "two turns later": (
        (*ROUND, ASKED, *ROUND, f"Ann accuses {TRUE}: right"),
        "late",
        [(4, "unused proof")],
    ),
    "never": ((*ROUND, f"Cat accuses {TRUE}: right"), "right", [(4, "missed win")]),
    "never, and nobody won": (ROUND, None, []),
}


@pytest.mark.parametrize(("lines", "verdict", "unused"), LATER.values(), ids=LATER.keys())
def test_a_proof_is_used_in_the_turn_that_brings_it_or_it_is_not(
    lines: tuple[str, ...], verdict: str | None, unused: list[tuple[int, str]]
) -> None:
    review = reviewed(PROOF, *lines)
    assert [each.verdict for each in review.accusations] == [verdict] * bool(verdict)
    assert kinds(review, "Ann") == [(4, "proof"), *unused]


def test_an_accusation_that_won_is_no_mistake_however_unlikely_it_was() -> None:
    review = reviewed(f"Cat accuses {TRUE}: right")
    (found,) = review.accusations
    assert found.chance == pytest.approx(1 / (6 * 5 * 4))
    assert (found.why, review.mistakes("Cat")) == ("right, 1 % sure", ())


def test_a_doubtful_accusation_is_held_against_waiting() -> None:
    known = [f"nobody reveals {card}" for card in ("Green", "Library")]
    known += [f"Ann reveals {card}" for card in ("Candlestick", "Knife")]
    known += [f"Ben reveals {card}" for card in ("Lead Pipe", "Revolver")]
    asked = "Ann suggests Scarlett, Wrench, Hall: Ben passes, Cat shows Hall"
    accused = f"Ann accuses {TRUE}: wrong"
    true = "Green, Wrench, Library"
    head = HANDS.replace("Wrench", "Rope")
    known += ["Cat reveals Study"]  # whoever has the Wrench accuses next
    told = [reviewed(*before, asked, accused, head=head, solution=true) for before in (known, ())]
    assert [review.accusations[0].verdict for review in told] == ["unlucky", "rash"]
    assert [kinds(review, "Ann")[-1][1] for review in told] == ["out", "rash"]


@pytest.mark.parametrize(("seat", "card"), [("Ann", "White"), ("Ben", "Plum")])
def test_accusing_a_card_of_ones_own_is_rash(seat: str, card: str) -> None:
    review = reviewed(f"{seat} accuses {card}, Rope, Library: wrong", solution=TRUE)
    (found,) = review.accusations
    assert (found.verdict, found.chance) == ("rash", 0.0)
    assert found.why == "wrong, though their own notes ruled it out"
    assert kinds(review, seat) == [(4, "rash")]


def test_asking_for_ones_own_cards_alone_is_a_waste_and_told_where_all_is_known() -> None:
    own = "Ann suggests Scarlett, Candlestick, Kitchen: nobody shows"
    review = reviewed(own, solution=TRUE)
    (judged,) = review.suggestions
    assert (judged.gain, judged.accuracy, judged.within) == (0.0, 0.0, ("Kitchen",))
    assert "Kitchen" in judged.best
    assert kinds(review, "Ann") == [(4, "wasted question")]
    unheard = "Cat suggests Plum, Rope, Hall: ?"
    assert kinds(reviewed(own, unheard, solution=TRUE), "Ann") == []


def test_a_seat_that_is_out_is_judged_no_more() -> None:
    wrong = "Ann accuses Green, Rope, Study: wrong"
    review = reviewed(wrong, PROOF, solution=TRUE)
    assert review.suggestions == ()
    assert review.seat("Ann").accuracy is None


def test_the_pointed_finger_is_no_second_turn() -> None:
    head = """\
edition: clue-diced
players: Ann, Ben, Cat

Ann holds Brains Scarlett, Brains Mustard, Brawn Scarlett, Brawn Mustard
Ben holds Brains Orchid, Brains Green, Brawn Orchid
Cat holds Brains Peacock, Brawn Peacock, Brawn Plum
"""
    lines = (
        "Ann suggests Brains Plum, Brawn Orchid: Ben shows Brawn Orchid",
        "Ann points at Brains Plum, Brawn Plum: Ben passes, Cat shows Brawn Plum",
        "Ben suggests Brains Plum, Brawn Peacock: Cat shows Brawn Peacock",
        "Ben looks at Cat: Brains Peacock",
        "Cat skips",
        "Ann suggests Brains Plum, Brawn Green: nobody shows",
        "Ann peeks: Green",
        "Ann accuses Brains Plum, Brawn Green: right",
    )
    review = reviewed(*lines, head=head)
    assert [each.seat for each in review.suggestions] == ["Ann", "Ben", "Ann"]
    assert "unused proof" not in [kind for _, kind in kinds(review, "Ann")]


def test_a_hand_told_after_the_game_counts_for_all_of_it() -> None:
    head, _, hands = HANDS.partition("\n\n")
    lines = (PROOF, *ROUND, f"Ann accuses {TRUE}: right")
    late = reviewed(*lines, hands, head=f"{head}\n\n")
    early = reviewed(*lines)
    for seat in ("Ann", "Ben", "Cat"):
        told, known = late.seat(seat), early.seat(seat)
        pairs = zip(told.timeline[:4], known.timeline[3:], strict=False)
        assert all(one.deals == other.deals for one, other in pairs)
        assert told.whole
    assert [each.kind for each in late.highlights] == [each.kind for each in early.highlights]


def test_a_game_with_one_hand_tells_what_it_holds() -> None:
    review = load(EXAMPLES / "classic.clue").review()
    assert [bool(each.timeline) for each in review.seats] == [True, False, False, False]
    assert review.solution == ("Green", "Rope", "Library")
    assert review.seat("Ann").proved == 14
    assert {each.seat for each in review.suggestions} == {"Ann"}
    assert review.unjudged.startswith("These notes do not say what Ben, Cat and Dan held")


def test_the_story_tells_the_game_in_a_few_sentences() -> None:
    review = load(EXAMPLES / "evening.clue").review()
    assert re.split(r"(?<=\.) ", review.story) == [
        "Ann won with Green, Wrench and Kitchen in entry 22, certain since entry 21.",
        "Dan accused wrongly in entry 17, 29 % sure.",
        "Ann's question in entry 21 raised the chance of naming the solution from 20 % to 100 %.",
        "The luckiest answer was Ben's, in entry 14.",
        "Cat could have asked for Wrench instead in entry 20.",
        "Dan could have waited in entry 17.",
        "Ann and Ben made no mistake worth mentioning.",
    ]
    assert {14, 17, 21} <= {each.entry for each in review.turning}


def test_a_review_is_bounded_and_says_what_it_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, cost = of_example("two_players.clue")
    assert whole.open_before == 0
    monkeypatch.setattr(reviewer, "MOST_WORK", cost // 2)
    less, lower = of_example("two_players.clue")
    assert lower < cost
    assert less.open_before
    assert f"efore entry {less.open_before} too much was open" in less.unjudged
    assert less.unjudged in " ".join(str(less).split())
    missing = {each.entry for each in whole.suggestions} - {each.entry for each in less.suggestions}
    assert missing
    assert max(missing) <= less.open_before
    for seat in less.seats:
        if not seat.timeline:
            continue
        begun = whole.seat(seat.seat).timeline[-len(seat.timeline) :]
        assert [each.bits for each in begun] == [each.bits for each in seat.timeline]
    monkeypatch.setattr(reviewer, "MOST_WORK", 0)
    with pytest.raises(TooLarge, match="too much is open to review this game"):
        of_example("two_players.clue")


WHOLE = {
    "all hands, all cards": ((), "Ann Ben Cat"),
    "a shown card is missing": (("Ann suggests Plum, Rope, Hall: Ben shows",), "Ben Cat"),
    "an answer of one seat unheard": (("Ben suggests Mustard, Rope, Hall: Cat ?, Ann shows",), ""),
    "an answer nobody heard": (("Ann suggests Plum, Rope, Hall: ?",), ""),
    "a question answered unseen": (("Ann asks Ben about Plum: shows",), "Ben Cat"),
    "a look unseen": (("Ann looks at Ben",), "Ben Cat"),
    "a card shown in secret": (("Cat reveals to Ben",), "Ann Cat"),
}


@pytest.mark.parametrize(("lines", "whole"), WHOLE.values(), ids=WHOLE.keys())
def test_whole_notes_hold_all_that_the_seat_saw(lines: tuple[str, ...], whole: str) -> None:
    review = reviewed(*lines, solution=TRUE)
    assert whole.split() == [each.seat for each in review.seats if each.whole]


def test_nothing_tells_the_solution() -> None:
    with pytest.raises(ArgumentError, match=r"no right accusation.*give it as 'Scarlett, "):
        reviewed(PROOF, head=HANDS.partition("Ann holds")[0])


def test_a_solution_that_the_log_proves_is_the_solution() -> None:
    assert reviewed(PROOF).solution == ("Green", "Rope", "Library")


def test_a_solution_is_typed_as_forgivingly_as_in_a_record() -> None:
    assert reviewed(solution="lib rope gre").solution == ("Green", "Rope", "Library")


def test_cards_stand_in_category_order_however_they_were_written() -> None:
    asked = "Ann suggests Library, Rope, Green: nobody shows"
    review = reviewed(asked, "Ann accuses Rope, Library, Green: right")
    assert review.solution == ("Green", "Rope", "Library")
    (judged,) = review.suggestions
    assert judged.cards == ("Green", "Rope", "Library")
    assert review.seat("Ann").proved == 4


@pytest.mark.parametrize(
    "text", ["Green, Rope", "Green, Rope, Plum", "Green, Rope, Libary x", "", f"{TRUE}: wrong"]
)
def test_what_is_no_solution_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        reviewed(solution=text)


def test_a_solution_that_the_log_excludes_names_the_entries() -> None:
    with pytest.raises(Impossible, match=r"solution is Plum, Rope, Library.*entry 2") as caught:
        reviewed(PROOF, solution="Plum, Rope, Library")
    assert caught.value.entries == (2,)
    with pytest.raises(Impossible) as caught:
        reviewed(f"Ann accuses {TRUE}: right", solution="Green, Rope, Study")
    assert caught.value.entries == (3,)


def test_notes_that_clash_only_when_laid_together_are_a_contradiction() -> None:
    with pytest.raises(Contradiction) as caught:
        reviewed("Ann looks at Cat: Plum", solution=TRUE)
    assert caught.value.entries == (2, 4)


def test_nothing_can_be_supposed_in_a_review() -> None:
    game = load(EXAMPLES / "classic.clue").suppose("Cat has Rope")
    with pytest.raises(ArgumentError, match="leave out what you suppose"):
        game.review()


def test_a_sample_is_not_too_small() -> None:
    with pytest.raises(ArgumentError, match="at least 100"):
        load(EXAMPLES / "classic.clue").review(sample=1)


def test_a_solution_may_be_given_card_by_card() -> None:
    game = Game(parse_record(HANDS + PROOF + "\n"))
    assert game.review(solution=TRUE).to_json() == game.review(solution=TRUE.split(", ")).to_json()


def of_example(name: str) -> tuple[Review, int]:
    """Return the review of an example, and what it cost."""
    before = spent()
    return load(EXAMPLES / name).review(sample=100), spent() - before
