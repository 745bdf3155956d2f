"""Line to observation: of all that the words can spell, what makes sense at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import cast

from clue_solver.errors import NotationError, escape
from clue_solver.names import Reach, joined
from clue_solver.notation.course import Course
from clue_solver.notation.finding import Draft, Finder
from clue_solver.notation.grammar import Grammar
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.misfit import Misfit, Path
from clue_solver.notation.plain import plain_suggestion
from clue_solver.notation.settling import settle
from clue_solver.notation.words import Crowded, Named, divided, split_comment, words_in
from clue_solver.notation.writing import format_fact, format_line
from clue_solver.observation import Knowing, Observation
from clue_solver.table import Table

LONGEST, MOST_WORDS = 10_000, 250
"""The most characters and words that a line may have."""

_MOST_DRAFTS, _MOST_MEANINGS = 2_000, 8

Meanings = dict[Observation, Draft]
Rules = Sequence[Callable[[Grammar], Iterator[Draft]]]


def parse_line(line: str, table: Table, course: Course | None = None) -> Observation:
    """
    Return the observation that a line tells, in its canonical form.

    Args:
        line: What a person typed, in full or in short; a comment is left aside.
        table: The table at which it was made.
        course: What the earlier lines mean for it; a game that has not begun if left out.

    Raises:
        NotationError: If the line cannot be read, or in more than one way; with the place in it.
    """
    body = _body(line)
    plain = plain_suggestion(body, table, lexicon_of(table))
    if plain is not None:
        with suppress(Misfit):
            return settle(plain, table, course)
    rules = (Grammar.worded, Grammar.wordless)
    return _read(
        line, body, table, course or Course(), rules, write=partial(format_line, table=table)
    )


def parse_fact(text: str, table: Table) -> Knowing:
    """
    Return the fact that a text such as `Ben has Rope` tells, as the first seat's knowledge.

    Raises:
        NotationError: As `parse_line`.
    """
    return cast(
        Knowing, _read(text, _body(text), table, Course(), (Grammar.fact,), write=format_fact)
    )


def _body(line: str) -> str:
    """Return a line without its comment, unless it is too long or empty."""
    body, _ = split_comment(line)
    if not body.strip():
        raise NotationError("expected an observation; found nothing", line=line)
    if len(body) > LONGEST:
        reason = f"expected at most {LONGEST} characters in a line; found {len(body)}"
        raise NotationError(reason, line=line)
    if len(body.split()) > MOST_WORDS:
        reason = f"expected at most {MOST_WORDS} words in a line; found {len(body.split())}"
        raise NotationError(reason, line=line)
    return body


def _read(
    line: str, body: str, table: Table, course: Course, rules: Rules, *, write: Callable[..., str]
) -> Observation:
    """Return what the body of a line means by some rules, which write it back as `write` does."""
    error = NotationError("expected an observation", line=line)
    for reach in Reach:
        meanings, failure = _meanings(body, table, course, reach, rules)
        if meanings:
            return _chosen(meanings, line, body, write)
        if reach is not Reach.ALL:
            error = failure
    raise NotationError(error.reason, line=line, column=error.column, nearest=error.nearest)


def _meanings(
    body: str, table: Table, course: Course, reach: Reach, rules: Rules
) -> tuple[Meanings, NotationError]:
    """What the line can mean, and why not if it means nothing."""
    lexicon = lexicon_of(table)
    before, after, column = divided(body, lexicon.places.names)
    head, tail = words_in(before, 0), words_in(after, column)
    if not head:
        return {}, NotationError("expected an observation before ':'; found nothing")
    finder = Finder(lexicon, reach, head[-1].column + len(head[-1].text))
    grammar = Grammar(head, tail, table=table, course=course, finder=finder)
    found: Meanings = {}
    drafts = 0
    try:
        for rule in rules:
            for draft in rule(grammar):
                drafts += 1
                if drafts > _MOST_DRAFTS:
                    raise Crowded
                try:
                    found.setdefault(settle(draft.observation, table, course), draft)
                except Misfit as misfit:
                    place = _column(misfit.path, draft.places, finder.end)
                    finder.fail(misfit.reason, place, nearest=misfit.nearest, read=True)
                if len(found) == _MOST_MEANINGS:
                    return found, finder.failure
            if found:
                break
    except Crowded:
        return {}, NotationError("too many ways to read this: write the names out")
    return found, finder.failure


def _column(path: Path, places: dict[Path, Named], end: int) -> int:
    """Where in the line the part at `path` stands, or else the part around it."""
    for size in range(len(path), 0, -1):
        columns = [named.column for at, named in places.items() if at[:size] == path[:size]]
        if columns:
            return min(columns)
    return end


def _chosen(meanings: Meanings, line: str, body: str, write: Callable[..., str]) -> Observation:
    """The one meaning; of several the one whose canonical form the line is."""
    if len(meanings) == 1:
        return next(iter(meanings))
    lines = {observation: write(observation) for observation in meanings}
    plain = " ".join(body.split())
    exact = [one for one, text in lines.items() if text == plain]
    folded = [one for one, text in lines.items() if text.casefold() == plain.casefold()]
    for same in (exact, folded):
        if len(same) == 1:
            return same[0]
    raise _ambiguous(list(meanings.values()), list(lines.values()), line)


def _ambiguous(drafts: list[Draft], lines: list[str], line: str) -> NotationError:
    """Say what can be read in several ways: one word where it is only that, else the line."""
    spots: dict[tuple[int, str], list[str]] = {}
    for draft in drafts:
        for named in draft.places.values():
            spots.setdefault((named.column, named.text), []).append(named.name)
    for (column, text), names in sorted(spots.items()):
        each = tuple(dict.fromkeys(names))
        if text and len(names) == len(drafts) and len(each) > 1:
            reason = f"'{escape(text)}' can be {joined(each)}"
            return NotationError(reason, line=line, column=column, nearest=each)
    reason = " or ".join(f"'{text}'" for text in lines[:3])
    return NotationError(f"this can be {reason}", line=line, nearest=tuple(lines))
