"""The review of a finished game: timelines, suggestions, accusations, what was not used."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import ArgumentError, Contradiction, Game, NotationError, load, parse_record
from clue_solver.answers import reviewer
from clue_solver.answers.display import share
from clue_solver.answers.review import MissedWin, Review, mistakes
from clue_solver.answers.verdicts import MOST_TURNING_POINTS
from clue_solver.arena.tournament import Tournament
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
from tests.strategies import Played, played

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


@settings(max_examples=20)
@given(played(most=5))
def test_a_seats_figures_are_those_of_its_suggestions(game: Played) -> None:
    review = Game(game.record).review(solution=envelope(dict(game.deal), game.record))
    for seat in review.seats:
        own = [each for each in review.suggestions if each.seat == seat.seat]
        assert (seat.accuracy is None) == (not own)
        if own:
            assert sum(each.accuracy for each in own) / len(own) == pytest.approx(seat.accuracy)
        known = [each.luck for each in own if each.luck is not None]
        assert (sum(known) if known else None) == pytest.approx(seat.luck)
    assert len(review.turning) <= MOST_TURNING_POINTS
    assert sorted(each.entry for each in review.turning) == [each.entry for each in review.turning]


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


def test_advice_tells_how_far_it_is_while_games_are_played_on() -> None:
    game = load(EXAMPLES / "evening.clue")
    told: list[tuple[float, float]] = []
    with telling(lambda done, expected: told.append((done, expected))):
        game.advice(upto=3)
    steps = [done for done, _ in told]
    (whole,) = {expected for _, expected in told}
    assert steps == sorted(steps)
    assert steps[-1] == pytest.approx(whole)
    assert len([done for done in steps if 0.5 * whole <= done < whole]) >= 4


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


def test_an_accusation_a_round_after_the_proof_could_have_been_made_in_the_turn_before() -> None:
    review = reviewed(PROOF, *ROUND, f"Ann accuses {TRUE}: right")
    (found,) = review.accusations
    assert found.verdict == "right"
    assert "could have accused a turn earlier" in found.why
    assert review.unused == ()


def test_an_accusation_after_another_own_turn_is_late_and_the_proof_was_not_used() -> None:
    asked = "Ann suggests Plum, Wrench, Kitchen: Ben shows Plum"
    review = reviewed(PROOF, *ROUND, asked, *ROUND, f"Ann accuses {TRUE}: right")
    (found,) = review.accusations
    assert (found.verdict, found.proved) == ("late", 4)
    assert "before their turn in entry 7" in found.why
    (wasted,) = [each for each in review.unused if each.seat == "Ann"]
    assert (wasted.entry, wasted.seat, wasted.since) == (7, "Ann", 4)
    assert TRUE in wasted.what


def test_asking_and_accusing_in_one_turn_is_not_late() -> None:
    asked = "Ann suggests Plum, Wrench, Kitchen: Ben shows Plum"
    review = reviewed(PROOF, *ROUND, asked, f"Ann accuses {TRUE}: right")
    assert [each.verdict for each in review.accusations] == ["right"]
    assert review.unused == ()


def test_what_all_could_prove_at_once_nobody_could_before_the_others() -> None:
    shown = [f"nobody reveals {card}" for card in TRUE.split(", ")]
    told = reviewed(*shown, f"Ann accuses {TRUE}: right").turning
    assert any("Everybody could prove the solution at once." in each.text for each in told)
    told = reviewed(PROOF, *ROUND, f"Ann accuses {TRUE}: right").turning
    assert "Ann could prove the solution first." in " ".join(each.text for each in told)


def test_an_accusation_that_won_is_no_mistake_however_unlikely_it_was() -> None:
    review = reviewed(PROOF, *ROUND, f"Cat accuses {TRUE}: right")
    (found,) = review.accusations
    assert (found.verdict, found.right, found.proved) == ("right", True, None)
    assert found.why.startswith(f"right, only {share(found.chance)} sure")
    assert mistakes(review, "Cat") == 0
    assert "Ann could prove it in entry 4 and did not accuse; Cat took the risk." in review.story
    review = reviewed(f"Cat accuses {TRUE}: right")
    assert review.accusations[0].chance == pytest.approx(1 / (6 * 5 * 4))
    assert review.story.startswith("Cat won in entry 4, only 1 % sure; the envelope held Green, ")


def test_an_accusation_beside_the_likeliest_is_held_against_waiting_as_any_other() -> None:
    known = [f"nobody reveals {card}" for card in ("Green", "Library")]
    known += [f"Ann reveals {card}" for card in ("Candlestick", "Knife")]
    known += [f"Ben reveals {card}" for card in ("Lead Pipe", "Revolver")]
    asked = "Ann suggests Scarlett, Wrench, Hall: Ben passes, Cat shows Hall"
    accused = f"Ann accuses {TRUE}: wrong"
    true = "Green, Wrench, Library"
    head = HANDS.replace("Wrench", "Rope")
    known += ["Cat reveals Study"]  # whoever has the Wrench accuses next
    (found,) = reviewed(*known, asked, accused, head=head, solution=true).accusations
    assert found.verdict == "unlucky"
    assert found.why.endswith("Green, Wrench, Library was likelier, at 80 %")
    (found,) = reviewed(asked, accused, head=head, solution=true).accusations
    assert found.verdict == "rash"
    assert "not clearly better than waiting; " in found.why


@pytest.mark.parametrize(("seat", "card", "entry"), [("Ann", "White", 1), ("Ben", "Plum", 2)])
def test_accusing_a_card_of_ones_own_is_called_out(seat: str, card: str, entry: int) -> None:
    review = reviewed(f"{seat} accuses {card}, Rope, Library: wrong", solution=TRUE)
    (found,) = review.accusations
    assert (found.verdict, found.chance) == ("rash", 0.0)
    assert f"excluded it since entry {entry}" in found.why
    (wasted,) = review.unused
    assert (wasted.seat, wasted.since) == (seat, entry)
    assert f"{card} above all" in wasted.what
    assert any(f"{seat} made a wrong accusation" in each.text for each in review.turning)


def test_a_wrong_accusation_that_could_have_been_right_is_not_called_a_waste() -> None:
    review = reviewed("Ben accuses Green, Rope, Study: wrong", solution=TRUE)
    (found,) = review.accusations
    assert (found.verdict, found.chance > 0) == ("rash", True)
    assert review.unused == ()


def test_asking_for_ones_own_cards_alone_tells_nothing() -> None:
    own = "Ann suggests Scarlett, Candlestick, Kitchen: nobody shows"
    review = reviewed(own, solution=TRUE)
    (judged,) = review.suggestions
    assert (judged.gain, judged.accuracy, judged.within) == (0.0, 0.0, ("Kitchen",))
    assert "Kitchen" in judged.best
    (wasted,) = review.unused
    assert (wasted.entry, wasted.since) == (4, 1)
    assert "although every answer was certain" in wasted.what


def test_that_another_question_tells_more_is_not_said_where_notes_are_missing() -> None:
    own = "Ann suggests Scarlett, Candlestick, Kitchen: nobody shows"
    unheard = "Cat suggests Plum, Rope, Hall: ?"
    assert reviewed(own, unheard, solution=TRUE).unused == ()


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


def test_a_hand_laid_open_after_the_game_came_too_late_for_the_timeline() -> None:
    head, _, hands = HANDS.partition("\n\n")
    review = reviewed(PROOF, hands, head=f"{head}\n\n", solution=TRUE)
    assert not any(each.whole for each in review.seats)


def test_a_game_with_one_hand_tells_what_it_holds() -> None:
    review = load(EXAMPLES / "classic.clue").review()
    assert [each.whole for each in review.seats] == [True, False, False, False]
    assert review.solution == ("Green", "Rope", "Library")
    ann, ben = review.seat("Ann"), review.seat("Ben")
    assert ann.proved == 14
    assert ben.proved == 18  # when it was told
    luck = {each.entry: each.luck for each in review.suggestions}
    assert 3 not in luck  # Ben's hand is not written down
    assert luck[2] is not None


def test_the_story_tells_the_game_in_five_sentences() -> None:
    review = load(EXAMPLES / "evening.clue").review()
    assert re.split(r"(?<=\.) ", review.story) == [
        "Ann won in entry 22, certain since entry 21; the envelope held Green, Wrench and Kitchen.",
        "Dan accused wrongly in entry 17, only 29 % sure.",
        "Ben stood at 44 % after entry 19 and waited; Ann went from 20 % to 100 % with their own "
        "question in entry 21.",
        "Ann asked best; Ben had luck: the answers left one solution for every 4 that such "
        "questions usually leave.",
        "Ben could have asked for Wrench in entry 10 and Cat for Wrench in entry 20; Dan could "
        "have waited in entry 17; Ann could hardly have done better.",
    ]
    assert {14, 17, 21} <= {each.entry for each in review.turning}


def test_the_story_says_no_more_than_the_values_hold() -> None:
    review = load(EXAMPLES / "evening.clue").review(sample=100)
    asked_best = "asked best" in review.story
    ann, *others = (seat.accuracy_range or (0, 1) for seat in review.seats)
    assert asked_best == (sum(high >= ann[0] for _, high in others) < 2)
    accused = tuple(
        replace(each, proved=None, chance=0.22) if each.right else each
        for each in review.accusations
    )
    story = replace(review, accusations=accused).story
    assert story.startswith("Ann won in entry 22, only 22 % sure; ")
    assert "Ben stood at 44 % after entry 19 and waited; Ann took the risk." in story
    accused = tuple(replace(each, verdict="unknown") for each in review.accusations)
    story = replace(review, accusations=accused).story
    assert story.startswith("Ann won in entry 22, how sure of it these notes cannot tell; ")
    assert "with their own question" not in story
    story = replace(review, accusations=(), winner=None).story
    assert story.startswith("The record ends without a winner; the envelope held Green, ")
    assert "waited" not in story
    unlabelled = tuple(replace(each, label=None) for each in review.suggestions)
    story = replace(review, suggestions=unlabelled).story
    assert "of Ann, Ben and Cat these notes do not tell enough" in story
    assert "hardly" not in story
    parts = tuple(replace(seat, whole=False) for seat in review.seats)
    story = replace(review, seats=parts).story
    assert "stood" not in story
    assert "could have asked" not in story


def test_the_story_tells_of_everybody_who_let_a_win_pass() -> None:
    review = load(EXAMPLES / "evening.clue").review(sample=100)
    missed = tuple(MissedWin(seat=seat, entry=entry) for seat, entry in (("Ben", 10), ("Cat", 20)))
    story = replace(review, missed_wins=missed).story
    assert "Ben could prove it in entry 10 and did not accuse, nor did Cat later; Ann went" in story
    assert "Ben and Cat could have accused at once" in story


def test_what_won_the_game_is_not_called_the_worst_question() -> None:
    review = load(EXAMPLES / "evening.clue").review(sample=100)
    asked = tuple(
        replace(each, label="blunder" if each.entry == 21 else "best", best=("Plum",))
        for each in review.suggestions
    )
    assert "Ann, Ben and Cat could hardly have" in replace(review, suggestions=asked).story
    proved = replace(review, seats=tuple(replace(seat, proved=22) for seat in review.seats))
    assert "Ann could have asked for Plum in entry 21" in replace(proved, suggestions=asked).story


def test_key_moments_come_nearer_to_the_solution_and_dealing_is_none() -> None:
    games = Tournament(edition="clue-classic", players=("likeliest",) * 3, board=False, seed=3)
    for game in (1, 2, 3):
        record = games.play(game, keep=True).record
        assert record is not None
        told = " ".join(point.text for point in Game(record).review().turning)
        moves = re.findall(r"from (\S+) % to (\S+) %", told)
        assert moves
        for before, after in moves:
            assert before != after
            assert float(before.strip("<>")) <= float(after.strip("<>"))


def test_who_could_name_it_as_surely_missed_the_win() -> None:
    log = """\
