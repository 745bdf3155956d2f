"""The session as lines, driven through the command line and killed at any moment."""

from __future__ import annotations

import os
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from clue_solver.faces.cli import main
from clue_solver.faces.plain import HELP, Plain
from clue_solver.faces.setup import edition_line, offered_editions
from clue_solver.notation import TurnState, format_line, normalise, parse_line, read_line
from clue_solver.record import load_record, save
from clue_solver.record.files import Keeper
from clue_solver.rules.edition import load_edition
from clue_solver.rules.observations import Hand, Suggestion
from clue_solver.rules.table import Table
from clue_solver.session import Session
from tests.counting import counted
from tests.test_session import slips

GAMES = Path(__file__).parents[1] / "games"

START = """\
edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife, Green
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.clue"
    path.write_text(START, "utf-8")
    return path


def play(path: Path, *lines: str) -> Result:
    words = ["play", "--plain", str(path)]
    return CliRunner().invoke(main, words, input="".join(f"{line}\n" for line in lines))


def test_each_accepted_line_prints_what_it_settled_and_the_best_solutions(game: Path) -> None:
    result = play(game, "ann mus wr lou: cat mus", "/quit")
    assert 0 == result.exit_code
    assert "2  Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard" in result.stdout
    assert "Cat has Mustard" in result.stdout
    assert "bits left" in result.stdout
    assert "turn: Ben" in result.stdout
    assert 2 == len(load_record(game).entries)


def test_an_unreadable_line_is_answered_and_skipped(game: Path) -> None:
    result = play(game, "ann mus wrnch lou: cat", "ann mus wr lou: cat")
    assert 0 == result.exit_code
    assert "wrnch" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr
    assert 2 == len(load_record(game).entries)


def test_every_command_answers(game: Path) -> None:
    result = play(
        game, "ann mus wr lou: cat", "/help", "/log", "/best", "/sheet", "/sheet 1", "/undo",
        "/redo", "/why plum ann", "/why lead pipe envelope", "/check", "/suppose cat has wrench",
        "/as ben", "/show ben plum rope kit", "/edit 2 ann mus wr lou: ben", "/hands 6,6,6",
        "/delete 2", "/advise", "/quit", "ann mus wr lou: cat",
    )  # fmt: skip
    assert 0 == result.exit_code
    assert [] == [line for line in result.stdout.splitlines() if line.startswith("? ")]
    for told in (
        "/undo, /redo",
        "Ann has Plum.",
        "is consistent",
        "supposing that",
        "Plum: tells",
    ):
        assert told in result.stdout
    assert "What to ask" in result.stdout
    assert 1 == len(load_record(game).entries)


def test_on_a_pipe_a_late_answer_says_which_entry_to_edit(game: Path) -> None:
    result = play(game, "ann mus wr lou: ?", "cat mus")
    line = "edit 2 Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard"
    assert f"; to add it to entry 2: {line}\n" in result.stdout
    assert 2 == len(load_record(game).entries)
    assert "\n2  Ann suggests" in play(game, line).stdout
    assert "Cat shows Mustard" in game.read_text("utf-8")


def test_a_review_in_the_middle_of_a_game_says_what_to_type(game: Path) -> None:
    for word in ("review", "/review"):
        shown = " ".join(play(game, word).stdout.split())
        assert "? the game is not over: once you know the solution, give its cards" in shown
        assert "as in /review Scarlett, Candlestick, Kitchen" in shown


def test_bad_commands_are_answered(game: Path) -> None:
    result = play(
        game, "/bogus", "/edit x", "/edit 99 ann holds plum", "/why", "/why plum zoe", "/fix 3",
        "/undo", "/undo", "/redo", "/redo", "/sheet 99", "/hands 1,2", "/suppose plum", "/show x",
    )  # fmt: skip
    assert 0 == result.exit_code
    assert 12 <= result.stdout.count("? ")
    assert "Traceback" not in result.stdout + result.stderr


def test_a_contradiction_is_shown_and_fixed_in_place(game: Path) -> None:
    result = play(game, "ann mus wr lou: -", "ben mus wr lou: cat", "/fix 1", "/check")
    assert "cannot all be true" in result.stdout
    assert "Suggested corrections" in result.stdout
    assert result.stdout.rstrip().splitlines()[-1].startswith("The log is consistent")


def test_a_second_process_is_refused_with_status_2(game: Path) -> None:
    keeper = Keeper(game)
    try:
        result = play(game, "ann mus wr lou: cat")
    finally:
        keeper.close()
    assert 2 == result.exit_code
    assert "open in another window" in result.stderr
    assert 1 == len(load_record(game).entries)


def test_a_new_file_is_set_up_by_questions(tmp_path: Path) -> None:
    path = tmp_path / "new.clue"
    result = play(
        path, "clue-classic", "Ann, Ben, Cat", "Ann", "6, 6, 6", "plum rope hall study knife green",
        "ann mus wr lou: cat",
    )  # fmt: skip
    assert 0 == result.exit_code, result.stderr
    assert 2 == len(load_record(path).entries)


def test_a_whole_game_comes_through_one_pipe_the_questions_of_the_set_up_included(
    tmp_path: Path,
) -> None:
    lines = ("clue-classic", "Ann, Ben, Cat", "", "", "plum rope hall study knife green",
             "ann mus wre lou: cat mus", "ben sca can kit: no")  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "clue_solver", "play", "--plain", str(tmp_path / "new.clue")],
        input="\n".join((*lines, "")), text=True, capture_output=True, check=True,
    )  # fmt: skip
    assert "Mustard" in done.stdout
    entries = (tmp_path / "new.clue").read_text("utf-8").splitlines()[-2:]
    assert entries == ["Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard",
                       "Ben suggests Scarlett, Candlestick, Kitchen: nobody shows"]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_killed_at_any_moment_every_confirmed_entry_is_there(game: Path, seed: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "clue_solver", "play", "--plain", str(game)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    confirmed = 1
    chosen = random.Random(seed)
    process.stdin.write("ann mus wr lou: cat\nben mus wr kit: cat\ncat sc wr kit: ?\n" * 3)
    process.stdin.flush()
    stop = chosen.randint(2, 8)
    for line in process.stdout:
        number = line.split()[0] if line.split() else ""
        if number.isdigit() and "suggests" in line:
            confirmed = int(number)
        if confirmed >= stop:
            break
    time.sleep(chosen.random() * 0.02)
    process.kill()
    process.wait()
    kept = load_record(game)
    assert len(kept.entries) >= confirmed
    Keeper(game).close()  # the lock went with the process


def test_on_a_pipe_a_doubtful_line_is_taken_with_a_warning_that_the_next_may_answer(
    game: Path,
) -> None:
    result = play(game, "ann mus wr lou: cat", "sc can kit: -", "/log")
    assert "! Which card did Cat show you?\n  1 Mustard   2 Wrench   3 Lounge" in result.stdout
    assert "Ben suggests Scarlett, Candlestick, Kitchen" in result.stdout
    assert 3 == len(load_record(game).entries)
    result = play(game, "undo", "undo", "ann mus wr lou: cat", "wr", "ben sc can kit", "-", "/log")
    assert 3 == len(load_record(game).entries)
    assert result.stdout.endswith(
        "  2  Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Wrench\n"
        "  3  Ben suggests Scarlett, Candlestick, Kitchen: nobody shows\n"
    )


def test_on_a_pipe_a_line_out_of_turn_is_taken_back_where_it_was_not_so(game: Path) -> None:
    late = ("ann mus wr lou: cat mus", "cat accuses sc can kit: wrong")
    result = play(game, *late, "n")
    assert "! It is Ben's turn: did Ben skip?" in result.stdout
    assert "taken back: 3  Cat accuses" in result.stdout
    assert 2 == len(load_record(game).entries)
    play(game, late[1], "y")
    assert ["Ben", "Cat"] == [
        getattr(each, "by", "") for each in load_record(game).observations[2:]
    ]
    result = play(game, "cat sc can kit: ?")
    assert "! Cat is out since entry 4: is it right all the same?" in result.stdout


def test_what_the_own_hand_rules_out_is_refused(game: Path) -> None:
    result = play(game, "ben plum rope lou: cat pass, ann lou", "ben plum wr lou: -")
    assert "? you do not hold Lounge: expected Plum or Rope" in result.stdout
    assert "? you hold Plum: expected Ann shows Plum" in result.stdout
    assert 1 == len(load_record(game).entries)


def test_a_guessed_asker_is_said_to_be_one(game: Path) -> None:
    result = play(game, "ann mus wr lou: cat mus", "sc can kit: cat", "cat sc can kit: -")
    assert "Cat shows  (if it is Ben's turn)" in result.stdout
    assert 1 == result.stdout.count("if it is")


def test_a_clash_keeps_a_provisional_sheet(game: Path) -> None:
    result = play(game, "ann mus wr lou: cat mus", "ben mus wr kit: cat pass", "sheet")
    assert "! 3  Ben suggests" in result.stdout
    assert "provisional, as after fix 1" in result.stdout
    assert "PROVISIONAL, as if: " in result.stdout
    assert "Candlestick     ·" in result.stdout


def test_bare_words_are_commands_where_they_begin_no_line(game: Path) -> None:
    result = play(
        game, "ann mus wr lou: cat mus", "undo", "redo", "why mustard cat", "advise", "sheet 1",
        "why cat mustard", "log", "help", "check", "quit", "ann mus wr lou: cat",
    )  # fmt: skip
    for told in ("taken back: 2  Ann", "there again: 2  Ann", "Cat has Mustard", "What to ask",
                 "after 1 entry", "  1  Ann holds", "/undo, /redo", "is consistent"):  # fmt: skip
        assert told in result.stdout
    assert 2 == result.stdout.count("Cat has Mustard.\n")
    assert [] == [line for line in result.stdout.splitlines() if line.startswith("? ")]
    assert 2 == len(load_record(game).entries)


def test_what_to_do_is_said_after_an_entry_and_cannot_be_missed_when_certain(game: Path) -> None:
    facts = [f"ann knows envelope has {card}" for card in ("mustard", "wrench", "lounge")]
    result = play(game, facts[0], facts[1], facts[2], "ann accuses mus wr lou: right", "review")
    assert "do not accuse yet (" in result.stdout
    assert "*** Accuse now: Mustard, Wrench, Lounge (certain) ***" in result.stdout
    assert "the game is over: review goes through it" in result.stdout
    assert "Ann accuses" in result.stdout
    assert f"the game is in {game}" in result.stderr


def test_entries_that_another_program_appends_meanwhile_are_kept(game: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "clue_solver", "play", "--plain", str(game)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("ann mus wr lou: cat mus\n")
    assert process.stdout.readline().startswith("2  Ann")
    while "turn: Ben" not in process.stdout.readline():
        pass
    with game.open("a", encoding="utf-8") as file:
        file.write("Ben suggests Scarlett, Candlestick, Kitchen: Cat shows\n")
    told, _ = process.communicate("cat mus wr kit: ann pass, ben\n", timeout=60)
    assert "4  Cat suggests" in told
    assert "another program has changed the file; it has been read again" in told
    assert 4 == len(load_record(game).entries)


def test_lines_that_stand_ready_are_not_kept_waiting_by_advice(game: Path) -> None:
    lines = "ann mus wr lou: cat mus\nben sc can kit: cat\ncat whi rev bil: ann pass, ben\n"
    done = subprocess.run(
        [sys.executable, "-m", "clue_solver", "play", "--plain", str(game)],
        input=lines, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert 1 == done.stdout.count("do not accuse yet")
    assert "do not accuse yet" in done.stdout.splitlines()[-1]


def test_seats_are_renamed_and_reordered_by_a_command(game: Path) -> None:
    result = play(game, "ann mus wr lou: cat mus", "seats", "seats anna ben cat", "seats ben, anna",
                  "/seats Anna, Cat, Ben", "log")  # fmt: skip
    assert "   players, clockwise: Ann, Ben, Cat\n" in result.stdout
    assert "   players, clockwise: anna, Ben, Cat\n" in result.stdout
    assert "? players: expected 3 different names" in result.stdout
    assert "? entry 2: an answer out of order: Cat comes before Ben" in result.stdout
    assert "anna suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard" in result.stdout
    result = play(game, "delete 2", "seats cat, Anna, ben", "cat mus wr lou: anna pass, ben mus")
    assert ("Cat", "Anna", "Ben") == load_record(game).table.seats
    assert "Anna" == load_record(game).table.viewer


def test_advice_is_asked_for_from_a_room_with_a_roll(game: Path) -> None:
    result = play(game, "/advise --at study --roll 4", "advise --at dining room --roll 2", "/quit")
    assert ", Hall\n" in result.stdout
    assert "No room is in reach: head for " in result.stdout
    wrong = ("--to study", "study", "--at", "--at study --roll x", "--at study --roll 13")
    said = [play(game, f"/advise {each}", "/quit").stdout for each in wrong]
    for text, told in zip(
        said, ("--to", "study", "found nothing", "found 'x'", "found 13"), strict=True
    ):
        assert told in text.partition("? ")[2], text


@pytest.mark.parametrize(
    ("last", "told"),
    [
        ("cat accuses mus wr lou: right", "Cat has accused rightly: Mustard, Wrench, Lounge"),
        ("cat accuses mus wr kit: wrong", "only Ann is left"),
    ],
)
def test_a_finished_game_is_said_to_be_over_and_is_not_advised(
    game: Path, last: str, told: str
) -> None:
    result = play(game, "ben accuses mus wr hall: wrong", "advise", last, "advise", "/advise")
    before, _, after = result.stdout.partition(f"3  Cat {last[4:11]}")
    assert "What to ask" in before
    assert "What to ask" not in after
    assert f"   {told}; the game is over: review goes through it, quit leaves\n" in after
    assert 2 == after.count(f"The game is over: {told}; review goes through it\n")
    asked = CliRunner().invoke(main, ["advise", str(game)])
    assert asked.stdout.startswith(f"The game is over: {told}\n")
    asked = CliRunner().invoke(main, ["advise", str(game), "--upto", "2"])
    assert "The game is over" not in asked.stdout
    asked = CliRunner().invoke(main, ["advise", str(game), "--json"])
    assert asked.stdout.startswith("{")


def test_why_of_a_card_alone_is_asked_of_who_has_it_or_else_of_the_envelope(game: Path) -> None:
    said = play(game, "why plum", "why lead pipe", "why wrnch", "why p").stdout
    assert "Ann has Plum." in said
    assert "Lead Pipe may be in the envelope" in said
    assert "unknown card 'wrnch'; did you mean 'Wrench'?" in said
    assert "'p' can be P" in said


def test_a_command_with_a_slip_in_it_is_proposed(game: Path) -> None:
    result = play(game, "undoo", "advize", "whay plum ben", "shete", "dan is out")
    for command in ("undo", "advise", "why", "sheet"):
        assert f"did you mean the command '{command}'?" in result.stdout
    assert 4 == result.stdout.count("did you mean")


def test_an_entry_without_answers_stands_in_the_log_as_the_record_has_it(game: Path) -> None:
    result = play(
        game, "ann mus wr lou: ?", "ben sc can kit", "cat whi rev bil: ann pass, ?", "log"
    )
    assert result.stdout.endswith(
        "  1  Ann holds Plum, Rope, Hall, Study, Knife, Green\n"
        "  2  Ann suggests Mustard, Wrench, Lounge\n"
        "  3  Ben suggests Scarlett, Candlestick, Kitchen\n"
        "  4  Cat suggests White, Revolver, Billiard Room: Ann passes, ?\n"
    )
    kept = [line for line in game.read_text("utf-8").splitlines() if "suggests" in line]
    assert kept == [line[5:] for line in result.stdout.splitlines()[-3:]]


def test_an_entry_is_parsed_once(game: Path) -> None:
    session = Session(load_record(game))
    plain = Plain(session, Console(file=StringIO()))
    for line in ("ann mus wr lou: cat mus", "sc can kit: cat", "cat whi rev bil: ann pass, ben",
                 "ann gr ca ha: -", "edit 3 ben sc can kit: nobody"):  # fmt: skip
        with counted(read_line, normalise) as calls:
            plain.answer(line)
        expected = 2 if line.startswith("edit") else 1  # it might have been a line
        assert expected == calls[read_line.__qualname__]
    assert "Ben suggests Scarlett, Candlestick, Kitchen: nobody shows" == session.lines[2]
    assert 5 == len(session.lines)


def test_every_form_in_the_help_is_a_line() -> None:
    forms, _, commands = HELP.partition("Commands:\n")
    table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Cat"), viewer="Ann")
    diced = Table(edition=load_edition("clue-diced"), seats=("Leo", "Mia", "Ann"), viewer="Ann")
    state = TurnState(seat="Ann")
    read = 0
    for said in forms.splitlines()[1:]:
        form = re.split(r"  +", said.strip())[0]
        if said.startswith("   "):
            continue
        for line in form.split(", " if "ben" in form.split(", ")[-1][:3] else "\n"):
            notched = "leo" in line or "peeks" in line
            assert parse_line(line, diced if notched else table, None if notched else state)
            read += 1
    assert read > 15
    session = Session(load_record(Path("examples/classic.clue")))
    known = {"quit", *Plain(session, Console(file=StringIO())).commands}
    assert known == set(re.findall(r"(?<!\S)/(\w+)", commands))


def test_the_forms_of_a_line_stand_in_the_help_of_play() -> None:
    told = CliRunner().invoke(main, ["play", "--help"]).stdout
    for form in ("ben skips", "ben rolls 7", "moves to hall", "points at", "shows ?", "; and >",
                 "me and i", "no, nope"):  # fmt: skip
        assert form in told
        assert form.replace("ben rolls", "rolls") in HELP


class Terminal:
    """A pseudo-terminal with the program in it: what is typed, and what is read until it shows."""

    def __init__(self, ours: int) -> None:
        self.ours = ours

    def type(self, keys: str, *, until: str, seconds: float = 30) -> str:
        """Type keys; return what the terminal shows until something stands there."""
        seen = self.seen(keys, lambda shown: until in shown, seconds)
        assert until in seen, seen
        return seen

    def answered(self, line: str) -> str:
        """Type a line; return what the terminal shows up to the next prompt."""
        return self.seen(f"{line}\n", re.compile(r"\n(\d+>|\?) \Z").search, 30)

    def seen(self, keys: str, enough: Callable[[str], object], seconds: float) -> str:
        os.write(self.ours, keys.encode())
        read, seen, end = b"", "", time.monotonic() + seconds
        while not enough(seen) and time.monotonic() < end:
            if select.select([self.ours], [], [], 0.1)[0]:
                try:
                    read += os.read(self.ours, 65536)
                except OSError:
                    break
            seen = re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", read.decode(errors="replace"))
            seen = seen.replace("\r\n", "\n").replace("\r", "\n")  # a line may be drawn again
        return seen


@contextmanager
def terminal(*words: str, columns: int = 80, folder: Path) -> Iterator[Terminal]:
    """Run the program on a pseudo-terminal, its data in a folder of its own."""
    pty = pytest.importorskip("pty", reason="a pseudo-terminal")
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    surroundings = {**os.environ, "TERM": "xterm", "XDG_DATA_HOME": str(folder)}
    surroundings.pop("COLUMNS", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "clue_solver", *words],
        stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 (for Ctrl+C)
    )  # fmt: skip
    os.close(theirs)
    try:
        yield Terminal(ours)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def planted(path: Path, copy: Path) -> tuple[list[str], list[str]]:
    """
    Type a recorded game into a terminal, each slip that its viewer can make before the right line.

    Returns:
        The slips that were stopped before they were taken, and those that were taken.
    """
    whole = load_record(path)
    viewer, stopped, taken = whole.table.viewer, list[str](), list[str]()
    assert viewer is not None
    own = next(each.cards for each in whole.observations if isinstance(each, Hand))
    save(whole.upto(0), copy)
    with terminal("play", "--plain", str(copy), columns=250, folder=copy.parent) as typed:
        typed.type("", until="1> ")
        for number, told in enumerate(whole.observations, 1):
            made = slips(told, frozenset(own), viewer) if isinstance(told, Suggestion) else ()
            for slip in made:
                line = format_line(slip, whole.table)
                shown = typed.answered(line)
                if shown.endswith("\n? "):
                    typed.answered("n")
                kept = len(load_record(copy).entries) < number
                asked = "\n? " in shown and "turn: did" not in shown
                (stopped if kept and asked else taken).append(line)
            shown = typed.answered(format_line(told, whole.table))
            while number > len(load_record(copy).entries):  # the record itself leaves a card out
                stands = re.search(r"(\d) as it stands", shown)  # or the record leaves out turns
                shown = typed.answered(stands[1] if stands and "turn: did" in shown else "y")
            assert number == len(load_record(copy).entries)
    assert whole.observations == load_record(copy).observations
    return stopped, taken


class TestAtATerminal:
    def test_a_doubtful_line_is_not_taken_before_it_is_answered(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            shown = typed.type("ann mus wr lou: cat\n", until="shows ?")
            assert "Which card did Cat show you?" in shown
            assert 1 == len(load_record(game).entries)
            typed.type("plum\n", until="not yet taken")
            shown = typed.type("mus\n", until="3> ")
            assert "Cat shows Mustard" in shown
            assert "do not accuse yet" in shown
            assert 2 == len(load_record(game).entries)
            shown = typed.type("cat mus wr lou: ben\n", until="? ")
            assert "contradicts" in shown
            typed.type("ben sc can kit: cat\n", until="4> ")
            assert 3 == len(load_record(game).entries)
            typed.type("ann sc can kit: cat sc\n", until="1 Cat skips")
            shown = typed.type("quit\n", until="game.clue")
            assert "! not taken: ann sc can kit: cat sc" in shown
            assert f"the game is in {game}" in shown.replace("\n", "")

    def test_a_question_still_stands_after_a_command_that_only_asks(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.answered("ann mus wr lou: cat")
            for command, told in (("log", "  1  Ann holds"), ("/sheet", "Suspects"),
                                  ("why plum zoe", "? unknown holder 'zoe'")):  # fmt: skip
                shown = typed.answered(command)
                assert told in shown
                assert "not taken" not in shown
                assert "? Which card did Cat show you?" in shown
            assert "Cat shows Lounge" in typed.answered("lou")
            assert 2 == len(load_record(game).entries)

    def test_an_answer_or_what_was_forgotten_is_asked_for_and_read_as_in_a_line(
        self, game: Path
    ) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            assert "Which room?" in typed.answered("ann mus wr: cat?")
            assert "not yet taken" in typed.answered("")
            assert "Lounge: Ben passes, Cat shows\n" in typed.answered("lou")
            assert "What was the answer?" in typed.answered("ben sc rope kit")
            assert "What did the others answer?" in typed.answered("cat no")
            shown = typed.answered("1 rope")
            assert "Ben suggests Scarlett, Rope, Kitchen: Cat passes, Ann shows Rope" in shown
            assert "Wrong or right?" in typed.answered("cat accuses sc le kit").replace("\n", "")
            assert "Cat accuses Scarlett, Lead Pipe, Kitchen: wrong" in typed.answered("1")
            told = load_record(game).observations
            assert ["Ann", "Ann", "Ben", "Cat"] == [getattr(each, "by", "Ann") for each in told]

    def test_an_answer_that_comes_late_is_added_to_the_entry_that_lacks_it(
        self, game: Path
    ) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.answered("ann mus wr lou: ?")
            shown = " ".join(typed.answered("cat shows # at last").split())
            assert "? Add it to entry 2, Ann suggests Mustard, Wrench, Lounge? 1 yes" in shown
            assert "Which card did Cat show you?" in typed.answered("y")
            assert "Ben passes, Cat shows Mustard" in typed.answered("mus")
            assert ["", "at last"] == [each.comment for each in load_record(game).entries]
            assert "expected the suggestion before" in typed.answered("cat shows")

    def test_an_entry_stays_whose_answer_is_not_taken(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            assert "What was the answer?" in typed.answered("ben sc rope kit")
            assert "You hold Rope" in typed.answered("cat rope")
            typed.answered("n")
            whole = "Ben suggests Scarlett, Rope, Kitchen"
            assert (whole,) == Session(load_record(game)).lines[1:]
            assert "Add it to entry 2" in typed.answered("cat shows")
            typed.answered("y")
            assert (f"{whole}: Cat shows",) == Session(load_record(game)).lines[1:]

    def test_a_name_of_several_words_among_others_is_asked_about(self, game: Path) -> None:
        fresh = game.with_name("fresh.clue")
        with terminal("new", str(fresh), folder=game.parent) as typed:
            typed.type("", until="[clue-classic]: ")
            typed.type("\n", until="Players")
            typed.type("Anna, Ben Cat Dan\n", until="one player? [y/N]: ")
            typed.type("n\n", until="put commas between all players")
            typed.type("plum, rope, hall\n", until="called rope, as the card is? [y/N]: ")
            typed.type("n\n", until="the hand comes later")
            typed.type("Anna, Ben, Cat, Dan\n", until="Whose notes")
            typed.type("\n", until="Cards in each hand")
            typed.type("1 deals\n", until="such as Anna;")

    def test_what_contradicts_the_log_is_taken_at_a_word_or_not_at_all(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.type("ann mus wr lou: cat mus\n", until="3> ")
            typed.type("ben mus wr lou: cat pass, ann pass\n", until="? ")
            assert "not taken" in typed.type("n\n", until="3> ")
            typed.type("ben mus wr lou: cat pass, ann pass\n", until="? ")
            shown = typed.type("y\n", until="4> ")
            assert "! 3  Ben suggests" in shown
            assert "provisional, as after fix 1" in shown
            assert 3 == len(load_record(game).entries)

    def test_who_skipped_is_asked_before_a_line_out_of_turn_is_taken(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.answered("ann mus wr lou: cat mus")
            line = "cat sc can kit: ben # late"
            shown = typed.answered(line)
            assert "? It is Ben's turn: did Ben skip?\n  1 Ben skips   2 as it stands, " in shown
            assert 2 == len(load_record(game).entries)
            assert "not taken  (Up brings the line back)\n3> " in typed.answered("n")
            assert 2 == len(load_record(game).entries)
            typed.type("\x1b[A", until=line)
            assert "did Ben skip?" in typed.answered("")
            assert "not taken  (Up brings the line back)\n3> " in typed.answered("undo")
            assert 2 == len(load_record(game).entries)  # the question, and not the line before
            typed.answered(line)
            shown = typed.answered("y")
            assert "\n3  Ben skips\n" in shown
            assert "\n4  Cat suggests Scarlett" in shown
            assert "late" == load_record(game).entries[3].comment
            shown = typed.answered("ben sc can kit: cat")
            ways = " ".join(shown.split())
            assert (
                "1 Ann skips 2 it was Ann 3 in place of entry 3, Ben skips 4 as it stands" in ways
            )
            shown = typed.answered("ann")
            assert "'ann' can be Ann skips or it was Ann" in " ".join(shown.split())
            typed.answered("n")
            for stands in ("as it", "log"):
                typed.answered(line)
                assert "not yet taken" in typed.answered("")
                shown = typed.answered(stands)
                if stands == "log":  # a command that only asks leaves the question
                    assert "did Ann and Ben skip?" in shown
                    assert "! not taken: cat sc can" in typed.answered("ann sc wr lou: ?")
                else:
                    assert "Cat suggests Scarlett" in shown
            told = load_record(game).observations[4:]
            assert ["Cat", "Ann"] == [getattr(each, "by", "") for each in told]

    def test_undo_says_what_it_takes_back_and_up_brings_the_line(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.type("ann mus wr lou: cat mus # at last\n", until="3> ")
            shown = typed.type("undo\n", until="2> ")
            assert "taken back: 2  Ann suggests" in shown
            assert "(Up brings the line back)" in " ".join(shown.split())
            assert shown.endswith("\n2> ")  # nothing is typed that the player did not type
            typed.type("\x1b[A", until="Cat shows Mustard # at last")
            typed.type("\n", until="3> ")
            assert "at last" == load_record(game).entries[1].comment
            typed.type("\x1b[A\x1b[A", until="undo")
            typed.type("\n", until="2> ")
            typed.type("ann mus wr lou: cat mus # now\n", until="3> ")
            assert "now" == load_record(game).entries[1].comment

    def test_an_entry_to_be_edited_is_shown_and_up_brings_it(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.answered("ann mus wr lou: cat mus")
            assert "   2  Ann suggests Mustard" in typed.answered("edit 2")
            typed.type("\x1b[A", until="edit 2 Ann suggests Mustard, Wrench, Lounge: ")
            shown = typed.answered("\x15edit 2 ann mus wr lou: ben mus")
            assert "\n2  Ann suggests Mustard, Wrench, Lounge: Ben shows Mustard\n" in shown
            assert "again: 2  Ann suggests" in typed.answered("undo")
            typed.type("\x1b[A", until="edit 2 Ann suggests")
            assert "Ben shows Mustard" in typed.answered("")
            assert 2 == len(load_record(game).entries)

    def test_an_edit_that_breaks_the_order_of_turns_is_asked_about(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.answered("ann mus wr lou: cat mus")
            typed.answered("ben pea can lib: cat")
            shown = typed.answered("edit 3 cat sc can kit : ?")
            assert "? It is Ben's turn here, not Cat's: was it Ben?" in shown
            assert "\n  1 it was Ben   2 as it stands\n" in shown
            assert "\n3  Ben suggests Scarlett, Candlestick, Kitchen\n" in typed.answered("y")
            assert 3 == len(load_record(game).entries)

    def test_a_forgotten_entry_is_put_in_where_it_belongs(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.answered("ann mus wr lou: cat mus")
            typed.answered("cat sc can kit : ?")
            typed.answered("as")
            shown = typed.answered("ben pea rope lib: cat")
            assert "3 earlier, before entry 3   4 as it" in shown
            typed.answered("3")
            typed.answered("insert 1 ben has scarlett or white")
            assert "! not taken" not in typed.answered("log")
        lines = game.read_text("utf-8").strip().split("\n")[-5:]
        assert "Ann knows Ben has Scarlett or White" == lines[0]
        assert lines[1].startswith("Ann holds")
        assert "Ben suggests Peacock, Rope, Library: Cat shows" == lines[3]
        assert "Cat suggests Scarlett, Candlestick, Kitchen" == lines[4]

    def test_lines_typed_over_a_question_are_not_taken_for_the_next_in_turn(
        self, game: Path
    ) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.answered("ann mus wr lou: cat mus")
            assert "is it right all the same?" in typed.answered("ben mus wr lou: -")
            shown = typed.answered("skip")
            assert "! not taken: ben mus wr lou: -" in shown
            assert "The line before was not taken: is it Ben's turn all the same?" in shown
            assert 2 == len(load_record(game).entries)
            assert "\n3  Ben skips" in typed.answered("y")
            assert "\n4  Cat skips" in typed.answered("skip")

    def test_a_long_line_is_clipped_around_what_is_wrong_with_it(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), columns=60, folder=game.parent) as typed:
            typed.type("", until="2> ")
            line = "ann suggests mustard, wrench, longue : ben passes, cat shows mustard"
            _, clipped, caret, *_ = typed.answered(line).rsplit("\n", 4)
            assert "longue" == clipped[caret.index("^") :][:6]
            assert len(clipped) <= 60

    @pytest.mark.parametrize("name", ["streamed", "everyone_shows"])
    def test_no_planted_slip_about_what_the_viewer_has_seen_is_taken(
        self, tmp_path: Path, name: str
    ) -> None:
        stopped, taken = planted(GAMES / f"{name}.clue", tmp_path / "game.clue")
        assert [] == taken
        assert 50 == len(stopped)

    def test_tab_completes_lines_commands_and_answers(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.type("ann must wren lounge: cat shows mu\t\n", until="3> ")
            assert "Cat shows Mustard" in game.read_text("utf-8")
            typed.type("/adv\t\n", until="What to ask")

    def test_all_lines_of_a_paste_are_taken_or_said_not_to_be(self, game: Path) -> None:
        pasted = "ann mus wr lou: cat mus\nben sc can kit: cat\ncat whi rev bil: ann pass, ben"
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.type("/adv\t", until="/advise")
            typed.type(f"\x15\x1b[200~{pasted}\x1b[201~\n", until="5> ")
            shown = typed.type(
                "\x1b[200~ann mus can kit: ben\nann sc can kit: cat sc\n\x1b[201~\n", until="6> "
            )
            assert "! not taken: ann mus can kit: ben" in shown
            assert 5 == len(load_record(game).entries)

    def test_ctrl_c_says_how_to_leave(self, game: Path) -> None:
        with terminal("play", "--plain", str(game), folder=game.parent) as typed:
            typed.type("", until="2> ")
            typed.type("ann mus\t", until="Mustard, ")
            shown = ""
            for _ in range(10):  # an interrupt between two keys is noticed with the next one
                shown += typed.seen("\x03", lambda seen: "quit leaves" in seen, 3)
                if "quit leaves" in shown:
                    break
            assert "quit leaves" in shown
            typed.type("ann mus wr lou: cat mus\n", until="3> ")

    @pytest.mark.parametrize("columns", [60, 80])
    def test_no_message_loses_its_end(self, game: Path, columns: int) -> None:
        with terminal("play", "--plain", str(game), columns=columns, folder=game.parent) as typed:
            assert "do not accuse yet" in typed.type("", until="2> ")
            shown = typed.type("ben mus plum lou: cat\n", until="2> ")
            told = (
                "? two of one category (suspect): expected one suspect, one weapon and one room; "
            )
            told += "found Mustard and Plum, no weapon"
            assert told in " ".join(shown.split())
            assert [] == [line for line in shown.split("\n") if len(line) > columns]
            assert all(len(line) <= 60 for line in HELP.split("\n"))
            assert HELP in typed.type("help\n", until="answers nothing.")

    @pytest.mark.parametrize("columns", [60, 80])
    def test_the_set_up_breaks_lines_between_words(self, tmp_path: Path, columns: int) -> None:
        with terminal("play", "--plain", columns=columns, folder=tmp_path) as typed:
            shown = typed.type("", until="[clue-classic]: ")
            assert [] == [line for line in shown.split("\n") if len(line) > columns]
            words = " ".join(shown.split())
            for edition in offered_editions():
                assert edition_line(edition) in words
            shown = typed.type("\n", until="spaces): ")
            shown = typed.type("Ann Ben Cat Dan\n", until="spectator's): ")
            shown = typed.type("\n", until="?]: ")
            assert "who was dealt the first card is enough" in " ".join(shown.split())
            assert [] == [line for line in shown.split("\n") if len(line) > columns]
            typed.type("\n", until="add it later): ")
            assert "help lists the commands" in typed.type("\n", until="1> ")
