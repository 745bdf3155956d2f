"""
Seeded random games: a random deal, random suggestions, truthful answers.

Unless told otherwise, the table shows a random one of its matching cards. Nobody plays well here:
the suggestions are uniform, so the logs are as varied as a benchmark needs.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from clue_solver.arena.dealing import NAMES, Dealt
from clue_solver.notation import TurnState, normalise
from clue_solver.record import Entry, Record
from clue_solver.rules.edition import Edition, load_edition
from clue_solver.rules.observations import Answer, Observation, Suggestion
from clue_solver.rules.table import Table

Choosing = Callable[[list[str], str, str], str]
"""The card that is shown: of the cards that could be, by which seat, to which asker."""


def holders(dealt: Dealt) -> npt.NDArray[np.int64]:
    """Return the number of the true holder of each card, shape (cards,)."""
    seats, cards = dealt.table.seats, dealt.table.cards
    truth = np.full(len(cards), len(seats))
    for number, seat in enumerate(seats):
        truth[[cards.index(name) for name in dealt.hands[seat]]] = number
    return truth


def random_game(edition: str | Edition, seats: int, *, turns: int, seed: int) -> Record:
    """
    Return the notes that the first seat takes of a random game, its own hand first.

    Args:
        edition: An edition or a shipped edition's name.
        seats: How many players.
        turns: How many suggestions; everybody's are counted.
        seed: The same seed gives the same game.
    """
    rules = load_edition(edition) if isinstance(edition, str) else edition
    random = Random(f"{rules.name} {seats} {seed}")
    dealt = random_deal(random, rules, seats)

    def by_lot(could: list[str], seat: str, asker: str) -> str:
        return random.choice(could)

    observations: list[Observation] = [dealt.own]
    for turn in range(turns):
        by = dealt.table.seats[turn % seats]
        asked = random_cards(random, rules)
        observations.append(suggestion(dealt, by, asked, choose=by_lot))
    state = TurnState()
    entries: list[Entry] = []
    for observation in observations:
        settled = normalise(observation, dealt.table, state)
        entries.append(Entry(observation=settled, before=() if entries else ("",)))
        state = state.after(settled)
    return Record(table=dealt.table, entries=tuple(entries))


def random_deal(random: Random, rules: Edition, seats: int) -> Dealt:
    """Return a table of so many players with a random case and evenly dealt hands."""
    names = NAMES[:seats]
    envelope = [random.choice(kind.cards).name for kind in rules.category]
    rest = [name for name in rules.names if name not in envelope]
    random.shuffle(rest)
    hands = {name: frozenset(rest[place::seats]) for place, name in enumerate(names)}
    table = Table(
        edition=rules,
        seats=names,
        hands=tuple(len(hands[name]) for name in names),
        viewer=names[0],
    )
    return Dealt(table, hands)


def random_cards(random: Random, rules: Edition) -> tuple[str, ...]:
    """Return the cards of a uniform suggestion, one of each category that is to be named."""
    kinds = sorted(random.sample(range(len(rules.category)), rules.named))
    return tuple(random.choice(rules.category[kind].cards).name for kind in kinds)


def suggestion(dealt: Dealt, by: str, asked: tuple[str, ...], *, choose: Choosing) -> Suggestion:
    """Return the suggestion with the table's true answers, as the viewer sees them."""
    seen = [
        answer if dealt.table.viewer in (by, answer.seat) else replace(answer, card=None)
        for answer in answers(dealt, by, asked, choose=choose)
    ]
    return Suggestion(by=by, cards=asked, answers=tuple(seen))


def answers(
    dealt: Dealt, by: str, asked: tuple[str, ...], *, choose: Choosing
) -> tuple[Answer, ...]:
    """Return the table's true answers, the card that is shown among them."""
    given = []
    for seat, could in dealt.able(by, asked):
        if could:
            given.append(Answer(seat=seat, answer="shows", card=choose(could, seat, by)))
        else:
            given.append(Answer(seat=seat, answer="passes"))
    return tuple(given)
