"""What a viewer may do in its own turn, and what advice makes of it, beside the referee."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import islice
from math import log2
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from clue_solver import Game, Table, load, load_edition, parse_record
from clue_solver.answers.advice import AccuseOrWait
from clue_solver.answers.decision import decide
from clue_solver.answers.own_turn import OwnTurn
from clue_solver.notation import parse_line
from clue_solver.views.reasons import heading_text

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from late_turns import advised, faults, late_positions

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SMALL = [
    ("clue-2015", 2),
    ("clue-classic", 2),
    ("clue-custom", 3),
    ("clue-diced", 3),
    ("clue-diced-master", 3),
    ("cluedo-watson", 3),
]


def test_advice_in_late_turns_is_within_the_rules_and_never_rash() -> None:
    phases = Counter[str]()
    for position in islice(late_positions(Random(16), SMALL, most=4), 20):
        assert [*faults(position, advised(position.record))] == [], position
        phases[position.phase] += 1
    assert len(phases) >= 4


@pytest.mark.parametrize(
    ("now", "first", "risk", "expected"),
    [
        (0.01, None, 0.5, "wait"),  # nothing can be asked
        (0.5, 1.0, 0.9, "wait"),  # asking first, then accusing in the same turn
        (0.5, 0.505, 0.6, "accuse"),
        (0.5, 0.51, 0.6, "wait"),
        (0.5, 0.5, 0.4, "wait"),
        (0.9, None, 0.0, "wait"),
        (0.9, None, 0.1, "accuse"),
    ],
)
def test_asking_comes_first_and_accusing_where_waiting_cannot_win_more(
    now: float, first: float | None, risk: float, expected: str
) -> None:
    choice = AccuseOrWait(now=now, certain=False, first=first, risk=risk)
    assert choice.decide(("Plum",)).advice == expected
    barred = choice._replace(barred=True)
    assert barred.decide(("Plum",)).advice == "wait"
    sure = choice._replace(now=1.0, certain=True)
    assert (sure.decide(("Plum",)).advice, sure.decide(("Plum",)).probability) == ("accuse", 1.0)
    assert sure._replace(barred=True).decide(("Plum",)).advice == "wait"


def told(header: str, *lines: str) -> Game:
    return Game(parse_record(f"{header}\n\n" + "".join(f"{line}\n" for line in lines)))


CERTAIN = (
    "Ann knows envelope has Plum",
    "Ann knows envelope has Rope",
    "Ann knows envelope has Hall",
)


def test_one_accuses_only_where_the_edition_allows() -> None:
    orchid = told("edition: clue-2015\nplayers: Ann, Ben, Cat\nviewer: Ann", *CERTAIN)
    outside = orchid.advice(at="Plum", roll=2)
    assert (outside.accuse.advice, outside.accuse.probability) == ("wait", 1.0)
    assert "only in a room" in outside.accuse.why
    assert orchid.advice(at="Study", roll=2).accuse.advice == "accuse"
    assert orchid.advice(at="Plum", roll=12).accuse.advice == "accuse"
    header = "edition: clue-2015\nplayers: Ann, Ben, Cat\nviewer: Ann\npieces: Plum, Green, Orchid"
    rolled = told(f"{header}\nfirst: Ann", *CERTAIN, "Ann rolls 2")
    assert not rolled.decision().accuse
    assert "only in a room" in rolled.decision().text
    classic = told("edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann", *CERTAIN)
    assert classic.advice(at="Plum", roll=2).accuse.advice == "accuse"


def test_the_bonus_die_comes_before_accusing() -> None:
    sure = ("Ann knows envelope has Brains Plum", "Ann knows envelope has Brawn Green")
    header = "edition: clue-diced\nplayers: Ann, Ben, Cat\nviewer: Ann"
    before = told(header, *sure).advice()
    assert before.accuse.advice == "accuse"
    assert "Accuse after your suggestion and the bonus die: " in decide(before).text
    assert "after" not in before.accuse.to_dict()
    asked = "Ann suggests Brains Plum, Brawn Plum: nobody shows"
    assert "Accuse after the bonus die: " in decide(told(header, *sure, asked).advice()).text
    done = told(header, *sure, asked, "Ann peeks: Green")
    assert "Accuse now: " in decide(done.advice()).text
    assert "Accuse now: " in done.decision().text


def test_quick_advice_weighs_only_what_is_to_be_done_next() -> None:
    record = load(EXAMPLES / "diced.clue").record.upto(10)
    dice = "plum, green, mustard, glass"
    first = Game(record).advice(dice=dice, quick=True)
    assert first.suggestions[0].then
    assert first.bonus == ()
    line = f"Mia suggests {', '.join(first.suggestions[0].cards)}: nobody shows"
    rolled = record.append(parse_line("Mia rolls plum, green, mustard, glass", record.table))
    game = Game(rolled.append(parse_line(line, record.table)))
    left, whole = game.advice(quick=True), game.advice()
    assert (left.suggestions, left.opponents, left.heading) == ((), (), None)
    assert {each.action for each in left.bonus} == {each.action for each in whole.bonus}
    assert whole.suggestions
    assert whole.opponents


def test_what_is_planned_together_is_what_each_tells_in_turn() -> None:
    record = load(EXAMPLES / "diced.clue").record.upto(10)
    dice = "plum, green, mustard, glass"
    advice = Game(record).advice(dice=dice)
    best = advice.suggestions[0]
    (then,) = best.then
    expected = best.gain
    for answer in best.answers:
        shown = ", ".join(f"{seat} shows {card}" for seat, card in answer.shows) or "nobody shows"
        line = f"Mia suggests {', '.join(best.cards)}: {shown}"
        after = Game(record.append(parse_line(line, record.table))).advice(dice=dice)
        (use,) = [each for each in after.bonus if each.action == then.action]
        expected += answer.probability * use.gain
    assert then.gain == pytest.approx(expected)
    assert then.error == 0


def test_a_look_at_a_face_down_card_counts_for_its_room() -> None:
    rooms = "Hall, Library, Lounge, Study"
    header = f"edition: clue-2015\nplayers: Ann, Ben\nviewer: Ann\nface-down: {rooms}"
    hand = "Ann holds Scarlett, Green, Peacock, Candlestick, Conservatory, Dining Room, Rope"
    advice = told(header, hand).advice()
    looks = {each.cards[2]: each.look for each in advice.suggestions}
    assert {room: room if room in rooms else None for room in looks} == looks
    assert advice.suggestions[0].look is not None
    assert "look" not in next(e for e in advice.suggestions if e.look is None).to_dict()
    ask = advice.suggestions[0]
    seen = told(header, hand, f"Ann looks at {ask.look}: Knife").advice(rooms=ask.look)
    assert {each.look for each in seen.suggestions} == {None}
    assert f"Go to the {ask.look} and look, then ask" in str(advice)


def test_a_deck_that_marks_some_cards_shows_nothing_in_the_notch_for_the_others(
    tmp_path: Path,
) -> None:
    deck = """
