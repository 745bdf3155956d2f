"""
Reasons and checks as text, for a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.text import Text

from clue_solver.report.check import Check
from clue_solver.report.reasons import Reason, ReasonStep, listed
from clue_solver.report.text import Section, labelled, percent, quoted
from clue_solver.slips import Correction
from clue_solver.table import ENVELOPE

_MOST_CORRECTIONS, _MOST_ALIKE, _NOTABLE = 8, 4, 0.005


def because(reason: Reason, lines: Sequence[str]) -> RenderableType:
    """Return why a card is where it is: the entries, and the argument step by step."""
    first, *more = reason_headline(reason)
    return Group(Text(first, "bold"), *map(Text, more), *_drawn(reason_sections(reason, lines)))


def checked(check: Check, lines: Sequence[str], *, viewer: str = "the viewer") -> RenderableType:
    """Return whether the log holds together for a viewer, or why not and what would mend it."""
    if check.conflict is None:
        return Text(check_headline(viewer))
    _, *parts = _drawn(check_sections(check, lines))
    return Group(*parts)


def _drawn(sections: Iterable[Section]) -> Iterator[RenderableType]:
    """Yield the sections, a blank line above each."""
    for title, told in sections:
        yield Text()
        yield labelled(title, told) if told else Text(title)


def reason_headline(reason: Reason) -> tuple[str, ...]:
    """Return where a card is or may be, and where no entry says so, what does."""
    if reason.verdict == "open":
        where = "in the envelope" if reason.holder == ENVELOPE else f"with {reason.holder}"
        head = f"{reason.card} may be {where}: {percent(reason.probability)} %."
        if any(abs(each.change) >= _NOTABLE for each in reason.moved):
            return (head,)
        return head, "Nothing in the log bears on it by as much as half a percent."
    if reason.entries:
        return (_fact(reason),)
    supposed = any(step.rule == "told" for step in reason.steps)
    basis = "It follows from what is supposed." if supposed else "It holds in every deal."
    return _fact(reason), basis


def reason_sections(reason: Reason, lines: Sequence[str]) -> Iterator[Section]:
    """Yield the entries that force a fact and the argument, or those that moved an open one."""
    if reason.verdict == "open":
        yield from _undecided(reason, lines)
        return
    if reason.entries:
        title = f"{_set(reason.minimum)} that forces it"
        yield Section(title, tuple(quoted(lines, reason.entries)))
    yield _steps(reason.steps)


def check_headline(viewer: str) -> str:
    """Return that a viewer's log holds together."""
    return f"The log holds together, as {viewer} saw it."


def check_sections(check: Check, lines: Sequence[str]) -> Iterator[Section]:
    """Yield which entries clash, why, and what would mend the log."""
    if check.conflict:
        title = f"{_set(check.minimum)} that cannot all be true"
        yield Section(title, tuple(quoted(lines, check.conflict)))
    yield _steps(check.steps)
    if not check.corrections:
        yield Section("No single change and no change of two entries mends it.", ())
        return
    best = _diverse(check.corrections)
    rows = [row for correction in best for row in _correction(correction)]
    if len(check.corrections) > len(best):
        rows.append(("", f"and {len(check.corrections) - len(best)} more"))
    order = "likeliest first" if best[0].weighed else "commonest slip first: too many deals"
    yield Section(f"What would mend it, {order}", tuple(rows))


def _set(minimum: bool) -> str:
    return "A smallest set of entries" if minimum else "A set of entries, perhaps not the smallest,"


def _fact(reason: Reason) -> str:
    if reason.holder == ENVELOPE:
        verb = "holds" if reason.verdict == "holds" else "does not hold"
        return f"The envelope {verb} {reason.card}."
    verb = "has" if reason.verdict == "holds" else "cannot have"
    return f"{reason.holder} {verb} {reason.card}."


def _undecided(reason: Reason, lines: Sequence[str]) -> Iterator[Section]:
    for title, moved in (
        ("What speaks for it", [each for each in reason.moved if each.change >= _NOTABLE]),
        ("What speaks against it", [each for each in reason.moved if -each.change >= _NOTABLE]),
    ):
        rows = []
        for each in moved:
            ((label, line),) = quoted(lines, [each.entry])
            change = f"{_share(each.before)} -> {_share(each.after)} %"
            rows.append((label, f"{change}  {line}"))
        if rows:
            yield Section(title, tuple(rows))


def _share(chance: float) -> str:
    return f"{chance * 100:.0f}" if chance in (0.0, 1.0) else percent(chance)


def _steps(steps: Sequence[ReasonStep]) -> Section:
    return Section("The argument", tuple(_told(steps)))


def _told(steps: Sequence[ReasonStep]) -> Iterator[tuple[str, str]]:
    """Yield the steps with their numbers; neighbours of one kind as one line."""
    numbered = list(enumerate(steps, 1))
    for _, run in groupby(numbered, lambda pair: _alike(*pair)):
        group = list(run)
        first, step = group[0]
        label = _span(first, group[-1][0])
        facts = [each.fact for _, each in group if each.fact]
        uses = f"  [{_spans(step.uses)}]" if step.uses else ""
        if len(facts) < 2:
            yield label, step.text + uses
            continue
        who = listed(list(dict.fromkeys(_name(fact.holder) for fact in facts)))
        many = len({fact.holder for fact in facts}) > 1
        has = facts[0].verdict == "holds"
        verb = "have" if many or not has else "has"
        lead = who if has else f"{who} {'do' if many else 'does'} not"
        cards = listed(list(dict.fromkeys(fact.card for fact in facts)), "and" if has else "or")
        yield label, f"{lead} {verb} {cards}: {_why(step)}{uses}"


def _alike(number: int, step: ReasonStep) -> object:
    """Return what neighbours must share to be told in one line."""
    if step.fact is None or step.rule == "cases":
        return number
    return step.fact.verdict, step.rule, step.entries, step.uses, _why(step)


def _why(step: ReasonStep) -> str:
    return step.text.partition(": ")[2]


def _name(holder: str) -> str:
    return "the envelope" if holder == ENVELOPE else holder


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _spans(numbers: Sequence[int]) -> str:
    """
    Return ascending numbers with runs of them joined.

    >>> _spans((1, 2, 3, 6, 8, 9))
    '1-3, 6, 8-9'
    """
    runs = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    spans = [[number for _, number in run] for _, run in runs]
    return ", ".join(_span(run[0], run[-1]) for run in spans)


def _diverse(corrections: Sequence[Correction]) -> list[Correction]:
    """Return the likeliest corrections, a few for each set of entries that they change."""
    listed_of: dict[tuple[int | None, ...], int] = {}
    chosen = []
    for correction in corrections:
        places = tuple(change.entry for change in correction.changes)
        listed_of[places] = listed_of.get(places, 0) + 1
        if listed_of[places] <= _MOST_ALIKE:
            chosen.append(correction)
    return chosen[:_MOST_CORRECTIONS]


def _correction(correction: Correction) -> Iterator[tuple[str, str]]:
    label = f"{percent(correction.probability)} %"
    if correction.probability == 1:
        label = "100 %"
    for change in correction.changes:
        where = "header" if change.entry is None else f"entry {change.entry}"
        yield label, f"{where}: {change.before}"
        yield "", f"{'':{len(where) - 3}}  -> {change.after}"
        label = "and"
