"""The page as it is sent: what it shows, what it takes, what it refuses; without a network."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from html import unescape
from operator import add
from pathlib import Path
from typing import Any
from urllib.parse import urljoin
from zlib import crc32

import httpx
import pytest

from clue_solver import system
from clue_solver.errors import RecordError
from clue_solver.faces.games import offered_games
from clue_solver.faces.web.line_pieces import LineSplitter
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.safety import error_page
from clue_solver.faces.web.setting_up import open_table
from clue_solver.faces.web.thinking import Shared, Thinking, final_thought
from clue_solver.notation.reader import parse_line
from clue_solver.record.files import RecordFile, load_record
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import Table
from tests.conversation.test_session import START
from tests.faces.phones import Phone, buttons, words
from tests.faces.serving import HERE, Served, called

SHARED = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan, Eve, Flo\n\n"
MARKED = SHARED.replace("\n\n", "\ngame: 7f3a9c\n\n")
HANDS = {
    "Ann": ["White", "Library", "Study"],
    "Ben": ["Scarlett", "Plum", "Lounge"],
    "Cat": ["Rope", "Green", "Knife"],
    "Dan": ["Wrench", "Mustard", "Candlestick"],
    "Eve": ["Revolver", "Hall", "Dining Room"],
    "Flo": ["Ballroom", "Conservatory", "Kitchen"],
}
PUBLIC, SHOWN = (
    f"Ann suggests Scarlett, Rope, Lounge: Ben shows{card}" for card in ("", " Lounge")
)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Served]:
    with called(tmp_path / "game.clue", START) as found:
        yield found


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Served]:
    with called(tmp_path / "table.clue", SHARED, public=True) as found:
        yield found


def test_the_page_holds_every_card_and_nothing_from_elsewhere(page: Served) -> None:
    answer = page.client.get(page.url)
    text = unescape(answer.text)
    assert answer.status_code == 200
    assert all(card in text for card in page.table.recorder.game.record.table.edition.names)
    addresses = re.findall(r'(?:src|href)="(\w+:[^"]*)', text)
    assert [each for each in addresses if not each.startswith(page.origin)] == []
    assert re.findall(r"<script(?! src=)|\son\w+=|\sstyle=", text) == []
    assert "set-cookie" not in answer.headers
    assert "script-src 'self';" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    for name, kind in {
        "page.css": "text/css",
        "page.js": "text/javascript",
        "icon-192.png": "image",
    }.items():
        file = page.client.get(f"{page.url}/static/{name}")
        assert (file.status_code, file.headers["content-type"][: len(kind)]) == (200, kind)
        assert file.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert f"static/{name}?{crc32(file.content):x}" in text  # another file has another name
    manifest = f"{page.url}/static/manifest.webmanifest"
    said = page.client.get(manifest).json()
    assert urljoin(manifest, said["start_url"]) == f"{page.url}/"
    assert page.url.startswith(urljoin(manifest, said["scope"]))
    for address in (said["start_url"], said["icons"][1]["src"]):
        assert page.client.get(urljoin(manifest, address)).status_code == 200
    record = page.client.get(f"{page.url}/record.clue")
    assert record.text == START
    assert re.search("''Ann-Ben-Cat-[0-9-]+[.]clue$", record.headers["content-disposition"])
    for nothing in ("static/none.css", "nothing.clue"):
        assert page.client.get(f"{page.url}/{nothing}").status_code in (404, 405)
    assert page.post("nothing").status_code == 404


def test_whoever_has_no_secret_is_told_nothing(page: Served) -> None:
    hosts = ("example.org", "127.0.0.1:1", "127.0.0.1", "localhost", "", "127.0.0.2.example:8477")
    sites = ("http://example.org", "null", "http://localhost:1")
    strangers = [
        *({"host": host} for host in hosts),
        {"host": "127.0.0.1.example.org:8477", "x-forwarded-host": "127.0.0.1:8477"},
        *({"origin": site} for site in sites),
    ]
    asked: list[tuple[str, str, dict[str, str]]] = [
        *(("GET", url, {}) for url in (page.origin, page.url[:-1], f"{page.url}x")),
        ("GET", f"{page.origin}/static/page.css", {}),
        ("POST", f"{page.origin}/AAAA/tell", {}),
        *((how, page.url, said) for how in ("GET", "HEAD", "POST") for said in strangers),
        *(("POST", f"{page.url}/tell", {"origin": site}) for site in sites),
        ("POST", f"{page.url}/undo", {"sec-fetch-site": "cross-site"}),
        ("POST", f"{page.url}/undo", {"sec-fetch-site": "same-site"}),
    ]
    answers = [
        page.client.request(how, url, headers=said, data={"line": "ben skips"})
        for how, url, said in asked
    ]
    assert [each.status_code for each in answers] == [403] * len(asked)
    told = {each.text for each in answers if each.request.method != "HEAD"}
    assert told == {bytes(error_page(403).body).decode()}
    for said in ({"host": "LOCALHOST:8477"}, {"host": "[::1]:8477"}, {"origin": page.origin}):
        assert page.client.get(page.url, headers=said).status_code == 200
    assert page.client.get(page.url, headers={"sec-fetch-site": "cross-site"}).status_code == 200
    assert len(page.lines()) == 1


def test_too_much_is_refused(page: Served) -> None:
    assert page.post("tell", line="x" * 20_000).status_code == 413
    assert page.client.get(f"{page.url}?{'x' * 4_097}").status_code == 414
    assert len(page.post("tell", line=f"ben {'x' * 5_000}").headers["Content-Location"]) < 100


def test_names_and_comments_are_data(page: Served) -> None:
    page.post("tell", line="ben skips # <script>alert(1)</script>", settled="turn")
    text = page.client.get(f"{page.url}?tab=log").text
    assert "&lt;script&gt;alert(1)" in text
    assert "<script>alert" not in text


def hand_in(text: str) -> list[str]:
    """The cards that a seat's page shows as its hand."""
    return re.findall('<li class="card">([^<]*)<', text)


