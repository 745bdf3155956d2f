"""
Transcripts: what is typed at a table, and what has to come of it.

`==` begins a table: its edition, lines of its header, entries, with `; ` between. Then come lines
as they are typed, `Ann> ` where it is Ann's turn and `> ` where nobody's is known; `{a|b}` stands
for each of them, ` // ` for Enter. What they have to come to is indented below them (with nothing
above, it is typed as it stands):

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
    Lines of a transcript.

    Attributes:
        header: The record before them.
        turn: Whose turn it is; empty if nobody's is known.
        lines: What is typed, one after the other.
        due: What has to come of the last one.
        place: The number of the line in its file.
    """

    header: str
    turn: str
    lines: tuple[str, ...]
    due: str
    place: int


class Outcome(NamedTuple):
    """
    What came of a line.

    Attributes:
        entries: The entries that it was taken for, canonical.
        choices: What was asked: the entries that its answers would make, or single names.
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
                for whole in spelt_out(typed.strip()):
                    yield Typed(header, turn, tuple(whole.split(" // ")), line.strip(), where)
            above = []
        elif line and not line.startswith("#"):
            above.append((place, line))
    assert not above, above


def spelt_out(text: str) -> Iterator[str]:
    """Yield a text with one of each of its `{a|b}` in all the ways."""
    parts = re.split(r"\{([^}]*)\}", text)
    for way in product(*(part.split("|") if at % 2 else [part] for at, part in enumerate(parts))):
        yield " ".join("".join(way).split())


def same(one: str, other: str) -> bool:
    """Whether entries tell the same: in what order cards were named tells nothing."""
    return _facts(one) == _facts(other)


def _facts(entries: str) -> list[tuple[list[str], str]]:
    """Entries, each as the words of what was done, in any order, and its answers."""
    facts = []
    for entry in entries.split("; "):
        head, _, answers = entry.partition(": ")
        who, lacks, cards = head.partition(" lacks ")
        for card in cards.split(", ") if lacks else [head]:
            words = sorted(re.split(r", | ", f"{who}{lacks}{card}" if lacks else card))
            facts.append((words, re.sub(r"(^|, )\?$", "", answers)))
    return facts


def judged(typed: Typed, came: Outcome) -> str:
    """
    What became of a line: `right`, `misread`, `refused`, `asked`, or `asked amiss`.

    It is asked amiss where no answer to the question tells what is meant.
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
    """Who sits before a seat."""
    return table.seats[table.seats.index(seat) - 1]


def begun(typed: Typed) -> tuple[Table, TurnState]:
    """The table, and what is known of the turn before the first line."""
    record = parse_record(typed.header)
    state = TurnState.of(record.observations)
    if typed.turn:
        state = state.after(Skip(by=before(record.table, typed.turn)))
    return record.table, state


def by_reader(typed: Typed) -> Outcome:
    """What the reader makes of the last line; the entry of the one before may lack its answers."""
    table, state = begun(typed)
    waiting: Suggestion | Question | None = None
    entry = ""
    for line in typed.lines:
        try:
            ways = readings(line, table, state, open=waiting)
        except NotationError as error:
            return Outcome(word=_word_at(error.line, error.column))
        ways = tuple(way for way in ways if way.by_order) or ways
        choices = [name for way in ways if way.gap for name in way.gap.names]
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
    """What a game says that is being logged, from its first line on."""
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
