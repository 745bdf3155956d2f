"""
An argument that a person can follow: from a few entries to a fact, one small step at a time.

The entries come from `explain.smallest_conflict` and are known to force the fact. A chain of facts
is built from them by rules that one can check by eye: a pass, a full hand, the last place of a
card, the last card of a category, an either-or with one way left. Where these are stuck, hands are
counted together; where that is stuck too, a step goes by cases: suppose not, then something cannot
be. Cases split until each one fails, so every fact that is forced gets an argument. What the fact
does not rest on is left out at the end. An argument that would take too many cases is one step that
says so: the deals were counted.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Self

from clue_solver.inference.explain import (
    CertainFact,
    Rule,
    Step,
    next_number,
    steps_between,
    support_of,
)
from clue_solver.knowledge.clauses import Clause, Layout, card_numbers
from clue_solver.knowledge.viewer import Knowledge

CASES = 200
"""How many suppositions an argument may follow up before it says that the deals were counted."""

_MOST_TRIED = 8
"""How many cards are tried for one whose cases all fail at once."""


_Need = tuple[Clause, int, list[Step]]
"""An open either-or, the ways that are left, and the steps that exclude the others."""

_OpenHand = tuple[int, int, int, int]
"""A holder, the mask of the cards it can have, and the least and most that it holds of them."""


class _TooManyCases(Exception):
    """No argument that anybody would read."""


def argue(
    knowledge: Knowledge, entries: Iterable[int], goal: CertainFact | None
) -> tuple[Step, ...]:
    """
    Return the steps from entries that force the goal to the goal, which is the last step's fact.

    Where the goal is `None`, the entries contradict each other, and the last step is a clash.
    """
    entries = tuple(sorted(entries))
    chosen = frozenset(entries)
    rules = [clause for clause in knowledge.clauses if chosen.issuperset(clause.entries)]
    chain = _Chain(knowledge.layout, rules)
    chain.follow(goal)
    try:
        if goal is None:
            return support_of(_clash(chain))
        if goal in chain.found:
            return support_of(chain.found[goal])
        opposite = chain.supposing(goal.opposite)
        return support_of(_by_cases(goal, [steps_between(opposite.supposed, _clash(opposite))]))
    except _TooManyCases:
        return (Step(number=next_number(), fact=goal, rule="counted", entries=entries),)


class _Chain:
    """All that was found so far, and what it leaves possible."""

    def __init__(self, layout: Layout, rules: list[Clause]) -> None:
        self.layout = layout
        self.rules = rules
        self.found: dict[CertainFact, Step] = {}
        self.has = [0] * layout.holders  # the cards that each holder certainly has
        self.out = [0] * layout.holders  # the cards that each holder certainly lacks
        self.clash: Step | None = None
        self.supposed: Step | None = None  # the innermost supposition
        self.cases = [0]  # how many suppositions were followed up, counted over all copies
        for rule in rules:
            if rule.cards and not rule.cards & (rule.cards - 1):
                fact = CertainFact(rule.cards.bit_length() - 1, rule.holder, rule.has)
                self.add(fact, "told", entries=rule.entries)
            elif not rule.cards:
                self.add(None, "told", entries=rule.entries)

    def supposing(self, fact: CertainFact) -> Self:
        """Return what follows where a fact is supposed besides."""
        self.cases[0] += 1
        if self.cases[0] > CASES:
            raise _TooManyCases
        other = object.__new__(type(self))
        other.layout, other.rules, other.clash = self.layout, self.rules, self.clash
        other.cases = self.cases
        other.found, other.has, other.out = dict(self.found), list(self.has), list(self.out)
        other.add(fact, "supposed")
        other.supposed = other.found[fact]
        other.follow(None)
        return other

    def add(
        self,
        fact: CertainFact | None,
        rule: Rule,
        uses: Iterable[Step] = (),
        *,
        entries: tuple[int, ...] = (),
        cards: int = 0,
        holders: tuple[int, ...] = (),
    ) -> None:
        """Take in a fact, or that something cannot be, unless it is known; notice a clash."""
        if fact in self.found or (fact is None and self.clash is not None):
            return
        step = Step(
            number=next_number(),
            fact=fact,
            rule=rule,
            entries=entries,
            uses=tuple(uses),
            cards=cards,
            holders=holders,
        )
        if fact is None:
            self.clash = step
            return
        self.found[fact] = step
        (self.has if fact.has else self.out)[fact.holder] |= 1 << fact.card
        opposite = self.found.get(fact.opposite)
        if opposite is not None:
            both = (opposite, step)
            self.add(None, "clash", both, cards=1 << fact.card, holders=(fact.holder,))

    def facts(self, cards: int, holders: Iterable[int], *, has: bool) -> list[Step]:
        """Return the steps that found these facts; all of them must be known."""
        return [self.found[CertainFact(c, h, has)] for h in holders for c in card_numbers(cards)]

    def follow(self, goal: CertainFact | None) -> None:
        """Apply the rules, simple ones first, until the goal is found, or a clash, or nothing."""
        known = -1
        while self.clash is None and goal not in self.found and known != len(self.found):
            known = len(self.found)
            for rules in (self._cards, self._hands, self._categories, self._either_ors):
                rules()
                if self.clash is not None:
                    return
            if known == len(self.found):
                self._counted()

    def places(self, card: int) -> list[int]:
        """Return the holders that can still have the card."""
        return [h for h, out in enumerate(self.out) if not out >> card & 1]

    def _cards(self) -> None:
        everyone = range(self.layout.holders)
        for card in range(self.layout.cards):
            bit = 1 << card
            owner = next((h for h in everyone if self.has[h] & bit), None)
            if owner is not None:
                step = self.found[CertainFact(card, owner, True)]
                for other in everyone:
                    if other != owner:
                        self.add(
                            CertainFact(card, other, False), "placed", (step,), holders=(owner,)
                        )
                continue
            places = self.places(card)
            if len(places) <= 1:
                out = self.facts(bit, (h for h in everyone if h not in places), has=False)
                if places:
                    self.add(CertainFact(card, places[0], True), "only place", out)
                else:
                    self.add(None, "only place", out, cards=bit)

    def _hands(self) -> None:
        everything = self.layout.everything
        for holder, (least, most) in enumerate(self.layout.bounds):
            has = self.has[holder]
            can = everything & ~self.out[holder]
            if has.bit_count() >= most:
                held = self.facts(has, (holder,), has=True)
                if has.bit_count() > most:
                    self.add(None, "full", held, cards=has, holders=(holder,))
                for card in card_numbers(can & ~has):
                    self.add(CertainFact(card, holder, False), "full", held, cards=has)
            elif can.bit_count() <= least:
                out = self.facts(everything & ~can, (holder,), has=False)
                if can.bit_count() < least:
                    self.add(None, "needed", out, cards=can, holders=(holder,))
                for card in card_numbers(can & ~has):
                    self.add(CertainFact(card, holder, True), "needed", out, cards=can)

    def _categories(self) -> None:
        envelope = self.layout.envelope
        for category in self.layout.categories:
            has = self.has[envelope] & category
            can = category & ~self.out[envelope]
            if has:
                held = self.facts(has, (envelope,), has=True)
                if has & (has - 1):
                    self.add(None, "category taken", held, cards=has, holders=(envelope,))
                for card in card_numbers(can & ~has):
                    self.add(
                        CertainFact(card, envelope, False), "category taken", held[:1], cards=has
                    )
            elif not can & (can - 1):
                out = self.facts(category & ~can, (envelope,), has=False)
                if not can:
                    self.add(None, "last of category", out, cards=category, holders=(envelope,))
                for card in card_numbers(can):
                    fact = CertainFact(card, envelope, True)
                    self.add(fact, "last of category", out, cards=category)

    def _either_ors(self) -> None:
        for entries, holder, cards, has in self.rules:
            against = self.out[holder] if has else self.has[holder]
            if not cards & (cards - 1) or cards & (self.has if has else self.out)[holder]:
                continue
            ways = cards & ~against
            if ways & (ways - 1):
                continue
            uses = self.facts(cards & ~ways, (holder,), has=not has)
            rule: Rule = "either-or" if has else "not all"
            if not ways:
                self.add(None, rule, uses, entries=entries, cards=cards, holders=(holder,))
                return
            fact = CertainFact(ways.bit_length() - 1, holder, has)
            self.add(fact, rule, uses, entries=entries, cards=cards)

    def _counted(self) -> None:
        """Apply the rules that count over several hands, until one of them finds something."""
        known = len(self.found)
        for rules in (self._filled, self._shared, self._together, self._crowded):
            rules()
            if self.clash is not None or len(self.found) > known:
                return

    def _needs(self, holder: int) -> list[_Need]:
        """Return the holder's open either-ors; simple rules left each two cards or more."""
        out = self.out[holder]
        return [
            (rule, rule.cards & ~out, self.facts(rule.cards & out, (holder,), has=False))
            for rule in self.rules
            if rule.holder == holder and rule.has and not rule.cards & self.has[holder]
        ]

    def _filled(self) -> None:
        """Separate either-ors that take up all the room left in a hand leave none for others."""
        for holder, (_, most) in enumerate(self.layout.bounds):
            has = self.has[holder]
            room = most - has.bit_count()
            if not 1 <= room <= _MOST_ROOM:
                continue
            needs = self._needs(holder)
            held = self.facts(has, (holder,), has=True)
            rule: Rule = "full of either-ors"
            for chosen in _separate(needs, room + 1):
                union, entries, uses = _union(chosen)
                uses = [*held, *uses]
                self.add(None, rule, uses, entries=entries, cards=union, holders=(holder,))
                return
            for chosen in _separate(needs, room):
                union, entries, uses = _union(chosen)
                uses = [*held, *uses]
                others = self.layout.everything & ~self.out[holder] & ~has & ~union
                for card in card_numbers(others):
                    self.add(
                        CertainFact(card, holder, False), rule, uses, entries=entries, cards=union
                    )

    def _shared(self) -> None:
        """Two or three holders that need one each of as many cards leave none for the others."""
        demands = [need for holder in range(self.layout.holders) for need in self._needs(holder)]
        envelope = self.layout.envelope
        for kind in self.layout.categories:
            if not kind & self.has[envelope]:
                out = self.facts(kind & self.out[envelope], (envelope,), has=False)
                demands.append((Clause((), envelope, kind, True), kind & ~self.out[envelope], out))
        for size in (2, 3):
            small = [demand for demand in demands if demand[1].bit_count() <= size]
            for chosen in combinations(small, size):
                owners = tuple(sorted({rule.holder for rule, _, _ in chosen}))
                union, entries, uses = _union(chosen)
                if len(owners) == size and union.bit_count() <= size:
                    self._nowhere_else("shared", union, owners, uses, entries)

    def _nowhere_else(
        self,
        rule: Rule,
        cards: int,
        owners: tuple[int, ...],
        uses: list[Step],
        entries: tuple[int, ...] = (),
    ) -> None:
        """Take in that nobody but the owners has these cards."""
        for card in card_numbers(cards):
            for holder in self.places(card):
                if holder not in owners:
                    fact = CertainFact(card, holder, False)
                    self.add(fact, rule, uses, entries=entries, cards=cards, holders=owners)

    def _open_hands(self) -> list[_OpenHand]:
        """Return what each hand can have, the envelope's categories as hands of one."""
        bounds, layout = self.layout.bounds, self.layout
        hands = [(h, layout.everything & ~self.out[h], *bounds[h]) for h in range(len(bounds))]
        envelope = layout.envelope
        hands += [(envelope, kind & ~self.out[envelope], 1, 1) for kind in layout.categories]
        return hands

    def _together(self) -> None:
        """Count over one to three hands together, the envelope's categories as hands of one."""
        layout = self.layout
        hands = self._open_hands()
        least, most = sum(hand[2] for hand in hands), sum(hand[3] for hand in hands)
        for size in (1, 2, 3):
            for group in combinations(hands, size):
                elsewhere = _all(hand[1] for hand in hands if hand not in group)
                can = _all(hand[1] for hand in group)
                fewest, largest = sum(hand[2] for hand in group), sum(hand[3] for hand in group)
                largest = min(largest, layout.cards - (least - fewest))
                fewest = max(fewest, layout.cards - (most - sum(hand[3] for hand in group)))
                self._full_group(group, layout.everything & ~elsewhere, largest)
                self._needing_group(group, can, fewest)
                if self.clash is not None:
                    return

    def _crowded(self) -> None:
        """
        Find any number of hands that can have too few cards, or cards that too few hands can have.

        Cards and hands that cannot be matched leave such a group (Hall, "On Representatives of
        Subsets", 1935); a matching that places all cards and one that fills all hands make one that
        does both (Mendelsohn and Dulmage, 1958), so nothing that counting shows is missed.
        """
        hands = self._open_hands()
        for filling in (False, True):
            left = _unmatched(hands, range(self.layout.cards), filling=filling)
            if left is not None:
                chosen = tuple(hands[place] for place in left[0])
                if filling:
                    self._needing_group(chosen, left[1], sum(hand[2] for hand in chosen))
                else:
                    self._full_group(chosen, left[1], sum(hand[3] for hand in chosen))
                return

    def _full_group(self, group: tuple[_OpenHand, ...], inside: int, largest: int) -> None:
        """All places in these hands are taken up by cards that can be nowhere else."""
        if inside.bit_count() < largest:
            return
        owners = tuple(sorted({hand[0] for hand in group}))
        uses: list[Step] = []
        for card in card_numbers(inside):
            gone = [h for h in range(self.layout.holders) if self.out[h] >> card & 1]
            uses += self.facts(1 << card, gone, has=False)
        if inside.bit_count() > largest:
            self.add(None, "hands full", uses, cards=inside, holders=owners)
            return
        for holder, can, _, _ in group:
            for card in card_numbers(can & ~inside & ~self.out[holder]):
                fact = CertainFact(card, holder, False)
                self.add(fact, "hands full", uses, cards=inside, holders=owners)

    def _needing_group(self, group: tuple[_OpenHand, ...], can: int, fewest: int) -> None:
        """These hands need all the cards that are left for them."""
        if can.bit_count() > fewest:
            return
        owners = tuple(sorted({hand[0] for hand in group}))
        out: list[Step] = []
        for holder in owners:
            out += self.facts(self.out[holder] & ~can, (holder,), has=False)
        if can.bit_count() < fewest:
            self.add(None, "hands needed", out, cards=can, holders=owners)
            return
        self._nowhere_else("hands needed", can, owners, out)


