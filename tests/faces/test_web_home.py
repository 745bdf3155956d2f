"""The games of a folder: each table is its own, and one page lists them all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import NoReturn

import httpx
import pytest
from starlette.testclient import TestClient

from clue_solver.faces.web.home import Home
from clue_solver.record import load_record
from clue_solver.record.files import RecordFile
from tests.conversation.test_session import START
from tests.faces.serving import HERE, Served, chairs
from tests.faces.test_web import MARKED, PUBLIC, SHARED, bytes_of

OVER = "Ann accuses Plum, Rope, Hall: right\n"


def broken(**_: object) -> NoReturn:
    raise ZeroDivisionError


class Evening:
    """A folder's games whose pages are asked for by calls of this process."""

    def __init__(self, home: Home, client: httpx.Client, told: list[str]) -> None:
        self.home, self.client, self.told = home, client, told

    def table(self, number: int) -> Served:
        """One of the tables that are open."""
        return Served(self.home.servers[number], self.client, self.home.origin)

    def post(self, action: str, **said: str) -> httpx.Response:
        """What comes of a form on the list."""
        return self.client.post(f"{self.home.address}/{action}", data=said)

    def open(self, *names: str) -> list[Served]:
        """Go on with games of the list."""
        for name in names:
            assert self.post("open", name=name).status_code == 303
        return [self.table(number) for number in range(len(names))]

    def text(self, query: str = "") -> str:
        """What the list shows."""
        answer = self.client.get(self.home.address + query)
        assert answer.status_code == 200
        return unescape(answer.text)


@contextmanager
def evening(folder: Path, *, public: bool = True) -> Iterator[Evening]:
    """Serve a folder to calls of this process."""
    told: list[str] = []
    home = Home(HERE, tell=told.append, folder=folder, public=public)
    with TestClient(home.app, base_url=home.origin, follow_redirects=False) as client:
        yield Evening(home, client, told)
    home.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("friday", "sunday"):
        (tmp_path / f"{name}.clue").write_text(SHARED, "utf-8")
    return tmp_path


def test_the_list_has_each_game_those_that_are_over_last(tmp_path: Path) -> None:
    for name, text in {"over": MARKED + OVER, "notes": START, "torn": "edition"}.items():
        (tmp_path / f"{name}.clue").write_text(text, "utf-8")
    with evening(tmp_path) as home:
        text = home.text()
        assert re.findall(r'name="name" value="(\w+)\.clue"><span>Ann, ', text) == ["notes", "over"]
        assert "torn.clue" in text.partition('class="wrong"')[2]
        assert home.home.servers == []
        refused_open = home.post("open", name="../<b>")
        assert (refused_open.status_code, "<b>" in refused_open.text) == (409, False)


def test_tables_know_nothing_of_each_other(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with evening(folder) as home:
        friday, sunday = home.open("friday.clue", "sunday.clue")
        friday.sit("Ann")
        before = [bytes_of(sunday, seat) for seat in (None, "Ann")]
        friday.post("tell", line=PUBLIC, settled="turn")
        friday.post("hand", "Ann", card=["White", "Library", "Study"])
        assert [bytes_of(sunday, seat) for seat in (None, "Ann")] == before
        assert home.told == ["friday.clue: Ann is in"]
        assert (friday.lines(), sunday.lines()) == ((PUBLIC,), ())
        assert (friday.url in sunday.get(), sunday.url in friday.get()) == (False, False)
    left = [f"the game is in {folder / name}" for name in ("friday.clue", "sunday.clue")]
    assert capsys.readouterr().err.splitlines() == left
    assert len(load_record(folder / ".friday.clue.whole").entries) == 2
    assert load_record(folder / ".sunday.clue.whole").entries == ()


def test_the_list_and_each_page_are_found_again_by_their_links(folder: Path) -> None:
    with evening(folder) as home:
        (friday,) = home.open("friday.clue")
        link, seat = friday.url, friday.of("Ann")
        friday.post("hand", "Ann", card=["White", "Library", "Study"])
        assert home.home.eyes.secret not in friday.get()
        address = home.home.address
    with evening(folder, public=False) as home:  # kept with the folder, for its owner alone
        assert home.home.address == address
        assert (folder / ".tables.links").stat().st_mode & 0o077 == 0
        assert home.home.servers == []
        assert "Your hand" in home.client.get(seat).text  # the game goes on, as it was shared
        assert home.client.get(link).status_code == 200
        assert len(home.home.servers) == 1
        (folder / "sunday.clue").unlink()
        assert home.post("open", name="sunday.clue").status_code == 409


def test_a_new_table_is_set_up_and_a_game_is_deleted_with_all_that_is_kept(folder: Path) -> None:
    with evening(folder) as home:
        page = home.client.get(home.home.origin + home.post("new").headers["location"]).text
        names = re.findall(r'name="name-\d" value="(\w+)"', page)  # as at the last one here
        assert names == ["Ann", "Ben", "Cat", "Dan", "Eve", "Flo"]
        table = home.table(0)
        table.post("setup", edition="clue-classic", **chairs(("Kim", ""), ("Lou", ""), ("Max", "")))
        name = table.table.name
        assert f'value="{name}"><span>Kim, Lou, Max</span>' in home.text()
        assert [*table.table.seats] == ["Kim", "Lou", "Max"]
        assert load_record(folder / name).table.seats == ("Kim", "Lou", "Max")
        assert home.client.get(f"{home.home.address}/save?name={name}").text.startswith("edition")
        assert "for good" in home.text()
        home.post("delete", name=name)
        assert [path for path in folder.iterdir() if name in path.name] == []
        assert home.client.get(table.url).status_code == 403


def test_what_goes_wrong_at_one_table_stops_no_other(folder: Path) -> None:
    with evening(folder) as home:
        friday, sunday = (each.table for each in home.open("friday.clue", "sunday.clue"))
        friday.poll = broken  # type: ignore[method-assign]
        with (folder / "sunday.clue").open("a", encoding="utf-8") as file:
            file.write("Ann skips\n")
        assert home.client.get(home.table(0).url).status_code == 500
        where = re.fullmatch(r"a page could not be answered: (.*):\d+", home.told[-1])
        assert where is not None
        assert where[1] == "ZeroDivisionError at test_web_home.py"  # and no secret
        assert home.client.get(home.table(1).url).status_code == 200
        assert sunday.recorder.game.lines == ("Ann skips",)
        friday.close = broken  # type: ignore[method-assign]
        with pytest.raises(ZeroDivisionError):
            home.home.close()
        RecordFile(folder / "sunday.clue").close()  # which nobody holds any more
        home.home.servers.clear()