def test_a_seats_link_lives_until_the_recorder_ends_it(shared: Served) -> None:
    first = shared.of("Ben")
    shared.sit("Ben")
    assert " wide-sheet" in shared.get("Ben", "?tab=sheet")  # beside the cards to be ticked
    shared.post("hand", "Ben", card=HANDS["Ben"])
    assert shared.of("Ben") == first
    assert hand_in(shared.get("Ben")) == HANDS["Ben"]
    recorders = shared.get(query="?tab=table")
    assert 'class="here taken"' in recorders
    assert first not in recorders
    one, two = Phone(shared), Phone(shared)
    links = [first]
    for phone in (one, two):  # each drawn before anything was ended
        phone.load("?tab=table")
    for phone in (one, one, two):
        phone.does("again" if phone.sent.action else "taps End Ben's link")
        shared.sit("Ben")
        links.append(shared.of("Ben"))
        assert links[-1] not in shared.get(query="?tab=table")
    assert links[2] == links[1]  # it came late, and ended nothing
    one.load()
    one.does("taps End Ben's link")
    for link in links:
        assert shared.client.get(link).status_code == 403
        assert "Ask the person who keeps the log" in shared.client.get(link).text
    assert hand_in(shared.get("Ben")) == HANDS["Ben"]


def test_a_seat_is_taken_by_a_tap_and_by_no_look_and_once_more_if_the_answer_is_lost(
    shared: Served,
) -> None:
    (join,) = re.findall(r'class="seat-link join" href="([^"]+)"', shared.get(query="?tab=table"))

    def joins(page: str, seat: str) -> httpx.Response:
        sent = buttons(page, "join")[f"I am {seat}"]
        return shared.client.post(f"{join}/join", data=dict(sent.said))

    assert shared.client.head(join).status_code == 200
    mine, other = (shared.client.get(join).text for _ in range(2))
    assert re.findall(r">I am (\w+)<", other) == [*HANDS]
    assert not any(shared.of(seat) in other for seat in HANDS)
    answers = [joins(mine, "Ben") for _ in range(2)]
    assert ["Tick the cards in your hand." in each.text for each in answers] == [True] * 2
    (link,) = {each.headers["Content-Location"] for each in answers}
    assert link == httpx.URL(shared.of("Ben")).path
    assert "I am Ben" not in shared.client.get(join).text
    recorders = shared.get(query="?tab=table")
    assert (link in recorders, 'class="here taken"' in recorders) == (False, True)
    late, nobody = joins(other, "Ben"), shared.client.post(f"{join}/join", data={"seat": "Zoe"})
    assert "Ben has already joined; if that is you" in unescape(late.text)
    assert "there is no player called Zoe" in nobody.text
    for refused in (late, nobody):
        assert (link in refused.text, "Content-Location" in refused.headers) == (False, False)
    assert joins(mine, "Cat").headers["Content-Location"] == httpx.URL(shared.of("Cat")).path
    shared.post("free", seat="Ben")
    assert "Content-Location" not in joins(mine, "Ben").headers  # an ended link stays ended
    assert joins(other, "Ben").headers["Content-Location"] == httpx.URL(shared.of("Ben")).path


