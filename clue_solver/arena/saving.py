"""
A game as plain values, saved at any decision and gone on with there.

How it began and what was decided is all of it: the rest follows by the rules.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from clue_solver.arena.dealing import Dealt
from clue_solver.arena.referee import Referee
from clue_solver.errors import ArgumentError, RecordError
from clue_solver.record import Record, format_record, parse_record
from clue_solver.rules import observations as observed


def plain(choice: Any) -> Any:
    """
    Return a choice as strings and tuples of them; `None` for nothing.

    A question is its verb and what is asked, without who asks it.

    >>> plain(observed.Look(by="Ann", holder="Ben"))
    ('looks', 'Ben')
    """
    match choice:
        case observed.Suggestion(cards=cards):
            return ("suggests", cards)
        case observed.Look(holder=holder):
            return ("looks", holder)
        case observed.Question(seat=seat, about=about):
            return ("asks", seat, about)
        case observed.Finger(cards=cards):
            return ("points", cards)
        case observed.Peek():
            return ("peeks",)
    return choice


def saved(game: Referee) -> dict[str, Any]:
    """
    Return how a game began and what was decided, as values of JSON.

    Its dice are to be nobody's but the referee's; each seat's random numbers go on from where they
    are.

    >>> from clue_solver.arena.tournament import Tournament
    >>> game = Tournament(edition="clue-diced", players=("random",) * 3).begin(1)
    >>> game.decide(next(choice for choice in game.choices() if choice is not None))
    >>> resumed(saved(game)).request == game.request
    True
    """
    return {
        "table": format_record(Record(table=game.dealt.table)),
        "hands": {holder: sorted(held) for holder, held in game.dealt.hands.items()},
        "dice": game.began,
        "seats": [view.rng.bit_generator.state for view in game.views.values()],
        "most_turns": game.most_turns,
        "each_shows": game.each_shows,
        "decisions": [plain(choice) for choice in game.decisions],
    }


def resumed(values: Mapping[str, Any], *, beside: Path | None = None) -> Referee:
    """
    Return a game that was saved, at the decision for which it waited.

    Args:
        values: What `saved` returned, or what JSON has made of it.
        beside: The folder that the path of an edition of one's own starts from.

    Raises:
        RecordError: If these are no decisions of a game by the rules.
    """
    try:
        table = parse_record(values["table"], beside=beside).table
        hands = {holder: frozenset(held) for holder, held in values["hands"].items()}
        game = Referee(
            Dealt(table, hands),
            rng=_generator(values["dice"]),
            rngs=[_generator(state) for state in values["seats"]],
            compiled=False,
            most_turns=values["most_turns"],
            each_shows=values["each_shows"],
        )
        for decided in values["decisions"]:
            wanted = _tuples(decided)
            game.decide(next(each for each in game.choices() if plain(each) == wanted))
    except (KeyError, TypeError, ValueError, StopIteration, ArgumentError) as error:
        raise RecordError(f"expected a game that was saved: {error!r}") from None
    return game


def _generator(state: Mapping[str, Any]) -> np.random.Generator:
    """Return a generator that goes on from a state."""
    rng = np.random.default_rng(0)
    rng.bit_generator.state = state
    return rng


def _tuples(decided: Any) -> Any:
    """Return a decision with tuples in the place of JSON's lists."""
    return tuple(map(_tuples, decided)) if isinstance(decided, list | tuple) else decided
