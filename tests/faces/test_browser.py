"""The page without a server: what answers inside a browser, and the folder that is written."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import lzma
import pickle
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from clue_solver.errors import ArgumentError, ClueError
from clue_solver.faces.browser.alone import GAMES, NEW
from clue_solver.faces.browser.beside import SecondWorker, run_job
from clue_solver.record.files import load_record
from tests.faces.alone import BASE, DEAL, EXAMPLES, MACHINES, NOTES, Browser
from tests.faces.phones import Phone
from tools import page


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    found = asyncio.new_event_loop()
    yield found
    found.close()


@pytest.fixture
def browser(tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Browser:
    return Browser(tmp_path / "one", loop)


def played(browser: Browser, *lines: str) -> Phone:
    """A phone on which a game was set up, and lines were logged."""
    phone = Phone(browser)
    phone.does(NOTES)
    for line in lines:
        phone.does(f"types {line}")
    return phone


def test_addresses_on_this_computer_have_the_path_once(
    tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> None:
    phone = played(Browser(tmp_path, loop, place="http://127.0.0.1:8801"))
    phone.does("looks tab=table&another=1")
    assert phone.link in phone.text
    assert phone.link.startswith(f"http://127.0.0.1:8801{BASE}/")


def test_the_list_opens_saves_and_deletes_games(browser: Browser) -> None:
    first, second = played(browser, "Ann skips"), played(browser)
    assert first.link != second.link
    names = [name for name in browser.disk if name.endswith(".clue")]
    games = f"{browser.origin}/{GAMES}"
    shown = browser.client.get(games).text
    assert re.findall(r'name="name" value="([^"]+)">(?:Begin|Continue)', shown) == names[::-1]
    name = min(names, key=len)
    saved = browser.client.get(f"{games}/save?name={name}")
    assert saved.content == browser.disk[name]
    assert "attachment" in saved.headers["content-disposition"]
    assert str(browser.client.post(f"{games}/open", data={"name": name}).url) == first.link
    dealt = Phone(browser)
    dealt.does(DEAL + MACHINES)
    dealt.does("posts sit seat=Ida; player=medium")
    *_, latest = (each for each in browser.disk if each.endswith(".clue"))
    opened = browser.client.post(f"{games}/open", data={"name": latest})
    assert str(opened.url) == dealt.link  # not everybody's page
    browser.client.post(f"{games}/delete", data={"name": name})
    assert [each for each in browser.disk if name in each] == []
    assert browser.client.get(first.link).status_code == 403


def test_a_dropped_file_becomes_a_game_and_what_is_none_is_said(browser: Browser) -> None:
    content = (EXAMPLES / "classic.clue").read_bytes()
    way = browser.opened("../evening.clue", content)
    assert "Ann's notes" in unescape(way.text)
    assert load_record(browser.alone.folder / "evening.clue").entries
    assert browser.opened("evening.clue", content).link != way.link
    with pytest.raises(ClueError, match="expected a game record"):
        browser.opened("picture.png", b"\0\1")
    with pytest.raises(ArgumentError, match="at most"):
        browser.opened("long.clue", b" " * (5 << 20))
    with pytest.raises(ClueError):
        browser.opened("mine.toml", b"no = 'edition'")
    with pytest.raises(ClueError, match="needs the file of the deck, too"):
        browser.opened("ours.clue", b"edition: ours.toml\nplayers: Ann, Ben\n\n")
    assert not [*browser.alone.folder.glob("*.toml")]
    edition = Path("clue_solver/editions/clue-2015.toml").read_bytes()
    assert browser.opened("mine.toml", edition).link == f"{browser.origin}/{GAMES}"
    assert "/mine.toml" in Phone(browser).text


def test_pages_may_stand_in_a_frame_of_their_site_and_hear_of_versions(browser: Browser) -> None:
    phone = played(browser)
    policy = browser.client.get(phone.link).headers["content-security-policy"]
    assert "frame-ancestors 'self'" in policy
    heard: list[bytes] = []
    way = f"{httpx.URL(phone.link).path}/events"
    stream = browser.loop.create_task(browser.alone.ask("GET", way, stream=heard.append))
    for line in ("Ann skips", "Ben skips"):
        phone.does(f"types {line}")
        phone.load()  # meanwhile it is told
    stream.cancel()
    browser.loop.run_until_complete(asyncio.wait({stream}))
    versions = [part for part in heard if part.startswith(b"id: ")]
    assert len(set(versions)) == len(versions) > 1


def test_closer_looks_are_taken_by_a_second_worker_or_here_where_there_is_none(
    tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> None:
    said = []
    for works in (True, False):
        browser = Browser(tmp_path / str(works), loop)
        phone = browser.opened("game.clue", (EXAMPLES / "classic.clue").read_bytes())
        while "Your chance to win" not in phone.text and "certain" not in phone.text:
            if works:
                browser.think()
            else:
                browser.within(browser.alone.beside.fail)
            browser.work()
            phone.load()
        said.append(phone.text.partition('<div class="decision')[2].partition("</div>")[0])
    assert said[0] == said[1]


def test_work_for_the_second_worker_is_given_one_after_the_other() -> None:
    sent: list[bytes] = []
    beside = SecondWorker(sent.append)
    first, second, third = (beside.submit(divmod, 7, number) for number in (2, 3, 0))
    assert len(sent) == 1
    assert second.cancel()
    beside.receive(run_job(sent.pop()))
    assert first.result() == (3, 1)
    beside.receive(run_job(sent.pop()))
    assert isinstance(third.exception(), ZeroDivisionError)
    beside.fail()
    assert isinstance(beside.submit(divmod, 1, 1).exception(), RuntimeError)
    assert sent == []
    assert pickle.loads(run_job(pickle.dumps(dict))) == ({}, None)


def zipped(**files: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.py", content)
    return out.getvalue()


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a tiny runtime, for which all is compiled by this Python."""
    place = tmp_path / "runtime"
    place.mkdir()
    stdlib = zipped(this="hidden = 1", doctest="")
    core = {"python_stdlib.zip": stdlib, "pyodide-lock.json": b'{"packages": {"numpy": {}}}'}
    core |= {name: name.encode() * 1000 for name in page.CORE}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in core.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    (place / "core.tgz").write_bytes(out.getvalue())
    (place / "numpy.whl").write_bytes(zipped(numpy="'Words.'\nassert 0\nkept = 2"))
    (place / "segno.whl").write_bytes(zipped(segno="codes = 3"))
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    fetched = [
        {"address": f"{place.as_uri()}/{name}", "sha256": hashlib.sha256(content).hexdigest()}
        for name in ("core.tgz", "numpy.whl", "segno.whl")
        if (content := (place / name).read_bytes())
    ]
    monkeypatch.setattr(page, "PINS", {**page.PINS, "part": fetched, "python": version})
    return place


