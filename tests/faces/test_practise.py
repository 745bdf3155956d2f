"""A game against autonomous players, as lines."""

from __future__ import annotations

from pathlib import Path

from clue_solver import load
from clue_solver.faces.practising import REVIEWED
from tests.faces.test_cli import run

TABLE = ("practise", "--opponents", "likeliest,random", "--seed", "3", "--plain")


def test_a_whole_game_has_its_review_and_its_record(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"

    result = run(*TABLE, "-o", str(path), stdin="\n" * 600)
    assert result.exit_code == 0, result.stderr
    game = load(path)
    assert "The players" in result.stdout
    record = game.record

    assert record.table.solution
    assert sum(" holds " in line for line in game.lines) == 3


def test_what_the_machine_knew_when_it_accused_is_told_as_in_the_review(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    said = run(*TABLE, "-o", str(path), stdin="\n" * 600).stdout
    review = load(path).review(sample=REVIEWED)
    accused = review.accusations[-1]
    assert accused.seat != "Ann"
    assert review.story.startswith(
        f"{accused.seat} won in entry {accused.entry}, certain since entry {accused.proved}: "
    )
    assert review.story in " ".join(said.split())


def test_what_is_typed_is_played_and_what_others_hold_is_not_told() -> None:
    typed = ["board", "roll", "hall", "plum rope", "", "log", "quit"]
    result = run(*TABLE, stdin="\n".join(typed))
    assert result.exit_code == 0
    assert "Ann holds Mustard, White, Green, Peacock, Rope, Billiard Room" in result.stdout
    assert "Ben holds" not in result.stdout
    assert "error: " not in result.stdout
    assert "towards Hall, to Ballroom" in result.stdout
    assert "Ann suggests Plum, Rope, Ballroom: Ben passes, Cat shows Ballroom" in result.stdout
    assert "You left the game." in result.stdout


def test_seat_and_piece_are_chosen() -> None:
    typed = "board\nquit\n"
    result = run(*TABLE, "--seat", "2", "--piece", "plum", stdin=typed)
    assert result.exit_code == 0, result.stderr
    assert "You are Ben; you play against Ann (likeliest), Cat (random)." in result.stdout
    assert "Ben (Plum) stands " in result.stdout
    result = run(*TABLE, "--seat", "4", stdin=typed)
    assert (result.exit_code, "there are 3 seats" in result.stderr) == (2, True)


def test_what_was_suggested_is_said_before_a_card_is_asked_for() -> None:
    result = run(*TABLE, stdin="\n" * 600)
    questions = [line for line in result.stdout.splitlines() if "Which card do you show" in line]
    assert questions != []
    assert [line for line in questions if " suggests " not in line] == []


def test_without_a_board_there_is_none_to_look_at() -> None:
    result = run(*TABLE, "--no-board", stdin="board\nquit\n")
    assert (result.exit_code, result.stdout.count("There is no board.")) == (0, 1)


def test_marks_are_checked_and_explained() -> None:
    typed = [
        "roll",
        "hall",
        "plum rope",
        "cat has ballroom",
        "ben has plum",
        "cat has hall",
        "hint",
        "sheet",
        "xyz",
        "quit",
    ]
    result = run(*TABLE, "--teach", stdin="\n".join(typed))
    right, wrong, early = (
        result.stdout.index(word) for word in ("Right.", "Wrong.", "Not certain yet")
    )
    assert right < wrong < early
    assert "passed on Plum, Rope and Ballroom" in result.stdout
    assert "  Ballroom: Cat" in result.stdout
    assert "You have marked every card that is certain." in result.stdout
    assert "error: " in result.stdout


def test_machines_of_a_table_play_by_their_names_here_too(tmp_path: Path) -> None:
    games = []
    for number, opponents in enumerate(("medium,easy", "likeliest,person")):
        path = tmp_path / f"{number}.clue"
        options = ("practise", "--opponents", opponents, "--seed", "3", "--plain", "-o", str(path))
        said = run(*options, stdin="\n" * 600).stdout
        assert f"Ben ({opponents.partition(',')[0]})" in said
        games.append(load(path).lines)
    assert games[0] == games[1]
