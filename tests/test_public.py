"""
What a person imports from clue_solver: all there, known to type checkers, loaded when used.

Errors travel between processes unchanged, and only a face speaks of options.
"""

from __future__ import annotations

import ast
import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from inspect import Parameter, signature
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, cast, get_args

import pytest

import clue_solver
from clue_solver import (
    Game,
    Games,
    Session,
    SetupError,
    Slot,
    Table,
    errors,
    export_pad,
    load,
    load_edition,
)
from clue_solver.answers.display import AnswerValue
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
from clue_solver.exchange.findings import Findings, ImportHints
from clue_solver.exchange.imports import Unclear, import_notes
from clue_solver.exchange.merging import Disagreement
from clue_solver.notation.checks import InvalidObservation
from clue_solver.notation.reading import Fault
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Record
from clue_solver.record.files import parse_record
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Shows

CLASSIC = Path(__file__).resolve().parents[1] / "examples" / "classic.clue"
HEAVY = {"numpy", "pysolvers", "msgspec", "rich", "textual", "joblib", "pandas", "matplotlib"}
"""Libraries that what needs no solver does without."""


def test_every_public_name_is_there_once_and_in_order() -> None:
    assert sorted(set(clue_solver.__all__)) == clue_solver.__all__
    assert set(clue_solver.__all__) <= set(dir(clue_solver))
    with pytest.raises(AttributeError, match="has no attribute 'Gmae'"):
        clue_solver.Gmae  # noqa: B018


