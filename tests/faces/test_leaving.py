"""How a game is left: in its file, else elsewhere, and that is said."""

from __future__ import annotations

import errno
from pathlib import Path
from types import SimpleNamespace

import pytest

from clue_solver.conversation.session import Session
from clue_solver.errors import SetupError
from clue_solver.faces import leaving
from clue_solver.faces.dealing import DealtGame
from clue_solver.faces.leaving import UNSAVED, close_session
from clue_solver.faces.practising import Practice
from clue_solver.faces.tui.app import PlayApp, show
from clue_solver.record.clue import format_record
from clue_solver.record.files import RecordFile, load_record
from tests.conversation.test_session import SHOWN, START, begun_in
from tests.faces.screen import showing
from tests.faces.serving import called
from tests.faces.test_plain import play

FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return begun_in(tmp_path / "table")


@pytest.fixture
def full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of folders in which nothing can be written."""
    folders = {"table"}
    opened = Path.open

    def open_path(self: Path, mode: str = "r", **options: object) -> object:
        if mode in ("wb", "xb") and self.parent.name in folders:
            raise FULL
        return opened(self, mode, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", open_path)
    monkeypatch.setattr(leaving, "games_folder", lambda: tmp_path / "games")
    monkeypatch.setattr(leaving, "gettempdir", lambda: str(tmp_path / "temporary"))
    return folders


def begun(path: Path, *lines: str) -> Session:
    session = Session(load_record(path), keeper=RecordFile(path))
    for line in lines:
        session.tell(line)
    return session


def test_what_cannot_be_written_goes_to_the_users_games_then_to_a_temporary_folder(
    game: Path, full: set[str], tmp_path: Path
) -> None:
    for name in ("games", "temporary"):
        result = play(game, SHOWN)
        copy = tmp_path / name / "game.clue"
        assert result.exit_code == UNSAVED
        assert result.stderr.splitlines()[-1] == (
            f"{game}: cannot write the record: No space left on device; "
            f"the game is in {copy} instead"
        )
        assert len(load_record(copy).entries) == 2
        assert len(load_record(game).entries) == 1
        full.add(name)
    result = play(game, SHOWN)
    assert result.exit_code == UNSAVED
    assert result.stderr.endswith("saving it elsewhere failed too. This is the game:\n")
    assert result.stdout.endswith(format_record(load_record(copy)))


def test_a_disk_that_has_space_again_takes_the_game(game: Path, full: set[str]) -> None:
    session = begun(game, SHOWN)
    assert session.trouble is not None
    full.clear()
    said: list[str] = []
    assert close_session(session, say=said.append)
    assert said == [f"the game is in {game}"]
    assert len(load_record(game).entries) == 2


def test_a_file_that_was_deleted_or_broken_meanwhile_is_written_again(game: Path) -> None:
    for spoil in (game.unlink, lambda: game.write_text("half a li")):
        session = begun(game)
        spoil()
        assert close_session(session, say=lambda _: None)
        assert format_record(load_record(game)) == format_record(session.record)
    assert game.with_name("game.clue.outside").read_text("utf-8") == "half a li"


def test_what_another_program_wrote_last_is_said_at_the_end(game: Path) -> None:
    session = begun(game, SHOWN)
    game.write_text(START, "utf-8")
    said: list[str] = []
    assert close_session(session, say=said.append)
    assert said == [
        "! another program has changed the file: it has been read again, and contains 1 entry",
        f"the game is in {game}",
    ]


@pytest.mark.usefixtures("full")
def test_a_copy_still_finds_its_own_edition(game: Path, tmp_path: Path) -> None:
    deck = game.parent / "deck.toml"
    deck.write_text('extends = "clue-classic"\ntitle = "Mine"\n', "utf-8")
    game.write_text(START.replace("clue-classic", "deck.toml"), "utf-8")
    assert close_session(begun(game), say=lambda _: None)
    assert not close_session(begun(game, SHOWN), say=lambda _: None)
    copy = load_record(tmp_path / "games" / "game.clue")
    assert copy.table.edition.name == "../table/deck.toml"
    assert len(copy.entries) == 2


@pytest.mark.usefixtures("full")
@pytest.mark.asyncio
async def test_leaving_the_full_screen_does_not_say_that_the_game_is_in_its_file(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = PlayApp(begun(game))
    async with showing(app) as at:
        await at.type(SHOWN, "enter")
        assert "! not saved: " in at.said("#banner")
        await at.type("", "ctrl+q")
    assert not app.close_game()
    assert f"the game is in {tmp_path / 'games' / 'game.clue'} instead" in capsys.readouterr().err


def test_a_game_against_machines_is_kept_elsewhere_and_goes_on_there(
    game: Path, full: set[str], tmp_path: Path
) -> None:
    full.clear()
    deck = game.parent / "deck.toml"
    deck.write_text('extends = "clue-classic"\ntitle = "Mine"\n', "utf-8")
    players = {"Ann": "", "Ben": "random", "Cat": "random"}
    path = game.with_name("dealt.clue")
    practice = Practice.begin(str(deck), players, path, seed=1)
    full.add("table")
    copy = tmp_path / "games" / "dealt.clue"
    said: list[str] = []
    assert not practice.close(said.append)
    assert said[0].endswith(f"No space left on device; the game is in {copy} instead")
    again = Practice(DealtGame.resume(copy))
    assert again.referee.solution == practice.referee.solution
    again.close(print)


def test_a_shared_game_is_left_elsewhere_if_need_be(
    game: Path, full: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    full.clear()
    nobodys, heard = START.partition("viewer")[0], list[str]()
    with called(game, f"{nobodys}\n", public=True) as page:
        full.add("table")
        page.table.tell = heard.append
        page.post("tell", line="ann mus wr lou: cat")
    assert heard[0].startswith("what the players entered cannot be saved: ")
    said = capsys.readouterr().err
    copy = tmp_path / "games" / "game.clue"
    assert f"; the game is in {copy} instead\n" in said
    assert "what the players entered is not saved: " in said
    assert load_record(copy).entries


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="there is no such folder")
def test_where_no_file_can_be_made_nobody_else_is_said_to_play() -> None:
    keeper = RecordFile("/proc/game.clue")
    assert "nothing can be written there" in str(keeper.trouble)
    keeper.close()


def test_a_terminal_without_utf_8_is_told_of_the_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    there = SimpleNamespace(isatty=lambda: True, encoding="latin-1")
    monkeypatch.setattr("clue_solver.faces.tui.app.sys", SimpleNamespace(stdin=there, stdout=there))
    with pytest.raises(SetupError, match="needs UTF-8, and this terminal has latin-1"):
        show(PlayApp())
