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
from pathlib import Path

import pytest

from clue_solver.errors import ArgumentError, ClueError
from clue_solver.faces.browser.alone import GAMES, NEW, Alone
from clue_solver.faces.browser.beside import SecondWorker, run_job
from clue_solver.record.files import load_record
from tests.faces.alone import BASE, DEAL, SET_UP, Phone, played, settled, text
from tests.faces.phones import buttons
from tools import page


def test_a_game_is_set_up_logged_and_there_again_after_a_restart(tmp_path: Path) -> None:
    async def evening() -> None:
        phone = Phone(tmp_path / "one")
        assert "A new game" in text(await phone.ask("GET", f"{BASE}/{NEW}"))
        secret = await played(phone, "Ann skips", "Ben skips")
        assert secret != NEW
        (name,) = (each for each in phone.disk if each.endswith(".clue"))
        other = restarted(phone, tmp_path / "two")
        shown = text(await other.ask("GET", f"{BASE}/{secret}?tab=log"))
        assert "Ben skips" in shown
        assert len(load_record(tmp_path / "two" / name).entries) == 3
        assert "A new game" in text(await other.ask("GET", f"{BASE}/{NEW}"))
        assert "Ben skips" in text(await other.ask("GET", f"{BASE}/{secret}?tab=log"))
        assert (await other.ask("GET", f"{BASE}/nothing-that-there-is")).status == 403

    asyncio.run(evening())


def restarted(phone: Phone, folder: Path) -> Phone:
    """A phone on which all that another one keeps is there."""
    folder.mkdir()
    for name, content in phone.disk.items():
        (folder / name).write_bytes(content)
    return Phone(folder)


def test_a_game_against_machines_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def evening() -> None:
        phone = Phone(tmp_path / "one")
        two = {**DEAL, "name-2": "Leo", "plays-2": "", "plays-3": ""}
        await phone.ask("GET", f"{BASE}/{NEW}")
        assert "add somebody, or the computer" in text(await phone.post(NEW, "setup", **two))
        assert not [name for name in phone.disk if name.endswith(".game")]
        await phone.post(NEW, "setup", **DEAL)
        secret = phone.secret
        shown = await settled(phone)
        assert "<h1>Ida</h1>" in shown
        assert "another phone" not in text(await phone.ask("GET", f"{BASE}/{secret}?tab=table"))
        other = restarted(phone, tmp_path / "two")
        other.address = f"{BASE}/{secret}"
        assert hand_of(await settled(other)) == hand_of(shown)
        listed = text(await other.ask("GET", f"{BASE}/{GAMES}"))
        assert "Ida, Watson, Hastings" in listed

    asyncio.run(evening())


def test_who_gives_the_chair_to_a_machine_plays_the_next_game_again(tmp_path: Path) -> None:
    async def evening() -> None:
        phone = Phone(tmp_path)
        await phone.post(NEW, "setup", **DEAL | {"plays-3": "easy"})
        link = phone.secret
        await phone.post(link, "pace", steps="")
        await phone.post(link, "sit", seat="Ida", player="medium")
        name = next(name for name in phone.disk if name.endswith(".clue"))
        await phone.post(GAMES, "open", name=name)
        assert phone.secret == link  # not everybody's page
        assert "take your seat back" in text(await phone.ask("GET", f"{BASE}/{link}"))
        back = text(await phone.post(link, "sit", seat="Ida", player=""))
        assert "You play." in text(await phone.ask("GET", f"{BASE}/{link}?tab=table"))
        assert "<h1>Ida</h1>" in back
        await phone.post(link, "sit", seat="Ida", player="medium")
        while "<h2>The review</h2>" not in text(await phone.ask("GET", f"{BASE}/{link}")):
            await asyncio.sleep(0)
        form = text(await phone.ask("GET", f"{BASE}/{NEW}"))
        assert 'value="medium" selected' not in form.partition('"plays-2"')[0]
        assert "<h1>Ida</h1>" in text(await phone.post(link, "again"))
        while "/answer" not in await settled(phone):  # a machine has found out before
            await phone.post(link, "again")
        table = text(await phone.ask("GET", f"{BASE}/{link}?tab=table"))
        assert "You play." in table
        assert "--host" not in table

    asyncio.run(evening())


def test_advice_says_that_a_closer_look_is_on_its_way(tmp_path: Path) -> None:
    async def evening() -> None:
        sent: list[bytes] = []
        phone = Phone(tmp_path, sent.append)
        await phone.post(NEW, "setup", **DEAL)
        await phone.post(phone.secret, "help", level="advice")
        while 'id="counsel"' not in (shown := await settled(phone)):
            cards = list(buttons(shown, "answer").values())  # there is none on a card to show
            if cards:
                await phone.post(phone.secret, "answer", **cards[0].said)
            else:  # a machine has found out before
                await phone.post(phone.secret, "again")
        link = f"{BASE}/{phone.secret}"
        assert "Thinking …" in text(await phone.ask("GET", link))
        while sent:
            phone.alone.beside.found(run_job(sent.pop()))
            await asyncio.sleep(0)
        assert "Thinking …" not in text(await phone.ask("GET", link))

    asyncio.run(evening())


