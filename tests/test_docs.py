"""What README and site show is what the program does, and all that it has stands there."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import click
import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import clue_solver
from clue_solver import NotationError, Table, load_edition, shipped_editions
from clue_solver.answers.display import AnswerValue, Written
from clue_solver.arena.keeping import line_of
from clue_solver.arena.referee import Accused, HowPlayed
from clue_solver.arena.standings import Tally
from clue_solver.arena.tournament import GamePlayed, Tournament
from clue_solver.faces.cli import main
from clue_solver.notation import parse_line
from clue_solver.record import parse_record
from clue_solver.record.contents import KEYS
from clue_solver.rules.observations import Event, kinds
from docs import generated, schemas, screens, sessions

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES, PACKAGE = ROOT / "examples", ROOT / "clue_solver"
README = (ROOT / "README.md").read_text("utf-8")
JSON_PAGE = (ROOT / "docs" / "reference" / "json.md").read_text("utf-8")
NOTATION_PAGE = (ROOT / "docs" / "reference" / "notation.md").read_text("utf-8")
COMMANDS_PAGE = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")
FENCE = re.compile(r"^(`{3,})([^\n]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
PUBLIC = generated.MODULES
"""Modules all of whose functions and classes are public."""

TEXTS = {str(page.relative_to(ROOT)): page.read_text("utf-8") for page in sessions.pages()}
BLOCKS = [
    (page, language.strip(), body)
    for page, text in TEXTS.items()
    for _, language, body in FENCE.findall(text)
]
every_page = pytest.mark.parametrize("page", TEXTS)


def blocks(*languages: str) -> list[tuple[str, str]]:
    return [(page, body) for page, language, body in BLOCKS if language in languages]


def code_in(text: str) -> list[str]:
    """The code inside sentences."""
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", FENCE.sub("", text))


def page_of(block: tuple[str, str]) -> str:
    return block[0]


def test_every_block_is_of_a_kind_that_is_run_here() -> None:
    known = {"console", "sh", "python", "clue", "toml", "json", "{toctree}", "{eval-rst}"}
    assert known >= {language for _, language, _ in BLOCKS}


HELD = {
    "python3 -m venv .venv && ": "fetches libraries; `.ci/run` runs it",
    "pip install ": "fetches libraries",
    "pytest tests/": "is these tests",
    "pytest benchmarks/": "measures for minutes",
    "python benchmarks/": "measures for minutes or hours",
    "python -m slipcover --merge": "lays together what `.ci/run` measured",
    "python -m docs.sessions": "writes these pages anew; these tests do it elsewhere",
    "python -m docs.screens": "draws the pictures anew; these tests compare them",
    "python -m docs.reading site ": "tests/test_site.py does it",
    "sphinx-build -W docs site": "tests/test_site.py does it",
    "clue-solver serve friday.clue": "does not end: SERVED",
    "clue-solver new evening.clue": "asks; tests/faces/test_cli.py answers",
    "clue-solver play --plain": "asks; tests/faces/test_plain.py answers",
}
"""How command lines begin that are not run as they stand, and why; see also `exists`."""
PROGRAMS = (
    "clue-solver ",
    "pip ",
    "python ",
    "python3 ",
    "pytest ",
    "pre-commit ",
    "sphinx-build ",
)


def held(command: str) -> bool:
    return command.startswith((*HELD,))


def scripted(command: str) -> str | None:
    """What is run for a command of a script."""
    return None if held(command) else command


def lines_in(text: str) -> list[str]:
    """The command lines inside sentences, of three words or more; capitals are to be filled in."""
    lines = [code for code in code_in(text) if code.startswith(PROGRAMS)]
    return [
        line for line in lines
        if len(shlex.split(line)) > 2 and not re.search(r"\b[A-Z]{2,}\b", line)
    ]  # fmt: skip


def whole(page: str) -> str:
    """A page with the command lines of its sentences as a script behind it."""
    return "\n".join((TEXTS[page], "```sh", *lines_in(TEXTS[page]), "```\n"))


WITH_COMMANDS = [page for page in TEXTS if sessions.commands(whole(page))]


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_commands_do_what_stands_there(page: str, tmp_path: Path) -> None:
    for each in sessions.run(whole(page), tmp_path, script=scripted):
        assert each.agrees(), (each.command, each.printed)


def test_commands_that_do_something_else_are_noticed(tmp_path: Path) -> None:
    told = "```console\n$ clue-solver --version\nclue-solver 1\n$ echo a; echo b\n...\nb\n```\n"
    scripts = "```sh\nclue-solver report nowhere.clue\nfalse\ntrue\n```\n"
    ran = sessions.run(told + scripts, tmp_path, script=scripted)
    assert [False, True, False, False, True] == [each.agrees() for each in ran]


SERVED = [
    command
    for text in TEXTS.values()
    for command, _ in sessions.commands(text)
    if command.startswith("clue-solver serve ")
]


@pytest.mark.parametrize("command", SERVED)
def test_a_page_is_served_until_it_is_ended(command: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "clue_solver", *shlex.split(command)[1:], "--port", "0"]
    pytest.importorskip("starlette")
    server = subprocess.Popen(
        words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert server.stdout is not None
    assert re.search(r"http://[\d.]+:\d+/\S{22}", server.stdout.readline())
    server.send_signal(signal.SIGINT)
    assert server.wait(60) == 0
    assert server.communicate()[1].startswith("Ctrl-C ends")


def test_what_is_held_back_stands_on_a_page_and_exists() -> None:
    every = [
        command for page in TEXTS for command, told in sessions.commands(whole(page))
        if told is None and held(command)
    ]  # fmt: skip
    for begins in HELD:
        assert any(command.startswith(begins) for command in every), begins
    for command in every:
        exists(command)


RUN = {
    "docs/add-observation.md": "tests/test_adding.py",
    "docs/arena.md": "tests/arena/test_tournament.py",
}
"""Pages whose Python is no doctest, and the tests that run it."""


@pytest.mark.parametrize("block", blocks("python"), ids=page_of)
def test_python_is_run_as_doctest_or_by_the_test_of_its_page(block: tuple[str, str]) -> None:
    page, body = block
    if not body.startswith(">>> "):
        assert f'"{Path(page).name}"' in (ROOT / RUN[page]).read_text("utf-8")


def told_by(line: str) -> type[Event] | None:
    """The kind of a line that can be read at one of some tables."""
    seats = ("Ann", "Ben", "Cat", "Dan")
    for name in ("clue-classic", "clue-diced"):
        with suppress(NotationError):
            return type(parse_line(line, Table(edition=load_edition(name), seats=seats)))
    return None


@pytest.mark.parametrize("block", blocks("clue"), ids=page_of)
def test_a_record_can_be_read(block: tuple[str, str]) -> None:
    _, body = block
    if "edition:" in body:
        assert parse_record(body, beside=EXAMPLES).entries
    else:
        assert all(map(told_by, body.splitlines()))


def test_the_record_in_the_readme_is_the_example() -> None:
    (record,) = [body for page, body in blocks("clue") if page == "README.md"]
    example = (EXAMPLES / "classic.clue").read_text("utf-8")
    for line in record.splitlines():
        assert line.split("  #")[0].rstrip() in example


@pytest.mark.parametrize("block", blocks("toml"), ids=page_of)
def test_a_deck_can_be_played(block: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "deck.toml").write_text(block[1], "utf-8")
    assert load_edition("deck.toml", beside=tmp_path).category


@pytest.mark.parametrize("block", blocks("json"), ids=page_of)
def test_json_is_json(block: tuple[str, str]) -> None:
    for line in block[1].splitlines():
        assert isinstance(json.loads(line), dict)


def parameters(words: list[str]) -> set[str]:
    """The options that the command of a command line has; fails where there is no such command."""
    command: click.Command = main
    for word in words:
        if not isinstance(command, click.Group) or word.startswith("-"):
            break
        assert word in command.commands, f"no command {word!r}"
        command = command.commands[word]
    context = click.Context(command)
    return {
        option
        for param in command.get_params(context)
        for option in (*param.opts, *param.secondary_opts)
    } | {"-h"}


def check_command(line: str) -> None:
    """Fail where a command line has a command or an option that does not exist."""
    words = shlex.split(line.partition("#")[0])[1:]
    words = words[: next((at for at, word in enumerate(words) if word in "|<>;&&"), len(words))]
    known = parameters(words)
    used = {word.partition("=")[0] for word in words if re.match("--?[a-z]", word)}
    assert used <= known | {"--version", "--help"}, line


@every_page
def test_command_lines_have_commands_and_options_that_exist(page: str) -> None:
    for code in code_in(TEXTS[page]):
        if code.startswith("clue-solver "):
            check_command(code)


@every_page
def test_an_option_that_a_page_names_exists(page: str) -> None:
    others = {
        "--positions",
        "--cov",
        "--check",
        "--quick",
        "--seed",
        "--seconds",
        "--workers",
        "--write",
    }
    every = {option for command in main.commands.values() for option in parameters([command.name])}  # type: ignore[list-item]
    named = {code.split()[0].partition("=")[0] for code in code_in(TEXTS[page]) if code[:2] == "--"}
    assert named <= every | others | {"--version", "--help"}


def exists(command: str) -> None:
    """Fail where a command line names an extra, a file, a module or an option that is not there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for part in re.split(r"&&|\||;", command):
        program, *words = shlex.split(part)
        if program.endswith("clue-solver"):
            check_command(part)
        for extras in re.findall(r"\[([\w,]+)\]", part):
            assert {*extras.split(",")} <= {*project["optional-dependencies"]}
        files = [word for word in words if re.fullmatch(r"[\w./]+/[\w./]+", word)]
        assert all((ROOT / file).exists() or (PACKAGE / file).exists() for file in files), part
        (module,) = re.findall(r"python -m ((?:docs|tests)[\w.]+)", part) or ("",)
        source = ROOT / f"{module.replace('.', '/')}.py" if module else None
        source = next((ROOT / file for file in files if file.endswith(".py")), source)
        if source is not None and program.startswith("python"):
            known = source.read_text("utf-8")
            assert all(f'"{word}"' in known for word in words if word.startswith("--")), part