def test_the_folder_has_all_that_a_browser_needs_and_nothing_else(
    tmp_path: Path, runtime: Path
) -> None:
    target = tmp_path / "site"
    written = page.write(target, runtime)
    built = json.loads((target / "built.js").read_text("utf-8").removeprefix("self.BUILT = ")[:-2])
    there = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    packed = {f"parts/{name}.packed" for name in built["parts"]}
    assert there == {*built["files"], *packed, "service.js", "licences.txt"}
    assert written == sum((target / each).stat().st_size for each in packed)
    assert "connect-src 'self';" in built["policy"]
    assert built["policy"].partition("; frame-ancestors")[0] in (target / "index.html").read_text()
    with zipfile.ZipFile(io.BytesIO(lzma_of(target / "parts/program.zip.xz.packed"))) as program:
        names = set(program.namelist())
    assert {"numpy.pyc", "segno.pyc", "clue_solver/faces/browser/alone.pyc"} <= names
    assert "clue_solver/faces/web/templates/game.html" in names
    assert "clue_solver/editions/clue-classic.toml" in names
    assert not [name for name in names if name.endswith((".py", ".js")) and "static" not in name]
    assert not [name for name in names if "/tui/" in name or "/exchange/" in name]
    drawn = (target / "drawn.html").read_text("utf-8")
    assert f'action="{built["placeholder"]}/{NEW}/setup"' in drawn
    assert str(tmp_path) not in drawn
    program_file = tmp_path / "program.zip"
    program_file.write_bytes(lzma_of(target / "parts/program.zip.xz.packed"))
    asked = "import numpy; print(numpy.kept, numpy.__doc__, numpy.__file__)"
    command = [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, sys.argv[1]); {asked}"]
    run = subprocess.run([*command, str(program_file)], capture_output=True, text=True, check=True)
    assert run.stdout == f"2 None {program_file}/numpy.pyc\n"


def lzma_of(path: Path) -> bytes:
    return lzma.decompress(path.read_bytes())


def test_what_is_not_what_it_should_be_is_refused(tmp_path: Path, runtime: Path) -> None:
    target = tmp_path / "site"
    (runtime / "numpy.whl").write_bytes(b"something else")
    with pytest.raises(page.BuildError, match=r"numpy\.whl is not what it should be"):
        page.write(target, runtime)
    (runtime / "core.tgz").unlink()
    with pytest.raises(page.BuildError, match=r"core\.tgz: No such file"):
        page.write(target, runtime)
    with pytest.raises(page.BuildError, match=r"--parts FOLDER takes core\.tgz from a folder"):
        page.write(target)
    assert not target.exists()
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/diary.txt").write_text("Dear diary")
    with pytest.raises(page.BuildError, match="expected a new or an empty folder"):
        page.write(tmp_path / "taken", runtime)
