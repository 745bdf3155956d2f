"""
What an import made of a sheet of the corpus: refused, whole, short of facts, or false.

Cells of a deal are compared with all that follows of them (who has a card is the only one, a whole
hand has no other card), events one by one.
"""

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from clue_solver import ClueError
from clue_solver.exchange.findings import ImportQuestion
from clue_solver.exchange.imports import Unclear, import_notes
from clue_solver.exchange.terms import fold_text
from clue_solver.notation.canonical import format_line
from clue_solver.notation.reader import parse_line
from clue_solver.record.contents import Record
from clue_solver.rules.observations import Hand, Knowing, Observation, Suggestion
from clue_solver.rules.table import Table

CORPUS = Path(__file__).parent / "corpus"


class Outcome(NamedTuple):
    """What came of a sheet: the facts of its record that are false, those that are missing."""

    false: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    refused: str = ""


def sheets() -> list[dict[str, Any]]:
    files = sorted(CORPUS.glob("*.toml"))
    return [sheet for file in files for sheet in tomllib.loads(file.read_text("utf-8"))["sheet"]]


def outcome(sheet: dict[str, Any], folder: Path, *, corrected: bool) -> Outcome:
    """
    Import a sheet and compare; its writer answers what is asked, and takes every guess with `y`.

    With `corrected` they first change what the sheet's `corrections` say.
    """
    path = CORPUS / "strangers" / sheet["name"]
    if "text" in sheet:
        path = folder / sheet["name"]
        path.write_text(sheet["text"].strip("\n") + "\n", "utf-8")
    said: dict[str, Any] = dict(sheet.get("corrections", {})) if corrected else {}
    while True:
        try:
            record = import_notes(path, guess=True, **said).record
        except Unclear as error:
            more = said
            for question in error.questions:
                more = more if question.guess else _answered(question, more, sheet)
            if more == said:
                return Outcome(refused=str(error))
            said = more
        except ClueError as error:
            return Outcome(refused=str(error))
        else:
            return _compared(record, sheet)


def _answered(
    question: ImportQuestion, said: dict[str, Any], sheet: dict[str, Any]
) -> dict[str, Any]:
    """Return all that is said once the writer has answered a question, if they can."""
    name, about = question.argument, question.about
    answers = sheet.get("answers", {})
    leave = answers.get("leave", [])
    if name in ("leave", "called") and about in leave:
        return {**said, "leave": [*said.get("leave", []), about]}
    if name in ("columns", "marks", "called"):
        plain = fold_text(about)
        meant = {fold_text(key): meaning for key, meaning in answers.get(name, {}).items()}
        answer = meant.get(plain) or meant.get(plain.partition(" #")[0])
        if re.fullmatch(r"[\d ,/]+", plain):  # what is said of all numbers is said of each
            answer = answer or meant.get("numbers")
        return {**said, name: {**said.get(name, {}), about: answer}} if answer else said
    answer = answers.get(name)
    if name == "viewer" and answer and answer not in question.choices:
        answer = sheet.get("seats", {}).get(answer, answer)
    return {**said, name: answer} if answer else said


def _compared(record: Record, sheet: dict[str, Any]) -> Outcome:
    table = record.table
    called = {name: seat for name, seat in sheet.get("seats", {}).items() if seat in table.seats}
    truth = sheet["truth"].strip()
    for name, other in called.items():
        truth = re.sub(rf"\b{name}\b", other, truth)
    lines = truth.splitlines()
    players = sheet.get("players") or sheet.get("answers", {}).get("players")
    players = players and [called.get(name, name) for name in players]
    seats = set(players or (line.split(" ")[0] for line in lines)) - {"envelope"}
    if not seats <= set(table.seats) or (players and len(table.seats) != len(seats)):
        return Outcome(false=frozenset({f"players {', '.join(table.seats)}"}))
    viewer = sheet.get("viewer") or sheet.get("answers", {}).get("viewer")
    viewer = called.get(viewer, viewer)
    if "viewer" in sheet and table.viewer != viewer:
        return Outcome(missing=frozenset({f"viewer {viewer}"}))
    true = _facts([_told(line, viewer or table.seats[0], table) for line in lines], table)
    read = _facts(list(record.observations), table)
    return Outcome(false=read - true, missing=true - read)


class _Several(NamedTuple):
    """Cards that one holder has, perhaps not all of them."""

    holder: str
    cards: tuple[str, ...]


def _told(line: str, viewer: str, table: Table) -> Observation | _Several:
    verb = next((verb for verb in ("has", "lacks") if f" {verb} " in line), "")
    if not verb:
        return parse_line(line, table)
    holder, _, rest = line.partition(f" {verb} ")
    if " or " in rest:
        return parse_line(f"{viewer} knows {line}", table)
    lacks = parse_line(f"{viewer} knows {holder} lacks {rest}", table)
    assert isinstance(lacks, Knowing)
    return lacks if verb == "lacks" else _Several(holder, lacks.lacks)


def _facts(observations: list[Any], table: Table) -> frozenset[str]:
    """Return what observations tell, each fact in words, with what follows of it."""
    facts: set[str] = set()
    holders = (*table.seats, "envelope")
    for number, told in enumerate(observations):
        if isinstance(told, Hand):
            has, holder = told.cards, told.seat
            facts |= {f"{holder} lacks {card}" for card in table.cards if card not in has}
        elif isinstance(told, _Several):
            has, holder = told.cards, told.holder
        elif isinstance(told, Knowing):
            has, holder = told.has if len(told.has) == 1 else (), told.holder
            facts |= {f"{holder} lacks {card}" for card in told.lacks}
            if len(told.has) > 1:
                facts.add(f"{holder} has {' or '.join(sorted(told.has))}")
        else:
            asked, *answers = _events(told, table)
            times = sum(_events(each, table)[0] == asked for each in observations[:number])
            facts |= {f"{asked} ({times}): {fact}" for fact in ("", *answers)}
            continue
        for card in has:
            facts.add(f"{holder} has {card}")
            facts |= {f"{other} lacks {card}" for other in holders if other != holder}
    for place, holder in enumerate(table.seats):  # a whole hand has no other card
        own = {card for card in table.cards if f"{holder} has {card}" in facts}
        if len(own) >= table.size_bounds()[place][1]:
            facts |= {f"{holder} lacks {card}" for card in table.cards if card not in own}
    for card in table.cards if not table.slots else ():
        if all(f"{seat} lacks {card}" in facts for seat in table.seats):
            facts.add(f"envelope has {card}")
    return frozenset(facts)


def _events(told: Observation | _Several, table: Table) -> list[str]:
    """Return an event in words; of a suggestion the question and each answer, and each card."""
    if isinstance(told, _Several):
        return [""]
    if not isinstance(told, Suggestion):
        return [format_line(told, table)]
    cards = sorted(told.cards, key=table.edition.names.index)
    question = f"{told.by} suggests {', '.join(cards)}"
    answers = [
        f"{answer.seat} {answer.answer}" for answer in told.answers if answer.answer != "unheard"
    ]
    cards = [f"{answer.seat} shows {answer.card}" for answer in told.answers if answer.card]
    return [question, *answers, *cards]
