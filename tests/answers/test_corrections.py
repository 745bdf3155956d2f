"""What may have been meant by a line, and how likely."""

from __future__ import annotations

from collections import defaultdict

import pytest

from clue_solver import Game, Session, parse_record
from clue_solver.answers.slips import chance, lines_meant
from clue_solver.notation import format_line, parse_line
from clue_solver.views.sentences import correction_text

HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nhands: 5, 5, 4, 4\nviewer: Ann\n\n"
HAND = "Ann holds Scarlett, Mustard, Rope, Hall, Study"


def game(*lines: str) -> Game:
    return Game(parse_record(HEADER + "\n".join(lines) + "\n"))


def first(told: Game) -> tuple[int | None, str]:
    best = told.check().corrections[0]
    return best.entry, best.after


@pytest.mark.parametrize(
    "line",
    [
        HAND,
        "Ann suggests Plum, Knife, Hall: Ben passes, Cat shows Knife",
        "Ben suggests Plum, Knife, Lounge: Cat passes, Dan passes, Ann passes",
        "Ben suggests Plum, Rope, Lounge: Cat passes, Dan passes, Ann shows Rope",
        "Ann suggests Plum, Knife, Lounge: nobody shows",
    ],
)
def test_each_kind_of_slip_makes_at_most_one_line_of_what_was_meant(line: str) -> None:
    table = game(HAND).table
    meant = parse_line(line, table)
    sums = defaultdict[str, float](float)
    for written in {slip.meant for slip in lines_meant(table, (meant,), 1)}:
        for slip in lines_meant(table, (written,), 1):
            if slip.meant == meant:
                sums[slip.kind] += chance(slip, table, (written,), 1)
    assert sums
    assert max(sums.values()) <= 1 + 1e-9


def test_whoever_keeps_the_log_may_have_shown() -> None:
    hand = "Ann holds Scarlett, Green, Plum, Knife, Rope"
    told = game(
        hand,
        "Ann suggests Scarlett, Lead Pipe, Hall: Ben passes, Cat shows Hall",
        "Ben suggests Plum, Candlestick, Ballroom: Cat shows",
        "Cat suggests White, Rope, Lounge: Dan shows",
        "Ann knows Dan lacks White, Lounge",
    )
    assert "Cat suggests White, Rope, Lounge: Dan passes, Ann shows Rope" in [
        each.after for each in told.check().corrections[:5]
    ]


TURNS = (
    HAND,
    "Ann suggests Plum, Knife, Lounge: Ben shows Knife",
    "Ben suggests Green, Wrench, Kitchen: Cat shows",
    "Cat suggests White, Lead Pipe, Library: Dan shows",
)
AFTER = "Ann suggests Plum, Wrench, Kitchen: Ben passes, Cat passes, Dan shows Plum"


def test_an_asker_out_of_turn_is_the_likeliest_slip() -> None:
    slipped = "Ben suggests Plum, Revolver, Ballroom: Cat passes, Dan passes, Ann passes"
    meant = "Dan suggests Plum, Revolver, Ballroom: nobody shows"
    assert first(game(*TURNS, slipped, AFTER)) == (5, meant)


def test_where_nobody_is_said_to_show_each_card_may_have_been_seen() -> None:
    knows = "Ann knows Ben has Knife"
    told = game(HAND, "Ann suggests Plum, Knife, Lounge: nobody shows", knows)
    after = [each.after for each in told.check().corrections if each.entry == 2]
    for card in ("Plum", "Knife", "Lounge"):
        assert f"Ann suggests Plum, Knife, Lounge: Ben shows {card}" in after


def test_a_card_of_the_hand_that_was_another_category_s_is_corrected() -> None:
    slipped = HAND.replace("Rope", "Plum")
    shown = "Ben suggests Green, Rope, Kitchen: Cat passes, Dan passes, Ann shows Rope"
    looked = "Ann suggests Plum, Knife, Lounge: Ben passes, Cat passes, Dan shows Plum"
    assert first(game(slipped, shown, looked)) == (1, HAND)


def test_what_says_nothing_of_a_seat_says_nothing_in_what_was_meant_either() -> None:
    table = game(HAND).table
    line = "Ben suggests Plum, Knife, Lounge: Cat ?, Dan ?, Ann shows Plum"
    slips_of = lines_meant(table, (parse_line(line, table),), 1)
    meant = [format_line(each.meant, table) for each in slips_of if each.kind != "answer"]
    assert "Ben suggests Plum, Knife, Lounge: Cat ?, Dan shows" in meant
    assert "Dan suggests Plum, Knife, Lounge: Ann shows Plum" in meant
    assert not [each for each in meant if "Cat passes, " in each or "Dan passes" in each]


def test_whose_passes_alone_clash_from_somewhere_on_may_have_left() -> None:
    head = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nviewer: Ann\n\n"
    lines = [
        "Ann holds Plum, Rope, Hall, Study",
        "Ben skips",
        "Ann knows Ben has Wrench or Kitchen",
    ]
    asked = ["Ann suggests Green, Wrench, Kitchen", "Cat suggests Mustard, Wrench, Kitchen"]
    written = "\n".join([*lines, *(f"{line}: nobody shows" for line in asked)])
    session = Session(parse_record(f"{head}{written}\n"))
    (correction,) = (each for each in session.game.check().corrections if not each.before)
    assert (correction.entry, correction.before, correction.after) == (4, "", "Ben leaves")
    assert correction_text(correction) == "before entry 4, Ben leaves"
    session.correct(correction)
    assert session.lines[3:] == (
        "Ben leaves",
        "Ann suggests Green, Wrench, Kitchen: Cat passes, Dan passes",
        "Cat suggests Mustard, Wrench, Kitchen: Dan passes, Ann passes",
    )
    assert session.game.check().consistent


def test_another_hand_than_one_s_own_is_proposed_last() -> None:
    told = game(HAND, "Ann suggests Rope, Plum, Lounge: Ben shows Rope").check().corrections
    own = [each.entry == 1 for each in told]
    assert own == sorted(own)
    assert True in own