_MOST_ROOM = 3


def _unmatched(
    hands: Sequence[_OpenHand], cards: Iterable[int], *, filling: bool
) -> tuple[list[int], int] | None:
    """
    Return hands and cards between which no matching is possible, or `None` if one is.

    If `filling` the hands are filled with the least that they hold: the places of hands that can
    have no other cards than the mask, too few. Else all cards are placed into hands with room for
    the most: the mask is of cards that no other hand can have, more than these hold.
    """
    at: dict[int, int] = {}  # the place of each card
    room = [hand[2] if filling else hand[3] for hand in hands]

    def placed(card: int, tried: set[int]) -> bool:
        """Place a card, moving others where that makes room."""
        for place, hand in enumerate(hands):
            if hand[1] >> card & 1 and place not in tried:
                tried.add(place)
                here = [other for other, where in at.items() if where == place]
                if len(here) < room[place] or any(placed(other, tried) for other in here):
                    at[card] = place
                    return True
        return False

    def filled(place: int, tried: set[int]) -> bool:
        """Give a hand one card more, taking one from others where they find another."""
        for card in card_numbers(hands[place][1]):
            if card not in tried and at.get(card) != place:
                tried.add(card)
                if card not in at or filled(at[card], tried):
                    at[card] = place
                    return True
        return False

    if filling:
        for place, least in enumerate(room):
            for _ in range(least):
                tried: set[int] = set()
                if not filled(place, tried):
                    group = {place} | {at[card] for card in tried}
                    return sorted(group), _all(hands[member][1] for member in group)
        return None
    for card in cards:
        reached: set[int] = set()
        if not placed(card, reached):
            full = [other for other, where in at.items() if where in reached]
            return sorted(reached), sum(1 << other for other in (*full, card))
    return None