def test_links_and_notes_are_their_owners_alone_and_belong_to_one_game(tmp_path: Path) -> None:
    path = tmp_path / "table.clue"
    kept = {name: tmp_path / f".table.clue.{name}" for name in ("links", "whole", "lock")}
    old: list[str] = []
    for _ in range(2):  # the second time it is another game of that name
        path.write_text(SHARED, "utf-8")
        with called(path, public=True) as table:
            assert [table.client.get(link).status_code for link in old] == [403] * len(old)
            assert [table.lines(seat) for seat in HANDS] == [()] * 6
            for seat, hand in HANDS.items():
                table.post("hand", seat, card=hand)
            join = buttons(table.client.get(table.join).text, "join")["I am Cat"]
            table.client.post(join.action, data=dict(join.said))
            links = {seat: table.of(seat) for seat in (None, *HANDS)}
        if not system.WINDOWS:
            assert {kept[name].stat().st_mode & 0o777 for name in ("links", "whole")} == {0o600}
        with path.open("a", encoding="utf-8") as file:
            file.write("Ann skips\n")
        with called(path, public=True) as table:
            assert [table.lines(seat)[-1] for seat in links] == ["Ann skips"] * len(links)
            again = table.client.post(join.action, data=dict(join.said))
            assert again.headers["Content-Location"] == httpx.URL(links["Cat"]).path
            assert {seat: table.of(seat) for seat in links} == links
        old = [*links.values()]
        path.unlink()
        assert {*tmp_path.iterdir()} <= {*kept.values()}
    path.write_text(SHARED, "utf-8")
    kept["links"].write_text("{}", "utf-8")
    with called(path, public=True) as table:
        assert table.get("Ben")


def bytes_of(table: Served, seat: str | None) -> list[bytes]:
    """All that a page sends, what is random apart."""
    found = []
    for query in (
        "",
        "?tab=sheet&card=Plum&holder=Ben",
        "?tab=log",
        "?tab=table",
        "?tab=sheet&suppose=Ben+has+Rope",
        "/record.clue",
    ):
        content = table.client.get(table.of(seat) + query).content
        for other in (*table.table.every, table.table.joining):
            content = content.replace(other.secret.encode(), b"SECRET")
        content = re.sub(rb"<svg.*?</svg>", b"", content)
        content = re.sub(rb'name="once" value="[^"]+"', b"", content)  # it is drawn by chance
        found.append(re.sub(rb'data-version="\d+"', b"", content))
    return found


def pages_of_two_games(folder: Path, *, thought: bool) -> Iterator[tuple[list[bytes], ...]]:
    """
    Yield the pages of Ann, the recorder and Ben in two games with one public log.

    What everybody but Ann holds and saw differs between them.
    """
    places = {"Ben": "Cat", "Cat": "Ben", "Eve": "Flo", "Flo": "Eve"}
    swapped = {seat: HANDS[places.get(seat, seat)] for seat in HANDS}
    for number, hands in enumerate((HANDS, swapped)):
        path = folder / f"{number}.clue"
        path.write_text(MARKED, "utf-8")
        with called(path, public=True) as table:
            for seat, hand in hands.items():
                table.post("hand", seat, card=hand)
            line = "dan plum knife hall: eve passes, flo passes, ann passes, ben"
            table.post("tell", line=line, settled="turn")
            shown = "Knife" if number else "Plum"
            for seat in ("Dan", "Ben"):
                table.post("tell", seat, edit="2", line=f"{table.lines(seat)[1]} {shown}")
            table.post("tell", "Cat", line=f"ben has {shown}" if number else "eve has hall")
            assert shown in table.lines("Dan")[1].partition(":")[2]
            if thought:
                table.think("Ann", None, "Ben")
            looking = ("Ann", None, "Ben")
            pages = [bytes_of(table, seat) for seat in looking]
            ask(table, "Dan", "White", "Rope", "Hall")
            assert "Dan asks for White, Rope, Hall" in asks(table, "Ann")
            asked = [bytes_of(table, seat) for seat in looking]
            yield tuple(map(add, pages, asked))


