"""The command line as a person or a script meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from clue_solver import __version__, load_edition, parse_record
from clue_solver.faces.cli import main
from clue_solver.rules.edition import parse_edition, shipped_editions

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CLASSIC = str(EXAMPLES / "classic.clue")

SMALL = """\
edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife, Green
Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard
"""

CLASHING = SMALL + "Ben suggests Mustard, Wrench, Lounge: Cat passes, Ann passes\n"


def run(*words: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, words, input=stdin, prog_name="clue-solver")


def small(folder: Path, text: str = SMALL) -> str:
    path = folder / "game.clue"
    path.write_text(text, "utf-8")
    return str(path)


def answer(*words: str, stdin: str | None = None) -> dict[str, Any]:
    result = run("report", "--json", *words, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


def test_the_sheet_shows_every_card_and_fits_80_columns_with_six_players() -> None:
    players = "players: Professor, Benedict, Catherine, Danielle, Evangelina, Florence"
    text = f"edition: clue-classic\n{players}\n\nProfessor suggests plum, rope, hall: -\n"
    result = run("report", "-", stdin=text)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(cell_len(line) for line in lines) <= 80
    for name in load_edition("clue-classic").names:
        assert any(line.startswith(name) for line in lines)
    assert any("envelope" in line for line in lines)


def test_sure_marks_and_percentages_differ_without_colour(tmp_path: Path) -> None:
    result = run("report", small(tmp_path))
    mustard = next(line for line in result.stdout.splitlines() if line.startswith("Mustard"))
    assert ["Mustard", "·", "·", "✓", "·"] == mustard.split()
    white = next(line for line in result.stdout.splitlines() if line.startswith("White"))
    assert "\x1b" not in result.stdout
    assert "White" == white.split()[0]
    assert 100 == pytest.approx(sum(int(word) for word in white.split()[2:]), abs=2)


def test_the_sheet_tells_what_the_last_entry_settled_and_what_is_left(tmp_path: Path) -> None:
    result = run("report", small(tmp_path))
    assert "Settled by the last entry" in result.stdout
    assert "Cat has Mustard" in result.stdout
    assert "bits left" in result.stdout
    assert "Likeliest solutions" in result.stdout


def test_json_is_the_contract(tmp_path: Path) -> None:
    found = answer(small(tmp_path))
    assert {
        "schema": 1, "edition": "clue-classic", "viewer": "Ann", "shows": "random", "entries": 2,
        "consistent": True, "holders": ["Ann", "Ben", "Cat", "envelope"],
    }.items() <= found.items()  # fmt: skip
    assert isinstance(found["deals"], int)
    assert list(load_edition("clue-classic").names) == [row["card"] for row in found["cards"]]
    mustard = next(row for row in found["cards"] if row["card"] == "Mustard")
    assert {
        "card": "Mustard",
        "category": "suspect",
        "probability": {"Ann": 0.0, "Ben": 0.0, "Cat": 1.0, "envelope": 0.0},
        "verdict": {"Ann": "lacks", "Ben": "lacks", "Cat": "holds", "envelope": "lacks"},
    } == mustard
    chances = [solution["probability"] for solution in found["solutions"]]
    assert sorted(chances, reverse=True) == chances
    assert 1 == pytest.approx(sum(chances))
    assert [3] == sorted({len(solution["cards"]) for solution in found["solutions"]})


def test_standard_input_and_file_give_the_same_answer(tmp_path: Path) -> None:
    assert answer(small(tmp_path)) == answer("-", stdin=SMALL)


def test_viewer_upto_and_shows_choose_what_counts(tmp_path: Path) -> None:
    path = small(tmp_path)
    assert "spectator" == answer(path, "--viewer", "spectator")["viewer"]
    assert "Ben" == answer(path, "--viewer", "be")["viewer"]
    assert 0 == answer(path, "--upto", "0")["entries"]
    assert "none" == answer(path, "--shows", "none")["shows"]


def test_ten_players_of_a_large_deck_as_a_spectator_are_counted_exactly() -> None:
    players = ", ".join(f"P{number}" for number in range(10))
    found = answer("-", stdin=f"edition: master-detective\nplayers: {players}\n")
    # 27 cards: seven hands of three and three of two, any of the ten seats having the short ones
    factorial = 10888869450418352160768000000
    expected = 10 * 8 * 12 * 120 * factorial // (6**7 * 2**3)
    assert expected == found["deals"]


def test_a_contradiction_is_an_answer_with_status_3(tmp_path: Path) -> None:
    path = small(tmp_path, CLASHING)
    result = run("report", path, "--json")
    found = json.loads(result.stdout)
    assert 3 == result.exit_code
    assert (False, 0, [2, 3]) == (found["consistent"], found["deals"], found["conflict"])
    assert ([], []) == (found["cards"], found["solutions"])
    text = run("report", path)
    assert 3 == text.exit_code
    assert "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard" in text.stdout
    assert "entries 2 and 3 cannot all be true" in text.stderr


BAD = {
    "no such file": ("report", "nowhere.clue"),
    "a folder": ("report", "."),
    "a viewer who is no seat": ("report", CLASSIC, "--viewer", "Zoe"),
    "an entry past the end": ("report", CLASSIC, "--upto", "999"),
    "an entry that is no number": ("report", CLASSIC, "--upto", "x"),
    "a policy that is none": ("report", CLASSIC, "--shows", "sometimes"),
    "an edition that is none": ("editions", "clue-clasic"),
    "no command": ("reprot",),
}


@pytest.mark.parametrize("words", BAD.values(), ids=BAD.keys())
def test_what_cannot_be_used_is_one_message_and_status_2(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert 2 == result.exit_code
    assert "rror: " in result.stderr
    assert "Traceback" not in result.stderr
    assert "" == result.stdout


UNREADABLE: dict[str, bytes] = {
    "empty": b"",
    "not text": bytes(range(256)) * 10,
    "null bytes": SMALL.encode() + b"\0",
    "ten megabytes of noise": os.urandom(10_000_000),
    "ten megabytes of letters": b"noise " * 1_700_000,
    "missing edition": b"players: Ann, Ben, Cat\n",
    "unknown edition": b"edition: clue-clasic\nplayers: Ann, Ben, Cat\n",
    "edition file that is not there": b"edition: mine.toml\nplayers: Ann, Ben, Cat\n",
    "unknown card": SMALL.encode() + b"Ann suggests plmu, rope, hall\n",
    "hand sizes that do not add up": b"edition: clue-classic\nplayers: A, B\nhands: 3, 3\n",
    "json that is none": b'{"event": "game"',
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_an_unreadable_record_is_one_message_and_status_2(content: bytes) -> None:
    result = run("report", "-", stdin=content)
    assert 2 == result.exit_code
    assert result.stderr.startswith("error: ")
    assert len(result.stderr) < 2_000
    assert "Traceback" not in result.stderr
    assert result.stderr.replace("\n", "").isprintable()


def test_an_edition_with_a_mistake_names_the_key_and_what_was_found(tmp_path: Path) -> None:
    text = run("editions", "--template").stdout.replace("players = [2, 6]", 'players = [2, "six"]')
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    record = small(tmp_path, "edition: mine.toml\nplayers: Ann, Ben, Cat\n")
    result = run("report", record)
    assert 2 == result.exit_code
    assert "players" in result.stderr
    assert "six" in result.stderr


@pytest.mark.parametrize("name", ["[bold]x", "[31mred", "[/]", ":smile", "[link=x]y"])
def test_a_players_name_is_shown_as_typed_and_never_obeyed(name: str) -> None:
    name = name.replace(":", "")
    result = run("report", "-", stdin=f"edition: clue-classic\nplayers: {name}, Ben, Cat\n")
    assert 0 == result.exit_code
    assert name[:9] in result.stdout
    assert "\x1b" not in result.stdout


def test_a_players_name_with_control_characters_is_refused() -> None:
    result = run("report", "-", stdin="edition: clue-classic\nplayers: \x1b[31mred, Ben, Cat\n")
    assert (2, "") == (result.exit_code, result.stdout)
    assert r"found '\x1b[31mred'" in result.stderr
    assert "\x1b" not in result.stderr


def test_a_deck_beyond_memory_is_refused_clearly(tmp_path: Path) -> None:
    kinds = "".join(
        f'[[category]]\nname = "k{k}"\ncards = ['
        + ", ".join(f'{{ name = "c{k} {n}" }}' for n in range(size))
        + "]\n"
        for k, size in enumerate((6, 7, 7, 7, 7, 6))
    )
    (tmp_path / "huge.toml").write_text(f'title = "x"\nplayers = [2, 10]\n{kinds}', "utf-8")
    seats = [f"P{number}" for number in range(10)]
    lines = [
        f"{seats[n]} suggests {', '.join(f'c{k} {(n * (k + 1)) % 6}' for k in range(6))}: "
        f"{seats[(n + 1) % 10]} shows\n"
        for n in range(10)
    ]
    header = f"edition: huge.toml\nplayers: {', '.join(seats)}\n"
    result = run("report", small(tmp_path, header + "".join(lines)))
    assert 2 == result.exit_code
    assert "1 GB of memory" in result.stderr


def test_the_version_is_told() -> None:
    assert f"clue-solver {__version__}\n" == run("--version").stdout


def test_every_edition_is_listed_and_shown() -> None:
    listing = run("editions").stdout
    for name in shipped_editions():
        assert name in listing
        shown = run("editions", name)
        assert 0 == shown.exit_code
        for card in load_edition(name).names:
            assert card in shown.stdout


def test_the_template_is_an_edition_as_it_stands() -> None:
    text = run("editions", "--template").stdout
    edition = parse_edition(text, name="mine.toml")
    assert load_edition("clue-custom").names == edition.names
    assert "#" in text


def test_convert_goes_both_ways_without_loss(tmp_path: Path) -> None:
    original = Path(CLASSIC).read_text("utf-8")
    there, back = tmp_path / "game.jsonl", tmp_path / "game.clue"
    assert 0 == run("convert", CLASSIC, "-o", str(there)).exit_code
    assert 0 == run("convert", str(there), "-o", str(back)).exit_code
    assert original == back.read_text("utf-8")
    events = [json.loads(line)["event"] for line in there.read_text("utf-8").splitlines()]
    assert "game" == events[0]
    assert original == run("convert", str(there)).stdout
    assert there.read_text("utf-8") == run("convert", CLASSIC).stdout


def test_convert_writes_nothing_when_it_cannot_read(tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    assert 2 == run("convert", "-", "-o", str(output), stdin="nonsense\n").exit_code
    assert [] == list(tmp_path.iterdir())


def test_new_asks_and_writes_a_header(tmp_path: Path) -> None:
    path = tmp_path / "evening.clue"
    answers = "classic\nclue-classic\nAnn, Ben, Cat, Dan\nann\n5,5,4,3\n5, 5, 4, 4\nplum rope hall"
    answers += " study\nplum rope hall study knife\n"
    result = run("new", str(path), stdin=answers)
    assert 0 == result.exit_code, result.stderr
    record = parse_record(path.read_text("utf-8"))
    assert (5, 5, 4, 4) == record.table.hands
    assert "Ann" == record.table.viewer
    assert 1 == len(record.observations)
    assert "do not add up" in result.stderr
    assert 0 == run("report", str(path)).exit_code


def test_new_never_overwrites(tmp_path: Path) -> None:
    path = small(tmp_path)
    assert 2 == run("new", path, stdin="clue-classic\n").exit_code
    assert SMALL == Path(path).read_text("utf-8")


def test_new_that_is_broken_off_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "evening.clue"
    assert 0 != run("new", str(path), stdin="clue-classic\n").exit_code
    assert not path.exists()


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "clue_solver", "--version"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f"clue-solver {__version__}\n" == done.stdout


def test_marks_survive_a_terminal_without_unicode(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "clue_solver", "report", small(tmp_path)],
        capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    mustard = next(line for line in done.stdout.splitlines() if line.startswith(b"Mustard"))
    marks = [word for word in mustard.split() if word != b"|"]
    assert [b"Mustard", b"-", b"-", b"X", b"-"] == marks


def test_why_gives_entries_and_steps_for_a_certain_fact(tmp_path: Path) -> None:
    found = json.loads(run("why", small(tmp_path), "must", "env", "--json").stdout)
    assert {
        "card": "Mustard", "holder": "envelope", "verdict": "lacks", "probability": 0.0,
        "entries": [2], "minimum": True,
    }.items() <= found.items()  # fmt: skip
    assert [
        {"card": "Mustard", "holder": "Cat", "verdict": "holds"},
        {"card": "Mustard", "holder": "envelope", "verdict": "lacks"},
    ] == [step["fact"] for step in found["steps"]]
    assert [[], [1]] == [step["uses"] for step in found["steps"]]
    assert [[2], []] == [step["entries"] for step in found["steps"]]
    text = run("why", small(tmp_path), "mustard", "envelope").stdout
    assert "Cat has Mustard: shown to Ann (entry 2)" in text


def test_why_of_an_open_fact_tells_what_moved_it(tmp_path: Path) -> None:
    found = json.loads(run("why", small(tmp_path), "wrench", "ben", "--json").stdout)
    assert ("lacks", 0.0) == (found["verdict"], found["probability"])
    found = json.loads(run("why", small(tmp_path), "wrench", "cat", "--json").stdout)
    assert ("open", []) == (found["verdict"], found["steps"])
    assert {1, 2} == set(found["entries"])
    text = run("why", small(tmp_path), "wrench", "cat").stdout
    assert "Entries that made it likelier" in text


def test_a_log_that_holds_together_is_checked_with_status_0(tmp_path: Path) -> None:
    result = run("check", small(tmp_path), "--json")
    assert 0 == result.exit_code
    nothing: dict[str, list[str]] = {"conflict": [], "why": [], "corrections": [], "odd": []}
    assert {"schema": 1, "consistent": True, **nothing} == json.loads(result.stdout)
    assert "is consistent" in run("check", small(tmp_path)).stdout


def test_a_clash_is_checked_with_status_3_and_corrections(tmp_path: Path) -> None:
    path = small(tmp_path, CLASHING)
    result = run("check", path, "--json")
    found = json.loads(result.stdout)
    assert 3 == result.exit_code
    assert (False, [2, 3]) == (found["consistent"], found["conflict"])
    best = found["corrections"][0]
    assert {"entry", "before", "after", "probability"} == set(best)
    assert best["entry"] in (2, 3)
    assert best["before"] in CLASHING or "nobody shows" in best["before"]
    assert pytest.approx(1) == sum(each["probability"] for each in found["corrections"])
    text = run("check", path)
    assert 3 == text.exit_code
    assert "Suggested corrections" in text.stdout
    assert "entries 2 and 3 cannot all be true" in text.stderr


def test_what_if_leaves_the_record_as_it_is(tmp_path: Path) -> None:
    path = small(tmp_path)
    found = answer(path, "--suppose", "cat has wrench", "--suppose", "env lacks white")
    assert ["Cat has Wrench", "envelope lacks White"] == found["supposed"]
    wrench = next(row for row in found["cards"] if row["card"] == "Wrench")
    assert "holds" == wrench["verdict"]["Cat"]
    assert SMALL == Path(path).read_text("utf-8")
    assert "Settled by the supposition" in run("report", path, "--suppose", "cat has wrench").stdout
    assert 0 == run("why", path, "wrench", "ben", "--suppose", "cat has wrench").exit_code
    assert 0 == run("check", path, "--suppose", "cat has wrench").exit_code


BAD_QUESTIONS = {
    "unknown card": (("why", "plmu", "Ben"), "Plum"),
    "unknown holder": (("why", "plum", "Zoe"), "Zoe"),
    "ambiguous card": (("why", "p", "Ben"), "Peacock or Plum"),
    "a supposition the log rules out": (("report", "--suppose", "ben has mustard"), "entry 2"),
    "a supposition that is none": (("report", "--suppose", "ben mustard"), "has"),
    "a supposition about no card": (("report", "--suppose", "ben has plmu"), "plmu"),
}


@pytest.mark.parametrize(("words", "told"), BAD_QUESTIONS.values(), ids=BAD_QUESTIONS.keys())
def test_a_bad_question_is_one_message_and_status_2(
    words: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    command, *rest = words
    result = run(command, small(tmp_path), *rest)
    assert (2, "") == (result.exit_code, result.stdout)
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_asking_about_a_face_up_card_says_where_it_lies(tmp_path: Path) -> None:
    text = "edition: clue-classic\nplayers: Ann, Ben, Cat\nface-up: Rope\n"
    for words in (("why", "rope", "ben"), ("report", "--suppose", "ben has rope")):
        result = run(words[0], small(tmp_path, text), *words[1:])
        assert 2 == result.exit_code
        assert "face-up" in result.stderr
