"""Games small enough for paper: the twin, and the program, say what the paper says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from clue_solver import Game
from clue_solver.knowledge.evidence import RandomShows, StickyShows
from clue_solver.notation import parse_line
from clue_solver.record import Record
from clue_solver.record.header import with_key
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import parse_edition
from clue_solver.rules.table import SHOWS, Shows, Table
from tests import twin
from tests.rows import blocks

GAMES = blocks(Path(__file__).with_name("paper.txt"))
"""
Tables (`@`), with their cards by category, what is told at them (`.`), and what somebody then knows
(`=`), by a policy of showing: how many deals there are, and exact chances.
"""


def edition(kinds: str) -> Edition:
    """Cards by category; where their first words repeat, each shows the feature of its last."""
    text = 'title = "T"\n'
    for number, names in enumerate(kinds.split(" | ")):
        text += f'[[category]]\nname = "kind {number}"\n'
        for name in names.split(", "):
            text += f'[[category.cards]]\nname = "{name}"\n'
            text += f'feature = "{name.split()[-1]}"\n' if " " in name else ""
    return parse_edition(text, name="paper.toml")


def oracle(record: Record, viewer: str, shows: Shows) -> twin.Oracle:
    """Return the twin's answers to what is told, which are the program's as well."""
    eyes = None if viewer == "spectator" else viewer
    found = twin.answers(record.observations, record.table, eyes, shows)
    report = Game(record).report(viewer=viewer, shows=shows)
    assert report.deals == found.deals
    exact = {cards: pytest.approx(float(chance)) for cards, chance in found.solutions.items()}
    assert dict(report.solutions) == exact
    for card, row in found.probability.items():
        chances = {holder: report.probability(card, holder) for holder in row}
        assert chances == pytest.approx({holder: float(chance) for holder, chance in row.items()})
    return found


def known(record: Record, said: str) -> Iterator[str]:
    """Yield what somebody knows, each part of it as it is true."""
    who, _, told = said.partition(": ")
    viewer, _, shows = who.partition(", ")
    policy: Shows = next((each for each in SHOWS if each == shows), "random")
    found = oracle(record, viewer, policy)
    yield f"{who}: {found.deals} deals"
    for fact in told.split("; ")[1:]:
        claim = fact.rpartition(" ")[0]
        holder, _, card = claim.partition(" has ")
        solution = tuple(claim.removeprefix("it is ").split(", "))
        chance = found.probability[card][holder] if card else found.solutions.get(solution, 0)
        yield f"{claim} {chance}"


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_twin_and_program_say_what_the_paper_says(text: str) -> None:
    record, true = None, []
    for line in text.splitlines():
        mark, said = line[:1], line[2:]
        key, _, value = said.partition(":")
        if key == "cards":
            record = Record(table=Table(edition=edition(value.strip()), seats=("Ann", "Ben")))
        assert record is not None
        table = record.table
        if key == "looker tells":
            table = replace(table, edition=replace(table.edition, looker_tells=True))
        elif key == "players":
            table = replace(table, seats=tuple(value.strip().split(", ")))
        elif mark == "@" and key != "cards":
            table = with_key(table, key, value.strip())
        record = replace(record, table=table)
        if mark == ".":
            record = record.append(parse_line(said, table))
        true.append(f"= {'; '.join(known(record, said))}" if mark == "=" else line)
    assert true == text.splitlines()


@pytest.mark.parametrize("before", [0b000, 0b001, 0b011])
def test_a_policy_has_a_chance_for_every_number_of_asked_cards_and_for_every_card(
    before: int,
) -> None:
    """Of three asked cards in the hand the first is shown; `before` were shown before."""
    third = (1 / 3,) * 3
    assert RandomShows().chances(0b111, shown=0b1, before=before)[1:] == (1, 1 / 2, 1 / 3)
    assert RandomShows().picks((0, 1, 2), before=before) == third
    usual = before.bit_count()
    expected = (1 / usual,) * 3 if usual else (1, 1 / 2, 1 / 3)
    assert StickyShows().chances(0b111, shown=0b1, before=before)[1:] == expected
    assert StickyShows().chances(0b111, shown=0b100, before=before)[1:] == (1, 1 / 2, 1 / 3)
    picks = tuple((before >> card & 1) / usual for card in range(3)) if usual else third
    assert StickyShows().picks((0, 1, 2), before=before) == picks