def test_nobodys_private_facts_reach_another_page(tmp_path: Path) -> None:
    (ann, recorder, ben), (ann_too, recorder_too, ben_too) = pages_of_two_games(
        tmp_path, thought=False
    )
    assert ann == ann_too
    assert recorder == recorder_too
    assert ben != ben_too


def test_the_whole_log_is_one_hidden_file_until_all_cards_lie_open(tmp_path: Path) -> None:
    path = tmp_path / "friday.clue"
    with called(path, SHARED, public=True) as table:
        for seat, hand in HANDS.items():
            table.post("hand", seat, card=hand)
        table.post("tell", line=PUBLIC, settled="turn")
        table.post("tell", "Ann", edit="2", line=SHOWN)
        right = "Cat accuses Peacock, Lead Pipe, Billiard Room: right"
        table.post("tell", line=right, settled="turn")
        assert [each.name for each in tmp_path.glob("*.clue")] == ["friday.clue"]
        assert "holds" not in path.read_text("utf-8")
        assert load_record(path).observations[:1] == (parse_line(PUBLIC, load_record(path).table),)
        table.post("open")
    whole = load_record(path)
    assert {each.seat for each in whole.observations if isinstance(each, Hand)} == {*HANDS}
    assert SHOWN in path.read_text("utf-8")
    assert offered_games(tmp_path)[0].over


def test_a_players_own_notes_are_not_shared(tmp_path: Path) -> None:
    path = tmp_path / "own.clue"
    path.write_text(START, "utf-8")
    table = LoggedTable(keep=lambda: path, public=True)
    with pytest.raises(RecordError, match="these are Ann's own notes"):
        open_table(path, table)
    assert path.read_text("utf-8") == START
    RecordFile(path).close()  # it is free


def test_a_game_that_is_over_says_so_and_folds_what_else_can_be_logged(shared: Served) -> None:
    shared.post("hand", "Ann", card=HANDS["Ann"])
    shared.post("tell", line="Ben accuses Green, Rope, Hall: right", settled="turn")
    for seat in (None, "Ann"):
        text = shared.get(seat)
        folded = text.partition('<details id="after">')[2].partition("</details>\n")[0]
        assert ('id="typing"' in folded, 'id="undo"' in folded) == (seat is None, seat is None)
        assert "Save the game" in text.partition('<details id="after">')[0]
    assert '<details id="after">' not in shared.get(query="?x=Roll")


def test_the_recorders_own_code_is_on_no_screen_that_players_scan(shared: Served) -> None:
    def codes(query: str) -> list[str]:
        return re.findall(r'aria-label="QR code of (.*?)"', shared.get(query=query))

    assert codes("?tab=table") == []  # no phone can open it
    assert "--host 0.0.0.0" in shared.get(query="?tab=table")
    shared.server.shared.origin = "http://192.0.2.1:8477"
    assert shared.get(query="?tab=table").count("QR code for players to join") == 1
    assert codes("?tab=table&another=1") == ["this page's address"]


def test_advice_is_thought_of_where_it_is_shown(shared: Served) -> None:
    assert [shared.table.advises(shared.book(seat)) for seat in (None, "Ann")] == [False, True]
    for line in (
        "Ann suggests Plum, Rope, Hall: nobody shows",
        "Ben suggests Plum, Rope, Hall: nobody shows",
        "Cat accuses Plum, Rope, Hall: wrong",
    ):
        shared.post("tell", line=line, settled=["turn", "clash"])
    assert shared.table.advises(shared.book())  # what corrects the log is always shown


def test_files_of_the_last_game_are_saved_from_its_page(shared: Served) -> None:
    shared.post("tell", line="Eve accuses Peacock, Lead Pipe, Billiard Room: right")
    shared.post("open")
    shared.wait_for_review()
    shared.post("again")
    text = shared.get("Ann", "?last=1")
    files = re.findall(r'href="[^"]*/([\w.]+[?]last=1)" download', text)
    assert [each[:6] for each in files] == ["record", "review"]
    for file in files:
        assert "Eve accuses Peacock" in shared.client.get(f"{shared.of('Ann')}/{file}").text
    assert not re.findall("<form", text)


