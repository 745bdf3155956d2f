"""Why a card is where it is, and why a log cannot be right: arguments and corrections in words."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from clue_solver.answers.corrections import Check, CorrectedLine, Correction
from clue_solver.answers.display import percent, share, view
from clue_solver.answers.reasons import Reason, ReasonStep
from clue_solver.answers.turns import OddTurn, OddTurnKind
from clue_solver.errors import Contradiction, listed, named_entries
from clue_solver.rules.table import ENVELOPE
from clue_solver.views.document import Block, Line, Rows
from clue_solver.views.reasons import holder_text, step_text
from clue_solver.views.reports import onlooker, quoted

_MOST_CORRECTIONS, _MOST_ALIKE = 8, 4
"""How many corrections are listed, and how many of them for the same entries."""

_NOTABLE = 0.005
"""By how much an entry must move a chance to be named."""


@view(Reason, "document")
def reason_document(reason: Reason) -> Iterator[Block]:
    """Yield why a card is where it is: the entries, and the argument step by step."""
    first, *more = reason_headline(reason)
    yield Line(first, "bold")
    yield from map(Line, more)
    yield from reason_sections(reason)


@view(Check, "document")
def check_document(check: Check) -> Iterator[Block]:
    """Yield whether the log fits together, or why not, and what may have been meant."""
    if check.conflict is None:
        yield Line(f"The log fits together, as {onlooker(check.viewer)} saw it.", "bold")
        yield from map(Line, turn_texts(check.turns))
        return
    yield Line("The log contradicts itself.", "bold")
    if check.conflict:
        yield Rows("These entries cannot all be true", [*quoted(check.lines, check.conflict)])
    yield Rows("How it follows", [*_argument(check.steps)])
    if odd := [("", text) for text in turn_texts(check.turns)]:
        yield Rows("The order of turns", odd)
    best = _diverse(check.corrections)
    if not best:
        yield Rows("No change of one or two entries makes the log fit.")
        return
    rows = [row for correction in best for row in _correction(correction)]
    if more := len(check.corrections) - len(best):
        rows.append(("", f"and {more} more"))
    rows.append(("", "None of these? Change the entry itself."))
    order = "likeliest first" if best[0].weighed else "commonest slips first"
    yield Rows(f"What may have been meant, {order}", rows)


@view(Reason, "line")
def reason_line(reason: Reason) -> str:
    """Return where a card is or may be, and the entries behind it, as one line."""
    head = " ".join(reason_headline(reason))
    return f"{head}; {named_entries(reason.entries)}" if reason.entries else head


@view(Check, "line")
def check_line(check: Check) -> str:
    """Return whether the log is consistent, for whom, and how many corrections, as one line."""
    if check.conflict is None:
        return f"the log fits together; {check.viewer}"
    corrections = f"corrections: {len(check.corrections)}"
    return f"{Contradiction(check.conflict)}; {check.viewer}; {corrections}"


def reason_headline(reason: Reason) -> tuple[str, ...]:
    """Return where a card is or may be, and where no entry says so, what does."""
    if reason.verdict == "open":
        where = "in the envelope" if reason.holder == ENVELOPE else f"with {reason.holder}"
        head = f"{reason.card} may be {where}: {percent(reason.probability)} %."
        if any(abs(influence.change) >= _NOTABLE for influence in reason.moved):
            return (head,)
        return head, "No single entry changed this chance much."
    if reason.entries:
        return (_fact(reason),)
    supposed = any(step.rule == "told" for step in reason.steps)
    basis = (
        "It follows from what is supposed."
        if supposed
        else "It is so however the cards were dealt."
    )
    return _fact(reason), basis


def reason_sections(reason: Reason) -> Iterator[Rows]:
    """Yield the entries that force a fact and the argument, or those that moved an open one."""
    if reason.verdict == "open":
        yield from _undecided(reason)
        return
    if reason.entries:
        yield Rows("These entries prove it", [*quoted(reason.lines, reason.entries)])
    yield Rows("How it follows", [*_argument(reason.steps)])


def turn_texts(turns: Sequence[OddTurn] | None) -> Iterator[str]:
    """
    Yield what is odd about the turns of a log, a sentence each; `None` where they are not judged.

    >>> odd = OddTurn(7, "again", "Ben", "Cat"), OddTurn(9, "left out", "Dan", "Cat")
    >>> print(*turn_texts(odd))
    Entry 7: Ben takes two turns in a row. Entry 9: it was Cat's turn, not Dan's.
    """
    if turns is None:
        yield "Turns are not judged: many are missing from these notes."
        return
    for turn in turns:
        yield f"Entry {turn.entry}: {_ODD_TURNS[turn.kind].format(turn.seat, turn.expected)}."


_ODD_TURNS: Mapping[OddTurnKind, str] = {
    "again": "{0} takes two turns in a row",
    "left out": "it was {1}'s turn, not {0}'s",
    "out": "{0} takes a turn, but is out of the game",
}


def _fact(reason: Reason) -> str:
    if reason.holder == ENVELOPE:
        verb = "holds" if reason.verdict == "holds" else "does not hold"
        return f"The envelope {verb} {reason.card}."
    verb = "has" if reason.verdict == "holds" else "cannot have"
    return f"{reason.holder} {verb} {reason.card}."


def _undecided(reason: Reason) -> Iterator[Rows]:
    for how, sign in (("likelier", 1), ("less likely", -1)):
        title = f"What made it {how}"
        rows = []
        for influence in reason.moved:
            if sign * influence.change >= _NOTABLE:
                ((label, line),) = quoted(reason.lines, [influence.entry])
                rows.append((label, f"{_rise(influence.before, influence.after)}  {line}"))
        if rows:
            yield Rows(title, tuple(rows))
    if reason.by_rules is not None and abs(reason.probability - reason.by_rules) >= _NOTABLE:
        rise = _rise(reason.by_rules, reason.probability)
        yield Rows("What people usually do", [("", f"{rise}, unless somebody bluffs")])


def _rise(before: float, after: float) -> str:
    """Return from which chance to which, in percent."""
    return f"from {share(before)} to {share(after)}"


def _argument(steps: Sequence[ReasonStep]) -> Iterator[tuple[str, str]]:
    """Yield the steps with their numbers; neighbours of one kind as one line."""
    numbered = list(enumerate(steps, 1))
    for _, run in groupby(numbered, lambda pair: _said_together(*pair)):
        group = list(run)
        first, step = group[0]
        label = _span(first, group[-1][0])
        facts = [step.fact for _, step in group if step.fact]
        uses = f"  [{_spans(step.uses)}]" if step.uses else ""
        if len(facts) < 2:
            yield label, step_text(step) + uses
            continue
        who = listed(dict.fromkeys(holder_text(fact.holder) for fact in facts))
        many = len({fact.holder for fact in facts}) > 1
        has = facts[0].verdict == "holds"
        verb = "have" if many or not has else "has"
        lead = who if has else f"{who} {'do' if many else 'does'} not"
        cards = listed(dict.fromkeys(fact.card for fact in facts), "and" if has else "or")
        yield label, f"{lead} {verb} {cards}: {step_text(step, claim=False)}{uses}"


def _said_together(number: int, step: ReasonStep) -> object:
    """Return what neighbours must share to be told in one line."""
    if step.fact is None or step.rule == "cases":
        return number
    return step.fact.verdict, step.rule, step.entries, step.uses, step_text(step, claim=False)


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
    alike = Counter[tuple[int | None, ...]]()
    chosen = []
    for correction in corrections:
        places = tuple(change.entry for change in correction.changes)
        alike[places] += 1
        if alike[places] <= _MOST_ALIKE:
            chosen.append(correction)
    return chosen[:_MOST_CORRECTIONS]


def _correction(correction: Correction) -> Iterator[tuple[str, str]]:
    """Yield a correction, its chance beside the first of its changes."""
    label = "100 %" if correction.probability == 1 else f"{percent(correction.probability)} %"
    for change in correction.changes:
        yield label, change_text(change)
        label = "and"


def change_text(change: CorrectedLine) -> str:
    """
    Return what a correction changes: only what is other than it was.

    >>> from clue_solver import Game, load
    >>> from clue_solver.rules.observations import Reveal
    >>> wrong = Reveal(seat="Ben", card="Hall")
    >>> game = Game(load("examples/classic.clue").record.upto(2).append(wrong))
    >>> change_text(game.check().corrections[0].changes[0])
    'entry 2: "Ben shows Hall" instead of "Ben passes, Cat shows Hall"'
    """
    where = "the header" if change.entry is None else f"entry {change.entry}"
    if not change.before:
        return f'before {where}: "{change.after}"'
    before, after = (_parts(line) for line in (change.before, change.after))
    begin = _alike(before, after)
    end = _alike(before[begin:][::-1], after[begin:][::-1])
    old, new = ("".join(line[begin : len(line) - end]).strip(",: ") for line in (before, after))
    if not new:
        return f'{where}: without "{old}"'
    return f'{where}: "{new}"' + (f' instead of "{old}"' if old else " besides")


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return with how many equal parts two lines begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _parts(line: str) -> list[str]:
    """Return a line as what can be changed by itself: names and answers with what follows them."""
    return re.findall(r"[^,:]+[,:]?\s*", line)