def test_type_checkers_see_the_same_names_in_the_same_places() -> None:
    tree = ast.parse(Path(clue_solver.__file__).read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    found = {
        name.name: str(node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    assert set(found) == set(clue_solver.__all__)
    for name, module in found.items():
        assert getattr(clue_solver, name) is getattr(sys.modules[module], name)
    assert len(found) <= 45


def test_every_observation_and_every_error_is_public() -> None:
    assert {kind.__name__ for kind in get_args(Observation)} <= {*vars(clue_solver.observations)}
    for name, kind in vars(errors).items():
        if isinstance(kind, type) and issubclass(kind, errors.ClueError):
            assert name in clue_solver.__all__


UNNEEDED = {
    *("email", "filelock", "hashlib", "importlib.metadata", "importlib.resources", "logging"),
    *("multiprocessing", "numba", "pysat", "select", "socket", "statistics", "zipfile"),
    *("clue_solver.answers.advice", "clue_solver.answers.corrections"),
    *("clue_solver.answers.reasons", "clue_solver.answers.review", "clue_solver.conversation"),
    *("clue_solver.exchange", "clue_solver.inference.rollouts", "clue_solver.notation.reader"),
    "clue_solver.views.advice",
}
"""Modules that a report does without."""


def loaded(*words: str, **env: str) -> set[str]:
    """Return which modules a command line loads."""
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from clue_solver.faces.cli import main\n"
        f"main({[*words]!r}, prog_name='clue-solver')\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, **env},
    )
    assert "Traceback" not in run.stderr
    assert run.stdout
    return {*run.stderr.split()}


def test_nothing_loads_a_library_before_it_is_used(tmp_path: Path) -> None:
    """Not importing, not the version, help and completion of any command; names load some."""
    script = """if True:
        import contextlib, io, json, os, sys
        def heavy(): print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
        def run(*words):
            out = io.TextIOWrapper(io.BytesIO())
            with contextlib.suppress(SystemExit), contextlib.redirect_stdout(out):
                main(words, prog_name="clue-solver")
            out.flush()
            assert out.buffer.getvalue(), words
        def complete(*lines):
            os.environ["_CLUE_SOLVER_COMPLETE"] = "bash_complete"
            for typed in lines:
                os.environ |= {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
                run()
            del os.environ["_CLUE_SOLVER_COMPLETE"]
        import clue_solver
        assert [name for name in sys.modules if "clue_solver" in name] == ["clue_solver"]
        heavy()
        from clue_solver.faces.cli import main
        for words in ((), *([name] for name in main.commands)): run(*words, "--help")
        run("--version")
        complete("clue-solver re", "clue-solver report --sh")
        heavy()
        complete("clue-solver why p", "clue-solver report e")
        heavy()
    """
    last = tmp_path / "clue-solver" / "games" / "last.clue"
    last.parent.mkdir(parents=True)
    last.write_bytes(CLASSIC.read_bytes())
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    told = subprocess.check_output([sys.executable, "-c", script], text=True, env=env)
    imported, asked, named = ({*json.loads(line)} & HEAVY for line in told.splitlines())
    assert (set(), set()) == (imported, asked)
    assert named <= {"msgspec"}


def of_libraries() -> set[str]:
    """Return what the libraries that a report needs load by themselves; older ones load more."""
    names = "click, msgspec, numpy, rich.console, rich.table, pysolvers"
    code = f"import {names}, sys; print(*sys.modules)"
    return {*subprocess.check_output([sys.executable, "-c", code], text=True).split()}


def test_a_report_loads_nothing_that_it_does_not_need() -> None:
    modules = loaded("report", str(CLASSIC))
    assert "numpy" in modules
    assert "pysolvers" not in modules
    assert set() == (modules - of_libraries()) & UNNEEDED
    assert int(version("numpy").partition(".")[0]) < 2 or "numpy.random" not in modules
    assert sum(name.startswith("clue_solver") for name in modules) <= 64


def test_a_value_of_many_fields_is_one_line() -> None:
    game = load(CLASSIC.with_name("evening.clue"))
    for value, line in (
        (game.table.edition.category[0], "<Category: suspect, 6 cards>"),
        (export_pad(game), "<Pad: 23 rows of 6>"),
        (game.table, "<Table: Clue; Ann, Ben, Cat, Dan; seen by Ann>"),
        (Session(game.record), "<Session: Clue; Ann, Ben, Cat, Dan; entries: 22>"),
        (game.play(), "<Play: Ann, Ben, Cat, Dan; over>"),
        (Games([game]).evaluate(), "<Evaluated: 1 position of 1 game>"),
    ):
        assert repr(value) == line


def test_a_page_loads_nothing_that_only_listening_or_another_face_needs() -> None:
    code = "import sys, clue_solver.faces.web.home; print(*sys.modules)"
    told = subprocess.check_output([sys.executable, "-c", code], text=True)
    modules = {name.partition(".")[0] for name in told.split()}
    assert modules.isdisjoint(("uvicorn", "h11", "segno", "textual", "joblib", "idna"))


def test_every_call_understands_names_as_a_line_of_a_record_does() -> None:
    game = load(CLASSIC)
    report = game.report(viewer="ben", upto=9)
    assert report.viewer == "Ben"
    assert report.verdict("hall", "cat") == report.verdict("Hall", "Cat")
    assert report.probability("lead", "ENV") == report.probability("Lead Pipe", "envelope")
    assert {game.report(viewer=name).viewer for name in ("Spectator", "spec")} == {"spectator"}
    for card in ("hall", "mus", "the lead-pipe", "col mustard", "bill"):
        assert game.why(card, "ben", upto=9).verdict == game.report(upto=9).verdict(card, "ben")
    assert export_pad(game, viewer="cat") == export_pad(game, viewer="Cat")
    one_by_one = game.advice(viewer="cat", upto=14, rooms=["hall", "Study"])
    assert game.advice(viewer="Cat", upto=14, rooms="Hall, study") == one_by_one


def test_answers_are_values_that_nobody_changes() -> None:
    assert [each for each in kinds(AnswerValue) if not each.__struct_config__.frozen] == []
    fields = [each for kind in kinds(AnswerValue) for each in signature(kind).parameters.values()]
    assert {each.kind for each in fields} == {Parameter.KEYWORD_ONLY}


PUBLIC = {
    "": clue_solver.__all__,
    ".arena.view": ["SeatSheet"],
    ".arena.tournament": ["Tournament"],
}
"""What a person touches, by the module that it is imported from."""

NAMED = {
    name: getattr(import_module(f"clue_solver{module}"), name)
    for module, names in PUBLIC.items()
    for name in names
}

WITHOUT_EXAMPLE = {
    "observations": "a module",
    "TooLarge": "what is too large takes long to make",
}


def test_every_public_value_and_function_shows_by_an_example_what_it_is() -> None:
    shown = {name for name, value in NAMED.items() if "\n    >>> " in (value.__doc__ or "")}
    assert {*NAMED} - shown == {*WITHOUT_EXAMPLE}


PACKAGE = Path(clue_solver.__file__).parent
PAD = PACKAGE.parent / "examples" / "pad.csv"

FOUND = Findings(ImportHints())
FOUND.faults.append("row 2: no card 'Plmu'")
FOUND.ask("edition", "which edition?")
EVERY: tuple[ClueError, ...] = (
    ClueError("something"),
    EditionError("no such card", path="mine.toml", key="category[0]"),
    SetupError("players: a name is missing"),
    ArgumentError("upto: found 99", argument="upto"),
    NotationError("unknown", line="Ann plmu", column=4, nearest=("Plum",)),
    Fault(False, 4, "unknown", ("Plum",), "plmu"),
    InvalidObservation("not asked for", path=("answers", 0, "card"), nearest=("Plum",)),
    RecordError("not a record", path="game.clue", number=3, argument="marks"),
    Disagreement(["entry 1 of one says this but entry 1 of two says that"]),
    Unclear(FOUND, path="pad.csv"),
    Contradiction((2, 3, 5)),
    Contradiction(()),
    Impossible(("Ben has Rope", "Cat lacks Hall"), (4,)),
    TooLarge("too large"),
    MissingExtra("pandas", extra="notebook"),
)


def _pickled(error: ClueError) -> ClueError:
    found: ClueError = pickle.loads(pickle.dumps(error))
    return found


def kinds(root: type[Any]) -> Iterator[type[Any]]:
    yield root
    for kind in root.__subclasses__():
        yield from kinds(kind)


def test_every_kind_of_error_is_tried_here() -> None:
    for module in walk_packages([str(PACKAGE)], "clue_solver."):
        if not module.name.endswith("__main__"):
            with suppress(ModuleNotFoundError, MissingExtra):  # two modules need an extra
                import_module(module.name)
    assert {type(error) for error in EVERY} == set(kinds(ClueError))


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
    (lambda game: game.advice(at="Hall", roll=13), "roll"),
    (lambda game: game.advice(roll=3, upto=0), "at"),
    (lambda game: game.review(sample=3), "sample"),
    (lambda game: Game(game.record.upto(3)).review(), "solution"),
    (lambda game: Session(game.record).edit(99, "Ann peeks"), "entry"),
    (lambda _: import_notes(PAD, header=["hands: 5, five"]), "header"),
    (lambda _: import_notes(PAD, header=["face-down: Pool 0"]), "header"),
    (lambda _: import_notes(PAD, marks={"✓": "perhaps not"}), "marks"),
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