def test_the_hooks_before_a_commit_are_there() -> None:
    told = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    hooks = [hook for repo in told["repos"] for hook in repo["hooks"]]
    assert {"ruff-format", "ruff", "lint-imports", "pages"} == {hook["id"] for hook in hooks}
    for hook in hooks:
        assert shutil.which(hook["entry"].split()[0], path=str(Path(sys.executable).parent))
        exists(hook["entry"])


def test_the_changelog_has_a_section_for_each_version_the_newest_first() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    first, *released = re.findall(r"^## (.*)$", changes, re.MULTILINE)
    assert "Unreleased" == first
    found = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) - (\d{4}-\d\d-\d\d)", each) for each in released]
    versions = [tuple(map(int, each.groups()[:3])) for each in found if each is not None]
    assert len(released) == len(versions)
    assert clue_solver.__version__ == ".".join(map(str, versions[0]))
    assert versions == sorted(versions, reverse=True)


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub and the site make them."""
    heads = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", head.lower()) for head in heads)
    return {head.replace(" ", "-") for head in plain}


@pytest.mark.parametrize("page", [*TEXTS, "benchmarks/README.md", "tests/games/README.md"])
def test_links_lead_to_files_and_headings_that_exist(page: str) -> None:
    text = FENCE.sub("", (ROOT / page).read_text("utf-8"))
    for alternative, target in re.findall(r"(!?\[[^\]]*\])\(([^)\s]+)\)", text):
        assert alternative != "![]", f"{target}: a picture without words"
        if re.match("[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (ROOT / page).parent / path if path else ROOT / page
        assert there.exists(), target
        if anchor:
            filled = generated.filled(there.read_text("utf-8"), str(there.relative_to(ROOT)))
            assert anchor in anchors(filled), target


def test_the_readme_shows_pictures_first_and_ends_after_two_screens() -> None:
    assert README.index("![") < README.index("```console") < README.index("```sh")
    assert len(README.splitlines()) <= 110
    assert 4 == README[README.index("<!-- benchmarks -->") :].count("\n- **")


def test_every_kind_of_observation_has_its_lines() -> None:
    lines = re.findall(r"`((?:[A-Z][a-z]+|nobody) \w+ ?[^`]*)`", NOTATION_PAGE)
    assert {*kinds()} == set(map(told_by, lines)) - {None}
    made = generated.notation()
    for kind in kinds():
        assert f"### {kind.__name__}\n" in made
        assert generated.example(kind)[0] in made


def test_every_key_of_a_header_has_its_line() -> None:
    table = NOTATION_PAGE[NOTATION_PAGE.index("| header |") :]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    assert {*KEYS} == {key for row in rows for key in re.findall(r"`([a-z-]+):", row)}


def test_every_edition_has_its_section() -> None:
    made = generated.editions()
    for name in shipped_editions():
        assert f"`edition: {name}`" in made
        for kind in load_edition(name).category:
            assert all(f"| {card.name} |" in made for card in kind.cards)


def test_every_language_has_its_names() -> None:
    made = generated.languages()
    for edition in map(load_edition, shipped_editions()):
        for language, names in edition.languages.items():
            assert f"`names: {language}`" in made
            assert all(f"| {name} |" in made for name in names.values())


def test_every_public_name_has_its_documentation() -> None:
    made = generated.api()
    for name in clue_solver.__all__:
        if name not in PUBLIC:
            assert re.search(rf":: clue_solver\.[\w.]+\.{name}$", made, re.MULTILINE), name
            assert getattr(clue_solver, name).__doc__, name
    for module in PUBLIC:
        assert generated.public_functions(module)
        for name in generated.public_functions(module):
            assert f":: clue_solver.{module}.{name}\n" in made


def test_every_command_has_its_line_and_every_option_its_help() -> None:
    rows = re.findall(r"^\| `clue-solver ([\w-]+)` \| \S", COMMANDS_PAGE, re.MULTILINE)
    assert sorted(main.commands) == sorted(rows)
    assert ":nested: full" in COMMANDS_PAGE
    for name, command in main.commands.items():
        assert command.help, name
        for param in command.params:
            if isinstance(param, click.Option):
                assert param.help, f"{name} {param.opts[-1]}"
            else:
                metavar = param.make_metavar(click.Context(command)).strip("[].")
                assert metavar in command.help, f"{name}: what is {metavar}?"


def test_every_exit_status_has_its_line() -> None:
    rows = re.findall(r"^\| (\d) \|", COMMANDS_PAGE, re.MULTILINE)
    assert ["0", "1", "2", "3"] == rows
    left = CliRunner().invoke(main, ["new"], input="")
    assert 1 == left.exit_code


SAMPLES = {
    "report": (
        "classic.clue --upto 9",
        "classic.clue --upto 9 --suppose 'Cat has Rope'",
        "diced.clue --upto 6 --advise",
        "wrong.clue",
        "advise --json --as dan classic.clue --upto 5",
    ),
    "why": ("classic.clue hall envelope", "classic.clue rope dan --upto 9"),
    "check": ("classic.clue", "wrong.clue"),
    "advise": (
        "classic.clue --upto 9 --top 1 --at Hall --roll 2",
        "classic.clue --upto 9 --explain",
        "diced.clue --upto 6",
        "diced.clue --upto 5 --dice plum,green,mustard,glass",
        "two_players.clue --upto 3 --rooms Hall",
    ),
    "review": ("small.clue nowhere.clue --sample 100 --deep",),
    "season": ("small.clue",),
    "habits": ("classic.clue",),
    "import": ("pad.csv --edition clue-classic",),
    "merge": ("classic.clue short.clue",),
    "arena": (),  # games take long: see PRINTED
    "games.jsonl": (),
}
"""Command lines whose JSON has every key but the rare ones."""

RARE = {
    "report": {"left_out", "advice."},  # as `advise`
    "check": {"minimum", "and", "odd[]"},
    "advise": {"left_out", "suggestions[].look"},
    "review": {"error", "turning[]", "missed_wins[]", "unused[]"},
}
"""Keys that only unusual games bring about; the tests of their answers do."""

TOURNAMENT = Tournament(edition="clue-classic", players=("likeliest", "random"))
HOW = HowPlayed(
    winner="Ann", first="Ben", turns=9, solved=8, sure=("Ann",), asking=0.5, watching=0.1,
    accusations=(Accused("Ann", 1.0, True),),
)  # fmt: skip
GAME = GamePlayed(game=1, deal=1, players=TOURNAMENT.players, how=HOW)
PRINTED = {
    "arena": (Tally(TOURNAMENT).standings().to_json(),),
    "games.jsonl": (line_of(TOURNAMENT, GAME), line_of(TOURNAMENT, GAME, record="...")),
}
"""What is written by commands that take too long to be run for it."""


def keys_in(value: object, schema: dict[str, Any], at: str = "") -> Iterator[str]:
    """The keys of some JSON, each with the way to it; names that stand as keys are none."""
    if isinstance(value, list):
        for each in value:
            yield from keys_in(each, schema.get("items", {}), f"{at}[]")
    elif isinstance(value, dict):
        for part in schema.get("anyOf", (schema,)):
            for key, inner in part.get("properties", {}).items():
                if key in value:
                    here = f"{at}.{key}".lstrip(".")
                    yield here
                    yield from keys_in(value[key], inner, here)


def is_rare(path: str, command: str) -> bool:
    return any(f".{each}" in f".{path}" for each in RARE.get(command, ()))


def with_json() -> list[str]:
    return [
        name
        for name, command in main.commands.items()
        if any("--json" in param.opts for param in command.params)
    ]


def test_every_command_that_prints_json_has_its_section() -> None:
    assert sorted([*with_json(), "games.jsonl"]) == sorted(schemas.PRINTED)
    assert sorted(SAMPLES) == sorted(schemas.PRINTED)
    sections = re.findall(r"^## `([\w.]+)`$", JSON_PAGE, re.MULTILINE)
    assert sorted(sections) == sorted(schemas.PRINTED)
    for name in sections:
        assert f"<!-- generated: json {name} -->" in JSON_PAGE
    assert "| `players[].wins` | whole number |" in generated.filled(JSON_PAGE, "docs/json.md")


@pytest.mark.parametrize("command", schemas.PRINTED)
def test_every_key_of_json_is_described_and_the_schema_is_one(command: str) -> None:
    schema = schemas.schema_of(schemas.PRINTED[command])
    Draft202012Validator.check_schema(schema)
    assert 1 == schema["properties"]["schema"].get("const", 1)
    for key in schemas.keys_of(schema, all_of_them=True):
        assert key.meaning, f"{command}: what is {key.path}?"


def test_a_key_without_a_description_is_noticed() -> None:
    class Undescribed(AnswerValue, frozen=True, kw_only=True):
        """
        One.

        Attributes:
            told: What it is.
        """

        told: int
        untold: int | None = None
        written: ClassVar[Written] = Written(schema=3, sparse=("untold",))

    schema = schemas.schema_of(schemas.Printed((Undescribed,)))
    keys = {key.path: (key.type, key.meaning) for key in schemas.keys_of(schema)}
    assert {"schema": 3, "told": 1} == Undescribed(told=1).to_dict()
    assert ("whole number", "What it is.") == keys["told"]
    assert ("whole number, or left out", "") == keys["untold"]


@pytest.mark.parametrize("command", SAMPLES)
def test_json_is_as_its_schema_says_and_has_every_key(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (*EXAMPLES.glob("*.clue"), EXAMPLES / "pad.csv"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    classic = (EXAMPLES / "classic.clue").read_text("utf-8")
    (tmp_path / "wrong.clue").write_text(f"{classic}Ann knows Dan has Hall\n", "utf-8")
    lines = classic.splitlines(keepends=True)
    (tmp_path / "short.clue").write_text("".join(lines[:-3] + lines[-2:]), "utf-8")
    (tmp_path / "small.clue").write_text("".join(lines[:9] + lines[-1:]), "utf-8")
    monkeypatch.chdir(tmp_path)
    printed = [*PRINTED.get(command, ())]
    for words in SAMPLES[command]:
        with_option = words if words.startswith("advise ") else f"{command} --json {words}"
        result = CliRunner().invoke(main, shlex.split(with_option))
        assert result.stdout, result.output
        printed.append(result.stdout)
    schema = schemas.schema_of(schemas.PRINTED[command])
    validator = Draft202012Validator(schema)
    found: set[str] = set()
    for each in (json.loads(line) for text in printed for line in text.splitlines()):
        assert 1 == each["schema"]
        validator.validate(each)
        found |= {*keys_in(each, schema)}
    every = {key.path for key in schemas.keys_of(schema, all_of_them=True)}
    assert {path for path in every - found if not is_rare(path, command)} == set()


@pytest.mark.parametrize("name", screens.SCREENS)
def test_a_picture_of_the_screen_is_what_the_program_draws(name: str) -> None:
    assert not screens.changed(name)
    kept = screens.kept(name).read_text("utf-8")
    assert "http" not in kept.replace("http://www.w3.org/", "").replace(
        "https://www.textualize.io", ""
    )
