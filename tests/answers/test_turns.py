"""Odd turns: told wherever a log is judged, and never in a true game."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver import Game, load_edition, parse_record, shipped_editions
from clue_solver.record import Record
from clue_solver.views.reasons import turn_texts
from tests.conversation.test_session import blocks

LOGS = dict(blocks(Path(__file__).with_name("turns.txt")))
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


@pytest.mark.parametrize("text", LOGS.values(), ids=LOGS)
def test_what_is_said_of_the_turns_of_a_log(text: str) -> None:
    _, own, name = text.partition("@ edition: ")
    for edition in [name.split("\n")[0]] if own else shipped_editions():
        check = Game(logged(text, edition)).check()
        assert [*turn_texts(check.turns, None)] == remarks(text), edition
        assert all(remark in str(check) for remark in remarks(text))
        assert check.consistent
