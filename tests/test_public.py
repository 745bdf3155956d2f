"""What a person imports from clue_solver: all there, known to type checkers, loaded when used."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import click
import pytest

import clue_solver
from clue_solver import (
    Accusation,
    Answer,
    Game,
    Hand,
    Knowing,
    Look,
    Nobody,
    NotationError,
    Peek,
    Question,
    Record,
    Reveal,
    Session,
    Suggestion,
    Table,
    errors,
    import_notes,
    load,
    load_edition,
    merge,
    review_all,
)
from clue_solver.faces.cli import main
from clue_solver.rules import observations as observation
from clue_solver.rules.edition import Answering, Side
from clue_solver.rules.table import SHOWS

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("numpy", "pysat", "msgspec", "rich", "textual", "joblib", "pandas")
"""Libraries that what needs no solver does without."""


class TestNames:
    def test_every_public_name_is_there(self) -> None:
        for name in clue_solver.__all__:
            assert getattr(clue_solver, name) is not None

    def test_they_are_listed_in_order_and_once(self) -> None:
        assert sorted(set(clue_solver.__all__)) == clue_solver.__all__
        assert set(clue_solver.__all__) <= set(dir(clue_solver))

    def test_type_checkers_see_the_same_names_in_the_same_places(self) -> None:
        tree = ast.parse(Path(clue_solver.__file__).read_text("utf-8"))
        block = next(node for node in tree.body if isinstance(node, ast.If))
        seen = {
            name.name: str(node.module)
            for node in block.body
            if isinstance(node, ast.ImportFrom)
            for name in node.names
        }
        assert set(clue_solver.__all__) == set(seen)
        for name, module in seen.items():
            assert getattr(sys.modules[module], name) is getattr(clue_solver, name)

    def test_every_observation_and_every_error_is_public(self) -> None:
        kinds = {kind.__name__ for kind in get_args(observation.Observation)}
        kinds |= {
            name
            for name, kind in vars(errors).items()
            if isinstance(kind, type) and issubclass(kind, errors.ClueError)
        }
        assert kinds <= set(clue_solver.__all__)

    def test_a_name_that_is_not_there_is_an_attribute_error(self) -> None:
        with pytest.raises(AttributeError, match="has no attribute 'Gmae'"):
            clue_solver.Gmae  # noqa: B018


def loaded(*words: str, **env: str) -> set[str]:
    """Return which heavy libraries a command line loads."""
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from clue_solver.faces.cli import main\n"
        f"main({list(words)!r}, prog_name='clue-solver')\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, text=True,
        env={**os.environ, **env},
    )  # fmt: skip
    assert "clue_solver.faces.cli" in run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout
    return {name.partition(".")[0] for name in run.stderr.split()} & set(HEAVY)


class TestLoading:
    def test_importing_the_package_loads_nothing(self) -> None:
        code = "import sys, clue_solver; print(*sys.modules)"
        names = subprocess.check_output([sys.executable, "-c", code], text=True).split()
        assert ["clue_solver"] == [name for name in names if name.startswith("clue_solver")]
        assert not set(HEAVY) & set(names)

    @pytest.mark.parametrize("words", [("--version",), ("--help",), ("report", "--help")])
    def test_version_and_help_load_no_solver(self, words: tuple[str, ...]) -> None:
        assert not loaded(*words)

    @pytest.mark.parametrize("typed", ["clue-solver re", "clue-solver report --sh"])
    def test_completion_loads_no_solver(self, typed: str) -> None:
        assert not loaded(
            _CLUE_SOLVER_COMPLETE="bash_complete",
            COMP_WORDS=typed,
            COMP_CWORD=str(typed.count(" ")),
        )

    @pytest.mark.parametrize("name", sorted(main.commands))
    def test_no_command_loads_a_solver_to_tell_its_options(self, name: str) -> None:
        assert not loaded(name, "--help")

    def test_a_report_does_load_them(self) -> None:
        assert {"numpy", "pysat"} <= loaded("report", str(ROOT / "examples" / "classic.clue"))


def test_the_choices_of_options_are_those_of_the_rules() -> None:
    choices = {
        param.name: tuple(param.type.choices)
        for command in main.commands.values()
        for param in command.params
        if isinstance(param.type, click.Choice) and param.name in ("shows", "order", "answers")
    }
    assert {"shows": SHOWS, "order": get_args(Side), "answers": get_args(Answering)} == choices


def session() -> Session:
    table = Table(
        edition=load_edition("clue-diced"), seats=("Ann", "Ben", "Cat", "Dan"), viewer="Ann"
    )
    return Session(Record(table=table))


class TestAppending:
    LINES: tuple[tuple[observation.Observation, str], ...] = (
        (Hand(seat="Ann", cards=("Brains Plum", "Brawn Green", "Brains Peacock")),
         "ann holds brains plum, brawn green, brains peacock"),
        (Suggestion(by="Ann", cards=("Brains Green", "Brawn Plum"),
                    answers=(Answer(seat="Cat", answer="shows", card="Brawn Plum"),)),
         "ann brains green brawn plum: cat brawn plum"),
        (Question(by="Ann", seat="Ben", about=("Plum",), answer="shows", card="Brawn Plum"),
         "ann asks ben about plum: shows brawn plum"),
        (Look(by="Ben", holder="Cat"), "ben looks at cat"),
        (Peek(by="Ann", feature="Green"), "ann peeks: green"),
        (Reveal(seat="Cat", card="Brawn Peacock", to="Dan"), "cat reveals brawn peacock to dan"),
        (Nobody(card="Brains Green"), "nobody reveals brains green"),
        (Accusation(by="Ben", cards=("Brains Green", "Brawn Plum"), right=False),
         "ben accuses brains green, brawn plum: wrong"),
        (Knowing(by="Ann", holder="Dan", lacks=("Brains Orchid",)),
         "ann knows dan lacks brains orchid"),
    )  # fmt: skip

    def test_an_observation_is_taken_as_the_line_that_tells_it(self) -> None:
        told, appended = session(), session()
        for number, (what, line) in enumerate(self.LINES, 1):
            assert number == told.tell(line)
            assert number == appended.append(what)
        assert told.record == appended.record

    def test_passes_that_follow_are_filled_in(self) -> None:
        game = session()
        game.append(self.LINES[1][0])
        assert (
            "Ann suggests Brains Green, Brawn Plum: Ben passes, Cat shows Brawn Plum"
            == (game.game.lines[0])
        )

    def test_lists_will_do_for_tuples(self) -> None:
        game = session()
        cards: Any = ["Brains Plum", "Brawn Green", "Brains Peacock"]
        game.append(Hand(seat="Ann", cards=cards))
        assert (Hand(seat="Ann", cards=tuple(cards)),) == game.record.observations

    @pytest.mark.parametrize(
        ("what", "told"),
        [
            (Peek(by="Zoe"), "unknown player 'Zoe'"),
            (Nobody(card="Brains Plmu"), "unknown card 'Brains Plmu'; did you mean"),
            (Look(by="Ann", holder="Ann"), "nobody looks at themselves"),
            (Suggestion(by="Ann", cards=("Brains Plum",)), "expected one brains and one brawn"),
            (Peek(by=3), "expected an observation"),  # type: ignore[arg-type] # refused
            ("Ann peeks", "expected an observation"),
            (None, "expected an observation"),
        ],
    )
    def test_what_has_no_meaning_changes_nothing(self, what: Peek, told: str) -> None:
        game = session()
        with pytest.raises(NotationError, match=told):
            game.append(what)
        assert () == game.record.entries
        assert not game.undo()

    def test_it_can_be_undone_and_bears_a_comment(self) -> None:
        game = session()
        game.append(Peek(by="Ben"), comment="quickly")
        assert "quickly" == game.record.entries[0].comment
        assert game.undo()
        assert () == game.record.entries


class TestWholeGames:
    def test_notes_come_from_a_path_or_from_their_text(self, tmp_path: Path) -> None:
        text = "asker,suspect,weapon,room,shower,shown card\nBen,Plum,Rope,Hall,Ann,Rope\n"
        path = tmp_path / "table.csv"
        path.write_text(text, "utf-8")
        options: dict[str, Any] = {
            "edition": "clue-classic",
            "players": ["Ann", "Ben", "Cat"],
            "viewer": "ben",
        }
        from_text = import_notes(text, **options)
        assert import_notes(path, **options).record == from_text.record
        assert ("Ben suggests Plum, Rope, Hall: Cat passes, Ann shows Rope",) == (
            Game(from_text.record).lines
        )

    def test_two_notebooks_are_merged(self) -> None:
        whole = load(ROOT / "examples" / "classic.clue").record
        assert whole.observations == merge([whole, whole]).record.observations

    def test_many_games_are_reviewed(self) -> None:
        path = ROOT / "examples" / "classic.clue"
        (outcome,) = review_all([path], sample=100, jobs=1)
        assert outcome.review is not None
        assert outcome.review == load(path).review(sample=100)
