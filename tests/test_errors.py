"""Errors: they travel between processes unchanged, and only a face speaks of options."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import cast

import pytest

import clue_solver
from clue_solver import Game, SetupError, Slot, Table, load, load_edition
from clue_solver.conversation.session import Session
from clue_solver.errors import (
    ArgumentError,
    ClueError,
    Contradiction,
    EditionError,
    Impossible,
    MissingExtra,
    NotationError,
    RecordError,
    TooLarge,
    printable,
)
from clue_solver.exchange.imports import Unclear, import_notes
from clue_solver.exchange.mapping import ImportQuestion
from clue_solver.exchange.merging import Disagreement
from clue_solver.inference.spending import OutOfBudget
from clue_solver.notation import InvalidObservation
from clue_solver.record import Record, format_record, parse_record
from clue_solver.rules.table import Shows

PACKAGE = Path(clue_solver.__file__).parent
PAD = PACKAGE.parent / "examples" / "pad.csv"
CLASSIC = PACKAGE.parent / "examples" / "classic.clue"

EVERY: tuple[ClueError, ...] = (
    ClueError("something"),
    EditionError("no such card", path="mine.toml", key="category[0]"),
    SetupError("players: a name is missing"),
    ArgumentError("upto: found 99", argument="upto"),
    NotationError("unknown", line="Ann plmu", column=4, nearest=("Plum",)),
    InvalidObservation("not asked for", path=("answers", 0, "card"), nearest=("Plum",)),
    RecordError("not a record", path="game.clue", number=3, argument="marks"),
    Disagreement(["entry 1 of one says this but entry 1 of two says that"]),
    Unclear(
        ["row 2: no card 'Plmu'"], [ImportQuestion("edition", "which edition?")], path="pad.csv"
    ),
    Contradiction((2, 3, 5)),
    Contradiction(()),
    Impossible(("Ben has Rope", "Cat lacks Hall"), (4,)),
    TooLarge("too large"),
    OutOfBudget("too large"),
    MissingExtra("pandas", extra="notebook"),
)


def _pickled(error: ClueError) -> ClueError:
    found: ClueError = pickle.loads(pickle.dumps(error))
    return found


def kinds(root: type[ClueError] = ClueError) -> Iterator[type[ClueError]]:
    yield root
    for kind in root.__subclasses__():
        yield from kinds(kind)


def test_every_kind_of_error_is_tried_here() -> None:
    for module in walk_packages([str(PACKAGE)], "clue_solver."):
        if not module.name.endswith("__main__"):
            with suppress(ModuleNotFoundError, MissingExtra):  # two modules need an extra
                import_module(module.name)
    assert {type(error) for error in EVERY} == set(kinds())


@pytest.mark.parametrize("again", [_pickled, copy.copy, copy.deepcopy])
def test_an_error_survives_pickle_and_copy_as_it_is(
    again: Callable[[ClueError], ClueError],
) -> None:
    for error in EVERY:
        error.add_note("seen at the table")
        found = again(error)
        assert type(found) is type(error)
        assert (found.args, str(found), vars(found)) == (error.args, str(error), vars(error))


WRONG: tuple[tuple[Callable[[Game], object], str], ...] = (
    (lambda game: game.report(upto=99), "upto"),
    (lambda game: game.report(upto=-1), "upto"),
    (lambda game: game.report(shows=cast("Shows", "sometimes")), "shows"),
    (lambda game: game.advice(at="Hall", roll=99), "roll"),
    (lambda game: game.advice(rooms="Hall", at="Hall"), "rooms"),
    (lambda game: game.advice(roll=3, upto=0), "at"),
    (lambda game: game.advice(dice="Plum, Green, White"), "dice"),
    (lambda game: game.review(sample=3), "sample"),
    (lambda game: Game(game.record.upto(3)).review(), "solution"),
    (lambda game: Session(game.record).edit(99, "Ann peeks"), "entry"),
    (lambda _: import_notes(PAD, header=["hands: 5, five"]), "header"),
    (lambda _: import_notes(PAD, header=["face-down: Pool 0"]), "header"),
    (lambda _: import_notes(PAD, marks={"X": "perhaps not"}), "marks"),
)


@pytest.mark.parametrize(("call", "argument"), WRONG)
def test_a_wrong_argument_is_a_value_error_that_names_it(
    call: Callable[[Game], object], argument: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        call(load(CLASSIC))
    assert caught.value.argument == argument
    assert isinstance(caught.value, ValueError)


def test_a_table_that_cannot_be_is_no_wrong_argument() -> None:
    with pytest.raises(SetupError) as caught:
        Session(load(CLASSIC).record).set_header("hands", "1, 1, 1, 1")
    assert not isinstance(caught.value, ArgumentError)


def test_a_picture_that_is_joined_of_several_is_a_name() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    table = Table(edition=load_edition("clue-classic"), seats=(family, "Ben", "Cat"), viewer="Ben")
    written = format_record(Record(table=table))
    assert parse_record(written).table.seats == table.seats
    assert printable(family) == family


@pytest.mark.parametrize("mark", ["\x1b", "\0", "\x7f", "\u202e", "\u200b", "\ud800", "\n", "\t"])
def test_a_name_with_a_control_character_is_refused_once_and_for_all(mark: str) -> None:
    edition, pool = load_edition("clue-classic"), Slot(name=f"P{mark}l", count=2)
    for seats, slots in ((("Ann", f"B{mark}n", "Cat"), ()), (("Ann", "Ben"), (pool,))):
        with pytest.raises(SetupError, match="visible characters") as caught:
            Table(edition=edition, seats=seats, slots=slots)
        assert str(caught.value).isprintable()
