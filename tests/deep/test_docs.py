"""
What README and pages show is what the program does, and its JSON is what they say.

The site is built without a warning, its links hold, and it is read on any screen.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from clue_solver import load_edition
from clue_solver.arena.tournament import Tournament
from clue_solver.faces.cli import main
from clue_solver.game.games import Games
from clue_solver.record.files import parse_record
from clue_solver.record.header import KEYS
from clue_solver.views import plots
from clue_solver.views.reviews import review_page
from docs import reference, screens, sessions
from tests.deep.chromium import AXE
from tests.views.displays import EVENING

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
REFERENCE = ROOT / "docs" / "reference"
FENCE = re.compile(r"^(`{3,})([^\n]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
TEXTS = {str(page.relative_to(ROOT)): page.read_text("utf-8") for page in sessions.pages()}

HELD = {
    "python3 -m venv .venv && ": "fetches libraries; `.ci/run` runs it",
    "pip install ": "fetches libraries",
    "pytest ": "is these tests",
    "python -m pytest": "is these tests",
    "python -m docs.": "writes these pages anew; these tests hold them to what it writes",
    "sphinx-build -W docs site": "a test below does it",
    "clue-solver serve ": "does not end: SERVED",
    "clue-solver practise": "asks; tests/faces/test_practise.py answers",
    "python tools/page.py": "fetches a runtime; tests/deep/faces/test_browser.py does it",
    "clue-solver play examples/": "opens the full screen",
    "clue-solver play --plain": "asks; tests/faces/test_plain.py answers",
}
"""How command lines begin that are not run as they stand, and why."""
PROGRAMS = ("clue-solver ", "pip ", "python ", "python3 ", "pytest ", "sphinx-build ")


def scripted(command: str) -> str | None:
    """What is run for a command of a script."""
    return None if command.startswith((*HELD,)) else command


def lines_in(text: str) -> list[str]:
    """The command lines inside sentences, of three words or more; capitals are to be filled in."""
    found = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", FENCE.sub("", text))
    lines = [code for code in found if code.startswith(PROGRAMS)]
    return [
        line for line in lines if len(line.split()) > 2 and not re.search(r"\b[A-Z]{2,}\b", line)
    ]


def whole(page: str) -> str:
    """A page with the command lines of its sentences as a script behind it."""
    return "\n".join((TEXTS[page], "```sh", *lines_in(TEXTS[page]), "```\n"))


def check_commands(page: str, folder: Path) -> None:
    for each in sessions.run(whole(page), folder, script=scripted):
        assert each.agrees(), (each.command, each.printed)


LONG = "docs/arena.md"  # plays for two minutes


@pytest.mark.parametrize("page", [page for page in TEXTS if sessions.commands(whole(page))])
def test_commands_do_what_stands_there(page: str, tmp_path: Path) -> None:
    if page != LONG:
        check_commands(page, tmp_path)


@pytest.mark.long(keep=0)
@pytest.mark.parametrize("page", [LONG])
def test_commands_of_the_arena_do_what_stands_there(page: str, tmp_path: Path) -> None:
    check_commands(page, tmp_path)


SERVED = [
    command
    for text in TEXTS.values()
    for command, _ in sessions.commands(text)
    if command.startswith("clue-solver serve ") and "--cert" not in command  # tests/deep/faces
]


@pytest.mark.parametrize("command", SERVED)
def test_a_page_is_served_until_it_is_ended(command: str, tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    server = subprocess.Popen(
        [sys.executable, "-m", "clue_solver", *shlex.split(command)[1:], "--port", "0"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert server.stdout is not None
    assert re.search(r"https?://[^/]+/\S{22}", server.stdout.readline())
    server.send_signal(signal.SIGINT)
    _, said = server.communicate(timeout=60)
    assert server.returncode == 0
    assert "Ctrl+C stops the server" in said


@pytest.mark.parametrize("page", [page for page, text in TEXTS.items() if "\n>>> " in text])
def test_python_on_the_pages_does_what_stands_there(page: str) -> None:
    outcome = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert outcome.attempted
    assert not outcome.failed


def test_the_examples_of_the_plots_run() -> None:
    outcome = doctest.testmod(plots)
    assert outcome.attempted
    assert not outcome.failed


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_prints_what_stands_in_it(path: Path) -> None:
    nbclient, nbformat = import_module("nbclient"), import_module("nbformat")
    kept = nbformat.reads(path.read_text("utf-8"), as_version=4)
    today = nbformat.reads(path.read_text("utf-8"), as_version=4)
    where = {"metadata": {"path": str(EXAMPLES)}}
    nbclient.NotebookClient(today, timeout=600, resources=where, coalesce_streams=True).execute()
    assert printed(today) == printed(kept)


def printed(notebook: Any) -> list[str]:
    """The texts that a notebook prints; no pictures, which depend on fonts."""
    outputs = [each for cell in notebook.cells for each in cell.get("outputs", ())]
    return [each.get("text", each.get("data", {}).get("text/plain", "")) for each in outputs]


def test_records_and_decks_on_the_pages_can_be_read(tmp_path: Path) -> None:
    read = []
    for text in TEXTS.values():
        for _, language, body in FENCE.findall(text):
            read.append(language)
            if language == "clue" and "edition:" in body:
                assert parse_record(body, beside=EXAMPLES).entries
            elif language == "toml":
                (tmp_path / "deck.toml").write_text(body, "utf-8")
                assert load_edition("deck.toml", beside=tmp_path).category
    assert {"clue", "toml"} <= {*read}


@pytest.mark.parametrize("page", [*TEXTS, "tests/games/README.md"])
def test_links_lead_to_files_that_exist(page: str) -> None:
    text = FENCE.sub("", (ROOT / page).read_text("utf-8"))
    targets = re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", text)
    local = [target for target in targets if not re.match("[a-z]+:", target)]
    assert [target for target in local if not ((ROOT / page).parent / target).exists()] == []


CODE = [path for name in ("clue_solver", "docs", "tests") for path in (ROOT / name).rglob("*.py")]
DOTTED = re.compile(r"`([A-Za-z][\w/]*(?:\.(?!toml|md)[A-Za-z_]\w*)+)`")


def exists(name: str) -> bool:
    """Whether a dotted name is a module's, by its last names, or something in one or in a class."""
    parts = name.removesuffix(".py").replace("/", ".").split(".")
    for path in CODE:
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        ends = [
            n for n in range(len(parts) + 1) if f".{module}".endswith("." + ".".join(parts[:n]))
        ]
        rests = [parts[n:] for n in ends]
        if re.search(rf"^class {parts[0]}\b", path.read_text("utf-8"), re.MULTILINE):
            rests.append(parts)
        for rest in rests:
            with suppress(AttributeError):
                reduce(getattr, rest, import_module(module))
                return True
    return False


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/decisions.md", "docs/mathematics.md"])
def test_what_pages_about_the_code_name_is_there(page: str) -> None:
    names = DOTTED.findall(FENCE.sub("", TEXTS[page]))
    assert names
    assert [name for name in names if not exists(name)] == []


