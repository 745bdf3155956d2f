"""Arguments of the wrong type: of every public call and value an error that names them."""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from msgspec.structs import asdict, fields

import clue_solver
from clue_solver import (
    ArgumentError,
    Game,
    Games,
    PlayState,
    Positions,
    Record,
    Session,
    Slot,
    Table,
    load,
    load_games,
    plots,
)
from clue_solver.conversation.doubts import Doubt
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Answer, Observation

CLASSIC = Path(__file__).resolve().parents[1] / "examples" / "classic.clue"
GAME = load(CLASSIC)
NOTHING = object()
"""What is of no type that anything wants."""

GAMES = Games([GAME])
KNOWN = clue_solver.positions(GAMES)
HOLDERS = (
    GAME,
    GAMES,
    Session(GAME.record),
    GAME.record,
    GAME.table,
    GAME.table.edition,
    GAME.report(upto=3),
    GAME.advice(upto=3, quick=True),
    GAME.review(sample=100),
    KNOWN,
    GAMES.evaluate(),
    clue_solver.season([str(CLASSIC)], jobs=1),
    Doubt("turn", "whose"),
    clue_solver.habits(GAME).everyone.careful,
    clue_solver.merge([GAME.record, GAME.record]),
    clue_solver.export_pad(GAME),
    clue_solver.AccuseOrWait(now=0.5, certain=False, first=1.0, risk=0.6),
    clue_solver.WinChances(now=0.5, wait=0.4, error=0.1),
)
"""One of every public class that can be asked something."""

UNREAD = {"self", "source", "ax", "told"}
"""Parameters without a type that could be told: any frame, axes of a library that need not be."""


def calls() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield every public function, and every method of `HOLDERS` that is asked something."""
    for name in clue_solver.__all__:
        if inspect.isfunction(found := getattr(clue_solver, name)):
            yield name, found
    for name, found in vars(plots).items():
        if inspect.isfunction(found) and not name.startswith("_"):
            yield f"plots.{name}", found
    for holder in HOLDERS:
        for name in methods_of(type(holder)):
            yield f"{type(holder).__name__}.{name}", getattr(holder, name)
    yield from ((kind.__name__, kind) for kind in (Game, Games, Session, Positions))


def methods_of(kind: type[object]) -> Iterator[str]:
    """Yield the public methods of a class that take an argument."""
    for name, member in inspect.getmembers(kind, inspect.isroutine):
        function = getattr(member, "__func__", member)  # of a class method
        ours = str(getattr(function, "__module__", "")).startswith("clue_solver.")
        if ours and name[0] != "_" and len(inspect.signature(function).parameters) > 1:
            yield name


def test_every_public_class_that_is_asked_something_is_looked_at() -> None:
    kinds = map(partial(getattr, clue_solver), clue_solver.__all__)
    asked = {kind for kind in kinds if isinstance(kind, type) and [*methods_of(kind)]}
    # The state of play is asked too often to be checked by annotations: it has a test of its own.
    assert {type(holder) for holder in HOLDERS} == asked - {PlayState}


STATE = Session(GAME.record).play
ASKED_OF_THE_STATE: tuple[tuple[Callable[[Any], object], str], ...] = (
    *((getattr(STATE, name), "observation") for name in ("after", "allows", "doubts")),
    *((getattr(STATE, name), "seat") for name in ("chances", "place", "where", "unlooked")),
    (STATE.towards, "room"),
)


@pytest.mark.parametrize(("call", "argument"), ASKED_OF_THE_STATE)
def test_the_state_of_play_names_what_it_was_not_asked_for(
    call: Callable[[Any], object], argument: str
) -> None:
    with pytest.raises(ArgumentError, match=f"^{argument}: expected .*; found 'Zoe'") as caught:
        call("Zoe")
    assert caught.value.argument == argument


def test_a_seat_that_is_none_and_a_position_that_is_none_are_named() -> None:
    known = clue_solver.positions([GAME])
    for call, argument in (
        (lambda: GAME.table.after("Zoe"), "seat"),
        (lambda: GAME.table.answering("Zoe"), "asker"),
        (lambda: GAME.table.size_bounds({"Zoe": 1}), "known"),
        (lambda: known.take([1]), "which"),
        (lambda: known.knowledge(-1), "position"),
        (lambda: clue_solver.play_games(["random"] * 3, games=0), "games"),
    ):
        with pytest.raises(ArgumentError, match=f"^{argument}: expected .*; found ") as caught:
            call()
        assert caught.value.argument == argument


def test_one_file_or_folder_stands_for_a_list_of_one(tmp_path: Path) -> None:
    for name in ("evening.clue", "diced.clue"):
        shutil.copy(CLASSIC.with_name(name), tmp_path)
    files = [str(tmp_path / "diced.clue"), str(tmp_path / "evening.clue")]
    assert load_games(tmp_path).names == tuple(files)
    assert clue_solver.season(str(tmp_path)) == clue_solver.season(files, jobs=1)
    assert clue_solver.habits(tmp_path) == clue_solver.habits(files, jobs=1)
    reviewed = [each.path for each in clue_solver.review_all(tmp_path, jobs=1, sample=100)]
    assert reviewed == files
    assert clue_solver.habits(load(files[0])) == clue_solver.habits(files[0], jobs=1)


@pytest.mark.parametrize("call", [clue_solver.positions, clue_solver.merge, Games])
def test_a_file_is_no_list_of_games_where_these_are_asked_for(call: Callable[[Any], Any]) -> None:
    with pytest.raises(ArgumentError, match=r": expected several, each a .*; found 'a\.clue'"):
        call("a.clue")


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
    (clue_solver.habits, (3,), {}, "games: expected a Game, a text, a path or several, each a "),
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
