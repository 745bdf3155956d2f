"""A folder of games as one club: each table is its own, and one page has them all."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import NoReturn

import httpx
import pytest
from starlette.testclient import TestClient

from clue_solver.faces.web import club as clubs
from clue_solver.faces.web.club import Club, games_in
from clue_solver.faces.web.safety import refused
from clue_solver.record import load_record
from clue_solver.record.files import RecordFile
from tests.conversation.test_session import START
from tests.faces.serving import HERE, Served
from tests.faces.test_web import MARKED, PUBLIC, SHARED, bytes_of

OVER = "Ann accuses Plum, Rope, Hall: right\n"


def broken(**_: object) -> NoReturn:
    raise ZeroDivisionError


class Evening:
    """A club whose pages are asked for by calls of this process."""

    def __init__(self, club: Club, client: httpx.Client, told: list[str]) -> None:
        self.club, self.client, self.told = club, client, told

    def table(self, number: int) -> Served:
        """One of its tables."""
        return Served(self.club.servers[number], self.client, self.club.origin)

    def post(self, action: str) -> httpx.Response:
        """What comes of a form on the page of all tables."""
        return self.client.post(f"{self.club.address}/{action}")

    def text(self, query: str = "") -> str:
        """What that page shows."""
        answer = self.client.get(self.club.address + query)
        assert answer.status_code == 200
        return unescape(answer.text)


@contextmanager
def evening(folder: Path, *, public: bool = True) -> Iterator[Evening]:
    """Serve a folder to calls of this process."""
    told: list[str] = []
    club = Club(HERE, tell=told.append, folder=folder, public=public)
    club.open_all()
    with TestClient(club.app, base_url=club.origin, follow_redirects=False) as client:
        yield Evening(club, client, told)
    club.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("friday", "sunday"):
        (tmp_path / f"{name}.clue").write_text(SHARED, "utf-8")
    return tmp_path


def test_each_game_of_a_folder_that_is_not_over_is_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = MARKED.replace("7f3a9c", "aaaaaa")
    for name, text in {
        "friday": MARKED + OVER,
        "sunday": other,
        "notes": START,
        "torn": "edition",
    }.items():
        (tmp_path / f"{name}.clue").write_text(text, "utf-8")
    assert [path.stem for path in games_in(tmp_path)] == ["notes", "sunday"]
    assert "torn.clue" in capsys.readouterr().err


def test_tables_know_nothing_of_each_other(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with evening(folder) as club:
        friday, sunday = club.table(0), club.table(1)
        before = [bytes_of(sunday, seat) for seat in (None, "Ann")]
        friday.post("tell", line=PUBLIC, settled="turn")
        friday.post("hand", "Ann", card=["White", "Library", "Study"])
        assert [bytes_of(sunday, seat) for seat in (None, "Ann")] == before
        assert club.told == ["friday.clue: Ann is in"]
        assert (friday.lines(), sunday.lines()) == ((PUBLIC,), ())
        assert (friday.url in sunday.get(), sunday.url in friday.get()) == (False, False)
    left = [f"the game is in {folder / name}" for name in ("friday.clue", "sunday.clue")]
    assert capsys.readouterr().err.splitlines() == left
    assert len(load_record(folder / ".friday.clue.whole").entries) == 2
    assert load_record(folder / ".sunday.clue.whole").entries == ()


def test_one_page_has_all_tables_and_their_codes_on_demand(folder: Path) -> None:
    with evening(folder) as club:
        text = club.text()
        tables = re.findall(r'<a class="key big" href="([^"]+)">([^<;]+); Clue; [^<]+</a>', text)
        assert tables == [
            (club.table(0).url, "friday.clue: Ann, Ben, Cat, Dan, Eve, Flo"),
            (club.table(1).url, "sunday.clue: Ann, Ben, Cat, Dan, Eve, Flo"),
        ]
        assert [club.text(query).count("<svg") for query in ("", "?table=2", "?table=9")] == [
            *(0, 1, 0),
        ]
        assert club.club.eyes.secret not in club.table(0).get()
        first = club.club.address
        again = club.post("renew").headers["location"]
        assert club.club.origin + again == club.club.address != first
        assert club.client.get(first).text == bytes(refused().body).decode()
    with evening(folder) as club:  # its link is kept with the folder, for its owner alone
        assert club.club.origin + again == club.club.address
        assert (folder / ".tables.links").stat().st_mode & 0o077 == 0


def test_a_new_table_is_set_up_by_its_players(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with evening(folder) as club:
        assert club.post("new").headers["location"].endswith("?table=3#table-3")
        assert "Not set up yet" in club.text()
        table = club.table(2)
        assert 'value="Ann, Ben, Cat, Dan, Eve, Flo"' in table.get()  # as at the last one here
        table.post("setup", edition="clue-classic", players="Kim, Lou, Max")
        assert ": Kim, Lou, Max; " in club.text()
        assert [*table.table.seats] == ["Kim", "Lou", "Max"]
        path = folder / table.table.name
        monkeypatch.setattr(clubs, "MOST", 3)
        assert club.post("new").status_code == 429
        assert "A new table" not in club.text()
    assert load_record(path).table.seats == ("Kim", "Lou", "Max")


def test_what_goes_wrong_at_one_table_stops_no_other(folder: Path) -> None:
    with evening(folder) as club:
        friday, sunday = club.table(0).table, club.table(1).table
        friday.poll = broken  # type: ignore[method-assign]
        with (folder / "sunday.clue").open("a", encoding="utf-8") as file:
            file.write("Ann skips\n")

        async def watched() -> None:
            watching = asyncio.create_task(club.club.watch())
            while not sunday.recorder.game.lines:
                await asyncio.sleep(0.01)
            club.club.end()
            await watching

        asyncio.run(watched())
        assert "friday.clue: the file cannot be looked at: ZeroDivisionError" in club.told
        friday.close = broken  # type: ignore[method-assign]
        with pytest.raises(ZeroDivisionError):
            club.club.close()
        RecordFile(folder / "sunday.clue").close()  # which nobody holds any more
        club.club.servers.clear()
