"""
Why a card is where it is: reasons with names for numbers, in plain words.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from clue_solver.answers.display import AnswerValue, ShownValue, Written
from clue_solver.answers.report import Fact, Verdict
from clue_solver.errors import TooLarge, counted, listed, named_entries
from clue_solver.inference.argument import argue
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import sort_key
from clue_solver.inference.explain import CertainFact, Step, smallest_conflict, steps_within
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.rules import observations as observed
from clue_solver.rules.table import ENVELOPE, Table


class ReasonStep(AnswerValue, frozen=True, kw_only=True):
    """
    One step of an argument.

    Attributes:
        fact: What it shows; `None` where it shows that something cannot be.
        rule: The rule's name, as `inference.argument` lists them.
        entries: The entries that it rests on itself.
        uses: The numbers of the earlier steps that it rests on, counted from 1.
        text: The step in words.
        why: Those of them that follow its claim: why that is so.
    """

    fact: Fact | None
    rule: str
    entries: tuple[int, ...]
    uses: tuple[int, ...]
    text: str
    why: str

    written: ClassVar[Written] = Written(without=("why",))


class Influence(AnswerValue, frozen=True, kw_only=True):
    """
    How one entry moved the probability of an open fact.

    Attributes:
        entry: Which one.
        before, after: The probability before it and after it.
    """

    entry: int
    before: float
    after: float

    @property
    def change(self) -> float:
        """By how much the probability rose."""
        return self.after - self.before


class Reason(ShownValue, frozen=True, kw_only=True):
    """
    Why a holder has a card, lacks it, or may have it.

    Attributes:
        card: The card that was asked about.
        holder: The holder that was asked about.
        verdict: `holds`, `lacks` or `open`.
        probability: That the holder has the card.
        entries: For a certain fact a smallest set of entries that forces it; for an open one the
            entries that moved its probability most, in file order.
        minimum: Whether it is proved that no smaller set of entries forces it; else that took too
            long.
        steps: The argument from the entries to the fact; empty for an open one.
        moved: For an open fact how the entries moved it, the strongest first.
        by_rules: For an open fact what the probability would be if nothing were known of how people
            play, where that differs.
        lines: The entries of the log as lines, in order, to quote from.
    """

    card: str
    holder: str
    verdict: Verdict
    probability: float
    entries: tuple[int, ...]
    minimum: bool
    steps: tuple[ReasonStep, ...] = ()
    moved: tuple[Influence, ...] = ()
    by_rules: float | None = None
    lines: tuple[str, ...] = ()

    written: ClassVar[Written] = Written(schema=1, without=("lines",), sparse=("moved", "by_rules"))

    def to_dict(self) -> dict[str, Any]:
        """Return what `to_json` writes: what moved it where, and only where, it is open."""
        told = super().to_dict()
        return {"moved": []} | told if self.verdict == "open" else told


_MOST_MOVED = 5
"""How many entries are named at most that moved an open fact."""

_LEAST_CHANGE = 1e-9
"""What counts as a change of a probability."""

_FARTHEST, _MOST_ARROWS, _READING = 400, 40_000_000, 150
"""
How many entries are looked back at, and what that may cost in arrows; what reading a clause or a
likelihood costs in arrows.
"""


def reason(
    table: Table,
    observations: Sequence[observed.Observation],
    deduction: Deduction,
    *,
    card: str,
    holder: str,
    upto: int,
) -> Reason:
    """
    Return why the holder has the card, lacks it, or may have it, after `upto` entries.

    A `Contradiction` says that the entries cannot all be true, `TooLarge` that the deal diagram of
    an open fact would not fit into memory.
    """
    c = table.cards.index(card)
    h = table.holders.index(holder)
    possible = deduction.possible(upto)[c]
    if possible >> h & 1 and possible & (possible - 1):
        return _open_reason(deduction, card, holder, (c, h), upto)
    fact = CertainFact(c, h, bool(possible >> h & 1))
    literal = deduction.solver.has(c, h)
    entries, minimum = smallest_conflict(
        deduction.solver, range(1, upto + 1), [-literal if fact.has else literal]
    )
    steps = argue(deduction.knowledge.upto(upto), entries, fact)
    return Reason(
        card=card,
        holder=holder,
        verdict="holds" if fact.has else "lacks",
        probability=1.0 if fact.has else 0.0,
        entries=entries,
        minimum=minimum,
        steps=Words(table, observations).steps(steps),
    )


def explain_conflict(
    table: Table,
    observations: Sequence[observed.Observation],
    deduction: Deduction,
    entries: Sequence[int],
) -> tuple[ReasonStep, ...]:
    """Return the argument that the entries cannot all be true; its last step is what cannot be."""
    return Words(table, observations).steps(argue(deduction.knowledge, entries, None))


def _open_reason(
    deduction: Deduction, card: str, holder: str, place: tuple[int, int], upto: int
) -> Reason:
    diagram = deduction.diagram(upto)
    now = float(diagram.marginals()[place])
    by_rules = now
    if diagram.openings.behaviour:
        by_rules = float(deduction.by_rules(upto).marginals()[place])

    # Back through the log, entry by entry: by how much did each move it?
    moved: list[Influence] = []
    after = now
    work = 0
    known = deduction.knowledge
    reading = _READING * (len(known.clauses) + len(known.factors) + len(known.behaviour))
    for entry in range(upto, max(upto - _FARTHEST, 0), -1):
        try:
            diagram = deduction.diagram(entry - 1)
        except TooLarge:  # fewer entries leave more open: the history ends here
            break
        work += diagram.arrows_in_all + reading
        if work > _MOST_ARROWS:
            break
        before = float(diagram.marginals()[place])
        if abs(after - before) > _LEAST_CHANGE:
            moved.append(Influence(entry=entry, before=before, after=after))
        after = before
    moved.sort(key=lambda each: -sort_key(abs(each.change)))
    strongest = tuple(moved[:_MOST_MOVED])
    return Reason(
        card=card,
        holder=holder,
        verdict="open",
        probability=now,
        entries=tuple(sorted(each.entry for each in strongest)),
        minimum=False,
        moved=strongest,
        by_rules=by_rules if abs(by_rules - now) > _LEAST_CHANGE else None,
    )


_BECAUSE = {
    "placed": "{who} has it",
    "only place": "every other place is excluded",
    "full": "the hand is full with {cards}",
    "full of none": "the hand holds no card",
    "needed": "only {cards} are left for the hand, and it needs them all",
    "category taken": "the envelope holds {cards}, and one of a kind",
    "last of category": "of {cards} all others are excluded",
    "only of category": "it is the only one of its kind in play",
    "either-or": "{place} has at least one of {any_card}{told}, and no other of them",
    "not all": "{place} does not have all of {cards}{told}, but has the others",
    "full of either-ors": "what must be among {cards}{told} fills the hand",
    "shared": "{cards} are shared out among {who}, who need one each{told}",
    "hands full": "{cards} fill the hands of {who}",
    "hands needed": "{who} need all of {cards}",
    "cases": "in every case something cannot be: {cases}{told}",
    "counted": ("of all deals that fit{told} none is otherwise; the cases are too many to list"),
    "supposed": "supposed",
    "clash": "{who} would both have and lack {cards}",
}
"""What each rule says of a fact."""

_CANNOT_BE = {
    "only place": "{cards} has no place left",
    "full": "{place} holds {size} and cannot have {cards}",
    "needed": "too few cards are left for {place}'s hand",
    "last of category": "none of {cards} is left",
    "either-or": "{place} has at least one of {any_card}{told}, but can have none",
    "not all": "{place} does not have all of {cards}{told}, yet has them",
    "full of either-ors": "{place} has no place left for all that must be among {cards}{told}",
    "hands full": "{cards} are too many for {who}",
    "hands needed": "{cards} are too few for {who}",
    "counted": "of all deals that fit{told} none is left; the cases are too many to list",
}
"""What a rule says, where that is something else, of what cannot be."""


def _entries_told(step: Step) -> str:
    return f" ({named_entries(step.entries)})" if step.entries else ""


class Words:
    """Puts the steps of an argument into words, with the names of one table."""

    def __init__(self, table: Table, observations: Sequence[observed.Observation]) -> None:
        self.cards = table.cards
        self.holders = table.holders
        self.observations = observations
        bounds = table.size_bounds()
        self.sizes = [counted(most, "card") for _, most in bounds]
        self.sizes += [f"{slot.count} cards" for slot in table.slots]

    def steps(self, steps: Sequence[Step]) -> tuple[ReasonStep, ...]:
        """Return the steps with names, numbered from 1."""
        numbers = {step: number for number, step in enumerate(steps, 1)}
        return tuple(
            ReasonStep(
                fact=step.fact and self._fact(step.fact),
                rule=step.rule,
                entries=step.entries,
                uses=tuple(sorted(numbers[used] for used in step.uses)),
                text=self._text(step),
                why=self._why(step),
            )
            for step in steps
        )

    def _fact(self, fact: CertainFact) -> Fact:
        verdict: Verdict = "holds" if fact.has else "lacks"
        return Fact(self.cards[fact.card], self.holders[fact.holder], verdict)

    def _text(self, step: Step) -> str:
        fact = self._sentence(step.fact) if step.fact else "that cannot be"
        return f"{fact}: {self._why(step)}"

    def _sentence(self, fact: CertainFact) -> str:
        verb = ("hold", "holds") if self.holders[fact.holder] == ENVELOPE else ("have", "has")
        does = verb[1] if fact.has else f"does not {verb[0]}"
        return f"{self._holder(fact.holder)} {does} {self.cards[fact.card]}"

    def _holder(self, number: int) -> str:
        name = self.holders[number]
        return "the envelope" if name == ENVELOPE else name

    def _names(self, mask: int, last: str = "and") -> str:
        return listed([self.cards[number] for number in card_numbers(mask)], last)

    def _why(self, step: Step) -> str:
        """Return why a step is so, in the words of its rule."""
        if step.rule == "told":
            return self._told(step) + _entries_told(step)
        if step.rule == "cases" and len(step.cases) == 1:
            return f"suppose not; {self._case(step.cases[0])}{_entries_told(step)}"
        rule: str = step.rule
        if rule == "full" and step.fact and not step.cards:
            rule = "full of none"
        elif rule == "last of category" and step.fact and not step.uses:
            rule = "only of category"
        words = _BECAUSE[rule] if step.fact else _CANNOT_BE.get(rule, _BECAUSE[rule])
        who = listed([self._holder(number) for number in step.holders])
        return words.format(
            who=who,
            place=self._holder(step.fact.holder) if step.fact else who,
            cards=self._names(step.cards),
            any_card=self._names(step.cards, "or"),
            size=self.sizes[step.holders[0]] if rule == "full" and not step.fact else "",
            cases="; or ".join(f"suppose {self._case(case)}" for case in step.cases),
            told=_entries_told(step),
        )

    def _case(self, case: Step) -> str:
        """Return what follows in a case, down to what cannot be."""
        words = []
        for step in steps_within(case):
            if step.fact is None:
                words.append(f"which cannot be: {self._why(step)}")
            elif step.rule == "supposed":
                words.append(self._sentence(step.fact))
            else:
                words.append(f"then {self._text(step)}")
        return "; ".join(words)

    def _told(self, step: Step) -> str:
        """Return in words what the entry says about the fact."""
        if not step.entries:
            return "it is supposed"
        observation = self.observations[step.entries[-1] - 1]
        fact = step.fact
        match observation:
            case observed.Hand():
                return "the whole hand is known"
            case (
                observed.Suggestion(by=by, cards=asked)
                | observed.Finger(by=by, cards=asked)
                | observed.Question(by=by, about=asked)
            ) if fact is not None:
                return f"shown to {by}" if fact.has else f"passed on {listed(asked)}"
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
