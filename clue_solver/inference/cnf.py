"""
A viewer's knowledge as a plain CNF formula, for other model counters and solvers.

Its models are exactly the deals that fit: the values of the auxiliary variables, which say how many
of the first cards a holder has, follow from those of the others.
"""

from itertools import combinations, product

from pysat.formula import CNF, IDPool

from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.viewer import Knowledge


def formula(knowledge: Knowledge) -> tuple[CNF, IDPool]:
    """
    Return the knowledge as a CNF formula, and the pool that says what its variables mean.

    The first variables mean `(card, holder)`, card by card: the holder has the card. Then come
    `(card, holder, number)`: the holder has at least this number of the cards up to this one.
    """
    layout, found, pool = knowledge.layout, CNF(), IDPool()
    cards, holders = range(layout.cards), range(layout.holders)
    places = [[(card, holder) for holder in holders] for card in cards]
    places += [
        [(card, layout.envelope) for card in card_numbers(kind)] for kind in layout.categories
    ]
    for alternatives in places:
        found.append([pool.id(place) for place in alternatives])
        found.extend([-pool.id(a), -pool.id(b)] for a, b in combinations(alternatives, 2))
    # Counters of hands, defined in both directions.
    last = layout.cards - 1
    for holder, (least, most) in enumerate(layout.bounds):
        for card, number in product((-1, *cards), range(most + 2)):
            enough = pool.id((card, holder, number))
            if card < 0 or not number:
                found.append([-enough if number else enough])
                continue
            has = pool.id((card, holder))
            before, fewer = (pool.id((card - 1, holder, each)) for each in (number, number - 1))
            found.extend([[-before, enough], [-has, -fewer, enough]])
            found.extend([[-enough, before, has], [-enough, before, fewer]])
        found.extend([[pool.id((last, holder, least))], [-pool.id((last, holder, most + 1))]])
    if layout.joint_sizes:
        bounds = layout.bounds[: layout.seats]
        for sizes in product(*(range(least, most + 1) for least, most in bounds)):
            if sizes not in layout.joint_sizes:
                less = [-pool.id((last, holder, size)) for holder, size in enumerate(sizes)]
                more = [pool.id((last, holder, size + 1)) for holder, size in enumerate(sizes)]
                found.append(less + more)
    for _, holder, mask, has_one in knowledge.clauses:
        literals = [pool.id((card, holder)) for card in card_numbers(mask)]
        found.append([literal if has_one else -literal for literal in literals])
    return found, pool
