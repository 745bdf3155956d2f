"""
Why, in sentences: the steps of an argument, the suggestion to make, whether to accuse.
"""

from clue_solver.answers.display import view
from clue_solver.answers.reasons import ReasonStep
from clue_solver.answers.report import Fact
from clue_solver.errors import counted, listed, named_entries
from clue_solver.rules import observations as observed
from clue_solver.rules.table import ENVELOPE

_BECAUSE = {
    "placed": "{who} has it",
    "only place": "nowhere else is left",
    "full": "the hand is full with {cards}",
    "full of none": "the hand holds no card",
    "needed": "only {cards} are left for the hand, and it needs them all",
    "category taken": "the envelope holds {cards}, and only one of each kind",
    "last of category": "of {cards} it is the only one left",
    "only of category": "it is the only one of its kind in play",
    "either-or": "{place} has at least one of {any_card}{entries}, and none of the others",
    "not all": "{place} does not have all of {cards}{entries}, but has the others",
    "full of either-ors": "the hand is full with what must be among {cards}{entries}",
    "hands full": "{cards} fill the hands of {who}",
    "hands needed": "{who} need all of {cards}",
    "cases": "every case ends in what cannot be: {cases}{entries}",
    "counted": "it is so however the cards are dealt{entries}; there are too many cases to list",
    "supposed": "supposed",
    "clash": "{who} would both have and lack {cards}",
}
"""What each rule says of a fact."""

_CANNOT_BE = {
    "only place": "{cards} has no place left",
    "full": "{place} holds {size} and cannot have {cards}",
    "needed": "too few cards are left for {place}'s hand",
    "last of category": "none of {cards} is left",
    "either-or": "{place} has at least one of {any_card}{entries}, but can have none",
    "not all": "{place} does not have all of {cards}{entries}, yet has them",
    "full of either-ors": "{place} has no place left for all that must be among {cards}{entries}",
    "hands full": "{cards} are too many for {who}",
    "hands needed": "{cards} are too few for {who}",
    "counted": "the cards cannot be dealt so{entries}; there are too many cases to list",
}
"""What a rule says, where that is something else, of what cannot be."""


def holder_text(holder: str) -> str:
    """Return what a sentence calls a holder."""
    return "the envelope" if holder == ENVELOPE else holder


@view(ReasonStep, "sentence")
def step_text(step: ReasonStep, *, claim: bool = True) -> str:
    """Return a step of an argument: what it shows, if wanted, and why."""
    shown = _claim(step.fact) if step.fact else "that cannot be"
    return f"{shown}: {_why(step)}" if claim else _why(step)


def _claim(fact: Fact) -> str:
    verb = ("hold", "holds") if fact.holder == ENVELOPE else ("have", "has")
    does = verb[1] if fact.verdict == "holds" else f"does not {verb[0]}"
    return f"{holder_text(fact.holder)} {does} {fact.card}"


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
    words = _BECAUSE[rule] if step.fact else _CANNOT_BE.get(rule, _BECAUSE[rule])
    who = listed(map(holder_text, step.holders))
    return words.format(
        who=who,
        place=holder_text(step.fact.holder) if step.fact else who,
        cards=listed(step.cards),
        any_card=listed(step.cards, "or"),
        size=counted(step.size, "card"),
        cases="; or ".join(f"suppose {_case(case)}" for case in step.cases),
        entries=entries,
    )


def _case(case: tuple[ReasonStep, ...]) -> str:
    """Return what follows in a case, down to what cannot be."""
    words = []
    for step in case:
        if step.fact is None:
            words.append(f"which cannot be: {_why(step)}")
        elif step.rule == "supposed":
            words.append(_claim(step.fact))
        else:
            words.append(f"then {step_text(step)}")
    return "; ".join(words)


def _told(step: ReasonStep) -> str:
    """Return what the entry says about the fact."""
    fact = step.fact
    match step.told:
        case None:
            return "it is supposed"
        case observed.Hand():
            return "the whole hand is known"
        case (
            observed.Suggestion(by=by, cards=asked)
            | observed.Finger(by=by, cards=asked)
            | observed.Question(by=by, about=asked)
        ) if fact is not None:
            return f"shown to {by}" if fact.verdict == "holds" else f"passed on {listed(asked)}"
        case observed.Look(by=by):
            return f"{by} saw it there"
        case observed.Reveal():
            return "revealed"
        case observed.Nobody():
            return "nobody revealed it"
        case observed.Accusation(right=True) if fact is None:
            return "the accusation was right, yet a card of it lies face-up"
        case observed.Suggestion() | observed.Finger() | observed.Question() if fact is None:
            return "a card was shown, yet all that were asked for lie face-up"
        case observed.Accusation(right=True):
            return "the accusation was right"
        case observed.Accusation():
            return "the accusation was wrong"
        case observed.Peek() if fact is None:
            return "the notch shows one card, and that has one colour"
        case observed.Peek(feature=feature):
            return f"no other card shows {feature} in the notch"
        case _:
            return "it is known"