def test_the_reference_is_what_the_program_says() -> None:
    for path in sorted((ROOT / "docs").rglob("*.md")):
        text = path.read_text("utf-8")
        assert reference.written(text) == text, path


def test_contracts_have_their_lines_keys_of_headers_and_exit_statuses() -> None:
    notation, commands = (
        (REFERENCE / f"{name}.md").read_text("utf-8") for name in ("notation", "commands")
    )
    rows = re.findall(r"^\| (`[a-z-]+:.*?) \|", notation[notation.index("| header |") :], re.M)
    assert {key for row in rows for key in re.findall(r"`([a-z-]+):", row)} == {*KEYS}
    assert re.findall(r"^\| (\d) \|", commands, re.M) == ["0", "1", "2", "3", "4"]


SAMPLES = {
    "report": (
        "classic.clue --upto 9",
        "classic.clue --upto 9 --suppose 'Cat has Rope'",
        "wrong.clue",
    ),
    "why": ("classic.clue hall envelope", "classic.clue rope dan --upto 9"),
    "check": ("short.clue", "wrong.clue"),
    "advise": (
        "classic.clue --upto 9 --top 1 --at Hall --roll 2",
        "classic.clue --upto 9 --explain",
        "diced.clue --upto 8",
        "diced.clue --upto 5 --roll plum,green,mustard,glass",
        "two_players.clue --upto 3 --rooms Hall",
    ),
    "review": ("classic.clue",),
    "season": ("small.clue",),
    "import": (
        "pad.csv --edition clue-classic --viewer Ann "
        "--columns card,Ann,Ben,Cat,Dan,envelope,remark --marks numbers=either-or",
        "short.clue",
    ),
    "merge": ("import --json classic.clue short.clue",),
    "arena": (),  # games take long: see PRINTED
}
"""Command lines whose JSON has every key but the rare ones."""

