"""The rules of the boxes, their transcripts, and how their tests ask the state of play."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from clue_solver.arena.referee import Referee
from clue_solver.record import Record
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Play

HERE = Path(__file__).with_name("rules")


def rules() -> dict[str, tuple[str, dict[str, str]]]:
    """Return every rule of the table by its code, and what each column says of it."""
    table = tomllib.loads((HERE / "boxes.toml").read_text("utf-8"))
    return {
        code: (rule, dict(zip(table["columns"], cells, strict=True)))
        for box in table["box"]
        for code, (rule, *cells) in box["rules"].items()
    }


def transcripts() -> Iterator[tuple[str, str, list[str], list[str]]]:
    """Yield the code of each transcript, its rule, its lines, and the header of its table."""
    for path in sorted((HERE / "boxes").glob("*.txt")):
        header, *parts = path.read_text("utf-8").split("### ")
        for part in parts:
            heading, *lines = part.rstrip().splitlines()
            code, _, rule = heading.partition(" ")
            yield code, rule, lines, header.split("\n")


def play_of(record: Record, *, told: bool) -> Play:
    """Return the state of play; `told` where all dice and moves are in the record."""
    return Play.of(record.table, record.observations, exact=told)


def broken(play: Play, observation: Observation) -> str:
    """Return which rule is broken if this happens now; empty if none is."""
    return breach.rule if (breach := play.check(observation)) else ""


def actions(play: Play) -> tuple[Observation, ...]:
    """Return every action that may be taken now."""
    return tuple(play.legal())


def course(referee: Referee) -> Iterator[tuple[Observation, Play]]:
    """Yield all that happened in a game of the arena, with the state of play after it."""
    state = Play.begin(referee.dealt.table, exact=True)
    for each in referee.log:
        state = state.after(each)
        yield each, state
