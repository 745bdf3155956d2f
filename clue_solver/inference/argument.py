"""
An argument that a person can follow: from a few entries to a fact, one small step at a time.

The entries come from `explain.smallest_conflict` and are known to force the fact. Intermediate
facts are derived from them one by one. Each follows from counting the cells of one group, as in
`propagation`, but keeps its reason. When single groups yield nothing more, several are counted
together. When that yields nothing either, a step argues by cases: it supposes the opposite and
derives a contradiction. Cases are split until each one fails, so every forced fact gets an
argument. Steps that the fact does not depend on are dropped at the end. An argument with too many
cases is replaced by a single step, which says that the deals were counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import reduce
from itertools import combinations, count
from operator import or_
from typing import Literal, NamedTuple, Self

from msgspec import Struct, field

from clue_solver.inference.propagation import Group, groups_of
from clue_solver.knowledge.clauses import CardMask, Clause, Layout, card_numbers, several
from clue_solver.knowledge.viewer import Knowledge

CASES = 200
"""
The most suppositions in an argument; with more it only says that the deals were counted. Nobody
would read so many, and they take a second or two.
"""

_MOST_TRIED = 8
"""
The most cards to try, those with the fewest possible holders first, to find one of which all cases
fail at once.
"""

_MOST_ROOM = 3
"""The most free places of a hand for which several either-ors are counted together."""


InferenceRule = Literal[
    "told",  # the entry says so itself
    "placed",  # the card is somewhere else
    "only place",  # every other place of the card is excluded
    "full",  # the hand has all the cards that it can hold
    "needed",  # the hand needs every card that is left for it
    "category taken",  # the envelope has another card of the category
    "last of category",  # every other card of the category is excluded
    "either-or",  # one way is left to have at least one of several cards
    "not all",  # one way is left to lack at least one of several cards
    "full of either-ors",  # separate either-ors fill the hand
    "hands full",  # several hands together have all the cards that they can hold
    "hands needed",  # several hands together need every card that is left for them
    "supposed",  # assumed, inside a step by cases
    "cases",  # the opposite fails in every case
    "counted",  # too many cases to write down: of all deals that fit the entries none is otherwise
    "clash",  # a fact and its opposite, or no way left
]


class CertainFact(NamedTuple):
    """
    A certain fact: that a holder has a card, or lacks it.

    Attributes:
        card, holder: The numbers of the card and of the holder, from 0.
        has: Whether the holder has the card.
    """

    card: int
    holder: int
    has: bool

    @property
    def opposite(self) -> Self:
        """The opposite fact about the same card and holder."""
        return type(self)(self.card, self.holder, not self.has)


class Step(Struct, frozen=True, eq=False):
    """
    One step of an argument, with the earlier steps that it rests on.

    Attributes:
        fact: The fact that the step shows; `None` for a clash (something impossible).
        rule: The rule that gives the fact.
        entries: The numbers of the entries that the step itself uses, ascending.
        uses: The earlier steps that it rests on.
        cards: The mask of the cards that the rule is about.
        holders: The numbers of the holders that the rule is about.
        cases: For a step by cases, the steps of each case, from the supposition to its clash.
        number: The number of the step, in the order found. A step rests only on smaller numbers.
    """

    fact: CertainFact | None
    rule: InferenceRule
    entries: tuple[int, ...] = ()
    uses: tuple[Step, ...] = ()
    cards: CardMask = 0
    holders: tuple[int, ...] = ()
    cases: tuple[tuple[Step, ...], ...] = ()
    number: int = field(default_factory=count().__next__)


_REASONS: dict[str, tuple[InferenceRule, InferenceRule]] = {
    "card": ("placed", "only place"),
    "hand": ("full", "needed"),
    "category": ("category taken", "last of category"),
    "has": ("either-or", "either-or"),
    "lacks": ("not all", "not all"),
}
"""
For each kind of group, the two rules that counting it can follow.

