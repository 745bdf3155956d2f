"""Errors: they travel between processes unchanged, and only a face speaks of options."""

from __future__ import annotations

import ast
import copy
import pickle
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import clue_solver
from clue_solver import Game, SetupError, Slot, Table, load, load_edition, plots
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
)
from clue_solver.exchange.agreeing import Disagreement
from clue_solver.exchange.layout import Unclear, Unsaid
from clue_solver.exchange.pads import import_notes
from clue_solver.notation import InvalidObservation
from clue_solver.session import Session

PACKAGE = Path(clue_solver.__file__).parent
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
    Unclear(["row 2: no card 'Plmu'"], [Unsaid("which edition it is", "edition")], path="pad.csv"),
    Contradiction((2, 3, 5)),
    Contradiction(()),
    Impossible(("Ben has Rope", "Cat lacks Hall"), (4,)),
    TooLarge("too large"),
    MissingExtra("pandas", extra="notebook"),
)


def kinds(root: type[ClueError] = ClueError) -> Iterator[type[ClueError]]:
    yield root
    for kind in root.__subclasses__():
        yield from kinds(kind)


def test_every_kind_of_error_is_tried_here() -> None:
    for module in walk_packages([str(PACKAGE)], "clue_solver."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    assert set(kinds()) == {type(error) for error in EVERY}


@pytest.mark.parametrize("error", EVERY, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(
    "again",
    [
        *(lambda error, protocol=n: pickle.loads(pickle.dumps(error, protocol)) for n in range(6)),
        copy.copy,
        copy.deepcopy,
    ],
    ids=[*(f"pickle {n}" for n in range(6)), "copy", "deepcopy"],
)
def test_an_error_survives_pickle_and_copy_as_it_is(
    error: ClueError, again: Callable[[ClueError], ClueError]
) -> None:
    error.add_note("seen at the table")
    found = again(error)
    assert type(error) is type(found)
    assert (error.args, str(error)) == (found.args, str(found))
    assert vars(error) == vars(found)


class TestArguments:
    game = load(CLASSIC)

    @pytest.mark.parametrize(
        ("call", "argument"),
        [
            (lambda game: game.report(upto=99), "upto"),
            (lambda game: game.report(upto=-1), "upto"),
            (lambda game: game.report(shows="sometimes"), "shows"),
            (lambda game: game.advice(viewer="spectator"), "viewer"),
            (lambda game: game.advice(at="Hall", roll=99), "roll"),
            (lambda game: game.advice(rooms="Hall", at="Hall"), "rooms"),
            (lambda game: game.advice(roll=3), "at"),
            (lambda game: game.advice(dice="Plum, Green, White"), "dice"),
            (lambda game: game.review(sample=3), "sample"),
            (lambda game: Game(game.record.upto(3)).review(), "solution"),
            (lambda game: game.report(upto=2).to_frame("all"), "what"),
            (lambda game: plots.solutions(game, most=0), "most"),
            (lambda game: Session(game.record).edit(99, "Ann peeks"), "entry"),
            (lambda game: import_notes(game.to_frame(), hands="5, five"), "hands"),
            (lambda game: import_notes(game.to_frame(), face_down="Pool 0"), "face_down"),
            (lambda game: import_notes(game.to_frame(), marks={"X": "perhaps not"}), "marks"),
        ],
    )
    def test_a_wrong_argument_is_a_value_error_that_names_it(
        self, call: Callable[[Game], object], argument: str
    ) -> None:
        with pytest.raises(ArgumentError) as caught:
            call(self.game)
        assert argument == caught.value.argument
        assert isinstance(caught.value, ValueError)

    def test_a_table_that_cannot_be_is_no_wrong_argument(self) -> None:
        with pytest.raises(SetupError) as caught:
            Session(self.game.record).set_hands("1, 1, 1, 1")
        assert not isinstance(caught.value, ArgumentError)


def test_only_faces_speak_of_options() -> None:
    option = re.compile(r"(?<![-\w])--[a-z]")
    told = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {node.value}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if "faces" not in path.parts
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if option.search(node.value)
    ]
    assert [] == told


@pytest.mark.parametrize("mark", ["\x1b", "\0", "\x7f", "\u202e", "\u200b", "\ud800", "\n", "\t"])
class TestNamesAtATable:
    """What prints everywhere need be escaped nowhere."""

    def test_a_seats_name_with_a_control_character_is_refused(self, mark: str) -> None:
        with pytest.raises(SetupError, match="no control character") as caught:
            Table(edition=load_edition("clue-classic"), seats=("Ann", f"B{mark}n", "Cat"))
        assert str(caught.value).isprintable()

    def test_a_slots_name_with_a_control_character_is_refused(self, mark: str) -> None:
        seats, slots = ("Ann", "Ben"), (Slot(name=f"P{mark}l", count=2),)
        with pytest.raises(SetupError, match="cannot be a slot's name") as caught:
            Table(edition=load_edition("clue-classic"), seats=seats, slots=slots)
        assert str(caught.value).isprintable()
