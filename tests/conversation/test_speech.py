"""Lines as people say them: none is taken for what it does not mean, few are refused."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from clue_solver import notation
from clue_solver.conversation.dialog import Asking, EntryDialog, Refused
from clue_solver.conversation.session import Session
from clue_solver.errors import NotationError
from clue_solver.record import parse_record
from clue_solver.rules.table import Table
from tests.conversation.test_session import START

CORPUS = Path(__file__).parents[1] / "notation" / "speech.toml"
TABLES = tomllib.loads(CORPUS.read_text("utf-8"))["table"]

Line = dict[str, str]


def begun(table: dict[str, Any], line: Line) -> Session:
    """The game before a line: the viewer's hand is told, and it is the turn of who is to act."""
    before = [] if " holds " in line["means"] else [table["hand"]]
    session = Session(parse_record("\n".join((table["header"], *before, ""))))
    seats = session.record.table.seats
    if "turn" in line:
        session.tell(f"{seats[seats.index(line['turn']) - 1]} skips")
    return session


def heard(table: dict[str, Any], line: Line) -> str:
    """What comes of a line: `right`, `asks`, `refused`; else what it was taken for."""
    session = begun(table, line)
    dialog = EntryDialog(session, asks="what matters")
    means = line["means"]
    if before := line.get("after"):
        list(dialog.say(before))
        while dialog.asking is not None:
            list(dialog.answer("yes"))
    told = session.lines
    outcomes = list(dialog.say(line["said"]))
    asking = dialog.asking
    if asking is not None:
        asked = asked_as(asking, session.record.table)
        whole = canonical(means, session.record.table)
        free = means.startswith(("ask", "refuse"))
        return (
            "asks"
            if free or any(one.startswith(whole) or whole.endswith(f"; {one}") for one in asked)
            else str(asked)
        )
    if isinstance(outcomes[-1], Refused):
        return "right" if means == "refuse" else "refused"
    return "right" if is_so(means, session, told) else f"{line['said']}: {session.lines}"


def is_so(means: str, session: Session, told: tuple[str, ...]) -> bool:
    """Whether a line that was taken did what it means."""
    table, lines = session.record.table, session.lines
    if means == "undo":
        return lines == told[:-1]
    new = "; ".join(lines[len(told) :])
    return canonical(new, table) == canonical(means, table)


def asked_as(asking: Asking, table: Table) -> list[str]:
    """What a question takes the line for, and the answers that it offers."""
    ways = [choice.told[-1] for choice in asking.doubt.choices]
    if asking.told is not None:
        ways.append(asking.told)
    return [canonical(notation.format_line(told.observation, table), table) for told in ways]


def canonical(lines: str, table: Table) -> str:
    """Lines with their cards in the order of the deck, and nothing said of what was not heard."""
    found = []
    for line in lines.split("; "):
        try:
            observation = notation.read_line(line, table).observation
        except NotationError:
            return lines  # an accusation whose verdict is still to come
        if cards := getattr(observation, "cards", ()):
            ordered = sorted(cards, key=table.edition.names.index)
            observation = replace(observation, cards=tuple(ordered))
        found.append(notation.format_line(observation, table).removesuffix(", ?"))
    return "; ".join(found)


def test_lines_of_speech_are_not_misread_and_few_of_them_are_refused() -> None:
    came = [(line["means"], heard(table, line)) for table in TABLES for line in table["lines"]]
    assert [what for _, what in came if what not in ("right", "asks", "refused")] == []
    meant = [what for means, what in came if means != "refuse"]
    assert (len(meant) > 400, meant.count("refused") < 0.05 * len(meant)) == (True, True)


def test_numbers_beside_a_card_are_no_hand() -> None:
    session = Session(parse_record(START))
    with pytest.raises(NotationError):
        session.read("ha 5, 5, 4, 4, 3")


MAX = "edition: clue-classic\nplayers: Max, Anna, Lea\nviewer: Max\n"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("max white rope ballrom: anna", "Max suggests White, Rope, Ballroom: Anna shows"),
        ("max white knfie hall, lea", "Max suggests White, Knife, Hall: Anna passes, Lea shows"),
        (
            "max white candlestik conservatry lea",
            "Max suggests White, Candlestick, Conservatory: Anna passes, Lea shows",
        ),
        (
            "max plum rope study, not anna, lea",
            "Max suggests Plum, Rope, Study: Anna passes, Lea shows",
        ),
    ],
)
def test_the_short_form_takes_slips_and_words_of_speech_as_well(line: str, wanted: str) -> None:
    assert EntryDialog(Session(parse_record(MAX))).typed(line).preview.text == wanted


def test_a_card_that_was_not_asked_for_may_be_a_slip_on_either_side() -> None:
    ways = Session(parse_record(MAX)).heard("i asked white revolver hall, lea showed rope")
    assert [way[0].line.partition("suggests ")[2] for way in ways] == [
        "White, Rope, Hall: Lea shows Rope",
        "White, Revolver, Hall: Lea shows Revolver",
        "White, Revolver, Hall: Lea shows",
    ]


@pytest.mark.parametrize("line", ["max plum rope study anna lea", "max plum rope lea"])
def test_a_player_in_full_is_no_card_that_begins_so(line: str) -> None:
    with pytest.raises(NotationError, match="found the player Lea"):
        Session(parse_record(MAX)).read(line)
