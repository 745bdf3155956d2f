"""What README and site show is what the program does, and all that it has stands there."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import clue_solver
from clue_solver import NotationError, Table, load_edition, shipped_editions
from clue_solver.arena.standings import Tally
from clue_solver.arena.tournament import Tournament
from clue_solver.faces.cli import main
from clue_solver.notation import parse_line
from clue_solver.record import parse_record
from clue_solver.record.contents import KEYS
from clue_solver.rules.observations import Event, kinds
from docs import generated, screens, sessions

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
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


@pytest.mark.parametrize("page", [page for page, text in TEXTS.items() if "```console" in text])
def test_a_session_prints_what_stands_there(page: str, tmp_path: Path) -> None:
    ran = [*sessions.run(TEXTS[page], tmp_path)]
    assert ran
    for each in ran:
        assert each.agrees(), (each.command, each.printed)


def test_a_session_that_prints_something_else_is_noticed(tmp_path: Path) -> None:
    told = "```console\n$ clue-solver --version\nclue-solver 1\n$ echo a; echo b\n...\nb\n```\n"
    wrong, right = sessions.run(told, tmp_path)
    assert not wrong.agrees()
    assert right.agrees()


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


@pytest.mark.parametrize("block", blocks("sh"), ids=page_of)
def test_what_a_shell_is_given_exists(block: tuple[str, str]) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = extras["project"]["optional-dependencies"]
    for line in block[1].splitlines():
        for part in re.split(r"&&|\||;", line):
            if part.split()[:1] and part.split()[0].endswith("clue-solver"):
                check_command(part)
        assert set(re.findall(r"\[(\w+)\]", line)) <= {*extras}
        for script in re.findall(r"python (\S+\.py)", line):
            assert (ROOT / script).exists()


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
    assert 3 == README[README.index("<!-- benchmarks -->") :].count("\n- **")


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
}
"""Command lines whose JSON has every key but the rare ones."""

RARE = {
    "report": {"left_out"},
    "check": {
        *("minimum", "corrections[].and"),
        *(f"odd[].{key}" for key in ("entry", "before", "after", "ratio")),
    },
    "advise": {"left_out", "suggestions[].look"},
    "review": {
        *("turning[].entry", "turning[].text", "missed_wins[].seat", "missed_wins[].entry"),
        *(f"unused[].{key}" for key in ("entry", "seat", "what", "since")),
    },
}
"""Keys that only unusual games bring about; the tests of their answers do."""

PRINTED = {
    "arena": (
        Tally(Tournament(edition="clue-classic", players=("likeliest", "random")))
        .standings()
        .to_json()
    ),
}
"""What commands print that take too long to be run for it."""

BY_NAME = ("probability", "verdict")
WITHIN = {("report", "advice."): ("advise", ""), ("habits", "all."): ("habits", "players[].")}
"""Parts whose keys stand elsewhere: those of the other command, or of another key."""
STEPS = ("check", "why[]."), ("why", "steps[].")


def keys_of(value: object, at: str = "") -> Iterator[str]:
    """The keys of some JSON, each with the way to it."""
    if isinstance(value, list):
        for each in value:
            yield from keys_of(each, f"{at}[]")
    elif isinstance(value, dict):
        for key, inner in value.items():
            here = f"{at}.{key}".lstrip(".")
            yield here
            if key in BY_NAME and isinstance(inner, dict):
                yield f"{here}{{}}"
            else:
                yield from keys_of(inner, here)


def documented(command: str) -> set[str]:
    section = JSON_PAGE[JSON_PAGE.index(f"\n## `{command}`") + 1 :].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    return {key for row in rows for key in re.findall("`([^`]+)`", row)}


def with_json() -> list[str]:
    return [
        name
        for name, command in main.commands.items()
        if any("--json" in param.opts for param in command.params)
    ]


def test_every_command_that_prints_json_has_its_section() -> None:
    assert sorted(with_json()) == sorted(SAMPLES)
    sections = re.findall(r"^## `([\w-]+)`$", JSON_PAGE, re.MULTILINE)
    assert sorted(sections) == sorted(SAMPLES)


@pytest.mark.parametrize("command", SAMPLES)
def test_every_key_of_json_has_its_line(
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
    found = set()
    printed = [PRINTED[command]] if command in PRINTED else []
    for words in SAMPLES[command]:
        result = CliRunner().invoke(main, [command, "--json", *shlex.split(words)])
        assert result.stdout, result.output
        printed.append(result.stdout)
    for text in printed:
        objects = [json.loads(line) for line in text.splitlines()]
        assert {1} == {each["schema"] for each in objects}
        found |= {key for each in objects for key in keys_of(each)}
    told = documented(command)
    for (where, part), (other, instead) in (*WITHIN.items(), STEPS):
        if where == command:
            elsewhere = {key for key in found if key.startswith(part)}
            found -= elsewhere
            assert {instead + key.removeprefix(part) for key in elsewhere} <= documented(other)
    assert found <= told
    assert told - RARE.get(command, set()) <= found


@pytest.mark.parametrize("name", screens.SCREENS)
def test_a_picture_of_the_screen_is_what_the_program_draws(name: str) -> None:
    kept = screens.kept(name)
    assert screens.written(screens.drawn(name)) == screens.written(kept)
    assert "http" not in kept.replace("http://www.w3.org/", "").replace(
        "https://www.textualize.io", ""
    )