def test_addresses_on_this_computer_have_the_path_once(tmp_path: Path) -> None:
    async def evening() -> None:
        phone = Phone(tmp_path)
        phone.alone = Alone(tmp_path, "http://127.0.0.1:8801", BASE)
        await phone.ask("GET", f"{BASE}/{NEW}")
        await phone.post(NEW, "setup", **SET_UP)
        shown = text(await phone.ask("GET", f"{BASE}/{phone.secret}?tab=table&another=1"))
        assert f"http://127.0.0.1:8801{BASE}/{phone.secret}" in shown

    asyncio.run(evening())


def hand_of(shown: str) -> str:
    return shown.partition("<h2>Your hand</h2>")[2].partition("</ul>")[0]


def test_the_list_opens_saves_and_deletes_games(tmp_path: Path) -> None:
    async def evening() -> None:
        phone = Phone(tmp_path)
        first = await played(phone, "Ann skips")
        second = await played(phone)
        assert first != second
        names = [name for name in phone.disk if name.endswith(".clue")]
        shown = text(await phone.ask("GET", f"{BASE}/{GAMES}"))
        assert all(
            re.search(rf'value="{name}"><span>[^<]*</span> <span>Ann, Ben', shown) for name in names
        )
        name = min(names, key=len)
        saved = await phone.ask("GET", f"{BASE}/{GAMES}/save?name={name}")
        assert saved.body == phone.disk[name]
        assert "attachment" in dict(saved.headers)["content-disposition"]
        await phone.post(GAMES, "open", name=name)
        assert phone.secret == first
        await phone.post(GAMES, "delete", name=name)
        assert [each for each in phone.disk if name in each] == []
        assert (await phone.ask("GET", f"{BASE}/{first}")).status == 403

    asyncio.run(evening())


def test_a_dropped_file_becomes_a_game_and_what_is_none_is_said(tmp_path: Path) -> None:
    async def evening() -> None:
        phone = Phone(tmp_path)
        content = Path("examples/classic.clue").read_bytes()
        way = phone.alone.take("../evening.clue", content)
        assert "Ann's notes" in text(await phone.ask("GET", way))
        assert load_record(tmp_path / "evening.clue").entries
        assert phone.alone.take("evening.clue", content) != way
        with pytest.raises(ClueError, match="expected a game record"):
            phone.alone.take("picture.png", b"\0\1")
        with pytest.raises(ArgumentError, match="at most"):
            phone.alone.take("long.clue", b" " * (5 << 20))
        with pytest.raises(ClueError):
            phone.alone.take("mine.toml", b"no = 'edition'")
        with pytest.raises(ClueError, match="needs the file of the deck, too"):
            phone.alone.take("ours.clue", b"edition: ours.toml\nplayers: Ann, Ben\n\n")
        assert not [*tmp_path.glob("*.toml")]
        edition = Path("clue_solver/editions/clue-2015.toml").read_bytes()
        assert phone.alone.take("mine.toml", edition) == f"{BASE}/{GAMES}"
        assert "/mine.toml" in text(await phone.ask("GET", f"{BASE}/{NEW}"))

    asyncio.run(evening())


def test_pages_may_stand_in_a_frame_of_their_site_and_hear_of_versions(tmp_path: Path) -> None:
    async def evening() -> None:
        phone = Phone(tmp_path)
        secret = await played(phone)
        page = await phone.ask("GET", f"{BASE}/{secret}")
        policy = dict(page.headers)["content-security-policy"]
        assert "frame-ancestors 'self'" in policy
        heard: list[bytes] = []
        come = asyncio.Event()

        def told(part: bytes) -> None:
            heard.append(part)
            come.set()

        events = phone.alone.ask("GET", f"{BASE}/{secret}/events", told=told)
        stream = asyncio.create_task(events)
        for _ in range(2):
            await asyncio.wait_for(come.wait(), 60)
            come.clear()
            await phone.post(secret, "tell", line="Ann skips", settled="turn")
        stream.cancel()
        await asyncio.wait({stream})
        versions = [part for part in heard if part.startswith(b"id: ")]
        assert len(set(versions)) == len(versions) > 1

    asyncio.run(evening())


def test_closer_looks_are_taken_by_a_second_worker_or_here_where_there_is_none(
    tmp_path: Path,
) -> None:
    async def evening(*, works: bool) -> str:
        sent: list[bytes] = []
        phone = Phone(tmp_path / str(works), sent.append)
        way = phone.alone.take("game.clue", Path("examples/classic.clue").read_bytes())
        shown = text(await phone.ask("GET", way))
        while "Your chance to win" not in shown and "certain" not in shown:
            while sent and works:
                phone.alone.beside.found(run_job(sent.pop()))
            if not works:
                phone.alone.beside.ended()
            await asyncio.sleep(0)
            shown = text(await phone.ask("GET", way))
        return shown.partition('<div class="decision')[2].partition("</div>")[0]

    by_another, here = (asyncio.run(evening(works=works)) for works in (True, False))
    assert by_another == here


def test_work_for_the_second_worker_is_given_one_after_the_other() -> None:
    sent: list[bytes] = []
    beside = SecondWorker(sent.append)
    first, second, third = (beside.submit(divmod, 7, number) for number in (2, 3, 0))
    assert len(sent) == 1
    assert second.cancel()
    beside.found(run_job(sent.pop()))
    assert first.result() == (3, 1)
    beside.found(run_job(sent.pop()))
    assert isinstance(third.exception(), ZeroDivisionError)
    beside.ended()
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
