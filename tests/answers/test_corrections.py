"""What may have been meant by a line, and how likely; odd turns, which no true game has."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from clue_solver import Game, load_edition, parse_record, shipped_editions
from clue_solver.answers.slips import chance, lines_meant
from clue_solver.notation.canonical import format_line
from clue_solver.notation.reader import parse_line
from clue_solver.record.contents import Record
from clue_solver.rules.turns import TurnState
from clue_solver.views.checks import turn_texts
from tests.rows import blocks

HEADER = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan\nhands: 5, 5, 4, 4\nviewer: Ann\n\n"
HAND = "Ann holds Scarlett, Mustard, Rope, Hall, Study"


def game(*lines: str) -> Game:
    return Game(parse_record(HEADER + "\n".join(lines) + "\n"))


LOGS = blocks(Path(__file__).with_name("slips.txt"))
"""Logs (`.`), and lines that are proposed in place of one: among how many of the likeliest."""


@pytest.mark.parametrize("text", LOGS.values(), ids=LOGS)
def test_what_was_meant_is_among_the_likeliest(text: str) -> None:
    lines = [line.partition(" ") for line in text.splitlines()]
    found = game(*(line for mark, _, line in lines if mark == ".")).check().corrections
    for mark, _, line in lines:
        assert mark == "." or line in [each.after for each in found[: int(mark)]]


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
    for written in {slip.meant for slip in lines_meant(meant, table, TurnState())}:
        for slip in lines_meant(written, table, TurnState()):
            if slip.meant == meant:
                sums[slip.kind] += chance(slip, written, table, TurnState())
    assert sums
    assert max(sums.values()) <= 1 + 1e-9


def test_what_says_nothing_of_a_seat_says_nothing_in_what_was_meant_either() -> None:
    table = game(HAND).table
    line = "Ben suggests Plum, Knife, Lounge: Cat ?, Dan ?, Ann shows Plum"
    slips_of = lines_meant(parse_line(line, table), table, TurnState())
    meant = [format_line(each.meant, table) for each in slips_of if each.kind != "answer"]
    assert "Ben suggests Plum, Knife, Lounge: Cat ?, Dan shows" in meant
    assert "Dan suggests Plum, Knife, Lounge: Ann shows Plum" in meant
    assert not [each for each in meant if "Cat passes, " in each or "Dan passes" in each]


@pytest.mark.parametrize(("line", "most"), [(HAND, 1), ("Ann knows Ann has Study", 8)])
def test_a_card_that_was_forgotten_in_the_hand_is_added(line: str, most: int) -> None:
    head = HEADER.replace("hands: 5, 5, 4, 4\n", "") + HAND.removesuffix(", Study")
    found = Game(parse_record(f"{head}\n{line}\n")).check().corrections
    assert (1, HAND) in [(each.entry, each.after) for each in found[:most]]


def test_another_hand_than_one_s_own_is_proposed_last() -> None:
    told = game(HAND, "Ann suggests Rope, Plum, Lounge: Ben shows Rope").check().corrections
    own = [each.entry == 1 for each in told]
    assert own == sorted(own)
    assert True in own


TURNS = blocks(Path(__file__).with_name("turns.txt"))
"""
Logs of Ann, Ben, Cat and Dan. `@` a line of the header; `.` an entry: a name alone is a suggestion
of that player; `=` what is said of the turns. Without an edition it is so in every edition.
"""


def logged(text: str, edition: str) -> Record:
    """The log of a block at a table of an edition."""
    cards = [kind.cards[0].name for kind in load_edition(edition).category]
    named = ", ".join(cards[: load_edition(edition).named])
    verbs = {
        "accuses": f"accuses {', '.join(cards)}: wrong",
        "reveals": f"reveals {cards[0]}",
        "knows": f"knows Ben has {cards[1]}",
    }
    head = [f"edition: {edition}", "players: Ann, Ben, Cat, Dan"]
    log = []
    for line in text.splitlines():
        mark, _, said = line.partition(" ")
        name, _, rest = said.partition(" ")
        if mark == "@" and not said.startswith("edition"):
            head.append(said)
        elif mark == ".":
            log.append(f"{name} {verbs.get(rest, rest) or f'suggests {named}'}")
    return parse_record("\n".join((*head, "", *log, "")))


def remarks(text: str) -> list[str]:
    return [line.removeprefix("= ") for line in text.splitlines() if line.startswith("=")]


@pytest.mark.parametrize("text", TURNS.values(), ids=TURNS)
def test_what_is_said_of_the_turns_of_a_log(text: str) -> None:
    _, own, name = text.partition("@ edition: ")
    for edition in [name.split("\n")[0]] if own else shipped_editions():
        check = Game(logged(text, edition)).check()
        assert [*turn_texts(check.turns, None)] == remarks(text), edition
        assert all(remark in str(check) for remark in remarks(text))
        assert check.consistent
