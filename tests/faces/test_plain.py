"""The session as lines: what is said to a line, what is asked at a terminal and on a pipe."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from clue_solver import Game
from clue_solver.answers.advice import Advice
from clue_solver.conversation.commands import WORDS
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError
from clue_solver.faces import leaving
from clue_solver.faces.cli import main
from clue_solver.faces.line_input import LineInput
from clue_solver.faces.plain import Plain
from clue_solver.record.files import RecordFile, load_record, parse_record
from tests.conversation.test_session import SHOWN, START, begun
from tests.rows import blocks

TRANSCRIPTS = blocks(Path(__file__).with_name("plain.txt"))
"""
What is said to lines that are typed at a terminal, or that come through a pipe; `...` stands for
what views draw, and what is likeliest is left out.
"""
DRAWN = re.compile(
    r"^( +\w+  \w+  \w+  envelope|Th.* proves? it|The log contra.*|What changed it|Suggest .*)\n"
    r"(.*\n)*?(?='fix 1' applies|[\d?]*>)",
    re.MULTILINE,
)
LEFT = re.compile("likeliest: |solutions are possible")
TYPED = re.compile(r"(?:(?:edit |insert )?\d*|\?)>(?: (.*))?")


class Pipe(StringIO):
    """Lines that come through a pipe, written beside what is said to them."""

    def __init__(self, lines: Iterable[str], said: StringIO) -> None:
        super().__init__("".join(f"{line}\n" for line in lines))
        self.said = said

    def __next__(self) -> str:  # type: ignore[override]  # as of any stream of text
        line = super().__next__()
        self.said.write(f"> {line}")
        return line


class Terminal(Pipe):
    """Lines that somebody types where they can be asked."""

    def isatty(self) -> bool:
        return True

    def typed(self, prompt: str) -> str:
        line = self.readline()
        if not line:
            raise EOFError
        self.said.write(f"{prompt.replace('? ', '?> ')}{line}")
        return line.rstrip("\n")


def transcript(
    session: Session, lines: Iterable[str], monkeypatch: pytest.MonkeyPatch, *, pipe: bool = False
) -> str:
    """Return the lines of a session and what is said to them."""
    said = StringIO()
    stream = Pipe(lines, said) if pipe else Terminal(lines, said)
    if isinstance(stream, Terminal):
        monkeypatch.setattr("sys.stdin", stream)
        monkeypatch.setattr("builtins.input", stream.typed)
    plain = Plain(session, Console(file=said, width=100), LineInput(stream))
    plain.run()
    plain.close(lambda text: said.write(f"{text}\n"))
    return said.getvalue()


@pytest.fixture
def undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to do now is not what a test is about, and takes longest."""

    advice = Game.advice

    def asked_for(game: Game, **how: Any) -> Advice:
        if how.get("quick"):
            raise ArgumentError("nothing is decided")
        return advice(game, **how)

    monkeypatch.setattr(Game, "advice", asked_for)


