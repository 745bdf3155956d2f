"""
Seeded random games: a random deal, random suggestions, truthful answers.

The table shows a random one of its matching cards. Nobody plays well here: the suggestions are
uniform, so the logs are as varied as a benchmark needs.
"""

from __future__ import annotations

from random import Random

from clue_solver.edition import load_edition
from clue_solver.observation import Answer, Hand, Observation, Suggestion
from clue_solver.record import Record
from clue_solver.table import Table

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jim")


def random_game(edition: str, seats: int, *, turns: int, seed: int) -> Record:
    """
    Return the notes that the first seat takes of a random game, its own hand first.

    Args:
        edition: A shipped edition's name.
        seats: How many players.
        turns: How many suggestions; everybody's are counted.
        seed: The same seed gives the same game.
    """
    random = Random(f"{edition} {seats} {seed}")
    rules = load_edition(edition)
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
    order = {name: number for number, name in enumerate(rules.names)}
    own = tuple(sorted(hands[names[0]], key=order.__getitem__))
    observations: list[Observation] = [Hand(seat=names[0], cards=own)]
    for turn in range(turns):
        by = names[turn % seats]
        kinds = sorted(random.sample(range(len(rules.category)), rules.named))
        asked = tuple(random.choice(rules.category[kind].cards).name for kind in kinds)
        answers = tuple(_answers(random, table, by, asked, hands))
        observations.append(Suggestion(by=by, cards=asked, answers=answers))
    record = Record(table=table)
    for observation in observations:
        record = record.append(observation)
    return record


def _answers(
    random: Random, table: Table, by: str, asked: tuple[str, ...], hands: dict[str, frozenset[str]]
) -> list[Answer]:
    answers = []
    for seat in table.answering(by):
        match = [name for name in asked if name in hands[seat]]
        if match:
            card = random.choice(match)
            seen = card if table.viewer in (by, seat) else None
            answers.append(Answer(seat=seat, answer="shows", card=seen))
            break
        answers.append(Answer(seat=seat, answer="passes"))
    return answers
