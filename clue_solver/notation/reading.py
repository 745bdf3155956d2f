"""
Line to observation: a plain suggestion by its shape, any other line by the grammar.

A line that has no meaning is read once more by the lenient grammar, for what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, cast

from clue_solver.errors import NotationError
from clue_solver.notation import words as typed
from clue_solver.notation.canonical import format_answer, format_line, parse_canonical
from clue_solver.notation.checks import BY_MISTAKE, Kind, TurnState, answering
from clue_solver.notation.faults import Faults, ambiguous, misspelt_verb, refuse_no
from clue_solver.notation.grammar import Grammar
from clue_solver.notation.meanings import TooAmbiguous, Trail, reader_of, the_one
from clue_solver.notation.nodes import Node
from clue_solver.rules.forms import AnswerList, Seen, SingleAnswer
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table

LONGEST, MOST_WORDS = 10_000, 250
"""The most characters and words that a line may have."""

_MISTAKE = re.compile(r"\bpass(?:es|ed)?\s+(wrongly|by mistake)\b", re.IGNORECASE)


def parse_line(line: str, table: Table, state: TurnState | None = None) -> Observation:
    """
    Return the observation that a line tells, in its canonical form.

    Args:
        line: What a person typed, in full or in short; a comment is left aside.
        table: The table at which it was made.
        state: What the earlier lines mean for it; a game that has not begun if left out.

    Raises:
        NotationError: If the line cannot be read, or in more than one way; with the place in it.
    """
    return read_line(line, table, state).observation


class Told(NamedTuple):
    """
    A line that can be read, and all that it tells.

    Attributes:
        line: The line, without its comment.
        observation: What it tells, in its canonical form.
        guessed: Whose turn it is taken for, where that must be known and it does not say so.
        left_out: Who shows a card that it leaves out on purpose: `Cat shows ?`, `Cat ?`.
        unheard: Whether it ends in `?`: what may follow is left out on purpose.
        comment: What stands behind it.
        sorted: Whether its answers were told in another order than they were given.
        spoken: Whether it was said in other words; `line` is what they were taken for.
        said: The seats whose answers it says, without those that follow. `None` where it is in
            canonical form, which may have been filled in: the line of an entry or of a button.
    """

    line: str
    observation: Observation
    guessed: str | None = None
    left_out: frozenset[str] = frozenset()
    unheard: bool = False
    comment: str = ""
    sorted: bool = False
    spoken: bool = False
    said: frozenset[str] | None = None


def read_line(line: str, table: Table, state: TurnState | None = None) -> Told:
    """Return all that a line tells; arguments and errors as of `parse_line`."""
    state = state or TurnState()
    body = _body(line)
    comment = typed.split_comment(line)[1]
    unheard = body.endswith("?")
    plain = parse_canonical(body, table, state)
    if plain is not None and body == format_line(plain, table):
        return Told(body, plain, unheard=unheard, comment=comment)
    # Any other line, by the grammar.
    observation, trail = _read(line, table, state)
    guessed = None
    if observation.turn and not any(path == ("subject",) for path, _ in trail.parts):
        guessed = str(getattr(observation, observation.form.subject))
    seats = {path[:-1]: named.name for path, named in trail.parts if path[-1:] == ("seat",)}
    cards = (
        path[:-1] for path, named in trail.parts if named.name == "?" and path[-1:] == ("card",)
    )
    left_out = frozenset(seats[path] for path in cards if path in seats)
    resorted = _sorted(observation, [*seats.values()])
    said = None
    if trail.node.whole is not None and body != format_line(observation, table):
        said = answering(trail.node.whole())
    return Told(body, observation, guessed, left_out, unheard, comment, resorted, said=said)


def _sorted(observation: Observation, seats: list[str]) -> bool:
    """Return whether answers were told in another order than that in which they stand now."""
    if not isinstance(observation.form.tail, AnswerList):
        return False
    order = [answer.seat for answer in getattr(observation, observation.form.tail.field)]
    places = [order.index(seat) for seat in seats if seat in order]
    return places != sorted(places)


def told_as(
    observation: Observation,
    table: Table,
    *,
    left_out: frozenset[str] = frozenset(),
    unheard: bool = False,
) -> Told:
    """
    Return an observation as if its line had been read.

    Args:
        observation: In its canonical form.
        table: The table at which it was made.
        left_out: Who shows a card that is left out on purpose.
        unheard: Whether what it lacks at its end is left out on purpose.
    """
    line = format_line(observation, table)
    match observation.form.tail:
        case AnswerList(field=field) if left_out:
            said = []
            for answer in getattr(observation, field):
                text = format_answer(answer)
                shows = answer.answer == "shows" and answer.seat in left_out
                said.append(f"{text} ?" if shows else text)
            line = f"{line.partition(': ')[0]}: {', '.join(said)}"
        case SingleAnswer() if left_out:
            line = f"{line} ?"
        case AnswerList(field=field) | SingleAnswer(field=field) if unheard:
            if getattr(observation, field) in ((), "unheard"):
                line = f"{line}: ?"
        case Seen(name=name) if unheard and getattr(observation, name.field) is None:
            line = f"{line}: ?"
    return Told(line, observation, None, left_out, line.endswith("?"))


def parse_told(
    kind: type[Kind], text: str, table: Table, state: TurnState | None = None, *, subject: str
) -> Kind:
    """
    Return the observation of which a text tells what stands after the verb: `plum rope hall`.

    Args:
        kind: The kind of observation.
        text: What a person typed, in full or in short.
        table, state: As in `parse_line`.
        subject: The seat that does it.

    Raises:
        NotationError: As in `parse_line`; the place is one in the text.
    """
    observation, _ = _read(
        text,
        table,
        state or TurnState(),
        lambda grammar: grammar.after_verb(kind, subject),
        verb=kind.form.verb,
    )
    return cast(Kind, observation)


def _read(
    line: str,
    table: Table,
    state: TurnState,
    start: Callable[[Grammar], Node | None] = Grammar.start,
    *,
    verb: str = "suggests",
) -> tuple[Observation, Trail]:
    """
    Return the one meaning of a line and its trail, names looked for only as far as need be.

    `verb` is what is told where the line has none.
    """
    body = _body(line)
    reader = reader_of(table, state, start)
    words = reader.words(body)
    if not words:
        raise NotationError("expected an observation; found nothing", line=line)
    try:
        # What the words can mean; if nothing, what is wrong with them.
        meanings = reader.plainest(words)
        if not meanings:
            if mistake := _MISTAKE.search(body):
                raise NotationError(BY_MISTAKE, line=line, column=mistake.start(1))
            lenient = reader_of(table, state, start, lenient=True)
            raise Faults(lenient, words, verb).error(line)
    except TooAmbiguous:
        reason = "too many ways to read this: write the names out"
        raise NotationError(reason, line=line) from None
    # The one that is meant.
    one = the_one(meanings, body, table)
    if one is None:
        raise misspelt_verb(reader, words, meanings, line) or ambiguous(meanings, line, table)
    refuse_no(meanings[one], reader.lexicon.seats, line)
    return one, meanings[one]


def _body(line: str) -> str:
    """Return the line without its comment, unless it is empty or far too long."""
    body, comment = typed.split_comment(line)
    if not body.strip():
        before = " before its comment, as in 'Ann skips # late'" if comment else ""
        raise NotationError(f"expected an observation{before}; found nothing", line=line)
    if len(body) > LONGEST:
        reason = f"expected at most {LONGEST} characters in a line; found {len(body)}"
        raise NotationError(reason, line=line)
    if len(body) > 2 * MOST_WORDS and len(body.split()) > MOST_WORDS:
        reason = f"expected at most {MOST_WORDS} words in a line; found {len(body.split())}"
        raise NotationError(reason, line=line)
    return body
