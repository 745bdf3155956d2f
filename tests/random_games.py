"""
Seeded random games: a random deal, random suggestions, truthful answers.

By default, a player shows a random one of the matching cards. Nobody plays well: suggestions are
uniform, so that the logs are as varied as a benchmark needs.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from clue_solver.arena.dealing import NAMES, Deal
from clue_solver.record.contents import Entry, Record
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import load_edition, parse_edition
from clue_solver.rules.observations import Answer, Suggestion
from clue_solver.rules.table import Table

Choosing = Callable[[list[str], str, str], str]
"""Returns the card to show, given the matching cards, the seat that shows, and the asker."""

TWELVE = parse_edition(
    'title = "Twelve cards"\n'
    + "".join(
        f'[[category]]\nname = "{kind}"\ncards = ['
        + ", ".join(f'{{ name = "{kind[0].upper()}{number}" }}' for number in range(1, 5))
        + "]\n"
        for kind in ("suspect", "weapon", "room")
    ),
    name="twelve.toml",
)
"""Few enough cards to list all deals even for a viewer without a hand."""


def holders(dealt: Deal) -> npt.NDArray[np.int64]:
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

    record = Record(table=dealt.table).append(dealt.hand("Ann"))
    for turn in range(turns):
        by = dealt.table.seats[turn % seats]
        asked = random_cards(random, rules)
        told = suggestion(dealt, by, asked, choose=lambda could, _, __: random.choice(could))
        record = record.append(told)
    return record


def random_deal(random: Random, rules: Edition, seats: int) -> Deal:
    """Return a random deal: cards in the envelope, and hands of even sizes."""
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
    return Deal(table, hands)


def long_game(
    rules: Edition, seats: int, *, questions: int, heard: float, careless: float, seed: int
) -> Record:
    """
    Return the first seat's notes of a game in which nobody ever accuses.

    Args:
        rules: The edition; rooms are named freely.
        seats: How many players.
        questions: How many suggestions each of them makes.
        heard: The chance that the answers to a suggestion are heard.
        careless: The chance that a card is drawn from all of its category, and not from those that
            the asker lacks.
        seed: The same seed gives the same game.
    """
    random = Random(f"{rules.name} {seats} {questions} {seed}")
    dealt = random_deal(random, rules, seats)
    dealt = dealt._replace(table=replace(dealt.table, board="none"))
    entries = [Entry(observation=dealt.hand("Ann"))]
    for by in dealt.table.seats * questions:
        asked = []
        for kind in rules.category:
            cards = [card.name for card in kind.cards]
            lacked = [name for name in cards if name not in dealt.hands[by]] or cards
            asked.append(random.choice(cards if random.random() < careless else lacked))
        told = suggestion(dealt, by, tuple(asked), choose=lambda could, _, __: random.choice(could))
        if random.random() >= heard:
            told = replace(told, answers=())
        entries.append(Entry(observation=told))
    return Record(table=dealt.table, entries=tuple(entries))


def random_cards(random: Random, rules: Edition) -> tuple[str, ...]:
    """Return the cards of a uniform suggestion, one of each category that is to be named."""
    kinds = sorted(random.sample(range(len(rules.category)), rules.named))
    return tuple(random.choice(rules.category[kind].cards).name for kind in kinds)


def suggestion(dealt: Deal, by: str, asked: tuple[str, ...], *, choose: Choosing) -> Suggestion:
    """Return a suggestion with its true answers, as the viewer sees them."""
    seen = [
        answer if dealt.table.viewer in (by, answer.seat) else replace(answer, card=None)
        for answer in answers(dealt, by, asked, choose=choose)
    ]
    return Suggestion(by=by, cards=asked, answers=tuple(seen))


def answers(
    dealt: Deal, by: str, asked: tuple[str, ...], *, choose: Choosing
) -> tuple[Answer, ...]:
    """Return the true answers to a suggestion, with the card that is shown."""
    given = []
    for seat, could in dealt.able_to_answer(by, asked):
        if could:
            given.append(Answer(seat=seat, answer="shows", card=choose(could, seat, by)))
        else:
            given.append(Answer(seat=seat, answer="passes"))
    return tuple(given)
