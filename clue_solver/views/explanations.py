"""
Reasons, checks and advice as text, for a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from clue_solver.answers.advice import Advice, AnswerChance, RankedSuggestion
from clue_solver.answers.corrections import Check, Correction
from clue_solver.answers.display import percent, share, view
from clue_solver.answers.reasons import Reason, ReasonStep, listed
from clue_solver.errors import shown
from clue_solver.table import ENVELOPE
from clue_solver.views.text import Section, labelled, page, quoted

_MOST_CORRECTIONS, _MOST_ALIKE, _NOTABLE = 8, 4, 0.005


def reason_text(reason: Reason, lines: Sequence[str]) -> RenderableType:
    """Return why a card is where it is: the entries, and the argument step by step."""
    if reason.verdict == "open":
        return _undecided(reason, lines)
    head = Text(_fact(reason), "bold")
    if not reason.entries:
        supposed = any(step.rule == "told" for step in reason.steps)
        basis = Text("It follows from what is supposed." if supposed else "It is so in every deal.")
        return Group(head, basis, Text(), _steps(reason.steps))
    size = "A smallest" if reason.minimum else "An irreducible"
    return Group(
        head,
        Text(),
        labelled(f"{size} set of entries that forces it", quoted(lines, reason.entries)),
        Text(),
        _steps(reason.steps),
    )


def check_text(check: Check, lines: Sequence[str], *, viewer: str = "the viewer") -> RenderableType:
    """Return whether the log is consistent for a viewer, or why not, and suggested corrections."""
    if check.conflict is None:
        return Text(f"The log is consistent, as {shown(viewer)} saw it.")
    parts: list[RenderableType] = []
    if check.conflict:
        title = "A smallest set of entries that cannot all be true"
        parts += [labelled(title, quoted(lines, check.conflict)), Text()]
    parts += [_steps(check.steps), Text()]
    if check.corrections:
        best = _diverse(check.corrections)
        rows = [row for correction in best for row in _correction(correction)]
        order = "likeliest first" if best[0].weighed else "most common slip first: too many deals"
        parts.append(labelled(f"Suggested corrections, {order}", rows))
        if len(check.corrections) > len(best):
            parts.append(Text(f"        and {len(check.corrections) - len(best)} more"))
    else:
        parts.append(Text("No correction of one or two entries makes the log consistent."))
    return Group(*parts)


def _fact(reason: Reason) -> str:
    if reason.holder == ENVELOPE:
        verb = "holds" if reason.verdict == "holds" else "does not hold"
        return f"The envelope {verb} {reason.card}."
    verb = "has" if reason.verdict == "holds" else "cannot have"
    return f"{shown(reason.holder)} {verb} {reason.card}."


def _undecided(reason: Reason, lines: Sequence[str]) -> RenderableType:
    where = "in the envelope" if reason.holder == ENVELOPE else f"with {shown(reason.holder)}"
    chance = percent(reason.probability)
    parts: list[RenderableType] = [Text(f"{reason.card} may be {where}: {chance} %.", "bold")]
    for title, moved in (
        (
            "Entries that made it likelier",
            [each for each in reason.moved if each.change >= _NOTABLE],
        ),
        (
            "Entries that made it less likely",
            [each for each in reason.moved if -each.change >= _NOTABLE],
        ),
    ):
        if moved:
            rows = []
            for each in moved:
                ((label, line),) = quoted(lines, [each.entry])
                change = f"{_share(each.before)} -> {_share(each.after)} %"
                rows.append((label, f"{change}  {line}"))
            parts += [Text(), labelled(title, rows)]
    if len(parts) == 1:
        parts.append(Text("No entry changed this chance by half a percentage point or more."))
    return Group(*parts)


def _share(chance: float) -> str:
    return f"{chance * 100:.0f}" if chance in (0.0, 1.0) else percent(chance)


def _steps(steps: Sequence[ReasonStep]) -> RenderableType:
    return labelled("The argument", _told(steps))


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
    return "the envelope" if holder == ENVELOPE else shown(holder)


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
        yield label, f"{where}: {shown(change.before, most=200)}"
        yield "", f"{'':{len(where) - 3}}  -> {shown(change.after, most=200)}"
        label = "and"


@page(Advice)
def advice_text(advice: Advice, *, most: int = 10) -> RenderableType:
    """Return what to ask, whether to accuse, who is close."""
    parts: list[RenderableType] = [
        Text(headline(advice), "bold"), Text(),
        Text("What to ask", "bold"), _suggestions(advice, most),
    ]  # fmt: skip
    for title, told in sections(advice):
        parts += [Text(), labelled(title, told) if told else Text(title)]
    return Group(*parts)


@view(Advice, "line")
def advice_line(advice: Advice) -> str:
    """Return whose advice it is, the best suggestion, and whether to accuse, as one line."""
    best = [f"best: {', '.join(each.cards)}" for each in advice.suggestions[:1]]
    return "; ".join((headline(advice), *best, advice.accuse.advice))


def headline(advice: Advice) -> str:
    """Return whose advice it is, and how much is left open."""
    return f"{shown(advice.viewer)}, {advice.bits:.2f} bits left"


def sections(advice: Advice) -> Iterator[Section]:
    """Yield what stands under the suggestions."""
    if advice.ask:
        yield Section("Ask", ((", ".join(advice.ask.cards), advice.ask.why),))
        best = advice.ask.suggestion
        rows = ((share(each.probability), _answer(each)) for each in best.answers[:6])
        yield Section(f"Possible answers to {', '.join(best.cards)}", tuple(rows))
    if advice.left_out:
        told = f"{advice.left_out:,} more suggestions, of fewer open cards, were not weighed."
        yield Section(told, ())
    if advice.heading:
        far = advice.heading.steps
        way = "" if far is None else f", {far} steps" if far else ", by the secret passage"
        told = f"No room is in reach: head for {advice.heading.room}{way}"
        yield Section(f"{told} ({advice.heading.gain:.2f} bits there).", ())
    if advice.bonus:
        bonus = ((f"{each.gain:.2f}", shown(each.action, most=200)) for each in advice.bonus[:6])
        yield Section("Bonus die (bits)", tuple(bonus))
    accuse = advice.accuse
    yield Section("Accuse?", ((accuse.advice, f"{', '.join(accuse.cards)}: {accuse.why}"),))
    if advice.opponents:
        close = ((share(each.knows), shown(each.seat)) for each in advice.opponents)
        yield Section("Opponents who may already know the solution", tuple(close))


def ranking(advice: Advice, *, most: int = 10) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the best suggestions as a table: its headings, and a row of cells for each."""
    board = any(each.reach < 1 for each in advice.suggestions)
    heads = ("bits", "settles", "best after", "leak", *(("reach",) * board), "suggestion")
    return heads, [tuple(_cells(each, board=board)) for each in advice.suggestions[:most]]


def _suggestions(advice: Advice, most: int) -> RenderableType:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    heads, rows = ranking(advice, most=most)
    for _ in heads[:-1]:
        grid.add_column(justify="right", no_wrap=True)
    grid.add_column()
    grid.add_row(*(Text(head, "dim") for head in heads))
    for row in rows:
        grid.add_row(*map(Text, row))
    return grid


def _cells(each: RankedSuggestion, *, board: bool) -> Iterator[str]:
    yield f"{each.gain:.2f}" + ("" if not each.error else f" ±{each.error:.2f}")
    yield share(each.settles)
    yield share(each.best_after)
    yield "" if each.leak is None else f"{each.leak:.2f}"
    if board:
        yield share(each.reach)
    yield ", ".join(each.cards)


def _answer(answer: AnswerChance) -> str:
    if not answer.shows:
        return "nobody shows"
    return ", ".join(f"{shown(seat)} shows {card}" for seat, card in answer.shows)
