"""Simulated players: how they ask, and by which habit they really show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from simulate import Choosing, random_cards, suggestion

from clue_solver.arena.dealing import Dealt
from clue_solver.knowledge.evidence import predicting
from clue_solver.rules.observations import Observation

Asking = Callable[[Random, Dealt, str, set[str]], tuple[str, ...]]
"""The cards to ask for: at which table, by which seat, which has been shown which cards."""


def in_rooms(random: Random, dealt: Dealt, by: str, seen: set[str]) -> tuple[str, ...]:
    """Suspect and weapon that the asker neither holds nor was shown, and any room."""
    *kinds, rooms = dealt.table.edition.category
    known = seen | dealt.hands[by]
    asked = [random.choice([c.name for c in kind.cards if c.name not in known]) for kind in kinds]
    return (*asked, random.choice(rooms.cards).name)


def uniform(random: Random, dealt: Dealt, by: str, seen: set[str]) -> tuple[str, ...]:
    """Any cards, one of each category."""
    return random_cards(random, dealt.table.edition)


def careless(often: float) -> Asking:
    """
    Any card of a category so often, else one that the asker does not hold, for each anew.

    Where there is a board, the room is any.
    """

    def ask(random: Random, dealt: Dealt, by: str, seen: set[str]) -> tuple[str, ...]:
        asked = []
        for kind in dealt.table.edition.category:
            cards = [card.name for card in kind.cards]
            free = dealt.table.board == "none" or kind.name.casefold() != "room"
            others = [name for name in cards if name not in dealt.hands[by]] or cards
            asked.append(random.choice(others if free and random.random() >= often else cards))
        return tuple(asked)

    return ask


ASKING: Mapping[str, Asking] = {"in rooms": in_rooms, "uniform": uniform}


def at_random(random: Random, dealt: Dealt) -> Choosing:
    """Each matching card is as likely to be shown."""

    def choose(could: list[str], seat: str, asker: str) -> str:
        return random.choice(could)

    return choose


def the_same_again(random: Random, dealt: Dealt) -> Choosing:
    """A card that this seat has shown this asker before is shown again, else a random one."""
    policy, cards = predicting("sticky"), dealt.table.cards
    habits: dict[tuple[str, str], int] = {}

    def choose(could: list[str], seat: str, asker: str) -> str:
        numbers = [cards.index(name) for name in could]
        habit = habits.get((seat, asker), 0)
        (number,) = random.choices(numbers, policy.picks(numbers, habit=habit))
        habits[seat, asker] = habit | 1 << number
        return cards[number]

    return choose


def first_match(random: Random, dealt: Dealt) -> Choosing:
    """Always the first matching card in edition order."""

    def choose(could: list[str], seat: str, asker: str) -> str:
        return min(could, key=dealt.table.cards.index)

    return choose


HABITS: Mapping[str, Callable[[Random, Dealt], Choosing]] = {
    "at random": at_random,
    "the same again": the_same_again,
    "first match": first_match,
}
"""How the table really shows."""


def log_of(
    dealt: Dealt, random: Random, asking: Asking, choose: Choosing, rounds: int
) -> list[Observation]:
    """Return the viewer's notes: its hand, then so many rounds of suggestions."""
    table = dealt.table
    seen: dict[str, set[str]] = {seat: set() for seat in table.seats}
    log: list[Observation] = [dealt.own]
    by = ""

    def noted(could: list[str], seat: str, asker: str) -> str:
        card = choose(could, seat, asker)
        seen[asker].add(card)
        return card

    for by in table.seats * rounds:
        asked = asking(random, dealt, by, seen[by])
        log.append(suggestion(dealt, by, asked, choose=noted))
    return log
