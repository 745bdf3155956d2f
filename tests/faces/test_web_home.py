"""
The games of a folder: each table is its own, one page lists them all, each is set up on a page.

Who is let in, and how much of it: by calls, without a network.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html import unescape
from pathlib import Path
from typing import NoReturn

import httpx
import pytest

from clue_solver import load_edition
from clue_solver.arena.chairs import MACHINES, PERSON
from clue_solver.errors import ArgumentError
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.home import Home
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.running import Reach, dealt_table, listening_at, reach_notes, serve
from clue_solver.faces.web.thinking import Worker
from clue_solver.record.files import RecordFile, load_record
from tests.conversation.test_session import START
from tests.faces.phones import Phone
from tests.faces.serving import HERE, Served, called, chairs, client_of, without_processes
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


def names_in(text: str) -> list[str]:
    """The players of each game on the list."""
    return re.findall(r'<b class="seat-name[^>]*>([^<]*)', text)


@contextmanager
def evening(folder: Path, *, public: bool = True) -> Iterator[Evening]:
    """Serve a folder to calls of this process."""
    told: list[str] = []
    home = Home(HERE, tell=told.append, folder=folder, public=public, shared=without_processes())
    with client_of(home) as client:
        yield Evening(home, client, told)
    home.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("friday", "sunday"):
        (tmp_path / f"{name}.clue").write_text(SHARED, "utf-8")
    return tmp_path


def test_the_list_has_each_game_those_that_are_over_last(tmp_path: Path) -> None:
    notes = START.replace("Ben", "Ben; b")
    for name, text in {"notes": notes, "torn": "edition", "over": MARKED + OVER}.items():
        (tmp_path / f"{name}.clue").write_text(text, "utf-8")
    with evening(tmp_path) as home:
        text = home.text()
        assert re.findall(r'value="(\w+)\.clue">(Continue|Look back)', text) == [
            ("notes", "Continue"),
            ("over", "Look back"),
        ]
        assert names_in(text)[:3] == ["Ann", "Ben; b", "Cat"]
        assert "Ann won: Plum, Rope, Hall" in text
        torn = text.partition("notes.clue")[2]
        assert "torn.clue cannot be read.</p>" in torn
        assert "players" in torn.partition("More about torn.clue")[2].partition("</details>")[0]
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
        assert home.told == ["friday.clue: Ann has joined"]
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
        way, again = (home.post("new").headers["location"] for _ in range(2))
        assert way == again  # what arrives twice is done once
        page = home.client.get(home.home.origin + way).text
        names = re.findall(r'name="name-\d" value="(\w+)"', page)  # as at the last one here
        assert names == ["Ann", "Ben", "Cat", "Dan", "Eve", "Flo"]
        table = home.table(0)
        table.post("setup", edition="clue-classic", **chairs(("Kim", ""), ("Lou", ""), ("Max", "")))
        name = table.table.name
        assert names_in(home.text())[:3] == ["Kim", "Lou", "Max"]
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
        failed = home.client.get(home.table(0).url)
        assert failed.status_code == 500
        assert "<h1>Something went wrong</h1>" in failed.text
        where = re.fullmatch(r"a page could not be served: (.*):\d+", home.told[-1])
        assert where is not None
        assert where[1] == "ZeroDivisionError at test_web_home.py"  # and no secret
        assert home.client.get(home.table(1).url).status_code == 200
        assert sunday.recorder.game.lines == ("Ann skips",)
        friday.close = broken  # type: ignore[method-assign]
        with pytest.raises(ZeroDivisionError):
            home.home.close()
        RecordFile(folder / "sunday.clue").close()  # which nobody holds any more
        home.home.servers.clear()


DEAL = {"edition": "clue-classic", "deals": "program", "board": "on"}
LISTS = {"suspects": "Ida, Leo, Mia", "weapons": "Spoon, Pan", "rooms": "Attic, Shed, Salt & Co"}
COUNTED = "3 suspects, 2 weapons and 3 rooms; 'Salt & Co' is one name"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def test_a_deck_is_counted_back_kept_and_offered_again(tmp_path: Path) -> None:
    own = {"edition": "own", "title": "Ours, truly", **LISTS}
    seats = chairs(("Mum", ""), ("Tim", ""))
    with called(tmp_path / "game.clue") as found:
        found.post("setup", **own, **seats, deals="program")
        phone = Phone(found)
        phone.load()
        assert phone.buttons("setup")["Deal the cards"].said["counted"] == [COUNTED]
        assert [file for file in tmp_path.iterdir() if file.name != "home"] == []
        found.post("setup", **own, **seats, deals="program", counted=COUNTED)
        assert 'download="ours-truly.toml"' in found.get(query="?tab=table")
        deck = found.client.get(f"{found.url}/deck.toml")
        assert "Salt & Co" in deck.text
    assert load_edition("ours-truly.toml").rooms == ("Attic", "Shed", "Salt & Co")
    assert load_record("game.clue").table.edition.name == "ours-truly.toml"
    with called(tmp_path / "later.clue") as found:
        (name,) = re.findall(r'name="edition" value="([^"]+)"[^>]*>Ours, truly', found.get())
        found.post("setup", edition=name, **{"name-1": "Ann, Ben"}, hand=["Ida", "Spoon"])
    with called(tmp_path / "last.clue") as found:
        found.post("setup", **own, **{"name-1": "Ann, Ben"}, counted=COUNTED)
    names = [load_record(f"{name}.clue").table.edition.name for name in ("later", "last")]
    assert names == ["ours-truly.toml", "ours-truly-2.toml"]


def test_a_dealt_table_of_a_folder_goes_on_and_its_players_are_offered_again(
    tmp_path: Path,
) -> None:
    with evening(tmp_path) as home:
        home.post("new")
        home.table(0).post("setup", **DEAL, **chairs(("Mum", ""), ("Tim", ""), ("", "easy")))
        assert names_in(home.text()) == ["Mum", "Tim", "Hastings"]
        link = home.table(0).of("Mum")
        name = home.table(0).table.name
        home.home.servers[0].table.tell("hello")
        assert home.told == [f"{name}: hello"]
    with evening(tmp_path) as home:
        home.open(name)
        table = home.table(0).table
        assert isinstance(table, DealtTable)
        assert table.chairs.players == {"Mum": PERSON, "Tim": PERSON, "Hastings": "easy"}
        assert home.table(0).of("Mum") == link
        home.post("new")
        page = home.table(1).sent("setup", deals="program", change="1")
        assert re.findall(r'name="name-\d+" value="(\w*)"', page)[:3] == ["Mum", "Tim", "Hastings"]
        assert 'value="own"' in page


def test_the_command_asks_on_the_page_where_nobody_says_who_plays(tmp_path: Path) -> None:
    table = dealt_table(Path("new.clue"), {}, edition="clue-diced")
    assert isinstance(table, LoggedTable)
    assert table.typed == {"deals": "program", "edition": "clue-diced"}
    with called(tmp_path / "new.clue") as found:
        assert isinstance(found.table, LoggedTable)
        found.table.typed = table.typed
        page = found.get()
        assert "Deal the cards" in page
        assert page.count('name="name-') == 4
        assert [page.count(f'<option value="{name}"') for name in MACHINES] == [4] * len(MACHINES)


def test_the_players_and_the_deck_of_the_users_last_game_are_offered(tmp_path: Path) -> None:
    games = tmp_path / "home" / "clue-solver" / "games"
    games.mkdir(parents=True)
    (games / "house.toml").write_text('extends = "clue-classic"\ntitle = "Our house"\n', "utf-8")
    last = START.replace("clue-classic", "house.toml")
    (games / "last.clue").write_text(f"{last}Ann skips\n", "utf-8")
    with called(tmp_path / "game.clue") as found:
        text = found.get()
        assert "Our house" in text
        assert re.findall(r'name="name-\d" value="(\w+)"', text) == ["Ann", "Ben", "Cat"]
        assert re.findall(r'name="me" value="(.)" checked', text) == ["1"]


def test_what_is_light_goes_first_and_whoever_left_or_failed_stops_nobody() -> None:
    worker, begin = Worker(), threading.Event()
    worker.give(begin.wait)
    order: list[str] = []
    left, failed = worker.give(partial(order.append, "left")), worker.give(lambda: 1 // 0)
    for name in ("A!", "b", "C!", "d", "e"):
        last = worker.give(partial(order.append, name), heavy=name.endswith("!"))
    end = worker.give(lambda: None, heavy=True)
    assert left.cancel()
    begin.set()
    end.result(60)
    assert last.done()
    assert isinstance(failed.exception(60), ZeroDivisionError)
    assert order == ["b", "d", "e", "A!", "C!"]


def test_a_name_is_let_in_by_being_allowed(tmp_path: Path) -> None:
    told: list[str] = []
    place = HERE._replace(allowed=("clue.example.org",))
    home = Home(place, tell=told.append, folder=tmp_path)

    def status(host: str, how: str = "GET", *, origin: str = "", scheme: str = "http") -> int:
        headers = {"host": host} | ({"origin": origin} if origin else {})
        path = home.address.removeprefix(home.origin)
        with client_of(home, origin=f"{scheme}://table") as client:
            return int(client.request(how, path, headers=headers).status_code)

    hosts = ("clue.example.org", "CLUE.example.org:443", "evil.example.org", "127.0.0.1:8477")
    assert [status(host) for host in hosts] == [200, 200, 403, 200]
    assert told == [
        "testclient was refused: evil.example.org is not a name of this computer; "
        "--allow evil.example.org would let it in"
    ]
    origins = ("https://clue.example.org", "https://evil.example.org")
    found = [status("clue.example.org", "POST", origin=origin) for origin in origins]
    assert (found[0] == 403, found[1]) == (False, 403)
    assert status("127.0.0.1", scheme="https") == 403  # another port
    home.close()


def test_pages_come_packed_and_files_are_known_again(tmp_path: Path) -> None:
    with called(tmp_path / "game.clue", START) as page:
        answer = page.client.get(page.url)
        assert answer.headers["content-encoding"] == "gzip"
        script = page.client.get(f"{page.url}/static/page.js")
        again = {"if-none-match": script.headers["etag"]}
        assert page.client.get(f"{page.url}/static/page.js", headers=again).status_code == 304
        away = ("/static/../pages.py", "/static/../../tables.py", "/static/%2e%2e/pages.py")
        for nothing in (*away, "/no", "/static/", "/record.clue/x"):
            missing = page.client.get(f"{page.url}{nothing}")
            assert missing.status_code in (403, 404)
            assert "<h1>" in missing.text
        assert "Who shows a card?" in page.client.get(f"{page.url}/tell?by=Ann").text


def test_the_host_is_told_what_is_open() -> None:
    def told(reach: Reach) -> list[str]:
        with listening_at(reach.host, 0) as listening:
            return [*reach_notes(listening, reach, "http://192.0.2.1:8477")]

    (alone,) = told(Reach())
    assert "--host 0.0.0.0" in alone
    (tunnel,) = told(Reach(allowed=("https://clue.example.org/", "other.example")))
    assert "clue.example.org, other.example" in tunnel
    reach, clear = told(Reach("0.0.0.0"))
    assert "every device on every network" in reach
    assert "http://192.0.2.1:8477" in reach
    assert "clear text" in clear
    assert (
        Reach(allowed=("other", "https://clue.example.org/")).outside == "https://clue.example.org"
    )


def test_what_cannot_be_used_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="expected a host name such as"):
        serve(tmp_path / "game.clue", Reach(allowed=("a b",)), port=0, public=False)
    assert [*tmp_path.iterdir()] == []