title = "Half marked"
observes = ["suggests", "peeks", "accuses", "holds", "knows"]
dice = { eye = "look at the notch" }
[[category]]
name = "suspect"
cards = [{ name = "A1", feature = "Red" }, { name = "A2" }, { name = "A3" }, { name = "A4" }]
[[category]]
name = "weapon"
cards = [{ name = "B1", feature = "Red" }, { name = "B2", feature = "Blue" }, { name = "B3" }]
"""
    path = tmp_path / "half.toml"
    path.write_text(deck, "utf-8")
    header = f"edition: {path}\nplayers: Ann, Ben\nviewer: Ann"
    advice = told(header, "Ann holds A1, A2, B1").advice()
    (peek,) = [each for each in advice.bonus if each.action == "Ann peeks"]
    assert advice.bits == 2  # A3 or A4, B2 or B3
    expected = 1 - 0.75 * (-(1 / 3 * log2(1 / 3) + 2 / 3 * log2(2 / 3)))  # blue: B2 for certain
    assert peek.gain == pytest.approx(expected)
    none = told(header, "Ann holds A1, B1, B2").advice()
    assert max(each.gain for each in none.bonus if each.action == "Ann peeks") == 0.0


def test_where_nothing_can_be_asked_every_view_of_the_advice_is_drawn() -> None:
    game = told("edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann")
    advice = game.advice(at="Plum", roll=2)
    assert (advice.suggestions, advice.ask) == ((), None)
    assert advice.heading is not None
    assert advice.heading.steps == 8
    assert advice.heading.room == "Study"
    assert "ead for the Study, 8 steps (" in decide(advice).text
    farther = replace(advice.heading, room="Kitchen", through="Study")
    assert "ead for the Kitchen by the passage of the Study (" in heading_text(farther)
    for drawn in (str(advice), repr(advice), advice._repr_html_()):
        assert "Head for the Study" in drawn


def test_a_blank_face_of_the_bonus_die_leaves_nothing_to_do_before_accusing() -> None:
    table = Table(edition=load_edition("clue-diced"), seats=("Ann", "Ben", "Cat"), viewer="Ann")
    peek, blank, unknown = (
        OwnTurn(table, (), viewer="Ann", dice=dice).before_accusing
        for dice in ("plum, green, plum, eye", "plum, green, plum, blank", None)
    )
    assert peek == unknown == ("suggestion", "bonus die")
    assert blank == ("suggestion",)


@pytest.mark.parametrize(
    ("edition", "room", "through", "turns"),
    [
        ("clue-classic", "Study", "Kitchen", 1.0),
        ("clue-classic", "Library", "Kitchen", 1 + 1 + 7 / 7),  # seven steps from the Study
        ("clue-classic", "Ballroom", None, 1 + 7 / 7),
        ("clue-custom", "Dining Room", None, None),
    ],
)
def test_the_way_to_a_room_counts_passages_and_the_dice(
    edition: str, room: str, through: str | None, turns: float | None
) -> None:
    table = Table(edition=load_edition(edition), seats=("Ann", "Ben", "Cat"), viewer="Ann")
    turn = OwnTurn(table, (), viewer="Ann", at="Kitchen")
    found, by = turn.way(room)
    assert by == through
    steps = turn.steps(room)
    one_die = None if steps is None else 1 + steps / 3.5
    assert found == pytest.approx(one_die if turns is None else turns)


@pytest.mark.parametrize(
    ("edition", "room", "stays"),
    [
        ("cluedo-watson", "Study", True),
        ("cluedo-watson", "Hall", False),
        ("clue-classic", "Study", False),  # there one has to leave
    ],
)
def test_who_asks_where_it_stands_is_told_to_stay(edition: str, room: str, stays: bool) -> None:
    table = Table(edition=load_edition(edition), seats=("Ann", "Ben", "Cat"), viewer="Ann")
    assert OwnTurn(table, (), viewer="Ann", at="Study").stays(("Plum", "Rope", room)) == stays
    game = told("edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann")
    advice = replace(game.advice(rooms="Study"), stay=stays)
    words = "Stay and ask " if stays else "Ask "
    assert decide(advice).text.startswith(words)