def test_a_line_is_shown_as_its_players_cards_and_answers() -> None:
    split = LineSplitter(Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Plum")))
    told = split("5: from 15% to 35%: Plum suggests Plum, Rope, Hall: Ann passes, Ben ?")
    assert told.label == "5, from 15% to 35%"
    pieces = [
        " | ".join(f"{each.kind} {each.text}" for each in part)
        for part in (told.head, *told.answers)
    ]
    assert pieces == [
        "seat Plum | suggests asks for | card Plum | card Rope | card Hall",
        "seat Ann | passes no",
        "seat Ben | word ?",
    ]
    other = split("Ann asks Ben about Rope: shows")
    assert [each.text for each in other.head] == ["Ann", "asks", "Ben", "about", "Rope"]
    changed = split("14 is now: Ann suggests Plum, Rope, Hall: Ben passes, Plum shows")
    assert (changed.label, len(changed.head), len(changed.answers)) == ("14 is now", 5, 2)
    assert split("3: Ann moves to H20").line == "3: Ann moves to a square near Lounge"


def test_a_page_of_before_a_restart_is_not_taken_for_current(tmp_path: Path) -> None:
    path = tmp_path / "table.clue"
    path.write_text(SHARED, "utf-8")
    shown = set()
    for _ in range(2):  # the same path to the same log
        with called(path, public=True) as table:
            shown |= {table.book(seat).version for seat in (None, "Ann")}
    assert len(shown) == 4


def ask(table: Served, by: str, *cards: str) -> None:
    """Let the recorder tap a suggestion."""
    assert table.post("ask", None, by=by, pick=[*cards]).status_code == 200


def asks(table: Served, seat: str | None) -> str:
    """What a page says that its seat is asked."""
    found = re.search(r'<section id="asked".*?</section>', table.get(seat), re.S)
    return words(re.sub("<(?=li|small)", " <", found[0])) if found else ""


def test_what_is_asked_changes_no_page_but_those_of_the_seats(shared: Served) -> None:
    table = shared
    for seat, hand in HANDS.items():
        table.sit(seat)
        if seat != "Flo":
            table.post("hand", seat, card=hand)
    changed: list[str | None] = []
    table.table.changed = lambda book: changed.append(book.seat)
    before = {seat: bytes_of(table, seat) for seat in (None, "Ann", "Ben")}
    versions = {seat: table.book(seat).version for seat in (None, *HANDS)}
    for _ in range(2):
        ask(table, "Ann", "Plum", "Rope", "Hall")  # twice: nothing is new the second time
    assert changed == ["Ann", "Ben", "Cat", "Dan", "Eve", "Flo"]
    for seat in ("Cat", "Dan"):  # a seat's page is no place to ask from
        table.post("ask", seat, by="Eve", pick=["Green", "Wrench", "Study"])
    assert "Ann asks for Plum, Rope, Hall" in asks(table, "Cat")
    assert asks(table, "Ann") == "Ann asks for Plum, Rope, Hall"  # and nothing of her
    assert "Who shows Ann a card?" in table.get()  # on each of the recorder's phones
    ask(table, "Ann", "Rope", "Hall")
    later = {seat: table.book(seat).version - was for seat, was in versions.items()}
    assert later.pop(None) == 0
    assert later == dict.fromkeys(HANDS, 2)
    assert {seat: bytes_of(table, seat) for seat in before} == before


def test_advice_from_another_process_is_what_it_was_there() -> None:
    """What cannot be sent would be computed again in the server, unnoticed."""
    found = final_thought(
        load_record(Path(__file__).parents[1] / "games" / "textbook.clue").upto(3)
    )
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("error", [OSError, TypeError])
def test_an_unexpected_error_of_another_process_is_told_to_the_host(
    tmp_path: Path, error: type[Exception]
) -> None:
    class Failing(Executor):
        def submit(self, *args: object, **kwargs: object) -> Future[Any]:
            done: Future[Any] = Future()
            done.set_exception(error())
            return done

    told: list[str] = []
    shared = Shared(HERE.origin, processes=Failing())
    shared.tell = told.append
    with called(tmp_path / "game.clue", START) as table:
        eyes = table.book(None)
        Thinking(table.table, shared).think_further(eyes, eyes.game.record)
        for worker in (shared.second, shared.games):
            worker.give(lambda: None).result()
        assert eyes.thought == final_thought(eyes.game.record)
    assert len(told) == (error is TypeError)
