"""
Notebooks of true games with entries missing, and whether what comes of them is true.

Every seat's notebook of a game holds what that seat saw, each of its entries dropped with a chance
that is drawn for the game.
"""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from clue_solver.knowledge import evidence
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.viewer import everyones_knowledge
from clue_solver.notation import normalise
from clue_solver.record import Entry, Record
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.observations import Hand, Observation, Suggestion
from clue_solver.rules.table import ENVELOPE, Table
from tests.random_games import answers, random_cards, random_deal


def game(random: Random) -> tuple[Record, dict[str, str]]:
    """Return a game of Clue that everybody saw all of, and where each card lies."""
    edition = load_edition("clue-classic")
    dealt = random_deal(random, edition, random.randint(3, 6))
    table = replace(dealt.table, viewer=None)
    told: list[Observation] = [
        Hand(seat=seat, cards=tuple(card for card in table.cards if card in held))
        for seat, held in dealt.hands.items()
    ]
    last: dict[str, tuple[str, ...]] = {}
    for turn in range(random.choice((8, 15, 30, 60))):
        by = table.seats[turn % len(table.seats)]
        cards = random_cards(random, edition)
        if by in last:
            cards = tuple(
                old if random.random() < 0.5 else new
                for old, new in zip(last[by], cards, strict=True)
            )
        last[by] = cards
        heard = answers(dealt, by, cards, choose=lambda could, _seat, _by: random.choice(could))
        told.append(Suggestion(by=by, cards=cards, answers=heard))
    entries = tuple(Entry(observation=normalise(each, table)) for each in told)
    places = {card: seat for seat, held in dealt.hands.items() for card in held}
    return Record(table=table, entries=entries), places


def notebooks(record: Record, random: Random, chance: float) -> list[Record]:
    """Return what each seat's notebook holds, with entries missing."""
    found = []
    numbered = list(enumerate(record.observations, 1))
    for seat in record.table.seats:
        seen = evidence.share(numbered, table=record.table, viewer=seat)
        kept = [each for _, each in seen if random.random() >= chance]
        entries = tuple(Entry(observation=each) for each in kept)
        found.append(Record(table=replace(record.table, viewer=seat), entries=entries))
    return found


def untrue(record: Record, places: dict[str, str]) -> bool:
    """Whether a record says anything that is not so where the cards lie."""
    table: Table = record.table
    known = everyones_knowledge(table, record.observations)
    lies = [places.get(card, ENVELOPE) for card in table.cards]
    for clause in known.clauses:
        there = [lies[card] == table.holders[clause.holder] for card in card_numbers(clause.cards)]
        if clause.has != any(there) if clause.has else all(there):
            return True
    return False
