"""What systems do differently."""

from __future__ import annotations

import io
import ntpath
import posixpath
import signal
import socket
import sys
from pathlib import Path, PureWindowsPath

import pytest

from clue_solver import system
from clue_solver.faces.web.running import listening_at
from clue_solver.record.files import load_record


@pytest.mark.parametrize(
    ("path", "folder", "stored"),
    [
        (r"C:\games\decks\mine.toml", r"C:\games", "decks/mine.toml"),
        (r"C:\decks\mine.toml", r"C:\games\old", "../../decks/mine.toml"),
        (r"D:\decks\mine.toml", r"C:\games", "D:/decks/mine.toml"),
        (r"\\home\share\mine.toml", r"C:\games", "//home/share/mine.toml"),
        (r"decks\mine.toml", "", "decks/mine.toml"),
    ],
)
def test_paths_are_stored_with_forward_slashes_from_any_drive(
    path: str, folder: str, stored: str
) -> None:
    assert system.stored_path(path, folder, ntpath) == stored
    found = PureWindowsPath(folder) / stored  # as it is read there
    assert ntpath.normpath(found) == ntpath.normpath(PureWindowsPath(folder) / path)


def test_on_posix_a_backslash_is_part_of_a_name() -> None:
    assert system.stored_path("/decks/a\\b.toml", "/games", posixpath) == "../decks/a\\b.toml"


def test_an_edition_is_found_by_the_name_that_windows_wrote(tmp_path: Path) -> None:
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "mine.toml").write_text('extends = "clue-classic"\n', "utf-8")
    game = tmp_path / "game.clue"
    game.write_text("edition: decks\\mine.toml\nplayers: Ann, Ben, Cat\n", "utf-8")
    assert load_record(game).table.edition.name == "decks/mine.toml"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_what_is_printed_is_utf_8_whatever_the_system_says(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(content, encoding=encoding))
    monkeypatch.setattr(sys, "stderr", None)
    for _ in range(2):
        system.prepare_streams()
    assert system.own_encoding(sys.stdout) == encoding
    print("Łucja ✓ \udcff", end="", flush=True)
    print("nobody hears this", file=sys.stderr)
    sys.stderr.close()
    assert content.getvalue().decode("utf-8") == "Łucja ✓ \\udcff"


def test_nobody_listens_beside_another_on_windows() -> None:
    with listening_at("127.0.0.1", 0) as listening:
        reused = listening.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
        assert bool(reused) != system.WINDOWS


def test_what_tells_the_program_to_end_breaks_it_off_and_is_left_as_it_was() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(system.Ended) as ended, system.on_ending(system.end):
        signal.raise_signal(signal.SIGTERM)
    assert ended.value.code == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) == before


def test_an_interrupt_that_is_held_takes_effect_after_the_block() -> None:
    done = []

    def work() -> None:
        with system.hold_interrupts():
            signal.raise_signal(signal.SIGINT)
            done.append("the whole block")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with system.hold_interrupts():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
