"""Reasons in words: why a card is where it is, step by step, or what changed its chance."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from clue_solver.answers.display import chance_text, view
from clue_solver.answers.reasons import Influence, Reason, ReasonStep
from clue_solver.answers.report import Certain, Fact
from clue_solver.errors import counted, listed, named_entries, plural, sentences
from clue_solver.rules import observations as observed
from clue_solver.rules.table import ENVELOPE, Table
from clue_solver.views.document import Block, Line, Rows
from clue_solver.views.reports import quote, viewpoint
from clue_solver.views.sentences import a_chance, card_list, clause, possessive, subject, verb_form

STEPS = "Step by step"
"""The title above the numbered steps of an argument."""

_BECAUSE = {
    "placed": "{who} {who_has} it",
    "only place": "it can't be anywhere else",
    "full": "{whose} whole hand is {cards}",
    "full of none": "{place} {has} no cards",
    "needed": "{whose} hand needs every card that's left: {cards}",
    "category taken": "{cards} is, and there's only one of each kind",
    "last of category": "it's the only one of its kind left",
    "either-or": "{place} {has} {any_card}{entries}, but none of the others",
    "one shown": "{place} showed one of {cards}{entries}, but {doesnt} have {others}",
    "not all": "{place} {doesnt} have all of {cards}{entries}, but {has} {others}",
    "full of either-ors": "the rest of {whose} hand is among {cards}{entries}",
    "hands full": "{who} have room only for {cards}",
    "hands needed": "{who} need all of {cards} to fill their hands",
    "cases": "every case ends in a contradiction{entries}",
    "opposite": "the opposite can't be true{entries}",
    "counted": "it's true in every deal that fits{entries}; there are too many cases to list",
    "clash": "{who} can't both have {cards} and not have it",
}
"""What each rule says about a fact."""

_CONTRADICTS = {
    "only place": "there is nowhere left for {cards}",
    "full": "{place} {has} only {size}, too few for {cards}",
    "needed": "too few cards are left for {place}",
    "category taken": "{cards} would both be in the envelope, which has one of each kind",
    "last of category": "none of {cards} is left for the envelope",
    "either-or": "{place} {has} {any_card}{entries}, but {has} none of them",
    "one shown": "{place} showed one of {cards}{entries}, and can't have {any_of_them}",
    "not all": "{place} {doesnt} have all of {cards}{entries}, but {has} every one of them",
    "full of either-ors": "{place} must have more cards than fit in that hand{entries}",
    "hands full": "{who} don't have room for all of {cards}",
    "hands needed": "{cards} are too few to fill the hands of {who}",
    "counted": "no deal fits{entries}; there are too many cases to list",
}
"""What a rule says about a contradiction, if it differs from `_BECAUSE`."""

NOTABLE = 0.005
"""The least change of a chance, and the least chance of a correction, that is listed."""


@view(Reason, "document")
def reason_document(reason: Reason) -> Iterator[Block]:
    """Yield why a card is where it is: the entries and the argument, or what changed its chance."""
    yield Line(_headline(reason), "bold")
    if reason.partial:
        yield Line(viewpoint(reason.table.viewer), "dim")
    if reason.verdict == "open":
        yield from _changes(reason)
        return
    if reason.entries:
        proof = "This entry proves it" if len(reason.entries) == 1 else "These entries prove it"
        yield Rows(proof, [*quote(reason.lines, reason.entries)])
    elif any(step.rule == "told" for step in reason.steps):
        yield Line("It follows from what you suppose.")
    else:
        yield Line("That's true however the cards were dealt.")
    if len(reason.steps) > 1 or not reason.entries:
        yield Rows(STEPS, [*argument_rows(reason.steps)])


def _headline(reason: Reason) -> str:
    """Return where a card is, or how likely it is there, as a sentence."""
    verdict: Certain = "lacks" if reason.verdict == "lacks" else "holds"
    fact = _claim([Fact(reason.card, reason.holder, verdict)], reason.table)
    if reason.verdict == "open":
        return f"It isn't proved: there's {a_chance(reason.probability)} that {fact}."
    return sentences(fact)


def _changes(reason: Reason) -> Iterator[Block]:
    """Yield which entries, and which habits of players, changed the chance of an open card."""
    rows, last = list[tuple[str, str, str]](), ""
    for each in sorted(reason.moved, key=lambda each: each.entry):
        before, after = chance_text(each.before), chance_text(each.after)
        if abs(each.change) >= NOTABLE and before != after:
            if last not in ("", before):
                rows.append(("…", f"from {last} to {before}", "other entries, a little each"))
            ((number, line),) = quote(reason.lines, [each.entry])
            rows.append((number, f"from {before} to {after}", line))
            rows.append(("", "", _effect_text(each, reason)))
            last = after
    if rows:
        yield Rows("What changed it", rows, ("entry", "chance", ""), (1, 2))
    else:
        yield Line("No single entry changed this chance much.")
    by_rules = None if reason.by_rules is None else chance_text(reason.by_rules)
    if by_rules not in (None, chance_text(reason.probability)):
        yield Line(
            f"By the cards alone, the chance would be {by_rules}. The difference only comes from "
            "how people usually suggest and show cards, so a bluff could throw it off."
        )


_INDIRECTLY = "This affects it indirectly, through other cards."


def _effect_text(influence: Influence, reason: Reason) -> str:
    """Return a sentence that says what an entry tells about an open card."""
    told, viewer = influence.observation, reason.table.viewer
    it = card_list([reason.card], reason.table.edition)
    if isinstance(told, observed.Hand):
        return sentences(clause([told.seat], f"doesn't have {it}", viewer))
    if not isinstance(told, observed.Inquiry) or reason.card not in told.cards:
        return _INDIRECTLY
    # Only what moved the chance in this direction: it rises if others seem not to have the card.
    rises, holder, clauses = influence.change > 0, reason.holder, list[str]()
    passed = [str(each.seat) for each in told.answers if each.answer == "passes"]
    others = [seat for seat in passed if seat != viewer]  # what the viewer lacks is known
    if others and rises:
        clauses.append(clause(others, f"couldn't show {it}", viewer))
    for each in told.answers:
        mine = each.seat == holder
        if each.answer == "shows" and each.seat != viewer:  # what the viewer shows tells nothing
            if each.card and rises != mine:
                clauses.append(clause([str(each.seat)], "showed another card", viewer))
            elif each.card is None and rises == mine:
                clauses.append(clause([str(each.seat)], f"may have shown {it}", viewer))
    habits = reason.by_rules is not None and told.by != viewer
    if not clauses and habits and rises != (told.by == holder):
        clauses.append(f"{told.by} asked for {it}, so {told.by} probably doesn't have it")
    if not clauses and passed and rises:  # unless the viewer's hand is not in the log
        clauses.append(clause(passed, f"couldn't show {it}", viewer))
    return sentences(*clauses) if clauses else _INDIRECTLY


def argument_rows(steps: Sequence[ReasonStep]) -> Iterator[tuple[str, str]]:
    """Yield the steps of an argument as pairs of a number and a sentence."""
    for number, text in enumerate(_step_texts(steps, 1), 1):
        yield f"{number}.", f"{text[0].upper()}{text[1:]}"


def _step_texts(steps: Sequence[ReasonStep], line: int) -> list[str]:
    """
    Return an argument as lines. Similar consecutive steps share a line.

    The steps of each case precede the step that the cases prove.

    Args:
        steps: The steps.
        line: The number of the first line.
    """
    lines: list[str] = []
    line_of: dict[int, int] = {}
    for _, run in groupby(enumerate(steps, 1), lambda pair: _line_key(*pair)):
        group = list(run)
        first = group[0][1]
        for number, case in enumerate(first.cases):
            begun, *rest = _step_texts(case, line + len(lines))
            lines += [f"or {begun}" if number else begun, *rest]
        text = _text_of_steps([step for _, step in group])
        if uses := sorted({line_of[use] for use in first.uses if use in line_of}):
            rests = f"{plural('step', len(uses))} {listed(map(str, uses))}"
            text = f"{text[:-1]}; {rests})" if text.endswith(")") else f"{text} ({rests})"
        line_of |= {number: line + len(lines) for number, _ in group}
        lines.append(text)
    return lines


def _line_key(number: int, step: ReasonStep) -> object:
    """
    Return a key that is equal for steps whose conclusions share a line.

    Args:
        number: The number of the step, which is the key of a step that has a line of its own.
        step: The step.
    """
    if step.fact is None or step.rule == "cases":
        return number
    return step.fact.verdict, step.rule, step.entries, step.uses, step.holders, step.cards


@view(ReasonStep, "sentence")
def step_text(step: ReasonStep) -> str:
    """Return a step of an argument: its conclusion and its reason."""
    return "; ".join(_step_texts([step], 1))


def _text_of_steps(steps: Sequence[ReasonStep]) -> str:
    """Return the text of steps that share a reason: their conclusions, then the reason."""
    facts = [step.fact for step in steps if step.fact]
    if not facts:
        return f"but {_reason(steps[0])}"
    claim = _claim(facts, steps[0].table)
    if steps[0].rule == "supposed":
        return f"suppose {claim}"
    return f"{'so ' if steps[0].cases else ''}{claim}: {_reason(*steps)}"


def _claim(facts: Sequence[Fact], table: Table) -> str:
    """Return, in words, several facts with the same verdict."""
    holders = dict.fromkeys(fact.holder for fact in facts)
    cards = dict.fromkeys(fact.card for fact in facts)
    holds = facts[0].verdict == "holds"
    if [*holders] == [ENVELOPE]:
        verb = verb_form("is" if holds else "isn't", many=len(cards) > 1)
        return f"{card_list(cards, table.edition)} {verb} in the envelope"
    what = card_list(cards, table.edition, "and" if holds else "or")
    return clause(holders, f"has {what}" if holds else f"doesn't have {what}", table.viewer)


def _reason(step: ReasonStep, *alike: ReasonStep) -> str:
    """
    Return the reason that one or several steps share, in the words of its rule.

    Args:
        step: The first step.
        alike: Other steps for the same reason.
    """
    entries = f" ({named_entries(step.entries)})" if step.entries else ""
    holders = [each.fact.holder for each in (step, *alike) if each.fact] or step.holders
    places, viewer, edition = [*dict.fromkeys(holders)], step.table.viewer, step.table.edition
    place = subject(places, viewer)
    if step.rule == "told":
        others = len(places) > 1 and viewer not in places
        return _entry_reason(step, "they" if others else place, entries)
    rule: str = step.rule
    if rule == "full" and step.fact and not step.cards:
        rule = "full of none"
    elif rule == "cases" and len(step.cases) == 1:
        rule = "opposite"
    elif rule == "either-or" and isinstance(step.observation, _ASKING):
        rule = "one shown"
    words = _BECAUSE[rule] if step.fact else _CONTRADICTS.get(rule, _BECAUSE[rule])
    many = len(places) > 1 or viewer in places
    return words.format(
        who=subject(step.holders, viewer),
        who_has=verb_form("has", many=len(step.holders) > 1 or viewer in step.holders),
        place=place,
        has=verb_form("has", many=many),
        doesnt=verb_form("doesn't", many=many),
        whose=possessive(place, "you" if viewer in places else None),
        cards=card_list(step.cards, edition),
        any_card=card_list(step.cards, edition, "or"),
        size=counted(step.size, "card"),
        others="the other" if len(step.cards) == 2 else "the others",
        any_of_them="either" if len(step.cards) == 2 else "any of them",
        entries=entries,
    )


_ASKING = observed.Inquiry | observed.Question


def _entry_reason(step: ReasonStep, who: str, entries: str) -> str:
    """
    Return in words why the entry of a step proves its fact.

    Args:
        step: The step.
        who: The holder whom the fact is about, as a subject: `you`, `Ben`.
        entries: The number of the entry, as text in brackets; empty to name none.
    """
    fact, told, viewer = step.fact, step.observation, step.table.viewer
    match told:
        case None:
            return "you supposed it"
        case observed.Hand(seat=seat):
            whose = "your" if seat == viewer else f"{seat}'s"
            if not step.entries:  # nobody else sees that entry
                return f"{whose} hand shows it"
            return f"{named_entries(step.entries)} lists {whose} hand"
        case observed.Inquiry() | observed.Question():
            asked = told.about if isinstance(told, observed.Question) else told.cards
            why = f"{who} couldn't show {card_list(asked, step.table.edition, 'or')}"
            if fact is None:
                why = "a card was shown, though all of those suggested lie face up"
            elif fact.verdict == "holds":
                why = f"{who} showed it to {subject([told.by], viewer)}"
        case observed.Look(by=by):
            why = f"{subject([by], viewer)} saw it there"
        case observed.Reveal():
            why = f"{who} revealed it"
        case observed.Nobody():
            why = "nobody revealed it"
        case observed.Accusation(right=right):
            why = f"the accusation was {'right' if right else 'wrong'}"
            if fact is None and right:
                why += ", yet one of its cards lies face up"
        case observed.Peek(feature=feature):
            why = f"no other card shows {feature} in the notch"
            if fact is None:
                why = "the notch shows one card, and a card has one colour"
        case _:
            why = "the log says so"
    return f"{why}{entries}"