By the first, a cell (a card with a holder) is not taken, because the group is full; by the second,
a cell is taken, because the group needs all its open cells.
"""

_NAMES_ALL: tuple[InferenceRule, ...] = ("only place", "last of category", "either-or", "not all")
"""
The rules whose explanation names all cards of the group, not only those that are taken or open.
"""


class _NotWritable(Exception):
    """No argument can be written: it would need too many cases, or cases lead to no clash."""


def argue(
    knowledge: Knowledge, entries: Iterable[int], goal: CertainFact | None
) -> tuple[Step, ...]:
    """
    Return the steps of an argument that leads from some entries of the log to the goal.

    The goal is the fact that the last step shows. If it is `None`, the last step is a clash.

    Args:
        knowledge: What the viewer knows.
        entries: The numbers of the entries; they must force the goal or, if there is none,
            contradict each other.
        goal: The fact to show, or `None`.
    """
    entries = tuple(sorted(entries))
    chosen = frozenset(entries)
    clauses = [clause for clause in knowledge.clauses if chosen.issuperset(clause.entries)]
    chain = _Chain(knowledge.layout, clauses)
    chain.follow(goal)
    try:
        if goal is None:
            return support_of(_clash_step(chain))
        if goal in chain.found:
            return support_of(chain.found[goal])
        opposite = chain.suppose(goal.opposite)
        return support_of(
            _by_cases(goal, [steps_between(opposite.supposed, _clash_step(opposite))])
        )
    except _NotWritable:
        return (Step(goal, "counted", entries),)


class _Chain:
    """
    The facts found so far in an argument, and what they leave possible.

    A cell is a pair of a holder and a card. In a mask of cells it has the bit `holder * cards +
    card`. It is taken if the holder has the card.

    Attributes:
        found: For each known fact, the step that shows it.
        has, out: The masks of the cells that are taken, and of those that are not.
        clash: The step that shows that the facts contradict each other; `None` while there is none.
        supposed: The step of the innermost supposition; `None` if nothing is supposed.
        suppositions: Counts the suppositions that are followed up, in all copies together.
        groups: All groups of cells that are counted (`propagation.Group`).
        card_groups: The groups of the cards, in the order of the cards.
        hand_groups: The groups of the seats, the slots and each category in the envelope.
    """

    def __init__(self, layout: Layout, clauses: Sequence[Clause]) -> None:
        self.layout = layout
        self.found: dict[CertainFact, Step] = {}
        self.has = self.out = 0
        self.clash: Step | None = None
        self.supposed: Step | None = None
        self.suppositions = count(1)
        self.groups: list[Group] = []
        for group in groups_of(layout, clauses):
            if group.kind not in ("has", "lacks") or several(group.cells):
                self.groups.append(group)
            elif group.cells:
                holder, card = divmod(group.cells.bit_length() - 1, layout.cards)
                fact = CertainFact(card, holder, group.kind == "has")
                self.add(Step(fact, "told", group.entries))
            else:
                self.add(Step(None, "told", group.entries))
        self.card_groups = self.groups[: layout.cards]
        self.hand_groups = [group for group in self.groups if group.kind in ("hand", "category")]

    # Cells and cards.

    def cells(self, holder: int, cards: CardMask) -> int:
        """
        Return the mask of the cells that pair a holder with these cards.

        A cell has the bit `holder * cards + card`.
        """
        return cards << holder * self.layout.cards

    def cards(self, cells: int, holder: int) -> CardMask:
        """
        Return the mask of the cards that the mask `cells` pairs with a holder.

        In `cells`, the pair of a holder and a card has the bit `holder * cards + card`.
        """
        return cells >> holder * self.layout.cards & self.layout.everything

    def can(self, holder: int) -> CardMask:
        """Return the mask of the cards that a holder can still have by the facts found so far."""
        return self.layout.everything & ~self.cards(self.out, holder)

    def holders(self, card: int) -> list[int]:
        """
        Return the numbers of the holders that can still have a card, by the facts found so far.
        """
        return [h for h in range(self.layout.holders) if self.can(h) >> card & 1]

    def facts(self, cells: int, *, has: bool) -> list[CertainFact]:
        """
        Return a fact for each pair of a holder and a card in a mask of cells.

        The fact is that the holder has the card if `has`, else that it lacks the card.
        """
        pairs = (divmod(cell, self.layout.cards) for cell in card_numbers(cells))
        return [CertainFact(card, holder, has) for holder, card in pairs]

    def steps(self, cells: int, *, has: bool) -> tuple[Step, ...]:
        """
        Return the steps that show a fact for each pair of a holder and a card in a mask of cells.

        The facts are that the holder has the card if `has`, else that it lacks it. All of them must
        be known.
        """
        return tuple([self.found[fact] for fact in self.facts(cells, has=has)])

    # Facts.

    def suppose(self, fact: CertainFact) -> Self:
        """
        Return a copy of this chain in which a fact is supposed, with all that follows from it.

        Raises:
            _NotWritable: If there have been too many suppositions.
        """
        if next(self.suppositions) > CASES:
            raise _NotWritable
        other = copy(self)
        other.found = dict(self.found)
        other.add(Step(fact, "supposed"))
        other.supposed = other.found[fact]
        other.follow(None)
        return other

    def add(self, step: Step) -> None:
        """
        Add a step, unless its fact or a clash is known already.

        If the fact contradicts a known one, also note that clash.
        """
        fact = step.fact
        if fact in self.found or (fact is None and self.clash is not None):
            return
        if fact is None:
            self.clash = step
            return
        self.found[fact] = step
        cell = self.cells(fact.holder, 1 << fact.card)
        if fact.has:
            self.has |= cell
        else:
            self.out |= cell
        opposite = self.found.get(fact.opposite)
        if opposite is not None:
            uses, owner = (opposite, step), (fact.holder,)
            self.add(Step(None, "clash", uses=uses, cards=1 << fact.card, holders=owner))

    def follow(self, goal: CertainFact | None) -> None:
        """
        Add the facts that follow from counting groups of cells, one by one or several at once.

        Stop once the goal or a clash is found (`goal` is `None` if a clash is wanted), or when
        nothing more follows.
        """
        known = -1
        while self.clash is None and goal not in self.found and known != len(self.found):
            known = len(self.found)
            for group in self.groups:
                self._apply(group)
                if self.clash is not None:
                    return
            for count_several in (self._fill_hands, self._match):
                if self.clash is None and known == len(self.found):
                    count_several()

    def _apply(self, group: Group) -> None:
        """
        Add the facts that counting one group of cells shows.

        If the group is full, its other cells are not taken; if it needs all its open cells, all of
        these are. If it has too many taken cells or too few possible ones, that is a clash.
        """
        has, can = group.cells & self.has, group.cells & ~self.out
        full, scarce = has.bit_count() >= group.most, can.bit_count() <= group.least
        if full and group.kind == "card":
            has &= -has  # that the card is not in a second cell is a clash of its own
        wrong = has.bit_count() > group.most or can.bit_count() < group.least
        if not (wrong or ((full or scarce) and has != can)):
            return

        # The rule, and the cards and holders that its explanation names.
        if full:
            rule, _ = _REASONS[group.kind]
            uses, taken = self.steps(has, has=True), has
        else:
            _, rule = _REASONS[group.kind]
            uses, taken = self.steps(group.cells & ~can, has=False), can
        named = self.facts(group.cells if rule in _NAMES_ALL else taken, has=True)
        cards = _union(1 << fact.card for fact in named)
        owners = self.facts(has if full else group.cells, has=True)
        holders = tuple(dict.fromkeys(fact.holder for fact in owners))

        shown = [None] if wrong else self.facts(can & ~has, has=not full)
        for fact in shown:
            self.add(Step(fact, rule, group.entries, uses, cards, holders))

    def _fill_hands(self) -> None:
        """
        Add what follows if the either-ors about a hand fill all its free places.

        An either-or says that the hand has at least one of some cards. Either-ors with no card in
        common each need a place of their own. If they need all free places, the holder has no other
        card. If they need more, that is a clash.
        """
        for holder, (_, most) in enumerate(self.layout.bounds):
            has = self.cards(self.has, holder)
            room = most - has.bit_count()
            if not 1 <= room <= _MOST_ROOM:
                continue
            can = self.can(holder)
            either_ors = (group for group in self.groups if group.kind == "has")
            mine = ((self.cards(group.cells, holder), group.entries) for group in either_ors)
            needs = [(cards, entries) for cards, entries in mine if cards and not cards & has]
            for size in (room + 1, room):  # too many for the hand, or just enough
                for chosen in combinations(needs, size):
                    left = [cards & can for cards, _ in chosen]
                    union = _union(left)
                    if union != sum(left):
                        continue  # one card may be enough for two
                    gone = _union(cards for cards, _ in chosen) & ~can
                    uses = self.steps(self.cells(holder, has), has=True)
                    uses += self.steps(self.cells(holder, gone), has=False)
                    entries = tuple(sorted({entry for _, sources in chosen for entry in sources}))
                    others = self.cells(holder, can & ~has & ~union)
                    for fact in [None] if size > room else self.facts(others, has=False):
                        self.add(Step(fact, "full of either-ors", entries, uses, union, (holder,)))

    def _match(self) -> None:
        """
        Add what follows from counting several hands at once.

        Certain cards fill these hands, or the hands need all cards that they can have. To find
        them, cards are matched with hands. If they cannot all be matched, some set of hands has too
        many or too few cards, whatever its size (Hall, "On Representatives of Subsets", 1935). A
        matching that places all cards and one that fills all hands can be combined into one that
        does both (Mendelsohn and Dulmage, 1958), so no clash that counting shows is missed. If
        there is no clash, each hand in turn gets room for one card less, or needs one card more; a
        set of hands that then does not match is just full, or has just enough cards.
        """
        cards, hands = self.card_groups, self.hand_groups
        able = [[bool(card.cells & hand.cells & ~self.out) for hand in hands] for card in cards]
        hands_of = [_mask(row) for row in able]
        cards_of = [_mask(row) for row in zip(*able, strict=True)]
        known = len(self.found)
        for tight in (None, *range(len(hands))):
            wrong = tight is None
            room = [hand.most - (number == tight) for number, hand in enumerate(hands)]
            crowd = unmatched([1] * len(cards), hands_of, room)
            if crowd is not None:
                self._add_matched("hands full", *crowd, wrong=wrong)
            needs = [hand.least + (number == tight) for number, hand in enumerate(hands)]
            short = unmatched(needs, cards_of, [1] * len(cards))
            if short is not None:
                self._add_matched("hands needed", *reversed(short), wrong=wrong)
            if self.clash is not None or len(self.found) > known:
                return

    def _add_matched(
        self, rule: InferenceRule, cards: CardMask, hands: int, *, wrong: bool
    ) -> None:
        """
        Add the facts that follow if some hands have just these cards; if `wrong`, add a clash.

        Args:
            rule: The rule that gives the facts.
            cards: The mask of the cards.
            hands: The mask of the hands, as indices into `hand_groups`.
            wrong: Whether there are too many or too few cards for the hands.
        """
        away = _union(self.card_groups[card].cells for card in card_numbers(cards))
        theirs = _union(self.hand_groups[hand].cells for hand in card_numbers(hands))
        known, shown = away & ~theirs, theirs & ~away  # the cards are nowhere else
        if rule == "hands needed":  # the hands have nothing else
            known, shown = shown, known
        uses = self.steps(known, has=False)
        owners = tuple(dict.fromkeys(fact.holder for fact in self.facts(theirs, has=True)))
        for fact in [None] if wrong else self.facts(shown & ~self.out, has=False):
            self.add(Step(fact, rule, (), uses, cards, owners))


def unmatched(
    wanted: Sequence[int], able: Sequence[int], room: Sequence[int]
) -> tuple[int, int] | None:
    """
    Return takers who cannot all get what they need, and all items that they can get, as two masks.

    `None` if every taker can get what it needs.

    Args:
        wanted: How many items each taker needs.
        able: The mask of the items that each taker can get.
        room: How many takers each item is enough for.
    """
    items = [card_numbers(mask) for mask in able]
    given: list[list[int]] = [[] for _ in room]  # the takers that have each item

    def serve(taker: int, tried: set[int]) -> bool:
        """
        Give a taker one more item; return whether that was possible.

        If all items that it can get are given away, one of those who have them may swap it for
        another. `tried` is the set of the items that need not be tried again; it grows.
        """
        for item in items[taker]:
            if item in tried:
                continue
            tried.add(item)
            if len(given[item]) < room[item]:
                given[item].append(taker)
                return True
            for other in given[item]:
                if serve(other, tried):
                    given[item].remove(other)
                    given[item].append(taker)
                    return True
        return False

    for taker, many in enumerate(wanted):
        for _ in range(many):
            tried: set[int] = set()
            if not serve(taker, tried):
                takers = {taker}.union(*(given[item] for item in tried))
                return sum(1 << each for each in takers), sum(1 << item for item in tried)
    return None


def _union(masks: Iterable[int]) -> int:
    """Return the union of some masks: all bits that are set in any of them."""
    return reduce(or_, masks, 0)


def _mask(members: Iterable[bool]) -> int:
    """Return the mask of the numbers, from 0, at which `members` is true."""
    return sum(1 << number for number, member in enumerate(members) if member)


def _clash_step(chain: _Chain) -> Step:
    """
    Return the step that shows that the facts in a chain contradict each other.

    If the rules have not found a clash, the step argues by cases.
    """
    if chain.clash is not None:
        return chain.clash
    card, suppositions = _split(chain)
    cases = []
    for case in suppositions:
        clash = _clash_step(case)
        steps = steps_between(case.supposed, clash)
        if not steps:
            return clash  # it does not depend on the case, so the other cases are not needed
        cases.append(steps)
    elsewhere = chain.steps(chain.card_groups[card].cells & chain.out, has=False)
    return _by_cases(None, cases, elsewhere)


def _split(chain: _Chain) -> tuple[int, list[_Chain]]:
    """
    Return a card by whose holder to distinguish cases, and the cases.

    There is a case for each holder that can have the card: a chain that supposes that it does. If
    possible, the card is one for which all cases fail at once.
    """
    able = {card: chain.holders(card) for card in range(chain.layout.cards)}
    cards = sorted((card for card in able if len(able[card]) > 1), key=lambda c: len(able[c]))
    if not cards:
        raise _NotWritable  # the deal is known; only the combination of hand sizes is impossible
    for card in cards[:_MOST_TRIED]:
        suppositions = []
        for holder in able[card]:
            suppositions.append(chain.suppose(CertainFact(card, holder, True)))
            if suppositions[-1].clash is None:
                break
        else:
            return card, suppositions
    holders = able[cards[0]]
    return cards[0], [chain.suppose(CertainFact(cards[0], holder, True)) for holder in holders]


def _by_cases(
    fact: CertainFact | None, cases: Sequence[tuple[Step, ...]], elsewhere: Iterable[Step] = ()
) -> Step:
    """
    Return the step that shows a fact, or a clash, because all cases fail.

    The only case of a fact is its opposite.

    Args:
        fact: The fact that the step shows; `None` for a clash.
        cases: The steps of each case, from the supposition to its clash.
        elsewhere: The steps that rule out all other cases.
    """
    within = {step for case in cases for step in case}
    entries = {entry for step in within for entry in step.entries}
    uses = {used for step in within for used in step.uses if used not in within}
    found = tuple(sorted(uses.union(elsewhere), key=lambda step: step.number))
    return Step(fact, "cases", tuple(sorted(entries)), found, cases=tuple(cases))


def support_of(last: Step) -> tuple[Step, ...]:
    """Return a step and all steps that it rests on, in the order in which they were found."""
    seen = {last}
    pending = [last]
    while pending:
        for used in pending.pop().uses:
            if used not in seen:
                seen.add(used)
                pending.append(used)
    return tuple(sorted(seen, key=lambda step: step.number))


def steps_between(supposed: Step | None, clash: Step) -> tuple[Step, ...]:
    """
    Return the steps that lead from a supposition to a clash, both included.

    Empty if the clash does not rest on the supposition.
    """
    hanging: set[Step] = set()
    for step in support_of(clash):
        if step is supposed or not hanging.isdisjoint(step.uses):
            hanging.add(step)
    return tuple(sorted(hanging, key=lambda step: step.number))
