"""A game that is set up on its page: who deals, who sits where, with whose cards."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from clue_solver import load_edition
from clue_solver.arena.chairs import MACHINES, PERSON
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.running import dealt_table
from clue_solver.record import load_record
from tests.conversation.test_session import START
from tests.faces.phones import Phone
from tests.faces.serving import called, chairs
from tests.faces.test_web_home import evening

DEAL = {"edition": "clue-classic", "deals": "program", "board": "on"}
LISTS = {"suspects": "Ida, Leo, Mia", "weapons": "Spoon, Pan", "rooms": "Attic, Shed, Salt & Co"}
COUNTED = "3 suspects, 2 weapons and 3 rooms; 'Salt & Co' is one name"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def test_the_program_deals_to_people_and_machines(tmp_path: Path) -> None:
    with called(tmp_path / "game.clue") as found:
        link = found.url
        page = found.get()
        assert "Your hand" in page
        page = found.sent("setup", edition="clue-classic", deals="program", change="1")
        assert re.findall(r'value="(\w+)" selected', page) == ["hard", "easy"]
        assert 'value="on" checked' in page
        assert 'value="on" checked' not in found.sent("setup", board="", change="1")
        assert "Your hand" not in page
        assert [page.count(f'<option value="{name}"') for name in MACHINES] == [6] * len(MACHINES)
        found.post(
            "setup",
            **DEAL,
            **chairs(("watson", ""), ("", "hard"), ("", ""), ("Tim", ""), ("", "medium")),
        )
        table = found.table
        assert isinstance(table, DealtTable)
        players = {"watson": PERSON, "Hastings": "hard", "Tim": PERSON, "Lemon": "medium"}
        assert table.chairs.players == players
        assert table.chairs.game.state.rules.board is not None
        page = unescape(found.client.get(f"{link}?tab=table").text)
        assert re.findall(r"(\w+)</b> <span class=\"faint\">Not yet", page) == ["watson", "Tim"]
        assert found.post("setup", **DEAL).status_code in (200, 403)


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
        assert ">Mum, Tim, Hastings" in home.text()
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
    assert table.given == {"deals": "program", "edition": "clue-diced"}
    with called(tmp_path / "new.clue") as found:
        assert isinstance(found.table, LoggedTable)
        found.table.given = table.given
        page = found.get()
        assert "Deal the cards" in page
        assert page.count('name="name-') == 4


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