RARE = {
    "report": {"hands[]"},
    "merge": {"turns[]"},
}
"""Keys that only unusual games bring about; the tests of their answers do."""

TOURNAMENT = Tournament(edition="clue-classic", players=("likeliest", "random"))
PRINTED = {
    "arena": (Games([TOURNAMENT.play(1)]).standings().to_json(),),
}
"""What is written by commands that take too long to be run for it."""


def keys_in(value: object, known: set[str], at: str = "") -> Iterator[str]:
    """The keys of some JSON, each with the way to it; names that stand as keys are none."""
    if isinstance(value, list):
        for each in value:
            yield from keys_in(each, known, f"{at}[]")
    elif isinstance(value, dict):
        named = at and not any(f"{at}.{key}" in known for key in value)
        for key, inner in value.items():
            here = at if named else f"{at}.{key}".lstrip(".")
            if not named:
                yield here
            yield from keys_in(inner, known, here)


def test_every_command_that_prints_json_has_its_section() -> None:
    printing = [
        name
        for name, command in main.commands.items()
        if any("--json" in param.opts for param in command.params)
    ]
    page = (REFERENCE / "json.md").read_text("utf-8")
    sections = re.findall(r"^## (\w+)\n(?s:.*?)<!-- part: json \1 -->", page, re.M)
    assert sorted([*printing, "merge"]) == sorted(SAMPLES) == sorted(sections)
    assert sorted(SAMPLES) == sorted(reference.ANSWERS)


@pytest.mark.parametrize("command", SAMPLES)
def test_json_has_the_keys_of_the_reference_which_are_all_described(
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
        with_option = words if " --json " in words else f"{command} --json {words}"
        result = CliRunner().invoke(main, shlex.split(with_option))
        assert result.stdout, result.output
        printed.append(result.stdout)
    kind = reference.answer(command)
    every = {path: meaning for path, _, meaning in reference.keys(kind, "", {}, command)}
    found: set[str] = set()
    for each in (json.loads(line) for text in printed for line in text.splitlines()):
        assert each["schema"] == 1
        found |= {*keys_in(each, {*every})}
    assert [path for path, meaning in every.items() if not meaning] == []
    rare = tuple(f".{each}" for each in RARE.get(command, ()))
    missing = {*every} - found
    assert found <= {*every} | {"conflict", "turns", "record"}
    assert {path for path in missing if not any(each in f".{path}" for each in rare)} == set()


@pytest.mark.parametrize("name", screens.SCREENS)
def test_a_picture_of_the_screen_is_what_the_program_draws(name: str) -> None:
    assert not screens.changed(name)
    kept = screens.kept(name).read_text("utf-8")
    kept = kept.replace("http://www.w3.org/", "").replace("https://www.textualize.io", "")
    assert "http" not in kept


LOOKED_AT = ("index", "evening", "mathematics", "arena", "reference/json")
"""A page of each kind."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", ROOT / "docs", folder],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (built.returncode, built.stderr) == (0, "")
    return folder


def test_every_link_leads_to_a_file_and_nothing_is_fetched(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if "_static" not in page.parts]
    assert len(pages) > 15
    for page in pages:
        text = page.read_text("utf-8")
        assert re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]+)', text) == []
        for target in re.findall(r'<a [^>]*href="([^"#]+)', text):
            if not re.match("[a-z]+:", target):
                assert (page.parent / target).exists(), (page.name, target)
        assert str(ROOT) not in text


@pytest.mark.parametrize("width", [390, 1280])
def test_everybody_can_read_it(site: Path, browser: Any, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    for name in LOOKED_AT:
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        page.add_script_tag(path=str(AXE))
        found = page.evaluate("axe.run().then(found => found.violations.map(each => each.id))")
        assert found == [], name


def test_the_page_reads_on_a_phone_and_in_print(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(review_page(EVENING.review(sample=100)), "utf-8")
    asked: list[str] = []
    page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert asked == [file.as_uri()]
    page.emulate_media(media="print")
    assert page.locator(".title").last.inner_text() == "The log"
    assert page.locator("svg.chart text").first.bounding_box()["height"] >= 9
