"""
Hostile input to every way in: does any end in a traceback, take over 10 s, or 2 GB?

- `readers`: damaged records, pads, tables, workbooks and editions, read as each of these;
- `commands`: command lines with options and words that nobody meant, on such files and on games of
  every box, true ones and others, and lines and commands typed into `play --plain`;
- `pages`: requests to the page of a game, or of a shared table.

An input is made from the seed, its way and its number alone. Every tenth is one that once failed,
as it stands, from `tests/deep/fuzzed/`; the others are made from those, from the examples and the
kept records. Inputs are tried by turns, so many in a process forked from this one, which has
imported everything.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
import joblib

from clue_solver import ClueError, import_notes, parse_record
from clue_solver.conversation.commands import WORDS
from clue_solver.faces.cli import main as clue_solver
from clue_solver.faces.web.forms import DEALT, LOGGED
from clue_solver.game import Game
from clue_solver.record.clue import format_record
from clue_solver.record.files import load_record
from clue_solver.record.jsonl import to_jsonl
from clue_solver.rules.edition_files import load_edition, shipped_editions
from tests.children import forked
from tests.faces.serving import called
from tests.random_games import random_game

ROOT = Path(__file__).resolve().parents[2]

ENDINGS = (".clue", ".jsonl", ".csv", ".json", ".xlsx", ".ods", ".toml", ".txt", ".md")
FAILED = ROOT / "tests" / "deep" / "fuzzed"
CORPUS = tuple(
    path
    for folder in (ROOT / "examples", ROOT / "tests" / "record" / "kept", FAILED / "readers")
    for path in sorted(folder.iterdir())
    if path.suffix in ENDINGS and path.stat().st_size < 100_000
)
RECORDS = tuple(path for path in CORPUS if path.suffix in (".clue", ".jsonl"))
TYPED = tuple((FAILED / "sessions.txt").read_text("utf-8").splitlines())
LINES = tuple(
    line
    for path in RECORDS
    if path.suffix == ".clue"
    for line in path.read_text("utf-8").splitlines()
    if line
)
NAMES = ("Ann", "envelope", "spectator", "Plum", "Hall", "Rope", "Zoe", "", "?", "-", "--", "me")
TOKENS = (
    *NAMES,
    *("\0", "\n", "\r\n", "\t", "\x1b[31m", "\ufeff", "\u202e", "\udcff", "é", "ß", "\U0001d538"),
    *("%s", "{}", "-1", "0", "1", "99", "10000000000", "1e9", "nan", "1.5", "0x10", "٣", "²", "½"),
    *(",", ":", ";", '"', "'", "[", "{", "]", "}", "#", "=", "|", "<", "&amp;", "&"),
    *("..", "/", "\\", "~", "null", "has", "lacks", "shows", "passes", "holds", "suggests", "or"),
    *("and", "asks", "careful 0.3"),
)
COMMANDS = tuple(
    (name, command)
    for name, command in clue_solver.commands.items()
    if name not in ("serve", "practise", "arena")  # these go on
)
SECONDS, BYTES = 10, 2_000_000_000
"""What an input may take: processor time, and address space beyond what this process has."""
STATUSES = (0, 1, 2, 3)
BATCH = 5.0
"""The processor seconds after which a process has tried enough inputs."""


def damaged(random: Random, content: bytes) -> bytes:
    """Return bytes with a few of them changed, left out, doubled, or others put between."""
    found = bytearray(content)
    for _ in range(random.choice((0, 1, 1, 2, 3, 8))):
        at = random.randint(0, len(found))
        end = min(len(found), at + random.choice((1, 1, 4, 30, 300)))
        match random.randrange(6):
            case 0:
                del found[at:end]
            case 1:
                found[at:at] = random.choice(TOKENS).encode("utf-8", "surrogateescape")
            case 2:
                found[at:end] = random.choice(TOKENS).encode("utf-8", "surrogateescape")
            case 3:
                found[at:at] = found[at:end] * random.choice((1, 2, 50))
            case 4:
                found[at:end] = random.randbytes(end - at)
            case 5:
                other = random.choice(CORPUS).read_bytes()
                start = random.randint(0, len(other))
                found[at:end] = other[start : start + random.choice((10, 100, 1000))]
    return bytes(found)


def word(random: Random, *more: str) -> str:
    """Return something that could be typed, or not quite."""
    if random.random() < 0.5 and more:
        return random.choice(more)
    made = "".join(random.choice(TOKENS) for _ in range(random.randint(1, 3)))
    return made if random.random() < 0.8 else made * random.choice((10, 500))


def line(random: Random) -> str:
    """Return a line of a record, or a command of `play`, damaged or not."""
    kinds = (LINES, LINES, TYPED, tuple(f"/{name}" for name in WORDS))
    text = random.choice(random.choice(kinds))
    if text.startswith("/") and random.random() < 0.7:
        text += f" {word(random, *map(str, range(12)), *NAMES)}"
    if random.random() < 0.4:
        text = damaged(random, text.encode("utf-8", "surrogateescape")).decode("utf-8", "replace")
    return text.replace("\n", " ")


def readers(random: Random, folder: Path, old: bool) -> None:
    """Read a damaged file as what its name says, or as something else."""
    path = random.choice(tuple((FAILED / "readers").iterdir()) if old else CORPUS)
    content = path.read_bytes() if old else damaged(random, path.read_bytes())
    ending = path.suffix if old or random.random() < 0.9 else random.choice(ENDINGS)
    file = folder / f"file{ending}"
    file.write_bytes(content)
    players = random.choice(((), ("Ann", "Ben", "Cat"), ("Ann",)))
    edition = random.choice((None, "clue-classic"))
    if ending == ".toml":
        with suppress(ClueError):
            load_edition(str(file))
        return
    if ending in (".clue", ".jsonl"):
        with suppress(ClueError):
            record = load_record(file)
            written = format_record(record)
            for text in (written, to_jsonl(record)):
                assert format_record(parse_record(text, beside=folder)) == written, "not the same"
    with suppress(ClueError):
        Game(import_notes(file, edition=edition, players=players).record).report()


def any_game(random: Random) -> str:
    """Return a game of any box and number of players, in any order."""
    edition = random.choice(shipped_editions())
    low, high = load_edition(edition).players
    seats, turns = random.randint(low, high), random.randint(0, 12)
    record = random_game(edition, seats, turns=turns, seed=random.getrandbits(32))
    head, _, log = format_record(record).partition("\n\n")
    lines = log.splitlines()
    if random.random() < 0.3:  # true in another order, or not
        random.shuffle(lines)
    return "\n".join((head, "", *lines, ""))


def commands(random: Random, folder: Path, old: bool) -> None:
    """Run a command line in this process."""
    game = folder / "game.clue"
    table = any_game(random) if random.random() < 0.3 else random.choice(RECORDS).read_text("utf-8")
    content = table.encode()
    game.write_bytes(content if random.random() < 0.7 else damaged(random, content))
    if old:
        words = random.choice((FAILED / "commands.txt").read_text("utf-8").splitlines()).split()
    else:
        name, command = random.choice(COMMANDS)
        words = [name]
        for param in random.sample(command.params, min(len(command.params), random.randint(0, 4))):
            choices = getattr(param.type, "choices", ())
            if isinstance(param, click.Option):
                words.append(param.opts[-1])
                if not param.is_flag:
                    words.append(word(random, *choices, *NAMES, "game.clue", "3"))
        words += random.choices(("game.clue", "-", *NAMES, word(random)), k=random.randint(0, 3))
    typed = "\n".join(line(random) for _ in range(4)) if random.random() < 0.5 else table
    words = ["." if each == "/" else each for each in words]  # no whole disk is read
    if words[0] == "play":
        words.append("--plain")
    _run([each.replace("\0", "") for each in words], typed)  # no system lets one through


FIELDS = ("line", "tab", "insert", "answer", "change", "seat", "was", "what", "players", "hands")


def pages(random: Random, folder: Path, old: bool) -> None:
    """Send requests to a page."""
    game = folder / "game.clue"
    if random.random() < 0.9:
        game.write_bytes(random.choice(RECORDS).read_bytes())
    with suppress(ClueError), called(game, public=random.random() < 0.5) as page:
        actions = sorted({*LOGGED, *DEALT})
        for _ in range(6):
            seat = random.choice((None, *page.table.seats))
            said = {
                random.choice(FIELDS): _sendable(random.choice((line, word))(random))
                for _ in range(random.randint(0, 4))
            }
            if random.random() < 0.3:
                query = {name: text[:500] for name, text in said.items()}
                answer = page.client.get(page.of(seat), params=query)
                assert answer.status_code < 500, answer.text
                continue
            said["line"] = _sendable(line(random))
            answer = page.client.post(f"{page.of(seat)}/{random.choice(actions)}", data=said)
            assert answer.status_code < 500, answer.text


def _sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _run(words: list[str], typed: str) -> None:
    """Run a command line; its status is one of those there are."""
    said = io.TextIOWrapper(io.BytesIO(), "utf-8", "replace")
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode("utf-8", "replace")), "utf-8", "replace")
    status: object = 0
    with redirect_stdout(said), redirect_stderr(said):
        try:
            clue_solver.main(words, prog_name="clue-solver")
        except SystemExit as end:
            status = end.code or 0
    assert status in STATUSES, f"status {status}"


WAYS: dict[str, Callable[[Random, Path, bool], None]] = {
    "readers": readers,
    "commands": commands,
    "pages": pages,
}


WARMING = ("report", "check", "advise", "export", "play --plain")
"""Commands on a game, between which all is imported."""


class Tried(NamedTuple):
    """How many inputs of a way were tried; `failures`: the number of each, what it is, how."""

    way: str
    inputs: int
    failures: tuple[tuple[int, str, str], ...]


def batch(way: str, first: int, *, seed: int, most: int) -> Tried:
    """Try inputs of a way from a number on, in one process, until it has worked long enough."""

    def work() -> None:
        joblib.parallel_config("sequential")  # two pools of other sizes may wait for each other
        begun = time.process_time()
        for number in range(first, first + most):
            before = time.process_time()
            _tell({"number": number})
            failed = _failure(way, seed, number)
            took = time.process_time() - before
            _tell({"failed": failed or f"took {took} s" * (took > SECONDS)})
            if time.process_time() - begun > BATCH:
                break

    ended = forked(work, seconds=SECONDS + int(BATCH), memory=BYTES)
    failures: list[tuple[int, str, str]] = []
    number = first
    for said in map(json.loads, ended.out.splitlines()):
        number = said.get("number", number)
        if failed := said.get("failed"):
            failures.append((number, "failed", failed))
    if ended.status:  # the process has ended before the last input has
        slow = ended.status in (-signal.SIGXCPU, -signal.SIGALRM)
        failures.append((number, "slow" if slow else f"status {ended.status}", ended.err))
    return Tried(way, number - first + 1, tuple(failures))


def _tell(said: dict[str, object]) -> None:
    """Write a line, whatever standard output is by now."""
    os.write(1, f"{json.dumps(said)}\n".encode())


def _failure(way: str, seed: int, number: int) -> str:
    """Try one input in this process; return the traceback, or nothing."""
    with TemporaryDirectory() as name:
        folder = Path(name, "here")  # a folder may be read, and `..` is then this one's alone
        folder.mkdir()
        os.chdir(folder)
        os.environ["XDG_DATA_HOME"] = os.environ["XDG_CACHE_HOME"] = name
        try:
            WAYS[way](Random(f"{seed} {way} {number}"), folder, number % 10 == 9)
        except Exception:
            return traceback.format_exc()
        finally:
            os.chdir("/")
    return ""


def tries(seed: int, minutes: float) -> Iterator[Tried]:
    """Try inputs of all ways by turns until the time is up."""
    _warm()
    end = time.monotonic() + 60 * minutes
    at = dict.fromkeys(WAYS, 0)
    while time.monotonic() < end:
        for way in at:
            most = 25 if way == "pages" else 10_000  # a page's threads stay with the process
            found = batch(way, at[way], seed=seed, most=most)
            at[way] += found.inputs
            yield found


def _warm() -> None:
    """Run commands once in this process, so that all is imported before any is measured."""
    record = random_game("clue-classic", 3, turns=3, seed=0)
    with TemporaryDirectory() as name, chdir(name):
        Path("game.clue").write_text(format_record(record), "utf-8")
        for words in WARMING:
            _run([*words.split(), "game.clue"], "/quit\n")
