"""A game against machines: on the screen, kept, gone on with, and never lost by an Enter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clue_solver.errors import ArgumentError, ClueError, NotationError
from clue_solver.faces import games
from clue_solver.faces.dealing import DealtGame
from clue_solver.faces.games import KeptGame, offered_games
from clue_solver.faces.practising import Practice
from clue_solver.faces.tui.app import PlayApp
from clue_solver.record.files import load_record
from tests.faces.screen import showing
from tests.faces.test_cli import run

PLAYERS = {"Ann": "", "Ben": "likeliest", "Cat": "random"}


def begun(path: Path, edition: str = "cluedo-watson", **players: str) -> Practice:
    return Practice.begin(edition, PLAYERS | players, path, seed=3)


def until_asked(game: Practice) -> None:
    while not (game.over or game.is_asked):
        game.let_machine_decide()


def test_leaving_keeps_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    game = begun(path)
    until_asked(game)
    said: list[str] = []
    assert game.close(said.append)
    assert said == [f"the game is saved; to continue it: clue-solver practise {path}"]
    again = Practice(DealtGame.resume(path))
    assert again.view.game.lines == game.view.game.lines
    assert again.referee.request == game.referee.request
    again.close(print)


@pytest.mark.asyncio
async def test_a_dealt_game_is_offered_as_one_and_its_log_tells_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begun(tmp_path / "game.clue", "clue-classic")
    until_asked(game)
    assert "holds" not in (tmp_path / "game.clue").read_text("utf-8")
    game.close(print)
    assert KeptGame(tmp_path / "game.clue").people == 1
    (offered,) = offered_games(tmp_path)
    assert offered.path == tmp_path / "game.clue"
    assert offered.summary.endswith("; Ann's turn, against the computer")
    shown: list[PlayApp] = []
    monkeypatch.setattr(games, "games_folder", lambda: tmp_path)
    monkeypatch.setattr("clue_solver.faces.tui.app.check_terminal", lambda: None)
    monkeypatch.setattr("clue_solver.faces.tui.app.show", shown.append)
    run("practise")
    async with showing(shown[0]) as at:
        assert at.asked[1][0].startswith("Continue Ann, Ben, Cat; Clue")
        await at.type("", "enter")
        assert at.asked[0] == "Roll the dice."
        assert shown[0].close_game()


def test_the_end_tells_the_accusations_whatever_a_player_is_called(tmp_path: Path) -> None:
    players = {"Ann accuses Bob": "", "Ben": "likeliest", "Cat": "random"}
    game = Practice.begin("clue-classic", players, tmp_path / "game.clue", seed=3)
    until_asked(game)
    game.decide(game.read("accuse plum rope hall")[0])
    while not game.over:
        until_asked(game)
        if game.is_asked:
            game.decide(game.due.options[0])
    game.catch_up()
    asked = game.ask().question
    assert asked is not None
    told = (asked.prompt.line, *asked.prompt.hint.splitlines())
    assert not [line for line in told if "suggests" in line or "holds" in line]
    game.close(print)


@pytest.mark.parametrize("edition", ["clue-classic", "clue-diced", "clue-2015"])
def test_a_whole_game_is_played_by_what_is_listed_and_by_its_lines(
    tmp_path: Path, edition: str
) -> None:
    path = tmp_path / "game.clue"
    game = begun(path, edition)
    told: list[str] = []
    for turn in range(400):
        until_asked(game)
        if game.over:
            break
        options = game.due.options
        quiet = [option for option in options if not option.is_grave]
        option = (quiet or list(options))[turn % len(quiet or options)]
        assert game.read(option.line)[0].choice == option.choice, option
        assert game.read(" ".join(option.words))[0].choice == option.choice
        assert option.words != ("End my turn",) or game.read("skip") == (option,)
        assert not any(re.search(r"\b[A-Z]\d+\b", each.words[0]) for each in options)
        stands = game.referee.state.place(game.seat)
        assert not any(each.words[0] == f"Towards the {stands}" for each in options)
        game.decide(option)
        told += game.catch_up()
        if option.words[0].startswith("Towards "):
            assert option.line in told  # a move to a square is told
    assert game.over
    if edition == "clue-classic":
        assert any(re.search(r"moves to [A-Z]\d+$", line) for line in told)
        assert any("moves to a square 2 steps from the" in line for line in game.log())
    said: list[str] = []
    game.close(said.append)
    assert said[0].startswith(game.outcome)
    assert load_record(path).table.solution == game.referee.solution
    game.catch_up()
    assert game.session.game.review().accusations


def test_what_cannot_be_played_is_refused_and_an_accusation_comes_at_any_time(
    tmp_path: Path,
) -> None:
    game = begun(tmp_path / "game.clue", "clue-classic")
    until_asked(game)
    with pytest.raises(NotationError, match="expected Roll the dice, Stay where you are or Accuse"):
        game.read("plum rope")
    (option,) = game.read("Accuse plum rope hall")
    assert option.choice == ("Plum", "Rope", "Hall")
    game.decide(option)
    assert "Ann accuses Plum, Rope, Hall: wrong" in game.catch_up()
    game.close(print)


def test_a_line_typed_in_full_is_played_and_a_grave_one_waits_unless_it_is(tmp_path: Path) -> None:
    game = begun(tmp_path / "game.clue", "clue-classic")
    until_asked(game)
    waiting = game.handle_line("accuse plum rope hall")
    line = "Ann accuses Plum, Rope, Hall"
    assert (waiting.line, waiting.waits) == (line, True)
    game.handle_line(line)
    assert any(each.startswith(line) for each in game.session.lines)
    game.close(print)


def test_who_plays_is_a_list_in_which_one_is_a_person(tmp_path: Path) -> None:
    game = begun(tmp_path / "game.clue", "clue-classic", Ann="hard", Ben="")
    assert game.seat == "Ben"
    game.close(print)
    machines = {"Ann": "easy", "Ben": "easy"}
    with pytest.raises(ArgumentError, match="only one person can play here, not Ann and Ben"):
        begun(tmp_path / "other.clue", "clue-classic", Ben="")
    path = tmp_path / "x.clue"
    game = Practice.begin("clue-classic", machines, path, seed=1)
    assert (game.seat, [*game.chairs.players][1:]) == ("Watson", ["Ann", "Ben"])
    game.close(print)
    with pytest.raises(ArgumentError, match="no player is called 'nobody'"):
        begun(tmp_path / "y.clue", "clue-classic", Ben="nobody")
    with pytest.raises(ClueError):
        Practice(DealtGame.resume(tmp_path / "none.clue"))
