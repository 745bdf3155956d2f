"""
Transcripts: lines as they are typed at a table, with the result that they must have.

`==` begins a table: its edition, lines of its header and entries, with `; ` between them. Then come
typed lines, after `Ann> ` in Ann's turn or `> ` if nobody's turn is known; `{a|b}` stands for `a`
and for `b`, ` // ` for Enter. The result is indented below the lines (without lines above it, the
result itself is typed):

    Ann suggests Plum, Rope, Hall: Ben passes, ?      these entries, with `; ` between
    ? Plum | Peacock                                  a question with these choices; `?`: any
    ! plmu                                            refused at this word; `!`: not taken
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from clue_solver.conversation.commands import TypedCommand, parse_command
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.session import Session
from clue_solver.errors import NotationError
from clue_solver.notation.canonical import format_line
from clue_solver.notation.reader import readings
from clue_solver.record.contents import Record
from clue_solver.record.files import parse_record
from clue_solver.rules.observations import Question, Skip, Suggestion
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState


class Typed(NamedTuple):
    """
    Typed lines of a transcript.

    Attributes:
        header: The record before them.
        turn: Whose turn it is; empty if nobody's is known.
        lines: What is typed, one after the other.
        due: The result that the last one must have.
        place: The number of the line in its file.
    """

    header: str
    turn: str
    lines: tuple[str, ...]
    due: str
    place: int


class Outcome(NamedTuple):
    """
    The result of a line.

    Attributes:
        entries: The entries as which it was read, as canonical lines.
        choices: The choices of the question that was asked: entries, or single names.
        word: The word at which it was refused.
    """

    entries: str = ""
    choices: tuple[str, ...] = ()
    word: str = ""

    def __str__(self) -> str:
        if self.entries:
            return self.entries
        return f"? {' | '.join(self.choices)}" if self.choices else f"! {self.word}"


def transcripts(path: Path) -> Iterator[Typed]:
    """Yield all that is typed in a file."""
    header, above = "", list[tuple[int, str]]()
    for place, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if line.startswith("=="):
            edition, *rest = line.removeprefix("==").strip().split("; ")
            header = "\n".join((f"edition: {edition}", *rest, ""))
        elif line.startswith(" "):
            for where, said in above or [(place, f">{line}")]:
                turn, _, typed = said.partition(">")
                for whole in alternatives(typed.strip()):
                    yield Typed(header, turn, tuple(whole.split(" // ")), line.strip(), where)
            above = []
        elif line and not line.startswith("#"):
            above.append((place, line))
    assert not above, above


def alternatives(text: str) -> Iterator[str]:
    """Yield a text with every combination of its alternatives, such as `{a|b}`."""
    parts = re.split(r"\{([^}]*)\}", text)
    for way in product(*(part.split("|") if at % 2 else [part] for at, part in enumerate(parts))):
        yield " ".join("".join(way).split())


def same(one: str, other: str) -> bool:
    """Return whether entries mean the same; the order of their cards does not matter."""
    return _facts(one) == _facts(other)


def _facts(entries: str) -> list[tuple[list[str], str]]:
    """Return entries, each as the sorted words before its answers, and its answers."""
    facts = []
    for entry in entries.split("; "):
        head, _, answers = entry.partition(": ")
        who, lacks, cards = head.partition(" lacks ")
        for card in cards.split(", ") if lacks else [head]:
            words = sorted(re.split(r", | ", f"{who}{lacks}{card}" if lacks else card))
            facts.append((words, re.sub(r"(^|, )\?$", "", answers)))
    return facts


def judge(typed: Typed, came: Outcome) -> str:
    """
    Return the judgement of a result: `right`, `misread`, `refused`, `asked`, or `asked amiss`.

    It is `asked amiss` if no choice of the question is the right one.
    """
    due = typed.due
    if came.entries:
        return "right" if same(came.entries, due) else "misread"
    if due.startswith("!"):
        word = due[2:]
        if came.choices:
            return "asked" if word else "right"
        return "right" if word in ("", came.word) else "refused"
    if not came.choices:
        return "refused"
    if due.startswith("?"):
        choices = set(due[2:].split(" | ")) - {""}
        return "right" if choices <= set(came.choices) else "asked"
    told = came.choices == ("?",) or any(same(one, due) or one in due for one in came.choices)
    return "asked" if told else "asked amiss"


def before(table: Table, seat: str) -> str:
    """Return the seat before another."""
    return table.seats[table.seats.index(seat) - 1]


def state_before(typed: Typed) -> tuple[Table, TurnState]:
    """Return the table, and the state of turns before the first line."""
    record = parse_record(typed.header)
    state = TurnState.of(record.observations)
    if typed.turn:
        state = state.after(Skip(by=before(record.table, typed.turn)))
    return record.table, state


def by_reader(typed: Typed) -> Outcome:
    """Return how the reader reads the last line; the line before may still wait for answers."""
    table, state = state_before(typed)
    waiting: Suggestion | Question | None = None
    entry = ""
    for line in typed.lines:
        try:
            ways = readings(line, table, state, open=waiting)
        except NotationError as error:
            return Outcome(word=_word_at(error.line, error.column))
        ways = tuple(way for way in ways if way.by_order) or ways
        choices = [name for way in ways for gap in way.gaps for name in gap.names]
        filled = [each for way in ways for each in way.filled.values()]
        whole = [way.observation for way in (*ways, *filled) if way.observation is not None]
        lines = [format_line(observation, table) for observation in whole]
        if len(ways) > 1 or choices:
            return Outcome(choices=(*choices, *lines))
        (observation,), (entry,) = whole, lines
        waiting = None
        answered = "shows" in entry or entry.endswith(": passes")
        if isinstance(observation, Suggestion | Question) and not answered:
            waiting = observation
        else:
            state = state.after(observation)
    return Outcome(entries=entry)


def in_dialog(typed: Typed) -> Outcome:
    """Return how a game that is logged takes the last line, after all lines before it."""
    session = Session(parse_record(typed.header))
    table = session.record.table
    if " holds " in typed.due:
        session = Session(Record(table=table))
    if typed.turn:
        session.tell(f"{before(table, typed.turn)} skips")
    dialog = Dialog(session)
    for line in typed.lines[:-1]:
        dialog.say(line)
    lines = session.lines
    if parse_command(typed.lines[-1], dialog) == TypedCommand("undo"):
        return Outcome(entries="undo")
    outcome = dialog.say(typed.lines[-1])
    if outcome.later is not None:  # it waits until the line before it is answered for, or given up
        dialog.leave()
        outcome = dialog.say(typed.lines[-1])
    error = outcome.error
    if (doubt := dialog.doubt) is not None:
        told = [choice.reading for choice in doubt.choices]
        ways = [way.observation for way in (*told, doubt.reading) if way and way.observation]
        return Outcome(choices=tuple(format_line(way, table) for way in ways) or ("?",))
    if isinstance(error, NotationError):
        return Outcome(word=_word_at(error.line, error.column))
    kept = len(lines) - (session.lines[: len(lines)] != lines)
    return Outcome(entries="; ".join(session.lines[kept:]))


def _word_at(line: str, column: int) -> str:
    return re.split(r"[\s,:;.]", line[column:].strip(), maxsplit=1)[0]