edition: clue-classic
players: Ann, Ben
board: none
solution: Plum, Rope, Hall

Ann holds Scarlett, White, Mustard, Knife, Wrench, Kitchen, Study, Lounge, Library
Ben holds Green, Peacock, Revolver, Lead Pipe, Candlestick, Ballroom, Conservatory, {}
Ben suggests Plum, Rope, Hall: nobody shows
Ann suggests Plum, Rope, Hall: nobody shows
Ann accuses Plum, Rope, Hall: right
"""
    review = Game(parse_record(log.format("Billiard Room, Dining Room"))).review()
    assert [(each.seat, each.entry) for each in review.missed_wins] == [("Ben", 3)]
    assert "Ben could prove it in entry 3 and did not accuse" in review.story


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


def test_a_seat_that_is_out_is_judged_no_more() -> None:
    wrong = "Ann accuses Green, Rope, Study: wrong"
    review = reviewed(wrong, PROOF, solution=TRUE)
    assert review.suggestions == ()
    assert review.unused == ()
    assert review.seat("Ann").accuracy is None


def test_a_solution_may_be_given_card_by_card() -> None:
    game = Game(parse_record(HANDS + PROOF + "\n"))
    assert game.review(solution=TRUE).to_json() == game.review(solution=TRUE.split(", ")).to_json()


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
    assert not [each for each in review.unused if each.seat == "Ann" and "accuse" in each.what]


def of_example(name: str) -> tuple[Review, int]:
    """Return the review of an example, and what it cost."""
    before = spent()
    return load(EXAMPLES / name).review(sample=100), spent() - before


def test_a_review_is_bounded_and_says_what_it_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, cost = of_example("two_players.clue")
    assert whole.left_out == ()
    monkeypatch.setattr(reviewer, "MOST_WORK", cost * 7 // 10)
    less, lower = of_example("two_players.clue")
    assert lower < cost
    assert len(less.suggestions) < len(whole.suggestions)
    missing = {each.entry for each in whole.suggestions} - {each.entry for each in less.suggestions}
    told = " ".join(less.left_out)
    assert all(str(entry) in told for entry in missing)
    assert "Left out" in str(less)
    assert json.loads(less.to_json())["left_out"] == [*less.left_out]
    monkeypatch.setattr(reviewer, "MOST_WORK", cost // 2)
    less, _ = of_example("two_players.clue")
    (told,) = (each for each in less.left_out if each.startswith("What Lee knew after entries"))
    timeline = less.seat("Lee").timeline
    for entry in map(int, re.findall(r"\d+", told)):
        assert timeline[entry - 1].bits == timeline[entry].bits  # what was known before stands
    monkeypatch.setattr(reviewer, "MOST_WORK", 0)
    with pytest.raises(TooLarge, match="too much is open to review this game"):
        of_example("two_players.clue")


def test_an_accusation_that_takes_too_much_to_judge_is_said_to_be_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reviewer, "_VERDICTS", 0.0)
    less, _ = of_example("evening.clue")
    assert {(each.verdict, each.chance) for each in less.accusations} == {("unknown", 0.0)}
    assert {each.why for each in less.accusations} == {"cannot be told from these notes"}
    first, second = (each.entry for each in less.accusations)
    assert less.left_out == (
        f"Nothing more is said of entries {first} and {second}: "
        "it would take too much to work out.",
    )
