"""The log on a page: its entries, which of them contradict each other, and how to correct that."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from clue_solver.answers.corrections import Check
from clue_solver.answers.reasons import ReasonStep
from clue_solver.answers.report import Report
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, listed, named_entries, sentences
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.links import HELP
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.panel import Choice
from clue_solver.faces.web.sheet_pane import Grid, renumber, sheet_grid
from clue_solver.faces.web.tables import ServedTable
from clue_solver.faces.web.whole_log import shown_cards
from clue_solver.game import Game
from clue_solver.rules.observations import Hand, Observation
from clue_solver.views.checks import correction_text
from clue_solver.views.reasons import step_text

_OFFERED, _AT_ONCE, _LIKELY = 9, 3, 0.02
"""
How many corrections are offered at most, how many are shown at once at most, and how likely each of
the latter must be at least.
"""


_FEW, _SHORT = 4, 160
"""How many steps a short reason has at most, and how many characters fit beneath a headline."""


class LogEntry(NamedTuple):
    """
    An entry as the log shows it.

    Attributes:
        place: The number of the entry in the notes of this page.
        number: The number of the entry on all pages; empty if nobody else sees the entry.
        line, comment: The text of the entry.
        clashes: Whether the entry is one of several that contradict each other.
        edit: The address at which the entry is edited.
        mine: The question before this page takes the entry out; empty if it may not do so.
    """

    place: int
    number: str
    line: str
    comment: str
    clashes: bool
    edit: str
    mine: str


class ClashPane(NamedTuple):
    """
    What a page shows if entries contradict each other.

    Attributes:
        headline, reason: What is wrong, and why; the latter empty if that is long or not known yet.
        mine, others: The corrections that this page may make, and those that it may not.
        at_once: How many of the corrections in `mine` are shown without a further tap.
        asks_for: The number of the entry that the recorder most likely has to correct; empty if
            this page may make the likeliest correction.
        hand: The number of the entry with the viewer's hand; 0 if that is not one of those that
            contradict each other.
        looking: Whether corrections are still being computed.
        basis: A sentence on the sheet, which has the likeliest correction, or else is from before
            the contradiction.
        sheet: That sheet; `None` if it is hidden.
    """

    headline: str
    reason: str
    mine: tuple[Choice, ...]
    others: tuple[str, ...]
    at_once: int
    asks_for: str
    hand: int
    looking: bool
    basis: str
    sheet: Grid | None


def log_entries(table: ServedTable, eyes: Eyes, report: Report | None) -> tuple[LogEntry, ...]:
    """Return the entries of a page's log, the newest first; `report` tells which of them clash."""
    session, numbers = eyes.game, table.entry_numbers(eyes)
    conflict = report.conflict if report else ()
    logged = zip(numbers, session.lines, session.record.entries, strict=True)
    entries = [
        LogEntry(
            place,
            number,
            line,
            entry.comment,
            place in conflict,
            Draft(editing=place, was=line).query(tab="enter"),
            _removal_question(entry.observation)
            if isinstance(table, LoggedTable) and table.may_delete(eyes, place)
            else "",
        )
        for place, (number, line, entry) in enumerate(logged, 1)
    ]
    return tuple(entries[::-1])


def clash_pane(table: ServedTable, eyes: Eyes, report: Report) -> ClashPane:
    """Return what a page shows if the report on its notes has found a contradiction."""
    numbers, thought = table.entry_numbers(eyes), eyes.thought
    named = partial(_entry_name, eyes.game, numbers)
    check = thought.check if thought and thought.check else Check()
    mine, others, asks_for = list[Choice](), list[str](), ""
    for number, each in enumerate(check.corrections, 1):
        text = correction_text(each, named(each.entry))
        if isinstance(table, LoggedTable) and table.may_correct(eyes, each):
            mine.append(Choice(f"Change {text}", str(number), main=each.probability > 0.5))
            continue
        others.append(text)
        if number == 1 and each.entry:
            asks_for = numbers[each.entry - 1]
    if thought is None or thought.likeliest is None:
        basis, then = _before_clash(eyes.game.game, report, named)
    else:
        then, correction = thought.likeliest
        fixed = correction_text(correction, named(correction.entry))
        basis = f"Provisional: the sheet with this correction: {fixed}."
    shows_sheet = table.help(eyes) >= HELP.index("sheet") and then.consistent
    entries = entry_names(table, eyes, report.conflict) or "entries"
    many = {1: "be true", 2: "both be true"}.get(len(report.conflict), "all be true")
    return ClashPane(
        headline=sentences(f"{entries} can't {many}"),
        reason=_short_reason(check.steps, numbers),
        mine=tuple(mine[:_OFFERED]),
        others=tuple(others[:_AT_ONCE]),
        at_once=sum(each.probability >= _LIKELY for each in check.corrections[1:_AT_ONCE]) + 1,
        asks_for=asks_for,
        hand=next((at for at in report.conflict if named(at) == "your hand"), 0),
        looking=thought is None or thought.first,
        basis=basis,
        sheet=sheet_grid(then) if shows_sheet else None,
    )


def _before_clash(game: Game, report: Report, named: Callable[[int], str]) -> tuple[str, Report]:
    """
    Return the report on the entries before the first contradiction, with a sentence on it.

    If the header contradicts itself, or the report cannot be computed, it is not consistent.

    Args:
        game: The notes of the page.
        report: The report on them, which has found a contradiction.
        named: Returns the name of an entry.
    """
    last = 0
    with suppress(ClueError):
        while report.conflict:
            last = max(report.conflict)
            report = game.at(last - 1).report()
    return f"This is the sheet from before {named(last) if last else 'the log'}.", report


def _entry_name(session: Session, numbers: Sequence[str], entry: int | None) -> str:
    """
    Return what the reader of a page calls an entry.

    Args:
        session: The notes of the page.
        numbers: For each entry of the page's notes, its number on all pages, as a text; empty for
            an entry that only this seat can see.
        entry: The number of the entry in these notes; `None` for the header, which gives `''`.
    """
    if entry is None:
        return ""
    if number := numbers[entry - 1]:
        return f"entry {number}"
    return "your hand" if isinstance(session.entry(entry).observation, Hand) else "what you entered"


def _removal_question(observation: Observation) -> str:
    """Return the question to ask before a seat takes its part of an entry out of the log."""
    if cards := shown_cards(observation):
        return f"Take out {listed([*cards.values()])}? The rest of the entry stays."
    if isinstance(observation, Hand):
        return "Take your hand out of the log?"
    return "Take this note out?"


def entry_names(table: ServedTable, eyes: Eyes, entries: Sequence[int]) -> str:
    """Return what the reader of a page calls some entries: `entries 2 and 5 and your hand`."""
    numbers = table.entry_numbers(eyes)
    shared = [int(numbers[entry - 1]) for entry in entries if numbers[entry - 1]]
    own = [_entry_name(eyes.game, numbers, each) for each in entries if not numbers[each - 1]]
    return listed([*([named_entries(shared)] if shared else []), *dict.fromkeys(own)])


def _short_reason(steps: Sequence[ReasonStep], numbers: Sequence[str]) -> str:
    """
    Return what two entries say that contradicts each other; empty if that takes longer to tell.

    Args:
        steps: The steps of the argument, which begins with what the entries say.
        numbers: For each entry, its number on all pages, as a text; empty for none.
    """
    reason = sentences(*(step_text(renumber(each, numbers)) for each in steps[:2]))
    return reason if len(steps) <= _FEW and len(reason) <= _SHORT else ""