@pytest.mark.usefixtures("undecided")
@pytest.mark.parametrize("text", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_what_is_said_to_lines(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, hand = "@ pipe\n" in text, "@ no hand\n" not in text
    expected = re.sub(r"^@ .*\n", "", text).rstrip()
    typed = [found[1] or "" for found in map(TYPED.fullmatch, expected.splitlines()) if found]
    session = begun() if hand else Session(parse_record(START.partition("Ann holds")[0]))
    said = DRAWN.sub("...\n", transcript(session, typed, monkeypatch, pipe=pipe))
    shown = [line.rstrip() for line in said.splitlines() if not LEFT.search(line)]
    assert "\n".join(shown) == expected


def test_what_was_settled_is_left_and_is_to_be_done_is_said_after_an_entry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = begun()
    said = transcript(session, [SHOWN, "", "ben skips"], monkeypatch, pipe=True).splitlines()
    best = "; ".join(f"8% {name}, Wrench, Lounge" for name in ("Scarlett", "White", "Peacock"))
    assert said[1:7] == [
        "2  Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard",
        "   Cat has Mustard",
        "   Ben lacks Wrench, Lounge",
        f"   likeliest: {best}",
        "   turn: Ben",
        f"   {Game(session.record.upto(2)).advice(quick=True).text}",
    ]
    facts = [f"ann knows envelope has {card}" for card in ("mustard", "wrench", "lounge")]
    said = transcript(begun(), facts, monkeypatch, pipe=True).splitlines()
    assert said[-1] == "*** Accuse now: Mustard, Wrench, Lounge. That is certain. ***"
    said = transcript(begun(None, SHOWN), [], monkeypatch).splitlines()
    assert [line.partition(":")[0] for line in said][1:2] == ["   turn"]
    assert "uggest " in said[-1]
    session = Session(parse_record(START.partition("Ann holds")[0]))
    said = transcript(session, ["ben skips"], monkeypatch, pipe=True).splitlines()
    assert any(line.startswith("   Your hand is not in the log yet. ") for line in said)


@pytest.mark.usefixtures("undecided")
def test_a_line_that_waits_as_one_leaves_is_there_on_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "ann mus can kit: ben"
    said = transcript(begun(tmp_path), [line], monkeypatch)
    assert f"not accepted yet, but kept with the game: {line}\n" in said
    again = Session(load_record(tmp_path / "game.clue"), keeper=RecordFile(tmp_path / "game.clue"))
    said = transcript(again, [], monkeypatch)
    assert f"not accepted yet: {line}" in said
    assert "not accepted" not in transcript(again, [], monkeypatch)


@pytest.mark.usefixtures("undecided")
def test_what_another_program_wrote_and_what_is_not_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, path = begun(tmp_path), tmp_path / "game.clue"
    for line in ("log", SHOWN, "cat skips"):
        path.write_text(f"{START}# {line}\n", "utf-8")
        said = transcript(session, [line], monkeypatch, pipe=True)
        assert "! another program has changed the file: it has been read again" in said
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(leaving, "games_folder", lambda: tmp_path)
    lost = Session(parse_record(START), keeper=RecordFile(tmp_path / "file" / "game.clue"))
    said = transcript(lost, [SHOWN], monkeypatch, pipe=True)
    assert re.search(r"(?m)^! not saved: .*; the game continues in memory$", said)


@pytest.mark.parametrize("columns", [60, 80])
def test_no_message_loses_its_end(columns: int) -> None:
    out = StringIO()
    console = Console(file=out, width=columns, force_terminal=True, color_system=None)
    plain = Plain(begun(), console, LineInput(StringIO()))
    plain.handle("ben mus plum lou: cat")
    plain.handle("ann suggests mustard, wrench, lxngxe : ben passes, cat shows mustard")
    plain.handle("help")
    said = out.getvalue()
    told = "? two of one category (suspect): expected one suspect, one weapon and one room; found "
    assert told + "Mustard and Plum, no weapon" in " ".join(said.split())
    assert max(map(len, said.splitlines())) <= columns
    assert "question is answered. Enter alone is not an answer." in said
    clipped, caret = next(
        (line, said.splitlines()[at + 1])
        for at, line in enumerate(said.splitlines())
        if "lxngxe" in line
    )
    assert clipped[caret.index("^") :].startswith("lxngxe")


def test_every_command_is_in_the_help_and_every_form_in_that_of_the_command() -> None:
    plain = Plain(begun(), Console(file=(said := StringIO())), LineInput(StringIO()))
    plain.handle("help")
    assert set(re.findall(r"(?m)^/(\w+)", said.getvalue())) == {"quit", *WORDS}
    told = CliRunner().invoke(main, ["play", "--help"]).stdout
    for form in (
        "ben skips",
        "ben rolls 7",
        "moves to hall",
        "points at",
        "shows ?",
        "; and >",
        "me and i",
        "no, nope",
    ):
        assert form in told


def play(path: Path, *lines: str) -> Result:
    words = ["play", "--plain", str(path)]
    return CliRunner().invoke(main, words, input="".join(f"{line}\n" for line in lines))


@pytest.mark.usefixtures("undecided")
def test_a_game_is_played_in_its_file_which_one_window_has_open(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    setup = ("clue-classic", "Ann, Ben, Cat", "Ann", "6, 6, 6", "plum rope hall study knife green")
    result = play(path, *setup, SHOWN, "/quit", "ben skips")
    assert (result.exit_code, len(load_record(path).entries)) == (0, 2)
    assert result.stderr.endswith(f"help lists the commands\nthe game is in {path}\n")
    with path.open("a", encoding="utf-8") as file:
        file.write("Ben skips\n")
    assert "> 4  Cat skips" in "> " + play(path, "skip").stdout.partition("turn: Cat\n")[2]
    keeper = RecordFile(path)
    result = play(path, "ann skips")
    keeper.close()
    assert (result.exit_code, len(load_record(path).entries)) == (2, 4)
    assert "open in another window" in result.stderr
