"""Arguments of the wrong type: of every public call and value an error that names them."""

from __future__ import annotations

import inspect
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import replace

import clue_solver
from clue_solver import (
    ArgumentError,
    ClueError,
    Game,
    Games,
    PlayState,
    Positions,
    Session,
    Table,
    load,
    load_games,
    plots,
)
from clue_solver.arena.standings import rate_interval
from clue_solver.arena.tournament import Tournament
from clue_solver.conversation.doubts import Doubt
from clue_solver.rules import observations as observed
from tests.views.displays import CLASH, EVENING

CLASSIC = Path(__file__).resolve().parents[1] / "examples" / "classic.clue"
GAME = load(CLASSIC)
NOTHING = object()
"""What is of no type that anything wants."""

GAMES = Games([GAME])
KNOWN = GAMES.positions()
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
    known = GAMES.positions()
    for call, argument in (
        (lambda: GAME.table.after("Zoe"), "seat"),
        (lambda: GAME.table.answering("Zoe"), "asker"),
        (lambda: GAME.table.size_bounds({"Zoe": 1}), "known"),
        (lambda: known.take([1]), "which"),
        (lambda: known.knowledge(-1), "position"),
        (lambda: clue_solver.play_games(["random"] * 3, games=0), "games"),
        (lambda: clue_solver.draw_deals(known, -1, np.random.default_rng(1)), "deals"),
        (lambda: Positions(known.layout, -1), "count"),
        (lambda: GAMES.positions(upto=-1), "upto"),
        (lambda: Tournament(edition="clue-classic", players=("random",) * 3, games=0), "games"),
        (lambda: Tournament(edition="clue-classic", players=("random",) * 3).play(0), "game"),
        (lambda: clue_solver.merge([GAME.record] * 2).places(0), "number"),
        (lambda: rate_interval(-1, 2), "wins"),
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
    reviewed = [each.path for each in clue_solver.review_all(tmp_path, jobs=1, sample=100)]
    assert reviewed == files


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


JUNK: tuple[Any, ...] = (None, "", -1, [], NOTHING)


def inside(value: object, found: dict[str, object], depth: int = 0) -> dict[str, object]:
    """Return one of every class that a value is made of, in `found`."""
    found.setdefault(type(value).__name__, value)
    parts: Iterable[object] = ()
    if isinstance(value, Struct):
        parts = (getattr(value, name) for name in value.__struct_fields__)
    elif isinstance(value, tuple | list):
        parts = value
    for part in parts if depth < 8 else ():
        inside(part, found, depth + 1)
    return found


ROOTS = (
    *HOLDERS,
    *(EVENING.report(), EVENING.check(), EVENING.walkthrough(), EVENING.decision(upto=9)),
    *(EVENING.why("Hall", "envelope"), EVENING.why("Rope", "Ben", upto=9), CLASH.check()),
    *(EVENING.review(sample=100), EVENING.advice(upto=9), Session(GAME.record).play),
    *clue_solver.review_all(CLASSIC.with_name("evening.clue"), jobs=1, sample=100),
    *(load(CLASSIC.with_name(f"{name}.clue")) for name in ("master", "diced", "two_players")),
    *Session(GAME.record).doubts("dan suggests plum, rope, hall: ann"),
    *Session(EVENING.record).play.doubts(observed.Roll(by="Ben", total=3)),
    clue_solver.import_notes(CLASSIC.with_name("pad.csv")),
    *(EVENING.report().rows, clue_solver.Asks(model="any"), clue_solver.Missed(1, ("Ann",))),
    *(observed.Draw(by="Ann", kind="look"), observed.Look(by="Ann", holder="Ben")),
    *(observed.Move(by="Ann", to="Hall"), observed.Nobody(card="Plum"), observed.Peek(by="Ann")),
    *(observed.Roll(by="Ann", total=7), observed.Skip(by="Ann"), observed.Stay(by="Ann")),
    observed.Finger(by="Ann", cards=("Plum", "Green")),
    observed.Question(by="Ann", seat="Ben", about=("Plum",)),
    *(clue_solver.Slot(name="Hall"), clue_solver.Unweighed(kind="notes")),
    clue_solver.MissedDeduction(entry=2, seat="Ann", since=1, kind="solution", cards=("Plum",)),
    clue_solver.RoomAdvice(room="Hall", gain=0.5, steps=3),
    clue_solver.BonusAction(action="peeks", gain=0.5, error=0.0),
    clue_solver.MissedWin(seat="Ann", entry=3),
)
"""Of these every public value is a part."""

MADE = {name: value for root in ROOTS for name, value in inside(root, {}).items()}
VALUES = [
    kind
    for kind in map(partial(getattr, clue_solver), clue_solver.__all__)
    if isinstance(kind, type) and issubclass(kind, Struct | tuple)
    if kind is not PlayState  # made anew for every action that is thought of: `begin` makes it
]


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_a_value_takes_what_fits_or_names_the_field(kind: type[Any]) -> None:
    made: Any = MADE[kind.__name__]
    names: tuple[str, ...] = getattr(kind, "_fields", None) or kind.__struct_fields__
    right = {name: getattr(made, name) for name in names}
    assert repr(kind(**right)) == repr(made)
    for name, junk in product(names, JUNK):
        refused = made = None
        try:
            made = kind(**right | {name: junk})
        except ClueError as error:
            refused = error
        if refused is not None:
            assert re.match(r"\w+: .*(expected|cannot)", str(refused))
        else:
            assert junk is not NOTHING, f"{name} takes anything"
            assert "\n" not in repr(made)


REPORT, REVIEWED = EVENING.report(), EVENING.review(sample=100)
STEP = CLASH.check().steps[0]
CONTRADICTING: tuple[tuple[Struct, str, Any, str], ...] = (
    (REPORT, "viewer", "Zoe", "expected spectator, Ann, Ben, Cat or Dan; found 'Zoe'"),
    (REPORT, "holders", ("Ann", "Ben"), "expected ('Ann', 'Ben', 'Cat', 'Dan', 'envelope'); found"),
    (REPORT, "cards", REPORT.cards[:2], "expected ('Scarlett', 'Mustard', "),
    (REPORT, "verdicts", REPORT.verdicts[1:], "expected an array of shape (21, 5); found (20, 5)"),
    (REPORT, "probabilities", np.zeros(3), "expected an array of shape (21, 5); found (3,)"),
    (REPORT, "conflict", (1, 2), "expected none where some deal fits; found (1, 2)"),
    (REPORT, "consistent", False, "expected none where no deal fits; found Solution("),
    (REVIEWED, "seats", REVIEWED.seats[1:], "expected ('Ann', 'Ben', 'Cat', 'Dan'); found ('Ben',"),
    (REVIEWED, "lines", REVIEWED.lines[1:], "expected one for each of 22 entries; found 21"),
    (REVIEWED, "solution", ("Green", "Wrench"), "expected a card of each of 3 kinds; found ("),
    (REVIEWED, "solution", ("Green", "Hall", "Rope"), "expected Candlestick, "),
    (REVIEWED, "winner", "Ben", "expected 'Ann'; found 'Ben'"),
    (REVIEWED, "missed_wins", [clue_solver.MissedWin(seat="Zoe", entry=3)], "expected Ann, Ben, "),
    (REVIEWED, "missed_wins", [clue_solver.MissedWin(seat="Ann", entry=30)], "expected entries fr"),
    (STEP, "rule", "luck", "expected one of told, placed, "),
    (STEP, "cases", ((STEP,),), "expected none where the rule is 'told'; found 1 case"),
    (STEP, "uses", (0,), "expected several, each a whole number of at least 1; found"),
    (EVENING.why("Hall", "envelope"), "steps", (replace(STEP, uses=(3,)),), "expected step 1 to "),
)


@pytest.mark.parametrize(("value", "field", "given", "told"), CONTRADICTING)
def test_a_value_that_contradicts_itself_names_the_field(
    value: Struct, field: str, given: Any, told: str
) -> None:
    with pytest.raises(ArgumentError, match=rf"^\w+: {re.escape(told)}") as caught:
        replace(value, **{field: given})
    assert str(caught.value).startswith(f"{caught.value.argument}: ")
    assert caught.value.argument == ("solutions" if field == "consistent" else field)


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
    assert len(Games(GAME for _ in range(2)).positions()) == 2
    assert load(str(CLASSIC)).lines == load(CLASSIC).lines
