"""Arguments of the wrong type: of every public call and value an error that names them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from msgspec.structs import asdict, fields

import clue_solver
from clue_solver import ArgumentError, Game, Record, Session, Slot, Table, load, plots
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Answer, Observation

CLASSIC = Path(__file__).resolve().parents[1] / "examples" / "classic.clue"
GAME = load(CLASSIC)
NOTHING = object()
"""What is of no type that anything wants."""

UNREAD = {"self", "source", "ax", "told"}
"""Parameters without a type that could be told: any frame, axes of a library that need not be."""


def calls() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield every public function, and every public method of what holds a game."""
    for name in clue_solver.__all__:
        if inspect.isfunction(found := getattr(clue_solver, name)):
            yield name, found
    for name, found in vars(plots).items():
        if inspect.isfunction(found) and not name.startswith("_"):
            yield f"plots.{name}", found
    session = Session(GAME.record)
    for holder in (GAME, session, GAME.record, GAME.report(upto=3)):
        for name, member in inspect.getmembers(type(holder), inspect.isfunction):
            if not name.startswith(("_", "to_")):
                yield f"{type(holder).__name__}.{name}", member.__get__(holder)
    yield from (("Game", Game), ("Session", Session))


CALLS = dict(calls())
PARAMETERS = [
    (name, parameter)
    for name, call in CALLS.items()
    for parameter in inspect.signature(call).parameters.values()
    if parameter.name not in UNREAD
]


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS, ids=str)
def test_a_call_names_the_argument_of_a_wrong_type(name: str, parameter: inspect.Parameter) -> None:
    many = parameter.kind is parameter.VAR_POSITIONAL
    with pytest.raises(ArgumentError, match=f"^{parameter.name}: expected .*; found ") as caught:
        CALLS[name](NOTHING) if many else CALLS[name](**{parameter.name: NOTHING})
    assert caught.value.argument == parameter.name


RIGHT: dict[Any, Any] = {
    int: 1,
    bool: True,
    str: "Ann",
    str | None: "Ann",
    tuple[str, ...]: ("Plum",),
    observed.Reply: "passes",
    bool | None: True,
}
"""A value of each type that a field of an observation must have."""


@pytest.mark.parametrize("kind", [Record, Table, Slot, Answer, *get_args(Observation)])
def test_a_value_names_the_field_of_a_wrong_type(kind: type[Any]) -> None:
    whole: dict[Any, dict[str, Any]] = {Record: asdict(GAME.record), Table: asdict(GAME.table)}
    needed = {field.name: RIGHT.get(field.type) for field in fields(kind) if field.required}
    for field in fields(kind):
        values = whole.get(kind, needed) | {field.name: NOTHING}
        with pytest.raises(ArgumentError, match=f"^{field.name}: expected ") as caught:
            kind(**values)
        assert caught.value.argument == field.name


MESSAGES: tuple[tuple[Callable[..., object], tuple[Any, ...], dict[str, Any], str], ...] = (
    (GAME.report, (), {"upto": "3"}, "upto: expected a whole number; found '3'"),
    (Game, (CLASSIC,), {}, f"record: expected a Record; found {type(CLASSIC).__name__} "),
    (load, (3,), {}, "path: expected a text or a path; found 3"),
    (GAME.advice, (), {"rooms": ["Hall", 3]}, "rooms: expected a text or several, each a text;"),
    (GAME.advice, (), {"by": "luck"}, "by: expected win or bits; found 'luck'"),
    (GAME.report, (), {"shows": "first"}, "shows: expected one of random, none, sticky; found "),
    (GAME.review, (), {"seed": -1}, "seed: expected a whole number of at least 0; found -1"),
    (GAME.suppose, ("Ben has Plum", 3), {}, "lines: expected a text; found 3"),
    (Session(GAME.record).append, ("Ann",), {}, "observation: expected an observation; found "),
    (clue_solver.import_notes, ("a\n",), {"players": "Ann"}, "players: expected several, each a "),
    (clue_solver.habits, ("a.clue",), {}, "games: expected several, each a Game, a text or a path"),
)


@pytest.mark.parametrize(("call", "args", "named", "told"), MESSAGES)
def test_the_message_says_what_was_expected_and_found(
    call: Callable[..., object], args: tuple[Any, ...], named: dict[str, Any], told: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        call(*args, **named)
    assert str(caught.value).startswith(told)


def test_what_was_refused_changes_nothing() -> None:
    session = Session(GAME.record)
    wrong: Any = "x"
    with pytest.raises(ArgumentError):
        session.rewrite((), wrong)
    assert session.record == GAME.record
    assert session.report().deals == GAME.report().deals


def test_numbers_of_numpy_paths_lists_and_iterators_are_as_good() -> None:
    upto: Any = np.int64(3)
    assert GAME.report(upto=upto).deals == GAME.report(upto=3).deals
    seats: Any = ["Ann", "Ben", "Cat"]
    assert Table(edition=GAME.table.edition, seats=seats).seats == ("Ann", "Ben", "Cat")
    positions = clue_solver.positions(GAME for _ in range(2))
    assert len(positions) == 2
    assert load(str(CLASSIC)).lines == load(CLASSIC).lines
