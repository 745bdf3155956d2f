"""Odd turns: told wherever a log is judged, and never in a true game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from clue_solver import Game, load_edition, parse_record, shipped_editions
from clue_solver.faces.cli import main
from clue_solver.record import Record, format_record
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
        assert [*turn_texts(check.turns)] == remarks(text), edition
        assert all(remark in str(check) for remark in remarks(text))
        assert check.consistent


def test_a_command_says_it_beside_its_answer_and_exits_as_without(tmp_path: Path) -> None:
    text = LOGS["two suggestions in a row"]
    (remark,) = remarks(text)
    file = tmp_path / "log.clue"
    file.write_text(format_record(logged(text, "clue-classic")), "utf-8")
    odd = [{"entry": 2, "kind": "again", "seat": "Ann", "expected": "Ben"}]
    for command in ("check", "import"):
        told = CliRunner().invoke(main, [command, str(file)])
        assert told.exit_code == 0
        assert remark in told.output.splitlines()
        told = CliRunner().invoke(main, [command, str(file), "--json"])
        assert json.loads(told.stdout)["turns"] == odd


def test_a_log_that_contradicts_itself_has_its_turns_judged_too() -> None:
    record = logged(LOGS["two suggestions in a row"], "clue-classic")
    log = f"{format_record(record)}Ben reveals Rope\nCat reveals Rope\n"
    check = Game(parse_record(log)).check()
    assert not check.consistent
    assert "Entry 2: Ann takes two turns in a row." in str(check)
