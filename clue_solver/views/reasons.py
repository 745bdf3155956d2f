"""Why a card is where it is, why a log cannot be right, and what may have been meant, in words."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby

from clue_solver.answers.corrections import Check, CorrectedLine, Correction
from clue_solver.answers.display import percent, share, view
from clue_solver.answers.reasons import Reason, ReasonStep
from clue_solver.answers.report import Fact
from clue_solver.answers.turns import OddTurn
from clue_solver.errors import Contradiction, counted, listed, named_entries
from clue_solver.rules import observations as observed
from clue_solver.rules.table import ENVELOPE
from clue_solver.views.document import Block, Line, Rows
from clue_solver.views.reports import onlooker, quoted

_BECAUSE = {
    "placed": "{who} has it",
    "only place": "nowhere else is left",
    "full": "the whole hand is {cards}",
    "full of none": "that hand has no cards",
    "needed": "the hand needs every card that is left for it: {cards}",
    "category taken": "the envelope holds {cards}, and only one of each kind",
    "last of category": "it is the only one left of {cards}",
    "only of category": "it is the only one of its kind in play",
    "either-or": "{place} has at least one of {any_card}{entries}, but none of the others",
    "not all": "{place} does not have all of {cards}{entries}, but has the others",
    "full of either-ors": "what that hand must have of {cards}{entries} already fills it",
    "hands full": "{cards} already fill the hands of {who}",
    "hands needed": "{who} need all of {cards}",
    "cases": "every case ends in a contradiction: {cases}{entries}",
    "counted": "it is so in every possible deal{entries}; there are too many cases to list",
    "supposed": "we suppose so",
    "clash": "{who} would both have {cards} and not have it",
}
"""What each rule says of a fact."""

_CONTRADICTS = {
    "only place": "there is nowhere left for {cards}",
    "full": "{place} has only {size}, not all of {cards}",
    "needed": "too few cards are left for {place}",
    "last of category": "none of {cards} is left for the envelope",
    "either-or": "{place} has at least one of {any_card}{entries}, yet can have none of them",
    "not all": "{place} does not have all of {cards}{entries}, yet has every one",
    "full of either-ors": "{place} has too small a hand for what it must have of {cards}{entries}",
    "hands full": "{cards} are too many for the hands of {who}",
    "hands needed": "{cards} are too few for the hands of {who}",
    "counted": "no deal fits{entries}; there are too many cases to list",
}
"""What a rule says, where that is something else, of a contradiction."""

_ODD_TURNS = {
    "again": "{0} takes two turns in a row",
    "left out": "it was {1}'s turn, not {0}'s",
    "out": "{0} takes a turn, but is out of the game",
}

_MOST_CORRECTIONS, _MOST_ALIKE = 8, 4
"""How many corrections are listed, and how many of them for the same entries."""

_NOTABLE = 0.005
"""By how much an entry must move a chance to be named."""


@view(Reason, "document")
def reason_document(reason: Reason) -> Iterator[Block]:
    """Yield why a card is where it is: the entries and the argument, or what moved its chance."""
    yield Line(_headline(reason), "bold")
    if reason.verdict == "open":
        yield from _moved(reason)
        return
    if reason.entries:
        yield Rows("These entries prove it", [*quoted(reason.lines, reason.entries)])
    elif any(step.rule == "told" for step in reason.steps):
        yield Line("It follows from what you suppose.")
    else:
        yield Line("It is so however the cards were dealt.")
    yield Rows("How it follows", [*_argument(reason.steps)])


@view(Reason, "line")
def reason_line(reason: Reason) -> str:
    """Return where a card is or may be, and the entries behind it, as one line."""
    head = _headline(reason)
    return f"{head}; {named_entries(reason.entries)}" if reason.entries else head


def _headline(reason: Reason) -> str:
    card, holder = reason.card, reason.holder
    if reason.verdict == "open" and holder == ENVELOPE:
        return f"{card} may be in the envelope: {percent(reason.probability)}%."
    if reason.verdict == "open":
        return f"{holder} may have {card}: {percent(reason.probability)}%."
    if holder == ENVELOPE:
        verb = "holds" if reason.verdict == "holds" else "does not hold"
        return f"The envelope {verb} {card}."
    return f"{holder} {'has' if reason.verdict == 'holds' else 'cannot have'} {card}."


def _moved(reason: Reason) -> Iterator[Block]:
    """Yield which entries, and which habits of players, moved the chance of an open card."""
    notable = [each for each in reason.moved if abs(each.change) >= _NOTABLE]
    if not notable:
        yield Line("No single entry changed this chance much.")
    for how, sign in (("likelier", 1), ("less likely", -1)):
        rows = [
            (label, f"{_rise(each.before, each.after)}  {line}")
            for each in notable
            if sign * each.change > 0
            for label, line in quoted(reason.lines, [each.entry])
        ]
        if rows:
            yield Rows(f"What made it {how}", rows)
    if reason.by_rules is not None and abs(reason.probability - reason.by_rules) >= _NOTABLE:
        rise = _rise(reason.by_rules, reason.probability)
        yield Rows("What people usually do", [("", f"{rise}, unless somebody bluffs")])


def _rise(before: float, after: float) -> str:
    return f"from {share(before)} to {share(after)}"


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
    rows = [
        ("and" if place else share(correction.probability), change_text(change))
        for correction in best
        for place, change in enumerate(correction.changes)
    ]
    if more := len(check.corrections) - len(best):
        rows.append(("", f"and {more} more"))
    rows.append(("", "None of these? Edit the entry yourself."))
    order = "likeliest first" if best[0].weighed else "most common slips first"
    yield Rows(f"What may have been meant, {order}", rows)


@view(Check, "line")
def check_line(check: Check) -> str:
    """Return whether the log is consistent, for whom, and how many corrections, as one line."""
    if check.conflict is None:
        return f"the log fits together; {check.viewer}"
    corrections = f"corrections: {len(check.corrections)}"
    return f"{Contradiction(check.conflict)}; {check.viewer}; {corrections}"


def turn_texts(turns: Sequence[OddTurn] | None) -> Iterator[str]:
    """
    Yield what is odd about the turns of a log, a sentence each; `None` where they are not judged.

    >>> odd = OddTurn(7, "again", "Ben", "Cat"), OddTurn(9, "left out", "Dan", "Cat")
    >>> print(*turn_texts(odd))
    Entry 7: Ben takes two turns in a row. Entry 9: it was Cat's turn, not Dan's.
    """
    if turns is None:
        yield "The order of turns is not checked: too many turns are missing from these notes."
        return
    for turn in turns:
        yield f"Entry {turn.entry}: {_ODD_TURNS[turn.kind].format(turn.seat, turn.expected)}."


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
    before, after = (_PARTS.findall(line) for line in (change.before, change.after))
    changes = dict[str, None]()
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old, new = ", ".join(before[a:b]), ", ".join(after[c:d])
        match kind:
            case "replace":
                changes[f'"{new}" instead of "{old}"'] = None
            case "delete":
                changes[f'without "{old}"'] = None
            case "insert":
                changes[f'"{new}" added'] = None
    return f"{where}: {', '.join(changes)}"


_PARTS = re.compile(r"\w[^,:]*? (?:suggests|holds)\b|\w[^,:]*")
"""What can be changed of a line by itself: who does something, and each name."""


def _argument(steps: Sequence[ReasonStep]) -> Iterator[tuple[str, str]]:
    """Yield the steps with their numbers; neighbours of one kind as one line."""
    for _, run in groupby(enumerate(steps, 1), lambda pair: _told_together(*pair)):
        group = list(run)
        first, step = group[0]
        label = _span(first, group[-1][0])
        facts = [step.fact for _, step in group if step.fact]
        uses = f"  [{_spans(step.uses)}]" if step.uses else ""
        claim = _claim(facts) if facts else "that is a contradiction"
        yield label, f"{claim}: {_why(step)}{uses}"


def _told_together(number: int, step: ReasonStep) -> object:
    """Return what neighbours must share to be told in one line."""
    if step.fact is None or step.rule == "cases":
        return number
    return step.fact.verdict, step.rule, step.entries, step.uses, _why(step)


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


@view(ReasonStep, "sentence")
def step_text(step: ReasonStep) -> str:
    """Return a step of an argument: what it shows, and why."""
    claim = _claim([step.fact]) if step.fact else "that is a contradiction"
    return f"{claim}: {_why(step)}"


def _claim(facts: Sequence[Fact]) -> str:
    """Return what facts of one verdict say: who has these cards, or has none of them."""
    holders = dict.fromkeys(fact.holder for fact in facts)
    who = listed("the envelope" if holder == ENVELOPE else holder for holder in holders)
    has, have = ("holds", "hold") if [*holders] == [ENVELOPE] else ("has", "have")
    cards = dict.fromkeys(fact.card for fact in facts)
    if facts[0].verdict == "holds":
        return f"{who} {have if len(holders) > 1 else has} {listed(cards)}"
    return f"{who} {'do' if len(holders) > 1 else 'does'} not {have} {listed(cards, 'or')}"


def _why(step: ReasonStep) -> str:
    """Return why a step is so, in the words of its rule."""
    entries = f" ({named_entries(step.entries)})" if step.entries else ""
    if step.rule == "told":
        return _told(step) + entries
    if step.rule == "cases" and len(step.cases) == 1:
        return f"suppose not; {_case(step.cases[0])}{entries}"
    rule: str = step.rule
    if rule == "full" and step.fact and not step.cards:
        rule = "full of none"
    elif rule == "last of category" and step.fact and len(step.cards) == 1:
        rule = "only of category"
    words = _BECAUSE[rule] if step.fact else _CONTRADICTS.get(rule, _BECAUSE[rule])
    who = [_holder(holder) for holder in step.holders]
    return words.format(
        who=listed(who),
        place=_holder(step.fact.holder) if step.fact else listed(who),
        cards=listed(step.cards),
        any_card=listed(step.cards, "or"),
        size=counted(step.size, "card"),
        cases="; or ".join(f"suppose {_case(case)}" for case in step.cases),
        entries=entries,
    )


def _holder(holder: str) -> str:
    return "the envelope" if holder == ENVELOPE else holder


def _case(case: Sequence[ReasonStep]) -> str:
    """Return what follows in a case, down to the contradiction."""
    words = []
    for step in case:
        if step.fact is None:
            words.append(f"a contradiction: {_why(step)}")
        elif step.rule == "supposed":
            words.append(_claim([step.fact]))
        else:
            words.append(f"then {step_text(step)}")
    return "; ".join(words)


def _told(step: ReasonStep) -> str:
    """Return what the entry says about the fact."""
    fact = step.fact
    match step.observation:
        case None:
            return "you suppose so"
        case observed.Hand():
            return "the whole hand is known"
        case (
            observed.Suggestion(by=by, cards=asked)
            | observed.Finger(by=by, cards=asked)
            | observed.Question(by=by, about=asked)
        ) if fact is not None:
            return f"shown to {by}" if fact.verdict == "holds" else f"passed on {listed(asked)}"
        case observed.Suggestion() | observed.Finger() | observed.Question():
            return "a card was shown, yet all of those asked for lie face up"
        case observed.Look(by=by):
            return f"{by} saw it there"
        case observed.Reveal():
            return "revealed"
        case observed.Nobody():
            return "nobody revealed it"
        case observed.Accusation(right=True) if fact is None:
            return "the accusation was right, yet one of its cards lies face up"
        case observed.Accusation(right=right):
            return f"the accusation was {'right' if right else 'wrong'}"
        case observed.Peek() if fact is None:
            return "the notch shows one card, and a card has one colour"
        case observed.Peek(feature=feature):
            return f"no other card shows {feature} in the notch"
        case _:
            return "it is known"
