"""
Whether the arena keeps the rules and its players never know anything false.

A game is read again as a record, and from the notes of every seat after every entry there has to
be no contradiction and no certain fact that is false; whoever made the right accusation has to have
had the solution certain; the enforcer, which was written from the rules and knows nothing of the
engine (tests/enforcer.py), has to find every action legal.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from clue_solver import parse_record
from clue_solver.arena.players import find_player
from clue_solver.arena.referee import Referee, play
from clue_solver.arena.tournament import Tournament
from clue_solver.inference.batch import evaluate
from clue_solver.inference.positions import Positions
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Record
from clue_solver.rules.observations import Hand, Move, Observation, Roll, Skip, Suggestion
from clue_solver.rules.table import ANY
from tests.enforcer import Referee as Enforcer
from tests.enforcer import breaches


def played(tournament: Tournament, game: int) -> Referee:
    """Return a game that was played."""
    referee = tournament.begin(game)
    _, names = tournament.deal_and_seating(game)
    seats = zip(referee.dealt.table.seats, names, strict=True)
    play(referee, {seat: find_player(name) for seat, name in seats})
    return referee


def wrong_cards(referee: Referee) -> tuple[str, ...]:
    """Return an accusation in which every card is wrong."""
    kinds = next(iter(referee.views.values())).kinds
    return tuple(next(card for card in kind if card not in referee.solution) for kind in kinds)


def hands_last(referee: Referee) -> tuple[Observation, ...]:
    """Return the log as the record has it once all cards lie open: the hands come last."""
    return tuple(sorted(referee.log, key=lambda each: isinstance(each, Hand)))


def illegal(referee: Referee) -> list[str]:
    """Return what the enforcer has against the game."""
    enforcer = Enforcer(referee.dealt.table)
    found = breaches(referee.dealt.table, referee.log)
    for each in referee.log:
        by = getattr(each, "by", None)
        if by is not None and enforcer.now not in (None, by) and enforcer.did(Suggestion):
            enforcer.end()
        if not enforcer.legal(each):
            found.append(f"not legal: {each}")
        enforcer.tell(each)
    if enforcer.over() != referee.state.over:
        found.append("the game is over for one of them only")
    return found


def false_knowledge(record: Record) -> list[str]:
    """Return what is false in the notes of any seat after any entry, all hands being told."""
    table = replace(record.table, asks=ANY)
    holders, last = table.holders, len(record.observations)
    telling = [0] + [
        entry
        for entry, each in enumerate(record.observations, 1)
        if not isinstance(each, Roll | Move | Skip)  # which tell nothing about cards
    ]
    hands = {each.seat: each.cards for each in record.observations[: len(table.seats)]}  # type: ignore[union-attr]
    truth = np.full(len(table.cards), -1)
    for number, card in enumerate(table.cards):
        owner = next((seat for seat, held in hands.items() if card in held), None)
        owner = "envelope" if card in table.solution else owner
        truth[number] = holders.index(owner) if owner else -1  # else face-down
    here = truth[:, None] == np.arange(len(holders))
    slots = range(len(table.seats), len(holders) - 1)
    here[np.ix_(truth == -1, slots)] = True  # whichever of them it is: a look may tell
    found = []
    for seat in table.seats:
        known = knowledge_of(table, record.observations, viewer=seat)
        each = evaluate(Positions.beginnings([(known, telling)]))
        if not each.consistent.all():
            found.append(f"{seat} has contradictory notes")
        single = len(slots) < 2
        if ((each.verdicts == 1) & ~here).any() or ((each.verdicts == 2) & here)[
            :, (truth >= 0) | single
        ].any():
            found.append(f"{seat} is certain of something false")
        winner = record.observations[-1]
        if getattr(winner, "right", False) and winner.by == seat:  # type: ignore[union-attr]
            certain = each.verdicts[telling.index(last) - 1, :, -1] == 1
            if not (certain == here[:, -1]).all():
                found.append(f"{seat} accused without having it certain")
    return found


def faults(tournament: Tournament, game: int) -> list[str]:
    """Return all that is wrong with a game, in its record as it is read again."""
    referee = played(tournament, game)
    found = illegal(referee)
    if referee.state.turns.winner is None:
        found.append("nobody won")
    record = parse_record(format_record(referee.record))
    return [f"game {game}: {each}" for each in [*found, *false_knowledge(record)]]