def _separate(needs: list[_Need], size: int) -> Iterator[tuple[_Need, ...]]:
    """Yield each choice of so many either-ors that have no card in common."""
    for chosen in combinations(needs, size):
        masks = [ways for _, ways, _ in chosen]
        if _all(masks) == sum(masks):
            yield chosen


def _union(chosen: Sequence[_Need]) -> tuple[int, tuple[int, ...], list[Step]]:
    """Return the cards, the entries and the steps behind some either-ors."""
    entries = {entry for rule, _, _ in chosen for entry in rule.entries}
    uses = [step for _, _, out in chosen for step in out]
    return _all(ways for _, ways, _ in chosen), tuple(sorted(entries)), uses


def _all(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _clash(chain: _Chain) -> Step:
    """Return the step that the facts of a chain cannot all be; by cases where rules are stuck."""
    if chain.clash is not None:
        return chain.clash
    card, suppositions = _split(chain)
    cases = []
    for case in suppositions:
        clash = _clash(case)
        steps = steps_between(case.supposed, clash)
        if not steps:
            return clash  # wherever the card is: the other cases need not be told
        cases.append(steps)
    others = [h for h, out in enumerate(chain.out) if out >> card & 1]
    return _by_cases(None, cases, chain.facts(1 << card, others, has=False))


def _split(chain: _Chain) -> tuple[int, list[_Chain]]:
    """Return a card with few places, and each supposed; where they all fail at once if any does."""
    places = {card: chain.places(card) for card in range(chain.layout.cards)}
    cards = sorted((card for card in places if len(places[card]) > 1), key=lambda c: len(places[c]))
    if not cards:
        raise _TooManyCases  # a whole deal, of hand sizes that do not go together
    for card in cards[:_MOST_TRIED]:
        suppositions = []
        for holder in places[card]:
            suppositions.append(chain.supposing(CertainFact(card, holder, True)))
            if suppositions[-1].clash is None:
                break
        else:
            return card, suppositions
    holders = places[cards[0]]
    return cards[0], [chain.supposing(CertainFact(cards[0], holder, True)) for holder in holders]


def _by_cases(
    fact: CertainFact | None, cases: Sequence[tuple[Step, ...]], elsewhere: Iterable[Step] = ()
) -> Step:
    """
    Return the step that each of the cases fails.

    Args:
        fact: What the step shows.
        cases: The steps of each case, from what is supposed to its clash.
        elsewhere: The steps that show that there are no other cases.
    """
    within = {step for case in cases for step in case}
    entries = {entry for step in within for entry in step.entries}
    uses = {used for step in within for used in step.uses if used not in within}
    return Step(
        number=next_number(),
        fact=fact,
        rule="cases",
        entries=tuple(sorted(entries)),
        uses=tuple(sorted(uses.union(elsewhere), key=lambda step: step.number)),
        cases=tuple(cases),
    )
